"""What the people of a season are like: the table that README.md shows."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Manner = Literal["turn", "plans"]


class Habit(Struct, frozen=True):
    """
    How somebody plays by mail.

    `share`    of a hundred people
    `looks`    hours of his day at which he reads his mail, each some minutes earlier or later
    `answers`  how often, of a hundred questions that he finds, he answers at once; else he looks at it again later
    `manner`   whether he writes his turn, or also leaves plans for what may come
    """

    name: str
    share: int
    looks: tuple[int, ...]
    answers: int
    manner: Manner
    about: str


FAST = Habit("fast", 30, (8, 10, 12, 14, 16, 18, 20, 22), 95, "plans", "reads mail every two hours, leaves plans")
STEADY = Habit("steady", 30, (8, 13, 20), 90, "turn", "reads mail three times a day, writes whole turns")
SLOW = Habit("slow", 14, (21,), 60, "turn", "reads mail in the evening, often leaves it for the next")
AWAY = Habit(
    "away",
    8,
    (8, 13, 20),
    90,
    "turn",
    "as steady, but gone for 5 to 12 days twice; half say so, a robot answers for some",
)
GONE = Habit(
    "gone",
    5,
    (9, 19),
    85,
    "turn",
    "writes no more from some day on, a third from the first question on; of a third the address dies",
)
SLOPPY = Habit(
    "sloppy",
    9,
    (7, 12, 19),
    85,
    "turn",
    "typing errors, greetings, numbers, other words, the same letter twice, an old mail answered",
)
HOSTILE = Habit(
    "hostile",
    4,
    (9, 15, 23),
    85,
    "turn",
    "as steady, and forges, floods, sends rubbish, bombs and moves that are not allowed",
)
HABITS: Sequence[Habit] = (FAST, STEADY, SLOW, AWAY, GONE, SLOPPY, HOSTILE)

ZONES = (
    "Europe/Lisbon",
    "Europe/Berlin",
    "America/Sao_Paulo",
    "America/New_York",
    "Australia/Sydney",
    "Asia/Kolkata",
)
"""Where people live: four of the six change their clocks in the season, on five different days."""


def habit_of(place: int, people: int) -> Habit:
    """Return the habit of the person at *place* of so many *people*, each habit with its share."""
    percent = place * 100 // people
    for habit in HABITS:
        if percent < habit.share:
            return habit
        percent -= habit.share
    raise AssertionError("shares add up to a hundred")
