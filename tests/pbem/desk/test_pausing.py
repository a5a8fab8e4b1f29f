"""`pause` and `resume`: a game stands still when all persons agree, and goes on when one of them wants to."""

from datetime import timedelta

import pytest

from pbem.live import take_up
from pbem.moderation import replace_holder
from pbem.opening import bot_offer
from tests.pbem.table import START, Table
from tests.pbem.witness import SetTable, acts, command, holder, notices, read_all, said, seated, stake, verified

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
THREE = ("Ana pt", "Bob en", "Cy en")


def paused(set_table: SetTable, *seats: str, **values: object) -> Table:
    """Return a table whose players have agreed on a pause, all mails read."""
    table = seated(set_table, *seats, **values)
    for name in table.people:
        table.says(name, "pause")
    read_all(table)
    return table


def status(table: Table) -> tuple[str, str]:
    game = table.live().game
    return game.status, game.paused_by


@pytest.mark.parametrize(
    ("first", "second"), [("pause", "pausa"), ("Pause the game!", "pausar o jogo"), ("PAUSE", "pausa, sim")]
)
def test_a_game_is_paused_when_all_agree(set_table: SetTable, first: str, second: str) -> None:
    table = seated(set_table)

    table.says("Bob", first)
    asked, waiting = table.mail("Ana"), table.mail("Bob")
    running = status(table)
    table.says("Ana", second)

    assert "Pergunta de Bob" in asked.subject
    assert "Bob gostaria de pausar o jogo: os prazos ficam parados até alguém de vocês querer continuar." in said(asked)
    assert 'responda "pausa"; se prefere continuar jogando, "pausa não"' in said(asked)
    assert "It stands still as soon as Ana agrees." in said(waiting)
    assert running == ("running", "")
    assert status(table) == ("paused", "players")
    mail = said(table.mail("Bob"))
    assert "The game is paused, as everybody at the table agreed, and all clocks stand still." in mail
    assert 'When you want to go on, reply "resume".' in mail
    assert (acts(table)[-1].who, acts(table)[-1].what) == ("players", "pause")
    assert not any(one.wants_pause for one in table.live().holders)


def test_of_three_each_is_told_who_agreed_and_who_is_missing(set_table: SetTable) -> None:
    table = seated(set_table, *THREE)
    table.says("Cy", "pause")
    first = said(table.mail("Ana"))
    read_all(table)

    table.says("Bob", "pause")

    assert "Também precisa concordar: Bob." in first
    assert "Bob agrees, as you do, to pause the game. It stands still as soon as Ana agrees too." in said(
        table.mail("Cy")
    )
    assert "You agree to pause the game" in said(table.mail("Bob"))
    assert table.live().running


def test_a_tap_answers_the_question(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "pause")

    raw = [raw for to, raw in table.server.taken if to == "ana@players.test"][-1]
    html = raw.decode().replace("=\r\n", "").replace("=\n", "").replace("=3D", "=")
    assert "body=pausa%20n%C3%A3o%0D%0A" in html
    assert "body=pausa%0D%0A" in html


@pytest.mark.parametrize("answer", ["pausa não", "pausa não, obrigada", "pause no"])
def test_one_who_would_rather_play_on_settles_it_for_all(set_table: SetTable, answer: str) -> None:
    table = seated(set_table, *THREE)
    table.says("Bob", "end?")
    table.says("Bob", "pause")
    table.says("Cy", "pause")
    read_all(table)

    table.says("Ana", answer)

    assert table.live().running
    assert not any(one.wants_pause for one in table.live().holders)
    assert holder(table, 1).wants_end
    assert "Ana would rather play on, so the game is not paused." in said(table.mail("Bob"))
    assert "O jogo não entra em pausa, e os outros ficam sabendo." in said(table.mail("Ana"))


def test_the_question_is_forgotten_when_the_round_ends(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "pause")
    read_all(table)
    for name in table.people:
        table.says(name, stake(table, name))

    told = " ".join(said(one) for one in table.mails("Ana"))
    table.says("Ana", "pausa")

    assert "Nem todos concordaram em pausar o jogo" in told
    assert "encerrar" not in told
    assert table.live().running


def test_a_rewind_and_a_new_holder_forget_the_wish(set_table: SetTable) -> None:
    table = seated(set_table, *THREE)
    table.says("Bob", "pause")
    command(table, "gm", "rewind", "1", "--to", "3")
    after_rewind = holder(table, 1).wants_pause
    table.says("Bob", "pause")

    with table.service.store.write() as session:
        live = take_up(session, 1)
        replace_holder(session, live, live.holders[1].seat, bot_offer("random"), "", table.now)

    assert (after_rewind, holder(table, 1).wants_pause) == (False, False)


def test_who_leaves_was_the_last_to_be_asked(set_table: SetTable) -> None:
    table = seated(set_table, *THREE)
    table.says("Bob", "pause")
    table.says("Cy", "pause")

    table.says("Ana", "abandonar sim")

    assert status(table) == ("paused", "players")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("pause no", "Nobody has asked to pause the game"),
        ("pause perhaps", "We could not read whether you want a pause"),
        ("resume", "The game is not paused"),
        ("continue", "The game is not paused"),
    ],
)
def test_what_settles_nothing_is_explained(set_table: SetTable, line: str, words: str) -> None:
    table = seated(set_table)

    counts = table.says("Bob", line)

    assert counts["refused"] == 1
    assert words in said(table.mail("Bob"))
    assert notices(table, 0, "pause.asked", "pause.declined") == []


@pytest.mark.parametrize("line", ["pause", "resume"])
def test_before_and_after_a_game_nothing_can_be_paused(set_table: SetTable, line: str) -> None:
    unbegun, over = seated(set_table, start=False), seated(set_table)
    command(over, "gm", "finish", "1")
    over.tick()

    for table in (unbegun, over):
        table.says("Bob", line)

    assert "has not begun" in said(unbegun.last("Bob"))
    assert "is over" in said(over.last("Bob"))
    assert (unbegun.live().game.status, over.live().game.status) == ("open", "over")


@pytest.mark.parametrize("line", ["resume", "continue the game", "please resume"])
def test_any_person_lets_the_game_go_on_with_the_time_that_was_left(set_table: SetTable, line: str) -> None:
    table = paused(set_table, clock="24h")
    before = holder(table, 0).deadline
    table.tick(after=3 * DAY)
    silent = table.moves()

    table.says("Bob", line)

    assert silent == []
    assert status(table) == ("running", "")
    assert before is not None
    assert holder(table, 0).deadline == before + 3 * DAY + MINUTE
    assert "Bob quer continuar; os prazos voltam a correr." in said(table.mail("Ana"))
    assert "The game goes on, and the clocks run again." in said(table.mail("Bob"))
    assert (acts(table)[-1].who, acts(table)[-1].what) == ("seat 1", "resume")


def test_a_pause_over_days_of_rest_leaves_the_working_time(set_table: SetTable) -> None:
    table = paused(set_table, clock="5d; off sat sun; zone UTC")
    stood = table.now
    table.tick(after=START + 5 * DAY - table.now)

    table.says("Ana", "continuar")

    left = table.live().clock.between(table.now, holder(table, 0).deadline)
    assert 5 * DAY - (stood - START) == left


def test_lines_sent_in_a_pause_are_played_when_it_ends(set_table: SetTable) -> None:
    table = paused(set_table)
    for name in table.people:
        table.says(name, stake(table, name))
    before = table.moves()

    table.says("Ana", "continuar")

    assert before == []
    assert len(table.moves()) >= 4
    assert verified(table)["verified"]


def test_a_letter_can_let_the_game_go_on_and_answer(set_table: SetTable) -> None:
    table = paused(set_table)

    table.says("Bob", f"resume\n{stake(table, 'Bob')}")

    assert status(table) == ("running", "")
    assert holder(table, 1).plan != ()


@pytest.mark.parametrize("line", ["resume", "continuar"])
def test_what_the_game_master_has_paused_no_player_lets_go_on(set_table: SetTable, line: str) -> None:
    table = seated(set_table)
    command(table, "gm", "pause", "1")
    table.tick()
    read_all(table)

    counts = table.says("Bob", line)

    assert counts["refused"] == 1
    assert status(table) == ("paused", "")
    mail = said(table.mail("Bob"))
    assert "It was the game master who paused this game" in mail
    assert table.mails("Ana") == []


def test_the_game_master_lets_a_game_go_on_that_the_players_have_paused(set_table: SetTable) -> None:
    table = paused(set_table)

    ran = command(table, "gm", "resume", "1")

    assert ran.code == 0
    assert status(table) == ("running", "")


@pytest.mark.parametrize(("by_gm", "words"), [(True, "The game master will let it go on."), (False, 'reply "resume"')])
def test_a_paused_game_is_not_paused_again(set_table: SetTable, by_gm: bool, words: str) -> None:
    table = seated(set_table) if by_gm else paused(set_table)
    if by_gm:
        command(table, "gm", "pause", "1")
    table.tick()
    read_all(table)

    table.says("Bob", "pause")

    assert f"The game is paused already. {words}" in said(table.mail("Bob")).replace("To go on, reply", "reply")


def test_with_bots_alone_one_person_decides(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "bot:greedy")

    table.says("Ana", "pausa")

    assert status(table) == ("paused", "players")


def test_a_letter_that_comes_twice_counts_once(set_table: SetTable) -> None:
    table = seated(set_table)
    mail = table.last("Bob")

    table.says("Bob", "pause", to=mail)
    table.says("Bob", "pause", to=mail)

    assert len(notices(table, 0, "pause.asked")) == 1


def test_a_remark_that_begins_with_the_word_pauses_nothing(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"{stake(table, 'Bob')}\npause for thought: I like this game")

    assert notices(table, 0, "pause.asked") == []


@pytest.mark.parametrize(("pausing", "words"), [(False, "isto pode significar mais de uma jogada"), (True, "voltam")])
def test_a_word_of_a_move_lets_a_game_go_on_only_if_it_is_paused(
    set_table: SetTable, pausing: bool, words: str
) -> None:
    table = (paused if pausing else seated)(set_table, "Ana pt", "Bob pt", title="village")

    table.says("Ana", "continuar")

    assert words in said(table.mail("Ana"))
    assert table.live().running


def test_who_looks_on_is_told_without_being_asked(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "gm", "observe", "1", "Zoe <zoe@players.test> en")
    table.tick()
    for name in ("Ana", "Bob", "Bob"):
        table.says(name, "resume" if table.live().game.status == "paused" else "pause")
    for name in table.people:
        table.says(name, stake(table, name))

    zoe = " ".join(raw.decode() for to, raw in table.server.taken if to == "zoe@players.test").replace("\r\n", " ")

    assert "as everybody at the table agreed" in zoe
    assert "Bob lets the game go on" in zoe
    assert "When you want to go on" not in zoe
