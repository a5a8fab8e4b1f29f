"""The lines of one letter with what is known of each, for the signals that tell a person's words from the rest."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from pbem.mail import phrases
from pbem.mail.known import Known, KnownText, folded_names, words_of
from pbem.mail.lines import Line

Reason = Literal[
    "quote", "attribution", "signature", "footer", "known-text", "below-marker", "marker", "old-mail", "library"
]
"""`old-mail`: it reads like an order, and stands in an old mail that we do not know: nobody can tell whose it is."""

IsOrder = Callable[[str], bool]

OLD: frozenset[Reason | None] = frozenset({"quote", "known-text", "marker", "below-marker", "old-mail"})
"""The reasons of lines that stand in an old mail."""

ATTRIBUTION_LINES = 3
"""Lines over which an introduction of a quote is wrapped, at most."""

LONGEST_ATTRIBUTION = 300

_SHORT_WORDS = 8
_NUMBER = re.compile(r"\d+")
_ANSWER = re.compile(r"\W{0,3}\d{1,3}(?:\W{1,3}(?:\w{1,3}\W{1,3})?\d{1,3}){0,3}\W{0,3}")  # "2", "14 or 2"


class Sheet:
    """
    The lines of a letter, and the reason of each, None where the person wrote it.

    Shape: `texts` are the lines without space at their ends; `words` are as in `known`, empty within quotes; `kept` are
           places of orders that were found in an old mail and are not part of it.
    """

    def __init__(self, lines: Sequence[Line], known: Known, is_order: IsOrder | None) -> None:
        """Take non-empty *lines*; *known* and *is_order* as in `own_words`."""
        self.lines = lines
        self.texts = [line.text.strip() for line in lines]
        depths = [0, *(line.depth for line in lines), 0]
        self.words = [  # a quote is not looked up, but where the mark of its next line may be lost
            words_of(line.text) if not all(depths[index : index + 3]) else "" for index, line in enumerate(lines)
        ]
        self.reasons: list[Reason | None] = [None] * len(lines)
        self.kept: set[int] = set()
        self.known = KnownText(known.lines)
        self.names = folded_names(known.names)
        self._is_order = is_order
        self._orders: dict[int, bool] = {}

    def open(self) -> list[int]:
        """Return the lines that have no reason yet, nor need one."""
        return [i for i, reason in enumerate(self.reasons) if reason is None and i not in self.kept]

    def mark(self, indices: Iterable[int], reason: Reason) -> None:
        """Give those of the lines that have no reason yet, nor need one, this one."""
        for index in indices:
            if self.reasons[index] is None and index not in self.kept:
                self.reasons[index] = reason

    def is_sure(self, index: int) -> bool:
        """Return whether the line reads like an order."""
        if self._is_order is None or self.lines[index].depth:
            return False
        if index not in self._orders:
            self._orders[index] = self._is_order(self.texts[index])
        return self._orders[index]

    def may_be_order(self, index: int) -> bool:
        """Return whether the line reads like an order or, where nobody can tell, is short."""
        return _is_short(self.texts[index]) if self._is_order is None else self.is_sure(index)

    def is_clear(self, index: int, *, numbers: bool) -> bool:
        """Return whether the line reads like an order without its numbers, or, with *numbers*, holds nothing else."""
        if not self.is_sure(index):
            return False
        text = self.texts[index]
        if not _NUMBER.search(text):
            return True
        if _ANSWER.fullmatch(text):
            return numbers
        assert self._is_order is not None
        return self._is_order(_NUMBER.sub(" ", text))

    def is_introduction(self, lines: Sequence[int]) -> bool:
        """Return whether *lines* together introduce a quote; where one reads like an order it takes a clearer sign."""
        text = " ".join(self.texts[index] for index in lines)
        if len(text) > LONGEST_ATTRIBUTION or not phrases.is_introduction(text, self.names):
            return False
        if not any(self.is_sure(index) for index in lines):
            return True
        return phrases.has_verb(text) or phrases.ADDRESS.search(text) is not None or self.is_named(text)

    def is_named(self, text: str) -> bool:
        """Return whether *text* names us."""
        folded = phrases.fold(text)
        return any(name in folded for name in self.names)


def _is_short(text: str) -> bool:
    """Return whether *text* may be an order where nobody can tell: a few words that do not end like prose."""
    return len(text.split()) <= _SHORT_WORDS and not text.endswith((",", ".", ":", ">")) and "@" not in text
