"""Rules T-332 to T-336: Scrap."""

import pytest

from engine.tiny_towns.components import RESOURCES
from tests.engine.tiny_towns.positions import after, drawn, owed, play, position, refusal, squares_for, texts, told


def scrapping(drawing="C*...", **values):
    """A position in which seat 0 has to answer, with Scrap and Innovate open."""
    helpers = values.pop("helpers", ("scrap", "innovate"))
    return position(drawing, helpers=helpers, lodge=False, **values)


@pytest.mark.rule("T-332")
@pytest.mark.parametrize("resource", RESOURCES)
def test_the_resource_is_not_placed(resource):
    state = scrapping("C*b..", resource=resource)

    state, events = play(state, "0: scrap a1")

    assert "Cb.." == drawn(state)
    assert ((),) * 16 == state.town(0).held
    assert [("towns.scrapped", {"seat": 0, "resource": resource, "squares": ("a1",)})] == told(events)[:1]
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-332")
def test_a_worker_pays_and_goes_to_the_lodge():
    state = scrapping("C*E*..")

    assert ["a1", "b1"] == squares_for(state, "scrap")
    state = after(state, "0: scrap b1")
    assert (0,) == state.town(0).workers
    assert 1 == state.town(0).lodge


@pytest.mark.rule("T-332")
@pytest.mark.parametrize(("line", "reason"), [("scrap b1", "nobody"), ("scrap c1", "nobody"), ("scrap", "cost")])
def test_without_a_worker_nothing_is_scrapped(line, reason):
    assert f"ability.{reason}" == refusal(scrapping("C*C.*."), f"0: {line}")


@pytest.mark.rule("T-332")
def test_the_others_place_it_all_the_same():
    state = after(scrapping(), "0: scrap a1", "1: place a1")

    assert "w..." == drawn(state, 1)


@pytest.mark.rule("T-333")
@pytest.mark.parametrize(
    ("card", "held", "lines"),
    [
        ("factory", {"b1": "glass"}, ["swap wood"]),
        ("warehouse", {"b1": "wheat"}, ["store b1", "exchange b1 wheat"]),
        ("bank", {}, ["store c1", "cavern", "place d3", "scrap c1"]),
    ],
)
def test_nothing_answers_a_scrapped_resource_as_well(card, held, lines):
    values = {0: {"held": held}}
    town = "C*KC*M/bbg."
    state = scrapping(
        town, cards=card, namer=1, resource="glass", hand="statue", values=values, cavern=True, helpers=("scrap",)
    )
    assert {*lines} - {"scrap c1"} <= {*texts(state)}

    state = after(state, "0: scrap a1")

    assert ["0 towns.build", "1 towns.place"] == owed(state)
    for line in lines:
        assert "turn.not-asked" == refusal(state, f"0: {line}")
    assert 0 == state.players[0].cavern


@pytest.mark.rule("T-333")
def test_after_another_answer_nothing_is_scrapped():
    values = {0: {"held": {"b1": "wheat"}}}
    state = scrapping("C*K../bbg.", cards="warehouse", namer=1, values=values, cavern=True)

    for line in ("store b1", "cavern", "exchange b1 wheat", "place d4"):
        assert "turn.not-asked" == refusal(after(state, f"0: {line}"), "0: scrap a1")


@pytest.mark.rule("T-334")
def test_who_scraps_may_construct_in_that_round():
    state = after(scrapping("C*bbg"), "0: scrap a1", "0: build tavern b1")

    assert "CE.." == drawn(state)


@pytest.mark.rule("T-334")
def test_who_scraps_may_activate_further_abilities_in_that_round():
    state = scrapping("C*C*C*./whb.")

    state = after(state, "0: scrap a1", "0: activate innovate b1 c1", "0: build tavern a2")

    assert "CCC./E..." == drawn(state)
    assert 3 == state.town(0).lodge


@pytest.mark.rule("T-335")
@pytest.mark.parametrize("namer", [0, 1])
def test_the_master_builder_may_scrap_the_own_resource_too(namer):
    state = scrapping(namer=namer)

    assert "scrap a1" in texts(state)
    assert "C..." == drawn(after(state, "0: scrap a1"))


@pytest.mark.rule("T-336")
def test_a_complete_town_is_out_before_the_next_naming():
    state = scrapping("C*CCC/CCCC/CCCC/CCC.")

    state, events = play(state, "0: place d4", "1: place a1")

    assert ("towns.completed", {"seat": 0}) in told(events)
    assert ["1 towns.name"] == owed(state)
    state = after(state, "1: name wood")
    assert ["1 towns.place"] == owed(state)
    assert "turn.not-owed" == refusal(state, "0: scrap a1")
    assert [] == texts(state, 0)


@pytest.mark.rule("T-336")
def test_who_scraps_instead_of_filling_the_last_square_stays():
    state = scrapping("C*CCC/CCCC/CCCC/CCC.")

    state = after(state, "0: scrap a1", "1: place a1")

    assert 0 == state.players[0].completed
    assert "C" * 15 + ".*" == drawn(state).replace("/", "")
