"""The scripts that a server runs: the wrapper for cron, backup and restore, the units."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pbem.store.base import pass_lock
from tests.test_layout import ROOT

WRAPPER = ROOT / "cron" / "pbem-tick"
BACKUP = ROOT / "deploy" / "backup.py"
SETTINGS = """
[mail]
address = "pbem@example.org"
[gm]
address = "gm@example.org"
[imap]
host = "localhost"
user = "pbem"
password = "pw"
[smtp]
host = "localhost"
"""


@pytest.fixture
def program(tmp_path):
    """A program of our own in place of pbem; it does what the file `answer` says."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "python").symlink_to(sys.executable)
    program = folder / "pbem"
    program.write_text('#!/bin/sh\necho "$@ in $(pwd)"\n. ./answer\n')
    program.chmod(0o755)
    return program


def tick(program, folder, answer, *arguments, seconds="20"):
    (folder / "answer").write_text(answer)
    environ = {"PBEM_PROGRAM": str(program), "PBEM_FOLDER": str(folder), "PBEM_SECONDS": seconds, "PATH": os.defpath}
    return subprocess.run([WRAPPER, *arguments], env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("code", [0, 75])
def test_wrapper_is_silent_when_nobody_must_act(program, tmp_path, code):
    done = tick(program, tmp_path, f"exit {code}")

    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(("answer", "code"), [("exit 1", 1), ("exit 2", 2), ("exit 70", 70), ("kill -KILL $$", 137)])
def test_wrapper_tells_what_went_wrong(program, tmp_path, answer, code):
    done = tick(program, tmp_path, f"echo trouble >&2; {answer}", "--config", "x.toml")

    assert code == done.returncode
    assert done.stdout.splitlines() == [
        f"pbem-tick: exit code {code}",
        f"tick --config x.toml in {tmp_path}",
        "trouble",
    ]


def test_wrapper_ends_what_takes_too_long(program, tmp_path):
    done = tick(program, tmp_path, "exec sleep 60", seconds="0.5")

    assert (124, "pbem-tick: ended after 0.5 seconds") == (done.returncode, done.stdout.splitlines()[0])


def test_wrapper_names_a_missing_program(program, tmp_path):
    done = tick(tmp_path / "missing", tmp_path, "")

    assert (2, f"pbem-tick: {tmp_path}/missing is not there\n") == (done.returncode, done.stderr)


@pytest.fixture
def home(tmp_path):
    """A folder as a GM has it, with a store in which one row is not yet written back."""
    folder = tmp_path / "home"
    (folder / "templates/mail").mkdir(parents=True)
    (folder / "templates/mail/report.txt.j2").write_text("own words")
    (folder / "pbem.toml").write_text(SETTINGS)
    (folder / "pbem.key").write_bytes(b"old key")
    with closing(sqlite3.connect(folder / "pbem.db")) as store:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("CREATE TABLE games (number INTEGER)")
        yield folder, store


def backup(folder, *arguments):
    command = [sys.executable, BACKUP, "--config", folder / "pbem.toml", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rows(store):
    return store.execute("SELECT number FROM games").fetchall()


def test_restore_brings_back_what_was_saved(home, tmp_path):
    folder, store = home
    store.execute("INSERT INTO games VALUES (12)")
    store.commit()
    saved = backup(folder, "save", tmp_path / "kept").stdout.strip()
    store.execute("INSERT INTO games VALUES (13)")
    store.commit()
    store.close()
    (folder / "pbem.key").write_bytes(b"new key")

    told = backup(folder, "restore", saved, "--dry-run").stdout
    untouched = (folder / "pbem.key").read_bytes()
    done = backup(folder, "restore", saved)

    assert (b"new key", told) == (untouched, done.stdout)
    with closing(sqlite3.connect(folder / "pbem.db")) as restored:
        assert [(12,)] == rows(restored)
    assert (folder / "pbem.key").read_bytes() == b"old key"
    assert (folder / "pbem.key").stat().st_mode & 0o77 == 0
    assert (folder / "pbem.db.before-restore").is_file()


def test_backup_holds_settings_and_own_templates_for_their_owner_only(home, tmp_path):
    folder, _ = home

    saved = backup(folder, "save", tmp_path / "kept").stdout.strip()

    found = {str(file.relative_to(saved)) for file in (tmp_path / "kept").rglob("*") if file.is_file()}
    assert {"pbem.db", "pbem.key", "pbem.toml", "templates/mail/report.txt.j2"} == found
    assert Path(saved).stat().st_mode & 0o77 == 0


def test_old_backups_go(home, tmp_path):
    folder, _ = home
    for day in ("20260101", "20260102", "20260103"):
        (tmp_path / f"kept/pbem-{day}T000000Z").mkdir(parents=True)

    saved = backup(folder, "save", tmp_path / "kept", "--keep", "2").stdout.strip()

    assert {"pbem-20260103T000000Z", Path(saved).name} == {file.name for file in (tmp_path / "kept").iterdir()}


def test_what_cannot_be_saved_or_restored_is_told(home, tmp_path):
    folder, store = home
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "pbem.db").write_bytes(b"no database at all " * 99)
    empty = backup(folder, "restore", tmp_path)
    broken = backup(folder, "restore", damaged)
    store.close()
    (folder / "pbem.db").unlink()

    missing = backup(folder, "save", tmp_path / "kept")

    assert (1, "backup.missing") == (empty.returncode, empty.stderr.split()[0])
    assert (1, "backup.damaged") == (broken.returncode, broken.stderr.split()[0])
    assert (1, "backup.missing") == (missing.returncode, missing.stderr.split()[0])
    assert not (tmp_path / "kept").exists()


def test_nothing_is_restored_under_a_running_pass(home, tmp_path):
    folder, _ = home
    saved = backup(folder, "save", tmp_path / "kept").stdout.strip()

    with pass_lock(folder / "pbem.lock") as free:
        assert free
        done = backup(folder, "restore", saved)

    assert (75, "backup.pass-running") == (done.returncode, done.stderr.split()[0])
    assert not list(folder.glob("*.before-restore"))


def test_the_crontab_speaks_only_when_the_check_finds_something(tmp_path):
    line = (ROOT / "cron" / "crontab").read_text().splitlines()[-1]
    command = line.split(maxsplit=5)[5].replace("/var/lib/pbem", str(tmp_path))
    program = tmp_path / "pbem"
    program.write_text('#!/bin/sh\necho "$@"\nexit $CODE\n')
    program.chmod(0o755)

    said = [
        subprocess.run(
            ["/bin/sh", "-c", command.replace("/opt/pbem/.venv/bin/pbem", str(program))],
            env={"CODE": code, "PATH": os.defpath},
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for code in ("0", "1", "70")
    ]

    assert said == ["", "status --check\n", "status --check\n"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
@pytest.mark.parametrize("unit", ["pbem-tick", "pbem-check"])
def test_units_are_sound(tmp_path, unit):
    for name in (f"{unit}.service", f"{unit}.timer"):
        text = (ROOT / "deploy" / name).read_text()
        (tmp_path / name).write_text(text.replace("/opt/pbem/.venv/bin/pbem", "/bin/true"))

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / f"{unit}.timer", tmp_path / f"{unit}.service"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)
