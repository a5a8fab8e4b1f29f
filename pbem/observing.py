"""People who look on: how they come and go, and what they are told of a game: what everybody may know of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from engine.core.play import Made
from engine.core.types import Seat
from pbem.errors import Refused
from pbem.knowable import entry_facts
from pbem.live import Live
from pbem.store import observers, outbox, people
from pbem.store.base import Session
from pbem.store.games import Holder
from pbem.store.observers import FIRST, MOST, MOST_PLACES, Observer

TOLD_AT_ONCE: Mapping[str, bool] = {
    "game.started": True,
    "game.over": True,
    "game.declined": True,
    "game.finished": True,
    "end.agreed": True,
    "game.paused": False,
    "pause.agreed": False,
    "pause.ended": False,
    "clock.changed": False,
    "game.resumed": False,
    "game.rewound": False,
    "game.amended": False,
    "seat.replaced": False,
}
"""What observers are told besides the events that everybody may know -> whether a mail goes for it."""


def tell_observers(session: Session, live: Live, key: str, fields: dict[str, Any], now: datetime) -> None:
    """Note for all who look on a fact that all players are told, if it is one for everybody."""
    if key not in TOLD_AT_ONCE:
        return
    for one in observers.list_observers(session, live.game.id):
        outbox.add_notice(session, live.game.id, one.seat, key, fields, now, urgent=TOLD_AT_ONCE[key])


def show_entries(session: Session, live: Live, made: Sequence[Made[Any]], now: datetime) -> None:
    """Note for all who look on what everybody may know of the entries *made*; a mail goes when a round has ended."""
    watching = observers.list_observers(session, live.game.id)
    entries = public_entries(made) if watching else []
    news = live.ruleset.vocabulary.news
    urgent = any(event[0] in news for entry in entries for event in entry["events"])
    for one in watching if entries else ():
        outbox.add_notice(session, live.game.id, one.seat, "entries", {"entries": entries}, now, urgent=urgent)


def public_entries(made: Sequence[Made[Any]]) -> list[dict[str, Any]]:
    """Return what everybody may know of *made*, as an `entries` notice tells it."""
    entries = [entry_facts(one, None) for one in made]
    return [one for one in entries if one["events"] or one["text"]]


def add_observer(session: Session, live: Live, name: str, person: int) -> Observer:
    """
    Return the place of *person* among those who look on, who is told the game as it stands.

    Raises: Refused `observer.player`, `observer.known`, `observer.many`.
    """
    game = live.game.id
    if any(one.person == person for one in live.holders):
        raise Refused("observer.player", name=name, game=game)
    known = observers.find_observer(session, game, person)
    if known is not None and known.state == "looking":
        raise Refused("observer.known", name=name, game=game)
    if len(observers.list_observers(session, game)) >= MOST:
        raise Refused("observer.many", game=game, most=MOST)
    one = place_of(session, game, name, person)
    if one is None:
        raise Refused("observer.many", game=game, most=MOST)
    new = replace(one, name=name, state="looking", since=None)
    observers.save_observer(session, new)
    return new


def place_of(session: Session, game: int, name: str, person: int) -> Observer | None:
    """Return the place of *person* beside the seats, else a new one, not stored yet; None: all are taken."""
    known = observers.find_observer(session, game, person)
    count = observers.count_observers(session, game)
    if known is not None or count >= MOST_PLACES:
        return known
    return Observer(game, Seat(FIRST + count), name, person, state="gone")


def part_from(session: Session, former: Holder, key: str, fields: dict[str, Any], now: datetime) -> None:
    """Let the *former* holder of a seat be told in one last mail how it came that he holds it no more."""
    if former.person is None:
        return
    one = place_of(session, former.game, former.name, former.person)
    if one is None:
        return
    remove_observer(session, replace(one, name=former.name))
    outbox.add_notice(session, one.game, one.seat, key, fields, now, urgent=True)


def remove_observer(session: Session, one: Observer) -> None:
    """Let the place of *one* be for nothing more: what he was to be told is forgotten, and his tag counts no more."""
    outbox.forget_untold(session, one.game, one.seat)
    observers.save_observer(session, replace(one, state="gone", epoch=one.epoch + 1))


def find_by_address(session: Session, live: Live, address: str) -> Observer:
    """
    Return who looks on under *address*.

    Raises: Refused `observer.unknown`, with those there are.
    """
    person = people.find_person(session, address)
    found = None if person is None else observers.find_observer(session, live.game.id, person.id)
    if found is None or found.state != "looking":
        names = tuple(one.name for one in observers.list_observers(session, live.game.id))
        raise Refused("observer.unknown", address=address, game=live.game.id, names=names)
    return found
