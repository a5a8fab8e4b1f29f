"""Fixtures of the service's tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tests.contract.titles  # noqa: F401 - puts the test title on the list
from tests.pbem.table import Table


@pytest.fixture
def set_table(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Give a function that sets a table; all tables are cleared away at the end."""
    tables: list[Table] = []

    def set_one(*seats: str, **values: object) -> Table:
        folder = tmp_path / str(len(tables))
        folder.mkdir()
        tables.append(Table(folder, *seats, **values))  # type: ignore[arg-type]
        return tables[-1]

    yield set_one
    for table in tables:
        table.close()
