"""Folding: what looks alike is alike."""

import pytest

from pbem.reading.tokens import fold, is_number, stem, words


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Take GREEN", "take green"),
        ("São João", "sao joao"),
        ("Sa\u0303o", "sao"),
        ("don\u2019t \u2013 no", "don't - no"),
        ("non\u00a0breaking\tspace", "non breaking space"),
        ("ﬁsh \uff11\uff12", "fish 12"),
        ("straße", "strasse"),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert folded == fold(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Take 2x São-João!", ("take", "2", "sao", "joao")),
        ("x3 green", ("3", "green")),
        ("don't", ("dont",)),
        ("scroll-wagon", ("scroll", "wagon")),
        ("c5", ("c5",)),
        ("#3)", ("3",)),
        ("1º", ("1o",)),
        ("a_b", ("a", "b")),
        ("🎲 :;, \x00", ()),
        ("", ()),
    ],
)
def test_words(text: str, found: tuple[str, ...]) -> None:
    assert found == words(text)


@pytest.mark.parametrize(
    ("word", "stemmed"), [("scrolls", "scroll"), ("pass", "pass"), ("gas", "gas"), ("verdes", "verde"), ("ox", "ox")]
)
def test_stem_takes_off_a_simple_plural(word: str, stemmed: str) -> None:
    assert stemmed == stem(word)


@pytest.mark.parametrize(
    ("word", "number"), [("12", True), ("-1", False), ("\u0661", False), ("two", False), ("", False)]
)
def test_plain_digits_are_numbers(word: str, *, number: bool) -> None:
    assert number == is_number(word)
