"""Rules T-246 to T-255: villagers at the set-up."""

import random
from itertools import combinations, product

import pytest
from msgspec.structs import replace

from engine.core.dice import Dice, demo_seed
from engine.core.errors import ConfigError, GrammarError
from engine.core.log import Position
from engine.core.play import Line
from engine.core.play import play as play_plans
from engine.core.types import CHANCE, Seat
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import HELPERS
from engine.tiny_towns.layouts import SQUARES
from tests.engine.tiny_towns.positions import (
    COMPONENTS,
    after,
    draw_all,
    drawn,
    owed,
    play,
    position,
    refusal,
    start,
    texts,
)

CHOICES = ["a1 d1 a4", "a1 d1 d4", "a1 a4 d4", "d1 a4 d4"]
NEW = {"citadel", "forge", "travelers-center", "folly"}
BY_NAME = {
    "red": "farm",
    "grey": "well",
    "orange": "chapel",
    "green": "tavern",
    "yellow": "theater",
    "black": "factory",
}


def draws(seats=2, seed=0, **options):
    """Each draw before the first choice: key, what can come with its odds, and what came; and the game after it."""
    rng = random.Random(seed)
    state, found = start(seats, **options), []
    while RULESET.pending(state)[0].seat == CHANCE:
        listed = [text.removeprefix("draw ") for text in texts(state, CHANCE)]
        (owing,) = RULESET.pending(state)
        came = rng.choice(listed)
        found.append((owing.key, dict(zip(listed, owing.odds, strict=True)), came))
        state, _ = play(state, f"-1: {came if came.startswith('hammer') else f'draw {came}'}")
    return found, state


def choosing(seats=2, **options):
    """A game in which the cards are drawn and each has to choose."""
    return draw_all(start(seats, **options))


@pytest.mark.rule("T-246")
@pytest.mark.parametrize("seats", range(1, 7))
def test_each_player_has_three_villagers_and_an_empty_lodge(seats):
    state = choosing(seats, monuments="no")

    for seat in range(seats):
        state = after(state, f"{seat}: corners a1 d1 a4")

    assert 3 == COMPONENTS.villagers.count
    for seat in range(seats):
        assert [0, 3, 12] == list(state.town(seat).villagers)
        assert () == state.town(seat).workers
        assert 0 == RULESET.view(state, None).towns[seat].lodge


@pytest.mark.rule("T-246")
def test_it_makes_no_difference_which_villager_stands_where():
    state = position("w*.../.g*..", lodge=False)
    state = after(state, "0: place d4", "1: place a1")

    one = after(state, "0: move a1 b1", "0: move b2 a2")
    other = after(state, "0: move a1 a2", "0: move b2 b1")

    assert "w.*../.*g../..../...w" == drawn(one)
    assert one == other


@pytest.mark.rule("T-247")
def test_the_owner_chooses_which_corner_stays_free():
    state = choosing(monuments="no")

    assert [f"corners {one}" for one in CHOICES] == texts(state)
    for chosen in CHOICES:
        made = after(state, f"0: corners {chosen}")
        assert chosen.split() == [SQUARES[at] for at in made.town(0).villagers]
        assert 16 == len(made.town(0).empty)


@pytest.mark.rule("T-247")
@pytest.mark.parametrize("chosen", ["a1 d1 a4 d4", "a1 a1 d1", "a1 d1 d1", "a1 d1", "a1", ""])
def test_three_villagers_take_three_different_corners(chosen):
    assert "corners.count" == refusal(choosing(monuments="no"), f"0: corners {chosen}".strip())


@pytest.mark.rule("T-247")
@pytest.mark.parametrize("chosen", ["d1 a1 a4", "a4 d1 d4", "d4 a4 d1"])
def test_the_same_three_corners_are_written_in_one_order_only(chosen):
    assert "corners.order" == refusal(choosing(monuments="no"), f"0: corners {chosen}")


@pytest.mark.rule("T-247")
@pytest.mark.parametrize("square", [one for one in SQUARES if one not in ("a1", "d1", "a4", "d4")])
def test_a_villager_begins_on_no_other_square(square):
    state = choosing(monuments="no")

    with pytest.raises(GrammarError, match=square):
        play(state, f"0: corners a1 d1 {square}")
    assert not [text for text in texts(state) if square in text]


@pytest.mark.rule("T-248")
def test_corners_are_chosen_together_with_the_monument_by_all_at_once():
    state = choosing(3)

    assert ["0 towns.monument", "1 towns.monument", "2 towns.monument"] == owed(state)
    assert ["towns.corners"] == [one.decision.key for one in RULESET.ahead(state, Seat(1))][:1]
    state = after(state, f"1: {texts(state, 1)[1]}")
    assert ["0 towns.monument", "1 towns.corners", "2 towns.monument"] == owed(state)


@pytest.mark.rule("T-248")
def test_no_corner_is_entered_before_all_have_chosen():
    state = choosing()
    keep = [texts(state, seat)[0] for seat in (0, 1)]
    plans = {
        Seat(seat): (Line("towns.monument", ((keep[seat],),)), Line("towns.corners", (("corners a1 d1 d4",),)))
        for seat in (0, 1)
    }
    dice = Dice(demo_seed(1))

    alone = play_plans(RULESET, Position(state), {Seat(0): plans[0], Seat(1): plans[1][:1]}, dice)
    both = play_plans(RULESET, Position(state), plans, dice)

    assert () == alone.made
    assert state == alone.position.state
    assert [keep[0], "corners a1 d1 d4", keep[1], "corners a1 d1 d4"] == [
        one.record.entry.text for one in both.made[:4]
    ]


@pytest.mark.rule("T-249")
def test_new_cards_are_shuffled_into_the_piles_of_their_symbol():
    found, _ = draws(2, new_cards="yes")
    piles = {came: pile for key, pile, came in found if key == "towns.card"}
    monuments = next(pile for key, pile, _ in found if key == "towns.deal")

    assert [4, 4, 5, 5, 4, 5] == [len(pile) for pile in piles.values()]
    orange, green, black = (list(piles.values())[at] for at in (2, 3, 5))
    assert {"abbey", "chapel", "cloister", "temple", "citadel"} == {*orange}
    assert {"almshouse", "feast-hall", "inn", "tavern", "travelers-center"} == {*green}
    assert {"bank", "factory", "trading-post", "warehouse", "forge"} == {*black}
    assert 16 == len(monuments)
    assert "folly" in monuments
    assert {1} == {odds for _, pile, _ in found for odds in pile.values()}


@pytest.mark.rule("T-249")
def test_a_new_card_that_is_drawn_lies_open_like_any_other():
    state = draw_all(start(2, new_cards="yes"), last="draw citadel")

    assert "citadel" == state.cards[3]
    assert "..G" == COMPONENTS.card("citadel").layout[0]


@pytest.mark.rule("T-250")
@pytest.mark.parametrize("name", sorted(NEW))
def test_the_new_cards_are_in_the_tables_and_marked_as_ours(name):
    assert "ours" == COMPONENTS.card(name).status
    assert COMPONENTS.card(name).new


@pytest.mark.rule("T-250")
def test_no_other_card_is_new():
    cards = (*COMPONENTS.buildings, *COMPONENTS.monuments)

    assert {card.id for card in cards if card.new} == NEW == {card.id for card in cards if card.status == "ours"}


@pytest.mark.rule("T-250")
@pytest.mark.parametrize(("colour", "name"), [("orange", "citadel"), ("black", "forge"), ("green", "travelers-center")])
def test_the_new_cards_are_off_unless_switched_on(colour, name):
    offered = {card for key, pile, _ in draws(6)[0] for card in pile if key != "towns.helper"}

    assert not offered & NEW
    with pytest.raises(ConfigError, match=r"config\.left-out"):
        start(2, **BY_NAME | {colour: name})
    assert name in start(2, new_cards="yes", **BY_NAME | {colour: name}).cards


@pytest.mark.rule("T-251")
def test_one_villager_card_is_drawn_of_each_pile():
    found, _ = draws()

    piles = [pile for key, pile, _ in found if key == "towns.helper"]
    assert [
        {"cut-corners": 1, "forage": 1, "scrap": 1},
        {"innovate": 1, "renovate": 1, "cooperate": 1},
    ] == piles
    assert [{1}, {2, 3}] == [{COMPONENTS.helper(name).cost for name in pile} for pile in piles]


@pytest.mark.rule("T-251")
@pytest.mark.parametrize("wrong", ["innovate", "renovate", "cooperate", "tavern"])
def test_no_card_comes_from_another_pile(wrong):
    state = start(2, **BY_NAME)
    assert ["-1 towns.helper"] == owed(state)

    assert "draw.not-there" == refusal(state, f"-1: draw {wrong}")
    second = after(state, "-1: draw scrap")
    assert [(("pile", 1),), (("pile", 2),)] == [RULESET.pending(one)[0].fields for one in (state, second)]
    for name in ("scrap", "forage", "cut-corners"):
        assert "draw.not-there" == refusal(second, f"-1: draw {name}")


@pytest.mark.rule("T-251")
@pytest.mark.parametrize("chosen", [*product(HELPERS[:3], HELPERS[3:])], ids="+".join)
def test_the_two_lie_open_to_all_for_the_whole_game(chosen):
    rng = random.Random(1)
    state = start(2, cheap=chosen[0], dear=chosen[1])

    while RULESET.pending(state):
        owing = rng.choice(RULESET.pending(state))
        move = rng.choice(list(RULESET.legal(state, owing.seat)))
        state = RULESET.apply(state, owing.seat, move).state
        for reader in (None, Seat(0), Seat(1)):
            assert chosen == tuple(one.id for one in RULESET.view(state, reader).helpers)


@pytest.mark.rule("T-251")
@pytest.mark.parametrize("chosen", [("forage", ""), ("", "renovate")])
def test_villager_cards_are_chosen_one_of_each_pile_or_none(chosen):
    given = {pile: name for pile, name in zip(("cheap", "dear"), chosen, strict=True) if name}

    with pytest.raises(ConfigError, match=r"config\.piles"):
        start(2, **given)


@pytest.mark.rule("T-251")
def test_without_the_expansion_there_is_no_villager_card():
    found, state = draws(villagers="no")

    assert not [key for key, _, _ in found if key == "towns.helper"]
    assert () == state.helpers


@pytest.mark.rule("T-252")
@pytest.mark.parametrize("closed", [name for name in HELPERS if name != "scrap"])
def test_the_other_villager_cards_play_no_part(closed):
    for chosen in combinations(HELPERS, 2):
        if closed in chosen:
            continue
        state = position("C*C*C*./bbg./hws.", helpers=chosen, resource="wood")
        state = after(state, "0: place d4")
        pay = " ".join(["a1", "b1", "c1"][: COMPONENTS.helper(closed).cost])
        assert "ability.not-open" == refusal(state, f"0: activate {closed} {pay}")
        assert not [text for text in texts(state) if text.startswith(f"activate {closed} ")]


@pytest.mark.rule("T-252")
def test_scrap_plays_no_part_while_it_is_not_open():
    state = position("C*C*C*.", helpers=("forage", "innovate"))

    assert "ability.not-open" == refusal(state, "0: scrap a1")
    assert not [text for text in texts(state) if text.startswith("scrap")]


@pytest.mark.rule("T-253")
def test_solicit_is_never_drawn():
    offered = {name for seed in range(20) for _, pile, _ in draws(3, seed, new_cards="yes")[0] for name in pile}

    assert {*HELPERS} <= offered
    assert not [name for name in (*offered, *HELPERS, *(one.id for one in COMPONENTS.helpers)) if "solicit" in name]


@pytest.mark.rule("T-254")
def test_our_costs():
    assert {"cut-corners": 1, "forage": 1, "scrap": 1, "innovate": 2, "renovate": 2, "cooperate": 3} == {
        one.id: one.cost for one in COMPONENTS.helpers
    }
    assert {"ours"} == {one.status for one in COMPONENTS.helpers}


@pytest.mark.rule("T-255")
@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.parametrize("town_hall", ["no", "yes"])
def test_everything_else_is_set_up_as_in_the_base_game(seats, town_hall):
    town_hall = town_hall if seats > 1 else "no"
    base, plain = draws(seats, villagers="no", town_hall=town_hall)
    more, state = draws(seats, villagers="yes", town_hall=town_hall)

    without = [(key, pile) for key, pile, _ in more if key != "towns.helper"]
    assert [key for key, _, _ in base] == [key for key, _ in without]
    assert [pile for key, pile, _ in base if key != "towns.deal"] == [
        pile for key, pile in without if key != "towns.deal"
    ]
    assert [len(pile) for key, pile, _ in base] == [len(pile) for _, pile in without]
    for seat in range(seats):
        text = texts(state, seat)[0]
        state = after(state, f"{seat}: {text}", f"{seat}: corners a1 d1 a4")
        plain = after(plain, f"{seat}: {texts(plain, seat)[0]}")
    assert [key.split(".")[1] for key in owed(plain)] == [key.split(".")[1] for key in owed(state)]
    assert [replace(one.town, villagers=()) for one in state.players] == [one.town for one in plain.players]
