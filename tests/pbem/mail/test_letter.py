"""Headers, charsets and parts, one by one."""

import pytest

from pbem.mail.charsets import decode_header, decode_text, decode_transfer, split_lines
from pbem.mail.letter import Address, read_letter
from pbem.mail.mime import MAX_DEPTH, MAX_PARTS, parse_parameters, parse_part
from pbem.mail.quotes import paragraphs

MIXED = "Content-Type: multipart/mixed; boundary=x\n\n"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?S=C3=A3o_Jo=C3=A3o?=", "São João"),
        ("=?UTF-8?B?U8OjbyBKb8Ojbw==?=", "São João"),
        ("=?utf-8?q?S=C3?= =?utf-8?q?=A3o?=", "São"),
        ("=?utf-8?b?U8M=?=\n =?utf-8?b?o28=?= x", "São x"),
        ("a =?iso-8859-1?q?=E3?= b", "a ã b"),
        ("=?x-klingon?q?=C3=A3?=", "ã"),
        ("=?utf-8*pt?q?=C3=A3?=", "ã"),
        ("=?utf-8?x?abc?=", "=?utf-8?x?abc?="),
        ("=?utf-8?b?abc", "=?utf-8?b?abc"),
        ("two\r\n\tlines", "two lines"),
        ("S\udce3o", "São"),
        ("S\udcc3\udca3o", "São"),
        ("a\0b\u200bc", "abc"),
    ],
)
def test_header_values(value, expected):
    assert expected == decode_header(value)


@pytest.mark.parametrize(
    ("data", "label", "expected", "is_right"),
    [
        (b"abc", "", "abc", True),
        (b"abc", "x-klingon", "abc", True),
        ("ã".encode(), "utf-8", "ã", True),
        ("ã".encode(), "UTF8", "ã", True),
        (b"\xe3", "iso-8859-1", "ã", True),
        (b"\xe3", "utf-8", "ã", False),
        (b"\x80", "latin1", "€", True),
        (b"\x81\xe3", "utf-8", "\x81ã", False),
        ("ã".encode(), "rot13", "ã", False),
        ("ã".encode(), "unicode_escape", "ã", False),
        ("ã".encode(), "a\0b", "ã", False),
        ("ã".encode("utf-16"), "utf-16", "ã", True),
        ("中".encode("gb18030"), "gb2312", "中", True),
    ],
)
def test_charsets(data, label, expected, is_right):
    assert (expected, is_right) == decode_text(data, label)


@pytest.mark.parametrize(
    ("data", "encoding", "expected", "is_right"),
    [
        (b"dGFrZQ==", "base64", b"take", True),
        (b"dGFr\r\nZQ==\r\n", " BASE64 ", b"take", True),
        (b"dGFrZQ", "base64", b"take", True),
        (b"dGFrZQ==\r\n-- \r\nlist footer", "base64", None, False),
        (b"dGFrZ", "base64", b"tak", False),
        (b"", "base64", b"", True),
        (b"a=3Db=\r\nc=ZZ", "quoted-printable", b"a=bc=ZZ", True),
        (b"x", "x-uuencode", b"x", False),
        (b"\xff", "8bit", b"\xff", True),
    ],
)
def test_transfer_encodings(data, encoding, expected, is_right):
    decoded, right = decode_transfer(data, encoding)

    assert is_right == right
    assert expected is None or expected == decoded
    assert b"take" in decoded or expected is not None


@pytest.mark.parametrize(
    ("value", "main", "parameters"),
    [
        ("text/plain", "text/plain", {}),
        ('Text/Plain; charset="utf-8"; FORMAT=flowed', "text/plain", {"charset": "utf-8", "format": "flowed"}),
        ('multipart/mixed; boundary="a;b \\"c\\""', "multipart/mixed", {"boundary": 'a;b "c"'}),
        ("a/b; name*=utf-8''n%C2%BA1", "a/b", {"name": "nº1"}),
        ("a/b; name*0*=utf-8'pt'n%C2%BA; name*1=1.txt", "a/b", {"name": "nº1.txt"}),
        ("a/b; x=1; x=2", "a/b", {"x": "1"}),
        (";;=;x", "", {}),
    ],
)
def test_parameters(value, main, parameters):
    assert (main, parameters) == parse_parameters(value)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("From: Bia Lopes <Bia@Players.Example>", Address("bia@players.example", "Bia Lopes")),
        ('From: "Lopes, Bia" <bia@players.example>', Address("bia@players.example", "Lopes, Bia")),
        ("From: =?utf-8?q?Jo=C3=A3o?= <j@x.y>", Address("j@x.y", "João")),
        ('From: "a@b.c" <real@x.y>', Address("real@x.y", "a@b.c")),
        ("From: bia@players.example (Bia)", Address("bia@players.example")),
        ("From: bia@players.example", Address("bia@players.example")),
        ("From: nobody", Address("")),
        ("From: <>", Address("")),
        ("from: low@case.example", Address("low@case.example")),
        ("X: y", Address("")),
    ],
)
def test_senders(header, expected):
    assert expected == read_letter(f"{header}\n\nx\n".encode()).sender


def test_recipients_come_from_every_header_that_servers_use():
    raw = b"To: A <a@x.y>, b@x.y\nCC: c@x.y\nDelivered-To: d+tag@x.y\nX-Original-To: <e@x.y>\nEnvelope-To: a@x.y\n\nx"

    assert ("a@x.y", "b@x.y", "c@x.y", "d+tag@x.y", "e@x.y") == read_letter(raw).recipients


def test_headers_are_found_whatever_their_case():
    letter = read_letter(b"x-PBEM-outbox: 7\nReceived: a\nReceived: b\n c\nEmpty:\n\nx")

    assert "7" == letter.header("X-Pbem-Outbox")
    assert ("a", "b c") == letter.all_headers("received")
    assert letter.has_header("EMPTY")
    assert not letter.has_header("Missing")
    assert "" == letter.header("Missing")


def test_in_reply_to_is_the_last_reference():
    letter = read_letter(b"References: <1@x> <2@x>\n <3@x>\nIn-Reply-To: <2@x>\nMessage-ID:  <4@x> (comment)\n\nx")

    assert ("<1@x>", "<3@x>", "<2@x>") == letter.references
    assert "<4@x>" == letter.message_id


def test_the_same_words_have_the_same_hash_whatever_is_quoted_or_wrapped():
    one = read_letter(b"Date: 1\n\ntake green\ncouncil\n> old\n")
    other = read_letter(b"Date: 2\n\ntake  green council\r\n")

    assert one.body_hash == other.body_hash
    assert one.raw_hash != other.raw_hash
    assert one.body_hash != read_letter(b"\n\ntake red council\n").body_hash


def test_the_hash_of_the_words_sees_attachments():
    def with_file(text: str) -> str:
        part = f"Content-Disposition: attachment; filename=a.txt\n\n{text}\n"
        return read_letter(f"{MIXED}--x\n{part}--x--".encode()).body_hash

    assert with_file("a") != with_file("b")


@pytest.mark.parametrize(
    ("raw", "block"),
    [
        (b"A: 1\r\n\r\nbody", b"body"),
        (b"A: 1\n\nbody", b"body"),
        (b"A: 1\n  folded\n\nbody", b"body"),
        (b"A: 1\nno header here\nbody", b"no header here\nbody"),
        (b"From x Mon Jan 1\nA: 1\n\nbody", b"body"),
        (b"\nbody", b"body"),
        (b"body", b"body"),
        (b"", b""),
    ],
)
def test_where_the_body_begins(raw, block):
    assert block == parse_part(raw).data


def test_a_part_ends_at_its_boundary_and_only_there():
    body = b"preamble\n--x y\n\none\n--x yz\n--x y  \n\ntwo\n\n--x y--\nepilogue"
    raw = b'Content-Type: multipart/mixed; boundary="x y"\n\n' + body

    assert [b"one\n--x yz", b"two\n"] == [part.data for part in parse_part(raw).parts]


def test_a_missing_last_boundary_ends_with_the_mail():
    assert [b"one"] == [
        part.data for part in parse_part(b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\none").parts
    ]


def test_a_multipart_without_boundary_is_empty_and_does_not_hurt():
    letter = read_letter(b"Content-Type: multipart/mixed\n\ntake green council\n")

    assert "empty" == letter.kind


def test_nesting_and_number_of_parts_are_capped():
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(1000))
    many = b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\nhi\n" * 10_000

    assert ("parts.too-deep",) == read_letter(deep).problems[:1]
    assert MAX_DEPTH == max(depth_of(parse_part(deep)), 0)
    assert "parts.too-many" in read_letter(many).problems
    assert len(list(parse_part(many).walk())) <= MAX_PARTS


def depth_of(part) -> int:
    return 1 + depth_of(part.parts[0]) if part.parts else 0


def test_long_letters_are_capped_in_lines():
    letter = read_letter(b"A: 1\n\n" + b"take green council\n" * 6000)

    assert 5000 == len(letter.lines)
    assert "lines.too-many" in letter.problems


def test_invisible_characters_go_and_every_line_end_counts():
    assert ["a b", "c", "d", "e", "f"] == split_lines("a\u00a0b\u200e\rc\r\nd\u2028\0e\x85\u202af\ufeff")


def test_quote_marks_are_counted():
    raw = b"A: 1\n\n> one\n>> two\n> > two\n >three\nnone > none\n"

    assert [1, 2, 2, 1, 0] == [line.depth for line in read_letter(raw).lines if line.text]


def test_utf_16_files_are_read():
    raw = b"Content-Disposition: attachment; filename=a.txt\nContent-Transfer-Encoding: base64\n\n//50AGEAawBlAA=="

    assert ("take",) == read_letter(raw).attachments[0].lines


def test_a_signed_part_that_is_missing_is_empty():
    assert "empty" == read_letter(b"Content-Type: multipart/signed; boundary=x\n\nnothing").kind


def test_of_alternatives_html_is_read_where_there_is_no_text():
    raw = b"Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/html\n\n<p>take</p>\n--x--"

    letter = read_letter(raw)

    assert ["take"] == [line.text for line in letter.lines if line.text]
    assert "html" in letter.problems


def test_returned_and_forwarded_mails_leave_their_headers_as_evidence():
    part = "Content-Type: message/rfc822\n\nX-PBEM-Outbox: 7\n\nbody\n"

    (evidence,) = read_letter(f"{MIXED}--x\n{part}--x--".encode()).evidence

    assert ("message/rfc822", "X-PBEM-Outbox: 7\n") == (evidence.type, evidence.text)


def alternative(text: str, markup: str) -> list[str]:
    kinds = (("plain", text), ("html", markup))
    parts = [f"--x\nContent-Type: text/{kind}; charset=utf-8\n\n{body}\n" for kind, body in kinds]
    raw = f"Content-Type: multipart/alternative; boundary=x\n\n{''.join(parts)}--x--".encode()
    return [line.text for line in paragraphs(read_letter(raw).lines)]


@pytest.mark.parametrize(
    ("text", "markup", "expected"),
    [
        ("passarboa noite!", "<p>passar</p><p>boa noite!</p>", ["passar", "boa noite!"]),
        ("2 obrigada", "<div>2</div><div>obrigada</div>", ["2", "obrigada"]),
        ("*a b*\nc", "<b>a b</b><br>c", ["*a b*", "c"]),
        (
            f"{'long ' * 15}\nline\nshort\none",
            f"<p>{'long ' * 15}line</p><p>short</p><p>one</p>",
            [f"{'long ' * 15}line", "short", "one"],
        ),
        ("short\nlines", "<p>short lines</p>", ["short", "lines"]),
        (f"{'long ' * 15}\n\nline", f"<p>{'long ' * 15}line</p>", [("long " * 15).strip(), "line"]),
        ("other words", "<p>what the other part says</p>", ["other words"]),
        ("ab\n> cd", "<p>a</p><p>b</p><blockquote>c<p>d</p></blockquote>", ["a", "b", "cd"]),
        ("\u2764\ufe0f\nab", "<p>\u2764\ufe0f</p><p>a</p><p>b</p>", ["\u2764\ufe0f", "a", "b"]),
        ("ab", "<p>a", ["ab"]),
    ],
)
def test_line_ends_of_a_text_are_those_that_its_html_shows(text, markup, expected):
    assert expected == alternative(text, markup)


def test_a_signature_that_only_html_marks_is_one_in_the_text_too():
    parts = "--x\n\npass\nBia\n--x\nContent-Type: text/html\n\npass<div class='my_signature'>Bia</div>\n--x--"

    lines = read_letter(f"Content-Type: multipart/alternative; boundary=x\n\n{parts}".encode()).lines

    assert [("pass", ""), ("Bia", "signature")] == [(line.text, line.place) for line in lines if line.text]


@pytest.mark.parametrize(
    ("body", "depths"),
    [
        (">From the rest\n", [0]),
        ("> a\n\n>From the rest\n\n> b\n", [1, 0, 1]),
        ("> a\n>From b\n", [1, 1]),
        ("|\n| a\n| b\n", [1, 1, 1]),
        ("VP> a\nVP> b\nVP> c\nno\nVP> d\n", [1, 1, 1, 0, 1]),
        ("| a\n| b\nc\n", [0, 0, 0]),
        ("| a |\n| b |\n| c |\n", [0, 0, 0]),
        ("a> b\nc> d\ne> f\n", [0, 0, 0]),
    ],
)
def test_quote_marks_of_other_kinds(body, depths):
    assert depths == [line.depth for line in read_letter(f"A: 1\n\n{body}".encode()).lines if line.text or line.depth]


@pytest.mark.parametrize(("spaces", "joint"), [(" ", ""), ("  ", " ")])
def test_delsp_takes_one_space(spaces, joint):
    long = "word " * 13 + "word"
    raw = f"Content-Type: text/plain; format=flowed; delsp=yes\n\n{long}{spaces}\nmore\n".encode()

    assert [f"{long}{joint}more"] == [line.text for line in paragraphs(read_letter(raw).lines)]


@pytest.mark.parametrize(
    "kind", ["application/x-microsoft-rpmsg-message", "application/pkcs7-mime", "application/pgp-encrypted"]
)
def test_a_letter_with_a_sealed_part_is_encrypted_whatever_its_server_wrote_around_it(kind):
    parts = f"--x\n\nThis mail is protected.\n--x\nContent-Type: {kind}\n\nabc\n--x--"

    assert "encrypted" == read_letter(f"{MIXED}{parts}".encode()).kind


def test_what_was_signed_as_mail_programs_once_did_is_read():
    signature = "-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----\n"
    body = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\npass\n{signature}"

    letter = read_letter(f"Content-Type: application/pgp; x-action=sign\n\n{body}".encode())

    assert ("normal", ["pass"]) == (letter.kind, [line.text for line in letter.lines if line.text])
