"""The family action: a birth, or a member comes home."""

from collections.abc import Iterator

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event
from engine.village.moves import Birth, Home, Move, Skip
from engine.village.rules.pieces import numbers_at, relocate
from engine.village.state import FARMYARD, UNBORN, VISIBLE, State, pop

AWAY = tuple(spot for spot in VISIBLE if spot != FARMYARD)


def options(state: State) -> Iterator[Move]:
    """
    Yield a birth, and who may come home.

    Source: rulebook: family; from crafts, council, travel or a window, never from the bag.
    """
    if numbers_at(state, state.turn, UNBORN):
        yield Birth()
    for spot in AWAY:
        if spot in state.me.members:
            yield from (Home(spot, number) for number in numbers_at(state, state.turn, spot))


def moves(state: State) -> Iterator[Move]:
    """Yield leaving it, then the options."""
    yield Skip()
    yield from options(state)


def decision(state: State) -> Decision:
    """Return the question of a family action."""
    return Decision(state.turn, "village.family")


def birth(state: State, _move: Birth) -> Step[State]:
    """
    Return the state after a birth.

    Raises: IllegalMoveError `birth.none-left`.
    Source: rulebook: always the lowest number left in the supply.
    """
    unborn = numbers_at(state, state.turn, UNBORN)
    if not unborn:
        raise IllegalMoveError("birth.none-left")
    state = relocate(pop(state), state.turn, unborn[0], UNBORN, FARMYARD)
    return Step(state, (event("village.born", seat=state.turn, number=unborn[0]),))


def home(state: State, move: Home) -> Step[State]:
    """
    Return the state after a member has come home; training, stage, city or window are given up.

    Raises: IllegalMoveError `home.at-home`, `home.nobody`.
    Source: rulebook: family.
    """
    if move.spot == FARMYARD:
        raise IllegalMoveError("home.at-home", number=move.number)
    if move.number not in numbers_at(state, state.turn, move.spot):
        raise IllegalMoveError("home.nobody", spot=move.spot, number=move.number)
    state = relocate(pop(state), state.turn, move.number, move.spot, FARMYARD)
    return Step(state, (event("village.home", seat=state.turn, number=move.number, spot=move.spot),))
