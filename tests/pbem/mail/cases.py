"""The letters in `tests/mail` with what is expected of them, and the small grammar that their orders follow."""

import re
import tomllib
from functools import cache
from pathlib import Path

from msgspec import Struct, convert

from pbem.mail.letter import Letter, read_letter

FOLDER = Path(__file__).parents[2] / "mail"
KEY = b"test key"
KNOWN = tuple((FOLDER / "answered.txt").read_text(encoding="utf-8").splitlines())
_ORDER = re.compile(r"(?:\w+: )?(?:take|enter|build|pass)\b[^:]*(?:: \w.*)?|\d+")


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """What is expected of one letter; see the head of `verdicts.toml`."""

    written: list[str] | None = None
    reasons: list[str] | None = None
    kind: str = "normal"
    verdict: str = "accept"
    key: str = "tag.valid"
    problems: list[str] = []
    attachments: list[tuple[str, list[str]]] = []
    bounce: tuple[str, str, str, str] | None = None
    person: int = 1


@cache
def cases() -> dict[str, Case]:
    """Return all cases by name."""
    table = tomllib.loads((FOLDER / "verdicts.toml").read_text(encoding="utf-8"))
    return convert(table, dict[str, Case])


def raw_of(name: str) -> bytes:
    """Return the bytes of the letter *name*."""
    return (FOLDER / f"{name}.eml").read_bytes()


def letter_of(name: str) -> Letter:
    """Return the letter *name*."""
    return read_letter(raw_of(name))


def is_order(line: str) -> bool:
    """Return whether *line* reads like an order in these letters."""
    return _ORDER.fullmatch(line) is not None
