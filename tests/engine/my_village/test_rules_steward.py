"""Rules M-100 to M-111: the steward's office."""

import pytest

from engine.my_village import RULESET
from engine.my_village.components import CUSTOMERS, GOODS, PROFESSIONS
from tests.engine.my_village.positions import (
    COMPONENTS,
    after,
    drawn,
    ended,
    owed,
    play,
    position,
    refusal,
    texts,
    told,
)
from tests.engine.my_village.ruling import LAP, TOTALS, faces
from tests.engine.my_village.steps import ONE_EACH, changes, every_step, goods, over, taking

STEWARD = COMPONENTS.steward
PRICES = STEWARD.prices
MOST = len(PRICES)
DICE = faces(STEWARD.black[0])
OPEN = CUSTOMERS[: STEWARD.open]
"""What lies open, if nothing else is said."""


def visiting(turn=0, *, mine=None, **values):
    """The position in which seat *turn* is asked which customer it takes."""
    return after(position(turn=turn, dice=DICE, mine=mine, **values), "steward")


def takes(*customers):
    """The moves that take *customers*."""
    return [f"take {customer}" for customer in customers]


def taken(state, *customers):
    """The position after *customers* were taken, and no more, where more can be."""
    state = after(state, *takes(*customers))
    return after(state, "done") if owed(state).key == "my.customers" else state


def affordable(coins):
    """How many customers can be bought with so many coins."""
    return max(number for number, (_, price) in enumerate(PRICES, 1) if price <= coins)


@pytest.mark.rule("M-100")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("total", TOTALS)
def test_the_office_answers_to_its_numbers_in_everybodys_turn(seats, total):
    for seat in range(seats):
        state = position(seats, seat, dice=faces(total))

        if total in STEWARD.black:
            assert "steward" in texts(state)
        else:
            wrong = {"flag": "steward", "numbers": STEWARD.black, "total": total}
            assert "steward" not in texts(state)
            assert ("flag.number", wrong) == refusal(state, "steward")


@pytest.mark.rule("M-100")
@pytest.mark.parametrize("villager", PROFESSIONS)
@pytest.mark.parametrize("total", STEWARD.black)
def test_the_office_needs_no_villager(villager, total):
    assert "steward" in texts(position(dice=faces(total), mine={"villagers": (villager,)}))


@pytest.mark.rule("M-100")
def test_the_office_is_black():
    board = next(at for at, own in enumerate(COMPONENTS.boards.play, 1) if STEWARD.black[0] in own)
    craft = next(card for card in COMPONENTS.craft.values() if STEWARD.black[0] in card.white)
    mine = {"board": board, "crafts": (craft.id,)}

    state = after(position(dice=DICE, mine=mine), "play")

    assert ("flag.alone", {"flag": "steward"}) == refusal(state, "steward")
    done = drawn(taken(visiting(mine=mine), OPEN[0]))
    assert 1 == done.turn


@pytest.mark.rule("M-100")
def test_every_turn_of_a_round_may_use_it():
    rich = {"coins": 30}
    state = position(turns=(1, 0, 1), mine=rich, others={1: rich})

    for seat in (0, 1, 0, 1):
        assert (seat, "my.total") == (owed(state).seat, owed(state).key)
        state = after(taking(state, STEWARD.black[0]), "steward")
        state = drawn(taken(state, state.display[0]))

    assert [2, 2] == [len(village.customers) for village in state.villages]


@pytest.mark.rule("M-101")
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize(("number", "price"), list(enumerate(PRICES, 1)))
def test_what_so_many_customers_cost(seat, number, price):
    hours, coins = price
    state = visiting(seat, seats=3, mine={"coins": 5, "hours": 2, "customers": ("market-30",)})
    chosen = OPEN[1 : number + 1]

    done = taken(state, *chosen)

    paid = {"coins": 5 - coins} if coins else {}
    assert {"hours": 2 + hours, "customers": ("market-30", *chosen), **paid} == changes(state, done, seat)
    assert [{}, {}] == [changes(state, done, other) for other in range(3) if other != seat]


@pytest.mark.rule("M-101")
def test_what_the_next_one_costs_is_told_and_paid():
    state, paid = visiting(mine={"coins": 5}), (0, 0)

    for customer, price in zip(OPEN, PRICES, strict=False):
        step = {"hours": price[0] - paid[0], "coins": price[1] - paid[1]}
        assert step == dict(owed(state).fields)
        state, events = play(state, f"take {customer}")
        assert ("my.took", {"seat": 0, "customer": customer} | step) in told(events)
        paid = price


@pytest.mark.rule("M-102")
@pytest.mark.parametrize("coins", range(max(coins for _, coins in PRICES) + 2))
def test_at_least_one_is_bought_and_at_most_as_many_as_can_be_paid(coins):
    state = visiting(mine={"coins": coins})
    most = affordable(coins)

    assert takes(*OPEN) == texts(state)
    assert ("take.one", {}) == refusal(state, "done")
    for number in range(1, most):
        state = after(state, f"take {OPEN[number - 1]}")
        assert ["done", *takes(*OPEN[number:])] == texts(state)
    state = after(state, f"take {OPEN[most - 1]}")
    assert "my.customers" != owed(state).key
    assert OPEN[:most] == state.villages[0].customers


@pytest.mark.rule("M-102")
def test_without_a_coin_at_most_two_and_with_one_at_most_all_by_our_table():
    assert (2, MOST) == (affordable(0), affordable(PRICES[-1][1]))


@pytest.mark.rule("M-103")
def test_only_customers_that_lie_open_can_be_taken():
    held, served = CUSTOMERS[20], CUSTOMERS[21]
    state = visiting(others={1: {"customers": (held,), "served": (served,)}}, mine={"customers": (CUSTOMERS[22],)})

    shown = [text.removeprefix("take ") for text in texts(state)]
    assert list(state.display) == shown
    for customer in {*CUSTOMERS} - {*shown}:
        assert ("take.not-open", {"customer": customer}) == refusal(state, f"take {customer}")


@pytest.mark.rule("M-103")
@pytest.mark.parametrize("card", ["field", "scroll-1", "almoner", "sanatorium", "area-chamber", "meeting-place"])
def test_no_other_card_is_sold_there(card):
    assert "turn.not-asked" == refusal(visiting(), f"buy {card}")[0]


@pytest.mark.rule("M-104")
@pytest.mark.parametrize("total", TOTALS)
def test_nothing_else_in_a_turn_brings_a_customer(total):
    """A village that can do nearly everything, with every answer to every question of its turn."""
    mine = {
        "crafts": ONE_EACH[:3], "goods": {"scroll": 2, "beer": 1}, "customers": ("market-2", "market-21"), "fields": 1,
        "church": "trade-church", "journeys": ("journey-a1",), "left": True, "right": True,
        "hours": LAP - 1, "coins": 2,
    }  # fmt: skip
    state = position(dice=faces(total), mine=mine, display=("market-4", "market-5"), pile=("market-6",))

    gained = set()
    for before, text, now in every_step(state):
        for seat in (0, 1):
            old, new = before.villages[seat], now.villages[seat]
            if len(new.customers) + len(new.served) != len(old.customers) + len(old.served):
                gained.add((seat, text.split()[0]))
    assert gained == ({(0, "take")} if total in STEWARD.black else set())


@pytest.mark.rule("M-105")
@pytest.mark.parametrize("villager", [one for one in PROFESSIONS if one != "merchant"])
def test_taking_needs_neither_merchant_nor_goods(villager):
    state = visiting(mine={"villagers": (villager,), "coins": 5})

    done = taken(state, *OPEN[:MOST])

    assert OPEN[:MOST] == done.villages[0].customers
    assert goods() == done.villages[0].goods


@pytest.mark.rule("M-105")
def test_taking_hands_over_no_goods():
    state = visiting(mine={"crafts": ONE_EACH, "goods": dict.fromkeys(GOODS, 2)})

    assert {"hours", "customers"} == set(changes(state, taken(state, *OPEN[:2])))


@pytest.mark.rule("M-106")
@pytest.mark.parametrize("held", [0, 5, len(CUSTOMERS) - MOST])
def test_any_number_can_be_held_unserved(held):
    state = visiting(mine={"customers": CUSTOMERS[:held], "coins": 5})

    done = taken(state, *state.display[:MOST])

    assert held + MOST == len(done.villages[0].customers)


@pytest.mark.rule("M-106")
@pytest.mark.parametrize("held", [1, 12, len(CUSTOMERS)])
def test_customers_that_were_not_served_cost_nothing_at_the_end(held):
    without, holding = ended(), ended(mine={"customers": CUSTOMERS[:held]})

    assert RULESET.standings(without) == RULESET.standings(holding)


@pytest.mark.rule("M-107")
@pytest.mark.parametrize("number", range(1, MOST + 1))
def test_the_display_is_filled_up_after_the_last_of_them_and_before_the_burials(number):
    state = visiting(mine={"coins": 5, "hours": LAP - PRICES[number - 1][0]})

    for at in range(number):
        assert list(OPEN[at:]) == list(state.display)
        state = after(state, f"take {OPEN[at]}")
    state = after(state, "done") if number < MOST else state

    for at in range(number):
        assert STEWARD.open - number + at == len(state.display)
        assert "my.customer" == owed(state).key
        state = after(state, texts(state)[0])
    assert STEWARD.open == len(state.display)
    assert (0, "my.death") == (owed(state).seat, owed(state).key)


@pytest.mark.rule("M-108")
@pytest.mark.parametrize("turns", [(1, 0, 1), (0, 1)])
@pytest.mark.parametrize("new", CUSTOMERS[STEWARD.open :: 6])
def test_a_customer_turned_up_can_be_taken_in_the_next_visit_by_anybody(turns, new):
    state = visiting(turns=turns, others={1: {"coins": 30}}, mine={"coins": 30})

    assert ("take.not-open", {"customer": new}) == refusal(state, f"take {new}")
    state = after(state, f"take {OPEN[0]}")
    assert ("take.not-open", {"customer": new}) == refusal(state, f"take {new}")

    state = after(state, "done", f"draw {new}")
    assert (new, turns[0]) == (state.display[-1], state.turn)
    state = after(taking(state, STEWARD.black[0]), "steward", f"take {new}")
    assert new == state.villages[turns[0]].customers[-1]


@pytest.mark.rule("M-109")
@pytest.mark.parametrize("shown", range(1, STEWARD.open + 1))
def test_with_an_empty_pile_gaps_stay_and_nobody_takes_more_than_lie_open(shown):
    state = visiting(display=OPEN[:shown], pile=(), mine={"coins": 5})
    number = min(shown, MOST)

    state = after(state, *takes(*OPEN[:number]))

    assert OPEN[:number] == state.villages[0].customers
    assert OPEN[number:shown] == state.display
    assert (1, "my.total") == (owed(state).seat, owed(state).key)


@pytest.mark.rule("M-109")
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_only_what_is_left_of_the_pile_fills_the_display(left):
    state = visiting(pile=CUSTOMERS[10 : 10 + left])

    state = drawn(taken(state, *OPEN[:2]))

    assert STEWARD.open - 2 + min(left, 2) == len(state.display)
    assert max(left - 2, 0) == len(state.pile)


@pytest.mark.rule("M-110")
@pytest.mark.parametrize("church", ["", "trade-church"])
@pytest.mark.parametrize("total", STEWARD.black)
def test_with_no_customer_open_the_office_cannot_be_used(church, total):
    state = position(dice=faces(total), mine={"church": church}, display=(), pile=())

    assert "steward" not in texts(state)
    assert ("steward.none", {}) == refusal(state, "steward")


@pytest.mark.rule("M-111")
@pytest.mark.parametrize(
    "customer",
    [one for one in COMPONENTS.customer.values() if set(one.white) & set(STEWARD.black)],
    ids=lambda customer: customer.id,
)
@pytest.mark.parametrize("free", [False, True])
def test_a_customer_taken_now_is_not_served_in_the_same_turn(customer, free):
    total = next(total for total in customer.white if total in STEWARD.black)
    mine = {"crafts": ONE_EACH, "goods": dict.fromkeys(GOODS, 2), "coins": 30, "meeting": free, "tile": "play"}
    used = ("meeting-place",) if free else ()
    state = position(
        dice=faces(total), used=used, free=free, mine=mine, display=(customer.id, "market-1"), pile=(), turns=(1, 0)
    )

    done = drawn(taken(after(state, "steward"), customer.id))

    assert (1, goods(**dict.fromkeys(GOODS, 2))) == (done.turn, done.villages[0].goods)
    later = taking(over(taking(done, 7)), total)
    assert 0 == later.turn
    assert f"serve {customer.id}" in texts(later)
