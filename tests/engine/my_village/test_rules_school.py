"""Rules M-077 to M-088: school."""

from itertools import combinations

import pytest

from engine.my_village.components import PROFESSIONS
from engine.my_village.state import LEFT, RIGHT
from tests.engine.my_village.positions import COMPONENTS, after, ended, owed, play, position, refusal, texts
from tests.engine.my_village.ruling import LAP, TOTALS, faces, parts
from tests.engine.my_village.steps import changes, over, without

SCHOOL = COMPONENTS.school
VERBS = ("enrol", "advance", "promote")
PLAY_TOO = [
    (board, total) for board, own in enumerate(COMPONENTS.boards.play, 1) for total in own if total in SCHOOL.white
]
"""Boards and totals with which both the play flag and the school can be used."""


def at_school(total=SCHOOL.white[0], **mine):
    """Seat 0 has dice for the school."""
    return position(dice=faces(total), mine=mine)


def steps(state):
    """What the school offers."""
    return [text for text in texts(state) if text.startswith(VERBS)]


def some():
    """Every choice of professions that are filled, but none at all."""
    return [chosen for count in range(1, 6) for chosen in combinations(PROFESSIONS, count)]


@pytest.mark.rule("M-077")
@pytest.mark.parametrize("board", [1, 2, 3, 4])
@pytest.mark.parametrize("total", TOTALS)
def test_the_school_answers_to_its_two_numbers_on_every_board(board, total):
    state = at_school(total, board=board)

    if total in SCHOOL.white:
        assert ["enrol"] == steps(state)
    else:
        wrong = {"flag": "school", "numbers": SCHOOL.white, "total": total}
        assert [] == steps(state)
        assert ("flag.number", wrong) == refusal(state, "enrol")
        assert ("flag.number", wrong) == refusal(at_school(total, left=True), "advance")
        assert ("flag.number", wrong) == refusal(
            at_school(total, left=True, villagers=["abbot"]), "promote left merchant"
        )


@pytest.mark.rule("M-077")
@pytest.mark.parametrize(("board", "total"), PLAY_TOO)
def test_the_school_is_a_white_flag(board, total):
    state = at_school(total, board=board)

    assert {"left": True, "tree": COMPONENTS.play.stories} == changes(state, after(state, "play", "enrol"))
    assert {"left": True, "tree": COMPONENTS.play.stories} == changes(state, after(state, "enrol", "play"))


@pytest.mark.rule("M-078")
@pytest.mark.parametrize(("board", "total"), PLAY_TOO)
@pytest.mark.parametrize(
    ("step", "others"),
    [
        ("enrol", ["enrol", "advance", "promote left merchant", "promote right merchant"]),
        ("advance", ["enrol", "advance", "promote right merchant"]),
        ("promote left merchant", ["enrol", "advance", "promote right craftsman"]),
        ("promote right merchant", ["enrol", "advance", "promote left craftsman"]),
    ],
)
def test_one_step_a_turn(board, total, step, others):
    pupils = {"enrol": {"right": True}, "advance": {"left": True}}.get(step, {"left": True, "right": True})
    state = after(at_school(total, board=board, villagers=without("merchant", "craftsman"), **pupils), step)

    assert [] == steps(state)
    assert [("flag.used", {"flag": "school"})] * len(others) == [refusal(state, other) for other in others]


@pytest.mark.rule("M-079", "M-083")
@pytest.mark.parametrize("total", SCHOOL.white)
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("villagers", [PROFESSIONS, ("traveller",)])
def test_a_pupil_is_enrolled_for_no_hours_where_the_left_is_empty(total, right, villagers):
    state = at_school(total, right=right, villagers=villagers, hours=LAP - 1)

    done = over(state, "enrol")

    assert {"left": True} == changes(state, done)
    assert {} == changes(state, done, 1)
    assert (1, "my.total") == (owed(done).seat, owed(done).key)


@pytest.mark.rule("M-079", "M-084")
@pytest.mark.parametrize("right", [False, True])
def test_nobody_is_enrolled_where_the_left_is_full(right):
    state = at_school(left=True, right=right)

    assert "enrol" not in texts(state)
    assert ("school.full", {"space": LEFT}) == refusal(state, "enrol")


@pytest.mark.rule("M-080")
@pytest.mark.parametrize("total", SCHOOL.white)
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("profession", PROFESSIONS)
def test_a_pupil_on_the_left_is_promoted_for_an_hour_and_no_stories(total, right, profession):
    state = at_school(total, left=True, right=right, villagers=without(profession), hours=3, tree=4)

    done = after(state, f"promote left {profession}")

    assert {"left": False, "villagers": PROFESSIONS, "hours": 3 + SCHOOL.promote} == changes(state, done)


@pytest.mark.rule("M-081")
@pytest.mark.parametrize("total", SCHOOL.white)
@pytest.mark.parametrize("villagers", [PROFESSIONS, ("abbot", "merchant")])
def test_a_pupil_goes_from_left_to_right_for_no_hours(total, villagers):
    state = at_school(total, left=True, villagers=villagers, hours=LAP - 1)

    assert {"left": False, "right": True} == changes(state, after(state, "advance"))


@pytest.mark.rule("M-081", "M-084")
def test_nobody_goes_to_a_full_right_or_from_an_empty_left():
    assert ("school.full", {"space": RIGHT}) == refusal(at_school(left=True, right=True), "advance")
    assert ("school.empty", {"space": LEFT}) == refusal(at_school(), "advance")
    assert ("school.empty", {"space": LEFT}) == refusal(at_school(right=True), "advance")


@pytest.mark.rule("M-082")
@pytest.mark.parametrize("total", SCHOOL.white)
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("profession", PROFESSIONS)
def test_a_pupil_on_the_right_is_promoted_for_an_hour_with_stories(total, left, profession):
    state = at_school(total, left=left, right=True, villagers=without(profession), hours=3, tree=4)

    done = after(state, f"promote right {profession}")

    expected = {"right": False, "villagers": PROFESSIONS, "hours": 3 + SCHOOL.promote, "tree": 4 + SCHOOL.stories}
    assert expected == changes(state, done)
    assert {} == changes(state, done, 1)


@pytest.mark.rule("M-080", "M-082")
def test_nobody_is_promoted_from_an_empty_space():
    villagers = without("merchant")

    assert ("school.empty", {"space": LEFT}) == refusal(
        at_school(right=True, villagers=villagers), "promote left merchant"
    )
    assert ("school.empty", {"space": RIGHT}) == refusal(
        at_school(left=True, villagers=villagers), "promote right merchant"
    )


@pytest.mark.rule("M-083")
@pytest.mark.parametrize("villagers", some()[:-1])
def test_with_a_pupil_on_the_right_alone_one_is_enrolled_or_that_one_promoted(villagers):
    state = at_school(right=True, villagers=villagers)

    empty = [one for one in PROFESSIONS if one not in villagers]
    assert ["enrol", *(f"promote right {one}" for one in empty)] == steps(state)


@pytest.mark.rule("M-079", "M-081", "M-084", "M-085")
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("right", [False, True])
def test_the_steps_follow_from_the_pupils_and_the_empty_professions(left, right):
    for villagers in some():
        state = at_school(left=left, right=right, villagers=villagers)
        empty = [one for one in PROFESSIONS if one not in villagers]
        free = {(False, False): ["enrol"], (False, True): ["enrol"], (True, False): ["advance"], (True, True): []}
        spaces = [space for space, there in ((LEFT, left), (RIGHT, right)) if there]
        expected = free[left, right] + [f"promote {space} {one}" for space in spaces for one in empty]

        assert expected == steps(state)


@pytest.mark.rule("M-085")
@pytest.mark.parametrize("space", [LEFT, RIGHT])
@pytest.mark.parametrize("profession", PROFESSIONS)
def test_no_profession_holds_two(space, profession):
    other = next(one for one in PROFESSIONS if one != profession)
    state = at_school(left=True, right=True, villagers=without(other))

    assert ("school.filled", {"profession": profession}) == refusal(state, f"promote {space} {profession}")
    assert ("", {}) == refusal(state, f"promote {space} {other}")


@pytest.mark.rule("M-086")
@pytest.mark.parametrize("total", SCHOOL.white)
def test_with_two_pupils_and_five_villagers_the_school_cannot_be_used(total):
    state = at_school(total, left=True, right=True)

    assert [] == steps(state)
    assert ("school.full", {"space": LEFT}) == refusal(state, "enrol")
    assert ("school.full", {"space": RIGHT}) == refusal(state, "advance")
    for space in (LEFT, RIGHT):
        for profession in PROFESSIONS:
            assert ("school.filled", {"profession": profession}) == refusal(state, f"promote {space} {profession}")


@pytest.mark.rule("M-087")
@pytest.mark.parametrize(
    ("total", "card"),
    [(total, card) for total in SCHOOL.white for card in COMPONENTS.craft.values() if total in card.white],
    ids=lambda value: getattr(value, "id", value),
)
def test_a_craftsman_promoted_now_works_in_the_same_turn(total, card):
    state = at_school(total, left=True, villagers=without("craftsman"), crafts=(card.id,), board=2)

    assert ("villager.missing", {"profession": "craftsman"}) == refusal(state, f"make {card.good}")
    done = after(state, "promote left craftsman", f"make {card.good}")
    assert SCHOOL.promote + card.work == done.villages[0].hours
    assert 1 == done.villages[0].count(card.good)
    assert PROFESSIONS == done.villages[0].villagers


@pytest.mark.rule("M-088")
def test_pupils_do_no_work():
    craft = next(iter(COMPONENTS.craft.values()))
    pupils = {"left": True, "right": True, "villagers": without("craftsman")}

    using = at_school(craft.white[0], crafts=(craft.id,), **pupils)
    assert ("villager.missing", {"profession": "craftsman"}) == refusal(using, f"make {craft.good}")
    buying = at_school(craft.black[0], **pupils)
    assert ("villager.missing", {"profession": "craftsman"}) == refusal(buying, f"buy {craft.id}")


@pytest.mark.rule("M-088")
def test_pupils_do_not_die():
    pupils = {"left": True, "right": True}
    state = at_school(hours=LAP - 1, villagers=("abbot", "merchant"), **pupils)

    state = after(state, "house coin")

    assert ["bury abbot", "bury merchant"] == texts(state)
    done = after(state, "bury abbot")
    assert (True, True) == (done.villages[0].left, done.villages[0].right)


@pytest.mark.rule("M-088")
def test_pupils_do_not_count_as_living():
    state = at_school(hours=LAP - 1, villagers=("abbot",), left=True, right=True)

    state, _ = play(state, "house coin", "roll 1")

    assert "my.labourer" == owed(state).key
    chamber = {"chamber": "population-chamber", "mark": "merchant", "left": True, "right": True}
    with_pupils = parts(ended(mine={**chamber, "villagers": without("merchant")}))["council"]
    with_merchant = parts(ended(mine=chamber))["council"]
    assert COMPONENTS.chamber["population-chamber"].gift == with_merchant - with_pupils
