"""The letters of `tests/mail`: what is read, what the person wrote, and that no line gets lost."""

import pytest

from pbem.mail.quotes import own_words, paragraphs
from tests.pbem.mail.cases import FOLDER, KNOWN, cases, is_order, letter_of


def test_every_letter_has_its_row():
    assert sorted(path.stem for path in FOLDER.glob("*.eml")) == sorted(cases())


@pytest.mark.parametrize("name", cases())
def test_letter_is_read_as_what_it_is(name):
    case = cases()[name]

    letter = letter_of(name)

    assert case.kind == letter.kind
    assert sorted(case.problems) == sorted(letter.problems)
    assert case.attachments == [(file.name, [line for line in file.lines if line]) for file in letter.attachments]


@pytest.mark.parametrize("name", [name for name, case in cases().items() if case.written is not None])
def test_own_words_are_found(name):
    case = cases()[name]

    words = own_words(letter_of(name), KNOWN, is_order)

    assert case.written == [line.text for line in words.written]
    assert set(case.reasons or []) == {line.reason for line in words.ignored}


@pytest.mark.parametrize("name", [name for name, case in cases().items() if case.written is not None])
def test_no_order_is_lost_where_nobody_knows_orders(name):
    case = cases()[name]
    orders = [line for line in case.written or [] if is_order(line)]

    words = own_words(letter_of(name))

    together = " ".join(line.text for line in words.written)
    assert all(order in together for order in orders)


@pytest.mark.parametrize("name", cases())
def test_every_line_is_accounted_for(name):
    letter = letter_of(name)

    words = own_words(letter, KNOWN, is_order)

    numbered = sorted([*words.written, *words.ignored], key=lambda line: line.number)
    assert list(range(1, len(numbered) + 1)) == [line.number for line in numbered]
    assert [line.text for line in paragraphs(letter.lines, is_order)] == [line.text for line in numbered]
