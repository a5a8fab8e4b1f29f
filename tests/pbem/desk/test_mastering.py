"""How the game master's lines are read: both languages, sloppy, and never more than they say."""

import pytest

from pbem.desk.mastering import OF_GAME, Order, is_polite, read_orders
from pbem.desk.words import OFFICE, office_line, words_for
from pbem.mail.marker import TAG
from pbem.reading import Written

EXAMPLES = {"game": 12, "whom": "seat 2", "who": "Eva <eva@example.org>", "by": "48h", "clock": "48h + 10d; off sat",
            "number": 31, "to": 141}  # fmt: skip
SHOWN = {
    "status": "status", "games": "games", "help": "help", "confirm": "confirm", "show": "show", "pause": "pause",
    "resume": "resume", "extend": "extend", "clock": "clock", "message": "message", "message-all": "message",
    "offer": "offer", "replace": "replace", "replace-by": "replace", "rewind": "rewind", "finish": "finish",
    "void": "void", "release": "release", "drop": "drop", "drop-mail": "drop", "retry": "retry", "block": "block",
    "unblock": "unblock",
}  # fmt: skip
"""Line that mails show -> its act."""


def read(*lines: str, game: int = 0) -> list[Order]:
    return list(read_orders([Written(number, one) for number, one in enumerate(lines, 1)], game, None))


def one(line: str, game: int = 0) -> tuple[object, ...]:
    (found,) = read(line, game=game)
    assert found.fits, line
    return (
        found.act,
        found.game,
        *([found.number] if found.number >= 0 else []),
        *([found.rest] if found.rest else []),
    )


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("shown", SHOWN)
def test_every_line_that_mails_show_is_read_back(shown: str, language: str) -> None:
    line = office_line(shown, language, None, **EXAMPLES)

    (found,) = read(line)

    assert (found.act, found.fits) == (SHOWN[shown], True)
    assert found.game == (12 if found.act in OF_GAME else 0)
    assert found.number == {"rewind": 141, "release": 31, "drop": 31, "retry": 31}.get(found.act, -1)


def test_every_act_is_shown_by_some_line() -> None:
    assert set(words_for("acts", None, OFFICE).values()) == set(SHOWN.values())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Pause game 12, please", ("pause", 12)),
        ("12: pause", ("pause", 12)),
        ("PAUSAR O JOGO 12.", ("pause", 12)),
        ("game 12: show", ("show", 12)),
        ("jogo 12", ("show", 12)),
        ("show #12", ("show", 12)),
        ("extend 12 by 2 days", ("extend", 12, "172800")),
        ("extend 12: 48h", ("extend", 12, "172800")),
        ("Prorrogue o jogo 12 por dois dias", ("extend", 12, "172800")),
        ("prorrogar 12 mais uma semana", ("extend", 12, "604800")),
        ("rewind 12 to entry 141", ("rewind", 12, 141)),
        ("Voltar o jogo 12 ao lançamento 141", ("rewind", 12, 141)),
        ("end the game 12", ("finish", 12)),
        ("finish 12 void", ("void", 12)),
        ("drop the mail 4", ("drop", 0, 4)),
        ("Reenviar e-mail nº 44", ("retry", 0, 44)),
        ("?", ("help", 0)),
        ("Sim, por favor", ("confirm", 0)),
        ("clock 12 24h + 10d; off sat sun", ("clock", 12, "24h + 10d; off sat sun")),
    ],
)
def test_sloppy_lines_are_read(line: str, expected: tuple[object, ...]) -> None:
    (found,) = read(line)

    assert found.fits
    parts = (found.act, found.game, found.number if found.number >= 0 else "", found.rest)
    assert parts[: len(expected)] == expected or (parts[0], parts[1], parts[3]) == expected


@pytest.mark.parametrize(
    ("line", "act", "number", "rest"),
    [
        ("pause", "pause", -1, ""),
        ("extend 2 days", "extend", -1, "172800"),
        ("rewind to 141", "rewind", 141, None),
        ("offer seat 2", "offer", -1, "seat 2"),
        ("message Ana: hi", "message", -1, "Ana: hi"),
        ("replace seat 2 with bot greedy", "replace", -1, "seat 2 with bot greedy"),
    ],
)
def test_an_answer_to_a_mail_about_one_game_needs_no_number(line: str, act: str, number: int, rest: str | None) -> None:
    (found,) = read(line, game=7)

    assert (found.act, found.game, found.number, found.fits) == (act, 7, number, True)
    assert rest is None or found.rest == rest


@pytest.mark.parametrize(
    "line",
    [
        "pause for breath, everybody",
        "games are fun",
        "show must go on",
        "extend my thanks to all",
        "extend 12",
        "rewind the tape",
        "release the hounds",
        "release mail 31",
        "retry letter 31",
        "drop letter mail 31",
        "finish your beer 12",
        "clock 12 whenever you like",
        "status quo is fine with me",
        "confirm nothing of that",
        "pause 12 and 13",
        "yes but not yet",
    ],
)
def test_a_line_that_only_begins_like_an_order_is_none(line: str) -> None:
    assert [found.fits and bool(found.act) for found in read(line)] == [False]


def test_reasons_belong_to_the_orders_above_them_or_else_to_those_below() -> None:
    above = read("pause 12", "reason: holidays", "extend 13 48h", "motivo: doença")
    below = read("Reason: all ill", "pause 12", "pause 13, reason: only here")

    assert [found.reason for found in above] == ["holidays", "doença"]
    assert [found.reason for found in below] == ["all ill", "only here"]


def test_a_message_goes_on_until_end_or_the_next_order_and_may_say_anything() -> None:
    text = (
        "Dear all,",
        "games are fun. Pause when you like.",
        "Reason: it is hot",
        "tell me more",
        "release the hounds",
    )

    closed = read("message 12", *text, "end", "pause 12")
    followed = read("recado 12: Oi", "tudo bem", "pausar 12")

    assert [(found.act, found.rest) for found in closed] == [("message", "\n".join(text)), ("pause", "")]
    assert [(found.act, found.rest) for found in followed] == [("message", "Oi\ntudo bem"), ("pause", "")]


def test_no_tag_goes_out_with_a_message_or_a_reason() -> None:
    tags = "g12.gm.d5.k7f3q9xk2m and g12.s2.d141.k7f3q9xk2m"

    (message,) = read(f"message 12 look: {tags}")
    (pause,) = read(f"pause 12, reason: {tags}")

    assert TAG.search(message.rest) is None
    assert "look: … and …" in message.rest
    assert pause.reason == "… and …"


@pytest.mark.parametrize(
    ("line", "is_one"),
    [("Hi!", True), ("Thanks a lot", True), ("please", True), ("Olá", True), ("--", True), ("Obrigado", True),
     ("foo bar", False), ("Thanks, and pause the game of Ana", False), ("paws 12", False)],
)  # fmt: skip
def test_what_is_only_polite_is_passed_over(line: str, is_one: bool) -> None:
    assert is_polite(line, None) == is_one


def test_a_line_of_any_length_is_read_in_time() -> None:
    assert [found.fits and bool(found.act) for found in read("12 " * 100_000)] == [False]
    assert len(read("message 12 " + "x" * 100_000)[0].rest) == 4_000
