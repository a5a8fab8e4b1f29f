"""The command line explains itself, and has every command that was promised."""

import os
import re
import subprocess
import sys
from typing import Any

import pytest
import typer

from pbem.cli.app import app
from tests.pbem.witness import pbem_run

PROMISED = {
    "": "demo mailserver init doctor tick fetch judge time send watch status tables backup restore purge upgrade "
    "game gm people mail",
    "game": "new open start bench list show log orders view verify export import replay site receipt",
    "gm": "preview pause resume extend clock rewind amend play replace finish message observe offer branch discard",
    "people": "list show change block unblock merge",
    "mail": "list show retry release drop",
}
DRY = (
    "gm pause",
    "gm resume",
    "gm extend",
    "gm clock",
    "gm rewind",
    "gm amend",
    "gm play",
    "gm replace",
    "gm finish",
    "gm message",
    "gm observe",
    "gm offer",
    "gm branch",
    "gm discard",
    "game import",
    "restore",
    "purge",
    "upgrade",
)
WITHOUT_REASON = {"gm message", "gm branch", "gm discard"}
"""Acts of the game master that tell the players nothing, or nothing but their words."""
PLAIN = {
    "game view",
    "game export",
    "mail show",
    "mail retry",
    "mail release",
    "mail drop",
    "init",
    "watch",
    "mailserver",
}


def commands() -> dict[str, Any]:
    """Return every command by the words that call it; groups too."""
    found: dict[str, Any] = {}
    waiting: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while waiting:
        before, one = waiting.pop()
        for name, command in getattr(one, "commands", {}).items():
            found[f"{before}{name}"] = command
            waiting.append((f"{before}{name} ", command))
    return found


def leaves() -> list[str]:
    """Return the words of every command that does something."""
    return sorted(name for name, command in commands().items() if not hasattr(command, "commands"))


@pytest.mark.parametrize("group", PROMISED)
def test_every_promised_command_is_there(group: str) -> None:
    wanted = {f"{group} {name}".strip() for name in PROMISED[group].split()}

    assert wanted <= set(commands())


def test_no_command_is_there_that_was_not_promised() -> None:
    promised = {f"{group} {name}".strip() for group, names in PROMISED.items() for name in names.split()}

    assert set(commands()) == promised


@pytest.mark.parametrize("name", leaves())
def test_every_command_and_all_it_takes_is_described(name: str) -> None:
    command = commands()[name]

    assert command.help
    assert command.help.rstrip().endswith(".")
    assert [one.name for one in command.params if not getattr(one, "help", "")] == []


@pytest.mark.parametrize("name", leaves())
def test_the_help_of_every_command_stands_alone(name: str) -> None:
    ran = pbem_run(*name.split(), "--help")

    assert ran.code == 0
    assert "Usage" in ran.out
    assert commands()[name].help.splitlines()[0][:40] in " ".join(ran.out.split())


@pytest.mark.parametrize("name", leaves())
def test_a_command_prints_json_or_has_a_reason_not_to(name: str) -> None:
    takes = any("--json" in one.opts for one in commands()[name].params)

    assert takes == (name not in PLAIN)


@pytest.mark.parametrize("name", DRY)
def test_what_changes_a_game_can_be_rehearsed(name: str) -> None:
    assert any("--dry-run" in one.opts for one in commands()[name].params)


@pytest.mark.parametrize("name", [name for name in DRY if name.startswith("gm") and name not in WITHOUT_REASON])
def test_an_act_takes_a_reason(name: str) -> None:
    assert any("--reason" in one.opts for one in commands()[name].params)


@pytest.mark.parametrize(
    "words", [["dance"], ["game", "dance"], ["game", "show"], ["game", "show", "one"], ["gm", "extend", "1"]]
)
def test_misuse_ends_with_2(words: list[str]) -> None:
    ran = pbem_run(*words)

    assert ran.code == 2
    assert ran.out == ""
    assert "Usage" in ran.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_complete_the_commands(shell: str) -> None:
    asked = {
        "_PBEM_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": "pbem gm re",
        "COMP_CWORD": "2",
        "_TYPER_COMPLETE_ARGS": "pbem gm re",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    program = "import sys; sys.argv[0] = 'pbem'; from pbem.cli.app import main; main()"

    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )

    assert set(re.findall(r"\bre\w+\b", done.stdout)) >= {"rewind", "replace", "resume"}
