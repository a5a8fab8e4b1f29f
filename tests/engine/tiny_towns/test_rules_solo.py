"""Rules T-365 to T-374: the solo game."""

from collections import Counter

import pytest

from engine.core.errors import ConfigError
from engine.core.types import CHANCE
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import MONUMENTS, RESOURCES
from tests.engine.tiny_towns.games import drawn_by_luck, game, odds
from tests.engine.tiny_towns.positions import (
    after,
    draw_all,
    drawn,
    owed,
    play,
    points,
    position,
    refusal,
    start,
    texts,
    told,
    total,
)

OUT = {"inn", "bank", "feast-hall"}
MONUMENTS_OUT = {"fort", "watch", "folly"}


def alone(drawing, **values):
    """A round of Solo in which wood, wheat and brick lie open."""
    return position(drawing, solo=True, **values)


def first_round():
    """A solo game in its first round, with stone, stone and glass open."""
    state = start(1, cards="first-game", monuments="no", villagers="no")
    return after(state, "-1: draw stone", "-1: draw stone", "-1: draw glass")


def offered(**options):
    """Colour -> what chance may draw of it in a solo game, and the Monuments that may be dealt."""
    state, found = start(1, **options), {}
    while RULESET.pending(state)[0].seat == CHANCE:
        decision = RULESET.pending(state)[0]
        name = dict(decision.fields).get("colour", decision.key)
        found.setdefault(name, [text.split()[1] for text in texts(state, CHANCE)])
        state = after(state, f"-1: {texts(state, CHANCE)[0]}")
    return found


@pytest.mark.rule("T-365", "T-367")
def test_cards_that_look_at_others_are_out_of_the_draw():
    found = offered()

    assert ["almshouse", "tavern"] == found["green"]
    assert ["factory", "trading-post", "warehouse"] == found["black"]
    assert [name for name in MONUMENTS if name not in MONUMENTS_OUT] == found["towns.deal"]
    assert 13 == len(found["towns.deal"])
    assert [4, 4, 4, 4] == [len(found[colour]) for colour in ("red", "grey", "orange", "yellow")]


@pytest.mark.rule("T-365")
@pytest.mark.parametrize("card", sorted(OUT))
def test_they_cannot_be_chosen_by_name_either(card):
    named = {
        "red": "farm",
        "grey": "well",
        "orange": "chapel",
        "green": "tavern",
        "yellow": "theater",
        "black": "factory",
    }
    colour = "black" if card == "bank" else "green"

    with pytest.raises(ConfigError) as raised:
        start(1, **{**named, colour: card})

    assert ("config.left-out", {"card": card}) == (raised.value.key, dict(raised.value.fields))
    assert card in start(2, **{**named, colour: card}).cards


@pytest.mark.rule("T-365")
@pytest.mark.parametrize("number", range(8))
def test_the_monument_is_one_of_two_dealt(number):
    state = drawn_by_luck(start(1), number)

    assert 2 == len({*state.players[0].dealt})
    assert not MONUMENTS_OUT & {*state.players[0].dealt}
    assert ["0 towns.monument"] == owed(state)
    kept = state.players[0].dealt[1]
    assert kept == after(state, f"0: keep {kept}").players[0].monument


@pytest.mark.rule("T-366")
def test_with_the_new_cards_the_folly_tower_is_out_too():
    found = offered(new_cards="yes")

    assert ["almshouse", "tavern", "travelers-center"] == found["green"]
    assert ["factory", "trading-post", "warehouse", "forge"] == found["black"]
    assert "citadel" in found["orange"]
    assert [name for name in MONUMENTS if name not in MONUMENTS_OUT] == found["towns.deal"]
    state = start(2, new_cards="yes", cards="first-game", villagers="no")
    assert "draw folly" in texts(after(state, "-1: hammer 0"), CHANCE)


@pytest.mark.rule("T-366")
def test_villagers_change_nothing_else():
    plain, settled = first_round(), start(1, cards="first-game", monuments="no", cheap="forage", dear="innovate")
    settled = after(settled, "0: corners a1 d1 d4", "-1: draw stone", "-1: draw stone", "-1: draw glass")

    for state in (plain, settled):
        assert ("stone", "stone", "glass") == state.open
        assert ["take glass", "take stone"] == texts(state)
    plain, settled = (after(state, "0: take glass", "0: place b2") for state in (plain, settled))
    assert odds(plain) == odds(settled)


@pytest.mark.rule("T-367")
def test_with_the_option_the_feast_hall_stays():
    found = offered(feast_hall="yes")

    assert ["almshouse", "feast-hall", "tavern"] == found["green"]
    assert ["factory", "trading-post", "warehouse"] == found["black"]


@pytest.mark.rule("T-367")
@pytest.mark.parametrize("halls", [1, 2, 3, 4])
def test_a_feast_hall_alone_is_worth_three(halls):
    state = alone("E" * halls + "." * (4 - halls), cards="feast-hall", feast_hall=True)

    assert 3 * halls == points(state, "green")


@pytest.mark.rule("T-368")
def test_three_of_fifteen_cards_lie_open():
    state = start(1, cards="first-game", monuments="no", villagers="no")
    left = dict.fromkeys([f"draw {one}" for one in RESOURCES], 3)

    for name in ("stone", "stone", "stone"):
        assert (["-1 towns.open"], left) == (owed(state), odds(state))
        left[f"draw {name}"] -= 1
        left = {text: count for text, count in left.items() if count}
        state = after(state, f"-1: draw {name}")

    assert ("stone", "stone", "stone") == state.open == RULESET.view(state, 0).open
    assert ["0 towns.take"] == owed(state)
    assert ["take stone"] == texts(state)


@pytest.mark.rule("T-368")
def test_one_is_taken_and_placed_and_goes_under_the_pile_and_the_next_comes_up():
    state = first_round()
    assert ["take.not-open"] * 3 == [refusal(state, f"0: take {one}") for one in ("wood", "wheat", "brick")]

    state = after(state, "0: take stone", "0: place c3")

    assert "..../..../..s." == drawn(state)
    assert (("stone", "glass"), ("stone",)) == (state.open, state.under)
    assert {"draw wood": 3, "draw wheat": 3, "draw brick": 3, "draw glass": 2, "draw stone": 1} == odds(state)
    state, events = play(state, "-1: draw wheat")
    assert ("towns.open", {"resource": "wheat"}) in told(events)
    assert (("stone", "glass", "wheat"), 2) == (state.open, state.round)


@pytest.mark.rule("T-368")
def test_cards_under_the_pile_come_up_in_their_order_once_the_others_are_through():
    state, taken, came = first_round(), [], []
    for at in range(14):
        before = state.open
        taken.append(state.open[0])
        state = after(state, f"0: take {taken[-1]}", f"0: place {'abcd'[at % 4]}{at // 4 + 1}")
        state = draw_all(after(state, "0: done") if "0 towns.build" in owed(state) else state)
        assert before[1:] == state.open[:2]
        came.append(state.open[2])

    assert Counter(dict.fromkeys(RESOURCES, 3)) == Counter(["stone", "stone", "glass", *came[:12]])
    assert taken[:2] == came[12:14]


@pytest.mark.rule("T-369")
@pytest.mark.parametrize("seed", range(5))
def test_before_each_choice_three_are_open_and_twelve_in_the_pile(seed):
    choices = 0
    for record in game(1, seed, feast_hall="yes"):
        state = record.position.state
        if owed(state) == ["0 towns.take"]:
            unseen = Counter(dict.fromkeys(RESOURCES, 3)) - Counter(state.seen)
            assert (3, 12) == (len(state.open), sum(unseen.values()) + len(state.under))
            assert Counter(dict.fromkeys(RESOURCES, 3)) == Counter(state.open) + Counter(state.under) + unseen
            choices += 1

    assert choices >= 16


@pytest.mark.rule("T-370")
@pytest.mark.parametrize(
    ("drawing", "values", "answers"),
    [
        (
            "K...",
            {"cards": "factory", "values": {0: {"held": {"a1": "wood"}}}},
            [f"swap {one}" for one in RESOURCES[1:]],
        ),
        ("K...", {"cards": "warehouse", "values": {0: {"held": {"a1": "glass"}}}}, ["store a1", "exchange a1 glass"]),
        ("CM..", {"hand": "statue"}, ["store a1"]),
    ],
    ids=["factory", "warehouse", "statue"],
)
def test_cards_answer_the_chosen_card_as_named_by_another(drawing, values, answers):
    state = after(alone(drawing, **values), "0: take wood")

    assert answers == [text for text in texts(state) if not text.startswith("place")]
    state = after(state, f"0: {answers[0]}")
    state = after(state, "0: place d4") if "0 towns.put" in owed(state) else state
    assert (("wheat", "brick"), ("wood",)) == (state.open, state.under)


@pytest.mark.rule("T-371")
@pytest.mark.parametrize("resource", ["wood", "wheat", "brick"])
def test_scrap_places_none_of_the_three(resource):
    state = alone("C*...", helpers=("scrap", "innovate"), lodge=False)
    state = after(state, f"0: take {resource}")

    state = after(state, "0: scrap a1", "0: lodge d4")

    assert "C.../..../..../....*" == drawn(state)
    assert ("",) * 16 == state.town(0).cubes
    assert ((resource,), 2) == (state.under, len(state.open))
    assert resource not in state.open
    assert ["-1 towns.open"] == owed(state)
    assert ["0 towns.take"] == owed(draw_all(state))


@pytest.mark.rule("T-372")
def test_the_game_ends_with_the_town_and_has_a_rank_and_no_winner():
    state = alone("wwww/wwww/wwww/www.")

    state, events = play(state, "0: take brick", "0: place d4")

    assert ([], "over", 5) == (owed(state), state.stage, state.players[0].completed)
    assert ("towns.ranked", {"seat": 0, "points": -16, "rank": 6}) == told(events)[-1]
    assert "towns.over" not in [key for key, _ in told(events)]


@pytest.mark.rule("T-372")
@pytest.mark.parametrize("seed", range(5))
def test_whole_solo_games_end_with_a_rank_for_the_total(seed):
    records = game(1, seed)

    last = told(records[-1].events)[-1]
    assert "towns.ranked" == last[0]
    assert total(records[-1].position.state) == last[1]["points"]
    assert not any(record.position.state.town(0).empty == () for record in records[:-1] if record.entry.seat == CHANCE)


@pytest.mark.rule("T-373")
@pytest.mark.parametrize(
    ("drawing", "points_", "rank"),
    [
        ("RRCC/CCCC/OOOA/AAA.", 39, 1),  # 6 x 3 + 3 x 6 + 4 - 1
        ("RRCC/CCCC/COOA/AAA.", 38, 1),  # 7 x 3 + 2 x 7 + 4 - 1
        ("RRCC/CCCC/OOOA/AAw.", 37, 2),  # 6 x 3 + 3 x 6 + 3 - 2
        ("RRCC/CCCO/OOAA/AAw.", 32, 2),  # 5 x 3 + 3 x 5 + 4 - 2
        ("RRCC/CCCC/OOOw/www.", 31, 3),  # 6 x 3 + 3 x 6 - 5
        ("RCCC/OOOA/AAAA/AAA.", 25, 3),  # 3 x 3 + 3 x 3 + 8 - 1
        ("RCCC/COAA/AAAA/AAA.", 24, 4),  # 4 x 3 + 1 x 4 + 9 - 1
        ("RCCO/AAAA/AAAA/AAA.", 18, 4),  # 2 x 3 + 1 x 2 + 11 - 1
        ("RCCA/AAAA/AAAA/AAA.", 17, 5),  # 2 x 3 + 12 - 1
        ("AAAA/AAAA/AAAA/Aww.", 10, 5),  # 13 - 3
        ("OAAA/AAAA/AAAA/Aww.", 9, 6),  # 12 - 3
        ("AAAA/AAAA/wwww/www.", 0, 6),  # 8 - 8
        ("OAAA/AAww/wwww/www.", -5, 6),  # 5 - 10
    ],
)
def test_the_ranks_by_points(drawing, points_, rank):
    state, events = play(alone(drawing, cards="shed"), "0: take wood", "0: place d4")

    assert [] == owed(state)
    assert ("towns.ranked", {"seat": 0, "points": points_, "rank": rank}) == told(events)[-1]


@pytest.mark.rule("T-374")
def test_the_starloom_is_worth_six():
    state = alone("Mwww/wwww/wwww/www.", hand="starloom", round=30)
    assert 0 == points(state, "monument")

    state = after(state, "0: take wheat", "0: place d4")

    assert (6, -15 + 6) == (points(state, "monument"), total(state))
