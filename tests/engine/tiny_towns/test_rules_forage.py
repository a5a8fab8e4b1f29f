"""Rules T-315 to T-320: Forage."""

import pytest

from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import SQUARES
from tests.engine.tiny_towns.positions import (
    CUBES,
    after,
    drawn,
    owed,
    play,
    position,
    refusal,
    squares_for,
    texts,
    told,
)


def foraging(drawing, pay="a4", answer="place d4", **values):
    """A position in which seat 0 has paid for Forage."""
    state = position(drawing, helpers=("forage", "innovate"), lodge=False, **values)
    return after(state, f"0: {answer}", f"0: activate forage {pay}")


@pytest.mark.rule("T-315")
@pytest.mark.parametrize("sign", "whbgs")
def test_one_cube_of_any_resource_goes_on_an_empty_square(sign):
    state = foraging(".*gE./..../..../C*...")

    free = [square for square in SQUARES if square not in ("b1", "c1", "a4", "d4")]
    assert free == squares_for(state, f"add {CUBES[sign]}")
    state, events = play(state, f"0: add {CUBES[sign]} c3")
    assert f".*gE./..../..{sign}./C..w" == drawn(state)
    assert ("towns.brought", {"seat": 0, "resource": CUBES[sign], "square": "c3"}) == told(events)[0]
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-315")
def test_it_may_go_to_a_villager():
    state = after(foraging(".*.../..../..../C*..."), "0: add glass a1")

    assert "g*.../..../..../C..w" == drawn(state)


@pytest.mark.rule("T-315")
def test_it_is_one_cube_and_never_a_building():
    state = foraging("..../..../..../C*...")

    assert {"add"} == {text.split()[0] for text in texts(state)}
    assert {*RESOURCES} == {text.split()[1] for text in texts(state)}
    assert "add.resource" == refusal(state, "0: add tavern a1")


@pytest.mark.rule("T-316")
@pytest.mark.parametrize(
    ("square", "reason"),
    [("b1", "cube"), ("c1", "building"), ("d1", "building"), ("a2", "cube"), ("a4", "building"), ("d4", "cube")],
)
def test_a_square_with_a_cube_or_a_building_is_refused(square, reason):
    state = foraging(".gCE*/w*.../..../C*...")

    for resource in RESOURCES:
        assert f"square.{reason}" == refusal(state, f"0: add {resource} {square}")


@pytest.mark.rule("T-317")
@pytest.mark.parametrize(
    ("card", "held", "lines"),
    [
        ("factory", {"a1": "glass"}, ["swap wood", "swap brick"]),
        ("warehouse", {"a1": "wheat"}, ["store a1", "exchange a1 wheat"]),
        ("bank", {"a1": "wood"}, ["store b1", "cavern", "scrap b4", "place a3"]),
    ],
)
def test_what_answers_a_named_resource_does_not_answer_a_foraged_one(card, held, lines):
    town = "KC.M/..../..../C*C*.."
    values = {0: {"held": held}}
    state = foraging(town, namer=1, resource="glass", cards=card, hand="statue", values=values, cavern=True)

    for line in lines:
        assert "turn.not-asked" == refusal(state, f"0: {line}")
    before = state.town(0)
    state = after(state, "0: add glass c1")
    assert "glass" == state.town(0).cubes[2]
    assert before.held == state.town(0).held
    assert 0 == state.players[0].cavern


@pytest.mark.rule("T-317")
@pytest.mark.parametrize("line", ["swap wheat", "store a1", "cavern"])
def test_nor_does_anything_answer_it_once_it_lies_there(line):
    values = {0: {"held": {"b1": "glass"}}}
    state = foraging("CK.M/bbg./..../C*C*..", namer=1, hand="statue", values=values, cavern=True)

    state = after(state, "0: add glass c1")

    assert ["0 towns.build", "1 towns.place"] == owed(state)
    assert "turn.not-asked" == refusal(state, f"0: {line}")


@pytest.mark.rule("T-317")
def test_the_namer_forages_what_nobody_named():
    state = after(foraging("..../..../..../C*..."), "0: add glass a1")

    assert (0, "wood") == (state.namer, state.resource)
    assert ["place a1", "place b1"] == texts(state, 1)[:2]


@pytest.mark.rule("T-318")
def test_the_villager_below_a_foraged_cube_moves_at_the_end_of_the_round():
    state = after(foraging(".*.../..../..../C*..."), "0: add glass a1", "1: place a1")

    assert ["0 towns.villagers"] == owed(state)
    assert ["move a1 b1", "move a1 a2"] == texts(state)
    state = after(state, "0: move a1 a2")
    assert "g.../.*.../..../C..w" == drawn(state)


@pytest.mark.rule("T-319")
def test_the_foraged_cube_may_serve_in_the_same_round_and_the_building_employ_its_villager():
    state = after(foraging("bb.*./..../..../C*..."), "0: add glass c1")

    state, events = play(state, "0: build tavern c1")

    assert "..E*./..../..../C..w" == drawn(state)
    assert (2,) == state.town(0).workers
    assert ("towns.works", {"seat": 0, "square": "c1", "card": "tavern"}) in told(events)


@pytest.mark.rule("T-319")
def test_with_the_building_elsewhere_the_villager_stays_where_the_foraged_cube_was():
    state = after(foraging("bb.*./..../..../C*..."), "0: add glass c1", "0: build tavern a1")

    state = after(state, "1: place a1")

    assert (2,) == state.town(0).villagers
    assert ["0 towns.lodge"] == owed(state)


@pytest.mark.rule("T-320")
def test_it_does_not_come_before_the_placement():
    state = position("..../..../..../C*...", helpers=("forage", "innovate"))

    assert "turn.not-asked" == refusal(state, "0: activate forage a4")
    assert not [text for text in texts(state) if text.startswith("activate")]


@pytest.mark.rule("T-320")
def test_nor_between_an_exchange_and_its_placement():
    values = {0: {"held": {"a1": "glass"}}}
    state = position("K.../..../..../C*...", helpers=("forage",), cards="warehouse", namer=1, values=values)

    state = after(state, "0: exchange a1 glass")

    assert "turn.not-asked" == refusal(state, "0: activate forage a4")
    assert "activate forage a4" in texts(after(state, "0: place b1"))


@pytest.mark.rule("T-320")
@pytest.mark.parametrize("answer", ["store b1", "store c1", "cavern", "place d4"])
def test_it_comes_after_whatever_stands_for_the_placement(answer):
    card = "warehouse"
    state = foraging(".KCM/..../..../C*...", answer=answer, namer=1, cards=card, hand="statue", cavern=True)

    state = after(state, "0: add stone a1")

    assert drawn(state).startswith("sKCM")


@pytest.mark.rule("T-320")
def test_it_comes_after_scrap_too():
    state = position("..../..../..../C*C*..", helpers=("scrap", "forage"), lodge=False)

    state = after(state, "0: scrap a4", "0: activate forage b4", "0: add stone a1")

    assert "s.../..../..../CC.." == drawn(state)
