"""
How often a game waits, and how many mails it takes: `python -m tests.pbem.waits --titles village --games 3`.

Whole games on the real service, played by greedy players who write letters. In one manner they answer the question that
is asked, in another they write their whole turn in one letter, in the third they also leave plans for whatever may come
to them: up to three choices for each. A wait is a moment at which nothing more can be played before somebody writes;
all who are asked then write in the same pass.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from engine import registry
from engine.core.errors import EngineError
from engine.core.log import Position, make_entry
from engine.core.play import completeness, play_alone
from engine.core.types import CHANCE, Seat
from engine.tiny_towns.bot import value_of_placing
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import SQUARES
from pbem.lexicon import load_lexicon
from pbem.live import Live
from tests.pbem.table import Table

NAMES = ("Ana", "Bob", "Cid", "Dora", "Eva", "Fred")
CHOICES = 3
"""Alternatives of a line of a plan."""

PATIENCE = 20
"""So many letters of everybody in a row without a new entry are no game."""

Manner = Literal["question", "turn", "ahead", "tables", "plans"]
MANNERS: tuple[Manner, ...] = ("question", "turn", "plans")
IN_TOWNS: tuple[Manner, ...] = ("question", "turn", "ahead", "tables", "plans")
"""Tiny Towns has tables, so that its plans are measured in parts, too: naming and the like ahead, and tables."""


class Count(Struct, frozen=True):
    """What one game took."""

    rounds: int
    waits: int
    letters: int
    mails: int


class Without:
    """Rules in which some moves of one position are not legal: so that a bot names its second choice."""

    def __init__(self, ruleset: Any, state: object, taken: list[str]) -> None:
        self._ruleset, self._state, self._taken = ruleset, state, taken

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ruleset, name)

    def legal(self, state: object, seat: Seat) -> Iterator[Any]:
        """Yield the legal moves but those that were named before."""
        for move in self._ruleset.legal(state, seat):
            if state is not self._state or self._ruleset.grammar.format_move(move) not in self._taken:
                yield move


def play_game(folder: Path, title: str, seats: int, number: int, manner: Manner, *, rounds: int = 99) -> Count:
    """Return what one game took, or its first *rounds*."""
    table = Table(folder, *(f"{name} en" for name in NAMES[:seats]), title=title, number=number)
    waits = letters = 0
    moved: list[int] = []
    table.tick()
    while (live := table.live()).game.status == "running" and live.position.state.round <= rounds:
        waits += 1
        moved = [*moved[-PATIENCE:], live.position.seq]
        assert len(moved) <= PATIENCE or moved[0] < moved[-1], f"{title}, {manner}: nothing moves at entry {moved[0]}"
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
    """Yield the lines that *seat* writes."""
    bot = registry.load_bot(live.game.ruleset)
    planned = play_alone(live.ruleset, live.position, seat, live.holders[seat].plan).position
    if manner == "question":
        yield live.ruleset.grammar.format_move(bot(live.ruleset, planned.state, seat))
        return
    texts, position = rest_of_turn(live, planned, seat)
    yield ": ".join(texts)
    if manner in ("ahead", "plans"):
        yield from plans(live, position, seat)
    if manner in ("tables", "plans") and live.game.ruleset == "tiny_towns" and position.owed(live.ruleset):
        yield from _table(position, seat)


def rest_of_turn(live: Live, position: Position[Any], seat: Seat) -> tuple[list[str], Position[Any]]:
    """Return what the bot of *seat* plays until it owes nothing or a draw comes first, and where that leads."""
    bot, ruleset = registry.load_bot(live.game.ruleset), live.ruleset
    texts: list[str] = []
    while any(owed.decision.seat == seat for owed in position.owed(ruleset)):
        texts.append(ruleset.grammar.format_move(bot(ruleset, position.state, seat)))
        position = make_entry(ruleset, position, seat, texts[-1]).position
    return texts, position


def plans(live: Live, position: Position[Any], seat: Seat) -> Iterator[str]:
    """Yield a line for everything that may come to *seat*, as far as it can be told."""
    if not position.owed(live.ruleset):
        return
    words = load_lexicon("en", live.game.ruleset)
    for ahead in live.ruleset.ahead(position.state, seat):
        if ahead.state is None or any(one.seat == CHANCE for one in live.ruleset.pending(ahead.state)):
            continue
        there = Position(ahead.state, numbers=((seat, 0),))
        lines = list(choices(live, there, seat))
        if lines:
            yield f"{words.label(ahead.decision.key)}: " + " or ".join(lines)


def choices(live: Live, position: Position[Any], seat: Seat) -> Iterator[str]:
    """Yield up to three ways to answer what *seat* owes at *position*, the best first."""
    bot, ruleset = registry.load_bot(live.game.ruleset), live.ruleset
    taken: list[str] = []
    legal = [ruleset.grammar.format_move(move) for move in ruleset.legal(position.state, seat)]
    while len(taken) < min(CHOICES, len(legal)):
        move = bot(Without(ruleset, position.state, taken), position.state, seat)
        taken.append(ruleset.grammar.format_move(move))
        try:
            after = make_entry(ruleset, position, seat, taken[-1]).position
            texts, _ = rest_of_turn(live, after, seat)
        except EngineError:
            texts = []
        yield ": ".join([taken[-1], *texts])


def _table(position: Position[Any], seat: Seat) -> Iterator[str]:
    empty = position.state.town(seat).empty
    for resource in RESOURCES if empty else ():
        best = sorted(empty, key=lambda at: -value_of_placing(position.state, seat, resource, at))
        yield f"when {resource}: place " + " or ".join(SQUARES[at] for at in best[:CHOICES])


def main() -> int:
    """Print one line for each title, number of seats and manner."""
    parser = argparse.ArgumentParser(prog="python -m tests.pbem.waits", description=__doc__)
    parser.add_argument("--titles", nargs="+", default=registry.titles())
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--manners", nargs="+", choices=IN_TOWNS)
    given = parser.parse_args()
    print("title        seats  written   rounds   waits  letters   mails   (each a game, on average)")
    for title, seats, manner in product(given.titles, given.seats, IN_TOWNS):
        usual = IN_TOWNS if title == "tiny_towns" else MANNERS
        if manner not in usual or manner not in (given.manners or usual):
            continue
        counts = []
        for number in range(given.games):
            with tempfile.TemporaryDirectory() as folder:
                counts.append(play_game(Path(folder), title, seats, number, manner))
        means = [sum(getattr(one, name) for one in counts) / len(counts) for name in Count.__struct_fields__]
        print(f"{title:12}{seats:6}  {manner:8}" + "".join(f"{mean:8.1f}" for mean in means), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
