"""Rules T-346 to T-359: Town Hall."""

import msgspec
import pytest

from engine.core.errors import ConfigError
from engine.core.log import rewind_point
from engine.core.types import CHANCE, Seat
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import RESOURCES
from tests.engine.tiny_towns.games import asked, game, odds, planned
from tests.engine.tiny_towns.positions import (
    after,
    draw_all,
    drawn,
    naming,
    owed,
    play,
    points,
    position,
    refusal,
    start,
    texts,
    told,
)

MARKED = {"held": {"a1": "wood", "b1": "wheat", "c1": "brick", "d1": "glass", "a2": "stone"}}
"""Five Banks on the first five squares."""


def begun(**options):
    """A game of two in Town Hall, in its first round: nothing of it is secret."""
    plain = {"cards": "first-game", "monuments": "no", "villagers": "no", **options}
    return draw_all_but_resources(start(2, town_hall="yes", **plain))


def draw_all_but_resources(state):
    """The position after the draws of the set-up."""
    while owed(state) == ["-1 towns.card"]:
        state = after(state, f"-1: {texts(state, CHANCE)[0]}")
    return state


def hall(*drawings, **values):
    """A round of Town Hall in which a card was drawn."""
    return position(*drawings, **{"town_hall": True, "namer": -1, **values})


def third(*drawings, **values):
    """A third round of Town Hall: each takes what it likes."""
    return hall(*drawings, **{"round": 6, "resource": "", **values})


def answered(state):
    """The position after the least that all seats can do in this round; in third rounds they take glass."""
    number = state.round
    while state.round == number and owed(state) and not owed(state)[0].startswith("-1"):
        seat = RULESET.pending(state)[0].seat
        text = "take glass" if "take glass" in texts(state, seat) else texts(state, seat)[0]
        state = after(state, f"{seat}: {text}")
    return state


def draws(records):
    """Every draw of a resource card: its odds by resource, and what came."""
    for record in records:
        if record.decision.decision.key == "towns.resource":
            yield record.decision.decision.odds, record.entry.text.removeprefix("draw ")


@pytest.mark.rule("T-346")
def test_any_of_fifteen_cards_may_come_first():
    state = begun()

    assert ["-1 towns.resource"] == owed(state)
    assert {f"draw {resource}": 3 for resource in RESOURCES} == odds(state)


@pytest.mark.rule("T-346", "T-349")
def test_of_fifteen_cards_ten_are_drawn_and_five_stay_unseen():
    state, seen, last = begun(), [], 0
    while len(seen) < 10:
        left = {f"draw {one}": 3 - seen.count(one) for one in RESOURCES if seen.count(one) < 3}
        assert left == odds(state)
        gone = next((one for one in RESOURCES if seen.count(one) == 3), "")
        assert not gone or refusal(state, f"-1: draw {gone}") == "draw.not-there"
        seen.append(texts(state, CHANCE)[0].split()[1])
        state, last = after(state, f"-1: draw {seen[-1]}"), state.round
        state = answered(answered(state)) if last % 3 == 2 else answered(state)

    assert [*["wood"] * 3, *["wheat"] * 3, *["brick"] * 3, "glass"] == seen
    assert (14, 16) == (last, state.round)
    assert {f"draw {resource}": 3 for resource in RESOURCES} == odds(state)


@pytest.mark.rule("T-349")
@pytest.mark.parametrize("seed", range(4))
def test_in_whole_games_all_fifteen_are_shuffled_after_every_ten(seed):
    found = list(draws(game(2 + seed, seed, town_hall="yes")))

    assert len(found) > 10
    for at, (weights, _) in enumerate(found):
        seen = [one for _, one in found[at - at % 10 : at]]
        assert tuple(3 - seen.count(one) for one in RESOURCES if seen.count(one) < 3) == weights
        assert 15 - at % 10 == sum(weights)


@pytest.mark.rule("T-347")
def test_two_rounds_with_a_card_and_one_of_free_choice():
    state = begun()

    for number in range(1, 10):
        assert number == state.round
        if number % 3:
            assert ["-1 towns.resource"] == owed(state)
            state, events = play(state, "-1: draw stone" if "draw stone" in texts(state, CHANCE) else "-1: draw brick")
            assert told(events) == [("towns.drawn", {"resource": state.resource})]
            assert ["0 towns.place", "1 towns.place"] == owed(state)
            assert [{"resource": state.resource}] * 2 == [dict(one.fields) for one in RULESET.pending(state)]
        else:
            assert ["0 towns.take", "1 towns.take"] == owed(state)
            assert [f"take {one}" for one in RESOURCES] == texts(state, 0) == texts(state, 1)
        assert (number % 3 == 0) == RULESET.view(state, None).free
        state = answered(state)


@pytest.mark.rule("T-347")
def test_in_the_third_round_each_takes_and_places_another():
    state = after(third("....", "...."), "0: take stone", "1: take wheat")

    assert ["0 towns.place", "1 towns.place"] == owed(state)
    state = after(state, "0: place a1", "1: place d4")
    assert ["s...", "..../..../..../...h"] == [drawn(state, 0), drawn(state, 1)]


@pytest.mark.rule("T-347")
@pytest.mark.parametrize("seed", range(4))
def test_in_whole_games_one_card_is_drawn_in_two_of_three_rounds(seed):
    drawn_in, taken_in = [], set()
    for record in game(2 + seed, seed, town_hall="yes"):
        decision = record.decision.decision
        if decision.key == "towns.resource":
            drawn_in.append(record.position.state.round)
        if decision.key == "towns.take":
            taken_in.add(decision.occasion)

    last = max(*drawn_in, *taken_in)
    assert [number for number in range(1, last + 1) if number % 3] == drawn_in
    assert {number for number in range(1, last + 1) if not number % 3} == taken_in


@pytest.mark.rule("T-348")
def test_free_choices_are_hidden_until_all_have_chosen():
    state = third("....", "....", "....")
    now = asked(state)
    lines = {seat: [("towns.take", f"take {RESOURCES[seat]}", "place a1")] for seat in range(3)}

    for silent in range(3):
        early = planned(now, {seat: written for seat, written in lines.items() if seat != silent})
        assert (now, ()) == (early.position, early.made)
    half = planned(now, {**lines, 2: [("towns.take", "take glass")]})
    assert (now, ()) == (half.position, half.made)

    whole = planned(now, lines)
    texts_made = [one.record.entry.text for one in whole.made if one.record.entry.seat != CHANCE]
    assert ["take wood", "place a1", "take wheat", "place a1", "take brick", "place a1"] == texts_made
    log = [one.record for one in whole.made]
    assert [0] * 6 == [rewind_point(RULESET, log, now, seq) for seq in range(6)]


@pytest.mark.rule("T-350")
def test_nobody_holds_the_hammer():
    state = begun()
    assert "-1 towns.first" not in owed(state)

    for _ in range(7):
        view = RULESET.view(state, None)
        assert (None, None, None) == (view.builder, view.namer, view.next)
        assert not any(line.endswith("towns.name") for line in owed(state))
        assert [0, 0] == [player.turns for player in state.players]
        state = answered(draw_all(state, "draw glass"))
    assert "turn.not-asked" == refusal(hall("....", "...."), "0: name wood")


@pytest.mark.rule("T-350")
def test_the_end_and_the_score_are_as_usual():
    state = hall("wwww/wwww/wwww/CAR.", "wwww/wwww/wwww/www.")

    state, events = play(state, "0: place d4", "1: place d4")

    assert ([], "over") == (owed(state), state.stage)
    assert ("towns.over", {"winners": (0,)}) == told(events)[-1]
    assert (3, 1, -13) == tuple(points(state, part) for part in ("blue", "grey", "empty"))


@pytest.mark.rule("T-350")
def test_town_hall_is_no_game_for_one():
    with pytest.raises(ConfigError) as raised:
        start(1, town_hall="yes")

    assert "config.solo" == raised.value.key


@pytest.mark.rule("T-351")
@pytest.mark.parametrize("seed", range(3))
def test_all_decisions_are_the_same_for_all_and_the_draw_is_chance(seed):
    seats = 2 + seed
    keys = [set() for _ in range(seats)]
    for record in game(seats, seed, town_hall="yes", cards="first-game", monuments="no", villagers="no"):
        decision = record.decision.decision
        if decision.key in ("towns.resource", "towns.open"):
            assert CHANCE == decision.seat
        else:
            assert decision.key in (
                "towns.take",
                "towns.place",
                "towns.put",
                "towns.build",
                "towns.cubes",
                "towns.mark",
            )
            keys[decision.seat].add(decision.key)

    assert all({"towns.take", "towns.place"} <= one for one in keys)


@pytest.mark.rule("T-352")
@pytest.mark.parametrize(
    ("drawing", "values", "answers"),
    [
        ("K...", {"cards": "factory", "held": {"a1": "wood"}}, [f"swap {one}" for one in RESOURCES[1:]]),
        ("K...", {"cards": "warehouse", "held": {"a1": "brick"}}, ["store a1", "exchange a1 brick"]),
        ("CM..", {"hand": "statue", "held": {}}, ["store a1"]),
    ],
    ids=["factory", "warehouse", "statue"],
)
def test_a_drawn_card_is_answered_by_every_player_and_a_free_choice_by_none(drawing, values, answers):
    cards = {"cards": values.get("cards", "")}
    for seat in range(3):
        towns = ["...."] * 3
        towns[seat] = drawing
        more = {**cards, "hand": {seat: values.get("hand", "")}, "values": {seat: {"held": values["held"]}}}

        state = hall(*towns, **more)
        assert answers == [text for text in texts(state, seat) if not text.startswith("place")]
        assert [""] * len(answers) == [refusal(state, f"{seat}: {text}") for text in answers]

        free = after(third(*towns, **more), f"{seat}: take wood")
        assert all(text.startswith("place") for text in texts(free, seat))
        assert ["answer.free"] * len(answers) == [refusal(free, f"{seat}: {text}") for text in answers]


@pytest.mark.rule("T-353")
def test_a_banks_owner_cannot_take_a_marked_resource_but_places_it_when_drawn():
    values = {"cards": "bank", "values": {0: {"held": {"a1": "wood", "b1": "glass"}}}}
    free, card = third("KK..", "....", **values), hall("KK..", "....", **values)

    assert ["take wheat", "take brick", "take stone"] == texts(free)
    assert ["take.marked"] * 2 == [refusal(free, f"0: take {one}") for one in ("wood", "glass")]
    assert [f"take {one}" for one in RESOURCES] == texts(free, 1)
    assert all(text.startswith("place") for text in texts(card))
    assert "KKw." == drawn(after(card, "0: place c1"))


@pytest.mark.rule("T-354")
def test_with_five_banks_the_owner_does_nothing_in_third_rounds():
    state = third("KKKK/K.../bbg.", "....", cards="bank", values={0: MARKED})

    assert ["1 towns.take"] == owed(state)
    for text in ("take wood", "place d4", "build tavern a3", "done"):
        assert "turn.not-owed" == refusal(state, f"0: {text}")
    state = answered(state)
    assert (7, "KKKK/K.../bbg.") == (state.round, drawn(state))
    state = after(state, "-1: draw wood", "0: place d4", "0: build tavern a3")
    assert "KKKK/K.../E.../...w" == drawn(state)


@pytest.mark.rule("T-354")
def test_five_banks_alone_wait_for_the_next_card():
    state = naming(
        "KKKK/K...", "wwww/wwww/wwww/wwww", cards="bank", values={0: MARKED}, town_hall=True, completed={1: 3}
    )

    assert (7, ["-1 towns.resource"]) == (state.round, owed(state))


@pytest.mark.rule("T-355", "T-356")
def test_fort_ironweed_does_nothing_in_third_rounds():
    state = third("M.../bbg.", "....", hand="fort")

    assert ["1 towns.take"] == owed(state)
    for text in ("take wood", "place d4", "build tavern a2", "done"):
        assert "turn.not-owed" == refusal(state, f"0: {text}")
    state = answered(state)
    assert (7, "M.../bbg.") == (state.round, drawn(state))
    state = after(state, "-1: draw wood", "0: place d4", "0: build tavern a2")
    assert "M.../E.../..../...w" == drawn(state)


@pytest.mark.rule("T-355")
def test_fort_ironweed_left_alone_takes_and_places():
    state = third("M.../bbg.", "wwww/wwww/wwww/wwww", hand="fort", completed={1: 3})

    assert ["0 towns.take"] == owed(state)
    state = after(state, "0: take wood", "0: place d4", "0: build tavern a2")
    assert "M.../E.../..../...w" == drawn(state)


@pytest.mark.rule("T-355")
def test_fort_ironweed_in_the_hand_changes_nothing():
    assert ["0 towns.take", "1 towns.take"] == owed(third("....", "....", hand="fort"))


@pytest.mark.rule("T-357")
def test_scrap_refuses_a_drawn_resource():
    state = hall("C*...", "....", helpers=("scrap", "innovate"), lodge=False)

    state, events = play(state, "0: scrap a1")

    assert ("towns.scrapped", {"seat": 0, "resource": "wood", "squares": ("a1",)}) in told(events)
    assert ("C...", 1) == (drawn(state), state.town(0).lodge)
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-357")
@pytest.mark.parametrize("lines", [(), ("0: take brick", "1: take brick")], ids=["drawn", "free"])
def test_villagers_work_move_and_come_back_as_in_the_base_game(lines):
    make = third if lines else hall
    state = make("bbg*.", "h*...", helpers=("forage", "renovate"), lodge=False)

    state = after(state, *lines, "0: place d4", "0: build tavern c1")
    assert "..E*." == drawn(state)[:5]
    state = after(state, "0: activate forage c1", "0: add glass a1", "1: place d4")
    assert ["0 towns.lodge", "1 towns.villagers"] == owed(state)
    state = after(state, "0: lodge b3", "1: move a1 b1")

    assert "g.E./..../..*../..." == drawn(state)[:-1]
    assert "h.*.." == drawn(state, 1)[:5]


@pytest.mark.rule("T-358")
def test_scrap_refuses_the_free_choice_as_well():
    state = after(third("C*...", "....", helpers=("scrap", "innovate"), lodge=False), "0: take glass")

    state, events = play(state, "0: scrap a1")

    assert ("towns.scrapped", {"seat": 0, "resource": "glass", "squares": ("a1",)}) in told(events)
    assert ("C...", 1) == (drawn(state), state.town(0).lodge)
    assert ["1 towns.take"] == owed(state)


@pytest.mark.rule("T-359")
def test_a_player_knows_the_cards_drawn_since_the_shuffle_and_no_more():
    state, seen = begun(), []
    for _ in range(9):
        while not owed(state)[0].startswith("-1"):
            state = answered(state)
        seen.append(texts(state, CHANCE)[-1].split()[1])
        state = after(state, f"-1: draw {seen[-1]}")
        views = [RULESET.view(state, seat) for seat in (None, Seat(0), Seat(1))]
        assert [tuple(seen)] * 3 == [view.seen for view in views]
        assert [()] * 3 == [view.open for view in views]

    shown = msgspec.to_builtins(views[1])
    assert {"seen"} == {key for key, value in shown.items() if isinstance(value, list | tuple) and "stone" in value}


@pytest.mark.rule("T-359")
@pytest.mark.parametrize("seed", range(3))
def test_in_whole_games_the_cards_shown_are_those_drawn(seed):
    seen = []
    for record in game(2 + seed, seed, town_hall="yes"):
        if record.decision.decision.key == "towns.resource":
            seen = [*(seen if len(seen) < 10 else []), record.entry.text.split()[1]]
        state = record.position.state
        if len(seen) < 10:
            assert all(tuple(seen) == RULESET.view(state, seat).seen for seat in (None, *state.seats))
