"""
A mailbox behind IMAP: the only file that imports imapclient, and it does so when a connection is made.

Letters are read by UID with BODY.PEEK, so a person or a phone may use the same box: no flag is a queue. After any
protocol or network error the connection is given up, because a half-read answer would be taken for the next one.
"""

import imaplib
import socket
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Self

from pbem.mail.errors import LetterGone, MailboxDown, MailboxRefused
from pbem.mail.ports import Account, Fetched, Head

CAP = 1 << 20  # bytes; a letter with orders has a few thousand
_HEADER_CAP = 1 << 16
_BATCH_LETTERS = 50
_BATCH_BYTES = 4 << 20
_SIZE, _DATE = b"RFC822.SIZE", b"INTERNALDATE"
# What imaplib and imapclient raise when a line does not read as they expect, beside their own errors.
_BROKEN = (imaplib.IMAP4.error, OSError, EOFError, ValueError, LookupError, TypeError, AttributeError)
_TEMPORARY = ("[UNAVAILABLE]", "[LIMIT]", "[INUSE]", "[SERVERBUG]", "[CONTACTADMIN]")


class ImapMailbox:
    """MailboxPort over IMAP; also a context manager that opens and closes."""

    def __init__(self, account: Account, folder: str = "INBOX", cap: int = CAP, run_limit: float = 600.0) -> None:
        """
        Take *account*; nothing is connected before `open`.

        Units: *cap* in bytes: of longer letters only that many are loaded; *run_limit* in seconds from `open`, after
               which every call raises MailboxDown, so that a slow server cannot hold a pass for ever.
        """
        self._account = account
        self._folder = folder
        self._cap = cap
        self._run_limit = run_limit
        self._ends = 0.0
        self._client: Any = None
        self._uidvalidity = 0

    def __enter__(self) -> Self:
        """Open the mailbox."""
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        """Close the mailbox."""
        self.close()

    @property
    def uidvalidity(self) -> int:
        """The folder's UIDVALIDITY as told by `open`."""
        return self._uidvalidity

    def open(self) -> None:
        """Connect, log in and select the folder; raises MailboxDown or MailboxRefused."""
        self.close()
        self._ends = time.monotonic() + self._run_limit
        try:
            self._client = _connect(self._account)
        except _BROKEN as error:
            raise MailboxDown(self._where("cannot connect", error)) from error
        try:
            _log_in(self._client, self._account)
        except _BROKEN as error:
            self._give_up()
            kind = MailboxDown if _is_temporary(error) else MailboxRefused
            raise kind(self._where("login", error)) from error
        with self._answered("select") as client:
            selected: Mapping[bytes, Any] = client.select_folder(self._folder)
            self._uidvalidity = int(selected.get(b"UIDVALIDITY", 0))

    def close(self) -> None:
        """Log out; never raises."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(*_BROKEN):
                client.logout()

    def new_uids(self, after: int) -> list[int]:
        """Return the UIDs greater than *after*, ascending (`n:*` always names the last letter too)."""
        with self._answered("search") as client:
            client.noop()  # servers tell what has arrived since `open` only when asked
            return sorted(uid for uid in client.search(["UID", f"{after + 1}:*"]) if uid > after)

    def heads(self, uids: Sequence[int]) -> list[Head]:
        """Return size, date and headers of those of *uids* that still exist, ascending."""
        with self._answered("fetch headers") as client:
            parts = [_SIZE, _DATE, f"BODY.PEEK[HEADER]<0.{_HEADER_CAP}>"]
            found: Mapping[int, Mapping[bytes, Any]] = client.fetch(list(uids), parts)
            return [
                Head(uid, int(item[_SIZE]), _utc(item[_DATE]), _body(item, b"BODY[HEADER]"))
                for uid, item in sorted(found.items())
                if _SIZE in item
            ]

    def fetch(self, uid: int) -> Fetched:
        """Return the letter *uid*; raises LetterGone if it is no longer there."""
        for letter in self.fetch_many([uid]):
            return letter
        raise LetterGone(f"no letter {uid} in {self._folder}")

    def fetch_many(self, uids: Sequence[int]) -> Iterator[Fetched]:
        """Yield those of *uids* that still exist, ascending, loaded in batches."""
        with self._answered("fetch sizes") as client:
            found: Mapping[int, Mapping[bytes, Any]] = client.fetch(list(uids), [_SIZE, _DATE])
            sizes = {uid: int(item[_SIZE]) for uid, item in sorted(found.items()) if _SIZE in item}
        for batch in _batches(sizes, self._cap):
            yield from self._load(batch, sizes)

    def move(self, uid: int, folder: str) -> None:
        """Move the letter *uid* to *folder*, which is created if missing; a letter already gone is no error."""
        self.move_many([uid], folder)

    def move_many(self, uids: Sequence[int], folder: str) -> None:
        """Move all of *uids* to *folder* as `move` does."""
        if not uids:
            return
        with self._answered("move") as client:
            target = _full_name(client, folder)
            try:
                _move(client, list(uids), target)
            except imaplib.IMAP4.abort:
                raise
            except imaplib.IMAP4.error:
                if client.folder_exists(target):
                    raise
                client.create_folder(target)
                with suppress(imaplib.IMAP4.error):
                    client.subscribe_folder(target)
                _move(client, list(uids), target)

    def _load(self, uids: Sequence[int], sizes: Mapping[int, int]) -> Iterator[Fetched]:
        part = f"BODY.PEEK[]<0.{self._cap}>" if sizes[uids[0]] > self._cap else "BODY.PEEK[]"
        with self._answered("fetch") as client:
            found: Mapping[int, Mapping[bytes, Any]] = client.fetch(list(uids), [_DATE, part])
            letters = [
                Fetched(
                    uid=uid,
                    uidvalidity=self._uidvalidity,
                    size=sizes[uid],
                    internaldate=_utc(item[_DATE]),
                    raw=_body(item, b"BODY[]"),
                    truncated=sizes[uid] > self._cap,
                )
                for uid, item in sorted(found.items())
                if _DATE in item
            ]
        yield from letters

    @contextmanager
    def _answered(self, doing: str) -> Iterator[Any]:
        """Yield the client; whatever goes wrong with it ends the connection."""
        if self._client is None:
            raise MailboxDown(self._where(doing, "not connected"))
        if time.monotonic() > self._ends:
            self._give_up()
            raise MailboxDown(self._where(doing, "the run took too long"))
        try:
            yield self._client
        except _BROKEN as error:
            self._give_up()
            raise MailboxDown(self._where(doing, error)) from error

    def _give_up(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(*_BROKEN):
                client.shutdown()

    def _where(self, doing: str, error: object) -> str:
        return f"IMAP {self._account.host}:{self._account.port}: {doing}: {error}"


def _connect(account: Account) -> Any:  # noqa: ANN401 - imapclient has no types
    """Return a connected IMAPClient, TLS done, not logged in."""
    from imapclient import IMAPClient  # noqa: PLC0415 - an idle tick must not pay for it before it connects

    context = None if account.tls == "none" else ssl.create_default_context()
    client = IMAPClient(
        account.host,
        account.port,
        ssl=account.tls == "tls",
        ssl_context=context,
        timeout=account.timeout,
    )
    client.normalise_times = False
    # imapclient writes a command in pieces; without this each waits 40 ms for the server's delayed answer to the last.
    client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if account.tls == "starttls":
        try:
            client.starttls(context)
        except BaseException:
            with suppress(*_BROKEN):
                client.shutdown()
            raise
    return client


def _log_in(client: Any, account: Account) -> None:  # noqa: ANN401
    if account.token:
        client.oauth2_login(account.user, account.secret)
    elif account.user.isascii() and account.secret.isascii():
        client.login(account.user, account.secret)
    else:
        client.plain_login(account.user, account.secret)  # LOGIN cannot carry UTF-8


def _is_temporary(error: BaseException) -> bool:
    """Return whether a failed login says nothing about the password; a lost connection comes as LoginError too."""
    lost = isinstance(error, (imaplib.IMAP4.abort, OSError)) or isinstance(error.__context__, imaplib.IMAP4.abort)
    return lost or any(code in str(error) for code in _TEMPORARY)


def _move(client: Any, uids: list[int], folder: str) -> None:  # noqa: ANN401
    """
    Move by MOVE, else by COPY, delete mark and UID EXPUNGE.

    Without UIDPLUS the mark stays: a bare EXPUNGE could remove what others marked.
    """
    if client.has_capability("MOVE"):
        client.move(uids, folder)
        return
    client.copy(uids, folder)
    client.add_flags(uids, [rb"\Deleted"], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge(uids)


def _full_name(client: Any, folder: str) -> str:  # noqa: ANN401
    """Return *folder* with the server's separator and below its personal namespace (`INBOX.` on some servers)."""
    if not client.has_capability("NAMESPACE"):
        return folder
    personal = client.namespace().personal
    prefix, separator = personal[0] if personal else ("", "/")
    name = folder.replace("/", separator or "/")
    return name if name.startswith(prefix) else prefix + name


def _batches(sizes: Mapping[int, int], cap: int) -> Iterator[list[int]]:
    """Yield runs of UIDs that are loaded in one command; a letter above *cap* stands alone."""
    batch: list[int] = []
    weight = 0
    for uid, size in sizes.items():
        alone = size > cap
        if batch and (alone or len(batch) == _BATCH_LETTERS or weight + size > _BATCH_BYTES):
            yield batch
            batch, weight = [], 0
        batch.append(uid)
        weight += size
        if alone:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def _body(item: Mapping[bytes, Any], name: bytes) -> bytes:
    """Return the bytes of section *name*; a partial answer is keyed `BODY[]<0>`. An empty section comes as None."""
    value = item.get(name, item.get(name + b"<0>"))
    return value if isinstance(value, bytes) else b""


def _utc(moment: object) -> datetime:
    if not isinstance(moment, datetime):
        raise ValueError("INTERNALDATE is no date")  # noqa: TRY004 - a protocol error like any other
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
