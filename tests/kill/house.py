"""An installation with a game of the test title behind real mail servers, and what can be seen of it."""

from collections import Counter
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from smtplib import SMTP
from typing import Any

from msgspec import Struct

from pbem.mail.letter import Letter, read_letter
from pbem.service import Service
from pbem.store import games, letters, outbox
from tests.kill.director import OUR

SPOOL = "server"
TRY_LATER = 75
ANA, BOB = "ana@players.test", "bob@players.test"


class House(Struct, frozen=True):
    """An installation with a game of the test title, and a way to run passes in it."""

    folder: Path
    service: Service
    game: int
    where: dict[str, Any]
    tick: Callable[..., int]

    def spooled(self, box: str) -> list[Letter]:
        """Return the mails that the server took for *box*."""
        paths = sorted((self.folder / SPOOL).glob(f"*-{box}.eml"))
        return [read_letter(path.read_bytes()) for path in paths]

    def answer(self, box: str, text: str) -> None:
        """Let the player with that address answer his newest mail."""
        asked = self.spooled(box)[-1]
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = box, str(asked.reply_to.address), f"Re: {asked.subject}"
        letter["Message-ID"] = f"<{box}-{len(self.spooled(OUR))}>"
        letter["In-Reply-To"] = letter["References"] = asked.message_id
        letter.set_content(f"{text}\n")
        with SMTP(self.where["host"], self.where["smtp_port"]) as server:
            server.send_message(letter)

    def letters(self) -> Counter[str]:
        """Return how many letters are in which state."""
        with self.service.store.read() as session:
            return Counter(one.status for one in letters.list_letters(session))

    def mails(self) -> Counter[str]:
        """Return how many mails are in which state."""
        with self.service.store.read() as session:
            return Counter(one.status for one in outbox.list_mails(session))

    def entries(self) -> list[str]:
        """Return the players' entries."""
        with self.service.store.read() as session:
            log = [one.entry for one in games.read_log(session, self.game)]
        return [f"{one.seat} {one.text}" for one in log if one.seat >= 0]
