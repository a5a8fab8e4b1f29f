"""
A greedy bot: it places where its layouts grow most, and constructs what it values most. It activates nothing.

It values a town by its points as if scored now, by how far each card in play has grown, and by what can still be fed.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from engine.core.ruleset import Ruleset
from engine.core.types import Seat
from engine.tiny_towns import scoring
from engine.tiny_towns.layouts import NUMBER, Layout, pack, placements
from engine.tiny_towns.moves import Activate, AnyMove, Cavern, Exchange, Name, Place, Scrap, Store, Swap, Take
from engine.tiny_towns.rules.building import cards_of
from engine.tiny_towns.rules.pieces import at_square
from engine.tiny_towns.state import Placing, Putting, State, Town, masks, with_town

_GROWTH = 4.0
"""What a layout is worth when it lies complete, beyond the points of its piece."""

_PIECE = 4.5
"""What any piece is worth beyond its points: it fills a square and has freed others."""

_UNFED, _FEEDER = 1.5, 2.5
"""What an unfed Cottage is worth while feeders are in play, and what room for one more meal is."""

_CUBE = 0.35
"""What a square with a cube that serves no layout costs."""

_ASIDE = (Activate, Cavern, Exchange, Scrap, Store)


def greedy(ruleset: Ruleset[State, AnyMove, Any], state: State, seat: Seat) -> AnyMove:
    """Return the move after which the town of *seat* is worth most; the first of equals."""
    moves = list(ruleset.legal(state, seat))
    usual = [move for move in moves if not isinstance(move, _ASIDE)] or moves
    value = _valuer(ruleset, state, seat)
    return max(usual, key=value) if len(usual) > 1 else usual[0]


def _valuer(ruleset: Ruleset[State, AnyMove, Any], state: State, seat: Seat) -> Callable[[AnyMove], float]:
    phase = state.stacks[seat][-1]

    def value(move: AnyMove) -> float:
        if isinstance(move, Place) and isinstance(phase, Placing | Putting):
            return value_of_placing(state, seat, phase.resource, NUMBER[move.square])
        if isinstance(move, Name | Take | Swap):
            return _best_placed(state, seat, move.resource)
        return worth(ruleset.apply(state, seat, move).state, seat)

    return value


def _best_placed(state: State, seat: int, resource: str) -> float:
    """Return what the town is worth once *resource* lies on the best square."""
    return max(value_of_placing(state, seat, resource, square) for square in state.town(seat).empty)


def value_of_placing(state: State, seat: int, resource: str, square: int) -> float:
    """Return what the town of *seat* is worth once *resource* lies on *square*."""
    town = state.town(seat)
    return worth(with_town(state, seat, replace(town, cubes=at_square(town.cubes, square, resource))), seat)


def worth(state: State, seat: int) -> float:
    """Return what the town of *seat* is worth, in points."""
    town = state.town(seat)
    cubes, wild = masks(town)
    layouts = tuple(state.tables.card(card).layout for card in dict.fromkeys(cards_of(state, seat)))
    pieces = sum(map(bool, town.buildings))
    points = sum(scoring.parts(state, seat))
    return points + _PIECE * pieces + prospects(layouts, cubes, wild, pack(town.empty)) + _meals(state, town)


@lru_cache(maxsize=1 << 14)
def prospects(layouts: tuple[Layout, ...], cubes: tuple[int, ...], wild: int, empty: int) -> float:
    """Return what *layouts* promise that grow side by side, the furthest first; a cube that serves none costs."""
    value = 0.0
    left = list(layouts)
    while left:
        grown = [growth(layout, cubes, wild, empty) for layout in left]
        best = max(range(len(left)), key=lambda at: grown[at][0])
        share, mask = grown[best]
        if not share:
            break
        value += _GROWTH * share * share
        cubes = tuple(held & ~mask for held in cubes)
        wild, empty = wild & ~mask, empty & ~mask
        left.pop(best)
    return value - _CUBE * sum(held.bit_count() for held in cubes)


def _meals(state: State, town: Town) -> float:
    """Return what unfed Cottages and feeders without guests promise."""
    cottages = len(town.squares("cottage"))
    feeders = len(town.squares("farm", "granary", "greenhouse", "orchard"))
    room = state.tables.feeding.farm * feeders
    return _UNFED * max(0, cottages - room) + _FEEDER * (feeders > 0)


@lru_cache(maxsize=1 << 15)
def growth(layout: Layout, cubes: tuple[int, ...], wild: int, empty: int) -> tuple[float, int]:
    """Return how much of *layout* lies at its best place that can still be completed, and all squares of that place."""
    best, squares, size = 0, 0, 1
    wood, wheat, brick, glass, stone = cubes
    for one in placements(layout):
        needs = one.needs
        served = (
            wild & one.mask
            | wood & needs[0] | wheat & needs[1] | brick & needs[2] | glass & needs[3] | stone & needs[4]
        )  # fmt: skip
        size = one.mask.bit_count()
        if served.bit_count() > best and not one.mask & ~(served | empty):
            best, squares = served.bit_count(), one.mask
    return best / size, squares
