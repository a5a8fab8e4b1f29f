"""The embedded mail server in a thread, with the clock of the season: a mail arrives when the season says so."""

import asyncio
import json
import smtplib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.mail.embedded import EmbeddedServer, box_of

OUR = "pbem@season.test"


class TownServer(EmbeddedServer):
    """
    SMTP and IMAP for our own mailbox; mail to anybody else is handed to *deliver*, with its address.

    `now`   the moment at which what comes in arrives
    `dead`  addresses that are refused as unknown
    """

    def __init__(self, directory: Path, now: datetime, deliver: Callable[[str, bytes], None]) -> None:
        super().__init__(directory)
        self.now = now
        self.dead: set[str] = set()
        self._deliver = deliver

    async def handle_RCPT(  # noqa: N802 - aiosmtpd looks for this name
        self, server: object, session: object, envelope: Any, address: str, options: object
    ) -> str:
        """Refuse who is gone."""
        if address.lower() in self.dead:
            return "550 5.1.1 no such user here"
        return await super().handle_RCPT(server, session, envelope, address, options)

    async def handle_DATA(self, _server: object, _session: object, envelope: Any) -> str:  # noqa: N802
        """Put mail to us into our box, and hand on what is for others."""
        for address in envelope.rcpt_tos:
            trace = f"Return-Path: <{envelope.mail_from or ''}>\r\nDelivered-To: {address}\r\n"
            raw = trace.encode() + envelope.content
            if box_of(address) == OUR:
                await self._boxes.add(OUR, raw, self.now)
            else:
                self._deliver(address.lower(), raw)
        return "250 2.0.0 OK"


class Town:
    """Where the servers listen, and what can be done there."""

    def __init__(self, server: TownServer, smtp_port: int, imap_port: int) -> None:
        self.server, self.smtp_port, self.imap_port = server, smtp_port, imap_port

    def post(self, sender: str, recipient: str, raw: bytes, when: datetime) -> None:
        """Let *raw* come from *sender* by SMTP, and arrive at *when*."""
        self.server.now = when
        with smtplib.SMTP("127.0.0.1", self.smtp_port) as client:
            client.sendmail(sender, [recipient], raw)


@contextmanager
def town(directory: Path, now: datetime, deliver: Callable[[str, bytes], None]) -> Iterator[Town]:
    """Run the servers until the context ends."""
    server = TownServer(directory, now, deliver)
    listening, found = threading.Event(), dict[str, Any]()
    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    def announce(line: str) -> None:
        found.update(json.loads(line))
        listening.set()

    async def serve() -> None:
        stop = asyncio.Event()
        loops.append((asyncio.get_running_loop(), stop))
        await server.serve(announce, stop)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert listening.wait(30), "the embedded server does not start"
    try:
        yield Town(server, found["smtp_port"], found["imap_port"])
    finally:
        loop, stop = loops[0]
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)
