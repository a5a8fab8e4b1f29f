"""Words that are nearly a command: what may have been meant, for a letter in which no order was found."""

from pathlib import Path

from pbem.desk.words import command_words, fold, words_for
from pbem.reading.tokens import distance, slips

MOST_WORDS = 2
MOST_SHOWN = 3

FAR = frozenset({"join", "word", "bench"})
"""Commands whose words differ by a letter from words of moves: coin, wood, branco."""


def near_commands(text: str, own: Path | None) -> list[str]:
    """Return the commands that *text* nearly is, or often means, in any language, the nearest first; else none."""
    words = fold(text).split()
    meant = words_for("meant", own)
    if command := meant.get(" ".join(words)) or (meant.get(words[0]) if 0 < len(words) <= MOST_WORDS else ""):
        return [command]
    if not 1 <= len(words) <= MOST_WORDS or not all(word.isalpha() for word in words[:1]):
        return []
    found: dict[str, int] = {}
    for known, name in command_words(own):
        if name in FAR:
            continue
        word = known.rstrip("?")
        wrong = distance(" ".join(words[: len(word.split())]), word)
        if 0 < wrong <= slips(word.replace(" ", "")):
            found[name] = min(wrong, found.get(name, wrong))
    best = sorted(found, key=lambda command: (found[command], command))
    return [command for command in best if found[command] == found[best[0]]][:MOST_SHOWN]
