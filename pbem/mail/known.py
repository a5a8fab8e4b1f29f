"""
The text of a mail of ours that a letter answers, so that it is found again however a mail client changed it.

Compared are words alone: wrapped anew, in tables, with bullets or links written out, they are the same.
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from pbem.mail.phrases import fold

_WORD = re.compile(r"[^\W_]+")
_PIECE = 14  # characters from which a piece of a known line is no chance
_LONGEST_PIECE = 80
# How mail clients write a link out: behind its text, around it, on a line below.
_LINK = re.compile(
    r"<(?:mailto:|https?://|[^<>\s@]+@[^<>\s?]+\?)[^<>]*>|\]\((?:mailto:|https?://)[^()]*\)|mailto:\S+", re.IGNORECASE
)
_OUR_LINK = re.compile(r"(?:mailto:|[<(\[])[^\s<>?()]{1,100}@[^\s<>?()]{1,200}\?\S*\b(?:body|subject)=", re.IGNORECASE)


class Known(Struct, frozen=True):
    """What is known of the mail that a letter answers: its lines in order, and how its sender is called."""

    lines: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class KnownText:
    """The words of known lines, to look lines up in."""

    def __init__(self, lines: Sequence[str]) -> None:
        """Take *lines* in their order, as `Known` has them."""
        words = [text for text in map(words_of, lines) if text]
        self._lines = frozenset(words)
        self._text = f" {' '.join(words)} "
        self._broken = " {} ".format(" \n ".join(words))

    def __bool__(self) -> bool:
        """Return whether anything is known."""
        return bool(self._lines)

    def holds(self, words: str) -> bool:
        """Return whether *words*, as `words_of` gives them, stand in the text in one piece."""
        return bool(words) and f" {words} " in self._text

    def is_certain(self, words: str) -> bool:
        """Return whether *words* are a whole line, or a piece so long that it is no chance."""
        return words in self._lines or (len(words) >= _PIECE and self.holds(words))

    def runs_on(self, before: str, after: str) -> bool:
        """Return whether *after* follows *before* in the text."""
        return _seam(before, after) in self._text

    def goes_on(self, before: str, after: str) -> bool:
        """Return whether *after* follows *before* within one line of the text."""
        return _seam(before, after) in self._broken


def _seam(before: str, after: str) -> str:
    start = before[-_LONGEST_PIECE:] if len(before) > _LONGEST_PIECE else f" {before}"
    end = after[:_LONGEST_PIECE] if len(after) > _LONGEST_PIECE else f"{after} "
    return f"{start} {end}"


def words_of(line: str) -> str:
    """Return the words of *line*, folded, a space between two; links are left out."""
    if "@" in line or "/" in line:
        line = _LINK.sub(" ", line)
    return " ".join(_WORD.findall(fold(line)))


def is_our_link(line: str) -> bool:
    """Return whether *line* holds a link that opens a mail with its text filled in, as ours have them."""
    return "=" in line and _OUR_LINK.search(line) is not None


def folded_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return *names*, names and addresses, as lines are compared with them; too short ones are no sign."""
    return tuple(dict.fromkeys(one for one in map(fold, names) if len(one) > 2))  # noqa: PLR2004
