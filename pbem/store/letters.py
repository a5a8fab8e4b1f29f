"""Letters as they came, and how far the mailbox was read."""

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import takewhile

import msgspec
from msgspec import Struct
from sqlmodel import Session, and_, col, func, or_, select

from engine.core.types import GM, Seat
from pbem.store.tables import AddressRow, LetterRow, MailboxRow

NO_WORDS = hashlib.sha256(b"").hexdigest()
"""The body hash of a letter without own words."""


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
    """Return the first letter that is not judged, in order of arrival, or None; without its bytes none is judged."""
    query = select(LetterRow).where(LetterRow.status == "new", LetterRow.digest != "").order_by(col(LetterRow.id))
    row = session.exec(query.limit(1)).first()
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


WISH = "wish."
"""How the reasons of letters begin that prove no seat and ask for what nobody needs one for."""

ACTED = "acted"
"""Reason of a letter of the game master that confirmed an act which cannot be undone."""

UNDERSTOOD = ("accepted", "kept", "confirming", ACTED)
"""Reasons of letters of which something was understood."""


def is_repeat(session: Session, letter: Stored, game: int | None, seat: Seat) -> bool:
    """Return whether an earlier letter of the same seat with the same bytes, or Message-ID and own words, is done."""
    same_words = and_(
        col(LetterRow.message_id) == letter.message_id,
        col(LetterRow.message_id) != "",
        col(LetterRow.body_hash) == letter.body_hash,
    )
    query = select(func.count()).where(
        col(LetterRow.id) < letter.id,
        LetterRow.status == "done",
        LetterRow.game_id == game,
        LetterRow.seat == seat,
        or_(same_words, col(LetterRow.digest) == letter.digest),
    )
    return session.exec(query).one() > 0


def last_understood(session: Session, letter: Stored, game: int | None, seat: Seat, since: datetime) -> Stored | None:
    """Return the last letter of the seat before *letter*, since *since*, in which something was understood."""
    query = (
        select(LetterRow)
        .where(
            col(LetterRow.id) < letter.id,
            LetterRow.status == "done",
            col(LetterRow.reason).in_(UNDERSTOOD),
            LetterRow.game_id == game,
            LetterRow.seat == seat,
            col(LetterRow.judged_at) >= since,
        )
        .order_by(col(LetterRow.id).desc())
        .limit(1)
    )
    row = session.exec(query).first()
    return None if row is None else _stored(row)


def count_recent(session: Session, letter: Stored, place: tuple[int, Seat] | None, since: datetime) -> int:
    """Return how many letters of that seat, else from the same address, came before *letter* since *since*."""
    whose = (
        col(LetterRow.sender) == letter.sender
        if place is None
        else and_(col(LetterRow.game_id) == place[0], col(LetterRow.seat) == place[1])
    )
    query = select(func.count()).where(
        whose,
        col(LetterRow.id) < letter.id,
        col(LetterRow.fetched_at) >= since,
        LetterRow.reason != "confirming",
    )
    return session.exec(query).one()


def count_vain(session: Session, letter: Stored, game: int | None, seat: Seat, since: datetime) -> tuple[int, int]:
    """Return how many letters of the seat were answered in vain: since one was understood; with the same words."""
    query = (
        select(LetterRow.reason, LetterRow.body_hash)
        .where(
            col(LetterRow.id) < letter.id,
            LetterRow.game_id == game,
            LetterRow.seat == seat,
            col(LetterRow.judged_at) >= since,
            col(LetterRow.answered),
        )
        .order_by(col(LetterRow.id).desc())
    )
    rows = list(session.exec(query))
    vain = list(takewhile(lambda row: row[0] not in UNDERSTOOD, rows))
    same = [row for row in rows if row[0] not in UNDERSTOOD and row[1] == letter.body_hash]
    return len(vain), len(same) if letter.body_hash != NO_WORDS else 0


def was_held_since(session: Session, game: int, seat: Seat, reason: str, since: datetime) -> bool:
    """Return whether a letter of the seat was held for *reason* since *since*."""
    query = select(func.count()).where(
        LetterRow.status == "held",
        LetterRow.reason == reason,
        LetterRow.game_id == game,
        LetterRow.seat == seat,
        col(LetterRow.judged_at) >= since,
    )
    return session.exec(query).one() > 0


def count_asked(session: Session, game: int, seat: Seat, since: datetime) -> int:
    """Return about how many letters without a tag the seat was asked since *since*."""
    query = select(func.count()).where(
        col(LetterRow.reason).in_(("tag.missing", "confirmed")),
        LetterRow.game_id == game,
        LetterRow.seat == seat,
        col(LetterRow.judged_at) >= since,
        col(LetterRow.answered),
    )
    return session.exec(query).one()


def was_answered(session: Session, game: int, seat: Seat, moments: Collection[datetime], person: int) -> bool:
    """Return whether a letter of the seat, or one from an address of its *person*, was answered at one of *moments*."""
    own = select(AddressRow.address).where(AddressRow.person_id == person)
    query = select(func.count()).where(
        LetterRow.game_id == game,
        LetterRow.seat == seat,
        col(LetterRow.answered),
        col(LetterRow.judged_at).in_(moments),
        or_(LetterRow.status == "done", col(LetterRow.sender).in_(own)),
    )
    return session.exec(query).one() > 0


def count_letters(session: Session) -> int:
    """Return how many letters are kept."""
    return session.exec(select(func.count(col(LetterRow.id)))).one()


def release_letters(session: Session, game: int, reason: str) -> None:
    """Let the letters of *game* that are held for *reason* be judged as if they had just come."""
    query = select(LetterRow).where(LetterRow.status == "held", LetterRow.reason == reason, LetterRow.game_id == game)
    for row in session.exec(query):
        row.status, row.reason, row.tries, row.judged_at = "new", "", 0, None
        session.add(row)
    session.flush()


def has_held_letter(session: Session, game: int, seat: Seat) -> bool:
    """Return whether a letter with the valid tag of that seat is held."""
    query = select(func.count()).where(
        LetterRow.status == "held",
        LetterRow.game_id == game,
        LetterRow.seat == seat,
        col(LetterRow.reason).not_in(("tag.missing", "rate", "budget.vain")),  # no proof, or no person
    )
    return session.exec(query).one() > 0


def kept_uids(session: Session, mailbox: str, uidvalidity: int, after: int) -> frozenset[int]:
    """Return the UIDs greater than *after* of letters that are kept here."""
    query = select(LetterRow.uid).where(
        LetterRow.mailbox == mailbox, LetterRow.uidvalidity == uidvalidity, LetterRow.uid > after
    )
    return frozenset(session.exec(query))


def next_unloaded(session: Session, mailbox: str, uidvalidity: int, before: datetime) -> Stored | None:
    """Return a letter on record whose bytes were never loaded: last tried before *before*, or released; or None."""
    query = select(LetterRow).where(
        LetterRow.mailbox == mailbox,
        LetterRow.uidvalidity == uidvalidity,
        LetterRow.digest == "",
        or_(LetterRow.status == "new", and_(LetterRow.status == "held", col(LetterRow.fetched_at) <= before)),
    )
    row = session.exec(query.order_by(col(LetterRow.fetched_at)).limit(1)).first()
    return None if row is None else _stored(row)


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


def count_strangers(session: Session, since: datetime, sender: str = "") -> int:
    """Return how many letters of strangers, or of the stranger *sender*, were answered since *since*."""
    query = select(func.count()).where(
        col(LetterRow.answered),
        col(LetterRow.game_id).is_(None),
        col(LetterRow.seat).is_(None),
        col(LetterRow.reason).not_like(f"{WISH}%"),
        col(LetterRow.judged_at) >= since,
    )
    return session.exec(query.where(LetterRow.sender == sender) if sender else query).one()


def was_acted_on(session: Session, mail: int) -> bool:
    """Return whether a letter of the game master has confirmed what the mail with that number asked."""
    query = select(func.count()).where(
        LetterRow.status == "done", LetterRow.reason == ACTED, LetterRow.seat == GM, LetterRow.decision == mail
    )
    return session.exec(query).one() > 0


def count_answered(session: Session, sender: str, reasons: Collection[str], since: datetime) -> int:
    """Return how many letters from that address were answered for one of *reasons* since *since*."""
    query = select(func.count()).where(
        col(LetterRow.answered),
        func.lower(LetterRow.sender) == sender.lower(),
        col(LetterRow.reason).in_(reasons),
        col(LetterRow.judged_at) >= since,
    )
    return session.exec(query).one()


def count_wishes(session: Session, since: datetime, *, sender: str = "", domain: str = "") -> int:
    """Return how many letters that prove no seat were answered since *since*; of *sender*, or of one *domain*."""
    query = select(func.count()).where(
        col(LetterRow.answered), col(LetterRow.reason).startswith(WISH), col(LetterRow.judged_at) >= since
    )
    if sender:
        query = query.where(func.lower(LetterRow.sender) == sender.lower())
    if domain:
        query = query.where(func.lower(LetterRow.sender).endswith(f"@{domain.lower()}", autoescape=True))
    return session.exec(query).one()


def was_refused_for(session: Session, reason: str, since: datetime) -> bool:
    """Return whether any letter was read and refused for *reason* since *since*."""
    query = select(func.count()).where(
        LetterRow.status == "done", LetterRow.reason == reason, col(LetterRow.judged_at) >= since
    )
    return session.exec(query).one() > 0


def was_held_for(session: Session, reason: str, since: datetime) -> bool:
    """Return whether any letter was held for *reason* since *since*."""
    query = select(func.count()).where(
        LetterRow.status == "held", LetterRow.reason == reason, col(LetterRow.judged_at) >= since
    )
    return session.exec(query).one() > 0
