"""Rules T-227 to T-239: completion, the end and the score."""

import random

import pytest

from engine.core.errors import GrammarError
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import MONUMENTS, RESOURCES
from engine.tiny_towns.layouts import SQUARES
from engine.tiny_towns.scoring import PARTS
from tests.engine.tiny_towns.games import game, rounds_on
from tests.engine.tiny_towns.positions import (
    COMPONENTS,
    after,
    drawn,
    naming,
    owed,
    play,
    points,
    position,
    refusal,
    texts,
    told,
    total,
)

FULL = "wwww/wwww/wwww/wwww"
ALMOST = "wwww/wwww/wwww/www."
BANKS = {"held": dict(zip(SQUARES, RESOURCES, strict=False))}
"""Five Banks on the first five squares, each with its own marker."""


def random_town(luck, monument):
    """A drawing of buildings, cubes, empty squares, and perhaps the Monument."""
    signs = [luck.choice("..whbgsCCRAOEYK") for _ in SQUARES]
    if monument:
        signs[luck.randrange(16)] = "M"
    return "/".join("".join(signs[at : at + 4]) for at in range(0, 16, 4))


@pytest.mark.rule("T-227")
@pytest.mark.parametrize("drawing", [ALMOST, "CRAO/EYKC/CRAO/EYK.", "wCwC/CwCw/wCwC/CwC."])
def test_a_town_of_sixteen_cubes_or_buildings_is_complete_when_the_round_ends(drawing):
    state = after(position(drawing, "....", namer=1), "0: place d4")
    assert 0 == state.players[0].completed

    state, events = play(state, "1: place a1")

    assert (5, 0) == tuple(player.completed for player in state.players)
    assert ("towns.completed", {"seat": 0}) in told(events)
    assert ["1 towns.name"] == owed(state)
    assert (5, 0) == tuple(one.completed for one in RULESET.view(state, None).towns)


@pytest.mark.rule("T-227")
@pytest.mark.parametrize("at", range(16))
def test_one_empty_square_anywhere_keeps_a_town_in_the_game(at):
    signs = [*"w" * 16]
    signs[at] = "."
    signs[(at + 5) % 16] = "."
    drawing = "/".join("".join(signs[row : row + 4]) for row in range(0, 16, 4))

    state = after(position(drawing, "....", namer=1), f"0: place {SQUARES[(at + 5) % 16]}", "1: place a1")

    assert [0, 0] == [player.completed for player in state.players]


@pytest.mark.rule("T-228")
@pytest.mark.parametrize(("lines", "completed"), [(["done"], 5), (["build tavern a1"], 0)])
def test_a_full_grid_in_the_middle_of_the_round_is_not_complete_yet(lines, completed):
    state = after(position("bbgC/CCCC/CCCC/CCC.", namer=1), "0: place d4")
    assert ((), 0) == (state.town(0).empty, state.players[0].completed)
    assert "0 towns.build" in owed(state)

    state = after(state, *(f"0: {line}" for line in lines), "1: place a1")

    assert completed == state.players[0].completed


@pytest.mark.rule("T-229")
@pytest.mark.parametrize("seed", range(6))
def test_in_whole_games_towns_leave_full_and_only_full_towns_leave(seed):
    for record in game(2 + seed % 4, seed):
        state = record.position.state
        ends = [dict(event.fields)["seat"] for event in record.events if event.key == "towns.completed"]
        if not any(event.key in ("towns.round", "towns.over") for event in record.events):
            assert [] == ends
        elif state.stage != "over":
            assert all(not state.town(seat).empty for seat in ends)
            assert all(state.town(seat).empty for seat in state.in_game)


@pytest.mark.rule("T-229")
def test_who_can_never_construct_again_plays_on_until_the_grid_is_full():
    state = position("wwww/wwww/wwww/w...", "....", namer=1)

    for square in ("b4", "c4"):
        state = after(state, f"0: place {square}")
        assert [] == [line for line in owed(state) if line.startswith("0")]
        state = rounds_on(state)
        assert 0 == state.players[0].completed
    state = after(state, "0: place d4", f"1: {texts(state, 1)[0]}")

    assert 7 == state.players[0].completed


@pytest.mark.rule("T-229")
@pytest.mark.parametrize("text", ["resign", "stop", "pass", "finish"])
def test_there_is_no_resigning(text):
    with pytest.raises(GrammarError) as raised:
        RULESET.grammar.parse_move(text)

    assert "grammar.verb" == raised.value.key


@pytest.mark.rule("T-230")
@pytest.mark.parametrize(
    ("drawing", "values"),
    [
        ("Kwww/wwww/wwww/www.", {"cards": "warehouse"}),
        ("Kwww/wwww/wwww/www.", {"cards": "warehouse", "values": {0: {"held": {"a1": "wood wood"}}}}),
        ("CMww/wwww/wwww/www.", {"hand": "statue"}),
    ],
)
def test_room_on_a_warehouse_or_a_cottage_keeps_no_full_town_in_the_game(drawing, values):
    state = position(drawing, "....", namer=1, **values)
    assert "store a1" in texts(state)

    state = after(state, "0: place d4", "1: place a1")

    assert 5 == state.players[0].completed
    state = after(state, "1: name wood")
    assert ["1 towns.place"] == owed(state)
    assert "turn.not-owed" == refusal(state, "0: store a1")


@pytest.mark.rule("T-231")
def test_a_finished_player_does_nothing_more():
    town = "C*C*C*K/bbgw/wwww/wwww"
    state = naming(town, "....", "....", namer=2, completed={0: 3}, helpers=("scrap", "innovate"))
    before = state.players[0]

    lines = ["name wood", "place a1", "build tavern a2", "done", "activate innovate a1 b1", "scrap a1", "store d1"]
    for _ in range(5):
        assert not any(line.startswith("0 ") for line in owed(state))
        assert [] == texts(state, 0)
        assert ["turn.not-owed"] * len(lines) == [refusal(state, f"0: {line}") for line in lines]
        mover = RULESET.pending(state)[0].seat
        state = after(state, f"{mover}: {texts(state, mover)[0]}")
    assert before == state.players[0]


@pytest.mark.rule("T-231")
@pytest.mark.parametrize("seed", range(5))
def test_in_whole_games_a_finished_town_is_frozen(seed):
    frozen = {}
    for record in game(3 + seed % 3, seed, ask_late="yes"):
        state = record.position.state
        assert record.entry.seat not in frozen
        if state.stage != "over":
            for seat, player in frozen.items():
                assert player == state.players[seat]
            frozen |= {seat: player for seat, player in enumerate(state.players) if player.completed}

    assert frozen


@pytest.mark.rule("T-231")
def test_a_finished_town_still_counts_as_a_neighbours():
    still = position("EE..", "EEww/wwww/wwww/wwww", cards="feast-hall", completed={1: 3})
    less = position("EE..", "Ewww/wwww/wwww/wwww", cards="feast-hall", completed={1: 3})

    assert (4, 6) == (points(still, "green"), points(less, "green"))


@pytest.mark.rule("T-232")
def test_five_banks_alone_complete_the_town_at_once():
    state = position("KKKK/K...", "wwww/wwww/wwww/www.", cards="bank", namer=1, values={0: BANKS}, resource="glass")

    state, events = play(state, "0: place d4", "1: place d4")

    assert (5, 5) == tuple(player.completed for player in state.players)
    assert [] == owed(state)
    assert ["towns.completed", "towns.completed", "towns.over"] == [key for key, _ in told(events)][-3:]
    assert ("towns.over", {"winners": (0,)}) == told(events)[-1]


@pytest.mark.rule("T-232")
def test_five_banks_beside_fort_ironweed_complete_both_towns_at_once():
    towns = ["KKKK/K...", "M...", "wwww/wwww/wwww/www."]
    state = position(*towns, cards="bank", hand={1: "fort"}, namer=2, values={0: BANKS}, resource="glass")

    state, events = play(state, "0: place d4", "1: place d4", "2: place d4")

    assert [5, 5, 5] == [player.completed for player in state.players]
    assert [] == owed(state)
    assert "towns.over" == told(events)[-1][0]


@pytest.mark.rule("T-232")
def test_while_anybody_left_may_name_nobody_is_complete_with_room():
    towns = ["KKKK/K...", "M...", "wwww/wwww/wwww/ww.."]
    state = position(*towns, cards="bank", hand={1: "fort"}, namer=2, values={0: BANKS}, resource="glass")

    state = after(state, "0: place d4", "1: place d4", "2: place d4")

    assert [0, 0, 0] == [player.completed for player in state.players]
    assert ["2 towns.name"] == owed(state)


@pytest.mark.rule("T-232")
def test_fort_ironweed_alone_is_not_complete():
    state = position("M...", "wwww/wwww/wwww/www.", hand="fort", namer=1)

    state = after(state, "0: place d4", "1: place d4")

    assert ([0, 5], ["0 towns.name"]) == ([player.completed for player in state.players], owed(state))


@pytest.mark.rule("T-233")
def test_the_game_ends_when_every_town_is_complete():
    state = position(ALMOST, ALMOST, FULL, namer=0, completed={2: 3})
    state = after(state, "0: place d4")
    assert ["1 towns.place"] == owed(state)

    state, events = play(state, "1: place d4")

    assert ("over", True) == (state.stage, RULESET.view(state, None).over)
    assert [] == owed(state)
    assert ("towns.over", {"winners": (0, 1, 2)}) == told(events)[-1]
    assert ["turn.not-owed"] * 3 == [refusal(state, f"{seat}: name wood") for seat in range(3)]


@pytest.mark.rule("T-233")
@pytest.mark.parametrize("seats", range(2, 7))
def test_whole_games_end_with_the_last_town(seats):
    records = game(seats, seats)

    for record in records:
        state = record.position.state
        assert (state.stage == "over") == (all(player.completed for player in state.players))
    assert 1 == sum(event.key == "towns.over" for record in records for event in record.events)
    assert "over" == records[-1].position.state.stage


@pytest.mark.rule("T-234")
def test_at_the_end_cubes_leave_the_grids_and_those_on_warehouses_stay():
    held = {0: {"held": {"a1": "wood glass"}}, 1: {"held": {"b1": "stone"}}}
    state = position("KCCC/wwww/wwww/www.", "MCww/gggg/hhhh/bbb.", cards="warehouse", hand={1: "statue"}, values=held)

    state = after(state, "0: place d4", "1: place d4")

    assert ["KCCC", "MC.."] == [drawn(state, 0), drawn(state, 1)]
    assert [("wood", "glass"), ()] == [state.town(0).held[0], state.town(1).held[1]]
    assert (-2, -14) == (points(state, "black"), points(state, "empty", 1))


@pytest.mark.rule("T-234")
def test_at_the_end_markers_stay():
    state = position("KKww/wwww/wwww/www.", FULL, cards="bank", completed={1: 2}, values={0: {"held": {"a1": "glass"}}})

    state = after(state, "0: place d4")

    assert ("glass",) == state.town(0).held[0]


@pytest.mark.rule("T-235")
def test_every_square_without_a_building_costs_one():
    state = position("Awh.", cards="shed")

    assert (1, -15, -14) == (points(state, "grey"), points(state, "empty"), total(state))


@pytest.mark.rule("T-235")
@pytest.mark.parametrize("number", range(20))
def test_the_penalty_is_the_number_of_squares_without_building_in_any_town(number):
    drawing = random_town(random.Random(number), "")

    without = sum(sign in ".whbgs" for sign in drawing.replace("/", ""))

    assert -without == points(position(drawing), "empty")


@pytest.mark.rule("T-236")
def test_a_total_may_be_negative():
    assert -16 == total(position(FULL, "....", completed={0: 4}))
    assert -16 == total(position("...."))


@pytest.mark.rule("T-237")
def test_the_printed_example_totals_28():
    held = {0: {"held": {"d2": "wood wood stone"}}}
    state = position("YECE/ROCK/E.AC/CAC.", cards="farm well chapel tavern bakery warehouse", values=held)

    parts = dict(RULESET.standings(state)[0].parts)

    assert 28 == total(state)
    assert {"blue": 12, "red": 0, "grey": 5, "orange": 4, "green": 9, "yellow": 3, "black": -3} == {
        name: parts[name] for name in parts if name not in ("monument", "empty")
    }
    assert (0, -2) == (parts["monument"], parts["empty"])


@pytest.mark.rule("T-238")
@pytest.mark.parametrize("monument", MONUMENTS)
def test_a_monument_that_was_never_constructed_is_worth_nothing(monument):
    plain = position("CRAO/EYKw", "EE..")
    state = position("CRAO/EYKw", "EE..", hand=monument)

    assert RULESET.standings(plain) == RULESET.standings(state)
    assert 0 == points(state, "monument")


@pytest.mark.rule("T-239")
@pytest.mark.parametrize("number", range(40))
def test_the_breakdown_adds_up_to_the_total_in_any_town(number):
    luck = random.Random(number)
    named = " ".join(luck.choice(COMPONENTS.of_colour(colour)).id for colour in PARTS[1:7])
    hand = luck.choice(MONUMENTS)
    state = position(random_town(luck, hand), random_town(luck, ""), cards=named, hand=hand, villagers=False)

    for standing in RULESET.standings(state):
        parts = dict(standing.parts)
        assert ["blue", "red", "grey", "orange", "green", "yellow", "black", "monument", "empty"] == [*parts]
        assert sum(parts.values()) == standing.points
        empty = state.town(standing.seat).buildings.count("")
        cathedral = state.town(standing.seat).monument == "cathedral"
        assert (0 if cathedral else -empty) == parts["empty"]
        for colour in PARTS[:7]:
            there = [name for name in state.town(standing.seat).buildings if name]
            if colour not in {COMPONENTS.card(name).type for name in there}:
                assert 0 == parts[colour]
