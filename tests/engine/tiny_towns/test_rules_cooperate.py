"""Rules T-301 to T-305: Cooperate. The slow search in `test_rules_abilities.py` tries it on many towns."""

import pytest

from engine.tiny_towns.layouts import SQUARES
from tests.engine.tiny_towns.positions import after, drawn, owed, position, refusal, squares_for, texts

WORKERS = "C*C*C*."
OFF = "d3"
"""Where the cube of the round lies that no card of these tests wants."""


def cooperating(drawing, resource="stone", pay="a3 b3 c3", **values):
    """A position in which seat 0 has paid for Cooperate; its workers stand in the third row if the town has none."""
    rows = drawing.split("/")
    rows = rows if "*" in drawing else [*(rows + ["...."] * 2)[:2], WORKERS, *rows[3:]]
    state = position("/".join(rows), helpers=("forage", "cooperate"), resource=resource, lodge=False, **values)
    return after(state, f"0: place {OFF}", f"0: activate cooperate {pay}")


@pytest.mark.rule("T-301")
def test_the_cubes_may_stand_anywhere_in_town():
    state = cooperating("b..g/..../..../h...")

    assert ["a1", "d1", "a4"] == squares_for(state, "build cottage")
    for square, town in (("a1", "C..."), ("d1", "...C"), ("a4", "....")):
        done = after(state, f"0: build cottage {square}")
        assert drawn(done).startswith(f"{town}/..../CCCs")
        assert {"brick", "wheat", "glass"} & {*done.town(0).cubes} == set()
        assert "cottage" == done.town(0).buildings[SQUARES.index(square)]


@pytest.mark.rule("T-301")
@pytest.mark.parametrize("cubes", ["bgw", "bg.", "bbgg", "hbb", "hgg", "hwsg"])
def test_the_cubes_must_match_exactly(cubes):
    state = cooperating(f"{cubes.ljust(4, '.')}/w..s")

    assert [] == squares_for(state, "build cottage")
    assert "build.cubes" == refusal(state, "0: build cottage a1")


@pytest.mark.rule("T-301")
def test_a_type_that_the_layout_wants_twice_must_be_there_twice():
    once = cooperating("b.w./...s/..../g...")
    twice = cooperating("b.w./.b.s/..../g...")

    assert "build.cubes" == refusal(once, "0: build tavern a1")
    assert ["a1", "b2", "a4"] == squares_for(twice, "build tavern")


@pytest.mark.rule("T-302")
@pytest.mark.parametrize("square", [one for one in SQUARES if one not in ("a1", "d1", "a4")])
def test_the_building_goes_nowhere_else(square):
    assert "build.square" == refusal(cooperating("b..g/w.../..../h..."), f"0: build cottage {square}")


@pytest.mark.rule("T-303")
def test_a_shed_goes_on_an_emptied_square_too():
    state = cooperating("w..h/..s.", resource="wheat", cards="shed")

    assert ["a1", "c2"] == squares_for(state, "build shed")
    assert "build.square" == refusal(state, "0: build shed b1")


@pytest.mark.rule("T-303")
def test_after_an_obelisk_the_building_goes_on_an_emptied_square_too():
    state = cooperating("b..g/M.../..../h...", hand="obelisk")

    assert ["a1", "d1", "a4"] == squares_for(state, "build cottage")
    assert "build.square" == refusal(state, "0: build cottage b1")


@pytest.mark.rule("T-304")
def test_the_owner_says_which_cubes_go():
    state = cooperating("bb.g/h...")

    assert ["a1", "b1", "d1", "a2"] == squares_for(state, "build cottage")
    for square in ("d1", "a2"):
        asked = after(state, f"0: build cottage {square}")
        assert ["0 towns.give", "1 towns.place"] == owed(asked)
        assert ["give a1", "give b1"] == texts(asked)
        assert "give.square" == refusal(asked, "0: give d1" if square == "a2" else "0: give a2")
        assert ".b" == drawn(after(asked, "0: give a1"))[:2]
        assert "b." == drawn(after(asked, "0: give b1"))[:2]


@pytest.mark.rule("T-304")
def test_where_the_square_says_which_cubes_go_nobody_is_asked():
    state = cooperating("bb.g/h...")

    assert "Cb../..../CCCs" == drawn(after(state, "0: build cottage a1"))
    assert "bC../..../CCCs" == drawn(after(state, "0: build cottage b1"))


@pytest.mark.rule("T-304")
def test_two_of_three_are_given_one_after_the_other():
    state = after(cooperating("bbbg/g..."), "0: build tavern a2")

    assert ["give a1", "give b1"] == texts(state)
    assert "b..g/E.../CCCs" == drawn(after(state, "0: give b1"))
    state = after(state, "0: give a1")
    assert ["give b1", "give c1"] == texts(state)
    assert ".b.g/E.../CCCs" == drawn(after(state, "0: give c1"))


@pytest.mark.rule("T-305")
@pytest.mark.parametrize("card", ["warehouse", "factory", "bank"])
def test_cubes_and_markers_on_a_building_do_not_serve(card):
    state = cooperating("b..g/K.ws", cards=card, values={0: {"held": {"a2": "wheat"}}})

    assert "build.cubes" == refusal(state, "0: build cottage a1")
    assert ["c2", "d2", OFF] == squares_for(state, "build well")


@pytest.mark.rule("T-305")
def test_cubes_on_cottages_do_not_serve():
    values = {0: {"held": {"a2": "wheat"}}}
    state = cooperating("b..g/C.Mw/C*C*C*.", hand="statue", values=values)

    assert "build.cubes" == refusal(state, "0: build cottage a1")
    state = after(state, "0: build well d2")
    assert ("wheat",) == state.town(0).held[4]
