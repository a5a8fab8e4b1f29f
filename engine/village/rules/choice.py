"""Free choice from the supply: influence cubes and goods."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.village.components import COLOURS, GOODS
from engine.village.moves import Choose, Pick
from engine.village.rules.pieces import check_supply, gain
from engine.village.state import CubeChoice, GoodChoice, State, pop, top


def _due(state: State) -> int:
    """Return how many cubes can be chosen. Source: our ruling "Cubes run short": those of the supply alone."""
    return min(top(state, CubeChoice).count, sum(map(state.stock, COLOURS)))


def cubes_ask(state: State) -> bool:
    """Return whether there is a cube to choose."""
    return _due(state) > 0


def cubes_decision(state: State) -> Decision:
    """Return the question which cubes are taken."""
    return Decision(state.turn, CubeChoice.key, fields(count=_due(state)))


def cubes_moves(state: State) -> Iterator[Choose]:
    """Yield every choice; alike or different, in the order of the colours."""
    for colours in combinations_with_replacement(COLOURS, _due(state)):
        if all(state.stock(colour) >= colours.count(colour) for colour in colours):
            yield Choose(*colours)


def choose(state: State, move: Choose) -> Step[State]:
    """
    Return the state after the cubes were taken.

    Raises: IllegalMoveError `cubes.only-one`, `cubes.second`, `cubes.order`, `supply.short`.
    Source: rulebook: council chamber, stage 2; travel.
    """
    colours = tuple(colour for colour in (move.colour, move.second) if colour)
    due = _due(state)
    if len(colours) > due:
        raise IllegalMoveError("cubes.only-one")
    if len(colours) < due:
        raise IllegalMoveError("cubes.second")
    if list(colours) != sorted(colours, key=COLOURS.index):
        raise IllegalMoveError("cubes.order", colours=colours)
    for colour in colours:
        check_supply(state, colour, colours.count(colour))
    seat = state.turn
    state = pop(state)
    for colour in colours:
        state = gain(state, seat, colour, 1)
    return Step(state, (event("village.chose", seat=seat, colours=colours),))


def no_cubes(state: State) -> Step[State]:
    """Return the state after a choice without cubes. Source: our ruling "Cubes run short"."""
    return Step(pop(state), (event("village.no-cubes", seat=state.turn),))


def good_asks(state: State) -> bool:
    """Return whether there is a good to choose."""
    return any(map(state.stock, GOODS))


def good_decision(state: State) -> Decision:
    """Return the question which good is taken."""
    return Decision(state.turn, GoodChoice.key)


def good_moves(state: State) -> Iterator[Pick]:
    """Yield every good that the supply has."""
    return (Pick(good) for good in GOODS if state.stock(good))


def pick(state: State, move: Pick) -> Step[State]:
    """
    Return the state after the good was taken.

    Raises: IllegalMoveError `supply.short`.
    Source: rulebook: council chamber, stage 3.
    """
    check_supply(state, move.good)
    state = gain(pop(state), state.turn, move.good, 1)
    return Step(state, (event("village.picked", seat=state.turn, good=move.good),))


def no_goods(state: State) -> Step[State]:
    """Return the state after a choice without goods. Source: our ruling "Goods run out"."""
    return Step(pop(state), (event("village.no-goods", seat=state.turn),))
