"""One piece of a line against a list of moves: which of them it can mean."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from engine.core.play import ANY
from pbem.reading.glossary import ANYTHING, Glossary, Parts, Token
from pbem.reading.tokens import distance, is_number

MOST_POSSIBLE = 7
_ENUMERATED = re.compile(r"[0-9]{1,2}[.)]")
_LONGEST_NUMBER = 9
_COMPARED, _SPELLED = 60, 20
_BESIDES = 0.3
"""What a word counts that a move may hold besides."""
_SHORTEST, _ALIKE = 4, 0.5
"""A word with so many letters, of which more than this part is the same, is nearly another one."""
MOST_TOKENS = 24
_COUNTS = {str(number): number for number in range(2, 6)}


class Match(Struct, frozen=True):
    """The canonical text that a piece means; `exact`: it stood there so."""

    text: str
    exact: bool = False


class Several(Struct, frozen=True):
    """The canonical texts that a piece could mean, the nearest first."""

    texts: tuple[str, ...]


class NoSuchNumber(Struct, frozen=True):
    """A number that the list does not have; `most` is its last."""

    number: int
    most: int


class Piece(Struct, frozen=True):
    """A piece of a line that stands for one move: its folded text and its tokens."""

    text: str
    tokens: tuple[Token, ...]

    @property
    def is_bare_number(self) -> bool:
        """Return whether it is a number in digits and nothing else, so that it counts in a list."""
        return len(self.tokens) == 1 and is_number(self.tokens[0].word)

    @property
    def needs_list(self) -> bool:
        """Return whether it means nothing without a list: a bare number, or `any`."""
        return self.is_bare_number or [token.senses for token in self.tokens] == [frozenset({ANYTHING})]


def match_piece(
    glossary: Glossary, piece: Piece, options: Sequence[str], numbered: Mapping[int, str]
) -> Match | Several | NoSuchNumber | None:
    """
    Return what *piece* means among the canonical *options*; None if nothing.

    Shape:  *numbered* is the list that a number counts in, by number; its texts need not be options.
    """
    if piece.text in options:
        return Match(piece.text, exact=True)
    if piece.needs_list and not piece.is_bare_number:
        return Match(ANY, exact=piece.text == ANY)
    number, rest = _leading_number(piece.tokens)
    if number and not rest:
        return Match(numbered[number]) if number in numbered else NoSuchNumber(number, max(numbered, default=0))
    if number in numbered and _unsaid(rest, glossary.parts(numbered[number])) == 0:
        return Match(numbered[number])
    found = _best(glossary, piece.tokens, options)
    if found is None and _ENUMERATED.match(piece.text) and glossary.said_verbs(rest):
        return _best(glossary, rest, options)
    return found


def nearest(glossary: Glossary, piece: Piece, options: Sequence[str]) -> tuple[str, ...]:
    """
    Return the *options* most like *piece*: what shares most words with it, then what is spelled most alike.

    A word that is not known counts as far as it is spelled like one of the option. What ends a list comes last.
    """
    tokens = piece.tokens[:MOST_TOKENS]
    guess = " ".join(min(token.senses, default=token.word) for token in piece.tokens)
    alike = SequenceMatcher(b=guess[:_COMPARED], autojunk=False)

    def distance_to(text: str) -> tuple[float, bool, float]:
        parts, spoken = glossary.parts(text), glossary.spoken(text)
        verb = glossary.grammar.verb(parts.verb)
        alike.set_seq1(text)
        shared = sum(_likeness(token, parts, spoken) for token in tokens)
        return -shared, verb is not None and bool(verb.closes), -alike.quick_ratio()

    return tuple(sorted(options, key=distance_to)[:MOST_POSSIBLE])


def is_like(glossary: Glossary, piece: Piece, text: str) -> bool:
    """Return whether *piece* shares a word with the canonical *text*, or nearly."""
    parts, spoken = glossary.parts(text), glossary.spoken(text)
    return any(_likeness(token, parts, spoken) > 0 for token in piece.tokens[:MOST_TOKENS])


def _likeness(token: Token, parts: Parts, spoken: Collection[str]) -> float:
    if not token.senses.isdisjoint(parts.senses):
        return 1.0
    if not token.senses.isdisjoint(parts.extra):
        return _BESIDES
    word = token.word[:_SPELLED]
    if token.senses or len(word) < _SHORTEST:
        return 0.0
    near = max((1 - distance(word, one) / max(len(word), len(one)) for one in spoken if one.isalpha()), default=0.0)
    return near if near > _ALIKE else 0.0


def _best(glossary: Glossary, tokens: tuple[Token, ...], options: Sequence[str]) -> Match | Several | None:
    wanted = tuple(token for token in tokens if token.senses != {ANYTHING})
    if not 0 < len(wanted) <= MOST_TOKENS:
        return None
    fits: dict[str, tuple[int, bool, int]] = {}
    for variant in variants(wanted):
        for text in options:
            parts = glossary.parts(text)
            unsaid = _unsaid(variant, parts)
            if unsaid is not None and unsaid < len(parts.senses):
                rank = (unsaid, not _in_order(variant, parts), -_neighbours(variant, parts))
                fits[text] = min(rank, fits.get(text, rank))
    if not fits:
        return None
    if len(wanted) < len(tokens):
        return Match(next(iter(fits)))
    ordered = sorted(fits, key=lambda text: fits[text])
    if len(ordered) > 1 and fits[ordered[0]] == fits[ordered[1]]:
        return Several(tuple(ordered[:MOST_POSSIBLE]))
    return Match(ordered[0])


def _leading_number(tokens: tuple[Token, ...]) -> tuple[int, tuple[Token, ...]]:
    """Return the number that *tokens* begin with, and the rest; 0 if they begin with none."""
    if not tokens or not is_number(tokens[0].word):
        return 0, tokens
    return int(tokens[0].word[:_LONGEST_NUMBER]), tokens[1:]


def variants(tokens: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    """Yield *tokens*, and if there is a count before a word (`2 green`), also with the word written as often."""
    yield tokens
    counted: list[Token] = []
    for at, token in enumerate(tokens):
        before = _COUNTS.get(tokens[at - 1].number, 1) if at else 1
        if before > 1 and token.senses and not token.number and not token.idle:
            counted.pop()
            counted.extend([replace(token, counted=True)] * before)
        else:
            counted.append(token)
    if len(counted) != len(tokens) or tuple(counted) != tokens:
        yield tuple(counted)


def _unsaid(tokens: Sequence[Token], parts: Parts) -> int | None:
    """
    Return how many words of the move *tokens* leave out; None if it leaves one of them unexplained.

    Where a number counts what adds nothing to the move, it may be one of the move itself: all of these must be said.
    """
    if not all(token.idle or _explains(token, parts) for token in tokens):
        return None
    holder: dict[int, int] = {}
    for at, token in enumerate(tokens):
        assigned = _assign(at, tokens, parts, holder, set())
        if not assigned and not token.idle and (token.own or not token.senses & parts.extra):
            return None
    said = {tokens[at] for at in holder.values()}
    wasted = any(token.counted and token not in said for token in tokens)
    must = (
        place for place, sense in enumerate(parts.senses) if place in parts.unspoken or (wasted and is_number(sense))
    )
    if any(place not in holder for place in must):
        return None
    return len(parts.senses) - len(holder)


def _explains(token: Token, parts: Parts) -> bool:
    if any(sense in token.senses for sense in parts.senses):
        return True
    return not token.own and not token.senses.isdisjoint(parts.extra)


def _assign(at: int, tokens: Sequence[Token], parts: Parts, holder: dict[int, int], tried: set[int]) -> bool:
    """Give token *at* a place of its own among the senses of the move, moving others on where that is needed."""
    for place, sense in enumerate(parts.senses):
        if sense in tokens[at].senses and place not in tried:
            tried.add(place)
            if place not in holder or _assign(holder[place], tokens, parts, holder, tried):
                holder[place] = at
                return True
    return False


def _neighbours(tokens: Sequence[Token], parts: Parts) -> int:
    """Return how many words stand beside the same word as in the move: `window 2` in `window-2`, not in `window-1`."""
    pairs = list(pairwise(parts.senses))
    return sum(
        any(one in left.senses and other in right.senses for one, other in pairs) for left, right in pairwise(tokens)
    )


def _in_order(tokens: Sequence[Token], parts: Parts) -> bool:
    """Return whether the words stand in the order of the move."""
    place = 0
    for token in tokens:
        found = next((n for n in range(place, len(parts.senses)) if parts.senses[n] in token.senses), None)
        if found is not None:
            place = found + 1
        elif not token.idle and not token.senses & parts.extra:
            return False
    return True
