"""Rules M-174 to M-187: meeting place and 2/12 tile."""

import pytest

from engine.my_village.components import FIELD, GOODS, MEETING
from engine.my_village.state import FACES
from tests.engine.my_village.positions import COMPONENTS, after, keys, owed, play, position, refusal, texts, told
from tests.engine.my_village.ruling import (
    TILE,
    TOTALS,
    asked,
    building,
    buys,
    customer,
    faces,
    having,
    hours,
    whites,
    work,
)

PLACE = COMPONENTS.meeting_place
OWNED = {"meeting": True, "tile": MEETING}
PAIRS = [(low, high) for low in FACES for high in FACES if low <= high]
BREWERY = building("beer", 8)
SINGLE = customer(8, "beer")
FLAGS = {
    "play": ({}, "play", COMPONENTS.boards.play[0]),
    "school": ({}, "enrol", COMPONENTS.school.white),
    "beer": ({"crafts": (BREWERY,)}, "make beer", COMPONENTS.craft[BREWERY].white),
    FIELD: ({"fields": 1}, "farm", COMPONENTS.field.white),
    SINGLE: ({"customers": (SINGLE,), "goods": {"beer": 1}}, f"serve {SINGLE}", COMPONENTS.customer[SINGLE].white),
    MEETING: ({}, "meeting", PLACE.white),
}
"""The flag -> what its owner has, how it is used, and its own numbers; on the first village board."""

EVERYTHING = {
    "crafts": tuple(building(good, 8) for good in GOODS),
    "goods": dict.fromkeys(GOODS, 3),
    "fields": 2,
    "customers": ("market-1", "market-3", "market-21"),
    "villagers": ("councilman", "craftsman", "merchant"),
}


def met(dice, mine, old=None, new=None, **values):
    """The position after seat 0 has used its meeting place, and has set the die *old* to *new* if these are given."""
    state = after(position(dice=dice, mine={**OWNED, **mine}, **values), "meeting")
    return state if old is None else after(state, f"set {old} {new}")


@pytest.mark.rule("M-174")
@pytest.mark.parametrize("total", TOTALS)
def test_a_meeting_place_is_bought_with_its_number_for_its_hours(total):
    state = having(total)

    if total not in PLACE.black:
        assert MEETING not in buys(state)
        expected = {"flag": MEETING, "numbers": PLACE.black, "total": total}
        assert ("flag.number", expected) == refusal(state, f"buy {MEETING}")
        return
    done, events = play(state, f"buy {MEETING}")
    assert PLACE.hours == hours(done)
    assert ("my.bought", {"seat": 0, "card": MEETING, "hours": PLACE.hours}) in told(events)
    assert done.villages[0].meeting
    assert PLACE.count - 1 == done.meetings


@pytest.mark.rule("M-174")
def test_a_second_meeting_place_cannot_be_bought():
    state = having(PLACE.black[0], mine=OWNED)

    assert MEETING not in buys(state)
    assert ("buy.owned", {"card": MEETING, "owned": MEETING}) == refusal(state, f"buy {MEETING}")
    assert MEETING in buys(having(PLACE.black[0], others={1: OWNED}))


@pytest.mark.rule("M-174")
def test_a_meeting_place_needs_a_living_councilman_and_nobody_else():
    others = ("abbot", "traveller", "craftsman", "merchant")
    dead = having(PLACE.black[0], mine={"villagers": others})

    assert ("villager.missing", {"profession": "councilman"}) == refusal(dead, f"buy {MEETING}")
    assert MEETING not in buys(dead)
    assert MEETING in buys(having(PLACE.black[0], mine={"villagers": ("councilman",)}))


@pytest.mark.rule("M-175")
def test_the_buyer_of_a_meeting_place_lays_the_tile_on_any_white_flag_of_the_own_village():
    state = after(having(PLACE.black[0], mine=EVERYTHING), f"buy {MEETING}")

    assert (0, "my.tile") == asked(state)
    places = [MEETING, "play", "school", *GOODS, FIELD, *EVERYTHING["customers"]]
    assert [f"tile {flag}" for flag in places] == texts(state)
    for flag in places:
        done, events = play(state, f"tile {flag}")
        assert flag == done.villages[0].tile
        assert ("my.tile", {"seat": 0, "flag": flag}) in told(events)
        assert (1, "my.total") == asked(done)


@pytest.mark.rule("M-175")
def test_the_tile_is_not_laid_on_what_others_have_or_what_was_served_or_lies_open():
    state = having(
        PLACE.black[0], mine={"served": ("market-2",)}, others={1: EVERYTHING}, display=["market-4", "market-5"]
    )
    state = after(state, f"buy {MEETING}")

    assert [f"tile {flag}" for flag in (MEETING, "play", "school")] == texts(state)
    for flag in (*GOODS, FIELD, "market-1", "market-2", "market-4"):
        assert ("tile.not-yours", {"flag": flag}) == refusal(state, f"tile {flag}")


@pytest.mark.rule("M-176")
@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("tiled", [False, True])
def test_the_flag_with_the_tile_answers_to_its_own_numbers_and_to_those_of_the_tile(flag, tiled):
    mine, line, own = FLAGS[flag]
    elsewhere = "school" if flag == "play" else "play"

    for total in TOTALS:
        state = having(total, mine={"meeting": True, "tile": flag if tiled else elsewhere, **mine})
        answers = (*own, *(TILE if tiled else ()))
        assert (total in answers) == (line in whites(state)), total
        assert ("" if total in answers else "flag.number") == refusal(state, line)[0]


@pytest.mark.rule("M-176")
def test_the_numbers_of_the_tile_are_two_and_twelve():
    assert (2, 12) == TILE


@pytest.mark.rule("M-177")
@pytest.mark.parametrize("total", TILE)
@pytest.mark.parametrize("flag", ["play", "school", *GOODS, FIELD, *EVERYTHING["customers"], MEETING])
def test_no_other_flag_answers_to_the_numbers_of_the_tile(total, flag):
    line = {"school": "enrol", FIELD: "farm", MEETING: "meeting"}.get(flag, flag)
    line = f"make {flag}" if flag in GOODS else f"serve {flag}" if flag in EVERYTHING["customers"] else line

    state = having(total, mine={**EVERYTHING, "meeting": True, "tile": flag})

    assert [line] == whites(state)


@pytest.mark.rule("M-177")
@pytest.mark.parametrize("total", TILE)
@pytest.mark.parametrize("fields", [1, 2, 5])
def test_with_the_tile_at_one_of_several_fields_its_numbers_work_that_one_alone(total, fields):
    state = after(having(total, mine={"fields": fields, "meeting": True, "tile": FIELD}), "farm")

    assert (1, "my.total") == asked(state)
    assert (COMPONENTS.field.coins, COMPONENTS.field.work) == (state.villages[0].coins, hours(state))


@pytest.mark.rule("M-177")
@pytest.mark.parametrize("fields", [1, 2, 5])
@pytest.mark.parametrize("tile", ["play", FIELD])
def test_with_their_own_number_all_fields_work_once_also_that_with_the_tile(fields, tile):
    total = COMPONENTS.field.white[0]
    waits = {"customers": (customer(total, "beer"),), "goods": {"beer": 1}}
    state = having(total, mine={"fields": fields, "meeting": True, "tile": tile, **waits})

    done = after(state, *["farm"] * fields)

    assert fields * COMPONENTS.field.coins == done.villages[0].coins
    assert (0, "my.flags") == asked(done)
    assert "farm" not in texts(done)
    assert "flag.used" == refusal(done, "farm")[0]


@pytest.mark.rule("M-178")
@pytest.mark.parametrize(("flag", "profession"), [("beer", "craftsman"), (SINGLE, "merchant"), (MEETING, "councilman")])
def test_the_tile_does_not_stand_for_the_villager_of_the_flag(flag, profession):
    mine, line, _ = FLAGS[flag]
    others = tuple(one for one in ("abbot", "councilman", "craftsman", "merchant") if one != profession)

    state = having(TILE[0], mine={**mine, "meeting": True, "tile": flag, "villagers": others})

    assert [] == whites(state)
    assert ("villager.missing", {"profession": profession}) == refusal(state, line)


@pytest.mark.rule("M-178")
@pytest.mark.parametrize(
    ("flag", "cost"),
    [
        ("school", 0),
        ("beer", work(BREWERY)),
        (FIELD, COMPONENTS.field.work),
        (SINGLE, work(SINGLE)),
        (MEETING, PLACE.work),
    ],
)
@pytest.mark.parametrize("total", TILE)
def test_a_flag_with_the_tile_costs_its_own_hours(flag, cost, total):
    mine, line, own = FLAGS[flag]
    tiled = {**mine, "meeting": True, "tile": flag}

    assert cost == hours(after(having(own[0], mine=tiled), line))
    assert cost == hours(after(having(total, mine=tiled), line))


@pytest.mark.rule("M-178")
@pytest.mark.parametrize("total", [*TILE, 8])
def test_a_customer_with_the_tile_gets_its_goods_all_the_same(total):
    mine = {"customers": (SINGLE,), "meeting": True, "tile": SINGLE}

    short = having(total, mine=mine)
    done = after(having(total, mine={**mine, "goods": {"beer": 2}}), f"serve {SINGLE}")

    assert ("price.short", {"what": "beer", "need": 1, "have": 0}) == refusal(short, f"serve {SINGLE}")
    assert 1 == done.villages[0].count("beer")


@pytest.mark.rule("M-178")
@pytest.mark.parametrize("flag", [flag for flag in FLAGS if flag != MEETING])
def test_the_tile_needs_no_councilman(flag):
    mine, line, _ = FLAGS[flag]
    tiled = {**mine, "meeting": True, "tile": flag, "villagers": ("craftsman", "merchant")}

    assert [line] == whites(having(TILE[0], mine=tiled))


@pytest.mark.rule("M-179", "M-180")
@pytest.mark.parametrize("total", [*TILE, 8])
def test_the_tile_of_a_customer_moves_to_the_meeting_place_when_it_is_served(total):
    mine = {"customers": (SINGLE,), "goods": {"beer": 1}, "meeting": True, "tile": SINGLE}

    state, events = play(having(total, mine=mine), f"serve {SINGLE}")

    assert MEETING == state.villages[0].tile
    assert ("my.tile-moved", {"seat": 0}) in told(events)
    for other in TOTALS:
        now = having(other, mine={"meeting": True, "tile": state.villages[0].tile})
        assert (other in (*PLACE.white, *TILE)) == ("meeting" in whites(now))


@pytest.mark.rule("M-180")
def test_the_tile_stays_where_another_customer_is_served_with_the_same_total():
    both = (SINGLE, customer(8, "scroll"))
    mine = {"customers": both, "goods": {"beer": 1, "scroll": 1}, "meeting": True, "tile": SINGLE}

    state, events = play(having(8, mine=mine), f"serve {both[1]}")

    assert SINGLE == state.villages[0].tile
    assert "my.tile-moved" not in keys(events)


@pytest.mark.rule("M-180")
@pytest.mark.parametrize("flag", [flag for flag in FLAGS if flag != SINGLE])
def test_the_tile_stays_at_a_flag_that_is_used(flag):
    mine, line, _ = FLAGS[flag]

    state, events = play(having(TILE[1], mine={**mine, "meeting": True, "tile": flag}), line)

    assert flag == state.villages[0].tile
    assert "my.tile-moved" not in keys(events)


@pytest.mark.rule("M-180")
@pytest.mark.parametrize("flag", FLAGS)
def test_the_tile_stays_when_cards_are_bought_and_villagers_die(flag):
    mine = {**FLAGS[flag][0], "meeting": True, "tile": flag, "hours": COMPONENTS.time.lap - 1, "church": "trade-church"}

    state = after(having(6, mine=mine), "buy almoner", "bury councilman")

    assert flag == state.villages[0].tile


@pytest.mark.rule("M-181")
@pytest.mark.parametrize("total", TOTALS)
def test_the_meeting_place_is_used_with_its_numbers_for_its_hours(total):
    state = having(total, mine={**OWNED, "tile": "play", "hours": 3})

    if total not in PLACE.white:
        assert "meeting" not in whites(state)
        expected = {"flag": MEETING, "numbers": PLACE.white, "total": total}
        assert ("flag.number", expected) == refusal(state, "meeting")
        return
    done, events = play(state, "meeting")
    assert (0, "my.face") == asked(done)
    assert 3 + PLACE.work == hours(done)
    assert [("my.meeting", {"seat": 0, "hours": PLACE.work})] == told(events)


@pytest.mark.rule("M-181")
def test_the_use_of_a_meeting_place_needs_the_card_and_a_living_councilman():
    dead = having(PLACE.white[0], mine={**OWNED, "villagers": ("abbot", "traveller", "craftsman", "merchant")})
    none = having(PLACE.white[0], others={1: OWNED})

    assert ("villager.missing", {"profession": "councilman"}) == refusal(dead, "meeting")
    assert ("meeting.none", {}) == refusal(none, "meeting")
    assert "meeting" not in [*whites(dead), *whites(none)]


@pytest.mark.rule("M-181")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("lacking", ["nothing", "meeting place", "councilman"])
def test_a_turn_waits_for_the_faces_of_a_total_only_where_the_meeting_place_could_set_one(total, lacking):
    mine = OWNED | {"tile": "play", "coins": 9}
    if lacking == "meeting place":
        mine["meeting"] = False
    if lacking == "councilman":
        mine["villagers"] = ("abbot", "traveller", "craftsman", "merchant")
    taken = after(position(offer="white-2 black-6", mine=mine), f"total {total}", "dice white-2 black-6")

    assert "my.change" == asked(taken)[1]
    assert (lacking == "nothing" and total in PLACE.white) == owed(taken).wait


@pytest.mark.rule("M-181")
@pytest.mark.parametrize(("low", "high"), [pair for pair in PAIRS if sum(pair) in PLACE.white])
def test_one_of_the_two_dice_is_set_to_any_face(low, high):
    state = met(f"{low} {high}", {})

    assert [f"set {old} {new}" for old in dict.fromkeys((low, high)) for new in FACES] == texts(state)
    for old, rest in ((low, high), (high, low)):
        for new in FACES:
            done, events = play(state, f"set {old} {new}")
            assert tuple(sorted((rest, new))) == done.stack[1].dice
            expected = {"seat": 0, "old": old, "new": new, "total": rest + new}
            assert ("my.set", expected) == told(events)[0]
    for other in set(FACES) - {low, high}:
        assert ("face.not-yours", {"face": other, "dice": (low, high)}) == refusal(state, f"set {other} 1")


@pytest.mark.rule("M-182")
@pytest.mark.parametrize("new", FACES)
def test_after_the_meeting_place_the_new_total_alone_counts(new):
    scrolls, total = building("scroll", 5), 3 + new
    state = met("2 3", {"crafts": (scrolls,), "fields": 1}, 2, new)

    assert (0, "my.flags") == asked(state)
    assert {"total": total} == dict(owed(state).fields)
    assert (total in COMPONENTS.field.white) == ("farm" in whites(state))
    assert (total in COMPONENTS.steward.black) == ("steward" in texts(state))
    assert (total in COMPONENTS.craft[scrolls].white) == ("make scroll" in whites(state))
    for card in state.crafts:
        expected = {"flag": card, "numbers": COMPONENTS.craft[card].black, "total": total}
        assert total in expected["numbers"] or ("flag.number", expected) == refusal(state, f"buy {card}")


@pytest.mark.rule("M-182")
@pytest.mark.parametrize("new", [2, 3])
def test_flags_that_were_used_stay_used_after_the_meeting_place(new):
    five = {"crafts": (building("scroll", 5), building("beer", 5)), "board": 3}
    state = after(position(dice="2 3", mine={**OWNED, **five}), "play", "make scroll", "meeting")

    state = after(state, f"set {new} {new}")

    assert 5 == state.stack[1].total
    assert ["make beer"] == whites(state)
    for line, flag in (("play", "play"), ("make scroll", "scroll"), ("meeting", MEETING)):
        assert ("flag.used", {"flag": flag}) == refusal(state, line)


@pytest.mark.rule("M-183")
def test_after_the_meeting_place_several_white_flags_of_the_new_total_may_follow():
    crafts = {"crafts": (building("scroll", 8), building("beer", 8)), "customers": (SINGLE,), "board": 1}

    state = after(met("1 4", crafts, 1, 4), "play", "make beer", f"serve {SINGLE}", "make scroll")

    village = state.villages[0]
    assert (1, 1, (SINGLE,)) == (village.tree, village.count("scroll"), village.served)
    assert PLACE.work + work(building("scroll", 8)) + work(BREWERY) + work(SINGLE) == hours(state)


@pytest.mark.rule("M-183")
@pytest.mark.parametrize(
    ("new", "line"),
    [(4, "steward"), (4, "house coin"), (4, "travel a"), (4, "buy trade-church"), (3, "buy area-chamber")],
)
@pytest.mark.parametrize("before", [(), ("make beer",)])
def test_after_the_meeting_place_one_black_flag_may_follow(new, line, before):
    state = position(dice="1 4", mine={**OWNED, "crafts": (building("beer", 5),)})
    state = after(state, *before, "meeting", f"set 1 {new}")

    assert line in texts(state)
    assert (0, "my.flags") != asked(after(state, line))


@pytest.mark.rule("M-183")
def test_after_the_meeting_place_the_hand_tile_may_follow():
    state = after(met("3 6", {}, 3, 6, heap=4), "hand")

    assert (4, PLACE.work + COMPONENTS.hand.hours) == (state.villages[0].tree, hours(state))


@pytest.mark.rule("M-183")
def test_after_the_meeting_place_nothing_need_follow():
    state, events = play(met("1 4", {}, 1, 4), "done")

    assert (1, "my.total") == asked(state)
    assert PLACE.work == hours(state)
    assert "my.idle" not in keys(events)


@pytest.mark.rule("M-183")
def test_after_the_meeting_place_and_a_black_flag_nothing_follows():
    state = after(met("1 4", {"crafts": (BREWERY,), "board": 1}, 1, 4), "house coin")

    assert (1, "my.total") == asked(state)


@pytest.mark.rule("M-183")
@pytest.mark.parametrize("line", ["steward", "house coin", "travel a", "buy trade-church"])
def test_a_black_flag_does_not_follow_white_ones_of_the_new_total(line):
    state = after(met("1 4", {"crafts": (BREWERY,), "board": 1}, 1, 4), "make beer")

    assert (0, "my.flags") == asked(state)
    assert line not in texts(state)
    assert "flag.alone" == refusal(state, line)[0]


@pytest.mark.rule("M-184")
@pytest.mark.parametrize("good", GOODS)
def test_a_building_that_was_used_does_not_answer_to_its_second_number_after_the_change(good):
    card = building(good, 5)
    state = position(dice="1 4", mine={**OWNED, "crafts": (card,)})

    idle, used = (after(state, *before, "meeting", "set 1 6") for before in ((), (f"make {good}",)))

    assert {5, 10} == set(COMPONENTS.craft[card].white)
    assert 10 == idle.stack[1].total == used.stack[1].total
    assert f"make {good}" in whites(idle)
    assert f"make {good}" not in whites(used)
    assert ("flag.used", {"flag": good}) == refusal(used, f"make {good}")


@pytest.mark.rule("M-185")
def test_the_meeting_place_is_used_once_a_turn():
    state = met("1 4", {}, 1, 1)

    assert 5 == state.stack[1].total
    assert "meeting" not in whites(state)
    assert ("flag.used", {"flag": MEETING}) == refusal(state, "meeting")


@pytest.mark.rule("M-185")
def test_a_meeting_place_is_not_used_in_the_turn_of_its_purchase():
    bought = after(having(PLACE.black[0]), f"buy {MEETING}", f"tile {MEETING}")
    again = after(having(PLACE.black[0], turns=[0]), f"buy {MEETING}", f"tile {MEETING}")

    assert (1, "my.total") == asked(bought)
    assert (0, "my.total") == asked(again)
    again = after(again, "total 5", "dice white-1 white-4", "change 1 4")
    assert "meeting" in whites(again)


@pytest.mark.rule("M-185")
@pytest.mark.parametrize("line", ["house coin", "buy sanatorium", "travel b"])
def test_the_meeting_place_is_not_used_after_a_black_flag(line):
    state = after(having(5, mine={**OWNED, "journeys": ("journey-a1",)}), line)

    assert (1, "my.total") == asked(state) or (-1, "my.travel") == asked(state)
    assert "meeting" not in texts(state)


@pytest.mark.rule("M-186")
def test_example_a_brewery_the_meeting_place_and_a_customer_of_the_new_total():
    brewery = building("beer", 5)
    assert {5, 10} == set(COMPONENTS.craft[brewery].white)
    mine = {**OWNED, "crafts": (brewery,), "customers": (SINGLE,)}

    state = after(position(dice="1 4", mine=mine), "make beer", "meeting", "set 1 4", f"serve {SINGLE}")

    village = state.villages[0]
    assert ((SINGLE,), 0) == (village.served, village.count("beer"))
    assert work(brewery) + PLACE.work + work(SINGLE) == hours(state)


@pytest.mark.rule("M-187")
def test_example_the_meeting_place_and_the_hand_tile():
    state = position(dice="3 6", mine=OWNED, heap=2, holder=1)

    state = after(state, "meeting", "set 3 6", "hand")

    assert (0, False, 0) == (state.holder, state.palm, state.heap)
    assert 2 == state.villages[0].tree
    assert PLACE.work + COMPONENTS.hand.hours == hours(state)
    assert faces(12) == "6 6"
