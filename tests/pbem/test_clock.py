from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clock import (
    Clock,
    check_kinds,
    format_clock,
    format_duration,
    in_zone,
    only_kinds,
    parse_clock,
    parse_duration,
    utc_now,
)
from pbem.errors import Misuse
from pbem.rest import Rest

HOUR = timedelta(hours=1)
SPANS = st.integers(0, 3_660 * 86_400).map(lambda seconds: timedelta(seconds=seconds))
RESTS = st.builds(
    Rest,
    st.sets(st.integers(0, 6), max_size=6).map(lambda days: tuple(sorted(days))),
    st.sets(st.dates(date(2024, 1, 1), date(2024, 12, 31)).map(lambda day: (day.month, day.day)), max_size=9).map(
        lambda days: tuple(sorted(days))
    ),
    st.sets(st.dates(date(2000, 1, 1)), max_size=9).map(lambda days: tuple(sorted(days))),
    st.sampled_from(["", "UTC", "America/Sao_Paulo", "Australia/Lord_Howe"]),
)
KINDS = st.dictionaries(
    st.from_regex(r"[a-z][a-z0-9-]{0,9}(\.[a-z][a-z0-9-]{0,9})?", fullmatch=True).filter(
        lambda kind: kind not in ("off", "zone", "remind")
    ),
    SPANS,
    max_size=3,
).map(lambda kinds: tuple(kinds.items()))
SHARES = st.sets(
    st.integers(1, 9_999)
    .flatmap(lambda all_: st.builds(Fraction, st.integers(1, all_), st.just(all_ + 1)))
    .filter(lambda share: share.denominator < 10_000),
    max_size=3,
).map(lambda shares: tuple(sorted(shares)))
KEYS = ("village.turn", "village.death", "village.market")


def test_now_is_aware_utc():
    assert utc_now().tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "span", "shown"),
    [
        ("0", timedelta(), "0"),
        ("0h", timedelta(), "0"),
        ("10 minutes", timedelta(minutes=10), "10m"),
        ("24h", timedelta(hours=24), "24h"),
        (" 1 Day 12 Hours ", timedelta(hours=36), "36h"),
        ("10d", timedelta(days=10), "10d"),
        ("2w3d", timedelta(days=17), "17d"),
        ("90 sec", timedelta(seconds=90), "1m 30s"),
        ("2d 1min", timedelta(days=2, minutes=1), "2d 1m"),
    ],
)
def test_duration_is_read_and_shown(text, span, shown):
    assert span == parse_duration(text)
    assert shown == format_duration(span)


@pytest.mark.parametrize("text", ["", "h", "24", "24 x", "-1h", "1.5h", "1h,", "24hh", "٣h", "0 0", "1 month"])
def test_what_is_no_duration_is_refused(text):
    with pytest.raises(Misuse, match=r"duration\.form"):
        parse_duration(text)


def test_duration_has_a_limit():
    with pytest.raises(Misuse, match=r"duration\.long .*most=3660d"):
        parse_duration("999999999w")


@given(SPANS)
def test_duration_round_trip(span):
    assert span == parse_duration(format_duration(span))


@given(SPANS, SPANS.filter(bool), RESTS, KINDS, SHARES)
def test_clock_round_trip(free, bank, rest, kinds, shares):
    for clock in (Clock(free, bank), Clock(bank), Clock(free, bank, rest, kinds, shares)):
        assert clock == parse_clock(format_clock(clock))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("24h + 10d; off sat sun", "24h + 10d; off sat sun"),
        (" 1d+10d ;OFF Sunday saturday 12-25 2027-04-02 Sat", "24h + 10d; off sat sun 12-25 2027-04-02"),
        ("24h; zone America/Sao_Paulo; off tues thurs", "24h; off tue thu; zone America/Sao_Paulo"),
        ("24h; death 1 day 12h ; Village.Market 0 + 0", None),
        ("24h + 10d; death 36h; village.market 0", "24h + 10d; death 36h; village.market 0"),
        ("24h; remind 9/10 2/4 1/2", "24h; remind 1/2 9/10"),
    ],
)
def test_more_parts_of_a_clock_are_read_and_shown(text, shown):
    if shown is None:
        with pytest.raises(Misuse, match=r"duration\.form"):
            parse_clock(text)
    else:
        assert shown == format_clock(parse_clock(text))


def test_a_kind_of_decision_has_its_own_free_time():
    clock = parse_clock("24h + 10d; death 12h; village.market 6h; turn 0")

    assert [0 * HOUR, 12 * HOUR, 6 * HOUR, 24 * HOUR] == [
        clock.free_for(key) for key in ("village.turn", "village.death", "village.market", "towns.market")
    ]


def test_a_kind_that_the_title_does_not_have_is_refused_with_those_there_are():
    check_kinds(parse_clock("24h; death 12h; village.turn 3d"), KEYS)
    for text in ("24h; birth 12h", "24h; towns.turn 12h"):
        with pytest.raises(Misuse, match=r"clock\.kind .*turn.*death.*market"):
            check_kinds(parse_clock(text), KEYS)


def test_a_clock_for_all_titles_keeps_what_one_title_or_none_knows():
    clock = parse_clock("24h; death 12h; give 6h; slip 3h")

    assert "24h; death 12h; slip 3h" == format_clock(only_kinds(clock, KEYS, (*KEYS, "towns.give")))


def test_a_clock_with_days_of_rest_is_put_in_a_zone_once():
    lisbon = in_zone(parse_clock("24h; off sat"), "Europe/Lisbon")

    assert format_clock(lisbon) == "24h; off sat; zone Europe/Lisbon"
    assert in_zone(lisbon, "America/Sao_Paulo") == lisbon
    assert format_clock(in_zone(parse_clock("24h"), "Europe/Lisbon")) == "24h"


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("24h", [18]),
        ("24h + 10d", [264 - 24]),
        ("24h + 10d; remind 1/2 9/10", [132, 237.6]),
        ("24h; off wed", [18]),
        ("48h; off tue; remind 1/8 3/4", [6, 60]),
    ],
)
def test_reminders_lie_at_parts_of_the_time_that_counts(text, hours):
    clock, begin = parse_clock(text), datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
    deadline = clock.after(begin, clock.free + clock.bank)

    assert [begin + one * HOUR for one in hours] == list(clock.reminders(begin, deadline))


def test_the_bank_runs_from_its_length_before_the_deadline_on():
    clock, begin = parse_clock("24h + 2d; off sat sun"), datetime(2026, 3, 5, 12, tzinfo=UTC)  # a Thursday
    deadline = clock.after(begin, 72 * HOUR)

    assert begin + 5 * 24 * HOUR == deadline
    assert begin + 24 * HOUR == clock.free_until(deadline, 48 * HOUR)
    assert deadline == clock.free_until(deadline, 0 * HOUR)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "duration.form"),
        ("24h +", "clock.form"),
        ("+ 10d", "clock.form"),
        ("24h + 1d + 1d", "clock.form"),
        ("0", "clock.none"),
        ("0 + 0", "clock.none"),
        ("24h; death 0", "clock.none"),
        ("24h; off mon tue wed thu fri sat sun", "clock.never"),
        (
            f"24h; off {' '.join(f'{month:02}-{day:02}' for month in range(1, 13) for day in range(1, 17))}",
            "clock.never",
        ),
        ("24h;", "clock.part"),
        ("24h; off", "clock.part"),
        ("24h; zone", "clock.part"),
        ("24h; zone Europe/Lisbon UTC", "clock.part"),
        ("24h; remind", "clock.part"),
        ("24h; death", "clock.part"),
        ("24h; 12h", "clock.part"),
        ("24h; morte! 12h", "clock.part"),
        ("24h; off sat; off sun", "clock.twice"),
        ("24h; death 1h; death 2h", "clock.twice"),
        ("24h; off someday", "clock.day"),
        ("24h; off satan", "clock.day"),
        ("24h; off 02-30", "clock.day"),
        ("24h; off 13-01", "clock.day"),
        ("24h; off 2027-02-29", "clock.day"),
        ("24h; off 2027-4-2", "clock.day"),
        ("24h; zone Europe/Nowhere", "timezone.unknown"),
        ("24h; zone ../etc", "timezone.unknown"),
        ("24h; zone Europe", "timezone.unknown"),
        ("24h; death soon", "duration.form"),
        ("24h; death 12h + 1d", "duration.form"),
        ("24h; remind 1/1", "clock.share"),
        ("24h; remind 0/2", "clock.share"),
        ("24h; remind 3/2", "clock.share"),
        ("24h; remind half", "clock.share"),
        ("24h; remind 0.5", "clock.share"),
    ],
)
def test_what_is_no_clock_is_refused(text, key):
    with pytest.raises(Misuse, match=key.replace(".", r"\.")):
        parse_clock(text)
