"""The end of a round: pieces from Opaleye's Watch, villagers that must move, and those who come back from the Lodge."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Event, Step, event, fields
from engine.tiny_towns.layouts import NUMBER, SQUARES, Squares, beside
from engine.tiny_towns.moves import Lodge, Move, Settle, Skip
from engine.tiny_towns.rules.effects import WATCH, add_piece
from engine.tiny_towns.rules.pieces import can_set, names
from engine.tiny_towns.state import Lodging, Moving, State, Town, Watching, pop, push, top, with_town

# --- Opaleye's Watch ---


def begin_watch(state: State) -> State:
    """
    Return the state in which the owner of a working Watch has to answer for each piece that a neighbour constructed.

    Source: the card Opaleye's Watch; our rulings "Opaleye's Watch with two players", "When the pieces come down".
    """
    for seat in state.in_game:
        town = state.town(seat)
        if WATCH in town.buildings and WATCH not in state.built[seat]:
            seats = len(state.players)
            neighbours = {(seat - 1) % seats, (seat + 1) % seats} - {seat}
            due = [card for card in town.stock if any(card in state.built[one] for one in neighbours)]
            state = push(state, seat, *(Watching(card) for card in reversed(due)))
    return state


def watch_asks(state: State, seat: int) -> bool:
    """Return whether the piece could be set. Source: our ruling "When the pieces come down": else it stays."""
    town = state.town(seat)
    return bool(town.empty) and can_set(town, top(state, seat, Watching).card)


def watch_stays(state: State, seat: int) -> Step[State]:
    """Return the state after a piece has stayed on the Watch, because there is no place for it."""
    card = top(state, seat, Watching).card
    return Step(pop(state, seat), (event("towns.stays", seat=seat, card=card),))


def watch_decision(state: State, seat: int) -> Decision:
    """Return the question where the piece is set."""
    card = top(state, seat, Watching).card
    return Decision(state.seats[seat], Watching.key, fields(card=card), facts=(card,))


def watch_moves(state: State, seat: int) -> Iterator[Settle | Skip]:
    """Yield leaving the piece on the card, and every empty square."""
    yield Skip()
    yield from (Settle(SQUARES[square]) for square in state.town(seat).empty)


def settle(state: State, seat: int, move: Settle) -> Step[State]:
    """
    Return the state after the piece has come from the Watch.

    Raises: IllegalMoveError `square.cube`, `square.building`.
    Source: the card Opaleye's Watch.
    """
    card = top(state, seat, Watching).card
    town = state.town(seat)
    at = town.stock.index(card)
    left = replace(town, stock=town.stock[:at] + town.stock[at + 1 :])
    return add_piece(with_town(pop(state, seat), seat, left), seat, card, move.square)


# --- villagers that must move ---


def movers(town: Town) -> Squares:
    """
    Return the squares of villagers who must move.

    Source: rule summary: the square holds a cube, or a building that an ability put there.
    """
    return tuple(at for at in town.villagers if town.cubes[at] or town.buildings[at])


def steps(town: Town, square: int) -> Squares:
    """Return the squares to which the villager of *square* may move. Source: rule summary: sides only, empty only."""
    free = town.free
    return tuple(at for at in beside(square) if at in free)


def move_asks(state: State, seat: int) -> bool:
    """Return whether a villager that must move can."""
    town = state.town(seat)
    return not _blocked(town) and any(True for _ in movers(town))


def _blocked(town: Town) -> Squares:
    return tuple(at for at in movers(town) if not steps(town, at))


def move_on(state: State, seat: int) -> Step[State]:
    """
    Return the state after villagers without a way have gone to the Lodge; no square that is left becomes free.

    Source: rule summary: movement at the end of the round.
    """
    town = state.town(seat)
    blocked = _blocked(town)
    if not blocked:
        return Step(pop(state, seat))
    events: list[Event] = []
    for at in blocked:
        town = replace(town, villagers=_without(town.villagers, at), lodge=town.lodge + 1)
        events.append(event("towns.to-lodge", seat=seat, square=SQUARES[at]))
    return Step(with_town(state, seat, town), tuple(events))


def _without(squares: Squares, square: int) -> Squares:
    return tuple(at for at in squares if at != square)


def move_decision(state: State, seat: int) -> Decision:
    """Return the question where villagers go."""
    count = len(movers(state.town(seat)))
    return Decision(state.seats[seat], Moving.key, fields(count=count))


def move_moves(state: State, seat: int) -> Iterator[Move]:
    """Yield every step of every villager that must move."""
    town = state.town(seat)
    for at in movers(town):
        for to in steps(town, at):
            yield Move(SQUARES[at], SQUARES[to])


def move(state: State, seat: int, made: Move) -> Step[State]:
    """
    Return the state after a villager has moved.

    Raises: IllegalMoveError `villager.none`, `villager.stays`, `villager.square`.
    Source: rule summary: movement; the owner picks the order.
    """
    town = state.town(seat)
    at, to = NUMBER[made.origin], NUMBER[made.square]
    if at not in town.villagers:
        raise IllegalMoveError("villager.none", square=made.origin)
    if at not in movers(town):
        raise IllegalMoveError("villager.stays", square=made.origin)
    if to not in steps(town, at):
        raise IllegalMoveError(
            "villager.square", origin=made.origin, square=made.square, squares=names(steps(town, at))
        )
    town = replace(town, villagers=tuple(sorted((*_without(town.villagers, at), to))))
    told = event("towns.moved", seat=seat, origin=made.origin, square=made.square)
    return Step(with_town(state, seat, town), (told,))


# --- the Lodge ---


def lodge_asks(state: State, seat: int) -> bool:
    """Return whether there is a choice of squares for the villagers of the Lodge."""
    town = state.town(seat)
    return bool(town.lodge) and len(town.free) > town.lodge


def lodge_on(state: State, seat: int) -> Step[State]:
    """Return the state after as many villagers as fit have come back. Source: rule summary: clean-up."""
    events: list[Event] = []
    town = state.town(seat)
    for at in town.free[: town.lodge]:
        town = _lodged(town, at)
        events.append(event("towns.lodged", seat=seat, square=SQUARES[at]))
    if town.lodge:
        events.append(event("towns.waits", seat=seat, count=town.lodge))
    return Step(with_town(pop(state, seat), seat, town), tuple(events))


def _lodged(town: Town, square: int) -> Town:
    return replace(town, villagers=tuple(sorted((*town.villagers, square))), lodge=town.lodge - 1)


def lodge_decision(state: State, seat: int) -> Decision:
    """Return the question where a villager comes back."""
    return Decision(state.seats[seat], Lodging.key, fields(count=state.town(seat).lodge))


def lodge_moves(state: State, seat: int) -> Iterator[Lodge]:
    """Yield the squares without cube, building and villager."""
    return (Lodge(SQUARES[at]) for at in state.town(seat).free)


def lodge(state: State, seat: int, made: Lodge) -> Step[State]:
    """
    Return the state after a villager has come back on a square.

    Raises: IllegalMoveError `lodge.square`.
    Source: rule summary: clean-up: anywhere in town, as many as fit.
    """
    town = state.town(seat)
    at = NUMBER[made.square]
    if at not in town.free:
        raise IllegalMoveError("lodge.square", square=made.square, squares=names(town.free))
    told = event("towns.lodged", seat=seat, square=made.square)
    return Step(with_town(state, seat, _lodged(town, at)), (told,))
