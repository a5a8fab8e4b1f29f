"""Families of Village as they are drawn: what each has, and where its members are; the reader's own larger."""

from collections.abc import Sequence
from math import ceil

from msgspec import Struct

from engine.village.components import COLOURS, GOODS
from engine.village.views import FamilyView, View
from pbem.post.draw.drawing import CARD, INK, LARGE, MARGIN, PAPER, QUIET, RULE, SMALL, TEXT, WIDTH, Picture
from pbem.post.draw.font import text_width, wrap
from pbem.post.draw.village_parts import ROW, STEP, Pen, Token, members
from pbem.post.voice import Voice

INNER = WIDTH - 2 * MARGIN
PAD = 6
GAP = 4
TOGETHER = 3
"""Other families in one picture."""

LARGER = 1.3
"""Scale of the members of the reader's own family."""

LABEL = 14
DUE = "#9c1f17"
BRIDGE = 28
"""Width of the bridge at the end of the life track."""

HAVE = (*COLOURS, *GOODS, "grain", "coin")
CUSTOMERS = "customers"
CELL = 40
"""Height of a thing with its name."""


class Group(Struct, frozen=True):
    """Members of a family at one place; those who are not born yet or dead do not live."""

    label: str
    tokens: tuple[Token, ...]
    lives: bool = False

    def width(self, scale: float) -> float:
        """Return how much room it takes."""
        return max(text_width(self.label, SMALL) + 8, len(self.tokens) * STEP * scale + 4)


class Laid(Struct, frozen=True):
    """A group with its corner and size, within the width that it was laid out for."""

    group: Group
    x: float
    y: float
    wide: float
    high: float


def families(view: View, voice: Voice) -> tuple[Picture, ...]:
    """Return the reader's own family, then the others in one picture; more than fit into one, two in each."""
    own = [one for one in view.families if one.seat == view.seat]
    others = [one for one in view.families if one.seat != view.seat]
    count = len(others) if len(others) <= TOGETHER else 2
    parts = [others[at : at + count] for at in range(0, len(others), count)]
    return (*(_own(view, one, voice) for one in own), *(_others(view, part, voice) for part in parts))


def _own(view: View, family: FamilyView, voice: Voice) -> Picture:
    pen = Pen(view, voice)
    pen.head(MARGIN, 8, family.seat, LARGER)
    _named(pen, family, (MARGIN + 28, 27), WIDTH - MARGIN, LARGE)
    _life(pen, family, (MARGIN, 46, INNER))
    y = _things(pen, family, 74) + 4
    laid, high = _laid(_groups(pen, family), INNER, LARGER)
    _draw_groups(pen, laid, (MARGIN, y), LARGER, CARD)
    y = pen.drawing.paragraph(MARGIN, y + high + 16, _cities(pen, family), INNER)
    return Picture(f"family-{family.seat}", voice.drawn("family", seats=(family.seat,)), pen.drawing.svg(ceil(y) - 4))


def _others(view: View, shown: Sequence[FamilyView], voice: Voice) -> Picture:
    pen, y = Pen(view, voice), float(MARGIN)
    for family in shown:
        y += _family(pen, family, y) + 2 * GAP
    alt = voice.drawn("family", seats=tuple(one.seat for one in shown))
    return Picture(f"families-{shown[0].seat}", alt, pen.drawing.svg(y + MARGIN - 2 * GAP))


def _family(pen: Pen, family: FamilyView, y: float) -> float:
    """Draw all of one family on a card that begins at *y*; return how high it is."""
    x, wide = MARGIN + PAD, INNER - 2 * PAD
    laid, high = _laid(_groups(pen, family), wide, 1)
    won = wrap(f"{_cities(pen, family)}; {_served(pen, family)}", wide, SMALL)
    whole = 74 + high + 15 * len(won)
    with pen.drawing.piece(MARGIN, y, INNER, whole):
        pen.drawing.rect(MARGIN, y, INNER, whole, CARD, radius=5)
        pen.head(x, y + 4, family.seat, 0.9)
        _named(pen, family, (x + 20, y + 18), x + wide, TEXT)
        _life(pen, family, (x, y + 28, wide))
        if family.things:
            pen.counted(x, y + 51, family.things, 7)
        else:
            pen.drawing.text(x, y + 62, pen.voice.drawn("nothing"), SMALL, fill=QUIET)
        _draw_groups(pen, laid, (x, y + 71), 1, PAPER)
        for at, line in enumerate(won):
            pen.drawing.text(x, y + 82 + high + 15 * at, line, SMALL)
    return whole


def _named(pen: Pen, family: FamilyView, at: tuple[float, float], right: float, size: float) -> None:
    """Write whose family it is and its colour, and at the right its prestige."""
    x, y = at
    pen.points(right - 0.8 * size, y - 0.35 * size, family.prestige, 0.8 * size)
    said = pen.voice.drawn("prestige")
    pen.drawing.text(right - 1.6 * size - 4, y, said, SMALL, anchor="end", fill=QUIET)
    end = right - 1.6 * size - 10 - text_width(said, SMALL)
    colour = pen.voice.name("player", family.colour)
    most = end - x - text_width(colour, SMALL) - 6
    name = pen.voice.name_of(family.seat)
    pen.drawing.text(x, y, name, size, bold=True, most=most)
    x += min(most, text_width(name, size, bold=True)) + 6
    pen.drawing.text(x, y, colour, SMALL, fill=QUIET)


def _life(pen: Pen, family: FamilyView, box: tuple[float, float, float]) -> None:
    """Draw the steps of the life track up to the bridge, the marker on its own; *box* is left, top and width."""
    x, y, wide = box
    said, ink = pen.voice.drawn("life", step=family.step, lap=family.lap), QUIET
    if family.due:
        said, ink = pen.voice.drawn("due", count=family.due), DUE
    pen.drawing.text(x, y + 13, said, SMALL, fill=ink, bold=bool(family.due))
    named = text_width(said, SMALL, bold=bool(family.due)) + 6
    step = (wide - named - BRIDGE) / family.lap
    for at in range(family.lap):
        left = x + named + step * at
        if at == family.step:
            fill, ink = pen.fills[family.seat]
            pen.drawing.rect(left, y, step - 2, 18, fill, radius=4, stroke=INK, thick=1.5)
            pen.drawing.text(left + step / 2 - 1, y + 13, str(at), SMALL, anchor="middle", bold=True, fill=ink)
        else:
            pen.drawing.rect(left, y, step - 2, 18, RULE if at < family.step else PAPER, radius=4, stroke=RULE)
    pen.glyph("bridge", x + wide - BRIDGE, y)


def _things(pen: Pen, family: FamilyView, y: float) -> float:
    """Draw everything that a family can have, four in a row, with names; last the customers, with their points."""
    have, wide = dict(family.things), INNER / 4
    for at, name in enumerate((*HAVE, CUSTOMERS)):
        x, top = MARGIN + wide * (at % 4), y + (CELL + 3) * (at // 4)
        count = len(family.customers) if name == CUSTOMERS else have.get(name, 0)
        ink = INK if count else QUIET
        with pen.drawing.piece(x, top, wide - 3, CELL):
            pen.drawing.rect(x, top, wide - 3, CELL, CARD if count else PAPER, radius=4, stroke=CARD)
            if name == CUSTOMERS:
                pen.points(x + 22, top + 14, _points(family), 10)
                said = pen.voice.name("kind", "customer", count)
            else:
                pen.thing(x + 12, top + 3, name, 21)
                said = pen.voice.name("payment", name, count)
            pen.drawing.text(x + 44, top + 19, str(count), LARGE, bold=bool(count), fill=ink)
            pen.drawing.text(x + wide / 2 - 1.5, top + 35, said, SMALL, anchor="middle", fill=ink, most=wide - 5)
    return y + (CELL + 3) * -(-(len(HAVE) + 1) // 4)


def _groups(pen: Pen, family: FamilyView) -> list[Group]:
    """Return where the members are: at home, on the board, in the bag, unborn, dead."""

    def group(label: str, numbers: Sequence[int], *, lives: bool = False) -> Group:
        return Group(label, members(family.seat, numbers), lives)

    dead = sorted(number for one in family.chronicle for number in one.numbers)
    found = [group(pen.voice.name("spot", one.spot), one.numbers, lives=True) for one in family.members]
    found.append(group(pen.voice.name("spot", "bag"), family.bag, lives=True))
    found.append(Group(pen.voice.drawn("unborn"), tuple(Token("unborn", family.seat, one) for one in family.unborn)))
    found.append(group(pen.voice.drawn("chronicle"), dead))
    found.append(group(pen.voice.drawn("graves"), family.graves))
    found.append(group(pen.voice.drawn("removed"), family.removed))
    return [one for one in found if one.tokens]


def _laid(groups: Sequence[Group], wide: float, scale: float) -> tuple[list[Laid], float]:
    """Return the groups laid out in rows no wider than *wide*, and how high all of them are."""
    laid: list[Laid] = []
    x, y, high = 0.0, 0.0, LABEL + scale * ROW + 1
    for group in groups:
        if x and x + group.width(scale) > wide:
            x, y = 0, y + high + 3
        laid.append(Laid(group, x, y, group.width(scale), high))
        x += group.width(scale) + 3
    return laid, y + high + 3


def _draw_groups(pen: Pen, laid: Sequence[Laid], corner: tuple[float, float], scale: float, ground: str) -> None:
    """Draw groups below *corner*: those who live on *ground*, the dead on a darker one, the unborn on none."""
    for one in laid:
        box = (corner[0] + one.x, corner[1] + one.y, one.wide, one.high)
        unborn = one.group.tokens[0].kind == "unborn"
        fill = "none" if unborn else ground if one.group.lives else RULE
        with pen.drawing.piece(*box):
            pen.drawing.rect(*box, fill, radius=3, stroke=RULE, dash="3 2" if unborn else "")
            pen.drawing.text(box[0] + one.wide / 2, box[1] + 11, one.group.label, SMALL, anchor="middle")
            room = len(one.group.tokens) * STEP * scale - 2 * scale
            pen.tokens(box[0] + (one.wide - room) / 2, box[1] + LABEL, one.group.tokens, room, scale)


def _cities(pen: Pen, family: FamilyView) -> str:
    return pen.voice.drawn("cities", cities=[pen.voice.name("city", one) for one in family.cities])


def _served(pen: Pen, family: FamilyView) -> str:
    return pen.voice.drawn("customers", count=len(family.customers), points=_points(family))


def _points(family: FamilyView) -> int:
    """Return what the customers served will score."""
    return sum(one.points for one in family.customers)
