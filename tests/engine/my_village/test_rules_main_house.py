"""Rules M-089 to M-096: the headman and the main house."""

import pytest

from engine.my_village.state import COIN, HOME, SPACES, STORIES
from tests.engine.my_village.positions import COMPONENTS, after, owed, position, refusal, texts
from tests.engine.my_village.ruling import LAP, TOTALS, faces
from tests.engine.my_village.steps import ONE_EACH, changes, every_step

HOUSE = COMPONENTS.house
SHOWN = ("market-1", "market-2")
WHEN = ["for a total", "for the house"]
STEPS = [(HOME, COIN), (COIN, HOME), (COIN, STORIES), (STORIES, COIN)]
"""Every step that there is: from where, and where to."""


def asked(when, headman, **mine):
    """
    Seat 0, its headman on a space, has two dice in hand: for the main house, or for a total.

    In a turn that began with the main house the headman has gone already where there is only one way.
    """
    mine = {"headman": headman, **mine}
    if when == "for a total":
        return position(dice="1 2", mine=mine)
    return after(position(mine=mine), "house", "dice white-1 white-2")


def stepped(when, headman, goal, **mine):
    """Before and after a step of the headman."""
    state = asked(when, headman, **mine)
    alone = when == "for the house" and headman != COIN
    return position(mine={"headman": headman, **mine}), state if alone else after(state, f"house {goal}")


def offered(state):
    """Where the headman can go."""
    return {text.split()[1] for text in texts(state) if text.startswith("house ")}


@pytest.mark.rule("M-089")
@pytest.mark.parametrize(("when", "headman"), [*(("for a total", one) for one in SPACES), ("for the house", COIN)])
@pytest.mark.parametrize("tree", [0, 2])
def test_the_headman_goes_one_step_along_his_line(when, headman, tree):
    state = asked(when, headman, tree=tree)

    possible = {goal for place, goal in STEPS if place == headman}
    assert possible == offered(state)
    for goal in set(SPACES) - possible:
        key, fields = refusal(state, f"house {goal}")
        assert ("house.step", goal, possible) == (key, fields["space"], set(fields["open"]))
    key, fields = refusal(state, "house")
    assert ("house.where", possible) == (key, set(fields["open"]))


@pytest.mark.rule("M-089")
@pytest.mark.parametrize("headman", SPACES)
def test_a_turn_that_begins_with_the_house_asks_where_to_go_if_there_are_two_ways(headman):
    state = position(mine={"headman": headman})

    for goal in SPACES:
        key, fields = refusal(state, f"house {goal}")
        assert ("house.first" if (headman, goal) in STEPS else "house.step", goal) == (key, fields["space"])
    state = after(state, "house", "dice white-1 white-2")
    asks = (0, "my.step") if headman == COIN else (1, "my.total")
    assert asks == (owed(state).seat, owed(state).key)


@pytest.mark.rule("M-089")
@pytest.mark.parametrize("total", TOTALS)
def test_one_step_a_turn(total):
    state = position(dice=faces(total), mine={"headman": COIN})

    state = after(state, "house stories")

    assert (STORIES, 1) == (state.villages[0].headman, state.turn)


@pytest.mark.rule("M-090")
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize(("headman", "goal"), STEPS)
def test_each_step_costs_the_same_hours_however_it_was_asked_for(when, headman, goal):
    before, now = stepped(when, headman, goal, hours=2, coins=3, tree=4, store=5)

    assert 2 + HOUSE.hours == now.villages[0].hours
    assert goal == now.villages[0].headman
    assert {} == changes(before, now, 1)


@pytest.mark.rule("M-091")
@pytest.mark.parametrize("when", WHEN)
def test_from_home_he_goes_to_the_coin_and_brings_it(when):
    before, now = stepped(when, HOME, COIN, tree=4, store=5, coins=1)

    assert {"headman": COIN, "coins": 1 + HOUSE.coins, "hours": HOUSE.hours} == changes(before, now)
    state = asked("for a total", HOME)
    for goal in (STORIES, HOME):
        assert ("house.step", {"space": goal, "open": (COIN,)}) == refusal(state, f"house {goal}")


@pytest.mark.rule("M-092")
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("tree", [0, 4])
def test_from_the_coin_he_may_go_on_to_the_stories(when, tree):
    before, now = stepped(when, COIN, STORIES, tree=tree, store=5, coins=1)

    assert {"headman": STORIES, "tree": tree + HOUSE.stories, "hours": HOUSE.hours} == changes(before, now)


@pytest.mark.rule("M-093")
@pytest.mark.parametrize("when", WHEN)
def test_from_the_coin_he_may_bring_all_stories_home(when):
    before, now = stepped(when, COIN, HOME, tree=7, store=5)

    assert {"headman": HOME, "tree": 0, "store": 12, "hours": HOUSE.hours} == changes(before, now)


@pytest.mark.rule("M-094")
@pytest.mark.parametrize("when", WHEN)
def test_from_the_stories_he_can_only_go_back_to_the_coin(when):
    before, now = stepped(when, STORIES, COIN, tree=4, coins=1)

    assert {COIN} == offered(asked("for a total", STORIES))
    assert {"headman": COIN, "coins": 1 + HOUSE.coins, "hours": HOUSE.hours} == changes(before, now)


@pytest.mark.rule("M-095")
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("tree", range(9))
def test_stories_go_home_together_be_there_none(when, tree):
    _, now = stepped(when, COIN, HOME, tree=tree, store=1)

    assert (0, 1 + tree) == (now.villages[0].tree, now.villages[0].store)


@pytest.mark.rule("M-096")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("headman", SPACES)
def test_nothing_in_a_turn_takes_stories_out_of_the_house(total, headman):
    """Burials and an invasion are among what can happen here; only the headman's way home changes the store."""
    mine = {
        "headman": headman,
        "store": 9,
        "tree": 6,
        "hours": LAP - 1,
        "coins": 5,
        "left": True,
        "crafts": ONE_EACH[:2],
    }
    others = {1: {"store": 4, "tree": 5}}
    state = position(
        dice=faces(total), mine=mine, others=others, rat=COMPONENTS.rat.steps[0] - 1, heap=3, display=SHOWN, pile=()
    )

    invaded = False
    for before, text, now in every_step(state):
        home = before.villages[0].tree if text == "house home" else 0
        assert before.villages[0].store + home == now.villages[0].store, text
        assert 4 == now.villages[1].store
        invaded = invaded or now.villages[1].tree < 5
    assert invaded


@pytest.mark.rule("M-096")
def test_an_invasion_leaves_the_store():
    state = position(dice="3 4", mine={"hours": LAP - 1, "tree": 6, "store": 9}, rat=COMPONENTS.rat.steps[0] - 1)

    done = after(state, "house coin", "bury abbot", "roll 1")

    assert 9 == done.villages[0].store
    assert done.villages[0].tree < 6
