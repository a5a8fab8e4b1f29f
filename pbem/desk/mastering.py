"""
What a letter of the game master asks for: one order a line, in either language, sloppily written.

A line is an order only as a whole: `pause 12` is one, "Pause for breath, everybody" is none. So the lines of a message
may begin with any word. What begins like an order and is none is told so.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from pbem.clock import parse_duration
from pbem.desk.dates import read_span
from pbem.desk.words import END, OFFICE, fold, match_command, words_for
from pbem.errors import Misuse
from pbem.lexicon import languages, load_lexicon
from pbem.mail.marker import TAG
from pbem.reading import Written

LONGEST_MESSAGE = 4_000
LONGEST_REASON = 500
LONGEST_REST = 300
"""Characters behind an order's word that are read, but for a message."""

OF_GAME = frozenset(
    {"show", "pause", "resume", "extend", "clock", "message", "offer", "rewind", "finish", "void", "replace"}
)
"""Acts that want the number of a game, or have it from the mail that is answered."""

_ALONE = frozenset({"status", "games", "help", "confirm"})
_NUMBERED = frozenset({"release", "drop", "retry"})
_TALKATIVE = frozenset({"message", "offer", "block", "unblock", "replace"})
"""Acts whose lines hold any words; within a message only a number or an address shows that they are meant."""
_MOST_WORDS = 4
"""Words of the longest name of an act."""
_NUMBER = re.compile(r"#?(\d{1,9})[.,;:!]?")
_GAME = re.compile(r"#?(\d{1,9})(?:[.,;:]|:(?=\S))?")


class Order(Struct, frozen=True):
    """
    One line that asks for an act.

    `act`     as `office.toml` names it; "" where the line is none, `fits` False where it only begins like one
    `game`    its number; 0: not told, and no mail about a game was answered
    `number`  of a letter, a mail, or an entry; -1: not told
    `what`    "letter" or "mail", "" where it is not told
    `rest`    what stands behind: who, whom, the text of a message, a clock, a span in seconds
    """

    written: Written
    act: str = ""
    game: int = 0
    number: int = -1
    what: str = ""
    rest: str = ""
    reason: str = ""
    fits: bool = True


class _Words(Struct, frozen=True):
    """The words of all languages, folded."""

    acts: Mapping[str, str]
    passed: frozenset[str]
    kinds: Mapping[str, str]
    seats: frozenset[str]
    reason: frozenset[str]
    own: Path | None


def _words(own: Path | None) -> _Words:
    def section(name: str) -> dict[str, str]:
        return words_for(name, own, OFFICE)

    acts = {word or "?": act for word, act in section("acts").items()}
    return _Words(acts, frozenset(section("passed")), section("kinds"), frozenset(section("seats")),
                  frozenset(section("reason")), own)  # fmt: skip


def read_orders(lines: Sequence[Written], game: int, own: Path | None) -> Iterator[Order]:
    """
    Yield what *lines* ask for, one after the other; *game* is that of the mail that they answer, 0 for none.

    A message takes the lines below it up to `end` or the next order. A line with a reason belongs to the orders
    above it that have none; where none is above it, to those below.
    """
    words = _words(own)
    found: list[Order] = []
    first = ""
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        reason = _reason_line(line.text, words)
        if reason:
            first = reason if not found else first
            found = [one if one.reason or one.act == "message" else replace(one, reason=reason) for one in found]
            continue
        if match_command(line.text, own)[0] == END:
            continue
        order = _read(line, game, words)
        if order.act == "message" and order.fits:
            more = _message_lines(lines[place:], game, words)
            place += len(more)
            order = replace(order, rest=_clean("\n".join([order.rest, *more]), LONGEST_MESSAGE))
        found.append(order)
    yield from (one if one.reason or not first or one.act == "message" else replace(one, reason=first) for one in found)


def is_order(text: str, own: Path | None) -> bool:
    """Return whether *text* is an order, or the reason of one: a mail program's signs do not take it away."""
    words = _words(own)
    if _reason_line(text, words):
        return True
    order = _read(Written(1, text), 1, words)
    return bool(order.act) and order.fits


def is_polite(text: str, own: Path | None) -> bool:
    """Return whether *text* says nothing: a greeting, thanks, a name for the game master, or no word at all."""
    words = fold(text).split()
    greetings = {fold(word) for one in languages() for word in load_lexicon(one, "", own).service.greeting}
    begun = any(" ".join(words[:count]) in greetings for count in range(1, _MOST_WORDS + 1))
    is_short = len(words) <= _MOST_WORDS and begun
    return is_short or not any(map(str.isalnum, text)) or all(word in _words(own).passed for word in words)


def _read(line: Written, game: int, words: _Words) -> Order:
    """Return the order of one line; `pause 12`, `game 12: pause` and `please pause game #12` are the same."""
    text = line.text[: 2 * LONGEST_MESSAGE]
    tokens = text.split()
    start = next((at for at, one in enumerate(tokens) if fold(one) not in words.passed), len(tokens))
    named = _GAME.fullmatch(tokens[start]) if start < len(tokens) else None
    if named is not None:  # `12: pause`
        behind = _begun(line, " ".join(tokens[start + 1 :]), int(named[1]), words)
        if behind.act in OF_GAME and behind.fits:
            return behind
    found = _begun(line, text, game, words)
    return found if found.act or not start else _begun(line, " ".join(tokens[start:]), game, words)


def _begun(line: Written, text: str, game: int, words: _Words) -> Order:
    """Return the order that *text*, the end of *line*, begins with; one without an act where it begins with none."""
    tokens = text.split()
    for count in range(min(_MOST_WORDS, len(tokens)), 0, -1):
        head, _, glued = " ".join(tokens[:count]).partition(":")
        act = words.acts.get(fold(head) or head)
        if act is None:
            continue
        rest = f"{glued} {_behind(text, count)}".strip()
        if act == "message":
            return _fill(Order(line, act, game), rest, words)
        rest, reason = _split_reason(f" {rest}", words)
        return _fill(Order(line, act, game, reason=reason), rest.strip(), words)
    return Order(line, rest=text)


def _behind(text: str, count: int) -> str:
    """Return what stands in *text* behind its first *count* words, as it was written."""
    parts = text.split(None, count)
    return parts[count] if len(parts) > count else ""


def _fill(order: Order, rest: str, words: _Words) -> Order:
    """Return *order* with what *rest* says; it does not fit where something is missing or too much."""
    rest = rest if order.act == "message" else " ".join(rest.split())[:LONGEST_REST]
    if order.act in _ALONE:
        return replace(order, rest=rest, fits=all(one in words.passed for one in fold(rest).split()))
    if order.act in _NUMBERED:
        return _fill_numbered(order, rest, words)
    if order.act not in OF_GAME:
        return replace(order, rest=rest, fits=bool(rest) and len(rest.split()) <= _MOST_WORDS)
    if order.act == "extend" and order.game:
        span = _span(rest, words)
        if span is not None:
            return replace(order, rest=span)
    number, behind = _leading_game(rest, words, order.act)
    if number is not None:
        order, rest = replace(order, game=number), behind
    fill = _FILLERS.get(order.act, _fill_bare)
    return fill(order, rest, words)


def _fill_bare(order: Order, rest: str, words: _Words) -> Order:
    """Return an order behind which nothing more stands but a kind word; `finish 12 void` is `void 12`."""
    if order.act == "finish" and words.acts.get(fold(rest)) == "void":
        return replace(order, act="void")
    return replace(order, rest=rest, fits=all(one in words.passed for one in fold(rest).split()))


def _fill_span(order: Order, rest: str, words: _Words) -> Order:
    span = _span(rest, words)
    return replace(order, rest=rest if span is None else span, fits=span is not None)


def _fill_clock(order: Order, rest: str, words: _Words) -> Order:  # noqa: ARG001 - one shape
    text = rest.lstrip(": ").strip("'\"")
    return replace(order, rest=text, fits=bool(re.match(r"\d", text)))


def _fill_message(order: Order, rest: str, words: _Words) -> Order:  # noqa: ARG001 - one shape
    return replace(order, rest=_clean(rest.lstrip(": "), LONGEST_MESSAGE))


def _fill_whom(order: Order, rest: str, words: _Words) -> Order:  # noqa: ARG001 - one shape
    return replace(order, rest=rest.lstrip(": "), fits=bool(rest.strip(": ")))


def _fill_rewind(order: Order, rest: str, words: _Words) -> Order:
    left = [one for one in rest.split() if fold(one) not in words.passed]
    found = _NUMBER.fullmatch(left[0]) if len(left) == 1 else None
    return replace(order, number=int(found[1]) if found else -1, rest=rest, fits=found is not None)


_FILLERS: Mapping[str, Callable[[Order, str, _Words], Order]] = MappingProxyType(
    {
        "extend": _fill_span,
        "clock": _fill_clock,
        "message": _fill_message,
        "offer": _fill_whom,
        "replace": _fill_whom,
        "rewind": _fill_rewind,
    }
)


def _fill_numbered(order: Order, rest: str, words: _Words) -> Order:
    kinds = [words.kinds[fold(one)] for one in rest.split() if fold(one) in words.kinds]
    left = [one for one in rest.split() if fold(one) not in words.passed and fold(one) not in words.kinds]
    found = _NUMBER.fullmatch(left[0]) if len(left) == 1 else None
    what = kinds[0] if kinds else ""
    is_of_other = (order.act, what) in (("release", "mail"), ("retry", "letter"))
    fits = found is not None and len(kinds) < 2 and not is_of_other  # noqa: PLR2004 - letter or mail, not both
    return replace(order, number=int(found[1]) if found else -1, what=what, rest=rest, fits=fits)


def _leading_game(rest: str, words: _Words, act: str) -> tuple[int | None, str]:
    """
    Return the number of a game that *rest* begins with, None for none, and what follows.

    A number behind the word for a seat is none; nor is that of the only entry of `rewind`, whose game is known then.
    """
    tokens = rest.split(None, 1)
    text = rest
    while tokens and fold(tokens[0]) in words.passed:
        text = tokens[1] if len(tokens) > 1 else ""
        tokens = text.split(None, 1)
    found = re.match(r"#?(\d{1,9})(?![\w@]|\.\d)[.,;:!]*\s*", text)
    if found is None:
        return None, rest
    behind = text[found.end() :]
    if act == "rewind" and not re.search(r"\d", behind):
        return None, rest
    return int(found[1]), behind


def _span(rest: str, words: _Words) -> str | None:
    """Return the seconds of the span that *rest* is, None for anything else."""
    left = " ".join(one for one in rest.split() if fold(one) not in words.passed)
    try:
        span: timedelta | None = parse_duration(left) if left else None
    except Misuse:
        span = read_span(fold(left), words.own)
    return str(int(span.total_seconds())) if span else None


def _reason_line(text: str, words: _Words) -> str:
    """Return the reason that a line of its own gives, "" for any other line."""
    head, colon, reason = text.partition(":")
    return _clean(reason, LONGEST_REASON) if colon and fold(head) in words.reason else ""


def _split_reason(text: str, words: _Words) -> tuple[str, str]:
    """Return *text* without a reason at its end, and the reason: `pause 12, reason: holidays`."""
    found = re.search(rf"[\s,;(]+(?:{'|'.join(sorted(map(re.escape, words.reason)))}):", text, re.IGNORECASE)
    if found is None:
        return text, ""
    return text[: found.start()], _clean(text[found.end() :], LONGEST_REASON)


def _message_lines(lines: Sequence[Written], game: int, words: _Words) -> list[str]:
    """Return the lines that go on with a message: up to `end`, or the next order."""
    found: list[str] = []
    for line in lines:
        order = _read(line, game, words)
        is_next = order.act and order.fits and (order.act not in _TALKATIVE or _is_precise(line.text))
        if is_next or match_command(line.text, words.own)[0] == END:
            break
        found.append(line.text)
    return found


def _is_precise(text: str) -> bool:
    """Return whether a number, or an address, shows that a line which begins like an order is meant as one."""
    return re.search(r"\s#?\d|@", text) is not None and len(text) < LONGEST_REST


def _clean(text: str, most: int) -> str:
    """Return *text* without tags, of bearable length."""
    return TAG.sub("…", text).strip()[:most].strip()
