"""
What the person wrote, told apart from quotes, footers and signatures; nothing is dropped in silence.

The signals themselves are in `signals`, strongest first.
"""

from collections.abc import Sequence

from msgspec import Struct

from pbem.mail.letter import Letter, Line
from pbem.mail.marker import MARKER, is_marker
from pbem.mail.signals import IsOrder, Reason, Sorter

__all__ = ["Ignored", "IsOrder", "OwnWords", "Reason", "Written", "own_words", "paragraphs"]

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


def own_words(letter: Letter, known: Sequence[str] = (), is_order: IsOrder | None = None) -> OwnWords:
    """
    Return the lines of *letter* that its sender wrote, and the others with the reason.

    Shape:  *known* are the lines of the mail that this letter answers, in its order; *is_order* tells whether a whole
            line reads like an order, so that a weak signal does not take it away. Without it short lines are kept.
    """
    lines = paragraphs(letter.lines, is_order)
    written: list[Written] = []
    ignored: list[Ignored] = []
    reasons = Sorter(lines, known, is_order).reasons()
    for number, (line, reason) in enumerate(zip(lines, reasons, strict=True), start=1):
        if reason is None:
            written.append(Written(number, line.text))
        else:
            ignored.append(Ignored(number, line.text, reason))
    return OwnWords(tuple(written), tuple(ignored))


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
            joined[-1] = Line(joined[-1].text + joint + line.text.strip(), line.depth)
        before = line
    return joined


def _must_part(before: str, after: str, joint: str, is_order: IsOrder | None) -> bool:
    """Return whether two lines stay two although the first has a soft end: a marker, or two orders."""
    if is_marker(after):
        return True
    if is_order is None or not (is_order(before) and is_order(after)):
        return False
    is_full = len(before) + len(joint) + len(after.partition(" ")[0]) > _WRAPPED_FROM
    return not (is_full and is_order(before + joint + after))


def _around_marker(line: Line) -> list[Line]:
    """Return *line*, or two: the words before our marker and the marker."""
    text = line.text.strip()
    match = MARKER.search(text)
    before = text[: match.start()].strip() if match and not line.quoted else ""
    if match is None or not before:
        return [Line(text, line.depth)]
    return [Line(before, line.depth), Line(text[match.start() :], line.depth)]
