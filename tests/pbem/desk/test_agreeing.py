"""`end?`, `rematch` and `please undo`: what all persons at the table must agree to."""

import pytest

from pbem.live import take_up
from pbem.report import verify_game
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, acts, command, holder, notices, read_all, said, seated, stake, verified

THREE = ("Ana pt", "Bob en", "Cy en")


def one_round(table: Table) -> None:
    """Let all answer this round."""
    for name in table.people:
        table.says(name, stake(table, name))


def over(set_table: SetTable, *seats: str, **values: object) -> Table:
    """Return a table whose game is over, all mails read."""
    table = seated(set_table, *seats, **values)
    command(table, "gm", "finish", "1")
    table.tick()
    read_all(table)
    return table


def keys(table: Table, seat: int, beginning: str) -> list[str]:
    """Return the keys of what a seat was told that begin so."""
    return [one["key"] for one in notices(table, seat) if one["key"].startswith(beginning)]


@pytest.mark.parametrize(("first", "second"), [("end?", "fim?"), ("End game", "acabar?"), ("END ?", "encerrar o jogo")])
def test_a_game_ends_with_its_standings_when_all_agree(set_table: SetTable, first: str, second: str) -> None:
    table = seated(set_table)
    one_round(table)
    read_all(table)

    table.says("Bob", first)
    asked, waiting = table.mail("Ana"), table.mail("Bob")
    running = table.live().game.status
    table.says("Ana", second)

    assert "Pergunta de Bob" in asked.subject
    assert "Bob gostaria de encerrar o jogo aqui" in said(asked)
    assert 'responda "fim?"; se prefere continuar, "fim? não"' in said(asked)
    assert "It ends as soon as Ana agrees." in said(waiting)
    assert running == "running"
    assert (table.live().game.status, table.live().game.void) == ("over", False)
    final = table.mail("Bob")
    assert "Everybody at the table agreed to end the game here" in said(final)
    assert "The game master ended" not in said(final)
    assert (acts(table)[-1].who, acts(table)[-1].what) == ("players", "finish")
    assert verified(table)["verified"]


def test_of_three_each_is_told_who_agreed_and_who_is_missing(set_table: SetTable) -> None:
    table = seated(set_table, *THREE)
    table.says("Cy", "end?")
    first = said(table.mail("Ana"))
    read_all(table)

    table.says("Bob", "end?")

    assert "Também precisa concordar: Bob." in first
    assert "Bob agrees, as you do, to end the game here. It ends as soon as Ana agrees too." in said(table.mail("Cy"))
    assert "Bob concorda em encerrar o jogo aqui" in said(table.mail("Ana"))
    assert "You agree to end the game here" in said(table.mail("Bob"))
    assert table.live().running


def test_a_tap_answers_the_question(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "end?")

    raw = [raw for to, raw in table.server.taken if to == "ana@players.test"][-1]
    html = raw.decode().replace("=\r\n", "").replace("=\n", "").replace("=3D", "=")
    assert "body=fim%3F%20n%C3%A3o%0D%0A" in html
    assert "body=fim%3F%0D%0A" in html


@pytest.mark.parametrize("answer", ["fim? não", "acabar? não, obrigada", "end? no"])
def test_one_who_would_rather_play_on_settles_it_for_all(set_table: SetTable, answer: str) -> None:
    table = seated(set_table, *THREE)
    table.says("Bob", "end?")
    table.says("Cy", "end?")
    read_all(table)

    table.says("Ana", answer)

    assert table.live().running
    assert not any(one.wants_end for one in table.live().holders)
    assert "Ana would rather play on, so the game goes on." in said(table.mail("Bob"))
    assert "O jogo continua, e os outros ficam sabendo." in said(table.mail("Ana"))


def test_who_asked_can_take_it_back(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "end?")

    table.says("Bob", "end? no thanks")
    table.says("Ana", "fim?")

    assert table.live().running
    assert [one.wants_end for one in table.live().holders] == [True, False]


def test_the_question_is_forgotten_when_the_round_ends(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "end?")
    read_all(table)
    one_round(table)

    told = " ".join(said(one) for one in table.mails("Ana"))
    table.says("Ana", "fim?")

    assert "Nem todos concordaram em encerrar o jogo" in told
    assert table.live().running


@pytest.mark.parametrize(
    ("line", "words"),
    [("end? no", "Nobody has asked to end the game"), ("end? perhaps", "We could not read whether you agree")],
)
def test_what_settles_nothing_is_explained(set_table: SetTable, line: str, words: str) -> None:
    table = seated(set_table)

    counts = table.says("Bob", line)

    assert counts["refused"] == 1
    assert words in said(table.mail("Bob"))
    assert notices(table, 0, "end.asked", "end.declined") == []


def test_with_bots_alone_one_person_decides(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "bot:greedy")

    table.says("Ana", "fim?")

    assert table.live().game.status == "over"


def test_a_paused_game_can_be_ended_by_all_and_an_open_one_cannot(set_table: SetTable) -> None:
    paused, unbegun = seated(set_table), seated(set_table, start=False)
    command(paused, "gm", "pause", "1")

    for name in ("Bob", "Ana"):
        paused.says(name, "end?")
        unbegun.says(name, "end?")

    assert paused.live().game.status == "over"
    assert unbegun.live().game.status == "open"
    assert "has not begun" in said(unbegun.last("Bob"))


def test_a_letter_that_comes_twice_counts_once(set_table: SetTable) -> None:
    table = seated(set_table)
    mail = table.last("Bob")

    table.says("Bob", "end?", to=mail)
    table.says("Bob", "end?", to=mail)

    assert keys(table, 0, "end.") == ["end.asked"]


def test_end_without_a_question_mark_still_ends_the_letter(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"{stake(table, 'Bob')}\nend\nend?")

    assert not holder(table, 1).wants_end
    assert holder(table, 1).plan != ()


# ---- a rematch


def test_a_rematch_begins_when_all_are_in_with_everybody_one_seat_further(set_table: SetTable) -> None:
    table = over(set_table, "Ana pt", "bot:greedy", "Bob en", clock="12h + 3d", hold="0")

    table.says("Ana", "revanche")
    asked = said(table.mail("Bob"))
    read_all(table)
    table.says("Bob", "rematch")

    assert "Ana would like to play another game with the same players" in asked
    with table.service.store.read() as session:
        old, new = take_up(session, 1), take_up(session, 2)
        assert verify_game(session, new)["verified"]
    assert [one.name for one in new.holders] == ["Bob", "Ana", "Robot"]
    assert new.holders[2].bot == "greedy"
    for name in ("ruleset", "options", "tables", "hold"):
        assert getattr(new.game, name) == getattr(old.game, name)
    assert new.game.clock == "12h + 3d"
    assert (new.game.status, old.game.rematch) == ("running", 2)
    assert new.game.seed != old.game.seed
    mails = {name: table.mails(name) for name in table.people}
    assert ["report"] == [one.header("X-PBEM-Kind") for one in mails["Ana"]]
    assert "Esta é a revanche do jogo 1" in said(mails["Ana"][0])
    assert any("It is game 2" in said(one) for one in mails["Bob"])


def test_there_is_one_rematch_a_game(set_table: SetTable) -> None:
    table = over(set_table)
    for name in table.people:
        table.says(name, "rematch")
    mail = [one for one in table.mails("Bob") if one.header("X-PBEM-Game") == "1"][-1]

    counts = table.says("Bob", "rematch", to=mail)

    assert counts["refused"] == 1
    assert "it is game 2" in said(table.last("Bob"))
    with table.service.store.read() as session:
        assert take_up(session, 1).game.rematch == 2


def test_who_would_rather_not_is_heard_and_may_change_his_mind(set_table: SetTable) -> None:
    table = over(set_table)
    table.says("Bob", "rematch")
    read_all(table)

    table.says("Ana", "revanche não")
    told = said(table.mail("Bob"))
    table.says("Ana", "revanche")

    assert "Ana would rather not play another game now." in told
    assert table.live().game.rematch == 2


def test_a_rematch_waits_for_the_end(set_table: SetTable) -> None:
    table = seated(set_table)

    counts = table.says("Bob", "rematch")

    assert counts["refused"] == 1
    assert "when this game is over" in said(table.mail("Bob"))
    assert notices(table, 0, "rematch.asked") == []


def test_the_last_report_says_how_to_play_again(set_table: SetTable) -> None:
    table = seated(set_table)

    command(table, "gm", "finish", "1")
    table.tick()

    assert 'responda "revanche"' in said(table.mail("Ana"))
    assert 'reply "rematch"' in said(table.mail("Bob"))


def test_a_rematch_that_cannot_be_opened_is_told_to_all_who_care(
    set_table: SetTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = over(set_table)
    table.says("Bob", "rematch")
    with table.service.store.write() as session:
        session.connection().exec_driver_sql('UPDATE games SET options = \'[["no-such", "yes"]]\'')

    table.says("Ana", "revanche")

    assert "não foi possível abrir o novo jogo" in text_of(table.last("Ana")).replace("\n", " ")
    assert any("rematch" in text_of(one) for one in table.to_gm())
    assert table.live().game.rematch == 0


# ---- please undo


def test_everybody_who_is_still_to_agree_to_an_undo_is_told_whom_it_waits_for(set_table: SetTable) -> None:
    table = seated(set_table, *THREE)
    one_round(table)
    read_all(table)

    table.says("Cy", "please undo")
    first = said(table.mail("Ana"))
    read_all(table)
    table.says("Bob", "please undo")

    assert "Também precisa concordar: Bob." in first
    assert '"por favor desfazer não"' in first
    assert "Bob agrees, as you do, to take the game back" in said(table.mail("Cy"))
    assert "Bob concorda em voltar" in said(table.mail("Ana"))


@pytest.mark.parametrize("answer", ["por favor desfazer não", "please undo no", "voltar atrás não"])
def test_an_undo_can_be_declined(set_table: SetTable, answer: str) -> None:
    table = seated(set_table, *THREE)
    one_round(table)
    table.says("Cy", "please undo")
    table.says("Bob", "please undo")
    read_all(table)

    table.says("Ana", answer)

    assert {one.undo_to for one in table.live().holders} == {-1}
    assert not any("rewind" in one for one in table.log())
    assert "Ana does not want to take the game back" in said(table.mail("Cy"))
    assert "Ana does not want to take the game back" in said(table.mail("Bob"))
    assert "Nada volta atrás" in said(table.mail("Ana"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("please undo no", "Nobody has asked to take the game back"),
        ("please undo", "No move of yours stands yet"),
        ("please undo whatever", "We could not read whether you agree"),
    ],
)
def test_an_undo_of_nothing_is_explained(set_table: SetTable, line: str, words: str) -> None:
    table = seated(set_table)

    counts = table.says("Bob", line)

    assert counts["refused"] == 1
    assert words in said(table.mail("Bob"))
