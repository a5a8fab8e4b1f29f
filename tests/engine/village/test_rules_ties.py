"""Rules V-232 to V-235: equal totals."""

import pytest

from engine.village import RULESET
from tests.engine.village.positions import at_mass, draw_all, position, told
from tests.engine.village.ruling import points, ranks, scored


@pytest.mark.rule("V-232")
def test_on_equal_totals_the_number_of_customers_decides():
    state = scored(served={0: ["horse-ox"], 1: ["wagon", "scroll"]}, prestige={1: 2})

    assert points(state, 0) == points(state, 1) == 6
    assert [2, 1] == ranks(state)


@pytest.mark.rule("V-232")
def test_customers_decide_only_on_equal_totals():
    state = scored(prestige={0: 5}, served={1: ["wagon", "scroll"]})

    assert [1, 2] == ranks(state)


@pytest.mark.rule("V-232", "V-233")
def test_customers_come_before_living_members():
    family = {0: {"farmyard": [1]}, 1: {"farmyard": [1, 1, 1, 1, 2]}}

    state = scored(family=family, served={0: ["wagon"]}, prestige={1: 2})

    assert [1, 2] == ranks(state)


@pytest.mark.rule("V-233")
def test_still_equal_the_number_of_living_members_decides():
    state = scored(family={0: {"farmyard": [1, 1]}, 1: {"farmyard": [1, 1, 2]}})

    assert points(state, 0) == points(state, 1)
    assert [2, 1] == ranks(state)


@pytest.mark.rule("V-234")
@pytest.mark.parametrize(
    ("spot", "points_of_spot"),
    [("farmyard", 0), ("office", 0), ("vineyard", 0), ("stage-1", 0), ("window-1", 2), ("bag", 0)],
)
def test_living_are_members_at_home_on_the_board_and_in_the_bag(spot, points_of_spot):
    family = {0: {"smithy": [1], spot: [2, 2]}, 1: {"smithy": [1, 1]}}

    state = scored(family=family, prestige={1: 2 * points_of_spot})

    assert points(state, 0) == points(state, 1)
    assert (0, 3) == RULESET.standings(state)[0].ties
    assert [1, 2] == ranks(state)


@pytest.mark.rule("V-234")
@pytest.mark.parametrize("spot", ["unborn", "chronicle-crafts", "grave", "removed"])
def test_unborn_dead_and_removed_members_are_not_living(spot):
    state = scored(family={0: {"farmyard": [1], spot: [1, 1]}, 1: {"farmyard": [1, 1]}})

    assert [2, 1] == ranks(state)


@pytest.mark.rule("V-235")
def test_still_equal_the_win_is_shared():
    state, events = draw_all(at_mass(position(3, board={}, prestige={0: 4, 1: 4}, trigger=2, final=True))[0])

    assert [1, 1, 3] == ranks(state)
    assert ("village.over", {"winners": (0, 1)}) in told(events)


@pytest.mark.rule("V-235")
def test_the_same_comparison_ranks_all_seats():
    state = scored(seats=4, prestige={0: 9, 1: 2, 3: 4}, served={2: ["ox-grain"], 1: ["wagon"]})

    assert [9, 4, 4, 4] == [points(state, seat) for seat in range(4)]
    assert [1, 2, 2, 4] == ranks(state)
