"""All games and the post at one look."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from engine.core.types import Seat
from pbem import moderation
from pbem.cli.screen import WIDTH, screen, span, verdict
from pbem.live import take_up
from pbem.lobby import NOBODY
from pbem.mail.ports import Delivery
from pbem.opening import GameOffer, SeatOffer, open_game, open_seats
from pbem.overview import Overview, Problem, as_values, ended_games, look_over
from pbem.passes import begin_pass, end_pass
from pbem.store import games, outbox
from pbem.store.standing import Listed
from pbem.tick import PARTS
from tests.contract.cli.schema import faults
from tests.pbem.table import START, Table
from tests.pbem.witness import SetTable, seated, stake

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def a_pass(table: Table, **troubles: str) -> None:
    """Note that a whole pass came to its end now."""
    begin_pass(table.service, table.now - timedelta(seconds=4))
    end_pass(table.service, PARTS, {"sent": 2}, troubles, table.now)


def look(table: Table, within: timedelta = HOUR) -> Overview:
    with table.service.store.read() as session:
        return look_over(table.service, session, table.now, within)


def ended(table: Table) -> list[Listed]:
    with table.service.store.read() as session:
        return ended_games(session)


def keys(seen: Overview) -> list[str]:
    return [one.key for one in seen.problems]


def waits(seen: Overview) -> list[tuple[str, str]]:
    return [(one.name, one.plan) for line in seen.games for one in line.waits]


def more(table: Table, *names: str, clock: str = "24h + 10d", start: bool = True) -> int:
    """Return the number of one more game, which began now."""
    seats = tuple(SeatOffer(name, f"{name.lower()}@players.test") for name in names)
    with table.service.store.write() as session:
        return open_game(session, GameOffer("bids", seats, clock=clock), table.now, start=start).game.id


def test_all_is_well_is_said_in_a_word(set_table: SetTable) -> None:
    table = seated(set_table)
    a_pass(table)

    seen = look(table)

    assert keys(seen) == []
    assert screen(seen).splitlines()[0] == "2026-03-02 12:01 UTC. All is well."
    assert verdict(seen) == (True, "All is well; the last pass ended 0 s ago.")


def test_a_game_names_who_is_waited_for_since_when_and_until_when(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", stake(table, "Bob"))
    table.now = START + 5 * HOUR
    a_pass(table)

    seen = look(table)

    line = seen.games[0]
    assert [(one.name, one.since, one.deadline) for one in line.waits] == [("Ana", START, START + 11 * DAY)]
    assert "1     bids   5        Ana        5 h    in 10 d  none" in screen(seen)


def test_lines_that_do_not_answer_all_are_part_of_a_plan(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Ana", f"stake {table.hand('Ana')[0]}")

    assert waits(look(table)) == [("Ana", "part"), ("Bob", "none")]


def test_bots_are_not_waited_for(set_table: SetTable) -> None:
    table = set_table("Ana pt", "bot:random")

    assert [name for name, _ in waits(look(table))] == ["Ana"]


def test_an_open_game_waits_for_those_who_have_not_accepted(set_table: SetTable) -> None:
    table = seated(set_table, start=False)
    table.says("Ana", "aceito")

    seen = look(table)

    assert waits(seen) == [("Bob", "none")]
    assert seen.games[0].game.status == "open"


def test_the_most_urgent_game_stands_first_and_what_stands_still_last(set_table: SetTable) -> None:
    table = seated(set_table)
    soon, paused, invited = (
        more(table, "Cy", "Di", clock="2h"),
        more(table, "Cy", "Di"),
        more(table, "Cy", "Di", start=False),
    )
    with table.service.store.write() as session:
        moderation.pause(session, take_up(session, paused), "", table.now)

    assert [line.game.game for line in look(table).games] == [soon, table.game, paused, invited]


def test_a_deadline_that_is_over_and_held_up_is_a_problem(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.now = START + 26 * HOUR
    a_pass(table)

    seen = look(table)

    assert keys(seen) == ["deadline", "deadline"]
    assert "Ana, Bob   26 h   2 h over  none" in screen(seen)
    assert "problem  Game 1: Ana is 2 h over time, and no default was played." in screen(seen)


def test_games_that_are_over_are_shown_only_where_they_are_asked_for(set_table: SetTable) -> None:
    table = seated(set_table)
    with table.service.store.write() as session:
        moderation.finish(session, table.live(), "", table.now)

    seen = look(table)

    assert seen.games == ()
    assert "over" not in screen(seen)
    assert [one.game for one in ended(table)] == [1]
    assert screen(seen, ended(table)).split("\n\n")[2].split()[-4:] == ["1", "bids", "6", "over"]


def test_no_pass_and_an_old_one_are_problems(set_table: SetTable) -> None:
    table = seated(set_table)
    never = look(table)
    a_pass(table)
    table.now += 3 * HOUR

    assert keys(never) == ["pass.none"]
    assert keys(look(table)) == ["pass.old"]
    assert keys(look(table, within=4 * HOUR)) == []
    assert verdict(look(table))[0] is False


def test_a_pass_that_began_and_did_not_end_is_a_problem(set_table: SetTable) -> None:
    table = seated(set_table)
    a_pass(table)
    table.now += timedelta(minutes=5)
    begin_pass(table.service, table.now)

    at_work = look(table)
    table.now += timedelta(minutes=20)

    assert keys(at_work) == []
    assert look(table).problems == (Problem("pass.stuck", {"seconds": 1200, "at": "2026-03-02T12:06:00Z"}),)


@pytest.mark.parametrize(("part", "key"), [("fetch", "mailbox"), ("send", "smtp")])
def test_a_server_that_cannot_be_had_is_a_problem_with_its_words(set_table: SetTable, part: str, key: str) -> None:
    table = seated(set_table)
    a_pass(table, **{part: "login failed"})
    table.now += HOUR / 2

    good, line = verdict(look(table))

    assert keys(look(table)) == [key]
    assert (good, line.endswith("for 30 min: login failed")) == (False, True)


def test_what_a_server_says_stays_on_one_line_and_commands_no_terminal(set_table: SetTable) -> None:
    table = seated(set_table)
    a_pass(table, fetch="no\r\n\x1b[2J{way}")

    seen = look(table)

    assert verdict(seen)[1].endswith(": no [2J{way}")
    assert "\x1b" not in screen(seen)


def test_a_letter_that_waits_for_its_sender_is_no_problem_but_is_told(set_table: SetTable) -> None:
    table = seated(set_table)
    table.post(table.letter("ana@players.test", stake(table, "Ana")))
    table.tick()
    a_pass(table)

    seen = look(table)

    assert (seen.games[0].held, keys(seen)) == (1, [])
    assert "held: none; 1 wait for a confirmation" in screen(seen)


def test_a_letter_that_waits_for_the_game_master_is_a_problem(set_table: SetTable) -> None:
    table = seated(set_table)
    table.limit(1)
    for word in ("a", "b"):
        table.post(table.reply("Ana", word))
    table.tick()
    a_pass(table)

    seen = look(table)

    assert keys(seen) == ["held"]
    assert verdict(seen) == (False, "1 letter held (the newest: rate); see `pbem mail list --status held`.")


def test_a_mail_that_was_given_up_is_a_problem_for_a_week(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers["ana@players.test"] = [Delivery("refused", 550, "policy")]
    table.tick()
    a_pass(table)

    seen = look(table)
    table.now += timedelta(days=8)
    a_pass(table)

    assert keys(seen) == ["unsent"]
    assert "1 mail not sent this week; the newest, mail 1: 550 policy" in screen(seen)
    assert keys(look(table)) == []


def test_mails_that_came_back_are_told_by_domain(set_table: SetTable) -> None:
    table = seated(set_table)
    with table.service.store.write() as session:
        outbox.change_mail(session, 1, status="failed", error="bounce 5.1.1")
        games.save_holder(session, _unreachable(table))
    a_pass(table)

    seen = look(table)

    assert (seen.bounces, keys(seen)) == ((("players.test", 1),), ["unreachable"])
    assert "came back  players.test 1" in screen(seen)


def _unreachable(table: Table) -> games.Holder:
    return replace(table.live().holders[0], unreachable=True)


def test_a_seat_that_nobody_holds_is_a_problem(set_table: SetTable) -> None:
    table = seated(set_table)
    with table.service.store.write() as session:
        games.save_holder(session, replace(table.live().holders[1], bot=NOBODY, person=None))
    a_pass(table)

    assert look(table).problems == (Problem("nobody", {"game": 1, "seat": Seat(1)}),)


def test_free_seats_of_a_game_for_whoever_comes_are_counted_and_no_problem(set_table: SetTable) -> None:
    table = seated(set_table)
    offer = open_seats(GameOffer("bids", (SeatOffer("Ana", "ana@players.test"),)), 3, 2, DAY)
    with table.service.store.write() as session:
        open_game(session, offer, table.now)
    a_pass(table)

    seen = look(table)

    assert [(line.free, line.game.status) for line in seen.games] == [(0, "running"), (2, "open")]
    assert "nobody" not in keys(seen)
    assert faults("status", {"format": 1} | as_values(seen)) == []


def test_thirty_games_of_four_keep_to_80_columns(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en")
    names = ("Bartholomew-Christopher-Maximilian", "Maria das Dores", "Zoë", "O'Brien")
    for _ in range(30):
        more(table, *names)
    a_pass(table)

    lines = screen(look(table)).splitlines()

    assert max(map(len, lines)) <= WIDTH
    assert len(lines) < 45
    assert sum("+3" in line for line in lines) == 30


def test_all_that_is_shown_is_there_as_data(set_table: SetTable) -> None:
    table = seated(set_table)
    a_pass(table, fetch="down")
    seen = look(table)

    values = {"format": 1, **as_values(seen, ended(table))}

    assert faults("status", values) == []
    assert values["pass"]["troubles"] == {"fetch": "down"}
    assert values["store"]["bytes"] > 0


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-5, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h"), (172799, "47 h"), (172800, "2 d")],
)
def test_a_span_is_told_as_short_as_can_be(seconds: int, said: str) -> None:
    assert span(timedelta(seconds=seconds)) == said
