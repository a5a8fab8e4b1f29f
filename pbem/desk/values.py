"""What the desk works with."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from engine.core.types import Seat
from pbem.live import Live
from pbem.mail.letter import Letter
from pbem.mail.quotes import Known, read_known
from pbem.reading import Written
from pbem.service import Service
from pbem.store import outbox
from pbem.store.base import Session
from pbem.store.games import Holder
from pbem.store.letters import Stored
from pbem.store.people import Person

Outcome = Literal["accepted", "kept", "refused"]


class Visit(Struct, frozen=True):
    """
    A letter of a proved seat.

    `decision`  the number in its tag, None for a letter that was confirmed instead
    `echo`      its last letter said the same to the same question: what changes something is not done twice
    """

    letter: Letter
    stored: Stored
    game: int
    seat: Seat
    decision: int | None
    echo: bool = False


class Desk(Struct, frozen=True):
    """One visit being served: the transaction, who came, and when."""

    session: Session
    service: Service
    visit: Visit
    person: Person
    now: datetime

    @property
    def seat(self) -> Seat:
        """Return the seat that wrote."""
        return self.visit.seat

    @property
    def known(self) -> Known:
        """Return the mail that the letter answers, as far as it is known: what stands in it is a quote."""
        mails = outbox.mails_to(self.session, self.visit.game, self.seat)
        ids = set(self.visit.letter.references)
        answered = [one for one in mails if one.message_id in ids]
        answered = answered or [one for one in mails if one.decision == self.visit.decision] or mails[:1]
        return read_known(answered[0].raw) if answered and answered[0].raw else Known()

    def holder(self, live: Live) -> Holder:
        """Return the seat as it stands in *live*."""
        return live.holders[self.visit.seat]

    def tell(self, key: str, /, *, urgent: bool = True, **fields: Any) -> None:  # noqa: ANN401 - a value of JSON
        """Note a fact for the seat that wrote."""
        outbox.add_notice(self.session, self.visit.game, self.seat, key, fields, self.now, urgent=urgent)

    def refuse(self, live: Live, key: str, /, **fields: Any) -> "Served":  # noqa: ANN401 - a value of JSON
        """Note why a command was not served, and leave the game as it is."""
        self.tell(key, **fields)
        return Served(live, outcome="refused")


class Request(Struct, frozen=True):
    """
    One command of a letter.

    `rest`       what stands behind the command's word on its line
    `following`  the lines after it, for commands that take a text
    """

    written: Written
    rest: str
    following: Sequence[Written] = ()


class Served(Struct, frozen=True):
    """What a command led to; `used`: how many of the following lines were its text."""

    live: Live
    used: int = 0
    outcome: Outcome = "accepted"


Command = Callable[[Desk, Live, Request], Served]
