"""
A table to play at in tests: the service with a real store, and our own in-memory ports in place of the network.

Time stands still until a test moves it. Players write letters as mail clients do, and read what was sent to them.
"""

import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from msgspec import Struct, structs

from engine.core.dice import demo_seed
from engine.core.types import Seat
from pbem.dispatch import send
from pbem.intake import fetch
from pbem.live import Live, take_up
from pbem.mail.errors import LetterGone, MailboxDown, MailboxError, MailboxReadOnly, SmtpDown
from pbem.mail.letter import Letter, read_letter
from pbem.mail.ports import Delivery, Fetched, Head
from pbem.opening import GameOffer, SeatOffer, open_game
from pbem.outage import watch_reading
from pbem.referee import judge_all
from pbem.service import Service, open_service
from pbem.settings import load_settings
from pbem.store import games, letters, outbox, people
from pbem.store.games import Late
from pbem.timekeeper import keep_time
from tests.pbem.ready import BIDS_WORDS, lay_store, shared_home

OUR = "pbem@pbem.test"
START = datetime(2026, 3, 2, 12, tzinfo=UTC)

SETTINGS = """
[mail]
address = "pbem@pbem.test"
name = "Test post"
plus = "{plus}"
pictures = "{pictures}"
shared = {shared}
[gm]
address = "gm@pbem.test"
digest = "{digest}"
[imap]
host = "127.0.0.1"
tls = "none"
user = "pbem@pbem.test"
password = "x"
[smtp]
host = "127.0.0.1"
tls = "none"
max_per_minute = {per_minute}
[play]
hold = "0"
"""


class MemoryMailbox:
    """
    A mailbox that holds its letters in memory, and the troubles of a real one.

    `broken`     letters at which the connection is lost whenever they are loaded
    `headless`   likewise when their headers are
    `vanishing`  letters that are found, and gone when they are loaded
    `locked`     no letter can be moved
    `gone`       no connection can be made; the one that is there is lost
    """

    def __init__(self) -> None:
        self.uidvalidity = 1
        self.inbox: dict[int, tuple[datetime, bytes]] = {}
        self.moved: dict[str, list[int]] = {}
        self.last = 0
        self.broken: set[int] = set()
        self.headless: set[int] = set()
        self.vanishing: set[int] = set()
        self.locked = self.gone = self.lost = False
        self.opened = 0
        self.loaded: list[int] = []

    def drop_in(self, raw: bytes, when: datetime) -> int:
        """Let a letter arrive, and return its UID."""
        self.last += 1
        self.inbox[self.last] = (when, raw)
        return self.last

    def renumber(self) -> None:
        """Number all letters anew, as a server does that was restored."""
        self.uidvalidity += 1
        self.inbox = dict(enumerate(self.inbox.values(), 1))
        self.last = len(self.inbox)

    def open(self) -> None:
        """Connect anew."""
        if self.gone:
            raise MailboxDown("IMAP: cannot connect")
        self.lost = False
        self.opened += 1

    def close(self) -> None:
        """Do nothing."""

    def new_uids(self, after: int) -> list[int]:
        """Return the UIDs after *after*."""
        self._answer()
        return [uid for uid in sorted(self.inbox) if uid > after]

    def heads(self, uids: Sequence[int]) -> list[Head]:
        """Return the heads of *uids*."""
        self._answer(self.headless, uids)
        found = [(uid, *self.inbox[uid]) for uid in uids if uid in self.inbox]
        return [Head(uid, len(raw), when, raw.partition(b"\n\n")[0]) for uid, when, raw in found]

    def fetch(self, uid: int) -> Fetched:
        """Return one letter."""
        self._answer(self.broken, [uid])
        if uid in self.vanishing or uid not in self.inbox:
            self.inbox.pop(uid, None)
            raise LetterGone(str(uid))
        when, raw = self.inbox[uid]
        self.loaded.append(uid)
        return Fetched(uid, self.uidvalidity, len(raw), when, raw)

    def fetch_many(self, uids: Sequence[int]) -> Iterator[Fetched]:
        """Yield letters, all loaded before the first."""
        self._answer(self.broken, uids)
        found = []
        for uid in uids:
            with suppress(LetterGone):
                found.append(self.fetch(uid))
        yield from found

    def move(self, uid: int, folder: str) -> None:
        """Move a letter."""
        self.move_many([uid], folder)

    def move_many(self, uids: Sequence[int], folder: str) -> None:
        """Move letters."""
        self._answer()
        if self.locked:
            raise MailboxReadOnly("IMAP: move: the folder is full")
        for uid in uids:
            if self.inbox.pop(uid, None) is not None:
                self.moved.setdefault(folder, []).append(uid)

    def _answer(self, deadly: Collection[int] = (), uids: Sequence[int] = ()) -> None:
        """Answer, unless the connection is lost, or is lost now because one of *uids* is *deadly*."""
        self.lost = self.lost or self.gone or not set(uids).isdisjoint(deadly)
        if self.lost:
            raise MailboxDown("IMAP: the connection was lost")


class MemoryServer:
    """
    An outgoing server that keeps what it takes; `answers` are given instead, in order, to an address.

    An answer `uncertain` means that it took the mail all the same. While `down`, it cannot be reached.
    """

    def __init__(self) -> None:
        self.taken: list[tuple[str, bytes]] = []
        self.answers: dict[str, list[Delivery]] = {}
        self.down = False

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
        """Take a mail, or give the next answer set for *recipient*."""
        assert envelope_from == OUR
        if self.down:
            raise SmtpDown("nobody listens")
        waiting = self.answers.get(recipient)
        answer = waiting.pop(0) if waiting else Delivery("ok", 250, "taken")
        if answer.outcome in ("ok", "uncertain"):
            self.taken.append((recipient, raw))
        return answer


class Person(Struct):
    """A player of the table: his address, and how many of his mails he has read."""

    name: str
    address: str
    read: int = 0


class Table:
    """One installation with one game."""

    def __init__(
        self,
        folder: Path,
        *seats: str,
        title: str = "bids",
        clock: str = "24h + 10d",
        hold: str = "0",
        start: bool = True,
        number: int = 7,
        options: Mapping[str, str] | None = None,
        plus: str = "no",
        shared: bool = False,
        per_minute: int = 0,
        pictures: str = "none",
        late: Late = "default",
        misses: int = 0,
        digest: str = "",
        own_words: bool = False,
    ) -> None:
        """Open the game; a seat is "Ana pt", "Bob en" or "bot:random". *own_words*: templates of its own."""
        text = SETTINGS.format(
            plus=plus, pictures=pictures, shared=str(shared).lower(), per_minute=per_minute, digest=digest
        )
        (folder / "pbem.toml").write_text(text)
        self.folder = folder
        self.service: Service = open_service(load_settings(folder / "pbem.toml", {}))
        lay_store(self.service.store)
        if own_words:
            shutil.copytree(BIDS_WORDS, folder / "templates" / "words")
        else:
            self._share_words()
        self.mailbox, self.server = MemoryMailbox(), MemoryServer()
        self.now = START
        self.letters = 0
        self.may_fail = False
        self.people: dict[str, Person] = {}
        offers = [self._offer(seat) for seat in seats]
        from pbem.clock import parse_duration  # noqa: PLC0415

        offer = GameOffer(
            title,
            tuple(offers),
            tuple((options or {}).items()),
            clock=clock,
            hold=parse_duration(hold),
            seed=demo_seed(number),
            message="Welcome!",
            late=late,
            misses=misses,
        )
        with self.service.store.write() as session:
            self.game = open_game(session, offer, self.now, start=start).game.id

    def _share_words(self) -> None:
        """Read words that were compiled for another table of this process: here, and on the command line."""
        home = shared_home()
        (self.folder / "templates").symlink_to(home / "templates")
        settings = self.service.settings
        store = structs.replace(settings.store, state=home)
        self.service = structs.replace(self.service, settings=structs.replace(settings, folder=home, store=store))

    def _offer(self, seat: str) -> SeatOffer:
        if seat.startswith("bot:"):
            return SeatOffer("Robot", bot=seat.partition(":")[2])
        name, language = seat.split()
        self.people[name] = Person(name, f"{name.lower()}@players.test")
        return SeatOffer(name, self.people[name].address, language, "UTC")

    def limit(self, letters_per_hour: int) -> None:
        """Judge no more letters of a seat in an hour."""
        settings = self.service.settings
        mail = structs.replace(settings.mail, letters_per_hour=letters_per_hour)
        self.service = structs.replace(self.service, settings=structs.replace(settings, mail=mail))
        text = (self.folder / "pbem.toml").read_text()
        (self.folder / "pbem.toml").write_text(text.replace("[gm]", f"letters_per_hour = {letters_per_hour}\n[gm]"))

    def close(self) -> None:
        """Let go of the store."""
        self.service.store.close()

    def tick(self, *, after: timedelta = timedelta(minutes=1), dead: bool = False) -> Counter[str]:
        """Let time pass and run one pass; return its counts. Meanwhile mail was read as ever, unless we were *dead*."""
        self.now += after
        if not dead and not self.mailbox.gone:
            self._read_meanwhile()
        watch_reading(self.service, self.now)
        counts: Counter[str] = Counter()
        with suppress(MailboxError):
            counts["fetched"] = fetch(self.service, self.mailbox, self.now)
        watch_reading(self.service, self.now, tried=True)
        counts.update(judge_all(self.service, self.now))
        counts["timed"] = keep_time(self.service, self.now)
        with suppress(SmtpDown):
            send(self.service, self.server, self.now, counts=counts)
        for one in [*self.posted(), *self.stored()]:
            assert "Traceback" not in one.error or self.may_fail, one.error
        return counts

    def _read_meanwhile(self) -> None:
        """Note that the mailbox was read to its end a minute ago, as it is by every pass, unless a gap is open."""
        with self.service.store.read() as session:
            mailbox = letters.get_mailbox(session, self.service.mailbox_name)
            is_open = '"since"' in people.get_finding(session, "reading")
        before = self.now - timedelta(minutes=1)
        if mailbox is not None and mailbox.good_at is not None and mailbox.good_at < before and not is_open:
            with self.service.store.write() as session:
                letters.save_mailbox(session, structs.replace(mailbox, good_at=before, pace=60))

    def mails(self, name: str) -> list[Letter]:
        """Return the mails to *name* that he has not read yet."""
        person = self.people[name]
        all_mails = [read_letter(raw) for to, raw in self.server.taken if to == person.address]
        fresh = all_mails[person.read :]
        person.read = len(all_mails)
        return fresh

    def mail(self, name: str) -> Letter:
        """Return the one new mail to *name*."""
        fresh = self.mails(name)
        assert len(fresh) == 1, [one.header("X-PBEM-Kind") for one in fresh]
        return fresh[0]

    def last(self, name: str) -> Letter:
        """Return the newest mail to *name*, read or not."""
        address = self.people[name].address
        return read_letter([raw for to, raw in self.server.taken if to == address][-1])

    def to_gm(self) -> list[Letter]:
        """Return all mails to the game master."""
        return [read_letter(raw) for to, raw in self.server.taken if to == "gm@pbem.test"]

    def reply(self, name: str, text: str, *, to: Letter | None = None, **headers: str) -> EmailMessage:
        """Return a letter of *name* that answers his newest mail, or *to*, quoting it."""
        mail = to or self.last(name)
        quoted = "\n".join(f"> {line.text}" for line in mail.lines)
        return self.letter(
            self.people[name].address,
            f"{text}\n\nOn Monday the game wrote:\n{quoted}\n",
            **{
                "To": mail.reply_to.address or OUR,
                "Subject": f"Re: {mail.subject}",
                "In-Reply-To": mail.message_id,
                "References": mail.message_id,
            }
            | {key.replace("_", "-"): value for key, value in headers.items()},
        )

    def letter(self, sender: str, body: str, **headers: str) -> EmailMessage:
        """Return a letter."""
        self.letters += 1
        message = EmailMessage()
        values = {
            "From": sender,
            "To": OUR,
            "Subject": "hello",
            "Message-ID": f"<letter{self.letters}@players.test>",
        } | headers
        for key, value in values.items():
            message[key] = value
        message.set_content(body)
        return message

    def post(self, message: EmailMessage | bytes, *, when: datetime | None = None) -> None:
        """Let a letter arrive in our mailbox."""
        raw = message if isinstance(message, bytes) else message.as_bytes()
        self.mailbox.drop_in(raw, when or self.now)

    def says(self, name: str, text: str, **headers: str) -> Counter[str]:
        """Let *name* answer his newest mail with *text*, and run a pass."""
        self.post(self.reply(name, text, **headers))
        return self.tick()

    def live(self) -> Live:
        """Return the game as it is stored."""
        with self.service.store.read() as session:
            return take_up(session, self.game)

    def log(self) -> list[str]:
        """Return the entries as `SEAT TEXT`."""
        with self.service.store.read() as session:
            return [f"{one.entry.seat} {one.entry.text}" for one in games.read_log(session, self.game)]

    def moves(self) -> list[str]:
        """Return the entries of persons' seats."""
        return [one for one in self.log() if not one.startswith("-")]

    def stored(self) -> list[letters.Stored]:
        """Return all letters as they are kept."""
        with self.service.store.read() as session:
            return letters.list_letters(session)

    def posted(self) -> list[outbox.Posted]:
        """Return all mails as they are kept."""
        with self.service.store.read() as session:
            return outbox.list_mails(session)

    def hand(self, name: str) -> tuple[int, ...]:
        """Return the secret cards of *name* in the test title."""
        seat = list(self.people).index(name)
        hand: tuple[int, ...] = self.live().ruleset.view(self.live().position.state, Seat(seat)).hand
        return hand


def text_of(mail: Letter) -> str:
    """Return the text part of *mail*."""
    return "\n".join(line.text for line in mail.lines)
