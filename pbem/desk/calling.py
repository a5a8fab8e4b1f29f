"""What somebody who comes of his own accord is called at the table."""

import unicodedata
from pathlib import Path

from pbem.desk.words import fold, readers_words, words_for
from pbem.lobby import LONGEST_NAME

MOST_MARKS = 2
"""Marks above or below one letter; more of them run into the lines around."""


def clean_name(text: str, own: Path | None) -> str:
    """
    Return *text* as a name: one line of what can be seen, at most LONGEST_NAME characters; "" if it can be none.

    None are an address, a number, which is that of a seat, and what messages are addressed to: all, the game master.
    """
    if "@" in text:
        return ""
    name = ""
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind[0] not in "CZ" and marks <= MOST_MARKS and char not in '<>"':
            name += char
        elif char.isspace():
            name += " "
    name = " ".join(name.split())[:LONGEST_NAME].strip(" ,;:")
    folded = fold(name)
    kept = folded in readers_words("everybody", own) or folded in readers_words("master", own)
    is_named = any(unicodedata.category(char)[0] in "LS" for char in name)
    return name if is_named and not kept and words_for("joining", own).get(folded) != "kept" else ""
