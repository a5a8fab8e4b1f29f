"""`resign`: asked once, then the seat is given away and nothing more is mailed to who held it."""

import pytest
from msgspec.structs import replace

from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, acts, command, holder, notices, read_all, said, seated, stake, verified


def by_rules(table: Table) -> None:
    """Let the rules answer for seats that are resigned."""
    settings = table.service.settings
    play = replace(settings.play, resign="gm")
    table.service = replace(table.service, settings=replace(settings, play=play))


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [("Bob", "resign", 'reply "resign yes"'), ("Ana", "abandonar", 'responda "abandonar sim"'),
     ("Ana", "Desisto do jogo.", 'responda "abandonar sim"')],
)  # fmt: skip
def test_leaving_is_asked_once_more(set_table: SetTable, name: str, line: str, words: str) -> None:
    table = seated(set_table)

    table.says(name, line)

    assert words in said(table.mail(name))
    assert all(one.bot == "" for one in table.live().holders)
    assert notices(table, 1 if name == "Ana" else 0, "seat.resigned") == []


@pytest.mark.parametrize("line", ["abandonar sim", "resign yes", "sair do jogo: sim"])
def test_a_bot_plays_on(set_table: SetTable, line: str) -> None:
    table = seated(set_table, "Ana pt", "Bob en", "Cy en", "Dee pt")

    table.says("Ana", line)
    farewell, told = said(table.mail("Ana")), said(table.mail("Bob"))
    for name in ("Bob", "Cy", "Dee"):
        table.says(name, stake(table, name))

    assert "Você deixou o jogo." in farewell
    assert "Ana has left the game. A bot plays on in that seat." in told
    assert "end?" not in told
    assert table.mails("Ana") == []
    assert len([one for one in table.moves() if one.startswith("0 ")]) >= len(("stake", "bid"))
    assert (holder(table, 0).bot, holder(table, 0).person) == ("greedy", None)
    assert [(one.who, one.what) for one in acts(table)] == [("seat 0", "resign")]
    assert any("Ana has left the game for good" in text_of(one).replace("\n", " ") for one in table.to_gm())
    assert verified(table)["verified"]


def test_of_two_the_other_may_end_the_game_at_once(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "resign yes")
    told = said(table.mail("Ana"))
    table.says("Ana", "fim?")

    assert 'Se você prefere não continuar sem companhia, responda "fim?"' in told
    assert (table.live().game.status, table.live().game.void) == ("over", False)


def test_where_the_others_want_to_end_it_already_the_game_ends(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Ana", "fim?")

    table.says("Bob", "resign yes")

    assert table.live().game.status == "over"
    assert table.last("Bob").header("X-PBEM-Kind") == "notice"


def test_the_last_person_ends_the_game_by_leaving(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "bot:random")
    table.says("Ana", "abandonar")
    asked = said(table.mail("Ana"))

    table.says("Ana", "abandonar sim")
    table.tick()

    assert "Não sobra mais ninguém para jogar" in asked
    assert (table.live().game.status, table.live().game.void) == ("aborted", True)
    assert len(table.mails("Ana")) == 1


def test_the_rules_answer_until_the_game_master_finds_somebody(set_table: SetTable) -> None:
    table = seated(set_table)
    by_rules(table)
    table.says("Bob", "resign yes")
    told = said(table.mail("Ana"))

    table.says("Ana", stake(table, "Ana"))
    moves = [one for one in table.moves() if one.startswith("1 ")]
    command(table, "gm", "replace", "1", "--seat", "1", "Cy <cy@players.test> en")
    table.tick()

    assert "as regras respondem por ele" in told
    assert len(moves) >= 2
    assert holder(table, 1).name == "Cy"
    assert any("Until you find somebody" in text_of(one).replace("\n", " ") for one in table.to_gm())
    assert verified(table)["verified"]


@pytest.mark.parametrize("line", ["resign no", "resign no thanks"])
def test_who_stays_keeps_everything(set_table: SetTable, line: str) -> None:
    table = seated(set_table)
    table.says("Bob", stake(table, "Bob"))
    read_all(table)

    table.says("Bob", line)

    assert holder(table, 1).plan != ()
    assert "you keep your seat" in said(table.mail("Bob"))


def test_what_stands_below_is_not_read_and_an_old_tag_counts_no_more(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en", "Cy en")
    letter = table.reply("Bob", f"{stake(table, 'Bob')}\nresign yes\ntell Ana: bye")
    again = table.reply("Bob", "resign yes")
    table.post(letter)
    table.tick()
    read_all(table)
    before = table.log()

    table.post(again)
    table.tick()

    assert table.log() == before
    assert notices(table, 0, "press.received") == []
    assert holder(table, 1).bot == "greedy"
    assert len(acts(table)) == 1
    assert all(one.header("X-PBEM-Game") in ("", "0") for one in table.mails("Bob"))


@pytest.mark.parametrize(("state", "words"), [("open", "has not begun"), ("over", "game is over")])
def test_a_game_that_does_not_run_is_not_resigned(set_table: SetTable, state: str, words: str) -> None:
    table = seated(set_table, start=state != "open")
    if state == "over":
        command(table, "gm", "finish", "1")
    table.tick()
    read_all(table)

    table.says("Bob", "resign yes")

    assert words in said(table.mail("Bob"))
    assert holder(table, 1).bot == ""


def test_a_paused_game_can_be_left(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "gm", "pause", "1")
    table.tick()

    table.says("Bob", "resign yes")
    command(table, "gm", "resume", "1")
    table.tick()

    assert table.live().running
    assert holder(table, 1).bot == "greedy"
    assert verified(table)["verified"]
