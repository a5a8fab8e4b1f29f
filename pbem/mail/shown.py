"""
The line ends of a text part as a person saw them: those of the HTML part beside it.

Some mail programs break long lines in the text that they make of HTML, some lose line ends there. Where the two parts
have the same words, the line ends of the HTML part count; where they differ, the text stays as it is.
"""

from collections.abc import Iterable, Sequence
from itertools import islice, takewhile

from msgspec import Struct
from msgspec.structs import replace

from pbem.mail.lines import Line, marked_line
from pbem.mail.markup import MarkupLine

_WRAPPED_FROM = 60  # characters: no mail client breaks shorter lines
_MOST_LINES = 300  # that a person writes
_LONGEST = 2_000
_FURTHER = 30  # lines of HTML in which the next line of text is looked for
_MOST_PIECES = 12


class _Piece(Struct, frozen=True):
    """A line of either part, and its letters and digits alone."""

    line: Line
    letters: str


def as_shown(lines: Sequence[Line], shown: Iterable[MarkupLine]) -> list[Line]:
    """Return *lines* with the line ends of *shown*, as far as the first quote in either."""
    own = takewhile(lambda one: not one.depth and one.place != "old", shown)
    there = [piece for piece in map(_piece, map(marked_line, islice(own, _MOST_LINES))) if piece.letters]
    here = [_piece(line) for line in takewhile(lambda one: not one.depth, lines[:_MOST_LINES])]
    merged: list[Line] = []
    place, index = 0, 0
    while index < len(here):
        found = _find(there, place, here, index) if here[index].letters else None
        if found is None:
            merged.append(here[index].line)
            index += 1
            continue
        start, used, taken = found
        merged += _merge(here[index : index + taken], there[start : start + used])
        place, index = start + used, index + taken
    return [*merged, *lines[len(here) :]]


def _piece(line: Line) -> _Piece:
    return _Piece(line, "".join(filter(str.isalnum, line.text[:_LONGEST])))


def _find(there: Sequence[_Piece], place: int, here: Sequence[_Piece], index: int) -> tuple[int, int, int] | None:
    """Return where *there* the line at *index* begins, and how many lines there and here are the same text."""
    for start in range(place, min(place + _FURTHER, len(there))):
        used, taken = 1, 1
        shown, text = there[start].letters, here[index].letters
        while shown != text and max(used, taken) < _MOST_PIECES:
            if text.startswith(shown) and start + used < len(there):
                shown += there[start + used].letters
                used += 1
            elif shown.startswith(text) and _is_rest(here, index + taken):
                text += here[index + taken].letters
                taken += 1
            else:
                break
        if shown == text and min(used, taken) == 1:
            return start, used, taken
    return None


def _is_rest(here: Sequence[_Piece], index: int) -> bool:
    """Return whether the line at *index* may be the rest of a full one right above it."""
    if index >= len(here):
        return False
    before, after = here[index - 1].line.text, here[index].line.text.strip()
    return bool(after) and len(before) + len(after.partition(" ")[0]) >= _WRAPPED_FROM


def _merge(here: Sequence[_Piece], there: Sequence[_Piece]) -> list[Line]:
    """Return one text that stands as *here* in the text part and as *there* in the HTML part."""
    if len(there) > 1:
        return [piece.line for piece in there]
    *soft, last = (replace(piece.line, place=there[0].line.place) for piece in here)
    return [*(replace(line, joint=" " if line.joint is None else line.joint) for line in soft), last]
