"""How long somebody is away, in the words of both languages."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.desk.dates import read_until

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)  # a Monday
ZONE = "America/Sao_Paulo"


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("10 days", timedelta(days=10)), ("10d", timedelta(days=10)), ("for 10 days", timedelta(days=10)),
        ("a week", timedelta(weeks=1)), ("two weeks", timedelta(weeks=2)), ("36h", timedelta(hours=36)),
        ("1 week and 2 days.", timedelta(days=9)), ("10 dias", timedelta(days=10)),
        ("por duas semanas", timedelta(weeks=2)), ("uma semana", timedelta(weeks=1)), ("Três dias", timedelta(days=3)),
    ],
)  # fmt: skip
def test_a_length_of_time_is_read_in_both_languages(text: str, span: timedelta) -> None:
    assert read_until(text, NOW, ZONE, None) == NOW + span


@pytest.mark.parametrize(
    ("text", "year", "month", "day"),
    [
        ("until 24 Dec", 2026, 12, 24), ("until Dec 24th", 2026, 12, 24), ("until the 5th of March", 2026, 3, 5),
        ("until Friday", 2026, 3, 6), ("until Monday", 2026, 3, 2), ("tomorrow", 2026, 3, 3),
        ("until 2026-03-10", 2026, 3, 10), ("until 12/24", 2026, 12, 24), ("until 1 March", 2027, 3, 1),
        ("até 24 de dezembro", 2026, 12, 24), ("até 24/12", 2026, 12, 24), ("até o dia 5 de março", 2026, 3, 5),
        ("até sexta-feira", 2026, 3, 6), ("até amanhã", 2026, 3, 3), ("ATÉ 3/4/2026", 2026, 4, 3),
        ("until 29 Feb", 2028, 2, 29),
    ],
)  # fmt: skip
def test_a_day_counts_to_its_end_where_the_person_lives(text: str, year: int, month: int, day: int) -> None:
    midnight = datetime(year, month, day, 3, tzinfo=UTC) + timedelta(days=1)

    assert read_until(text, NOW, ZONE, None) == midnight


@pytest.mark.parametrize(
    "text",
    ["", "soon", "0 days", "-3 days", "until 31 Feb", "10", "até 24", "from home", "until 24 Dec please", "days 3",
     "until 2026-13-40", "until 1 Jan 2020", "3 de 4 de 5", "until monday friday", "x" * 500, "until 2026-02-30"],
)  # fmt: skip
def test_what_is_no_time_is_not_guessed(text: str) -> None:
    assert read_until(text, NOW, ZONE, None) is None


def test_the_end_of_a_day_follows_summer_time() -> None:
    before = datetime(2026, 3, 27, 12, tzinfo=UTC)

    assert read_until("until 29 March", before, "Europe/Lisbon", None) == datetime(2026, 3, 29, 23, tzinfo=UTC)
