"""The database: opening it, one transaction at a time, and the lock of a pass."""

import fcntl
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlmodel import Session

from pbem.errors import Refused, TryLater
from pbem.journal import tell_noted

__all__ = ["Session", "Store", "outside_troubles", "pass_lock", "sqlite_path"]

BUSY_SECONDS = 30


class Store:
    """
    One database. `write` is a transaction that commits at its end or, on an error, undoes itself; `read` only reads.

    Raises: TryLater `store.locked` where others hold it too long, `store.down` where it cannot be had, or is full;
            Refused `store.down` where the file is no database, or is damaged.
    """

    def __init__(self, url: str) -> None:
        """Take the database at *url*; nothing is opened before the first transaction."""
        self.url = url
        self.engine = _engine(url)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Open a transaction that may change things; what was noted in it is told in the journal once it is there."""
        begun = time.perf_counter()
        with outside_troubles(), self.engine.connect().execution_options(pbem_write=True) as connection:
            with Session(connection) as session, session.begin():
                yield session
            connection.commit()
        tell_noted(session, begun)

    @contextmanager
    def rehearse(self) -> Iterator[Session]:
        """Open a transaction that may change things and is undone at its end: a dry run."""
        with outside_troubles(), self.engine.connect().execution_options(pbem_write=True) as connection:
            with Session(connection) as session:
                yield session
            connection.rollback()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a transaction that only reads."""
        with outside_troubles(), Session(self.engine) as session:
            yield session

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def sqlite_path(url: str) -> Path | None:
    """Return the file of a SQLite database, or None for another database or one in memory."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database))


@contextmanager
def pass_lock(path: Path) -> Iterator[bool]:
    """
    Yield whether this process now holds the lock file *path*; the lock dies with the process.

    Raises: TryLater `store.down` where the file cannot be made or written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = path.open("a")
    except OSError as error:
        raise TryLater("store.down", detail=str(error)) from error
    with opened as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


@contextmanager
def outside_troubles() -> Iterator[None]:
    """Turn what the database says of locks and disks into TryLater, of a file that is no database into Refused."""
    try:
        yield
    except OperationalError as error:
        detail = str(error.orig)
        raise TryLater("store.locked" if "locked" in detail else "store.down", detail=detail) from error
    except DatabaseError as error:
        if type(error.orig) is not sqlite3.DatabaseError:
            raise
        raise Refused("store.down", detail=str(error.orig)) from error


def _engine(url: str) -> Engine:
    file = sqlite_path(url)
    if file is not None:
        with suppress(OSError):  # SQLite says better what is wrong, when it opens the file
            file.touch(mode=0o600)  # addresses and seeds are nobody else's; what SQLite adds beside it follows
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, record: object) -> None:  # noqa: ANN401, ARG001 - what SQLAlchemy hands over
    connection.isolation_level = None  # transactions are ours: see `_begin_sqlite`
    try:
        for setting in (
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "journal_mode=WAL",
            "foreign_keys=ON",
            "synchronous=FULL",
        ):
            connection.execute(f"PRAGMA {setting}")
    except sqlite3.Error:
        connection.close()  # SQLAlchemy forgets a connection that could not be prepared
        raise


def _begin_sqlite(connection: Connection) -> None:
    write = connection.get_execution_options().get("pbem_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
