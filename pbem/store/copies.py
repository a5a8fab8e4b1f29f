"""Whole databases of SQLite: copied while others write, looked through for damage."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pbem.errors import Refused, TryLater
from pbem.store.base import BUSY_SECONDS


def copy_database(source: Path, target: Path) -> None:
    """
    Copy the database *source* to the new file *target* as it stood after its last commit; nobody has to wait.

    Raises: TryLater `store.locked`, `store.down`; Refused `store.down` where *source* is no database.
    """
    with _troubles(), closing(_opened(source, "rw")) as live, closing(sqlite3.connect(target)) as copy:
        live.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a journal beside it


def database_faults(file: Path) -> str:
    """Return what is wrong with the database *file*, in the words of SQLite; "" if it is whole."""
    try:
        with closing(_opened(file, "ro")) as opened:
            answer = str(opened.execute("PRAGMA integrity_check").fetchone()[0])
            astray = opened.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    if answer != "ok":
        return answer
    return f"a row of {astray[0]} points to nothing in {astray[2]}" if astray else ""


def _opened(file: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode={mode}", uri=True, timeout=BUSY_SECONDS)


@contextmanager
def _troubles() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        raise TryLater("store.locked" if "locked" in str(error) else "store.down", detail=str(error)) from error
    except sqlite3.DatabaseError as error:
        raise Refused("store.down", detail=str(error)) from error


SPARE = 4
"""The file is written anew when at least one of so many of its pages is free; others are used again by and by."""


def shrink_database(file: Path) -> int:
    """
    Return by how many bytes the database *file* is smaller after its free pages were given back to the disk.

    Nothing is done for a few. Who writes meanwhile waits: about two seconds for each 100 MB that are in use.
    Raises: TryLater `store.locked`, `store.down`.
    """
    with _troubles(), closing(_opened(file, "rw")) as opened:
        opened.isolation_level = None
        free, pages, size = (
            opened.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count", "page_size")
        )
        if free * SPARE < pages:
            return 0
        opened.execute("VACUUM")
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        left = opened.execute("PRAGMA page_count").fetchone()[0]
    return int((pages - left) * size)
