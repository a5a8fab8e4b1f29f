"""
Outgoing mail: one reused connection, one recipient per mail. Of the service itself the only async file.

`Sender` hides the event loop: the rest of the program is plain code. The library connects and logs in; the mail itself
is handed over here, command by command, because it matters how far it came when a connection is lost: a server may
have taken a mail only after the dot that ends it.
"""

import asyncio
import base64
import re
import ssl
from typing import Self

import aiosmtplib
from msgspec import Struct

from pbem.mail.addresses import encode_domain, is_address
from pbem.mail.answers import PERMANENT, SHUTTING_DOWN, Stage, clean, is_about_us, read_answer
from pbem.mail.errors import SmtpDown, SmtpRefused
from pbem.mail.ports import Account, Delivery

_UNREADABLE = (aiosmtplib.SMTPException, OSError)
"""What is raised where no answer comes, or none that can be read."""
_TOO_BIG = 552
_ADDRESS = 553
_GOOD = 250
_GO_ON = 354
_SHORTEST_SECRET = 4  # a shorter one hides nothing, and its letters are in every word
_TRUSTED_IDLE = 10.0  # seconds after which an idle connection is asked whether it still lives
_PATIENCE = 10  # times longer than any other answer the one after a whole mail is waited for (RFC 5321, 4.5.3.2.6)


class _Client(aiosmtplib.SMTP):
    """The library's client, whose `close` hangs up at once: a TLS good-bye would outlive the event loop."""

    def close(self) -> None:
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()
        super().close()


class _Throttled(SmtpDown):
    """The server takes nothing from us for a while, and says so before we could log in."""

    def __init__(self, text: str, delivery: Delivery) -> None:
        super().__init__(text)
        self.delivery = delivery


class _Mail(Struct, frozen=True):
    """One mail as it goes over the wire: addresses as they are said, lines that end CRLF, dots not yet doubled."""

    sender: str
    recipient: str
    raw: bytes

    @property
    def utf8(self) -> bool:
        """Return whether an address needs SMTPUTF8."""
        return not (self.sender + self.recipient).isascii()


class Sender:
    """
    SmtpPort over one reused connection: `with Sender(account) as sender: sender.send(…)`.

    The connection is made by the first `send` and made anew after it was lost. Not for two threads, and not from a
    running event loop.
    """

    def __init__(self, account: Account) -> None:
        """Take *account*; nothing is connected yet."""
        self._account = account
        self._runner = asyncio.Runner()
        self._client: _Client | None = None
        self._used_at = 0.0

    def __enter__(self) -> Self:
        """Return self."""
        return self

    def __exit__(self, *_: object) -> None:
        """Say good-bye to the server and end the loop."""
        self.close()

    def check(self) -> None:
        """Connect and log in; raises SmtpDown or SmtpRefused."""
        self._runner.run(self._connected())

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
        """
        Hand *raw* to the server for *recipient* and return its answer.

        A connection that was used before and proves dead, or is ended before this mail, is made anew once.
        Raises: SmtpDown if no connection can be made, SmtpRefused if the login is refused.
        """
        mail = _Mail(encode_domain(envelope_from), encode_domain(recipient), _with_line_ends(raw))
        for address in (mail.sender, mail.recipient):
            if not is_address(address):
                return Delivery("refused", _ADDRESS, f"5.1.3 not an address: {clean(address)}")
        return self._runner.run(self._send(mail))

    def close(self) -> None:
        """End the connection; never raises."""
        if self._client is not None:
            self._runner.run(self._quit())
        self._runner.close()

    async def _send(self, mail: _Mail) -> Delivery:
        old = self._client
        try:
            client = await self._connected()
            delivery = await self._hand_over(client, mail)
            if client is old and delivery.outcome == "later" and not client.is_connected:
                delivery = await self._hand_over(await self._connected(), mail)
        except _Throttled as error:
            return error.delivery
        return delivery

    async def _hand_over(self, client: _Client, mail: _Mail) -> Delivery:
        """Return the server's answer to one mail; the connection is closed where it cannot be used again."""
        try:
            refused = _refusal(client, mail) or await self._announce(client, mail)
            if refused is not None:
                return refused
            protocol = await _write(client, mail.raw)
        except _UNREADABLE as error:
            client.close()
            return Delivery("later", 0, clean(str(error)))
        try:
            code, text = await protocol.read_response(timeout=self._account.timeout * _PATIENCE)
        except _UNREADABLE as error:
            client.close()
            return Delivery("uncertain", 0, clean(str(error)))
        if code // 100 == _GOOD // 100:
            return Delivery("ok", code, clean(text))
        return await self._refused(client, code, text, "content")

    async def _announce(self, client: _Client, mail: _Mail) -> Delivery | None:
        """Name sender and recipient, and return the refusal if the server does not want the mail."""
        steps: tuple[tuple[Stage, str, int], ...] = (
            ("sender", f"MAIL FROM:<{mail.sender}>{_options(client, mail)}", _GOOD),
            ("recipient", f"RCPT TO:<{mail.recipient}>", _GOOD),
            ("content", "DATA", _GO_ON),
        )
        for stage, command, wanted in steps:
            code, text = await client.execute_command(command.encode())
            if code // 100 != wanted // 100:
                return await self._refused(client, code, text, stage)
        return None

    async def _refused(self, client: _Client, code: int, text: str, stage: Stage) -> Delivery:
        """Return what a refusal means, with the server ready for another mail, or the connection closed."""
        if is_about_us(code, text, stage):
            raise SmtpRefused(self._where(f"{code} {text}"))
        try:
            if code == SHUTTING_DOWN or (await client.execute_command(b"RSET")).code != _GOOD:
                client.close()
        except (aiosmtplib.SMTPException, OSError):
            client.close()
        return read_answer(code, text, stage)

    async def _connected(self) -> _Client:
        now = asyncio.get_running_loop().time()
        idle, self._used_at = now - self._used_at, now
        if self._client is not None and await _is_alive(self._client, idle):
            return self._client
        self._client = client = self._new_client()
        try:
            await client.connect()
            if client.is_ehlo_or_helo_needed:
                await client.ehlo()
        except aiosmtplib.SMTPResponseException as error:
            client.close()
            raise self._trouble(error) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            client.close()
            raise SmtpDown(self._where(str(error))) from error
        return client

    def _trouble(self, error: aiosmtplib.SMTPResponseException) -> SmtpDown | SmtpRefused:
        """Return why the server does not let us in."""
        is_login = isinstance(error, aiosmtplib.SMTPAuthenticationError)
        where = self._where(f"{'login: ' if is_login else ''}{error.code} {error.message}")
        answer = read_answer(error.code, self._without_secret(error.message), "session")
        if answer.outcome == "throttled":
            return _Throttled(where, answer)
        return SmtpRefused(where) if is_login and error.code >= PERMANENT else SmtpDown(where)

    def _new_client(self) -> _Client:
        account = self._account
        token = account.token and bool(account.user)
        return _Client(
            hostname=account.host,
            port=account.port,
            timeout=account.timeout,
            use_tls=account.tls == "tls",
            start_tls=account.tls == "starttls",
            tls_context=None if account.tls == "none" else ssl.create_default_context(),
            username=account.user or None,
            password=account.secret if account.user and not token else None,
            oauth_token_generator=self._token if token else None,
            local_hostname="[127.0.0.1]",  # as mail clients do; a look-up of our own name may hang
        )

    async def _token(self) -> str:
        return self._account.secret

    def _where(self, error: str) -> str:
        return f"SMTP {self._account.host}:{self._account.port}: {clean(self._without_secret(error))}"

    def _without_secret(self, text: str) -> str:
        """Return *text* without our login, which a server may repeat in its answer."""
        user, secret = self._account.user, self._account.secret
        logins = (f"\0{user}\0{secret}", f"user={user}\1auth=Bearer {secret}\1\1", secret)
        for hidden in (*(base64.b64encode(one.encode()).decode() for one in logins), secret):
            text = text.replace(hidden, "…") if len(hidden) >= _SHORTEST_SECRET else text
        return text

    async def _quit(self) -> None:
        client, self._client = self._client, None
        if client is None or not client.is_connected:
            return
        try:
            await client.quit(timeout=5)
        except (aiosmtplib.SMTPException, OSError):
            client.close()


def _with_line_ends(raw: bytes) -> bytes:
    """Return *raw* with every line ended by CRLF, the last one too."""
    lines = re.sub(rb"\r\n|\r|\n", b"\r\n", raw)
    return lines if lines.endswith(b"\r\n") else lines + b"\r\n"


def _refusal(client: _Client, mail: _Mail) -> Delivery | None:
    """Return why this server cannot take *mail*, as it would say itself; None if it might."""
    limit = client.esmtp_extensions.get("size", "")
    if limit.isdecimal() and 0 < int(limit) < len(mail.raw):
        return Delivery("refused", _TOO_BIG, f"5.3.4 {len(mail.raw)} bytes, the server takes {limit}")
    if mail.utf8 and not client.supports_extension("smtputf8"):
        return Delivery("refused", _ADDRESS, "5.6.7 an address is not ASCII, and the server has no SMTPUTF8")
    return None


def _options(client: _Client, mail: _Mail) -> str:
    """Return what MAIL tells of the mail, each with a space in front."""
    options = f" SIZE={len(mail.raw)}" if client.supports_extension("size") else ""
    if mail.utf8:
        options += " SMTPUTF8"
    if not mail.raw.isascii() and client.supports_extension("8bitmime"):
        options += " BODY=8BITMIME"
    return options


async def _write(client: _Client, raw: bytes) -> aiosmtplib.protocol.SMTPProtocol:
    """Give a mail to the network, and its end only when all else has left; what is lost before that was not taken."""
    protocol, transport = client.protocol, client.transport
    if protocol is None or not isinstance(transport, asyncio.WriteTransport):
        raise aiosmtplib.SMTPServerDisconnected("connection lost")
    transport.set_write_buffer_limits(high=0)
    protocol.write(re.sub(rb"(?m)^\.", b"..", raw))
    async with asyncio.timeout(client.timeout):
        await protocol._drain_helper()  # noqa: SLF001 - the library waits for the network nowhere else
    protocol.write(b".\r\n")
    return protocol


async def _is_alive(client: aiosmtplib.SMTP, idle: float) -> bool:
    """Return whether *client* can be used again after *idle* seconds; a server may have hung up meanwhile."""
    if client.is_connected and idle > _TRUSTED_IDLE:
        try:
            await client.noop()
        except (aiosmtplib.SMTPException, OSError):
            client.close()
    return client.is_connected
