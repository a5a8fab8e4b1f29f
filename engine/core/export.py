"""One game as one text file: a header, then `seq seat text`. Replay needs nothing else."""

import json
from typing import Any, TypeVar

from msgspec import Struct

from engine.core.dice import Dice
from engine.core.errors import LogError
from engine.core.log import Record, first_link, first_position, next_link, replay
from engine.core.ruleset import Ruleset, make_config
from engine.core.tables import Tables
from engine.core.types import Entry, Seat

S = TypeVar("S")

FORMAT = 1


class Header(Struct, frozen=True):
    """
    What a log stands on.

    `tables`       digest of the component tables; `tables_text` holds them where they are not the packaged ones
    `commitment`   SHA-256 of the seed, hexadecimal
    `words`        the players' words that the draws depend on, in seat order
    `seed`         hexadecimal; "" while the game runs
    `chain`        digest after the last entry, hexadecimal; "" while the game runs
    """

    ruleset: str
    rules: int
    seats: int
    options: tuple[tuple[str, str], ...]
    tables: str
    commitment: str
    words: tuple[str, ...] = ()
    tables_text: str = ""
    seed: str = ""
    chain: str = ""

    def constant_text(self) -> str:
        """Return the part of the header that never changes; the chain begins with it."""
        lines = [f"ruleset {self.ruleset}", f"seats {self.seats}"]
        lines += [f"option {name} {value}" for name, value in self.options]
        lines += [f"tables {self.tables}", f"commitment {self.commitment}"]
        lines += [f"word {json.dumps(word)}" for word in self.words]
        return "\n".join(lines) + "\n"


class Export(Struct, frozen=True):
    """A whole game: its header and its entries."""

    header: Header
    entries: tuple[Entry, ...]


def format_export(export: Export) -> str:
    """Return *export* as text."""
    header = export.header
    lines = [f"pbem-game {FORMAT}", f"rules {header.rules}", header.constant_text().rstrip("\n")]
    if header.tables_text:
        lines.append(f"tables-text {json.dumps(header.tables_text)}")
    lines += [f"{name} {value}" for name, value in (("seed", header.seed), ("chain", header.chain)) if value]
    lines.append("")
    lines += [f"{entry.seq} {entry.seat} {entry.text}" for entry in export.entries]
    return "\n".join(lines) + "\n"


def parse_export(text: str) -> Export:
    """
    Return the game that *text* holds.

    Raises: LogError `export.format`, `export.line` with the number of the first wrong line, `export.missing`.
    """
    lines = text.splitlines()
    if not lines or lines[0] != f"pbem-game {FORMAT}":
        raise LogError("export.format", expected=f"pbem-game {FORMAT}")
    values: dict[str, str] = {}
    options: list[tuple[str, str]] = []
    words: list[str] = []
    end = lines.index("") if "" in lines else len(lines)
    for number, line in enumerate(lines[1:end], start=2):
        try:
            name, value = line.split(" ", 1)
            if name == "option":
                options.append(_pair(value))
            elif name == "word":
                words.append(str(json.loads(value)))
            else:
                values[name] = str(json.loads(value)) if name == "tables-text" else value
        except ValueError as error:
            raise LogError("export.line", line=number, text=line[:80]) from error
    entries = tuple(_entry(number, line) for number, line in enumerate(lines[end + 1 :], start=end + 2))
    try:
        header = Header(
            ruleset=values.pop("ruleset"),
            rules=int(values.pop("rules")),
            seats=int(values.pop("seats")),
            options=tuple(options),
            tables=values.pop("tables"),
            commitment=values.pop("commitment"),
            words=tuple(words),
            tables_text=values.pop("tables-text", ""),
            seed=values.pop("seed", ""),
            chain=values.pop("chain", ""),
        )
    except KeyError as error:
        raise LogError("export.missing", name=str(error.args[0])) from error
    except ValueError as error:
        raise LogError("export.line", line=0, text="rules or seats") from error
    return Export(header, entries)


def _pair(value: str) -> tuple[str, str]:
    name, chosen = value.split(" ", 1)
    return name, chosen


def _entry(number: int, line: str) -> Entry:
    try:
        seq, seat, text = line.split(" ", 2)
        return Entry(int(seq), Seat(int(seat)), text)
    except ValueError as error:
        raise LogError("export.line", line=number, text=line[:80]) from error


def verify(ruleset: Ruleset[S, Any, Any], tables: Tables, export: Export) -> tuple[Record[S], ...]:
    """
    Return the record of every entry of *export*, all of it checked: moves always; with the seed also draws and chain.

    Raises: LogError `verify.tables`, `verify.seed`, `verify.chain`; what `replay` raises; ConfigError, TableError.
    """
    header = export.header
    if tables.digest != header.tables:
        raise LogError("verify.tables", expected=header.tables, found=tables.digest)
    config = make_config(header.seats, dict(header.options), allowed=ruleset.seats, options=ruleset.options)
    try:
        dice = Dice(bytes.fromhex(header.seed), header.words) if header.seed else None
    except ValueError as error:
        raise LogError("verify.seed", expected=header.commitment, found="") from error
    if dice is not None and dice.commitment != header.commitment:
        raise LogError("verify.seed", expected=header.commitment, found=dice.commitment)
    records = replay(ruleset, first_position(ruleset, config, tables), export.entries, dice)
    if dice is not None and header.chain:
        link = first_link(header.constant_text())
        for entry in export.entries:
            link = next_link(link, dice, entry)
        if link.hex() != header.chain:
            raise LogError("verify.chain", expected=header.chain, found=link.hex())
    return records
