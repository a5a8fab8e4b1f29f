"""
A mailbox behind IMAP: the only file that imports imapclient, and it does so when a connection is made.

Letters are read by UID with BODY.PEEK, so a person or a phone may use the same box: no flag is a queue. After any
protocol or network error the connection is given up, because a half-read answer would be taken for the next one.
"""

import imaplib
import ssl
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Self

from pbem.mail.errors import LetterGone, MailboxDown, MailboxReadOnly, MailboxRefused
from pbem.mail.folders import find_folder, is_refusal, move_letters, still_there
from pbem.mail.login import BROKEN, log_in, where
from pbem.mail.ports import Account, Fetched, Head
from pbem.mail.wire import Wire

CAP = 1 << 20  # bytes; a letter with orders has a few thousand
_HEADER_CAP = 1 << 16
_BATCH_LETTERS = 50
_BATCH_BYTES = 4 << 20
_BATCH_MOVED = 500  # UIDs on one command line
_PARTING = 5.0  # seconds; a good-bye is not worth more
_SIZE, _DATE = b"RFC822.SIZE", b"INTERNALDATE"


class ImapMailbox:
    """MailboxPort over IMAP; also a context manager that opens and closes."""

    def __init__(self, account: Account, folder: str = "INBOX", cap: int = CAP, run_limit: float = 600.0) -> None:
        """
        Take *account*; nothing is connected before `open`.

        Units: *cap* in bytes: of longer letters only that many are loaded; *run_limit* in seconds from the first `open`
               to `close`, after which every call raises MailboxDown, so that a slow server cannot hold a pass for ever.
        """
        self._account = account
        self._folder = folder
        self._cap = cap
        self._run_limit = run_limit
        self._ends: float | None = None
        self._client: Any = None
        self._uidvalidity = 0
        self._may_move = self._may_delete = True

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
        self._log_out()
        if self._ends is None:
            self._ends = time.monotonic() + self._run_limit
        self._client = log_on(self._account, self._ends, max(2 * self._cap, _HEADER_CAP))
        with self._answered("select") as client:
            selected = self._select(client)
            self._uidvalidity = int(selected.get(b"UIDVALIDITY", 0))
            marks = selected.get(b"PERMANENTFLAGS")
            self._may_delete = marks is None or rb"\deleted" in {mark.lower() for mark in marks}

    def close(self) -> None:
        """Log out; never raises."""
        self._ends = None
        self._log_out()

    def new_uids(self, after: int) -> list[int]:
        """Return the UIDs greater than *after*, ascending (`n:*` always names the last letter too)."""
        with self._answered("search") as client:
            client.noop()  # servers tell what has arrived since `open` only when asked
            return sorted(uid for uid in client.search(["UID", f"{after + 1}:*"]) if uid > after)

    def heads(self, uids: Sequence[int]) -> list[Head]:
        """Return size, date and headers of those of *uids* that still exist, ascending."""
        parts = [_SIZE, _DATE, f"BODY.PEEK[HEADER]<0.{_HEADER_CAP}>"]
        heads: list[Head] = []
        for some in _runs(sorted(uids), _BATCH_LETTERS):
            with self._answered("fetch headers") as client:
                found: Mapping[int, Mapping[bytes, Any]] = client.fetch(some, parts)
                heads += [
                    Head(uid, int(item[_SIZE]), _utc(item[_DATE]), _body(item, b"BODY[HEADER]"))
                    for uid, item in sorted(found.items())
                    if item.get(_SIZE)  # Dovecot names a letter that another has just deleted, with a size of 0
                ]
        return heads

    def fetch(self, uid: int) -> Fetched:
        """Return the letter *uid*; raises LetterGone if it is no longer there."""
        for letter in self.fetch_many([uid]):
            return letter
        raise LetterGone(f"no letter {uid} in {self._folder}")

    def fetch_many(self, uids: Sequence[int]) -> Iterator[Fetched]:
        """Yield those of *uids* that still exist, ascending, loaded in batches; what is not yielded is gone."""
        for some in _runs(sorted(uids), _BATCH_LETTERS):
            sizes = self._sizes(some)
            for batch in _batches(sizes, self._cap):
                yield from self._load(batch, sizes)

    def move(self, uid: int, folder: str) -> None:
        """Move the letter *uid* to *folder*, which is made if it is missing; a letter already gone is no error."""
        self.move_many([uid], folder)

    def move_many(self, uids: Sequence[int], folder: str) -> None:
        """Move all of *uids* to *folder* as `move` does; raises MailboxReadOnly if the server does not let us."""
        if not uids:
            return
        with self._answered("move") as client:
            if not self._may_move:
                raise MailboxReadOnly(where(self._account, "move", "the mailbox can only be read"))
            try:
                name = find_folder(client, folder)
                for some in _runs(uids, _BATCH_MOVED):
                    move_letters(client, some, name, may_delete=self._may_delete)
            except imaplib.IMAP4.error as error:
                if not is_refusal(error):
                    raise
                raise MailboxReadOnly(where(self._account, "move", error)) from error

    def _select(self, client: Any) -> Mapping[bytes, Any]:  # noqa: ANN401 - imapclient has no types
        """Return what the server tells of the folder; one that can only be read is selected as such."""
        self._may_move = True
        try:
            selected: Mapping[bytes, Any] = client.select_folder(self._folder)
        except imaplib.IMAP4.readonly:
            self._may_move = False
            selected = client.select_folder(self._folder, readonly=True)
        return selected

    def _sizes(self, uids: Sequence[int]) -> dict[int, int]:
        with self._answered("fetch sizes") as client:
            found: Mapping[int, Mapping[bytes, Any]] = client.fetch(uids, [_SIZE])
            sizes = {uid: int(item[_SIZE]) for uid, item in sorted(found.items()) if _SIZE in item}
            _want_gone(client, uids, sizes)
            return sizes

    def _load(self, uids: Sequence[int], sizes: Mapping[int, int]) -> Iterator[Fetched]:
        part = f"BODY.PEEK[]<0.{self._cap}>" if sizes[uids[0]] > self._cap else "BODY.PEEK[]"
        with self._answered("fetch") as client:
            found: Mapping[int, Mapping[bytes, Any]] = client.fetch(uids, [_DATE, part])
            letters = {
                uid: self._letter(uid, sizes[uid], item)
                for uid, item in sorted(found.items())
                if _DATE in item and (_body(item, b"BODY[]") or not sizes[uid])
            }
            _want_gone(client, uids, letters)
        yield from letters.values()

    def _letter(self, uid: int, told: int, item: Mapping[bytes, Any]) -> Fetched:
        raw = _body(item, b"BODY[]")
        size = max(told, len(raw))  # some servers only estimate
        return Fetched(uid, self._uidvalidity, size, _utc(item[_DATE]), raw[: self._cap], size > self._cap)

    @contextmanager
    def _answered(self, doing: str) -> Iterator[Any]:
        """Yield the client; whatever goes wrong with it ends the connection."""
        if self._client is None:
            raise MailboxDown(where(self._account, doing, "not connected"))
        try:
            yield self._client
        except BROKEN as error:
            client, self._client = self._client, None
            _hang_up(client)
            raise MailboxDown(where(self._account, doing, error)) from error

    def _log_out(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.wire.ends = min(client.wire.ends, time.monotonic() + _PARTING)
            try:
                client.logout()
            except BROKEN:
                _hang_up(client)


def log_on(account: Account, ends: float, longest: int) -> Any:  # noqa: ANN401 - imapclient has no types
    """
    Return a connected IMAPClient, TLS done, logged in; its `wire` keeps the limits of `Wire`.

    Raises: MailboxDown or MailboxRefused.
    """
    try:
        client = _connect(account, ends, longest)
    except BROKEN as error:
        raise MailboxDown(where(account, "cannot connect", error)) from error
    try:
        if account.tls == "starttls":
            _start_tls(client, account)
        log_in(client, account)
    except BaseException:
        _hang_up(client)
        raise
    return client


def _connect(account: Account, ends: float, longest: int) -> Any:  # noqa: ANN401
    from imapclient import IMAPClient  # noqa: PLC0415 - an idle tick must not pay for it before it connects

    wire = Wire(account, ends, longest)

    class Client(IMAPClient):  # type: ignore[misc]  # it has no types
        def _create_IMAP4(self) -> Wire:  # noqa: N802 - imapclient's name
            return wire

    client = Client(account.host, account.port, ssl=account.tls == "tls", timeout=account.timeout)
    client.normalise_times = False
    client.wire = wire
    wire.debug = 0  # imapclient has all that is received put into words for its log
    return client


def _start_tls(client: Any, account: Account) -> None:  # noqa: ANN401
    if not client.has_capability("STARTTLS"):
        raise MailboxRefused(where(account, "login", "no STARTTLS is offered, and in clear nothing secret is sent"))
    try:
        client.starttls(ssl.create_default_context())
    except BROKEN as error:
        raise MailboxDown(where(account, "cannot connect", error)) from error


def _hang_up(client: Any) -> None:  # noqa: ANN401
    with suppress(*BROKEN):
        client.shutdown()


def _want_gone(client: Any, uids: Sequence[int], told: Mapping[int, object]) -> None:  # noqa: ANN401
    """See that the letters of which nothing was told are gone; raises imaplib's error if one is still there."""
    left = still_there(client, [uid for uid in uids if uid not in told])
    if left:
        raise imaplib.IMAP4.error(f"the letters {left} are there, but their bytes do not come")


def _runs(uids: Sequence[int], most: int) -> Iterator[Sequence[int]]:
    """Yield *uids* in runs of at most *most*."""
    for start in range(0, len(uids), most):
        yield uids[start : start + most]


def _batches(sizes: Mapping[int, int], cap: int) -> Iterator[list[int]]:
    """Yield runs of UIDs that are loaded in one command; a letter above *cap* stands alone."""
    batch: list[int] = []
    weight = 0
    for uid, size in sizes.items():
        alone = size > cap
        if batch and (alone or weight + size > _BATCH_BYTES):
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
