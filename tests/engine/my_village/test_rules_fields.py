"""Rules M-127 to M-132: fields."""

import pytest

from engine.my_village.components import PROFESSIONS
from tests.engine.my_village.positions import COMPONENTS, after, play, position, refusal, texts, told
from tests.engine.my_village.ruling import TOTALS, faces
from tests.engine.my_village.steps import changes, goods, over, without

FIELD = COMPONENTS.field
TOTAL = FIELD.white[0]
SMITHY = "plow-1"
KEEN = next(one for one in COMPONENTS.customers.cards if one.goods == ("plow",) and TOTAL in one.white)
"""A customer for a plow who is served with the total of the fields."""


def farming(fields=1, plows=0, total=TOTAL, **mine):
    """Seat 0 has fields, a smithy with plows, and dice for the fields."""
    mine = {"fields": fields, "crafts": (SMITHY,), "goods": {"plow": plows}, **mine}
    return position(dice=faces(total), mine=mine)


def coins(events):
    """What each use of a field brought."""
    return [fields["coins"] for key, fields in told(events) if key == "my.farmed"]


@pytest.mark.rule("M-127")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("villager", PROFESSIONS)
def test_a_field_is_bought_with_its_numbers_and_no_villager(total, villager):
    state = position(dice=faces(total), mine={"villagers": (villager,), "hours": 2})

    if total in FIELD.black:
        assert {"fields": 1, "hours": 2 + FIELD.hours} == changes(state, after(state, "buy field"))
    else:
        wrong = {"flag": "field", "numbers": FIELD.black, "total": total}
        assert "buy field" not in texts(state)
        assert ("flag.number", wrong) == refusal(state, "buy field")


@pytest.mark.rule("M-127")
@pytest.mark.parametrize(
    ("mine", "theirs"), [(mine, theirs) for mine in range(FIELD.count + 1) for theirs in range(FIELD.count + 1 - mine)]
)
def test_any_number_of_fields_is_bought_while_the_pile_lasts(mine, theirs):
    left = FIELD.count - mine - theirs
    state = position(dice=faces(FIELD.black[0]), mine={"fields": mine}, others={1: {"fields": theirs}})

    if left:
        done = after(state, "buy field")
        assert (mine + 1, left - 1) == (done.villages[0].fields, done.fields)
    else:
        assert "buy field" not in texts(state)
        assert ("buy.gone", {"card": "field"}) == refusal(state, "buy field")


@pytest.mark.rule("M-127")
def test_buying_a_field_is_a_black_flag():
    state = position(dice=faces(FIELD.black[0]), used=("school",))

    assert ("flag.alone", {"flag": "field"}) == refusal(state, "buy field")


@pytest.mark.rule("M-128")
@pytest.mark.parametrize("fields", range(1, FIELD.count + 1))
@pytest.mark.parametrize("villager", PROFESSIONS)
def test_each_field_brings_coins_for_its_hours_without_a_villager(fields, villager):
    for used in range(1, fields + 1):
        state = farming(fields, villagers=(villager,), coins=1)

        done = over(state, *["farm"] * used)

        assert {"coins": 1 + used * FIELD.coins, "hours": used * FIELD.work} == changes(state, done)
        assert {} == changes(state, done, 1)


@pytest.mark.rule("M-128")
@pytest.mark.parametrize("fields", range(1, FIELD.count + 1))
def test_each_field_is_used_once(fields):
    state = after(farming(fields, plows=1, customers=(KEEN.id,)), *["farm"] * fields)

    assert "farm" not in texts(state)
    assert ("flag.used", {"flag": "field"}) == refusal(state, "farm")


@pytest.mark.rule("M-128")
@pytest.mark.parametrize("fields", range(1, FIELD.count + 1))
def test_the_field_with_the_tile_works_once_with_the_others(fields):
    state = farming(fields, plows=1, customers=(KEEN.id,), meeting=True, tile="field")

    done = after(state, *["farm"] * fields)

    assert fields * FIELD.work == done.villages[0].hours
    assert "farm" not in texts(done)
    assert "flag.used" == refusal(done, "farm")[0]


@pytest.mark.rule("M-128")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("fields", [0, 1, 3])
def test_fields_are_used_with_their_total_alone(total, fields):
    state = farming(fields, total=total)

    assert ("farm" in texts(state)) == (fields > 0 and total in FIELD.white)
    if not fields:
        assert ("farm.none", {}) == refusal(state, "farm")
    elif total not in FIELD.white:
        wrong = {"flag": "field", "numbers": FIELD.white, "total": total}
        assert ("flag.number", wrong) == refusal(state, "farm")


@pytest.mark.rule("M-129", "M-130")
@pytest.mark.parametrize("plows", [1, 2, 5])
@pytest.mark.parametrize("fields", range(1, FIELD.count + 1))
def test_with_plows_each_field_brings_one_share_more_and_they_stay(plows, fields):
    state = farming(fields, plows)

    done, events = play(state, *["farm"] * fields)
    done = over(done) if done.turn == 0 else done

    each = FIELD.coins + FIELD.plow
    assert [each] * fields == coins(events)
    assert {"coins": fields * each, "hours": fields * FIELD.work} == changes(state, done)
    assert goods(plow=plows) == done.villages[0].goods


@pytest.mark.rule("M-129")
@pytest.mark.parametrize("good", ["scroll", "beer", "horse", "wagon"])
def test_other_goods_and_a_bare_smithy_do_not_help(good):
    state = farming(1, crafts=(f"{good}-1", SMITHY), goods={good: 3})

    assert FIELD.coins == over(state, "farm").villages[0].coins


@pytest.mark.rule("M-129")
def test_a_plow_of_somebody_else_does_not_help():
    mine = {"fields": 1}
    state = position(
        dice=faces(TOTAL), mine=mine, others={1: {"crafts": (SMITHY,), "goods": {"plow": 2}}, 2: {}}, seats=3
    )

    assert FIELD.coins == over(state, "farm").villages[0].coins


@pytest.mark.rule("M-131")
@pytest.mark.parametrize("plows", [1, 2])
def test_the_plow_counts_at_the_moment_of_use(plows):
    state = farming(2, plows, customers=(KEEN.id,))
    bare, helped = FIELD.coins, FIELD.coins + FIELD.plow

    after_last = bare if plows == 1 else helped
    assert [after_last] * 2 == coins(play(state, f"serve {KEEN.id}", "farm", "farm")[1])
    assert [helped, after_last] == coins(play(state, "farm", f"serve {KEEN.id}", "farm")[1])
    assert [helped] * 2 == coins(play(state, "farm", "farm", f"serve {KEEN.id}")[1])


@pytest.mark.rule("M-132")
@pytest.mark.parametrize("villagers", [without("craftsman"), ("abbot",), ("merchant",)])
def test_the_plow_helps_without_a_craftsman(villagers):
    state = farming(2, 1, villagers=villagers)

    done = over(state, "farm", "farm")

    assert {"coins": 2 * (FIELD.coins + FIELD.plow), "hours": 2 * FIELD.work} == changes(state, done)
