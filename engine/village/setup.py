"""The set-up: the position before the first customer is drawn."""

from engine.core.types import Seat
from engine.village.components import COLOURS, GOODS, Components
from engine.village.state import FARMYARD, THINGS, UNBORN, Counts, Family, Layout, NextRound, State


def first_state(tables: Components, seats: int, first: Seat) -> State:
    """
    Return the position in which the customers are about to be laid out, for so many *seats*.

    Source: rulebook: set-up. The engine is told the first starting player; the rules name the oldest.
    """
    family = tables.family
    things = _counts(coin=family.coins)
    members = tuple(FARMYARD if number == family.home else UNBORN for number in family.members)
    stock = tables.stock
    supply = _counts(
        **dict.fromkeys(COLOURS, stock.cubes),
        **dict.fromkeys(GOODS, stock.goods),
        plague=stock.plague,
        grain=stock.grain,
        coin=stock.coins - seats * family.coins,
    )
    return State(
        tables=tables,
        families=(Family(things, members),) * seats,
        supply=supply,
        stack=(NextRound(), Layout()),
        stalls=("",) * tables.stalls.open[seats - 2],
        pile=tuple(tile.id for tile in tables.customers.tiles),
        monks=tables.church.monks,
        first=first,
        turn=first,
    )


def _counts(**numbers: int) -> Counts:
    return tuple(numbers.get(thing, 0) for thing in THINGS)
