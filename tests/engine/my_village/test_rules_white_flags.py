"""Rules M-066 to M-072: white flags."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from engine.my_village.components import CRAFTS, CUSTOMERS, GOODS, PROFESSIONS
from tests.engine.my_village.positions import COMPONENTS, after, owed, refusal, texts
from tests.engine.my_village.ruling import TOTALS, asked, having, hours, whites

PLAY = COMPONENTS.boards.play
SCHOOL = COMPONENTS.school.white
FIELD = COMPONENTS.field.white
MEETING = {"meeting": True, "tile": "meeting-place"}
FULL = dict.fromkeys(GOODS, 3)
"""Goods enough for any customer."""


def working(total):
    """A village in which every white flag of *total* can be used: the fields of its village."""
    crafts = tuple(card for card in CRAFTS if total in COMPONENTS.craft[card].white)
    return {
        "board": next((at for at, numbers in enumerate(PLAY, start=1) if total in numbers), 1),
        "crafts": tuple(next(card for card in crafts if card.startswith(good)) for good in GOODS if crafts),
        "customers": tuple(name for name in CUSTOMERS if total in COMPONENTS.customer[name].white),
        "goods": FULL,
        "fields": 2,
    }


def expected(total):
    """What can be used in that village in one turn, each as often as it can be; without the meeting place."""
    mine = working(total)
    return [
        *(f"make {card.partition('-')[0]}" for card in mine["crafts"]),
        *(f"serve {name}" for name in mine["customers"]),
        *(["farm"] * mine["fields"] if total in FIELD else []),
        *(["play"] if total in PLAY[mine["board"] - 1] else []),
        *(["enrol"] if total in SCHOOL else []),
    ]


def others(profession):
    """All villagers but that of *profession*."""
    return tuple(one for one in PROFESSIONS if one != profession)


@pytest.mark.rule("M-066", "M-067")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("last", [True, False])
def test_every_white_flag_of_the_total_can_be_used_in_one_turn_and_each_of_them_once(total, last):
    state = having(total, mine=working(total))
    used = []

    while asked(state) == (0, "my.flags") and whites(state):
        used.append(whites(state)[-1 if last else 0])
        state = after(state, used[-1])

    assert sorted(expected(total)) == sorted(used)


@pytest.mark.rule("M-066")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("other", TOTALS)
def test_a_white_flag_joins_in_only_if_the_total_is_among_its_numbers(total, other):
    mine = working(other)
    state = having(total, mine=mine)

    flags = {
        **{f"make {one.good}": (one.good, one.white) for one in map(COMPONENTS.craft.get, mine["crafts"])},
        **{f"serve {name}": (name, COMPONENTS.customer[name].white) for name in mine["customers"]},
        "play": ("play", PLAY[mine["board"] - 1]),
        "enrol": ("school", SCHOOL),
        "farm": ("field", FIELD),
    }
    for move, (flag, numbers) in flags.items():
        wrong = ("flag.number", {"flag": flag, "numbers": numbers, "total": total})
        assert (("", {}) if total in numbers else wrong) == refusal(state, move)


@pytest.mark.rule("M-067")
@pytest.mark.parametrize("total", [total for total in TOTALS if len(expected(total)) > 2])
def test_a_white_flag_that_was_used_is_refused(total):
    again = {
        **{f"make {good}": ("flag.used", {"flag": good}) for good in GOODS},
        **{f"serve {name}": ("serve.none", {"customer": name}) for name in CUSTOMERS},
        "play": ("flag.used", {"flag": "play"}),
        "enrol": ("flag.used", {"flag": "school"}),
        "meeting": ("flag.used", {"flag": "meeting-place"}),
    }
    for move in dict.fromkeys(expected(total)):
        state = after(having(total, mine=working(total)), move)
        assert (0, "my.flags") == asked(state)
        if move != "farm":
            assert again[move] == refusal(state, move)


@pytest.mark.rule("M-067")
@pytest.mark.parametrize("step", ["advance", "promote left merchant", "promote right merchant"])
def test_the_school_does_one_step_a_turn(step):
    mine = {**working(11), "left": True, "right": step != "advance", "villagers": others("merchant")}

    state = after(having(11, mine=mine), step)

    assert (0, "my.flags") == asked(state)
    for more in ("enrol", "advance", "promote right merchant"):
        assert ("flag.used", {"flag": "school"}) == refusal(state, more)


@pytest.mark.rule("M-067")
@pytest.mark.parametrize("fields", [1, 2, 5, 8])
def test_each_field_works_once_a_turn(fields):
    state = having(7, mine={**working(7), "fields": fields})

    state = after(state, *["farm"] * fields)

    assert (0, "my.flags") == asked(state)
    assert ("flag.used", {"flag": "field"}) == refusal(state, "farm")
    assert "farm" not in texts(state)


@pytest.mark.rule("M-067")
def test_the_meeting_place_does_not_bring_a_flag_back():
    assert (5, 10) == COMPONENTS.craft["beer-3"].white == PLAY[2]
    mine = {"crafts": ("beer-3",), "board": 3, **MEETING}

    state = after(having(5, mine=mine), "make beer", "play", "meeting", "set 1 6")

    assert {"total": 10} == dict(owed(state).fields)
    assert ("flag.used", {"flag": "beer"}) == refusal(state, "make beer")
    assert ("flag.used", {"flag": "play"}) == refusal(state, "play")


@pytest.mark.rule("M-068")
@pytest.mark.parametrize("total", [total for total in TOTALS if len(expected(total)) > 1])
def test_flags_can_be_used_in_any_order_with_the_same_result(total):
    moves = list(dict.fromkeys(expected(total)))[:4]
    last = [after(having(total, mine=working(total)), *order) for order in permutations(moves)]

    villages = {replace(state.villages[0], served=tuple(sorted(state.villages[0].served))) for state in last}
    assert 1 == len(villages)


@pytest.mark.rule("M-068")
def test_a_good_made_first_pays_the_customer_and_not_the_other_way_round():
    beer = COMPONENTS.craft["beer-1"]
    mine = {"crafts": ("beer-1",), "customers": ("market-3",), "board": 2}
    state = having(beer.white[-1], mine=mine)
    assert COMPONENTS.customer["market-3"].white == beer.white[-1:]
    assert ("price.short", {"what": "beer", "need": 1, "have": 0}) == refusal(state, "serve market-3")
    assert ["make beer"] == whites(state)

    made = after(state, "make beer")

    assert ["serve market-3"] == whites(made)
    served = after(made, "serve market-3")
    assert (("market-3",), 0) == (served.villages[0].served, served.villages[0].count("beer"))


@pytest.mark.rule("M-068")
def test_a_plow_counts_for_a_field_that_is_used_before_it_is_delivered():
    mine = {"crafts": ("plow-1",), "goods": {"plow": 1}, "fields": 1, "customers": ("market-6",)}
    more = {True: COMPONENTS.field.coins + COMPONENTS.field.plow, False: COMPONENTS.field.coins}

    for first in (True, False):
        order = ["farm", "serve market-6"] if first else ["serve market-6", "farm"]
        assert more[first] == after(having(7, mine=mine), *order).villages[0].coins


@pytest.mark.rule("M-069")
@pytest.mark.parametrize("order", [*permutations(("play", "make beer", "serve market-2"))], ids=" ".join)
def test_flags_of_the_board_and_of_cards_mix(order):
    assert (3, 8) == PLAY[0] == COMPONENTS.craft["beer-1"].white
    assert (8,) == COMPONENTS.customer["market-2"].white
    mine = {"board": 1, "crafts": ("beer-1",), "customers": ("market-2",), "goods": {"scroll": 1}}

    state = after(having(8, mine=mine), *order)

    village = state.villages[0]
    assert (COMPONENTS.play.stories, 1, ("market-2",)) == (village.tree, village.count("beer"), village.served)
    assert COMPONENTS.craft["beer-1"].work + COMPONENTS.customer["market-2"].work == hours(state)


@pytest.mark.rule("M-070")
@pytest.mark.parametrize("card", CRAFTS)
def test_making_needs_the_craftsman_and_nobody_else(card):
    good = COMPONENTS.craft[card].good
    for total in COMPONENTS.craft[card].white:
        dead = having(total, mine={"crafts": (card,), "villagers": others("craftsman"), "left": True})
        assert ("villager.missing", {"profession": "craftsman"}) == refusal(dead, f"make {good}")
        assert f"make {good}" not in texts(dead)
        assert f"make {good}" in texts(having(total, mine={"crafts": (card,), "villagers": ("craftsman",)}))


@pytest.mark.rule("M-070")
@pytest.mark.parametrize("name", CUSTOMERS)
def test_serving_needs_the_merchant_and_nobody_else(name):
    good = COMPONENTS.customer[name].goods[0]
    for total in COMPONENTS.customer[name].white:
        mine = {"customers": (name,), "goods": FULL, "joker": True}
        dead = having(total, mine={**mine, "villagers": others("merchant")})
        for move in (f"serve {name}", f"joker {name} {good}"):
            assert ("villager.missing", {"profession": "merchant"}) == refusal(dead, move)
            assert move not in texts(dead)
            assert move in texts(having(total, mine={**mine, "villagers": ("merchant",)}))


@pytest.mark.rule("M-070")
@pytest.mark.parametrize("total", [*COMPONENTS.meeting_place.white, *COMPONENTS.tile.numbers])
def test_the_meeting_place_needs_the_councilman_and_nobody_else(total):
    dead = having(total, mine={**MEETING, "villagers": others("councilman")})

    assert ("villager.missing", {"profession": "councilman"}) == refusal(dead, "meeting")
    assert "meeting" not in texts(dead)
    assert "meeting" in texts(having(total, mine={**MEETING, "villagers": ("councilman",)}))


@pytest.mark.rule("M-070")
def test_a_villager_of_another_village_works_for_nobody_else():
    mine = {"crafts": ("beer-1",), "customers": ("market-3",), "goods": FULL, "villagers": ("abbot",), "board": 2}

    assert [] == whites(having(8, mine=mine, others={1: {"villagers": PROFESSIONS}}))


@pytest.mark.rule("M-071")
@pytest.mark.parametrize("villagers", [(), *((one,) for one in PROFESSIONS)], ids=str)
def test_fields_play_and_school_need_no_villager(villagers):
    for board, numbers in enumerate(PLAY, start=1):
        for total in numbers:
            assert "play" in whites(having(total, mine={"board": board, "villagers": villagers}))
    for total in SCHOOL:
        assert "enrol" in whites(having(total, mine={"villagers": villagers}))
        assert "advance" in whites(having(total, mine={"villagers": villagers, "left": True}))
    for total in FIELD:
        state = having(total, mine={"villagers": villagers, "fields": 1})
        assert "farm" in whites(state)
        assert ("", {}) == refusal(state, "farm")


@pytest.mark.rule("M-072")
@pytest.mark.parametrize("total", TOTALS)
def test_white_flags_of_other_villages_and_of_the_table_cannot_be_used(total):
    theirs = {**working(total), **MEETING}
    shown = CUSTOMERS[:6]
    theirs["customers"] = tuple(name for name in theirs["customers"] if name not in shown)
    board = next(at for at, numbers in enumerate(PLAY, start=1) if total not in numbers)
    state = having(total, mine={"board": board, "goods": FULL}, others={1: theirs}, display=shown)

    assert {*whites(state)} <= {"enrol"}
    for good in GOODS:
        assert ("make.none", {"good": good}) == refusal(state, f"make {good}")
    for name in CUSTOMERS:
        assert ("serve.none", {"customer": name}) == refusal(state, f"serve {name}")
    assert ("farm.none", {}) == refusal(state, "farm")
    assert ("meeting.none", {}) == refusal(state, "meeting")
