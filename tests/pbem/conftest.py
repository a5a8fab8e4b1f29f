"""Fixtures of the service's tests."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import tests.contract.titles  # noqa: F401 - puts the test title on the list
from tests.pbem.table import BIDS_WORDS, Table


@pytest.fixture(scope="session")
def shared_words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the words of the test title, which are compiled once for all tables."""
    folder = tmp_path_factory.mktemp("words")
    shutil.copytree(BIDS_WORDS, folder / "templates" / "words")
    return folder


@pytest.fixture
def set_table(tmp_path: Path, shared_words: Path) -> Iterator[Callable[..., Table]]:
    """Give a function that sets a table; all tables are cleared away at the end. *own_words*: templates of its own."""
    tables: list[Table] = []

    def set_one(*seats: str, own_words: bool = False, **values: object) -> Table:
        folder = tmp_path / str(len(tables))
        folder.mkdir()
        tables.append(Table(folder, *seats, **values))  # type: ignore[arg-type]
        if not own_words:
            service = tables[-1].service
            store = replace(service.settings.store, state=shared_words)
            tables[-1].service = replace(service, settings=replace(service.settings, folder=shared_words, store=store))
        return tables[-1]

    yield set_one
    for table in tables:
        table.close()
