"""A real delivery report, as Postfix writes it."""

import pytest

from pbem.gate.bounces import read_bounce
from pbem.gate.chain import judge
from pbem.gate.checks import LetterFacts
from pbem.gate.tags import make_tag, message_id
from pbem.mail.imap import ImapMailbox
from pbem.mail.letter import read_letter
from pbem.mail.ports import Account
from pbem.mail.smtp import Sender
from tests.pbem.mail.test_imap import arrived


@pytest.mark.servers
def test_a_bounce_is_matched_to_its_mail(dovecot, fresh_user):
    user = fresh_user()
    ours = message_id(make_tag(b"test key", 12, 2, 141, 0), "5f3a", "pbem.test")
    mail = f"From: {user}\r\nMessage-ID: {ours}\r\nX-PBEM-Outbox: 901\r\nSubject: x\r\n\r\nhello\r\n"
    with Sender(Account("127.0.0.1", dovecot.smtp, "none", user, "pw")) as sender:
        assert "ok" == sender.send(user, "bia@bounce.test", mail.encode()).outcome

    with ImapMailbox(Account("127.0.0.1", dovecot.imap, "none", user, "pw")) as mailbox:
        letter = read_letter(mailbox.fetch(arrived(mailbox, 0)).raw)

    bounce = read_bounce(letter)
    assert "bounce" == judge(LetterFacts(letter)).key
    assert ("failed", "5.4", "901") == (bounce.outcome, bounce.status[:3], bounce.outbox)
    assert ("bia@bounce.test",) == bounce.recipients
    assert ours == bounce.message_id
    assert [(12, 2, 141)] == [(tag.game, tag.seat, tag.decision) for tag in bounce.tags]
