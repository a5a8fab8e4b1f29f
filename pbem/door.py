"""
Letters that prove no seat and ask for one, or for the list of open games.

They are answered at the address that they claim to come from, or, where that is known, at the registered one: with one
question, or with the list. Nothing else follows from them. How many answers go out is limited, because an address may
be forged, and who owns it did not write.
"""

from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.desk.calling import clean_name
from pbem.desk.wishes import Wish
from pbem.desk.words import guest_name
from pbem.entering import Claim, ask
from pbem.errors import Refused
from pbem.inquiry import wish_of
from pbem.live import Live, take_up
from pbem.lobby import open_games, takes_players, why_closed
from pbem.mail.addresses import is_address, is_box
from pbem.mail.letter import Letter
from pbem.post.facts import Fact
from pbem.post.strangers import plain_facts, post_stranger
from pbem.service import Service
from pbem.store import letters, outbox, people
from pbem.store.base import Session
from pbem.store.letters import WISH, Stored

DAY = timedelta(days=1)
MOST_OF_ADDRESS = 3
"""Answers a day to one address."""
MOST_OF_DOMAIN = 40
"""Answers a day to the addresses of one domain; what comes beyond that is held for the game master."""
MOST_OF_ALL = 100
"""Answers a day to all."""

MANY = f"{WISH}many"


class Answer(Struct, frozen=True):
    """What became of a letter: its status and reason, the place that it is about, and whether it was answered."""

    status: str
    reason: str
    game: int | None = None
    seat: Seat | None = None
    answered: bool = False


def answer_wish(session: Session, service: Service, stored: Stored, letter: Letter, now: datetime) -> Answer:
    """Return what became of a letter that proves no seat and asks for what nobody needs one for."""
    wish = wish_of(session, service, letter)
    address = letter.sender.address
    if wish is None or not is_address(address) or is_box(address, service.settings.mail.address):
        return Answer("dropped", f"{WISH}address")
    if not stored.reason:  # the game master did not let it in
        held = _too_many(session, address, now)
        if held is not None:
            if held.status == "held" and not letters.was_held_for(session, MANY, now - DAY):
                fields = {"letter": stored.id, "reason": MANY}
                outbox.add_notice(session, None, GM, "alert.held", fields, now, urgent=True)
            return held
    live = _wanted(session, wish)
    if wish.game and live is not None and takes_players(live.game):
        return _ask(session, service, live, wish, letter, now)
    if wish.game:
        why = "unknown" if live is None else why_closed(live.game)
        told = _fact("lobby.closed", game=wish.game, why=why, games=open_games(session))
    else:
        told = _fact("lobby.games", games=open_games(session))
    _tell(session, service, address, wish.language, told, now)
    return Answer("done", f"{WISH}list", answered=True)


def _fact(key: str, **fields: Any) -> Fact:  # noqa: ANN401 - values as JSON keeps them
    return Fact(key, tuple(fields.items()))


def _too_many(session: Session, address: str, now: datetime) -> Answer | None:
    """Return what becomes of a letter that is one too many, None for any other."""
    since, domain = now - DAY, address.rpartition("@")[2]
    if letters.count_wishes(session, since, sender=address) >= MOST_OF_ADDRESS:
        return Answer("dropped", f"{WISH}again")
    if (
        letters.count_wishes(session, since, domain=domain) >= MOST_OF_DOMAIN
        or letters.count_wishes(session, since) >= MOST_OF_ALL
    ):
        return Answer("held", MANY)
    return None


def _wanted(session: Session, wish: Wish) -> Live | None:
    """Return the game that is asked for; None for none, or one that there is not."""
    try:
        return take_up(session, wish.game) if wish.game else None
    except Refused:
        return None


def _ask(session: Session, service: Service, live: Live, wish: Wish, letter: Letter, now: datetime) -> Answer:
    own, play = service.own_templates, service.settings.play
    language = wish.language or play.language
    known = people.find_person(session, letter.sender.address)
    shown = letter.sender.name if known is None else known.name
    name = wish.name or clean_name(shown, own) or guest_name(language, own)
    claim = Claim(letter.sender.address, name, language, str(play.timezone), wish.word)
    became, seat = ask(session, live, claim, now)
    status = "done" if became in ("asked", "known") else "dropped"
    return Answer(status, f"{WISH}{became}", live.game.id, seat, answered=status == "done")


def _tell(session: Session, service: Service, address: str, language: str, told: Fact, now: datetime) -> None:
    person = people.find_person(session, address)
    facts = plain_facts(service, address if person is None else person.address, (told,), now)
    spoken = language if person is None else person.language
    post_stranger(session, service, replace(facts, language=spoken or facts.language), now)
