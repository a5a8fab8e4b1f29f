"""SVG to PNG."""

from functools import cache
from typing import Any

from resvg import render, usvg

from pbem.lexicon import template_root

FONT = "DejaVuSansMono.ttf"
AS_DRAWN = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The transform that changes nothing, row by row."""


@cache
def _options() -> Any:  # noqa: ANN401 - resvg has no types
    options = usvg.Options.default()
    options.load_font_file(str(template_root() / "fonts" / FONT))
    return options


def png_of(svg: str) -> bytes:
    """Return the drawing *svg* as PNG."""
    tree = usvg.Tree.from_str(svg, _options())
    return bytes(render(tree, AS_DRAWN))
