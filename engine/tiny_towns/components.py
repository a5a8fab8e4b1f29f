"""The component table as typed, frozen values; each block states where its values come from."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from engine.core.errors import TableError
from engine.core.tables import Status, Tables, read_tables
from engine.tiny_towns.layouts import Layout, is_layout

Resource = Literal["wood", "wheat", "brick", "glass", "stone"]
Colour = Literal["blue", "red", "grey", "orange", "green", "yellow", "black"]
Blue = Literal["cottage"]
Red = Literal["farm", "granary", "greenhouse", "orchard"]
Grey = Literal["fountain", "millstone", "shed", "well"]
Orange = Literal["abbey", "chapel", "cloister", "temple", "citadel"]
Green = Literal["almshouse", "feast-hall", "inn", "tavern", "travelers-center"]
Yellow = Literal["bakery", "market", "tailor", "theater"]
Black = Literal["bank", "factory", "trading-post", "warehouse", "forge"]
BuildingName = Literal[Blue, Red, Grey, Orange, Green, Yellow, Black]
MonumentName = Literal[
    "guild", "archive", "castle", "cathedral", "fort", "mausoleum", "university", "palace", "obelisk", "watch",
    "shrine", "forum", "baths", "starloom", "statue", "folly",
]  # fmt: skip
Cheap = Literal["cut-corners", "forage", "scrap"]
Dear = Literal["innovate", "renovate", "cooperate"]
HelperName = Literal[Cheap, Dear]

RESOURCES: tuple[str, ...] = get_args(Resource)
COLOURS: tuple[str, ...] = get_args(Colour)
BUILDINGS: tuple[str, ...] = get_args(BuildingName)
MONUMENTS: tuple[str, ...] = get_args(MonumentName)
HELPERS: tuple[str, ...] = get_args(HelperName)
MONUMENT = "monument"
"""The type of every monument, beside the seven colours of the buildings."""

Count = Annotated[int, Meta(ge=1, le=99)]


class Block(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Values that come from one place."""

    source: str
    status: Status


class Cubes(Block, frozen=True):
    """How many resource cards there are of each resource."""

    cards: Count


class TownHall(Block, frozen=True):
    """Cards set aside unseen at each shuffle, and the length of a cycle whose last round is free."""

    aside: Count
    rounds: Count


class Solo(Block, frozen=True):
    """How many resource cards lie open, and the least points of each rank, the best first."""

    open: Count
    ranks: tuple[int, ...]


class WarehouseBlock(Block, frozen=True):
    """How many cubes one Warehouse holds."""

    room: Count


class Cavern(Block, frozen=True):
    """How often a player may set a cube aside."""

    uses: Count


class Feeding(Block, frozen=True):
    """How many buildings one Farm feeds."""

    farm: Count


class VillagersBlock(Block, frozen=True):
    """How many villagers each player has."""

    count: Annotated[int, Meta(ge=1, le=4)]


class Helper(Block, frozen=True):
    """A villager card: what its ability costs, in villagers at work."""

    id: HelperName
    cost: Annotated[int, Meta(ge=1, le=3)]


class CardBlock(Block, frozen=True, omit_defaults=True, kw_only=True):
    """What buildings and monuments share; `points` are explained in `scoring.py`."""

    layout: Layout
    points: tuple[int, ...] = ()
    solo: Literal["in", "out", "option"] = "in"
    new: bool = False


class Building(CardBlock, frozen=True, omit_defaults=True, kw_only=True):
    """A building card that all may construct."""

    id: BuildingName
    colour: Colour
    first_game: bool = False

    @property
    def type(self) -> str:
        """Return the type: the colour."""
        return self.colour


class Monument(CardBlock, frozen=True, omit_defaults=True, kw_only=True):
    """A monument card that its owner alone may construct, once."""

    id: MonumentName

    @property
    def type(self) -> str:
        """Return the type that all monuments have."""
        return MONUMENT


class Components(
    Struct, frozen=True, dict=True, cache_hash=True, forbid_unknown_fields=True, rename={"town_hall": "town-hall"}
):
    """Everything in the box."""

    cubes: Cubes
    town_hall: TownHall
    solo: Solo
    warehouse: WarehouseBlock
    cavern: Cavern
    feeding: Feeding
    villagers: VillagersBlock
    helpers: tuple[Helper, ...]
    buildings: tuple[Building, ...]
    monuments: tuple[Monument, ...]

    @property
    def all_cards(self) -> tuple["Building | Monument", ...]:
        """Return all buildings, then all monuments."""
        return (*self.buildings, *self.monuments)

    def card(self, name: str) -> Building | Monument:
        """Return the building or the monument with this id."""
        return self._by_id[name]

    @cached_property
    def _by_id(self) -> Mapping[str, "Building | Monument"]:
        return {card.id: card for card in self.all_cards}

    @cached_property
    def kept(self) -> "Components":
        """Return the first of equal tables: by it memories find what they know without comparing the whole box."""
        return _kept(self)

    def points(self, name: str) -> tuple[int, ...]:
        """Return the points of the card *name*."""
        return self.card(name).points

    def helper(self, name: str) -> Helper:
        """Return the villager card with this id."""
        return next(helper for helper in self.helpers if helper.id == name)

    def of_colour(self, colour: str) -> tuple[Building, ...]:
        """Return the building cards of *colour*, in the order of the table."""
        return tuple(card for card in self.buildings if card.colour == colour)


@lru_cache(maxsize=8)
def _kept(tables: Components) -> Components:
    return tables


def read_components(tables: Tables) -> Components:
    """
    Return *tables* as components.

    Raises: TableError `table.value` for a wrong type or layout, and an id that is missing or stands twice.
    """
    components = read_tables(tables, Components)
    ids: dict[str, tuple[list[str], tuple[str, ...]]] = {
        "buildings": ([card.id for card in components.buildings], BUILDINGS),
        "monuments": ([card.id for card in components.monuments], MONUMENTS),
        "helpers": ([helper.id for helper in components.helpers], HELPERS),
    }
    for block, (found, expected) in ids.items():
        if sorted(found) != sorted(expected):
            raise TableError("table.value", detail=f"{block}: {' '.join(expected)}, each once")
    for card in components.all_cards:
        if not is_layout(card.layout):
            raise TableError("table.value", detail=f"{card.id}: a layout is 1 to 4 rows of 1 to 4 of W H B G S and .")
        if len(card.points) < _POINTS.get(card.id, 0):
            raise TableError("table.value", detail=f"{card.id}: {_POINTS[card.id]} points")
    return components


_POINTS: dict[str, int] = {
    **dict.fromkeys(
        (
            "cottage", "fountain", "millstone", "shed", "well", "abbey", "chapel", "cloister", "temple", "citadel",
            "almshouse", "inn", "tavern", "travelers-center", "bakery", "market", "theater", "bank", "trading-post",
            "warehouse", "forge", "guild", "archive", "castle", "cathedral", "fort", "mausoleum", "university",
            "palace", "shrine", "baths", "starloom",
        ),
        1,
    ),
    **dict.fromkeys(("feast-hall", "tailor", "forum", "folly"), 2),
}  # fmt: skip
"""How many figures the scoring of a card needs at least."""
