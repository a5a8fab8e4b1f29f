"""One mail a day: at the hour that a person chose, for all his games, and what comes at once all the same."""

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest

from pbem.opening import GameOffer, SeatOffer, open_game
from pbem.quiet import mail_after, next_hour, parse_hour
from pbem.store import people
from tests.pbem.post.pages import Page, parse
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, holder, read_all, said, seated, stake

HOUR = timedelta(hours=1)
ZONES = ("UTC", "America/New_York", "Europe/Lisbon", "Australia/Lord_Howe", "Pacific/Apia")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def once_a_day(table: Table, name: str, hour: str = "18:00", zone: str = "UTC", quiet: str = "") -> None:
    """Let *name* have mail once a day, as if chosen long ago."""
    with table.service.store.write() as session:
        person = people.find_person(session, table.people[name].address)
        assert person is not None
        people.change_person(session, person.id, daily=hour, zone=zone, quiet=quiet)


def open_more(table: Table, *names: str) -> int:
    """Open one more game for *names*, read its first mails, and return its number."""
    seats = tuple(SeatOffer(name, table.people[name].address) for name in names)
    with table.service.store.write() as session:
        number = open_game(session, GameOffer("bids", seats), table.now, start=True).game.id
    table.tick()
    return number


def marker_of(table: Table, name: str, game: int) -> str:
    """Return the line that proves the seat of *name* in *game*."""
    address = table.people[name].address
    mails = [raw.decode() for to, raw in table.server.taken if to == address]
    found = [line for raw in mails for line in raw.splitlines() if line.startswith(f"#g{game}.")]
    return found[-1]


def tells(table: Table, name: str, line: str, game: int) -> None:
    """Post a letter of *name* to *game*."""
    table.post(table.letter(table.people[name].address, f"{line}\n\n{marker_of(table, name, game)}"))


def three_games(table: Table) -> tuple[Table, list[int]]:
    """Return *table* with three games in which Bob, who has mail once a day, has answered and waits for Ana."""
    numbers = [table.game, open_more(table, "Ana", "Bob"), open_more(table, "Ana", "Bob")]
    for number in numbers:
        table.game = number
        tells(table, "Bob", stake(table, "Bob"), number)
    table.tick()
    once_a_day(table, "Bob")
    read_all(table)
    return table, numbers


def page_of(table: Table) -> str:
    """Return the HTML of the mail that went last."""
    found = parse(table.server.taken[-1][1]).get_body(("html",))
    assert found is not None
    return str(found.get_content())


def until(table: Table, hour: int) -> None:
    """Let passes run until the clock of Greenwich shows *hour*."""
    table.tick(after=timedelta(minutes=30))
    while table.now.hour != hour:
        table.tick(after=timedelta(minutes=30))


@pytest.mark.parametrize(
    ("written", "hour"),
    [("18:00", "18:00"), ("20h", "20:00"), ("as 7h30", "07:30"), ("daily at 7pm", "19:00"), ("diario as 19h", "19:00")],
)
def test_an_hour_is_read_as_people_write_it(written: str, hour: str) -> None:
    assert parse_hour(written) == hour
    assert parse_hour(hour) == hour


@pytest.mark.parametrize("written", ["", "25", "18:60", "noon", "22-8", "13pm", "daily"])
def test_what_is_no_hour_is_not_read(written: str) -> None:
    assert parse_hour(written) is None


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("hour", ["00:00", "02:15", "18:00"])
def test_the_hour_comes_once_a_day_whatever_the_clocks_do(zone: str, hour: str) -> None:
    begin = at("2026-01-01T00:00")
    moments = [begin + n * 7 * HOUR for n in range(52 * 24)]

    shown = {}
    for moment in moments:
        found = next_hour(hour, zone, moment)
        assert timedelta() < found - moment <= 25 * HOUR
        shown[found] = found.astimezone(ZoneInfo(zone)).strftime("%H:%M")
    odd = [one for one in shown.values() if one != hour]

    assert len(shown) == len({one.astimezone(ZoneInfo(zone)).date() for one in shown})
    assert len(odd) <= 1  # an hour that clocks skip in spring comes as much later


def test_what_waits_for_the_hour_may_wait_for_the_morning_too() -> None:
    spans = [
        ("", "18:00", "2026-03-02T12:00", "2026-03-02T18:00"),
        ("", "18:00", "2026-03-02T18:00", "2026-03-03T18:00"),
        ("17:00-20:00", "18:00", "2026-03-02T12:00", "2026-03-02T20:00"),
        ("22:00-08:00", "", "2026-03-02T23:00", "2026-03-03T08:00"),
    ]
    for quiet, daily, begin, end in spans:
        assert mail_after(quiet, daily, "UTC", at(begin)) == at(end)


@pytest.mark.parametrize(("start", "quiet"), [("2026-03-04T16:20", "22:00-08:00"), ("2026-10-28T16:20", "17:00-19:30")])
def test_mail_leaves_once_a_day_all_week_across_a_change_of_time(set_table: SetTable, start: str, quiet: str) -> None:
    table = seated(set_table, clock="24h + 400d")
    table.now = at(start)
    once_a_day(table, "Bob", "18:00", "America/New_York", quiet)
    deadline = holder(table, 1).deadline
    before = len(table.server.taken)
    sent: list[datetime] = []

    for hour in range(7 * 24):
        if hour % 5 == 0:
            tells(table, "Ana", f"dizer Bob: oi {hour}", table.game)
        table.tick(after=HOUR)
        sent += [table.now for to, _ in table.server.taken[before:] if to == "bob@players.test"]
        before = len(table.server.taken)

    local = [one.astimezone(ZoneInfo("America/New_York")) for one in sent]
    assert len({one.date() for one in local}) == len(sent) == 7
    assert {one.hour for one in local} <= ({19, 20} if quiet == "17:00-19:30" else {18, 19})
    assert holder(table, 1).deadline == deadline


def test_news_of_several_games_is_one_mail_with_a_link_for_each(set_table: SetTable) -> None:
    table, numbers = three_games(seated(set_table))
    for number in numbers:
        tells(table, "Ana", f"dizer Bob: oi do jogo {number}", number)
    until(table, 17)
    early = table.mails("Bob")
    until(table, 18)
    mail = table.mail("Bob")

    assert early == []
    assert mail.header("X-PBEM-Kind") == "digest"
    assert mail.subject == "[Test post] News of 3 games"
    for number in numbers:
        assert f"oi do jogo {number}" in said(mail)
        assert f"game {number}" in said(mail)
        assert f"%23g{number}.s" in page_of(table)
    until(table, 19)
    assert table.mails("Bob") == []


def test_the_link_of_a_game_asks_for_its_position(set_table: SetTable) -> None:
    table, numbers = three_games(seated(set_table))
    for number in numbers:
        tells(table, "Ana", f"dizer Bob: oi do jogo {number}", number)
    until(table, 18)
    read_all(table)
    links = [one for one in Page(page_of(table)).links if f"%23g{numbers[1]}.s" in one]

    table.post(table.letter("bob@players.test", parse_qs(urlsplit(links[0]).query)["body"][0]))
    table.tick()

    mail = table.mail("Bob")
    assert mail.header("X-PBEM-Game") == str(numbers[1])
    assert "Here is the game as it stands." in said(mail)


def test_a_question_comes_in_a_mail_of_its_own(set_table: SetTable) -> None:
    table, numbers = three_games(seated(set_table))
    table.game = numbers[0]
    tells(table, "Ana", stake(table, "Ana"), numbers[0])
    for number in numbers[1:]:
        tells(table, "Ana", f"dizer Bob: oi do jogo {number}", number)
    read_all(table)
    until(table, 18)

    mails = {one.header("X-PBEM-Kind"): one for one in table.mails("Bob")}

    assert sorted(mails) == ["digest", "report"]
    assert mails["report"].header("X-PBEM-Game") == str(numbers[0])
    assert "Your turn" in said(mails["report"])
    assert f"game {numbers[0]}" not in said(mails["digest"])


def test_where_he_still_owes_an_answer_the_question_is_told_again(set_table: SetTable) -> None:
    table, numbers = three_games(seated(set_table))
    table.game = numbers[0]
    tells(table, "Ana", stake(table, "Ana"), numbers[0])
    until(table, 18)
    read_all(table)
    for number in numbers:
        tells(table, "Ana", f"dizer Bob: oi do jogo {number}", number)
    until(table, 17)
    until(table, 18)

    mails = {one.header("X-PBEM-Kind"): one for one in table.mails("Bob")}

    assert sorted(mails) == ["digest", "press"]
    assert "Your turn" in said(mails["press"])
    assert f"game {numbers[0]}" not in said(mails["digest"])


@pytest.mark.parametrize("html", [False, True])
def test_an_answer_to_the_mail_of_several_games_moves_none_of_them(set_table: SetTable, html: bool) -> None:
    table, numbers = three_games(seated(set_table))
    for number in numbers:
        tells(table, "Ana", f"dizer Bob: oi do jogo {number}", number)
    until(table, 18)
    digest, page = table.mail("Bob"), page_of(table)
    before = table.log()

    letter = table.reply("Bob", stake(table, "Bob"), to=digest)
    if html:
        letter.add_alternative(f"<p>1</p><blockquote>{page}</blockquote>", subtype="html")
    table.post(letter)
    table.tick()

    assert table.log() == before
    assert all(one.decision == -1 for one in table.stored()[-1:])
    assert [one.header("X-PBEM-Kind") for one in table.mails("Bob")] in (["confirmation"], [])


def test_his_own_letter_is_answered_at_once(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "digest 20:00")
    answer = table.mail("Bob")
    table.says("Bob", "status")
    position = table.mail("Bob")
    table.says("Bob", "digest off")

    assert "From now on mail comes once a day, at 20:00 (UTC), for all your games" in said(answer)
    assert "Here is the game as it stands." in said(position)
    assert "Mail comes to you whenever something happens." in said(table.mail("Bob"))


def test_it_is_chosen_in_portuguese_too(set_table: SetTable) -> None:
    table = seated(set_table)
    hours = []
    for line in ("resumo diário", "resumo às 20h", "Resumo 7h30", "resumo", "resumo desligado"):
        table.says("Ana", line)
        with table.service.store.read() as session:
            person = people.find_person(session, "ana@players.test")
        assert person is not None
        hours.append(person.daily)

    assert hours == ["18:00", "20:00", "07:30", "07:30", ""]
    assert "Os e-mails vêm assim que algo acontece." in said(table.last("Ana"))


@pytest.mark.parametrize("line", ["digest tomorrow", "digest 25:00", "resumo 22-08"])
def test_an_hour_that_cannot_be_is_told_and_nothing_changes(set_table: SetTable, line: str) -> None:
    table = seated(set_table)

    table.says("Bob", line)

    assert "so nothing was changed" in said(table.mail("Bob"))
    assert 'Write for example "digest 20:00"' in said(table.last("Bob"))


def test_before_a_deadline_that_comes_sooner_he_is_called(set_table: SetTable) -> None:
    table = seated(set_table, clock="20h")
    once_a_day(table, "Bob", "11:00")
    table.says("Ana", stake(table, "Ana"))
    read_all(table)
    deadline = holder(table, 1).deadline
    assert deadline is not None

    calls: list[datetime] = []
    while table.now < deadline - HOUR:
        table.tick(after=HOUR / 2)
        calls += [table.now for one in table.mails("Bob") if one.header("X-PBEM-Kind") == "reminder"]

    assert len(calls) == 1
    assert calls[0] < deadline


def test_no_default_is_played_for_what_he_was_not_asked_yet(set_table: SetTable) -> None:
    table = seated(set_table, clock="3h")
    once_a_day(table, "Bob", "11:00")
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))
    read_all(table)
    rounds = len(table.moves())
    asked: list[datetime] = []

    while len(table.moves()) == rounds:
        table.tick(after=HOUR / 4)
        asked += [table.now for one in table.mails("Bob") if "Your turn" in said(one)]

    assert asked
    assert asked[0] < table.now


def test_where_the_one_mail_cannot_be_made_each_game_gets_its_own(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", own_words=True)
    table.may_fail = True
    (table.folder / "templates" / "mail").mkdir()
    (table.folder / "templates" / "mail" / "_news.txt.j2").write_text("{{ nothing.of.it }}")
    table.tick()
    table, numbers = three_games(table)
    for number in numbers:
        tells(table, "Ana", f"dizer Bob: oi do jogo {number}", number)
    until(table, 18)

    mails = table.mails("Bob")
    table.tick()

    assert sorted(one.header("X-PBEM-Game") for one in mails) == [str(number) for number in numbers]
    assert {one.header("X-PBEM-Kind") for one in mails} == {"press"}
    assert "The daily mail about games 1, 2, 3 could not be composed" in said(table.to_gm()[-1])


def test_who_reads_aloud_gets_it_without_tables(set_table: SetTable) -> None:
    table, numbers = three_games(seated(set_table))
    with table.service.store.write() as session:
        person = people.find_person(session, "bob@players.test")
        assert person is not None
        people.change_person(session, person.id, plain=True)
    for number in numbers:
        tells(table, "Ana", f"dizer Bob: oi do jogo {number}", number)
    until(table, 18)

    mail = table.mail("Bob")

    assert mail.header("X-PBEM-Kind") == "digest"
    assert max(len(line) for line in text_of(mail).splitlines()) <= 72
    assert "<table" not in page_of(table)
