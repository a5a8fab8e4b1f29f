"""What the pictures of My Village tell: everything that lies open, everything that somebody has, and no secret."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from engine.core.types import Seat
from engine.my_village.components import GOODS, PROFESSIONS, Components
from engine.my_village.views import View, WorkView
from pbem.lexicon import languages
from pbem.post.draw import Picture, pictures
from pbem.post.draw.my_village import HEADMAN
from pbem.post.draw.my_village_parts import ICONS, Chip, Mark, in_lines
from pbem.post.words import Reader
from tests.contract.titles import Setting
from tests.pbem.post.draw.geometry import check_drawing
from tests.pbem.post.sample import WORDS, game

NAMES = ("Ana", "João", "Bia", "Caio")
FILLS = {
    good: next(fill for _, fill, _ in reversed(ICONS[good]) if fill.startswith("#") and fill != "#fffdf7")
    for good in GOODS
}
"""A colour that only the icon of this good has."""


@cache
def views(seats: int, seed: int = 5) -> tuple[View, ...]:
    """Return what each position of a game looks like to the seat whose turn it is."""
    setting = Setting("my_village", seats)
    states = [record.position.state for record in game(setting, seed)]
    return tuple(setting.ruleset.view(state, Seat(max(state.turn, 0))) for state in states)


def found(wanted: Callable[[View], object], seats: int = 3) -> View:
    """Return the first position of some games for which *wanted* holds."""
    return next(view for seed in (5, 11, 8) for view in views(seats, seed) if wanted(view))


def drawn(view: View, language: str = "en", names: tuple[str, ...] = NAMES) -> tuple[Picture, ...]:
    return pictures("my_village", view, WORDS.voice(language, "my_village", Reader(view.seat, names, view=view)))


def words(picture: Picture) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", picture.svg)


def pieces(picture: Picture) -> Iterator[list[str]]:
    """Yield the words of each piece that holds no other one."""
    for piece in re.findall(r"<g data-piece[^>]*>((?:(?!<g).)*?)</g>", picture.svg):
        yield re.findall(r"<text[^>]*>([^<]*)</text>", piece)


def flag(numbers: tuple[int, ...]) -> str:
    return "/".join(map(str, numbers))


def black(view: View) -> Counter[str]:
    """Return the black flags on the board, but that of the hand tile."""
    cards = (*view.crafts, *view.cards, *view.letters, view.tables.steward)
    return Counter(flag(one.black) for one in cards)


@pytest.mark.parametrize("language", languages())
def test_whose_turn_it_is_and_who_follows_stands_on_top(language: str) -> None:
    view = found(lambda one: one.round > 2 and one.turns == (2, 0) and one.turn == 1)

    board, *_ = drawn(replace(view, seat=Seat(0)), language)

    texts = words(board)
    assert texts[0].endswith(f" {view.round}")
    assert {"turn: João", "vez de João"}.intersection(texts)
    assert {"then Bia and you", "depois Bia e você"}.intersection(texts)


def test_every_card_that_can_be_bought_is_on_the_board() -> None:
    for view in views(3)[::40]:
        if view.over:
            continue
        board, *_ = drawn(view)

        texts = Counter(words(board))
        wanted = black(view)
        wanted.update(one.letter.upper() for one in view.letters)
        for customer in view.display:
            wanted.update([customer.id.partition("-")[2]])
        assert {} == wanted - texts


def test_each_good_is_drawn_for_each_building_and_customer() -> None:
    view = found(lambda one: one.round == 6 and len(one.display) == 6)

    board, *_ = drawn(view)

    for good, fill in FILLS.items():
        asked = sum(one.goods.count(good) for one in view.display)
        assert board.svg.count(f'fill="{fill}"') == asked + sum(one.good == good for one in view.crafts), good


def test_customers_show_their_own_flag_hours_and_points() -> None:
    view = found(lambda one: one.round == 6)

    board, *_ = drawn(view)

    shown = [texts for texts in pieces(board) if len(texts) == 4]
    for one in view.display:
        number = one.id.partition("-")[2]
        assert [number, str(one.points), str(one.work), flag(one.white)] in shown


def test_the_dice_on_offer_are_drawn_by_colour() -> None:
    view = found(lambda one: len(one.white) == 4 and len(one.black) == 2 and not one.total)

    board, *_ = drawn(view)

    (texts,) = [texts for texts in pieces(board) if texts[:1] == ["white"]]
    assert texts == ["white", *map(str, view.white), "black", *map(str, view.black)]


def test_dice_that_coins_may_turn_stand_before_the_total_wanted() -> None:
    view = found(lambda one: one.taken)

    board, *_ = drawn(view)

    (texts,) = [texts for texts in pieces(board) if texts[:1] == ["white"]]
    first, second = (name.partition("-")[2] for name in view.taken)
    assert texts[-4:] == ["taken", first, second, f"→ {view.total}"]


def test_a_travel_card_that_was_looked_at_is_drawn_for_its_owner_alone() -> None:
    view = found(lambda one: one.seen)
    assert view.seen

    mine, *_ = drawn(view)
    theirs, *_ = drawn(replace(view, seen=None))

    (texts,) = [texts for texts in pieces(mine) if "alone" in " ".join(texts)]
    assert texts[:2] == [f"seen by you alone: {view.seen.letter.upper()}", str(view.seen.points)]
    assert "alone" not in theirs.svg


def test_nothing_is_for_sale_after_the_end() -> None:
    view = views(3)[-1]
    assert view.over

    board, *villages = drawn(view)

    assert "steward" not in words(board)
    assert f"{view.graves} / {view.limit}" in words(board)
    assert villages


@pytest.mark.parametrize(
    ("seats", "seat", "names"),
    [
        (2, 1, ["board", "village-1", "village-0"]),
        (4, 2, ["board", "village-2", "village-0-1-3"]),
        (4, None, ["board", "village-0-1", "village-2-3"]),
        (2, None, ["board", "village-0-1"]),
    ],
)
def test_the_own_village_comes_before_the_others(seats: int, seat: int | None, names: list[str]) -> None:
    view = replace(views(seats)[60], seat=None if seat is None else Seat(seat))

    assert [one.name for one in drawn(view)] == names


@pytest.mark.parametrize("language", languages())
def test_everything_in_a_village_is_drawn(language: str) -> None:
    voice = WORDS.voice(language, "my_village")
    for view in views(2)[::20]:
        for picture, village in zip(
            drawn(view, language)[1:], sorted(view.villages, key=lambda one: one.seat != view.seat), strict=True
        ):
            texts = Counter(words(picture))
            wanted = Counter(voice.name("profession", one) for one in PROFESSIONS)
            wanted.update(map(str, (village.coins, village.tree, village.store)))
            wanted.update(voice.name("card", one.craft.id) for one in village.crafts)
            wanted.update(flag(one.craft.white) for one in village.crafts)
            wanted.update(one.id.partition("-")[2] for one in (*village.customers, *village.served))
            wanted.update(f"{number} {voice.name('card', kind, number)}" for kind, number in village.monks)
            wanted.update(voice.name("card", one) for one in (village.church, village.chamber) if one)
            wanted.update(voice.name("letter", one.letter) for one in village.journeys)
            assert {} == wanted - texts
            assert picture.svg.count('stroke-dasharray="2 1.5"') == len(village.empty)


def test_goods_are_counted_on_their_building() -> None:
    view = found(lambda one: any(work.goods for work in one.villages[one.seat or 0].crafts))
    village = view.villages[view.seat or 0]

    _, own, _ = drawn(view)

    for work in village.crafts:
        name = WORDS.voice("en", "my_village").name("card", work.craft.id)
        (texts,) = [texts for texts in pieces(own) if texts[:1] == [name]]
        assert texts == [name, flag(work.craft.white), str(work.craft.work), str(work.goods)]


@pytest.mark.parametrize("where", ["play", "school", "beer", "field", "meeting-place", "market-16"])
def test_the_tile_lies_at_the_flag_that_bears_it(where: str) -> None:
    view = views(2)[0]
    tables = view.tables
    village = replace(
        view.villages[0],
        meeting=True,
        fields=2,
        crafts=(WorkView(tables.craft["beer-2"], 0),),
        customers=(tables.customer["market-16"],),
        play=(5, 10),
        tile=where,
    )
    beside = {
        "play": "tree",
        "school": "school",
        "beer": "brewery 2",
        "field": "2",
        "meeting-place": "meeting place",
        "market-16": "16",
    }

    _, own, _ = drawn(replace(view, villages=(village, view.villages[1])))

    (texts,) = [texts for texts in pieces(own) if "2/12" in texts]
    assert texts[0] == beside[where]


def test_a_tile_that_is_not_laid_yet_is_told() -> None:
    view = views(2)[0]
    village = replace(view.villages[0], meeting=True)

    _, own, _ = drawn(replace(view, villages=(village, view.villages[1])))

    assert ["2/12", "to be laid"] in pieces(own)


@pytest.mark.parametrize("space", ["home", "coin", "stories"])
def test_the_headman_stands_on_his_space(space: str) -> None:
    view = views(2)[0]
    villages = tuple(replace(one, headman=space) for one in view.villages)

    _, own, _ = drawn(replace(view, villages=villages))
    _, others = drawn(replace(view, villages=villages, seat=None))

    assert words(others).count(space) == len(villages)
    places = [place for place in own.svg.split("<rect") if re.search(">(home|coin|stories)<", place)]
    assert [HEADMAN in place for place in places] == [f">{space}<" in place for place in places]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seats", [2, 4])
def test_a_crowded_village_keeps_what_every_picture_keeps(language: str, seats: int) -> None:
    view = views(seats)[-40]
    tables = view.tables
    crowded = tuple(
        replace(
            one,
            villagers=(),
            empty=PROFESSIONS,
            crafts=tuple(WorkView(tables.craft[f"{good}-{3 + at % 2}"], 11) for at, good in enumerate(GOODS)),
            customers=tuple(tables.customer[f"market-{number}"] for number in range(20, 34)),
            served=tuple(tables.customer[f"market-{number}"] for number in range(1, 20)),
            journeys=tuple(tables.journey[f"journey-{letter}4"] for letter in "abcd"),
            next="",
            church="monastery-church",
            monks=(("almoner", 3), ("chronicler", 3), ("teacher", 3), ("cellarer", 3)),
            window=13,
            meeting=True,
            chamber="population-chamber",
            mark="councilman",
            joker=True,
            tile="market-26",
            fields=8,
            labourers=2,
            coins=28,
            tree=37,
            store=41,
        )
        for one in view.villages
    )
    for seat in (Seat(0), None):
        for picture in drawn(
            replace(view, villages=crowded, seat=seat), language, ("Maximiliana Wolkenstein-Rodenegg da Silva",) * seats
        ):
            check_drawing(picture.svg)


def test_buildings_that_differ_tell_their_flag_and_hours_themselves() -> None:
    view = found(lambda one: one.round == 1 and len(one.crafts) == 20)
    own_tables = _with_own_values(view.tables)
    cards = tuple(own_tables.craft[one.id] for one in view.crafts)

    (plain, *_), (other, *_) = drawn(view), drawn(replace(view, tables=own_tables, crafts=cards))

    check_drawing(other.svg)
    flags = [one for one in words(other) if one in ("3/8", "4/9", "5/10", "6/11", "4/10")]
    assert Counter(flags) == Counter(flag(one.white) for one in cards) + Counter(black(view)["4/10"] * ["4/10"])
    assert ["8/9", "4/10", "9", ":", "1"] in pieces(other)
    assert ["8/9"] in pieces(plain)


def _with_own_values(tables: Components) -> Components:
    """Return tables in which the third scribe has another white flag, and takes nine hours."""
    crafts = tuple(
        replace(
            kind,
            cards=tuple(replace(one, white=(4, 10), hours=9) if one.id == "scroll-3" else one for one in kind.cards),
        )
        for kind in tables.crafts
    )
    return replace(tables, crafts=crafts)


def test_what_is_too_wide_for_the_first_line_stands_on_the_next() -> None:
    narrow, wide = (Chip(Mark(width, lambda *_: None), "") for width in (40, 120))

    assert in_lines((), 100, 200) == [[]]
    assert in_lines((narrow, narrow, wide), 100, 200) == [[narrow, narrow], [wide]]
    assert in_lines((wide, narrow), 100, 200) == [[], [wide, narrow]]
    assert in_lines((wide, narrow), 100, 100) == [[wide], [narrow]]
