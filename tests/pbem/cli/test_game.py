"""`pbem game …`: what it tells, what it hides, and what a look at secrets leads to."""

import re
from typing import Any

import pytest
from sqlmodel import select

from engine.registry import load, titles
from pbem.mail.letter import Letter
from pbem.store.tables import NoticeRow
from tests.contract.cli.schema import faults
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, acts, command, dump, raw_keys, seated


def new(table: Table, *words: str) -> Any:
    return command(table, "game", "new", *words, "--json")


BOTH = ("--seat", "Cy <cy@players.test> pt Europe/Lisbon", "--seat", "bot:greedy")


def test_a_new_game_has_the_next_number_and_waits_for_its_players(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = new(table, "bids", *BOTH)

    assert faults("game-new", ran.json) == []
    assert ran.json["game"] == 2
    assert command(table, "game", "show", "2", "--json").json["status"] == "open"


def test_a_game_of_bots_alone_starts_at_once(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    new(table, "bids", "--seat", "bot:greedy", "--seat", "bot:random")

    assert command(table, "game", "show", "2", "--json").json["status"] == "running"


def test_a_game_can_be_started_at_once(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    new(table, "bids", *BOTH, "--start")

    assert command(table, "game", "show", "2", "--json").json["status"] == "running"


def test_a_seat_is_read_with_language_and_zone(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    new(table, "bids", *BOTH)

    assert (3, "Cy", "pt", "Europe/Lisbon") in [row[:4] for row in dump(table.service.store)["people"]]


@pytest.mark.parametrize(
    ("said", "language", "zone"),
    [
        ("", "pt", "Europe/Lisbon"),
        ("en", "en", "Europe/Lisbon"),
        ("America/Sao_Paulo", "pt", "America/Sao_Paulo"),
        ("en America/Sao_Paulo", "en", "America/Sao_Paulo"),
    ],
)
@pytest.mark.parametrize("act", ["new", "replace"])
def test_who_is_known_keeps_the_language_and_the_zone_that_are_not_said(
    set_table: SetTable, act: str, said: str, language: str, zone: str
) -> None:
    table = seated(set_table, "Ana en", "Bob en")
    table.says("Ana", "zone Europe/Lisbon\nlanguage pt")
    seat = f"Ana Maria <ana@players.test> {said}"

    if act == "new":
        new(table, "bids", "--seat", seat, "--seat", "bot:greedy")
    else:
        new(table, "bids", "--seat", "bot:greedy", "--seat", "bot:random")
        command(table, "gm", "replace", "2", "--seat", "0", seat)

    assert (1, "Ana Maria", language, zone) in [row[:4] for row in dump(table.service.store)["people"]]


@pytest.mark.parametrize("act", ["new", "replace"])
def test_who_is_not_known_has_the_language_and_the_zone_of_the_settings(set_table: SetTable, act: str) -> None:
    table = seated(set_table)
    file = table.folder / "pbem.toml"
    file.write_text(file.read_text() + 'language = "pt"\ntimezone = "Europe/Lisbon"\n')

    if act == "new":
        new(table, "bids", "--seat", "Cy <cy@players.test>", "--seat", "bot:greedy")
    else:
        command(table, "gm", "replace", "1", "--seat", "0", "Cy <cy@players.test>")

    assert (3, "Cy", "pt", "Europe/Lisbon") in [row[:4] for row in dump(table.service.store)["people"]]


@pytest.mark.parametrize(
    ("words", "code", "key"),
    [
        (["chess", *BOTH], 1, "config.ruleset"),
        (["bids", "--seat", "bot:greedy"], 1, "config.seats"),
        (["bids", *BOTH, "--option", "colour=red"], 1, "config.option"),
        (["bids", *BOTH, "--option", "purse=huge"], 1, "config.choice"),
        (["bids", *BOTH, "--option", "purse"], 2, "option.form"),
        (["bids", "--seat", "Cy", "--seat", "bot:greedy"], 2, "seat.form"),
        (["bids", "--seat", "cy@players.test", "--seat", "bot:greedy"], 2, "seat.form"),
        (["bids", "--seat", "bot", "--seat", "bot:greedy"], 2, "seat.form"),
        (["bids", "--seat", "Cy <cy@players.test> Mars", "--seat", "bot:greedy"], 2, "seat.word"),
        (["bids", "--seat", "Cy <cy@\u202eplayers.test>", "--seat", "bot:greedy"], 2, "seat.address"),
        (["bids", "--seat", "Cy <>", "--seat", "bot:greedy"], 2, "seat.address"),
        (["bids", "--seat", "Cy <cy@players.test> fr", "--seat", "bot:greedy"], 2, "words.language"),
        (["bids", "--seat", "Cy <pbem@pbem.test>", "--seat", "bot:greedy"], 1, "seat.ours"),
        (["bids", "--seat", "Cy <PBEM+x@pbem.test>", "--seat", "bot:greedy"], 1, "seat.ours"),
        (["bids", "--seat", "Cy <cy@players.test>", "--seat", "Di <CY@players.test>"], 1, "seat.person"),
        (["bids", "--seat", "Cy <cy@players.test>", "--seat", "cy <di@players.test>"], 1, "seat.name"),
        (["bids", "--seat", "bot:", "--seat", "bot:greedy"], 1, "bot.unknown"),
        (["bids", "--seat", "bot:genius", "--seat", "bot:greedy"], 1, "bot.unknown"),
        (["bids", *BOTH, "--clock", "soon"], 2, "duration.form"),
        (["bids", *BOTH, "--clock", "0"], 2, "clock.none"),
        (["bids", *BOTH, "--clock", "1h + 2h + 3h"], 2, "clock.form"),
        (["bids", *BOTH, "--clock", "24h+"], 2, "clock.form"),
        (["bids", *BOTH, "--clock", "+ 10d"], 2, "clock.form"),
        (["bids", *BOTH, "--hold", "20y"], 2, "duration.form"),
        (["bids", *BOTH, "--seed", "abc"], 2, "seed.form"),
        (["bids", *BOTH, "--tables", "nowhere.toml"], 1, "file.unreadable"),
    ],
)
def test_a_game_that_cannot_be_opened_is_refused_with_its_reason(
    set_table: SetTable, words: list[str], code: int, key: str
) -> None:
    table = set_table("Ana pt", "Bob en")
    before = dump(table.service.store)

    ran = new(table, *words)

    assert (ran.code, ran.refused) == (code, key)
    assert faults("refusal", ran.json) == []
    assert ran.err.strip()
    assert raw_keys(ran.err) == set()
    assert dump(table.service.store) == before


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--seat", "Ana <ana@players.test> en Lisbon", "'Lisbon' in the seat"),
        ("--seat", "Ana <ana@players.test> en Lisbon", "nearest: Europe/Lisbon"),
        ("--seat", "Ana <ana.players.test>", "'ana.players.test' in the seat"),
        ("--seat", "Ana <ana@players.test> fr", "'fr'; known: en, pt."),
        ("--seat", "bot:", "There is no bot ''; known: random, greedy."),
        ("--clock", "24h+", "Cannot read the clock '24h+'"),
    ],
)
def test_what_is_wrong_in_a_seat_or_a_clock_is_named(set_table: SetTable, option: str, value: str, said: str) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = command(table, "game", "new", "bids", *BOTH, option, value)

    assert said in ran.err
    assert "none" not in ran.err


def test_the_same_bot_may_hold_several_seats(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    assert new(table, "bids", "--seat", "bot:greedy", "--seat", "bot:greedy").code == 0


def test_a_view_in_a_language_that_we_do_not_have_is_refused(set_table: SetTable) -> None:
    table = seated(set_table)

    ran = command(table, "game", "view", "1", "--language", "xx")

    assert (ran.code, ran.err) == (2, "There are no words in the language 'xx'; known: en, pt.\n")
    assert "Prêmio" in command(table, "game", "view", "1", "--language", "pt-BR").out


@pytest.mark.parametrize("text", ["not = [toml", "[deck]\ncards = 3\n", ""])
def test_tables_that_cannot_be_used_are_refused(set_table: SetTable, text: str) -> None:
    table = set_table("Ana pt", "Bob en")
    (table.folder / "own.toml").write_text(text)

    ran = new(table, "bids", *BOTH, "--tables", str(table.folder / "own.toml"))

    assert ran.code == 1
    assert ran.refused.startswith("table.")


def test_own_tables_are_kept_with_the_game(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    file = table.folder / "own.toml"
    assert command(table, "tables", "bids", "--output", str(file)).code == 0
    file.write_text(file.read_text().replace("coins = 6", "coins = 9"))

    new(table, "bids", *BOTH, "--tables", str(file), "--start")

    shown = command(table, "game", "show", "2", "--json").json
    assert [one["parts"]["coins"] for one in shown["standings"]] == [9, 9]
    assert command(table, "game", "verify", "2").code == 0


def test_all_games_are_listed(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    new(table, "bids", *BOTH)

    ran = command(table, "game", "list", "--json")

    assert faults("game-list", ran.json) == []
    assert [(one["game"], one["status"], one["seats"]) for one in ran.json["games"]] == [
        (1, "running", ["Ana", "Bob"]),
        (2, "open", ["Cy", "Bot (greedy)"]),
    ]
    assert "Ana, Bob" in command(table, "game", "list").out


def test_where_a_game_stands_is_shown_without_secrets(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Ana", f"apostar {table.hand('Ana')[0]}: oferecer 2")

    ran = command(table, "game", "show", "1", "--json")

    assert faults("game-show", ran.json) == []
    assert [(one["seat"], one["key"], one["plan"]) for one in ran.json["pending"]] == [
        (0, "bids.stake", "complete"),
        (1, "bids.stake", "none"),
    ]
    assert ran.json["winners"] == []
    assert "stake one of your cards" in command(table, "game", "show", "1").out


def test_an_open_game_shows_who_has_accepted_and_who_is_waited_for(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en", "bot:random", start=False)
    table.says("Bob", "accept")

    lines = command(table, "game", "show", "1").out.splitlines()

    assert [line.split(maxsplit=2)[1:] for line in lines[4:]] == [
        ["Ana", "no answer yet"],
        ["Bob", "accepted"],
        ["Robot", "a bot"],
    ]


def test_a_running_game_shows_until_when_time_is_free_and_when_it_ends(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 10d")

    heading, ana = command(table, "game", "show", "1").out.splitlines()[3:5]

    assert re.split(r" {2,}", heading)[-3:] == ["free until", "answer by", "plan"]
    assert ana.split()[-3:] == ["2026-03-03T12:00:00Z", "2026-03-13T12:00:00Z", "none"]


def test_a_game_that_never_began_has_no_standings(set_table: SetTable) -> None:
    table = seated(set_table, start=False)
    command(table, "gm", "finish", "1")

    assert command(table, "game", "show", "1").out == "Game 1: bids, aborted, 0 entries\n"


def test_the_log_hides_what_not_everybody_may_know(set_table: SetTable) -> None:
    table = seated(set_table)

    ran = command(table, "game", "log", "1", "--json")

    assert faults("game-log", ran.json) == []
    assert [one["text"] for one in ran.json["log"][:4]] == [None] * 4
    assert ran.json["log"][4] == {"seq": 5, "seat": -1, "text": "draw silver"}
    assert "(hidden)" in command(table, "game", "log", "1").out
    assert acts(table) == []


LOOKS = (["orders", "1", "--seat", "0"], ["view", "1", "--seat", "0"], ["export", "1"], ["log", "1"])
SEEN = (
    ("o que você pode jogar agora", "what Ana can play now"),
    ("a posição vista por você", "the position as seen by Ana"),
    ("o jogo inteiro", "the whole game"),
    ("o registro inteiro", "the whole log"),
)


@pytest.mark.parametrize(("words", "seen"), list(zip(LOOKS, SEEN, strict=True)), ids=str)
def test_a_look_at_secrets_is_recorded_and_told_to_all(
    set_table: SetTable, words: list[str], seen: tuple[str, str]
) -> None:
    table = seated(set_table)

    ran = command(table, "game", *words, "--reveal")
    table.tick()

    assert ran.code == 0
    assert [one.what for one in acts(table)] == ["reveal"]
    looked = ("olhou algo escondido", "looked at something hidden")
    for name, said, what in zip(("Ana", "Bob"), looked, seen, strict=True):
        assert f"{said}: {what}" in text_of(table.mail(name)).replace("\n", " ")


@pytest.mark.parametrize("words", LOOKS[:3], ids=lambda words: words[0])
def test_without_a_reveal_secrets_are_refused(set_table: SetTable, words: list[str]) -> None:
    table = seated(set_table)
    before = dump(table.service.store)

    ran = command(table, "game", *words)

    assert ran.code == 1
    assert ran.out == ""
    assert "--reveal" in ran.err
    assert dump(table.service.store) == before


@pytest.mark.parametrize("words", LOOKS, ids=lambda words: words[0])
def test_after_the_end_nothing_is_secret(set_table: SetTable, words: list[str]) -> None:
    table = seated(set_table)
    command(table, "gm", "finish", "1")
    known = len(acts(table))

    assert command(table, "game", *words).code == 0
    assert command(table, "game", *words, "--reveal").code == 0
    assert len(acts(table)) == known
    assert None not in [one["text"] for one in command(table, "game", "log", "1", "--json").json["log"]]


def test_without_secrets_in_play_the_flag_does_nothing(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")
    new(table, "village", *BOTH, "--start")
    before = dump(table.service.store)

    ran = command(table, "game", "orders", "2", "--seat", "0", "--reveal", "--json")

    assert faults("game-orders", ran.json) == []
    assert ran.json == command(table, "game", "orders", "2", "--seat", "0", "--json").json
    assert command(table, "game", "export", "2", "--reveal").code == 0
    assert command(table, "game", "log", "2", "--reveal").code == 0
    assert dump(table.service.store) == before


def receipt_in(mail: Letter) -> str:
    found = re.search(r"(?:Receipt|Recibo) ([0-9a-z]+-[0-9a-z]+)", text_of(mail))
    assert found
    return found[1]


def test_a_receipt_tells_how_the_letter_was_understood(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en", title="village")
    table.tick()
    name = table.live().holders[next(iter(table.live().owed()))].name
    move = command(table, "game", "orders", "1", "--seat", str(["Ana", "Bob"].index(name)), "--json").json["orders"][0]
    table.says(name, move)
    code = receipt_in(table.last(name))

    for written in (code, code.upper(), code.replace("-", " ")):
        ran = command(table, "game", "receipt", "1", written, "--json")

        assert faults("game-receipt", ran.json) == []
        (given,) = ran.json["receipts"]
        assert [given["seat"], given["moves"]] == [["Ana", "Bob"].index(name), [move]]
    assert name in command(table, "game", "receipt", "1", code).out


@pytest.mark.parametrize("code", ["k7f3q-9xk2m", "-", "' or 1"])
def test_a_receipt_that_was_never_given_is_refused(set_table: SetTable, code: str) -> None:
    table = seated(set_table)

    ran = command(table, "game", "receipt", "1", "--", code)

    assert ran.code == 1
    assert "receipt" in ran.err


def test_a_receipt_whose_notice_was_changed_counts_no_more(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Ana", f"stake {table.hand('Ana')[0]}: bid 2")
    code = receipt_in(table.mail("Ana"))
    with table.service.store.write() as session:
        (row,) = session.exec(select(NoticeRow).where(NoticeRow.key == "order.receipt"))
        row.fields = row.fields.replace("bid 2", "bid 3")

    assert command(table, "game", "receipt", "1", code, "--reveal").code == 1


def test_orders_are_the_canonical_texts_that_are_legal_now(set_table: SetTable) -> None:
    table = seated(set_table)

    ran = command(table, "game", "orders", "1", "--seat", "0", "--reveal", "--json")

    assert faults("game-orders", ran.json) == []
    assert ran.json["orders"] == sorted(f"stake {card}" for card in set(table.hand("Ana")))


def test_a_seat_that_owes_nothing_has_no_orders(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "gm", "finish", "1")

    assert command(table, "game", "orders", "1", "--seat", "0", "--json").json["orders"] == []
    assert "owes nothing" in command(table, "game", "orders", "1", "--seat", "0").out


def test_the_view_of_a_spectator_shows_no_hand(set_table: SetTable) -> None:
    table = seated(set_table)

    spectator = command(table, "game", "view", "1")
    seat = command(table, "game", "view", "1", "--seat", "0", "--language", "pt", "--reveal")

    assert spectator.code == 0
    assert "Your cards" not in spectator.out
    assert "Suas cartas" in seat.out


@pytest.mark.parametrize("title", [one for one in titles() if one != "bids"])
@pytest.mark.parametrize("words", [[], ["--seat", "0", "--reveal"], ["--seat", "0", "--reveal", "--language", "pt"]])
def test_every_title_shows_its_position(set_table: SetTable, title: str, words: list[str]) -> None:
    table = set_table("Ana pt", "Bob en")
    new(table, title, *BOTH, "--start")

    ran = command(table, "game", "view", "2", *words)

    assert (ran.code, ran.err) == (0, "")
    assert len(ran.out.splitlines()) > 10


@pytest.mark.parametrize("words", [["show"], ["log"], ["view"], ["verify"], ["export"], ["orders", "--seat", "0"]])
def test_a_game_that_is_not_there_is_refused(set_table: SetTable, words: list[str]) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = command(table, "game", words[0], "9", *words[1:])

    assert ran.code == 1
    assert ran.err == "There is no game 9.\n"


@pytest.mark.parametrize("words", [["orders", "1", "--seat", "2"], ["view", "1", "--seat", "-1"]])
def test_a_seat_that_is_not_there_is_refused(set_table: SetTable, words: list[str]) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = command(table, "game", *words, "--reveal")

    assert ran.code == 1
    assert "has no seat" in ran.err


def test_a_game_is_verified_whole(set_table: SetTable) -> None:
    table = seated(set_table)

    ran = command(table, "game", "verify", "1", "--json")

    assert faults("game-verify", ran.json) == []
    assert (ran.json["length"], ran.json["draws"], ran.json["drawn_by_gm"]) == (5, 5, [])
    assert "chain intact" in command(table, "game", "verify", "1").out


def test_titles_and_their_options_are_named_where_a_game_is_opened(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    words = " ".join(command(table, "game", "new", "--help").out.replace("│", " ").split())
    lines = [line.split() for line in command(table, "tables", "tiny_towns").out.splitlines()]

    assert "The title: village, tiny_towns" in words
    assert ["cards", "random", "random", "first-game"] in lines
    assert {one[0] for one in lines if one} >= set(load("tiny_towns").options)


def test_tables_tell_the_source_of_every_block(set_table: SetTable) -> None:
    table = set_table("Ana pt", "Bob en")

    ran = command(table, "tables", "bids", "--json")

    assert faults("tables", ran.json) == []
    assert ran.json["blocks"]
    assert "status" in command(table, "tables", "bids").out
    assert command(table, "tables", "chess").code == 1
