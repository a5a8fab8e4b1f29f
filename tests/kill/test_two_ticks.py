"""Two passes at once, as processes: one works, the other leaves; the lock dies with its holder."""

import json
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import Struct

from pbem.cli import app
from pbem.store import base
from pbem.store.base import pass_lock
from tests.kill.director import install, mail_server
from tests.kill.outside import Gate, begin, end, gate_before, run


class Place(Struct, frozen=True):
    """An installation with an empty mailbox, and its mail server."""

    folder: Path
    imap_port: int
    lock: Path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Give an installation."""
    folder = tmp_path_factory.mktemp("two")
    with mail_server(folder / "server") as where:
        service = install(folder, where)
        yield Place(folder, where["imap_port"], service.lock_path)
        service.store.close()


def held_up(place: Place, gate: Gate) -> "subprocess.Popen[str]":
    """Return a tick that has the lock and waits at *gate* for the mailbox."""
    first = begin(place.folder, "tick", IMAP__PORT=str(gate.port))
    assert gate.come.wait(120), "the tick never came to the mailbox"
    return first


def state_of(pid: int) -> str:
    """Return the state of a process, `T` if it is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[0]


def test_of_two_ticks_one_works_and_the_other_is_skipped(place: Place) -> None:
    with gate_before(place.imap_port) as gate:
        first = held_up(place, gate)

        other = run(place.folder, "tick")
        gate.open.set()
        done = end(first)

    assert (0, True) == (other.status, other.answer["skipped"])
    assert (0, False) == (done.status, done.answer["skipped"])


def test_a_stopped_tick_keeps_its_lock_and_a_killed_one_leaves_none(place: Place) -> None:
    with gate_before(place.imap_port) as gate:
        first = held_up(place, gate)
        first.send_signal(signal.SIGSTOP)
        while state_of(first.pid) != "T":
            time.sleep(0.01)

        skipped = run(place.folder, "tick")
        first.kill()
        end_status = end(first).status
        after = run(place.folder, "tick")

    assert (0, True) == (skipped.status, skipped.answer["skipped"])
    assert -signal.SIGKILL == end_status
    assert place.lock.exists(), "the file stays, which locks nobody out"
    assert (0, False) == (after.status, after.answer["skipped"])


def test_a_tick_is_skipped_where_the_other_is_stopped_in_a_transaction(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(base, "BUSY_SECONDS", 1)
    with pass_lock(place.lock) as held, closing(sqlite3.connect(place.folder / "pbem.db")) as other:
        other.execute("BEGIN IMMEDIATE")

        status = app.run(["--config", str(place.folder / "pbem.toml"), "tick", "--json"])

    assert held
    assert 0 == status
    assert json.loads(capsys.readouterr().out)["skipped"]
