"""
The game as an album goes through it: positions that differ, and lines that tell how each came about.

While the game runs a spectator's view and the events that everybody may know are all that is used of a position.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.core.log import Record, may_read
from engine.core.types import Seat, Standing
from pbem.post.album.facts import AlbumFacts
from pbem.post.facts import Happened
from pbem.post.happened import tell_happened
from pbem.post.words import Voice


class Line(Struct, frozen=True):
    """
    What one seat did, or chance, in a row.

    `round`   in which it happened, 0 before the first
    `seq`     number of its last entry
    `text`    whole sentences, as HTML
    `hidden`  not everybody knew it at that time
    """

    round: int
    seq: int
    text: str
    hidden: bool


class Step(Struct, frozen=True):
    """A position, after entry `seq` (0: before the first), as a spectator sees it."""

    seq: int
    round: int
    view: Any
    standings: tuple[Standing, ...]


class _Part(Struct, frozen=True):
    """An entry, or of one that begins a round what belongs to that; `begins`: it is told in a line of its own."""

    round: int
    happened: Happened
    hidden: bool
    begins: bool = False


def lines_of(facts: AlbumFacts, voice: Voice) -> list[Line]:
    """Return the log in the words of *voice*, which speaks HTML; what has no words, or may not be told, is left out."""
    lines = []
    for parts in _stretches(list(_parts(facts))):
        last = parts[-1]
        if told := tell_happened(voice, [one.happened for one in parts]):
            text = Markup(". ").join(told) + "."
            lines.append(Line(last.round, last.happened.seq, text, last.hidden))
    return lines


def steps_of(facts: AlbumFacts, told: Sequence[Line]) -> list[Step]:
    """Return the positions that differ for a spectator, and those at which one of the lines *told* ends."""
    ruleset = registry.load(facts.title)
    ends = {one.seq for one in told}
    steps: list[Step] = []
    for position in (facts.start, *(one.position for one in facts.records)):
        view, standings = ruleset.view(position.state, None), ruleset.standings(position.state)
        same = bool(steps) and (view, standings) == (steps[-1].view, steps[-1].standings)
        if not same or position.seq in ends:
            steps.append(Step(position.seq, _round_of(view), view, standings))
    return steps


def _round_of(view: Any) -> int:  # noqa: ANN401 - the view of any title
    """Return the round that *view* shows; 0 where a title counts none."""
    return int(getattr(view, "round", 0))


def _parts(facts: AlbumFacts) -> Iterator[_Part]:
    """Yield the entries; one that begins a round is parted there."""
    ruleset = registry.load(facts.title)
    before = _round_of(ruleset.view(facts.start.state, None))
    for record, cause in zip(facts.records, facts.causes, strict=True):
        after = _round_of(ruleset.view(record.position.state, None))
        happened = _happened(record, cause, all_of_it=facts.over is not None)
        hidden = facts.over is not None and not may_read(record, None)
        told = happened.events
        news = (n for n, event in enumerate(told) if event.key in ruleset.vocabulary.news)
        at = next(news, len(told)) if after != before else len(told)
        if at or not told:
            yield _Part(before, replace(happened, events=told[:at]), hidden)
        if told[at:]:
            yield _Part(after, replace(happened, events=told[at:]), hidden, begins=True)
        before = after


def _happened(record: Record[Any], cause: str, *, all_of_it: bool) -> Happened:
    """Return an entry as it may be told: what everybody may know, or *all of it*."""
    events = tuple(one for one in record.events if all_of_it or one.seats is None)
    text = record.entry.text if all_of_it or may_read(record, None) else ""
    return Happened(record.entry.seq, record.entry.seat, text, cause, events)


def _stretches(parts: Sequence[_Part]) -> Iterator[list[_Part]]:
    """Yield what one seat did in a row, as far as it was as well known; the beginning of a round stands alone."""
    stretch: list[_Part] = []
    for part in parts:
        if stretch and (part.begins or _mark(part) != _mark(stretch[-1]) or stretch[-1].begins):
            yield stretch
            stretch = []
        stretch.append(part)
    if stretch:
        yield stretch


def _mark(part: _Part) -> tuple[int, Seat, bool]:
    return part.round, part.happened.seat, part.hidden
