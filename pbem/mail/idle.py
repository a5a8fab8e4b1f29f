"""Waiting for new letters by IDLE, where the mailbox offers it."""

import imaplib
import re
import time
from collections.abc import Callable
from typing import Any, Self

from pbem.errors import PbemError
from pbem.mail.errors import MailboxError
from pbem.mail.imap import log_on
from pbem.mail.login import BROKEN
from pbem.mail.ports import Account

RENEWAL = 540.0
"""Seconds after which IDLE is asked for anew: servers may hang up after half an hour, routers after ten minutes."""

_SETTING_UP = 60.0  # seconds for connecting, logging in and selecting together
_ANSWER = 10.0  # seconds for all that is said to one command
_LONGEST = 1 << 16
_COUNT = re.compile(rb"\* (\d+) (EXISTS|EXPUNGE)\b", re.IGNORECASE)
_BYE = re.compile(rb"\* BYE\b", re.IGNORECASE)
_TROUBLES = (*BROKEN, MailboxError, PbemError)


class Bell:
    """
    Rings when a letter comes: `with Bell(account) as bell: bell.listen(); …; bell.wait(60)`.

    It has a connection of its own, which only looks. Whatever goes wrong with it, `wait` is then a clock that lets the
    seconds pass, and the next `listen` tries anew. What has come while nobody waited rings at the next `wait`.
    """

    def __init__(self, account: Callable[[], Account], renewal: float = RENEWAL) -> None:
        """Take what gives the login, asked at each connection because a token does not live long."""
        self._account = account
        self._renewal = renewal
        self._client: Any = None
        self._is_offered = True
        self._tag = 0
        self._renew_at = 0.0
        self._letters = 0
        self._rings = False

    def __enter__(self) -> Self:
        """Do nothing yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up."""
        self._hang_up()

    def listen(self) -> None:
        """Notice from now on what comes, if the mailbox can tell; never raises."""
        if self._client is not None or not self._is_offered:
            return
        try:
            self._client = log_on(self._account(), time.monotonic() + _SETTING_UP, _LONGEST)
            self._is_offered = self._client.has_capability("IDLE")
            if not self._is_offered:
                self._hang_up()
                return
            self._letters = int(self._client.select_folder("INBOX", readonly=True)[b"EXISTS"])
            self._start()
        except _TROUBLES:
            self._hang_up()

    def wait(self, seconds: float) -> bool:
        """Return whether a letter has come since `listen`: at once when it has, else after *seconds*; never raises."""
        end = time.monotonic() + seconds
        try:
            while self._client is not None and not self._rings and (left := end - time.monotonic()) > 0:
                self._hear(left)
        except _TROUBLES:
            self._hang_up()
        if not self._rings:
            time.sleep(max(0.0, end - time.monotonic()))
        rang, self._rings = self._rings, False
        return rang

    def _hear(self, seconds: float) -> None:
        """Take in what is told within *seconds*, or until it is time to ask for IDLE anew."""
        until_renewal = self._renew_at - time.monotonic()
        line = self._client.wire.next_line(min(seconds, until_renewal))
        if line is not None:
            self._note(line)
        elif seconds >= until_renewal:
            self._ask(b"DONE", b"idle%d OK" % self._tag)
            self._start()

    def _start(self) -> None:
        self._tag += 1
        self._ask(b"idle%d IDLE" % self._tag, b"+")
        self._renew_at = time.monotonic() + self._renewal

    def _ask(self, command: bytes, wanted: bytes) -> None:
        """Send *command* and take in all that is told before the line that begins with *wanted*."""
        wire = self._client.wire
        wire.ends = time.monotonic() + _ANSWER
        wire.send(command + b"\r\n")
        while not (line := wire.readline()).startswith(wanted):
            self._note(line)

    def _note(self, line: bytes) -> None:
        """Ring if *line* tells of more letters than there were; what else a server may tell is nothing to us."""
        if _BYE.match(line) or line.startswith(b"idle"):
            raise imaplib.IMAP4.abort(line.decode("ascii", "replace"))
        found = _COUNT.match(line)
        if found is None:
            return
        if found[2].upper() == b"EXPUNGE":
            self._letters -= 1
        else:
            self._rings = self._rings or int(found[1]) > self._letters
            self._letters = int(found[1])

    def _hang_up(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            try:
                client.shutdown()
            except BROKEN:
                return
