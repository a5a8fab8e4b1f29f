"""The words of the engine as values: who decides, what happened, what stands in the log, who leads."""

from collections.abc import Sequence
from typing import Generic, NewType, TypeVar

from msgspec import Struct

Seat = NewType("Seat", int)
"""A place in a game, 0..n-1; below zero are the two that hold no place."""

CHANCE = Seat(-1)
"""Draws cubes and rolls dice; its moves carry weights."""

GM = Seat(-2)
"""The game master's corrections in the log."""

S = TypeVar("S")
"""The whole position of one title."""

FieldValue = int | str | tuple[int | str, ...]
Fields = tuple[tuple[str, FieldValue], ...]
"""Named arguments in a fixed order; the words that use them stand in the templates."""


def fields(**values: FieldValue) -> Fields:
    """Return *values* as fields, in the order in which they were given."""
    return tuple(values.items())


class Decision(Struct, frozen=True):
    """
    One question that the rules put to one seat.

    `odds`      chance only: one positive weight for each move of `legal`, in its order
    `occasion`  which market day, mass or round; the same when named ahead and when put; 0: whichever is next
    `facts`     words that hold here, for `when` in a line ("wood")
    `wait`      False: where no line fits, the default is played at once and told
    `implied`   a line may leave it out and go on: the default is played, though the game waits where nothing follows
    `secret`    its list depends on what only this seat knows: it is never played unasked, even if forced
    `fields`    public; what is secret, the words take from the view
    """

    seat: Seat
    key: str
    fields: Fields = ()
    odds: tuple[int, ...] = ()
    occasion: int = 0
    facts: tuple[str, ...] = ()
    wait: bool = True
    implied: bool = False
    secret: bool = False


class Ahead(Struct, Generic[S], frozen=True):
    """A decision that may come to a seat; `state` is the position as if it were owed now, None if not to be told."""

    decision: Decision
    state: S | None = None


class Event(Struct, frozen=True):
    """A fact of the game. `seats` None: everybody may know it; (): nobody before the end."""

    key: str
    fields: Fields = ()
    seats: tuple[Seat, ...] | None = None


def event(key: str, **values: FieldValue) -> Event:
    """Return what happened and everybody may know, with *values* as its fields in the order given."""
    return Event(key, fields(**values))


class Step(Struct, Generic[S], frozen=True):
    """What one move led to: the position after it, and the events in their order."""

    state: S
    events: tuple[Event, ...] = ()


class Entry(Struct, frozen=True):
    """One line of the log. `seq` counts from 1. Texts of `GM`: `rewind SEQ`, `draw TEXT`, `amend STATE`, `finish`."""

    seq: int
    seat: Seat
    text: str


class Standing(Struct, frozen=True):
    """
    Where a seat stands.

    `rank`   1 is best; equal seats share a rank
    `parts`  points by source, in the order of the rulebook; they add up to `points`
    `ties`   the figures that broke, or did not break, a tie, in the order in which they count
    """

    seat: Seat
    rank: int
    points: int
    parts: tuple[tuple[str, int], ...]
    ties: tuple[int, ...] = ()


def rank_by(scores: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """
    Return the rank of each seat; the higher score is the better, compared figure by figure.

    Shape:  `scores` has one tuple for each seat: points, then the figures that break ties.
    """
    return tuple(1 + sum(other > own for other in scores) for own in scores)


Figures = tuple[int, ...]


def make_standings(
    names: tuple[str, ...], points: Sequence[Figures], ties: Sequence[Figures], breaks: Sequence[Figures] = ()
) -> tuple[Standing, ...]:
    """
    Return one standing for each seat, in seat order.

    Shape:  *points* by source, as *names* says, and the figures of *ties*, for each seat; *breaks* are the figures by
            which ties are broken, the higher the better, where they are not those of *ties*.
    """
    scores = tuple((sum(own), *more) for own, more in zip(points, breaks or ties, strict=True))
    ranks = rank_by(scores)
    return tuple(
        Standing(Seat(seat), ranks[seat], sum(own), tuple(zip(names, own, strict=True)), ties[seat])
        for seat, own in enumerate(points)
    )
