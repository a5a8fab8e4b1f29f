"""Points by source, ties, and ranks; while the game runs, as if it were scored now."""

from engine.core.types import Seat, Standing, make_standings
from engine.my_village.state import State, Village
from engine.my_village.vocabulary import VOCABULARY

AREA, POPULATION = "area-chamber", "population-chamber"


def standings(state: State) -> tuple[Standing, ...]:
    """
    Return one standing for each seat.

    Source: rules: the end; ties by tree, coins and goods together. Our ruling "Score details": equals share a place.
    """
    points = [parts(state, Seat(seat)) for seat in range(len(state.villages))]
    ties = [(tie(village),) for village in state.villages]
    return make_standings(VOCABULARY.parts, points, ties)


def parts(state: State, seat: Seat) -> tuple[int, ...]:
    """
    Return the points of a seat by source, in the order of the vocabulary.

    Source: rules: scoring; buildings, goods, coins, pupils, unserved customers and the tree give nothing.
    """
    tables, village = state.tables, state.villages[seat]
    window = tables.window.points
    return (
        (tables.church[village.church].points if village.church else 0)
        + window[min(monks(state, village), len(window) - 1)],
        (tables.meeting_place.points if village.meeting else 0) + _chamber(state, village),
        tables.field.points * village.fields,
        sum(tables.journey[card].points for card in village.journeys),
        sum(tables.customer[name].points for name in village.served),
        village.store,
        tables.labourer.points * village.labourers,
        tables.hand.points if state.holder == seat else 0,
    )


def monks(state: State, village: Village) -> int:
    """Return how many monks stand at the window. Source: rules: monk cards, and the Monastery church."""
    return sum(village.monks) + (state.tables.church[village.church].monks if village.church else 0)


def tie(village: Village) -> int:
    """Return the figure that breaks a tie. Source: rules: one sum. Our ruling "Score details": no joker, no pupil."""
    return village.tree + village.coins + sum(village.goods)


def _chamber(state: State, village: Village) -> int:
    """Return the points of the chamber, with those of its effect. Source: our ruling "Chamber effects"."""
    if not village.chamber:
        return 0
    chamber = state.tables.chamber[village.chamber]
    if village.chamber == AREA and village.mark:
        return chamber.points + chamber.gift * cards_in(village, village.mark)
    if village.chamber == POPULATION and village.mark in village.villagers:
        return chamber.points + chamber.gift
    return chamber.points


def cards_in(village: Village, area: str) -> int:
    """Return how many own cards lie in *area*. Source: our ruling "Chamber effects"."""
    return {
        "religion": bool(village.church) + sum(village.monks),
        "council": bool(village.meeting) + bool(village.chamber),
        "harvest": village.fields,
        "travel": len(village.journeys),
        "crafts": len(village.crafts),
        "market": len(village.served),
    }[area]
