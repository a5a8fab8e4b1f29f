"""
The small things of Village as they are drawn: cubes, goods, grain, coins, points, members and monks.

Each has a sign besides its colour: a cube its letter, a family the shape of its members' heads. A glyph is drawn on a
field of its own, 24 units wide and high (members, monks and places: 16 wide, 22 high), and put down in any size.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.village.views import View
from pbem.post.draw.drawing import INK, PAPER, QUIET, SMALL, TEXT, Drawing, placed
from pbem.post.draw.font import text_width
from pbem.post.voice import Voice

FIELD = 24
"""Side of the field of a glyph."""

CUBE = 15
"""Side of a cube, so that its letter can be read."""

CUBE_COLOURS = {
    "brown": ("#74451f", PAPER),
    "pink": ("#eda0bd", INK),
    "orange": ("#ee9a3a", INK),
    "green": ("#2f7a3c", PAPER),
    "plague": ("#26242a", PAPER),
}
"""Colour of a cube, and of the letter on it."""

FAMILY_COLOURS = {
    "red": ("#b3332b", PAPER),
    "blue": ("#2c5fa5", PAPER),
    "yellow": ("#efc443", INK),
    "white": (PAPER, INK),
}
UNKNOWN = ("#d9d3c6", INK)
"""A family whose colour has another name."""

BADGE = "#5a3d78"
"""Ground of points."""

MEMBER_WIDTH, MEMBER_HEIGHT = 16, 22
STEP, ROW = MEMBER_WIDTH + 2, MEMBER_HEIGHT + 2
"""From one member to the next, and to the row below."""


class Mark(Struct, frozen=True):
    """A part of a glyph: a path, absolute and in pairs of numbers, or a disc: middle and radius."""

    points: str = ""
    disc: tuple[float, float, float] = (0, 0, 0)
    fill: str = "none"
    stroke: str = "none"
    thick: float = 1.3


_EDGE = "#4a3a26"

GLYPHS: dict[str, tuple[Mark, ...]] = {
    "wagon": (
        Mark("M20 8 L24 4", stroke=_EDGE, thick=1.8),
        Mark("M1 6 L22 6 L19.5 15 L3.5 15 Z", fill="#b07a45", stroke=_EDGE),
        Mark("M2 10 L21 10", stroke=_EDGE),
        Mark(disc=(7, 17, 4.8), fill="#f3e3c4", stroke=_EDGE),
        Mark(disc=(17, 17, 4.8), fill="#f3e3c4", stroke=_EDGE),
        Mark(disc=(7, 17, 1.2), fill=_EDGE),
        Mark(disc=(17, 17, 1.2), fill=_EDGE),
    ),
    "horse": (
        Mark(
            "M7 23 C9 18 10 17 10 14 C8 15 6 17 4 17 C2 17 1 14 2 13 C4 10 6 6 9 4 L10 1 L13 4 C19 6 22 13 21 23 Z",
            fill="#a8683a", stroke=_EDGE,
        ),
        Mark("M12 4 C19 6 22 13 21 23 L17.5 23 C18 15 17 9 11.5 6 Z", fill="#5a351c"),
        Mark(disc=(9, 8.5, 1.1), fill="#2a1a0e"),
    ),
    "ox": (
        Mark("M8 8 C2 9 0 5 2 1 C3.5 5 6 5 9 5 Z", fill="#fff6e2", stroke=_EDGE),
        Mark("M16 8 C22 9 24 5 22 1 C20.5 5 18 5 15 5 Z", fill="#fff6e2", stroke=_EDGE),
        Mark("M7 5 L17 5 C19 10 17 15 16 18 L8 18 C7 15 5 10 7 5 Z", fill="#6e6a66", stroke=_EDGE),
        Mark("M7.5 15 L16.5 15 C18 19 16 23 12 23 C8 23 6 19 7.5 15 Z", fill="#e2c9b4", stroke=_EDGE),
        Mark(disc=(9.3, 10, 1.2), fill="#1d1a17"),
        Mark(disc=(14.7, 10, 1.2), fill="#1d1a17"),
        Mark(disc=(10.3, 19, 0.9), fill=_EDGE),
        Mark(disc=(13.7, 19, 0.9), fill=_EDGE),
    ),
    "scroll": (
        Mark("M5 4 L19 4 L19 20 L5 20 Z", fill="#fbf0cf", stroke=_EDGE),
        Mark("M3 1 L21 1 L21 5 L3 5 Z", fill="#ddbd78", stroke=_EDGE),
        Mark("M3 19 L21 19 L21 23 L3 23 Z", fill="#ddbd78", stroke=_EDGE),
        Mark("M8 9 L16 9 M8 12 L16 12 M8 15 L13 15", stroke=_EDGE),
    ),
    "plow": (
        Mark("M1 9 L15 9 L23 2", stroke="#8a5a2c", thick=2.6),
        Mark("M11 9 L18 9 C18 15 14 20 7 23 C9 18 11 15 11 9 Z", fill="#93a0aa", stroke=_EDGE),
        Mark("M18 9 L21 14", stroke="#8a5a2c", thick=2.2),
        Mark(disc=(4, 13, 3.2), fill="#f3e3c4", stroke=_EDGE),
    ),
    "grain": (
        Mark("M8 1 L16 1 L14 6 C21 9 23 23 19 23 L5 23 C1 23 3 9 10 6 Z", fill="#e2c06d", stroke=_EDGE),
        Mark("M9 6.5 L15 6.5", stroke=_EDGE, thick=2),
        Mark("M12 20 L12 12 M12 17 L9 14 M12 17 L15 14", stroke="#8a6420", thick=1.6),
    ),
    "coin": (
        Mark(disc=(12, 12, 10.5), fill="#f0c648", stroke="#7d5d10"),
        Mark(disc=(12, 12, 6.5), stroke="#9a7518"),
    ),
    "bridge": (Mark("M1 18 L1 4 L27 4 L27 18 L22 18 C21 8 7 8 6 18 Z", fill="#9b917f"),),
    "monk": (
        Mark("M1 22 L1 15 C1 11 3 9 8 9 C13 9 15 11 15 15 L15 22 Z", fill="#26242a"),
        Mark("M8 0 C13 1 13 7 12 10 L4 10 C3 7 3 1 8 0 Z", fill="#26242a"),
        Mark(disc=(8, 5.5, 2.6), fill="#ecd3b8"),
        Mark("M8 12 L8 20 M5 15 L11 15", stroke="#fffdf7", thick=1.6),
    ),
}  # fmt: skip

BODY = "M0.5 21.5 L0.5 15 C0.5 11 3 9.5 8 9.5 C13 9.5 15.5 11 15.5 15 L15.5 21.5 Z"
HEADS = (
    Mark(disc=(8, 5, 4.3)),
    Mark("M4 1 L12 1 L12 9 L4 9 Z"),
    Mark("M8 0.5 L13.5 9 L2.5 9 Z"),
    Mark("M8 0 L13 4.7 L8 9.5 L3 4.7 Z"),
)
"""Heads of the families, by seat."""

SLACK = 0.01
"""What sums of fractions may lack."""

PLACES = {"place": "M1 4 L15 4 L15 22 L1 22 Z", "grave": "M1 22 L1 8 C1 1 15 1 15 8 L15 22 Z"}
"""A free place of the chronicle, and a free grave."""

CROSS = Mark("M4 4 L11 11 M11 4 L4 11", stroke=PAPER, thick=2)
"""On a plague cube."""

TokenKind = Literal["member", "unborn", "monk", "place", "grave"]


class Token(Struct, frozen=True):
    """What has its place on the board: a member with its seat and number, a monk, or a free place."""

    kind: TokenKind
    seat: int = 0
    number: int = 0


def members(seat: int, numbers: Iterable[int]) -> tuple[Token, ...]:
    """Return the tokens of members of one family."""
    return tuple(Token("member", seat, number) for number in numbers)


def glyph(drawing: Drawing, marks: Sequence[Mark], x: float, y: float, scale: float) -> None:
    """Draw a glyph with the corner of its field at *x*, *y*."""
    for mark in marks:
        thick = max(0.8, mark.thick * scale)
        if mark.points:
            drawing.path(placed(mark.points, x, y, scale), mark.fill, stroke=mark.stroke, thick=thick)
        else:
            at_x, at_y, radius = mark.disc
            drawing.circle(
                x + scale * at_x, y + scale * at_y, scale * radius, mark.fill, stroke=mark.stroke, thick=thick
            )


class Pen:
    """A drawing in the words of one reader, with the colours of the families of one game."""

    def __init__(self, view: View, voice: Voice) -> None:
        self.drawing = Drawing()
        self.voice = voice
        self.fills = tuple(FAMILY_COLOURS.get(one.colour, UNKNOWN) for one in view.families)

    def cube(self, x: float, y: float, colour: str) -> None:
        """Draw a cube with its letter; a plague cube has a cross."""
        fill, ink = CUBE_COLOURS[colour]
        with self.drawing.piece(x, y, CUBE, CUBE):
            self.drawing.rect(x, y, CUBE, CUBE, fill, radius=2.5)
            if colour == "plague":
                glyph(self.drawing, (CROSS,), x, y, 1)
            else:
                letter = self.voice.name("colour", colour)[:1].upper()
                self.drawing.text(x + CUBE / 2, y + 11.5, letter, SMALL, anchor="middle", bold=True, fill=ink)

    def thing(self, x: float, y: float, name: str, size: float = CUBE) -> None:
        """Draw a cube, a good, grain or a coin; a cube has its own size and stands in the middle."""
        if name in CUBE_COLOURS:
            aside = (size - CUBE) / 2
            self.cube(x + aside, y + aside, name)
            return
        with self.drawing.piece(x, y, size, size):
            glyph(self.drawing, GLYPHS[name], x, y, size / FIELD)

    def grain(self, x: float, y: float, count: int, size: float) -> None:
        """Draw a sack with how much grain is in it."""
        with self.drawing.piece(x, y, size, size):
            glyph(self.drawing, GLYPHS["grain"][:2], x, y, size / FIELD)
            self.drawing.text(x + size / 2, y + 0.87 * size, str(count), SMALL, anchor="middle", bold=True)

    def counted(self, x: float, y: float, things: Iterable[tuple[str, int]], gap: float = 8) -> None:
        """Draw things in a row, each with how many there are behind it."""
        for name, count in things:
            self.thing(x, y, name)
            x += CUBE + 2
            self.drawing.text(x, y + 12, str(count), bold=True)
            x += text_width(str(count), TEXT, bold=True) + gap

    def points(self, x: float, y: float, points: int, radius: float = 9) -> None:
        """Draw points as a round badge with its middle at *x*, *y*."""
        with self.drawing.piece(x - radius, y - radius, 2 * radius, 2 * radius):
            self.drawing.circle(x, y, radius, BADGE)
            size = max(SMALL, radius)
            self.drawing.text(x, y + 0.36 * size, str(points), size, anchor="middle", bold=True, fill=PAPER)

    def token(self, x: float, y: float, token: Token, scale: float = 1) -> None:
        """Draw a member, a monk or a free place with the corner of its field at *x*, *y*."""
        with self.drawing.piece(x, y, scale * MEMBER_WIDTH, scale * MEMBER_HEIGHT):
            if token.kind == "monk":
                glyph(self.drawing, GLYPHS["monk"], x, y, scale)
            elif token.kind in PLACES:
                self.drawing.path(placed(PLACES[token.kind], x, y, scale), PAPER, stroke=QUIET, dash="2 2")
            else:
                self._member(x, y, token, scale)

    def head(self, x: float, y: float, seat: int, scale: float = 1) -> None:
        """Draw a member without a number: the sign of a family."""
        fill = self.fills[seat][0]
        for mark in (HEADS[seat % len(HEADS)], Mark(BODY)):
            whole = replace(mark, fill=fill, stroke=INK, thick=1 / scale)
            glyph(self.drawing, (whole,), x, y, scale)

    def glyph(self, name: str, x: float, y: float) -> None:
        """Draw a glyph in the size in which it is described."""
        glyph(self.drawing, GLYPHS[name], x, y, 1)

    def _member(self, x: float, y: float, token: Token, scale: float) -> None:
        """Draw a member with its number; of those who are not born yet the number alone."""
        born = token.kind == "member"
        if born:
            self.head(x, y, token.seat, scale)
        ink, line = (self.fills[token.seat][1], 19.6) if born else (INK, 16)
        size = max(SMALL, SMALL * scale)
        self.drawing.text(
            x + 8 * scale, y + line * scale, str(token.number), size, anchor="middle", bold=True, fill=ink
        )

    def tokens(self, x: float, y: float, tokens: Sequence[Token], width: float, scale: float = 1) -> None:
        """Draw tokens from left to right, in rows no wider than *width*."""
        fit = fitting(width, scale)
        for at, token in enumerate(tokens):
            self.token(x + scale * STEP * (at % fit), y + scale * ROW * (at // fit), token, scale)


def fitting(width: float, scale: float = 1) -> int:
    """Return how many tokens stand side by side in *width*; at least one."""
    return max(1, int((width + 2 * scale + SLACK) // (scale * STEP)))


def rows(tokens: int, width: float) -> int:
    """Return how many rows so many tokens take; an empty place has one too."""
    return max(1, -(-tokens // fitting(width)))
