"""What is said ahead saves waits: the measuring command, on the first rounds of a game."""

from pathlib import Path

import pytest

from tests.pbem.waits import Manner, play_game

ROUNDS = 4


@pytest.mark.parametrize("tables", [False, True])
def test_a_round_waits_once_where_the_next_builder_names_ahead_else_twice(tmp_path: Path, *, tables: bool) -> None:
    counts = []
    for naming in (False, True):
        folder = tmp_path / str(naming)
        folder.mkdir()
        counts.append(play_game(folder, 2, 1, Manner(naming, tables), rounds=ROUNDS))

    silent, ahead = counts
    assert ahead.waits < silent.waits
    assert ahead.mails < silent.mails
    if not tables:
        assert 1 + ROUNDS == ahead.waits
        assert 1 + 2 * ROUNDS == silent.waits
