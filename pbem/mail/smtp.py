"""
Outgoing mail: one reused connection, one recipient per mail. Of the service itself the only async file.

`Sender` hides the event loop: the rest of the program is plain code. aiosmtplib returns normally when only *some*
recipients are refused and tells the refused ones in a dict, so the dict is looked at although there is one recipient.
"""

import asyncio
import re
import ssl
from typing import Self

import aiosmtplib

from pbem.mail.errors import SmtpDown, SmtpRefused
from pbem.mail.ports import Account, Delivery

_LOST = (aiosmtplib.SMTPServerDisconnected, aiosmtplib.SMTPTimeoutError, OSError)
_PERMANENT = 500
_SHUTTING_DOWN = 421
_LOGIN_WANTED = frozenset({530, 534, 535, 538})
_UNSAYABLE = re.compile(r"[\s<>\x00-\x1f\x7f]")  # must not stand on a command line
_TRUSTED_IDLE = 10.0  # seconds after which an idle connection is asked whether it still lives


class _Client(aiosmtplib.SMTP):
    """The library's client, whose `close` hangs up at once: a TLS good-bye would outlive the event loop."""

    def close(self) -> None:
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()
        super().close()


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

        Raises: SmtpDown if no connection can be made, SmtpRefused if the login is refused.
        """
        return self._runner.run(self._send(envelope_from, recipient, raw))

    def close(self) -> None:
        """End the connection; never raises."""
        if self._client is not None:
            self._runner.run(self._quit())
        self._runner.close()

    async def _send(self, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
        unsayable = _UNSAYABLE.search(envelope_from + recipient)
        if unsayable is not None:
            return Delivery("refused", 0, f"an address with {unsayable[0]!r} in it")
        client = await self._connected()
        try:
            return await _hand_over(client, envelope_from, recipient, raw)
        except aiosmtplib.SMTPResponseException as error:
            if error.code == _SHUTTING_DOWN:
                client.close()
            if error.code in _LOGIN_WANTED:
                raise SmtpRefused(self._where(f"{error.code} {error.message}")) from error
            return _answer(error.code, error.message)
        except _LOST as error:
            client.close()
            return Delivery("later", 0, str(error))
        except (aiosmtplib.SMTPNotSupported, ValueError) as error:
            return Delivery("refused", 0, str(error))  # an address that this server cannot be told

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
        except aiosmtplib.SMTPAuthenticationError as error:
            client.close()
            kind = SmtpRefused if error.code >= _PERMANENT else SmtpDown
            raise kind(self._where(f"login: {error.code} {error.message}")) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            client.close()
            raise SmtpDown(self._where(str(error))) from error
        return client

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
        return f"SMTP {self._account.host}:{self._account.port}: {error}"

    async def _quit(self) -> None:
        client, self._client = self._client, None
        if client is None or not client.is_connected:
            return
        try:
            await client.quit(timeout=5)
        except (aiosmtplib.SMTPException, OSError):
            client.close()


async def _hand_over(client: _Client, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
    """Return the server's answer to one mail; answers to anything but the recipient and the mail are raised."""
    options = [] if (envelope_from + recipient).isascii() else ["SMTPUTF8"]
    if not raw.isascii() and client.supports_extension("8bitmime"):
        options.append("BODY=8BITMIME")
    try:
        refused, text = await client.sendmail(envelope_from, [recipient], raw, mail_options=options)
    except aiosmtplib.SMTPRecipientsRefused as error:
        return _answer(error.recipients[0].code, error.recipients[0].message)
    for response in refused.values():
        return _answer(response.code, response.message)
    return Delivery("ok", 250, text)


async def _is_alive(client: aiosmtplib.SMTP, idle: float) -> bool:
    """Return whether *client* can be used again after *idle* seconds; a server may have hung up meanwhile."""
    if client.is_connected and idle > _TRUSTED_IDLE:
        try:
            await client.noop()
        except (aiosmtplib.SMTPException, OSError):
            client.close()
    return client.is_connected


def _answer(code: int, text: str) -> Delivery:
    """Return the answer that an SMTP error code means; what is neither 4xx nor 5xx is tried again."""
    return Delivery("refused" if code >= _PERMANENT else "later", code, text)
