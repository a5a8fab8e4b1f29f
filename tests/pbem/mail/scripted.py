"""A server that answers as it is told, for what real servers seldom do: half answers, lost connections."""

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct

Answer = Callable[[str], str | None]  # a line of the client -> what is sent back; None hangs up
DATE = '"01-Jan-2026 10:00:00 +0000"'


class Script(Struct):
    """A running scripted server: its port, every line that clients have sent, and how many bytes they got."""

    port: int
    seen: list[str]
    sent: int = 0

    @property
    def commands(self) -> list[str]:
        """The lines without their tags and quotes."""
        return [line.replace('"', "").partition(" ")[2] for line in self.seen]


@contextmanager
def scripted(greeting: str, answer: Answer, connections: int = 4, pause: float = 0.0) -> Iterator[Script]:
    """
    Yield a server on loopback that greets, then gives *answer* to each line, one connection after the other.

    Units: with a *pause*, in seconds, an answer comes byte by byte, each after one.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        script, stop = Script(listener.getsockname()[1], []), threading.Event()

        def speak(connection: socket.socket, text: str) -> None:
            data, step = text.encode(), 1 if pause else 1 << 16
            for start in range(0, len(data), step):
                if pause and stop.wait(pause):
                    return
                connection.sendall(data[start : start + step])
                script.sent += len(data[start : start + step])

        def serve() -> None:
            for _ in range(connections):
                try:
                    connection, _address = listener.accept()
                except OSError:
                    return
                with connection:
                    try:
                        _converse(connection, greeting, answer, script.seen, speak)
                    except OSError:
                        continue

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield script
        finally:
            stop.set()
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def _converse(
    connection: socket.socket,
    greeting: str,
    answer: Answer,
    seen: list[str],
    speak: Callable[[socket.socket, str], None],
) -> None:
    connection.settimeout(5)
    connection.sendall(greeting.encode() + b"\r\n")
    with connection.makefile("rb") as lines:
        for raw in lines:
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            seen.append(line)
            reply = answer(line)
            if reply is None:
                return
            speak(connection, reply)


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


class Inbox:
    """
    An IMAP conversation over letters by UID that answers searches, loads and moves.

    `letters`  their bytes, ASCII only; `hidden` of them are named, but nothing is told of them
    `faults`   what is sent instead when one of them is loaded, as in `imap`; "" is silence
    `sizes`    what is told instead of the true size
    """

    def __init__(self, letters: dict[int, str], capabilities: str = "IMAP4rev1 MOVE", **answers: str | None) -> None:
        self.letters = letters
        self.hidden: set[int] = set()
        self.faults: dict[int, str | None] = {}
        self.sizes: dict[int, int] = {}
        self.moved: list[int] = []
        self._other = imap({name.replace("_", " "): text for name, text in answers.items()}, capabilities)
        self._fixed = {name.replace("_", " ") for name in answers}

    def __call__(self, line: str) -> str | None:
        """Return the answer to *line*."""
        words = line.split(maxsplit=4)
        command = " ".join(words[1:3]).upper()
        if command == "UID SEARCH" and command not in self._fixed:
            named = self._named(words[4])
            return f"* SEARCH {' '.join(map(str, named))}".rstrip() + f"\r\n{words[0]} OK done\r\n"
        if command == "UID FETCH" and command not in self._fixed:
            return self._fetch(words[0], self._named(words[3]), words[4])
        if command == "UID MOVE" and command not in self._fixed:
            for uid in self._named(words[3]):
                self.moved.append(uid)
                del self.letters[uid]
            return f"{words[0]} OK done\r\n"
        return self._other(line)

    def _named(self, text: str) -> list[int]:
        """Return the letters of a set such as `3,5:*`; the last letter belongs to each set with a star."""
        found: set[int] = set()
        for part in text.split(","):
            first, _, last = part.partition(":")
            if last == "*":
                found.update(uid for uid in self.letters if uid >= int(first))
                found.update(sorted(self.letters)[-1:])
            else:
                found.update({int(first)}.intersection(self.letters))
        return sorted(found)

    def _fetch(self, tag: str, uids: list[int], parts: str) -> str | None:
        lines = []
        for uid in uids:
            if "BODY.PEEK[]" in parts and uid in self.faults:
                fault = self.faults[uid]
                return None if fault is None else "".join(lines) + fault.replace("{tag}", tag)
            if uid in self.hidden:
                continue
            letter = self.letters[uid]
            told = f"UID {uid} RFC822.SIZE {self.sizes.get(uid, len(letter))} INTERNALDATE {DATE}"
            if "HEADER" in parts:
                head = letter.partition("\r\n\r\n")[0]
                told += f" BODY[HEADER]<0> {{{len(head)}}}\r\n{head}"
            elif "BODY" in parts:
                asked = re.search(r"<0\.(\d+)>", parts)
                body = letter[: int(asked[1])] if asked else letter
                told += f" BODY[]{'<0>' if asked else ''} {{{len(body)}}}\r\n{body}"
            lines.append(f"* {uid} FETCH ({told})\r\n")
        return "".join(lines) + f"{tag} OK done\r\n"


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
