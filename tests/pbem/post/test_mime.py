import re
from collections.abc import Iterator
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import default
from email.utils import parseaddr
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.mail.ports import Account
from pbem.mail.smtp import Sender
from pbem.post.compose import compose
from pbem.post.facts import Fact
from pbem.post.mime import address_line, encode_mail, one_line
from tests.pbem.mail.wire import Wire, wire
from tests.pbem.post.sample import WORDS, every_kind

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=200)
PIECES = [
    "\r\n.\r\n", "\n.\n", "\r.\r", "\r\nBcc: x@evil.test\r\n\r\n", "\nSubject: y\n", "--=_pbem_abc--", "From x", " ",
    "=?utf-8?q?a=0D=0ABcc=3A_x=40evil=2Etest?=", "MAIL FROM:<x@evil.test>\r\n", "<x@evil.test>, ", "x" * 1200, "\0",
    "Content-Type: text/plain\r\n\r\n", "\u202eevil\u202c", "{{ 7*7 }}", "<script>", "&#13;&#10;",
]  # fmt: skip
CHARS = "\r\n\0\t\x0b\x0c\x1c\x85\u2028\u202e\u2066\u200b.:<>@,;\"'\\()=?_ -aZé例"
NASTY = st.one_of(
    TEXTS,
    st.text(st.sampled_from(CHARS), max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
)
HEADERS = [
    "From", "To", "Subject", "Date", "Message-ID", "References", "Reply-To", "Auto-Submitted", "List-Id",
    "List-Unsubscribe", "X-PBEM-Game", "X-PBEM-Seat", "X-PBEM-Kind", "X-PBEM-Decision", "X-PBEM-Outbox",
    "MIME-Version", "Content-Type",
]  # fmt: skip


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


@pytest.mark.parametrize(
    ("name", "address", "line"),
    [
        ("Ana", "ana@a.test", "Ana <ana@a.test>"),
        ("", "ana@a.test", "ana@a.test"),
        ("Ana, the 1st", "ana@a.test", '"Ana, the 1st" <ana@a.test>'),
        ('A "B" \\', "ana@a.test", '"A \\"B\\" \\\\" <ana@a.test>'),
        ("João", "ana@a.test", "=?utf-8?b?Sm/Do28=?= <ana@a.test>"),
        ("=?x?=", "ana@a.test", "=?utf-8?b?PT94Pz0=?= <ana@a.test>"),
        ("Ana", "joão@exêmplo.example", "Ana <joão@xn--exmplo-jva.example>"),
        ("Ana", "ana@exêmplo.example", "Ana <ana@xn--exmplo-jva.example>"),
        ("Ana", "a@b, c@d", "undisclosed-recipients:;"),
        ("Ana", "a@b>\r\nBcc: c@d", "undisclosed-recipients:;"),
    ],
)
def test_an_address_with_its_name(name, address, line):
    assert address_line(name, address) == line


@given(NASTY)
def test_a_name_comes_back(name):
    raw = encode_mail([("To", address_line(name, "a@b.example"))], "x\n", "<p>x</p>\n", "edge")

    shown, address = parseaddr(str(message_from_bytes(raw)["To"]).replace("\r\n", ""))
    assert address == "a@b.example"
    assert str(make_header(decode_header(shown))).split() == one_line(name)[:100].split()


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

    mail = message_from_bytes(encode_mail([], body, "<p>x</p>", "edge"), policy=default)

    text, html = mail.iter_parts()
    assert text.get_content().replace("\r\n", "\n").rstrip("\n") == lines.rstrip("\n")
    assert html.get_content().strip() == "<p>x</p>"


def test_what_a_server_could_change_is_encoded():
    raw = encode_mail([], "From here\n.\nFrom there\n", "x", "edge")

    assert b"\r\nFrom " not in raw
    assert b"\r\n.\r\n" not in raw


@given(st.one_of(NASTY, st.just("\ud800")), NASTY)
def test_lines_are_short_and_end_as_they_should(subject, body):
    raw = encode_mail([("Subject", subject), ("To", address_line(body, "a@b.test"))], body, subject, "edge")

    assert not re.search(rb"(?<!\r)\n|\r(?!\n)|\0", raw)
    assert max(map(len, raw.split(b"\r\n"))) <= 998


@pytest.fixture(scope="module")
def line() -> Iterator[tuple[Wire, Sender]]:
    """Give a strict server, and a connection to it that all examples share."""
    with wire() as server, Sender(Account("127.0.0.1", server.port, "none", "", "", timeout=5.0)) as sender:
        yield server, sender


def told(key: str, **fields: Any) -> Fact:
    return Fact(key, tuple(fields.items()))


@pytest.mark.parametrize("kind", ["report", "press", "notice", "refusal", "invitation", "confirmation", "alert"])
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NASTY, NASTY, NASTY)
def test_whatever_people_write_the_server_gets_one_mail_with_our_headers(line, kind, name, text, address):
    """Through every door: names of players, of ours and of the game master's, press, messages, reasons, addresses."""
    server, sender = line
    facts = every_kind()[kind]
    more = (
        told("press.received", seat=1, message=text, private=True),
        told("gm.message", message=text),
        told("game.paused", reason=text),
        told("seat.replaced", name=name, former=name, bot=False, reason=text),
        told("letter.confirm", address=address, letter=7),
        told("order.ignored", line=1, written=text, reason="prose"),
    )
    facts = replace(
        facts,
        told=() if kind == "alert" else more,
        players=tuple(replace(one, name=name) for one in facts.players),
        our_name=name,
        gm_name=text,
    )
    before = len(server.mails)

    mail = compose(facts, WORDS, "abc", outbox="5.abc")
    delivery = sender.send("pbem@example.org", facts.to, mail.raw)

    assert delivery.outcome == "ok"
    (received,) = server.mails[before:]
    assert received.raw == mail.raw
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)|\0", received.wire)
    assert max(map(len, received.wire.split(b"\r\n"))) <= 998
    parsed = message_from_bytes(received.raw, policy=default)
    assert parsed.keys() == [one for one in HEADERS if one in parsed]
    assert len(parsed.keys()) == len(set(parsed.keys()))
    assert [one.addr_spec for one in parsed["To"].addresses] == [facts.to]
    assert [one.addr_spec for one in parsed["From"].addresses] == ["pbem@example.org"]
    assert [one.get_content_type() for one in parsed.iter_parts()] == ["text/plain", "text/html"]


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NASTY)
def test_a_mail_to_something_that_is_no_address_is_composed_and_not_sent(line, address):
    server, sender = line
    facts = replace(every_kind()["notice"], to=f"x{address}\r\n@a.test")
    before = len(server.mails)

    mail = compose(facts, WORDS, "abc")
    delivery = sender.send("pbem@example.org", facts.to, mail.raw)

    assert delivery.outcome == "refused"
    assert len(server.mails) == before
    assert b"\r\nBcc:" not in mail.raw


@pytest.mark.parametrize("to", ["joão@example.test", "用户@例子.example", "ana@exêmplo.example"])
def test_a_mail_in_any_alphabet_arrives(line, to):
    server, sender = line
    mail = compose(replace(every_kind()["report"], to=to), WORDS, "abc")

    delivery = sender.send("pbem@example.org", mail.to, mail.raw)

    received = server.mails[-1]
    assert delivery.outcome == "ok"
    assert received.raw == mail.raw
    assert received.recipient.decode().partition("TO:")[2] in received.raw.decode()
    assert (b" SMTPUTF8" in received.sender) == (not received.recipient.isascii())


def test_our_own_address_may_be_in_another_alphabet_too():
    facts = replace(every_kind()["report"], our="jogo@exêmplo.example", reply_to="jogo+g1@exêmplo.example")

    raw = compose(facts, WORDS, "abc").raw

    assert raw.split(b"\r\n\r\n")[0].isascii()
    mail = message_from_bytes(raw, policy=default)
    assert mail["From"].addresses[0].addr_spec == "jogo@xn--exmplo-jva.example"
    assert mail["Reply-To"] == "jogo+g1@xn--exmplo-jva.example"
    assert mail["Message-ID"].endswith("@xn--exmplo-jva.example>")
