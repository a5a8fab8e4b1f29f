"""Rules M-238 to M-240, M-276 and M-277: ties."""

from itertools import product

import pytest

from engine.my_village import RULESET
from tests.engine.my_village.positions import ended, play, position, told
from tests.engine.my_village.ruling import LAP, points, ranks


def tied(*villages):
    """The end of a game of these *villages*, which all have 40 points, and of one that has the hand tile alone."""
    mine, *others = ({"store": 40, **village} for village in villages)
    last = len(villages)
    return ended(seats=last + 1, mine=mine, others=dict(enumerate(others, 1)), holder=last)


def figures(state):
    """The figures that break ties, in seat order."""
    return [standing.ties for standing in RULESET.standings(state)]


@pytest.mark.rule("M-238")
@pytest.mark.parametrize(("tree", "coins", "goods"), list(product((0, 1, 4), repeat=3)))
def test_equal_totals_are_ordered_by_tree_coins_and_goods_together(tree, coins, goods):
    mine = {"tree": tree, "coins": coins, "crafts": ("beer-1", "wagon-2"), "goods": {"beer": goods, "wagon": 1}}
    rest = tree + coins + goods + 1

    for other in (rest - 1, rest, rest + 1):
        state = tied(mine, {"coins": other})
        assert [40, 40] == [points(state, seat) for seat in (0, 1)]
        assert [(rest,), (other,)] == figures(state)[:2]
        first = [1, 2] if other < rest else [1, 1] if other == rest else [2, 1]
        assert [*first, 3] == ranks(state)


@pytest.mark.rule("M-238")
@pytest.mark.parametrize("part", ["tree", "coins", "goods"])
def test_more_points_go_before_any_rest(part):
    value = {"crafts": ("beer-1",), "goods": {"beer": 30}} if part == "goods" else {part: 30}

    assert [2, 1] == ranks(tied({**value, "store": 39}, {}))[:2]


@pytest.mark.rule("M-239")
@pytest.mark.parametrize(
    "mine",
    [
        {"chamber": "guild-chamber", "joker": True, "store": 37},
        {"left": True, "right": True},
        {"store": 39, "fields": 1},
        {"customers": ("market-1", "market-3")},
        {"headman": "stories"},
    ],
)
def test_what_is_not_in_the_rest(mine):
    assert (0,) == figures(tied(mine, {}))[0]
    assert [1, 1, 3] == ranks(tied(mine, {}))


@pytest.mark.rule("M-239")
def test_stories_on_the_hand_tile_are_not_in_the_rest_of_its_holder():
    state = ended(mine={"store": 39}, others={1: {"store": 40}}, holder=0, heap=6)

    assert [(0,), (0,)] == figures(state)
    assert [1, 1] == ranks(state)


@pytest.mark.rule("M-240")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_players_still_equal_share_the_place_and_the_win(seats):
    others = {seat: {"store": 41, "tree": 1} for seat in range(1, seats)}
    mine = {"store": 40, "coins": 1, "hours": LAP}
    state = position(seats, dice="3 4", mine=mine, others=others, turns=(), holder=0, graves=30)

    state, events = play(state, "done")

    assert [1] * seats == ranks(state)
    assert ("my.over", {"winners": tuple(range(seats))}) == told(events)[-1]


@pytest.mark.rule("M-240")
def test_a_place_that_is_shared_below_the_first_counts_for_all_of_them():
    state = tied({"coins": 2}, {"coins": 1}, {"tree": 1})

    assert [1, 2, 2, 4] == ranks(state)


@pytest.mark.rule("M-276")
def test_example_of_a_shared_win():
    one = {"tree": 3, "coins": 2, "crafts": ("beer-1",), "goods": {"beer": 1}}
    other = {"tree": 0, "coins": 6, "chamber": "guild-chamber", "joker": True, "store": 37}

    state = tied(one, other)

    assert [40, 40] == [points(state, seat) for seat in (0, 1)]
    assert [(6,), (6,)] == figures(state)[:2]
    assert [1, 1, 3] == ranks(state)


@pytest.mark.rule("M-277")
@pytest.mark.parametrize("place", ["tree", "coins", "goods"])
def test_the_three_parts_of_the_rest_are_one_sum_and_no_steps(place):
    five = {"tree": 0, "coins": 4, "crafts": ("beer-1",), "goods": {"beer": 1}}
    six = {"crafts": ("wagon-1",), "goods": {"wagon": 6}} if place == "goods" else {place: 6}

    assert [2, 1] == ranks(tied(five, six))[:2]
    assert [1, 2] == ranks(tied(six, five))[:2]
