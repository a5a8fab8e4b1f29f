"""The set-up: the position before the first draw."""

from engine.core.ruleset import Config
from engine.my_village.components import CHAMBERS, CHURCHES, CRAFTS, CUSTOMERS, JOURNEYS, LETTERS, MONKS, Components
from engine.my_village.state import Boards, NextRound, Opening, Refill, State, Village


def first_state(tables: Components, config: Config) -> State:
    """
    Return the position before chance names the starting player.

    Source: rules: set-up; all cards take part with every number of players. Our rulings "All cards", "Start".
    """
    return State(
        tables=tables,
        villages=(Village(),) * config.seats,
        stack=(NextRound(), Refill(tables.steward.open), Boards(), Opening()),
        pile=CUSTOMERS,
        decks=tuple(tuple(card for card in JOURNEYS if tables.journey[card].letter == letter) for letter in LETTERS),
        crafts=CRAFTS,
        churches=CHURCHES,
        chambers=CHAMBERS,
        monks=tuple(tables.monk[kind].count for kind in MONKS),
        fields=tables.field.count,
        meetings=tables.meeting_place.count,
    )
