"""The turn: take a cube, or what stands in its stead; and the end of the turn."""

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.village.components import COLOURS
from engine.village.moves import Act, Forgo, Move, PayWell, Skip, Take
from engine.village.rules.actions import can_act
from engine.village.rules.market import open_day
from engine.village.rules.pieces import add, gain
from engine.village.rules.time import spend_time
from engine.village.rules.well import well_moves
from engine.village.state import (
    SPACE_AT,
    SPACES,
    THING_AT,
    Action,
    Death,
    State,
    Turn,
    become,
    pop,
    push,
    top,
    with_family,
)

PLAGUE = "plague"
MARKET = "market"
_QUIET = tuple(space for space in SPACES if space != MARKET)
_TAKES = tuple(
    Take(colour, space)
    for colours, spaces in ((COLOURS, _QUIET), (COLOURS, (MARKET,)), ((PLAGUE,), _QUIET), ((PLAGUE,), (MARKET,)))
    for space in spaces
    for colour in colours
)
"""Every cube that can be taken: influence before plague, a quiet action before the market day that must be held."""


def asks(state: State) -> bool:
    """Return whether the turn has yet to begin. Source: rulebook: there is no passing."""
    return not top(state, Turn).begun


def decision(state: State) -> Decision:
    """Return the question of a turn."""
    return Decision(state.turn, Turn.key, fields(free=int(not state.cubes_left)))


def moves(state: State) -> Iterator[Move]:
    """Yield what a turn can begin with."""
    if not state.cubes_left:
        free = (Act(space) for space in SPACES if can_act(state, space))
        return chain((Forgo(),), free)
    takes = (take for take in _TAKES if state.board[SPACE_AT[take.space]][THING_AT[take.colour]])
    return chain(takes, map(PayWell, well_moves(state.me, state.tables.turn.well_cubes)))


def take(state: State, move: Take) -> Step[State]:
    """
    Return the state after the cube was taken and the action of its space has begun.

    Raises: IllegalMoveError `take.emptied`, `take.no-cubes`, `take.no-cube`.
    Source: rulebook: one cube from one space; a plague cube goes back to the supply at once and costs time.
    """
    if not state.cubes_left:
        raise IllegalMoveError("take.emptied")
    space, colour = SPACE_AT[move.space], THING_AT[move.colour]
    cubes = state.board[space]
    if not any(cubes):
        raise IllegalMoveError("take.no-cubes", space=move.space)
    if not cubes[colour]:
        raise IllegalMoveError("take.no-cube", colour=move.colour, space=move.space)
    seat = state.turn
    board = (*state.board[:space], add(cubes, colour, -1), *state.board[space + 1 :])
    state = replace(state, board=board, supply=add(state.supply, colour, 1))
    if move.colour == PLAGUE:
        time = state.tables.turn.plague_time
        step = spend_time(state, time)
        events = (event("village.plague", seat=seat, space=move.space, time=time), *step.events)
        state = step.state
    else:
        state = gain(state, seat, move.colour, 1)
        events = (event("village.took", seat=seat, colour=move.colour, space=move.space),)
    step = begin_action(become(state, Turn(begun=True)), move.space)
    return Step(step.state, events + step.events)


def begin_action(state: State, space: str) -> Step[State]:
    """
    Return the state with the action of *space* begun.

    Source: rulebook: the action may be left undone, only the market day must be held.
    """
    if space == MARKET:
        return open_day(state)
    return Step(push(state, Action(space)))


def act(state: State, move: Act) -> Step[State]:
    """
    Return the state with an action begun that the well has paid for, or that is free on the emptied board.

    Raises: IllegalMoveError `act.cubes-left`, `act.nothing`.
    Source: rulebook: the well; game end: free actions. Our ruling "An action that cannot be done cannot be chosen".
    """
    if isinstance(state.stack[-1], Turn):
        if state.cubes_left:
            raise IllegalMoveError("act.cubes-left")
        begun = become(state, Turn(begun=True))
    else:
        begun = pop(state)
    if not can_act(state, move.space):
        raise IllegalMoveError("act.nothing", space=move.space)
    step = begin_action(begun, move.space)
    return Step(step.state, (event("village.acts", seat=state.turn, space=move.space), *step.events))


def forgo(state: State, _move: Forgo) -> Step[State]:
    """
    Return the state after the free action was given up.

    Raises: IllegalMoveError `act.cubes-left`.
    Source: our ruling "A free action may be given up".
    """
    if state.cubes_left:
        raise IllegalMoveError("act.cubes-left")
    return Step(become(state, Turn(begun=True)), (event("village.forgone", seat=state.turn),))


def skip(state: State, _move: Skip) -> Step[State]:
    """Return the state after the action, or the rest of it, was left undone. Source: rulebook: it may be."""
    action = state.stack[-1].key.removeprefix("village.")
    return Step(pop(state), (event("village.skipped", seat=state.turn, action=action),))


def cannot_act(state: State) -> Step[State]:
    """Return the state after an action that could not be done. Source: rulebook: the cube is taken all the same."""
    space = top(state, Action).space
    return Step(pop(state), (event("village.cannot-act", seat=state.turn, space=space),))


def end_turn(state: State) -> Step[State]:
    """
    Return the state after the action of a turn: a death that is due comes first.

    Source: rulebook: the action is finished first, then one member dies; before the mass, if the round ends too.
    """
    family = state.me
    if not family.due:
        return Step(pop(state))
    state = with_family(state, state.turn, replace(family, due=0))
    return Step(push(state, Death(state.turn, family.due)))
