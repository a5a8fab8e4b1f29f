"""Rules V-171 to V-178: the well."""

import pytest

from engine.village.state import SPACES
from tests.engine.village.positions import (
    COMPONENTS,
    board_of,
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
from tests.engine.village.ruling import RICH, after, change, crowded, starting, step_of, supply_change

READY = {"farmyard": [1, 1, 2], "office": [1], "ford": [1], "stage-1": [2]}
PINK = "0: well pink pink pink"


@pytest.mark.rule("V-171")
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("colour", ["brown", "pink", "orange", "green"])
def test_three_cubes_of_one_colour_buy_any_one_action(space, colour):
    things = {0: dict.fromkeys(("brown", "pink", "orange", "green"), 5) | {"wagon": 1}}
    state = position(things=things, family={0: READY}, stalls=["wagon"])

    paid = after(state, f"0: well {colour} {colour} {colour}")

    assert 3 == COMPONENTS.turn.well_cubes
    assert {colour: -3} == change(state, paid)
    assert {colour: 3} == supply_change(state, paid)
    assert (0, f"village.{space}") == owed(after(paid, f"0: act {space}"))


@pytest.mark.rule("V-171")
@pytest.mark.parametrize("lines", [["skip"], ["act harvest", "skip"]])
def test_who_leaves_the_action_undone_has_still_paid(lines):
    state = position(things={0: {"pink": 4}})

    done = after(state, PINK, *(f"0: {line}" for line in lines))

    assert {"pink": -3} == change(state, done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-171")
def test_the_well_brings_one_action():
    state = position(things={0: {"pink": 3}})

    done = after(state, PINK, "0: act harvest", "0: harvest")

    assert {"grain": 2} == things_of(done, 0)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-172")
def test_a_turn_at_the_well_takes_no_cube():
    board = {space: ["orange"] * number for space, number in zip(SPACES, COMPONENTS.board.cards[0], strict=True)}
    board["crafts"] = ["plague"] * 4
    state = position(board=board, things={0: {"pink": 3}})

    done = after(state, PINK, "0: act harvest", "0: harvest")

    assert 18 == state.cubes_left == done.cubes_left
    assert board_of(state) == board_of(done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-173")
def test_plague_cubes_never_pay_the_well_and_nobody_holds_one():
    state = position(board={"travel": ["plague"] * 4, "church": ["plague"]}, things={0: {"pink": 2}})

    for seat in (0, 1, 0):
        state = after(state, f"{seat}: take plague travel")

    assert {"pink": 2} == things_of(state, 0)
    assert 4 == supply_of(state)["plague"]
    own = after(state, "1: take plague travel")
    assert [] == starting(own, "well")


@pytest.mark.rule("V-174")
def test_the_well_is_open_only_while_a_cube_lies_on_the_board():
    free = position(board={}, trigger=1, final=True, things={0: {"pink": 3}})
    last = position(board={"church": ["plague"]}, things={0: {"pink": 3}})

    assert "well.emptied" == refusal(free, PINK)[0]
    assert [] == starting(free, "well")
    assert ["well pink pink pink"] == starting(last, "well")


@pytest.mark.rule("V-175")
def test_the_action_may_belong_to_a_space_without_cubes():
    state = position(board={"church": ["plague"]}, things={0: {"pink": 3}})

    done = after(state, PINK, "0: act family", "0: birth")

    assert [2] == numbers_at(done, 0, "farmyard")[4:]


@pytest.mark.rule("V-176")
def test_the_price_of_the_action_comes_on_top():
    state = position(things={0: {"pink": 4, "orange": 1}}, family={0: {"farmyard": [1]}})

    done = after(state, PINK, "0: act crafts", "0: buy wagon pink orange")

    assert {"pink": -4, "orange": -1, "wagon": 1} == change(state, done)


@pytest.mark.rule("V-176")
def test_the_cubes_of_the_well_do_not_pay_the_action_too():
    state = position(things={0: {"pink": 3, "orange": 1}}, family={0: {"farmyard": [1]}})

    state = after(state, PINK, "0: act crafts")

    assert "price.short" == refusal(state, "0: buy wagon pink orange")[0]
    assert [] == starting(state, "buy")


@pytest.mark.rule("V-177")
def test_a_market_day_begun_by_the_well_is_a_full_one_with_its_user_as_starter():
    things = {1: {"pink": 3, "wagon": 1, "plow": 1, "green": 1}, 2: {"scroll": 1, "green": 1}}
    state = position(3, turn=1, things=things, stalls=["wagon", "scroll", "plow"])

    state, events = play(state, "1: well pink pink pink", "1: act market")

    assert ("village.market", {"day": 1, "seat": 1}) in told(events)
    assert 1 == state.days
    state = after(state, "1: sell wagon", "2: sell scroll green", "1: sell plow green")
    assert [0, 1, 1] == [step_of(state, seat) for seat in range(3)]
    assert [(), ("wagon", "plow"), ("scroll",)] == [family.customers for family in state.families]


@pytest.mark.rule("V-178")
@pytest.mark.parametrize("pay", ["pink pink green", "brown pink green"])
def test_cubes_of_two_colours_do_not_pay_the_well(pay):
    state = position(things={0: RICH})

    assert "well.mixed" == refusal(state, f"0: well {' '.join(sorted(pay.split(), key=list(RICH).index))}")[0]
    assert all(len(set(text.split()[1:])) == 1 for text in starting(state, "well"))


@pytest.mark.rule("V-171")
@pytest.mark.parametrize("pay", ["pink pink", "pink pink pink pink", "pink"])
def test_the_well_takes_exactly_three(pay):
    state = position(things={0: {"pink": 5}})

    assert "well.count" == refusal(state, f"0: well {pay}")[0]


@pytest.mark.rule("V-171")
def test_two_cubes_of_a_colour_are_too_few_for_the_well():
    state = position(things={0: {"pink": 2, "green": 2}}, family=crowded(2, {}))

    assert "price.short" == refusal(state, PINK)[0]
    assert [] == [text for text in texts(state) if text.startswith("well")]
