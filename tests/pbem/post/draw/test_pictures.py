"""The pictures of every title, in many positions of many games."""

from collections.abc import Iterator

import pytest

from engine.core.types import Seat
from pbem.lexicon import languages
from pbem.post.draw import Picture, has_pictures, pictures
from pbem.post.draw.drawing import SHARPNESS, WIDTH
from pbem.post.draw.png import png_of
from pbem.post.words import Reader
from tests.contract.titles import Setting, settings
from tests.pbem.post.draw.geometry import check_drawing, without_colours
from tests.pbem.post.sample import WORDS, game

LONG = ("Maximiliana Wolkenstein-Rodenegg da Silva", "João", "Ω", "Bartolomeu-Guilherme", "Li", "Wiktoria")
SHARE = 29
"""One in so many positions is drawn."""

DRAWN = [one for one in settings() if has_pictures(one.title) and not one.drawn]


def positions(setting: Setting, seed: int) -> list[object]:
    records = game(setting, seed)
    return [record.position.state for record in [*records[::SHARE], records[-1]]]


def drawn(setting: Setting, state: object, seat: int | None, language: str = "en") -> tuple[Picture, ...]:
    reader = Seat(seat) if seat is not None else None
    view = setting.ruleset.view(state, reader)
    voice = WORDS.voice(language, setting.title, Reader(reader, LONG, view=view))
    return pictures(setting.title, view, voice)


def looks(setting: Setting) -> Iterator[tuple[Picture, ...]]:
    for at, state in enumerate(positions(setting, 5)):
        seat = at % (setting.seats + 1)
        yield drawn(setting, state, seat if seat < setting.seats else None, languages()[at % 2])


@pytest.mark.parametrize("setting", DRAWN, ids=str)
def test_a_picture_keeps_what_every_picture_keeps(setting: Setting) -> None:
    for shown in looks(setting):
        assert shown
        assert len({one.name for one in shown}) == len(shown)
        for picture in shown:
            assert picture.alt.strip() == picture.alt != ""
            check_drawing(picture.svg)


@pytest.mark.parametrize("setting", DRAWN, ids=str)
def test_what_differs_in_colour_differs_without_it(setting: Setting) -> None:
    coloured: dict[str, str] = {}
    for shown in looks(setting):
        for picture in shown:
            grey = without_colours(picture.svg)
            assert coloured.setdefault(grey, picture.svg) == picture.svg, picture.name


@pytest.mark.parametrize("setting", DRAWN, ids=str)
def test_pictures_follow_the_game(setting: Setting) -> None:
    first, *_, last = looks(setting)

    assert {one.svg for one in first}.isdisjoint(one.svg for one in last)


@pytest.mark.parametrize("setting", DRAWN[:1], ids=str)
def test_a_picture_is_sharp_and_kept_by_content(setting: Setting, tmp_path) -> None:
    one, *_ = next(looks(setting))
    folder = tmp_path / "pictures"

    png = png_of(one.svg, folder)

    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20]) == SHARPNESS * WIDTH
    (kept,) = folder.iterdir()
    assert kept.read_bytes() == png
    kept.write_bytes(b"as it was")
    assert png_of(one.svg, folder) == b"as it was"
