"""Rules V-256 to V-294: where rules meet."""

import pytest

from engine.village.state import COLOURS, NOBODY, SPACES
from tests.engine.village.positions import (
    COMPONENTS,
    at_mass,
    at_next_round,
    board_of,
    draw_all,
    keys,
    numbers_at,
    owed,
    play,
    position,
    refusal,
    supply_of,
    texts,
    things_of,
    told,
)
from tests.engine.village.ruling import (
    RICH,
    acting,
    after,
    change,
    crowded,
    dying,
    each,
    finish,
    odds,
    points,
    starting,
    step_of,
    verbs,
    visible,
)

MONKS = ["chance: draw monk"] * 4
TRADERS = {seat: dict.fromkeys(["wagon", "scroll", "plow", "horse", "ox"], 1) | {"green": 3} for seat in range(4)}
FRONT = ["wagon", "scroll", "plow", "horse", "ox"]
CHURCH = {"church": ["orange"] * 9}
ONE_GRAVE = {"farmyard": 0, "graves": 1}


def market(seats, board=None, **values):
    """Seat 0 has just begun a market day on which everybody can sell; cubes are left in the church."""
    board = {"market": ["orange"], **CHURCH} if board is None else board
    stalls = FRONT[: seats + 1]
    state = position(seats, 0, **{"board": board, "things": TRADERS, "stalls": stalls, **values})
    return after(state, "0: take orange market")


# deaths on market days


@pytest.mark.rule("V-256", "V-258")
def test_deaths_of_a_market_day_are_settled_one_by_one_by_their_own_seats():
    spots = {"farmyard": [1], "office": [1]}
    state = market(3, family={1: spots, 2: spots}, step={1: 9, 2: 9})

    state = after(state, "0: sell wagon", "1: sell scroll green")

    assert (1, "village.death") == owed(state)
    assert "turn.not-owed" == refusal(state, "0: bury office")[0]
    state = after(state, "1: bury office")
    assert (2, "village.market") == owed(state)
    state = after(state, "2: sell plow green")
    assert (2, "village.death") == owed(state)
    state = after(state, "2: bury farmyard")
    assert (0, "village.market") == owed(state)
    assert [1] == numbers_at(state, 1, "chronicle-crafts")
    assert [1] == numbers_at(state, 2, "chronicle-farmyard")


@pytest.mark.rule("V-257")
def test_the_earlier_sale_takes_the_last_place_of_a_section():
    family = crowded(3, {"crafts": 1}, {1: {"office": [1]}, 2: {"smithy": [1]}})

    state = after(market(3, family=family, step={1: 9, 2: 9}), "0: sell wagon", "1: sell scroll green")

    state = after(state, "2: sell plow green")
    assert 1 == numbers_at(state, 1, "chronicle-crafts").count(1)
    assert [1] == numbers_at(state, 2, "grave")


@pytest.mark.rule("V-259")
def test_on_step_nine_the_free_sale_kills_nobody_and_a_surcharge_does():
    state = market(2, step={0: 9}, things={0: TRADERS[0]})

    free = after(state, "0: sell wagon")

    assert (9, [1, 1, 1, 1]) == (step_of(free), numbers_at(free, 0, "farmyard"))
    paid = after(free, "0: sell scroll green")
    assert (0, [1, 1, 1]) == (step_of(paid), numbers_at(paid, 0, "farmyard"))
    assert (0, "village.market") == owed(paid)


@pytest.mark.rule("V-260", "V-261", "V-262")
def test_the_day_goes_on_after_the_last_place_and_later_deaths_leave_the_game():
    state = market(3, family=crowded(3, ONE_GRAVE), step={1: 9, 2: 9})

    state, events = play(state, "0: sell wagon", "1: sell scroll green", "2: sell plow green", "0: sell horse green")

    assert 1 == numbers_at(state, 1, "grave").count(1)
    assert [1] == numbers_at(state, 2, "removed")
    assert 1 == state.trigger
    assert ("village.triggered", {"seat": 1, "area": "graves"}) in told(events)
    assert ("wagon", "horse") == state.families[0].customers
    assert 1 == keys(events).count("village.triggered")


@pytest.mark.rule("V-262")
def test_a_second_area_filled_on_the_same_day_does_not_change_who_triggered():
    free = {"farmyard": 0, "crafts": 1, "council": 0, "travel": 0, "church": 0, "graves": 1}
    family = crowded(2, free, {0: {"office": [1]}, 1: {"farmyard": [1]}})
    before = market(2, family=family, step={0: 9, 1: 9})

    state, events = play(before, "0: sell wagon", "1: sell scroll green", "0: sell plow green")

    assert [1] == numbers_at(state, 0, "chronicle-crafts")
    assert 1 == len(numbers_at(state, 1, "grave")) - len(numbers_at(before, 1, "grave"))
    assert 1 == state.trigger
    assert 1 == keys(events).count("village.triggered")
    state, _ = draw_all(state)
    assert (-1, "village.piece") == owed(finish(state, 1, 0))


@pytest.mark.rule("V-263")
def test_a_plague_cube_before_a_market_day_kills_after_it():
    board = {"market": ["plague"], **CHURCH}
    state = position(board=board, things=TRADERS, stalls=FRONT[:3], step={0: 8, 1: 9}, line=[], pile=[])

    state = after(state, "0: take plague market", "0: sell wagon")

    assert [1, 1, 1, 1] == numbers_at(state, 0, "farmyard")
    state = after(state, "1: sell scroll green")
    assert [1, 1, 1] == numbers_at(state, 1, "farmyard")
    assert [1, 1, 1, 1] == numbers_at(state, 0, "farmyard")
    state = after(state, "0: sell plow green")
    assert [1, 1, 1] == numbers_at(state, 0, "farmyard")
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-264")
def test_a_market_day_of_the_last_cube_is_held_and_its_deaths_settled_before_the_mass():
    family = {1: {"window-1": [1]}}
    state = market(2, board={"market": ["orange"]}, family=family, step={1: 9}, line=[], pile=[])

    state, events = play(state, "0: sell wagon", "1: sell scroll green", "0: sell plow green", *MONKS)

    order = [keys(events).index(f"village.{key}") for key in ("chronicled", "market-over", "mass", "no-majority")]
    assert sorted(order) == order
    assert [0, 0] == [one.prestige for one in state.families]


@pytest.mark.rule("V-265")
def test_if_such_a_day_triggers_the_end_all_last_turns_are_free_actions():
    state = market(3, board={"market": ["orange"]}, family=crowded(3, ONE_GRAVE), step={2: 9}, bag={"pink": 9})

    state = after(state, "0: sell wagon", "1: pass", "2: sell scroll green", "0: pass", "2: pass")
    state, _ = draw_all(state)

    for seat in (1, 2, 0):
        assert (seat, "village.turn") == owed(state)
        assert {"act", "forgo"} == verbs(state)
        assert {} == board_of(state)
        state = after(state, f"{seat}: forgo")
    assert (-1, "village.piece") == owed(state)
    assert 1 == state.round


@pytest.mark.rule("V-266")
def test_if_the_last_cube_triggers_the_end_there_is_no_mass_before_the_last_turns():
    family = crowded(2, ONE_GRAVE, {0: {"farmyard": [1, 2]}, 1: {"farmyard": [1]}})
    state = position(board={"travel": ["plague"]}, family=family, step={0: 9}, bag={"pink": 9})

    state, events = play(state, "0: take plague travel")

    assert not {"village.mass", "village.last-mass"} & set(keys(events))
    assert (1, "village.turn") == owed(state)
    assert {"act", "forgo"} == verbs(state)
    state, events = play(state, "1: act harvest", "1: harvest")
    assert "village.last-mass" in keys(events)


@pytest.mark.rule("V-267")
def test_if_the_very_last_turn_takes_the_last_cube_one_mass_follows():
    state = position(2, 1, board={"church": ["orange"]}, trigger=0, final=True)

    state, events = play(state, "1: take orange church", "1: skip")
    state, rest = draw_all(state)

    masses = [key for key in keys((*events, *rest)) if key in ("village.mass", "village.last-mass")]
    assert ["village.last-mass"] == masses
    assert () == owed(state)


@pytest.mark.rule("V-268", "V-269")
@pytest.mark.parametrize("left", [[], [0]])
def test_a_second_area_filling_up_in_the_last_turns_gives_and_takes_no_turn(left):
    free = {"farmyard": 1, "crafts": 0, "council": 0, "travel": 0, "church": 0, "graves": 0}
    family = crowded(3, free, {1: {"farmyard": [1]}})
    board = {"travel": ["plague"], **CHURCH}
    state = position(3, 1, board=board, family=family, step={1: 9}, trigger=2, final=True, last=left)

    state, events = play(state, "1: take plague travel")

    assert [1] == numbers_at(state, 1, "chronicle-farmyard")
    assert 2 == state.trigger
    assert "village.triggered" not in keys(events)
    assert (-1, "village.piece") == owed(finish(state, *left))


@pytest.mark.rule("V-269")
@pytest.mark.parametrize(
    ("free", "resting"),
    [
        ({"graves": 0, "farmyard": 1}, "chronicle-farmyard"),
        ({"graves": 1, "farmyard": 0, "crafts": 0, "council": 0, "travel": 0, "church": 0}, "grave"),
    ],
)
def test_after_the_end_is_triggered_what_is_free_still_takes_members(free, resting):
    family = crowded(2, free, {1: {"farmyard": [1]}})
    state = position(2, 1, board={"travel": ["plague"], **CHURCH}, family=family, step={1: 9}, trigger=0, final=True)

    state = after(state, "1: take plague travel")

    assert 1 == numbers_at(state, 1, resting).count(1)
    assert [] == numbers_at(state, 1, "removed")


@pytest.mark.rule("V-270")
def test_a_market_day_chosen_as_a_last_turn_is_open_to_all():
    state = position(3, 2, board={"market": ["orange"]}, things=TRADERS, stalls=FRONT[:4], trigger=0, final=True)

    state = after(state, "2: take orange market", "2: sell wagon")

    assert (0, "village.market") == owed(state)
    state = after(state, "0: sell scroll green")
    assert (1, "village.market") == owed(state)
    state, _ = draw_all(after(state, "1: sell plow green", "2: sell horse green"))
    assert [("scroll",), ("plow",), ("wagon", "horse")] == [one.customers for one in state.families]


@pytest.mark.rule("V-271")
def test_on_the_emptied_board_a_seat_may_give_up_its_free_action():
    state = position(3, 1, board={}, trigger=0, final=True, last=[2], things={1: RICH})

    done, events = play(state, "1: forgo")

    assert ("village.forgone", {"seat": 1}) in told(events)
    assert {} == change(state, done, 1)
    assert (2, "village.turn") == owed(done)


@pytest.mark.rule("V-271")
def test_on_the_emptied_board_a_chosen_action_may_be_left_undone():
    state = position(3, 1, board={}, trigger=0, final=True, last=[2])

    done = after(state, "1: act harvest", "1: skip")

    assert (2, "village.turn") == owed(done)


@pytest.mark.rule("V-272")
def test_with_two_seats_an_end_on_the_starters_market_day_gives_the_other_then_the_starter_a_turn():
    state = market(2, family=crowded(2, ONE_GRAVE), step={1: 9})

    state, _ = draw_all(after(state, "0: sell wagon", "1: sell scroll green", "0: pass", "1: pass"))

    assert 1 == state.trigger
    assert (-1, "village.piece") == owed(finish(state, 1, 0))


# the next-starting-player marker


@pytest.mark.rule("V-273")
def test_a_marker_that_nobody_took_lies_there_in_the_next_round():
    state, _ = draw_all(at_mass(position(3, board={}, first=1))[0])

    assert (NOBODY, 1) == (state.marker, state.first)
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-274")
def test_the_starting_player_may_take_the_marker_to_stay_first():
    taken = after(acting("council", seats=3, family={0: {"stage-1": [1]}}), "0: use 1")
    state, _ = draw_all(at_mass(position(3, board={}, first=0, marker=0))[0])

    assert (0, 0) == (taken.marker, taken.first)
    assert (NOBODY, 0) == (state.marker, state.first)


@pytest.mark.rule("V-275")
def test_its_holder_gains_nothing_from_the_first_stage_and_keeps_it():
    state = acting("council", family={0: {"stage-1": [1]}}, marker=0, things={0: RICH})

    done, events = play(state, "0: use 1")

    assert 0 == done.marker
    assert ("village.marker-gone", {"seat": 0, "holder": 0}) in told(events)
    assert {} == change(state, done)


@pytest.mark.rule("V-276")
def test_a_marker_taken_in_the_last_turns_has_no_effect():
    family = {0: {"bag": [1]}, 1: {"stage-1": [1], "bag": [1]}}
    things = each(2, {"coin": 1})
    state = position(2, 1, board={"council": ["orange"]}, first=0, family=family, things=things, trigger=0, final=True)

    state = after(state, "1: take orange council", "1: use 1")

    assert (1, 0) == (state.marker, state.first)
    assert (0, "village.redeem") == owed(state)


@pytest.mark.rule("V-277")
def test_its_holder_keeps_it_when_the_member_who_took_it_dies():
    assert 0 == dying({"stage-1": [1]}, marker=0).marker


@pytest.mark.rule("V-277")
def test_its_holder_keeps_it_when_the_member_who_took_it_goes_home():
    state = acting("family", family={0: {"stage-1": [1]}}, marker=0)

    assert 0 == after(state, "0: home stage-1 1").marker


# nobody to die


@pytest.mark.rule("V-278")
def test_a_family_with_nobody_visible_loses_nobody_and_owes_nothing_later():
    state, events = play(
        position(board={"travel": ["plague", "orange"], **CHURCH}, family={0: {"bag": [1, 1]}}, step={0: 9}),
        "0: take plague travel",
    )

    assert ("village.nobody-dies", {"seat": 0}) in told(events)
    assert [1, 1] == numbers_at(state, 0, "bag")
    assert (1, 0) == (step_of(state), state.families[0].due)
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-278")
def test_a_death_that_found_nobody_is_not_owed_by_who_is_born_later():
    board = {"travel": ["plague", "orange"], "family": ["orange"], **CHURCH}
    state = position(board=board, family={0: {"bag": [1]}}, step={0: 9})

    state = after(state, "0: take plague travel", "1: take orange travel", "0: take orange family", "0: birth")

    assert 1 == len(numbers_at(state, 0, "farmyard"))
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-278")
def test_on_a_market_day_who_is_visible_is_judged_at_once():
    state = market(2, family={1: {"bag": [1]}}, step={1: 9})

    state, events = play(state, "0: sell wagon", "1: sell scroll green")

    assert ("village.nobody-dies", {"seat": 1}) in told(events)
    assert (0, "village.market") == owed(state)


@pytest.mark.rule("V-278")
def test_who_is_visible_is_judged_at_the_end_of_the_turn():
    state = position(board={"family": ["plague"], **CHURCH}, family={0: {"bag": [1, 1, 1, 1]}}, step={0: 9})

    state = after(state, "0: take plague family", "0: birth")

    assert [2] == numbers_at(state, 0, "chronicle-farmyard")


@pytest.mark.rule("V-279")
def test_putting_the_only_visible_member_into_the_bag_across_the_bridge_kills_nobody():
    state = acting("church", family={0: {"farmyard": [1]}}, step={0: 8})

    state = after(state, "0: pray 1 time")

    assert 1 == step_of(state)
    assert [1] == numbers_at(state, 0, "bag")
    assert (1, "village.turn") == owed(state)


# the mass


@pytest.mark.rule("V-280")
def test_with_no_member_in_the_bag_four_monks_are_drawn():
    state, _ = at_mass(position(board={}))

    for left in (4, 3, 2, 1):
        assert {"draw monk": left} == odds(state)
        state = after(state, "chance: draw monk")
    assert 4 == state.monks


@pytest.mark.rule("V-281")
def test_one_member_in_the_bag_comes_out_four_times_in_five():
    state, _ = at_mass(position(board={}, family={0: {"bag": [1]}}))

    stays = 1.0
    for left in (4, 3, 2, 1):
        assert {"draw monk": left, "draw red 1": 1} == odds(state)
        stays *= left / (left + 1)
        state = after(state, "chance: draw monk")
    assert stays == pytest.approx(1 / 5)


@pytest.mark.rule("V-282")
def test_with_nobody_on_a_window_the_majority_gives_no_points():
    state, events = play(at_mass(position(3, board={}))[0], *MONKS)

    assert [0, 0, 0] == [one.prestige for one in state.families]
    assert "village.no-majority" in keys(events)
    assert "village.majority" not in keys(events)


@pytest.mark.rule("V-283")
def test_a_single_member_on_the_windows_takes_the_majority():
    state = after(at_mass(position(3, board={}, family={2: {"window-1": [1]}}))[0], *MONKS)

    assert [0, 0, 2] == [one.prestige for one in state.families]


@pytest.mark.rule("V-284")
def test_two_bought_of_nine_pieces_leave_two_draws_from_seven():
    family = {0: {"bag": [1, 1, 2]}, 1: {"bag": [1, 3]}}
    state, _ = at_mass(position(board={}, family=family, things={0: {"coin": 2}}))

    state = after(state, "0: redeem 1", "0: redeem 2")

    assert {"draw monk": 4, "draw red 1": 1, "draw blue 1": 1, "draw blue 3": 1} == odds(state)
    state = after(state, "chance: draw blue 1", "chance: draw monk")
    assert (-1, "village.cube") == owed(state)
    assert {"bag": [1], "window-1": [1, 2]} == visible(state, 0, "bag", "window-1")


@pytest.mark.rule("V-285")
def test_without_a_coin_nobody_is_bought_out():
    family = {0: {"bag": [1]}, 1: {"bag": [1]}}
    state, _ = at_mass(position(board={}, family=family, things={0: dict.fromkeys(COLOURS, 9), 1: {"coin": 1}}))

    assert (1, "village.redeem") == owed(state)


@pytest.mark.rule("V-286")
def test_rising_from_the_first_to_the_fourth_window_never_fits_into_one_mass_by_our_table():
    assert 6 == sum(COMPONENTS.windows.grain) > COMPONENTS.family.barn == 5
    state = after(at_mass(position(board={}, family={0: {"window-1": [1]}}, things={0: {"grain": 5}}))[0], *MONKS)

    state = after(state, "0: rise 1 1", "0: rise 2 1")

    assert [1] == numbers_at(state, 0, "window-3")
    assert (-1, "village.cube") == owed(state)


# prices


@pytest.mark.rule("V-287")
@pytest.mark.parametrize(("pay", "kept"), [("scroll", {"green": 2}), ("green green", {"scroll": 1})])
def test_entering_with_the_scroll_leaves_the_green_and_the_other_way_round(pay, kept):
    state = acting("council", things={0: {"scroll": 1, "green": 2}})

    state = after(state, f"0: enter 1 {pay}")

    assert kept | {"orange": 1} == things_of(state, 0)


@pytest.mark.rule("V-288")
def test_a_green_and_a_scroll_are_not_two_halves():
    state = acting("council", things={0: {"scroll": 1, "green": 1}})

    assert ["enter 1 scroll", "skip"] == sorted(texts(state))
    assert refusal(state, "0: enter 1 scroll green")
    done = after(state, "0: enter 1 scroll")
    assert {"green": 1, "orange": 1} == things_of(done, 0)


@pytest.mark.rule("V-289")
def test_with_two_seats_the_stalls_marked_four_are_closed_with_those_marked_three():
    assert [3, 4, 5] == list(COMPONENTS.stalls.open)
    assert 3 == len(position(2).stalls)


@pytest.mark.rule("V-290")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_if_all_cubes_are_hoarded_the_six_plague_cubes_are_laid_out(seats):
    state, _ = draw_all(at_next_round(position(seats, board={}, things={1: dict.fromkeys(COLOURS, 18)}))[0])

    assert {space: ["plague"] for space in SPACES[:6]} == board_of(state)
    assert (0, "village.turn") == owed(state)


@pytest.mark.rule("V-291")
def test_a_plague_cube_may_be_the_last_cube():
    state = position(board={"travel": ["plague"]}, step={0: 3})

    state = after(state, "0: take plague travel")

    assert 5 == step_of(state)
    assert 6 == supply_of(state)["plague"]
    state = after(state, *MONKS)
    assert (6, 0) == (state.green_bag[-1], supply_of(state)["plague"])


# nobody at home, nobody alive


@pytest.mark.rule("V-292")
def test_with_nobody_at_home_nobody_is_placed_and_the_cube_is_still_taken():
    spots = {"office": [1], "stage-1": [1], "ford": [2]}
    values = {"family": {0: spots}, "things": {0: RICH | {"grain": 2}}}

    for space, possible in (
        ("crafts", {"make", "buy", "mill", "skip"}),
        ("council", {"advance", "use", "skip"}),
        ("travel", {"travel", "skip"}),
    ):
        state = acting(space, **values)
        assert possible == verbs(state)
        assert 5 == things_of(state, 0)["orange"]
    church = acting("church", **values)
    assert (1, "village.turn") == owed(church)
    assert 5 == things_of(church, 0)["orange"]


@pytest.mark.rule("V-293")
def test_the_harvest_cube_may_be_taken_with_an_empty_farmyard():
    state = position(family={0: {"office": [1]}})

    assert "take orange harvest" in texts(state)
    done, events = play(state, "0: take orange harvest")
    assert {"orange": 1} == things_of(done, 0)
    assert ("village.cannot-act", {"seat": 0, "space": "harvest"}) in told(events)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-294")
def test_a_family_with_nobody_alive_goes_on_playing():
    values = {"family": {0: {"grave": [1, 1], "chronicle-crafts": [1, 1]}}, "things": {0: {"pink": 1, "wagon": 1}}}
    state = position(stalls=["wagon"], **values)

    assert len(SPACES) == len(starting(state, "take"))
    bought = after(state, "0: take orange crafts", "0: buy scroll pink")
    assert 1 == things_of(bought, 0)["scroll"]
    served = after(state, "0: take orange market", "0: sell wagon")
    assert ("wagon",) == served.families[0].customers
    born = after(state, "0: take orange family", "0: birth")
    assert [2] == numbers_at(born, 0, "farmyard")
    assert 0 == points(state)
