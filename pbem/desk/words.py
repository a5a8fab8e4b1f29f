"""The words of the commands, from `templates/words/<language>/desk.toml`."""

import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pbem.lexicon import base_language, languages, search_path

DESK, OFFICE = "desk.toml", "office.toml"
"""The words of players, and those of the game master."""

END = "end"
"""Nothing below it is read; below a message that has lines of its own it ends that."""

ALONE = {
    "decline": 2,
    "status": 2,
    "help": 2,
    "undo": 2,
    "undo_all": 2,
    "new_tag": 2,
    "end": 0,
    "resign": 2,
    "finish": 2,
    "pause": 2,
    "resume": 0,
    "rematch": 2,
    "back": 0,
    "rules": 3,
    "history": 3,
    "resend": 3,
    "stop": 3,
    "plain": 2,
    "reminders": 2,
    "quiet": 6,
    "digest": 5,
    "games": 0,
    "leave": 0,
    "word": 4,
    "bench": 3,
}
"""Commands that want nothing behind their word -> how many more words may follow before the line is a remark."""


NUMBERED = frozenset({"join"})
"""Commands behind whose word a number stands, or nothing, or the line is a remark: `join us later`."""

LABELS = frozenset({"watch"})
"""Commands whose word is a label of orders too: with a colon further on (`watch tavern: c3`) it is that."""

_CALL = re.compile(r"([^:,]{1,40})[:,](.*)", re.DOTALL)
"""A line that calls somebody: `Master, may I …`."""
Readers = Literal["everybody", "master", "between"]

_MARKS = re.compile(r"[,;.!]+(?=\s|$)")
_ASKED = re.compile(r"([^?]{1,40})\?+(.{0,80})", re.DOTALL)
"""A line with a word that asks: `end?`, `end? no`."""


def fold(text: str) -> str:
    """Return *text* in lower case, without accents, marks at its ends, and doubled spaces."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    return " ".join(plain.split()).strip(" .!,;?")


@cache
def command_words(own: Path | None) -> tuple[tuple[str, str], ...]:
    """Return (folded words, command) for every language, longest words first; those that ask end with `?`."""
    found: dict[str, str] = {}
    for language in languages():
        for name, words in _table(language, own)["commands"].items():
            for word in words:
                found.setdefault(fold(word) + "?" if is_asked(word) else fold(word) or word, name)
    return tuple(sorted(found.items(), key=lambda pair: (-len(pair[0]), pair[0])))


@cache
def readers_words(readers: Readers, own: Path | None) -> frozenset[str]:
    """Return the folded words for all players, for the game master, or between two names, in every language."""
    return frozenset(fold(word) for one in languages() for word in _table(one, own)[readers]["words"])


def shown_word(command: str, language: str, own: Path | None) -> str:
    """Return the word that mails in *language* show for *command*."""
    word: str = _table(language, own)["commands"][command][0]
    return word


def office_line(act: str, language: str, own: Path | None, **values: object) -> str:
    """Return a line that asks for *act* as the game master may write it; *values* fill its places."""
    line: str = _table(language, own, OFFICE)["lines"][act]
    return line.format(**values)


def office_sentence(key: str, language: str, own: Path | None) -> str:
    """Return the sentence that refuses the game master something, with places for its fields; "" if there is none."""
    sentence: str = _table(language, own, OFFICE)["refusals"].get(key, "")
    return sentence


def guest_name(language: str, own: Path | None) -> str:
    """Return what is called at the table, in *language*, who has no name that can be read."""
    name: str = _table(language, own)["joining"]["guest"][0]
    return name


def language_of(text: str, command: str, own: Path | None) -> str:
    """Return the language in which a word for *command* begins *text*; "" where several have it."""
    folded = f"{fold(text)} "
    found = [
        one
        for one in languages()
        if any(folded.startswith(f"{fold(word)} ") for word in _table(one, own)["commands"].get(command, ()))
    ]
    return found[0] if len(found) == 1 else ""


def language_code(text: str, own: Path | None) -> str:
    """Return the language that *text* names, by its code or its name: `pt-BR`, `português`; "" for none."""
    code = words_for("languages", own).get(fold(text)) or base_language(fold(text))
    return code if code in languages() else ""


def match_command(text: str, own: Path | None) -> tuple[str, str]:
    """Return the command that *text* begins with and the rest of the line; ("", text) if it is none."""
    call = _CALL.match(text)
    if call is not None and fold(call[1]) in readers_words("master", own):
        return "press", f"{call[1]}: {call[2]}"
    name, rest = _first_words(text, own)
    is_order = name in LABELS and ":" in rest
    if name in NUMBERED and rest and number_in(rest, own) is None:
        return "", text
    return ("", text) if is_order or len(rest.split()) > ALONE.get(name, len(rest)) else (name, rest)


def number_in(rest: str, own: Path | None) -> tuple[int, str] | None:
    """Return the number of a game that *rest* begins with, `13`, `#13`, `in game 13`, and what follows; None: none."""
    passed = words_for("joining", own)
    tokens = rest.split()
    while tokens and passed.get(fold(tokens[0])) == "passed":
        tokens = tokens[1:]
    found = re.fullmatch(r"#?([0-9]{1,9})[.,;:!?]*", tokens[0]) if tokens else None
    return None if found is None else (int(found[1]), " ".join(tokens[1:]))


def is_asked(word: str) -> bool:
    """Return whether a command's *word* is one only with its question mark: `end?` is not `end`."""
    return len(word) > 1 and word.endswith("?")


def match_invitation(text: str, own: Path | None) -> str:
    """Return `accept` or `decline` if *text* begins with words that mean it while an invitation is open, else ""."""
    folded = fold(_MARKS.sub(" ", text)) + " "
    for name in ("decline", "accept"):
        for language in languages():
            if any(folded.startswith(fold(word) + " ") for word in _table(language, own)["invitation"][name]):
                return name
    return ""


@cache
def words_for(section: str, own: Path | None, file: str = DESK) -> dict[str, str]:
    """Return the folded words of *section* in every language, each with what it stands for."""
    tables = [_table(language, own, file).get(section, {}) for language in languages()]
    return {fold(word): key for table in tables for key, words in table.items() for word in words}


def _first_words(text: str, own: Path | None) -> tuple[str, str]:
    asked = _ASKED.fullmatch(text.strip())
    if asked is not None and (name := dict(command_words(own)).get(f"{fold(asked[1])}?")):
        return name, asked[2].strip().lstrip(":,").strip()
    folded = fold(_MARKS.sub(" ", text)) or text.strip()
    for words, name in command_words(own):
        if folded == words:
            return name, ""
        for mark in (" ", ":"):
            if folded.startswith(words + mark):
                return name, _behind(text, words)
    return "", text


def _behind(text: str, words: str) -> str:
    """Return what stands in *text* behind as many words as *words* has, as it was written."""
    rest = text.strip()
    for _ in words.split():
        parts = rest.split(None, 1)
        head = parts[0]
        if ":" in head and head.index(":") < len(head) - 1:
            rest = head.split(":", 1)[1] + (" " + parts[1] if len(parts) > 1 else "")
        else:
            rest = parts[1] if len(parts) > 1 else ""
    return rest.strip().lstrip(":").strip()


@cache
def _table(language: str, own: Path | None, file: str = DESK) -> dict[str, dict[str, Any]]:
    for folder in search_path(own):
        path = folder / "words" / language / file
        if path.is_file():
            return tomllib.loads(path.read_text(encoding="utf-8"))
    raise FileNotFoundError(f"words/{language}/{file}")
