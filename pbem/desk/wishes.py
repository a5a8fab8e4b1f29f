"""What somebody asks for who has no seat yet: a seat of an open game, or the list of them."""

from pathlib import Path

from msgspec import Struct

from pbem.desk.calling import clean_name
from pbem.desk.words import fold, language_code, language_of, match_command, number_in, words_for
from pbem.mail.letter import Letter
from pbem.mail.quotes import Known, own_words

COMMANDS = frozenset({"join", "games"})
"""What may be asked for without a seat."""

MOST_LINES = 20
"""Lines above it, a greeting and the like, that are passed over."""


class Wish(Struct, frozen=True):
    """
    What is asked for: a seat of *game*; 0: the list of open games.

    `language`  in which it is asked, "" where that cannot be told
    `name`      as it is to be read at the table; "" where the line names none
    `word`      for the dice
    """

    game: int = 0
    language: str = ""
    name: str = ""
    word: str = ""


def read_wish(letter: Letter, own: Path | None, known: Known | None = None) -> Wish | None:
    """Return what *letter*, which may answer the mail *known*, asks for first, in its text or its subject, or None."""
    texts = [one.text for one in own_words(letter, known or Known()).written][:MOST_LINES]
    for text in texts or [letter.subject]:
        name, rest = match_command(text, own)
        if name in COMMANDS:
            return read_join(text, rest, own) if name == "join" else Wish(language=language_of(text, name, own))
        if name:
            return None
    return None


def read_join(text: str, rest: str, own: Path | None) -> Wish:
    """Return what the line *text* asks for: behind its command stands *rest*, `13 pt as Bia, my word is sunflower`."""
    numbered = number_in(rest, own)
    if numbered is None:
        return Wish(language=language_of(text, "join", own))
    said = words_for("joining", own)
    tokens, word = split_word(numbered[1].split(), own)
    called = next((at for at, token in enumerate(tokens) if said.get(fold(token)) == "called"), len(tokens))
    spoken = [code for token in tokens[:called] if (code := language_code(token, own))]
    name = clean_name(" ".join(tokens[called + 1 :]), own)
    return Wish(numbered[0], spoken[0] if spoken else language_of(text, "join", own), name, word)


def split_word(tokens: list[str], own: Path | None) -> tuple[list[str], str]:
    """Return *tokens* up to what names a word for the dice, and that word; "" if none is named."""
    said = words_for("accepting", own)
    for at in range(len(tokens)):
        for end in range(len(tokens) - 1, at, -1):
            if said.get(fold(" ".join(tokens[at:end]).replace(":", ""))) == "word":
                return tokens[:at], " ".join(tokens[end:]).strip(" :.!,;\"'")
    return tokens, ""
