"""The game master's hand on a game: what each act leads to, what it refuses, and what it leaves alone."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from engine.core.types import Seat
from pbem import moderation
from pbem.desk.orders import plan_for
from pbem.errors import Refused
from pbem.live import Live, take_up
from pbem.opening import SeatOffer
from tests.contract.cli.schema import faults
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, acts, command, dump, holder, raw_keys, said, seated, stake, verified

DAY = timedelta(hours=24)
HOUR = timedelta(hours=1)
REASON = "Power cut"

MISUSE = (
    "duration.form",
    "clock.day",
    "clock.kind",
    "clock.never",
    "seat.form",
    "seat.address",
    "seat.word",
    "words.language",
)

ACTS = ("pause", "resume", "extend", "clock", "rewind", "play", "draw", "replace", "bot", "finish", "void", "message")

SAID = {
    "pause": ("The game is paused", "O jogo está em pausa"),
    "resume": ("The game goes on", "O jogo continua"),
    "extend": ("put off by 36 hours", "prorrogado em 36 horas"),
    "clock": ("The game master changed the clock of this game.", "O mestre do jogo mudou os prazos deste jogo."),
    "rewind": ("earlier position (after entry 5)", "posição anterior (depois do lançamento 5)"),
    "play": ("The game master played for Ana", "O mestre do jogo jogou por você"),
    "draw": ("The game master chose a draw: draw gold", "O mestre do jogo escolheu um sorteio: draw ouro"),
    "replace": ("Cy takes Bob's place.", "Cy assume o lugar de Bob."),
    "bot": ("Bot (greedy), a bot, takes Bob's place.", "Bot (greedy), um robô, assume o lugar de Bob."),
    "finish": ("The game master ended the game.", "O mestre do jogo encerrou a partida."),
    "void": ("ended the game without a result", "encerrou a partida sem resultado"),
    "message": ("The game master writes:", "O mestre do jogo escreve:"),
}


def gm(table: Table, act: Callable[..., Live], *values: Any, **named: Any) -> Live:
    """Let the game master do *act* now."""
    with table.service.store.write() as session:
        return act(session, take_up(session, table.game), *values, table.now, **named)


def prepared(set_table: SetTable, act: str) -> tuple[Table, list[str]]:
    """Return a table where *act* can be done, and the command that does it."""
    table = seated(set_table)
    if act == "resume":
        command(table, "gm", "pause", "1")
    elif act == "draw":
        command(table, "gm", "pause", "1")
        command(table, "gm", "rewind", "1", "--to", "4")
    elif act == "rewind":
        table.says("Ana", stake(table, "Ana"))
        table.says("Bob", stake(table, "Bob"))
    table.tick()
    for name in table.people:
        table.mails(name)
    words = {
        "extend": ["extend", "1", "--by", "36h"],
        "clock": ["clock", "1", "48h + 5d; off sat sun"],
        "rewind": ["rewind", "1", "--to", "5"],
        "play": ["play", "1", "--seat", "0", stake(table, "Ana")],
        "draw": ["play", "1", "--seat", "-1", "draw gold"],
        "replace": ["replace", "1", "--seat", "1", "Cy <cy@players.test> en"],
        "bot": ["replace", "1", "--seat", "1", "bot:greedy"],
        "void": ["finish", "1", "--void"],
        "message": ["message", "1", "Let us play on."],
    }.get(act, [act, "1"])
    return table, ["gm", *words, *([] if act == "message" else ["--reason", REASON])]


def mails_after(table: Table, act: str) -> dict[str, Any]:
    """Return the one new mail of each person after *act*."""
    if act in ("replace", "bot"):
        table.people.pop("Bob")
    if act == "replace":
        table.people["Cy"] = type(table.people["Ana"])("Cy", "cy@players.test")
    return {name: table.mail(name) for name in table.people}


@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_told_to_all_in_their_language_with_its_reason(set_table: SetTable, act: str) -> None:
    table, words = prepared(set_table, act)

    ran = command(table, *words)
    table.tick()
    mails = mails_after(table, act)

    assert (ran.code, ran.err) == (0, "")
    english, portuguese = SAID[act]
    reason = "Let us play on." if act == "message" else REASON
    for name, mail in mails.items():
        said = text_of(mail).replace("\n", " ")
        wanted = "You take Bob's place in a running game of Bids." if name == "Cy" else english
        assert (portuguese if name == "Ana" else wanted) in said, said
        assert reason in said


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        ("pause", "notice"),
        ("resume", "notice"),
        ("extend", "notice"),
        ("clock", "notice"),
        ("rewind", "report"),
        ("play", "notice"),
        ("draw", "notice"),
        ("replace", "notice"),
        ("bot", "notice"),
        ("finish", "report"),
        ("void", "report"),
        ("message", "press"),
    ],
)
def test_an_act_leads_to_one_mail_of_its_kind(set_table: SetTable, act: str, kind: str) -> None:
    table, words = prepared(set_table, act)

    command(table, *words)
    table.tick()

    assert mails_after(table, act)["Ana"].header("X-PBEM-Kind") == kind


@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_on_record_and_the_game_still_verifies(set_table: SetTable, act: str) -> None:
    table, words = prepared(set_table, act)
    before = len(acts(table))

    command(table, *words)

    done = acts(table)[before:]
    assert [one.who for one in done] == ["gm"]
    assert done[0].what == {"bot": "replace", "void": "finish"}.get(act, act)
    assert done[0].fields.get("reason", REASON) == REASON
    assert verified(table)["verified"]


@pytest.mark.parametrize("act", ACTS)
def test_a_dry_run_changes_nothing_and_says_what_would_come(set_table: SetTable, act: str) -> None:
    table, words = prepared(set_table, act)
    before, posted = dump(table.service.store), len(table.server.taken)

    rehearsed = command(table, *words, "--dry-run", "--json")

    assert dump(table.service.store) == before
    table.tick()
    assert len(table.server.taken) == posted
    done = command(table, *words, "--json")
    assert rehearsed.code == done.code == 0
    assert rehearsed.json["dry_run"]
    assert not done.json["dry_run"]
    for name in ("status", "length", "entered", "told"):
        assert rehearsed.json[name] == done.json[name]


TOLD = {
    "pause": ('Ana, Bob  The game is paused, and all clocks stand still. The reason: "Power cut".',),
    "extend": ("The deadline was put off by 36 hours.",),
    "clock": (
        "Ana, Bob  The game master changed the clock of this game. For each decision you have 2 days,",
        "Your time stands still on Saturdays and Sundays, by the calendar of UTC.",
    ),
    "rewind": ("position (after entry 5).", "Ana, Bob  what is asked now"),
    "play": ('Ana, Bob  The game master played for Ana. The reason: "Power cut".',),
    "draw": ("The game master chose a draw: draw gold.",),
    "replace": ("Ana   Cy takes Bob's place.", "Cy    You take Bob's place in a running game of Bids."),
    "bot": ("Ana   Bot (greedy), a bot, takes Bob's place.",),
    "message": ("Ana, Bob  The game master writes: Let us play on.",),
}


@pytest.mark.parametrize("dry", [False, True])
@pytest.mark.parametrize("act", ACTS)
def test_an_act_shows_who_is_told_what_in_words(set_table: SetTable, act: str, dry: bool) -> None:
    table, words = prepared(set_table, act)

    shown = command(table, *words, *(["--dry-run"] if dry else [])).out

    assert raw_keys(shown) == set()
    for line in TOLD.get(act, ()):
        assert line in shown


def test_a_rehearsed_line_shows_how_it_was_read(set_table: SetTable) -> None:
    table = seated(set_table, title="village")

    shown = command(table, "gm", "play", "1", "--seat", "0", "1", "--dry-run").out

    assert re.search(r"Ana, Bob  The game master played for Ana: take \w+ \w+[.:]", shown)


@pytest.mark.parametrize(
    ("line", "said"),
    [("dance", "'dance': this is no move that we know."), ("take", "'take': this could mean several moves.")],
)
def test_a_line_that_is_not_understood_is_refused_in_words(set_table: SetTable, line: str, said: str) -> None:
    table = seated(set_table, title="village")

    ran = command(table, "gm", "play", "1", "--seat", "0", line)

    assert ran.code == 1
    assert said in ran.err
    assert raw_keys(ran.err) == set()


@pytest.mark.parametrize("line", ["dance", "any or dance", "stake 9", "stake"])
def test_a_line_for_a_hidden_choice_shows_nothing_of_it(set_table: SetTable, line: str) -> None:
    table = seated(set_table)
    cards = {str(card) for card in table.hand("Ana")}

    ran = command(table, "gm", "play", "1", "--seat", "0", line, "--dry-run")

    assert not cards & set(re.findall(r"\d+", (ran.out + ran.err).replace("game orders 1 --seat 0", "")))


def test_what_became_of_a_hidden_line_is_not_shown_to_the_game_master(set_table: SetTable) -> None:
    table = seated(set_table)
    gm(table, moderation.pause, "")
    cards = table.hand("Bob")
    table.says("Bob", f"stake {cards[0]}: bid 99 or stake {cards[0]}: bid 2")
    table.says("Ana", stake(table, "Ana"))

    shown = command(table, "gm", "resume", "1", "--dry-run").out

    assert "Bob       what became of a line kept before" in shown
    assert "bid" not in shown


@pytest.mark.parametrize(
    ("state", "words", "key"),
    [
        ("running", ["pause", "9"], "game.unknown"),
        ("paused", ["pause", "1"], "game.not-running"),
        ("running", ["resume", "1"], "game.not-paused"),
        ("over", ["resume", "1"], "game.not-paused"),
        ("over", ["extend", "1", "--by", "1h"], "game.not-running"),
        ("open", ["extend", "1", "--by", "1h"], "game.not-running"),
        ("running", ["extend", "1", "--by", "0"], "extend.nothing"),
        ("running", ["extend", "1", "--by", "soon"], "duration.form"),
        ("running", ["clock", "1", "24h + 10d"], "clock.same"),
        ("running", ["clock", "1", "soon"], "duration.form"),
        ("running", ["clock", "1", "24h; off someday"], "clock.day"),
        ("running", ["clock", "1", "24h; dance 12h"], "clock.kind"),
        ("running", ["clock", "1", "24h; off mon tue wed thu fri sat sun"], "clock.never"),
        ("over", ["clock", "1", "48h"], "game.ended"),
        ("running", ["rewind", "1", "--to", "5"], "rewind.number"),
        ("running", ["rewind", "1", "--to", "-1"], "rewind.number"),
        ("open", ["rewind", "1", "--to", "0"], "game.not-running"),
        ("void", ["rewind", "1", "--to", "0"], "game.not-running"),
        ("paused", ["play", "1", "--seat", "0", "stake 2: bid 1"], "game.not-running"),
        ("running", ["play", "1", "--seat", "2", "bid 1"], "seat.unknown"),
        ("running", ["play", "1", "--seat", "0", "dance"], "play.hidden"),
        ("running", ["play", "1", "--seat", "0", "hello there"], "play.hidden"),
        ("running", ["play", "1", "--seat", "0", "stake 99"], "play.hidden"),
        ("running", ["play", "1", "--seat", "-1", "draw gold"], "draw.not-owed"),
        ("over", ["play", "1", "--seat", "-1", "draw gold"], "game.not-running"),
        ("over", ["replace", "1", "--seat", "0", "bot:greedy"], "game.ended"),
        ("running", ["replace", "1", "--seat", "0", "bot:genius"], "bot.unknown"),
        ("running", ["replace", "1", "--seat", "0", "Cy"], "seat.form"),
        ("running", ["replace", "1", "--seat", "0", "Cy <cy>"], "seat.address"),
        ("running", ["replace", "1", "--seat", "0", "Cy <cy@players.test> Mars"], "seat.word"),
        ("running", ["replace", "1", "--seat", "0", "Cy <cy@players.test> fr"], "words.language"),
        ("running", ["replace", "1", "--seat", "0", "Cy <pbem@pbem.test>"], "seat.ours"),
        ("running", ["replace", "1", "--seat", "0", "Cy <bob@players.test>"], "seat.person"),
        ("running", ["replace", "1", "--seat", "0", "Bob <cy@players.test>"], "seat.name"),
        ("running", ["replace", "1", "--seat", "7", "bot:greedy"], "seat.unknown"),
        ("over", ["finish", "1"], "game.ended"),
        ("void", ["finish", "1", "--void"], "game.ended"),
        ("bots", ["message", "1", "Hello"], "message.nobody"),
        ("running", ["message", "1", "Hello", "--seat", "4"], "seat.unknown"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(
    set_table: SetTable, state: str, words: list[str], key: str
) -> None:
    table = set_table("Ana pt", "Bob en", start=state != "open")
    for given in {"paused": ["pause", "1"], "over": ["finish", "1"], "void": ["finish", "1", "--void"]}, {}:
        if state in given:
            command(table, "gm", *given[state])
    if state == "bots":
        for seat in ("0", "1"):
            command(table, "gm", "replace", "1", "--seat", seat, "bot:random")
    before = dump(table.service.store)

    ran = command(table, "gm", *words, "--json")

    assert ran.refused == key
    assert ran.code == (2 if key in MISUSE else 1)
    assert ran.err.strip()
    assert "Traceback" not in ran.err
    assert not ran.err.startswith("pbem: ")
    assert raw_keys(ran.err) == set()
    assert dump(table.service.store) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pause", "1"], "Game 1 is paused, so this cannot be done with it."),
        (["rewind", "1", "--to", "9"], "the last entry is 5; choose an earlier one, or 0 for the beginning."),
    ],
)
def test_a_refusal_says_what_could_be_done(set_table: SetTable, words: list[str], said: str) -> None:
    table = seated(set_table)
    command(table, "gm", "pause", "1")

    assert said in command(table, "gm", *words).err


def test_a_resumed_clock_goes_on_where_it_stood(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    deadline = holder(table, 0).deadline
    gm(table, moderation.pause, "")

    table.now += 5 * DAY
    table.tick()
    gm(table, moderation.resume, "")

    assert deadline is not None
    assert holder(table, 0).deadline == deadline + 5 * DAY + timedelta(minutes=1)
    assert table.moves() == []


def test_no_default_and_no_reminder_while_paused(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    gm(table, moderation.pause, "")
    table.tick()
    for name in table.people:
        table.mails(name)

    table.tick(after=3 * DAY)

    assert table.moves() == []
    assert table.mails("Ana") + table.mails("Bob") == []


def test_lines_sent_while_paused_are_played_when_it_goes_on(set_table: SetTable) -> None:
    table = seated(set_table)
    gm(table, moderation.pause, "")
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))
    assert table.moves() == []

    gm(table, moderation.resume, "")

    assert table.moves()[:4] == ["0 stake 3", "0 bid 1", "1 stake 5", "1 bid 1"]


def test_a_clock_put_anew_during_a_pause_has_its_full_time_and_no_more(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))
    gm(table, moderation.pause, "")
    table.now += 5 * HOUR
    gm(table, moderation.rewind, 5, "")

    table.now += HOUR
    gm(table, moderation.resume, "")

    assert holder(table, 0).deadline == table.now + DAY


def test_a_seat_replaced_during_a_pause_has_its_full_time_and_no_more(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    gm(table, moderation.pause, "")
    table.now += 5 * HOUR
    gm(table, moderation.replace_holder, Seat(1), SeatOffer("Cy", "cy@players.test", "en", "UTC"), "")

    table.now += HOUR
    gm(table, moderation.resume, "")

    assert holder(table, 1).deadline == table.now + DAY
    assert holder(table, 0).deadline == table.now + DAY - timedelta(minutes=1)


def test_more_time_is_not_paid_by_the_bank(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 10d")
    deadline, bank = holder(table, 0).deadline, holder(table, 0).bank
    gm(table, moderation.extend, timedelta(hours=48), "")

    table.now += timedelta(hours=71)
    table.says("Ana", stake(table, "Ana"))

    assert deadline is not None
    assert bank == timedelta(days=10)
    assert holder(table, 0).bank == bank
    table.says("Bob", stake(table, "Bob"))
    assert holder(table, 0).bank == bank


def test_more_time_moves_the_deadline_by_just_that(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 10d")
    deadline = holder(table, 0).deadline

    gm(table, moderation.extend, timedelta(minutes=90), "")

    assert deadline is not None
    assert holder(table, 0).deadline == deadline + timedelta(minutes=90)
    assert holder(table, 0).bank == timedelta(days=10)
    assert acts(table)[-1].fields["by"] == "1h 30m"


def test_the_bank_pays_exactly_the_time_beyond_the_free_time(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 10d")
    put_at = holder(table, 0).put_at
    assert put_at is not None
    table.says("Bob", stake(table, "Bob"))

    table.post(table.reply("Ana", stake(table, "Ana")), when=put_at + timedelta(hours=30, minutes=7))
    table.tick(after=timedelta(hours=40))

    assert len(table.moves()) >= 4
    assert holder(table, 0).bank == timedelta(days=10) - timedelta(hours=6, minutes=7)


def test_who_answered_in_time_pays_nothing_though_the_others_were_late(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h + 10d")
    table.says("Ana", stake(table, "Ana"))

    table.now += timedelta(hours=100)
    table.says("Bob", stake(table, "Bob"))

    assert len(table.moves()) >= 4
    assert holder(table, 0).bank == timedelta(days=10)


def test_a_rewind_lists_what_it_takes_back_from_each_seat_and_hides_what_is_hidden(set_table: SetTable) -> None:
    table = seated(set_table)
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))
    moves = [one for one in table.log() if not one.startswith("-")]

    tried = command(table, "gm", "rewind", "1", "--to", "0", "--dry-run", "--json").json
    shown = command(table, "gm", "rewind", "1", "--to", "0", "--dry-run").out
    done = command(table, "gm", "rewind", "1", "--to", "0", "--json").json
    again = command(table, "gm", "rewind", "1", "--to", "0", "--dry-run", "--json").json

    assert faults("gm-rewind", tried) == []
    assert [one["seat"] for one in tried["taken_back"]] == [int(one.split()[0]) for one in moves]
    assert None in [one["text"] for one in tried["taken_back"]]
    assert "(hidden)" in shown
    assert tried["taken_back"] == done["taken_back"]
    assert again["taken_back"] == []


def test_a_rewind_into_a_half_entered_round_goes_to_its_beginning_and_says_so(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))
    for name in table.people:
        table.mails(name)

    live = gm(table, moderation.rewind, 7, "wrong card")
    table.tick()

    assert table.log()[live.position.seq - 1] == "-2 rewind 5"
    said = text_of(table.mail("Bob")).replace("\n", " ")
    assert "position (after entry 5). Entry 7 was asked for" in said
    assert all(one.plan == () and one.number == live.position.seq for one in table.live().holders)
    assert "Foi pedido o lançamento 7" in text_of(table.mail("Ana")).replace("\n", " ")
    assert verified(table)["verified"]


def test_a_reply_to_a_mail_from_before_a_rewind_is_explained_and_not_played(set_table: SetTable) -> None:
    table = seated(set_table)
    old = table.last("Bob")
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))
    gm(table, moderation.rewind, 5, "")
    table.tick()
    entries = len(table.log())
    table.mails("Bob")

    table.post(table.reply("Bob", stake(table, "Bob"), to=old))
    table.tick()

    answer = table.mail("Bob")
    assert "question of an earlier mail" in said(answer)
    assert "Your turn" in text_of(answer)
    assert len(table.log()) == entries
    assert holder(table, 1).plan == ()


def test_a_rewind_keeps_banks_and_never_draws_the_same_number_twice(set_table: SetTable) -> None:
    table = seated(set_table)
    table.now += timedelta(hours=30)
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))
    bank, draws = holder(table, 0).bank, table.live().position.draws

    gm(table, moderation.rewind, 4, "")

    assert bank < timedelta(days=10)
    assert holder(table, 0).bank == bank
    assert table.live().position.draws == draws + 1
    assert verified(table)["draws"] == draws + 1


def test_a_finished_game_can_be_taken_back_and_runs_again(set_table: SetTable) -> None:
    table = seated(set_table)
    gm(table, moderation.finish, "")

    gm(table, moderation.rewind, 5, "a mistake")

    assert table.live().game.status == "running"
    assert holder(table, 0).deadline is not None
    assert verified(table)["verified"]


def test_a_letter_with_the_tag_of_a_replaced_player_is_not_read(set_table: SetTable) -> None:
    table = seated(set_table)
    old = table.reply("Bob", stake(table, "Bob"))
    gm(table, moderation.replace_holder, Seat(1), SeatOffer("Cy", "cy@players.test", "en", "UTC"), "")

    table.post(old)
    counts = table.tick()

    assert counts["accepted"] == counts["kept"] == 0
    assert counts["refused"] == 1
    assert holder(table, 1).plan == ()
    assert stake(table, "Bob") not in "".join(text_of(one) for one in table.mails("Bob"))


def test_the_new_player_is_asked_and_can_answer(set_table: SetTable) -> None:
    table = seated(set_table)
    gm(table, moderation.replace_holder, Seat(1), SeatOffer("Cy", "cy@players.test", "pt", "UTC"), "")
    table.people["Cy"] = type(table.people["Ana"])("Cy", "cy@players.test")
    table.tick()

    mail = table.mail("Cy")
    table.says("Cy", stake(table, "Bob"))

    assert "Sua vez" in text_of(mail)
    assert holder(table, 1).plan != ()


def test_a_person_put_into_an_open_game_is_invited(set_table: SetTable) -> None:
    table = seated(set_table, start=False)
    gm(table, moderation.replace_holder, Seat(1), SeatOffer("Cy", "cy@players.test", "en", "UTC"), "")
    table.people["Cy"] = type(table.people["Ana"])("Cy", "cy@players.test")
    table.tick()

    assert table.mail("Cy").header("X-PBEM-Kind") == "invitation"
    table.says("Cy", "accept")
    table.says("Ana", "aceito")
    assert table.live().game.status == "running"


def test_a_bot_in_the_last_open_seat_lets_the_game_begin(set_table: SetTable) -> None:
    table = seated(set_table, start=False)
    table.says("Ana", "aceito")

    gm(table, moderation.replace_holder, Seat(1), SeatOffer("Robot", bot="random"), "")

    assert table.live().game.status == "running"
    assert table.log()
    assert verified(table)["verified"]


def test_who_takes_a_place_in_an_open_game_has_not_accepted_for_that(set_table: SetTable) -> None:
    table = seated(set_table, start=False)
    table.says("Bob", "accept")
    gm(table, moderation.replace_holder, Seat(1), SeatOffer("Cy", "cy@players.test", "en", "UTC"), "")
    table.people["Cy"] = type(table.people["Ana"])("Cy", "cy@players.test")

    table.tick()
    table.says("Ana", "aceito")

    assert table.live().game.status == "open"
    assert "The game begins when" not in text_of(table.last("Cy"))


@pytest.mark.parametrize("paused", [False, True])
@pytest.mark.parametrize(
    ("language", "hello", "place", "help_"),
    [
        ("en", "Hello Cy,", "You take Bob's place in a running game of Bids.", "What you can write"),
        ("pt", "Olá, Cy,", "Você assume o lugar de Bob em um jogo de Lances que já começou.", "O que se pode escrever"),
    ],
)
def test_the_new_player_is_greeted_before_he_is_asked(
    set_table: SetTable, language: str, hello: str, place: str, help_: str, paused: bool
) -> None:
    table = seated(set_table)
    if paused:
        gm(table, moderation.pause, "")
    gm(table, moderation.replace_holder, Seat(1), SeatOffer("Cy", "cy@players.test", language, "UTC"), "")
    table.people["Cy"] = type(table.people["Ana"])("Cy", "cy@players.test")
    table.tick()

    mail = said(table.mail("Cy"))

    asked = "Your turn" if language == "en" else "Sua vez"
    order = [mail.index(one) for one in (hello, place, asked, help_)]
    assert order == sorted(order)


def test_who_takes_a_place_that_nobody_held_is_told_no_name(set_table: SetTable) -> None:
    table = seated(set_table)
    file = table.folder / "game.txt"
    command(table, "game", "export", "1", "--full", "--reveal", "--output", str(file))
    command(table, "game", "import", str(file))

    for seat, name in enumerate(("Ana", "Bob")):
        command(table, "gm", "replace", "2", f"{name} <{name.lower()}@players.test> en", "--seat", str(seat))
    table.tick()

    assert "Bob takes a place." in said(table.last("Ana"))
    assert "You take a place in a running game of Bids." in said(table.last("Bob"))


@pytest.mark.parametrize("title", ["village", "tiny_towns", "my_village"])
def test_the_last_mail_of_a_game_that_was_broken_off_speaks_of_no_turn_to_come(set_table: SetTable, title: str) -> None:
    table = seated(set_table, title=title)

    command(table, "gm", "finish", "1")
    table.tick()

    told = said(table.last("Bob"))
    for gone in ("next turn", "next starting player", "next Master Builder", "Cards on offer", "in secret"):
        assert gone not in told, gone


def test_who_was_replaced_is_told(set_table: SetTable) -> None:
    table = seated(set_table)

    gm(table, moderation.replace_holder, Seat(1), SeatOffer("Cy", "cy@players.test", "en", "UTC"), "no answer")
    table.tick()

    told = " ".join(text_of(table.mail("Bob")).split())
    assert "The game master gave your place in this game to Cy." in told
    assert "no answer" in told
    table.tick()
    assert not table.mails("Bob")


def test_a_hidden_move_of_the_game_master_is_told_to_its_seat_alone(set_table: SetTable) -> None:
    table = seated(set_table)
    card = table.hand("Ana")[0]

    command(table, "gm", "play", "1", "--seat", "0", f"stake {card}: bid 2")
    table.tick()

    said = text_of(table.mail("Bob")).replace("\n", " ")
    assert "The game master played for Ana" in said
    assert f"stake {card}: bid 2" not in said
    assert f"apostar {card}: oferecer 2" in text_of(table.mail("Ana")).replace("\n", " ")


def test_a_hidden_draw_of_the_game_master_is_told_to_who_may_know_it_alone(set_table: SetTable) -> None:
    table = seated(set_table)
    card = table.hand("Ana")[0]
    gm(table, moderation.pause, "")
    gm(table, moderation.rewind, 0, "")
    table.tick()
    for name in table.people:
        table.mails(name)

    gm(table, moderation.draw, f"deal {card}", "")
    table.tick()

    said = text_of(table.mail("Bob")).replace("\n", " ")
    assert "The game master chose a draw" in said
    assert f"deal {card}" not in said
    assert f"deal {card}" in text_of(table.mail("Ana")).replace("\n", " ")


def test_a_chosen_draw_is_named_by_verify_and_by_the_final_report(set_table: SetTable) -> None:
    table = seated(set_table)
    gm(table, moderation.pause, "")
    gm(table, moderation.rewind, 4, "")
    live = gm(table, moderation.draw, "draw silver", "dropped die")
    gm(table, moderation.resume, "")

    gm(table, moderation.finish, "")
    table.tick()

    assert verified(table)["drawn_by_gm"] == [live.position.seq]
    said = text_of(table.last("Bob")).replace("\n", " ")
    assert f"The game master chose these draws, here by their number in the export: {live.position.seq}." in said


def test_a_draw_that_chance_could_not_make_is_refused(set_table: SetTable) -> None:
    table = seated(set_table)
    gm(table, moderation.pause, "")
    gm(table, moderation.rewind, 4, "")
    before = dump(table.service.store)

    keys = [command(table, "gm", "play", "1", "--seat", "-1", text, "--json").refused for text in ("draw tin", "bid 3")]

    assert keys == ["grammar.word", "turn.not-asked"]
    assert dump(table.service.store) == before


def test_a_line_of_the_game_master_leaves_the_rest_of_the_plan(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Ana", "gorjeta: gorjeta 1")
    assert [one.key for one in holder(table, 0).plan] == ["bids.tip"]

    with table.service.store.write() as session:
        live = take_up(session, table.game)
        plan = plan_for(live, Seat(0), stake(table, "Ana"), table.service.own_templates)
        moderation.play_for(session, live, Seat(0), plan, "", table.now)

    assert [one.key for one in holder(table, 0).plan] == ["bids.tip", "bids.stake"]


def test_a_line_of_which_nothing_is_entered_or_kept_is_refused(set_table: SetTable) -> None:
    table = seated(set_table)
    before = dump(table.service.store)

    with pytest.raises(Refused, match=r"play\.not-played"):
        gm(table, moderation.play_for, Seat(0), (), "")

    assert dump(table.service.store) == before


def test_a_game_finished_without_a_result_has_no_winner_and_shows_its_seed(set_table: SetTable) -> None:
    table = seated(set_table)

    command(table, "gm", "finish", "1", "--void")
    table.tick()

    mail = table.mail("Bob")
    assert "without a result" in mail.subject
    assert table.live().game.seed.hex() in text_of(mail).replace("\n", "").replace(" ", "")
    assert " won." not in text_of(mail)
    shown = command(table, "game", "show", "1", "--json").json
    assert (shown["status"], shown["winners"]) == ("aborted", [])


@pytest.mark.parametrize("invited", [True, False])
def test_an_open_game_that_is_finished_was_never_played(set_table: SetTable, invited: bool) -> None:
    table = seated(set_table, start=False) if invited else set_table("Ana pt", "Bob en", start=False)

    command(table, "gm", "finish", "1", "--void", "--reason", "too few")
    table.tick()

    mail = said(table.mail("Bob"))
    assert table.live().game.status == "aborted"
    assert table.log() == []
    assert 'without a result. The reason: "too few".' in mail
    assert not [word for word in ("Will you play?", "accept", "Standings", "coins", "■") if word in mail]
    assert command(table, "game", "show", "1", "--json").json["standings"] == []


def test_a_message_to_one_seat_reaches_nobody_else(set_table: SetTable) -> None:
    table = seated(set_table)

    command(table, "gm", "message", "1", "Only for you", "--seat", "1")
    table.tick()

    assert "Only for you" in text_of(table.mail("Bob"))
    assert table.mails("Ana") == []


def test_a_reason_is_optional(set_table: SetTable) -> None:
    table = seated(set_table)

    command(table, "gm", "pause", "1")
    table.tick()

    assert "The reason" not in text_of(table.mail("Bob"))


def test_a_mail_of_a_paused_game_names_no_deadline(set_table: SetTable) -> None:
    table = seated(set_table)

    command(table, "gm", "pause", "1")
    table.tick()

    assert "Please answer by" not in text_of(table.mail("Bob"))


def test_a_letter_to_a_paused_game_is_told_that_its_lines_are_kept(set_table: SetTable) -> None:
    table = seated(set_table)
    command(table, "gm", "pause", "1")
    table.tick()
    table.mails("Bob")

    table.says("Bob", stake(table, "Bob"))

    assert "send them again" not in text_of(table.mail("Bob")).replace("\n", " ")


def test_an_imported_game_waits_until_its_seats_are_filled(set_table: SetTable) -> None:
    table = seated(set_table)
    file = table.folder / "game.txt"
    command(table, "game", "export", "1", "--full", "--reveal", "--output", str(file))
    command(table, "game", "import", str(file))

    assert command(table, "gm", "resume", "2", "--json").refused == "seat.empty"
    command(table, "gm", "replace", "2", "Ana <ana@players.test> pt", "--seat", "0")
    command(table, "gm", "replace", "2", "bot:random", "--seat", "1")
    assert command(table, "gm", "resume", "2", "--json").json["status"] == "running"
