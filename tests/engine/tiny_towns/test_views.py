"""The view: what a report needs of a position, and nothing that others keep in the hand."""

import msgspec
import pytest
from msgspec.structs import replace

from engine.core.types import CHANCE
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import MONUMENTS
from engine.tiny_towns.layouts import SQUARES
from engine.tiny_towns.views import CardView, HelperView, Opening, SquareView, View
from tests.contract.titles import Setting
from tests.engine.tiny_towns.games import game
from tests.engine.tiny_towns.laws import VARIANTS
from tests.engine.tiny_towns.positions import after, draw_all, naming, position, start


def square(view, seat, name):
    return next(one for one in view.towns[seat].squares if one.square == name)


def seen(state, seat):
    return msgspec.json.encode(RULESET.view(state, seat)).decode()


def test_a_view_names_the_round_and_what_is_in_play():
    state = position("....", "....", "....", cards="bank inn", resource="brick", namer=1, round=6, hand="fort")

    view = RULESET.view(state, 0)

    assert (0, False, "turns", 6) == (view.seat, view.over, view.stage, view.round)
    assert (1, 1, 2) == (view.builder, view.namer, view.next)
    assert ("brick", False) == (view.resource, view.free)
    assert ["cottage", "farm", "well", "chapel", "inn", "theater", "bank"] == [card.id for card in view.cards]
    assert CardView("inn", "green", ("HSG",), (3,)) == view.cards[4]
    assert CardView("fort", "monument", ("H.B", "SWS"), (7,)) == view.own
    assert (4, 3, 0) == (view.farm, view.room, view.cavern)
    assert [0, 1, 2] == [town.seat for town in view.towns]
    assert not view.villagers
    assert () == view.helpers == view.dealt == view.open == view.seen


def test_a_square_shows_cube_building_what_lies_on_it_and_who_is_there():
    state = position(
        "w.w*K*/R..*.", cards="warehouse", namer=1, values={0: {"held": {"d1": "brick brick"}, "lodge": 0}}
    )

    view = RULESET.view(state, 1)

    assert SQUARES == tuple(one.square for one in view.towns[0].squares)
    assert SquareView("a1", "wood", "", "", (), villager=False, works=False) == square(view, 0, "a1")
    assert SquareView("b1", "", "", "", (), villager=False, works=False) == square(view, 0, "b1")
    assert SquareView("c1", "wood", "", "", (), villager=True, works=False) == square(view, 0, "c1")
    held = ("brick", "brick")
    assert SquareView("d1", "", "warehouse", "black", held, villager=True, works=True) == square(view, 0, "d1")
    assert SquareView("a2", "", "farm", "red", (), villager=False, works=False) == square(view, 0, "a2")
    assert SquareView("c2", "", "", "", (), villager=True, works=False) == square(view, 0, "c2")


def test_a_villager_on_a_building_that_it_does_not_work_in_is_told_apart():
    view = RULESET.view(position("E*E*..", values={0: {"idle": "a1"}}), None)

    assert (True, False) == (square(view, 0, "a1").villager, square(view, 0, "a1").works)
    assert (True, True) == (square(view, 0, "b1").villager, square(view, 0, "b1").works)


def test_a_town_shows_lodge_turns_cubes_set_aside_and_completion():
    state = position(
        "C*...", "....", namer=1, turns={0: 2, 1: 5}, completed={1: 4}, aside={0: 1}, cavern=True, hand={1: "shrine"}
    )

    view = RULESET.view(state, None)

    mine, other = view.towns
    assert (2, 2, 0, 1) == (mine.lodge, mine.turns, mine.completed, mine.aside)
    assert (3, 5, 4, 0) == (other.lodge, other.turns, other.completed, other.aside)
    assert 2 == view.cavern
    assert (HelperView("forage", 1), HelperView("innovate", 2)) == view.helpers
    assert view.villagers


def test_a_standing_monument_is_explained_to_all_with_its_shrine_and_its_stock():
    shrine = position("M...", "....", hand="shrine", values={0: {"shrine": 4}})
    watch = position("M...", "....", hand="watch", values={0: {"stock": ("cottage", "farm", "tavern")}})

    for seat in (0, 1, None):
        assert ("shrine", 4) == (
            RULESET.view(shrine, seat).towns[0].monument.id,
            RULESET.view(shrine, seat).towns[0].shrine,
        )
        assert ("cottage", "farm", "tavern") == RULESET.view(watch, seat).towns[0].stock
    assert RULESET.view(shrine, None).towns[1].monument is None
    assert "monument" == square(RULESET.view(shrine, 1), 0, "a1").type


def test_figures_come_from_the_table_that_the_game_is_played_with():
    state = position("....", "....")
    cards = tuple(replace(one, points=(7,)) if one.id == "well" else one for one in state.tables.buildings)
    other = replace(state, tables=replace(state.tables, buildings=cards, feeding=replace(state.tables.feeding, farm=5)))

    view = RULESET.view(other, 0)

    assert (7,) == next(card.points for card in view.cards if card.id == "well")
    assert 5 == view.farm


def test_openings_name_the_squares_that_the_cube_would_complete():
    state = position("bb../...s/..../....", resource="glass", namer=1)

    assert (Opening("c1", ("tavern",)),) == RULESET.view(state, 0).openings


def test_openings_name_all_cards_of_a_square_and_squares_in_their_order():
    state = position("w.w./..../w.../....", cards="shed", resource="stone", namer=1)

    found = RULESET.view(state, 0).openings

    assert ["b1", "d1", "a2", "c2", "b3", "a4"] == [one.square for one in found]
    assert {("shed",)} == {one.cards for one in found}


def test_openings_count_the_monument_in_the_own_hand_for_its_owner_alone():
    state = position("hh../b.../..../....", "hh../b.../..../....", resource="glass", namer=1, hand={0: "archive"})

    mine, other = RULESET.view(state, 0).openings, RULESET.view(state, 1).openings

    assert (Opening("b2", ("cottage", "archive")),) == tuple(one for one in mine if "archive" in one.cards)
    assert not any("archive" in one.cards for one in other)
    assert () == RULESET.view(state, None).openings


def test_openings_follow_what_came_instead_and_end_with_the_placement():
    state = position("bb.K/..../....", resource="wood", namer=1, values={0: {"held": {"d1": "wood"}}})
    assert () == RULESET.view(state, 0).openings

    swapped = after(state, "0: swap glass")
    assert (Opening("c1", ("tavern",)),) == RULESET.view(swapped, 0).openings
    assert () == RULESET.view(after(swapped, "0: place d4"), 0).openings


def test_who_names_next_skips_who_may_not():
    assert 2 == RULESET.view(position("....", "M...", "....", hand={1: "fort"}), None).next
    assert 1 == RULESET.view(position("....", "....", "....", completed={2: 3}), None).next
    assert 2 == RULESET.view(position("....", "....", "....", completed={1: 3}), None).next


def test_nobody_names_in_town_hall_and_solo():
    hall = RULESET.view(position("....", "....", town_hall=True, namer=-1), 0)
    alone = RULESET.view(position("....", solo=True), 0)

    assert (None, None, None) == (hall.builder, hall.namer, hall.next)
    assert (None, None, None) == (alone.builder, alone.namer, alone.next)
    assert ("wood", "wheat", "brick") == alone.open


def test_town_hall_shows_the_cards_drawn_and_the_free_round():
    drawn = replace(position("....", "....", town_hall=True, namer=-1), seen=("wood", "stone"))

    assert (("wood", "stone"), False) == (RULESET.view(drawn, 1).seen, RULESET.view(drawn, 1).free)
    free = RULESET.view(position("....", "....", town_hall=True, namer=-1, resource="", round=6), 1)
    assert (True, "") == (free.free, free.resource)


def test_in_solo_the_cards_of_the_pile_are_not_shown():
    view = RULESET.view(replace(position("....", solo=True), under=("glass",)), 0)

    assert () == view.seen
    assert "glass" not in msgspec.json.encode((view.open, view.seen, view.resource)).decode()


def test_the_end_is_told():
    last = game(2, 5)[-1].position.state

    view = RULESET.view(last, None)

    assert (True, None, "over") == (view.over, view.next, view.stage)
    assert all(town.completed for town in view.towns)


def test_who_is_to_keep_a_monument_sees_both_and_the_others_none():
    state = draw_all(start(3))
    assert CHANCE not in [one.seat for one in RULESET.pending(state)]

    for seat in state.seats:
        dealt = state.players[seat].dealt
        assert dealt == tuple(card.id for card in RULESET.view(state, seat).dealt)
        assert 2 == len(dealt)
        for other in (*(one for one in state.seats if one != seat), None):
            assert not any(f':"{card}"' in seen(state, other) for card in dealt)


def test_before_the_first_hammer_nobody_is_next():
    view = RULESET.view(start(3), 0)

    assert (None, None, None) == (view.builder, view.namer, view.next)


@pytest.mark.parametrize("monument", MONUMENTS)
def test_no_view_of_another_names_the_monument_in_the_hand(monument):
    state = position("bb../ww..", "....", "....", hand={0: monument})

    assert monument == RULESET.view(state, 0).own.id
    assert RULESET.view(state, 1).own is None
    for other in (1, 2, None):
        assert f':"{monument}"' not in seen(state, other)


def test_what_is_hidden_changes_no_byte_of_another_view():
    for number in range(1, 30):
        state = Setting("tiny_towns", 3, drawn=number).start().state
        for seat in state.seats:
            player = state.players[seat]
            if not player.town.monument:
                other = next(name for name in MONUMENTS if name != player.monument)
                players = tuple(replace(one, monument=other) if one is player else one for one in state.players)
                changed = replace(state, players=players, returned=())
                assert all(seen(state, one) == seen(changed, one) for one in (*state.seats, None) if one != seat)


@pytest.mark.parametrize("options", [{}, *(options for options, _ in VARIANTS)], ids=str)
def test_a_view_survives_its_text_in_every_variant(options):
    setting = Setting("tiny_towns", 4, tuple(options.items()))
    for number in range(1, 8):
        state = replace(setting, drawn=number).start().state
        for seat in (*state.seats, None):
            view = RULESET.view(state, seat)
            assert view == msgspec.json.decode(msgspec.json.encode(view), type=View)
            assert state.variant.villagers == view.villagers
            assert ("yes" == dict(options).get("cavern")) == bool(view.cavern)


def test_the_one_who_names_sees_the_hammer():
    state = naming("....", "....", "....", namer=1)

    assert (2, None, "") == (
        RULESET.view(state, 0).builder,
        RULESET.view(state, 0).namer,
        RULESET.view(state, 0).resource,
    )
    assert (2, 2, "glass") == tuple(
        getattr(RULESET.view(after(state, "2: name glass"), 0), name) for name in ("builder", "namer", "resource")
    )
