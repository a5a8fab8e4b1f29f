"""What happened before, told once more; and the last mail, sent once more."""

import pytest

from pbem.post.past import past_of
from tests.contract.laws import Seat
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, dump, holder, notices, read_all, said, seated, stake


def play_round(table: Table) -> None:
    """Let both play one round of the test title."""
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name), to=table.last(name))


@pytest.mark.parametrize(
    "line", ["history", "history 3", "histórico", "Histórico 2 rodadas", "o que aconteceu", "HISTORY."]
)
def test_what_happened_is_told_once_more(set_table: SetTable, line: str) -> None:
    table = seated(set_table)
    play_round(table)
    read_all(table)
    before = table.log()

    table.says("Bob", line)

    mail = table.mail("Bob")
    assert mail.header("X-PBEM-Kind") == "help"
    assert mail.subject.endswith("What happened before")
    assert "Ana showed" in said(mail)
    assert table.log() == before


@pytest.mark.parametrize("line", ["history 0", "history abc", "histórico -"])
def test_a_number_that_is_none_is_told_and_tells_how(set_table: SetTable, line: str) -> None:
    table = seated(set_table)

    table.says("Ana", line)

    assert 'Escreva, por exemplo, "histórico 3" para as últimas três rodadas.' in said(table.mail("Ana"))


def test_more_rounds_than_there_are_give_all_of_them(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en", title="village")
    table.says("Bob", "history 99999")

    assert "Round 1 began" in said(table.mail("Bob"))
    with table.service.store.read() as session:
        assert past_of(session, table.live(), Seat(1), 99_999).rounds[0].number <= 1


def test_an_open_game_has_no_history(set_table: SetTable) -> None:
    table = seated(set_table, start=False)

    table.says("Bob", "history")

    assert "has not begun yet" in said(table.mail("Bob"))


def test_history_never_tells_what_the_seat_may_not_read(set_table: SetTable) -> None:
    table = seated(set_table)
    hands = {name: table.hand(name) for name in ("Ana", "Bob")}
    with table.service.store.read() as session:
        told = {seat: past_of(session, table.live(), Seat(seat), 9) for seat in (0, 1)}

    dealt = {seat: [one for part in told[seat].rounds for one in part.happened if one.events] for seat in (0, 1)}
    cards = {
        seat: [event for one in dealt[seat] for event in one.events if event.key == "bids.card"] for seat in (0, 1)
    }
    assert [dict(event.fields)["card"] for event in cards[0]] == list(hands["Ana"])
    assert [dict(event.fields)["card"] for event in cards[1]] == list(hands["Bob"])
    for seat in (0, 1):
        drawn = [one for part in told[seat].rounds for one in part.happened if one.seat == -1 and "deal" in one.text]
        assert all(any(event.key == "bids.card" for event in one.events) for one in drawn)


def test_history_of_a_game_with_monuments_keeps_them_secret(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en", title="tiny_towns")
    with table.service.store.read() as session:
        live = table.live()
        told = {seat: past_of(session, live, Seat(seat), 9) for seat in (0, 1)}

    dealt = {
        seat: {
            one.seq: one.text for part in told[seat].rounds for one in part.happened if "towns.dealt" in
            {event.key for event in one.events} or not one.text
        }
        for seat in (0, 1)
    }  # fmt: skip
    own = {seat: {seq for seq, text in dealt[seat].items() if text} for seat in (0, 1)}
    assert len(own[0]) == len(own[1]) == 2
    assert not own[0] & own[1]


def test_the_last_question_is_sent_again_byte_for_byte(set_table: SetTable) -> None:
    table = seated(set_table)
    first = [raw for to, raw in table.server.taken if to == "bob@players.test"][-1]

    table.says("Bob", "resend")
    table.says("Bob", "reenviar, por favor")

    again = [raw for to, raw in table.server.taken if to == "bob@players.test"][-2:]
    assert [raw.partition(b"\r\n\r\n")[2] for raw in again] == [first.partition(b"\r\n\r\n")[2]] * 2
    mails = table.mails("Bob")
    assert len({mail.message_id for mail in (*mails, table.last("Bob"))}) == 2
    assert len({mail.header("X-PBEM-Outbox") for mail in mails}) == 2
    assert mails[0].subject == mails[1].subject


def test_a_number_answers_the_mail_that_was_sent_again(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "resend")

    counts = table.says("Bob", "1")

    assert counts["kept"] + counts["accepted"] == 1
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


def test_what_is_no_longer_the_question_is_not_sent_again(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", stake(table, "Bob"))
    read_all(table)

    table.says("Bob", "resend")

    assert "Here is the game as it stands." in said(table.mail("Bob"))


def test_a_mail_with_the_old_secret_is_not_sent_again(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "new tag")
    read_all(table)

    table.says("Bob", "resend")

    assert "Here is the game as it stands." in said(table.mail("Bob"))


def test_what_is_asked_for_changes_nothing_in_the_game(set_table: SetTable) -> None:
    table = seated(set_table)
    before = dump(table.service.store)

    table.says("Ana", "histórico\nregras\nreenviar")

    after = dump(table.service.store)
    assert {name for name in before if before[name] != after[name]} <= {
        "letters", "outbox", "notices", "mailboxes", "findings", "alembic_version",
    }  # fmt: skip
    assert notices(table, 1) == notices(table, 1, *{one["key"] for one in notices(table, 1)})
    assert "regras de Lances" in text_of(table.mail("Ana"))
