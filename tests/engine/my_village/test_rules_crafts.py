"""Rules M-119 to M-126: craft buildings."""

from itertools import product

import pytest

from engine.my_village.components import CRAFTS, GOODS
from tests.engine.my_village.positions import COMPONENTS, after, play, position, refusal, texts, told
from tests.engine.my_village.ruling import LAP, TOTALS, building, faces
from tests.engine.my_village.steps import ONE_EACH, changes, every_step, goods, over, taking, without

CARDS = list(COMPONENTS.craft.values())
TOGETHER = [
    total for total in TOTALS if all(any(total in card.white for card in CARDS if card.good == good) for good in GOODS)
]
"""Totals with which a building of each kind can work."""


def by_id(card):
    return card.id


def working(card, total=None, **mine):
    """Seat 0 owns *card* and has dice for it."""
    mine = {"crafts": (card.id,), "board": 1, **mine}
    return position(dice=faces(card.white[0] if total is None else total), mine=mine)


@pytest.mark.rule("M-119")
def test_there_are_five_kinds_of_four_cards_each():
    assert dict.fromkeys(GOODS, 4) == {good: [card.good for card in CARDS].count(good) for good in GOODS}
    assert ("scroll", "beer", "plow", "horse", "wagon") == GOODS
    assert sorted(CRAFTS) == sorted(position().crafts)


@pytest.mark.rule("M-120")
@pytest.mark.parametrize("good", GOODS)
def test_a_second_building_of_a_kind_is_never_bought(good):
    cards = [card for card in CARDS if card.good == good]
    for owned, other in product(cards, cards):
        for total in other.black:
            state = position(dice=faces(total), mine={"crafts": (owned.id,), "coins": 9})
            bought = [text for text in texts(state) if text.startswith(f"buy {good}-")]

            assert [] == bought
            if other != owned:
                assert ("buy.owned", {"card": other.id, "owned": owned.id}) == refusal(state, f"buy {other.id}")


@pytest.mark.rule("M-120", "M-121")
@pytest.mark.parametrize("card", CARDS, ids=by_id)
def test_owning_all_other_kinds_does_not_stop_a_purchase(card):
    others = tuple(one for one in ONE_EACH if not one.startswith(card.good))
    mine = {"crafts": others, "goods": {"horse": 1}}

    for total in card.black:
        state = position(dice=faces(total), mine=mine)
        done = after(state, f"buy {card.id}")
        expected = tuple(sorted((*others, card.id), key=CRAFTS.index))
        assert {"crafts": expected, "hours": card.hours} == changes(state, done)
        assert card.id not in done.crafts


@pytest.mark.rule("M-121")
@pytest.mark.parametrize("owned", ONE_EACH)
def test_owning_one_kind_leaves_all_others_for_sale(owned):
    for card in CARDS:
        if not owned.startswith(card.good):
            assert f"buy {card.id}" in texts(position(dice=faces(card.black[0]), mine={"crafts": (owned,)}))


@pytest.mark.rule("M-122")
@pytest.mark.parametrize("card", CARDS, ids=by_id)
def test_buying_and_using_need_the_craftsman(card):
    missing = ("villager.missing", {"profession": "craftsman"})

    for total in card.black:
        state = position(dice=faces(total), mine={"villagers": without("craftsman")})
        assert f"buy {card.id}" not in texts(state)
        assert missing == refusal(state, f"buy {card.id}")
        assert f"buy {card.id}" in texts(position(dice=faces(total), mine={"villagers": ("craftsman",)}))
    for total in card.white:
        state = working(card, total, villagers=without("craftsman"))
        assert f"make {card.good}" not in texts(state)
        assert missing == refusal(state, f"make {card.good}")
        assert f"make {card.good}" in texts(working(card, total, villagers=("craftsman",)))


@pytest.mark.rule("M-123")
@pytest.mark.parametrize("card", CARDS, ids=by_id)
@pytest.mark.parametrize("total", TOTALS)
def test_one_use_makes_one_good_of_its_kind(card, total):
    state = working(card, total, crafts=(card.id, *(one for one in ONE_EACH if not one.startswith(card.good))), hours=2)

    if total in card.white:
        done = over(state, f"make {card.good}")
        assert {"goods": goods(**{card.good: 1}), "hours": 2 + card.work} == changes(state, done)
        assert {} == changes(state, done, 1)
    else:
        wrong = {"flag": card.good, "numbers": card.white, "total": total}
        assert ("flag.number", wrong) == refusal(state, f"make {card.good}")


@pytest.mark.rule("M-123")
def test_a_building_works_once_a_turn():
    card = COMPONENTS.craft[building("beer", COMPONENTS.boards.play[0][1])]
    state = after(working(card, COMPONENTS.boards.play[0][1]), "make beer")

    assert ("flag.used", {"flag": "beer"}) == refusal(state, "make beer")


@pytest.mark.rule("M-123")
@pytest.mark.parametrize("good", GOODS)
def test_without_the_building_nothing_is_made(good):
    state = position(dice="3 5", mine={"crafts": tuple(one for one in ONE_EACH if not one.startswith(good))})

    assert f"make {good}" not in texts(state)
    assert ("make.none", {"good": good}) == refusal(state, f"make {good}")


@pytest.mark.rule("M-123")
@pytest.mark.parametrize("good", GOODS)
def test_a_good_stays_on_its_card_from_turn_to_turn(good):
    card = next(card for card in CARDS if card.good == good)
    rich = {"coins": 40}
    state = position(dice=faces(card.white[0]), turns=(1, 0), mine={"crafts": (card.id,), **rich}, others={1: rich})

    state = over(state, f"make {good}")
    state = taking(over(taking(state, 7)), card.white[0])

    assert (0, 1) == (state.turn, state.villages[0].count(good))
    assert 2 == over(state, f"make {good}").villages[0].count(good)


@pytest.mark.rule("M-124")
@pytest.mark.parametrize("good", GOODS)
@pytest.mark.parametrize("there", [0, 1, 9, 70])
def test_any_number_of_goods_lie_on_a_card(good, there):
    card = next(card for card in CARDS if card.good == good)
    state = working(card, goods={good: there})

    assert there + 1 == over(state, f"make {good}").villages[0].count(good)


@pytest.mark.rule("M-124")
def test_goods_and_buildings_stay_when_the_craftsman_dies():
    there = dict.fromkeys(GOODS, 2)
    state = position(dice="3 4", mine={"crafts": ONE_EACH, "goods": there, "hours": LAP - 1})

    done = after(state, "house coin", "bury craftsman", "roll 1")

    assert without("craftsman") == done.villages[0].villagers
    assert (ONE_EACH, goods(**there)) == (done.villages[0].crafts, done.villages[0].goods)


@pytest.mark.rule("M-125")
@pytest.mark.parametrize("total", TOTALS)
def test_nothing_in_a_turn_takes_goods_but_customers(total):
    """A village with goods of each kind, and every answer to every question of its turn, with burials and the rat."""
    there = {"crafts": ONE_EACH, "goods": dict.fromkeys(GOODS, 1)}
    mine = {
        **there, "customers": ("market-4", "market-12", "market-30"), "fields": 2, "left": True, "hours": LAP - 1,
        "church": "monastery-church", "chamber": "guild-chamber", "joker": True,
        "villagers": ("abbot", "craftsman", "merchant"),
    }  # fmt: skip
    others = {1: there}
    state = position(dice=faces(total), mine=mine, others=others, display=("market-1",), pile=(), rat=7)

    for before, text, now in every_step(state):
        assert {} == {name: new for name, new in changes(before, now, 1).items() if name == "goods"}
        verb, *named = text.split()
        lost = tuple(max(old - new, 0) for old, new in zip(before.me.goods, now.villages[0].goods, strict=True))
        if verb in ("serve", "joker"):
            asked = list(COMPONENTS.customer[named[0]].goods)
            if verb == "joker":
                asked.remove(named[1])
            assert tuple(asked.count(good) for good in GOODS) == lost
        else:
            assert goods() == lost, text


@pytest.mark.rule("M-125")
def test_a_plow_that_helped_a_field_lies_on_its_card():
    state = position(
        dice=faces(COMPONENTS.field.white[0]), mine={"fields": 2, "crafts": ("plow-1",), "goods": {"plow": 1}}
    )

    assert 1 == over(state, "farm", "farm").villages[0].count("plow")


@pytest.mark.rule("M-126")
@pytest.mark.parametrize("total", TOGETHER)
@pytest.mark.parametrize("turned", range(5))
def test_all_buildings_with_the_total_work_in_one_turn(total, turned):
    cards = tuple(building(good, total) for good in GOODS)
    order = GOODS[turned:] + GOODS[:turned]
    state = position(dice=faces(total), mine={"crafts": cards})

    done, events = play(state, *(f"make {good}" for good in order))
    done = over(done) if done.turn == 0 else done

    work = sum(COMPONENTS.craft[card].work for card in cards)
    assert goods(**dict.fromkeys(GOODS, 1)) == done.villages[0].goods
    assert work == sum(fields["hours"] for key, fields in told(events) if key == "my.made")
    assert work == done.villages[0].hours


@pytest.mark.rule("M-126")
def test_a_nine_makes_a_scroll_and_a_beer():
    cards = (building("scroll", 9), building("beer", 9))
    work = sum(COMPONENTS.craft[card].work for card in cards)
    state = position(dice="4 5", mine={"crafts": cards, "board": 1})

    done = over(state, "make scroll", "make beer")

    assert {"goods": goods(scroll=1, beer=1), "hours": work} == changes(state, done)


@pytest.mark.rule("M-126")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("turned", range(4))
def test_only_buildings_with_the_total_work(total, turned):
    cards = [COMPONENTS.craft[f"{good}-{(at + turned) % 4 + 1}"] for at, good in enumerate(GOODS)]
    state = position(dice=faces(total), mine={"crafts": tuple(card.id for card in cards)})

    made = [text.removeprefix("make ") for text in texts(state) if text.startswith("make")]

    assert [card.good for card in cards if total in card.white] == made
