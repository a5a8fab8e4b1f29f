"""The chart of a finished game: every player, every source, and areas as high as the points."""

import re

import pytest

from engine.core.types import Seat
from pbem.lexicon import languages
from pbem.post.draw.chart import score_chart
from pbem.post.ending import round_ends
from pbem.post.words import Reader
from tests.contract.titles import Setting, settings
from tests.pbem.post.draw.geometry import check_drawing
from tests.pbem.post.sample import WORDS, game

NAMES = ("Maximiliana Wolkenstein-Rodenegg da Silva", "João", "Ω", "Bartolomeu-Guilherme", "Li", "Wiktoria")


def chart(setting: Setting, seed: int, language: str = "en") -> str:
    voice = WORDS.voice(language, setting.title, Reader(Seat(0), NAMES))
    return score_chart(round_ends(setting.ruleset, game(setting, seed)), voice).svg


@pytest.mark.parametrize("setting", [one for one in settings() if not one.drawn and not one.options], ids=str)
@pytest.mark.parametrize("language", languages())
def test_a_chart_keeps_what_every_picture_keeps(setting: Setting, language: str) -> None:
    check_drawing(chart(setting, 3, language))


@pytest.mark.parametrize("title", ["village", "tiny_towns", "my_village"])
def test_a_chart_names_all_that_gave_points(title: str) -> None:
    setting = Setting(title, 3)
    final = setting.ruleset.standings(game(setting, 3)[-1].position.state)

    words = re.findall(r"<text[^>]*>([^<]*)</text>", chart(setting, 3))

    for one in final:
        assert f"{one.points} points" in words or f"{one.points} point" in words
        for _, points in one.parts:
            assert not points or str(points) in words


def test_areas_are_as_high_as_the_points() -> None:
    setting = Setting("village", 2)
    history = round_ends(setting.ruleset, game(setting, 4))
    svg = chart(setting, 4)

    highs = [float(high) for high in re.findall(r'height="([0-9.]+)" rx="0" fill="#[0-9a-f]{6}" stroke', svg)]

    points = [number for seat in range(2) for stage in history[1:] for _, number in stage[seat].parts if number]
    assert len(highs) == len(points)
    assert sum(highs) / sum(points) == pytest.approx(max(highs) / max(points), rel=0.05)
