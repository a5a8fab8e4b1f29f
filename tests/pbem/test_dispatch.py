"""Notices to mails, and mails to the server: one where one will do, the same bytes at every try."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.dispatch import WAITS, send
from pbem.mail.errors import SmtpDown
from pbem.mail.letter import read_letter
from pbem.mail.ports import Delivery
from pbem.store.outbox import Posted
from tests.pbem.table import MemoryServer, Table
from tests.pbem.witness import SetTable, command, dump, holder, read_all, said, seated, stake

BOB = "bob@players.test"
LATER = Delivery("later", 451, "4.2.1 try later")
NEVER = Delivery("refused", 550, "5.1.1 no such player")


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


def test_only_so_many_mails_a_minute_go_out(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", "Cy en", "Di en", per_minute=2)

    counts = [table.tick(after=after)["sent"] for after in (timedelta(), timedelta(seconds=30), timedelta(seconds=61))]

    assert counts == [2, 0, 2]


def test_answers_go_before_reports_where_not_all_can_go(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", "Cy en", per_minute=1)
    for _ in range(3):
        table.tick(after=timedelta(seconds=61))
    command(table, "gm", "message", "1", "Hello")

    table.post(table.reply("Cy", "bid 500"))
    table.tick(after=timedelta(minutes=2))

    assert read_letter(table.server.taken[-1][1]).header("X-PBEM-Kind") == "refusal"


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
    from pbem import dispatch  # noqa: PLC0415 - the next pass is another process, which reads the words anew

    dispatch._words.cache_clear()  # noqa: SLF001 - as a new process would

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
