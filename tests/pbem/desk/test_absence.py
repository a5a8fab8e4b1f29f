"""`away` and `back`: the own clock stands still, so long as there is some absence left; those of others run on."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from pbem import moderation
from pbem.clock import format_moment
from pbem.live import take_up
from tests.pbem.table import START, Table
from tests.pbem.witness import SetTable, command, holder, notices, read_all, said, seated, stake, verified

DAY = timedelta(days=1)


def deadline(table: Table, seat: int) -> timedelta:
    """Return how long after the start the time of a seat is up."""
    found = holder(table, seat).deadline
    assert found is not None
    return found - START


def forbid(table: Table, most: timedelta) -> None:
    """Allow so much absence a game."""
    settings = table.service.settings
    table.service = replace(table.service, settings=replace(settings, play=replace(settings.play, away=most)))


@pytest.mark.parametrize(
    ("name", "line"), [("Bob", "away 10 days"), ("Ana", "ausente 10 dias"), ("Bob", "I'm away: 10d")]
)
def test_the_own_deadline_moves_and_all_are_told(set_table: SetTable, name: str, line: str) -> None:
    table = seated(set_table)
    seat = list(table.people).index(name)
    before = [deadline(table, 0), deadline(table, 1)]

    table.says(name, line)

    assert deadline(table, seat) == before[seat] + 10 * DAY
    assert deadline(table, 1 - seat) == before[1 - seat]
    assert holder(table, seat).bank == 10 * DAY
    english, portuguese = said(table.last("Bob")), said(table.last("Ana"))
    assert ("You are away until" if name == "Bob" else "Ana is away until Thursday 12 March") in english
    assert ("Bob vai estar fora até" if name == "Bob" else "Sua ausência está anotada até quinta-feira") in portuguese
    assert verified(table)["verified"]


def test_nobody_is_waited_for_since_a_day_to_come(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "away 10 days")

    table.says("Ana", "situação")

    assert "O jogo também espera por Bob (fora até quinta-feira, 12 de março" in said(table.last("Ana"))
    assert "desde quinta-feira, 12 de março" not in said(table.last("Ana"))


def test_a_day_is_the_end_of_that_day_where_the_player_lives(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "zone America/Sao_Paulo")

    table.says("Bob", "away until 6 March")

    assert format_moment(holder(table, 1).away_until) == "2026-03-07T03:00:00Z"


def test_nothing_is_played_for_who_is_away_until_his_time_is_up(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Bob", "away 3 days")
    table.says("Ana", stake(table, "Ana"))

    table.tick(after=3 * DAY)
    waiting = table.moves()
    table.tick(after=DAY)

    assert waiting == []
    assert any(one.startswith("1 ") for one in table.moves())


def test_a_question_that_is_put_meanwhile_waits_for_the_return(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 10d")
    table.says("Bob", f"away 5 days\n{stake(table, 'Bob')}")
    table.says("Ana", stake(table, "Ana"))

    until = holder(table, 1).away_until

    assert until is not None
    assert holder(table, 1).deadline == until + 11 * DAY


def test_who_is_back_earlier_has_the_rest_of_his_absence_still(set_table: SetTable) -> None:
    table = seated(set_table)
    before = deadline(table, 1)
    table.says("Bob", "away 10 days")
    away = holder(table, 1).away_until
    table.now += 2 * DAY
    table.tick()
    read_all(table)

    table.says("Bob", "back")

    spent = holder(table, 1).away_used
    assert away is not None
    assert timedelta(days=2) <= spent <= timedelta(days=2, minutes=10)
    assert deadline(table, 1) == before + spent
    assert "Welcome back!" in said(table.mail("Bob"))
    assert "Bob voltou" in said(table.mail("Ana"))


def test_absence_is_counted_over_the_whole_game(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "away 20 days")
    table.now += 21 * DAY
    table.says("Bob", "away 11 days")
    refused = said(table.last("Bob"))

    table.says("Bob", "away 10 days")

    assert "at most 30 days in all" in refused
    assert "up to 10 days" in refused
    assert holder(table, 1).away_used == 30 * DAY
    assert "After that no absence is left" in said(table.last("Bob"))


def test_a_later_word_takes_the_place_of_an_earlier_one(set_table: SetTable) -> None:
    table = seated(set_table)
    before = deadline(table, 1)

    table.says("Bob", "away 10 days")
    table.says("Bob", "away 4 days")

    assert holder(table, 1).away_used == timedelta(days=4, minutes=1)
    assert deadline(table, 1) == before + timedelta(days=4, minutes=1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("away", "For how long will you be away?"), ("away soon", "For how long"), ("away -3 days", "For how long"),
        ("away 31 days", "at most 30 days"), ("away 9999 weeks", "at most 30 days"), ("back", "not marked as away"),
        ("away until 31 Feb", "For how long"), ("away until 1 Jan 2020", "For how long"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_explained_and_moves_nothing(set_table: SetTable, line: str, words: str) -> None:
    table = seated(set_table)
    before = table.live().holders

    counts = table.says("Bob", line)

    assert counts["refused"] == 1
    assert words in said(table.mail("Bob"))
    assert table.live().holders == before
    assert table.mails("Ana") == []


def test_a_game_master_can_forbid_it(set_table: SetTable) -> None:
    table = seated(set_table)
    forbid(table, timedelta())

    table.says("Bob", "away 1 day")
    table.says("Bob", "resign")

    answers = [said(one) for one in table.mails("Bob")]
    assert "In this game no clock stands still" in answers[0]
    assert "away" not in answers[1].partition("Your turn")[0]
    assert holder(table, 1).away_until is None


@pytest.mark.parametrize(("state", "words"), [("over", "game is over"), ("open", "You are away until")])
def test_it_is_for_games_that_are_not_over(set_table: SetTable, state: str, words: str) -> None:
    table = seated(set_table, start=state != "open")
    if state == "over":
        command(table, "gm", "finish", "1")
    table.tick()
    read_all(table)

    table.says("Bob", "away 2 days")

    assert words in said(table.mail("Bob"))


def at(table: Table, days: int, act: str) -> None:
    """Let Bob or the game master do *act* so many days after the start."""
    table.now = START + days * DAY
    if act in ("pause", "resume"):
        with table.service.store.write() as session:
            getattr(moderation, act)(session, take_up(session, table.game), "", table.now)
    else:
        table.post(table.reply("Bob", act))
        table.tick(after=timedelta())


@pytest.mark.parametrize(
    ("steps", "days"),
    [
        (((0, "away 10 days"), (2, "pause"), (5, "resume")), 10),
        (((0, "away 4 days"), (2, "pause"), (9, "resume")), 9),
        (((0, "pause"), (2, "away 4 days"), (5, "resume")), 6),
        (((0, "pause"), (2, "away 4 days"), (8, "resume")), 8),
        (((0, "away 10 days"), (2, "pause"), (3, "back"), (5, "resume")), 5),
        (((0, "away 10 days"), (2, "pause"), (4, "resume"), (6, "back")), 6),
        (((0, "away 2 days"), (3, "pause"), (5, "resume")), 4),
    ],
)
def test_a_pause_and_an_absence_together_count_each_day_once(
    set_table: SetTable, steps: tuple[tuple[int, str], ...], days: int
) -> None:
    table = seated(set_table)
    before = deadline(table, 1)

    for day, act in steps:
        at(table, day, act)

    assert deadline(table, 1) == before + days * DAY


def test_an_outage_within_an_absence_gives_no_time_twice(set_table: SetTable) -> None:
    table = seated(set_table)
    before = [deadline(table, 0), deadline(table, 1)]
    at(table, 0, "away 10 days")

    table.tick(after=2 * DAY, dead=True)

    assert deadline(table, 1) == before[1] + 10 * DAY
    assert deadline(table, 0) > before[0] + DAY


def test_a_letter_that_comes_twice_moves_the_clock_once(set_table: SetTable) -> None:
    table = seated(set_table)
    mail = table.last("Bob")

    table.says("Bob", "away 10 days", to=mail)
    once = holder(table, 1)
    table.says("Bob", "away 10 days", to=mail)

    assert holder(table, 1).away_until == once.away_until
    assert len(notices(table, 0, "seat.away")) == 1
