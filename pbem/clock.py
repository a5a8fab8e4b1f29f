"""
Time: the only place that asks what time it is, and how spans of time and the clock of a game are written.

Everything else takes `now` as an argument; the command line calls `utc_now` once. A clock is `24h + 10d` and, if
wanted, more parts behind it:

    24h + 10d; off sat sun 12-25 2027-04-02; zone America/Sao_Paulo; death 12h; remind 1/2 9/10

`off`     days on which it does not run: weekdays, days of each year, single days
`zone`    where it is that day
`death`   a kind of decision that has another free time: its key, or the part of it behind the dot
`remind`  at which parts of the whole time a reminder goes
"""

import re
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from pbem.errors import Misuse
from pbem.rest import Rest

Now = Callable[[], datetime]
"""Gives the present moment, aware UTC: `utc_now`, or what a test puts in its place."""

_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_PART = re.compile(r"([0-9]{1,9}) ?(w|weeks?|d|days?|h|hours?|m|min|minutes?|s|sec|seconds?)(?![a-z]) ?")
_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})")
_LONGEST = timedelta(days=3_660)
_SHARE = 4
"""Where nothing is said a reminder goes when this part of the time is left, ..."""
_MOST = timedelta(hours=24)
"""... but not earlier than this before the deadline."""

_EXAMPLE = "24h + 10d"
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(r"(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(day)?s?")
_YEARLY = re.compile(r"([0-9]{2})-([0-9]{2})")
_SINGLE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LEAP_YEAR = 2024
_FRACTION = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")
_KIND = re.compile(r"[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*")
_MOST_YEARLY = 183
"""With more days of rest in each year, weekdays aside, a game would hardly go on."""


class Clock(Struct, frozen=True):
    """
    How much time a player has.

    Shape:  each decision has `free`, or what `kinds` says for its key; what it takes beyond that runs down the player's
            `bank`. None of it runs on days of `rest`. `remind` are parts of the whole time, rising; () the usual one.
    """

    free: timedelta
    bank: timedelta = timedelta()
    rest: Rest = Rest()
    kinds: tuple[tuple[str, timedelta], ...] = ()
    remind: tuple[Fraction, ...] = ()

    def free_for(self, key: str) -> timedelta:
        """Return the free time of a decision with that *key*."""
        return next((span for kind, span in self.kinds if _is_kind(kind, key)), self.free)

    def after(self, moment: datetime, span: timedelta) -> datetime:
        """Return the moment that is *span* after *moment* as this clock counts; before it for a negative one."""
        return self.rest.after(moment, span)

    def between(self, begin: datetime, end: datetime) -> timedelta:
        """Return the time from *begin* to *end* as this clock counts; negative where *end* is the earlier."""
        return self.rest.between(begin, end)

    def free_until(self, deadline: datetime, bank: timedelta) -> datetime:
        """Return from when a *bank* runs down that is empty at the *deadline*."""
        return self.after(deadline, -bank) if bank else deadline

    def reminders(self, begin: datetime, deadline: datetime) -> tuple[datetime, ...]:
        """Return when to remind of a *deadline* whose clock was put at *begin*, at least once."""
        whole = self.between(begin, deadline)
        spans = [whole * part.numerator / part.denominator for part in self.remind] or [
            whole - min(_MOST, whole / _SHARE)
        ]
        return tuple(self.after(begin, span) for span in spans)


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


@lru_cache(maxsize=256)
def parse_clock(text: str) -> Clock:
    """
    Return the clock written in *text*: "24h + 10d", "24h" alone for one without a bank, more parts behind ";".

    Raises: Misuse `clock.form`, `clock.none`, `clock.never`, `clock.part`, `clock.twice`, `clock.day`, `clock.share`,
            `timezone.unknown`, and what `parse_duration` raises.
    """
    head, *parts = text.split(";")
    free, plus, bank = head.partition("+")
    if "+" in bank or (plus and not (free.strip() and bank.strip())):
        raise Misuse("clock.form", text=head.strip(), example=_EXAMPLE)
    clock = Clock(parse_duration(free), parse_duration(bank) if plus else timedelta())
    named: set[str] = set()
    for part in parts:
        name, *rest = part.split() or [""]
        if name.lower() in named:
            raise Misuse("clock.twice", part=name)
        named.add(name.lower())
        clock = _with_part(clock, name.lower(), rest, part.strip())
    if not all(free + clock.bank for free in (clock.free, *(span for _, span in clock.kinds))):
        raise Misuse("clock.none", text=text)
    if len(clock.rest.weekdays) == len(_WEEKDAYS) or len(clock.rest.yearly) > _MOST_YEARLY:
        raise Misuse("clock.never", text=text)
    return clock


def _with_part(clock: Clock, name: str, rest: Sequence[str], text: str) -> Clock:
    """Return *clock* with one more part, *text*, as its *name* and the words behind it."""
    match name, len(rest):
        case ("off", count) if count:
            return replace(clock, rest=_parse_rest(rest, clock.rest.zone))
        case ("zone", 1):
            check_zone(rest[0])
            return replace(clock, rest=replace(clock.rest, zone=rest[0]))
        case ("remind", count) if count:
            return replace(clock, remind=tuple(sorted({_parse_share(one) for one in rest})))
        case (kind, count) if count and _KIND.fullmatch(kind) and kind not in ("off", "zone", "remind"):
            return replace(clock, kinds=(*clock.kinds, (kind, parse_duration(" ".join(rest)))))
    raise Misuse("clock.part", text=text)


def _parse_rest(words: Sequence[str], zone: str) -> Rest:
    """Return the days of rest that *words* name."""
    days = {_parse_day(word) for word in words}
    return Rest(
        tuple(sorted(day for day in days if isinstance(day, int))),
        tuple(sorted(day for day in days if isinstance(day, tuple))),
        tuple(sorted(day for day in days if isinstance(day, date))),
        zone,
    )


def _parse_day(word: str) -> int | tuple[int, int] | date:
    """Return a weekday, 0 is Monday, a month and a day of each year, or one day."""
    if _WEEKDAY.fullmatch(word.lower()):
        return _WEEKDAYS.index(word[:3].lower())
    try:
        if yearly := _YEARLY.fullmatch(word):
            day = date(_LEAP_YEAR, int(yearly[1]), int(yearly[2]))
            return day.month, day.day
        if _SINGLE.fullmatch(word):
            return date.fromisoformat(word)
    except ValueError:  # no month has that day
        pass
    raise Misuse("clock.day", day=word)


def _parse_share(text: str) -> Fraction:
    found = _FRACTION.fullmatch(text)
    share = Fraction(int(found[1]), int(found[2])) if found else Fraction(0)
    if not 0 < share < 1:
        raise Misuse("clock.share", share=text)
    return share


def check_zone(text: str) -> None:
    """
    See that *text* names a time zone.

    Raises: Misuse `timezone.unknown`.
    """
    try:
        ZoneInfo(text)
    except (OSError, ValueError, KeyError):
        raise Misuse("timezone.unknown", text=text) from None


def check_kinds(clock: Clock, keys: Collection[str]) -> None:
    """
    See that each kind of decision that has its own time is one of a title's *keys*.

    Raises: Misuse `clock.kind`, with those there are.
    """
    for kind, _ in clock.kinds:
        if not any(_is_kind(kind, key) for key in keys):
            raise Misuse("clock.kind", kind=kind, known=tuple(key.partition(".")[2] for key in keys))


def only_kinds(clock: Clock, keys: Collection[str], others: Collection[str]) -> Clock:
    """Return *clock*, meant for several titles, for the one with these *keys*: without what only *others* know."""
    return replace(
        clock,
        kinds=tuple(
            one
            for one in clock.kinds
            if any(_is_kind(one[0], key) for key in keys) or not any(_is_kind(one[0], key) for key in others)
        ),
    )


def in_zone(clock: Clock, zone: str) -> Clock:
    """Return *clock* with its days of rest, if there are any and it does not say where, in *zone*."""
    is_open = clock.rest.has_days and not clock.rest.zone
    return replace(clock, rest=replace(clock.rest, zone=zone)) if is_open else clock


def _is_kind(kind: str, key: str) -> bool:
    return kind in (key, key.partition(".")[2])


def format_clock(clock: Clock) -> str:
    """Return *clock* as `parse_clock` reads it."""
    free, rest = format_duration(clock.free), clock.rest
    days = [
        *(_WEEKDAYS[day] for day in rest.weekdays),
        *(f"{month:02}-{day:02}" for month, day in rest.yearly),
        *(day.isoformat() for day in rest.dates),
    ]
    parts = [
        f"{free} + {format_duration(clock.bank)}" if clock.bank else free,
        f"off {' '.join(days)}" if days else "",
        f"zone {rest.zone}" if rest.zone else "",
        *(f"{kind} {format_duration(span)}" for kind, span in clock.kinds),
        f"remind {' '.join(map(str, clock.remind))}" if clock.remind else "",
    ]
    return "; ".join(filter(None, parts))
