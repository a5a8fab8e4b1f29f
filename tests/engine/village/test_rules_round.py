"""Rules V-027 to V-039: how a round starts, and whose turn it is."""

import pytest

from engine.village.state import COLOURS, CUBES, SPACES
from tests.engine.village.positions import (
    COMPONENTS,
    at_mass,
    at_next_round,
    board_of,
    draw_all,
    owed,
    position,
    refusal,
    start,
    supply_of,
)
from tests.engine.village.ruling import after, odds

SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


def bag_of(state):
    """The cubes in the green bag, zeros left out."""
    return {cube: count for cube, count in zip(CUBES, state.green_bag, strict=True) if count}


def on_spaces(state):
    """How many cubes lie on each space."""
    return tuple(sum(cubes) for cubes in state.board)


@pytest.mark.rule("V-027", "V-182")
@pytest.mark.parametrize("number", [1, 2, 40])
def test_each_round_is_followed_by_another_until_the_end_is_triggered(number):
    ended, _ = at_mass(position(board={}, round=number))

    state, _ = draw_all(ended)

    assert number + 1 == state.round
    assert (0, "village.turn") == owed(state)


@pytest.mark.rule("V-027", "V-182")
def test_no_round_follows_once_the_end_is_triggered():
    ended, _ = at_mass(position(board={}, trigger=1, final=True))

    state, _ = draw_all(ended)

    assert () == owed(state)
    assert 1 == state.round


@pytest.mark.rule("V-028")
def test_a_round_opens_with_the_bag_then_the_cubes_then_the_first_turn():
    filled, _ = at_next_round(position(board={}))

    assert (-1, "village.cube") == owed(filled)
    assert 4 * COMPONENTS.bag.added[0] + 6 == sum(filled.green_bag)
    assert {} == board_of(filled)
    laid, _ = draw_all(filled)
    assert sum(COMPONENTS.board.cards[0]) == laid.cubes_left
    assert (0, "village.turn") == owed(laid)


@pytest.mark.rule("V-028")
def test_the_first_round_opens_like_any_other():
    state, _ = draw_all(start(3))

    assert sum(COMPONENTS.board.cards[1]) == state.cubes_left
    assert 4 * COMPONENTS.bag.added[1] + 6 == state.cubes_left + sum(state.green_bag)


@pytest.mark.rule("V-029")
@SEATS
def test_the_cubes_of_the_card_move_from_the_supply_into_the_green_bag(seats):
    state, _ = at_next_round(position(seats, board={}))

    added = COMPONENTS.bag.added[seats - 2]
    assert dict.fromkeys(COLOURS, added) | {"plague": 6} == bag_of(state)
    assert [18 - added] * 4 == [supply_of(state)[colour] for colour in COLOURS]


@pytest.mark.rule("V-030")
def test_cubes_added_by_our_table():
    assert (4, 5, 6) == COMPONENTS.bag.added


@pytest.mark.rule("V-030")
@SEATS
def test_as_many_cubes_are_added_in_a_late_round_as_in_an_early_one(seats):
    early, late = (at_next_round(position(seats, board={}, round=number))[0] for number in (1, 9))

    assert bag_of(early) == bag_of(late)


@pytest.mark.rule("V-031")
@pytest.mark.parametrize("kept", [0, 1, 6])
def test_all_six_plague_cubes_are_in_the_green_bag(kept):
    state, _ = at_next_round(position(board={}, bag={"plague": kept}))

    assert 6 == bag_of(state)["plague"]
    assert 0 == supply_of(state)["plague"]


@pytest.mark.rule("V-032")
def test_of_a_colour_that_is_short_only_what_is_there_is_added():
    state, _ = at_next_round(position(4, board={}, things={0: {"green": 16}}))

    added = COMPONENTS.bag.added[2]
    assert {"brown": added, "pink": added, "orange": added, "green": 2, "plague": 6} == bag_of(state)
    assert 0 == supply_of(state)["green"]


@pytest.mark.rule("V-033")
def test_cubes_not_drawn_stay_in_the_green_bag():
    filled, _ = at_next_round(position(board={}, bag={"pink": 3, "brown": 1}))

    added = COMPONENTS.bag.added[0]
    assert {"brown": added + 1, "pink": added + 3, "orange": added, "green": added, "plague": 6} == bag_of(filled)
    laid, _ = draw_all(filled)
    assert sum(filled.green_bag) - sum(COMPONENTS.board.cards[0]) == sum(laid.green_bag)


@pytest.mark.rule("V-034")
def test_cubes_are_drawn_blindly():
    filled, _ = at_next_round(position(board={}, bag={"pink": 3}))

    added = COMPONENTS.bag.added[0]
    expected = {"brown": added, "pink": added + 3, "orange": added, "green": added, "plague": 6}
    assert {f"draw {cube}": count for cube, count in expected.items()} == odds(filled)
    next_draw = after(filled, "chance: draw plague")
    assert 5 == odds(next_draw)["draw plague"]
    assert "draw.not-there" == refusal(filled, "chance: draw monk")[0]


@pytest.mark.rule("V-034", "V-035")
@SEATS
def test_each_space_gets_the_cubes_of_the_card(seats):
    state, _ = draw_all(at_next_round(position(seats, board={}))[0])

    assert COMPONENTS.board.cards[seats - 2] == on_spaces(state)


@pytest.mark.rule("V-035")
@pytest.mark.parametrize(("seats", "cubes", "turns"), [(2, 18, 9), (3, 21, 7), (4, 24, 6)])
def test_cubes_and_turns_of_a_round_by_our_table(seats, cubes, turns):
    assert cubes == sum(COMPONENTS.board.cards[seats - 2]) == seats * turns


@pytest.mark.rule("V-036")
def test_cubes_on_each_space_by_our_table():
    assert ("harvest", "family", "crafts", "market", "travel", "council", "church") == SPACES
    assert ((2, 2, 4, 2, 3, 2, 3), (3, 2, 4, 3, 3, 3, 3), (3, 3, 5, 3, 3, 3, 4)) == COMPONENTS.board.cards


@pytest.mark.rule("V-037")
def test_a_bag_too_small_is_dealt_one_cube_to_a_space_in_turn():
    hoard = {0: dict.fromkeys(COLOURS, 18) | {"brown": 15}}

    state, _ = draw_all(at_next_round(position(board={}, things=hoard))[0])

    assert (2, 2, 1, 1, 1, 1, 1) == on_spaces(state)
    assert 0 == sum(state.green_bag)


@pytest.mark.rule("V-037")
def test_a_bag_too_small_is_dealt_from_the_first_cube_on():
    hoard = {0: dict.fromkeys(COLOURS, 18) | {"brown": 15}}
    state, _ = at_next_round(position(board={}, things=hoard))

    state = after(state, "chance: draw plague", "chance: draw brown")

    assert (1, 1, 0, 0, 0, 0, 0) == on_spaces(state)


@pytest.mark.rule("V-037")
def test_a_bag_that_just_suffices_is_dealt_space_by_space():
    wanted = sum(COMPONENTS.board.cards[0])
    kept = {"brown": wanted - 6}
    hoard = {0: dict.fromkeys(COLOURS, 18) | {"brown": 18 - (wanted - 6)}}
    state, _ = at_next_round(position(board={}, things=hoard, bag=kept))

    state = after(state, "chance: draw brown", "chance: draw brown")

    assert wanted == sum(state.green_bag) + state.cubes_left
    assert (2, 0, 0, 0, 0, 0, 0) == on_spaces(state)


@pytest.mark.rule("V-037")
def test_no_space_is_dealt_more_than_its_number():
    wanted = COMPONENTS.board.cards[0]
    hoard = {0: dict.fromkeys(COLOURS, 18) | {"brown": 18 - (sum(wanted) - 6 - 1)}}
    kept = {"brown": sum(wanted) - 6 - 1}

    state, _ = draw_all(at_next_round(position(board={}, things=hoard, bag=kept))[0])

    dearest = max(range(len(wanted)), key=lambda at: (wanted[at], at))
    assert tuple(count - (at == dearest) for at, count in enumerate(wanted)) == on_spaces(state)


@pytest.mark.rule("V-038")
def test_the_starting_player_begins_whoever_took_the_last_cube():
    state, _ = draw_all(at_next_round(position(3, turn=0, first=1, board={}))[0])

    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-039")
def test_turns_pass_clockwise_while_the_board_holds_a_cube():
    state = position(3, turn=1, board={"travel": ["orange"] * 4})

    seen = []
    for _ in range(3):
        seat, key = owed(state)
        seen.append((seat, key))
        state = after(state, f"{seat}: take orange travel")

    assert [(1, "village.turn"), (2, "village.turn"), (0, "village.turn")] == seen
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-039")
def test_turns_stop_when_the_board_is_empty():
    state = position(3, turn=1, board={"travel": ["orange"] * 2})

    state = after(state, "1: take orange travel", "2: take orange travel")

    assert (-1, "village.piece") == owed(state)
