"""A whole installation in one file, and back."""

import io
import json
import sqlite3
import tarfile
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.backup import LIST, Restored, back_up, refuse_other_stores, restore
from pbem.errors import Refused
from pbem.gate.tags import find_tags
from pbem.inquiry import is_valid_now
from pbem.service import open_service
from pbem.settings import load_settings
from pbem.store import outbox
from pbem.store.upgrade import NEWEST
from tests.pbem.table import Table
from tests.pbem.witness import command, dump, notices, seated, stake

SetTable = Callable[..., Table]


def saved(table: Table, file: Path, **values: Any) -> Path:
    """Return *file* with a backup of the table."""
    config = table.folder / "pbem.toml"
    back_up(load_settings(config, {}), config, file, table.now, **values)
    return file


def played(set_table: SetTable) -> Table:
    """Return a table at which a round was played."""
    table = seated(set_table, own_words=True)
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))
    return table


def refused(file: Path, folder: Path) -> Refused:
    """Return how restoring *file* is refused; nothing of it is left then."""
    with pytest.raises(Refused) as caught:
        restore(file, folder)
    assert not folder.exists()
    return caught.value


def packed(file: Path, members: dict[str, bytes], *, kind: bytes = tarfile.REGTYPE) -> Path:
    """Return *file* as a tar of *members*."""
    with tarfile.open(file, "w") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size, member.type = len(content), tarfile.REGTYPE if name == LIST else kind
            tar.addfile(member, io.BytesIO(content) if member.isreg() else None)
    return file


def unpacked(file: Path) -> dict[str, bytes]:
    """Return the members of a tar."""
    with tarfile.open(file) as tar:
        return {one.name: tar.extractfile(one).read() for one in tar.getmembers()}  # type: ignore[union-attr]


def test_what_was_saved_comes_back_whole(set_table: SetTable, tmp_path: Path) -> None:
    table = played(set_table)
    before = dump(table.service.store)

    found = restore(saved(table, tmp_path / "kept.tar"), tmp_path / "elsewhere")

    again = open_service(load_settings(tmp_path / "elsewhere" / "pbem.toml", {}))
    assert dump(again.store) == before
    again.store.close()
    assert found == Restored("2026-03-02T12:03:00Z", 1, 1, (), (), 2, 5, 0, "pbem.toml")
    assert (tmp_path / "elsewhere" / "templates/words").is_dir()
    found_files = [one for one in (tmp_path / "elsewhere").rglob("*") if one.is_file()]
    private = [tmp_path / "kept.tar", tmp_path / "elsewhere", *found_files]
    assert [one for one in private if one.stat().st_mode & 0o77] == []


def test_tags_in_mails_that_were_sent_before_still_prove_their_seat(set_table: SetTable, tmp_path: Path) -> None:
    table = played(set_table)

    restore(saved(table, tmp_path / "kept.tar"), tmp_path / "elsewhere")

    again = open_service(load_settings(tmp_path / "elsewhere" / "pbem.toml", {}))
    with again.store.read() as session:
        tags = [found.tag for found in find_tags(table.last("Ana"))]
        assert tags
        assert all(is_valid_now(session, again, tag) for tag in tags)
    again.store.close()


def test_a_backup_in_the_middle_of_a_pass_holds_what_was_committed(set_table: SetTable, tmp_path: Path) -> None:
    table = played(set_table)
    before = dump(table.service.store)

    with table.service.store.write() as session:
        outbox.add_notice(session, table.game, -2, "alert.unmovable", {}, table.now, urgent=True)  # type: ignore[arg-type]
        session.flush()
        restore(saved(table, tmp_path / "kept.tar"), tmp_path / "elsewhere")

    again = open_service(load_settings(tmp_path / "elsewhere" / "pbem.toml", {}))
    assert dump(again.store) == before
    assert dump(table.service.store) != before
    again.store.close()


def test_backups_while_another_commits_are_whole_each_time(set_table: SetTable, tmp_path: Path) -> None:
    table = played(set_table)
    stop, committed = threading.Event(), threading.Semaphore(0)

    def commit() -> None:
        while not stop.is_set():
            with table.service.store.write() as session:
                outbox.add_notice(session, table.game, -2, "alert.unmovable", {}, table.now, urgent=True)  # type: ignore[arg-type]
            committed.release()

    writer = threading.Thread(target=commit)
    writer.start()
    counts = []
    try:
        for number in range(4):
            committed.acquire()
            restore(saved(table, tmp_path / f"{number}.tar"), tmp_path / f"new{number}")
            with closing(sqlite3.connect(tmp_path / f"new{number}" / "pbem.db")) as copy:
                counts.append(copy.execute("SELECT count(*) FROM notices").fetchone()[0])
    finally:
        stop.set()
        writer.join()

    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_a_backup_writes_over_nothing_unless_it_is_told_to(set_table: SetTable, tmp_path: Path) -> None:
    table = seated(set_table)
    file = saved(table, tmp_path / "kept.tar")
    file.write_bytes(b"something else")

    with pytest.raises(Refused, match=r"backup\.exists"):
        saved(table, file)

    assert file.read_bytes() == b"something else"
    assert LIST in unpacked(saved(table, file, force=True))
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []


def test_compiled_templates_are_not_saved_and_own_ones_are(set_table: SetTable, tmp_path: Path) -> None:
    table = played(set_table)

    names = unpacked(saved(table, tmp_path / "kept.tar"))

    assert list(table.folder.glob("templates/*.cache"))
    assert not [one for one in names if one.endswith(".cache")]
    assert "templates/words/en/bids.j2" in names


def test_what_cannot_be_saved_is_told(set_table: SetTable, tmp_path: Path) -> None:
    table = seated(set_table)
    config = table.folder / "pbem.toml"
    settings = load_settings(config, {})
    elsewhere = replace(settings, store=replace(settings.store, url="postgresql+psycopg://me:secret@db/pbem"))

    with pytest.raises(Refused, match=r"backup\.store scheme=postgresql\+psycopg$"):
        back_up(elsewhere, config, tmp_path / "kept.tar", table.now)
    with pytest.raises(Refused, match=r"restore\.store"):
        refuse_other_stores(elsewhere)
    with pytest.raises(Refused, match=r"backup\.unwritable"):
        saved(table, tmp_path / "nowhere" / "kept.tar")
    (table.folder / "pbem.key").unlink()
    with pytest.raises(Refused, match=r"backup\.missing .*pbem\.key"):
        saved(table, tmp_path / "kept.tar")
    table.close()
    (table.folder / "pbem.db").write_bytes(b"no database at all " * 999)
    (table.folder / "pbem.key").write_bytes(b"k" * 32)
    with pytest.raises(Refused, match=r"store\.down"):
        saved(table, tmp_path / "kept.tar")
    assert not (tmp_path / "kept.tar").exists()


def test_a_backup_is_restored_into_an_empty_folder_alone(set_table: SetTable, tmp_path: Path) -> None:
    file = saved(seated(set_table), tmp_path / "kept.tar")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "pbem.db").write_bytes(b"games")
    (tmp_path / "empty").mkdir()

    for folder in (tmp_path / "full", file):
        with pytest.raises(Refused, match=r"restore\.folder"):
            restore(file, folder)

    assert (tmp_path / "full" / "pbem.db").read_bytes() == b"games"
    assert restore(file, tmp_path / "empty").games == 1


def test_a_rehearsal_of_restoring_leaves_nothing(set_table: SetTable, tmp_path: Path) -> None:
    file = saved(seated(set_table, own_words=True), tmp_path / "kept.tar")
    (tmp_path / "empty").mkdir()

    found = restore(file, tmp_path / "empty", dry_run=True)
    restore(file, tmp_path / "new", dry_run=True)

    assert found.verified == 1
    assert list((tmp_path / "empty").iterdir()) == []
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("spoil", "key"),
    [
        (lambda raw: raw[: len(raw) // 2], "restore.damaged"),
        (lambda raw: raw[:100], "restore.foreign"),
        (lambda raw: raw.replace(b"SQLite format 3", b"SQLite format 4", 1), "restore.damaged"),
        (lambda _: b"", "restore.foreign"),
        (lambda _: b"-- PostgreSQL database dump\n" * 40, "restore.foreign"),
    ],
)
def test_a_damaged_file_is_refused(
    set_table: SetTable, tmp_path: Path, spoil: Callable[[bytes], bytes], key: str
) -> None:
    file = saved(seated(set_table), tmp_path / "kept.tar")
    file.write_bytes(spoil(file.read_bytes()))

    assert refused(file, tmp_path / "new").key == key


def digested(members: dict[str, bytes], **changed: Any) -> dict[str, bytes]:
    """Return *members* with a list that fits them."""
    import hashlib  # noqa: PLC0415

    files = {name: hashlib.sha256(content).hexdigest() for name, content in members.items()}
    listed = {"format": 1, "made_at": "2026-03-02T12:00:00Z", "files": files} | changed
    return {LIST: json.dumps(listed).encode(), **members}


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/evil", "templates/../../evil", "pbem.lock", "templates", "./pbem.db"]
)
def test_nothing_is_unpacked_that_a_backup_of_ours_would_not_hold(tmp_path: Path, name: str) -> None:
    file = packed(tmp_path / "evil.tar", digested({name: b"evil"}))

    assert refused(file, tmp_path / "new").key == "restore.foreign"
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE])
def test_nothing_but_plain_files_is_unpacked(tmp_path: Path, kind: bytes) -> None:
    file = packed(tmp_path / "evil.tar", digested({"pbem.db": b""}), kind=kind)

    assert refused(file, tmp_path / "new").key == "restore.foreign"


def test_a_backup_that_lacks_something_or_is_of_a_newer_program_is_refused(set_table: SetTable, tmp_path: Path) -> None:
    members = unpacked(saved(seated(set_table), tmp_path / "kept.tar"))
    del members[LIST]
    without_key = {name: one for name, one in members.items() if name != "pbem.key"}
    files = {
        "restore.damaged": packed(tmp_path / "1.tar", digested(without_key)),
        "restore.newer": packed(tmp_path / "2.tar", digested(members, format=2)),
        "restore.foreign": packed(tmp_path / "3.tar", members),
        "key.unreadable": packed(tmp_path / "4.tar", digested({**members, "pbem.key": b"short"})),
    }
    no_list = packed(tmp_path / "5.tar", {LIST: b"[]"})

    for key, file in files.items():
        assert refused(file, tmp_path / "new").key == key
    assert refused(no_list, tmp_path / "new").key == "restore.damaged"
    assert refused(tmp_path / "missing.tar", tmp_path / "new").key == "file.unreadable"


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (f"UPDATE alembic_version SET version_num = '9{NEWEST}'", "restore.newer"),
        ("DROP TABLE alembic_version", "restore.damaged"),
        ("UPDATE seats SET person_id = 999", "restore.damaged"),
    ],
)
def test_a_store_that_this_program_cannot_go_on_with_is_refused(
    set_table: SetTable, tmp_path: Path, change: str, key: str
) -> None:
    members = unpacked(saved(seated(set_table), tmp_path / "kept.tar"))
    del members[LIST]
    (tmp_path / "other.db").write_bytes(members["pbem.db"])
    with closing(sqlite3.connect(tmp_path / "other.db")) as other, other:
        other.execute(change)
    file = packed(tmp_path / "2.tar", digested({**members, "pbem.db": (tmp_path / "other.db").read_bytes()}))

    assert refused(file, tmp_path / "new").key == key


def test_a_game_that_does_not_verify_is_named_and_the_others_come_back(set_table: SetTable, tmp_path: Path) -> None:
    table = seated(set_table)
    with closing(sqlite3.connect(table.folder / "pbem.db")) as store, store:
        store.execute("UPDATE games SET draws = draws + 1")
    saved(table, tmp_path / "kept.tar")

    told = command(table, "restore", str(tmp_path / "kept.tar"), "--to", str(tmp_path / "new"))
    printed = command(table, "restore", str(tmp_path / "kept.tar"), "--to", str(tmp_path / "newer"), "--json")

    assert (told.code, printed.code) == (1, 1)
    assert "1 game(s) do not verify: 1" in told.err
    assert printed.json["verified"] == 0
    assert printed.json["failed"][0]["game"] == 1
    assert (tmp_path / "new" / "pbem.db").is_file()


def test_settings_that_lead_to_another_store_are_put_aside(set_table: SetTable, tmp_path: Path) -> None:
    table = seated(set_table)
    text = (table.folder / "pbem.toml").read_text()
    (table.folder / "pbem.toml").write_text(f'{text}\n[store]\nurl = "sqlite:///{table.folder}/pbem.db"\n')

    found = restore(saved(table, tmp_path / "kept.tar"), tmp_path / "new")

    assert found.settings == "pbem.toml.saved"
    assert not (tmp_path / "new" / "pbem.toml").exists()


def test_the_command_line_saves_and_restores(set_table: SetTable, tmp_path: Path) -> None:
    table = played(set_table)
    file, folder = str(tmp_path / "kept.tar"), str(tmp_path / "new")

    made = command(table, "backup", file)
    again = command(table, "backup", file, "--json")
    forced = command(table, "backup", file, "--force", "--json")
    tried = command(table, "restore", file, "--to", folder, "--dry-run", "--json")
    done = command(table, "restore", file, "--to", folder)

    assert (made.code, again.code, forced.code, tried.code, done.code) == (0, 1, 0, 0, 0)
    assert again.refused == "backup.exists"
    assert forced.json["bytes"] == Path(file).stat().st_size
    assert tried.json["dry_run"]
    assert "games     1" in done.out
    assert "5, of which 0 wait to be sent" in done.out


def test_an_answer_to_a_mail_from_after_the_backup_is_no_move_in_the_restored_game(
    set_table: SetTable, tmp_path: Path
) -> None:
    table = seated(set_table)
    file = saved(table, tmp_path / "kept.tar")
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))
    later = table.last("Ana")
    restore(file, tmp_path / "new")
    table.close()
    table.service = open_service(load_settings(tmp_path / "new" / "pbem.toml", {}))
    before = table.log()

    table.post(table.reply("Ana", stake(table, "Ana"), to=later))
    table.tick()

    assert table.log() == before
    assert table.live().holders[0].plan == ()
    assert notices(table, 0, "order.stale")
    assert table.says("Ana", stake(table, "Ana"))["kept"] == 1, "an answer to the newest mail counts again"
