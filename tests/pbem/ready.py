"""What every table and house begins with, made once in a process: the store, the compiled words, the compiled SQL."""

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from pbem.lexicon import add_words
from pbem.store.base import Store, sqlite_path
from pbem.store.upgrade import upgrade_store

BIDS_WORDS = Path(__file__).parents[1] / "contract" / "bids" / "words"

add_words(BIDS_WORDS)


def lay_store(store: Store) -> None:
    """Give the SQLite database *store*, which nobody has opened yet, the newest shape, as `upgrade_store` does."""
    path = sqlite_path(store.url)
    assert path is not None
    assert not path.stat().st_size
    path.write_bytes(_new_store())


@cache
def shared_home() -> Path:
    """Return a folder whose `templates` holds nothing but compiled words, for all services of all test processes."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"{os.getpid()}"
    folder = Path(tempfile.gettempdir()) / f"pbem-words-{run}"
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "templates").mkdir(parents=True, exist_ok=True)
    return folder


@cache
def _new_store() -> bytes:
    """Return the file of a store that the migrations have just made."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "new.db"
        store = Store(f"sqlite:///{file}")
        upgrade_store(store)
        store.close()
        return file.read_bytes()


_STATEMENTS: dict[Any, Any] = {}
"""SQL compiled for any store of this process; else each store of each test compiles all of it again."""


@event.listens_for(Engine, "engine_connect")
def _share_statements(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_STATEMENTS)


def _are_alike(one: SQLiteDialect_pysqlite, other: object) -> bool:
    return type(one) is type(other)


def _kind(one: SQLiteDialect_pysqlite) -> int:
    return hash(type(one))


# Compiled SQL is kept by its dialect, of which each engine has one of its own; those of all our stores are alike.
SQLiteDialect_pysqlite.__eq__ = _are_alike  # type: ignore[method-assign]
SQLiteDialect_pysqlite.__hash__ = _kind  # type: ignore[method-assign]
