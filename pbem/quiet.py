"""
Quiet hours: a time of the day, where a person lives, in which no mail is to reach him; and the hour of a daily mail.

They are told by the clock on his wall, so a change of summer time makes a night longer or shorter and needs no rule of
its own; therefore spans are counted minute by minute. What goes all the same is decided in `pbem/sleepers.py`.
"""

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

LONGEST = timedelta(hours=16)
"""A longer time without mail each day is no quiet time any more."""

_MINUTE = timedelta(minutes=1)
_DAY = 24 * 60
_CLOCK = r"(\d{1,2})\s?(?:[:h.]\s?(\d{2}))?\s?(am|pm|h|hs|horas|o'clock)?"
_BETWEEN = r"\s*(?:-|\u2013|\u2014|to|till|until|and|as|ate|a|e)\s*"
_HOUR = re.compile(rf"(?:daily|diario|diaria)?\s*(?:at|as|a)?\s*{_CLOCK}")
_SPAN = re.compile(rf"(?:from |between |das |de |entre )?{_CLOCK}{_BETWEEN}{_CLOCK}")


class Quiet(Struct, frozen=True):
    """From *begin* to *end*, in minutes of the day; over midnight where it ends before it begins."""

    begin: int
    end: int

    def __str__(self) -> str:
        """Return it as it is stored and shown: `22:00-08:00`."""
        return f"{_clock(self.begin)}-{_clock(self.end)}"

    @property
    def length(self) -> timedelta:
        """Return how long it lasts on a day without a change of summer time."""
        return ((self.end - self.begin) % _DAY) * _MINUTE


def parse_quiet(text: str) -> Quiet | None:
    """Return the hours that *text*, in small letters without accents, names: `22-08`, `22:30 to 7`; None for others."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        return None
    begin, end = _minutes(*found.groups()[:3]), _minutes(*found.groups()[3:])
    return None if begin is None or end is None else Quiet(begin, end)


def parse_hour(text: str) -> str | None:
    """Return the time of day that *text*, in small letters without accents, names, as it is stored: `18:00`."""
    found = _HOUR.fullmatch(text.strip())
    minute = None if found is None else _minutes(*found.groups())
    return None if minute is None else _clock(minute)


def next_hour(hour: str, zone: str, moment: datetime) -> datetime:
    """Return when after *moment*, aware UTC, the clocks of *zone* show *hour* for the first time on a day."""
    here = moment.astimezone(ZoneInfo(zone))
    for days in range(3):
        day = here.date() + timedelta(days=days)
        found = datetime.combine(day, time.fromisoformat(hour), ZoneInfo(zone)).astimezone(UTC)
        if found > moment:
            return found
    raise AssertionError("no day is left out twice in a row")


def is_quiet(quiet: str, zone: str, moment: datetime) -> bool:
    """Return whether *moment* lies in the hours *quiet*, as they are stored, of a person in *zone*."""
    hours = parse_quiet(quiet)
    if hours is None:
        return False
    here = moment.astimezone(ZoneInfo(zone))
    minute = here.hour * 60 + here.minute
    if hours.begin < hours.end:
        return hours.begin <= minute < hours.end
    return minute >= hours.begin or minute < hours.end


def quiet_end(quiet: str, zone: str, moment: datetime) -> datetime:
    """Return when mail may come again, to the minute: *moment* itself where it may come now."""
    while is_quiet(quiet, zone, moment):
        moment = moment.replace(second=0, microsecond=0) + _MINUTE
    return moment


def quiet_within(quiet: str, zone: str, begin: datetime, end: datetime) -> timedelta:
    """Return how much of the time from *begin* to *end* is quiet."""
    found = timedelta()
    moment = begin
    while quiet and moment < end:
        after = min(end, moment.replace(second=0, microsecond=0) + _MINUTE)
        found += (after - moment) if is_quiet(quiet, zone, moment) else timedelta()
        moment = after
    return found


def mail_after(quiet: str, daily: str, zone: str, moment: datetime) -> datetime:
    """Return when mail may come for what was noted at *moment*: at the *daily* hour, if there is one, or after it."""
    return quiet_end(quiet, zone, next_hour(daily, zone, moment) if daily else moment)


def _minutes(hour: str, minute: str | None, half: str | None) -> int | None:
    """Return the minute of the day that a clock shows, None if none does."""
    hours, minutes = int(hour), int(minute or 0)
    if half in ("am", "pm"):
        if not 1 <= hours <= 12:  # noqa: PLR2004 - hours on a dial
            return None
        hours = hours % 12 + (12 if half == "pm" else 0)
    if hours == 24 and not minutes:  # noqa: PLR2004 - midnight at the end of a day
        hours = 0
    return hours * 60 + minutes if hours < 24 and minutes < 60 else None  # noqa: PLR2004 - hours and minutes


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
