"""Rules V-165 to V-170: church."""

import pytest

from tests.engine.village.positions import (
    COMPONENTS,
    at_mass,
    draw_all,
    numbers_at,
    owed,
    position,
    refusal,
    texts,
)
from tests.engine.village.ruling import (
    acting,
    after,
    change,
    dying,
    parts,
    scored,
    starting,
    step_of,
    supply_change,
    verbs,
    visible,
)


@pytest.mark.rule("V-165", "V-166")
@pytest.mark.parametrize(("pay", "cost", "time"), [("brown", {"brown": -1}, 0), ("time", {}, 3)])
def test_a_farmyard_member_goes_into_the_bag_for_one_brown_or_three_time(pay, cost, time):
    state = acting("church", family={0: {"farmyard": [1, 3]}}, things={0: {"brown": 2}})

    done = after(state, f"0: pray 3 {pay}")

    assert ("brown", 3) == (COMPONENTS.church.cube, COMPONENTS.church.time)
    assert {"bag": [3], "farmyard": [1]} == visible(done, 0, "bag", "farmyard")
    assert cost == change(state, done)
    assert time == step_of(done)
    assert {colour: -count for colour, count in cost.items()} == supply_change(state, done)


@pytest.mark.rule("V-166")
def test_no_other_cube_pays_the_church():
    state = acting("church", family={0: {"farmyard": [1]}}, things={0: {"pink": 2, "green": 2}})

    assert ["pray 1 time"] == starting(state, "pray")
    assert refusal(state, "0: pray 1 pink")
    assert "price.short" == refusal(state, "0: pray 1 brown")[0]


@pytest.mark.rule("V-167")
def test_one_action_adds_one_member_and_the_bag_holds_any_number():
    family = {0: {"farmyard": [2, 2], "bag": [1, 1, 1, 1, 2]}, 1: {"bag": [1, 1, 1, 1]}}
    state = acting("church", family=family)

    done = after(state, "0: pray 2 time")

    assert {"bag": [1, 1, 1, 1, 2, 2], "farmyard": [2]} == visible(done, 0, "bag", "farmyard")
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-168")
def test_a_member_in_the_bag_brings_no_harvest_and_does_not_come_home():
    harvest = acting("harvest", family={0: {"bag": [1]}})
    family = acting("family", family={0: {"bag": [1]}})

    assert (1, "village.turn") == owed(harvest)
    assert {"birth", "skip"} == verbs(family)


@pytest.mark.rule("V-168")
def test_a_member_in_the_bag_cannot_die():
    state = dying({"bag": [1], "office": [2]})

    assert {"bag": [1], "chronicle-crafts": [2]} == visible(state, 0, "bag", "chronicle-crafts")


@pytest.mark.rule("V-168", "V-169")
def test_a_member_in_the_bag_counts_for_no_majority_and_stays_for_the_next_mass():
    family = {0: {"bag": [1, 1, 2]}, 1: {"window-1": [1]}}
    state, _ = at_mass(position(board={}, family=family))

    state, _ = draw_all(after(state, *["chance: draw monk"] * 4))

    assert [1, 1, 2] == numbers_at(state, 0, "bag")
    assert [0, COMPONENTS.church.majority] == [one.prestige for one in state.families]
    again, _ = at_mass(position(board={}, family={0: {"bag": numbers_at(state, 0, "bag")}}))
    assert {"draw monk", "draw red 1", "draw red 2"} == set(texts(again))


@pytest.mark.rule("V-168")
def test_a_member_in_the_bag_scores_nothing():
    state = scored(family={0: {"bag": [1, 1, 2]}})

    assert 0 == sum(parts(state).values())


@pytest.mark.rule("V-170")
def test_a_window_is_reached_through_the_bag_and_the_mass_alone():
    state = acting("church", family={0: {"farmyard": [1], "bag": [2]}})

    assert ["pray 1 time", "skip"] == sorted(texts(state))
    done = after(state, "0: pray 1 time")
    assert [[]] * 4 == [numbers_at(done, 0, f"window-{window}") for window in (1, 2, 3, 4)]
