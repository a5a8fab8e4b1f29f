"""A short season keeps the laws of the long one, and the checks of both notice what is wrong."""

import random
import sqlite3
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.clock import parse_clock
from pbem.store.base import sqlite_path
from tests.season.habits import HABITS, habit_of
from tests.season.tally import HONEST, Sent, report
from tests.season.wall import WALLS, Wall
from tests.season.year import FIRST, Plan, Year, season


def test_nothing_is_lost_and_no_clock_is_wrong_in_a_short_season(tmp_path: Path) -> None:
    with season(tmp_path, Plan(games=4, people=16, days=7, number=1)) as year:
        tally = year.run()
        table = report(tally, 7)

        assert tally.wrong == []
        assert tally.lost == []
        assert sum(tally.kinds[kind] for kind in HONEST) > 20
        assert tally.clocks > 10
        assert sum(one.moves for one in tally.games) > 20
        assert f"orders lost          0 of {sum(tally.kinds[kind] for kind in HONEST)} honest letters" in table
        _notices_a_clock_that_was_moved(year)
        _notices_a_default_before_its_time(year)
        _notices_a_letter_that_is_gone(year)


def _notices_a_clock_that_was_moved(year: Year) -> None:
    with _store(year) as base:
        base.execute(
            "UPDATE seats SET deadline = datetime(deadline, '+1 minute') WHERE rowid ="
            " (SELECT rowid FROM seats WHERE deadline IS NOT NULL LIMIT 1)"
        )
    year.tally.before_pass()
    year.tally.after_pass(year.now, year.walls)

    assert len(year.tally.wrong) == 1
    year.tally.wrong.clear()


def _notices_a_default_before_its_time(year: Year) -> None:
    year.tally.before_pass()
    with _store(year) as base:
        query = "SELECT game_id, seat, number FROM seats WHERE deadline > ? LIMIT 1"
        game, seat, number = base.execute(query, (f"{year.now:%Y-%m-%d %H:%M:%S}",)).fetchone()
        values = (game, seat, number, f"{year.now:%Y-%m-%d %H:%M:%S}")
        base.execute(
            "INSERT INTO log (game_id, seq, seat, text, link, cause, key, occasion, number, at)"
            " VALUES (?, 99999, ?, 'x', x'', 'default', '', 0, ?, ?)",
            values,
        )
    year.tally.after_pass(year.now, year.walls)

    assert len(year.tally.wrong) == 1
    assert "default at" in year.tally.wrong[0]
    year.tally.wrong.clear()


def _notices_a_letter_that_is_gone(year: Year) -> None:
    name, sent = next((name, one) for name, one in year.tally.written.items() if one.honest)
    year.tally.written = {f"{name}.gone": Sent(sent.written, sent.when, honest=True)}
    year.tally.finish(year.now)

    assert len(year.tally.lost) == 1
    assert [one.split(":")[0] for one in year.tally.wrong] == ["game 1 is not what its log says"]  # the default above


def _store(year: Year) -> sqlite3.Connection:
    path = sqlite_path(year.service.store.url)
    assert path is not None
    return sqlite3.connect(path)


@pytest.mark.parametrize("wall", WALLS, ids=lambda wall: wall.text)
def test_the_clock_on_the_wall_and_that_of_the_service_count_alike(wall: Wall) -> None:
    clock, chance = parse_clock(wall.text), random.Random(wall.text)
    assert (clock.free, clock.bank) == (wall.free, wall.bank)
    for _ in range(300):
        begin = FIRST + timedelta(minutes=chance.randrange(200 * 24 * 60))
        span = timedelta(minutes=chance.randrange(1, 12 * 24 * 60))

        assert wall.worked(begin, clock.after(begin, span)) == span, (begin, span)


def test_habits_have_their_shares() -> None:
    found = Counter(habit_of(place, 600).name for place in range(600))

    assert found == {one.name: one.share * 6 for one in HABITS}
