"""
The small signs of My Village: goods, hours, coins, points, flags, dice.

A `Mark` is a sign or some words that stand on a line; marks stand beside each other in `joined`, and boxes with marks
fill lines in `flow`. All of a line have one size of letters, which is that of the `Signs` that made them.
"""

from collections.abc import Callable, Iterable, Sequence
from math import ceil

from msgspec import Struct

from pbem.post.draw.drawing import INK, MARGIN, PAPER, QUIET, SHARPNESS, SMALL, TEXT, WIDTH, Drawing, placed
from pbem.post.draw.font import shorten, text_width

Layer = tuple[str | tuple[float, float, float], str, str]
"""A path or a circle (its middle and radius) in a box of 16 by 16, with its fill and its stroke; "" is none."""

WOOD, DARK_WOOD, STEEL, GOLD, STONE = "#a86a2c", "#5e3a17", "#5c6670", "#d9a928", "#8b877f"
LEAF, LEAF_DARK = "#5f9150", "#2f5a2c"

ICONS: dict[str, tuple[Layer, ...]] = {
    "scroll": (
        ("M4 3 L12 3 L12 13 L4 13 Z", "#f3e3bb", DARK_WOOD),
        ("M2 1 L14 1 L14 4.2 L2 4.2 Z M2 11.8 L14 11.8 L14 15 L2 15 Z", "#d9b878", DARK_WOOD),
        ("M6 7 L10 7 M6 9.3 L10 9.3", "", DARK_WOOD),
    ),
    "beer": (
        ("M4 1 L12 1 Q16 8 12 15 L4 15 Q0 8 4 1 Z", WOOD, DARK_WOOD),
        ("M3 5 L13 5 M3 11 L13 11", "", DARK_WOOD),
    ),
    "plow": (
        ("M0.5 2 Q4 3 7 9", "", DARK_WOOD),
        ("M5.5 7 L15.5 4.5", "", DARK_WOOD),
        ("M4 9 L15.5 9 Q12 14.5 5.5 15 Z", STEEL, INK),
    ),
    "horse": (
        ("M4.5 15.5 Q6 11 7.5 9.5 Q5 9 3.5 11 L1.2 9 Q3 4.5 6.5 3.2 L8 0.5 L9.6 3 Q15.5 6 14.5 15.5 Z", "#6d4b3c", INK),
        ((7, 6, 0.9), PAPER, ""),
    ),
    "wagon": (
        ("M0.5 3.5 L15.5 3.5 L13.5 10 L2.5 10 Z", "#b5482f", "#5a1f12"),
        ((4.6, 11.6, 3.2), PAPER, INK),
        ((11.6, 11.6, 3.2), PAPER, INK),
    ),
    "hour": (("M3.5 1.5 L12.5 1.5 L9 8 L12.5 14.5 L3.5 14.5 L7 8 Z", "#c7b48c", INK),),
    "coin": (((8, 8, 6.5), GOLD, "#6b4e0e"), ((8, 8, 3.2), "", "#6b4e0e")),
    "point": (("M8 0.8 L10.2 5.7 L15.5 6.2 L11.5 9.8 L12.7 15 L8 12.2 L3.3 15 L4.5 9.8 L0.5 6.2 L5.8 5.7 Z", INK, ""),),
    "story": (("M3 1 L10 1 L13.5 4.5 L13.5 15 L3 15 Z", PAPER, INK), ("M5.5 7 L11 7 M5.5 10.5 L11 10.5", "", INK)),
    "tree": (("M6.8 8 L9.2 8 L9.8 15.5 L6.2 15.5 Z", DARK_WOOD, ""), ((8, 6, 5.5), LEAF, LEAF_DARK)),
    "house": (("M2.5 8 L13.5 8 L13.5 15 L2.5 15 Z", "#ead9b0", INK), ("M0.5 8.5 L8 1.5 L15.5 8.5 Z", "#a34a3d", INK)),
    "school": (
        ("M4 8 L12 8 L12 13 Q8 15.5 4 13 Z", STEEL, INK),
        ("M0 6.5 L8 2.5 L16 6.5 L8 10.5 Z", INK, ""),
        ("M14.5 7 L14.5 13", "", INK),
    ),
    "grave": (("M3 15.5 L3 6 Q3 1 8 1 Q13 1 13 6 L13 15.5 Z", STONE, INK), ("M8 4 L8 11 M5.5 6.5 L10.5 6.5", "", INK)),
    "rat": (
        ("M1 12 Q2 5 8.5 5.5 Q12 5.5 15.5 12 Z", STONE, INK),
        ("M1 12 Q-1.5 9 1 4", "", INK),
        ((10, 5.2, 1.9), STONE, INK),
        ((12, 9, 0.8), INK, ""),
    ),
    "hand": (
        (
            (
                "M4 15.5 L4 9.5 L1 7.5 Q0.5 5.5 2.5 5.8 L4.6 7 L4.6 2.5 Q5.6 1 6.6 2.5 L6.8 6 L7.2 1.2 Q8.2 0 9.2 1.2"
                " L9.4 6 L10 1.8 Q11 0.8 12 1.8 L12 6.5 L12.6 3.6 Q13.8 2.8 14.6 4 L13.2 15.5 Z"
            ),
            "#f0cfa6",
            INK,
        ),
    ),
    "bridge": (("M0 6 Q8 1 16 6 L16 14 L13 14 Q13 8.5 8 8.5 Q3 8.5 3 14 L0 14 Z", STONE, INK),),
    "eye": (("M0.5 8 Q8 0 15.5 8 Q8 16 0.5 8 Z", PAPER, INK), ((8, 8, 2.6), INK, "")),
    "served": (("M2 8 L6.5 13 L14.5 3", "", LEAF_DARK),),
    "flag": (("M3 0.5 L3 15.5", "", INK), ("M3 1 L15 4.5 L3 8 Z", INK, "")),
}  # fmt: skip

PAWN = "M8 0.5 Q11 0.5 11 3.6 Q11 5.4 9.7 6.3 Q12.8 8 13 15.5 L3 15.5 Q3.2 8 6.3 6.3 Q5 5.4 5 3.6 Q5 0.5 8 0.5 Z"
"""A villager, in the same box."""

TIMES, NOTHING, MINUS = "\N{MULTIPLICATION SIGN}", "\N{EN DASH}", "\N{MINUS SIGN}"

GAP, PAD = 4, 4
"""Between marks of a line, and round those of a box."""

INNER = WIDTH - 2 * MARGIN

BLUE, BROWN, RED, GREEN, ORANGE, YELLOW = "#dfe9f3", "#eee2d8", "#f6dcd9", "#dfecdc", "#f8e6cf", "#f6ecb8"
"""Cards of customers, of church and monks, council, journeys, buildings, and fields."""


class Mark(Struct, frozen=True):
    """A sign on a line: how wide it is, and what puts it down with its left end at x and its line at y."""

    width: float
    put: Callable[[Drawing, float, float], None]


class Chip(Struct, frozen=True):
    """Marks in a box, which is at least so wide."""

    mark: Mark
    fill: str
    stroke: str = "none"
    least: float = 0

    @property
    def width(self) -> float:
        """Return how wide the box is."""
        return max(self.least, self.mark.width + 2 * PAD)


class Signs(Struct, frozen=True):
    """Signs beside letters of one size."""

    size: float

    @property
    def high(self) -> float:
        """Return how high a flag is, and a box round a line."""
        return self.size + 3

    @property
    def chip_high(self) -> float:
        """Return how high a box with such letters is."""
        return self.size + 8

    @property
    def chip_line(self) -> float:
        """Return how far below the top of its box the line stands."""
        return self.size + 3.5

    def word(self, text: object, *, bold: bool = False, fill: str = INK, most: float = 0) -> Mark:
        """Return words, no wider than *most* if given."""
        said = shorten(str(text), most, self.size, bold=bold) if most else str(text)
        return Mark(
            whole(text_width(said, self.size, bold=bold)),
            lambda drawing, x, y: drawing.text(x, y, said, self.size, bold=bold, fill=fill),
        )

    def icon(self, name: str, size: float = 0) -> Mark:
        """Return an icon, a little higher than the letters."""
        size = size or self.size + 2
        return Mark(
            size, lambda drawing, x, y: put_icon(drawing, name, x, y - whole((size + self.size) / 2) + 1.5, size)
        )

    def pawn(self, fill: str, *, here: bool = True) -> Mark:
        """Return a villager in his colour, or an empty place."""
        size = self.size + 3
        return Mark(size - 2, lambda drawing, x, y: put_pawn(drawing, x - 1, y - self.size, size, fill if here else ""))

    def count(self, number: object, name: str, *, bold: bool = False) -> Mark:
        """Return so many of a kind: the number, and its icon."""
        size = self.size - 1
        return joined([self.word(number, bold=bold), self.icon(name, size)], 1)

    def hours(self, number: int) -> Mark:
        """Return so many hours."""
        return self.count(number, "hour")

    def price(self, hours: int, coins: int) -> Mark:
        """Return hours and coins, without what is zero."""
        marks = [self.count(number, name) for number, name in ((hours, "hour"), (coins, "coin")) if number]
        return joined(marks or [self.hours(0)])

    def points(self, number: object) -> Mark:
        """Return so many points."""
        return self.count(number, "point", bold=True)

    def flag(self, numbers: Iterable[int], *, black: bool = False, least: float = 0) -> Mark:
        """Return the flag with these numbers: dark letters on a light one, or light ones on a dark one."""
        text = "/".join(map(str, numbers))
        inside = whole(text_width(text, self.size, bold=black))
        width = max(least, inside + 6)

        def put(drawing: Drawing, x: float, y: float) -> None:
            top = y - self.size
            drawing.rect(x, top, width, self.high, INK if black else PAPER, stroke=INK)
            drawing.text(x + whole((width - inside) / 2), y, text, self.size, bold=black, fill=PAPER if black else INK)

        return Mark(width, put)

    def desk(self, *, pupil: bool) -> Mark:
        """Return a desk of the school, with a pupil or free."""
        wide = self.size + 2

        def put(drawing: Drawing, x: float, y: float) -> None:
            drawing.rect(x, y - self.size, wide, self.high, PAPER, stroke=INK)
            if pupil:
                put_pawn(drawing, x + 0.5, y - self.size + 1, self.size + 1, INK)

        return Mark(wide, put)

    def tile(self, numbers: Iterable[int]) -> Mark:
        """Return the 2/12 tile, which lies beside a flag."""
        text = "/".join(map(str, numbers))
        width = whole(text_width(text, self.size, bold=True)) + 9

        def put(drawing: Drawing, x: float, y: float) -> None:
            top = y - self.size
            drawing.rect(x, top, width, self.high, "#f4d98b", stroke=INK, thick=1.5, radius=self.high / 2)
            drawing.text(x + 4.5, y, text, self.size, bold=True)

        return Mark(width, put)

    def die(self, face: object, *, colour: str) -> Mark:
        """Return a die: white, black, or "taken", which may be either."""
        side = self.size + 8
        fill, ink = {"white": ("#ffffff", INK), "black": (INK, PAPER), "taken": ("#e3d9c2", INK)}[colour]

        def put(drawing: Drawing, x: float, y: float) -> None:
            top = y - whole((self.size + side) / 2) + 1.5
            drawing.rect(x, top, side, side, fill, stroke=INK, radius=4, dash="3 2" if colour == "taken" else "")
            drawing.text(x + side / 2, y, str(face), self.size, anchor="middle", bold=True, fill=ink)

        return Mark(side, put)


def whole(length: float) -> float:
    """Return *length*, a little longer: whole pixels, so that equal signs look alike wherever they stand."""
    return ceil(SHARPNESS * length) / SHARPNESS


def joined(marks: Sequence[Mark], gap: float = GAP) -> Mark:
    """Return *marks* as one, beside each other."""

    def put(drawing: Drawing, x: float, y: float) -> None:
        for mark in marks:
            mark.put(drawing, x, y)
            x += mark.width + gap

    return Mark(sum(mark.width for mark in marks) + gap * max(0, len(marks) - 1), put)


def flow(
    drawing: Drawing, x: float, y: float, chips: Sequence[Chip], signs: Signs, *, below: float | None = None
) -> float:
    """
    Put down *chips*, each in a box of its own, in lines from *x*, *y* to the right margin.

    The second line and further ones begin at *below*, if that is given. Returns where the next line would stand.
    """
    below = x if below is None else below
    for at, line in enumerate(in_lines(chips, WIDTH - MARGIN - x, WIDTH - MARGIN - below)):
        left = below if at else x
        for chip in line:
            with drawing.piece(left, y, chip.width, signs.chip_high):
                drawing.rect(left, y, chip.width, signs.chip_high, chip.fill, stroke=chip.stroke, radius=4)
                chip.mark.put(drawing, left + PAD, y + signs.chip_line)
            left += chip.width + GAP
        y += signs.chip_high + 3
    return y


def in_lines(chips: Sequence[Chip], first: float, others: float) -> list[list[Chip]]:
    """Return *chips* in lines, the first and the others no wider than this; always one line at least."""
    filled: list[list[Chip]] = [[]]
    room = first
    for chip in chips:
        if chip.width > room and (filled[-1] or room < others):
            filled.append([])
            room = others
        filled[-1].append(chip)
        room -= chip.width + GAP
    return filled


def put_icon(drawing: Drawing, name: str, x: float, y: float, size: float) -> None:
    """Put down an icon with its corner at *x*, *y*."""
    scale = size / 16
    for shape, fill, stroke in ICONS[name]:
        if isinstance(shape, str):
            drawing.path(placed(shape, x, y, scale), fill or "none", stroke=stroke or "none")
        else:
            across, down, radius = shape
            drawing.circle(
                x + across * scale, y + down * scale, radius * scale, fill or "none", stroke=stroke or "none"
            )


def put_pawn(drawing: Drawing, x: float, y: float, size: float, fill: str) -> None:
    """Put down a villager; without *fill* his place is empty, and crossed out."""
    scale = size / 16
    if fill:
        drawing.path(placed(PAWN, x, y, scale), fill, stroke=INK)
    else:
        drawing.path(placed(PAWN, x, y, scale), PAPER, stroke=QUIET, dash="2 1.5")
        drawing.path(placed("M1 3 L15 14", x, y, scale), stroke=INK, thick=1.2)


SMALL_SIGNS, TEXT_SIGNS = Signs(SMALL), Signs(TEXT)
