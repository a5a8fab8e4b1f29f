"""How reliably people answer: what counts as on time, late and missed, and what is not counted."""

from datetime import timedelta

import pytest

from pbem import moderation
from pbem.store import people
from tests.pbem.table import Table, text_of
from tests.pbem.witness import SetTable, seated, stake

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def counted(table: Table, name: str) -> tuple[int, int, int]:
    """Return how often *name* answered on time, late, and not at all."""
    with table.service.store.read() as session:
        person = people.find_person(session, f"{name.lower()}@players.test")
    assert person is not None
    return person.on_time, person.late, person.missed


def test_an_answer_in_the_free_time_is_on_time_however_many_moves_it_is(set_table: SetTable) -> None:
    table = seated(set_table)

    table.says("Ana", stake(table, "Ana"))
    waiting = counted(table, "Ana")
    table.says("Bob", stake(table, "Bob"))

    assert waiting == (0, 0, 0), "it is counted when it is entered"
    assert counted(table, "Ana") == counted(table, "Bob") == (1, 0, 0)


def test_an_answer_that_the_bank_paid_for_is_late(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", stake(table, "Bob"))

    table.tick(after=30 * HOUR)
    table.says("Ana", stake(table, "Ana"))

    assert (counted(table, "Ana"), counted(table, "Bob")) == ((0, 1, 0), (1, 0, 0))


def test_an_answer_that_came_late_is_late_though_others_are_waited_for(set_table: SetTable) -> None:
    table = seated(set_table)

    table.tick(after=30 * HOUR)
    table.says("Ana", stake(table, "Ana"))
    table.says("Bob", stake(table, "Bob"))

    assert counted(table, "Ana") == counted(table, "Bob") == (0, 1, 0)


def test_who_was_late_once_is_on_time_with_his_next_answer(set_table: SetTable) -> None:
    table = seated(set_table)
    table.tick(after=30 * HOUR)
    for name in ("Ana", "Bob", "Ana", "Bob"):
        table.says(name, stake(table, name))

    assert counted(table, "Ana") == counted(table, "Bob") == (1, 1, 0)


def test_an_answer_planned_ahead_is_on_time(set_table: SetTable) -> None:
    table = seated(set_table)
    cards = table.hand("Ana")

    table.says("Ana", f"stake {cards[0]}: bid 1\nnext: stake {cards[1]}: bid 1")
    table.says("Bob", stake(table, "Bob"))
    table.says("Bob", stake(table, "Bob"))

    assert [one for one in table.moves() if one.startswith("0 stake")] == [f"0 stake {card}" for card in cards[:2]]
    assert counted(table, "Ana") == (2, 0, 0)


def test_a_default_at_the_deadline_is_missed_once(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Bob", stake(table, "Bob"))

    table.tick(after=25 * HOUR)

    assert len([one for one in table.moves() if one.startswith("0 ")]) > 1
    assert (counted(table, "Ana"), counted(table, "Bob")) == ((0, 0, 1), (1, 0, 0))


def test_a_default_fills_what_a_line_left_and_the_answer_is_missed(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.says("Bob", stake(table, "Bob"))
    table.says("Ana", f"stake {table.hand('Ana')[1]}")

    table.tick(after=25 * HOUR)

    assert counted(table, "Ana") == (0, 0, 1)


def test_a_rewind_neither_counts_nor_takes_a_count_back(set_table: SetTable) -> None:
    table = seated(set_table)
    for name in ("Ana", "Bob"):
        table.says(name, stake(table, name))
    with table.service.store.write() as session:
        moderation.rewind(session, table.live(), 0, "", table.now)

    assert counted(table, "Ana") == (1, 0, 0)


def test_a_rehearsal_counts_nothing(set_table: SetTable) -> None:
    table = seated(set_table)
    table.says("Bob", stake(table, "Bob"))

    table.says("Ana", f"try {stake(table, 'Ana')}")

    assert counted(table, "Ana") == counted(table, "Bob") == (0, 0, 0)


@pytest.mark.parametrize("title", ["village", "my_village", "tiny_towns"])
def test_what_plays_itself_is_not_counted(set_table: SetTable, title: str) -> None:
    table = seated(set_table, title=title)

    assert counted(table, "Ana") == counted(table, "Bob") == (0, 0, 0)


def test_players_are_not_told_how_they_are_counted(set_table: SetTable) -> None:
    table = seated(set_table, clock="24h")
    table.tick(after=25 * HOUR)

    assert counted(table, "Bob")[2] == 1
    assert all("missed" not in text_of(mail) for mail in table.mails("Bob"))
