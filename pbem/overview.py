"""
All games and the post at one look, as plain values: what the game master should see first stands first.

Nothing here reads a position: whose answer is missing is told by the clocks, so nothing secret can be in it, and thirty
games are read as fast as one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Seat
from pbem.backlog import resting_until
from pbem.clock import format_moment
from pbem.lobby import NOBODY
from pbem.passes import Passes, read_passes
from pbem.service import Service
from pbem.store import letters, standing
from pbem.store.base import Session
from pbem.store.games import ENDED, GOING_ON
from pbem.store.standing import Held, Listed, Seated, Unsent

PARTS = ("fetch", "judge", "time", "send")
WITHIN = timedelta(hours=1)
"""A whole pass should come to its end at least so often."""
WEEK = timedelta(days=7)
"""Mails that came back or were given up before are told no more."""
LATE = timedelta(hours=1)
"""A deadline is over for so long before it is a problem: a pass plays what is due, if nothing hinders it."""

ASKED = ("tag.missing",)
"""Why letters are held that wait for their sender, and not for the game master."""

_STUCK = timedelta(minutes=15)
"""A pass that began so long ago should have come to its end."""

_CHECKED = ("pass.none", "pass.old", "mailbox", "smtp", "held")
"""What a monitor should ring for: it needs the game master now, and does not go away by itself."""

Plan = Literal["none", "part"]


class Waited(Struct, frozen=True):
    """
    Who is waited for, since when, and until when.

    `plan`  how much of the answer is there: "part" where lines are planned that do not answer all
    """

    seat: Seat
    name: str
    since: datetime | None
    deadline: datetime | None
    plan: Plan
    away_until: datetime | None = None


class Line(Struct, frozen=True):
    """One game: `waits` has the most urgent first; `held` counts its letters that are held, `free` seats to be had."""

    game: Listed
    waits: tuple[Waited, ...]
    held: int
    free: int = 0

    @property
    def deadline(self) -> datetime | None:
        """Return the next deadline of a running game."""
        return self.waits[0].deadline if self.waits and self.game.status == "running" else None


class Problem(Struct, frozen=True):
    """Something that the game master should look at; its sentence stands in the words of the command line."""

    key: str
    fields: dict[str, Any] = {}

    @property
    def is_checked(self) -> bool:
        """Return whether a monitor should ring for it."""
        return self.key in _CHECKED


class Overview(Struct, frozen=True):
    """
    Everything at one look.

    `ready`, `new`   mails that wait to be sent and letters that wait to be judged: how many, and since when the oldest
    `unsent`         mails of the last week that were given up; `bounces` those that came back, by domain
    Units:           `size` in bytes
    """

    now: datetime
    problems: tuple[Problem, ...]
    games: tuple[Line, ...]
    passes: Passes | None
    ready: tuple[int, datetime | None]
    unsent: tuple[Unsent, ...]
    bounces: tuple[tuple[str, int], ...]
    new: tuple[int, datetime | None]
    held: tuple[Held, ...]
    read_at: datetime | None
    sent_at: datetime | None
    size: int


def look_over(service: Service, session: Session, now: datetime, within: timedelta = WITHIN) -> Overview:
    """Return what stands *now*; a whole pass should have come to its end *within* that time."""
    seats = standing.listed_seats(session, GOING_ON)
    held = tuple(standing.held_letters(session))
    lines = tuple(sorted((_line(one, seats, held) for one in standing.listed_games(session, GOING_ON)), key=_urgency))
    unsent = standing.unsent_mails(session, now - WEEK)
    back = Counter(one.recipient.rpartition("@")[2].lower() for one in unsent if one.came_back)
    mailbox = letters.get_mailbox(session, service.mailbox_name)
    seen = Overview(
        now=now,
        problems=(),
        games=lines,
        passes=read_passes(session),
        ready=standing.waiting_mails(session),
        unsent=tuple(one for one in unsent if not one.came_back),
        bounces=tuple(sorted(back.items(), key=lambda one: (-one[1], one[0]))),
        new=standing.new_letters(session),
        held=held,
        read_at=None if mailbox is None else mailbox.good_at,
        sent_at=standing.last_sent(session),
        size=standing.store_size(service.store, session),
    )
    problems = (
        *_of_passes(seen.passes, now, within),
        *_of_post(seen, resting_until(session, now)),
        *_of_games(seen, seats),
    )
    return replace(seen, problems=problems)


def ended_games(session: Session) -> list[Listed]:
    """Return the games that are over, newest first."""
    return standing.listed_games(session, ENDED)[::-1]


def _line(game: Listed, seats: Sequence[Seated], held: Sequence[Held]) -> Line:
    own = [one for one in seats if one.game == game.game]
    waits = _invited(game, own) if game.status == "open" else _owing(own)
    free = sum(one.bot == NOBODY for one in own) if game.status == "open" else 0
    return Line(game, tuple(sorted(waits, key=_by_time)), sum(one.game == game.game for one in held), free)


def _invited(game: Listed, seats: Sequence[Seated]) -> Iterator[Waited]:
    for one in seats:
        if not one.accepted and not one.bot:
            yield Waited(one.seat, one.name, game.created_at, None, "none")


def _owing(seats: Sequence[Seated]) -> Iterator[Waited]:
    """Yield the persons whose answer is missing: their clock runs, which it does not where all is planned."""
    for one in seats:
        if one.number >= 0 and not one.bot and one.deadline is not None:
            plan: Plan = "part" if one.planned else "none"
            yield Waited(one.seat, one.name, one.put_at, one.deadline, plan, one.away_until)


def _by_time(one: Waited) -> tuple[bool, float, int]:
    moment = one.deadline or one.since
    return moment is None, 0 if moment is None else moment.timestamp(), one.seat


_RANKS = {"running": 0, "paused": 2, "open": 3}


def _urgency(line: Line) -> tuple[int, float, int]:
    """Return what games are sorted by: the next deadline first, then those without one, paused, open."""
    deadline = line.deadline
    rank = _RANKS.get(line.game.status, len(_RANKS) + 1)
    return rank or deadline is None, 0 if deadline is None else deadline.timestamp(), line.game.game


def _of_passes(passes: Passes | None, now: datetime, within: timedelta) -> Iterator[Problem]:
    """Yield what is wrong with passes, and with the servers that the last one spoke to."""
    whole = None if passes is None else passes.whole_at(PARTS)
    if passes is None or whole is None:
        yield Problem("pass.none")
    elif now - whole > within:
        yield Problem("pass.old", {"seconds": _seconds(now - whole), "at": format_moment(whole)})
    if passes is None:
        return
    if passes.begun > (passes.ended or passes.begun - _STUCK) and now - passes.begun > _STUCK:
        yield Problem("pass.stuck", {"seconds": _seconds(now - passes.begun), "at": format_moment(passes.begun)})
    for part, key in (("fetch", "mailbox"), ("send", "smtp")):
        done = passes.parts.get(part)
        if done is not None and done.since is not None:
            since = {"seconds": _seconds(now - done.since), "at": format_moment(done.since)}
            yield Problem(key, {**since, "error": done.trouble})


def _of_post(seen: Overview, resting: datetime | None) -> Iterator[Problem]:
    """Yield what is wrong with letters and mails."""
    kept = [one for one in seen.held if one.reason not in ASKED]
    if kept:
        fields = {"count": len(kept), "letters": [one.letter for one in kept], "reason": kept[-1].reason}
        yield Problem("held", fields)
    if resting is not None:
        yield Problem("resting", {"seconds": _seconds(resting - seen.now), "at": format_moment(resting)})
    if seen.unsent:
        last = seen.unsent[-1]
        yield Problem("unsent", {"count": len(seen.unsent), "mail": last.mail, "error": last.error})
    count, oldest = seen.new
    if oldest is not None and seen.now - oldest > LATE:
        yield Problem("unjudged", {"count": count, "seconds": _seconds(seen.now - oldest)})


def _of_games(seen: Overview, seats: Sequence[Seated]) -> Iterator[Problem]:
    """Yield what is wrong with games: deadlines that are over, who cannot be reached, seats that nobody holds."""
    for line in seen.games:
        for one in line.waits if line.game.status == "running" else ():
            if one.deadline is not None and seen.now - one.deadline > LATE:
                late = {"seconds": _seconds(seen.now - one.deadline), "at": format_moment(one.deadline)}
                yield Problem("deadline", {"game": line.game.game, "seat": one.seat, "name": one.name, **late})
    status = {line.game.game: line.game.status for line in seen.games}
    for seat in seats:
        if seat.unreachable:
            yield Problem("unreachable", {"game": seat.game, "seat": seat.seat, "name": seat.name})
        if seat.bot == NOBODY and status[seat.game] != "open":
            yield Problem("nobody", {"game": seat.game, "seat": seat.seat})


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())


def as_values(seen: Overview, ended: Sequence[Listed] = ()) -> dict[str, Any]:
    """Return *seen* as plain values, with the games that have *ended* after those that go on."""
    passes = seen.passes
    parts = {} if passes is None else passes.parts
    return {
        "at": format_moment(seen.now),
        "problems": [{"key": one.key, "fields": one.fields} for one in seen.problems],
        "games": [*map(_game_values, seen.games), *(_game_values(Line(one, (), 0)) for one in ended)],
        "pass": None
        if passes is None
        else {
            "begun": format_moment(passes.begun),
            "first": format_moment(passes.first),
            "ended": format_moment(passes.ended),
            "counts": passes.counts,
            "troubles": {name: one.trouble for name, one in parts.items() if one.trouble},
        },
        "mailbox": {"read": format_moment(seen.read_at)},
        "outbox": {
            "sent": format_moment(seen.sent_at),
            "ready": seen.ready[0],
            "oldest": format_moment(seen.ready[1]),
            "unsent": [
                {"mail": one.mail, "game": one.game, "seat": one.seat, "status": one.status, "error": one.error}
                for one in seen.unsent
            ],
            "bounces": dict(seen.bounces),
        },
        "letters": {
            "new": seen.new[0],
            "oldest": format_moment(seen.new[1]),
            "held": [{"letter": one.letter, "game": one.game, "reason": one.reason} for one in seen.held],
        },
        "store": {"bytes": seen.size},
    }


def _game_values(line: Line) -> dict[str, Any]:
    return {
        "game": line.game.game,
        "ruleset": line.game.ruleset,
        "status": line.game.status,
        "length": line.game.length,
        "waiting": [
            {
                "seat": one.seat,
                "name": one.name,
                "since": format_moment(one.since),
                "deadline": format_moment(one.deadline),
                "plan": one.plan,
                "away_until": format_moment(one.away_until),
            }
            for one in line.waits
        ],
        "free": line.free,
        "held": line.held,
        "ended": format_moment(line.game.ended_at),
    }
