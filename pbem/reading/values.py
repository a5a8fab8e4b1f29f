"""What goes into the reader and what comes out of it."""

import re
from typing import Any, Literal

from msgspec import Struct

from engine.core.log import Position
from engine.core.play import Line
from engine.core.ruleset import Keys, Ruleset
from engine.core.types import Fields, Seat
from pbem.reading.glossary import Glossary

Begins = Literal["", "label", "number", "verb"]
Rules = Ruleset[Any, Any, Any]
Place = Position[Any]

LETTERED = re.compile(r"(?<![^\W_])([0-9]{1,3})([a-zA-Z])(?![^\W_])")
"""`3b`: number 3 of a list, and what was lettered b below it."""

REASONS: Keys = {
    "reader.unknown": ("words",),
    "reader.several": (),
    "reader.number": ("number", "most"),
    "reader.label": ("key",),
    "reader.fact": ("word",),
    "reader.other": ("word",),
    "reader.beyond": (),
    "reader.long": ("most",),
    "reader.moves": ("most",),
    "reader.lines": ("most",),
}
"""
Why the reader itself refuses a line; rules and grammar have their own reasons.

`unknown` no move that we know; `words` are those that failed, "" where it is all of the line · `several` it could be
each of the possible ones · `number` the list has no such number (`most` 0: there is no list) · `label` that decision
does not come before the seat's next turn · `fact` no such word after `when` · `other` the line speaks of what does not
hold now · `beyond` nothing more is asked in this turn after what stands before it · `long`, `moves`, `lines` more
characters, moves in a line, or lines in a letter than `most`
"""


class Written(Struct, frozen=True):
    """A line of the letter; `number` counts the lines from 1."""

    number: int
    text: str


class MailedList(Struct, frozen=True):
    """
    A list of moves that was mailed: the decision, its name (`number`), and the canonical texts, number 1 first.

    `follow`  for each of them what was shown below it, `a` first; empty: nothing below any
    """

    key: str
    occasion: int
    number: int
    texts: tuple[str, ...]
    follow: tuple[tuple[str, ...], ...] = ()


class Failure(Struct, frozen=True):
    """
    Why a line, or a piece of it, cannot be read.

    `options`  what was possible there; `ordered`: the nearest first already
    `read`     the moves before it, `piece` the words that failed
    `place`    of the alternative that failed, from 1; 0: the line has but one · `others` that failed besides it
    """

    key: str
    fields: Fields = ()
    options: tuple[str, ...] = ()
    ordered: bool = False
    read: tuple[str, ...] = ()
    piece: str = ""
    place: int = 0
    others: tuple["Failure", ...] = ()


class ReadLine(Struct, frozen=True):
    """
    A line that was understood.

    `exact`   it stood there canonically; else the reading is to be shown
    `closed`  a closing move was added
    `label`   the word before the colon that named the decision, folded; "" none
    `lost`    alternatives that could not be read and are left out, each with its place
    `doubtful`  those that are kept though they could not be played as it stands, with why
    """

    written: Written
    line: Line
    exact: bool = False
    closed: bool = False
    label: str = ""
    lost: tuple[Failure, ...] = ()
    doubtful: tuple[Failure, ...] = ()


class RefusedLine(Struct, frozen=True):
    """
    A line that was not, and why.

    `possible`  canonical texts that are possible where it failed, the nearest first, at most seven
    `read`      the moves of the line that were understood before it failed, as canonical texts
    `piece`     the part of the line that failed, as written
    `place`     of the alternative that failed, from 1; 0: there is but one · `others` that failed besides it
    `begins`    what the line begins with that an order begins with; "" nothing: it may be a remark
    """

    written: Written
    key: str
    fields: Fields = ()
    possible: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    piece: str = ""
    place: int = 0
    others: tuple[Failure, ...] = ()
    begins: Begins = ""


class Reading(Struct, frozen=True):
    """A letter as read: each written line stands in exactly one of the three. `now`: do not wait for the hold."""

    read: tuple[ReadLine, ...] = ()
    refused: tuple[RefusedLine, ...] = ()
    ignored: tuple[Written, ...] = ()
    now: bool = False


class Desk(Struct, frozen=True):
    """What stays the same while a letter is read; `begun` is the position before its first line."""

    ruleset: Rules
    seat: Seat
    glossary: Glossary
    begun: Place
    mailed: tuple[MailedList, ...] = ()
