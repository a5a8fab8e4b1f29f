"""The greedy bot: it sees what it can reach alone in a turn, and plays a whole game well."""

import random

from engine.core.types import CHANCE
from engine.village import RULESET
from engine.village.bot import evaluate, greedy
from tests.engine.village.positions import play, position, start


def chosen(state, seat=0):
    return RULESET.grammar.format_move(greedy(RULESET, state, seat))


def test_it_serves_the_best_customer():
    things = {0: {"wagon": 1, "plow": 1}}
    state = position(board={"market": ["pink"]}, things=things, stalls=["wagon", "wagon-plow"])
    state, _ = play(state, "0: take pink market")

    assert "sell wagon-plow" == chosen(state)


def test_it_looks_through_to_the_journey_that_a_cube_allows():
    things = {0: {"wagon": 1, "brown": 1}}
    state = position(board={"travel": ["brown"], "family": ["brown"], "harvest": ["brown"]}, things=things)

    assert "take brown travel" == chosen(state)
    state, _ = play(state, "0: take brown travel")
    assert "depart ford 1 brown brown" == chosen(state)


def test_it_spends_no_coin_that_it_need_not():
    things = {0: {"pink": 3, "coin": 3, "ox": 1, "plow": 1}}
    state = position(board={"church": ["plague"]}, things=things, stalls=["plow-ox"])

    assert "well pink pink pink" == chosen(state)


def test_points_that_are_sure_count_alike_when_the_end_has_come():
    early = position(family={0: {"chronicle-crafts": [1, 1, 1]}})
    late = position(family={0: {"chronicle-crafts": [1, 1, 1]}}, trigger=1)

    assert evaluate(late, 0) == 400
    assert evaluate(early, 0) > 400


def test_the_marker_is_worth_something():
    assert evaluate(position(marker=0), 0) > evaluate(position(marker=1), 0)


def test_one_greedy_bot_beats_random_ones_in_a_whole_game():
    chooser = random.Random(5)
    state = start(3)
    while owed := RULESET.pending(state):
        seat = owed[0].seat
        if seat == 1:
            move = greedy(RULESET, state, seat)
        else:
            moves = list(RULESET.legal(state, seat))
            move = chooser.choices(moves, owed[0].odds if seat == CHANCE else None)[0]
        state = RULESET.apply(state, seat, move).state

    assert [1] == [one.seat for one in RULESET.standings(state) if one.rank == 1]
