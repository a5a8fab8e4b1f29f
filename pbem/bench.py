"""
The bench: persons who take a seat that falls free in a running game, those first who sit there for longest.

A seat is offered to one of them at a time. Until somebody takes it the bot plays that holds it. Of who had the seat
before nothing is handed on that was his alone: neither his plan nor his note.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.advance import ended
from pbem.errors import Refused
from pbem.live import Live
from pbem.lobby import NOBODY, unique_name
from pbem.moderation import note_act, replace_holder
from pbem.observing import place_of, remove_observer
from pbem.opening import SeatOffer
from pbem.store import benches, observers, outbox, people
from pbem.store.base import Session
from pbem.store.observers import Observer

ANSWER_TIME = timedelta(hours=24)
"""How long a seat is offered to one of the bench before it is offered to the next."""

HISTORY = 3
"""Rounds that are told to who takes a seat."""


def offer_seat(session: Session, live: Live, seat: Seat, reason: str, now: datetime, *, who: str = "gm") -> Live:
    """
    Return the game after *seat*, for which a bot answers, was offered to the first of the bench.

    Where the bot only stands in, the person is welcome until somebody has taken the seat.

    Raises: Refused `game.not-running`, `offer.person`, `offer.open`, `offer.nobody`.
    """
    if live.game.status not in ("running", "paused"):
        raise Refused("game.not-running", game=live.game.id, status=live.game.status)
    holder = live.holders[seat]
    if not holder.answered_by or holder.bot == NOBODY:
        raise Refused("offer.person", game=live.game.id, seat=int(seat))
    if any(one.offer == seat for one in observers.list_places(session, live.game.id, "offered")):
        raise Refused("offer.open", game=live.game.id, seat=int(seat))
    one = _first(session, live, seat)
    if one is None:
        raise Refused("offer.nobody", game=live.game.id)
    one = replace(one, state="offered", since=now, offer=int(seat))
    observers.save_observer(session, one)
    name = "" if holder.stand_in else holder.name
    fields = {"name": name, "hours": ANSWER_TIME // timedelta(hours=1), "reason": reason}
    outbox.add_notice(session, live.game.id, one.seat, "bench.offer", fields, now, urgent=True)
    note_act(session, live, "offer", {"seat": seat, "name": one.name, "reason": reason}, now, who)
    return live


def _first(session: Session, live: Live, seat: Seat) -> Observer | None:
    """Return the place of the first of the bench who has nothing to do with the game, nor was offered *seat* before."""
    playing = {one.person for one in live.holders}
    for sitting in benches.list_bench(session, live.game.ruleset):
        person = people.get_person(session, sitting.person)
        known = observers.find_observer(session, live.game.id, person.id)
        has_done = known is not None and (not known.gone or known.offer in (-1, seat))
        if person.id not in playing and not has_done:
            return place_of(session, live.game.id, person.name, person.id)
    return None


def offer_or_tell(session: Session, live: Live, seat: Seat, now: datetime) -> None:
    """Offer *seat* to the first of the bench; if nobody is left there, tell the game master."""
    try:
        offer_seat(session, live, seat, "", now, who="service")
    except Refused as error:
        if error.key == "offer.nobody":
            outbox.add_notice(session, live.game.id, GM, "alert.bench", {"seat": seat}, now, urgent=True)


def take_seat(session: Session, live: Live, one: Observer, now: datetime) -> Live:
    """
    Return the game with the person of place *one* on the seat that was offered to him; all are told.

    Raises: Refused `offer.late` where it is not free any more.
    """
    seat = Seat(one.offer)
    if ended(live.game) or not live.holders[seat].answered_by:
        raise Refused("offer.late", game=live.game.id)
    person = people.get_person(session, one.person)
    observers.save_observer(session, replace(one, state="seated", since=now))
    offer = SeatOffer(unique_name(one.name, live, seat), person.address)
    live = replace_holder(session, live, seat, offer, "", now, who=f"place {one.seat}")
    outbox.add_notice(session, live.game.id, seat, "desk.history", {"rounds": HISTORY}, now, urgent=False)
    return live


def pass_on(session: Session, live: Live, one: Observer, key: str, now: datetime) -> None:
    """Tell who does not take the seat that was offered to him so, and offer it to the next."""
    remove_observer(session, one)
    outbox.add_notice(session, one.game, one.seat, key, {}, now, urgent=True)
    benches.move_back(session, one.person, now)
    if not ended(live.game) and live.holders[one.offer].answered_by:
        offer_or_tell(session, live, Seat(one.offer), now)
