"""What a tick meets outside: a gate before the mailbox, and the command line as a process."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.kill.children import ROOT

PATIENCE = 120.0


class Gate:
    """A port before another: whoever comes waits until it is opened."""

    def __init__(self, port: int) -> None:
        self.behind = port
        self.open = threading.Event()
        self.come = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.keeper = threading.Thread(target=self._serve, daemon=True)
        self.keeper.start()

    def _serve(self) -> None:
        with suppress(OSError):
            near, _ = self.listener.accept()
            with near:
                self.come.set()
                self.open.wait()
                with socket.create_connection(("127.0.0.1", self.behind)) as far:
                    back = threading.Thread(target=_pump, args=(near, far), daemon=True)
                    back.start()
                    _pump(far, near)
                    back.join()

    def close(self) -> None:
        """Let nobody in any more."""
        self.open.set()
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.keeper.join(PATIENCE)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@contextmanager
def gate_before(port: int) -> Iterator[Gate]:
    """Open a gate before *port*."""
    gate = Gate(port)
    try:
        yield gate
    finally:
        gate.close()


class Ended(Struct, frozen=True):
    """How a command ended."""

    status: int
    answer: dict[str, Any]
    errors: str


def begin(folder: Path, *words: str, under: Sequence[str] = (), **above: str) -> "subprocess.Popen[str]":
    """
    Start `pbem` in the installation *folder*.

    *above* are settings that stand above its file (`IMAP__PORT`), *under* is a command that runs the program.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    environment |= {f"PBEM_{name}": value for name, value in above.items()}
    command = [*under, sys.executable, "-m", "pbem", "--config", str(folder / "pbem.toml"), *words, "--json"]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def end(child: "subprocess.Popen[str]") -> Ended:
    """Wait for the end of *child*."""
    out, errors = child.communicate(timeout=PATIENCE)
    return Ended(child.returncode, json.loads(out) if out.strip() else {}, errors)


def run(folder: Path, *words: str, under: Sequence[str] = (), **above: str) -> Ended:
    """Run `pbem` and return how it ended."""
    return end(begin(folder, *words, under=under, **above))


def free_port() -> int:
    """Return a port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])
