"""
Layouts on the grid: their images, where they fit, and which squares touch. Pure geometry; knows no card.

A square is a number from 0 to 15, row by row from the top; its name is a letter for the column and a number for the
row.
"""

from collections.abc import Iterator
from functools import cache

from msgspec import Struct

SIDE = 4
ALL = range(SIDE * SIDE)
SQUARES = tuple(f"{column}{row}" for row in "1234" for column in "abcd")
"""Names of the squares, in their order: a1 is at the top left, d4 at the bottom right."""

NUMBER = {name: at for at, name in enumerate(SQUARES)}
CORNERS = (0, 3, 12, 15)
CENTRE = (5, 6, 9, 10)

LETTERS = "WHBGS"
"""The letters of a layout, in the order of the resources."""

ANY = "."

Layout = tuple[str, ...]
"""Rows from the top, of one length; a letter of `LETTERS`, or "." for a square that does not matter."""

Squares = tuple[int, ...]
"""Squares in their order."""


class Placement(Struct, frozen=True):
    """
    One way in which a layout lies on the grid.

    `needs`  for each resource the squares that want it, as a bit mask
    `mask`   all squares of the layout, as a bit mask
    """

    needs: tuple[int, int, int, int, int]
    mask: int


def is_layout(rows: Layout) -> bool:
    """Return whether *rows* draw a layout that fits on the grid and needs a cube."""
    widths = {len(row) for row in rows}
    letters = set("".join(rows))
    sized = 1 <= len(rows) <= SIDE and len(widths) == 1 and 1 <= max(widths) <= SIDE
    return sized and letters <= {*LETTERS, ANY} and letters != {ANY}


@cache
def images(layout: Layout) -> tuple[Layout, ...]:
    """Return the different images of *layout* under turning and mirroring, itself first."""
    found: dict[Layout, None] = {}
    rows = layout
    for _ in range(2):
        for _ in range(4):
            found[rows] = None
            rows = tuple("".join(column) for column in zip(*reversed(rows), strict=True))
        rows = tuple(row[::-1] for row in rows)
    return tuple(found)


@cache
def placements(layout: Layout) -> tuple[Placement, ...]:
    """Return every way in which *layout* lies on the grid, turned and mirrored ones included."""
    return tuple(
        _placed(rows, top, left)
        for rows in images(layout)
        for top in range(SIDE - len(rows) + 1)
        for left in range(SIDE - len(rows[0]) + 1)
    )


def _placed(rows: Layout, top: int, left: int) -> Placement:
    needs = [0] * len(LETTERS)
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != ANY:
                needs[LETTERS.index(letter)] |= 1 << (top + y) * SIDE + left + x
    wood, wheat, brick, glass, stone = needs
    return Placement((wood, wheat, brick, glass, stone), wood | wheat | brick | glass | stone)


@cache
def wanted(layout: Layout) -> tuple[int, ...]:
    """Return how many cubes of each resource *layout* takes, in the order of the resources."""
    drawn = "".join(layout)
    return tuple(map(drawn.count, LETTERS))


@cache
def beside(square: int) -> Squares:
    """Return the squares that share a side with *square*."""
    row, column = divmod(square, SIDE)
    return tuple(at for at in ALL if abs(at // SIDE - row) + abs(at % SIDE - column) == 1)


@cache
def around(square: int) -> Squares:
    """Return the up to eight squares around *square*, corners included."""
    row, column = divmod(square, SIDE)
    return tuple(at for at in ALL if max(abs(at // SIDE - row), abs(at % SIDE - column)) == 1)


@cache
def in_row(square: int) -> Squares:
    """Return the other squares of the row of *square*."""
    return tuple(at for at in ALL if at // SIDE == square // SIDE and at != square)


@cache
def in_column(square: int) -> Squares:
    """Return the other squares of the column of *square*."""
    return tuple(at for at in ALL if at % SIDE == square % SIDE and at != square)


def groups(squares: Squares) -> tuple[Squares, ...]:
    """Return *squares* as groups joined by their sides, in the order of their first squares."""
    left, found = set(squares), []
    for square in squares:
        if square in left:
            group, edge = {square}, [square]
            while edge:
                for at in beside(edge.pop()):
                    if at in left and at not in group:
                        group.add(at)
                        edge.append(at)
            left -= group
            found.append(tuple(sorted(group)))
    return tuple(found)


@cache
def unpack(mask: int) -> Squares:
    """Return the squares of a bit *mask*."""
    return tuple(at for at in ALL if mask >> at & 1)


def pack(squares: Iterator[int] | Squares) -> int:
    """Return *squares* as a bit mask."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask
