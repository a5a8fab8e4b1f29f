"""Waiting for new letters: real servers ring, and whatever goes wrong it is a clock."""

import socket
import threading
import time
from collections.abc import Callable

import pytest

from pbem.errors import TryLater
from pbem.mail.idle import Bell
from pbem.mail.imap import ImapMailbox
from pbem.mail.ports import Account
from pbem.mail.smtp import Sender
from tests.pbem.mail.scripted import Answer, imap, scripted
from tests.pbem.mail.test_imap import GREETING, arrived, deliver, fake, letter
from tests.servers import free_ports

IDLE = "IMAP4rev1 IDLE"
IDLING = "+ idling\r\n"
SOON = 20.0  # seconds; far more than any ring takes on a busy machine
SHORT = 0.5


def conversation(answers: list[str | None], **others: str | None) -> Answer:
    """Return an IMAP conversation with one letter in which *answers* follow IDLE and DONE, in turn; then silence."""
    left = list(answers)
    known = imap({"EXAMINE": "* 1 EXISTS\r\n{tag} OK [READ-ONLY] done\r\n", **others}, IDLE)

    def answer(line: str) -> str | None:
        if line == "DONE" or line.endswith(" IDLE"):
            return left.pop(0) if left else ""
        return known(line)

    return answer


def waited(bell: Bell, seconds: float) -> tuple[bool, float]:
    """Listen and wait; return whether it rang, and after how many seconds."""
    bell.listen()
    begun = time.monotonic()
    return bell.wait(seconds), time.monotonic() - begun


def test_a_letter_that_comes_rings_at_once(mail):
    user = mail.fresh()
    with Bell(lambda: mail.imap(user)) as bell:
        bell.listen()
        postman = threading.Timer(SHORT, deliver, (mail, user, letter("now")))
        postman.start()
        begun = time.monotonic()
        rang = bell.wait(SOON)
        took = time.monotonic() - begun
        postman.join()

    assert rang
    assert SHORT / 2 < took < SOON / 2


@pytest.mark.servers
@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_a_letter_rings_through_encryption_too(dovecot, fresh_user, monkeypatch, tls):
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))
    user = fresh_user()
    port = dovecot.imaps if tls == "tls" else dovecot.imap
    with Bell(lambda: Account("127.0.0.1", port, tls, user, "pw")) as bell:
        silent, _ = waited(bell, SHORT)
        with Sender(Account("127.0.0.1", dovecot.smtp, "none", user, "pw")) as sender:
            sender.send("a@pbem.test", user, letter("now"))
        rang, took = waited(bell, SOON)

    assert (silent, rang) == (False, True)
    assert took < SOON / 2


def test_without_a_letter_the_time_passes(mail):
    user = mail.fresh()
    with Bell(lambda: mail.imap(user)) as bell:
        rang, took = waited(bell, SHORT)

    assert not rang
    assert SHORT <= took < SOON


def test_a_letter_that_came_while_nobody_waited_rings_at_the_next_wait(mail):
    user = mail.fresh()
    deliver(mail, user, letter("old"))
    with Bell(lambda: mail.imap(user)) as bell:
        bell.listen()
        deliver(mail, user, letter("new"))
        first, took = waited(bell, SOON)
        second, _ = waited(bell, SHORT)

    assert (first, second) == (True, False)
    assert took < SOON / 2


def test_letters_that_are_moved_away_do_not_ring_and_the_next_one_does(mail):
    user = mail.fresh()
    with Bell(lambda: mail.imap(user)) as bell, ImapMailbox(mail.imap(user)) as mailbox, Sender(mail.smtp()) as sender:
        deliver(mail, user, letter("one"), letter("two"))
        bell.listen()
        mailbox.move_many(mailbox.new_uids(0), "Processed")
        moved, _ = waited(bell, SHORT)
        sender.send("a@pbem.test", user, letter("three"))
        arrived(mailbox, 0)
        came, _ = waited(bell, SOON)

    assert (moved, came) == (False, True)


@pytest.mark.parametrize("told", ["* 2 EXISTS\r\n", "* 7 RECENT\r\n* OK still here\r\n* 5 exists\r\n"])
def test_a_line_that_arrives_byte_by_byte_is_read_whole(told):
    with (
        scripted(GREETING, conversation([IDLING + told]), pause=0.005) as server,
        Bell(lambda: fake(server.port)) as bell,
    ):
        rang, took = waited(bell, SOON)

    assert rang
    assert took < SOON / 2


def test_half_a_line_is_kept_over_waits():
    gate = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            answer = conversation([IDLING + "* 2 EXI"])
            connection, _ = listener.accept()
            with connection, connection.makefile("rwb") as file:
                file.write(f"{GREETING}\r\n".encode())
                file.flush()
                for line in file:
                    file.write(str(answer(line.decode().rstrip())).encode())
                    file.flush()
                    if line.endswith(b" IDLE\r\n"):
                        gate.wait(SOON)
                        file.write(b"STS\r\n")
                        file.flush()

        server = threading.Thread(target=serve)
        server.start()
        with Bell(lambda: fake(listener.getsockname()[1])) as bell:
            first, _ = waited(bell, SHORT)
            gate.set()
            second, _ = waited(bell, SOON)
        server.join(SOON)

    assert (first, second) == (False, True)


@pytest.mark.parametrize(
    "told", ["* 1 EXISTS\r\n", "* 1 EXPUNGE\r\n* 1 EXISTS\r\n", "* 3 FETCH (FLAGS ())\r\n", "+ more\r\n"]
)
def test_what_is_no_news_does_not_ring(told):
    rings = "EXPUNGE" in told  # one went and one came
    with scripted(GREETING, conversation([IDLING + told])) as server, Bell(lambda: fake(server.port)) as bell:
        assert rings == waited(bell, SHORT)[0]


def test_news_before_the_server_has_begun_to_idle_rings():
    with (
        scripted(GREETING, conversation(["* 2 EXISTS\r\n" + IDLING])) as server,
        Bell(lambda: fake(server.port)) as bell,
    ):
        assert waited(bell, SOON)[0]


def test_idle_is_asked_for_anew_before_servers_hang_up():
    answers: list[str | None] = [IDLING, "idle1 OK done\r\n", IDLING, "* 2 EXISTS\r\nidle2 OK done\r\n", IDLING]
    with scripted(GREETING, conversation(answers)) as server, Bell(lambda: fake(server.port), renewal=0.1) as bell:
        rang, _ = waited(bell, SOON)

    assert rang
    assert ["idle1 IDLE", "DONE", "idle2 IDLE", "DONE", "idle3 IDLE"] == server.seen[-5:]


def test_renewal_is_due_at_least_every_nine_minutes():
    with Bell(lambda: fake(1)) as bell:
        assert bell._renewal <= 540  # noqa: SLF001


def test_where_idle_is_not_offered_it_is_a_clock_and_does_not_ask_again():
    with scripted(GREETING, imap({})) as server, Bell(lambda: fake(server.port)) as bell:
        rang, took = waited(bell, SHORT)
        waited(bell, 0)

    assert not rang
    assert took >= SHORT
    assert 1 == len([command for command in server.commands if command.startswith("LOGIN")])


@pytest.mark.parametrize(
    "answers",
    [
        [None],
        ["idle1 NO not now\r\n"],
        ["idle1 BAD what\r\n"],
        ["* BYE no\r\n"],
        [IDLING + "* BYE shutting down\r\n"],
        [IDLING + "idle1 OK that is all\r\n"],
        [IDLING, None],
        [IDLING, "idle1 BAD what\r\n"],
        [IDLING, "idle1 OK done\r\n", None],
    ],
)
def test_when_idling_breaks_off_the_time_still_passes_and_the_next_listening_is_a_new_one(answers):
    first, second = conversation(answers), conversation([IDLING + "* 2 EXISTS\r\n"])
    lines: list[str] = []

    def answer(line: str) -> str | None:
        lines.append(line)
        logins = sum("LOGIN" in one for one in lines)
        return (first if logins < 2 and "CAPABILITY" not in line else second)(line)

    with scripted(GREETING, answer) as server, Bell(lambda: fake(server.port), renewal=SHORT / 2) as bell:
        begun = time.monotonic()
        broken, _ = waited(bell, SHORT)
        took = time.monotonic() - begun
        anew, _ = waited(bell, SOON)

    assert (broken, anew) == (False, True)
    assert SHORT <= took < 4  # a server that has said that it does not is not waited for


@pytest.mark.parametrize("command", ["CAPABILITY", "LOGIN", "EXAMINE"])
@pytest.mark.parametrize("answer", ["{tag} NO no\r\n", "* BYE no\r\n", "nonsense\r\n", None, ""])
def test_where_no_connection_comes_about_it_is_a_clock(command, answer):
    answers = imap({command: answer}, IDLE)
    with scripted(GREETING, answers) as server, Bell(lambda: fake(server.port, timeout=0.2)) as bell:
        rang, took = waited(bell, 0.2)

    assert not rang
    assert took >= 0.2


def out_of_reach() -> Account:
    raise TryLater("secret.slow", key="token_command")


@pytest.mark.parametrize("account", [lambda: fake(free_ports(1)[0]), out_of_reach])
def test_where_nobody_listens_or_no_login_is_known_it_is_a_clock(account: Callable[[], Account]):
    with Bell(account) as bell:
        rang, took = waited(bell, 0.2)

    assert not rang
    assert took >= 0.2


def test_a_server_that_chatters_instead_of_answering_is_given_up(monkeypatch):
    monkeypatch.setattr("pbem.mail.idle._ANSWER", 0.3)
    chatter = conversation(["* OK wait\r\n" * 10_000])
    with scripted(GREETING, chatter, pause=0.005) as server, Bell(lambda: fake(server.port)) as bell:
        begun = time.monotonic()
        bell.listen()

    assert time.monotonic() - begun < SOON
