"""Rules V-132 to V-146: travel."""

import pytest
from msgspec.structs import replace

from engine.village.components import CITIES
from tests.engine.village.positions import (
    COMPONENTS,
    numbers_at,
    owed,
    play,
    refusal,
    supply_of,
    texts,
    things_of,
    told,
)
from tests.engine.village.ruling import (
    RICH,
    acting,
    after,
    change,
    dying,
    parts,
    road,
    scored,
    starting,
    step_of,
    supply_change,
    toll,
    visible,
)

FIRST = ("ford", "abbey")
"""The two cities next to the village."""

A, B, C, D, E, F = CITIES
"""The cities as the rules name them."""


def travelling(*origin, **values):
    """Seat 0, rich, is asked where to travel; with travellers on *origin*."""
    spots = {"farmyard": [1], **{city: [2] for city in origin}}
    return acting("travel", **{"family": {0: spots}, "things": {0: RICH}, **values})


def cost_of(one, other):
    """What the road takes from its traveller, as a change."""
    price = road(one, other)
    return {colour: -price.cubes.count(colour) for colour in price.cubes} | {"wagon": -price.wagons}


def goals(state):
    """The cities that can be reached, with the verb that leads there."""
    return {(text.split(" ")[0], text.split(" ")[-4]) for text in starting(state, "depart", "travel")}


@pytest.mark.rule("V-132")
def test_the_first_traveller_goes_to_one_of_the_two_cities_next_to_the_village():
    state = travelling()

    assert {("depart", city) for city in FIRST} == goals(state)
    done = after(state, f"0: depart abbey 1 {toll('village', 'abbey')}")
    assert {"abbey": [1], "farmyard": []} == visible(done, 0, "abbey", "farmyard")


@pytest.mark.rule("V-132")
@pytest.mark.parametrize("city", [city for city in CITIES if city not in FIRST])
def test_no_other_city_is_reached_from_the_village(city):
    state = travelling()

    assert "travel.no-road" == refusal(state, f"0: depart {city} 1 brown brown")[0]


@pytest.mark.rule("V-133")
@pytest.mark.parametrize(("city", "colour", "other"), [("ford", "brown", "pink"), ("abbey", "pink", "brown")])
def test_a_first_leg_costs_two_time_a_wagon_and_two_cubes_of_the_road(city, colour, other):
    state = travelling()

    done = after(state, f"0: depart {city} 1 {colour} {colour}")

    assert {colour: -2, "wagon": -1} == change(state, done)
    assert 2 == step_of(done)
    assert "price.payment" == refusal(state, f"0: depart {city} 1 {other} {other}")[0]
    assert "price.payment" == refusal(state, f"0: depart {city} 1 {colour}")[0]


@pytest.mark.rule("V-133")
@pytest.mark.parametrize("short", ["wagon", "brown"])
def test_a_leg_that_lacks_anything_is_not_begun(short):
    state = travelling(things={0: {"wagon": 1, "brown": 2, "pink": 1} | {short: {"wagon": 0, "brown": 1}[short]}})

    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-133", "V-137")
def test_a_road_that_wants_two_wagons_is_not_open_for_one():
    roads = tuple(replace(leg, wagons=2 if leg.id == "village-abbey" else 1) for leg in COMPONENTS.roads)
    state = travelling(things={0: RICH | {"wagon": 1}}, components=replace(COMPONENTS, roads=roads))

    assert {("depart", "ford")} == goals(state)
    assert "price.short" == refusal(state, f"0: depart abbey 1 {toll('village', 'abbey')}")[0]


@pytest.mark.rule("V-134")
@pytest.mark.parametrize("city", FIRST)
def test_both_first_cities_give_three_points_at_once(city):
    state = travelling()

    done = after(state, f"0: depart {city} 1 {toll('village', city)}")

    assert 3 == COMPONENTS.city(city).points == done.families[0].prestige
    assert 0 == done.families[1].prestige


@pytest.mark.rule("V-135")
def test_with_a_traveller_out_one_more_may_go_or_one_may_move_on():
    state = travelling("castle")

    assert {("depart", city) for city in FIRST} | {("travel", city) for city in (A, D, E)} == goals(state)
    gone = after(state, f"0: depart ford 1 {toll('village', 'ford')}")
    assert {"ford": [1], "castle": [2]} == visible(gone, 0, "ford", "castle")
    moved = after(state, f"0: travel castle quarry 2 {toll('castle', 'quarry')}")
    assert {"farmyard": [1], "castle": [], "quarry": [2]} == visible(moved, 0, "farmyard", "castle", "quarry")


@pytest.mark.rule("V-136")
@pytest.mark.parametrize("one", CITIES)
def test_a_leg_joins_two_cities_of_one_road_in_either_direction(one):
    state = travelling(one)

    neighbours = {end for road in COMPONENTS.roads for end in road.ends if one in road.ends} - {one, "village"}
    assert {("travel", city) for city in neighbours} == {goal for goal in goals(state) if goal[0] == "travel"}
    for city in neighbours:
        assert [2] == numbers_at(after(state, f"0: travel {one} {city} 2 {toll(one, city)}"), 0, city)


@pytest.mark.rule("V-136")
def test_no_city_is_skipped_and_one_action_is_one_leg():
    state = travelling("ford")

    assert "travel.no-road" == refusal(state, "0: travel ford harbour 2 brown brown")[0]
    done = after(state, f"0: travel ford castle 2 {toll('ford', 'castle')}", "0: choose pink pink")
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-137")
@pytest.mark.parametrize("ends", [road.ends for road in COMPONENTS.roads if "village" not in road.ends], ids="-".join)
def test_a_later_leg_costs_what_its_road_shows(ends):
    one, other = ends
    state = travelling(one, cities={0: CITIES})

    done = after(state, f"0: travel {one} {other} 2 {toll(one, other)}")

    assert cost_of(one, other) == change(state, done)
    assert road(one, other).time == step_of(done)


@pytest.mark.rule("V-137")
def test_every_leg_by_our_table_costs_two_time_a_wagon_and_two_cubes_of_one_colour():
    for leg in COMPONENTS.roads:
        assert (2, 1, 2, 1) == (leg.time, leg.wagons, len(leg.cubes), len(set(leg.cubes)))
        assert leg.cubes[0] in ("brown", "pink", "orange")


@pytest.mark.rule("V-138")
@pytest.mark.parametrize("city", COMPONENTS.cities, ids=lambda city: city.id)
def test_a_city_gives_points_a_coin_or_two_cubes(city):
    origin = {A: B, B: A, C: A, D: B, E: C, F: D}[city.id]
    state = travelling(origin)

    done, events = play(state, f"0: travel {origin} {city.id} 2 {toll(origin, city.id)}")

    assert (city.points, city.coins, city.cubes) in [(3, 0, 0), (0, 1, 0), (0, 0, 2)]
    reward = {"points": city.points, "coins": city.coins, "count": city.cubes}
    told_reward = [fields for key, fields in told(events) if key.startswith("village.city-")]
    assert [{"seat": 0, "city": city.id} | {name: n for name, n in reward.items() if n}] == told_reward
    assert city.points == done.families[0].prestige
    gained = {"coin": city.coins} if city.coins else {}
    assert cost_of(origin, city.id) | gained == change(state, done)
    assert (0, "village.cubes") == owed(done) if city.cubes else (1, "village.turn") == owed(done)


@pytest.mark.rule("V-139")
def test_the_map_by_our_table():
    roads = {tuple(sorted(leg.ends)): leg.cubes[0] for leg in COMPONENTS.roads}
    expected = {
        ("village", A): "brown", (B, D): "brown", (C, E): "brown",
        ("village", B): "pink", (A, C): "pink", (D, F): "pink",
        (A, B): "orange", (C, D): "orange", (E, F): "orange",
    }  # fmt: skip

    assert {tuple(sorted(ends)): colour for ends, colour in expected.items()} == roads
    assert [(0, 2), (0, 2)] == [(COMPONENTS.city(city).coins, COMPONENTS.city(city).cubes) for city in (C, E)]
    assert [(1, 0), (1, 0)] == [(COMPONENTS.city(city).coins, COMPONENTS.city(city).cubes) for city in (D, F)]


@pytest.mark.rule("V-140")
def test_a_city_reached_for_the_first_time_gets_a_marker_and_gives_its_reward():
    state = travelling("abbey", cities={0: ["abbey"]})

    done = after(state, f"0: travel abbey quarry 2 {toll('abbey', 'quarry')}")

    assert {"abbey", "quarry"} == set(done.families[0].cities)
    assert 1 == things_of(done, 0)["coin"]


@pytest.mark.rule("V-141")
@pytest.mark.parametrize(("origin", "city"), [("ford", "castle"), ("abbey", "quarry"), ("ford", "abbey")])
def test_a_city_with_an_own_marker_costs_as_much_and_gives_nothing(origin, city):
    state = travelling(origin, cities={0: [city]})

    done = after(state, f"0: travel {origin} {city} 2 {toll(origin, city)}")

    assert cost_of(origin, city) == change(state, done)
    assert road(origin, city).time == step_of(done)
    assert (city,) == done.families[0].cities
    assert 0 == done.families[0].prestige
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-142")
@pytest.mark.parametrize(("choice", "gained"), [("pink pink", {"pink": 2}), ("brown green", {"brown": 1, "green": 1})])
def test_the_two_cubes_of_a_city_may_be_alike_or_different(choice, gained):
    state = after(travelling("ford"), f"0: travel ford castle 2 {toll('ford', 'castle')}")

    done = after(state, f"0: choose {choice}")

    assert gained == change(state, done)
    assert {colour: -count for colour, count in gained.items()} == supply_change(state, done)


@pytest.mark.rule("V-142")
def test_the_two_cubes_of_a_city_are_never_plague():
    state = after(travelling("ford"), f"0: travel ford castle 2 {toll('ford', 'castle')}")

    assert 6 == supply_of(state)["plague"]
    assert 10 == len(texts(state))
    assert not [text for text in texts(state) if "plague" in text]
    assert "cubes.second" == refusal(state, "0: choose pink")[0]


@pytest.mark.rule("V-143")
def test_a_city_is_shared_and_the_marker_of_another_takes_no_reward_away():
    family = {0: {"farmyard": [1], "ford": [1, 1, 2]}, 1: {"ford": [1, 1, 2, 3]}}
    state = acting("travel", family=family, things={0: RICH}, cities={1: ["ford"]})

    done = after(state, f"0: depart ford 1 {toll('village', 'ford')}")

    assert [1, 1, 1, 2] == numbers_at(done, 0, "ford")
    assert [("ford",), ("ford",)] == [one.cities for one in done.families]
    assert 3 == done.families[0].prestige


@pytest.mark.rule("V-144")
@pytest.mark.parametrize("city", FIRST)
def test_no_leg_leads_back_into_the_village(city):
    state = travelling(city)

    assert "village" not in {goal for _, goal in goals(state)}
    assert city not in {goal for verb, goal in goals(state) if verb == "travel"}


@pytest.mark.rule("V-145")
def test_markers_stay_and_score_when_the_traveller_dies():
    state = dying({"ford": [1]}, cities={0: ["ford", "castle"]})

    assert [] == numbers_at(state, 0, "ford")
    assert ("ford", "castle") == state.families[0].cities
    assert COMPONENTS.scoring.cities[2] == parts(state)["travel"]


@pytest.mark.rule("V-145")
def test_markers_stay_and_score_when_the_traveller_goes_home():
    state = acting("family", family={0: {"ford": [1]}}, cities={0: ["ford", "castle"]})

    state = after(state, "0: home ford 1")

    assert ("ford", "castle") == state.families[0].cities
    assert COMPONENTS.scoring.cities[2] == parts(state)["travel"]
    assert 3 == parts(scored(cities={0: state.families[0].cities}))["travel"]


@pytest.mark.rule("V-146")
def test_with_no_traveller_left_the_next_starts_again_without_a_reward():
    state = travelling(cities={0: ["ford", "castle"]})

    assert {("depart", city) for city in FIRST} == goals(state)
    done = after(state, f"0: depart ford 1 {toll('village', 'ford')}")
    assert 0 == done.families[0].prestige
    assert cost_of("village", "ford") == change(state, done)
    assert ("ford", "castle") == done.families[0].cities
    assert 3 == after(state, f"0: depart abbey 1 {toll('village', 'abbey')}").families[0].prestige


@pytest.mark.rule("V-135", "V-144")
def test_a_traveller_of_another_family_does_not_move():
    state = travelling(family={0: {"farmyard": [1]}, 1: {"castle": [2]}})

    assert "travel.nobody" == refusal(state, f"0: travel castle quarry 2 {toll('castle', 'quarry')}")[0]
    assert {"depart", "skip"} == {text.split(" ")[0] for text in texts(state)}
