"""Games by mail from the invitation on, in both languages, and how an answer finds home."""

import pytest

from tests.endtoend.house import House
from tests.endtoend.phone import Phone
from tests.pbem.table import text_of

ROUNDS = 3
"""After which each has moved: an answer to the test title is half a move."""


@pytest.mark.parametrize("title", ["village", "bids"])
def test_a_game_is_played_by_mail_from_the_invitation_on(house: House, title: str) -> None:
    house.new_game(title, start=False)
    invitations = [*house.ana.read, *house.bob.read]

    house.ana.says("aceito jabuticaba")
    house.bob.says("I accept")
    house.tick()
    begun = house.moves()
    for _ in range(ROUNDS):
        house.ana.plays()
        house.bob.plays()
        house.tick()

    assert ["invitation"] * 2 == [one.header("X-PBEM-Kind") for one in invitations]
    assert "aceito" in text_of(invitations[0])
    assert "accept" in text_of(invitations[1])
    assert [] == begun
    assert {"0", "1"} == {one.split()[0] for one in house.moves()}
    assert {"done"} == set(house.judged())
    assert house.verified()["verified"]
    with Phone(house.outside, house.address) as phone:
        assert [] == phone.look_into()
        assert len(house.letters()) == len(phone.look_into("Processed"))


def test_the_same_number_answers_two_questions_one_after_the_other(house: House) -> None:
    house.new_game()

    house.ana.says("1")
    house.tick()
    house.ana.mail()
    house.ana.says("1")
    house.tick()

    assert ["kept", "kept"] == [one.reason for one in house.letters()]


def test_where_nobody_looked_for_plus_addresses_answers_go_to_the_address_itself(house: House) -> None:
    house.new_game()

    house.ana.tells(house.bob, "by the address")
    house.tick()

    assert ("", house.address) == (house.ana.read[0].reply_to.address, house.ana.read[0].sender.address)
    assert [1] == house.bob.heard("by the address")


def test_where_plus_addresses_arrive_one_brings_an_answer_home_that_lost_all_else(house: House) -> None:
    house.run("doctor", "--send")
    house.new_game()
    address = house.ana.read[0].reply_to.address

    house.ana.post(house.ana.letter("tell Bob: by plus", address), house.ana.letter("tell Bob: by none", house.address))
    house.tick()

    assert address.startswith(f"{house.address.partition('@')[0]}+g1.s0.")
    assert [1, 0] == house.bob.heard("by plus", "by none")
    assert {"done": 1, "held tag.missing": 1} == house.judged()
