"""Whoever plays with values of our own is told so."""

import pytest

from engine import registry
from engine.core.tables import holds_ours, load_tables
from tests.pbem.table import text_of
from tests.pbem.witness import SetTable

SAID = {"en": "in their place we use our own", "pt": "no lugar deles usamos os nossos"}


@pytest.mark.parametrize("title", [one for one in registry.titles() if one != "bids"])
def test_reports_say_that_some_values_are_ours(set_table: SetTable, title: str) -> None:
    assert holds_ours(registry.packaged_tables(title))
    table = set_table("Ana pt", "Bob en", title=title)

    table.tick()

    for name, language in (("Ana", "pt"), ("Bob", "en")):
        assert SAID[language] in " ".join(text_of(table.last(name)).split())


def test_reports_of_printed_values_do_not(set_table: SetTable) -> None:
    assert not holds_ours(registry.packaged_tables("bids"))
    table = set_table("Ana pt", "Bob en")

    table.tick()

    assert not any(SAID[language] in " ".join(text_of(table.last("Bob")).split()) for language in SAID)


def test_a_corrected_table_has_no_values_of_ours() -> None:
    raw = registry.packaged_tables("my_village").text.replace('status = "ours"', 'status = "printed"')

    assert not holds_ours(load_tables(raw.encode()))
