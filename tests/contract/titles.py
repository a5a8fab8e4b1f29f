"""The settings that the contract suite is run on: every title with every number of seats, and the test title."""

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

from msgspec import Struct

from engine import registry
from engine.core.dice import Dice, demo_seed
from engine.core.log import Position, first_position
from engine.core.ruleset import Ruleset, make_config
from engine.core.tables import Tables

registry.add_title("bids", "tests.contract.bids")


class Setting(Struct, frozen=True):
    """
    One way to set up one title.

    `drawn`  0: from the set-up; else the number of a position in the middle, drawn by chance
    """

    title: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()
    drawn: int = 0

    def __str__(self) -> str:
        """Return a name for the test's report."""
        drawn = ["drawn"] if self.drawn else []
        return "-".join([self.title, str(self.seats), *(f"{name}={value}" for name, value in self.options), *drawn])

    @property
    def ruleset(self) -> Ruleset[Any, Any, Any]:
        """Return the title's rules."""
        return registry.load(self.title)

    @property
    def tables(self) -> Tables:
        """Return the title's packaged tables."""
        return registry.packaged_tables(self.title)

    def start(self) -> Position[Any]:
        """Return the game before its first entry."""
        return _start(self)


@lru_cache
def _start(setting: Setting) -> Position[Any]:
    """Return the game before its first entry: a value that never changes."""
    ruleset = setting.ruleset
    config = make_config(setting.seats, dict(setting.options), allowed=ruleset.seats, options=ruleset.options)
    begun = first_position(ruleset, config, setting.tables)
    if not setting.drawn:
        return begun
    state = laws_of(setting.title).drawn(begun.state, setting.drawn)
    return Position(state, numbers=tuple((one.seat, 0) for one in ruleset.pending(state)))


def dice(number: int) -> Dice:
    """Return the dice of test game *number*."""
    return Dice(demo_seed(number))


def settings(*, every: bool = False) -> list[Setting]:
    """
    Return every title, or those that `$LAW_TITLES` names, with each number of seats it allows.

    Then its variants and drawn positions, the plain game among them without a name: each with one number of seats, or
    with *every* one.
    """
    chosen = os.environ.get("LAW_TITLES", "").split() or registry.titles()
    plain = [Setting(title, seats) for title in chosen for seats in registry.load(title).seats]
    return [*plain, *(one for title in chosen for one in variants(title, every=every))]


def variants(title: str, *, every: bool) -> Iterator[Setting]:
    """Yield the variants of *title* that its own laws name: options, with the numbers of seats they allow."""
    laws = laws_of(title)
    named: tuple[tuple[dict[str, str], tuple[int, ...]], ...] = getattr(laws, "VARIANTS", ())
    for at, (options, seats) in enumerate(named):
        for number in seats if every else (seats[at % len(seats)],):
            if options:
                yield Setting(title, number, tuple(options.items()))
            if hasattr(laws, "drawn"):
                yield Setting(title, number, tuple(options.items()), drawn=1)


def laws_of(title: str) -> Any:
    """Return the module with a title's own laws."""
    return import_module("tests.contract.bids_pieces" if title == "bids" else f"tests.engine.{title}.laws")


def check_end(title: str, state: Any) -> None:
    """Hold what a title's own laws say of a game that has come to its end."""
    check: Callable[[Any], None] | None = getattr(laws_of(title), "check_end", None)
    if check is not None:
        check(state)


def pieces(title: str) -> Callable[[Any], object]:
    """Return the function that counts all pieces of a position; what it gives never changes in a game."""
    counted: Callable[[Any], object] = laws_of(title).pieces
    return counted
