from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.post.mime import address_line, encode_mail, one_line

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=200)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\nBcc: b", "a Bcc: b"),
        ("  a \t b\u2028c ", "a b c"),
        ("a\u202eb\x00c\u200b", "abc"),
        ("São João", "São João"),
    ],
)
def test_one_line(text, expected):
    assert one_line(text) == expected


@given(TEXTS, TEXTS)
def test_no_header_can_be_put_in(subject, name):
    raw = encode_mail([("Subject", subject), ("To", address_line(name, "a@b.example"))], "text\n", "<p>x</p>\n", "edge")

    mail = message_from_bytes(raw, policy=default)
    assert mail.keys() == ["Subject", "To", "MIME-Version", "Content-Type"]
    assert mail["To"].addresses[0].addr_spec == "a@b.example"


@given(st.text(st.characters(categories=("L", "N", "P"), max_codepoint=0x2FFF), min_size=1, max_size=300))
def test_a_subject_comes_back(subject):
    raw = encode_mail([("Subject", subject)], "text\n", "<p>x</p>\n", "edge")

    assert max(map(len, raw.split(b"\r\n"))) <= max(78, len(subject) + 9)
    assert message_from_bytes(raw, policy=default)["Subject"] == one_line(subject)


@given(TEXTS)
def test_a_body_comes_back(body):
    lines = body.replace("\r\n", "\n").replace("\r", "\n")

    mail = message_from_bytes(encode_mail([], lines, "<p>x</p>", "edge"), policy=default)

    text, html = mail.iter_parts()
    assert text.get_content().replace("\r\n", "\n").rstrip("\n") == lines.rstrip("\n")
    assert html.get_content().strip() == "<p>x</p>"


def test_what_a_server_could_change_is_encoded():
    raw = encode_mail([], "From here\n.\nFrom there\n", "x", "edge")

    assert b"\r\nFrom " not in raw
    assert b"\r\n.\r\n" not in raw
