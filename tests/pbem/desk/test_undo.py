"""`undo` empties the own plan; `please undo` asks those who moved since."""

import pytest

from engine.core.types import Seat
from pbem.live import take_up
from pbem.moderation import rewind
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, acts, holder, read_all, said, seated, stake, verified


def one_round(table: Table) -> None:
    """Let all answer this round."""
    for name in table.people:
        table.says(name, stake(table, name))
    read_all(table)


def rewinds(table: Table) -> list[str]:
    return [one for one in table.log() if one.startswith("-2 rewind")]


@pytest.mark.parametrize(
    ("line", "name"), [("undo", "Bob"), ("desfazer", "Ana"), ("Cancel.", "Bob"), ("limpar", "Ana")]
)
def test_what_is_planned_is_emptied_and_asked_anew(set_table: SetTable, line: str, name: str) -> None:
    table = seated(set_table)
    table.says(name, stake(table, name))
    read_all(table)

    table.says(name, line)

    seat = list(table.people).index(name)
    assert holder(table, seat).plan == ()
    mail = table.mail(name)
    assert mail.header("X-PBEM-Decision") == "5"
    assert {"Bob": "1 line was taken out", "Ana": "1 linha"}[name] in said(mail)


def test_what_was_played_stays_played(set_table: SetTable) -> None:
    table = seated(set_table)
    one_round(table)
    entries = table.log()

    table.says("Bob", "undo")

    assert table.log() == entries
    assert "What was already played stays played" in said(table.mail("Bob"))


def test_taking_back_needs_all_who_moved_since(set_table: SetTable) -> None:
    table = seated(set_table)
    one_round(table)

    table.says("Bob", "please undo")
    asked, waiting = table.mail("Ana"), table.mail("Bob")
    assert rewinds(table) == []
    table.says("Ana", "por favor desfazer")

    assert "Bob gostaria de voltar" in said(asked)
    assert "You asked to take the game back" in said(waiting)
    assert rewinds(table) == ["-2 rewind 5"]
    assert acts(table)[-1].who == "seat 0"
    assert "earlier position (after entry 5)" in said(table.mail("Bob"))
    assert verified(table)["verified"]


def test_of_three_the_last_one_decides(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en", "Cy en")
    one_round(table)

    table.says("Cy", "take back")
    table.says("Bob", "please undo")
    assert rewinds(table) == []
    table.says("Ana", "voltar atrás")

    assert rewinds(table) == ["-2 rewind 7"]


def test_who_plays_on_instead_of_asking_takes_the_wish_back(set_table: SetTable) -> None:
    table = seated(set_table)
    one_round(table)
    table.says("Bob", "please undo")
    read_all(table)

    table.says("Bob", stake(table, "Bob"))

    assert holder(table, 1).undo_to == -1


def test_bots_always_agree(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "bot:random")
    one_round(table)

    table.says("Ana", "por favor desfazer")

    assert len(rewinds(table)) == 1


def test_nothing_played_is_nothing_to_take_back(set_table: SetTable) -> None:
    table = seated(set_table)

    counts = table.says("Bob", "please undo")

    assert counts["refused"] == 1
    assert rewinds(table) == []


def test_what_the_game_master_took_back_does_not_come_again(set_table: SetTable) -> None:
    table = seated(set_table)
    one_round(table)
    one_round(table)
    with table.service.store.write() as session:
        rewind(session, take_up(session, table.game), 0, "", table.now)
    table.tick()
    read_all(table)

    for name in ("Ana", "Bob"):
        table.says(name, "please undo")

    assert rewinds(table) == ["-2 rewind 0"]
    assert holder(table, Seat(0)).plan == ()


def test_an_earlier_wish_is_none_any_more_once_others_played_on(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en", "Cy en")
    one_round(table)
    table.says("Ana", "por favor desfazer")
    table.says("Bob", "please undo")
    one_round(table)

    table.says("Cy", "please undo")

    assert rewinds(table) == []
    assert holder(table, 2).undo_to > 7
