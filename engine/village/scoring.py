"""Points by source, ties, and ranks; while the game runs, as if it were scored now."""

from engine.core.types import Standing, make_standings
from engine.village.state import BAG, CHRONICLE, SECTION_OF, STAGES, WINDOWS, Family, State
from engine.village.vocabulary import VOCABULARY


def standings(state: State) -> tuple[Standing, ...]:
    """
    Return one standing for each seat.

    Source: rulebook: final scoring; ties by customers served, then by living members. Our ruling "Shared ranks".
    """
    points = [parts(state, family) for family in state.families]
    ties = [(len(family.customers), living(family)) for family in state.families]
    return make_standings(VOCABULARY.parts, points, ties)


def parts(state: State, family: Family) -> tuple[int, ...]:
    """
    Return the points of a family by source, in the order of the vocabulary.

    Source: rulebook: final scoring; grain, goods, cubes, and members at home, in crafts or in the bag give nothing.
    """
    tables = state.tables
    table = tables.scoring
    laid = sum(spot in CHRONICLE for spot in family.members)
    return (
        family.prestige,
        table.cities[len(family.cities)],
        sum(points * family.members.count(stage) for points, stage in zip(table.stages, STAGES, strict=True)),
        sum(points * family.members.count(window) for points, window in zip(table.windows, WINDOWS, strict=True)),
        table.chronicle[min(laid, len(table.chronicle) - 1)],
        sum(tables.customer(name).points for name in family.customers),
        table.coin * family.count("coin"),
    )


def living(family: Family) -> int:
    """
    Return how many members live: on the farmyard, on the board, in the black bag.

    Source: rulebook: tie-breakers; our ruling "Living members" for those in the bag.
    """
    return sum(spot in SECTION_OF or spot == BAG for spot in family.members)
