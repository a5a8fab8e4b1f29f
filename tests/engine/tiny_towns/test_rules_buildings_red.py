"""Rules T-067 to T-080: the Cottage and the four cards that feed it. Layouts are held in `test_tables.py`."""

import pytest

from tests.engine.tiny_towns.positions import after, drawn, owed, points, position, total
from tests.engine.tiny_towns.sketches import SQUARES, distance, groups_of, in_line, pairs, scattered, sketch, with_sign

FEEDERS = ("farm", "granary", "greenhouse", "orchard")


def fed_points(drawing, card, seat=0):
    state = position(drawing, cards=card)
    assert 0 == points(state, "red", seat)
    return points(state, "blue", seat)


@pytest.mark.rule("T-067")
def test_the_one_cottage_of_two_that_a_granary_feeds_is_worth_3():
    assert 3 == fed_points("RC.C", "granary")


@pytest.mark.rule("T-067")
@pytest.mark.parametrize("feeder", FEEDERS)
def test_a_cottage_is_worth_3_beside_any_feeder_and_0_without(feeder):
    for one, other in pairs():
        assert 0 == fed_points(sketch({one: "C"}), feeder)
        if distance(one, other) in ((0, 1), (1, 0)):
            assert 3 == fed_points(sketch({one: "C", other: "R"}), feeder)


@pytest.mark.rule("T-068")
def test_an_unfed_cottage_counts_for_a_well_and_is_worth_nothing_itself():
    state = position("CA..", cards="well")

    assert 1 == points(state, "grey")
    assert 0 == points(state, "blue")
    assert 1 - 14 == total(state)


@pytest.mark.rule("T-068")
def test_an_unfed_cottage_stays_to_the_end_of_the_game():
    full = "CAww/wwww/wwww/www."
    state = position(full, full, cards="well", resource="wood")

    over = after(state, "0: place d4", "1: place d4")

    assert [] == owed(over)
    assert "CA.." == drawn(over)
    assert (0, 1, -14) == tuple(points(over, part) for part in ("blue", "grey", "empty"))


@pytest.mark.rule("T-070")
def test_a_farm_feeds_four_of_five_cottages():
    assert 12 == fed_points("RCCC/CC..", "farm")


@pytest.mark.rule("T-070", "T-071")
def test_farms_feed_four_cottages_each_wherever_all_of_them_stand():
    for town in scattered(400, "RC.", seed=2):
        farms, cottages = len(with_sign(town, "R")), len(with_sign(town, "C"))
        assert 3 * min(4 * farms, cottages) == fed_points(sketch(town), "farm")


@pytest.mark.rule("T-070")
def test_a_farm_feeds_a_cottage_at_any_distance():
    for farm, cottage in pairs():
        assert 3 == fed_points(sketch({farm: "R", cottage: "C"}), "farm")


@pytest.mark.rule("T-071")
def test_two_farms_feed_eight_of_nine_cottages():
    assert 24 == fed_points("RCCC/RCCC/CCC.", "farm")


@pytest.mark.rule("T-073")
def test_a_granary_feeds_the_four_cottages_at_its_corners_and_no_others():
    assert 12 == fed_points("C.C./.R../C.CC/...C", "granary")


@pytest.mark.rule("T-073")
def test_a_granary_feeds_the_cottages_around_it_and_no_others():
    for granary, cottage in pairs():
        expected = 3 if max(distance(granary, cottage)) == 1 else 0
        assert expected == fed_points(sketch({granary: "R", cottage: "C"}), "granary")

    around = [sum(max(distance(one, other)) == 1 for other in SQUARES) for one in SQUARES]
    assert {3, 5, 8} == set(around)
    for granary, count in zip(SQUARES, around, strict=True):
        assert 3 * count == fed_points(sketch({granary: "R"}, empty="C"), "granary")


@pytest.mark.rule("T-075")
def test_a_greenhouse_feeds_the_largest_group_far_from_it():
    assert 9 == fed_points("CC.C/...C/R..C", "greenhouse")


@pytest.mark.rule("T-076")
def test_cottages_that_touch_at_a_corner_are_two_groups():
    assert 3 == fed_points("C.../.C../R...", "greenhouse")
    assert 6 == fed_points("C.../C.../R...", "greenhouse")


@pytest.mark.rule("T-077")
def test_two_greenhouses_feed_the_two_best_of_three_groups():
    assert 9 == fed_points("C.C./R.R./..CC", "greenhouse")


@pytest.mark.rule("T-078")
def test_a_second_greenhouse_adds_nothing_to_a_single_group():
    assert 6 == fed_points("CC../R.R.", "greenhouse")
    assert 6 == fed_points("CC../R...", "greenhouse")


@pytest.mark.rule("T-075", "T-076", "T-077", "T-078")
def test_greenhouses_feed_as_many_of_the_largest_groups_as_they_are():
    for town in scattered(400, "RC..", seed=3):
        sizes = groups_of(with_sign(town, "C"))
        expected = 3 * sum(sizes[: len(with_sign(town, "R"))])
        assert expected == fed_points(sketch(town), "greenhouse"), sketch(town)


@pytest.mark.rule("T-080")
def test_an_orchard_feeds_three_cottages_of_its_row_and_column():
    assert 9 == fed_points("CC../.R.C/.C../C..C", "orchard")


@pytest.mark.rule("T-080")
def test_an_orchard_feeds_its_whole_row_and_column_and_no_others():
    for orchard, cottage in pairs():
        expected = 3 if in_line(orchard, cottage) else 0
        assert expected == fed_points(sketch({orchard: "R", cottage: "C"}), "orchard")

    for orchard in SQUARES:
        assert 18 == fed_points(sketch({orchard: "R"}, empty="C"), "orchard")


@pytest.mark.rule("T-073", "T-080")
def test_several_granaries_or_orchards_feed_what_one_of_them_reaches():
    for town in scattered(300, "RCA.", seed=4):
        feeders, cottages = with_sign(town, "R"), with_sign(town, "C")
        reached = [one for one in cottages if any(max(distance(one, other)) == 1 for other in feeders)]
        crossed = [one for one in cottages if any(in_line(one, other) for other in feeders)]
        assert 3 * len(reached) == fed_points(sketch(town), "granary")
        assert 3 * len(crossed) == fed_points(sketch(town), "orchard")
