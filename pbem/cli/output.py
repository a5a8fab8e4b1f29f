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
    """
    Return what the error says to the game master; a key without a sentence speaks for itself.

    A field `why` or `reason` that is the key of another refusal stands as that one's sentence. A reason of the rules
    stands in a note (`pbem.report.worded`).
    """
    table = _words("errors")
    said = next(iter(getattr(error, "__notes__", ())), "")
    if said and error.key not in table:
        return f"{said[:1].upper()}{said[1:]}."
    behind = dict(error.__cause__.fields) if isinstance(error.__cause__, EngineError) else {}
    fields = {**behind, **dict(error.fields), **({"reason": said} if said else {})}
    return _filled(table, error.key, fields) or f"pbem: {error}"


def told_word(key: str) -> str:
    """Return what the notice *key* is called where its words are for its reader alone; "" if anybody may read them."""
    table = _words("told")
    return table.get(key, table.get(key.partition(".")[0], ""))


def status_sentence(key: str, fields: Mapping[str, Any]) -> str:
    """Return the sentence of a problem that `pbem status` names."""
    return _filled(_words("status"), key, fields)


def _words(section: str) -> dict[str, str]:
    """Return one table of our words."""
    file = template_root() / "words" / "en" / "cli.toml"
    table: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))[section]
    return table


def _filled(table: Mapping[str, str], key: str, fields: Mapping[str, Any]) -> str:
    """Return the sentence of *key* with its *fields* in place; "" if it has none."""
    pattern = table.get(key, "")
    values = {name: ", ".join(map(str, one)) if isinstance(one, tuple) else one for name, one in fields.items()}
    for name in ("why", "reason"):
        if values.get(name) in table:
            values[name] = _filled(table, values[name], {**fields, name: ""}).rstrip(".")
    shown = {name: "none" if one == "" and f"{{{name}}}" in pattern else one for name, one in values.items()}
    return pattern.format(**shown)


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
