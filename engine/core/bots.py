"""Choosers that need no person: random and greedy, and whole games played by them."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine.core.dice import Dice
from engine.core.errors import LogError
from engine.core.log import Position, Record, draw_text, make_entry
from engine.core.ruleset import Ruleset
from engine.core.types import CHANCE, Seat

S = TypeVar("S")
M = TypeVar("M")

Bot = Callable[[Ruleset[Any, Any, Any], Any, Seat], Any]
"""(rules, position, seat that owes) -> one of its legal moves."""

Roll = Callable[[int], int]
"""(count) -> a number from 0 to count - 1."""


def roller(seed: bytes) -> Roll:
    """Return a roll that follows from *seed* alone; each call is the next number."""
    dice = Dice(seed)
    calls = 0

    def roll(count: int) -> int:
        nonlocal calls
        calls += 1
        return dice.draw(calls, (1,) * count)

    return roll


def random_bot(roll: Roll) -> Bot:
    """Return a bot that takes any legal move with equal chance."""

    def choose(ruleset: Ruleset[Any, M, Any], state: object, seat: Seat) -> M:
        moves = list(ruleset.legal(state, seat))
        return moves[roll(len(moves))]

    return choose


def greedy_bot(ruleset: Ruleset[Any, M, Any], state: object, seat: Seat) -> M:
    """Return the move after which *seat* leads by most; the first of equals. For titles without a bot of their own."""

    def lead(move: M) -> int:
        points = [one.points for one in ruleset.standings(ruleset.apply(state, seat, move).state)]
        return points[seat] * len(points) - sum(points)

    return max(ruleset.legal(state, seat), key=lead)


def play_game(
    ruleset: Ruleset[S, Any, Any], start: Position[S], bots: Mapping[Seat, Bot], dice: Dice, *, limit: int = 20_000
) -> tuple[Record[S], ...]:
    """
    Return the records of a whole game played by *bots*.

    Raises: LogError `bots.endless` after *limit* entries.
    """
    records: list[Record[S]] = []
    position = start
    while owed := position.owed(ruleset):
        if position.seq >= limit:
            raise LogError("bots.endless", limit=limit)
        seat = owed[0].decision.seat
        if seat == CHANCE:
            text = draw_text(ruleset, position, dice)
        else:
            text = ruleset.grammar.format_move(bots[seat](ruleset, position.state, seat))
        records.append(make_entry(ruleset, position, seat, text))
        position = records[-1].position
    return tuple(records)
