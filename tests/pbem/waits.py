"""
How often a game waits, and how many mails it takes: `python -m tests.pbem.waits --games 5 --seats 2 4`.

Whole games of Tiny Towns on the real service: the same greedy players write letters that say as much as they may. They
name ahead or not, and give tables for the rounds ahead or not. A wait is a moment at which nothing more can be played
before somebody writes; all who are asked then write in the same pass.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import Struct

from engine.core.log import Position, make_entry
from engine.core.play import completeness
from engine.core.types import Seat
from engine.tiny_towns.bot import greedy, value_of_placing
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import SQUARES
from pbem.live import Live
from tests.pbem.table import Table

NAMES = ("Ana", "Bob", "Cid", "Dora", "Eva", "Fred")
CHOICES = 3
"""Squares that a line of a table names."""


class Count(Struct, frozen=True):
    """What one game took."""

    rounds: int
    waits: int
    letters: int
    mails: int


class Manner(Struct, frozen=True):
    """How the players write: whether they name ahead, and whether they give tables for the rounds ahead."""

    naming: bool
    tables: bool


def play_game(folder: Path, seats: int, number: int, manner: Manner, *, rounds: int = 99) -> Count:
    """Return what one game took, or its first *rounds*."""
    table = Table(folder, *(f"{name} en" for name in NAMES[:seats]), title="tiny_towns", number=number)
    waits = letters = 0
    table.tick()
    while (live := table.live()).game.status == "running" and live.position.state.round <= rounds:
        waits += 1
        for seat in asked(live):
            table.post(table.reply(NAMES[seat], "\n".join(letter(live, seat, manner))))
            letters += 1
        table.tick()
    count = Count(live.position.state.round, waits, letters, len(table.server.taken))
    table.close()
    return count


def asked(live: Live) -> Iterator[Seat]:
    """Yield the seats whose plans leave something open."""
    for owed in live.position.owed(live.ruleset):
        seat = owed.decision.seat
        if completeness(live.ruleset, live.position, seat, live.holders[seat].plan) != "complete":
            yield seat


def letter(live: Live, seat: Seat, manner: Manner) -> Iterator[str]:
    """Yield the lines that *seat* writes: its whole turn, and what it may say ahead."""
    ruleset, position = live.ruleset, live.position
    texts: list[str] = []
    while any(owed.decision.seat == seat for owed in position.owed(ruleset)):
        texts.append(ruleset.grammar.format_move(greedy(ruleset, position.state, seat)))
        position = make_entry(ruleset, position, seat, texts[-1]).position
    yield ": ".join(texts)
    if manner.naming:
        yield from _naming(live, position, seat)
    if manner.tables:
        yield from _table(position, seat)


def _naming(live: Live, position: Position[Any], seat: Seat) -> Iterator[str]:
    for ahead in live.ruleset.ahead(position.state, seat):
        if ahead.decision.key == "towns.name" and ahead.state is not None and ahead.state.town(seat).empty:
            named = greedy(live.ruleset, ahead.state, seat)
            yield f"next: {live.ruleset.grammar.format_move(named)}"


def _table(position: Position[Any], seat: Seat) -> Iterator[str]:
    empty = position.state.town(seat).empty
    for resource in RESOURCES if empty else ():
        best = sorted(empty, key=lambda at: -value_of_placing(position.state, seat, resource, at))
        yield f"when {resource}: place " + " or ".join(SQUARES[at] for at in best[:CHOICES])


def main() -> int:
    """Print one line for each number of seats and manner."""
    parser = argparse.ArgumentParser(prog="python -m tests.pbem.waits", description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4])
    given = parser.parse_args()
    print("seats  naming ahead  tables  rounds  waits  letters  mails   (each a game, on average)")
    for seats, naming, tables in product(given.seats, (False, True), (False, True)):
        counts = []
        for number in range(given.games):
            with tempfile.TemporaryDirectory() as folder:
                counts.append(play_game(Path(folder), seats, number, Manner(naming, tables)))
        means = [sum(getattr(one, name) for one in counts) / len(counts) for name in Count.__struct_fields__]
        words = ["yes" if one else "no" for one in (naming, tables)]
        print(f"{seats:5}  {words[0]:>12}  {words[1]:>6}" + "".join(f"{mean:8.1f}" for mean in means), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
