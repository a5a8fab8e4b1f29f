"""Life time: steps round the farmyard, and deaths that become due at the bridge."""

from msgspec.structs import replace

from engine.core.types import Event, Step, event
from engine.village.state import State, with_family


def advance_marker(state: State, seat: int, steps: int) -> tuple[State, int]:
    """
    Return the state after the life marker of *seat* has gone on, and how often it has passed the bridge.

    Source: rulebook: time; that a lap has ten steps is reported (table `life`).
    """
    family = state.families[seat]
    lap = state.tables.life.steps
    crossed, step = divmod(family.step + steps, lap)
    return with_family(state, seat, replace(family, step=step)), crossed


def spend_time(state: State, steps: int) -> Step[State]:
    """
    Return the state after the seat whose turn it is has spent *steps*; deaths wait for the end of the turn.

    Source: rulebook: the action is finished first. Time can always be paid.
    """
    state, crossed = advance_marker(state, state.turn, steps)
    family = state.me
    state = with_family(state, state.turn, replace(family, due=family.due + crossed))
    return Step(state, bridge_events(state.turn, crossed))


def bridge_events(seat: int, crossed: int) -> tuple[Event, ...]:
    """Return one event for each time that the marker of *seat* has passed the bridge."""
    return (event("village.bridge", seat=seat),) * crossed
