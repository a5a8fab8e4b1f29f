"""Clocks: reminders, defaults, holds, bots, and a mailbox that says nothing."""

from datetime import timedelta

import pytest

from pbem.desk import counter
from pbem.desk.values import Served
from pbem.dispatch import send
from pbem.intake import fetch
from pbem.mail.ports import Delivery
from pbem.referee import judge_all
from pbem.store import games
from pbem.timekeeper import keep_time
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, holder, notices, read_all, said, seated, stake, verified

HOUR = timedelta(hours=1)


def kinds(table: Table, name: str) -> list[str]:
    """Return the kinds of the new mails to *name*."""
    return [one.header("X-PBEM-Kind") for one in table.mails(name)]


def only_time(table: Table, after: timedelta) -> None:
    """Let time pass while no mail can be fetched."""
    table.now += after
    keep_time(table.service, table.now)
    send(table.service, table.server, table.now)


def test_who_has_not_answered_is_reminded_once(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Ana", stake(table, "Ana"))
    read_all(table)

    table.tick(after=17 * HOUR)
    early = kinds(table, "Bob")
    for _ in range(3):
        table.tick(after=HOUR)

    assert early == []
    assert kinds(table, "Bob") == ["reminder"]
    assert kinds(table, "Ana") == []


def test_a_reminder_says_how_much_time_is_left(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")

    table.tick(after=19 * HOUR)

    assert "4 hours are left" in said(table.mail("Bob"))
    assert "faltam 4 horas" in said(table.mail("Ana"))


def test_nobody_is_reminded_of_what_he_was_not_asked(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", clock="24h")
    table.server.answers["bob@players.test"] = [Delivery("later", 451, "4.2.1 later")] * 99

    table.tick()
    table.tick(after=19 * HOUR)
    table.server.answers["bob@players.test"] = []
    table.tick(after=4 * HOUR)
    sent = kinds(table, "Bob")
    table.tick(after=18 * HOUR)

    assert sent == ["report"]
    assert kinds(table, "Bob") == ["reminder"]
    assert kinds(table, "Ana") == ["report", "reminder"]


def test_half_an_answer_does_not_spare_the_reminder(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Bob", f"stake {table.hand('Bob')[0]}")
    read_all(table)

    table.tick(after=19 * HOUR)

    assert kinds(table, "Bob") == ["reminder"]


def test_the_next_decision_has_its_own_reminder(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.tick(after=19 * HOUR)
    for name in table.people:
        table.says(name, stake(table, name))
    read_all(table)

    table.tick(after=19 * HOUR)

    assert kinds(table, "Bob") == ["reminder"]


def test_no_default_before_a_fetch_after_the_deadline_came_to_its_end(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")

    only_time(table, 30 * HOUR)
    assert table.moves() == []
    fetch(table.service, table.mailbox, table.now)
    keep_time(table.service, table.now)

    assert len(table.moves()) >= 4


def test_a_fetch_before_the_deadline_is_not_enough(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.tick(after=23 * HOUR)

    only_time(table, 2 * HOUR)

    assert table.moves() == []


def test_a_letter_that_came_in_time_wins_over_the_default(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.post(table.reply("Bob", stake(table, "Bob", 5)), when=table.now + 23 * HOUR)

    table.tick(after=48 * HOUR)

    assert "1 bid 5" in table.moves()
    assert "0 bid 0" in table.moves()


def test_good_lines_stand_and_defaults_fill_the_rest(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    high = max(table.hand("Bob"))
    table.says("Bob", f"stake {high}")

    table.tick(after=25 * HOUR)

    assert f"1 stake {high}" in table.moves()
    assert "1 bid 0" in table.moves()
    assert verified(table)["verified"]


def test_a_default_is_told_to_all_and_the_next_decision_starts_a_new_clock(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Ana", stake(table, "Ana"))
    read_all(table)

    table.tick(after=25 * HOUR)

    assert "Bob did not answer in time" in said(table.last("Ana")) or "Bob não respondeu a tempo" in said(
        table.last("Ana")
    )
    assert holder(table, 1).deadline == table.now + 24 * HOUR
    assert len([one for one in notices(table, 0, "seat.late") if one["seat"] == 1]) == 1


def test_who_had_answered_is_not_called_late(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Ana", stake(table, "Ana"))

    table.tick(after=25 * HOUR)

    assert [one["seat"] for one in notices(table, 1, "seat.late")] == [1]


def test_the_bank_is_empty_after_a_default(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 6h")

    table.tick(after=29 * HOUR)
    assert table.moves() == []
    table.tick(after=2 * HOUR)

    assert len(table.moves()) >= 4
    assert holder(table, 1).bank == timedelta()


def test_an_unconfirmed_letter_puts_nothing_off(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.post(table.letter("bob@players.test", stake(table, "Bob", 5)))
    table.tick()
    assert table.stored()[0].status == "held"

    table.tick(after=25 * HOUR)

    assert "1 bid 0" in table.moves()
    assert not any("held" in said(one) for one in table.to_gm())


def crash(*_: object) -> Served:
    """Stand for a fault of ours."""
    raise RuntimeError("out of cheese")


def test_a_held_letter_of_the_seat_puts_its_default_off_once_for_a_day(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated(set_table, clock="24h")
    table.may_fail = True
    monkeypatch.setattr(counter, "COMMANDS", {**counter.COMMANDS, "status": crash})
    table.says("Bob", f"status\n{stake(table, 'Bob', 5)}")

    table.tick(after=25 * HOUR)
    table.tick(after=HOUR)
    put_off = table.moves()
    table.tick(after=24 * HOUR)

    assert put_off == []
    assert len([one for one in table.to_gm() if "is held: it could not be judged" in said(one)]) == 1
    assert "1 bid 0" in table.moves()


def hold_back(table: Table, number: int) -> None:
    """Hold a letter of Bob as the judge would hold one of whose seat it is sure."""
    with table.service.store.write() as session:
        from pbem.store import letters  # noqa: PLC0415

        letters.change_letter(session, number, status="held", reason="crashed", game_id=table.game, seat=1)


def test_a_held_letter_with_its_seat_puts_the_default_off_once_for_a_day(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Bob", "status")
    hold_back(table, 1)

    for _ in range(3):
        table.tick(after=9 * HOUR)
    put_off, alerts = table.moves(), [said(one) for one in table.to_gm()]
    table.tick(after=21 * HOUR)
    table.tick(after=HOUR)

    assert put_off == []
    assert len(alerts) == 1
    assert "Letter 1 is held" in alerts[0]
    assert "1 bid 0" in table.moves()
    assert len(table.to_gm()) == 1


def test_a_hold_ends_by_itself(set_table: SetTable) -> None:
    table = seated(set_table, hold="10m")
    for name in table.people:
        table.says(name, stake(table, name))
    assert table.moves() == []

    table.tick(after=timedelta(minutes=9))
    before = table.moves()
    only_time(table, timedelta(minutes=2))
    unread = table.moves()
    table.tick()

    assert (before, unread) == ([], []), "a change of mind may lie in the mailbox"
    assert len(table.moves()) >= 4


@pytest.mark.parametrize("line", ["stake", "next: stake", "stake, for now"])
def test_a_game_whose_holds_are_over_is_looked_at_no_more(set_table: SetTable, line: str) -> None:
    table = seated(set_table, hold="10m", clock="24h + 10d")
    table.says("Ana", stake(table, "Ana").replace("stake", line, 1) + "\n" + "note I have time")
    held = [holder(table, 0).held_until]
    table.tick(after=11 * timedelta(minutes=1))

    with table.service.store.read() as session:
        due = games.due_games(session, table.now + HOUR)

    assert held != [None] or "for now" in line
    assert due == []


def test_a_hold_does_not_cost_the_default(set_table: SetTable) -> None:
    table = seated(set_table, hold="2h", clock="24h")
    table.says("Ana", stake(table, "Ana"))
    table.post(table.reply("Bob", stake(table, "Bob", 5)), when=table.now + 23 * HOUR)

    table.tick(after=24 * HOUR)

    assert "1 bid 0" not in table.moves()
    table.tick(after=3 * HOUR)
    assert "1 bid 5" in table.moves()


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_play_a_whole_game_without_a_mail(set_table: SetTable, bot: str) -> None:
    table = set_table(f"bot:{bot}", "bot:random")

    for _ in range(40):
        if table.live().game.status == "over":
            break
        table.tick()

    assert table.live().game.status == "over"
    assert table.server.taken == []
    assert verified(table)["verified"]


def test_bots_have_no_clock_and_no_default(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "bot:random", clock="24h")

    assert holder(table, 1).deadline is None
    assert holder(table, 1).plan != ()
    assert table.moves() == []


def test_a_mailbox_that_says_nothing_for_a_day_alarms_the_game_master_once(set_table: SetTable) -> None:
    table = seated(set_table)

    for _ in range(6):
        only_time(table, 6 * HOUR)

    assert len(table.to_gm()) == 1
    assert "No mail could be fetched for 24 hours" in said(table.to_gm()[0])


def test_a_new_silence_is_a_new_alarm(set_table: SetTable) -> None:
    table = seated(set_table)
    only_time(table, 25 * HOUR)
    table.tick()

    only_time(table, 25 * HOUR)

    assert len(table.to_gm()) == 2


def test_without_a_running_game_a_silent_mailbox_alarms_nobody(set_table: SetTable) -> None:
    table = seated(set_table, start=False)
    table.says("Bob", "decline")

    only_time(table, 48 * HOUR)

    assert [one.header("X-PBEM-Kind") for one in table.to_gm()] == ["alert"], "only that Bob declined"


def test_a_pass_that_is_repeated_at_the_same_moment_changes_nothing(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.tick(after=25 * HOUR)
    entries, sent = table.log(), len(table.server.taken)

    for _ in range(2):
        fetch(table.service, table.mailbox, table.now)
        judge_all(table.service, table.now)
        keep_time(table.service, table.now)
        send(table.service, table.server, table.now)

    assert table.log() == entries
    assert len(table.server.taken) == sent
