"""Rules T-256 to T-261: what an empty square is, where there are villagers."""

import random

import pytest

from engine.tiny_towns import RULESET
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import NUMBER, SQUARES
from engine.tiny_towns.moves import Done, Lodge, Move
from tests.engine.tiny_towns.positions import (
    after,
    drawn,
    owed,
    points,
    position,
    refusal,
    squares_for,
    start,
    texts,
    total,
)

HELPER_PAIRS = [
    (cheap, dear) for cheap in ("cut-corners", "forage", "scrap") for dear in ("innovate", "renovate", "cooperate")
]


def playout(seed, seats=3, **options):
    """The steps of a random game: the position before, who, the move, the position after. It constructs if it can."""
    rng = random.Random(seed)
    state = start(seats, **options)
    while RULESET.pending(state):
        seat = rng.choice(RULESET.pending(state)).seat
        moves = list(RULESET.legal(state, seat))
        move = rng.choice([one for one in moves if not isinstance(one, Done)] or moves)
        done = RULESET.apply(state, seat, move).state
        yield state, seat, move, done
        state = done


@pytest.mark.rule("T-256")
def test_the_cube_may_go_to_a_villager():
    state = position(".*...", "....", lodge=False)

    state = after(state, "0: place a1")

    assert "w*..." == drawn(state)
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-256")
@pytest.mark.parametrize("square", SQUARES)
def test_every_square_with_a_villager_only_takes_the_cube(square):
    row = ["."] * 16
    row[NUMBER[square]] = ".*"
    drawing = "/".join("".join(row[at : at + 4]) for at in (0, 4, 8, 12))

    assert [*SQUARES] == squares_for(position(drawing), "place")


@pytest.mark.rule("T-256")
def test_cube_and_villager_stay_together_until_all_are_done():
    state = position(".*...", "bbg.", lodge=False)

    state = after(state, "0: place a1", "1: place d4")

    assert "w*..." == drawn(state)
    assert ["1 towns.build"] == owed(state)
    state = after(state, "1: done")
    assert "w*..." == drawn(state)
    assert ["0 towns.villagers"] == owed(state)


@pytest.mark.rule("T-257")
@pytest.mark.parametrize("worker", ["*", ""])
@pytest.mark.parametrize("building", "CRAOEYKM")
def test_a_building_takes_no_cube_whether_someone_works_there_or_not(building, worker):
    state = position(f"..../.{building}{worker}..", hand="obelisk", villagers=True)

    assert "square.building" == refusal(state, "0: place b2")
    assert [one for one in SQUARES if one != "b2"] == squares_for(state, "place")


@pytest.mark.rule("T-257")
def test_nor_does_a_building_on_which_a_villager_only_stands():
    state = position("E*...", values={0: {"idle": "a1"}})

    assert "square.building" == refusal(state, "0: place a1")


@pytest.mark.rule("T-258")
def test_a_villager_is_moved_on_no_cube_building_or_villager():
    state = position("..g./.*w*C./.b..", lodge=False)
    state = after(state, "0: place d4", "1: place a1")
    crowded = position(".g../.*w*C./.b..", lodge=False)
    crowded = after(crowded, "0: place d4", "1: place a1")

    assert ["move b2 b1"] == texts(state)
    assert "villager.square" == refusal(state, "0: move b2 c2")
    assert "villager.square" == refusal(state, "0: move b2 a2")
    assert "villager.square" == refusal(state, "0: move b2 b3")
    assert ".g../.*wC./.b../...w" == drawn(crowded)
    assert 1 == crowded.town(0).lodge


@pytest.mark.rule("T-258")
@pytest.mark.parametrize("square", ["a1", "b1", "c1", "d1", "d4"])
def test_a_villager_is_put_on_no_cube_building_or_villager(square):
    state = position("gC.*E*", values={0: {"lodge": 1}}, lodge=False)
    state = after(state, "0: place d4", "0: done", "1: place a1")

    assert ["0 towns.lodge"] == owed(state)
    assert "lodge.square" == refusal(state, f"0: lodge {square}")


@pytest.mark.rule("T-258", "T-259")
@pytest.mark.parametrize("pair", HELPER_PAIRS, ids="+".join)
def test_in_no_game_two_villagers_meet_and_none_comes_on_a_cube_or_a_building(pair):
    came = 0
    for seed in range(4):
        for state, seat, move, done in playout(seed, cheap=pair[0], dear=pair[1]):
            if isinstance(move, Move | Lodge):
                came += 1
                town, at = state.town(seat), NUMBER[move.square]
                assert not town.cubes[at]
                assert not town.buildings[at]
                assert at not in town.villagers + town.workers
            for player in done.players:
                places = player.town.villagers + player.town.workers
                assert len(set(places)) == len(places)
    assert came > 50


@pytest.mark.rule("T-260")
def test_the_piece_of_the_university_may_go_to_a_villager():
    state = position(".b.*./sgs.", hand="university", lodge=False)
    state = after(state, "0: place d4", "0: build university b2")

    assert [one for one in SQUARES if one not in ("b2", "d4")] == squares_for(state, "add tavern")
    state = after(state, "0: add tavern c1")
    assert "..E*./.M../..../...w" == drawn(state)


@pytest.mark.rule("T-260")
@pytest.mark.parametrize("resource", RESOURCES)
def test_a_foraged_cube_may_go_to_a_villager(resource):
    state = position("C*..*.", lodge=False)
    state = after(state, "0: place d4", "0: activate forage a1")

    assert [one for one in SQUARES if one not in ("a1", "d4")] == squares_for(state, f"add {resource}")
    after(state, f"0: add {resource} c1")


@pytest.mark.rule("T-260")
def test_the_piece_of_the_watch_may_go_to_a_villager():
    stock = {0: {"stock": ("cottage", "well", "tavern")}}
    state = position("M.*..", "bbg.", hand="watch", values=stock, lodge=False)
    state = after(state, "0: place d4", "1: place a2", "1: build tavern a1")

    state = after(state, "0: settle b1")

    assert "ME*../..../..../...w" == drawn(state)


@pytest.mark.rule("T-260")
def test_the_cube_of_the_forge_may_go_to_a_villager():
    state = position("bb../sws*.", cards="forge", lodge=False)
    state = after(state, "0: place d4", "0: build forge a2")

    assert [one for one in SQUARES if one not in ("a2", "d4")] == squares_for(state, "add glass")
    assert "..../K.g*./..../...w" == drawn(after(state, "0: add glass c2"))


@pytest.mark.rule("T-260")
def test_a_shed_may_go_to_a_villager():
    state = position("ws.*.", cards="shed", lodge=False)

    state = after(state, "0: place d4", "0: build shed c1")

    assert "..A*./..../..../...w" == drawn(state)


@pytest.mark.rule("T-261")
@pytest.mark.parametrize(
    ("drawing", "empty"),
    [(".*.*../.*...", -16), ("w*...", -16), ("C.*..", -15), ("C*...", -15), ("CCCC/CCCC/CCCC/CCC.*", -1)],
)
def test_a_villager_alone_leaves_its_square_empty_for_scoring(drawing, empty):
    assert empty == points(position(drawing), "empty")


@pytest.mark.rule("T-261")
def test_with_the_cathedral_a_villagers_square_costs_nothing():
    state = position("MCw.*/R...", hand="cathedral")

    assert 0 == points(state, "empty")
    assert 2 + 3 == total(state)
