"""The cards of Tiny Towns as a picture, below what is known of the round: who names, and what."""

from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.views import CardView, HelperView, View
from pbem.post.draw.drawing import INK, LARGE, MARGIN, QUIET, RULE, SMALL, TEXT, WIDTH, Drawing, Picture
from pbem.post.draw.font import text_width, wrap
from pbem.post.draw.tiny_towns_parts import (
    building,
    cube,
    cube_sign,
    hammer,
    layout_grid,
    layout_size,
    legend,
    villager,
)
from pbem.post.voice import Voice

SIDE = 16
"""How large the cubes of a layout are."""

WORDS = MARGIN + 4 * SIDE + 14
"""Where the words beside a layout begin."""

LINE, GAP = 13, 5
"""How far lines of what a card does are apart, and a card from the line above it."""

HEAD = 16
"""How high the line with the name of a card is."""

NEXT = 228
"""Where the name of the next Master Builder begins."""


def draw_cards(view: View, voice: Voice) -> Picture:
    """Return the open cards, the reader's monument or those to choose from, and the villager cards."""
    drawing = Drawing()
    y = draw_head(drawing, voice.drawn("round", view=view), view, voice)
    y = _open(drawing, view, voice, y)
    y = legend(drawing, y, [cube_sign(one, voice.name("resource", one)) for one in RESOURCES]) + 2
    for card in view.cards:
        y = _card(drawing, y, card, voice)
    y = _monuments(drawing, y, view, voice)
    for one in view.helpers:
        y = _helper(drawing, y, one, voice)
    return Picture("cards", voice.drawn("alt_cards", view=view), drawing.svg(y + 2))


def draw_head(drawing: Drawing, title: str, view: View, voice: Voice) -> float:
    """Draw a title, what was named, who is Master Builder and who comes next; return where the next line stands."""
    drawing.text(MARGIN, 26, title, LARGE, bold=True)
    x = MARGIN + text_width(title, LARGE, bold=True) + 14
    if view.resource and not view.over:
        cube(drawing, x, 10, 20, view.resource)
        x += 26
    drawing.text(x, 25, voice.drawn("resource", view=view), TEXT, most=WIDTH - MARGIN - x)
    if view.builder is None or view.over:
        return 38
    hammer(drawing, MARGIN, 36, 18)
    follows = view.next is not None and view.round > 0
    end = NEXT - 10 if follows else WIDTH - MARGIN
    drawing.text(MARGIN + 24, 49, voice.drawn("builder", view=view), TEXT, most=end - MARGIN - 24)
    if follows:
        drawing.text(NEXT, 49, voice.drawn("next", view=view), TEXT, most=WIDTH - MARGIN - NEXT)
    return 62


def _open(drawing: Drawing, view: View, voice: Voice, y: float) -> float:
    """Draw the resource cards that lie open or have been seen; return where the next line stands."""
    for key, names in (("open", view.open), ("seen", view.seen)):
        if not names:
            continue
        said = voice.drawn(key)
        drawing.text(MARGIN, y + 13, said, TEXT)
        x = MARGIN + text_width(said, TEXT) + 8
        for one in names:
            if x + 18 > WIDTH - MARGIN:
                x, y = float(MARGIN), y + 21
            cube(drawing, x, y, 18, one)
            x += 21
        y += 24
    return y


def _monuments(drawing: Drawing, y: float, view: View, voice: Voice) -> float:
    """Draw the monument in the reader's hand, or those to choose from; return where the next thing stands."""
    stands = any(one.monument for one in view.towns if one.seat == view.seat)
    said = voice.drawn("secret") if view.own else voice.drawn("dealt")
    for card in (view.own,) if view.own and not stands else view.dealt:
        y = _card(drawing, y, card, voice, said)
    return y


def _card(drawing: Drawing, y: float, card: CardView, voice: Voice, said: str = "") -> float:
    """Draw a card from *y* down: its layout, its name, its type or what is *said* instead, and what it does."""
    lines = wrap(voice.drawn("does", card=card), WIDTH - MARGIN - WORDS, SMALL)
    name, kind = voice.drawn("full", card=card.id), said or voice.drawn("type", card=card)
    below = not _fits(WORDS + 20, name, kind)
    wide, layout_high = layout_size(card.layout, SIDE)
    high = max(layout_high, HEAD + LINE * (len(lines) + below))
    drawing.line(MARGIN, y, WIDTH - MARGIN, y, RULE)
    y += GAP
    with drawing.piece(MARGIN, y, WIDTH - 2 * MARGIN, high):
        layout_grid(drawing, MARGIN + (4 * SIDE - wide) / 2, y + (high - layout_high) / 2, card.layout, SIDE)
        building(drawing, WORDS, y, 15, card.type)
        _name(drawing, WORDS + 20, y, name, "" if below else kind)
        _lines(drawing, y + HEAD, [kind] if below else [], QUIET)
        _lines(drawing, y + HEAD + LINE * below, lines)
    return y + high + GAP


def _fits(x: float, name: str, kind: str) -> bool:
    """Return whether the name of a card and what it is stand on one line."""
    return x + text_width(name, TEXT, bold=True) + 6 + text_width(kind, SMALL) <= WIDTH - MARGIN


def _name(drawing: Drawing, x: float, y: float, name: str, kind: str) -> None:
    """Write the name of a card, and what it is."""
    drawing.text(x, y + 12, name, TEXT, bold=True, most=WIDTH - MARGIN - x)
    if kind:
        drawing.text(x + text_width(name, TEXT, bold=True) + 6, y + 12, kind, SMALL, fill=QUIET)


def _lines(drawing: Drawing, y: float, lines: list[str], fill: str = INK) -> None:
    for at, line in enumerate(lines):
        drawing.text(WORDS, y + 10 + LINE * at, line, SMALL, fill=fill)


def _helper(drawing: Drawing, y: float, helper: HelperView, voice: Voice) -> float:
    """Draw a villager card from *y* down: its cost in villagers, its name and what it does."""
    lines = wrap(voice.drawn("helps", helper=helper.id), WIDTH - MARGIN - WORDS, SMALL)
    high = HEAD + LINE * len(lines)
    drawing.line(MARGIN, y, WIDTH - MARGIN, y, RULE)
    y += GAP
    with drawing.piece(MARGIN, y, WIDTH - 2 * MARGIN, high):
        for at in range(helper.cost):
            villager(drawing, MARGIN + 34 - 10 * helper.cost + 20 * at, y + 2, 22, works=True)
        _name(drawing, WORDS, y, voice.drawn("helper", helper=helper.id), voice.drawn("cost", count=helper.cost))
        _lines(drawing, y + HEAD, lines)
    return y + high + GAP
