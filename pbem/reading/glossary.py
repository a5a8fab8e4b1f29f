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
from pbem.reading.tokens import distance, is_number, slips, stem, words

_STEM = 3
_LONGEST = 20
ANYTHING = "*"
"""The sense of `any`."""

Phrase = tuple[str, ...]
Senses = frozenset[str]


class Token(Struct, frozen=True):
    """
    A word or phrase of a line, folded, and its senses; none: it is not known.

    `idle`     it is passed over where a move has no use for it: a small word that is an argument too ("travel a")
    `counted`  it stands as often as the number before it says
    `own`      it is the number of the thing before it ("smithy 1"), which counts nothing
    """

    word: str
    senses: Senses
    idle: bool = False
    counted: bool = False
    own: bool = False

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
    `turns`    the decisions that a seat's own turn begins with
    `kinds`    the families of arguments ("stage"), which by themselves tell nothing of a move
    """

    def __init__(self, grammar: Grammar[Any], lexicons: Sequence[Lexicon]) -> None:
        self.grammar = grammar
        self.lexicons = tuple(lexicons)
        named = frozenset(verb for lexicon in lexicons for verb in lexicon.orders.verbs)
        self.persons = tuple(verb for verb in grammar.verbs if verb.word in named)
        self.verbs = frozenset(verb.word for verb in self.persons)
        self.turns = frozenset(lexicon.orders.turn for lexicon in lexicons if lexicon.orders.turn)
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
        self._endings = tuple(
            (ending, instead) for lexicon in lexicons for ending, instead in lexicon.service.endings.items()
        )
        self._first = _first_of(grammar)
        self._small = _letters(grammar) & (self._layers[1] | self._layers[3]).keys()
        self._lengths: dict[str, int] = {}
        for phrase in chain.from_iterable(self._layers):
            self._lengths[phrase[0]] = max(len(phrase), self._lengths.get(phrase[0], 1))
        known = {word for layer in (self._layers[0], self._layers[2]) for phrase in layer for word in phrase}
        self._known = tuple((word, _letters_of(word)) for word in sorted(known))
        self._doubt = frozenset(words(word) for lexicon in lexicons for word in lexicon.service.doubt)
        self._parts: dict[str, Parts] = {}
        self._spoken: dict[str, frozenset[str]] = {}

    def tokens(self, text: str) -> tuple[Token, ...]:
        """Return the tokens of *text* without the words that are passed over; the longest known phrase wins."""
        found: list[Token] = []
        rest = words(text)
        while rest:
            length, meanings = self._longest(rest)
            said = list(_as_tokens(rest[:length], meanings, idle=rest[:length] in self._small))
            if rest[:length] == ("1",) and self._is_own(found, rest[1:]):
                said = [replace(one, own=True) for one in said]
            found.extend(said)
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

    def is_doubt(self, text: str) -> bool:
        """Return whether *text* takes something back or narrows it: "not", "only if"."""
        said = words(text)
        return any(said[at : at + len(one)] == one for one in self._doubt for at in range(len(said)))

    def is_nearly(self, word: str) -> bool:
        """Return whether *word*, which is not known, may be a known one with a slip."""
        most, letters = slips(word), _letters_of(word)
        return len(word) <= _LONGEST and any(
            (letters ^ others).bit_count() <= 2 * most and distance(word, known) <= most
            for known, others in self._known
        )

    def spoken(self, text: str) -> frozenset[str]:
        """Return the words of the canonical *text*, as it is and in the seat's own language, folded."""
        if text not in self._spoken:
            own = self.lexicons[0].local_text(self.grammar, text) if self.lexicons else ""
            self._spoken[text] = frozenset(words(f"{text} {own}"))
        return self._spoken[text]

    def _is_own(self, before: Sequence[Token], rest: Phrase) -> bool:
        """Return whether a "1" is the number of what stands before it ("smithy 1"), and counts nothing of *rest*."""
        if rest and is_number(rest[0]):
            return True
        if not before or before[-1].senses.isdisjoint(self._first):
            return False
        _, meanings = self._longest(rest) if rest else (0, frozenset[Phrase]())
        return all(not meaning or is_number(meaning[0]) for meaning in meanings)

    def _longest(self, rest: Phrase) -> tuple[int, frozenset[Phrase]]:
        found = self._longest_of(rest)
        if found[1] or not rest[0].isalpha():
            return found
        for word in self._without_ending(rest[0]):
            if (other := self._longest_of((word, *rest[1:])))[1]:
                return other
        return found

    def _longest_of(self, rest: Phrase) -> tuple[int, frozenset[Phrase]]:
        longest = max(self._lengths.get(word, 1) for word in (rest[0], stem(rest[0])))
        for length in range(min(longest, len(rest)), 0, -1):
            phrase = rest[:length]
            folded = tuple(map(stem, phrase))
            for layer in self._layers:
                if meanings := layer.get(phrase) or layer.get(folded):
                    return length, meanings
        return 1, frozenset({(rest[0],)}) if is_number(rest[0]) else frozenset()

    def _without_ending(self, word: str) -> Iterator[str]:
        """Yield *word* with another ending: "pegando", "pegar"."""
        for ending, instead in self._endings:
            if word.endswith(ending) and len(word) >= len(ending) + _STEM:
                yield from (word[: -len(ending)] + one for one in instead)

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


def _letters_of(word: str) -> int:
    """Return which letters *word* has, as bits: a slip changes two of them at most."""
    return sum({1 << ord(letter) % 64 for letter in word})


def _first_of(grammar: Grammar[Any]) -> Senses:
    """Return the things of which canonical texts count a first one: "wagon" of `wagon-1`."""
    said = (word for verb in grammar.verbs for arg in verb.args for word in arg.words)
    return frozenset(word.removesuffix("-1").rsplit("-", 1)[-1] for word in said if word.endswith("-1"))


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
        for at, sense in enumerate(min(meanings)):
            yield Token(" ".join(phrase), frozenset({sense}), own=at > 0 and sense == "1")


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
