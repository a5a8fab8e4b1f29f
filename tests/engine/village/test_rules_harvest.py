"""Rules V-076 to V-084: harvest."""

import pytest

from engine.village import RULESET
from tests.engine.village.positions import COMPONENTS, numbers_at, owed, supply_of, texts, things_of
from tests.engine.village.ruling import acting, after, change, supply_change

HARVEST = COMPONENTS.harvest


def grain_from(goods, grain=0, **values):
    """The grain that a harvest gives to a family with *goods*."""
    state = acting("harvest", things={0: {**goods, "grain": grain}}, **values)
    return change(state, after(state, "0: harvest")).get("grain", 0)


@pytest.mark.rule("V-076")
@pytest.mark.parametrize("spots", [{"office": [1, 2]}, {"bag": [1]}, {"ford": [1], "stage-1": [1], "window-1": [1]}])
def test_without_a_member_at_home_there_is_no_harvest(spots):
    state = acting("harvest", family={0: spots})

    assert (1, "village.turn") == owed(state)
    assert {"orange": 1} == things_of(state, 0)


@pytest.mark.rule("V-076")
def test_one_member_at_home_is_enough():
    assert 2 == grain_from({}, family={0: {"farmyard": [4]}})


@pytest.mark.rule("V-077")
def test_a_harvest_gives_two_grain():
    assert 2 == HARVEST.plain == grain_from({})


@pytest.mark.rule("V-077", "V-083")
@pytest.mark.parametrize(("grain", "gain"), [(0, 2), (4, 1)])
def test_the_question_of_a_harvest_says_what_it_brings_and_makes_nobody_wait(grain, gain):
    (asked,) = RULESET.pending(acting("harvest", things={0: {"grain": grain}}))

    assert {"grain": gain} == dict(asked.fields)
    assert not asked.wait


@pytest.mark.rule("V-078")
def test_horse_and_plow_give_three_grain():
    assert 3 == HARVEST.horse == grain_from({"horse": 1, "plow": 1})


@pytest.mark.rule("V-079")
def test_ox_and_plow_give_four_grain():
    assert 4 == HARVEST.ox == grain_from({"ox": 1, "plow": 1})


@pytest.mark.rule("V-080")
@pytest.mark.parametrize("goods", [{"horse": 2}, {"ox": 1}, {"plow": 2}, {"horse": 1, "ox": 1}, {"wagon": 1}])
def test_an_animal_without_a_plow_changes_nothing(goods):
    assert 2 == grain_from(goods)


@pytest.mark.rule("V-081")
def test_only_one_team_counts():
    assert 4 == grain_from({"horse": 1, "ox": 1, "plow": 2})
    assert 4 == grain_from({"horse": 1, "ox": 1, "plow": 1})


@pytest.mark.rule("V-081")
def test_three_members_bring_in_no_more_than_one():
    assert 2 == grain_from({}, family={0: {"farmyard": [1, 1, 1]}}) == grain_from({}, family={0: {"farmyard": [1]}})


@pytest.mark.rule("V-082")
def test_a_harvest_uses_up_neither_goods_nor_members():
    state = acting("harvest", things={0: {"ox": 1, "horse": 1, "plow": 1}}, family={0: {"farmyard": [1, 2]}})

    done = after(state, "0: harvest")

    assert {"grain": 4} == change(state, done)
    assert [1, 2] == numbers_at(done, 0, "farmyard")


@pytest.mark.rule("V-083")
def test_the_barn_takes_five_at_most():
    state = acting("harvest", things={0: {"ox": 1, "plow": 1, "grain": 4}})

    done = after(state, "0: harvest")

    assert 5 == COMPONENTS.family.barn == things_of(done, 0)["grain"]
    assert {"grain": -1} == supply_change(state, done)
    assert 15 == supply_of(done)["grain"]


@pytest.mark.rule("V-084")
def test_with_a_full_barn_a_harvest_gives_nothing():
    state = acting("harvest", things={0: {"grain": 5}})

    assert "harvest" in texts(state)
    done = after(state, "0: harvest")
    assert {} == change(state, done)
    assert (1, "village.turn") == owed(done)
