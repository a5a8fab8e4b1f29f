"""What happened before, round by round, as far as one seat may know it: the answer to `history`."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engine.core.log import may_read
from engine.core.types import Event, Seat
from pbem.knowable import visible
from pbem.live import Live, records_of
from pbem.post.facts import Happened, Past, Round
from pbem.store import games
from pbem.store.base import Session

MOST_ENTRIES = 300
"""Entries that one mail tells at most, the newest."""

LOOSE_ENTRIES = 30
"""Entries that are told of a title in which nothing says that a round begins."""


def past_of(session: Session, live: Live, seat: Seat, rounds: int) -> Past:
    """Return the last *rounds* of the game, the one that runs among them, as *seat* may know them."""
    known = _known(session, live, seat)
    if not any(key.endswith(".round") for key in live.ruleset.vocabulary.news):
        return Past((Round(0, known[-LOOSE_ENTRIES:]),))
    wanted = list(_rounds(known))[-rounds:]
    told, left = [], MOST_ENTRIES
    for one in reversed(wanted):
        told.append(replace(one, happened=one.happened[-left:] if left else ()))
        left -= len(told[-1].happened)
    cut = any(len(one.happened) < len(whole.happened) for one, whole in zip(told, reversed(wanted), strict=True))
    return Past(tuple(one for one in reversed(told) if one.happened), cut=cut)


def _known(session: Session, live: Live, seat: Seat) -> tuple[Happened, ...]:
    """Return the log: of each entry the events that *seat* may know, and its text where these are all."""
    causes = {one.entry.seq: one.cause for one in games.read_log(session, live.game.id)}
    found = []
    for record in records_of(session, live):
        events = visible(record.events, seat)
        text = record.entry.text if may_read(record, seat) else ""
        found.append(Happened(record.entry.seq, record.entry.seat, text, causes[record.entry.seq], events))
    return tuple(found)


def _rounds(known: Sequence[Happened]) -> Iterator[Round]:
    """Yield the rounds of *known*; each begins with the event that says so, also within an entry."""
    number, happened = 0, list[Happened]()
    for one in known:
        at = next((at for at, event in enumerate(one.events) if event.key.endswith(".round")), None)
        if at is None:
            happened.append(one)
            continue
        happened += [replace(one, events=one.events[:at])] if at else []
        if happened:
            yield Round(number, tuple(happened))
        number, happened = _number(one.events[at]), [replace(one, events=one.events[at:])]
    if happened:
        yield Round(number, tuple(happened))


def _number(event: Event) -> int:
    return int(str(dict(event.fields).get("round", 0)))
