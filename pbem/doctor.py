"""`doctor`: is everything there that a game needs, and what survives a trip through the mail."""

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Literal

from msgspec import Struct

from pbem.accounts import imap_account, smtp_account
from pbem.errors import PbemError
from pbem.gate.tags import plus_address
from pbem.mail.errors import MailError
from pbem.mail.imap import ImapMailbox
from pbem.mail.letter import Letter, read_letter
from pbem.mail.smtp import Sender
from pbem.service import Service
from pbem.store import people
from pbem.store.letters import get_mailbox
from pbem.store.upgrade import NEWEST, stored_revision

SKEW = timedelta(minutes=5)
"""How far the mailbox's clock and ours may be apart."""

TRIP_SECONDS = 90
PROBE = "X-PBEM-Probe"

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
    if send and all(one.state != "fault" for one in findings):
        findings += follow_a_mail(service, now)
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


def follow_a_mail(service: Service, now: datetime) -> list[Finding]:
    """Send ourselves a mail, wait for it, and keep what survived: plus address, Message-ID, From."""
    address = service.settings.mail.address
    token = secrets.token_hex(8)
    to = plus_address(address, f"probe.{token}")
    findings, plain = [], None
    letter = _trip(service, to, token, now)
    arrives = letter is not None and any(token in one for one in letter.recipients)
    if letter is None:
        plain = _trip(service, address, token + "b", now)
    seen = letter or plain
    if seen is None:
        return [Finding("mail to ourselves", "fault", f"did not arrive within {TRIP_SECONDS} seconds")]
    findings.append(Finding("mail to ourselves", "ok", "arrived"))
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
    return findings


def _trip(service: Service, to: str, token: str, now: datetime) -> Letter | None:
    """Return the mail as it arrived, or None; it is moved out of the inbox."""
    address = service.settings.mail.address
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = address, to, "pbem doctor"
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<probe.{token}@{address.partition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message[PROBE] = token
    message.set_content("A test mail of pbem doctor to itself.\n")
    with Sender(smtp_account(service.settings)) as server:
        if server.send(address, to, message.as_bytes()).outcome != "ok":
            return None
    mailbox = ImapMailbox(imap_account(service.settings))
    try:
        mailbox.open()
        end = time.monotonic() + TRIP_SECONDS
        while time.monotonic() < end:
            for head in mailbox.heads(mailbox.new_uids(0)):
                if token.encode() in head.headers:
                    letter = read_letter(mailbox.fetch(head.uid).raw)
                    mailbox.move(head.uid, "Processed")
                    return letter
            time.sleep(1)
    finally:
        mailbox.close()
    return None
