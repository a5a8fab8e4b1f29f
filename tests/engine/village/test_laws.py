"""Whole random games: what `apply` accepts is what `legal` lists, pieces are conserved, every game ends."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

import msgspec
import pytest

from engine.core.errors import IllegalMoveError
from engine.core.types import CHANCE, Decision
from engine.village import RULESET
from engine.village.components import BUILDINGS, CITIES, COLOURS, GOODS
from engine.village.moves import (
    Act,
    Advance,
    Birth,
    Bury,
    Buy,
    Choose,
    Depart,
    Draw,
    Enter,
    Forgo,
    Harvest,
    Home,
    Make,
    Mill,
    Move,
    Pass,
    PayWell,
    Pick,
    Pray,
    Redeem,
    Rise,
    Sell,
    Skip,
    Take,
    Train,
    Travel,
    Use,
)
from engine.village.state import CUBES, SPACES, VISIBLE, State
from tests.engine.village.laws import pieces
from tests.engine.village.positions import COMPONENTS, CUSTOMERS, position, start, texts

VOCABULARY = RULESET.vocabulary
COINS = (*COLOURS, "coin")
NUMBERS = (1, 2, 3, 4)


def words(vocabulary: tuple[str, ...], most: int) -> list[tuple[str, ...]]:
    return [paid for size in range(most + 1) for paid in product(vocabulary, repeat=size)]


@cache
def possible() -> tuple[Move, ...]:
    """Every move that the grammar can say, with payments of a sensible length."""
    two = words(("scroll", *COINS), 2)
    draws = [Draw(what, n) for what in (*CUBES, "monk", *COMPONENTS.players.colours) for n in (0, *NUMBERS)]
    return (
        *(Take(colour, space) for colour in CUBES for space in SPACES),
        *(PayWell(paid) for paid in words(COINS, 4)),
        *(Act(space) for space in SPACES),
        *(Forgo(), Skip(), Harvest(), Birth(), Mill(), Pass()),
        *(Home(spot, n) for spot in VISIBLE for n in NUMBERS),
        *(Train(building, n) for building in BUILDINGS for n in NUMBERS),
        *(Make(good) for good in GOODS),
        *(Buy(good, paid) for good in GOODS for paid in words(COINS, 3)),
        *(Sell(name, paid) for name in CUSTOMERS for paid in ("", *COINS)),
        *(Depart(city, n, paid) for city in CITIES for n in NUMBERS for paid in words(COINS, 2)),
        *(Travel(a, b, n, paid) for a in CITIES for b in CITIES for n in NUMBERS for paid in words(COINS, 2)),
        *(Enter(n, paid) for n in NUMBERS for paid in two),
        *(Advance(stage, n, paid) for stage in NUMBERS for n in NUMBERS for paid in two),
        *(Use(stage) for stage in NUMBERS),
        *(Choose(one, two) for one in COLOURS for two in ("", *COLOURS)),
        *(Pick(good) for good in GOODS),
        *(Pray(n, paid) for n in NUMBERS for paid in (*COINS, "time")),
        *(Bury(spot) for spot in VISIBLE),
        *(Redeem(n) for n in NUMBERS),
        *(Rise(window, n) for window in NUMBERS for n in NUMBERS),
        *draws,
        *(Draw(name) for name in CUSTOMERS),
    )


def refused(state: State, decision: Decision, move: Move) -> IllegalMoveError | None:
    try:
        RULESET.apply(state, decision.seat, move)
    except IllegalMoveError as error:
        return error
    return None


def check_accepted(state: State, decision: Decision, listed: list[Move]) -> None:
    for move in possible():
        if decision.key not in RULESET.grammar.verb_of(move).decisions:
            continue
        error = refused(state, decision, move)
        if error is None:
            assert move in listed, f"{move} is accepted but not listed at {decision}"
        else:
            assert move not in listed, f"{move} is listed but refused: {error}"
            assert tuple(name for name, _ in error.fields) == VOCABULARY.reasons[error.key], error


def check_texts(listed: list[Move]) -> None:
    texts = [RULESET.grammar.format_move(move) for move in listed]
    assert len(set(texts)) == len(texts) <= 150
    assert [RULESET.grammar.parse_move(text) for text in texts] == listed


def game(seats: int, seed: int) -> Iterator[tuple[State, Decision, list[Move]]]:
    chooser = random.Random(seed * 10 + seats)
    state = start(seats, chooser.randrange(seats))
    whole = pieces(state)
    while owed := RULESET.pending(state):
        listed = list(RULESET.legal(state, owed[0].seat))
        yield state, owed[0], listed
        step = RULESET.apply(state, owed[0].seat, chooser.choices(listed, owed[0].odds or None)[0])
        state = step.state
        assert whole == pieces(state)
        for event in step.events:
            assert tuple(name for name, _ in event.fields) == VOCABULARY.events[event.key], event
    assert "village.over" in [event.key for event in step.events]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_random_game_keeps_the_laws(seats, seed):
    seen: dict[str, int] = {}

    for number, (state, decision, listed) in enumerate(game(seats, seed)):
        seen[decision.key] = seen.get(decision.key, 0) + 1
        check_texts(listed)
        assert tuple(name for name, _ in decision.fields) == VOCABULARY.decisions[decision.key]
        assert bool(decision.odds) == (decision.seat == CHANCE)
        if seen[decision.key] <= 2 or number % 60 == 0:
            check_accepted(state, decision, listed)
        if number % 10 == 0:
            assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
        if decision.seat != CHANCE:
            assert RULESET.default(state, decision.seat) == listed[0]

    assert {"village.turn", "village.cube", "village.customer", "village.piece"} <= set(seen)


def test_everything_that_can_be_asked_comes_up():
    asked: set[str] = set()

    for seats, seed in product((2, 3, 4), range(100, 106)):
        asked |= {decision.key for _, decision, _ in game(seats, seed)}

    assert set(VOCABULARY.decisions) == asked


def test_a_list_never_grows_past_its_limit_with_full_hands():
    rich = dict.fromkeys((*COLOURS, "coin", "wagon", "scroll"), 3)
    everywhere = {"castle": [1, 2, 3, 4], "quarry": [1, 2, 3, 4], "farmyard": [1, 1, 2]}
    state = position(4, family={0: everywhere}, things={0: rich})

    state = RULESET.apply(state, 0, Take("orange", "travel")).state

    assert 80 < len(texts(state)) <= 150
