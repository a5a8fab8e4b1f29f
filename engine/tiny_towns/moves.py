"""One frozen value for each kind of move, and `GRAMMAR`: what a move looks like as text, both ways."""

from msgspec import Struct

from engine.core.grammar import Arg, Grammar, Verb
from engine.tiny_towns.components import BUILDINGS, HELPERS, MONUMENTS, RESOURCES
from engine.tiny_towns.layouts import CORNERS, SQUARES


class Keep(Struct, frozen=True):
    """Keep one of the two monuments dealt."""

    monument: str


class Corners(Struct, frozen=True):
    """Put the villagers on these corners, in the order of the squares."""

    squares: tuple[str, ...]


class Name(Struct, frozen=True):
    """Name a resource as Master Builder."""

    resource: str


class Take(Struct, frozen=True):
    """Choose a resource: freely, or an open card."""

    resource: str


class Place(Struct, frozen=True):
    """Put the cube of the round, or what came instead of it, on a square."""

    square: str


class Swap(Struct, frozen=True):
    """Factory: take another resource than the one named."""

    resource: str


class Store(Struct, frozen=True):
    """Put the cube of the round on an own Warehouse, or (Statue of the Bondmaker) on an own Cottage."""

    square: str


class Exchange(Struct, frozen=True):
    """Put the cube of the round on an own Warehouse and take another one from there."""

    square: str
    resource: str


class Cavern(Struct, frozen=True):
    """Set the cube of the round aside."""


class Scrap(Struct, frozen=True):
    """Give up the cube of the round; the workers on these squares pay."""

    squares: tuple[str, ...]


class Build(Struct, frozen=True):
    """Construct a card; its piece goes on the square."""

    card: str
    square: str


class Use(Struct, frozen=True):
    """Say which cubes are used, where there is a choice: the squares whose cubes leave, in order."""

    squares: tuple[str, ...]


class Give(Struct, frozen=True):
    """Cooperate: give the cube of this square, or let the Trading Post there stand in."""

    square: str


class Activate(Struct, frozen=True):
    """Activate the ability of a villager card; the workers on these squares pay."""

    helper: str
    squares: tuple[str, ...]


class Mark(Struct, frozen=True):
    """Put a marker on the Bank or the Factory just set."""

    resource: str


class Replace(Struct, frozen=True):
    """Replace the building on a square."""

    square: str
    card: str


class Add(Struct, frozen=True):
    """Set a building from the supply, or a cube, on an empty square."""

    what: str
    square: str


class Stock(Struct, frozen=True):
    """Put three different buildings on Opaleye's Watch, in the order of the cards."""

    cards: tuple[str, ...]


class Settle(Struct, frozen=True):
    """Set the piece from Opaleye's Watch on a square."""

    square: str


class Move(Struct, frozen=True):
    """Move a villager to the next square."""

    origin: str
    square: str


class Lodge(Struct, frozen=True):
    """Put a villager from the Lodge on a square."""

    square: str


class Done(Struct, frozen=True):
    """Construct and activate no more in this round."""


class Skip(Struct, frozen=True):
    """Leave the effect, or the rest of it, undone."""


class Draw(Struct, frozen=True):
    """Chance: a card."""

    what: str


class Hammer(Struct, frozen=True):
    """Chance: who is the first Master Builder."""

    seat: int


AnyMove = (
    Keep | Corners | Name | Take | Place | Swap | Store | Exchange | Cavern | Scrap | Build | Use | Give | Activate
    | Mark | Replace | Add | Stock | Settle | Move | Lodge | Done | Skip | Draw | Hammer
)  # fmt: skip

CORNER_NAMES = tuple(SQUARES[at] for at in CORNERS)
_SQUARE = Arg("square", SQUARES)
_SQUARES = Arg("squares", SQUARES, kind="square", many=True)
_RESOURCE = Arg("resource", RESOURCES)
_CARD = Arg("card", (*BUILDINGS, *MONUMENTS))
_PIECE = Arg("card", BUILDINGS)

_BUILT = ("towns.build", "towns.cut-corners", "towns.innovate", "towns.cooperate")
_DRAWN = ("towns.card", "towns.helper", "towns.deal", "towns.resource", "towns.open")

_BEFORE_DONE = ("place", "store", "cavern", "scrap", "use", "give", "mark", "replace", "add", "stock", "skip")
"""What is said last before a turn may be done: nothing that wants another answer."""

GRAMMAR: Grammar[AnyMove] = Grammar(
    (
        Verb("keep", Keep, (Arg("monument", MONUMENTS, kind="card"),), ("towns.monument",)),
        Verb("corners", Corners, (Arg("squares", CORNER_NAMES, kind="square", many=True),), ("towns.corners",)),
        Verb("name", Name, (_RESOURCE,), ("towns.name",)),
        Verb("take", Take, (_RESOURCE,), ("towns.take",)),
        Verb("place", Place, (_SQUARE,), ("towns.place", "towns.put")),
        Verb("swap", Swap, (_RESOURCE,), ("towns.place",)),
        Verb("store", Store, (_SQUARE,), ("towns.place",)),
        Verb("exchange", Exchange, (_SQUARE, _RESOURCE), ("towns.place",)),
        Verb("cavern", Cavern, (), ("towns.place",)),
        Verb("scrap", Scrap, (_SQUARES,), ("towns.place",)),
        Verb("done", Done, (), ("towns.build",), closes=("towns.build",), follows=_BEFORE_DONE, unless=("build",)),
        Verb("build", Build, (_CARD, _SQUARE), _BUILT),
        Verb("use", Use, (_SQUARES,), ("towns.cubes",)),
        Verb("give", Give, (_SQUARE,), ("towns.give",)),
        Verb("activate", Activate, (Arg("helper", HELPERS), _SQUARES), ("towns.build",)),
        Verb("mark", Mark, (_RESOURCE,), ("towns.mark",)),
        Verb("replace", Replace, (_SQUARE, _PIECE), ("towns.guild", "towns.renovate")),
        Verb(
            "add", Add, (Arg("what", (*BUILDINGS, *RESOURCES), kind="piece"), _SQUARE),
            ("towns.university", "towns.forage", "towns.forge"),
        ),
        Verb("stock", Stock, (Arg("cards", BUILDINGS, kind="card", many=True),), ("towns.stock",)),
        Verb("settle", Settle, (_SQUARE,), ("towns.watch",)),
        Verb("skip", Skip, (), ("towns.guild", "towns.forge", "towns.watch"), closes=("towns.guild",)),
        Verb("move", Move, (Arg("origin", SQUARES, kind="square"), _SQUARE), ("towns.villagers",)),
        Verb("lodge", Lodge, (_SQUARE,), ("towns.lodge",)),
        Verb("draw", Draw, (Arg("what", (*BUILDINGS, *MONUMENTS, *HELPERS, *RESOURCES), kind="piece"),), _DRAWN),
        Verb("hammer", Hammer, (Arg("seat", numbers=(0, 5)),), ("towns.first",)),
    )
)  # fmt: skip
