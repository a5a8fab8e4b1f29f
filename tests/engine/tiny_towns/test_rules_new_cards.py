"""Rules T-341 to T-345: Citadel, Forge, Travelers' Center, Folly Tower. Their layouts are held in `test_tables.py`."""

from itertools import product

import pytest

from engine.tiny_towns.components import RESOURCES
from tests.engine.tiny_towns.positions import (
    after,
    drawn,
    owed,
    points,
    position,
    refusal,
    start,
    texts,
    total,
)
from tests.engine.tiny_towns.sketches import BUILT, SQUARES, is_beside, pairs, scattered, sketch, with_sign


def orange(drawing):
    return points(position(drawing, cards="citadel"), "orange")


def green(drawing):
    return points(position(drawing, cards="travelers-center"), "green")


def empty_beside(town, square):
    """How many squares beside *square* hold no building, whatever else lies there."""
    built = {one for one, sign in town.items() if sign.isupper()}
    return sum(is_beside(square, one) for one in SQUARES if one not in built)


# --- Citadel ---


@pytest.mark.rule("T-341")
def test_a_citadel_counts_the_empty_squares_beside_it():
    assert 2 == orange("O...")
    assert 3 == orange(".C../.O..")
    assert 4 == orange("..../.O..")
    assert 0 == orange("OC../C...")


@pytest.mark.rule("T-341")
def test_for_a_citadel_the_square_of_a_villager_or_of_a_cube_is_empty():
    assert 2 == orange("O*.*../.*...")
    assert 2 == orange("Ow../h*...")
    assert 1 == orange("OC*../.*...")


@pytest.mark.rule("T-341")
def test_each_citadel_is_worth_1_for_each_empty_square_beside_it():
    for town in scattered(300, "OOCKw.", seed=22):
        expected = sum(empty_beside(town, one) for one in with_sign(town, "O"))
        assert expected == orange(sketch(town)), sketch(town)


@pytest.mark.rule("T-341")
def test_a_corner_is_not_beside_a_citadel():
    for citadel, other in pairs():
        neighbours = sum(is_beside(citadel, one) for one in SQUARES)
        assert neighbours - is_beside(citadel, other) == orange(sketch({citadel: "O", other: "C"}))


# --- Forge ---


def forge(drawing="C.../w.../bb../sw..", **values):
    """A Forge just constructed on a3; its last stone was placed on c4. A wood lies on a2, a Cottage on a1."""
    state = position(drawing, cards="forge", resource="stone", **values)
    return after(state, "0: place c4", "0: build forge a3")


@pytest.mark.rule("T-342")
def test_forges_are_worth_1_each():
    for town in scattered(200, "K" + BUILT + ".", seed=23):
        assert len(with_sign(town, "K")) == points(position(sketch(town), cards="forge"), "black")


@pytest.mark.rule("T-342")
def test_a_forge_brings_one_cube_of_any_resource_on_an_empty_square():
    state = forge()

    assert ["0 towns.forge", "1 towns.place"] == owed(state)
    empty = [square for square in SQUARES if square not in ("a1", "a2", "a3")]
    assert ["skip", *(f"add {resource} {square}" for resource in RESOURCES for square in empty)] == texts(state)
    for line, key in {
        "done": "turn.not-asked",
        "add wood a1": "square.building",
        "add wood a2": "square.cube",
        "add wood a3": "square.building",
        "add tavern d4": "add.resource",
    }.items():
        assert key == refusal(state, f"0: {line}")
    for resource in RESOURCES:
        brought = after(state, f"0: add {resource} d4")
        assert resource == brought.town(0).cubes[15]
        assert ["1 towns.place"] == owed(brought)


@pytest.mark.rule("T-342")
def test_the_cube_of_a_forge_may_be_left():
    state = after(forge(), "0: skip")

    assert "C.../w.../K..." == drawn(state)
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-342")
def test_the_cube_of_a_forge_may_come_on_the_square_of_a_villager():
    state = forge("C*..*./..../bb../sw..")

    assert "add glass c1" in texts(state)
    assert "square.building" == refusal(state, "0: add glass a1")
    assert "C*.g*./..../K..." == drawn(after(state, "0: add glass c1"))


@pytest.mark.rule("T-342")
def test_the_cube_of_a_forge_may_serve_in_a_construction_of_the_same_round():
    state = after(forge(), "0: add stone b2")

    assert "build well a2" in texts(state)


@pytest.mark.rule("T-342")
def test_a_forge_put_down_by_the_university_brings_its_cube_too():
    state = position(".b../s.s.", hand="university", cards="forge", resource="glass")

    state = after(state, "0: place b2", "0: build university b2", "0: add forge d4")

    assert ["0 towns.forge", "1 towns.place"] == owed(state)


@pytest.mark.rule("T-342")
def test_a_forge_that_fills_the_last_square_brings_nothing():
    stock = {0: {"stock": ("tavern", "theater", "forge")}}
    neighbour = "..../..../bb../sw.."
    state = position(
        "MCCC/CCCC/CCCC/CC..", neighbour, hand="watch", cards="forge", resource="stone", namer=1, values=stock
    )
    state = after(state, "0: place d4", "1: place c4", "1: build forge a3", "1: skip")

    state = after(state, "0: settle c4")

    assert 5 == state.players[0].completed
    assert ["1 towns.name"] == owed(state)


# --- Travelers' Center ---


@pytest.mark.rule("T-343")
def test_a_travelers_center_is_worth_3_beside_an_empty_square_and_else_nothing():
    assert 3 == green("E...")
    assert 3 == green("EC..")
    assert 0 == green("EC../C...")
    assert 0 == green(".C../CEC./.C..")


@pytest.mark.rule("T-343")
def test_for_a_travelers_center_the_square_of_a_villager_or_of_a_cube_is_empty():
    assert 3 == green("EC*../.*...")
    assert 3 == green("EC../w...")
    assert 0 == green("E*C*../C*...")


@pytest.mark.rule("T-343")
def test_each_travelers_center_is_worth_3_while_a_square_beside_it_is_empty():
    for town in scattered(300, "EECKw", seed=24):
        open_ones = [one for one in with_sign(town, "E") if empty_beside(town, one)]
        assert 3 * len(open_ones) == green(sketch(town)), sketch(town)


@pytest.mark.rule("T-343")
def test_at_the_end_a_cube_beside_a_travelers_center_leaves_its_square_empty():
    state = position("ECww/wwww/wwww/www.", cards="travelers-center", completed={1: 3})

    over = after(state, "0: place d4")

    assert [] == owed(over)
    assert (3, 3 - 14) == (points(over, "green"), total(over))


# --- Folly Tower ---


def row_of(count, first="C"):
    return sketch(dict(zip(SQUARES, [first, *"C" * 15][:count], strict=False)))


@pytest.mark.rule("T-344")
@pytest.mark.parametrize("own", range(1, 5))
def test_a_folly_is_worth_7_unless_a_neighbour_has_more_buildings(own):
    for left, right in product(range(6), repeat=2):
        state = position(row_of(own, "M"), row_of(left), row_of(right), hand="folly")
        assert (3 if max(left, right) > own else 7) == points(state, "monument"), (left, right)


@pytest.mark.rule("T-344")
def test_with_two_players_the_other_is_both_neighbours_of_a_folly():
    assert 7 == points(position("MC..", "CC..", hand="folly"), "monument")
    assert 3 == points(position("MC..", "CCC.", hand="folly"), "monument")


@pytest.mark.rule("T-344")
def test_who_sits_further_away_does_not_count_for_a_folly():
    for far in range(5):
        state = position("M...", "C...", row_of(far), "C...", hand="folly")
        assert 7 == points(state, "monument")


@pytest.mark.rule("T-344")
def test_cubes_are_no_buildings_for_a_folly():
    assert 7 == points(position("Mw..", "Cwww/wwww", hand="folly"), "monument")


def in_the_draw(seats, **options):
    """All cards that chance could draw before the first round."""
    state = start(seats, **options)
    found = set()
    while "-1 " in owed(state)[0]:
        found.update(text.removeprefix("draw ") for text in texts(state, -1))
        state = after(state, f"-1: {texts(state, -1)[0]}")
    return found


@pytest.mark.rule("T-344")
def test_a_folly_is_never_dealt_in_solo():
    assert "folly" in in_the_draw(2, new_cards="yes")
    assert "folly" not in in_the_draw(1, new_cards="yes")
    assert "folly" not in in_the_draw(1, new_cards="yes", feast_hall="yes")


@pytest.mark.rule("T-341", "T-342", "T-343", "T-344")
def test_the_new_cards_are_in_the_draw_with_their_option_only():
    buildings = {"citadel", "forge", "travelers-center"}
    for seats, expected in ((1, buildings), (2, {*buildings, "folly"}), (6, {*buildings, "folly"})):
        assert expected == in_the_draw(seats, new_cards="yes") & {*buildings, "folly"}
        assert set() == in_the_draw(seats) & {*buildings, "folly"}
