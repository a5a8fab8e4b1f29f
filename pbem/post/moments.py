"""Moments and lengths of time as the figures that the words are made of."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

_HOURS_AS_DAYS = 48
"""From here on a length is told in days."""
_HOURS_ALONE = 6
"""From here on minutes are left out."""


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
    """Return *length*, or so many seconds, as days, hours and minutes; the small ones are 0 where there are big ones."""
    seconds = length if isinstance(length, int) else int(length.total_seconds())
    minutes = max(seconds // 60, 0)
    hours = minutes // 60
    if hours >= _HOURS_AS_DAYS:
        return hours // 24, hours % 24, 0
    return 0, hours, 0 if hours >= _HOURS_ALONE else minutes % 60


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return ZoneInfo("UTC")
