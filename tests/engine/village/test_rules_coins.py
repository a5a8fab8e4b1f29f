"""Rules V-247 to V-255: the coin as a joker."""

import pytest

from tests.engine.village.positions import (
    at_mass,
    numbers_at,
    owed,
    position,
    refusal,
    start,
    texts,
    things_of,
)
from tests.engine.village.ruling import (
    acting,
    after,
    change,
    starting,
    step_of,
    supply_change,
    verbs,
)


def stage(*numbers):
    """Members of seat 0 on stage 1."""
    return {0: {"farmyard": [1], "stage-1": list(numbers)}}


@pytest.mark.rule("V-247", "V-255")
@pytest.mark.parametrize("colour", ["pink", "orange"])
def test_a_coin_stands_for_any_one_cube_and_goes_to_the_supply(colour):
    state = acting("crafts", things={0: {colour: 1, "coin": 2}}, family={0: {"office": [1]}})
    kept = {"pink": "pink coin", "orange": "orange coin"}[colour]

    done = after(state, f"0: buy wagon {kept}")

    assert {colour: -1, "coin": -1, "wagon": 1} == change(state, done)
    assert {colour: 1, "coin": 1, "wagon": -1} == supply_change(state, done)


@pytest.mark.rule("V-248")
@pytest.mark.parametrize(
    ("pay", "cost"),
    [("green green", {"green": -2}), ("green coin", {"green": -1, "coin": -1}), ("coin coin", {"coin": -2})],
)
@pytest.mark.parametrize("verb", ["enter 1", "advance 1 2"])
def test_two_green_in_the_council_may_be_coins(verb, pay, cost):
    state = acting("council", family=stage(2), things={0: {"green": 2, "coin": 2}})

    expected = [f"{verb} {way}" for way in ("coin coin", "green coin", "green green")]
    assert expected == sorted(text for text in texts(state) if text.startswith(verb))
    assert cost == change(state, after(state, f"0: {verb} {pay}"))


@pytest.mark.rule("V-249")
@pytest.mark.parametrize(
    ("space", "text", "coins"),
    [
        ("crafts", "buy scroll coin", 1),
        ("crafts", "buy wagon coin coin", 2),
        ("crafts", "buy plow coin coin", 2),
        ("travel", "depart abbey 1 coin coin", 2),
        ("travel", "travel ford castle 2 coin coin", 2),
        ("council", "enter 1 coin coin", 2),
        ("council", "advance 1 3 coin coin", 2),
        ("church", "pray 1 coin", 1),
    ],
)
def test_coins_pay_the_cubes_of(space, text, coins):
    family = {0: {"farmyard": [1], "ford": [2], "stage-1": [3]}}
    state = acting(space, family=family, things={0: {"coin": 3, "wagon": 1}})

    done = after(state, f"0: {text}")

    assert text in texts(state)
    assert -coins == change(state, done)["coin"]


@pytest.mark.rule("V-249")
def test_a_coin_pays_the_cube_of_the_surcharge():
    things = {0: {"wagon": 1, "scroll": 1, "coin": 1}}
    state = after(acting("market", things=things, stalls=["wagon", "scroll"]), "0: sell wagon")

    done = after(state, "0: sell scroll coin")

    assert {"scroll": -1, "coin": -1} == change(state, done)
    assert 1 == step_of(done)


@pytest.mark.rule("V-249", "V-251")
@pytest.mark.parametrize(
    ("pay", "cost"),
    [
        ("pink pink coin", {"pink": -2, "coin": -1}),
        ("pink coin coin", {"pink": -1, "coin": -2}),
        ("coin coin coin", {"coin": -3}),
    ],
)
def test_the_well_takes_coins_too(pay, cost):
    state = position(things={0: {"pink": 2, "brown": 1, "coin": 3}})

    assert f"well {pay}" in texts(state)
    assert cost == change(state, after(state, f"0: well {pay}"))


@pytest.mark.rule("V-251")
def test_the_true_cubes_at_the_well_share_a_colour():
    state = position(things={0: {"pink": 2, "brown": 2, "coin": 1}})

    assert "well.mixed" == refusal(state, "0: well brown pink coin")[0]
    assert {"well brown brown coin", "well pink pink coin"} == set(starting(state, "well"))


@pytest.mark.rule("V-250")
def test_a_coin_never_replaces_grain():
    crafts = acting("crafts", things={0: {"grain": 2, "coin": 5}})
    mill = acting("crafts", things={0: {"grain": 1, "coin": 5}})
    market = acting("market", things={0: {"grain": 2, "coin": 5, "wagon": 1}}, stalls=["grain-3", "wagon"])
    mass, _ = at_mass(position(board={}, family={0: {"window-1": [1]}}, things={0: {"coin": 5}}))

    assert "price.short" == refusal(crafts, "0: buy horse")[0]
    assert refusal(crafts, "0: buy horse coin coin coin")
    assert "price.short" == refusal(mill, "0: mill")[0]
    assert "price.short" == refusal(market, "0: sell grain-3")[0]
    assert (-1, "village.cube") == owed(after(mass, *["chance: draw monk"] * 4))


@pytest.mark.rule("V-250")
def test_a_coin_never_replaces_a_good():
    travel = acting("travel", things={0: {"coin": 5, "brown": 2}})
    market = acting("market", things={0: {"coin": 5, "wagon": 1}}, stalls=["scroll", "wagon"])
    council = acting("council", things={0: {"coin": 1}}, family={0: {"farmyard": [1], "stage-1": [1]}})

    assert (1, "village.turn") == owed(travel)
    assert "price.short" == refusal(market, "0: sell scroll")[0]
    assert "price.payment" == refusal(council, "0: enter 1 coin")[0]
    assert [] == starting(council, "enter", "advance")


@pytest.mark.rule("V-250")
def test_a_coin_never_replaces_time():
    church = acting("church", things={0: {"coin": 3}})
    crafts = acting("crafts", things={0: {"coin": 3}})

    assert {"coin": -1} == change(church, after(church, "0: pray 1 coin"))
    assert 3 == step_of(after(church, "0: pray 1 time"))
    assert {} == change(crafts, after(crafts, "0: train stables 1"))
    assert 3 == step_of(after(crafts, "0: train stables 1"))


@pytest.mark.rule("V-252")
def test_no_cube_replaces_a_coin():
    cubes = dict.fromkeys(("brown", "pink", "orange", "green"), 4)
    council = acting("council", family={0: {"stage-4": [1]}}, things={0: cubes})
    mass, _ = at_mass(position(board={}, family={0: {"bag": [1]}}, things={0: cubes}))

    assert "price.short" == refusal(council, "0: use 4")[0]
    assert "use 4" not in texts(council)
    assert (-1, "village.piece") == owed(mass)


@pytest.mark.rule("V-253")
def test_a_coin_pays_the_fourth_privilege_and_buys_members_out():
    council = acting("council", family={0: {"stage-4": [1]}}, things={0: {"coin": 1}})
    mass, _ = at_mass(position(board={}, family={0: {"bag": [1]}}, things={0: {"coin": 1}}))

    assert 3 == after(council, "0: use 4").families[0].prestige
    assert [1] == numbers_at(after(mass, "0: redeem 1"), 0, "window-1")
    assert {"coin": -1} == change(mass, after(mass, "0: redeem 1"))


@pytest.mark.rule("V-253")
@pytest.mark.parametrize("space", ["harvest", "family"])
def test_a_coin_buys_nothing_of_other_actions(space):
    with_coins, without = (acting(space, things={0: {"coin": coins}}) for coins in (5, 0))

    assert verbs(without) == verbs(with_coins)


@pytest.mark.rule("V-254")
def test_coins_come_from_the_set_up_the_mill_and_cities():
    mill = acting("crafts", things={0: {"grain": 2}})
    city = acting("travel", things={0: {"wagon": 1, "brown": 2}}, family={0: {"abbey": [1]}})

    assert {"coin": 1} == things_of(start(), 0)
    assert 2 == change(mill, after(mill, "0: mill"))["coin"]
    assert 1 == change(city, after(city, "0: travel abbey quarry 1 brown brown"))["coin"]


@pytest.mark.rule("V-254")
@pytest.mark.parametrize(
    ("space", "lines"),
    [
        ("harvest", ["harvest"]),
        ("family", ["birth"]),
        ("crafts", ["buy wagon pink orange"]),
        ("travel", ["depart ford 1 brown brown"]),
        ("council", ["enter 1 scroll", "use 1"]),
        ("church", ["pray 1 brown"]),
        ("market", ["sell wagon", "sell scroll green"]),
    ],
)
def test_other_actions_bring_no_coin(space, lines):
    things = {"pink": 2, "brown": 2, "green": 2, "wagon": 1, "scroll": 1}
    state = acting(space, things={0: things}, stalls=["wagon", "scroll", "grain-3"])

    done = after(state, *(f"0: {line}" for line in lines))

    assert "coin" not in things_of(done, 0)
    assert 0 != owed(done)[0]


@pytest.mark.rule("V-255")
def test_one_coin_covers_one_cube_without_change():
    state = acting("council", things={0: {"coin": 3, "green": 1}}, family=stage(2))

    assert "price.payment" == refusal(state, "0: enter 1 coin")[0]
    assert "price.payment" == refusal(state, "0: enter 1 coin coin coin")[0]
    assert {"coin": -2} == change(state, after(state, "0: enter 1 coin coin"))
