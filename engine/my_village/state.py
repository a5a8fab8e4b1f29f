"""
The whole position of a game of My Village, as frozen values.

Read `State` first. A card is its id; goods, monks and dice are counted.
"""

from typing import ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Seat
from engine.my_village.components import GOODS, LETTERS, MONKS, PROFESSIONS, Components

HOME, COIN, STORIES = "home", "coin", "stories"
SPACES = (HOME, COIN, STORIES)
"""The headman's track, from the main house outward."""

LEFT, RIGHT = "left", "right"
PLAY, SCHOOL = "play", "school"
WHITE, BLACK = "white", "black"
FACES = (1, 2, 3, 4, 5, 6)
NOBODY = Seat(-1)

Counts = tuple[int, ...]
Pool = tuple[Counts, Counts]
"""White and black dice: how many show each face, 1 to 6."""

EMPTY: Pool = ((0,) * 6, (0,) * 6)


class Opening(Struct, frozen=True, tag="opening"):
    """Chance names the starting player."""

    key: ClassVar[str] = "my.first"


class Boards(Struct, frozen=True, tag="boards"):
    """Chance deals a village board to each seat."""

    key: ClassVar[str] = "my.board"


class Refill(Struct, frozen=True, tag="refill"):
    """Customers are turned up until `open` lie there."""

    key: ClassVar[str] = "my.customer"
    open: int


class NextRound(Struct, frozen=True, tag="next-round"):
    """Before a round: the hand tile, then the dice."""

    key: ClassVar[str] = ""


class Rolling(Struct, frozen=True, tag="rolling"):
    """Chance rolls the dice into the pool, the white ones first."""

    key: ClassVar[str] = "my.die"


class Round(Struct, frozen=True, tag="round"):
    """Between two turns: lets the next seat have its turn, or ends the round or the game."""

    key: ClassVar[str] = ""


class Scoring(Struct, frozen=True, tag="scoring"):
    """After the last round: the game is over."""

    key: ClassVar[str] = ""


class Turn(Struct, frozen=True, tag="turn", omit_defaults=True):
    """
    A turn; it asks for flags once two dice are taken.

    `before`  the hours of its seat when it began
    `dice`    the faces of the two dice, the smaller first
    `used`    what was used so far: play, school, a good, field, tile-field, a customer, meeting-place, black
    `free`    the meeting place was used: a black flag may come after white ones
    `over`    nothing more can be used
    """

    key: ClassVar[str] = "my.flags"
    before: int
    dice: tuple[int, ...] = ()
    used: tuple[str, ...] = ()
    free: bool = False
    over: bool = False

    @property
    def total(self) -> int:
        """Return the sum of the dice."""
        return sum(self.dice)


class Totalling(Struct, frozen=True, tag="total"):
    """The turn begins: a total, or the main house, which any dice open."""

    key: ClassVar[str] = "my.total"


class Picking(Struct, frozen=True, tag="dice", omit_defaults=True):
    """Two dice are to be taken for `total`; 0: any two, for the main house."""

    key: ClassVar[str] = "my.dice"
    total: int = 0


class Changing(Struct, frozen=True, tag="change"):
    """Coins may turn the dice taken, until they make `total`."""

    key: ClassVar[str] = "my.change"
    total: int
    dice: tuple[str, str]


class Stepping(Struct, frozen=True, tag="step"):
    """The main house is open: the headman is to go."""

    key: ClassVar[str] = "my.step"


class Visiting(Struct, frozen=True, tag="customers", omit_defaults=True):
    """The steward's office is open: `free` customers are still to be taken for nothing, `bought` were paid for."""

    key: ClassVar[str] = "my.customers"
    free: int = 0
    bought: int = 0


class Turning(Struct, frozen=True, tag="face"):
    """The meeting place sets one of the dice."""

    key: ClassVar[str] = "my.face"


class Tiling(Struct, frozen=True, tag="tile"):
    """The 2/12 tile is to be laid."""

    key: ClassVar[str] = "my.tile"


class Marking(Struct, frozen=True, tag="mark"):
    """The new chamber marks an area or a profession."""

    key: ClassVar[str] = "my.mark"


class Storing(Struct, frozen=True, tag="good"):
    """The Cellarer brings a good of choice."""

    key: ClassVar[str] = "my.good"


class Looking(Struct, frozen=True, tag="look"):
    """Chance shows the Travel church the top card of a pile."""

    key: ClassVar[str] = "my.look"
    letter: str


class Choosing(Struct, frozen=True, tag="journey"):
    """The card seen is to be taken, or the next one."""

    key: ClassVar[str] = "my.journey"
    letter: str


class Departing(Struct, frozen=True, tag="travel"):
    """Chance gives a card of the pile: any but the one seen and put under."""

    key: ClassVar[str] = "my.travel"
    letter: str


class Burial(Struct, frozen=True, tag="burial"):
    """The seat of the turn buries `count` villagers, one after another."""

    key: ClassVar[str] = "my.death"
    count: int


class Rolled(Struct, frozen=True, tag="rat"):
    """The grey die is rolled for the rat."""

    key: ClassVar[str] = "my.rat"


class Hiring(Struct, frozen=True, tag="labourer"):
    """A day labourer takes one of the five professions."""

    key: ClassVar[str] = "my.labourer"


Phase = (
    Opening | Boards | Refill | NextRound | Rolling | Round | Scoring | Turn | Totalling | Picking | Changing
    | Stepping | Visiting | Turning | Tiling | Marking | Storing | Looking | Choosing | Departing | Burial | Rolled
    | Hiring
)  # fmt: skip
P = TypeVar("P")


class Village(Struct, frozen=True, omit_defaults=True):
    """
    What one seat has.

    `board`      the number of its village board, 1 to 4; 0: not dealt yet
    `hours`      hours spent since the start; the disc stands on their rest
    `tree`       stories on the tree, `store` those in the main house
    `villagers`  professions that are filled, in the order of `PROFESSIONS`
    `left`, `right`  a pupil is there
    `goods`      counts in the order of `GOODS`
    `crafts`     buildings, in the order of `GOODS`
    `customers`  held and not served · `served` in the order of the service
    `journeys`   in the order of the journey
    `averted`    invasions that the Sanatorium has averted
    `monks`      counts in the order of `MONKS`
    `tile`       the flag with the 2/12 tile, named as in `Turn.used`; "" it has none
    `mark`       the area or profession that the chamber marks
    `joker`      the joker good is still there
    `labourers`  tiles of minus points
    """

    board: int = 0
    hours: int = 0
    coins: int = 0
    tree: int = 0
    store: int = 0
    headman: str = HOME
    villagers: tuple[str, ...] = PROFESSIONS
    left: bool = False
    right: bool = False
    goods: Counts = (0,) * len(GOODS)
    crafts: tuple[str, ...] = ()
    fields: int = 0
    customers: tuple[str, ...] = ()
    served: tuple[str, ...] = ()
    journeys: tuple[str, ...] = ()
    church: str = ""
    averted: int = 0
    monks: Counts = (0,) * len(MONKS)
    meeting: bool = False
    tile: str = ""
    chamber: str = ""
    mark: str = ""
    joker: bool = False
    labourers: int = 0

    def count(self, good: str) -> int:
        """Return how many of *good* lie on its building."""
        return self.goods[GOODS.index(good)]

    def craft(self, good: str) -> str:
        """Return the building that makes *good*, or ""."""
        return next((card for card in self.crafts if card.startswith(good)), "")

    @property
    def empty(self) -> tuple[str, ...]:
        """Return the professions without a villager."""
        return tuple(one for one in PROFESSIONS if one not in self.villagers)


class State(Struct, frozen=True, omit_defaults=True):
    """
    The whole position.

    `holder`     has the hand tile: it prepares and begins the next round
    `palm`       the hand tile shows its palm · `heap` stories on it
    `stack`      the phases begun and not ended, the present one last; empty: the game is over
    `pool`       the dice on offer
    `display`    customers that lie open · `pile` the others, in no order
    `decks`      travel cards of each letter that nobody has, in no order; `seen` what the Travel church looks at
    `crafts` `churches` `chambers` lie open · `monks` how many are left, in the order of `MONKS` · `fields` `meetings`
    `rat`        steps from its start · `graves` burials so far
    `turn`       whose turn it is, or was last · `turns` the seats that still have one in this round, the next first
    """

    tables: Components
    villages: tuple[Village, ...]
    stack: tuple[Phase, ...]
    pile: tuple[str, ...]
    decks: tuple[tuple[str, ...], ...]
    crafts: tuple[str, ...]
    churches: tuple[str, ...]
    chambers: tuple[str, ...]
    monks: Counts
    fields: int
    meetings: int
    display: tuple[str, ...] = ()
    seen: str = ""
    holder: Seat = NOBODY
    palm: bool = True
    heap: int = 0
    pool: Pool = EMPTY
    rat: int = 0
    graves: int = 0
    round: int = 0
    turn: Seat = NOBODY
    turns: tuple[Seat, ...] = ()

    @property
    def me(self) -> Village:
        """Return the village whose turn it is."""
        return self.villages[self.turn]

    @property
    def ending(self) -> bool:
        """Return whether this round is the last: enough graves are filled."""
        return self.graves >= self.for_seats(self.tables.graves.limit)

    def for_seats(self, values: tuple[int, ...]) -> int:
        """Return the one of *values*, for 2, 3 and 4 seats, that holds in this game."""
        return values[len(self.villages) - 2]

    def deck(self, letter: str) -> tuple[str, ...]:
        """Return the travel cards of *letter* that nobody has."""
        return self.decks[LETTERS.index(letter)]


def clockwise(state: State, start: int) -> tuple[Seat, ...]:
    """Return all seats clockwise, *start* first."""
    seats = len(state.villages)
    return tuple(Seat((start + n) % seats) for n in range(seats))


def top(state: State, kind: type[P]) -> P:
    """Return the present phase, which is of this *kind*."""
    phase = state.stack[-1]
    assert isinstance(phase, kind)
    return phase


def running(state: State) -> Turn | None:
    """Return the turn that runs, or None."""
    return next((phase for phase in state.stack if isinstance(phase, Turn)), None)


def pop(state: State) -> State:
    """Return the state after the present phase has ended."""
    return replace(state, stack=state.stack[:-1])


def push(state: State, *phases: Phase) -> State:
    """Return the state with *phases* begun, the last of them first."""
    return replace(state, stack=(*state.stack, *phases))


def become(state: State, phase: Phase) -> State:
    """Return the state with *phase* in the place of the present one."""
    return replace(state, stack=(*state.stack[:-1], phase))


def with_village(state: State, seat: int, village: Village) -> State:
    """Return the state in which *seat* has this *village*."""
    return replace(state, villages=(*state.villages[:seat], village, *state.villages[seat + 1 :]))


def with_me(state: State, village: Village) -> State:
    """Return the state in which the seat of the turn has this *village*."""
    return with_village(state, state.turn, village)
