"""Who only looks on: how he comes and goes, what he is told, and that he is no player."""

from datetime import timedelta

import pytest

from pbem.store import observers
from tests.contract.cli.schema import faults
from tests.pbem.table import Person, Table, text_of
from tests.pbem.witness import SetTable, acts, command, notices, read_all, said, seated, stake, verified

ZOE = "Zoe <zoe@watch.test> pt"


def watched(set_table: SetTable, *seats: str, **values: object) -> Table:
    """Return a table at which Zoe looks on; all have read their mails."""
    table = seated(set_table, *seats, **values)
    command(table, "gm", "observe", "1", ZOE)
    table.tick()
    table.people["Zoe"] = Person("Zoe", "zoe@watch.test")
    read_all(table)
    return table


def one_round(table: Table) -> None:
    for name in [one for one in table.people if one != "Zoe"]:
        seat = [one.name for one in table.live().holders].index(name)
        hand = table.live().ruleset.view(table.live().position.state, seat).hand
        table.says(name, f"stake {hand[0]}: bid 1")


def test_the_players_are_told_who_looks_on_and_he_is_welcomed(set_table: SetTable) -> None:
    table = seated(set_table)

    ran = command(table, "gm", "observe", "1", ZOE, "--reason", "Zoe is learning", "--json")
    table.tick()
    table.people["Zoe"] = Person("Zoe", "zoe@watch.test")

    assert ran.code == 0
    assert faults("gm-observe", ran.json) == []
    assert [one["key"] for one in ran.json["told"]] == ["observer.added"] * 2
    assert "Zoe assiste a este jogo a partir de agora" in said(table.mail("Ana"))
    assert "Zoe looks on at this game from now on" in said(table.mail("Bob"))
    mail = table.mail("Zoe")
    assert "Você assiste a um jogo de Lances" in said(mail)
    assert "Zoe is learning" in said(mail)
    assert not mail.has_header("X-PBEM-Seat")
    assert [(one.who, one.what) for one in acts(table)] == [("gm", "observe")]
    shown = command(table, "game", "show", "1", "--json").json
    assert shown["observers"] == ["Zoe"]
    assert faults("game-show", shown) == []


def test_in_his_quiet_hours_nothing_comes_but_the_answer_to_his_letter(set_table: SetTable) -> None:
    table = watched(set_table)
    table.says("Zoe", "silêncio 22-08")
    hours = said(table.mail("Zoe"))
    table.tick(after=timedelta(hours=(23 - table.now.hour) % 24))
    read_all(table)

    one_round(table)
    asleep = table.mails("Zoe")
    while table.now.hour != 8:
        table.tick(after=timedelta(minutes=30))
        assert table.now.hour == 8 or not table.mails("Zoe")
    awake = table.mails("Zoe")

    assert "22:00" in hours
    assert asleep == []
    assert len(awake) == 1


def test_he_is_told_each_round_and_the_end_and_nothing_in_between(set_table: SetTable) -> None:
    table = watched(set_table)

    table.says("Ana", stake(table, "Ana"))
    between = table.mails("Zoe")
    table.says("Bob", stake(table, "Bob"))
    round_end = table.mail("Zoe")
    command(table, "gm", "finish", "1")
    table.tick()
    end = table.mail("Zoe")

    assert between == []
    assert round_end.header("X-PBEM-Kind") == "report"
    assert "Ana mostrou" in said(round_end)
    assert "Suas cartas" not in said(round_end)
    assert "Sua vez" not in said(round_end)
    assert "O jogo acabou" in said(end)
    assert "revanche" not in said(end)
    assert verified(table)["verified"]


def test_no_order_of_his_is_played_and_he_is_told_what_he_can_write(set_table: SetTable) -> None:
    table = watched(set_table)
    before = table.log()

    counts = table.says("Zoe", f"{stake(table, 'Ana')}\naceito\nresign yes\nfim?\nnova etiqueta\nplease undo")

    assert counts["refused"] == 1
    assert table.log() == before
    assert "Você assiste a este jogo e não faz jogadas." in said(table.mail("Zoe"))
    assert table.mails("Ana") == []


@pytest.mark.parametrize("text", ["dizer todos: boa sorte!\nde longe", "tell all:\nboa sorte!\nde longe\nend"])
def test_he_may_write_to_the_whole_table(set_table: SetTable, text: str) -> None:
    table = watched(set_table, "Ana pt", "Bob en", "bot:random")

    table.says("Zoe", text)

    for name, words in (("Ana", "Zoe, que assiste ao jogo, escreve a todos:"), ("Bob", "Zoe, who looks on, writes")):
        mail = table.mail(name)
        assert words in said(mail)
        assert "boa sorte! de longe" in said(mail)
        assert "Zoe" in mail.subject
        assert "watch.test" not in text_of(mail)


@pytest.mark.parametrize("whom", ["Ana", "mestre", "Zoe", "bob e ana"])
def test_to_one_alone_he_may_not_write(set_table: SetTable, whom: str) -> None:
    table = watched(set_table)

    table.says("Zoe", f"dizer {whom}: psst, ela tem um 9")

    assert "só pode escrever à mesa inteira" in said(table.mail("Zoe"))
    assert table.mails("Ana") == table.mails("Bob") == []


def test_what_is_said_to_all_is_said_to_him_and_what_is_said_to_one_is_not(set_table: SetTable) -> None:
    table = watched(set_table)

    table.says("Bob", "tell all: hello")
    heard, told = said(table.mail("Zoe")), said(table.mail("Bob"))
    assert "Bob escreve a todos" in said(table.mail("Ana"))
    table.says("Bob", "tell Ana: psst")

    assert "Bob escreve a todos: hello" in heard
    assert "Whoever looks on at this game reads it too: Zoe." in told
    assert table.mails("Zoe") == []


def test_he_asks_for_the_position_and_chooses_his_language(set_table: SetTable) -> None:
    table = watched(set_table)

    table.says("Zoe", "situação\nidioma english\nfuso Lisbon")

    mail = said(table.mail("Zoe"))
    assert "Here is the game as it stands." in mail
    assert "language is now en" in mail
    assert "Europe/Lisbon" in mail


def test_he_leaves_after_a_tap_and_his_tag_counts_no_more(set_table: SetTable) -> None:
    table = watched(set_table)
    old = table.last("Zoe")

    table.says("Zoe", "parar")
    asked = said(table.mail("Zoe"))
    table.says("Zoe", "parar sim")
    farewell = said(table.mail("Zoe"))
    read_all(table)
    table.says("Zoe", "situação", to=old)
    one_round(table)

    assert "Você não quer mais assistir?" in asked
    assert "não vai chegar mais nenhum e-mail" in farewell
    assert not any("Lances" in one.subject for one in table.mails("Zoe"))
    assert command(table, "game", "show", "1", "--json").json["observers"] == []
    assert [one.what for one in acts(table)] == ["observe", "unobserve"]


def test_the_game_master_takes_him_off_and_lets_him_come_again(set_table: SetTable) -> None:
    table = watched(set_table)

    ran = command(table, "gm", "observe", "1", "--remove", "ZOE@watch.test", "--reason", "Thank you")
    table.tick()
    farewell = said(table.mail("Zoe"))
    told = said(table.mail("Bob"))
    again = command(table, "gm", "observe", "1", ZOE)
    table.tick()

    assert (ran.code, again.code) == (0, 0)
    assert "Thank you" in farewell
    assert 'Zoe no longer looks on at this game. The reason: "Thank you".' in told
    assert "Você assiste a um jogo" in said(table.mail("Zoe"))
    table.says("Zoe", "situação")
    assert "Eis o jogo" in said(table.mail("Zoe"))


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["Bob <bob@players.test>"], "observer.player"), (["Zoe <zoe@watch.test>"], "observer.known"),
        (["bot:greedy"], "observer.bot"), (["--remove", "nobody@watch.test"], "observer.unknown"),
        (["--remove", "bob@players.test"], "observer.unknown"), ([], "observer.form"),
        (["Yan <yan@watch.test>", "--remove", "zoe@watch.test"], "observer.form"), (["Yan"], "seat.form"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_reason(set_table: SetTable, words: list[str], key: str) -> None:
    table = watched(set_table)

    ran = command(table, "gm", "observe", "1", *words, "--json")
    spoken = command(table, "gm", "observe", "1", *words)

    assert ran.refused == key
    assert spoken.err.strip()
    assert key not in spoken.err
    with table.service.store.read() as session:
        assert [one.name for one in observers.list_observers(session, 1)] == ["Zoe"]


def test_a_rehearsal_changes_nothing_and_a_game_that_is_over_takes_nobody(set_table: SetTable) -> None:
    table = seated(set_table)

    ran = command(table, "gm", "observe", "1", ZOE, "--dry-run")
    table.tick()
    command(table, "gm", "finish", "1")
    late = command(table, "gm", "observe", "1", ZOE, "--json")

    assert "would be" in ran.out
    assert acts(table)[0].what == "finish"
    assert notices(table, 0, "observer.added") == []
    assert late.refused == "game.ended"


def test_a_letter_of_his_that_comes_twice_is_passed_on_once(set_table: SetTable) -> None:
    table = watched(set_table)
    mail = table.last("Zoe")

    table.says("Zoe", "dizer todos: olá", to=mail)
    table.says("Zoe", "dizer todos: olá", to=mail)

    assert len(notices(table, 0, "press.observer")) == 1


def test_an_open_game_is_looked_at_from_its_start(set_table: SetTable) -> None:
    table = watched(set_table, start=False)

    for name in ("Ana", "Bob"):
        table.says(name, "accept")

    assert any("O jogo começou" in said(one) for one in table.mails("Zoe"))


def test_an_absence_note_or_a_returned_mail_of_his_troubles_no_player(set_table: SetTable) -> None:
    table = watched(set_table)

    table.post(table.reply("Zoe", "I am out of office until Monday", Auto_Submitted="auto-replied"))
    table.tick()

    assert table.to_gm() == []
    assert table.mails("Zoe") == []


@pytest.mark.parametrize("line", ["quiet", "idioma klingon", "fuso Lua", "silêncio 25-99", "simples talvez"])
def test_a_setting_that_cannot_be_is_explained_to_who_looks_on(set_table: SetTable, line: str) -> None:
    table = watched(set_table)

    table.says("Zoe", line)

    answer = said(table.mail("Zoe"))
    if line == "quiet":
        assert "os e-mails vêm a qualquer hora" in answer
    else:
        assert "por isso nada mudou" in answer
