"""`pbem init`: a file that works, written once."""

import stat
import tomllib
from pathlib import Path

import pytest

from tests.pbem.witness import pbem_run

FLAGS = ("--address", "pbem@pbem.test", "--gm", "gm@pbem.test", "--imap-host", "imap.test", "--smtp-host", "smtp.test")


def test_init_writes_a_file_and_makes_the_store(tmp_path: Path) -> None:
    folder = tmp_path / "new"

    ran = pbem_run("init", str(folder), *FLAGS)

    settings = tomllib.loads((folder / "pbem.toml").read_text())
    assert ran.code == 0
    assert settings["mail"]["address"] == settings["imap"]["user"] == "pbem@pbem.test"
    assert settings["play"]["hold"] == "10m"
    assert stat.S_IMODE((folder / "pbem.toml").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "pbem.key").stat().st_mode) == 0o600
    assert pbem_run("--config", str(folder / "pbem.toml"), "game", "list").out.startswith("No games yet")


def test_init_never_writes_over_a_file(tmp_path: Path) -> None:
    pbem_run("init", str(tmp_path), *FLAGS)
    before = (tmp_path / "pbem.toml").read_text()

    ran = pbem_run("init", str(tmp_path), *FLAGS)

    assert ran.code == 1
    assert "is there already" in ran.err
    assert (tmp_path / "pbem.toml").read_text() == before


@pytest.mark.parametrize(
    ("pair", "section", "key", "value"),
    [
        ("play.clock=48h + 5d", "play", "clock", "48h + 5d"),
        ("play.hold=0", "play", "hold", "0"),
        ("imap.port=1143", "imap", "port", 1143),
        ("mail.shared=true", "mail", "shared", True),
        ("mail.name=2026", "mail", "name", "2026"),
        ("imap.password=1234", "imap", "password", "1234"),
    ],
)
def test_any_key_can_be_set(tmp_path: Path, pair: str, section: str, key: str, value: object) -> None:
    ran = pbem_run("init", str(tmp_path), *FLAGS, "--set", pair)

    assert ran.code == 0, ran.err
    assert tomllib.loads((tmp_path / "pbem.toml").read_text())[section][key] == value


@pytest.mark.parametrize(
    ("pair", "code", "said"),
    [
        ("mail.adress=x", 2, "mail.address"),
        ("nonsense", 2, "NAME=VALUE"),
        ("play.clock=soon", 2, "play.clock"),
        ("imap.port=seven", 2, "imap.port"),
        ("mail.shared=perhaps", 2, "mail.shared"),
    ],
)
def test_a_setting_that_cannot_be_leaves_no_file(tmp_path: Path, pair: str, code: int, said: str) -> None:
    ran = pbem_run("init", str(tmp_path), *FLAGS, "--set", pair)

    assert ran.code == code
    assert said in ran.err
    assert not (tmp_path / "pbem.toml").exists()
