"""
What an answer of an outgoing server means for a mail: whose fault it is, and whether to try again.

The enhanced code (RFC 3463) decides where there is one, then the words, then the plain code. Words are needed for one
thing: no code says in every server's mouth that *we* sent too much. Those below stand in the public pages of
Google, Microsoft, IONOS, StartMail and cPanel, and in the sources of rspamd, Postfix and policyd.
"""

import re
from typing import Literal

from pbem.mail.ports import Delivery, Outcome

Stage = Literal["session", "sender", "recipient", "content"]
"""What was answered: greeting and login, `MAIL`, `RCPT`, or `DATA` and the mail itself."""

PERMANENT = 500
SHUTTING_DOWN = 421

_LONGEST = 300
_ENHANCED = re.compile(r"\s*[245]\.(\d{1,3}\.\d{1,3})\b")
_NOT_OUR_LIMIT = re.compile(
    r"gr[ae]y-?list|\bsize\b|user you are trying to contact|RCPT domain|over ?quota|(?:this|per) (?:connection|session)"
    r"|(?:mail ?box|inbox|storage|disk)\b[^.;]{0,30}(?:full|quota|exceeded)|quota[^.;]{0,30}mail ?box",
    re.IGNORECASE,
)
_OUR_LIMIT = re.compile(
    r"rate[ -]?limit|throttl|too fast|server busy|unusual (?:rate|sending)"
    r"|too (?:many|much) (?:e-?mails?|mails?|messages?|recipients|(?:\w+ )?connections)"
    r"|(?:limit|rate|quota|maximum)\w*(?: [\w'\"<>@.-]+){0,5} (?:exceeded|reached)"
    r"|quota ?exceeded|exceed(?:ed|s|ing)?(?: [\w'\"<>@.-]+){0,5} (?:limit|quota|max)"
    r"|(?:messages|mails|emails|recipients|failures) per (?:second|minute|hour|day)",
    re.IGNORECASE,
)

_CONGESTION = "4.5"  # Gmail's daily limit is a 5.4.5
_MAILBOX_FULL = "2.2"
_POLICY = "7."
_LOGIN_WANTED = frozenset({530, 534, 535, 538})
_SENDER = frozenset({"1.7", "1.8"})
_SENDER_CODES = frozenset({550, 553})
_RECIPIENT = frozenset({"1.0", "1.1", "1.2", "1.3", "1.4", "1.6", "1.10", "2.1", "2.2", "4.1", "4.4"})
"""
Details of enhanced codes that are about the recipient: no such mailbox or domain, moved, closed, full.

1.7 and 1.8 are about the sender, 1.9 about its server. 4.1 is what Exchange Online says of who is not in its directory.
"""
_RECIPIENT_CODES = frozenset({550, 551, 553})
"""Likewise for answers to `RCPT` without an enhanced code; 552 and 554 are about room and policy."""


def read_answer(code: int, text: str, stage: Stage) -> Delivery:
    """Return what an answer other than the hoped-for one means."""
    text = clean(text)
    return Delivery(_outcome(code, text, stage), code, text)


def is_about_us(code: int, text: str, stage: Stage) -> bool:
    """Return whether a refusal would meet every mail of ours: a login is wanted, or our address is not taken."""
    if code in _LOGIN_WANTED:
        return stage != "content"
    detail = _detail(text)
    named = detail in _SENDER or detail.startswith(_POLICY) if detail else code in _SENDER_CODES
    return stage == "sender" and code >= PERMANENT and named and not _is_throttled(code, text, detail, stage)


def clean(text: str) -> str:
    """Return what a server said as one line that can be kept, at most 300 characters."""
    line = " ".join(text.encode(errors="replace").decode().split())
    return "".join(char for char in line if char.isprintable())[:_LONGEST]


def _outcome(code: int, text: str, stage: Stage) -> Outcome:
    detail = _detail(text)
    if _is_throttled(code, text, detail, stage):
        return "throttled"
    if code < PERMANENT:
        return "later"
    if stage in ("session", "sender"):
        return "refused"
    about_recipient = detail in _RECIPIENT if detail else stage == "recipient" and code in _RECIPIENT_CODES
    return "unreachable" if about_recipient else "refused"


def _detail(text: str) -> str:
    """Return subject and detail of the enhanced code that *text* begins with, like `1.1`."""
    match = _ENHANCED.match(text)
    return match[1] if match else ""


def _is_throttled(code: int, text: str, detail: str, stage: Stage) -> bool:
    """Return whether the server takes no more from us for a while."""
    if detail == _MAILBOX_FULL:
        return stage != "recipient"  # our own box, where sent mail is kept
    if _NOT_OUR_LIMIT.search(text) and "throttled" not in text:
        return False
    hung_up = code == SHUTTING_DOWN and detail.startswith(_POLICY) and stage != "recipient"
    return detail == _CONGESTION or hung_up or _OUR_LIMIT.search(text) is not None
