"""
What the service asks of a mailbox and of an outgoing server, as protocols and frozen values.

`imap.ImapMailbox` and `smtp.Sender` speak to real servers; tests put in-memory classes of their shape in their place.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal, Protocol

from msgspec import Struct

Tls = Literal["tls", "starttls", "none"]
Outcome = Literal["ok", "later", "throttled", "uncertain", "refused", "unreachable"]


class Account(Struct, frozen=True):
    """
    Where and as whom to log in.

    Units: `timeout` in seconds, for connecting and for every single answer.
    """

    host: str
    port: int
    tls: Tls
    user: str  # empty: no login (SMTP only)
    secret: str  # the password, or the access token if `token`
    token: bool = False  # log in with XOAUTH2 or OAUTHBEARER
    timeout: float = 30.0

    def __repr__(self) -> str:
        """Return the account in words, without its secret."""
        return f"Account({self.user!r} at {self.host}:{self.port} {self.tls})"


class Head(Struct, frozen=True):
    """
    Return value of `MailboxPort.heads`: what can be known of a letter before its body is loaded.

    Units: `size` in bytes, as the server tells it; `internaldate` is when the server received it, aware UTC.
    """

    uid: int
    size: int
    internaldate: datetime
    headers: bytes


class Fetched(Struct, frozen=True):
    """
    One letter as it lies in the mailbox.

    Units: `size` in bytes of the whole letter, also if only its beginning is in `raw` (`truncated`).
    """

    uid: int
    uidvalidity: int
    size: int
    internaldate: datetime
    raw: bytes
    truncated: bool = False


class Delivery(Struct, frozen=True):
    """
    What became of one mail at the server.

    `ok`           taken over
    `later`        not taken: try again
    `throttled`    not taken, nor would any other be for a while
    `uncertain`    handed over whole, and the connection was lost before the answer
    `refused`      never
    `unreachable`  never, and it is the recipient's address that it would not take

    Shape: `code` is the SMTP code, 0 where the connection was lost before one came.
    """

    outcome: Outcome
    code: int
    text: str


class MailboxPort(Protocol):
    """
    One folder of letters, read without marking anything as seen.

    Raises: MailboxDown from every method, MailboxRefused from `open`, MailboxReadOnly from `move` and `move_many`;
            after MailboxDown only `open` starts anew.
    """

    @property
    def uidvalidity(self) -> int:
        """The folder's UIDVALIDITY as told by `open`; UIDs of another value mean nothing here."""
        ...

    def open(self) -> None:
        """Connect, log in and select the folder; an open mailbox is opened anew."""
        ...

    def close(self) -> None:
        """Log out; never raises."""
        ...

    def new_uids(self, after: int) -> list[int]:
        """Return the UIDs greater than *after*, ascending."""
        ...

    def heads(self, uids: Sequence[int]) -> list[Head]:
        """Return size, date and headers of those of *uids* that still exist, ascending."""
        ...

    def fetch(self, uid: int) -> Fetched:
        """Return the letter *uid*; raises LetterGone if it is no longer there."""
        ...

    def fetch_many(self, uids: Sequence[int]) -> Iterator[Fetched]:
        """Yield those of *uids* that still exist, ascending, loaded in batches; what is not yielded is gone."""
        ...

    def move(self, uid: int, folder: str) -> None:
        """Move the letter *uid* to *folder*, which is made if it is missing; a letter already gone is no error."""
        ...

    def move_many(self, uids: Sequence[int], folder: str) -> None:
        """Move all of *uids* to *folder* as `move` does."""
        ...


class SmtpPort(Protocol):
    """
    One outgoing server.

    Raises: SmtpDown if no connection can be made, SmtpRefused if the login is refused; answers about a mail are values.
    """

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
        """Hand *raw* to the server for one *recipient* and return its answer."""
        ...
