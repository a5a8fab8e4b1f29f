"""
Who sleeps: quiet hours of persons, and what is mailed to them all the same.

In his quiet hours nothing is mailed to a person but the answer to a letter that he has just sent, and the last call:
what waits for him from the moment at which he would be reminded, if the deadline lies before the end of the quiet
hours. Everything else waits unwritten, so that one mail tells it all when they end. No deadline moves for it. Where we
run so seldom that the hours in between were missed, what has waited too long goes with the next pass.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from pbem.advance import last_call_at
from pbem.quiet import LONGEST, is_quiet, quiet_end
from pbem.store import games, letters, outbox, people
from pbem.store.base import Session
from pbem.store.people import Place, Sleep

JUST_NOW = timedelta(hours=1)
"""So long after its letter was read an answer still finds its person awake."""

MISSED = LONGEST + timedelta(hours=2)
"""What is older has waited through an hour that was not quiet, also where summer time ends."""


def sleepers(session: Session, now: datetime) -> Mapping[Place, Sleep]:
    """Return the seats whose persons have quiet hours now."""
    return {place: one for place, one in people.quiet_seats(session) if is_quiet(one.quiet, one.zone, now)}


def wakes(session: Session, place: Place, sleep: Sleep, moments: Collection[datetime], now: datetime) -> bool:
    """Return whether what was noted for a sleeper at *moments* goes all the same."""
    if not moments or now - min(moments) > MISSED or is_last_call(session, place, sleep, now):
        return True
    recent = [one for one in moments if now - one <= JUST_NOW]
    return letters.was_answered(session, *place, recent, sleep.person)


def is_last_call(session: Session, place: Place, sleep: Sleep, now: datetime) -> bool:
    """Return whether the seat's deadline lies within the quiet hours that run, and is near."""
    holder = games.get_holders(session, place[0])[place[1]]
    call = last_call_at(holder)
    if call is None or holder.deadline is None or games.get_game(session, place[0]).status != "running":
        return False
    return call <= now and holder.deadline <= quiet_end(sleep.quiet, sleep.zone, now)


def may_compose(session: Session, place: Place, sleep: Sleep, now: datetime) -> bool:
    """Return whether the mail to a sleeper that would tell all that is urgent may be written now."""
    return wakes(session, place, sleep, [one.at for one in outbox.untold(session, *place) if one.urgent], now)


def may_send(session: Session, mail: int, place: Place, sleep: Sleep, now: datetime) -> bool:
    """Return whether a mail to a sleeper that is written may leave now."""
    return wakes(session, place, sleep, outbox.moments_of(session, mail), now)
