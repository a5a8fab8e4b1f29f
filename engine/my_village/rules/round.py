"""Rounds: the hand tile, the dice, whose turn is next, and the end."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.types import CHANCE, Decision, Step, event, fields
from engine.my_village.moves import Roll
from engine.my_village.rules.pieces import add, told
from engine.my_village.scoring import standings
from engine.my_village.state import (
    BLACK,
    EMPTY,
    FACES,
    WHITE,
    NextRound,
    Rolling,
    Round,
    Scoring,
    State,
    Totalling,
    Turn,
    become,
    clockwise,
    push,
)


def prepare(state: State) -> Step[State]:
    """
    Return the state in which a round begins: one more story on the hand tile, palm up, then the dice.

    Source: rules: preparation, by the holder of the hand tile.
    """
    hand = state.tables.hand
    state = replace(
        state, round=state.round + 1, palm=True, heap=state.heap + hand.stories, pool=EMPTY, stack=(Round(), Rolling())
    )
    return told(state, event("my.round", round=state.round, seat=state.holder, stories=state.heap))


def _next_colour(state: State) -> int:
    """Return 0 while a white die is to be rolled, then 1 for a black one, then 2."""
    for colour, block in enumerate((state.tables.dice.white, state.tables.dice.black)):
        if sum(state.pool[colour]) < state.for_seats(block):
            return colour
    return 2


def rolling_asks(state: State) -> bool:
    """Return whether a die is still to be rolled."""
    return _next_colour(state) < len(state.pool)


def rolling_decision(state: State) -> Decision:
    """Return the question what the next die shows."""
    return Decision(CHANCE, Rolling.key, fields(colour=(WHITE, BLACK)[_next_colour(state)]), (1,) * len(FACES))


def faces(_state: State) -> Iterator[Roll]:
    """Yield what a die can show."""
    return map(Roll, FACES)


def roll(state: State, move: Roll) -> Step[State]:
    """Return the state after one die was rolled into the pool. Source: rules: one pool for everybody."""
    colour = _next_colour(state)
    white, black = state.pool
    at = FACES.index(move.face)
    return Step(replace(state, pool=(add(white, at, 1), black) if colour == 0 else (white, add(black, at, 1))))


def begin_turns(state: State) -> Step[State]:
    """
    Return the state with all dice rolled and the turns of the round to come.

    Source: rules: the holder begins, clockwise; with two players A, B, A, B.
    """
    turns = clockwise(state, state.holder) * state.for_seats(state.tables.turns.each)
    shown = (
        tuple(face for face, number in zip(FACES, counts, strict=True) for _ in range(number)) for counts in state.pool
    )
    white, black = shown
    state = replace(state, stack=(Round(),), turns=turns)
    return told(state, event("my.rolled", white=white, black=black))


def next_turn(state: State) -> Step[State]:
    """
    Return the state with the next turn begun, or the round, or the game, at its end.

    Source: rules: the end is looked at after the last turn of a round.
    """
    if not state.turns:
        return Step(become(state, Scoring() if state.ending else NextRound()))
    seat = state.turns[0]
    state = replace(state, turn=seat, turns=state.turns[1:])
    return Step(push(state, Turn(state.me.hours), Totalling()))


def finish(state: State) -> Step[State]:
    """Return the end of the game. Source: rules: the end; see `scoring.py`."""
    state = replace(state, stack=())
    winners = tuple(int(one.seat) for one in standings(state) if one.rank == 1)
    return told(state, event("my.over", winners=winners))
