from datetime import UTC, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clock import Clock, format_clock, format_duration, parse_clock, parse_duration, utc_now
from pbem.errors import Misuse

SPANS = st.integers(0, 3_660 * 86_400).map(lambda seconds: timedelta(seconds=seconds))


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


@given(SPANS, SPANS.filter(bool))
def test_clock_round_trip(free, bank):
    for clock in (Clock(free, bank), Clock(bank)):
        assert clock == parse_clock(format_clock(clock))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "duration.form"),
        ("24h +", "clock.form"),
        ("+ 10d", "clock.form"),
        ("24h + 1d + 1d", "clock.form"),
        ("0", "clock.none"),
        ("0 + 0", "clock.none"),
    ],
)
def test_what_is_no_clock_is_refused(text, key):
    with pytest.raises(Misuse, match=key.replace(".", r"\.")):
        parse_clock(text)
