"""
The pictures of Tiny Towns: the own town large, the other towns side by side, and the cards.

A spectator sees all towns alike. Every picture says of which round it is; what was named stands in the own town too.
"""

from collections.abc import Iterator, Sequence

from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import SIDE, SQUARES
from engine.tiny_towns.views import SquareView, TownView, View
from pbem.post.draw.drawing import CARD, INK, LARGE, MARGIN, QUIET, SMALL, TEXT, WIDTH, Drawing, Picture
from pbem.post.draw.font import text_width, wrap
from pbem.post.draw.tiny_towns_cards import draw_cards, draw_head
from pbem.post.draw.tiny_towns_parts import (
    TYPES,
    Sign,
    building,
    building_sign,
    chips,
    cube,
    cube_sign,
    hammer,
    hammer_sign,
    legend,
    villager,
    villager_sign,
)
from pbem.post.voice import Voice

INNER = WIDTH - 2 * MARGIN
GAP = 4
CELL, HIGH = (INNER - GAP * (SIDE - 1)) / SIDE, 74
"""How wide and high a square of the large town is, and how far two are apart."""

OPENED = 3
"""How many lines there are for what could be completed on a square."""

APART, EDGE, THIN = 16, 13, 2
"""Between two small towns; beside each for letters and numbers; between its squares."""

NARROW = (INNER - APART) / 2
STEP, LOW = (NARROW - EDGE + THIN) / SIDE, 34
"""How wide a small town is, and from one of its squares to the next, across and down."""


def pictures(view: View, voice: Voice) -> tuple[Picture, ...]:
    """Return what *view* looks like: the own town, those of the others, the cards."""
    own = [one for one in view.towns if one.seat == view.seat]
    others = [one for one in view.towns if one.seat != view.seat]
    large = own + others if len(others) == 1 else own
    shown = [_large(view, voice, one) for one in large]
    if len(others) > 1:
        shown.append(_small(view, voice, others))
    return (*shown, draw_cards(view, voice))


# --- one town, large ---


def _large(view: View, voice: Voice, town: TownView) -> Picture:
    drawing = Drawing()
    _title(drawing, voice.drawn("town", seat=town.seat), voice.drawn("round", view=view))
    y = _asked(drawing, 36, view, voice, town)
    opened = {one.square: one.cards for one in view.openings} if town.seat == view.seat else {}
    for at, square in enumerate(town.squares):
        row, column = divmod(at, SIDE)
        place = (MARGIN + column * (CELL + GAP), y + row * (HIGH + GAP))
        _square(drawing, place, square, voice, opened.get(square.square, ()))
    y += SIDE * (HIGH + GAP) + 4
    if view.villagers:
        legend(drawing, y, _people(voice))
        y = _lodge(drawing, 220, y, town.lodge, voice)
    for said in _notes(view, voice, town, full=True, opened=bool(opened)):
        y = drawing.paragraph(MARGIN, y + 12, said, INNER, SMALL) - 10
    return Picture(f"town-{town.seat}", voice.drawn("alt_town", seat=town.seat, view=view), drawing.svg(y + 6))


def _title(drawing: Drawing, title: str, when: str) -> None:
    drawing.text(MARGIN, 26, title, LARGE, bold=True, most=INNER - text_width(when, TEXT) - 12)
    drawing.text(WIDTH - MARGIN, 26, when, TEXT, anchor="end", fill=QUIET)


def _asked(drawing: Drawing, y: float, view: View, voice: Voice, town: TownView) -> float:
    """Draw what is named, from *y* down, and the hammer if the town's player holds it; return where the next stands."""
    said = voice.drawn("resource", view=view)
    if not said:
        return y
    x, right = float(MARGIN), float(WIDTH - MARGIN)
    if town.seat == view.builder:
        title = voice.drawn("hammer")
        drawing.text(right, y + 14, title, TEXT, anchor="end")
        right -= text_width(title, TEXT) + 22
        hammer(drawing, right, y + 1, 18)
    if view.resource:
        cube(drawing, x, y, 20, view.resource)
        x += 26
    drawing.text(x, y + 14, said, TEXT, most=right - 8 - x)
    return y + 26


def _square(
    drawing: Drawing, place: tuple[float, float], square: SquareView, voice: Voice, opened: Sequence[str]
) -> None:
    """Draw a square with all that is on it, and the cards that the cube to be placed would complete there."""
    x, y = place
    with drawing.piece(x, y, CELL, HIGH):
        drawing.rect(x, y, CELL, HIGH, TYPES[square.type].other if square.type else CARD, radius=6)
        drawing.text(x + 5, y + 13, square.square, SMALL, fill=QUIET)
        if square.villager:
            villager(drawing, x + CELL - 21, y + 4, 22, works=square.works)
        if square.building:
            building(drawing, x + (12 if square.held else 26), y + 18, 30, square.type)
            chips(drawing, x + 48, y + 28, square.held, 2, 4)
            _label(drawing, x, y, voice.drawn("name", card=square.building))
        elif square.cube:
            cube(drawing, x + 25, y + 18, 32, square.cube)
            _label(drawing, x, y, voice.name("resource", square.cube))
        if opened:
            drawing.rect(x + 1, y + 1, CELL - 2, HIGH - 2, stroke=INK, radius=5, dash="4 3")
        names = [voice.drawn("name", card=card) for card in opened]
        for at, name in enumerate(
            names if len(names) <= OPENED else [*names[: OPENED - 1], f"+{len(names) - OPENED + 1}"]
        ):
            drawing.text(x + 6, y + 40 + 14 * at, f"→ {name}", SMALL, most=CELL - 9)


def _label(drawing: Drawing, x: float, y: float, name: str) -> None:
    """Write the name of what is on a square, in one line or in two smaller ones."""
    if text_width(name, TEXT) <= CELL - 4:
        drawing.text(x + CELL / 2, y + HIGH - 7, name, TEXT, anchor="middle")
        return
    lines = wrap(name, CELL - 4, SMALL)
    for at, line in enumerate(lines):
        drawing.text(x + CELL / 2, y + HIGH - 4 - 12 * (len(lines) - 1 - at), line, SMALL, anchor="middle")


def _lodge(drawing: Drawing, x: float, y: float, lodge: int, voice: Voice) -> float:
    """Draw who is in the Lodge; return where the next line stands."""
    said = voice.drawn("lodge", count=lodge)
    drawing.text(x, y + 12, said, SMALL)
    for at in range(lodge):
        villager(drawing, x + text_width(said, SMALL) + 5 + 15 * at, y, 16, works=False)
    return y + 19


def _people(voice: Voice) -> list[Sign]:
    return [villager_sign(voice.drawn("villager", works=works), works=works) for works in (True, False)]


def _notes(view: View, voice: Voice, town: TownView, *, full: bool, opened: bool = False) -> Iterator[str]:
    """Yield the lines below a town; *full*: with what its monument does and its player's turns as Master Builder."""
    monument, more = [], []
    if town.monument:
        name = voice.drawn("full", card=town.monument.id)
        monument.append(f"{name}: {voice.drawn('does', card=town.monument)}" if full else name)
    if town.shrine:
        monument.append(voice.drawn("shrine", points=town.shrine))
    if town.stock:
        monument.append(voice.drawn("stock", stock=town.stock))
    if view.cavern:
        more.append(voice.drawn("aside", count=town.aside, most=view.cavern))
    if full and view.builder is not None:
        more.append(voice.drawn("turns", count=town.turns))
    if town.completed:
        more.append(voice.drawn("completed", round=town.completed))
    if opened:
        yield f"→ {voice.drawn('opening')}"
    lines = ["; ".join(monument), " · ".join(more)]
    yield from filter(None, lines if full else [" · ".join(filter(None, lines))])


# --- several towns, small ---


def _small(view: View, voice: Voice, towns: Sequence[TownView]) -> Picture:
    drawing = Drawing()
    if view.seat is None:
        top = y = draw_head(drawing, voice.drawn("round", view=view), view, voice)
    else:
        _title(drawing, voice.drawn("towns", view=view), voice.drawn("round", view=view))
        top = y = 38
    for at in range(0, len(towns), 2):
        pair, top = towns[at : at + 2], y
        y = 8 + max(_town(drawing, MARGIN + n * (NARROW + APART), y, view, voice, one) for n, one in enumerate(pair))
    if len(towns) % 2:
        y = max(y, legend(drawing, top + 12, _signs(view, voice), WIDTH - MARGIN - NARROW + EDGE, NARROW - EDGE))
    else:
        y = legend(drawing, y, _signs(view, voice))
    return Picture("towns", voice.drawn("alt_towns", view=view), drawing.svg(y + 2))


def _signs(view: View, voice: Voice) -> Iterator[Sign]:
    """Yield what is explained beside small towns."""
    for resource in RESOURCES:
        yield cube_sign(resource, voice.name("resource", resource))
    for card in view.cards:
        yield building_sign(card.type, voice.drawn("name", card=card.id))
    if view.villagers:
        yield from _people(voice)
    if view.builder is not None:
        yield hammer_sign(voice.drawn("hammers"))


def _town(drawing: Drawing, x: float, y: float, view: View, voice: Voice, town: TownView) -> float:
    """Draw a town with its corner at *x*, *y*; return where it ends."""
    drawing.text(x + EDGE, y + 12, voice.name_of(town.seat), TEXT, bold=True, most=NARROW - EDGE - 20)
    if town.seat == view.builder and not view.over:
        hammer(drawing, x + NARROW - 16, y, 16)
    y += 16
    for at in range(SIDE):
        letter, number = SQUARES[at][0], SQUARES[at * SIDE][1]
        drawing.text(x + EDGE + STEP * at + (STEP - THIN) / 2, y + 10, letter, SMALL, anchor="middle", fill=QUIET)
        drawing.text(x, y + 13 + LOW * at + LOW / 2 + 3, number, SMALL, fill=QUIET)
    y += 13
    for at, square in enumerate(town.squares):
        row, column = divmod(at, SIDE)
        _little(drawing, x + EDGE + column * STEP, y + row * LOW, square)
    y += SIDE * LOW + 2
    if view.builder is not None:
        said = voice.drawn("often", count=town.turns)
        drawing.text(x + NARROW, y + 12, said, SMALL, anchor="end")
        hammer(drawing, x + NARROW - text_width(said, SMALL) - 17, y, 15)
    if view.villagers:
        _lodge(drawing, x + EDGE, y, town.lodge, voice)
    y += 19 if view.villagers or view.builder is not None else 0
    for said in _notes(view, voice, town, full=False):
        y = drawing.paragraph(x + EDGE, y + 12, said, NARROW - EDGE, SMALL) - 12
    return y


def _little(drawing: Drawing, x: float, y: float, square: SquareView) -> None:
    """Draw a square of a small town with all that is on it."""
    wide, high = STEP - THIN, LOW - THIN
    with drawing.piece(x, y, wide, high):
        drawing.rect(x, y, wide, high, TYPES[square.type].other if square.type else CARD, radius=3)
        left = 2 if square.villager else 6
        if square.villager:
            villager(drawing, x + wide - 11, y + 1, 15, works=square.works)
        if square.held:
            building(drawing, x + left, y + 1, 17, square.type)
            chips(drawing, x, y + high - 13, square.held, 3, 3)
        elif square.building:
            building(drawing, x + left, y + 5, 22, square.type)
        elif square.cube:
            cube(drawing, x + left, y + 5, 22, square.cube)
