"""
The world around a process, as plain files: what outlives a process that is killed.

A folder holds the store, the letters of the mailbox (`INBOX`, `Processed`) and the mails that the outgoing server took;
a world is saved and put back by copying it. `DiskMailbox` and `DiskServer` are the ports to it. Each of their steps
calls *point* with what is about to happen and what has happened, so that a process can die there.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from msgspec import Struct

from pbem.mail.errors import LetterGone, MailboxDown, SmtpDown
from pbem.mail.ports import Delivery, Fetched, Head

CAP = 1 << 16
"""Bytes of a letter that are loaded; real mailboxes give more, the store of a test is to stay small."""

Point = Callable[[str, str], None]
"""Told a kind of step, and `before` or `after`."""


class Weather(Struct, frozen=True):
    """
    How the servers are for the time of one pass, the same for each of its repetitions.

    `answers`  by address: `later` (450), `refused` (550), or `lost`: the server takes the mail, its answer is lost
    """

    imap_down: bool = False
    smtp_down: bool = False
    answers: tuple[tuple[str, str], ...] = ()

    @property
    def troubled(self) -> bool:
        """Return whether a server is away."""
        return self.imap_down or self.smtp_down


class World:
    """
    One world in *folder*; a letter keeps its uid as its name, and when it came as the time of its file.

    The store lies on *disk*, which is a folder in *folder* if it is not another one.
    """

    def __init__(self, folder: Path, disk: Path | None = None) -> None:
        self.folder = folder
        self.disk = disk or folder / "disk"
        self.store = self.disk / "pbem.db"
        self.sent = folder / "sent"

    @property
    def url(self) -> str:
        """Return the URL of the store."""
        return f"sqlite:///{self.store}"

    def make(self) -> Self:
        """Make the folders, and return self."""
        for name in ("INBOX", "Processed", "sent", "disk"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.renumber(1)
        return self

    def renumber(self, uidvalidity: int) -> None:
        """Give the mailbox another UIDVALIDITY."""
        (self.folder / "uidvalidity").write_text(str(uidvalidity))

    def drop_in(self, uid: int, raw: bytes, when: datetime) -> None:
        """Let a letter arrive."""
        path = self.folder / "INBOX" / f"{uid:06d}"
        path.write_bytes(raw)
        os.utime(path, (when.timestamp(), when.timestamp()))

    def lying_in(self, folder: str) -> list[int]:
        """Return the uids of the letters in *folder*."""
        return sorted(int(one.name) for one in (self.folder / folder).iterdir())

    def taken(self) -> list[tuple[str, bytes]]:
        """Return recipient and bytes of every mail that the server took, in its order."""
        return [(one.name.partition(" ")[2], one.read_bytes()) for one in sorted(self.sent.iterdir())]

    def clear_away(self) -> None:
        """Forget the mails and the processed letters, which nobody asks for any more."""
        for name in ("Processed", "sent"):
            for one in (self.folder / name).iterdir():
                one.unlink()

    def copy_to(self, folder: Path, disk: Path | None = None) -> "World":
        """Return a world in *folder* and on *disk*, which are cleared first, that is this one."""
        for one in (folder, *(disk.iterdir() if disk else ())):
            if one.is_dir():
                shutil.rmtree(one)
            else:
                one.unlink(missing_ok=True)
        shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns("disk"))
        shutil.copytree(self.disk, disk or folder / "disk", dirs_exist_ok=True)
        return World(folder, disk)


class DiskMailbox:
    """The mailbox of a world."""

    def __init__(self, world: World, weather: Weather, point: Point) -> None:
        self.world, self.weather, self.point = world, weather, point
        self.inbox = world.folder / "INBOX"
        self.uidvalidity = 0

    @contextlib.contextmanager
    def _step(self, kind: str) -> Iterator[None]:
        self.point(kind, "before")
        if self.weather.imap_down:
            raise MailboxDown("IMAP: cannot connect")
        yield
        self.point(kind, "after")

    def open(self) -> None:
        with self._step("open"):
            self.uidvalidity = int((self.world.folder / "uidvalidity").read_text())

    def close(self) -> None:
        self.point("close", "before")
        self.point("close", "after")

    def new_uids(self, after: int) -> list[int]:
        with self._step("new_uids"):
            return [uid for uid in self.world.lying_in("INBOX") if uid > after]

    def heads(self, uids: Sequence[int]) -> list[Head]:
        with self._step("heads"):
            found = [self._load(uid) for uid in sorted(uids) if self._path(uid).exists()]
            return [Head(one.uid, one.size, one.internaldate, one.raw.partition(b"\n\n")[0]) for one in found]

    def fetch(self, uid: int) -> Fetched:
        with self._step("letter"):
            if not self._path(uid).exists():
                raise LetterGone(str(uid))
            return self._load(uid)

    def fetch_many(self, uids: Sequence[int]) -> Iterator[Fetched]:
        for uid in sorted(uids):
            if self._path(uid).exists():
                yield self.fetch(uid)

    def move(self, uid: int, folder: str) -> None:
        self.move_many([uid], folder)

    def move_many(self, uids: Sequence[int], folder: str) -> None:
        """Move letter by letter, as a server without MOVE does."""
        with self._step("move_many"):
            for uid in uids:
                with self._step("move a letter"), contextlib.suppress(FileNotFoundError):
                    self._path(uid).rename(self.world.folder / folder / f"{uid:06d}")

    def _path(self, uid: int) -> Path:
        return self.inbox / f"{uid:06d}"

    def _load(self, uid: int) -> Fetched:
        raw = self._path(uid).read_bytes()
        when = datetime.fromtimestamp(self._path(uid).stat().st_mtime, UTC)
        return Fetched(uid, self.uidvalidity, len(raw), when, raw[:CAP], len(raw) > CAP)


class DiskServer:
    """The outgoing server of a world; a context manager as `Sender` is."""

    def __init__(self, world: World, weather: Weather, point: Point) -> None:
        self.world, self.weather, self.point = world, weather, point

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
        self.point("hand over", "before")
        if self.weather.smtp_down:
            raise SmtpDown("SMTP: cannot connect")
        answer = dict(self.weather.answers).get(recipient, "taken")
        if answer in ("taken", "lost"):
            number = f"{len(list(self.world.sent.iterdir())):06d}"
            partial = self.world.folder / "part"
            partial.write_bytes(raw)
            partial.rename(self.world.sent / f"{number} {recipient}")
        self.point("hand over", "after")
        return _ANSWERS[answer]

    def check(self) -> None:
        """Do nothing: it is there."""


_ANSWERS: dict[str, Any] = {
    "taken": Delivery("ok", 250, "taken"),
    "later": Delivery("later", 450, "come back later"),
    "refused": Delivery("refused", 550, "no such box"),
    "lost": Delivery("uncertain", 0, "connection lost"),
}
