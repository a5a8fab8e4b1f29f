"""
Bytes to a `Letter`: `read_letter` never raises, whatever bytes come.

Decoding is in `charsets`, the tree of parts in `mime`, the choice of the body in `body`, its lines in `lines` and
`markup`; what the person wrote is told apart in `quotes`.
"""

import hashlib
import re
from typing import Literal

from msgspec import Struct

from pbem.mail.body import Attachment, Body, Evidence, read_body
from pbem.mail.charsets import decode_header
from pbem.mail.lines import Line
from pbem.mail.mime import Headers, Part, parse_part

__all__ = ["Address", "Attachment", "Evidence", "Kind", "Letter", "Line", "read_letter"]

Kind = Literal["normal", "empty", "encrypted", "calendar", "bounce", "receipt", "forward-only"]

_RECIPIENT_HEADERS = (
    "to",
    "cc",
    "delivered-to",
    "x-original-to",
    "envelope-to",
    "x-envelope-to",
    "x-delivered-to",
    "resent-to",
)
_ID = re.compile(r"<[^<>\s]{1,900}>")
_ADDRESS_BREAK = re.compile(r"[\s<>(),;:\"\[\]]+")
_ENCRYPTED = frozenset(["multipart/encrypted", "application/pgp-encrypted", "application/x-microsoft-rpmsg-message"])
_SMIME = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_WINMAIL = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})


class Address(Struct, frozen=True):
    """One mailbox as a header names it: `address` in lower case, empty if there is none; `name` may be empty."""

    address: str
    name: str = ""


class Letter(Struct, frozen=True):
    """
    What one mail says, decoded.

    Shape:  `recipients` are lower-case addresses of To, Cc, Delivered-To and relatives; `references` has In-Reply-To
            last; `headers` are in the order of the mail, decoded; `problems` are keys, worth a word only where orders
            are missing; `whole_text` tells whether something else follows the text, so that the text is whole even
            where the end of the mail is missing.
    Units:  `size` in bytes.
    """

    sender: Address
    reply_to: Address
    recipients: tuple[str, ...]
    subject: str
    message_id: str
    references: tuple[str, ...]
    date: str  # as written; display only, no deadline looks at it
    headers: Headers
    kind: Kind
    lines: tuple[Line, ...]
    attachments: tuple[Attachment, ...]
    evidence: tuple[Evidence, ...]
    problems: tuple[str, ...]
    body_hash: str  # SHA-256 of the unquoted text and the text files, white space folded
    raw_hash: str  # SHA-256 of all bytes: the identity of a letter without Message-ID
    size: int
    whole_text: bool

    def header(self, name: str) -> str:
        """Return the first header *name*, whatever its case; empty if there is none."""
        return next(iter(self.all_headers(name)), "")

    def all_headers(self, name: str) -> tuple[str, ...]:
        """Return every header *name*, whatever its case."""
        wanted = name.lower()
        return tuple(value for key, value in self.headers if key.lower() == wanted)

    def has_header(self, name: str) -> bool:
        """Return whether there is a header *name*, also an empty one."""
        return bool(self.all_headers(name))


def read_letter(raw: bytes) -> Letter:
    """Return what *raw* says; never raises."""
    root = parse_part(raw)
    body = read_body(root)
    senders = _raw_headers(root, "from")
    problems = body.problems if len(senders) == 1 else (*body.problems, "sender.unclear")
    if _WINMAIL.intersection(body.types):
        problems = (*problems, "winmail")
    return Letter(
        sender=_address(senders),
        reply_to=_address(_raw_headers(root, "reply-to")),
        recipients=_recipients(root),
        subject=_first(root, "subject"),
        message_id=_message_id(root),
        references=_references(root),
        date=_first(root, "date"),
        headers=tuple((name, decode_header(value)) for name, value in root.headers),
        kind=_kind(root, body),
        lines=body.lines,
        attachments=body.attachments,
        evidence=body.evidence,
        problems=problems,
        body_hash=_body_hash(body),
        raw_hash=hashlib.sha256(raw).hexdigest(),
        size=len(raw),
        whole_text=_is_text_whole(root, body),
    )


def _kind(root: Part, body: Body) -> Kind:
    """Return the kind of letter, from its parts; the first that fits."""
    types = set(body.types)
    has_text = any(line.text and not line.quoted for line in body.lines)
    if "message/delivery-status" in types or root.parameters.get("report-type", "").lower() == "delivery-status":
        return "bounce"
    if "message/disposition-notification" in types:
        return "receipt"
    if types & _ENCRYPTED or types & _SMIME or ("pgp.inline" in body.problems and not has_text):
        return "encrypted"
    if "text/calendar" in types and (not has_text or _is_calendar_answer(root)):
        return "calendar"
    if has_text or body.attachments:
        return "normal"
    return "forward-only" if "message/rfc822" in types else "empty"


def _is_text_whole(root: Part, body: Body) -> bool:
    """Return whether there is text, and the last part of the mail is not text."""
    *_, last = (part for part in root.walk() if not part.parts)
    return any(line.text for line in body.lines) and not last.type.startswith(("text/", "multipart/"))


def _is_calendar_answer(root: Part) -> bool:
    """Return whether a person pressed accept or decline: METHOD is REPLY or COUNTER."""
    methods = {part.parameters.get("method", "").upper() for part in root.walk() if part.type == "text/calendar"}
    return bool(methods & {"REPLY", "COUNTER", "DECLINECOUNTER"})


def _raw_headers(root: Part, name: str) -> list[str]:
    return [value for key, value in root.headers if key.lower() == name]


def _first(root: Part, name: str) -> str:
    return decode_header(next(iter(_raw_headers(root, name)), ""))


def _address(values: list[str]) -> Address:
    """Return the address of a header such as From: the one in angle brackets, else the first that there is."""
    value = decode_header(values[0]) if values else ""
    before, bracket, after = value.rpartition("<")
    inside = _addresses(after.partition(">")[0]) if bracket else []
    if inside:
        return Address(inside[0], before.strip().strip("\"'").strip())
    found = _addresses(value)
    return Address(found[0] if found else "")


def _addresses(value: str) -> list[str]:
    """Return everything in *value* that looks like an address, lower case; quoted local parts are not known here."""
    words = (word.strip(".'").lower() for word in _ADDRESS_BREAK.split(value))
    return [word for word in words if word.count("@") == 1 and not word.startswith("@") and not word.endswith("@")]


def _recipients(root: Part) -> tuple[str, ...]:
    values = (value for name in _RECIPIENT_HEADERS for value in _raw_headers(root, name))
    return tuple(dict.fromkeys(address for value in values for address in _addresses(decode_header(value))))


def _message_id(root: Part) -> str:
    value = _first(root, "message-id")
    match = _ID.search(value)
    return match[0] if match else value[:900]


def _references(root: Part) -> tuple[str, ...]:
    answered = _ids(root, "in-reply-to")
    return tuple(dict.fromkeys([*(found for found in _ids(root, "references") if found not in answered), *answered]))


def _ids(root: Part, name: str) -> list[str]:
    return [found for value in _raw_headers(root, name) for found in _ID.findall(decode_header(value))]


def _body_hash(body: Body) -> str:
    own = [line.text for line in body.lines if not line.quoted]
    words = " ".join([*own, *(line for file in body.attachments for line in file.lines)]).split()
    return hashlib.sha256(" ".join(words).encode("utf-8", "surrogatepass")).hexdigest()
