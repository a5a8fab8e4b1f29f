"""The grain harvest."""

from collections.abc import Iterator

from engine.core.types import Decision, Step, event, fields
from engine.village.moves import Harvest, Move, Skip
from engine.village.rules.pieces import gain, numbers_at
from engine.village.state import FARMYARD, State, pop

GRAIN = "grain"


def options(state: State) -> Iterator[Move]:
    """Yield the harvest, if somebody is at home to do it. Source: rulebook: grain harvest."""
    if numbers_at(state, state.turn, FARMYARD):
        yield Harvest()


def moves(state: State) -> Iterator[Move]:
    """Yield the harvest before leaving it: it costs nothing."""
    yield from options(state)
    yield Skip()


def decision(state: State) -> Decision:
    """Return the question of a harvest; it makes nobody wait."""
    return Decision(state.turn, "village.harvest", fields(grain=crop(state)), wait=False)


def crop(state: State) -> int:
    """
    Return how many bags of grain a harvest brings.

    Source: rulebook: 2; with horse and plow 3, with ox and plow 4; one team counts; the barn holds 5.
    """
    table = state.tables.harvest
    family = state.me
    brought = table.plain
    if family.count("plow") and family.count("ox"):
        brought = table.ox
    elif family.count("plow") and family.count("horse"):
        brought = table.horse
    room = state.tables.family.barn - family.count(GRAIN)
    return max(0, min(brought, room, state.stock(GRAIN)))


def harvest(state: State, _move: Harvest) -> Step[State]:
    """Return the state after the harvest; goods are not used up. Source: rulebook: grain harvest."""
    grain = crop(state)
    state = gain(pop(state), state.turn, GRAIN, grain)
    return Step(state, (event("village.harvested", seat=state.turn, grain=grain),))
