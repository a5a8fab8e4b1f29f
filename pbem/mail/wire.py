"""
imaplib's connection with a reading side of our own.

Every byte comes within the account's time limit, all together within that of the run; no literal is longer than
allowed, whatever the server sends; a line of which half has arrived is kept, so that a wait may end in between.
"""

import imaplib
import socket
import ssl
import time

from pbem.mail.ports import Account

_CHUNK = 1 << 16
_LONGEST_LINE = 32 << 20  # bytes; the answer to a search names every letter of the inbox


class Wire(imaplib.IMAP4):
    """
    One connection, made and greeted by the constructor; TLS from the start if the account says so.

    Units: `ends` is the moment of `time.monotonic` after which nothing is sent or read any more; *longest* is the
           longest literal in bytes.
    """

    def __init__(self, account: Account, ends: float, longest: int) -> None:
        """Connect; raises OSError or imaplib's errors."""
        self.ends = ends
        self._account = account
        self._longest = longest
        self._read = bytearray()
        self._read_from: socket.socket | None = None
        super().__init__(account.host, account.port)

    def read(self, size: int) -> bytes:
        """Return the next *size* bytes."""
        if size > self._longest:
            raise self.abort(f"a literal of {size} bytes, at most {self._longest} were asked for")
        while len(self._arrived()) < size:
            self._receive(self._patience())
        return self._take(size)

    def readline(self) -> bytes:
        """Return the next line, whole."""
        while (line := self._line()) is None:
            self._receive(self._patience())
        return line

    def next_line(self, seconds: float) -> bytes | None:
        """Return the next line, or None if it is not whole within *seconds*; nothing of it is lost."""
        end = time.monotonic() + seconds
        while (line := self._line()) is None:
            left = end - time.monotonic()
            if left <= 0:
                return None
            try:
                self._receive(left)
            except TimeoutError:
                return None
        return line

    def send(self, data: bytes) -> None:  # type: ignore[override]  # only bytes are ever sent
        """Send *data*."""
        self.sock.settimeout(self._patience())
        super().send(data)

    def _create_socket(self, timeout: float | None = None) -> socket.socket:  # noqa: ARG002 - imaplib calls it so
        plain = socket.create_connection((self._account.host, self._account.port), self._patience())
        # Commands are written in pieces; without this each waits 40 ms for the server's delayed answer to the last.
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._account.tls != "tls":
            return plain
        return ssl.create_default_context().wrap_socket(plain, server_hostname=self._account.host)

    def _arrived(self) -> bytearray:
        """Return what was received and not yet read; what came before STARTTLS does not count after it."""
        if self.sock is not self._read_from:
            self._read_from = self.sock
            self._read.clear()
        return self._read

    def _line(self) -> bytes | None:
        end = self._arrived().find(b"\n")
        if end < 0 and len(self._read) > _LONGEST_LINE:
            raise self.abort(f"a line of more than {_LONGEST_LINE} bytes")
        return None if end < 0 else self._take(end + 1)

    def _take(self, size: int) -> bytes:
        taken = bytes(self._read[:size])
        del self._read[:size]
        return taken

    def _receive(self, seconds: float) -> None:
        self.sock.settimeout(seconds)
        data = self.sock.recv(_CHUNK)
        if not data:
            raise self.abort("the connection was lost")
        self._read += data

    def _patience(self) -> float:
        """Return for how long to wait now, in seconds."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("the run took too long")
        return min(left, self._account.timeout)
