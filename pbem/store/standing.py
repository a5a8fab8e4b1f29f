"""What stands at this moment, in numbers and short lines: for who looks after many games. No position is read."""

from collections.abc import Collection
from datetime import datetime

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, text
from sqlmodel import Session, and_, col, func, select

from engine.core.types import GM, Seat
from pbem.store.base import Store, sqlite_path
from pbem.store.tables import GameRow, LetterRow, NoticeRow, OutboxRow, SeatRow

BOUNCE = "bounce "
"""How the error of a mail begins that came back."""

_UNSENT = ("failed", "refused", "uncertain")
_NEWEST = 50


class Listed(Struct, frozen=True):
    """A game without its position."""

    game: int
    ruleset: str
    status: str
    length: int
    created_at: datetime
    paused_at: datetime | None
    ended_at: datetime | None
    void: bool


class Seated(Struct, frozen=True):
    """
    A seat without its plan.

    `number`    of the decision that it owes, -1: none; `put_at` and `deadline` as those of its `Holder`: no deadline
                where the answer is there already
    `planned`   whether there is any line of a plan
    """

    game: int
    seat: Seat
    name: str
    bot: str
    accepted: bool
    number: int
    put_at: datetime | None
    deadline: datetime | None
    planned: bool
    unreachable: bool
    away_until: datetime | None


class Held(Struct, frozen=True):
    """A letter that is held."""

    letter: int
    game: int | None
    reason: str
    at: datetime


class Unsent(Struct, frozen=True):
    """A mail of ours that was given up or came back; `error` is the last line of what is known of it."""

    mail: int
    game: int | None
    seat: Seat
    status: str
    recipient: str
    error: str
    at: datetime

    @property
    def came_back(self) -> bool:
        """Return whether it went out and came back."""
        return self.error.startswith(BOUNCE)


def listed_games(session: Session, statuses: Collection[str]) -> list[Listed]:
    """Return the games with one of *statuses*, in the order of their numbers."""
    query = (
        select(
            GameRow.id,
            GameRow.ruleset,
            GameRow.status,
            GameRow.seq,
            GameRow.created_at,
            GameRow.paused_at,
            GameRow.ended_at,
            GameRow.void,
        )  # type: ignore[call-overload]  # SQLModel types no more than four columns
        .where(col(GameRow.status).in_(statuses))
        .order_by(col(GameRow.id))
    )
    return [Listed(*row) for row in session.exec(query)]


def listed_seats(session: Session, statuses: Collection[str]) -> list[Seated]:
    """Return the seats of the games with one of *statuses*, in order."""
    query = (
        select(
            SeatRow.game_id,
            SeatRow.seat,
            SeatRow.name,
            SeatRow.bot,
            SeatRow.accepted,
            SeatRow.number,
            SeatRow.put_at,
            SeatRow.deadline,
            col(SeatRow.plan) != "[]",
            SeatRow.unreachable,
            SeatRow.away_until,
        )  # type: ignore[call-overload]  # as above
        .join(GameRow, col(GameRow.id) == col(SeatRow.game_id))
        .where(col(GameRow.status).in_(statuses))
        .order_by(col(SeatRow.game_id), col(SeatRow.seat))
    )
    return [Seated(*row) for row in session.exec(query)]


def held_letters(session: Session) -> list[Held]:
    """Return the letters that are held, oldest first."""
    moment = func.coalesce(LetterRow.judged_at, LetterRow.fetched_at)
    query = (
        select(LetterRow.id, LetterRow.game_id, LetterRow.reason, LetterRow.fetched_at)
        .where(LetterRow.status == "held")
        .order_by(moment, col(LetterRow.id))
    )
    return [Held(number or 0, game, reason, at) for number, game, reason, at in session.exec(query)]


def new_letters(session: Session) -> tuple[int, datetime | None]:
    """Return how many letters wait to be judged, and when the oldest of them was fetched."""
    return session.exec(select(func.count(), func.min(LetterRow.fetched_at)).where(LetterRow.status == "new")).one()


def waiting_mails(session: Session) -> tuple[int, datetime | None]:
    """Return how many mails wait to be sent, and when the oldest of them was composed."""
    return session.exec(select(func.count(), func.min(OutboxRow.composed_at)).where(OutboxRow.status == "ready")).one()


def unsent_mails(session: Session, since: datetime) -> list[Unsent]:
    """Return the mails composed since *since* that were given up or came back, in their order."""
    query = (
        select(
            OutboxRow.id,
            OutboxRow.game_id,
            OutboxRow.seat,
            OutboxRow.status,
            OutboxRow.recipient,
            OutboxRow.error,
            OutboxRow.composed_at,
        )  # type: ignore[call-overload]  # as above
        .where(col(OutboxRow.status).in_(_UNSENT), col(OutboxRow.composed_at) >= since)
        .order_by(col(OutboxRow.id))
    )
    return [
        Unsent(mail, game, Seat(seat), status, recipient, error.strip().rpartition("\n")[2], at)
        for mail, game, seat, status, recipient, error, at in session.exec(query)
    ]


def last_sent(session: Session) -> datetime | None:
    """Return when a mail last went out, None for never; looked for among the newest, so that no long list is read."""
    query = select(OutboxRow.sent_at).where(OutboxRow.status == "sent").order_by(col(OutboxRow.id).desc())
    return max((at for at in session.exec(query.limit(_NEWEST)) if at is not None), default=None)


_GIVEN_UP = ("alert.mail-failed", "alert.mail-refused", "alert.mail-uncertain")
"""What the game master is told at once of a mail that was given up."""


def titles_of(session: Session) -> dict[int, str]:
    """Return the title of every game by its number."""
    return {number or 0: ruleset for number, ruleset in session.exec(select(GameRow.id, GameRow.ruleset))}


def _within(column: datetime | None, since: datetime, until: datetime) -> ColumnElement[bool]:
    """Return the question whether *column* lies in that time: after its beginning, and up to its end."""
    return and_(col(column) > since, col(column) <= until)


def begun_between(session: Session, since: datetime, until: datetime) -> list[int]:
    """Return the games that began in that time."""
    query = select(GameRow.id).where(_within(GameRow.started_at, since, until))
    return [number or 0 for number in session.exec(query.order_by(col(GameRow.id)))]


def ended_between(session: Session, since: datetime, until: datetime) -> list[tuple[int, bool]]:
    """Return the games that ended in that time, each with whether it was called or broken off."""
    query = select(GameRow.id, GameRow.status).where(_within(GameRow.ended_at, since, until)).order_by(col(GameRow.id))
    return [(number or 0, status == "aborted") for number, status in session.exec(query)]


def missed_between(session: Session, since: datetime, until: datetime) -> list[tuple[int, int]]:
    """Return game and seat of each deadline at which something was played by default in that time."""
    query = (
        select(NoticeRow.game_id, NoticeRow.fields, NoticeRow.at)
        .where(NoticeRow.key == "seat.late", _within(NoticeRow.at, since, until))
        .order_by(col(NoticeRow.id))
    )
    told = ((game or 0, int(msgspec.json.decode(fields)["seat"]), at) for game, fields, at in session.exec(query))
    return [(game, seat) for game, seat, _ in dict.fromkeys(told)]


def given_up_between(session: Session, since: datetime, until: datetime) -> list[int]:
    """Return the mails that were given up in that time."""
    query = (
        select(NoticeRow.fields)
        .where(
            NoticeRow.seat == GM,
            col(NoticeRow.key).in_(_GIVEN_UP),
            _within(NoticeRow.at, since, until),
        )
        .order_by(col(NoticeRow.id))
    )
    return [int(msgspec.json.decode(fields)["mail"]) for fields in session.exec(query)]


def bounced_between(
    session: Session, since: datetime, until: datetime
) -> list[tuple[tuple[int | None, int | None], int]]:
    """Return how many mails to each seat came back in that time; (None, None) where it could not be told."""
    query = (
        select(LetterRow.game_id, LetterRow.seat, func.count())
        .where(LetterRow.reason == "bounce", _within(LetterRow.judged_at, since, until))
        .group_by(col(LetterRow.game_id), col(LetterRow.seat))
        .order_by(col(LetterRow.game_id), col(LetterRow.seat))
    )
    return [((game, seat), count) for game, seat, count in session.exec(query)]


def store_size(store: Store, session: Session) -> int:
    """Return how many bytes the database takes on its disk."""
    file = sqlite_path(store.url)
    if file is not None:
        beside = (file.with_name(file.name + end) for end in ("", "-wal", "-shm"))
        return sum(one.stat().st_size for one in beside if one.exists())
    if session.get_bind().dialect.name == "postgresql":
        return int(session.connection().execute(text("SELECT pg_database_size(current_database())")).scalar_one())
    return 0
