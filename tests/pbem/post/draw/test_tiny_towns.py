"""The pictures of Tiny Towns: what stands on a square, what is explained beside it, and who sees which card."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace

from engine.core.types import Seat
from engine.tiny_towns import RULESET
from engine.tiny_towns.layouts import LETTERS
from engine.tiny_towns.state import State
from engine.tiny_towns.views import Opening, SquareView, View
from pbem.lexicon import languages
from pbem.post.draw import Picture, pictures
from pbem.post.words import Reader, Voice
from tests.contract.titles import Setting, laws_of
from tests.engine.tiny_towns.positions import draw_all, naming, position, start
from tests.pbem.post.draw.geometry import SVG, Box, piece_box, text_box
from tests.pbem.post.sample import WORDS

NAMES = ("Ana", "João", "Bia", "Caio", "Dora", "Edu")
LETTER = dict(zip(("wood", "wheat", "brick", "glass", "stone"), LETTERS, strict=True))
TOWN = position(
    "K*C*A./w..M/..*../.g..", "K.../..b*./..../...g", "Y..E/..../..../...w", cards="warehouse", resource="brick",
    namer=1, hand={0: "castle", 1: "watch", 2: "fort"}, round=7, turns={0: 2, 1: 3},
    values={0: {"held": {"a1": "wood glass", "b1": "stone"}}, 1: {"held": {"a1": "wood glass wheat"}}},
)  # fmt: skip


def shown(state: State, seat: int | None = 0, language: str = "en") -> dict[str, Picture]:
    """The pictures of a position by their names, for *seat* or for a spectator."""
    view, voice = looking(state, seat, language)
    return {one.name: one for one in pictures("tiny_towns", view, voice)}


def looking(state: State, seat: int | None, language: str = "en") -> tuple[View, Voice]:
    reader = Seat(seat) if seat is not None else None
    view = RULESET.view(state, reader)
    return view, WORDS.voice(language, "tiny_towns", Reader(reader, NAMES, view=view))


def words(picture: Picture) -> list[str]:
    """All that is written in a picture, in its order."""
    return [one.text or "" for one in ET.fromstring(picture.svg).iter(f"{SVG}text")]


def said(picture: Picture) -> str:
    """The same in one line."""
    return " ".join(words(picture))


def large_square(picture: Picture, name: str) -> ET.Element:
    """The square of the large town that is called so."""
    pieces = ET.fromstring(picture.svg).findall(f"{SVG}g")
    return next(one for one in pieces if (text := one.find(f"{SVG}text")) is not None and text.text == name)


def small_square(picture: Picture, town: int, name: str) -> ET.Element:
    """The square of a small town, the first of which is 0, that lies below its letter and beside its number."""
    root = ET.fromstring(picture.svg)
    boxes = [text_box(one) for one in root.findall(f"{SVG}text")]
    across = [one for one in boxes if one.what == name[0]][town]
    down = [one for one in boxes if one.what == name[1]][town]
    middle = (across.left + across.right) / 2, (down.top + down.bottom) / 2
    return next(one for one in root.findall(f"{SVG}g") if is_in(middle, piece_box(one)))


def is_in(point: tuple[float, float], box: Box | None) -> bool:
    return box is not None and box.left < point[0] < box.right and box.top < point[1] < box.bottom


def written(square: ET.Element) -> list[str]:
    return [one.text or "" for one in square.iter(f"{SVG}text")]


def figures(square: ET.Element) -> list[str]:
    """The fills of the things on a square that have no letter: villagers and buildings."""
    pieces = [one for one in square.findall(f"{SVG}g") if one.find(f"{SVG}text") is None]
    return [look(one) for one in pieces]


def look(piece: ET.Element) -> str:
    """The fill of a thing, and its line if it has one."""
    first = piece.find(f"{SVG}path")
    assert first is not None
    return first.attrib["fill"] + first.attrib.get("stroke", "")


def signs(picture: Picture) -> dict[str, str]:
    """What is written behind a thing, with how that looks."""
    found = {}
    for one, after in pairwise(ET.fromstring(picture.svg)):
        if one.find(f"{SVG}path") is not None and after.tag == f"{SVG}text":
            found[after.text or ""] = look(one)
    return found


def drawn_positions() -> Iterator[State]:
    """Beginnings of rounds with everything that towns may hold."""
    for number in range(1, 9):
        setting = Setting("tiny_towns", 3 + number % 3)
        yield laws_of("tiny_towns").drawn(setting.start().state, number)


def test_a_square_has_its_name_what_is_there_and_the_word_for_it():
    picture = shown(TOWN)["town-0"]

    assert ["a2", "W", "wood"] == written(large_square(picture, "a2"))
    assert ["c1", "Well"] == written(large_square(picture, "c1"))
    assert ["d2", "Castle"] == written(large_square(picture, "d2"))
    assert ["d1"] == written(large_square(picture, "d1"))


def test_cubes_lie_on_their_building():
    assert ["a1", "W", "G", "Warehouse"] == written(large_square(shown(TOWN)["town-0"], "a1"))
    assert ["W", "G", "H"] == written(small_square(shown(TOWN)["towns"], 0, "a1"))


def test_more_cubes_than_there_is_room_for_are_counted():
    full = {"held": {"a1": "wood glass wheat stone brick"}}
    state = position("K...", "K...", "K...", cards="warehouse", values={0: full, 1: full})

    assert ["a1", "W", "G", "H", "+2", "Warehouse"] == written(large_square(shown(state)["town-0"], "a1"))
    assert ["W", "G", "+3"] == written(small_square(shown(state)["towns"], 0, "a1"))


def test_who_works_looks_otherwise_than_who_does_not():
    picture = shown(TOWN)["town-0"]
    meaning = signs(picture)

    assert meaning["at work"] in figures(large_square(picture, "a1"))
    assert [meaning["not at work"]] == figures(large_square(picture, "b3"))
    assert meaning["at work"] != meaning["not at work"]
    idle = shown(position("K*...", values={0: {"idle": "a1"}}))["town-0"]
    assert meaning["not at work"] in figures(large_square(idle, "a1"))


@pytest.mark.parametrize("language", languages())
def test_everything_in_the_own_town_is_drawn(language):
    for state in drawn_positions():
        view, voice = looking(state, 1, language)
        picture = shown(state, 1, language)["town-1"]
        for square in view.towns[1].squares:
            drawn = large_square(picture, square.square)
            assert letters(square) == [one for one in written(drawn) if one in LETTERS]
            assert name_of(square, voice) in " ".join(written(drawn)).lower()
            assert len(figures(drawn)) == bool(square.building) + square.villager


@pytest.mark.parametrize("language", languages())
def test_everything_in_the_other_towns_is_drawn_and_explained(language):
    for state in drawn_positions():
        view, voice = looking(state, 0, language)
        picture = shown(state, 0, language)["towns"]
        meaning = signs(picture)
        looks = {card.type: meaning[voice.drawn("name", card=card.id)] for card in view.cards}
        for town in view.towns[1:]:
            for square in town.squares:
                drawn = small_square(picture, town.seat - 1, square.square)
                assert letters(square) == written(drawn)
                people = [meaning[voice.drawn("villager", works=square.works)]] if square.villager else []
                assert people == figures(drawn)[: len(people)]
                if square.building and square.type in looks:
                    assert [looks[square.type]] == figures(drawn)[len(people) :]


def name_of(square: SquareView, voice: Voice) -> str:
    """The word for what is on a square, or the square's name."""
    if square.building:
        return voice.name("card", square.building)
    return voice.name("resource", square.cube) if square.cube else square.square


def letters(square: SquareView) -> list[str]:
    return [LETTER[one] for one in (*((square.cube,) if square.cube else ()), *square.held)]


def test_a_square_says_what_the_cube_would_complete_there():
    state = position(".h../.g../....", namer=0, resource="brick")

    picture = shown(state)["town-0"]

    assert ["a2", "→ Cottage"] == written(large_square(picture, "a2"))
    assert ["d4"] == written(large_square(picture, "d4"))
    assert "→" not in said(shown(state, 1)["town-0"])


def test_more_cards_than_there_is_room_for_are_counted():
    view, voice = looking(TOWN, 0)
    cards = ("cottage", "farm", "well", "chapel")

    own, *_ = pictures("tiny_towns", replace(view, openings=(Opening("d4", cards), Opening("c4", cards[1:]))), voice)

    assert ["d4", "→ Cottage", "→ Farm", "→ +2"] == written(large_square(own, "d4"))
    assert ["c4", "→ Farm", "→ Well", "→ Chapel"] == written(large_square(own, "c4"))


def test_a_monument_is_explained_where_it_stands():
    picture = shown(TOWN)["town-0"]

    assert "Barrett Castle: 5 points if it is fed" in said(picture)
    assert "Barrett Castle" not in said(shown(TOWN)["cards"])
    assert "Barrett Castle" in said(shown(TOWN, 1)["towns"])


def test_what_a_town_has_beside_its_squares_is_written():
    state = position(
        "M.../....", "..../....", "M...", hand={0: "watch", 2: "shrine"}, cavern=True, aside={0: 1}, completed={2: 4},
        values={0: {"stock": ("cottage", "farm", "well")}, 2: {"shrine": 5}}, villagers=True, turns={0: 2, 2: 3},
    )  # fmt: skip

    assert "on it: Cottage, Farm and Well" in said(shown(state)["town-0"])
    assert "set aside: 1 of 2 · Master Builder 2 times" in said(shown(state)["town-0"])
    others = said(shown(state, 1)["towns"])
    assert "on it: Cottage, Farm and Well" in others
    assert "Shrine of the Elder Tree; here 5 points" in others
    assert "complete since round 4" in others
    _, voice = looking(state, 1)
    assert {voice.drawn("often", count=2), voice.drawn("often", count=3)} <= set(words(shown(state, 1)["towns"]))


def test_the_lodge_shows_who_is_in_it():
    state = position("K*...", "..*..", "...g")

    def people(picture: Picture) -> int:
        return sum(look == signs(picture)["not at work"] for look in every_look(picture))

    assert people(shown(state)["town-0"]) == 2 + 1, "in the Lodge, and where the look is explained"
    assert people(shown(state)["towns"]) == 1 + 2 + 3 + 1, "on a square, in two Lodges, and explained"
    assert "Lodge: empty" in said(shown(position("K*.*.*.", "...."))["town-0"])


def every_look(picture: Picture) -> list[str]:
    pieces = [one for one in ET.fromstring(picture.svg).iter(f"{SVG}g") if one.find(f"{SVG}path") is not None]
    return [look(one) for one in pieces if one.find(f"{SVG}text") is None]


def test_a_layout_is_drawn_as_on_the_card():
    view, _ = looking(TOWN, 2)
    root = ET.fromstring(shown(TOWN, 2)["cards"].svg)
    cards = [one for one in root.findall(f"{SVG}g") if one.find(f"{SVG}text") is not None and one.find(f"{SVG}g")]

    for card in (*view.cards, view.own):
        assert card is not None
        cubes = [[text_box(one) for one in piece.findall(f"{SVG}g/{SVG}text")] for piece in cards]
        assert any(same_layout(found, card.layout) for found in cubes), card.id


def same_layout(cubes: list[Box], layout: tuple[str, ...]) -> bool:
    """Whether letters stand in rows and columns as in *layout*."""
    if not cubes:
        return False
    rows, columns = (sorted({round(value) for value in values}) for values in zip(*map(centre, cubes), strict=True))
    drawn = [["."] * len(columns) for _ in rows]
    for one in cubes:
        y, x = centre(one)
        drawn[rows.index(round(y))][columns.index(round(x))] = one.what
    return tuple("".join(row) for row in drawn) == layout


def centre(box: Box) -> tuple[float, float]:
    return (box.top + box.bottom) / 2, (box.left + box.right) / 2


def test_cards_say_what_they_do_and_cost():
    cards = said(shown(TOWN)["cards"])

    assert "Warehouse black stores up to 3 cubes that others name" in cards
    assert "Forage 1 villager put any resource on an empty square" in cards
    assert "Innovate 2 villagers" in cards


def test_a_monument_in_the_hand_is_seen_by_its_owner_only():
    state = position("....", "....", "....", hand={0: "castle", 1: "watch", 2: "fort"})

    assert "Opaleye's Watch yours, secret" in said(shown(state, 1)["cards"])
    for seat in (0, 2, None):
        assert "Watch" not in " ".join(map(said, shown(state, seat).values()))


def test_the_monuments_to_choose_from_are_cards():
    state = draw_all(start(2))
    view, voice = looking(state, 1)

    cards = said(shown(state, 1)["cards"])

    assert len(view.dealt) == 2
    for card in view.dealt:
        assert voice.drawn("full", card=card.id) + " one of your two" in cards
        assert voice.drawn("full", card=card.id) not in said(shown(state, 0)["cards"])
    assert "Before round 1" in cards


def test_the_round_and_who_names_stand_above_the_cards():
    first = said(shown(TOWN, 2)["cards"])
    asked = naming("....", "....", "....", namer=1)

    assert "Round 7 B brick, named by João Master Builder: João next: you" in first
    assert "no resource named yet Master Builder: you next: Ana" in said(shown(asked, 2)["cards"])
    assert "Master Builder" in words(shown(asked, 2)["town-2"])
    assert "Master Builder" not in words(shown(asked, 0)["town-0"])


def test_town_hall_shows_what_was_drawn():
    state = position("....", "....", town_hall=True, namer=-1, builder=-1, resource="glass", round=4)
    cards = shown(state)["cards"]

    assert "glass, drawn from the pile" in said(cards)
    assert "Master Builder" not in said(cards)
    assert "each chooses a resource" in said(
        shown(position("....", "....", town_hall=True, namer=-1, builder=-1, resource="", round=6))["cards"]
    )


def test_the_open_cards_of_solo_are_drawn():
    pictured = shown(position("....", solo=True))

    assert ["town-0", "cards"] == list(pictured)
    assert "one of the open cards open cards W H B" in said(pictured["cards"])


@pytest.mark.parametrize(
    ("seats", "own", "watched"),
    [
        (1, ["town-0", "cards"], ["town-0", "cards"]),
        (2, ["town-0", "town-1", "cards"], ["towns", "cards"]),
        (6, ["town-0", "towns", "cards"], ["towns", "cards"]),
    ],
)
def test_the_own_town_comes_first_and_a_spectator_sees_all_alike(seats, own, watched):
    state = laws_of("tiny_towns").drawn(Setting("tiny_towns", seats).start().state, 4)

    assert own == list(shown(state, 0))
    assert watched == list(shown(state, None))


@pytest.mark.parametrize("language", languages())
def test_town_and_cards_fit_on_the_screen_of_a_phone(language):
    for state in drawn_positions():
        for name, picture in shown(state, 0, language).items():
            high = float(ET.fromstring(picture.svg).attrib["viewBox"].split()[3])
            assert high <= 620, name
