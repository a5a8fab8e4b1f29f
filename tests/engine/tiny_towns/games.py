"""What the rule tests share on top of `positions`: whole games, plans, and what others see of a position."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.core.bots import play_game, random_bot, roller
from engine.core.dice import demo_seed
from engine.core.log import Position, Record, first_position
from engine.core.play import Line, Played, play
from engine.core.ruleset import make_config
from engine.core.types import CHANCE, Event, Seat
from engine.tiny_towns import RULESET
from engine.tiny_towns.state import State
from tests.contract.titles import dice
from tests.engine.tiny_towns.positions import TABLES, after, owed, position, texts


def beginning(seats: int, **options: str) -> Position[State]:
    """A game before its first entry; an option's `-` is written `_`."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    config = make_config(seats, given, allowed=RULESET.seats, options=RULESET.options)
    return first_position(RULESET, config, TABLES)


def game(seats: int, seed: int, **options: str) -> tuple[Record[State], ...]:
    """A whole game of random bots; the same for the same *seed*."""
    bots = {Seat(seat): random_bot(roller(demo_seed(seed * 10 + seat))) for seat in range(seats)}
    return play_game(RULESET, beginning(seats, **options), bots, dice(seed))


def planned(now: Position[State], written: Mapping[int, Sequence[Sequence[str]]]) -> Played[State]:
    """What plans lead to; *written* is seat -> lines, each a key and then moves."""
    plans = {Seat(seat): tuple(Line(key, (tuple(moves),)) for key, *moves in lines) for seat, lines in written.items()}
    return play(RULESET, now, plans, dice(3))


def asked(state: State) -> Position[State]:
    """A game that begins with this position."""
    return Position(state, numbers=tuple((one.seat, 0) for one in RULESET.pending(state)))


def odds(state: State) -> dict[str, int]:
    """What chance may draw, each with its weight."""
    return dict(zip(texts(state, CHANCE), RULESET.pending(state)[0].odds, strict=True))


def drawn_by_luck(state: State, number: int) -> State:
    """The position after chance has drawn, with luck *number*, until seats are asked."""
    luck = random.Random(number)
    while owed(state)[0].startswith("-1"):
        state = after(state, f"-1: {luck.choice(texts(state, CHANCE))}")
    return state


def seen_by_others(state: State, seat: int) -> bytes:
    """All that everybody but *seat* can see: views, what is owed, the standings."""
    seats = [None, *(one for one in state.seats if one != seat)]
    views = [RULESET.view(state, one) for one in seats]
    return msgspec.json.encode((views, RULESET.pending(state), RULESET.standings(state)))


def heard_by_others(events: Sequence[Event], seat: int) -> list[Event]:
    """What somebody else than *seat* is told."""
    return [event for event in events if event.seats is None or set(event.seats) - {seat}]


def rounds_on(state: State, seat: int = 0) -> State:
    """The position in which *seat* has to place next, all others having done the least that they can."""
    while not any(line == f"{seat} towns.place" for line in owed(state)):
        one = RULESET.pending(state)[0].seat
        first = next(text for text in texts(state, one) if not text.startswith("build"))
        state = after(state, f"{one}: {first}")
    return state


def ready(drawing: str, **values: Any) -> State:
    """A position in which seat 0 has set the cube of the round aside, and may construct."""
    return after(position(drawing, **{"namer": 1, "cavern": True, **values}), "0: cavern")
