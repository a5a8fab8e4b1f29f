"""
Fault points: before and after every step of a process that touches store, mailbox or outgoing server.

`mark_store` and `mark_parts` wrap, in this process alone, what the program does; the ports of `world.py` call `Points`
themselves. At one of the points a trouble begins (`troubles.py`): that the process dies is the first of them.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from sqlalchemy import Engine, event

from pbem import tick
from pbem.store.base import Store

_CHANGES = ("INSERT", "UPDATE", "DELETE", "CREATE")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_MANY = ("statement", "file")


class Point(Struct, frozen=True):
    """A fault point: the part of the pass, the kind of step, and `before` or `after` it."""

    part: str
    kind: str
    when: str

    def __str__(self) -> str:
        """Return the point in words."""
        return f"{self.part}: {self.when} {self.kind}"


Trouble = Callable[[], Callable[[], None] | None]
"""Begins at a point; what it gives back, if anything, ends it."""


def nothing() -> None:
    """Be no trouble."""


class Points:
    """
    Notes the points that a process comes to, one a line in *trace*, and lets *trouble* begin at one of them.

    *at* is the number of that point, or its sort, of which it is the first, or None. What the trouble gives back ends
    it at the next point.
    """

    def __init__(self, trace: Path, part: str, at: int | Point | None = None, trouble: Trouble = nothing) -> None:
        self.file = os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        self.part = part
        self.at = at
        self.trouble = trouble
        self.end: Callable[[], None] | None = None
        self.count = 0

    def __call__(self, kind: str, when: str) -> None:
        """Come to a point."""
        if self.end is not None:
            self.end()
            self.end = None
        point = Point(self.part, kind, when)
        os.write(self.file, f"{point.part}\t{point.kind}\t{point.when}\n".encode())
        if self.at in (self.count, point):
            self.at = None
            self.end = self.trouble()
        self.count += 1


def read_points(trace: Path) -> list[Point]:
    """Return the points that a process came to."""
    return [Point(*line.split("\t")) for line in trace.read_text().splitlines()]


def mark_parts(points: Points) -> None:
    """Let *points* know which part of a pass is at work."""

    def marked(part: str, step: Callable[..., None]) -> Callable[..., None]:
        def run(*values: Any) -> None:
            before, points.part = points.part, part
            step(*values)
            points.part = before

        return run

    tick._STEPS.update({part: marked(part, step) for part, step in tick._STEPS.items()})  # noqa: SLF001


def mark_store(points: Points) -> None:
    """Let *points* know of transactions, and of the changes in them."""
    write, read = Store.write, Store.read

    @contextmanager
    def marked_write(store: Store) -> Iterator[Any]:
        with write(store) as session:
            yield session
        points("commit", "after")

    @contextmanager
    def marked_read(store: Store) -> Iterator[Any]:
        points("read", "before")
        with read(store) as session:
            yield session
        points("read", "after")

    Store.write, Store.read = marked_write, marked_read  # type: ignore[method-assign]
    event.listen(Engine, "before_cursor_execute", _marked_statement(points, "before"))
    event.listen(Engine, "after_cursor_execute", _marked_statement(points, "after"))
    event.listen(Engine, "commit", lambda _: points("commit", "before"))


def _marked_statement(points: Points, when: str) -> Callable[..., None]:
    def come_to(*values: Any) -> None:
        statement = str(values[2])
        if statement == "BEGIN IMMEDIATE":
            points("begin", when)
        elif statement.startswith(_CHANGES):
            points("statement", when)

    return come_to


def mark_files(points: Points, folder: Path) -> None:
    """Let *points* know of every file in *folder* that is about to be written, made or renamed."""
    begin = str(folder)

    def come_to(event_name: str, values: tuple[Any, ...]) -> None:
        changes = event_name in ("os.rename", "os.mkdir") or (event_name == "open" and values[2] & _WRITES)
        if changes and str(values[0]).startswith(begin):
            points("file", "before")

    sys.addaudithook(come_to)


class Choice:
    """Which points are tried: one in *every*, changes and files more seldom, each sort at least once."""

    def __init__(self, every: int, every_statement: int, offset: int, begins_at: Collection[tuple[str, str]]) -> None:
        self.every, self.every_statement, self.offset, self.begins_at = every, every_statement, offset, begins_at
        self.seen: Counter[Point] = Counter()

    def numbers(self, points: Sequence[Point], *, all_changes: bool = False) -> list[int]:
        """Return the numbers of those of *points* that are tried; with *all_changes* none is taken more seldom."""
        found = []
        for number, point in enumerate(points):
            if self.begins_at and (point.kind, point.when) not in self.begins_at:
                continue
            step = self.every * self.every_statement if point.kind in _MANY and not all_changes else self.every
            if not self.seen[point] or (self.seen[point] + self.offset) % step == 0:
                found.append(number)
            self.seen[point] += 1
        return found
