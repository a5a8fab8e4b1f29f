"""Rules T-287 to T-300: paying for abilities, and the three that construct, held against a slow search."""

import random
from collections import Counter
from itertools import combinations

import pytest
from msgspec.structs import replace

from engine.core.errors import TableError
from engine.core.tables import load_tables
from engine.tiny_towns.components import HELPERS, MONUMENTS, read_components
from engine.tiny_towns.layouts import SQUARES
from tests.engine.tiny_towns.positions import (
    COMPONENTS,
    TABLES,
    after,
    drawn,
    owed,
    play,
    position,
    refusal,
    squares_for,
    texts,
    told,
)

CONSTRUCTING = ("cut-corners", "innovate", "cooperate")
AFTER_PLACING = tuple(name for name in HELPERS if name != "scrap")
WORKERS = "C*C*C*."


def acting(drawing, *helpers, **values):
    """A position in which seat 0 has placed its wood on d4, *helpers* being open."""
    return after(position(drawing, helpers=helpers, lodge=False, **values), "0: place d4")


def workers(state):
    """The names of the squares where villagers of seat 0 work."""
    return [SQUARES[at] for at in state.town(0).workers]


def payments(state, helper):
    """The squares that may pay for *helper*, as words."""
    return [text.split(" ", 2)[2] for text in texts(state) if text.startswith(f"activate {helper} ")]


# --- the cost ---


@pytest.mark.rule("T-287")
@pytest.mark.parametrize("helper", AFTER_PLACING)
def test_an_ability_costs_as_many_villagers_as_the_card_says(helper):
    state = acting(f"{WORKERS}/bbg./whs./.s..", helper)
    cost = COMPONENTS.helper(helper).cost

    assert cost in (1, 2, 3)
    assert {cost} == {len(paid.split()) for paid in payments(state, helper)}
    for count in {1, 2, 3} - {cost}:
        assert "ability.cost" == refusal(state, f"0: activate {helper} {' '.join(['a1', 'b1', 'c1'][:count])}")


@pytest.mark.rule("T-287")
def test_scrap_costs_as_many_villagers_as_the_card_says():
    state = position(WORKERS, helpers=("scrap",))

    assert ["scrap a1", "scrap b1", "scrap c1"] == [text for text in texts(state) if text.startswith("scrap")]
    assert "ability.cost" == refusal(state, "0: scrap a1 b1")
    assert "ability.cost" == refusal(state, "0: scrap")


@pytest.mark.rule("T-287")
@pytest.mark.parametrize("cost", [0, 4])
def test_no_table_makes_a_card_cost_less_than_one_or_more_than_three(cost):
    text = TABLES.text.replace('id = "cooperate"\ncost = 3', f'id = "cooperate"\ncost = {cost}')

    assert text != TABLES.text
    with pytest.raises(TableError, match=r"helpers"):
        read_components(load_tables(text.encode()))


@pytest.mark.rule("T-288")
@pytest.mark.parametrize(("helper", "paid"), [("forage", "b1"), ("innovate", "a1 c1"), ("cooperate", "a1 b1 c1")])
def test_workers_pay_and_go_to_the_lodge(helper, paid):
    state = acting(f"{WORKERS}/bbg./whs.", helper)

    state, events = play(state, f"0: activate {helper} {paid}")

    assert len(paid.split()) == state.town(0).lodge
    assert [square for square in ("a1", "b1", "c1") if square not in paid.split()] == workers(state)
    assert () == state.town(0).villagers
    assert ("towns.activated", {"seat": 0, "helper": helper, "squares": tuple(paid.split())}) == told(events)[0]


@pytest.mark.rule("T-288")
def test_two_workers_cannot_pay_for_three_and_one_does_not_pay_twice():
    state = acting("C*C*../bbg./whs.", "cooperate", "innovate")

    assert [] == payments(state, "cooperate")
    assert "ability.nobody" == refusal(state, "0: activate cooperate a1 b1 c1")
    assert "ability.cost" == refusal(state, "0: activate innovate a1 a1")


@pytest.mark.rule("T-289")
@pytest.mark.parametrize("square", ["b1", "c1", "d1", "a2", "a4"])
def test_who_does_not_work_cannot_pay(square):
    state = acting("C*.*g*E*/C...", "forage", values={0: {"idle": "d1", "lodge": 1}})

    assert ["a1"] == payments(state, "forage")
    assert "ability.nobody" == refusal(state, f"0: activate forage {square}")


@pytest.mark.rule("T-289")
def test_villagers_of_the_lodge_do_not_pay():
    state = position("CCC./bbg.", helpers=("forage", "scrap"), villagers=True, values={0: {"lodge": 3}})

    assert "ability.nobody" == refusal(state, "0: scrap a1")
    state = after(state, "0: place d4")
    assert [] == payments(state, "forage")
    assert "ability.nobody" == refusal(state, "0: activate forage a1")


@pytest.mark.rule("T-289")
@pytest.mark.parametrize("square", ["b1", "c1", "d1", "a2", "a4"])
def test_who_does_not_work_cannot_pay_for_scrap_either(square):
    state = position("C*.*g*E*/C...", helpers=("scrap",), values={0: {"idle": "d1", "lodge": 1}})

    assert "ability.nobody" == refusal(state, f"0: scrap {square}")


@pytest.mark.rule("T-290")
def test_which_workers_pay_is_the_owners_choice_and_the_buildings_stay():
    state = acting("C*E*A*./bbg./whs.", "forage", "innovate", "renovate")

    assert ["a1", "b1", "c1"] == payments(state, "forage")
    for helper in ("innovate", "renovate"):
        assert ["a1 b1", "a1 c1", "b1 c1"] == payments(state, helper)
        paid = after(state, f"0: activate {helper} a1 c1")
        assert "CE*A./bbg./whs./...w" == drawn(paid)
    assert "ability.order" == refusal(state, "0: activate innovate c1 a1")


# --- when ---


@pytest.mark.rule("T-291")
@pytest.mark.parametrize("helper", AFTER_PLACING)
def test_no_ability_comes_before_the_placement(helper):
    state = position(f"{WORKERS}/bbg./whs.", helpers=(helper,))
    paid = " ".join(["a1", "b1", "c1"][: COMPONENTS.helper(helper).cost])

    assert "turn.not-asked" == refusal(state, f"0: activate {helper} {paid}")
    assert f"activate {helper} {paid}" in texts(after(state, "0: place d4"))


@pytest.mark.rule("T-291")
def test_abilities_come_before_between_and_after_constructions():
    state = acting(f"{WORKERS}/bbg./bbg.", "forage")

    state = after(state, "0: activate forage a1", "0: add wheat a4", "0: build tavern a2")
    state = after(state, "0: activate forage b1", "0: add wheat b4", "0: build tavern a3")
    state = after(state, "0: activate forage c1", "0: add wheat c4")

    assert "CCC./E.../E.../hhhw" == drawn(state)


@pytest.mark.rule("T-291")
def test_no_ability_comes_after_the_own_end_of_the_round():
    state = after(acting(f"{WORKERS}/bbg.", "forage"), "0: done")

    assert "turn.not-owed" == refusal(state, "0: activate forage a1")
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-291")
def test_scrap_comes_in_the_place_of_the_placement_only():
    state = position(f"{WORKERS}/bbg.", helpers=("scrap", "forage"))

    assert "scrap a1" in texts(state)
    assert "turn.not-asked" == refusal(state, "0: activate scrap a1")
    placed = after(state, "0: place d4")
    assert "ability.scrap" == refusal(placed, "0: activate scrap a1")
    assert "turn.not-asked" == refusal(placed, "0: scrap a1")


@pytest.mark.rule("T-292")
def test_the_same_ability_serves_as_often_as_workers_last():
    state = acting(WORKERS, "forage")

    for square, cube in (("b1", "a3"), ("a1", "b3"), ("c1", "c3")):
        assert square in payments(state, "forage")
        state = after(state, f"0: activate forage {square}", f"0: add stone {cube}")

    assert "CCC./..../sss./...w" == drawn(state)
    assert 3 == state.town(0).lodge
    assert ["1 towns.place"] == owed(state)


@pytest.mark.rule("T-292")
def test_different_abilities_may_follow_each_other():
    state = acting(f"{WORKERS}/bb..", "forage", "innovate")

    state = after(state, "0: activate forage a1", "0: add wheat c2", "0: activate forage b1", "0: add glass b3")

    assert [] == payments(state, "innovate")
    assert ["c1"] == payments(state, "forage")


# --- one ability for one construction ---


@pytest.mark.rule("T-293")
@pytest.mark.parametrize("second", ["innovate b1 c1", "cut-corners b1"])
def test_a_second_ability_for_the_same_construction_is_refused(second):
    state = acting(f"{WORKERS}/bb../whs.", "cut-corners", "innovate")

    state = after(state, "0: activate cut-corners a1")

    assert ["b1", "c1"] == workers(state)
    assert "turn.not-asked" == refusal(state, f"0: activate {second}")
    assert {"build"} == {text.split()[0] for text in texts(state)}


@pytest.mark.rule("T-293")
@pytest.mark.parametrize("paid", ["cut-corners a1", "innovate a1 b1"])
def test_what_would_need_two_abilities_is_out_of_reach(paid):
    state = acting(f"{WORKERS}/wh..", "cut-corners", "innovate")

    state = after(state, f"0: activate {paid}")

    assert "build.layout" == refusal(state, "0: build tavern a2")
    assert [] == squares_for(state, "build tavern")


@pytest.mark.rule("T-294")
def test_a_foraged_cube_serves_in_a_construction_with_innovate():
    state = acting(f"{WORKERS}/wh..", "forage", "innovate")
    state = after(state, "0: activate forage a1", "0: add stone c2", "0: activate innovate b1 c1")

    state = after(state, "0: build tavern c2")

    assert "CCC./..E./..../...w" == drawn(state)


@pytest.mark.rule("T-294")
def test_a_foraged_cube_serves_in_a_construction_with_cut_corners():
    state = acting(f"{WORKERS}/b...", "forage", "cut-corners")
    state = after(state, "0: activate forage a1", "0: add brick b2", "0: activate cut-corners b1")

    state = after(state, "0: build tavern a2")

    assert "CCC*./E.../..../...w" == drawn(state)


@pytest.mark.rule("T-295")
@pytest.mark.parametrize(
    ("lines", "key"),
    [
        (("activate forage d1",), "forage"),
        (("activate renovate d1 d2",), "renovate"),
        (("activate cut-corners d1",), "cut-corners"),
        (("activate innovate d1 d2",), "innovate"),
        (("activate cooperate d1 d2 d3",), "cooperate"),
        (("activate cooperate d1 d2 d3", "build tavern a1"), "give"),
        (("activate cut-corners d1", "build tavern b1"), "cubes"),
        (("activate renovate d1 d2", "replace d3 factory"), "mark"),
        (("activate cut-corners d1", "build factory a3"), "mark"),
    ],
)
def test_an_ability_is_settled_in_full_before_the_next(lines, key):
    state = acting("bbgC*/bb.C*/wh.C*/bss.", *AFTER_PLACING)

    state = after(state, *(f"0: {line}" for line in lines))

    assert [f"0 towns.{key}", "1 towns.place"] == owed(state)
    for line in ("done", "activate forage d3", "activate cut-corners d3", "activate innovate d2 d3", "place c2"):
        assert "turn.not-asked" == refusal(state, f"0: {line}")


@pytest.mark.rule("T-296")
def test_two_constructions_of_a_round_may_each_use_an_ability():
    state = acting(f"{WORKERS}/bb../..../bb..", "cut-corners")

    state = after(state, "0: activate cut-corners a1", "0: build tavern a2")
    state = after(state, "0: activate cut-corners b1", "0: build tavern a4")

    assert "CCC*./E.../..../E..w" == drawn(state)


@pytest.mark.rule("T-297")
@pytest.mark.parametrize("helper", AFTER_PLACING)
def test_who_pays_is_in_the_lodge_before_the_ability_acts(helper):
    state = acting(f"{WORKERS}/bbg./whs.", helper)
    cost = COMPONENTS.helper(helper).cost

    state = after(state, f"0: activate {helper} {' '.join(['a1', 'b1', 'c1'][:cost])}")

    assert [f"0 towns.{helper}", "1 towns.place"] == owed(state)
    assert cost == state.town(0).lodge
    assert ["a1", "b1", "c1"][cost:] == workers(state)


@pytest.mark.rule("T-297")
def test_also_who_worked_in_the_building_that_the_ability_acts_on():
    state = acting(WORKERS, "renovate")

    state = after(state, "0: activate renovate a1 b1", "0: replace a1 tavern")

    assert "ECC*./..../..../...w" == drawn(state)


@pytest.mark.rule("T-298")
def test_who_was_employed_by_one_construction_may_pay_for_the_next():
    state = acting("b*bg./bb..", "cut-corners")

    assert [] == payments(state, "cut-corners")
    state = after(state, "0: build tavern a1", "0: activate cut-corners a1", "0: build tavern b2")

    assert "E.../.E../..../...w" == drawn(state)


# --- what is constructed ---


def size(card):
    """How many cubes *card* takes."""
    return sum(letter != "." for row in card.layout for letter in row)


def laid(layout, signs):
    """The drawing of a town with a cube on each square of *layout*: the next of *signs*, when they end the printed."""
    rows = ["".join("." if letter == "." else next(signs, letter.lower()) for letter in row) for row in layout]
    return "/".join((*(row.ljust(4, ".") for row in rows), *["...."] * (3 - len(rows)), WORKERS))


CARDS = (*COMPONENTS.buildings, *COMPONENTS.monuments)


@pytest.mark.rule("T-299")
@pytest.mark.parametrize(
    ("helper", "name"),
    [(helper, card.id) for helper in CONSTRUCTING for card in CARDS if helper != "innovate" or size(card) <= 5],
)
def test_each_constructs_any_open_card_and_the_own_monument(helper, name):
    named = {"hand": name} if name in MONUMENTS else {"cards": name}
    drawing = laid(COMPONENTS.card(name).layout, iter("whbgs" if helper == "innovate" else ""))
    paid = " ".join(["a4", "b4", "c4"][: COMPONENTS.helper(helper).cost])
    state = after(acting(drawing, helper, **named), f"0: activate {helper} {paid}")

    state, _ = play(state, f"0: build {name} {squares_for(state, f'build {name}')[0]}")
    while not state.built[0]:
        state, _ = play(state, f"0: {texts(state)[0]}")

    assert (name,) == state.built[0]
    assert name in state.town(0).buildings


@pytest.mark.rule("T-299")
@pytest.mark.parametrize("helper", CONSTRUCTING)
def test_none_constructs_what_the_owner_may_not(helper):
    paid = " ".join(["a1", "b1", "c1"][: COMPONENTS.helper(helper).cost])
    state = acting(f"{WORKERS}/bbg./whs./M...", helper, hand={0: "cathedral", 1: "archive"})
    state = after(state, f"0: activate {helper} {paid}")

    assert "build.built" == refusal(state, "0: build cathedral a2")
    assert "card.not-yours" == refusal(state, "0: build archive a2")
    assert "card.not-open" == refusal(state, "0: build inn a2")


@pytest.mark.rule("T-300")
@pytest.mark.parametrize(
    ("helper", "drawing", "squares"),
    [
        ("cut-corners", "bK..", ["a1"]),
        ("cut-corners", "KbK.", ["b1"]),
        ("cut-corners", "KK..", []),
        ("innovate", "wKb.", ["a1", "c1"]),
        ("innovate", "KwK.", ["b1"]),
        ("innovate", "KKK.", []),
        ("cooperate", "b.K./...b", ["a1", "d2"]),
        ("cooperate", "K.K./...b", ["d2"]),
        ("cooperate", "K.K./.K..", []),
    ],
)
def test_a_trading_post_is_one_cube_of_any_type_and_a_real_cube_must_serve(helper, drawing, squares):
    rows = [*drawing.split("/"), "...."][:2]
    state = acting("/".join((*rows, WORKERS)), helper, cards="trading-post well", resource="brick")
    paid = " ".join(["a3", "b3", "c3"][: COMPONENTS.helper(helper).cost])
    listed = f"activate {helper} {paid}" in texts(state)

    found = squares_for(after(state, f"0: activate {helper} {paid}"), "build tavern") if listed else []
    assert squares == [square for square in found if square != "d4"]


# --- the slow search ---


SIGNS = dict(zip("WHBGS", ("wood", "wheat", "brick", "glass", "stone"), strict=True))


def small_town(rng):
    """The drawing of a town with three workers, up to eight cubes, up to two Trading Posts, perhaps an Obelisk."""
    signs = ["C*"] * 3 + ["K"] * rng.choice((0, 0, 1, 2)) + ["M"] * rng.choice((0, 0, 0, 1))
    signs += rng.choices("whbgs", weights=rng.choices(range(1, 5), k=5), k=rng.randint(2, 8))
    signs += rng.choices((".", ".*"), k=15 - len(signs))
    rng.shuffle(signs)
    signs.append(".")
    return "/".join("".join(signs[at : at + 4]) for at in (0, 4, 8, 12))


def turned(layout):
    """The eight images of *layout*: square -> letter, from (0, 0) on, each a dictionary."""
    shape = {(y, x): letter for y, row in enumerate(layout) for x, letter in enumerate(row) if letter != "."}
    for _ in range(2):
        for _ in range(4):
            shape = {(x, -y): letter for (y, x), letter in shape.items()}
            yield normal(shape)
        shape = {(y, -x): letter for (y, x), letter in shape.items()}


def normal(shape):
    """*shape* moved so that it begins in row 0 and column 0."""
    top, left = min(y for y, _ in shape), min(x for _, x in shape)
    return {(y - top, x - left): letter for (y, x), letter in shape.items()}


def lies(layout, squares):
    """Every way in which *layout* covers exactly *squares*: square -> resource."""
    places = {at: divmod(at, 4) for at in squares}
    top, left = (min(place[axis] for place in places.values()) for axis in (0, 1))
    for shape in turned(layout):
        if {(y - top, x - left) for y, x in places.values()} == {*shape}:
            yield {at: SIGNS[shape[y - top, x - left]] for at, (y, x) in places.items()}


def subsets(squares, count):
    """Every set of *count* of *squares*."""
    return combinations(sorted(squares), count)


def slow_cooperate(town, card):
    """(leaving, squares for the piece) of every set of cubes with which Cooperate constructs *card*."""
    wants = Counter(SIGNS[letter] for row in card.layout for letter in row if letter != ".")
    real = [at for at in range(16) if town.cubes[at]]
    for count in range(1, size(card) + 1):
        for leaving in subsets(real, count):
            given = Counter(town.cubes[at] for at in leaving)
            if given <= wants and size(card) - count <= len(town.wild()):
                yield leaving, {*leaving}


def slow_cut_corners(town, card, anywhere):
    """The same for Cut Corners, a set once for each square that is skipped."""
    standing = {at for at in range(16) if town.cubes[at]} | {*town.wild()}
    for squares in subsets(standing, size(card) - 1):
        for skipped in {*range(16)} - {*squares}:
            for kinds in lies(card.layout, (*squares, skipped)):
                leaving = tuple(at for at in squares if town.cubes[at])
                if leaving and all(town.cubes[at] == kinds[at] for at in leaving):
                    yield leaving, ({*leaving} | anywhere) - {skipped}


def slow_innovate(town, card, anywhere):
    """The same for Innovate."""
    standing = {at for at in range(16) if town.cubes[at]} | {*town.wild()}
    if size(card) <= 5:
        for squares in subsets(standing, size(card)):
            leaving = tuple(at for at in squares if town.cubes[at])
            unlike = len({town.cubes[at] for at in leaving}) == len(leaving)
            if leaving and unlike and any(True for _ in lies(card.layout, squares)):
                yield leaving, {*leaving} | anywhere


def slowly(state, helper):
    """Every (card, square, leaving) that *helper* can construct now, by trying all sets of squares."""
    town = state.town(0)
    own = () if town.monument else (state.players[0].monument,)
    found = set()
    for name in (*state.cards, *own):
        card = COMPONENTS.card(name)
        anywhere = {*town.empty} if name == "shed" or town.monument == "obelisk" else set()
        if helper == "cooperate":
            ways = slow_cooperate(town, card)
        else:
            ways = (slow_cut_corners if helper == "cut-corners" else slow_innovate)(town, card, anywhere)
        found |= {
            (name, SQUARES[square], tuple(SQUARES[at] for at in leaving)) for leaving, to in ways for square in to
        }
    return found


def engine_finds(state, text):
    """Every (card, square, leaving) to which the choices after *text* lead, as often as they lead there."""
    state, events = play(state, f"0: {text}")
    made = [one for key, one in told(events) if key == "towns.built"]
    if made:
        yield made[0]["card"], made[0]["square"], made[0]["cubes"]
        return
    for choice in texts(state):
        yield from engine_finds(state, choice)


@pytest.mark.rule(
    "T-300", "T-301", "T-304", "T-306", "T-309", because="one search holds for the three abilities that construct"
)
@pytest.mark.rule("T-310", "T-311", "T-313", "T-314", "T-321", "T-322", "T-323", "T-326")
@pytest.mark.parametrize("helper", CONSTRUCTING)
@pytest.mark.parametrize("seed", range(40))
def test_the_same_buildings_squares_and_sets_of_cubes_come_out_of_a_slow_search(helper, seed):
    rng = random.Random(f"{helper} {seed}")
    drawing = small_town(rng)
    drawn_cards = [
        rng.choice(COMPONENTS.of_colour(colour)).id for colour in ("red", "grey", "orange", "green", "yellow")
    ]
    monument = "obelisk" if "M" in drawing else rng.choice(COMPONENTS.monuments).id
    state = acting(drawing, helper, cards=" ".join((*drawn_cards, "trading-post")), hand=monument)
    posts = state.town(0).squares("trading-post")
    fresh = tuple(at for at in posts if rng.random() < 0.25)
    player = replace(state.players[0], town=replace(state.town(0), fresh=fresh))
    state = replace(state, players=(player, *state.players[1:]))
    paid = " ".join(workers(state)[: COMPONENTS.helper(helper).cost])

    found = list(engine_finds(state, f"activate {helper} {paid}")) if payments(state, helper) else []

    assert sorted(slowly(state, helper)) == sorted(found), drawing
