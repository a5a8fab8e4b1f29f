"""
The whole position of a game of Village, as frozen values.

Read `State` first. Things (cubes, goods, grain, coins) are counts in the order of `THINGS`; a member is a word for
where it stands, and its number is given by its place in `Components.family.members`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Seat
from engine.village.components import BUILDINGS, CITIES, COLOURS, GOODS, Components

SPACES = ("harvest", "family", "crafts", "market", "travel", "council", "church")
CUBES = (*COLOURS, "plague")
THINGS = (*CUBES, *GOODS, "grain", "coin")
THING_AT: Mapping[str, int] = MappingProxyType({thing: at for at, thing in enumerate(THINGS)})
SPACE_AT: Mapping[str, int] = MappingProxyType({space: at for at, space in enumerate(SPACES)})

FARMYARD = "farmyard"
STAGES = ("stage-1", "stage-2", "stage-3", "stage-4")
WINDOWS = ("window-1", "window-2", "window-3", "window-4")
VISIBLE = (FARMYARD, *BUILDINGS, *CITIES, *STAGES, *WINDOWS)
"""Spots where a member lives and can die, in the order in which they are listed; windows count from right to left."""

BAG = "bag"
UNBORN = "unborn"
SECTIONS = ("council", "crafts", "travel", "church", "farmyard")
CHRONICLE = tuple(f"chronicle-{section}" for section in SECTIONS)
GRAVE = "grave"
REMOVED = "removed"
SPOTS = (*VISIBLE, BAG, UNBORN, *CHRONICLE, GRAVE, REMOVED)
"""Everywhere a member can be."""

SPOT_AT: Mapping[str, int] = MappingProxyType({spot: at for at, spot in enumerate(SPOTS)})
SECTION_OF: Mapping[str, str] = MappingProxyType(
    {FARMYARD: "farmyard"}
    | dict.fromkeys(BUILDINGS, "crafts")
    | dict.fromkeys(CITIES, "travel")
    | dict.fromkeys(STAGES, "council")
    | dict.fromkeys(WINDOWS, "church")
)
"""Visible spot -> the section of the chronicle for those who die there."""

NOBODY = Seat(-1)
"""Nobody holds the next-starting-player marker (it lies on its space), or nobody has triggered the end."""

Counts = tuple[int, ...]


class Round(Struct, frozen=True, tag="round"):
    """Between two turns: lets the next seat have its turn, or ends the round or the game."""

    key: ClassVar[str] = ""


class NextRound(Struct, frozen=True, tag="next-round"):
    """After the mass of a round: starting player, green bag, cubes."""

    key: ClassVar[str] = ""


class Scoring(Struct, frozen=True, tag="scoring"):
    """After the last mass: the game is over."""

    key: ClassVar[str] = ""


class Layout(Struct, frozen=True, tag="layout"):
    """Customers move up and are drawn from the pile until stalls and line are full."""

    key: ClassVar[str] = "village.customer"


class Seeding(Struct, frozen=True, tag="seeding"):
    """Cubes are drawn from the green bag, one by one, space by space."""

    key: ClassVar[str] = "village.cube"


class Turn(Struct, frozen=True, tag="turn"):
    """A turn; `begun` once its cube is taken or what stands in its stead is done."""

    key: ClassVar[str] = "village.turn"
    begun: bool = False


class Well(Struct, frozen=True, tag="well"):
    """The well is paid; the action is to be chosen."""

    key: ClassVar[str] = "village.well"


class Action(Struct, frozen=True, tag="action"):
    """The action of a space; the market has a phase of its own."""

    space: str

    @property
    def key(self) -> str:
        """Return the key of the decision."""
        return f"village.{self.space}"


class Produce(Struct, frozen=True, tag="produce"):
    """A member was just trained on `building` and may make its good."""

    key: ClassVar[str] = "village.produce"
    building: str


class Privilege(Struct, frozen=True, tag="privilege"):
    """A member just reached `stage`: one privilege of it or a lower one may be used."""

    key: ClassVar[str] = "village.privilege"
    stage: int


class CubeChoice(Struct, frozen=True, tag="cubes"):
    """Up to `count` influence cubes of free choice are due from the supply."""

    key: ClassVar[str] = "village.cubes"
    count: int


class GoodChoice(Struct, frozen=True, tag="good"):
    """A good of free choice is due from the supply."""

    key: ClassVar[str] = "village.good"


class MarketDay(Struct, frozen=True, tag="market"):
    """A market day. `seats`: still in it, the next first; `free`: the next sale has no surcharge; `sold`: any made."""

    key: ClassVar[str] = "village.market"
    seats: tuple[Seat, ...]
    free: bool = False
    sold: bool = False


class Death(Struct, frozen=True, tag="death"):
    """`seat` must name `count` victims."""

    key: ClassVar[str] = "village.death"
    seat: Seat
    count: int = 1


class Redeeming(Struct, frozen=True, tag="redeem"):
    """Mass, first part: `seats` may still buy members out of the black bag, the next one first."""

    key: ClassVar[str] = "village.redeem"
    seats: tuple[Seat, ...]


class Drawing(Struct, frozen=True, tag="piece"):
    """Mass, first part: pieces are drawn from the black bag until enough have left it."""

    key: ClassVar[str] = "village.piece"


class Rising(Struct, frozen=True, tag="rise"):
    """Mass, second part: `seats` may still move members left, the next one first."""

    key: ClassVar[str] = "village.rise"
    seats: tuple[Seat, ...]


class Majority(Struct, frozen=True, tag="majority"):
    """Mass, third part: points for the most members on the windows."""

    key: ClassVar[str] = ""


Phase = (
    Round | NextRound | Scoring | Layout | Seeding | Turn | Well | Action | Produce | Privilege | CubeChoice
    | GoodChoice | MarketDay | Death | Redeeming | Drawing | Rising | Majority
)  # fmt: skip
P = TypeVar("P")


class Family(Struct, frozen=True, omit_defaults=True):
    """
    What one seat has.

    `things`     counts in the order of `THINGS`
    `members`    where each member is; those of one number are kept in the order of `SPOTS`
    `cities`     cities with an own marker, in the order of `CITIES`
    `customers`  tiles served, in the order of the sales
    `step`       where the life marker stands, 0 just right of the bridge
    `due`        deaths that wait for the end of the turn
    `prestige`   points so far: cities, stage 4, majorities
    """

    things: Counts
    members: tuple[str, ...]
    cities: tuple[str, ...] = ()
    customers: tuple[str, ...] = ()
    step: int = 0
    due: int = 0
    prestige: int = 0

    def count(self, thing: str) -> int:
        """Return how many of *thing* the family has."""
        return self.things[THING_AT[thing]]


class State(Struct, frozen=True, omit_defaults=True):
    """
    The whole position.

    `supply`     counts in the order of `THINGS`
    `first`      holds the starting-player marker
    `marker`     holds the next-starting-player marker, or `NOBODY`: it lies in the council
    `stack`      the phases begun and not ended, the present one last; empty: the game is over
    `green_bag`  counts in the order of `CUBES`; `board` the same for each of `SPACES`
    `stalls`     customers in front, "" an empty stall, from the head of the line; `line` those who wait
    `pile`       the other customers, in no order
    `monks`      in the black bag; members in it stand in their family
    `turn`       whose turn it is, or was last
    `days`       market days begun
    `out`        pieces that have left the black bag at this mass
    `trigger`    who triggered the end, or `NOBODY`
    `final`      the last turns have begun; `last` are those still to have one
    """

    tables: Components
    families: tuple[Family, ...]
    supply: Counts
    stack: tuple[Phase, ...]
    stalls: tuple[str, ...]
    pile: tuple[str, ...]
    monks: int
    line: tuple[str, ...] = ()
    green_bag: Counts = (0,) * len(CUBES)
    board: tuple[Counts, ...] = ((0,) * len(CUBES),) * len(SPACES)
    first: Seat = Seat(0)
    marker: Seat = NOBODY
    round: int = 0
    turn: Seat = Seat(0)
    days: int = 0
    out: int = 0
    trigger: Seat = NOBODY
    final: bool = False
    last: tuple[Seat, ...] = ()

    @property
    def me(self) -> Family:
        """Return the family whose turn it is."""
        return self.families[self.turn]

    @property
    def cubes_left(self) -> int:
        """Return how many cubes lie on the board."""
        return sum(map(sum, self.board))

    def stock(self, thing: str) -> int:
        """Return how many of *thing* the supply has."""
        return self.supply[THING_AT[thing]]

    def for_seats(self, values: tuple[int, ...]) -> int:
        """Return the one of *values*, for 2, 3 and 4 seats, that holds in this game."""
        return values[len(self.families) - 2]


def clockwise(state: State, start: int) -> tuple[Seat, ...]:
    """Return all seats clockwise, *start* first."""
    seats = len(state.families)
    return tuple(Seat((start + n) % seats) for n in range(seats))


def top(state: State, kind: type[P]) -> P:
    """Return the present phase, which is of this *kind*."""
    phase = state.stack[-1]
    assert isinstance(phase, kind)
    return phase


def pop(state: State) -> State:
    """Return the state after the present phase has ended."""
    return replace(state, stack=state.stack[:-1])


def push(state: State, *phases: Phase) -> State:
    """Return the state with *phases* begun, the last of them first."""
    return replace(state, stack=(*state.stack, *phases))


def become(state: State, phase: Phase) -> State:
    """Return the state with *phase* in the place of the present one."""
    return replace(state, stack=(*state.stack[:-1], phase))


def with_family(state: State, seat: int, family: Family) -> State:
    """Return the state in which *seat* has this *family*."""
    return replace(state, families=(*state.families[:seat], family, *state.families[seat + 1 :]))
