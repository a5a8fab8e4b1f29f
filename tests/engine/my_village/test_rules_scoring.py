"""Rules M-226 to M-237: scoring."""

import pytest
from msgspec.structs import replace

from engine.my_village.components import CHAMBERS, CHURCHES, CUSTOMERS, GOODS, JOURNEYS, MEETING, MONKS
from engine.my_village.state import Village
from tests.engine.my_village.games import game, rich
from tests.engine.my_village.positions import COMPONENTS, after, ended, keys, owed, told
from tests.engine.my_village.ruling import customer, dying, parts, points, ranks, rolled, window

NOTHING = {
    "religion": 0, "council": 0, "fields": 0, "travel": 0, "market": 0, "stories": 0, "labourers": 0, "hand": 0
}  # fmt: skip


def scored(mine=None, **values) -> dict[str, int]:
    """The points of seat 0 by source at the end of a game in which another has the hand tile; without the zeros."""
    state = ended(mine=mine, **{"holder": 1, **values})
    assert list(NOTHING) == list(parts(state))
    return {name: number for name, number in parts(state).items() if number}


def kinds(monks: int) -> dict[str, int]:
    """So many monk cards, as few kinds as possible."""
    count = COMPONENTS.monk[MONKS[0]].count
    return {kind: min(count, max(0, monks - count * at)) for at, kind in enumerate(MONKS)}


@pytest.mark.rule("M-226")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_village_is_scored_by_itself(seats):
    for number in range(8):
        state = rich(seats, number)
        for seat in range(seats):
            villages = tuple(one if at == seat else Village() for at, one in enumerate(state.villages))
            alone = replace(state, villages=villages)
            assert parts(state, seat) == parts(alone, seat)


@pytest.mark.rule("M-226")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_points_are_counted_from_what_is_there_at_the_end(seats):
    records = game(seats, 1)
    last = records[-1].position.state

    winners = tuple(seat for seat, rank in enumerate(ranks(last)) if rank == 1)
    assert ("my.over", {"winners": winners}) == told(records[-1].events)[-1]
    assert not any("my.over" in keys(record.events) for record in records[:-1])
    assert owed(last) is None


@pytest.mark.rule("M-226")
def test_points_that_were_there_before_the_end_may_be_gone_then():
    chamber = COMPONENTS.chamber["population-chamber"]
    state = dying({"chamber": chamber.id, "mark": "abbot"}, turns=(), graves=30)
    assert chamber.points + chamber.gift == parts(state)["council"]

    state = rolled(after(state, "bury abbot"))

    assert owed(state) is None
    assert chamber.points == parts(state)["council"]


@pytest.mark.rule("M-227")
@pytest.mark.parametrize("church", CHURCHES)
@pytest.mark.parametrize("cards", range(7))
def test_religion_counts_the_church_and_the_monks_at_the_window(church, cards):
    card = COMPONENTS.church[church]

    expected = card.points + window(cards + card.monks)
    assert {"religion": expected} == scored({"church": church, "monks": kinds(cards)})


@pytest.mark.rule("M-227")
def test_the_points_of_the_window_by_our_table():
    assert (0, 2, 4, 7, 10, 14, 20) == COMPONENTS.window.points


@pytest.mark.rule("M-228")
@pytest.mark.parametrize("monks", range(1, 13))
def test_the_points_of_the_window_are_not_added_up_and_more_than_six_count_as_six(monks):
    base = COMPONENTS.church["trade-church"].points
    table = COMPONENTS.window.points

    assert base + table[min(monks, 6)] == scored({"church": "trade-church", "monks": kinds(monks)})["religion"]
    assert 7 == len(table)


@pytest.mark.rule("M-229")
@pytest.mark.parametrize("chamber", CHAMBERS)
@pytest.mark.parametrize("meeting", [False, True])
def test_council_counts_meeting_place_and_chamber_with_its_bonus(chamber, meeting):
    card = COMPONENTS.chamber[chamber]
    mark, bonus = {"area-chamber": ("harvest", 2), "population-chamber": ("abbot", 1)}.get(chamber, ("", 0))
    mine = {"chamber": chamber, "mark": mark, "fields": 2, "meeting": meeting, "tile": MEETING if meeting else ""}

    expected = card.points + (card.gift * bonus if bonus else 0) + meeting * COMPONENTS.meeting_place.points
    assert {"council": expected, "fields": 2 * COMPONENTS.field.points} == scored(mine)


@pytest.mark.rule("M-229")
def test_council_counts_a_meeting_place_alone():
    assert {"council": COMPONENTS.meeting_place.points} == scored({"meeting": True, "tile": "play"})


@pytest.mark.rule("M-230")
@pytest.mark.parametrize("fields", range(9))
def test_fields_count_one_point_each(fields):
    assert 1 == COMPONENTS.field.points
    assert fields == scored({"fields": fields}).get("fields", 0)


@pytest.mark.rule("M-231")
@pytest.mark.parametrize("card", JOURNEYS)
def test_travel_counts_the_points_of_the_cards(card):
    first = COMPONENTS.journey["journey-a2"]
    before = () if card == first.id else (first.id,)

    expected = COMPONENTS.journey[card].points + sum(COMPONENTS.journey[one].points for one in before)
    assert {"travel": expected} == scored({"journeys": (*before, card)})


@pytest.mark.rule("M-232")
@pytest.mark.parametrize("name", CUSTOMERS)
def test_market_counts_served_customers_and_no_others(name):
    other = "market-1" if name != "market-1" else "market-2"
    expected = COMPONENTS.customer[name].points + COMPONENTS.customer[other].points

    assert {"market": expected} == scored({"served": (name, other)})
    assert {"market": COMPONENTS.customer[other].points} == scored({"served": (other,), "customers": (name,)})
    assert {} == scored({"customers": (name,)})


@pytest.mark.rule("M-233")
@pytest.mark.parametrize("store", [0, 1, 9, 40])
def test_stories_count_in_the_house_and_not_on_the_tree_or_the_hand_tile(store):
    expected = {"stories": store} if store else {}

    assert expected == scored({"store": store, "tree": 7})
    assert expected | {"hand": COMPONENTS.hand.points} == scored({"store": store, "tree": 7}, holder=0, heap=5)


@pytest.mark.rule("M-234")
@pytest.mark.parametrize("tiles", [1, 2, 5])
def test_day_labourers_cost_points_and_a_total_may_be_negative(tiles):
    state = ended(mine={"labourers": tiles, "store": 3}, holder=1)

    assert -5 * tiles == tiles * COMPONENTS.labourer.points == parts(state)["labourers"]
    assert 3 - 5 * tiles == points(state) < 0
    assert [2, 1] == ranks(state)


@pytest.mark.rule("M-235")
@pytest.mark.parametrize("palm", [True, False])
@pytest.mark.parametrize("holder", [0, 1, 2])
def test_the_hand_tile_counts_for_its_holder_whichever_side_is_up(palm, holder):
    state = ended(seats=3, holder=holder, palm=palm)

    assert 1 == COMPONENTS.hand.points
    assert [int(seat == holder) for seat in range(3)] == [parts(state, seat)["hand"] for seat in range(3)]
    assert [int(seat == holder) for seat in range(3)] == [points(state, seat) for seat in range(3)]


@pytest.mark.rule("M-236")
def test_buildings_goods_coins_pupils_and_villagers_count_nothing_by_themselves():
    crafts = tuple(f"{good}-1" for good in GOODS)
    mine = {"crafts": crafts, "goods": dict.fromkeys(GOODS, 4), "coins": 9, "left": True, "right": True, "tree": 5}

    assert {} == scored(mine)
    assert {} == scored({**mine, "villagers": ("abbot",), "customers": CUSTOMERS[:4], "headman": "stories"})


@pytest.mark.rule("M-237")
def test_example_of_a_total():
    served = (customer(8, "scroll"), customer(9, "scroll", "beer"))
    assert ("market-2", "market-11") == served
    mine = {
        "church": "trade-church",
        "monks": {"almoner": 1, "chronicler": 2},
        "meeting": True,
        "tile": "play",
        "chamber": "monetary-chamber",
        "fields": 2,
        "journeys": ("journey-a1", "journey-b2"),
        "served": served,
        "store": 9,
        "labourers": 1,
        "tree": 8,
        "coins": 3,
    }
    tables = COMPONENTS

    state = ended(mine=mine, holder=0)

    expected = {
        "religion": tables.church["trade-church"].points + tables.window.points[3],
        "council": tables.meeting_place.points + tables.chamber["monetary-chamber"].points,
        "fields": 2,
        "travel": tables.journey["journey-a1"].points + tables.journey["journey-b2"].points,
        "market": sum(tables.customer[name].points for name in served),
        "stories": 9,
        "labourers": -5,
        "hand": 1,
    }
    assert expected == parts(state)
    assert sum(expected.values()) == points(state)


@pytest.mark.rule("M-237")
def test_the_total_of_the_example_by_our_table():
    tables = COMPONENTS
    assert [2, 7, 3, 4, 2, 4, 5, 7] == [
        tables.church["trade-church"].points,
        tables.window.points[3],
        tables.meeting_place.points,
        tables.chamber["monetary-chamber"].points,
        tables.journey["journey-a1"].points,
        tables.journey["journey-b2"].points,
        tables.customer["market-2"].points,
        tables.customer["market-11"].points,
    ]
    assert 41 == 2 + 7 + 3 + 4 + 2 + 2 + 4 + 5 + 7 + 9 - 5 + 1
