"""What a piece brings when it is set: a marker, or the one-time effect of a Monument or a Forge."""

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import NUMBER, SQUARES
from engine.tiny_towns.moves import Add, Mark, Replace, Skip, Stock
from engine.tiny_towns.rules.pieces import (
    BANK,
    can_set,
    check_can_set,
    check_empty,
    check_in_play,
    free_markers,
    hold,
    markers,
    put_cube,
    set_piece,
)
from engine.tiny_towns.state import (
    Endowing,
    Forging,
    Marking,
    Phase,
    Replacing,
    State,
    Stocking,
    become,
    pop,
    push,
    top,
    with_town,
)

FACTORY, FORGE = "factory", "forge"
GUILD, SHRINE, UNIVERSITY, WATCH = "guild", "shrine", "university", "watch"
STOCKED = 3
REPLACED = 2


def begin(state: State, seat: int, square: int) -> Step[State]:
    """
    Return the state in which the effect of the piece just set on *square* has begun, if it has one.

    Source: the cards. Rules: a piece put down by an effect brings its marker too.
    """
    town = state.town(seat)
    card = town.buildings[square]
    if card in (BANK, FACTORY):
        return Step(push(state, seat, Marking(square)))
    if card == SHRINE:
        table = state.tables.points(SHRINE)
        points = table[min(len([one for one in town.buildings if one]), len(table)) - 1]
        return Step(
            with_town(state, seat, replace(town, shrine=points)), (event("towns.shrine", seat=seat, points=points),)
        )
    coming: dict[str, Phase] = {GUILD: Replacing(REPLACED), WATCH: Stocking()}
    if town.empty:
        coming |= {UNIVERSITY: Endowing(), FORGE: Forging()}
    return Step(push(state, seat, coming[card]) if card in coming else state)


# --- markers ---


def mark_decision(state: State, seat: int) -> Decision:
    """Return the question which resource is marked."""
    square = top(state, seat, Marking).square
    card = state.town(seat).buildings[square]
    return Decision(state.seats[seat], Marking.key, fields(card=card, square=SQUARES[square]))


def mark_moves(state: State, seat: int) -> Iterator[Mark]:
    """Yield the resources that may be marked."""
    town = state.town(seat)
    is_bank = town.buildings[top(state, seat, Marking).square] == BANK
    return map(Mark, free_markers(town) if is_bank else RESOURCES)


def mark(state: State, seat: int, move: Mark) -> Step[State]:
    """
    Return the state after the marker was put on the building.

    Raises: IllegalMoveError `mark.twice`.
    Source: the cards: a Bank's marker is on no other Bank of the owner; a Factory's may be any.
    """
    square = top(state, seat, Marking).square
    town = state.town(seat)
    card = town.buildings[square]
    if card == BANK and move.resource in markers(town):
        raise IllegalMoveError("mark.twice", resource=move.resource)
    state = with_town(pop(state, seat), seat, hold(town, square, (move.resource,)))
    told = event("towns.marked", seat=seat, card=card, square=SQUARES[square], resource=move.resource)
    return Step(state, (told,))


# --- Architect's Guild, and Renovate ---


def guild_decision(state: State, seat: int) -> Decision:
    """Return the question which building is replaced."""
    return Decision(state.seats[seat], Replacing.key, fields(left=top(state, seat, Replacing).left))


def replacements(state: State, seat: int) -> Iterator[Replace]:
    """Yield every building with every other that can stand in its place. Source: the card: not Monuments."""
    town = state.town(seat)
    for square, old in enumerate(town.buildings):
        if old and old != town.monument:
            for card in state.cards:
                if card != old and can_set(town, card, over=old):
                    yield Replace(SQUARES[square], card)


def guild_moves(state: State, seat: int) -> Iterator[Replace | Skip]:
    """Yield the end of the effect, and what can be replaced."""
    yield Skip()
    yield from replacements(state, seat)


def guild_asks(state: State, seat: int) -> bool:
    """Return whether a building can still be replaced."""
    return top(state, seat, Replacing).left > 0 and any(True for _ in replacements(state, seat))


def guild_replace(state: State, seat: int, move: Replace) -> Step[State]:
    """Return the state after the Guild has replaced a building; raises as `replace_building` does."""
    left = top(state, seat, Replacing).left - 1
    return replace_building(become(state, seat, Replacing(left)), seat, move)


def replace_building(state: State, seat: int, move: Replace) -> Step[State]:
    """
    Return the state after a building was replaced by one of another type; who worked there goes on working.

    Raises: IllegalMoveError `replace.nothing`, `replace.monument`, `replace.same`, `card.not-open`, `bank.limit`.
    Source: the card Architect's Guild; rule summary: Renovate. Our rulings "Monuments stay", "What lies on a replaced
    building", "Workers of the Guild".
    """
    town = state.town(seat)
    square = NUMBER[move.square]
    old = town.buildings[square]
    check_in_play(state, move.card)
    if not old:
        raise IllegalMoveError("replace.nothing", square=move.square)
    if old == town.monument:
        raise IllegalMoveError("replace.monument", square=move.square)
    if old == move.card:
        raise IllegalMoveError("replace.same", square=move.square, card=old)
    check_can_set(town, move.card, over=old)
    state = with_town(state, seat, set_piece(town, square, move.card))
    told = event("towns.replaced", seat=seat, square=move.square, old=old, card=move.card)
    after = begin(state, seat, square)
    return Step(after.state, (told, *after.events))


def skip(state: State, seat: int, _move: Skip) -> Step[State]:
    """Return the state after the effect, or the rest of it, was left undone. Source: the cards: it may be."""
    effect = state.stacks[seat][-1].key.removeprefix("towns.")
    return Step(pop(state, seat), (event("towns.skipped", seat=seat, effect=effect),))


# --- Grove University, Forge ---


def university_decision(state: State, seat: int) -> Decision:
    """Return the question which building comes from the supply."""
    return Decision(state.seats[seat], Endowing.key)


def university_moves(state: State, seat: int) -> Iterator[Add]:
    """Yield every building on every empty square."""
    town = state.town(seat)
    for card in state.cards:
        if can_set(town, card):
            for square in town.empty:
                yield Add(card, SQUARES[square])


def endow(state: State, seat: int, move: Add) -> Step[State]:
    """
    Return the state after the University's piece was set.

    Raises: IllegalMoveError `add.building`, `card.not-open`, `bank.limit`, `square.cube`, `square.building`.
    Source: the card Grove University: a building from the supply, no Monument.
    """
    if move.what in RESOURCES:
        raise IllegalMoveError("add.building", what=move.what)
    return add_piece(pop(state, seat), seat, move.what, move.square)


def add_piece(state: State, seat: int, card: str, square: str) -> Step[State]:
    """
    Return the state after an effect has set a piece of *card*; it is not constructed, so it employs nobody.

    Raises: IllegalMoveError `card.not-open`, `bank.limit`, `square.cube`, `square.building`.
    Source: rule summary: villagers work only in buildings made of resources.
    """
    town = state.town(seat)
    check_in_play(state, card)
    check_can_set(town, card)
    at = check_empty(town, square)
    state = with_town(state, seat, set_piece(town, at, card))
    after = begin(state, seat, at)
    return Step(after.state, (event("towns.added", seat=seat, card=card, square=square), *after.events))


def forge_decision(state: State, seat: int) -> Decision:
    """Return the question which resource the Forge brings."""
    return Decision(state.seats[seat], Forging.key)


def forge_moves(state: State, seat: int) -> Iterator[Add | Skip]:
    """Yield the end of the effect, and every resource on every empty square."""
    yield Skip()
    yield from cube_moves(state, seat)


def cube_moves(state: State, seat: int) -> Iterator[Add]:
    """Yield every resource on every empty square."""
    for resource in RESOURCES:
        for square in state.town(seat).empty:
            yield Add(resource, SQUARES[square])


def add_cube(state: State, seat: int, move: Add) -> Step[State]:
    """
    Return the state after a cube from the supply was put on an empty square.

    Raises: IllegalMoveError `add.resource`, `square.cube`, `square.building`.
    Source: rule summary: Forage; our value: Forge.
    """
    if move.what not in RESOURCES:
        raise IllegalMoveError("add.resource", what=move.what)
    at = check_empty(state.town(seat), move.square)
    state = put_cube(pop(state, seat), seat, at, move.what)
    return Step(state, (event("towns.brought", seat=seat, resource=move.what, square=move.square),))


# --- Opaleye's Watch ---


def stock_decision(state: State, seat: int) -> Decision:
    """Return the question which pieces go on the Watch."""
    return Decision(state.seats[seat], Stocking.key)


def stock_moves(state: State, seat: int) -> Iterator[Stock]:
    """Yield every three different cards, in their order."""
    del seat  # all have the same cards
    return map(Stock, combinations(state.cards, STOCKED))


def stock(state: State, seat: int, move: Stock) -> Step[State]:
    """
    Return the state after three pieces were put on the Watch.

    Raises: IllegalMoveError `stock.count`, `stock.order`, `card.not-open`.
    Source: the card Opaleye's Watch: three different buildings, no Monument.
    """
    for card in move.cards:
        check_in_play(state, card)
    if len(set(move.cards)) != STOCKED or len(move.cards) != STOCKED:
        raise IllegalMoveError("stock.count", need=STOCKED)
    if list(move.cards) != sorted(move.cards, key=state.cards.index):
        raise IllegalMoveError("stock.order", cards=tuple(sorted(move.cards, key=state.cards.index)))
    town = replace(state.town(seat), stock=move.cards)
    return Step(with_town(pop(state, seat), seat, town), (event("towns.stocked", seat=seat, cards=move.cards),))
