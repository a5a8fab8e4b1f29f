"""
What people see: `python -m tests.pbem.post.shots --output DIR` shows mails of every title as pictures of a screen.

An invitation, a report, an acknowledgement, a refusal and the last mail of a game, in both languages, on a phone and on
a desktop, in light and in dark. Printed are the size of the largest page and what the pictures in the mails take.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from msgspec.structs import replace

from engine import registry
from engine.core.types import Seat
from pbem.lexicon import languages
from pbem.post.compose import render_standalone
from pbem.post.draw import pictures
from pbem.post.draw.png import png_of
from pbem.post.ending import round_ends
from pbem.post.facts import MailFacts
from pbem.post.words import Reader
from tests.browser import PROGRAM, Browser, started
from tests.contract.titles import Setting
from tests.pbem.post import sample
from tests.pbem.post.pages import parts

WIDTHS = {"phone": 360, "desktop": 1200}
SEED = 6


def mails(title: str, language: str) -> Iterator[tuple[str, MailFacts]]:
    """Yield one mail of each kind, each of a real game."""
    setting = Setting(title, 3)
    base = sample.middle(setting, SEED, 0.4, language)
    assert base.ask is not None
    bare = replace(base, ask=None, ahead=(), plan=(), happened=(), view=None, standings=(), waiting_for=())
    records = sample.game(setting, SEED)
    last = sample.facts_at(setting, records[-1].position, records[-12:], Seat(0), language=language)
    option = base.ask.options[-1]
    yield "invitation", replace(bare, kind="invitation", told=sample.TOLD["invitation"])
    yield "report", replace(base, pictures=True)
    taken = sample.fact("order.taken", line=1, written="3", text=option, exact=False, instead=())
    receipt = sample.fact("order.receipt", code="k7f3q-9xk2m")
    yield "acknowledgement", replace(base, kind="acknowledgement", answers=(taken, receipt), ask=None)
    refused = sample.fact(
        "order.refused",
        line=1, written="tke 3", rank=0, read="", asks=False, reason="reader.unknown",
        possible=base.ask.options[:5], words="tke 3",
    )  # fmt: skip
    yield "refusal", replace(base, kind="refusal", answers=(refused,))
    for name in ("alert", *sample.TO_MASTER) if title == registry.titles()[0] else ():
        yield name, sample.other_kinds(base)[name]
    yield "final", replace(last, pictures=True, history=round_ends(setting.ruleset, records))


def shoot(browser: Browser, output: Path, name: str, facts: MailFacts) -> None:
    """Save what *facts* look like on every screen."""
    page = output / f"{name}.html"
    page.write_text(render_standalone(facts, sample.WORDS)[1], encoding="utf-8")
    for (screen, width), dark in product(WIDTHS.items(), (False, True)):
        browser.look(width, dark=dark)
        browser.open(page)
        browser.screenshot(output / f"{name}-{screen}-{'dark' if dark else 'light'}.png", whole=True)


def measure(facts: MailFacts) -> Iterator[tuple[str, float, float]]:
    """Yield name, milliseconds of our processor and kB of each picture of the position."""
    voice = sample.WORDS.voice(facts.language, facts.title, Reader(facts.seat, sample.NAMES, view=facts.view))
    for one in pictures(facts.title, facts.view, voice):
        spent = []
        for _ in range(5):
            begun = time.process_time()
            png = png_of(one.svg)
            spent.append(time.process_time() - begun)
        yield one.name, 1000 * min(spent), len(png) / 1000


def main() -> int:
    """Save the pictures and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.pbem.post.shots", description=__doc__)
    parser.add_argument("--output", type=Path, help="where the pictures of the screen go; without it only the figures")
    parser.add_argument("--titles", nargs="+", default=registry.titles())
    given = parser.parse_args()
    if given.output is not None and not PROGRAM:
        parser.error("needs Chromium (Debian: chromium)")
    largest = (0.0, "")
    for title, language in product(given.titles, languages()):
        for kind, facts in mails(title, language):
            name = f"{title}-{kind}-{language}"
            largest = max(largest, (len(parts(facts)[1].encode()) / 1000, name))
            if given.output is not None:
                given.output.mkdir(parents=True, exist_ok=True)
                with started() as browser:
                    shoot(browser, given.output, name, facts)
            if kind == "report":
                for picture, ms, size in measure(facts):
                    print(f"{name}: picture {picture}: {ms:.0f} ms, {size:.0f} kB", flush=True)
    print(f"largest page: {largest[0]:.1f} kB ({largest[1]})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
