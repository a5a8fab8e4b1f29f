"""Rules T-272 to T-280: villagers that must move at the end of the round."""

import random

import pytest

from engine.tiny_towns import RULESET
from engine.tiny_towns.layouts import NUMBER, SQUARES, beside
from tests.engine.tiny_towns.positions import after, drawn, owed, play, position, refusal, start, texts, told


def villagers(state, seat=0):
    """The names of the squares of the villagers of *seat* who do not work."""
    return [SQUARES[at] for at in state.town(seat).villagers]


def at_end(drawing, square="d4", **values):
    """The town of *drawing* when the round ends, the wood of the round on *square*; with it what happened then."""
    state = after(position(drawing, lodge=False, **values), f"0: place {square}")
    state = after(state, "0: done") if "0 towns.build" in owed(state) else state
    state, events = play(state, "1: place a1")
    return state, told(events)


@pytest.mark.rule("T-272")
@pytest.mark.parametrize("square", ["b1", "a2"])
def test_a_villager_on_a_cube_goes_to_an_empty_square_beside_it(square):
    state, _ = at_end("w*...")

    assert ["0 towns.villagers"] == owed(state)
    assert ["move a1 b1", "move a1 a2"] == texts(state)
    state, events = play(state, f"0: move a1 {square}")
    assert [square] == villagers(state)
    assert ("towns.moved", {"seat": 0, "origin": "a1", "square": square}) == told(events)[0]
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-272")
@pytest.mark.parametrize("square", SQUARES)
def test_from_every_square_all_squares_beside_it_are_open(square):
    at = NUMBER[square]
    rows = [["."] * 4 for _ in range(4)]
    rows[at // 4][at % 4] = "w*"
    cube = "d4" if square != "d4" and NUMBER["d4"] not in beside(at) else "a1"

    state, _ = at_end("/".join("".join(row) for row in rows), cube)

    assert [f"move {square} {SQUARES[to]}" for to in beside(at)] == texts(state)


@pytest.mark.rule("T-272")
def test_the_cube_of_the_round_drives_its_villager_away_too():
    state, _ = at_end(".*...", "a1")

    assert ["move a1 b1", "move a1 a2"] == texts(state)


@pytest.mark.rule("T-273")
@pytest.mark.parametrize("line", ["done", "skip", "lodge b1", "lodge d3"])
def test_staying_and_going_to_the_lodge_are_refused(line):
    state, _ = at_end("w*...")

    assert "turn.not-asked" == refusal(state, f"0: {line}")


@pytest.mark.rule("T-273")
@pytest.mark.parametrize("square", [one for one in SQUARES if one not in ("b1", "a2")])
def test_going_further_or_nowhere_is_refused(square):
    state, _ = at_end("w*...")

    assert "villager.square" == refusal(state, f"0: move a1 {square}")


@pytest.mark.rule("T-274")
def test_corners_do_not_count_and_another_villagers_square_is_not_empty():
    state, events = at_end("w*.*../C...")

    assert [("towns.to-lodge", {"seat": 0, "square": "a1"})] == [one for one in events if one[0] == "towns.to-lodge"]
    assert ["b1"] == villagers(state)
    assert 1 == state.town(0).lodge
    assert ["0 towns.lodge"] == owed(state)


@pytest.mark.rule("T-274")
@pytest.mark.parametrize("around", ["wh", "Ch", "wC", "CC"])
def test_a_villager_with_no_empty_square_beside_it_goes_to_the_lodge(around):
    state, _ = at_end(f"w*{around[0]}../{around[1]}...")

    assert ([], 1) == (villagers(state), state.town(0).lodge)


@pytest.mark.rule("T-275")
@pytest.mark.parametrize("drawing", [".*...", ".*.../..../.b..", "C.*../.*...", "w.*g."])
def test_a_villager_on_an_empty_square_does_not_move(drawing):
    state, events = at_end(drawing)

    assert [square for square in SQUARES if NUMBER[square] in position(drawing).town(0).villagers] == villagers(state)
    assert not [key for key, _ in events if key in ("towns.moved", "towns.to-lodge")]
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-275")
def test_nor_does_a_villager_at_work():
    state, _ = at_end("C*...")

    assert (0,) == state.town(0).workers
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-275")
def test_of_two_only_the_one_that_must_may_move():
    state, _ = at_end("w*.../.*...")

    assert ["move a1 b1"] == texts(state)
    assert "villager.stays" == refusal(state, "0: move a2 b2")
    assert "villager.none" == refusal(state, "0: move d1 c1")


@pytest.mark.rule("T-275")
def test_who_works_is_no_villager_that_could_move():
    state, _ = at_end("w*.C*.")

    assert "villager.none" == refusal(state, "0: move c1 d1")


@pytest.mark.rule("T-276")
def test_the_owner_picks_the_order_and_both_find_a_square():
    state, _ = at_end("w*.g*./C.C.")

    assert ["move a1 b1", "move c1 b1", "move c1 d1"] == texts(state)
    for lines in (("move a1 b1", "move c1 d1"), ("move c1 d1", "move a1 b1")):
        done = after(state, *(f"0: {line}" for line in lines))
        assert "w.*g.*/C.C./..../...w" == drawn(done)
        assert 0 == done.town(0).lodge


@pytest.mark.rule("T-276")
def test_the_owner_may_pick_the_order_in_which_one_goes_to_the_lodge():
    state, _ = at_end("w*.g*./C.C.")

    state, events = play(state, "0: move c1 b1")

    assert "w.*g./C.C./..../...w" == drawn(state)
    assert 1 == state.town(0).lodge
    assert ("towns.to-lodge", {"seat": 0, "square": "a1"}) == told(events)[1]


@pytest.mark.rule("T-277")
@pytest.mark.parametrize("origin", ["a1", "c1"])
def test_of_two_with_one_square_one_goes_to_the_lodge(origin):
    state, _ = at_end("w*.g*C/C.C.")

    assert ["move a1 b1", "move c1 b1"] == texts(state)
    state = after(state, f"0: move {origin} b1")
    assert (["b1"], 1) == (villagers(state), state.town(0).lodge)


@pytest.mark.rule("T-278")
def test_nobody_follows_on_the_square_that_a_villager_leaves():
    state, events = at_end("w*g*../CC..")

    assert ("towns.to-lodge", {"seat": 0, "square": "a1"}) in events
    assert ["move b1 c1"] == texts(state)
    assert "villager.none" == refusal(state, "0: move a1 b1")
    state = after(state, "0: move b1 c1")
    assert "wg.*./CC../..../...w" == drawn(state)
    assert 1 == state.town(0).lodge


@pytest.mark.rule("T-278")
def test_nor_on_a_building_that_a_villager_leaves():
    state, _ = at_end("w*E*../CC..", values={0: {"idle": "b1"}})

    state = after(state, "0: move b1 c1")

    assert (["c1"], 1) == (villagers(state), state.town(0).lodge)


@pytest.mark.rule("T-279")
@pytest.mark.parametrize("dear", ["innovate", "renovate", "cooperate"])
def test_in_no_game_a_villager_shares_a_square_with_a_cube_when_a_round_begins(dear):
    rng = random.Random(dear)
    moved = 0
    for _ in range(12):
        state = start(3, dear=dear, cheap="forage")
        while RULESET.pending(state):
            owing = rng.choice(RULESET.pending(state))
            moves = list(RULESET.legal(state, owing.seat))
            state = RULESET.apply(state, owing.seat, rng.choice(moves)).state
            moved += owing.key == "towns.villagers"
            if owing.key == "towns.villagers" and not [one for one in RULESET.pending(state) if one.key == owing.key]:
                assert not [town for town in (one.town for one in state.players) if shares(town)]
            if state.stage == "naming":
                assert not [town for town in (one.town for one in state.players) if shares(town)]
    assert moved > 100


def shares(town):
    """Whether a villager of *town* is on a cube, or on a building without working there."""
    return any(town.cubes[at] or town.buildings[at] for at in town.villagers)


@pytest.mark.rule("T-279")
def test_who_has_moved_does_not_move_again():
    state, _ = at_end("w*...")

    state = after(state, "0: move a1 b1")

    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-280")
@pytest.mark.parametrize("square", ["a1", "b1"])
def test_who_lost_its_cube_to_a_construction_does_not_move(square):
    state = after(position("bbg*.", lodge=False), "0: place d4", f"0: build tavern {square}")

    state, events = play(state, "1: place a1")

    assert ["c1"] == villagers(state)
    assert not [key for key, _ in told(events) if key in ("towns.moved", "towns.to-lodge")]
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-280")
def test_who_kept_its_cube_moves_though_others_lost_theirs():
    state = after(position("bbg*./..w*.", lodge=False), "0: place d4")

    state = after(state, "0: build tavern a1", "1: place a1")

    assert ["move c2 b2", "move c2 d2", "move c2 c3"] == texts(state)


@pytest.mark.rule("T-272", "T-276")
def test_each_owner_moves_in_the_own_town_and_nobody_waits_for_another():
    state = position("w*...", "g*...", lodge=False)

    state = after(state, "0: place d4", "1: place d4")

    assert ["0 towns.villagers", "1 towns.villagers"] == owed(state)
    one = after(state, "0: move a1 b1", "1: move a1 a2")
    assert one == after(state, "1: move a1 a2", "0: move a1 b1")
