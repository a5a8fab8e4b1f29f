"""Rules V-054 to V-075: time and death."""

import pytest
from msgspec.structs import replace

from engine.village import RULESET
from tests.engine.village.positions import (
    COMPONENTS,
    keys,
    numbers_at,
    owed,
    play,
    position,
    refusal,
    texts,
    things_of,
    told,
)
from tests.engine.village.ruling import (
    ELSEWHERE,
    RICH,
    acting,
    after,
    crowded,
    dying,
    parts,
    road,
    scored,
    step_of,
    toll,
    verbs,
    visible,
)

STABLES = COMPONENTS.maker("horse")
WAINWRIGHT = COMPONENTS.maker("wagon")
OFFICE = COMPONENTS.maker("scroll")
PLAGUE = COMPONENTS.turn.plague_time
COUNCIL = COMPONENTS.council_time.stages
AT_HOME = {"farmyard": [1]}


def space_with(space, colour="plague", **values):
    """A position with this one cube on *space*, and another elsewhere."""
    return position(board={space: [colour], "church" if space != "church" else "travel": ELSEWHERE}, **values)


@pytest.mark.rule("V-054")
@pytest.mark.parametrize("step", [0, 3, 5])
def test_the_life_marker_moves_a_step_for_each_hourglass(step):
    state = acting("crafts", step={0: step, 1: 4})

    state = after(state, "0: train wainwright 1", "0: make wagon")

    assert step + WAINWRIGHT.train + WAINWRIGHT.make == step_of(state, 0)
    assert 4 == step_of(state, 1)


@pytest.mark.rule("V-055")
@pytest.mark.parametrize(
    ("space", "spots", "things", "lines", "time"),
    [
        ("crafts", AT_HOME, {}, ["train stables 1", "skip"], STABLES.train),
        ("crafts", {"stables": [1]}, {}, ["make ox"], STABLES.make),
        ("crafts", AT_HOME, {"grain": 2}, ["mill"], COMPONENTS.mill.time),
        ("travel", AT_HOME, RICH, [f"depart ford 1 {toll('village', 'ford')}"], road("village", "ford").time),
        ("travel", {"ford": [1]}, RICH, [f"travel ford abbey 1 {toll('ford', 'abbey')}"], road("ford", "abbey").time),
        ("council", AT_HOME, RICH, ["enter 1 green green", "skip"], COUNCIL[0]),
        ("council", {"stage-1": [1]}, RICH, ["advance 1 1 green green", "skip"], COUNCIL[1]),
        ("council", {"stage-2": [1]}, RICH, ["advance 2 1 green green", "skip"], COUNCIL[2]),
        ("council", {"stage-3": [1]}, RICH, ["advance 3 1 green green", "skip"], COUNCIL[3]),
        ("church", AT_HOME, {}, ["pray 1 time"], COMPONENTS.church.time),
    ],
)
def test_time_is_spent_on_an_action_and_told(space, spots, things, lines, time):
    state = acting(space, family={0: spots}, things={0: things})

    done, events = play(state, *(f"0: {line}" for line in lines))

    assert time > 0
    assert time == step_of(done) == sum(fields.get("time", 0) for _, fields in told(events))
    assert 0 == step_of(done, 1)


@pytest.mark.rule("V-055")
def test_time_is_spent_on_a_plague_cube_and_on_the_surcharge():
    things = {0: {"wagon": 1, "scroll": 1, "green": 1}}
    plague = after(space_with("travel"), "0: take plague travel")
    market = acting("market", things=things, stalls=["wagon", "scroll"])

    assert 2 == PLAGUE == step_of(plague)
    assert 1 == COMPONENTS.market.time == step_of(after(market, "0: sell wagon", "0: sell scroll green"))


@pytest.mark.rule("V-056")
@pytest.mark.parametrize(
    ("space", "spots", "things", "lines"),
    [
        ("harvest", AT_HOME, {}, ["harvest"]),
        ("family", AT_HOME, {}, ["birth"]),
        ("family", {"office": [1]}, {}, ["home office 1"]),
        ("crafts", AT_HOME, {"pink": 1}, ["buy scroll pink"]),
        ("crafts", AT_HOME, {"grain": 3}, ["buy horse"]),
        ("council", {"stage-2": [1]}, {}, ["use 2", "choose pink pink"]),
    ],
)
def test_no_time_is_spent_on_an_action(space, spots, things, lines):
    state = acting(space, family={0: spots}, things={0: things})

    done = after(state, *(f"0: {line}" for line in lines))

    assert 0 == step_of(done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-056")
@pytest.mark.parametrize("lines", [["skip"], ["act harvest", "harvest"]])
def test_no_time_is_spent_on_the_well(lines):
    state = position(things={0: {"pink": 3}})

    done = after(state, "0: well pink pink pink", *(f"0: {line}" for line in lines))

    assert 0 == step_of(done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-057")
def test_the_life_track_has_ten_steps_by_our_table():
    assert 10 == COMPONENTS.life.steps


@pytest.mark.rule("V-057")
def test_the_tenth_unit_of_time_passes_the_bridge():
    lap = COMPONENTS.life.steps
    short = space_with("travel", step={0: lap - PLAGUE - 1})
    just = space_with("travel", step={0: lap - PLAGUE})

    alive = after(short, "0: take plague travel")
    dead, events = play(just, "0: take plague travel")

    assert ("village.bridge", {"seat": 0}) in told(events)
    assert (lap - 1, [1, 1, 1, 1]) == (step_of(alive), numbers_at(alive, 0, "farmyard"))
    assert (0, [1, 1, 1]) == (step_of(dead), numbers_at(dead, 0, "farmyard"))


@pytest.mark.rule("V-058")
def test_time_beyond_the_bridge_is_kept():
    state = acting("crafts", step={0: 8})

    state = after(state, "0: train wainwright 1", "0: make wagon", "0: bury farmyard")

    assert 2 == 8 + WAINWRIGHT.train + WAINWRIGHT.make - COMPONENTS.life.steps
    assert 2 == step_of(state)
    assert 3 == len(numbers_at(state, 0, "farmyard") + numbers_at(state, 0, "wainwright"))


@pytest.mark.rule("V-059")
def test_the_dearest_turn_costs_eight_time_by_our_table():
    dearest = max(building.train + building.make for building in COMPONENTS.buildings)

    assert 8 == PLAGUE + dearest == PLAGUE + STABLES.train + STABLES.make
    assert COMPONENTS.life.steps > PLAGUE + dearest


@pytest.mark.rule("V-059")
@pytest.mark.parametrize(("lap", "start", "deaths", "step"), [(10, 9, 1, 7), (5, 4, 2, 2), (4, 3, 2, 3), (3, 2, 3, 1)])
def test_as_many_die_as_the_bridge_is_passed(lap, start, deaths, step):
    components = replace(COMPONENTS, life=replace(COMPONENTS.life, steps=lap))
    spots = {"farmyard": [1, 1, 1, 1, 2]}
    state = space_with("crafts", family={0: spots}, step={0: start}, components=components)

    state, events = play(state, "0: take plague crafts", "0: train stables 2", "0: make ox")

    assert step == step_of(state)
    assert deaths == keys(events).count("village.bridge") == keys(events).count("village.chronicled")
    assert 4 - deaths == numbers_at(state, 0, "farmyard").count(1)
    assert [2] == numbers_at(state, 0, "stables")
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-060")
def test_time_can_always_be_paid():
    family = {0: {"farmyard": [1], "stage-1": [1], "ford": [1]}}
    things = {0: RICH | {"grain": 2}}

    for space, wanted in (
        ("crafts", {"train", "mill"}),
        ("council", {"enter", "advance"}),
        ("travel", {"depart", "travel"}),
        ("church", {"pray"}),
    ):
        state = acting(space, family=family, things=things, step={0: COMPONENTS.life.steps - 1})
        assert wanted <= verbs(state)
    assert "pray 1 time" in texts(state)


@pytest.mark.rule("V-061")
def test_one_visible_member_with_the_lowest_number_dies():
    state = dying({"farmyard": [1, 1], "office": [2]})

    assert {"farmyard": [1], "office": [2], "chronicle-farmyard": [1]} == visible(
        state, 0, "farmyard", "office", "chronicle-farmyard"
    )


@pytest.mark.rule("V-061")
@pytest.mark.parametrize(("spots", "victim"), [({"ford": [3], "office": [2], "farmyard": [4]}, 2), ({"ford": [4]}, 4)])
def test_the_lowest_number_dies_wherever_it_stands(spots, victim):
    state = dying(spots)

    alive = [number for spot in spots for number in numbers_at(state, 0, spot)]
    assert sorted(number for numbers in spots.values() for number in numbers) == sorted([*alive, victim])


@pytest.mark.rule("V-062")
def test_the_player_chooses_among_members_with_the_lowest_number():
    state = dying({"farmyard": [1], "office": [1], "smithy": [2]})

    assert (0, "village.death") == owed(state)
    assert {"number": 1} == dict(RULESET.pending(state)[0].fields)
    assert ["bury farmyard", "bury office"] == sorted(texts(state))
    assert "bury.nobody" == refusal(state, "0: bury smithy")[0]
    state = after(state, "0: bury office")
    assert {"farmyard": [1], "office": [], "chronicle-crafts": [1]} == visible(
        state, 0, "farmyard", "office", "chronicle-crafts"
    )


@pytest.mark.rule("V-063")
@pytest.mark.parametrize("spot", ["farmyard", "smithy", "ford", "stage-4", "window-2"])
def test_members_on_the_farmyard_or_the_board_can_die(spot):
    state = dying({spot: [1], "bag": [1], "office": [2]})

    assert [] == numbers_at(state, 0, spot)
    assert [1] == numbers_at(state, 0, "bag")


@pytest.mark.rule("V-063", "V-064")
def test_with_every_one_in_the_bag_and_a_two_at_home_the_two_dies():
    state = dying({"bag": [1, 1, 1, 1], "farmyard": [2]})

    assert {"bag": [1, 1, 1, 1], "chronicle-farmyard": [2]} == visible(state, 0, "bag", "chronicle-farmyard")


@pytest.mark.rule("V-064")
def test_unborn_members_cannot_die():
    state = dying({"farmyard": [4]})

    assert [1, 1, 1, 1, 2, 2, 2, 3, 3, 4] == numbers_at(state, 0, "unborn")
    assert [4] == numbers_at(state, 0, "chronicle-farmyard")


@pytest.mark.rule("V-065")
def test_the_action_is_finished_before_the_victim_is_named():
    state = space_with("crafts", family={0: {"farmyard": [1, 1], "office": [1]}}, step={0: 9})

    taken = after(state, "0: take plague crafts")

    assert (0, "village.crafts") == owed(taken)
    assert 0 == step_of(taken) - 1
    done = after(taken, "0: make scroll")
    assert {"scroll": 1} == things_of(done, 0)
    assert (0, "village.death") == owed(done)


@pytest.mark.rule("V-066")
def test_nobody_is_dead_before_the_end_of_the_turn_and_the_victim_dies_where_he_then_stands():
    state = acting("crafts", family={0: {"farmyard": [1]}}, step={0: 9})

    trained = after(state, "0: train smithy 1")

    assert {"smithy": [1], "chronicle-farmyard": []} == visible(trained, 0, "smithy", "chronicle-farmyard")
    assert "make plow" in texts(trained)
    done = after(trained, "0: make plow")
    assert {"smithy": [], "chronicle-crafts": [1]} == visible(done, 0, "smithy", "chronicle-crafts")
    assert 1 == things_of(done, 0)["plow"]


@pytest.mark.rule("V-067")
def test_a_member_born_this_turn_may_die():
    state = space_with("family", family={0: {"bag": [1, 1, 1, 1]}}, step={0: 9})

    state = after(state, "0: take plague family", "0: birth")

    assert [2] == numbers_at(state, 0, "chronicle-farmyard")


@pytest.mark.rule("V-067")
def test_a_member_brought_home_this_turn_may_die():
    state = space_with("family", family={0: {"office": [1], "smithy": [1]}}, step={0: 9})

    state = after(state, "0: take plague family", "0: home office 1")

    assert ["bury farmyard", "bury smithy"] == sorted(texts(state))


@pytest.mark.rule("V-068")
def test_a_member_put_into_the_bag_this_turn_does_not_die():
    state = acting("church", family={0: {"farmyard": [1, 2]}}, step={0: 9})

    state = after(state, "0: pray 1 time")

    assert {"bag": [1], "chronicle-farmyard": [2]} == visible(state, 0, "bag", "chronicle-farmyard")


@pytest.mark.rule("V-069")
def test_on_a_market_day_the_victim_is_named_before_the_next_seat_sells():
    things = {0: {"wagon": 1}, 1: {"scroll": 1, "green": 1}, 2: {"plow": 1, "green": 1}}
    family = {1: {"farmyard": [1], "office": [1]}}
    state = acting("market", seats=3, things=things, family=family, step={1: 9}, stalls=["wagon", "scroll", "plow"])

    sold = after(state, "0: sell wagon", "1: sell scroll green")

    assert (1, "village.death") == owed(sold)
    assert (2, "village.market") == owed(after(sold, "1: bury office"))


@pytest.mark.rule("V-070", "V-071")
@pytest.mark.parametrize(
    ("spot", "section"),
    [
        ("stage-1", "council"),
        ("stage-4", "council"),
        ("wainwright", "crafts"),
        ("stables", "crafts"),
        ("office", "crafts"),
        ("smithy", "crafts"),
        ("ford", "travel"),
        ("vineyard", "travel"),
        ("window-1", "church"),
        ("window-4", "church"),
        ("farmyard", "farmyard"),
    ],
)
def test_the_dead_must_take_a_place_in_the_section_of_where_they_stood(spot, section):
    state = dying({spot: [1], "bag": [2]})

    assert [1] == numbers_at(state, 0, f"chronicle-{section}")
    assert [] == numbers_at(state, 0, "grave")
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-072")
def test_where_the_section_is_full_the_dead_go_to_a_grave():
    family = crowded(2, {"travel": 0}, {0: {"ford": [1]}})

    state, events = play(space_with("travel", family=family, step={0: 9}), "0: take plague travel")

    assert [1] == numbers_at(state, 0, "grave")
    assert ("village.buried", {"seat": 0, "number": 1, "spot": "ford"}) in told(events)


@pytest.mark.rule("V-073")
@pytest.mark.parametrize(("spot", "resting"), [("smithy", "grave"), ("stage-1", "chronicle-council")])
def test_a_place_in_another_section_does_not_help(spot, resting):
    family = crowded(2, {"crafts": 0, "council": 1}, {0: {"smithy": [1], "stage-1": [1]}})

    state = after(dying(family[0], family=family), f"0: bury {spot}")

    assert numbers_at(state, 0, resting).count(1) == 1
    assert [] == numbers_at(state, 0, spot)


@pytest.mark.rule("V-074")
def test_the_dead_never_come_back():
    dead = {"chronicle-crafts": [1], "chronicle-church": [1], "grave": [1], "removed": [1]}

    state = acting("family", family={0: {**dead, "office": [2]}})

    assert ["birth", "home office 2", "skip"] == sorted(texts(state))
    assert [2] == numbers_at(after(state, "0: birth"), 0, "farmyard")


@pytest.mark.rule("V-074")
def test_the_dead_count_only_in_the_chronicle():
    dead = {"chronicle-crafts": [1], "chronicle-church": [1], "chronicle-council": [1], "grave": [1], "removed": [2]}

    state = scored(family={0: dead, 1: {"farmyard": [1]}})

    chronicle = COMPONENTS.scoring.chronicle[3]
    expected = dict.fromkeys(parts(state), 0) | {"chronicle": chronicle}
    assert expected == parts(state)


@pytest.mark.rule("V-074")
def test_the_dead_bring_in_no_harvest():
    state = position(family={0: {"chronicle-farmyard": [1], "grave": [1]}})

    state = after(state, "0: take orange harvest")

    assert (1, "village.turn") == owed(state)
    assert {"orange": 1} == things_of(state, 0)


@pytest.mark.rule("V-075")
@pytest.mark.parametrize("spots", [{"office": [1], "farmyard": [2]}, {"office": [1, 1, 1], "farmyard": [2]}])
def test_a_death_that_leaves_no_choice_is_settled_unasked(spots):
    state = dying(spots)

    assert (1, "village.turn") == owed(state)
    assert [1] == numbers_at(state, 0, "chronicle-crafts")


@pytest.mark.rule("V-075")
@pytest.mark.parametrize(
    ("one", "other"),
    [("office", "smithy"), ("ford", "abbey"), ("stage-1", "stage-2"), ("window-1", "window-2"), ("farmyard", "office")],
)
def test_two_candidates_on_different_spots_are_a_choice(one, other):
    state = dying({one: [1], other: [1]})

    assert (0, "village.death") == owed(state)
    assert sorted([f"bury {one}", f"bury {other}"]) == sorted(texts(state))
