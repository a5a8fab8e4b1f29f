"""Rules T-306 to T-314: Cut Corners. The slow search in `test_rules_abilities.py` tries it on many towns."""

import pytest

from engine.tiny_towns.layouts import SQUARES
from tests.engine.tiny_towns.positions import after, drawn, owed, position, refusal, squares_for, texts

CARDS = "fountain abbey farm bakery bank"


def cutting(drawing, resource="stone", cards=CARDS, **values):
    """A position in which seat 0 has paid for Cut Corners with the worker of a4; a stone is on d4."""
    rows = (drawing.split("/") + ["...."] * 3)[:3]
    town = "/".join((*rows, "C*..."))
    state = position(town, helpers=("cut-corners",), resource=resource, cards=cards, lodge=False, **values)
    return after(state, "0: place d4", "0: activate cut-corners a4")


def cut(drawing):
    """The squares on which a Tavern can be constructed."""
    return squares_for(cutting(drawing), "build tavern")


@pytest.mark.rule("T-306")
def test_one_square_of_the_layout_may_be_skipped():
    state = cutting("bb..")

    assert ["a1", "b1"] == squares_for(state, "build tavern")
    assert "E.../..../..../C..s" == drawn(after(state, "0: build tavern a1"))
    assert ".E../..../..../C..s" == drawn(after(state, "0: build tavern b1"))


@pytest.mark.rule("T-306")
@pytest.mark.parametrize(
    ("drawing", "squares"),
    [("b.g.", ["a1", "c1"]), (".bg.", ["b1", "c1"]), (".gb.", ["b1", "c1"]), ("b.../b...", ["a1", "a2"])],
)
def test_whichever_it_is_the_others_must_fit(drawing, squares):
    assert squares == cut(drawing)


@pytest.mark.rule("T-306")
@pytest.mark.parametrize("drawing", ["gg..", "bw..", "wb..", "b..g", "b.../.b..", "b.../..b."])
def test_cubes_that_do_not_fit_cannot_serve(drawing):
    assert [] == cut(drawing)


@pytest.mark.rule("T-307")
@pytest.mark.parametrize("third", [".", "C", "w", "s"])
def test_the_building_never_goes_on_the_skipped_square(third):
    state = cutting(f"bb{third}.")

    assert "build.square" == refusal(state, "0: build tavern c1")
    assert ["a1", "b1"] == squares_for(state, "build tavern")


@pytest.mark.rule("T-308")
def test_the_skipped_square_must_lie_on_the_grid():
    state = cutting("bghh/s...", resource="glass", hand="watch")

    assert "build.layout" == refusal(state, "0: build watch a1")
    assert [] == squares_for(state, "build watch")


@pytest.mark.rule("T-308")
def test_with_the_square_on_the_grid_the_same_cubes_will_do():
    state = cutting("..../bghh/s...", resource="glass", hand="watch")

    assert ["a2", "b2", "c2", "d2", "a3"] == squares_for(state, "build watch")


@pytest.mark.rule("T-309")
@pytest.mark.parametrize(("drawing", "left"), [("bbC.", "C"), ("bbw.", "w"), ("bbE.", "E"), ("bbs.", "s")])
def test_the_skipped_square_may_hold_anything_which_stays(drawing, left):
    state = cutting(drawing)

    assert ["a1", "b1"] == squares_for(state, "build tavern")
    assert f"E.{left}./..../..../C..s" == drawn(after(state, "0: build tavern a1"))
    assert f".E{left}./..../..../C..s" == drawn(after(state, "0: build tavern b1"))


@pytest.mark.rule("T-310")
def test_it_may_even_hold_the_fitting_cube():
    state = after(cutting("bbg."), "0: build tavern a1")

    assert ["0 towns.cubes", "1 towns.place"] == owed(state)
    assert ["use a1 b1", "use a1 c1"] == sorted(texts(state))
    assert "use.cubes" == refusal(state, "0: use a1 b1 c1")
    assert "E.g./..../..../C..s" == drawn(after(state, "0: use a1 b1"))
    assert "Eb../..../..../C..s" == drawn(after(state, "0: use a1 c1"))


@pytest.mark.rule("T-311")
def test_two_missing_cubes_are_too_many():
    assert ["a1", "c1"] == cut("b.g.")
    assert [] == cut("b...")
    assert "build.layout" == refusal(cutting("b..."), "0: build tavern a1")


@pytest.mark.rule("T-311")
def test_a_large_layout_may_lack_one_cube_and_no_more():
    one = cutting("hh../.gb.", cards="bank")
    two = cutting("hh../..b.", cards="bank")

    assert ["a1", "b1", "b2", "c2"] == squares_for(one, "build bank")
    assert "build.layout" == refusal(two, "0: build bank a1")


@pytest.mark.rule("T-312")
def test_villager_and_cube_on_the_skipped_square_both_stay():
    state = cutting("bbg*.")

    state = after(state, "0: build tavern a1", "0: use a1 b1")

    assert "E.g*./..../..../C..s" == drawn(state)
    assert (2,) == state.town(0).villagers
    assert () == state.town(0).workers
    state = after(state, "1: place a1")
    assert ["move c1 b1", "move c1 d1", "move c1 c2"] == texts(state)


@pytest.mark.rule("T-312")
def test_a_villager_on_a_skipped_empty_square_stays_too():
    state = after(cutting("bb.*."), "0: build tavern a1", "1: place a1")

    assert (2,) == state.town(0).villagers
    assert ["0 towns.lodge"] == owed(state)


@pytest.mark.rule("T-313")
def test_a_grey_card_needs_one_cube_then():
    state = cutting("w...", "wheat", cards="well")

    assert ["a1"] == squares_for(state, "build well")
    assert "A.../..../..../C..h" == drawn(after(state, "0: build well a1"))
    assert "build.square" == refusal(state, "0: build well b1")


@pytest.mark.rule("T-313")
@pytest.mark.parametrize("cards", ["well", "shed", "fountain", "millstone"])
def test_from_an_empty_town_nothing_is_constructed(cards):
    state = position("C*C*..", helpers=("scrap", "cut-corners"), cards=cards, lodge=False)

    state = after(state, "0: scrap a1")

    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-313")
def test_nor_with_trading_posts_alone():
    state = position("C*C*../KK..", helpers=("scrap", "cut-corners"), cards="trading-post", lodge=False)

    state = after(state, "0: scrap a1")

    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-314")
def test_after_an_obelisk_the_building_goes_on_every_empty_square_but_the_skipped_one():
    state = cutting("bb../...M", hand="obelisk")

    taken = ("c1", "d2", "a4", "d4")
    assert [square for square in SQUARES if square not in taken] == squares_for(state, "build tavern")
    assert "build.square" == refusal(state, "0: build tavern c1")


@pytest.mark.rule("T-314")
def test_a_shed_goes_on_every_empty_square_but_the_skipped_one():
    """Of the two squares beside the wood either may be skipped: on each of them the other is."""
    state = cutting("w...", "wheat", cards="shed")

    assert [square for square in SQUARES if square not in ("a4", "d4")] == squares_for(state, "build shed")
    assert ".A../..../..../C..h" == drawn(after(state, "0: build shed b1"))
