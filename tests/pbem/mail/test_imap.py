"""The mailbox, against real servers and against one that misbehaves."""

import base64
import imaplib
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from pbem.mail.errors import LetterGone, MailboxDown, MailboxReadOnly, MailboxRefused
from pbem.mail.imap import ImapMailbox
from pbem.mail.ports import Account, MailboxPort
from pbem.mail.smtp import Sender
from tests.pbem.mail.conftest import Mail
from tests.pbem.mail.scripted import DATE, Inbox, Script, imap, scripted
from tests.servers import free_ports

GREETING = "* OK ready"
BYE = "* BYE shutting down\r\n"


def letter(subject: str, size: int = 0) -> bytes:
    lines = "x" * 70 + "\r\n"
    return f"From: a@pbem.test\r\nSubject: {subject}\r\n\r\nçã {subject}\r\n{lines * (size // 72)}".encode()


def deliver(mail: Mail, user: str, *letters: bytes) -> None:
    """Send *letters* to *user*, each when the one before has arrived: Postfix delivers in any order."""
    with Sender(mail.smtp()) as sender, ImapMailbox(mail.imap(user)) as mailbox:
        last = max(mailbox.new_uids(0), default=0)
        for raw in letters:
            assert "ok" == sender.send("a@pbem.test", user, raw).outcome
            last = arrived(mailbox, last)


def arrived(mailbox: ImapMailbox, after: int) -> int:
    """Wait for a letter and return its UID."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        uids = mailbox.new_uids(after)
        if uids:
            return uids[-1]
        time.sleep(0.01)
    raise TimeoutError("the mail does not arrive")


def fake(port: int, **changes: object) -> Account:
    return replace(Account("127.0.0.1", port, "none", "u", "pw", timeout=5.0), **changes)


@contextmanager
def opened(answer: object, greeting: str = GREETING, **changes: object) -> Iterator[tuple[ImapMailbox, Script]]:
    """Yield an open mailbox on a scripted server, and the server."""
    cap = {name: changes.pop(name) for name in ("cap", "run_limit") if name in changes}
    with (
        scripted(greeting, answer) as server,
        ImapMailbox(fake(server.port, **changes), **cap) as mailbox,
    ):
        yield mailbox, server


@contextmanager
def other_client(mail: Mail, user: str) -> Iterator[imaplib.IMAP4]:
    """Yield a second client of the same mailbox, as a phone is."""
    phone = imaplib.IMAP4("127.0.0.1", mail.imap_port)
    phone.login(user, "pw")
    phone.select("INBOX")
    try:
        yield phone
    finally:
        phone.logout()


def test_mailbox_is_a_port():
    mailbox: MailboxPort = ImapMailbox(fake(1))

    assert 0 == mailbox.uidvalidity


def test_letters_come_byte_for_byte_and_in_order(mail):
    user = mail.fresh()
    letters = [letter(f"letter {number}") for number in range(4)]
    deliver(mail, user, *letters)

    with ImapMailbox(mail.imap(user)) as mailbox:
        found = list(mailbox.fetch_many(mailbox.new_uids(0)))

        assert mailbox.uidvalidity > 0
        assert {mailbox.uidvalidity} == {one.uidvalidity for one in found}
    bodies = [raw.partition(b"\r\n\r\n")[2] for raw in letters]
    assert bodies == [one.raw.partition(b"\r\n\r\n")[2] for one in found]
    assert all(len(one.raw) == one.size and not one.truncated for one in found)


def test_internaldate_is_aware_utc(mail):
    user = mail.fresh()
    deliver(mail, user, letter("now"))

    with ImapMailbox(mail.imap(user)) as mailbox:
        head = mailbox.heads(mailbox.new_uids(0))[0]

    assert UTC == head.internaldate.tzinfo
    assert abs(datetime.now(UTC) - head.internaldate) < timedelta(minutes=1)


def test_only_newer_uids_are_named_although_the_last_one_always_matches(mail):
    user = mail.fresh()
    deliver(mail, user, letter("one"), letter("two"))

    with ImapMailbox(mail.imap(user)) as mailbox:
        first, last = mailbox.new_uids(0)

        assert [last] == mailbox.new_uids(first)
        assert [] == mailbox.new_uids(last)
        assert [] == mailbox.new_uids(last + 1000)


def test_heads_tell_size_and_headers_without_the_body(mail):
    user = mail.fresh()
    deliver(mail, user, letter("head", size=5000))

    with ImapMailbox(mail.imap(user)) as mailbox:
        (head,) = mailbox.heads(mailbox.new_uids(0))

    assert head.size > 4900
    assert b"Subject: head\r\n" in head.headers
    assert b"xxx" not in head.headers


def test_of_a_big_letter_only_the_beginning_is_loaded(mail):
    user = mail.fresh()
    deliver(mail, user, letter("small"), letter("big", size=9000), letter("small too"))

    with ImapMailbox(mail.imap(user), cap=4000) as mailbox:
        found = list(mailbox.fetch_many(mailbox.new_uids(0)))

    assert [False, True, False] == [one.truncated for one in found]
    assert 4000 == len(found[1].raw)
    assert found[1].size > 9000
    assert b"Subject: big" in found[1].raw


def test_reading_marks_nothing_as_seen(mail):
    user = mail.fresh()
    deliver(mail, user, letter("unread"))

    with ImapMailbox(mail.imap(user)) as mailbox:
        uids = mailbox.new_uids(0)
        mailbox.heads(uids)
        mailbox.fetch(uids[0])
    with other_client(mail, user) as phone:
        _status, unseen = phone.search(None, "UNSEEN")

    assert [b"1"] == unseen


def test_a_letter_is_moved_and_its_folder_made(mail):
    user = mail.fresh()
    deliver(mail, user, letter("one"), letter("two"), letter("three"))

    with ImapMailbox(mail.imap(user)) as mailbox:
        one, two, three = mailbox.new_uids(0)
        mailbox.move(one, "Processed")
        mailbox.move_many([two, three], "Processed")
        mailbox.move_many([], "Processed")

        assert [] == mailbox.new_uids(0)
    with ImapMailbox(mail.imap(user), "Processed") as mailbox:
        assert 3 == len(mailbox.new_uids(0))


def test_moving_and_reading_a_letter_that_is_gone(mail):
    user = mail.fresh()
    deliver(mail, user, letter("one"))

    with ImapMailbox(mail.imap(user)) as mailbox:
        (uid,) = mailbox.new_uids(0)
        mailbox.move(uid, "Processed")
        mailbox.move(uid, "Processed")

        assert [] == mailbox.heads([uid])
        assert [] == list(mailbox.fetch_many([uid]))
        with pytest.raises(LetterGone):
            mailbox.fetch(uid)


def test_an_open_mailbox_sees_what_arrives(mail):
    user = mail.fresh()
    with ImapMailbox(mail.imap(user)) as mailbox:
        assert [] == mailbox.new_uids(0)
        deliver(mail, user, letter("later"))

        assert 1 == len(mailbox.new_uids(0))


@pytest.mark.servers
@pytest.mark.parametrize("tls", ["none", "starttls", "tls"])
def test_each_kind_of_encryption_and_a_wrong_password(dovecot, fresh_user, monkeypatch, tls):
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))
    port = dovecot.imaps if tls == "tls" else dovecot.imap
    good = Account("127.0.0.1", port, tls, fresh_user(), "pw")

    with ImapMailbox(good) as mailbox:
        assert [] == mailbox.new_uids(0)
    with pytest.raises(MailboxRefused):
        ImapMailbox(Account("127.0.0.1", port, tls, good.user, "wrong")).open()


@pytest.mark.servers
@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_an_unknown_certificate_is_not_trusted(dovecot, fresh_user, tls):
    port = dovecot.imaps if tls == "tls" else dovecot.imap

    with pytest.raises(MailboxDown, match="certificate"):
        ImapMailbox(Account("127.0.0.1", port, tls, fresh_user(), "pw")).open()


@pytest.mark.servers
def test_a_kicked_connection_is_down_and_can_be_opened_anew(dovecot, fresh_user):
    mailbox = ImapMailbox(Account("127.0.0.1", dovecot.imap, "none", fresh_user(), "pw"))
    mailbox.open()
    dovecot.doveadm("kick", mailbox._account.user)  # noqa: SLF001

    with pytest.raises(MailboxDown):
        mailbox.new_uids(0)
    with pytest.raises(MailboxDown, match="not connected"):
        mailbox.new_uids(0)
    mailbox.open()

    assert [] == mailbox.new_uids(0)
    mailbox.close()


@pytest.mark.servers
def test_a_password_beyond_ascii_is_refused_and_not_broken(dovecot, fresh_user):
    with pytest.raises(MailboxRefused):
        ImapMailbox(Account("127.0.0.1", dovecot.imap, "none", fresh_user(), "senhã")).open()


def test_nobody_listens():
    with pytest.raises(MailboxDown, match="cannot connect"):
        ImapMailbox(fake(free_ports(1)[0])).open()


def test_calls_before_open_and_after_close_are_down():
    mailbox = ImapMailbox(fake(1))
    mailbox.close()

    with pytest.raises(MailboxDown, match="not connected"):
        mailbox.fetch(1)


def test_a_server_that_says_nothing_is_given_up():
    with scripted(GREETING, imap({"UID SEARCH": ""})) as server:
        mailbox = ImapMailbox(fake(server.port, timeout=0.3))
        mailbox.open()

        with pytest.raises(MailboxDown, match="timed out"):
            mailbox.new_uids(0)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        '* 1 FETCH (UID 5 RFC822.SIZE 900 INTERNALDATE "01-Jan-2026 10:00:00 +0000" BODY[HEADER] {500}\r\nSubj',
        "* 1 FETCH (UID 5 RFC822.SIZE\r\n{tag} OK done\r\n",
        "* 1 FETCH ((((\r\n{tag} OK done\r\n",
        '* 1 FETCH (UID 5 RFC822.SIZE many INTERNALDATE "01-Jan-2026 10:00:00 +0000")\r\n{tag} OK done\r\n',
        '* 1 FETCH (UID 5 RFC822.SIZE 5 INTERNALDATE "32-Foo-2026 10:00:00 +0000")\r\n{tag} OK done\r\n',
        "* 1 FETCH (UID 5 RFC822.SIZE 5 INTERNALDATE NIL)\r\n{tag} OK done\r\n",
        "{tag} NO not now\r\n",
        "{tag} BAD what\r\n",
        "nonsense\r\n",
        "* BYE shutting down\r\n",
    ],
)
def test_a_broken_answer_is_never_taken_for_no_mail(answer):
    with scripted(GREETING, imap({"UID FETCH": answer})) as server:
        mailbox = ImapMailbox(fake(server.port, timeout=0.5))
        mailbox.open()

        with pytest.raises(MailboxDown):
            mailbox.heads([5])
        with pytest.raises(MailboxDown, match="not connected"):
            mailbox.heads([5])


def test_letters_before_a_lost_connection_are_given_out():
    sizes = "".join(
        f'* {n} FETCH (UID {n} RFC822.SIZE 1 INTERNALDATE "01-Jan-2026 10:00:00 +0000")\r\n' for n in range(1, 61)
    )
    batches = iter(
        [
            f"{sizes}{{tag}} OK done\r\n",
            '* 1 FETCH (UID 1 INTERNALDATE "01-Jan-2026 10:00:00 +0000" BODY[] "x")\r\n{tag} OK done\r\n',
            None,
        ]
    )

    def answer(line: str) -> str | None:
        return imap({"UID FETCH": next(batches) if "FETCH" in line else ""})(line)

    with scripted(GREETING, answer) as server:
        mailbox = ImapMailbox(fake(server.port))
        mailbox.open()
        letters = mailbox.fetch_many(range(1, 61))

        assert b"x" == next(letters).raw
        with pytest.raises(MailboxDown):
            next(letters)


@pytest.mark.parametrize("capabilities", ["IMAP4rev1", "IMAP4rev1 UIDPLUS"])
def test_without_move_a_letter_is_copied_marked_and_only_it_expunged(capabilities):
    with scripted(GREETING, imap({}, capabilities)) as server, ImapMailbox(fake(server.port)) as mailbox:
        mailbox.move(5, "Processed")

    commands = [" ".join(line.split()[1:]) for line in server.seen]
    assert "UID COPY 5 Processed" in [command.replace('"', "") for command in commands]
    assert any(command.startswith("UID STORE 5 +FLAGS.SILENT") for command in commands)
    assert ("UIDPLUS" in capabilities) == ("UID EXPUNGE 5" in commands)
    assert "EXPUNGE" not in commands


NAMESPACES = [
    ('(("INBOX." "."))', "INBOX.pbem.Done"),
    ('(("" "."))', "pbem.Done"),
    ('(("" NIL))', "pbem/Done"),
    ("NIL", "pbem/Done"),
]


@pytest.mark.parametrize(("personal", "name"), NAMESPACES)
def test_a_folder_is_made_below_the_personal_namespace_with_its_separator(personal, name):
    inbox = Inbox(
        {5: "x"},
        "IMAP4rev1 MOVE NAMESPACE",
        NAMESPACE=f"* NAMESPACE {personal} NIL NIL\r\n{{tag}} OK done\r\n",
        LIST="{tag} OK done\r\n",
    )
    with opened(inbox) as (mailbox, server):
        mailbox.move(5, "pbem/Done")

    assert [f"CREATE {name}", f"SUBSCRIBE {name}", f"UID MOVE 5 {name}"] == server.commands[-4:-1]
    assert [5] == inbox.moved


def test_without_namespaces_the_separator_is_asked_for_and_inbox_is_the_second_try():
    answers = {"LIST": '* LIST (\\Noselect) "." ""\r\n{tag} OK done\r\n', "SUBSCRIBE": "{tag} NO never\r\n"}

    def answer(line: str) -> str | None:
        tag, _, rest = line.replace('"', "").partition(" ")
        if rest == "CREATE pbem.Done":
            return f"{tag} NO only below INBOX\r\n"
        if rest.startswith("LIST") and rest != "LIST  ":
            return f"{tag} OK no such folder\r\n"
        return inbox(line)

    inbox = Inbox({5: "x"}, **answers)
    with opened(answer) as (mailbox, server):
        mailbox.move(5, "pbem/Done")

    assert "UID MOVE 5 INBOX.pbem.Done" in server.commands
    assert [5] == inbox.moved


def test_a_folder_that_is_there_is_not_made():
    there = '* LIST () "/" Processed\r\n{tag} OK done\r\n'
    with opened(Inbox({5: "x"}, LIST=there)) as (mailbox, server):
        mailbox.move(5, "Processed")

    assert "UID MOVE 5 Processed" in server.commands
    assert not [command for command in server.commands if command.startswith("CREATE")]


@pytest.mark.parametrize("answer", ["{tag} NO not for you\r\n", "{tag} BAD what\r\n"])
def test_a_server_that_does_not_tell_its_namespaces_gets_plain_names(answer):
    with opened(Inbox({5: "x"}, "IMAP4rev1 MOVE NAMESPACE", NAMESPACE=answer)) as (mailbox, server):
        mailbox.move(5, "Processed")

    assert "UID MOVE 5 Processed" in server.commands


def test_folder_names_go_out_in_modified_utf_7():
    with opened(Inbox({5: "x"})) as (mailbox, server):
        mailbox.move(5, "Já lido & feito")

    assert "UID MOVE 5 J&AOE- lido &- feito" in server.commands


def test_a_folder_with_an_accent_is_made_and_found_again(mail):
    user = mail.fresh()
    deliver(mail, user, letter("one"), letter("two"))

    with ImapMailbox(mail.imap(user)) as mailbox:
        one, two = mailbox.new_uids(0)
        mailbox.move(one, "Já lido")
        mailbox.move(two, "Já lido")
    with ImapMailbox(mail.imap(user), "Já lido") as mailbox:
        assert 2 == len(mailbox.new_uids(0))


REFUSALS = [
    {"UID_MOVE": "{tag} NO [OVERQUOTA] the folder is full\r\n"},
    {"UID_MOVE": "{tag} NO [NOPERM] not here\r\n"},
    {"UID_MOVE": "{tag} BAD what\r\n"},
    {"CREATE": "{tag} NO [CANNOT] no folders for you\r\n"},
    {"capabilities": "IMAP4rev1", "UID_COPY": "{tag} NO [OVERQUOTA] full\r\n"},
    {"capabilities": "IMAP4rev1", "UID_STORE": "{tag} NO [NOPERM] no marks\r\n"},
]


@pytest.mark.parametrize("answers", REFUSALS)
def test_a_refused_move_is_said_and_reading_goes_on(answers):
    inbox = Inbox({5: "x", 6: "y"}, **answers)
    with opened(inbox) as (mailbox, server):
        with pytest.raises(MailboxReadOnly, match="move"):
            mailbox.move_many([5, 6], "Processed")

        assert [5, 6] == mailbox.new_uids(0)
        assert "x" == mailbox.fetch(5).raw.decode()
    assert 1 == len([line for line in server.seen if "LOGIN" in line])


def test_a_mailbox_that_can_only_be_read_is_read():
    select = "* 1 EXISTS\r\n* OK [UIDVALIDITY 9] ok\r\n{tag} OK [READ-ONLY] done\r\n"
    inbox = Inbox({5: "x"}, SELECT=select, EXAMINE=select)
    with opened(inbox) as (mailbox, server):
        assert 9 == mailbox.uidvalidity
        assert b"x" == mailbox.fetch(*mailbox.new_uids(0)).raw
        with pytest.raises(MailboxReadOnly, match="only be read"):
            mailbox.move(5, "Processed")
        assert [5] == mailbox.new_uids(0)

    assert ["SELECT INBOX", "EXAMINE INBOX"] == server.commands[2:4]
    assert not [command for command in server.commands if command.startswith(("UID MOVE", "CREATE"))]


def test_nothing_is_copied_where_no_letter_can_be_marked_as_deleted():
    select = "* 1 EXISTS\r\n* OK [PERMANENTFLAGS (\\Seen)] ok\r\n{tag} OK [READ-WRITE] done\r\n"
    with (
        opened(Inbox({5: "x"}, "IMAP4rev1", SELECT=select)) as (mailbox, server),
        pytest.raises(MailboxReadOnly, match="Deleted"),
    ):
        mailbox.move(5, "Processed")

    assert not [command for command in server.commands if command.startswith("UID COPY")]


@pytest.mark.parametrize("left", [{}, {6: "y"}])
def test_a_move_that_is_refused_because_letters_are_gone_moves_the_others(left):
    def answer(line: str) -> str | None:
        command = line.split(maxsplit=1)[1]
        if command.startswith("UID MOVE") and "5" in command:
            return f"{line.split(maxsplit=1)[0]} NO no such message\r\n"
        return inbox(line)

    inbox = Inbox(dict(left))
    with opened(answer) as (mailbox, _):
        mailbox.move_many([5, 6], "Processed")

    assert list(left) == inbox.moved


@pytest.mark.parametrize("ending", [None, "* BYE the move failed: shutting down\r\n"])
def test_a_connection_that_is_lost_in_a_move_is_no_refusal(ending):
    with opened(Inbox({5: "x"}, UID_MOVE=ending)) as (mailbox, _), pytest.raises(MailboxDown):
        mailbox.move(5, "Processed")


def test_the_command_for_many_letters_is_cut_into_lines_that_servers_take():
    inbox = Inbox(dict.fromkeys(range(100000, 102000), "x"))
    with opened(inbox) as (mailbox, server):
        uids = mailbox.new_uids(0)
        assert 2000 == len(list(mailbox.fetch_many(uids)))
        mailbox.move_many(uids, "Processed")
    assert uids == inbox.moved
    assert max(map(len, server.seen)) < 8000


def test_five_hundred_letters_take_few_round_trips():
    inbox = Inbox({uid: f"letter {uid}" for uid in range(1, 501)})
    with opened(inbox) as (mailbox, server):
        before = len(server.seen)
        found = list(mailbox.fetch_many(mailbox.new_uids(0)))
        trips = len(server.seen) - before

    assert [f"letter {uid}".encode() for uid in range(1, 501)] == [one.raw for one in found]
    assert trips <= 25


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("{tag} NO [AUTHENTICATIONFAILED] wrong\r\n", MailboxRefused),
        ("{tag} NO [UNAVAILABLE] try again\r\n", MailboxDown),
        (None, MailboxDown),
    ],
)
def test_only_a_refused_login_is_refused(answer, error):
    with scripted(GREETING, imap({"LOGIN": answer})) as server, pytest.raises(error):
        ImapMailbox(fake(server.port)).open()


def sasl(answers: list[str], capabilities: str, sent: list[str]) -> object:
    """Return a conversation in which *answers* follow AUTHENTICATE one by one; what the client says goes to *sent*."""
    left: list[str] = []
    tags: list[str] = []

    def answer(line: str) -> str | None:
        if left:
            sent.append(line)
            return left.pop(0).replace("{tag}", tags[0])
        if "AUTHENTICATE" in line:
            tags.append(line.partition(" ")[0])
            left.extend(answers)
            return "+ \r\n"
        return imap({}, capabilities)(line)

    return answer


@pytest.mark.parametrize(
    ("offered", "mechanism", "proof"),
    [
        ("", "XOAUTH2", "user=u,=@x\1auth=Bearer tok\1\1"),
        (" AUTH=XOAUTH2", "XOAUTH2", "user=u,=@x\1auth=Bearer tok\1\1"),
        (" AUTH=XOAUTH2 AUTH=OAUTHBEARER", "XOAUTH2", "user=u,=@x\1auth=Bearer tok\1\1"),
        (" AUTH=OAUTHBEARER", "OAUTHBEARER", "n,a=u=2C=3D@x,\1auth=Bearer tok\1\1"),
    ],
)
def test_a_token_logs_in_in_the_way_that_is_offered(offered, mechanism, proof):
    sent: list[str] = []
    answer = sasl(["{tag} OK in\r\n"], f"IMAP4rev1{offered}", sent)
    with opened(answer, user="u,=@x", secret="tok", token=True) as (mailbox, server):
        assert 7 == mailbox.uidvalidity

    assert f"AUTHENTICATE {mechanism}" in server.commands
    assert [proof.encode()] == [base64.b64decode(line) for line in sent]


@pytest.mark.parametrize(("offered", "closing"), [("AUTH=XOAUTH2", ""), ("AUTH=OAUTHBEARER", "AQ==")])
def test_the_reason_for_a_refused_token_is_asked_for_and_told(offered, closing):
    sent: list[str] = []
    challenge = base64.b64encode(b'{"status":"invalid_token","scope":"mail"}').decode()
    answer = sasl([f"+ {challenge}\r\n", "{tag} NO AUTHENTICATE failed\r\n"], f"IMAP4rev1 {offered}", sent)

    with (
        pytest.raises(MailboxRefused, match=r'failed.*"invalid_token"') as caught,
        opened(answer, secret="t0k", token=True),
    ):
        pass

    assert closing == sent[1]
    assert "t0k" not in str(caught.value)


@pytest.mark.parametrize("token", [False, True])
@pytest.mark.parametrize("secret", ['h"unter\\2', "hunter2", "sénha"])
def test_a_server_that_repeats_the_secret_does_not_get_it_into_a_message(token, secret):
    def answer(line: str) -> str | None:
        tag, _, command = line.partition(" ")
        if command.startswith("AUTHENTICATE"):
            tags.append(tag)
            return "+ \r\n"
        if command.startswith("LOGIN"):
            return f"{tag} NO wrong: {command}\r\n"
        return f"{tags[0]} NO wrong: {line}, that is {secret}\r\n" if tags else imap({})(line)

    tags: list[str] = []
    with pytest.raises(MailboxRefused, match="wrong") as caught, opened(answer, secret=secret, token=token):
        pass

    said = str(caught.value)
    proofs = [f"\0u\0{secret}", f"user=u\1auth=Bearer {secret}\1\1"]
    assert not [
        one for one in (secret, "unter", *(base64.b64encode(p.encode()).decode() for p in proofs)) if one in said
    ]


def test_where_login_is_disabled_the_password_goes_by_sasl():
    sent: list[str] = []
    answer = sasl(["{tag} OK in\r\n"], "IMAP4rev1 LOGINDISABLED AUTH=PLAIN", sent)
    with opened(answer) as (mailbox, server):
        assert 7 == mailbox.uidvalidity

    assert [b"\0u\0pw"] == [base64.b64decode(line) for line in sent]
    assert not [command for command in server.commands if command.startswith("LOGIN ")]


def test_where_no_password_is_taken_none_is_sent():
    with (
        scripted(GREETING, imap({}, "IMAP4rev1 LOGINDISABLED STARTTLS")) as server,
        pytest.raises(MailboxRefused, match=r"LOGINDISABLED.*imap\.tls"),
    ):
        ImapMailbox(fake(server.port)).open()

    assert not [line for line in server.seen if "pw" in line or "AUTHENTICATE" in line]


@pytest.mark.parametrize(
    ("answers", "capabilities", "error"),
    [
        ({}, "IMAP4rev1 AUTH=PLAIN", MailboxRefused),
        ({"STARTTLS": "{tag} NO not today\r\n"}, "IMAP4rev1 STARTTLS", MailboxDown),
        ({"STARTTLS": "{tag} OK go on\r\nno TLS\r\n"}, "IMAP4rev1 STARTTLS", MailboxDown),
        ({"STARTTLS": None}, "IMAP4rev1 STARTTLS LOGINDISABLED", MailboxDown),
    ],
)
def test_without_the_encryption_that_was_asked_for_no_password_is_sent(answers, capabilities, error):
    with scripted(GREETING, imap(answers, capabilities)) as server, pytest.raises(error):
        ImapMailbox(fake(server.port, tls="starttls", timeout=1)).open()

    assert not [line for line in server.seen if "pw" in line or "LOGIN" in line or "AUTHENTICATE" in line]


def test_a_server_that_greets_as_logged_in_gets_no_encryption_and_no_password():
    with scripted("* PREAUTH welcome", imap({}, "IMAP4rev1 STARTTLS")) as server, pytest.raises(MailboxDown):
        ImapMailbox(fake(server.port, tls="starttls", timeout=1)).open()

    assert not [line for line in server.seen if "pw" in line]


@pytest.mark.servers
def test_what_was_slipped_in_before_the_encryption_does_not_count(dovecot, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(dovecot.certificate, dovecot.directory / "key.pem")
    talk = imap({}, "IMAP4rev1 STARTTLS")

    def converse(connection: socket.socket) -> None:
        with connection.makefile("rwb") as file:
            for line in file:
                file.write(str(talk(line.decode().rstrip())).encode())
                if b"STARTTLS" in line:
                    letters, number = re.match(rb"([A-Z]+)(\d+)", line).groups()
                    file.write(b"* CAPABILITY IMAP4rev1 LOGINDISABLED\r\n")
                    file.write(b"%s%d OK done\r\n" % (letters, int(number) + 1))
                file.flush()
                if b"STARTTLS" in line:
                    return

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(f"{GREETING}\r\n".encode())
            converse(connection)
            with context.wrap_socket(connection, server_side=True) as encrypted:
                converse(encrypted)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=serve)
        server.start()
        with ImapMailbox(fake(listener.getsockname()[1], tls="starttls")) as mailbox:
            assert 7 == mailbox.uidvalidity
        server.join(5)


def test_a_user_name_is_quoted():
    with opened(imap({}), user='a b"c\\d') as (_, server):
        pass

    assert 'LOGIN "a b\\"c\\\\d" "pw"' in [line.partition(" ")[2] for line in server.seen]


def test_a_run_ends_when_its_time_is_over():
    with scripted(GREETING, imap({})) as server:
        mailbox = ImapMailbox(fake(server.port), run_limit=-1)

        with pytest.raises(MailboxDown, match="too long"):
            mailbox.open()


def test_no_error_shows_the_secret():
    with scripted(GREETING, imap({"LOGIN": "{tag} NO no\r\n"})) as server, pytest.raises(MailboxRefused) as caught:
        ImapMailbox(fake(server.port, secret="hunter2")).open()

    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in repr(fake(1, secret="hunter2"))


def test_the_time_of_a_run_goes_on_when_the_mailbox_is_opened_anew():
    with scripted(GREETING, imap({})) as server:
        mailbox = ImapMailbox(fake(server.port), run_limit=0.3)
        mailbox.open()
        time.sleep(0.3)

        with pytest.raises(MailboxDown, match="too long"):
            mailbox.open()
        mailbox.close()
        mailbox.open()
        mailbox.close()


def test_a_server_that_never_greets_is_given_up():
    with scripted("* O", imap({}), pause=0.01) as server, pytest.raises(MailboxDown, match="cannot connect"):
        ImapMailbox(fake(server.port, timeout=0.3)).open()


def test_a_server_that_always_has_a_little_more_is_given_up_when_the_time_is_over():
    begun = time.monotonic()
    with scripted(GREETING, Inbox({5: "x" * 5000}), pause=0.01) as server:
        mailbox = ImapMailbox(fake(server.port, timeout=5), run_limit=4)
        with pytest.raises(MailboxDown):
            use(mailbox)

    assert time.monotonic() - begun < 10


def test_a_silent_good_bye_holds_nobody_up(monkeypatch):
    monkeypatch.setattr("pbem.mail.imap._PARTING", 0.2)
    begun = time.monotonic()
    with opened(imap({"LOGOUT": ""}), timeout=30):
        pass

    assert time.monotonic() - begun < 5


COMMANDS = ["CAPABILITY", "LOGIN", "SELECT", "NOOP", "UID SEARCH", "UID FETCH", "UID MOVE"]


def use(mailbox: ImapMailbox) -> None:
    """Ask all that can be asked of a mailbox with one letter."""
    mailbox.open()
    assert [5] == mailbox.new_uids(0)
    assert [b"x"] == [one.raw for one in mailbox.fetch_many([5])]
    mailbox.move(5, "Processed")
    assert [] == mailbox.new_uids(0)


@pytest.mark.parametrize(
    ("command", "ending"),
    [(command, ending) for command in COMMANDS for ending in (BYE, None)]
    + [(command, "{tag} OK good\r\n" + BYE) for command in ("LOGIN", "SELECT", "NOOP", "UID MOVE")],
)
def test_a_server_that_says_good_bye_at_any_point_is_down(command, ending):
    with scripted(GREETING, Inbox({5: "x"}, **{command.replace(" ", "_"): ending})) as server:
        mailbox = ImapMailbox(fake(server.port, timeout=0.3))
        with pytest.raises(MailboxDown):
            use(mailbox)
        mailbox.close()


def test_a_good_bye_instead_of_a_greeting_is_down():
    with scripted("* BYE too many connections", imap({})) as server, pytest.raises(MailboxDown, match="too many"):
        ImapMailbox(fake(server.port)).open()


@pytest.mark.parametrize(
    "fault",
    [
        f"* 5 FETCH (UID 5 INTERNALDATE {DATE} BODY[] {{500}}\r\nFrom: half",
        "{tag} NO [SERVERBUG] cannot read it\r\n",
        "{tag} BAD what\r\n",
        f"* 5 FETCH (UID 5 INTERNALDATE {DATE} BODY[] NIL)\r\n{{tag}} OK done\r\n",
        "* 5 FETCH (UID 5 INTERNALDATE NIL BODY[] x)\r\n{tag} OK done\r\n",
        "{tag} OK done\r\n",
        BYE,
        "",
        None,
    ],
)
def test_a_letter_that_is_there_and_does_not_come_is_never_taken_for_gone(fault):
    inbox = Inbox({4: "good", 5: "bad", 6: "good too"})
    inbox.faults = {5: fault}
    with scripted(GREETING, inbox) as server:
        mailbox = ImapMailbox(fake(server.port, timeout=0.3))
        mailbox.open()
        assert [4, 5, 6] == mailbox.new_uids(0)
        with pytest.raises(MailboxDown):
            list(mailbox.fetch_many([4, 5, 6]))
        mailbox.open()

        assert [b"good", b"good too"] == [one.raw for one in mailbox.fetch_many([4, 6])]
        mailbox.close()


def test_a_letter_of_which_nothing_is_told_although_it_is_there_is_not_passed():
    inbox = Inbox({5: "a", 6: "b"})
    inbox.hidden = {5}
    with opened(inbox) as (mailbox, _), pytest.raises(MailboxDown, match="do not come"):
        list(mailbox.fetch_many([5, 6]))


def test_letters_that_others_remove_between_the_search_and_the_loading_are_passed(mail):
    user = mail.fresh()
    deliver(mail, user, *(letter(f"letter {number}") for number in range(4)))

    with ImapMailbox(mail.imap(user)) as mailbox:
        uids = mailbox.new_uids(0)
        with other_client(mail, user) as phone:
            phone.store("2:3", "+FLAGS", r"(\Deleted)")
            phone.expunge()
        mailbox.close()  # Dovecot refuses to load what is gone until it has told so: the pass would connect anew
        mailbox.open()
        found = list(mailbox.fetch_many(uids))

    assert [uids[0], uids[3]] == [one.uid for one in found]


def test_a_letter_that_a_phone_has_marked_as_read_is_read_all_the_same(mail):
    user = mail.fresh()
    deliver(mail, user, letter("one"), letter("two"))
    with other_client(mail, user) as phone:
        phone.store("1:2", "+FLAGS", r"(\Seen \Flagged \Answered)")

    with ImapMailbox(mail.imap(user)) as mailbox:
        found = list(mailbox.fetch_many(mailbox.new_uids(0)))
    with other_client(mail, user) as phone:
        _, flagged = phone.search(None, "SEEN FLAGGED ANSWERED")

    assert 2 == len(found)
    assert [b"1 2"] == flagged


def test_marks_that_change_while_letters_are_loaded_do_not_matter():
    noise = "* 6 FETCH (FLAGS (\\Seen))\r\n* 5 FETCH (FLAGS ())\r\n"
    inbox = Inbox({5: "a", 6: "b"}, NOOP=noise + "{tag} OK done\r\n")
    with opened(inbox) as (mailbox, server):
        found = list(mailbox.fetch_many(mailbox.new_uids(0)))

    assert [(5, b"a"), (6, b"b")] == [(one.uid, one.raw) for one in found]
    assert not [command for command in server.commands if "FLAGS" in command or "SEEN" in command.upper()]


def test_of_a_letter_of_a_hundred_megabytes_only_the_cap_is_asked_for_and_comes():
    cap = 50_000
    inbox = Inbox({5: "x" * 10 * cap, 6: "small"})
    inbox.sizes = {5: 100_000_000}
    with opened(inbox, cap=cap) as (mailbox, server):
        big, small = mailbox.fetch_many(mailbox.new_uids(0))

    bodies = [command for command in server.commands if "BODY" in command]
    assert (100_000_000, True, cap) == (big.size, big.truncated, len(big.raw))
    assert (5, False) == (small.size, small.truncated)
    assert [f"UID FETCH 5 (INTERNALDATE BODY.PEEK[]<0.{cap}>)", "UID FETCH 6 (INTERNALDATE BODY.PEEK[])"] == bodies
    assert server.sent < cap + 3000


@pytest.mark.parametrize("told", [100_000_000, 10])
def test_a_server_that_sends_more_than_was_asked_for_is_cut_off(told):
    cap = 20_000
    inbox = Inbox({5: "x"})
    inbox.sizes = {5: told}
    length = 64 << 20
    inbox.faults = {5: f"* 5 FETCH (UID 5 INTERNALDATE {DATE} BODY[]<0> {{{length}}}\r\n" + "x" * length}
    with opened(inbox, cap=cap) as (mailbox, server), pytest.raises(MailboxDown, match="a literal of"):
        mailbox.fetch(5)

    assert server.sent < length // 2


def test_a_letter_that_is_longer_than_told_is_cut_at_the_cap():
    inbox = Inbox({5: "x" * 1500})
    inbox.sizes = {5: 900}
    with opened(inbox, cap=1000) as (mailbox, _):
        found = mailbox.fetch(5)

    assert (1500, True, 1000) == (found.size, found.truncated, len(found.raw))


def test_no_batch_is_heavier_than_a_few_megabytes(monkeypatch):
    monkeypatch.setattr("pbem.mail.imap._BATCH_BYTES", 1000)
    inbox = Inbox(dict.fromkeys(range(1, 8), "x" * 400))
    with opened(inbox) as (mailbox, server):
        found = list(mailbox.fetch_many(mailbox.new_uids(0)))

    loads = [command.split()[2] for command in server.commands if "BODY" in command]
    assert 7 == len(found)
    assert ["1,2", "3,4", "5,6", "7"] == loads
