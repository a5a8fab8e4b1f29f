"""Rules T-327 to T-331: Renovate."""

import pytest

from engine.tiny_towns.components import BUILDINGS
from engine.tiny_towns.layouts import SQUARES
from tests.engine.tiny_towns.positions import (
    FIRST_GAME,
    after,
    drawn,
    owed,
    play,
    position,
    refusal,
    squares_for,
    texts,
    told,
)

WORKERS = "C*C*C*."


def renovating(drawing, pay="a4 b4", **values):
    """A position in which seat 0, with three workers in the last row, has paid for Renovate; its wood is on d4."""
    rows = (drawing.split("/") + ["...."] * 3)[:3]
    state = position("/".join((*rows, WORKERS)), helpers=("forage", "renovate"), lodge=False, **values)
    return after(state, "0: place d4", f"0: activate renovate {pay}")


def workers(state):
    """The names of the squares where villagers of seat 0 work."""
    return [SQUARES[at] for at in state.town(0).workers]


@pytest.mark.rule("T-327")
def test_any_own_building_but_no_monument_becomes_any_other_open_card():
    state = renovating("RM.E", hand="palace")

    listed = [text.split()[1:] for text in texts(state)]
    expected = [
        [square, card]
        for square, old in (("a1", "farm"), ("d1", "tavern"), ("a4", "cottage"), ("b4", "cottage"), ("c4", "cottage"))
        for card in FIRST_GAME
        if card != old
    ]
    assert expected == listed


@pytest.mark.rule("T-327")
@pytest.mark.parametrize("card", [name for name in FIRST_GAME if name != "farm"])
def test_the_new_building_stands_on_the_same_square(card):
    state, events = play(renovating("R.b."), f"0: replace a1 {card}")

    assert card == state.town(0).buildings[0]
    assert ".b./..../..../CCC*w" == drawn(state)[1:]
    assert ("towns.replaced", {"seat": 0, "square": "a1", "old": "farm", "card": card}) == told(events)[0]


@pytest.mark.rule("T-327")
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("replace b1 tavern", "replace.monument"),
        ("replace c1 tavern", "replace.nothing"),
        ("replace d1 tavern", "replace.nothing"),
        ("replace a1 farm", "replace.same"),
        ("done", "turn.not-asked"),
        ("skip", "turn.not-asked"),
    ],
)
def test_what_is_no_building_is_not_renovated(line, reason):
    assert reason == refusal(renovating("RMb.", hand="palace"), f"0: {line}")


@pytest.mark.rule("T-327")
@pytest.mark.parametrize("card", [name for name in BUILDINGS if name not in FIRST_GAME])
def test_a_card_that_is_not_open_takes_no_place(card):
    assert "card.not-open" == refusal(renovating("R..."), f"0: replace a1 {card}")


@pytest.mark.rule("T-327")
def test_the_building_of_another_town_is_out_of_reach():
    state = position(WORKERS, "RE..", helpers=("renovate",), lodge=False)

    state = after(state, "0: place d4", "0: activate renovate a1 b1")

    assert "replace.nothing" == refusal(state, "0: replace a2 tavern")
    assert {"a1", "b1", "c1"} == {text.split()[1] for text in texts(state)}


@pytest.mark.rule("T-327")
def test_one_building_is_renovated_for_one_payment():
    state = after(renovating("RE.."), "0: replace a1 tavern")

    assert ["0 towns.build", "1 towns.place"] == owed(state)
    assert "turn.not-asked" == refusal(state, "0: replace b1 farm")


@pytest.mark.rule("T-328")
def test_who_works_there_goes_on_working_in_the_new_building():
    state = after(renovating("...."), "0: replace c4 tavern")

    assert "..../..../..../CCE*w" == drawn(state)
    assert ["c4"] == workers(state)
    assert 2 == state.town(0).lodge
    assert ["c4"] == squares_for(state, "activate forage")
    state = after(state, "0: activate forage c4")
    assert 3 == state.town(0).lodge


@pytest.mark.rule("T-329")
@pytest.mark.parametrize("square", ["a4", "b4"])
def test_who_works_there_and_pays_is_in_the_lodge(square):
    state, events = play(renovating("...."), f"0: replace {square} tavern")

    assert ["c4"] == workers(state)
    assert 2 == state.town(0).lodge
    assert () == state.town(0).villagers
    assert "towns.works" not in [key for key, _ in told(events)]


@pytest.mark.rule("T-330")
@pytest.mark.parametrize("card", ["bank", "factory"])
def test_the_new_piece_takes_its_marker(card):
    state = after(renovating("R...", cards=card), f"0: replace a1 {card}")

    assert ["0 towns.mark", "1 towns.place"] == owed(state)
    assert ["mark wood", "mark wheat", "mark brick", "mark glass", "mark stone"] == texts(state)
    assert ("glass",) == after(state, "0: mark glass").town(0).held[0]


@pytest.mark.rule("T-330")
def test_the_marker_of_a_bank_is_free_again():
    values = {0: {"held": {"a1": "wood", "b1": "wheat"}}}
    state = after(renovating("KKR.", cards="bank", values=values), "0: replace a1 tavern")

    assert () == state.town(0).held[0]
    state = renovating("EKR.", cards="bank", values={0: {"held": {"b1": "wheat"}}})
    state = after(state, "0: replace c1 bank")
    assert ["mark wood", "mark brick", "mark glass", "mark stone"] == texts(state)


@pytest.mark.rule("T-330")
def test_cubes_of_a_warehouse_return_to_the_supply():
    values = {0: {"held": {"a1": "wood wheat glass"}}}
    state = after(renovating("K...", cards="warehouse", values=values), "0: replace a1 tavern")

    assert ((),) * 16 == state.town(0).held
    assert "wood" not in state.town(0).cubes[:15]


@pytest.mark.rule("T-330")
def test_the_cube_of_a_cottage_does_not_go_over_to_the_new_warehouse():
    values = {0: {"held": {"a4": "wood"}}}
    state = after(renovating(".M..", hand="statue", cards="warehouse", values=values), "0: replace a4 warehouse")

    assert () == state.town(0).held[12]
    assert "warehouse" == state.town(0).buildings[12]


@pytest.mark.rule("T-330")
def test_no_sixth_bank_comes_by_renovating():
    held = {
        0: {
            "held": dict(zip(("a1", "b1", "c1", "d1", "a2"), ("wood", "wheat", "brick", "glass", "stone"), strict=True))
        }
    }
    state = renovating("KKKK/KR..", cards="bank", values=held)

    assert "bank.limit" == refusal(state, "0: replace b2 bank")
    assert [] == [text for text in texts(state) if text.endswith(" bank")]


@pytest.mark.rule("T-331")
def test_it_employs_nobody():
    state = renovating("E*...", values={0: {"idle": "a1"}})

    state, events = play(state, "0: replace a1 farm")

    assert "towns.works" not in [key for key, _ in told(events)]
    assert ["c4"] == workers(state)
    assert (0,) == state.town(0).villagers
    state = after(state, "0: done", "1: place a1")
    assert ["move a1 b1", "move a1 a2"] == texts(state)


@pytest.mark.rule("T-331")
def test_it_triggers_no_watch():
    stock = {1: {"stock": ("cottage", "well", "tavern")}}
    state = position(WORKERS + "/R...", "M...", helpers=("renovate",), hand={1: "watch"}, values=stock, lodge=False)
    state = after(state, "0: place d4", "0: activate renovate a1 b1", "0: replace a2 tavern", "1: place a2")

    assert "1 towns.watch" not in owed(state)
    assert ("cottage", "well", "tavern") == state.town(1).stock


@pytest.mark.rule("T-331")
def test_a_construction_of_the_same_card_does_trigger_it():
    stock = {1: {"stock": ("cottage", "well", "tavern")}}
    state = position("bbg.", "M...", hand={1: "watch"}, values=stock, villagers=True, lodge=False)

    state = after(state, "0: place d4", "0: build tavern a1", "1: place a2")

    assert ["1 towns.watch"] == owed(state)


@pytest.mark.rule("T-331")
@pytest.mark.parametrize("hand", ["palace", "obelisk"])
def test_a_shed_stays_on_the_square_even_after_an_obelisk(hand):
    state = after(renovating("RM..", hand=hand, cards="shed"), "0: replace a1 shed")

    assert "AM../..../..../CCC*w" == drawn(state)
    assert "1 towns.place" == owed(state)[-1]


@pytest.mark.rule("T-331")
def test_a_new_trading_post_is_wild_from_the_next_round_on():
    state = renovating("bRg.", cards="trading-post")
    state = after(state, "0: replace b1 trading-post")

    assert "build.layout" == refusal(state, "0: build tavern a1")
    state = after(state, "0: done", "1: place a1")
    while "towns.lodge" in owed(state)[0]:
        state = after(state, f"0: {texts(state)[-1]}")
    state = after(state, "1: name wood", "0: place a2")
    assert ["a1", "c1"] == squares_for(state, "build tavern")


@pytest.mark.rule("T-331")
def test_an_old_trading_post_no_longer_serves():
    state = after(renovating("bKg.", cards="trading-post"), "0: replace b1 farm")

    assert "build.layout" == refusal(state, "0: build tavern a1")
