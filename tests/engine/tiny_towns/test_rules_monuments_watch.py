"""Rules T-198 to T-208: Opaleye's Watch."""

from itertools import combinations

import pytest

from tests.engine.tiny_towns.positions import (
    RULESET,
    after,
    drawn,
    owed,
    play,
    points,
    position,
    refusal,
    texts,
    told,
)
from tests.engine.tiny_towns.sketches import SQUARES, sketch

STOCK = ("chapel", "tavern", "theater")
TAVERN = "bb../...."
"""With a glass on c1 the layout of a Tavern."""


def watched(own="M...", *others, stock=STOCK, **values):
    """The owner of a working Watch in seat 0; the others are drawn. Seat 1 has named glass."""
    return position(
        own, *(others or (TAVERN,)), hand="watch", resource="glass", namer=1, values={0: {"stock": stock}}, **values
    )


def tavern(seat):
    return f"{seat}: place c1", f"{seat}: build tavern a1"


def stock_of(state):
    return state.town(0).stock


# --- what lies on it ---


def constructed(*neighbours):
    """The Watch just constructed in seat 0."""
    state = position("w.../bghh", *(neighbours or ("....",)), hand="watch", resource="stone")
    return after(state, "0: place a3", "0: build watch a3")


@pytest.mark.rule("T-198")
def test_three_different_open_cards_must_be_put_on_the_watch():
    state = constructed()

    assert ["0 towns.stock", "1 towns.place"] == owed(state)
    assert [f"stock {' '.join(cards)}" for cards in combinations(state.cards, 3)] == texts(state)
    for line, key in {
        "skip": "turn.not-asked",
        "done": "turn.not-asked",
        "stock tavern tavern well": "stock.count",
        "stock well tavern": "stock.count",
        "stock cottage farm well tavern": "stock.count",
        "stock tavern well cottage": "stock.order",
        "stock cottage farm inn": "card.not-open",
    }.items():
        assert key == refusal(state, f"0: {line}"), line


@pytest.mark.rule("T-198")
def test_all_see_what_lies_on_the_watch():
    state, events = play(constructed(), "0: stock cottage tavern factory")

    assert ("cottage", "tavern", "factory") == stock_of(state)
    for seat in (0, 1, None):
        assert ("cottage", "tavern", "factory") == RULESET.view(state, seat).towns[0].stock
    assert ("towns.stocked", {"seat": 0, "cards": ("cottage", "tavern", "factory")}) in told(events)
    assert "..../..../M..." == drawn(state)


# --- what brings a piece ---


@pytest.mark.rule("T-199")
@pytest.mark.parametrize("seat", [1, 2])
def test_when_the_left_or_the_right_neighbour_constructs_a_card_its_piece_may_come(seat):
    others = ["....", "...."]
    others[seat - 1] = TAVERN
    state = watched("M.../w..C", *others)

    lines = [line for one in (1, 2) for line in (tavern(one) if one == seat else (f"{one}: place d4",))]
    state = after(state, "0: place d4", *lines)

    assert ["0 towns.watch"] == owed(state)
    empty = [square for square in SQUARES if square not in ("a1", "a2", "d2", "d4")]
    assert ["skip", *(f"settle {square}" for square in empty)] == texts(state)
    assert "square.building" == refusal(state, "0: settle d2")
    assert "square.cube" == refusal(state, "0: settle a2")
    state = after(state, "0: settle b3")
    assert "M.../w..C/.E../...g" == drawn(state)
    assert ("chapel", "theater") == stock_of(state)
    assert ["2 towns.name"] == owed(state)


@pytest.mark.rule("T-199")
def test_what_is_not_on_the_watch_brings_nothing():
    state = watched("M...", TAVERN, stock=("cottage", "farm", "well"))

    state = after(state, "0: place d4", *tavern(1))

    assert ["0 towns.name"] == owed(state)
    assert ("cottage", "farm", "well") == stock_of(state)


@pytest.mark.rule("T-199")
def test_what_its_owner_constructs_brings_nothing():
    state = watched("M.../bb..", "....")

    state = after(state, "0: place c2", "0: build tavern a2", "1: place d4")

    assert ["0 towns.name"] == owed(state)


@pytest.mark.rule("T-199")
def test_without_a_watch_nobody_is_asked():
    state = position("....", TAVERN, hand="watch", resource="glass", namer=1)

    state = after(state, "0: place d4", "0: done", *tavern(1))

    assert ["0 towns.name"] == owed(state)


@pytest.mark.rule("T-200")
def test_the_watch_works_from_the_round_after_its_construction():
    state = constructed("w.../bb..")
    state = after(state, "0: stock well tavern theater", "1: place b1", "1: build well a1")

    assert ["1 towns.name"] == owed(state)
    assert ("well", "tavern", "theater") == stock_of(state)
    state = after(state, "1: name glass", "0: place d4", "1: place c2", "1: build tavern a2")
    assert ["0 towns.watch"] == owed(state)


@pytest.mark.rule("T-201")
def test_two_taverns_of_a_neighbour_bring_one_piece():
    state = watched("M...", "bb../bbg.")

    state = after(state, "0: place d4", "1: place c1", "1: build tavern a1", "1: build tavern a2", "0: settle a2")

    assert ["0 towns.name"] == owed(state)
    assert ("chapel", "theater") == stock_of(state)
    assert "M.../E.../..../...g" == drawn(state)


@pytest.mark.rule("T-201")
def test_a_tavern_of_each_neighbour_brings_one_piece():
    state = after(watched("M...", TAVERN, TAVERN), "0: place d4", *tavern(1), *tavern(2), "0: settle a2")

    assert ["2 towns.name"] == owed(state)
    assert "M.../E.../..../...g" == drawn(state)


@pytest.mark.rule("T-201")
def test_a_piece_that_has_come_does_not_come_again():
    state = watched("M...", TAVERN, stock=("chapel", "theater"))

    assert ["0 towns.name"] == owed(after(state, "0: place d4", *tavern(1)))


@pytest.mark.rule("T-201", "T-206")
def test_two_different_cards_of_a_round_bring_two_pieces_one_after_the_other():
    state = watched("M...", "bb../..ws", stock=("well", "tavern", "theater"))

    state = after(state, "0: place d4", *tavern(1), "1: build well c2")
    state, events = play(state, "0: settle a2", "0: settle a3")

    assert [{"seat": 0, "card": card, "square": square} for card, square in (("well", "a2"), ("tavern", "a3"))] == [
        fields for key, fields in told(events) if key == "towns.added"
    ]
    assert ("theater",) == stock_of(state)


@pytest.mark.rule("T-202")
def test_with_two_players_one_tavern_of_the_other_brings_one_piece():
    state = after(watched(), "0: place d4", *tavern(1))
    assert ["0 towns.watch"] == owed(state)

    state = after(state, "0: settle a2")

    assert ["0 towns.name"] == owed(state)
    assert "M.../E.../..../...g" == drawn(state)


@pytest.mark.rule("T-203")
@pytest.mark.parametrize("seats", [4, 5, 6])
def test_only_the_two_neighbours_trigger_the_watch(seats):
    for active in range(1, seats):
        others = [TAVERN if seat == active else "...." for seat in range(1, seats)]
        state = watched("M...", *others)
        lines = [line for one in range(1, seats) for line in (tavern(one) if one == active else (f"{one}: place d4",))]

        state = after(state, "0: place d4", *lines)

        expected = "0 towns.watch" if active in (1, seats - 1) else "2 towns.name"
        assert [expected] == owed(state), active


@pytest.mark.rule("T-204")
def test_a_piece_that_the_guild_puts_in_triggers_no_watch():
    hands = {0: "watch", 1: "guild"}
    state = position("M...", "..g./.hs./w.../...C", hand=hands, resource="brick", values={0: {"stock": STOCK}})

    state = after(state, "0: place d4", "1: place b3", "1: build guild c1", "1: replace d4 tavern", "1: skip")

    assert ["1 towns.name"] == owed(state)
    assert STOCK == stock_of(state)


@pytest.mark.rule("T-204")
def test_a_piece_that_the_university_puts_in_triggers_no_watch():
    hands = {0: "watch", 1: "university"}
    state = position("M...", ".b../s.s.", hand=hands, resource="glass", values={0: {"stock": STOCK}})

    state = after(state, "0: place d4", "1: place b2", "1: build university b2", "1: add tavern a1")

    assert ["1 towns.name"] == owed(state)
    assert STOCK == stock_of(state)


@pytest.mark.rule("T-204")
def test_a_renovated_building_triggers_no_watch():
    state = watched("M...", "A*A*.C", helpers=("forage", "renovate"))

    state = after(state, "0: place d4", "1: place d4", "1: activate renovate a1 b1", "1: replace d1 tavern")

    assert "AA.E/..../..../...g" == drawn(state, 1)
    assert ["0 towns.lodge", "1 towns.lodge"] == owed(state)
    assert STOCK == stock_of(state)


# --- when, and whether ---


@pytest.mark.rule("T-205")
def test_a_piece_that_was_declined_stays_and_may_come_another_time():
    state = watched("M...", "bb../bb..")
    state = after(state, "0: place d4", *tavern(1))

    state, events = play(state, "0: skip")

    assert ("towns.skipped", {"seat": 0, "effect": "watch"}) in told(events)
    assert STOCK == stock_of(state)
    assert "M.../..../..../...g" == drawn(state)
    state = after(state, "0: name glass", "0: place c4", "1: place c2", "1: build tavern a2")
    assert ["0 towns.watch"] == owed(state)


@pytest.mark.rule("T-205")
def test_with_no_empty_square_the_piece_stays_on_the_card():
    state = watched("MCCC/CCCC/CCCC/CCC.", TAVERN)

    state, events = play(state, "0: place d4", *tavern(1))

    assert ("towns.stays", {"seat": 0, "card": "tavern"}) in told(events)
    assert STOCK == stock_of(state)
    assert 5 == state.players[0].completed


@pytest.mark.rule("T-206")
def test_the_piece_comes_after_all_constructions_and_before_villagers_move():
    state = watched("M...*/...C", TAVERN, "....", lodge=False)

    state = after(state, "0: place d1", *tavern(1))
    assert ["2 towns.place"] == owed(state)
    state = after(state, "2: place a1")
    assert ["0 towns.watch"] == owed(state)

    left, closed = after(state, "0: skip"), after(state, "0: settle c1")
    assert ["move d1 c1"] == texts(left)
    assert ("M.Eg/...C", 1) == (drawn(closed), closed.town(0).lodge)


@pytest.mark.rule("T-207")
def test_a_piece_that_fills_the_last_square_completes_the_town_in_that_round():
    state = watched("MCCC/CCCC/CCCC/CC..", TAVERN)
    state = after(state, "0: place d4", *tavern(1))

    state, events = play(state, "0: settle c4")

    assert ("towns.completed", {"seat": 0}) in told(events)
    assert 5 == state.players[0].completed
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-208")
@pytest.mark.parametrize("stock", [(), STOCK[:1], STOCK])
def test_the_watch_is_worth_nothing_whatever_lies_on_it(stock):
    for square in SQUARES:
        state = position(sketch({square: "M"}), hand="watch", values={0: {"stock": stock}})
        assert 0 == points(state, "monument")
