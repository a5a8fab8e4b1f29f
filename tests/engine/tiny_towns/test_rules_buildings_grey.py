"""Rules T-082 to T-092: Fountain, Millstone, Shed, Well. Layouts are held in `test_tables.py`."""

import pytest

from tests.engine.tiny_towns.positions import after, drawn, points, position, refusal, squares_for
from tests.engine.tiny_towns.sketches import BUILT, SQUARES, is_beside, pairs, scattered, sketch, with_sign

CLEARED = ("w.b./C...", "0: place b1")
"""With a stone on b1, wood and stone lie side by side, a brick and a Cottage apart from them."""


def grey(drawing, card, **values):
    return points(position(drawing, cards=card, **values), "grey")


def beside_law(card, worth):
    """What one building of *card* is worth beside, or not beside, one building of each type."""
    for own, other in pairs():
        for sign in BUILT + "M":
            pair = grey(sketch({own: "A", other: sign}), card, hand="obelisk")
            assert pair == (worth(sign) if is_beside(own, other) else worth(".") * (1 + (sign == "A"))), (
                own,
                other,
                sign,
            )


@pytest.mark.rule("T-082")
def test_three_fountains_in_a_row_are_worth_6_and_two_apart_nothing():
    assert 6 == grey("AAA./...A/..../A...", "fountain")


@pytest.mark.rule("T-082")
def test_a_fountain_is_worth_2_beside_another_and_else_nothing():
    beside_law("fountain", lambda sign: 4 if sign == "A" else 0)


@pytest.mark.rule("T-082")
def test_each_fountain_that_is_not_alone_is_worth_2_and_never_more():
    for town in scattered(300, "AAC.", seed=5):
        fountains = with_sign(town, "A")
        joined = [one for one in fountains if any(is_beside(one, other) for other in fountains)]
        assert 2 * len(joined) == grey(sketch(town), "fountain")


@pytest.mark.rule("T-084")
def test_two_of_four_millstones_stand_beside_red_or_yellow():
    assert 4 == grey("AR.Y/A..A/.AE.", "millstone")


@pytest.mark.rule("T-085")
def test_a_millstone_between_red_and_yellow_is_worth_2_and_black_does_nothing():
    assert 2 == grey("RAY.", "millstone")
    assert 0 == grey("KA..", "millstone")


@pytest.mark.rule("T-084", "T-085")
def test_a_millstone_is_worth_2_beside_red_or_yellow_and_else_nothing():
    beside_law("millstone", lambda sign: 2 if sign in "RY" else 0)


@pytest.mark.rule("T-085")
def test_a_millstone_beside_four_red_and_yellow_buildings_is_worth_2():
    assert 2 == grey(".R../YAR./.Y..", "millstone")


@pytest.mark.rule("T-087")
def test_a_shed_is_worth_1_wherever_it_stands():
    beside_law("shed", lambda sign: 2 if sign == "A" else 1)


@pytest.mark.rule("T-087")
def test_sheds_are_worth_1_each():
    for town in scattered(200, "A" + BUILT + ".", seed=6):
        assert len(with_sign(town, "A")) == grey(sketch(town), "shed")


@pytest.mark.rule("T-088")
def test_a_shed_goes_on_every_square_but_those_of_the_brick_and_the_cottage():
    drawing, place = CLEARED
    state = after(position(drawing, cards="shed", resource="stone"), place)

    assert [one for one in SQUARES if one not in ("c1", "a2")] == squares_for(state, "build shed")
    assert "build.square" == refusal(state, "0: build shed c1")
    assert "build.square" == refusal(state, "0: build shed a2")


@pytest.mark.rule("T-088")
def test_wherever_the_shed_goes_the_wood_and_the_stone_leave():
    drawing, place = CLEARED
    state = after(position(drawing, cards="shed", resource="stone"), place)

    for square in squares_for(state, "build shed"):
        built = after(state, f"0: build shed {square}")
        assert sketch({"c1": "b", "a2": "C", square: "A"}) == drawn_whole(built)


def drawn_whole(state):
    rows = drawn(state).split("/")
    return "/".join(rows + ["...."] * (4 - len(rows)))


@pytest.mark.rule("T-089")
@pytest.mark.parametrize("card", ["fountain", "millstone", "well"])
def test_the_other_grey_cards_go_on_one_of_their_two_squares_only(card):
    drawing, place = CLEARED
    state = after(position(drawing, cards=card, resource="stone"), place)

    assert ["a1", "b1"] == squares_for(state, f"build {card}")
    for square in SQUARES[2:]:
        assert "build.square" == refusal(state, f"0: build {card} {square}")
    assert "A.b./C..." == drawn(after(state, f"0: build {card} a1"))
    assert ".Ab./C..." == drawn(after(state, f"0: build {card} b1"))


@pytest.mark.rule("T-091")
def test_a_well_counts_the_cottage_beside_it_and_not_the_one_at_its_corner():
    assert 1 == grey("CA../..C.", "well")


@pytest.mark.rule("T-092")
def test_two_wells_count_the_same_cottage_each():
    assert 2 == grey("ACA.", "well")


@pytest.mark.rule("T-091", "T-092")
def test_a_well_is_worth_1_for_each_cottage_beside_it_fed_or_not():
    beside_law("well", lambda sign: 1 if sign == "C" else 0)
    for town in scattered(300, "ACR.", seed=7):
        cottages = with_sign(town, "C")
        expected = sum(is_beside(one, other) for one in with_sign(town, "A") for other in cottages)
        assert expected == grey(sketch(town), "well farm")
