"""Letters of mail clients, many at once over the wire: each is taken in as it was sent, and judged."""

import re

from pbem.gate.tags import make_tag
from pbem.mail.marker import TAG
from tests.endtoend.house import House, send_raw
from tests.mail.corpus import client_letters, raw_of

MANY = {"embedded": 40, "real": 200}
"""Letters by world; they are judged in the same way, so the busy server of the two gets most."""

EPOCH = 0
_TAG = re.compile(TAG.pattern.encode(), re.IGNORECASE)
_TRACE = re.compile(rb"(?im)^(?:Return-Path|Delivered-To|Received|Content-Length):.*\r\n(?:[ \t].*\r\n)*")


def at_home(house: House, raw: bytes) -> bytes:
    """Return the letter *raw*, its last line ended, as an answer to *house* wherever it names a mail in clear."""
    tag = make_tag(house.service.key, 1, 0, 5, EPOCH)
    return _TAG.sub(tag.encode(), raw).removesuffix(b"\r\n") + b"\r\n"


def without_trace(raw: bytes) -> bytes:
    """Return *raw* without the headers that servers add and take away."""
    head, gap, body = raw.partition(b"\r\n\r\n")
    return _TRACE.sub(b"", head + b"\r\n") + gap + body


def test_letters_of_all_clients_are_taken_in_as_sent_and_judged(house: House) -> None:
    house.new_game("village")
    names = sorted(client_letters())
    many = MANY[house.outside.name]
    letters = [at_home(house, raw_of(names[n * len(names) // many])) for n in range(many)]

    send_raw(house.outside, [("somebody@players.test", house.address, raw) for raw in letters])
    counts = house.tick()

    kept = house.letters()
    assert many == counts["fetched"]
    assert sorted(map(without_trace, letters)) == sorted(without_trace(one.raw) for one in kept)
    assert {"done", "held", "dropped"} >= {one.status for one in kept}
    assert [] == [one.error for one in kept if one.error]
    assert counts["accepted"] + counts["kept"] > 0
