"""Move pieces: cubes, buildings and villagers of one town."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import NUMBER, SQUARES, Squares
from engine.tiny_towns.state import TRADING_POST, State, Town, with_town

BANK = "bank"
COTTAGE = "cottage"
OBELISK = "obelisk"
WAREHOUSE = "warehouse"


def names(squares: Sequence[int]) -> tuple[str, ...]:
    """Return the names of *squares*."""
    return tuple(SQUARES[at] for at in squares)


def numbers(squares: Sequence[str]) -> Squares:
    """Return *squares*, given by name, as numbers."""
    return tuple(NUMBER[name] for name in squares)


def check_empty(town: Town, square: str) -> int:
    """
    Return the number of *square*, which must hold neither cube nor building.

    Raises: IllegalMoveError `square.cube`, `square.building`.
    """
    at = NUMBER[square]
    if town.cubes[at]:
        raise IllegalMoveError("square.cube", square=square, resource=town.cubes[at])
    if town.buildings[at]:
        raise IllegalMoveError("square.building", square=square, card=town.buildings[at])
    return at


def put_cube(state: State, seat: int, square: int, resource: str) -> State:
    """Return the state after a cube has come on an empty *square*. Source: rules: cubes never run out."""
    town = state.town(seat)
    return with_town(state, seat, replace(town, cubes=at_square(town.cubes, square, resource)))


def hold(town: Town, square: int, held: tuple[str, ...]) -> Town:
    """Return the town in which *held* lies on the building of *square*."""
    return replace(town, held=(*town.held[:square], held, *town.held[square + 1 :]))


def set_piece(town: Town, square: int, card: str) -> Town:
    """
    Return the town in which the piece of *card* stands on *square*, in the place of any other; nothing lies on it.

    Source: rules: a Trading Post is wild from the next round on; our ruling "What lies on a replaced building".
    """
    fresh = tuple(at for at in town.fresh if at != square)
    if card == TRADING_POST:
        fresh = (*fresh, square)
    town = replace(town, buildings=at_square(town.buildings, square, card), fresh=fresh)
    return hold(town, square, ())


def at_square(values: tuple[str, ...], square: int, value: str) -> tuple[str, ...]:
    """Return *values*, one for each square, with *value* at *square*."""
    return (*values[:square], value, *values[square + 1 :])


def markers(town: Town) -> tuple[str, ...]:
    """Return the resources marked on the Banks of a town."""
    return tuple(mark for at in town.squares(BANK) for mark in town.held[at])


def free_markers(town: Town) -> tuple[str, ...]:
    """Return the resources that are marked on no Bank of a town."""
    marked = markers(town)
    return tuple(resource for resource in RESOURCES if resource not in marked)


def can_set(town: Town, card: str, *, over: str = "") -> bool:
    """
    Return whether one more piece of *card* may stand in the town, in the place of *over* if that is given.

    Source: the card: a Bank takes a marker that is on no other, so there are five at most.
    """
    return card != BANK or over == BANK or len(markers(town)) < len(RESOURCES)


def check_can_set(town: Town, card: str, *, over: str = "") -> None:
    """
    Check that one more piece of *card* may stand in the town.

    Raises: IllegalMoveError `bank.limit`.
    """
    if not can_set(town, card, over=over):
        raise IllegalMoveError("bank.limit", most=len(RESOURCES))


def check_in_play(state: State, card: str) -> None:
    """
    Check that *card* lies open.

    Raises: IllegalMoveError `card.not-open`.
    """
    if card not in state.cards:
        raise IllegalMoveError("card.not-open", card=card)
