"""
The outside worlds: the embedded server, and Dovecot with Postfix. Both have a mailbox for everybody in `address_of`.

In both PUT_OFF is told to come later (450) and REFUSED refused (550). What only the real ones can do is asked for with
`only_real`.
"""

import json
import smtplib
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import pytest

from tests import servers
from tests.kill.children import line_of, running, start
from tests.servers import MailServers

HOST = "127.0.0.1"
PUT_OFF, REFUSED = "tempfail@pbem.test", "reject@pbem.test"
DEPARTED = "departed@pbem.test"
"""Taken over by Postfix, and then not deliverable."""

GOOD = 250
PATIENCE = 60.0  # seconds
_ROLES = ("pbem", "noplus", "gm", "ana", "bob")
_HOUSES = 100
_RUN = "import json, sys; from pathlib import Path; from pbem.mail.embedded import run; "
_RUN += "run(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), refusals=json.loads(sys.argv[4]))"
ANSWERS = MappingProxyType({PUT_OFF: "450 4.2.1 try later", REFUSED: "550 5.1.1 no such player"})


class Outside(Protocol):
    """
    A world of mail: its name, where its servers listen, and what can happen there.

    `biggest`      bytes of the biggest mail that its server takes
    `certificate`  that its servers show; None where they offer no TLS
    """

    name: str
    imap: int
    smtp: int
    biggest: int
    certificate: Path | None

    def settle(self) -> None:
        """Wait until every mail that was taken over has arrived."""
        ...

    def renumber(self, address: str) -> None:
        """Number the letters of a mailbox anew, under another UIDVALIDITY; nobody is logged in to it."""
        ...

    def relenting(self) -> AbstractContextManager[None]:
        """Refuse nobody within this block."""
        ...


class Embedded:
    """The embedded server, as a process."""

    name = "embedded"
    biggest = 33_554_432
    certificate = None

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.imap = self.smtp = 0
        self.process = ExitStack()
        self._restart()

    def settle(self) -> None:
        """Do nothing: it answers when the letter lies in the mailbox."""

    def renumber(self, address: str) -> None:
        """Start anew; all letters are in the inbox again."""
        self._restart()

    @contextmanager
    def relenting(self) -> Iterator[None]:
        """Start anew without refusals."""
        self._restart({})
        try:
            yield
        finally:
            self._restart()

    def close(self) -> None:
        """End the server."""
        self.process.close()

    def _restart(self, refusals: Mapping[str, str] = ANSWERS) -> None:
        self.close()
        command = [sys.executable, "-c", _RUN, str(self.folder), str(self.smtp), str(self.imap)]
        child = self.process.enter_context(running(start([*command, json.dumps(dict(refusals))])))
        told = json.loads(line_of(child))
        self.imap, self.smtp = told["imap_port"], told["smtp_port"]


class Real:
    """Dovecot and Postfix."""

    name = "real"
    biggest = 26_214_400

    def __init__(self, mail_servers: MailServers) -> None:
        self.servers = mail_servers
        self.imap, self.smtp = mail_servers.imap, mail_servers.smtp
        self.certificate = mail_servers.certificate

    def settle(self) -> None:
        """Wait until nothing is under way."""
        wait_until(lambda: not self.servers.has_mail_under_way())

    def renumber(self, address: str) -> None:
        """Let Dovecot forget the numbers; the new UIDVALIDITY is the second, so the old one's must be over."""
        old = self.servers.uidvalidity(address)
        wait_until(lambda: time.time() >= old + 1)
        self.servers.renumber(address)

    @contextmanager
    def relenting(self) -> Iterator[None]:
        """Let Postfix take every recipient."""
        self.servers.refuse({})
        wait_until(lambda: self._takes(PUT_OFF))
        try:
            yield
        finally:
            self.servers.refuse(servers.REFUSALS)
            wait_until(lambda: not self._takes(PUT_OFF))

    def _takes(self, recipient: str) -> bool:
        with smtplib.SMTP(HOST, self.smtp, timeout=30) as server:
            server.ehlo()
            server.mail("")
            return server.rcpt(recipient)[0] == GOOD


@contextmanager
def real_world(prefix: str = "") -> Iterator[Real]:
    """Start Dovecot and Postfix, folders with *prefix*; skips, with the reason, where that cannot be done."""
    reason = servers.missing()
    if reason:
        pytest.skip(reason)
    addresses = [address_of(role, number) for number in range(_HOUSES) for role in _ROLES] + [PUT_OFF]
    with servers.mail_servers(addresses, [DEPARTED], prefix) as started:
        yield Real(started)


def only_real(outside: Outside, why: str) -> Real:
    """Return the real world; skips in the other, which cannot do what *why* says."""
    if not isinstance(outside, Real):
        pytest.skip(f"embedded: {why}")
    return outside


def address_of(role: str, number: int) -> str:
    """Return the address of somebody at house *number*."""
    return f"{role}{number}@pbem.test"


def wait_until(is_done: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until *is_done* says so; raises TimeoutError after *seconds*."""
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.01)
