"""What is done by hand with letters that are held, and with mails that did not go."""

from datetime import datetime, timedelta
from typing import Literal

from pbem.errors import Refused
from pbem.store import games, letters, outbox
from pbem.store.base import Session
from pbem.store.games import Act
from pbem.store.letters import Stored
from pbem.store.outbox import Posted

What = Literal["letter", "mail"]


def find(session: Session, what: What, number: int) -> Stored | Posted:
    """
    Return the letter, or the mail of ours, with that number.

    Raises: Refused `mail.unknown`.
    """
    found = letters.get_letter(session, number) if what == "letter" else outbox.get_mail(session, number)
    if found is None:
        raise Refused("mail.unknown", what=what, number=number)
    return found


def release(session: Session, number: int, now: datetime, who: str = "gm") -> None:
    """
    Let a held letter be judged again.

    Raises: Refused `mail.unknown`, `mail.state`.
    """
    one = find(session, "letter", number)
    _want(one, "letter", "held")
    confirmed = "confirmed" if isinstance(one, Stored) and one.reason == "tag.missing" else "released"
    letters.change_letter(session, number, status="new", reason=confirmed, tries=0)
    _record(session, one, "letter.release", now, who)


def drop(session: Session, what: What, number: int, now: datetime, who: str = "gm") -> None:
    """
    Give up a held letter, or a mail that was not sent.

    Raises: Refused `mail.unknown`, `mail.state`.
    """
    one = find(session, what, number)
    if what == "letter":
        _want(one, what, "held", "new")
        letters.change_letter(session, number, status="dropped", reason="gm")
    else:
        _want(one, what, "ready", "failed", "refused", "uncertain")
        outbox.change_mail(session, number, status="dropped")
    _record(session, one, f"{what}.drop", now, who)


def retry(session: Session, number: int, now: datetime, who: str = "gm") -> None:
    """
    Send a mail again that was given up, or put off; one that could not be composed is composed anew.

    Raises: Refused `mail.unknown`, `mail.state`.
    """
    one = find(session, "mail", number)
    _want(one, "mail", "failed", "refused", "uncertain", "ready", "dropped")
    if one.raw:
        at_once = now - timedelta(seconds=1)
        outbox.change_mail(session, number, status="ready", next_try_at=at_once, error="", uncertain=0)
    else:
        outbox.tell_again(session, number)
        outbox.change_mail(session, number, status="dropped")
    _record(session, one, "mail.retry", now, who)


def _want(one: Stored | Posted, what: What, *statuses: str) -> None:
    if one.status not in statuses:
        raise Refused("mail.state", what=what, number=one.id, status=one.status)


def _record(session: Session, one: Stored | Posted, what: str, now: datetime, who: str) -> None:
    games.add_act(session, Act(who, what, {"number": one.id}, now, one.game))
