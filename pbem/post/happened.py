"""
What happened, as sentences: the events of the log in their order, those of one player in a row in one sentence.

A macro of an event begins with `who(seat)`, which says nothing where the event before had the same subject; so a new
sentence begins where the subject changes, and where an event has none. A cause is told of what somebody did, not of
what comes of itself.
"""

from collections.abc import Iterator, Sequence

from engine.core.types import Event, fields
from pbem.post.facts import Happened
from pbem.post.words import Voice

_NOTED = ("default", "forced", "gm")


def tell_happened(voice: Voice, happened: Sequence[Happened]) -> list[str]:
    """Return one sentence for each stretch of events with one subject; without its full stop."""
    sentences: list[list[str]] = []
    before = ""
    voice.begin()
    for events, count, cause in _together(voice, happened):
        lead = voice.begin_clause()
        event = events[0]
        several = len(events) > 1
        text = voice.say_all(event.key, [one.fields for one in events]) if several else ""
        text = text or voice.say_times(event.key, event.fields, count)
        if not text:
            continue
        is_new = not sentences or not voice.named or voice.lead != lead
        if not voice.named:
            voice.begin()
        if sentences and before in _NOTED and (is_new or cause != before):
            sentences[-1][-1] += voice.phrase(f"cause_{before}")
        if is_new:
            sentences.append([])
        sentences[-1].append(text)
        before = cause if voice.named else ""
    if sentences and before in _NOTED:
        sentences[-1][-1] += voice.phrase(f"cause_{before}")
    return [voice.glue("; ", clauses) for clauses in sentences]


def _together(voice: Voice, happened: Sequence[Happened]) -> Iterator[tuple[tuple[Event, ...], int, str]]:
    """Yield events that are told in one sentence, how often the last of them came in a row, and their cause."""
    waiting: list[Event] = []
    since = ""
    for event, count, cause in _counted(happened):
        goes_on = waiting and (event.key, cause) == (waiting[-1].key, since)
        if waiting and not goes_on:
            yield tuple(waiting), 1, since
            waiting = []
        if count == 1 and voice.has_all(event.key):
            waiting.append(event)
            since = cause
        else:
            yield (event,), count, cause
    if waiting:
        yield tuple(waiting), 1, since


def _counted(happened: Sequence[Happened]) -> Iterator[tuple[Event, int, str]]:
    """Yield each event, how often it came in a row, and its cause."""
    last: tuple[Event, str] | None = None
    count = 0
    for entry in happened:
        for event in entry.events or _unsaid(entry):
            if last == (event, entry.cause):
                count += 1
                continue
            if last:
                yield last[0], count, last[1]
            last, count = (event, entry.cause), 1
    if last:
        yield last[0], count, last[1]


def _unsaid(entry: Happened) -> tuple[Event, ...]:
    """Return an event for a move that has none of its own, if a person made it and the reader may know it."""
    return (Event("played", fields(seat=entry.seat, text=entry.text)),) if entry.text and entry.seat >= 0 else ()
