"""What the command line prints: sentences for every reason, one JSON object, aligned columns."""

import ast
import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from engine.core.errors import EngineError, IllegalMoveError, LogError
from engine.registry import load, titles
from pbem.cli.output import columns, refusal, sentence
from pbem.clock import format_moment
from pbem.errors import Refused
from pbem.lexicon import template_root
from pbem.notices import REASONS
from pbem.report import worded
from tests.contract.cli.schema import faults
from tests.pbem.post.test_words import VALUES
from tests.pbem.witness import pbem_run

ROOT = Path(__file__).parents[3]
RAISED = {"Refused", "Misuse", "SettingsError", "TryLater", "PbemError", "ConfigError", "TableError", "LogError"}
OF_THE_RULES = {"GrammarError", "IllegalMoveError"}
"""Their keys have words in the files of the mails, which `pbem.report.worded` puts in."""
INSIDE = {"bots.endless", "words.missing"}
"""Keys that never reach the command line, unless by a fault of ours."""


def errors(kinds: set[str] = RAISED, *, in_office: bool = False) -> Iterator[tuple[str, str, set[str | None]]]:
    """Yield where an error is raised, its key, and the names of its fields: in the office, or everywhere else."""
    office = ROOT / "pbem" / "office"
    for file in [*(ROOT / "pbem").rglob("*.py"), *(ROOT / "engine").rglob("*.py")]:
        if file.is_relative_to(office) != in_office:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds and node.args:
                keys = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
                for key in keys:
                    if isinstance(key, str) and "." in key:
                        yield f"{file.name}:{node.lineno}", key, {one.arg for one in node.keywords}


def sentences() -> dict[str, str]:
    table: dict[str, str] = tomllib.loads((template_root() / "words" / "en" / "cli.toml").read_text(encoding="utf-8"))[
        "errors"
    ]
    return table


def reasons_of_the_rules() -> set[str]:
    """Return every key that has words in the files of the mails."""
    return set(REASONS).union(*(load(title).vocabulary.reasons for title in titles()))


def test_every_reason_has_a_sentence() -> None:
    assert {key for _, key, _ in errors()} - set(sentences()) - INSIDE == set()


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_reason_of_the_office_has_a_sentence_in_its_mails(language: str) -> None:
    text = (template_root() / "words" / language / "office.toml").read_text(encoding="utf-8")
    raised = {key for _, key, _ in errors(in_office=True)}

    assert raised
    assert raised - set(tomllib.loads(text)["refusals"]) == set()


def test_a_reason_of_the_rules_has_its_words_in_one_place_only() -> None:
    assert {key for _, key, _ in errors(OF_THE_RULES)} - reasons_of_the_rules() == set()
    assert reasons_of_the_rules() & set(sentences()) == set()


def test_no_sentence_is_there_that_nothing_asks_for() -> None:
    assert set(sentences()) - {key for _, key, _ in errors()} == set()


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        (
            "PLAY__CLOCK",
            "soon",
            "The setting play.clock cannot be used: Cannot read the time 'soon'; write for example 24h.",
        ),
        ("PLAY__TIMEZONE", "Lisbon", "The setting play.timezone cannot be used: There is no time zone 'Lisbon'; write"),
        ("PLAY__LANGUAGE", "xx", "There are no words in the language 'xx'; known: en, pt."),
        ("MAIL__ADDRESS", "nobody", "The setting mail.address cannot be used: Cannot read the address 'nobody'."),
        ("MAIL__NAME", "a\nb", "The setting mail.name cannot be used: It has to be one line of characters that"),
        ("IMAP__PORT", "0", "The setting imap.port cannot be used: Expected `int` >= 1."),
    ],
)
def test_a_setting_is_refused_with_the_reason_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    for name in ("mail.address", "gm.address", "imap.user"):
        monkeypatch.setenv(f"PBEM_{name.replace('.', '__').upper()}", "pbem@pbem.test")
    for name in ("imap.host", "smtp.host", "imap.password"):
        monkeypatch.setenv(f"PBEM_{name.replace('.', '__').upper()}", "x")
    monkeypatch.setenv(f"PBEM_{variable}", value)
    monkeypatch.chdir(tmp_path)

    ran = pbem_run("game", "list")

    assert ran.code == 2
    assert said in ran.err


@pytest.mark.parametrize("title", titles())
def test_what_a_title_says_to_a_move_stands_in_the_refusal(title: str) -> None:
    verb = next(one for one in load(title).grammar.verbs if one.args)
    values = {**VALUES, "verb": verb.word, "word": "x", "expected": verb.args[0].family, "key": verb.decisions[0]}
    for key, names in {**REASONS, **load(title).vocabulary.reasons}.items():
        with pytest.raises(Refused) as caught, worded(title, ("Ana", "Bob", "Cy", "Di")):
            raise Refused(key, **{name: values.get(name, 1) for name in names})

        assert not sentence(caught.value).startswith("pbem: "), key
        assert sentence(caught.value).endswith(".")


def fail_to_replay(text: str, error: EngineError) -> None:
    """Raise what the replay of a log does where an entry fails with *error*."""
    raise LogError("log.entry", seq=4, text=text, reason=error.key) from error


def test_an_entry_that_does_not_replay_is_told_with_what_the_rules_say() -> None:
    with pytest.raises(LogError) as caught, worded("bids"):
        fail_to_replay("bid 9", IllegalMoveError("bids.too-much", need=9, have=6))

    assert sentence(caught.value) == "Entry 4 ('bid 9') does not replay: this takes 9 coins, and 6 are there."


def test_an_entry_of_the_game_master_that_does_not_replay_is_told_likewise() -> None:
    with pytest.raises(LogError) as caught, worded("bids"):
        fail_to_replay("rewind 9", LogError("gm.rewind", to="9", last=3))

    assert sentence(caught.value).endswith("does not replay: The log cannot go back to entry 9; it ends at 3.")


def test_a_sentence_names_only_fields_that_its_reason_has() -> None:
    wrong = [
        (where, key)
        for where, key, fields in errors()
        if key in sentences() and None not in fields and set(re.findall(r"{(\w+)", sentences()[key])) - fields
    ]

    assert wrong == []


def test_a_reason_without_a_sentence_speaks_for_itself() -> None:
    assert sentence(Refused("no.such-key", game=3)) == "pbem: no.such-key game=3"


def test_a_field_without_a_value_is_named_none() -> None:
    said = sentence(Refused("play.refused", text="dance", reason="reader.unknown", possible=()))

    assert "possible: none." in said


def test_a_field_that_is_quoted_shows_that_it_is_empty() -> None:
    assert sentence(Refused("bot.unknown", bot="", known=("random",))) == "There is no bot ''; known: random."


@pytest.mark.parametrize(
    "error",
    [Refused("game.unknown", game=3), LogError("log.entry", seq=4, text="bid 9", reason="bids.too-much")],
    ids=["service", "engine"],
)
def test_a_refusal_is_json_of_its_contract(error: Refused | LogError) -> None:
    assert faults("refusal", {"format": 1, **refusal(error)}) == []


def test_a_moment_is_told_in_utc() -> None:
    lisbon = datetime(2026, 7, 1, 9, 30, tzinfo=timezone(timedelta(hours=1)))

    assert format_moment(lisbon) == "2026-07-01T08:30:00Z"
    assert format_moment(datetime(2026, 7, 1, 9, 30, 5, 999, tzinfo=UTC)) == "2026-07-01T09:30:05Z"
    assert format_moment(None) is None


def test_columns_are_aligned_and_have_no_blanks_at_their_end() -> None:
    assert columns([("a", "bb"), (100, 2), ("", "")]) == "a    bb\n100  2\n"
    assert columns([]) == ""
