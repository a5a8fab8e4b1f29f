"""
The rows. They validate nothing and leave this package only as frozen values.

Every time is aware UTC. JSON columns hold text that `msgspec.json` wrote.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, LargeBinary, Text, TypeDecorator, UniqueConstraint
from sqlmodel import Field, SQLModel


class UtcTime(TypeDecorator[datetime]):
    """A moment: aware UTC in Python, without a zone in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:  # noqa: ANN401, ARG002
        """Return what is stored for *value*."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:  # noqa: ANN401, ARG002
        """Return the moment that was stored."""
        return None if value is None else value.replace(tzinfo=UTC)


class PersonRow(SQLModel, table=True):
    """A person with a language and a time zone."""

    __tablename__ = "people"
    id: int | None = Field(default=None, primary_key=True)
    name: str
    language: str
    zone: str
    plain: bool = False  # no pictures and no tables, for a screen reader
    quiet: str = ""  # hours without mail, as `pbem/quiet.py` writes them
    daily: str = ""  # the only hour with mail, 18:00; "" all are
    on_time: int = 0  # answers, over all games, as `pbem/reliability.py` counts them
    late: int = 0
    missed: int = 0
    blocked: bool = False  # his letters are dropped, and he takes no seat


class AddressRow(SQLModel, table=True):
    """An address of a person: one is registered, others were confirmed by it."""

    __tablename__ = "addresses"
    address: str = Field(primary_key=True)  # as `people.fold` writes it
    person_id: int = Field(foreign_key="people.id", index=True)
    written: str  # as it was given
    registered: bool = False


class TablesRow(SQLModel, table=True):
    """Component tables that a game stands on, by digest."""

    __tablename__ = "tables"
    digest: str = Field(primary_key=True)
    ruleset: str
    text: str = Field(sa_type=Text)


class GameRow(SQLModel, table=True):
    """One game, and the position after its last entry."""

    __tablename__ = "games"
    id: int | None = Field(default=None, primary_key=True)
    ruleset: str
    rules: int
    seats: int
    options: str = Field(sa_type=Text)
    tables: str = Field(foreign_key="tables.digest")
    commitment: str
    seed: bytes = Field(sa_type=LargeBinary)
    words: str = Field(default="[]", sa_type=Text)
    status: str = Field(index=True)
    void: bool = False
    clock: str
    hold: int = 0  # seconds
    state: bytes = Field(sa_type=LargeBinary)
    seq: int = 0
    draws: int = 0
    numbers: str = Field(default="[]", sa_type=Text)
    closed: bool = False
    link: bytes = Field(sa_type=LargeBinary)
    created_at: datetime = Field(sa_type=UtcTime)
    started_at: datetime | None = Field(default=None, sa_type=UtcTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcTime)
    paused_at: datetime | None = Field(default=None, sa_type=UtcTime)
    paused_by: str = ""  # players: they agreed on it; "" else
    next_due: datetime | None = Field(default=None, sa_type=UtcTime, index=True)
    rematch: int = 0  # number of the game that was played again after it; 0: none
    late: str = "default"  # what answers for who comes too late: default, bot, or wait for nothing
    misses: int = 0  # in a row, after which a bot stands in; 0: never
    at_least: int = 0  # seats with which an open game may begin whose seats are for whoever comes; 0: they are given
    branch_of: int = 0  # number of the game of which it is a what-if; 0: of none
    rewind: str = "gm"  # who decides on a rewind: gm, or agree
    undo_to: int = Field(default=-1, index=True)  # entry to which the game master asks to take it back; -1: none
    undo_reason: str = Field(default="", sa_type=Text)


class SeatRow(SQLModel, table=True):
    """A seat of a game: who holds it, its plan and its clock."""

    __tablename__ = "seats"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    seat: int = Field(primary_key=True)
    name: str
    person_id: int | None = Field(default=None, foreign_key="people.id", index=True)
    bot: str = ""
    epoch: int = 0
    accepted: bool = False
    word: str = ""
    plan: str = Field(default="[]", sa_type=Text)
    held_until: datetime | None = Field(default=None, sa_type=UtcTime)
    bank: int = 0  # seconds
    number: int = -1  # of the decision whose clock runs; -1: none
    put_at: datetime | None = Field(default=None, sa_type=UtcTime)
    deadline: datetime | None = Field(default=None, sa_type=UtcTime)
    reminded: int = 0  # how often, of the present deadline
    belated: bool = False  # the answer that stands planned for this decision has cost time of the bank
    asked: int = -1  # number of the decision that was last asked by mail
    extended: bool = False  # the day's grace for a held letter was given
    undo_to: int = -1  # agreed to a rewind to this entry; -2: was asked by the game master and has not answered
    unreachable: bool = False
    watch: str = "normal"
    acks: str = "all"
    note: str = Field(default="", sa_type=Text)  # for the seat alone
    reminders: bool = True
    wants_end: bool = False  # agreed to end the game as it stands
    wants_pause: bool = False  # agreed to let it stand still
    rematch: str = ""  # yes or no, after the end
    away_until: datetime | None = Field(default=None, sa_type=UtcTime)
    away_used: int = 0  # seconds of absence in this game, those still to come included
    missed: int = 0  # deadlines in a row
    overdue: bool = False  # its time is up, the game waits for it all the same, and all were told
    stand_in: bool = False  # a bot answers for the person until he writes


class ObserverRow(SQLModel, table=True):
    """A person with a place beside the seats of a game. `state`: looking, asked, seated, waiting, offered, gone."""

    __tablename__ = "observers"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    number: int = Field(primary_key=True)
    name: str
    person_id: int = Field(foreign_key="people.id", index=True)
    epoch: int = 0
    state: str = "looking"
    since: datetime | None = Field(default=None, sa_type=UtcTime)  # he is in this state
    word: str = ""  # for the dice, until he has a seat
    offer: int = -1  # the seat that is offered to him


class BenchRow(SQLModel, table=True):
    """A person who takes a seat that falls free, in games of one title, "" of any."""

    __tablename__ = "bench"
    person_id: int = Field(foreign_key="people.id", primary_key=True)
    ruleset: str = Field(primary_key=True)
    since: datetime = Field(sa_type=UtcTime)


class LogRow(SQLModel, table=True):
    """One entry; the table refuses UPDATE and DELETE."""

    __tablename__ = "log"
    game_id: int = Field(foreign_key="games.id", primary_key=True)
    seq: int = Field(primary_key=True)
    seat: int
    text: str = Field(sa_type=Text)
    link: bytes = Field(sa_type=LargeBinary)
    cause: str
    key: str = ""  # of the decision that it answers
    occasion: int = 0
    number: int = -1  # of that decision
    letter_id: int | None = Field(default=None, foreign_key="letters.id")
    at: datetime = Field(sa_type=UtcTime)


class MailboxRow(SQLModel, table=True):
    """How far a mailbox was read."""

    __tablename__ = "mailboxes"
    name: str = Field(primary_key=True)
    uidvalidity: int
    last_uid: int = 0
    good_at: datetime | None = Field(default=None, sa_type=UtcTime)  # the last fetch that came to its end
    alarmed: bool = False
    bad_uid: int = 0  # the letter at which the last fetch broke off
    bad_tries: int = 0  # how often in a row
    pace: int = 0  # seconds between the last two fetches that came to their end
    gap_end: datetime | None = Field(default=None, sa_type=UtcTime)  # when clocks were last moved for an outage


class LetterRow(SQLModel, table=True):
    """One letter as it came. `status`: new, done, held, dropped."""

    __tablename__ = "letters"
    __table_args__ = (UniqueConstraint("mailbox", "uidvalidity", "uid"),)
    id: int | None = Field(default=None, primary_key=True)
    mailbox: str
    uidvalidity: int
    uid: int
    received_at: datetime = Field(sa_type=UtcTime)
    size: int
    truncated: bool = False
    raw: bytes = Field(sa_type=LargeBinary)
    digest: str = Field(index=True)  # SHA-256 of the raw bytes
    message_id: str = Field(default="", index=True)
    body_hash: str = Field(default="", index=True)
    sender: str = Field(default="", index=True)
    status: str = Field(default="new", index=True)
    reason: str = ""
    tries: int = 0
    error: str = Field(default="", sa_type=Text)
    game_id: int | None = Field(default=None, index=True)
    seat: int | None = None
    fetched_at: datetime = Field(sa_type=UtcTime)
    judged_at: datetime | None = Field(default=None, sa_type=UtcTime)
    filed: bool = False  # moved out of the inbox
    decision: int = -1  # named by the tag that it was judged by
    answered: bool = False  # its sender was told what became of it


class NoticeRow(SQLModel, table=True):
    """
    A fact that a seat, or the game master (seat -2), is to be told.

    `urgent` makes a mail go; what is not urgent goes with the next one. `mail_id` names the mail that told it.
    """

    __tablename__ = "notices"
    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="games.id", index=True)
    seat: int
    key: str
    fields: str = Field(sa_type=Text)
    urgent: bool = True
    at: datetime = Field(sa_type=UtcTime)
    mail_id: int | None = Field(default=None, foreign_key="outbox.id", index=True)


class OutboxRow(SQLModel, table=True):
    """One mail of ours, byte for byte. `status`: ready, sent, uncertain, refused, failed, dropped."""

    __tablename__ = "outbox"
    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="games.id", index=True)
    seat: int
    kind: str
    decision: int = -1
    recipient: str
    message_id: str = Field(index=True)
    raw: bytes = Field(sa_type=LargeBinary)
    options: str = Field(default="[]", sa_type=Text)
    status: str = Field(default="ready", index=True)
    tries: int = 0
    next_try_at: datetime = Field(sa_type=UtcTime)
    error: str = Field(default="", sa_type=Text)
    composed_at: datetime = Field(sa_type=UtcTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcTime)
    uncertain: int = 0  # how often the server took the whole mail and was lost before its answer


class ActRow(SQLModel, table=True):
    """Who did what besides the log: moderation, reveals, changed owners."""

    __tablename__ = "acts"
    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="games.id", index=True)
    who: str
    what: str
    fields: str = Field(sa_type=Text)
    at: datetime = Field(sa_type=UtcTime)


class FindingRow(SQLModel, table=True):
    """What was found out about the outside, such as whether plus addresses arrive."""

    __tablename__ = "findings"
    name: str = Field(primary_key=True)
    value: str
    at: datetime = Field(sa_type=UtcTime)
