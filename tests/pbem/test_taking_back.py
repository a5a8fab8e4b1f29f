"""A rewind that the game master wants in a game where all who moved since have to agree."""

import re
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from typing import Any
from urllib.parse import unquote

import pytest
from msgspec import structs

from pbem.live import take_up
from pbem.moderation import replace_holder
from pbem.opening import SeatOffer
from pbem.store import games
from tests.contract.cli.schema import faults
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, acts, command, dump, holder, notices, read_all, said, seated, stake, verified

DAY = timedelta(hours=24)
POINT = {2: "5", 3: "7"}
"""The last entry before the first round of the test title, by the number of seats."""


def agreeing(set_table: SetTable, *seats: str, **values: Any) -> Table:
    """Return a table at which a round was played, in a game that is taken back only if all who moved agree."""
    table = seated(set_table, *(seats or ("Ana pt", "Bob en")), **values)
    with table.service.store.write() as session:
        games.save_game(session, structs.replace(games.get_game(session, 1), rewind="agree"))
    one_round(table)
    return table


def one_round(table: Table) -> None:
    """Let all answer this round."""
    for name in table.people:
        table.says(name, stake(table, name))
    read_all(table)


def asks(table: Table, *flags: str) -> Any:
    """Let the game master want the first round back, and return what that leads to."""
    ran = command(table, "gm", "rewind", "1", "--to", POINT[table.live().game.seats], *flags, "--json")
    assert ran.code == 0, (ran.out, ran.err)
    assert faults("gm-rewind", ran.json) == []
    table.tick()
    return ran.json


def rewinds(table: Table) -> list[str]:
    return [one for one in table.log() if one.startswith("-2 rewind")]


def to_master(table: Table) -> list[dict[str, Any]]:
    """Return how the game master's questions ended, as he is told."""
    return notices(table, -2, "alert.undo")


def test_all_who_moved_since_are_asked_and_it_is_done_when_they_agree(set_table: SetTable) -> None:
    table = agreeing(set_table)

    asked = asks(table, "--reason", "A wrong card")
    mails = {name: table.mail(name) for name in ("Ana", "Bob")}
    nothing = rewinds(table)
    table.says("Bob", "please undo")
    still = rewinds(table)
    waiting = table.mail("Bob")
    read_all(table)
    table.says("Ana", "por favor desfazer")

    assert (asked["entered"], [one["key"] for one in asked["told"]]) == (0, ["undo.asked", "undo.asked"])
    assert [one["seat"] for one in asked["taken_back"]] == [0, 0, 1, 1, 1]
    assert (nothing, still) == ([], [])
    assert "The game master would like to take the game back" in said(mails["Bob"])
    assert "O mestre do jogo gostaria de voltar" in said(mails["Ana"])
    for mail in mails.values():
        assert "A wrong card" in said(mail)
        assert mail.header("X-PBEM-Kind") == "notice"
    assert mails["Bob"].subject.endswith("A question from the game master")
    assert "You agree to take the game back" in said(waiting)
    assert rewinds(table) == ["-2 rewind 5"]
    assert "A wrong card" in said(table.mail("Bob"))
    assert [(one["how"], one["to"]) for one in to_master(table)] == [("agreed", 5)]
    assert table.live().game.undo_to == -1
    assert verified(table)["verified"]


def test_a_tap_on_yes_agrees(set_table: SetTable) -> None:
    table = agreeing(set_table)

    asks(table)

    raw = next(raw for to, raw in reversed(table.server.taken) if to == "bob@players.test")
    page = message_from_bytes(raw, policy=default).get_body(("html",))
    assert page is not None
    taps = re.findall(r'href="mailto:[^"]*body=([^"&]*)', page.get_content())
    lines = [unquote(one).splitlines()[0] for one in taps]
    assert {"please undo", "please undo no"} <= set(lines)


def test_one_no_settles_it_for_all(set_table: SetTable) -> None:
    table = agreeing(set_table, "Ana pt", "Bob en", "Cy en")
    asks(table)
    table.says("Cy", "please undo")
    read_all(table)

    table.says("Bob", "please undo no")

    assert rewinds(table) == []
    assert "Bob does not want to take the game back" in said(table.mail("Cy"))
    assert "Bob prefere não voltar atrás" in said(table.mail("Ana"))
    assert "Nothing is taken back" in said(table.mail("Bob"))
    assert [(one["how"], one["seat"]) for one in to_master(table)] == [("declined", 1)]
    assert table.live().game.undo_to == -1
    assert {one.undo_to for one in table.live().holders} == {-1}
    alert = [one for one in table.to_gm() if one.header("X-PBEM-Kind") == "alert"][-1]
    assert "Bob does not want that, so the game goes on as it is." in said(alert)


def test_the_point_stands_while_the_game_goes_on_and_who_agreed_may_play(set_table: SetTable) -> None:
    table = agreeing(set_table)
    asks(table)
    read_all(table)
    table.says("Bob", "please undo")
    read_all(table)

    one_round(table)
    table.tick()
    assert rewinds(table) == []
    assert holder(table, 1).undo_to == 5
    table.says("Ana", "por favor desfazer")

    assert rewinds(table) == ["-2 rewind 5"]


def test_who_moves_meanwhile_is_asked_too_and_once(set_table: SetTable) -> None:
    table = seated(set_table, title="village")
    with table.service.store.write() as session:
        games.save_game(session, structs.replace(games.get_game(session, 1), rewind="agree"))
    first = min(table.live().owed())
    point = table.live().position.seq
    moved(table, first)
    ran = command(table, "gm", "rewind", "1", "--to", str(point), "--json")
    table.tick()
    assert [one["seat"] for one in ran.json["told"]] == [first]

    second = min(table.live().owed())
    assert second != first
    moved(table, second)
    for _ in range(3):
        table.tick()
    asked = notices(table, second, "undo.asked")

    assert [(one["seat"], one["to"], one["missing"]) for one in asked] == [(-2, point, [0, 1])]
    assert len(notices(table, first, "undo.asked")) == 1
    for seat in (first, second):
        table.says(("Ana", "Bob")[seat], "please undo")
    assert rewinds(table) == [f"-2 rewind {point}"]


def moved(table: Table, seat: int) -> None:
    """Let the player of *seat* answer until another is asked."""
    from pbem.timekeeper import bot_plan  # noqa: PLC0415

    name = list(table.people)[seat]
    while seat in table.live().owed():
        live = table.live()
        table.says(name, " : ".join(bot_plan(live, live.holders[seat].seat, "greedy")[-1].choices[0]))
    read_all(table)


def test_who_takes_a_seat_over_meanwhile_is_asked_and_a_bot_is_not(set_table: SetTable) -> None:
    table = agreeing(set_table, "Ana pt", "Bob en", "Cy en")
    asks(table)
    for seat, offer in ((1, SeatOffer("Di", "di@players.test", "en", "UTC")), (2, SeatOffer("Bot", bot="greedy"))):
        with table.service.store.write() as session:
            live = take_up(session, 1)
            replace_holder(session, live, live.holders[seat].seat, offer, "", table.now)
    table.tick()

    assert [one["seat"] for one in notices(table, 1, "undo.asked")][-1] == -2
    assert holder(table, 1).undo_to == -2
    table.people["Di"] = type(table.people["Ana"])("Di", "di@players.test")
    table.says("Di", "please undo")
    table.says("Ana", "por favor desfazer")
    assert rewinds(table) == ["-2 rewind 7"]


def test_where_only_bots_are_missing_it_is_done_at_the_next_pass(set_table: SetTable) -> None:
    table = agreeing(set_table)
    asks(table)
    table.says("Bob", "please undo")
    with table.service.store.write() as session:
        live = take_up(session, 1)
        games.save_holder(session, structs.replace(live.holders[0], stand_in=True))

    table.tick()

    assert rewinds(table) == ["-2 rewind 5"]
    assert [one["how"] for one in to_master(table)] == ["agreed"]


def test_where_bots_stand_in_nobody_is_asked(set_table: SetTable) -> None:
    table = agreeing(set_table)
    with table.service.store.write() as session:
        for one in take_up(session, 1).holders:
            games.save_holder(session, structs.replace(one, stand_in=True))

    asked = asks(table)

    assert asked["entered"] >= 1
    assert rewinds(table) == ["-2 rewind 5"]


def test_now_does_it_without_asking_for_a_reason_which_all_are_told(set_table: SetTable) -> None:
    table = agreeing(set_table, "Ana pt", "Bob en", "Cy en")
    refused = command(table, "gm", "rewind", "1", "--to", "7", "--now", "--json")
    asks(table)
    table.says("Cy", "please undo")
    read_all(table)

    asks(table, "--now", "--reason", "Nobody answers")

    assert refused.refused == "rewind.reason"
    assert rewinds(table) == ["-2 rewind 7"]
    for name, words in (("Bob", "did not wait for Ana and you"), ("Ana", "não esperou por você e Bob")):
        mail = said(table.mail(name))
        assert words in mail, mail
        assert "Nobody answers" in mail
    act = acts(table)[-1]
    assert (act.who, act.what, act.fields["unasked"]) == ("gm", "rewind", [0, 1])
    assert to_master(table) == []
    assert table.live().game.undo_to == -1


def test_a_question_is_asked_once_and_another_point_takes_its_place(set_table: SetTable) -> None:
    table = agreeing(set_table)
    one_round(table)
    asks(table)
    before = dump(table.service.store)

    again = command(table, "gm", "rewind", "1", "--to", "5", "--json")
    assert again.refused == "rewind.waits"
    assert "Ana, Bob" in command(table, "gm", "rewind", "1", "--to", "5").err
    assert dump(table.service.store) == before
    other = command(table, "gm", "rewind", "1", "--to", "4", "--json")

    assert [one["key"] for one in other.json["told"]] == ["undo.asked", "undo.asked"]
    assert table.live().game.undo_to == 4


def test_the_wish_of_a_player_for_the_same_point_counts(set_table: SetTable) -> None:
    table = agreeing(set_table)
    table.says("Bob", "please undo")
    read_all(table)

    asked = asks(table)
    table.says("Ana", "por favor desfazer")

    assert [one["name"] for one in asked["told"]] == ["Ana"]
    assert rewinds(table) == ["-2 rewind 5"]


def test_a_game_that_is_ended_settles_the_question_and_one_that_ends_by_itself_does_not(set_table: SetTable) -> None:
    table = agreeing(set_table)
    asks(table)
    command(table, "gm", "finish", "1")
    table.tick()
    assert [one["how"] for one in to_master(table)] == ["lapsed"]
    assert table.live().game.undo_to == -1

    other = agreeing(set_table)
    asks(other)
    while other.live().running:
        one_round(other)
        other.tick()
    other.says("Ana", "por favor desfazer")
    other.says("Bob", "please undo")

    assert rewinds(other) == ["-2 rewind 5"]
    assert other.live().running
    assert verified(other)["verified"]


def test_the_rule_stands_where_the_game_is_shown_and_in_the_invitation(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    words = ("--seat", "Ana <ana@players.test>", "--seat", "Bob <bob@players.test>")
    command(table, "game", "new", "bids", *words, "--rewind", "agree")
    command(table, "game", "new", "bids", *words)
    command(table, "game", "open", "bids", "--seats", "3", "--rewind", "agree")
    wrong = command(table, "game", "new", "bids", *words, "--rewind", "never")

    table.tick()

    shown = [command(table, "game", "show", str(game), "--json").json for game in (1, 2, 3, 4)]
    assert wrong.code == 2
    assert [one["rewind"] for one in shown] == ["gm", "agree", "gm", "agree"]
    assert [faults("game-show", one) for one in shown] == [[]] * 4
    assert "Taken back only if all who moved since agree." in command(table, "game", "show", "2").out
    for name, agreed, decided in (
        ("Bob", "taken back only if all who have moved since agree", "the game master may take moves back"),
        ("Ana", "só volta atrás se concordarem todos", "pode fazer o jogo voltar atrás"),
    ):
        invitations = [said(one) for one in table.mails(name) if one.header("X-PBEM-Kind") == "invitation"]
        assert [(agreed in one, decided in one) for one in invitations] == [(True, False), (False, True)]


def test_what_is_asked_is_shown(set_table: SetTable) -> None:
    table = agreeing(set_table)

    asks(table)
    shown = command(table, "game", "show", "1", "--json").json

    assert (shown["asked_back"], faults("game-show", shown)) == (5, [])
    assert "Asked for: to go back to entry 5." in command(table, "game", "show", "1").out


def test_a_rehearsed_question_is_not_asked(set_table: SetTable) -> None:
    table = agreeing(set_table)
    before = dump(table.service.store)

    ran = command(table, "gm", "rewind", "1", "--to", "5", "--dry-run", "--json")

    assert [one["key"] for one in ran.json["told"]] == ["undo.asked", "undo.asked"]
    assert dump(table.service.store) == before


@pytest.mark.parametrize("flags", [(), ("--now",)])
def test_where_the_game_master_decides_nobody_is_asked(set_table: SetTable, flags: tuple[str, ...]) -> None:
    table = seated(set_table)
    one_round(table)

    asks(table, *flags)

    assert rewinds(table) == ["-2 rewind 5"]
    assert notices(table, 0, "undo.asked", "undo.unasked") == []


def test_a_rematch_keeps_the_rule(set_table: SetTable) -> None:
    table = agreeing(set_table)
    command(table, "gm", "finish", "1")
    table.tick()
    read_all(table)

    table.says("Ana", "revanche")
    table.says("Bob", "rematch")

    assert command(table, "game", "show", "2", "--json").json["rewind"] == "agree"
