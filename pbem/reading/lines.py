"""The shape of a line: label, condition, alternatives, pieces, and the words at its end. No move is read here."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from pbem.lexicon import Lexicon
from pbem.reading.tokens import fold, is_number, words

Phrase = tuple[str, ...]

_BULLET = re.compile(r"^[\s>*•·+-]+(?=\w|#)")
_GLOSS = re.compile(r"\([^()]{0,200}\)")
"""What stands in brackets explains; whoever copies a line of the mail does not mean it."""
_ARROW = re.compile(r"\s*(?:->|=>|→|⇒|=)\s*")
_STRONG = re.compile(r"[:;]")
_SOFT = r",|\s[-/]+\s|(?<=[^\W\d])[.!]\s+(?=\w)"
_WEAK = re.compile(rf"[:;]|{_SOFT}")
_JOINED = re.compile(_SOFT)
_MOST_JOINED = 6
_MOST_LABEL = 4
_NOTHING = re.compile(r"(?!)")


def _no_fact(_text: str) -> bool:
    return False


class Draft(Struct, frozen=True):
    """
    A line taken apart.

    `label`         what stood before the first colon, if it names a decision; `keys` those it may name
    `next`          the label means the next own turn: nothing that is owed already
    `when`          the folded words after `when`; "" no condition
    `until`         the last occasion at which it holds; 0 not said · `rounds` for how many of them; 0 not said
    `alternatives`  the folded text of each
    `ask`           the list is not to be closed
    `now`           the hold is to be skipped
    """

    alternatives: tuple[str, ...]
    label: str = ""
    keys: tuple[str, ...] = ()
    next: bool = False
    when: str = ""
    ask: bool = False
    now: bool = False
    until: int = 0
    rounds: int = 0


class Shape(Struct, frozen=True, dict=True):
    """How lines are taken apart in these languages; the seat's own first."""

    lexicons: tuple[Lexicon, ...]

    def draft(self, text: str, *, brackets: bool = False, is_fact: Callable[[str], bool] = _no_fact) -> Draft:
        """
        Return *text*, one line, taken apart; with *brackets* what stands in them counts too.

        A label may be followed by a fact (`watch tavern: c3`), which *is_fact* knows: that is a condition.
        """
        folded = fold(text) if brackets else _GLOSS.sub(" ", fold(text))
        rest = _ARROW.sub(" : ", _BULLET.sub("", folded))
        rest, now, ask = self._cut_end(rest)
        label, keys, following, when = "", (), False, ""  # type: str, tuple[str, ...], bool, str
        while True:
            head, colon, tail = rest.partition(":")
            condition = self._when.match(rest)
            if condition and not when:
                when, rest = condition["fact"].strip(), rest[condition.end() :]
            elif colon and not keys and not when and (labelled := self._label_and_fact(head, is_fact)):
                label, keys, when, rest = *labelled, tail
            elif colon and not keys and (named := self._keys(head)):
                label, (keys, following), rest = head.strip(), named, tail
            elif colon and words(head) in self._headings:
                rest = tail
            else:
                break
        alternatives = tuple(one.strip() for one in self._either.split(rest) if words(one))
        when, until, rounds = self._cut_length(when)
        return Draft(alternatives, label, keys, following, when, ask, now, until, rounds)

    def labelled(self, text: str) -> Iterator[Draft]:
        """Yield *text* with a colon behind a label that it begins with and that nothing parts: `death traveller`."""
        said = fold(text).split()
        for at in range(min(len(said) - 1, _MOST_LABEL), 0, -1):
            head, tail = " ".join(said[:at]), " ".join(said[at:]).lstrip(" -/")
            if self._keys(head) and words(tail) and not is_number(words(tail)[0]):
                yield self.draft(f"{head}: {tail}")

    @staticmethod
    def without(alternative: str, is_remark: Callable[[str], bool]) -> str:
        """Return an alternative without what is set apart and *is_remark* knows; all of it if nothing would be left."""
        parts = re.split(f"({_JOINED.pattern})", alternative)
        kept = [at for at in range(0, len(parts), 2) if words(parts[at]) and not is_remark(parts[at])]
        if not kept:
            return alternative
        return "".join(part for at in kept for part in ((parts[at - 1] if at != kept[0] else ""), parts[at]))

    def is_small(self, word: str) -> bool:
        """Return whether *word* is one that is passed over."""
        return word in self._small

    def splits(self, alternative: str) -> Iterator[tuple[str, ...]]:
        """Yield the ways in which an alternative falls into pieces, the likeliest first, none of them twice."""
        seen: list[tuple[str, ...]] = []
        commas = list(_JOINED.finditer(alternative))[:_MOST_JOINED]
        joined = [alternative[: one.start()] + " " + alternative[one.end() :] for one in commas]
        for parts in (
            _WEAK.split(alternative),
            _STRONG.split(alternative),
            *map(_WEAK.split, joined if len(joined) > 1 else ()),
            *self._verb_alone(alternative),
            self._cut(alternative),
            *map(self._cut, joined),
        ):
            pieces = tuple(" ".join(one.strip(" .!").split()) for one in parts if words(one))
            if pieces not in seen:
                seen.append(pieces)
                yield pieces

    @staticmethod
    def _verb_alone(alternative: str) -> Iterator[list[str]]:
        """Yield the pieces where a first word stands alone before a colon: `name: wood`."""
        head, colon, tail = alternative.partition(":")
        if colon and len(words(head)) == 1 and words(tail):
            yield _WEAK.split(f"{head} {tail}")

    def is_greeting(self, text: str) -> bool:
        """Return whether *text* begins like a greeting, or thanks."""
        said = words(text)
        return any(said[: len(one)] == one for one in self._greetings)

    def _cut(self, alternative: str) -> list[str]:
        return [piece for part in _WEAK.split(alternative) for piece in self._also.split(part)]

    def _cut_end(self, text: str) -> tuple[str, bool, bool]:
        """Return *text* without `now`, `ask` and thanks at its end, and whether it had the former two."""
        now = ask = False
        while True:
            if found := self._now.search(text):
                now = True
            elif found := self._ask.search(text):
                ask = True
            elif not (found := self._thanks.search(text)) or not words(text[: found.start()]):
                return text, now, ask
            text = text[: found.start()]

    def _cut_length(self, when: str) -> tuple[str, int, int]:
        """Return *when* without its length (`wood until round 9`, `wood for 3 rounds`), and the length."""
        until, rounds = self._until.search(when), self._during.search(when)
        found = until or rounds
        if found is None:
            return when, 0, 0
        number = int(found["number"])
        return when[: found.start()].strip(), number if until else 0, 0 if until else number

    def _label_and_fact(self, head: str, is_fact: Callable[[str], bool]) -> tuple[str, tuple[str, ...], str] | None:
        """Return the label that *head* begins with, the decisions that it names, and the fact after it."""
        said = words(head)
        for at in range(len(said) - 1, 0, -1):
            fact = " ".join(said[at:])
            keys = self._labels.get(self._bare(" ".join(said[:at])))
            if keys and is_fact(fact):
                return " ".join(said[:at]), keys, fact
        return None

    def _keys(self, head: str) -> tuple[tuple[str, ...], bool] | None:
        """Return the decisions that a label may name, and whether it means the next turn."""
        said = self._bare(head)
        if said in self._next:
            return tuple({lexicon.orders.turn: None for lexicon in self.lexicons if lexicon.orders.turn}), True
        keys = self._labels.get(said)
        return (keys, False) if keys else None

    @cached_property
    def _labels(self) -> dict[Phrase, tuple[str, ...]]:
        found: dict[Phrase, tuple[str, ...]] = {}
        for lexicon in self.lexicons:
            for key, labels in lexicon.orders.labels.items():
                for label in map(self._bare, labels):
                    found[label] = tuple(dict.fromkeys((*found.get(label, ()), key)))
        return found

    @cached_property
    def _next(self) -> frozenset[Phrase]:
        return frozenset(self._bare(word) for lexicon in self.lexicons for word in lexicon.service.next)

    @cached_property
    def _headings(self) -> frozenset[Phrase]:
        orders = [lexicon.orders.verbs for lexicon in self.lexicons]
        verbs = self._phrases(said for one in orders for word, name in one.items() for said in (word, name.one))
        return self._phrases(word for lexicon in self.lexicons for word in lexicon.service.heading) - verbs

    @cached_property
    def _greetings(self) -> frozenset[Phrase]:
        return self._phrases(word for lexicon in self.lexicons for word in lexicon.service.greeting)

    @cached_property
    def _small(self) -> frozenset[str]:
        return frozenset(one for lexicon in self.lexicons for skip in lexicon.service.skip for one in words(skip))

    def _bare(self, text: str) -> Phrase:
        """Return the words of *text* without those that are passed over; all of them if nothing would be left."""
        said = words(text)
        return tuple(word for word in said if word not in self._small) or said

    @staticmethod
    def _phrases(texts: Iterable[str]) -> frozenset[Phrase]:
        return frozenset(map(words, texts))

    @cached_property
    def _either(self) -> re.Pattern[str]:
        return _spelled(r"\b(?:{})\b", [word for one in self.lexicons for word in one.service.either])

    @cached_property
    def _also(self) -> re.Pattern[str]:
        return _spelled(r"[&+]|\b(?:{})\b", [word for one in self.lexicons for word in one.service.also])

    @cached_property
    def _when(self) -> re.Pattern[str]:
        words_when = [word for one in self.lexicons for word in one.service.when]
        return _spelled(r"\s*(?:{})\s(?P<fact>[^:,;]+)[:,;]", words_when)

    @cached_property
    def _until(self) -> re.Pattern[str]:
        return _spelled(r"\b(?:{})\s+(?:\w+\s+){{0,2}}(?P<number>\d{{1,3}})\b", self._said("until"))

    @cached_property
    def _during(self) -> re.Pattern[str]:
        return _spelled(r"\b(?:{})\s+(?P<number>\d{{1,2}})\b", self._said("during"))

    def _said(self, name: str) -> list[str]:
        return [word for one in self.lexicons for word in getattr(one.service, name)]

    @cached_property
    def _now(self) -> re.Pattern[str]:
        return self._last([word for one in self.lexicons for word in one.service.now])

    @cached_property
    def _ask(self) -> re.Pattern[str]:
        return self._last([word for one in self.lexicons for word in one.service.ask])

    @cached_property
    def _thanks(self) -> re.Pattern[str]:
        return _spelled(r"[,.;!?]+\s*(?:{})(?:[\s,]+\w+)?[\s.!,]*\Z", self._said("greeting"))

    @staticmethod
    def _last(ends: list[str]) -> re.Pattern[str]:
        return _spelled(r"(?:^|(?<=\W))(?:{})[\s.!,;:]*\Z", ends)


def _spelled(pattern: str, phrases: Sequence[str]) -> re.Pattern[str]:
    """Return *pattern* with any of *phrases* in its hole, the longest first."""
    if not phrases:
        return _NOTHING
    folded = sorted({fold(one) for one in phrases}, key=lambda one: (-len(one), one))
    return re.compile(pattern.format("|".join(r"\s+".join(map(re.escape, one.split())) for one in folded)))
