"""One frozen value for each kind of move, and `GRAMMAR`: what a move looks like as text, both ways."""

from msgspec import Struct

from engine.core.grammar import Arg, Grammar, Verb
from engine.village.components import BUILDINGS, CITIES, COLOURS, GOODS
from engine.village.state import CUBES, SPACES, VISIBLE

COIN = "coin"
SCROLL = "scroll"
TIME = "time"


class Take(Struct, frozen=True):
    """Take a cube from a space."""

    colour: str
    space: str


class PayWell(Struct, frozen=True):
    """Pay the well: true cubes first, then the coins that replace some."""

    pay: tuple[str, ...]


class Act(Struct, frozen=True):
    """Choose the action: after paying the well, or free on the emptied board."""

    space: str


class Forgo(Struct, frozen=True):
    """Give up the free action on the emptied board."""


class Skip(Struct, frozen=True):
    """Leave the action, or the rest of it, undone."""


class Harvest(Struct, frozen=True):
    """Bring in the grain."""


class Birth(Struct, frozen=True):
    """Have the lowest member of the supply born."""


class Home(Struct, frozen=True):
    """Bring a member home from a spot on the board."""

    spot: str
    number: int


class Train(Struct, frozen=True):
    """Train a farmyard member on a building."""

    building: str
    number: int


class Make(Struct, frozen=True):
    """Make a good with an own craftsman, for time."""

    good: str


class Buy(Struct, frozen=True):
    """Buy a good for cubes; what grain buys needs no payment words."""

    good: str
    pay: tuple[str, ...] = ()


class Mill(Struct, frozen=True):
    """Turn time and grain into coins."""


class Sell(Struct, frozen=True):
    """Serve a customer; `pay` is the surcharge, "" for the free sale."""

    customer: str
    pay: str = ""


class Pass(Struct, frozen=True):
    """Stop for this market day, or for this part of the mass."""


class Depart(Struct, frozen=True):
    """Send a farmyard member to a city next to the village."""

    city: str
    number: int
    pay: tuple[str, ...]


class Travel(Struct, frozen=True):
    """Move a traveller along one road."""

    origin: str
    city: str
    number: int
    pay: tuple[str, ...]


class Enter(Struct, frozen=True):
    """Put a farmyard member on stage 1; `pay` is a scroll, or cubes and coins."""

    number: int
    pay: tuple[str, ...]


class Advance(Struct, frozen=True):
    """Move a member from this stage to the next; `pay` is a scroll, or cubes and coins."""

    stage: int
    number: int
    pay: tuple[str, ...]


class Use(Struct, frozen=True):
    """Use the privilege of a stage."""

    stage: int


class Choose(Struct, frozen=True):
    """Take influence cubes of free choice, in the order of the colours; one only if no second is there."""

    colour: str
    second: str = ""


class Pick(Struct, frozen=True):
    """Take a good of free choice."""

    good: str


class Pray(Struct, frozen=True):
    """Put a farmyard member into the black bag, for a cube, a coin or time."""

    number: int
    pay: str


class Bury(Struct, frozen=True):
    """Name the victim by the spot where it stands."""

    spot: str


class Redeem(Struct, frozen=True):
    """Buy an own member out of the black bag."""

    number: int


class Rise(Struct, frozen=True):
    """Move an own member from this window to the next on the left."""

    window: int
    number: int


class Draw(Struct, frozen=True):
    """Chance: a cube, a customer, a monk, or a member by colour and number."""

    what: str
    number: int = 0


Move = (
    Take | PayWell | Act | Forgo | Skip | Harvest | Birth | Home | Train | Make | Buy | Mill | Sell | Pass | Depart
    | Travel | Enter | Advance | Use | Choose | Pick | Pray | Bury | Redeem | Rise | Draw
)  # fmt: skip

_NUMBER = Arg("number", numbers=(1, 4))
_STAGE = Arg("stage", numbers=(1, 4))
_SPACE = Arg("space", SPACES)
_BUILDING = Arg("building", BUILDINGS)
_GOOD = Arg("good", GOODS)
_CITY = Arg("city", CITIES)
_PAY = Arg("pay", (*COLOURS, COIN), kind="payment", explicit=(COIN,), many=True)
_COUNCIL_PAY = Arg("pay", (SCROLL, *COLOURS, COIN), kind="payment", explicit=(COIN,), many=True)

_SKIPPED = tuple(
    f"village.{word}"
    for word in ("well", "harvest", "family", "crafts", "produce", "travel", "council", "privilege", "church")
)
_PASSED = ("village.market", "village.redeem", "village.rise")

GRAMMAR: Grammar[Move] = Grammar(
    (
        Verb("take", Take, (Arg("colour", CUBES), _SPACE), ("village.turn",)),
        Verb("well", PayWell, (_PAY,), ("village.turn",)),
        Verb("act", Act, (_SPACE,), ("village.turn", "village.well")),
        Verb("forgo", Forgo, (), ("village.turn",)),
        Verb("skip", Skip, (), _SKIPPED),
        Verb("harvest", Harvest, (), ("village.harvest",)),
        Verb("birth", Birth, (), ("village.family",)),
        Verb("home", Home, (Arg("spot", VISIBLE), _NUMBER), ("village.family",)),
        Verb("train", Train, (_BUILDING, _NUMBER), ("village.crafts",)),
        Verb("make", Make, (_GOOD,), ("village.crafts", "village.produce")),
        Verb("buy", Buy, (_GOOD, _PAY), ("village.crafts",)),
        Verb("mill", Mill, (), ("village.crafts",)),
        Verb(
            "sell",
            Sell,
            (
                Arg("customer"),
                Arg("pay", (*COLOURS, COIN), kind="payment", explicit=(COIN,), optional=True),
            ),
            ("village.market",),
        ),
        Verb("pass", Pass, (), _PASSED, closes=_PASSED),
        Verb("depart", Depart, (_CITY, _NUMBER, _PAY), ("village.travel",)),
        Verb("travel", Travel, (Arg("origin", CITIES, kind="city"), _CITY, _NUMBER, _PAY), ("village.travel",)),
        Verb("enter", Enter, (_NUMBER, _COUNCIL_PAY), ("village.council",)),
        Verb("advance", Advance, (_STAGE, _NUMBER, _COUNCIL_PAY), ("village.council",)),
        Verb("use", Use, (_STAGE,), ("village.council", "village.privilege")),
        Verb(
            "choose",
            Choose,
            (Arg("colour", COLOURS), Arg("second", COLOURS, kind="colour", optional=True)),
            ("village.cubes",),
        ),
        Verb("pick", Pick, (_GOOD,), ("village.good",)),
        Verb(
            "pray",
            Pray,
            (_NUMBER, Arg("pay", (*COLOURS, COIN, TIME), kind="payment", explicit=(COIN, TIME))),
            ("village.church",),
        ),
        Verb("bury", Bury, (Arg("spot", VISIBLE),), ("village.death",)),
        Verb("redeem", Redeem, (_NUMBER,), ("village.redeem",)),
        Verb("rise", Rise, (Arg("window", numbers=(1, 4)), _NUMBER), ("village.rise",)),
        Verb(
            "draw",
            Draw,
            (Arg("what", kind="piece"), Arg("number", numbers=(1, 4), optional=True)),
            ("village.cube", "village.customer", "village.piece"),
        ),
    )
)
