"""Rules M-025 to M-035: the round, and the steps of a turn."""

from itertools import groupby

import pytest

from engine.core.types import CHANCE
from engine.my_village.state import EMPTY
from tests.engine.my_village.games import game
from tests.engine.my_village.moments import moments, question
from tests.engine.my_village.positions import (
    COMPONENTS,
    after,
    between,
    drawn,
    owed,
    play,
    pool,
    position,
    refusal,
    start,
    texts,
    told,
)
from tests.engine.my_village.ruling import LAP, asked, dying

SEATS = (2, 3, 4)
GAMES = [(seats, seed) for seats in SEATS for seed in range(2)]
HAND = COMPONENTS.hand.stories
TOTAL, FLAGS, BRIDGE = range(3)
STEP = {
    **dict.fromkeys(("my.total", "my.dice", "my.change"), TOTAL),
    **dict.fromkeys(("my.flags", "my.customers", "my.customer", "my.face", "my.tile", "my.mark", "my.good"), FLAGS),
    **dict.fromkeys(("my.step", "my.journey", "my.look", "my.travel"), FLAGS),
    **dict.fromkeys(("my.death", "my.rat", "my.labourer"), BRIDGE),
}
"""The step of a turn to which each question belongs."""


def dice_of(seats):
    """How many white and black dice are rolled."""
    return COMPONENTS.dice.white[seats - 2], COMPONENTS.dice.black[seats - 2]


def rounds(seats, seed):
    """The moments of each round of a game, from its first die to its last turn; the set-up is left out."""
    for number, group in groupby(moments(seats, seed), key=lambda moment: moment[0].round):
        if number:
            yield list(group)


def passed(state):
    """The position after a whole turn in which the seat takes the first of every list, chance included."""
    state = after(state, texts(state)[0])
    while owed(state) is not None and owed(state).key != "my.total":
        state = after(state, texts(state)[0])
    return state


@pytest.mark.rule("M-025")
@pytest.mark.parametrize(("seats", "seed"), GAMES)
def test_every_round_is_a_preparation_and_then_an_action_phase(seats, seed):
    for moments_of_round in rounds(seats, seed):
        keys = [question(record) for _, record in moments_of_round]

        dice = sum(dice_of(seats))
        assert ["my.die"] * dice == keys[:dice]
        assert "my.total" == keys[dice]
        assert "my.die" not in keys[dice:]


@pytest.mark.rule("M-025")
@pytest.mark.parametrize(("seats", "seed"), GAMES)
def test_rounds_follow_one_another_until_the_game_is_over(seats, seed):
    played = [moments_of_round[0][0].round for moments_of_round in rounds(seats, seed)]

    assert [*range(1, game(seats, seed)[-1].position.state.round + 1)] == played


@pytest.mark.rule("M-026")
@pytest.mark.parametrize("palm", [True, False])
@pytest.mark.parametrize("holder", [0, 1, 2])
def test_the_preparation_shows_the_palm(palm, holder):
    state = between(seats=3, palm=palm, holder=holder)

    assert state.palm
    assert holder == state.holder


@pytest.mark.rule("M-026")
def test_a_hand_tile_that_was_taken_shows_its_back_until_the_next_preparation():
    state = after(position(turn=0, dice="1 1", turns=(1,), holder=1), "hand")
    assert not state.palm

    state = passed(state)

    assert (2, True, 0) == (state.round, state.palm, state.holder)


@pytest.mark.rule("M-027")
@pytest.mark.parametrize("heap", [0, 1, 3, 17])
@pytest.mark.parametrize("palm", [True, False])
def test_one_story_is_laid_on_the_hand_tile_whatever_lies_there(heap, palm):
    trees = {0: {"tree": 4}, 1: {"tree": 6}}
    state = between(heap=heap, palm=palm, others={1: trees[1]}, mine=trees[0])

    assert (1, heap + 1) == (HAND, state.heap)
    assert [4, 6] == [village.tree for village in state.villages]


@pytest.mark.rule("M-027", "M-028")
def test_a_preparation_is_told_with_its_holder_and_the_stories():
    state, events = play(position(2, 1, dice="1 1", turns=(), heap=3, holder=0, palm=False), "done")

    assert ("my.round", {"round": 2, "seat": 0, "stories": 4}) in told(events)
    assert (CHANCE, "my.die") == asked(state)


@pytest.mark.rule("M-028")
@pytest.mark.parametrize("seats", SEATS)
def test_every_die_is_rolled_by_a_draw_of_its_own(seats):
    white, black = dice_of(seats)
    state = between(seats=seats, offer="white-1 black-2")
    rolled = {"white": [], "black": []}

    for number in range(white + black):
        colour = "white" if number < white else "black"
        assert (CHANCE, "my.die", {"colour": colour}) == (owed(state).seat, owed(state).key, dict(owed(state).fields))
        assert ([f"roll {face}" for face in range(1, 7)], (1,) * 6) == (texts(state), owed(state).odds)
        rolled[colour].append(number % 6 + 1)
        state, events = play(state, f"roll {number % 6 + 1}")

    shown = {colour: tuple(sorted(faces)) for colour, faces in rolled.items()}
    assert [("my.rolled", shown)] == told(events)
    assert pool(" ".join(f"{colour}-{face}" for colour, faces in rolled.items() for face in faces)) == state.pool
    assert "my.total" == asked(state)[1]


@pytest.mark.rule("M-028")
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_every_seat_takes_its_dice_from_the_same_pool(turn):
    state = position(3, turn, offer="white-2 white-6 black-5")

    state = after(state, "total 8")

    assert ["dice white-2 white-6"] == texts(state)


@pytest.mark.rule("M-029", "M-030")
@pytest.mark.parametrize(("seats", "holder"), [(seats, holder) for seats in (3, 4) for holder in range(seats)])
def test_the_holder_begins_and_each_has_one_turn_clockwise(seats, holder):
    state = drawn(between(seats=seats, holder=holder))
    assert 2 == state.round

    seen = []
    while state.round == 2:
        seen.append(asked(state)[0])
        state = passed(state)

    assert [(holder + place) % seats for place in range(seats)] == seen


@pytest.mark.rule("M-029", "M-031")
@pytest.mark.parametrize("holder", [0, 1])
def test_two_players_have_two_turns_each_in_alternation(holder):
    state = drawn(between(holder=holder))

    seen = []
    while state.round == 2:
        seen.append(asked(state)[0])
        state = passed(state)

    assert [holder, 1 - holder, holder, 1 - holder] == seen


@pytest.mark.rule("M-029", "M-030", "M-031")
@pytest.mark.parametrize(("seats", "seed"), GAMES)
def test_in_every_round_of_a_game_all_have_their_turns_in_order(seats, seed):
    for moments_of_round in rounds(seats, seed):
        holder = moments_of_round[0][0].holder
        seen = [state.turn for state, record in moments_of_round if question(record) == "my.total"]

        order = [(holder + place) % seats for place in range(seats)]
        assert order * (2 if seats == 2 else 1) == seen


@pytest.mark.rule("M-032")
@pytest.mark.parametrize(("seats", "choices"), [(2, [11, 9, 7, 5]), (3, [8, 6, 4]), (4, [11, 9, 7, 5])])
def test_every_turn_has_two_dice_less_to_choose_from(seats, choices):
    for seed in range(2):
        for moments_of_round in rounds(seats, seed):
            totals = [state for state, record in moments_of_round if question(record) == "my.total"]

            assert choices == [sum(map(sum, state.pool)) for state in totals]


@pytest.mark.rule("M-032")
@pytest.mark.parametrize(("seats", "seed"), GAMES)
def test_only_the_two_dice_taken_leave_the_pool(seats, seed):
    for state, record in moments(seats, seed):
        now = record.position.state
        if question(record) == "my.dice" and now.round == state.round:
            back = pool(record.entry.text.removeprefix("dice "))
            sums = zip([*now.pool[0], *now.pool[1]], [*back[0], *back[1]], strict=True)
            assert [*state.pool[0], *state.pool[1]] == [left + taken for left, taken in sums]
        elif record.entry.seat != CHANCE and now.round == state.round:
            assert state.pool == now.pool


@pytest.mark.rule("M-033")
@pytest.mark.parametrize(("seats", "left"), [(2, 3), (3, 2), (4, 3)])
def test_the_dice_left_over_do_nothing(seats, left):
    last = [moments_of_round[-1][0] for seed in range(2) for moments_of_round in rounds(seats, seed)]

    over = [state for state in last if asked(state)[1] not in {"my.total", "my.dice"}]
    assert {left} == {sum(map(sum, state.pool)) for state in over}


@pytest.mark.rule("M-033")
@pytest.mark.parametrize("seats", SEATS)
def test_all_dice_are_rolled_anew_whatever_was_left(seats):
    one, other = between(seats=seats, offer="white-6 black-1 black-1"), between(seats=seats, offer="white-1 white-2")

    assert EMPTY == one.pool
    assert one == other
    assert dice_of(seats) == tuple(map(sum, drawn(one).pool))


@pytest.mark.rule("M-034")
@pytest.mark.parametrize(("seats", "seed"), GAMES)
def test_a_turn_makes_a_total_then_uses_flags_then_looks_at_the_bridge(seats, seed):
    for moments_of_round in rounds(seats, seed):
        steps = [(len(state.turns), STEP[question(one)]) for state, one in moments_of_round if question(one) in STEP]

        assert sorted(steps, key=lambda step: (-step[0], step[1])) == steps
        assert {TOTAL} == {step for _, step in steps[:1]}


@pytest.mark.rule("M-034")
def test_no_flag_is_used_before_the_total_is_made():
    mine = {"crafts": ("beer-1",), "coins": 1}
    begun = position(mine=mine)
    for move in ("make beer", "steward", "buy scroll-2", "done"):
        expected = {"verb": move.split()[0], "decision": "my.total"}
        assert ("turn.not-asked", expected) == refusal(begun, move)

    chosen = after(begun, "total 8")
    assert ("turn.not-asked", {"verb": "make", "decision": "my.dice"}) == refusal(chosen, "make beer")
    taken = after(chosen, texts(chosen)[0])
    assert ("turn.not-asked", {"verb": "make", "decision": "my.change"}) == refusal(taken, "make beer")
    assert "make beer" in texts(after(taken, texts(taken)[0]))


@pytest.mark.rule("M-034")
def test_nobody_is_buried_before_the_flags_are_used_and_then_the_next_seat_is_on():
    mine = {"crafts": ("beer-1", "scroll-1"), "hours": LAP - 1, "board": 1}
    state = after(position(3, dice="4 4", mine=mine), "make beer", "make scroll")
    assert (0, "my.flags") == asked(state)
    assert 5 == len(state.me.villagers)

    state = after(state, "done")

    assert (0, "my.death") == asked(state)
    assert ("turn.not-asked", {"verb": "play", "decision": "my.death"}) == refusal(state, "play")
    assert (1, "my.total") == asked(after(state, "bury abbot", "roll 1"))


@pytest.mark.rule("M-035")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_end_is_looked_at_after_the_last_turn_of_the_round(seats, more):
    limit = COMPONENTS.graves.limit[seats - 2]
    last = position(seats, dice="1 1", turns=(), graves=limit + more)
    assert (0, "my.flags") == asked(last)

    state, events = play(last, "done")

    ends = more >= 0
    assert ends == (not state.stack)
    assert ends == ("my.over" in [key for key, _ in told(events)])
    assert ends == ("my.round" not in [key for key, _ in told(events)])
    assert 1 + (not ends) == state.round


@pytest.mark.rule("M-035")
@pytest.mark.parametrize("seats", SEATS)
def test_a_limit_reached_early_leaves_the_round_as_it_is(seats):
    limit = COMPONENTS.graves.limit[seats - 2]
    state = after(dying(seats=seats, graves=limit - 1), "bury abbot", "roll 1")
    assert limit == state.graves

    for seat in range(1, seats):
        assert (seat, "my.total") == asked(state)
        state = passed(state)

    assert owed(state) is None


@pytest.mark.rule("M-035")
@pytest.mark.parametrize(("seats", "seed"), GAMES)
def test_a_game_ends_with_the_round_in_which_the_limit_was_reached(seats, seed):
    *before, last = rounds(seats, seed)

    limit = COMPONENTS.graves.limit[seats - 2]
    assert all(record.position.state.graves < limit for moments_of_round in before for _, record in moments_of_round)
    assert last[-1][1].position.state.graves >= limit
    assert () == last[-1][0].turns
    assert "my.over" in [event.key for event in last[-1][1].events]


@pytest.mark.rule("M-035")
@pytest.mark.parametrize("seats", SEATS)
def test_the_first_round_begins_with_no_burial(seats):
    assert (1, 0, False) == (drawn(start(seats)).round, drawn(start(seats)).graves, drawn(start(seats)).ending)
