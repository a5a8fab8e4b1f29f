"""
Fairness after an outage: what could not be read or sent for a while moves the clocks by as much.

**Reading.** The outage lies between two fetches that came to their end. Where it began is noted before the second, so
that a pass that dies after it leaves the rest to the next. A gap counts if it is long for this mailbox: a game master
who reads it once a day must not have every night counted.

**Sending.** A clock runs from the moment when its decision is put; it is moved when the mail that asks goes out late.
Time in which the person wants no mail (`pbem/quiet.py`) is not counted.
Moving a clock moves its beginning too, so time that was given for one reason is not given again for the other.
Days on which a clock rests anyhow are not lost, and so not given back.
"""

from datetime import datetime, timedelta
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.clock import Clock, format_moment, parse_clock
from pbem.quiet import next_hour, quiet_within
from pbem.service import Service
from pbem.store import games, letters, outbox, people
from pbem.store.base import Session
from pbem.store.games import Act, Game, Holder
from pbem.store.letters import Mailbox
from pbem.store.outbox import Posted

LEAST = timedelta(hours=1)
"""A shorter outage moves nothing."""
TIMES = 4
"""An outage is longer than so many of the gaps that are usual."""
UNKNOWN = timedelta(hours=6)
"""An outage is longer than this where no gap is known yet, and no fetch failed."""
SHARE = 4
"""Gaps are usual if they and longer ones take up this part of the last week."""

_WEEK = timedelta(days=7)
_DAY = timedelta(days=1)
_FINDING = "reading"

Why = Literal["reading", "sending"]


def move_clock(clock: Clock, holder: Holder, by: timedelta) -> Holder:
    """
    Return *holder* with its clock, if one runs, put off by *by*; its beginning too, so that no bank pays for it.

    Units:  `by` is time as *clock* counts it
    """
    if holder.deadline is None or holder.put_at is None or not by:
        return holder
    return replace(holder, deadline=clock.after(holder.deadline, by), put_at=clock.after(holder.put_at, by))


class Reading(Struct, frozen=True, omit_defaults=True):
    """
    How regularly the mailbox is read.

    `first`      the first fetch that came to its end
    `gaps`       end and length of each gap of an hour or more, in the last week
    `since`      the last good fetch before the gap that is open; `pace` the span between the two before it
    `failed_at`  the first fetch in that gap that failed

    Units:  lengths and `pace` in seconds
    """

    first: datetime
    gaps: tuple[tuple[datetime, int], ...] = ()
    since: datetime | None = None
    pace: int = 0
    failed_at: datetime | None = None


def watch_reading(service: Service, now: datetime, *, tried: bool = False) -> None:
    """Note a gap in reading that has begun; move the clocks for one that is over. *tried*: a fetch began at *now*."""
    with service.store.read() as session:
        mailbox = letters.get_mailbox(session, service.mailbox_name)
        known = people.get_finding(session, _FINDING)
    if mailbox is None or mailbox.good_at is None:
        return
    before = msgspec.json.decode(known, type=Reading) if known else Reading(mailbox.good_at)
    after = _opened(_closed(before, mailbox.good_at), mailbox, mailbox.good_at, now, tried=tried)
    if known and after == before:
        return
    with service.store.write() as session:
        begun = outage_before(before, mailbox.good_at)
        if begun is not None:
            _move_all(session, begun, mailbox.good_at, now)
            _tell_gm(session, before, begun, mailbox.good_at, now)
            letters.save_mailbox(session, replace(mailbox, gap_end=mailbox.good_at))
        people.set_finding(session, _FINDING, msgspec.json.encode(after).decode(), now)


def _closed(reading: Reading, good_at: datetime) -> Reading:
    """Return *reading* after the fetch of *good_at*: an open gap is over, and remembered for a week if it was long."""
    if reading.since is None or good_at <= reading.since:
        return reading
    gaps = tuple(one for one in reading.gaps if one[0] > good_at - _WEEK)
    length = good_at - reading.since
    long = ((good_at, int(length.total_seconds())),) if length >= LEAST else ()
    return Reading(reading.first, gaps + long)


def _opened(reading: Reading, mailbox: Mailbox, good_at: datetime, now: datetime, *, tried: bool) -> Reading:
    """Return *reading* with a gap open if the last fetch is long ago, or was not the one that was *tried* now."""
    failed = tried and good_at < now
    if reading.since is None and (failed or now - good_at >= LEAST):
        reading = replace(reading, since=good_at, pace=mailbox.pace)
    return replace(reading, failed_at=now) if failed and reading.failed_at is None else reading


def outage_before(reading: Reading, good_at: datetime) -> datetime | None:
    """Return when the outage began that the fetch of *good_at* ended, or None if there was none."""
    if reading.since is None or good_at <= reading.since:
        return None
    pace = timedelta(seconds=reading.pace)
    usual = max(pace, _usual(reading, reading.since))
    limit = max(LEAST, TIMES * usual) if usual or reading.failed_at else UNKNOWN
    if good_at - reading.since > limit:
        return reading.since
    if reading.failed_at is not None and good_at - reading.failed_at > max(LEAST, TIMES * pace):
        return reading.failed_at
    return None


def _usual(reading: Reading, since: datetime) -> timedelta:
    """Return the length of long gaps that are usual, zero if none are; the first day counts as a whole one."""
    begin = max(reading.first, since - _WEEK)
    left = max(since - begin, _DAY) / SHARE
    for length in sorted((length for end, length in reading.gaps if end > begin), reverse=True):
        left -= timedelta(seconds=length)
        if left <= timedelta():
            return timedelta(seconds=length)
    return timedelta()


def _move_all(session: Session, begun: datetime, ended: datetime, now: datetime) -> None:
    """Move every running clock by the part of the outage that lies after its own beginning, and tell it."""
    for game in games.list_games(session, "running"):
        spans: dict[Seat, int] = {}
        for holder in games.get_holders(session, game.id):
            moved, by = _moved(holder, game, begun, ended)
            if moved != holder:
                games.save_holder(session, moved)
            if by:
                spans[moved.seat] = int(by.total_seconds())
        if spans:
            _tell_all(session, game, spans, now)
            fields = {"why": "reading", "begun": format_moment(begun), "ended": format_moment(ended), "by": spans}
            games.add_act(session, Act("service", "clock", fields, now, game.id))


def _tell_gm(session: Session, reading: Reading, begun: datetime, ended: datetime, now: datetime) -> None:
    """Tell the game master of an outage while games went on; what a pass that ran could not read, it tried to."""
    if games.list_games(session, *games.GOING_ON):
        tried = reading.failed_at is not None
        fields = {"begun": format_moment(begun), "ended": format_moment(ended), "tried": tried}
        outbox.add_notice(session, None, GM, "alert.outage", fields, now, urgent=True)


def _moved(holder: Holder, game: Game, begun: datetime, ended: datetime) -> tuple[Holder, timedelta]:
    """Return *holder* after the outage, and by how much its clock was moved; a hold that had not ended moves too."""
    clock, by = parse_clock(game.clock), timedelta()
    if holder.held_until is not None and holder.held_until > begun:
        lost = ended - max(begun, holder.held_until - game.hold)
        holder = replace(holder, held_until=holder.held_until + max(timedelta(), lost))
    if holder.deadline is not None and holder.put_at is not None:
        by = max(timedelta(), clock.between(max(holder.begins(begun), holder.put_at), ended))
    return move_clock(clock, holder, by), by


def _tell_all(session: Session, game: Game, spans: dict[Seat, int], now: datetime) -> None:
    """Tell who is owed of his new deadline, at once, and the others with their next mail that clocks were moved."""
    for holder in games.get_holders(session, game.id):
        if not holder.bot:
            _tell(session, holder, spans.get(holder.seat, 0), max(spans.values()), "reading", now)


def _tell(session: Session, holder: Holder, own: int, most: int, why: Why, now: datetime) -> None:
    deadline = format_moment(holder.deadline) if own else ""
    fields = {"by": own or most, "deadline": deadline, "why": why}
    urgent = bool(own) and why == "reading"
    outbox.add_notice(session, holder.game, holder.seat, "clock.moved", fields, now, urgent=urgent)


def mail_went_out(session: Session, mail: Posted, now: datetime) -> None:
    """Move the clock of the decision that *mail* asks if it went out late, and tell it with the next mail."""
    question = outbox.question_of(session, mail.id)
    if question is None or mail.game is None:
        return
    holder = games.get_holders(session, mail.game)[mail.seat]
    game = games.get_game(session, mail.game)
    if game.status != "running" or holder.number != question.number or holder.deadline is None or holder.put_at is None:
        return
    begun = max(holder.put_at, question.at)
    clock = parse_clock(game.clock)
    by = clock.between(begun, now) - _slept(session, clock, holder, begun, now)
    if by <= timedelta() or (by < LEAST and now < holder.deadline):
        return
    moved = move_clock(clock, holder, by)
    games.save_holder(session, moved)
    seconds = int(by.total_seconds())
    _tell(session, moved, seconds, seconds, "sending", now)
    fields = {"why": "sending", "mail": mail.id, "by": {mail.seat: seconds}}
    games.add_act(session, Act("service", "clock", fields, now, mail.game))


def _slept(session: Session, clock: Clock, holder: Holder, begun: datetime, ended: datetime) -> timedelta:
    """Return how much of that time, as *clock* counts, the person wanted no mail, which moves no deadline."""
    if holder.person is None:
        return timedelta()
    person = people.get_person(session, holder.person)
    daily = min(ended, next_hour(person.daily, person.zone, begun)) if person.daily else begun
    stretches = clock.rest.stretches(daily, ended)
    quiet = (quiet_within(person.quiet, person.zone, since, until) for since, until in stretches)
    return sum(quiet, clock.between(begun, daily))


def is_unasked(session: Session, holder: Holder) -> bool:
    """Return whether the mail that asks *holder* for what it owes has not gone out, and still may."""
    asked = outbox.last_asked(session, holder.game, holder.seat)
    return asked is not None and asked.number == holder.number and asked.status in ("", "ready")
