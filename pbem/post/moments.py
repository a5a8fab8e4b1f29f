"""Moments and lengths of time as the figures that the words are made of."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

_HOURS_AS_DAYS = 48
"""From here on a length is told in days."""
_HOURS_ALONE = 6
"""From here on minutes are rounded to hours."""


class Moment(Struct, frozen=True):
    """A moment where the reader lives; `weekday` 0 is Monday, `clock` is "18:30", `year` 0 the present one."""

    weekday: int
    day: int
    month: int
    year: int
    clock: str
    zone: str


def split_moment(moment: datetime | str, zone: str, now: datetime) -> Moment:
    """Return *moment*, aware or written in ISO 8601, in *zone*; UTC where there is no such zone."""
    place = _zone(zone)
    aware = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    here = aware.astimezone(place)
    year = here.year if here.year != now.year else 0
    return Moment(here.weekday(), here.day, here.month, year, f"{here:%H:%M}", place.key)


def split_length(length: timedelta | int) -> tuple[int, int, int]:
    """Return *length*, or so many seconds, as days, hours and minutes; beside big ones the small are 0."""
    seconds = length if isinstance(length, int) else int(length.total_seconds())
    minutes = max(seconds // 60, 0)
    if minutes < _HOURS_ALONE * 60:
        return 0, minutes // 60, minutes % 60
    hours = (minutes + 30) // 60
    return (hours // 24, hours % 24, 0) if hours >= _HOURS_AS_DAYS else (0, hours, 0)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return ZoneInfo("UTC")
