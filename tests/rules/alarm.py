"""A plugin of pytest for `mutate` alone: a test that runs for ever, as a rule is broken, turns red instead."""

import signal
from collections.abc import Iterator
from types import FrameType

import pytest

LONGEST = 5.0
"""Seconds of computing time for one test."""


class RunsForEverError(Exception):
    """A test has used more than `LONGEST`."""


def _give_up(_number: int, _frame: FrameType | None) -> None:
    raise RunsForEverError


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Stop the test when its time is over."""
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
