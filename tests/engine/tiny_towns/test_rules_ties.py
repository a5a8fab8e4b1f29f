"""Rules T-240 to T-245: who wins."""

import random

import pytest

from engine.tiny_towns import RULESET
from tests.engine.tiny_towns.positions import play, position, told, total


def ranks(state):
    """The ranks in seat order."""
    return [standing.rank for standing in RULESET.standings(state)]


def ties(state):
    """The figures that break ties, in seat order: turns, empty squares, Cottages."""
    return [standing.ties for standing in RULESET.standings(state)]


def left_by_steps(figures):
    """Who wins by comparing step by step those who are still tied; a step is a function that is best at its lowest."""
    left = list(range(len(figures)))
    for step in (
        lambda one: -one[0],
        lambda one: one[1],
        lambda one: one[2],
        lambda one: -one[3],
    ):
        best = min(step(figures[seat]) for seat in left)
        left = [seat for seat in left if step(figures[seat]) == best]
    return left


@pytest.mark.rule("T-240")
def test_the_highest_total_wins_whatever_the_turns():
    state = position("A...", "AA..", "....", cards="shed", turns={0: 1, 1: 9, 2: 0})

    assert [-14, -12, -16] == [total(state, seat) for seat in range(3)]
    assert [2, 1, 3] == ranks(state)


@pytest.mark.rule("T-240")
@pytest.mark.parametrize("turns", [(3, 2, 4), (5, 1, 2)])
def test_a_tie_goes_to_fewest_turns_as_master_builder(turns):
    state = position("A...", "...A", "..A.", cards="shed", turns=dict(enumerate(turns)))

    assert [sorted(turns).index(one) + 1 for one in turns] == ranks(state)


@pytest.mark.rule("T-240")
def test_turns_go_before_empty_squares():
    held = {1: {"held": {"a2": "wood wood wood"}}}
    state = position("AC..", "AAC./K...", cards="shed warehouse", turns={0: 1, 1: 2}, values=held)

    assert [-13, -13] == [total(state, seat) for seat in range(2)]
    assert [(1, 14, 1), (2, 12, 1)] == ties(state)
    assert [1, 2] == ranks(state)


@pytest.mark.rule("T-241")
def test_then_to_fewest_empty_squares_and_a_left_cube_is_an_empty_square():
    held = {1: {"held": {"b1": "wood"}}}
    state = position("Awww/wwww/wwww/wwww", "AK..", cards="shed warehouse", values=held, turns={0: 4, 1: 4})

    assert [-14, -14] == [total(state, seat) for seat in range(2)]
    assert [(4, 15, 0), (4, 14, 0)] == ties(state)
    assert [2, 1] == ranks(state)


@pytest.mark.rule("T-241")
def test_empty_squares_go_before_cottages():
    held = {1: {"held": {"c1": "wood", "d1": "wood wood"}}}
    state = position("AC..", "AAKK", cards="shed warehouse", values=held)

    assert [-13, -13] == [total(state, seat) for seat in range(2)]
    assert [(0, 14, 1), (0, 12, 0)] == ties(state)
    assert [2, 1] == ranks(state)


@pytest.mark.rule("T-242")
@pytest.mark.parametrize(("mine", "theirs"), [("CA..", "AR.."), ("CRAC", "CRAR")])
def test_then_to_most_cottages_fed_or_not(mine, theirs):
    state = position(theirs, mine, cards="shed granary")

    cottages = [theirs.count("C"), mine.count("C")]
    assert total(state, 0) == total(state, 1)
    assert [2, 1] == ranks(state)
    assert cottages == [figures[2] for figures in ties(state)]


@pytest.mark.rule("T-243")
def test_then_the_win_is_shared():
    state = position("CAww/wwww/wwww/www.", "ACww/wwww/wwww/www.", "Awww/wwww/wwww/www.", cards="shed")
    assert [1, 1, 3] == ranks(state)

    state, events = play(state, *(f"{seat}: place d4" for seat in range(3)))

    assert ("towns.over", {"winners": (0, 1)}) == told(events)[-1]


@pytest.mark.rule("T-244")
def test_who_is_out_at_one_step_does_not_count_at_the_next():
    state = position("AA..", "AA..", "A...", cards="shed", turns={0: 5, 1: 6, 2: 1})

    assert [1, 2, 3] == ranks(state)


@pytest.mark.rule("T-244", "T-243")
@pytest.mark.parametrize("number", range(60))
def test_any_towns_are_ranked_step_by_step(number):
    luck = random.Random(number)
    seats = luck.randrange(2, 7)
    towns = [
        luck.choice(["CA..", "AC..", "AR..", "A...", "AK..", "C...", "R...", "ACR.", "...."]) for _ in range(seats)
    ]
    turns = {seat: luck.randrange(2) for seat in range(seats)}
    held = {seat: {"held": {"b1": "wood"}} for seat in range(seats) if "K" in towns[seat]}
    state = position(*towns, cards="shed warehouse granary", turns=turns, values=held)

    figures = [
        (total(state, seat), turns[seat], state.town(seat).buildings.count(""), towns[seat].count("C"))
        for seat in range(seats)
    ]

    assert left_by_steps(figures) == [seat for seat, rank in enumerate(ranks(state)) if rank == 1]


@pytest.mark.rule("T-245")
def test_in_town_hall_turns_do_not_count():
    values = {"cards": "shed granary", "turns": {0: 1, 1: 7}, "namer": -1, "town_hall": True}
    cottages = position("AR..", "AC..", **values)
    shared = position("A...", "A...", **values)

    assert [2, 1] == ranks(cottages)
    assert [1, 1] == ranks(shared)
    assert [0, 0] == [figures[0] for figures in ties(shared)]


@pytest.mark.rule("T-245")
def test_in_town_hall_empty_squares_come_first():
    held = {1: {"held": {"b1": "wood"}}}
    state = position("A...", "AK..", cards="shed warehouse", values=held, namer=-1, town_hall=True, turns={1: 3})

    assert [2, 1] == ranks(state)
