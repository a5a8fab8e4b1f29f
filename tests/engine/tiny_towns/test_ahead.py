"""What may come to a seat: the rest of its turn, the end of the round, its next naming and the next resource."""

import pytest

from engine.tiny_towns import RULESET
from tests.contract.titles import Setting
from tests.engine.tiny_towns.games import game
from tests.engine.tiny_towns.laws import VARIANTS
from tests.engine.tiny_towns.positions import after, draw_all, naming, owed, play, position, start, texts

OPENING = ("towns.place", "towns.take", "towns.build", "towns.watch", "towns.villagers", "towns.lodge")
NEVER = ("towns.cubes", "towns.mark", "towns.guild", "towns.put")
"""What comes within a turn only."""


def named(state, seat=0):
    """What is named to *seat*: key without title and number of the round -> what is told of it."""
    return {(one.decision.key.removeprefix("towns."), one.decision.occasion): one for one in RULESET.ahead(state, seat)}


def keys(state, seat=0):
    return list(named(state, seat))


def fields(state, key, occasion, seat=0):
    return dict(named(state, seat)[key, occasion].decision.fields)


def chosen(seats=2, **options):
    """A game in which all are to choose their Monuments."""
    return draw_all(start(seats, **options))


def test_corners_are_named_while_the_monument_is_owed_with_the_list():
    state = chosen()

    found = named(state)["corners", 0]

    assert {"count": 3} == dict(found.decision.fields)
    assert texts(after(state, f"0: {texts(state)[0]}")) == texts(found.state)
    assert ["0 towns.corners"] == owed(found.state)


def test_corners_are_not_named_once_they_are_owed_or_without_villagers():
    state = chosen()
    assert ("corners", 0) not in keys(after(state, f"0: {texts(state)[0]}"))

    assert ["0 towns.monument", "1 towns.monument"] == owed(chosen(villagers="no"))
    assert ("corners", 0) not in keys(chosen(villagers="no"))


def test_the_first_naming_is_named_to_the_first_master_builder_alone():
    state = chosen(3)
    holder = state.builder

    for seat in state.seats:
        assert (("name", 1) in keys(state, seat)) == (seat == holder)
        assert ("place", 1) in keys(state, seat)
        assert not [key for key, _ in keys(state, seat) if key in ("build", "villagers", "lodge", "watch")]


def test_before_the_naming_all_are_named_the_placement_of_the_round_but_no_later_one():
    state = naming("....", "....", "....", namer=1, round=5)
    assert ["2 towns.name"] == owed(state)

    for seat in (0, 1, 2):
        assert ("place", 6) in keys(state, seat)
        assert {"resource": ""} == fields(state, "place", 6, seat)
        assert ("place", 7) not in keys(state, seat)


def test_the_next_naming_is_named_with_the_list_to_who_comes_next():
    state = naming(
        "KK../....", "....", "....", cards="bank", namer=1, values={0: {"held": {"a1": "wood", "b1": "stone"}}}
    )

    found = named(state)["name", 7]

    assert ["name wheat", "name brick", "name glass"] == texts(found.state)
    assert ("name", 7) not in keys(state, 1)
    assert ("name", 7) not in keys(state, 2)


def test_who_names_now_is_named_the_next_time_only_if_it_comes_next():
    assert not [key for key, _ in keys(naming("....", "....", namer=1), 0) if key == "name"]
    assert ("name", 7) in keys(naming("....", "M...", namer=1, hand={1: "fort"}), 0)


def test_nobody_is_named_a_naming_in_town_hall_and_solo():
    for state in (position("....", "....", town_hall=True, namer=-1), position("....", solo=True)):
        assert not [key for key, _ in keys(state) if key == "name"]


def test_while_the_placement_is_owed_the_next_one_is_named_and_the_owed_one_is_not():
    state = position("....", "....", namer=1, round=5)

    assert ["0 towns.place", "1 towns.place"] == owed(state)
    assert [("name", 6), ("place", 6)] == keys(state)
    assert [("place", 6)] == keys(state, 1)


def test_who_is_done_is_named_what_comes_next():
    state = after(position("....", "....", namer=1, round=5), "0: place a1")

    assert ["1 towns.place"] == owed(state)
    assert [("name", 6), ("place", 6)] == keys(state)


def test_constructing_is_named_if_the_cube_can_complete_a_layout():
    assert ("build", 5) in keys(position("bb..", resource="glass", namer=1))
    assert ("build", 5) not in keys(position("bb..", resource="stone", namer=1))
    assert ("build", 5) not in keys(position("bbCC/CC..", resource="glass", namer=1))


def test_constructing_is_named_if_a_layout_lies_complete_already():
    assert ("build", 5) in keys(position("bbg.", resource="wood", namer=1))


def test_constructing_is_named_whatever_is_named_if_any_cube_could_complete_a_layout():
    assert ("build", 6) in keys(naming("bb..", namer=1))
    assert ("build", 6) not in keys(naming("b...", namer=1))


@pytest.mark.parametrize("card", ["factory", "warehouse"])
def test_constructing_is_named_where_another_cube_may_come_instead(card):
    black = {"cards": card, "resource": "stone", "namer": 1}

    assert ("build", 5) in keys(position("bb.K", values={0: {"held": {"d1": "stone"}}}, **black))
    assert ("build", 5) not in keys(position("bb..", **black))


def test_constructing_is_named_for_the_own_monument():
    town = {"resource": "wheat", "namer": 1}

    assert ("build", 5) in keys(position("gg../w...", hand={0: "starloom"}, **town))
    assert ("build", 5) not in keys(position("gg../w...", **town))
    assert ("build", 5) not in keys(position("gg../w..M", hand={0: "starloom"}, **town))


def test_constructing_is_named_if_workers_can_pay_for_an_ability():
    two = {"helpers": ("scrap", "renovate"), "namer": 1}

    assert ("build", 5) in keys(position("C*C*../....", **two))
    assert ("build", 5) not in keys(position("C*C..", **two))
    assert ("build", 5) in keys(position("C*C..", helpers=("forage", "renovate"), namer=1))


def test_constructing_that_is_owed_is_not_named():
    state = after(position("bb..", resource="glass", namer=1), "0: place c1")

    assert "0 towns.build" in owed(state)
    assert ("build", 5) not in keys(state)


def test_constructing_is_named_while_what_came_instead_is_to_be_placed():
    state = after(position("bb.K", resource="stone", namer=1, values={0: {"held": {"d1": "stone"}}}), "0: swap glass")

    assert "0 towns.put" in owed(state)
    assert ("build", 5) in keys(state)


def test_villagers_and_the_lodge_are_named_until_the_round_ends():
    state = position("w*.*../....", "....", namer=1, round=5)

    for now in (state, after(state, "0: place d4"), naming("w*.*../....", "....", namer=1, round=4)):
        assert {("villagers", 5), ("lodge", 5)} <= set(keys(now))
        assert {"count": 0} == fields(now, "villagers", 5) == fields(now, "lodge", 5)
        assert not named(now)["villagers", 5].decision.wait


def test_villagers_who_all_work_or_wait_in_the_lodge_do_not_move():
    state = position("C*...", "....", namer=1, round=5)

    assert ("villagers", 5) not in keys(state)
    assert ("lodge", 5) in keys(state)


def test_without_villagers_neither_is_named():
    assert not {("villagers", 5), ("lodge", 5)} & set(keys(position("....", "....", namer=1, round=5)))


def test_at_the_end_of_a_round_only_what_comes_after_it_is_named():
    state = position("w*.*../....", "w*.*../....", namer=1, round=5, resource="wood")
    state, _ = play(state, "0: place d4", "1: place d4")

    assert ["0 towns.villagers", "1 towns.villagers"] == owed(state)
    assert [("name", 6), ("place", 6)] == keys(state)
    assert [("place", 6)] == keys(state, 1)


def test_late_questions_are_waited_for_with_the_option():
    state = position("w*.*../....", "....", namer=1, round=5, ask_late=True)

    assert named(state)["villagers", 5].decision.wait
    assert named(state)["lodge", 5].decision.wait


def test_the_watch_is_named_while_pieces_lie_on_it():
    stock = {0: {"stock": ("cottage", "farm", "tavern")}}
    state = position("M...", "....", namer=1, round=5, hand={0: "watch"}, values=stock)

    assert {"card": ""} == fields(state, "watch", 5)
    assert not named(state)["watch", 5].decision.wait
    assert ("watch", 5) not in keys(state, 1)
    bare = position("M...", "....", namer=1, round=5, hand={0: "watch"}, values={0: {"stock": ()}})
    assert ("watch", 5) not in keys(bare)


def test_the_watch_is_not_named_in_the_round_in_which_it_is_constructed():
    ready = position("w.../bghh/s...", "....", namer=1, round=5, hand={0: "watch"}, resource="wood")
    built = after(ready, "0: place d4", "0: build watch a1")
    assert "0 towns.stock" in owed(built)

    stocked = after(built, f"0: {texts(built)[0]}")

    assert stocked.town(0).stock
    assert ("watch", 5) not in keys(stocked)


def test_in_town_hall_the_free_choice_of_the_next_round_is_named():
    second = position("....", "....", town_hall=True, namer=-1, round=5)
    first = position("....", "....", town_hall=True, namer=-1, round=4)

    assert [("take", 6), ("place", 6)] == keys(second)
    assert [("place", 5)] == keys(first)


def test_in_a_free_round_the_placement_of_this_round_comes_after_the_choice():
    state = position("bb..", "....", town_hall=True, namer=-1, round=6, resource="")

    assert ["0 towns.take", "1 towns.take"] == owed(state)
    assert [("place", 6), ("build", 6)] == keys(state)
    assert [("place", 7)] == keys(after(state, "0: take wood"))[-1:]


def test_in_solo_the_choice_of_the_next_round_is_named_once_this_one_is_made():
    state = position("....", solo=True, round=5)

    assert [("place", 5)] == keys(state)
    assert [("take", 6), ("place", 6)] == keys(after(state, "0: take wood"))


def test_nothing_is_named_to_a_complete_town_or_when_the_game_is_over():
    state = position("....", "....", "....", namer=1, completed={2: 3})

    assert [] == keys(state, 2)
    last = game(2, 5)[-1].position.state
    assert [] == keys(last, 0) == keys(last, 1)


def test_what_is_named_follows_nothing_that_another_has_done_in_the_round():
    state = position("bb..", "bb..", namer=1, resource="glass", round=5)
    before = RULESET.ahead(state, 1)

    assert before == RULESET.ahead(after(state, "0: place c1"), 1)
    assert before == RULESET.ahead(after(state, "0: place d4"), 1)


@pytest.mark.parametrize("options", [{}, *(options for options, _ in VARIANTS)], ids=str)
def test_what_comes_was_named(options):
    """Each question with a choice that opens a turn or ends a round was named before; the hammer may skip a seat."""
    seats = 1 if "feast-hall" in options else 3
    for seed in range(3):
        told = [set() for _ in range(seats)]
        for record in game(seats, seed, **{name.replace("-", "_"): value for name, value in options.items()}):
            state = record.position.state
            for one in RULESET.pending(state):
                if one.key in OPENING and told[one.seat] and len(texts(state, one.seat)) > 1:
                    assert (one.key, one.occasion) in told[one.seat], one
            for seat in range(seats):
                told[seat] |= {(one.decision.key, one.decision.occasion) for one in RULESET.ahead(state, seat)}


def test_nothing_that_comes_within_a_turn_is_named():
    for number in range(1, 40):
        state = Setting("tiny_towns", 3, drawn=number).start().state
        for seat in state.seats:
            assert not {one.decision.key for one in RULESET.ahead(state, seat)} & set(NEVER)
