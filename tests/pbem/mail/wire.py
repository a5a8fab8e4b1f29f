"""A mail server that is strict about what goes over the wire, and keeps it octet for octet."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct

Reply = Callable[[str, int], bytes | None]
"""A command (`.` for the end of a mail) and how often it came before -> the answer; None hangs up, b"" is silence."""

END = b"\r\n.\r\n"


class Received(Struct, frozen=True):
    """One mail as it came: the two commands that announced it, and its octets without the dot that ends it."""

    sender: bytes
    recipient: bytes
    wire: bytes

    @property
    def raw(self) -> bytes:
        """The mail with its doubled dots made single again."""
        lines = self.wire.split(b"\r\n")
        return b"\r\n".join(line[1:] if line.startswith(b".") else line for line in lines)


class Wire(Struct):
    """A running server: its port, the mails it has, and all commands that came, by connection."""

    port: int
    mails: list[Received]
    commands: list[list[bytes]]

    def __repr__(self) -> str:
        return f"Wire({self.port})"

    @property
    def said(self) -> list[bytes]:
        """All commands of all connections."""
        return [one for connection in self.commands for one in connection]


@contextmanager
def wire(reply: Reply | None = None, extensions: str = "8BITMIME SIZE SMTPUTF8") -> Iterator[Wire]:
    """Yield a server on loopback that gives the answers of *reply*, and its own where that returns `OWN`."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = Wire(listener.getsockname()[1], [], [])
        thread = threading.Thread(target=_serve, args=(listener, server, reply or own_answer, extensions.split()))
        thread.start()
        try:
            yield server
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def own_answer(command: str, times: int) -> bytes | None:
    """Leave every answer to the server."""
    return OWN


OWN = b"own"


def _serve(listener: socket.socket, server: Wire, reply: Reply, extensions: list[str]) -> None:
    counts: dict[str, int] = {}
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            connection.settimeout(10)
            try:
                _converse(connection, server, reply, extensions, counts)
            except OSError:
                continue


def _converse(
    connection: socket.socket, server: Wire, reply: Reply, extensions: list[str], counts: dict[str, int]
) -> None:
    said: list[bytes] = []
    server.commands.append(said)
    answers = {"EHLO": _ehlo(extensions), "DATA": b"354 go on\r\n", "QUIT": b"221 bye\r\n", "AUTH": b"235 2.7.0 in\r\n"}
    reader = connection.makefile("rb")

    def ask(word: str) -> bytes | None:
        times = counts.get(word, 0)
        counts[word] = times + 1
        answer = reply(word, times)
        return answers.get(word, b"250 2.0.0 ok\r\n") if answer == OWN else answer

    greeting = ask("CONNECT")
    if greeting is None:
        return
    connection.sendall(b"220 ready\r\n" if greeting.startswith(b"250") else greeting)
    sender = recipient = b""
    while line := reader.readline():
        assert line.endswith(b"\r\n"), f"a bare line feed: {line!r}"
        said.append(line[:-2])
        word = line[:-2].split(b" ")[0].decode(errors="replace").upper()
        sender, recipient = (line[:-2], b"") if word == "MAIL" else (sender, line[:-2] if word == "RCPT" else recipient)
        answer = ask(word)
        if answer is None:
            return
        connection.sendall(answer)
        if word == "QUIT":
            return
        if word == "DATA" and answer.startswith(b"354"):
            body = _read_mail(reader, hang_up=b"half" in answer)
            answer = None if body is None else ask(".")
            if body is not None and (answer is None or not answer.startswith((b"4", b"5"))):
                server.mails.append(Received(sender, recipient, body))
            if answer is None:
                return
            connection.sendall(answer)


def _read_mail(reader, *, hang_up: bool) -> bytes | None:
    lines = []
    while line := reader.readline():
        if hang_up:
            return None
        if line == b".\r\n":
            return b"".join(lines)
        lines.append(line)
    return None


def _ehlo(extensions: list[str]) -> bytes:
    lines = ["localhost", *(one.replace("=", " ") for one in extensions)]
    return "".join(f"250{'-' if one is not lines[-1] else ' '}{one}\r\n" for one in lines).encode()
