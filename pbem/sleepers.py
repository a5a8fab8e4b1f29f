"""
Who sleeps: quiet hours of persons, the one hour of the day that some choose, and what is mailed all the same.

In his quiet hours nothing is mailed to a person but the answer to a letter that he has just sent, and the last call:
what waits for him from the moment of his last reminder, if the deadline lies before the end of the quiet
hours. Everything else waits unwritten, so that one mail tells it all when they end. No deadline moves for it. Where we
run so seldom that the hours in between were missed, what has waited too long goes with the next pass.

Who wants mail once a day sleeps until that hour, by the same rules: what was noted since the hour of yesterday goes
with the first pass after it. News of several games then becomes one mail (`pbem/digest.py`).
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from engine.core.types import Seat
from pbem.advance import reminders_of
from pbem.clock import parse_clock
from pbem.quiet import LONGEST, is_quiet, mail_after, next_hour
from pbem.store import games, letters, outbox, people
from pbem.store.base import Session
from pbem.store.observers import is_observer
from pbem.store.outbox import Ready
from pbem.store.people import Place, Sleep

JUST_NOW = timedelta(hours=1)
"""So long after its letter was read an answer still finds its person awake."""

MISSED = LONGEST + timedelta(hours=2)
"""What is older has waited through an hour that was not quiet, also where summer time ends."""


def sleep_of(session: Session, place: Place, now: datetime) -> Sleep | None:
    """Return when the person on *place* has mail, None if it may come now as it ever may."""
    return _sleepers(session, now).get(place)


def awake_seats(session: Session, now: datetime) -> list[tuple[int | None, Seat]]:
    """Return game and seat of all to whom what is urgent may be written now."""
    ready = outbox.ready_seats(session)
    asleep = _sleepers(session, now) if ready else {}
    return [
        (game, seat)
        for game, seat in ready
        if (sleep := asleep.get(place := (game or 0, seat))) is None or _may_compose(session, place, sleep, now)
    ]


def awake_mails(session: Session, now: datetime) -> list[Ready]:
    """Return the mails that may leave now."""
    ready = outbox.ready_mails(session, now)
    asleep = _sleepers(session, now) if ready else {}
    return [
        one
        for one in ready
        if (sleep := asleep.get(place := (one.game or 0, one.seat))) is None
        or _wakes(session, place, sleep, outbox.moments_of(session, one.mail), now)
    ]


def is_last_call(session: Session, place: Place, sleep: Sleep, now: datetime) -> bool:
    """Return whether the seat's deadline lies within the quiet hours that run, and is near."""
    if is_observer(place[1]):
        return False
    holder, game = games.get_holder(session, *place), games.get_game(session, place[0])
    calls = () if holder is None else reminders_of(parse_clock(game.clock), holder)
    if holder is None or not calls or holder.deadline is None or game.status != "running":
        return False
    return calls[-1] <= now and holder.deadline <= mail_after(sleep.quiet, sleep.daily, sleep.zone, now)


def _sleepers(session: Session, now: datetime) -> Mapping[Place, Sleep]:
    """Return the places whose persons have quiet hours now, or wait for the hour of their daily mail."""
    return {
        place: one for place, one in people.sleeping_places(session) if one.daily or is_quiet(one.quiet, one.zone, now)
    }


def _may_compose(session: Session, place: Place, sleep: Sleep, now: datetime) -> bool:
    """Return whether the mail to a sleeper that would tell all that is urgent may be written now."""
    return _wakes(session, place, sleep, [one.at for one in outbox.untold(session, *place) if one.urgent], now)


def _wakes(session: Session, place: Place, sleep: Sleep, moments: Collection[datetime], now: datetime) -> bool:
    """Return whether what was noted for a sleeper at *moments* goes all the same."""
    if not moments or is_last_call(session, place, sleep, now):
        return True
    since = next_hour(sleep.daily, sleep.zone, min(moments)) if sleep.daily else min(moments)
    if since <= now and (now - since > MISSED or not is_quiet(sleep.quiet, sleep.zone, now)):
        return True
    recent = [one for one in moments if now - one <= JUST_NOW]
    return letters.was_answered(session, *place, recent, sleep.person)
