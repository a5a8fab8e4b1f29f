"""Rules T-094 to T-103: Abbey, Chapel, Cloister, Temple. Layouts are held in `test_tables.py`."""

from itertools import combinations

import pytest

from tests.engine.tiny_towns.positions import points, position
from tests.engine.tiny_towns.sketches import BUILT, SQUARES, is_beside, pairs, scattered, sketch, with_sign

CORNERS = ("a1", "d1", "a4", "d4")


def orange(drawing, cards):
    return points(position(drawing, cards=cards), "orange")


@pytest.mark.rule("T-094")
def test_of_three_abbeys_one_stands_beside_nothing_bad():
    assert 3 == orange("OCA./.R../OE../..OY", "abbey")


@pytest.mark.rule("T-095")
def test_black_beside_an_abbey_spoils_it_and_at_a_corner_does_not():
    assert 0 == orange("OK../.O..", "abbey")
    assert 3 == orange("O.../.K..", "abbey")


@pytest.mark.rule("T-094", "T-095")
def test_an_abbey_is_worth_3_unless_black_green_or_yellow_is_beside_it():
    for own, other in pairs():
        for sign in BUILT + "M":
            state = position(sketch({own: "O", other: sign}), cards="abbey", hand="obelisk")
            expected = 0 if sign in "KEY" and is_beside(own, other) else 3
            assert expected * (1 + (sign == "O")) == points(state, "orange"), (own, other, sign)


@pytest.mark.rule("T-094")
def test_an_abbey_among_good_neighbours_is_spoilt_by_one_bad_one():
    assert 3 == orange(".R../COA./.R..", "abbey")
    assert 0 == orange(".R../COA./.Y..", "abbey")


@pytest.mark.rule("T-097")
def test_two_chapels_count_the_four_fed_of_five_cottages_each():
    assert 8 == orange("CCCC/CROO", "chapel farm")


@pytest.mark.rule("T-097")
def test_each_chapel_is_worth_1_for_each_fed_cottage_near_or_far():
    for town in scattered(300, "OCR.", seed=8):
        cottages, farms = with_sign(town, "C"), with_sign(town, "R")
        fed = min(len(cottages), 4 * len(farms))
        assert fed * len(with_sign(town, "O")) == orange(sketch(town), "chapel farm")
        reached = [one for one in cottages if any(max_step(one, other) == 1 for other in farms)]
        assert len(reached) * len(with_sign(town, "O")) == orange(sketch(town), "chapel granary")


def max_step(one, other):
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1]) - int(other[1])))


@pytest.mark.rule("T-099")
def test_three_cloisters_count_two_corners_each():
    assert 6 == orange("O..O/.O..", "cloister")


@pytest.mark.rule("T-100")
def test_five_cloisters_count_four_corners_each():
    assert 20 == orange("O..O/.O../..../O..O", "cloister")


@pytest.mark.rule("T-099", "T-100")
def test_each_cloister_is_worth_1_for_each_cloister_on_a_corner():
    for town in scattered(300, "OOC.", seed=9):
        cloisters = with_sign(town, "O")
        assert len(cloisters) * sum(one in CORNERS for one in cloisters) == orange(sketch(town), "cloister")

    for sign in BUILT.replace("O", ""):
        assert 1 == orange(sketch({"a1": "O"} | dict.fromkeys(CORNERS[1:], sign)), "cloister")


@pytest.mark.rule("T-102")
def test_a_temple_beside_two_cottages_of_which_one_is_fed_is_worth_nothing():
    assert 0 == orange("COC./R...", "temple granary")


@pytest.mark.rule("T-103")
def test_a_temple_beside_three_fed_cottages_is_worth_4():
    assert 4 == orange(".C../COC./R...", "temple farm")


@pytest.mark.rule("T-102", "T-103")
def test_a_temple_is_worth_4_beside_two_or_more_fed_cottages_and_else_nothing():
    for temple in SQUARES:
        neighbours = [one for one in SQUARES if is_beside(temple, one)]
        farm = next(one for one in SQUARES if one != temple and one not in neighbours)
        for count in range(len(neighbours) + 1):
            for cottages in combinations(neighbours, count):
                town = {temple: "O"} | dict.fromkeys(cottages, "C")
                assert 0 == orange(sketch(town), "temple farm")
                assert (4 if count >= 2 else 0) == orange(sketch(town | {farm: "R"}), "temple farm")


@pytest.mark.rule("T-102")
def test_fed_cottages_that_are_not_beside_it_do_nothing_for_a_temple():
    assert 0 == orange("OC../.C../R...", "temple farm")
    assert 0 == orange("O.C./.C../C..R", "temple farm")


@pytest.mark.rule("T-102")
def test_two_temples_count_the_same_two_cottages_each():
    assert 8 == orange("CO../OC../...R", "temple farm")
