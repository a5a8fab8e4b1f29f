"""Rules M-097 to M-099: the story tree."""

import pytest

from engine.my_village import RULESET
from engine.my_village.components import PROFESSIONS
from tests.engine.my_village.positions import COMPONENTS, after, ended, position, refusal, texts
from tests.engine.my_village.ruling import LAP, TOTALS, faces
from tests.engine.my_village.steps import changes, over, without

PLAY = COMPONENTS.play
BOARDS = list(enumerate(COMPONENTS.boards.play, 1))
BOOK = COMPONENTS.book.stories


@pytest.mark.rule("M-097")
@pytest.mark.parametrize(("board", "own"), BOARDS)
@pytest.mark.parametrize("total", TOTALS)
def test_the_play_flag_answers_to_the_two_numbers_of_its_board(board, own, total):
    state = position(dice=faces(total), mine={"board": board})

    if total in own:
        assert "play" in texts(state)
    else:
        assert "play" not in texts(state)
        assert ("flag.number", {"flag": "play", "numbers": own, "total": total}) == refusal(state, "play")


@pytest.mark.rule("M-097")
@pytest.mark.parametrize(("board", "own"), BOARDS)
@pytest.mark.parametrize("villager", PROFESSIONS)
def test_it_needs_no_villager_and_no_hours_and_brings_a_story(board, own, villager):
    for total in own:
        mine = {"board": board, "villagers": (villager,), "hours": 2, "tree": 3}
        state = position(dice=faces(total), before=0, mine=mine)

        done = over(state, "play")

        expected = {"tree": 3 + PLAY.stories} | ({"hours": 2 + PLAY.hours} if PLAY.hours else {})
        assert expected == changes(state, done)
        assert {} == changes(state, done, 1)


@pytest.mark.rule("M-097")
@pytest.mark.parametrize(("board", "own"), BOARDS)
def test_it_is_white(board, own):
    craft = next(card for card in COMPONENTS.craft.values() if set(own) & set(card.white))
    total = next(total for total in own if total in craft.white)
    state = position(dice=faces(total), mine={"board": board, "crafts": (craft.id,)})

    for first, second in (("play", f"make {craft.good}"), (f"make {craft.good}", "play")):
        done = after(state, first, second)
        assert (PLAY.stories, 1) == (done.villages[0].tree, done.villages[0].count(craft.good))


def winning(seat):
    """Each way to win stories, in a turn of *seat*: the position, the moves, and the stories."""
    last = {"hours": LAP - 1}
    school = faces(COMPONENTS.school.white[0])
    ways = {
        "play": (faces(BOARDS[1][1][0]), {"board": 2}, ["play"], PLAY.stories),
        "school": (
            school, {"right": True, "villagers": without("merchant")},
            ["promote right merchant"], COMPONENTS.school.stories,
        ),
        "house": ("3 4", {"headman": "coin"}, ["house stories"], COMPONENTS.house.stories),
        "hand": (faces(COMPONENTS.hand.black[0]), {}, ["hand"], 4),
        "book": ("3 4", last, ["house coin", "bury traveller"], BOOK[1][0]),
        "chronicler": (
            faces(COMPONENTS.monk["chronicler"].black[0]), {"church": "sanatorium"},
            ["buy chronicler"], COMPONENTS.monk["chronicler"].gift,
        ),
    }  # fmt: skip
    return {
        name: (
            position(3, seat, dice=dice, mine={"tree": 1, **mine}, others={at: {"tree": 2} for at in range(3)}, heap=4),
            moves,
            stories,
        )
        for name, (dice, mine, moves, stories) in ways.items()
    }


@pytest.mark.rule("M-098")
@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("way", ["play", "school", "house", "hand", "book", "chronicler"])
def test_stories_won_in_play_go_on_the_own_tree(seat, way):
    state, moves, stories = winning(seat)[way]

    done = after(state, *moves)

    assert 0 < stories
    assert 1 + stories == done.villages[seat].tree
    assert 0 == done.villages[seat].store
    assert [{}, {}] == [changes(state, done, other) for other in range(3) if other != seat]


@pytest.mark.rule("M-099")
@pytest.mark.parametrize("tree", [1, 5, 30])
def test_stories_on_the_tree_count_only_in_a_tie(tree):
    with_fields = {"fields": 2}

    state = ended(seats=3, mine=with_fields, others={1: {"tree": tree}, 2: with_fields}, holder=1)

    field, hand = COMPONENTS.field.points, COMPONENTS.hand.points
    assert [2 * field, hand, 2 * field] == [one.points for one in RULESET.standings(state)]
    tied = ended(seats=3, mine=with_fields, others={1: {"store": 2 * field}, 2: with_fields | {"tree": tree}}, holder=9)
    assert [2 * field] * 3 == [one.points for one in RULESET.standings(tied)]
    assert [2, 2, 1] == [one.rank for one in RULESET.standings(tied)]
