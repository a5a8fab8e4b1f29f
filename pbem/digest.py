"""
Once a day one mail to the game master: what has happened since the last one, and what waits longest.

It is noted in one transaction with the day that it is for, so that no pass that dies, and none beside another, tells it
twice; each covers what came since the one before, also where days are missing. A day on which there is nothing to say
has none; that somebody waits is nothing to say by itself, but that a deadline is over is.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct

from engine.core.types import GM, Seat
from pbem.clock import format_moment, parse_time_of_day
from pbem.masters import BY_MAIL, DEPUTY
from pbem.overview import ASKED, LATE, Overview, look_over
from pbem.service import Service
from pbem.settings import Settings
from pbem.store import games, observers, outbox, people, standing
from pbem.store.base import Session

MOST_WAITING = 5
"""Games that are named as those that wait longest."""

_FINDING = "digest"
_DAY = timedelta(days=1)
_ASIDE = "digest.waiting"
"""What goes with the others, and not by itself."""

Told = tuple[str, dict[str, Any]]


class Done(Struct, frozen=True):
    """The last digest: for which day, and up to when it told what happened."""

    day: date
    at: datetime


def note_digest(service: Service, now: datetime) -> None:
    """Note what the game master is to be told today, if it is time, and was not done yet."""
    day = day_of(service.settings, now)
    if day is None:
        return
    with service.store.read() as session:
        if not _is_due(session, day):
            return
    with service.store.write() as session:
        if not _is_due(session, day):
            return
        done = _done(session)
        told = [] if done is None else list(_told(session, service, done.at, now))
        if any(_is_news(one) for one in told):
            for key, fields in told:
                outbox.add_notice(session, None, GM, key, fields, now, urgent=True)
        told_to = now - _DAY if done is None else now  # the first pass of all is no news
        people.set_finding(session, _FINDING, msgspec.json.encode(Done(day, told_to)).decode(), now)


def day_of(settings: Settings, now: datetime) -> date | None:
    """Return the newest day whose hour for the digest has come, by the clock of the settings; None: none is wanted."""
    if not settings.gm.digest:
        return None
    here = now.astimezone(ZoneInfo(settings.play.timezone))
    has_come = here.time() >= parse_time_of_day(settings.gm.digest)
    return here.date() if has_come else here.date() - _DAY


def _done(session: Session) -> Done | None:
    text = people.get_finding(session, _FINDING)
    return msgspec.json.decode(text, type=Done) if text else None


def _is_due(session: Session, day: date) -> bool:
    done = _done(session)
    return done is None or done.day < day


def _is_news(told: Told) -> bool:
    key, fields = told
    return key != _ASIDE or any(over for *_, over in fields["rows"])


def _told(session: Session, service: Service, since: datetime, now: datetime) -> Iterator[Told]:
    """Yield what there is to say, each with its rows."""
    titles = standing.titles_of(session)
    late = Counter(standing.missed_between(session, since, now))
    bounced = standing.bounced_between(session, since, now)
    seen = look_over(service, session, now)
    kept = [one for one in seen.held if one.reason not in ASKED]
    rows: dict[str, list[list[Any]]] = {
        "digest.late": [[*_place(session, titles, one), count] for one, count in sorted(late.items())],
        "digest.held": [[one.letter, one.game or 0, titles.get(one.game or 0, ""), one.reason] for one in kept],
        "digest.unsent": [[mail] for mail in standing.given_up_between(session, since, now)],
        "digest.bounced": [[*_place(session, titles, place), count] for place, count in bounced],
        "digest.begun": [[game, titles[game]] for game in standing.begun_between(session, since, now)],
        "digest.ended": [[game, titles[game], void] for game, void in standing.ended_between(session, since, now)],
        "digest.acts": [
            [one.who.removeprefix(DEPUTY).removesuffix(BY_MAIL), one.what, one.game or 0, titles.get(one.game or 0, "")]
            for one in games.acts_between(session, since, now)
            if one.who.startswith(DEPUTY)
        ],
        _ASIDE: _longest(seen),
    }
    yield from ((key, {"rows": found}) for key, found in rows.items() if found)


def _longest(seen: Overview) -> list[list[Any]]:
    """Return who is waited for longest, one of each game: game, title, name, since when, and whether time is over."""
    firsts = (
        (line, min(line.waits, key=lambda one: one.since or seen.now))
        for line in seen.games
        if line.waits and line.game.status != "paused"
    )
    rows = [
        [line.game.game, line.game.ruleset, one.name, format_moment(one.since), _is_over(one.deadline, seen.now)]
        for line, one in firsts
        if one.since is not None and one.since < seen.now
    ]
    return sorted(rows, key=lambda row: (not row[-1], row[-2]))[:MOST_WAITING]


def _is_over(deadline: datetime | None, now: datetime) -> bool:
    return deadline is not None and now - deadline > LATE


def _place(session: Session, titles: dict[int, str], place: tuple[int | None, int | None]) -> Sequence[Any]:
    """Return game, title and name of a seat, or of a place of who looks on; zero and nothing where it is not known."""
    game, seat = place
    if game is None or seat is None or game not in titles:
        return 0, "", ""
    if observers.is_observer(seat):
        found = observers.get_observer(session, game, seat)
        return game, titles[game], "" if found is None else found.name
    return game, titles[game], games.get_holders(session, game)[Seat(seat)].name
