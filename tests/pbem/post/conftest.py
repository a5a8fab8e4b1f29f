"""Fixtures of the tests of what people read."""

from collections.abc import Iterator

import pytest

from tests.browser import Browser, started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started() as one:
        yield one
