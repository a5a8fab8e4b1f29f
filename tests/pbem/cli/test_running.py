"""`tick` and its parts by the command line: exit codes, the lock, a real mail server."""

import itertools
import json
import os
import queue
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.registry import load, titles
from pbem.demo.run import NAMES
from pbem.mail.ports import Account
from pbem.mail.smtp import Sender
from pbem.store import base, games
from pbem.store.base import pass_lock
from tests.contract.cli.schema import faults
from tests.pbem.mail.conftest import embedded_server
from tests.pbem.mail.scripted import imap, scripted, smtp
from tests.pbem.table import OUR, Table
from tests.pbem.witness import Ran, SetTable, command, dump, pbem_run, seated, store_file

ROOT = Path(__file__).parents[3]
PARTS = ("tick", "fetch", "judge", "time", "send")
NOWHERE = {"PBEM_IMAP__PORT": "1", "PBEM_SMTP__PORT": "1"}


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing listen where the mailbox and the server should be."""
    for name, value in NOWHERE.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("part", PARTS)
def test_who_finds_another_pass_at_work_says_so_and_is_done(set_table: SetTable, nowhere: None, part: str) -> None:
    table = seated(set_table)

    with pass_lock(table.service.lock_path):
        ran, plain = command(table, part, "--json"), command(table, part)

    assert (ran.code, plain.code) == (0, 0)
    assert faults(part, ran.json) == []
    assert ran.json["skipped"]
    assert plain.out == "skipped: another pass is at work\n"


@pytest.mark.parametrize("part", ["judge", "time"])
def test_a_pass_without_work_is_done(set_table: SetTable, nowhere: None, part: str) -> None:
    table = seated(set_table)

    ran = command(table, part, "--json")

    assert ran.code == 0
    assert faults(part, ran.json) == []
    assert not ran.json["skipped"]


def test_a_mailbox_that_is_not_there_is_tried_later_after_all_else_was_done(set_table: SetTable, nowhere: None) -> None:
    table = set_table("bot:random", "bot:random")

    ran = command(table, "tick", "--json")

    assert ran.code == 75
    assert ran.refused == "pass.troubles"
    assert faults("refusal", ran.json) == []
    assert table.moves() != []


@pytest.mark.parametrize("part", ["fetch", "send", "tick"])
def test_without_a_server_a_pass_is_tried_later(set_table: SetTable, nowhere: None, part: str) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = command(table, part)

    assert ran.code == 75
    assert ran.out == ""
    assert "try again later" in ran.err
    assert "Traceback" not in ran.err


def test_our_own_fault_ends_with_70_and_shows_where(set_table: SetTable) -> None:
    table = seated(set_table)
    with sqlite3.connect(store_file(table)) as connection:
        connection.execute("UPDATE games SET state = 'nonsense'")
    connection.close()

    ran = command(table, "game", "show", "1")

    assert ran.code == 70
    assert "Traceback" in ran.err


def test_a_store_that_others_hold_is_tried_later(set_table: SetTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated(set_table)
    monkeypatch.setattr(base, "BUSY_SECONDS", 0)

    with table.service.store.write() as session:
        games.save_game(session, table.live().game)
        session.connection()
        ran = command(table, "gm", "pause", "1")

    assert ran.code == 75


@pytest.mark.parametrize("port", ["--smtp-port", "--imap-port"])
def test_a_mail_server_on_a_port_that_is_taken_is_refused_in_one_line(tmp_path: Path, port: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = pbem_run("mailserver", "--dir", str(tmp_path), port, str(taken.getsockname()[1]))

    assert (ran.code, ran.out) == (1, "")
    assert len(ran.err.splitlines()) == 1
    assert "in use" in ran.err


def test_a_mail_server_without_a_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    ran = pbem_run("mailserver", "--dir", str(tmp_path / "file"))

    assert (ran.code, len(ran.err.splitlines())) == (1, 1)
    assert str(tmp_path / "file") in ran.err


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["--seats", "7", "--game", "tiny_towns"], "config.seats"),
        (["--seats", "0", "--game", "tiny_towns"], "config.seats"),
        (["--seats", "-1", "--game", "tiny_towns"], "config.seats"),
        (["--seats", "5"], "config.seats"),
        (["--game", "chess"], "config.ruleset"),
        (["--option", "colour=red"], "config.option"),
    ],
)
def test_a_demo_that_cannot_be_set_up_is_refused_as_a_game_is(tmp_path: Path, words: list[str], key: str) -> None:
    ran = pbem_run("demo", *words, "--out", str(tmp_path / "out"), "--json")

    assert (ran.code, ran.refused) == (1, key)
    assert not (tmp_path / "out").exists()


def test_the_demo_has_a_name_for_everybody_who_can_play() -> None:
    assert max(load(title).seats[-1] for title in titles()) <= len(NAMES)


def test_settings_that_are_missing_are_misuse(tmp_path: Path) -> None:
    ran = pbem_run("--config", str(tmp_path / "pbem.toml"), "tick", "--json")

    assert (ran.code, ran.refused) == (2, "settings.no-file")
    assert "pbem init" in ran.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[mail\n", "is no TOML"),
        ("[post]\n", "There is no section [post]"),
        ("[mail]\nadress = 'x'\n", "Nearest: mail.address."),
        ("[mail]\naddress = 'pbem@pbem.test'\n", "is missing"),
    ],
)
def test_settings_that_cannot_be_used_are_explained(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "pbem.toml").write_text(text)

    ran = pbem_run("--config", str(tmp_path / "pbem.toml"), "tick")

    assert ran.code == 2
    assert said in ran.err


def start(*words: str, **environ: str) -> "subprocess.Popen[str]":
    """Return a running command line; Ctrl-C reaches it even where whoever runs the tests ignores it."""
    return subprocess.Popen(
        [sys.executable, "-m", "pbem", *words],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no thread is at work here
        cwd=ROOT,
        env={**os.environ, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def forget_notices(table: Table) -> None:
    """Leave nothing to be sent."""
    with sqlite3.connect(store_file(table)) as connection:
        connection.execute("DELETE FROM notices")
    connection.close()


def test_a_watch_goes_on_without_a_server_and_ends_with_130_on_ctrl_c(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", title="village")
    config = str(table.folder / "pbem.toml")
    forget_notices(table)
    watch = start("--config", config, "watch", "--every", "3600", **NOWHERE)

    assert watch.stdout is not None
    assert "try again later" in watch.stdout.readline()
    watch.send_signal(signal.SIGINT)
    watch.communicate(timeout=60)

    assert watch.returncode == 130


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """Run the embedded mail server, and name its ports to the commands."""
    with embedded_server(tmp_path / "boxes") as (_process, told):
        monkeypatch.setenv("PBEM_IMAP__PORT", str(told["imap_port"]))
        monkeypatch.setenv("PBEM_SMTP__PORT", str(told["smtp_port"]))
        yield told


def say(post: dict[str, int], raw: bytes) -> None:
    """Hand a letter for our mailbox to the embedded server."""
    with Sender(Account("127.0.0.1", post["smtp_port"], "none", "", "")) as sender:
        assert sender.send("x@elsewhere.test", OUR, raw).outcome == "ok"


STRANGER = b"From: x@elsewhere.test\r\nTo: pbem@pbem.test\r\nSubject: hello\r\n\r\nhello\r\n"


Lines = queue.Queue[tuple[float, str]]


@contextmanager
def watching(table: Table, every: int, **environ: str) -> Iterator[tuple["subprocess.Popen[str]", Lines]]:
    """Yield a running watch and its lines as they come, each with its moment; it is gone afterwards."""
    lines: Lines = queue.Queue()
    with start("--config", str(table.folder / "pbem.toml"), "watch", "--every", str(every), **environ) as watch:

        def read() -> None:
            assert watch.stdout is not None
            for line in watch.stdout:
                lines.put((time.monotonic(), line))

        reader = threading.Thread(target=read)
        reader.start()
        try:
            yield watch, lines
        finally:
            watch.kill()
            reader.join()


def test_a_watch_takes_a_letter_as_it_comes_and_ends_with_0_on_sigterm(
    set_table: SetTable, post: dict[str, int]
) -> None:
    table = set_table("Ana pt", "Bob en", title="village")

    with watching(table, 3600) as (watch, lines):
        told = [lines.get(timeout=60)]
        for word in (b"hello", b"hello again"):
            say(post, STRANGER.replace(b"hello", word))
            said = time.monotonic()
            told.append(lines.get(timeout=60))
        watch.send_signal(signal.SIGTERM)
        code = watch.wait(60)

    assert code == 0
    assert told[0][1] == "sent 2\n"
    assert ["fetched 1" in line for _, line in told] == [False, True, True]
    assert told[2][0] - said < 20


def test_a_watch_that_is_told_to_end_lets_its_pass_come_to_the_end(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", title="village")
    begun, go_on = threading.Event(), threading.Event()
    talk = smtp({})

    def answer(line: str) -> str | None:
        if line.startswith("EHLO"):
            begun.set()
            go_on.wait(60)
        return talk(line)

    with scripted("220 ready", answer) as server:
        ports = {"PBEM_SMTP__PORT": str(server.port), "PBEM_IMAP__PORT": "1"}
        with watching(table, 3600, **ports) as (watch, lines):
            assert begun.wait(60)
            watch.send_signal(signal.SIGTERM)
            go_on.set()
            code = watch.wait(60)
            _, line = lines.get(timeout=60)

    assert code == 0
    assert "try again later" in line
    assert [one.status for one in table.posted()] == ["sent", "sent"]


def test_a_watch_says_a_trouble_once_and_again_when_it_comes_back(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", title="village", start=False)
    forget_notices(table)
    down = [False, True, True, False, True]  # the first login is that of the bell
    tickets = itertools.count(1)

    def answer(line: str) -> str | None:
        if " LOGIN " in line and down and down.pop(0):
            return f"{line.split(maxsplit=1)[0]} NO [UNAVAILABLE] try again, ticket {next(tickets)}\r\n"
        return imap({})(line)

    with scripted("* OK ready", answer, connections=20) as server:
        ports = {"PBEM_IMAP__PORT": str(server.port), "PBEM_SMTP__PORT": "1"}
        with watching(table, 5, **ports) as (_, lines):
            told = [lines.get(timeout=90)[1] for _ in range(2)]

    assert [line.partition("ticket")[2] for line in told] == [" 1\n", " 3\n"]
    assert down == []


def data(ran: Ran) -> Any:
    assert ran.code == 0, ran.err
    return ran.json


def test_a_pass_with_a_server_sends_and_counts(set_table: SetTable, post: dict[str, int]) -> None:
    table = set_table("Ana pt", "Bob en")

    first, second = data(command(table, "tick", "--json")), data(command(table, "tick", "--json"))

    assert faults("tick", first) == []
    assert (first["sent"], second["sent"]) == (2, 0)
    assert [one.status for one in table.posted()] == ["sent", "sent"]
    assert command(table, "tick").out == "nothing to do\n"


def test_each_part_does_its_part(set_table: SetTable, post: dict[str, int]) -> None:
    table = set_table("Ana pt", "Bob en")

    counts = {part: data(command(table, part, "--json")) for part in ("fetch", "judge", "time", "send")}

    assert counts["fetch"]["sent"] == counts["judge"]["sent"] == counts["time"]["sent"] == 0
    assert counts["send"]["sent"] == 2


def test_doctor_finds_nothing_wrong_where_all_is_there(set_table: SetTable, post: dict[str, int]) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = command(table, "doctor", "--json")

    assert ran.code == 0
    assert faults("doctor", ran.json) == []
    assert ran.json["faults"] == 0


def test_doctor_names_every_fault_in_one_answer(set_table: SetTable, nowhere: None) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = command(table, "doctor", "--json")

    assert ran.code == 1
    assert faults("doctor", ran.json) == []
    assert {one["name"] for one in ran.json["findings"] if one["state"] == "fault"} == {"mailbox", "outgoing server"}


def test_the_mail_server_tells_where_it_listens(tmp_path: Path) -> None:
    server = start("mailserver", "--dir", str(tmp_path))

    assert server.stdout is not None
    told = json.loads(server.stdout.readline())
    server.send_signal(signal.SIGINT)
    server.communicate()

    assert faults("mailserver", told) == []


def test_two_passes_at_once_send_every_mail_once(set_table: SetTable, post: dict[str, int]) -> None:
    table: Table = set_table("Ana pt", "Bob en", title="village")
    config = str(table.folder / "pbem.toml")

    running = [start("--config", config, "send", "--json") for _ in range(2)]
    answers = [json.loads(one.communicate()[0]) for one in running]

    assert [one.returncode for one in running] == [0, 0]
    assert sum(one["sent"] for one in answers) == 2
    untold = [row for row in dump(table.service.store)["notices"] if row[-1] is None]
    assert {row[3] for row in untold} == {"clock.moved"}, "only that the questions of a game from March went out late"
