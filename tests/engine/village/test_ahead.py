"""What may come to a seat: each decision named ahead, its occasion, and the supposed position."""

import pytest

from engine.village import RULESET
from engine.village.state import (
    Drawing,
    Majority,
    MarketDay,
    NextRound,
    Redeeming,
    Rising,
    Round,
    Scoring,
    Seeding,
    Turn,
)
from tests.engine.village.positions import at_mass, draw_all, owed, play, position, start, texts

FULL = {
    space: ["brown", "orange"] for space in ("harvest", "family", "crafts", "market", "travel", "council", "church")
}
QUIET = {"harvest": ["brown"] * 9}
SELLER = {"wagon": 1, "green": 1}


def named(state, seat):
    return {one.decision.key.removeprefix("village."): one for one in RULESET.ahead(state, seat)}


def supposed_texts(ahead):
    return texts(ahead.state)


def test_the_next_turn_is_named_with_what_lies_on_the_board():
    state = position(3, board=FULL)

    found = named(state, 1)

    assert found["turn"].decision.occasion == 0
    assert owed(found["turn"].state) == (1, "village.turn")
    assert "take brown harvest" in supposed_texts(found["turn"])


def test_the_turn_that_is_owed_is_not_named():
    assert "turn" not in named(position(3, board=FULL), 0)


def test_the_next_turn_cannot_be_told_if_the_board_may_be_empty_before():
    state = position(3, board={"harvest": ["brown", "brown"]})

    assert named(state, 2)["turn"].state is None
    assert named(state, 1)["turn"].state is not None


def test_a_market_day_is_named_if_another_seat_can_begin_it_and_something_can_be_sold():
    state = position(3, board=FULL, things={1: SELLER, 2: {"wagon": 1}}, stalls=["wagon"], days=4)

    found = named(state, 1)["market"]

    assert found.decision.occasion == 5
    assert dict(found.decision.fields) == {"day": 5, "free": 0}
    assert supposed_texts(found) == ["pass", "sell wagon green"]
    assert "market" not in named(state, 2)


def test_no_market_day_is_named_without_a_market_cube_or_a_full_purse():
    assert "market" not in named(position(3, board=QUIET, things={1: SELLER}, stalls=["wagon"]), 1)
    paying = {1: SELLER, 0: {"pink": 3}}
    assert "market" in named(position(3, board=QUIET, things=paying, stalls=["wagon"]), 1)


def test_no_market_day_is_named_to_the_seat_that_is_next_once_the_turn_has_begun():
    state, _ = play(position(3, board=FULL, things={1: SELLER}, stalls=["wagon"]), "0: take brown crafts")

    assert "market" not in named(state, 1)
    assert "market" in named(position(3, board=FULL, things={1: SELLER}, stalls=["wagon"]), 1)


def test_the_well_is_a_turn_that_may_still_become_a_market_day():
    things = {0: {"pink": 3}, 1: SELLER}
    state, _ = play(position(3, board=QUIET, things=things, stalls=["wagon"]), "0: well pink pink pink")

    assert owed(state) == (0, "village.well")
    assert "market" in named(state, 1)


def test_the_running_market_day_is_named_with_its_own_number():
    things = {0: {"wagon": 1}, 1: SELLER, 2: SELLER}
    state, _ = play(position(3, board=FULL, things=things, stalls=["wagon", "grain-3"], days=2), "0: take brown market")

    assert owed(state) == (0, "village.market")
    assert named(state, 2)["market"].decision.occasion == 3
    assert "market" not in named(state, 0)


def test_a_seat_that_cannot_sell_today_may_be_named_the_next_day():
    things = {0: {"wagon": 1, "green": 1}, 2: {"scroll": 1, "green": 1}}
    state = position(3, board=FULL, things=things, stalls=["wagon", "scroll"], days=2)
    state, _ = play(state, "0: take brown market", "0: sell wagon")

    assert owed(state) == (2, "village.market")
    assert "market" not in named(state, 1)
    assert "market" not in named(state, 2)


def test_who_is_out_of_the_day_is_named_the_next_one():
    things = {0: {"wagon": 1}, 1: {"scroll": 1, "green": 1}, 2: {"scroll": 1, "green": 1}}
    state = position(3, board=FULL, things=things, stalls=["wagon", "scroll"])
    state, _ = play(state, "0: take brown market", "0: pass")

    assert owed(state) == (1, "village.market")
    state, _ = play(state, "1: pass")
    assert owed(state) == (2, "village.market")
    assert "market" not in named(state, 1)


def test_a_supposed_market_day_ends_without_a_draw():
    state = position(3, board=FULL, things={1: SELLER}, stalls=["wagon"])

    after, events = play(named(state, 1)["market"].state, "1: sell wagon green")

    assert owed(after) == ()
    assert events[-1].key == "village.customers"


def test_a_supposed_turn_ends_without_a_draw():
    state = position(3, board=FULL, things={1: {"wagon": 1}}, stalls=["wagon"])

    after, _ = play(named(state, 1)["turn"].state, "1: take brown market", "1: sell wagon")

    assert owed(after) == ()
    assert RULESET.ahead(after, 1) == ()


def test_ahead_works_in_a_supposed_position():
    state = named(position(3, board=FULL), 1)["turn"].state

    assert "turn" in named(state, 2)


@pytest.mark.parametrize("supposed", ["market", "turn", "death"])
def test_nothing_is_named_for_a_game_that_is_over(supposed):
    assert supposed not in named(position(phases=()), 0)


def test_a_death_is_named_where_there_is_a_choice_and_time_enough():
    apart = {0: {"farmyard": [1], "office": [1]}, 1: {"farmyard": [1, 1]}, 2: {"farmyard": [1], "office": [1]}}
    state = position(3, board=FULL, family=apart, step={0: 9, 2: 1})

    found = named(state, 0)["death"]

    assert supposed_texts(found) == ["bury farmyard", "bury office"]
    assert "death" not in named(state, 1)
    assert "death" not in named(state, 2)


def test_surcharges_of_others_market_days_can_pass_the_bridge():
    apart = {2: {"farmyard": [1], "office": [1]}}
    state = position(3, board=FULL, family=apart, step={2: 1}, things={2: {"green": 2}})

    assert "death" in named(state, 2)


def test_a_death_that_is_due_is_named_and_one_that_is_owed_is_not():
    apart = {0: {"farmyard": [1], "office": [1]}}
    state = position(2, board=FULL | {"harvest": ["plague"]}, family=apart, step={0: 9})
    state, _ = play(state, "0: take plague harvest")

    assert owed(state) == (0, "village.harvest")
    assert "death" in named(state, 0)
    state, _ = play(state, "0: skip")
    assert owed(state) == (0, "village.death")
    assert "death" not in named(state, 0)


def test_no_death_is_named_to_a_seat_without_another_turn_or_market_day():
    apart = {0: {"farmyard": [1], "office": [1]}}
    state = position(2, turn=1, board=QUIET, family=apart, step={0: 9}, trigger=0, final=True)

    assert "death" not in named(state, 0)
    assert "turn" not in named(state, 0)


def test_the_mass_is_named_once_the_board_may_be_empty_by_the_next_turn():
    inside = {1: {"bag": [1, 2], "window-1": [1]}}
    things = {1: {"coin": 1, "grain": 1}}
    full = position(3, board=FULL, family=inside, things=things)
    late = position(3, board={"harvest": ["brown"] * 2}, family=inside, things=things, round=4)

    assert not {"redeem", "rise"} & set(named(full, 1))
    found = named(late, 1)
    assert (found["redeem"].decision.occasion, found["rise"].decision.occasion) == (4, 4)
    assert supposed_texts(found["redeem"]) == ["pass", "redeem 1", "redeem 2"]
    assert supposed_texts(found["rise"]) == ["pass", "rise 1 1"]


def test_a_mass_that_depends_on_the_own_turn_cannot_be_told_yet():
    things = {1: {"coin": 1, "grain": 1}}
    state = position(3, board={"harvest": ["brown"] * 2}, family={1: {"farmyard": [1]}}, things=things)

    found = named(state, 1)

    assert found["redeem"].state is None
    assert found["rise"].state is None


def test_a_mass_is_not_named_to_who_can_do_nothing_there():
    state = position(3, board={"harvest": ["brown"] * 2}, family={1: {"office": [1]}})

    assert not {"redeem", "rise"} & set(named(state, 1))


def test_the_last_mass_is_named_to_who_has_no_turn_before_it():
    family = {0: {"bag": [1]}, 1: {"bag": [1]}}
    things = {0: {"coin": 1}, 1: {"coin": 1}}
    state = position(3, turn=1, board=FULL, family=family, things=things, trigger=0, final=True, last=[2])

    assert "redeem" in named(state, 0)
    assert "redeem" in named(state, 1)
    assert "turn" not in named(state, 1)
    assert owed(named(state, 2)["turn"].state) == (2, "village.turn")
    others = position(
        4, turn=1, board=FULL, family={2: {"bag": [1]}}, things={2: {"coin": 1}}, trigger=0, final=True, last=[2, 3]
    )
    assert "redeem" not in named(others, 2)


def test_last_turns_are_known_while_the_turn_that_triggered_them_runs():
    state = position(3, turn=0, board=FULL, trigger=1, phases=(Round(), Turn(begun=True), MarketDay((0, 1, 2))))

    assert "turn" in named(state, 0)
    assert "turn" in named(state, 1)
    alone = position(3, turn=0, board=FULL, trigger=0, phases=(Round(), Turn(begun=True), MarketDay((0, 1, 2))))
    assert "turn" not in named(alone, 0)


def test_a_free_last_turn_lists_actions():
    state = position(3, turn=1, board={}, trigger=0, final=True, last=[2])

    found = named(state, 2)["turn"]

    assert dict(found.decision.fields) == {"free": 1}
    assert supposed_texts(found)[0] == "forgo"


def test_a_last_turn_cannot_be_told_while_a_cube_may_be_gone_by_then():
    state = position(3, turn=1, board={"harvest": ["brown"]}, trigger=0, final=True, last=[2])

    assert named(state, 2)["turn"].state is None


def test_parts_of_a_running_mass_are_named_to_those_still_to_come():
    family = {seat: {"bag": [1], "window-1": [1]} for seat in range(3)}
    things = {seat: {"coin": 2, "grain": 1} for seat in range(3)}
    state, _ = at_mass(position(3, board={}, family=family, things=things))

    assert owed(state) == (0, "village.redeem")
    assert {"rise", "turn"} <= set(named(state, 0))
    assert "redeem" not in named(state, 0)
    assert {"redeem", "rise", "turn"} <= set(named(state, 2))
    assert named(state, 2)["turn"].state is None
    state, _ = play(state, "0: pass")
    assert "redeem" not in named(state, 0)


def test_moving_left_cannot_be_told_before_the_draw():
    family = {0: {"bag": [1]}, 1: {"bag": [1]}, 2: {"bag": [1]}}
    things = {0: {"coin": 1, "grain": 1}, 1: {"grain": 1}, 2: {"coin": 1}}
    state, _ = at_mass(position(3, board={}, family=family, things=things))

    assert named(state, 1)["rise"].state is None
    assert "rise" not in named(state, 2)
    assert "redeem" not in named(state, 1)


def test_moving_left_is_over_for_who_has_had_the_turn():
    family = {seat: {"window-1": [1]} for seat in range(3)}
    things = {seat: {"grain": 1} for seat in range(3)}
    state = position(3, board={}, family=family, things=things, phases=(NextRound(), Majority(), Rising((1, 2))))

    assert "rise" not in named(state, 0)
    assert "rise" not in named(state, 1)
    assert "rise" in named(state, 2)


def test_after_the_last_mass_nothing_comes():
    phases = (Scoring(), Majority(), Rising((0, 1)), Drawing(), Redeeming((0, 1)))
    state = position(board={}, family={0: {"bag": [1]}}, things={0: {"coin": 1}}, trigger=1, final=True, phases=phases)

    assert named(state, 1) == {}


@pytest.mark.parametrize(("first", "marker", "expected"), [(0, -1, True), (1, -1, False), (0, 1, False), (1, 2, True)])
def test_the_next_round_may_open_with_the_market_day_of_another(first, marker, expected):
    family = {0: {"window-1": [1]}}
    things = {0: {"grain": 1}, 1: SELLER}
    phases = (NextRound(), Majority(), Rising((0,)))
    state = position(
        3, board={}, family=family, things=things, stalls=["wagon"], first=first, marker=marker, phases=phases
    )

    assert expected == ("market" in named(state, 1))


def test_while_cubes_are_laid_out_the_turn_cannot_be_told():
    state, _ = draw_all(start(2))
    assert owed(state)[1] == "village.turn"
    seeding = position(2, board={}, bag=["brown"], phases=(Round(), Seeding()))

    assert named(seeding, 0)["turn"].state is None


def test_the_own_turn_alone_can_cost_enough_time_for_a_death():
    apart = {1: {"farmyard": [1], "office": [1]}}
    near = position(2, board=FULL, family=apart, step={1: 2})
    far = position(2, board=FULL, family=apart, step={1: 1})

    assert "death" in named(play(near, "0: take brown crafts")[0], 1)
    assert "death" not in named(play(far, "0: take brown crafts")[0], 1)
