"""
A greedy bot: for every total it plays its own turn to the end, flag by flag, and takes the total that it values most.

`play_for` makes one that favours a source of points; the balance of the table is measured with six of them.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from engine.core.bots import Bot
from engine.core.ruleset import Ruleset
from engine.core.types import CHANCE, Seat
from engine.my_village.components import GOODS, LETTERS, Customer
from engine.my_village.moves import Draw, Move
from engine.my_village.phases import PHASES
from engine.my_village.rules.travel import next_letter, surcharge
from engine.my_village.scoring import monks, parts
from engine.my_village.state import COIN, STORIES, Departing, Looking, State, Village
from engine.my_village.vocabulary import VOCABULARY

# Values in hundredths of a point.
POINT = 100
HOUR = 80
TREE = 62
AT_COIN = 12  # more for each story on the tree while the headman can bring it home next
AT_STORIES = 6
COINS = (40, 30, 20, 10)  # the first, second, …
MORE_COINS = 4
GOOD = 70
WANTED = 60  # more for a good that a customer in hand asks for
HELD = 34  # of each hundred points of a customer in hand, its goods apart
CRAFT = (360, 240, 140, 90, 60)  # the first, second, … building
FIELD = 90
CHURCH = 150
NEXT_MONK = 35  # of each hundred points that the next monk would bring
MEETING = 120
JOURNEY = 30  # of each hundred points that the next card would bring on the average
VILLAGER = 110
WORKER = 90  # more for one whose area is built
LEFT, RIGHT = 60, 110
HOLDER = 20

CHEAPEST = ("my.dice", "my.change")
"""Questions to which it gives the first answer, which costs least."""

Taste = Mapping[str, int]
"""Part of the score -> what a point of it is worth to a bot, in hundredths of a point."""

NO_TASTE: Taste = MappingProxyType({})


def greedy(ruleset: Ruleset[State, Move, Any], state: State, seat: Seat) -> Move:
    """Return the move of *seat* after which the rest of its turn, played likewise, leads to the best position."""
    return _best(ruleset, state, seat, NO_TASTE)


def play_for(part: str, worth: int = 140) -> Bot:
    """Return a greedy bot to which a point of the source *part* is *worth* so many hundredths."""
    assert part in VOCABULARY.parts, part
    taste = {part: worth}

    def choose(ruleset: Ruleset[State, Move, Any], state: State, seat: Seat) -> Move:
        return _best(ruleset, state, seat, taste)

    return choose


def _best(ruleset: Ruleset[State, Move, Any], state: State, seat: Seat, taste: Taste) -> Move:
    moves = list(ruleset.legal(state, seat))
    if len(moves) == 1 or PHASES.present(state).key in CHEAPEST:
        return moves[0]
    return max(moves, key=lambda move: _play_out(ruleset, ruleset.apply(state, seat, move).state, seat, taste))


def _play_out(ruleset: Ruleset[State, Move, Any], state: State, seat: Seat, taste: Taste) -> int:
    """Return the value of *state* for *seat* after the rest of its turn, taken flag by flag, up to a draw."""
    while _goes_on(state, seat):
        moves = list(ruleset.legal(state, seat))
        if PHASES.present(state).key in CHEAPEST:
            state = ruleset.apply(state, seat, moves[0]).state
            continue
        reached = (ruleset.apply(state, seat, move).state for move in moves)
        state = max(reached, key=lambda there: evaluate(_arrived(ruleset, there), seat, taste))
    return evaluate(_arrived(ruleset, state), seat, taste)


def _arrived(ruleset: Ruleset[State, Move, Any], state: State) -> State:
    """Return *state* after a journey that is paid has brought a card of the middle."""
    if not state.stack or not isinstance(state.stack[-1], Departing | Looking):
        return state
    cards = [card for card in state.deck(state.stack[-1].letter) if card != state.seen]
    middle = sorted(cards, key=lambda card: state.tables.journey[card].points)[len(cards) // 2]
    state = replace(state, stack=(*state.stack[:-1], Departing(state.stack[-1].letter)))
    return ruleset.apply(state, CHANCE, Draw(middle)).state


def _goes_on(state: State, seat: Seat) -> bool:
    """Return whether *seat* owes a decision of its running turn."""
    if not state.stack:
        return False
    row = PHASES.present(state)
    return row.key != "my.total" and row.decision(state).seat == seat


def evaluate(state: State, seat: Seat, taste: Taste = NO_TASTE) -> int:
    """
    Return what the position is worth to *seat*, from its own village alone.

    Units:  hundredths of a point.
    Source: none; the numbers were tuned by play against random and greedy bots.
    """
    village = state.villages[seat]
    points = zip(VOCABULARY.parts, parts(state, seat), strict=True)
    now = sum(number * taste.get(part, POINT) for part, number in points)
    if not state.stack:
        return now
    left = max(state.for_seats(state.tables.graves.limit) - state.graves, 0)
    share = 100 * left // state.for_seats(state.tables.graves.limit)
    hopes = _works(state, village, taste) + _hopes(state, village, taste)
    people = _people(village) + (HOLDER if state.holder == seat else 0)
    return now - HOUR * village.hours + _stories(village, taste) + _coins(village) + (hopes + people) * share // 100


def _stories(village: Village, taste: Taste) -> int:
    each = TREE + {COIN: AT_COIN, STORIES: AT_STORIES}.get(village.headman, 0)
    return village.tree * each * taste.get("stories", POINT) // POINT


def _coins(village: Village) -> int:
    return sum(COINS[: village.coins]) + MORE_COINS * max(village.coins - len(COINS), 0)


def _works(state: State, village: Village, taste: Taste) -> int:
    """Return the value of buildings, goods and fields."""
    market = taste.get("market", POINT)
    wanted: list[str] = []
    for customer in _held(state, village):
        wanted.extend(customer.goods)
    value = sum(CRAFT[: len(village.crafts)]) * market // POINT
    for good in GOODS:
        number = village.count(good)
        value += (number * GOOD + min(number, wanted.count(good)) * WANTED) * market // POINT
    return value + FIELD * village.fields


def _held(state: State, village: Village) -> list[Customer]:
    return [state.tables.customer[name] for name in village.customers]


def _hopes(state: State, village: Village, taste: Taste) -> int:
    """Return the value of what is begun: customers, journey, church, meeting place."""
    value = 0
    for customer in _held(state, village):
        able = sum(bool(village.craft(good)) for good in customer.goods)
        value += customer.points * HELD * (1 + able) // (1 + len(customer.goods)) * taste.get("market", POINT) // POINT
    letter = next_letter(state, village)
    if letter:
        deck = state.decks[LETTERS.index(letter)]
        mean = sum(state.tables.journey[card].points for card in deck) * POINT // max(len(deck), 1)
        hours, coins = surcharge(state, village)
        value += mean * JOURNEY // 100 * taste.get("travel", POINT) // POINT - 30 * (hours + coins)
    if village.church:
        window = state.tables.window.points
        at = monks(state, village)
        step = window[min(at + 1, len(window) - 1)] - window[min(at, len(window) - 1)]
        value += CHURCH + step * NEXT_MONK * taste.get("religion", POINT) // POINT
    return value + (MEETING if village.meeting else 0)


def _people(village: Village) -> int:
    """Return the value of villagers and pupils."""
    built = {
        "abbot": bool(village.church),
        "councilman": village.meeting,
        "traveller": bool(village.journeys),
        "craftsman": bool(village.crafts),
        "merchant": bool(village.customers),
    }
    value = sum(VILLAGER + (WORKER if built[one] else 0) for one in village.villagers)
    return value + LEFT * village.left + RIGHT * village.right
