"""TLS and none, passwords that are wrong: what the command line says, and that nothing is lost."""

import pytest

from tests.endtoend.conftest import Build
from tests.endtoend.house import House
from tests.endtoend.outside import Outside, only_real
from tests.endtoend.phone import Phone

TRY_LATER, REFUSED = 75, 1
WRONG = "senha-errada"


def ways(outside: Outside, tls: str) -> dict[str, object]:
    """Return the settings that use *tls* for both servers."""
    ports: dict[str, object] = {"imap_tls": tls, "smtp_tls": tls}
    if tls == "none":
        return ports
    world = only_real(outside, "it offers no TLS")
    return ports | ({"imap": world.servers.imaps, "smtp": world.servers.smtps} if tls == "tls" else {})


@pytest.mark.parametrize("tls", ["none", "starttls", "tls"])
def test_each_kind_of_encryption_carries_a_game(
    outside: Outside, build: Build, monkeypatch: pytest.MonkeyPatch, tls: str
) -> None:
    house = build(**ways(outside, tls))
    monkeypatch.setenv("SSL_CERT_FILE", str(outside.certificate))
    house.new_game()

    house.ana.tells(house.bob, "in safety")
    house.tick()

    assert [1] == house.bob.heard("in safety")
    assert 0 == house.run("doctor").code


@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_a_certificate_that_nobody_vouches_for_is_named_and_nothing_goes_out(
    outside: Outside, build: Build, tls: str
) -> None:
    house = build(**ways(outside, tls))

    house.run("game", "new", "bids", "--seat", f"Ana <{house.ana.address}>", "--seat", f"Bob <{house.bob.address}>")
    ran, examined = house.run("tick"), house.run("doctor")

    assert (TRY_LATER, REFUSED) == (ran.code, examined.code)
    assert 2 == ran.err.lower().count("certificate verify failed"), ran.err
    assert 2 == examined.out.lower().count("certificate verify failed"), examined.out
    assert ["ready", "ready"] == [one.status for one in house.mails()]


@pytest.mark.parametrize("outside", ["embedded"], indirect=True)
def test_where_starttls_is_wanted_and_not_offered_no_password_is_sent(build: Build) -> None:
    house = build(imap_tls="starttls", smtp_tls="starttls")

    examined = house.run("doctor")

    assert REFUSED == examined.code
    assert 2 == examined.out.upper().count("STARTTLS"), examined.out


def test_a_wrong_password_of_the_mailbox_is_said_and_loses_nothing(outside: Outside, house: House) -> None:
    only_real(outside, "any password opens a mailbox")
    house.new_game()
    house.ana.tells(house.bob, "before")
    house.write(imap_password=WRONG)

    ran, examined = house.run("tick"), house.run("doctor")
    with Phone(outside, house.address) as phone:
        waiting = phone.look_into(what="UNSEEN")
    house.write()
    house.tick()

    assert (TRY_LATER, REFUSED) == (ran.code, examined.code)
    assert "login" in ran.err
    assert "AUTHENTICATIONFAILED" in ran.err
    assert WRONG not in ran.err + examined.out
    assert 1 == len(waiting)
    assert [1] == house.bob.heard("before")


def test_a_wrong_password_of_the_server_is_said_and_mails_wait(outside: Outside, house: House) -> None:
    only_real(outside, "any password is accepted")
    house.new_game()
    house.ana.tells(house.bob, "before")
    house.write(smtp_password=WRONG)

    ran, examined = house.run("tick"), house.run("doctor")
    waiting = [one.status for one in house.mails() if one.status != "sent"]
    house.write()
    house.tick()

    assert (TRY_LATER, REFUSED) == (ran.code, examined.code)
    assert "535" in ran.err
    assert WRONG not in ran.err + examined.out
    assert {"ready"} == set(waiting)
    assert [1] == house.bob.heard("before")
