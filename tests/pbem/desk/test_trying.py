"""`try LINE`, `status`, `help`, `test`: looking without touching."""

import pytest

from tests.pbem.witness import SetTable, command, dump, holder, said, seated, stake

STILL = ("games", "seats", "log", "people", "acts")


@pytest.mark.parametrize(
    ("line", "words"), [("try {order}", "this would be possible"), ("tentar {order}", "this would be possible")]
)
def test_a_line_is_tried_and_nothing_is_played(set_table: SetTable, line: str, words: str) -> None:
    table = seated(set_table)
    before = {name: rows for name, rows in dump(table.service.store).items() if name in STILL}

    table.says("Bob", line.format(order=stake(table, "Bob")))

    mail = said(table.mail("Bob"))
    assert words in mail
    assert stake(table, "Bob") in mail
    assert {name: rows for name, rows in dump(table.service.store).items() if name in STILL} == before


def test_a_line_that_cannot_be_is_explained(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"try stake {table.hand('Bob')[0]}: bid 99")
    table.says("Bob", "try dance")

    too_much, strange = table.mails("Bob")
    assert "99" in said(too_much)
    assert "no move that we know" in said(strange)
    assert holder(table, 1).plan == ()


def test_nothing_to_try_is_said_so(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "try")

    assert table.mail("Bob").header("X-PBEM-Kind") in ("acknowledgement", "refusal")


@pytest.mark.parametrize(("gm", "words"), [("pause", "paused"), ("finish", "over")])
def test_where_nothing_is_played_nothing_is_tried(set_table: SetTable, gm: str, words: str) -> None:
    table = seated(set_table)
    command(table, "gm", gm, "1")
    table.tick()
    table.mails("Bob")

    table.says("Bob", "try bid 1")

    assert words in said(table.mail("Bob"))


@pytest.mark.parametrize(("name", "line", "words"), [
    ("Bob", "status", "Here is the game as it stands"), ("Ana", "situação", "Eis o jogo"),
    ("Ana", "SITUACAO", "Eis o jogo"), ("Bob", "Board?", "Here is the game"),
])  # fmt: skip
def test_the_position_is_sent_on_demand(set_table: SetTable, name: str, line: str, words: str) -> None:
    table = seated(set_table)

    table.says(name, line)

    mail = said(table.mail(name))
    assert words in mail
    assert {"Bob": "Round 1", "Ana": "Rodada 1"}[name] in mail


@pytest.mark.parametrize(
    ("name", "line", "word"), [("Bob", "help", "undo"), ("Ana", "ajuda", "desfazer"), ("Bob", "?", "undo")]
)
def test_the_help_names_the_commands_in_the_readers_language(
    set_table: SetTable, name: str, line: str, word: str
) -> None:
    table = seated(set_table)

    table.says(name, line)

    mail = table.mail(name)
    assert mail.header("X-PBEM-Kind") == "help"
    assert f'"{word}"' in said(mail)


@pytest.mark.parametrize(
    ("name", "line", "words"), [("Bob", "test çã ✓", "Your test arrived"), ("Ana", "teste", "Seu teste chegou")]
)
def test_a_test_shows_what_came_through(set_table: SetTable, name: str, line: str, words: str) -> None:
    table = seated(set_table, start=False)

    table.says(name, line)

    mail = said(table.mail(name))
    assert words in mail
    assert line in mail
