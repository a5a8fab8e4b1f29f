"""
The things of Tiny Towns as small drawings: cubes, buildings, villagers, the hammer.

Each resource has its colour, its outline and the letter of the layouts; each type of building its colour and its
outline. So either is known without its colour.
"""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import ANY, LETTERS, Layout
from pbem.post.draw.drawing import INK, MARGIN, PAPER, QUIET, SMALL, Drawing, on_pixel, placed
from pbem.post.draw.font import text_width

PERSON, METAL, WOOD = "#2c6e6a", "#6b6862", "#9a7446"
UNIT = 24
"""The side of the square in which outlines are written."""

CHIP = 12
"""The side of a cube or marker on a building, and from one to the next."""

KEY = 16
"""How high a thing is where it is explained."""


class Colours(Struct, frozen=True):
    """The colours of a cube or a building: of the thing, of its edge or of the ground below, and of a letter on it."""

    thing: str
    other: str
    letter: str = INK


CUBES = {
    "wood": Colours("#7d5433", "#54361e", PAPER),
    "wheat": Colours("#efc94f", "#b98f1c"),
    "brick": Colours("#b5432f", "#7c2a1b", PAPER),
    "glass": Colours("#96cbea", "#4d8bb3"),
    "stone": Colours("#b1aea6", "#7b7870"),
}
OUTLINES = {
    "wood": "M2 2L22 2L22 22L2 22Z",
    "wheat": "M12 1C18 1 23 6 23 12C23 18 18 23 12 23C6 23 1 18 1 12C1 6 6 1 12 1Z",
    "brick": "M0 4L24 4L24 20L0 20Z",
    "glass": "M12 -2L26 12L12 26L-2 12Z",
    "stone": "M6 1L18 1L24 12L18 23L6 23L0 12Z",
}
LETTER_OF = dict(zip(RESOURCES, LETTERS, strict=True))
RESOURCE_OF = dict(zip(LETTERS, RESOURCES, strict=True))

TYPES = {
    "blue": Colours("#39699e", "#dfeaf4"),
    "red": Colours("#ad392d", "#f7e0da"),
    "grey": Colours("#74716a", "#e9e7e1"),
    "orange": Colours("#cf7722", "#fce7d0"),
    "green": Colours("#43803f", "#e0efdb"),
    "yellow": Colours("#b98c12", "#fbf0c6"),
    "black": Colours("#35332f", "#dcd8d0"),
    "monument": Colours("#85478c", "#f0e1f1"),
}
WALLS = {
    "blue": "M0 12L12 1L24 12L21 12L21 23L3 23L3 12Z",
    "red": "M2 23L2 11L6 4L12 1L18 4L22 11L22 23Z",
    "grey": "M2 9L12 1L22 9L19 9L19 14L21 14L19 23L5 23L3 14L5 14L5 9Z",
    "orange": "M11 0L13 0L13 2L15 2L15 4L13 4L13 6L18 12L22 15L22 23L2 23L2 15L6 12L11 6L11 4L9 4L9 2L11 2Z",
    "green": "M3 4L17 4L17 7L21 7L23 9L23 16L21 18L17 18L17 23L3 23Z",
    "yellow": "M2 2L22 2L24 10L21 10L21 23L3 23L3 10L0 10Z",
    "black": "M1 23L1 11L8 6L8 11L15 6L15 11L16 11L17 0L21 0L22 11L23 11L23 23Z",
    "monument": "M12 0L23 7L23 9L20 9L20 19L23 19L23 23L1 23L1 19L4 19L4 9L1 9L1 7Z",
}
OPENINGS = {
    "blue": "M10 23L10 16L14 16L14 23Z",
    "red": "M8 13L12 16L16 13L16 23L12 18L8 23Z",
    "grey": "M8 9L16 9L16 14L8 14Z",
    "orange": "M10 23L10 17C10 14 14 14 14 17L14 23Z",
    "green": "M17 10L20 10L20 15L17 15ZM6 9L8 9L8 19L6 19ZM12 9L14 9L14 19L12 19Z",
    "yellow": "M7 2L10 2L9 10L6 10ZM14 2L17 2L18 10L15 10ZM6 13L18 13L18 18L6 18Z",
    "black": "M5 15L9 15L9 19L5 19ZM13 15L17 15L17 19L13 19Z",
    "monument": "M7 9L10 9L10 19L7 19ZM14 9L17 9L17 19L14 19Z",
}
"""What is cut out of the walls: doors, windows, spaces between columns."""

HEAD = "M7 0C9.5 0 11 2 11 4C11 6 9.5 8 7 8C4.5 8 3 6 3 4C3 2 4.5 0 7 0Z"
BODY = "M1 19C1 12 3 9 7 9C11 9 13 12 13 19Z"
TALL = 19
"""How high the outline of a villager is; it is 14 wide."""


def cube(drawing: Drawing, x: float, y: float, size: float, resource: str) -> None:
    """Draw a cube with its letter in the square of *size* at *x*, *y*."""
    look, edge = CUBES[resource], on_pixel(size / 16)
    letter, side = max(SMALL, round(size / 2)), size - edge
    with drawing.piece(x, y, size, size):
        for colour, down in ((look.other, edge), (look.thing, 0)):
            drawing.path(placed(OUTLINES[resource], x + edge / 2, y + down, side / UNIT, sharp=True), colour)
        drawing.text(x + size / 2, on_pixel(y + side / 2 + letter * 0.36), LETTER_OF[resource], letter, anchor="middle",
                     bold=True, fill=look.letter)  # fmt: skip


def chips(drawing: Drawing, x: float, y: float, held: Sequence[str], across: int, most: int) -> None:
    """Draw the cubes and markers that lie on a building, *across* side by side; beyond *most*, their number."""
    shown = held if len(held) <= most else held[: most - 1]
    for at, resource in enumerate(shown):
        _chip(drawing, x + CHIP * (at % across), y + (CHIP + 2) * (at // across), resource)
    if len(shown) < len(held):
        row, column = divmod(len(shown), across)
        drawing.text(x + CHIP * column, y + (CHIP + 2) * row + 10, f"+{len(held) - len(shown)}", SMALL)


def _chip(drawing: Drawing, x: float, y: float, resource: str) -> None:
    look = CUBES[resource]
    with drawing.piece(x, y, CHIP, CHIP + 1):
        drawing.rect(x + 0.5, y + 0.5, CHIP - 1, CHIP, look.thing, stroke=look.other)
        drawing.text(x + CHIP / 2, y + CHIP - 1.5, LETTER_OF[resource], SMALL, anchor="middle", bold=True,
                     fill=look.letter)  # fmt: skip


def building(drawing: Drawing, x: float, y: float, size: float, kind: str) -> None:
    """Draw a building of a type in the square of *size* at *x*, *y*."""
    look, scale = TYPES[kind], size / UNIT
    with drawing.piece(x, y, size, size):
        drawing.path(placed(WALLS[kind], x, y, scale, sharp=True), look.thing)
        drawing.path(placed(OPENINGS[kind], x, y, scale, sharp=True), look.other)


def villager(drawing: Drawing, x: float, y: float, height: float, *, works: bool) -> None:
    """Draw a villager with its corner at *x*, *y*: full who works, hollow who does not."""
    scale = height / TALL
    with drawing.piece(x, y, 14 * scale, height):
        for points in (BODY, HEAD):
            if works:
                drawing.path(placed(points, x, y, scale, sharp=True), PERSON)
            else:
                drawing.path(placed(points, x, y, scale, sharp=True), PAPER, stroke=PERSON, thick=1.5)


def hammer(drawing: Drawing, x: float, y: float, size: float) -> None:
    """Draw the hammer of the Master Builder in the square of *size* at *x*, *y*."""
    scale = size / UNIT
    with drawing.piece(x, y, size, size):
        drawing.path(placed("M10 8L14 8L14 24L10 24Z", x, y, scale, sharp=True), WOOD)
        drawing.path(placed("M3 2L18 2C21 2 23 4 24 8L20 7L20 9L3 9Z", x, y, scale, sharp=True), METAL)


def layout_size(layout: Layout, side: float) -> tuple[float, float]:
    """Return how wide and high a layout is, drawn with cubes of *side*."""
    return side * len(layout[0]), side * len(layout)


def layout_grid(drawing: Drawing, x: float, y: float, layout: Layout, side: float) -> None:
    """Draw the cubes of a layout, the top left square at *x*, *y*; what does not matter stays free."""
    for row, signs in enumerate(layout):
        for column, letter in enumerate(signs):
            if letter != ANY:
                cube(drawing, x + column * side, y + row * side, side, RESOURCE_OF[letter])


class Sign(Struct, frozen=True):
    """What a drawing means: `put` draws it at a place, `wide` is its width, `words` stand behind it."""

    put: Callable[[Drawing, float, float], None]
    wide: float
    words: str


def legend(drawing: Drawing, y: float, signs: Iterable[Sign], x: float = MARGIN, width: float = 0) -> float:
    """Draw what *signs* mean, in lines no wider than *width* from *x*, *y* on; return where the next thing stands."""
    left, right = x, x + (width or drawing.width - 2 * MARGIN)
    for sign in signs:
        room = right - left - sign.wide - 4
        wide = sign.wide + 4 + min(room, text_width(sign.words, SMALL))
        if x > left and x + wide > right:
            x, y = left, y + KEY + 3
        sign.put(drawing, x, y)
        drawing.text(x + sign.wide + 4, y + KEY - 4, sign.words, SMALL, fill=QUIET, most=room)
        x += wide + 12
    return y + KEY + 3


def cube_sign(resource: str, words: str) -> Sign:
    """Return what the cube of *resource* is called."""
    return Sign(lambda drawing, x, y: cube(drawing, x, y, KEY, resource), KEY, words)


def building_sign(kind: str, words: str) -> Sign:
    """Return what the building of type *kind* is called."""
    return Sign(lambda drawing, x, y: building(drawing, x, y, KEY, kind), KEY, words)


def villager_sign(words: str, *, works: bool) -> Sign:
    """Return what a villager that looks so does."""
    return Sign(lambda drawing, x, y: villager(drawing, x, y, KEY, works=works), KEY * 14 / TALL, words)


def hammer_sign(words: str) -> Sign:
    """Return who holds the hammer."""
    return Sign(lambda drawing, x, y: hammer(drawing, x, y, KEY), KEY, words)
