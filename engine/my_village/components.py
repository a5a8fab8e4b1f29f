"""The component table as typed, frozen values; each block states where its values come from."""

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from engine.core.errors import TableError
from engine.core.tables import Status, Tables, read_tables

Good = Literal["scroll", "beer", "plow", "horse", "wagon"]
Letter = Literal["a", "b", "c", "d", "e"]
ChurchName = Literal["sanatorium", "trade-church", "travel-church", "monastery-church"]
MonkName = Literal["almoner", "chronicler", "teacher", "cellarer"]
ChamberName = Literal["monetary-chamber", "guild-chamber", "area-chamber", "population-chamber"]
Profession = Literal["abbot", "councilman", "traveller", "craftsman", "merchant"]
Area = Literal["religion", "council", "harvest", "travel", "crafts", "market"]

GOODS: tuple[str, ...] = get_args(Good)
LETTERS: tuple[str, ...] = get_args(Letter)
CHURCHES: tuple[str, ...] = get_args(ChurchName)
MONKS: tuple[str, ...] = get_args(MonkName)
CHAMBERS: tuple[str, ...] = get_args(ChamberName)
PROFESSIONS: tuple[str, ...] = get_args(Profession)
AREAS: tuple[str, ...] = get_args(Area)
FIELD = "field"
MEETING = "meeting-place"
CRAFTS: tuple[str, ...] = tuple(f"{good}-{number}" for good in GOODS for number in range(1, 5))
CUSTOMERS: tuple[str, ...] = tuple(f"market-{number}" for number in range(1, 34))
JOURNEYS: tuple[str, ...] = (
    *(f"journey-{letter}{number}" for letter in LETTERS[:-1] for number in range(1, 5)),
    *(f"journey-e{number}" for number in range(1, 4)),
)
BOUGHT: tuple[str, ...] = (*CRAFTS, FIELD, *CHURCHES, *MONKS, MEETING, *CHAMBERS)
"""Every card with a black flag of its own, but the journeys, which are bought by letter."""

Total = Annotated[int, Meta(ge=2, le=12)]
Totals = tuple[Total, ...]
Count = Annotated[int, Meta(ge=0, le=99)]
Least = Annotated[int, Meta(ge=1, le=99)]
BySeats = tuple[Least, Least, Least]
"""A value for 2, 3 and 4 seats."""


class Block(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Values that come from one place."""

    source: str
    status: Status


class DiceBlock(Block, frozen=True):
    """How many dice of each colour are rolled."""

    white: BySeats
    black: BySeats


class Turns(Block, frozen=True):
    """How many turns each player has in a round."""

    each: BySeats


class Hours(Block, frozen=True):
    """What something costs. At least one hour, or a game need not end."""

    hours: Least


class Coins(Block, frozen=True):
    """Coins at the start, in the order of the first round."""

    start: tuple[Count, Count, Count, Count]


class Time(Block, frozen=True):
    """Hours from bridge to bridge."""

    lap: Least


class Graves(Block, frozen=True):
    """How many burials end the game."""

    limit: BySeats


class Book(Block, frozen=True):
    """Stories for the first burials, in their order."""

    stories: tuple[tuple[Count, ...], tuple[Count, ...], tuple[Count, ...]]


class Rat(Block, frozen=True):
    """How many steps the rat has to the village."""

    steps: BySeats


class Boards(Block, frozen=True):
    """The numbers of the play flag on each village board."""

    play: tuple[Totals, Totals, Totals, Totals]


class Play(Block, frozen=True):
    """The play flag."""

    stories: Count
    hours: Count


class School(Block, frozen=True):
    """The school flag: hours of a promotion, and stories for one from the right."""

    white: Totals
    promote: Count
    stories: Count


class House(Block, frozen=True):
    """The main house: hours of a step, and what the two outer spaces give."""

    hours: Least
    coins: Count
    stories: Count


class Steward(Block, frozen=True):
    """The steward's office: customers on show, and hours and coins for so many of them."""

    black: Totals
    open: Least
    prices: tuple[tuple[Count, Count], ...]


class Hand(Block, frozen=True):
    """The hand tile: its flag, the stories laid on it in a preparation, and its points."""

    black: Totals
    hours: Count
    stories: Count
    points: Count


class Points(Block, frozen=True):
    """What something counts at the end; it may be below zero."""

    points: int


class Tile(Block, frozen=True):
    """What the flag with the 2/12 tile answers to besides."""

    numbers: Totals


class Window(Block, frozen=True):
    """Points for 0, 1, 2, … monks at the window."""

    points: tuple[Count, ...]


class FieldBlock(Block, frozen=True):
    """A field: `plow` is what a plow adds to `coins`; `work` the hours of a use."""

    count: Count
    black: Totals
    hours: Count
    white: Totals
    work: Count
    coins: Count
    plow: Count
    points: Count


class MeetingPlace(Block, frozen=True):
    """A meeting place; `work` are the hours of its use."""

    count: Count
    black: Totals
    hours: Count
    white: Totals
    work: Count
    points: Count


class Craft(Struct, frozen=True, forbid_unknown_fields=True):
    """A craft building: how it is bought, and how it works."""

    id: str
    black: Totals
    hours: Count
    white: Totals
    work: Count

    @property
    def good(self) -> str:
        """Return the good that it makes."""
        return self.id.partition("-")[0]


class Crafts(Block, frozen=True):
    """The buildings that make one good."""

    good: Good
    cards: tuple[Craft, ...]


class Customer(Struct, frozen=True, forbid_unknown_fields=True):
    """A customer: the goods it asks for, its flag, its hours, and its points once served."""

    id: str
    goods: tuple[Good, ...]
    white: Totals
    work: Count
    points: Count


class Customers(Block, frozen=True):
    """All customers."""

    cards: tuple[Customer, ...]


class Journey(Struct, frozen=True, forbid_unknown_fields=True):
    """A travel card: its points, what the next one costs besides, and whether it is the last of a journey."""

    id: str
    points: Count
    coins: Count = 0
    hours: Count = 0
    last: bool = False

    @property
    def letter(self) -> str:
        """Return its letter."""
        return self.id.removeprefix("journey-")[0]


class Journeys(Block, frozen=True):
    """The travel cards of one letter."""

    letter: Letter
    black: Totals
    hours: Count
    cards: tuple[Journey, ...]


class Church(Block, frozen=True, omit_defaults=True):
    """A church: `uses` invasions averted, `monks` at its window."""

    id: ChurchName
    black: Totals
    hours: Count
    points: Count
    uses: Count = 0
    monks: Count = 0


class Monk(Block, frozen=True, omit_defaults=True):
    """A kind of monk: how many there are, and how much of its gift comes with one."""

    id: MonkName
    black: Totals
    hours: Count
    count: Count
    gift: Count = 0


class Chamber(Block, frozen=True, omit_defaults=True):
    """A council chamber: `gift` are its coins, or the points of its effect."""

    id: ChamberName
    black: Totals
    hours: Count
    points: Count
    gift: Count = 0


class Components(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    dict=True,
    rename={"black_die": "black-die", "meeting_place": MEETING},
):
    """Everything in the box."""

    dice: DiceBlock
    turns: Turns
    black_die: Hours
    coins: Coins
    time: Time
    idle: Hours
    graves: Graves
    book: Book
    rat: Rat
    boards: Boards
    play: Play
    school: School
    house: House
    steward: Steward
    hand: Hand
    labourer: Points
    tile: Tile
    window: Window
    field: FieldBlock
    meeting_place: MeetingPlace
    crafts: tuple[Crafts, ...]
    customers: Customers
    journeys: tuple[Journeys, ...]
    churches: tuple[Church, ...]
    monks: tuple[Monk, ...]
    chambers: tuple[Chamber, ...]

    @cached_property
    def craft(self) -> Mapping[str, Craft]:
        """Craft buildings by id."""
        return {card.id: card for kind in self.crafts for card in kind.cards}

    @cached_property
    def customer(self) -> Mapping[str, Customer]:
        """Customers by id."""
        return {card.id: card for card in self.customers.cards}

    @cached_property
    def journey(self) -> Mapping[str, Journey]:
        """Travel cards by id."""
        return {card.id: card for pile in self.journeys for card in pile.cards}

    @cached_property
    def pile(self) -> Mapping[str, Journeys]:
        """Travel cards by letter."""
        return {pile.letter: pile for pile in self.journeys}

    @cached_property
    def church(self) -> Mapping[str, Church]:
        """Churches by id."""
        return {card.id: card for card in self.churches}

    @cached_property
    def monk(self) -> Mapping[str, Monk]:
        """Kinds of monks by id."""
        return {card.id: card for card in self.monks}

    @cached_property
    def chamber(self) -> Mapping[str, Chamber]:
        """Council chambers by id."""
        return {card.id: card for card in self.chambers}

    @cached_property
    def priced(self) -> Mapping[str, tuple[Totals, int]]:
        """Every card that can be bought by its name -> the numbers of its black flag, and its hours."""
        cards: tuple[Craft | Church | Monk | Chamber, ...] = (
            *self.craft.values(), *self.churches, *self.monks, *self.chambers
        )  # fmt: skip
        return {
            **{card.id: (card.black, card.hours) for card in cards},
            FIELD: (self.field.black, self.field.hours),
            MEETING: (self.meeting_place.black, self.meeting_place.hours),
        }


def read_components(tables: Tables) -> Components:
    """
    Return *tables* as components.

    Raises: TableError `table.value` for a wrong type, an id that is missing or stands twice, or falling prices.
    """
    components = read_tables(tables, Components)
    found: dict[str, tuple[list[str], tuple[str, ...]]] = {
        "crafts": ([card.id for kind in components.crafts for card in kind.cards], CRAFTS),
        "customers": ([card.id for card in components.customers.cards], CUSTOMERS),
        "journeys": ([card.id for pile in components.journeys for card in pile.cards], JOURNEYS),
        "churches": ([card.id for card in components.churches], CHURCHES),
        "monks": ([card.id for card in components.monks], MONKS),
        "chambers": ([card.id for card in components.chambers], CHAMBERS),
    }
    for block, (given, expected) in found.items():
        if sorted(given) != sorted(expected):
            raise TableError("table.value", detail=f"{block}: {expected[0]} to {expected[-1]}, each once")
    for kind in components.crafts:
        if any(card.good != kind.good for card in kind.cards):
            raise TableError("table.value", detail=f"crafts: {kind.good} has a building of another good")
    for pile in components.journeys:
        if any(card.letter != pile.letter for card in pile.cards):
            raise TableError("table.value", detail=f"journeys: {pile.letter} has a card of another letter")
    prices = components.steward.prices
    falls = any(one[0] > other[0] or one[1] > other[1] for one, other in pairwise(prices))
    if not prices or falls:
        raise TableError("table.value", detail="steward: prices for 1, 2, … customers that do not fall")
    if not components.window.points:
        raise TableError("table.value", detail="window: points for 0, 1, 2, … monks")
    return components
