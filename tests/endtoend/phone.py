"""Somebody else's hand on a mailbox, with Python's own IMAP client."""

import imaplib
import re
from collections.abc import Sequence
from typing import Self

from imapclient.imap_utf7 import encode

from tests.endtoend.outside import HOST, Outside
from tests.servers import PASSWORD


class Phone:
    """A connection to the mailbox of *user*: `with Phone(outside, user) as phone`. A no raises imaplib's error."""

    def __init__(self, outside: Outside, user: str) -> None:
        self.client = imaplib.IMAP4(HOST, outside.imap, timeout=30)
        self.client.login(user, PASSWORD)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.logout()

    def look_into(self, folder: str = "INBOX", what: str = "ALL") -> list[bytes]:
        """Return the UIDs of the letters in *folder* that are *what* (`UNSEEN`), in their order."""
        self._say("SELECT", _quoted(folder))
        return self._uid("SEARCH", what)[0].split()

    def read(self, uids: Sequence[bytes]) -> list[bytes]:
        """Return letters of the folder last looked into, without a mark."""
        if not uids:
            return []
        parts = self._uid("FETCH", b",".join(uids).decode(), "(UID BODY.PEEK[])")
        letters = {_uid_of(part): part[1] for part in parts if isinstance(part, tuple)}
        return [letters[uid] for uid in uids]

    def mark_seen(self, uids: Sequence[bytes]) -> None:
        """Mark letters as read."""
        if uids:
            self._uid("STORE", b",".join(uids).decode(), "+FLAGS.SILENT", r"(\Seen)")

    def move(self, uids: Sequence[bytes], folder: str) -> None:
        """Move letters; the folder is made if it is missing."""
        self.client.create(_quoted(folder))
        if uids:
            self._uid("MOVE", b",".join(uids).decode(), _quoted(folder))

    def delete(self, uids: Sequence[bytes]) -> None:
        """Delete letters for good."""
        self._uid("STORE", b",".join(uids).decode(), "+FLAGS.SILENT", r"(\Deleted)")
        self._say("EXPUNGE")

    def _uid(self, *command: str) -> list[bytes]:
        return self._answer(self.client.uid(*command))

    def _say(self, name: str, *arguments: str) -> list[bytes]:
        return self._answer(getattr(self.client, name.lower())(*arguments))

    def _answer(self, answer: tuple[str, list[bytes]]) -> list[bytes]:
        status, data = answer
        if status != "OK":
            raise imaplib.IMAP4.error(data)
        return [one for one in data if one is not None] or [b""]


def _quoted(folder: str) -> str:
    return f'"{encode(folder).decode()}"'


def _uid_of(part: tuple[bytes, bytes]) -> bytes:
    found = re.search(rb"\bUID (\d+)", part[0])
    assert found is not None, part[0]
    return found[1]
