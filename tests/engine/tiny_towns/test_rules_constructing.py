"""Rules T-048 to T-060: constructing, and what a piece brings."""

import pytest

from engine.core.errors import GrammarError
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import MONUMENTS
from engine.tiny_towns.layouts import SQUARES, placements, unpack
from tests.engine.tiny_towns.games import ready, rounds_on
from tests.engine.tiny_towns.positions import (
    COMPONENTS,
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

CARDS = (*COMPONENTS.buildings, *COMPONENTS.monuments)
UNIVERSITY = ".b../sgs."
WATCH = "w.../bghh/s..."
GUILD = "..g./.hs./wb.."


def lying(card):
    """Each way in which the layout of *card* lies on the grid: a drawing, and the squares of its cubes."""
    for one in placements(card.layout):
        signs = ["."] * 16
        for letter, mask in zip("whbgs", one.needs, strict=True):
            for at in unpack(mask):
                signs[at] = letter
        yield "/".join("".join(signs[at : at + 4]) for at in range(0, 16, 4)), unpack(one.mask)


def able(drawing, card, **values):
    """A position in which seat 0 may construct *card*."""
    monument = card in MONUMENTS
    return ready(drawing, **({"hand": card} if monument else {"cards": card}), **values)


def settled(state, seat=0):
    """The position after *seat* has answered all that a piece brought, with the first of each list."""
    while any(line.startswith(f"{seat} ") and "towns.build" not in line for line in owed(state)):
        state = after(state, f"{seat}: {texts(state, seat)[0]}")
    return state


@pytest.mark.rule("T-048")
def test_a_tavern_goes_on_one_of_the_three_squares_that_its_cubes_left():
    state = after(position("bbg."), "0: place d4")

    assert ["a1", "b1", "c1"] == squares_for(state, "build tavern")
    assert ["build.square"] * 13 == [refusal(state, f"0: build tavern {square}") for square in SQUARES[3:]]
    for square, row in (("a1", "E..."), ("b1", ".E.."), ("c1", "..E.")):
        built, events = play(state, f"0: build tavern {square}")
        assert f"{row}/..../..../...w" == drawn(built)
        assert {"seat": 0, "card": "tavern", "square": square, "cubes": ("a1", "b1", "c1")} == dict(told(events)[0][1])


@pytest.mark.rule("T-048", "T-054")
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_exactly_the_cubes_of_the_layout_leave_and_all_squares_but_one_are_free(card):
    for drawing, squares in lying(card):
        state = able(drawing, card.id)
        cubes = len(squares)
        assert 16 - cubes == len(state.town(0).empty)

        for square in squares_for(state, f"build {card.id}"):
            built = after(state, f"0: build {card.id} {square}")
            assert ("",) * 16 == built.town(0).cubes
            assert [square] == [SQUARES[at] for at in built.town(0).squares(card.id)]
            assert 16 - cubes + (cubes - 1) == len(built.town(0).empty)
        if card.id != "shed":
            assert [SQUARES[at] for at in squares] == squares_for(state, f"build {card.id}")


@pytest.mark.rule("T-049")
@pytest.mark.parametrize("square", ["a1", "b1", "c1", "c2", "c3"])
def test_two_taverns_that_share_a_cube_are_one(square):
    state = after(position("bbg./..b./..b.", hand="castle"), "0: place d4")

    state = after(state, f"0: build tavern {square}")
    state = after(state, "0: use a1 b1 c1") if "0 towns.cubes" in owed(state) else state

    assert 1 == state.town(0).buildings.count("tavern")
    assert 2 == state.town(0).cubes.count("brick")
    assert ["build.layout"] * 16 == [refusal(state, f"0: build tavern {one}") for one in SQUARES]


@pytest.mark.rule("T-050")
def test_layouts_that_share_no_cube_may_all_be_used_in_one_round():
    state = after(position("bbg./bbg."), "0: place d4", "0: build tavern a1", "0: build tavern c2")

    assert "E.../..E./..../...w" == drawn(state)


@pytest.mark.rule("T-051")
def test_where_cubes_fit_in_two_ways_the_owner_says_which():
    state = after(position("bbg./b.../g..."), "0: place d4")

    asked = after(state, "0: build tavern a1")

    assert ["0 towns.cubes", "1 towns.place"] == owed(asked)
    assert {"use a1 b1 c1", "use a1 a2 a3"} == set(texts(asked))
    assert "E.../b.../g.../...w" == drawn(after(asked, "0: use a1 b1 c1"))
    assert "Ebg./..../..../...w" == drawn(after(asked, "0: use a1 a2 a3"))
    for squares in ("a1 b1", "a1 b1 a3", "a1 a2 c1", "a1 b1 c1 a2", "b1 a1 c1"):
        assert "use.cubes" == refusal(asked, f"0: use {squares}")


@pytest.mark.rule("T-051")
@pytest.mark.parametrize(("square", "left"), [("b1", "bEb"), ("c1", "row"), ("a2", "column"), ("a3", "column")])
def test_where_the_square_says_which_nobody_is_asked(square, left):
    state = after(position("bbg./b.../g...", hand="castle"), "0: place d4", f"0: build tavern {square}")

    assert "0 towns.build" in owed(state)
    cubes = state.town(0).cubes
    assert ("brick", "glass") == ((cubes[1], cubes[2]) if left == "column" else (cubes[4], cubes[8]))
    assert "" == cubes[0]


@pytest.mark.rule("T-052")
def test_a_cube_too_many_stays():
    state = after(position("bbbg"), "0: place d4")

    assert ["b1", "c1", "d1"] == squares_for(state, "build tavern")
    assert "build.square" == refusal(state, "0: build tavern a1")
    assert "b..E/..../..../...w" == drawn(after(state, "0: build tavern d1"))


@pytest.mark.rule("T-053")
def test_a_complete_layout_may_be_used_in_any_later_round():
    state = position("bbg./ws..")

    for square in ("d4", "c4", "b4"):
        state = after(state, f"0: place {square}", "0: done")
        state = rounds_on(state)
        assert "bbg." == drawn(state)[:4]

    state = after(state, "0: place a4", "0: build tavern a1")
    assert (8, "E...") == (state.round, drawn(state)[:4])


@pytest.mark.rule("T-055")
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_no_cube_is_placed_on_a_building(card):
    sign = "M" if card.id in MONUMENTS else {"blue": "C", "red": "R", "grey": "A", "orange": "O", "green": "E",
                                             "yellow": "Y", "black": "K"}[card.type]  # fmt: skip
    hand = card.id if card.id in MONUMENTS else ""
    state = position(f"...{sign}", cards="" if hand else card.id, hand=hand)

    assert "square.building" == refusal(state, "0: place d1")
    assert "place d1" not in texts(state)


@pytest.mark.rule("T-056")
@pytest.mark.parametrize("card", COMPONENTS.monuments, ids=lambda card: card.id)
def test_another_players_monument_cannot_be_constructed(card):
    drawing, squares = next(lying(card))
    other = "forum" if card.id != "forum" else "guild"
    for hand in ({0: other, 1: card.id}, {0: other}):
        state = ready(drawing, hand=hand)
        assert "card.not-yours" == refusal(state, f"0: build {card.id} {SQUARES[squares[0]]}")


@pytest.mark.rule("T-056")
@pytest.mark.parametrize("card", COMPONENTS.monuments, ids=lambda card: card.id)
def test_the_own_monument_is_constructed_once_and_read_to_all(card):
    drawing, squares = next(lying(card))
    state = ready("/".join([*drawing.split("/")[:3], "..ws"]), hand=card.id)
    assert [None] * 2 == [RULESET.view(state, seat).towns[0].monument for seat in (None, 1)]

    built, events = play(state, f"0: build {card.id} {SQUARES[squares[0]]}")
    built = settled(built)

    assert "0 towns.build" in owed(built)
    assert ["build.built"] * 16 == [refusal(built, f"0: build {card.id} {square}") for square in SQUARES]
    assert not any(card.id in text.split() for text in texts(built))
    assert [card.id] * 3 == [RULESET.view(built, seat).towns[0].monument.id for seat in (None, 0, 1)]
    assert [None] == [event.seats for event in events if event.key == "towns.built"]


@pytest.mark.rule("T-056")
def test_a_monument_stands_once_though_its_layout_lies_twice():
    state = after(position(".h../sg../.h../sg.w", hand="cathedral"), "0: place c4", "0: build cathedral b1")

    assert ["1 towns.place"] == owed(state)
    assert "turn.not-owed" == refusal(after(rounds_on(state), "0: place d3"), "0: build cathedral b3")


@pytest.mark.rule("T-056")
def test_a_monument_follows_the_rules_of_constructing():
    lacking = ready(".h../s...", hand="cathedral")
    state = ready(".h../sg..", hand="cathedral")

    assert "build.layout" == refusal(lacking, "0: build cathedral a2")
    assert ["b1", "a2", "b2"] == squares_for(state, "build cathedral")
    assert "build.square" == refusal(state, "0: build cathedral a1")


@pytest.mark.rule("T-057")
@pytest.mark.parametrize(
    ("drawing", "card", "build", "answers"),
    [
        ("hh../wgb.", "bank", "build bank a1", ["mark wood"]),
        ("w.../bssb", "factory", "build factory a1", ["mark glass"]),
        (WATCH, "watch", "build watch a1", ["stock cottage farm well"]),
        (UNIVERSITY, "university", "build university a2", ["add well d1"]),
        (GUILD, "guild", "build guild b2", ["replace a4 farm", "skip"]),
    ],
)
def test_what_a_piece_brings_is_settled_before_the_next_construction(drawing, card, build, answers):
    rows = (drawing + "/....").split("/")[:3]
    state = able("/".join([*rows, "C.ws"]), card)
    assert "build well d4" in texts(state)

    state = after(state, f"0: {build}")

    for answer in answers:
        for other in ("build well d4", "done"):
            assert "turn.not-asked" == refusal(state, f"0: {other}")
        assert not any(text.startswith("build") for text in texts(state))
        state = after(state, f"0: {answer}")
    assert "build well d4" in texts(state)


EFFECTS = {
    "university": (UNIVERSITY, "build university a2", "add {card} d1"),
    "guild": (f"{GUILD}/C...", "build guild b2", "replace a4 {card}"),
}


@pytest.mark.rule("T-058")
@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize(("card", "asked"), [("bank", "mark"), ("factory", "mark"), ("forge", "forge"), ("shed", "")])
def test_a_piece_that_an_effect_puts_down_brings_its_own_benefit(effect, card, asked):
    drawing, build, put = EFFECTS[effect]
    state = after(ready(drawing, cards=card, hand=effect), f"0: {build}", f"0: {put.format(card=card)}")

    at = SQUARES.index(put.split()[1] if effect == "guild" else "d1")
    assert card == state.town(0).buildings[at]
    if asked == "mark":
        state = after(state, "0: mark glass")
        assert ("glass",) == state.town(0).held[at]
    elif asked:
        state = after(state, "0: add stone c4")
        assert "stone" == state.town(0).cubes[14]
    else:
        assert not any(line in ("0 towns.mark", "0 towns.forge") for line in owed(state))


@pytest.mark.rule("T-058")
@pytest.mark.parametrize(
    ("card", "asked"), [("bank", "0 towns.mark"), ("factory", "0 towns.mark"), ("forge", "0 towns.forge")]
)
def test_a_piece_from_the_watch_brings_its_own_benefit(card, asked):
    layout, _ = next(lying(COMPONENTS.card(card)))
    state = position("M...", layout, hand="watch", cards=card, namer=1, values={0: {"stock": (card,)}})
    state = after(
        state, "0: place d4", "1: place d4", f"1: build {card} {SQUARES[next(lying(COMPONENTS.card(card)))[1][0]]}"
    )
    state = settled(state, 1)

    state = after(state, "0: settle b1")

    assert [asked] == owed(state)
    assert (card, ()) == (state.town(0).buildings[1], state.town(0).stock)


@pytest.mark.rule("T-059")
@pytest.mark.parametrize("monument", MONUMENTS)
@pytest.mark.parametrize("text", ["add {} d1", "replace a4 {}", "stock cottage farm {}"])
def test_no_effect_has_a_word_for_a_monument(monument, text):
    with pytest.raises(GrammarError) as raised:
        RULESET.grammar.parse_move(text.format(monument))

    assert raised.value.key in ("grammar.word", "grammar.rest")
    assert RULESET.grammar.parse_move(text.format("well"))


@pytest.mark.rule("T-059")
def test_effects_list_open_cards_only():
    university = after(ready(UNIVERSITY, hand="university"), "0: build university a2")
    guild = after(ready(f"{GUILD}/C...", hand="guild"), "0: build guild b2")
    watch = after(ready(WATCH, hand="watch"), "0: build watch a1")

    for state, verb in ((university, "add"), (guild, "replace"), (watch, "stock")):
        words = {word for text in texts(state) if text.startswith(verb) for word in text.split()[1:]} - {*SQUARES}
        assert {*words} <= {*state.cards}
        assert not words & {*MONUMENTS}


@pytest.mark.rule("T-060")
def test_a_piece_from_the_university_goes_on_an_empty_square():
    state = after(ready(f"{UNIVERSITY}/C.w./..C.", hand="university"), "0: build university a2")

    expected = [square for square in SQUARES if square not in ("a2", "a3", "c3", "c4")]
    assert expected == squares_for(state, "add tavern")
    assert ["square.building", "square.cube", "square.building"] == [
        refusal(state, f"0: add tavern {square}") for square in ("a2", "c3", "a3")
    ]


@pytest.mark.rule("T-060")
def test_a_piece_from_the_watch_goes_on_an_empty_square():
    state = position("MC.w", "bbg.", hand="watch", namer=1, values={0: {"stock": ("tavern",)}})
    state = after(state, "0: place d4", "1: place d4", "1: build tavern a1")

    assert [square for square in SQUARES if square not in ("a1", "b1", "d1", "d4")] == squares_for(state, "settle")
    assert ["square.building", "square.cube"] == [refusal(state, f"0: settle {square}") for square in ("b1", "d1")]
