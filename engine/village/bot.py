"""A greedy bot: it looks through its own follow-up decisions of the same turn and takes what it values most."""

from collections.abc import Iterable, Iterator
from typing import Any

from engine.core.ruleset import Ruleset
from engine.core.types import Seat
from engine.village.components import BUILDINGS, COLOURS, GOODS
from engine.village.moves import COIN, Move, PayWell
from engine.village.phases import PHASES
from engine.village.rules.death import free_graves, free_places
from engine.village.scoring import parts
from engine.village.state import (
    BAG,
    CHRONICLE,
    FARMYARD,
    SECTIONS,
    STAGES,
    Action,
    CubeChoice,
    Death,
    Family,
    GoodChoice,
    MarketDay,
    Privilege,
    Produce,
    State,
    Well,
)

# Values in hundredths of a point.
POINT = 100
GOOD = (95, 60, 30)  # the first, second, third and any more of a kind
GRAIN = 24
CUBE = (34, 26, 16)  # likewise, of a colour
COIN_MORE = 12
HOME = (70, 40, 20)
CRAFTSMAN = 70
COUNCIL = (140, 200, 230, 210)  # beside the points of the stage
IN_BAG = 170
CHRONICLED = (0, 180, 380, 620, 900, 1300)
STEP = 13
MARKER = 20
FOLLOW_UP = (Action, Produce, Privilege, CubeChoice, GoodChoice, Well, MarketDay, Death)


def greedy(ruleset: Ruleset[State, Move, Any], state: State, seat: Seat) -> Move:
    """Return the move of *seat* that leads to the best position it can reach alone; the first of equals."""
    moves = _worth_trying(ruleset.legal(state, seat))
    return max(moves, key=lambda move: _reach(ruleset, ruleset.apply(state, seat, move).state, seat))


def _worth_trying(moves: Iterable[Move]) -> Iterator[Move]:
    """Yield *moves* without the payments of the well that spend more coins than they must."""
    paid: list[str] = []
    for move in moves:
        if isinstance(move, PayWell):
            if move.pay[0] in paid:
                continue
            paid.append(move.pay[0])
        yield move


def _reach(ruleset: Ruleset[State, Move, Any], state: State, seat: Seat) -> int:
    """Return the value of *state* after the best follow-up decisions of *seat* in the same turn."""
    if not _follows(state, seat):
        return evaluate(state, seat)
    row = PHASES.present(state)
    return max(_reach(ruleset, ruleset.apply(state, seat, move).state, seat) for move in row.moves(state))


def _follows(state: State, seat: Seat) -> bool:
    """Return whether *seat* owes the next decision, within the same turn."""
    if not state.stack or not isinstance(state.stack[-1], FOLLOW_UP):
        return False
    return PHASES.present(state).decision(state).seat == seat


def evaluate(state: State, seat: Seat) -> int:
    """Return how good *state* is for *seat*, in hundredths of a point: what is scored and what may yet come."""
    family = state.families[seat]
    scored = parts(state, family)
    laid = sum(spot in CHRONICLE for spot in family.members)
    chronicle = POINT * scored[4]
    certain = POINT * sum(scored) - chronicle
    hoped = _prospects(state, seat, family) + CHRONICLED[min(laid, 5)]
    free = max(0, min(sum(free_places(state, section) for section in SECTIONS), free_graves(state)))
    late = 0 if state.trigger >= 0 else min(free, 4)
    return certain + (hoped * late + chronicle * (4 - late)) // 4


def _prospects(state: State, seat: Seat, family: Family) -> int:
    """Return what things, members and time are worth while the game goes on."""
    members = family.members
    value = sum(_rising(GOOD, family.count(good)) for good in GOODS)
    value += sum(_rising(CUBE, family.count(colour)) for colour in COLOURS)
    value += GRAIN * family.count("grain") + COIN_MORE * family.count(COIN)
    value += _rising(HOME, members.count(FARMYARD))
    value += CRAFTSMAN * sum(building in members for building in BUILDINGS)
    value += sum(worth * members.count(stage) for worth, stage in zip(COUNCIL, STAGES, strict=True))
    value += IN_BAG * members.count(BAG)
    return value - STEP * family.step + MARKER * (state.marker == seat)


def _rising(values: tuple[int, ...], number: int) -> int:
    return sum(values[min(at, len(values) - 1)] for at in range(number))
