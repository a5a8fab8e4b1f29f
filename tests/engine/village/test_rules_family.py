"""Rules V-085 to V-093: births, and members who come home."""

import pytest

from engine.village.components import BUILDINGS, CITIES
from engine.village.state import STAGES, WINDOWS
from tests.engine.village.positions import (
    COMPONENTS,
    numbers_at,
    owed,
    position,
    refusal,
    texts,
)
from tests.engine.village.ruling import RICH, acting, after, starting, step_of, toll, visible


@pytest.mark.rule("V-085")
def test_a_birth_puts_an_unborn_member_on_the_own_farmyard():
    state = acting("family", turn=1)

    state = after(state, "1: birth")

    assert {"farmyard": [1, 1, 1, 1, 2], "unborn": [2, 2, 3, 3, 4, 4]} == visible(state, 1, "farmyard", "unborn")
    assert [1, 1, 1, 1] == numbers_at(state, 0, "farmyard")


@pytest.mark.rule("V-086")
@pytest.mark.parametrize(
    ("born", "child"),
    [([1, 1, 1, 1], 2), ([1, 1, 1, 1, 2, 2], 2), ([1, 1, 1, 1, 2, 2, 2], 3), ([1, 1, 1, 1, 2, 2, 2, 3, 3], 4)],
)
def test_the_newborn_is_the_lowest_number_left(born, child):
    state = acting("family", family={0: {"office": born}})

    state = after(state, "0: birth")

    assert [child] == numbers_at(state, 0, "farmyard")


@pytest.mark.rule("V-087")
@pytest.mark.parametrize("spot", [*BUILDINGS, *CITIES, *STAGES, *WINDOWS])
def test_a_member_may_come_home_in_place_of_a_birth(spot):
    state = acting("family", family={0: {spot: [1, 3]}})

    state = after(state, f"0: home {spot} 3")

    assert {spot: [1], "farmyard": [3]} == visible(state, 0, spot, "farmyard")


@pytest.mark.rule("V-087")
def test_who_is_at_home_does_not_come_home():
    state = acting("family", family={0: {"farmyard": [1], "office": [2]}})

    assert "home.at-home" == refusal(state, "0: home farmyard 1")[0]
    assert ["home office 2"] == starting(state, "home")


@pytest.mark.rule("V-087")
def test_members_of_another_family_do_not_come_home():
    state = acting("family", family={0: {"office": [1]}, 1: {"office": [2]}})

    assert "home.nobody" == refusal(state, "0: home office 2")[0]


@pytest.mark.rule("V-088")
def test_nobody_comes_home_from_bag_chronicle_or_grave():
    spots = {"bag": [1], "chronicle-crafts": [1], "grave": [1], "removed": [1], "office": [2]}

    state = acting("family", family={0: spots})

    assert ["home office 2"] == starting(state, "home")
    assert "home.nobody" == refusal(state, "0: home office 1")[0]


@pytest.mark.rule("V-089")
@pytest.mark.parametrize("text", ["birth", "home office 1"])
def test_one_action_brings_one_birth_or_one_homecoming(text):
    state = acting("family", family={0: {"office": [1, 1]}})

    state = after(state, f"0: {text}")

    assert 1 == len(numbers_at(state, 0, "farmyard"))
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-090")
def test_with_all_born_only_a_homecoming_is_possible():
    others = {"farmyard": [1, 1, 1], "bag": [2, 2, 2, 3], "grave": [3], "ford": [4, 4]}

    state = acting("family", family={0: {**others, "office": [1]}})

    assert ["home ford 4", "home office 1", "skip"] == sorted(texts(state))
    assert "birth.none-left" == refusal(state, "0: birth")[0]


@pytest.mark.rule("V-090")
def test_with_all_born_and_nobody_away_nothing_is_possible():
    state = acting("family", family={0: {"farmyard": list(COMPONENTS.family.members)}})

    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-091")
def test_starting_again_costs_the_training_again():
    state = position(3, board={"family": ["orange"], "crafts": ["orange"] * 5}, family={0: {"office": [1]}})
    state = after(state, "0: take orange family", "0: home office 1")
    state = after(
        state, "1: take orange crafts", "1: skip", "2: take orange crafts", "2: skip", "0: take orange crafts"
    )

    assert "make.untrained" == refusal(state, "0: make scroll")[0]
    state = after(state, "0: train office 1", "0: make scroll")
    office = COMPONENTS.maker("scroll")
    assert office.train + office.make == step_of(state)


@pytest.mark.rule("V-091")
@pytest.mark.parametrize(
    ("spot", "lines"),
    [
        ("stage-4", ["take orange council", "enter 1 green green", "skip"]),
        ("vineyard", ["take orange travel", f"depart ford 1 {toll('village', 'ford')}"]),
        ("window-4", ["take orange church", "pray 1 brown"]),
    ],
)
def test_starting_again_begins_at_the_beginning(spot, lines):
    elsewhere = {"stage-4": "stage-1", "vineyard": "ford", "window-4": "bag"}
    state = position(family={0: {spot: [1]}}, things={0: RICH})
    state = after(state, "0: take orange family", f"0: home {spot} 1", "1: take orange harvest", "1: skip")

    assert [] == numbers_at(state, 0, spot)
    state = after(state, *(f"0: {line}" for line in lines))
    assert [1] == numbers_at(state, 0, elsewhere[spot])


@pytest.mark.rule("V-092")
def test_members_of_one_number_are_alike():
    state = acting("crafts", family={0: {"farmyard": [1, 1, 1]}})

    trained = after(state, "0: train smithy 1", "0: skip")

    expected = position(family={0: {"farmyard": [1, 1], "smithy": [1]}})
    assert expected.families[0].members == trained.families[0].members


@pytest.mark.rule("V-092", "V-093")
@pytest.mark.parametrize(
    ("space", "verb", "first", "rest"),
    [
        ("crafts", "train", "train smithy", ""),
        ("council", "enter", "enter", " green green"),
        ("travel", "depart", "depart ford", f" {toll('village', 'ford')}"),
        ("church", "pray", "pray", " brown"),
    ],
)
def test_any_member_of_the_farmyard_may_be_placed_and_no_other(space, verb, first, rest):
    away = {"office": [1], "stage-2": [1], "abbey": [1], "window-1": [1], "bag": [2], "grave": [2]}
    state = acting(space, family={0: {"farmyard": [2, 3, 4], **away}}, things={0: RICH})

    for number in (2, 3, 4):
        assert f"{first} {number}{rest}" in starting(state, verb)
    assert "member.not-home" == refusal(state, f"0: {first} 1{rest}")[0]
    done = after(state, f"0: {first} 3{rest}")
    assert [2, 4] == numbers_at(done, 0, "farmyard")
