"""Witnesses of what happened: all rows of the store, the acts on record, and what a command printed."""

import io
import json
import re
import tomllib
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from msgspec import Struct
from sqlmodel import SQLModel

import pbem.store.tables  # noqa: F401 - fills the metadata
from engine.registry import load, titles
from pbem import notices as notices_
from pbem.cli.app import run
from pbem.lexicon import template_root
from pbem.live import Live, take_up
from pbem.mail.letter import Letter
from pbem.report import verify_game
from pbem.store import games, outbox
from pbem.store.base import Store
from pbem.store.games import Act, Holder
from pbem.store.outbox import Noticed
from pbem.store.tables import NoticeRow
from tests.pbem.table import Table, text_of

CLI_WORDS = template_root() / "words" / "en" / "cli.toml"
SetTable = Callable[..., Table]


def seated(set_table: SetTable, *seats: str, **values: Any) -> Table:
    """Return a table at which all have read their first mail; Ana reads Portuguese and Bob English."""
    table = set_table(*(seats or ("Ana pt", "Bob en")), **values)
    table.tick()
    read_all(table)
    return table


def read_all(table: Table) -> None:
    """Let everybody read all mails that came so far."""
    for name in table.people:
        table.mails(name)


def stake(table: Table, name: str, coins: int = 1) -> str:
    """Return a whole answer of *name* for this round, in English."""
    return f"stake {table.hand(name)[0]}: bid {coins}"


def said(mail: Letter) -> str:
    """Return the text of *mail* on one line."""
    return " ".join(text_of(mail).split())


class Ran(Struct, frozen=True):
    """What a command line gave back."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Return what was printed, as JSON."""
        return json.loads(self.out)

    @property
    def refused(self) -> str:
        """Return the key of a refusal."""
        return str(self.json["refused"]["key"])


def pbem_run(*words: str) -> Ran:
    """Return what the command line *words* gives."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(list(words))
    return Ran(int(code), out.getvalue(), err.getvalue())


def command(table: Table, *words: str) -> Ran:
    """Return what the command line *words* gives at *table*."""
    return pbem_run("--config", str(table.folder / "pbem.toml"), *words)


def raw_keys(text: str) -> set[str]:
    """Return what stands in *text*, read by a person, that is a key of a notice or a refusal."""
    known = {
        **notices_.ANSWERS,
        **notices_.TOLD,
        **notices_.REPLIES,
        **notices_.ALERTS,
        **notices_.DIGEST,
        **notices_.MASTER,
        **notices_.REASONS,
    }
    keys = {*known, *tomllib.loads(CLI_WORDS.read_text(encoding="utf-8"))["errors"]}
    keys = keys.union(*(load(title).vocabulary.reasons for title in titles()))
    return {word for word in re.findall(r"[a-z][a-z.-]*[a-z]", text) if word in keys}


def store_file(table: Table) -> Path:
    """Return the file of the store."""
    return table.folder / "pbem.db"


def dump(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table."""
    with store.read() as session:
        connection = session.connection()
        return {
            table.name: sorted((tuple(row) for row in connection.execute(table.select())), key=repr)
            for table in SQLModel.metadata.sorted_tables
        }


def acts(table: Table) -> list[Act]:
    """Return the acts on record."""
    with table.service.store.read() as session:
        return list(games.list_acts(session, table.game))


def verified(table: Table) -> dict[str, Any]:
    """Return what a full check of the game finds."""
    with table.service.store.read() as session:
        return verify_game(session, take_up(session, table.game))


def holder(table: Table, seat: int) -> Holder:
    """Return a seat as it is stored."""
    return table.live().holders[seat]


def untold(table: Table, seat: int) -> list[Noticed]:
    """Return what a seat is to be told and was not yet."""
    live: Live = table.live()
    with table.service.store.read() as session:
        return outbox.untold(session, table.game, live.holders[seat].seat)


def notices(table: Table, seat: int, *keys: str) -> list[dict[str, Any]]:
    """Return the fields of all that a seat was told or is to be told, in order; only of *keys* if there are any."""
    with table.service.store.read() as session:
        rows = session.connection().execute(NoticeRow.__table__.select().order_by(NoticeRow.__table__.c.id))  # type: ignore[attr-defined]
        return [
            {"key": row.key, "urgent": row.urgent} | json.loads(row.fields)
            for row in rows
            if row.seat == seat and (not keys or row.key in keys)
        ]
