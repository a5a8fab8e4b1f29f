"""The component table as typed, frozen values; each block states where its values come from."""

from typing import Literal, get_args

from msgspec import Struct

from engine.core.errors import TableError
from engine.core.tables import Status, Tables, read_tables

Colour = Literal["brown", "pink", "orange", "green"]
Good = Literal["wagon", "horse", "ox", "scroll", "plow"]
BuildingName = Literal["wainwright", "stables", "office", "smithy"]
City = Literal["ford", "abbey", "castle", "quarry", "harbour", "vineyard"]
Place = Literal["village", "ford", "abbey", "castle", "quarry", "harbour", "vineyard"]

COLOURS: tuple[str, ...] = get_args(Colour)
GOODS: tuple[str, ...] = get_args(Good)
BUILDINGS: tuple[str, ...] = get_args(BuildingName)
CITIES: tuple[str, ...] = get_args(City)

BySeats = tuple[int, int, int]
"""A value for 2, 3 and 4 seats."""


Card = tuple[int, int, int, int, int, int, int]
"""Cubes for each of the seven spaces, in the order of `SPACES`."""

Sections = tuple[int, int, int, int, int]
"""Chronicle places of each section, in the order of `SECTIONS`."""


class Block(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Values that come from one place."""

    source: str
    status: Status


class Players(Block, frozen=True):
    """The colours of the seats, in seat order."""

    colours: tuple[str, str, str, str]


class FamilyBlock(Block, frozen=True):
    """What a family consists of; members numbered `home` start on the farmyard."""

    members: tuple[int, ...]
    home: int
    coins: int
    barn: int


class Life(Block, frozen=True):
    """The life track: `steps` of time from bridge to bridge."""

    steps: int


class Stock(Block, frozen=True):
    """How many pieces there are: cubes of each colour, goods of each kind."""

    cubes: int
    plague: int
    goods: int
    grain: int
    coins: int


class Bag(Block, frozen=True):
    """How many cubes of each colour go into the green bag at the start of a round."""

    added: BySeats


class Board(Block, frozen=True):
    """The set-up cards for 2, 3 and 4 seats."""

    cards: tuple[Card, Card, Card]


class TurnBlock(Block, frozen=True):
    """What a plague cube and the well cost."""

    plague_time: int
    well_cubes: int


class Harvest(Block, frozen=True):
    """Grain of a harvest: plain, with horse and plow, with ox and plow."""

    plain: int
    horse: int
    ox: int


class Building(Block, frozen=True):
    """A craft building: what it makes, the time to train and to make, and what a good is bought for."""

    id: BuildingName
    goods: tuple[Good, ...]
    train: int
    make: int
    cubes: tuple[Colour, ...] = ()
    grain: int = 0


class MillBlock(Block, frozen=True):
    """The mill: time and grain for coins."""

    time: int
    grain: int
    coins: int


class Surcharge(Block, frozen=True):
    """What every sale but the first of who began the day costs."""

    cube: Colour
    time: int


class Stalls(Block, frozen=True):
    """How many customers stand at the stalls, and how many wait in line."""

    open: BySeats
    line: int


class Customer(Struct, frozen=True, forbid_unknown_fields=True):
    """A customer: what it asks for, and the points for serving it."""

    id: str
    points: int
    goods: tuple[Good, ...] = ()
    grain: int = 0


class Customers(Block, frozen=True):
    """All customer tiles."""

    tiles: tuple[Customer, ...]


class CityBlock(Block, frozen=True):
    """A city and what it gives on the first visit of a family; `cubes` are of free choice."""

    id: City
    points: int = 0
    coins: int = 0
    cubes: Literal[0, 1, 2] = 0


class Road(Block, frozen=True):
    """A road between two places, used in either direction, and its price."""

    id: str
    ends: tuple[Place, Place]
    cubes: tuple[Colour, ...]
    time: int
    wagons: int


class Council(Block, frozen=True):
    """The cubes of a step (or one scroll), and the privileges of stages 2, 3 and 4."""

    cubes: tuple[Colour, ...]
    privilege_cubes: Literal[1, 2]
    privilege_coins: int
    privilege_points: int


class CouncilTime(Block, frozen=True):
    """The time to reach each of the four stages."""

    stages: tuple[int, int, int, int]


class Church(Block, frozen=True):
    """The price of the black bag; monks, pieces that leave the bag, the price of buying out, points of the majority."""

    cube: Colour
    time: int
    monks: int
    drawn: int
    coins: int
    majority: int


class Windows(Block, frozen=True):
    """The grain from each window to the next, from right to left."""

    grain: tuple[int, int, int]


class Chronicle(Block, frozen=True):
    """The open chronicle places for 2, 3 and 4 seats."""

    places: tuple[Sections, Sections, Sections]


class Graves(Block, frozen=True):
    """The open anonymous graves."""

    places: BySeats


class Scoring(Block, frozen=True):
    """Points by markers on cities, by stage, by window, by members in the chronicle, and for a coin."""

    cities: tuple[int, ...]
    stages: tuple[int, int, int, int]
    windows: tuple[int, int, int, int]
    chronicle: tuple[int, ...]
    coin: int


class Components(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in the box."""

    players: Players
    family: FamilyBlock
    life: Life
    stock: Stock
    bag: Bag
    board: Board
    turn: TurnBlock
    harvest: Harvest
    buildings: tuple[Building, ...]
    mill: MillBlock
    market: Surcharge
    stalls: Stalls
    customers: Customers
    cities: tuple[CityBlock, ...]
    roads: tuple[Road, ...]
    council: Council
    council_time: CouncilTime
    church: Church
    windows: Windows
    chronicle: Chronicle
    graves: Graves
    scoring: Scoring

    def customer(self, name: str) -> Customer:
        """Return the customer with this id."""
        return next(tile for tile in self.customers.tiles if tile.id == name)

    def city(self, name: str) -> CityBlock:
        """Return the city with this id."""
        return next(city for city in self.cities if city.id == name)

    def maker(self, good: str) -> Building:
        """Return the building that makes *good*."""
        return next(building for building in self.buildings if good in building.goods)


def read_components(tables: Tables) -> Components:
    """
    Return *tables* as components.

    Raises: TableError `table.value` for a wrong type, an id that is missing or stands twice, or too few monks.
    """
    components = read_tables(tables, Components)
    ids = {
        "buildings": (tuple(block.id for block in components.buildings), BUILDINGS),
        "cities": (tuple(block.id for block in components.cities), CITIES),
    }
    for block, (found, expected) in ids.items():
        if sorted(found) != sorted(expected):
            raise TableError("table.value", detail=f"{block}: {' '.join(expected)}, each once")
    doubles = {
        "roads": [road.id for road in components.roads],
        "customers": [tile.id for tile in components.customers.tiles],
        "players": list(components.players.colours),
    }
    for block, names in doubles.items():
        if len(set(names)) < len(names):
            raise TableError("table.value", detail=f"{block}: each id once")
    if components.church.drawn > components.church.monks:
        raise TableError("table.value", detail="church.drawn <= church.monks")
    return components
