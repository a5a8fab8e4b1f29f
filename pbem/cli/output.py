"""What commands print: plain text, or JSON with `"format": 1`."""

import os
import shutil
import sys
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.core.errors import EngineError
from pbem.errors import PbemError
from pbem.lexicon import template_root

FORMAT = 1
NARROWEST = 20
"""Columns that the last column gets at least."""


def print_json(values: Mapping[str, Any]) -> None:
    """Print *values* as one JSON object."""
    encoded = msgspec.json.format(msgspec.json.encode({"format": FORMAT, **values}, enc_hook=_plain), indent=2)
    print_text(encoded.decode())


def _plain(value: object) -> object:
    raise NotImplementedError(type(value))


def print_text(text: str) -> None:
    """Print *text* and a line end, at once: `watch` may write to a pipe."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def print_error(text: str) -> None:
    """Print *text* where errors go."""
    sys.stderr.write(text + "\n")


def sentence(error: PbemError | EngineError) -> str:
    """Return what the error says to the game master; a key without a sentence speaks for itself."""
    table = tomllib.loads((template_root() / "words" / "en" / "cli.toml").read_text(encoding="utf-8"))["errors"]
    pattern = table.get(error.key)
    values = {name: ", ".join(map(str, one)) if isinstance(one, tuple) else one for name, one in error.fields}
    values = {name: "none" if one == "" else one for name, one in values.items()}
    return str(pattern).format(**values) if pattern else f"pbem: {error}"


def refusal(error: PbemError | EngineError) -> dict[str, Any]:
    """Return the JSON of a refusal."""
    return {"refused": {"key": error.key, "fields": dict(error.fields)}}


def columns(rows: Sequence[tuple[object, ...]]) -> str:
    """Return *rows* as aligned columns, two spaces between them; on a terminal the last column keeps to its width."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[n]) for row in cells) for n in range(len(cells[0]) - 1)] if cells else []
    before = sum(widths) + 2 * len(widths)
    room = max(shutil.get_terminal_size().columns - before, NARROWEST) if is_terminal() else 0
    lines = []
    for row in cells:
        head = "".join(f"{cell.ljust(width)}  " for cell, width in zip(row[:-1], widths, strict=True))
        last = textwrap.wrap(row[-1], room) if room else [row[-1]]
        lines += [((head if n == 0 else " " * before) + part).rstrip() for n, part in enumerate(last or [""])]
    return "\n".join(lines)


def is_terminal() -> bool:
    """Return whether a person looks at a terminal."""
    return sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"
