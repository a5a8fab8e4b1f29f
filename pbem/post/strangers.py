"""One short answer a day to who holds no seat; his own words are never sent back."""

import secrets
from datetime import datetime, timedelta

from engine.core.types import GM
from pbem.gate.tags import mark_outbox
from pbem.post.compose import compose
from pbem.post.facts import Fact, MailFacts
from pbem.post.words import words_of
from pbem.service import Service
from pbem.store import letters, outbox
from pbem.store.base import Session
from pbem.store.tables import OutboxRow

ANSWERS_A_DAY = 1
ALL_ANSWERS_A_DAY = 100
"""To all strangers together: their addresses may be forged, and those who own them did not write."""


def answer_stranger(session: Session, service: Service, address: str, now: datetime) -> bool:
    """Return whether an answer to *address* is now in the outbox; its letter must be marked as answered."""
    since = now - timedelta(days=1)
    if not address or letters.count_strangers(session, since, address) >= ANSWERS_A_DAY:
        return False
    if letters.count_strangers(session, since) >= ALL_ANSWERS_A_DAY:
        return False
    post_stranger(session, service, plain_facts(service, address, (Fact("letter.unknown"),), now), now)
    return True


def post_stranger(session: Session, service: Service, facts: MailFacts, now: datetime) -> None:
    """Put the mail that tells *facts*, of no game, into the outbox."""
    number = outbox.next_mail_number(session)
    mail = compose(facts, words_of(service), secrets.token_hex(8), outbox=mark_outbox(service.key, number))
    row = OutboxRow(
        seat=GM,
        kind=mail.kind,
        recipient=facts.to,
        message_id=mail.message_id,
        raw=mail.raw,
        next_try_at=now,
        composed_at=now,
    )
    outbox.add_mail(session, row, ())


def plain_facts(service: Service, to: str, told: tuple[Fact, ...], now: datetime) -> MailFacts:
    """Return the facts of a mail that belongs to no game."""
    settings = service.settings
    return MailFacts(
        kind="notice",
        game=0,
        title="",
        seat=GM,
        players=(),
        language=settings.play.language,
        zone=str(settings.play.timezone),
        tag="",
        to=to,
        our=settings.mail.address,
        our_name=settings.mail.name,
        now=now,
        told=told,
    )
