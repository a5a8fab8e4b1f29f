"""Logging in to a mailbox: which way, what the server says to it, and that no message holds a secret."""

import base64
import imaplib
from typing import Any

from pbem.mail.errors import MailboxDown, MailboxError, MailboxRefused
from pbem.mail.ports import Account

# What imaplib and imapclient raise when a line does not read as they expect, beside their own errors.
BROKEN = (imaplib.IMAP4.error, OSError, EOFError, ValueError, LookupError, TypeError, AttributeError)
_TEMPORARY = ("[UNAVAILABLE]", "[LIMIT]", "[INUSE]", "[SERVERBUG]", "[CONTACTADMIN]")
_LONGEST = 500  # characters of a message


def where(account: Account, doing: str, error: object) -> str:
    """Return the text of an error: the server, what was being done, and what came of it, without the secret."""
    text = f"IMAP {account.host}:{account.port}: {doing}: {error}"
    proofs = (_plain(account), _xoauth2(account), _oauthbearer(account))
    encoded = [base64.b64encode(proof.encode()).decode() for proof in proofs]
    for form in (*encoded, _quoted(account.secret)[1:-1], account.secret):
        text = text.replace(form, "…") if form else text
    return text[:_LONGEST]


def log_in(client: Any, account: Account) -> None:  # noqa: ANN401 - imapclient has no types
    """
    Log in: with a token by XOAUTH2, or by OAUTHBEARER where only that is offered; else by LOGIN or SASL PLAIN.

    Raises: MailboxRefused if the server does not let us in, MailboxDown if that says nothing about the login itself.
    """
    reasons: list[str] = []
    try:
        _try(client, account, reasons)
    except BROKEN as error:
        said = " ".join([_text(error), *reasons])
        raise _kind(error)(where(account, "login", said)) from error


def _try(client: Any, account: Account, reasons: list[str]) -> None:  # noqa: ANN401
    offered = client.capabilities()
    if account.token and b"AUTH=OAUTHBEARER" in offered and b"AUTH=XOAUTH2" not in offered:
        client.sasl_login("OAUTHBEARER", _Conversation(_oauthbearer(account), b"\1", reasons))
    elif account.token:
        client.sasl_login("XOAUTH2", _Conversation(_xoauth2(account), b"", reasons))
    elif b"LOGINDISABLED" in offered and b"AUTH=PLAIN" not in offered:
        hint = '; imap.tls = "starttls" or "tls" may help' if account.tls == "none" else ""
        raise imaplib.IMAP4.error(f"the server takes no password on this connection (LOGINDISABLED){hint}")
    elif b"LOGINDISABLED" in offered or not (account.user + account.secret).isascii():
        client.sasl_login("PLAIN", _Conversation(_plain(account), None, reasons))  # LOGIN cannot carry UTF-8
    else:
        client.login(_quoted(account.user), account.secret)  # imaplib quotes only the password


class _Conversation:
    """Our side of a SASL login: the proof, then *closing* to whatever else is asked; None breaks it off."""

    def __init__(self, proof: str, closing: bytes | None, reasons: list[str]) -> None:
        """Take the list to which the server's reasons for a refusal are added."""
        self._answers = [proof.encode()]
        self._closing = closing
        self._reasons = reasons

    def __call__(self, challenge: bytes) -> bytes | None:
        """Return the answer to *challenge*."""
        if self._answers:
            return self._answers.pop()
        self._reasons.append(challenge.decode("utf-8", "replace"))
        return self._closing


def _kind(error: BaseException) -> type[MailboxError]:
    """Return which error a failed login is; a lost connection comes as LoginError too."""
    lost = isinstance(error, (imaplib.IMAP4.abort, OSError)) or isinstance(error.__context__, imaplib.IMAP4.abort)
    return MailboxDown if lost or any(code in str(error) for code in _TEMPORARY) else MailboxRefused


def _text(error: BaseException) -> str:
    """Return what the server said; imapclient puts imaplib's bytes into words as Python would write them."""
    origin = error.__context__ if isinstance(error.__context__, imaplib.IMAP4.error) else error
    said = origin.args[0] if origin.args else ""
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(error)


def _plain(account: Account) -> str:
    return f"\0{account.user}\0{account.secret}"


def _xoauth2(account: Account) -> str:
    return f"user={account.user}\1auth=Bearer {account.secret}\1\1"


def _oauthbearer(account: Account) -> str:
    user = account.user.replace("=", "=3D").replace(",", "=2C")
    return f"n,a={user},\1auth=Bearer {account.secret}\1\1"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
