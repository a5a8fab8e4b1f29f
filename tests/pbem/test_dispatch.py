"""Notices to mails, and mails to the server: one where one will do, the same bytes at every try."""

from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.backlog import PAUSES
from pbem.dispatch import WAITS, send
from pbem.mail.errors import SmtpDown
from pbem.mail.letter import read_letter
from pbem.mail.ports import Account, Delivery
from pbem.mail.smtp import Sender
from pbem.post.words import kept_words
from pbem.store import outbox
from pbem.store.outbox import Posted
from pbem.store.tables import OutboxRow
from tests.pbem.mail.wire import OWN, wire
from tests.pbem.table import MemoryServer, Table
from tests.pbem.witness import SetTable, command, dump, holder, read_all, said, seated, stake

BOB = "bob@players.test"
LATER = Delivery("later", 451, "4.2.1 try later")
NEVER = Delivery("unreachable", 550, "5.1.1 no such player")
SPAM = Delivery("refused", 554, "5.7.1 looks like spam")
LOST = Delivery("later", 0, "connection lost")
UNCERTAIN = Delivery("uncertain", 0, "connection lost")
ENOUGH = Delivery("throttled", 550, "5.4.5 Daily sending quota exceeded")
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def to_bob(table: Table) -> list[Posted]:
    """Return the mails to Bob as they are kept."""
    return [one for one in table.posted() if one.recipient == BOB]


def test_all_that_a_seat_is_to_be_told_goes_in_one_mail(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "gm", "message", "1", "Be quick, please.")
    table.post(table.reply("Ana", stake(table, "Ana") + "\ndizer Bob: boa sorte"))

    table.says("Bob", stake(table, "Bob"))

    mail = said(table.mail("Bob"))
    assert "Be quick, please." in mail
    assert "boa sorte" in mail
    assert "Your turn" in mail
    assert "taken" in mail


def test_a_seat_is_not_written_to_without_need(set_table: SetTable) -> None:
    table = seated(set_table)
    sent = len(table.server.taken)

    for _ in range(3):
        table.tick()

    assert len(table.server.taken) == sent


def test_a_mail_that_the_server_puts_off_is_tried_again_later_and_later(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers[BOB] = [LATER] * 5
    table.tick()
    first = to_bob(table)[0]
    waits = []

    for tries in range(1, 6):
        mail = to_bob(table)[0]
        assert mail.tries == tries
        waits.append(mail.next_try_at - table.now)
        table.tick(after=waits[-1] - timedelta(seconds=1))
        assert to_bob(table)[0].tries == tries
        table.tick(after=timedelta(seconds=1))

    last = to_bob(table)[0]
    assert waits == [*WAITS, WAITS[-1]]
    assert (last.status, last.tries, last.error) == ("sent", 6, "")
    assert (last.raw, last.message_id) == (first.raw, first.message_id)
    assert [raw for to, raw in table.server.taken if to == BOB] == [first.raw]
    assert table.to_gm() == []


def test_a_mail_that_is_refused_is_given_up_and_told_to_the_game_master(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers[BOB] = [NEVER]
    counts = table.tick()
    table.tick(after=timedelta(days=1))

    mail = to_bob(table)[0]
    assert counts["failed"] == 1
    assert (mail.status, mail.tries) == ("refused", 1)
    assert holder(table, 1).unreachable
    alerts = [said(one) for one in table.to_gm()]
    assert len(alerts) == 1
    assert "550 5.1.1 no such player" in alerts[0]
    assert f"mail {mail.id}" in alerts[0]


def test_a_refusal_of_what_stands_in_a_mail_says_nothing_of_its_seat(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers[BOB] = [SPAM]
    table.tick()
    table.tick()

    assert to_bob(table)[0].status == "refused"
    assert not holder(table, 1).unreachable
    assert "554 5.7.1 looks like spam" in said(table.to_gm()[0])


def test_a_refused_mail_is_sent_on_demand_as_it_was(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers[BOB] = [NEVER]
    table.tick()
    mail = to_bob(table)[0]

    ran = command(table, "mail", "retry", str(mail.id))
    send(table.service, table.server, table.now + timedelta(days=4000))

    assert ran.code == 0
    assert [raw for to, raw in table.server.taken if to == BOB] == [mail.raw]


def test_a_mail_that_nobody_takes_for_days_is_given_up(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="99d")
    table.server.answers[BOB] = [LATER] * 99

    for _ in range(40):
        table.tick(after=timedelta(hours=4))
        if to_bob(table)[0].status != "ready":
            break

    mail = to_bob(table)[0]
    assert mail.status == "failed"
    assert timedelta(days=5) < table.now - mail.composed_at < timedelta(days=6)
    table.tick()
    assert len(table.to_gm()) == 1


def test_a_mail_of_unknown_fate_is_sent_once_more_as_it_was(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers[BOB] = [UNCERTAIN]
    table.tick()
    first = to_bob(table)[0]
    table.tick(after=WAITS[0] - timedelta(seconds=1))
    early = to_bob(table)[0].tries
    table.tick(after=timedelta(seconds=1))
    table.tick(after=timedelta(days=1))

    assert (first.status, first.uncertain, early) == ("ready", 1, 1)
    assert (to_bob(table)[0].status, to_bob(table)[0].error) == ("sent", "")
    assert [raw for to, raw in table.server.taken if to == BOB] == [first.raw] * 2
    assert table.to_gm() == []


def test_a_mail_whose_fate_stays_unknown_is_left_to_the_game_master(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers[BOB] = [UNCERTAIN] * 9
    counts = [table.tick(after=after)["failed"] for after in (MINUTE, WAITS[0], 24 * HOUR, 24 * HOUR)]
    mail = to_bob(table)[0]
    alerts = [said(one) for one in table.to_gm()]
    table.server.answers[BOB] = []

    ran = command(table, "mail", "retry", str(mail.id))
    send(table.service, table.server, table.now + timedelta(days=4000))

    assert counts == [0, 1, 0, 0]
    assert (mail.status, mail.uncertain, mail.tries) == ("uncertain", 2, 2)
    assert len(alerts) == 1
    assert f"mail {mail.id} to Bob" in alerts[0]
    assert f"pbem mail retry {mail.id}" in alerts[0]
    assert not holder(table, 1).unreachable
    assert ran.code == 0
    assert (to_bob(table)[0].status, to_bob(table)[0].uncertain) == ("sent", 0)
    assert [raw for to, raw in table.server.taken if to == BOB] == [mail.raw] * 3


def test_a_mail_of_unknown_fate_can_be_dropped(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers[BOB] = [UNCERTAIN] * 2
    table.tick()
    table.tick(after=WAITS[0])

    ran = command(table, "mail", "drop", "mail", str(to_bob(table)[0].id))

    assert ran.code == 0
    assert to_bob(table)[0].status == "dropped"


def test_between_two_unknown_fates_a_mail_may_be_put_off(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="99d")
    table.server.answers[BOB] = [UNCERTAIN, LATER, UNCERTAIN]
    for after in (MINUTE, *WAITS):
        table.tick(after=after)

    assert [(one.status, one.uncertain, one.tries) for one in to_bob(table)] == [("uncertain", 2, 3)]


def test_an_alert_of_unknown_fate_leads_to_no_other_alert(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers[BOB] = [SPAM]
    table.server.answers["gm@pbem.test"] = [UNCERTAIN] * 9
    for _ in range(5):
        table.tick(after=HOUR)

    assert [one.status for one in table.posted() if one.kind == "alert"] == ["uncertain"]


def test_a_refused_alert_leads_to_no_other_alert(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers[BOB] = [NEVER]
    table.server.answers["gm@pbem.test"] = [NEVER] * 9

    for _ in range(3):
        table.tick()

    assert [one.kind for one in table.posted()].count("alert") == 1


class LostServer(MemoryServer):
    """A server that is gone after the first mail."""

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
        """Take one mail, then break."""
        if self.taken:
            raise SmtpDown("gone")
        return super().send(envelope_from, recipient, raw)


def test_what_was_taken_before_the_connection_was_lost_is_not_sent_again(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    lost = LostServer()

    with pytest.raises(SmtpDown):
        send(table.service, lost, table.now)
    table.tick()

    assert [one.status for one in table.posted()] == ["sent", "sent"]
    assert sorted(to for to, _ in [*lost.taken, *table.server.taken]) == ["ana@players.test", BOB]


class FailingServer(MemoryServer):
    """A server that fails in a way that nobody has thought of, at Bob's mails."""

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
        """Fail at Bob."""
        if recipient == BOB:
            raise RuntimeError("out of cheese")
        return super().send(envelope_from, recipient, raw)


def test_a_mail_that_cannot_be_handed_over_stops_that_mail_only(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", "Cy en")
    table.server = FailingServer()
    counts = table.tick()
    table.tick()

    assert (counts["sent"], counts["failed"]) == (2, 1)
    assert to_bob(table)[0].status == "refused"
    assert "out of cheese" in said(table.to_gm()[0])


def test_a_pass_that_loses_connection_after_connection_ends(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", "Cy en", "Di en")
    for name in ("ana", "bob", "cy"):
        table.server.answers[f"{name}@players.test"] = [LOST]

    table.tick()
    tries = [one.tries for one in table.posted()]
    table.tick()

    assert tries == [1, 1, 1, 0]
    assert [one.status for one in table.posted()] == ["ready", "ready", "ready", "sent"]


def spread(table: Table) -> list[int]:
    """Return how many mails went out in the minute that begins with each."""
    moments = sorted(one.sent_at for one in table.posted() if one.sent_at is not None)
    return [sum(begin <= one < begin + MINUTE for one in moments) for begin in moments]


@pytest.mark.parametrize(("every", "lasting"), [(7, 0), (20, 3), (30, 0), (59, 13), (61, 13), (150, 3)])
def test_in_no_minute_more_mails_go_out_than_allowed(set_table: SetTable, every: int, lasting: int) -> None:
    """Whatever the pace of the passes, and however long the server takes for a mail."""
    table = set_table("Ana pt", "Bob en", "Cy en", per_minute=2)
    moment = table.now

    def clock() -> datetime:
        nonlocal moment
        moment += timedelta(seconds=lasting)
        return moment

    for number in range(12):
        if number in (2, 5):
            command(table, "gm", "message", "1", "Hello")
        moment += timedelta(seconds=every)
        send(table.service, table.server, moment, clock)

    assert max(spread(table)) == 2


def test_a_burst_is_a_minutes_worth(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", "Cy en", "Di en", per_minute=3)

    counts = [table.tick(after=after)["sent"] for after in (HOUR, timedelta(seconds=30), timedelta(seconds=31))]

    assert counts == [3, 0, 1]


def test_a_mail_of_unknown_fate_counts_as_one_that_went_out(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", "Cy en", per_minute=2)
    table.server.answers[BOB] = [UNCERTAIN]

    counts = [table.tick(after=after)["sent"] for after in (MINUTE, timedelta(seconds=30), timedelta(seconds=31))]

    assert counts == [1, 0, 1]


KINDS = (
    {"acknowledgement", "refusal", "confirmation", "help", "alert"},
    {"report", "invitation", "notice"},
    {"reminder"},
    {"press"},
    {"digest"},
)


def test_who_waits_for_an_answer_is_served_first_and_the_oldest_of_them(set_table: SetTable) -> None:
    table = seated(set_table)
    table.server.taken.clear()
    every = sorted(set().union(*KINDS), reverse=True) * 2
    with table.service.store.write() as session:
        for number, kind in enumerate(every):
            values = {"seat": 0, "kind": kind, "recipient": BOB, "message_id": f"<{number}>"}
            row = OutboxRow(raw=f"{number}".encode(), next_try_at=table.now, composed_at=table.now, **values)
            outbox.add_mail(session, row, ())

    send(table.service, table.server, table.now)

    order = [int(raw) for _, raw in table.server.taken]
    assert order == [number for kinds in KINDS for number, kind in enumerate(every) if kind in kinds]


def test_answers_go_before_reports_where_not_all_can_go(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", "Cy en", per_minute=1)
    for _ in range(3):
        table.tick(after=timedelta(seconds=61))
    command(table, "gm", "message", "1", "Hello")

    table.post(table.reply("Cy", "bid 500"))
    table.tick(after=timedelta(minutes=2))

    assert read_letter(table.server.taken[-1][1]).header("X-PBEM-Kind") == "refusal"


def test_a_server_that_has_had_enough_is_left_alone_for_a_while(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", "Cy en", clock="99d")
    table.server.answers["ana@players.test"] = [ENOUGH]

    counts = [table.tick(after=after) for after in (MINUTE, PAUSES[0] - MINUTE, MINUTE, WAITS[1])]

    assert [(one["later"], one["sent"]) for one in counts] == [(1, 0), (0, 0), (0, 3), (0, 1)]
    assert [one.tries for one in table.posted() if one.kind != "alert"] == [2, 1, 1]
    alerts = [said(one) for one in table.to_gm()]
    assert len(alerts) == 1
    assert "550 5.4.5 Daily sending quota exceeded" in alerts[0]
    assert "15 minutes" in alerts[0]


def test_pauses_grow_as_long_as_no_mail_is_taken(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="99d")
    for address in ("ana@players.test", BOB, "gm@pbem.test"):
        table.server.answers[address] = [ENOUGH] * 9
    tried, moments = 0, []
    for number in range(80):
        moment = table.now + number * 15 * MINUTE
        send(table.service, table.server, moment)
        before, tried = tried, sum(one.tries for one in table.posted())
        moments += [moment] * (tried - before)

    assert [two - one for one, two in pairwise(moments)][:7] == [*PAUSES, PAUSES[-1], PAUSES[-1]]
    assert [one.kind for one in table.posted()].count("alert") == 1


def test_after_a_mail_was_taken_pauses_begin_anew_and_are_told_once_a_day(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="99d")
    table.server.answers["ana@players.test"] = [ENOUGH] * 3
    sent = [table.tick(after=after)["sent"] for after in (MINUTE, PAUSES[0], PAUSES[0], HOUR, 2 * HOUR)]

    assert sent == [0, 2, 0, 0, 1], "Ana in vain; the alert and Bob; Ana in vain, and again; Ana"
    assert len(table.to_gm()) == 1
    table.server.answers[BOB] = [ENOUGH]
    command(table, "gm", "message", "1", "Hello", "--seat", "1")
    for after in (24 * HOUR, PAUSES[0] + WAITS[0]):
        table.tick(after=after)
    assert [one.status for one in to_bob(table)] == ["sent", "sent"]
    assert len(table.to_gm()) == 2


def test_the_game_master_is_warned_once_of_questions_that_wait_too_long(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.answers[BOB] = [LATER] * 99
    alerts = []
    for _ in range(30):
        table.tick(after=HOUR)
        alerts.append(len(table.to_gm()))

    assert (alerts.index(1), alerts[-1]) == (13, 1), "after more than half of the time, with the pass that follows"
    assert "1 mail waits to be sent, the oldest question for 12 hours" in said(table.to_gm()[0])


def test_a_new_backlog_is_a_new_warning(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="2h")
    for _ in range(2):
        table.server.down = True
        for after in (MINUTE, HOUR, HOUR):
            table.tick(after=after)
        table.server.down = False
        table.tick()
        table.says("Ana", stake(table, "Ana"))
        table.post(table.reply("Bob", stake(table, "Bob")))

    assert len([one for one in table.to_gm() if "to be sent" in said(one)]) == 2


def test_mails_that_ask_nothing_may_wait(set_table: SetTable) -> None:
    table = seated(set_table, clock="99d")
    table.server.answers[BOB] = [LATER] * 99
    command(table, "gm", "message", "1", "Hello")

    for _ in range(20):
        table.tick(after=5 * HOUR)

    assert [one for one in table.to_gm() if "to be sent" in said(one)] == []


def test_a_whole_pass_with_a_real_server_that_is_hard_to_please(set_table: SetTable) -> None:
    """Ana's mail is greylisted, the session ends in the midst of Cy's, the answer to Di's is lost."""
    table = set_table("Ana pt", "Bob en", "Cy en", "Di en", clock="99d")
    answers = {"RCPT": [b"450 4.2.0 greylisted\r\n", OWN, b"421 4.3.2 restarting\r\n"], ".": [OWN, OWN, None]}

    def reply(word: str, times: int) -> bytes | None:
        mine = answers.get(word, [])
        return mine[times] if times < len(mine) else OWN

    with wire(reply) as server, Sender(Account("127.0.0.1", server.port, "none", "", "", timeout=5.0)) as sender:
        counts = [send(table.service, sender, table.now + number * WAITS[0]) for number in range(2)]

    assert [(one["sent"], one["later"], one["failed"]) for one in counts] == [(2, 2, 0), (2, 0, 0)]
    assert [one.tries for one in table.posted()] == [2, 1, 1, 2]
    assert [one.status for one in table.posted()] == ["sent"] * 4
    kept = [one.raw for one in table.posted()]
    assert [one.raw for one in server.mails] == [kept[1], kept[2], kept[3], kept[0], kept[3]]
    assert len(server.commands) == 3


@pytest.fixture
def broken(set_table: SetTable) -> tuple[Table, Path]:
    """Give a table whose game master broke the Portuguese words, and the file."""
    table = set_table("Ana pt", "Bob en", own_words=True)
    file = table.folder / "templates" / "words" / "pt" / "bids.j2"
    file.write_text(file.read_text().replace("view.round", "view.lap"))
    table.may_fail = True
    return table, file


def test_a_template_that_fails_stops_that_mail_only(broken: tuple[Table, Path]) -> None:
    table, _ = broken

    counts = table.tick()
    table.tick()

    assert counts["failed"] == 1
    assert [(to, len(raw) > 0) for to, raw in table.server.taken if to != "gm@pbem.test"] == [(BOB, True)]
    assert [one.status for one in table.posted() if one.kind == "notice"] == ["failed"]
    alerts = [said(one) for one in table.to_gm()]
    assert len(alerts) == 1
    assert "could not be composed" in alerts[0]
    assert "Traceback" not in alerts[0]


def test_a_mail_that_could_not_be_composed_is_composed_anew_after_the_repair(broken: tuple[Table, Path]) -> None:
    table, file = broken
    table.tick()
    number = next(one.id for one in table.posted() if one.status == "failed")
    own = table.service.settings.folder / "templates"
    file.write_text(file.read_text().replace("view.lap", "view.round"))
    kept_words.cache_clear()  # the next pass is another process, which reads the words anew

    ran = command(table, "mail", "retry", str(number))
    table.tick()

    assert own.is_dir()
    assert ran.code == 0
    assert "Sua vez" in said(table.mail("Ana"))
    assert [one.status for one in table.posted() if one.id == number] == ["dropped"]


def test_what_is_sent_is_what_was_kept(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", stake(table, "Bob"))
    read_all(table)

    kept = {one.raw for one in table.posted()}

    assert {raw for _, raw in table.server.taken} == kept
    assert all(one.message_id.encode() in one.raw for one in table.posted())
    assert len({one.message_id for one in table.posted()}) == len(table.posted())


def test_a_pass_without_news_writes_nothing(set_table: SetTable) -> None:
    table = seated(set_table)
    before = dump(table.service.store)

    send(table.service, table.server, table.now)

    assert dump(table.service.store) == before
