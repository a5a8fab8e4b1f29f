"""What people wrote when they met the service for the first time, each case of its kind."""

from collections.abc import Callable

import pytest

from pbem.moderation import replace_holder
from pbem.opening import SeatOffer
from tests.pbem.table import Person, Table, text_of

SetTable = Callable[..., Table]


def said(mail) -> str:
    return " ".join(text_of(mail).split())


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "ok"),
        ("en", "yes please, count me in!"),
        ("en", "Accept!"),
        ("pt", "Aceito! girassol"),
        ("pt", "sim, com prazer"),
    ],
)
def test_an_invitation_is_accepted_as_people_do(set_table: SetTable, language: str, line: str) -> None:
    table = set_table(f"Ana {language}", "bot:random", start=False)
    table.tick()

    table.says("Ana", line)

    assert table.live().game.status == "running"
    assert ("girassol" in line) == (table.live().game.words == ("girassol",))


@pytest.mark.parametrize(
    "line", ["recuso, não tenho tempo agora, desculpa", "não, obrigada", "no thanks", "sorry, not now"]
)
def test_an_invitation_is_declined_as_people_do(set_table: SetTable, line: str) -> None:
    table = set_table("Ana pt", "Bob en", start=False)
    table.tick()

    table.says("Ana", line)

    assert table.live().game.status == "aborted"
    assert "Ana declined" in said(table.to_gm()[-1])


def test_what_is_neither_tells_how_to_accept(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", start=False)
    table.tick()

    table.says("Ana", "que jogo é esse?")

    assert 'responda "aceito"' in said(table.last("Ana"))


@pytest.mark.parametrize("line", ["2", "take pink family", "take plague harvest", "any"])
@pytest.mark.parametrize("end", ["", "\n-- \nBen\n", "\nBen\n", "\n\nCheers\nBen\n"])
def test_an_answer_below_the_whole_unmarked_mail_counts(set_table: SetTable, line: str, end: str) -> None:
    table = set_table("Ben en", "bot:greedy", title="village")
    table.tick()
    mail = table.last("Ben")
    below = "\n".join(f"> {one.text}" for one in mail.lines)

    table.post(table.letter("ben@players.test", f"{below}\n\n{line}\n{end}", References=mail.message_id))
    table.tick()

    assert [one for one in table.moves() if one.startswith("0 take")][:1], said(table.last("Ben"))


def test_a_number_for_a_settled_list_means_no_other_list(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Ben en", title="village")
    table.tick()
    mail = table.last("Ana")
    table.says("Ana", "1")
    plan, moves = table.live().holders[0].plan, table.moves()

    table.post(table.reply("Ana", "2", to=mail))
    table.tick()

    assert (plan, moves) == (table.live().holders[0].plan, table.moves())
    assert "já está resolvida" in said(table.last("Ana"))


def test_a_game_that_starts_at_once_tells_the_digest_of_its_seed(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    table.tick()

    for name in ("Ana", "Bob"):
        assert table.live().game.commitment in said(table.mail(name)).replace(" ", "")


@pytest.mark.parametrize("last", ["accept", "decline"])
def test_what_was_said_of_who_is_waited_for_is_not_said_once_the_game_began_or_was_called_off(
    set_table: SetTable, last: str
) -> None:
    table = set_table("Ana en", "Bob en", start=False)
    table.tick()
    table.mails("Ana")
    table.post(table.reply("Ana", "accept"))

    table.says("Bob", last)

    mail = said(table.mail("Ana"))
    assert ("The game has begun." if last == "accept" else "the game is called off.") in mail
    assert "The game begins when" not in mail
    assert ("Your turn" in mail) == (last == "accept")


def test_help_comes_whole_whatever_it_comes_with(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.tick()

    table.says("Bob", "help\nstake 99")

    mail = said(table.last("Bob"))
    assert "What you can write" in mail
    assert "stake 99" in mail


def test_a_new_owner_is_told_how_to_play_and_the_others_who_he_is(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.tick()
    table.mails("Ana")
    table.people["Eva"] = Person("Eva", "eva@players.test")

    with table.service.store.write() as session:
        offer = SeatOffer("Eva", "eva@players.test", "en", "UTC")
        replace_holder(session, table.live(), table.live().holders[1].seat, offer, "moved", table.now)
    table.tick()

    mail = said(table.mail("Eva"))
    assert "What you can write" in mail
    assert "Your turn" in mail
    assert "Eva" in said(table.mail("Ana"))


def test_a_message_to_nobody_says_who_is_there(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.tick()

    table.says("Ana", "dizer Bem: oi")

    assert "Com você à mesa: Bob." in said(table.last("Ana"))


def test_a_signature_is_passed_over_but_an_order_in_it_is_not(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.tick()

    table.says("Bob", f"stake {table.hand('Bob')[0]}\n-- \nBob\nbid 3")

    mail = said(table.last("Bob"))
    assert [one.key for one in table.live().holders[1].plan] == ["bids.stake", "bids.bid"]
    assert 'Left unread, as a signature or a footer: "Bob".' in mail


def test_a_number_for_the_rest_of_an_answer_means_the_list_of_the_rest(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    table.tick()
    card = table.hand("Bob")[0]
    table.says("Bob", f"stake {card}")

    table.says("Bob", "1")

    assert [one.choices[0][0] for one in table.live().holders[1].plan] == [f"stake {card}", "bid 0"]
