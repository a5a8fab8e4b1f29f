"""The letters beside this file, with what is expected of each."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from engine import registry
from pbem.desk.counter import order_reader
from pbem.gate.chain import Ruling, judge
from pbem.gate.checks import JudgedTag, LetterFacts
from pbem.gate.tags import find_tags, is_valid
from pbem.lexicon import languages, load_lexicon
from pbem.mail.letter import Letter, read_letter
from pbem.mail.quotes import IsOrder, Known, OwnWords, own_words, read_known
from pbem.reading.glossary import load_glossary

FOLDER = Path(__file__).parent
CASES = FOLDER / "cases"
CLIENTS = FOLDER / "clients"
KEY = b"test key"
_TOY_ORDER = re.compile(r"(?:\w+: )?(?:take|enter|build|pass)\b[^:]*(?:: \w.*)?|\d+")


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """
    What is expected of one letter.

    Shape: `written` are the person's own lines, `reasons` the set of reasons of the others; `answers` names the mail in
           `answered/`; `difficulties` say in a few words each what is hard about it. The rest is as in the gate.
    """

    written: list[str] | None = None
    reasons: list[str] | None = None
    kind: str = "normal"
    verdict: str = "accept"
    key: str = "tag.valid"
    problems: list[str] = []
    attachments: list[tuple[str, list[str]]] = []
    bounce: tuple[str, str, str, str] | None = None
    person: int = 1
    answers: str = ""
    difficulties: list[str] = []


class Client(Struct, frozen=True):
    """A mail client: how it is called, where its manner can be seen, and its letters."""

    name: str
    sources: tuple[str, ...]
    letters: dict[str, Case]


class Seen(Struct, frozen=True):
    """What became of one letter."""

    letter: Letter
    words: OwnWords
    ruling: Ruling


@cache
def cases() -> dict[str, Case]:
    """Return the single troubles by name."""
    table = tomllib.loads((CASES / "verdicts.toml").read_text(encoding="utf-8"))
    return convert(table, dict[str, Case])


@cache
def rows() -> dict[str, list[str]]:
    """Return what shows each trouble of real mail that we know of: letters of `cases/`, tests as pytest names them."""
    return convert(tomllib.loads((FOLDER / "rows.toml").read_text(encoding="utf-8")), dict[str, list[str]])


@cache
def clients() -> dict[str, Client]:
    """Return the mail clients by the name of their folder."""
    return {path.parent.name: _client(path) for path in sorted(CLIENTS.glob("*/letters.toml"))}


def _client(path: Path) -> Client:
    table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return Client(table.pop("client"), tuple(table.pop("sources")), convert(table, dict[str, Case]))


@cache
def client_letters() -> dict[str, Case]:
    """Return all letters of clients as `client/letter`."""
    return {f"{folder}/{name}": case for folder, one in clients().items() for name, case in one.letters.items()}


def raw_of(name: str) -> bytes:
    """Return the bytes of a letter, named as in `cases` or `client_letters`."""
    return ((CLIENTS if "/" in name else CASES) / f"{name}.eml").read_bytes()


def letter_of(name: str) -> Letter:
    """Return the letter *name*."""
    return read_letter(raw_of(name))


@cache
def known_lines() -> tuple[str, ...]:
    """Return the lines of the mail that the single troubles answer."""
    return tuple((CASES / "answered.txt").read_text(encoding="utf-8").splitlines())


@cache
def known_mail(answered: str) -> Known:
    """Return the mail of `answered/` that a letter answers; a letter that answers none is held against the first."""
    return read_known((FOLDER / "answered" / f"{answered or 'village-en'}.eml").read_bytes())


def is_toy_order(line: str) -> bool:
    """Return whether *line* reads like an order in the single troubles."""
    return _TOY_ORDER.fullmatch(line) is not None


@cache
def reads_like_order() -> IsOrder:
    """Return the question of the desk for a game of Village, with the words of all languages."""
    lexicons = tuple(load_lexicon(one, "village", None) for one in sorted(languages()))
    return order_reader(load_glossary(registry.load("village").grammar, lexicons), None)


def facts_of(letter: Letter, person: int = 1) -> LetterFacts:
    """Return the facts of the gate; the tags are judged with KEY, epoch 0."""
    tags = tuple(JudgedTag(found.tag, found.carrier, is_valid(KEY, found.tag, 0)) for found in find_tags(letter))
    return LetterFacts(letter=letter, tags=tags, person=person or None, size=letter.size)


@cache
def seen(name: str) -> Seen:
    """Return what becomes of a client's letter, with the mail that it answers and the words of Village known."""
    case, letter = client_letters()[name], letter_of(name)
    words = own_words(letter, known_mail(case.answers), reads_like_order())
    return Seen(letter, words, judge(facts_of(letter, case.person)))


def faults(name: str) -> list[str]:
    """Return what differs from what is expected of a client's letter, in words; nothing if all is as it should be."""
    case, got = client_letters()[name], seen(name)
    pairs: list[tuple[str, object, object]] = [
        ("kind", case.kind, got.letter.kind),
        ("verdict", (case.verdict, case.key), (got.ruling.verdict, got.ruling.key)),
        ("problems", sorted(case.problems), sorted(got.letter.problems)),
        (
            "attachments",
            case.attachments,
            [(file.name, [line for line in file.lines if line]) for file in got.letter.attachments],
        ),
    ]
    if case.written is not None:
        pairs.append(("written", case.written, [line.text for line in got.words.written]))
    if case.reasons is not None:
        pairs.append(("reasons", sorted(set(case.reasons)), sorted({line.reason for line in got.words.ignored})))
    return [f"{what}: expected {wanted!r}, got {found!r}" for what, wanted, found in pairs if wanted != found]


def shape_of(name: str) -> tuple[object, ...]:
    """Return what makes a letter unlike all others: its tree, encodings, manner of quoting and words."""
    case, got = client_letters()[name], seen(name)
    return (_tree(raw_of(name)), tuple(line.reason for line in got.words.ignored), tuple(case.written or ()))


def _tree(raw: bytes) -> tuple[object, ...]:
    from email import message_from_bytes  # noqa: PLC0415 - another parser than ours, on purpose

    return tuple(
        (part.get_content_type(), part.get("Content-Transfer-Encoding", ""), str(part.get_param("charset")))
        for part in message_from_bytes(raw).walk()
    )
