"""
Processes that live in a world of files, in trouble at one point: each is a fork of this one that runs the command line.

The parent has loaded everything and holds no connection; a child opens the store anew, as a process from cron does.
"""

import io
import json
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from datetime import datetime, tzinfo
from pathlib import Path

import imapclient  # noqa: F401 - loaded before the fork
from msgspec import Struct

import tests.contract.titles  # noqa: F401 - puts the test title on the list
from pbem import clock, tick
from pbem.cli import app
from pbem.errors import Exit
from pbem.store import base
from tests.kill.points import Point, Points, Trouble, mark_files, mark_parts, mark_store, nothing, read_points
from tests.kill.world import DiskMailbox, DiskServer, Weather, World

MOST_PASSES = 6

app.commands()  # put together before the forks


class Order(Struct, frozen=True):
    """
    What a process is to do: a command line, at what time, and with what servers.

    `until_quiet`  a pass is repeated until one finds nothing to do, as `pbem watch` does
    `born`         the state folder is that of the world, where nothing is yet: what is made there is a step too
    """

    config: Path
    words: tuple[str, ...]
    now: datetime
    weather: Weather = Weather()
    until_quiet: bool = False
    born: bool = False

    @property
    def wanted(self) -> tuple[int, ...]:
        """Return the exit codes that are right: 75 where a server is away, which a pass without mails does not find."""
        if self.words[0] == "gm":
            return (Exit.DONE, Exit.REFUSED)
        if self.weather.imap_down:
            return (Exit.TRY_LATER,)
        return (Exit.DONE, Exit.TRY_LATER) if self.weather.smtp_down else (Exit.DONE,)


class Ended(Struct, frozen=True):
    """How a process ended: its status (below zero: the signal), the points it came to, and what it printed."""

    status: int
    points: tuple[Point, ...]
    output: str
    errors: str


def live(world: World, order: Order, at: int | Point | None = None, trouble: Trouble = nothing) -> Ended:
    """Run *order* in *world* as a process of its own, in *trouble* at the point *at*, and return how it ended."""
    trace, output, errors = (world.folder.with_suffix(one) for one in (".trace", ".out", ".err"))
    sys.stdout.flush()
    child = os.fork()
    if not child:
        _live(world, order, Points(trace, order.words[0], at, trouble), (output, errors))
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return Ended(code, tuple(read_points(trace)), output.read_text(), errors.read_text())


def live_well(world: World, order: Order) -> Ended:
    """Run *order* as a process that must end with the code that is wanted."""
    ended = live(world, order)
    if ended.status not in order.wanted:
        raise AssertionError(f"{' '.join(order.words)} ended with {ended.status}: {ended.output}{ended.errors}")
    return ended


def _live(world: World, order: Order, points: Points, streams: Sequence[Path]) -> None:
    """Be the new process, and end it."""
    code = 70
    try:
        for number, path in enumerate(streams, start=1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.environ["PBEM_STORE__URL"] = world.url
        if order.born:
            os.environ["PBEM_STORE__STATE"] = str(world.disk)
            mark_files(points, world.disk)
        stand_still(order.now)
        mark_store(points)
        mark_parts(points)
        base.BUSY_SECONDS = 0
        tick.ImapMailbox = lambda *_: DiskMailbox(world, order.weather, points)  # type: ignore[assignment,misc]
        tick.Sender = lambda *_: DiskServer(world, order.weather, points)  # type: ignore[assignment,misc]
        code = _obey(order)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _obey(order: Order) -> int:
    """Run the command line of *order*, and return its exit code; the first that is not wanted ends it."""
    words = ["--config", str(order.config), *order.words, "--json"]
    if not order.until_quiet:
        return app.run(words)
    for _ in range(MOST_PASSES):
        with redirect_stdout(io.StringIO()) as output:
            code = app.run(words)
        print(output.getvalue())
        if code not in order.wanted or _is_idle(output.getvalue()):
            return code
    print(f"not quiet after {MOST_PASSES} passes", file=sys.stderr)
    return Exit.FAULT


def _is_idle(output: str) -> bool:
    """Return whether a pass that printed *output* found nothing to do."""
    answer = json.loads(output)
    counts = answer["refused"]["fields"] if isinstance(answer["refused"], dict) else answer
    return not any(counts[name] for name in tick.COUNTS)


def stand_still(moment: datetime) -> None:
    """Let it be *moment* in this process for ever."""

    class Still(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return moment.astimezone(tz)

    clock.datetime = Still  # type: ignore[misc]
