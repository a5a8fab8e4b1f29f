"""Rules M-199 to M-210: time and death."""

from itertools import combinations

import pytest

from engine.core.errors import EngineError
from engine.my_village import RULESET
from engine.my_village.components import MEETING, PROFESSIONS
from engine.my_village.state import SPACES
from tests.engine.my_village.positions import COMPONENTS, after, keys, play, position, refusal, texts, told
from tests.engine.my_village.ruling import (
    LAP,
    asked,
    building,
    customer,
    dying,
    having,
    hours,
    parts,
    rolled,
    whites,
)

SEATS = (2, 3, 4)
SINGLE = customer(8, "beer")
BREWERY = building("beer", 8)


def book(seats):
    """The stories of the book with so many seats."""
    return COMPONENTS.book.stories[seats - 2]


def after_burials(state):
    """The position after all burials of the turn, each with its roll of 1, and what happened."""
    events = []
    while asked(state)[1] != "my.total":
        state, more = play(state, texts(state)[0])
        events += more
    return state, events


@pytest.mark.rule("M-199")
@pytest.mark.parametrize("before", range(LAP))
def test_a_turn_owes_as_many_burials_as_it_passed_the_bridge(before):
    for lap in (0, 3):
        start = lap * LAP + before
        for now in range(start + 1, start + 2 * LAP + 3):
            state, events = play(position(seats=4, dice="3 4", before=start, mine={"hours": now}), "done")
            count = now // LAP - start // LAP
            assert count == keys(events).count("my.bridge")
            done, _ = after_burials(state)
            assert (count, 5 - count) == (done.graves, len(done.villages[0].villagers))
            assert now == hours(done)


@pytest.mark.rule("M-200")
@pytest.mark.parametrize(("before", "spent", "buried"), [(9, 1, 1), (0, 9, 0), (0, 10, 1), (9, 11, 2), (10, 9, 0)])
def test_the_tenth_hour_passes_the_bridge(before, spent, buried):
    assert 10 == LAP

    state, events = play(position(dice="3 4", before=before, mine={"hours": before + spent}), "done")

    assert buried == keys(events).count("my.bridge")
    assert (buried > 0) == ((0, "my.death") == asked(state))


@pytest.mark.rule("M-201")
def test_nobody_is_dead_before_the_end_of_the_turn():
    mine = {"hours": LAP - 1, "crafts": (BREWERY,), "customers": (SINGLE,), "board": 1}
    state, events = play(having(8, mine=mine), "make beer")

    assert LAP <= hours(state)
    assert (0, "my.flags") == asked(state)
    assert (PROFESSIONS, 0) == (state.villages[0].villagers, state.graves)
    state, more = play(state, f"serve {SINGLE}", "play")
    assert not {"my.bridge", "my.booked"} & {*keys(events), *keys(more[:-1])}
    assert ("my.bridge", {"seat": 0}) == told(more)[-1]
    assert (0, "my.death") == asked(state)
    assert (1, (SINGLE,), 0) == (state.villages[0].tree, state.villages[0].served, state.graves)


@pytest.mark.rule("M-202")
@pytest.mark.parametrize("spent", [0, 1, LAP - 1])
def test_who_has_not_passed_the_bridge_is_followed_by_the_next_at_once(spent):
    state, events = play(position(dice="3 4", before=LAP, mine={"hours": LAP + spent}), "done")

    assert (1, "my.total") == asked(state)
    assert not {"my.bridge", "my.rat", "my.booked", "my.buried"} & set(keys(events))
    assert (0, 0) == (state.graves, state.rat)


@pytest.mark.rule("M-203")
@pytest.mark.parametrize("now", range(LAP, 2 * LAP))
def test_the_disc_stays_where_it_is_at_a_burial(now):
    state = position(dice="3 4", before=LAP - 1, mine={"hours": now}, others={1: {"hours": 4}})
    state = rolled(after(state, "done", "bury merchant"), 6)

    assert (1, "my.total") == asked(state)
    assert (now, 4) == (hours(state), hours(state, 1))
    assert now % LAP == RULESET.view(state, 0).villages[0].step


@pytest.mark.rule("M-203")
def test_after_a_burial_a_whole_lap_must_pass_before_the_next():
    state = position(dice="3 4", mine={"hours": 2 * LAP - 2})
    alive = after(state, "done")
    dead = dying({"hours": 2 * LAP - 1})

    assert (1, "my.total") == asked(alive)
    assert (0, "my.death") == asked(dead)


@pytest.mark.rule("M-204")
@pytest.mark.parametrize(
    "villagers", [some for number in (2, 3, 4, 5) for some in combinations(PROFESSIONS, number)], ids="-".join
)
def test_the_player_chooses_who_of_the_living_is_buried(villagers):
    state = dying({"villagers": villagers}, others={1: {"villagers": ("abbot",)}})

    assert (0, "my.death") == asked(state)
    assert [f"bury {profession}" for profession in villagers] == texts(state)
    for profession in PROFESSIONS:
        if profession in villagers:
            done = after(state, f"bury {profession}")
            assert tuple(one for one in villagers if one != profession) == done.villages[0].villagers
            assert ("abbot",) == done.villages[1].villagers
        else:
            assert ("bury.nobody", {"profession": profession}) == refusal(state, f"bury {profession}")


@pytest.mark.rule("M-205")
@pytest.mark.parametrize("headman", SPACES)
@pytest.mark.parametrize(("left", "right"), [(True, False), (False, True), (True, True)])
def test_headman_and_pupils_cannot_be_chosen(headman, left, right):
    state = dying({"villagers": ("abbot", "merchant"), "left": left, "right": right, "headman": headman})

    assert ["bury abbot", "bury merchant"] == texts(state)
    done = after(state, "bury merchant").villages[0]
    assert (headman, left, right) == (done.headman, done.left, done.right)


@pytest.mark.rule("M-205")
@pytest.mark.parametrize("who", ["headman", "pupil", "left", "right"])
def test_there_is_no_word_for_the_burial_of_a_headman_or_pupil(who):
    with pytest.raises(EngineError):
        RULESET.grammar.parse_move(f"bury {who}")


@pytest.mark.rule("M-206")
@pytest.mark.parametrize("profession", PROFESSIONS)
def test_the_book_pays_stories_for_the_tree_whatever_the_profession(profession):
    state, events = play(dying({"tree": 3, "store": 2}), f"bury {profession}")

    stories = book(2)[0]
    assert stories > 0
    assert ("my.booked", {"seat": 0, "profession": profession, "stories": stories}) == told(events)[0]
    village = state.villages[0]
    assert (3 + stories, 2, 0) == (village.tree, village.store, village.coins)
    assert (0, 1) == (state.villages[1].tree, state.graves)


@pytest.mark.rule("M-206")
@pytest.mark.parametrize("seats", SEATS)
def test_a_common_grave_cannot_be_chosen_while_the_book_has_room(seats):
    for graves in range(len(book(seats))):
        state = dying(seats=seats, graves=graves)
        assert 5 == len(texts(state))
        for text in texts(state):
            assert "my.booked" == keys(play(state, text)[1])[0]


@pytest.mark.rule("M-207")
@pytest.mark.parametrize("seats", SEATS)
def test_the_book_pays_in_its_order(seats):
    for graves, stories in enumerate(book(seats)):
        state = after(dying(seats=seats, graves=graves), "bury abbot")
        assert (stories, graves + 1) == (state.villages[0].tree, state.graves)


@pytest.mark.rule("M-207")
def test_what_the_book_pays_by_our_table():
    assert ((2, 2, 1, 1, 1), (2, 2, 2, 1, 1, 1, 1), (2, 2, 2, 2, 1, 1, 1, 1, 1)) == COMPONENTS.book.stories


@pytest.mark.rule("M-208")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("more", [0, 1, 6])
def test_with_the_book_full_the_villager_lies_in_a_common_grave_for_nothing(seats, more):
    graves = len(book(seats)) + more
    state, events = play(dying({"tree": 3}, seats=seats, graves=graves), "bury craftsman")

    assert ("my.buried", {"seat": 0, "profession": "craftsman"}) == told(events)[0]
    assert "my.booked" not in keys(events)
    assert (3, graves + 1) == (state.villages[0].tree, state.graves)


@pytest.mark.rule("M-208")
@pytest.mark.parametrize(("graves", "key"), [(4, "my.booked"), (5, "my.buried")])
def test_with_two_players_the_sixth_burial_is_the_first_in_a_common_grave(graves, key):
    assert key == keys(play(dying(graves=graves), "bury abbot")[1])[0]


@pytest.mark.rule("M-209", "M-207")
@pytest.mark.parametrize("seats", SEATS)
def test_all_players_fill_the_same_book(seats):
    others = {seat: {"hours": LAP - 1} for seat in range(1, seats)}
    state = rolled(after(dying(seats=seats, others=others, offer="white-3 white-4 " * 4), "bury abbot"))

    for seat in range(1, seats):
        assert (seat, "my.total") == asked(state)
        state = after(state, "total 7", "dice white-3 white-4", "change 3 4", "done", "bury abbot")
        assert (book(seats)[seat], seat + 1) == (state.villages[seat].tree, state.graves)
        state = rolled(state)


@pytest.mark.rule("M-209")
@pytest.mark.parametrize("seats", SEATS)
def test_burials_of_all_players_count_to_the_same_limit(seats):
    limit = COMPONENTS.graves.limit[seats - 2]
    offer = "white-3 white-4 " * 4
    state = dying(seats=seats, others={1: {"hours": LAP - 1}}, graves=limit - 2, offer=offer)

    state, first = play(rolled(after(state, "bury abbot")), "total 7", "dice white-3 white-4", "change 3 4", "done")
    ending = state.ending
    state, second = play(state, "bury merchant")

    assert (False, True) == (ending, state.ending)
    assert "my.last-round" not in keys(first)
    assert ("my.last-round", {"graves": limit}) in told(second)


HOLDINGS = {
    "coins": 4,
    "goods": {"beer": 2},
    "crafts": (building("beer", 5),),
    "fields": 2,
    "customers": ("market-1",),
    "served": ("market-2",),
    "journeys": ("journey-a1",),
    "church": "trade-church",
    "monks": {"almoner": 1},
    "meeting": True,
    "tile": MEETING,
    "chamber": "guild-chamber",
    "joker": True,
}


@pytest.mark.rule("M-210")
@pytest.mark.parametrize("profession", PROFESSIONS)
def test_coins_goods_and_cards_of_an_emptied_area_stay(profession):
    state = dying(HOLDINGS, graves=len(book(2)))
    before = RULESET.view(state, 0).villages[0]

    state = rolled(after(state, f"bury {profession}"))

    now = RULESET.view(state, 0).villages[0]
    changed = {name for name in now.__struct_fields__ if getattr(now, name) != getattr(before, name)}
    assert {"villagers", "empty"} == changed


USES = {
    "craftsman": [(5, "make beer"), (9, "buy scroll-2"), (7, "buy wagon-1")],
    "merchant": [(6, "serve market-1")],
    "councilman": [(5, "meeting"), (9, "meeting"), (7, "buy meeting-place"), (7, "buy area-chamber")],
    "traveller": [(9, "travel b")],
    "abbot": [(6, "buy almoner"), (7, "buy cellarer"), (5, "buy sanatorium")],
}
"""What the villager of an area works, and the total."""

LACKS = {
    "buy meeting-place": ("meeting", "tile"),
    "buy area-chamber": ("chamber", "joker"),
    "buy sanatorium": ("church", "monks"),
}


@pytest.mark.rule("M-210")
@pytest.mark.parametrize(("profession", "total", "line"), [(one, *use) for one, uses in USES.items() for use in uses])
def test_flags_and_purchases_of_an_emptied_area_are_closed_until_a_successor_comes(profession, total, line):
    mine = {**HOLDINGS, "goods": {"scroll": 1, "beer": 2}}
    mine = {name: value for name, value in mine.items() if name not in LACKS.get(line, ())}
    others = tuple(one for one in PROFESSIONS if one != profession)
    closed = having(total, mine={**mine, "villagers": others})

    assert line not in texts(closed)
    assert ("villager.missing", {"profession": profession}) == refusal(closed, line)
    assert line in texts(having(total, mine={**mine, "villagers": (profession,)}))
    promoted = after(having(3, mine={**mine, "villagers": others, "left": True}), f"promote left {profession}")
    village = promoted.villages[0]
    assert line in texts(having(total, mine={**mine, "villagers": village.villagers}))


@pytest.mark.rule("M-210")
def test_what_needs_no_villager_stays_open_with_the_last_area():
    mine = {**HOLDINGS, "villagers": ("abbot",), "board": 1}

    assert "farm" in whites(having(7, mine=mine))
    assert {"enrol", "play"} <= set(whites(having(3, mine=mine)))
    assert {"steward", "house coin"} <= set(texts(having(6, mine=mine)))
    assert "hand" in texts(having(12, mine=mine))
    assert "buy field" in texts(having(3, mine=mine))


@pytest.mark.rule("M-210")
@pytest.mark.parametrize("profession", PROFESSIONS)
def test_an_emptied_area_still_counts_at_the_end(profession):
    alive = dying(HOLDINGS)

    assert parts(alive) == parts(rolled(after(alive, f"bury {profession}")))
    assert all(parts(alive)[name] > 0 for name in ("religion", "council", "fields", "travel", "market"))


@pytest.mark.parametrize("seats", SEATS)
def test_it_is_told_when_the_book_is_full_and_only_then(seats):
    room = len(book(seats))

    for graves in range(room + 2):
        state = position(seats=seats, dice="3 4", before=LAP - 1, graves=graves, mine={"hours": LAP})
        burying, _ = play(state, "done")
        _, events = play(burying, "bury abbot")
        assert (graves == room - 1) == ("my.book-full" in keys(events))
