"""Games whose clocks rest on some days: deadlines, banks, reminders, pauses, absences, outages, and their words."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from engine.core.types import Seat
from pbem import moderation
from pbem.clock import Clock, parse_clock
from pbem.live import take_up
from pbem.opening import usual_clock
from pbem.outage import move_clock
from pbem.settings import Play
from pbem.store.games import Holder
from tests.contract.cli.schema import faults
from tests.pbem.table import START, Table, text_of
from tests.pbem.witness import SetTable, acts, command, holder, notices, read_all, said, seated, stake

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
WEEKEND = "; off sat sun; zone UTC"
FRIDAY = START + 4 * DAY  # noon, as all of these; START is a Monday
MONDAY = START + 7 * DAY


def gm(table: Table, act, *values) -> None:
    with table.service.store.write() as session:
        act(session, take_up(session, table.game), *values, table.now)


def until(table: Table, moment: datetime, **named: bool) -> None:
    """Let time pass up to *moment*, and run one pass."""
    table.tick(after=moment - table.now, **named)


def kinds(table: Table, name: str) -> list[str]:
    return [one.header("X-PBEM-Kind") for one in table.mails(name)]


# ---- deadlines and banks


@pytest.mark.parametrize(
    ("clock", "deadline"),
    [
        ("96h", FRIDAY),
        ("96h" + WEEKEND, FRIDAY),
        ("120h" + WEEKEND, MONDAY),
        ("108h" + WEEKEND, MONDAY - 12 * HOUR),  # Friday's last moment is Monday's first
        ("24h + 4d" + WEEKEND, MONDAY),
        ("24h; off 03-02", START + 36 * HOUR),
        ("24h; off 2026-03-02 2026-03-03; zone Europe/Lisbon", START + 60 * HOUR),
        ("24h; stake 12h", START + 12 * HOUR),
        ("24h; bids.stake 3h; bid 2h", START + 3 * HOUR),
        ("24h; bid 12h", START + DAY),
    ],
)
def test_a_deadline_skips_the_days_of_rest(set_table: SetTable, clock: str, deadline: datetime) -> None:
    table = set_table("Ana pt", "Bob en", clock=clock)

    assert [deadline] * 2 == [one.deadline for one in table.live().holders]


def test_a_default_is_played_after_the_weekend_only(set_table: SetTable) -> None:
    table = seated(set_table, clock="108h" + WEEKEND)

    until(table, MONDAY - 13 * HOUR)
    before = table.moves()
    until(table, MONDAY - 11 * HOUR)

    assert before == []
    assert len(table.moves()) >= 4


def test_a_weekend_costs_no_bank(set_table: SetTable) -> None:
    table = seated(set_table, clock="96h + 3d" + WEEKEND)
    until(table, MONDAY)

    table.says("Bob", stake(table, "Bob"))

    spent = 3 * DAY - holder(table, 1).bank  # Friday and Monday, half a day each
    assert timedelta() <= spent - DAY <= 2 * MINUTE


def test_time_in_which_a_clock_stood_still_costs_no_bank(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 3d")
    until(table, START + 2 * DAY)
    table.says("Bob", stake(table, "Bob"))  # a day of the bank
    table.now += DAY
    table.says("Bob", "undo")
    table.now += 6 * HOUR

    table.says("Bob", stake(table, "Bob"))

    assert timedelta() <= 2 * DAY - 6 * HOUR - holder(table, 1).bank <= 4 * MINUTE


# ---- reminders


def test_each_part_of_the_time_has_its_reminder(set_table: SetTable) -> None:
    table = seated(set_table, clock="120h; remind 1/2 9/10; off sat sun; zone UTC")

    told = []
    for moment in (START + 59 * HOUR, START + 61 * HOUR, FRIDAY, MONDAY - 13 * HOUR, MONDAY - 11 * HOUR, MONDAY - HOUR):
        until(table, moment)
        told.append(kinds(table, "Bob"))

    assert [[], ["reminder"], [], [], ["reminder"], []] == told
    assert holder(table, 1).reminded == 2


def test_two_reminders_that_were_missed_are_one_mail(set_table: SetTable) -> None:
    table = seated(set_table, clock="5d; remind 1/2 3/4")

    until(table, START + 4 * DAY)

    mail = table.mail("Bob")
    assert "24 hours are left to answer" in said(mail)
    until(table, START + 4 * DAY + HOUR)
    assert kinds(table, "Bob") == []


def test_an_early_reminder_tells_days(set_table: SetTable) -> None:
    table = seated(set_table, clock="10d; remind 1/2")

    until(table, START + 5 * DAY)

    assert "5 days are left to answer" in said(table.mail("Bob"))
    assert "faltam 5 dias para responder" in said(table.mail("Ana"))


def test_in_quiet_hours_only_the_last_reminder_is_a_last_call(set_table: SetTable) -> None:
    table = seated(set_table, clock="48h; remind 1/4 23/24")
    table.says("Bob", "quiet 11-14")
    read_all(table)

    until(table, START + DAY)
    asleep = kinds(table, "Bob")
    until(table, START + 27 * HOUR)
    awake = kinds(table, "Bob")
    until(table, START + 47 * HOUR + MINUTE)

    assert (asleep, awake, kinds(table, "Bob")) == ([], ["reminder"], ["reminder"])


# ---- pauses, more time, absences, outages


@pytest.mark.parametrize(
    ("paused", "resumed", "deadline"),
    [
        (FRIDAY, MONDAY, MONDAY + DAY),
        (FRIDAY + 12 * HOUR, MONDAY - 12 * HOUR, MONDAY),  # nothing but days of rest
        (FRIDAY + DAY, FRIDAY + 30 * HOUR, MONDAY),
        (FRIDAY, FRIDAY + DAY, MONDAY + 12 * HOUR),
        (START + DAY, START + 15 * DAY, START + 21 * DAY),
    ],
)
def test_a_pause_leaves_the_working_time_that_was_left(
    set_table: SetTable, paused: datetime, resumed: datetime, deadline: datetime
) -> None:
    table = seated(set_table, clock="120h" + WEEKEND)
    until(table, paused)
    gm(table, moderation.pause, "")
    table.now = resumed

    gm(table, moderation.resume, "")

    assert [deadline] * 2 == [one.deadline for one in table.live().holders]


CLOCKS = st.sampled_from(
    [
        "24h + 10d" + WEEKEND,
        "5d; off wed 03-01; zone America/Sao_Paulo",
        "36h + 3d; off sun 2026-03-28 2026-10-25; zone Europe/Lisbon",
        "12h; off sat sun; zone Australia/Lord_Howe",
        "7d",
    ]
).map(parse_clock)
SPANS = st.timedeltas(timedelta(), 30 * DAY)


@given(CLOCKS, st.timedeltas(timedelta(), 365 * DAY), SPANS, SPANS)
def test_what_was_lost_is_given_back_as_the_clock_counts(
    clock: Clock, put: timedelta, before: timedelta, lost: timedelta
) -> None:
    put_at = START + put
    deadline = clock.after(put_at, clock.free + clock.bank)
    one = Holder(1, Seat(0), "Ana", put_at=put_at, deadline=deadline)
    begun, ended = put_at + before, put_at + before + lost

    moved = move_clock(clock, one, clock.between(begun, ended))

    assert moved.deadline is not None
    assert clock.between(begun, deadline) == clock.between(ended, moved.deadline)


def test_more_time_is_working_time(set_table: SetTable) -> None:
    table = seated(set_table, clock="96h" + WEEKEND)

    gm(table, moderation.extend, DAY, "")

    assert holder(table, 0).deadline == MONDAY


@pytest.mark.parametrize(("leaves", "days", "deadline"), [(FRIDAY + 12 * HOUR, 2, MONDAY), (FRIDAY, 3, MONDAY + DAY)])
def test_an_absence_over_a_weekend_moves_by_its_working_time(
    set_table: SetTable, leaves: datetime, days: int, deadline: datetime
) -> None:
    table = seated(set_table, clock="120h" + WEEKEND)
    until(table, leaves - 2 * MINUTE)
    table.now = leaves - MINUTE

    table.says("Bob", f"away {days} days")

    assert holder(table, 0).deadline == MONDAY
    assert deadline == holder(table, 1).deadline
    assert holder(table, 1).away_used == days * DAY


def test_who_is_back_early_gets_his_deadline_back(set_table: SetTable) -> None:
    table = seated(set_table, clock="120h" + WEEKEND)
    until(table, FRIDAY)
    table.says("Bob", "away 10 days")

    table.says("Bob", "back")

    deadline = holder(table, 1).deadline
    assert deadline is not None
    assert timedelta() <= deadline - MONDAY <= 2 * MINUTE


@pytest.mark.parametrize(
    ("begun", "ended", "by"),
    [
        (FRIDAY + 12 * HOUR, MONDAY - 12 * HOUR, timedelta()),
        (FRIDAY + 6 * HOUR, MONDAY - 6 * HOUR, 12 * HOUR),
        (FRIDAY + DAY, FRIDAY + 30 * HOUR, timedelta()),
    ],
)
def test_an_outage_moves_a_clock_by_its_working_time_and_over_a_weekend_not_at_all(
    set_table: SetTable, begun: datetime, ended: datetime, by: timedelta
) -> None:
    table = seated(set_table, clock="24h + 10d" + WEEKEND)
    until(table, begun - MINUTE)
    until(table, begun)
    before = holder(table, 0).deadline
    read_all(table)

    until(table, ended, dead=True)

    assert before is not None
    assert table.live().clock.after(before, by) == holder(table, 0).deadline
    assert [int(by.total_seconds())] * bool(by) == [one["by"] for one in notices(table, 0, "clock.moved")]


def test_a_question_that_goes_out_after_the_weekend_moves_a_clock_by_what_was_lost(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="48h" + WEEKEND, start=False)
    table.tick()
    read_all(table)
    until(table, FRIDAY + 6 * HOUR)
    for name in table.people:
        table.post(table.reply(name, "accept" if name == "Bob" else "aceito"))
    table.server.down = True
    table.tick()
    before = holder(table, 1).deadline
    table.server.down = False

    until(table, MONDAY)

    assert before is not None
    assert before < MONDAY + 2 * DAY
    assert [MONDAY + 2 * DAY] * 2 == [one.deadline for one in table.live().holders]


# ---- words


def test_a_mail_names_the_days_of_rest_before_its_deadline(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="5d; off sat sun 03-06; zone UTC")
    table.tick()

    assert "The clock rests on 6 March, Saturday and Sunday." in said(table.mail("Bob"))
    assert "O prazo não corre em 6 de março, no sábado e no domingo." in said(table.mail("Ana"))


@pytest.mark.parametrize("clock", ["96h" + WEEKEND, "24h + 10d" + WEEKEND, "5d"])
def test_a_mail_whose_deadline_skips_no_day_of_rest_says_nothing_of_them(set_table: SetTable, clock: str) -> None:
    table = set_table("Ana pt", "Bob en", clock=clock)
    table.tick()

    assert "The clock rests" not in said(table.mail("Bob"))


def test_who_lives_on_his_bank_reads_when_it_is_empty_and_what_is_skipped(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 4d" + WEEKEND)

    until(table, FRIDAY)
    table.says("Bob", "status")

    mail = said(table.last("Bob"))
    assert "Please answer by Monday 9 March, 12:00 (UTC)" in mail
    assert "The clock rests on Saturday and Sunday." in mail
    assert "Your reserve of 4 days is running down." in mail


def test_an_invitation_tells_the_whole_clock(set_table: SetTable) -> None:
    clock = "24h + 10d; off sun 12-25 2026-04-03; zone America/Sao_Paulo; stake 12h; bid 0"
    table = set_table("Ana pt", "Bob en", clock=clock, start=False)
    table.tick()

    english, portuguese = said(table.mail("Bob")), said(table.mail("Ana"))
    assert 'For "stake" you have 12 hours. For "bid" you have only that reserve.' in english
    assert (
        "Your time stands still on Sundays, 25 December and 3 April 2026, by the calendar of America/Sao_Paulo."
        in english
    )
    assert "você tem 12 horas." in portuguese
    assert (
        "O seu tempo fica parado aos domingos, em 25 de dezembro e em 3 de abril de 2026, "
        "pelo calendário de America/Sao_Paulo." in portuguese
    )


def test_the_command_line_shows_the_clock_and_until_when_time_is_free(set_table: SetTable) -> None:
    table = seated(set_table, clock="96h + 1d" + WEEKEND)

    shown = command(table, "game", "show", "1")
    data = command(table, "game", "show", "1", "--json").json

    assert "Clock: 96h + 24h; off sat sun; zone UTC" in shown.out.replace("4d", "96h")
    assert "2026-03-06T12:00:00Z" in shown.out
    assert "2026-03-09T12:00:00Z" in shown.out
    assert data["clock"] == table.live().game.clock
    assert faults("game-show", data) == []


# ---- whose days, and which kinds


def test_the_zone_of_the_settings_is_fixed_when_a_game_is_opened(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", own_words=True)
    settings = (table.folder / "pbem.toml").read_text()
    both = ["--seat", "Cy <cy@players.test>", "--seat", "bot:greedy"]
    for extra in ('clock = "2d; off sun; stake 12h; death 6h"\ntimezone = "Europe/Lisbon"\n', 'timezone = "UTC"\n'):
        (table.folder / "pbem.toml").write_text(settings + extra)
        command(table, "game", "new", "bids", *both, "--json", *(["--clock", "1d; off sat"] if "UTC" in extra else []))

    clocks = [command(table, "game", "show", number, "--json").json["clock"] for number in ("2", "3")]

    assert clocks == ["2d; off sun; zone Europe/Lisbon; stake 12h", "24h; off sat; zone UTC"]


def test_a_kind_in_the_settings_that_no_title_knows_is_refused_when_a_game_is_opened(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", own_words=True)
    settings = (table.folder / "pbem.toml").read_text()
    (table.folder / "pbem.toml").write_text(settings + 'clock = "2d; slip 12h"\n')

    ran = command(table, "game", "new", "bids", "--seat", "Cy <cy@players.test>", "--seat", "bot:greedy")

    assert ran.code == 2
    assert "This title has no decision 'slip'. There are: " in ran.err
    assert "stake, bid" in ran.err


def test_a_clock_for_all_titles_is_put_down_to_what_one_knows() -> None:
    play = Play(clock=parse_clock("24h; death 12h; stake 6h"))

    assert usual_clock(play, "village") == "24h; death 12h"
    assert usual_clock(play, "bids") == "24h; stake 6h"
    assert usual_clock(Play(), "bids") == "24h + 10d"


# ---- another clock for a game that runs


@pytest.mark.parametrize(
    ("old", "new", "deadline"),
    [
        ("24h", "48h", START + 2 * DAY),
        ("24h", "24h + 1d", START + 2 * DAY),
        ("24h", "24h; stake 3d", START + 3 * DAY),
        ("4d", "5d" + WEEKEND, MONDAY),
        ("10d", "30h", START + 36 * HOUR),  # a day from now
        ("24h", "12h", START + DAY),  # it was so near before
        ("4d" + WEEKEND, "4d; off fri; zone UTC", FRIDAY + 24 * HOUR),
    ],
)
def test_a_new_clock_counts_from_when_the_question_was_put_and_takes_no_time_away_at_once(
    set_table: SetTable, old: str, new: str, deadline: datetime
) -> None:
    table = seated(set_table, clock=old)
    until(table, START + 12 * HOUR)

    gm(table, moderation.change_clock, new, "UTC", "")

    assert [deadline] * 2 == [one.deadline for one in table.live().holders]


def test_what_was_used_of_a_bank_stays_used_under_a_new_clock(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 10d")
    until(table, START + 3 * DAY)
    table.says("Bob", stake(table, "Bob"))
    before = holder(table, 1).bank

    gm(table, moderation.change_clock, "24h + 5d", "UTC", "")

    assert holder(table, 1).bank == before - 5 * DAY
    assert holder(table, 0).bank == 5 * DAY
    assert holder(table, 1).deadline is None
    gm(table, moderation.change_clock, "24h", "UTC", "")
    assert holder(table, 1).bank == timedelta()


def test_a_new_clock_of_a_paused_game_counts_when_it_goes_on(set_table: SetTable) -> None:
    table = seated(set_table, clock="48h")
    until(table, START + DAY)
    gm(table, moderation.pause, "")
    table.now += 3 * DAY

    gm(table, moderation.change_clock, "72h", "UTC", "")
    gm(table, moderation.resume, "")

    assert holder(table, 0).deadline == START + 6 * DAY


def test_a_game_that_has_not_begun_begins_with_its_new_clock(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h + 10d", start=False)
    table.tick()

    ran = command(table, "gm", "clock", "1", "48h + 2d")
    for name in table.people:
        table.says(name, "accept")

    assert ran.code == 0
    assert table.live().running
    assert [2 * DAY] * 2 == [one.bank for one in table.live().holders]


def test_a_new_clock_keeps_the_zone_of_the_old_one_and_is_on_record(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h; off sun; zone Europe/Lisbon")

    ran = command(table, "gm", "clock", "1", "48h; off sat", "--reason", "Work", "--json")

    assert table.live().game.clock == "2d; off sat; zone Europe/Lisbon"
    act = acts(table)[-1]
    assert (act.who, act.what) == ("gm", "clock")
    assert act.fields == {
        "clock": "2d; off sat; zone Europe/Lisbon",
        "before": "24h; off sun; zone Europe/Lisbon",
        "reason": "Work",
    }
    assert faults("gm-clock", ran.json) == []
    assert {one["key"] for one in ran.json["told"]} == {"clock.changed"}


def test_after_a_new_clock_nobody_is_reminded_of_what_is_past(set_table: SetTable) -> None:
    table = seated(set_table, clock="10d")
    until(table, START + 3 * DAY)

    gm(table, moderation.change_clock, "4d; remind 1/2 7/8", "UTC", "")
    table.tick()
    told = kinds(table, "Bob")
    until(table, START + 3 * DAY + 12 * HOUR)

    assert (told, kinds(table, "Bob")) == (["notice"], ["reminder"])


def test_who_looks_on_reads_of_a_new_clock(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "gm", "observe", "1", "Zoe <zoe@players.test> en")
    command(table, "gm", "clock", "1", "48h")
    table.tick()

    zoe = [raw.decode() for to, raw in table.server.taken if to == "zoe@players.test"]

    assert "changed the clock" in " ".join(zoe).replace("=\r\n", "").replace("\r\n", " ")


def test_moments_of_a_weekend_are_told_where_the_reader_lives(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h; off tue; zone America/Sao_Paulo")
    table.tick()

    assert datetime(2026, 3, 4, 12, tzinfo=UTC) == holder(table, 0).deadline
    assert "by Wednesday 4 March, 12:00 (UTC)" in said(table.mail("Bob"))
    assert "O prazo não corre na terça-feira." in text_of(table.mail("Ana")).replace("\n", " ")


def test_a_game_keeps_its_clock_in_a_rematch(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h; off sat sun; zone Europe/Lisbon; stake 12h")
    command(table, "gm", "finish", "1")
    table.tick()
    table.says("Ana", "revanche")

    table.says("Bob", "rematch")

    with table.service.store.read() as session:
        assert structs.replace(take_up(session, 2).game).clock == table.live().game.clock
