"""Rules V-147 to V-164: council."""

import pytest

from engine.village import RULESET
from engine.village.components import COLOURS, GOODS
from engine.village.state import NOBODY
from tests.engine.village.positions import (
    COMPONENTS,
    numbers_at,
    owed,
    play,
    refusal,
    texts,
    things_of,
    told,
)
from tests.engine.village.ruling import (
    RICH,
    acting,
    after,
    change,
    starting,
    step_of,
    supply_change,
    verbs,
    visible,
)

TIME = COMPONENTS.council_time.stages
PRIVILEGES = COMPONENTS.council


def council(spots, things=None, **values):
    """Seat 0, with members on *spots*, is asked what to do in the council."""
    return acting("council", family={0: spots}, things={0: RICH if things is None else things}, **values)


@pytest.mark.rule("V-147")
def test_a_council_action_is_entering_moving_up_or_a_privilege():
    state = council({"farmyard": [1], "stage-2": [1]})

    assert {"enter", "advance", "use", "skip"} == verbs(state)
    for text in ("enter 1 green green", "advance 2 1 green green"):
        assert (1, "village.turn") == owed(after(state, f"0: {text}", "0: skip"))
    assert (1, "village.turn") == owed(after(state, "0: use 1"))


@pytest.mark.rule("V-148", "V-162")
@pytest.mark.parametrize(("pay", "cost"), [("green green", {"green": -2}), ("scroll", {"scroll": -1})])
def test_entering_costs_one_time_and_two_green_or_a_scroll(pay, cost):
    state = council({"farmyard": [1, 2]}, {"green": 2, "scroll": 1})

    done = after(state, f"0: enter 2 {pay}")

    assert cost == change(state, done)
    assert 1 == TIME[0] == step_of(done)
    assert {"stage-1": [2], "farmyard": [1]} == visible(done, 0, "stage-1", "farmyard")


@pytest.mark.rule("V-149")
def test_entering_opens_the_first_privilege_alone():
    state = after(council({"farmyard": [1], "stage-3": [2]}), "0: enter 1 green green")

    assert ["skip", "use 1"] == sorted(texts(state))
    assert "council.closed" == refusal(state, "0: use 2")[0]
    assert "council.closed" == refusal(state, "0: use 3")[0]


@pytest.mark.rule("V-150", "V-162")
@pytest.mark.parametrize(("pay", "cost"), [("green green", {"green": -2}), ("scroll", {"scroll": -1})])
@pytest.mark.parametrize("stage", [1, 2, 3])
def test_moving_up_takes_one_member_one_stage_on(stage, pay, cost):
    state = council({f"stage-{stage}": [1, 2]}, {"green": 2, "scroll": 1})

    done = after(state, f"0: advance {stage} 2 {pay}")

    assert {f"stage-{stage}": [1], f"stage-{stage + 1}": [2]} == visible(
        done, 0, f"stage-{stage}", f"stage-{stage + 1}"
    )
    assert cost == change(state, done)
    assert TIME[stage] == step_of(done)
    assert TIME[stage] in (2, 3)


@pytest.mark.rule("V-150")
def test_only_an_own_member_who_stands_there_moves_up():
    state = acting("council", family={0: {"stage-1": [1]}, 1: {"stage-2": [1]}}, things={0: RICH})

    assert ["advance 1 1 green green"] == starting(state, "advance")
    assert "council.nobody" == refusal(state, "0: advance 2 1 green green")[0]
    assert "council.nobody" == refusal(state, "0: advance 1 2 green green")[0]


@pytest.mark.rule("V-151")
def test_the_steps_of_the_council_by_our_table():
    assert (1, 2, 2, 3) == TIME


@pytest.mark.rule("V-152")
@pytest.mark.parametrize(("stage", "opened"), [(1, [1, 2]), (2, [1, 2, 3]), (3, [1, 2, 3, 4])])
def test_moving_up_opens_the_privileges_of_the_new_stage_and_the_lower_ones(stage, opened):
    state = council({f"stage-{stage}": [1]}, RICH | {"coin": 1})

    state = after(state, f"0: advance {stage} 1 green green")

    assert [f"use {one}" for one in opened] == sorted(starting(state, "use"))
    assert "skip" in texts(state)


@pytest.mark.rule("V-153")
def test_moving_up_does_not_open_the_stage_of_another_own_member():
    state = council({"stage-1": [1], "stage-3": [2]})

    state = after(state, "0: advance 1 1 green green")

    assert ["use 1", "use 2"] == sorted(starting(state, "use"))
    assert "council.closed" == refusal(state, "0: use 3")[0]


@pytest.mark.rule("V-154")
def test_a_privilege_without_moving_is_free():
    state = council({"stage-3": [1]}, {})

    done = after(state, "0: use 3", "0: pick plow")

    assert {"plow": 1} == change(state, done)
    assert 0 == step_of(done)
    assert [1] == numbers_at(done, 0, "stage-3")


@pytest.mark.rule("V-154")
def test_without_a_member_in_the_council_there_is_no_privilege():
    state = acting("council", family={0: {"farmyard": [1]}, 1: {"stage-2": [1]}}, things={0: RICH})

    assert "council.closed" == refusal(state, "0: use 1")[0]
    assert [] == starting(state, "use")


@pytest.mark.rule("V-154")
@pytest.mark.parametrize("stage", [1, 2, 3])
def test_without_moving_no_stage_above_the_own_members_is_open(stage):
    state = council({f"stage-{stage}": [1]}, {"coin": 1})

    assert "council.closed" == refusal(state, f"0: use {stage + 1}")[0]


@pytest.mark.rule("V-155")
def test_without_moving_the_highest_own_member_counts():
    state = council({"stage-1": [1], "stage-3": [2]}, {"coin": 1})

    assert ["use 1", "use 2", "use 3"] == sorted(starting(state, "use"))


@pytest.mark.rule("V-156")
def test_the_fourth_stage_still_takes_its_coin():
    state = council({"stage-4": [1]}, {"coin": 1})
    poor = council({"stage-4": [1]}, {"green": 4})

    done = after(state, "0: use 4")

    assert {"coin": -1} == change(state, done)
    assert 0 == step_of(done)
    assert "price.short" == refusal(poor, "0: use 4")[0]
    assert "use 4" not in texts(poor)


@pytest.mark.rule("V-157")
@pytest.mark.parametrize("text", ["enter 1 green green", "advance 1 1 green green"])
def test_the_privilege_is_a_choice(text):
    state = after(council({"farmyard": [1], "stage-1": [1]}), f"0: {text}")

    done = after(state, "0: skip")

    assert NOBODY == done.marker
    assert {} == change(state, done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-157")
@pytest.mark.parametrize("lines", [["use 2", "choose pink pink"], ["use 3", "pick ox"], ["use 1"]])
def test_one_privilege_an_action(lines):
    state = after(council({"stage-2": [1]}), "0: advance 2 1 green green")

    state = after(state, *(f"0: {line}" for line in lines))

    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-158")
def test_the_first_privilege_takes_the_next_starting_player_marker():
    state = council({"stage-1": [1]})

    state = after(state, "0: use 1")

    assert 0 == state.marker
    assert 0 == state.first


@pytest.mark.rule("V-158")
def test_the_first_privilege_gives_nothing_while_somebody_holds_the_marker():
    state = council({"stage-1": [1]}, seats=3, marker=2)

    done, events = play(state, "0: use 1")

    assert 2 == done.marker
    assert ("village.marker-gone", {"seat": 0, "holder": 2}) in told(events)
    assert {} == change(state, done)


@pytest.mark.rule("V-158")
@pytest.mark.parametrize(("marker", "wait"), [(NOBODY, True), (0, False), (1, False)])
def test_nobody_waits_for_a_privilege_that_gives_nothing(marker, wait):
    asked = council({"stage-1": [1]}, {}, marker=marker)
    entered = after(council({"farmyard": [1]}, {"scroll": 1}, marker=marker), "0: enter 1 scroll")

    assert [wait, wait] == [RULESET.pending(state)[0].wait for state in (asked, entered)]


@pytest.mark.rule("V-159")
@pytest.mark.parametrize(("choice", "gained"), [("pink pink", {"pink": 2}), ("brown green", {"brown": 1, "green": 1})])
def test_the_second_privilege_gives_two_cubes_of_free_choice(choice, gained):
    state = council({"stage-2": [1]}, {})

    done = after(state, "0: use 2", f"0: choose {choice}")

    assert 2 == PRIVILEGES.privilege_cubes
    assert gained == change(state, done)
    assert {colour: -count for colour, count in gained.items()} == supply_change(state, done)


@pytest.mark.parametrize("stage", range(1, 5))
def test_every_use_of_a_privilege_is_told(stage):
    state = council({f"stage-{stage}": [1]}, {"coin": 5})

    _, events = play(state, f"0: use {stage}")

    assert told(events)


@pytest.mark.rule("V-159")
def test_every_pair_of_colours_may_be_chosen():
    state = after(council({"stage-2": [1]}, {}), "0: use 2")

    pairs = {f"choose {one} {other}" for at, one in enumerate(COLOURS) for other in COLOURS[at:]}
    assert pairs == set(texts(state))
    assert 10 == len(texts(state))
    assert "cubes.order" == refusal(state, "0: choose green brown")[0]


@pytest.mark.rule("V-160")
def test_the_third_privilege_gives_one_good_and_nothing_else():
    state = after(council({"stage-3": [1]}, {}), "0: use 3")

    assert {f"pick {good}" for good in GOODS} == set(texts(state))
    done = after(state, "0: pick ox")
    assert {"ox": 1} == change(state, done)
    assert {"ox": -1} == supply_change(state, done)


@pytest.mark.rule("V-161")
@pytest.mark.parametrize("coins", [1, 5])
def test_the_fourth_privilege_turns_one_coin_into_three_points_at_once(coins):
    state = council({"stage-4": [1]}, {"coin": coins})

    done = after(state, "0: use 4")

    assert (1, 3) == (PRIVILEGES.privilege_coins, PRIVILEGES.privilege_points)
    assert 3 == done.families[0].prestige
    assert coins - 1 == things_of(done, 0).get("coin", 0)
    assert {"coin": 1} == supply_change(state, done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-162")
@pytest.mark.parametrize("verb", ["enter 1", "advance 1 1"])
def test_who_has_both_chooses_and_no_mix_pays(verb):
    state = council({"farmyard": [1], "stage-1": [1]}, {"green": 2, "scroll": 2})

    assert [f"{verb} green green", f"{verb} scroll"] == sorted(
        text for text in texts(state) if text.startswith(f"{verb} ")
    )
    for wrong in ("scroll green", "green", "scroll scroll", "green green green", "pink pink"):
        assert "price.payment" == refusal(state, f"0: {verb} {wrong}")[0]


@pytest.mark.rule("V-163")
def test_a_member_on_the_fourth_stage_moves_no_further():
    state = council({"stage-4": [1]})

    assert [] == starting(state, "advance")
    assert "council.last-stage" == refusal(state, "0: advance 4 1 green green")[0]


@pytest.mark.rule("V-164")
def test_any_number_of_members_may_stand_on_one_stage():
    family = {0: {"stage-1": [1, 1, 2], "stage-2": [1, 1, 2, 2]}, 1: {"stage-2": [1, 1, 1, 1]}}

    state = acting("council", family=family, things={0: RICH})

    done = after(state, "0: advance 1 2 green green")
    assert [1, 1, 2, 2, 2] == numbers_at(done, 0, "stage-2")
