"""People and their addresses, and what was found out about the outside."""

from datetime import datetime

from msgspec import Struct
from sqlmodel import Session, col, select

from engine.core.types import Seat
from pbem.store.observers import FIRST
from pbem.store.tables import AddressRow, FindingRow, ObserverRow, PersonRow, SeatRow

Place = tuple[int, Seat]
"""A seat of a game, or the place of an observer."""


class Person(Struct, frozen=True):
    """
    A person; `address` is the registered one, as it was given.

    `plain`  mails come without pictures and tables
    `quiet`  hours in which no mail comes, as `pbem/quiet.py` writes them; "" none
    `daily`  the hour of the one moment of the day at which mail comes; "" at any time
    """

    id: int
    name: str
    address: str
    language: str
    zone: str
    plain: bool = False
    quiet: str = ""
    daily: str = ""


class Sleep(Struct, frozen=True):
    """The quiet hours and the daily hour of a person, one of them "" for none, and the zone that they are told in."""

    person: int
    quiet: str
    zone: str
    daily: str = ""


def fold(address: str) -> str:
    """Return *address* as it is compared: lower case, no spaces around it."""
    return address.strip().casefold()


def _person(session: Session, row: PersonRow) -> Person:
    assert row.id is not None
    query = select(AddressRow).where(AddressRow.person_id == row.id, col(AddressRow.registered))
    address = session.exec(query).one().written
    return Person(row.id, row.name, address, row.language, row.zone, row.plain, row.quiet, row.daily)


def get_person(session: Session, number: int) -> Person:
    """Return the person with that *number*."""
    return _person(session, session.get_one(PersonRow, number))


def find_person(session: Session, address: str) -> Person | None:
    """Return who has *address*, registered or confirmed, or None."""
    row = session.get(AddressRow, fold(address))
    return None if row is None else get_person(session, row.person_id)


def meet_person(
    session: Session, name: str, address: str, language: str, zone: str, usual: tuple[str, str] = ("en", "UTC")
) -> Person:
    """
    Return the person with *address*, made or brought up to date.

    Where *language* or *zone* is empty, who is known keeps his own; who is new has the *usual* one.
    """
    known = session.get(AddressRow, fold(address))
    if known is not None:
        row = session.get_one(PersonRow, known.person_id)
        row.name, row.language, row.zone = name, language or row.language, zone or row.zone
        session.add(row)
        session.flush()
        return _person(session, row)
    row = PersonRow(name=name, language=language or usual[0], zone=zone or usual[1])
    session.add(row)
    session.flush()
    assert row.id is not None
    session.add(AddressRow(address=fold(address), person_id=row.id, written=address.strip(), registered=True))
    session.flush()
    return _person(session, row)


def change_person(
    session: Session,
    number: int,
    *,
    language: str | None = None,
    zone: str | None = None,
    plain: bool | None = None,
    quiet: str | None = None,
    daily: str | None = None,
) -> Person:
    """Return the person after the change; what is None stays."""
    row = session.get_one(PersonRow, number)
    row.language = language or row.language
    row.zone = zone or row.zone
    row.plain = row.plain if plain is None else plain
    row.quiet = row.quiet if quiet is None else quiet
    row.daily = row.daily if daily is None else daily
    session.add(row)
    session.flush()
    return _person(session, row)


def sleeping_places(session: Session) -> list[tuple[Place, Sleep]]:
    """Return the seats, and the places of observers, of all persons who have quiet hours or a daily hour."""
    playing = select(SeatRow.game_id, SeatRow.seat, PersonRow).join(
        PersonRow, col(PersonRow.id) == col(SeatRow.person_id)
    )
    watching = select(ObserverRow.game_id, col(ObserverRow.number) + FIRST, PersonRow).join(
        PersonRow, col(PersonRow.id) == col(ObserverRow.person_id)
    )
    return [
        ((game, Seat(seat)), Sleep(row.id or 0, row.quiet, row.zone, row.daily))
        for query in (playing, watching)
        for game, seat, row in session.exec(query.where((col(PersonRow.quiet) != "") | (col(PersonRow.daily) != "")))
    ]


def add_alias(session: Session, person: int, address: str) -> None:
    """Remember one more address of *person*; an address that somebody has stays with him."""
    if session.get(AddressRow, fold(address)) is None:
        session.add(AddressRow(address=fold(address), person_id=person, written=address.strip()))
        session.flush()


def get_finding(session: Session, name: str) -> str:
    """Return what was found out under *name*, "" for nothing yet."""
    row = session.get(FindingRow, name)
    return "" if row is None else row.value


def set_finding(session: Session, name: str, value: str, now: datetime) -> None:
    """Keep what was found out."""
    session.merge(FindingRow(name=name, value=value, at=now))
    session.flush()
