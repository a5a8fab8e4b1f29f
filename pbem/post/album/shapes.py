"""
Pictures by their shapes: each shape, and each group of shapes, is kept once and shared by all pictures that have it.

A shape is the text of its element; a group is a list: the attributes of its `<g>`, then the numbers of what it holds.
"""

import re

from msgspec import Struct

from pbem.post.draw import Picture

Shape = str | tuple[str | int, ...]

_TOKEN = re.compile(r"<g\b[^>]*>|</g>|<text\b[^>]*>[^<]*</text>|<[^>]*/>")
_PIXELS = re.compile(r' (?:width|height)="[^"]*"')
_PIECE = re.compile(r' data-piece="[^"]*"')


class Sheet(Struct, frozen=True):
    """One picture: its text equivalent, its opening tag, and the numbers of what it holds."""

    alt: str
    head: int
    shapes: tuple[int, ...]


class Shapes:
    """All pictures of an album."""

    def __init__(self) -> None:
        self._numbers: dict[Shape, int] = {}
        self._sheets: dict[Sheet, int] = {}
        self._known: dict[Picture, int] = {}

    @property
    def shapes(self) -> list[Shape]:
        """Return every shape in the order of its number."""
        return list(self._numbers)

    @property
    def sheets(self) -> list[Sheet]:
        """Return every picture in the order of its number."""
        return list(self._sheets)

    def add(self, picture: Picture) -> int:
        """Return the number of *picture*, kept now."""
        if picture not in self._known:
            sheet = self._take_apart(picture)
            self._known[picture] = self._sheets.setdefault(sheet, len(self._sheets))
        return self._known[picture]

    def svg(self, number: int) -> str:
        """Return a picture as it is put into a page."""
        sheet, shapes = self.sheets[number], self.shapes
        return f"{shapes[sheet.head]}{''.join(_put_together(shapes, one) for one in sheet.shapes)}</svg>"

    def _take_apart(self, picture: Picture) -> Sheet:
        opening, _, rest = picture.svg.partition(">")
        body = rest.removesuffix("</svg>")
        tokens = _TOKEN.findall(body)
        assert "".join(tokens) == body, "a drawing is made of known shapes"
        groups: list[list[str | int]] = [[""]]
        for token in tokens:
            if token == "</g>":  # noqa: S105 - a tag
                groups[-2].append(self._number(tuple(groups.pop())))
            elif token.startswith("<g"):
                groups.append([_PIECE.sub("", token[2:-1])])
            else:
                groups[-1].append(self._number(token))
        head = self._number(_PIXELS.sub("", opening) + ">")
        return Sheet(picture.alt, head, tuple(one for one in groups[0] if isinstance(one, int)))

    def _number(self, shape: Shape) -> int:
        return self._numbers.setdefault(shape, len(self._numbers))


def _put_together(shapes: list[Shape], number: int) -> str:
    shape = shapes[number]
    if isinstance(shape, str):
        return shape
    attributes, *held = shape
    return f"<g{attributes}>{''.join(_put_together(shapes, one) for one in held if isinstance(one, int))}</g>"
