"""The bytes of old letters and mails, taken away; the rows stay, so that nothing comes or goes twice."""

from datetime import datetime
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement
from sqlmodel import and_, col, func, or_, select, update

from pbem.journal import tell
from pbem.store.base import Session, Store
from pbem.store.games import ENDED
from pbem.store.outbox import KNOWN
from pbem.store.tables import GameRow, LetterRow, OutboxRow

BATCH = 500
"""Rows that one transaction changes: passes need not wait for long."""


class Purged(Struct, frozen=True):
    """How many letters and mails lost their bytes, and how many bytes these were."""

    letters: int
    mails: int
    bytes: int


def purge(store: Store, before: datetime, *, running: bool = False, dry_run: bool = False) -> Purged:
    """
    Return what was taken away: bytes of letters judged, and of mails sent, before *before*, of games that are over.

    With *running* of all games; but what a seat was mailed last stays while its game is not over: its answers quote it.
    What is held, was not sent, or failed is never touched.
    Raises: TryLater; what was taken away before stays so.
    """
    found = [_size(store, table, which) for table, which in _choices(before, running=running)]
    if not dry_run:
        for table, which in _choices(before, running=running):
            _empty(store, table, which)
    (letters, some), (mails, others) = found
    if not dry_run:
        tell("purged", letters=letters, mails=mails, bytes=some + others)
    return Purged(letters, mails, some + others)


def _choices(before: datetime, *, running: bool) -> tuple[tuple[Any, ColumnElement[bool]], ...]:
    """Return both tables, each with the question which of its rows lose their bytes."""
    over = select(GameRow.id).where(col(GameRow.status).in_(ENDED))
    letters = and_(
        col(LetterRow.status).in_(("done", "dropped")),
        col(LetterRow.judged_at) < before,
        func.length(LetterRow.raw) > 0,
        or_(running, col(LetterRow.game_id).is_(None), col(LetterRow.game_id).in_(over)),
    )
    mails = and_(
        col(OutboxRow.status) == "sent",
        col(OutboxRow.sent_at) < before,
        func.length(OutboxRow.raw) > 0,
        or_(
            col(OutboxRow.game_id).is_(None),
            col(OutboxRow.game_id).in_(over),
            and_(running, col(OutboxRow.id).not_in(_newest())),
        ),
    )
    return (LetterRow, letters), (OutboxRow, mails)


def _newest() -> Any:  # noqa: ANN401 - a query
    """Return the numbers of the newest mails of each seat."""
    place = func.row_number().over(
        partition_by=(col(OutboxRow.game_id), col(OutboxRow.seat)), order_by=col(OutboxRow.id).desc()
    )
    ranked = select(OutboxRow.id, place.label("place")).subquery()
    return select(ranked.c.id).where(ranked.c.place <= KNOWN)


def _size(store: Store, table: Any, which: ColumnElement[bool]) -> tuple[int, int]:  # noqa: ANN401 - either table
    with store.read() as session:
        count, size = session.exec(
            select(func.count(), func.coalesce(func.sum(func.length(table.raw)), 0)).where(which)
        ).one()
    return int(count), int(size)


def _empty(store: Store, table: Any, which: ColumnElement[bool]) -> None:  # noqa: ANN401 - either table
    while True:
        with store.write() as session:
            numbers = _next(session, table, which)
            session.exec(update(table).where(table.id.in_(numbers)).values(raw=b""))
        if len(numbers) < BATCH:
            return


def _next(session: Session, table: Any, which: ColumnElement[bool]) -> list[int]:  # noqa: ANN401 - either table
    return list(session.exec(select(table.id).where(which).order_by(table.id).limit(BATCH)))
