"""Rules T-133 to T-145: Bank and Factory. Layouts are held in `test_tables.py`."""

from itertools import combinations

import pytest

from engine.tiny_towns.components import RESOURCES
from tests.engine.tiny_towns.positions import (
    after,
    drawn,
    naming,
    owed,
    play,
    points,
    position,
    refusal,
    squares_for,
    texts,
    told,
    total,
)
from tests.engine.tiny_towns.sketches import BUILT, SQUARES, scattered, sketch, with_sign

FIVE = {"a1": "wood", "b1": "wheat", "c1": "brick", "d1": "glass", "a2": "stone"}
"""The markers of five Banks in `KKKK/K...`."""

BANK_CUBES = "hh../w.b."
"""Rows 3 and 4: with a glass on b4 the layout of a Bank."""

FACTORY_CUBES = "w.../b.sb"
"""Rows 3 and 4: with a stone on b4 the layout of a Factory."""


def banks(count):
    """The two upper rows with so many Banks, and the markers of all of them."""
    upper = sketch(dict.fromkeys(SQUARES[:count], "K"))[:9]
    return upper, dict(list(FIVE.items())[:count])


def built(card, cubes, resource, marked):
    """The position in which one more black building has just been constructed on b4."""
    upper = sketch(dict.fromkeys(marked, "K"))[:9]
    state = position(f"{upper}/{cubes}", cards=card, resource=resource, values={0: {"held": marked}})
    return after(state, "0: place b4", f"0: build {card} b4")


# --- Bank ---


@pytest.mark.rule("T-133")
def test_banks_are_worth_4_each_wherever_they_stand():
    for count in range(6):
        upper, held = banks(count)
        assert 4 * count == points(position(upper, cards="bank", values={0: {"held": held}}), "black")
    for town in scattered(100, BUILT, seed=16):
        assert 4 * len(with_sign(town, "K")) == points(position(sketch(town), cards="bank"), "black")


@pytest.mark.rule("T-134")
@pytest.mark.parametrize("count", range(5))
def test_a_bank_takes_one_of_the_markers_that_are_on_no_other(count):
    for marked in combinations(RESOURCES, count):
        held = dict(zip(SQUARES, marked, strict=False))
        state = built("bank", BANK_CUBES, "glass", held)

        assert ["0 towns.mark", "1 towns.place"] == owed(state)
        free = [resource for resource in RESOURCES if resource not in marked]
        assert [f"mark {resource}" for resource in free] == texts(state)
        for resource in marked:
            assert "mark.twice" == refusal(state, f"0: mark {resource}")
        for resource in free:
            assert (resource,) == after(state, f"0: mark {resource}").town(0).held[SQUARES.index("b4")]


@pytest.mark.rule("T-134")
def test_the_marker_comes_before_anything_else_and_cannot_be_left_out():
    state = built("bank", BANK_CUBES, "glass", {})

    assert "turn.not-asked" == refusal(state, "0: done")
    assert "turn.not-asked" == refusal(state, "0: skip")


@pytest.mark.rule("T-134")
def test_a_marker_on_the_bank_of_another_player_bars_nothing():
    held = {"a1": "wood", "b1": "stone"}
    state = position(f"..../..../{BANK_CUBES}", "KK..", cards="bank", resource="glass", values={1: {"held": held}})

    state = after(state, "0: place b4", "0: build bank a3")

    assert [f"mark {resource}" for resource in RESOURCES] == texts(state)


@pytest.mark.rule("T-135")
@pytest.mark.parametrize("count", range(5))
def test_the_owner_of_banks_names_what_none_of_them_marks(count):
    for marked in combinations(RESOURCES, count):
        held = dict(zip(SQUARES, marked, strict=False))
        drawing = sketch(dict.fromkeys(held, "K"))
        state = naming(drawing, "....", cards="bank", namer=1, values={0: {"held": held}})

        assert ["0 towns.name"] == owed(state)
        assert [f"name {one}" for one in RESOURCES if one not in marked] == texts(state)
        for resource in marked:
            assert "name.marked" == refusal(state, f"0: name {resource}")


@pytest.mark.rule("T-135")
@pytest.mark.parametrize("resource", RESOURCES)
def test_what_another_names_the_owner_of_its_bank_places_as_usual(resource):
    upper, held = banks(5)
    state = position(upper, "....", cards="bank", resource=resource, namer=1, values={0: {"held": held}})

    assert [f"place {square}" for square in SQUARES[5:]] == texts(state)
    assert resource == after(state, "0: place d4").town(0).cubes[15]


@pytest.mark.rule("T-136")
def test_the_banks_of_others_restrict_nobody():
    upper, held = banks(5)
    state = naming("....", upper, upper, cards="bank", namer=2, values={1: {"held": held}, 2: {"held": held}})

    assert ["0 towns.name"] == owed(state)
    assert [f"name {resource}" for resource in RESOURCES] == texts(state)


def with_five_banks(lower, resource="glass", **values):
    """Five Banks with all the markers, and the rows 3 and 4."""
    upper, held = banks(5)
    return position(f"{upper}/{lower}", cards="bank", resource=resource, values={0: {"held": held}}, **values)


@pytest.mark.rule("T-137")
def test_a_sixth_bank_cannot_be_constructed():
    state = after(with_five_banks("hhws/w.b."), "0: place b4")
    fifth = position("KKKK/..../hhws/w.b.", cards="bank", resource="glass", values={0: {"held": banks(4)[1]}})

    assert [] == squares_for(state, "build bank")
    assert ["c3", "d3"] == squares_for(state, "build well")
    assert "bank.limit" == refusal(state, "0: build bank a3")
    assert ["a3", "b3", "a4", "b4", "c4"] == squares_for(after(fifth, "0: place b4"), "build bank")


@pytest.mark.rule("T-137")
def test_the_university_brings_no_sixth_bank():
    state = after(with_five_banks(".b../s.s.", hand="university"), "0: place b4", "0: build university b4")

    assert [] == squares_for(state, "add bank")
    assert "bank.limit" == refusal(state, "0: add bank d4")
    assert "d4" in squares_for(state, "add tavern")


@pytest.mark.rule("T-137")
def test_the_guild_brings_no_sixth_bank():
    held = dict(zip(("a1", "b1", "c1", "d1", "a2"), RESOURCES, strict=True))
    state = position("KKKK/K.Cg/..hs/.w..", cards="bank", hand="guild", resource="brick", values={0: {"held": held}})

    state = after(state, "0: place c4", "0: build guild c4")

    assert "bank.limit" == refusal(state, "0: replace c2 bank")
    assert [] == [text for text in texts(state) if text.endswith(" bank")]
    freed = after(state, "0: replace a1 farm")
    assert "mark wood" in texts(after(freed, "0: replace c2 bank"))


@pytest.mark.rule("T-137")
def test_renovate_brings_no_sixth_bank():
    state = with_five_banks("C.A*A*/....", helpers=("forage", "renovate"))

    state = after(state, "0: place d4", "0: activate renovate c3 d3")

    assert "bank.limit" == refusal(state, "0: replace a3 bank")
    assert [] == [text for text in texts(state) if text.endswith(" bank")]


@pytest.mark.rule("T-137")
def test_a_sixth_bank_stays_on_the_watch():
    upper, held = banks(5)
    values = {0: {"held": held, "stock": ("bank", "tavern", "well")}}
    neighbour = f"..../..../{BANK_CUBES}"
    state = position(f"{upper}/M...", neighbour, cards="bank", hand="watch", resource="glass", values=values)

    state, events = play(state, "0: place d4", "1: place b4", "1: build bank a3", "1: mark wood")

    assert ("towns.stays", {"seat": 0, "card": "bank"}) in told(events)
    assert ("bank", "tavern", "well") == state.town(0).stock
    assert 5 == state.town(0).buildings.count("bank")


@pytest.mark.rule("T-138")
def test_the_hammer_passes_over_five_banks_and_that_is_no_turn():
    upper, held = banks(5)
    state = naming("....", upper, "....", cards="bank", namer=0, values={1: {"held": held}}, turns={0: 3, 1: 2, 2: 2})

    assert ["2 towns.name"] == owed(state)
    assert "turn.not-owed" == refusal(state, "1: name wood")
    state = after(state, "2: name wood")
    assert [3, 2, 3] == [player.turns for player in state.players]
    assert "1 towns.place" in owed(state)


@pytest.mark.rule("T-138")
def test_the_owner_of_five_banks_never_names_in_any_round():
    upper, held = banks(5)
    state = naming(upper, "....", "....", cards="bank", namer=2, values={0: {"held": held}})

    named = []
    for square in SQUARES[5:12]:
        (line,) = owed(state)
        named.append(int(line[0]))
        state = after(state, f"{line[0]}: name wood", *(f"{seat}: place {square}" for seat in range(3)))

    assert [1, 2] * 3 + [1] == named
    assert [0, 4, 3] == [player.turns for player in state.players]


@pytest.mark.rule("T-139")
def test_a_marker_costs_nothing_and_stays_on_the_bank_at_the_end():
    state = position(
        "KKww/wwww/wwww/www.", cards="bank", completed={1: 3}, values={0: {"held": {"a1": "stone", "b1": "glass"}}}
    )

    over = after(state, "0: place d4")

    assert [] == owed(over)
    assert (("stone",), ("glass",)) == over.town(0).held[:2]
    assert (8, 8 - 14) == (points(over, "black"), total(over))


# --- Factory ---


@pytest.mark.rule("T-141")
@pytest.mark.parametrize("others", [{}, {"a1": "wood"}, {"a1": "wood", "b1": "wood"}, FIVE])
def test_a_factory_takes_any_of_the_five_markers(others):
    state = built("factory", FACTORY_CUBES, "stone", others)

    assert ["0 towns.mark", "1 towns.place"] == owed(state)
    assert [f"mark {resource}" for resource in RESOURCES] == texts(state)
    for resource in RESOURCES:
        assert (resource,) == after(state, f"0: mark {resource}").town(0).held[SQUARES.index("b4")]


def answering(named, held, namer=1):
    """The owner of Factories with these markers has to answer a resource that *namer* has named."""
    return position(sketch(dict.fromkeys(held, "K")), "....", resource=named, namer=namer, values={0: {"held": held}})


def swaps(state):
    return [text.split()[1] for text in texts(state) if text.startswith("swap")]


@pytest.mark.rule("T-141")
def test_two_factories_with_the_same_marker_give_no_more_than_one():
    two, one = answering("wood", {"a1": "wood", "b1": "wood"}), answering("wood", {"a1": "wood"})

    assert ["wheat", "brick", "glass", "stone"] == swaps(two) == swaps(one)
    swapped = after(two, "0: swap wheat")
    assert ["0 towns.put", "1 towns.place"] == owed(swapped)
    assert [f"place {square}" for square in SQUARES[2:]] == texts(swapped)
    assert "turn.not-asked" == refusal(swapped, "0: swap brick")


@pytest.mark.rule("T-142")
@pytest.mark.parametrize("named", RESOURCES)
def test_when_another_names_its_resource_a_factory_brings_one_of_the_other_four_which_must_be_placed(named):
    state = answering(named, {"a1": named})

    assert [one for one in RESOURCES if one != named] == swaps(state)
    assert "swap.same" == refusal(state, f"0: swap {named}")
    for other in swaps(state):
        swapped = after(state, f"0: swap {other}")
        assert [f"place {square}" for square in SQUARES[1:]] == texts(swapped)
        assert "square.building" == refusal(swapped, "0: place a1")
        assert "turn.not-asked" == refusal(swapped, "0: done")
        placed = after(swapped, "0: place c3")
        assert {"", other} == set(placed.town(0).cubes)
        assert other == placed.town(0).cubes[SQUARES.index("c3")]
        assert (named,) == placed.town(0).held[0]
        assert ["1 towns.place"] == owed(placed)


@pytest.mark.rule("T-142")
def test_a_factory_is_silent_when_another_resource_is_named():
    for mark in RESOURCES:
        for named in RESOURCES:
            if mark != named:
                state = answering(named, {"a1": mark})
                assert [] == swaps(state)
                assert "swap.no-factory" == refusal(state, f"0: swap {mark}")


@pytest.mark.rule("T-142")
def test_the_factory_of_another_player_helps_nobody_else():
    state = position("K...", "....", "....", resource="wood", namer=1, values={0: {"held": {"a1": "wood"}}})

    assert ["wheat", "brick", "glass", "stone"] == swaps(state)
    assert "swap.no-factory" == refusal(state, "2: swap stone")


@pytest.mark.rule("T-143")
def test_the_swap_of_a_factory_is_optional():
    state = answering("wood", {"a1": "wood"})

    assert "K.../..../..../...w" == drawn(after(state, "0: place d4"))


@pytest.mark.rule("T-143")
def test_two_factories_with_different_markers_each_answer_their_own_resource():
    held = {"a1": "wood", "d4": "stone"}

    assert [one for one in RESOURCES if one != "wood"] == swaps(answering("wood", held))
    assert [one for one in RESOURCES if one != "stone"] == swaps(answering("stone", held))
    assert [] == swaps(answering("glass", held))


@pytest.mark.rule("T-144")
@pytest.mark.parametrize("named", RESOURCES)
def test_the_own_naming_of_the_marked_resource_cannot_be_swapped(named):
    state = answering(named, {"a1": named}, namer=0)

    assert [] == swaps(state)
    for other in RESOURCES:
        assert "answer.own" == refusal(state, f"0: swap {other}")
    assert [f"place {square}" for square in SQUARES[1:]] == texts(state)


@pytest.mark.rule("T-145")
def test_factories_are_worth_nothing():
    for town in scattered(100, "K" + BUILT + ".", seed=17):
        assert 0 == points(position(sketch(town), cards="factory"), "black")
