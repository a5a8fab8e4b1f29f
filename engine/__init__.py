"""Pure rules of board games: `load(name)` gives a ruleset; the types say what it takes and returns."""

from engine.core.types import CHANCE, GM, Ahead, Decision, Entry, Event, Seat, Standing, Step
from engine.registry import load, packaged_tables, titles

__all__ = [
    "CHANCE",
    "GM",
    "Ahead",
    "Decision",
    "Entry",
    "Event",
    "Seat",
    "Standing",
    "Step",
    "load",
    "packaged_tables",
    "titles",
]
