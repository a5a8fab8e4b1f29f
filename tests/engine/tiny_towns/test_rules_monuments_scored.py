"""Rules T-168 to T-221, the Monuments that look at a town: what each is worth. Layouts are held in `test_tables.py`."""

from itertools import combinations, product

import pytest

from tests.engine.tiny_towns.positions import RULESET, after, drawn, owed, play, points, position, told, total
from tests.engine.tiny_towns.sketches import BUILT, SQUARES, groups_of, is_beside, pairs, scattered, sketch, with_sign


def monument(drawing, name, cards=""):
    return points(position(drawing, hand=name, cards=cards), "monument")


def with_monument(count, signs, seed):
    """So many towns by chance in which the Monument stands."""
    for number, town in enumerate(scattered(count, signs, seed)):
        yield town | {sorted(town)[number % len(town)]: "M"}


def rank_of(state, seat):
    return RULESET.standings(state)[seat].rank


def subsets():
    """Every set of types."""
    return (set(chosen) for count in range(8) for chosen in combinations(BUILT, count))


# --- Archive of the Second Age ---


@pytest.mark.rule("T-168")
def test_an_archive_beside_two_cottages_a_well_and_a_tavern_counts_three_types():
    assert 3 == monument("MCCA/E...", "archive")


@pytest.mark.rule("T-168")
def test_an_archive_counts_each_type_once_and_itself_never():
    for chosen in subsets():
        town = sketch(dict(zip(SQUARES, ["M", *chosen, *chosen], strict=False)))
        assert len(chosen) == monument(town, "archive")
    assert 7 == monument("MCRA/OEYK/CRAO/EYKC", "archive")


# --- Barrett Castle ---


@pytest.mark.rule("T-170")
def test_a_farm_feeds_the_castle_and_three_of_four_cottages():
    state = position("MCCC/CR..", hand="castle")

    assert (5, 9) == (points(state, "monument"), points(state, "blue"))


@pytest.mark.rule("T-170")
@pytest.mark.parametrize("feeder", ["farm", "granary", "greenhouse", "orchard"])
def test_every_feeder_feeds_a_castle_and_without_one_it_is_worth_nothing(feeder):
    assert 5 == monument("MR..", "castle", feeder)
    assert 0 == monument("MCA.", "castle", feeder)


@pytest.mark.rule("T-170")
def test_a_granary_or_an_orchard_out_of_reach_does_not_feed_the_castle():
    assert 0 == monument("M.R.", "castle", "granary")
    assert 0 == monument("M.../.R..", "castle", "orchard")


@pytest.mark.rule("T-170")
@pytest.mark.parametrize("cottages", range(10))
def test_a_castle_takes_one_feeding_of_a_farm(cottages):
    town = sketch(dict(zip(SQUARES, ["M", "R", *"C" * cottages], strict=False)))
    state = position(town, hand="castle")

    assert (5, 3 * min(3, cottages)) == (points(state, "monument"), points(state, "blue"))


@pytest.mark.rule("T-171")
def test_for_a_well_a_castle_is_two_cottages_fed_or_not():
    assert 2 == points(position("AM..", hand="castle", cards="well"), "grey")
    assert 2 == points(position("AM../R...", hand="castle", cards="well"), "grey")
    assert 3 == points(position("AM../C...", hand="castle", cards="well"), "grey")
    assert 0 == points(position("A.../.M..", hand="castle", cards="well"), "grey")


@pytest.mark.rule("T-171")
def test_for_a_well_every_other_monument_is_no_cottage():
    assert 0 == points(position("AM..", hand="archive", cards="well"), "grey")


@pytest.mark.rule("T-172")
def test_for_a_temple_a_fed_castle_alone_is_enough_and_an_unfed_one_is_nothing():
    assert 4 == points(position(".MO./R...", hand="castle", cards="temple"), "orange")
    assert 0 == points(position(".MO.", hand="castle", cards="temple"), "orange")


@pytest.mark.rule("T-173")
def test_for_a_chapel_a_fed_castle_is_two_fed_cottages():
    state = position("MCO./R...", hand="castle", cards="chapel")

    assert 3 == points(state, "orange")
    assert 0 == points(position("MCO.", hand="castle", cards="chapel"), "orange")


@pytest.mark.rule("T-174")
def test_for_a_theater_a_castle_is_a_cottage_and_no_monument():
    assert 1 == points(position("YMC.", hand="castle"), "yellow")
    assert 1 == points(position("YM..", hand="castle"), "yellow")
    assert 2 == points(position("YMC.", hand="archive"), "yellow")


@pytest.mark.rule("T-175")
def test_a_castle_belongs_to_the_group_that_a_greenhouse_feeds():
    state = position("CMC./..../R...", hand="castle", cards="greenhouse")

    assert (6, 5) == (points(state, "blue"), points(state, "monument"))


@pytest.mark.rule("T-175")
def test_other_monuments_part_a_group_of_cottages():
    state = position("CMC./..../R...", hand="palace", cards="greenhouse")

    assert 3 == points(state, "blue")


@pytest.mark.rule("T-176")
def test_in_the_tie_by_cottages_a_castle_counts_nothing():
    state = position("M...", "C...", hand="castle")

    assert total(state, 0) == total(state, 1) == -15
    assert [2, 1] == [rank_of(state, seat) for seat in (0, 1)]
    assert [0, 1] == [RULESET.standings(state)[seat].ties[2] for seat in (0, 1)]


# --- Cathedral of Caterina ---


@pytest.mark.rule("T-178")
def test_with_the_cathedral_the_13_empty_squares_cost_nothing():
    state = position("MCw.*/R...", hand="cathedral", cards="farm")

    assert 13 == RULESET.standings(state)[0].ties[1]
    assert (2, 3, 0) == tuple(points(state, part) for part in ("monument", "blue", "empty"))
    assert 2 + 3 == total(state)


@pytest.mark.rule("T-178")
def test_the_cathedral_of_one_player_saves_no_other():
    state = position("M...", "....", hand="cathedral")

    assert [2, -16] == [total(state, seat) for seat in (0, 1)]


@pytest.mark.rule("T-178")
@pytest.mark.parametrize("empty", range(16))
def test_the_cathedral_is_worth_2_whatever_is_empty(empty):
    town = sketch(dict(zip(SQUARES, ["M", *"R" * (15 - empty)], strict=False)))

    assert 2 == total(position(town, hand="cathedral"))


@pytest.mark.rule("T-179")
def test_in_a_tie_the_empty_squares_beside_a_cathedral_count_as_they_are():
    full = "AARR/RRRR/RRRR/RRRR"
    state = position("M...", full, hand="cathedral", cards="shed")

    assert [2, 2] == [total(state, seat) for seat in (0, 1)]
    assert [15, 0] == [RULESET.standings(state)[seat].ties[1] for seat in (0, 1)]
    assert [2, 1] == [rank_of(state, seat) for seat in (0, 1)]


@pytest.mark.rule("T-180")
def test_kept_in_the_hand_the_cathedral_does_nothing():
    state = position("....", hand="cathedral")

    assert -16 == total(state)
    assert (0, -16) == (points(state, "monument"), points(state, "empty"))


# --- Grand Mausoleum of the Rodina ---


@pytest.mark.rule("T-186")
def test_with_the_mausoleum_all_five_cottages_are_worth_3_and_the_chapel_counts_the_four_fed_ones():
    state = position("MCCC/CCRO", hand="mausoleum", cards="farm chapel")

    assert (15, 4, 0) == tuple(points(state, part) for part in ("blue", "orange", "monument"))


@pytest.mark.rule("T-186")
@pytest.mark.parametrize("cottages", range(16))
def test_with_the_mausoleum_every_unfed_cottage_is_worth_3(cottages):
    town = sketch(dict(zip(SQUARES, ["M", *"C" * cottages], strict=False)))

    assert 3 * cottages == points(position(town, hand="mausoleum"), "blue")
    assert 0 == points(position(town, hand="archive"), "blue")


@pytest.mark.rule("T-186")
def test_a_mausoleum_in_the_hand_or_in_another_town_does_nothing():
    state = position("C...", "M...", hand={0: "archive", 1: "mausoleum"})

    assert 0 == points(state, "blue")
    assert 0 == points(position("C...", hand="mausoleum"), "blue")


# --- Mandras Palace ---


@pytest.mark.rule("T-192")
def test_a_palace_beside_two_cottages_a_well_and_a_tavern_is_worth_6():
    assert 6 == monument("CA../CME./RC..", "palace")


@pytest.mark.rule("T-192")
def test_a_palace_is_worth_2_for_each_different_type_beside_it():
    for palace, other in pairs():
        for sign in BUILT:
            expected = 2 if is_beside(palace, other) else 0
            assert expected == monument(sketch({palace: "M", other: sign}), "palace")
    for town in with_monument(300, BUILT + ".", seed=20):
        (palace,) = with_sign(town, "M")
        types = {sign for square, sign in town.items() if is_beside(palace, square)} - {"."}
        assert 2 * len(types) == monument(sketch(town), "palace"), sketch(town)
    assert 8 == monument(".C../RMA./.O..", "palace")


# --- Shrine of the Elder Tree ---


def shrine_of(others, row=""):
    """The layout of a Shrine, its last wood just placed on a4, beside so many buildings; or with this first *row*."""
    free = [square for square in SQUARES if square not in ("a3", "b3", "c3", "a4", "b4", "c4")]
    town = sketch(dict.fromkeys(free[:others], "C") | {"a3": "b", "b3": "h", "c3": "s", "b4": "g", "c4": "w"})
    return after(position(row + town[len(row) :], hand="shrine", completed={1: 3}), "0: place a4")


@pytest.mark.rule("T-210", "T-211")
@pytest.mark.parametrize(("others", "expected"), list(enumerate((1, 2, 3, 4, 5, 8, 8, 8, 8))))
def test_the_shrine_counts_the_buildings_in_town_and_itself(others, expected):
    state, events = play(shrine_of(others), "0: build shrine a4")

    assert expected == points(state, "monument")
    assert ("towns.shrine", {"seat": 0, "points": expected}) in told(events)


@pytest.mark.rule("T-210")
def test_the_shrine_counts_what_was_constructed_before_it_in_the_same_round():
    state = shrine_of(0, row="bbg.")

    first, last = (
        after(state, *lines)
        for lines in (
            ("0: build tavern a1", "0: build shrine a4"),
            ("0: build shrine a4", "0: build tavern a1"),
        )
    )

    assert [2, 1] == [points(one, "monument") for one in (first, last)]
    assert first.town(0).buildings == last.town(0).buildings


@pytest.mark.rule("T-211")
def test_later_buildings_do_not_change_the_shrine():
    state = after(shrine_of(0, row="Cbb."), "0: build shrine a4")
    assert 2 == points(state, "monument")

    state = after(state, "0: name glass", "0: place d1", "0: build tavern d1")

    assert "C..E/..../..../M..." == drawn(state)
    assert 2 == points(state, "monument")


@pytest.mark.rule("T-211")
@pytest.mark.parametrize("value", [1, 3, 8])
def test_the_value_of_a_shrine_stays_whatever_stands_around_it_later(value):
    for count in range(1, 16):
        town = sketch(dict(zip(SQUARES, ["M", *"C" * count], strict=False)))
        assert value == points(position(town, hand="shrine", values={0: {"shrine": value}}), "monument")


# --- Silva Forum ---


@pytest.mark.rule("T-213")
def test_a_forum_counts_the_four_wells_that_are_joined():
    assert 1 + 4 == monument("MCC./.CAA/...A/...A", "forum")


@pytest.mark.rule("T-214")
def test_a_forum_alone_is_a_group_of_one():
    assert 2 == monument("M...", "forum")


@pytest.mark.rule("T-213", "T-214")
def test_a_forum_is_worth_1_more_than_the_largest_group_of_one_type():
    for town in with_monument(300, "CCAAK.", seed=21):
        largest = max(1, *(groups_of(with_sign(town, sign))[0] for sign in {*town.values()} - {"."}))
        assert 1 + largest == monument(sketch(town), "forum"), sketch(town)


# --- The Sky Baths ---


@pytest.mark.rule("T-216")
def test_the_baths_count_what_the_town_lacks():
    assert 10 == monument("MCA.", "baths")
    assert 14 == monument("M...", "baths")


@pytest.mark.rule("T-216")
def test_the_baths_are_worth_2_for_each_type_that_the_town_lacks():
    for chosen in subsets():
        town = sketch(dict(zip(SQUARES, ["M", *chosen, *chosen], strict=False)))
        assert 2 * (7 - len(chosen)) == monument(town, "baths")


# --- The Starloom ---


def starloom(own, *others):
    """The points of a Starloom whose owner completed in the round *own*, the others in theirs; 0: still in the game."""
    completed = dict(enumerate((own, *others)))
    drawings = ("M...", *("....",) * len(others))
    return points(position(*drawings, hand="starloom", round=12, completed=completed), "monument")


@pytest.mark.rule("T-218")
def test_the_starloom_is_worth_6_3_2_or_0():
    assert [6, 3, 2, 0, 0, 0] == [starloom(8, *range(3, 3 + before), *(9,) * (5 - before)) for before in range(6)]


@pytest.mark.rule("T-218")
def test_before_its_owner_completes_the_starloom_is_worth_nothing():
    assert 0 == starloom(0, 3)
    assert 0 == starloom(0, 0)


@pytest.mark.rule("T-219")
def test_who_completes_together_with_others_takes_the_better_place_in_full():
    assert 6 == starloom(5, 5)
    assert 6 == starloom(5, 5, 5, 9)
    assert 3 == starloom(5, 3, 5)


@pytest.mark.rule("T-220")
def test_after_two_who_completed_together_the_owner_is_third():
    assert 2 == starloom(8, 4, 4)
    assert 0 == starloom(8, 4, 4, 5)


@pytest.mark.rule("T-218", "T-219", "T-220", "T-221")
def test_every_completion_in_an_earlier_round_costs_a_place():
    for others in product((0, 1, 5, 6, 9), repeat=3):
        place = 1 + sum(0 < one < 6 for one in others)
        assert {1: 6, 2: 3, 3: 2, 4: 0}[place] == starloom(6, *others), others


@pytest.mark.rule("T-221")
def test_the_completion_of_a_player_without_starloom_takes_a_place():
    full, last = "wwww/wwww/wwww/www.", "Mwww/wwww/wwww/ww.."
    state = position(last, full, full, hand="starloom")

    state = after(state, "0: place d4", "1: place d4", "2: place d4")
    assert [0, 5, 5] == [player.completed for player in state.players]
    state = after(state, "0: name wood", "0: place c4")

    assert [] == owed(state)
    assert [6, 5, 5] == [player.completed for player in state.players]
    assert 2 == points(state, "monument")


@pytest.mark.rule("T-219")
def test_two_who_complete_in_the_same_round_are_both_first():
    state = position("Mwww/wwww/wwww/www.", "wwww/wwww/wwww/www.", hand="starloom")

    over = after(state, "0: place d4", "1: place d4")

    assert [] == owed(over)
    assert 6 == points(over, "monument")
