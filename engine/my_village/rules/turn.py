"""The second step of a turn: flags; and its end."""

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from engine.core.types import Decision, Event, Step, event, fields
from engine.my_village.moves import Done, Move
from engine.my_village.rules import buying, house, meeting, school, steward, travel, working
from engine.my_village.rules.death import crossings
from engine.my_village.rules.pieces import spend, told
from engine.my_village.state import PLAY, Burial, State, Turn, become, pop, push, top


def uses(state: State, turn: Turn) -> Iterator[Move]:
    """Yield every flag that can be used in *turn* as it stands, white ones first."""
    return chain(
        school.play_moves(state, turn),
        school.moves(state, turn),
        working.make_moves(state, turn),
        working.farm_moves(state, turn),
        working.serve_moves(state, turn),
        meeting.moves(state, turn),
        house.moves(state, turn),
        steward.moves(state, turn),
        steward.hand_moves(state, turn),
        travel.moves(state, turn),
        buying.moves(state, turn),
    )


def asks(state: State) -> bool:
    """Return whether a flag can be used."""
    turn = top(state, Turn)
    return bool(turn.dice) and not turn.over and next(uses(state, turn), None) is not None


def decision(state: State) -> Decision:
    """Return the question which flags are used."""
    return Decision(state.turn, Turn.key, fields(total=top(state, Turn).total))


def moves(state: State) -> Iterator[Move]:
    """Yield the end, then every flag. Source: our ruling "Dice and passing": using one is free."""
    yield Done()
    yield from uses(state, top(state, Turn))


def done(state: State, _move: Done) -> Step[State]:
    """Return the state in which no more flags are used."""
    return told(become(state, replace(top(state, Turn), over=True)), event("my.done", seat=state.turn))


def end(state: State) -> Step[State]:
    """
    Return the state after the last flag of a turn: the idle hour, and the burials that are due.

    Source: rules: the bridge is looked at now. Our rulings "Idle hour", "Who can die": one burial for each crossing.
    """
    turn = top(state, Turn)
    state = pop(state)
    events: list[Event] = []
    if state.me.hours == turn.before and set(turn.used) <= {PLAY}:
        hours = state.tables.idle.hours
        state = spend(state, hours)
        events.append(event("my.idle", seat=state.turn, hours=hours))
    count = crossings(state, turn.before, state.me.hours)
    if count:
        events.extend(event("my.bridge", seat=state.turn) for _ in range(count))
        state = push(state, Burial(count))
    return told(state, *events)
