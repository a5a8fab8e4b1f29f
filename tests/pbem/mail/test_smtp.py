"""Sending, against real servers and against one that misbehaves."""

import base64
import re
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.accounts import smtp_account
from pbem.mail.errors import SmtpDown, SmtpRefused
from pbem.mail.imap import ImapMailbox
from pbem.mail.ports import Account, SmtpPort
from pbem.mail.smtp import Sender
from pbem.settings import load_settings
from tests.pbem.mail.scripted import scripted, smtp
from tests.pbem.mail.test_imap import arrived
from tests.pbem.mail.wire import OWN, Reply, Wire, wire
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

    assert [("unreachable", 550), ("later", 450), ("ok", 250)] == [(one.outcome, one.code) for one in answers]
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
    ("word", "answer", "outcome", "code"),
    [
        ("MAIL", b"451 4.3.0 busy\r\n", "later", 451),
        ("MAIL", b"552 5.3.4 too big\r\n", "refused", 552),
        ("RCPT", b"452 4.2.2 full\r\n", "later", 452),
        ("RCPT", b"450 4.2.0 greylisted\r\n", "later", 450),
        ("RCPT", b"553 5.1.3 what\r\n", "unreachable", 553),
        ("RCPT", b"251 will forward\r\n", "ok", 250),
        ("DATA", b"450 4.7.1 later\r\n", "later", 450),
        ("DATA", b"554 5.7.1 spam\r\n", "refused", 554),
        (".", b"421 4.3.2 going down\r\n", "later", 421),
        (".", b"550 5.7.1 spam\r\n", "refused", 550),
        (".", b"550 5.4.5 Daily sending quota exceeded\r\n", "throttled", 550),
        ("CONNECT", b"421 4.7.0 too many connections\r\n", "throttled", 421),
        ("MAIL", b"nonsense\r\n", "later", 0),
        ("RCPT", None, "later", 0),
        ("RCPT", b"", "later", 0),
        ("DATA", None, "later", 0),
        ("DATA", b"", "later", 0),
        (".", None, "uncertain", 0),
        (".", b"", "uncertain", 0),
        (".", b"nonsense\r\n", "uncertain", 0),
        (".", b"550-5.1.1 no\r\n550 5.1.1 such box\r\n", "unreachable", 550),
        (".", b"452 \xe7\xe3o\r\n", "later", 452),
    ],
)
def test_what_an_answer_means(word, answer, outcome, code):
    with wire(at(word, answer)) as server:
        delivery = send(fake(server.port, timeout=0.1))

    assert (outcome, code) == (delivery.outcome, delivery.code)
    assert delivery.text.encode().decode() == delivery.text, "it can be kept"


def at(word: str, *answers: bytes | None) -> Reply:
    """Return a server's manner: *answers* to the first commands *word*, its own to all others."""
    return lambda command, times: answers[times] if command == word and times < len(answers) else OWN


def test_a_mail_that_is_lost_before_its_end_was_not_taken():
    """More than the network holds for a server that does not read: so it cannot have the end when it hangs up."""
    big = MAIL + b"x" * 70 + b"\r\n" + (b"y" * 70 + b"\r\n") * 400_000
    with wire(at("DATA", b"354 half of it\r\n")) as server:
        delivery = send(fake(server.port), raw=big)

    assert ("later", 0) == (delivery.outcome, delivery.code)
    assert [] == server.mails


def test_the_answer_to_a_whole_mail_is_waited_for_longer_than_others():
    with wire(at(".", b"")) as server, Sender(fake(server.port, timeout=0.1)) as sender:
        begun = time.monotonic()
        sender.send("pbem@pbem.test", "a@pbem.test", MAIL)

    assert 1 <= time.monotonic() - begun < 5


@pytest.mark.parametrize("word", ["RCPT", "DATA", "."])
@pytest.mark.parametrize("answer", [None, b"421 4.3.2 going down\r\n"])
def test_after_a_lost_connection_the_next_mail_gets_a_new_one(word, answer):
    with wire(at(word, answer)) as server, Sender(fake(server.port)) as sender:
        answers = [sender.send("pbem@pbem.test", "a@pbem.test", MAIL).outcome for _ in range(2)]

    assert ["uncertain" if (word, answer) == (".", None) else "later", "ok"] == answers
    assert 2 == len(server.commands)


@pytest.mark.parametrize("word", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize("answer", [None, b"421 4.4.2 idle for too long\r\n"])
def test_a_used_connection_that_proves_dead_costs_no_mail_and_doubles_none(word, answer):
    with wire(at(word, OWN, answer)) as server, Sender(fake(server.port)) as sender:
        answers = [sender.send("pbem@pbem.test", f"p{n}@pbem.test", MAIL).outcome for n in range(3)]

    assert ["ok"] * 3 == answers
    assert [b"RCPT TO:<p%d@pbem.test>" % n for n in range(3)] == [one.recipient for one in server.mails]
    assert 2 == len(server.commands)


def test_a_used_connection_that_is_lost_after_a_whole_mail_is_not_tried_again():
    with wire(at(".", OWN, None)) as server, Sender(fake(server.port)) as sender:
        answers = [sender.send("pbem@pbem.test", "a@pbem.test", MAIL).outcome for _ in range(2)]

    assert ["ok", "uncertain"] == answers
    assert 2 == len(server.mails)


def test_a_server_that_ends_every_connection_is_tried_twice_a_mail():
    with wire(at("MAIL", OWN, *[b"421 4.3.2 no\r\n"] * 9)) as server, Sender(fake(server.port)) as sender:
        answers = [sender.send("pbem@pbem.test", "a@pbem.test", MAIL).outcome for _ in range(3)]

    assert ["ok", "later", "later"] == answers
    assert 3 == len(server.commands)


def test_a_refusal_leaves_the_connection_ready_for_the_next_mail():
    refusals = b"550 5.1.1 nobody\r\n", b"450 4.2.1 later\r\n"
    with wire(at("RCPT", *refusals)) as server, Sender(fake(server.port)) as sender:
        answers = [sender.send("pbem@pbem.test", "a@pbem.test", MAIL).outcome for _ in range(3)]

    assert ["unreachable", "later", "ok"] == answers
    assert 1 == len(server.commands)
    assert 2 == server.said.count(b"RSET")


@pytest.mark.parametrize("answer", [b"530 5.7.0 authentication required\r\n", b"553 5.7.1 not your address\r\n"])
def test_a_server_that_wants_another_login_is_not_the_mails_fault(answer):
    with wire(at("MAIL", answer)) as server, pytest.raises(SmtpRefused, match=answer[:3].decode()):
        send(fake(server.port))


@pytest.mark.parametrize(("limit", "outcome"), [(len(MAIL), "ok"), (len(MAIL) - 1, "refused"), (0, "ok")])
def test_a_mail_above_the_announced_size_is_not_even_begun(limit, outcome):
    with wire(extensions=f"SIZE={limit}") as server:
        delivery = send(fake(server.port))

    assert outcome == delivery.outcome
    assert (outcome == "ok") == any(line.startswith(b"MAIL") for line in server.said)
    assert outcome == "ok" or f"5.3.4 {len(MAIL)} bytes, the server takes {limit}" == delivery.text


def test_the_size_is_told_as_it_goes_over_the_wire():
    with wire() as server:
        send(fake(server.port), raw=b"Subject: x\n\n.\nhello")

    assert b"Subject: x\r\n\r\n..\r\nhello\r\n" == server.mails[0].wire
    assert b"MAIL FROM:<pbem@pbem.test> SIZE=24" == server.mails[0].sender


def test_an_address_in_another_alphabet_is_said_where_the_server_knows_how():
    raw = "To: <joão@exêmplo.example>\r\n\r\nx\r\n".encode()
    with wire() as server:
        delivery = send(fake(server.port), "joão@exêmplo.example", raw)

    assert "ok" == delivery.outcome
    assert server.mails[0].sender.endswith(b" SMTPUTF8 BODY=8BITMIME")
    assert "RCPT TO:<joão@xn--exmplo-jva.example>".encode() == server.mails[0].recipient
    assert raw == server.mails[0].raw


def test_an_address_in_another_alphabet_is_refused_elsewhere_and_the_others_go_on():
    with wire(extensions="8BITMIME") as server, Sender(fake(server.port)) as sender:
        answers = [sender.send("pbem@pbem.test", to, MAIL) for to in ("joão@pbem.test", "a@pbem.test")]

    assert ["refused", "ok"] == [one.outcome for one in answers]
    assert "SMTPUTF8" in answers[0].text
    assert [b"RCPT TO:<a@pbem.test>"] == [one.recipient for one in server.mails]


def test_a_domain_in_another_alphabet_needs_nothing_special():
    with wire(extensions="") as server:
        delivery = send(fake(server.port), "ana@exêmplo.example")

    assert "ok" == delivery.outcome
    assert b"RCPT TO:<ana@xn--exmplo-jva.example>" == server.mails[0].recipient
    assert b"MAIL FROM:<pbem@pbem.test>" == server.mails[0].sender


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


def test_a_token_that_is_refused_after_the_servers_challenge_is_told_without_it():
    """Gmail sends what is wrong as a challenge, wants an empty line, and only then refuses."""
    login = base64.b64encode(b"user=u\1auth=Bearer ya29.token\1\1").decode()
    wrong = base64.b64encode(b'{"status":"401","schemes":"Bearer"}')
    answers = {"AUTH": b"334 " + wrong + b"\r\n", "": f"535 5.7.8 not accepted: {login} ya29.token\r\n".encode()}
    talk = wire(lambda word, _: answers.get(word, OWN), "AUTH=XOAUTH2")
    with talk as server, pytest.raises(SmtpRefused, match=r"535 5\.7\.8") as caught:
        send(fake(server.port, user="u", secret="ya29.token", token=True))

    assert [f"AUTH XOAUTH2 {login}".encode(), b""] == server.commands[0][1:3]
    assert "ya29.token" not in str(caught.value)
    assert login not in str(caught.value)


def test_a_login_that_is_asked_too_often_is_a_pause_and_no_fault():
    with wire(at("AUTH", b"454 4.7.0 Too many connections, slow down\r\n"), "AUTH=PLAIN") as server:
        delivery = send(fake(server.port, user="u", secret="hunter2"))

    assert ("throttled", 454) == (delivery.outcome, delivery.code)


def test_a_token_logs_in_with_xoauth2():
    answers = {"EHLO": "250-localhost\r\n250 AUTH XOAUTH2\r\n", "AUTH": "235 2.7.0 good\r\n"}
    with scripted(GREETING, smtp(answers)) as server:
        assert "ok" == send(fake(server.port, user="u", secret="tok", token=True)).outcome

    login = next(line for line in server.seen if line.startswith("AUTH XOAUTH2"))
    assert b"user=u\1auth=Bearer tok\1\1" == base64.b64decode(login.split()[2])


def test_a_token_comes_from_its_command(tmp_path):
    login = 'host = "127.0.0.1"\nuser = "u"\ntls = "none"\n'
    (tmp_path / "pbem.toml").write_text(
        '[mail]\naddress = "p@a.test"\n[gm]\naddress = "g@a.test"\n[store]\nurl = "sqlite:///x.db"\n'
        f"[imap]\n{login}password = 'x'\n[smtp]\n{login}token_command = 'echo ya29.token'\n"
    )
    account = smtp_account(load_settings(tmp_path / "pbem.toml", {}))
    with wire(extensions="AUTH=XOAUTH2") as server:
        assert "ok" == send(replace(account, port=server.port)).outcome

    (login,) = (one.split()[2] for one in server.said if one.startswith(b"AUTH XOAUTH2 "))
    assert b"user=u\1auth=Bearer ya29.token\1\1" == base64.b64decode(login)


def test_a_token_where_the_server_does_not_know_them_is_told_so():
    talk = smtp({"EHLO": "250-localhost\r\n250 AUTH PLAIN\r\n"})
    with scripted(GREETING, talk) as server, pytest.raises(SmtpDown, match="XOAUTH2"):
        send(fake(server.port, user="u", secret="tok", token=True))


@pytest.mark.parametrize("address", ["a@b.c>\r\nDATA", "a b@c", "a@b, c@d", "a\u202eb@c", "a@b.c\n", ""])
def test_what_is_no_address_is_refused_unsaid(address):
    with wire() as server, Sender(fake(server.port)) as sender:
        to = sender.send("pbem@pbem.test", address, MAIL)
        by = sender.send(address, "pbem@pbem.test", MAIL)

    assert [("refused", 553)] * 2 == [(one.outcome, one.code) for one in (to, by)]
    assert [] == server.said


@pytest.mark.parametrize(("answer", "connections"), [("250 ok\r\n", 1), (None, 2)])
def test_after_a_pause_the_connection_is_asked_whether_it_lives(monkeypatch, answer, connections):
    monkeypatch.setattr("pbem.mail.smtp._TRUSTED_IDLE", -1.0)
    with scripted(GREETING, smtp({"NOOP": answer})) as server:
        with Sender(fake(server.port)) as sender:
            answers = [sender.send("pbem@pbem.test", "a@pbem.test", MAIL).outcome for _ in range(2)]

        assert ["ok", "ok"] == answers
        assert connections == sum(line.startswith("EHLO") for line in server.seen)


LINES = st.lists(
    st.one_of(
        st.binary(max_size=90),
        st.sampled_from(
            [b".", b"..", b".x", b"", b"From x", b"QUIT", b"RSET", b"\r\n.\r\nMAIL FROM:<x@y>\r\n", b"\n.\n"]
        ),
    ),
    max_size=12,
)


@pytest.fixture(scope="module")
def line() -> Iterator[tuple[Wire, Sender]]:
    """Give a strict server, and a connection to it that all examples share."""
    with wire() as server, Sender(fake(server.port)) as sender:
        yield server, sender


@given(LINES)
def test_whatever_a_mail_holds_it_arrives_as_one_mail(line, lines):
    server, sender = line
    raw = b"Subject: x\r\n\r\n" + b"\r\n".join(lines)
    before = len(server.mails)

    delivery = sender.send("pbem@pbem.test", "a@pbem.test", raw)

    assert "ok" == delivery.outcome
    received = server.mails[before:]
    assert 1 == len(received)
    assert re.sub(rb"\r\n|\r|\n", b"\n", raw).rstrip(b"\n") == received[0].raw.replace(b"\r\n", b"\n").rstrip(b"\n")
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", received[0].wire)
