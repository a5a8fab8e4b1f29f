"""
A whole installation in one file, and back: the store, the key file, `pbem.toml` and the game master's own templates.

The file is a plain tar, readable by its owner only. Its first member is a list of the others with their digests.
"""

import hashlib
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec
from msgspec import Struct

from engine.core.errors import EngineError
from pbem.clock import format_moment
from pbem.errors import PbemError, Refused
from pbem.live import take_up
from pbem.report import verify_game
from pbem.service import KEY_FILE, load_key
from pbem.settings import FILE_NAME, Settings, load_settings
from pbem.store import games, letters, outbox
from pbem.store.base import Store, sqlite_path
from pbem.store.copies import copy_database, database_faults
from pbem.store.upgrade import NEWEST, stored_revision, upgrade_store

FORMAT = 1
LIST = "pbem-backup.json"
STORE = "pbem.db"
TEMPLATES = "templates"
SAVED = ".saved"
"""Added to the name of a `pbem.toml` that names another place for the store than the one that it was restored to."""

COMPILED = ".cache"
"""How files end that compiled templates are kept in: they make themselves."""

PIECE = 1 << 20


class Contents(Struct, frozen=True):
    """What a backup holds: `files` with their SHA-256, hexadecimal; `made_at` as the command line writes times."""

    format: int
    made_at: str
    files: dict[str, str]


class Restored(Struct, frozen=True):
    """
    What was found in a backup.

    `failed`    games that do not verify, each with the reason; `outdated`: those of them that began under other rules
    `waiting`   mails that go with the next pass
    `settings`  the file that `pbem.toml` was written to, "" if there was none
    """

    made_at: str
    games: int
    verified: int
    failed: tuple[tuple[int, str], ...]
    outdated: tuple[int, ...]
    letters: int
    mails: int
    waiting: int
    settings: str


def back_up(settings: Settings, config: Path, file: Path, now: datetime, *, force: bool = False) -> int:
    """
    Write all that *settings*, read from *config*, keep to the new *file*, and return its size; games may go on.

    Raises: Refused `backup.store`, `backup.missing`, `backup.exists`, `backup.damaged`, `backup.unwritable`; TryLater.
    """
    source = _store_file(settings)
    key = settings.store.state / KEY_FILE
    for wanted in (source, key):
        if not wanted.is_file():
            raise Refused("backup.missing", file=str(wanted))
    if file.exists() and not force:
        raise Refused("backup.exists", file=str(file))
    with _writing(file), tempfile.TemporaryDirectory(prefix=".pbem-", dir=file.absolute().parent) as folder:
        copy = Path(folder) / STORE
        copy_database(source, copy)
        fault = database_faults(copy)
        if fault:
            raise Refused("backup.damaged", file=str(source), reason=fault)
        own = {STORE: copy, KEY_FILE: key, FILE_NAME: config}
        templates = settings.folder / TEMPLATES
        own |= {f"{TEMPLATES}/{one.relative_to(templates).as_posix()}": one for one in sorted(templates.rglob("*"))}
        fresh = Path(folder) / "backup.tar"
        _pack(fresh, {name: one for name, one in own.items() if one.is_file() and one.suffix != COMPILED}, now)
        fresh.replace(file)
    return file.stat().st_size


def restore(file: Path, folder: Path, *, dry_run: bool = False) -> Restored:
    """
    Return what the backup *file* holds, which lies in the empty *folder* then: up to date, and every game replayed.

    In a *dry_run* all of it is taken away again.
    Raises: Refused `restore.folder`, `restore.foreign`, `restore.damaged`, `restore.newer`, `file.unreadable`,
            `backup.unwritable`; then nothing is left behind.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused("restore.folder", folder=str(folder))
    was_there = folder.is_dir()
    with _writing(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    done = False
    try:
        with _writing(folder):
            contents = _unpack(file, folder)
        found = _looked_through(file, folder, contents)
        done = not dry_run
    finally:
        if not done:
            _take_away(folder, keep=was_there)
    return found


def refuse_other_stores(settings: Settings) -> None:
    """See that *settings* keep their games where a backup of ours could be restored to: on SQLite."""
    if sqlite_path(settings.store.url) is None:
        raise Refused("restore.store", scheme=settings.store.url.partition(":")[0])


def _store_file(settings: Settings) -> Path:
    file = sqlite_path(settings.store.url)
    if file is None:
        raise Refused("backup.store", scheme=settings.store.url.partition(":")[0])
    return file


@contextmanager
def _writing(place: Path) -> Iterator[None]:
    """Say of a disk that takes nothing which *place* could not be written."""
    try:
        yield
    except OSError as error:
        raise Refused("backup.unwritable", file=str(place), reason=error.strerror or str(error)) from error


def _pack(file: Path, own: dict[str, Path], now: datetime) -> None:
    contents = Contents(FORMAT, format_moment(now) or "", {name: _digest(place) for name, place in own.items()})
    listed = file.with_name(LIST)
    listed.write_bytes(msgspec.json.format(msgspec.json.encode(contents), indent=2))
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
        with tarfile.open(fileobj=written, mode="w") as tar:
            for name, place in {LIST: listed, **own}.items():
                tar.add(place, name, recursive=False, filter=_for_its_owner)
        written.flush()
        os.fsync(written.fileno())


def _for_its_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mode, member.uid, member.gid, member.uname, member.gname = 0o600, 0, 0, "", ""
    return member


def _digest(place: Path) -> str:
    with place.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _unpack(file: Path, folder: Path) -> Contents:
    """Return what *file* holds, every piece of it now below *folder* and whole."""
    try:
        opened = file.open("rb")
    except OSError as error:
        raise Refused("file.unreadable", file=str(file), reason=error.strerror or "") from error
    with opened:
        try:
            with tarfile.open(fileobj=opened, mode="r:") as tar:
                return _unpack_tar(file, tar, folder)
        except (tarfile.TarError, EOFError) as error:
            key = "restore.damaged" if any(folder.iterdir()) else "restore.foreign"
            raise Refused(key, file=str(file), reason=str(error)) from error


def _unpack_tar(file: Path, tar: tarfile.TarFile, folder: Path) -> Contents:
    first = tar.next()
    if first is None or first.name != LIST or not first.isfile():
        raise Refused("restore.foreign", file=str(file), reason=f"it does not begin with {LIST}")
    contents = _read_list(file, tar, first)
    left = dict(contents.files)
    for member in iter(tar.next, None):
        wanted = left.pop(member.name, None)
        if wanted is None or not member.isfile() or not _is_ours(member.name):
            raise Refused("restore.foreign", file=str(file), reason=member.name)
        if _copy_out(tar, member, folder) != wanted:
            raise Refused("restore.damaged", file=str(file), reason=member.name)
    if left or not {STORE, KEY_FILE} <= contents.files.keys():
        raise Refused("restore.damaged", file=str(file), reason=next(iter(left), f"{STORE}, {KEY_FILE}"))
    return contents


def _read_list(file: Path, tar: tarfile.TarFile, member: tarfile.TarInfo) -> Contents:
    opened = tar.extractfile(member)
    assert opened is not None, "a plain file has bytes"
    try:
        contents = msgspec.json.decode(opened.read(PIECE), type=Contents)
    except msgspec.MsgspecError as error:
        raise Refused("restore.damaged", file=str(file), reason=f"{LIST}: {error}") from error
    if contents.format != FORMAT:
        raise Refused("restore.newer", file=str(file), found=str(contents.format), newest=str(FORMAT))
    return contents


def _is_ours(name: str) -> bool:
    """Return whether a backup of ours may hold a file of that *name*: nothing that leads out of the folder."""
    parts = PurePosixPath(name).parts
    plain = str(PurePosixPath(name)) == name and ".." not in parts and not name.startswith("/")
    return plain and (name in (STORE, KEY_FILE, FILE_NAME) or (len(parts) > 1 and parts[0] == TEMPLATES))


def _copy_out(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> str:
    """Write *member* below *folder*, for its owner only, and return its digest."""
    place, digest = folder / member.name, hashlib.sha256()
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    source = tar.extractfile(member)
    assert source is not None, "a plain file has bytes"
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
        for piece in _pieces(source):
            digest.update(piece)
            target.write(piece)
    return digest.hexdigest()


def _pieces(source: IO[bytes]) -> Iterator[bytes]:
    while piece := source.read(PIECE):
        yield piece


def _looked_through(file: Path, folder: Path, contents: Contents) -> Restored:
    """Return what the store below *folder* holds, after it was checked, brought up to date and replayed."""
    fault = database_faults(folder / STORE)
    if fault:
        raise Refused("restore.damaged", file=str(file), reason=f"{STORE}: {fault}")
    load_key(folder)
    store = Store(f"sqlite:///{folder.absolute() / STORE}")
    try:
        revision = stored_revision(store)
        if not revision:
            raise Refused("restore.damaged", file=str(file), reason=f"{STORE} is no store of pbem")
        if revision > NEWEST:
            raise Refused("restore.newer", file=str(file), found=revision, newest=NEWEST)
        upgrade_store(store)
        return _counted(store, contents, _settle(folder))
    finally:
        store.close()


def _counted(store: Store, contents: Contents, settings: str) -> Restored:
    with store.read() as session:
        numbers = [one.id for one in games.list_games(session)]
        came, sent = letters.count_letters(session), outbox.count_mails(session)
        waiting = outbox.count_ready(session)
    failed, outdated = [], []
    for number in numbers:
        fault, is_outdated = _fault(store, number)
        if is_outdated and fault:
            outdated.append(number)
        elif fault:
            failed.append((number, fault))
    verified = len(numbers) - len(failed) - len(outdated)
    return Restored(
        contents.made_at, len(numbers), verified, tuple(failed), tuple(outdated), came, sent, waiting, settings
    )


def _fault(store: Store, number: int) -> tuple[str, bool]:
    """Return what a full check finds wrong with a game, "" for nothing, and whether it began under other rules."""
    is_outdated = False
    with store.read() as session:
        try:
            live = take_up(session, number)
            is_outdated = live.is_outdated
            verify_game(session, live)
        except (EngineError, PbemError) as error:
            entry = dict(error.fields).get("seq")
            gist = error.key if entry is None else f"{error.key}, entry {entry}"  # the text of an entry may be hidden
            return gist, is_outdated or error.key == "game.outdated"
    return "", is_outdated


def _settle(folder: Path) -> str:
    """Return the name of the settings in *folder*; set aside where they would lead a pass to another store."""
    file = folder / FILE_NAME
    if not file.is_file():
        return ""
    with suppress(PbemError):
        settings = load_settings(file, {})
        here = (folder.absolute() / STORE, folder.absolute())
        if (sqlite_path(settings.store.url), settings.store.state) == here:
            return FILE_NAME
    file.rename(folder / f"{FILE_NAME}{SAVED}")
    return f"{FILE_NAME}{SAVED}"


def _take_away(folder: Path, *, keep: bool) -> None:
    """Remove what was unpacked to *folder*, and *folder* itself unless it was there before."""
    for one in folder.iterdir():
        if one.is_dir():
            shutil.rmtree(one)
        else:
            one.unlink()
    if not keep:
        folder.rmdir()
