"""The text of a mail as a picture of a page."""

from collections.abc import Sequence
from html import escape

SIZE = 15
LINE = 21
MARGIN = 28
COLUMNS = 80
ADVANCE = 0.602
"""Width of a letter of the font, in parts of its size."""

SHARPNESS = 2
"""Pixels of the picture for one of the drawing."""

PAPER, INK, HEADING, RULE = "#fffdf7", "#23211d", "#7a3b12", "#e4dccb"


def page_svg(lines: Sequence[str]) -> str:
    """
    Return *lines* as the SVG of a page; a line that begins with ■ is a heading.

    Units:  pixels; a line of 80 columns fits.
    """
    width = round(COLUMNS * SIZE * ADVANCE) + 2 * MARGIN
    height = (len(lines) + 1) * LINE + 2 * MARGIN
    drawn = [_line(line, MARGIN + (place + 1) * LINE, width) for place, line in enumerate(lines)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{SHARPNESS * width}" height="{SHARPNESS * height}">'
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
        f'<g font-family="DejaVu Sans Mono" font-size="{SIZE}" fill="{INK}">{"".join(drawn)}</g></svg>'
    )


def _line(line: str, y: int, width: int) -> str:
    if not line.strip():
        return ""
    heading = line.startswith("■")
    rule = f'<rect x="{MARGIN}" y="{y + 6}" width="{width - 2 * MARGIN}" height="1" fill="{RULE}"/>' if heading else ""
    colour = f' fill="{HEADING}"' if heading else ""
    return f'<text x="{MARGIN}" y="{y}" xml:space="preserve"{colour}>{escape(line)}</text>{rule}'
