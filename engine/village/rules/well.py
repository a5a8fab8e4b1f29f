"""The well: three cubes of one colour in place of taking a cube, for any action."""

from collections.abc import Iterator

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event
from engine.village.components import COLOURS
from engine.village.moves import COIN, Act, Move, PayWell, Skip
from engine.village.rules.actions import can_act
from engine.village.rules.pieces import check_price, pay, payments
from engine.village.state import SPACES, Family, State, Turn, Well, become, push


def well_moves(family: Family, size: int) -> Iterator[tuple[str, ...]]:
    """Yield every payment of the well that *family* can make; all in coins comes last."""
    coins = (COIN,) * size
    for colour in COLOURS:
        for paid in payments(family, (colour,) * size):
            if paid != coins:
                yield paid
    if family.count(COIN) >= size:
        yield coins


def pay_well(state: State, move: PayWell) -> Step[State]:
    """
    Return the state after the well was paid; the action is to be chosen.

    Raises: IllegalMoveError `well.emptied`, `well.count`, `well.mixed`, and those of a price.
    Source: rulebook: the well is open while a cube lies on a space, and the action's own price comes on top. Our ruling
            "Coins at the well".
    """
    size = state.tables.turn.well_cubes
    if not state.cubes_left:
        raise IllegalMoveError("well.emptied")
    if len(move.pay) != size:
        raise IllegalMoveError("well.count", need=size, paid=len(move.pay))
    colours = dict.fromkeys(what for what in move.pay if what != COIN)
    if len(colours) > 1:
        raise IllegalMoveError("well.mixed", paid=move.pay)
    colour = next(iter(colours), COLOURS[0])
    check_price(state.me, (colour,) * size, move.pay)
    state = pay(state, state.turn, *move.pay)
    state = push(become(state, Turn(begun=True)), Well())
    return Step(state, (event("village.well", seat=state.turn, pay=move.pay),))


def decision(state: State) -> Decision:
    """Return the question which action is done. Source: rulebook: any one of the seven, or none."""
    return Decision(state.turn, Well.key)


def moves(state: State) -> Iterator[Move]:
    """Yield leaving it, then every action that the seat could do; a market day can always be held."""
    yield Skip()
    for space in SPACES:
        if can_act(state, space):
            yield Act(space)
