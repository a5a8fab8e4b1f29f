"""What `doctor --send` finds on its way, and that a game can live with it."""

from typing import Any

from tests.endtoend.conftest import Build
from tests.endtoend.house import House
from tests.endtoend.outside import Outside, only_real
from tests.endtoend.phone import Phone

SURVIVES = ("plus address", "message-id", "from")


def found(house: House) -> dict[str, str]:
    """Return what doctor says of what survives."""
    ran = house.run("doctor", "--send", "--json")
    assert ran.code == 0, ran.out
    told: dict[str, dict[str, Any]] = {one["name"]: one for one in ran.json["findings"]}
    assert "ok" == told["mail to ourselves"]["state"]
    return {name: told[name]["state"] for name in SURVIVES}


def test_on_an_honest_way_all_survives_and_the_mail_is_cleared_away(house: House) -> None:
    survived = found(house)

    assert dict.fromkeys(SURVIVES, "ok") == survived
    with Phone(house.outside, house.address) as phone:
        assert [] == phone.look_into()


def test_a_provider_that_takes_no_plus_addresses_is_found_and_none_is_used(outside: Outside, build: Build) -> None:
    only_real(outside, "it takes every plus address")
    house = build("noplus")

    survived = found(house)
    house.new_game()
    house.ana.tells(house.bob, "without")
    house.tick()

    assert {"plus address": "note", "message-id": "ok", "from": "ok"} == survived
    assert "" == house.ana.read[0].reply_to.address
    assert [1] == house.bob.heard("without")


def test_a_provider_that_replaces_message_id_and_from_is_found_and_answers_still_come_home(
    outside: Outside, build: Build
) -> None:
    world = only_real(outside, "it changes no header")
    house = build(smtp=world.servers.meddler)

    survived = found(house)
    house.new_game()
    house.ana.tells(house.bob, "by a strange name")
    house.tick()

    assert {"plus address": "ok", "message-id": "note", "from": "note"} == survived
    assert "bulk@pbem.test" == house.ana.read[0].sender.address
    assert "@mail.pbem.test" in house.ana.read[0].message_id
    assert [1] == house.bob.heard("by a strange name")


def test_where_neither_from_nor_plus_addresses_survive_answers_still_come_home(outside: Outside, build: Build) -> None:
    world = only_real(outside, "it changes no header and takes every plus address")
    house = build("noplus", smtp=world.servers.meddler)

    survived = found(house)
    house.new_game()
    mail = house.ana.read[0]

    assert dict.fromkeys(SURVIVES, "note") == survived
    assert house.address == (mail.reply_to.address or mail.sender.address)
