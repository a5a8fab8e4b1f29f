"""
All words that can stand in a line of one title, and what each may mean.

A meaning is a *sense*: one word of the canonical texts, a hyphen parting two (`scroll-wagon` is scroll, wagon). The
seat's own language and the canonical words come first; the other languages fill what these leave open.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.grammar import Grammar, Verb
from pbem.lexicon import Lexicon, split_text
from pbem.reading.tokens import is_number, stem, words

ANYTHING = "*"
"""The sense of `any`."""

Phrase = tuple[str, ...]
Senses = frozenset[str]


class Token(Struct, frozen=True):
    """
    A word or phrase of a line, folded, and its senses; none: it is not known.

    `idle`     it is passed over where a move has no use for it: a small word that is an argument too ("travel a")
    `counted`  it stands as often as the number before it says
    """

    word: str
    senses: Senses
    idle: bool = False
    counted: bool = False

    @property
    def number(self) -> str:
        """Return the number that it stands for, in digits; "" if it may be something else."""
        return next(iter(self.senses)) if len(self.senses) == 1 and all(map(is_number, self.senses)) else ""


class Parts(Struct, frozen=True):
    """
    A canonical text as senses in their order.

    `unspoken`  places of those that a line never means without saying them
    `extra`     senses that a line may hold besides, which add nothing ("stage" in `use stage 2`)
    """

    text: str
    verb: str
    senses: tuple[str, ...]
    unspoken: tuple[int, ...]
    extra: Senses


class Glossary:
    """
    The words of one title in the languages given, the seat's own first.

    `persons`  the verbs that persons use: those that the words files name; `verbs` are their canonical words
    `kinds`    the families of arguments ("stage"), which by themselves tell nothing of a move
    """

    def __init__(self, grammar: Grammar[Any], lexicons: Sequence[Lexicon]) -> None:
        self.grammar = grammar
        self.lexicons = tuple(lexicons)
        named = frozenset(verb for lexicon in lexicons for verb in lexicon.orders.verbs)
        self.persons = tuple(verb for verb in grammar.verbs if verb.word in named)
        self.verbs = frozenset(verb.word for verb in self.persons)
        self.kinds = frozenset(arg.family for verb in grammar.verbs for arg in verb.args) - self.verbs
        self._noise = {
            verb.word: frozenset(chain.from_iterable(one.orders.noise.get(verb.word, ()) for one in lexicons))
            for verb in grammar.verbs
        }
        self._names = {
            verb: {verb, *(" ".join(words(one.orders.verbs[verb].one)) for one in lexicons if verb in one.orders.verbs)}
            for verb in self.verbs
        }
        own, others = lexicons[:1], lexicons[1:]
        kept = {words(word) for lexicon in own for word in lexicon.service.keep}
        self._layers = (
            _index(chain(_canonical(self.persons), *(_named(lexicon) for lexicon in own))),
            _index(_skipped(own)),
            _index(chain.from_iterable(_named(lexicon) for lexicon in others)),
            {phrase: skip for phrase, skip in _index(_skipped(others)).items() if phrase not in kept},
        )
        self._small = _letters(grammar) & (self._layers[1] | self._layers[3]).keys()
        self._lengths: dict[str, int] = {}
        for phrase in chain.from_iterable(self._layers):
            self._lengths[phrase[0]] = max(len(phrase), self._lengths.get(phrase[0], 1))
        self._parts: dict[str, Parts] = {}

    def tokens(self, text: str) -> tuple[Token, ...]:
        """Return the tokens of *text* without the words that are passed over; the longest known phrase wins."""
        found: list[Token] = []
        rest = words(text)
        while rest:
            length, meanings = self._longest(rest)
            found.extend(_as_tokens(rest[:length], meanings, idle=rest[:length] in self._small))
            rest = rest[length:]
        if found and found[-1].idle:  # an article, or an "and", never stands last
            found[-1] = replace(found[-1], idle=False)
        return tuple(found)

    def parts(self, text: str) -> Parts:
        """Return the canonical *text* as senses."""
        if text not in self._parts:
            self._parts[text] = self._split(text)
        return self._parts[text]

    def said_verbs(self, tokens: Sequence[Token]) -> Senses:
        """Return the canonical words of the verbs that *tokens* may name."""
        return frozenset(chain.from_iterable(token.senses for token in tokens)) & self.verbs

    def named_verbs(self, tokens: Sequence[Token]) -> Senses:
        """Return those of `said_verbs` that *tokens* call by the name we use ourselves, not by another word for it."""
        words = {token.word for token in tokens}
        return frozenset(verb for verb, names in self._names.items() if words & names)

    def explained(self, verb: Verb[Any]) -> Senses:
        """
        Return the senses that a move of *verb* explains though its text does not hold them.

        The verb may be said twice ("a child is born"), and one thing may be counted where no number is an argument.
        """
        counted = () if any(arg.numbers for arg in verb.args) else ("1",)
        return frozenset((verb.word, *(arg.family for arg in verb.args), *counted)) | self._noise[verb.word]

    def is_order_word(self, token: Token) -> bool:
        """Return whether *token* tells something of a move, by itself."""
        return bool(token.senses - self.kinds)

    def _longest(self, rest: Phrase) -> tuple[int, frozenset[Phrase]]:
        longest = max(self._lengths.get(word, 1) for word in (rest[0], stem(rest[0])))
        for length in range(min(longest, len(rest)), 0, -1):
            phrase = rest[:length]
            folded = tuple(map(stem, phrase))
            for layer in self._layers:
                if meanings := layer.get(phrase) or layer.get(folded):
                    return length, meanings
        return 1, frozenset({(rest[0],)}) if is_number(rest[0]) else frozenset()

    def _split(self, text: str) -> Parts:
        verb, values = split_text(self.grammar, text)
        senses, unspoken = [verb.word], [0] if verb.explicit else []
        for arg, value in values:
            parts = value.split("-")
            if value in arg.explicit:
                unspoken.extend(range(len(senses), len(senses) + len(parts)))
            senses.extend(parts)
        return Parts(text, verb.word, tuple(senses), tuple(unspoken), self.explained(verb))


@cache
def load_glossary(grammar: Grammar[Any], lexicons: tuple[Lexicon, ...]) -> Glossary:
    """Return the glossary of a title, made once for each choice of *lexicons*; the first is the seat's own."""
    return Glossary(grammar, lexicons)


def _letters(grammar: Grammar[Any]) -> frozenset[Phrase]:
    """Return the words of one letter that canonical texts hold."""
    return frozenset((word,) for verb in grammar.verbs for arg in verb.args for word in arg.words if len(word) == 1)


def _as_tokens(phrase: Phrase, meanings: frozenset[Phrase], *, idle: bool) -> Iterator[Token]:
    """
    Yield one token with every meaning of one word; if there is none, a token for each word of a longer meaning.

    What is passed over has the empty meaning; what nobody knows has none and yields a token all the same.
    """
    single = frozenset(meaning[0] for meaning in meanings if len(meaning) == 1)
    if single or not meanings:
        yield Token(" ".join(phrase), single, idle)
    else:
        yield from (Token(" ".join(phrase), frozenset({sense})) for sense in min(meanings))


def _canonical(verbs: Sequence[Verb[Any]]) -> Iterator[tuple[Phrase, Phrase]]:
    for verb in verbs:
        yield (verb.word,), (verb.word,)
        for arg in verb.args:
            yield from (((part,), (part,)) for word in arg.words for part in word.split("-"))


def _named(lexicon: Lexicon) -> Iterator[tuple[Phrase, Phrase]]:
    """Yield every word of *lexicon* that a move may hold, with its meaning."""
    yield from ((words(word), (ANYTHING,)) for word in lexicon.service.any)
    for digits, said in lexicon.service.numbers.items():
        yield from ((words(word), (digits,)) for word in said)
    for verb, name in lexicon.orders.verbs.items():
        yield from ((words(word), (verb,)) for word in name.words)
    for names in lexicon.names.values():
        for value, name in names.items():
            yield from ((words(word), tuple(value.split("-"))) for word in name.words)


def _skipped(lexicons: Sequence[Lexicon]) -> Iterator[tuple[Phrase, Phrase]]:
    for lexicon in lexicons:
        yield from ((words(word), ()) for word in (*lexicon.service.skip, *lexicon.orders.skip))


def _index(entries: Iterator[tuple[Phrase, Phrase]]) -> dict[Phrase, frozenset[Phrase]]:
    """Return the meanings of each phrase, as it is and without simple plurals."""
    found: dict[Phrase, frozenset[Phrase]] = {}
    plain: dict[Phrase, frozenset[Phrase]] = {}
    for phrase, meaning in entries:
        found[phrase] = found.get(phrase, frozenset()) | {meaning}
        folded = tuple(map(stem, phrase))
        plain[folded] = plain.get(folded, frozenset()) | {meaning}
    return {phrase: meanings for phrase, meanings in (plain | found).items() if phrase}
