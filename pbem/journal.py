"""
What the service did, for who looks after the machine: one line of JSON for each event.

An event has keys, numbers and durations, and nothing that a person wrote: no text, no address, no tag. What happens in
a transaction is noted with it, and told when it was committed; a dry run tells nothing.
"""

import json
import logging
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Protocol

from pbem.errors import Refused

STANDARD_ERROR = Path("-")
"""The name that stands for standard error."""

Fact = int | str | bool | None

_LOGGER = logging.getLogger("pbem")
_LOGGER.addHandler(logging.NullHandler())  # without it nothing is told, not even warnings
_LOGGER.propagate = False
_NOTED = "journal"
_KEY = re.compile(r"[a-z][a-z0-9_.-]*|")


class Transaction(Protocol):
    """What carries along what was noted: a session of the store."""

    @property
    def info(self) -> dict[object, object]:
        """Return what is carried along."""


def tell(event: str, **facts: Fact) -> None:
    """Write one event, at once. A text that is no key is not written."""
    if _LOGGER.isEnabledFor(logging.INFO):
        _LOGGER.info(event, extra={"facts": {name: _fact(value) for name, value in facts.items()}})


def note(session: Transaction, event: str, **facts: Fact) -> None:
    """Keep one event until the transaction of *session* is committed."""
    noted = session.info.setdefault(_NOTED, [])
    assert isinstance(noted, list)
    noted.append((event, facts))


def forget_noted(session: Transaction) -> None:
    """Keep nothing of what was noted in the transaction of *session*: it was undone."""
    session.info.pop(_NOTED, None)


def noted_so_far(session: Transaction) -> list[object]:
    """Return what was noted in the transaction of *session*, for `forget_since`."""
    noted = session.info.get(_NOTED, [])
    assert isinstance(noted, list)
    return list(noted)


def forget_since(session: Transaction, noted: list[object]) -> None:
    """Keep of what was noted only what was *noted* then: the rest was undone."""
    session.info[_NOTED] = noted


def tell_noted(session: Transaction, begun: float) -> None:
    """Write what was noted in the transaction of *session*, which began at *begun* (`time.perf_counter`)."""
    noted = session.info.pop(_NOTED, [])
    assert isinstance(noted, list)
    for event, facts in noted:
        tell(event, **facts, ms=milliseconds(begun))


def milliseconds(begun: float) -> int:
    """Return how long ago *begun* was."""
    return round((time.perf_counter() - begun) * 1000)


@contextmanager
def written_to(file: Path | None) -> Iterator[None]:
    """
    Let events be written to the end of *file*, `STANDARD_ERROR`, or nowhere.

    Raises: Refused `log.unwritable`.
    """
    if file is None:
        yield
        return
    handler = _handler(file)
    handler.setFormatter(_Lines())
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.addHandler(handler)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(logging.NOTSET)
        with suppress(OSError):  # what the disk did not take
            handler.close()


@contextmanager
def silent() -> Iterator[None]:
    """Let nothing be written meanwhile: what is only tried out has not happened."""
    before = _LOGGER.disabled
    _LOGGER.disabled = True
    try:
        yield
    finally:
        _LOGGER.disabled = before


class _Lines(logging.Formatter):
    """An event as one object of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of *record*."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return json.dumps({"at": at, "event": record.getMessage(), **getattr(record, "facts", {})})


class _File(WatchedFileHandler):
    """A file that may be rotated. A disk that is full must not stop a game: then events are lost."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name that logging calls
        """Do nothing."""


def _handler(file: Path) -> logging.Handler:
    if file == STANDARD_ERROR:
        return logging.StreamHandler(sys.stderr)
    try:
        return _File(file, encoding="utf-8")
    except OSError as error:
        raise Refused("log.unwritable", file=str(file), reason=error.strerror or "") from error


def _fact(value: Fact) -> Fact:
    return value if not isinstance(value, str) or _KEY.fullmatch(value) else "…"
