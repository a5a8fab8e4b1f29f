"""What can be measured in a drawing: sizes of letters, what covers what, and words that can be read on their ground."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from msgspec import Struct

from pbem.post.draw.drawing import SMALL, WIDTH
from pbem.post.draw.font import ASCENT, DESCENT, text_width

SVG = "{http://www.w3.org/2000/svg}"
LEAST_CONTRAST = 4.5
SHARED = 0.75
"""Units that two boxes may share: letters do not fill theirs."""


class Box(Struct, frozen=True):
    """A rectangle, with what it holds."""

    left: float
    top: float
    right: float
    bottom: float
    what: str = ""

    def covers(self, other: "Box") -> bool:
        """Return whether some of the other lies under this one."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide > SHARED and high > SHARED

    def holds(self, other: "Box") -> bool:
        """Return whether all of the other lies inside this one."""
        return (
            self.left - SHARED <= other.left
            and self.top - SHARED <= other.top
            and other.right <= self.right + SHARED
            and other.bottom <= self.bottom + SHARED
        )


def check_drawing(svg: str) -> None:
    """Hold a drawing against what every picture must keep."""
    root = ET.fromstring(svg)
    _, _, width, height = (float(one) for one in root.attrib["viewBox"].split())
    assert width == WIDTH
    page = Box(0, 0, width, height)
    texts = [text_box(one) for one in root.iter(f"{SVG}text")]
    for element in root.iter(f"{SVG}text"):
        assert float(element.attrib["font-size"]) >= SMALL, f"too small: {element.text}"
        assert "data-piece" not in element.attrib
    for at, one in enumerate(texts):
        assert page.holds(one), f"{one.what!r} leaves the page"
        for other in texts[at + 1 :]:
            assert not one.covers(other), f"{one.what!r} covers {other.what!r}"
    check_pieces(root, page, texts)
    check_grounds(root)


def check_pieces(element: ET.Element, around: Box, texts: list[Box]) -> None:
    """Pieces lie inside what holds them and cover neither each other nor words that are not theirs."""
    pieces = [(child, box) for child in _pieces(element) if (box := piece_box(child)) is not None]
    for at, (child, box) in enumerate(pieces):
        assert around.holds(box), f"{box.what} leaves what holds it"
        for _, other in pieces[at + 1 :]:
            assert not box.covers(other), f"{box.what} covers {other.what}"
        own = [text_box(one) for one in child.iter(f"{SVG}text")]
        for one in own:
            assert box.holds(one), f"{one.what!r} leaves its piece"
        for one in texts:
            assert one in own or not box.covers(one), f"{box.what} covers {one.what!r}"
        check_pieces(child, box, own)


def _pieces(element: ET.Element) -> Iterator[ET.Element]:
    """Yield the pieces inside *element* that lie in no other piece in it."""
    for child in element:
        if "data-piece" in child.attrib:
            yield child
        else:
            yield from _pieces(child)


def piece_box(element: ET.Element) -> Box:
    """Return the box of a piece."""
    x, y, width, height = (float(one) for one in element.attrib["data-piece"].split())
    words = " ".join(one.text or "" for one in element.iter(f"{SVG}text"))
    return Box(x, y, x + width, y + height, f"the piece at {x:g} {y:g} ({words})")


def text_box(element: ET.Element) -> Box:
    """Return the box of some words, measured with the font."""
    size, words = float(element.attrib["font-size"]), element.text or ""
    wide = text_width(words, size, bold=element.attrib.get("font-weight") == "bold")
    x, y = float(element.attrib["x"]), float(element.attrib["y"])
    left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[element.attrib.get("text-anchor", "start")]
    return Box(left, y - ASCENT * size, left + wide, y + DESCENT * size, words)


def check_grounds(root: ET.Element) -> None:
    """Words stand on a ground from which they differ enough, whatever colour it has."""
    grounds: list[tuple[Box, str]] = []
    for element in root.iter():
        fill = element.attrib.get("fill", "none")
        if element.tag == f"{SVG}text":
            box = text_box(element)
            middle = Box((box.left + box.right) / 2, (box.top + box.bottom) / 2, 0, 0)
            under = next(colour for ground, colour in reversed(grounds) if _is_in(middle, ground))
            found = contrast(fill, under)
            assert found >= LEAST_CONTRAST, f"{box.what!r}: {fill} on {under} is {found:.1f}"
        elif fill != "none" and (ground := shape_box(element)) is not None:
            grounds.append((ground, fill))


def _is_in(point: Box, ground: Box) -> bool:
    return ground.left <= point.left <= ground.right and ground.top <= point.top <= ground.bottom


def shape_box(element: ET.Element) -> Box | None:
    """Return the box of a filled shape; None for one that is none."""
    values = {name: float(value) for name, value in element.attrib.items() if re.fullmatch(r"-?\d+(\.\d+)?", value)}
    if element.tag == f"{SVG}rect":
        x, y = values.get("x", 0), values.get("y", 0)
        return Box(x, y, x + values["width"], y + values["height"])
    if element.tag == f"{SVG}circle":
        x, y, r = values["cx"], values["cy"], values["r"]
        return Box(x - r, y - r, x + r, y + r)
    if element.tag == f"{SVG}path":
        numbers = [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", element.attrib["d"])]
        return Box(min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2]))
    return None


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours such as #23211d. Source: WCAG 2.2, contrast ratio."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def without_colours(svg: str) -> str:
    """Return the drawing with every colour taken out: what someone sees who tells no colours apart."""
    return re.sub(r"#[0-9a-f]{6}", "#", svg)
