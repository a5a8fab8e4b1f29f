"""`away 10 days` and `back`: the clock of the own seat stands still for a while, so much in one game at most."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from pbem.advance import advance, ended, store_all, tell_all
from pbem.clock import format_moment
from pbem.desk.dates import read_until
from pbem.desk.values import Desk, Request, Served
from pbem.live import Live
from pbem.outage import move_clock
from pbem.store.games import Holder


def away(desk: Desk, live: Live, request: Request) -> Served:
    """Let the own clock stand still until a day, or for so long; all are told. Decisions of others go on."""
    if ended(live.game):
        return desk.refuse(live, "letter.over")
    most = desk.service.settings.play.away
    if not most:
        return desk.refuse(live, "away.never")
    holder = desk.holder(live)
    until = read_until(request.rest, desk.now, desk.person.zone, desk.service.own_templates)
    if until is None:
        return desk.refuse(live, "away.how", left=_seconds(most - holder.away_used))
    moved = _moved(live, holder, until, desk.now)
    if moved.away_used > most:
        longest = most - holder.away_used + (holder.begins(desk.now) - desk.now)
        return desk.refuse(live, "away.long", longest=_seconds(longest), most=_seconds(most))
    live = _stored(desk, live, moved)
    fields = {"seat": desk.seat, "until": format_moment(until), "left": _seconds(most - moved.away_used)}
    tell_all(desk.session, live, "seat.away", fields, desk.now)
    return Served(live)


def back(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Let the own clock run again at once; what was left of the absence may be used later."""
    holder = desk.holder(live)
    if ended(live.game) or holder.away_until is None or holder.away_until <= desk.now:
        return desk.refuse(live, "away.none")
    live = _stored(desk, live, _moved(live, holder, None, desk.now))
    tell_all(desk.session, live, "seat.back", {"seat": desk.seat}, desk.now)
    return Served(live)


def _moved(live: Live, holder: Holder, until: datetime | None, now: datetime) -> Holder:
    """
    Return *holder* away *until* then, None: not at all; its clock is put off by what that adds.

    Days of rest in between put nothing off: the clock stands still on them anyhow. As absence they count like others.
    In a paused game all clocks stand from the beginning of the pause on, so that the absence counts from there.
    """
    after = replace(holder, away_until=until)
    since = live.game.paused_at or now
    moved = move_clock(live.clock, after, live.clock.between(holder.begins(since), after.begins(since)))
    return replace(moved, away_used=holder.away_used + after.begins(now) - holder.begins(now), reminded=0)


def _stored(desk: Desk, live: Live, moved: Holder) -> Live:
    live = live.with_holder(moved)
    if live.running:
        return advance(desk.session, live, desk.now)
    store_all(desk.session, live)
    return live


def _seconds(span: timedelta) -> int:
    return max(0, int(span.total_seconds()))
