"""The common board of My Village: round and turn, dice, graves, rat, hand tile, and everything that can be bought."""

from collections.abc import Iterable
from typing import TypeVar

from engine.my_village.components import CHAMBERS, CHURCHES, FIELD, GOODS, MEETING, MONKS, Craft, Customer, Journey
from engine.my_village.views import CardView, LetterView, View
from pbem.post.draw.drawing import CARD, INK, LARGE, MARGIN, PAPER, QUIET, SMALL, TEXT, WIDTH, Drawing
from pbem.post.draw.font import text_width
from pbem.post.draw.my_village_parts import (
    BLUE,
    BROWN,
    GREEN,
    INNER,
    NOTHING,
    ORANGE,
    RED,
    SMALL_SIGNS,
    TEXT_SIGNS,
    TIMES,
    YELLOW,
    Chip,
    Mark,
    Signs,
    flow,
    joined,
    put_icon,
)
from pbem.post.voice import Voice

SPACE = 7
"""Between the sections."""

BIG = Signs(LARGE)
S = SMALL_SIGNS

DICE_HIGH, TILE_HIGH, CUSTOMER_HIGH, CRAFT_HIGH, CELL_HIGH, LETTER_HIGH = 42, 52, 38, 19, 29, 21
OWN_LINE = CARD_LINE = 14
"""From line to line of what differs between buildings, and of the cards of a letter."""

GUTTER = 4
NAMES, GROUPS = 106, 52
"""How wide the names are before a row of buildings, with their hours, and before one of other cards."""

HOURS, WORK = 76, 95
"""Where the hours of buildings stand: for one, and for a use."""

ACROSS = 4
"""Cards of a row."""

NUMBERS = (1, 2, 3, 4)
"""Of buildings of a kind."""

T = TypeVar("T")


def draw_board(view: View, voice: Voice) -> str:
    """Return the board as SVG."""
    drawing = Drawing()
    y = _head(drawing, view, voice)
    if not view.over and (view.white or view.black or view.dice):
        y = _dice(drawing, y, view, voice) + SPACE
    y = _tiles(drawing, y, view, voice) + SPACE
    if not view.over:
        y = _steward(drawing, y, view, voice) + SPACE
        y = _crafts(drawing, y, view, voice)
        y = _cards(drawing, y, view, voice)
        y = _others(drawing, y, view, voice) + SPACE
        y = _journeys(drawing, y, view, voice)
    return drawing.svg(y + MARGIN)


# --- the round ---


def _head(drawing: Drawing, view: View, voice: Voice) -> float:
    """Draw the round, whose turn it is, and who is next; return where the next section begins."""
    drawing.text(MARGIN, 25, voice.drawn("round", round=view.round, over=view.over), LARGE, bold=True)
    if view.over or view.turn is None:
        return 38
    turn = voice.drawn("turn", seat=view.turn)
    wide = min(170, text_width(turn, TEXT, bold=True)) + 18
    with drawing.piece(WIDTH - MARGIN - wide, 9, wide, 22):
        drawing.rect(WIDTH - MARGIN - wide, 9, wide, 22, INK, radius=11)
        drawing.text(WIDTH - MARGIN - wide / 2, 24.4, turn, TEXT, bold=True, anchor="middle", fill=PAPER, most=170)
    following = voice.drawn("next", seats=view.turns) if view.turns else voice.drawn("nobody_next")
    drawing.text(MARGIN, 43, following, SMALL, fill=QUIET, most=220)
    if view.ending:
        drawing.text(WIDTH - MARGIN, 43, voice.drawn("last"), SMALL, bold=True, anchor="end")
    return 50


def _dice(drawing: Drawing, y: float, view: View, voice: Voice) -> float:
    """Draw the dice on offer by colour, and those of the turn that runs."""
    with drawing.piece(MARGIN, y, INNER, DICE_HIGH):
        drawing.rect(MARGIN, y, INNER, DICE_HIGH, CARD, radius=8)
        x = MARGIN + 8.0
        for colour, faces in (("white", view.white), ("black", view.black)):
            drawing.text(x, y + 14, voice.name("colour", colour), SMALL, fill=QUIET)
            dice = joined([S.die(face, colour=colour) for face in faces] or [S.word(NOTHING)])
            dice.put(drawing, x, y + 34)
            x += max(dice.width, 34) + 10
        own = _taken(view)
        if view.total or own:
            sign = "→" if view.taken else "=" if own else ""
            word = S.word(voice.drawn("taken" if own else "wanted"), fill=QUIET)
            marks = joined([*own, BIG.word(f"{sign} {view.total}".strip(), bold=True)] if view.total else own)
            left = WIDTH - MARGIN - 8 - max(marks.width, word.width)
            word.put(drawing, left, y + 14)
            marks.put(drawing, left, y + 34)
    return y + DICE_HIGH


def _taken(view: View) -> list[Mark]:
    if view.taken:
        return [S.die(name.partition("-")[2], colour=name.partition("-")[0]) for name in view.taken]
    return [S.die(face, colour="taken") for face in view.dice]


def _tiles(drawing: Drawing, y: float, view: View, voice: Voice) -> float:
    """Draw the graves, the rat and the hand tile, beside each other."""
    wide = (INNER - 2 * SPACE) // 3
    steps = S.word(voice.drawn("steps", steps=view.rat), fill=QUIET, most=wide - 12)
    holder = voice.name_of(view.holder) if view.holder is not None else NOTHING
    boxes = (
        ("grave", voice.drawn("graves"), BIG.word(f"{view.graves} / {view.limit}", bold=True), _book(view, voice)),
        ("rat", voice.drawn("rat"), BIG.word(view.rat, bold=True), steps),
        ("hand", voice.name("flag", "hand"), TEXT_SIGNS.word(holder, bold=True, most=wide - 12), _hand(view, voice)),
    )
    for at, (icon, title, value, more) in enumerate(boxes):
        x = MARGIN + at * (wide + SPACE)
        with drawing.piece(x, y, wide, TILE_HIGH):
            drawing.rect(x, y, wide, TILE_HIGH, CARD, radius=8)
            put_icon(drawing, icon, x + wide - 24, y + 5, 18)
            drawing.text(x + 6, y + 14, title, SMALL, fill=QUIET)
            value.put(drawing, x + 6, y + 31)
            more.put(drawing, x + 6, y + 47)
    return y + TILE_HIGH


def _book(view: View, voice: Voice) -> Mark:
    """Return the stories for the next graves."""
    if view.over:
        return joined([])
    if not view.book:
        return S.word(voice.drawn("common"), fill=QUIET)
    return joined([S.word(" ".join(map(str, view.book))), S.icon("story", 10)])


def _hand(view: View, voice: Voice) -> Mark:
    """Return the stories on the hand tile, and how it is taken; after the end its points."""
    hand = view.tables.hand
    if view.over:
        return S.points(hand.points)
    stories = S.count(view.heap, "story")
    if not view.palm:
        return joined([stories, S.word(voice.drawn("back"), fill=QUIET)])
    return joined([stories, S.flag(hand.black, black=True), S.hours(hand.hours)])


# --- customers ---


def _steward(drawing: Drawing, y: float, view: View, voice: Voice) -> float:
    """Draw the steward's office: its flag, its prices, and the customers that lie open."""
    steward = view.tables.steward
    head = joined([TEXT_SIGNS.word(voice.name("flag", "steward"), bold=True), S.flag(steward.black, black=True)], 6)
    head.put(drawing, MARGIN, y + 12)
    drawing.text(WIDTH - MARGIN, y + 12, voice.drawn("pile", count=view.pile), SMALL, anchor="end", fill=QUIET)
    prices = [
        joined([S.word(f"{number}:", fill=QUIET), S.price(hours, coins)], 3)
        for number, (hours, coins) in enumerate(steward.prices, start=1)
    ]
    joined([S.word(voice.name("kind", "customer", 2), fill=QUIET), *prices], 12).put(drawing, MARGIN, y + 28)
    y += 34
    wide = (INNER - (ACROSS - 1) * GUTTER) // ACROSS
    lines = -(-len(view.display) // ACROSS)
    for at, customer in enumerate(view.display):
        line, place = divmod(at, ACROSS)
        _customer(drawing, MARGIN + place * (wide + GUTTER), y + line * (CUSTOMER_HIGH + GUTTER), wide, customer)
    return y + lines * (CUSTOMER_HIGH + GUTTER) - GUTTER * bool(lines)


def _customer(drawing: Drawing, x: float, y: float, wide: float, customer: Customer) -> None:
    """Draw a customer: its number and points, hours, goods, and flag."""
    with drawing.piece(x, y, wide, CUSTOMER_HIGH):
        drawing.rect(x, y, wide, CUSTOMER_HIGH, BLUE, radius=5)
        Signs(14).word(customer.id.partition("-")[2], bold=True).put(drawing, x + 5, y + 16)
        points = S.points(customer.points)
        points.put(drawing, x + wide - 5 - points.width, y + 15)
        hours = S.hours(customer.work)
        hours.put(drawing, x + wide - 34 - hours.width, y + 15)
        joined([S.icon(good, 15) for good in customer.goods], 2).put(drawing, x + 5, y + 33)
        flag = S.flag(customer.white)
        flag.put(drawing, x + wide - 5 - flag.width, y + 33)


# --- cards ---


def _crafts(drawing: Drawing, y: float, view: View, voice: Voice) -> float:
    """
    Draw the buildings that lie open: a row for each kind, a column for each number.

    Above a column stands the white flag of its buildings, beside a row what one costs and what a use takes; where they
    differ, as in tables of one's own, the buildings tell it themselves.
    """
    craft = view.tables.craft
    whites = [_alike(craft[f"{good}-{number}"].white for good in GOODS) for number in NUMBERS]
    ragged = None in whites
    for number, white in zip(NUMBERS, whites, strict=True):
        head = [S.word(number, bold=True), *([] if ragged else [S.flag(white or ())])]
        joined(head).put(drawing, _cell(number - 1, NAMES)[0] + 4, y + 11)
    S.flag((), black=True, least=12).put(drawing, HOURS, y + 11)
    S.flag((), least=12).put(drawing, WORK, y + 11)
    y += 18
    for good in GOODS:
        drawing.text(MARGIN, y + 14, voice.name("flag", good), SMALL, bold=True)
        kind = [craft[f"{good}-{number}"] for number in NUMBERS]
        hours, work = _alike(one.hours for one in kind), _alike(one.work for one in kind)
        for known, x in ((hours, HOURS), (work, WORK)):
            if known is not None:
                S.hours(known).put(drawing, x, y + 14)
        uneven = None in (hours, work)
        high = CRAFT_HIGH + OWN_LINE * (ragged + uneven)
        for card in kind:
            if card in view.crafts:
                own = [S.flag(card.white)] if ragged else []
                own += [joined([S.hours(card.hours), S.word(":"), S.hours(card.work)])] if uneven else []
                _craft(drawing, y, card, high, own)
        y += high + 2
    return y


def _alike(values: Iterable[T]) -> T | None:
    """Return the value that all of *values* have, or None."""
    first, *others = values
    return first if all(first == one for one in others) else None


def _cell(at: int, names: float) -> tuple[float, float]:
    """Return the left end and the width of the card at this place of a row, behind the *names*."""
    wide = (INNER - names) // ACROSS
    return MARGIN + names + at * wide, wide - 2


def _craft(drawing: Drawing, y: float, craft: Craft, high: float, own: list[Mark]) -> None:
    """Draw a building: what it makes and its black flag, below them line by line what is its *own*."""
    x, wide = _cell(int(craft.id.partition("-")[2]) - 1, NAMES)
    with drawing.piece(x, y, wide, high):
        drawing.rect(x, y, wide, high, ORANGE, radius=4)
        joined([S.icon(craft.good, 14), S.flag(craft.black, black=True)]).put(drawing, x + 4, y + 14)
        for at, mark in enumerate(own, start=1):
            mark.put(drawing, x + 4, y + 14 + OWN_LINE * at)


def _cards(drawing: Drawing, y: float, view: View, voice: Voice) -> float:
    """Draw the churches, monks and chambers that are left: a row each."""
    cards = {one.card: one for one in view.cards}
    for group, names, fill in (("church", CHURCHES, BROWN), ("monk", MONKS, BROWN), ("chamber", CHAMBERS, RED)):
        hours = _alike(view.tables.priced[name][1] for name in names)
        drawing.text(MARGIN, y + 12, voice.drawn("group", group=group), SMALL, bold=True)
        if hours is not None:
            S.hours(hours).put(drawing, MARGIN, y + 25)
        for at, name in enumerate(names):
            if name in cards:
                x, wide = _cell(at, GROUPS)
                with drawing.piece(x, y, wide, CELL_HIGH):
                    drawing.rect(x, y, wide, CELL_HIGH, fill, radius=4)
                    S.word(voice.drawn("short", card=name), most=wide - 6).put(drawing, x + 4, y + 11)
                    _price(cards[name], hours).put(drawing, x + 4, y + 25)
        y += CELL_HIGH + 2
    return y


def _price(card: CardView, known: int | None = None) -> Mark:
    """Return what a card costs and brings, without the hours if they are *known*, and how many are left of a kind."""
    marks = [S.flag(card.black, black=True), *([] if known is not None else [S.hours(card.hours)])]
    if card.points:
        marks.append(S.points(card.points))
    if card.card in MONKS:
        marks.append(S.word(f"{TIMES}{card.left}"))
    return joined(marks)


def _others(drawing: Drawing, y: float, view: View, voice: Voice) -> float:
    """Draw the fields and meeting places that are left: above how many, below how one is bought and what it does."""
    field, meeting = view.tables.field, view.tables.meeting_place
    uses = {
        FIELD: (YELLOW, [S.flag(field.white), S.hours(field.work), S.count(f"+{field.coins}", "coin")]),
        MEETING: (RED, [S.flag(meeting.white), S.hours(meeting.work), S.tile(view.tables.tile.numbers)]),
    }
    wide = INNER // len(uses) - GUTTER // 2
    for at, card in enumerate(one for one in view.cards if one.card in uses):
        x = MARGIN + at * (wide + GUTTER)
        fill, use = uses[card.card]
        with drawing.piece(x, y, wide, CELL_HIGH):
            drawing.rect(x, y, wide, CELL_HIGH, fill, radius=4)
            name = [S.word(voice.name("card", card.card), bold=True), S.word(f"{TIMES}{card.left}")]
            joined([*name, S.points(card.points)], 6).put(drawing, x + 4, y + 11)
            joined([S.flag(card.black, black=True), S.hours(card.hours), S.word(":"), *use]).put(drawing, x + 4, y + 25)
    return y + CELL_HIGH + 2


# --- journeys ---


def _journeys(drawing: Drawing, y: float, view: View, voice: Voice) -> float:
    """Draw the travel cards by letter: flag and hours, then what may turn up, with what it adds to the next price."""
    wide = (INNER - (len(view.letters) - 1) * GUTTER) // len(view.letters)
    high = LETTER_HIGH + CARD_LINE * max(len(one.cards) for one in view.letters)
    for at, letter in enumerate(view.letters):
        _letter(drawing, MARGIN + at * (wide + GUTTER), y, (wide, high), letter, voice)
    y += high
    if view.seen:
        marks = [
            S.icon("eye", 14),
            S.word(voice.drawn("seen", letter=view.seen.letter), bold=True),
            _turned_up(view.seen),
        ]
        y = flow(drawing, MARGIN, y + 4, [Chip(joined(marks, 6), PAPER, INK)], S)
    return y


def _letter(drawing: Drawing, x: float, y: float, size: tuple[float, float], letter: LetterView, voice: Voice) -> None:
    wide, high = size
    with drawing.piece(x, y, wide, high):
        drawing.rect(x, y, wide, high, GREEN, radius=5)
        head = [
            S.word(voice.name("letter", letter.letter), bold=True),
            S.flag(letter.black, black=True),
            S.hours(letter.hours),
        ]
        joined(head, 2).put(drawing, x + 4, y + 14)
        if not letter.cards:
            drawing.text(x + 5, y + LETTER_HIGH + 8, NOTHING, SMALL)
        for at, card in enumerate(letter.cards):
            _turned_up(card).put(drawing, x + 5, y + LETTER_HIGH + CARD_LINE * at + 8)


def _turned_up(card: Journey) -> Mark:
    """Return what a travel card brings, and what it adds to the next price; a flag where the journey ends."""
    marks = [S.points(card.points)]
    if card.last:
        marks.append(S.icon("flag", 11))
    elif card.hours or card.coins:
        marks += [
            S.count(f"+{number}", name) for number, name in ((card.hours, "hour"), (card.coins, "coin")) if number
        ]
    return joined(marks, 3)
