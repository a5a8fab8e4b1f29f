"""What the command line prints: sentences for every reason, one JSON object, aligned columns."""

import ast
import re
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from engine.core.errors import LogError
from pbem.cli.output import columns, refusal, sentence
from pbem.clock import format_moment
from pbem.errors import Refused
from pbem.lexicon import template_root
from tests.contract.cli.schema import faults

ROOT = Path(__file__).parents[3]
RAISED = {"Refused", "Misuse", "SettingsError", "TryLater", "ConfigError", "TableError", "LogError", "GrammarError"}
INSIDE = {"bots.endless", "text.unprintable"}
"""Keys that never reach the command line."""


def errors() -> Iterator[tuple[str, str, set[str | None]]]:
    """Yield where an error is raised, its key, and the names of its fields."""
    files = [*(ROOT / "pbem").rglob("*.py"), *(ROOT / "engine" / "core").glob("*.py"), ROOT / "engine" / "registry.py"]
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED and node.args:
                keys = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
                for key in keys:
                    if isinstance(key, str) and "." in key:
                        yield f"{file.name}:{node.lineno}", key, {one.arg for one in node.keywords}


def sentences() -> dict[str, str]:
    table: dict[str, str] = tomllib.loads((template_root() / "words" / "en" / "cli.toml").read_text(encoding="utf-8"))[
        "errors"
    ]
    return table


def test_every_reason_has_a_sentence() -> None:
    assert {key for _, key, _ in errors()} - set(sentences()) - INSIDE == set()


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

    assert said.endswith("Possible now: none")


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
