"""
A picture while it is drawn: shapes and letters, put down in order, then given out as SVG.

A picture is 360 units wide, as many as a phone has pixels, and as high as it needs to be. Its letters are never smaller
than 11. Things that may not cover each other are drawn inside `piece`; the tests read their boxes, and those of all
letters, from the SVG. Colour is never the only sign: without its colours a picture must still tell the same.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from html import escape
from typing import Literal

from msgspec import Struct

from pbem.post.draw.font import FAMILY, shorten, wrap

WIDTH = 360
SMALL, TEXT, LARGE = 11, 12, 15
"""Sizes of letters: labels, running words, headings."""

PAPER, INK, QUIET, RULE, CARD = "#fffdf7", "#23211d", "#5d574c", "#cfc6b4", "#f3eddf"
"""The page, what is written on it, what is of less weight, thin lines, and areas that lie on the page."""

MARGIN = 10

SHARPNESS = 2
"""Pixels of the finished picture for one unit."""

Anchor = Literal["start", "middle", "end"]


class Picture(Struct, frozen=True):
    """
    A finished picture.

    `name`  what it shows: "board", "town-0"; no two of a mail are alike
    `alt`   what is read where pictures are not shown, in the reader's words
    """

    name: str
    alt: str
    svg: str


class Drawing:
    """Shapes in the order in which they are put down; all measures in units of `WIDTH`."""

    def __init__(self, width: float = WIDTH) -> None:
        self.width = width
        self._parts: list[str] = []

    def rect(  # noqa: PLR0913 - as SVG has it
        self, x: float, y: float, width: float, height: float, fill: str = "none", *,
        stroke: str = "none", thick: float = 1, radius: float = 0, dash: str = "",
    ) -> None:  # fmt: skip
        """Put down a rectangle with its corner at *x*, *y*."""
        self._add(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(radius)}"'
            f"{_paint(fill, stroke, thick, dash)}/>"
        )

    def circle(
        self, x: float, y: float, radius: float, fill: str = "none", *,
        stroke: str = "none", thick: float = 1, dash: str = "",
    ) -> None:  # fmt: skip
        """Put down a circle round *x*, *y*."""
        self._add(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"{_paint(fill, stroke, thick, dash)}/>')

    def line(
        self, x: float, y: float, to_x: float, to_y: float, stroke: str = RULE, *, thick: float = 1, dash: str = ""
    ) -> None:
        """Put down a straight line."""
        self._add(
            f'<line x1="{_n(x)}" y1="{_n(y)}" x2="{_n(to_x)}" y2="{_n(to_y)}"{_paint("none", stroke, thick, dash)}/>'
        )

    def path(self, points: str, fill: str = "none", *, stroke: str = "none", thick: float = 1, dash: str = "") -> None:
        """Put down a path, written as SVG has it."""
        self._add(f'<path d="{points}"{_paint(fill, stroke, thick, dash)}/>')

    def text(  # noqa: PLR0913 - as SVG has it
        self, x: float, y: float, words: str, size: float = TEXT, *,
        anchor: Anchor = "start", bold: bool = False, fill: str = INK, most: float = 0,
    ) -> None:  # fmt: skip
        """Write *words* on the line at *y*; where they are wider than *most*, if given, they are cut."""
        said = shorten(words, most, size, bold=bold) if most else words
        weight = ' font-weight="bold"' if bold else ""
        place = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self._add(
            f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"{weight}{place} fill="{fill}">{escape(said)}</text>'
        )

    def paragraph(
        self, x: float, y: float, words: str, width: float, size: float = TEXT, *, bold: bool = False, fill: str = INK
    ) -> float:
        """Write *words* in lines from *y* down, no wider than *width*; return where the next line would stand."""
        for line in wrap(words, width, size, bold=bold):
            self.text(x, y, line, size, bold=bold, fill=fill)
            y += round(size * 1.35)
        return y

    @contextmanager
    def piece(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """Draw one thing inside this box; it covers no other piece beside it, and no words of others."""
        self._add(f'<g data-piece="{_n(x)} {_n(y)} {_n(width)} {_n(height)}">')
        yield
        self._add("</g>")

    def svg(self, height: float) -> str:
        """Return the picture."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(self.width)} {_n(height)}"'
            f' width="{_n(SHARPNESS * self.width)}" height="{_n(SHARPNESS * height)}"'
            f' font-family="{FAMILY}" font-stretch="condensed">'
            f'<rect width="{_n(self.width)}" height="{_n(height)}" fill="{PAPER}"/>{"".join(self._parts)}</svg>'
        )

    def _add(self, part: str) -> None:
        self._parts.append(part)


@lru_cache(maxsize=1 << 13)
def placed(shape: str, x: float, y: float, scale: float, *, sharp: bool = False) -> str:
    """
    Return the path *shape*, which is written in units of its own, with its corner at *x*, *y*.

    Every command of it takes whole pairs, as M, L, C, Q and Z do. *sharp*: on whole pixels, which takes fewer bytes.
    """
    said, across = [], True
    for token in _tokens(shape):
        if isinstance(token, str):
            said.append(token)
            continue
        place = (x if across else y) + token * scale
        said.append(f"{on_pixel(place):g}" if sharp else f"{place:.1f}")
        across = not across
    return " ".join(said)


def on_pixel(place: float) -> float:
    """Return the place of the nearest whole pixel."""
    return round(place * SHARPNESS) / SHARPNESS


@cache
def _tokens(shape: str) -> tuple[str | float, ...]:
    return tuple(one if one.isalpha() else float(one) for one in re.findall(r"[A-Z]|-?\d+(?:\.\d+)?", shape))


def _paint(fill: str, stroke: str, thick: float, dash: str) -> str:
    painted = f' fill="{fill}"'
    if stroke != "none":
        painted += f' stroke="{stroke}" stroke-width="{_n(thick)}"'
    return painted + (f' stroke-dasharray="{dash}"' if dash else "")


def _n(number: float) -> str:
    """Return *number* with at most one place after the point: the same on every machine."""
    return f"{number:.1f}".removesuffix(".0")
