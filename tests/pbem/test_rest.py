"""Days of rest: spans of working time keep their laws on every calendar, over both changes of summer time."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.rest import Rest

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
ZONES = ("America/Sao_Paulo", "Europe/Lisbon", "Pacific/Apia", "Australia/Lord_Howe", "America/Toronto", "")
WEEKEND = (5, 6)

CALENDARS = st.builds(
    Rest,
    st.sets(st.integers(0, 6), max_size=6).map(tuple),
    st.sets(st.dates(date(2024, 1, 1), date(2024, 12, 31)).map(lambda day: (day.month, day.day)), max_size=20).map(
        tuple
    ),
    st.sets(st.dates(date(2011, 11, 1), date(2012, 2, 1)), max_size=20).map(tuple),
    st.sampled_from(ZONES),
)
SPANS = st.timedeltas(timedelta(), timedelta(days=60))
MOMENTS = st.one_of(
    *(
        st.timedeltas(timedelta(), timedelta(days=days)).map(lambda span, begin=begin: begin + span)
        for begin, days in (
            (datetime(1919, 3, 1, tzinfo=UTC), 60),  # Toronto jumps over midnight
            (datetime(2011, 12, 1, tzinfo=UTC), 60),  # Apia leaves a day out
            (datetime(2017, 9, 1, tzinfo=UTC), 550),  # São Paulo changes at midnight
            (datetime(2026, 1, 1, tzinfo=UTC), 1000),
        )
    )
)


def local_day(rest: Rest, moment: datetime) -> date:
    return moment.astimezone(ZoneInfo(rest.zone or "UTC")).date()


@given(CALENDARS, MOMENTS, SPANS)
def test_after_and_between_are_inverse(rest: Rest, moment: datetime, span: timedelta) -> None:
    later = rest.after(moment, span)

    assert span == rest.between(moment, later)
    assert later == rest.after(moment, rest.between(moment, later))
    assert rest.after(moment, timedelta()) == rest.after(later, -span)


@given(CALENDARS, MOMENTS, st.timedeltas(-60 * DAY, 60 * DAY), st.timedeltas(-60 * DAY, 60 * DAY))
def test_working_time_adds_up(rest: Rest, one: datetime, first: timedelta, second: timedelta) -> None:
    two, three = one + first, one + second

    assert rest.between(one, three) == rest.between(one, two) + rest.between(two, three)


@given(CALENDARS, MOMENTS, SPANS, SPANS)
def test_one_span_after_the_other_is_their_sum(rest: Rest, moment: datetime, one: timedelta, two: timedelta) -> None:
    assert rest.after(moment, one + two) == rest.after(rest.after(moment, one), two)


@given(CALENDARS, MOMENTS, SPANS, st.booleans())
@example(Rest(WEEKEND), datetime(2026, 3, 5, 12, tzinfo=UTC), 36 * HOUR, False)
def test_nothing_ends_on_a_day_of_rest(rest: Rest, moment: datetime, span: timedelta, back: bool) -> None:
    if back and not span:
        return

    assert not rest.is_off(rest._day_of(rest.after(moment, -span if back else span)))  # noqa: SLF001 - the day it counts as


@given(CALENDARS, MOMENTS, st.integers(0, 12 * 24 * 4))
@example(Rest(WEEKEND, zone="America/Sao_Paulo"), datetime(2018, 2, 16, 12, tzinfo=UTC), 4 * 96)
@example(Rest(WEEKEND, zone="America/Sao_Paulo"), datetime(2018, 11, 2, 12, tzinfo=UTC), 4 * 96)
@example(Rest(dates=(date(2011, 12, 30),), zone="Pacific/Apia"), datetime(2011, 12, 28, tzinfo=UTC), 4 * 96)
def test_working_time_is_what_lies_on_other_days(rest: Rest, moment: datetime, quarters: int) -> None:
    if rest.zone == "America/Toronto" and moment.year == 1919:
        return  # its clocks went from 23:30 to 00:30: by our rule that half hour is still the day before
    moment = moment.replace(minute=0, second=0, microsecond=0)
    step = 15 * timedelta(minutes=1)

    counted = sum(not rest.is_off(local_day(rest, moment + step * n)) for n in range(quarters))

    assert step * counted == rest.between(moment, moment + step * quarters)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("America/Sao_Paulo", date(2018, 11, 4), 23),  # its summer time began at midnight
        ("America/Sao_Paulo", date(2018, 2, 17), 25),
        ("Europe/Lisbon", date(2027, 3, 28), 23),
        ("Europe/Lisbon", date(2027, 10, 31), 25),
        ("Pacific/Apia", date(2011, 12, 30), 0),  # there was no such day
        ("Pacific/Apia", date(2020, 9, 27), 23),
        ("Pacific/Apia", date(2021, 4, 4), 25),
        ("Australia/Lord_Howe", date(2026, 10, 4), 23.5),
        ("Australia/Lord_Howe", date(2026, 4, 5), 24.5),
        ("UTC", date(2026, 4, 5), 24),
    ],
)
def test_a_day_of_rest_is_as_long_as_that_day_is_there(zone: str, day: date, hours: float) -> None:
    begin = datetime(day.year, day.month, day.day, tzinfo=UTC) - 2 * DAY
    rests = Rest(dates=(day,), zone=zone)

    assert 5 * DAY - hours * HOUR == rests.between(begin, begin + 5 * DAY)
    assert begin + 5 * DAY == rests.after(begin, 5 * DAY - hours * HOUR)


def test_what_would_end_with_friday_ends_with_the_beginning_of_monday() -> None:
    weekend = Rest(WEEKEND, zone="Europe/Lisbon")
    friday = datetime(2027, 3, 26, 12, tzinfo=UTC)
    monday = datetime(2027, 3, 28, 23, tzinfo=UTC)  # midnight in Lisbon, in summer time since Sunday

    assert monday == weekend.after(friday, 12 * HOUR)
    assert monday + HOUR == weekend.after(friday, 13 * HOUR)
    assert friday + 12 * HOUR - HOUR == weekend.after(friday, 11 * HOUR)
    assert monday == weekend.after(friday + DAY, timedelta())


def test_the_days_of_rest_on_the_way_are_named() -> None:
    rest = Rest(WEEKEND, ((12, 25),), (date(2026, 12, 28),))
    thursday = datetime(2026, 12, 24, 12, tzinfo=UTC)

    assert [date(2026, 12, day) for day in (25, 26, 27, 28)] == rest.days_off(thursday, thursday + 6 * DAY)
    assert rest.days_off(thursday, thursday + 6 * HOUR) == []
    assert Rest().days_off(thursday, thursday + 6 * DAY) == []


def test_where_nothing_rests_time_is_time() -> None:
    moment = datetime(2026, 3, 28, 12, tzinfo=UTC)

    assert moment + 30 * HOUR == Rest(zone="Europe/Lisbon").after(moment, 30 * HOUR)
    assert 30 * HOUR == Rest().between(moment, moment + 30 * HOUR)
    assert [(moment, moment + HOUR)] == list(Rest().stretches(moment, moment + HOUR))
