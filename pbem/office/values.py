"""What the game master's desk works with."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Literal

from msgspec import Struct

from engine.core.types import GM
from pbem.acting import Act, Effect, carry_out
from pbem.desk.mastering import Order
from pbem.journal import forget_since, noted_so_far
from pbem.masters import Master
from pbem.service import Service
from pbem.store import outbox
from pbem.store.base import Session

Outcome = Literal["accepted", "acted", "refused"]


class Office(Struct, frozen=True):
    """
    One letter of a master being served: the transaction, who wrote, and when.

    `letter`  its number
    `mail`    the number of the mail that it answers
    """

    session: Session
    service: Service
    master: Master
    letter: int
    mail: int
    now: datetime

    def tell(self, key: str, /, **fields: Any) -> None:  # noqa: ANN401 - a value of JSON
        """Note a fact for who wrote; `reader` and `letter` tell which mail tells it."""
        routed = {**fields, "reader": self.master.folded, "letter": self.letter}
        outbox.add_notice(self.session, None, GM, key, routed, self.now, urgent=True)

    def act(self, order: Order, act: Act, *, undoing: bool = False) -> Effect:
        """Carry out an act on the game of *order*."""
        return carry_out(self.session, self.service, order.game, act, undoing=undoing)


Serve = Callable[[Office, Order], Outcome]
"""Does what one order asks for, tells who wrote, and gives back what became of it."""


@contextmanager
def rehearsal(session: Session) -> Iterator[None]:
    """Undo at its end what is done within; the rest of the transaction stays."""
    noted = noted_so_far(session)
    with session.begin_nested() as attempt:
        yield
        attempt.rollback()
    forget_since(session, noted)


@contextmanager
def attempt(session: Session) -> Iterator[None]:
    """Undo what is done within if an error leaves it; the rest of the transaction stays."""
    noted = noted_so_far(session)
    try:
        with session.begin_nested():
            yield
    except BaseException:
        forget_since(session, noted)
        raise


def names_told(effect: Effect) -> list[str]:
    """Return who is told of an act, each once."""
    return list(dict.fromkeys(holder.name for holder, _ in effect.told))
