"""The end of the game: what triggers it, the last turns, and the end itself."""

from msgspec.structs import replace

from engine.core.types import Seat, Step, event
from engine.village.scoring import standings
from engine.village.state import NOBODY, State, clockwise


def check_trigger(state: State, seat: Seat, area: str) -> Step[State]:
    """
    Return the state after *seat* has filled the last place of *area* ("": it has not).

    Source: rulebook: game end. Our ruling "Who triggered": the first; a second area that fills up changes nothing.
    """
    if not area or state.trigger != NOBODY:
        return Step(state)
    return Step(replace(state, trigger=seat), (event("village.triggered", seat=seat, area=area),))


def last_turns(state: State) -> tuple[Seat, ...]:
    """
    Return the seats that have a last turn, in order, at the end of the turn in which the end was triggered.

    Source: rulebook: all but the seat that triggered, clockwise; if that was on a market day of another, every seat,
            who began the day last.
    """
    others = clockwise(state, state.turn + 1)
    return others[:-1] if state.trigger == state.turn else others


def finish(state: State) -> Step[State]:
    """Return the end of the game. Source: rulebook: final scoring after the last mass; see `scoring.py`."""
    state = replace(state, stack=())
    winners = tuple(int(one.seat) for one in standings(state) if one.rank == 1)
    return Step(state, (event("village.over", winners=winners),))
