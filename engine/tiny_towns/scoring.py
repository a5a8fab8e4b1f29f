"""
Points: each card by its own rule, and the order of the seats.

What `points` of a card stand for is told at its rule below. Source of every rule: the card, and its clarification in
the rules; what is ours stands in README.md.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, islice
from types import MappingProxyType

from msgspec import Struct

from engine.core.types import Standing, make_standings
from engine.tiny_towns.components import COLOURS, MONUMENT, Components
from engine.tiny_towns.layouts import ALL, CENTRE, CORNERS, Squares, around, beside, groups, in_column, in_row
from engine.tiny_towns.state import State, Town

PARTS = (*COLOURS, MONUMENT, "empty")
"""Where points come from: the card of each colour, the own Monument, the empty squares."""

CASTLE, COTTAGE, FED_CHAPEL, MAUSOLEUM, TEMPLE = "castle", "cottage", "chapel", "mausoleum", "temple"
COTTAGES_OF_CASTLE = 2


class Facts(Struct, frozen=True):
    """
    A town as the cards look at it.

    `types`   the type on each square: a colour, "monument", or ""; a Castle reads as a Cottage
    `fed`     squares whose building is fed
    `empty`   squares without a building
    `right`   green buildings of the player on the right; `most` buildings of the neighbour who has most, -1 none
    `place`   the place in which the town was completed, 0 not yet
    """

    tables: Components
    town: Town
    types: tuple[str, ...]
    fed: Squares
    empty: Squares
    right: int
    most: int
    place: int

    def points(self, card: str) -> tuple[int, ...]:
        """Return the figures of *card*."""
        return self.tables.points(card)

    def types_at(self, squares: Squares) -> set[str]:
        """Return the types that stand on *squares*."""
        return {self.types[at] for at in squares} - {""}

    def cottages_at(self, squares: Squares, *, fed: bool = False) -> int:
        """Return how many Cottages (only those that are *fed*) stand on *squares*; a Castle counts as two."""
        found = [at for at in squares if at in self.fed] if fed else squares
        names = [self.town.buildings[at] for at in found]
        return names.count(COTTAGE) + COTTAGES_OF_CASTLE * names.count(CASTLE)


# --- one building: points of the card on a square ---


def _beside_one_of(card: str, *types: str) -> Callable[[Facts, int], int]:
    """Return points once, if a neighbour is of one of *types*."""
    return lambda facts, at: facts.points(card)[0] if facts.types_at(beside(at)) & {*types} else 0


def _beside_none_of(card: str, *types: str) -> Callable[[Facts, int], int]:
    """Return points, unless a neighbour is of one of *types*."""
    return lambda facts, at: 0 if facts.types_at(beside(at)) & {*types} else facts.points(card)[0]


def _flat(card: str) -> Callable[[Facts, int], int]:
    """Return points, whatever stands around."""
    return lambda facts, _at: facts.points(card)[0]


def _nothing(_facts: Facts, _at: int) -> int:
    """Return no points."""
    return 0


def _cottage(facts: Facts, at: int) -> int:
    """Return points if fed; unfed, those of the Mausoleum if it stands in town."""
    if at in facts.fed:
        return facts.points(COTTAGE)[0]
    return facts.points(MAUSOLEUM)[0] if MAUSOLEUM in facts.town.buildings else 0


def _well(facts: Facts, at: int) -> int:
    """Return points for each Cottage beside it, fed or not."""
    return facts.points("well")[0] * facts.cottages_at(beside(at))


def _chapel(facts: Facts, _at: int) -> int:
    """Return points for each fed Cottage of the town."""
    return facts.points(FED_CHAPEL)[0] * facts.cottages_at(facts.fed)


def _cloister(facts: Facts, _at: int) -> int:
    """Return points for each orange building on a corner."""
    return facts.points("cloister")[0] * sum(facts.types[at] == "orange" for at in CORNERS)


def _temple(facts: Facts, at: int) -> int:
    """Return points beside two or more fed Cottages."""
    enough = facts.cottages_at(beside(at), fed=True) >= COTTAGES_OF_CASTLE
    return facts.points(TEMPLE)[0] if enough else 0


def _citadel(facts: Facts, at: int) -> int:
    """Return points for each empty square beside it."""
    return facts.points("citadel")[0] * sum(to in facts.empty for to in beside(at))


def _feast_hall(facts: Facts, _at: int) -> int:
    """Return the first figure, or the second with more green buildings than the player on the right."""
    plain, more = facts.points("feast-hall")[:2]
    return more if facts.types.count("green") > facts.right else plain


def _inn(facts: Facts, at: int) -> int:
    """Return points if no other green building shares row or column."""
    return 0 if "green" in facts.types_at(in_row(at) + in_column(at)) else facts.points("inn")[0]


def _travelers_center(facts: Facts, at: int) -> int:
    """Return points beside an empty square."""
    return facts.points("travelers-center")[0] if any(to in facts.empty for to in beside(at)) else 0


def _market(facts: Facts, at: int) -> int:
    """Return points for each yellow building of the row, or of the column, itself included: the larger."""
    counts = [1 + sum(facts.types[to] == "yellow" for to in line(at)) for line in (in_row, in_column)]
    return facts.points("market")[0] * max(counts)


def _tailor(facts: Facts, _at: int) -> int:
    """Return the first figure, and the second for each yellow building on the four centre squares."""
    base, each = facts.points("tailor")[:2]
    return base + each * sum(facts.types[to] == "yellow" for to in CENTRE)


def _theater(facts: Facts, at: int) -> int:
    """Return points for each other type in row and column."""
    return facts.points("theater")[0] * len(facts.types_at(in_row(at) + in_column(at)) - {"yellow"})


def _warehouse(facts: Facts, at: int) -> int:
    """Return points (below zero) for each cube held."""
    return facts.points("warehouse")[0] * len(facts.town.held[at])


EACH: Mapping[str, Callable[[Facts, int], int]] = MappingProxyType(
    {
        COTTAGE: _cottage,
        **dict.fromkeys(("farm", "granary", "greenhouse", "orchard", "factory"), _nothing),
        "fountain": _beside_one_of("fountain", "grey"),
        "millstone": _beside_one_of("millstone", "red", "yellow"),
        "shed": _flat("shed"),
        "well": _well,
        "abbey": _beside_none_of("abbey", "black", "green", "yellow"),
        FED_CHAPEL: _chapel,
        "cloister": _cloister,
        TEMPLE: _temple,
        "citadel": _citadel,
        "feast-hall": _feast_hall,
        "inn": _inn,
        "travelers-center": _travelers_center,
        "bakery": _beside_one_of("bakery", "red", "black"),
        "market": _market,
        "tailor": _tailor,
        "theater": _theater,
        "bank": _flat("bank"),
        "trading-post": _flat("trading-post"),
        "warehouse": _warehouse,
        "forge": _flat("forge"),
    }
)
"""Card -> the points of one of its buildings."""

SETS = ("almshouse", "tavern")
"""Cards that score once for all of their buildings: the figure for so many, the last one for more."""


# --- the Monument ---


def _largest_group(facts: Facts) -> int:
    """Return the size of the largest group of one type; a Monument alone is a group of one."""
    types = facts.types_at(tuple(ALL))
    sizes = (len(group) for kind in types for group in groups(tuple(at for at in ALL if facts.types[at] == kind)))
    return max(sizes)


def _ordinary(facts: Facts, squares: Squares) -> set[str]:
    """Return the types on *squares* without Monuments."""
    return facts.types_at(squares) - {MONUMENT}


def _starloom(facts: Facts) -> int:
    """Return the figure of the place in which the town was completed."""
    table = facts.points("starloom")
    return table[facts.place - 1] if 0 < facts.place <= len(table) else 0


def _folly(facts: Facts) -> int:
    """Return the second figure if no neighbour has more buildings, else the first."""
    less, more = facts.points("folly")[:2]
    own = len(ALL) - len(facts.empty)
    return less if facts.most > own else more


def _forum(facts: Facts) -> int:
    """Return the first figure, and the second for each building of the largest group."""
    base, each = facts.points("forum")[:2]
    return base + each * _largest_group(facts)


def _at(facts: Facts) -> int:
    return facts.town.buildings.index(facts.town.monument)


OF_MONUMENT: Mapping[str, Callable[[Facts], int]] = MappingProxyType(
    {
        **{
            name: (lambda facts: facts.points(facts.town.monument)[0])
            for name in ("guild", "cathedral", "fort", "university")
        },
        **dict.fromkeys((MAUSOLEUM, "obelisk", "watch", "statue"), lambda _facts: 0),
        "archive": lambda facts: facts.points("archive")[0] * len(_ordinary(facts, tuple(ALL))),
        CASTLE: lambda facts: facts.points(CASTLE)[0] if _at(facts) in facts.fed else 0,
        "palace": lambda facts: facts.points("palace")[0] * len(_ordinary(facts, beside(_at(facts)))),
        "shrine": lambda facts: facts.town.shrine,
        "forum": _forum,
        "baths": lambda facts: facts.points("baths")[0] * (len(COLOURS) - len(_ordinary(facts, tuple(ALL)))),
        "starloom": _starloom,
        "folly": _folly,
    }
)
"""Monument -> its points."""


# --- feeding ---


def feedings(tables: Components, town: Town) -> Iterator[Squares]:
    """
    Yield every choice of squares that the feeders of a town can feed; the best is taken.

    Source: the red cards; our ruling "The best feeding".
    """
    hungry = town.squares(COTTAGE, CASTLE)
    always = {
        at
        for feeder, reach in (("granary", around), ("orchard", _cross))
        for square in town.squares(feeder)
        for at in reach(square)
        if at in hungry
    }
    farmed = min(len(hungry), tables.feeding.farm * len(town.squares("farm")))
    whole = groups(hungry)
    grouped = min(len(whole), len(town.squares("greenhouse")))
    for chosen in combinations(hungry, farmed):
        for fed in combinations(whole, grouped):
            yield tuple(sorted(always.union(chosen, *fed)))


def _cross(square: int) -> Squares:
    return in_row(square) + in_column(square)


# --- the whole ---


def parts(state: State, seat: int) -> tuple[int, ...]:
    """Return the points of *seat* by source, in the order of `PARTS`, as if the towns were scored now."""
    seats = len(state.players)
    town = state.town(seat)
    right = state.town((seat - 1) % seats) if seats > 1 else None
    neighbours = {(seat - 1) % seats, (seat + 1) % seats} - {seat}
    most = max((sum(map(bool, state.town(one).buildings)) for one in neighbours), default=-1)
    greens = sum(_type(state.tables, name) == "green" for name in right.buildings) if right is not None else 0
    return _parts(state.tables.kept, town.buildings, town.held, town.shrine, greens, most, place(state, seat))


def place(state: State, seat: int) -> int:
    """Return the place in which *seat* completed its town, 0 not yet. Source: our ruling "Places of the Starloom"."""
    completed = state.players[seat].completed
    if not completed:
        return 0
    return 1 + sum(0 < player.completed < completed for player in state.players)


@lru_cache(maxsize=1 << 12)
def _parts(  # noqa: PLR0917 - the key of a memory
    tables: Components,
    buildings: tuple[str, ...],
    held: tuple[tuple[str, ...], ...],
    shrine: int,
    greens: int,
    most: int,
    finished: int,
) -> tuple[int, ...]:
    town = Town(buildings=buildings, held=held, shrine=shrine)
    types = tuple(_type(tables, name) for name in buildings)
    empty = tuple(at for at in ALL if not buildings[at])
    choices = islice(feedings(tables, town), None if _feeding_matters(town) else 1)
    scores = (_score(Facts(tables, town, types, fed, empty, greens, most, finished)) for fed in choices)
    return max(scores, key=sum)


def _type(tables: Components, name: str) -> str:
    if not name:
        return ""
    return COLOURS[0] if name == CASTLE else tables.card(name).type


def _feeding_matters(town: Town) -> bool:
    """Return whether it matters which buildings are fed, and not only how many."""
    return any(town.squares(TEMPLE, CASTLE, "greenhouse"))


def _score(facts: Facts) -> tuple[int, ...]:
    points = dict.fromkeys(PARTS, 0)
    for at, name in enumerate(facts.town.buildings):
        if name in EACH:
            points[facts.tables.card(name).type] += EACH[name](facts, at)
        elif name in OF_MONUMENT:
            points[MONUMENT] += OF_MONUMENT[name](facts)
    for name in SETS:
        count = facts.town.buildings.count(name)
        if count:
            table = facts.points(name)
            points[facts.tables.card(name).type] += table[min(count, len(table)) - 1]
    if "cathedral" not in facts.town.buildings:
        points["empty"] -= len(facts.empty)
    return tuple(points.values())


def standings(state: State) -> tuple[Standing, ...]:
    """
    Return one standing for each seat, as if the towns were scored now; what is still in the hand counts nothing.

    Source: rules: ties go to fewest turns as Master Builder, fewest empty squares, most Cottages. Our rulings "Ties in
    Town Hall", "A Castle is no Cottage in a tie".
    """
    scored = [parts(state, seat) for seat in state.seats]
    ties = []
    for player in state.players:
        buildings = player.town.buildings
        turns = 0 if state.variant.town_hall else player.turns
        ties.append((turns, buildings.count(""), buildings.count(COTTAGE)))
    breaks = [(-turns, -empty, cottages) for turns, empty, cottages in ties]
    return make_standings(PARTS, scored, ties, breaks)
