"""A piece read by the words of the title alone, where there is no list: the verb, then its arguments in any order."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from engine.core.errors import GrammarError
from engine.core.grammar import Arg, Verb
from pbem.lexicon import split_text
from pbem.reading.glossary import Glossary, Token
from pbem.reading.matching import MOST_TOKENS, Piece, variants


def fill_moves(
    glossary: Glossary, piece: Piece, verbs: Iterable[Verb[Any]], like: Sequence[str] = ()
) -> tuple[str, ...]:
    """
    Return every canonical text that *piece* can be as a move of *verbs*; nothing is asked of the position.

    What it leaves out of a verb that it says is taken from the first move of that verb in *like*.
    """
    said = glossary.said_verbs(piece.tokens)
    found: list[str] = []
    if len(piece.tokens) > MOST_TOKENS:
        return ()
    for verb in verbs:
        if piece.text.split(" ")[0] == verb.word and is_move(glossary, piece.text):
            return (piece.text,)
        if verb.word in said or (not said and not verb.explicit and all(arg.words or arg.numbers for arg in verb.args)):
            given = _given(glossary, verb, like) if verb.word in said else {}
            for tokens in variants(piece.tokens):
                with suppress(GrammarError):
                    found.append(_fill(glossary, verb, tokens, given))
    return tuple(one for one in dict.fromkeys(found) if is_move(glossary, one))


def is_move(glossary: Glossary, text: str) -> bool:
    """Return whether *text* is a canonical move of the title."""
    try:
        move = glossary.grammar.parse_move(text)
    except GrammarError:
        return False
    return glossary.grammar.format_move(move) == text


def grammar_reason(glossary: Glossary, piece: Piece, verbs: Iterable[Verb[Any]]) -> GrammarError | None:
    """Return why *piece* is no move of the one of *verbs* that it begins with; None if there is no telling."""
    said = glossary.said_verbs(piece.tokens[:1])
    verb = next((one for one in verbs if one.word in said), None)
    if verb is None:
        return None
    try:
        _fill(glossary, verb, piece.tokens, {})
    except GrammarError as error:
        return error
    return None


def _given(glossary: Glossary, verb: Verb[Any], like: Sequence[str]) -> Mapping[str, str]:
    """Return the arguments of the first move of *verb* in *like*, by name."""
    text = next((one for one in like if one.split(" ")[0] == verb.word), "")
    return {arg.name: value for arg, value in split_text(glossary.grammar, text)[1] if not arg.many} if text else {}


def _fill(glossary: Glossary, verb: Verb[Any], tokens: Sequence[Token], given: Mapping[str, str]) -> str:
    """
    Return *verb* with *tokens* as its arguments, else those *given*, as text.

    Raises: GrammarError if one is missing, or a token is left over.
    """
    rest = list(tokens)
    spoken = next((token for token in rest if verb.word in token.senses), None)
    if spoken is not None:
        rest.remove(spoken)
    text = [verb.word]
    for at, arg in enumerate(verb.args):
        if arg.words or arg.numbers:
            values = _take_many(arg, rest) if arg.many else _take_one(arg, rest)
        else:
            values = _take_name(glossary, verb.args[at + 1 :], rest)
        if not values and not (arg.optional or arg.many):
            values = [given.get(arg.name) or _lacks(verb, arg, rest)]
        text.extend(values)
    explained = glossary.explained(verb)
    for token in rest:
        if not token.idle and (token.own or token.senses.isdisjoint(explained)):
            raise GrammarError("grammar.rest", verb=verb.word, word=token.word)
    return " ".join(text)


def _lacks(verb: Verb[Any], arg: Arg, rest: Sequence[Token]) -> NoReturn:
    """Raise that *arg* is missing, or, if one of *rest* means nothing, that this stands in its place."""
    strange = next((token.word for token in rest if not token.senses or token.number), "")
    if strange:
        raise GrammarError("grammar.word", verb=verb.word, word=strange, expected=arg.family)
    raise GrammarError("grammar.missing", verb=verb.word, expected=arg.family)


def _take_one(arg: Arg, rest: list[Token]) -> list[str]:
    """Take the first of *rest* that is a value of *arg*; a value of several parts takes the words that spell it."""
    for token in rest:
        value = next((sense for sense in sorted(token.senses) if arg.fits(sense)), "")
        if value:
            rest.remove(token)
            return [value]
    for value in arg.words:
        if chosen := _spell(value.split("-"), rest):
            for token in chosen:
                rest.remove(token)
            return [value]
    return []


def _take_name(glossary: Glossary, later: Sequence[Arg], rest: list[Token]) -> list[str]:
    """Take as a name, joined by hyphens, the known words that none of the *later* arguments could be."""
    chosen = [
        token
        for token in rest
        if glossary.is_order_word(token) and not any(arg.fits(sense) for arg in later for sense in token.senses)
    ]
    for token in chosen:
        rest.remove(token)
    return ["-".join(min(token.senses - glossary.kinds) for token in chosen)] if chosen else []


def _take_many(arg: Arg, rest: list[Token]) -> list[str]:
    values = []
    while found := _take_one(arg, rest):
        values.extend(found)
    return values


def _spell(parts: Sequence[str], rest: Sequence[Token]) -> Sequence[Token]:
    """Return the tokens of *rest* that spell *parts*, one beside the other; none if they do not."""
    size = len(parts)
    spans = (rest[at : at + size] for at in range(len(rest) - size + 1))
    return next((span for span in spans if all(part in one.senses for part, one in zip(parts, span, strict=True))), ())
