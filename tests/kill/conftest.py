"""Fixtures: those of the service, and an installation behind real mail servers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import tests.contract.titles  # noqa: F401 - puts the test title on the list
from pbem.cli import app
from pbem.store import base
from tests.kill.director import Plan, install, mail_server, open_up
from tests.kill.house import SPOOL, House
from tests.kill.troubles import small_disk
from tests.pbem.conftest import set_table

__all__ = ["build", "disk", "house", "set_table", "tick"]


@pytest.fixture
def tick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Give a pass of the command line, in this process; its arguments stand above the settings."""
    monkeypatch.setattr(base, "BUSY_SECONDS", 1)

    def run(**above: object) -> int:
        with monkeypatch.context() as environment:
            for name, value in above.items():
                environment.setenv(f"PBEM_{name}", str(value))
            return app.run(["--config", str(tmp_path / "pbem.toml"), "tick", "--json"])

    return run


@pytest.fixture
def build(tmp_path: Path, tick: Callable[..., int]) -> Iterator[Callable[..., House]]:
    """Give a function that sets up an installation, its store on a disk of its own if one is given."""
    with ExitStack() as stack:

        def one(disk: Path | None = None) -> House:
            where = stack.enter_context(mail_server(tmp_path / SPOOL))
            service = install(tmp_path, where, disk)
            stack.callback(service.store.close)
            game, _ = open_up(service, Plan("bids", 2, 7), where)
            return House(tmp_path, service, game, where, tick)

        yield one


@pytest.fixture
def house(build: Callable[..., House]) -> House:
    """Give an installation."""
    return build()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Give a small disk, for root."""
    with ExitStack() as stack:
        try:
            mounted = stack.enter_context(small_disk(tmp_path / "disk"))
        except OSError as error:
            pytest.skip(f"no disk can be mounted here: {error}")
        yield mounted
