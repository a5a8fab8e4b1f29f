"""Rules T-321 to T-326: Innovate. The slow search in `test_rules_abilities.py` tries it on many towns."""

from itertools import permutations

import pytest

from engine.tiny_towns.components import MONUMENTS
from engine.tiny_towns.layouts import images
from tests.engine.tiny_towns.positions import COMPONENTS, after, drawn, play, position, refusal, squares_for, texts

PAY = "b4 c4"


def ready(drawing, resource="wheat", **values):
    """A position in which seat 0 has placed the cube of the round on a4 and can pay for Innovate."""
    rows = (drawing.split("/") + ["...."] * 3)[:3]
    state = position("/".join((*rows, ".C*C*.")), helpers=("innovate",), resource=resource, lodge=False, **values)
    return after(state, "0: place a4")


def innovated(drawing, card, **values):
    """The squares on which Innovate can construct *card*."""
    state = ready(drawing, **values)
    if f"activate innovate {PAY}" not in texts(state):
        return []
    state = after(state, f"0: activate innovate {PAY}")
    squares = squares_for(state, f"build {card}")
    assert squares or refusal(state, f"0: build {card} a1") in ("build.layout", "card.not-open")
    return squares


def laid(layout, signs):
    """The drawing of *layout* at the top left with a sign for each of its squares."""
    coming = iter(signs)
    rows = ["".join("." if letter == "." else next(coming) for letter in row).ljust(4, ".") for row in layout]
    return "/".join((rows + ["...."] * 3)[:3])


def size(card):
    """How many cubes *card* takes."""
    return sum(letter != "." for row in card.layout for letter in row)


CARDS = (*COMPONENTS.buildings, *COMPONENTS.monuments)
LARGE = [card.id for card in CARDS if size(card) == 6]


def open_card(name):
    """What opens the card *name* in a position."""
    return {"hand": name} if name in MONUMENTS else {"cards": name}


@pytest.mark.rule("T-321")
def test_unlike_cubes_in_the_shape_will_do():
    state = after(ready("whb."), f"0: activate innovate {PAY}")

    assert ["a1", "b1", "c1"] == squares_for(state, "build tavern")
    assert ".E../..../..../hCC." == drawn(after(state, "0: build tavern b1"))
    assert "build.square" == refusal(state, "0: build tavern d1")


@pytest.mark.rule("T-321")
@pytest.mark.parametrize("signs", [*permutations("whbgs", 3)], ids="".join)
def test_any_three_unlike_cubes_build_a_tavern(signs):
    assert ["a1", "b1", "c1"] == innovated("".join(signs) + ".", "tavern")


@pytest.mark.rule("T-322")
@pytest.mark.parametrize("drawing", ["bbw.", "bwb.", "wbb.", "ggg.", "bbg."])
def test_two_alike_are_refused(drawing):
    state = ready(f"{drawing}/..../wh..")

    paid = after(state, f"0: activate innovate {PAY}")

    assert "build.layout" == refusal(paid, "0: build tavern a1")
    assert [] == squares_for(paid, "build tavern")


@pytest.mark.rule("T-322")
def test_what_is_exact_can_be_built_without():
    state = ready("bbg.", resource="brick", cards="shed")

    assert ["a1", "b1", "c1"] == squares_for(state, "build tavern")
    assert [] == innovated("bbg.", "tavern", resource="brick")


@pytest.mark.rule("T-322")
def test_where_all_cubes_are_alike_nobody_can_pay_for_it():
    state = position("bbb./b.../..../.C*C*.", helpers=("forage", "innovate"), resource="brick", lodge=False)

    state = after(state, "0: place a4")

    assert "ability.nothing" == refusal(state, f"0: activate innovate {PAY}")
    assert ["b4", "c4"] == squares_for(state, "activate forage")


@pytest.mark.rule("T-323")
def test_a_farm_lies_in_a_square_and_not_in_a_row():
    assert ["a1", "b1", "a2", "b2"] == innovated("wh../sb..", "farm")
    assert [] == innovated("whsb", "farm")


@pytest.mark.rule("T-323")
@pytest.mark.parametrize("name", [card.id for card in CARDS if size(card) <= 5])
def test_every_image_of_the_shape_counts(name):
    for rows in images(COMPONENTS.card(name).layout):
        if len(rows) > 3:
            continue
        found = innovated(laid(rows, "shgwb"), name, **open_card(name))
        expected = [
            f"{'abcd'[x]}{y + 1}" for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "."
        ]
        assert {*expected} <= {*found}


@pytest.mark.rule("T-323")
@pytest.mark.parametrize("drawing", ["wh../.b..", "w.../.h../..b.", "w.hb", "wh.b"])
def test_another_shape_is_refused(drawing):
    assert [] == innovated(drawing, "tavern")


@pytest.mark.rule("T-324")
@pytest.mark.parametrize("signs", [*permutations("whbgs")][::7], ids="".join)
def test_layouts_of_five_squares_need_one_cube_of_each_resource(signs):
    bank = COMPONENTS.card("bank").layout

    assert ["a1", "b1", "a2", "b2", "c2"] == innovated(laid(bank, signs), "bank", cards="bank")
    for at in range(5):
        for other in {*"whbgs"} - {signs[at]}:
            alike = [*signs[:at], other, *signs[at + 1 :]]
            assert [] == innovated(laid(bank, alike), "bank", cards="bank")


@pytest.mark.rule("T-324")
def test_a_bank_from_five_unlike_cubes():
    state = after(ready("hs../wgb.", cards="bank"), f"0: activate innovate {PAY}", "0: build bank a1")

    assert "K.../..../..../hCC." == drawn(state)
    state, _ = play(state, "0: mark wood")
    assert ("wood",) == state.town(0).held[0]


@pytest.mark.rule("T-325")
def test_the_layouts_of_six_squares():
    assert ["castle", "watch", "shrine", "baths"] == LARGE


@pytest.mark.rule("T-325", "T-326")
@pytest.mark.parametrize("name", LARGE)
@pytest.mark.parametrize("signs", ["whbgsw", "whbgsb", "whbgsK", "whKbgs", "KwhbgK", "KKKKKw"])
def test_layouts_of_six_squares_are_out_of_reach(name, signs):
    rows = next(rows for rows in images(COMPONENTS.card(name).layout) if len(rows) <= 3)

    assert [] == innovated(laid(rows, signs), name, hand=name, cards="trading-post")


@pytest.mark.rule("T-326")
@pytest.mark.parametrize(
    ("drawing", "squares"),
    [("wKb.", ["a1", "c1"]), ("KKb.", ["c1"]), ("wKw.", []), ("bKb.", []), ("KKK.", []), ("bKg.", ["a1", "c1"])],
)
def test_a_trading_post_stands_for_a_type_that_no_other_square_shows(drawing, squares):
    assert squares == innovated(drawing, "tavern", cards="trading-post")


@pytest.mark.rule("T-326")
def test_the_trading_post_stays():
    state = after(ready("wKb.", cards="trading-post"), f"0: activate innovate {PAY}", "0: build tavern a1")

    assert "EK../..../..../hCC." == drawn(state)


@pytest.mark.rule("T-326")
@pytest.mark.parametrize("signs", ["whbgK", "whbKK", "wKKKK"])
def test_five_squares_may_hold_trading_posts(signs):
    five = COMPONENTS.card("statue").layout

    assert len(signs.replace("K", "")) == len(
        innovated(laid(five, signs), "statue", hand="statue", cards="trading-post")
    )
