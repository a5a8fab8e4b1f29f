"""The font of the pictures: how wide a text is. We ship it, so that a picture is the same on every machine."""

from functools import cache, lru_cache
from pathlib import Path

from pbem.lexicon import template_root

FAMILY = "DejaVu Sans"
FILES = ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf", "DejaVuSansMono.ttf")
"""The letters of all pictures, plain and bold; those of a page of text."""

ASCENT, DESCENT = 0.76, 0.24
"""How far letters reach above and below the line on which they stand, in parts of their size."""


def font_paths() -> tuple[Path, ...]:
    """Return where the fonts lie."""
    return tuple(template_root() / "fonts" / name for name in FILES)


@lru_cache(maxsize=1 << 13)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide *text* is, in the units of *size*."""
    widths = _widths(bold=bold)
    return size * sum(widths.get(ord(letter), widths[ord("M")]) for letter in text)


def shorten(text: str, most: float, size: float, *, bold: bool = False) -> str:
    """Return *text*, cut with an ellipsis if it is wider than *most*."""
    if text_width(text, size, bold=bold) <= most:
        return text
    while text and text_width(text + "…", size, bold=bold) > most:
        text = text[:-1].rstrip()
    return text + "…"


def wrap(text: str, most: float, size: float, *, bold: bool = False) -> list[str]:
    """Return *text* in lines no wider than *most*; a longer word is cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= most:
            lines[-1] = longer
        else:
            lines.append(shorten(word, most, size, bold=bold))
    return lines


@cache
def _widths(*, bold: bool) -> dict[int, float]:
    """Return the width of each letter, in parts of the size of the font."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - slow to import, and most commands draw nothing

    with TTFont(font_paths()[bold], lazy=True) as font:
        whole = font["head"].unitsPerEm
        metrics = font["hmtx"].metrics
        return {code: metrics[glyph][0] / whole for code, glyph in font.getBestCmap().items()}
