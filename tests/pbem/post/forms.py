"""
Every way to say a move gives the same entry: `python -m tests.pbem.post.forms --positions 200`.

In positions of random games, each move that a mail lists, and each that it letters below one, is said by its tap, by
its number, by its canonical text, in capitals without accents, and in the words of the other language.
"""

import argparse
import random
import sys
import time
import unicodedata
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from engine import registry
from engine.core.log import Position
from engine.core.play import play_alone
from engine.core.types import Seat
from pbem.lexicon import languages, load_lexicon
from pbem.mail.letter import read_letter
from pbem.mail.quotes import own_words
from pbem.post.facts import MailFacts
from pbem.reading import MailedList, Written, read_orders
from tests.contract.titles import Setting
from tests.pbem.post import sample
from tests.pbem.post.pages import Page, parts


def moves_of(facts: MailFacts, setting: Setting) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the mark of each move in the mail, `3` or `3b`, and the moves that it means."""
    assert facts.ask is not None
    below = dict(zip(facts.ask.options, facts.ask.follow, strict=False))
    for number, option in setting.ruleset.grammar.listed(facts.ask.options).items():
        yield str(number), (option,)
        for letter, more in zip("abcdefghi", below.get(option, ()), strict=False):
            yield f"{number}{letter}", (option, more)


def taps_of(facts: MailFacts) -> list[str]:
    """Return what each tap of the mail writes, without our marker, as we would read it from the letter."""
    text, html = parts(facts)
    found = []
    for link in (one for one in Page(html).links if one.startswith("mailto:")):
        body = parse_qs(urlsplit(link).query)["body"][0]
        letter = read_letter(f"From: a@b.example\r\n\r\n{body}".encode())
        (line,) = own_words(letter, text.splitlines(), body.split("\r\n")[0].__eq__).written
        found.append(line.text)
    return found


def plain_capitals(text: str) -> str:
    """Return *text* in capitals without accents."""
    bare = unicodedata.normalize("NFD", text)
    return "".join(one for one in bare if not unicodedata.combining(one)).upper()


def check_position(setting: Setting, position: Position[Any], seat: Seat, language: str) -> int:
    """Say every move of a mail in every form, hold each against the move, and return how many were said."""
    facts = sample.facts_at(setting, position, (), seat, language=language)
    assert facts.ask is not None
    ask = facts.ask
    own, *others = (load_lexicon(one, setting.title) for one in sorted(languages(), key=lambda one: one != language))
    mailed = (MailedList(ask.key, ask.occasion, ask.number, ask.options, ask.follow),)
    grammar = setting.ruleset.grammar
    said = 0
    for (mark, moves), tap in zip(moves_of(facts, setting), taps_of(facts), strict=False):
        local, *foreign = (": ".join(one.local_text(grammar, text) for text in moves) for one in (own, *others))
        for text in (tap, mark, ": ".join(moves), plain_capitals(local), *foreign):
            reading = read_orders(
                setting.ruleset, position, seat, [Written(1, text)], language=language, lexicons=(own, *others),
                mailed=mailed,
            )  # fmt: skip
            assert not reading.refused, f"{text!r} for {moves}: {reading.refused}"
            (line,) = (one.line for one in reading.read)
            made = play_alone(setting.ruleset, position, seat, (line,)).made
            entries = tuple(one.record.entry.text for one in made)[: len(moves)]
            assert line.choices[0][: len(moves)] == moves, f"{text!r} is read as {line.choices} and not {moves}"
            assert entries, f"{text!r} gives no entry"
            assert entries == moves[: len(entries)], f"{text!r} gives {entries} and not {moves}"
            said += 1
    return said


def positions(title: str, number: int, chooser: random.Random) -> Iterator[tuple[Setting, Position[Any], Seat]]:
    """Yield so many positions of games with every number of seats, each with a seat that is asked."""
    ruleset = registry.load(title)
    while number > 0:
        setting = Setting(title, chooser.choice(ruleset.seats))
        waits = [
            one.position
            for one in sample.game(setting, chooser.randrange(10_000))
            if sample.waits(setting, one.position)
        ]
        for position in chooser.sample(waits, min(5, number, len(waits))):
            owed = chooser.choice(position.owed(ruleset))
            yield setting, position, owed.decision.seat
            number -= 1


def main() -> int:
    """Check every title and print one line for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.pbem.post.forms", description=__doc__)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for title in registry.titles():
        chooser, begun, said, moves = random.Random(given.seed), time.monotonic(), 0, 0
        for at, (setting, position, seat) in enumerate(positions(title, given.positions, chooser)):
            said += check_position(setting, position, seat, languages()[at % len(languages())])
            moves += len(list(setting.ruleset.legal(position.state, seat)))
        spent = time.monotonic() - begun
        print(
            f"{title}: {given.positions} positions, {moves} moves, {said} ways, all as meant, {spent:.0f} s", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
