"""What others do to the mailbox while we use it, and where letters are filed: none is lost, doubled or spoiled."""

import imaplib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from pbem.mail.imap import ImapMailbox
from pbem.mail.ports import Account
from tests.endtoend.conftest import Build
from tests.endtoend.house import House, send_raw
from tests.endtoend.outside import HOST, Outside, only_real, real_world
from tests.endtoend.phone import Phone
from tests.servers import PASSWORD

FOLDER = "Já lidas à mão"


def test_a_phone_that_reads_and_moves_letters_during_passes_neither_loses_nor_doubles_one(house: House) -> None:
    house.new_game()
    texts = [f"letter {number}." for number in range(6)]
    ends = Event()
    restless = Thread(target=fidget, args=(house, ends))

    restless.start()
    try:
        for first in range(0, len(texts), 2):
            house.ana.tells(house.bob, *texts[first : first + 2])
            house.tick()
    finally:
        ends.set()
        restless.join()
    house.tick()

    assert [1] * len(texts) == house.bob.heard(*texts)
    assert len(texts) == sum(one.reason == "accepted" for one in house.letters())


def fidget(house: House, ends: Event) -> None:
    """Mark all letters in the inbox as seen, and move them to a folder and back, until *ends*."""
    with Phone(house.outside, house.address) as phone:
        while not ends.wait(0.02):
            inbox = phone.look_into()
            with suppress(imaplib.IMAP4.error):  # some servers refuse what names a letter that we have moved
                phone.mark_seen(inbox)
                phone.move(inbox[:1], FOLDER)
            phone.move(phone.look_into(FOLDER), "INBOX")


def test_letters_that_somebody_deletes_are_gone_and_no_trouble(house: House) -> None:
    house.new_game()
    house.ana.tells(house.bob, "one", "two", "three")
    with Phone(house.outside, house.address) as phone:
        phone.delete([uid for uid in phone.look_into() if b"two" in phone.read([uid])[0]])

    house.tick()
    with Phone(house.outside, house.address) as phone:
        phone.delete(phone.look_into("Processed"))
    house.ana.tells(house.bob, "four")
    house.tick()

    assert [1, 0, 1, 1] == house.bob.heard("one", "two", "three", "four")
    assert {"done": 3} == house.judged()


@pytest.mark.parametrize("gone", [[0], [1], [0, 1, 2]])
def test_letters_that_are_deleted_while_they_are_read_hide_no_other(house: House, gone: list[int]) -> None:
    house.ana.post(*(house.ana.letter(f"letter {number}", house.address) for number in range(3)))

    with ImapMailbox(account_of(house)) as mailbox, Phone(house.outside, house.address) as phone:
        uids = mailbox.new_uids(0)
        phone.delete([phone.look_into()[number] for number in gone])
        letters = list(mailbox.fetch_many(uids))
        mailbox.move_many(uids, "Processed")
        left = mailbox.new_uids(0)

    assert [uid for number, uid in enumerate(uids) if number not in gone] == [one.uid for one in letters]
    assert [] == left


def test_a_letter_that_is_deleted_while_we_look_has_no_head(outside: Outside, house: House) -> None:
    only_real(outside, "it tells of a letter as long as one connection knows it")
    house.ana.post(*(house.ana.letter(f"letter {number}", house.address) for number in range(2)))

    with ImapMailbox(account_of(house)) as mailbox, Phone(outside, house.address) as phone:
        first, second = mailbox.new_uids(0)
        phone.delete(phone.look_into()[:1])
        heads = mailbox.heads([first, second])

    assert [second] == [one.uid for one in heads]


def account_of(house: House) -> Account:
    """Return the login of our mailbox."""
    return Account(HOST, house.outside.imap, "none", house.address, PASSWORD)


def test_a_mailbox_that_is_numbered_anew_doubles_nothing_and_hides_nothing(outside: Outside, house: House) -> None:
    house.new_game()
    house.ana.tells(house.bob, "one", "two", "three")
    house.tick()
    with Phone(outside, house.address) as phone:
        phone.move(phone.look_into("Processed")[:2], "INBOX")
    house.ana.tells(house.bob, "four")

    outside.renumber(house.address)
    house.tick()
    with Phone(outside, house.address) as phone:
        left = phone.look_into()

    assert [1, 1, 1, 1] == house.bob.heard("one", "two", "three", "four")
    assert 4 == house.judged()["done"]
    assert {"done", "dropped fetched-again"} == set(house.judged())
    assert 2 == len({one.uidvalidity for one in house.letters()})
    assert [] == left


def test_in_a_shared_mailbox_private_letters_stay_unread_in_their_place(build: Build) -> None:
    house = build(shared="true")
    house.new_game()
    words = "a recipe for pastéis de nata"
    private = [house.ana.letter(words, house.address), house.bob.letter(words, house.address)]
    send_raw(house.outside, [("aunt@elsewhere.test", house.address, private[0].as_bytes())])
    house.bob.post(private[1])

    house.ana.tells(house.bob, "ours")
    house.tick()
    house.tick()
    with Phone(house.outside, house.address) as phone:
        unseen = phone.read(phone.look_into(what="UNSEEN"))
        processed = phone.look_into("Processed")
    stored = b"".join(path.read_bytes() for path in (house.file.parent / str(house.number)).glob("pbem.db*"))

    assert [1] == house.bob.heard("ours")
    assert b"tell Bob: ours" in stored
    assert b"a recipe for" not in stored
    assert {"done": 1} == house.judged()
    assert [one.as_bytes() for one in private] == [
        raw[-len(one.as_bytes()) :] for one, raw in zip(private, unseen, strict=True)
    ]
    assert 1 == len(processed)


def test_a_letter_that_a_phone_keeps_in_a_folder_of_its_language_is_read_when_it_comes_back(house: House) -> None:
    house.new_game()
    house.ana.tells(house.bob, "from afar")
    with Phone(house.outside, house.address) as phone:
        phone.move(phone.look_into(), FOLDER)

    meanwhile = house.tick()
    with Phone(house.outside, house.address) as phone:
        phone.move(phone.look_into(FOLDER), "INBOX")
    house.tick()

    assert 0 == meanwhile["fetched"]
    assert [1] == house.bob.heard("from afar")


@pytest.mark.servers
def test_below_a_prefix_letters_are_filed_where_the_server_keeps_folders(street: Path, number: Iterator[int]) -> None:
    with real_world(prefix="INBOX.") as outside:
        house = House(street, next(number), outside)
        house.new_game()
        house.ana.tells(house.bob, "below")
        house.tick()
        house.close()
        with Phone(outside, house.address) as phone:
            filed, left = phone.look_into("INBOX.Processed"), phone.look_into()

    assert (1, 0) == (len(filed), len(left))


def test_a_folder_beyond_ascii_can_be_made_and_read(house: House) -> None:
    account = account_of(house)
    house.ana.post(house.ana.letter("olá", house.address))

    with ImapMailbox(account) as mailbox:
        mailbox.move_many(mailbox.new_uids(0), "Arquivo/Decisões à mão")
    with ImapMailbox(account, "Arquivo/Decisões à mão") as mailbox:
        letters = list(mailbox.fetch_many(mailbox.new_uids(0)))

    assert [True] == [b"ol=C3=A1" in one.raw or "olá".encode() in one.raw for one in letters]
