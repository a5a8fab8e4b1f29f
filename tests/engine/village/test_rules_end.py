"""Rules V-202 to V-217: how the game ends."""

import pytest

from engine.village.state import NOBODY, SECTIONS, SPACES
from tests.engine.village.positions import (
    at_mass,
    board_of,
    draw_all,
    keys,
    numbers_at,
    owed,
    play,
    position,
    refusal,
    texts,
    things_of,
    told,
)
from tests.engine.village.ruling import (
    RICH,
    after,
    change,
    crowded,
    dying,
    finish,
    step_of,
    verbs,
)

ONE_GRAVE = {"farmyard": 0, "graves": 1}
"""The next member to die on a farmyard takes the last free grave."""

LAST_PLACE = dict.fromkeys(SECTIONS, 0) | {"farmyard": 1}
"""The next member to die on a farmyard takes the last free chronicle place."""


def fatal(seats=2, turn=0, free=ONE_GRAVE, travel=("plague",), family=None, **values):
    """Seat *turn* is about to take a plague cube, to pass the bridge and to lose a member at home."""
    board = values.pop("board", {"church": ["orange"] * 9})
    family = crowded(seats, free, family)
    return position(seats, turn, board={"travel": travel, **board}, step={turn: 9}, family=family, **values)


def triggered(seats=2, turn=0, **values):
    """The same position after that turn."""
    return after(fatal(seats, turn, **values), f"{turn}: take plague travel")


def market_end(seats=3, starter=0, killer=2):
    """A market day on which seat *killer* is about to sell, to pass the bridge and to fill the last grave."""
    things = {killer: {"wagon": 1, "scroll": 1, "green": 2}, starter: {"scroll": 1, "plow": 1, "green": 2}}
    board = {"market": ["orange"], "church": ["orange"] * 9}
    stalls = ["wagon", "scroll", "plow"]
    family = crowded(seats, ONE_GRAVE)
    state = position(seats, starter, board=board, stalls=stalls, things=things, step={killer: 9}, family=family)
    return after(state, f"{starter}: take orange market")


@pytest.mark.rule("V-202")
def test_the_last_chronicle_place_triggers_the_end():
    state, events = play(fatal(free=LAST_PLACE), "0: take plague travel")

    assert 0 == state.trigger
    assert ("village.triggered", {"seat": 0, "area": "chronicle"}) in told(events)


@pytest.mark.rule("V-203")
def test_the_last_grave_triggers_the_end():
    state, events = play(fatal(free=ONE_GRAVE), "0: take plague travel")

    assert 0 == state.trigger
    assert ("village.triggered", {"seat": 0, "area": "graves"}) in told(events)


@pytest.mark.rule("V-202", "V-203")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "free", [{**LAST_PLACE, "farmyard": 2}, {**LAST_PLACE, "council": 1}, {"farmyard": 0, "graves": 2}]
)
def test_while_a_place_or_a_grave_is_left_nothing_is_triggered(seats, free):
    state = triggered(seats, free=free)

    assert NOBODY == state.trigger
    assert not state.final


@pytest.mark.rule("V-204")
@pytest.mark.parametrize(
    ("section", "spot"), [("council", "stage-2"), ("crafts", "smithy"), ("travel", "ford"), ("church", "window-1")]
)
def test_one_full_section_alone_triggers_nothing(section, spot):
    family = crowded(2, {section: 1}, {0: {spot: [1], "farmyard": [2]}})

    state = dying(family[0], family=family)

    assert [1] == numbers_at(state, 0, f"chronicle-{section}")
    assert NOBODY == state.trigger


@pytest.mark.rule("V-205")
def test_last_turns_mass_and_scoring_follow_the_trigger():
    state, events = play(fatal(), "0: take plague travel")

    assert ("village.last-turns", {"seats": (1,)}) in told(events)
    assert (1, "village.turn") == owed(state)
    state, events = play(state, "1: take orange church", "1: skip")
    assert "village.last-mass" in keys(events)
    state, events = draw_all(state)
    assert "village.over" in keys(events)
    assert () == owed(state)


@pytest.mark.rule("V-206", "V-207")
@pytest.mark.parametrize(
    ("seats", "turn", "others"), [(4, 1, [2, 3, 0]), (2, 0, [1]), (3, 2, [0, 1]), (4, 3, [0, 1, 2])]
)
def test_each_other_seat_has_one_last_turn_from_the_next_on(seats, turn, others):
    state = triggered(seats, turn)

    done = finish(state, *others)

    assert (-1, "village.piece") == owed(done)
    assert turn not in others


@pytest.mark.rule("V-208")
def test_while_cubes_are_left_a_last_turn_is_like_any_other():
    state = triggered(things={1: {"pink": 3}})

    assert ["take orange church", "well pink pink pink"] == sorted(texts(state))
    assert "act.cubes-left" == refusal(state, "1: act harvest")[0]
    assert "act.cubes-left" == refusal(state, "1: forgo")[0]
    taken = after(state, "1: take orange church", "1: pray 1 time")
    assert {"orange": 1} == change(state, taken, 1)
    paid = after(state, "1: well pink pink pink", "1: act harvest", "1: harvest")
    assert {"grain": 2} == things_of(paid, 1)
    assert (-1, "village.piece") == owed(paid)


@pytest.mark.rule("V-209", "V-212")
def test_a_board_emptied_in_the_last_turns_stays_empty_and_actions_are_free_of_the_well():
    family = {0: {"farmyard": [1]}, 2: {"farmyard": [1], "office": [1]}}
    state = triggered(3, board={"church": ["orange"]}, bag={"pink": 9}, things={2: RICH}, family=family)

    state, events = play(state, "1: take orange church", "1: skip")

    assert [] == [key for key in keys(events) if key in ("village.mass", "village.last-mass", "village.round")]
    assert {} == board_of(state)
    assert (2, "village.turn") == owed(state)
    assert [*(f"act {space}" for space in sorted(SPACES)), "forgo"] == sorted(texts(state))
    assert "take.emptied" == refusal(state, "2: take orange church")[0]
    done = after(state, "2: act harvest", "2: harvest")
    assert {"grain": 2} == change(state, done, 2)
    assert (-1, "village.piece") == owed(done)


@pytest.mark.rule("V-210")
def test_a_free_action_still_costs_its_own_price():
    state = triggered(2, board={}, things={1: {"brown": 2, "wagon": 1}})

    done = after(state, "1: act travel", "1: depart ford 1 brown brown")

    assert {"brown": -2, "wagon": -1} == change(state, done, 1)
    assert 2 == step_of(done, 1)


@pytest.mark.rule("V-210")
def test_a_free_action_that_cannot_be_paid_cannot_be_done():
    state = triggered(2, board={}, things={1: {"brown": 2}})

    assert "act.nothing" == refusal(state, "1: act travel")[0]
    assert "act travel" not in texts(state)


@pytest.mark.rule("V-211")
def test_two_cubes_left_for_three_seats_leave_a_free_action_to_the_last():
    state = triggered(4, 1, board={"church": ["orange"] * 2})

    state = finish(state, 2, 3)

    assert (0, "village.turn") == owed(state)
    assert {"act", "forgo"} == verbs(state)
    done = after(state, "0: act family", "0: birth")
    assert (-1, "village.piece") == owed(done)


@pytest.mark.rule("V-212", "V-217")
def test_only_the_last_mass_is_held():
    family = {0: {"farmyard": [1, 2], "window-1": [3, 3]}, 1: {"farmyard": [1]}, 2: {"farmyard": [1]}}
    state, events = play(fatal(3, board={"church": ["orange"]}, family=family), "0: take plague travel")

    state, more = play(state, "1: take orange church", "1: skip", "2: forgo")
    state, rest = draw_all(state)

    assert 1 == keys((*events, *more, *rest)).count("village.last-mass")
    assert 0 == keys((*events, *more, *rest)).count("village.mass")
    assert 2 == state.families[0].prestige


@pytest.mark.rule("V-213")
def test_after_the_trigger_a_member_without_a_place_or_a_grave_leaves_the_game():
    family = crowded(2, {"farmyard": 0, "graves": 0}, {1: {"farmyard": [1]}})
    board = {"travel": ["plague"], "church": ["orange"]}
    state = position(2, 1, board=board, family=family, step={1: 9}, trigger=0, final=True)

    done, events = play(state, "1: take plague travel")

    assert [1] == numbers_at(done, 1, "removed")
    assert [] == numbers_at(done, 1, "farmyard")
    assert ("village.removed", {"seat": 1, "number": 1, "spot": "farmyard"}) in told(events)


@pytest.mark.rule("V-214")
def test_triggered_by_the_starter_of_a_market_day_it_is_played_out_and_each_other_has_a_last_turn():
    things = {0: {"wagon": 1, "scroll": 1, "green": 1}, 2: {"plow": 1, "green": 1}}
    family = crowded(3, ONE_GRAVE)
    board = {"market": ["orange"], "church": ["orange"] * 9}
    stalls = ["wagon", "scroll", "plow", "ox"]
    state = position(3, 0, board=board, things=things, stalls=stalls, step={0: 9}, family=family)
    state = after(state, "0: take orange market", "0: sell wagon", "2: pass")

    state = after(state, "0: sell scroll green")

    assert 0 == state.trigger
    state, _ = draw_all(state)
    assert (-1, "village.piece") == owed(finish(state, 1, 2))


@pytest.mark.rule("V-214", "V-215")
def test_a_market_day_that_triggers_the_end_is_played_out():
    state = after(market_end(), "0: sell scroll")

    state = after(state, "2: sell wagon green")

    assert 2 == state.trigger
    assert (0, "village.market") == owed(state)
    state = after(state, "0: sell plow green")
    assert ("scroll", "plow") == state.families[0].customers


@pytest.mark.rule("V-215", "V-216")
def test_triggered_by_another_seat_on_a_market_day_every_seat_has_a_last_turn_the_starter_last():
    state = after(market_end(3, starter=0, killer=2), "0: sell scroll", "2: sell wagon green", "0: pass")

    state, _ = draw_all(state)

    assert (-1, "village.piece") == owed(finish(state, 1, 2, 0))


@pytest.mark.rule("V-215")
@pytest.mark.parametrize(("starter", "killer", "order"), [(1, 3, [2, 3, 0, 1]), (3, 0, [0, 1, 2, 3])])
def test_the_last_turns_begin_after_the_starter_of_the_day(starter, killer, order):
    state = market_end(4, starter, killer)

    state = after(state, f"{starter}: sell scroll", f"{killer}: sell wagon green", f"{starter}: pass")

    state, _ = draw_all(state)
    assert (-1, "village.piece") == owed(finish(state, *order))


@pytest.mark.rule("V-217")
def test_the_last_mass_has_all_three_steps_and_then_the_game_is_over():
    family = {0: {"bag": [1]}, 1: {"farmyard": [1]}}
    things = {0: {"coin": 1, "grain": 1}}
    state, _ = at_mass(position(board={}, family=family, things=things, trigger=1, final=True))

    assert (0, "village.redeem") == owed(state)
    state = after(state, "0: redeem 1", *["chance: draw monk"] * 3)
    assert (0, "village.rise") == owed(state)
    state, events = play(state, "0: rise 1 1")
    assert ["village.rose", "village.majority", "village.over"] == keys(events)
    assert 2 == state.families[0].prestige
    assert () == owed(state)
