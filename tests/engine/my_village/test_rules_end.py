"""Rules M-222 to M-225: the end of the game."""

from itertools import pairwise

import pytest

from engine.core.bots import Bot, play_game
from engine.core.dice import Dice, demo_seed
from engine.core.log import Position
from engine.core.types import CHANCE, Seat
from engine.my_village import RULESET
from engine.my_village.components import BOUGHT, CUSTOMERS
from engine.my_village.moves import Advance, Enrol, Move, Promote, Total
from engine.my_village.state import State
from tests.engine.my_village.games import game
from tests.engine.my_village.laws import MOST_ROUNDS
from tests.engine.my_village.positions import COMPONENTS, after, keys, owed, play, start, told
from tests.engine.my_village.ruling import LAP, asked, dying, rolled

SEATS = (2, 3, 4)
IDLE = ("total 7", "dice white-3 white-4", "change 3 4", "done")
OFFER = "white-3 white-4 " * 5


def limit(seats):
    """How many graves end a game with so many seats."""
    return COMPONENTS.graves.limit[seats - 2]


def bound(seats):
    """
    The most rounds of a game with so many seats, from the table.

    Before the last round one grave is missing: the hours spent are at most a lap for each grave filled and nearly one
    more for each player. A turn that costs no hour needs a free step of a pupil, of which each has two, or a customer
    that a Trade church takes for nothing. Pupils come to the places of the dead, and to the school.
    """
    filled, each = limit(seats) - 1, COMPONENTS.turns.each[seats - 2]
    with_hours = filled * LAP + seats * (LAP - 1)
    free = 2 * (filled + 2 * seats) + len(CUSTOMERS)
    return (with_hours + free) // (seats * each) + 1


@pytest.mark.rule("M-222")
@pytest.mark.parametrize("seats", SEATS)
def test_the_game_ends_with_the_round_in_which_the_last_grave_is_filled(seats):
    for graves in range(limit(seats) + 1):
        state, events = play(dying(seats=seats, graves=graves, turns=()), "bury abbot", "roll 1")
        if graves + 1 < limit(seats):
            assert (CHANCE, "my.die", 2) == (*asked(state), state.round)
            assert "my.over" not in keys(events)
        else:
            assert owed(state) is None
            assert ["my.over"] == keys(events)[-1:]
            assert 1 == state.round


@pytest.mark.rule("M-222")
@pytest.mark.parametrize("seats", SEATS)
def test_a_round_without_the_last_grave_is_followed_by_another(seats):
    state = after(dying(seats=seats, graves=limit(seats) - 2, turns=()), "bury abbot", "roll 1")

    assert limit(seats) - 1 == state.graves
    assert (CHANCE, "my.die") == asked(state)


@pytest.mark.rule("M-222")
@pytest.mark.parametrize("seats", SEATS)
def test_graves_of_the_book_and_common_ones_count_together(seats):
    for number in range(3):
        records = game(seats, number)
        in_book = sum(keys(record.events).count("my.booked") for record in records)
        common = sum(keys(record.events).count("my.buried") for record in records)
        assert len(COMPONENTS.book.stories[seats - 2]) == in_book
        assert limit(seats) <= in_book + common == records[-1].position.state.graves


@pytest.mark.rule("M-222")
@pytest.mark.parametrize("seats", SEATS)
def test_a_game_ends_with_the_first_round_after_which_the_graves_are_filled(seats):
    for number in range(3):
        records = game(seats, number)
        at_ends = [
            one.position.state.graves
            for one, other in pairwise(records)
            if "my.round" in keys(other.events) and one.position.state.round
        ]
        assert all(graves < limit(seats) for graves in at_ends)
        assert limit(seats) <= records[-1].position.state.graves
        assert () == records[-1].position.state.turns


@pytest.mark.rule("M-223")
@pytest.mark.parametrize("seats", SEATS)
def test_the_limit_reached_in_the_middle_of_a_round_changes_nothing_in_it(seats):
    others = {seat: {"hours": LAP - 1, "tree": 4} for seat in range(1, seats)}
    steps = COMPONENTS.rat.steps[seats - 2]
    state = dying({"tree": 4}, seats=seats, graves=limit(seats) - 1, others=others, offer=OFFER, rat=steps - 7)
    state, events = play(state, "bury abbot", "roll 6")

    assert ("my.last-round", {"graves": limit(seats)}) in told(events)
    assert "my.over" not in keys(events)
    for seat in range(1, seats):
        assert (seat, "my.total") == asked(state)
        state = after(state, *IDLE)
        assert (seat, "my.death") == asked(state)
        state, events = play(state, "bury abbot", "roll 1")
        assert ("my.invasion" in keys(events)) == (seat == 1)
    assert owed(state) is None
    assert [2] * seats == [village.tree for village in state.villages]
    assert limit(seats) + seats - 1 == state.graves


@pytest.mark.rule("M-223")
def test_with_two_players_all_second_turns_are_played_after_the_limit():
    state = rolled(after(dying(graves=limit(2) - 1, turns=(1, 0, 1), offer=OFFER), "bury abbot"))

    for seat in (1, 0, 1):
        assert (seat, "my.total") == asked(state)
        state = after(state, *IDLE)
    assert owed(state) is None


@pytest.mark.rule("M-224")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("more", [0, 1, 5])
def test_burials_beyond_the_limit_go_to_common_graves(seats, more):
    state, events = play(dying({"tree": 1}, seats=seats, graves=limit(seats) + more), "bury merchant")

    assert ("my.buried", {"seat": 0, "profession": "merchant"}) == told(events)[0]
    assert (1, limit(seats) + more + 1) == (state.villages[0].tree, state.graves)
    assert "my.last-round" not in keys(events)


@pytest.mark.rule("M-224")
@pytest.mark.parametrize("deaths", [1, 2])
def test_a_game_of_two_may_end_with_more_graves_than_the_limit(deaths):
    """The first to die fills the last grave; perhaps another one dies in the turn that is still to come."""
    others = {1: {"hours": LAP - (1 if deaths == 2 else 2)}}
    state = after(dying(graves=limit(2) - 1, turns=(1,), offer=OFFER, others=others), "bury abbot", "roll 1", *IDLE)

    if deaths == 2:
        state = after(state, "bury abbot", "roll 1")
    assert owed(state) is None
    assert limit(2) - 1 + deaths == state.graves


def lingering_bot(_ruleset: object, state: State, seat: Seat) -> Move:
    """A bot that lets the game last: a free step of a pupil, or an idle hour, with white dice while there are any."""
    me, moves = state.villages[seat], list(RULESET.legal(state, seat))
    full = me.left and me.right
    if isinstance(moves[-1], Total):
        school = () if full and not me.empty else COMPONENTS.school.white
        totals = RULESET.view(state, seat).totals
        return Total(min(totals, key=lambda one: (one.hours, one.total not in school, one.coins)).total)
    steps = [move for move in moves if isinstance(move, Enrol | Advance) or (full and isinstance(move, Promote))]
    return steps[0] if steps else moves[0]


def rounds(seats: int, number: int, bot: Bot) -> int:
    """How many rounds a game lasts in which all play like *bot*."""
    begun = Position(start(seats))
    bots = {Seat(seat): bot for seat in range(seats)}
    records = play_game(RULESET, begun, bots, Dice(demo_seed(number)))
    return records[-1].position.state.round


@pytest.mark.rule("M-225")
def test_the_bound_of_rounds_by_our_table():
    assert MOST_ROUNDS == tuple(bound(seats) for seats in SEATS)


@pytest.mark.rule("M-225")
def test_all_but_play_pupils_and_a_free_customer_costs_hours():
    tables = COMPONENTS
    costs = [
        tables.idle.hours, tables.house.hours, tables.hand.hours, tables.meeting_place.work, tables.field.work,
        tables.school.promote, tables.steward.prices[0][0], tables.black_die.hours,
        *(tables.priced[card][1] for card in BOUGHT),
        *(card.work for card in (*tables.craft.values(), *tables.customer.values())),
        *(pile.hours for pile in tables.journeys),
    ]  # fmt: skip

    assert 1 == min(costs)


@pytest.mark.rule("M-225")
@pytest.mark.parametrize("seats", SEATS)
def test_random_games_stay_within_the_bound(seats):
    lengths = [game(seats, number)[-1].position.state.round for number in range(6)]

    assert max(lengths) <= bound(seats)


@pytest.mark.rule("M-225")
@pytest.mark.parametrize("seats", SEATS)
def test_games_of_players_who_linger_stay_within_the_bound(seats):
    lengths = [rounds(seats, number, lingering_bot) for number in range(2)]

    assert max(lengths) <= bound(seats)
    assert 2 * max(lengths) > bound(seats), "they hardly linger"
