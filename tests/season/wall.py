"""
What a clock should say, worked out anew: day by day on the wall of a zone, with nothing of the service's own sums.

Moments are aware UTC; a day of rest is a whole day of that zone's calendar, 23, 24 or 25 hours long.
"""

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

_DAY = timedelta(days=1)


class Wall(Struct, frozen=True):
    """A clock of the season: as the service reads it, and the same in parts. `weekdays` are numbered from Monday."""

    text: str
    free: timedelta
    bank: timedelta
    zone: str = "UTC"
    weekdays: tuple[int, ...] = ()
    dates: tuple[tuple[int, int], ...] = ()

    def rests(self, day: date) -> bool:
        """Return whether no time counts on *day*."""
        return day.weekday() in self.weekdays or (day.month, day.day) in self.dates

    def worked(self, begin: datetime, end: datetime) -> timedelta:
        """Return the time that counts from *begin* to *end*."""
        return sum((min(close, end) - open_ for open_, close in self._spans(begin, end)), timedelta())

    def _spans(self, begin: datetime, end: datetime) -> Collection[tuple[datetime, datetime]]:
        zone = ZoneInfo(self.zone)
        day, spans = begin.astimezone(zone).date(), []
        while (dawn := _midnight(day, zone)) < end:
            if not self.rests(day):
                spans.append((max(begin, dawn), _midnight(day + _DAY, zone)))
            day += _DAY
        return spans


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


H, D = timedelta(hours=1), timedelta(days=1)
WALLS = (
    Wall("24h + 10d", 24 * H, 10 * D),
    Wall("36h + 7d; remind 1/2 9/10", 36 * H, 7 * D),
    Wall("24h + 8d; off sat sun; zone Europe/Berlin", 24 * H, 8 * D, "Europe/Berlin", (5, 6)),
    Wall(
        "30h + 6d; off sun 12-25 01-01; zone America/New_York",
        30 * H,
        6 * D,
        "America/New_York",
        (6,),
        ((12, 25), (1, 1)),
    ),
    Wall(
        "24h + 6d; off 12-24 12-25 12-26; zone Australia/Sydney",
        24 * H,
        6 * D,
        "Australia/Sydney",
        (),
        ((12, 24), (12, 25), (12, 26)),
    ),
)
"""Clocks of the games, one after the other."""
