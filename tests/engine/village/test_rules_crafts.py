"""Rules V-094 to V-111: crafts."""

import pytest

from engine.village.components import GOODS
from tests.engine.village.positions import (
    COMPONENTS,
    numbers_at,
    owed,
    position,
    refusal,
    supply_of,
    texts,
    things_of,
)
from tests.engine.village.ruling import RICH, acting, after, change, starting, step_of, supply_change, verbs

BUILDINGS = {building.id: building for building in COMPONENTS.buildings}
WAGON, SCROLL = BUILDINGS["wainwright"], BUILDINGS["office"]


def price_of(good):
    """The words that buy *good*, and the cubes and grain that they cost."""
    maker = COMPONENTS.maker(good)
    cost = {colour: -maker.cubes.count(colour) for colour in maker.cubes}
    if maker.grain:
        cost["grain"] = -maker.grain
    return " ".join(["buy", good, *maker.cubes]), cost


@pytest.mark.rule("V-094")
@pytest.mark.parametrize("good", GOODS)
def test_a_crafts_action_gives_one_good(good):
    state = acting("crafts", family={0: {maker.id: [1] for maker in BUILDINGS.values()}})

    done = after(state, f"0: make {good}")

    assert {good: 1} == change(state, done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-094")
def test_a_crafts_action_gives_the_coins_of_the_mill():
    state = acting("crafts", things={0: {"grain": 2}})

    done = after(state, "0: mill")

    assert {"coin": 2, "grain": -2} == change(state, done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-095")
@pytest.mark.parametrize("building", BUILDINGS)
def test_training_puts_a_farmyard_member_on_a_building_for_its_time(building):
    state = acting("crafts", family={0: {"farmyard": [1, 3]}})

    state = after(state, f"0: train {building} 3")

    assert [3] == numbers_at(state, 0, building)
    assert [1] == numbers_at(state, 0, "farmyard")
    assert BUILDINGS[building].train == step_of(state)


@pytest.mark.rule("V-096")
@pytest.mark.parametrize("building", BUILDINGS.values(), ids=BUILDINGS)
def test_who_was_just_trained_may_produce_in_the_same_action(building):
    state = acting("crafts", things={0: RICH | {"grain": 3}})

    trained = after(state, f"0: train {building.id} 1")

    assert (0, "village.produce") == owed(trained)
    assert {*(f"make {good}" for good in building.goods), "skip"} == set(texts(trained))
    done = after(trained, f"0: make {building.goods[0]}")
    assert {building.goods[0]: 1} == change(state, done)
    assert building.train + building.make == step_of(done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-096")
def test_the_first_wagon_costs_four_time_by_our_table():
    assert (2, 2) == (WAGON.train, WAGON.make)


@pytest.mark.rule("V-096")
def test_buying_is_an_action_of_its_own():
    state = after(acting("crafts", things={0: RICH}), "0: train wainwright 1")

    assert "turn.not-asked" == refusal(state, "0: buy wagon pink orange")[0]


@pytest.mark.rule("V-096")
def test_who_was_just_trained_makes_the_good_of_that_building_alone():
    state = acting("crafts", family={0: {"farmyard": [1], "office": [1]}})

    state = after(state, "0: train wainwright 1")

    assert "make.other" == refusal(state, "0: make scroll")[0]


@pytest.mark.rule("V-097")
def test_training_without_producing_is_allowed():
    state = acting("crafts")

    done = after(state, "0: train office 1", "0: skip")

    assert {} == change(state, done)
    assert [1] == numbers_at(done, 0, "office")
    assert SCROLL.train == step_of(done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-098", "V-099")
def test_the_second_wagon_costs_production_time_only():
    state = position(family={0: {"wainwright": [2]}}, board={"crafts": ["orange"] * 4, "church": ["orange"]})

    once = after(state, "0: take orange crafts", "0: make wagon", "1: take orange crafts", "1: skip")
    twice = after(once, "0: take orange crafts", "0: make wagon")

    assert 2 == WAGON.make == step_of(once) == step_of(twice) - step_of(once)
    assert 2 == things_of(twice, 0)["wagon"]
    assert [2] == numbers_at(twice, 0, "wainwright")


@pytest.mark.rule("V-100")
def test_a_craftsman_makes_only_the_good_of_his_building():
    state = acting("crafts", family={0: {"smithy": [1]}, 1: {"office": [1]}})

    assert ["make plow"] == starting(state, "make")
    assert "make.untrained" == refusal(state, "0: make scroll")[0]


@pytest.mark.rule("V-101", "V-102")
def test_any_number_of_members_may_stand_on_a_building_each_trained_at_full_price():
    state = acting("crafts", family={0: {"farmyard": [2], "office": [1, 1, 1, 1]}, 1: {"office": [1, 1, 1, 1]}})

    state = after(state, "0: train office 2", "0: make scroll")

    assert [1, 1, 1, 1, 2] == numbers_at(state, 0, "office")
    assert SCROLL.train + SCROLL.make == step_of(state)


@pytest.mark.rule("V-103")
@pytest.mark.parametrize("spots", [{"farmyard": [1]}, {"farmyard": [1], "office": [1], "stables": [1], "smithy": [1]}])
@pytest.mark.parametrize("good", GOODS)
def test_a_good_may_be_bought_with_or_without_a_member_there(good, spots):
    state = acting("crafts", family={0: spots}, things={0: RICH | {"grain": 5}})
    text, cost = price_of(good)

    done = after(state, f"0: {text}")

    assert {good: 1, **cost} == change(state, done)
    assert ("grain" in cost) == (good in ("horse", "ox"))


@pytest.mark.rule("V-104")
def test_a_good_comes_from_the_supply_at_once_and_stays():
    state = acting("crafts", things={0: {"pink": 1}}, family={0: {"office": [1]}})

    for text in ("make scroll", "buy scroll pink"):
        done = after(state, f"0: {text}")
        assert 7 == supply_of(done)["scroll"]
        assert 1 == things_of(done, 0)["scroll"]
        assert 1 == things_of(after(done, "1: take orange harvest", "1: skip"), 0)["scroll"]


@pytest.mark.rule("V-105")
def test_buying_costs_no_time_and_gives_one_good_an_action():
    state = acting("crafts", things={0: RICH})

    done = after(state, "0: buy scroll pink")

    assert 0 == step_of(done)
    assert 1 == things_of(done, 0)["scroll"]
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-106")
def test_the_wainwright_by_our_table():
    assert (("wagon",), 2, 2, ("pink", "orange"), 0) == (
        WAGON.goods, WAGON.train, WAGON.make, WAGON.cubes, WAGON.grain
    )  # fmt: skip


@pytest.mark.rule("V-107")
def test_the_stables_by_our_table():
    stables = BUILDINGS["stables"]

    assert {"horse", "ox"} == set(stables.goods)
    assert (3, 3, (), 3) == (stables.train, stables.make, stables.cubes, stables.grain)


@pytest.mark.rule("V-107")
@pytest.mark.parametrize("good", ["horse", "ox"])
def test_the_stables_give_a_horse_or_an_ox_as_the_player_chooses(good):
    stables = BUILDINGS["stables"]
    state = acting("crafts", family={0: {"stables": [1]}}, things={0: {"grain": 5}})

    assert {"make horse", "make ox", "buy horse", "buy ox"} <= set(texts(state))
    made, bought = (after(state, f"0: {verb} {good}") for verb in ("make", "buy"))
    assert {good: 1} == change(state, made)
    assert stables.make == step_of(made)
    assert {good: 1, "grain": -stables.grain} == change(state, bought)


@pytest.mark.rule("V-108")
def test_the_office_by_our_table():
    assert (("scroll",), 2, 2, ("pink",), 0) == (
        SCROLL.goods, SCROLL.train, SCROLL.make, SCROLL.cubes, SCROLL.grain
    )  # fmt: skip


@pytest.mark.rule("V-109")
def test_the_smithy_by_our_table():
    plow = BUILDINGS["smithy"]

    assert (("plow",), 2, 2, ("orange", "orange"), 0) == (plow.goods, plow.train, plow.make, plow.cubes, plow.grain)


@pytest.mark.rule("V-106", "V-107", "V-108", "V-109")
@pytest.mark.parametrize("good", GOODS)
def test_a_good_costs_what_the_table_says(good):
    maker = COMPONENTS.maker(good)
    state = acting("crafts", things={0: RICH | {"grain": 5}})

    made = after(state, f"0: train {maker.id} 1", f"0: make {good}")
    bought = after(state, f"0: {price_of(good)[0]}")

    assert maker.train + maker.make == step_of(made)
    assert {good: 1, **price_of(good)[1]} == change(state, bought)


@pytest.mark.rule("V-110")
def test_the_mill_turns_two_time_and_two_grain_into_two_coins():
    mill = COMPONENTS.mill
    state = acting("crafts", things={0: {"grain": 3}})

    done = after(state, "0: mill")

    assert (2, 2, 2) == (mill.time, mill.grain, mill.coins)
    assert {"grain": -2, "coin": 2} == change(state, done)
    assert {"grain": 2, "coin": -2} == supply_change(state, done)
    assert 2 == step_of(done)


@pytest.mark.rule("V-110")
def test_the_mill_wants_both_grain():
    state = acting("crafts", things={0: {"grain": 1}})

    assert "price.short" == refusal(state, "0: mill")[0]
    assert "mill" not in texts(state)


@pytest.mark.rule("V-111")
def test_nobody_is_trained_at_the_mill_or_needed_there():
    state = acting("crafts", family={0: {"farmyard": [1]}, 1: {"farmyard": [1]}}, things={0: {"grain": 2}})
    away = acting("crafts", family={0: {"ford": [1]}}, things={0: {"grain": 2}})

    assert {f"train {building} 1" for building in ("wainwright", "stables", "office", "smithy")} == set(
        starting(state, "train")
    )
    assert {"mill", "skip"} == verbs(away)
