"""Fairness: what could not be read or sent for a while moves the clocks by as much, once, and is told."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from engine.core.types import Seat
from pbem import moderation
from pbem.clock import format_moment
from pbem.desk.orders import plan_for
from pbem.dispatch import WAITS, send
from pbem.intake import fetch
from pbem.live import take_up
from pbem.mail.ports import Delivery
from pbem.outage import Reading, outage_before, watch_reading
from pbem.store import letters, people
from pbem.timekeeper import keep_time
from tests.pbem.table import START, MemoryServer, Table
from tests.pbem.witness import SetTable, acts, command, dump, holder, notices, read_all, said, seated, stake, untold

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)
LATER = Delivery("later", 451, "4.7.1 greylisted")
NEVER = Delivery("unreachable", 550, "5.1.1 nobody")
BOB = "bob@players.test"


def deadlines(table: Table) -> list[datetime | None]:
    """Return the deadline of each seat."""
    return [one.deadline for one in table.live().holders]


def settled(set_table: SetTable, *seats: str, **values: Any) -> Table:
    """Return a table at which all have read their first mail, and whose mailbox was read every minute."""
    table = seated(set_table, *seats, **values)
    table.tick()
    return table


def silence(table: Table, length: timedelta, every: timedelta = HOUR) -> None:
    """Let *length* go by in which the mailbox cannot be read, though passes try to, and end it."""
    table.mailbox.gone = True
    end = table.now + length
    while table.now + every < end:
        table.tick(after=every)
    table.mailbox.gone = False
    table.tick(after=end - table.now)


def moved(table: Table, seat: int) -> list[dict[str, Any]]:
    """Return what a seat was told of moved clocks."""
    return notices(table, seat, "clock.moved")


# ---- reading


@pytest.mark.parametrize("dead", [False, True])
def test_while_mail_cannot_be_read_the_clocks_stand_still(set_table: SetTable, dead: bool) -> None:
    table = settled(set_table, clock="24h + 10d")
    before = deadlines(table)

    if dead:
        table.tick(after=5 * HOUR, dead=True)
    else:
        silence(table, 5 * HOUR)

    assert deadlines(table) == [one + 5 * HOUR for one in before]
    assert holder(table, 0).put_at == START + 5 * HOUR
    fields = {"by": 5 * 3600, "deadline": format_moment(before[0] + 5 * HOUR), "why": "reading"}
    assert moved(table, 0) == [{"key": "clock.moved", "urgent": True} | fields]
    mail = said(table.mail("Bob"))
    assert "No mail could be read here for 5 hours" in mail
    assert "Your time to answer now ends on Friday 13 March, 17:00 (UTC)." in mail
    assert "não foi possível ler e-mails" in said(table.mail("Ana"))
    act = acts(table)[-1]
    assert (act.who, act.what, act.fields["by"]) == ("service", "clock", {"0": 5 * 3600, "1": 5 * 3600})
    with table.service.store.read() as session:
        mailbox = letters.get_mailbox(session, table.service.mailbox_name)
    assert mailbox is not None
    assert mailbox.gap_end == table.now


@pytest.mark.parametrize("length", [timedelta(minutes=59), HOUR])
def test_an_outage_of_an_hour_or_less_moves_nothing(set_table: SetTable, length: timedelta) -> None:
    table = settled(set_table)
    before = deadlines(table)

    silence(table, length, every=10 * MINUTE)

    assert deadlines(table) == before
    assert moved(table, 0) == []


def test_who_reads_the_mailbox_once_a_day_has_no_outage_every_night(set_table: SetTable) -> None:
    table = settled(set_table, clock="99d")
    changes = []

    for _ in range(10):
        before = deadlines(table)
        table.tick(after=DAY, dead=True)
        changes.append(deadlines(table) != before)

    assert changes == [True] + [False] * 9


@pytest.mark.parametrize(
    "evening",
    [
        (timedelta(hours=23), 30 * MINUTE, 20 * MINUTE, 10 * MINUTE),
        (timedelta(hours=14), 10 * HOUR),
        (timedelta(hours=10), *[59 * MINUTE] * 14),
    ],
    ids=["three times in the evening", "morning and evening", "a machine that sleeps at night"],
)
def test_a_gap_that_comes_back_every_day_is_no_outage(set_table: SetTable, evening: tuple[timedelta, ...]) -> None:
    table = settled(set_table, clock="99d")
    changes = []

    for _ in range(5):
        before = deadlines(table)
        for after in evening:
            watched(table, after)
        changes.append(deadlines(table) != before)

    assert changes[1:] == [False] * 4


def watched(table: Table, after: timedelta) -> None:
    """Let time pass without any pass, and only read the mailbox: what a whole pass does besides, takes its time."""
    table.now += after
    watch_reading(table.service, table.now)
    fetch(table.service, table.mailbox, table.now)
    watch_reading(table.service, table.now, tried=True)


def test_a_second_outage_on_the_same_day_counts_too(set_table: SetTable) -> None:
    table = settled(set_table, clock="99d")
    before = deadlines(table)

    for _ in range(2):
        table.tick(after=5 * HOUR, dead=True)
        table.tick()

    assert deadlines(table) == [one + 10 * HOUR for one in before]


READ = Reading(START - 7 * DAY)


@pytest.mark.parametrize(
    ("pace", "failed", "gap", "counted"),
    [
        (300, None, 61, 61),
        (300, None, 60, None),
        (1800, None, 119, None),
        (1800, None, 121, 121),
        (86_400, None, 3 * 1440, None),
        (86_400, None, 5 * 1440, 5 * 1440),
        (0, None, 359, None),
        (0, None, 361, 361),
        (0, 30, 119, 119),
        (0, 30, 60, None),
        (1800, 30, 119, None),
    ],
)
def test_an_outage_is_long_for_this_mailbox(pace: int, failed: int | None, gap: int, counted: int | None) -> None:
    """In minutes, but for the pace."""
    failed_at = None if failed is None else START + failed * MINUTE
    reading = Reading(READ.first, (), START, pace, failed_at)
    end = START + gap * MINUTE

    begun = outage_before(reading, end)

    assert (None if begun is None else (end - begun) // MINUTE) == counted


def test_where_nights_are_usual_an_outage_begins_with_the_first_fetch_that_failed() -> None:
    nights = tuple((START - day * DAY, 10 * 3600) for day in range(6))
    late = Reading(READ.first, nights, START, 300, START + 10 * HOUR)

    assert outage_before(late, START + 10 * HOUR + 5 * MINUTE) is None, "the network came up a little later"
    assert outage_before(late, START + 13 * HOUR) == START + 10 * HOUR
    assert outage_before(late, START + 41 * HOUR) == START


def test_what_is_usual_is_forgotten_after_a_week() -> None:
    nights = tuple((START - (8 + day) * DAY, 10 * 3600) for day in range(6))

    assert outage_before(Reading(START - 30 * DAY, nights, START, 300), START + 3 * HOUR) == START


def test_no_default_and_no_late_reminder_while_mail_cannot_be_read(set_table: SetTable) -> None:
    table = settled(set_table, clock="24h")
    table.tick(after=20 * HOUR)
    read_all(table)

    silence(table, 10 * HOUR)
    kinds = [one.header("X-PBEM-Kind") for one in table.mails("Bob")]

    assert table.moves() == []
    assert kinds == ["notice"]
    assert deadlines(table) == [START + 34 * HOUR] * 2
    table.tick(after=START + 34 * HOUR - table.now - MINUTE)
    assert table.moves() == []
    table.tick()
    assert len(table.moves()) >= 4


def test_a_reminder_moves_with_its_clock(set_table: SetTable) -> None:
    table = settled(set_table, clock="24h")
    table.tick(after=START + 17 * HOUR - table.now)
    table.tick(after=5 * HOUR, dead=True)
    read_all(table)

    table.tick(after=55 * MINUTE)
    early = table.mails("Bob")
    table.tick(after=10 * MINUTE)

    assert early == []
    assert "5 hours are left" in said(table.mail("Bob"))


def test_a_letter_from_within_the_outage_is_in_time_and_costs_no_reserve(set_table: SetTable) -> None:
    table = settled(set_table, clock="24h + 10d")
    table.tick(after=START + 22 * HOUR - table.now)
    table.post(table.reply("Bob", stake(table, "Bob", 5)), when=START + 30 * HOUR)

    silence(table, 12 * HOUR)

    assert holder(table, 1).bank == timedelta(days=10)
    assert holder(table, 1).deadline is None
    assert [line.choices for line in holder(table, 1).plan] != []
    table.tick(after=30 * DAY)
    assert "1 bid 5" in table.moves()


def test_reserve_that_runs_stands_still_too(set_table: SetTable) -> None:
    table = settled(set_table, clock="24h + 10d")
    table.tick(after=START + 30 * HOUR - table.now)

    silence(table, 12 * HOUR)
    table.says("Bob", stake(table, "Bob", 5))

    assert holder(table, 1).bank == timedelta(days=10) - 6 * HOUR


def test_who_has_answered_is_not_moved_and_not_bothered(set_table: SetTable) -> None:
    table = settled(set_table, clock="24h")
    table.says("Ana", stake(table, "Ana"))
    read_all(table)
    before = holder(table, 0)

    silence(table, 5 * HOUR)

    assert holder(table, 0) == before
    assert table.mails("Ana") == []
    assert [(one.key, one.urgent, one.fields["deadline"]) for one in untold(table, 0)] == [("clock.moved", False, "")]
    assert "Your time to answer now ends" in said(table.mail("Bob"))


def test_a_paused_game_is_left_alone(set_table: SetTable) -> None:
    table = settled(set_table, clock="24h")
    table.tick(after=HOUR)
    with table.service.store.write() as session:
        moderation.pause(session, take_up(session, table.game), "", table.now)
    before = table.live()

    silence(table, 5 * HOUR)

    assert table.live() == before
    with table.service.store.write() as session:
        moderation.resume(session, take_up(session, table.game), "", table.now)
    assert deadlines(table) == [START + 29 * HOUR] * 2


def test_bots_have_no_clock_that_could_move(set_table: SetTable) -> None:
    table = settled(set_table, "Ana pt", "bot:random", clock="24h")

    silence(table, 5 * HOUR)

    assert deadlines(table) == [START + 29 * HOUR, None]
    assert moved(table, 1) == []


def test_a_clock_that_began_in_the_outage_moves_by_the_rest(set_table: SetTable) -> None:
    """The game master plays for Bob while no mail can be read; what is asked then begins then."""
    table = settled(set_table, clock="24h")
    table.says("Ana", stake(table, "Ana"))
    table.mailbox.gone = True
    table.tick(after=2 * HOUR)
    with table.service.store.write() as session:
        live = take_up(session, table.game)
        plan = plan_for(live, Seat(1), stake(table, "Bob"), table.service.own_templates)
        moderation.play_for(session, live, Seat(1), plan, "", table.now)
    asked_at = table.now
    table.mailbox.gone = False
    table.tick(after=3 * HOUR, dead=True)

    assert deadlines(table) == [asked_at + 27 * HOUR] * 2


def test_a_hold_does_not_end_while_a_change_of_mind_may_lie_unread(set_table: SetTable) -> None:
    table = settled(set_table, "Ana pt", "Bob en", hold="10m", clock="24h")
    for name in table.people:
        table.says(name, stake(table, name))
    table.post(table.reply("Bob", stake(table, "Bob", 3)), when=table.now + MINUTE)
    table.mailbox.gone = True

    for _ in range(3):
        table.tick(after=10 * MINUTE)
    unread = table.moves()
    table.mailbox.gone = False
    table.tick()
    table.tick(after=11 * MINUTE)

    assert unread == []
    assert "1 bid 3" in table.moves()


def test_a_hold_is_put_off_with_the_clocks(set_table: SetTable) -> None:
    table = settled(set_table, "Ana pt", "Bob en", hold="4h", clock="24h")
    table.says("Ana", stake(table, "Ana"))
    begun = table.now
    table.tick(after=HOUR)

    table.tick(after=2 * HOUR, dead=True)

    assert holder(table, 0).held_until == begun + 6 * HOUR


@pytest.mark.parametrize("death", ["before the outage is counted", "before the next fetch"])
def test_a_pass_that_dies_leaves_the_outage_to_the_next(set_table: SetTable, death: str) -> None:
    table = settled(set_table, clock="24h")
    table.now += 5 * HOUR
    watch_reading(table.service, table.now)
    fetch(table.service, table.mailbox, table.now)
    if death == "before the next fetch":
        watch_reading(table.service, table.now, tried=True)

    watch_reading(table.service, table.now + MINUTE)
    counted = deadlines(table)
    for _ in range(3):
        table.tick()

    assert counted == deadlines(table) == [START + 29 * HOUR] * 2
    assert len(moved(table, 0)) == 1


def test_nothing_is_written_while_mail_is_read_as_ever(set_table: SetTable) -> None:
    table = settled(set_table)
    table.tick()
    before = dump(table.service.store)

    watch_reading(table.service, table.now + MINUTE)

    assert dump(table.service.store) == before


def test_what_is_remembered_is_a_week_long(set_table: SetTable) -> None:
    table = settled(set_table, clock="99d")

    for _ in range(20):
        table.tick(after=DAY, dead=True)

    with table.service.store.read() as session:
        assert people.get_finding(session, "reading").count("86400") == 7


# ---- sending


def test_a_server_that_is_down_for_everybody_costs_nobody_time(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.down = True
    for _ in range(3):
        table.tick(after=HOUR)
    table.server.down = False

    table.tick()

    assert deadlines(table) == [START + 27 * HOUR + MINUTE] * 2
    read_all(table)
    fields = {"by": 3 * 3600 + 60, "deadline": format_moment(deadlines(table)[0]), "why": "sending"}
    assert moved(table, 1) == [{"key": "clock.moved", "urgent": False} | fields]
    table.says("Bob", "status")
    mail = said(table.mail("Bob"))
    assert "went out 3 hours and 1 minute late" in mail
    assert "Your time to answer now ends on" in mail
    assert [one.fields["why"] for one in acts(table) if one.what == "clock"] == ["sending"] * 2


def test_a_greylisted_mail_moves_the_clock_of_its_own_seat_alone(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.answers[BOB] = [LATER] * 3
    for after in (MINUTE, *WAITS[:3]):
        table.tick(after=after)

    assert deadlines(table) == [START + 24 * HOUR, START + 24 * HOUR + MINUTE + 80 * MINUTE]
    assert moved(table, 0) == []


def test_a_mail_that_is_less_than_an_hour_late_moves_nothing(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.answers[BOB] = [LATER] * 2
    for after in (MINUTE, *WAITS[:2]):
        table.tick(after=after)

    assert deadlines(table) == [START + 24 * HOUR] * 2


def test_nothing_is_decided_for_who_was_not_asked(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="2h")
    table.server.answers[BOB] = [LATER] * 99
    table.tick()
    table.says("Ana", stake(table, "Ana"))
    for _ in range(12):
        table.tick(after=30 * MINUTE)
    waiting, reminders = table.moves(), notices(table, 1, "clock.reminder")
    table.server.answers[BOB] = []
    table.tick(after=WAITS[-1])
    sent_at = table.now
    table.tick(after=HOUR + 59 * MINUTE)
    before = table.moves()
    table.tick()

    assert (waiting, reminders, before) == ([], [], [])
    assert len(notices(table, 1, "clock.reminder")) == 1
    assert table.now == sent_at + 2 * HOUR
    assert "1 bid 0" in table.moves()


def test_a_clock_shorter_than_an_hour_is_moved_too_where_it_ran_out(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="15m")
    table.server.answers[BOB] = [LATER] * 2
    for after in (MINUTE, *WAITS[:2]):
        table.tick(after=after)

    assert deadlines(table)[1] == table.now + 15 * MINUTE
    assert "1 bid 0" not in table.moves()


def test_a_mail_that_is_refused_for_good_leaves_the_seat_to_its_deadline(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.answers[BOB] = [NEVER]
    table.tick()
    table.says("Ana", stake(table, "Ana"))

    table.tick(after=25 * HOUR)

    assert "1 bid 0" in table.moves()
    assert any("550 5.1.1 nobody" in said(one) for one in table.to_gm())


def test_a_mail_of_unknown_fate_counts_as_sent(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.answers[BOB] = [Delivery("uncertain", 0, "lost")] * 2
    for after in (MINUTE, WAITS[0], 25 * HOUR):
        table.tick(after=after)

    assert "1 bid 0" in table.moves()


def test_a_mail_that_could_not_be_composed_counts_from_the_question(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    with table.service.store.write() as session:
        from pbem.dispatch import _give_up  # noqa: PLC0415 - as if its template had failed

        _give_up(session, table.game, Seat(1), "out of cheese", table.now)
    number = next(one.id for one in table.posted())
    table.tick(after=3 * HOUR)
    ran = command(table, "mail", "retry", str(number))

    table.tick()

    assert ran.code == 0
    assert deadlines(table) == [START + 27 * HOUR, START + 27 * HOUR + MINUTE]


def test_a_mail_that_asks_what_is_answered_already_moves_nothing(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.server.answers[BOB] = [LATER] * 3
    table.post(table.reply("Bob", stake(table, "Bob")))
    table.says("Ana", stake(table, "Ana"))
    asked = holder(table, 1)
    command(table, "gm", "play", "1", "--seat", "1", stake(table, "Bob"))
    for after in WAITS[:3]:
        table.tick(after=after)

    assert asked.deadline is not None
    assert holder(table, 1).deadline is None
    assert moved(table, 1) == []


def test_a_question_that_was_put_late_counts_from_then(set_table: SetTable) -> None:
    """Bob takes his answer back after two days; only then is he asked, and at once."""
    table = seated(set_table, clock="24h + 10d")
    table.says("Bob", stake(table, "Bob"))
    table.tick(after=48 * HOUR)

    table.says("Bob", "undo")

    assert moved(table, 1) == []


def test_a_mail_of_a_paused_game_moves_nothing(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.down = True
    table.tick(after=3 * HOUR)
    with table.service.store.write() as session:
        moderation.pause(session, take_up(session, table.game), "", table.now)
    table.server.down = False
    before = deadlines(table)

    table.tick()

    assert deadlines(table) == before


# ---- both


@pytest.mark.parametrize(
    ("reading", "sending", "expected"),
    [((0, 5), (0, 5), 5), ((0, 3), (0, 5), 5), ((2, 5), (0, 3), 5), ((1, 3), (0, 5), 5), ((0, 5), (0, 2), 5)],
)
def test_time_is_given_once_where_nothing_could_be_read_nor_sent(
    set_table: SetTable, reading: tuple[int, int], sending: tuple[int, int], expected: int
) -> None:
    """In hours after the game was opened; the clocks stand still as long as either lasted."""
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.down = True
    fetch(table.service, table.mailbox, START)
    watch_reading(table.service, START, tried=True)
    keep_time(table.service, START)

    for hour in range(1, 7):
        table.now = START + hour * HOUR
        table.mailbox.gone = reading[0] < hour < reading[1]
        table.server.down = sending[0] < hour < sending[1]
        table.tick(after=timedelta(), dead=reading[0] < hour <= reading[1])

    assert deadlines(table) == [START + (24 + expected) * HOUR] * 2


class Killed(BaseException):
    """The end of a process."""


class DeadlyServer(MemoryServer):
    """A server after which the process dies, once, when it has taken a mail to Bob."""

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
        """Take the mail, and die."""
        delivery = super().send(envelope_from, recipient, raw)
        if [to for to, _ in self.taken] == ["ana@players.test", BOB]:
            raise Killed
        return delivery


def test_a_pass_that_dies_before_it_notes_a_late_mail_moves_the_clock_with_the_next(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.down = True
    table.tick(after=3 * HOUR)
    table.server = DeadlyServer()
    with pytest.raises(Killed):
        table.tick(after=timedelta())
    left = deadlines(table)
    table.tick(after=HOUR)

    assert left == [START + 27 * HOUR, START + 24 * HOUR]
    assert deadlines(table) == [START + 27 * HOUR, START + 28 * HOUR]
    raws = [raw for to, raw in table.server.taken if to == BOB]
    assert raws == raws[:1] * 2


def test_a_late_mail_is_told_once(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.down = True
    table.tick(after=3 * HOUR)
    table.server.down = False

    for _ in range(3):
        send(table.service, table.server, table.now + MINUTE)

    assert [len(moved(table, seat)) for seat in (0, 1)] == [1, 1]
    assert deadlines(table) == [START + 27 * HOUR + MINUTE] * 2
