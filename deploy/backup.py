"""
Save and restore what pbem keeps on SQLite: the store, the key file, `pbem.toml` and the GM's own templates.

    .venv/bin/python deploy/backup.py save FOLDER [--keep 14] [--config FILE]
    .venv/bin/python deploy/backup.py restore BACKUP [--dry-run] [--config FILE]

`save` may run while games are played. Before `restore` stop the timer or the cron line. Passwords in files of their own
are not saved. A store on PostgreSQL has `pg_dump`.
"""

import argparse
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from pbem.errors import Misuse, PbemError, Refused, TryLater, exit_code
from pbem.service import KEY_FILE, LOCK_FILE
from pbem.settings import FILE_NAME, Settings, find_settings, load_settings
from pbem.store.base import pass_lock, sqlite_path

STORE = "pbem.db"
TEMPLATES = "templates"


def store_file(settings: Settings) -> Path:
    """Return the file of the store."""
    file = sqlite_path(settings.store.url)
    if file is None:
        raise Misuse("backup.store", scheme=settings.store.url.partition(":")[0])
    return file


def save(config: Path, folder: Path, keep: int, now: datetime) -> Path:
    """Write a new backup below *folder*, take away all but the newest *keep*, and return the new one."""
    settings = load_settings(config, os.environ)
    source = store_file(settings)
    if not source.is_file():
        raise Refused("backup.missing", file=str(source))
    target = folder / f"pbem-{now:%Y%m%dT%H%M%SZ}"
    unfinished = target.with_suffix(".part")
    unfinished.mkdir(mode=0o700, parents=True)
    try:
        with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(unfinished / STORE)) as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        check(unfinished / STORE)
        for file, name in ((config, FILE_NAME), (settings.store.state / KEY_FILE, KEY_FILE)):
            if file.is_file():
                shutil.copy2(file, unfinished / name)
        if (settings.folder / TEMPLATES).is_dir():
            shutil.copytree(settings.folder / TEMPLATES, unfinished / TEMPLATES)
        unfinished.rename(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    for old in sorted(folder.glob("pbem-*Z"))[:-keep]:
        shutil.rmtree(old)
    return target


def restore(config: Path, backup: Path, *, dry_run: bool) -> list[str]:
    """Put store and key file of *backup* in place, the present ones aside, and return what was done."""
    settings = load_settings(config, os.environ)
    target = store_file(settings)
    if not (backup / STORE).is_file():
        raise Refused("backup.missing", file=str(backup / STORE))
    check(backup / STORE)
    pairs = [(backup / STORE, target)]
    if (backup / KEY_FILE).is_file():
        pairs.append((backup / KEY_FILE, settings.store.state / KEY_FILE))
    with pass_lock(target.parent / LOCK_FILE) as free:
        if not free:
            raise TryLater("backup.pass-running", file=str(target.parent / LOCK_FILE))
        return [line for source, place in pairs for line in put(source, place, dry_run=dry_run)]


def put(source: Path, place: Path, *, dry_run: bool) -> list[str]:
    """Copy *source* to *place*; what is there, with its journal, is kept beside it. Return a line for each file."""
    told = []
    for present in (place, *(place.with_name(place.name + end) for end in ("-wal", "-shm"))):
        if present.exists():
            aside = present.with_name(present.name + ".before-restore")
            told.append(f"{present} -> {aside}")
            if not dry_run:
                present.replace(aside)
    if not dry_run:
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, place)
        place.chmod(0o600)
    return [*told, f"{source} -> {place}"]


def check(store: Path) -> None:
    """See that *store* is whole."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as opened:
            answer = opened.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.DatabaseError as error:
        answer = str(error)
    if answer != "ok":
        raise Refused("backup.damaged", file=str(store), answer=answer)


def main(arguments: list[str]) -> int:
    """Do what the command line says and return the exit code."""
    parser = argparse.ArgumentParser(description="Save and restore the games of pbem on SQLite.")
    parser.add_argument("--config", type=Path, help="the pbem.toml to read")
    verbs = parser.add_subparsers(dest="verb", required=True)
    saving = verbs.add_parser("save", help="write a new backup below FOLDER")
    saving.add_argument("folder", type=Path)
    saving.add_argument("--keep", type=int, default=14, help="how many backups stay (14)")
    restoring = verbs.add_parser("restore", help="put BACKUP in place; what is there now is kept beside it")
    restoring.add_argument("backup", type=Path)
    restoring.add_argument("--dry-run", action="store_true", help="only tell what would be done")
    given = parser.parse_args(arguments)
    config = find_settings(given.config, os.environ)
    try:
        if given.verb == "save":
            print(save(config, given.folder, max(given.keep, 1), datetime.now(UTC)))
        else:
            print("\n".join(restore(config, given.backup, dry_run=given.dry_run)))
    except PbemError as error:
        print(error, file=sys.stderr)
        return exit_code(error)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
