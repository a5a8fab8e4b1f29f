"""Rules T-061 to T-065: feeding."""

import random
from itertools import combinations, product

import pytest

from engine.tiny_towns.layouts import SQUARES
from engine.tiny_towns.scoring import feedings
from tests.engine.tiny_towns.games import rounds_on
from tests.engine.tiny_towns.positions import COMPONENTS, after, open_cards, points, position, total, town

FEEDERS = ("farm", "granary", "greenhouse", "orchard")
CARDS = (*COMPONENTS.buildings, *COMPONENTS.monuments)
SIGNS = {
    "blue": "C",
    "red": "R",
    "grey": "A",
    "orange": "O",
    "green": "E",
    "yellow": "Y",
    "black": "K",
    "monument": "M",
}


def fed(drawing, *, cards="", hand=""):
    """Names of the squares that can be fed in a drawing."""
    made = town(drawing, open_cards(cards), hand)
    return {SQUARES[at] for chosen in feedings(COMPONENTS, made) for at in chosen}


def random_drawing(luck, signs):
    """A drawing of random signs."""
    drawn = "".join(luck.choice(signs) for _ in SQUARES)
    return "/".join(drawn[at : at + 4] for at in range(0, 16, 4))


def side_by_side(one, other):
    """Whether two squares, by number, share a side."""
    return abs(one // 4 - other // 4) + abs(one % 4 - other % 4) == 1


def best_by_trying(drawing, orange):
    """
    The best total of Cottages, Castle and the *orange* card of a town with Farms, found by trying every choice.

    Shape:  a drawing of `C M R O .`; M is the Castle.
    """
    signs = drawing.replace("/", "")
    hungry = [at for at, sign in enumerate(signs) if sign in "CM"]
    weight = {at: 2 if signs[at] == "M" else 1 for at in hungry}
    best = 0
    for some in product((False, True), repeat=len(hungry)):
        chosen = [at for at, yes in zip(hungry, some, strict=True) if yes]
        if len(chosen) <= 4 * signs.count("R"):
            value = sum(5 if signs[at] == "M" else 3 for at in chosen)
            for here, sign in enumerate(signs):
                if sign == "O" and orange == "chapel":
                    value += sum(weight[at] for at in chosen)
                elif sign == "O" and sum(weight[at] for at in chosen if side_by_side(at, here)) >= 2:
                    value += 4
            best = max(best, value)
    return best


@pytest.mark.rule("T-061")
@pytest.mark.parametrize("feeder", FEEDERS)
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_only_cottage_and_castle_can_be_fed(feeder, card):
    if card.type == "red":
        expected, drawing, hand = set(), "RRRR/R...", ""
        cards = card.id
    else:
        hand = card.id if card.type == "monument" else ""
        cards = f"{feeder} {'' if hand else card.id}"
        drawing = f".{SIGNS[card.type]}../.R.."
        expected = {"b1"} if card.id in ("cottage", "castle") else set()

    assert expected == fed(drawing, cards=cards, hand=hand)


@pytest.mark.rule("T-061")
@pytest.mark.parametrize(("hand", "expected"), [("castle", 5), ("forum", 0)])
def test_a_fed_castle_is_worth_five_and_no_other_monument_is_fed(hand, expected):
    alone, beside_a_farm = position("M...", hand=hand), position("M.../..../R...", hand=hand)

    assert expected == points(beside_a_farm, "monument") - points(alone, "monument")


@pytest.mark.rule("T-062")
@pytest.mark.parametrize("feeder", FEEDERS)
def test_feeders_are_worth_nothing_and_feed_no_other_town(feeder):
    state = position("RRRR/R...", "CCCC/CC..", cards=feeder)

    assert (0, -11) == (points(state, "red", 0), total(state, 0))
    assert (0, -10) == (points(state, "blue", 1), total(state, 1))
    assert 3 == points(position("RC..", "CCCC", cards=feeder), "blue", 0)


@pytest.mark.rule("T-063")
def test_fed_by_two_granaries_is_fed_once():
    assert 3 == points(position("RCR.", cards="granary"), "blue")


@pytest.mark.rule("T-063")
@pytest.mark.parametrize("feeder", FEEDERS)
def test_more_feeders_than_cottages_feed_each_once(feeder):
    state = position("RCR./CRC./RCR.", cards=feeder)

    assert 12 == points(state, "blue")


@pytest.mark.rule("T-064")
@pytest.mark.parametrize(
    ("feeder", "layout"), [("farm", "hhww"), ("granary", "hhwb"), ("greenhouse", "hgww"), ("orchard", "shhw")]
)
def test_which_was_built_first_makes_no_difference(feeder, layout):
    drawing = f"{layout[:2]}.h/{layout[2:]}bg"
    totals = []
    for order in (f"{feeder} cottage", f"cottage {feeder}"):
        state = position(drawing, cards=feeder)
        for at, card in enumerate(order.split()):
            state = after(state, f"0: place {'ab'[at]}4", f"0: build {card} {'b2' if card == feeder else 'c2'}")
            state = rounds_on(state)
        totals.append((points(state, "blue"), total(state)))

    assert [(3, 3 - 14)] * 2 == totals


@pytest.mark.rule("T-065")
def test_the_farm_feeds_the_two_cottages_beside_the_temple():
    state = position("CCC./CR.C/..CO", cards="farm temple")

    assert (12, 4) == (points(state, "blue"), points(state, "orange"))


@pytest.mark.rule("T-065")
@pytest.mark.parametrize("orange", ["temple", "chapel"])
@pytest.mark.parametrize("number", range(20))
def test_the_best_choice_of_a_farm_is_taken_in_any_town(orange, number):
    luck = random.Random(number)
    drawing = random_drawing(luck, "CCCCROO.")
    if number % 2:
        at = luck.randrange(16) // 4 * 5 + luck.randrange(4)
        drawing = drawing[:at] + "M" + drawing[at + 1 :]
    state = position(drawing, cards=f"farm {orange}", hand="castle" if "M" in drawing else "")

    found = points(state, "blue") + points(state, "orange") + points(state, "monument")

    assert best_by_trying(drawing, orange) == found


@pytest.mark.rule("T-065")
@pytest.mark.parametrize("number", range(15))
def test_the_best_groups_of_greenhouses_are_taken_in_any_town(number):
    drawing = random_drawing(random.Random(number), "CCCROO..")
    signs = drawing.replace("/", "")
    state = position(drawing, cards="greenhouse temple")

    groups = []
    for at in (at for at, sign in enumerate(signs) if sign == "C"):
        touching = [group for group in groups if any(side_by_side(at, one) for one in group)]
        groups = [group for group in groups if group not in touching] + [{at}.union(*touching)]
    best = 0
    for count in range(min(len(groups), signs.count("R")) + 1):
        for some in combinations(groups, count):
            chosen = set().union(*some)
            temples = [at for at, sign in enumerate(signs) if sign == "O"]
            served = [at for at in temples if sum(side_by_side(at, one) for one in chosen) >= 2]
            best = max(best, 3 * len(chosen) + 4 * len(served))

    assert best == points(state, "blue") + points(state, "orange")
