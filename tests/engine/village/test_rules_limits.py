"""Rules V-236 to V-246: what a farmyard and the supply can hold."""

from collections import Counter

import pytest

from engine.village import RULESET
from engine.village.components import COLOURS, GOODS
from engine.village.state import CUBES
from tests.engine.village.positions import (
    COMPONENTS,
    CUSTOMERS,
    THINGS,
    numbers_at,
    owed,
    play,
    position,
    refusal,
    start,
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
    each,
    starting,
    step_of,
    toll,
)


def hoarded(**left):
    """What seat 1 holds so that the supply has no influence cubes but *left*; seven orange ones lie on the board."""
    taken = {"orange": 7}
    return {colour: 18 - left.get(colour, 0) - taken.get(colour, 0) for colour in COLOURS}


@pytest.mark.rule("V-236")
@pytest.mark.parametrize(("before", "gain"), [(0, 4), (1, 4), (2, 3), (4, 1), (5, 0)])
def test_a_farmyard_never_holds_more_than_five_grain(before, gain):
    state = acting("harvest", things={0: {"ox": 1, "plow": 1, "grain": before}})

    done = after(state, "0: harvest")

    assert 5 == COMPONENTS.family.barn
    assert before + gain == things_of(done, 0)["grain"] <= 5
    assert supply_of(state)["grain"] - gain == supply_of(done)["grain"]


@pytest.mark.rule("V-237")
def test_cubes_on_a_farmyard_have_no_limit():
    state = position(board={"travel": ["pink"], "church": ["orange"]}, things={0: {"pink": 17, "green": 18}})

    state = after(state, "0: take pink travel")

    assert {"pink": 18, "green": 18} == things_of(state, 0)


@pytest.mark.rule("V-238")
def test_goods_coins_and_customers_have_no_limit():
    crafts = acting("crafts", things={0: {"ox": 7, "coin": 12, "grain": 2}}, family={0: {"stables": [1]}})
    market = acting("market", things={0: {"ox": 1}}, stalls=["ox"], served={0: CUSTOMERS[8:]})

    assert 8 == things_of(after(crafts, "0: make ox"), 0)["ox"]
    assert 14 == things_of(after(crafts, "0: mill"), 0)["coin"]
    assert 17 == len(after(market, "0: sell ox").families[0].customers)


@pytest.mark.rule("V-239")
def test_the_supply_never_lacks_grain():
    things = each(4, {"grain": 5}) | {0: {"ox": 1, "plow": 1, "grain": 1}}
    state = acting("harvest", seats=4, things=things)

    done = after(state, "0: harvest")

    assert 4 * COMPONENTS.family.barn == COMPONENTS.stock.grain == 20
    assert (5, 0) == (things_of(done, 0)["grain"], supply_of(done)["grain"])


@pytest.mark.rule("V-240")
@pytest.mark.parametrize("good", GOODS)
def test_a_good_that_has_run_out_is_neither_made_bought_nor_chosen(good):
    maker = COMPONENTS.maker(good)
    spots = {"farmyard": [2], maker.id: [1], "stage-3": [1]}
    values = {"family": {0: spots}, "things": {0: RICH | {"wagon": 0, "grain": 5}, 1: {good: 8}}}
    crafts, council = acting("crafts", **values), after(acting("council", **values), "0: use 3")

    assert 0 == supply_of(crafts)[good]
    assert "supply.short" == refusal(crafts, f"0: make {good}")[0]
    assert "supply.short" == refusal(crafts, f"0: buy {' '.join([good, *maker.cubes])}")[0]
    assert "supply.short" == refusal(council, f"0: pick {good}")[0]
    assert not {f"make {good}", f"buy {good}", f"pick {good}"} & {*texts(crafts), *texts(council)}
    assert [f"pick {other}" for other in GOODS if other != good] == texts(council)


@pytest.mark.rule("V-240")
def test_training_stays_possible_where_the_good_has_run_out():
    state = acting("crafts", things={1: {"plow": 8}})

    state = after(state, "0: train smithy 1")

    assert [1] == numbers_at(state, 0, "smithy")
    assert [] == starting(state, "make")


@pytest.mark.rule("V-241")
@pytest.mark.parametrize(("left", "paid"), [(2, 2), (1, 1), (0, 0)])
def test_if_coins_run_short_the_mill_gives_what_is_left_at_its_full_price(left, paid):
    state = acting("crafts", things={0: {"grain": 2}, 1: {"coin": 15 - left}})

    assert "mill" in texts(state)
    done = after(state, "0: mill")
    assert {"grain": -2} | ({"coin": paid} if paid else {}) == change(state, done)
    assert COMPONENTS.mill.time == step_of(done)


@pytest.mark.rule("V-241")
def test_if_coins_run_short_a_city_gives_none():
    things = {0: RICH, 1: {"coin": 15}}
    state = acting("travel", family={0: {"abbey": [1]}}, things=things)

    done = after(state, f"0: travel abbey quarry 1 {toll('abbey', 'quarry')}")

    assert "coin" not in things_of(done, 0)
    assert ("quarry",) == done.families[0].cities


@pytest.mark.rule("V-242")
def test_cubes_of_free_choice_come_from_the_supply_alone():
    board = {"council": ["orange"], "harvest": ["pink"] * 3}
    state = position(board=board, bag={"pink": 5}, things={1: {"pink": 10}}, family={0: {"stage-2": [1]}})

    state = after(state, "0: take orange council", "0: use 2")

    assert 0 == supply_of(state)["pink"]
    assert "supply.short" == refusal(state, "0: choose pink pink")[0]
    assert "supply.short" == refusal(state, "0: choose brown pink")[0]
    assert not [text for text in texts(state) if "pink" in text]


@pytest.mark.rule("V-242")
def test_a_pair_of_one_colour_needs_two_of_it_in_the_supply():
    state = position(things={1: {"pink": 17}}, family={0: {"stage-2": [1]}})

    state = after(state, "0: take orange council", "0: use 2")

    assert "choose brown pink" in texts(state)
    assert "choose pink pink" not in texts(state)
    assert "supply.short" == refusal(state, "0: choose pink pink")[0]


@pytest.mark.rule("V-243")
def test_with_a_single_cube_in_the_supply_a_reward_of_two_gives_that_one():
    state = acting("council", things={1: hoarded(pink=1)}, family={0: {"stage-2": [1]}})

    state = after(state, "0: use 2")

    assert ["choose pink"] == texts(state)
    assert "cubes.only-one" == refusal(state, "0: choose pink pink")[0]
    done = after(state, "0: choose pink")
    assert {"pink": 1} == change(state, done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-243")
def test_with_no_cube_in_the_supply_the_second_privilege_may_be_used_and_gives_none():
    state = acting("council", things={1: hoarded()}, family={0: {"stage-2": [1]}})

    done, events = play(state, "0: use 2")

    assert ("village.no-cubes", {"seat": 0}) in told(events)
    assert {} == change(state, done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-243")
def test_a_city_gives_the_cubes_that_its_own_price_has_brought_back():
    things = {0: {"pink": 2, "wagon": 1}, 1: hoarded() | {"pink": 16}}
    state = acting("travel", family={0: {"ford": [1]}}, things=things)

    done = after(state, f"0: travel ford castle 1 {toll('ford', 'castle')}")

    assert ["choose pink pink"] == texts(done)


@pytest.mark.rule("V-243")
def test_with_no_cube_in_the_supply_a_city_gives_none():
    things = {0: {"coin": 2, "wagon": 1}, 1: hoarded()}
    state = acting("travel", family={0: {"ford": [1]}}, things=things)

    done, events = play(state, "0: travel ford castle 1 coin coin")

    assert ("village.no-cubes", {"seat": 0}) in told(events)
    assert {"coin": -2, "wagon": -1} == change(state, done)
    assert ("castle",) == done.families[0].cities
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-244")
def test_with_no_good_in_the_supply_the_third_privilege_gives_nothing():
    state = acting("council", things={1: dict.fromkeys(GOODS, 8)}, family={0: {"stage-3": [1]}})

    done, events = play(state, "0: use 3")

    assert ("village.no-goods", {"seat": 0}) in told(events)
    assert {} == change(state, done)
    assert (1, "village.turn") == owed(done)


@pytest.mark.rule("V-243", "V-244")
@pytest.mark.parametrize(
    ("stage", "held", "coins", "wait"),
    [
        (2, {}, 0, True),
        (2, hoarded(), 0, False),
        (2, dict.fromkeys(GOODS, 8), 0, True),
        (3, hoarded(), 0, True),
        (3, hoarded() | dict.fromkeys(GOODS, 8), 0, False),
        (4, hoarded() | dict.fromkeys(GOODS, 8), 0, False),
        (4, hoarded() | dict.fromkeys(GOODS, 8), 1, True),
    ],
)
def test_nobody_waits_for_privileges_that_the_supply_lets_give_nothing(stage, held, coins, wait):
    state = acting("council", things={0: {"coin": coins}, 1: held}, family={0: {f"stage-{stage}": [1]}}, marker=1)

    assert wait == RULESET.pending(state)[0].wait


def played(seats, seed):
    """Positions of a game in which each move is picked from the list by counting with *seed*."""
    state = start(seats)
    for turn in range(400):
        decisions = RULESET.pending(state)
        if not decisions:
            break
        moves = list(RULESET.legal(state, decisions[0].seat))
        state = RULESET.apply(state, decisions[0].seat, moves[(turn * 31 + seed * 17 + turn // 7) % len(moves)]).state
        yield state


@pytest.mark.rule("V-245", "V-246", "V-173")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_piece_is_lost_or_found_in_a_whole_game(seats, seed):
    cubes = dict.fromkeys(COLOURS, 18) | {"plague": 6}
    whole = cubes | dict.fromkeys(GOODS, 8) | {"grain": 20, "coin": 15}

    for state in played(seats, seed):
        found = Counter(supply_of(state))
        for seat in range(seats):
            found.update(things_of(state, seat))
            assert 11 == len(state.families[seat].members)
            assert "plague" not in things_of(state, seat)
        for held in (state.green_bag, *state.board):
            found.update(dict(zip(CUBES, held, strict=True)))
        assert whole == {thing: found[thing] for thing in THINGS}
        served = [tile for family in state.families for tile in family.customers]
        tiles = [tile for tile in (*state.stalls, *state.line, *state.pile, *served) if tile]
        assert sorted(CUSTOMERS) == sorted(tiles)


@pytest.mark.rule("V-246")
def test_members_of_every_kind_add_up_to_eleven():
    spots = {"farmyard": [1], "office": [1], "bag": [2], "grave": [1], "chronicle-church": [3], "removed": [1]}

    state = acting("family", family={0: spots})

    born = after(state, "0: birth")
    assert 11 == len(born.families[0].members) == len(state.families[0].members)
    assert 1 == len(numbers_at(born, 0, "farmyard")) - len(numbers_at(state, 0, "farmyard"))
    assert 1 == len(numbers_at(state, 0, "unborn")) - len(numbers_at(born, 0, "unborn"))


@pytest.mark.rule("V-245")
def test_the_box_holds():
    stock = COMPONENTS.stock

    assert (18, 6, 8, 20, 15) == (stock.cubes, stock.plague, stock.goods, stock.grain, stock.coins)
    assert 24 == len(CUSTOMERS)
