"""
Days of rest: on which of a calendar's days no clock runs, and spans of time in which only the others count.

A day begins when the clocks of its zone show midnight, or what they show in its place, and lasts until the next one
begins: 23 or 25 hours where summer time changes. All moments go in and come out as aware UTC.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

_DAY = timedelta(days=1)


class Rest(Struct, frozen=True):
    """
    Days on which no clock runs, where `zone` says what day it is; "" is UTC.

    Shape:  `weekdays` from 0, Monday; `yearly` as (month, day); `dates` of one year each
    """

    weekdays: tuple[int, ...] = ()
    yearly: tuple[tuple[int, int], ...] = ()
    dates: tuple[date, ...] = ()
    zone: str = ""

    @property
    def has_days(self) -> bool:
        """Return whether there is any day of rest."""
        return bool(self.weekdays or self.yearly or self.dates)

    def is_off(self, day: date) -> bool:
        """Return whether *day* is one of rest."""
        return day.weekday() in self.weekdays or (day.month, day.day) in self.yearly or day in self.dates

    def after(self, moment: datetime, span: timedelta) -> datetime:
        """
        Return the moment that is *span* of working time after *moment*; before it where *span* is negative.

        It is never on a day of rest: what would end with the last working moment before one ends with the first one
        after it. Only *moment* itself, for a span of 0, comes back as the end of the rest that it lies in.
        """
        if not self.has_days:
            return moment + span
        return self._forward(moment, span) if span >= timedelta() else self._back(moment, -span)

    def between(self, begin: datetime, end: datetime) -> timedelta:
        """Return the working time from *begin* to *end*; negative where *end* is the earlier."""
        if end < begin:
            return -self.between(end, begin)
        return sum((until - since for since, until in self.stretches(begin, end)), timedelta())

    def stretches(self, begin: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield begin and end of every stretch of working time from *begin* to *end*."""
        if not self.has_days:
            yield begin, end
            return
        for day, since, until in self._days(begin, end):
            if not self.is_off(day):
                yield since, until

    def days_off(self, begin: datetime, end: datetime) -> list[date]:
        """Return the days of rest from *begin* to *end*, in part or in whole."""
        return [day for day, _, _ in self._days(begin, end) if self.is_off(day)] if self.has_days else []

    def _days(self, begin: datetime, end: datetime) -> Iterator[tuple[date, datetime, datetime]]:
        """Yield every day from *begin* to *end* with the part of it that lies there."""
        day, since = self._day_of(begin), begin
        while since < end:
            until = min(self._begin_of(day + _DAY), end)
            if since < until:
                yield day, since, until
            day, since = day + _DAY, until

    def _forward(self, moment: datetime, span: timedelta) -> datetime:
        day, since = self._day_of(moment), moment
        while True:
            until = self._begin_of(day + _DAY)
            if not self.is_off(day):
                if span < until - since:
                    return since + span
                span -= until - since
            day, since = day + _DAY, until

    def _back(self, moment: datetime, span: timedelta) -> datetime:
        day, until = self._day_of(moment), moment
        while True:
            since = self._begin_of(day)
            if not self.is_off(day):
                if span <= until - since:
                    return until - span
                span -= until - since
            day, until = day - _DAY, since

    def _day_of(self, moment: datetime) -> date:
        """Return the day that *moment* belongs to, also where the clocks jump back, or on, over midnight."""
        day = moment.astimezone(self._place).date()
        if self._begin_of(day) > moment:
            return day - _DAY
        return day + _DAY if self._begin_of(day + _DAY) <= moment else day

    def _begin_of(self, day: date) -> datetime:
        return datetime.combine(day, time(), self._place).astimezone(UTC)

    @property
    def _place(self) -> ZoneInfo:
        return ZoneInfo(self.zone or "UTC")
