"""Rules T-026 to T-036: the round."""

import pytest

from engine.core.errors import GrammarError
from engine.core.log import rewind_point
from engine.core.types import Seat
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import RESOURCES
from tests.engine.tiny_towns.games import asked, game, planned, rounds_on
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
    texts,
    told,
    total,
)

TAVERN = "bbg./ws.."
"""A Tavern and a Well can be constructed."""


@pytest.mark.rule("T-026")
@pytest.mark.parametrize("resource", RESOURCES)
def test_the_master_builder_names_one_of_five_resources(resource):
    state = naming("....", "....", "....", namer=1)

    assert ["2 towns.name"] == owed(state)
    assert [f"name {one}" for one in RESOURCES] == texts(state, 2)
    state, events = play(state, f"2: name {resource}")
    assert resource == state.resource
    assert [("towns.named", {"seat": 2, "resource": resource})] == told(events)
    assert [f"{seat} towns.place" for seat in range(3)] == owed(state)


@pytest.mark.rule("T-026")
@pytest.mark.parametrize("text", ["name", "name wood brick", "name gold"])
def test_exactly_one_is_named(text):
    with pytest.raises(GrammarError):
        RULESET.grammar.parse_move(text)


@pytest.mark.rule("T-026")
@pytest.mark.parametrize(
    "text", ["name wood", "place d4", "build tavern a1", "done", "take wood", "activate forage a4"]
)
def test_nobody_acts_before_the_naming(text):
    town = "bbg./..../..../C*..."
    state = naming(town, town, town, namer=1)

    assert "turn.not-owed" == refusal(state, f"0: {text}")
    assert "turn.not-owed" == refusal(state, f"1: {text}")
    assert [] == texts(state, 0)
    if text != "name wood":
        assert "turn.not-asked" == refusal(state, f"2: {text}")


@pytest.mark.rule("T-027")
@pytest.mark.parametrize("namer", range(4))
def test_everyone_in_the_game_takes_a_cube_of_it_and_places_it_in_the_own_town(namer):
    state = position("C...", "....", "wwww/wwww/wwww/wwww", "w...", namer=namer, completed={2: 3}, resource="glass")

    assert ["0 towns.place", "1 towns.place", "3 towns.place"] == owed(state)
    for seat in (0, 1, 3):
        before = [drawn(state, one) for one in range(4)]
        state = after(state, f"{seat}: place b2")
        assert [one for one in range(4) if drawn(state, one) != before[one]] == [seat]
        assert "glass" == state.town(seat).cubes[5]


@pytest.mark.rule("T-027")
def test_the_round_waits_for_everyone():
    state = position("....", "....", "....", namer=2)

    for seat in (2, 0):
        state = after(state, f"{seat}: place a1")
        assert 5 == state.round
    assert ["1 towns.place"] == owed(state)
    assert 6 == after(state, "1: place a1").round


def round_of_three():
    """A round just named, with what each may write: seat 0 can construct, the others cannot."""
    state = position(TAVERN, "....", "h...", namer=1)
    written = {
        0: [("towns.place", "place d4", "build tavern c1", "done")],
        1: [("towns.place", "place a1")],
        2: [("towns.place", "place d4")],
    }
    return state, written


@pytest.mark.rule("T-028")
@pytest.mark.parametrize("silent", range(3))
def test_nothing_of_the_round_is_entered_before_all_have_answered(silent):
    state, written = round_of_three()
    now = asked(state)

    played = planned(now, {seat: lines for seat, lines in written.items() if seat != silent})

    assert (now, ()) == (played.position, played.made)
    for seat in (None, *state.seats):
        assert RULESET.view(state, seat) == RULESET.view(played.position.state, seat)


@pytest.mark.rule("T-028")
def test_a_placement_without_the_constructions_enters_nothing_either():
    state, written = round_of_three()
    now = asked(state)

    played = planned(now, {**written, 0: [("towns.place", "place d4")]})

    assert (now, ()) == (played.position, played.made)


@pytest.mark.rule("T-028")
def test_what_all_have_answered_is_entered_at_once():
    state, written = round_of_three()

    played = planned(asked(state), written)

    entered = [f"{one.record.entry.seat} {one.record.entry.text}" for one in played.made]
    assert ["0 place d4", "0 build tavern c1", "0 done", "1 place a1", "2 place d4"] == entered
    assert ["2 towns.name"] == owed(played.position.state)


@pytest.mark.rule("T-028")
def test_going_back_into_a_round_goes_back_to_its_naming():
    now = asked(naming(TAVERN, "....", "h...", namer=0))
    _, written = round_of_three()
    named = planned(now, {1: [("towns.name", "name wood")]})
    log = [one.record for one in (*named.made, *planned(named.position, written).made)]

    points_back = [rewind_point(RULESET, log, now, seq) for seq in range(7)]

    assert ["name wood", "place d4", "build tavern c1", "done", "place a1", "place d4"] == [
        one.entry.text for one in log
    ]
    assert [0, 1, 1, 1, 1, 1, 1] == points_back


@pytest.mark.rule("T-028")
@pytest.mark.parametrize("seed", range(3))
def test_in_whole_games_no_rewind_shows_a_half_answered_round(seed):
    seats = 2 + seed
    records = game(seats, seed, monuments="no", ask_late="yes")
    start = records[0].position

    for number in range(1, len(records), 7):
        point = rewind_point(RULESET, records, start, number)
        state = records[point - 1].position.state if point else start.state
        if state.stage == "turns" and len(state.in_game) > 1:
            answering = [seat for seat in state.in_game if state.stacks[seat]]
            assert len(answering) in (1, len(state.in_game))
            if len(answering) > 1:
                assert all(line.endswith("towns.place") for line in owed(state))


@pytest.mark.rule("T-029")
@pytest.mark.parametrize("text", ["build tavern a1", "build well a2", "done", "activate forage d4"])
def test_nothing_is_constructed_before_the_own_cube_is_placed(text):
    state = position("bbg./ws../..../...C*", namer=1)

    assert "turn.not-asked" == refusal(state, f"0: {text}")
    state = after(state, "1: place a1")
    assert "turn.not-asked" == refusal(state, f"0: {text}")
    assert text in texts(after(state, "0: place c4"))


@pytest.mark.rule("T-029")
def test_nothing_is_constructed_before_what_came_instead_is_placed():
    values = {0: {"held": {"d4": "wood"}}}
    state = after(position("bbg./..../..../...K", cards="factory", namer=1, values=values), "0: swap glass")

    assert "turn.not-asked" == refusal(state, "0: build tavern a1")
    assert "" == refusal(after(state, "0: place a4"), "0: build tavern a1")


@pytest.mark.rule("T-030")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], "bbg./ws../..../...w"),
        (["build tavern a1"], "E.../ws../..../...w"),
        (["build well b2"], "bbg./.A../..../...w"),
        (["build tavern a1", "build well b2"], "E.../.A../..../...w"),
        (["build well a2", "build tavern c1"], "..E./A.../..../...w"),
    ],
)
def test_after_placing_nothing_one_or_several_are_constructed(lines, expected):
    state = after(position(TAVERN), "0: place d4", *(f"0: {line}" for line in lines))

    if "0 towns.build" in owed(state):
        state = after(state, "0: done")

    assert expected == drawn(state)
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-031")
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_round_ends_when_all_are_ready_and_the_hammer_goes_left(seats):
    for namer in range(seats):
        state = position(*["....", *["bbg."] * (seats - 1)], namer=namer)
        for seat in reversed(range(seats)):
            state = after(state, f"{seat}: place d4")
        for seat in range(1, seats):
            assert (5, "turns") == (state.round, state.stage)
            state = after(state, f"{seat}: done")

        left = (namer + 1) % seats
        assert (6, left) == (state.round, state.builder)
        assert [f"{left} towns.name"] == owed(state)
        assert left == RULESET.view(state, None).builder


@pytest.mark.rule("T-032")
@pytest.mark.parametrize("seat", [0, 1])
def test_from_the_naming_to_the_next_placement_nothing_is_constructed(seat):
    state = naming(TAVERN, TAVERN, namer=1)

    assert refusal(state, f"{seat}: build tavern a1") in ("turn.not-asked", "turn.not-owed")
    state = after(state, "0: name wood")
    assert "turn.not-asked" == refusal(state, f"{seat}: build tavern a1")
    state = after(state, f"{seat}: place d4")
    assert "" == refusal(state, f"{seat}: build tavern a1")
    state = after(state, f"{seat}: build tavern a1", f"{seat}: done")
    assert "turn.not-owed" == refusal(state, f"{seat}: build well a2")


@pytest.mark.rule("T-032")
@pytest.mark.parametrize("seed", range(3))
def test_in_whole_games_constructions_follow_the_own_answer_of_the_round(seed):
    answered = {}
    for record in game(3, seed, cavern="yes"):
        for event in record.events:
            if event.key in ("towns.placed", "towns.stored", "towns.aside", "towns.scrapped"):
                answered[record.entry.seat] = (
                    dict(record.decision.decision.fields) and record.decision.decision.occasion
                )
            if event.key == "towns.built":
                assert answered[record.entry.seat] == record.decision.decision.occasion


@pytest.mark.rule("T-033")
def test_the_hammer_passes_over_complete_towns_and_that_is_no_turn():
    full = "wwww/wwww/wwww/wwww"
    state = position("....", full, full, "....", namer=0, completed={1: 2, 2: 4}, turns={0: 2, 1: 1, 2: 1, 3: 1})

    state = after(state, "0: place a1", "3: place a1")

    assert ["3 towns.name"] == owed(state)
    state = after(state, "3: name brick")
    assert [2, 1, 1, 2] == [player.turns for player in state.players]


@pytest.mark.rule("T-033")
@pytest.mark.parametrize("seed", range(4))
def test_in_whole_games_only_namings_are_turns_and_nobody_complete_names(seed):
    records = game(4, seed)
    named = [record.entry.seat for record in records if record.entry.text.startswith("name ")]
    completed = {}
    for record in records:
        state = record.position.state
        if record.entry.text.startswith("name "):
            assert record.entry.seat not in completed
        completed |= {seat: player.completed for seat, player in enumerate(state.players) if player.completed}

    assert [named.count(seat) for seat in range(4)] == [player.turns for player in records[-1].position.state.players]
    assert 4 == len(completed)


@pytest.mark.rule("T-034")
def test_who_is_left_alone_names_every_round_and_each_is_a_turn():
    full = "wwww/wwww/wwww/wwww"
    state = naming("..../wwww/wwww/wwww", full, full, namer=0, completed={1: 2, 2: 4})

    for turn, square in enumerate(("a1", "b1", "c1", "d1"), start=1):
        assert ["0 towns.name"] == owed(state)
        state, events = play(state, "0: name wood", f"0: place {square}")
        assert turn == state.players[0].turns
    assert [] == owed(state)
    assert "towns.over" == told(events)[-1][0]


@pytest.mark.rule("T-035")
def test_a_trading_post_of_this_round_is_not_wild_in_it():
    state = position("sw../swb./.b../.g..", cards="trading-post", resource="wood")
    state = after(state, "0: place d4", "0: build trading-post b2")

    assert [] == squares_for(state, "build tavern")
    later = after(rounds_on(state), "0: place d3")
    assert ["b3", "b4"] == squares_for(later, "build tavern")


@pytest.mark.rule("T-035")
@pytest.mark.parametrize(
    ("drawing", "card", "lines", "answer"),
    [
        ("w.../bssb", "factory", ["build factory a1", "mark wood"], "swap wheat"),
        ("hwh./b.b.", "warehouse", ["build warehouse a1"], "store a1"),
    ],
)
def test_a_factory_or_a_warehouse_answers_from_the_next_naming_on(drawing, card, lines, answer):
    state = after(position(drawing, cards=card, namer=0), "0: place d4", *(f"0: {line}" for line in lines))
    assert "turn.not-owed" == refusal(state, f"0: {answer}")

    state = rounds_on(after(state, "1: place a1"))

    assert (6, 1, "wood") == (state.round, state.namer, state.resource)
    assert answer in texts(state)


@pytest.mark.rule("T-036")
def test_the_obelisk_works_in_the_round_of_its_construction():
    state = after(position("h.../bgb./bbg.", hand="obelisk"), "0: place d4")
    assert {"a3", "b3", "c3"} >= set(squares_for(state, "build tavern"))

    state = after(state, "0: build obelisk b2")

    assert {"a1", "d1", "a2", "a3", "c4"} < set(squares_for(state, "build tavern"))
    assert "..../.M../..../E..w" == drawn(after(state, "0: build tavern a4"))


@pytest.mark.rule("T-036")
def test_the_cathedral_and_the_mausoleum_count_from_their_construction():
    cathedral = after(position(".h../sg..", hand="cathedral"), "0: place d4")
    mausoleum = after(position("ww../bs../CC..", hand="mausoleum"), "0: place d4")
    assert (-16, 0) == (points(cathedral, "empty"), points(mausoleum, "blue"))

    cathedral, mausoleum = after(cathedral, "0: build cathedral b1"), after(mausoleum, "0: build mausoleum a1")

    assert (0, 2) == (points(cathedral, "empty"), total(cathedral))
    assert 6 == points(mausoleum, "blue")


@pytest.mark.rule("T-036")
def test_the_statue_answers_from_the_next_naming_of_another_on():
    state = after(position("wssg/h.../C...", hand="statue"), "0: place d4", "0: build statue b1")

    state = rounds_on(state)

    assert (Seat(1), "store a3" in texts(state)) == (state.namer, True)


@pytest.mark.rule("T-036")
def test_the_watch_takes_nothing_in_the_round_of_its_construction():
    state = position("w.../bghh/s...", "bbg.", hand="watch", namer=0)
    lines = ["0: place d4", "0: build watch a1", "0: stock cottage farm tavern", "1: place d4", "1: build tavern a1"]

    state, events = play(state, *lines)

    assert ["1 towns.name"] == owed(state)
    assert ("cottage", "farm", "tavern") == state.town(0).stock
    assert "towns.added" not in [key for key, _ in told(events)]
    again = after(naming("M...", "bbg.", hand="watch", values={0: {"stock": ("tavern",)}}), "1: name wood")
    again = after(again, "0: place d4", "1: place d4", "1: build tavern a1")
    assert ["0 towns.watch"] == owed(again)


@pytest.mark.rule("T-028")
@pytest.mark.parametrize(
    "lines",
    [
        [("towns.name", "name wood"), ("towns.place", "place a1")],
        [("towns.name", "name wood", "place a1")],
    ],
)
def test_what_the_master_builder_places_waits_for_the_others(lines):
    now = asked(naming("bbg.", "....", "h...", namer=0))

    played = planned(now, {1: lines})
    whole = planned(now, {0: [("towns.place", "place d4", "done")], 1: lines, 2: [("towns.place", "place d4")]})

    assert ["name wood"] == [one.record.entry.text for one in played.made]
    assert ["0 towns.place", "1 towns.place", "2 towns.place"] == owed(played.position.state)
    assert {"towns.place"} == {line.key for line in played.plans[1]}
    assert ["name wood", "place d4", "done", "place a1", "place d4"] == [one.record.entry.text for one in whole.made]


@pytest.mark.rule("T-028", "T-348")
def test_what_is_taken_in_a_third_round_waits_for_the_others():
    now = asked(position("....", "....", town_hall=True, namer=-1))
    ahead = ("towns.take", "take wood", "place b1")
    lines = {0: [("towns.place", "place a1")], 1: [("towns.place", "place a1"), ahead]}

    played = planned(now, lines)

    assert ["place a1", "place a1"] == [one.record.entry.text for one in played.made]
    assert ["0 towns.take", "1 towns.take"] == owed(played.position.state)
