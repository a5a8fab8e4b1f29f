"""What of an entry of the log a seat may know, and how a notice keeps it."""

from collections.abc import Sequence
from typing import Any

from engine.core.log import may_read
from engine.core.play import Made
from engine.core.types import Event, Seat


def visible(events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
    """Return those of *events* that *seat* may know; None: who only looks on."""
    return tuple(one for one in events if one.seats is None or seat in one.seats)


def entry_facts(made: Made[Any], seat: Seat | None) -> dict[str, Any]:
    """Return an entry as far as *seat* may know it, as a plain value of JSON."""
    entry, events = made.record.entry, visible(made.record.events, seat)
    return {
        "seq": entry.seq,
        "seat": entry.seat,
        "text": entry.text if may_read(made.record, seat) else "",
        "cause": made.cause,
        "events": [[event.key, [list(pair) for pair in event.fields]] for event in events],
    }
