"""The mailbox, against real servers and against one that misbehaves."""

import base64
import imaplib
import time
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from pbem.mail.errors import LetterGone, MailboxDown, MailboxRefused
from pbem.mail.imap import ImapMailbox
from pbem.mail.ports import Account, MailboxPort
from pbem.mail.smtp import Sender
from tests.pbem.mail.conftest import Mail
from tests.pbem.mail.scripted import imap, scripted
from tests.servers import free_ports

GREETING = "* OK ready"


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
    other = imaplib.IMAP4("127.0.0.1", mail.imap_port)
    other.login(user, "pw")
    other.select("INBOX", readonly=True)
    _status, unseen = other.search(None, "UNSEEN")
    other.logout()

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


def test_below_a_personal_namespace_folders_get_its_prefix():
    answers = {
        "NAMESPACE": '* NAMESPACE (("INBOX." ".")) NIL NIL\r\n{tag} OK done\r\n',
        "UID MOVE": "{tag} NO [TRYCREATE] no such folder\r\n",
        "LIST": "{tag} OK done\r\n",
    }
    with scripted(GREETING, imap(answers, "IMAP4rev1 MOVE NAMESPACE")) as server:
        mailbox = ImapMailbox(fake(server.port))
        mailbox.open()

        with pytest.raises(MailboxDown, match="TRYCREATE"):
            mailbox.move(5, "pbem/Done")

    sent = [line.replace('"', "").partition(" ")[2] for line in server.seen]
    assert "CREATE INBOX.pbem.Done" in sent
    assert 2 == sent.count("UID MOVE 5 INBOX.pbem.Done")


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


def test_a_token_logs_in_with_xoauth2():
    tags: list[str] = []
    encoded: list[str] = []

    def answer(line: str) -> str | None:
        if tags and not encoded:
            encoded.append(line)
            return f"{tags[0]} OK done\r\n"
        if "AUTHENTICATE XOAUTH2" in line:
            tags.append(line.partition(" ")[0])
            return "+ \r\n"
        return imap({})(line)

    with scripted(GREETING, answer) as server, ImapMailbox(fake(server.port, secret="tok", token=True)) as mailbox:
        assert 7 == mailbox.uidvalidity

    assert b"user=u\1auth=Bearer tok\1\1" == base64.b64decode(encoded[0])


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
