"""Move pieces: prices and payments, things from and to the supply, members from spot to spot."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.village.moves import COIN
from engine.village.state import FARMYARD, SPOT_AT, THING_AT, Counts, Family, State, with_family


def add(counts: Counts, at: int, number: int) -> Counts:
    """Return *counts* with *number* more at place *at*."""
    return (*counts[:at], counts[at] + number, *counts[at + 1 :])


@cache
def forms(price: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """
    Return every way to pay cubes of these colours: the cubes that are paid in the order of *price*, then coins.

    Source: rulebook: a coin stands for any one influence cube.
    """
    size = len(price)
    kept = (
        tuple(price[at] for at in places)
        for count in range(size, -1, -1)
        for places in combinations(range(size), count)
    )
    return tuple(dict.fromkeys((*cubes, *[COIN] * (size - len(cubes))) for cubes in kept))


def payments(family: Family, price: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield every way in which *family* can pay *price*, fewest coins first."""
    for paid in forms(price):
        if all(family.count(what) >= paid.count(what) for what in paid):
            yield paid


def check_price(family: Family, price: tuple[str, ...], paid: tuple[str, ...]) -> None:
    """
    Check that *paid* pays *price* and that *family* has it.

    Raises: IllegalMoveError `price.order`, `price.payment`, `price.short`.
    """
    if paid not in forms(price):
        same = sorted(paid) in [sorted(form) for form in forms(price)]
        raise IllegalMoveError("price.order" if same else "price.payment", price=price, paid=paid)
    for what in paid:
        check_has(family, what, paid.count(what))


def check_has(family: Family, what: str, need: int) -> None:
    """
    Check that *family* has as many of *what* as it needs.

    Raises: IllegalMoveError `price.short`.
    """
    if family.count(what) < need:
        raise IllegalMoveError("price.short", what=what, need=need, have=family.count(what))


def check_supply(state: State, what: str, need: int = 1) -> None:
    """
    Check that the supply has as many of *what* as are taken.

    Raises: IllegalMoveError `supply.short`.
    """
    if state.stock(what) < need:
        raise IllegalMoveError("supply.short", what=what, need=need, have=state.stock(what))


def pay(state: State, seat: int, *things: str) -> State:
    """Return the state after *seat* has put *things* into the supply. Source: rulebook: all that is paid goes there."""
    for thing in things:
        state = gain(state, seat, thing, -1)
    return state


def gain(state: State, seat: int, thing: str, number: int) -> State:
    """Return the state after *number* of *thing* have come from the supply to *seat*; the supply must have them."""
    at = THING_AT[thing]
    family = state.families[seat]
    family = replace(family, things=add(family.things, at, number))
    return with_family(replace(state, supply=add(state.supply, at, -number)), seat, family)


def numbers_at(state: State, seat: int, spot: str) -> tuple[int, ...]:
    """Return the different numbers of the members of *seat* on *spot*, the lowest first."""
    pairs = zip(state.tables.family.members, state.families[seat].members, strict=True)
    return tuple(dict.fromkeys(number for number, where in pairs if where == spot))


def check_home(state: State, seat: int, number: int) -> None:
    """
    Check that a member with this *number* is on the farmyard.

    Raises: IllegalMoveError `member.not-home`.
    Source: rulebook: members are always placed from the farmyard; any number may be.
    """
    if number not in numbers_at(state, seat, FARMYARD):
        raise IllegalMoveError("member.not-home", number=number)


def relocate(state: State, seat: int, number: int, origin: str, target: str) -> State:
    """Return the state after one member with this *number* has gone from *origin* to *target*; it must be there."""
    family = state.families[seat]
    numbers = state.tables.family.members
    places = [at for at, own in enumerate(numbers) if own == number]
    spots = [family.members[at] for at in places]
    spots[spots.index(origin)] = target
    spots.sort(key=SPOT_AT.__getitem__)
    members = list(family.members)
    for at, spot in zip(places, spots, strict=True):
        members[at] = spot
    return with_family(state, seat, replace(family, members=tuple(members)))


def score(state: State, seat: int, points: int) -> State:
    """Return the state after the prestige of *seat* has gone up. Source: rulebook: prestige; here without end."""
    family = state.families[seat]
    return with_family(state, seat, replace(family, prestige=family.prestige + points))
