"""Quiet hours: no mail leaves in them, whatever the clocks on the walls do; and no deadline moves for them."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.quiet import Quiet, is_quiet, parse_quiet, quiet_end, quiet_within
from pbem.store import people
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, holder, read_all, said, seated, stake

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
NEW_YORK = "America/New_York"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def sleep_now(table: Table, name: str, hours: str, zone: str = "UTC") -> None:
    """Give *name* quiet hours, as if chosen long ago."""
    with table.service.store.write() as session:
        person = people.find_person(session, table.people[name].address)
        assert person is not None
        people.change_person(session, person.id, quiet=hours, zone=zone)


def marker(table: Table) -> str:
    """Return the line that proves the seat of Ana."""
    return next(line.text for line in table.last("Ana").lines if line.text.startswith("#"))


@pytest.mark.parametrize(
    ("written", "hours"),
    [
        ("22-08", "22:00-08:00"), ("22:30-7", "22:30-07:00"), ("22h as 8h", "22:00-08:00"),
        ("das 22 as 8", "22:00-08:00"), ("from 10pm to 8am", "22:00-08:00"), ("12am-6am", "00:00-06:00"),
        ("24-6", "00:00-06:00"), ("9.15 - 17", "09:15-17:00"),
    ],
)  # fmt: skip
def test_hours_are_read_as_people_write_them(written: str, hours: str) -> None:
    assert str(parse_quiet(written)) == hours
    assert parse_quiet(hours) == parse_quiet(written)


@pytest.mark.parametrize("written", ["25-99", "22", "", "22-8-9", "night", "22:75-8", "13pm-8am", "0am-8am"])
def test_what_are_no_hours_is_not_read(written: str) -> None:
    assert parse_quiet(written) is None


def test_a_length_goes_over_midnight() -> None:
    assert [Quiet(22 * 60, 8 * 60).length, Quiet(9 * 60, 17 * 60).length] == [10 * HOUR, 8 * HOUR]


@pytest.mark.parametrize(
    ("moment", "hushed"),
    [("2026-03-02T02:59", False), ("2026-03-02T03:00", True), ("2026-03-02T12:59", True), ("2026-03-02T13:00", False),
     ("2026-07-02T01:59", False), ("2026-07-02T02:00", True), ("2026-07-02T11:59", True), ("2026-07-02T12:00", False)],
)  # fmt: skip
def test_hours_are_those_of_the_clock_on_the_wall(moment: str, hushed: bool) -> None:
    assert is_quiet("22:00-08:00", NEW_YORK, at(moment)) is hushed


def test_a_night_is_as_long_as_the_clocks_make_it() -> None:
    nights = {
        "spring": (at("2026-03-08T00:00"), at("2026-03-09T00:00")),
        "autumn": (at("2026-11-01T00:00"), at("2026-11-02T00:00")),
        "usual": (at("2026-06-01T00:00"), at("2026-06-02T00:00")),
    }

    lengths = {name: quiet_within("22:00-08:00", NEW_YORK, *span) for name, span in nights.items()}

    assert lengths == {"spring": 9 * HOUR, "autumn": 11 * HOUR, "usual": 10 * HOUR}
    assert quiet_end("22:00-08:00", NEW_YORK, at("2026-03-08T05:30:20")) == at("2026-03-08T12:00")
    assert quiet_end("22:00-08:00", NEW_YORK, at("2026-06-01T15:00")) == at("2026-06-01T15:00")
    assert quiet_within("", NEW_YORK, *nights["usual"]) == timedelta()


@pytest.mark.parametrize("start", ["2026-03-04T16:20", "2026-10-28T16:20"])
def test_no_mail_leaves_in_quiet_hours_all_week_across_a_change_of_time(set_table: SetTable, start: str) -> None:
    table = seated(set_table, clock="24h + 400d")
    table.now = at(start)
    sleep_now(table, "Bob", "22:00-08:00", NEW_YORK)
    deadline = holder(table, 1).deadline
    sent: list[datetime] = []
    before = len(table.server.taken)

    for hour in range(7 * 24):
        if hour % 5 == 0:
            table.post(table.letter(table.people["Ana"].address, f"dizer Bob: oi {hour}\n\n{marker(table)}"))
        table.tick(after=HOUR)
        sent += [table.now for to, _ in table.server.taken[before:] if to == "bob@players.test"]
        before = len(table.server.taken)

    assert len(sent) >= 14
    assert [one for one in sent if is_quiet("22:00-08:00", NEW_YORK, one)] == []
    assert holder(table, 1).deadline == deadline


def test_what_happens_at_night_is_told_in_one_mail_in_the_morning(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en", "Cy en")
    sleep_now(table, "Bob", "22:00-08:00")
    table.tick(after=10 * HOUR + 30 * MINUTE)
    read_all(table)

    table.says("Ana", "dizer Bob: oi")
    table.says("Cy", "tell Bob: hello")
    asleep = table.mails("Bob")
    while table.now < at("2026-03-03T08:00"):
        table.tick(after=HOUR / 2)
        assert table.now >= at("2026-03-03T08:00") or not table.mails("Bob")

    assert asleep == []
    mail = said(table.mail("Bob"))
    assert "oi" in mail
    assert "hello" in mail


def test_his_own_letter_is_answered_at_night(set_table: SetTable) -> None:
    table = seated(set_table)
    table.tick(after=10 * HOUR + 30 * MINUTE)
    read_all(table)

    table.says("Bob", "quiet 22-08")
    answer = table.mail("Bob")
    table.says("Bob", "status")

    assert "No mail comes to you from 22:00 to 08:00 (UTC)" in said(answer)
    assert "Here is the game as it stands." in said(table.mail("Bob"))


@pytest.mark.parametrize("line", ["quiet 25-99", "quiet 22-22", "quiet 8-7", "silêncio amanhã"])
def test_hours_that_cannot_be_are_told_and_nothing_changes(set_table: SetTable, line: str) -> None:
    table = seated(set_table)

    table.says("Bob", line)

    assert "so nothing was changed" in said(table.mail("Bob"))
    assert 'Write for example "quiet 22-08"' in said(table.last("Bob"))


def test_quiet_hours_are_shown_and_ended_in_either_language(set_table: SetTable) -> None:
    table = seated(set_table)

    for line in ("silêncio 23-7", "silêncio", "silêncio desligado"):
        table.says("Ana", line)

    first, shown, ended = (said(mail) for mail in table.mails("Ana"))
    assert "Das 23:00 às 07:00 (UTC) não vem e-mail para você" in first
    assert "Das 23:00 às 07:00" in shown
    assert "Você não tem horas de silêncio" in ended


def test_a_deadline_does_not_move_for_quiet_hours_and_the_last_call_comes(set_table: SetTable) -> None:
    table = seated(set_table, clock="12h")
    sleep_now(table, "Bob", "22:00-08:00")
    deadline = holder(table, 1).deadline
    assert deadline == at("2026-03-03T00:00")
    calls: list[datetime] = []

    while table.now + 10 * MINUTE < deadline:
        table.tick(after=10 * MINUTE)
        calls += [table.now for _ in table.mails("Bob")]

    assert holder(table, 1).deadline == deadline
    assert calls == [at("2026-03-02T21:01")]


def test_a_question_that_waits_for_the_morning_goes_as_a_last_call_if_its_time_ends_before(set_table: SetTable) -> None:
    table = seated(set_table, clock="4h")
    table.tick(after=3 * HOUR)
    sleep_now(table, "Bob", "14:00-22:00")
    read_all(table)
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))
    deadline = holder(table, 1).deadline
    calls = []
    while deadline is not None and table.now + 10 * MINUTE < deadline:
        table.tick(after=10 * MINUTE)
        calls += [(table.now, said(mail)) for mail in table.mails("Bob")]

    assert holder(table, 1).deadline == deadline
    assert len(calls) >= 1


def test_a_mail_that_could_not_be_sent_before_waits_for_the_morning(set_table: SetTable) -> None:
    table = seated(set_table)
    sleep_now(table, "Bob", "22:00-08:00")
    table.tick(after=9 * HOUR + 50 * MINUTE)
    read_all(table)
    table.server.down = True
    table.says("Ana", "dizer Bob: boa noite")
    table.server.down = False

    table.tick(after=HOUR)
    asleep = table.mails("Bob")
    table.tick(after=10 * HOUR)

    assert asleep == []
    assert "boa noite" in said(table.mail("Bob"))


def test_where_we_run_once_a_night_mail_goes_all_the_same(set_table: SetTable) -> None:
    table = seated(set_table)
    sleep_now(table, "Bob", "22:00-08:00")
    table.tick(after=14 * HOUR)
    read_all(table)
    table.says("Ana", "dizer Bob: olá")
    asleep = table.mails("Bob")

    table.tick(after=24 * HOUR)

    assert asleep == []
    assert any("olá" in said(mail) for mail in table.mails("Bob"))


def test_no_reminder_comes_where_none_is_wanted(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Bob", "reminders off")
    table.says("Ana", "lembretes desligados\nlembretes ligados")
    read_all(table)

    for _ in range(23):
        table.tick(after=HOUR)

    assert [mail.header("X-PBEM-Kind") for mail in table.mails("Ana")] == ["reminder"]
    assert table.mails("Bob") == []
