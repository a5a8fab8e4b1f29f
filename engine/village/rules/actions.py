"""The actions of the spaces by name: what can be done there."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from engine.village.moves import Move
from engine.village.rules import church, council, crafts, family, harvest, travel
from engine.village.state import State

OPTIONS: Mapping[str, Callable[[State], Iterator[Move]]] = MappingProxyType(
    {
        "harvest": harvest.options,
        "family": family.options,
        "crafts": crafts.options,
        "travel": travel.options,
        "council": council.options,
        "church": church.options,
    }
)
"""Space -> what the seat whose turn it is can do there; the market is no choice of one seat."""


def can_act(state: State, space: str) -> bool:
    """
    Return whether the seat whose turn it is could do something on *space*.

    Source: rulebook: an action whose price cannot be paid cannot be chosen; a market day can always be held.
    """
    return space not in OPTIONS or any(True for _ in OPTIONS[space](state))
