"""`send`: notices to mails, each committed byte for byte before it is handed over; then the outbox to the server."""

import secrets
import traceback
from collections import Counter
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.gate.tags import mark_outbox
from pbem.mail.ports import Delivery, SmtpPort
from pbem.notices import ALERTS
from pbem.post.compose import compose
from pbem.post.facts import Fact, MailFacts, Player
from pbem.post.gather import gather
from pbem.post.strangers import plain_facts
from pbem.post.words import Words
from pbem.service import Service
from pbem.store import games, outbox
from pbem.store.base import Session
from pbem.store.outbox import MailedOptions, Noticed, Posted
from pbem.store.tables import OutboxRow

WAITS = (timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1), timedelta(hours=4))
"""How long a mail waits after its first, second, … vain try; the last also after all later ones."""

KEPT = {"reminder": timedelta(days=1), "alert": timedelta(days=2)}
"""How long a mail is worth sending, by its kind; others `KEPT_ELSE`."""
KEPT_ELSE = timedelta(days=5)

RANKS = {"acknowledgement": 0, "refusal": 0, "confirmation": 0, "reminder": 2, "digest": 3}
"""Which mails go first where the server takes only so many a minute."""


def send(service: Service, server: SmtpPort, now: datetime) -> Counter[str]:
    """
    Return how many mails were `sent`, put off (`later`) and given up (`failed`).

    Raises: SmtpDown, SmtpRefused; what was handed over before is noted.
    """
    counts: Counter[str] = Counter()
    counts["failed"] += compose_all(service, now)
    with service.store.read() as session:
        ready = [outbox.get_mail(session, number) for number in outbox.ready_mails(session, now)]
        room = _room(session, service, now)
    mails = sorted((one for one in ready if one is not None), key=lambda one: (RANKS.get(one.kind, 1), one.id))
    for mail in mails[:room]:
        delivery = server.send(service.settings.mail.address, mail.recipient, mail.raw)
        with service.store.write() as session:
            counts[_note(session, mail, delivery, now)] += 1
    return counts


def _room(session: Session, service: Service, now: datetime) -> int | None:
    most = service.settings.smtp.max_per_minute
    return max(0, most - outbox.count_sent(session, now - timedelta(minutes=1))) if most else None


def _note(session: Session, mail: Posted, delivery: Delivery, now: datetime) -> str:
    """Note what the server answered; a final refusal is told to the game master."""
    text = f"{delivery.code} {delivery.text}"[:300]
    if delivery.outcome == "ok":
        outbox.change_mail(session, mail.id, status="sent", sent_at=now, tries=mail.tries + 1, error="")
        return "sent"
    tries = mail.tries + 1
    expired = now - mail.composed_at > KEPT.get(mail.kind, KEPT_ELSE)
    if delivery.outcome == "later" and not expired:
        wait = WAITS[min(tries, len(WAITS)) - 1]
        outbox.change_mail(session, mail.id, tries=tries, next_try_at=now + wait, error=text)
        return "later"
    status = "refused" if delivery.outcome == "refused" else "failed"
    outbox.change_mail(session, mail.id, status=status, tries=tries, error=text)
    if mail.kind != "alert":
        fields = {"mail": mail.id, "seat": mail.seat, "code": delivery.code, "text": delivery.text[:200]}
        outbox.add_notice(session, mail.game, GM, "alert.mail-refused", fields, now, urgent=True)
    if mail.game is not None and mail.seat >= 0 and status == "refused":
        holder = games.get_holders(session, mail.game)[mail.seat]
        games.save_holder(session, replace(holder, unreachable=True))
    return "failed"


def compose_all(service: Service, now: datetime) -> int:
    """Compose one mail for each seat with urgent notices; return how many could not be composed."""
    words = _words(service.own_templates, service.settings.store.state / "templates")
    with service.store.read() as session:
        seats = outbox.ready_seats(session)
    failed = 0
    for game, seat in seats:
        try:
            with service.store.write() as session:
                _compose_one(session, service, words, game, seat, now)
        except Exception:  # noqa: BLE001 - the door of one mail: it must not stop the others
            failed += 1
            with service.store.write() as session:
                _give_up(session, game, seat, traceback.format_exc(), now)
    return failed


@cache
def _words(own: Path | None, folder: Path) -> Words:
    """Return the words, compiled once in this process, and kept compiled in *folder* for the next."""
    return Words(own, cache=folder)


def _compose_one(session: Session, service: Service, words: Words, game: int | None, seat: Seat, now: datetime) -> None:
    notices = outbox.untold(session, game, seat)
    number = outbox.next_mail_number(session)
    facts = _alert(session, service, game, notices, now) if seat == GM else None
    if facts is None:
        assert game is not None, "only the game master is told things outside a game"
        facts = gather(session, service, game, seat, notices, now)
    mail = compose(facts, words, secrets.token_hex(8), outbox=mark_outbox(service.key, number))
    row = OutboxRow(
        game_id=game,
        seat=seat,
        kind=mail.kind,
        decision=_decision(facts),
        recipient=mail.to,
        message_id=mail.message_id,
        raw=mail.raw,
        next_try_at=now,
        composed_at=now,
    )
    options = [MailedOptions(one.key, one.occasion, one.number, one.options) for one in mail.options]
    outbox.mark_told(session, notices, outbox.add_mail(session, row, options))


def _decision(facts: MailFacts) -> int:
    """Return the number in the mail's tag: of the decision asked, else at which it was composed."""
    return int(facts.tag.split(".")[2][1:]) if facts.tag else -1


def _alert(session: Session, service: Service, game: int | None, notices: list[Noticed], now: datetime) -> MailFacts:
    told = tuple(Fact(one.key, tuple((name, one.fields[name]) for name in ALERTS[one.key])) for one in notices)
    facts = replace(plain_facts(service, service.settings.gm.address, told, now), kind="alert")
    if game is None:
        return facts
    players = tuple(Player(one.seat, one.name, bool(one.bot)) for one in games.get_holders(session, game))
    return replace(facts, game=game, title=games.get_game(session, game).ruleset, players=players)


def _give_up(session: Session, game: int | None, seat: Seat, error: str, now: datetime) -> None:
    """Keep the notices of a mail that cannot be composed with a failed row, from which `mail retry` takes them back."""
    number = outbox.next_mail_number(session)
    row = OutboxRow(
        game_id=game,
        seat=seat,
        kind="notice",
        recipient="",
        message_id=f"failed-{number}",
        raw=b"",
        status="failed",
        error=error,
        next_try_at=now,
        composed_at=now,
    )
    outbox.mark_told(session, outbox.untold(session, game, seat), outbox.add_mail(session, row, ()))
    if seat != GM:
        last = error.strip().rpartition("\n")[2][:200]
        outbox.add_notice(session, None, GM, "alert.mail-failed", {"mail": number, "error": last}, now, urgent=True)
