"""
What the letters that wait, and the clocks, would do now: a pass without its post, in a copy of the store.

The copy is thrown away: nothing is entered, told or written in the journal. Letters that still lie in the mailbox are
not in it, and deadlines are looked at as if the mailbox had just been read.
"""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Seat
from pbem.errors import Refused
from pbem.journal import silent
from pbem.live import take_up
from pbem.referee import judge_all
from pbem.report import log_of
from pbem.service import Service
from pbem.store import games, letters, outbox
from pbem.store.base import Session, Store, sqlite_path
from pbem.store.copies import copy_database
from pbem.timekeeper import keep_time


class Judged(Struct, frozen=True):
    """A letter that waits, and what would become of it: its status and the reason, as keys."""

    letter: int
    game: int | None
    seat: Seat | None
    status: str
    reason: str


class Moved(Struct, frozen=True):
    """
    A game that would go on, or in which somebody would be told something.

    `length`   entries that it has now
    `status`   it would have then
    `entered`  what would be entered, as `pbem game log` prints it
    `told`     who would have a mail, by name
    """

    game: int
    ruleset: str
    status: str
    length: int
    entered: tuple[Mapping[str, Any], ...]
    told: tuple[str, ...]


class Preview(Struct, frozen=True):
    """What a pass would do."""

    letters: tuple[Judged, ...]
    games: tuple[Moved, ...]


def preview(service: Service, now: datetime) -> Preview:
    """
    Return what judging the letters that are here, and looking at all clocks, would do *now*.

    Raises: Refused `preview.store` where the store is no file that could be copied; TryLater.
    """
    with _copied(service) as copy, silent():
        with copy.store.read() as session:
            waiting = [one.id for one in letters.list_letters(session, "new")]
            before = {one.id: one.seq for one in games.list_games(session)}
            ready = set(outbox.ready_seats(session))
        _note_reading(copy, now)
        judge_all(copy, now)
        keep_time(copy, now)
        with copy.store.read() as session:
            judged = [letters.get_letter(session, one) for one in waiting]
            told = set(outbox.ready_seats(session)) - ready
            moved = tuple(_moved(session, before, told))
    found = (Judged(one.id, one.game, one.seat, one.status, one.reason) for one in judged if one is not None)
    return Preview(tuple(found), moved)


@contextmanager
def _copied(service: Service) -> Iterator[Service]:
    """Give the service with a copy of its store."""
    file = sqlite_path(service.store.url)
    if file is None:
        raise Refused("preview.store", scheme=service.store.url.partition(":")[0])
    with tempfile.TemporaryDirectory(prefix="pbem-") as folder:
        place = Path(folder) / file.name
        copy_database(file, place)
        store = Store(f"sqlite:///{place}")
        try:
            yield replace(service, store=store)
        finally:
            store.close()


def _note_reading(copy: Service, now: datetime) -> None:
    """Let the mailbox count as read *now*, so that no deadline waits for that."""
    with copy.store.write() as session:
        mailbox = letters.get_mailbox(session, copy.mailbox_name)
        if mailbox is not None:
            letters.save_mailbox(session, replace(mailbox, good_at=now))


def _moved(session: Session, before: Mapping[int, int], told: set[tuple[int | None, Seat]]) -> Iterator[Moved]:
    """Yield what is new in each game since it had as many entries as *before* says."""
    for game in games.list_games(session):
        names = tuple(one.name for one in games.get_holders(session, game.id) if (game.id, one.seat) in told)
        length = before.get(game.id, 0)
        if game.seq == length and not names:
            continue
        entered = log_of(session, take_up(session, game.id), reveal=False)[length:]
        yield Moved(game.id, game.ruleset, game.status, length, tuple(entered), names)
