"""Answer the resource of the round: place the cube, or what a card allows in its stead."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import NUMBER, SQUARES
from engine.tiny_towns.moves import AnyMove, Cavern, Exchange, Place, Scrap, Store, Swap, Take
from engine.tiny_towns.rules.abilities import SCRAP, pay, payers
from engine.tiny_towns.rules.effects import FACTORY
from engine.tiny_towns.rules.pieces import COTTAGE, WAREHOUSE, check_empty, hold, markers, put_cube
from engine.tiny_towns.state import (
    NOBODY,
    Placing,
    Putting,
    State,
    Taking,
    Town,
    become,
    pop,
    top,
    with_player,
    with_town,
)

STATUE = "statue"


# --- which resource: a free choice (Town Hall), an open card (Solo) ---


def take_decision(state: State, seat: int) -> Decision:
    """Return the question which resource is taken."""
    return Decision(state.seats[seat], Taking.key, facts=tuple(dict.fromkeys(state.open)))


def take_moves(state: State, seat: int) -> Iterator[Take]:
    """Yield the open resources, or those that no own Bank bars."""
    if state.solo:
        return (Take(resource) for resource in RESOURCES if resource in state.open)
    barred = markers(state.town(seat))
    return (Take(resource) for resource in RESOURCES if resource not in barred)


def take(state: State, seat: int, move: Take) -> Step[State]:
    """
    Return the state after *seat* has chosen the resource that it has to place.

    Raises: IllegalMoveError `take.not-open`, `take.marked`.
    Source: rules: Town Hall, the third round; Solo: the chosen card counts as named by another player.
    """
    if state.solo and move.resource not in state.open:
        raise IllegalMoveError("take.not-open", resource=move.resource, open=state.open)
    if not state.solo and move.resource in markers(state.town(seat)):
        raise IllegalMoveError("take.marked", resource=move.resource)
    if state.solo:
        state = replace(state, resource=move.resource)
    state = become(state, seat, Placing(move.resource, other=state.solo))
    return Step(state, (event("towns.took", seat=seat, resource=move.resource),))


# --- the answer ---


def decision(state: State, seat: int) -> Decision:
    """Return the question where the cube goes."""
    resource = top(state, seat, Placing).resource
    return Decision(state.seats[seat], Placing.key, fields(resource=resource), facts=(resource,))


def moves(state: State, seat: int) -> Iterator[AnyMove]:
    """Yield every answer to the resource: squares first, what is saved for later last."""
    phase = top(state, seat, Placing)
    town = state.town(seat)
    for square in town.empty:
        yield Place(SQUARES[square])
    if phase.other:
        yield from _answers_to_another(state, seat, phase.resource)
    if SCRAP in state.helpers:
        yield from map(Scrap, payers(state, seat, SCRAP))


def _answers_to_another(state: State, seat: int, resource: str) -> Iterator[AnyMove]:
    town = state.town(seat)
    if has_factory(town, resource):
        yield from (Swap(other) for other in RESOURCES if other != resource)
    for square in town.squares(WAREHOUSE, COTTAGE):
        if can_store(state, town, square):
            yield Store(SQUARES[square])
    for square in town.squares(WAREHOUSE):
        for other in RESOURCES:
            if other != resource and other in town.held[square]:
                yield Exchange(SQUARES[square], other)
    if state.variant.cavern and state.players[seat].cavern < state.tables.cavern.uses:
        yield Cavern()


def has_factory(town: Town, resource: str) -> bool:
    """Return whether a Factory in the town is marked with *resource*."""
    return any(resource in town.held[square] for square in town.squares(FACTORY))


def can_store(state: State, town: Town, square: int) -> bool:
    """Return whether the building of *square* takes a cube. Source: the cards Warehouse, Statue of the Bondmaker."""
    if town.buildings[square] == WAREHOUSE:
        return len(town.held[square]) < state.tables.warehouse.room
    return town.buildings[square] == COTTAGE and STATUE in town.buildings and not town.held[square]


def place(state: State, seat: int, move: Place) -> Step[State]:
    """
    Return the state after the cube was put on a square.

    Raises: IllegalMoveError `square.cube`, `square.building`.
    Source: rules: placing; rule summary: a square with a villager only will do.
    """
    phase = state.stacks[seat][-1]
    assert isinstance(phase, Placing | Putting)
    at = check_empty(state.town(seat), move.square)
    state = put_cube(pop(state, seat), seat, at, phase.resource)
    return Step(state, (event("towns.placed", seat=seat, resource=phase.resource, square=move.square),))


def put_decision(state: State, seat: int) -> Decision:
    """Return the question where the cube goes that came instead."""
    resource = top(state, seat, Putting).resource
    return Decision(state.seats[seat], Putting.key, fields(resource=resource), facts=(resource,))


def put_moves(state: State, seat: int) -> Iterator[Place]:
    """Yield the empty squares."""
    return (Place(SQUARES[square]) for square in state.town(seat).empty)


def _check_other(state: State, seat: int) -> Placing:
    """
    Return what is to be answered; it must be another player's naming, or count as one.

    Raises: IllegalMoveError `answer.own`, `answer.free`.
    """
    phase = top(state, seat, Placing)
    if not phase.other:
        raise IllegalMoveError("answer.free" if state.namer == NOBODY else "answer.own")
    return phase


def swap(state: State, seat: int, move: Swap) -> Step[State]:
    """
    Return the state after a Factory has brought another resource, which must be placed.

    Raises: IllegalMoveError `answer.own`, `answer.free`, `swap.no-factory`, `swap.same`.
    Source: the card Factory.
    """
    phase = _check_other(state, seat)
    if not has_factory(state.town(seat), phase.resource):
        raise IllegalMoveError("swap.no-factory", resource=phase.resource)
    if move.resource == phase.resource:
        raise IllegalMoveError("swap.same", resource=move.resource)
    told = event("towns.swapped", seat=seat, named=phase.resource, resource=move.resource)
    return Step(become(state, seat, Putting(move.resource)), (told,))


def store(state: State, seat: int, move: Store) -> Step[State]:
    """
    Return the state after the cube was put on a Warehouse or, with the Statue, on a Cottage.

    Raises: IllegalMoveError `answer.own`, `answer.free`, `store.nothing`, `store.no-statue`, `store.full`.
    Source: the cards; our ruling "Storing stands for placing".
    """
    phase = _check_other(state, seat)
    town = state.town(seat)
    at = NUMBER[move.square]
    card = town.buildings[at]
    if card not in (WAREHOUSE, COTTAGE):
        raise IllegalMoveError("store.nothing", square=move.square)
    if card == COTTAGE and STATUE not in town.buildings:
        raise IllegalMoveError("store.no-statue", square=move.square)
    if not can_store(state, town, at):
        raise IllegalMoveError("store.full", square=move.square, card=card)
    state = with_town(pop(state, seat), seat, hold(town, at, (*town.held[at], phase.resource)))
    told = event("towns.stored", seat=seat, resource=phase.resource, card=card, square=move.square)
    return Step(state, (told,))


def exchange(state: State, seat: int, move: Exchange) -> Step[State]:
    """
    Return the state after the cube has changed places with one on a Warehouse, which must be placed.

    Raises: IllegalMoveError `answer.own`, `answer.free`, `exchange.no-warehouse`, `exchange.no-cube`, `exchange.same`.
    Source: the card Warehouse.
    """
    phase = _check_other(state, seat)
    town = state.town(seat)
    at = NUMBER[move.square]
    if town.buildings[at] != WAREHOUSE:
        raise IllegalMoveError("exchange.no-warehouse", square=move.square)
    if move.resource == phase.resource:
        raise IllegalMoveError("exchange.same", resource=move.resource)
    if move.resource not in town.held[at]:
        raise IllegalMoveError("exchange.no-cube", square=move.square, resource=move.resource)
    held = list(town.held[at])
    held[held.index(move.resource)] = phase.resource
    state = with_town(become(state, seat, Putting(move.resource)), seat, hold(town, at, tuple(held)))
    told = event("towns.exchanged", seat=seat, given=phase.resource, resource=move.resource, square=move.square)
    return Step(state, (told,))


def cavern(state: State, seat: int, _move: Cavern) -> Step[State]:
    """
    Return the state after the cube was set aside.

    Raises: IllegalMoveError `answer.own`, `answer.free`, `cavern.off`, `cavern.used`.
    Source: rules: the cavern; our ruling "Storing stands for placing".
    """
    if not state.variant.cavern:
        raise IllegalMoveError("cavern.off")
    phase = _check_other(state, seat)
    player = state.players[seat]
    uses = state.tables.cavern.uses
    if player.cavern >= uses:
        raise IllegalMoveError("cavern.used", most=uses)
    player = replace(player, cavern=player.cavern + 1)
    told = event("towns.aside", seat=seat, resource=phase.resource, left=uses - player.cavern)
    return Step(with_player(pop(state, seat), seat, player), (told,))


def scrap(state: State, seat: int, move: Scrap) -> Step[State]:
    """
    Return the state after the cube went back to the supply.

    Raises: what `abilities.pay` raises.
    Source: rule summary: Scrap stands for the placement; our rulings "Villager cards", "Scrap in a free round".
    """
    phase = top(state, seat, Placing)
    state = pay(state, seat, SCRAP, move.squares)
    told = event("towns.scrapped", seat=seat, resource=phase.resource, squares=move.squares)
    return Step(pop(state, seat), (told,))
