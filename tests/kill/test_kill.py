"""A short game whose ticks are killed; `python -m tests.kill` plays longer ones."""

from pathlib import Path

import pytest

from tests.kill.__main__ import kill
from tests.kill.director import Plan


@pytest.mark.slow
def test_killed_ticks_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    assert 0 == kill(Plan("bids", 2, 7, robots=1), hits=1, folder=tmp_path)
