"""What a report needs of a position, with names in the place of counts; nothing in Village is hidden."""

from msgspec import Struct

from engine.core.types import Seat
from engine.village.components import Customer
from engine.village.rules.death import free_graves, free_places
from engine.village.state import (
    BAG,
    CHRONICLE,
    CUBES,
    GRAVE,
    REMOVED,
    SECTIONS,
    SPACES,
    THINGS,
    UNBORN,
    VISIBLE,
    Counts,
    Family,
    State,
)

Number = tuple[str, int]
"""A name and how many there are; zeros are left out."""


class SpaceView(Struct, frozen=True):
    """An action space and the cubes on it."""

    space: str
    cubes: tuple[Number, ...]


class SpotView(Struct, frozen=True):
    """The members of one family on one spot: their numbers, the lowest first."""

    spot: str
    numbers: tuple[int, ...]


class FamilyView(Struct, frozen=True):
    """
    One family.

    `colour`    the seat's colour in the game
    `step`      where the life marker stands; `lap` steps from bridge to bridge; `due` deaths at the end of the turn
    `members`   members on farmyard and board, by spot; `bag` those in the black bag, `unborn` those in the supply
    `chronicle` members in the chronicle, `graves` in anonymous graves, `removed` out of the game
    `things`    cubes, goods, grain, coins
    `customers` tiles served; they score at the end
    """

    seat: Seat
    colour: str
    prestige: int
    step: int
    lap: int
    due: int
    things: tuple[Number, ...]
    members: tuple[SpotView, ...]
    bag: tuple[int, ...]
    unborn: tuple[int, ...]
    chronicle: tuple[SpotView, ...]
    graves: tuple[int, ...]
    removed: tuple[int, ...]
    cities: tuple[str, ...]
    customers: tuple[Customer, ...]


class PlacesView(Struct, frozen=True):
    """Places of a chronicle section, or the anonymous graves: how many are free of those not blocked."""

    area: str
    free: int
    open: int


class View(Struct, frozen=True):
    """
    The position as a report needs it.

    `seat`      who looks; None a spectator
    `over`      the game is over
    `turn`      whose turn it is, or was last
    `first`     the starting player; `marker` who holds the next-starting-player marker, None: it lies in the council
    `spaces`    the seven spaces in their order; `green_bag` what may be drawn next round
    `stalls`    customers in front, None an empty stall; `line` who waits; `pile` how many are still to come
    `monks`     in the black bag
    `trigger`   who triggered the end; `last` seats that still have a last turn, once these have begun (`final`)
    """

    seat: Seat | None
    over: bool
    round: int
    turn: Seat
    first: Seat
    marker: Seat | None
    spaces: tuple[SpaceView, ...]
    green_bag: tuple[Number, ...]
    supply: tuple[Number, ...]
    day: int
    stalls: tuple[Customer | None, ...]
    line: tuple[Customer, ...]
    pile: int
    monks: int
    families: tuple[FamilyView, ...]
    chronicle: tuple[PlacesView, ...]
    graves: PlacesView
    trigger: Seat | None
    final: bool
    last: tuple[Seat, ...]


def view(state: State, seat: Seat | None) -> View:
    """Return the position as *seat* sees it."""
    tables = state.tables
    open_places = tables.chronicle.places[len(state.families) - 2]
    return View(
        seat=seat,
        over=not state.stack,
        round=state.round,
        turn=state.turn,
        first=state.first,
        marker=state.marker if state.marker >= 0 else None,
        spaces=tuple(SpaceView(space, _named(CUBES, cubes)) for space, cubes in zip(SPACES, state.board, strict=True)),
        green_bag=_named(CUBES, state.green_bag),
        supply=_named(THINGS, state.supply),
        day=state.days,
        stalls=tuple(tables.customer(name) if name else None for name in state.stalls),
        line=tuple(tables.customer(name) for name in state.line),
        pile=len(state.pile),
        monks=state.monks,
        families=tuple(_family(state, Seat(at), family) for at, family in enumerate(state.families)),
        chronicle=tuple(
            PlacesView(section, free_places(state, section), places)
            for section, places in zip(SECTIONS, open_places, strict=True)
        ),
        graves=PlacesView("graves", free_graves(state), state.for_seats(tables.graves.places)),
        trigger=state.trigger if state.trigger >= 0 else None,
        final=state.final,
        last=state.last,
    )


def _named(names: tuple[str, ...], counts: Counts) -> tuple[Number, ...]:
    return tuple((name, number) for name, number in zip(names, counts, strict=True) if number)


def _family(state: State, seat: Seat, family: Family) -> FamilyView:
    pairs = tuple(zip(state.tables.family.members, family.members, strict=True))

    def on(spot: str) -> tuple[int, ...]:
        return tuple(number for number, where in pairs if where == spot)

    def spots(names: tuple[str, ...]) -> tuple[SpotView, ...]:
        return tuple(SpotView(name, on(name)) for name in names if name in family.members)

    return FamilyView(
        seat=seat,
        colour=state.tables.players.colours[seat],
        prestige=family.prestige,
        step=family.step,
        lap=state.tables.life.steps,
        due=family.due,
        things=_named(THINGS, family.things),
        members=spots(VISIBLE),
        bag=on(BAG),
        unborn=on(UNBORN),
        chronicle=spots(CHRONICLE),
        graves=on(GRAVE),
        removed=on(REMOVED),
        cities=family.cities,
        customers=tuple(state.tables.customer(name) for name in family.customers),
    )
