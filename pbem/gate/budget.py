"""
How often a seat is answered in vain: two robots that answer each other must fall silent, a clumsy person must not.

A letter in which something is understood is always served and always answered; only answers that say "not understood"
are counted.
"""

from msgspec import Struct

MOST_VAIN = 20
"""Answers in vain within a day, since a letter was last understood."""

MOST_SAME = 2
"""Answers in vain to the same words within a day."""


class Answered(Struct, frozen=True):
    """Letters of one seat in the last day that were answered in vain: since one was understood; with the same words."""

    vain: int
    same: int


def silence(answered: Answered) -> str:
    """Return the key of the reason why one more answer in vain is not given, empty if it may be."""
    if answered.same >= MOST_SAME:
        return "budget.same"
    return "budget.vain" if answered.vain >= MOST_VAIN else ""
