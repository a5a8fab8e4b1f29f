"""
The part of JSON Schema that our contracts use, read from the files beside this one.

`$ref` names another file; `type` may be a list; an object allows no property that is not named, unless
`additionalProperties` says what others are like.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FORMATS = {"date-time": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")}
KEYWORDS = {
    "$ref", "additionalProperties", "const", "description", "enum", "format", "items", "minimum", "pattern",
    "properties", "required", "type",
}  # fmt: skip


def names() -> list[str]:
    """Return the names of all schemas."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def load_schema(name: str) -> dict[str, Any]:
    """Return the schema with that *name*."""
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def faults(name: str, value: object) -> list[str]:
    """Return what in *value* is not as the schema *name* says, each with its place."""
    return list(_faults(load_schema(name), value, "$"))


def _faults(schema: dict[str, Any], value: object, place: str) -> Iterator[str]:
    unknown = set(schema) - KEYWORDS
    assert not unknown, unknown
    if "$ref" in schema:
        yield from _faults(load_schema(schema["$ref"].removesuffix(".json")), value, place)
    if "const" in schema and value != schema["const"]:
        yield f"{place}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is none of {schema['enum']}"
    kinds = schema.get("type", [])
    if kinds and _kind(value) not in ([kinds] if isinstance(kinds, str) else kinds):
        yield f"{place}: {value!r} is no {kinds}"
        return
    if isinstance(value, str):
        yield from _text_faults(schema, value, place)
    elif isinstance(value, int) and value < schema.get("minimum", value):
        yield f"{place}: {value} is too small"
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _faults(schema.get("items", {}), item, f"{place}[{number}]")
    elif isinstance(value, dict) and "$ref" not in schema:
        yield from _object_faults(schema, value, place)


def _text_faults(schema: dict[str, Any], value: str, place: str) -> Iterator[str]:
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        yield f"{place}: {value!r} does not look like {schema['pattern']}"
    if "format" in schema and not FORMATS[schema["format"]].fullmatch(value):
        yield f"{place}: {value!r} is no {schema['format']}"


def _object_faults(schema: dict[str, Any], value: dict[str, Any], place: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    yield from (f"{place}: no {name}" for name in schema.get("required", properties) if name not in value)
    others = schema.get("additionalProperties", False)
    for name, item in value.items():
        if name in properties:
            yield from _faults(properties[name], item, f"{place}.{name}")
        elif others is False:
            yield f"{place}: {name} is unknown"
        elif isinstance(others, dict):
            yield from _faults(others, item, f"{place}.{name}")


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    kinds = {int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return kinds[type(value)]
