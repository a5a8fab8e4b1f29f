"""
Places beside the seats of a game: who only looks on, who would like a seat, and who had one.

A place has a number, a person and a tag, as a seat has; what it is for is its state.
"""

from datetime import datetime
from typing import Literal

from msgspec import Struct
from sqlmodel import Session, col, func, select

from engine.core.types import Seat
from pbem.store.tables import ObserverRow

FIRST = Seat(100)
"""The first place of a game; tags, notices and mails name places from here on like seats."""

MOST = 100
"""Persons who look on at one game."""

MOST_PLACES = 800
"""Places of one game; their numbers have three digits."""

State = Literal["looking", "asked", "seated", "waiting", "offered", "gone"]
"""
What a place is for: he looks on; he is asked whether he wrote; he has a seat; he waits for one, or one is offered to
him; nothing more.
"""


class Observer(Struct, frozen=True):
    """
    A person with a place beside the seats.

    `seat`   his place, FIRST or higher; `epoch` as that of a seat's tag
    `since`  he is in this state; None: for who looks on, or did
    `word`   for the dice, until he has a seat; `offer`: the seat that is offered to him, -1 none
    """

    game: int
    seat: Seat
    name: str
    person: int
    epoch: int = 0
    state: State = "looking"
    since: datetime | None = None
    word: str = ""
    offer: int = -1

    @property
    def gone(self) -> bool:
        """Return whether nothing more is mailed to him, and his tag counts no more."""
        return self.state == "gone"


def is_observer(seat: int) -> bool:
    """Return whether *seat* is a place beside the seats."""
    return seat >= FIRST


def _observer(row: ObserverRow) -> Observer:
    return Observer(
        game=row.game_id,
        seat=Seat(FIRST + row.number),
        name=row.name,
        person=row.person_id,
        epoch=row.epoch,
        state=row.state,  # type: ignore[arg-type]  # one of `State`: only `save_observer` writes it
        since=row.since,
        word=row.word,
        offer=row.offer,
    )


def list_observers(session: Session, game: int) -> list[Observer]:
    """Return who looks on at *game* now, in the order of arrival."""
    query = select(ObserverRow).where(ObserverRow.game_id == game, ObserverRow.state == "looking")
    return [_observer(row) for row in session.exec(query.order_by(col(ObserverRow.number)))]


def list_places(session: Session, game: int, state: State) -> list[Observer]:
    """Return the places of *game* in that *state*, those first that have been so for longest."""
    query = select(ObserverRow).where(ObserverRow.game_id == game, ObserverRow.state == state)
    return [_observer(row) for row in session.exec(query.order_by(col(ObserverRow.since), col(ObserverRow.number)))]


def offers_before(session: Session, moment: datetime) -> list[Observer]:
    """Return the places, of all games, to which a seat has been offered since *moment* or longer."""
    query = select(ObserverRow).where(ObserverRow.state == "offered", col(ObserverRow.since) <= moment)
    return [_observer(row) for row in session.exec(query.order_by(col(ObserverRow.game_id)))]


def get_observer(session: Session, game: int, seat: int) -> Observer | None:
    """Return who has that place, also if he is gone; None for nobody."""
    row = session.get(ObserverRow, (game, seat - FIRST))
    return None if row is None else _observer(row)


def find_observer(session: Session, game: int, person: int) -> Observer | None:
    """Return the place of *person*, also if he is gone, or None."""
    row = session.exec(select(ObserverRow).where(ObserverRow.game_id == game, ObserverRow.person_id == person)).first()
    return None if row is None else _observer(row)


def count_observers(session: Session, game: int) -> int:
    """Return how many places *game* has, those included that are for nothing any more."""
    return session.exec(select(func.count()).where(ObserverRow.game_id == game)).one()


def save_observer(session: Session, observer: Observer) -> None:
    """Store *observer*, new or over what is there."""
    session.merge(
        ObserverRow(
            game_id=observer.game,
            number=observer.seat - FIRST,
            name=observer.name,
            person_id=observer.person,
            epoch=observer.epoch,
            state=observer.state,
            since=observer.since,
            word=observer.word,
            offer=observer.offer,
        )
    )
    session.flush()
