"""Text to tokens: case, accents, punctuation, dashes and plurals are folded, so that what looks alike is alike."""

import re
import unicodedata
from functools import lru_cache

_DASHES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-") | dict.fromkeys("\u2018\u2019\u201a`\u00b4", "'")
)
_SPACE = re.compile(r"\s")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_WORD = re.compile(r"[^\W_]+")
_TIMES = re.compile(r"([0-9]{1,2})x|x([0-9]{1,2})")
_SHORT = 3
_FOUR, _SIX = 4, 6


def fold(text: str) -> str:
    """Return *text* in lower case, without accents, with plain dashes, quotes and spaces."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    plain = plain.translate(_DASHES).casefold()
    if not plain.isascii():
        plain = "".join(one for one in unicodedata.normalize("NFD", plain) if not unicodedata.combining(one))
    return _SPACE.sub(" ", plain)


def words(text: str) -> tuple[str, ...]:
    """Return the folded words and numbers of *text*: `Take 2x São-João!` gives take, 2, sao, joao."""
    found = _WORD.findall(_APOSTROPHE.sub("", fold(text)))
    return tuple("".join(times.groups("")) if (times := _TIMES.fullmatch(word)) else word for word in found)


def stem(word: str) -> str:
    """Return *word* without the ending of a simple plural."""
    if len(word) > _SHORT and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def is_number(word: str) -> bool:
    """Return whether *word* is a whole number in plain digits."""
    return word.isascii() and word.isdigit()


@lru_cache(maxsize=20_000)
def distance(one: str, other: str) -> int:
    """Return how many letters must be changed, put in, left out, or exchanged with their neighbour."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        last, row, older = row, [i], before
        for j, b in enumerate(other, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        before = last
    return row[-1]


def slips(word: str) -> int:
    """Return how many slips still leave *word* to be known again."""
    return (len(word) >= _FOUR) + (len(word) >= _SIX)
