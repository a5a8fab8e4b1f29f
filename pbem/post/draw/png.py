"""SVG to PNG, kept by content: what was drawn once is not drawn again."""

import hashlib
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from resvg import render, usvg

from pbem.post.draw.font import font_paths

AS_DRAWN = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The transform that changes nothing, row by row."""


@cache
def _options() -> Any:  # noqa: ANN401 - resvg has no types
    options = usvg.Options.default()
    for path in font_paths():
        options.load_font_file(str(path))
    return options


MOST_COLOURS = 128
"""Colours of a picture: those of a drawing and what lies between two of them at an edge; it halves the bytes."""


def _with_few_colours(png: bytes) -> bytes:
    image = Image.open(BytesIO(png)).convert("RGB")
    small = BytesIO()
    image.quantize(MOST_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(small, "PNG")
    return small.getvalue()


def png_of(svg: str, kept: Path | None = None) -> bytes:
    """Return the drawing *svg* as PNG; *kept* is a folder with what was drawn before."""
    path = kept / f"{hashlib.sha256(svg.encode()).hexdigest()[:32]}.png" if kept else None
    if path is not None:
        with suppress(OSError):
            return path.read_bytes()
    tree = usvg.Tree.from_str(svg, _options())
    png = _with_few_colours(bytes(render(tree, AS_DRAWN)))
    if path is not None:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png)
    return png
