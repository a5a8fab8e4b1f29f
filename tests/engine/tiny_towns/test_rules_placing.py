"""Rules T-037 to T-047: placing the cube of the round, and the other answers to it."""

import random
from itertools import pairwise

import pytest

from engine.core.errors import ConfigError
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import SQUARES
from tests.engine.tiny_towns.games import drawn_by_luck, game, rounds_on
from tests.engine.tiny_towns.positions import (
    COMPONENTS,
    after,
    drawn,
    owed,
    play,
    position,
    refusal,
    start,
    texts,
    told,
)

WAREHOUSE = {"cards": "warehouse", "values": {0: {"held": {"a1": "wheat glass"}}}}
FACTORY = {"cards": "factory", "values": {0: {"held": {"a1": "wood"}}}}
EVERYTHING = [
    ("KCM.", {**WAREHOUSE, "hand": "statue"}, ["store a1", "store b1", "exchange a1 wheat", "exchange a1 glass"]),
    ("KCM.", {**FACTORY, "hand": "statue"}, [*(f"swap {one}" for one in RESOURCES[1:]), "store b1"]),
]
"""Towns in which others' wood can be answered in several ways: drawing, values, answers besides placing and cavern."""


def besides(state, seat=0):
    """The answers of *seat* other than placing."""
    return [text for text in texts(state, seat) if not text.startswith("place ")]


def random_town(luck):
    """A drawing in which each square is empty, a cube, or a building."""
    signs = "".join(luck.choice("....whbgsCRAOEYK") for _ in SQUARES)
    return "/".join(signs[at : at + 4] for at in range(0, 16, 4))


@pytest.mark.rule("T-037")
@pytest.mark.parametrize("number", range(25))
def test_the_cube_goes_on_a_square_without_cube_and_building_and_no_other(number):
    drawing = random_town(random.Random(number))
    state = position(drawing, resource="glass", cards="trading-post", monuments=False)

    for square, sign in zip(SQUARES, drawing.replace("/", ""), strict=True):
        expected = "" if sign == "." else "square.cube" if sign in "whbgs" else "square.building"
        assert expected == refusal(state, f"0: place {square}")
        if not expected:
            placed, events = play(state, f"0: place {square}")
            assert "glass" == placed.town(0).cubes[SQUARES.index(square)]
            assert ("towns.placed", {"seat": 0, "resource": "glass", "square": square}) == told(events)[0]
    assert [f"place {one}" for one, sign in zip(SQUARES, drawing.replace("/", ""), strict=True) if sign == "."] == [
        text for text in texts(state) if text.startswith("place ")
    ]


@pytest.mark.rule("T-038", "T-055")
@pytest.mark.parametrize("seed", range(6))
def test_in_whole_games_cubes_leave_for_constructions_only_and_buildings_stay(seed):
    seats = 1 + seed % 4
    records = game(seats, seed, cavern="yes", new_cards="yes")
    for before, record in pairwise(records):
        old, new = before.position.state, record.position.state
        if new.stage == "over":
            break
        events = told(record.events)
        used = [(one["seat"], square) for key, one in events if key == "towns.built" for square in one["cubes"]]
        keys = ("towns.placed", "towns.brought")
        come = {(one["seat"], one["square"]): one["resource"] for key, one in events if key in keys}
        replaced = [(one["seat"], one["square"]) for key, one in events if key == "towns.replaced"]
        for seat in new.seats:
            for at, square in enumerate(SQUARES):
                here = (seat, square)
                one, other = old.town(seat).cubes[at], new.town(seat).cubes[at]
                assert other == ("" if here in used else come.get(here, one))
                assert not (here in come and (one or old.town(seat).buildings[at]))
                piece = old.town(seat).buildings[at]
                assert not piece or piece == new.town(seat).buildings[at] or here in replaced


@pytest.mark.rule("T-038")
def test_cubes_used_leave_and_others_stay_where_they_are():
    state = after(position("bbgw/w..."), "0: place d4", "0: build tavern b1")

    assert ".E.w/w.../..../...w" == drawn(state)


@pytest.mark.rule("T-039")
@pytest.mark.parametrize("text", ["done", "skip", "cavern", "store a1", "swap glass", "exchange a1 glass", "scrap a2"])
@pytest.mark.parametrize("namer", [0, 1])
def test_placing_nothing_is_refused(text, namer):
    state = position("C.../C*...", namer=namer, helpers=("forage", "innovate"))

    assert refusal(state, f"0: {text}")
    assert all(text.startswith("place ") for text in texts(state))
    assert "0 towns.place" in owed(state)


@pytest.mark.rule("T-039")
@pytest.mark.parametrize(
    ("drawing", "values", "text"),
    [
        ("K...", WAREHOUSE, "store a1"),
        ("CM..", {"hand": "statue"}, "store a1"),
        ("....", {"cavern": True}, "cavern"),
        ("C*...", {"helpers": ("scrap", "innovate")}, "scrap a1"),
    ],
)
def test_warehouse_statue_cavern_and_scrap_take_its_place(drawing, values, text):
    state = position(drawing, namer=1, **values)

    done = after(state, f"0: {text}")

    assert state.town(0).cubes == done.town(0).cubes
    assert "0 towns.place" not in owed(done)


@pytest.mark.rule("T-040")
@pytest.mark.parametrize(("drawing", "values", "answers"), EVERYTHING, ids=["warehouse", "factory"])
def test_they_answer_what_another_names_and_never_the_own_naming(drawing, values, answers):
    another = position(drawing, namer=1, cavern=True, **values)
    own = position(drawing, namer=0, cavern=True, **values)

    assert [*answers, "cavern"] == besides(another)
    assert [] == besides(own)
    for text in [*answers, "cavern"]:
        assert "" == refusal(another, f"0: {text}")
        assert "answer.own" == refusal(own, f"0: {text}")


@pytest.mark.rule("T-041")
@pytest.mark.parametrize(("drawing", "values", "answers"), EVERYTHING, ids=["warehouse", "factory"])
def test_what_a_player_left_alone_names_is_the_own_naming(drawing, values, answers):
    full = "wwww/wwww/wwww/wwww"
    state = position(drawing, full, namer=0, cavern=True, completed={1: 3}, **values)

    state = rounds_on(after(state, "0: place d4"))

    assert (0, 6) == (state.namer, state.round)
    assert [] == besides(state)
    assert ["answer.own"] * (len(answers) + 1) == [refusal(state, f"0: {text}") for text in [*answers, "cavern"]]


@pytest.mark.rule("T-042")
@pytest.mark.parametrize(("drawing", "values", "answers"), EVERYTHING, ids=["warehouse", "factory"])
def test_one_resource_has_one_answer(drawing, values, answers):
    at_work = drawing.replace("C", "C*") + "/ws.."  # a Well can be constructed, so that the seat goes on
    state = position(at_work, namer=1, cavern=True, helpers=("scrap", "innovate"), **values)
    every = [*answers, "cavern", "place d1"]

    for first in ("place d1", "cavern", *(text for text in answers if text.startswith("store"))):
        answered = after(state, f"0: {first}")
        assert "0 towns.build" in owed(answered)
        for second in [*every, "scrap b1"]:
            assert "turn.not-asked" == refusal(answered, f"0: {second}")


@pytest.mark.rule("T-042")
def test_storing_and_then_the_cavern_is_refused():
    state = after(position("K...", namer=1, cavern=True, **WAREHOUSE), "0: store a1")

    assert "turn.not-owed" == refusal(state, "0: cavern")


@pytest.mark.rule("T-043")
def test_what_a_factory_brings_goes_on_an_empty_square():
    state = position("KC*Mw", namer=1, cavern=True, hand="statue", helpers=("scrap", "innovate"), **FACTORY)

    state = after(state, "0: swap glass")

    assert ["0 towns.put", "1 towns.place"] == owed(state)
    assert [f"place {square}" for square in SQUARES[4:]] == texts(state)
    for text in ("store b1", "cavern", "swap stone", "swap wood", "scrap b1", "done"):
        assert "turn.not-asked" == refusal(state, f"0: {text}")
    assert ["square.building", "square.cube"] == [refusal(state, f"0: place {square}") for square in ("b1", "d1")]
    assert "KC*Mw/g..." == drawn(after(state, "0: place a2"))


@pytest.mark.rule("T-044")
def test_what_a_warehouse_gives_goes_on_an_empty_square():
    state = position("KC*Mw", namer=1, cavern=True, hand="statue", helpers=("scrap", "innovate"), **WAREHOUSE)

    state = after(state, "0: exchange a1 glass")

    assert ("wheat", "wood") == state.town(0).held[0]
    assert [f"place {square}" for square in SQUARES[4:]] == texts(state)
    for text in ("store b1", "store a1", "cavern", "exchange a1 wood", "exchange a1 wheat", "scrap b1", "done"):
        assert "turn.not-asked" == refusal(state, f"0: {text}")
    assert ["square.building", "square.cube"] == [refusal(state, f"0: place {square}") for square in ("b1", "d1")]
    assert "KC*Mw/g..." == drawn(after(state, "0: place a2"))


@pytest.mark.rule("T-045")
def test_factory_and_warehouse_never_lie_open_together():
    black = {card.id for card in COMPONENTS.of_colour("black")}
    assert {"factory", "warehouse"} < black

    for number in range(60):
        cards = drawn_by_luck(start(2 + number % 5, new_cards="yes"), number).cards
        assert 1 == len(black & {*cards})
        assert 7 == len(cards)
    for colour in ("red", "grey", "orange", "green", "yellow"):
        chosen = {"black": "factory", colour: "warehouse"}
        with pytest.raises(ConfigError):
            start(2, **chosen)


@pytest.mark.rule("T-045")
def test_a_factory_puts_nothing_in_store_and_a_warehouse_swaps_nothing():
    factory, warehouse = position("K...", namer=1, **FACTORY), position("K...", namer=1, **WAREHOUSE)

    assert "store.nothing" == refusal(factory, "0: store a1")
    assert "exchange.no-warehouse" == refusal(factory, "0: exchange a1 wheat")
    assert "swap.no-factory" == refusal(warehouse, "0: swap wheat")


@pytest.mark.rule("T-046")
def test_with_statue_and_wood_factory_wood_is_placed_replaced_or_put_on_a_cottage():
    state = position("KCM.", namer=1, hand="statue", **FACTORY)

    assert "KCMw" == drawn(after(state, "0: place d1"))
    for resource, sign in zip(RESOURCES[1:], "hbgs", strict=True):
        assert f"KCM{sign}" == drawn(after(state, f"0: swap {resource}", "0: place d1"))
    stored = after(state, "0: store b1")
    assert ("KCM.", ("wood",)) == (drawn(stored), stored.town(0).held[1])
    assert ["swap.same", "store.nothing"] == [refusal(state, "0: swap wood"), refusal(state, "0: store a1")]


@pytest.mark.rule("T-047")
@pytest.mark.parametrize(
    ("drawing", "values", "text"),
    [("K.../bbg.", WAREHOUSE, "store a1"), ("CM../bbg.", {"hand": "statue"}, "store a1")],
    ids=["warehouse", "statue"],
)
def test_who_stores_the_cube_may_construct(drawing, values, text):
    state = position(drawing, namer=1, **values)
    assert "turn.not-asked" == refusal(state, "0: build tavern a2")

    state = after(state, f"0: {text}", "0: build tavern a2")

    assert "E" == drawn(state)[5]
