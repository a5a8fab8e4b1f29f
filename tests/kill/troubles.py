"""
What can befall a process at a point: it dies, or its store is locked, full, or may not grow.

`none`     nothing, anywhere: a season undisturbed
`killed`   SIGKILL: nothing is rolled back, closed or written any more; what was written stays, unlike in a power cut
`locked`   somebody else holds the store during one transaction, longer than the busy time-out
`full`     the disk of the store is full from now on: a small one of its own, which only root can mount
`limited`  no file may grow from now on (RLIMIT_FSIZE): what a quota does
"""

import os
import resource
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from msgspec import Struct

from tests.kill.points import Trouble
from tests.kill.world import World

MEGABYTES = 32
FILLER = "filler"
ROOM = 1 << 14
BEFORE_CHANGES = (("begin", "before"), ("commit", "before"))


def kill(world: World) -> None:
    """Die."""
    os.kill(os.getpid(), signal.SIGKILL)


def lock(world: World) -> Callable[[], None]:
    """Let somebody else hold the store; return what makes him let go."""
    other = sqlite3.connect(world.store, isolation_level=None, timeout=5)
    other.execute("BEGIN IMMEDIATE")
    return other.close


def fill(world: World) -> None:
    """Fill the disk of the store to its last byte."""
    with suppress(OSError), (world.disk / FILLER).open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))


def limit(world: World) -> None:
    """Let no file grow beyond what the write-ahead log is now; what the process prints has room."""
    log = world.store.with_name(world.store.name + "-wal")
    size = max(ROOM, log.stat().st_size if log.exists() else 0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


class Kind(Struct, frozen=True):
    """
    A kind of trouble: how it begins, and before which steps, none for before and after all.

    `statuses`  how the process may end
    `small`     the store lies on a small disk of its own
    `regroups`  the pass does what it can, so the next one tells the rest in other mails
    """

    begin: Callable[[World], Callable[[], None] | None]
    statuses: tuple[int, ...]
    points: tuple[tuple[str, str], ...] = ()
    small: bool = False
    regroups: bool = False

    def at(self, world: World) -> Trouble:
        """Return the trouble in *world*."""
        return partial(self.begin, world)


KINDS: Mapping[str, Kind] = {
    "none": Kind(kill, (), (("", ""),)),
    "killed": Kind(kill, (-signal.SIGKILL,)),
    "locked": Kind(lock, (0, 75), BEFORE_CHANGES[:1], regroups=True),
    "full": Kind(fill, (0, 75), BEFORE_CHANGES, small=True),
    "limited": Kind(limit, (0, 75), BEFORE_CHANGES),
}


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Yield *folder* as a disk of its own, idle again at the end; raises OSError where it cannot be mounted."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip())
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
