"""
Time: the only place that asks what time it is, and how spans of time are written.

Everything else takes `now` as an argument; the command line calls `utc_now` once.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta

from msgspec import Struct

from pbem.errors import Misuse

Now = Callable[[], datetime]
"""Gives the present moment, aware UTC: `utc_now`, or what a test puts in its place."""

_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_PART = re.compile(r"([0-9]{1,9}) ?(w|weeks?|d|days?|h|hours?|m|min|minutes?|s|sec|seconds?)(?![a-z]) ?")
_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})")
_LONGEST = timedelta(days=3_660)


class Clock(Struct, frozen=True):
    """
    How much time a player has.

    Shape:  each decision has `free`; what it takes beyond that runs down the player's `bank`.
    """

    free: timedelta
    bank: timedelta = timedelta()


def utc_now() -> datetime:
    """Return the present moment, aware UTC."""
    return datetime.now(UTC)


def format_moment(moment: datetime | None) -> str | None:
    """Return *moment* as RFC 3339 in UTC, or None."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def parse_duration(text: str) -> timedelta:
    """
    Return the span written in *text*: "0", "10 minutes", "24h", "1d 12h".

    Units:  weeks, days, hours, minutes and seconds, each by its first letter or as a word; at most ten years.
    Raises: Misuse `duration.form` or `duration.long`.
    """
    rest = " ".join(text.lower().split())
    seconds, place = 0, 0
    while match := _PART.match(rest, place):
        seconds += int(match[1]) * _SECONDS[match[2][0]]
        place = match.end()
    if rest != "0" and (not rest or place < len(rest)):
        raise Misuse("duration.form", text=text, example="24h")
    if seconds > _LONGEST.total_seconds():
        raise Misuse("duration.long", text=text, most=format_duration(_LONGEST))
    return timedelta(seconds=seconds)


def format_duration(span: timedelta) -> str:
    """Return *span* as `parse_duration` reads it: "24h", "10d", "1h 30m", "0"; up to two days in hours."""
    left = int(span.total_seconds())
    parts = []
    for unit in "dhms":
        if unit == "d" and left < 2 * _SECONDS["d"]:
            continue
        count, left = divmod(left, _SECONDS[unit])
        parts += [f"{count}{unit}"] if count else []
    return " ".join(parts) or "0"


def parse_time_of_day(text: str) -> time:
    """
    Return the time of the day that *text* tells: "08:00", "8:30".

    Raises: Misuse `time.form`.
    """
    found = _TIME.fullmatch(text.strip())
    if found is None or int(found[1]) > 23 or int(found[2]) > 59:  # noqa: PLR2004 - hours and minutes
        raise Misuse("time.form", text=text, example="08:00")
    return time(int(found[1]), int(found[2]))


def parse_clock(text: str) -> Clock:
    """
    Return the clock written in *text*: "24h + 10d", or "24h" alone for one without a bank.

    Raises: Misuse `clock.form`, `clock.none`, and what `parse_duration` raises.
    """
    free, plus, bank = text.partition("+")
    if "+" in bank or (plus and not (free.strip() and bank.strip())):
        raise Misuse("clock.form", text=text, example="24h + 10d")
    clock = Clock(parse_duration(free), parse_duration(bank) if plus else timedelta())
    if not clock.free + clock.bank:
        raise Misuse("clock.none", text=text)
    return clock


def format_clock(clock: Clock) -> str:
    """Return *clock* as `parse_clock` reads it."""
    free = format_duration(clock.free)
    return f"{free} + {format_duration(clock.bank)}" if clock.bank else free
