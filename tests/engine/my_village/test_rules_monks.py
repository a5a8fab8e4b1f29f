"""Rules M-167 to M-173: monks."""

import pytest

from engine.my_village.components import CHURCHES, GOODS, MONKS
from tests.engine.my_village.positions import COMPONENTS, after, ended, keys, play, refusal, texts, told
from tests.engine.my_village.ruling import TOTALS, asked, building, buys, having, hours, parts, window

CHURCHED = {"church": "trade-church"}
KINDS = [(kind, total) for kind in MONKS for total in COMPONENTS.monk[kind].black]
ALMONER, CHRONICLER, TEACHER, CELLARER = MONKS


def bought(kind, mine=None, **values):
    """The position after seat 0, which owns a church, has bought a monk of *kind*, and what happened."""
    state = having(COMPONENTS.monk[kind].black[0], mine={**CHURCHED, **(mine or {})}, **values)
    return play(state, f"buy {kind}")


@pytest.mark.rule("M-167")
@pytest.mark.parametrize(("kind", "total"), KINDS)
def test_a_monk_needs_a_church_of_ones_own(kind, total):
    without = having(total, others={1: CHURCHED})

    assert kind not in buys(without)
    assert ("buy.church", {"card": kind}) == refusal(without, f"buy {kind}")
    for church in CHURCHES:
        assert kind in buys(having(total, mine={"church": church}))


@pytest.mark.rule("M-167")
@pytest.mark.parametrize(("kind", "total"), KINDS)
def test_a_monk_needs_a_living_abbot_and_nobody_else(kind, total):
    others = ("councilman", "traveller", "craftsman", "merchant")
    dead = having(total, mine={**CHURCHED, "villagers": others})

    assert kind not in buys(dead)
    assert ("villager.missing", {"profession": "abbot"}) == refusal(dead, f"buy {kind}")
    assert kind in buys(having(total, mine={**CHURCHED, "villagers": ("abbot",)}))


@pytest.mark.rule("M-168")
@pytest.mark.parametrize("kind", MONKS)
def test_monks_of_one_kind_are_sold_until_the_pile_is_empty(kind):
    count = COMPONENTS.monk[kind].count

    for owned in range(count):
        state, _ = bought(kind, {"monks": {kind: owned}})
        assert owned + 1 == state.villages[0].monks[MONKS.index(kind)]
        assert count - owned - 1 == state.monks[MONKS.index(kind)]
    total = COMPONENTS.monk[kind].black[0]
    for mine, theirs in ((count, 0), (0, count), (1, count - 1)):
        empty = having(total, mine={**CHURCHED, "monks": {kind: mine}}, others={1: {"monks": {kind: theirs}}})
        assert kind not in buys(empty)
        assert ("buy.gone", {"card": kind}) == refusal(empty, f"buy {kind}")


@pytest.mark.rule("M-168")
@pytest.mark.parametrize("kind", MONKS)
def test_the_last_monk_can_be_bought_by_who_has_all_others(kind):
    owned = {one.id: one.count - (one.id == kind) for one in COMPONENTS.monks}

    state, _ = bought(kind, {"monks": owned})

    assert sum(one.count for one in COMPONENTS.monks) == sum(state.villages[0].monks)
    assert (0,) * len(MONKS) == state.monks


@pytest.mark.rule("M-169")
@pytest.mark.parametrize("monks", [{}, *({kind: n} for kind in MONKS for n in (1, 3)), dict.fromkeys(MONKS, 1)])
def test_each_monk_card_is_one_monk_at_the_window(monks):
    church = COMPONENTS.church["trade-church"]

    state = ended(mine={**CHURCHED, "monks": monks})

    assert 0 == church.monks
    assert church.points + window(sum(monks.values())) == parts(state)["religion"]


@pytest.mark.rule("M-170")
@pytest.mark.parametrize("kind", MONKS)
def test_a_monk_is_bought_with_its_numbers_for_its_hours(kind):
    monk = COMPONENTS.monk[kind]

    for total in TOTALS:
        state = having(total, mine={**CHURCHED, "hours": 2})
        if total in monk.black:
            done, events = play(state, f"buy {kind}")
            assert ("my.bought", {"seat": 0, "card": kind, "hours": monk.hours}) in told(events)
            assert 2 + monk.hours == hours(done)
        else:
            expected = {"flag": kind, "numbers": monk.black, "total": total}
            assert ("flag.number", expected) == refusal(state, f"buy {kind}")
            assert kind not in buys(state)


@pytest.mark.rule("M-171")
def test_the_almoner_brings_coins_once():
    gift = COMPONENTS.monk[ALMONER].gift

    state, events = bought(ALMONER, {"coins": 1, "tree": 1})

    assert (1 + gift, 1) == (state.villages[0].coins, state.villages[0].tree)
    assert ("my.gift-coins", {"seat": 0, "coins": gift}) in told(events)


@pytest.mark.rule("M-171")
def test_the_chronicler_brings_stories_for_the_tree_once():
    gift = COMPONENTS.monk[CHRONICLER].gift

    state, events = bought(CHRONICLER, {"coins": 1, "tree": 1, "store": 1})

    village = state.villages[0]
    assert (1 + gift, 1, 1) == (village.tree, village.store, village.coins)
    assert ("my.gift-stories", {"seat": 0, "stories": gift}) in told(events)


@pytest.mark.rule("M-171")
@pytest.mark.parametrize("kind", MONKS)
def test_a_monk_that_is_owned_brings_nothing_any_more(kind):
    mine = {**CHURCHED, "monks": {kind: 1}, "crafts": ("beer-1",)}

    state = after(having(7, mine=mine), "done")

    village = state.villages[0]
    assert (0, 0, False, 0) == (village.coins, village.tree, village.left, sum(village.goods))


@pytest.mark.rule("M-172")
@pytest.mark.parametrize("right", [False, True])
def test_the_teacher_enrols_a_pupil_on_the_left(right):
    state, events = bought(TEACHER, {"right": right})

    assert (True, right) == (state.villages[0].left, state.villages[0].right)
    assert ["my.bought", "my.enrolled"] == keys(events)
    assert COMPONENTS.monk[TEACHER].hours == hours(state)


@pytest.mark.rule("M-172")
@pytest.mark.parametrize("right", [False, True])
def test_the_teacher_does_nothing_where_the_left_space_is_full(right):
    state, events = bought(TEACHER, {"left": True, "right": right})

    assert (True, right) == (state.villages[0].left, state.villages[0].right)
    assert ("my.no-gift", {"seat": 0, "card": TEACHER}) in told(events)
    assert "my.enrolled" not in keys(events)
    assert (1, "my.total") == asked(state)


@pytest.mark.rule("M-173")
@pytest.mark.parametrize("owned", [("plow",), ("scroll", "wagon"), GOODS])
def test_the_cellarer_brings_a_good_of_choice_whose_building_is_owned(owned):
    crafts = tuple(building(good, 8) for good in owned)
    state, _ = bought(CELLARER, {"crafts": crafts, "goods": dict.fromkeys(owned, 1)})

    assert (0, "my.good") == asked(state)
    assert [f"pick {good}" for good in owned] == texts(state)
    for good in owned:
        done, events = play(state, f"pick {good}")
        assert [1 + (one == good) for one in owned] == [done.villages[0].count(one) for one in owned]
        assert [("my.picked", {"seat": 0, "good": good})] == told(events)
        assert (1, "my.total") == asked(done)
        assert COMPONENTS.monk[CELLARER].hours == hours(done)
    for good in set(GOODS) - set(owned):
        assert ("make.none", {"good": good}) == refusal(state, f"pick {good}")


@pytest.mark.rule("M-173")
def test_the_cellarer_brings_a_good_even_without_a_craftsman():
    state, _ = bought(CELLARER, {"crafts": ("beer-1",), "villagers": ("abbot",)})

    assert ["pick beer"] == texts(state)


@pytest.mark.rule("M-173")
def test_the_cellarer_brings_nothing_without_a_building():
    state, events = bought(CELLARER, {"fields": 1}, others={1: {"crafts": ("beer-1",)}})

    assert (0,) * len(GOODS) == state.villages[0].goods
    assert ("my.no-gift", {"seat": 0, "card": CELLARER}) in told(events)
    assert (1, "my.total") == asked(state)
