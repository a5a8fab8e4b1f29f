"""Notices, and the mails that told them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from sqlmodel import Session, col, func, select

from engine.core.types import Seat
from pbem.store.tables import NoticeRow, OutboxRow

KNOWN = 5
"""The newest mails to a seat, which its letters are read against."""


class MailedOptions(Struct, frozen=True):
    """A list as it was numbered in a mail; `follow`: for each of *texts* what was lettered below it."""

    key: str
    occasion: int
    number: int
    texts: tuple[str, ...]
    follow: tuple[tuple[str, ...], ...] = ()


class Noticed(Struct, frozen=True):
    """A fact that a seat is to be told; `fields` is a plain value of JSON."""

    id: int
    game: int | None
    seat: Seat
    key: str
    fields: dict[str, Any]
    urgent: bool
    at: datetime


class Posted(Struct, frozen=True):
    """One mail of ours, byte for byte."""

    id: int
    game: int | None
    seat: Seat
    kind: str
    decision: int
    recipient: str
    message_id: str
    raw: bytes
    options: tuple[MailedOptions, ...]
    status: str
    tries: int
    next_try_at: datetime
    error: str
    composed_at: datetime
    sent_at: datetime | None
    uncertain: int


class Asked(Struct, frozen=True):
    """
    The last question that a seat was to be mailed: the `number` of its decision, and when it was noted.

    `status`  of the mail that puts it; "" while no mail was composed
    """

    number: int
    at: datetime
    status: str


class Ready(Struct, frozen=True):
    """A mail that may go: its number, its kind, and who it is for."""

    mail: int
    kind: str
    game: int | None
    seat: Seat


class Waiting(Struct, frozen=True):
    """A mail that puts a question and waits to be sent."""

    mail: int
    game: int
    seat: Seat
    number: int
    composed_at: datetime


def _posted(row: OutboxRow) -> Posted:
    values = {name: getattr(row, name) for name in OutboxRow.model_fields}
    values["game"] = values.pop("game_id")
    values["options"] = msgspec.json.decode(row.options, type=tuple[MailedOptions, ...])
    return Posted(**values)


def _noticed(row: NoticeRow) -> Noticed:
    fields = msgspec.json.decode(row.fields)
    return Noticed(row.id or 0, row.game_id, Seat(row.seat), row.key, fields, row.urgent, row.at)


def add_notice(
    session: Session, game: int | None, seat: Seat, key: str, fields: dict[str, Any], now: datetime, *, urgent: bool
) -> None:
    """Note a fact that *seat* (-2: the game master) is to be told."""
    text = msgspec.json.encode(fields).decode()
    session.add(NoticeRow(game_id=game, seat=seat, key=key, fields=text, urgent=urgent, at=now))


def ready_seats(session: Session) -> list[tuple[int | None, Seat]]:
    """Return game and seat of all that have an urgent notice that no mail told yet, in the order of arrival."""
    query = (
        select(NoticeRow.game_id, NoticeRow.seat)
        .where(col(NoticeRow.mail_id).is_(None), col(NoticeRow.urgent))
        .group_by(col(NoticeRow.game_id), col(NoticeRow.seat))
        .order_by(func.min(NoticeRow.id))
    )
    return [(game, Seat(seat)) for game, seat in session.exec(query)]


def untold(session: Session, game: int | None, seat: Seat) -> list[Noticed]:
    """Return the notices of a seat that no mail told yet."""
    query = (
        select(NoticeRow)
        .where(NoticeRow.game_id == game, NoticeRow.seat == seat, col(NoticeRow.mail_id).is_(None))
        .order_by(col(NoticeRow.id))
    )
    return [_noticed(row) for row in session.exec(query)]


def told_before(session: Session, game: int, seat: Seat, key: str, number: int, limit: int) -> list[Noticed]:
    """Return the notices of one *key* that a seat was told, older than the notice *number*, newest first."""
    query = (
        select(NoticeRow)
        .where(NoticeRow.game_id == game, NoticeRow.seat == seat, NoticeRow.key == key, col(NoticeRow.id) < number)
        .where(col(NoticeRow.mail_id).is_not(None))
        .order_by(col(NoticeRow.id).desc())
        .limit(limit)
    )
    return [_noticed(row) for row in session.exec(query)]


def told_by(session: Session, mail: int) -> list[Noticed]:
    """Return the notices that the mail with that number tells."""
    query = select(NoticeRow).where(NoticeRow.mail_id == mail).order_by(col(NoticeRow.id))
    return [_noticed(row) for row in session.exec(query)]


def told_in(session: Session, game: int, key: str) -> list[Noticed]:
    """Return the notices of one *key* that mails told in a game, in their order."""
    query = (
        select(NoticeRow)
        .where(NoticeRow.game_id == game, NoticeRow.key == key, col(NoticeRow.mail_id).is_not(None))
        .order_by(col(NoticeRow.id))
    )
    return [_noticed(row) for row in session.exec(query)]


def forget_untold(session: Session, game: int, seat: Seat) -> None:
    """Delete the notices of a seat that no mail told yet."""
    query = select(NoticeRow).where(NoticeRow.game_id == game, NoticeRow.seat == seat, col(NoticeRow.mail_id).is_(None))
    for row in session.exec(query):
        session.delete(row)
    session.flush()


def readdress(session: Session, game: int, seat: Seat, to: Seat) -> None:
    """Let what was to be told to *seat*, and no mail told yet, be told to who is on seat *to* now: the same person."""
    query = select(NoticeRow).where(NoticeRow.game_id == game, NoticeRow.seat == seat, col(NoticeRow.mail_id).is_(None))
    for row in session.exec(query):
        row.seat = to
        session.add(row)
    session.flush()


def mark_told(session: Session, notices: Sequence[Noticed], mail: int) -> None:
    """Note that the outbox row *mail* tells *notices*."""
    query = select(NoticeRow).where(col(NoticeRow.id).in_([one.id for one in notices]))
    for row in session.exec(query):
        row.mail_id = mail
        session.add(row)
    session.flush()


def moments_of(session: Session, mail: int) -> list[datetime]:
    """Return when what the outbox row *mail* tells was noted, as far as it was urgent, and when it was composed."""
    query = select(NoticeRow.at).where(NoticeRow.mail_id == mail, col(NoticeRow.urgent))
    return [*session.exec(query), session.get_one(OutboxRow, mail).composed_at]


def next_mail_number(session: Session) -> int:
    """Return the number that the next mail will have."""
    return (session.exec(select(func.max(OutboxRow.id))).one() or 0) + 1


def add_mail(session: Session, row: OutboxRow, options: Sequence[MailedOptions]) -> int:
    """Return the number of the mail now stored."""
    row.options = msgspec.json.encode(options).decode()
    session.add(row)
    session.flush()
    assert row.id is not None
    return row.id


def ready_mails(session: Session, now: datetime) -> list[Ready]:
    """Return the mails whose next try has come, in their order."""
    columns = (col(OutboxRow.id), col(OutboxRow.kind), col(OutboxRow.game_id), col(OutboxRow.seat))
    query = (
        select(*columns)
        .where(OutboxRow.status == "ready", col(OutboxRow.next_try_at) <= now)
        .order_by(col(OutboxRow.id))
    )
    return [Ready(number or 0, kind, game, Seat(seat)) for number, kind, game, seat in session.exec(query)]


def count_mails(session: Session) -> int:
    """Return how many mails of ours are kept."""
    return session.exec(select(func.count(col(OutboxRow.id)))).one()


def count_ready(session: Session) -> int:
    """Return how many mails are not sent yet, also those that must wait."""
    return session.exec(select(func.count()).where(OutboxRow.status == "ready")).one()


def last_asked(session: Session, game: int, seat: Seat) -> Asked | None:
    """Return the last question that *seat* was to be mailed, or None."""
    query = (
        select(NoticeRow, OutboxRow.status)
        .join(OutboxRow, col(OutboxRow.id) == col(NoticeRow.mail_id), isouter=True)
        .where(NoticeRow.game_id == game, NoticeRow.seat == seat, NoticeRow.key == "ask")
        .order_by(col(NoticeRow.id).desc())
        .limit(1)
    )
    found = session.exec(query).first()
    return None if found is None else Asked(_number(found[0]), found[0].at, found[1] or "")


def question_of(session: Session, mail: int) -> Asked | None:
    """Return the question that the mail with that number puts, or None."""
    query = (
        select(NoticeRow).where(NoticeRow.mail_id == mail, NoticeRow.key == "ask").order_by(col(NoticeRow.id).desc())
    )
    row = session.exec(query.limit(1)).first()
    return None if row is None else Asked(_number(row), row.at, session.get_one(OutboxRow, mail).status)


def waiting_questions(session: Session) -> list[Waiting]:
    """Return the questions whose mails are not sent yet."""
    query = (
        select(NoticeRow, OutboxRow.composed_at)
        .join(OutboxRow, col(OutboxRow.id) == col(NoticeRow.mail_id))
        .where(OutboxRow.status == "ready", NoticeRow.key == "ask")
        .order_by(col(NoticeRow.id))
    )
    return [
        Waiting(row.mail_id or 0, row.game_id or 0, Seat(row.seat), _number(row), at) for row, at in session.exec(query)
    ]


def _number(row: NoticeRow) -> int:
    """Return the number of the decision that an `ask` names."""
    return int(msgspec.json.decode(row.fields)["number"])


def get_mail(session: Session, number: int) -> Posted | None:
    """Return the mail with that *number*, or None."""
    row = session.get(OutboxRow, number)
    return None if row is None else _posted(row)


def find_mail(session: Session, message_id: str) -> Posted | None:
    """Return the mail with that Message-ID, or None."""
    row = session.exec(select(OutboxRow).where(OutboxRow.message_id == message_id)).first()
    return None if row is None else _posted(row)


def mails_to(session: Session, game: int, seat: Seat, limit: int = KNOWN) -> list[Posted]:
    """Return the newest mails to a seat, newest first."""
    query = select(OutboxRow).where(OutboxRow.game_id == game, OutboxRow.seat == seat)
    return [_posted(row) for row in session.exec(query.order_by(col(OutboxRow.id).desc()).limit(limit))]


def last_mail_to(session: Session, recipient: str, since: datetime) -> Posted | None:
    """Return the newest mail that went to *recipient* since *since*, or None."""
    query = select(OutboxRow).where(
        func.lower(OutboxRow.recipient) == recipient.lower(),
        OutboxRow.status == "sent",
        col(OutboxRow.sent_at) >= since,
    )
    row = session.exec(query.order_by(col(OutboxRow.id).desc()).limit(1)).first()
    return None if row is None else _posted(row)


def was_sent(session: Session, game: int, seat: Seat, since: datetime, until: datetime) -> bool:
    """Return whether a mail to the seat went out in that time."""
    query = select(func.count()).where(
        OutboxRow.game_id == game,
        OutboxRow.seat == seat,
        col(OutboxRow.sent_at) >= since,
        col(OutboxRow.sent_at) < until,
    )
    return session.exec(query).one() > 0


def list_mails(session: Session, *statuses: str, game: int | None = None, limit: int = 200) -> list[Posted]:
    """Return the newest mails, oldest of them first."""
    query = select(OutboxRow).order_by(col(OutboxRow.id).desc()).limit(limit)
    if statuses:
        query = query.where(col(OutboxRow.status).in_(statuses))
    if game is not None:
        query = query.where(OutboxRow.game_id == game)
    return [_posted(row) for row in session.exec(query)][::-1]


def change_mail(session: Session, number: int, **values: object) -> None:
    """Change columns of the mail with that *number*."""
    row = session.get_one(OutboxRow, number)
    for name, value in values.items():
        setattr(row, name, value)
    session.add(row)
    session.flush()


def count_sent(session: Session, since: datetime) -> int:
    """Return how many mails went out since *since*, also those of which we are not certain."""
    query = select(func.count()).where(col(OutboxRow.sent_at) >= since)
    return session.exec(query).one()


def tell_again(session: Session, number: int) -> None:
    """Take the notices back that the mail *number* should have told: the next mail tells them."""
    for row in session.exec(select(NoticeRow).where(NoticeRow.mail_id == number)):
        row.mail_id = None
        session.add(row)
    session.flush()
