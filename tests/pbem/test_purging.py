"""Old letters and mails lose their bytes; nothing that still needs them does."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace

from pbem.errors import Misuse, SettingsError
from pbem.purging import purge_by_hand, purge_daily
from pbem.settings import load_settings
from pbem.store.purge import Purged
from tests.contract.cli.schema import faults
from tests.pbem.table import Table, text_of
from tests.pbem.witness import command, dump, notices, seated, stake, verified

SetTable = Callable[..., Table]
QUARTER = timedelta(days=90)
LATER = timedelta(days=100)


def ended(set_table: SetTable) -> Table:
    """Return a table at which a round was played, and which was finished and told so a hundred days ago."""
    table = seated(set_table)
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))
    command(table, "gm", "finish", "1")
    table.tick()
    table.now += LATER
    return table


def purged(table: Table, **values: bool) -> Purged:
    """Return what is purged now of what is older than a quarter of a year."""
    return purge_by_hand(table.service, QUARTER, table.now, running=False, dry_run=False, **values)


def test_letters_and_mails_of_games_that_are_over_lose_their_bytes(set_table: SetTable) -> None:
    table = ended(set_table)
    size = sum(len(one.raw) for one in [*table.stored(), *table.posted()])

    found = purged(table)

    assert found == Purged(len(table.stored()), len(table.posted()), size)
    assert {one.raw for one in [*table.stored(), *table.posted()]} == {b""}
    assert purged(table) == Purged(0, 0, 0)


def test_nothing_but_the_bytes_goes(set_table: SetTable) -> None:
    table = ended(set_table)
    before = dump(table.service.store)

    purged(table)

    after = dump(table.service.store)
    changed = {name for name, rows in before.items() if rows != after[name]}
    assert changed == {"letters", "outbox"}
    for name in changed:
        assert [tuple(v for v in row if not isinstance(v, bytes)) for row in before[name]] == [
            tuple(v for v in row if not isinstance(v, bytes)) for row in after[name]
        ]
    assert verified(table)["verified"]


def test_what_is_younger_stays(set_table: SetTable) -> None:
    table = ended(set_table)
    table.now -= timedelta(days=20)

    assert purged(table) == Purged(0, 0, 0)


def test_a_running_game_keeps_everything_unless_asked(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Ana", stake(table, "Ana"))
    table.now += LATER

    assert purged(table) == Purged(0, 0, 0)


def test_of_a_running_game_the_last_mails_stay_for_answers_to_quote(set_table: SetTable) -> None:
    table = seated(set_table)
    for _ in range(7):
        table.says("Ana", "status")
    mail = table.last("Bob")
    table.now += LATER

    found = purge_by_hand(table.service, QUARTER, table.now, running=True, dry_run=False)

    kept = {seat: sum(bool(one.raw) for one in table.posted() if one.seat == seat) for seat in (0, 1)}
    assert found.letters == 7
    assert kept == {0: 5, 1: 1}
    table.post(table.reply("Bob", f"stake {table.hand('Bob')[0]}", to=mail))
    table.tick()
    assert notices(table, 1, "order.kept", "order.taken")
    assert not notices(table, 1, "order.ignored", "order.refused")


def test_what_is_held_waits_or_failed_is_never_purged(set_table: SetTable) -> None:
    table = seated(set_table)
    table.post(table.letter("ana@players.test", stake(table, "Ana")))
    table.server.down = True
    table.tick()
    held, waiting = table.stored()[-1], table.posted()[-1]
    assert (held.status, waiting.status) == ("held", "ready")
    command(table, "gm", "finish", "1")
    table.now += LATER

    purged(table)

    assert table.stored()[-1].raw == held.raw
    assert table.posted()[-1].raw == waiting.raw
    table.server.down = False
    table.tick()
    assert any("ana@players.test" in text_of(mail) for mail in table.mails("Ana"))


def test_a_purged_letter_and_mail_say_so(set_table: SetTable) -> None:
    table = ended(set_table)
    purged(table)

    letter = command(table, "mail", "show", "letter", "1")
    mail = command(table, "mail", "show", "mail", "1")
    again = command(table, "mail", "retry", "1")

    assert (letter.code, mail.code) == (0, 0)
    assert "Its text was purged." in letter.out
    assert "Its text was purged." in mail.out
    assert again.code == 1
    assert command(table, "mail", "list").code == 0


def test_after_the_purge_players_are_answered_as_before(set_table: SetTable) -> None:
    table = ended(set_table)
    mail = table.last("Ana")
    purged(table)

    table.post(table.reply("Ana", "resend", to=mail))
    table.post(table.reply("Bob", "status"))
    table.tick()

    assert [one.status for one in table.stored()[-2:]] == ["done", "done"]
    assert text_of(table.mails("Bob")[-1])


def test_the_same_letter_is_known_again_after_its_bytes_went(set_table: SetTable) -> None:
    table = seated(set_table)
    letter = table.reply("Ana", "status")
    table.post(letter)
    table.tick()
    table.now += LATER
    purge_by_hand(table.service, QUARTER, table.now, running=True, dry_run=False)

    table.post(letter)
    table.tick()

    assert table.stored()[-1].reason == "duplicate"


def test_the_command_line_purges_and_rehearses(set_table: SetTable) -> None:
    table = ended(set_table)
    before = dump(table.service.store)

    tried = command(table, "purge", "--older", "7d", "--dry-run", "--json")
    early = command(table, "purge", "--older", "6d")
    odd = command(table, "purge", "--older", "soon", "--json")

    assert (tried.code, faults("purge", tried.json), tried.json["letters"]) == (0, [], 2)
    assert (early.code, odd.code, odd.refused) == (2, 2, "duration.form")
    assert "7 days at least" in early.err
    assert dump(table.service.store) == before
    done = command(table, "purge", "--older", "7d")
    assert "2 letters and" in done.out
    assert command(table, "purge", "--older", "7d", "--running", "--json").json["mails"] == 0


def test_settings_let_a_pass_purge_once_a_day(set_table: SetTable) -> None:
    table = ended(set_table)
    store = replace(table.service.settings.store, keep=QUARTER)
    service = replace(table.service, settings=replace(table.service.settings, store=store))

    purge_daily(table.service, lambda: table.now)
    kept = [len(one.raw) for one in table.posted()]
    purge_daily(service, lambda: table.now - timedelta(days=50))
    purge_daily(service, lambda: table.now - timedelta(days=50) + timedelta(hours=23))
    soon = [len(one.raw) for one in table.posted()]
    purge_daily(service, lambda: table.now)

    assert min(kept) > 0
    assert soon == kept
    assert {len(one.raw) for one in table.posted()} == {0}


def test_letters_are_kept_for_ever_or_a_week_at_least(set_table: SetTable) -> None:
    table = seated(set_table)
    file = table.folder / "pbem.toml"

    assert load_settings(file, {}).store.keep == timedelta()
    assert load_settings(file, {"PBEM_STORE__KEEP": "90d"}).store.keep == QUARTER
    with pytest.raises(SettingsError, match=r"settings\.value key=store\.keep why=purge\.short"):
        load_settings(file, {"PBEM_STORE__KEEP": "6d"})
    with pytest.raises(Misuse, match=r"purge\.short"):
        purge_by_hand(table.service, timedelta(days=6), table.now, running=False, dry_run=False)


def test_the_file_gets_smaller_where_much_of_it_is_free(set_table: SetTable) -> None:
    table = ended(set_table)
    with table.service.store.write() as session:
        from pbem.store.outbox import change_mail  # noqa: PLC0415

        change_mail(session, 1, raw=b"picture" * 500_000)
    size = (table.folder / "pbem.db").stat().st_size

    freed = command(table, "purge", "--older", "7d", "--json").json["freed"]

    assert freed > 3_000_000
    assert (table.folder / "pbem.db").stat().st_size < size
