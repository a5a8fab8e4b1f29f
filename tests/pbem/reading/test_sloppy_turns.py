"""A whole game as a hasty person writes it: what is taken, and what is refused and why, in My Village."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.core.log import Position, make_entry
from engine.core.play import play_alone
from engine.core.types import CHANCE, Seat
from engine.my_village import RULESET
from engine.my_village.state import State
from pbem.post.asking import ask_ahead, ask_now
from pbem.reading import MailedList, Reading, Written, read_orders
from tests.engine.my_village.positions import position
from tests.pbem.reading.positions import lexicons
from tests.pbem.reading.test_my_village import MINE, PLACES

OWNS: dict[str, Any] = {"crafts": ("scroll-2",), "goods": {"horse": 2}, "coins": 2, "left": True, "hours": 8}
SOME: dict[str, State] = {
    **PLACES,
    "poor": position(2, offer="white-1 white-2 white-3 white-4", mine={**MINE, "coins": 0}),
    "at home": position(3, mine={"headman": "home"}),
    "begin": position(2, mine={**OWNS, "headman": "coin", "tree": 3}, display=("market-8", "market-23", "market-30")),
    "church": position(3, mine={"church": "travel-church"}),
    "sold": replace(PLACES["10"], crafts=tuple(one for one in PLACES["10"].crafts if one != "wagon-1")),
}


def place_of(name: str) -> Position[State]:
    """Return a position by its name."""
    state = SOME[name]
    return Position(state, numbers=tuple((one.seat, 0) for one in RULESET.pending(state)))


def mailed(place: Position[State]) -> list[MailedList]:
    """Return the lists as the mail of seat 0 shows them."""
    owed = [one.decision for one in place.owed(RULESET) if one.decision.seat == 0]
    asks = [*(ask_now(RULESET, place, one, 1) for one in owed), *ask_ahead(RULESET, place, Seat(0))]
    return [MailedList(one.key, one.occasion, one.number, one.options, one.follow) for one in asks if one.options]


def letter(name: str, *texts: str, language: str = "pt") -> Reading:
    """Return how a letter of seat 0 is read that answers its mail."""
    place = place_of(name)
    written = [Written(number, text) for number, text in enumerate(texts, start=1)]
    words = lexicons("my_village")
    return read_orders(RULESET, place, Seat(0), written, language=language, lexicons=words, mailed=mailed(place))


def lines(reading: Reading) -> list[str]:
    """Return what was read, line by line."""
    return [f"{one.line.key}: {one.line.text}" for one in reading.read]


@pytest.mark.parametrize(
    ("name", "language", "text", "read"),
    [
        ("begin", "pt", "Oi, pessoal! Vou de total 9 e compro o estabulo 2", "my.total: total 9 : buy horse-2"),
        (
            "begin", "pt", "fico com o total 8 e pego os clientes 8 e 23",
            "my.total: total 8 : steward : take market-8 : take market-23 : done",
        ),
        ("total", "pt", "Escolho 8, pegando a arvore e fazendo cerveja", "my.total: total 8 : play : make beer : done"),
        ("total", "pt", "8 arvore e cerveja", "my.total: total 8 : play : make beer : done"),
        ("begin", "en", "meeting place with 7", "my.total: total 7 : buy meeting-place"),
        ("total", "pt", "Igreja do mosteiro com total 3", "my.total: total 3 : buy monastery-church"),
        ("total", "en", "taking the tree with total 8", "my.total: total 8 : play : done"),
        ("total", "pt", "mudei de ideia, quero 12: mão", "my.total: total 12 : hand"),
        (
            "total", "pt", "8: vou ao administrador, clientes 1, 2",
            "my.total: total 8 : steward : take market-1 : take market-2 : done",
        ),
        ("death", "pt", "mata o viajante, coitado", "my.death: bury traveller"),
        ("begin", "pt", "morte - viajante", "my.death: bury traveller"),
        ("begin", "pt", "morte viajante", "my.death: bury traveller"),
        ("8", "pt", "não quero mais nada", "my.flags: done"),
        ("8", "en", "I want nothing more", "my.flags: done"),
        ("8", "en", "brewing a beer and serving customer 3", "my.flags: make beer : serve market-3 : done"),
        ("meeting place", "pt", "4 virando 6", "my.flags: meeting : set 4 6"),
        ("steward", "pt", "clientes 13 e 30, pago com moeda", "my.customers: take market-13 : take market-30 : done"),
        ("steward", "pt", "clientes 13 e 30", "my.customers: take market-13 : take market-30 : done"),
        ("3", "pt", "promover", "my.flags: promote left councilman : done"),
        ("3", "en", "promote", "my.flags: promote left councilman : done"),
    ],
)  # fmt: skip
def test_prose_around_a_clear_order_is_passed_over(name: str, language: str, text: str, read: str) -> None:
    assert [read] == lines(letter(name, text, language=language))


@pytest.mark.parametrize(
    ("name", "text", "read", "words"),
    [
        (
            "begin", "Vou de total 9 e compro o estabulo 2, acho q é bom pros cavalos",
            ("total 9", "buy horse-2"), "acho q e bom pros cavalos",
        ),
        ("8", "árvore, se der", ("play",), "se der"),
        ("total", "8, mas só se a Ana não pegar", ("total 8",), "mas so se a ana nao pegar"),
        ("total", "8: árvore, adminstrador", ("total 8", "play"), "adminstrador"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_said_with_what_is(name: str, text: str, read: tuple[str, ...], words: str) -> None:
    (refused,) = letter(name, text).refused

    assert ("reader.unknown", (("words", words),)) == (refused.key, refused.fields)
    assert read == refused.read


@pytest.mark.parametrize(
    "text", ["não, 8", "8? Não!", "Que jogo bom, pessoal, 8 é meu número da sorte", "quase 8: adminstrador"]
)
def test_a_doubt_or_chatter_is_never_an_order(text: str) -> None:
    assert not letter("total", text).read


@pytest.mark.parametrize(
    ("name", "text", "first"),
    [
        ("total", "8: adminstrador", "steward"),
        ("8", "adminstrador", "steward"),
        ("10", "igreja da viajem", "buy travel-church"),
        ("sold", "comprar carpintaria 1", "buy wagon-2"),
        ("3", "escola", "promote left councilman"),
    ],
)
def test_the_nearest_that_is_possible_is_offered_first_and_never_played(name: str, text: str, first: str) -> None:
    reading = letter(name, text)

    assert not reading.read
    assert first == reading.refused[0].possible[0]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("8", "árvore e administrador", "flag.alone"),
        ("8", "administrador: cliente 7: árvore", "turn.not-asked"),
        ("8", "compro a cervejaria 1", "buy.gone"),
        ("8", "compro a cervejaria 2", "buy.owned"),
        ("sold", "comprar carpintaria 1", "buy.gone"),
        ("sold", "carpintaria 1", "buy.gone"),
        ("poor", "12: mão", "total.short"),
        ("total", "8: administrador: 3", "take.not-open"),
        ("8", "pego o cliente 3", "take.not-open"),
        ("11", "clientes 1 e 2", "serve.none"),
        ("total", "13", "reader.number"),
        ("total", "administrador", "turn.not-asked"),
        ("at home", "casa principal: histórias", "house.step"),
    ],
)
def test_a_reason_names_the_cause(name: str, text: str, reason: str) -> None:
    assert [reason] == [one.key for one in letter(name, text).refused]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("coin", "casa principal: 2 e 3 brancos: chefe volta: histórias"),
        ("total", "8: árvore: 3: árvore"),
        ("total", "próxima: 8: árvore: 5: viajar A"),
        ("8", "árvore, pronto, total 5"),
    ],
)
def test_a_line_never_goes_on_into_another_turn(name: str, text: str) -> None:
    reading = letter(name, text)

    assert not reading.read
    assert 1 == len(reading.refused)


@pytest.mark.parametrize(
    ("language", "text"), [("pt", "8: viajar A: ficar"), ("en", "8 travel A, keep whatever comes")]
)
def test_a_card_that_is_to_be_seen_may_be_kept_ahead(language: str, text: str) -> None:
    assert ["my.total: total 8 : travel a : keep"] == lines(letter("church", text, language=language))
    assert not letter("total", text, language=language).read


def test_the_card_that_was_kept_ahead_is_kept_when_it_is_seen() -> None:
    place = place_of("church")
    (line,) = (one.line for one in letter("church", "8: viajar A: ficar").read)

    solo = play_alone(RULESET, place, Seat(0), (line,))
    seen = make_entry(RULESET, solo.position, CHANCE, "draw journey-a2").position
    after = play_alone(RULESET, seen, Seat(0), solo.plan)

    assert ["keep"] == [one.record.entry.text for one in after.made]
    assert not after.told


def test_the_headman_may_bring_the_stories_home() -> None:
    text = "Casa principal: 2 e 3 brancos: o chefe volta pra casa com as historias"

    assert ["my.total: house : dice white-2 white-3 : house home"] == lines(letter("coin", text))


@pytest.mark.parametrize("text", ["casa principal: moeda", "main house: headman to the coin"])
def test_the_only_step_may_be_said(text: str) -> None:
    assert ["my.total: house"] == lines(letter("at home", text))


def test_the_dice_and_the_change_are_passed_over_with_the_cheapest() -> None:
    reading = letter("no white 2", "8: administrador: 1")

    place = place_of("no white 2")
    solo = play_alone(RULESET, place, Seat(0), (reading.read[0].line,))
    made = [one.record.entry.text for one in solo.made]
    assert ["total 8", "dice white-3 white-5", "change 3 5", "steward", "take market-1", "done"] == made


def test_the_dice_are_asked_where_nothing_follows_the_total() -> None:
    dear = position(2, offer="black-6 black-5 black-4", mine={"coins": 3})
    (line,) = (one.line for one in letter("total", "total 12").read)

    solo = play_alone(RULESET, Position(dear), Seat(0), (line,))

    assert ["total 12"] == [one.record.entry.text for one in solo.made]
    assert not solo.complete


def test_a_rank_that_is_impossible_now_does_not_refuse_the_others() -> None:
    reading = letter("poor", "12: mão ou 3: árvore")

    (read,) = reading.read
    assert "total 12 : hand : done or total 3 : play : done" == read.line.text
    assert [(1, "total.short")] == [(one.place, one.key) for one in read.doubtful]


def test_a_rank_that_cannot_be_read_is_left_out_and_told_by_its_place() -> None:
    reading = letter("total", "próxima: 8: árvore ou 5: adminstrador ou casa principal")

    (read,) = reading.read
    assert "total 8 : play : done or house" == read.line.text
    assert [(2, "reader.unknown", "adminstrador")] == [(one.place, one.key, one.piece) for one in read.lost]


def test_a_first_choice_with_a_slip_is_not_passed_over() -> None:
    (refused,) = letter("total", "8: adminstrador ou 3: árvore").refused

    assert (1, "reader.unknown", "steward") == (refused.place, refused.key, refused.possible[0])


def test_of_ranks_that_all_fail_each_is_told() -> None:
    (refused,) = letter("total", "12: adminstrador ou 11: árvore").refused

    assert [(1, "reader.unknown")] == [(refused.place, refused.key)]
    assert [(2, "flag.number")] == [(one.place, one.key) for one in refused.others]


def test_two_lines_for_a_turn_are_two_turns() -> None:
    reading = letter("total", "8: árvore", "vez: 8: administrador: cliente 1", "vez: 7: colher")

    assert [
        "my.total: total 8 : play : done",
        "my.total: total 8 : steward : take market-1 : done",
        "my.total: total 7 : farm : done",
    ] == lines(reading)


@pytest.mark.parametrize(
    ("text", "begins"), [("vez: nada disso", "label"), ("12: blablá", "number"), ("compro blablá ali", "verb")]
)
def test_a_line_that_begins_like_an_order_is_no_remark(text: str, begins: str) -> None:
    reading = letter("total", "8: árvore", text)

    assert [begins] == [one.begins for one in reading.refused]


def test_a_remark_beside_an_order_is_one() -> None:
    reading = letter("total", "8: árvore", "que partida linda, gente")

    assert ([2], []) == ([one.number for one in reading.ignored], list(reading.refused))


def test_what_was_lettered_below_a_number_is_meant_with_it() -> None:
    place = place_of("coin")
    (first, *_) = mailed(place)
    below = (("dice white-1 white-2", "dice white-1 white-3"), *((),) * (len(first.texts) - 1))
    lettered = [replace(first, follow=below)]
    words = lexicons("my_village")

    reading = read_orders(RULESET, place, Seat(0), [Written(1, "1b")], language="pt", lexicons=words, mailed=lettered)

    assert ["my.total: house : dice white-1 white-3"] == lines(reading)
