"""Rules T-337 to T-340 and T-375 to T-392: villagers at the end, and where rules meet."""

import random

import pytest
from msgspec.structs import replace

from engine.tiny_towns import RULESET
from engine.tiny_towns.layouts import SQUARES
from engine.tiny_towns.moves import Done
from tests.engine.tiny_towns.positions import (
    after,
    drawn,
    naming,
    owed,
    play,
    points,
    position,
    refusal,
    squares_for,
    start,
    texts,
    told,
    total,
)

FULL = "CCCC/CCCC/CCCC"


def playout(seed, seats=3, **options):
    """The positions of a random game, in which all construct what they can."""
    rng = random.Random(seed)
    state = start(seats, **options)
    yield state
    while RULESET.pending(state):
        seat = rng.choice(RULESET.pending(state)).seat
        moves = list(RULESET.legal(state, seat))
        state = RULESET.apply(
            state, seat, rng.choice([one for one in moves if not isinstance(one, Done)] or moves)
        ).state
        yield state


def without_villagers(state):
    """The position with every villager taken away."""
    towns = [replace(one.town, villagers=(), workers=(), lodge=0) for one in state.players]
    return replace(
        state, players=tuple(replace(one, town=town) for one, town in zip(state.players, towns, strict=True))
    )


# --- villagers, end ---


@pytest.mark.rule("T-337")
@pytest.mark.parametrize("seed", range(12))
def test_villagers_score_nothing_at_any_time(seed):
    last = None
    for last in playout(seed, new_cards="yes"):
        assert RULESET.standings(without_villagers(last)) == RULESET.standings(last)
    assert "over" == last.stage
    assert all(player.completed for player in last.players)


@pytest.mark.rule("T-337")
@pytest.mark.parametrize("drawing", ["R.C./.*...", "R*.C*./.*...", "R.*C./...*."])
def test_a_town_is_worth_the_same_with_its_villagers_anywhere(drawing):
    assert 3 - 14 == total(position(drawing))


@pytest.mark.rule("T-337")
def test_the_game_ends_when_all_towns_are_complete_wherever_the_villagers_are():
    state = position(f"{FULL}/C*C*C.", f"{FULL}/CCC.", villagers=True)

    state = after(state, "0: place d4")
    state = after(state, "0: done") if "0 towns.build" in owed(state) else state
    state, events = play(state, "1: place d4")

    assert "over" == state.stage
    assert "towns.over" in [key for key, _ in told(events)]


@pytest.mark.rule("T-338")
@pytest.mark.parametrize(("drawing", "left"), [("C.*C.", "d4"), (".*.*C.", "d4"), ("w.*C.", "d4")])
def test_a_villager_on_the_last_empty_square_does_not_fill_a_town(drawing, left):
    state = after(position(f"{FULL}/{drawing}", lodge=False), f"0: place {left}", "1: place a1")

    assert 0 == state.players[0].completed


@pytest.mark.rule("T-338")
@pytest.mark.parametrize("lodge", [0, 1, 2, 3])
def test_villagers_in_the_lodge_do_not_keep_a_full_town(lodge):
    state = position(f"{FULL}/CCC.", villagers=True, values={0: {"lodge": lodge}, 1: {"lodge": 0}})

    state = after(state, "0: place d4", "1: place a1")

    assert 5 == state.players[0].completed
    assert lodge == state.town(0).lodge


@pytest.mark.rule("T-338")
@pytest.mark.parametrize("dear", ["innovate", "renovate", "cooperate"])
def test_in_every_game_a_town_is_complete_when_a_round_ends_with_it_full(dear):
    for seed in range(6):
        for state in playout(seed, cheap="forage", dear=dear):
            for player in state.players:
                full = not player.town.empty
                if state.stage != "over":
                    assert full or not player.completed
                if state.stage == "naming":
                    assert full == bool(player.completed)


@pytest.mark.rule("T-339")
@pytest.mark.parametrize("helper", ["forage", "scrap"])
def test_the_workers_of_a_finished_player_are_not_used_any_more(helper):
    state = position(
        f"C*C*C*C/{FULL}", "....", completed={0: 4}, helpers=(helper, "innovate"), namer=1, values={1: {"lodge": 0}}
    )

    assert ["1 towns.place"] == owed(state)
    for line in ("activate forage a1", "activate innovate a1 b1", "scrap a1"):
        assert "turn.not-owed" == refusal(state, f"0: {line}")
    state = after(state, "1: place a1", "1: name wood", "1: place b1")
    assert (0, 1, 2) == state.town(0).workers


@pytest.mark.rule("T-340")
def test_squares_with_a_villager_only_are_empty_in_the_tie_break_too():
    """Both have 2 points and no turn as Master Builder; the Cathedrals forgive the empty squares."""
    state = position(".*..M/CC..", "...M/CCC.", hand={0: "cathedral", 1: "cathedral"})

    first, second = RULESET.standings(state)
    assert (2, 2) == (first.points, second.points)
    assert (0, 13, 2) == first.ties
    assert (0, 12, 3) == second.ties
    assert (2, 1) == (first.rank, second.rank)


@pytest.mark.rule("T-340")
@pytest.mark.parametrize("drawing", ["MCC.", "MCC.*", "MCC./.*.*..", "MC*C."])
def test_villagers_make_no_difference_in_the_tie_break(drawing):
    state = position(drawing, "MCC.", hand={0: "cathedral", 1: "cathedral"})

    assert [(0, 13, 2), (0, 13, 2)] == [one.ties for one in RULESET.standings(state)]
    assert [1, 1] == [one.rank for one in RULESET.standings(state)]


# --- edge cases ---


@pytest.mark.rule("T-375")
def test_a_full_grid_with_a_layout_that_its_owner_leaves_is_complete():
    state = after(position("bbgC/CCCC/CCCC/CCC."), "0: place d4")

    assert "build tavern a1" in texts(state)
    state, events = play(state, "0: done", "1: place a1")
    assert ("towns.completed", {"seat": 0}) in told(events)
    assert 5 == state.players[0].completed


@pytest.mark.rule("T-376")
def test_the_last_cube_may_complete_a_layout_whose_construction_frees_the_town():
    state = after(position(f"bb.C/{FULL}", resource="glass"), "0: place c1")

    assert f"bbgC/{FULL}" == drawn(state)
    state = after(state, "0: build tavern a1", "1: place a1")
    assert f"E..C/{FULL}" == drawn(state)
    assert 0 == state.players[0].completed
    assert "0 towns.place" in owed(after(state, "1: name wood"))


@pytest.mark.rule("T-377")
@pytest.mark.parametrize("seats", [2, 4])
def test_all_complete_in_the_same_round(seats):
    towns = [f"{FULL}/MCC.", *[f"{FULL}/CCC."] * (seats - 1)]
    state = position(*towns, hand="starloom")

    state, events = play(state, *(f"{seat}: place d4" for seat in range(seats)))

    assert 6 == points(state, "monument")
    assert "over" == state.stage
    assert "towns.over" == told(events)[-1][0]
    assert [] == owed(state)


@pytest.mark.rule("T-378")
def test_the_shrine_counts_the_buildings_of_its_own_round():
    state = position("bhsb/wgwb/CCCg/..ws", resource="wheat", hand="shrine")
    state = after(state, "0: place a4", "0: build tavern d1", "0: build well c4")

    state, events = play(state, "0: build shrine a1")

    assert ("towns.shrine", {"seat": 0, "points": 8}) in told(events)
    assert 6 == len([name for name in state.town(0).buildings if name])
    assert 8 == points(state, "monument")


@pytest.mark.rule("T-378")
@pytest.mark.parametrize(("cottages", "value"), [("...", 3), ("C..", 4), ("CC.", 5), ("CCC", 8)])
def test_with_fewer_buildings_at_the_start_it_counts_fewer(cottages, value):
    state = position(f"bhsb/wgwb/{cottages}g/..ws", resource="wheat", hand="shrine")

    state = after(state, "0: place a4", "0: build tavern d1", "0: build well c4", "0: build shrine a1")

    assert value == points(state, "monument")


@pytest.mark.rule("T-379")
def test_after_an_obelisk_of_this_round_a_tavern_may_go_anywhere_empty():
    state = after(position("h.../bgb./..../bbg.", hand="obelisk"), "0: place d4")
    assert ["a4", "b4", "c4"] == squares_for(state, "build tavern")

    state = after(state, "0: build obelisk a1")

    assert [square for square in SQUARES if square not in ("a1", "d4")] == squares_for(state, "build tavern")


@pytest.mark.rule("T-380")
@pytest.mark.parametrize("first", [0, 1])
def test_a_watch_of_this_round_takes_nothing_of_this_round(first):
    state = position("..../bghh/s...", "bbg./bbg.", resource="wood", hand="watch")
    own = ("0: place a1", "0: build watch a1", "0: stock cottage chapel tavern")
    others = ("1: place d4", "1: build tavern a1", "1: done")

    state = after(state, *(own + others if first == 0 else others + own))

    assert ["1 towns.name"] == owed(state)
    assert ("cottage", "chapel", "tavern") == state.town(0).stock
    state = after(state, "1: name wood", "0: place d4", "1: place c4", "1: build tavern a2")
    assert ["0 towns.watch"] == owed(state)


@pytest.mark.rule("T-381")
def test_three_trading_posts_and_one_cube_free_nothing():
    state = after(position("KK../Kw..", cards="trading-post"), "0: place d4")

    assert ["b2"] == squares_for(state, "build farm")
    state = after(state, "0: build farm b2")
    assert "KK../KR../..../...w" == drawn(state)


@pytest.mark.rule("T-382")
def test_who_constructs_the_fort_with_the_hammer_in_hand_ends_the_round_as_usual():
    state = position("h.b./sws.", hand="fort", namer=0)

    state = after(state, "0: place d4", "0: build fort a1")

    assert (0, 0) == (state.builder, state.namer)
    assert ["1 towns.place"] == owed(state)
    state = after(state, "1: place a1")
    assert (1, 6) == (state.builder, state.round)
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-382")
def test_after_the_fort_its_owner_still_answers_in_that_round():
    state = after(position("h.b./sws./.bbg", hand="fort", namer=0), "0: place d4", "0: build fort a1")

    assert "build tavern b3" in texts(state)


@pytest.mark.rule("T-383")
def test_beside_a_fort_the_other_names_every_round():
    state = naming("M...", "....", hand="fort", namer=0)

    for number, square in enumerate(("b1", "c1", "d1", "a2"), 1):
        assert ["1 towns.name"] == owed(state)
        state = after(state, "1: name wood")
        assert (number, 0) == (state.players[1].turns, state.players[0].turns)
        state = after(state, f"0: place {square}", f"1: place {square}")


@pytest.mark.rule("T-384")
def test_a_master_builder_with_four_banks_names_the_fifth_resource():
    held = dict(zip(("a1", "b1", "c1", "d1"), ("wood", "wheat", "brick", "stone"), strict=True))
    state = naming("KKKK", cards="bank", namer=1, values={0: {"held": held}})

    assert ["0 towns.name"] == owed(state)
    assert ["name glass"] == texts(state)
    for resource in held.values():
        assert "name.marked" == refusal(state, f"0: name {resource}")


@pytest.mark.rule("T-385")
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("town_hall", ["no", "yes"])
def test_no_resource_is_ever_named_to_a_town_without_an_empty_square(seed, town_hall):
    placed = 0
    for state in playout(seed, town_hall=town_hall, cavern="yes", new_cards="yes"):
        for one in RULESET.pending(state):
            if one.key in ("towns.place", "towns.put", "towns.take"):
                placed += 1
                assert state.town(one.seat).empty
    assert placed > 20


@pytest.mark.rule("T-386")
@pytest.mark.parametrize("answer", ["store a1", "exchange a1 glass", "cavern", "scrap b1", "place d1"])
def test_on_a_drawn_card_exactly_one_answer_is_accepted(answer):
    answers = ["store a1", "exchange a1 glass", "cavern", "scrap b1", "place d1"]
    state = position(
        "KC*../.bbg",
        cards="warehouse",
        helpers=("scrap", "innovate"),
        namer=-1,
        town_hall=True,
        cavern=True,
        values={0: {"held": {"a1": "glass"}}},
    )
    assert {*answers} <= {*texts(state)}

    state = after(state, f"0: {answer}")

    for other in answers:
        if (answer, other) != ("exchange a1 glass", "place d1"):
            assert "turn.not-asked" == refusal(state, f"0: {other}")
    state = after(state, "0: place d1") if answer == "exchange a1 glass" else state
    for other in answers:
        assert "turn.not-asked" == refusal(state, f"0: {other}")
    assert ["0 towns.build", "1 towns.place"] == owed(state)


@pytest.mark.rule("T-387")
@pytest.mark.parametrize(("square", "ways"), [("b1", ["a2"]), ("c1", ["b1", "a2"]), ("d1", ["b1", "a2"])])
def test_a_villager_whose_cube_stays_moves_round_the_new_building(square, ways):
    state = after(position("w*bbg", lodge=False), "0: place d4", f"0: build tavern {square}", "1: place a1")

    assert [f"move a1 {to}" for to in ways] == texts(state)
    assert () == state.town(0).workers


@pytest.mark.rule("T-388")
@pytest.mark.parametrize(("row", "back", "wait"), [("hCC.", 3, 0), ("hCCC", 2, 1), ("hCCw", 2, 1)])
def test_three_who_paid_for_cooperate_all_come_back_if_three_squares_are_empty(row, back, wait):
    town = f"C*C*C*b/CCCg/{row}/CCC."
    state = position(town, helpers=("forage", "cooperate"), lodge=False)

    state = after(state, "0: place d4", "0: activate cooperate a1 b1 c1")
    assert (3, ()) == (state.town(0).lodge, state.town(0).workers)
    state = after(state, "0: build cottage d1", "1: place a1")

    assert (wait, back) == (state.town(0).lodge, len(state.town(0).villagers))
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-389")
def test_a_player_left_alone_may_scrap_and_names_again():
    state = naming("C*C*..", FULL + "/CCCC", completed={1: 3}, helpers=("scrap", "innovate"), lodge=False)

    state = after(state, "0: name wood")
    assert "C*C*.." == drawn(state)
    state = after(state, "0: scrap a1", "0: lodge d4")

    assert "CC*../..../..../....*" == drawn(state)
    assert ["0 towns.name"] == owed(state)
    assert 1 == state.players[0].turns


@pytest.mark.rule("T-390")
def test_a_trading_post_with_a_worker_serves_and_its_worker_stays():
    state = after(position("bK*g.", cards="trading-post", lodge=False), "0: place d4")

    state = after(state, "0: build tavern a1", "0: done", "1: place a1")

    assert "EK*../..../..../...w" == drawn(state)
    assert (1,) == state.town(0).workers
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-391")
def test_a_foraged_cube_on_the_square_of_a_villager_may_fill_a_town():
    state = position(f"C*.*C./{FULL}", lodge=False)

    state = after(state, "0: place d1", "0: activate forage a1", "0: add glass b1")
    assert 0 == state.players[0].completed
    state, events = play(state, "1: place a1")

    assert f"CgCw/{FULL}" == drawn(state)
    assert 5 == state.players[0].completed
    assert [("towns.to-lodge", {"seat": 0, "square": "b1"})] == [
        one for one in told(events) if one[0] == "towns.to-lodge"
    ]


@pytest.mark.rule("T-392")
def test_the_guild_may_replace_the_only_feeder():
    state = after(position("..gC/.hsC/wb.R", hand="guild"), "0: place d4")
    assert 6 == points(state, "blue")

    state = after(state, "0: build guild c1")

    assert "replace.same" == refusal(state, "0: replace d3 farm")
    for red in ("granary", "greenhouse", "orchard"):
        assert "card.not-open" == refusal(state, f"0: replace d3 {red}")
    state = after(state, "0: replace d3 tavern", "0: skip")
    assert 0 == points(state, "blue")
    assert "..MC/...C/...E/...w" == drawn(state)


@pytest.mark.rule("T-246", "T-337")
@pytest.mark.parametrize("seats", range(1, 7))
def test_a_game_with_villagers_comes_to_its_end_and_none_of_them_is_lost(seats):
    *_, last = playout(seats, seats)

    assert "over" == last.stage
    assert {3} == {len(one.town.villagers) + len(one.town.workers) + one.town.lodge for one in last.players}
