"""What every pass works with: settings, store, the secret key of the tags, and where own templates lie."""

import errno
import os
import secrets
from pathlib import Path

from msgspec import Struct

from pbem.errors import Refused, TryLater
from pbem.settings import Settings
from pbem.store.base import Store, sqlite_path

KEY_BYTES = 32
KEY_FILE = "pbem.key"
LOCK_FILE = "pbem.lock"
FULL = (errno.ENOSPC, errno.EDQUOT)


class Service(Struct, frozen=True):
    """
    One installation.

    `key`  the secret that tags are made with; it shows nowhere
    """

    settings: Settings
    store: Store
    key: bytes

    def __repr__(self) -> str:
        """Return whose service it is."""
        return f"Service({self.settings.mail.address})"

    @property
    def mailbox_name(self) -> str:
        """Return the name under which the store keeps how far the mailbox was read."""
        return self.settings.imap.user or self.settings.mail.address

    @property
    def own_templates(self) -> Path | None:
        """Return the game master's own templates, if there are any."""
        folder = self.settings.folder / "templates"
        return folder if folder.is_dir() else None

    @property
    def compiled_templates(self) -> Path:
        """Return the folder in which compiled templates are kept from pass to pass."""
        return self.settings.store.state / "templates"

    @property
    def lock_path(self) -> Path:
        """Return the file that a pass locks: beside a SQLite database, else in the state folder."""
        database = sqlite_path(self.store.url)
        folder = self.settings.store.state if database is None else database.parent
        return folder / LOCK_FILE


def open_service(settings: Settings) -> Service:
    """
    Return the service of *settings*, with the store as it is.

    Raises: what `load_key` raises.
    """
    key = load_key(settings.store.state)  # first: it makes the folder in which the store may lie
    return Service(settings, Store(settings.store.url), key)


def load_key(folder: Path) -> bytes:
    """
    Return the key of the folder, made there (0600) if there is none.

    Raises: Refused `key.unreadable`; TryLater `store.down` where the disk is full.
    """
    path = folder / KEY_FILE
    try:
        key = path.read_bytes() if path.exists() else _make_key(path)
    except OSError as error:
        if error.errno in FULL:
            raise TryLater("store.down", detail=str(error)) from error
        raise Refused("key.unreadable", file=str(path), reason=error.strerror or "") from error
    if len(key) != KEY_BYTES:
        raise Refused("key.unreadable", file=str(path), reason="length")
    return key


def _make_key(path: Path) -> bytes:
    """Return a new key, on the disk before it has its name: a process that dies leaves no half key."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(secrets.token_bytes(KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    fresh.rename(path)
    return path.read_bytes()
