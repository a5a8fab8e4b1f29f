"""My Village in pictures: the common board, the reader's own village, and those of the others."""

from collections.abc import Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from engine.my_village.components import FIELD, MEETING, PROFESSIONS, Customer
from engine.my_village.state import LEFT, PLAY, RIGHT, SCHOOL, SPACES
from engine.my_village.views import View, VillageView, WorkView
from pbem.post.draw.drawing import CARD, INK, LARGE, MARGIN, PAPER, QUIET, RULE, WIDTH, Drawing, Picture
from pbem.post.draw.my_village_board import draw_board
from pbem.post.draw.my_village_parts import (
    BLUE,
    BROWN,
    GAP,
    GREEN,
    INNER,
    MINUS,
    ORANGE,
    RED,
    SMALL_SIGNS,
    TEXT_SIGNS,
    YELLOW,
    Chip,
    Mark,
    Signs,
    flow,
    in_lines,
    joined,
    put_icon,
    put_pawn,
)
from pbem.post.voice import Voice

NAMES = 90
"""How wide the names of the professions are, before the cards of their areas."""

SPACE, TRACK_HIGH, BOX_HIGH, PLACE_HIGH, PLACES_HIGH = 8, 16, 42, 34, 61
HOUSE_WIDE, PLACE_WIDE, DESK_WIDE = 192, 60, 66

HEADMAN = "#6a4c93"
COLOURS = {
    "abbot": ("#7b4f2c", BROWN), "councilman": ("#a83a32", RED), "traveller": ("#3f7a45", GREEN),
    "craftsman": ("#c26a1a", ORANGE), "merchant": ("#2f5f96", BLUE),
}  # fmt: skip
"""The villager of an area, and its cards."""

BIG = Signs(LARGE)
S = SMALL_SIGNS


class Looks(Struct, frozen=True):
    """One village through the eyes of a reader; a `large` one says more of each card."""

    view: View
    village: VillageView
    voice: Voice
    large: bool

    @property
    def signs(self) -> Signs:
        """Return the signs of its cards."""
        return TEXT_SIGNS if self.large else SMALL_SIGNS


def pictures(view: View, voice: Voice) -> tuple[Picture, ...]:
    """Return the board, the reader's village, and those of the others; for who has none, all of them two by two."""
    board = Picture("board", voice.drawn("alt_board", round=view.round, over=view.over), draw_board(view, voice))
    own = [one for one in view.villages if one.seat == view.seat]
    others = [one for one in view.villages if one.seat != view.seat]
    groups = [own, others] if own else [others[:2], others[2:]]
    return (board, *(_villages(view, voice, group) for group in groups if group))


def _villages(view: View, voice: Voice, group: Sequence[VillageView]) -> Picture:
    """Return the picture of some villages; of one alone it is large."""
    drawing, y = Drawing(), 0.0
    for village in group:
        if y:
            drawing.line(MARGIN, y + 2, WIDTH - MARGIN, y + 2, RULE)
        looks = Looks(view, village, voice, large=len(group) == 1)
        y = _areas(drawing, _large_head(drawing, looks) if looks.large else _small_head(drawing, y + 2, looks), looks)
    seats = [one.seat for one in group]
    alt = voice.drawn("alt_villages", seats=seats) if seats[1:] else voice.drawn("alt_village", seat=seats[0])
    return Picture("-".join(["village", *map(str, seats)]), alt, drawing.svg(y + MARGIN - 3))


# --- what is not on cards ---


def _name(drawing: Drawing, y: float, looks: Looks, size: float) -> None:
    """Write whose village it is, with the hand tile if it is there, and the hours since the bridge."""
    name = Signs(size).word(looks.voice.name_of(looks.village.seat), bold=True, most=200)
    name.put(drawing, MARGIN, y)
    if looks.view.holder == looks.village.seat:
        put_icon(drawing, "hand", MARGIN + name.width + 6, y - 14, 16)
    time = looks.voice.drawn("time", step=looks.village.step, lap=looks.village.lap)
    drawing.text(WIDTH - MARGIN, y, time, looks.signs.size, anchor="end")


def _large_head(drawing: Drawing, looks: Looks) -> float:
    """Draw the track of time, coins and stories, main house and school; return where the next line begins."""
    _name(drawing, 25, looks, LARGE)
    _track(drawing, 34, looks)
    y = 34 + TRACK_HIGH + SPACE
    _belongings(drawing, y, looks)
    y += BOX_HIGH + SPACE
    _main_house(drawing, y, looks)
    _school(drawing, y, looks)
    return y + PLACES_HIGH + SPACE


def _track(drawing: Drawing, y: float, looks: Looks) -> None:
    """Draw the hours from bridge to bridge, with the disc."""
    village = looks.village
    wide = (INNER - 26) // village.lap
    with drawing.piece(MARGIN, y, INNER, TRACK_HIGH):
        for hour in range(village.lap):
            x = MARGIN + hour * wide
            drawing.rect(x, y, wide - 2, TRACK_HIGH, RULE if hour < village.step else CARD, radius=3)
            if hour == village.step:
                drawing.circle(x + wide / 2 - 1, y + TRACK_HIGH / 2, min(6.5, wide / 2), HEADMAN, stroke=INK)
        put_icon(drawing, "bridge", WIDTH - MARGIN - 22, y - 3, 22)


def _belongings(drawing: Drawing, y: float, looks: Looks) -> None:
    """Draw the coins, the stories on the tree with its flag, and those in the main house."""
    village, voice, play = looks.village, looks.voice, looks.view.tables.play
    flag = [S.flag(village.play), S.count(f"+{play.stories}", "story")] if village.play else []
    flag += [S.hours(play.hours)] if play.hours else []
    boxes: tuple[tuple[str, list[Mark], list[Mark]], ...] = (
        (voice.name("space", "coin", 2), [], [BIG.count(village.coins, "coin", bold=True)]),
        (voice.name("flag", PLAY), flag, [BIG.count(village.tree, "story", bold=True), *_tiled(looks, PLAY)]),
        (voice.drawn("store"), [], [BIG.count(village.store, "story", bold=True)]),
    )
    wide = (INNER - 2 * SPACE) // len(boxes)
    for at, (title, more, value) in enumerate(boxes):
        x = MARGIN + at * (wide + SPACE)
        with drawing.piece(x, y, wide, BOX_HIGH):
            drawing.rect(x, y, wide, BOX_HIGH, CARD, radius=8)
            joined([S.word(title, fill=QUIET), *more], 3).put(drawing, x + 6, y + 15)
            joined(value, 8).put(drawing, x + 6, y + 34)


def _tiled(looks: Looks, flag: str) -> list[Mark]:
    """Return the 2/12 tile if it lies on this flag."""
    return [looks.signs.tile(looks.view.tables.tile.numbers)] if looks.village.tile == flag else []


def _main_house(drawing: Drawing, y: float, looks: Looks) -> None:
    """Draw the three spaces of the headman, with what they bring."""
    house = looks.view.tables.house
    gains = (S.icon("house", 11), S.count(f"+{house.coins}", "coin"), S.count(f"+{house.stories}", "story"))
    with drawing.piece(MARGIN, y, HOUSE_WIDE, PLACES_HIGH):
        drawing.rect(MARGIN, y, HOUSE_WIDE, PLACES_HIGH, CARD, radius=8)
        title = [S.word(looks.voice.name("flag", "house"), fill=QUIET), S.hours(house.hours)]
        joined(title).put(drawing, MARGIN + 6, y + 15)
        for at, (space, gain) in enumerate(zip(SPACES, gains, strict=True)):
            pawn = HEADMAN if looks.village.headman == space else ""
            x, marks = MARGIN + 6 + at * PLACE_WIDE, [S.word(looks.voice.name("space", space)), gain]
            _place(drawing, x, y + 21, PLACE_WIDE - 3, marks, pawn)


def _school(drawing: Drawing, y: float, looks: Looks) -> None:
    """Draw the two desks of the school, with its flag."""
    x, wide = MARGIN + HOUSE_WIDE + SPACE, INNER - HOUSE_WIDE - SPACE
    school = looks.view.tables.school
    gains = (S.hours(school.promote), joined([S.hours(school.promote), S.count(f"+{school.stories}", "story")], 2))
    with drawing.piece(x, y, wide, PLACES_HIGH):
        drawing.rect(x, y, wide, PLACES_HIGH, CARD, radius=8)
        title = [S.word(looks.voice.name("flag", SCHOOL), fill=QUIET), S.flag(school.white), *_tiled(looks, SCHOOL)]
        joined(title, 3).put(drawing, x + 6, y + 15)
        pupils = (looks.village.left, looks.village.right)
        for at, (desk, pupil, gain) in enumerate(zip((LEFT, RIGHT), pupils, gains, strict=True)):
            marks = [S.word(looks.voice.name("desk", desk)), gain]
            _place(drawing, x + 5 + at * DESK_WIDE, y + 21, DESK_WIDE - 3, marks, INK if pupil else "")


def _place(drawing: Drawing, x: float, y: float, wide: float, marks: Sequence[Mark], pawn: str) -> None:
    """Draw a place for somebody: its name, below it what it brings, and who is there in the colour *pawn*."""
    drawing.rect(x, y, wide, PLACE_HIGH, PAPER, stroke=INK if pawn else "none", thick=1.5, radius=4)
    for at, mark in enumerate(marks):
        mark.put(drawing, x + 4, y + 13 + 14 * at)
    if pawn:
        put_pawn(drawing, x + wide - 15, y + 17, 14, pawn)


def _small_head(drawing: Drawing, y: float, looks: Looks) -> float:
    """Draw in few lines what is not on cards; return where the next line begins."""
    village, voice = looks.village, looks.voice
    _name(drawing, y + 16, looks, 13)
    flag = [S.flag(village.play)] if village.play else []
    chips = [
        S.count(village.coins, "coin", bold=True),
        joined([S.icon("tree", 14), S.count(village.tree, "story", bold=True), *flag, *_tiled(looks, PLAY)]),
        joined([S.icon("house", 14), S.count(village.store, "story", bold=True)]),
        joined([S.pawn(HEADMAN), S.word(voice.name("space", village.headman), bold=True)]),
        joined([S.icon("school", 14), *_tiled(looks, SCHOOL), S.desk(pupil=village.left), S.desk(pupil=village.right)]),
    ]
    return flow(drawing, MARGIN, y + 23, [Chip(one, CARD) for one in chips], S) + 1


# --- the areas ---


def _areas(drawing: Drawing, y: float, looks: Looks) -> float:
    """Draw the areas, each behind its villager, and what needs none; return where the next line begins."""
    cards = {
        "abbot": _religion, "councilman": _council, "traveller": _travel, "craftsman": _crafts, "merchant": _market,
    }  # fmt: skip
    village, voice = looks.village, looks.voice
    for profession in PROFESSIONS:
        colour, ground = COLOURS[profession]
        here = profession in village.villagers
        name = S.word(voice.name("profession", profession), bold=here, fill=INK if here else QUIET)
        chips = [Chip(one, ground) for one in cards[profession](looks)]
        y = _area(drawing, y, looks, joined([S.pawn(colour, here=here), name]), chips)
    for word, marks, ground in (
        (voice.drawn("served"), _served(looks), BLUE),
        (voice.name("card", FIELD, village.fields), _fields(looks), YELLOW),
        (voice.drawn("labourers", count=village.labourers), _labourers(looks), CARD),
    ):
        if marks:
            y = _area(drawing, y, looks, S.word(word), [Chip(one, ground) for one in marks])
    return y


def _area(drawing: Drawing, y: float, looks: Looks, name: Mark, chips: Sequence[Chip]) -> float:
    """Draw a name, and beside it what lies in its area; where that saves a line, below the name too, in columns."""
    signs = looks.signs
    with drawing.piece(MARGIN, y, NAMES - 4, signs.chip_high):
        name.put(drawing, MARGIN, y + signs.chip_line)
    column = (INNER + GAP) // (2 if looks.large else 3)
    room, indent = INNER - NAMES, NAMES
    even = [replace(one, least=ceil((one.width + GAP) / column) * column - GAP) for one in chips]
    if len(in_lines(even, INNER - column, INNER)) < len(in_lines(chips, room, room)):
        chips, room, indent = even, INNER, column
    y = flow(drawing, MARGIN + indent, y, chips, signs, below=WIDTH - MARGIN - room)
    return y + (4 if looks.large else 1)


def _religion(looks: Looks) -> list[Mark]:
    """Return the church, and the monks at the window."""
    village, voice, signs, tables = looks.village, looks.voice, looks.signs, looks.view.tables
    chips = []
    if village.church:
        church = [signs.word(_card(looks, village.church)), signs.points(tables.church[village.church].points)]
        if tables.church[village.church].uses:
            church.append(signs.word(voice.drawn("averts", count=village.averts)))
        chips.append(joined(church))
    chips += [signs.word(f"{number} {voice.name('card', kind, number)}") for kind, number in village.monks]
    if village.window:
        points = tables.window.points[min(village.window, len(tables.window.points) - 1)]
        chips.append(joined([signs.word(voice.drawn("window", count=village.window)), signs.points(points)]))
    return chips


def _council(looks: Looks) -> list[Mark]:
    """Return the meeting place and the chamber."""
    village, voice, signs, tables = looks.village, looks.voice, looks.signs, looks.view.tables
    chips = []
    if village.meeting:
        place = tables.meeting_place
        marks = [signs.word(voice.name("card", MEETING)), *_tiled(looks, MEETING)]
        marks[1:1] = [signs.flag(place.white), signs.hours(place.work)] if looks.large else []
        chips.append(joined([*marks, signs.points(place.points)]))
        if not village.tile:
            chips.append(joined([signs.tile(tables.tile.numbers), signs.word(voice.drawn("unlaid"))]))
    if village.chamber:
        points = signs.points(tables.chamber[village.chamber].points)
        chips.append(joined([signs.word(_card(looks, village.chamber)), points]))
    if village.mark:
        chips.append(signs.word(voice.drawn("marked", what=village.mark)))
    if village.joker:
        chips.append(signs.word(voice.drawn("joker")))
    return chips


def _travel(looks: Looks) -> list[Mark]:
    """Return the travel cards, and what the next one costs."""
    village, voice, signs = looks.village, looks.voice, looks.signs
    chips = [
        joined([signs.word(voice.name("letter", one.letter), bold=True), signs.points(one.points)])
        for one in village.journeys
    ]
    pile = next((one for one in looks.view.letters if one.letter == village.next), None)
    if pile is None:
        return [*chips, signs.word(voice.drawn("complete"))]
    next_one = [signs.word(voice.drawn("next_letter", letter=pile.letter)), signs.flag(pile.black, black=True)]
    return [*chips, joined([*next_one, signs.price(pile.hours + village.more_hours, village.more_coins)])]


def _card(looks: Looks, card: str) -> str:
    """Return the name of a church or a chamber, shortened in a small village."""
    return looks.voice.name("card", card) if looks.large else looks.voice.drawn("short", card=card)


def _crafts(looks: Looks) -> list[Mark]:
    """Return the buildings, with their goods."""
    return [_building(looks, one) for one in looks.village.crafts]


def _building(looks: Looks, work: WorkView) -> Mark:
    signs, craft = looks.signs, work.craft
    goods = signs.count(work.goods, craft.good, bold=bool(work.goods))
    flag = [signs.flag(craft.white), *_tiled(looks, craft.good)]
    if not looks.large:
        return joined([goods, *flag])
    return joined([signs.word(looks.voice.name("card", craft.id)), *flag, signs.hours(craft.work), goods])


def _market(looks: Looks) -> list[Mark]:
    """Return the customers that are to be served."""
    return [_customer(looks, one) for one in looks.village.customers]


def _customer(looks: Looks, customer: Customer) -> Mark:
    signs = looks.signs
    goods = joined([signs.icon(good, signs.size + 1) for good in customer.goods], 1)
    marks = [signs.word(customer.id.partition("-")[2], bold=True), goods, signs.flag(customer.white)]
    marks += [*_tiled(looks, customer.id), *([signs.hours(customer.work)] if looks.large else [])]
    return joined([*marks, signs.points(customer.points)], 4 if looks.large else 2)


def _served(looks: Looks) -> list[Mark]:
    """Return the points of the customers that were served, and their numbers."""
    signs, served = looks.signs, looks.village.served
    numbers = [joined([signs.icon("served"), signs.word(one.id.partition("-")[2])]) for one in served]
    return [signs.points(sum(one.points for one in served)), *numbers] if served else []


def _fields(looks: Looks) -> list[Mark]:
    """Return the fields, with what one brings."""
    field, signs, fields = looks.view.tables.field, looks.signs, looks.village.fields
    if not fields:
        return []
    marks = [signs.word(fields, bold=True), signs.flag(field.white), *_tiled(looks, FIELD), signs.hours(field.work)]
    return [joined([*marks, signs.count(f"+{field.coins}", "coin"), signs.points(fields * field.points)])]


def _labourers(looks: Looks) -> list[Mark]:
    """Return the tiles of the day labourers."""
    signs, count = looks.signs, looks.village.labourers
    points = f"{count * looks.view.tables.labourer.points}".replace("-", MINUS)
    return [joined([signs.word(count, bold=True), signs.points(points)], 8)] if count else []
