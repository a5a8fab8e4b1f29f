"""The component table, card by card against a list written down apart from it; what it refuses; where it comes from."""

import re
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from engine.core.errors import TableError
from engine.core.tables import load_tables, provenance
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import BUILDINGS, COLOURS, HELPERS, MONUMENTS, read_components
from engine.tiny_towns.layouts import images, placements, unpack, wanted
from engine.tiny_towns.setup import OPTIONS
from tests.contract.titles import Setting
from tests.engine.tiny_towns.positions import COMPONENTS, TABLES, after, drawn, position, squares_for, total
from tests.engine.tiny_towns.sketches import SQUARES, sketch

HERE = Path(RULESET.__class__.__module__.replace(".", "/")).parent
LETTERS = {"W": "wood", "H": "wheat", "B": "brick", "G": "glass", "S": "stone"}


class Row(Struct, frozen=True):
    """One card: its rows joined by `/`, how many cubes, images and placements it has, and its figures."""

    type: str
    layout: str
    cubes: int
    images: int
    placements: int
    points: tuple[int, ...] = ()
    solo: str = "in"


BASE_BUILDINGS = {
    "cottage": Row("blue", ".H/BG", 3, 8, 72, (3,)),
    "farm": Row("red", "HH/WW", 4, 4, 36),
    "granary": Row("red", "HH/WB", 4, 8, 72),
    "greenhouse": Row("red", "HG/WW", 4, 8, 72),
    "orchard": Row("red", "SH/HW", 4, 4, 36),
    "fountain": Row("grey", "WS", 2, 4, 48, (2,)),
    "millstone": Row("grey", "WS", 2, 4, 48, (2,)),
    "shed": Row("grey", "WS", 2, 4, 48, (1,)),
    "well": Row("grey", "WS", 2, 4, 48, (1,)),
    "abbey": Row("orange", "..G/BSS", 4, 8, 48, (3,)),
    "chapel": Row("orange", "..G/SGS", 4, 8, 48, (1,)),
    "cloister": Row("orange", "..G/WBS", 4, 8, 48, (1,)),
    "temple": Row("orange", "..G/BBS", 4, 8, 48, (4,)),
    "almshouse": Row("green", "SSG", 3, 4, 32, (-1, 5, -3, 15, -5, 26)),
    "feast-hall": Row("green", "WWG", 3, 4, 32, (2, 3), "option"),
    "inn": Row("green", "HSG", 3, 4, 32, (3,), "out"),
    "tavern": Row("green", "BBG", 3, 4, 32, (2, 5, 9, 14, 20)),
    "bakery": Row("yellow", ".H./BGB", 4, 4, 24, (3,)),
    "market": Row("yellow", ".W./SGS", 4, 4, 24, (1,)),
    "tailor": Row("yellow", ".H./SGS", 4, 4, 24, (1, 1)),
    "theater": Row("yellow", ".S./WGW", 4, 4, 24, (1,)),
    "bank": Row("black", "HH./WGB", 5, 8, 48, (4,), "out"),
    "factory": Row("black", "W.../BSSB", 5, 8, 24),
    "trading-post": Row("black", "SW./SWB", 5, 8, 48, (1,)),
    "warehouse": Row("black", "HWH/B.B", 5, 4, 24, (-1,)),
}
BASE_MONUMENTS = {
    "guild": Row("monument", "..G/.HS/WB.", 5, 8, 32, (1,)),
    "archive": Row("monument", "HH/BG", 4, 8, 72, (1,)),
    "castle": Row("monument", "H..S/WGGB", 6, 8, 24, (5,)),
    "cathedral": Row("monument", ".H/SG", 3, 8, 72, (2,)),
    "fort": Row("monument", "H.B/SWS", 5, 8, 48, (7,), "out"),
    "mausoleum": Row("monument", "WW/BS", 4, 8, 72, (3,)),
    "university": Row("monument", ".B./SGS", 4, 4, 24, (3,)),
    "palace": Row("monument", "HG/BW", 4, 8, 72, (2,)),
    "obelisk": Row("monument", "H../BGB", 4, 8, 48),
    "watch": Row("monument", "W.../BGHH/S...", 6, 8, 16, (), "out"),
    "shrine": Row("monument", "BHS/WGW", 6, 8, 48, (1, 2, 3, 4, 5, 8)),
    "forum": Row("monument", "..H./BBSW", 5, 8, 24, (1, 1)),
    "baths": Row("monument", ".H./SGW/B.B", 6, 8, 32, (2,)),
    "starloom": Row("monument", "GG/WH", 4, 8, 72, (6, 3, 2)),
    "statue": Row("monument", "WSSG/H...", 5, 8, 24),
}
NEW_CARDS = {
    "citadel": Row("orange", "..G/SBS", 4, 8, 48, (1,)),
    "forge": Row("black", "BB./SWS", 5, 8, 48, (1,)),
    "travelers-center": Row("green", "HWG", 3, 4, 32, (3,)),
    "folly": Row("monument", ".G./.S./BWB", 5, 4, 16, (3, 7), "out"),
}
CARDS = BASE_BUILDINGS | BASE_MONUMENTS | NEW_CARDS
FIRST_GAME = {"cottage", "farm", "well", "chapel", "tavern", "theater", "factory"}
TWO_FIGURES = {"feast-hall": "EE..", "tailor": "Y.../.Y..", "forum": "MCC.", "folly": "M..."}
"""Cards that need two figures, each in a town in which both may count."""

HELPER_COSTS = {"cut-corners": 1, "forage": 1, "scrap": 1, "innovate": 2, "renovate": 2, "cooperate": 3}


def cells_of(layout):
    """The squares of a layout, as (column, row) -> letter."""
    rows = layout.split("/")
    return {(x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "."}


def turned(cells):
    """The eight images, each moved to the top left, none twice: whole columns and rows that the card shows count."""
    found = []
    for flip in (1, -1):
        for turn in range(4):
            moved = {}
            for (x, y), letter in cells.items():
                at = (x * flip, y)
                for _ in range(turn):
                    at = (-at[1], at[0])
                moved[at] = letter
            left, top = min(x for x, _ in moved), min(y for _, y in moved)
            image = {(x - left, y - top): letter for (x, y), letter in moved.items()}
            if image not in found:
                found.append(image)
    return found


def lying(layout):
    """Every way in which a layout lies on the grid, as square name -> letter."""
    for image in turned(cells_of(layout)):
        wide, high = max(x for x, _ in image), max(y for _, y in image)
        for down in range(4 - high):
            for right in range(4 - wide):
                yield {SQUARES[4 * (y + down) + x + right]: letter for (x, y), letter in image.items()}


def test_the_box_holds_25_buildings_15_monuments_and_four_cards_more():
    new = {card.id for card in (*COMPONENTS.buildings, *COMPONENTS.monuments) if card.new}

    assert (25, 15, 4) == (len(BASE_BUILDINGS), len(BASE_MONUMENTS), len(NEW_CARDS))
    assert set(NEW_CARDS) == new
    assert {*BASE_BUILDINGS, "citadel", "forge", "travelers-center"} == {card.id for card in COMPONENTS.buildings}
    assert {*BASE_MONUMENTS, "folly"} == {card.id for card in COMPONENTS.monuments}
    assert FIRST_GAME == {card.id for card in COMPONENTS.buildings if card.first_game}


@pytest.mark.rule("T-066", "T-069", "T-072", "T-074", "T-079", "T-081", "T-083", "T-086", "T-090", because="a row each")
@pytest.mark.rule("T-093", "T-096", "T-098", "T-101", "T-104", "T-108", "T-113", "T-116", "T-119", "T-122", "T-125")
@pytest.mark.rule("T-128", "T-132", "T-140", "T-146", "T-154", "T-162", "T-167", "T-169", "T-177", "T-181", "T-185")
@pytest.mark.rule("T-187", "T-191", "T-193", "T-197", "T-209", "T-212", "T-215", "T-217", "T-222", "T-345")
@pytest.mark.parametrize("name", CARDS)
def test_type_layout_cubes_images_and_placements_are_those_of_the_list(name):
    row, card = CARDS[name], COMPONENTS.card(name)

    assert (row.type, row.layout) == (card.type, "/".join(card.layout))
    assert row.cubes == sum(wanted(card.layout)) == sum(letter in LETTERS for letter in row.layout)
    assert row.images == len(images(card.layout)) == len(turned(cells_of(row.layout)))
    assert row.placements == len(placements(card.layout)) == len(list(lying(row.layout)))
    assert (row.points, row.solo) == (card.points, card.solo)


@pytest.mark.parametrize("name", CARDS)
def test_the_placements_are_those_drawn_by_turning_mirroring_and_shifting(name):
    engine = {tuple(map(unpack, (*one.needs, one.mask))) for one in placements(COMPONENTS.card(name).layout)}

    expected = set()
    for signs in lying(CARDS[name].layout):
        needs = (tuple(at for at, square in enumerate(SQUARES) if signs.get(square) == one) for one in LETTERS)
        expected.add((*needs, tuple(at for at, square in enumerate(SQUARES) if square in signs)))
    assert expected == engine


@pytest.mark.rule(
    "T-066", "T-069", "T-072", "T-074", "T-079", "T-081", "T-083", "T-086", "T-090", because="each is built"
)
@pytest.mark.rule("T-093", "T-096", "T-098", "T-101", "T-104", "T-108", "T-113", "T-116", "T-119", "T-122", "T-125")
@pytest.mark.rule("T-128", "T-132", "T-140", "T-146", "T-154", "T-162", "T-167", "T-169", "T-177", "T-181", "T-185")
@pytest.mark.rule("T-187", "T-191", "T-193", "T-197", "T-209", "T-212", "T-215", "T-217", "T-222")
@pytest.mark.parametrize("name", CARDS)
def test_each_card_is_constructed_where_its_layout_lies_and_nowhere_else(name):
    ways = list(lying(CARDS[name].layout))
    for signs in ways:
        last, *others = sorted(signs)
        state = position(
            sketch({square: signs[square].lower() for square in others}),
            cards=name if name in BUILDINGS[1:] else "",
            hand=name if name in MONUMENTS else "",
            resource=LETTERS[signs[last]],
        )
        for square in (last, next(one for one in SQUARES if one not in signs)):
            cubes = {other: signs[other] for other in others} | {square: signs[last]}
            fit = {at for way in ways if way.items() <= cubes.items() for at in way}
            anywhere = {at for at in SQUARES if fit and name == "shed" and (at in fit or at not in cubes)}
            placed = after(state, f"0: place {square}")

            assert sorted(fit | anywhere, key=SQUARES.index) == squares_for(placed, f"build {name}")
            if square == last:
                left = drawn(after(placed, f"0: build {name} {last}"))
                assert 1 == len(re.findall("[A-Z]", left)), left
                assert not re.findall("[a-z]", left), left


@pytest.mark.rule("T-345")
def test_no_new_card_has_the_layout_of_another_card():
    for name in NEW_CARDS:
        own = turned(cells_of(CARDS[name].layout))
        assert [name] == [other for other, row in CARDS.items() if cells_of(row.layout) in own]

    assert [48, 48, 32, 16] == [len(placements(COMPONENTS.card(name).layout)) for name in NEW_CARDS]


def test_the_other_figures_of_the_box():
    box = COMPONENTS

    assert (3, 5, 3) == (box.cubes.cards, box.town_hall.aside, box.town_hall.rounds)
    assert (3, (38, 32, 25, 18, 10)) == (box.solo.open, box.solo.ranks)
    assert (3, 2, 4, 3) == (box.warehouse.room, box.cavern.uses, box.feeding.farm, box.villagers.count)
    assert HELPER_COSTS == {helper.id: helper.cost for helper in box.helpers}


def test_the_options_offer_the_cards_of_each_colour_and_the_two_piles():
    for colour in COLOURS[1:]:
        expected = {name for name, row in CARDS.items() if row.type == colour}
        assert expected == set(OPTIONS[colour].choices[1:]) == {card.id for card in COMPONENTS.of_colour(colour)}

    assert {name for name, cost in HELPER_COSTS.items() if cost == 1} == set(OPTIONS["cheap"].choices[1:])
    assert {name for name, cost in HELPER_COSTS.items() if cost > 1} == set(OPTIONS["dear"].choices[1:])


def test_every_block_states_its_source_and_only_villager_cards_and_new_cards_are_ours():
    stated = provenance(TABLES)
    ours = {one.block.split(".")[1] for one in stated if one.status == "ours"}

    assert {*HELPERS, *NEW_CARDS} == ours
    assert {"printed", "ours"} == {one.status for one in stated}
    assert all(one.source for one in stated)
    singles = {"cubes", "town-hall", "solo", "warehouse", "cavern", "feeding", "villagers"}
    listed = {f"buildings.{name}" for name in BUILDINGS} | {f"monuments.{name}" for name in MONUMENTS}
    assert singles | listed | {f"helpers.{name}" for name in HELPERS} == {one.block for one in stated}
    assert len(singles) + 44 + 6 == len(stated)


def refused(old, new):
    """The detail with which the table is refused once *old* is *new* in it, the first time that it stands there."""
    assert old in TABLES.text
    with pytest.raises(TableError) as caught:
        read_components(load_tables(TABLES.text.replace(old, new, 1).encode()))
    assert "table.value" == caught.value.key
    return str(dict(caught.value.fields)["detail"])


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ('id = "farm"', 'id = "granary"', "buildings"),
        ('id = "archive"', 'id = "castle"', "monuments"),
        ('id = "forage"', 'id = "scrap"', "helpers"),
        ('id = "farm"', 'id = "barn"', "buildings"),
        ('colour = "grey"', 'colour = "pink"', "colour"),
        ('layout = ["WS"]', 'layout = ["WX"]', "fountain"),
        ('layout = ["WS"]', 'layout = ["WS", "W"]', "fountain"),
        ('layout = ["WS"]', 'layout = ["WSWSW"]', "fountain"),
        ('layout = ["WS"]', 'layout = ["W", "W", "W", "W", "W"]', "fountain"),
        ('layout = ["WS"]', 'layout = [".."]', "fountain"),
        ('layout = ["WS"]', 'layout = [""]', "fountain"),
        ('layout = ["WS"]', "layout = []", "fountain"),
        ('layout = ["WS"]', "layout = [1]", "layout"),
        ('    "GG",\n', '    "GG.",\n', "starloom"),
        ("points = [3]", 'points = ["3"]', "points"),
        ("room = 3", "room = 0", "warehouse.room"),
        ("cards = 3", "cards = 3.5", "cubes.cards"),
        ("cost = 1", "cost = 4", "helpers"),
        ("count = 3", "count = 5", "villagers.count"),
        ("farm = 4", "barn = 4", "feeding"),
        ('status = "printed"', 'status = "rumour"', "status"),
        ('solo = "out"', 'solo = "never"', "solo"),
        ('source = "card: Farm"\n', "", "source"),
        ("[cavern]", "[grotto]", "grotto"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(old, new, detail):
    assert detail in refused(old, new)


def with_figures(name, figures):
    """The text of the table in which the card *name* has these figures."""
    at = TABLES.text.index(f'id = "{name}"')
    block = TABLES.text[at : TABLES.text.index("status", at)]
    return TABLES.text.replace(block, block.replace(f"points = {list(CARDS[name].points)}", f"points = {figures}"))


@pytest.mark.parametrize("name", [name for name, row in CARDS.items() if row.points])
def test_a_card_that_lacks_a_figure_for_its_points_is_refused(name):
    needed = 2 if name in TWO_FIGURES else 1
    figures = list(CARDS[name].points)

    read_components(load_tables(with_figures(name, figures[:needed]).encode()))
    with pytest.raises(TableError) as caught:
        read_components(load_tables(with_figures(name, figures[: needed - 1]).encode()))
    assert ("table.value", f"{name}: {needed} points") == (caught.value.key, dict(caught.value.fields)["detail"])


@pytest.mark.rule("T-109", "T-126", "T-213", "T-344")
@pytest.mark.parametrize(("name", "drawing"), TWO_FIGURES.items())
def test_a_figure_too_many_changes_no_points(name, drawing):
    more = read_components(load_tables(with_figures(name, [*CARDS[name].points, 9]).encode()))
    values = {"cards": name} if name in BUILDINGS else {"hand": name}

    assert total(position(drawing, **values)) == total(position(drawing, **values, components=more)) > -14


def test_tables_read_from_a_store_are_kept_as_the_first_of_their_kind():
    """A memory that compared whole boxes would cost more than it saves."""
    state = Setting("tiny_towns", 2).start().state
    stored = msgspec.json.decode(msgspec.json.encode(state), type=RULESET.state_type)

    assert stored.tables is not state.tables
    assert stored.tables == state.tables
    assert stored.tables.kept is state.tables.kept


def test_every_ruling_named_in_the_code_stands_in_the_readme():
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    code = " ".join(path.read_text(encoding="utf-8") for path in HERE.rglob("*.py"))
    code = re.sub(r"\s+", " ", code)

    named = set()
    for found in re.findall(r'[Oo]ur rulings? ((?:"[A-Z][^"]+"(?:,? and |, )?)+)', code):
        named |= set(re.findall(r'"([^"]+)"', found))

    assert len(named) >= 15
    assert named <= set(re.findall(r"\*\*([^*]+)\.\*\*", readme))
