"""Letters on their way to us: big ones, and raw bytes."""

import smtplib

import pytest

from pbem.mail.imap import CAP
from tests.endtoend.house import House, send_raw
from tests.endtoend.outside import Outside, only_real

TOO_BIG = 552


def test_an_order_above_a_big_attachment_is_read_and_one_below_is_asked_for_again(house: House) -> None:
    house.new_game()
    above, below = house.ana.reply("tell Bob: above"), house.ana.reply("tell Bob: below")
    blob = b"\0\xff" * CAP
    above.add_attachment(blob, "image", "jpeg", filename="board.jpg")
    below.add_attachment(blob, "image", "jpeg", filename="board.jpg")
    below.set_payload(below.get_payload()[::-1])

    house.ana.post(above, below)
    house.tick()

    assert [1, 0] == house.bob.heard("above", "below")
    assert [True, True] == [one.truncated for one in house.letters()]
    assert [CAP, CAP] == [len(one.raw) for one in house.letters()]
    assert all(one.size > 2 * CAP for one in house.letters())
    assert ["refusal"] == [one.header("X-PBEM-Kind") for one in house.ana.mails()]


def test_a_letter_too_big_for_the_server_is_refused_there_and_the_next_is_read(outside: Outside, house: House) -> None:
    house.new_game()
    huge = raw_letter(house, b"tell Bob: huge", *[b"x" * 98] * (outside.biggest // 100))

    with pytest.raises(smtplib.SMTPResponseException) as refused:
        send_raw(outside, [(house.ana.address, house.address, huge)])
    house.ana.tells(house.bob, "small")
    counts = house.tick()

    assert TOO_BIG == refused.value.smtp_code
    assert 1 == counts["fetched"]
    assert [0, 1] == house.bob.heard("huge", "small")


def raw_letter(house: House, *lines: bytes) -> bytes:
    """Return a letter of Ana's with these lines, in 8-bit UTF-8, that answers her newest mail."""
    head = (
        f"From: {house.ana.address}\r\nTo: {house.address}\r\nSubject: à mão\r\nMessage-ID: <raw@players.test>\r\n"
        f"References: {house.ana.read[-1].message_id}\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    )
    return head.encode() + b"".join(line + b"\r\n" for line in lines)


def test_eight_bits_dots_and_the_longest_lines_arrive_as_they_were_written(house: House) -> None:
    house.new_game("village")
    lines = ["pegar laranja família", ".", "..", ". um ponto", "", "tell Bob: ação", "tell Ana: " + "ç" * 494, ".fim"]
    raw = raw_letter(house, *(line.encode() for line in lines))

    send_raw(house.outside, [(house.ana.address, house.address, raw)])
    house.tick()

    (letter,) = house.letters()
    assert letter.raw.endswith(raw)
    assert "0 take orange family" == house.moves()[0]
    assert [1] == house.bob.heard("ação")


def test_a_line_that_a_server_breaks_spoils_no_other(outside: Outside, house: House) -> None:
    only_real(outside, "it refuses lines of more than 998 bytes")
    house.new_game()

    raw = raw_letter(house, b"tell Bob: before", b"tell Gil: " + b"x" * 5_000, b"tell Bob: after")
    send_raw(outside, [(house.ana.address, house.address, raw)])
    house.tick()

    (letter,) = house.letters()
    assert max(map(len, letter.raw.split(b"\r\n"))) < 1_000
    assert [1, 1] == house.bob.heard("before", "after")
