"""Rules M-218 to M-221: day labourers."""

import pytest

from engine.my_village.components import PROFESSIONS
from engine.my_village.state import FACES, SPACES
from tests.engine.my_village.positions import COMPONENTS, after, ended, keys, play, refusal, texts, told
from tests.engine.my_village.ruling import LAP, TOTALS, asked, building, customer, dying, having, parts, rolled

SINGLE = customer(8, "beer")
WORK = {
    "craftsman": (8, "make beer"),
    "merchant": (8, f"serve {SINGLE}"),
    "councilman": (8, "buy guild-chamber"),
    "traveller": (8, "travel a"),
    "abbot": (8, "buy trade-church"),
}
"""What a villager of each profession can do, and the total for it."""

THINGS = {"crafts": (building("beer", 8),), "goods": {"beer": 1}, "customers": (SINGLE,)}


def alone(profession="abbot", **mine):
    """The position after seat 0 has lost its last villager, and before the roll for the rat."""
    return dying({"villagers": (profession,), **mine})


@pytest.mark.rule("M-218")
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("rat", [0, COMPONENTS.rat.steps[0] - 1])
def test_who_has_no_villager_left_takes_a_day_labourer_after_the_roll(face, rat):
    state = dying({"villagers": ("abbot",), "tree": 6}, rat=rat)

    assert (-1, "my.rat") == asked(state)
    assert 0 == state.villages[0].labourers
    state = rolled(state, face)
    assert (0, "my.labourer") == asked(state)
    assert 0 == state.villages[0].labourers


@pytest.mark.rule("M-218")
@pytest.mark.parametrize("dead", PROFESSIONS)
def test_the_day_labourer_takes_any_profession(dead):
    state = rolled(alone(dead))

    assert [f"hire {profession}" for profession in PROFESSIONS] == texts(state)
    for profession in PROFESSIONS:
        done, events = play(state, f"hire {profession}")
        assert [("my.labourer", {"seat": 0, "profession": profession})] == told(events)
        village = done.villages[0]
        assert ((profession,), 1) == (village.villagers, village.labourers)
        assert (1, "my.total") == asked(done)
        assert (PROFESSIONS, 0) == (done.villages[1].villagers, done.villages[1].labourers)


@pytest.mark.rule("M-218")
def test_who_has_a_villager_left_takes_no_day_labourer():
    state, events = play(dying({"villagers": ("abbot", "merchant")}), "bury abbot", "roll 1")

    assert (1, "my.total") == asked(state)
    assert (("merchant",), 0) == (state.villages[0].villagers, state.villages[0].labourers)
    assert "my.labourer" not in keys(events)


@pytest.mark.rule("M-219")
@pytest.mark.parametrize("headman", SPACES)
@pytest.mark.parametrize(("left", "right"), [(False, False), (True, False), (False, True), (True, True)])
def test_headman_and_pupils_do_not_count_as_villagers(headman, left, right):
    state = rolled(alone(left=left, right=right, headman=headman))

    assert (0, "my.labourer") == asked(state)
    village = after(state, "hire merchant").villages[0]
    assert (1, left, right, headman) == (village.labourers, village.left, village.right, village.headman)


@pytest.mark.rule("M-220")
@pytest.mark.parametrize("villagers", [("abbot",), PROFESSIONS])
@pytest.mark.parametrize("total", TOTALS)
def test_the_tile_is_never_given_back(villagers, total):
    mine = {**THINGS, "villagers": villagers, "labourers": 1, "left": True, "right": True, "coins": 9}
    state = having(total, mine=mine)

    for text in texts(state):
        assert 1 == after(state, text).villages[0].labourers, text


@pytest.mark.rule("M-220")
@pytest.mark.parametrize("tiles", range(6))
def test_each_tile_costs_its_points_at_the_end(tiles):
    state = ended(mine={"labourers": tiles, "villagers": PROFESSIONS})

    assert tiles * COMPONENTS.labourer.points == parts(state)["labourers"]
    assert -5 == COMPONENTS.labourer.points
    assert 0 == parts(state, 1)["labourers"]


@pytest.mark.rule("M-221")
@pytest.mark.parametrize("profession", PROFESSIONS)
def test_the_new_villager_works_the_flags_of_its_profession_alone(profession):
    hired = after(rolled(alone()), f"hire {profession}").villages[0]

    total, line = WORK[profession]
    state = having(total, mine={**THINGS, "villagers": hired.villagers, "labourers": hired.labourers})

    assert "" == refusal(state, line)[0]
    for other, (_, barred) in WORK.items():
        assert other == profession or ("villager.missing", {"profession": other}) == refusal(state, barred)


@pytest.mark.rule("M-221")
@pytest.mark.parametrize("profession", PROFESSIONS)
def test_the_new_villager_can_be_buried_and_a_second_tile_follow(profession):
    hired = after(rolled(alone()), f"hire {profession}").villages[0]
    state = dying({"villagers": hired.villagers, "labourers": hired.labourers, "hours": 2 * LAP - 1}, graves=1)

    state, events = play(rolled(state), "hire merchant")

    village = state.villages[0]
    assert (("merchant",), 2) == (village.villagers, village.labourers)
    assert 2 == state.graves
    assert 2 * COMPONENTS.labourer.points == parts(state)["labourers"]
    assert ["my.labourer"] == keys(events)


@pytest.mark.rule("M-221")
def test_the_new_villager_is_one_of_those_to_choose_from():
    mine = {"villagers": ("traveller",), "labourers": 1, "left": True}
    village = after(having(3, mine=mine), "promote left merchant").villages[0]

    state = dying({"villagers": village.villagers, "labourers": 1})

    assert ["bury traveller", "bury merchant"] == texts(state)
    assert 1 == rolled(after(state, "bury traveller")).villages[0].labourers
