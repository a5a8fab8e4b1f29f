"""How long somebody is away, as he writes it: `10 days`, `uma semana`, `until 24 Dec`, `até 24/12`, `until Friday`."""

import re
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from pbem.desk.words import fold, words_for

LONGEST = 80
"""Characters from which a text is no length of time and no day."""

_TOKEN = re.compile(r"\d{1,4}|[^\W\d_]+|[^\w\s,.]")
_JOINED = re.compile(r"(?<=[^\W\d])-(?=[^\W\d])")
_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_SPANS = {"week": timedelta(weeks=1), "day": timedelta(days=1), "hour": timedelta(hours=1)}
_FIRST_YEAR = 1_000
_MONTHS = 12


def read_until(text: str, now: datetime, zone: str, own: Path | None) -> datetime | None:
    """
    Return until when *text* says that somebody is away, None where it says nothing that can be read.

    A day counts to its end, in *zone*; one without a year is the next of its kind. Of 3/4 the first is the day.
    """
    folded = fold(text)
    if not folded or len(folded) > LONGEST:
        return None
    span = read_span(folded, own)
    if span is not None:
        return now + span if span else None
    local = now.astimezone(ZoneInfo(zone))
    day = _read_day(folded, local.date(), own)
    if day is None:
        return None
    until = datetime.combine(day + timedelta(days=1), time(), ZoneInfo(zone)).astimezone(UTC)
    return until if until > now else None


def _tokens(folded: str, own: Path | None) -> list[str]:
    """Return the words and numbers of *folded* without those that say nothing."""
    passed = {"/", "º", *words_for("passed", own)} - words_for("spans", own).keys()
    return [
        one for one in _TOKEN.findall(_JOINED.sub(" ", folded)) if one not in passed or one in words_for("numbers", own)
    ]


def read_span(folded: str, own: Path | None) -> timedelta | None:
    """Return a length of time: numbers, each with its unit; None for anything else."""
    numbers, units = words_for("numbers", own), words_for("spans", own)
    tokens = _tokens(folded, own)
    span = timedelta()
    for number, unit in zip(tokens[::2], tokens[1::2], strict=False):
        value = number if number.isdecimal() else numbers.get(number, "")
        if not value or unit not in units:
            return None
        span += int(value) * _SPANS[units[unit]]
    return None if not tokens or len(tokens) % 2 else span


def _read_day(folded: str, today: date, own: Path | None) -> date | None:
    iso = _ISO.search(folded)
    if iso is not None:
        return _date(int(iso[1]), int(iso[2]), int(iso[3]))
    months, weekdays, days = (words_for(name, own) for name in ("months", "weekdays", "days"))
    articles = words_for("passed", own)
    tokens = [one for one in _tokens(folded, own) if one not in articles]
    numbers = [int(one) for one in tokens if one.isdecimal()]
    words = [one for one in tokens if not one.isdecimal()]
    if not numbers and len(words) == 1 and words[0] in days:
        return today + timedelta(days=int(days[words[0]]))
    if not numbers and len(words) == 1 and words[0] in weekdays:
        return today + timedelta(days=(int(weekdays[words[0]]) - today.weekday()) % 7)
    year = numbers.pop() if numbers and numbers[-1] >= _FIRST_YEAR else 0
    named = [int(months[one]) for one in words if one in months]
    others = [one for one in words if one not in months and one not in weekdays]
    if others or len(named) > 1 or len(numbers) != 2 - len(named):
        return None
    day, month = (numbers[0], named[0]) if named else (numbers[0], numbers[1])
    if not named and month > _MONTHS >= day:
        day, month = month, day
    return _next(day, month, year, today)


def _next(day: int, month: int, year: int, today: date) -> date | None:
    """Return that day of *year*, or of the first year in which it is not over."""
    if year:
        return _date(year, month, day)
    found = [_date(today.year + more, month, day) for more in range(9)]
    return next((one for one in found if one is not None and one >= today), None)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
