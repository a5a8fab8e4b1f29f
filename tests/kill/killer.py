"""Ticks, the traces that they leave, and who kills them."""

import contextlib
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from msgspec import Struct

from tests.kill.children import Stuck, line_of, running, start

PARTS = ("fetch", "judge", "time", "send")
PATIENCE = 120.0


class Row(Struct, frozen=True):
    """A line of a trace: a part and `start` or `end`, or what it did meanwhile: `commit`, `moved`, `handed`."""

    part: str
    what: str
    when: float


class Hit(Struct, frozen=True):
    """A kill: the part that it hit, and the last thing that part had done: start, commit, moved or handed."""

    part: str
    after: str


def read_trace(path: Path) -> list[Row]:
    """Return the lines of a trace; what was done is given to the part that did it. A line cut off is left out."""
    rows: list[Row] = []
    part = "between"
    for line in path.read_text().splitlines(keepends=True) if path.exists() else ():
        if not line.endswith("\n"):
            break
        who, what, when = line.split()
        part = who if who != "-" else part
        rows.append(Row(part, what, float(when)))
        part = "between" if what == "end" else part
    return rows


def hit_of(path: Path) -> Hit:
    """Return what was hit when the tick with that trace died; `between` where no part was at work."""
    rows = read_trace(path)
    last = rows[-1] if rows else None
    return Hit("between", "start") if last is None or last.what == "end" else Hit(last.part, last.what)


class Nursery:
    """The process that forks ticks; the tick that runs now can be killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.child = start([sys.executable, "-m", "tests.kill.tick", "--nursery"])
        self.count = 0
        self.pid = 0

    def begin(self, die: str = "") -> Path:
        """Start a tick, which dies by itself after the line *die* of its trace, and return the file of the trace."""
        self.count += 1
        trace = self.folder / "traces" / f"{self.count:05d}"
        trace.parent.mkdir(exist_ok=True)
        order = {"config": str(self.folder / "pbem.toml"), "trace": str(trace), "output": f"{trace}.out", "die": die}
        assert self.child.stdin is not None
        self.child.stdin.write(json.dumps(order) + "\n")
        self.child.stdin.flush()
        self.pid = self._answer()["pid"]
        return trace

    def kill(self) -> None:
        """Kill the tick at once; one that has just ended is no error: its number is not given away before `end`."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Return how the tick ended."""
        return self._answer()["status"]

    def _answer(self) -> dict[str, int]:
        answer: dict[str, int] = json.loads(line_of(self.child))
        return answer


class Killer:
    """
    Kills ticks at random moments, until each part was hit often enough.

    Every other kill is drawn evenly over the time that a whole tick takes. The others go to the kind of step that was
    hit least (a part, and what it did last): the tick dies right after the line of its trace that begins such a step.
    """

    def __init__(self, chance: random.Random, seen: Sequence[Sequence[Row]], most: int) -> None:
        self.chance = chance
        self.seen = seen
        self.most = most
        self.hits: Counter[Hit] = Counter()
        self.missed = 0
        self.whole = median(tick[-1].when - tick[0].when for tick in seen)
        self.kinds = sorted({Hit(row.part, row.what) for tick in seen for row in tick if row.what != "end"}, key=str)

    def of(self, part: str) -> int:
        """Return how often *part* was hit."""
        return sum(count for hit, count in self.hits.items() if hit.part == part)

    @property
    def satisfied(self) -> bool:
        """Return whether every part was hit often enough."""
        return all(self.of(part) >= self.most for part in PARTS)

    def strike(self, nursery: Nursery) -> bool:
        """Run a tick and kill it on the way; return whether it died of it."""
        if self.chance.random() < 0.5:
            trace = nursery.begin(self._line(min(self.kinds, key=self.hits.__getitem__)))
        else:
            moment = self.chance.uniform(0.0, self.whole)
            trace = nursery.begin()
            time.sleep(max(0.0, _beginning(trace) + moment - time.monotonic()))
            nursery.kill()
        if nursery.end() != -signal.SIGKILL:
            self.missed += 1
            return False
        self.hits[hit_of(trace)] += 1
        return True

    def _line(self, kind: Hit) -> str:
        """Return one of the lines of that kind that a tick may write, as its wrapper is told it."""
        counts = [sum(row.part == kind.part and row.what == kind.after for row in tick) for tick in self.seen]
        times = self.chance.choice([count for count in counts if count])
        return f"{kind.part} {kind.after} {self.chance.randrange(times)}"


def _beginning(trace: Path) -> float:
    """Return when a tick began with its first part, as soon as it is noted."""
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        rows = read_trace(trace)
        if rows:
            return rows[0].when
        time.sleep(0.000_5)
    raise Stuck(f"no tick began in {PATIENCE:.0f} s")


@contextlib.contextmanager
def nursery_in(folder: Path) -> Iterator[Nursery]:
    """Start a nursery for the installation in *folder*."""
    nursery = Nursery(folder)
    with running(nursery.child):
        yield nursery
