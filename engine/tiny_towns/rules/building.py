"""Construct: which cubes fit which layout, where the piece may go, and what follows at once."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.tiny_towns.layouts import NUMBER, SQUARES, Layout, Squares, pack, placements, unpack
from engine.tiny_towns.moves import Build, Use
from engine.tiny_towns.rules import effects
from engine.tiny_towns.rules.pieces import OBELISK, at_square, can_set, check_can_set, names, numbers, set_piece
from engine.tiny_towns.state import (
    ChoosingCubes,
    State,
    Town,
    masks,
    pop,
    push,
    top,
    with_town,
)

Sites = tuple[tuple[int, tuple[Squares, ...]], ...]
"""Square for the piece -> the different sets of squares whose cubes can leave for it."""

SHED = "shed"
CUT_CORNERS, INNOVATE = "cut-corners", "innovate"


def cards_of(state: State, seat: int) -> tuple[str, ...]:
    """Return what *seat* may construct: the open cards, and its own Monument once. Source: rules: constructing."""
    player = state.players[seat]
    own = (player.monument,) if player.monument and not player.town.monument else ()
    return (*(card for card in state.cards if can_set(player.town, card)), *own)


def sites(state: State, seat: int, card: str, ability: str = "") -> Sites:
    """
    Return where the piece of *card* can go now, and with which cubes, in the order of the squares.

    Source: rules: constructing; the cards Shed and Obelisk: on any empty square.
    """
    town = state.town(seat)
    cubes, wild = masks(town)
    anywhere = card == SHED or OBELISK in town.buildings
    empty = pack(town.empty) if anywhere else 0
    return _sites(state.tables.card(card).layout, cubes, wild, empty, ability)


@lru_cache(maxsize=1 << 14)
def _sites(layout: Layout, cubes: tuple[int, ...], wild: int, empty: int, ability: str) -> Sites:
    found: dict[int, dict[int, None]] = {}
    for leaving, barred in _FITS[ability](layout, cubes, wild):
        for square in unpack((leaving | empty) & ~barred):
            found.setdefault(square, {})[leaving] = None
    return tuple((square, tuple(map(unpack, found[square]))) for square in sorted(found))


Fits = Iterator[tuple[int, int]]
"""Squares whose cubes leave, and squares where the piece may not go, as bit masks."""


def fits(layout: Layout, cubes: tuple[int, ...], wild: int) -> Fits:
    """Yield where *layout* lies complete. Source: rules: shape and kinds must match; Trading Post: one real cube."""
    real = _real(cubes)
    lack = [~(held | wild) for held in cubes]
    for one in placements(layout):
        if not _missing(one.needs, lack) and one.mask & real:
            yield one.mask & real, 0


def cut_corners(layout: Layout, cubes: tuple[int, ...], wild: int) -> Fits:
    """
    Yield where *layout* lies complete but for one square, which holds anything and is left as it is.

    Source: rule summary: the building never goes on that square; our ruling "Villager cards".
    """
    real = _real(cubes)
    lack = [~(held | wild) for held in cubes]
    for one in placements(layout):
        missing = _missing(one.needs, lack)
        if missing.bit_count() > 1:
            continue
        for square in unpack(missing or one.mask):
            leaving = one.mask & real & ~(1 << square)
            if leaving:
                yield leaving, 1 << square


def innovate(layout: Layout, cubes: tuple[int, ...], wild: int) -> Fits:
    """
    Yield where cubes of different kinds lie in the shape of *layout*, a Trading Post as a kind that no other shows.

    Source: rule summary; our ruling "Villager cards".
    """
    real = _real(cubes)
    for one in placements(layout):
        shown = [(held & one.mask).bit_count() for held in cubes]
        covered = not one.mask & ~(real | wild)
        if covered and max(shown) == 1 and one.mask.bit_count() <= len(cubes):
            yield one.mask & real, 0


@lru_cache(maxsize=1 << 14)
def completions(layout: Layout, cubes: tuple[int, ...], wild: int, empty: int) -> tuple[int, ...]:
    """Return for each resource the empty squares on which one cube of it would complete *layout*, as bit masks."""
    found = [0] * len(cubes)
    lack = [~(held | wild) for held in cubes]
    for one in placements(layout):
        missing = _missing(one.needs, lack)
        if missing & empty and missing.bit_count() == 1:
            for at, need in enumerate(one.needs):
                found[at] |= need & missing
    return tuple(found)


def openings(state: State, town: Town, card: str) -> tuple[int, ...]:
    """Return for each resource the squares on which a cube would complete the layout of *card*, as bit masks."""
    cubes, wild = masks(town)
    return completions(state.tables.card(card).layout, cubes, wild, pack(town.empty))


_FITS = {"": fits, CUT_CORNERS: cut_corners, INNOVATE: innovate}


def _real(cubes: tuple[int, ...]) -> int:
    wood, wheat, brick, glass, stone = cubes
    return wood | wheat | brick | glass | stone


def _missing(needs: tuple[int, ...], lack: list[int]) -> int:
    return (
        needs[0] & lack[0] | needs[1] & lack[1] | needs[2] & lack[2] | needs[3] & lack[3] | needs[4] & lack[4]
    )  # fmt: skip


def can_build(state: State, seat: int, ability: str = "") -> bool:
    """Return whether *seat* could construct anything."""
    return any(sites(state, seat, card, ability) for card in cards_of(state, seat))


def builds(state: State, seat: int, ability: str = "") -> Iterator[Build]:
    """Yield every card and square; which cubes are used is asked afterwards, where there is a choice."""
    for card in cards_of(state, seat):
        for square, _ in sites(state, seat, card, ability):
            yield Build(card, SQUARES[square])


def build(state: State, seat: int, move: Build) -> Step[State]:
    """
    Return the state after *seat* has constructed a card, or has to say with which cubes.

    Raises: IllegalMoveError `card.not-yours`, `card.not-open`, `bank.limit`, `build.built`, `build.layout`,
    `build.square`.
    Source: rules: constructing.
    """
    return build_with(state, seat, move, "")


def build_with(state: State, seat: int, move: Build, ability: str) -> Step[State]:
    """Return the state after a construction, by the help of *ability* if there is one; raises as `build` does."""
    check_may_construct(state, seat, move.card)
    found = dict(sites(state, seat, move.card, ability))
    square = NUMBER[move.square]
    if not found:
        raise IllegalMoveError("build.layout", card=move.card)
    if square not in found:
        raise IllegalMoveError("build.square", card=move.card, square=move.square, squares=names(tuple(found)))
    ways = found[square]
    before = state if ability == "" else pop(state, seat)
    if len(ways) > 1:
        return Step(push(before, seat, ChoosingCubes(move.card, square, ways)))
    return construct(before, seat, move.card, square, ways[0])


def check_may_construct(state: State, seat: int, card: str) -> None:
    """
    Check that *card* lies open, or is the Monument of *seat* and not yet constructed.

    Raises: IllegalMoveError `card.not-yours`, `card.not-open`, `build.built`, `bank.limit`.
    """
    player = state.players[seat]
    if card in cards_of(state, seat):
        return
    if card in state.cards:
        check_can_set(player.town, card)
    if card == player.monument:
        raise IllegalMoveError("build.built", card=card)
    is_monument = card in {one.id for one in state.tables.monuments}
    raise IllegalMoveError("card.not-yours" if is_monument else "card.not-open", card=card)


def cubes_decision(state: State, seat: int) -> Decision:
    """Return the question which cubes are used."""
    phase = top(state, seat, ChoosingCubes)
    return Decision(state.seats[seat], phase.key, fields(card=phase.card, square=SQUARES[phase.square]))


def cubes_moves(state: State, seat: int) -> Iterator[Use]:
    """Yield the different sets of cubes."""
    for way in top(state, seat, ChoosingCubes).ways:
        yield Use(names(way))


def use(state: State, seat: int, move: Use) -> Step[State]:
    """
    Return the state after the construction with these cubes.

    Raises: IllegalMoveError `use.cubes`.
    Source: rules: the owner says which cubes serve.
    """
    phase = top(state, seat, ChoosingCubes)
    way = numbers(move.squares)
    if way not in phase.ways:
        raise IllegalMoveError("use.cubes", card=phase.card, squares=move.squares)
    return construct(pop(state, seat), seat, phase.card, phase.square, way)


def construct(state: State, seat: int, card: str, square: int, leaving: Squares) -> Step[State]:
    """
    Return the state after the cubes of *leaving* have gone back and the piece stands on *square*, with what follows.

    Source: rules: constructing. Rule summary: a villager on the square begins to work there.
    """
    town = state.town(seat)
    cubes = town.cubes
    for at in leaving:
        cubes = at_square(cubes, at, "")
    town = set_piece(replace(town, cubes=cubes), square, card)
    events = [event("towns.built", seat=seat, card=card, square=SQUARES[square], cubes=names(leaving))]
    if square in town.villagers:
        town = employ(town, square)
        events.append(event("towns.works", seat=seat, square=SQUARES[square], card=card))
    state = with_town(state, seat, town)
    built = (*state.built[seat], card)
    state = replace(state, built=(*state.built[:seat], built, *state.built[seat + 1 :]))
    after = effects.begin(state, seat, square)
    return Step(after.state, (*events, *after.events))


def employ(town: Town, square: int) -> Town:
    """Return the town in which the villager of *square* works there."""
    return replace(
        town,
        villagers=tuple(at for at in town.villagers if at != square),
        workers=tuple(sorted((*town.workers, square))),
    )
