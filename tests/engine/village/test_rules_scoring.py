"""Rules V-218 to V-231: points."""

import pytest

from engine.village import RULESET
from engine.village.components import CITIES
from tests.engine.village.positions import COMPONENTS, at_mass, draw_all, position, told
from tests.engine.village.ruling import acting, after, parts, points, ranks, scored, toll

SCORING = COMPONENTS.scoring
CHRONICLE = ("chronicle-council", "chronicle-crafts", "chronicle-travel", "chronicle-church", "chronicle-farmyard")


@pytest.mark.rule("V-218")
def test_cities_stage_four_and_majority_count_at_once():
    things = {0: {"brown": 2, "wagon": 1}}
    travelled = after(acting("travel", things=things), f"0: depart ford 1 {toll('village', 'ford')}")
    paid = after(acting("council", family={0: {"stage-4": [1]}}, things={0: {"coin": 1}}), "0: use 4")
    mass, _ = draw_all(at_mass(position(board={}, family={0: {"window-1": [1]}}))[0])

    assert [3, 3, 2] == [state.families[0].prestige for state in (travelled, paid, mass)]


@pytest.mark.rule("V-218")
def test_all_other_points_count_after_the_last_mass():
    family = {0: {"stage-3": [1], "window-2": [1], "chronicle-crafts": [1, 1, 2]}}
    values = {"served": {0: ["wagon"]}, "things": {0: {"coin": 2}}, "cities": {0: ["ford"]}}
    state, _ = at_mass(position(board={}, family=family, trigger=1, final=True, **values))

    assert 0 == state.families[0].prestige
    done, _ = draw_all(state)
    majority = COMPONENTS.church.majority
    assert majority == done.families[0].prestige
    assert majority + 1 + 4 + 3 + 4 + 2 + 2 == points(done)


@pytest.mark.rule("V-219")
@pytest.mark.parametrize("before", [0, 7, 997])
def test_each_point_moves_the_count_up_by_one_without_an_upper_end(before):
    things = {0: {"brown": 2, "wagon": 1}}
    state = acting("travel", things=things, prestige={0: before})

    state = after(state, f"0: depart ford 1 {toll('village', 'ford')}")

    assert before + 3 == state.families[0].prestige
    assert before + 3 == parts(state)["prestige"]


@pytest.mark.rule("V-219")
def test_parts_add_up_to_the_points():
    state = scored(prestige={0: 5}, things={0: {"coin": 2}}, cities={0: ["ford"]}, served={1: ["ox"]})

    for standing in RULESET.standings(state):
        assert standing.points == sum(count for _, count in standing.parts)
    assert [5 + 2 + 1, 3] == [points(state, seat) for seat in range(2)]


@pytest.mark.rule("V-220")
@pytest.mark.parametrize(("count", "worth"), list(enumerate([0, 1, 3, 6, 10, 14, 18])))
def test_cities_score_by_their_number(count, worth):
    state = scored(cities={0: CITIES[:count]})

    assert worth == SCORING.cities[count] == parts(state)["travel"] == points(state)


@pytest.mark.rule("V-221")
@pytest.mark.parametrize(
    ("spots", "worth"),
    [
        ({"stage-1": [1]}, 0),
        ({"stage-2": [1]}, 2),
        ({"stage-3": [1]}, 4),
        ({"stage-4": [1]}, 6),
        ({"stage-2": [1], "stage-4": [3]}, 8),
        ({"stage-3": [1, 1]}, 8),
    ],
)
def test_each_member_in_the_council_scores_by_stage(spots, worth):
    state = scored(family={0: spots})

    assert (0, 2, 4, 6) == SCORING.stages
    assert worth == parts(state)["council"] == points(state)


@pytest.mark.rule("V-222")
@pytest.mark.parametrize(
    ("spots", "worth"),
    [
        ({"window-1": [1]}, 2),
        ({"window-2": [1]}, 3),
        ({"window-3": [1]}, 4),
        ({"window-4": [1]}, 6),
        ({"window-1": [1, 2], "window-4": [1]}, 10),
    ],
)
def test_each_member_on_a_window_scores_by_window(spots, worth):
    state = scored(family={0: spots})

    assert (2, 3, 4, 6) == SCORING.windows
    assert worth == parts(state)["church"] == points(state)


@pytest.mark.rule("V-223", "V-226", "V-229")
@pytest.mark.parametrize(
    "values",
    [
        {"family": {0: {"bag": [1, 1, 2]}}},
        {"family": {0: {"grave": [1, 1, 1, 1, 2]}}},
        {"family": {0: {"removed": [1]}}},
        {"family": {0: {"farmyard": [1, 2, 3, 4]}}},
        {"family": {0: {"office": [1], "smithy": [2], "stables": [3], "wainwright": [4]}}},
        {"family": {0: {"vineyard": [1]}}},
        {"things": {0: {"grain": 5, "horse": 2, "ox": 1, "plow": 1, "wagon": 1, "scroll": 1}}},
        {"things": {0: {"brown": 9, "pink": 9, "orange": 9, "green": 9}}},
    ],
)
def test_nothing_is_scored_for(values):
    state = scored(**values)

    assert 0 == points(state)


@pytest.mark.rule("V-224")
@pytest.mark.parametrize(("count", "worth"), [(0, 0), (1, 0), (2, 0), (3, 4), (4, 7), (5, 12), (6, 12), (7, 12)])
def test_members_in_the_chronicle_score_by_their_number(count, worth):
    dead = {"chronicle-crafts": [1, 1, 1, 1][:count], "chronicle-farmyard": [2, 2, 2][: max(0, count - 4)]}

    state = scored(seats=4, family={0: dead})

    assert worth == SCORING.chronicle[min(count, 5)] == parts(state)["chronicle"] == points(state)


@pytest.mark.rule("V-225")
def test_members_of_all_sections_count_together():
    state = scored(family={0: {"chronicle-crafts": [1, 1], "chronicle-travel": [1], "chronicle-farmyard": [2]}})
    each = scored(family={0: dict(zip(CHRONICLE, ([1], [1], [1], [1], [2]), strict=True))})

    assert 7 == points(state)
    assert 12 == points(each)


@pytest.mark.rule("V-226")
def test_a_grave_adds_nothing_to_the_chronicle():
    state = scored(family={0: {"chronicle-crafts": [1, 1], "grave": [1, 1]}})

    assert 0 == points(state)


@pytest.mark.rule("V-227")
@pytest.mark.parametrize("tile", COMPONENTS.customers.tiles, ids=lambda tile: tile.id)
def test_each_customer_served_scores_his_points(tile):
    state = scored(served={0: [tile.id]})

    assert tile.points == parts(state)["customers"] == points(state)


@pytest.mark.rule("V-227")
def test_customers_add_up():
    state = scored(served={1: ["plow", "horse-ox"], 0: ["wagon"]})

    assert [2, 3 + 6] == [parts(state, seat)["customers"] for seat in range(2)]


@pytest.mark.rule("V-228")
@pytest.mark.parametrize("coins", [1, 7])
def test_each_coin_left_scores_one_point(coins):
    state = scored(things={0: {"coin": coins}})

    assert 1 == SCORING.coin
    assert coins == parts(state)["coins"] == points(state)


@pytest.mark.rule("V-230")
def test_the_example_of_a_whole_family_ends_with_forty_three():
    family = {0: {"stage-3": [1], "window-4": [1], "chronicle-crafts": [1, 1], "chronicle-travel": [2, 2]}}
    values = {"prestige": {0: 10}, "cities": {0: ["ford", "castle", "harbour"]}, "served": {0: ["plow", "scroll-ox"]}}

    state = scored(family=family, things={0: {"coin": 2}}, **values)

    expected = {
        "prestige": 10, "travel": 6, "council": 4, "church": 6, "chronicle": 7, "customers": 3 + 5, "coins": 2
    }  # fmt: skip
    assert expected == parts(state)
    assert 43 == points(state)


@pytest.mark.rule("V-231")
def test_the_highest_total_wins():
    state, events = draw_all(at_mass(position(3, board={}, prestige={0: 4, 1: 9, 2: 5}, trigger=0, final=True))[0])

    assert [3, 1, 2] == ranks(state)
    assert ("village.over", {"winners": (1,)}) in told(events)
