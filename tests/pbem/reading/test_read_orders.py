"""The table `lines.toml`: what people write, and what is read."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine.core.play import Line
from engine.core.types import Seat
from pbem.post.asking import ask_now
from pbem.reading import MailedList, ReadLine, RefusedLine, Written, read_orders
from tests.contract.titles import Setting
from tests.pbem.post.sample import game, waits
from tests.pbem.reading.positions import Setup, lexicons

BIDS = Setting("bids", 3)
TABLE = tomllib.loads(Path(__file__).with_name("lines.toml").read_text(encoding="utf-8"))


def show_line(line: Line) -> str:
    """Return *line* as the table writes it."""
    occasion = f"@{line.occasion}" if line.occasion else ""
    when = f"?{line.when}" if line.when else ""
    when += f"<={line.until}" if line.until else ""
    return f"{line.key}{occasion}{when}: {line.text}"


def show_read(read: ReadLine) -> str:
    """Return *read* as the table writes it."""
    marks = [name for name, is_so in (("exact", read.exact), ("closed", read.closed)) if is_so]
    return " ".join([f"{read.written.number} {show_line(read.line)}", *(f"[{mark}]" for mark in marks)])


def show_refused(refused: RefusedLine) -> str:
    """Return *refused* as the table writes it."""
    fields = "".join(f" {name}={value}" for name, value in refused.fields)
    return f"{refused.written.number} {refused.key}{fields}"


@pytest.mark.parametrize("case", TABLE["case"], ids=lambda case: case["name"])
def test_lines(case: dict[str, Any]) -> None:
    setup = Setup(**TABLE["setup"][case["setup"]])
    written = [Written(number, text) for number, text in enumerate(case["lines"], start=1)]
    mailed = [MailedList(key, 0, 1, tuple(texts)) for key, texts in case.get("mailed", {}).items()]

    reading = read_orders(
        setup.ruleset,
        setup.position(),
        Seat(case.get("seat", 0)),
        written,
        language=case.get("language", "en"),
        lexicons=lexicons(setup.title),
        mailed=mailed,
    )

    assert case.get("read", []) == [show_read(one) for one in reading.read]
    assert case.get("refused", []) == [show_refused(one) for one in reading.refused]
    assert case.get("ignored", []) == [one.number for one in reading.ignored]
    assert case.get("now", False) == reading.now
    if "possible" in case:
        possible = reading.refused[0].possible
        assert case["possible"] == list(possible[: len(case["possible"])])


@pytest.mark.parametrize("below", [True, False])
def test_a_number_counts_in_the_list_that_was_shown_below_a_move(*, below: bool) -> None:
    position = next(one.position for one in game(BIDS, 3) if waits(BIDS, one.position))
    ask = ask_now(BIDS.ruleset, position, next(one for one in BIDS.ruleset.pending(position.state) if not one.seat), 1)
    mailed = MailedList(ask.key, ask.occasion, 1, ask.options, ask.follow if below else ())

    reading = read_orders(
        BIDS.ruleset,
        position,
        Seat(0),
        [Written(1, "1"), Written(2, "2")],
        language="en",
        lexicons=lexicons("bids"),
        mailed=[mailed],
    )

    assert ask.follow
    wanted = [ask.options[0], ask.follow[0][1]][: 1 + below]
    assert wanted == [text for one in reading.read for text in one.line.choices[0]]
    assert (() if below else ("reader.number",)) == tuple(one.key for one in reading.refused)
