"""
How reliably people answer: on time, late, or not at all; counted where answers are entered, in the same transaction.

One count for each seat whose answers are entered together, however many moves they are. On time is an answer in the
free time, or one that was planned before it was asked; late one that the bank paid for, or that the game waited for;
missed one that was played by default, or by a bot, at the deadline. What plays itself, what is entered for a bot, and
what a rewind takes back are not counted.
"""

from collections.abc import Collection, Sequence
from typing import Any

from engine.core.play import Made
from engine.core.types import Seat
from pbem.live import Live
from pbem.store import people
from pbem.store.base import Session
from pbem.store.games import Holder
from pbem.store.people import Answer


def count_answers(
    session: Session, before: Live, after: Live, made: Sequence[Made[Any]], due: Collection[Seat]
) -> None:
    """Count what *made* says of each person; *after* has the clocks stopped, *due* are those whose time was up."""
    played = {"default", "line"} if before.game.late == "bot" else {"default"}
    for old, new in zip(before.holders, after.holders, strict=True):
        own = [one.cause for one in made if one.record.entry.seat == old.seat]
        is_due = old.seat in due and bool(played.intersection(own))
        answer = "missed" if is_due else _answer(old, new, own)
        if old.person is not None and not old.answered_by and answer is not None:
            people.count_answer(session, old.person, answer)


def _answer(old: Holder, new: Holder, causes: Sequence[str]) -> Answer | None:
    if "line" not in causes:
        return None
    return "late" if old.belated or old.overdue or new.bank < old.bank else "on_time"
