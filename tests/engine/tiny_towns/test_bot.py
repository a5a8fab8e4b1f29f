"""The greedy bot: it names, places and constructs for its layouts, activates nothing, and is quick."""

import random

import pytest
from msgspec.structs import replace

from engine.core.bots import play_game, random_bot, roller
from engine.core.dice import demo_seed
from engine.core.types import Seat
from engine.tiny_towns import RULESET
from engine.tiny_towns.bot import greedy, prospects, worth
from engine.tiny_towns.moves import Activate, Cavern, Exchange, Scrap, Store
from engine.tiny_towns.ruleset import TinyTowns
from tests.contract.titles import Setting, dice
from tests.engine.tiny_towns.games import beginning
from tests.engine.tiny_towns.laws import VARIANTS
from tests.engine.tiny_towns.positions import after, naming, position, texts

ASIDE = (Activate, Cavern, Exchange, Scrap, Store)


def chosen(state, seat=0):
    return RULESET.grammar.format_move(greedy(RULESET, state, seat))


def settings():
    """The plain game and every variant, each with a number of seats that it allows."""
    plain = [Setting("tiny_towns", seats) for seats in (1, 2, 3)]
    return [*plain, *(Setting("tiny_towns", seats[0], tuple(options.items())) for options, seats in VARIANTS)]


def test_it_places_the_cube_that_completes_a_layout():
    assert "place c1" == chosen(position("bb../..../....", resource="glass", namer=1))


def test_it_lays_a_cube_where_a_layout_grows_and_not_elsewhere():
    state = position("g.../CCCC/CCCC", resource="brick", namer=1)

    assert "place b1" == chosen(state)


def test_it_names_what_its_layouts_need():
    assert "name glass" == chosen(naming("bb../CCCC/CCCC/CCCC", namer=1))


def test_it_takes_what_its_layouts_need_in_solo():
    state = position("bb../CCCC/CCCC/CCCC", solo=True)

    assert "take brick" in texts(state)
    assert "take glass" == chosen(replace(state, open=("wood", "brick", "glass")))


def test_it_swaps_for_what_its_layouts_need():
    state = position("bb.K/CCCC/CCCC/CCC.", resource="wood", namer=1, values={0: {"held": {"d1": "wood"}}})

    assert "place c1" in texts(state)
    assert "swap glass" == chosen(state)
    assert "place c1" == chosen(after(state, "0: swap glass"))


def test_it_constructs_what_lies_complete():
    state = after(position("bb../CCCC/CCCC/CCC.", resource="glass", namer=1), "0: place c1")

    assert chosen(state).startswith("build tavern ")


def test_a_town_is_worth_more_once_what_lies_complete_is_constructed():
    state = after(position("bb../CCCC/CCCC/CCC.", resource="glass", namer=1), "0: place c1")
    built = after(state, f"0: {chosen(state)}")

    assert worth(built, 0) > worth(state, 0)


def test_what_has_not_begun_to_grow_promises_nothing():
    tavern, farm = ("BBG",), ("HH", "WW")
    brick = (0, 0, 1, 0, 0)

    promised = prospects((tavern,), brick, 0, 0b1110)

    assert promised > 0
    assert promised == prospects((tavern, farm), brick, 0, 0b1110)
    assert prospects((farm,), brick, 0, 0b1110) < 0


@pytest.mark.parametrize("helper", ["cut-corners", "forage", "innovate", "renovate", "cooperate"])
def test_it_activates_nothing_though_it_could(helper):
    state = position("C*C*C*./hwgb/ssb.", helpers=(helper, "scrap"), resource="wood", namer=1)
    state = after(state, "0: place d3")

    assert any(text.startswith(f"activate {helper}") for text in texts(state))
    assert not chosen(state).startswith("activate")


def test_it_neither_stores_nor_exchanges_nor_scraps_nor_uses_the_cavern():
    held = {0: {"held": {"a1": "stone"}}}
    state = position(
        "K*.../CCC.",
        cards="warehouse",
        helpers=("scrap", "renovate"),
        resource="wood",
        namer=1,
        cavern=True,
        values=held,
    )

    assert {"store a1", "exchange a1 stone", "scrap a1", "cavern"} <= set(texts(state))
    assert chosen(state).startswith("place ")


@pytest.mark.parametrize("setting", settings(), ids=str)
def test_it_plays_every_variant_to_its_end_with_moves_that_are_listed(setting):
    seen = []

    def watched(ruleset, state, seat):
        move = greedy(ruleset, state, seat)
        listed = list(ruleset.legal(state, seat))
        assert move in listed
        assert move == greedy(ruleset, state, seat)
        if not all(isinstance(one, ASIDE) for one in listed):
            assert not isinstance(move, ASIDE)
        seen.append(move)
        return move

    records = play_game(RULESET, setting.start(), {Seat(seat): watched for seat in range(setting.seats)}, dice(4))

    assert "over" == records[-1].position.state.stage
    assert seen


class Counting(TinyTowns):
    """Counts how many moves are tried."""

    def __init__(self):
        self.tried = 0

    def apply(self, state, seat, move):
        self.tried += 1
        return super().apply(state, seat, move)


def test_it_tries_each_move_once_at_most_and_looks_no_further():
    counting = Counting()
    for number in range(1, 16):
        state = Setting("tiny_towns", 4, drawn=number).start().state
        while owing := RULESET.pending(state):
            counting.tried = 0
            listed = texts(state, owing[0].seat)
            move = greedy(counting, state, owing[0].seat)
            assert RULESET.grammar.format_move(move) in listed
            assert counting.tried <= len(listed)
            state = RULESET.apply(state, owing[0].seat, move).state
            if "over" == state.stage or (state.stage == "naming" and not state.resource):
                break


def test_one_greedy_bot_beats_random_ones():
    wins = 0
    for number in range(4):
        bots = {Seat(seat): random_bot(roller(demo_seed(number * 10 + seat))) for seat in range(3)}
        at = random.Random(number).randrange(3)
        records = play_game(RULESET, beginning(3), bots | {Seat(at): greedy}, dice(number))
        wins += RULESET.standings(records[-1].position.state)[at].rank == 1

    assert wins >= 3
