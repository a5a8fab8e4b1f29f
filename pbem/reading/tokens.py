"""Text to tokens: case, accents, punctuation, dashes and plurals are folded, so that what looks alike is alike."""

import re
import unicodedata

_DASHES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-") | dict.fromkeys("\u2018\u2019\u201a`\u00b4", "'")
)
_SPACE = re.compile(r"\s")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_WORD = re.compile(r"[^\W_]+")
_TIMES = re.compile(r"([0-9]{1,2})x|x([0-9]{1,2})")
_SHORT = 3


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
