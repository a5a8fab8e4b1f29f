"""What people write in My Village, and what is read of it: the words of both languages on positions that are drawn."""

import random
from typing import Any

import msgspec
import pytest

from engine.core.log import Position
from engine.core.types import CHANCE, Seat
from engine.my_village import RULESET
from engine.my_village.components import PROFESSIONS
from engine.my_village.state import State
from pbem.post.words import Reader
from pbem.reading import Written, read_orders
from tests.contract import laws
from tests.contract.titles import Setting
from tests.engine.my_village.positions import after, position, texts
from tests.pbem.post.sample import NAMES, WORDS
from tests.pbem.reading.positions import lexicons

MINE: dict[str, Any] = {
    "crafts": ("scroll-2", "beer-1", "plow-4"),
    "goods": {"beer": 2, "plow": 1},
    "customers": ("market-3", "market-15", "market-5"),
    "fields": 2,
    "coins": 3,
    "left": True,
    "tree": 4,
    "villagers": tuple(one for one in PROFESSIONS if one != "councilman"),
}
ALL: dict[str, Any] = {**MINE, "villagers": PROFESSIONS}
MEETING: dict[str, Any] = {**ALL, "meeting": True, "tile": "beer"}
DISPLAY = ("market-5", "market-7", "market-13", "market-20", "market-30", "market-1")

PLACES: dict[str, State] = {
    "total": position(3, mine=MINE),
    "coin": position(3, mine={"headman": "coin", "tree": 3, "coins": 2}),
    "step": after(position(3, mine={"headman": "coin", "tree": 3}), "house", "dice white-1 white-2"),
    "no white 2": position(3, offer="white-1 white-3 white-5 white-6 black-2 black-6", mine={"coins": 3}),
    "8": position(3, dice="2 6", mine=MINE),
    "3": position(3, dice="1 2", mine=MINE),
    "7": position(3, dice="3 4", mine=MINE),
    "11": position(3, dice="5 6", mine={**MINE, "right": True}),
    "12": position(3, dice="6 6", heap=3),
    "10": position(3, dice="4 6"),
    "5, on the road": position(3, dice="1 4", mine={"journeys": ("journey-a1",)}),
    "8, nothing owned": position(3, dice="2 6", mine={"coins": 2}),
    "joker": position(3, dice="2 6", mine={**MINE, "joker": True, "chamber": "guild-chamber"}),
    "meeting place": position(3, dice="4 5", mine=MEETING),
    "face": after(position(3, dice="4 5", mine=MEETING), "meeting"),
    "steward": after(position(3, dice="2 6", mine={"coins": 2}, display=DISPLAY), "steward"),
    "tile": after(position(3, dice="3 4", mine=ALL), "buy meeting-place"),
    "area": after(position(3, dice="3 4", mine=ALL), "buy area-chamber"),
    "population": after(position(3, dice="5 5", mine=ALL), "buy population-chamber"),
    "cellarer": after(position(3, dice="3 4", mine={**MINE, "church": "trade-church"}), "buy cellarer"),
    "card seen": after(position(3, dice="3 3", mine={"church": "travel-church"}), "travel a", "draw journey-a3"),
    "death": after(position(3, dice="3 3", mine={"hours": 9}), "buy scroll-1"),
    "labourer": after(
        position(3, dice="3 3", mine={"hours": 9, "villagers": ("craftsman",)}), "buy scroll-1", "roll 2"
    ),
}


def line(place: str, text: str, language: str) -> str:
    """Return the line of seat 0 as read: `KEY: MOVE : MOVE`, or why it is not."""
    state = PLACES[place]
    at = Position(state, numbers=tuple((one.seat, 0) for one in RULESET.pending(state)))
    written = [Written(1, text)]
    reading = read_orders(RULESET, at, Seat(0), written, language=language, lexicons=lexicons("my_village"))
    if not reading.read:
        return reading.refused[0].key
    read = reading.read[0].line
    return f"{read.key}: {' or '.join(' : '.join(one) for one in read.choices)}"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_canonical_texts_and_those_of_the_language(place: str, language: str) -> None:
    lexicon = next(one for one in lexicons("my_village") if one.language == language)

    for text in texts(PLACES[place]):
        for said in (text, lexicon.local_text(RULESET.grammar, text)):
            assert line(place, said, language).split(" : ")[0].endswith(f": {text}"), said


@pytest.mark.parametrize(
    ("language", "text", "moves"),
    [
        ("en", "total 8", "total 8"),
        ("en", "8", "total 8"),
        ("en", "I take a total of 8", "total 8"),
        ("en", "sum 8: white 2, white 6", "total 8 : dice white-2 white-6"),
        ("en", "total 8 with white 2 and white 6", "total 8 : dice white-2 white-6"),
        ("en", "total 8 with the whites 2 and 6", "total 8 : dice white-2 white-6"),
        ("en", "total 8 with the white dice 2 and 6", "total 8 : dice white-2 white-6"),
        ("en", "total 8 with white 2 and black 4", "total 8 : dice white-2 black-4"),
        ("en", "total 8: make beer, serve customer 3", "total 8 : make beer : serve market-3 : done"),
        ("en", "8: any: make beer and serve market 3", "total 8 : any : make beer : serve market-3 : done"),
        ("en", "turn: total 7: farm", "total 7 : farm : done"),
        ("en", "total 7: buy a wainwright 2", "total 7 : buy wagon-2"),
        ("en", "total 6: travel A", "total 6 : travel a"),
        ("en", "main house", "house"),
        ("en", "Headman!", "house"),
        ("en", "main house with white 1 and white 2", "house : dice white-1 white-2"),
        ("pt", "total 8", "total 8"),
        ("pt", "Soma 8, por favor", "total 8"),
        ("pt", "total 8 com os brancos 2 e 6", "total 8 : dice white-2 white-6"),
        ("pt", "total 8 com os dados brancos 2 e 6", "total 8 : dice white-2 white-6"),
        ("pt", "total 8 com branco 2 e branco 6", "total 8 : dice white-2 white-6"),
        ("pt", "total 8, branco 2 e preto 4", "total 8 : dice white-2 black-4"),
        ("pt", "total 8: faço cerveja e atendo o cliente 3", "total 8 : make beer : serve market-3 : done"),
        ("pt", "vez: total 7: colheita", "total 7 : farm : done"),
        ("pt", "total 6: viagem A", "total 6 : travel a"),
        ("pt", "casa principal", "house"),
        ("pt", "casa principal com os brancos 1 e 2", "house : dice white-1 white-2"),
    ],
)
def test_a_total_its_dice_and_what_it_opens(language: str, text: str, moves: str) -> None:
    assert line("total", text, language) == f"my.total: {moves}"


@pytest.mark.parametrize(
    ("place", "language", "text", "read"),
    [
        ("coin", "en", "main house: home", "my.total: house : house home"),
        ("coin", "en", "headman to the stories", "my.total: house : house stories"),
        ("coin", "pt", "casa principal: histórias", "my.total: house : house stories"),
        ("coin", "pt", "chefe para casa", "my.total: house : house home"),
        ("step", "en", "home", "my.step: house home"),
        ("step", "en", "go home", "my.step: house home"),
        ("step", "en", "headman: stories", "my.step: house stories"),
        ("step", "en", "main house", "reader.several"),
        ("step", "pt", "volto para casa", "my.step: house home"),
        ("step", "pt", "histórias", "my.step: house stories"),
        ("8", "en", "headman to the coin", "my.flags: house coin"),
        ("8", "pt", "casa principal", "my.flags: house coin"),
    ],
)
def test_the_headman_goes_two_ways_from_the_coin(place: str, language: str, text: str, read: str) -> None:
    assert line(place, text, language) == read


@pytest.mark.parametrize("text", ["total 8 with the whites 2 and 6", "total 8 com os brancos 2 e 6"])
def test_white_dice_are_never_black_ones(text: str) -> None:
    for language in ("en", "pt"):
        assert line("no white 2", text, language) in (
            "dice.not-there", "grammar.word", "grammar.rest", "reader.unknown",
        )  # fmt: skip


@pytest.mark.parametrize(
    ("place", "language", "text", "moves"),
    [
        ("8", "en", "brew a beer, serve customer 3", "make beer : serve market-3 : done"),
        ("8", "en", "make beer and deliver to client 3", "make beer : serve market-3 : done"),
        ("8", "en", "sell to market 3", "serve market-3 : done"),
        ("8", "en", "serve the customer 3 with beer for 1 hour", "serve market-3 : done"),
        ("8", "en", "customer 3", "serve market-3 : done"),
        ("8", "en", "use the tree flag", "play : done"),
        ("8", "en", "that's all", "done"),
        ("8", "pt", "faço cerveja e atendo o cliente 3", "make beer : serve market-3 : done"),
        ("8", "pt", "produzo uma pipa; sirvo o freguês 3", "make beer : serve market-3 : done"),
        ("8", "pt", "vendo para o mercado 3 com cerveja", "serve market-3 : done"),
        ("8", "pt", "uso a árvore", "play : done"),
        ("8", "pt", "mais nada", "done"),
        ("3", "en", "promote the left pupil to councilman", "promote left councilman : done"),
        ("3", "en", "promote councillor", "promote left councilman : done"),
        ("3", "en", "move the pupil to the right", "advance : done"),
        ("3", "en", "serve customer 15", "serve market-15 : done"),
        ("3", "pt", "promove o aluno da esquerda a vereador", "promote left councilman : done"),
        ("3", "pt", "passo o aluno para a direita", "advance : done"),
        ("11", "en", "promote the pupil on the right to councilman", "promote right councilman : done"),
        ("11", "pt", "promovo o aluno da direita a vereador", "promote right councilman : done"),
        ("7", "en", "use a field", "farm : done"),
        ("7", "en", "farm the field for 2 coins", "farm : done"),
        ("7", "pt", "uso o campo", "farm : done"),
        ("7", "pt", "faço a colheita", "farm : done"),
    ],
)
def test_white_flags(place: str, language: str, text: str, moves: str) -> None:
    assert line(place, text, language) == f"my.flags: {moves}"


@pytest.mark.parametrize(
    ("place", "language", "text", "move"),
    [
        ("7", "en", "buy the wainwright 3 for 2 hours", "buy wagon-3"),
        ("7", "en", "wagon 3", "buy wagon-3"),
        ("7", "pt", "compro a carpintaria 3 por 2 horas", "buy wagon-3"),
        ("8", "en", "buy the church of trade", "buy trade-church"),
        ("8", "en", "buy church", "buy trade-church"),
        ("8", "en", "go to the steward's office", "steward"),
        ("8", "en", "buy the journey A", "travel a"),
        ("8", "en", "travel", "travel a"),
        ("8", "pt", "compro a igreja do comércio", "buy trade-church"),
        ("8", "pt", "vou ao administrador", "steward"),
        ("8", "pt", "viagem A", "travel a"),
        ("8", "pt", "compro a viagem A", "travel a"),
        ("8", "pt", "faço a viagem", "travel a"),
        ("8, nothing owned", "en", "scribe's office 2", "buy scroll-2"),
        ("8, nothing owned", "en", "build brewery 2", "buy beer-2"),
        ("8, nothing owned", "pt", "compro a cervejaria 2", "buy beer-2"),
        ("8, nothing owned", "pt", "pego a biblioteca 3", "buy scroll-3"),
        ("8, nothing owned", "pt", "câmara da corporação", "buy guild-chamber"),
        ("3", "en", "field", "buy field"),
        ("3", "pt", "compro um campo", "buy field"),
        ("3", "pt", "igreja do mosteiro", "buy monastery-church"),
        ("12", "en", "I take the hand with 3 stories", "hand"),
        ("12", "en", "hand tile", "hand"),
        ("12", "pt", "pego a mão", "hand"),
        ("12", "pt", "fico com a ficha da mão", "hand"),
        ("10", "en", "church of travel", "buy travel-church"),
        ("10", "pt", "compro a igreja da viagem", "buy travel-church"),
    ],
)
def test_black_flags(place: str, language: str, text: str, move: str) -> None:
    assert line(place, text, language) == f"my.flags: {move}"


@pytest.mark.parametrize(
    ("place", "language", "text", "reason"),
    [
        ("8, nothing owned", "en", "buy a brewery", "reader.several"),
        ("8, nothing owned", "pt", "compro uma cervejaria", "reader.several"),
        ("11", "en", "promote councilman", "reader.several"),
        ("8", "en", "make scroll", "flag.number"),
        ("8", "pt", "compro a cervejaria 2", "buy.owned"),
        ("8", "pt", "viagem B", "travel.letter"),
        ("5, on the road", "en", "travel A", "travel.letter"),
        ("3", "en", "new pupil", "school.full"),
        ("3", "en", "serve customer 3 for 1 hour", "flag.number"),
        ("3", "en", "serve customer 3 for 2 hours", "flag.number"),
        ("8", "en", "take customer 3", "take.not-open"),
        ("3", "en", "take customer 3", "flag.number"),
        ("total", "pt", "administrador", "turn.not-asked"),
    ],
)
def test_what_could_be_two_things_or_none_is_refused(place: str, language: str, text: str, reason: str) -> None:
    assert line(place, text, language) == reason


@pytest.mark.parametrize(
    ("place", "language", "text", "read"),
    [
        ("joker", "en", "serve customer 3", "my.flags: serve market-3 : done"),
        ("joker", "en", "serve customer 3 with beer", "my.flags: serve market-3 : done"),
        ("joker", "en", "use the joker for the beer at customer 3", "my.flags: joker market-3 beer : done"),
        ("joker", "en", "serve customer 3 with the joker for beer", "my.flags: joker market-3 beer : done"),
        ("joker", "pt", "cliente 3", "my.flags: serve market-3 : done"),
        ("joker", "pt", "uso o coringa no cliente 3 como cerveja", "my.flags: joker market-3 beer : done"),
        ("meeting place", "en", "use the meeting place: set 4 to 6", "my.flags: meeting : set 4 6"),
        ("meeting place", "pt", "ponto de encontro, viro o 5 para 6", "my.flags: meeting : set 5 6"),
        ("face", "en", "turn the die 4 to 6", "my.face: set 4 6"),
        ("face", "pt", "mudo o dado 4 para 6", "my.face: set 4 6"),
        ("steward", "en", "customer 13, customer 20", "my.customers: take market-13 : take market-20 : done"),
        ("steward", "en", "take client 7, done", "my.customers: take market-7 : done"),
        ("steward", "pt", "pego o cliente 5 e o cliente 7", "my.customers: take market-5 : take market-7 : done"),
        ("steward", "pt", "mercado 13", "my.customers: take market-13 : done"),
        ("tile", "en", "put the 2/12 tile on the brewery", "my.tile: tile beer"),
        ("tile", "en", "tree", "my.tile: tile play"),
        ("tile", "en", "tile: customer 3", "my.tile: tile market-3"),
        ("tile", "pt", "coloco a ficha 2/12 no cliente 3", "my.tile: tile market-3"),
        ("tile", "pt", "ficha na escola", "my.tile: tile school"),
        ("area", "en", "mark travel", "my.mark: mark travel"),
        ("area", "pt", "viagem", "my.mark: mark travel"),
        ("population", "en", "merchant", "my.mark: mark merchant"),
        ("population", "pt", "marco o comerciante", "my.mark: mark merchant"),
        ("cellarer", "en", "take a beer", "my.good: pick beer"),
        ("cellarer", "pt", "uma cerveja", "my.good: pick beer"),
        ("card seen", "en", "keep it", "my.journey: keep"),
        ("card seen", "en", "the other one", "my.journey: other"),
        ("card seen", "pt", "fico com ela", "my.journey: keep"),
        ("card seen", "pt", "pego a outra", "my.journey: other"),
        ("death", "en", "the abbot dies", "my.death: bury abbot"),
        ("death", "pt", "morte: comerciante", "my.death: bury merchant"),
        ("labourer", "en", "day labourer as craftsman", "my.labourer: hire craftsman"),
        ("labourer", "pt", "jornaleiro: artesão", "my.labourer: hire craftsman"),
    ],
)
def test_what_a_flag_asks_besides(place: str, language: str, text: str, read: str) -> None:
    assert line(place, text, language) == read


@pytest.mark.parametrize(
    ("place", "text", "read"),
    [
        ("steward", "clientes 5 e 7", "my.customers: take market-5 : take market-7 : done"),
        ("steward", "clientes 5, 7", "my.customers: take market-5 : take market-7 : done"),
        ("steward", "customer 7; 5", "my.customers: take market-7 : take market-5 : done"),
    ],
)
def test_a_number_behind_a_customer_is_a_customer(place: str, text: str, read: str) -> None:
    assert line(place, text, "pt") == read


def test_a_number_before_a_small_word_is_no_count() -> None:
    assert line("3", "atendo o cliente 3 e avanço", "pt") == "flag.number"


@pytest.mark.parametrize(("language", "text"), [("en", "travel"), ("pt", "faço a viagem"), ("pt", "viagem A")])
def test_a_journey_that_is_not_possible_is_no_church(language: str, text: str) -> None:
    assert "buy travel-church" not in line("10", text, language)


def test_the_joker_is_never_meant_unsaid() -> None:
    assert line("joker", "customer 3 beer", "en") == "reader.unknown"


@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_letter_alone_is_refused(language: str) -> None:
    assert line("8", "E", language) == "travel.letter"


def _copied(state: State, seat: Seat, text: str, language: str) -> tuple[str, str]:
    """Return an option as a mail shows it, with what explains it in brackets, and its number before."""
    voice = WORDS.voice(language, "my_village", Reader(seat, NAMES, view=RULESET.view(state, seat)))
    move = RULESET.grammar.parse_move(text)
    gloss = voice.gloss(RULESET.grammar.verb_of(move).word, msgspec.structs.asdict(move))
    said = f"{voice.move(text)} ({gloss})" if gloss else voice.move(text)
    listed = RULESET.grammar.listed(tuple(map(RULESET.grammar.format_move, RULESET.legal(state, seat))))
    return said, f"{next(number for number, one in listed.items() if one == text)}  {said}"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_an_option_copied_with_its_explanation_is_that_option_alone(place: str, language: str) -> None:
    for text in texts(PLACES[place]):
        for said in _copied(PLACES[place], Seat(0), text, language):
            assert line(place, said, language).partition(": ")[2] in (text, f"{text} : done"), said


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_copied_options_of_random_games_are_read_as_they_stand(seats: int, language: str) -> None:
    chooser = random.Random(seats)
    places = [
        (record.position, owed.decision.seat)
        for record in laws.random_game(Setting("my_village", seats), 1)
        for owed in record.position.owed(RULESET)
        if owed.decision.seat != CHANCE
    ]
    for place, seat in chooser.sample(places, 40):
        text = chooser.choice(laws.texts(RULESET, place.state, seat))
        for said in _copied(place.state, seat, text, language):
            reading = read_orders(
                RULESET, place, seat, [Written(1, said)], language=language, lexicons=lexicons("my_village")
            )
            assert [[text]] == [[*one.line.choices[0][:1]] for one in reading.read], said
            assert reading.read[0].line.choices in (((text,),), ((text, "done"),)), said
