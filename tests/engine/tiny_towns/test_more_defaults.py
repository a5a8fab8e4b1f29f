"""What is played where no answer comes in time: the table of README.md, row by row, and its law."""

import pytest
from msgspec.structs import replace

from engine.core.types import CHANCE
from engine.tiny_towns import RULESET
from engine.tiny_towns.state import Forging, Stocking, push
from tests.contract.titles import Setting
from tests.engine.tiny_towns.games import ready
from tests.engine.tiny_towns.laws import VARIANTS
from tests.engine.tiny_towns.positions import after, draw_all, naming, owed, position, start, texts


def default(state, seat=0):
    return RULESET.grammar.format_move(RULESET.default(state, seat))


def test_of_two_monuments_the_first_dealt_is_kept():
    state = draw_all(start(2))
    first, second = state.players[1].dealt
    turned = replace(state, players=(state.players[0], replace(state.players[1], dealt=(second, first))))

    assert f"keep {first}" == default(state, 1)
    assert f"keep {second}" == default(turned, 1)


def test_villagers_go_on_the_first_three_corners():
    state = draw_all(start(2, monuments="no"))

    assert ["0 towns.corners", "1 towns.corners"] == owed(state)
    assert "corners a1 d1 a4" == default(state)


def test_the_first_resource_is_named_that_no_own_bank_bars():
    banks = {"cards": "bank", "namer": 1}

    assert "name wood" == default(naming("....", namer=1))
    assert "name brick" == default(
        naming("KKK.", values={0: {"held": {"a1": "wheat", "b1": "wood", "c1": "glass"}}}, **banks)
    )
    assert "name wood" == default(naming("K...", values={0: {"held": {"a1": "stone"}}}, **banks))


def test_the_first_resource_is_taken_that_no_own_bank_bars_or_that_lies_open():
    hall = {"town_hall": True, "namer": -1, "resource": "", "round": 6}

    assert "take wood" == default(position("....", **hall))
    barred = position("K...", cards="bank", values={0: {"held": {"a1": "wood"}}}, **hall)
    assert "take wheat" == default(barred)
    alone = replace(position("....", solo=True), open=("stone", "brick", "stone"))
    assert "take brick" == default(alone)


def test_the_cube_goes_on_the_first_empty_square_whatever_else_could_be_done_with_it():
    state = position(
        "K*h*../CCC.", cards="warehouse", helpers=("scrap", "renovate"), hand="statue", namer=1, cavern=True,
        resource="wood", values={0: {"held": {"a1": "brick"}}},
    )  # fmt: skip

    assert {"store a1", "exchange a1 brick", "scrap a1", "cavern"} <= set(texts(state))
    assert "place c1" == default(state)


def test_what_came_instead_goes_on_the_first_empty_square():
    state = after(position("CK..", namer=1, resource="wood", values={0: {"held": {"b1": "wood"}}}), "0: swap glass")

    assert "place c1" == default(state)


def test_nothing_is_constructed_or_activated():
    state = after(position("bbg./C*C*C*.", helpers=("forage", "renovate"), namer=1), "0: place d4")

    assert {"build tavern a1", "activate forage a2"} <= set(texts(state))
    assert "done" == default(state)


def test_of_several_sets_of_cubes_the_first_of_the_list_serves():
    state = after(ready("bbg./b.../g..."), "0: build tavern a1")

    assert ["0 towns.cubes", "1 towns.place"] == owed(state)
    assert texts(state)[0] == default(state) == "use a1 b1 c1"


@pytest.mark.parametrize(("card", "drawing"), [("bank", "hh../wgb."), ("factory", "w.../bssb")])
def test_the_first_marker_that_is_free_is_put_on_a_building(card, drawing):
    state = after(ready(drawing, cards=card), f"0: build {card} a1")

    assert "0 towns.mark" in owed(state)
    assert "mark wood" == default(state)


def test_a_bank_beside_a_wooden_one_takes_wheat():
    state = after(ready("hh.K/wgb.", cards="bank", values={0: {"held": {"d1": "wood"}}}), "0: build bank a1")

    assert "mark wheat" == default(state)


def test_the_guild_and_the_forge_are_left():
    guild = after(ready("..gC/.hs./wb..", hand="guild"), "0: build guild c1")
    forge = push(ready("bbg."), 0, Forging())

    assert "0 towns.guild" in owed(guild)
    assert "skip" == default(guild) == default(forge)


def test_the_first_piece_goes_on_the_first_empty_square_by_the_university():
    state = after(ready(".b../sgs.", hand="university"), "0: build university b1")

    assert "0 towns.university" in owed(state)
    assert "add cottage a1" == default(state)


def test_the_first_three_cards_go_on_the_watch():
    state = push(ready("bbg."), 0, Stocking())

    assert "stock cottage farm well" == default(state)


def test_a_piece_of_the_watch_stays_there():
    stock = {0: {"stock": ("cottage", "farm", "tavern")}}
    state = position("M...", "bbg.", hand={0: "watch"}, namer=1, resource="wood", values=stock, ask_late=True)
    state = after(state, "0: place d4", "1: place d4", "1: build tavern a1")

    assert ["0 towns.watch"] == owed(state)
    assert "skip" == default(state)


def test_villagers_take_the_first_step_and_the_first_square():
    state = after(position("w*.../....", "....", namer=1, lodge=False), "0: place d4", "1: place d4")
    assert ["0 towns.villagers"] == owed(state)
    assert "move a1 b1" == default(state)

    lodged = after(position("C.C*./....", "....", namer=1), "0: place d4", "1: place d4", "0: done")
    assert "0 towns.lodge" in owed(lodged)
    assert "lodge b1" == default(lodged)


@pytest.mark.parametrize("options", [{}, *(options for options, _ in VARIANTS)], ids=str)
def test_the_default_is_the_first_of_the_list_and_spends_nothing_saved(options):
    """It takes nothing from a Warehouse, sends no worker to the Lodge, sets no cube aside and constructs nothing."""
    setting = Setting("tiny_towns", 3, tuple(options.items()))
    spending = ("store", "exchange", "swap", "cavern", "scrap", "build", "activate", "replace", "settle")
    unavoidable = ("towns.cut-corners", "towns.innovate", "towns.cooperate", "towns.renovate")
    for number in range(1, 12):
        state = replace(setting, drawn=number).start().state
        for _ in range(40):
            one = RULESET.pending(state)[0]
            if one.seat == CHANCE:
                state = draw_all(state)
                continue
            text = default(state, one.seat)
            assert text == texts(state, one.seat)[0]
            assert one.key in unavoidable or text.split(" ")[0] not in spending
            state = after(state, f"{one.seat}: {text}")
            if "over" == state.stage:
                break


def test_a_game_in_which_nobody_answers_ends_after_sixteen_rounds():
    state = start(3)

    while RULESET.pending(state):
        seat = RULESET.pending(state)[0].seat
        state = draw_all(state) if seat == CHANCE else after(state, f"{seat}: {default(state, seat)}")

    assert [-16, -16, -16] == [one.points for one in RULESET.standings(state)]
    assert 16 == state.round
