"""Rules V-179 to V-201: the end of a round, and the mass."""

import pytest

from engine.village.state import NOBODY
from tests.engine.village.positions import (
    COMPONENTS,
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
    after,
    change,
    each,
    odds,
    supply_change,
    visible,
)

MONKS = ["chance: draw monk"] * 4
GRAIN = COMPONENTS.windows.grain


def mass(seats=2, **values):
    """The round has just ended with these values."""
    return at_mass(position(seats, board={}, **values))[0]


def last_cube(colour="orange", space="harvest", **values):
    """One cube is left on the board."""
    return position(board={space: [colour]}, **values)


@pytest.mark.rule("V-179", "V-180")
@pytest.mark.parametrize("colour", ["orange", "plague"])
def test_the_round_ends_with_the_turn_that_takes_the_last_cube(colour):
    state = after(last_cube(colour), f"0: take {colour} harvest")

    assert (0, "village.harvest") == owed(state)
    done, events = play(state, "0: harvest")
    assert {"harvested", "mass"} == {key.split(".")[1] for key in keys(events)}
    assert (-1, "village.piece") == owed(done)


@pytest.mark.rule("V-179")
def test_a_round_does_not_end_while_a_cube_is_left():
    state = position(board={"harvest": ["orange"], "church": ["plague"]})

    state = after(state, "0: take orange harvest", "0: harvest")

    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-180")
def test_who_took_the_last_cube_acts_before_the_mass():
    state = last_cube(space="church", family={0: {"farmyard": [1]}}, things={0: {"coin": 1}})

    state = after(state, "0: take orange church", "0: pray 1 time")

    assert (0, "village.redeem") == owed(state)
    assert ["pass", "redeem 1"] == sorted(texts(state))


@pytest.mark.rule("V-181")
def test_a_death_due_is_settled_before_the_mass():
    family = {0: {"window-1": [1]}, 1: {"farmyard": [1]}}

    state = after(last_cube("plague", family=family, step={0: 9}), "0: take plague harvest", *MONKS)

    assert [1] == numbers_at(state, 0, "chronicle-church")
    assert [0, 0] == [one.prestige for one in state.families]


@pytest.mark.rule("V-182")
def test_a_mass_ends_each_round_and_one_last_mass_ends_the_game():
    usual, during = at_mass(position(board={}))
    last, finally_ = at_mass(position(board={}, trigger=1, final=True))

    assert ["village.mass"] == keys(during)
    assert ["village.last-mass"] == keys(finally_)
    assert (-1, "village.cube") == owed(after(usual, *MONKS))
    assert () == owed(after(last, *MONKS))


@pytest.mark.rule("V-183")
def test_a_mass_draws_then_moves_then_counts():
    family = {0: {"bag": [1]}, 1: {"window-1": [1]}}
    state = mass(family=family, things={0: {"coin": 1, "grain": 1}, 1: {"grain": 5}})

    bought = after(state, "0: redeem 1")
    assert (-1, "village.piece") == owed(bought)
    drawn = after(bought, *MONKS[1:])
    assert (0, "village.rise") == owed(drawn)
    assert [0, 0] == [one.prestige for one in drawn.families]
    counted = after(drawn, "0: rise 1 1", "1: pass")
    assert [2, 0] == [one.prestige for one in counted.families]


@pytest.mark.rule("V-184")
def test_from_the_starting_player_clockwise_each_may_buy_out_members_for_a_coin_each():
    family = each(3, {"bag": [1, 1, 2]})
    state = mass(3, first=1, family=family, things=each(3, {"coin": 2}))

    assert 1 == COMPONENTS.church.coins
    assert (1, "village.redeem") == owed(state)
    done = after(state, "1: redeem 1", "1: redeem 1")
    assert {"coin": -2} == change(state, done, 1)
    assert {"coin": 2} == supply_change(state, done)
    assert [1, 1] == numbers_at(done, 1, "window-1")
    assert (2, "village.redeem") == owed(done)
    assert (0, "village.redeem") == owed(after(done, "2: pass"))


@pytest.mark.rule("V-184")
def test_each_seat_buys_once_round():
    family = each(2, {"bag": [1, 1]})
    state = mass(family=family, things=each(2, {"coin": 3}))

    state = after(state, "0: pass", "1: redeem 1", "1: pass")

    assert (-1, "village.piece") == owed(state)
    assert [1, 1] == numbers_at(state, 0, "bag")


@pytest.mark.rule("V-185")
def test_the_buyer_picks_which_members_come_out():
    state = mass(family={0: {"bag": [1, 2, 4]}}, things={0: {"coin": 1}})

    assert ["pass", "redeem 1", "redeem 2", "redeem 4"] == sorted(texts(state))
    done = after(state, "0: redeem 2")
    assert {"bag": [1, 4], "window-1": [2]} == visible(done, 0, "bag", "window-1")


@pytest.mark.rule("V-186")
def test_neither_monks_nor_members_of_others_can_be_bought():
    state = mass(family={0: {"bag": [1]}, 1: {"bag": [2]}}, things={0: {"coin": 2}})

    assert ["pass", "redeem 1"] == sorted(texts(state))
    assert "redeem.nobody" == refusal(state, "0: redeem 2")[0]


@pytest.mark.rule("V-186")
def test_who_has_nobody_in_the_bag_is_not_asked():
    state = mass(family={0: {"farmyard": [1]}, 1: {"bag": [2]}}, things={0: {"coin": 2}, 1: {"coin": 1}})

    assert (1, "village.redeem") == owed(state)


@pytest.mark.rule("V-187")
def test_purchases_stop_at_four_in_all():
    family = {0: {"bag": [1, 1, 1, 1]}, 1: {"bag": [1, 2]}}
    state = mass(family=family, things={0: {"coin": 3}, 1: {"coin": 5}})

    state, events = play(state, *["0: redeem 1"] * 3, "1: redeem 2")

    assert {"village.redeemed", "village.majority", "village.round"} == set(keys(events))
    assert [1, 1, 1] == numbers_at(state, 0, "window-1")
    assert {"bag": [1], "window-1": [2]} == visible(state, 1, "bag", "window-1")
    assert (-1, "village.cube") == owed(state)


@pytest.mark.rule("V-188", "V-190")
@pytest.mark.parametrize("bought", [0, 1, 3])
def test_blind_draws_bring_the_total_to_four_pieces(bought):
    state = mass(family={0: {"bag": [1, 1, 1, 1]}}, things={0: {"coin": bought}})

    state = after(state, *["0: redeem 1"] * bought)
    for drawn in range(4 - bought):
        assert (-1, "village.piece") == owed(state)
        assert 4 - drawn == odds(state)["draw monk"]
        state = after(state, "chance: draw monk")

    assert (-1, "village.cube") == owed(state)
    assert 4 == COMPONENTS.church.drawn == COMPONENTS.church.monks
    assert 4 == state.monks


@pytest.mark.rule("V-189", "V-190")
def test_members_that_came_out_stand_on_the_rightmost_window():
    family = {0: {"bag": [1, 1]}, 1: {"bag": [2], "window-1": [1]}}
    state = mass(family=family, things={0: {"coin": 1}, 1: {"grain": 5}})

    state = after(state, "0: redeem 1", "chance: draw blue 2", "chance: draw monk", "chance: draw monk")

    assert {"bag": [1], "window-1": [1]} == visible(state, 0, "bag", "window-1")
    assert {"bag": [], "window-1": [1, 2]} == visible(state, 1, "bag", "window-1")
    assert 4 == state.monks


@pytest.mark.rule("V-188")
@pytest.mark.parametrize("text", ["draw red 2", "draw red 1", "draw blue", "draw green"])
def test_only_what_is_in_the_bag_is_drawn(text):
    state = mass(family={0: {"bag": [3]}, 1: {"bag": [2]}})

    assert "draw.not-there" == refusal(state, f"chance: {text}")[0]


@pytest.mark.rule("V-190")
def test_a_monk_drawn_is_not_drawn_again_at_the_same_mass():
    state = after(mass(), "chance: draw monk", "chance: draw monk", "chance: draw monk")

    assert {"draw monk": 1} == odds(state)


@pytest.mark.rule("V-191")
def test_then_from_the_starting_player_each_may_move_own_members_left():
    family = each(3, {"window-1": [1, 2]})
    state = mass(3, first=2, family=family, things=each(3, {"grain": 5}))
    state = after(state, *MONKS)

    assert (2, "village.rise") == owed(state)
    state = after(state, "2: rise 1 1", "2: rise 1 2", "2: pass")
    assert {"window-1": [], "window-2": [1, 2]} == visible(state, 2, "window-1", "window-2")
    assert (0, "village.rise") == owed(state)
    state = after(state, "0: pass")
    assert (1, "village.rise") == owed(state)
    assert (-1, "village.cube") == owed(after(state, "1: pass"))


@pytest.mark.rule("V-191")
def test_only_an_own_member_who_stands_there_moves_left():
    family = {0: {"window-1": [1]}, 1: {"window-2": [3]}}
    state = after(mass(family=family, things={0: {"grain": 5}}), *MONKS)

    assert ["pass", "rise 1 1"] == sorted(texts(state))
    assert "rise.nobody" == refusal(state, "0: rise 2 3")[0]
    assert "rise.nobody" == refusal(state, "0: rise 1 2")[0]


@pytest.mark.rule("V-191")
def test_who_cannot_pay_a_step_is_not_asked():
    family = {0: {"window-1": [1]}, 1: {"window-4": [1]}}

    state = after(mass(family=family, things={1: {"grain": 5}}), *MONKS)

    assert (-1, "village.cube") == owed(state)


@pytest.mark.rule("V-192")
def test_the_steps_between_the_windows_by_our_table():
    assert (1, 2, 3) == GRAIN


@pytest.mark.rule("V-192")
@pytest.mark.parametrize("window", [1, 2, 3])
def test_a_step_left_costs_the_grain_between_the_windows(window):
    price = GRAIN[window - 1]
    state = after(mass(family={0: {f"window-{window}": [2]}}, things={0: {"grain": price}}), *MONKS)
    poor = after(mass(family={0: {f"window-{window}": [2]}}, things={0: {"grain": price - 1}}), *MONKS)

    done, events = play(state, f"0: rise {window} 2")

    rose = {"seat": 0, "number": 2, "window": window + 1, "grain": price}
    assert ("village.rose", rose) in told(events)
    assert [2] == numbers_at(done, 0, f"window-{window + 1}")
    assert {"grain": -price} == change(state, done)
    assert {} == things_of(done, 0)
    assert (-1, "village.cube") == owed(poor)


@pytest.mark.rule("V-192")
def test_the_grain_of_a_step_goes_to_the_supply():
    state = after(mass(family={0: {"window-1": [2]}}, things={0: {"grain": 5}}), *MONKS)

    assert {"grain": GRAIN[0]} == supply_change(state, after(state, "0: rise 1 2"))


@pytest.mark.rule("V-192")
def test_a_step_that_cannot_be_paid_is_not_taken():
    family = {0: {"window-1": [1], "window-3": [2]}}
    state = after(mass(family=family, things={0: {"grain": GRAIN[2] - 1}}), *MONKS)

    assert ["pass", "rise 1 1"] == sorted(texts(state))
    assert "price.short" == refusal(state, "0: rise 3 2")[0]


@pytest.mark.rule("V-192")
def test_there_is_no_step_beyond_the_leftmost_window():
    state = after(mass(family={0: {"window-4": [2], "window-1": [1]}}, things={0: {"grain": 5}}), *MONKS)

    assert ["pass", "rise 1 1"] == sorted(texts(state))
    assert "rise.last-window" == refusal(state, "0: rise 4 2")[0]


@pytest.mark.rule("V-193")
def test_one_member_may_take_several_steps_in_one_mass():
    state = after(mass(family={0: {"window-1": [1]}}, things={0: {"grain": GRAIN[0] + GRAIN[1]}}), *MONKS)

    state = after(state, "0: rise 1 1", "0: rise 2 1")

    assert 3 == GRAIN[0] + GRAIN[1]
    assert [1] == numbers_at(state, 0, "window-3")
    assert {} == things_of(state, 0)


@pytest.mark.rule("V-194")
def test_a_member_who_came_out_at_this_mass_may_move_at_once():
    state = mass(family={0: {"bag": [1]}}, things={0: {"grain": 1}})

    state = after(state, "chance: draw red 1", *MONKS[1:], "0: rise 1 1")

    assert [1] == numbers_at(state, 0, "window-2")


@pytest.mark.rule("V-194")
def test_moving_follows_though_only_monks_were_drawn():
    state = after(mass(family={0: {"window-2": [1]}}, things={0: {"grain": 2}}), *MONKS)

    assert (0, "village.rise") == owed(state)


@pytest.mark.rule("V-195")
@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ({"window-1": [1, 1]}, {"window-4": [1]}, [2, 0]),
        ({"window-1": [1]}, {"window-1": [1], "window-2": [2]}, [0, 2]),
        ({"window-1": [1], "farmyard": [1, 1]}, {"window-1": [1, 2]}, [0, 2]),
    ],
)
def test_most_members_on_the_windows_score_two_points_at_once(mine, theirs, expected):
    state = after(mass(family={0: mine, 1: theirs}), *MONKS)

    assert 2 == COMPONENTS.church.majority
    assert expected == [one.prestige for one in state.families]


@pytest.mark.rule("V-196")
def test_on_a_tie_the_member_furthest_left_decides():
    state = after(mass(family={0: {"window-2": [1, 1]}, 1: {"window-1": [1], "window-3": [1]}}), *MONKS)

    assert [0, 2] == [one.prestige for one in state.families]


@pytest.mark.rule("V-196")
def test_the_window_decides_only_among_the_tied():
    family = {0: {"window-1": [1, 2]}, 1: {"window-2": [1], "window-1": [2]}, 2: {"window-4": [1]}}

    state = after(mass(3, family=family), *MONKS)

    assert [0, 2, 0] == [one.prestige for one in state.families]


@pytest.mark.rule("V-197")
def test_still_tied_each_of_them_scores():
    family = {0: {"window-1": [1], "window-3": [1]}, 1: {"window-2": [1], "window-3": [1]}, 2: {"window-1": [1, 1]}}

    state, events = play(mass(3, family=family), *MONKS)

    assert [2, 2, 0] == [one.prestige for one in state.families]
    assert ("village.majority", {"seats": (0, 1), "points": 2}) in told(events)


@pytest.mark.rule("V-198", "V-199", "V-200")
def test_the_old_starting_player_leads_the_mass_and_then_the_marker_counts():
    family = each(3, {"bag": [1]})
    state = mass(3, first=1, marker=0, family=family, things=each(3, {"coin": 1}))

    assert (1, "village.redeem") == owed(state)
    state, events = play(state, "1: redeem 1", "2: redeem 1", "0: redeem 1", "chance: draw monk")
    assert (0, NOBODY) == (state.first, state.marker)
    assert ("village.first", {"seat": 0}) in told(events)
    state, _ = draw_all(state)
    assert (0, "village.turn") == owed(state)


@pytest.mark.rule("V-199")
def test_if_nobody_took_the_marker_the_starting_player_stays():
    state, events = draw_all(mass(3, first=2))

    assert 2 == state.first
    assert (2, "village.turn") == owed(state)
    assert "village.first" not in keys(events)


@pytest.mark.rule("V-200")
def test_the_marker_is_open_to_all_in_the_new_round():
    state, _ = draw_all(mass(3, marker=2, family={0: {"stage-1": [1]}, 2: {"stage-1": [1]}}))

    assert (2, "village.turn") == owed(state)
    space = next(f"{cubes[0]} harvest" for space, cubes in board_of(state).items() if space == "harvest")
    state = after(state, f"2: take {space}")
    colour = board_of(state)["council"][0]
    state = after(state, f"0: take {colour} council", "0: use 1")
    assert 0 == state.marker


@pytest.mark.rule("V-201")
def test_then_the_next_round_begins_by_filling_the_green_bag():
    state, events = play(mass(), *MONKS)

    assert 2 == state.round
    assert ("village.round", {"round": 2, "seat": 0}) in told(events)
    assert 4 * COMPONENTS.bag.added[0] + 6 == sum(state.green_bag)
    assert (-1, "village.cube") == owed(state)
