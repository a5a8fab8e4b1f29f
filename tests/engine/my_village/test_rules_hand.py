"""Rules M-112 to M-118: the hand tile."""

import pytest

from engine.my_village import RULESET
from engine.my_village.components import PROFESSIONS
from engine.my_village.state import clockwise
from tests.engine.my_village.positions import (
    COMPONENTS,
    after,
    between,
    drawn,
    owed,
    play,
    position,
    refusal,
    start,
    texts,
    told,
)
from tests.engine.my_village.ruling import TOTALS, faces
from tests.engine.my_village.steps import changes, taking

HAND = COMPONENTS.hand
DICE = faces(HAND.black[0])
PLENTY = {"coins": 40}
"""Coins for any total with any dice."""


def turns_each(seats):
    """How many turns each seat has in a round."""
    return COMPONENTS.turns.each[seats - 2]


def idle_round(state, takes=()):
    """
    The seats of a round in the order of their turns, and the position after it, which begins at the first of them.

    In the turns with the numbers in *takes*, from 0, the hand tile is taken; in the others no flag is used.
    """
    seats, number = [], state.round
    while state.round == number:
        seats.append(state.turn)
        taker = len(seats) - 1 in takes
        state = after(taking(state, HAND.black[0]), "hand") if taker else after(taking(state, 7), "done")
        while state.stack and owed(state).key != "my.total":
            state = after(state, texts(state)[0])
    return seats, state


@pytest.mark.rule("M-112")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("total", TOTALS)
def test_the_hand_answers_to_its_numbers_in_everybodys_turn(seats, total):
    for seat in range(seats):
        state = position(seats, seat, dice=faces(total))

        if total in HAND.black:
            assert "hand" in texts(state)
        else:
            wrong = {"flag": "hand", "numbers": HAND.black, "total": total}
            assert "hand" not in texts(state)
            assert ("flag.number", wrong) == refusal(state, "hand")


@pytest.mark.rule("M-112")
@pytest.mark.parametrize("villager", PROFESSIONS)
@pytest.mark.parametrize("total", HAND.black)
def test_it_needs_no_villager_and_costs_its_hours(villager, total):
    state = position(dice=faces(total), mine={"villagers": (villager,), "hours": 2}, heap=0)

    assert {"hours": 2 + HAND.hours} == changes(state, after(state, "hand"))


@pytest.mark.rule("M-112")
def test_it_is_black():
    with_tile = {"meeting": True, "tile": "play"}
    state = position(dice=DICE, mine=with_tile | {"crafts": ("beer-1",)})

    assert "play" in texts(state)
    assert 1 == after(state, "hand").turn
    used = position(dice=DICE, mine=with_tile, used=("school",))
    assert ("flag.alone", {"flag": "hand"}) == refusal(used, "hand")


@pytest.mark.rule("M-113")
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("heap", [0, 1, 4, 9])
def test_the_taker_gets_all_stories_and_the_tile_which_shows_its_back(seat, heap):
    others = {at: {"tree": 2} for at in range(3)}
    state = position(3, seat, dice=DICE, heap=heap, holder=0, mine={"tree": 3}, others=others, turns=(0,))

    done, events = play(state, "hand")

    assert 3 + heap == done.villages[seat].tree
    assert (seat, False, 0) == (done.holder, done.palm, done.heap)
    assert ("my.hand", {"seat": seat, "stories": heap, "hours": HAND.hours}) in told(events)
    assert [{}, {}] == [changes(state, done, other) for other in range(3) if other != seat]


@pytest.mark.rule("M-114")
@pytest.mark.parametrize(
    ("offer", "total", "last"), [("white-1 white-2", 2, "change 1 1"), ("white-5 white-6", 12, "change 6 6")]
)
def test_a_coin_can_open_it(offer, total, last):
    poor, rich = position(offer=offer), position(offer=offer, mine={"coins": 1})

    assert ("total.short", {"total": total, "need": 1, "have": 0}) == refusal(poor, f"total {total}")
    done = after(rich, f"total {total}", f"dice {offer}", last, "hand")
    assert {"coins": 0, "tree": 1, "hours": HAND.hours} == changes(rich, done)
    assert 0 == done.holder


@pytest.mark.rule("M-115")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("total", HAND.black)
def test_it_cannot_be_taken_while_it_shows_its_back(seat, total):
    state = position(turn=seat, dice=faces(total), palm=False, heap=0, holder=1)

    assert "hand" not in texts(state)
    assert ("hand.back", {}) == refusal(state, "hand")


@pytest.mark.rule("M-115")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_is_taken_at_most_once_a_round(seats):
    turns = tuple(clockwise(start(seats), 0)) * turns_each(seats)
    others = dict.fromkeys(range(seats), PLENTY)
    state = position(seats, turns=turns[1:], others=others, mine=PLENTY)

    state = after(taking(state, HAND.black[0]), "hand")

    for seat in turns[1:]:
        state = taking(state, HAND.black[0])
        assert (seat, "my.flags") == (state.turn, owed(state).key)
        assert ("hand.back", {}) == refusal(state, "hand")
        state = after(state, "done")
    state = after(taking(drawn(state), HAND.black[0]), "hand")
    assert COMPONENTS.hand.stories + 1 == state.villages[0].tree


@pytest.mark.rule("M-116")
@pytest.mark.parametrize("seat", [0, 1])
def test_its_holder_may_take_the_stories_too(seat):
    state = position(turn=seat, dice=DICE, heap=4, holder=seat, turns=(0,))

    done = after(state, "hand")

    assert {"tree": 4, "hours": HAND.hours} == changes(state, done, seat)
    assert (seat, False, 0) == (done.holder, done.palm, done.heap)


@pytest.mark.rule("M-117")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("holder", [0, 1])
def test_the_round_goes_on_as_it_began_and_the_taker_begins_the_next(seats, holder):
    rich = dict.fromkeys(range(seats), PLENTY)
    state = drawn(between(seats=seats, mine=PLENTY, others=rich, holder=holder))
    order = list(clockwise(state, holder)) * turns_each(seats)

    for turn, taker in enumerate(order):
        seen, later = idle_round(state, takes=(turn,))
        assert order == seen
        assert (taker, True, HAND.stories) == (later.holder, later.palm, later.heap)
        assert list(clockwise(state, taker)) * turns_each(seats) == idle_round(later)[0]


@pytest.mark.rule("M-117")
def test_the_new_holder_prepares_the_next_round():
    state = position(turn=1, dice=DICE, turns=(), mine=PLENTY, holder=0, round=4)

    _, events = play(state, "hand")

    assert ("my.round", {"round": 5, "seat": 1, "stories": HAND.stories}) in told(events)


@pytest.mark.rule("M-118")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("first", [0, 1])
def test_while_nobody_takes_it_the_same_seat_begins_and_the_heap_grows(seats, first):
    rich = dict.fromkeys(range(seats), PLENTY)
    state = drawn(between(seats=seats, mine=PLENTY, others=rich, holder=first, heap=0, round=0))

    for preparations in range(1, 5):
        assert (preparations, first) == (state.round, state.holder)
        assert preparations * HAND.stories == state.heap
        seen, state = idle_round(state)
        assert list(clockwise(state, first)) * turns_each(seats) == seen


@pytest.mark.rule("M-118")
def test_after_four_preparations_the_taker_gets_what_each_laid_on_it():
    state = drawn(between(mine=PLENTY, others={1: PLENTY}, heap=0, round=0))
    for _ in range(3):
        _, state = idle_round(state)

    done = after(taking(state, HAND.black[0]), "hand")

    assert 4 * HAND.stories == done.villages[0].tree - state.villages[0].tree
    assert [one.points for one in RULESET.standings(done)] == [HAND.points, 0]
