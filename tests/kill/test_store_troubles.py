"""Disk full, store read-only, damaged or in the way: told in a sentence, nothing lost, and all is done afterwards."""

import os
import stat
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kill.director import mail_server, settle
from tests.kill.house import ANA, BOB, SPOOL, TRY_LATER, House
from tests.kill.outside import run
from tests.kill.troubles import FILLER, fill
from tests.kill.world import World

REFUSED = 1
NO_FILE_GROWS = ("sh", "-c", 'ulimit -f 1; exec "$0" "$@"')
IN_WORDS = "The store cannot be used now: "

Build = Callable[..., House]
Capture = pytest.CaptureFixture[str]


def answered(house: House) -> House:
    """Return *house* after the first pass, with an answer of each player in its mailbox and nobody in its store."""
    house.tick()
    for box in (ANA, BOB):
        house.answer(box, "1\n1")
    house.service.store.close()
    return house


def is_whole(house: House) -> bool:
    """Return whether each letter was judged once, each answer played once, and each mail came once and is on record."""
    mails = Counter(one.message_id for box in (ANA, BOB) for one in house.spooled(box))
    played = [one.partition(" ")[0] + one.split()[1] for one in house.entries()]
    once = {"done": 2} == house.letters() and {"sent"} == set(house.mails()) and set(mails.values()) == {1}
    return once and {"0stake", "0bid", "1stake", "1bid"} <= set(played) and len(mails) == house.mails()["sent"]


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody write in *folder*: by a mount, or, where we are not root, by modes."""
    if os.geteuid():
        with modes({folder: 0o500} | {one: 0o400 for one in folder.iterdir() if one.is_file()}):
            yield
        return
    for command in (["mount", "--bind", str(folder), str(folder)], ["mount", "-o", "remount,bind,ro", str(folder)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            subprocess.run(["umount", str(folder)], capture_output=True, check=False)
            pytest.skip(f"root may write everywhere, and nothing can be mounted: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def immutable(file: Path) -> Iterator[None]:
    """Let nobody write to *file*: by its attributes, or, where we are not root, by its mode."""
    if os.geteuid():
        with modes({file: 0o400}):
            yield
        return
    done = subprocess.run(["chattr", "+i", str(file)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"root may write everywhere, and there are no attributes: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", str(file)], check=True)


@contextmanager
def modes(wanted: dict[Path, int]) -> Iterator[None]:
    before = {path: stat.S_IMODE(path.stat().st_mode) for path in wanted}
    for path, mode in wanted.items():
        path.chmod(mode)
    try:
        yield
    finally:
        for path, mode in before.items():
            path.chmod(mode)


def test_on_a_full_disk_nothing_is_lost(disk: Path, build: Build, capsys: Capture) -> None:
    house = answered(build(disk))
    fill(World(house.folder, disk))
    capsys.readouterr()

    full = house.tick()
    said = capsys.readouterr().err
    (disk / FILLER).unlink()
    after = house.tick()

    assert TRY_LATER == full
    assert IN_WORDS in said
    assert 0 == after
    assert is_whole(house)


def test_where_no_file_may_grow_nothing_is_lost(build: Build, tmp_path: Path) -> None:
    house = answered(build(tmp_path / "disk"))

    limited = run(house.folder, "tick", under=NO_FILE_GROWS)
    after = house.tick()

    assert TRY_LATER == limited.status
    assert IN_WORDS in limited.errors
    assert 0 == after
    assert is_whole(house)


def test_a_first_pass_on_a_full_disk_leaves_no_half_key(
    disk: Path, tmp_path: Path, tick: Callable[..., int], capsys: Capture
) -> None:
    with mail_server(tmp_path / SPOOL) as where:
        settle(tmp_path, where, disk)
        fill(World(tmp_path, disk))

        full = tick()
        said = capsys.readouterr().err
        (disk / FILLER).unlink()
        after = tick()

    assert TRY_LATER == full
    assert f"{IN_WORDS}[Errno 28] No space left on device" in said
    assert 0 == after
    assert 32 == (disk / "pbem.key").stat().st_size


def test_a_read_only_store_is_tried_later(build: Build, tmp_path: Path, capsys: Capture) -> None:
    disk = tmp_path / "disk"
    house = answered(build(disk))
    capsys.readouterr()

    with read_only(disk):
        status = house.tick()
    said = capsys.readouterr().err
    after = house.tick()

    assert TRY_LATER == status
    assert IN_WORDS in said
    assert 0 == after
    assert is_whole(house)


def test_a_database_that_cannot_be_written_is_tried_later(build: Build, tmp_path: Path, capsys: Capture) -> None:
    disk = tmp_path / "disk"
    house = answered(build(disk))
    capsys.readouterr()

    with immutable(disk / "pbem.db"):
        status = house.tick()
    said = capsys.readouterr().err
    after = house.tick()

    assert TRY_LATER == status
    assert "readonly database" in said
    assert 0 == after
    assert is_whole(house)


@pytest.mark.parametrize(
    ("damage", "what"),
    [
        (lambda whole: b"My shopping list: " + whole[:4_000], "file is not a database"),
        (lambda whole: whole[:6_000], "malformed"),
        (lambda whole: whole[:4_096] + os.urandom(len(whole) - 4_096), "malformed"),
    ],
    ids=["another file", "cut off", "overwritten"],
)
def test_a_damaged_database_is_left_alone(
    build: Build, tmp_path: Path, capsys: Capture, damage: Callable[[bytes], bytes], what: str
) -> None:
    file = tmp_path / "disk" / "pbem.db"
    house = answered(build(file.parent))
    whole = file.read_bytes()
    damaged = damage(whole)
    file.write_bytes(damaged)
    capsys.readouterr()

    status = house.tick()
    said = capsys.readouterr().err
    left = file.read_bytes()
    file.write_bytes(whole)
    after = house.tick()

    assert REFUSED == status
    assert what in said
    assert "Traceback" not in said
    assert damaged == left
    assert 0 == after
    assert is_whole(house)


def test_a_missing_state_folder_is_made_for_nobody_else(tmp_path: Path, tick: Callable[..., int]) -> None:
    disk = tmp_path / "not" / "yet"
    with mail_server(tmp_path / SPOOL) as where:
        settle(tmp_path, where, disk)

        status = tick()

    assert 0 == status
    assert [0o600, 0o600] == [stat.S_IMODE((disk / name).stat().st_mode) for name in ("pbem.db", "pbem.key")]


def test_a_state_folder_that_is_a_file_is_named(tmp_path: Path, tick: Callable[..., int], capsys: Capture) -> None:
    disk = tmp_path / "disk"
    disk.touch()
    settle(tmp_path, {"imap_port": 1, "smtp_port": 1}, disk)

    status = tick()

    assert REFUSED == status
    assert f"The key file {disk / 'pbem.key'} cannot be" in capsys.readouterr().err


def test_a_state_folder_that_cannot_be_written_is_named(
    tmp_path: Path, tick: Callable[..., int], capsys: Capture
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    settle(tmp_path, {"imap_port": 1, "smtp_port": 1}, disk)

    with read_only(disk):
        status = tick()

    assert REFUSED == status
    assert f"The key file {disk / 'pbem.key'} cannot be" in capsys.readouterr().err


def test_a_lock_file_that_cannot_be_opened_is_tried_later(house: House, capsys: Capture) -> None:
    answered(house)
    lock = house.service.lock_path
    lock.unlink()
    lock.mkdir()
    capsys.readouterr()

    status = house.tick()
    said = capsys.readouterr().err
    lock.rmdir()
    after = house.tick()

    assert TRY_LATER == status
    assert IN_WORDS in said
    assert str(lock) in said
    assert 0 == after
    assert is_whole(house)


def test_a_cache_of_templates_that_cannot_be_made_stops_no_mail(house: House, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "pbem.key").write_bytes(house.service.key)
    (state / "templates").touch()

    status = house.tick(STORE__STATE=state)

    assert 0 == status
    assert {"sent": 2} == house.mails()


def test_a_cache_of_templates_that_is_full_stops_no_mail(house: House, disk: Path) -> None:
    (disk / "pbem.key").write_bytes(house.service.key)
    (disk / "templates").mkdir()
    fill(World(house.folder, disk))

    status = house.tick(STORE__STATE=disk)

    assert 0 == status
    assert {"sent": 2} == house.mails()
