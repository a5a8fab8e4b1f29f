"""
How words lie on the page: the text part's lines, and the links that write an answer.

No words of its own; nothing here knows a game.
"""

import re
from collections.abc import Callable, Iterable
from urllib.parse import quote

WIDTH = 72
"""Columns of the text part."""

GLUE = "\u00a0"
"""A space at which no line is broken; it leaves as a plain space."""

_LEAD = re.compile(r" *(?:\d{1,3}  |[-•■] )?")
_BLANKS = re.compile(r"\n{3,}")


def glue(text: str) -> str:
    """Return *text* such that no line of the text part is broken inside it."""
    return text.replace(" ", GLUE)


def tidy(text: str, width: int = WIDTH) -> str:
    """Return *text* in lines of at most *width* columns, continued under their first word, one blank line in a row."""
    lines: list[str] = []
    for line in text.splitlines():
        lines.extend(_wrapped(line.rstrip(), width))
    joined = "\n".join(lines).replace(GLUE, " ")
    return _BLANKS.sub("\n\n", joined).strip("\n") + "\n"


def _wrapped(line: str, width: int) -> Iterable[str]:
    if len(line) <= width:
        return [line]
    found = _LEAD.match(line)
    lead = found[0] if found else ""
    indent = " " * len(lead)
    wrapped: list[str] = []
    current = lead
    for word in _pieces(line[len(lead) :], width - len(lead)):
        joined = current + word if current in (lead, indent) else f"{current} {word}"
        if len(joined) > width and current not in (lead, indent):
            wrapped.append(current)
            joined = indent + word
        current = joined
    return [*wrapped, current]


def _pieces(text: str, most: int) -> Iterable[str]:
    """Yield the words of *text*; what is glued is parted where it is too long for a line, and a long word is cut."""
    for glued in text.split(" "):
        words = [glued] if len(glued) <= most else glued.split(GLUE)
        for word in words:
            yield from (word[at : at + most] for at in range(0, len(word), most))


def reply_links(address: str, subject: str, marker: str) -> Callable[[str], str]:
    """
    Return what makes links: each opens a new mail to *address* with *subject*, a line, and below it *marker*.

    Source: RFC 6068: everything but unreserved characters is percent-encoded, a line ends as %0D%0A.
    """
    local, _, domain = address.rpartition("@")
    head = f"mailto:{quote(local, safe='')}@{quote(domain, safe='')}?subject={quote(subject, safe='')}&body="
    tail = quote(f"\r\n\r\n{marker}\r\n" if marker else "\r\n", safe="")
    return lambda line: f"{head}{quote(line, safe='')}{tail}"
