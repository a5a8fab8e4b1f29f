"""Mails that are refused, put off, or come back."""

from datetime import timedelta

import pytest

from pbem.live import take_up
from tests.endtoend.conftest import Build
from tests.endtoend.house import House, Person, send_raw
from tests.endtoend.outside import DEPARTED, PUT_OFF, REFUSED, Outside, only_real
from tests.endtoend.phone import Phone
from tests.pbem.table import text_of

SOON = timedelta(minutes=10)


def to_gm(house: House) -> str:
    """Return the text of all mails to the game master since he looked last."""
    return "\n".join(text_of(one) for one in house.gm.mails())


def is_unreachable(house: House, seat: int) -> bool:
    """Return whether no mail reaches the holder of *seat*."""
    with house.service.store.read() as session:
        return take_up(session, 1).holders[seat].unreachable


def test_a_recipient_that_is_refused_is_told_to_the_game_master_and_stops_nobody(house: House) -> None:
    house.new_game(bob=REFUSED)
    house.tick()

    (mail,) = [one for one in house.mails() if one.recipient == REFUSED]
    assert mail.status in ("refused", "failed")
    assert mail.error.startswith("550")
    assert "Bob" in to_gm(house)
    assert is_unreachable(house, 1)
    assert 1 == len(house.ana.read)


def test_a_mail_that_is_put_off_goes_out_later_as_the_same_mail(outside: Outside, house: House) -> None:
    house.new_game(bob=PUT_OFF)
    (waiting,) = [one for one in house.mails() if one.recipient == PUT_OFF]

    house.tick()
    (early,) = [one for one in house.mails() if one.recipient == PUT_OFF]
    with outside.relenting():
        house.tick_after(SOON)
        got = Person(outside, "Bob", PUT_OFF).mails()
    (sent,) = [one for one in house.mails() if one.recipient == PUT_OFF]

    assert ("ready", 1, "450") == (waiting.status, waiting.tries, waiting.error[:3])
    assert waiting == early
    assert "sent" == sent.status
    assert [waiting.message_id] == [one.message_id for one in got]
    assert not is_unreachable(house, 1)
    assert [] == house.gm.mails()


def test_in_a_shared_mailbox_only_the_report_about_our_mail_is_taken(outside: Outside, build: Build) -> None:
    only_real(outside, "it sends no delivery reports")
    house = build(shared="true")
    house.new_game(bob=DEPARTED)
    private = house.gm.letter("a private word", DEPARTED)
    send_raw(outside, [(house.address, DEPARTED, private.as_bytes())])

    house.tick()
    with Phone(outside, house.address) as phone:
        left = phone.read(phone.look_into(what="UNSEEN"))

    assert {"dropped bounce": 1} == house.judged()
    assert [True] == ["a private word" in raw.decode() for raw in left]


@pytest.mark.parametrize("way", ["smtp", "meddler"])
def test_a_report_of_a_mailbox_that_is_gone_finds_its_mail_and_seat(outside: Outside, build: Build, way: str) -> None:
    world = only_real(outside, "it sends no delivery reports")
    house = build(smtp=getattr(world.servers, way))
    house.new_game(bob=DEPARTED)
    (sent,) = [one for one in house.mails() if one.recipient == DEPARTED]

    house.tick()

    (letter,) = house.letters()
    (mail,) = [one for one in house.mails() if one.recipient == DEPARTED]
    assert "sent" == sent.status
    assert ("dropped", "bounce", 1, 1) == (letter.status, letter.reason, letter.game, letter.seat)
    assert ("failed", "bounce 5.1.1") == (mail.status, mail.error)
    assert is_unreachable(house, 1)
    assert "Bob" in to_gm(house)
