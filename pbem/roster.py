"""
One record for each person over all games: who it is, where he plays, how reliably he answers, whether he is shut out.

Each change is an act on record; the acts of a person stand with him.
"""

from datetime import datetime
from typing import Any

from msgspec import Struct

from pbem.clock import format_moment
from pbem.errors import Misuse, Refused
from pbem.mail.addresses import is_address
from pbem.store import games, people
from pbem.store.base import Session
from pbem.store.games import ENDED, Act
from pbem.store.observers import is_observer
from pbem.store.people import Part, Person, fold

_ACT = "person."


class Change(Struct, frozen=True):
    """
    What the game master changes of a person; "" and None stay as they are.

    `quiet`                  hours as they are stored, "" for none
    `add` `prefer` `drop`    an address of his: a further one, the one that mails go to, one that is his no more
    """

    name: str = ""
    language: str = ""
    zone: str = ""
    quiet: str | None = None
    add: str = ""
    prefer: str = ""
    drop: str = ""


def find(session: Session, who: str) -> Person:
    """
    Return the person with that number or address.

    Raises: Refused `person.unknown`.
    """
    if who.isascii() and who.isdigit():
        found = [one for one in people.list_people(session) if one.id == int(who)]
        person = next(iter(found), None)
    else:
        person = people.find_person(session, who)
    if person is None:
        raise Refused("person.unknown", who=who)
    return person


def change(session: Session, person: Person, wanted: Change, now: datetime) -> Person:
    """
    Return *person* after the change: addresses are added, then one preferred, then one dropped.

    Raises: Misuse `change.nothing`, `address.form`; Refused `address.taken`, `address.foreign`, `address.preferred`.
    """
    fields = {name: value for name, value in _wished(wanted).items() if value not in ("", None)}
    if wanted.quiet == "":
        fields["quiet"] = ""
    if not fields:
        raise Misuse("change.nothing")
    people.change_person(
        session,
        person.id,
        name=" ".join(wanted.name.split()),
        language=wanted.language,
        zone=wanted.zone,
        quiet=wanted.quiet,
    )
    if wanted.add:
        _add(session, person, wanted.add)
    if wanted.prefer:
        _want_own(session, person, wanted.prefer)
        people.prefer_address(session, person.id, wanted.prefer)
    if wanted.drop:
        _want_own(session, person, wanted.drop)
        _drop(session, person, wanted.drop)
    _note(session, person, "change", fields, now)
    return people.get_person(session, person.id)


def _wished(wanted: Change) -> dict[str, Any]:
    return {name: getattr(wanted, name) for name in wanted.__struct_fields__}


def _add(session: Session, person: Person, address: str) -> None:
    if not is_address(address.strip()):
        raise Misuse("address.form", text=address)
    owner = people.find_person(session, address)
    if owner is not None and owner.id != person.id:
        raise Refused("address.taken", address=address, number=owner.id, name=owner.name)
    people.add_alias(session, person.id, address)


def _want_own(session: Session, person: Person, address: str) -> None:
    own = people.addresses_of(session, person.id)
    if fold(address) not in map(fold, own):
        raise Refused("address.foreign", address=address, name=person.name, own=tuple(own))


def _drop(session: Session, person: Person, address: str) -> None:
    if fold(people.addresses_of(session, person.id)[0]) == fold(address):
        raise Refused("address.preferred", address=address, name=person.name)
    people.drop_address(session, address)


def block(session: Session, person: Person, reason: str, now: datetime, who: str = "gm") -> Person:
    """
    Return *person* shut out: his letters are dropped unread, and he takes no seat. Seats that he has stay his.

    Raises: Refused `person.blocked-already`.
    """
    if person.blocked:
        raise Refused("person.blocked-already", name=person.name)
    _note(session, person, "block", {"reason": reason}, now, who)
    return people.block_person(session, person.id, blocked=True)


def unblock(session: Session, person: Person, reason: str, now: datetime, who: str = "gm") -> Person:
    """
    Return *person* let in again.

    Raises: Refused `person.not-blocked`.
    """
    if not person.blocked:
        raise Refused("person.not-blocked", name=person.name)
    _note(session, person, "unblock", {"reason": reason}, now, who)
    return people.block_person(session, person.id, blocked=False)


def merge(session: Session, person: Person, other: Person, now: datetime) -> Person:
    """
    Return *person* with all that *other* had: addresses, seats, counts; his own name, habits and address stay.

    Raises: Refused `merge.same`, `merge.game` where both have a part in one game.
    """
    if person.id == other.id:
        raise Refused("merge.same", name=person.name)
    common = _present(session, person) & _present(session, other)
    if common:
        raise Refused("merge.game", game=min(common), name=person.name, other=other.name)
    _note(session, person, "merge", {"other": other.id, "name": other.name, "address": other.address}, now)
    people.merge_people(session, person.id, other.id)
    return people.get_person(session, person.id)


def _present(session: Session, person: Person) -> set[int]:
    return {one.game for one in people.parts_of(session, person.id) if not one.gone}


def _note(session: Session, person: Person, what: str, fields: dict[str, Any], now: datetime, who: str = "gm") -> None:
    games.add_act(session, Act(who, _ACT + what, {"person": person.id, **fields}, now))


def acts_of(session: Session, person: Person) -> list[Act]:
    """Return what is on record of *person*, and of those that were found to be the same."""
    acts = [one for one in games.list_acts(session) if one.what.startswith(_ACT)]
    numbers = {person.id}
    for one in reversed(acts):
        if one.what == f"{_ACT}merge" and one.fields["person"] in numbers:
            numbers.add(one.fields["other"])
    return [one for one in acts if one.fields["person"] in numbers]


def held_seats(session: Session, person: Person) -> list[Part]:
    """Return the seats of *person* in games that go on, for the game master to give to others."""
    return [one for one in people.parts_of(session, person.id) if one.status not in ENDED and not is_observer(one.seat)]


def list_values(session: Session) -> list[dict[str, Any]]:
    """Return everybody as plain values."""
    return [
        {**_values(one), "address": one.address, "playing": len(held_seats(session, one))}
        for one in people.list_people(session)
    ]


def show_values(session: Session, person: Person) -> dict[str, Any]:
    """Return all that is known of *person* as plain values; the first address is the one that mails go to."""
    return {
        **_values(person),
        "addresses": people.addresses_of(session, person.id),
        "quiet": person.quiet,
        "plain": person.plain,
        "games": [_part_values(one) for one in people.parts_of(session, person.id)],
        "acts": [
            {
                "at": format_moment(one.at),
                "who": one.who,
                "what": one.what.removeprefix(_ACT),
                "fields": {name: value for name, value in one.fields.items() if name != "person"},
            }
            for one in acts_of(session, person)
        ],
    }


def _values(person: Person) -> dict[str, Any]:
    return {
        "person": person.id,
        "name": person.name,
        "language": person.language,
        "zone": person.zone,
        "on_time": person.on_time,
        "late": person.late,
        "missed": person.missed,
        "blocked": person.blocked,
    }


def _part_values(part: Part) -> dict[str, Any]:
    watches = is_observer(part.seat)
    return {
        "game": part.game,
        "ruleset": part.ruleset,
        "status": part.status,
        "seat": None if watches else part.seat,
        "name": part.name,
        "left": part.gone,
    }
