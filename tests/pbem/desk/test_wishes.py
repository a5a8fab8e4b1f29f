"""What somebody asks for who has no seat: read in both languages, with anything around it."""

import pytest

from pbem.desk.calling import clean_name
from pbem.desk.wishes import Wish, read_wish
from pbem.mail.letter import read_letter


def wish(body: str, subject: str = "hello", *headers: str) -> Wish | None:
    head = "\n".join([f"Subject: {subject}", "From: Bia <bia@away.test>", *headers])
    return read_wish(read_letter(f"{head}\n\n{body}".encode()), None)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("join 13", Wish(13, "en")),
        ("JOIN #13!", Wish(13, "en")),
        ("I want to join game 13, please", Wish(13, "en")),
        ("join game number 13", Wish(13, "en")),
        ("entrar 13", Wish(13, "pt")),
        ("Quero entrar no jogo 13", Wish(13, "pt")),
        ("entro na partida 13", Wish(13, "pt")),
        ("join 13 pt", Wish(13, "pt")),
        ("join 13 pt-BR", Wish(13, "pt")),
        ("join 13 português", Wish(13, "pt")),
        ("entrar 13 inglês", Wish(13, "en")),
        ("join 13 my word is sunflower", Wish(13, "en", word="sunflower")),
        ("join 13, and my word is: 'sea salt'", Wish(13, "en", word="sea salt")),
        ("join 13 as Bia da Silva my word is sea", Wish(13, "en", "Bia da Silva", "sea")),
        ("entrar 13 como Bia, minha palavra é mar", Wish(13, "pt", "Bia", "mar")),
        ("join 13 as bia@away.test", Wish(13, "en")),
        ("join", Wish(language="en")),
        ("games", Wish(language="en")),
        ("Games?", Wish(language="en")),
        ("Jogos", Wish(language="pt")),
        ("quais jogos?", Wish(language="pt")),
        ("which games are open?", Wish(language="en")),
    ],
)
def test_a_wish_is_read_as_people_write_it(line: str, expected: Wish) -> None:
    assert wish(line) == expected
    assert wish(f"Hello there,\n\n{line}\n\nBest wishes\nBia\n") == expected
    assert wish("", subject=line) == expected


@pytest.mark.parametrize(
    "body",
    [
        "join us on Friday",
        "I would like to join your club",
        "games are great fun, are they not?",
        "entrar sem bater",
        "> join 13",
        "On Monday the game wrote:\n> games\n> join 13\n",
        "status\njoin 13",
        "confirm 4\njoin 13",
        "end\njoin 13",
        "hello\n" * 30 + "join 13",
        "join 12345678901",
        "join -1",
        "join 1.5",
        "",
    ],
)
def test_what_is_no_wish_is_none(body: str) -> None:
    assert wish(body) is None


def test_a_quoted_list_of_games_asks_for_none_of_them() -> None:
    assert wish("entrar 14\n\n> - Game 13, Village: 1 of 3 seats taken. To join: join 13\n") == Wish(14, "pt")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ana   Lúcia ", "Ana Lúcia"),
        ("Ana\nBcc: all@else.test", ""),
        ("Ana\r\n\tMaria", "Ana Maria"),
        ("\u200b\u2066\ufeff", ""),
        ("\u0301", ""),
        ("12", ""),
        ("…", ""),
        ("todos", ""),
        ("Mestre", ""),
        ("You", ""),
        ("O'Brien", "O'Brien"),
        ("李雷", "李雷"),
        ("🎲", "🎲"),
        ("\x00\x07Gil", "Gil"),
    ],
)
def test_a_name_holds_what_can_be_seen_and_called(text: str, name: str) -> None:
    assert clean_name(text, None) == name
