"""The points over time: one line for each player, told apart without colours."""

import re

import pytest

from engine.core.types import Seat, Standing
from pbem.lexicon import languages
from pbem.post.album.scores import DASHES, score_lines
from pbem.post.words import Reader
from tests.contract.titles import Setting
from tests.pbem.post.draw.geometry import check_drawing
from tests.pbem.post.sample import WORDS, game

NAMES = ("Maximiliana Wolkenstein-Rodenegg da Silva", "João", "Ω", "Bartolomeu-Guilherme", "Li", "Wiktoria")


def drawn(history: list[tuple[Standing, ...]], language: str = "en") -> str:
    return score_lines(history, [(0, 1)], WORDS.voice(language, "", Reader(None, NAMES)))


def stage(*points: int) -> tuple[Standing, ...]:
    return tuple(Standing(Seat(n), 1, one, (("all", one),)) for n, one in enumerate(points))


@pytest.mark.parametrize(
    "setting", [Setting("village", 4), Setting("my_village", 3), Setting("tiny_towns", 6)], ids=str
)
@pytest.mark.parametrize("language", languages())
def test_the_lines_keep_what_every_picture_keeps(setting: Setting, language: str) -> None:
    history = [setting.ruleset.standings(one.position.state) for one in game(setting, 4)[::3]]

    check_drawing(drawn(history, language))


@pytest.mark.parametrize("points", [(0,) * 6, (5, 5, 5, 5, 5, 90), (-6, 0, 3), (100, 99, 98, 97, 96, 95), (7,)])
def test_names_at_the_ends_do_not_cover_each_other(points: tuple[int, ...]) -> None:
    check_drawing(drawn([stage(*(0 for _ in points)), stage(*points)]))


def test_the_only_position_is_drawn_too() -> None:
    check_drawing(drawn([stage(0, 0)]))


def test_lines_are_told_apart_without_colours() -> None:
    svg = drawn([stage(0, 0, 0, 0, 0, 0), stage(1, 2, 3, 4, 5, 6)])

    dashes = re.findall(r'stroke-width="2"(?: stroke-dasharray="([^"]*)")?', svg)

    assert dashes == list(DASHES)


def test_a_line_ends_as_high_as_its_points() -> None:
    svg = drawn([stage(0, 0), stage(10, 5), stage(10, 20)])

    ends = [float(one) for one in re.findall(r'd="M[^"]*V([0-9.]+)H[0-9.]+"', svg)]

    zero = max(float(one) for one in re.findall(r'd="M[0-9.]+ ([0-9.]+)', svg))
    assert zero - ends[1] == pytest.approx(2 * (zero - ends[0]), abs=0.2)
