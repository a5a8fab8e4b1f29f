"""Messages between players, carried by us."""

import pytest

from tests.pbem.table import text_of
from tests.pbem.witness import SetTable, holder, notices, said, seated, stake

THREE = ("Ana pt", "Bob en", "Cy en")


def test_a_message_to_one_reaches_him_alone_and_its_sender_is_told(set_table: SetTable) -> None:
    table = seated(set_table, *THREE)

    table.says("Bob", "tell Ana: shall we team up?")

    mail = table.mail("Ana")
    assert mail.header("X-PBEM-Kind") == "press"
    assert "Recado de Bob" in mail.subject
    assert "Bob escreve só para você" in said(mail)
    assert "shall we team up?" in said(mail)
    assert table.mails("Cy") == []
    assert "passed on to Ana" in said(table.mail("Bob"))


@pytest.mark.parametrize(
    "line", ["tell all: hello", "dizer todos: hello", "mensagem todo mundo: hello", "Press everybody : hello"]
)
def test_a_message_to_all_reaches_all_others(set_table: SetTable, line: str) -> None:
    table = seated(set_table, *THREE)

    table.says("Bob", line)

    assert "escreve a todos" in said(table.mail("Ana"))
    assert "writes to all" in said(table.mail("Cy"))
    assert "hello" in text_of(table.last("Cy"))


@pytest.mark.parametrize("whom", ["Ana", "ana", "ANA", "1", "Aná"])
def test_who_is_meant_is_found_by_name_or_seat(set_table: SetTable, whom: str) -> None:
    table = seated(set_table)

    table.says("Bob", f"tell {whom}: hello")

    assert "hello" in text_of(table.mail("Ana"))


def test_a_message_of_several_lines_arrives_whole(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "tell Ana: first line\nsecond line\n\nthird line, after a blank one")

    lines = text_of(table.mail("Ana"))
    assert all(one in lines for one in ("first line", "second line", "third line, after a blank one"))


def test_a_message_ends_at_the_next_command(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "tell Ana: good luck\nzone Europe/Lisbon")

    assert "Lisbon" not in text_of(table.mail("Ana"))
    assert "Europe/Lisbon" in text_of(table.mail("Bob"))


def test_an_order_below_a_message_is_played_and_not_passed_on(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"tell Ana: good luck\nI bid you farewell\n{stake(table, 'Bob')}")

    mail = text_of(table.mail("Ana"))
    assert "I bid you farewell" in mail
    assert stake(table, "Bob") not in mail
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


@pytest.mark.parametrize("whom", ["Zoe: hello", "Bob: hello", ": hello", "received, thanks", "Ana"])
def test_a_message_to_nobody_is_told_and_swallows_no_other_line(set_table: SetTable, whom: str) -> None:
    table = seated(set_table)

    table.says("Bob", f"message {whom}\n{stake(table, 'Bob')}")

    assert table.mails("Ana") == []
    assert [one["key"] for one in notices(table, 1, "press.nobody", "press.sent")] == ["press.nobody"]
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


def test_tags_and_addresses_are_not_passed_on(set_table: SetTable) -> None:
    table = seated(set_table)
    tag = text_of(table.last("Bob")).split(" ")[0].lstrip("#")
    text = f"tell Ana: my tag is {tag}, write to bob@players.test or <bob@players.test>, it is {tag.upper()}"

    table.post(table.reply("Bob", f"{text}\nsecond line\nthird line\nfourth line"))
    table.tick()

    raw = b"".join(raw for to, raw in table.server.taken if to == "ana@players.test").decode()
    said_to_ana = text_of(table.mail("Ana"))
    assert "my tag is" in said_to_ana
    assert tag.rpartition(".")[2] not in raw.lower().replace("=\r\n", "")
    assert "bob@" not in raw


def test_a_message_that_is_too_long_is_cut(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "tell Ana: " + "\n".join(["many many words"] * 500))

    assert len(notices(table, 0, "press.received")[0]["message"]) <= 4_000


def test_bots_are_told_nothing(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "bot:random")

    table.says("Ana", "dizer todos: olá")

    assert notices(table, 1) == []
    assert notices(table, 0, "press.sent") == []
    assert table.mails("Ana") != []


def test_a_paused_game_still_carries_messages(set_table: SetTable) -> None:
    table = seated(set_table, start=False)

    table.says("Bob", "tell Ana: are you in?")

    assert "are you in?" in text_of(table.mail("Ana"))


def test_a_message_with_an_address_right_above_the_quote_is_not_lost(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "tell Ana: write to me at bob@players.test")

    assert "write to me" in text_of(table.mail("Ana"))


@pytest.mark.parametrize(
    "line",
    [
        "tell gm: may I swap seats?",
        "Game master: may I swap seats?",
        "GM, may I swap seats?",
        "dizer mestre: may I swap seats?",
        "Mestre, may I swap seats?",
    ],
)
def test_a_question_reaches_the_game_master_and_nobody_else(set_table: SetTable, line: str) -> None:
    table = seated(set_table, *THREE)

    table.says("Bob", f"tell Ana: hello\n{line}")

    told = [mail for mail in table.to_gm() if "may I swap seats?" in text_of(mail)]
    assert 1 == len(told)
    assert "Bob" in text_of(told[0])
    assert "may I swap seats?" not in text_of(table.mail("Ana"))
    assert table.mails("Cy") == []
    receipt = said(table.mail("Bob"))
    assert "passed on to the game master" in receipt
    assert "may I swap seats?" in receipt


def test_a_sender_reads_what_was_passed_on(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "tell Ana: first line\nand what follows")

    assert "and what follows" in text_of(table.mail("Bob"))
