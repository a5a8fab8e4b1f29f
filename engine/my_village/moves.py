"""One frozen value for each kind of move, and `GRAMMAR`: what a move looks like as text, both ways."""

from msgspec import Struct

from engine.core.grammar import Arg, Grammar, Verb
from engine.my_village.components import AREAS, BOUGHT, CUSTOMERS, FIELD, GOODS, LETTERS, MEETING, PROFESSIONS
from engine.my_village.state import BLACK, FACES, LEFT, PLAY, RIGHT, SCHOOL, SPACES, WHITE

DICE = tuple(f"{colour}-{face}" for colour in (WHITE, BLACK) for face in FACES)
"""Every die as it may lie in the pool."""

FLAGS = (PLAY, SCHOOL, *GOODS, FIELD, MEETING, *CUSTOMERS)
"""Every white flag that can bear the 2/12 tile."""


class Total(Struct, frozen=True):
    """Choose the total that two dice are to make."""

    total: int


class House(Struct, frozen=True):
    """Use the main house; `space` is where the headman goes, "" at the beginning of a turn: the dice come first."""

    space: str = ""


class TakeDice(Struct, frozen=True):
    """Take two dice from the pool: white before black, then the lower first."""

    first: str
    second: str


class Change(Struct, frozen=True):
    """Say what the two dice show in the end: the white one first, of one colour the lower first."""

    first: int
    second: int


class Done(Struct, frozen=True):
    """Use no more flags, or take no more customers."""


class Buy(Struct, frozen=True):
    """Buy a card by its black flag."""

    card: str


class Travel(Struct, frozen=True):
    """Buy the travel card of a letter."""

    letter: str


class Steward(Struct, frozen=True):
    """Use the steward's office."""


class Hand(Struct, frozen=True):
    """Take the hand tile."""


class PlayFlag(Struct, frozen=True):
    """Use the play flag."""


class Enrol(Struct, frozen=True):
    """School: a new pupil on the left."""


class Advance(Struct, frozen=True):
    """School: the pupil on the left goes to the right."""


class Promote(Struct, frozen=True):
    """School: the pupil of a space becomes a villager."""

    space: str
    profession: str


class Make(Struct, frozen=True):
    """Make a good in an own building."""

    good: str


class Farm(Struct, frozen=True):
    """Use a field."""


class Serve(Struct, frozen=True):
    """Serve a customer with its goods."""

    customer: str


class Joker(Struct, frozen=True):
    """Serve a customer with the joker in the place of a good."""

    customer: str
    good: str


class Meeting(Struct, frozen=True):
    """Use the meeting place."""


class SetDie(Struct, frozen=True):
    """Meeting place: the die with one face gets another."""

    old: int
    new: int


class Take(Struct, frozen=True):
    """Take a customer at the steward's office."""

    customer: str


class PutTile(Struct, frozen=True):
    """Lay the 2/12 tile on a white flag of the own village."""

    flag: str


class Mark(Struct, frozen=True):
    """Mark an area or a profession on the new chamber."""

    what: str


class Pick(Struct, frozen=True):
    """Cellarer: take a good."""

    good: str


class Keep(Struct, frozen=True):
    """Travel church: take the card seen."""


class Other(Struct, frozen=True):
    """Travel church: put the card seen under, and take the next one."""


class Bury(Struct, frozen=True):
    """Say who dies."""

    profession: str


class Hire(Struct, frozen=True):
    """Say which profession the day labourer takes."""

    profession: str


class First(Struct, frozen=True):
    """Chance: the seat that begins."""

    seat: int


class Deal(Struct, frozen=True):
    """Chance: the number of a village board."""

    board: int


class Draw(Struct, frozen=True):
    """Chance: a customer or a travel card."""

    card: str


class Roll(Struct, frozen=True):
    """Chance: what a die shows."""

    face: int


Move = (
    Total | House | TakeDice | Change | Done | Buy | Travel | Steward | Hand | PlayFlag | Enrol | Advance | Promote
    | Make | Farm | Serve | Joker | Meeting | SetDie | Take | PutTile | Mark | Pick | Keep | Other | Bury | Hire
    | First | Deal | Draw | Roll
)  # fmt: skip

_FLAGS = ("my.flags",)
_GOOD = Arg("good", GOODS)
_CUSTOMER = Arg("customer", CUSTOMERS)
_PROFESSION = Arg("profession", PROFESSIONS)

GRAMMAR: Grammar[Move] = Grammar(
    (
        Verb("total", Total, (Arg("total", numbers=(2, 12)),), ("my.total",), leads=("dice",), number="total"),
        Verb("house", House, (Arg("space", SPACES, optional=True),), ("my.total", "my.flags", "my.step")),
        Verb("dice", TakeDice, (Arg("first", DICE, kind="die"), Arg("second", DICE, kind="die")), ("my.dice",)),
        Verb("change", Change, (Arg("first", numbers=(1, 6)), Arg("second", numbers=(1, 6))), ("my.change",)),
        Verb("done", Done, (), ("my.flags", "my.customers"), closes=("my.flags", "my.customers")),
        Verb("buy", Buy, (Arg("card", BOUGHT, explicit=("travel-church",)),), _FLAGS, leads=("tile", "mark", "pick")),
        Verb("travel", Travel, (Arg("letter", LETTERS),), _FLAGS),
        Verb("steward", Steward, (), _FLAGS, leads=("take",)),
        Verb("hand", Hand, (), _FLAGS),
        Verb("play", PlayFlag, (), _FLAGS),
        Verb("enrol", Enrol, (), _FLAGS),
        Verb("advance", Advance, (), _FLAGS),
        Verb("promote", Promote, (Arg("space", (LEFT, RIGHT), kind="desk"), _PROFESSION), _FLAGS),
        Verb("make", Make, (_GOOD,), _FLAGS),
        Verb("farm", Farm, (), _FLAGS),
        Verb("serve", Serve, (_CUSTOMER,), _FLAGS),
        Verb("joker", Joker, (_CUSTOMER, _GOOD), _FLAGS, explicit=True),
        Verb("meeting", Meeting, (), _FLAGS, leads=("set",)),
        Verb("set", SetDie, (Arg("old", numbers=(1, 6)), Arg("new", numbers=(1, 6))), ("my.face",)),
        Verb("take", Take, (_CUSTOMER,), ("my.customers",), leads=("take",)),
        Verb("tile", PutTile, (Arg("flag", FLAGS),), ("my.tile",)),
        Verb("mark", Mark, (Arg("what", (*AREAS, *PROFESSIONS), kind="mark"),), ("my.mark",)),
        Verb("pick", Pick, (_GOOD,), ("my.good",)),
        Verb("keep", Keep, (), ("my.journey",)),
        Verb("other", Other, (), ("my.journey",)),
        Verb("bury", Bury, (_PROFESSION,), ("my.death",)),
        Verb("hire", Hire, (_PROFESSION,), ("my.labourer",)),
        Verb("first", First, (Arg("seat", numbers=(0, 3)),), ("my.first",)),
        Verb("deal", Deal, (Arg("board", numbers=(1, 4)),), ("my.board",)),
        Verb("draw", Draw, (Arg("card"),), ("my.customer", "my.look", "my.travel")),
        Verb("roll", Roll, (Arg("face", numbers=(1, 6)),), ("my.die", "my.rat")),
    )
)
