"""Whatever bytes come: a letter is read, and every line of it is accounted for."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.letter import read_letter
from tests.mail.corpus import cases, client_letters, raw_of
from tests.mail.fuzz import MAKERS, check, run

TOKENS = [
    b"\n", b"\r\n", b"\r", b" ", b"\t", b"\0", b"\xff", b"\xe3o", "ã".encode(), b">", b"> ", b"-- ", b"=", b"=\n",
    b"=C3", b"From: ", b"To: ", b"Subject: ", b"Message-ID: <a@b>", b"References: ", b"Return-Path: <>",
    b"Auto-Submitted: x", b"Content-Type: ", b"text/plain", b"text/html", b"multipart/mixed",
    b"multipart/alternative", b"multipart/signed", b"message/rfc822", b"message/delivery-status", b"text/calendar",
    b"application/pkcs7-mime", b"; ", b"boundary=", b'boundary="x"', b"--x", b"--x--", b"charset=", b"utf-8",
    b"utf-7", b"unicode_escape", b"x-none", b"format=flowed", b"delsp=yes", b"name=a.txt",
    b"filename*0*=utf-8''a%20b", b"Content-Transfer-Encoding: ", b"base64", b"quoted-printable",
    b"Content-Disposition: attachment", b"=?utf-8?q?=C3?=", b"=?utf-8?b?4g==?=", b"<", b">", b"<!--", b"-->",
    b"<![", b"</", b"<blockquote>", b"</blockquote>", b"<div style='display:none'>", b"</div>", b"<br>", b"&amp;",
    b"&#x0;", b"<style>", b"<pre>", b"-----BEGIN PGP SIGNED MESSAGE-----", b"-----BEGIN PGP MESSAGE-----",
    b"-----END PGP SIGNATURE-----", b"On 1 Jan 2026 10:00, A <a@b> wrote:", b"escreveu:", b"Sent from my phone",
    b"Thanks,", b"END", b"-----Original Message-----", b"Sent: x", b"take green council", b"1",
    b"#g12.s2.d141.0123456789 \xc2\xb7 write above this line", b"+g12.s2.d141.0123456789@",
    b"Village, game 12, round 3",
]  # fmt: skip
FOREVER = 60
"""Seconds for one letter: an endless loop is found, a slow machine is not."""

soups = st.lists(st.sampled_from(TOKENS) | st.binary(max_size=8), max_size=80).map(b"".join)
letters = st.sampled_from([raw_of(name) for name in (*cases(), *client_letters())])


@st.composite
def damaged(draw):
    """Return a letter of ours with some of its bytes exchanged for others."""
    raw = draw(letters)
    start = draw(st.integers(0, len(raw)))
    return raw[:start] + draw(soups) + raw[start + draw(st.integers(0, 40)) :]


@given(st.binary(max_size=400))
def test_any_bytes(raw):
    check(raw)


@given(soups)
def test_pieces_of_mails(raw):
    check(raw)


@given(damaged())
def test_damaged_letters(raw):
    check(raw)


@given(letters, st.data())
def test_truncated_letters(raw, data):
    check(raw[: data.draw(st.integers(0, len(raw)))])


@given(letters)
def test_same_bytes_same_letter(raw):
    assert read_letter(raw) == read_letter(raw)


def test_letters_by_chance_are_read_in_time():
    score, faults = run(10, 1, patience=FOREVER)

    assert [] == [(fault.maker, len(fault.raw), fault.trouble) for fault in faults]
    assert set(MAKERS) == set(score.inputs)
