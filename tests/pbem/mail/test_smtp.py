"""Sending, against real servers and against one that misbehaves."""

import base64

import pytest
from msgspec.structs import replace

from pbem.mail.errors import SmtpDown, SmtpRefused
from pbem.mail.imap import ImapMailbox
from pbem.mail.ports import Account, SmtpPort
from pbem.mail.smtp import Sender
from tests.pbem.mail.scripted import scripted, smtp
from tests.pbem.mail.test_imap import arrived
from tests.servers import free_ports

GREETING = "220 ready"
MAIL = b"From: pbem@pbem.test\r\nSubject: x\r\n\r\nhello\r\n"


def fake(port: int, **changes: object) -> Account:
    return replace(Account("127.0.0.1", port, "none", "", "pw", timeout=5.0), **changes)


def send(account: Account, recipient: str = "a@pbem.test", raw: bytes = MAIL):
    with Sender(account) as sender:
        return sender.send("pbem@pbem.test", recipient, raw)


def test_sender_is_a_port():
    sender: SmtpPort = Sender(fake(1))

    sender.close()


def test_a_mail_arrives_also_at_a_plus_address(mail):
    user = mail.fresh()
    local, _, domain = user.partition("@")

    delivery = send(mail.smtp(user), f"{local}+g12.s2.d141.k7f3q9xk2m@{domain}")

    assert ("ok", 250) == (delivery.outcome, delivery.code)
    with ImapMailbox(mail.imap(user)) as mailbox:
        letter = mailbox.fetch(arrived(mailbox, 0))
    assert f"Delivered-To: {local}+g12.s2.d141.k7f3q9xk2m@{domain}".encode() in letter.raw
    assert letter.raw.endswith(b"\r\n\r\nhello\r\n")


def test_answers_about_one_mail_are_values(mail):
    with Sender(mail.smtp()) as sender:
        answers = [
            sender.send("pbem@pbem.test", who, MAIL) for who in ("reject@pbem.test", "tempfail@pbem.test", mail.fresh())
        ]

    assert [("refused", 550), ("later", 450), ("ok", 250)] == [(one.outcome, one.code) for one in answers]
    assert "no such player" in answers[0].text


def test_lines_with_dots_and_bare_line_ends_arrive(mail):
    user = mail.fresh()

    send(mail.smtp(), user, b"From: a@pbem.test\n\n.\n..x\n.y\nend\n")

    with ImapMailbox(mail.imap(user)) as mailbox:
        assert mailbox.fetch(arrived(mailbox, 0)).raw.endswith(b"\r\n\r\n.\r\n..x\r\n.y\r\nend\r\n")


@pytest.mark.servers
@pytest.mark.parametrize("tls", ["none", "starttls", "tls"])
def test_each_kind_of_encryption_and_a_wrong_password(dovecot, fresh_user, monkeypatch, tls):
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))
    port = dovecot.smtps if tls == "tls" else dovecot.smtp
    user = fresh_user()

    with Sender(Account("127.0.0.1", port, tls, user, "pw")) as sender:
        sender.check()
        assert "ok" == sender.send(user, user, MAIL).outcome
    with Sender(Account("127.0.0.1", port, tls, user, "wrong")) as sender, pytest.raises(SmtpRefused, match="535"):
        sender.check()


@pytest.mark.servers
@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_an_unknown_certificate_is_not_trusted(dovecot, tls):
    port = dovecot.smtps if tls == "tls" else dovecot.smtp

    with Sender(Account("127.0.0.1", port, tls, "", "")) as sender, pytest.raises(SmtpDown, match="certificate"):
        sender.check()


def test_nobody_listens():
    with pytest.raises(SmtpDown):
        send(fake(free_ports(1)[0]))


def test_one_connection_serves_many_mails():
    with scripted(GREETING, smtp({})) as server, Sender(fake(server.port)) as sender:
        answers = {sender.send("pbem@pbem.test", f"p{n}@pbem.test", MAIL).outcome for n in range(5)}

    assert {"ok"} == answers
    assert 1 == sum(line.startswith("EHLO") for line in server.seen)
    assert 5 == sum(line.startswith("MAIL FROM:<pbem@pbem.test>") for line in server.seen)
    assert "QUIT" == server.seen[-1]


@pytest.mark.parametrize(
    ("answers", "outcome", "code"),
    [
        ({"MAIL": "451 4.3.0 busy\r\n"}, "later", 451),
        ({"MAIL": "552 5.2.2 full\r\n"}, "refused", 552),
        ({"RCPT": "452 4.2.2 full\r\n"}, "later", 452),
        ({"RCPT": "553 5.1.3 what\r\n"}, "refused", 553),
        ({"DATA": "450 4.7.1 grey\r\n"}, "later", 450),
        ({"DATA": "554 5.7.1 spam\r\n"}, "refused", 554),
        ({"BODY": "421 4.3.2 going down\r\n"}, "later", 421),
        ({"BODY": "550 5.7.1 spam\r\n"}, "refused", 550),
        ({"BODY": None}, "later", 0),
        ({"RCPT": None}, "later", 0),
        ({"MAIL": "nonsense\r\n"}, "later", -1),
        ({"BODY": ""}, "later", 0),
    ],
)
def test_what_an_answer_means(answers, outcome, code):
    with scripted(GREETING, smtp(answers)) as server:
        delivery = send(fake(server.port, timeout=0.5))

    assert outcome == delivery.outcome
    assert code in {delivery.code, -1}


@pytest.mark.parametrize("answer", [None, "421 4.3.2 going down\r\n"])
def test_after_a_lost_connection_the_next_mail_gets_a_new_one(answer):
    replies = iter([answer, "250 ok\r\n"])
    talk = smtp({})

    def once(line: str) -> str | None:
        return next(replies) if line.startswith("RCPT") else talk(line)

    with scripted(GREETING, once) as server, Sender(fake(server.port)) as sender:
        answers = [sender.send("pbem@pbem.test", "a@pbem.test", MAIL).outcome for _ in range(2)]

    assert ["later", "ok"] == answers
    assert 2 == sum(line.startswith("EHLO") for line in server.seen)


def test_a_server_that_wants_a_login_is_not_the_mails_fault():
    talk = smtp({"MAIL": "530 5.7.0 authentication required\r\n"})
    with scripted(GREETING, talk) as server, pytest.raises(SmtpRefused, match="530"):
        send(fake(server.port))


@pytest.mark.parametrize(
    ("greeting", "answers"),
    [
        ("554 5.3.2 no service", {}),
        (GREETING, {"EHLO": "502 no\r\n", "HELO": "502 no\r\n"}),
        (GREETING, {"EHLO": None}),
        (GREETING, {"EHLO": ""}),
    ],
)
def test_a_server_that_is_not_ready_is_down(greeting, answers):
    with scripted(greeting, smtp(answers)) as server, pytest.raises(SmtpDown):
        send(fake(server.port, timeout=0.5))


@pytest.mark.parametrize(
    ("answer", "error"), [("535 5.7.8 no\r\n", SmtpRefused), ("454 4.7.0 later\r\n", SmtpDown), (None, SmtpDown)]
)
def test_a_login_is_refused_or_not_possible_now(answer, error):
    talk = smtp({"EHLO": "250-localhost\r\n250 AUTH PLAIN\r\n", "AUTH": answer})
    with scripted(GREETING, talk) as server, pytest.raises(error) as caught:
        send(fake(server.port, user="u", secret="hunter2"))

    assert "hunter2" not in str(caught.value)


def test_starttls_is_never_left_out():
    with scripted(GREETING, smtp({"EHLO": "250 localhost\r\n"})) as server, pytest.raises(SmtpDown):
        send(fake(server.port, tls="starttls"))
    assert not any(line.startswith("MAIL") for line in server.seen)


def test_a_token_logs_in_with_xoauth2():
    answers = {"EHLO": "250-localhost\r\n250 AUTH XOAUTH2\r\n", "AUTH": "235 2.7.0 good\r\n"}
    with scripted(GREETING, smtp(answers)) as server:
        assert "ok" == send(fake(server.port, user="u", secret="tok", token=True)).outcome

    login = next(line for line in server.seen if line.startswith("AUTH XOAUTH2"))
    assert b"user=u\1auth=Bearer tok\1\1" == base64.b64decode(login.split()[2])


def test_a_token_where_the_server_does_not_know_them_is_told_so():
    talk = smtp({"EHLO": "250-localhost\r\n250 AUTH PLAIN\r\n"})
    with scripted(GREETING, talk) as server, pytest.raises(SmtpDown, match="XOAUTH2"):
        send(fake(server.port, user="u", secret="tok", token=True))


@pytest.mark.parametrize("recipient", ["a@b.c>\r\nDATA", "a b@c", "ação@pbem.test"])
def test_an_address_that_cannot_be_said_is_refused(recipient):
    with scripted(GREETING, smtp({})) as server:
        delivery = send(fake(server.port), recipient)

    assert ("refused", 0) == (delivery.outcome, delivery.code)
    assert not any("DATA" in line for line in server.seen)


@pytest.mark.parametrize(("answer", "connections"), [("250 ok\r\n", 1), (None, 2)])
def test_after_a_pause_the_connection_is_asked_whether_it_lives(monkeypatch, answer, connections):
    monkeypatch.setattr("pbem.mail.smtp._TRUSTED_IDLE", -1.0)
    with scripted(GREETING, smtp({"NOOP": answer})) as server:
        with Sender(fake(server.port)) as sender:
            answers = [sender.send("pbem@pbem.test", "a@pbem.test", MAIL).outcome for _ in range(2)]

        assert ["ok", "ok"] == answers
        assert connections == sum(line.startswith("EHLO") for line in server.seen)
