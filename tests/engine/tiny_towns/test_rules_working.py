"""Rules T-262 to T-271: villagers at work."""

import random

import pytest

from engine.tiny_towns import RULESET
from engine.tiny_towns.components import BUILDINGS, MONUMENTS
from engine.tiny_towns.layouts import NUMBER, SQUARES
from engine.tiny_towns.moves import Activate, Done, Scrap
from tests.engine.tiny_towns.positions import (
    COMPONENTS,
    after,
    drawn,
    owed,
    play,
    position,
    refusal,
    squares_for,
    start,
    texts,
    told,
)


def workers(state, seat=0):
    """The names of the squares where villagers of *seat* work."""
    return [SQUARES[at] for at in state.town(seat).workers]


def villagers(state, seat=0):
    """The names of the squares of the villagers of *seat* who do not work."""
    return [SQUARES[at] for at in state.town(seat).villagers]


def cubes(layout, villager):
    """The drawing of a town in which *layout* lies at the top left, a villager on its square number *villager*."""
    squares = [(y, x) for y, row in enumerate(layout) for x, letter in enumerate(row) if letter != "."]
    rows = []
    for y in range(4):
        signs = ""
        for x in range(4):
            letter = layout[y][x].lower() if y < len(layout) and x < len(layout[y]) else "."
            signs += letter + "*" * ((y, x) == squares[villager])
        rows.append(signs)
    y, x = squares[villager]
    return "/".join(rows), SQUARES[4 * y + x]


def built(name, villager):
    """Card *name* constructed on the square of its villager: the position after it, the square, what happened."""
    card = COMPONENTS.card(name)
    drawing, square = cubes(card.layout, villager)
    named = {"hand": name} if name in MONUMENTS else {"cards": name}
    state = after(position(drawing, lodge=False, **named), "0: place d4")
    state, events = play(state, f"0: build {name} {square}")
    return state, square, told(events)


@pytest.mark.rule("T-262")
def test_a_building_put_on_villager_and_cube_employs():
    state = after(position("bbg*.", lodge=False), "0: place d4")

    state, events = play(state, "0: build tavern c1")

    assert "..E*./..../..../...w" == drawn(state)
    assert [("towns.works", {"seat": 0, "square": "c1", "card": "tavern"})] == told(events)[1:2]
    assert (["c1"], []) == (workers(state), villagers(state))


@pytest.mark.rule("T-262")
def test_who_was_just_employed_can_pay_in_the_same_round():
    state = after(position("bbg*.", lodge=False), "0: place d4", "0: build tavern c1")

    state = after(state, "0: activate forage c1")

    assert ([], 1) == (workers(state), state.town(0).lodge)


@pytest.mark.rule("T-263")
def test_a_building_put_elsewhere_leaves_the_villager_on_its_emptied_square():
    state = after(position("bbg*.", lodge=False), "0: place d4", "0: build tavern a1")

    assert "E..*./..../..../...w" == drawn(state)
    assert ([], ["c1"]) == (workers(state), villagers(state))
    state, events = play(state, "1: place a1")
    assert "E..*./..../..../...w" == drawn(state)
    assert not [key for key, _ in told(events) if key in ("towns.moved", "towns.to-lodge")]
    assert ["1 towns.name"] == owed(state)


@pytest.mark.rule("T-264")
def test_a_worker_stays_from_round_to_round():
    state = position("E*...", lodge=False)

    for namer, square in ((1, "b2"), (0, "c2"), (1, "d2"), (0, "a3")):
        state = after(state, f"0: place {square}", "0: done", f"1: place {square}")
        assert [f"{namer} towns.name"] == owed(state)
        assert ["a1"] == workers(state)
        state = after(state, f"{namer}: name wood")
    assert ["a1"] == workers(state)


@pytest.mark.rule("T-264")
@pytest.mark.parametrize("dear", ["innovate", "renovate", "cooperate"])
def test_in_no_game_a_worker_leaves_except_to_pay(dear):
    rng = random.Random(dear)
    for cheap in ("cut-corners", "forage", "scrap"):
        state, paid = start(2, cheap=cheap, dear=dear), 0
        while RULESET.pending(state):
            seat = rng.choice(RULESET.pending(state)).seat
            moves = list(RULESET.legal(state, seat))
            move = rng.choice([one for one in moves if not isinstance(one, Done)] or moves)
            done = RULESET.apply(state, seat, move).state
            for one in range(2):
                payers = move.squares if isinstance(move, Activate | Scrap) and one == seat else ()
                paid += len(payers)
                assert {*workers(state, one)} - {*workers(done, one)} == {*payers}
            state = done


@pytest.mark.rule("T-265")
@pytest.mark.parametrize("name", [*BUILDINGS, *MONUMENTS])
def test_villagers_can_work_in_every_building_and_every_monument(name):
    squares = sum(letter != "." for row in COMPONENTS.card(name).layout for letter in row)
    for villager in range(squares):
        state, square, events = built(name, villager)
        assert ("towns.works", {"seat": 0, "square": square, "card": name}) in events
        assert [square] == workers(state)
        assert [] == villagers(state)


@pytest.mark.rule("T-265")
def test_a_villager_in_the_castle_pays_like_any_other():
    state, square, _ = built("castle", 0)

    assert f"activate forage {square}" in texts(state)


@pytest.mark.rule("T-266")
@pytest.mark.parametrize("stored", [1, 2, 3])
def test_cubes_on_a_warehouse_do_not_displace_its_worker(stored):
    held = {0: {"held": {"a1": " ".join(["glass"] * (stored - 1))}}}
    state = position("K*...", cards="warehouse", namer=1, values=held, lodge=False)

    state = after(state, "0: store a1", "0: done", "1: place a1")

    assert stored == len(state.town(0).held[0])
    assert (["a1"], []) == (workers(state), villagers(state))


@pytest.mark.rule("T-266")
def test_nor_does_an_exchange():
    held = {0: {"held": {"a1": "glass"}}}
    state = position("K*...", cards="warehouse", namer=1, values=held, lodge=False)

    state = after(state, "0: exchange a1 glass", "0: place d4", "0: done", "1: place a1")

    assert ("wood",) == state.town(0).held[0]
    assert (["a1"], []) == (workers(state), villagers(state))


@pytest.mark.rule("T-266")
@pytest.mark.parametrize("name", ["bank", "factory"])
def test_a_marker_does_not_displace_the_worker(name):
    state, square, _ = built(name, 0)

    state = after(state, "0: mark glass", "0: done", "1: place a1")

    assert ("glass",) == state.town(0).held[NUMBER[square]]
    assert ([square], []) == (workers(state), villagers(state))


@pytest.mark.rule("T-266")
def test_a_cube_that_the_statue_puts_on_a_cottage_does_not_displace_its_worker():
    state = position("C*M..", hand="statue", namer=1, lodge=False)

    state = after(state, "0: store a1", "0: done", "1: place a1")

    assert ("wood",) == state.town(0).held[0]
    assert (["a1"], []) == (workers(state), villagers(state))


@pytest.mark.rule("T-267")
def test_a_piece_of_the_watch_employs_nobody():
    stock = {0: {"stock": ("cottage", "well", "tavern")}}
    state = position(".*..M", "bbg.", hand="watch", values=stock, lodge=False)
    state = after(state, "0: place d4", "1: place a2", "1: build tavern a1")

    state, events = play(state, "0: settle a1")

    assert "towns.works" not in [key for key, _ in told(events)]
    assert ([], ["a1"]) == (workers(state), villagers(state))
    assert ["0 towns.villagers"] == owed(state)
    assert ["move a1 b1", "move a1 a2"] == texts(state)


@pytest.mark.rule("T-267", "T-268")
def test_the_piece_of_the_university_employs_nobody():
    state = position(".*.b./.sgs", hand="university", lodge=False)
    state = after(state, "0: place d4", "0: build university c2")

    state, events = play(state, "0: add tavern a1")

    assert "towns.works" not in [key for key, _ in told(events)]
    assert "E*.../..M./..../...w" == drawn(state)
    assert ([], ["a1"]) == (workers(state), villagers(state))
    assert "turn.not-owed" == refusal(state, "0: activate forage a1")
    state = after(state, "1: place a1")
    assert ["0 towns.villagers"] == owed(state)
    assert ["move a1 b1", "move a1 a2"] == texts(state)


@pytest.mark.rule("T-268")
@pytest.mark.parametrize("square", ["b1", "a2"])
def test_the_villager_below_the_piece_goes_to_the_next_square(square):
    state = position("E*.../.bbg", values={0: {"idle": "a1"}}, lodge=False)
    state = after(state, "0: place d4")

    assert "ability.nobody" == refusal(state, "0: activate forage a1")
    state = after(state, "0: done", "1: place a1", f"0: move a1 {square}")
    assert ([], [square]) == (workers(state), villagers(state))
    assert drawn(state).startswith("E")


@pytest.mark.rule("T-269")
def test_a_shed_put_on_a_villager_employs():
    state = after(position("ws.*.", cards="shed", lodge=False), "0: place d4")

    state = after(state, "0: build shed c1")

    assert "..A*./..../..../...w" == drawn(state)
    assert ["c1"] == workers(state)


@pytest.mark.rule("T-269")
@pytest.mark.parametrize("name", [one.id for one in COMPONENTS.buildings])
def test_after_an_obelisk_any_building_put_on_a_villager_employs(name):
    drawing, _ = cubes(COMPONENTS.card(name).layout, 0)
    rows = drawing.replace("*", "").split("/")
    state = position("/".join((*rows[:3], "M.*..")), cards=name, hand="obelisk", lodge=False)

    state = after(state, "0: place d4", f"0: build {name} b4")

    assert ["b4"] == workers(state)


@pytest.mark.rule("T-270")
@pytest.mark.parametrize(
    ("drawing", "lines"),
    [
        ("b*b../C*C*C*.", ("0: activate cut-corners a2", "0: build tavern a1")),
        ("w*hb./C*C*C*.", ("0: activate innovate a2 b2", "0: build tavern a1")),
        ("b*..g/C*C*C*b", ("0: activate cooperate a2 b2 c2", "0: build tavern a1")),
    ],
)
def test_an_ability_that_constructs_on_a_villager_employs(drawing, lines):
    helpers = ("cut-corners", "innovate", "cooperate")
    state = after(position(drawing, helpers=helpers, lodge=False), "0: place d4")

    state = after(state, *lines)

    assert drawn(state).startswith("E*")
    assert "a1" in workers(state)
    assert [] == villagers(state)


@pytest.mark.rule("T-271")
def test_who_works_in_a_building_that_the_guild_replaces_stays_at_work():
    state = position("..g./.hs./wb../C*...", hand="guild", lodge=False)
    state = after(state, "0: place d4", "0: build guild a3", "0: replace a4 tavern")

    assert "..../..../M.../E*..w" == drawn(state)
    assert (["a4"], []) == (workers(state), villagers(state))
    state = after(state, "0: skip", "0: activate forage a4")
    assert [] == workers(state)


@pytest.mark.rule("T-271")
def test_who_does_not_work_there_is_not_employed_by_the_guild():
    state = position("..g./.hs./wb../C*...", hand="guild", values={0: {"idle": "a4"}}, lodge=False)

    state = after(state, "0: place d4", "0: build guild a3", "0: replace a4 tavern", "0: skip", "1: place a1")

    assert ([], ["a4"]) == (workers(state), villagers(state))
    assert ["b4"] == squares_for(state, "move a4")
