"""The contracts of the command line: one schema for each command that prints JSON."""

from typing import Any

import pytest
import typer

from pbem.cli.app import app
from tests.contract.cli.schema import faults, load_schema, names

SHARED = {"gm", "pass", "refusal"}
WITHOUT_A_FLAG = {"mailserver"}


def data_commands() -> set[str]:
    """Return the name of every command that takes `--json`."""
    found = set()
    waiting: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while waiting:
        before, one = waiting.pop()
        for name, command in getattr(one, "commands", {}).items():
            waiting.append((f"{before}{name}-", command))
            if any("--json" in parameter.opts for parameter in command.params):
                found.add(f"{before}{name}")
    return found


def test_each_data_command_has_its_schema() -> None:
    assert set(names()) - SHARED - WITHOUT_A_FLAG == data_commands()


@pytest.mark.parametrize("name", names())
def test_each_schema_is_described_and_speaks_of_format_1(name: str) -> None:
    schema = load_schema(name)

    assert schema["description"]
    if "$ref" not in schema and name not in WITHOUT_A_FLAG:
        assert schema["properties"]["format"] == {"const": 1}


def test_the_validator_finds_what_is_wrong() -> None:
    good = {"format": 1, "log": [{"seq": 1, "seat": -1, "text": None}]}

    assert faults("game-log", good) == []
    assert faults("game-log", {**good, "format": 2}) == ["$.format: 2 is not 1"]
    assert faults("game-log", {"format": 1}) == ["$: no log"]
    assert faults("game-log", {**good, "more": 1}) == ["$: more is unknown"]
    assert faults("game-log", {**good, "log": [{"seq": 0, "seat": True, "text": 3}]}) == [
        "$.log[0].seq: 0 is too small",
        "$.log[0].seat: True is no integer",
        "$.log[0].text: 3 is no ['string', 'null']",
    ]
