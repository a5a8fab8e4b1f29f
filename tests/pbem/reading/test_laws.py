"""What holds for every letter: nothing raises, each line comes back once, what is read can be played and read back."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.log import Position, make_entry
from engine.core.play import play_alone, try_line
from engine.core.types import CHANCE, Decision, Seat
from pbem.reading import MailedList, Reading, Written, read_orders
from tests.contract import laws
from tests.contract.titles import Setting
from tests.pbem.reading.positions import lexicons

SETTINGS = (
    Setting("bids", 3),
    Setting("village", 2),
    Setting("village", 4),
    Setting("tiny_towns", 2),
    Setting("tiny_towns", 4),
    Setting("my_village", 2),
    Setting("my_village", 4),
)
FEW = settings(max_examples=40, deadline=None)
SAID = """take green council enter scroll pegar verde conselho entrar pergaminho 1 2 3 99999999999 2x : , ; or ou when
quando gold ouro now agora ask any qualquer market: mercado: next: próximo: mass: stake apostar bid tip keep pass sell
vender 3) #2 - -> please por favor the com don't hello obrigado ² Ⅳ 😀 🎲🎲"""
ORDER_WORDS = (*SAID.split(), "\u2019", "\u00a0", "\x00", "\x1b", "\u0301", "\u0661")
LONG = ("take " * 2_500, "1:" * 5_000, "or " * 4_000, "😀" * 2_500, "9" * 10_000, "a:" * 5_000)
NONSENSE = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(ORDER_WORDS), max_size=14).map(" ".join),
    st.sampled_from(["::;;,", "3 or or 5", "or", "when", "when :", "market:", ":", "now ask now", *LONG]),
)


@cache
def asked(setting: Setting) -> tuple[tuple[Position[Any], Decision], ...]:
    """Return every question of a random game with its position."""
    records = laws.random_game(setting, 5)
    places = (setting.start(), *(record.position for record in records))
    return tuple((place, owed.decision) for place in places for owed in place.owed(setting.ruleset))


def persons(setting: Setting) -> list[tuple[Position[Any], Decision]]:
    """Return the questions that are put to persons."""
    return [one for one in asked(setting) if one[1].seat != CHANCE]


def read(setting: Setting, place: Position[Any], seat: Seat, *texts: str, language: str = "en", **more: Any) -> Reading:
    """Return how a letter of these lines is read."""
    written = [Written(number, text) for number, text in enumerate(texts, start=1)]
    words = lexicons(setting.title)
    return read_orders(setting.ruleset, place, seat, written, language=language, lexicons=words, **more)


def sample(setting: Setting, count: int) -> Iterator[tuple[Position[Any], Seat, str, list[str]]]:
    """Yield a few legal moves of each of a few questions, with the whole list."""
    chooser = random.Random(setting.seats)
    questions = persons(setting)
    for place, decision in chooser.sample(questions, min(count, len(questions))):
        texts = laws.texts(setting.ruleset, place.state, decision.seat)
        for text in chooser.sample(texts, min(3, len(texts))):
            yield place, decision.seat, text, texts


@FEW
@given(st.data())
def test_every_line_comes_back_once_and_nothing_raises(data: st.DataObject) -> None:
    setting = data.draw(st.sampled_from(SETTINGS))
    place, _ = data.draw(st.sampled_from(asked(setting)))
    texts = data.draw(st.lists(NONSENSE, max_size=5))
    seat = Seat(data.draw(st.integers(0, setting.seats - 1)))

    reading = read(setting, place, seat, *texts, language=data.draw(st.sampled_from(["en", "pt"])))

    groups = [one.written.number for one in (*reading.read, *reading.refused)] + [one.number for one in reading.ignored]
    assert list(range(1, len(texts) + 1)) == sorted(groups)
    for refused in reading.refused:
        assert len(refused.possible) <= 7
    for one in reading.read:
        assert one.line.key in setting.ruleset.vocabulary.decisions
        assert all(one.line.choices)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_words_of_a_language_read_back_to_the_same_move(setting: Setting, language: str) -> None:
    lexicon = next(one for one in lexicons(setting.title) if one.language == language)
    other = "pt" if language == "en" else "en"

    for place, seat, text, _ in sample(setting, 60):
        said = lexicon.local_text(setting.ruleset.grammar, text)
        for reader in (language, other):
            assert text == first_text(read(setting, place, seat, said.upper(), language=reader)), said


def number(setting: Setting, texts: Sequence[str], text: str) -> int:
    """Return the number of *text* in the list of *texts*."""
    return next(number for number, one in setting.ruleset.grammar.listed(texts).items() if one == text)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_canonical_texts_are_exact_and_numbers_count_in_the_list(setting: Setting) -> None:
    for place, seat, text, texts in sample(setting, 40):
        decision = next(one.decision for one in place.owed(setting.ruleset) if one.decision.seat == seat)
        mailed = [MailedList(decision.key, decision.occasion, 1, tuple(reversed(texts)))]

        exact = read(setting, place, seat, text).read[0]
        numbered = read(setting, place, seat, f"{number(setting, texts, text)})")
        backwards = read(setting, place, seat, f"#{number(setting, mailed[0].texts, text)}", mailed=mailed)

        assert (text, True) == (exact.line.choices[0][0], exact.exact)
        assert (decision.key, decision.occasion) == (exact.line.key, exact.line.occasion)
        assert text == first_text(numbered)
        assert text == first_text(backwards)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_words_in_another_order_are_never_another_move(setting: Setting) -> None:
    chooser = random.Random(1)
    for place, seat, text, texts in sample(setting, 40):
        words = text.split(" ")
        same = [one for one in texts if sorted(one.split(" ")) == sorted(words)]
        if words[0].isdigit() or len(same) > 1:
            continue
        chooser.shuffle(words)
        if words[0].isdigit():
            words.append(words.pop(0))

        reading = read(setting, place, seat, " ".join(words))

        assert [text] == [one.line.choices[0][0] for one in reading.read] or reading.refused, words


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_what_is_read_for_what_is_owed_can_be_played(setting: Setting) -> None:
    for place, seat, text, _ in sample(setting, 40):
        for said in (text, f"{text}: any", f"{text}: any: any or any"):
            line = read(setting, place, seat, said)
            if line.read:
                tried = try_line(setting.ruleset, place, seat, line.read[0].line)
                assert text == tried.records[0].entry.text, said


@pytest.mark.parametrize("text", LONG, ids=range(len(LONG)))
def test_a_huge_letter_is_answered(text: str) -> None:
    setting = SETTINGS[1]
    place, decision = persons(setting)[0]

    reading = read(setting, place, decision.seat, *[text] * 1_000)

    assert not reading.read
    assert 1_000 == len(reading.refused) + len(reading.ignored)


def first_text(reading: Reading) -> str:
    """Return the first move of the first line, or what became of it."""
    return reading.read[0].line.choices[0][0] if reading.read else str(reading)


def whole_line(setting: Setting, place: Position[Any], seat: Seat, chooser: random.Random) -> list[str]:
    """Return random moves of *seat* up to where it owes nothing more, or others come to owe something, too."""
    texts: list[str] = []
    others = {owed.decision.seat for owed in place.owed(setting.ruleset)}
    while seat in (now := {owed.decision.seat for owed in place.owed(setting.ruleset)}) and now <= others:
        texts.append(chooser.choice(laws.texts(setting.ruleset, place.state, seat)))
        place = make_entry(setting.ruleset, place, seat, texts[-1]).position
    return texts


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_whole_turn_on_one_line_is_read_and_played_as_meant(setting: Setting, language: str) -> None:
    lexicon = next(one for one in lexicons(setting.title) if one.language == language)
    chooser = random.Random(7)
    questions = persons(setting)
    for place, decision in chooser.sample(questions, min(40, len(questions))):
        texts = whole_line(setting, place, decision.seat, chooser)
        said = chooser.choice([" : ", ", ", "; ", " - "]).join(
            lexicon.local_text(setting.ruleset.grammar, text) for text in texts
        )

        reading = read(setting, place, decision.seat, said, language=language)

        assert reading.read, (said, reading.refused)
        line = reading.read[0].line
        assert texts == list(line.choices[0][: len(texts)]), said
        played = play_alone(setting.ruleset, place, decision.seat, (line,), held=True)
        assert texts == [made.record.entry.text for made in played.made]
        assert not [told for told in played.told if told.key == "plan.failed"]
