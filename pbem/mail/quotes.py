"""
What the person wrote, told apart from quotes, footers and signatures; nothing is dropped in silence.

The signals themselves are in `signals`, strongest first.
"""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from pbem.mail.body import all_texts
from pbem.mail.known import Known
from pbem.mail.letter import Letter, Line, read_letter
from pbem.mail.marker import MARKER, is_marker
from pbem.mail.mime import parse_part
from pbem.mail.signals import IsOrder, Reason, sort_lines

__all__ = ["Ignored", "IsOrder", "Known", "OwnWords", "Reason", "Written", "own_words", "paragraphs", "read_known"]

_LONGEST_PARAGRAPH = 2_000
_WRAPPED_FROM = 60  # characters: no mail client breaks shorter lines


class Written(Struct, frozen=True):
    """A line that the person wrote; `number` is its place among the non-empty lines of the body, from 1."""

    number: int
    text: str


class Ignored(Struct, frozen=True):
    """A line that is not read as an order, and why."""

    number: int
    text: str
    reason: Reason


class OwnWords(Struct, frozen=True):
    """The non-empty lines of a body: every one is either in `written` or in `ignored`, both in order."""

    written: tuple[Written, ...]
    ignored: tuple[Ignored, ...]


def own_words(letter: Letter, known: Known | Sequence[str] = (), is_order: IsOrder | None = None) -> OwnWords:
    """
    Return the lines of *letter* that its sender wrote, and the others with the reason.

    Shape:  *known* is the mail that this letter answers, or its lines in order; *is_order* tells whether a whole line
            reads like an order, so that a weak signal does not take it away. Without it short lines are kept.
    """
    is_order = is_order and cache(is_order)
    lines = paragraphs(letter.lines, is_order)
    written: list[Written] = []
    ignored: list[Ignored] = []
    reasons = sort_lines(lines, known if isinstance(known, Known) else Known(tuple(known)), is_order)
    for number, (line, reason) in enumerate(zip(lines, reasons, strict=True), start=1):
        if reason is None:
            written.append(Written(number, line.text))
        else:
            ignored.append(Ignored(number, line.text, reason))
    return OwnWords(tuple(written), tuple(ignored))


def read_known(raw: bytes) -> Known:
    """Return what is known of a mail of ours: the lines of its text and of its HTML, and how its sender is called."""
    sender = read_letter(raw).sender
    lines = tuple(line.text for line in all_texts(parse_part(raw)))
    return Known(lines, tuple(name for name in (sender.name, sender.address) if name))


def paragraphs(lines: Sequence[Line], is_order: IsOrder | None = None) -> list[Line]:
    """
    Return the non-empty *lines* with what a mail client broke joined again (format=flowed).

    Two lines that each read like an order stay two, unless the first is so long that a mail client broke it and both
    together are an order: phones leave a space at a person's own line end, which then looks soft. Words before our
    marker on its line become a line of their own: some mail clients lose the line ends of a tapped link.
    """
    joined: list[Line] = []
    before = Line("")
    for line in lines:
        if not line.text.strip():
            before = line
            continue
        joint = before.joint if before.text and before.depth == line.depth else None
        if joint is not None and _must_part(before.text, line.text.strip(), joint, is_order):
            joint = None
        if joint is None or len(joined[-1].text) > _LONGEST_PARAGRAPH:
            joined += _around_marker(line)
        else:
            joined[-1] = replace(joined[-1], text=joined[-1].text + joint + line.text.strip())
        before = line
    return joined


def _must_part(before: str, after: str, joint: str, is_order: IsOrder | None) -> bool:
    """
    Return whether two lines stay two although the first has a soft end: a marker, or two orders.

    A mail client breaks long lines alone (with DelSp it may do so within a word); a shorter one is the person's.
    """
    if is_marker(after):
        return True
    is_full = not joint or len(before) + len(joint) + len(after.partition(" ")[0]) > _WRAPPED_FROM
    if not is_full and not is_marker(before):
        return True
    if is_order is None or not (is_order(before) and is_order(after)):
        return False
    return not (is_full and is_order(before + joint + after))


def _around_marker(line: Line) -> list[Line]:
    """Return *line*, or two: the words before our marker and the marker."""
    text = line.text.strip()
    match = MARKER.search(text)
    before = text[: match.start()].strip() if match and not line.quoted else ""
    if match is None or not before:
        return [replace(line, text=text, joint=None)]
    return [replace(line, text=before, joint=None), replace(line, text=text[match.start() :], joint=None)]
