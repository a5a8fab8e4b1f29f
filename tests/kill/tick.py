"""
`pbem tick` that notes what it is doing: `python -m tests.kill.tick --config FILE --trace FILE [--die 'send handed 0']`.

The program is not changed. In this process alone the four parts, each commit and each hand-over to a mail server are
wrapped so that a line is written to the trace, at once, before and after; then the command line is called as ever.

    fetch start 12.345        a part begins (end: it is over); the figure is the monotonic clock
    - commit 12.352           a transaction of the store was committed (- moved, - handed: a server has taken it)

`--die` ends the process with SIGKILL right after that line: the part, what it did, and how often it had done it before.

`--nursery` saves the seconds that an interpreter needs to load the program, which nobody wants to kill again and
again: all is loaded once, and each line `{"config", "trace", "output", "die"}` on standard input forks a process that
is a tick like any other. Its number is answered as `{"pid"}`, its end as `{"status"}`, below zero for a signal.
"""

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import imapclient  # noqa: F401 - loaded before the fork

import tests.contract.titles  # noqa: F401 - puts the test title on the list
from pbem import tick
from pbem.cli.app import run
from pbem.mail.imap import ImapMailbox
from pbem.mail.smtp import Sender
from pbem.service import open_service  # noqa: F401 - loaded before the fork
from pbem.store.base import Store
from pbem.store.upgrade import upgrade_store  # noqa: F401 - likewise

Note = Callable[[str], None]


def note_all(note: Note) -> None:
    """Wrap, in this process, what a pass does."""
    tick._STEPS.update({part: _noted_part(part, step, note) for part, step in tick._STEPS.items()})  # noqa: SLF001
    Store.write = _noted_write(Store.write, note)  # type: ignore[method-assign]
    ImapMailbox.move_many = _noted(ImapMailbox.move_many, "- moved", note)  # type: ignore[method-assign]
    Sender.send = _noted(Sender.send, "- handed", note)  # type: ignore[method-assign]


def _noted_part(part: str, step: Callable[..., None], note: Note) -> Callable[..., None]:
    def noted(*values: Any) -> None:
        note(f"{part} start")
        step(*values)
        note(f"{part} end")

    return noted


def _noted_write(write: Callable[..., Any], note: Note) -> Callable[..., Any]:
    @contextmanager
    def noted(store: Store) -> Iterator[Any]:
        with write(store) as session:
            yield session
        note("- commit")

    return noted


def _noted(method: Callable[..., Any], text: str, note: Note) -> Callable[..., Any]:
    @wraps(method)
    def noted(*values: Any) -> Any:
        result = method(*values)
        note(text)
        return result

    return noted


def run_tick(config: str, trace: str, die: str) -> int:
    """Return the exit code of `pbem tick --json`, noted in the file *trace*; *die* is the line after which it dies."""
    file = os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    part = ""
    done: Counter[str] = Counter()

    def note(text: str) -> None:
        nonlocal part
        os.write(file, f"{text} {time.monotonic():.6f}\n".encode())
        who, what = text.split()
        part = part if who == "-" else who
        step = f"{part} {what}"
        if die == f"{step} {done[step]}":
            os.kill(os.getpid(), signal.SIGKILL)
        done[step] += 1

    note_all(note)
    return run(["--config", config, "tick", "--json"])


def serve() -> None:
    """Fork a tick for each line of standard input, until it ends."""
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            _be_a_tick(**asked)
        _say({"pid": child})
        _, status = os.waitpid(child, 0)
        _say({"status": os.waitstatus_to_exitcode(status)})


def _be_a_tick(config: str, trace: str, output: str, die: str) -> None:
    """Run a tick in this new process, and end it."""
    code = 70
    try:
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(file, 1)
        os.dup2(file, 2)
        code = run_tick(config, trace, die)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _say(values: dict[str, int]) -> None:
    print(json.dumps(values), flush=True)


def main() -> int:
    """Run one tick, or a nursery of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.kill.tick")
    parser.add_argument("--config", type=Path)
    parser.add_argument("--trace", type=Path)
    parser.add_argument("--die", default="")
    parser.add_argument("--nursery", action="store_true")
    given = parser.parse_args()
    if given.nursery:
        serve()
        return 0
    return run_tick(str(given.config), str(given.trace), given.die)


if __name__ == "__main__":
    sys.exit(main())
