"""Messages to several, in blocks of lines, before the start and after the end; and who is meant by a name."""

import pytest
from msgspec.structs import replace

from pbem.desk.names import find_readers
from pbem.store import games
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, command, holder, notices, read_all, said, seated, stake, verified

FOUR = ("Ana pt", "Bob en", "Joao pt", "Cy en")


def renamed(table: Table, *names: str) -> None:
    """Let the seats be called *names*."""
    with table.service.store.write() as session:
        for one, name in zip(table.live().holders, names, strict=True):
            games.save_holder(session, replace(one, name=name))


@pytest.mark.parametrize(
    "whom", ["ana, joão", "Ana and Joao", "ANA & 3", "Ana e João", "João, Ana", "ana; joa", "ana, joão e ana", "1 e 3"]
)
def test_a_message_to_several_reaches_those_alone_and_names_them(set_table: SetTable, whom: str) -> None:
    table = seated(set_table, *FOUR)
    renamed(table, "Ana", "Bob", "João", "Cy")

    table.says("Bob", f"tell {whom}: shall we team up?")

    assert "Bob escreve a você e João:" in said(table.mail("Ana"))
    assert "Bob escreve a você e Ana:" in said(table.mail("Joao"))
    assert table.mails("Cy") == []
    assert "passed on to Ana and João" in said(table.mail("Bob"))


def test_all_that_are_named_one_by_one_are_all(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en", "Cy en")

    table.says("Bob", "tell Ana and Cy: hello")

    assert "escreve a todos" in said(table.mail("Ana"))


@pytest.mark.parametrize("whom", ["Ana, Zoe", "Zoe and Ana", "Ana, Bob", "Ana, 9", "Ana, an"])
def test_of_several_with_an_unknown_name_nobody_is_told(set_table: SetTable, whom: str) -> None:
    table = seated(set_table, *FOUR)

    counts = table.says("Bob", f"tell {whom}: psst")

    assert counts["refused"] == 1
    assert table.mails("Ana") == []
    assert "At the table with you: Ana, Joao and Cy" in said(table.mail("Bob"))


def test_players_and_the_game_master_can_be_told_together(set_table: SetTable) -> None:
    table = seated(set_table, *FOUR)

    table.says("Ana", "dizer Bob e mestre: preciso de mais tempo")

    assert "preciso de mais tempo" in said(table.mail("Bob"))
    assert any("preciso de mais tempo" in text_of(one) for one in table.to_gm())
    assert "entregue a Bob e o mestre do jogo" in said(table.mail("Ana"))


@pytest.mark.parametrize(
    ("whom", "seats"),
    [
        ("Ana Lima", [0]), ("ana l", [0]), ("ana souza", [2]), ("1", [0]), ("maria e silva", [3]), ("MAR", [3]),
        ("Bob", []), ("an", []), ("ana", []), ("", []), ("nobody", []),
    ],
)  # fmt: skip
def test_the_closest_way_of_naming_counts(set_table: SetTable, whom: str, seats: list[int]) -> None:
    table = set_table(*FOUR)
    renamed(table, "Ana Lima", "Bob", "Ana Souza", "Maria e Silva")

    meant = find_readers(table.live(), holder(table, 1).seat, whom, None)

    assert list(meant.seats) == seats
    assert bool(meant.alike) == (whom == "ana")


def test_names_that_are_alike_are_asked_about(set_table: SetTable) -> None:
    table = seated(set_table, *FOUR)
    renamed(table, "Ana Lima", "Bob", "Ana Souza", "Cy")

    table.says("Bob", "tell ana: hello")
    asked = said(table.mail("Bob"))
    table.says("Bob", "tell ana souza: hello")

    assert 'Whom do you mean by "ana"? At the table with you: Ana Lima, Ana Souza and Cy.' in asked
    assert table.mails("Ana") == []
    assert "hello" in said(table.mail("Joao"))


def test_a_bot_reads_nothing_and_that_is_said(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "bot:random")

    table.says("Ana", "dizer Robot: olá")

    assert "Robot é um robô e não lê recados" in said(table.mail("Ana"))


def test_a_block_is_sent_whole_up_to_end_and_orders_below_it_are_played(set_table: SetTable) -> None:
    table = seated(set_table)
    order = stake(table, "Bob")

    table.says("Bob", f"tell ana:\nDear Ana,\nI think of this:\n{order}\n\nwhat do you say?\nend\n{order}")

    mail = text_of(table.mail("Ana"))
    assert all(line in mail for line in ("Dear Ana,", order, "what do you say?"))
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]
    answer = said(table.mail("Bob"))
    assert f'were not played: "{order}"' in answer
    assert "kept until all have answered" in answer


@pytest.mark.parametrize("closing", ["fim", "Fim.", "situação", "dizer Cy: e para você isto"])
def test_a_block_ends_at_its_end_or_at_the_next_command(set_table: SetTable, closing: str) -> None:
    table = seated(set_table, "Ana pt", "Bob en", "Cy en")

    table.says("Ana", f"dizer bob:\num\ndois\n{closing}\nfim")

    mail = text_of(table.mail("Bob"))
    assert "um\n" in mail
    assert "dois" in mail
    assert closing not in mail
    assert len(table.mails("Cy")) == ("Cy" in closing)


def test_a_block_without_an_end_takes_the_rest_and_says_what_was_not_played(set_table: SetTable) -> None:
    table = seated(set_table)
    order = stake(table, "Bob")

    table.says("Bob", f"tell ana:\nhello\n{order}")

    assert holder(table, 1).plan == ()
    assert f'were not played: "{order}"' in said(table.mail("Bob"))


def test_what_was_meant_for_nobody_is_not_played_either(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"tell zoe:\nhello\n{stake(table, 'Bob')}\nend\nzone Europe/Lisbon")

    assert holder(table, 1).plan == ()
    assert table.mails("Ana") == []
    answer = said(table.mail("Bob"))
    assert "went to nobody" in answer
    assert "were not played" in answer
    assert "Europe/Lisbon" in answer


def test_messages_go_before_the_start_and_after_the_end(set_table: SetTable) -> None:
    table = seated(set_table, start=False)
    table.says("Bob", "tell ana:\nare you in?\nend")
    before = said(table.mail("Ana"))
    read_all(table)
    for name in table.people:
        table.says(name, "accept")
    command(table, "gm", "finish", "1")
    table.tick()
    read_all(table)

    table.says("Ana", "dizer Bob: bom jogo!\nfoi muito bom")

    assert "are you in?" in before
    mail = text_of(table.mail("Bob"))
    assert "bom jogo!" in mail
    assert "foi muito bom" in mail
    assert verified(table)["verified"]


def test_a_letter_that_comes_twice_is_passed_on_once(set_table: SetTable) -> None:
    table = seated(set_table)
    mail = table.last("Bob")

    table.says("Bob", "tell ana:\nhello\nend", to=mail)
    table.says("Bob", "tell ana:\nhello\nend", to=mail)

    assert len(notices(table, 0, "press.received")) == 1
    assert len(notices(table, 1, "order.again")) == 1


SIGNATURES = {
    "mutt": "-- \nBob Builder\nTel. +55 11 91234-5678\n",
    "iphone": "Sent from my iPhone\n",
    "outlook": "Kind regards,\nBob\n\n________________________________\n",
    "gmail": "Enviado do Gmail para celular\n",
}


@pytest.mark.parametrize("client", SIGNATURES)
def test_no_signature_and_no_quoted_report_is_passed_on(set_table: SetTable, client: str) -> None:
    table = seated(set_table)
    mail = table.last("Bob")
    quoted = "\n".join(f"> {line.text}" for line in mail.lines)
    heading = {
        "mutt": "On Mon, Mar 02, 2026 at 12:01:00PM +0000, Test post wrote:",
        "iphone": "> On 2 Mar 2026, at 12:01, Test post <pbem@pbem.test> wrote:\n>",
        "outlook": "From: Test post <pbem@pbem.test>\nSent: Monday, March 2, 2026 12:01\nTo: Bob\nSubject: Your turn",
        "gmail": "Em seg., 2 de mar. de 2026 12:01, Test post <pbem@pbem.test> escreveu:",
    }[client]
    body = f"tell ana:\nshall we team up?\nI have my reasons\n\n{SIGNATURES[client]}\n{heading}\n\n{quoted}\n"

    letter = table.reply("Bob", "x")
    letter.set_content(body)
    table.post(letter)
    table.tick()

    message = notices(table, 0, "press.received")[0]["message"]
    assert message.startswith("shall we team up?\nI have my reasons")
    assert not any(word in message for word in ("wrote", "escreveu", "#g1", "@", "iPhone", "Gmail", "91234", "stake"))
