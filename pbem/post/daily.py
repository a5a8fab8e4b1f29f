"""One mail a day instead of one for each game: the news of games in which its reader is asked nothing."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from pbem.notices import ANSWERS, REPLIES
from pbem.post.facts import MailFacts
from pbem.post.gather import gather, kind_of
from pbem.post.strangers import plain_facts
from pbem.service import Service
from pbem.store import outbox, people
from pbem.store.base import Session
from pbem.store.outbox import Noticed
from pbem.store.people import Place

LEAST = 2
"""The news of so many games is worth a mail of its own."""

_ALONE = (
    frozenset(
        {"ask", "clock.reminder", "game.invited", "game.started", "game.rewound", "game.over", "seat.taken"},
    )
    | frozenset(ANSWERS)
    | frozenset(REPLIES)
)
"""What is told in a mail of its game alone."""

_NEWS = ("report", "notice", "press")


def is_news(notices: Sequence[Noticed]) -> bool:
    """Return whether *notices* to one place may be told beside those of other games."""
    return kind_of(notices) in _NEWS and _ALONE.isdisjoint(one.key for one in notices)


def candidates(session: Session, places: Sequence[Place]) -> dict[int, list[Place]]:
    """Return which of *places* may share a mail, by person: where there is news for who wants one mail a day."""
    found: dict[int, list[Place]] = {}
    for place, sleep in people.sleeping_places(session) if len(places) >= LEAST else ():
        if sleep.daily and place in places and is_news(outbox.untold(session, *place)):
            found.setdefault(sleep.person, []).append(place)
    return found


def gather_daily(
    session: Session, service: Service, person: int, places: Sequence[Place], now: datetime
) -> tuple[MailFacts, dict[Place, list[Noticed]]]:
    """
    Return the facts of the one mail to *person*, and the notices that it tells, by place.

    Of *places* those are left out where he still owes an answer: he needs the mail that asks for it.
    """
    notices = {place: outbox.untold(session, *place) for place in places}
    games = {place: gather(session, service, *place, told, now) for place, told in notices.items()}
    games = {place: facts for place, facts in games.items() if facts.ask is None}
    reader = people.get_person(session, person)
    facts = replace(
        plain_facts(service, reader.address, (), now),
        kind="digest",
        language=reader.language,
        zone=reader.zone,
        plain=reader.plain,
        games=tuple(games.values()),
    )
    return facts, {place: notices[place] for place in games}
