"""Sending that stands still: pauses that the mail server asks for, and a warning before questions come too late."""

from datetime import datetime, timedelta

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import GM
from pbem.clock import parse_clock
from pbem.mail.ports import Delivery
from pbem.service import Service
from pbem.store import games, outbox, people
from pbem.store.base import Session
from pbem.store.outbox import Waiting

PAUSES = (
    timedelta(minutes=15),
    timedelta(minutes=30),
    timedelta(hours=1),
    timedelta(hours=2),
    timedelta(hours=4),
)
"""How long sending rests after the first, second, … such answer in a row; the last also after all later ones."""

_TELL_AGAIN = timedelta(days=1)
_FINDING = "sending"
_WARNED = "backlog"


class Pause(Struct, frozen=True):
    """Until when sending rests, after how many such answers in a row, and when the game master was told of one."""

    until: datetime
    times: int
    told_at: datetime


def is_paused(session: Session, now: datetime) -> bool:
    """Return whether nothing may be sent now."""
    return resting_until(session, now) is not None


def resting_until(session: Session, now: datetime) -> datetime | None:
    """Return until when nothing may be sent, or None if mails may go now."""
    pause = _pause(session)
    return None if pause is None or now >= pause.until else pause.until


def pause(session: Session, delivery: Delivery, now: datetime) -> datetime:
    """Return until when sending rests after the server has had enough; the game master is told, once a day."""
    before = _pause(session)
    times = 1 if before is None else before.times + 1
    length = PAUSES[min(times, len(PAUSES)) - 1]
    is_told = before is not None and now < before.told_at + _TELL_AGAIN
    told_at = before.told_at if before is not None and is_told else now
    _keep(session, Pause(now + length, times, told_at), now)
    if not is_told:
        fields = {"minutes": length // timedelta(minutes=1), "code": delivery.code, "text": delivery.text[:200]}
        outbox.add_notice(session, None, GM, "alert.sending-paused", fields, now, urgent=True)
    return now + length


def end_pause(session: Session, now: datetime) -> None:
    """Note that the server takes mails again."""
    before = _pause(session)
    if before is not None and before.times:
        _keep(session, replace(before, times=0), now)


def _pause(session: Session) -> Pause | None:
    text = people.get_finding(session, _FINDING)
    return msgspec.json.decode(text, type=Pause) if text else None


def _keep(session: Session, pause: Pause, now: datetime) -> None:
    people.set_finding(session, _FINDING, msgspec.json.encode(pause).decode(), now)


def warn_of_backlog(service: Service, now: datetime) -> None:
    """Tell the game master, once, that questions wait to be sent for more than half of the time to their deadlines."""
    with service.store.read() as session:
        waiting = outbox.waiting_questions(session)
        late = [one for one in waiting if _is_late(session, one, now)]
        count = outbox.count_ready(session)
        warned = people.get_finding(session, _WARNED) != ""
    if warned and not waiting:
        with service.store.write() as session:
            people.set_finding(session, _WARNED, "", now)
    elif late and not warned:
        hours = max(now - one.composed_at for one in late) // timedelta(hours=1)
        with service.store.write() as session:
            outbox.add_notice(session, None, GM, "alert.backlog", {"mails": count, "hours": hours}, now, urgent=True)
            people.set_finding(session, _WARNED, "yes", now)


def _is_late(session: Session, one: Waiting, now: datetime) -> bool:
    holder = games.get_holders(session, one.game)[one.seat]
    if holder.number != one.number or holder.deadline is None:
        return False
    clock = parse_clock(games.get_game(session, one.game).clock)
    return clock.between(one.composed_at, now) > clock.between(one.composed_at, holder.deadline) / 2
