"""What cannot be undone is done by a second letter alone: an answer to the mail that asked, once, in time."""

from datetime import timedelta

import pytest
from msgspec import structs

from pbem.branching import branch
from pbem.intake import fetch
from pbem.live import take_up
from pbem.mail.letter import Letter
from pbem.referee import judge
from pbem.store import games, letters
from tests.pbem.office.desk import GM, RUI, alarm, all_acts, answers, mails_to, reply, said, says, with_deputies
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, acts, seated, stake, verified


def asked(set_table: SetTable, text: str = "rewind 1 to 5") -> tuple[Table, Letter]:
    """Return a table at which the game master has asked for an act, and the mail that asks back."""
    table = seated(set_table)
    with_deputies(table, f"Rui <{RUI}> pt")
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))
    alarm(table)
    (mail,) = answers(table, text)
    assert mail.header("X-PBEM-Kind") == "confirmation"
    return table, mail


def test_the_mail_that_asks_tells_what_would_happen(set_table: SetTable) -> None:
    _, rewind = asked(set_table)
    _, finish = asked(set_table, "finish 1")
    _, replace = asked(set_table, "replace 1 Bob with Eva <eva@players.test>")
    _, block = asked(set_table, "block Bob")

    assert "Game 1 would go back to entry 5. Taken back would be: - Ana: 2 moves, from entry" in said(rewind)
    assert "These would be told: Ana and Bob." in said(rewind)
    assert "would end after entry" in said(finish)
    assert "In game 1 Eva would get the seat of Bob" in said(replace)
    assert "These seats stay as they are until you give them to others: game 1 (Bids)." in said(block)
    assert 'answer this very mail with "confirm" within three days' in said(block)


@pytest.mark.parametrize("word", ["confirm", "Yes, please.", "confirmo", "SIM"])
def test_an_answer_to_it_does_it_once(set_table: SetTable, word: str) -> None:
    table, mail = asked(set_table)

    done = answers(table, word, to=mail)
    again = answers(table, f"{word}\n\nreason: once more", to=mail)

    assert [one.what for one in acts(table)] == ["rewind"]
    assert "Game 1 is back at entry 5. Told: Ana and Bob." in said(done)
    assert "was confirmed before, and nothing was done twice" in said(again)
    assert verified(table)


def test_two_words_in_one_letter_do_it_once(set_table: SetTable) -> None:
    table, mail = asked(set_table, "block Bob")

    got = answers(table, "confirm\nconfirm", to=mail)

    assert [one.what for one in all_acts(table)] == ["person.block"]
    assert len(got) == 1


def test_the_reason_of_either_letter_is_told(set_table: SetTable) -> None:
    table, mail = asked(set_table, "rewind 1 to 5\nreason: a slip")
    other, second = asked(set_table)

    answers(table, "confirm", to=mail)
    answers(other, "confirm\nreason: all agreed", to=second)

    assert acts(table)[0].fields["reason"] == "a slip"
    assert acts(other)[0].fields["reason"] == "all agreed"


def test_an_answer_to_another_mail_does_nothing(set_table: SetTable) -> None:
    table, _ = asked(set_table)
    alert = alarm(table)

    got = answers(table, "confirm", to=alert)

    assert "the mail that you answered asks nothing" in said(got)
    assert acts(table) == []


def test_after_three_days_it_must_be_asked_anew(set_table: SetTable) -> None:
    table, mail = asked(set_table)
    table.tick(after=timedelta(days=3))

    late = answers(table, "confirm", to=mail)

    assert '"rewind 1 to 5" was not done: the mail that asked is more than 3 days old.' in said(late)
    assert acts(table) == []


def test_if_the_game_has_gone_on_it_is_asked_anew_with_the_new_account(set_table: SetTable) -> None:
    table, mail = asked(set_table)
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))

    (second,) = answers(table, "confirm", to=mail)
    (stale,) = answers(table, "confirm\n\nplease", to=mail)
    done = answers(table, "confirm", to=second)

    for one in (second, stale):
        assert one.header("X-PBEM-Kind") == "confirmation"
        assert "Nothing was done: the game has gone on since you asked." in said(one)
        assert "Ana: 4 moves" in said(one)
    assert "Game 1 is back at entry 5." in said(done)
    assert [one.what for one in acts(table)] == ["rewind"]


def test_what_cannot_be_done_any_more_is_refused_when_it_is_confirmed(set_table: SetTable) -> None:
    table, mail = asked(set_table, "finish 1")
    _, second = mails_to(table)[-1], answers(table, "void 1", to=mails_to(table)[0])[0]
    answers(table, "confirm", to=mail)

    got = answers(table, "confirm", to=second)

    assert "Game 1 has ended." in said(got)
    assert [one.what for one in acts(table)] == ["finish"]


def test_nobody_else_can_confirm_it(set_table: SetTable) -> None:
    table, mail = asked(set_table)

    table.post(reply(table, mail, "confirm", RUI))
    table.post(reply(table, mail, "confirm", "bob@players.test"))
    table.post(reply(table, mail, "confirm", "anybody@elsewhere.test"))
    table.tick()

    assert acts(table) == []


def test_each_question_is_a_mail_of_its_own(set_table: SetTable) -> None:
    table, _ = asked(set_table)

    got = answers(table, "finish 1\nblock Bob\nstatus")
    says(table, "confirm", to=next(one for one in got if "blocked" in said(one)))

    assert sorted(one.header("X-PBEM-Kind") for one in got) == ["confirmation", "confirmation", "notice"]
    assert [one.what for one in all_acts(table)] == ["person.block"]
    assert mails_to(table, GM)[-1].header("X-PBEM-Kind") == "acknowledgement"


def test_a_pass_that_dies_before_its_end_has_done_nothing_and_the_next_does_it_once(set_table: SetTable) -> None:
    table, mail = asked(set_table)
    table.post(reply(table, mail, "confirm\nextend 1 24h"))
    fetch(table.service, table.mailbox, table.now)

    with table.service.store.rehearse() as session:
        stored = letters.next_letter(session)
        assert stored is not None
        assert judge(session, table.service, stored, table.now) == "accepted"
    assert acts(table) == []
    table.tick()
    table.tick()

    assert [one.what for one in acts(table)] == ["rewind", "extend"]
    assert verified(table)


def test_where_the_players_have_to_agree_they_are_asked_and_the_masters_hear_how_it_ends(set_table: SetTable) -> None:
    table, _ = asked(set_table)
    with table.service.store.write() as session:
        games.save_game(session, structs.replace(games.get_game(session, 1), rewind="agree"))
    (mail,) = answers(table, "rewind 1 to 5\nreason: a slip")

    done = answers(table, "confirm", to=mail)
    again = answers(table, "rewind 1 to 5")

    assert "Game 1 goes back only if all who have moved since agree." in said(mail)
    assert "These would be told: Ana and Bob." in said(mail)
    assert "The players are asked whether game 1 goes back to entry 5" in said(done)
    assert "That is asked already: whether game 1 goes back to entry 5. Not answered yet: Ana, Bob." in said(again)
    assert [one.what for one in acts(table)] == ["ask"]
    for name in ("Ana", "Bob"):
        table.says(name, "please undo")
    assert [one.what for one in acts(table)] == ["ask", "rewind"]
    for address in (GM, RUI):
        assert "5" in said(mails_to(table, address)[-1])
        assert mails_to(table, address)[-1].header("X-PBEM-Kind") == "alert"
    assert "Everybody who has moved since agrees, so it is done." in said(mails_to(table)[-1])
    assert "Todos os que jogaram desde então concordam, e o jogo voltou." in said(mails_to(table, RUI)[-1])
    assert verified(table)


def test_nothing_is_done_by_mail_with_a_what_if_nor_shown_of_it(set_table: SetTable) -> None:
    table, _ = asked(set_table)
    with table.service.store.write() as session:
        branch(session, take_up(session, 1), None, table.now)

    for line in ("rewind 2 to 0", "show 2", "pause 2", "finish 2", "message 2 Hi"):
        assert "Game 2 is a what-if of game 1" in said(answers(table, line)), line
    assert "what-if" not in said(answers(table, "games\nstatus"))
