"""Deputies: what they are told, what they may do, in whose name it stands; and nothing secret for anybody who plays."""

import re

import pytest
from msgspec import structs

from pbem.errors import SettingsError
from pbem.masters import masters_of
from pbem.notices import ALERTS, FOR_DEPUTIES
from pbem.settings import load_settings
from tests.pbem.office.desk import GM, RUI, alarm, all_acts, answers, in_language, mails_to, said, says, with_deputies
from tests.pbem.post.test_words import VALUES
from tests.pbem.table import Table
from tests.pbem.witness import SetTable, acts, seated

KEY = b"one key for both tables, 32 byte"
NONCE = re.compile(rb"(?<=\.)[0-9a-f]{8,}(?=@)|(?<==_pbem_)[0-9a-f]+")
LETTERS = (
    "status", "games", "show 1", "help", "situação", "rewind 1 to 3", "rewind 1 to 4000", "finish 1", "void 1",
    "replace 1 Bob with Eva <eva@players.test>", "block Bob", "extend 1 24h", "message 1 Hi", "offer 1 Bob", "pause 1",
    "resume 1", "clock 1 48h + 5d", "foo", "release 1", "drop mail 1", "confirm",
)  # fmt: skip


@pytest.mark.parametrize("key", ALERTS)
def test_deputies_get_the_alerts_that_want_an_act_each_in_his_language(set_table: SetTable, key: str) -> None:
    table = seated(set_table)
    with_deputies(table, f"Rui <{RUI}> pt", "Eva <eva@deputies.test>")
    values = {
        "error": "x", "code": 550, "text": "no", "reason": "rate", "bot": True, "former": "Bob", "numbers": [1],
        "message": "Hi", "address": "a@b.test", "begun": "2026-03-01T10:00:00Z", "ended": "2026-03-01T12:00:00Z",
        "tried": True, "never": False,
    }  # fmt: skip

    mail = alarm(table, key, **{name: values.get(name, VALUES.get(name, 1)) for name in ALERTS[key]})

    theirs = [mails_to(table, RUI), mails_to(table, "eva@deputies.test")]
    assert mail.header("X-PBEM-Kind") == "alert"
    assert [len(one) for one in theirs] == ([1, 1] if key in FOR_DEPUTIES else [0, 0])
    for one, words in zip(theirs if key in FOR_DEPUTIES else [], ("escreva acima", "write above"), strict=False):
        assert words in said(one)


def test_what_a_player_writes_to_the_game_master_is_for_him_alone(set_table: SetTable) -> None:
    table = seated(set_table)
    with_deputies(table, f"Rui <{RUI}> pt")

    table.says("Bob", "tell gm: This is for you alone.")

    assert "This is for you alone." in said(mails_to(table)[-1])
    assert mails_to(table, RUI) == []


def test_a_deputy_acts_in_his_own_name_and_is_answered_alone(set_table: SetTable) -> None:
    table = seated(set_table, digest="08:00")
    with_deputies(table, f"Rui <{RUI}> pt")
    alarm(table)
    to_gm = len(mails_to(table))

    done = answers(table, "pausar 1\nmotivo: férias", RUI)
    (question,) = answers(table, "encerrar 1", RUI)
    says(table, "confirmo", RUI, to=question)

    assert [(one.who, one.what) for one in acts(table)] == [
        ("deputy Rui by mail", "pause"),
        ("deputy Rui by mail", "finish"),
    ]
    assert "O jogo 1 está em pausa. Avisados: Ana e Bob." in said(done)
    assert len(mails_to(table)) == to_gm
    assert "The game is paused" in said(table.mails("Bob")[0])


def test_the_digest_names_what_deputies_did(set_table: SetTable) -> None:
    from datetime import timedelta  # noqa: PLC0415

    from pbem.digest import note_digest  # noqa: PLC0415

    table = seated(set_table, digest="08:00")
    with_deputies(table, f"Rui <{RUI}> pt")
    alarm(table)
    note_digest(table.service, table.now)
    says(table, "pausar 1", RUI)
    says(table, "retomar 1", GM, to=mails_to(table)[0])
    table.now += timedelta(days=1)
    note_digest(table.service, table.now)
    table.tick()

    told = said(mails_to(table)[-1])
    assert "Done by deputies: - Rui: paused (game 1, Bids)" in told
    assert "resumed" not in told
    assert not any(one.header("X-PBEM-Kind") == "digest" for one in mails_to(table, RUI))


def moves(table: Table, seat: str) -> list[str]:
    live = table.live()
    number = live.holders[list(table.people).index(seat)].seat
    return [live.ruleset.grammar.format_move(move) for move in live.ruleset.legal(live.position.state, number)]


def mailed(table: Table, address: str) -> list[bytes]:
    """Return all mails to a master, but for what makes their numbers unique."""
    return [NONCE.sub(b"", raw) for to, raw in table.server.taken if to == address]


@pytest.mark.parametrize(("title", "language"), [("bids", "en"), ("tiny_towns", "pt")])
def test_no_mail_to_a_master_tells_what_is_hidden(set_table: SetTable, title: str, language: str) -> None:
    pair = [set_table("Ana pt", "Bob en", "Caio pt", title=title, number=7) for _ in range(2)]
    for place, table in enumerate(pair):
        table.service = structs.replace(table.service, key=KEY)
        in_language(table, language)
        with_deputies(table, "Ana <ana@players.test> pt")
        table.tick()
        own = moves(table, "Bob")
        table.says("Bob", own[-1 if place else 0])
        alert = alarm(table)
        for text in LETTERS:
            says(table, text, to=alert)
        says(table, "show 1\nrewind 1 to 2", "ana@players.test")

    assert len(mailed(pair[0], GM)) > len(LETTERS) - 2
    assert mailed(pair[0], GM) == mailed(pair[1], GM)
    assert [one.fields for one in all_acts(pair[0])] == [one.fields for one in all_acts(pair[1])]


def written(folder: object, gm: str) -> str:
    return (
        '[mail]\naddress = "pbem@pbem.test"\n[gm]\naddress = "gm@pbem.test"\n'
        + gm
        + '\n[imap]\nhost = "h"\nuser = "u"\n'
        'password = "p"\n[smtp]\nhost = "h"\n'
    )


def test_deputies_stand_in_the_settings_or_in_the_environment(tmp_path: object) -> None:
    file = tmp_path / "pbem.toml"  # type: ignore[operator]
    file.write_text(written(tmp_path, 'deputies = ["Rui <rui@x.test> pt Europe/Lisbon", "eva <eva@x.test>"]'))

    listed = masters_of(load_settings(file, {}))
    above = masters_of(load_settings(file, {"PBEM_GM__DEPUTIES": "Zoe <zoe@x.test>; Ivo <ivo@x.test> en"}))

    assert [(one.name, one.address, one.language, one.zone, one.is_deputy) for one in listed] == [
        ("", "gm@pbem.test", "en", "UTC", False),
        ("Rui", "rui@x.test", "pt", "Europe/Lisbon", True),
        ("eva", "eva@x.test", "en", "UTC", True),
    ]
    assert [one.name for one in above[1:]] == ["Zoe", "Ivo"]


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ('["Rui"]', "settings.value"),
        ('["Rui <rui>"]', "settings.value"),
        ('["Rui <rui@x.test> klingon"]', "settings.value"),
        ('["Rui <gm@pbem.test>"]', "settings.value"),
        ('["Rui <rui@x.test>", "Eva <RUI@x.test>"]', "settings.value"),
        ('["Rui <pbem+x@pbem.test>"]', "settings.value"),
        ("[1]", "settings.type"),
    ],
)
def test_deputies_that_cannot_be_are_refused(tmp_path: object, value: str, key: str) -> None:
    file = tmp_path / "pbem.toml"  # type: ignore[operator]
    file.write_text(written(tmp_path, f"deputies = {value}"))

    with pytest.raises(SettingsError) as error:
        load_settings(file, {})

    assert (error.value.key, dict(error.value.fields)["key"]) == (key, "gm.deputies")
