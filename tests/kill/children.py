"""Our programs as processes of their own: started with pipes, ended by their process id."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Stuck(AssertionError):
    """The game does not go on."""


def start(command: list[str]) -> "subprocess.Popen[str]":
    """Start one of our programs, with pipes."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


@contextlib.contextmanager
def running(child: "subprocess.Popen[str]") -> Iterator["subprocess.Popen[str]"]:
    """Yield *child*, and end it by its process id."""
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def line_of(child: "subprocess.Popen[str]") -> str:
    """Return the next line that *child* prints."""
    assert child.stdout is not None
    line = child.stdout.readline()
    if not line:
        raise Stuck(f"{child.args!r} ended")
    return line
