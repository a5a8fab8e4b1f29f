"""The body of a letter: which part is read, as which lines, and what came with it."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.mail.charsets import split_lines
from pbem.mail.lines import Line, is_any_text, marked_line, plain_lines
from pbem.mail.markup import html_lines
from pbem.mail.mime import Part, split_headers
from pbem.mail.shown import as_shown

MAX_LINES = 5_000
_MAX_LINE = 2_000
_MAX_EVIDENCE = 20_000
_READ = frozenset({"text/plain", "text/html", "application/pgp"})  # the last: how mail programs of 1998 wrote OpenPGP
_ARMOUR = re.compile(r"-----(BEGIN|END) PGP (SIGNED MESSAGE|SIGNATURE|MESSAGE)-----\s*\Z")


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


def all_texts(root: Part) -> Iterator[Line]:
    """Yield the lines of every text in *root*: a mail client quotes one of the alternatives, we do not know which."""
    for part in root.walk():
        if part.type == "text/html" and not _is_file(part):
            yield from (marked_line(line) for line in html_lines(part.text()[0]))
        elif part.type == "text/plain" and not _is_file(part):
            yield from plain_lines(part.text()[0])


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
    if _is_file(part) or part.type not in _READ:
        return []
    text, is_labelled = part.text()
    if not is_labelled and part.data and part.parameters.get("charset"):
        problems["charset.guessed"] = None
    if part.type == "text/html":
        problems["html"] = None
        return [marked_line(line) for line in html_lines(text)]
    flowed = part.parameters.get("format", "").lower() == "flowed"
    return plain_lines(text, flowed=flowed, delsp=part.parameters.get("delsp", "").lower() == "yes")


def _best(parts: Sequence[Part], problems: dict[str, None]) -> list[Line]:
    """Return the lines of the first alternative that has any: text before HTML."""
    for part in sorted(parts, key=lambda part: part.type != "text/plain"):
        tried: dict[str, None] = {}
        lines = _lines(part, tried)
        if is_any_text(lines):
            if part.type != "text/plain" and any(other.type == "text/plain" for other in parts):
                problems["plain.empty"] = None
            problems.update(tried)
            return _as_shown(lines, parts) if part.type == "text/plain" else lines
    return []


def _as_shown(lines: list[Line], parts: Sequence[Part]) -> list[Line]:
    """Return *lines* of a text part with the line ends of the HTML part among *parts*, if there is one."""
    inner = (one for part in parts for one in part.walk())
    html = next((part for part in inner if part.type == "text/html" and not _is_file(part)), None)
    return lines if html is None else as_shown(lines, html_lines(html.text()[0]))


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
                kept.append(replace(line, text=line.text.removeprefix("- ")) if state == "signed" else line)
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
