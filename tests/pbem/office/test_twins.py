"""Each act by mail is the act of the command line: the same rows and the same notices; only who did it differs."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec import structs

from pbem.store import benches, letters, outbox, people
from tests.pbem.office.desk import alarm, all_acts, answers, in_language, said
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, acts, command, dump, seated, stake, verified

KEY = b"one key for both tables, 32 byte"

TWINS: dict[str, tuple[tuple[str, ...], str]] = {
    "pause": (("gm", "pause", "1", "--reason", "Storm"), "pause 1\nreason: Storm"),
    "resume": (("gm", "resume", "1", "--reason", "Over"), "retomar 1, motivo: Over"),
    "extend": (("gm", "extend", "1", "--by", "36h", "--reason", "Ill"), "extend by 36h\nreason: Ill"),
    "clock": (("gm", "clock", "1", "48h + 5d; off sat sun"), "prazos 1 48h + 5d; off sat sun"),
    "message": (("gm", "message", "1", "Let us play on.\nSoon."), "message 1: Let us play on.\nSoon."),
    "private": (("gm", "message", "1", "--seat", "1", "Only you."), "message 1 seat 2: Only you."),
    "named": (("gm", "message", "1", "--seat", "0", "Oi, Ana."), "recado 1 para Ana: Oi, Ana."),
    "offer": (("gm", "offer", "1", "--seat", "2"), "offer 1 seat 3"),
    "rewind": (("gm", "rewind", "1", "--to", "5", "--reason", "Oops"), "rewind to 5\nreason: Oops"),
    "finish": (("gm", "finish", "1"), "finish"),
    "void": (("gm", "finish", "1", "--void", "--reason", "Tired"), "anular 1\nmotivo: Tired"),
    "replace": (
        ("gm", "replace", "1", "--seat", "1", "Eva <eva@players.test> pt"),
        "replace 1 Bob with Eva <eva@players.test> pt",
    ),
    "bare": (("gm", "replace", "1", "--seat", "1", "Eva <eva@players.test>"), "replace seat 2 by Eva eva@players.test"),
    "bot": (("gm", "replace", "1", "--seat", "0", "bot:greedy"), "substituir 1 lugar 1 por robô greedy"),
    "block": (("people", "block", "bob@players.test", "--reason", "Rude"), "block Bob\nreason: Rude"),
    "unblock": (("people", "unblock", "bob@players.test"), "desbloquear bob@players.test"),
    "release": (("mail", "release", "{letter}"), "release {letter}"),
    "drop": (("mail", "drop", "letter", "{letter}"), "drop {letter}"),
    "drop-mail": (("mail", "drop", "mail", "{mail}"), "drop mail {mail}"),
    "retry": (("mail", "retry", "{mail}"), "retry {mail}"),
}
CONFIRMED = ("rewind", "finish", "void", "replace", "bare", "bot", "block")
KEPT = ("games", "seats", "people", "addresses", "observers", "bench", "log", "tables")
"""Tables whose rows must be the same in both worlds."""


def prepared(set_table: SetTable, act: str) -> Table:
    """Return a table where *act* can be done: the same at each call."""
    table = seated(set_table, "Ana pt", "Bob en", "bot:random")
    table.service = structs.replace(table.service, key=KEY)
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))
    if act == "resume":
        command(table, "gm", "pause", "1")
    elif act == "unblock":
        command(table, "people", "block", "bob@players.test")
    elif act == "offer":
        with table.service.store.write() as session:
            person = people.meet_person(session, "Dora", "dora@players.test", "en", "UTC", ("en", "UTC"))
            benches.sit_down(session, person.id, "", table.now)
    alarm(table)
    with table.service.store.write() as session:
        letters.change_letter(session, 1, status="held", reason="rate")
        outbox.change_mail(session, 1, status="failed")
    table.now += timedelta(minutes=1)
    return table


def by_hand(table: Table, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the act on the command line, now."""
    for module in ("gm", "mail", "people"):
        monkeypatch.setattr(f"pbem.cli.{module}.now", lambda: table.now)
    ran = command(table, *words)
    assert (ran.code, ran.err) == (0, "")


def rows(table: Table) -> dict[str, Any]:
    """Return all that an act may change, but for who did it and what the master was told."""
    found = dump(table.service.store)
    with table.service.store.read() as session:
        told = [
            (one.game, one.seat, one.key, one.fields)
            for number in range(1, outbox.next_mail_number(session) + 1)
            for one in outbox.told_by(session, number)
            if one.seat >= 0
        ]
    return {name: found[name] for name in KEPT if name in found} | {"told": sorted(told, key=repr)}


@pytest.mark.parametrize("act", TWINS)
def test_an_act_by_mail_is_that_of_the_command_line(
    set_table: SetTable, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, text = TWINS[act]
    mail, hand = prepared(set_table, act), prepared(set_table, act)
    numbers = {"letter": 1, "mail": 1}
    before = len(all_acts(mail))

    got = answers(mail, text.format(**numbers))
    if act in CONFIRMED:
        assert len(all_acts(mail)) == before, "nothing is done before it is confirmed"
        hand.tick()
        got = answers(mail, "confirm", to=got[0])
    hand.now += timedelta(minutes=1)
    by_hand(hand, tuple(one.format(**numbers) for one in words), monkeypatch)
    hand.now -= timedelta(minutes=1)
    hand.tick()

    assert len(got) == 1
    assert mail.now == hand.now
    assert rows(mail) == rows(hand)
    done, twin = all_acts(mail)[before:], all_acts(hand)[before:]
    assert [(one.what, one.fields, one.game, one.at) for one in done] == [
        (one.what, one.fields, one.game, one.at) for one in twin
    ]
    assert ([one.who for one in done], [one.who for one in twin]) == (["gm by mail"], ["gm"])
    assert verified(mail)


REFUSED = {
    "extend 99 48h": "There is no game 99.",
    "resume 1": "Game 1 is not paused (running).",
    "rewind 1 to 4000": "The game cannot go back to entry 4000",
    "offer 1 Bob": "A person holds this seat of game 1",
    "offer 1 seat 9": "Game 1 has no seat 9; in letters the first seat is 1.",
    "offer 1 Zoe": 'Nobody in game 1 is called "Zoe". There are: Ana (1), Bob (2), Robot (3).',
    "message 1 seat 3: hi": "only bots are meant",
    "message 1": "The message has no text.",
    "message 1 Anna: a secret": 'Nobody in game 1 is called "Anna".',
    "message 1 to Zoe: a secret": 'Nobody in game 1 is called "Zoe".',
    "replace 1 Bob with Ana <ana@players.test>": "Ana is in this game already",
    "replace 1 Bob with somebody nice": "We cannot read who is to have the seat",
    "replace 1 Bob": "We cannot read who is to have the seat",
    "replace 1 Bob with bot clever": "There is no bot called clever; there are: random, greedy.",
    "replace 1 Bob with Pbem <pbem@pbem.test>": "is the address that the players write to",
    "clock 1 24h + 10d": "Game 1 has this clock already: 24h + 10d.",
    "clock 1 24h + 10d; off someday": "someday is no day of rest",
    "block nobody@players.test": 'We know nobody by "nobody@players.test".',
    "unblock Bob": "Bob is not blocked.",
    "release 4711": "There is no letter 4711.",
    "release 2": "Letter 2 is not waiting for you (read already).",
    "retry 4711": "There is no mail 4711.",
    "drop mail 2": "With mail 2 this cannot be done now (sent already).",
    "confirm": "the mail that you answered asks nothing",
    "extend 1 to the moon": "something is missing in it, or is too much",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_refusal_is_told_and_nothing_is_done(set_table: SetTable, text: str) -> None:
    table = prepared(set_table, "")
    before, acted = rows(table), acts(table)

    got = answers(table, text)

    assert [one.header("X-PBEM-Kind") for one in got] == ["refusal"]
    assert REFUSED[text] in said(got)
    assert rows(table) == before
    assert acts(table) == acted


def test_a_refusal_is_told_in_the_masters_language(set_table: SetTable) -> None:
    table = prepared(set_table, "")
    in_language(table, "pt")

    assert "O jogo 1 não está em pausa (em andamento)." in said(answers(table, "retomar 1"))


def test_orders_are_done_one_after_the_other_and_one_that_fails_stops_no_other(set_table: SetTable) -> None:
    table = prepared(set_table, "")

    got = answers(table, "pause 1\npause 1\nextend 1 24h\nfoo bar\nrewind 1 to 5\nresume 1")

    assert [one.header("X-PBEM-Kind") for one in got] == ["refusal", "confirmation"]
    assert [one.what for one in acts(table)] == ["pause", "extend", "resume"]
    assert 'pause 1" was not done. Game 1 is not running now (paused)' in said(got)
    assert 'Not understood, and nothing done for it: "foo bar".' in said(got)
