"""Rules T-281 to T-286: the clean-up, and villagers in the Lodge."""

import pytest

from engine.tiny_towns.layouts import SQUARES
from tests.engine.tiny_towns.positions import after, drawn, owed, play, position, refusal, squares_for, told

NO_ROOM = "K.*bb/CCCC/CCCC/CCCC"
"""A Warehouse; no square is free of cube, building and villager, and b1 is empty but for its villager."""


def villagers(state, seat=0):
    """The names of the squares of the villagers of *seat* who do not work."""
    return [SQUARES[at] for at in state.town(seat).villagers]


def in_lodge(state, seat=0):
    """How many villagers of *seat* are in the Lodge."""
    return state.town(seat).lodge


def resting(drawing, count, square="d4", **values):
    """The clean-up of a town with *count* villagers in the Lodge, the wood of the round on *square*."""
    more = {0: {"lodge": count}}
    state = position(drawing, lodge=False, villagers=True, values=more, **values)
    state = after(state, f"0: place {square}")
    state = after(state, "0: done") if "0 towns.build" in owed(state) else state
    return after(state, "1: place a1")


@pytest.mark.rule("T-281")
def test_a_villager_of_the_lodge_comes_down_on_any_empty_square_of_the_town():
    state = resting("C.*g.", 1)

    assert ["0 towns.lodge"] == owed(state)
    free = [square for square in SQUARES if square not in ("a1", "b1", "c1", "d4")]
    assert free == squares_for(state, "lodge")
    for square in free:
        state_after, events = play(state, f"0: lodge {square}")
        assert sorted(["b1", square], key=SQUARES.index) == villagers(state_after)
        assert 0 == in_lodge(state_after)
        assert ("towns.lodged", {"seat": 0, "square": square}) == told(events)[0]


@pytest.mark.rule("T-281")
def test_each_of_several_is_put_in_its_turn():
    state = resting("....", 3)

    state = after(state, "0: lodge c3", "0: lodge a1")
    assert "c3" not in squares_for(state, "lodge")
    state = after(state, "0: lodge b2")

    assert ["a1", "b2", "c3"] == villagers(state)
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-281")
def test_the_lodge_is_left_after_the_movement():
    state = resting("w*...", 1)

    assert ["0 towns.villagers"] == owed(state)
    assert "turn.not-asked" == refusal(state, "0: lodge d3")
    state = after(state, "0: move a1 b1")
    assert ["0 towns.lodge"] == owed(state)
    assert "b1" not in squares_for(state, "lodge")


@pytest.mark.rule("T-282")
def test_as_many_as_fit_come_down():
    values = {0: {"lodge": 1}}
    state = position("C.CC/CCCC/CCCC/CCCC*", helpers=("scrap", "innovate"), values=values, lodge=False)

    state, events = play(after(state, "0: scrap d4"), "1: place a1")

    assert "C.*CC/CCCC/CCCC/CCCC" == drawn(state)
    assert 1 == in_lodge(state)
    assert [
        ("towns.lodged", {"seat": 0, "square": "b1"}),
        ("towns.waits", {"seat": 0, "count": 1}),
    ] == [one for one in told(events) if one[0] in ("towns.lodged", "towns.waits")]


@pytest.mark.rule("T-282")
@pytest.mark.parametrize(("count", "free", "left"), [(1, 1, 0), (2, 2, 0), (3, 3, 0), (3, 2, 1), (3, 1, 2), (2, 3, 0)])
def test_all_that_fit_are_put_however_many_squares_are_free(count, free, left):
    drawing = "." * (free + 1) + "C" * (15 - free)
    state = resting("/".join(drawing[at : at + 4] for at in (0, 4, 8, 12)), count, "a1")
    while "0 towns.lodge" in owed(state):
        state = after(state, f"0: lodge {squares_for(state, 'lodge')[-1]}")

    assert left == in_lodge(state)
    assert count - left == len(villagers(state))


@pytest.mark.rule("T-283")
@pytest.mark.parametrize("line", ["done", "skip", "move a1 b1"])
def test_nobody_stays_in_the_lodge_while_a_square_is_free(line):
    state = resting("....", 1)

    assert 15 == len(squares_for(state, "lodge"))
    assert "turn.not-asked" == refusal(state, f"0: {line}")


@pytest.mark.rule("T-284")
def test_who_moved_to_the_lodge_in_this_round_comes_back_in_its_clean_up():
    state = resting("w*C../C...", 0, "c3")

    assert ["0 towns.lodge"] == owed(state)
    assert "d4" in squares_for(state, "lodge")
    state = after(state, "0: lodge d4")
    assert "wC../C.../..w./....*" == drawn(state)


@pytest.mark.rule("T-284")
def test_who_paid_in_this_round_comes_back_in_its_clean_up():
    state = position("C*...", lodge=False)
    state = after(state, "0: place d4", "0: activate forage a1", "0: add brick c1", "1: place a1")

    assert ["0 towns.lodge"] == owed(state)
    assert [square for square in SQUARES if square not in ("a1", "c1", "d4")] == squares_for(state, "lodge")


@pytest.mark.rule("T-284")
def test_who_scrapped_in_this_round_comes_back_in_its_clean_up():
    state = position("C*...", helpers=("scrap", "innovate"), lodge=False)

    state = after(state, "0: scrap a1", "1: place a1")

    assert ["0 towns.lodge"] == owed(state)
    assert ["1 towns.name"] == owed(after(state, "0: lodge b1"))


@pytest.mark.rule("T-285")
def test_with_no_empty_square_they_wait_and_the_next_clean_up_tries_again():
    state = position(NO_ROOM, cards="warehouse", namer=1, values={0: {"lodge": 2}}, lodge=False)

    state, events = play(state, "0: store a1", "1: place a1")

    assert (["b1"], 2) == (villagers(state), in_lodge(state))
    assert ("towns.waits", {"seat": 0, "count": 2}) in told(events)
    state = after(state, "0: name glass", "0: place b1", "0: build tavern d1")
    state, events = play(state, "1: place b1")
    assert "K.*.*E/CCCC/CCCC/CCCC" == drawn(state)
    assert 1 == in_lodge(state)
    assert ("towns.lodged", {"seat": 0, "square": "c1"}) in told(events)


@pytest.mark.rule("T-285")
def test_they_wait_for_as_many_rounds_as_it_takes():
    drawing = "K.*bM/CCCC/CCCC/CCCC"
    values = {0: {"lodge": 2}}
    state = position(drawing, cards="warehouse", hand="fort", namer=1, values=values, lodge=False)

    for square in ("a1", "b1", "c1"):
        state, events = play(state, "0: store a1", f"1: place {square}")
        assert ("towns.waits", {"seat": 0, "count": 2}) in told(events)
        assert drawing == drawn(state)
        state = after(state, "1: name wood")


@pytest.mark.rule("T-286")
def test_the_clean_up_comes_before_the_hammer_passes_on():
    state = resting("C...", 1)

    assert ["0 towns.lodge"] == owed(state)
    assert (0, 5) == (state.builder, state.round)
    state, events = play(state, "0: lodge b1")
    assert ["towns.lodged", "towns.round"] == [key for key, _ in told(events)]
    assert (1, 6) == (state.builder, state.round)


@pytest.mark.rule("T-286")
def test_the_clean_up_comes_before_completion_is_checked():
    state = position("w*CC./CCCC/CCCC/CCCC", lodge=False)

    state, events = play(state, "0: place d1", "1: place a1")

    assert ["towns.to-lodge", "towns.waits", "towns.completed", "towns.round"] == [
        key for key, _ in told(events) if key not in ("towns.placed", "towns.done")
    ]
    assert 5 == state.players[0].completed


@pytest.mark.rule("T-286")
def test_a_town_is_not_complete_while_a_question_of_the_clean_up_is_open():
    state = position("CCCC/CCCC/CCCC/CCC.", "....", villagers=True, values={1: {"lodge": 1}}, lodge=False)

    state = after(state, "0: place d4", "1: place a1")

    assert ["1 towns.lodge"] == owed(state)
    assert 0 == state.players[0].completed
    assert 5 == after(state, "1: lodge b1").players[0].completed
