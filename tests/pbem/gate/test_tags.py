"""The laws of tags."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.gate.tags import (
    ALPHABET,
    Tag,
    find_tags,
    is_valid,
    make_tag,
    marker_line,
    message_id,
    parse_tags,
    plus_address,
)
from pbem.mail.letter import read_letter

KEY = b"test key"
keys = st.binary(min_size=1, max_size=40)
seats = st.tuples(st.integers(0, 10**8), st.integers(0, 99))
numbers = st.integers(0, 10**8)


@given(keys, seats, numbers, st.integers(0, 50))
def test_a_tag_is_read_back_and_valid(key, seat, decision, epoch):
    text = make_tag(key, *seat, decision, epoch)

    (tag,) = parse_tags(f"words {text} and words")

    assert (*seat, decision) == (tag.game, tag.seat, tag.decision)
    assert text == str(tag)
    assert is_valid(key, tag, epoch)


@given(keys, seats, numbers, numbers)
def test_the_secret_does_not_bind_the_decision(key, seat, one, other):
    tag = parse_tags(make_tag(key, *seat, one, 0))[0]

    assert is_valid(key, Tag(tag.game, tag.seat, other, tag.secret), 0)


@given(keys, seats, seats, numbers, numbers)
def test_the_secret_binds_game_seat_and_epoch(key, seat, other_seat, epoch, other_epoch):
    tag = parse_tags(make_tag(key, *seat, 1, epoch))[0]
    moved = Tag(*other_seat, 1, tag.secret)

    assert (seat == other_seat) == is_valid(key, moved, epoch)
    assert (epoch == other_epoch) == is_valid(key, tag, other_epoch)


@given(keys, keys, seats)
def test_another_key_makes_another_tag(key, other, seat):
    tag = parse_tags(make_tag(key, *seat, 1, 0))[0]

    assert (key == other) == is_valid(other, tag, 0)


def test_the_secret_is_fifty_bits_in_letters_that_are_not_misread():
    secret = make_tag(KEY, 12, 2, 141, 0).rpartition(".")[2]

    assert len(secret) == 10
    assert set(secret) <= set(ALPHABET)
    assert len(ALPHABET) == 32
    assert not set("ilou") & set(ALPHABET)


def test_capitals_and_misread_letters_are_put_right():
    assert "0110abcdef" == parse_tags("G12.S2.D141.OILoABCDEF")[0].secret


@pytest.mark.parametrize(
    "text", ["g12.s2.d141.short", "xg12.s2.d141.0123456789", "g12.s2.d141.01234567890", "g12.s2", ""]
)
def test_what_is_no_tag(text):
    assert [] == parse_tags(text)


def test_the_secret_is_not_shown_in_logs():
    assert "0123456789" not in repr(Tag(12, 2, 141, "0123456789"))


@pytest.mark.parametrize(("key", "number"), [(b"", 0), (KEY, -1)])
def test_no_tag_without_key_or_for_negative_numbers(key, number):
    with pytest.raises(ValueError, match="tag"):
        make_tag(key, number, 0, 0, 0)


TAG = make_tag(KEY, 12, 2, 141, 0)


@pytest.mark.parametrize(
    ("carrier", "raw"),
    [
        ("address", f"To: {plus_address('pbem@example.org', TAG)}\n\nx\n"),
        ("address", f"Delivered-To: {plus_address('pbem@example.org', TAG.upper())}\n\nx\n"),
        ("message-id", f"Message-ID: {message_id(TAG, '5f3a', 'example.org')}\n\nx\n"),
        ("reference", f"In-Reply-To: {message_id(TAG, '5f3a', 'example.org')}\n\nx\n"),
        ("reference", f"References: <a@b>\n {message_id(TAG, '5f3a', 'example.org')} <c@d>\n\nx\n"),
        ("marker", f"Subject: x\n\n{marker_line(TAG, 'write above this line')}\n"),
        ("marker", f"Subject: x\n\n> > {marker_line(TAG, 'escreva acima desta linha')}\n"),
    ],
)
def test_each_carrier_brings_the_tag_back(carrier, raw):
    assert [(carrier, TAG)] == [(found.carrier, str(found.tag)) for found in find_tags(read_letter(raw.encode()))]


@pytest.mark.parametrize("raw", [f"Subject: {TAG}\n\nx\n", f"To: a@b\n\nmy tag is {TAG}\n"])
def test_a_tag_elsewhere_counts_for_nothing(raw):
    assert () == find_tags(read_letter(raw.encode()))
