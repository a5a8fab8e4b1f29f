"""
The embedded mail server of the demo and of `pbem mailserver`: SMTP and IMAP in one process, on loopback only.

Every address has an INBOX, any password is accepted, a plus address lands in the box before the plus. Each accepted
mail is kept as an `.eml` file in the directory and put back at the next start, so boxes survive a restart (all in
INBOX, under a new UIDVALIDITY).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import signal
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pbem.mail.errors import ServerMissing

if TYPE_CHECKING:
    from pbem.mail.boxes import Boxes

HOST = "127.0.0.1"
_NOBODY: Mapping[str, str] = MappingProxyType({})


def box_of(address: str) -> str:
    """Return the address whose INBOX gets mail to *address*: lower case, without a plus part."""
    local, _, domain = address.lower().strip().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}" if local else domain


class Spool:
    """The kept mails: one file a mail and box, named by arrival."""

    def __init__(self, directory: Path) -> None:
        """Take *directory*, which is created if missing."""
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        self._last = max((int(path.name[:8]) for path in self._paths()), default=0)

    def add(self, box: str, raw: bytes) -> None:
        """Keep *raw* for *box*; the file is complete or not there."""
        self._last += 1
        path = self._directory / f"{self._last:08}-{_file_name(box)}.eml"
        partial = path.with_suffix(".part")
        partial.write_bytes(raw)
        partial.replace(path)

    def load(self) -> list[tuple[str, datetime, bytes]]:
        """Return box, time of arrival and bytes of every kept mail, in order of arrival."""
        return [
            (_box_name(path.stem[9:]), datetime.fromtimestamp(path.stat().st_mtime, UTC), path.read_bytes())
            for path in self._paths()
        ]

    def _paths(self) -> list[Path]:
        return sorted(self._directory.glob("[0-9]" * 8 + "-*.eml"))


class EmbeddedServer:
    """SMTP and IMAP over the boxes in memory; `run` serves until it is told to stop."""

    def __init__(
        self,
        directory: Path,
        smtp_port: int = 0,
        imap_port: int = 0,
        refusals: Mapping[str, str] = _NOBODY,
    ) -> None:
        """
        Take the directory for the kept mails and the ports (0: any free one).

        Shape: *refusals* maps an address to the SMTP answer that its RCPT gets (`450 4.2.1 try later`).
        """
        self._spool = Spool(directory)
        self._ports = (smtp_port, imap_port)
        self._refusals = {address.lower(): answer for address, answer in refusals.items()}
        self._boxes: Boxes

    async def serve(self, announce: Callable[[str], None], stop: asyncio.Event) -> None:
        """Listen, give *announce* one JSON line (`host`, `smtp_port`, `imap_port`), and serve until *stop* is set."""
        try:
            from pbem.mail.boxes import Boxes, smtp_protocol  # noqa: PLC0415 - needs the extra
        except ImportError as error:
            raise ServerMissing(f"the embedded mail server needs the extra pbem[demo]: {error}") from error
        self._boxes = Boxes(box_of)
        for box, arrived, raw in self._spool.load():
            await self._boxes.add(box, raw, arrived)
        with contextlib.ExitStack() as closing:
            smtp = await asyncio.get_running_loop().create_server(lambda: smtp_protocol(self), HOST, self._ports[0])
            closing.callback(smtp.close)
            imap = await asyncio.start_server(self._boxes.imap_callback(), HOST, self._ports[1])
            closing.callback(imap.close)  # open connections end with the loop; waiting would be for the clients
            smtp_port, imap_port = (server.sockets[0].getsockname()[1] for server in (smtp, imap))
            announce(json.dumps({"host": HOST, "smtp_port": smtp_port, "imap_port": imap_port}))
            await stop.wait()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd looks for this name
        self,
        _server: object,
        _session: object,
        envelope: Any,  # noqa: ANN401 - aiosmtpd has no types
        address: str,
        _options: object,
    ) -> str:
        """Return the answer to one recipient; a new address gets its box."""
        answer = self._refusals.get(address.lower())
        if answer is not None:
            return answer
        self._boxes.ensure(box_of(address))
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: object, _session: object, envelope: Any) -> str:  # noqa: N802, ANN401
        """Keep the mail once for each recipient, put it in the box, and return the answer."""
        now = datetime.now(UTC)
        for address in envelope.rcpt_tos:
            trace = f"Return-Path: <{envelope.mail_from or ''}>\r\nDelivered-To: {address}\r\n"
            raw = trace.encode("utf-8") + envelope.content
            self._spool.add(box_of(address), raw)
            await self._boxes.add(box_of(address), raw, now)
        return "250 2.0.0 OK"


def run(
    directory: Path,
    smtp_port: int = 0,
    imap_port: int = 0,
    announce: Callable[[str], None] | None = None,
    refusals: Mapping[str, str] = _NOBODY,
) -> None:
    """
    Serve until SIGTERM or SIGINT; one JSON line goes to *announce* (default: standard output) when it listens.

    Raises: ServerMissing if the extra `demo` is not installed; OSError if a port is taken.
    """
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd warns of itself at each login
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(EmbeddedServer(directory, smtp_port, imap_port, refusals), announce or _print))


async def _run(server: EmbeddedServer, announce: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await server.serve(announce, stop)


def _print(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - this line is the command's output


def _file_name(box: str) -> str:
    return "".join(char if char.isalnum() or char in "@.-_" else f"%{ord(char):06x}" for char in box)


def _box_name(name: str) -> str:
    first, *rest = name.split("%")
    return first + "".join(chr(int(part[:6], 16)) + part[6:] for part in rest)
