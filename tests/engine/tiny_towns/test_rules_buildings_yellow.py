"""Rules T-120 to T-131: Bakery, Market, Tailor, Theater. Layouts are held in `test_tables.py`."""

import pytest

from tests.engine.tiny_towns.positions import points, position
from tests.engine.tiny_towns.sketches import BUILT, SQUARES, in_line, is_beside, pairs, scattered, sketch, with_sign

CENTRE = ("b2", "c2", "b3", "c3")


def yellow(drawing, card):
    return points(position(drawing, cards=card, hand="obelisk"), "yellow")


@pytest.mark.rule("T-120")
def test_of_three_bakeries_one_stands_beside_black():
    assert 3 == yellow("YK../...Y/R.../.Y..", "bakery")
    assert 3 == yellow("RY..", "bakery")


@pytest.mark.rule("T-121")
def test_a_bakery_between_red_and_black_is_worth_3_once():
    assert 3 == yellow("RYK.", "bakery")


@pytest.mark.rule("T-120", "T-121")
def test_a_bakery_is_worth_3_beside_red_or_black_and_else_nothing():
    for own, other in pairs():
        for sign in BUILT + "M":
            expected = 3 if sign in "RK" and is_beside(own, other) else 0
            assert expected == yellow(sketch({own: "Y", other: sign}), "bakery"), (own, other, sign)

    for town in scattered(200, "YYRK.", seed=12):
        good = with_sign(town, "R") + with_sign(town, "K")
        warm = [one for one in with_sign(town, "Y") if any(is_beside(one, other) for other in good)]
        assert 3 * len(warm) == yellow(sketch(town), "bakery")


@pytest.mark.rule("T-123")
def test_four_markets_count_the_longer_of_row_and_column():
    assert 2 + 2 + 2 + 1 == yellow("YY../Y.../..../...Y", "market")


@pytest.mark.rule("T-124")
def test_a_full_row_of_markets_gives_4_each_and_one_below_it_2():
    assert 4 + 4 + 4 + 4 + 2 == yellow("YYYY/Y...", "market")


@pytest.mark.rule("T-123", "T-124")
def test_a_market_counts_the_markets_of_its_row_or_of_its_column_whichever_are_more():
    for town in scattered(400, "YYC.", seed=13):
        markets = with_sign(town, "Y")
        expected = 0
        for one in markets:
            row = [other for other in markets if other[1] == one[1]]
            column = [other for other in markets if other[0] == one[0]]
            expected += max(len(row), len(column))
        assert expected == yellow(sketch(town), "market"), sketch(town)


@pytest.mark.rule("T-126")
def test_three_tailors_of_which_two_stand_in_the_centre_are_worth_3_each():
    assert 9 == yellow("Y.../.YY.", "tailor")


@pytest.mark.rule("T-127")
def test_five_tailors_with_a_full_centre_are_worth_5_each():
    assert 25 == yellow("Y.../.YY./.YY.", "tailor")


@pytest.mark.rule("T-126", "T-127")
def test_a_tailor_is_worth_1_and_1_more_for_each_tailor_in_the_centre():
    for town in scattered(400, "YYA.", seed=14):
        tailors = with_sign(town, "Y")
        assert len(tailors) * (1 + sum(one in CENTRE for one in tailors)) == yellow(sketch(town), "tailor")

    for square in SQUARES:
        assert (2 if square in CENTRE else 1) == yellow(sketch({square: "Y"}, empty="A"), "tailor")


@pytest.mark.rule("T-129")
def test_a_theater_counts_two_types_and_the_other_below_it_one():
    assert 2 + 1 == yellow("YCC./A.../Y...", "theater")


@pytest.mark.rule("T-130")
def test_types_of_the_row_that_stand_in_the_column_too_count_once():
    assert 2 == yellow("YCA./C.../A...", "theater")


@pytest.mark.rule("T-131")
def test_the_monument_is_a_type_and_six_types_are_the_most():
    assert 2 == yellow("YCM.", "theater")
    assert 6 == yellow("YCRA/O.../E.../K...", "theater")


@pytest.mark.rule("T-131")
def test_a_seventh_type_outside_of_row_and_column_adds_nothing():
    assert 6 == yellow("YCRA/OK../E.../M...", "theater")


@pytest.mark.rule("T-129", "T-130", "T-131")
def test_a_theater_counts_the_different_types_of_its_row_and_column_but_its_own():
    for number, town in enumerate(scattered(400, "YY" + BUILT, seed=15)):
        if number % 2:
            town[min(town)] = "M"
        expected = 0
        for one in with_sign(town, "Y"):
            expected += len({town[other] for other in town if in_line(one, other)} - {"Y"})
        assert expected == yellow(sketch(town), "theater"), sketch(town)
