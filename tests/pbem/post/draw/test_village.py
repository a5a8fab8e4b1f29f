"""What the pictures of Village show of a position."""

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

import pytest
from msgspec.structs import replace

from engine.core.types import Seat
from engine.village.components import BUILDINGS, CITIES, COLOURS, Customer
from engine.village.state import STAGES, WINDOWS
from engine.village.views import FamilyView, SpaceView, SpotView, View
from pbem.lexicon import languages
from pbem.post.draw import Picture, pictures
from pbem.post.draw.drawing import CARD, WIDTH
from pbem.post.draw.village_families import LARGER
from pbem.post.draw.village_parts import CUBE, FAMILY_COLOURS, HEADS, MEMBER_HEIGHT, MEMBER_WIDTH
from pbem.post.voice import Voice
from pbem.post.words import Reader
from tests.contract.titles import Setting
from tests.pbem.post.draw.geometry import SVG, Box, check_drawing, piece_box, shape_box, text_box
from tests.pbem.post.sample import NAMES, WORDS, game

SEATS = (2, 3, 4)
SHARE = 67
PLAGUE = "x"


def views(seats: int, seat: int | None = 0) -> list[View]:
    setting = Setting("village", seats)
    records = game(setting, 8)
    reader = Seat(seat) if seat is not None else None
    return [setting.ruleset.view(one.position.state, reader) for one in [*records[::SHARE], records[-1]]]


def middle(seats: int, seat: int | None = 0) -> View:
    found = views(seats, seat)
    return found[len(found) // 2]


def voice(view: View, language: str = "en") -> Voice:
    return WORDS.voice(language, "village", Reader(view.seat, NAMES, view=view))


def drawn(view: View, language: str = "en") -> dict[str, Picture]:
    return {one.name: one for one in pictures("village", view, voice(view, language))}


def made_up(view: View, language: str = "en") -> dict[str, Picture]:
    """Return the pictures of a position that no game of the tests comes to, held against what all pictures keep."""
    shown = drawn(view, language)
    for one in shown.values():
        check_drawing(one.svg)
    return shown


def root_of(picture: Picture) -> ET.Element:
    return ET.fromstring(picture.svg)


def board(view: View, language: str = "en") -> ET.Element:
    return root_of(drawn(view, language)["board"])


def texts(element: ET.Element) -> list[str]:
    return [one.text or "" for one in element.iter(f"{SVG}text")]


def said(picture: Picture) -> str:
    return " ".join(texts(root_of(picture)))


def card(root: ET.Element, name: str) -> Box:
    """Return the area of the board with this heading."""
    heading = next(text_box(one) for one in root.iter(f"{SVG}text") if one.text == name and "font-weight" in one.attrib)
    areas = [shape_box(one) for one in root.iter(f"{SVG}rect") if one.get("fill") == CARD]
    return next(area for area in areas if area is not None and area.holds(heading))


def pieces(root: ET.Element, area: Box, size: tuple[float, float]) -> Iterator[ET.Element]:
    """Yield the pieces of this width and height in an area."""
    for one in root.iter(f"{SVG}g"):
        _, _, wide, high = (float(number) for number in one.attrib["data-piece"].split())
        if (wide, high) == size and area.holds(piece_box(one)):
            yield one


def place(root: ET.Element, area: Box, name: str) -> Box:
    """Return the place with this name in an area."""
    found = [one for one in root.iter(f"{SVG}g") if name in texts(one) and area.holds(piece_box(one))]
    return piece_box(found[-1])


def cubes(root: ET.Element, area: Box) -> Counter[str]:
    found = [one for one in pieces(root, area, (CUBE, CUBE)) if one.find(f"{SVG}rect") is not None]
    return Counter("".join(texts(one)) or PLAGUE for one in found)


def letters(view: View, language: str) -> dict[str, str]:
    """Return the letter on a cube of each colour."""
    return {one: voice(view, language).name("colour", one)[0].upper() for one in COLOURS} | {"plague": PLAGUE}


def members(root: ET.Element, area: Box) -> list[tuple[str, int]]:
    """Return colour and number of the members in an area."""
    found = [one for one in pieces(root, area, (MEMBER_WIDTH, MEMBER_HEIGHT)) if texts(one)]
    return sorted((one[0].attrib["fill"], int(texts(one)[0])) for one in found)


def free(root: ET.Element, area: Box) -> int:
    found = pieces(root, area, (MEMBER_WIDTH, MEMBER_HEIGHT))
    return sum("stroke-dasharray" in one[0].attrib for one in found)


def coloured(view: View, numbers: Sequence[Sequence[int]]) -> list[tuple[str, int]]:
    """Return colour and number of members, given for each family."""
    pairs = zip(view.families, numbers, strict=True)
    return sorted((FAMILY_COLOURS[family.colour][0], number) for family, own in pairs for number in own)


def standing(view: View, spot: str) -> list[tuple[str, int]]:
    return coloured(view, [[n for at in one.members if at.spot == spot for n in at.numbers] for one in view.families])


@pytest.mark.parametrize(
    ("seats", "seat", "names"),
    [
        (2, 0, ["board", "family-0", "families-1"]),
        (4, 1, ["board", "family-1", "families-0"]),
        (3, None, ["board", "families-0"]),
        (4, None, ["board", "families-0", "families-2"]),
    ],
)
def test_the_board_comes_first_then_the_own_family_then_the_others(seats, seat, names):
    assert names == list(drawn(middle(seats, seat)))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seats", SEATS)
def test_every_space_shows_its_cubes(seats, language):
    for view in views(seats):
        root, sign = board(view, language), letters(view, language)
        for one in view.spaces:
            area = card(root, voice(view, language).name("space", one.space))
            assert cubes(root, area) == {sign[colour]: count for colour, count in one.cubes}, one.space


@pytest.mark.parametrize("language", languages())
def test_the_letters_of_the_cubes_differ(language):
    assert len(set(letters(middle(2), language).values())) == len(COLOURS) + 1


def test_the_heads_of_the_families_differ():
    assert len(set(HEADS)) == max(SEATS)


@pytest.mark.parametrize("seats", SEATS)
def test_members_stand_at_their_places_on_the_board(seats):
    spaces = (("crafts", BUILDINGS), ("travel", CITIES), ("council", STAGES), ("church", WINDOWS))
    for view in views(seats):
        root, words = board(view), voice(view)
        for space, spots in spaces:
            for spot in spots:
                area = place(root, card(root, words.name("space", space)), words.name("spot", spot))
                assert members(root, area) == standing(view, spot), spot


@pytest.mark.parametrize("seats", SEATS)
def test_the_black_bag_shows_monks_and_members(seats):
    for view in views(seats):
        root = board(view)
        area = card(root, "black bag")
        everyone = list(pieces(root, area, (MEMBER_WIDTH, MEMBER_HEIGHT)))
        assert members(root, area) == coloured(view, [one.bag for one in view.families])
        assert len(everyone) == view.monks + sum(len(one.bag) for one in view.families)


@pytest.mark.parametrize("seats", SEATS)
def test_chronicle_and_graves_show_the_dead_and_what_is_free(seats):
    for view in views(seats):
        root, words = board(view), voice(view)
        area = card(root, "chronicle")
        for one in view.chronicle:
            at = place(root, area, words.name("section", one.area))
            dead = [
                [n for laid in family.chronicle if laid.spot == f"chronicle-{one.area}" for n in laid.numbers]
                for family in view.families
            ]
            assert members(root, at) == coloured(view, dead), one.area
            assert free(root, at) == one.free
        graves = place(root, area, "graves")
        assert members(root, graves) == coloured(view, [one.graves for one in view.families])
        assert free(root, graves) == view.graves.free


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seats", SEATS)
def test_the_market_shows_who_waits_for_what(seats, language):
    for view in views(seats):
        root, words = board(view, language), voice(view, language)
        area = card(root, words.name("space", "market"))
        inside = [one.text or "" for one in root.iter(f"{SVG}text") if area.holds(text_box(one))]
        whole = "".join(inside)
        points = [str(one.points) for one in (*view.stalls, *view.line) if one]
        assert all(words.name("customer", one.id) in whole for one in view.stalls if one)
        assert inside.count(words.drawn("empty")) == view.stalls.count(None)
        assert words.drawn("pile", count=view.pile) in inside
        assert not Counter(points) - Counter(inside)


@pytest.mark.parametrize("seats", SEATS)
def test_bag_and_supply_are_counted(seats):
    for view in views(seats):
        root, sign = board(view), letters(view, "en")
        assert cubes(root, card(root, "green bag")) == {sign[colour]: 1 for colour, _ in view.green_bag}
        inside = Counter(one.text for one in root.iter(f"{SVG}text") if card(root, "supply").holds(text_box(one)))
        assert not Counter(str(count) for _, count in view.supply) - inside


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seats", SEATS)
def test_every_member_of_every_family_is_in_its_picture(seats, language):
    for view in views(seats):
        shown = drawn(view, language)
        own, others = root_of(shown["family-0"]), root_of(shown["families-1"])
        page = Box(0, 0, WIDTH, 1000)
        large = (round(LARGER * MEMBER_WIDTH, 1), round(LARGER * MEMBER_HEIGHT, 1))
        in_own = [int(texts(one)[0]) for one in pieces(own, page, large)]
        in_others = [int(texts(one)[0]) for one in pieces(others, page, (MEMBER_WIDTH, MEMBER_HEIGHT))]
        assert sorted(in_own) == everybody(view.families[:1])
        assert sorted(in_others) == everybody(view.families[1:])


def everybody(families: Sequence[FamilyView]) -> list[int]:
    """Return the numbers of all members of families."""
    placed = [at.numbers for one in families for at in (*one.members, *one.chronicle)]
    rest = [numbers for one in families for numbers in (one.bag, one.unborn, one.graves, one.removed)]
    return sorted(chain(*placed, *rest))


@pytest.mark.parametrize("seats", SEATS)
def test_the_own_family_names_what_it_has(seats):
    for view in views(seats):
        shown, words = drawn(view)["family-0"], voice(view)
        family = view.families[0]
        for thing, count in family.things:
            cell = next(
                one for one in root_of(shown).iter(f"{SVG}g") if words.name("payment", thing, count) in texts(one)
            )
            assert str(count) in texts(cell)
        assert words.drawn("life", step=family.step, lap=family.lap) in said(shown) or family.due
        assert all(city in said(shown) for city in family.cities)


def test_others_show_what_they_have_and_have_won():
    view = middle(3)
    tiles = (Customer("ox", 3, ("ox",)), Customer("grain-5", 4, (), 5))
    rich = replace(view.families[1], things=(("brown", 17), ("coin", 13)), cities=("ford", "quarry"), customers=tiles)
    poor = replace(view.families[2], things=(), cities=(), customers=())

    shown = said(made_up(replace(view, families=(view.families[0], rich, poor)))["families-1"])

    assert "17" in shown
    assert "13" in shown
    assert "cities: ford and quarry; 2 customers served, for 7 points" in shown
    assert "no cubes, goods, grain or coins" in shown
    assert "cities: none; 0 customers served" in shown


def test_the_board_says_whose_turn_it_is_and_who_starts():
    view = replace(middle(3), turn=Seat(2), first=Seat(1), marker=Seat(1), over=False)
    fields = [texts(one) for one in board(view).iter(f"{SVG}g") if texts(one)]

    assert ["turn", "Bia"] in fields
    assert ["starts", "João"] in fields
    assert "next starting player: João" in said(drawn(view)["board"])
    assert "next starting player: marker in the council" in said(made_up(replace(view, marker=None))["board"])


def test_the_board_tells_of_the_end():
    view = replace(middle(3), trigger=Seat(1), final=True, last=(Seat(2), Seat(0)), over=False)

    assert "The end: brought on by João; last turns: Bia and you" in said(drawn(view)["board"])
    over = said(made_up(replace(view, over=True, round=7, last=()))["board"])
    assert "Over after 7 rounds" in over
    assert "next starting player" not in over


def test_a_death_that_is_due_is_told():
    view = middle(2)
    due = replace(view, families=tuple(replace(one, due=1) for one in view.families))

    assert all("a death is due" in said(one) for name, one in made_up(due).items() if name != "board")


def test_a_colour_that_a_game_master_made_up_is_drawn():
    view = middle(2)

    assert "mauve" in said(
        made_up(replace(view, families=(replace(view.families[0], colour="mauve"), *view.families[1:])))["family-0"]
    )


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("crowd", [3, 5, 8])
def test_a_crowd_stands_in_as_many_rows_as_it_needs(crowd, language):
    view = middle(2)
    many = (SpotView("window-1", (1,) * crowd), SpotView("castle", (2,) * crowd))
    crowded = replace(view, families=(replace(view.families[0], members=many, bag=(3,) * crowd), view.families[1]))

    root, words = root_of(made_up(crowded, language)["board"]), voice(view, language)

    area = place(root, card(root, words.name("space", "church")), words.name("spot", "window-1"))
    assert members(root, area) == standing(crowded, "window-1")


@pytest.mark.parametrize("language", languages())
def test_many_cubes_take_room_from_the_places_beside_them(language):
    view = middle(4)
    full = tuple(SpaceView(one.space, (("brown", 3), ("plague", 3))) for one in view.spaces)

    root = root_of(made_up(replace(view, spaces=full), language)["board"])

    area = card(root, voice(view, language).name("space", "crafts"))
    assert cubes(root, area) == {letters(view, language)["brown"]: 3, PLAGUE: 3}


def test_a_long_list_of_cities_is_written_out():
    view = middle(4)
    tiles = (Customer("ox", 3, ("ox",)),) * 12
    travelled = tuple(replace(one, cities=CITIES, customers=tiles) for one in view.families)

    for language in languages():
        shown, words = made_up(replace(view, families=travelled), language), voice(view, language)
        assert all(words.name("city", city) in said(shown["families-1"]) for city in CITIES)
        assert words.drawn("customers", count=12, points=36) in said(shown["families-1"])
