"""People and their addresses, and what was found out about the outside."""

from datetime import datetime
from typing import Literal, TypedDict, Unpack

from msgspec import Struct
from sqlmodel import Session, col, select

from engine.core.types import Seat
from pbem.errors import Refused
from pbem.store.observers import FIRST
from pbem.store.tables import AddressRow, FindingRow, GameRow, ObserverRow, PersonRow, SeatRow

Place = tuple[int, Seat]
"""A seat of a game, or the place of an observer."""


Answer = Literal["on_time", "late", "missed"]
"""How a person answered, as `pbem/reliability.py` counts it."""


class Person(Struct, frozen=True):
    """
    A person; `address` is the registered one, as it was given.

    `plain`    mails come without pictures and tables
    `quiet`    hours in which no mail comes, as `pbem/quiet.py` writes them; "" none
    `daily`    the hour of the one moment of the day at which mail comes; "" at any time
    `on_time`  answers over all games; so are `late` and `missed`
    `blocked`  his letters are dropped, and he takes no seat
    """

    id: int
    name: str
    address: str
    language: str
    zone: str
    plain: bool = False
    quiet: str = ""
    daily: str = ""
    on_time: int = 0
    late: int = 0
    missed: int = 0
    blocked: bool = False


class Part(Struct, frozen=True):
    """
    The part of a person in a game, with the game's title and state.

    `seat`  a seat, or a place of who looks on; `gone`: he looks on no more, or has lost the seat that he had
    """

    game: int
    ruleset: str
    status: str
    seat: Seat
    name: str
    gone: bool = False


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
    return Person(
        row.id,
        row.name,
        address,
        row.language,
        row.zone,
        row.plain,
        row.quiet,
        row.daily,
        row.on_time,
        row.late,
        row.missed,
        row.blocked,
    )


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
    Raises: Refused `person.blocked`.
    """
    known = session.get(AddressRow, fold(address))
    if known is not None:
        row = session.get_one(PersonRow, known.person_id)
        if row.blocked:
            raise Refused("person.blocked", name=row.name, address=address)
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


class Changes(TypedDict, total=False):
    """What of a person may be changed; None stands for what stays."""

    name: str | None
    language: str | None
    zone: str | None
    plain: bool | None
    quiet: str | None
    daily: str | None


def change_person(session: Session, number: int, **changes: Unpack[Changes]) -> Person:
    """Return the person after *changes*; name, language and zone cannot be emptied."""
    row = session.get_one(PersonRow, number)
    for name, value in changes.items():
        if value is not None and (value != "" or name not in ("name", "language", "zone")):
            setattr(row, name, value)
    session.add(row)
    session.flush()
    return _person(session, row)


def block_person(session: Session, number: int, *, blocked: bool) -> Person:
    """Return the person shut out, or let in again."""
    row = session.get_one(PersonRow, number)
    row.blocked = blocked
    session.add(row)
    session.flush()
    return _person(session, row)


def count_answer(session: Session, number: int, answer: Answer) -> None:
    """Count one more *answer* of a person."""
    row = session.get_one(PersonRow, number)
    setattr(row, answer, getattr(row, answer) + 1)
    session.add(row)


def list_people(session: Session) -> list[Person]:
    """Return everybody, in the order in which they came."""
    return [_person(session, row) for row in session.exec(select(PersonRow).order_by(col(PersonRow.id)))]


def addresses_of(session: Session, person: int) -> list[str]:
    """Return the addresses of *person* as they were given: the registered one first, then the others by letter."""
    query = select(AddressRow).where(AddressRow.person_id == person)
    rows = sorted(session.exec(query), key=lambda row: (not row.registered, row.address))
    return [row.written for row in rows]


def prefer_address(session: Session, person: int, address: str) -> None:
    """Let mails go to *address* from now on, which is one of those of *person*."""
    for row in session.exec(select(AddressRow).where(AddressRow.person_id == person)):
        row.registered = row.address == fold(address)
        session.add(row)
    session.flush()


def drop_address(session: Session, address: str) -> None:
    """Forget *address*."""
    session.delete(session.get_one(AddressRow, fold(address)))
    session.flush()


def parts_of(session: Session, person: int) -> list[Part]:
    """Return where *person* plays, played, looks on or looked on, the newest game first."""
    game = (col(GameRow.ruleset), col(GameRow.status))
    seats = (
        select(SeatRow.game_id, *game, SeatRow.seat, SeatRow.name)  # type: ignore[call-overload]  # up to four columns
        .join(GameRow, col(GameRow.id) == col(SeatRow.game_id))
        .where(SeatRow.person_id == person)
    )
    places = (
        select(
            ObserverRow.game_id,
            *game,
            col(ObserverRow.number) + FIRST,
            ObserverRow.name,
            col(ObserverRow.state) == "gone",
        )  # type: ignore[call-overload]  # as above
        .join(GameRow, col(GameRow.id) == col(ObserverRow.game_id))
        .where(ObserverRow.person_id == person, col(ObserverRow.state).in_(("looking", "waiting", "gone")))
    )
    found = [Part(*row) for query in (seats, places) for row in session.exec(query)]
    return sorted(found, key=lambda one: (-one.game, one.seat))


def merge_people(session: Session, kept: int, other: int) -> None:
    """Give all that *other* has and is to the person *kept*; there is no *other* afterwards."""
    into, gone = session.get_one(PersonRow, kept), session.get_one(PersonRow, other)
    for address in session.exec(select(AddressRow).where(AddressRow.person_id == other)):
        address.person_id, address.registered = kept, False
        session.add(address)
    for kind in (SeatRow, ObserverRow):
        for place in session.exec(select(kind).where(kind.person_id == other)):
            place.person_id = kept
            session.add(place)
    into.on_time, into.late, into.missed = into.on_time + gone.on_time, into.late + gone.late, into.missed + gone.missed
    into.blocked = into.blocked or gone.blocked
    session.add(into)
    session.flush()
    session.delete(gone)
    session.flush()


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
