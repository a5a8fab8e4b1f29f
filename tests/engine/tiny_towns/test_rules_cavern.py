"""Rules T-360 to T-364: the cavern."""

import pytest

from engine.tiny_towns import RULESET
from tests.engine.tiny_towns.games import game, rounds_on
from tests.engine.tiny_towns.positions import (
    after,
    draw_all,
    drawn,
    owed,
    play,
    position,
    refusal,
    texts,
    told,
    total,
)


@pytest.mark.rule("T-360")
def test_a_cube_named_by_another_may_be_set_aside_twice():
    state = position("w...", namer=1, cavern=True)
    assert ["place b1", "cavern"] == [texts(state)[0], texts(state)[-1]]

    for used, square in ((1, "d4"), (2, "c4")):
        state, events = play(state, "0: cavern")
        assert ("towns.aside", {"seat": 0, "resource": "wood", "left": 2 - used}) in told(events)
        assert used == state.players[0].cavern == RULESET.view(state, 1).towns[0].aside
        assert drawn(state).startswith("w...")
        state = rounds_on(after(rounds_on(state), f"0: place {square}"))  # the own naming lies between
        assert 1 == state.namer

    assert "cavern" not in texts(state)
    assert "cavern.used" == refusal(state, "0: cavern")


@pytest.mark.rule("T-360")
def test_each_player_has_the_own_two():
    state = position("....", "....", "....", namer=2, cavern=True, aside={0: 2, 1: 1})

    assert [False, True] == ["cavern" in texts(state, seat) for seat in (0, 1)]
    state = after(state, "1: cavern")
    assert [2, 2, 0] == [player.cavern for player in state.players]


@pytest.mark.rule("T-360")
@pytest.mark.parametrize("drawing", ["....", "C*..."])
def test_without_the_option_nothing_is_set_aside(drawing):
    state = position(drawing, namer=1)

    assert "cavern" not in texts(state)
    assert "cavern.off" == refusal(state, "0: cavern")
    assert 0 == RULESET.view(state, 0).cavern


@pytest.mark.rule("T-360", "T-362")
@pytest.mark.parametrize("seed", range(5))
def test_in_whole_games_nobody_sets_aside_more_than_two_and_none_return(seed):
    last = {}
    for record in game(2 + seed % 3, seed, cavern="yes"):
        state = record.position.state
        for seat, player in enumerate(state.players):
            used = player.cavern
            assert last.get(seat, 0) <= used <= 2
            assert used - last.get(seat, 0) == (record.entry.seat == seat and record.entry.text == "cavern")
            last[seat] = used

    assert any(last.values())


@pytest.mark.rule("T-361")
def test_the_own_naming_cannot_be_set_aside():
    state = position("....", "....", namer=0, cavern=True)

    assert "answer.own" == refusal(state, "0: cavern")
    assert "cavern" not in texts(state, 0)
    assert "cavern" in texts(state, 1)


@pytest.mark.rule("T-362")
@pytest.mark.parametrize("drawing", ["....", "CRAO", "wwww/CC.."])
@pytest.mark.parametrize("used", [1, 2])
def test_cubes_set_aside_are_worth_nothing_and_cost_nothing(drawing, used):
    without = position(drawing, namer=1, cavern=True)
    state = position(drawing, namer=1, cavern=True, aside={0: used})

    assert RULESET.standings(without) == RULESET.standings(state)
    assert total(state) == total(after(position(drawing, namer=1, cavern=True), "0: cavern"))


@pytest.mark.rule("T-362")
def test_a_cube_set_aside_serves_no_construction():
    state = after(position("bb../..../ws..", namer=1, resource="glass", cavern=True, hand="castle"), "0: cavern")

    assert "build.layout" == refusal(state, "0: build tavern a1")


@pytest.mark.rule("T-363")
def test_who_sets_the_cube_aside_may_construct():
    state = position("bbg.", namer=1, cavern=True)
    assert "turn.not-asked" == refusal(state, "0: build tavern a1")

    state = after(state, "0: cavern", "0: build tavern a1")

    assert "E..." == drawn(state)
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-364")
def test_it_is_usable_on_drawn_cards_in_town_hall_by_all():
    state = position("....", "....", "....", town_hall=True, namer=-1, cavern=True)

    assert [True] * 3 == ["cavern" in texts(state, seat) for seat in range(3)]
    state = after(state, "0: cavern", "1: cavern", "2: cavern")
    assert [1, 1, 1] == [player.cavern for player in state.players]


@pytest.mark.rule("T-364")
def test_it_is_not_usable_in_third_rounds_of_town_hall():
    state = position("....", town_hall=True, namer=-1, cavern=True, round=6, resource="")
    assert "turn.not-asked" == refusal(state, "0: cavern")

    state = after(state, "0: take wood")

    assert "cavern" not in texts(state)
    assert "answer.free" == refusal(state, "0: cavern")


@pytest.mark.rule("T-364")
def test_it_is_usable_on_the_chosen_card_in_solo():
    state = after(position("....", solo=True, cavern=True), "0: take brick")

    state = draw_all(after(state, "0: cavern"))

    assert ("....", 1) == (drawn(state), state.players[0].cavern)
    assert (["0 towns.take"], 6) == (owed(state), state.round)
    assert ("brick",) == state.under
