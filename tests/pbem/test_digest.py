"""The daily digest to the game master: what it says, when it comes, and that it comes once."""

from datetime import UTC, datetime, timedelta
from email import message_from_bytes

import pytest
from msgspec.structs import replace

from pbem import moderation
from pbem.digest import day_of, note_digest
from pbem.mail.letter import Letter
from pbem.mail.ports import Delivery
from pbem.settings import load_settings
from pbem.store import people
from pbem.timekeeper import keep_time
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, command, raw_keys, said, seated, stake

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NEXT = datetime(2026, 3, 3, 8, tzinfo=UTC)


def at(table: Table, moment: datetime) -> None:
    """Run a pass at *moment*."""
    table.tick(after=moment - table.now)


def digests(table: Table) -> list[Letter]:
    return [one for one in table.to_gm() if one.header("X-PBEM-Kind") == "digest"]


def quiet_day(set_table: SetTable, *seats: str, **values: object) -> Table:
    """Return a table whose game has begun, with a digest that told it on the next morning."""
    table = seated(set_table, *seats, digest="08:00", **values)
    at(table, NEXT)
    return table


def test_what_has_begun_is_told_next_morning(set_table: SetTable) -> None:
    table = seated(set_table, digest="08:00")
    at(table, NEXT - timedelta(minutes=1))
    before = digests(table)

    at(table, NEXT)

    assert before == []
    assert [one.subject for one in digests(table)] == ["[Test post] News of your games"]
    assert "Begun: - game 1, Bids" in said(digests(table)[0])


def test_who_has_just_begun_to_use_it_hears_nothing_before_the_next_morning(set_table: SetTable) -> None:
    table = seated(set_table, digest="08:00")

    assert table.to_gm() == []


def test_a_day_without_news_has_none_though_games_wait(set_table: SetTable) -> None:
    table = quiet_day(set_table)

    for days in range(1, 4):
        at(table, NEXT + days * DAY)

    assert len(digests(table)) == 1


def test_without_a_time_there_is_none(set_table: SetTable) -> None:
    table = seated(set_table, digest="")

    at(table, NEXT)

    assert table.to_gm() == []


def test_it_comes_once_however_many_passes_there_are(set_table: SetTable) -> None:
    table = quiet_day(set_table)

    for minutes in (1, 5, 600):
        at(table, NEXT + timedelta(minutes=minutes))

    assert len(digests(table)) == 1


def test_a_pass_that_dies_after_it_was_noted_and_one_beside_it_do_not_tell_it_twice(set_table: SetTable) -> None:
    table = seated(set_table, digest="08:00")
    table.now = NEXT

    for _ in range(2):
        note_digest(table.service, NEXT)
    table.tick()

    assert len(digests(table)) == 1


def test_a_pass_that_dies_while_it_is_noted_leaves_it_to_the_next(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated(set_table, digest="08:00")
    with monkeypatch.context() as patch:
        patch.setattr(people, "set_finding", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            note_digest(table.service, NEXT)

    at(table, NEXT)

    assert said(digests(table)[0]).count("Begun:") == 1


def test_days_on_which_nothing_ran_are_told_together(set_table: SetTable) -> None:
    table = quiet_day(set_table)
    with table.service.store.write() as session:
        moderation.finish(session, table.live(), "", table.now + DAY)

    table.tick(after=4 * DAY, dead=True)
    table.tick(after=DAY)

    assert ["Over: - game 1, Bids" in said(one) for one in digests(table)] == [False, True]


def test_missed_deadlines_are_told_with_who_and_how_often(set_table: SetTable) -> None:
    table = quiet_day(set_table, clock="4h")

    for hours in range(1, 9):
        at(table, NEXT + hours * HOUR)
    at(table, NEXT + DAY)

    assert "Missed the deadline: - Ana (game 1, Bids), 2 times" in said(digests(table)[1])


def test_letters_that_wait_for_the_game_master_are_told_every_day(set_table: SetTable) -> None:
    table = quiet_day(set_table)
    table.limit(1)
    for word in ("a", "b"):
        table.post(table.reply("Ana", word))
    table.post(table.letter("bob@players.test", "hello"))

    for days in (1, 2):
        at(table, NEXT + days * DAY)

    assert [
        "letter 2 (game 1, Bids; too many letters of one seat came within an hour)" in said(one)
        for one in digests(table)
    ] == [False, True, True]
    assert "letter 3" not in said(digests(table)[2])


def test_mails_that_could_not_be_sent_are_told_by_number(set_table: SetTable) -> None:
    table = quiet_day(set_table)
    table.server.answers["ana@players.test"] = [Delivery("refused", 550, "policy")]
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))

    at(table, NEXT + DAY)
    at(table, NEXT + 2 * DAY)

    failed = [one.id for one in table.posted() if one.status == "refused"]
    assert f"Mail {failed[0]} could not be sent" in said(digests(table)[1])
    assert len(digests(table)) == 2


def test_games_that_are_over_are_told(set_table: SetTable) -> None:
    table = quiet_day(set_table)
    with table.service.store.write() as session:
        moderation.finish(session, table.live(), "", table.now + HOUR, void=True)

    at(table, NEXT + DAY)

    assert "Over: - game 1, Bids, without a result" in said(digests(table)[1])


def test_who_is_waited_for_longest_goes_with_the_news(set_table: SetTable) -> None:
    table = seated(set_table, digest="08:00")
    table.says("Bob", stake(table, "Bob"))

    at(table, NEXT)

    told = said(digests(table)[0])
    assert "Waiting longest: - game 1, Bids: for Ana since Monday 2 March, 12:00 (UTC)" in told
    assert told.index("Begun:") < told.index("Waiting longest:")


def test_it_is_a_mail_of_its_own_beside_an_alert(set_table: SetTable) -> None:
    table = seated(set_table, digest="08:00")
    table.tick(after=NEXT - table.now, dead=True)

    kinds = [one.header("X-PBEM-Kind") for one in table.to_gm()]

    assert kinds == ["alert", "digest"]


@pytest.mark.parametrize("language", ["en", "pt"])
def test_it_reads_well_in_both_languages_and_both_forms(set_table: SetTable, language: str) -> None:
    table = seated(set_table, digest="08:00")
    settings = table.service.settings
    play = replace(settings.play, language=language)
    table.service = replace(table.service, settings=replace(settings, play=play))
    at(table, NEXT)

    raw = next(raw for to, raw in table.server.taken if to == "gm@pbem.test")
    parts = [part for part in message_from_bytes(raw).walk() if part.get_content_maintype() == "text"]

    assert len(parts) == 2
    assert raw_keys(text_of(digests(table)[0])) == set()
    assert ("Começaram:" if language == "pt" else "Begun:") in said(digests(table)[0])
    assert b"</li>" in parts[1].get_payload(decode=True)


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("UTC", "2026-03-03T07:59:59+00:00", "2026-03-02"),
        ("UTC", "2026-03-03T08:00:00+00:00", "2026-03-03"),
        ("America/Sao_Paulo", "2026-03-03T10:59:00+00:00", "2026-03-02"),
        ("America/Sao_Paulo", "2026-03-03T11:00:00+00:00", "2026-03-03"),
        ("Europe/Lisbon", "2026-03-29T07:00:00+00:00", "2026-03-29"),
        ("Pacific/Auckland", "2026-03-02T19:00:00+00:00", "2026-03-03"),
    ],
)
def test_a_day_begins_at_the_hour_where_the_game_master_lives(
    set_table: SetTable, zone: str, moment: str, day: str
) -> None:
    table = set_table("Ana pt", "Bob en", digest="08:00")
    file = table.folder / "pbem.toml"
    file.write_text(file.read_text() + f'timezone = "{zone}"\n')

    assert str(day_of(load_settings(file, {}), datetime.fromisoformat(moment))) == day


@pytest.mark.parametrize("text", ["8", "24:00", "08:60", "morning", "08:00:00", "-1:00"])
def test_a_time_that_is_none_is_a_wrong_setting(set_table: SetTable, text: str) -> None:
    table = set_table("Ana pt", "Bob en")
    file = table.folder / "pbem.toml"
    file.write_text(file.read_text().replace('digest = ""', f'digest = "{text}"'))

    ran = command(table, "game", "list", "--json")

    assert (ran.code, ran.refused) == (2, "settings.value")
    assert "write for example 08:00" in ran.err


def test_the_game_master_hears_of_an_outage_once_with_its_ends(set_table: SetTable) -> None:
    table = seated(set_table)

    table.tick(after=9 * HOUR, dead=True)
    table.tick()

    alerts = [said(one) for one in table.to_gm()]
    assert len(alerts) == 1
    assert "Nothing ran here from Monday 2 March, 12:01 (UTC) until Monday 2 March, 21:01 (UTC)." in alerts[0]


def test_an_outage_of_the_mailbox_alone_is_told_as_one(set_table: SetTable) -> None:
    table = seated(set_table)

    table.mailbox.gone = True
    for _ in range(9):
        table.tick(after=HOUR)
    table.mailbox.gone = False
    table.tick(after=HOUR)
    table.tick()

    assert ["The mailbox could not be read from" in said(one) for one in table.to_gm()] == [True]


def test_where_no_game_goes_on_an_outage_is_nobodys_affair(set_table: SetTable) -> None:
    table = seated(set_table)
    with table.service.store.write() as session:
        moderation.finish(session, table.live(), "", table.now)

    table.tick(after=30 * HOUR, dead=True)
    keep_time(table.service, table.now)
    table.tick()

    assert table.to_gm() == []
