"""`pbem status`: what it prints, that it only looks, and what a monitor hears."""

import signal
import sqlite3
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.clock import utc_now
from pbem.passes import begin_pass, end_pass
from pbem.store import base
from pbem.store.base import pass_lock
from pbem.tick import PARTS
from tests.contract.cli.schema import faults
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, command, dump, seated, store_file

ROOT = Path(__file__).parents[3]


def a_pass(table: Table, ago: timedelta = timedelta(), **troubles: str) -> None:
    """Note that a whole pass came to its end so long *ago*."""
    begin_pass(table.service, utc_now() - ago)
    end_pass(table.service, PARTS, {}, troubles, utc_now() - ago)


def test_the_screen_shows_games_and_post(set_table: SetTable) -> None:
    table = seated(set_table)
    a_pass(table)

    ran = command(table, "status")

    assert ran.code == 0
    assert "game  title  entries  waits for" in ran.out
    assert "Ana, Bob" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_as_data_it_keeps_its_contract(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "gm", "finish", "1")

    ran, everything = command(table, "status", "--json"), command(table, "status", "--all", "--json")

    assert faults("status", ran.json) == faults("status", everything.json) == []
    assert (ran.json["games"], [one["status"] for one in everything.json["games"]]) == ([], ["over"])


def test_it_changes_nothing_and_waits_neither_for_a_pass_nor_for_who_writes(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated(set_table)
    before = dump(table.service.store)
    monkeypatch.setattr(base, "BUSY_SECONDS", 0)

    with pass_lock(table.service.lock_path), table.service.store.write() as session:
        session.connection()
        ran = command(table, "status")

    assert ran.code == 0
    assert dump(table.service.store) == before


def test_a_store_of_another_version_stays_as_it_is(set_table: SetTable) -> None:
    table = seated(set_table)
    with sqlite3.connect(store_file(table)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    connection.close()

    ran = command(table, "status", "--json")

    assert (ran.code, ran.refused) == (1, "store.shape")
    assert "the next `pbem tick` brings it up to date" in ran.err


def test_a_monitor_hears_one_line_and_0_where_all_is_well(set_table: SetTable) -> None:
    table = seated(set_table)
    a_pass(table, timedelta(minutes=30))

    ran = command(table, "status", "--check")

    assert (ran.code, ran.out, ran.err) == (0, "All is well; the last pass ended 30 min ago.\n", "")


@pytest.mark.parametrize(
    ("ago", "words", "code"),
    [(30, ["--within", "10m"], 1), (30, [], 0), (90, [], 1), (90, ["--within", "2h"], 0)],
)
def test_a_monitor_hears_how_old_the_last_pass_may_be(
    set_table: SetTable, ago: int, words: list[str], code: int
) -> None:
    table = seated(set_table)
    a_pass(table, timedelta(minutes=ago))

    assert command(table, "status", "--check", *words).code == code


def test_a_monitor_hears_of_a_trouble_in_one_line(set_table: SetTable) -> None:
    table = seated(set_table)
    a_pass(table, fetch="login failed", send="no route")

    ran, data = command(table, "status", "--check"), command(table, "status", "--check", "--json")

    assert (ran.code, len(ran.out.splitlines())) == (1, 1)
    assert "login failed" in ran.out
    assert "no route" in ran.out
    assert (data.code, [one["key"] for one in data.json["problems"]][:2]) == (1, ["mailbox", "smtp"])


@pytest.mark.parametrize("words", [["--within", "soon"], ["--watch", "0"], ["--watch", "often"]])
def test_misuse_is_misuse(set_table: SetTable, words: list[str]) -> None:
    assert command(seated(set_table), "status", *words).code == 2


def test_a_watch_draws_it_again_and_ends_with_130_on_ctrl_c(set_table: SetTable) -> None:
    table = seated(set_table)
    words = ["--config", str(table.folder / "pbem.toml"), "status", "--watch", "1"]
    watch = subprocess.Popen(
        [sys.executable, "-m", "pbem", *words],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no thread is at work here
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )

    assert watch.stdout is not None
    lines = iter(watch.stdout)
    screens = sum(" UTC. " in next(lines) for _ in range(25))
    watch.send_signal(signal.SIGINT)
    watch.communicate(timeout=60)

    assert screens >= 2
    assert watch.returncode == 130
