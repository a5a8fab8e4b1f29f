"""`doctor`: is everything there that a game needs, and what survives a trip through the mail."""

import re
import secrets
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Literal

from msgspec import Struct

from pbem.accounts import imap_account, smtp_account
from pbem.errors import PbemError
from pbem.gate.tags import plus_address
from pbem.intake import PROCESSED
from pbem.live import stands_still
from pbem.mail.errors import MailError
from pbem.mail.imap import ImapMailbox
from pbem.mail.letter import Letter, read_letter
from pbem.mail.smtp import Sender
from pbem.service import Service
from pbem.store import games, people
from pbem.store.base import pass_lock
from pbem.store.letters import get_mailbox
from pbem.store.upgrade import NEWEST, stored_revision

SKEW = timedelta(minutes=5)
"""How far the mailbox's clock and ours may be apart."""

TRIP_SECONDS = 90
PROBE = "X-PBEM-Probe"
PAPERS = ("spf", "dkim", "dmarc")
"""What the receiving server says of our mail in Authentication-Results (RFC 8601)."""
_RESULT = re.compile(r"\b(spf|dkim|dmarc)\s*=\s*([a-z]+)", re.IGNORECASE)

State = Literal["ok", "fault", "note"]


class Finding(Struct, frozen=True):
    """One thing that was looked at. A `fault` keeps games from running; a `note` is worth knowing."""

    name: str
    state: State
    detail: str = ""


def examine(service: Service, now: datetime, *, send: bool = False) -> list[Finding]:
    """Return what was found; with *send* a mail to ourselves is followed on its way."""
    findings = [_store(service), _clock(now)]
    findings.append(_login("mailbox", lambda: _try_mailbox(service)))
    findings.append(_login("outgoing server", lambda: _try_smtp(service)))
    findings += _last_fetch(service, now)
    findings += _rules(service)
    if send and all(one.state != "fault" for one in findings):
        with pass_lock(service.lock_path) as held:  # a pass would take the mail away
            busy = Finding("mail to ourselves", "fault", "a pass is at work; please try again")
            findings += follow_a_mail(service, now) if held else [busy]
    return findings


def _store(service: Service) -> Finding:
    try:
        with service.store.write():
            found = stored_revision(service.store)
    except PbemError as error:
        return Finding("store", "fault", str(error))
    if found != NEWEST:
        return Finding("store", "fault", f"shape {found or 'empty'}, wanted {NEWEST}")
    return Finding("store", "ok", f"shape {found}, can be written")


def _clock(now: datetime) -> Finding:
    return Finding("clock", "ok", f"{now.astimezone(UTC):%Y-%m-%d %H:%M} UTC")


def _login(name: str, attempt: Callable[[], str]) -> Finding:
    try:
        return Finding(name, "ok", attempt())
    except (MailError, PbemError) as error:
        return Finding(name, "fault", str(error))


def _try_mailbox(service: Service) -> str:
    mailbox = ImapMailbox(imap_account(service.settings))
    try:
        mailbox.open()
        return f"login works, {len(mailbox.new_uids(0))} letters in the inbox"
    finally:
        mailbox.close()


def _try_smtp(service: Service) -> str:
    with Sender(smtp_account(service.settings)) as server:
        server.check()
    return "login works"


def _last_fetch(service: Service, now: datetime) -> list[Finding]:
    name = service.mailbox_name
    with service.store.read() as session:
        mailbox = get_mailbox(session, name)
    if mailbox is None or mailbox.good_at is None:
        return [Finding("last fetch", "note", "never yet; cron or a timer should run `pbem tick`")]
    ago = now - mailbox.good_at
    state: State = "fault" if ago > timedelta(days=1) else "ok"
    return [Finding("last fetch", state, f"{int(ago.total_seconds() // 60)} minutes ago")]


def _rules(service: Service) -> list[Finding]:
    """Return whether games stand still because they began under other rules."""
    with service.store.read() as session:
        played = games.list_games(session, *games.GOING_ON)
    still = ", ".join(str(one.id) for one in played if stands_still(one))
    return [Finding("rules", "fault", f"games {still} began under other rules; run `pbem upgrade`")] if still else []


def follow_a_mail(service: Service, now: datetime) -> list[Finding]:
    """Send ourselves a mail, wait for it, and keep what survived: plus address, Message-ID, From."""
    address = service.settings.mail.address
    token = secrets.token_hex(8)
    to = plus_address(address, f"probe.{token}")
    trip = _trip(service, to, token, now)
    arrives = trip is not None and any(token in one for one in trip.letter.recipients)
    trip = trip or _trip(service, address, token + "b", now)
    if trip is None:
        return [Finding("mail to ourselves", "fault", f"did not arrive within {TRIP_SECONDS} seconds")]
    seen = trip.letter
    findings = [Finding("mail to ourselves", "ok", "arrived"), skew(trip)]
    survived = {
        "plus": arrives,
        "message-id": token in seen.message_id,
        "from": seen.sender.address == address.casefold(),
    }
    with service.store.write() as session:
        for name, good in survived.items():
            people.set_finding(session, name, "yes" if good else "no", now)
    findings.append(Finding("plus address", "ok" if arrives else "note", "arrives" if arrives else "does not arrive"))
    for name in ("message-id", "from"):
        good = survived[name]
        findings.append(Finding(name, "ok" if good else "note", "kept" if good else "replaced by the provider"))
    return findings + papers(seen)


class Trip(Struct, frozen=True):
    """A mail of ours as it arrived: when we saw it, and when the mailbox says that it came."""

    letter: Letter
    seen_at: datetime
    internaldate: datetime


def skew(trip: Trip) -> Finding:
    """Return whether the mailbox's clock, which decides what came in time, is near ours."""
    apart = trip.seen_at - trip.internaldate
    minutes = round(apart.total_seconds() / 60)
    if -SKEW <= apart <= SKEW + timedelta(seconds=TRIP_SECONDS):
        return Finding("mailbox clock", "ok", "as ours")
    return Finding("mailbox clock", "fault", f"{abs(minutes)} minutes {'behind' if minutes > 0 else 'before'} ours")


def papers(letter: Letter) -> list[Finding]:
    """Return what the receiving server says of SPF, DKIM and DMARC; the first header is the last server's."""
    header = letter.header("Authentication-Results")
    told = {name.lower(): result.lower() for name, result in reversed(_RESULT.findall(header))}
    if not told:
        return [Finding("spf, dkim, dmarc", "note", "the mailbox does not tell; see deploy/mail.md for how to look")]
    return [
        Finding(name, "ok" if told.get(name) == "pass" else "note", told.get(name, "not looked at")) for name in PAPERS
    ]


def _trip(service: Service, to: str, token: str, now: datetime) -> Trip | None:
    """Return the mail as it arrived, or None; it is moved out of the inbox."""
    begun = time.monotonic()
    with closing(ImapMailbox(imap_account(service.settings))) as mailbox:
        mailbox.open()
        last = max(mailbox.new_uids(0), default=0)
        if not _send_probe(service, to, token, now):
            return None
        while time.monotonic() < begun + TRIP_SECONDS:
            for head in mailbox.heads(mailbox.new_uids(last)):
                if token.encode() in head.headers:
                    letter = read_letter(mailbox.fetch(head.uid).raw)
                    mailbox.move(head.uid, PROCESSED)
                    return Trip(letter, now + timedelta(seconds=time.monotonic() - begun), head.internaldate)
            time.sleep(1)
    return None


def _send_probe(service: Service, to: str, token: str, now: datetime) -> bool:
    """Return whether the server took a mail to *to* that can be known by *token*."""
    address = service.settings.mail.address
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = address, to, "pbem doctor"
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<probe.{token}@{address.partition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message[PROBE] = token
    message.set_content("A test mail of pbem doctor to itself.\n")
    with Sender(smtp_account(service.settings)) as server:
        return server.send(address, to, message.as_bytes()).outcome == "ok"
