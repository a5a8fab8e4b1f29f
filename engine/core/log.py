"""The log is the game: append-only entries, replayed with every check, chained so that nobody can change one later."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.core.dice import Dice
from engine.core.errors import EngineError, IllegalMoveError, LogError
from engine.core.ruleset import Config, Ruleset
from engine.core.tables import Tables
from engine.core.types import CHANCE, GM, Decision, Entry, Event, FieldValue, Seat

S = TypeVar("S")

AMEND = "amend"
"""The word of the entry that holds a whole position."""


class Owed(Struct, frozen=True):
    """A decision that is owed, and its name: the number of the entry that put it."""

    decision: Decision
    number: int


class Position(Struct, Generic[S], frozen=True):
    """
    A game after its last entry.

    `seq`      number of the last entry, 0 before the first
    `draws`    draws in the log so far, rewound ones included
    `numbers`  for each seat that owes a decision: the seat and the decision's number
    `closed`   the game master has finished it
    """

    state: S
    seq: int = 0
    draws: int = 0
    numbers: tuple[tuple[Seat, int], ...] = ()
    closed: bool = False

    def owed(self, ruleset: Ruleset[S, Any, Any]) -> tuple[Owed, ...]:
        """Return what is owed now, in seat order; nothing when the game is over."""
        if self.closed:
            return ()
        numbers = dict(self.numbers)
        return tuple(Owed(one, numbers.get(one.seat, self.seq)) for one in ruleset.pending(self.state))


class Record(Struct, Generic[S], frozen=True):
    """One entry with what it did. `decision` is what it answered; None for the game master's."""

    entry: Entry
    position: Position[S]
    events: tuple[Event, ...] = ()
    decision: Owed | None = None


def first_position(ruleset: Ruleset[S, Any, Any], config: Config, tables: Tables) -> Position[S]:
    """Return the game before its first entry."""
    state = ruleset.setup(config, tables)
    return Position(state, numbers=tuple((one.seat, 0) for one in ruleset.pending(state)))


def make_entry(ruleset: Ruleset[S, Any, Any], position: Position[S], seat: Seat, text: str) -> Record[S]:
    """
    Return the record of the next entry: *seat*, or chance, answers what it owes with the canonical *text*.

    Raises: GrammarError, IllegalMoveError; `turn.not-owed` if the seat owes nothing.
    """
    before = {one.decision.seat: one for one in position.owed(ruleset)}
    owed = before.get(seat)
    if owed is None:
        raise IllegalMoveError("turn.not-owed", seat=seat)
    move = ruleset.grammar.parse_move(text)
    step = ruleset.apply(position.state, seat, move)
    entry = Entry(position.seq + 1, seat, text)
    return Record(entry, _after(ruleset, position, before, entry, step.state), step.events, owed)


def _after(
    ruleset: Ruleset[S, Any, Any], position: Position[S], before: dict[Seat, Owed], entry: Entry, state: S
) -> Position[S]:
    numbers = []
    for decision in ruleset.pending(state):
        old = before.get(decision.seat)
        if old is None or decision.seat == entry.seat or _differ(old.decision, decision):
            numbers.append((decision.seat, entry.seq))
        else:
            numbers.append((decision.seat, old.number))
    draws = position.draws + (entry.seat == CHANCE)
    return Position(state, entry.seq, draws, tuple(numbers))


def _differ(one: Decision, other: Decision) -> bool:
    return (one.key, one.occasion) != (other.key, other.occasion)


def make_correction(
    ruleset: Ruleset[S, Any, Any], records: Sequence[Record[S]], start: Position[S], text: str
) -> Record[S]:
    """
    Return the record of the game master's next entry: `rewind SEQ`, `draw TEXT`, `amend STATE` or `finish`.

    Shape:  `records` is the whole log so far, `start` the position before it.
    Raises: LogError `gm.unknown`, `gm.rewind`, `gm.amended`, `gm.amend`; what `make_entry` raises for a draw.
    """
    position = records[-1].position if records else start
    entry = Entry(position.seq + 1, GM, text)
    word, _, rest = text.partition(" ")
    if word == "rewind" and rest.isascii() and rest.isdigit() and int(rest) <= position.seq:
        first = last_amended(one.entry for one in records)
        if int(rest) < first:  # what stands before it may be of other rules
            raise LogError("gm.amended", to=int(rest), first=first)
        target = records[int(rest) - 1].position if int(rest) else start
        return Record(
            entry, _put_anew(ruleset, position, entry, target.state), (Event("gm.rewind", (("to", int(rest)),)),)
        )
    if word == "rewind":
        raise LogError("gm.rewind", to=rest, last=position.seq)
    if word == "draw":
        drawn = make_entry(ruleset, position, CHANCE, rest)
        after = replace(drawn.position, draws=position.draws)
        return Record(entry, after, (*drawn.events, Event("gm.draw", (), _readers(drawn.events))), drawn.decision)
    if word == AMEND:
        return _amendment(ruleset, position, entry, rest)
    if text == "finish":
        return Record(entry, replace(position, seq=entry.seq, numbers=(), closed=True), (Event("gm.finish"),))
    raise LogError("gm.unknown", text=text)


def make_amendment(ruleset: Ruleset[S, Any, Any], position: Position[S]) -> Record[S]:
    """Return the record of the entry `amend STATE` that lets the game go on from *position*, whatever led to it."""
    state = msgspec.json.encode(position.state).decode()
    return _amendment(ruleset, position, Entry(position.seq + 1, GM, f"{AMEND} {state}"), state)


def _amendment(ruleset: Ruleset[S, Any, Any], position: Position[S], entry: Entry, text: str) -> Record[S]:
    try:
        state = msgspec.json.decode(text, type=ruleset.state_type)
    except msgspec.MsgspecError as error:
        raise LogError("gm.amend", detail=str(error)) from error
    return Record(entry, _put_anew(ruleset, position, entry, state), (_unknown(ruleset, "gm.amend"),))


def _unknown(ruleset: Ruleset[Any, Any, Any], key: str, **values: FieldValue) -> Event:
    """Return an event that nobody may know before the end where there are secrets."""
    return Event(key, tuple(values.items()), () if ruleset.has_secrets else None)


def is_amendment(entry: Entry) -> bool:
    """Return whether replay may begin at *entry*: it holds the whole position."""
    return entry.seat == GM and entry.text.startswith(f"{AMEND} ")


def last_amended(entries: Iterable[Entry]) -> int:
    """Return the number of the last amendment among *entries*, 0 where there is none."""
    return max((one.seq for one in entries if is_amendment(one)), default=0)


def _put_anew(ruleset: Ruleset[S, Any, Any], position: Position[S], entry: Entry, state: S) -> Position[S]:
    numbers = tuple((one.seat, entry.seq) for one in ruleset.pending(state))
    return Position(state, entry.seq, position.draws, numbers)


def rewind_point(ruleset: Ruleset[S, Any, Any], records: Sequence[Record[S]], start: Position[S], seq: int) -> int:
    """
    Return *seq*, or the beginning of the all-at-once round that is half entered there.

    A round goes on as long as only seats owe something that owed it before; what the last of them answers alone, right
    after it, counts as part of it, so that no answer of another is ever shown too early.
    """
    return (0, *rewind_points(ruleset, records[:seq], start))[-1]


def rewind_points(ruleset: Ruleset[S, Any, Any], records: Iterable[Record[S]], start: Position[S]) -> Iterator[int]:
    """Yield for each of *records* where a rewind to it stops: its own number, unless a round is half entered there."""
    begun, before = 0, _persons(ruleset, start)
    for record in records:
        after = _persons(ruleset, record.position)
        at_once = len(before) > 1 or begun < record.entry.seq - 1
        if not (at_once and record.entry.seat in before and after and after <= before):
            begun = record.entry.seq
        before = after
        yield begun


def _persons(ruleset: Ruleset[S, Any, Any], position: Position[S]) -> set[Seat]:
    return {one.decision.seat for one in position.owed(ruleset) if one.decision.seat != CHANCE}


def replay(
    ruleset: Ruleset[S, Any, Any], start: Position[S], entries: Iterable[Entry], dice: Dice | None = None
) -> tuple[Record[S], ...]:
    """
    Return the record of every entry, each checked as if it were played now.

    With *dice*, every draw is recomputed too. There is no other way to load a game. What does not replay before an
    amendment was made under other rules: it is taken as it stands, and replay begins again at the amendment.
    Raises: LogError `log.entry` with `seq` and the reason's key, `log.seq`, `log.draw`.
    """
    listed = tuple(entries)
    begins = last_amended(listed)
    records: list[Record[S]] = []
    is_foreign = False
    for entry in listed:
        position = records[-1].position if records else start
        if entry.seq != position.seq + 1:
            raise LogError("log.seq", seq=entry.seq, expected=position.seq + 1)
        is_foreign = is_foreign and not is_amendment(entry)
        try:
            record = (
                _foreign(ruleset, position, entry) if is_foreign else _replayed(ruleset, records, start, entry, dice)
            )
        except LogError:
            if entry.seq >= begins:
                raise
            is_foreign = True
            record = _foreign(ruleset, position, entry)
        records.append(record)
    return tuple(records)


def _replayed(
    ruleset: Ruleset[S, Any, Any], records: Sequence[Record[S]], start: Position[S], entry: Entry, dice: Dice | None
) -> Record[S]:
    """Return the record of *entry* after *records*, checked as if it were played now."""
    position = records[-1].position if records else start
    try:
        if entry.seat == GM:
            record = make_correction(ruleset, records, start, entry.text)
        else:
            record = make_entry(ruleset, position, entry.seat, entry.text)
    except EngineError as error:
        raise LogError("log.entry", seq=entry.seq, text=entry.text, reason=error.key) from error
    if dice is not None and entry.seat == CHANCE and entry.text != draw_text(ruleset, position, dice):
        raise LogError("log.draw", seq=entry.seq, text=entry.text)
    return record


def _foreign(ruleset: Ruleset[S, Any, Any], position: Position[S], entry: Entry) -> Record[S]:
    """Return the record of an *entry* of other rules: it moves nothing but the numbers of entries and draws."""
    after = replace(position, seq=entry.seq, draws=position.draws + (entry.seat == CHANCE))
    return Record(entry, after, (_unknown(ruleset, "gm.foreign", seat=entry.seat, text=entry.text),))


def draw_text(ruleset: Ruleset[S, Any, Any], position: Position[S], dice: Dice) -> str:
    """Return the text of the chance move that the dice give for the draw that *position* owes."""
    decision = ruleset.pending(position.state)[0]
    moves = list(ruleset.legal(position.state, CHANCE))
    return ruleset.grammar.format_move(moves[dice.draw(position.draws, decision.odds)])


def first_link(header: str) -> bytes:
    """Return the digest that the chain begins with: of the *header* text that never changes."""
    return hashlib.sha256(header.encode()).digest()


def next_link(link: bytes, dice: Dice, entry: Entry) -> bytes:
    """Return the digest after *entry*: of the digest before it, its salt, and seq, seat and text."""
    text = f"{entry.seq} {entry.seat} {entry.text}".encode()
    return hashlib.sha256(link + dice.salt(entry.seq) + text).digest()


def _readers(events: tuple[Event, ...]) -> tuple[Seat, ...] | None:
    """Return who may read every one of *events*; None: everybody."""
    allowed: set[Seat] | None = None
    for event in events:
        if event.seats is not None:
            allowed = set(event.seats) if allowed is None else allowed & set(event.seats)
    return None if allowed is None else tuple(sorted(allowed))


def may_read(record: Record[Any], seat: Seat | None) -> bool:
    """Return whether *seat* (None: a spectator) may read the text of the entry: it may read every one of its events."""
    readers = _readers(record.events)
    return readers is None or (seat is not None and seat in readers)
