"""Fixtures of the scenes: the two worlds, once for all, and houses in them."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.endtoend.house import House
from tests.endtoend.outside import Embedded, Outside, Real, real_world
from tests.pbem.ready import BIDS_WORDS

Build = Callable[..., House]


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    world = Embedded(tmp_path_factory.mktemp("boxes"))
    yield world
    world.close()


@pytest.fixture(scope="session")
def real() -> Iterator[Real]:
    with real_world() as world:
        yield world


@pytest.fixture(params=["embedded", pytest.param("real", marks=pytest.mark.servers)])
def outside(request: pytest.FixtureRequest) -> Outside:
    world: Outside = request.getfixturevalue(request.param)
    return world


@pytest.fixture(scope="session")
def number() -> Iterator[int]:
    return itertools.count()


@pytest.fixture(scope="session")
def street(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of all houses, with the words of the test title."""
    folder = tmp_path_factory.mktemp("street")
    shutil.copytree(BIDS_WORDS, folder / "templates" / "words")
    return folder


@pytest.fixture
def build(outside: Outside, street: Path, number: Iterator[int]) -> Iterator[Build]:
    """Give a function that builds a house; its arguments fill in the settings."""
    houses: list[House] = []

    def build_one(role: str = "pbem", **settings: object) -> House:
        houses.append(House(street, next(number), outside, role, **settings))
        return houses[-1]

    yield build_one
    for house in houses:
        house.close()


@pytest.fixture
def house(build: Build) -> House:
    """Return a house with the settings of SETTINGS."""
    return build()
