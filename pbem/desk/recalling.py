"""`history` and `resend`: what happened before, and the last mail once more."""

import re
import secrets
from email.utils import format_datetime

from pbem.desk.values import Desk, Request, Served
from pbem.desk.words import fold
from pbem.gate.tags import is_valid, mark_outbox, message_id, parse_tags
from pbem.live import Live
from pbem.store import outbox
from pbem.store.outbox import Posted
from pbem.store.tables import OutboxRow

ROUNDS = 2
"""Rounds that are told where no number is said."""

_NUMBER = re.compile(r"\D*?(\d{1,9})\D*")
_SENT_AGAIN = ("report", "reminder", "invitation")
_OWN_HEADERS = ("Message-ID", "X-PBEM-Outbox", "Date")


def history(desk: Desk, live: Live, request: Request) -> Served:
    """Tell what happened in the last rounds, as many as are asked for."""
    wanted = fold(request.rest)
    found = _NUMBER.fullmatch(wanted)
    rounds = int(found[1]) if found else 0 if wanted else ROUNDS
    if not live.begun:
        return desk.refuse(live, "letter.not-started")
    if not rounds:
        return desk.refuse(live, "desk.usage", command="history", value=request.rest[:40])
    desk.tell("desk.history", rounds=rounds)
    return Served(live)


def resend(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Send the last report or question once more, if it is still the present one; else the present position."""
    last = next((one for one in outbox.mails_to(desk.session, live.game.id, desk.seat) if _counts(one)), None)
    if last is None or not _is_present(desk, live, last):
        desk.tell("desk.status")
        return Served(live)
    host = last.message_id.rpartition("@")[2].rstrip(">")
    tag = str(parse_tags(last.message_id)[0])
    fresh = message_id(tag, secrets.token_hex(8), host)
    mark = mark_outbox(desk.service.key, outbox.next_mail_number(desk.session))
    values = dict(zip(_OWN_HEADERS, (fresh, mark, format_datetime(desk.now)), strict=True))
    row = OutboxRow(
        game_id=live.game.id,
        seat=desk.seat,
        kind=last.kind,
        decision=last.decision,
        recipient=last.recipient,
        message_id=fresh,
        raw=_with_headers(last.raw, values),
        next_try_at=desk.now,
        composed_at=desk.now,
    )
    outbox.add_mail(desk.session, row, last.options)
    return Served(live)


def _counts(mail: Posted) -> bool:
    return mail.kind in _SENT_AGAIN and mail.status == "sent" and bool(mail.raw)


def _is_present(desk: Desk, live: Live, mail: Posted) -> bool:
    """Return whether *mail* tells what a new one would: nothing was asked, planned or noted for the seat since."""
    number = live.owed().get(desk.seat, live.position.seq)
    tags = parse_tags(mail.message_id)
    current = bool(tags) and is_valid(desk.service.key, tags[0], desk.holder(live).epoch)
    untold = outbox.untold(desk.session, live.game.id, desk.seat)
    unchanged = not desk.holder(live).plan and not any(one.urgent for one in untold)
    return current and unchanged and mail.decision == number and mail.recipient == desk.person.address


def _with_headers(raw: bytes, values: dict[str, str]) -> bytes:
    """Return *raw* with the headers in *values* as they stand there; all else stays as it is, byte for byte."""
    head, gap, body = raw.partition(b"\r\n\r\n")
    for name, value in values.items():
        pattern = re.compile(rb"^" + name.encode() + rb":[^\r]*(?:\r\n[ \t][^\r]*)*", re.MULTILINE)
        head = pattern.sub(f"{name}: {value}".encode(), head, count=1)
    return head + gap + body
