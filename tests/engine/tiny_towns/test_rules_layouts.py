"""Rules T-017 to T-025: what lies where."""

from itertools import combinations

import pytest

from engine.tiny_towns.layouts import SQUARES, images, placements
from tests.engine.tiny_towns.games import ready
from tests.engine.tiny_towns.positions import COMPONENTS, after, owed, refusal, squares_for

WAYS = {
    "cottage": (8, 72),
    "farm": (4, 36), "granary": (8, 72), "greenhouse": (8, 72), "orchard": (4, 36),
    "fountain": (4, 48), "millstone": (4, 48), "shed": (4, 48), "well": (4, 48),
    "abbey": (8, 48), "chapel": (8, 48), "cloister": (8, 48), "temple": (8, 48),
    "almshouse": (4, 32), "feast-hall": (4, 32), "inn": (4, 32), "tavern": (4, 32),
    "bakery": (4, 24), "market": (4, 24), "tailor": (4, 24), "theater": (4, 24),
    "bank": (8, 48), "factory": (8, 24), "trading-post": (8, 48), "warehouse": (4, 24),
    "guild": (8, 32), "archive": (8, 72), "castle": (8, 24), "cathedral": (8, 72), "fort": (8, 48),
    "mausoleum": (8, 72), "university": (4, 24), "palace": (8, 72), "obelisk": (8, 48), "watch": (8, 16),
    "shrine": (8, 48), "forum": (8, 24), "baths": (8, 32), "starloom": (8, 72), "statue": (8, 24),
}  # fmt: skip
"""Card -> images under the 8 symmetries, placements on the grid."""

CARDS = [card for card in (*COMPONENTS.buildings, *COMPONENTS.monuments) if not card.new]


def turned(cubes):
    """The eight images of *cubes* ((row, column, letter), ...), each moved to the top left."""
    found = set()
    for flip in (1, -1):
        for turn in range(4):
            image = [(row, column * flip, letter) for row, column, letter in cubes]
            for _ in range(turn):
                image = [(column, -row, letter) for row, column, letter in image]
            top, left = min(row for row, _, _ in image), min(column for _, column, _ in image)
            found.add(frozenset((row - top, column - left, letter) for row, column, letter in image))
    return found


def image_cubes(card):
    """The images of the layout of *card*, worked out square by square."""
    return turned(
        [(y, x, letter) for y, row in enumerate(card.layout) for x, letter in enumerate(row) if letter != "."]
    )


def ways(card):
    """All ways in which the layout of *card* lies on the grid: each is square -> letter."""
    found = set()
    for image in image_cubes(card):
        for down in range(4):
            for right in range(4):
                at = [(row + down, column + right, letter) for row, column, letter in image]
                if all(row < 4 and column < 4 for row, column, _ in at):
                    found.add(frozenset((SQUARES[4 * row + column], letter) for row, column, letter in at))
    return found


def drawing_of(way):
    """The drawing of the cubes of *way*."""
    letters = dict(way)
    signs = [letters.get(square, ".").lower() for square in SQUARES]
    return "/".join("".join(signs[at : at + 4]) for at in range(0, 16, 4))


def in_play(name):
    """What makes *name* a card that seat 0 may construct."""
    monument = name in {card.id for card in COMPONENTS.monuments}
    return {"hand": name} if monument else {"cards": name, "hand": "castle"}


def holds(drawing, name):
    """Whether the drawing holds the layout of *name*, as a construction shows; the refusal says so too."""
    state = ready(drawing, **in_play(name))
    found = squares_for(state, f"build {name}")
    if not found:
        assert ["build.layout"] * 16 == [refusal(state, f"0: build {name} {square}") for square in SQUARES]
    return bool(found)


@pytest.mark.rule("T-017")
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_images_and_placements_by_the_table(card):
    assert 40 == len(CARDS) == len(WAYS)
    expected = {frozenset(way) for way in ways(card)}

    lying = {
        frozenset(
            (SQUARES[at], "WHBGS"[kind]) for kind, mask in enumerate(one.needs) for at in range(16) if mask >> at & 1
        )
        for one in placements(card.layout)
    }

    assert WAYS[card.id] == (len(image_cubes(card)), len(expected))
    assert WAYS[card.id] == (len(images(card.layout)), len(placements(card.layout)))
    assert expected == lying


@pytest.mark.rule("T-018")
@pytest.mark.parametrize("drawing", ["hh../wgb.", ".hh./bgw.", ".bgw/..hh"])
def test_every_image_holds_one_bank(drawing):
    state = ready(drawing, cards="bank")

    cubes = [square for square, sign in zip(SQUARES, (drawing + "/....").replace("/", ""), strict=False) if sign != "."]
    assert cubes == squares_for(state, "build bank")
    assert ["0 towns.mark", "1 towns.place"] == owed(after(state, f"0: build bank {cubes[0]}"))


@pytest.mark.rule("T-018")
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_every_rotation_and_mirror_image_counts_wherever_it_fits(card):
    for way in ways(card):
        expected = SQUARES if card.id == "shed" else dict(way)
        state = ready(drawing_of(way), **in_play(card.id))
        assert sorted(expected) == sorted(squares_for(state, f"build {card.id}"))


@pytest.mark.rule("T-019")
@pytest.mark.parametrize(("drawing", "found"), [("bbg.", True), ("gbb.", True), ("bgb.", False)])
def test_types_match_square_by_square(drawing, found):
    assert found == holds(drawing, "tavern")


@pytest.mark.rule("T-019")
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_one_cube_of_another_type_spoils_every_layout(card):
    way = dict(min(ways(card), key=sorted))
    for square, letter in way.items():
        for other in set("WHBGS") - {letter}:
            assert not squares_for(ready(drawing_of({**way, square: other}), **in_play(card.id)), f"build {card.id}")


@pytest.mark.rule("T-020")
@pytest.mark.parametrize(("drawing", "found"), [("..g./wbs.", True), ("..g./sbw.", False)])
def test_two_types_exchanged_are_no_cloister(drawing, found):
    assert found == holds(drawing, "cloister")


@pytest.mark.rule("T-020")
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_two_types_exchanged_are_nothing_unless_they_make_another_image(card):
    known = {frozenset(way) for way in ways(card)}
    way = dict(min(ways(card), key=sorted))
    for one, other in combinations(way, 2):
        changed = {**way, one: way[other], other: way[one]}
        found = squares_for(ready(drawing_of(changed), **in_play(card.id)), f"build {card.id}")
        assert bool(found) == (frozenset(changed.items()) in known)


@pytest.mark.rule("T-021")
def test_touching_at_a_corner_is_no_row():
    assert not holds("b.../.bg.", "tavern")
    assert holds("bbg.", "tavern")


@pytest.mark.rule("T-022")
@pytest.mark.parametrize("drawing", ["..bb/g...", "...b/bg..", "b.../..../b.../g...", ".bb./g..."])
def test_a_layout_never_runs_over_an_edge(drawing):
    assert not holds(drawing, "tavern")


@pytest.mark.rule("T-023")
@pytest.mark.parametrize("drawing", ["hwh./b.b.", "hwh./bCb.", "hwh./bsb.", "hwh./bbb.", "hwh./bMb."])
def test_a_square_that_the_layout_leaves_out_may_hold_anything(drawing):
    state = ready(drawing, cards="warehouse", hand="castle")

    assert ["a1", "b1", "c1", "a2", "c2"] == squares_for(state, "build warehouse")


@pytest.mark.rule("T-024")
def test_only_the_grey_cards_share_a_layout():
    same = {
        frozenset((one.id, other.id))
        for one, other in combinations((*COMPONENTS.buildings, *COMPONENTS.monuments), 2)
        if ways(one) & ways(other)
    }

    assert same == {frozenset(pair) for pair in combinations(("fountain", "millstone", "shed", "well"), 2)}


@pytest.mark.rule("T-025")
def test_layouts_have_two_to_six_cubes_and_five_are_four_squares_long():
    counts = {card.id: len("".join(card.layout).replace(".", "")) for card in CARDS}
    long = [card.id for card in CARDS if 4 in (len(card.layout), len(card.layout[0]))]

    assert {2, 3, 4, 5, 6} == set(counts.values())
    assert ["fountain", "millstone", "shed", "well"] == [name for name, count in counts.items() if count == 2]
    assert ["castle", "watch", "shrine", "baths"] == [name for name, count in counts.items() if count == 6]
    assert ["factory", "castle", "watch", "forum", "statue"] == long
