"""Words that are nearly a command: what may have been meant, for a letter in which no order was found."""

from pathlib import Path

from pbem.desk.words import command_words, fold
from pbem.reading.tokens import distance, slips

MOST_WORDS = 2
MOST_SHOWN = 3


def near_commands(text: str, own: Path | None) -> list[str]:
    """Return the commands whose words, in any language, are nearly *text*, the nearest first; none for more words."""
    words = fold(text).split()
    if not 1 <= len(words) <= MOST_WORDS or not all(word.isalpha() for word in words[:1]):
        return []
    found: dict[str, int] = {}
    for known, command in command_words(own):
        word = known.rstrip("?")
        wrong = distance(" ".join(words[: len(word.split())]), word)
        if 0 < wrong <= slips(word.replace(" ", "")):
            found[command] = min(wrong, found.get(command, wrong))
    best = sorted(found, key=lambda command: (found[command], command))
    return [command for command in best if found[command] == found[best[0]]][:MOST_SHOWN]
