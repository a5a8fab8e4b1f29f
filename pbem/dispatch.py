"""`send`: notices to mails, each committed byte for byte before it is handed over; then the outbox to the server."""

import secrets
import traceback
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from time import perf_counter

from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.backlog import end_pause, is_paused, pause, warn_of_backlog
from pbem.clock import Now
from pbem.errors import TryLater
from pbem.gate.tags import mark_outbox
from pbem.journal import milliseconds, tell
from pbem.live import stands_still
from pbem.mail.errors import SmtpError
from pbem.mail.ports import Delivery, SmtpPort
from pbem.outage import mail_went_out
from pbem.post.compose import compose
from pbem.post.daily import LEAST, candidates, gather_daily
from pbem.post.facts import MailFacts
from pbem.post.gather import gather
from pbem.post.to_masters import bundles, gather_for_master
from pbem.post.words import Words, words_of
from pbem.service import Service
from pbem.sleepers import awake_mails, awake_seats
from pbem.store import games, outbox
from pbem.store.base import Session
from pbem.store.observers import FIRST
from pbem.store.outbox import MailedOptions, Noticed, Posted
from pbem.store.people import Place
from pbem.store.tables import OutboxRow

WAITS = (timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1), timedelta(hours=4))
"""How long a mail waits after its first, second, … vain try; the last also after all later ones."""

KEPT = {"reminder": timedelta(days=1), "digest": timedelta(days=1), "alert": timedelta(days=2)}
"""How long a mail is worth sending, by its kind; others `KEPT_ELSE`."""
KEPT_ELSE = timedelta(days=5)

RANKS = {
    "acknowledgement": 0,
    "refusal": 0,
    "confirmation": 0,
    "help": 0,
    "alert": 0,
    "reminder": 2,
    "press": 3,
    "digest": 4,
}
"""Which kinds of mail go first where the server takes only so many a minute; others stand between, at 1."""

MOST_UNCERTAIN = 2
"""How often a mail is handed over whole without an answer before a person must decide."""

MOST_LOST = 3
"""Connections lost in a row after which a pass sends no more."""


def send(
    service: Service,
    server: SmtpPort,
    now: datetime,
    clock: Now | None = None,
    counts: Counter[str] | None = None,
) -> Counter[str]:
    """
    Return how many mails were `sent`, put off (`later`) and given up (`failed`), added to *counts*.

    *clock* tells when each was sent, if that should not be *now*.
    Raises: SmtpDown, SmtpRefused; what was handed over before is noted, and counted.
    """
    counts = Counter() if counts is None else counts
    counts["failed"] += compose_all(service, now)
    try:
        for outcome in _send_ready(service, server, now, clock or (lambda: now)):
            counts[outcome] += 1
    except SmtpError:
        warn_of_backlog(service, now)
        raise
    warn_of_backlog(service, now)
    return counts


def _send_ready(service: Service, server: SmtpPort, now: datetime, clock: Now) -> Iterator[str]:
    """Send what may go now and yield what became of each mail."""
    with service.store.read() as session:
        ready = [] if is_paused(session, now) else awake_mails(session, now)
        room = _room(session, service, now)
    lost = 0
    for one in sorted(ready, key=lambda one: (RANKS.get(one.kind, 1), one.mail))[:room]:
        with service.store.read() as session:
            mail = outbox.get_mail(session, one.mail)
        assert mail is not None, "mails are never taken out"
        begun = perf_counter()
        delivery = _hand_over(service, server, mail)
        spent = milliseconds(begun)
        with service.store.write() as session:
            outcome = _note(session, mail, delivery, clock())
        place = {"game": mail.game, "seat": mail.seat}
        tell(
            f"mail.{outcome}", mail=mail.id, **place, kind=mail.kind, code=delivery.code, tries=mail.tries + 1, ms=spent
        )
        yield outcome
        lost = lost + 1 if delivery.outcome != "ok" and delivery.code in _LOST else 0
        if delivery.outcome == "throttled" or lost == MOST_LOST:
            return


_LOST = (0, 421)


def _hand_over(service: Service, server: SmtpPort, mail: Posted) -> Delivery:
    try:
        return server.send(service.settings.mail.address, mail.recipient, mail.raw)
    except SmtpError:
        raise
    except Exception as error:  # noqa: BLE001 - the door of one mail: it must not stop the others
        return Delivery("refused", 0, repr(error)[:_LONGEST_ERROR])


def _room(session: Session, service: Service, now: datetime) -> int | None:
    """Return how many mails may go now so that in no minute there are more than the settings allow."""
    most = service.settings.smtp.max_per_minute
    return max(0, most - outbox.count_sent(session, now - timedelta(minutes=1))) if most else None


def _note(session: Session, mail: Posted, delivery: Delivery, now: datetime) -> str:
    """Note what became of *mail*; of what is given up the game master is told."""
    tries = mail.tries + 1
    if delivery.outcome == "ok":
        outbox.change_mail(session, mail.id, status="sent", sent_at=now, tries=tries, error="")
        mail_went_out(session, mail, now)
        end_pause(session, now)
        return "sent"
    change: dict[str, object] = {"tries": tries, "error": f"{delivery.code} {delivery.text}"[:_LONGEST_ERROR]}
    if delivery.outcome == "uncertain":
        return _note_uncertain(session, mail, change, now)
    begin = pause(session, delivery, now) if delivery.outcome == "throttled" else now  # others go first after a pause
    expired = now - mail.composed_at > KEPT.get(mail.kind, KEPT_ELSE)
    if delivery.outcome in ("later", "throttled") and not expired:
        outbox.change_mail(session, mail.id, next_try_at=begin + WAITS[min(tries, len(WAITS)) - 1], **change)
        return "later"
    is_final = delivery.outcome in ("refused", "unreachable")
    outbox.change_mail(session, mail.id, status="refused" if is_final else "failed", **change)
    fields = {"mail": mail.id, "seat": mail.seat, "code": delivery.code, "text": delivery.text[:200]}
    _tell_gm(session, mail, "alert.mail-refused", fields, now)
    if mail.game is not None and 0 <= mail.seat < FIRST and delivery.outcome == "unreachable":
        holder = games.get_holder(session, mail.game, mail.seat)
        if holder is not None:
            games.save_holder(session, replace(holder, unreachable=True))
    return "failed"


_LONGEST_ERROR = 300


def _note_uncertain(session: Session, mail: Posted, change: dict[str, object], now: datetime) -> str:
    """Note that the server may have *mail*; the same bytes are sent once more, then a person must decide."""
    times = mail.uncertain + 1
    outbox.change_mail(session, mail.id, uncertain=times, sent_at=now, next_try_at=now + WAITS[0], **change)
    if times < MOST_UNCERTAIN:
        return "later"
    outbox.change_mail(session, mail.id, status="uncertain")
    mail_went_out(session, mail, now)
    _tell_gm(session, mail, "alert.mail-uncertain", {"mail": mail.id, "seat": mail.seat}, now)
    return "failed"


def _tell_gm(session: Session, mail: Posted, key: str, fields: dict[str, object], now: datetime) -> None:
    """Tell the game master of *mail*, unless it is an alert itself."""
    if mail.kind != "alert":
        outbox.add_notice(session, mail.game, GM, key, fields, now, urgent=True)


def compose_all(service: Service, now: datetime) -> int:
    """
    Compose one mail for each seat with urgent notices, but for who sleeps; return how many could not be composed.

    Raises: TryLater; what was composed before stays.
    """
    words = words_of(service)
    with service.store.read() as session:
        seats = [one for one in awake_seats(session, now) if not _waits(session, *one)]
        shared = candidates(session, [(game or 0, seat) for game, seat in seats])
    told = {place for person, places in shared.items() for place in _compose_daily(service, words, person, places, now)}
    failed = 0
    for game, seat in seats:
        if (game, seat) in told:
            continue
        try:
            with service.store.write() as session:
                _compose_one(session, service, words, game, seat, now)
        except TryLater:
            raise
        except Exception:  # noqa: BLE001 - the door of one mail: it must not stop the others
            failed += 1
            with service.store.write() as session:
                _give_up(session, game, seat, traceback.format_exc(), now)
    return failed


def _waits(session: Session, game: int | None, seat: Seat) -> bool:
    """Return whether a seat is told nothing yet: its game stands still until `upgrade` has taken it up."""
    return game is not None and seat != GM and stands_still(games.get_game(session, game))


def _compose_one(session: Session, service: Service, words: Words, game: int | None, seat: Seat, now: datetime) -> None:
    notices = outbox.untold(session, game, seat)
    if seat == GM:
        for bundle in bundles(service.settings, notices):
            facts = gather_for_master(session, service, bundle, game, outbox.next_mail_number(session), now)
            _post(session, service, words, facts, bundle.notices, now)
        return
    assert game is not None, "only the game master is told things outside a game"
    _post(session, service, words, gather(session, service, game, seat, notices, now), notices, now)


def _compose_daily(
    service: Service, words: Words, person: int, places: Sequence[Place], now: datetime
) -> Collection[Place]:
    """Return which of *places* one mail to *person* tells the news of; where it cannot be made each gets its own."""
    if len(places) < LEAST:
        return ()
    try:
        with service.store.write() as session:
            facts, notices = gather_daily(session, service, person, places, now)
            if len(notices) < LEAST:
                return ()
            _post(session, service, words, facts, [one for told in notices.values() for one in told], now)
    except TryLater:
        raise
    except Exception as error:  # noqa: BLE001 - the door of one mail: it must not stop the others
        fields = {"numbers": [game for game, _ in places], "error": repr(error)[:_LONGEST_ERROR]}
        with service.store.write() as session:
            outbox.add_notice(session, None, GM, "alert.digest-failed", fields, now, urgent=True)
        return ()
    return notices.keys()


def _post(
    session: Session, service: Service, words: Words, facts: MailFacts, notices: Sequence[Noticed], now: datetime
) -> None:
    """Put the mail that tells *facts* into the outbox, and note that it tells *notices*."""
    number = outbox.next_mail_number(session)
    kept = service.settings.store.state / "pictures"
    mail = compose(facts, words, secrets.token_hex(8), mark_outbox(service.key, number), kept)
    row = OutboxRow(
        game_id=facts.game or None,
        seat=facts.seat,
        kind=mail.kind,
        decision=_decision(facts),
        recipient=mail.to,
        message_id=mail.message_id,
        raw=mail.raw,
        next_try_at=now,
        composed_at=now,
    )
    options = [MailedOptions(one.key, one.occasion, one.number, one.options, one.follow) for one in mail.options]
    outbox.mark_told(session, notices, outbox.add_mail(session, row, options))


def _decision(facts: MailFacts) -> int:
    """Return the number in the mail's tag: of the decision asked, else at which it was composed."""
    return int(facts.tag.split(".")[2][1:]) if facts.tag else -1


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
