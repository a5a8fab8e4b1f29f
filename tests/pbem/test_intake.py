"""`fetch` with the mailbox in memory: every letter once and none lost, whatever the mailbox does."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta

import pytest

from pbem.intake import MOST_BREAKS, fetch
from pbem.mail.errors import MailboxDown, MailboxReadOnly
from pbem.mail.imap import ImapMailbox
from pbem.mail.ports import Account, Fetched
from pbem.referee import judge_all
from pbem.store import letters
from pbem.store.letters import Mailbox, Stored
from tests.pbem.mail.scripted import DATE, Inbox, scripted
from tests.pbem.table import START, MemoryMailbox, Table, text_of
from tests.pbem.witness import SetTable, dump, said, seated, stake, store_file

MINUTE = timedelta(minutes=1)


@pytest.fixture
def table(set_table: SetTable) -> Table:
    """Give a table whose mailbox was read once."""
    table = seated(set_table)
    assert table.mailbox.inbox == {}
    return table


def drop(table: Table, *words: str) -> list[int]:
    """Let letters of strangers arrive, one for each of *words*, and return their UIDs."""
    raws = [table.letter("x@elsewhere.test", word, Subject=word).as_bytes() for word in words]
    return [table.mailbox.drop_in(raw, table.now) for raw in raws]


def fetch_now(table: Table, after: timedelta = MINUTE) -> int:
    """Let time pass, and return how many letters a fetch takes in."""
    table.now += after
    return fetch(table.service, table.mailbox, table.now)


def fetch_in_vain(table: Table, after: timedelta = MINUTE) -> None:
    with pytest.raises(MailboxDown):
        fetch_now(table, after)


def subjects(table: Table) -> list[str]:
    """Return the subjects of all letters that are kept with their bytes, in the order of arrival."""
    return [
        line.removeprefix("Subject: ")
        for one in table.stored()
        for line in one.raw.decode().splitlines()
        if line.startswith("Subject: ")
    ]


def cursor(table: Table) -> Mailbox:
    with table.service.store.read() as session:
        known = letters.get_mailbox(session, table.service.mailbox_name)
    assert known is not None
    return known


def held(table: Table) -> list[Stored]:
    return [one for one in table.stored() if one.status == "held"]


def alerts(table: Table) -> list[str]:
    """Return the texts of all mails to the game master, after sending what is to be told."""
    table.tick(after=timedelta())
    return [text_of(mail) for mail in table.to_gm()]


def test_letters_are_kept_byte_for_byte_and_moved(table: Table) -> None:
    raw = b"From: x@elsewhere.test\r\nSubject: a\r\n\r\n\xe7\xe3\r\n"
    uid = table.mailbox.drop_in(raw, START)

    assert fetch_now(table) == 1
    (stored,) = table.stored()
    assert (stored.raw, stored.received_at, stored.digest) == (raw, START, hashlib.sha256(raw).hexdigest())
    assert table.mailbox.moved == {"Processed": [uid]}
    assert fetch_now(table) == 0


def test_a_fetch_that_comes_to_its_end_is_dated_and_tells_the_time_since_the_last(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    fetch_now(table)
    first = cursor(table)
    fetch_now(table, timedelta(minutes=7))

    assert (first.good_at, first.pace) == (START + MINUTE, 0)
    assert (cursor(table).good_at, cursor(table).pace) == (table.now, 420)


def test_letters_numbered_anew_are_not_taken_twice_and_none_is_lost(table: Table) -> None:
    table.mailbox.locked = True
    drop(table, "one", "two", "three")
    with pytest.raises(MailboxReadOnly):
        fetch_now(table)
    table.mailbox.renumber()
    del table.mailbox.inbox[1]
    drop(table, "four")

    assert fetch_now(table) == 1
    assert fetch_now(table) == 0
    assert [one.reason for one in table.stored()] == ["", "", "", "fetched-again", "fetched-again", ""]
    assert [one.status for one in table.stored()][-1] == "new"
    assert (cursor(table).uidvalidity, cursor(table).last_uid) == (2, 4)


def test_letters_numbered_anew_keep_what_is_known_of_the_mailbox(table: Table) -> None:
    fetch_now(table, timedelta(minutes=5))
    table.mailbox.renumber()
    table.mailbox.gone = True
    fetch_in_vain(table)
    table.mailbox.gone = False
    known = cursor(table)

    fetch_now(table)

    assert (known.pace, known.good_at) == (300, table.now - 2 * MINUTE)
    assert cursor(table).pace == 120


def test_letters_numbered_anew_while_they_are_read_wait_for_the_next_pass(table: Table) -> None:
    uids = drop(table, "one", "two")

    class Restored(MemoryMailbox):
        def fetch_many(self, uids: Sequence[int]) -> Iterator[Fetched]:
            self.broken = set(uids)
            self.renumber()
            return super().fetch_many(uids)

    good, table.mailbox = table.mailbox, Restored()
    table.mailbox.inbox, table.mailbox.last = good.inbox, good.last
    with pytest.raises(MailboxDown, match="numbered anew"):
        fetch_now(table)
    kept = subjects(table)
    good.uidvalidity = 2
    table.mailbox = good

    assert kept == []
    assert fetch_now(table) == len(uids)
    assert subjects(table) == ["one", "two"]


@pytest.mark.parametrize("gone", ["one", "two", "three"])
def test_a_letter_that_is_gone_when_it_is_loaded_is_passed(table: Table, gone: str) -> None:
    words = ["one", "two", "three"]
    uids = drop(table, *words)
    table.mailbox.vanishing = {uids[words.index(gone)]}

    assert fetch_now(table) == 2
    assert subjects(table) == [word for word in words if word != gone]
    assert cursor(table).last_uid == uids[-1]


def test_what_was_committed_before_the_mailbox_was_lost_stays_and_the_rest_comes_later(table: Table) -> None:
    first, *rest = drop(table, *(f"letter {number}" for number in range(60)))

    class Fading(MemoryMailbox):
        def fetch_many(self, uids: Sequence[int]) -> Iterator[Fetched]:
            yield next(super().fetch_many(uids))
            self.gone = True
            self.new_uids(0)

    good, table.mailbox = table.mailbox, Fading()
    table.mailbox.inbox, table.mailbox.last = dict(good.inbox), good.last
    fetch_in_vain(table)
    known, kept = cursor(table), subjects(table)
    table.mailbox = good
    taken = fetch_now(table)

    assert (known.last_uid, kept) == (first, ["letter 0"])
    assert known.good_at == table.now - 2 * MINUTE
    assert taken == len(rest)
    assert subjects(table) == [f"letter {number}" for number in range(60)]


def test_a_connection_that_is_lost_once_is_made_anew_and_all_come_in_the_same_pass(table: Table) -> None:
    drop(table, "one", "two", "three")

    class Nervous(MemoryMailbox):
        def fetch_many(self, uids: Sequence[int]) -> Iterator[Fetched]:
            letters = list(super().fetch_many(uids))
            yield letters[0]
            if len(letters) > 1:
                self.lost = True
                self.new_uids(0)

    good, table.mailbox = table.mailbox, Nervous()
    table.mailbox.inbox, table.mailbox.last = good.inbox, good.last

    assert fetch_now(table) == 3
    assert subjects(table) == ["one", "two", "three"]
    assert (cursor(table).bad_uid, cursor(table).bad_tries) == (0, 0)


def test_a_letter_that_breaks_the_connection_does_not_stop_the_others(table: Table) -> None:
    _, bad, _, last = drop(table, "one", "bad", "two", "three")
    table.mailbox.broken = {bad}

    fetch_in_vain(table)

    assert subjects(table) == ["one", "two", "three"]
    assert list(table.mailbox.inbox) == [bad]
    assert (cursor(table).last_uid, cursor(table).bad_uid, cursor(table).bad_tries) == (bad - 1, bad, 1)
    assert last not in table.mailbox.inbox


def test_after_three_passes_it_is_on_record_and_the_cursor_goes_on(table: Table) -> None:
    bad, _ = drop(table, "bad", "one")
    table.mailbox.broken = {bad}
    size = len(table.mailbox.inbox[bad][1])

    fetch_in_vain(table)
    fetch_in_vain(table)
    before = cursor(table)
    assert fetch_now(table) == 0

    assert (before.last_uid, before.bad_tries, before.good_at) == (bad - 1, 2, table.now - 3 * MINUTE)
    assert (cursor(table).last_uid, cursor(table).bad_uid, cursor(table).good_at) == (bad, 0, table.now)
    (stored,) = held(table)
    assert (stored.uid, stored.reason, stored.raw, stored.size, stored.sender) == (bad, "unfetched", b"", size, "")
    assert list(table.mailbox.inbox) == [bad]
    assert [f"Letter {stored.id} " in text and "does not hand it out" in text for text in alerts(table)] == [True]
    assert fetch_now(table) == 0


def test_no_good_letter_is_loaded_twice_because_of_a_bad_one(table: Table) -> None:
    table.mailbox.locked = True  # what was taken stays in the inbox
    bad, *good = drop(table, "bad", "one", "two")
    table.mailbox.broken = {bad}
    with pytest.raises(MailboxReadOnly):
        fetch_now(table)
    fetch_in_vain(table)

    assert table.mailbox.loaded == good
    assert subjects(table) == ["one", "two"]


def test_the_seat_of_a_letter_that_cannot_be_loaded_is_told_by_its_headers(table: Table) -> None:
    table.post(table.reply("Ana", stake(table, "Ana")))
    table.mailbox.broken = set(table.mailbox.inbox)

    for _ in range(2):
        fetch_in_vain(table)
    fetch_now(table)

    (stored,) = held(table)
    assert (stored.game, stored.seat) == (table.game, 0)
    with table.service.store.read() as session:
        assert letters.has_held_letter(session, table.game, stored.seat)


def test_headers_with_a_made_up_tag_prove_no_seat(table: Table) -> None:
    message = table.reply("Ana", "hello")
    for name in ("To", "In-Reply-To", "References"):
        tag = message[name].replace("g1.s0.", "g1.s1.")
        del message[name]
        message[name] = tag
    table.post(message)
    table.mailbox.broken = set(table.mailbox.inbox)

    for _ in range(2):
        fetch_in_vain(table)
    fetch_now(table)

    (stored,) = held(table)
    assert (stored.game, stored.seat) == (None, None)


def test_a_letter_of_which_not_even_the_headers_come_is_passed_too(table: Table) -> None:
    bad, _ = drop(table, "bad", "one")
    table.mailbox.broken = table.mailbox.headless = {bad}

    for _ in range(2):
        fetch_in_vain(table)
    fetch_now(table)

    (stored,) = held(table)
    assert (stored.uid, stored.size, stored.received_at) == (bad, 0, table.now)
    assert subjects(table) == ["one"]


def test_a_letter_that_comes_at_the_second_try_is_a_letter_like_any_other(table: Table) -> None:
    bad, _ = drop(table, "slow", "one")
    table.mailbox.broken = {bad}
    fetch_in_vain(table)
    table.mailbox.broken = set()

    assert fetch_now(table) == 1
    assert sorted(subjects(table)) == ["one", "slow"]
    assert (cursor(table).bad_uid, cursor(table).bad_tries) == (0, 0)
    assert table.mailbox.inbox == {}


def test_three_tries_that_are_not_in_a_row_do_not_count_together(table: Table) -> None:
    (bad,) = drop(table, "bad")
    table.mailbox.broken = {bad}
    fetch_in_vain(table)
    fetch_in_vain(table)
    (other,) = drop(table, "other")
    table.mailbox.broken = {other}
    fetch_in_vain(table)
    table.mailbox.broken = {other}
    fetch_in_vain(table)

    assert held(table) == []
    assert (cursor(table).bad_uid, cursor(table).bad_tries) == (other, 2)


def passed_over(table: Table, *words: str) -> int:
    """Let a letter be passed over, and return its UID."""
    bad, *_ = drop(table, "bad", *words)
    table.mailbox.broken = {bad}
    for _ in range(2):
        fetch_in_vain(table)
    fetch_now(table)
    return bad


def test_a_letter_that_was_passed_over_is_tried_again_after_an_hour(table: Table) -> None:
    passed_over(table)
    table.mailbox.broken = set()

    early = fetch_now(table, timedelta(minutes=59))
    late = fetch_now(table, MINUTE)

    assert (early, late) == (0, 1)
    assert subjects(table) == ["bad"]
    assert [(one.status, one.reason) for one in table.stored()] == [("new", "")]
    assert table.mailbox.inbox == {}


def test_a_letter_that_still_does_not_come_is_left_alone_for_another_hour(table: Table) -> None:
    passed_over(table)

    assert fetch_now(table, timedelta(hours=1)) == 0
    opened = table.mailbox.opened
    fetch_now(table)
    fetch_now(table)

    assert table.mailbox.opened == opened + 2
    assert [one.reason for one in held(table)] == ["unfetched"]
    assert len(alerts(table)) == 1


def test_a_letter_that_is_let_go_by_the_game_master_is_tried_at_once(table: Table) -> None:
    passed_over(table)
    table.mailbox.broken = set()
    (stored,) = held(table)
    with table.service.store.write() as session:
        letters.change_letter(session, stored.id, status="new", reason="", tries=0)

    assert fetch_now(table) == 1
    assert subjects(table) == ["bad"]


def test_a_letter_without_bytes_is_not_judged_even_if_it_is_let_go(table: Table) -> None:
    passed_over(table)
    (stored,) = held(table)
    with table.service.store.write() as session:
        letters.change_letter(session, stored.id, status="new", reason="", tries=0)
    before = judge_all(table.service, table.now)
    table.mailbox.gone = True
    fetch_in_vain(table)
    table.mailbox.gone = False
    table.tick()

    assert not before
    assert [one.reason for one in held(table)] == ["unfetched"]


def test_a_letter_that_was_passed_over_and_then_removed_is_dropped(table: Table) -> None:
    table.mailbox.inbox.pop(passed_over(table))
    table.mailbox.broken = set()

    fetch_now(table, timedelta(hours=1))

    assert [(one.status, one.reason) for one in table.stored()] == [("dropped", "gone")]


def test_two_bad_letters_are_passed_one_after_the_other(table: Table) -> None:
    first, _, second, _ = drop(table, "bad", "one", "bad too", "two")
    table.mailbox.broken = {first, second}

    fetch_in_vain(table)
    kept = subjects(table)
    for _ in range(3):
        fetch_in_vain(table)
    fetch_now(table)

    assert kept == ["one", "two"]
    assert [one.uid for one in held(table)] == [first, second]


def test_any_number_of_bad_letters_is_passed_and_all_others_come(table: Table) -> None:
    uids = drop(table, *(f"letter {number}" for number in range(130)))
    table.mailbox.broken = set(uids[5:120:8])
    good = [f"letter {number}" for number, uid in enumerate(uids) if uid not in table.mailbox.broken]

    for _ in range(3 * len(table.mailbox.broken)):
        opened = table.mailbox.opened
        with suppress(MailboxDown):
            fetch_now(table)
        assert table.mailbox.opened <= opened + 1 + MOST_BREAKS

    assert cursor(table).good_at == table.now
    assert {one.uid for one in held(table)} == table.mailbox.broken
    assert sorted(subjects(table)) == sorted(good)
    assert table.mailbox.loaded == list(dict.fromkeys(table.mailbox.loaded))


def test_a_letter_that_takes_the_server_with_it_is_passed_too(table: Table) -> None:
    class Fatal(MemoryMailbox):
        def fetch_many(self, uids: Sequence[int]) -> Iterator[Fetched]:
            self.gone = not self.broken.isdisjoint(uids)
            yield from super().fetch_many(uids)

    table.mailbox = Fatal()
    uids = drop(table, *"abcdefgh")
    table.mailbox.broken = {uids[3]}
    kept = []
    for _ in range(4):
        fetch_in_vain(table)
        kept.append("".join(subjects(table)))
        table.mailbox.gone = False

    assert fetch_now(table) == 0
    assert kept == ["", "abc", "abc", "abcefgh"]
    assert [one.uid for one in held(table)] == [uids[3]]
    assert cursor(table).last_uid == uids[-1]


def test_where_letters_cannot_be_moved_they_are_judged_all_the_same(table: Table) -> None:
    table.post(table.reply("Ana", stake(table, "Ana")))
    table.post(table.reply("Bob", stake(table, "Bob")))
    table.mailbox.locked = True

    with pytest.raises(MailboxReadOnly):
        fetch_now(table)
    good_at = cursor(table).good_at
    table.tick()

    assert good_at == table.now - MINUTE
    assert len(table.moves()) >= 2
    assert list(table.mailbox.inbox) == [1, 2]
    assert table.mailbox.loaded == [1, 2]


def test_that_letters_cannot_be_moved_is_said_once_a_day(table: Table) -> None:
    drop(table, "one")
    table.mailbox.locked = True

    with pytest.raises(MailboxReadOnly):
        fetch_now(table)
    drop(table, "two")
    silent = [fetch_now(table) for _ in range(3)]
    with pytest.raises(MailboxReadOnly):
        fetch_now(table, timedelta(days=1))
    table.mailbox.locked = False
    table.tick()

    assert silent == [1, 0, 0]
    assert said(table.to_gm()[0]).count("not moved") == 2


def test_what_was_taken_in_is_counted_whatever_comes_after(table: Table) -> None:
    drop(table, "one")
    table.mailbox.locked = True
    counts: Counter[str] = Counter()

    with pytest.raises(MailboxReadOnly):
        fetch(table.service, table.mailbox, table.now, counts)

    assert counts == {"fetched": 1}


def test_when_letters_can_be_moved_again_all_are_and_the_next_trouble_is_said_at_once(table: Table) -> None:
    drop(table, "one")
    table.mailbox.locked = True
    with pytest.raises(MailboxReadOnly):
        fetch_now(table)
    table.mailbox.locked = False

    fetch_now(table)
    moved = dict(table.mailbox.moved)
    drop(table, "two")
    table.mailbox.locked = True
    with pytest.raises(MailboxReadOnly):
        fetch_now(table)

    assert moved == {"Processed": [1]}


def test_in_a_shared_mailbox_nothing_is_kept_of_a_letter_that_is_not_ours(set_table: SetTable) -> None:
    table = seated(set_table, shared=True)
    table.mailbox.drop_in(table.letter("aunt@private.test", "the surprise party", Subject="hush").as_bytes(), table.now)
    table.post(table.reply("Ana", stake(table, "Ana")))
    raw = table.mailbox.inbox[1][1]

    assert fetch_now(table) == 1
    assert fetch_now(table) == 0
    assert list(table.mailbox.inbox) == [1]
    assert cursor(table).last_uid == 2
    table.close()
    files = b"".join(file.read_bytes() for file in table.folder.glob("pbem.db*"))
    traces = (b"aunt@", b"surprise", b"hush", hashlib.sha256(raw).hexdigest().encode(), b"<letter1@")
    assert store_file(table).exists()
    assert [trace for trace in traces if trace in files] == []
    assert len(dump(table.service.store)["letters"]) == 1


def test_in_a_shared_mailbox_a_bad_letter_leaves_no_more_than_its_place(set_table: SetTable) -> None:
    table = seated(set_table, shared=True)
    bad = table.mailbox.drop_in(table.letter("aunt@private.test", "party", Subject="hush").as_bytes(), table.now)
    table.mailbox.broken = {bad}
    for _ in range(2):
        fetch_in_vain(table)
    fetch_now(table)
    (before,) = table.stored()
    table.mailbox.broken = set()
    fetch_now(table, timedelta(hours=1))
    (after,) = table.stored()

    assert (before.status, before.sender, before.message_id, before.digest) == ("held", "", "", "")
    assert (after.status, after.reason, after.raw, after.sender) == ("dropped", "private", b"", "")
    assert list(table.mailbox.inbox) == [bad]


@pytest.mark.parametrize(
    "fault",
    [
        "{tag} NO [SERVERBUG] cannot read it\r\n",
        "{tag} BAD what\r\n",
        f"* 2 FETCH (UID 2 INTERNALDATE {DATE} BODY[] {{500}}\r\nFrom: half",
        f"* 2 FETCH (UID 2 INTERNALDATE {DATE} BODY[] NIL)\r\n{{tag}} OK done\r\n",
        "* BYE it kills me\r\n",
        "",
        None,
    ],
)
def test_on_a_real_connection_a_bad_letter_is_passed_and_the_others_come(table: Table, fault: str | None) -> None:
    texts = {uid: f"From: x@elsewhere.test\r\nSubject: {uid}\r\n\r\nhello\r\n" for uid in range(1, 61)}
    inbox = Inbox(dict(texts))
    inbox.faults = {2: fault}
    results = []
    with scripted("* OK ready", inbox, connections=30) as server:
        account = Account("127.0.0.1", server.port, "none", "u", "pw", timeout=0.3)
        for _ in range(3):
            mailbox = ImapMailbox(account)
            table.now += MINUTE
            try:
                results.append(str(fetch(table.service, mailbox, table.now)))
            except MailboxDown:
                results.append("down")
            mailbox.close()

    assert results == ["down", "down", "0"]
    assert subjects(table) == [str(uid) for uid in texts if uid != 2]
    assert [(one.uid, one.reason, one.size) for one in held(table)] == [(2, "unfetched", len(texts[2]))]
    assert list(inbox.letters) == [2]
    assert inbox.moved == [uid for uid in texts if uid != 2]
