"""A letter without a tag from an address that we know: one tap confirms it."""

from email.message import EmailMessage

import pytest

from tests.pbem.table import Table
from tests.pbem.witness import SetTable, holder, said, seated, stake


def bare(table: Table, name: str, text: str = "", **headers: str) -> EmailMessage:
    """Return a letter of *name* that answers nothing."""
    return table.letter(table.people[name].address, text or stake(table, name), **headers)


def test_a_letter_without_a_tag_is_held_and_asked_about_at_the_registered_address(set_table: SetTable) -> None:
    table = seated(set_table)

    table.post(bare(table, "Bob"))
    counts = table.tick()

    mail = table.mail("Bob")
    assert counts["held"] == 1
    assert mail.header("X-PBEM-Kind") == "confirmation"
    assert "confirm 1" in said(mail)
    assert holder(table, 1).plan == ()


@pytest.mark.parametrize(("name", "line"), [("Bob", "confirm 1"), ("Ana", "confirmar 1"), ("Ana", "confirmo: 1")])
def test_a_confirmed_letter_is_read(set_table: SetTable, name: str, line: str) -> None:
    table = seated(set_table)
    table.post(bare(table, name))
    table.tick()

    table.says(name, line)

    seat = list(table.people).index(name)
    assert [one.key for one in holder(table, seat).plan] == ["bids.stake"]
    assert [one.status for one in table.stored()] == ["done", "done"]


@pytest.mark.parametrize("line", ["confirm 2", "confirm", "confirm 99", "confirm all"])
def test_what_does_not_wait_cannot_be_confirmed(set_table: SetTable, line: str) -> None:
    table = seated(set_table)
    table.post(bare(table, "Bob"))
    table.tick()

    counts = table.says("Bob", line)

    assert counts["refused"] == 1
    assert holder(table, 1).plan == ()
    assert table.stored()[0].status == "held"


def test_another_seat_cannot_confirm(set_table: SetTable) -> None:
    table = seated(set_table)
    table.post(bare(table, "Bob"))
    table.tick()

    table.says("Ana", "confirm 1")

    assert table.stored()[0].status == "held"


def test_the_game_in_the_subject_is_meant(set_table: SetTable) -> None:
    table = seated(set_table)

    table.post(bare(table, "Bob", Subject="Re: [Bids #1] Your turn"))
    table.tick()

    assert (table.stored()[0].game, table.stored()[0].seat) == (1, 1)


def test_a_letter_from_elsewhere_with_the_tag_needs_no_confirmation(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", stake(table, "Bob"), From="bob@elsewhere.test")

    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]
    assert table.mail("Bob").header("X-PBEM-Kind") == "acknowledgement"
