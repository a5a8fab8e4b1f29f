"""Clocks run in hours that passed: a change of summer time moves what they show, not when they end."""

from datetime import timedelta

import pytest

from tests.pbem.witness import SetTable, said, seated

HOUR = timedelta(hours=1)
WEEK = 168 * HOUR
"""From Monday 2 March 2026; on the Sunday after, clocks in New York go forward."""


@pytest.mark.parametrize(("zone", "hour"), [("America/New_York", "08:00"), ("America/Sao_Paulo", "09:00")])
def test_a_deadline_is_shown_in_the_time_that_holds_on_its_day(set_table: SetTable, zone: str, hour: str) -> None:
    table = seated(set_table, "Ana pt", "Bob en", clock="168h")

    table.says("Bob", f"zone {zone}\nstatus")

    assert f"9 March, {hour} ({zone})" in said(table.last("Bob"))


def test_a_week_across_the_change_is_as_long_as_any_other(set_table: SetTable) -> None:
    table = seated(set_table, "Ana pt", "Bob en", clock="168h")
    begun = table.now
    table.says("Bob", "zone America/New_York")

    while table.now + HOUR < begun + WEEK:
        assert table.moves() == []
        table.tick(after=HOUR)
    table.tick(after=HOUR)

    assert table.moves() != []
