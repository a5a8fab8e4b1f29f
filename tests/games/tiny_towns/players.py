"""Bots with a whim: where games of chance seldom go, players of one mind soon get."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct
from msgspec.structs import replace

from engine.core.bots import Bot, Roll
from engine.core.ruleset import Ruleset
from engine.core.types import Seat
from engine.tiny_towns.bot import greedy, growth
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import NUMBER, Layout, pack, placements
from engine.tiny_towns.moves import Add, AnyMove, Build, Name, Place, Swap, Take
from engine.tiny_towns.rules.building import cards_of
from engine.tiny_towns.rules.pieces import at_square
from engine.tiny_towns.scoring import parts
from engine.tiny_towns.state import Placing, Putting, State, Town, masks, with_town

USUAL = 10
OWN = "own"
"""Among the aims: the own Monument, until it stands."""

BEST = "best"
"""Among the aims: all cards, that first whose piece would bring most points now."""


class Whim(Struct, frozen=True):
    """
    What a player likes.

    `weights`  pattern of a move's text -> how often it is chosen beside the others; the first that fits counts, and
               `USUAL` if none does; where all weights are 0 every move is as good
    `aims`     the cards that cubes are named and placed for, the dearest first; () anything goes anywhere
    `sense`    how many of a hundred moves, of those that no aim decides, are those of the greedy bot
    """

    weights: tuple[tuple[str, int], ...] = ()
    aims: tuple[str, ...] = ()
    sense: int = 0

    def weight(self, text: str) -> int:
        """Return the weight of the move with this *text*."""
        return next((weight for pattern, weight in self.weights if fnmatchcase(text, pattern)), USUAL)


_EAGER = (("done", 1), ("build *", 90))
_IDLE = Whim((("build *", 0), ("activate *", 0), ("scrap *", 0), ("swap *", 0), ("cavern", 0), ("store *", 0)))
_SENSIBLE = Whim((("activate *", 30), ("scrap *", 5), ("skip", 3), *_EAGER), sense=80)
_BANKER = Whim(
    (
        ("keep guild", 90), ("keep university", 60), ("keep watch", 60), ("add bank *", 900), ("replace * bank", 900),
        ("activate renovate *", 900), ("build bank *", 90), ("build guild *", 90), ("build university *", 90),
        ("build *", 0), ("done", 1), ("activate *", 3), ("scrap *", 1), ("skip", 3), ("settle *", 30),
    ), ("bank", OWN, "bank"),
)  # fmt: skip

PLAYERS: Mapping[str, tuple[Whim, ...]] = {
    "random": (Whim(),),
    # fill the town with cubes
    "idlers": (_IDLE,),
    # one builds, the others do not
    "one-builder": (_SENSIBLE, _IDLE),
    # play as well as they can
    "sensible": (_SENSIBLE,),
    "greedy": (Whim(sense=95),),
    # lay cubes for their Monument, and then for all cards
    "founders": (Whim((("build *", 90), ("done", 1), ("activate *", 60), ("settle *", 30), ("skip", 5),
                       ("scrap *", 3)), (OWN, "bank", "trading-post", "cottage")),),
    # the same, and would rather keep what comes than place it
    "keepers": (Whim((("keep statue", 90), ("store *", 90), ("exchange *", 90), ("swap *", 60), ("cavern", 30),
                      ("scrap *", 30), ("build *", 90), ("done", 1)),
                     (OWN, "warehouse", "factory", "cottage")),),
    # fill the town with Trading Posts
    "traders": (Whim((("keep university", 90), ("build trading-post *", 90), ("build university *", 30),
                      ("build *", 1), ("done", 3), ("replace * trading-post", 90), ("add trading-post *", 60),
                      ("activate renovate *", 90)), ("trading-post", OWN, "trading-post")),),
    # use their villagers whenever they can
    "employers": (Whim((("activate cooperate *", 900), ("activate *", 300), ("scrap *", 30), *_EAGER),
                       ("shed", "well", "cottage", "tavern", OWN)),
                  Whim((("activate *", 300), ("scrap *", 3), *_EAGER), sense=60)),
    # go for points
    "scorers": (Whim((("activate *", 20), ("scrap *", 3), ("swap *", 3), ("store *", 3), ("cavern", 3), *_EAGER),
                     (OWN, BEST), sense=95),),
    # feed Cottages
    "feeders": (Whim((("keep castle", 90), ("activate *", 60), *_EAGER, ("scrap *", 3)),
                     ("cottage", "greenhouse", "farm", "temple", OWN, "cottage")),),
    # save workers for what costs most
    "savers": (Whim((("activate cooperate *", 900), ("activate innovate *", 300), ("activate renovate *", 60),
                     ("activate cut-corners *", 1), ("activate forage *", 4), ("scrap *", 2), ("build *", 90),
                     ("done", 9)), ("shed", "well", "cottage", "tavern", OWN)),),
    # let others' resources go, and construct late
    "refusers": (Whim((("scrap *", 60), ("cavern", 60), ("activate *", 90), ("build *", 20), ("done", 30)), sense=40),),
    # keep what lies on the Watch
    "watchers": (Whim((("keep watch", 900), ("build watch *", 900), ("settle *", 0), ("skip", 60), *_EAGER),
                      (OWN, "cottage", "tavern", "shed")),),
    # build Fort Ironweed and the Starloom
    "hermits": (Whim((("keep fort", 900), ("keep starloom", 900), ("build fort *", 900), ("build starloom *", 900),
                      ("activate *", 20), *_EAGER), (OWN, "tavern", "cottage")),),
    # fill the town with Banks
    "bankers": (_BANKER,),
    # one does, and the others name what it needs
    "one-banker": (_BANKER, Whim((("keep fort", 900), ("activate *", 20), *_EAGER), ("bank", "cottage", OWN))),
}  # fmt: skip


def make_bot(name: str, roll: Roll) -> Bot:
    """Return a bot with the whim that the players with this *name* have at its seat."""
    whims = PLAYERS[name]

    def choose(ruleset: Ruleset[State, AnyMove, object], state: State, seat: Seat) -> AnyMove:
        whim = whims[seat % len(whims)]
        moves = list(ruleset.legal(state, seat))
        aimed = bool(whim.aims) and any(isinstance(move, Name | Take | Place) for move in moves)
        if whim.sense and not aimed and roll(100) < whim.sense:
            return greedy(ruleset, state, seat)
        weights = [whim.weight(ruleset.grammar.format_move(move)) for move in moves]
        if whim.aims:
            weights = _aimed(state, seat, whim, moves, weights)
        return moves[_chosen(weights if any(weights) else [1] * len(moves), roll)]

    return choose


def _chosen(weights: Sequence[int], roll: Roll) -> int:
    left = roll(sum(weights))
    for at, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return at
    raise AssertionError("the weights add up to their total")


def _aimed(state: State, seat: Seat, whim: Whim, moves: Sequence[AnyMove], weights: list[int]) -> list[int]:
    """Return *weights* in which of all names, and of all squares for one thing, only the best are left."""
    layouts = tuple(state.tables.card(card).layout for card in _aims(state, seat, whim))
    kinds = [_kind(move) for move in moves]
    values = [_value(state, seat, layouts, move) if kind else 0.0 for move, kind in zip(moves, kinds, strict=True)]
    best = {kind: max(value for value, one in zip(values, kinds, strict=True) if one == kind) for kind in kinds}
    return [
        weight if not kind or value == best[kind] else 0
        for weight, value, kind in zip(weights, values, kinds, strict=True)
    ]


def _aims(state: State, seat: Seat, whim: Whim) -> tuple[str, ...]:
    """Return the aims that can be constructed, then all that can."""
    possible = cards_of(state, seat)
    named = (state.players[seat].monument if card == OWN else card for card in whim.aims)
    others: Sequence[str] = possible if OWN in whim.aims else ()
    if BEST in whim.aims:
        others = sorted(possible, key=lambda card: _gain(state, seat, card), reverse=True)
    return (*(card for card in named if card in possible), *others)


def _gain(state: State, seat: Seat, card: str) -> int:
    """Return the points of *seat* with one more piece of *card*, on its best square."""
    town = state.town(seat)
    bare = [at for at, name in enumerate(town.buildings) if not name]
    pieces = (replace(town, buildings=at_square(town.buildings, at, card)) for at in bare)
    return max((sum(parts(with_town(state, seat, one), seat)) for one in pieces), default=0)


def _kind(move: AnyMove) -> str:
    if isinstance(move, Name | Take | Swap | Place):
        return type(move).__name__
    return f"build {move.card}" if isinstance(move, Build) else f"add {move.what}" if isinstance(move, Add) else ""


def _value(state: State, seat: Seat, layouts: Sequence[Layout], move: AnyMove) -> float:
    """Return what the town is worth for *layouts* once this is done: how far they have grown, then their room."""
    town, phase = state.town(seat), state.stacks[seat][-1]
    if isinstance(move, Name | Take | Swap):
        return max(_outlook(_with_cube(town, at, move.resource), layouts) for at in town.empty)
    if isinstance(move, Place):
        assert isinstance(phase, Placing | Putting)
        return _outlook(_with_cube(town, NUMBER[move.square], phase.resource), layouts)
    assert isinstance(move, Add | Build)
    square, what = NUMBER[move.square], move.what if isinstance(move, Add) else move.card
    if what in RESOURCES:
        return _outlook(_with_cube(town, square, what), layouts)
    return _outlook(replace(_with_cube(town, square, ""), buildings=at_square(town.buildings, square, what)), layouts)


def _with_cube(town: Town, square: int, resource: str) -> Town:
    return replace(town, cubes=at_square(town.cubes, square, resource))


def _outlook(town: Town, layouts: Sequence[Layout]) -> float:
    """Return how far *layouts* have grown side by side, the first most, and how often the first still has room."""
    cubes, wild = masks(town)
    empty, value = pack(town.empty), 0.0
    room = empty | wild | cubes[0] | cubes[1] | cubes[2] | cubes[3] | cubes[4]
    for number, layout in enumerate(layouts):
        share, mask = growth(layout, cubes, wild, empty)
        value += share * share / (number + 1)
        cubes = tuple(held & ~mask for held in cubes)
        wild, empty = wild & ~mask, empty & ~mask
    return value + 0.001 * sum(not one.mask & ~room for one in placements(layouts[0])) if layouts else value
