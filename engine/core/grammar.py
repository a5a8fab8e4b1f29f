"""
Move text both ways, from one table.

A move is a frozen value and has one canonical text: the verb's word, then the arguments in their order,
joined by single spaces. `parse_move(format_move(m)) == m` for every move, and the other way round.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import Any, Generic, TypeVar

from msgspec import Struct

from engine.core.errors import GrammarError

M = TypeVar("M")

_NAME = re.compile(r"[a-z][a-z0-9.-]*\Z")
_NUMBER = re.compile(r"(0|-?[1-9][0-9]{0,8})\Z")


class Arg(Struct, frozen=True):
    """
    One argument of a verb, a field of its move.

    `words`     the closed vocabulary; empty with no `numbers`: any lower-case name
    `numbers`   lowest and highest whole number, both allowed
    `kind`      the family of names in the words files ("colour", "good"); the field's name if empty
    `optional`  leaves the text when the field is "" (a word) or 0 (a number)
    `explicit`  values that a sloppy line never means without saying them ("coin" where a cube would do)
    `many`      any number of values; the field is a tuple. Only the last argument can be `many`.
    """

    name: str
    words: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None
    kind: str = ""
    explicit: tuple[str, ...] = ()
    optional: bool = False
    many: bool = False

    @property
    def family(self) -> str:
        """Return the family of names that the values belong to."""
        return self.kind or self.name

    def fits(self, token: str) -> bool:
        """Return whether *token* can be a value of this argument."""
        if self.numbers is not None:
            return bool(_NUMBER.match(token)) and self.numbers[0] <= int(token) <= self.numbers[1]
        return token in self.words if self.words else bool(_NAME.match(token))

    def value(self, token: str) -> int | str:
        """Return the value that *token* stands for; it must fit."""
        return int(token) if self.numbers is not None else token


class Verb(Struct, Generic[M], frozen=True):
    """
    One kind of move.

    `decisions`  keys of the decisions that it answers
    `closes`     those of them that put a list of answers, which it ends (`pass` on a market day)
    `follows`    words of the verbs after which that list may come: a line that ends with one of them ends the list too
    `unless`     words of the verbs that are worth asking for: where one can be played, only a word ends such a list
    `leads`      words of the verbs that may be left out right after it: `steward market-3 market-5`
    `explicit`   a sloppy line never means it without its word
    `number`     the argument under whose value a list shows its moves ("total 8" is number 8); "" the next number
    """

    word: str
    move: type[M]
    args: tuple[Arg, ...] = ()
    decisions: tuple[str, ...] = ()
    closes: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    explicit: bool = False
    number: str = ""


class Grammar(Struct, Generic[M], frozen=True, dict=True):
    """The verbs of one title; each word and each kind of move stands once."""

    verbs: tuple[Verb[M], ...]

    @cached_property
    def _by_word(self) -> dict[str, Verb[M]]:
        return {verb.word: verb for verb in self.verbs}

    @cached_property
    def _by_move(self) -> dict[type[M], Verb[M]]:
        return {verb.move: verb for verb in self.verbs}

    def verb_of(self, move: M) -> Verb[M]:
        """Return the verb that *move* is written with."""
        return self._by_move[type(move)]

    def verb(self, word: str) -> Verb[M] | None:
        """Return the verb written *word*, or None."""
        return self._by_word.get(word)

    def listed(self, texts: Sequence[str]) -> Mapping[int, str]:
        """
        Return the canonical *texts* of a list by the number under which each is shown, the lowest first.

        Moves of a verb with a `number` have their own; the others have 1, 2, … without what such a number could be.
        """
        own: dict[int, str] = {}
        others: list[str] = []
        taken: set[int] = set()
        for text in texts:
            verb = self._by_word[text.split(" ", 1)[0]]
            if verb.number:
                own[getattr(self.parse_move(text), verb.number)] = text
                taken.update(_possible(next(arg for arg in verb.args if arg.name == verb.number)))
            else:
                others.append(text)
        free = (number for number in count(1) if number not in taken)
        return dict(sorted({**own, **dict(zip(free, others, strict=False))}.items()))

    def format_move(self, move: M) -> str:
        """Return the canonical text of *move*."""
        verb = self.verb_of(move)
        tokens = [verb.word]
        for arg in verb.args:
            value = getattr(move, arg.name)
            if arg.many:
                tokens.extend(str(one) for one in value)
            elif not (arg.optional and value in ("", 0)):
                tokens.append(str(value))
        return " ".join(tokens)

    def parse_move(self, text: str) -> M:
        """
        Return the move that the canonical *text* stands for.

        Raises: GrammarError with what was expected; nothing is guessed here.
        """
        tokens = text.split(" ")
        if not text:
            raise GrammarError("grammar.empty")
        verb = self.verb(tokens[0])
        if verb is None:
            raise GrammarError("grammar.verb", word=tokens[0])
        values: dict[str, Any] = {}
        rest = tokens[1:]
        for arg in verb.args:
            if arg.many:
                count = next((n for n, token in enumerate(rest) if not arg.fits(token)), len(rest))
                values[arg.name] = tuple(arg.value(token) for token in rest[:count])
                rest = rest[count:]
            elif rest and arg.fits(rest[0]):
                values[arg.name] = arg.value(rest.pop(0))
            elif arg.optional:
                values[arg.name] = 0 if arg.numbers is not None else ""
            elif rest:
                raise GrammarError("grammar.word", verb=verb.word, word=rest[0], expected=arg.family)
            else:
                raise GrammarError("grammar.missing", verb=verb.word, expected=arg.family)
        if rest:
            raise GrammarError("grammar.rest", verb=verb.word, word=rest[0])
        return verb.move(**values)


def _possible(arg: Arg) -> range:
    """Return every number that *arg* can be."""
    assert arg.numbers is not None, "a list is numbered by a number"
    return range(arg.numbers[0], arg.numbers[1] + 1)
