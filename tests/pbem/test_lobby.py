"""Games for whoever comes: joined by mail, confirmed, left, filled from the waiting list, and started."""

from datetime import timedelta
from email.header import Header

import pytest

from pbem.live import Live, take_up
from pbem.moderation import replace_holder
from pbem.opening import GameOffer, SeatOffer, open_game, open_seats
from pbem.store import observers, people
from tests.contract.cli.schema import faults
from tests.pbem.table import Person, Table, text_of
from tests.pbem.witness import SetTable, command, notices, raw_keys, read_all, said, seated

GAME = 2


def opened(set_table: SetTable, seats: int = 3, at_least: int = 2, title: str = "bids", **values: object) -> Table:
    """Return a table at which Ana and Bob play game 1, and game 2 is open for whoever comes."""
    table = seated(set_table, **values)
    offer = open_seats(GameOffer(title, ()), seats, at_least, timedelta(days=14))
    with table.service.store.write() as session:
        assert open_game(session, offer, table.now).game.id == GAME
    return table


def writes(table: Table, name: str, text: str, *, shown: str = "", **headers: str) -> None:
    """Let *name*, of whom nobody knows anything, write *text* without any proof, and run a pass."""
    person = table.people.setdefault(name, Person(name, f"{name.lower()}@away.test"))
    table.post(table.letter(f"{shown or name} <{person.address}>", text, **headers))
    table.tick()


def joins(table: Table, name: str, text: str = f"join {GAME}", *, shown: str = "") -> None:
    """Let *name* join and confirm."""
    writes(table, name, text, shown=shown)
    table.says(name, "confirm")


def game(table: Table, number: int = GAME) -> Live:
    with table.service.store.read() as session:
        return take_up(session, number)


def seats(table: Table, number: int = GAME) -> list[str]:
    """Return who has the seats of the game, "" for a free one."""
    return ["" if one.bot == "nobody" else one.name for one in game(table, number).holders]


def states(table: Table) -> list[tuple[str, str]]:
    """Return the places beside the seats of the open game, each with its state."""
    with table.service.store.read() as session:
        found = [observers.get_observer(session, GAME, observers.FIRST + number) for number in range(20)]
    return [(one.name, one.state) for one in found if one is not None]


def test_a_stranger_is_asked_once_and_has_a_seat_when_he_confirms(set_table: SetTable) -> None:
    table = opened(set_table)

    writes(table, "Bia", f"Olá!\n\nentrar {GAME}")
    asked = table.mail("Bia")
    before = seats(table)
    table.says("Bia", "confirmar")

    assert asked.header("X-PBEM-Kind") == "confirmation"
    assert "Você quer jogar?" in asked.subject
    assert 'responda só com a palavra "confirmar"' in said(asked)
    assert before == ["", "", ""]
    assert seats(table) == ["Bia", "", ""]
    mail = said(table.mail("Bia"))
    assert "Você tem um lugar neste jogo de Lances." in mail
    assert "Ainda há 2 lugares livres." in mail
    assert '"sair"' in mail
    assert "Como funciona, em dez linhas" in mail
    assert states(table) == [("Bia", "seated")]


@pytest.mark.parametrize("body", ["confirm", "Confirm.\n\nBia", "yes", "confirm\n\n{marker}\n"])
def test_the_answer_needs_no_quote_of_the_question(set_table: SetTable, body: str) -> None:
    table = opened(set_table)
    writes(table, "Bia", f"join {GAME}")
    asked = table.last("Bia")
    marker = text_of(asked).splitlines()[0]
    headers = {} if "marker" in body else {"In-Reply-To": asked.message_id}

    table.post(table.letter("bia@away.test", body.format(marker=marker), **headers))
    table.tick()

    assert seats(table)[0] == "Bia"


def test_an_answering_machine_that_shows_no_sign_of_it_confirms_nothing(set_table: SetTable) -> None:
    table = opened(set_table)
    writes(table, "Bia", f"join {GAME}")
    asked = table.last("Bia")

    table.post(
        table.letter(
            "bia@away.test",
            f"Thank you for your mail. I am back on Monday.\n\n{text_of(asked)}",
            **{"In-Reply-To": asked.message_id, "Subject": f"Re: {asked.subject}"},
        )
    )
    table.tick()

    assert seats(table) == ["", "", ""]


def test_the_others_are_told_and_the_game_starts_by_itself_when_it_is_full(set_table: SetTable) -> None:
    table = opened(set_table)
    joins(table, "Bia")
    read_all(table)

    joins(table, "Cleo")
    told = said(table.mail("Bia"))
    joins(table, "Dan")

    assert "Cleo joined the game. 1 free seat is left." in told
    assert game(table).game.status == "running"
    assert seats(table) == ["Bia", "Cleo", "Dan"]
    mail = table.mail("Bia")
    assert mail.header("X-PBEM-Kind") == "report"
    assert "The game has begun." in said(mail)
    assert "joined" not in said(mail)
    assert "Your turn" in said(table.last("Dan"))
    assert "At the table you are called" in said(table.last("Dan"))


def test_the_reply_to_the_question_goes_on_to_prove_the_seat(set_table: SetTable) -> None:
    table = opened(set_table)
    writes(table, "Bia", f"join {GAME}")
    asked = table.mail("Bia")
    table.says("Bia", "confirm")

    table.says("Bia", "word sunflower", to=asked)
    changed = said(table.last("Bia"))
    table.says("Bia", "leave", to=asked)

    assert 'Your word for the draws is "sunflower" now.' in changed
    assert seats(table) == ["", "", ""]


def test_a_player_is_asked_too_when_his_letter_proves_nothing(set_table: SetTable) -> None:
    table = opened(set_table)

    table.post(table.letter("bob@players.test", f"join {GAME}"))
    table.tick()
    asked = table.mail("Bob")
    before = seats(table)
    table.says("Bob", "yes", to=asked)

    assert before == ["", "", ""]
    assert asked.header("X-PBEM-Kind") == "confirmation"
    assert seats(table) == ["Bob", "", ""]
    assert table.live().holders[1].name == "Bob"


def test_who_proves_a_seat_elsewhere_joins_at_once(set_table: SetTable) -> None:
    table = opened(set_table)

    table.says("Bob", f"join {GAME} my word is sea")

    assert seats(table) == ["Bob", "", ""]
    assert game(table).holders[0].word == "sea"
    assert "You have a seat in this game" in said(table.mail("Bob"))


def test_whose_tag_a_letter_has_is_who_joins(set_table: SetTable) -> None:
    table = opened(set_table)

    table.says("Ana", f"join {GAME}", From="Bob <bob@players.test>")

    assert seats(table) == ["Ana", "", ""]
    assert table.mails("Bob") == []


def test_a_forged_letter_of_a_player_gives_him_a_question_and_nothing_else(set_table: SetTable) -> None:
    table = opened(set_table)
    before = table.live()

    table.post(table.letter("Evil <ana@players.test>", f"join {GAME} pt as Idiota"))
    table.tick()

    assert seats(table) == ["", "", ""]
    assert table.live() == before
    assert [one.header("X-PBEM-Kind") for one in table.mails("Ana")] == ["confirmation"]
    with table.service.store.read() as session:
        assert people.find_person(session, "ana@players.test").name == "Ana"


@pytest.mark.parametrize(
    "headers",
    [
        {"List-Id": "<news.list.test>"},
        {"Auto-Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"Return-Path": "<>"},
        {"From": "MAILER-DAEMON@away.test"},
        {"From": "Pbem <pbem@pbem.test>"},
        {"From": "pbem+g1@pbem.test"},
        {"From": "not an address"},
    ],
)
def test_no_list_and_no_robot_is_asked(set_table: SetTable, headers: dict[str, str]) -> None:
    table = opened(set_table)
    sent = len(table.server.taken)

    table.post(table.letter("x@away.test", f"join {GAME}", **headers))
    table.tick()

    assert len(table.server.taken) == sent
    assert states(table) == []


def test_a_hundred_letters_of_one_address_get_one_question(set_table: SetTable) -> None:
    table = opened(set_table)

    for _ in range(100):
        table.post(table.letter("Bia <bia@away.test>", f"join {GAME}"))
    table.tick()
    table.people["Bia"] = Person("Bia", "bia@away.test")

    assert len(table.mails("Bia")) == 1
    assert states(table) == [("Bia", "asked")]


def test_one_address_is_answered_three_times_a_day(set_table: SetTable) -> None:
    table = opened(set_table)

    for number in range(20, 30):
        table.post(table.letter("Bia <bia@away.test>", f"join {number}"))
    table.tick()
    table.people["Bia"] = Person("Bia", "bia@away.test")

    assert len(table.mails("Bia")) == 3


def test_of_a_hundred_addresses_of_one_domain_those_beyond_the_fortieth_wait_for_the_game_master(
    set_table: SetTable,
) -> None:
    table = opened(set_table)
    sent = len(table.server.taken)

    for number in range(100):
        table.post(table.letter(f"x{number}@flood.test", f"join {GAME}"))
    table.tick()
    held = [one for one in table.stored() if one.status == "held"]
    asked = [to for to, _ in table.server.taken[sent:] if to.endswith("@flood.test")]
    command(table, "mail", "release", str(held[0].id))
    table.tick()

    assert len(asked) == 40
    assert len(held) == 60
    assert len([one for one in table.to_gm() if "asked for a seat today" in said(one)]) == 1
    assert table.server.taken[-1][0] == held[0].sender


def test_to_join_twice_and_to_confirm_twice_takes_one_seat(set_table: SetTable) -> None:
    table = opened(set_table)
    writes(table, "Bia", f"join {GAME}")
    asked = table.last("Bia")
    writes(table, "Bia", f"join {GAME}")
    once = len(table.mails("Bia"))

    table.says("Bia", "confirm", to=asked)
    table.mails("Bia")
    table.says("Bia", "confirm\nBia", to=asked, Subject="again")
    again = said(table.mail("Bia"))
    table.says("Bia", f"join {GAME}")

    assert once == 1
    assert "You have a seat in this game already, so there is nothing to do." in again
    assert seats(table) == ["Bia", "", ""]
    assert "You have a seat in this game already" in said(table.last("Bia"))


@pytest.mark.parametrize(
    ("number", "words"),
    [(1, "Game 1 has begun already."), (99, "There is no game 99."), (999999999, "There is no game")],
)
def test_who_asks_for_a_game_that_takes_nobody_is_told_which_are_open(
    set_table: SetTable, number: int, words: str
) -> None:
    table = opened(set_table)
    joins(table, "Bia")

    writes(table, "Cleo", f"join {number}")
    if number != 1:
        table.says("Bob", f"join {number}")

    for name in ("Cleo", "Bob")[: 2 - (number == 1)]:
        mail = said(table.mail(name))
        assert words in mail
        assert "Game 2, Bids: 1 of 3 seats taken (Bia)." in mail
        assert '"join game 2"' in mail
        assert "away.test" not in mail


@pytest.mark.parametrize(
    ("line", "words"), [("games", "These games are open for you to join."), ("Jogos", "Estes jogos estão abertos")]
)
def test_the_list_of_games_goes_to_anybody_and_names_no_address(set_table: SetTable, line: str, words: str) -> None:
    table = opened(set_table)
    joins(table, "Bia", shown='"Bia S."')

    writes(table, "Eve", line)

    mail = table.mail("Eve")
    assert words in said(mail)
    assert "(Bia S.)" in said(mail)
    assert "24" in said(mail)
    assert "away.test" not in text_of(mail)
    assert states(table) == [("Bia S.", "seated")]


def test_the_list_says_so_where_no_game_is_open(set_table: SetTable) -> None:
    table = seated(set_table)

    writes(table, "Eve", "games")

    assert "No game is open for new players just now." in said(table.mail("Eve"))


def test_a_letter_whose_subject_alone_says_it_is_read(set_table: SetTable) -> None:
    table = opened(set_table)

    writes(table, "Bia", "", Subject=f"entrar {GAME}")

    assert "Você quer jogar?" in table.mail("Bia").subject


def test_who_leaves_makes_room_and_the_first_of_the_waiting_list_follows(set_table: SetTable) -> None:
    table = opened(set_table, seats=2)
    with table.service.store.write() as session:
        offer = SeatOffer("Gil", "gil@away.test", "en", "UTC")
        replace_holder(session, take_up(session, GAME), game(table).holders[0].seat, offer, "", table.now)
    table.people["Gil"] = Person("Gil", "gil@away.test")
    joins(table, "Bia")
    joins(table, "Cleo")
    waits = said(table.last("Cleo"))
    joins(table, "Dan")
    read_all(table)

    table.says("Bia", "leave")

    assert "All seats are taken, so you are on the waiting list." in waits
    assert "No more mail of it will come to you." in said(table.mail("Bia"))
    assert "Bia left the game before it began. Cleo, who was first on the waiting list, takes the seat." in said(
        table.mail("Gil")
    )
    assert seats(table) == ["Gil", "Cleo"]
    assert "You have a seat in this game" in said(table.mail("Cleo"))
    assert game(table).game.status == "open"
    table.says("Gil", "accept")
    assert game(table).game.status == "running"
    assert "The game has begun, and no seat was left for you." in said(table.mail("Dan"))
    assert states(table)[-1] == ("Dan", "asked")


def test_who_waits_and_is_given_a_seat_by_the_game_master_does_not_follow_on_another(set_table: SetTable) -> None:
    table = opened(set_table, seats=2)
    command(table, "gm", "replace", str(GAME), "Gil <gil@away.test>", "--seat", "0")
    joins(table, "Bia")
    joins(table, "Cleo")
    command(table, "gm", "replace", str(GAME), "Cleo <cleo@away.test>", "--seat", "0")
    table.tick()

    table.says("Bia", "leave")

    assert seats(table) == ["Cleo", ""]


@pytest.mark.parametrize("text", ["No rush, I am looking forward to it", "Ok!", "não tem pressa"])
def test_a_kind_word_of_who_has_a_seat_gives_nothing_up(set_table: SetTable, text: str) -> None:
    table = opened(set_table)
    joins(table, "Bia")

    table.says("Bia", text)

    assert seats(table) == ["Bia", "", ""]
    assert "2 free seats are left." in said(table.last("Bia"))


def test_the_status_of_an_open_game_tells_who_is_there(set_table: SetTable) -> None:
    table = opened(set_table)
    joins(table, "Bia")
    joins(table, "Cleo")

    table.says("Cleo", "status")

    assert "with you plays Bia. 1 free seat is left." in said(table.last("Cleo"))


def test_a_new_secret_ends_the_old_tag_of_the_question_too(set_table: SetTable) -> None:
    table = opened(set_table)
    writes(table, "Bia", f"join {GAME}")
    asked = table.last("Bia")
    table.says("Bia", "confirm")
    table.says("Bia", "new tag")

    table.says("Bia", "leave", to=asked)

    assert seats(table) == ["Bia", "", ""]


def test_to_leave_twice_changes_nothing_the_second_time(set_table: SetTable) -> None:
    table = opened(set_table)
    joins(table, "Bia")
    mail = table.last("Bia")
    joins(table, "Cleo")

    table.says("Bia", "leave", to=mail)
    table.says("Bia", "sair", to=mail)

    assert seats(table) == ["", "Cleo", ""]


def test_who_left_may_come_again(set_table: SetTable) -> None:
    table = opened(set_table)
    joins(table, "Bia")
    table.says("Bia", "leave")

    with_old_tag = table.last("Bia")
    assert "#g" not in text_of(with_old_tag)
    table.now += timedelta(days=1)
    joins(table, "Bia")

    assert seats(table) == ["Bia", "", ""]


def test_two_confirm_the_last_seat_in_one_pass(set_table: SetTable) -> None:
    table = opened(set_table, seats=2)
    joins(table, "Bia")
    writes(table, "Cleo", f"join {GAME}")
    writes(table, "Dan", f"join {GAME}")

    table.post(table.reply("Cleo", "confirm"))
    table.post(table.reply("Dan", "confirm"))
    table.tick()

    assert seats(table) == ["Bia", "Cleo"]
    assert "Game 2 has begun already." in said(table.last("Dan"))


def test_who_confirms_after_the_beginning_is_told_what_else_is_open(set_table: SetTable) -> None:
    table = opened(set_table, seats=2)
    writes(table, "Dan", f"join {GAME}")
    asked = table.last("Dan")
    joins(table, "Bia")
    joins(table, "Cleo")

    table.says("Dan", "confirm", to=asked)

    assert "Game 2 has begun already." in said(table.last("Dan"))
    assert "waiting for" not in said(table.last("Dan"))
    assert seats(table) == ["Bia", "Cleo"]


@pytest.mark.parametrize("line", ["no thanks", "decline", "leave", "stop", "recuso"])
def test_who_did_not_write_may_say_so(set_table: SetTable, line: str) -> None:
    table = opened(set_table)
    writes(table, "Bia", f"join {GAME}")

    table.says("Bia", line)

    assert "No more mail of it will come to you." in said(table.last("Bia"))
    assert states(table) == [("Bia", "gone")]


def test_what_is_neither_tells_what_can_be_written(set_table: SetTable) -> None:
    table = opened(set_table)
    writes(table, "Bia", f"join {GAME}")

    table.says("Bia", "what kind of game is this?")

    assert '"confirm" takes one' in said(table.last("Bia"))
    assert seats(table) == ["", "", ""]


@pytest.mark.parametrize(
    ("shown", "called"),
    [
        ("Ana Lúcia", "Ana Lúcia"),
        ("Анна", "Анна"),
        ("🎲 Gil", "🎲 Gil"),
        ("أمل", "أمل"),
        ("\u202eevil\u202c", "evil"),
        ("<script>alert(1)</script>", "scriptalert(1)/script"),
        ("x" * 200, "x" * 40),
        ("Z\u0301\u0302\u0303\u0304\u0305a", "Ź\u0302\u0303a"),
        ("bia@away.test", "Guest"),
        ("2", "Guest"),
        ("GM", "Guest"),
        ("everybody", "Guest"),
        ("você", "Guest"),
        ("", "Guest"),
    ],
)
def test_a_name_is_one_line_that_can_be_seen_and_no_address(set_table: SetTable, shown: str, called: str) -> None:
    table = opened(set_table)
    table.people["Bia"] = Person("Bia", "bia@away.test")
    encoded = Header(shown, "utf-8").encode(maxlinelen=1000) if shown else ""
    raw = (
        f"From: {encoded} <bia@away.test>\nTo: pbem@pbem.test\nSubject: hi\nMessage-ID: <n1@away.test>\n"
        f"Content-Type: text/plain; charset=utf-8\n\njoin {GAME}\n"
    )
    table.post(raw.encode())
    table.tick()

    table.says("Bia", "confirm")

    assert seats(table)[0] == called
    for _, raw_mail in table.server.taken:
        assert b"<script>alert" not in raw_mail


def test_two_of_one_name_are_told_apart(set_table: SetTable) -> None:
    table = opened(set_table)

    joins(table, "Ana1", shown="Ana")
    joins(table, "Ana2", shown="ANA")
    joins(table, "Ana3", shown="Ana")

    assert seats(table) == ["Ana", "ANA 2", "Ana 3"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("digest 20:00", "mail comes once a day, at 20:00"),
        ("quiet 22-08", "No mail comes to you from 22:00 to 08:00"),
        ("plain", "your mails come without pictures and tables"),
        ("language pt", "idioma"),
        ("bench", "You are on the bench"),
    ],
)
def test_who_has_no_seat_yet_has_habits_too(set_table: SetTable, line: str, answer: str) -> None:
    table = opened(set_table)
    writes(table, "Eve", f"join {GAME}")
    table.mails("Eve")

    table.says("Eve", line)

    assert answer in said(table.mail("Eve"))


def test_one_may_choose_the_name_the_language_and_the_word_in_the_line(set_table: SetTable) -> None:
    table = opened(set_table)

    joins(table, "Bia", f"entrar no jogo {GAME} english como Bia da Silva, minha palavra é girassol azul")

    holder = game(table).holders[0]
    assert (holder.name, holder.word) == ("Bia da Silva", "girassol azul")
    assert "You have a seat" in said(table.last("Bia"))


def test_a_line_that_only_begins_like_a_wish_is_none(set_table: SetTable) -> None:
    table = opened(set_table)
    before = seats(table)

    writes(table, "Bia", "join us on Friday for a party")

    assert "We know no game for this address" in said(table.mail("Bia"))
    assert seats(table) == before
    assert states(table) == []


def test_after_two_weeks_the_game_master_and_those_who_wait_are_told_once(set_table: SetTable) -> None:
    table = opened(set_table)
    joins(table, "Bia")
    read_all(table)
    alerts = len(table.to_gm())

    table.tick(after=timedelta(days=14))
    table.tick(after=timedelta(days=1))

    assert "After 14 days some seats of this game are still free." in said(table.mail("Bia"))
    fresh = [said(one) for one in table.to_gm()[alerts:] if "open for 14 days" in said(one)]
    assert len(fresh) == 1
    assert "pbem game start" in fresh[0]


def test_the_command_line_opens_lists_and_starts(set_table: SetTable) -> None:
    table = seated(set_table)

    ran = command(table, "game", "open", "bids", "--seats", "4", "--at-least", "2", "--json")
    table.tick()
    for name in ("Bia", "Cleo", "Dan"):
        joins(table, name)
    table.says("Bia", "leave")
    early = command(table, "game", "start", "1", "--json")
    listed = command(table, "game", "list", "--json").json
    shown = command(table, "game", "list").out
    started = command(table, "game", "start", str(GAME), "--json")
    table.tick()

    assert faults("game-open", ran.json) == []
    assert ran.json["game"] == GAME
    assert early.refused == "game.begun"
    assert faults("game-list", listed) == []
    assert listed["games"][1]["free"] == [0, 3]
    assert "Cleo, Dan, 2 free" in shown
    assert faults("game-start", started.json) == []
    assert started.json["seats"] == ["Dan", "Cleo"]
    assert game(table).game.seats == 2
    for name in ("Cleo", "Dan"):
        assert "The game has begun." in said(table.last(name))
    table.says("Dan", "status")
    assert "Here is the game as it stands." in said(table.last("Dan"))


def test_a_game_set_up_anew_plays_and_verifies_as_any_other(set_table: SetTable) -> None:
    table = opened(set_table, seats=4)
    for name in ("Bia", "Cleo", "Dan"):
        joins(table, name)
    table.says("Bia", "leave")
    command(table, "game", "start", str(GAME))
    table.tick()

    for name in ("Cleo", "Dan"):
        live = game(table)
        seat = [one.name for one in live.holders].index(name)
        hand = live.ruleset.view(live.position.state, seat).hand
        table.says(name, f"stake {hand[0]}: bid 1")
    ran = command(table, "game", "verify", str(GAME), "--json")

    assert game(table).position.seq > 2
    assert ran.code == 0


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["--seats", "9"], "config.seats"),
        (["--seats", "3", "--at-least", "1"], "open.least"),
        (["--seats", "3", "--at-least", "4"], "open.least"),
        (["--seats", "2", "--seat", "bot:greedy", "--seat", "bot:greedy"], "open.taken"),
        (["--seats", "3", "--seat", "Ana"], "seat.form"),
        (["--seats", "3", "--seed", "12"], "seed.form"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_a_reason(set_table: SetTable, words: list[str], key: str) -> None:
    table = seated(set_table)

    ran = command(table, "game", "open", "bids", *words, "--json")
    spoken = command(table, "game", "open", "bids", *words)

    assert ran.refused == key
    assert raw_keys(spoken.err) == set()


def test_too_few_do_not_start_and_bots_fill_the_rest(set_table: SetTable) -> None:
    table = opened(set_table)
    joins(table, "Bia")

    few = command(table, "game", "start", str(GAME), "--json")
    ran = command(table, "game", "start", str(GAME), "--bots", "greedy", "--json")
    again = command(table, "game", "start", str(GAME), "--json")

    assert few.refused == "start.few"
    assert ran.json["seats"] == ["Bia", "Bot (greedy)", "Bot (greedy)"]
    assert again.refused == "game.begun"


def test_who_was_invited_beside_free_seats_may_decline_and_the_game_goes_on(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "game", "open", "bids", "--seats", "3", "--seat", "Gil <gil@away.test>")
    table.people["Gil"] = Person("Gil", "gil@away.test")
    table.tick()
    invited = said(table.mail("Gil"))
    waiting = command(table, "game", "start", str(GAME), "--json")

    table.says("Gil", "decline")

    assert "2 free seats" in invited
    assert waiting.refused == "start.invited"
    assert game(table).game.status == "open"
    assert seats(table) == ["", "", ""]


def test_a_game_that_is_called_off_is_told_to_all_who_have_or_wait_for_a_seat(set_table: SetTable) -> None:
    table = opened(set_table, seats=2)
    joins(table, "Bia")

    command(table, "gm", "replace", str(GAME), "Gil <gil@away.test>", "--seat", "1")
    joins(table, "Dan")
    command(table, "gm", "finish", str(GAME), "--reason", "too few")
    table.tick()
    writes(table, "Cleo", f"join {GAME}")

    assert "too few" in said(table.last("Bia"))
    assert "too few" in said(table.last("Dan"))
    assert "Game 2 was called off." in said(table.mail("Cleo"))


def test_a_person_who_looks_on_may_take_a_seat(set_table: SetTable) -> None:
    table = opened(set_table)
    command(table, "gm", "observe", str(GAME), "Zoe <zoe@away.test> en")
    table.people["Zoe"] = Person("Zoe", "zoe@away.test")
    table.tick()

    writes(table, "Zoe", f"join {GAME}")
    forged = states(table)
    table.says("Zoe", "confirm")

    assert forged == [("Zoe", "looking")]
    assert seats(table) == ["Zoe", "", ""]
    assert states(table) == [("Zoe", "seated")]


def test_in_a_running_game_the_words_of_the_lobby_are_orders_first(set_table: SetTable) -> None:
    table = opened(set_table)

    table.says("Bob", "leave")

    assert "Do you want to leave this game for good?" in said(table.mail("Bob"))
    assert table.live().holders[1].name == "Bob"


@pytest.mark.parametrize(
    ("line", "joined"),
    [("entrar 2 verde verde", False), ("entrar 3", False), ("entrar no jogo 2", True), ("join game 2", True)],
)
def test_a_move_that_begins_like_a_wish_is_a_move(set_table: SetTable, line: str, *, joined: bool) -> None:
    table = set_table("Ana pt", "Bob en", title="village")
    with table.service.store.write() as session:
        open_game(session, open_seats(GameOffer("bids", ()), 3, 2, timedelta()), table.now)
    table.tick()

    table.says("Ana", line)

    assert (seats(table) == ["Ana", "", ""]) == joined
    assert joined or "Sua mensagem" in said(table.last("Ana"))


def test_nobody_is_told_an_address(set_table: SetTable) -> None:
    table = opened(set_table)
    for name in ("Bia", "Cleo"):
        joins(table, name)
    writes(table, "Eve", "games")

    for to, raw in table.server.taken:
        for person in table.people.values():
            if person.address != to and not to.startswith("gm@"):
                assert person.address.encode() not in raw


def test_the_question_tells_of_the_game_what_one_needs_to_know(set_table: SetTable) -> None:
    table = opened(set_table)
    joins(table, "Bia")
    writes(table, "Cleo", f"join {GAME}")

    mail = said(table.mail("Cleo"))

    assert "game 2 of Bids, for 3 players" in mail
    assert "At the table so far: Bia." in mail
    assert 'You would be called "Cleo" there.' in mail
    assert notices(table, 100, "lobby.confirm")
