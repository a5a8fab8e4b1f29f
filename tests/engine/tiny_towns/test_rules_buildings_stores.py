"""Rules T-147 to T-161: Trading Post and Warehouse. Layouts are held in `test_tables.py`."""

from itertools import combinations

import pytest

from engine.tiny_towns.components import RESOURCES
from tests.engine.tiny_towns.positions import (
    COMPONENTS,
    after,
    drawn,
    owed,
    points,
    position,
    refusal,
    squares_for,
    texts,
    total,
)
from tests.engine.tiny_towns.sketches import BUILT, SQUARES, scattered, sketch, with_sign

WELL_APART = "/..../..../...w", "stone", "c4"
"""A drawing's rows 2 to 4 in which a stone on c4 makes a Well, so that there is something to construct."""


# --- Trading Post ---


def trading(drawing, resource, place, **values):
    """The position after the round's cube was placed in a town where black is the Trading Post."""
    return after(position(drawing, cards="trading-post", resource=resource, **values), f"0: place {place}")


def empties(state):
    return len(state.town(0).empty)


@pytest.mark.rule("T-147")
def test_trading_posts_are_worth_1_each():
    for town in scattered(200, "K" + BUILT + ".", seed=18):
        assert len(with_sign(town, "K")) == points(position(sketch(town), cards="trading-post"), "black")


@pytest.mark.rule("T-148")
def test_a_trading_post_stands_in_for_a_brick_and_stays():
    state = trading("bK..", "glass", "c1")

    assert ["a1", "c1"] == squares_for(state, "build tavern")
    assert "build.square" == refusal(state, "0: build tavern b1")
    assert "EK.." == drawn(after(state, "0: build tavern a1"))
    assert ".KE." == drawn(after(state, "0: build tavern c1"))


@pytest.mark.rule("T-148")
@pytest.mark.parametrize(
    ("drawing", "resource", "place", "squares"),
    [
        ("K.g.", "brick", "b1", ["b1", "c1"]),
        ("bK..", "glass", "c1", ["a1", "c1"]),
        ("b.K.", "brick", "b1", ["a1", "b1"]),
    ],
)
def test_it_stands_in_for_the_cube_of_any_square_of_the_layout(drawing, resource, place, squares):
    assert squares == squares_for(trading(drawing, resource, place), "build tavern")


@pytest.mark.rule("T-149")
def test_two_trading_posts_serve_beside_one_real_cube_and_three_hold_nothing():
    rows, resource, place = WELL_APART
    two, three = trading("KK..", "glass", "c1"), trading("KKK." + rows, resource, place)

    assert ["c1"] == squares_for(two, "build tavern")
    assert [] == squares_for(three, "build tavern")
    assert "build.layout" == refusal(three, "0: build tavern a1")


@pytest.mark.rule("T-149")
@pytest.mark.parametrize("card", [card.id for card in COMPONENTS.buildings if card.colour not in ("blue", "black")])
def test_among_trading_posts_everywhere_a_card_needs_one_real_cube_of_its_own(card):
    drawing = sketch(dict.fromkeys(SQUARES[:15], "K"))
    layout = "".join(COMPONENTS.card(card).layout)
    for resource, letter in zip(RESOURCES, "WHBGS", strict=True):
        state = position(drawing, cards=f"trading-post {card}", resource=resource)
        assert {"d4"} >= set(squares_for(after(state, "0: place d4"), f"build {card}"))
        if letter not in layout:
            assert [] == squares_for(after(state, "0: place d4"), f"build {card}")


@pytest.mark.rule("T-150")
def test_a_trading_post_serves_in_two_constructions_of_one_round():
    state = trading("bK../.w../..s.", "glass", "c1")

    state = after(state, "0: build tavern a1")
    assert ["b2"] == squares_for(state, "build well")

    assert "EK../.A../..s." == drawn(after(state, "0: build well b2"))


@pytest.mark.rule("T-150")
def test_a_trading_post_serves_as_often_as_there_are_cubes_beside_it():
    state = trading(".w../wK../.s..", "stone", "c2")

    for square in ("b1", "a2", "b3", "c2"):
        state = after(state, f"0: build well {square}")

    assert ".A../AKA./.A.." == drawn(state)


@pytest.mark.rule("T-151")
def test_a_trading_post_fills_one_square_of_a_layout_only():
    rows, resource, place = WELL_APART
    state = trading("bK.." + rows, resource, place)

    assert [] == squares_for(state, "build tavern")
    assert "build.layout" == refusal(state, "0: build tavern a1")


TRADING_CUBES = "s.../swb."
"""With a wood on b1 the layout of a Trading Post."""


@pytest.mark.rule("T-152")
def test_a_trading_post_constructed_this_round_is_wild_from_the_next_on():
    state = trading(TRADING_CUBES + "/b.../g...", "wood", "b1", completed={1: 3})
    state = after(state, "0: build trading-post a2")
    assert ["0 towns.name"] == owed(state)

    state = after(state, "0: name wood", "0: place d4")

    assert "..../K.../b.../g..w" == drawn(state)
    assert ["a3", "a4"] == squares_for(state, "build tavern")


@pytest.mark.rule("T-152")
def test_with_something_else_to_construct_the_new_trading_post_is_refused_as_a_cube():
    state = trading(TRADING_CUBES + "/b..w/g..s", "wood", "b1")

    state = after(state, "0: build trading-post a2")

    assert [] == squares_for(state, "build tavern")
    assert "build.layout" == refusal(state, "0: build tavern a3")
    assert ["d3", "d4"] == squares_for(state, "build well")


@pytest.mark.rule("T-152")
def test_whatever_is_constructed_after_a_new_trading_post_it_is_not_wild_in_its_round():
    state = trading(TRADING_CUBES + "/b..w/g..s", "wood", "b1")

    state = after(state, "0: build trading-post a2", "0: build well d4")

    assert ["1 towns.place"] == owed(state)
    assert "..../K.../b.../g..A" == drawn(state)


@pytest.mark.rule("T-152")
def test_a_trading_post_that_comes_from_the_watch_is_wild_in_the_next_round():
    values = {0: {"stock": ("chapel", "theater", "trading-post")}}
    drawings = ("M.../b.../..../g...", TRADING_CUBES)
    state = position(*drawings, hand="watch", cards="trading-post", namer=1, values=values)
    state = after(state, "0: place d4", "1: place b1", "1: build trading-post a2", "0: settle a3")

    state = after(state, "0: name wood", "0: place b1")

    assert ["a2", "a4"] == squares_for(state, "build tavern")


@pytest.mark.rule("T-152")
def test_a_trading_post_put_down_by_the_university_is_wild_from_the_next_round_on():
    state = trading(".b../s.s./b..w/g..s", "glass", "b2", hand="university", completed={1: 3})
    state = after(state, "0: build university b2", "0: add trading-post a2")

    assert "build.layout" == refusal(state, "0: build tavern a3")
    state = after(state, "0: done", "0: name wood", "0: place d1")

    assert ["a3", "a4"] == squares_for(state, "build tavern")


@pytest.mark.rule("T-152")
def test_a_trading_post_that_replaced_a_building_is_wild_from_the_next_round_on():
    state = trading("..g./.hs./w..C/..bg", "brick", "b3", hand="guild", completed={1: 3})
    state = after(state, "0: build guild b3", "0: replace d3 trading-post", "0: skip")
    assert ["0 towns.name"] == owed(state)

    state = after(state, "0: name brick", "0: place d2")

    assert ["d2", "d4"] == squares_for(state, "build tavern")


@pytest.mark.rule("T-153")
def test_one_real_cube_beside_two_trading_posts_frees_no_square():
    state = trading("KK..", "glass", "c1")

    assert empties(state) == empties(after(state, "0: build tavern c1"))


@pytest.mark.rule("T-149", "T-153")
def test_constructing_with_so_many_real_cubes_frees_one_square_less():
    layout = {"a1": ("h", "wheat"), "b1": ("h", "wheat"), "a2": ("w", "wood"), "b2": ("w", "wood")}
    for count in range(4):
        for posts in combinations(layout, count):
            real = [square for square in layout if square not in posts]
            signs = {square: layout[square][0] for square in real[:-1]} | dict.fromkeys(posts, "K")
            state = trading(sketch(signs), layout[real[-1]][1], real[-1])

            assert real == squares_for(state, "build farm")
            for square in real:
                built = after(state, f"0: build farm {square}")
                assert len(real) - 1 == empties(built) - empties(state)
                assert count == built.town(0).buildings.count("trading-post")


# --- Warehouse ---


def stocked(*held, named="wood", namer=1, lower="...."):
    """The owner of Warehouses on a1, b1 and so on, which hold these cubes, when *namer* has named a resource."""
    drawing = "K" * len(held) + "." * (4 - len(held)) + "/" + lower
    values = {0: {"held": {SQUARES[at]: cubes for at, cubes in enumerate(held)}}}
    return position(drawing, "....", cards="warehouse", resource=named, namer=namer, values=values)


def starting(state, *words):
    return [text for text in texts(state) if text.split()[0] in words]


@pytest.mark.rule("T-155", "T-156")
@pytest.mark.parametrize("named", RESOURCES)
def test_a_warehouse_takes_what_another_names_up_to_three_cubes(named):
    for count in range(3):
        state = stocked(" ".join(["stone"] * count), named=named)
        stored = after(state, "0: store a1")
        assert (*["stone"] * count, named) == stored.town(0).held[0]
        assert "K..." == drawn(stored)
        assert ["1 towns.place"] == owed(stored)

    full = stocked("stone stone stone", named=named)
    assert [] == starting(full, "store")
    assert "store.full" == refusal(full, "0: store a1")


@pytest.mark.rule("T-155")
def test_a_second_warehouse_has_its_own_three():
    state = stocked("wood wood wood", "glass glass")

    assert ["store b1"] == starting(state, "store")
    assert "store.full" == refusal(state, "0: store a1")
    stored = after(state, "0: store b1")
    assert (("wood",) * 3, ("glass", "glass", "wood")) == stored.town(0).held[:2]


@pytest.mark.rule("T-156")
def test_the_own_naming_cannot_be_stored_or_exchanged():
    state = stocked("glass", namer=0)

    assert [] == starting(state, "store", "exchange")
    assert "answer.own" == refusal(state, "0: store a1")
    assert "answer.own" == refusal(state, "0: exchange a1 glass")


@pytest.mark.rule("T-156")
def test_storing_is_optional():
    assert "K.../..../..../...w" == drawn(after(stocked(""), "0: place d4"))


@pytest.mark.rule("T-156")
def test_only_a_warehouse_takes_a_cube():
    state = position("KCRA/OEY.", "....", cards="factory", namer=1)

    assert [] == starting(state, "store")
    assert ["store.nothing"] * 6 == [refusal(state, f"0: store {one}") for one in ("a1", "c1", "d1", "a2", "b2", "d4")]


@pytest.mark.rule("T-157")
@pytest.mark.parametrize("named", RESOURCES)
def test_an_exchange_leaves_the_named_cube_and_places_the_one_taken_on_an_empty_square(named):
    for held in RESOURCES:
        state = stocked(f"{held} {named}", named=named)
        if held == named:
            assert "exchange.same" == refusal(state, f"0: exchange a1 {held}")
            continue
        taken = after(state, f"0: exchange a1 {held}")

        assert (named, named) == taken.town(0).held[0]
        assert ["0 towns.put", "1 towns.place"] == owed(taken)
        assert [f"place {square}" for square in SQUARES[1:]] == texts(taken)
        assert held == after(taken, "0: place c2").town(0).cubes[SQUARES.index("c2")]


@pytest.mark.rule("T-157")
def test_the_cube_taken_goes_on_no_building_and_on_no_other_cube():
    state = after(stocked("glass", "", lower="w..."), "0: exchange a1 glass")

    assert "square.building" == refusal(state, "0: place a1")
    assert "square.cube" == refusal(state, "0: place a2")
    assert "turn.not-asked" == refusal(state, "0: store b1")


@pytest.mark.rule("T-158")
def test_a_full_warehouse_can_exchange_and_an_empty_one_can_only_store():
    full, empty = stocked("glass stone stone"), stocked("")

    assert ["exchange a1 glass", "exchange a1 stone"] == starting(full, "store", "exchange")
    assert ["store a1"] == starting(empty, "store", "exchange")
    assert "exchange.no-cube" == refusal(empty, "0: exchange a1 glass")
    assert "exchange.no-cube" == refusal(full, "0: exchange a1 brick")
    assert ("wood", "stone", "stone") == after(full, "0: exchange a1 glass").town(0).held[0]


@pytest.mark.rule("T-158")
def test_each_warehouse_exchanges_its_own_cubes():
    state = stocked("glass", "stone")

    assert ["exchange a1 glass", "exchange b1 stone"] == starting(state, "exchange")
    assert "exchange.no-cube" == refusal(state, "0: exchange b1 glass")
    assert "exchange.no-warehouse" == refusal(state, "0: exchange c1 glass")


@pytest.mark.rule("T-159")
def test_the_cubes_of_a_warehouse_serve_in_no_construction():
    state = position(
        "bKg./..../...w", "....", cards="warehouse", resource="stone", values={0: {"held": {"b1": "brick"}}}
    )

    state = after(state, "0: place d4")

    assert ["d3", "d4"] == squares_for(state, "build well")
    assert "build.layout" == refusal(state, "0: build tavern a1")


@pytest.mark.rule("T-159")
@pytest.mark.parametrize("named", RESOURCES)
def test_no_move_takes_a_cube_from_a_warehouse_but_an_exchange_which_leaves_another(named):
    state = stocked("glass stone", "brick", named=named, lower="bb../wsg./....")

    for text in texts(state):
        step = after(state, f"0: {text}")
        before, now = state.town(0).held, step.town(0).held
        gone = sum(max(0, before[at].count(one) - now[at].count(one)) for at in range(16) for one in RESOURCES)
        assert (1 if text.startswith("exchange") else 0) == gone, text
        assert sum(map(len, now)) - sum(map(len, before)) == (1 if text.startswith("store") else 0), text
        for further in texts(step) if text.startswith("place") else []:
            assert now == after(step, f"0: {further}").town(0).held


@pytest.mark.rule("T-160")
def test_each_cube_held_costs_1_at_the_end():
    state = stocked("wood", "wood glass stone")

    assert -4 == points(state, "black")
    assert -4 - 14 == total(state)


@pytest.mark.rule("T-160")
@pytest.mark.parametrize(("one", "other"), [(one, other) for one in range(4) for other in range(4)])
def test_a_warehouse_costs_nothing_but_its_cubes(one, other):
    state = stocked(" ".join(["brick"] * one), " ".join(["wood"] * other))

    assert -one - other == points(state, "black")


@pytest.mark.rule("T-160")
def test_the_cubes_of_a_warehouse_stay_and_cost_when_the_game_is_over():
    state = position(
        "Kwww/wwww/wwww/www.", cards="warehouse", completed={1: 3}, values={0: {"held": {"a1": "wood stone"}}}
    )

    over = after(state, "0: place d4")

    assert [] == owed(over)
    assert ("wood", "stone") == over.town(0).held[0]
    assert (-2, -17) == (points(over, "black"), total(over))


@pytest.mark.rule("T-161")
def test_the_cubes_of_a_warehouse_that_the_guild_replaces_are_gone_without_penalty():
    values = {0: {"held": {"d4": "wood stone stone"}}}
    state = position("..g./.hs./w.../...K", cards="warehouse", hand="guild", resource="brick", values=values)
    state = after(state, "0: place b3", "0: build guild b3")
    assert -3 == points(state, "black")

    state = after(state, "0: replace d4 well")

    assert () == state.town(0).held[15]
    assert (0, 1) == (points(state, "black"), points(state, "monument"))
    assert 1 - 14 == total(state)


@pytest.mark.rule("T-161")
def test_the_cubes_of_a_renovated_warehouse_are_gone_without_penalty():
    values = {0: {"held": {"d4": "wood stone stone"}}}
    state = position("A*A*../..../..../...K", cards="warehouse", helpers=("forage", "renovate"), values=values)
    state = after(state, "0: place a4", "0: activate renovate a1 b1")
    assert -3 - 13 == total(state)

    state = after(state, "0: replace d4 farm")

    assert () == state.town(0).held[15]
    assert -13 == total(state)
