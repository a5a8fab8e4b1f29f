"""The index of golden games and the games themselves, as files."""

import hashlib
import json
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine import registry
from engine.core.export import Export, format_export, parse_export
from engine.core.tables import Tables, load_tables
from tests.games.watch import Situation

FOLDER = Path(__file__).parent


class Run(Struct, frozen=True):
    """
    What brings a game about.

    `players`  what all its bots like; `seats` how many there are
    `seed`     number of the game: dice and bots follow from it
    `words`    the players' words that the draws depend on
    `options`  of the game, as NAME=VALUE; the others have their defaults
    `stop`     after this entry the game master finishes the game; 0: it is played to its end
    """

    players: str
    seats: int
    seed: int
    words: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    stop: int = 0


class Golden(Struct, frozen=True):
    """
    One golden game.

    `run`      how it was found
    `shows`    situation -> the entry at which it happens
    `points`   of each seat at the end; `winners` the seats of the first rank
    `state`    SHA-256 of the encoded last state, hexadecimal
    """

    file: str
    run: Run
    shows: dict[str, int]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    state: str


class Index(Struct, frozen=True):
    """
    All golden games of a title.

    `without`  situation, heading of a ruling or item of the rule list -> why no game shows it
    """

    without: dict[str, str] = {}
    game: tuple[Golden, ...] = ()

    def shown(self) -> set[str]:
        """Return the situations that a game shows."""
        return {key for golden in self.game for key in golden.shows}


def titles() -> list[str]:
    """Return the titles that have golden games."""
    return sorted(path.parent.name for path in FOLDER.glob("*/index.toml"))


def situations(title: str) -> tuple[Situation, ...]:
    """Return all that golden games of *title* are looked through for."""
    parts = (
        import_module(f"tests.games.{title}.endings").ENDINGS,
        import_module(f"tests.games.{title}.rulings").RULINGS,
    )
    return tuple(situation for part in parts for situation in part)


def sections(title: str) -> tuple[str, ...]:
    """Return the sections of the RULES.md of *title*, about its end, in which every item needs a game."""
    found: tuple[str, ...] = import_module(f"tests.games.{title}.endings").SECTIONS_SHOWN
    return found


def load_index(title: str) -> Index:
    """Return the index of *title*."""
    return msgspec.convert(tomllib.loads((FOLDER / title / "index.toml").read_text()), Index)


def kept_tables(title: str) -> Tables:
    """Return the tables that the games of *title* stand on; the packaged ones while there are no games."""
    path = FOLDER / title / "components.toml"
    return load_tables(path.read_bytes()) if path.is_file() else registry.packaged_tables(title)


def load_export(title: str, file: str) -> Export:
    """Return the game in *file*."""
    return parse_export((FOLDER / title / file).read_text())


def state_digest(state: Any) -> str:
    """Return the SHA-256 of *state* as it is encoded."""
    return hashlib.sha256(msgspec.json.encode(state)).hexdigest()


def keep(title: str, golden: Golden, export: Export, tables: Tables) -> None:
    """Write a game and its place in the index."""
    folder = FOLDER / title
    (folder / golden.file).write_text(format_export(export))
    (folder / "components.toml").write_bytes(tables.text.encode())
    with (folder / "index.toml").open("a") as index:
        index.write(format_golden(golden))


def format_golden(golden: Golden) -> str:
    """Return *golden* as a part of the index."""
    run = msgspec.to_builtins(golden.run)
    told = {name: value for name, value in run.items() if value or name in {"players", "seats", "seed"}}
    lines = [
        "",
        "[[game]]",
        f"file = {json.dumps(golden.file)}",
        f"run = {{ {', '.join(f'{name} = {json.dumps(value)}' for name, value in told.items())} }}",
        f"points = {list(golden.points)}",
        f"winners = {list(golden.winners)}",
        f'state = "{golden.state}"',
        "[game.shows]",
        *(f'"{key}" = {seq}' for key, seq in golden.shows.items()),
    ]
    return "\n".join(lines) + "\n"
