"""Rules M-060 to M-065: black flags."""

import pytest
from msgspec.structs import replace

from engine.my_village import RULESET
from engine.my_village.components import (
    BOUGHT,
    CHAMBERS,
    CHURCHES,
    CRAFTS,
    FIELD,
    GOODS,
    LETTERS,
    MEETING,
    MONKS,
    PROFESSIONS,
)
from tests.engine.my_village.positions import COMPONENTS, after, drawn, play, position, refusal, texts, told
from tests.engine.my_village.ruling import TOTALS, asked, buys, having, hours

CHURCH = {"church": "sanatorium"}
"""What a monk needs."""

NEEDS = {
    **dict.fromkeys(CRAFTS, "craftsman"),
    **dict.fromkeys((*CHURCHES, *MONKS), "abbot"),
    **dict.fromkeys((MEETING, *CHAMBERS), "councilman"),
}
"""Whose living villager a card needs."""

WHITE = {"play", "enrol", "advance", "promote", "make", "farm", "serve", "joker", "meeting"}

FLAGS = [
    *((f"buy {card}", card, *COMPONENTS.priced[card][0]) for card in BOUGHT),
    ("steward", "steward", *COMPONENTS.steward.black),
    ("hand", "hand", *COMPONENTS.hand.black),
    ("travel a", "travel", *COMPONENTS.pile["a"].black),
    ("house coin", "house", *TOTALS),
]
"""Every black flag: how it is used, its name, its numbers."""


def for_card(card):
    """What a village must have for *card*, but for a villager."""
    return CHURCH if card in MONKS else {}


def before(letter):
    """A journey that has come to the card before *letter*, with nothing more to pay."""
    cards = COMPONENTS.journey.values()
    free = {card.letter: card.id for card in cards if not (card.coins or card.hours or card.last)}
    return tuple(free[one] for one in LETTERS[: LETTERS.index(letter)])


def serving(total):
    """A village with a customer whose flag answers to *total*, and goods for it."""
    goods = dict.fromkeys(GOODS, 3)
    for name, customer in COMPONENTS.customer.items():
        if total in customer.white:
            return {"customers": (name,), "goods": goods}
    return {"customers": ("market-1",), "goods": goods, "meeting": True, "tile": "market-1"}


def settled(state):
    """The position after all is answered, and drawn, that a black flag asks besides."""
    while asked(state)[1] not in {"my.total", "my.flags"}:
        state = after(state, texts(state)[0])
    return state


@pytest.mark.rule("M-060")
@pytest.mark.parametrize(("move", "flag", "total"), [row[:3] for row in FLAGS])
@pytest.mark.parametrize("used", [("play",), ("school",), ("beer", "scroll"), ("market-33",)])
def test_no_black_flag_comes_after_a_white_one(move, flag, total, used):
    mine = {**for_card(flag), **serving(total)}

    state = having(total, mine=mine, used=used)

    assert ("flag.alone", {"flag": flag}) == refusal(state, move)
    assert {"done"} == {text for text in texts(state) if text.split()[0] not in WHITE}
    assert move in texts(having(total, mine=mine))
    assert move in texts(having(total, mine=mine, used=used, free=True))


@pytest.mark.rule("M-060")
@pytest.mark.parametrize(("move", "flag", "total"), [row[:3] for row in FLAGS])
@pytest.mark.parametrize("free", [False, True])
def test_nothing_comes_after_a_black_flag(move, flag, total, free):
    white = {"crafts": ("beer-1", "scroll-2", "wagon-3", "horse-4"), "fields": 2, "board": 3, "coins": 5}
    mine = {**white, **for_card(flag)} if flag not in CRAFTS else {**white, "crafts": ()}
    used = ("meeting-place",) if free else ()

    state = settled(after(having(total, mine=mine, used=used, free=free), move))

    assert (1, "my.total") == asked(state)


@pytest.mark.rule("M-060")
def test_a_white_flag_after_the_meeting_place_shuts_out_black_ones_again():
    state = after(having(5, mine={"meeting": True, "tile": "school", "fields": 2}), "meeting", "set 1 3")
    assert "buy cellarer" not in texts(state)
    assert "buy wagon-1" in texts(state)

    state = after(state, "farm")

    assert ["done", "farm"] == texts(state)
    assert ("flag.alone", {"flag": "wagon-1"}) == refusal(state, "buy wagon-1")


@pytest.mark.rule("M-061")
@pytest.mark.parametrize(("move", "flag", "numbers"), [(row[0], row[1], row[2:]) for row in FLAGS])
def test_a_black_flag_needs_exactly_one_of_its_numbers(move, flag, numbers):
    for total in TOTALS:
        state = having(total, mine=for_card(flag))

        wrong = {"flag": flag, "numbers": numbers, "total": total}
        assert (("", {}) if total in numbers else ("flag.number", wrong)) == refusal(state, move)
        assert (total in numbers) == (move in texts(state))


@pytest.mark.rule("M-061")
def test_a_coin_opens_the_stewards_office_for_three_and_four():
    low, high = COMPONENTS.steward.black
    assert "flag.number" == refusal(having(low + 1), "steward")[0]

    state = position(offer=f"white-3 white-{low + 1 - 3}", mine={"coins": 1})

    for total in (low, high):
        made = after(state, f"total {total}")
        made = after(made, texts(made)[0])
        opened = after(made, texts(made)[0], "steward")
        assert ((0, "my.customers"), 0) == (asked(opened), opened.me.coins)
    poor = position(offer=f"white-3 white-{low + 1 - 3}")
    assert {f"total {low}", f"total {high}"}.isdisjoint(texts(poor))


@pytest.mark.rule("M-062")
@pytest.mark.parametrize("card", BOUGHT)
def test_a_card_bought_lies_in_its_area(card):
    state = having(COMPONENTS.priced[card][0][-1], mine=for_card(card))
    old = state.villages[0]

    now, events = play(state, f"buy {card}")

    village, cost = now.villages[0], COMPONENTS.priced[card][1]
    assert ("my.bought", {"seat": 0, "card": card, "hours": cost}) == told(events)[0]
    area = {
        "crafts": (card,) if card in CRAFTS else (),
        "fields": int(card == FIELD),
        "church": card if card in CHURCHES else old.church,
        "monks": tuple(int(card == kind) for kind in MONKS),
        "meeting": card == MEETING,
        "chamber": card if card in CHAMBERS else "",
    }
    assert area == {field: getattr(village, field) for field in area}
    assert (old.journeys, old.customers, old.served) == (village.journeys, village.customers, village.served)


@pytest.mark.rule("M-062")
@pytest.mark.parametrize("card", BOUGHT)
def test_a_card_bought_is_in_nobody_elses_village_and_not_on_the_table(card):
    state = having(COMPONENTS.priced[card][0][0], mine=for_card(card), seats=3)
    table = {one.card: one.left for one in RULESET.view(state, None).cards} | dict.fromkeys(state.crafts, 1)

    now = settled(after(state, f"buy {card}"))

    left = {one.card: one.left for one in RULESET.view(now, None).cards} | dict.fromkeys(now.crafts, 1)
    assert {**table, card: table[card] - 1} == {**dict.fromkeys(table, 0), **left}
    assert state.villages[1:] == now.villages[1:]


@pytest.mark.rule("M-062")
@pytest.mark.parametrize("letter", LETTERS)
def test_a_travel_card_bought_lies_at_the_end_of_the_journey(letter):
    state = having(COMPONENTS.pile[letter].black[0], mine={"journeys": before(letter)})

    now = after(state, f"travel {letter}")
    card = texts(now)[-1].removeprefix("draw ")
    now = after(now, f"draw {card}")

    assert (*before(letter), card) == now.villages[0].journeys
    assert card not in now.deck(letter)


@pytest.mark.rule("M-063")
@pytest.mark.parametrize("card", NEEDS)
def test_a_card_needs_the_living_villager_of_its_area_and_no_other(card):
    need = NEEDS[card]
    others = tuple(one for one in PROFESSIONS if one != need)

    for total in COMPONENTS.priced[card][0]:
        without = having(total, mine={**for_card(card), "villagers": others, "left": True, "right": True})
        assert ("villager.missing", {"profession": need}) == refusal(without, f"buy {card}")
        assert card not in buys(without)
        assert card in buys(having(total, mine={**for_card(card), "villagers": (need,)}))


@pytest.mark.rule("M-063")
@pytest.mark.parametrize("letter", LETTERS)
def test_a_travel_card_needs_the_living_traveller_and_no_other(letter):
    others = tuple(one for one in PROFESSIONS if one != "traveller")

    for total in COMPONENTS.pile[letter].black:
        without = having(total, mine={"journeys": before(letter), "villagers": others})
        assert ("villager.missing", {"profession": "traveller"}) == refusal(without, f"travel {letter}")
        assert f"travel {letter}" not in texts(without)
        alone = having(total, mine={"journeys": before(letter), "villagers": ("traveller",)})
        assert f"travel {letter}" in texts(alone)


@pytest.mark.rule("M-063")
def test_a_villager_of_another_village_does_not_help():
    state = having(7, mine={"villagers": ("merchant",)}, others={1: {"villagers": PROFESSIONS}})

    assert [] == buys(state)


@pytest.mark.rule("M-064")
@pytest.mark.parametrize("alone", PROFESSIONS)
@pytest.mark.parametrize(
    ("move", "total"),
    [
        (move, total)
        for move, flag, *numbers in FLAGS
        for total in numbers
        if flag in {FIELD, "steward", "hand", "house"}
    ],
)
def test_fields_steward_hand_tile_and_main_house_need_no_villager(alone, move, total):
    state = having(total, mine={"villagers": (alone,)})
    assert move in texts(state)

    nobody = replace(state, villages=(replace(state.villages[0], villagers=()), *state.villages[1:]))

    assert move in texts(nobody)
    assert ("", {}) == refusal(nobody, move)


@pytest.mark.rule("M-065")
@pytest.mark.parametrize("card", [*CRAFTS, FIELD, MEETING])
@pytest.mark.parametrize("free", [False, True])
def test_a_white_flag_bought_now_is_not_used_in_this_turn(card, free):
    for total in COMPONENTS.priced[card][0]:
        state = having(total, mine={"coins": 9}, used=("meeting-place",) if free else (), free=free)

        state = settled(after(state, f"buy {card}"))

        assert (1, "my.total") == asked(state)
        assert COMPONENTS.priced[card][1] == hours(state)


@pytest.mark.rule("M-065")
@pytest.mark.parametrize(
    ("card", "use"),
    [*((card, f"make {card.partition('-')[0]}") for card in CRAFTS), (FIELD, "farm"), (MEETING, "meeting")],
)
def test_with_two_players_it_can_be_used_in_the_second_turn_of_the_round(card, use):
    bought, work = COMPONENTS.priced[card][0][0], COMPONENTS.craft.get(card)
    numbers = work.white if work else {FIELD: COMPONENTS.field, MEETING: COMPONENTS.meeting_place}[card].white
    state = having(bought, turns=(1, 0), offer="white-1 white-6 white-2 white-5 white-6", mine={"coins": 9})
    state = settled(after(state, f"buy {card}"))
    assert (1, "my.total") == asked(state)

    state = after(state, "house", "dice white-6 white-6", f"total {numbers[0]}")
    state = after(state, texts(state)[0])
    state = after(state, texts(state)[0])

    assert (0, "my.flags", 1) == (*asked(state), state.round)
    assert use in texts(state)


@pytest.mark.rule("M-065")
def test_it_can_be_used_in_the_next_round_too():
    card = COMPONENTS.craft["beer-1"]
    state = having(card.black[0], turns=(), holder=0, mine={"coins": 9})

    state = drawn(after(state, "buy beer-1"), *(f"roll {face}" for face in (1, 2, 3, 4, 5, 6)))
    state = after(state, f"total {card.white[0]}")
    state = after(state, texts(state)[0])

    assert "make beer" in texts(after(state, texts(state)[0]))
