"""The pictures of Village, first of all the board that the families share; every place shows who stands on it."""

from collections.abc import Sequence

from msgspec import Struct

from engine.village.components import BUILDINGS, Customer
from engine.village.state import CUBES, STAGES, THINGS, WINDOWS
from engine.village.views import PlacesView, View
from pbem.post.draw.drawing import CARD, INK, LARGE, MARGIN, PAPER, QUIET, SMALL, TEXT, WIDTH, Picture
from pbem.post.draw.font import text_width
from pbem.post.draw.village_families import families
from pbem.post.draw.village_parts import CUBE, ROW, STEP, Pen, Token, fitting, members, rows
from pbem.post.voice import Voice

INNER = WIDTH - 2 * MARGIN
HALF = (INNER - 4) / 2
PAD = 6
GAP = 4
"""Inside a card, and from one card to the next."""

SIDE = 88
"""Width of the name of a space and its cubes, beside its places; five cubes fit."""

LABEL = 13
"""Height of the line that names a place."""

MAP = ("ford", "castle", "harbour", "abbey", "quarry", "vineyard")
"""The cities as the roads join them, three in a row."""

WAITING = 22
"""Height of a customer in line."""

GRAVES = "graves"

Box = tuple[float, float, float, float]
"""Left, top, width and height."""


class Place(Struct, frozen=True):
    """A place on the board: its name, and what stands on it."""

    label: str
    tokens: tuple[Token, ...]


def pictures(view: View, voice: Voice) -> tuple[Picture, ...]:
    """Return the board, then the reader's own family, then the others."""
    return (_board(view, voice), *families(view, voice))


def _board(view: View, voice: Voice) -> Picture:
    pen = Pen(view, voice)
    y = _players(pen, view, _heading(pen, view))
    y = _end(pen, view, y)
    y = _fields(pen, view, y)
    y = _space(pen, view, "crafts", y, [_spot(pen, view, "building", one) for one in BUILDINGS])
    y = _market(pen, view, y)
    y = _travel(pen, view, y)
    y = _space(pen, view, "council", y, [_spot(pen, view, "spot", one) for one in STAGES])
    y = _space(pen, view, "church", y, [_spot(pen, view, "spot", one) for one in reversed(WINDOWS)])
    y = _chronicle(pen, view, y)
    y = _bags(pen, view, y)
    y = _supply(pen, view, y)
    return Picture("board", voice.drawn("board", round=view.round), pen.drawing.svg(y + MARGIN - GAP))


def _heading(pen: Pen, view: View) -> float:
    name = "over" if view.over else "round"
    pen.drawing.text(MARGIN, 21, pen.voice.drawn(name, round=view.round), LARGE, bold=True)
    if not view.over:
        said = pen.voice.drawn("marker", seat=view.marker)
        pen.drawing.text(WIDTH - MARGIN, 21, said, SMALL, anchor="end", fill=QUIET, most=250)
    return 28


def _players(pen: Pen, view: View, y: float) -> float:
    """Draw a field for each family, two side by side: its sign, its name, whose turn it is and who starts."""
    for at, family in enumerate(view.families):
        x, top = MARGIN + (HALF + GAP) * (at % 2), y + 24 * (at // 2)
        turn = family.seat == view.turn and not view.over
        with pen.drawing.piece(x, top, HALF, 22):
            pen.drawing.rect(x, top, HALF, 22, CARD, radius=4, stroke=INK if turn else "none", thick=1.5)
            pen.head(x + PAD, top + 2, family.seat, 0.8)
            end = x + HALF - 4
            for tag, shown in (("turn", turn), ("starts", family.seat == view.first and not view.over)):
                if shown:
                    end = _tag(pen, end, top + 4, pen.voice.drawn(tag), strong=tag == "turn")
            left = x + PAD + 17
            pen.drawing.text(left, top + 15, pen.voice.name_of(family.seat), bold=True, most=end - left - 2)
    return y + 24 * -(-len(view.families) // 2) + 2


def _tag(pen: Pen, end: float, y: float, words: str, *, strong: bool) -> float:
    """Draw a word in a small field that ends at *end*; return where the next one to the left may end."""
    wide = text_width(words, SMALL) + 8
    pen.drawing.rect(end - wide, y, wide, 14, INK if strong else PAPER, radius=4)
    pen.drawing.text(end - wide / 2, y + 11, words, SMALL, anchor="middle", fill=PAPER if strong else INK)
    return end - wide - 3


def _end(pen: Pen, view: View, y: float) -> float:
    if view.trigger is None:
        return y
    said = pen.voice.drawn("end", seat=view.trigger, last=view.last if view.final else ())
    return pen.drawing.paragraph(MARGIN, y + 12, said, INNER, bold=True) - TEXT + GAP


def _fields(pen: Pen, view: View, y: float) -> float:
    """Draw the two spaces without places of their own."""
    for at, space in enumerate(("harvest", "family")):
        x = MARGIN + (HALF + GAP) * at
        with pen.drawing.piece(x, y, HALF, 24):
            pen.drawing.rect(x, y, HALF, 24, CARD, radius=5)
            _title(pen, view, space, x + PAD, y + 16)
    return y + 24 + GAP


def _title(pen: Pen, view: View, space: str, x: float, y: float) -> None:
    """Write the name of a space on the line at *y*, with its cubes behind it."""
    name = pen.voice.name("space", space)
    pen.drawing.text(x, y, name, TEXT, bold=True)
    _cubes(pen, view, space, x + text_width(name, TEXT, bold=True) + 8, y - 12)


def _cubes(pen: Pen, view: View, space: str, x: float, y: float) -> None:
    """Draw the cubes on a space side by side."""
    for at, colour in enumerate(_lying(view, space)):
        pen.cube(x + (CUBE + 1) * at, y, colour)


def _lying(view: View, space: str) -> list[str]:
    """Return the colours of the cubes on a space, cube by cube."""
    cubes = next(one.cubes for one in view.spaces if one.space == space)
    return [colour for colour, count in cubes for _ in range(count)]


def _side(view: View, space: str) -> float:
    return max(SIDE, 2 * PAD + (CUBE + 1) * len(_lying(view, space)))


def _spot(pen: Pen, view: View, family: str, spot: str) -> Place:
    return Place(pen.voice.name(family, spot), _standing(view, spot))


def _standing(view: View, spot: str) -> tuple[Token, ...]:
    """Return who stands on a spot, family by family."""
    return tuple(
        token
        for family in view.families
        for one in family.members
        if one.spot == spot
        for token in members(family.seat, one.numbers)
    )


def _space(pen: Pen, view: View, space: str, y: float, places: Sequence[Place]) -> float:
    """Draw a space: its name and cubes on the left, its places in a row beside them."""
    side = _side(view, space)
    wides = _shared(places, INNER - side - 2)
    high = LABEL + ROW * max(rows(len(one.tokens), wide - 4) for one, wide in zip(places, wides, strict=True))
    _named(pen, view, space, y, high + 6)
    x = MARGIN + side
    for one, wide in zip(places, wides, strict=True):
        with pen.drawing.piece(x, y + 3, wide - 2, high):
            pen.drawing.rect(x, y + 3, wide - 2, high, PAPER, radius=3)
            pen.drawing.text(x + wide / 2 - 1, y + 13.5, one.label, SMALL, anchor="middle", most=wide - 2)
            room = STEP * min(len(one.tokens), fitting(wide - 4)) - 2
            pen.tokens(x + (wide - 2 - room) / 2, y + 3 + LABEL, one.tokens, room)
        x += wide
    return y + high + 6 + GAP


def _shared(places: Sequence[Place], wide: float) -> list[float]:
    """Return how wide each place is: all alike, unless more room for crowded ones leaves nobody in a second row."""
    alike = wide / len(places)
    needs = [max(text_width(one.label, SMALL) + 3, STEP * len(one.tokens) + 2) for one in places]
    if max(needs) <= alike or sum(needs) > wide:
        return [alike] * len(places)
    return [one + (wide - sum(needs)) / len(places) for one in needs]


def _named(pen: Pen, view: View, space: str, y: float, high: float) -> None:
    """Draw the card of a space with its name, its cubes below."""
    pen.drawing.rect(MARGIN, y, INNER, high, CARD, radius=5)
    pen.drawing.text(MARGIN + PAD, y + 16, pen.voice.name("space", space), TEXT, bold=True)
    _cubes(pen, view, space, MARGIN + PAD, y + 22)


def _travel(pen: Pen, view: View, y: float) -> float:
    """Draw the cities, each with its name on the left."""
    side, named = _side(view, "travel"), 44
    wide = (INNER - side - 2) / 3
    places = [_spot(pen, view, "city", one) for one in MAP]
    lines = (places[:3], places[3:])
    highs = [ROW * max(rows(len(one.tokens), wide - named - 4) for one in line) for line in lines]
    _named(pen, view, "travel", y, sum(highs) + 8)
    top = y + 3
    for line, high in zip(lines, highs, strict=True):
        for at, one in enumerate(line):
            x = MARGIN + side + wide * at
            with pen.drawing.piece(x, top, wide - 2, high):
                pen.drawing.rect(x, top, wide - 2, high, PAPER, radius=3)
                pen.drawing.text(x + 3, top + 16, one.label, SMALL, most=named)
                pen.tokens(x + named + 2, top + 1, one.tokens, wide - named - 4)
        top += high + 2
    return top + 1 + GAP


def _market(pen: Pen, view: View, y: float) -> float:
    """Draw the customers at the stalls by name, and those in line."""
    wide = (INNER - 4) / len(view.stalls)
    names = [_in_lines(pen.voice.name("customer", one.id), wide - 4) if one else [] for one in view.stalls]
    high = 29 + 13 * max(1, *map(len, names))
    pen.drawing.rect(MARGIN, y, INNER, 24 + high + 2 + WAITING + 3, CARD, radius=5)
    _title(pen, view, "market", MARGIN + PAD, y + 16)
    left = pen.voice.drawn("pile", count=view.pile)
    pen.drawing.text(WIDTH - MARGIN - PAD, y + 16, left, SMALL, anchor="end", fill=QUIET)
    for at, (customer, name) in enumerate(zip(view.stalls, names, strict=True)):
        _stall(pen, (MARGIN + 3 + wide * at, y + 24, wide - 2, high), customer, name)
    _line(pen, view, y + 24 + high + 2)
    return y + 24 + high + 2 + WAITING + 3 + GAP


def _in_lines(name: str, wide: float) -> list[str]:
    """Return the name of a customer in one line or, broken at a hyphen, in two."""
    if text_width(name, SMALL) <= wide or "-" not in name:
        return [name]
    first, rest = name.split("-", 1)
    return [first, f"-{rest}"]


def _stall(pen: Pen, box: Box, customer: Customer | None, name: Sequence[str]) -> None:
    """Draw a stall: what its customer asks for, the points, and what it is called."""
    x, y, wide, high = box
    with pen.drawing.piece(*box):
        if customer is None:
            pen.drawing.rect(*box, stroke=QUIET, dash="3 3", radius=3)
            pen.drawing.text(
                x + wide / 2, y + high / 2 + 4, pen.voice.drawn("empty"), SMALL, anchor="middle", fill=QUIET
            )
            return
        pen.drawing.rect(*box, PAPER, radius=3)
        _wanted(pen, x + 2, y + 4, customer, 19)
        pen.points(x + wide - 10, y + 13, customer.points)
        for at, part in enumerate(name):
            pen.drawing.text(x + wide / 2, y + 36 + 13 * at, part, SMALL, anchor="middle", most=wide)


def _line(pen: Pen, view: View, y: float) -> None:
    """Draw those who wait, the first of them left."""
    named = 48
    pen.drawing.text(MARGIN + PAD, y + 15, pen.voice.drawn("line"), SMALL, fill=QUIET, most=named - PAD)
    wide = (INNER - named - 3) / max(5, len(view.line))
    for at, customer in enumerate(view.line):
        x = MARGIN + named + wide * at
        with pen.drawing.piece(x, y, wide - 2, WAITING):
            pen.drawing.rect(x, y, wide - 2, WAITING, PAPER, radius=3)
            _wanted(pen, x + 2, y + 3, customer, 16)
            pen.points(x + wide - 12, y + WAITING / 2, customer.points)


def _wanted(pen: Pen, x: float, y: float, customer: Customer, size: float) -> None:
    """Draw what a customer asks for, side by side; on the sack stands how much grain."""
    for good in customer.goods:
        pen.thing(x, y, good, size)
        x += size + 1
    if customer.grain:
        pen.grain(x, y, customer.grain, size)


def _chronicle(pen: Pen, view: View, y: float) -> float:
    """Draw the sections of the chronicle and the graves, each with its dead and its free places."""
    wide, named = (INNER - 4) / 2, 76
    areas = (*view.chronicle, view.graves)
    dead = [_dead(view, one) for one in areas]
    highs = [ROW * max(rows(len(one), wide - named - 4) for one in dead[at : at + 2]) for at in range(0, len(dead), 2)]
    pen.drawing.rect(MARGIN, y, INNER, 21 + sum(highs) + 2 * len(highs) + 1, CARD, radius=5)
    pen.drawing.text(MARGIN + PAD, y + 15, pen.voice.drawn("chronicle"), TEXT, bold=True)
    pen.drawing.text(WIDTH - MARGIN - PAD, y + 15, pen.voice.drawn("free"), SMALL, anchor="end", fill=QUIET)
    top = y + 21
    for at, (one, tokens) in enumerate(zip(areas, dead, strict=True)):
        x, high = MARGIN + 3 + wide * (at % 2), highs[at // 2]
        with pen.drawing.piece(x, top, wide - 2, high):
            pen.drawing.rect(x, top, wide - 2, high, PAPER, radius=3)
            name = pen.voice.drawn("graves") if one.area == GRAVES else pen.voice.name("section", one.area)
            pen.drawing.text(x + 4, top + 16, name, SMALL, most=named - 5, bold=one.area == GRAVES)
            pen.tokens(x + named, top + 1, tokens, wide - named - 4)
        top += (high + 2) * (at % 2)
    return top + 1 + GAP


def _dead(view: View, places: PlacesView) -> tuple[Token, ...]:
    """Return who has a place, then the places that are free."""
    found: tuple[Token, ...] = ()
    for family in view.families:
        if places.area == GRAVES:
            found += members(family.seat, family.graves)
        for one in family.chronicle:
            if one.spot == f"chronicle-{places.area}":
                found += members(family.seat, one.numbers)
    return found + (Token("grave" if places.area == GRAVES else "place"),) * places.free


def _bags(pen: Pen, view: View, y: float) -> float:
    """Draw the black bag and the green bag side by side."""
    inside = (Token("monk"),) * view.monks
    for family in view.families:
        inside += members(family.seat, family.bag)
    high = 19 + ROW * rows(len(inside), HALF - 2 * PAD)
    left, right = MARGIN, MARGIN + HALF + GAP
    for x, name in ((left, pen.voice.name("spot", "bag")), (right, pen.voice.drawn("green_bag"))):
        pen.drawing.rect(x, y, HALF, high, CARD, radius=5)
        pen.drawing.text(x + PAD, y + 14, name, TEXT, bold=True)
    pen.tokens(left + PAD, y + 18, inside, HALF - 2 * PAD)
    pen.counted(right + PAD, y + 22, view.green_bag, 4)
    return y + high + GAP


def _supply(pen: Pen, view: View, y: float) -> float:
    """Draw what the supply has, cubes above goods; what it lacks stands there with 0."""
    have, named = dict(view.supply), 62
    wide = (INNER - named) / max(len(CUBES), len(THINGS) - len(CUBES))
    with pen.drawing.piece(MARGIN, y, INNER, 42):
        pen.drawing.rect(MARGIN, y, INNER, 42, CARD, radius=5)
        pen.drawing.text(MARGIN + PAD, y + 16, pen.voice.drawn("supply"), TEXT, bold=True)
        for line, things in enumerate((CUBES, THINGS[len(CUBES) :])):
            for at, one in enumerate(things):
                pen.counted(MARGIN + named + wide * at, y + 4 + 19 * line, [(one, have.get(one, 0))])
    return y + 42 + GAP
