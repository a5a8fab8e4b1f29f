"""Rules V-112 to V-131: market day."""

import pytest

from tests.engine.village.positions import (
    COMPONENTS,
    draw_all,
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
    acting,
    after,
    change,
    odds,
    parts,
    scored,
    step_of,
    supply_change,
    verbs,
)

SURCHARGE = COMPONENTS.market
ONE_GOOD = ["wagon", "scroll", "plow", "horse", "ox"]
"""Customers that ask for the one good that they are named after."""

TRADERS = {seat: dict.fromkeys(ONE_GOOD, 1) | {"green": 3} for seat in range(4)}
"""Every seat can serve each of them."""


def sold(state):
    """The customers of each seat."""
    return [family.customers for family in state.families]


@pytest.mark.rule("V-112")
def test_the_day_takes_place_though_nobody_can_sell():
    state, events = play(position(3, stalls=ONE_GOOD[:4]), "0: take orange market")

    assert 1 == state.days
    assert ("village.market", {"day": 1, "seat": 0}) in told(events)
    assert ("village.market-over", {"day": 1}) in told(events)
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-112")
def test_nobody_has_to_sell():
    state = acting("market", seats=3, things=TRADERS, stalls=ONE_GOOD[:4])

    state = after(state, "0: pass", "1: pass", "2: pass")

    assert [(), (), ()] == sold(state)
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-113")
def test_only_customers_at_the_stalls_can_be_served():
    state = acting("market", things=TRADERS, stalls=["wagon"], line=["scroll", "plow"])

    assert ["pass", "sell wagon"] == sorted(texts(state))
    assert "market.in-line" == refusal(state, "0: sell scroll")[0]
    assert "market.no-customer" == refusal(state, "0: sell ox")[0]


@pytest.mark.rule("V-114")
def test_the_starter_sells_first_and_pays_no_surcharge_for_it():
    state = acting("market", turn=1, seats=3, things=TRADERS, stalls=ONE_GOOD[:4])

    assert (1, "village.market") == owed(state)
    done = after(state, "1: sell wagon")
    assert {"wagon": -1} == change(state, done, 1)
    assert 0 == step_of(done, 1)
    assert "market.no-surcharge" == refusal(state, "1: sell wagon green")[0]


@pytest.mark.rule("V-115")
def test_the_starter_who_declines_has_passed_for_the_day():
    state = acting("market", things=TRADERS, stalls=ONE_GOOD[:3])

    state = after(state, "0: pass", "1: sell wagon green")

    assert (1, "village.market") == owed(state)
    state = after(state, "1: sell scroll green", "1: pass")
    assert [(), ("wagon", "scroll")] == sold(state)
    assert (1, "village.turn") == owed(draw_all(state)[0])


@pytest.mark.rule("V-116")
def test_the_seats_sell_clockwise_one_customer_at_a_time():
    state = acting("market", turn=2, seats=4, things=TRADERS, stalls=ONE_GOOD)

    state = after(state, "2: sell wagon", "3: sell scroll green", "0: sell plow green")

    assert (1, "village.market") == owed(state)
    assert {"sell", "pass"} == verbs(state)
    state = after(state, "1: pass")
    assert (2, "village.market") == owed(state)


@pytest.mark.rule("V-117")
def test_the_next_seat_pays_one_green_and_one_time_extra():
    state = after(acting("market", things=TRADERS, stalls=["scroll", "wagon"]), "0: sell scroll")

    done = after(state, "1: sell wagon green")

    assert ("green", 1) == (SURCHARGE.cube, SURCHARGE.time)
    assert {"wagon": -1, "green": -1} == change(state, done, 1)
    assert {"wagon": 1, "green": 1} == supply_change(state, done)
    assert 1 == step_of(done, 1)


@pytest.mark.rule("V-117")
def test_a_sale_with_surcharge_cannot_be_made_without_it():
    state = after(acting("market", things=TRADERS, stalls=["scroll", "wagon"]), "0: sell scroll")

    assert "market.surcharge" == refusal(state, "1: sell wagon")[0]
    assert ["pass", "sell wagon green"] == sorted(texts(state))
    assert refusal(state, "1: sell wagon pink")


@pytest.mark.rule("V-118")
@pytest.mark.parametrize("sales", [2, 3])
def test_the_starter_pays_the_surcharge_from_the_second_sale_on(sales):
    state = acting("market", things={0: TRADERS[0]}, stalls=ONE_GOOD[:3])

    done = after(state, "0: sell wagon", "0: sell scroll green", *["0: sell plow green"] * (sales - 2))

    assert sales == len(done.families[0].customers)
    assert sales - 1 == step_of(done)
    assert 3 - (sales - 1) == things_of(done, 0)["green"]


@pytest.mark.rule("V-119")
def test_without_green_or_coin_a_seat_must_pass():
    poor, rich = {"wagon": 1, "pink": 3}, {"plow": 1, "green": 1}
    state = acting("market", seats=3, things={0: {"scroll": 1}, 1: poor, 2: rich}, stalls=["scroll", "wagon", "plow"])

    state, events = play(state, "0: sell scroll")

    assert (2, "village.market") == owed(state)
    assert ("village.cannot-sell", {"seat": 1}) in told(events)


@pytest.mark.rule("V-119")
def test_a_coin_alone_pays_the_surcharge():
    things = {0: {"scroll": 1}, 1: {"wagon": 1, "coin": 1}}
    state = after(acting("market", things=things, stalls=["scroll", "wagon"]), "0: sell scroll")

    assert ["pass", "sell wagon coin"] == sorted(texts(state))


@pytest.mark.rule("V-120")
def test_a_seat_that_passed_is_out_until_the_day_is_over():
    state = acting("market", seats=3, things=TRADERS, stalls=ONE_GOOD[:4])

    state = after(state, "0: sell wagon", "1: pass", "2: sell scroll green", "0: sell plow green")

    assert (2, "village.market") == owed(state)


@pytest.mark.rule("V-120")
def test_a_seat_that_could_not_sell_is_out_though_it_could_sell_later():
    things = {0: {"wagon": 1, "plow": 1, "green": 1}, 1: {"scroll": 1}, 2: {"horse": 1, "green": 1}}
    state = acting("market", seats=3, things=things, stalls=["wagon", "scroll", "plow", "horse"])

    state = after(state, "0: sell wagon", "2: sell horse green")

    assert (0, "village.market") == owed(state)
    assert [("wagon",), (), ("horse",)] == sold(state)
    again = after(state, "0: pass")
    assert (-1, "village.customer") == owed(again)


@pytest.mark.rule("V-121")
@pytest.mark.parametrize("tile", COMPONENTS.customers.tiles, ids=lambda tile: tile.id)
def test_what_a_customer_asks_for_goes_to_the_supply_and_he_to_the_seller(tile):
    wanted = {good: tile.goods.count(good) for good in tile.goods} | ({"grain": tile.grain} if tile.grain else {})
    state = acting("market", things={0: wanted}, stalls=[tile.id])

    done = after(state, f"0: sell {tile.id}")

    assert {thing: -count for thing, count in wanted.items()} == change(state, done)
    assert wanted == supply_change(state, done)
    assert (tile.id,) == done.families[0].customers
    assert tile.id not in (*done.stalls, *done.line, *done.pile)


@pytest.mark.rule("V-121")
@pytest.mark.parametrize(
    ("customer", "things"),
    [
        ("grain-3", {"grain": 2}),
        ("scroll-grain", {"scroll": 1, "grain": 1}),
        ("scroll-scroll", {"scroll": 1}),
        ("horse-ox", {"ox": 2}),
    ],
)
def test_a_customer_is_not_served_in_part(customer, things):
    state = acting("market", things={0: things | {"wagon": 1}}, stalls=[customer, "wagon"])

    assert "price.short" == refusal(state, f"0: sell {customer}")[0]
    assert ["pass", "sell wagon"] == sorted(texts(state))


@pytest.mark.rule("V-122")
def test_a_served_customer_scores_at_the_end_and_not_at_the_sale():
    state = acting("market", things={0: {"wagon": 1}}, stalls=["wagon"])

    done = after(state, "0: sell wagon")

    assert 0 == done.families[0].prestige
    assert COMPONENTS.customer("wagon").points == parts(scored(served={0: ["wagon"]}))["customers"]


@pytest.mark.rule("V-123")
def test_the_customers_by_our_table():
    tiles = {tile.id: (*tile.goods, *["grain"] * tile.grain, tile.points) for tile in COMPONENTS.customers.tiles}
    grain = {f"grain-{n}": (*["grain"] * n, n - 1) for n in (3, 4, 5)}
    one = {"scroll": 2, "wagon": 2, "plow": 3, "horse": 3, "ox": 3}
    with_grain = {"scroll": (2, 3), "wagon": (2, 4), "plow": (1, 4), "horse": (1, 4), "ox": (1, 4)}
    two = {
        "scroll-wagon": 4, "scroll-plow": 5, "scroll-horse": 5, "scroll-ox": 5, "wagon-plow": 5, "wagon-horse": 5,
        "wagon-ox": 5, "plow-horse": 6, "plow-ox": 6, "horse-ox": 6, "scroll-scroll": 4,
    }  # fmt: skip

    expected = grain | {good: (good, worth) for good, worth in one.items()}
    expected |= {f"{good}-grain": (good, *["grain"] * n, worth) for good, (n, worth) in with_grain.items()}
    expected |= {pair: (*pair.split("-"), worth) for pair, worth in two.items()}
    assert 24 == len(tiles)
    assert expected == tiles
    assert {2, 3, 4, 5, 6} == {tile.points for tile in COMPONENTS.customers.tiles}


@pytest.mark.rule("V-124")
def test_the_day_ends_when_no_stall_has_a_customer():
    state = acting("market", things=TRADERS, stalls=["wagon", "scroll"], line=[], pile=[])

    state, events = play(state, "0: sell wagon", "1: sell scroll green")

    assert ("village.market-over", {"day": 1}) in told(events)
    assert (1, "village.turn") == owed(state)


@pytest.mark.rule("V-124")
def test_the_day_ends_when_every_seat_has_passed():
    state = acting("market", things=TRADERS, stalls=["wagon", "scroll"], line=[], pile=[])

    state, events = play(state, "0: sell wagon", "1: pass", "0: pass")

    assert ("village.market-over", {"day": 1}) in told(events)
    assert ("scroll" in state.stalls, (1, "village.turn")) == (True, owed(state))


@pytest.mark.rule("V-125")
def test_the_last_seat_sells_on_with_the_surcharge_on_each_sale():
    state = acting("market", seats=3, things=TRADERS, stalls=ONE_GOOD[:4])

    state = after(state, "0: sell wagon", "1: pass", "2: pass", "0: sell scroll green", "0: sell plow green")

    assert (0, "village.market") == owed(state)
    assert 2 == step_of(state)
    assert 1 == things_of(state, 0)["green"]
    assert ("wagon", "scroll", "plow") == state.families[0].customers


@pytest.mark.rule("V-126")
def test_stalls_are_filled_only_after_the_day():
    line = ["plow", "horse", "ox", "grain-3", "grain-4"]
    state = acting("market", things=TRADERS, stalls=["grain-5", "wagon", "scroll"], line=line)

    during = after(state, "0: sell wagon")

    assert ("grain-5", "", "scroll") == during.stalls
    assert tuple(line) == during.line
    over = after(during, "1: sell scroll green")
    assert ("grain-5", "plow", "horse") == over.stalls
    assert ("ox", "grain-3", "grain-4") == over.line
    filled = after(over, "chance: draw horse-ox", "chance: draw plow-ox")
    assert ("ox", "grain-3", "grain-4", "horse-ox", "plow-ox") == filled.line


@pytest.mark.rule("V-126")
def test_the_pile_gives_each_customer_with_the_same_chance():
    state = acting("market", things=TRADERS, stalls=["wagon"], pile=["horse-ox", "plow-ox", "grain-3"])

    over = after(state, "0: sell wagon")

    assert {"draw horse-ox": 1, "draw plow-ox": 1, "draw grain-3": 1} == odds(over)
    assert "draw.not-there" == refusal(over, "chance: draw wagon")[0]
    assert "draw.not-there" == refusal(over, "chance: draw horse-ox 1")[0]


@pytest.mark.rule("V-126")
def test_the_first_waiting_goes_to_the_empty_stall_nearest_the_head():
    line = ["plow", "horse", "ox"]
    state = acting("market", things=TRADERS, stalls=["wagon", "grain-5", "scroll"], line=line, pile=[])

    state = after(state, "0: sell scroll", "1: sell wagon green")

    assert ("plow", "grain-5", "horse") == state.stalls
    assert ("ox",) == state.line


@pytest.mark.rule("V-126")
def test_a_waiting_death_follows_the_refill():
    board = {"market": ["plague"], "church": ["orange"]}
    state = position(board=board, things=TRADERS, stalls=["wagon"], step={0: 9}, family={0: {"farmyard": [1]}})

    state = after(state, "0: take plague market", "0: sell wagon")

    assert (-1, "village.customer") == owed(state)
    assert [1] == numbers_at(state, 0, "farmyard")
    refilled, _ = draw_all(state)
    assert [1] == numbers_at(refilled, 0, "chronicle-farmyard")


@pytest.mark.rule("V-127")
def test_three_sold_of_five_are_followed_by_three_of_the_line_and_three_of_the_pile():
    line = ["grain-3", "grain-4", "grain-5", "plow-ox", "horse-ox"]
    state = acting("market", seats=4, things={0: TRADERS[0]}, stalls=ONE_GOOD, line=line)

    state = after(state, "0: sell scroll", "0: sell plow green", "0: sell horse green", "0: pass")

    assert ("wagon", "grain-3", "grain-4", "grain-5", "ox") == state.stalls
    assert ("plow-ox", "horse-ox") == state.line
    pile = len(state.pile)
    filled, _ = draw_all(state)
    assert ("plow-ox", "horse-ox") == filled.line[:2]
    assert 5 == len(filled.line)
    assert 3 == pile - len(filled.pile)


@pytest.mark.rule("V-128")
def test_if_nobody_sold_every_customer_stays():
    state = acting("market", things=TRADERS, stalls=["wagon", "", "scroll"], line=["plow"])

    done = after(state, "0: pass", "1: pass")

    assert (state.stalls, state.line, state.pile) == (done.stalls, done.line, done.pile)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-129", "V-014")
@pytest.mark.parametrize(("seats", "front"), [(2, 3), (3, 4), (4, 5)])
def test_stalls_left_out_stay_empty_at_a_refill(seats, front):
    state = acting("market", seats=seats, things={0: TRADERS[0]}, stalls=ONE_GOOD[:front])

    state, _ = draw_all(after(state, "0: sell wagon", "0: sell scroll green", "0: pass"))

    assert front == len(state.stalls) == COMPONENTS.stalls.open[seats - 2]
    assert "" not in state.stalls
    assert 5 == len(state.line) == COMPONENTS.stalls.line


@pytest.mark.rule("V-130")
def test_a_pile_of_one_lets_the_line_shrink():
    state = acting("market", things={0: TRADERS[0]}, stalls=["wagon", "scroll", "plow"], pile=["horse-ox"])
    line = state.line

    state = after(state, "0: sell wagon", "0: sell scroll green", "0: sell plow green")

    state, _ = draw_all(state)
    assert line[:3] == state.stalls
    assert (*line[3:], "horse-ox") == state.line
    assert 3 == len(state.line)
    assert () == state.pile


@pytest.mark.rule("V-131")
def test_with_no_customer_left_a_market_day_changes_nothing():
    state = position(stalls=["", "", ""], line=[], pile=[], things=TRADERS)

    done, events = play(state, "0: take orange market")

    assert {"orange": 1} == change(state, done)
    assert ("", "", "") == done.stalls
    assert [(), ()] == sold(done)
    assert ("village.market", {"day": 1, "seat": 0}) in told(events)
    assert (1, "village.turn") == owed(done)
