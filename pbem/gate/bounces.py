"""
Bounces: which mail of ours came back, for whom, and whether for good.

A bounce is matched by what stands in the returned headers, `X-PBEM-Outbox` or our Message-ID; providers replace the
latter, so the former comes first. The recipient alone is the last hint.
"""

import re
from typing import Literal

from msgspec import Struct

from pbem.gate.tags import Tag, parse_tags
from pbem.mail.letter import Letter

OUTBOX_HEADER = "X-PBEM-Outbox"

_OUTBOX = re.compile(rf"^[ \t>]*{OUTBOX_HEADER}:[ \t]*(\S{{1,80}})", re.MULTILINE | re.IGNORECASE)
_MESSAGE_ID = re.compile(r"^[ \t>]*Message-ID:\s*(<[^<>\s]{1,900}>)", re.MULTILINE | re.IGNORECASE)
_RECIPIENT = re.compile(
    r"^(?:Original|Final)-Recipient:[ \t]*(?:[\w-]+;)?[ \t]*<?([^\s<>]{1,200}@[^\s<>]{1,200})",
    re.MULTILINE | re.IGNORECASE,
)
_STATUS = re.compile(r"^Status:[ \t]*([245])\.(\d{1,3})\.(\d{1,3})", re.MULTILINE | re.IGNORECASE)
_ACTION = re.compile(r"^Action:[ \t]*(\w+)", re.MULTILINE | re.IGNORECASE)
_TEXT_STATUS = re.compile(r"\b[45]\.\d{1,3}\.\d{1,3}\b")
_TEXT_REPLY = re.compile(r"\b([45])\d\d\b")

Outcome = Literal["failed", "delayed", "delivered"]


class Bounce(Struct, frozen=True):
    """
    What a delivery report says.

    Shape: `outbox` is the value of X-PBEM-Outbox in the returned headers, `message_id` their Message-ID, `tags` the
           tags in them; `recipients` are lower-case addresses; `status` is like `5.1.1`; each empty where not told.
           `outcome` is `failed` (for good), `delayed` (the server still tries) or `delivered`.
    """

    outcome: Outcome
    status: str
    recipients: tuple[str, ...]
    outbox: str
    message_id: str
    tags: tuple[Tag, ...]


def read_bounce(letter: Letter) -> Bounce:
    """Return what the delivery report *letter* says; meant for letters that `is_bounce` holds for."""
    reports = "\n".join(part.text for part in letter.evidence if part.type == "message/delivery-status")
    returned = "\n".join(part.text for part in letter.evidence if part.type != "message/delivery-status")
    text = "\n".join(line.text for line in letter.lines)
    headers = returned or text  # older servers put the returned headers into the text
    failed = letter.header("X-Failed-Recipients").replace(",", " ").split()
    recipients = dict.fromkeys(address.lower() for address in [*_RECIPIENT.findall(reports), *failed])
    status = _status(reports) or _text_status(text)
    return Bounce(
        outcome=_outcome(reports, status),
        status=status,
        recipients=tuple(recipients),
        outbox=_first(_OUTBOX, headers),
        message_id=_first(_MESSAGE_ID, headers),
        tags=tuple(parse_tags(headers)),
    )


def _outcome(reports: str, status: str) -> Outcome:
    action = _first(_ACTION, reports).lower()
    if action in {"delivered", "relayed", "expanded"}:
        return "delivered"
    if action == "delayed" or (action != "failed" and status.startswith("4")):
        return "delayed"
    return "failed"


def _status(reports: str) -> str:
    """Return the worst status in a delivery report."""
    return max((".".join(found) for found in _STATUS.findall(reports)), default="")


def _text_status(text: str) -> str:
    """Return the status that a report without form tells: an enhanced code, else an SMTP reply as `5.0.0`."""
    status, reply = _TEXT_STATUS.search(text), _TEXT_REPLY.search(text)
    if status is not None:
        return status[0]
    return f"{reply[1]}.0.0" if reply else ""


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match else ""
