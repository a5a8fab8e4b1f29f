"""Mails of ours that came back: which it was, and what follows for its seat."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from engine.core.types import GM
from pbem.gate.bounces import Bounce, read_bounce
from pbem.gate.tags import read_outbox
from pbem.inquiry import Place
from pbem.mail.letter import Letter
from pbem.service import Service
from pbem.store import games, outbox
from pbem.store.base import Session
from pbem.store.observers import is_observer
from pbem.store.outbox import Posted

LATEST = timedelta(days=7)
"""How long after a mail a report without any sign of it, but for its recipient, is taken to be about it."""


def take_back(session: Session, service: Service, letter: Letter, now: datetime) -> Place | None:
    """
    Return the seat whose mail the delivery report *letter* is about, None if no mail of ours can be told.

    After a final one the mail is failed, the seat unreachable, and the game master told, once until it writes again.
    """
    bounce = read_bounce(letter)
    mail = _mail_of(session, service, bounce, now)
    if mail is None or mail.game is None or mail.seat < 0:
        return None
    if bounce.outcome == "failed":
        outbox.change_mail(session, mail.id, status="failed", error=f"bounce {bounce.status}")
        if is_observer(mail.seat):
            return mail.game, mail.seat
        holder = games.get_holder(session, mail.game, mail.seat)
        if holder is not None and not holder.unreachable:
            outbox.add_notice(session, mail.game, GM, "alert.unreachable", {"seat": mail.seat}, now, urgent=True)
            games.save_holder(session, replace(holder, unreachable=True))
    return mail.game, mail.seat


def _mail_of(session: Session, service: Service, bounce: Bounce, now: datetime) -> Posted | None:
    """Return the mail that came back: by its mark, by its Message-ID, at last by whom it went to."""
    number = read_outbox(service.key, bounce.outbox)
    found = None if number is None else outbox.get_mail(session, number)
    found = found or (outbox.find_mail(session, bounce.message_id) if bounce.message_id else None)
    if found is not None or bounce.outbox or bounce.message_id:
        return found
    return next((one for to in bounce.recipients if (one := outbox.last_mail_to(session, to, now - LATEST))), None)
