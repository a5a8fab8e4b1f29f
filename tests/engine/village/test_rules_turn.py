"""Rules V-040 to V-053: what a turn is made of."""

import pytest

from engine.village.state import SPACES
from tests.engine.village.positions import (
    CUBES,
    board_of,
    draw_all,
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
    ELSEWHERE,
    RICH,
    acting,
    after,
    change,
    crowded,
    starting,
    step_of,
    supply_change,
    toll,
    verbs,
)

READY = {"farmyard": [1, 1, 2], "office": [1], "ford": [1], "stage-1": [2]}
"""A family that can do any action, if it can pay."""


def able(**values):
    """A position in which seat 0 can do and pay any action."""
    things = {0: RICH | {"grain": 4, "coin": 2, "scroll": 1}}
    return position(family={0: READY}, things=things, stalls=["wagon"], **values)


@pytest.mark.rule("V-040")
def test_a_turn_opens_with_one_cube_or_the_well():
    state = position(board={"harvest": ["pink", "pink"], "church": ["plague"]}, things={0: {"pink": 3}})

    assert ["take pink harvest", "take plague church", "well pink pink pink"] == sorted(texts(state))
    taken = after(state, "0: take pink harvest")
    assert {"harvest": ["pink"], "church": ["plague"]} == board_of(taken)
    assert "turn.not-asked" == refusal(taken, "0: take pink harvest")[0]
    assert "turn.not-asked" == refusal(taken, "0: well pink pink pink")[0]


@pytest.mark.rule("V-041")
@pytest.mark.parametrize("text", ["pass", "skip", "forgo", "act church"])
def test_a_turn_cannot_be_passed_while_a_cube_is_left(text):
    state = position(board={"church": ["plague"]}, things={0: {"pink": 3}})

    assert refusal(state, f"0: {text}")
    assert text not in texts(state)


@pytest.mark.rule("V-042")
@pytest.mark.parametrize("colour", ["green", "plague"])
def test_any_cube_of_any_space_may_be_taken(colour):
    state = position(board={"council": ["green", "plague"], "church": ["pink"]})

    assert {"take green council", "take plague council", "take pink church"} == set(texts(state))
    left = {"green": "plague", "plague": "green"}[colour]
    assert {"council": [left], "church": ["pink"]} == board_of(after(state, f"0: take {colour} council"))


@pytest.mark.rule("V-042")
def test_a_colour_that_does_not_lie_there_cannot_be_taken():
    state = position(board={"council": ["green"]})

    assert "take.no-cube" == refusal(state, "0: take pink council")[0]


@pytest.mark.rule("V-043")
@pytest.mark.parametrize("colour", CUBES)
def test_a_space_with_no_cube_cannot_be_chosen(colour):
    state = able(board={"harvest": ["orange"]})

    assert "take.no-cubes" == refusal(state, f"0: take {colour} council")[0]
    assert ["take orange harvest"] == starting(state, "take")
    assert "act council" in texts(after(state, "0: well pink pink pink"))


@pytest.mark.rule("V-044")
def test_an_influence_cube_goes_to_the_farmyard():
    state = position(board={"travel": ["green"], "church": ELSEWHERE}, things={0: {"green": 1}})

    state = after(state, "0: take green travel")

    assert {"green": 2} == things_of(state, 0)


@pytest.mark.rule("V-045")
def test_a_plague_cube_goes_back_to_the_supply_and_costs_two_time():
    state = position(board={"travel": ["plague"], "church": ELSEWHERE}, step={0: 3})

    taken = after(state, "0: take plague travel")

    assert 5 == step_of(taken)
    assert {"plague": 1} == supply_change(state, taken)
    assert {} == things_of(taken, 0)


@pytest.mark.rule("V-045")
def test_a_plague_cube_goes_back_before_the_action():
    state = position(board={"harvest": ["plague"], "church": ELSEWHERE}, step={0: 3})

    taken = after(state, "0: take plague harvest")

    assert (0, "village.harvest") == owed(taken)
    assert 5 == step_of(taken)
    assert 6 == supply_of(taken)["plague"]


@pytest.mark.rule("V-046")
@pytest.mark.parametrize("colour", ["plague", "green"])
def test_the_action_may_follow_a_cube_of_either_kind(colour):
    state = position(board={"harvest": [colour], "church": ELSEWHERE})

    state = after(state, f"0: take {colour} harvest", "0: harvest")

    assert 2 == things_of(state, 0)["grain"]


@pytest.mark.rule("V-047")
@pytest.mark.parametrize("space", [space for space in SPACES if space != "market"])
def test_the_action_of_the_space_may_be_left_undone(space):
    state = after(able(), f"0: take orange {space}")

    assert (0, f"village.{space}") == owed(state)
    assert "skip" in texts(state)
    assert len(texts(state)) > 1
    skipped, events = play(state, "0: skip")
    assert ("village.skipped", {"seat": 0, "action": space}) in told(events)
    assert {} == change(state, skipped)
    assert (1, "village.turn") == owed(skipped)


@pytest.mark.rule("V-048")
def test_the_market_day_is_held_when_its_cube_is_taken():
    state = able()

    held, events = play(state, "0: take orange market")

    assert ("village.market", {"day": 1, "seat": 0}) in told(events)
    assert (0, "village.market") == owed(held)
    assert "turn.not-asked" == refusal(held, "0: skip")[0]
    assert 1 == held.days


@pytest.mark.rule("V-049")
@pytest.mark.parametrize(
    ("space", "expected"),
    [
        ("harvest", {"harvest", "skip"}),
        ("family", {"birth", "home", "skip"}),
        ("crafts", {"train", "make", "buy", "mill", "skip"}),
        ("travel", {"depart", "travel", "skip"}),
        ("council", {"enter", "advance", "use", "skip"}),
        ("church", {"pray", "skip"}),
        ("market", {"sell", "pass"}),
    ],
)
def test_a_cube_brings_the_action_of_its_own_space_alone(space, expected):
    state = after(able(), f"0: take orange {space}")

    assert expected == verbs(state)


@pytest.mark.rule("V-049")
def test_after_one_action_the_turn_is_over():
    state = acting("harvest")

    state = after(state, "0: harvest")

    assert (1, "village.turn") == owed(state)
    assert "turn.not-owed" == refusal(state, "0: harvest")[0]


@pytest.mark.rule("V-050")
def test_the_cube_just_taken_helps_to_pay():
    state = position(board={"council": ["green"], "church": ELSEWHERE}, things={0: {"green": 1}})

    state = after(state, "0: take green council", "0: enter 1 green green")

    assert {} == things_of(state, 0)
    assert [1] == numbers_at(state, 0, "stage-1")


@pytest.mark.rule("V-051")
@pytest.mark.parametrize(
    ("space", "text"),
    [
        ("council", "enter 1 green green"),
        ("council", "enter 1 scroll"),
        ("crafts", "buy wagon pink orange"),
        ("crafts", "buy horse"),
        ("crafts", "mill"),
        ("travel", f"depart ford 1 {toll('village', 'ford')}"),
        ("church", "pray 1 brown"),
    ],
)
def test_an_action_that_cannot_be_paid_in_full_cannot_be_chosen(space, text):
    things = {0: {"green": 1, "pink": 1, "grain": 1}}
    family = {0: {"farmyard": [1], "stage-1": [1], "office": [1]}}
    state = position(things=things, family=family, board={space: ["plague"], "harvest": ELSEWHERE})

    state = after(state, f"0: take plague {space}")

    assert refusal(state, f"0: {text}")[0] in ("price.short", "turn.not-owed")
    assert text not in texts(state)
    assert things_of(state, 0) == {"green": 1, "pink": 1, "grain": 1}


@pytest.mark.rule("V-051")
def test_cubes_just_paid_may_be_taken_back_at_once():
    things = {0: {"green": 16}, 1: {"green": 2}}
    state = acting("council", family={0: {"stage-1": [1]}}, things=things)

    state = after(state, "0: advance 1 1 green green", "0: use 2", "0: choose green green")

    assert 16 == things_of(state, 0)["green"]
    assert [1] == numbers_at(state, 0, "stage-2")


@pytest.mark.rule("V-051")
def test_a_scroll_just_paid_may_be_taken_back_at_once():
    things = {0: {"scroll": 8}}
    state = acting("council", family={0: {"stage-2": [1]}}, things=things)

    state = after(state, "0: advance 2 1 scroll", "0: use 3", "0: pick scroll")

    assert 8 == things_of(state, 0)["scroll"]


@pytest.mark.rule("V-052")
@pytest.mark.parametrize(
    ("space", "text", "paid"),
    [
        ("crafts", "buy wagon pink orange", {"pink": 1, "orange": 1}),
        ("crafts", "buy wagon pink coin", {"pink": 1, "coin": 1}),
        ("crafts", "buy ox", {"grain": 3}),
        ("church", "pray 1 brown", {"brown": 1}),
        ("travel", "depart ford 1 brown brown", {"brown": 2, "wagon": 1}),
        ("council", "enter 1 scroll", {"scroll": 1}),
    ],
)
def test_what_is_paid_goes_to_the_supply(space, text, paid):
    state = after(able(bag={"green": 1}), f"0: take orange {space}")

    done = after(state, f"0: {text}")

    assert paid == {thing: n for thing, n in supply_change(state, done).items() if n > 0}
    assert board_of(state) == board_of(done)
    assert state.green_bag == done.green_bag


@pytest.mark.rule("V-053")
def test_a_turn_closes_with_the_death_and_then_the_end_of_the_round():
    family = {0: {"farmyard": [1], "window-1": [1]}}
    state = position(board={"harvest": ["plague"]}, family=family, step={0: 9})

    acted = after(state, "0: take plague harvest", "0: harvest")

    assert 2 == things_of(acted, 0)["grain"]
    assert (0, "village.death") == owed(acted)
    died = after(acted, "0: bury window-1")
    assert (-1, "village.piece") == owed(died)


@pytest.mark.rule("V-053")
def test_a_turn_closes_with_the_death_and_then_the_end_of_the_game():
    family = crowded(2, {"farmyard": 0, "graves": 1}, {0: {"farmyard": [1, 1]}})
    state = position(board={"harvest": ["plague"]}, family=family, step={0: 9})

    state, events = play(state, "0: take plague harvest", "0: harvest")

    told_keys = [key for key, _ in told(events)]
    order = [told_keys.index(key) for key in ("village.harvested", "village.buried", "village.triggered")]
    assert sorted(order) == order
    assert (1, "village.turn") == owed(state)
    assert "village.mass" not in told_keys
    assert () == owed(draw_all(after(state, "1: forgo"))[0])
