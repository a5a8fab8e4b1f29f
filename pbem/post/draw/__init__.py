"""
Pictures: drawn as SVG from a view, turned into PNG with the font that we ship, never with one of the machine.

A title's drawings stand in the module of its name: `pictures(view, voice)` gives them in the order in which a mail
shows them. `drawing.py` is what they are drawn with, `chart.py` the scores over the rounds.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pbem.post.draw.drawing import Picture
from pbem.post.voice import Voice

__all__ = ["Picture", "has_pictures", "pictures"]


def has_pictures(title: str) -> bool:
    """Return whether there are drawings of *title*."""
    return find_spec(f"{__name__}.{title}") is not None


def pictures(title: str, view: Any, voice: Voice) -> tuple[Picture, ...]:  # noqa: ANN401 - the view of any title
    """Return what *view* looks like, in the words of *voice*; nothing for a title without drawings."""
    return tuple(import_module(f"{__name__}.{title}").pictures(view, voice)) if has_pictures(title) else ()
