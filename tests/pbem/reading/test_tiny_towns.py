"""What people write in Tiny Towns, and what is read of it: the words of both languages on positions that are drawn."""

from typing import Any

import pytest

from engine.core.log import Position
from engine.core.types import Seat
from engine.tiny_towns import RULESET
from engine.tiny_towns.state import State
from pbem.reading import Reading, Written, read_orders
from tests.engine.tiny_towns.positions import after, naming, play, position
from tests.pbem.reading.positions import lexicons

FACTORY: dict[str, Any] = {"values": {0: {"held": {"a1": "wood"}}}, "namer": 1}
WAREHOUSE: dict[str, Any] = {"cards": "warehouse", "values": {0: {"held": {"a1": "glass"}}}, "namer": 1}
TAVERN = "bbg./..*.."


def line(state: State, text: str, language: str) -> str:
    """Return the line of seat 0 as read: `KEY[?FACT]: MOVE : MOVE`, or why it is not."""
    reading = read_all(state, text, language=language)
    for refused in reading.refused:
        return f"{refused.key} {refused.possible}"
    read = reading.read[0].line
    fact = f"?{read.when}" if read.when else ""
    return f"{read.key}{fact}: {' or '.join(' : '.join(one) for one in read.choices)}"


def read_all(state: State, *texts: str, language: str = "en") -> Reading:
    """Return a letter of seat 0 as read."""
    place = Position(state, numbers=tuple((one.seat, 0) for one in RULESET.pending(state)))
    written = [Written(number, text) for number, text in enumerate(texts, start=1)]
    return read_orders(RULESET, place, Seat(0), written, language=language, lexicons=lexicons("tiny_towns"))


@pytest.mark.parametrize(
    ("language", "text", "move"),
    [
        ("en", "name wood", "name wood"),
        ("en", "I call bricks, please", "name brick"),
        ("en", "grain", "name wheat"),
        ("en", "blue", "name glass"),
        ("en", "my turn: announce rock", "name stone"),
        ("en", "nomear pedra", "name stone"),
        ("pt", "nomeio madeira", "name wood"),
        ("pt", "Chamo o barro!", "name brick"),
        ("pt", "vez: trigo", "name wheat"),
        ("pt", "azul", "name glass"),
        ("pt", "name stone", "name stone"),
    ],
)
def test_naming(language: str, text: str, move: str) -> None:
    assert line(naming("....", "....", namer=1), text, language) == f"towns.name: {move}"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "place b2"),
        ("en", "put the wood cube on square b2"),
        ("en", "b2"),
        ("en", "B2"),
        ("en", "2b"),
        ("en", "b 2"),
        ("en", "set timber onto B-2"),
        ("pt", "colocar b2"),
        ("pt", "coloco o cubo de madeira no quadrado b2"),
        ("pt", "ponho em b 2"),
        ("pt", "pôr 2b"),
        ("pt", "put b2"),
    ],
)
def test_a_square_however_it_is_written(language: str, text: str) -> None:
    assert line(position("...."), text, language) == "towns.place: place b2"


@pytest.mark.parametrize(
    ("language", "text", "move"),
    [
        ("en", "swap glass", "swap glass"),
        ("en", "exchange for glass by the factory", "swap glass"),
        ("pt", "prefiro vidro", "swap glass"),
        ("pt", "trocar por vidro", "swap glass"),
    ],
)
def test_another_cube_by_the_factory(language: str, text: str, move: str) -> None:
    assert line(position("K...", **FACTORY), text, language) == f"towns.place: {move}"


@pytest.mark.parametrize(
    ("language", "text", "move"),
    [
        ("en", "store a1", "store a1"),
        ("en", "stash the wood in the warehouse on a1", "store a1"),
        ("en", "swap a1 glass", "exchange a1 glass"),
        ("en", "exchange for glass", "exchange a1 glass"),
        ("pt", "guardo no armazém a1", "store a1"),
        ("pt", "armazenar", "store a1"),
        ("pt", "troco por vidro em a1", "exchange a1 glass"),
    ],
)
def test_a_cube_for_the_warehouse(language: str, text: str, move: str) -> None:
    assert line(position("K...", **WAREHOUSE), text, language) == f"towns.place: {move}"


@pytest.mark.parametrize(
    ("language", "text", "move"),
    [
        ("en", "scrap b1", "scrap b1"),
        ("en", "discard the wood, villager b1", "scrap b1"),
        ("en", "activate scrap b1", "scrap b1"),
        ("en", "set aside", "cavern"),
        ("en", "put it aside", "cavern"),
        ("pt", "descarto b1", "scrap b1"),
        ("pt", "usar descartar b1", "scrap b1"),
        ("pt", "caverna", "cavern"),
        ("pt", "pôr de lado", "cavern"),
    ],
)
def test_no_cube(language: str, text: str, move: str) -> None:
    state = position("R*R*..", namer=1, helpers=("scrap", "innovate"), cavern=True)

    assert line(state, text, language) == f"towns.place: {move}"


@pytest.mark.parametrize(
    ("language", "text", "moves"),
    [
        ("en", "place d4: build tavern b1", "place d4 : build tavern b1"),
        ("en", "put it on d4, erect the pub on b1, done", "place d4 : build tavern b1"),
        ("en", "d4; construct a tavern at b1", "place d4 : build tavern b1"),
        ("en", "put the wood on d4: build a tavern on b1", "place d4 : build tavern b1"),
        ("en", "place wood d4: done", "place d4 : done"),
        ("en", "place d4: done", "place d4 : done"),
        ("en", "place d4: nothing more", "place d4 : done"),
        ("pt", "colocar d4: construir taverna b1", "place d4 : build tavern b1"),
        ("pt", "ponho em d4, faço uma taberna em b1, fim", "place d4 : build tavern b1"),
        ("pt", "coloco madeira em d4: construo a taverna em b1", "place d4 : build tavern b1"),
        ("pt", "colocar d4: não construir nada", "place d4 : done"),
        ("pt", "colocar d4: erguer tavern b1", "place d4 : build tavern b1"),
    ],
)
def test_a_whole_turn(language: str, text: str, moves: str) -> None:
    assert line(position(TAVERN, cards="tavern"), text, language) == f"towns.place: {moves}"


@pytest.mark.parametrize(
    ("language", "text", "moves"),
    [
        ("en", "forage a2: wood d1", "activate forage a2 : add wood d1"),
        (
            "en",
            "use the villager card forage with the villager on a2: put clay on d1",
            "activate forage a2 : add brick d1",
        ),
        ("en", "activate cut corners a2: build tavern a1", "activate cut-corners a2 : build tavern a1"),
        ("en", "cut corners: tavern a1", "activate cut-corners a2 : build tavern a1"),
        ("pt", "coleto a2: madeira d1", "activate forage a2 : add wood d1"),
        ("pt", "ativar economizar a2: construir taverna a1", "activate cut-corners a2 : build tavern a1"),
        ("pt", "cut corners a2: taverna a1", "activate cut-corners a2 : build tavern a1"),
    ],
)
def test_villager_cards(language: str, text: str, moves: str) -> None:
    state = position("bb../R*.../....", cards="tavern", helpers=("forage", "cut-corners"))
    state, _ = play(state, "0: place d4")

    assert line(state, text, language).removesuffix(" : done") == f"towns.build: {moves}"


@pytest.mark.parametrize(
    ("language", "name", "card"),
    [
        ("en", "Architect's Guild", "guild"),
        ("en", "opaleye's watch", "watch"),
        ("en", "the sky baths", "baths"),
        ("en", "statue of the bondmaker", "statue"),
        ("pt", "Guilda dos Arquitetos", "guild"),
        ("pt", "vigia de opaleye", "watch"),
        ("pt", "termas", "baths"),
        ("pt", "Opaleye's Watch", "watch"),
        ("pt", "tear das estrelas", "starloom"),
    ],
)
def test_monuments_by_their_full_names(language: str, name: str, card: str) -> None:
    said = {"en": "build", "pt": "construir a"}[language]
    layouts = {
        "guild": "..g./.hs./wb../....", "watch": "w.../bghh/s...", "baths": ".h../sgw./b.b.", "statue": "wssg/h...",
        "starloom": "gg../wh..",
    }  # fmt: skip
    state, _ = play(position(layouts[card], hand=card), "0: place d4")
    square = {"guild": "c1", "watch": "a1", "baths": "b1", "statue": "a1", "starloom": "a1"}[card]

    assert line(state, f"{said} {name} {square}", language).startswith(f"towns.build: build {card} {square}")


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "villagers a1-a2", "towns.villagers: move a1 a2"),
        ("en", "villager a1 to a2", "towns.villagers: move a1 a2"),
        ("en", "move a1 a2", "towns.villagers: move a1 a2"),
        ("en", "villagers: a1 a2", "towns.villagers: move a1 a2"),
        ("en", "lodge d4", "towns.lodge: lodge d4"),
        ("en", "lodge: d4", "towns.lodge: lodge d4"),
        ("en", "lodge: put the villager on d4", "towns.lodge: lodge d4"),
        ("pt", "vilarejo a1 para a2", "towns.villagers: move a1 a2"),
        ("pt", "vilarejos: a1 a2", "towns.villagers: move a1 a2"),
        ("pt", "levo o aldeão de a1 a a2", "towns.villagers: move a1 a2"),
        ("pt", "lodge: d4", "towns.lodge: lodge d4"),
        ("pt", "lodge: vilarejo volta para d4", "towns.lodge: lodge d4"),
    ],
)
def test_villagers_ahead_of_the_end_of_the_round(language: str, text: str, read: str) -> None:
    assert line(position(".*..."), text, language) == read


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "opaleye: when tavern: c3", "towns.watch?tavern: settle c3"),
        ("en", "watch tavern: c3", "towns.watch?tavern: settle c3"),
        ("en", "watch tavern: put it on c3", "towns.watch?tavern: settle c3"),
        ("pt", "vigia taverna: c3", "towns.watch?tavern: settle c3"),
        ("pt", "vigia: se poço: pôr em c3", "towns.watch?well: settle c3"),
    ],
)
def test_pieces_of_the_watch_ahead(language: str, text: str, read: str) -> None:
    state = position("M...", hand="watch", values={0: {"stock": ("well", "tavern")}})

    assert line(state, text, language).removesuffix(" : skip") == read


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "when wood: place a2", "towns.place?wood: place a2"),
        ("en", "when wood until 9: place a2", "towns.place?wood: place a2"),
        ("en", "placing: when glass: a2: done", "towns.place?glass: place a2"),
        ("en", "cube wheat: c3", "towns.place?wheat: place c3"),
        ("pt", "se madeira: colocar a2", "towns.place?wood: place a2"),
        ("pt", "colocação: quando vidro: a2: pronto", "towns.place?glass: place a2"),
        ("pt", "recurso trigo: c3", "towns.place?wheat: place c3"),
    ],
)
def test_a_square_for_a_resource_that_is_not_named_yet(language: str, text: str, read: str) -> None:
    assert line(naming("....", "....", namer=0), text, language).split(" : ")[0] == read


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("place b2", "place b2"),
        ("b2", "place b2"),
        ("place d4", "place d4 : done"),
        ("place b2: done", "place b2 : done"),
        ("place b2: build cottage b1", "place b2 : build cottage b1 : done"),
        ("place b2: build cottage b1: ask", "place b2 : build cottage b1"),
    ],
)
def test_a_turn_is_not_ended_by_itself_where_something_could_be_built(text: str, moves: str) -> None:
    only_wheat_is_missing = position("bg../....", resource="wheat", hand="archive")

    assert line(only_wheat_is_missing, text, "en") == f"towns.place: {moves}"


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        ("en", "place glass on c3", "glass"),
        ("en", "the stone to c3: done", "stone"),
        ("pt", "coloca vidro em c3", "vidro"),
        ("pt", "tijolo no c3", "tijolo"),
    ],
)
def test_another_resource_than_the_one_to_place_is_asked_back(language: str, text: str, word: str) -> None:
    reading = read_all(position("....", resource="wood"), text, language=language)

    assert [("reader.other", (("word", word),))] == [(one.key, one.fields) for one in reading.refused]
    assert not reading.read


def test_what_comes_first_in_a_line_is_not_lost_to_what_may_come_later() -> None:
    state = position("bg../....", resource="wheat")

    assert line(state, "b2 and build the cottage on b1", "en") == "towns.place: place b2 : build cottage b1"


def test_a_condition_without_a_label_is_for_what_such_a_fact_belongs_to() -> None:
    reading = read_all(position("bg../.*...", resource="wheat"), "place a2: done", "when brick: a3")

    assert ["towns.place", "towns.place"] == [one.line.key for one in reading.read]
    assert "brick" == reading.read[1].line.when


def test_no_list_is_ended_where_a_line_of_the_letter_was_not_understood() -> None:
    state = position("bg../....", resource="wheat", hand="archive")

    reading = read_all(state, "place b2: build cottage b1", "activate the thing on d3")

    assert [("place b2", "build cottage b1")] == [one.line.choices[0] for one in reading.read]
    assert 1 == len(reading.refused)


@pytest.mark.parametrize(
    ("language", "text", "move"),
    [
        ("en", "b2, thanks!", "place b2"),
        ("en", "place b2. Cheers, Ana", "place b2"),
        ("pt", "coloca no b2, valeu", "place b2"),
        ("pt", "b2!!! obrigada", "place b2"),
        ("pt", "no b2 né, muito obrigado", "place b2"),
        ("pt", "acho que b2", "place b2"),
        ("pt", "no b2 tá", "place b2"),
    ],
)
def test_who_says_thanks_behind_an_order_is_understood(language: str, text: str, move: str) -> None:
    assert line(position("...."), text, language) == f"towns.place: {move}"


@pytest.mark.parametrize("text", ["encerrar a minha vez", "encerra", "pronto!!! obrigada", "encerro a vez, valeu"])
def test_the_words_of_the_question_answer_it(text: str) -> None:
    state = after(position("bg../.h..", resource="wood", hand="archive"), "0: place d4")

    assert line(state, text, "pt") == "towns.build: done"


def test_what_comes_after_all_that_is_asked_is_told_so() -> None:
    reading = read_all(position("bg../....", resource="wood"), "place d4: build well d4")

    assert [("reader.beyond", ("place d4",), "build well d4")] == [
        (one.key, one.read, one.piece) for one in reading.refused
    ]
