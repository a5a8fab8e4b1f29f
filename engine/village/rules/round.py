"""Rounds: whose turn is next, the end of a round, the next one, and the cubes on the board."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import CHANCE, Decision, Event, Step, event, fields
from engine.village.components import COLOURS
from engine.village.moves import Draw
from engine.village.rules import mass
from engine.village.rules.end import last_turns
from engine.village.rules.pieces import add
from engine.village.state import (
    CUBES,
    NOBODY,
    SPACES,
    THING_AT,
    NextRound,
    Round,
    Scoring,
    Seeding,
    State,
    Turn,
    become,
    clockwise,
    push,
)


def after_turn(state: State) -> Step[State]:
    """
    Return the state with the next turn, the mass of the round, or the last mass begun.

    Source: rulebook: clockwise until the board is empty; game end. Our ruling "The board empties in the last turns": no
            mass between the trigger and the last mass.
    """
    events: tuple[Event, ...] = ()
    if state.trigger != NOBODY and not state.final:
        last = last_turns(state)
        state = replace(state, final=True, last=last)
        events = (event("village.last-turns", seats=last),)
    if state.final:
        if not state.last:
            return mass.begin(state, Scoring())
        state = replace(state, turn=state.last[0], last=state.last[1:])
        return Step(push(state, Turn()), events)
    if not state.cubes_left:
        return mass.begin(state, NextRound())
    state = replace(state, turn=clockwise(state, state.turn + 1)[0])
    return Step(push(state, Turn()))


def next_round(state: State) -> Step[State]:
    """
    Return the state with the next round begun: the starting player, the green bag.

    Source: rulebook: who took the next-starting-player marker is the starting player, and it goes back; the bag gets
            the cubes of the set-up card as far as the supply has them, and every plague cube. The number is ours
            (table `bag`).
    """
    events: list[Event] = []
    if state.marker != NOBODY:
        state = replace(state, first=state.marker, marker=NOBODY)
        events.append(event("village.first", seat=state.first))
    state = replace(state, round=state.round + 1, turn=state.first, stack=(Round(), Seeding()))
    added = state.for_seats(state.tables.bag.added)
    for colour in COLOURS:
        state = _fill_bag(state, colour, min(added, state.stock(colour)))
    state = _fill_bag(state, "plague", state.stock("plague"))
    events.append(event("village.round", round=state.round, seat=state.first))
    return Step(state, tuple(events))


def _fill_bag(state: State, cube: str, number: int) -> State:
    at = THING_AT[cube]
    return replace(state, supply=add(state.supply, at, -number), green_bag=add(state.green_bag, at, number))


def _card(state: State) -> tuple[int, ...]:
    return state.tables.board.cards[len(state.families) - 2]


def asks(state: State) -> bool:
    """Return whether a cube is still to be laid out."""
    return sum(state.green_bag) > 0 and state.cubes_left < sum(_card(state))


def next_space(state: State) -> int:
    """
    Return the place in `SPACES` of the space that gets the next cube.

    Source: rulebook: each space gets what the set-up card shows (table `board`). Our ruling "The bag runs dry": then
            the cubes are dealt one to a space, round and round.
    """
    card = _card(state)
    laid = [sum(cubes) for cubes in state.board]
    unfilled = [at for at, wanted in enumerate(card) if laid[at] < wanted]
    if sum(state.green_bag) + sum(laid) < sum(card):
        return min(unfilled, key=laid.__getitem__)
    return unfilled[0]


def decision(state: State) -> Decision:
    """Return the question which cube comes out of the bag; each is equally likely."""
    odds = tuple(number for number in state.green_bag if number)
    return Decision(CHANCE, Seeding.key, fields(space=SPACES[next_space(state)]), odds)


def moves(state: State) -> Iterator[Draw]:
    """Yield every kind of cube in the bag."""
    return (Draw(cube) for cube, number in zip(CUBES, state.green_bag, strict=True) if number)


def draw_cube(state: State, move: Draw) -> Step[State]:
    """
    Return the state after a cube was laid on its space.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rulebook: the start of a round.
    """
    if move not in moves(state):
        raise IllegalMoveError("draw.not-there", what=move.what, number=move.number)
    cube, space = THING_AT[move.what], next_space(state)
    board = (*state.board[:space], add(state.board[space], cube, 1), *state.board[space + 1 :])
    return Step(replace(state, board=board, green_bag=add(state.green_bag, cube, -1)))


def begin_turns(state: State) -> Step[State]:
    """Return the state with the first turn begun. Source: rulebook: the starting player has it."""
    laid = {
        space: tuple(cube for cube, number in zip(CUBES, cubes, strict=True) for _ in range(number))
        for space, cubes in zip(SPACES, state.board, strict=True)
    }
    return Step(become(state, Turn()), (event("village.seeded", **laid),))
