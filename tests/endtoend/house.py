"""An installation with its own settings and store, and the people who play at it."""

import json
import smtplib
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from pathlib import Path
from typing import Any

import tests.contract.titles  # noqa: F401 - puts the test title on the list
from pbem.clock import utc_now
from pbem.demo.bots import choices
from pbem.mail.letter import Letter, read_letter
from pbem.service import Service, open_service
from pbem.settings import load_settings
from pbem.store import games, letters, outbox
from pbem.store.letters import Stored
from pbem.store.outbox import Posted
from pbem.tick import PARTS, run_pass
from tests.endtoend.outside import HOST, Outside, address_of
from tests.endtoend.phone import Phone
from tests.pbem.ready import lay_store
from tests.pbem.witness import Ran, pbem_run
from tests.servers import PASSWORD

SETTINGS = """
[mail]
address = "{address}"
name = "Test post"
plus = "{plus}"
shared = {shared}
[gm]
address = "{gm}"
digest = ""
[imap]
host = "{host}"
port = {imap}
tls = "{imap_tls}"
user = "{address}"
password = "{imap_password}"
[smtp]
host = "{host}"
port = {smtp}
tls = "{smtp_tls}"
user = "{address}"
password = "{smtp_password}"
[store]
url = "sqlite:///{number}/pbem.db"
[play]
hold = "{hold}"
"""

SEED = "07" * 32


class Person:
    """Somebody with a mailbox: reads what came, and answers as a mail client does."""

    def __init__(self, outside: Outside, name: str, address: str, language: str = "en") -> None:
        self.outside, self.name, self.address, self.language = outside, name, address, language
        self.read: list[Letter] = []

    def mails(self) -> list[Letter]:
        """Return the mails that came since he looked last."""
        with Phone(self.outside, self.address) as phone:
            fresh = [read_letter(raw) for raw in phone.read(phone.look_into()[len(self.read) :])]
        self.read += fresh
        return fresh

    def mail(self) -> Letter:
        """Return the one mail that came."""
        fresh = self.mails()
        assert len(fresh) == 1, [one.subject for one in fresh]
        return fresh[0]

    def reply(self, text: str, to: Letter | None = None) -> EmailMessage:
        """Return an answer to the newest mail, or to *to*, that quotes it."""
        mail = to or self.read[-1]
        letter = self.letter(text, mail.reply_to.address or mail.sender.address)
        letter["In-Reply-To"] = letter["References"] = mail.message_id
        quoted = "\n".join(f"> {line.text}" for line in mail.lines)
        letter.set_content(f"{text}\n\nOn Mon, 30 Nov 2026 at 09:12, Test post <pbem@pbem.test> wrote:\n{quoted}\n")
        return letter

    def letter(self, text: str, to: str) -> EmailMessage:
        """Return a letter that answers nothing."""
        letter = EmailMessage(policy=SMTP)
        letter["From"], letter["To"], letter["Subject"] = self.address, to, "hello"
        letter["Message-ID"] = make_msgid(domain="players.test")
        letter.set_content(f"{text}\n")
        return letter

    def post(self, *letters: EmailMessage) -> None:
        """Send letters in one go, and wait until they have arrived."""
        send_raw(self.outside, [(self.address, str(one["To"]), one.as_bytes()) for one in letters])

    def tells(self, other: "Person", *texts: str) -> None:
        """Send *other* messages by us, a letter each, in one go."""
        self.post(*(self.reply(f"tell {other.name}: {text}") for text in texts))

    def heard(self, *texts: str) -> list[int]:
        """Return how often each of *texts* was told to him, in all his mails."""
        self.mails()
        lines = [line.text for mail in self.read for line in mail.lines]
        return [sum(line.endswith(text) for line in lines) for text in texts]

    def says(self, text: str) -> None:
        """Answer the newest mail with *text*."""
        self.post(self.reply(text))

    def plays(self) -> None:
        """Answer the newest mail that asks something with its last choice: by number, or in Portuguese by words."""
        self.mails()
        asking = next((one for one in reversed(self.read) if choices(one)), None)
        if asking is not None:
            number, words = choices(asking)[-1]
            self.post(self.reply(words if self.language == "pt" else str(number), asking))


class House:
    """
    One installation, number *number* below *folder*; *role* begins its address, *settings* fill in SETTINGS.

    What the houses share lies in *folder*: the key, the words, the compiled templates.
    """

    def __init__(self, folder: Path, number: int, outside: Outside, role: str = "pbem", **settings: object) -> None:
        self.outside, self.number = outside, number
        self.address = address_of(role, number)
        self.gm = Person(outside, "Gil", address_of("gm", number))
        self.ana = Person(outside, "Ana", address_of("ana", number), "pt")
        self.bob = Person(outside, "Bob", address_of("bob", number))
        self.file = folder / f"{number}.toml"
        (folder / str(number)).mkdir()
        self.write(**settings)
        self.service: Service = open_service(load_settings(self.file, {}))
        lay_store(self.service.store)

    def write(self, **settings: object) -> None:
        """Write the settings anew."""
        values = {
            "host": HOST, "number": self.number, "address": self.address, "gm": self.gm.address,
            "imap": self.outside.imap, "imap_tls": "none", "imap_password": PASSWORD,
            "smtp": self.outside.smtp, "smtp_tls": "none", "smtp_password": PASSWORD,
            "plus": "auto", "shared": "false", "hold": "0",
        }  # fmt: skip
        self.file.write_text(SETTINGS.format(**values | settings))

    def close(self) -> None:
        """Let go of the store."""
        self.service.store.close()

    def run(self, *words: str) -> Ran:
        """Run the command line in this process, and wait until what it sent has arrived."""
        ran = pbem_run("--config", str(self.file), *words)
        self.outside.settle()
        return ran

    def tick(self) -> dict[str, int]:
        """Run a pass that must come to its end; return its counts."""
        ran = self.run("tick", "--json")
        assert ran.code == 0, ran.out + ran.err
        assert [] == [one.error for one in (*self.letters(), *self.mails()) if "Traceback" in one.error]
        return dict(ran.json)

    def tick_after(self, time: timedelta) -> None:
        """Run a pass as if *time* had gone by."""
        run_pass(self.service, PARTS, lambda: utc_now() + time)
        self.outside.settle()

    def new_game(self, title: str = "bids", *, start: bool = True, bob: str = "") -> None:
        """Open a game of Ana and Bob, who may have another address, run a pass, and let them read what came."""
        seats = (f"Ana <{self.ana.address}> pt Europe/Lisbon", f"Bob <{bob or self.bob.address}> en")
        words = [word for seat in seats for word in ("--seat", seat)]
        opened = self.run("game", "new", title, "--seed", SEED, *words, *(["--start"] if start else []))
        assert opened.code == 0, opened.err
        self.tick()
        self.ana.mails()
        self.bob.mails()

    def letters(self) -> list[Stored]:
        """Return all letters as they are kept."""
        with self.service.store.read() as session:
            return letters.list_letters(session, limit=1000)

    def judged(self) -> Counter[str]:
        """Return how many letters are in which state, with the reason where they are not done."""
        return Counter(one.status if one.status == "done" else f"{one.status} {one.reason}" for one in self.letters())

    def mails(self) -> list[Posted]:
        """Return all mails as they are kept."""
        with self.service.store.read() as session:
            return outbox.list_mails(session, limit=1000)

    def moves(self) -> list[str]:
        """Return the entries of the players as `SEAT TEXT`."""
        with self.service.store.read() as session:
            log = [one.entry for one in games.read_log(session, 1)]
        return [f"{one.seat} {one.text}" for one in log if one.seat >= 0]

    def verified(self) -> dict[str, Any]:
        """Return what `game verify` finds."""
        ran = self.run("game", "verify", "1", "--json")
        return json.loads(ran.out)


def send_raw(outside: Outside, sendings: Iterable[tuple[str, str, bytes]]) -> None:
    """Send letters (from, to, bytes) over one connection as they are, and wait until they have arrived."""
    with smtplib.SMTP(HOST, outside.smtp, timeout=30) as server:
        for sender, recipient, raw in sendings:
            options = [] if raw.isascii() else ["BODY=8BITMIME"]
            server.sendmail(sender, [recipient], raw, options)
    outside.settle()
