"""
How a tag looks in running text, and the marker line that carries it. What a tag means is told in `pbem.gate.tags`.

The shape is here because the marker line is also the first sign of where a person's own words end.
"""

import re

_SHAPE = r"(?<![a-z0-9])g(\d{1,9})\.(?:s(\d{1,3})|gm)\.d(\d{1,9})\.([0-9a-z]{10})(?![a-z0-9])"
TAG = re.compile(_SHAPE, re.ASCII | re.IGNORECASE)
MARKER = re.compile(rf"#\s?(?:{_SHAPE})", re.ASCII | re.IGNORECASE)


def is_marker(line: str) -> bool:
    """Return whether *line* holds one of our markers."""
    return MARKER.search(line) is not None
