"""The letters of `tests/mail`: what is read, what the person wrote, and that no line gets lost."""

import re
from collections import Counter
from pathlib import Path

import pytest

from pbem.mail.quotes import own_words, paragraphs
from tests.mail.corpus import (
    CASES,
    CLIENTS,
    FOLDER,
    cases,
    client_letters,
    clients,
    faults,
    is_toy_order,
    known_lines,
    letter_of,
    rows,
    seen,
    shape_of,
)

ROOT = Path(__file__).parents[3]
NUMBERS = [
    number
    for first, last in ((1, 4), (6, 8), (11, 13), (15, 18), (20, 21), (23, 26), (28, 31), (33, 35), (37, 42), (44, 46))
    for number in range(first, last + 1)
] + [*range(48, 51), *range(52, 58), *range(59, 63), *range(64, 68)]
"""The troubles of real mail that we know of."""


def test_every_trouble_is_shown():
    assert [f"F{number}" for number in NUMBERS] == list(rows())
    assert all(rows().values())


@pytest.mark.parametrize("shown", sorted({one for found in rows().values() for one in found}))
def test_what_shows_a_trouble_is_there(shown):
    path, _, name = shown.partition("::")

    assert shown in cases() or re.search(rf"^def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_letter_has_its_row():
    assert sorted(path.stem for path in CASES.glob("*.eml")) == sorted(cases())


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

    words = own_words(letter_of(name), known_lines(), is_toy_order)

    assert case.written == [line.text for line in words.written]
    assert set(case.reasons or []) == {line.reason for line in words.ignored}


@pytest.mark.parametrize("name", [name for name, case in cases().items() if case.written is not None])
def test_no_order_is_lost_where_nobody_knows_orders(name):
    case = cases()[name]
    orders = [line for line in case.written or [] if is_toy_order(line)]

    words = own_words(letter_of(name))

    together = " ".join(line.text for line in words.written)
    assert all(order in together for order in orders)


@pytest.mark.parametrize("name", cases())
def test_every_line_is_accounted_for(name):
    letter = letter_of(name)

    words = own_words(letter, known_lines(), is_toy_order)

    numbered = sorted([*words.written, *words.ignored], key=lambda line: line.number)
    assert list(range(1, len(numbered) + 1)) == [line.number for line in numbered]
    assert [line.text for line in paragraphs(letter.lines, is_toy_order)] == [line.text for line in numbered]


def test_every_letter_of_a_client_has_its_row():
    found = {f"{path.parent.name}/{path.stem}" for path in CLIENTS.glob("*/*.eml")}

    assert found == set(client_letters())


@pytest.mark.parametrize("folder", clients())
def test_client_has_a_public_source_and_its_letters_answer_a_mail_that_is_there(folder):
    client = clients()[folder]

    assert client.sources
    assert all(source.startswith("https://") for source in client.sources)
    assert all((FOLDER / "answered" / f"{one.answers}.eml").exists() for one in client.letters.values() if one.answers)


@pytest.mark.parametrize("name", client_letters())
def test_letter_of_a_client_is_read_as_it_should_be(name):
    assert [] == faults(name)


@pytest.mark.parametrize("name", client_letters())
def test_every_line_of_a_client_is_accounted_for(name):
    words = seen(name).words

    numbers = sorted(line.number for line in (*words.written, *words.ignored))
    assert list(range(1, len(numbers) + 1)) == numbers


def test_no_two_letters_of_clients_are_alike():
    shapes = {name: shape_of(name) for name in client_letters()}
    common = {shape for shape, count in Counter(shapes.values()).items() if count > 1}

    assert [] == [name for name, shape in shapes.items() if shape in common]
