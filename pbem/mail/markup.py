"""
HTML mail to lines, for letters without a text part.

A small tokenizer of our own: the standard library's parser raises on some declarations and takes quadratic time on some
malformed input in Python 3.11 (CVE-2025-6069). This one looks at each character a bounded number of times, knows no
scripts, styles, links or entities beyond characters, and loads nothing.
"""

import html
import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from pbem.mail.charsets import split_lines

MAX_LENGTH = 400_000
_LONGEST_TAG = 500  # characters in which an element tells what it is
_MOST_OPEN = 50
_NAME = re.compile(r"/?([A-Za-z][A-Za-z0-9:_-]*)")
_SPACE = re.compile(r"[ \t\r\n\f]+")
_HIDDEN = re.compile(r"display\s*:\s*none")
# Outlook marks the head of the old mail with an element, not a container: what follows it is the old mail.
_OLD_MAIL_FOLLOWS = re.compile(r"""\bid\s*=\s*["']?(?:x_)*divRplyFwdMsg\b""", re.IGNORECASE)
# Boxes in which the old mail stands, and sometimes what a person types below it.
_OLD_MAIL_BOX = re.compile(r"yahoo_quoted|\bzmail_extra\b|\bms-outlook-mobile-reference-message\b")
_SIGNATURE_BOX = re.compile(r"""\b(?:id|class)\s*=\s*(?:"[^"]*signature|'[^']*signature|\w*signature)""")
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_SKIPPED = frozenset(["script", "style", "head", "title", "template", "noscript", "svg", "math", "select", "textarea"])
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    ]
)


Place = Literal["", "old", "signature"]
"""Where a line stands: in or below the old mail, as far as a box or an element tells, or in the box of a signature."""


class MarkupLine(Struct, frozen=True):
    """One line of an HTML mail; `depth` counts the quotes around it."""

    text: str
    depth: int = 0
    place: Place = ""


def html_lines(markup: str) -> Iterator[MarkupLine]:
    """Yield the visible lines of *markup*; block elements and `<br>` end a line. Never raises."""
    reader = _Reader()
    for tag, text in _tokens(markup[:MAX_LENGTH]):
        if tag:
            reader.tag(tag)
        else:
            reader.text(text)
        yield from reader.take()
    reader.end()
    yield from reader.take()


def _tokens(markup: str) -> Iterator[tuple[str, str]]:
    """Yield (tag without its brackets, "") or ("", text), in order; comments and skipped elements are left out."""
    position = 0
    while position < len(markup):
        start = markup.find("<", position)
        if start < 0:
            start = len(markup)
        if start > position:
            yield "", markup[position:start]
        position = start
        if position == len(markup):
            return
        name = _NAME.match(markup, position + 1)
        if name is None:
            position = _after_declaration(markup, position)
            if position == start:  # a lone "<"
                yield "", "<"
                position += 1
            continue
        end = _tag_end(markup, name.end())
        tag = markup[start + 1 : end]
        position = end + 1
        if name[1].lower() in _SKIPPED and not tag.startswith("/") and not tag.endswith("/"):
            close = re.compile(f"</{name[1]}", re.IGNORECASE).search(markup, position)
            position = close.start() if close else len(markup)
        yield tag, ""


def _after_declaration(markup: str, position: int) -> int:
    """Return where a comment or declaration ends; *position* itself if there is none."""
    if markup.startswith("<!--", position):
        end = markup.find("-->", position + 4)
        return len(markup) if end < 0 else end + 3
    if markup.startswith(("<!", "<?", "</"), position):
        end = markup.find(">", position)
        return len(markup) if end < 0 else end + 1
    return position


def _tag_end(markup: str, position: int) -> int:
    """Return the index of the `>` that ends a tag; one inside an open double quote does not."""
    end = markup.find(">", position)
    if end >= 0 and markup.count('"', position, end) % 2:
        closing = markup.find('"', end)
        again = markup.find(">", closing) if 0 <= closing < end + 2_000 else -1
        end = again if again >= 0 else end
    return len(markup) if end < 0 else end


class _Element(Struct, frozen=True):
    """An open element, and what it means for the lines inside."""

    name: str
    is_quote: bool
    is_hidden: bool
    is_old: bool
    is_signature: bool


class _Reader:
    """Collects lines while the tokens go by."""

    def __init__(self) -> None:
        self._lines: list[MarkupLine] = []
        self._words: list[str] = []
        self._open: list[_Element] = []
        self._depth = 0
        self._hidden = 0
        self._old = 0
        self._signature = 0
        self._preformatted = 0

    def tag(self, tag: str) -> None:
        match = _NAME.match(tag)
        assert match is not None
        name = match[1].lower()
        closing = tag.startswith("/")
        if name == "br" or name in _BLOCKS:
            self._end_line()
        elif name in {"td", "th"}:
            self._words.append(" ")
        if closing:
            self._close(name)
        elif name not in _VOID and not tag.endswith("/"):
            self._enter(name, tag)
        if not closing and "=" in tag and _OLD_MAIL_FOLLOWS.search(tag[:_LONGEST_TAG]):
            self._old += 1  # to the end: never closed

    def text(self, text: str) -> None:
        if self._hidden:
            return
        text = html.unescape(text)
        if not self._preformatted:
            self._words.append(_SPACE.sub(" ", text))
            return
        first, *rest = re.split("\r\n|[\r\n]", text)
        self._words.append(first)
        for line in rest:
            self._end_line()
            self._words.append(line)

    def take(self) -> list[MarkupLine]:
        """Return the lines that have ended since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def end(self) -> None:
        """End the last line."""
        self._end_line()

    def _enter(self, name: str, tag: str) -> None:
        start = tag[:_LONGEST_TAG].lower()
        element = _Element(
            name,
            name == "blockquote",
            "display" in start and _HIDDEN.search(start) is not None,
            _OLD_MAIL_BOX.search(start) is not None,
            "signature" in start and _SIGNATURE_BOX.search(start) is not None,
        )
        self._open.append(element)
        self._count(element, 1)

    def _close(self, name: str) -> None:
        """Close the nearest open *name* and what was left open inside it; a stray end tag is nothing."""
        for index in range(len(self._open) - 1, max(-1, len(self._open) - _MOST_OPEN), -1):
            if self._open[index].name == name:
                for element in self._open[index:]:
                    self._count(element, -1)
                del self._open[index:]
                return

    def _count(self, element: _Element, by: int) -> None:
        self._depth += by * element.is_quote
        self._hidden += by * element.is_hidden
        self._old += by * element.is_old
        self._signature += by * element.is_signature
        self._preformatted += by * (element.name == "pre")

    def _end_line(self) -> None:
        text = "".join(self._words)
        if not self._preformatted:
            text = _SPACE.sub(" ", text)
        self._words = []
        place: Place = "signature" if self._signature else "old" if self._old else ""
        for line in split_lines(text):
            self._lines.append(MarkupLine(line.strip(), self._depth, place))
