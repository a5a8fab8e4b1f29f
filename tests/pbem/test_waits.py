"""What is said ahead saves waits: the measuring command, on the first rounds of a game."""

from pathlib import Path

import pytest

from engine import registry
from tests.pbem.waits import MANNERS, Count, play_game

ROUNDS = {"village": 1, "my_village": 1, "tiny_towns": 2}


@pytest.mark.parametrize("title", [one for one in registry.titles() if one in ROUNDS])
def test_who_writes_more_at_once_is_waited_for_less(tmp_path: Path, title: str) -> None:
    counts: list[Count] = []
    for manner in MANNERS:
        folder = tmp_path / manner
        folder.mkdir()
        counts.append(play_game(folder, title, 2, 1, manner, rounds=ROUNDS[title]))

    question, turn, plans = counts
    assert plans.waits < turn.waits <= question.waits
    assert plans.mails < turn.mails <= question.mails
