"""Who only looks on: persons who read what everybody may know of a game, and hold no seat of it."""

from msgspec import Struct
from sqlmodel import Session, col, select

from engine.core.types import Seat
from pbem.store.tables import ObserverRow

FIRST = Seat(100)
"""The place of the first observer of a game; tags, notices and mails name places from here on like seats."""

MOST = 100
"""Observers of one game."""


class Observer(Struct, frozen=True):
    """
    A person who looks on.

    `seat`  his place, FIRST or higher; `epoch` as that of a seat's tag; `gone`: he reads no more
    """

    game: int
    seat: Seat
    name: str
    person: int
    epoch: int = 0
    gone: bool = False


def is_observer(seat: int) -> bool:
    """Return whether *seat* is the place of an observer."""
    return seat >= FIRST


def _observer(row: ObserverRow) -> Observer:
    return Observer(row.game_id, Seat(FIRST + row.number), row.name, row.person_id, row.epoch, row.gone)


def list_observers(session: Session, game: int) -> list[Observer]:
    """Return who looks on at *game* now, in the order of arrival."""
    query = select(ObserverRow).where(ObserverRow.game_id == game, col(ObserverRow.gone).is_(False))
    return [_observer(row) for row in session.exec(query.order_by(col(ObserverRow.number)))]


def get_observer(session: Session, game: int, seat: int) -> Observer | None:
    """Return who has that place, also if he is gone; None for nobody."""
    row = session.get(ObserverRow, (game, seat - FIRST))
    return None if row is None else _observer(row)


def find_observer(session: Session, game: int, person: int) -> Observer | None:
    """Return the place of *person*, also if he is gone, or None."""
    row = session.exec(select(ObserverRow).where(ObserverRow.game_id == game, ObserverRow.person_id == person)).first()
    return None if row is None else _observer(row)


def count_observers(session: Session, game: int) -> int:
    """Return how many places of observers *game* has, those who are gone included."""
    return len(session.exec(select(ObserverRow.number).where(ObserverRow.game_id == game)).all())


def save_observer(session: Session, observer: Observer) -> None:
    """Store *observer*, new or over what is there."""
    session.merge(
        ObserverRow(
            game_id=observer.game,
            number=observer.seat - FIRST,
            name=observer.name,
            person_id=observer.person,
            epoch=observer.epoch,
            gone=observer.gone,
        )
    )
    session.flush()
