"""Who comes too late: what is played for him, when a bot stands in, and how he comes back."""

from datetime import timedelta

import pytest

from pbem.clock import parse_clock
from pbem.live import take_up
from pbem.moderation import extend, finish, rewind
from pbem.store import games
from tests.contract.cli.schema import faults
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, acts, command, holder, notices, read_all, said, seated, stake, verified

HOUR = timedelta(hours=1)
DAY = 25 * HOUR


def miss(table: Table, *answering: str) -> None:
    """Let a deadline of 24 hours pass, at which all but those *answering* are late."""
    for name in answering:
        table.post(table.reply(name, stake(table, name)))
    table.tick()
    table.tick(after=DAY)


def again(table: Table) -> None:
    """Begin the game anew: it is a short one."""
    with table.service.store.write() as session:
        rewind(session, take_up(session, table.game), 0, "", table.now)
    table.tick()
    read_all(table)


def causes(table: Table, seat: int) -> list[str]:
    """Return the causes of the entries of *seat*."""
    with table.service.store.read() as session:
        return [one.cause for one in games.read_log(session, table.game) if one.entry.seat == seat]


def three(set_table: SetTable, **values: object) -> Table:
    """Return a table of three on which Bob has answered once."""
    table = seated(set_table, "Ana pt", "Bob en", "Cy en", clock="24h", **values)
    table.says("Bob", stake(table, "Bob"))
    for name in ("Ana", "Cy"):
        table.says(name, stake(table, name))
    read_all(table)
    return table


def test_where_a_bot_answers_at_a_deadline_the_seat_stays_with_its_person(set_table: SetTable) -> None:
    table = three(set_table, late="bot")
    table.says("Bob", f"stake {max(table.hand('Bob'))}")
    before = len(table.moves())

    miss(table, "Ana", "Cy")

    played = [one for one in table.moves()[before:] if one.startswith("1 ")]
    assert len(played) == 2
    assert not holder(table, 1).stand_in
    assert [one["seat"] for one in notices(table, 0, "seat.late")] == [1]
    assert causes(table, 1)[-2:] == ["line", "line"]
    assert verified(table)["verified"]


def test_what_a_late_player_has_planned_stands_and_the_bot_adds_the_rest(set_table: SetTable) -> None:
    table = three(set_table, late="bot")
    low = min(table.hand("Bob"))
    table.says("Bob", f"stake {low}")

    miss(table, "Ana", "Cy")

    assert f"1 stake {low}" in table.moves()


def test_where_the_game_waits_nothing_is_played_and_all_are_told_once(set_table: SetTable) -> None:
    table = three(set_table, late="wait")
    before = table.moves()

    for _ in range(3):
        miss(table, "Ana", "Cy")

    assert table.moves() == before
    assert len(notices(table, 0, "seat.overdue")) == 1
    assert any("the game waits all the same" in said(one) for one in table.mails("Cy"))
    assert any("the game waits for your answer" in said(one) for one in table.mails("Bob"))
    table.says("Bob", stake(table, "Bob"))
    assert len(table.moves()) > len(before)
    assert verified(table)["verified"]


def test_who_is_waited_for_costs_no_pass_any_work(set_table: SetTable) -> None:
    table = three(set_table, late="wait")
    miss(table, "Ana", "Cy")

    counts = [table.tick(after=HOUR)["timed"] for _ in range(3)]

    assert counts == [0, 0, 0]


def test_more_time_from_the_game_master_ends_the_waiting(set_table: SetTable) -> None:
    table = three(set_table, late="wait")
    miss(table, "Ana", "Cy")

    with table.service.store.write() as session:
        extend(session, take_up(session, table.game), 2 * DAY, "", table.now)
    table.tick(after=HOUR)
    soon = holder(table, 1)
    table.tick(after=2 * DAY)

    assert not soon.overdue
    assert holder(table, 1).overdue
    assert len(notices(table, 0, "seat.overdue")) == 2


def test_after_so_many_misses_in_a_row_a_bot_stands_in_and_all_are_told(set_table: SetTable) -> None:
    table = three(set_table, misses=2)
    miss(table, "Ana", "Cy")
    once = holder(table, 1)
    again(table)
    miss(table, "Ana", "Cy")

    assert (once.missed, once.stand_in) == (1, False)
    assert holder(table, 1).stand_in
    assert "perdeu 2 prazos seguidos" in said(table.last("Ana"))
    assert any("You have missed 2 deadlines in a row" in said(one) for one in table.mails("Bob"))
    table.tick()
    assert "Bob has missed 2 deadlines in a row" in said(table.to_gm()[-1])


def test_where_a_bot_stands_in_nobody_is_waited_for_or_asked(set_table: SetTable) -> None:
    table = three(set_table, misses=1)
    miss(table, "Ana", "Cy")
    again(table)
    begun = table.now

    for _ in range(2):
        before = len(table.moves())
        for name in ("Ana", "Cy"):
            table.says(name, stake(table, name))
        assert len(table.moves()) > before

    assert table.now - begun < HOUR
    assert all("Your turn" not in said(one) for one in table.mails("Bob"))
    assert holder(table, 1).deadline is None
    assert verified(table)["verified"]


def test_his_next_letter_brings_him_back_with_a_whole_clock(set_table: SetTable) -> None:
    table = three(set_table, misses=1)
    miss(table, "Ana", "Cy")
    read_all(table)

    table.says("Bob", stake(table, "Bob"))

    back = holder(table, 1)
    assert (back.stand_in, back.missed) == (False, 0)
    assert "Welcome back! You play yourself again." in said(table.last("Bob"))
    assert "Bob voltou" in said(table.last("Ana"))
    miss(table, "Ana", "Cy", "Bob")
    assert not holder(table, 1).stand_in


def test_any_letter_of_his_will_do_and_he_is_asked_at_once(set_table: SetTable) -> None:
    table = three(set_table, misses=1)
    miss(table, "Ana", "Cy")
    read_all(table)

    table.says("Bob", "status")

    mail = said(table.last("Bob"))
    assert "Your turn" in mail
    deadline = holder(table, 1).deadline
    assert deadline is not None
    assert deadline - table.now > 23 * HOUR


def test_an_answer_in_between_starts_the_count_anew(set_table: SetTable) -> None:
    table = three(set_table, misses=2)
    miss(table, "Ana", "Cy")
    for name in ("Ana", "Bob", "Cy"):
        table.says(name, stake(table, name))

    assert holder(table, 1).missed == 0


@pytest.mark.parametrize("late", ["default", "bot", "wait"])
def test_who_never_answered_is_stood_in_for_after_the_first_miss(set_table: SetTable, late: str) -> None:
    table = seated(set_table, "Ana pt", "Bob en", clock="24h", late=late, misses=3)

    miss(table, "Ana")
    table.tick()

    assert holder(table, 1).stand_in
    assert "has not answered once since the game began" in said(table.to_gm()[-1])
    assert len([one for one in table.moves() if one.startswith("1 ")]) >= 2


def test_who_never_misses_is_never_replaced(set_table: SetTable) -> None:
    table = three(set_table, misses=0)

    for _ in range(3):
        miss(table, "Ana", "Cy")

    assert not holder(table, 1).stand_in
    assert holder(table, 1).missed == 0


def test_misses_are_counted_where_a_bot_answered_too(set_table: SetTable) -> None:
    table = three(set_table, late="bot", misses=2)
    miss(table, "Ana", "Cy")
    once = holder(table, 1)
    table = three(set_table, late="bot", misses=1)
    miss(table, "Ana", "Cy")

    assert (once.missed, once.stand_in) == (1, False)
    assert holder(table, 1).stand_in


def test_who_is_stood_in_for_keeps_no_agreement_from_coming_about(set_table: SetTable) -> None:
    table = three(set_table, misses=1)
    miss(table, "Ana", "Cy")

    table.says("Ana", "fim?")
    table.says("Cy", "end?")

    assert table.live().game.status == "over"


def test_a_new_player_in_the_seat_plays_himself(set_table: SetTable) -> None:
    table = three(set_table, misses=1)
    miss(table, "Ana", "Cy")

    command(table, "gm", "replace", "1", "Eva <eva@players.test>", "--seat", "1")

    assert (holder(table, 1).stand_in, holder(table, 1).missed) == (False, 0)
    assert [one.what for one in acts(table)] == ["replace"]


def test_the_mail_says_what_happens_to_who_is_late(set_table: SetTable) -> None:
    said_of = {late: said(three(set_table, late=late).last("Bob")) for late in ("default", "bot", "wait")}

    assert "when your time is up, this is played for you: " in said_of["default"]
    assert "when your time is up, a bot answers for you this once." in said_of["bot"]
    assert "when your time is up, the game waits for you all the same." in said_of["wait"]


def test_an_invitation_tells_when_a_bot_stands_in(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", misses=3, start=False)
    table.tick()

    assert "After 3 deadlines missed in a row a bot plays for a player" in said(table.last("Bob"))
    assert "Depois de 3 prazos perdidos seguidos, um robô joga" in said(table.last("Ana"))


def test_the_game_master_chooses_it_at_the_opening_and_sees_who_is_stood_in_for(set_table: SetTable) -> None:
    table = three(set_table, misses=1)
    words = ("--seat", "Ana <ana@players.test>", "--seat", "Bob <bob@players.test>")

    wrong = command(table, "game", "new", "bids", *words, "--late", "never")
    right = command(table, "game", "new", "bids", *words, "--late", "wait", "--misses", "4", "--json")
    table.game = right.json["game"]

    assert wrong.code == 2
    assert "none of" in wrong.err
    assert (table.live().game.late, table.live().game.misses) == ("wait", 4)
    table.game = 1
    for name in ("Ana", "Cy"):
        table.post(table.letter(f"{name.lower()}@players.test", "x"))
    miss(table)
    shown = command(table, "game", "show", "1", "--json").json
    assert faults("game-show", shown) == []
    assert parse_clock(table.live().game.clock).free == 24 * HOUR


def test_a_rematch_keeps_it(set_table: SetTable) -> None:
    table = three(set_table, late="wait", misses=5)
    command(table, "gm", "finish", "1")
    table.tick()
    for name in ("Ana", "Bob", "Cy"):
        table.says(name, "revanche" if name == "Ana" else "rematch")
    table.game = 2

    assert (table.live().game.late, table.live().game.misses) == ("wait", 5)


def test_a_rematch_needs_who_was_stood_in_for_too(set_table: SetTable) -> None:
    table = three(set_table, misses=1)
    miss(table, "Ana", "Cy")
    with table.service.store.write() as session:
        finish(session, take_up(session, table.game), "", table.now)
    table.tick()

    for name in ("Ana", "Cy"):
        table.says(name, "revanche" if name == "Ana" else "rematch")
    alone = table.live().game.rematch
    table.says("Bob", "rematch")

    assert alone == 0
    assert table.live().game.rematch == 2


def test_nobody_comes_back_to_a_game_that_is_over(set_table: SetTable) -> None:
    table = three(set_table, misses=1)
    miss(table, "Ana", "Cy")
    with table.service.store.write() as session:
        finish(session, take_up(session, table.game), "", table.now)
    table.tick()
    read_all(table)

    table.says("Bob", "status")

    assert notices(table, 0, "seat.returned") == []
    assert "Here is the game as it stands." in said(table.mail("Bob"))
