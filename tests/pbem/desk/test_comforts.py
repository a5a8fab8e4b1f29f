"""Rules in short, a private note, plain mails, fewer mails, and words that are nearly a command."""

from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.desk.guessing import distance, near_commands
from pbem.mail.mime import parse_part
from pbem.store import people
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, command, holder, read_all, said, seated, stake, verified


def raw_to(table: Table, name: str) -> bytes:
    """Return the newest mail to *name*, as it went out."""
    return [raw for to, raw in table.server.taken if to == table.people[name].address][-1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rules", "Das 15|The Master Builder names a resource"),
        ("regras", "The Master Builder names a resource"),
        ("rules Lodge", "What the rules say|the villager goes to the Lodge"),
        ("rules xyzzy", "so here they are in full"),
    ],
)
def test_the_rules_come_in_short(set_table: SetTable, line: str, words: str) -> None:
    table = seated(set_table, "Ana pt", "Bob en", title="tiny_towns")

    table.says("Bob", line)

    mail = table.mail("Bob")
    assert mail.header("X-PBEM-Kind") == "help"
    assert mail.subject.endswith("Tiny Towns: the rules in short")
    assert words.rpartition("|")[2] in said(mail)
    assert ("The Master Builder names" in said(mail)) != (line == "rules Lodge")


def test_a_title_without_rules_in_short_says_so(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Ana", "regras")

    assert "Ainda não há aqui um resumo das regras de Lances." in said(table.mail("Ana"))


def test_help_names_every_command_with_the_readers_words(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Ana", "ajuda")
    table.says("Bob", "help")

    portuguese, english = said(table.mail("Ana")), said(table.mail("Bob"))
    for word in (
        "regras",
        "histórico",
        "reenviar",
        "nota",
        "simples",
        "silêncio",
        "lembretes",
        "parar e-mails",
        "ausente",
    ):
        assert f'"{word}' in portuguese
    for word in (
        "rules",
        "history",
        "resend",
        "note",
        "plain",
        "quiet",
        "reminders",
        "stop mail",
        "away",
        "resign",
        "end?",
    ):
        assert f'"{word}' in english


def test_a_note_stands_in_the_own_reports_and_nowhere_else(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", "note Ana bids high\nkeep the gold one\nreach me at bob@private.test")
    kept = said(table.mail("Bob"))
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))

    assert "Your note is kept, and only you can read it" in kept
    assert holder(table, 1).note == "Ana bids high\nkeep the gold one\nreach me at …@…"
    report = next(one for one in table.mails("Bob") if one.header("X-PBEM-Kind") == "report")
    assert "Your note Ana bids high keep the gold one" in said(report).replace("■ ", "")
    assert all("bids high" not in text_of(mail) for mail in table.mails("Ana"))
    assert "bids high" not in command(table, "game", "export", str(table.game), "--reveal").out
    assert "bids high" not in command(table, "game", "show", str(table.game), "--json").out
    assert verified(table)["verified"]


@pytest.mark.parametrize(
    ("show", "clear"), [("note", "note -"), ("nota", "nota apagar"), ("anotação", "anotação limpar")]
)
def test_a_note_is_shown_and_emptied(set_table: SetTable, show: str, clear: str) -> None:
    table = seated(set_table)
    table.says("Bob", "note look at Ana")
    read_all(table)

    table.says("Bob", show)
    shown = said(table.mail("Bob"))
    table.says("Bob", clear)

    assert "This is your note, which only you can read: look at Ana" in shown
    assert "Your note is empty now." in said(table.mail("Bob"))
    assert holder(table, 1).note == ""


def test_a_note_that_is_too_long_leaves_the_one_before(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "note short")
    read_all(table)

    table.says("Bob", "note " + "\n".join(["word " * 100] * 20))

    assert "at most 2000 can be kept" in said(table.mail("Bob"))
    assert holder(table, 1).note == "short"


def test_an_order_below_a_note_is_played(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"note watch Ana\n{stake(table, 'Bob')}")

    assert holder(table, 1).note == "watch Ana"
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


def test_who_takes_a_seat_over_finds_nothing_of_the_one_before(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "note mine alone\nreminders off\nwatch mine\nacks few")
    read_all(table)

    ran = command(table, "gm", "replace", str(table.game), "--seat", "1", "Cy <cy@players.test> en", "--reason", "left")

    assert ran.code == 0, ran.err
    after = holder(table, 1)
    assert (after.note, after.reminders, after.watch, after.acks) == ("", True, "normal", "all")


@pytest.mark.parametrize(
    ("on", "off"), [("plain", "plain off"), ("simples", "simples desligado"), ("Plain text", "plain: no")]
)
def test_plain_mails_have_no_tables_pictures_or_signs(set_table: SetTable, on: str, off: str) -> None:
    table = seated(set_table, "Ana pt", "Bob en", title="tiny_towns")

    table.says("Bob", f"{on}\nstatus")

    text = text_of(table.mail("Bob"))
    page = raw_to(table, "Bob")
    assert "From now on your mails come without pictures and tables" in " ".join(text.split())
    assert not {"■", "•", "\u2013", "\u2014"} & set(text)
    assert not any(line.lstrip().startswith("- ") for line in text.splitlines())
    assert b"<table" not in page
    assert b"image/png" not in page
    assert "1: " in text

    table.says("Bob", f"{off}\nstatus")

    assert "■" in text_of(table.last("Bob"))


def test_a_plain_reader_gets_every_kind_of_mail_plain(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Ana", "simples")
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))
    table.says("Bob", "tell Ana: hello there")
    table.says("Ana", "ajuda")

    mails = table.mails("Ana")
    assert {"help", "report", "press"} <= {mail.header("X-PBEM-Kind") for mail in mails}
    assert all("■" not in text_of(mail) for mail in mails)


@pytest.mark.parametrize("line", ["plain maybe", "reminders perhaps"])
def test_a_switch_that_says_neither_is_told(set_table: SetTable, line: str) -> None:
    table = seated(set_table)

    table.says("Bob", line)

    assert "so nothing was changed" in said(table.mail("Bob"))
    with table.service.store.read() as session:
        assert not people.get_person(session, holder(table, 1).person or 0).plain
    assert holder(table, 1).reminders


def test_stop_names_what_can_be_stopped_and_changes_nothing(set_table: SetTable) -> None:
    table = seated(set_table)
    before = table.live()

    table.says("Ana", "parar")
    table.says("Bob", "stop")

    portuguese, english = said(table.mail("Ana")), said(table.mail("Bob"))
    assert "Nada mudou ainda." in portuguese
    for line in ("lembretes desligados", "acompanhar meu", "respostas poucas", "silêncio 22-08", "ausente 10 dias"):
        assert line in portuguese
    for line in ("reminders off", "watch mine", "acks few", "quiet 22-08", "away 10 days", "resign"):
        assert line in english
    assert b"mailto:" in raw_to(table, "Bob")
    assert table.live() == before


@pytest.mark.parametrize(
    ("name", "title"), [("Bob", "bids"), ("Ana", "bids"), ("Ana", "my_village"), ("Bob", "my_village")]
)
def test_the_letter_that_the_unsubscribe_header_writes_is_read_as_stop(
    set_table: SetTable, name: str, title: str
) -> None:
    table = seated(set_table, title=title)
    before = table.log()
    header = table.last(name).header("List-Unsubscribe")
    link = urlsplit(header.strip("<>"))
    fields = parse_qs(link.query, strict_parsing=True)

    letter = table.letter(
        table.people[name].address, fields["body"][0], To=unquote(link.path), Subject=fields["subject"][0]
    )
    table.post(letter)
    table.tick()

    assert header.isascii()
    assert header[0] + header[-1] == "<>"
    assert len(header) < 900
    assert unquote(link.path) == "pbem@pbem.test"
    mail = table.mail(name)
    assert mail.header("X-PBEM-Kind") == "help"
    assert ("Nada mudou ainda." if name == "Ana" else "Nothing has been changed yet.") in said(mail)
    assert table.log() == before


@pytest.mark.parametrize(("word", "played"), [("stop", True), ("stop mail", False), ("unsubscribe", False)])
def test_stop_alone_is_an_order_where_it_answers_what_is_asked(set_table: SetTable, word: str, *, played: bool) -> None:
    table = seated(set_table, title="my_village")
    name = next(name for name, seat in (("Ana", 0), ("Bob", 1)) if seat in table.live().owed())
    table.says(name, "total 8 or total 6")
    assert [one.key for one in table.live().ruleset.pending(table.live().position.state)] == ["my.flags"]
    read_all(table)

    table.says(name, word)

    assert ("help" in {mail.header("X-PBEM-Kind") for mail in table.mails(name)}) is not played
    assert table.moves()[-1].endswith("done") is played


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("stauts", "status"),
        ("ajdua", "help"),
        ("histroy", "history"),
        ("regas", "rules"),
        ("reslend", "resend"),
        ("quiett 22-08", "quiet"),
        ("desistir", "resign"),
        ("Desisto!", "resign"),
        ("desistir sim", "resign"),
        ("quit", "resign"),
        ("I want to leave.", "resign"),
    ],
)
def test_a_slip_in_a_command_is_asked_back(set_table: SetTable, written: str, meant: str) -> None:
    table = seated(set_table)

    counts = table.says("Bob", written)

    assert f'"{written}": did you mean "{meant}"' in said(table.mail("Bob"))
    assert counts["refused"] == 1


def test_no_slip_is_seen_in_a_letter_with_orders(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Bob", f"stauts\n{stake(table, 'Bob')}")

    assert "did you mean" not in said(table.last("Bob"))
    assert [one.key for one in holder(table, 1).plan] == ["bids.stake"]


@pytest.mark.parametrize(
    "written", ["thanks Ana", "best Bob", "a whole sentence about the staus of it", "stake 99", "77"]
)
def test_what_is_no_slip_is_answered_as_ever(set_table: SetTable, written: str) -> None:
    table = seated(set_table)

    table.says("Bob", written)

    assert "did you mean" not in said(table.last("Bob"))


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("help", "help", 0),
        ("hlep", "help", 1),
        ("hel", "help", 1),
        ("helpp", "help", 1),
        ("halp", "help", 1),
        ("", "ab", 2),
        ("ca", "abc", 3),
    ],
)
def test_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert distance(one, other) == slips == distance(other, one)


def test_short_words_and_long_lines_are_never_guessed() -> None:
    assert near_commands("tr", None) == []
    assert near_commands("one two three", None) == []
    assert near_commands("", None) == []
    assert near_commands("new tga", None) == ["new_tag"]


def test_parts_of_a_plain_mail_are_two(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", "plain")

    part = parse_part(raw_to(table, "Bob"))

    assert part is not None
    assert b"multipart/alternative" in raw_to(table, "Bob")
