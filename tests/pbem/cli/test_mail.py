"""`pbem mail …`: letters and mails with their states, and what can be done with them."""

import pytest

from pbem.mail.ports import Delivery
from tests.contract.cli.schema import faults
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, acts, command, dump, holder, seated, stake


def with_a_letter(set_table: SetTable) -> Table:
    """Return a table where one letter was read and one waits for confirmation."""
    table = seated(set_table)
    table.says("Bob", stake(table, "Bob"))
    table.post(table.letter("ana@players.test", stake(table, "Ana")))
    table.tick()
    return table


def test_letters_and_mails_are_listed_with_their_states(set_table: SetTable) -> None:
    table = with_a_letter(set_table)

    ran = command(table, "mail", "list", "--json")

    assert faults("mail-list", ran.json) == []
    assert [(one["letter"], one["seat"], one["status"], one["reason"]) for one in ran.json["letters"]] == [
        (1, 1, "done", "kept"),
        (2, 0, "held", "tag.missing"),
    ]
    assert [one["kind"] for one in ran.json["mails"]] == ["report", "report", "acknowledgement", "confirmation"]


def test_a_list_shows_no_words_and_no_tag(set_table: SetTable) -> None:
    table = with_a_letter(set_table)
    tags = [text_of(table.last(name)).split(" ")[0].rpartition(".")[2] for name in table.people]

    plain, data = command(table, "mail", "list").out, command(table, "mail", "list", "--json").out

    for tag in tags:
        assert tag not in plain
    assert "stake" not in plain + data


def test_a_list_as_data_shows_no_tag(set_table: SetTable) -> None:
    table = with_a_letter(set_table)
    tag = text_of(table.last("Bob")).split(" ")[0].rpartition(".")[2]

    assert tag not in command(table, "mail", "list", "--json").out


def test_a_list_is_narrowed(set_table: SetTable) -> None:
    table = with_a_letter(set_table)

    held = command(table, "mail", "list", "--status", "held", "--json").json
    newest = command(table, "mail", "list", "--limit", "1", "--json").json
    other = command(table, "mail", "list", "--game", "2", "--json").json

    assert ([one["letter"] for one in held["letters"]], held["mails"]) == ([2], [])
    assert ([one["letter"] for one in newest["letters"]], len(newest["mails"])) == ([2], 1)
    assert (other["letters"], other["mails"]) == ([], [])


@pytest.mark.parametrize("words", [["letter", "1"], ["mail", "1"], ["letter", "2"]])
def test_the_words_of_a_seat_want_a_reveal(set_table: SetTable, words: list[str]) -> None:
    table = with_a_letter(set_table)
    before = dump(table.service.store)

    hidden = command(table, "mail", "show", *words)
    assert dump(table.service.store) == before
    shown = command(table, "mail", "show", *words, "--reveal")

    assert (hidden.code, hidden.out) == (1, "")
    assert shown.code == 0
    assert "stake" in shown.out or "apostar" in shown.out
    assert [(one.what, one.fields) for one in acts(table)] == [("reveal", {"what": words[0], "of": int(words[1])})]


def test_a_letter_that_was_not_judged_yet_wants_a_reveal_too(set_table: SetTable) -> None:
    from pbem.intake import fetch  # noqa: PLC0415

    table = seated(set_table)
    table.post(table.reply("Bob", stake(table, "Bob")))
    table.post(table.letter("ana@players.test", stake(table, "Ana")))
    fetch(table.service, table.mailbox, table.now)

    for number in ("1", "2"):
        assert command(table, "mail", "show", "letter", number).code == 1
        assert command(table, "mail", "show", "letter", number, "--reveal").code == 0

    assert len(acts(table)) == 2


def test_a_letter_of_a_stranger_is_no_secret(set_table: SetTable) -> None:
    table = seated(set_table)
    table.post(table.letter("spam@stranger.test", "Buy this now"))
    table.tick()

    ran = command(table, "mail", "show", "letter", "1")

    assert ran.code == 0
    assert "Buy this now" in ran.out


def test_a_confirmed_letter_is_released_and_read(set_table: SetTable) -> None:
    table = with_a_letter(set_table)

    ran = command(table, "mail", "release", "2")
    table.tick()

    assert ran.code == 0
    assert len(table.moves()) >= 4


def test_a_held_letter_is_dropped(set_table: SetTable) -> None:
    table = with_a_letter(set_table)

    ran = command(table, "mail", "drop", "letter", "2")
    table.tick()

    assert ran.code == 0
    assert [(one.status, one.reason) for one in table.stored()][1] == ("dropped", "gm")
    assert holder(table, 0).plan == ()


def test_a_mail_that_waits_is_dropped_and_sent_on_demand(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.server.answers["bob@players.test"] = [Delivery("later", 451, "later")]
    table.tick()
    number = next(str(one.id) for one in table.posted() if one.recipient == "bob@players.test")

    assert command(table, "mail", "drop", "mail", number).code == 0
    table.tick()
    assert table.mails("Bob") == []
    assert command(table, "mail", "retry", number).code == 0

    assert [one.status for one in table.posted() if str(one.id) == number] == ["ready"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "letter", "9"], "There is no letter 9."),
        (["show", "mail", "9"], "There is no mail 9."),
        (["retry", "9"], "There is no mail 9."),
        (["release", "9"], "There is no letter 9."),
        (["drop", "mail", "9"], "There is no mail 9."),
        (["retry", "1"], "mail 1 is sent, so this cannot be done with it."),
        (["release", "1"], "letter 1 is done, so this cannot be done with it."),
        (["drop", "letter", "1"], "letter 1 is done, so this cannot be done with it."),
        (["drop", "mail", "1"], "mail 1 is sent, so this cannot be done with it."),
    ],
)
def test_what_cannot_be_done_is_refused(set_table: SetTable, words: list[str], said: str) -> None:
    table = with_a_letter(set_table)
    before = dump(table.service.store)

    ran = command(table, "mail", *words)

    assert (ran.code, ran.err) == (1, said + "\n")
    assert dump(table.service.store) == before


def test_what_is_shown_is_a_letter_or_a_mail(set_table: SetTable) -> None:
    table = seated(set_table)

    assert command(table, "mail", "show", "parcel", "1").code == 2
