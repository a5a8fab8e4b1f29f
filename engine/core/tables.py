"""Component tables: TOML bytes to frozen values, with a digest, and the source and status of each block."""

import hashlib
import tomllib
from functools import lru_cache
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from engine.core.errors import TableError

T = TypeVar("T")

Status = Literal["printed", "reported", "ours"]
"""`printed`: from the published rules or components; `reported`: somebody says so; `ours`: found nowhere, set by us."""


class Tables(Struct, frozen=True):
    """
    The component tables of one game as they were given.

    `digest`  SHA-256 of the text, as `sha256:` and 64 hexadecimal digits
    """

    text: str
    digest: str


class Provenance(Struct, frozen=True):
    """Where the values of one block come from."""

    block: str
    status: Status
    source: str


@lru_cache(maxsize=32)
def load_tables(raw: bytes) -> Tables:
    """
    Return *raw*, UTF-8 TOML, as tables.

    Raises: TableError `table.text` if it is no TOML.
    """
    try:
        text = raw.decode("utf-8")
        tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TableError("table.text", detail=str(error)) from error
    return Tables(text, "sha256:" + hashlib.sha256(raw).hexdigest())


def read_tables(tables: Tables, kind: type[T]) -> T:
    """
    Return *tables* as a value of the title's own frozen type; the same one whenever they are the same.

    Raises: TableError `table.value` that names the first wrong place.
    """
    value: T = _read(tables, kind)  # type: ignore[arg-type] # every class is hashable
    return value


@lru_cache(maxsize=32)
def _read(tables: Tables, kind: type[T]) -> T:
    try:
        return msgspec.convert(tomllib.loads(tables.text), kind)
    except msgspec.ValidationError as error:
        raise TableError("table.value", detail=str(error)) from error


def holds_ours(tables: Tables) -> bool:
    """Return whether some value of *tables* was found nowhere and is ours."""
    return any(one.status == "ours" for one in provenance(tables))


def provenance(tables: Tables) -> tuple[Provenance, ...]:
    """Return source and status of every block that states one, in the order of the file."""
    found: list[Provenance] = []

    def walk(value: object, path: str) -> None:
        if isinstance(value, dict):
            if "status" in value and "source" in value:
                found.append(Provenance(path, value["status"], value["source"]))
            for name, inner in value.items():
                walk(inner, f"{path}.{name}" if path else name)
        elif isinstance(value, list):
            for number, inner in enumerate(value):
                name = inner.get("id", number) if isinstance(inner, dict) else number
                walk(inner, f"{path}.{name}")

    walk(tomllib.loads(tables.text), "")
    return tuple(found)
