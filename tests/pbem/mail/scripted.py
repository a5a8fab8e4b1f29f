"""A server that answers as it is told, for what real servers seldom do: half answers, lost connections."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct

Answer = Callable[[str], str | None]  # a line of the client -> what is sent back; None hangs up


class Script(Struct):
    """A running scripted server: its port, and every line that clients have sent."""

    port: int
    seen: list[str]


@contextmanager
def scripted(greeting: str, answer: Answer, connections: int = 4) -> Iterator[Script]:
    """Yield a server on loopback that greets, then gives *answer* to each line, one connection after the other."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        script = Script(listener.getsockname()[1], [])
        thread = threading.Thread(target=_serve, args=(listener, greeting, answer, connections, script.seen))
        thread.start()
        try:
            yield script
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def _serve(listener: socket.socket, greeting: str, answer: Answer, connections: int, seen: list[str]) -> None:
    for _ in range(connections):
        try:
            connection, _address = listener.accept()
        except OSError:
            return
        with connection:
            try:
                _converse(connection, greeting, answer, seen)
            except OSError:
                continue


def _converse(connection: socket.socket, greeting: str, answer: Answer, seen: list[str]) -> None:
    connection.settimeout(5)
    connection.sendall(greeting.encode() + b"\r\n")
    with connection.makefile("rb") as lines:
        for raw in lines:
            line = raw.decode().rstrip("\r\n")
            seen.append(line)
            reply = answer(line)
            if reply is None:
                return
            connection.sendall(reply.encode())


def imap(answers: dict[str, str | None], capabilities: str = "IMAP4rev1") -> Answer:
    """
    Return an IMAP conversation: *answers* by command (`UID FETCH`), each the untagged lines and the tagged one.

    Shape: `{tag}` stands for the client's tag; a None hangs up; commands not named are answered OK.
    """
    known: dict[str, str | None] = {
        "CAPABILITY": f"* CAPABILITY {capabilities}\r\n{{tag}} OK done\r\n",
        "SELECT": "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n{tag} OK [READ-WRITE] done\r\n",
        "LOGOUT": "* BYE bye\r\n{tag} OK done\r\n",
        **answers,
    }

    def answer(line: str) -> str | None:
        tag, _, rest = line.partition(" ")
        words = rest.upper().split()
        if not words:
            return ""
        command = " ".join(words[:2]) if words[0] == "UID" else words[0]
        reply = known.get(command, "{tag} OK done\r\n")
        return None if reply is None else reply.replace("{tag}", tag)

    return answer


def smtp(answers: dict[str, str | None]) -> Answer:
    """Return an SMTP conversation: *answers* by command word (`BODY` for the end of the mail); others are accepted."""
    known: dict[str, str | None] = {
        "EHLO": "250-localhost\r\n250 SIZE\r\n",
        "DATA": "354 go on\r\n",
        "BODY": "250 2.0.0 taken\r\n",
        "QUIT": "221 bye\r\n",
        **answers,
    }
    in_body = False

    def answer(line: str) -> str | None:
        nonlocal in_body
        if in_body and line != ".":
            return ""
        command = "BODY" if in_body else line.upper().split(" ")[0]
        in_body = command == "DATA" and str(known["DATA"]).startswith("354")
        return known.get(command, "250 ok\r\n")

    return answer
