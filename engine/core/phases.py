"""
A game as a stack of phases begun and not ended, for titles in which one seat after another is asked.

The topmost phase either asks somebody (a row of `asking` has its key) or, if it has nothing to ask, the rules move on
by themselves: with the row's own `goes_on`, or with `passing` for phases that never ask. An empty stack: the game is
over.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from engine.core.errors import IllegalMoveError
from engine.core.grammar import Grammar
from engine.core.types import Decision, Event, Seat, Step


class Phased(Protocol):
    """A position with its phases, the present one last; each has a `key`, the empty one if it never asks."""

    @property
    def stack(self) -> tuple[Any, ...]:
        """Return the phases begun and not ended."""
        ...


S = TypeVar("S", bound=Phased)
M = TypeVar("M")
K = TypeVar("K")

Rule = Callable[[S, Any], Step[S]]
"""A rule that takes a move of its own kind."""


def always(_state: object) -> bool:
    """Return True."""
    return True


class Asking(Struct, Generic[S, M], frozen=True):
    """
    A phase that asks.

    `decision`  the question and who owes the answer; `moves` the answers
    `answers`   kind of move -> its rule
    `asks`      whether there is anything to ask; if not, `goes_on` is what the rules do by themselves
    """

    key: str
    decision: Callable[[S], Decision]
    moves: Callable[[S], Iterator[M]]
    answers: Mapping[type[object], Rule[S]]
    asks: Callable[[S], bool] = always
    goes_on: Callable[[S], Step[S]] | None = None


def on(kind: type[K], rule: Callable[[S, K], Step[S]]) -> tuple[type[K], Rule[S]]:
    """Return *kind* with its *rule*."""
    return kind, rule


def answers(*rules: tuple[type[Any], Rule[S]]) -> Mapping[type[object], Rule[S]]:
    """Return *rules* by kind of move."""
    return MappingProxyType(dict(rules))


class Phases(Struct, Generic[S, M], frozen=True, dict=True):
    """The phases of one title: rows of those that ask, and how those go on that never do."""

    grammar: Grammar[M]
    asking: tuple[Asking[S, M], ...]
    passing: Mapping[type[Any], Callable[[S], Step[S]]]

    @cached_property
    def _by_key(self) -> dict[str, Asking[S, M]]:
        return {row.key: row for row in self.asking}

    def present(self, state: S) -> Asking[S, M]:
        """Return the row of the phase that asks now; one must."""
        return self._by_key[state.stack[-1].key]

    def pending(self, state: S) -> tuple[Decision, ...]:
        """Return the one decision that is owed; nothing when the game is over."""
        return (self.present(state).decision(state),) if state.stack else ()

    def legal(self, state: S, seat: Seat) -> Iterator[M]:
        """Yield the answers to what *seat* owes."""
        if any(decision.seat == seat for decision in self.pending(state)):
            yield from self.present(state).moves(state)

    def apply(self, state: S, seat: Seat, move: M) -> Step[S]:
        """
        Return the position after *move*, and after all that follows by itself.

        Raises: IllegalMoveError `turn.not-owed`, `turn.not-asked`, and those of the move's rule.
        """
        owed = [decision for decision in self.pending(state) if decision.seat == seat]
        if not owed:
            raise IllegalMoveError("turn.not-owed", seat=seat)
        rule = self.present(state).answers.get(type(move))
        if rule is None:
            raise IllegalMoveError("turn.not-asked", verb=self.grammar.verb_of(move).word, decision=owed[0].key)
        made = rule(state, move)
        after = self.settle(made.state)
        return Step(after.state, made.events + after.events)

    def settle(self, state: S) -> Step[S]:
        """Return the state after the rules have moved on until somebody is asked, or the game is over."""
        events: list[Event] = []
        while state.stack:
            row = self._by_key.get(state.stack[-1].key)
            if row is None:
                step = self.passing[type(state.stack[-1])](state)
            elif row.asks(state):
                break
            else:
                assert row.goes_on is not None
                step = row.goes_on(state)
            state = step.state
            events.extend(step.events)
        return Step(state, tuple(events))
