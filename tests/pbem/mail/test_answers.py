"""What the answers of servers mean; the words are those that providers document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.answers import clean, is_about_us, read_answer


@pytest.mark.parametrize(
    ("code", "text", "stage"),
    [
        (421, "4.7.0 Try again later, closing connection. gsmtp", "session"),
        (421, "4.4.5 Server busy, try again later.", "sender"),
        (450, "4.2.1 Peak SMTP relay limit exceeded for customer.", "sender"),
        (550, "5.4.5 Daily user sending limit exceeded. For more information visit", "content"),
        (421, "4.7.28 Our system has detected an unusual rate of unsolicited mail", "content"),
        (432, "4.3.2 Concurrent connections limit exceeded.", "content"),
        (432, "4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded", "content"),
        (554, "5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException", "content"),
        (554, "5.2.2 mailbox full; STOREDRV.Submission.Exception:QuotaExceededException", "content"),
        (550, "5.2.251 Sender throttled due to continuous mailbox full errors.", "content"),
        (421, "4.4.2 Message submission rate for this client has exceeded the configured limit", "sender"),
        (451, '4.7.1 Ratelimit "user" exceeded', "content"),
        (450, "Mail send limit exceeded.", "content"),
        (550, "5.7.1 Your mail limit has been reached.", "content"),
        (451, "message count quota exceeded", "recipient"),
        (550, "Domain a.example has exceeded the max emails per hour (99/99 (100%)) allowed.", "recipient"),
        (550, "Domain a.example has exceeded the max defers and failures per hour (9/9) allowed.", "recipient"),
        (450, "4.7.1 Error: too much mail from 192.0.2.1", "sender"),
        (421, "4.7.0 mx Error: too many connections from 192.0.2.1", "session"),
        (550, "sorry, too many emails (#5.7.1)", "content"),
        (554, "5.7.1 <DATA>: Data command rejected: only 10 messages per day", "content"),
        (553, "5.7.1 SASL login name rejected: You are sending too many emails too fast.", "sender"),
        (452, "4.2.2 your mailbox is full", "sender"),
    ],
)
def test_a_server_that_has_enough_of_us(code, text, stage):
    assert "throttled" == read_answer(code, text, stage).outcome
    assert not is_about_us(code, text, stage)


@pytest.mark.parametrize(
    ("code", "text", "stage"),
    [
        (450, "4.2.0 <a@b.test>: Recipient address rejected: Greylisted", "recipient"),
        (451, "4.7.1 Greylisting in action, please come back later", "recipient"),
        (451, "4.7.1 Service unavailable - try again later", "content"),
        (450, "4.2.1 The user you are trying to contact is receiving mail too quickly.", "recipient"),
        (450, "4.2.1 The user you are trying to contact is receiving mail at a rate that prevents", "recipient"),
        (452, "4.2.2 The email account that you tried to reach is over quota.", "recipient"),
        (452, "Mailbox full, quota exceeded", "recipient"),
        (421, "4.3.2 Service shutting down", "content"),
        (421, "4.4.2 Timeout - closing connection", "sender"),
        (421, "4.7.0 TLS required for RCPT domain, closing connection.", "recipient"),
        (421, "too many messages in this connection", "sender"),
        (451, "4.3.0 Mail server temporarily rejected message.", "content"),
        (452, "4.3.1 Insufficient system storage", "sender"),
    ],
)
def test_an_answer_about_this_mail_or_this_moment(code, text, stage):
    assert "later" == read_answer(code, text, stage).outcome


@pytest.mark.parametrize(
    ("code", "text", "stage", "outcome"),
    [
        (550, "5.1.1 no such player", "recipient", "unreachable"),
        (550, "5.1.1 no such player", "content", "unreachable"),
        (550, "5.1.10 null MX", "recipient", "unreachable"),
        (553, "5.1.3 what is that", "recipient", "unreachable"),
        (550, "5.2.1 disabled", "recipient", "unreachable"),
        (552, "5.2.2 <a@b.test>: Quota exceeded (mailbox for user is full)", "recipient", "unreachable"),
        (550, "5.4.1 Recipient address rejected: Access denied.", "recipient", "unreachable"),
        (550, "no such user here", "recipient", "unreachable"),
        (551, "user not local", "recipient", "unreachable"),
        (550, "5.1.8 bad sender's domain", "recipient", "refused"),
        (550, "5.7.1 policy", "recipient", "refused"),
        (554, "5.7.1 spam", "content", "refused"),
        (550, "looks like spam", "content", "refused"),
        (554, "no thanks", "recipient", "refused"),
        (552, "message too large", "recipient", "refused"),
        (552, "5.3.4 Message size exceeds fixed maximum message size", "sender", "refused"),
        (552, "5.2.3 Message size exceeds maximum permitted", "content", "refused"),
        (554, "5.4.6 too many hops", "content", "refused"),
        (555, "5.5.4 unknown parameter", "sender", "refused"),
    ],
)
def test_a_refusal_is_the_recipients_only_where_the_answer_says_so(code, text, stage, outcome):
    assert outcome == read_answer(code, text, stage).outcome


@pytest.mark.parametrize(
    ("code", "text", "stage", "ours"),
    [
        (530, "5.7.0 authentication required", "sender", True),
        (535, "5.7.8 no", "recipient", True),
        (550, "5.7.1 sender address rejected: not owned by user", "sender", True),
        (553, "sorry, that is not your address", "sender", True),
        (550, "5.1.8 unknown domain", "sender", True),
        (552, "5.3.4 too big", "sender", False),
        (555, "5.5.4 unknown parameter", "sender", False),
        (450, "4.7.1 try again", "sender", False),
        (550, "5.1.1 nobody", "recipient", False),
        (530, "5.7.1 spam", "content", False),
    ],
)
def test_a_refusal_of_our_own_address_would_meet_every_mail(code, text, stage, ours):
    assert ours == is_about_us(code, text, stage)


@given(st.binary(max_size=2000))
def test_what_a_server_says_can_be_kept_whatever_it_is(octets):
    kept = clean(octets.decode("utf-8", "surrogateescape"))

    assert kept.encode().decode() == kept
    assert kept.isprintable()
    assert 300 >= len(kept)
