"""A game, entry by entry, and what can be seen in it."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from engine.core.log import Position, Record
from engine.core.types import FieldValue

Said = dict[str, FieldValue]


class Moment(Struct, frozen=True, dict=True):
    """One entry of a game: the state before it, and its record."""

    before: Any
    record: Record[Any]

    @property
    def seq(self) -> int:
        """Return the number of the entry."""
        return self.record.entry.seq

    @property
    def text(self) -> str:
        """Return the text of the entry."""
        return self.record.entry.text

    @property
    def after(self) -> Any:
        """Return the state after the entry."""
        return self.record.position.state

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of the events, in their order."""
        return tuple(event.key for event in self.record.events)

    def told(self, *keys: str) -> Iterator[Said]:
        """Yield the fields of the events with one of *keys*."""
        for event in self.record.events:
            if event.key in keys:
                yield dict(event.fields)


Game = Sequence[Moment]
Eye = Callable[[Game], Iterator[int]]
"""A game -> the numbers of the entries where something happens."""


class Situation(Struct, frozen=True):
    """
    Something that a golden game shows.

    `says`    what happens, in one sentence
    `sees`    finds it in a game
    `ruling`  the heading in the title's README.md that it is about
    `rules`   the items of the title's RULES.md that it is about
    """

    key: str
    says: str
    sees: Eye
    ruling: str = ""
    rules: tuple[str, ...] = ()


def moments(start: Position[Any], records: Sequence[Record[Any]]) -> Game:
    """Return the game that began at *start*, entry by entry."""
    states = [start.state, *(record.position.state for record in records)]
    return tuple(Moment(before, record) for before, record in zip(states, records, strict=False))


def each(happens: Callable[[Moment], bool]) -> Eye:
    """Return the eye that sees every entry at which something *happens*."""

    def sees(game: Game) -> Iterator[int]:
        return (moment.seq for moment in game if happens(moment))

    return sees


def at_end(happens: Callable[[Moment], bool]) -> Eye:
    """Return the eye that sees the last entry, if something *happens* there."""

    def sees(game: Game) -> Iterator[int]:
        return (moment.seq for moment in game[-1:] if happens(moment))

    return sees
