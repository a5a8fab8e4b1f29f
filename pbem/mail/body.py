"""The body of a letter: which part is read, as which lines, and what came with it."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from pbem.mail.charsets import split_lines
from pbem.mail.markup import html_lines
from pbem.mail.mime import Part, split_headers

MAX_LINES = 5_000
_MAX_LINE = 2_000
_MAX_EVIDENCE = 20_000
_QUOTE = re.compile(r" ?(?:> ?)+")
_FLOWED_QUOTE = re.compile(r">+")
_ARMOUR = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE|MESSAGE)-----\s*\Z")
_SIGNATURE_MARK = "-- "


class Line(Struct, frozen=True):
    """
    One line of the chosen body; `depth` counts its quote marks, `text` is without them.

    Shape: `joint` is what stands between this line and the next where a mail client broke one paragraph
           (format=flowed); None where the person ended the line.
    """

    text: str
    depth: int = 0
    joint: str | None = None

    @property
    def quoted(self) -> bool:
        """Whether the line stands behind a quote mark."""
        return self.depth > 0


class Attachment(Struct, frozen=True):
    """A named text file that came with the letter, as lines."""

    name: str
    lines: tuple[str, ...]


class Evidence(Struct, frozen=True):
    """A part that is kept but never read as orders: a delivery status, the headers of a returned or forwarded mail."""

    type: str
    text: str


class Body(Struct, frozen=True):
    """What `read_body` found; `problems` are keys, `types` the types of all parts, in order."""

    lines: tuple[Line, ...]
    attachments: tuple[Attachment, ...]
    evidence: tuple[Evidence, ...]
    problems: tuple[str, ...]
    types: tuple[str, ...]


def read_body(root: Part) -> Body:
    """Return the lines, attachments and evidence of *root*; nothing inside an attached mail is read as text."""
    problems: dict[str, None] = {}
    lines = _without_armour(_lines(root, problems), problems)
    if len(lines) > MAX_LINES:
        problems["lines.too-many"] = None
    parts = list(root.walk())
    for part in parts:
        problems.update(dict.fromkeys(part.problems))
    return Body(
        lines=tuple(lines[:MAX_LINES]),
        attachments=tuple(_attachment(part, problems) for part in parts if _is_text_file(part)),
        evidence=tuple(_evidence(part) for part in parts if _is_evidence(part)),
        problems=tuple(problems),
        types=tuple(part.type for part in parts),
    )


def plain_lines(text: str, *, flowed: bool = False, delsp: bool = False) -> list[Line]:
    """Return the lines of a text part, quote marks counted and taken off."""
    return [_flowed_line(line, delsp) if flowed else _fixed_line(line) for line in split_lines(text)]


def _lines(part: Part, problems: dict[str, None]) -> list[Line]:
    """Return the lines that a person would see; *problems* collects keys."""
    if part.type == "multipart/alternative":
        return _best(part.parts, problems)
    if part.type in {"multipart/related", "multipart/signed"}:
        if part.type == "multipart/signed":
            problems["signed"] = None
        return _lines(part.parts[0], problems) if part.parts else []
    if part.parts:
        return [line for inner in part.parts for line in _lines(inner, problems)]
    if _is_file(part) or part.type not in {"text/plain", "text/html"}:
        return []
    text, is_labelled = part.text()
    if not is_labelled and part.data and part.parameters.get("charset"):
        problems["charset.guessed"] = None
    if part.type == "text/html":
        problems["html"] = None
        return [Line(line.text, line.depth) for line in html_lines(text)]
    flowed = part.parameters.get("format", "").lower() == "flowed"
    return plain_lines(text, flowed=flowed, delsp=part.parameters.get("delsp", "").lower() == "yes")


def _best(parts: Sequence[Part], problems: dict[str, None]) -> list[Line]:
    """Return the lines of the first alternative that has any: text before HTML."""
    for part in sorted(parts, key=lambda part: part.type != "text/plain"):
        tried: dict[str, None] = {}
        lines = _lines(part, tried)
        if _has_text(lines):
            if part.type != "text/plain" and any(other.type == "text/plain" for other in parts):
                problems["plain.empty"] = None
            problems.update(tried)
            return lines
    return []


def _fixed_line(line: str) -> Line:
    match = _QUOTE.match(line)
    if match is None:
        return Line(_tidy(line))
    return Line(_tidy(line[match.end() :]), match[0].count(">"))


def _flowed_line(line: str, delsp: bool) -> Line:  # noqa: FBT001 - private
    """Return a line of a format=flowed text (RFC 3676): stuffing taken off, a soft end noted."""
    match = _FLOWED_QUOTE.match(line)
    depth = len(match[0]) if match else 0
    text = line[depth:].removeprefix(" ")
    if text == _SIGNATURE_MARK or not text.endswith(" "):
        return Line(_tidy(text), depth)
    return Line(text[:_MAX_LINE].rstrip(" "), depth, "" if delsp else " ")


def _tidy(text: str) -> str:
    """Return *text* without spaces at its end, unless they are part of the signature mark."""
    return text if text == _SIGNATURE_MARK else text[:_MAX_LINE].rstrip()


def _without_armour(lines: list[Line], problems: dict[str, None]) -> list[Line]:
    """Return *lines* without inline OpenPGP: the signature block goes, the signed text stays."""
    if not any(line.text.startswith("-----BEGIN PGP") for line in lines):
        return lines
    kept: list[Line] = []
    state = "text"
    for line in lines:
        match = _ARMOUR.match(line.text)
        if match is None:
            if state == "headers":
                state = "signed" if not line.text else state
            elif state in {"text", "signed"}:
                kept.append(Line(line.text.removeprefix("- "), line.depth, line.joint) if state == "signed" else line)
        elif match[1] == "END":
            state = "text"
        elif match[2] == "SIGNED MESSAGE":
            state = "headers"
            problems["signed"] = None
        else:
            state = "block"
            if match[2] == "MESSAGE":
                problems["pgp.inline"] = None
    return kept


def _attachment(part: Part, problems: dict[str, None]) -> Attachment:
    text, _ = part.text()
    if part.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = part.data.decode("utf-16", "replace")
    lines = split_lines(text.removeprefix("\ufeff"))
    if len(lines) > MAX_LINES:
        problems["lines.too-many"] = None
    return Attachment(part.name, tuple(line[:_MAX_LINE].rstrip() for line in lines[:MAX_LINES]))


def _evidence(part: Part) -> Evidence:
    data = split_headers(part.data.lstrip())[0] if part.type == "message/rfc822" else part.data
    text = data[:_MAX_EVIDENCE].decode("utf-8", "replace")
    return Evidence(part.type, "\n".join(split_lines(text)))


def _is_file(part: Part) -> bool:
    return part.disposition == "attachment" or bool(part.name)


def _is_text_file(part: Part) -> bool:
    return not part.parts and _is_file(part) and part.name.lower().endswith(".txt")


def _is_evidence(part: Part) -> bool:
    return part.type.startswith("message/") or part.type == "text/rfc822-headers"


def _has_text(lines: Iterable[Line]) -> bool:
    return any(line.text.strip() for line in lines)
