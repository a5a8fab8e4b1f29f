"""Mailbox, server or store cannot be had: the pass leaves with 75 after all else was done, and the next one goes on."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from pbem.cli import app
from pbem.mail.imap import ImapMailbox
from pbem.mail.ports import Account
from tests.kill.director import OUR, Plan, install, mail_server, open_up
from tests.kill.house import ANA, BOB, SPOOL, TRY_LATER, House
from tests.kill.outside import free_port


def test_without_the_mailbox_all_else_is_done(house: House) -> None:
    status = house.tick(IMAP__PORT=free_port())

    assert TRY_LATER == status
    assert {"sent": 2} == house.mails()
    assert [1, 1] == [len(house.spooled(box)) for box in (ANA, BOB)]


def test_without_the_server_letters_are_judged_and_mails_wait(house: House) -> None:
    house.tick()
    house.answer(ANA, "stake 1")
    house.answer(BOB, "1")

    down = house.tick(SMTP__PORT=free_port())
    waiting = house.mails()
    back = house.tick()

    assert TRY_LATER == down
    assert {"done": 2} == house.letters()
    assert 0 < waiting["ready"]
    assert 0 == back
    assert ["sent"] == list(house.mails())


def test_mail_servers_that_went_away_and_came_back_numbered_anew_double_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tick() -> int:
        return app.run(["--config", str(tmp_path / "pbem.toml"), "tick", "--json"])

    with mail_server(tmp_path / SPOOL) as where:
        service = install(tmp_path, where)
        game, _ = open_up(service, Plan("bids", 2, 7), where)
        house = House(tmp_path, service, game, where, tick)
        tick()
        for box in (ANA, BOB):
            house.answer(box, "1\n1")
        tick()
        before = (house.entries(), house.letters())
    gone = tick()
    with mail_server(tmp_path / SPOOL, where["smtp_port"], where["imap_port"]):
        back = tick()
    service.store.close()

    assert TRY_LATER == gone
    assert 0 == back
    assert before[0] == house.entries()
    assert before[1] + Counter(dropped=2) == house.letters()


def test_an_idle_pass_asks_no_outgoing_server(house: House) -> None:
    house.tick()

    assert 0 == house.tick(SMTP__PORT=free_port())


def test_a_store_that_others_lock_too_long_is_tried_later(house: House) -> None:
    house.tick()
    house.answer(BOB, "1")
    with closing(sqlite3.connect(house.folder / "pbem.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        locked = house.tick()
    after = house.tick()

    assert TRY_LATER == locked
    assert 0 == after
    assert {"done": 1} == house.letters()


def test_a_mail_whose_letter_was_taken_away_by_hand_is_no_trouble(house: House) -> None:
    house.tick()
    house.answer(BOB, "1")
    account = Account(house.where["host"], house.where["imap_port"], "none", OUR, "any")
    with ImapMailbox(account) as mailbox:
        mailbox.move_many(mailbox.new_uids(0), "Elsewhere")

    assert 0 == house.tick()
    assert {} == house.letters()
