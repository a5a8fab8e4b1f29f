"""
The whole position of a game of Tiny Towns, as frozen values.

Read `State` first. A square is a number from 0 to 15 (see `layouts.py`). What a seat still has to answer lies on its
stack, the next question last; when all stacks are empty, the game goes on with the next stage.
"""

from functools import lru_cache
from typing import ClassVar, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Seat
from engine.tiny_towns.components import MONUMENTS, RESOURCES, Components
from engine.tiny_towns.layouts import ALL, LETTERS, Squares, pack

NOBODY = Seat(-1)
"""Nobody named the resource: a card did, or each took one freely; or nobody is left who may name."""

TRADING_POST = "trading-post"
EMPTY_SQUARES = ("",) * len(ALL)
SEATS = tuple(map(Seat, range(6)))


class KeepMonument(Struct, frozen=True, tag="monument"):
    """One of the two monuments dealt is to be kept."""

    key: ClassVar[str] = "towns.monument"


class ChooseCorners(Struct, frozen=True, tag="corners"):
    """The villagers are to be put on corners."""

    key: ClassVar[str] = "towns.corners"


class Naming(Struct, frozen=True, tag="name"):
    """The Master Builder is to name a resource."""

    key: ClassVar[str] = "towns.name"


class Taking(Struct, frozen=True, tag="take"):
    """A resource is to be chosen: freely (Town Hall), or from the open cards (Solo)."""

    key: ClassVar[str] = "towns.take"


class Placing(Struct, frozen=True, tag="place"):
    """The `resource` of the round is to be answered; `other`: another player named it, or it counts so."""

    key: ClassVar[str] = "towns.place"
    resource: str
    other: bool


class Putting(Struct, frozen=True, tag="put"):
    """The `resource` that came instead, from a Factory or a Warehouse, is to be put on a square."""

    key: ClassVar[str] = "towns.put"
    resource: str


class Building(Struct, frozen=True, tag="build"):
    """Anything may be constructed, and abilities activated, until the seat is done."""

    key: ClassVar[str] = "towns.build"


class Ability(Struct, frozen=True, tag="ability"):
    """An ability that constructs one building is paid; the building and its square are to be chosen."""

    name: Literal["cut-corners", "innovate", "cooperate"]

    @property
    def key(self) -> str:
        """Return the key of the decision."""
        return f"towns.{self.name}"


class ChoosingCubes(Struct, frozen=True, tag="cubes"):
    """`card` goes on `square`; one of several sets of cubes, the `ways`, is to be chosen."""

    key: ClassVar[str] = "towns.cubes"
    card: str
    square: int
    ways: tuple[Squares, ...]


class Giving(Struct, frozen=True, tag="give"):
    """
    Cooperate: `card` goes on `square`; a cube of the first resource in `needs` is to be given.

    `taken`  squares whose cubes go, that of `square` first
    `posts`  Trading Posts that stand in for a cube
    `stood`  the resource for which one stood in last
    """

    key: ClassVar[str] = "towns.give"
    card: str
    square: int
    needs: tuple[str, ...]
    taken: Squares
    posts: Squares = ()
    stood: str = ""


class Marking(Struct, frozen=True, tag="mark"):
    """The Bank or the Factory on `square` takes a marker."""

    key: ClassVar[str] = "towns.mark"
    square: int


class Replacing(Struct, frozen=True, tag="guild"):
    """Architect's Guild: up to `left` buildings may be replaced."""

    key: ClassVar[str] = "towns.guild"
    left: int


class Endowing(Struct, frozen=True, tag="university"):
    """Grove University: a building from the supply goes on an empty square."""

    key: ClassVar[str] = "towns.university"


class Stocking(Struct, frozen=True, tag="stock"):
    """Opaleye's Watch: three different buildings go on the card."""

    key: ClassVar[str] = "towns.stock"


class Forging(Struct, frozen=True, tag="forge"):
    """Forge: a resource may be put on an empty square."""

    key: ClassVar[str] = "towns.forge"


class Foraging(Struct, frozen=True, tag="forage"):
    """Forage: a resource is to be put on an empty square."""

    key: ClassVar[str] = "towns.forage"


class Renovating(Struct, frozen=True, tag="renovate"):
    """Renovate: a building is to be replaced."""

    key: ClassVar[str] = "towns.renovate"


class Watching(Struct, frozen=True, tag="watch"):
    """A neighbour has constructed `card`, so its piece may leave the Watch for a square."""

    key: ClassVar[str] = "towns.watch"
    card: str


class Moving(Struct, frozen=True, tag="villagers"):
    """Villagers whose square holds a cube, or a building that they do not work in, move to the next square."""

    key: ClassVar[str] = "towns.villagers"


class Lodging(Struct, frozen=True, tag="lodge"):
    """Villagers in the Lodge come back on empty squares."""

    key: ClassVar[str] = "towns.lodge"


Phase = (
    KeepMonument | ChooseCorners | Naming | Taking | Placing | Putting | Building | Ability | ChoosingCubes | Giving
    | Marking | Replacing | Endowing | Stocking | Forging | Foraging | Renovating | Watching | Moving | Lodging
)  # fmt: skip
P = TypeVar("P")

Stage = Literal[
    "cards",
    "helpers",
    "builder",
    "monuments",
    "choice",
    "open",
    "naming",
    "draw",
    "turns",
    "watch",
    "villagers",
    "over",
]
"""The stages of the game, in the order in which `phases.py` explains them."""


class Town(Struct, frozen=True, omit_defaults=True):
    """
    One town. Tuples of 16 hold something for each square.

    `cubes`      the resource on the square, "" none
    `buildings`  the card whose piece stands there, "" none; a square holds a cube or a building, never both
    `held`       what lies on the building: marker of a Bank or Factory, cubes of a Warehouse, or one on a Cottage
    `villagers`  squares of the villagers who do not work, in order
    `workers`    squares of those who work in the building there, in order
    `lodge`      villagers in the Lodge
    `fresh`      Trading Posts of this round: not wild yet
    `stock`      pieces on Opaleye's Watch
    `shrine`     the points of the Shrine, fixed when it was constructed
    """

    cubes: tuple[str, ...] = EMPTY_SQUARES
    buildings: tuple[str, ...] = EMPTY_SQUARES
    held: tuple[tuple[str, ...], ...] = ((),) * len(ALL)
    villagers: Squares = ()
    workers: Squares = ()
    lodge: int = 0
    fresh: Squares = ()
    stock: tuple[str, ...] = ()
    shrine: int = 0

    @property
    def empty(self) -> Squares:
        """Return the squares without cube and without building; a villager alone does not fill one."""
        return tuple(at for at in ALL if not self.cubes[at] and not self.buildings[at])

    @property
    def free(self) -> Squares:
        """Return the squares that a villager may come to: without cube, building and villager."""
        return tuple(at for at in self.empty if at not in self.villagers)

    @property
    def monument(self) -> str:
        """Return the monument that stands in the town, or ""."""
        return next((name for name in self.buildings if name in MONUMENTS), "")

    def squares(self, *cards: str) -> Squares:
        """Return the squares on which one of *cards* stands."""
        return tuple(at for at in ALL if self.buildings[at] in cards)

    def wild(self) -> Squares:
        """Return the Trading Posts that can stand in for a cube."""
        return tuple(at for at in self.squares(TRADING_POST) if at not in self.fresh)


class Player(Struct, frozen=True, omit_defaults=True):
    """
    What one seat has.

    `monument`   the card kept, secret until it is constructed; "" none yet, or none in this game
    `dealt`      the two cards to choose from
    `turns`      turns as Master Builder
    `completed`  the round in which the town was completed; 0: still in the game
    `cavern`     cubes set aside
    """

    town: Town = Town()
    monument: str = ""
    dealt: tuple[str, ...] = ()
    turns: int = 0
    completed: int = 0
    cavern: int = 0


class Variant(Struct, frozen=True, omit_defaults=True):
    """
    How the game is played, from its options.

    `feast_hall`  the Feast Hall stays in the solo game
    `new_cards`   the cards that are known by name only are shuffled in
    `ask_late`    the game waits for the Watch, the villagers and the Lodge
    """

    monuments: bool = True
    villagers: bool = True
    town_hall: bool = False
    cavern: bool = False
    feast_hall: bool = False
    new_cards: bool = False
    ask_late: bool = False


class State(Struct, frozen=True, omit_defaults=True):
    """
    The whole position.

    `cards`     building cards in play, Cottage first, in the order of the colours
    `helpers`   villager cards in play
    `stacks`    what each seat still has to answer, the next question last
    `built`     cards that each seat has constructed in this round
    `returned`  monuments dealt and not kept; secret
    `builder`   who holds the hammer, or `NOBODY`
    `namer`     who named the resource of the round, or `NOBODY`
    `resource`  the resource of the round; "" not yet, or each takes one freely
    `seen`      Town Hall: resource cards drawn since the last shuffle · Solo: those that came up from the unknown pile
    `open`      Solo: the open cards
    `under`     Solo: cards put under the pile, in order
    """

    tables: Components
    variant: Variant
    players: tuple[Player, ...]
    stacks: tuple[tuple[Phase, ...], ...]
    stage: Stage
    cards: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    built: tuple[tuple[str, ...], ...] = ()
    returned: tuple[str, ...] = ()
    round: int = 0
    builder: Seat = NOBODY
    namer: Seat = NOBODY
    resource: str = ""
    seen: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    under: tuple[str, ...] = ()

    @property
    def solo(self) -> bool:
        """Return whether there is one player only."""
        return len(self.players) == 1

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return all seats, in seat order."""
        return SEATS[: len(self.players)]

    @property
    def in_game(self) -> tuple[Seat, ...]:
        """Return the seats whose towns are not complete, in seat order."""
        return tuple(seat for seat in self.seats if not self.players[seat].completed)

    def town(self, seat: int) -> Town:
        """Return the town of *seat*."""
        return self.players[seat].town


def top(state: State, seat: int, kind: type[P]) -> P:
    """Return the question that *seat* has to answer now, which is of this *kind*."""
    phase = state.stacks[seat][-1]
    assert isinstance(phase, kind)
    return phase


def with_stack(state: State, seat: int, stack: tuple[Phase, ...]) -> State:
    """Return the state in which *seat* has to answer *stack*."""
    return replace(state, stacks=(*state.stacks[:seat], stack, *state.stacks[seat + 1 :]))


def pop(state: State, seat: int) -> State:
    """Return the state in which *seat* has answered its present question."""
    return with_stack(state, seat, state.stacks[seat][:-1])


def push(state: State, seat: int, *phases: Phase) -> State:
    """Return the state in which *seat* has to answer *phases* first, the last of them now."""
    return with_stack(state, seat, (*state.stacks[seat], *phases))


def become(state: State, seat: int, *phases: Phase) -> State:
    """Return the state in which *phases* stand in the place of the present question of *seat*."""
    return with_stack(state, seat, (*state.stacks[seat][:-1], *phases))


def with_player(state: State, seat: int, player: Player) -> State:
    """Return the state in which *seat* is this *player*."""
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def with_town(state: State, seat: int, town: Town) -> State:
    """Return the state in which *seat* has this *town*."""
    return with_player(state, seat, replace(state.players[seat], town=town))


@lru_cache(maxsize=1 << 12)
def masks(town: Town) -> tuple[tuple[int, ...], int]:
    """Return the squares with cubes of each resource, and the wild squares, as bit masks."""
    cubes = [0] * len(LETTERS)
    for at, cube in enumerate(town.cubes):
        if cube:
            cubes[RESOURCE_AT[cube]] |= 1 << at
    return tuple(cubes), pack(town.wild())


RESOURCE_AT = {resource: at for at, resource in enumerate(RESOURCES)}
"""Resource -> its place in the order of the resources."""
