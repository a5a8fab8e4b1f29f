"""Rules M-133 to M-137: customers."""

from itertools import permutations

import pytest

from engine.my_village.components import GOODS
from tests.engine.my_village.positions import COMPONENTS, after, drawn, ended, play, position, refusal, texts, told
from tests.engine.my_village.ruling import LAP, TOTALS, customer, faces, parts
from tests.engine.my_village.steps import ONE_EACH, changes, goods, over, taking, without

CUSTOMERS = list(COMPONENTS.customer.values())
TWICE = [one for one in CUSTOMERS if len(set(one.goods)) < len(one.goods)]
"""Customers that ask for a good more than once."""


def by_id(one):
    return one.id


def needed(*customers):
    """The goods that *customers* ask for, by name."""
    asked = [good for one in customers for good in one.goods]
    return {good: asked.count(good) for good in GOODS if good in asked}


def serving(*customers, total=None, **mine):
    """Seat 0 holds *customers*, has exactly their goods, and dice for the first of them."""
    mine = {
        "crafts": ONE_EACH,
        "goods": needed(*customers),
        "customers": tuple(one.id for one in customers),
        **mine,
    }
    return position(dice=faces(customers[0].white[0] if total is None else total), mine=mine)


@pytest.mark.rule("M-133")
@pytest.mark.parametrize("one", CUSTOMERS, ids=by_id)
@pytest.mark.parametrize("more", [0, 2])
def test_a_customer_gets_exactly_its_goods_for_its_hours(one, more):
    there = {good: needed(one).get(good, 0) + more for good in GOODS}
    for total in one.white:
        state = serving(one, total=total, goods=there, hours=2)

        done, events = play(state, f"serve {one.id}")
        done = over(done) if done.turn == 0 else done

        left = goods(**dict.fromkeys(GOODS, more))
        assert {"customers": (), "served": (one.id,), "goods": left, "hours": 2 + one.work} == changes(state, done)
        assert {} == changes(state, done, 1)
        told_so = {"seat": 0, "customer": one.id, "points": one.points, "hours": one.work, "joker": ""}
        assert ("my.served", told_so) in told(events)


@pytest.mark.rule("M-133")
@pytest.mark.parametrize("one", CUSTOMERS, ids=by_id)
def test_a_customer_is_served_with_its_number_alone(one):
    for total in TOTALS:
        state = serving(one, total=total)

        assert (f"serve {one.id}" in texts(state)) == (total in one.white)
        if total not in one.white:
            wrong = {"flag": one.id, "numbers": one.white, "total": total}
            assert ("flag.number", wrong) == refusal(state, f"serve {one.id}")


@pytest.mark.rule("M-133")
@pytest.mark.parametrize("one", CUSTOMERS, ids=by_id)
def test_a_customer_is_not_served_while_a_good_is_missing(one):
    for good, need in needed(one).items():
        others = {**dict.fromkeys(GOODS, 5), good: need - 1}
        state = serving(one, goods=others)

        assert f"serve {one.id}" not in texts(state)
        short = {"what": good, "need": need, "have": need - 1}
        assert ("price.short", short) == refusal(state, f"serve {one.id}")


@pytest.mark.rule("M-133")
def test_a_customer_of_somebody_else_cannot_be_served():
    one = CUSTOMERS[0]
    state = position(dice=faces(one.white[0]), mine={"goods": needed(one)}, others={1: {"customers": (one.id,)}})

    assert ("serve.none", {"customer": one.id}) == refusal(state, f"serve {one.id}")


@pytest.mark.rule("M-134")
@pytest.mark.parametrize("one", CUSTOMERS, ids=by_id)
def test_serving_needs_the_merchant(one):
    alone, missing = serving(one, villagers=("merchant",)), serving(one, villagers=without("merchant"))

    assert f"serve {one.id}" in texts(alone)
    assert f"serve {one.id}" not in texts(missing)
    assert ("villager.missing", {"profession": "merchant"}) == refusal(missing, f"serve {one.id}")


@pytest.mark.rule("M-135")
@pytest.mark.parametrize("one", TWICE, ids=by_id)
def test_goods_asked_for_twice_must_be_owned_twice(one):
    good = next(good for good in one.goods if one.goods.count(good) > 1)
    number = one.goods.count(good)

    short = {"what": good, "need": number, "have": number - 1}
    assert ("price.short", short) == refusal(serving(one, goods={good: number - 1}), f"serve {one.id}")
    done = over(serving(one, goods={good: number + 1}), f"serve {one.id}")
    assert goods(**{good: 1}) == done.villages[0].goods


@pytest.mark.rule("M-135")
def test_one_of_them_asks_for_two_scrolls():
    assert ("scroll", "scroll") in [one.goods for one in TWICE]


@pytest.mark.rule("M-136")
@pytest.mark.parametrize("total", sorted({total for one in CUSTOMERS for total in one.white}))
def test_all_customers_with_the_total_are_served_in_one_turn(total):
    together = [one for one in CUSTOMERS if total in one.white]
    state = serving(*together, total=total)

    for order in (together, together[::-1]):
        done = over(state, *(f"serve {one.id}" for one in order))

        assert tuple(one.id for one in order) == done.villages[0].served
        assert goods() == done.villages[0].goods
        assert sum(one.work for one in together) == done.villages[0].hours
        assert sum(one.points for one in together) == parts(done)["market"]


@pytest.mark.rule("M-136")
def test_with_an_eight_a_scroll_and_a_beer_serve_two():
    pair = [COMPONENTS.customer[customer(8, "scroll")], COMPONENTS.customer[customer(8, "beer")]]

    for one, other in permutations(pair):
        done = over(serving(*pair, total=8), f"serve {one.id}", f"serve {other.id}")
        assert pair[0].work + pair[1].work == done.villages[0].hours
        assert pair[0].points + pair[1].points == parts(done)["market"]


@pytest.mark.rule("M-136")
def test_goods_given_to_one_are_missing_for_the_other():
    one, other = COMPONENTS.customer[customer(8, "scroll")], COMPONENTS.customer[customer(8, "scroll", "horse")]

    state = after(serving(one, other, goods={"scroll": 1, "horse": 1}, board=1), f"serve {one.id}")

    assert ("price.short", {"what": "scroll", "need": 1, "have": 0}) == refusal(state, f"serve {other.id}")


@pytest.mark.rule("M-137")
@pytest.mark.parametrize("one", CUSTOMERS, ids=by_id)
def test_a_served_customer_is_gone_and_keeps_its_points(one):
    later = next(other for other in CUSTOMERS if other.white == one.white and other != one)
    state = serving(one, later, goods=dict.fromkeys(GOODS, 4))
    points = parts(state)["market"]

    done = after(state, f"serve {one.id}")

    assert (0, one.points) == (points, parts(done)["market"])
    assert (later.id,) == done.villages[0].customers
    assert ("serve.none", {"customer": one.id}) == refusal(done, f"serve {one.id}")
    assert one.id not in (*done.display, *done.pile)
    assert one.points == parts(ended(mine={"served": (one.id,)}))["market"]


@pytest.mark.rule("M-137")
@pytest.mark.parametrize("one", CUSTOMERS, ids=by_id)
def test_a_served_customer_has_no_flag_in_later_turns(one):
    mine = {"served": (one.id,), "crafts": ONE_EACH, "goods": dict.fromkeys(GOODS, 4), "coins": 40}
    state = taking(position(mine=mine), one.white[0])

    assert not [text for text in texts(state) if text.startswith(("serve", "joker"))]
    assert ("serve.none", {"customer": one.id}) == refusal(state, f"serve {one.id}")


@pytest.mark.rule("M-137")
def test_served_customers_stay_when_the_merchant_dies_and_an_invasion_comes():
    mine = {"served": ("market-1", "market-9"), "hours": LAP - 1, "tree": 4}
    state = position(dice="3 4", mine=mine, rat=COMPONENTS.rat.steps[0] - 1)
    points = parts(state)["market"]

    done = drawn(after(state, "house coin", "bury merchant"))

    assert ("market-1", "market-9") == done.villages[0].served
    assert points == parts(done)["market"] > 0
