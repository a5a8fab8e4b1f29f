"""Rules M-211 to M-217: the rat."""

import pytest

from engine.core.types import CHANCE
from engine.my_village.state import FACES
from tests.engine.my_village.positions import COMPONENTS, after, keys, owed, play, position, texts, told
from tests.engine.my_village.ruling import asked, dying, rolled

SEATS = (2, 3, 4)


def steps(seats):
    """How many steps the rat has to the village."""
    return COMPONENTS.rat.steps[seats - 2]


def invaded(trees, *, face=6, **values):
    """The position after an invasion in the turn of seat 0 with these *trees*, and what happened; the book is full."""
    seats = len(trees)
    others = {seat: {"tree": tree, **values.pop(f"seat_{seat}", {})} for seat, tree in enumerate(trees) if seat}
    mine = {"tree": trees[0], **values.pop("seat_0", {})}
    values = {"graves": len(COMPONENTS.book.stories[seats - 2]), **values}
    state = after(dying(mine, seats=seats, others=others, rat=steps(seats) - face, **values), "bury abbot")
    return play(state, f"roll {face}")


def trees(state):
    """The stories on all trees."""
    return [village.tree for village in state.villages]


@pytest.mark.rule("M-211")
def test_after_each_burial_the_grey_die_is_rolled_once():
    state = after(position(dice="3 4", before=9, mine={"hours": 21}), "done")

    rolls = 0
    for profession in ("abbot", "merchant"):
        assert (0, "my.death") == asked(state)
        state = after(state, f"bury {profession}")
        decision = owed(state)
        assert (CHANCE, "my.rat", (1,) * len(FACES)) == (decision.seat, decision.key, decision.odds)
        assert [f"roll {face}" for face in FACES] == texts(state)
        state, rolls = rolled(state, 2), rolls + 2
        assert rolls == state.rat
    assert (1, "my.total") == asked(state)


@pytest.mark.rule("M-211")
def test_the_rat_stays_where_it_is_after_a_turn_without_a_burial():
    state, events = play(position(dice="3 4", mine={"hours": 4}, rat=3), "done")

    assert (1, "my.total") == asked(state)
    assert (3, "my.rat" in keys(events)) == (state.rat, False)


@pytest.mark.rule("M-211")
def test_the_villager_without_a_choice_brings_one_roll_too():
    state = dying({"villagers": ("abbot",)})

    assert (CHANCE, "my.rat") == asked(state)
    assert (0, "my.labourer") == asked(rolled(state))


@pytest.mark.rule("M-212", "M-213")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("face", FACES)
def test_the_rat_goes_as_far_as_rolled_and_invades_at_the_village_or_beyond(seats, face):
    for rat in range(steps(seats)):
        graves = len(COMPONENTS.book.stories[seats - 2])
        others = {seat: {"tree": 8} for seat in range(1, seats)}
        state = after(dying({"tree": 8}, seats=seats, others=others, rat=rat, graves=graves), "bury abbot")
        done, events = play(state, f"roll {face}")
        if rat + face < steps(seats):
            assert [("my.rat", {"face": face, "left": steps(seats) - rat - face})] == told(events)
            assert (rat + face, [8] * seats) == (done.rat, trees(done))
        else:
            assert ("my.invasion", {"face": face}) == told(events)[0]
            assert (0, [4] * seats) == (done.rat, trees(done))


@pytest.mark.rule("M-213")
def test_example_a_roll_beyond_the_village_loses_the_extra_steps():
    assert 8 == steps(2)

    state = rolled(after(dying({"tree": 2}, rat=5, graves=5), "bury abbot"), 4)

    assert (0, 1) == (state.rat, state.villages[0].tree)


@pytest.mark.rule("M-214")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("tree", range(12))
def test_every_player_loses_half_of_the_tree_rounded_down_also_who_rolled(seats, tree):
    before = [tree + seat for seat in range(seats)]

    state, events = invaded(before)

    lost = [one // 2 for one in before]
    assert [one - less for one, less in zip(before, lost, strict=True)] == trees(state)
    expected = [("my.lost", {"seat": seat, "stories": less}) for seat, less in enumerate(lost) if less]
    assert expected == told(events)[1 : 1 + len(expected)]
    assert len(expected) == keys(events).count("my.lost")


@pytest.mark.rule("M-215")
def test_examples_of_what_an_invasion_takes():
    state, events = invaded([8, 5, 1, 0])

    assert [4, 3, 1, 0] == trees(state)
    assert [("my.lost", {"seat": 0, "stories": 4}), ("my.lost", {"seat": 1, "stories": 2})] == told(events)[1:3]
    assert 2 == keys(events).count("my.lost")


@pytest.mark.rule("M-216")
def test_stories_in_the_house_and_on_the_hand_tile_are_safe():
    stored = {f"seat_{seat}": {"store": 9 + seat, "coins": 3} for seat in range(3)}

    state, _ = invaded([6, 7, 0], heap=5, **stored)

    assert [3, 4, 0] == trees(state)
    assert [9, 10, 11] == [village.store for village in state.villages]
    assert [3, 3, 3] == [village.coins for village in state.villages]
    assert 5 == state.heap


@pytest.mark.rule("M-217")
@pytest.mark.parametrize("tree", range(9))
def test_what_the_book_pays_for_a_burial_lies_on_the_tree_before_the_roll(tree):
    paid = COMPONENTS.book.stories[0][0]

    state, events = invaded([tree, 0], graves=0)

    assert paid > 0
    assert tree + paid - (tree + paid) // 2 == state.villages[0].tree
    assert ("my.lost", {"seat": 0, "stories": (tree + paid) // 2}) in told(events)


@pytest.mark.rule("M-217")
def test_example_of_a_payment_that_is_halved_at_once():
    assert 2 == COMPONENTS.book.stories[0][0]

    state, _ = invaded([4, 0], graves=0)

    assert 3 == state.villages[0].tree
