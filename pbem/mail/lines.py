"""Text to lines: quote marks counted, soft line ends noted."""

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.mail.charsets import split_lines
from pbem.mail.markup import MarkupLine, Place

_MAX_LINE = 2_000
_QUOTE = re.compile(r" ?(?:> ?)+")
_FLOWED_QUOTE = re.compile(r">+")
_OTHER_QUOTE = re.compile(r" ?(\|(?!.*\|$)|:|[A-Za-z]{1,4}>)(?: |$)")  # bars (of no table), colons, initials
_OTHER_QUOTES = 3  # neighbouring lines that show that such a mark is one
_SIGNATURE_MARK = "-- "
_MBOX_FROM = ">From "


class Line(Struct, frozen=True):
    """
    One line of the chosen body; `depth` counts its quote marks, `text` is without them.

    Shape: `joint` is what stands between this line and the next where a mail client broke one paragraph
           (format=flowed); None where the person ended the line. `place` is what HTML tells besides.
    """

    text: str
    depth: int = 0
    joint: str | None = None
    place: Place = ""

    @property
    def quoted(self) -> bool:
        """Whether the line stands behind a quote mark."""
        return self.depth > 0


def plain_lines(text: str, *, flowed: bool = False, delsp: bool = False) -> list[Line]:
    """Return the lines of a text part, quote marks counted and taken off."""
    written = _without_mbox_marks(split_lines(text))
    if flowed:
        return [_flowed_line(line, delsp) for line in written]
    return _with_other_quotes([_fixed_line(line) for line in written])


def marked_line(line: MarkupLine) -> Line:
    """Return a line of HTML."""
    return Line(line.text[:_MAX_LINE], line.depth, place=line.place)


def _fixed_line(line: str) -> Line:
    match = _QUOTE.match(line)
    if match is None:
        return Line(_tidy(line))
    return Line(_tidy(line[match.end() :]), match[0].count(">"))


def _flowed_line(line: str, delsp: bool) -> Line:  # noqa: FBT001 - private
    """Return a line of a format=flowed text (RFC 3676): stuffing taken off, a soft end noted; DelSp takes one space."""
    match = _FLOWED_QUOTE.match(line)
    depth = len(match[0]) if match else 0
    text = line[depth:].removeprefix(" ")
    if text == _SIGNATURE_MARK or not text.endswith(" "):
        return Line(_tidy(text), depth)
    joint = "" if delsp and not text.endswith("  ") else " "
    return Line(text[:_MAX_LINE].rstrip(" "), depth, joint)


def _tidy(text: str) -> str:
    """Return *text* without spaces at its end, unless they are part of the signature mark."""
    return text if text == _SIGNATURE_MARK else text[:_MAX_LINE].rstrip()


def _without_mbox_marks(lines: list[str]) -> list[str]:
    """Return *lines* without the mark that mbox files put before a person's "From ": it stands in no quote."""
    for index, line in enumerate(lines):
        if line.startswith(_MBOX_FROM) and not any(
            other.startswith(">") for other in (*lines[max(0, index - 1) : index], *lines[index + 1 : index + 2])
        ):
            lines[index] = line[1:]
    return lines


def _with_other_quotes(lines: list[Line]) -> list[Line]:
    """Return *lines* with quote marks other than ">" taken off: those that several neighbouring lines begin with."""
    found = [None if line.depth else _OTHER_QUOTE.match(line.text) for line in lines]
    marks = [match[1] if match else "" for match in found]
    runs = zip(*(marks[shift:] for shift in range(_OTHER_QUOTES)), strict=False)
    known = {run[0] for run in runs if run[0] and len(set(run)) == 1}
    if not known:
        return lines
    return [
        replace(line, text=line.text[match.end() :].lstrip(), depth=1) if match and match[1] in known else line
        for line, match in zip(lines, found, strict=True)
    ]


def is_any_text(lines: Sequence[Line]) -> bool:
    """Return whether *lines* hold any text."""
    return any(line.text.strip() for line in lines)
