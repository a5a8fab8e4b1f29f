"""What a pass would do is shown, and nothing of it is done."""

from datetime import datetime, timedelta

import pytest

import pbem.cli.gm
from pbem.intake import fetch
from pbem.preview import Preview, preview
from tests.contract.cli.schema import faults
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, command, dump, read_all, seated, stake

HOUR = timedelta(hours=1)


def look(table: Table) -> Preview:
    """Return the preview of now, and see that it changes nothing."""
    before = dump(table.service.store)
    found = preview(table.service, table.now)
    assert dump(table.service.store) == before
    return found


def fetched(table: Table, name: str, text: str) -> None:
    """Let a letter of *name* be here, and not be judged yet."""
    table.post(table.reply(name, text))
    fetch(table.service, table.mailbox, table.now)


def test_where_nothing_waits_nothing_would_be_done(set_table: SetTable) -> None:
    table = seated(set_table)

    assert look(table) == Preview((), ())


def test_a_letter_that_waits_would_be_judged_and_the_next_pass_does_just_that(set_table: SetTable) -> None:
    table = seated(set_table)
    fetched(table, "Ana", stake(table, "Ana"))
    fetched(table, "Bob", stake(table, "Bob"))

    found = look(table)
    before = len(table.log())
    table.tick(after=timedelta())

    assert [(one.status, one.seat) for one in found.letters] == [("done", 0), ("done", 1)]
    assert found.games[0].length == before
    entered = [f"{one['seat']} {one['text']}" for one in found.games[0].entered]
    assert len(entered) == len(table.log()) - before
    for shown, made in zip(entered, table.log()[before:], strict=True):
        assert shown in (made, f"{made.split()[0]} None")
    assert found.games[0].told == ("Ana", "Bob")


def test_what_is_hidden_stays_hidden(set_table: SetTable) -> None:
    table = seated(set_table)
    fetched(table, "Ana", stake(table, "Ana"))
    fetched(table, "Bob", stake(table, "Bob"))

    dealt = [one["text"] for one in look(table).games[0].entered if one["seat"] == -1]

    assert None in dealt


def test_a_letter_that_cannot_be_read_as_an_order_would_be_answered(set_table: SetTable) -> None:
    table = seated(set_table)
    fetched(table, "Bob", "stake 99")

    found = look(table)

    assert [one.status for one in found.letters] == ["done"]
    assert found.games[0].entered == ()
    assert found.games[0].told == ("Bob",)


def test_a_deadline_that_is_over_would_be_played_by_default(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Ana", stake(table, "Ana"))
    read_all(table)
    table.now += 30 * HOUR

    found = look(table)

    assert [one["seat"] for one in found.games[0].entered if one["seat"] >= 0][:4] == [0, 0, 1, 1]


def test_it_is_shown_on_a_screen_and_as_data(set_table: SetTable, monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated(set_table)
    at: datetime = table.now
    monkeypatch.setattr(pbem.cli.gm, "now", lambda: at)
    nothing = command(table, "gm", "preview").out
    fetched(table, "Ana", stake(table, "Ana"))
    fetched(table, "Bob", stake(table, "Bob"))

    ran = command(table, "gm", "preview", "--json")
    shown = command(table, "gm", "preview").out

    assert nothing == "Nothing: no letter waits, and no game would go on now.\n"
    assert faults("gm-preview", ran.json) == []
    assert "Game 1 (bids) would be running; mails to Ana, Bob" in shown
    assert "(hidden)" in shown
    assert max(map(len, shown.splitlines())) <= 80
