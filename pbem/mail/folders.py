"""Moving letters to another folder: what the server calls it, whether it is there, and what to do without MOVE."""

import imaplib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

_REFUSED = re.compile(r" failed: | command error: BAD ")  # imapclient's words for NO, imaplib's for BAD


def is_refusal(error: BaseException) -> bool:
    """Return whether the server has answered NO or BAD, so that the conversation is still in step."""
    lost = isinstance(error, imaplib.IMAP4.abort) or not isinstance(error, imaplib.IMAP4.error)
    return not lost and bool(_REFUSED.search(str(error)))


def still_there(client: Any, uids: Sequence[int]) -> list[int]:  # noqa: ANN401 - imapclient has no types
    """Return those of *uids* that the selected folder still has, ascending."""
    if not uids:
        return []
    client.noop()  # servers tell what others have removed only when asked
    return sorted(set(client.search(["UID", ",".join(map(str, uids))])).intersection(uids))


def find_folder(client: Any, folder: str) -> str:  # noqa: ANN401
    """
    Return the server's name of *folder*, which is made if it is missing.

    Shape:  *folder* has `/` between its levels; the name has the server's separator and stands in its namespace.
    Raises: imaplib's errors; `is_refusal` tells whether the server has merely said no.
    """
    names = _names(client, folder)
    for name in names:
        if client.folder_exists(name):
            return name
    for name in names[:-1]:
        with _unless_refused():
            return _made(client, name)
    return _made(client, names[-1])


def move_letters(client: Any, uids: Sequence[int], folder: str, *, may_delete: bool) -> None:  # noqa: ANN401
    """
    Move *uids* to the folder that the server calls *folder*; those already gone are no error.

    Shape:  *may_delete* tells whether the selected folder takes delete marks.
    Raises: imaplib's errors; `is_refusal` tells whether the server has merely said no.
    """
    try:
        _move(client, uids, folder, may_delete=may_delete)
    except imaplib.IMAP4.error as error:
        if not is_refusal(error):
            raise
        left = still_there(client, uids)
        if len(left) == len(uids):
            raise
        if left:
            move_letters(client, left, folder, may_delete=may_delete)


def _move(client: Any, uids: Sequence[int], folder: str, *, may_delete: bool) -> None:  # noqa: ANN401
    """
    Move by MOVE, else by COPY, delete mark and UID EXPUNGE.

    Without UIDPLUS the mark stays: a bare EXPUNGE could remove what others marked. Where no mark can be set nothing is
    copied either: the next pass would copy it again.
    """
    if client.has_capability("MOVE"):
        client.move(uids, folder)
        return
    if not may_delete:
        raise imaplib.IMAP4.error(r"copy failed: there is no MOVE, and this folder takes no \Deleted")
    client.copy(uids, folder)
    client.add_flags(uids, [rb"\Deleted"], silent=True)
    if client.has_capability("UIDPLUS"):
        client.uid_expunge(uids)


def _made(client: Any, name: str) -> str:  # noqa: ANN401
    client.create_folder(name)
    with _unless_refused():
        client.subscribe_folder(name)
    return name


def _names(client: Any, folder: str) -> list[str]:  # noqa: ANN401
    """Return what the server may call *folder*: as its namespace says, else at the top, else below INBOX."""
    if client.has_capability("NAMESPACE"):
        with _unless_refused():
            personal = client.namespace().personal
            prefix, separator = personal[0] if personal else ("", "/")
            name = folder.replace("/", separator or "/")
            return [name if name.startswith(prefix) else prefix + name]
    separator = "/"
    with _unless_refused():
        separator = next((told.decode("ascii") for _, told, _ in client.list_folders("", "") if told), "/")
    name = folder.replace("/", separator)
    return [name, f"INBOX{separator}{name}"]


@contextmanager
def _unless_refused() -> Iterator[None]:
    """Go on after this block if the server says no to it."""
    try:
        yield
    except imaplib.IMAP4.error as error:
        if not is_refusal(error):
            raise
