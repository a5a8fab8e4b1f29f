"""Letters as they came, and how far the mailbox was read."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from msgspec import Struct
from sqlmodel import Session, col, func, select

from engine.core.types import Seat
from pbem.store.tables import LetterRow, MailboxRow


class Mailbox(Struct, frozen=True):
    """
    How far a mailbox was read, and how reading goes.

    `good_at`    the last fetch that came to its end; `pace` the seconds between the last two
    `bad_uid`    the letter at which the last fetch broke off, `bad_tries` times in a row
    `gap_end`    when clocks were last moved because mail could not be read
    """

    name: str
    uidvalidity: int
    last_uid: int
    good_at: datetime | None = None
    alarmed: bool = False
    bad_uid: int = 0
    bad_tries: int = 0
    pace: int = 0
    gap_end: datetime | None = None


class Stored(Struct, frozen=True):
    """
    A letter as it is kept.

    `status`  new, done, held or dropped, with the `reason` as a key
    `tries`   times that judging it was begun
    """

    id: int
    mailbox: str
    uidvalidity: int
    uid: int
    received_at: datetime
    size: int
    truncated: bool
    raw: bytes
    digest: str
    message_id: str
    body_hash: str
    sender: str
    status: str
    reason: str
    tries: int
    error: str
    game: int | None
    seat: Seat | None
    fetched_at: datetime
    judged_at: datetime | None
    filed: bool
    decision: int
    answered: bool


def _stored(row: LetterRow) -> Stored:
    values = {name: getattr(row, name) for name in LetterRow.model_fields}
    values["game"] = values.pop("game_id")
    return Stored(**values)


def get_mailbox(session: Session, name: str) -> Mailbox | None:
    """Return how far the mailbox *name* was read, or None."""
    row = session.get(MailboxRow, name)
    return None if row is None else Mailbox(**{name: getattr(row, name) for name in MailboxRow.model_fields})


def save_mailbox(session: Session, mailbox: Mailbox) -> None:
    """Store how far a mailbox was read."""
    session.merge(MailboxRow(**msgspec.structs.asdict(mailbox)))
    session.flush()


def add_letter(session: Session, row: LetterRow) -> None:
    """Store a letter; one that is there already, by mailbox, UIDVALIDITY and UID, stays as it is."""
    query = select(func.count()).where(
        LetterRow.mailbox == row.mailbox, LetterRow.uidvalidity == row.uidvalidity, LetterRow.uid == row.uid
    )
    if not session.exec(query).one():
        session.add(row)
        session.flush()


def is_known(session: Session, digest: str, mailbox: str, uidvalidity: int) -> bool:
    """Return whether the same bytes came from this mailbox before it was numbered anew."""
    query = select(func.count()).where(
        LetterRow.digest == digest, LetterRow.mailbox == mailbox, LetterRow.uidvalidity != uidvalidity
    )
    return session.exec(query).one() > 0


def next_letter(session: Session) -> Stored | None:
    """Return the first letter that is not judged, in the order of arrival, or None."""
    query = select(LetterRow).where(LetterRow.status == "new").order_by(col(LetterRow.id)).limit(1)
    row = session.exec(query).first()
    return None if row is None else _stored(row)


def get_letter(session: Session, number: int) -> Stored | None:
    """Return the letter with that *number*, or None."""
    row = session.get(LetterRow, number)
    return None if row is None else _stored(row)


def list_letters(session: Session, *statuses: str, game: int | None = None, limit: int = 200) -> list[Stored]:
    """Return the newest letters, oldest of them first."""
    query = select(LetterRow).order_by(col(LetterRow.id).desc()).limit(limit)
    if statuses:
        query = query.where(col(LetterRow.status).in_(statuses))
    if game is not None:
        query = query.where(LetterRow.game_id == game)
    return [_stored(row) for row in session.exec(query)][::-1]


def change_letter(session: Session, number: int, **values: object) -> None:
    """Change columns of the letter with that *number*."""
    row = session.get_one(LetterRow, number)
    for name, value in values.items():
        setattr(row, name, value)
    session.add(row)
    session.flush()


def is_repeat(session: Session, letter: Stored, message_id: str, body_hash: str, game: int, seat: Seat) -> bool:
    """Return whether an earlier letter of the same seat was done with the same Message-ID and the same own words."""
    query = select(func.count()).where(
        col(LetterRow.id) < letter.id,
        LetterRow.status == "done",
        LetterRow.game_id == game,
        LetterRow.seat == seat,
        LetterRow.message_id == message_id,
        LetterRow.body_hash == body_hash,
        LetterRow.message_id != "",
    )
    return session.exec(query).one() > 0


def has_held_letter(session: Session, game: int, seat: Seat) -> bool:
    """Return whether a letter with the valid tag of that seat is held."""
    query = select(func.count()).where(
        LetterRow.status == "held",
        LetterRow.game_id == game,
        LetterRow.seat == seat,
        LetterRow.reason != "tag.missing",  # that one only waits for a confirmation
    )
    return session.exec(query).one() > 0


def unfiled(session: Session, mailbox: str, uidvalidity: int) -> Sequence[int]:
    """Return the UIDs of letters that are kept here but still lie in the inbox."""
    query = select(LetterRow.uid).where(
        LetterRow.mailbox == mailbox, LetterRow.uidvalidity == uidvalidity, col(LetterRow.filed).is_(False)
    )
    return list(session.exec(query.order_by(col(LetterRow.uid))))


def mark_filed(session: Session, mailbox: str, uidvalidity: int, uids: Sequence[int]) -> None:
    """Note that the letters with *uids* were moved out of the inbox."""
    query = select(LetterRow).where(
        LetterRow.mailbox == mailbox, LetterRow.uidvalidity == uidvalidity, col(LetterRow.uid).in_(uids)
    )
    for row in session.exec(query):
        row.filed = True
        session.add(row)
    session.flush()


def replies_today(session: Session, sender: str, since: datetime) -> int:
    """Return how many letters of the stranger *sender* were answered since *since*."""
    query = select(func.count()).where(
        LetterRow.sender == sender, LetterRow.reason == "answered.stranger", col(LetterRow.judged_at) >= since
    )
    return session.exec(query).one()
