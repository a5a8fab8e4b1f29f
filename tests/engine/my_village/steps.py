"""What tests of flags share on top of `positions` and `ruling`: what changed in a village, all steps of a turn."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from engine.core.types import CHANCE
from engine.my_village.components import GOODS, PROFESSIONS
from engine.my_village.state import State, Turn, Village
from tests.engine.my_village.positions import after, owed, play, texts

ONE_EACH = tuple(f"{good}-1" for good in GOODS)
"""A building of each kind."""


def without(*professions: str) -> tuple[str, ...]:
    """All villagers but those of *professions*."""
    return tuple(one for one in PROFESSIONS if one not in professions)


def goods(**numbers: int) -> tuple[int, ...]:
    """How many of each good, as `Village.goods` has them."""
    return tuple(numbers.get(good, 0) for good in GOODS)


def changes(before: State, now: State, seat: int = 0) -> dict[str, Any]:
    """What differs in the village of *seat*: the fields with what they are now."""
    old, new = before.villages[seat], now.villages[seat]
    fields = Village.__struct_fields__
    return {field: getattr(new, field) for field in fields if getattr(old, field) != getattr(new, field)}


def taking(state: State, total: int) -> State:
    """The position after the seat that begins its turn has taken the cheapest dice for *total*."""
    state = after(state, f"total {total}")
    state = after(state, texts(state)[0])
    return after(state, texts(state)[0])


def every_step(state: State) -> Iterator[tuple[State, str, State]]:
    """
    Each move that can be made until the turn and its burials are over: the position, the move, the position after it.

    Of what chance can do, only the first and the last of its list.
    """
    seat, turns = state.turn, state.turns
    seen = set()
    waiting = [state]
    while waiting:
        before = waiting.pop()
        decision = owed(before)
        assert decision is not None
        answers = texts(before)
        for text in answers if decision.seat != CHANCE else (answers[0], answers[-1]):
            now, _ = play(before, text)
            yield before, text, now
            if now.turn == seat and now.turns == turns and now.stack and _position(now) not in seen:
                seen.add(_position(now))
                waiting.append(now)


def _position(state: State) -> tuple[object, ...]:
    """What tells positions apart: all but the tables, and the order in which flags were used."""
    stack = tuple(
        replace(phase, used=tuple(sorted(phase.used))) if isinstance(phase, Turn) else phase for phase in state.stack
    )
    left = {"tables", "stack"}
    return (stack, *(getattr(state, field) for field in State.__struct_fields__ if field not in left))


def over(state: State, *moves: str) -> State:
    """The position after *moves*, and with no more flags used in this turn."""
    seat, turns = state.turn, state.turns
    state = after(state, *moves)
    decision = owed(state)
    runs = decision is not None and decision.key == "my.flags" and (seat, turns) == (state.turn, state.turns)
    return after(state, "done") if runs else state
