"""Rules M-036 to M-051: choosing dice, and changing them."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest

from engine.core.errors import GrammarError
from engine.my_village import RULESET
from engine.my_village.moves import DICE
from tests.engine.my_village.positions import (
    COMPONENTS,
    POOL,
    after,
    keys,
    owed,
    play,
    pool,
    position,
    refusal,
    texts,
    told,
)
from tests.engine.my_village.ruling import BLACK_HOURS, LAP, TOTALS, asked, having, hours

PAIRS = list(combinations_with_replacement(DICE, 2))
"""Every two dice as they may lie in the pool: 21 white, 36 mixed, 21 black."""

COINS = (0, 1, 3)
STEP = COMPONENTS.house.hours


def shown(pair):
    """What two dice show together."""
    return sum(int(die[-1]) for die in pair)


def blacks(pair):
    """How many of two dice are black."""
    return sum(die.startswith("black") for die in pair)


def taken(pair, total, coins=0, **values):
    """The position after the seat, with *coins*, has taken *pair*, the only dice on offer, for *total*."""
    state = position(offer=" ".join(pair), mine={"coins": coins, **values})
    return after(state, f"total {total}", f"dice {' '.join(pair)}")


def reached(pair, coins):
    """
    What *coins* can make of two dice, one coin a step: faces -> the fewest coins.

    Of two dice of one colour the lower stands first: nobody can tell them apart.
    """
    alike = blacks(pair) in {0, 2}
    found, edge = {}, {tuple(int(die[-1]) for die in pair)}
    for spent in range(coins + 1):
        for one, other in edge:
            found.setdefault((min(one, other), max(one, other)) if alike else (one, other), spent)
        steps = {(a + b, c + d) for a, c in edge for b, d in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        edge = {(one, other) for one, other in steps if 1 <= one <= 6 and 1 <= other <= 6}
    return found


@pytest.mark.rule("M-036")
def test_a_turn_takes_exactly_two_dice():
    state = after(position(), "total 5")

    for text in ("dice", "dice white-1", "dice white-1 white-4 white-3"):
        with pytest.raises(GrammarError):
            refusal(state, text)
    for text in ("done", "change 1 4", "house"):
        assert ("turn.not-asked", {"verb": text.split()[0], "decision": "my.dice"}) == refusal(state, text)
    now = after(state, "dice white-1 white-4")
    assert (sum(map(sum, state.pool)) - 2, "my.change") == (sum(map(sum, now.pool)), asked(now)[1])
    assert "turn.not-asked" == refusal(now, "dice white-1 white-4")[0]


@pytest.mark.rule("M-036", "M-037")
@pytest.mark.parametrize(("text", "die"), [("white-1 white-1", "white-1"), ("white-3 black-6", "black-6")])
def test_a_die_that_is_not_in_the_pool_cannot_be_taken(text, die):
    state = after(position(), "house")

    assert ("dice.not-there", {"die": die}) == refusal(state, f"dice {text}")
    assert f"dice {text}" not in texts(state)


@pytest.mark.rule("M-036")
def test_two_dice_are_written_in_one_order():
    state = after(position(), "house")

    assert ("dice.order", {"dice": ("white-1", "black-4")}) == refusal(state, "dice black-4 white-1")
    assert ("dice.order", {"dice": ("white-2", "white-6")}) == refusal(state, "dice white-6 white-2")


@pytest.mark.rule("M-037", "M-040")
@pytest.mark.parametrize("seed", range(20))
def test_any_two_dice_left_can_be_taken_each_choice_once(seed):
    luck = Random(seed)
    offer = [luck.choice(DICE) for _ in range(luck.randint(2, 11))]
    state = position(offer=" ".join(offer), mine={"coins": luck.randrange(4)})

    for word in texts(state):
        chosen = after(state, word)
        total = int(word.split()[1]) if word.startswith("total") else 0
        choices = {tuple(sorted(pair, key=DICE.index)) for pair in combinations(offer, 2)}
        fitting = [pair for pair in choices if not total or abs(shown(pair) - total) <= state.me.coins]
        assert Counter(f"dice {one} {other}" for one, other in fitting) == Counter(texts(chosen))


@pytest.mark.rule("M-037", "M-041")
@pytest.mark.parametrize("coins", [0, 1, 3])
def test_a_total_can_be_chosen_if_two_dice_and_the_coins_make_it(coins):
    for offer in ("white-1 white-1 black-1", "white-2 black-5", "white-6 black-6 black-6", POOL):
        state = position(offer=offer, mine={"coins": coins})
        sums = {shown(pair) for pair in combinations(offer.split(), 2)}
        for total in TOTALS:
            need = min(abs(one - total) for one in sums)
            expected = ("total.short", {"total": total, "need": need, "have": coins}) if need > coins else ("", {})
            assert expected == refusal(state, f"total {total}")
            assert (need <= coins) == (f"total {total}" in texts(state))


@pytest.mark.rule("M-038", "M-039")
@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_each_black_die_costs_its_hours(pair):
    state = position(offer=" ".join(pair), mine={"hours": 3})
    assert 2 == BLACK_HOURS

    now, events = play(after(state, f"total {shown(pair)}"), f"dice {' '.join(pair)}")

    assert 3 + BLACK_HOURS * blacks(pair) == hours(now)
    assert [("my.dice", {"seat": 0, "dice": pair, "hours": BLACK_HOURS * blacks(pair)})] == told(events)


@pytest.mark.rule("M-039")
@pytest.mark.parametrize(("pair", "cost"), [(("white-3", "black-4"), 1), (("black-3", "black-4"), 2)])
def test_the_hours_of_black_dice_are_owed_though_no_flag_is_used(pair, cost):
    state = taken(pair, 7)
    assert cost * BLACK_HOURS == hours(state)

    state = after(state, "change 3 4", "done")

    assert (cost * BLACK_HOURS, (1, "my.total")) == (hours(state), asked(state))


@pytest.mark.rule("M-039")
def test_the_hours_of_black_dice_pass_the_bridge_though_no_flag_is_used():
    state = taken(("white-3", "black-4"), 7, hours=LAP - BLACK_HOURS)

    assert (0, "my.death") == asked(after(state, "change 3 4", "done"))


@pytest.mark.rule("M-040")
def test_dice_of_one_colour_and_face_are_one_choice():
    state = position(offer="white-4 white-4 white-4 black-4 black-4")

    chosen = after(state, "total 8")

    assert ["dice white-4 white-4", "dice white-4 black-4", "dice black-4 black-4"] == texts(chosen)
    assert pool("white-4 black-4 black-4") == after(chosen, "dice white-4 white-4").pool


@pytest.mark.rule("M-040")
def test_two_ways_to_the_same_faces_on_each_colour_are_one_change():
    alike = taken(("white-3", "white-3"), 7, coins=1)
    assert ["change 3 4"] == texts(alike)
    assert ("change.order", {"first": 3, "second": 4}) == refusal(alike, "change 4 3")

    mixed = taken(("white-3", "black-3"), 7, coins=1)
    assert ["change 3 4", "change 4 3"] == texts(mixed)


@pytest.mark.rule("M-041", "M-042", "M-043", "M-045", "M-046")
@pytest.mark.parametrize("coins", COINS)
@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_the_dice_can_be_made_what_the_coins_pay_for_and_nothing_else(pair, coins):
    found = reached(pair, coins)
    state = position(offer=" ".join(pair), mine={"coins": coins})
    totals = {first + second for first, second in found}
    assert {f"total {total}" for total in totals} == {text for text in texts(state) if text.startswith("total")}

    for total in totals:
        changing = taken(pair, total, coins)
        expected = {f"change {first} {second}" for first, second in found if first + second == total}
        assert expected == {*texts(changing)}


@pytest.mark.rule("M-041", "M-044", "M-049", "M-051")
@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_a_change_costs_the_sum_of_the_differences_and_makes_the_total(pair):
    for (first, second), cost in reached(pair, 4).items():
        changing = taken(pair, first + second, 4)

        state, events = play(changing, f"change {first} {second}")

        expected = {"seat": 0, "total": first + second, "coins": cost}
        assert ("my.total", expected) == told(events)[0]
        assert ("my.flags", {"total": first + second}) == (owed(state).key, dict(owed(state).fields))
        assert (4 - cost, 0) == (state.villages[0].coins, state.villages[1].coins)
        assert tuple(sorted((first, second))) == RULESET.view(state, None).dice


@pytest.mark.rule("M-041")
@pytest.mark.parametrize("text", ["total 1", "total 13", "total 0"])
def test_there_is_no_total_below_two_or_above_twelve(text):
    with pytest.raises(GrammarError):
        refusal(position(mine={"coins": 30}), text)


@pytest.mark.rule("M-041")
def test_the_dice_must_show_the_total_that_was_chosen():
    state = taken(("white-2", "white-5"), 8, coins=3)

    expected = {"total": 8, "first": 2, "second": 5}
    assert ("change.total", expected) == refusal(state, "change 2 5")
    assert "my.change" == asked(state)[1]


@pytest.mark.rule("M-042")
@pytest.mark.parametrize(("total", "change"), [(7, "2 5"), (9, "4 5")])
def test_one_coin_turns_a_three_into_a_two_or_a_four(total, change):
    state = after(taken(("white-3", "black-5"), total, coins=1), f"change {change}")

    assert 0 == state.me.coins
    assert total == dict(owed(state).fields)["total"]


@pytest.mark.rule("M-043")
@pytest.mark.parametrize("pair", [("white-2", "white-5"), ("white-2", "black-5"), ("black-2", "black-5")])
def test_two_and_five_become_four_and_six_for_three_coins(pair):
    rich = taken(pair, 10, coins=5)
    assert "change 4 6" in texts(rich)
    assert 5 - 3 == after(rich, "change 4 6").me.coins

    assert 0 == after(taken(pair, 10, coins=3), "change 4 6").me.coins
    short = {"total": 10, "need": 3, "have": 2}
    assert ("total.short", short) == refusal(position(offer=" ".join(pair), mine={"coins": 2}), "total 10")


@pytest.mark.rule("M-043")
def test_all_coins_can_go_into_one_die():
    state = after(taken(("white-1", "white-6"), 12, coins=5), "change 6 6")

    assert 0 == state.me.coins


@pytest.mark.rule("M-044")
@pytest.mark.parametrize("coins", [0, 1, 9])
def test_no_coin_has_to_be_spent(coins):
    state = position(offer="white-2 white-5", mine={"coins": coins})
    assert "total 7" in texts(state)

    changing = after(state, "total 7", "dice white-2 white-5")

    assert "change 2 5" == texts(changing)[0]
    assert coins == after(changing, "change 2 5").me.coins


@pytest.mark.rule("M-045")
def test_more_coins_than_are_in_hand_cannot_be_spent():
    poor = position(offer="white-1 white-1", mine={"coins": 2}, others={1: {"coins": 9}})
    assert ("total.short", {"total": 5, "need": 3, "have": 2}) == refusal(poor, "total 5")
    assert "total 5" in texts(position(offer="white-1 white-1", mine={"coins": 3}))

    other = after(position(offer="white-1 white-1 white-4", mine={"coins": 2}), "total 5")
    assert ("dice.short", {"total": 5, "need": 3, "have": 2}) == refusal(other, "dice white-1 white-1")
    assert ["dice white-1 white-4"] == texts(other)

    detour = taken(("white-3", "white-3"), 6, coins=2)
    assert ("price.short", {"what": "coin", "need": 4, "have": 2}) == refusal(detour, "change 1 5")
    assert ["change 3 3", "change 2 4"] == texts(detour)


@pytest.mark.rule("M-046")
def test_six_and_five_with_one_coin():
    ways = {}
    for total in (10, 11, 12):
        ways[total] = texts(taken(("white-5", "white-6"), total, coins=1))

    assert {10: ["change 4 6", "change 5 5"], 11: ["change 5 6"], 12: ["change 6 6"]} == ways


@pytest.mark.rule("M-046")
@pytest.mark.parametrize("faces", ["0 6", "7 1", "1 7", "-1 6"])
def test_no_die_shows_less_than_one_or_more_than_six(faces):
    state = taken(("white-1", "black-6"), 7, coins=9)

    with pytest.raises(GrammarError):
        refusal(state, f"change {faces}")


@pytest.mark.rule("M-046")
def test_a_six_does_not_become_a_one_for_a_coin():
    state = position(offer="white-6 white-6", mine={"coins": 4})

    assert ("total.short", {"total": 7, "need": 5, "have": 4}) == refusal(state, "total 7")
    assert 0 == after(taken(("white-6", "white-6"), 7, coins=5), "change 1 6").me.coins


@pytest.mark.rule("M-047")
def test_a_change_leaves_the_dice_in_the_pool_alone():
    state = after(position(mine={"coins": 9}), "total 12", "dice white-6 black-5")
    left = state.pool
    assert pool("white-1 white-2 white-3 white-4 white-5 white-3 white-4 black-2 black-4") == left

    state = after(state, "change 6 6")

    assert left == state.pool
    assert 8 == state.me.coins


@pytest.mark.rule("M-047")
def test_nothing_can_be_changed_before_dice_are_taken():
    for state in (position(mine={"coins": 9}), after(position(mine={"coins": 9}), "total 7")):
        assert "turn.not-asked" == refusal(state, "change 3 4")[0]


@pytest.mark.rule("M-048")
@pytest.mark.parametrize(("pair", "cost"), [(("white-3", "black-4"), 1), (("black-3", "black-4"), 2)])
@pytest.mark.parametrize(("total", "faces"), [(6, "3 3"), (8, "3 5"), (7, "3 4")])
def test_a_black_die_is_changed_like_a_white_one_and_still_costs_its_hours(pair, cost, total, faces):
    state = taken(pair, total, coins=1)

    state = after(state, f"change {faces}")

    assert (1 - (total != 7), cost * BLACK_HOURS) == (state.me.coins, hours(state))


@pytest.mark.rule("M-049")
@pytest.mark.parametrize("pair", [("white-3", "white-3"), ("white-3", "black-3"), ("black-3", "black-3")])
def test_three_and_three_to_five_and_two_cost_three_coins(pair):
    state = taken(pair, 7, coins=4)

    faces = "5 2" if blacks(pair) == 1 else "2 5"
    assert 4 - 3 == after(state, f"change {faces}").me.coins


@pytest.mark.rule("M-049")
def test_dice_of_one_colour_go_the_shorter_way():
    state = after(taken(("white-2", "white-6"), 8, coins=9), "change 3 5")

    assert 9 - 2 == state.me.coins


@pytest.mark.rule("M-050")
def test_no_die_changes_once_flags_are_asked_for():
    mine = {"coins": 9, "crafts": ("beer-1",), "board": 1, "fields": 2}
    for state in (having(8, mine=mine), after(having(8, mine=mine), "make beer")):
        for move in ("change 4 5", "total 9", "dice white-1 white-2"):
            assert ("turn.not-asked", {"verb": move.split()[0], "decision": "my.flags"}) == refusal(state, move)


@pytest.mark.rule("M-050")
def test_coins_won_by_a_flag_change_no_die_of_that_turn():
    mine = {"fields": 2, "customers": ("market-3",), "goods": {"beer": 1}}
    state = having(7, mine=mine)

    state = after(state, "farm")

    assert COMPONENTS.field.coins == state.me.coins
    assert ["done", "farm"] == texts(state)
    assert "flag.number" == refusal(state, "serve market-3")[0]


@pytest.mark.rule("M-050")
def test_no_coin_changes_a_die_after_the_meeting_place():
    total = COMPONENTS.meeting_place.white[0]
    mine = {"meeting": True, "tile": "school", "coins": 9, "fields": 2, "board": 1}
    state = after(having(total, mine=mine), "meeting")

    old = RULESET.view(state, None).dice[0]
    state = after(state, f"set {old} {7 - (total - old)}", "farm")

    assert {"total": 7} == dict(owed(state).fields)
    assert 9 + COMPONENTS.field.coins == state.me.coins
    for move in ("change 3 5", "total 8"):
        assert ("turn.not-asked", {"verb": move.split()[0], "decision": "my.flags"}) == refusal(state, move)


@pytest.mark.rule("M-051")
def test_coins_spent_on_dice_are_nobodys():
    state = position(3, mine={"coins": 3}, others={1: {"coins": 1}, 2: {"coins": 2}}, offer="white-1 white-1")

    state = after(state, "total 5", "dice white-1 white-1", "change 2 3")

    assert [0, 1, 2] == [village.coins for village in state.villages]


@pytest.mark.rule("M-039")
def test_dice_for_the_main_house_cost_their_hours_beside_those_of_the_step():
    state, events = play(position(offer="black-2 black-5 white-1"), "house", "dice white-1 black-5")

    assert ["my.chosen", "my.dice", "my.house-coin"] == keys(events)
    assert BLACK_HOURS + STEP == hours(state)


@pytest.mark.parametrize(
    ("offer", "coins", "total", "cheapest"),
    [
        ("white-1 white-3 black-6", 5, 9, "dice white-3 black-6"),
        ("white-1 white-3 white-4 black-6", 5, 9, "dice white-3 white-4"),
        ("white-4 white-4 black-6", 5, 9, "dice white-4 white-4"),
    ],
)
def test_an_hour_weighs_as_much_as_a_coin_and_fewer_hours_come_first(offer, coins, total, cheapest):
    state = after(position(offer=offer, mine={"coins": coins}), f"total {total}")

    assert cheapest == texts(state)[0]


def test_the_dice_and_their_change_may_be_left_out_of_a_line():
    dear = after(position(offer="black-5 black-6", mine={"coins": 3}), "total 12")
    changed = after(dear, "dice black-5 black-6")

    assert [(True, True), (True, False)] == [(owed(one).implied, owed(one).wait) for one in (dear, changed)]
