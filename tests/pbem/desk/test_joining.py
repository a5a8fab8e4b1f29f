"""`accept` and `decline`, in both languages."""

import pytest

from tests.pbem.table import Table
from tests.pbem.witness import SetTable, holder, said, seated


@pytest.mark.parametrize(
    ("ana", "bob"), [("aceito", "accept"), ("Sim!", "I accept."), ("ACEITAR", "yes, I play"), ("accept", "aceito")]
)
def test_the_game_starts_when_all_have_accepted(set_table: SetTable, ana: str, bob: str) -> None:
    table = seated(set_table, start=False)

    table.says("Ana", ana)
    assert table.live().game.status == "open"
    assert "O jogo começa quando também aceitarem: Bob." in said(table.mail("Ana"))
    table.says("Bob", bob)

    assert table.live().game.status == "running"


def test_words_for_the_dice_stand_in_seat_order_and_are_of_bearable_length(set_table: SetTable) -> None:
    table = seated(set_table, start=False)

    table.says("Bob", "accept " + "sunflower " * 9)
    table.says("Ana", "aceito jabuticaba  azul")

    assert table.live().game.words == ("jabuticaba azul", ("sunflower " * 9)[:40])


def test_who_accepts_twice_is_told_who_is_waited_for_and_may_change_the_word(set_table: SetTable) -> None:
    table = seated(set_table, start=False)
    table.says("Bob", "accept oak")
    table.mails("Bob")

    table.says("Bob", "accept elm")

    assert "The game begins when" in said(table.mail("Bob"))
    assert holder(table, 1).word == "elm"


@pytest.mark.parametrize("word", ["recuso", "não aceito", "decline", "I decline"])
def test_who_declines_calls_the_game_off_and_all_are_told(set_table: SetTable, word: str) -> None:
    table = seated(set_table, start=False)

    table.says("Ana", word)

    assert table.live().game.status == "aborted"
    assert "Ana declined" in said(table.mail("Bob"))
    assert "recusou o convite" in said(table.mail("Ana"))


def late(set_table: SetTable, word: str) -> Table:
    table = seated(set_table, start=False)
    table.says("Ana", "recuso")
    table.mails("Bob")
    table.says("Bob", word)
    return table


def test_who_accepts_after_another_declined_is_told_that_it_is_over(set_table: SetTable) -> None:
    table = late(set_table, "accept")

    assert table.live().game.status == "aborted"
    assert "has begun" not in said(table.last("Bob"))
    assert "over" in said(table.mail("Bob"))


def test_a_running_game_is_neither_accepted_nor_declined(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "accept")
    first = table.mail("Bob")
    table.says("Bob", "decline")

    assert "the game has begun" in said(first)
    assert table.live().game.status == "running"
    assert table.mail("Bob").header("X-PBEM-Kind") == "help"
