"""The settings that the contract suite is run on: every title with every number of seats, and the test title."""

import os
from collections.abc import Callable
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
    """One way to set up one title."""

    title: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """Return a name for the test's report."""
        return "-".join([self.title, str(self.seats), *(f"{name}={value}" for name, value in self.options)])

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
        ruleset = self.ruleset
        config = make_config(self.seats, dict(self.options), allowed=ruleset.seats, options=ruleset.options)
        return first_position(ruleset, config, self.tables)


def dice(number: int) -> Dice:
    """Return the dice of test game *number*."""
    return Dice(demo_seed(number))


def settings() -> list[Setting]:
    """Return every title, or those that `$LAW_TITLES` names, with each number of seats it allows."""
    chosen = os.environ.get("LAW_TITLES", "").split() or registry.titles()
    return [Setting(title, seats) for title in chosen for seats in registry.load(title).seats]


def pieces(title: str) -> Callable[[Any], object]:
    """Return the function that counts all pieces of a position; what it gives never changes in a game."""
    module = "tests.contract.bids_pieces" if title == "bids" else f"tests.engine.{title}.laws"
    counted: Callable[[Any], object] = import_module(module).pieces
    return counted
