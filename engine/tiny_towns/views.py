"""What a report needs of a position. Hidden from others: the monument in the hand, and the two it was chosen from."""

from msgspec import Struct

from engine.core.types import Seat
from engine.tiny_towns.components import Building, Monument
from engine.tiny_towns.layouts import ALL, SQUARES, unpack
from engine.tiny_towns.rules import building
from engine.tiny_towns.rules.round import has_hammer, is_free, next_namer
from engine.tiny_towns.state import NOBODY, RESOURCE_AT, Placing, Putting, Stage, State


class CardView(Struct, frozen=True):
    """A building or a monument: `type` is its colour or "monument", `layout` as on the card."""

    id: str
    type: str
    layout: tuple[str, ...]
    points: tuple[int, ...]


class HelperView(Struct, frozen=True):
    """A villager card and its cost."""

    id: str
    cost: int


class SquareView(Struct, frozen=True):
    """
    One square.

    `cube`      the resource there, "" none; `building` the card, "" none; `type` its colour, or "monument"
    `held`      markers or cubes on the building
    `villager`  a villager is there; `works` it works in the building
    """

    square: str
    cube: str
    building: str
    type: str
    held: tuple[str, ...]
    villager: bool
    works: bool


class TownView(Struct, frozen=True):
    """
    One town.

    `squares`    all 16, row by row from the top
    `monument`   the one that stands, None none
    `stock`      pieces on Opaleye's Watch · `shrine` points of the Shrine
    `turns`      as Master Builder
    `completed`  the round in which it was completed, 0 not yet
    `aside`      cubes set aside
    """

    seat: Seat
    squares: tuple[SquareView, ...]
    monument: CardView | None
    lodge: int
    stock: tuple[str, ...]
    shrine: int
    turns: int
    completed: int
    aside: int


class Opening(Struct, frozen=True):
    """A square on which the cube to be placed would complete these cards."""

    square: str
    cards: tuple[str, ...]


class View(Struct, frozen=True):
    """
    The position as a report needs it.

    `seat`      who looks; None a spectator
    `builder`   who holds the hammer · `namer` who named the resource · `next` who names next; None nobody
    `resource`  of the round, "" not yet named or each takes one · `free` each takes one freely (Town Hall)
    `cards`     the open cards, Cottage first · `helpers` the villager cards
    `own`       the monument in the own hand, or standing · `dealt` those to choose from
    `open`      open resource cards (Solo)
    `seen`      resource cards seen since the last shuffle (Town Hall)
    `openings`  what the cube that is to be placed now could complete, in the own town
    `cavern`    how many cubes each may set aside in all, 0 without that rule
    `farm`      how many buildings one Farm feeds · `room` how many cubes one Warehouse holds
    """

    seat: Seat | None
    over: bool
    stage: Stage
    round: int
    builder: Seat | None
    namer: Seat | None
    next: Seat | None
    resource: str
    free: bool
    cards: tuple[CardView, ...]
    helpers: tuple[HelperView, ...]
    own: CardView | None
    dealt: tuple[CardView, ...]
    towns: tuple[TownView, ...]
    open: tuple[str, ...]
    seen: tuple[str, ...]
    openings: tuple[Opening, ...]
    villagers: bool
    cavern: int
    farm: int
    room: int


def view(state: State, seat: Seat | None) -> View:
    """Return the position as *seat* sees it."""
    own = state.players[seat] if seat is not None else None
    hammer = has_hammer(state) and state.stage != "over"
    return View(
        seat=seat,
        over=state.stage == "over",
        stage=state.stage,
        round=state.round,
        builder=_or_none(state.builder),
        namer=_or_none(state.namer),
        next=_or_none(next_namer(state)) if hammer and state.builder != NOBODY else None,
        resource=state.resource,
        free=is_free(state),
        cards=tuple(_card(state, name) for name in state.cards),
        helpers=tuple(HelperView(name, state.tables.helper(name).cost) for name in state.helpers),
        own=_card(state, own.monument) if own is not None and own.monument else None,
        dealt=tuple(_card(state, name) for name in own.dealt) if own is not None else (),
        towns=tuple(_town(state, one) for one in state.seats),
        open=state.open,
        seen=state.seen if state.variant.town_hall else (),
        openings=_openings(state, seat) if seat is not None else (),
        villagers=state.variant.villagers,
        cavern=state.tables.cavern.uses if state.variant.cavern else 0,
        farm=state.tables.feeding.farm,
        room=state.tables.warehouse.room,
    )


def _or_none(seat: Seat) -> Seat | None:
    return seat if seat != NOBODY else None


def _card(state: State, name: str) -> CardView:
    card: Building | Monument = state.tables.card(name)
    return CardView(card.id, card.type, card.layout, card.points)


def _town(state: State, seat: Seat) -> TownView:
    player = state.players[seat]
    town = player.town
    squares = tuple(
        SquareView(
            square=SQUARES[at],
            cube=town.cubes[at],
            building=town.buildings[at],
            type=state.tables.card(town.buildings[at]).type if town.buildings[at] else "",
            held=town.held[at],
            villager=at in town.villagers or at in town.workers,
            works=at in town.workers,
        )
        for at in ALL
    )
    return TownView(
        seat=seat,
        squares=squares,
        monument=_card(state, town.monument) if town.monument else None,
        lodge=town.lodge,
        stock=town.stock,
        shrine=town.shrine,
        turns=player.turns,
        completed=player.completed,
        aside=player.cavern,
    )


def _openings(state: State, seat: Seat) -> tuple[Opening, ...]:
    """Return what the cube that *seat* has to place now would complete, square by square."""
    phase = state.stacks[seat][-1] if state.stacks[seat] else None
    if not isinstance(phase, Placing | Putting):
        return ()
    town = state.town(seat)
    found: dict[int, list[str]] = {}
    for card in building.cards_of(state, seat):
        for at in unpack(building.openings(state, town, card)[RESOURCE_AT[phase.resource]]):
            found.setdefault(at, []).append(card)
    return tuple(Opening(SQUARES[at], tuple(found[at])) for at in sorted(found))
