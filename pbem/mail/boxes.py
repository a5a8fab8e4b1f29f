"""
The boxes of the embedded server: pymap's in-memory backend with open doors, and aiosmtpd's protocol.

Only `embedded` loads this module; without the extra `demo` that raises ImportError.
"""

import asyncio
import contextlib
import uuid
from argparse import Namespace
from collections.abc import Awaitable, Callable
from datetime import datetime

from aiosmtpd.smtp import SMTP, AuthResult
from proxyprotocol.sock import SocketInfoLocal
from pymap.backend.dict import Config, Identity, Login
from pymap.backend.dict.mailbox import MailboxData
from pymap.backend.mailbox import MailboxDataInterface
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.parsing.specials.flag import Flag
from pymap.user import UserMetadata
from pysasl.creds.server import ServerCredentials

ConnectionCallback = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

_KEYWORDS = frozenset(Flag(word) for word in (b"$Forwarded", b"$MDNSent", b"$Junk", b"$NotJunk"))


class OpenLogin(Login):
    """A login that accepts any password and makes the account if there is none, so nothing is ever hashed."""

    def __init__(self, config: Config, box_of: Callable[[str], str]) -> None:
        """Take *box_of*, which turns an address into the name of its account."""
        super().__init__(config)
        self._box_of = box_of

    def identity(self, address: str) -> Identity:
        """Return the account of *address*, made if there is none."""
        name = self._box_of(address)
        self.users_dict.setdefault(name, UserMetadata(self.config, name))
        return Identity(name, self, None, frozenset())

    async def authenticate(self, credentials: ServerCredentials) -> Identity:
        """Return the account that is asked for, whatever the password."""
        return self.identity(credentials.authcid)

    async def authorize(self, authenticated: object, authzid: str) -> Identity:  # noqa: ARG002
        """Return the account to act for, which is always allowed."""
        return self.identity(authzid)


class Boxes:
    """All boxes of one server."""

    def __init__(self, box_of: Callable[[str], str]) -> None:
        """Start with no box; must run inside the event loop that serves."""
        # pymap does not announce keywords and drops them in silence; mail clients of people who look in expect these.
        MailboxData.permanent_flags = property(_permanent_flags)  # type: ignore[method-assign,assignment]
        options = Namespace(
            host=None, port=0, debug=False, cert=None, key=None, tls=False, passlib_cfg=None, proxy_protocol=None,
            inherited_sockets=None, demo_data=False, demo_user="", demo_password="",
        )  # fmt: skip
        self._config = Config.from_args(options)
        self._config.apply_context()
        self._login = OpenLogin(self._config, box_of)

    def ensure(self, address: str) -> None:
        """Make the box of *address* if there is none."""
        self._login.identity(address)

    async def add(self, address: str, raw: bytes, arrived: datetime) -> None:
        """Put *raw* into the INBOX of *address*."""
        async with self._login.identity(address).new_session() as session:
            await session.append_messages("INBOX", [AppendMessage(raw, arrived)])

    def imap_callback(self) -> ConnectionCallback:
        """Return what `asyncio.start_server` calls for each IMAP connection."""
        server = IMAPServer(self._login, self._config)

        async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            # pymap's own callback starts a task that nobody holds, which Python may collect in mid-conversation.
            with contextlib.suppress(asyncio.CancelledError):  # at the end of the server
                await server(reader, writer, SocketInfoLocal(writer, unique_id=uuid.uuid4().bytes, dnsbl=None))

        return converse


def smtp_protocol(handler: object) -> asyncio.Protocol:
    """Return the protocol of one SMTP connection that hands its mail to *handler*; any login is accepted."""
    return SMTP(
        handler,
        hostname="localhost",
        enable_SMTPUTF8=True,
        auth_require_tls=False,
        authenticator=lambda *_: AuthResult(success=True),
        loop=asyncio.get_running_loop(),
    )


def _permanent_flags(box: MailboxData) -> frozenset[Flag]:
    flags: frozenset[Flag] = MailboxDataInterface.permanent_flags.fget(box)  # type: ignore[attr-defined]
    return flags | _KEYWORDS
