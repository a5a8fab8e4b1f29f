"""Rules T-105 to T-118: Almshouse, Feast Hall, Inn, Tavern. Layouts are held in `test_tables.py`."""

from itertools import product

import pytest

from tests.engine.tiny_towns.positions import after, owed, points, position, total
from tests.engine.tiny_towns.sketches import BUILT, SQUARES, in_line, pairs, scattered, sketch, with_sign

ALMSHOUSES = (0, -1, 5, -3, 15, -5, 26, 26, 26, 26)
TAVERNS = (0, 2, 5, 9, 14, 20, 20, 20, 20, 20)


def green(drawing, card):
    return points(position(drawing, cards=card), "green")


def row_of(count):
    return sketch(dict.fromkeys(SQUARES[:count], "E"))


@pytest.mark.rule("T-105", "T-106", "T-107")
@pytest.mark.parametrize(("count", "expected"), list(enumerate(ALMSHOUSES)))
def test_almshouses_score_once_for_so_many(count, expected):
    assert expected == green(row_of(count), "almshouse")


@pytest.mark.rule("T-117", "T-118")
@pytest.mark.parametrize(("count", "expected"), list(enumerate(TAVERNS)))
def test_taverns_score_once_for_so_many(count, expected):
    assert expected == green(row_of(count), "tavern")


@pytest.mark.rule("T-105", "T-106", "T-117", "T-118")
@pytest.mark.parametrize(("card", "figures"), [("almshouse", ALMSHOUSES), ("tavern", TAVERNS)])
def test_a_set_scores_the_same_wherever_its_buildings_stand(card, figures):
    for town in scattered(200, "E" + BUILT + "..", seed=10):
        count = len(with_sign(town, "E"))
        assert (*figures, *figures[-1:] * 8)[count] == green(sketch(town), card)


@pytest.mark.rule("T-107")
def test_a_town_without_almshouse_has_lost_nothing_but_its_empty_squares():
    assert -16 == total(position("....", cards="almshouse"))


@pytest.mark.rule("T-109", "T-111")
def test_two_feast_halls_beat_one_and_tie_with_two():
    beaten = position("EE..", "E...", cards="feast-hall")
    tied = position("EE..", "E..E", cards="feast-hall")

    assert [6, 2] == [points(beaten, "green", seat) for seat in (0, 1)]
    assert [4, 4] == [points(tied, "green", seat) for seat in (0, 1)]


@pytest.mark.rule("T-110")
def test_three_players_with_two_one_and_three_feast_halls_score_4_2_and_9():
    state = position("EE..", "E...", "E.E./..E.", cards="feast-hall")

    assert [4, 2, 9] == [points(state, "green", seat) for seat in (0, 1, 2)]


@pytest.mark.rule("T-109", "T-110", "T-111")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_feast_hall_is_worth_3_with_more_than_the_seat_before_has_and_else_2(seats):
    for counts in product(range(4), repeat=seats):
        state = position(*(row_of(count) for count in counts), cards="feast-hall")
        for seat, own in enumerate(counts):
            right = counts[seat - 1]
            assert own * (3 if own > right else 2) == points(state, "green", seat), counts


@pytest.mark.rule("T-109", "T-367")
@pytest.mark.parametrize("count", range(5))
def test_alone_every_feast_hall_is_worth_3(count):
    state = position(row_of(count), cards="feast-hall", solo=True, feast_hall=True)

    assert 3 * count == points(state, "green")


@pytest.mark.rule("T-109")
def test_only_green_buildings_are_compared_at_the_feast():
    state = position("E...", "RCA./YK..", cards="feast-hall")

    assert 3 == points(state, "green", 0)


@pytest.mark.rule("T-112")
def test_the_final_towns_are_compared_though_the_neighbour_completed_long_before():
    full = "EEww/wwww/wwww/wwww"
    state = position("EEE./wwww/wwww/wwww", full, cards="feast-hall", round=9, completed={1: 4})

    assert 9 == points(state, "green", 0)
    over = after(state, "0: place d1")
    assert [] == owed(over)
    assert [9, 4] == [points(over, "green", seat) for seat in (0, 1)]


@pytest.mark.rule("T-112")
def test_a_neighbour_who_completed_loses_the_lead_when_the_other_builds_more():
    state = position("EEE./ww..", "EEEE/wwww/wwww/wwww", cards="feast-hall", resource="glass", completed={1: 4})
    assert [6, 12] == [points(state, "green", seat) for seat in (0, 1)]

    state = after(state, "0: place c2", "0: build feast-hall a2")

    assert [8, 8] == [points(state, "green", seat) for seat in (0, 1)]
    more = position("EEEE/Eww.", "EEEE/wwww/wwww/wwww", cards="feast-hall", completed={1: 4})
    assert [15, 8] == [points(more, "green", seat) for seat in (0, 1)]


@pytest.mark.rule("T-114")
def test_two_inns_of_one_row_lose_and_the_other_two_are_worth_3_each():
    assert 6 == green("E..E/.E../..../..E.", "inn")


@pytest.mark.rule("T-115")
def test_buildings_between_two_inns_do_not_shield_and_a_column_counts():
    assert 0 == green("ECAE", "inn")
    assert 0 == green("E.../..../E...", "inn")


@pytest.mark.rule("T-114", "T-115")
def test_two_inns_lose_both_in_one_line_at_any_distance_and_are_else_worth_6():
    for one, other in pairs():
        assert (0 if in_line(one, other) else 6) == green(sketch({one: "E", other: "E"}), "inn")
        for sign in BUILT.replace("E", ""):
            assert 3 == green(sketch({one: "E", other: sign}), "inn")


@pytest.mark.rule("T-114", "T-115")
def test_an_inn_is_worth_3_if_it_is_alone_in_its_row_and_column():
    for town in scattered(300, "EC....", seed=11):
        inns = with_sign(town, "E")
        alone = [one for one in inns if not any(in_line(one, other) for other in inns)]
        assert 3 * len(alone) == green(sketch(town), "inn")
