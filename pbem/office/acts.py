"""What the game master may do by mail and undo by mail: each is the act of the command line of the same name."""

from collections.abc import Mapping
from datetime import timedelta

from pbem import moderation, postroom, roster
from pbem.acting import Act
from pbem.bench import offer_seat
from pbem.desk.mastering import Order
from pbem.live import Live
from pbem.office.finding import address, find_person, find_seat
from pbem.office.values import Office, Outcome, Serve, names_told
from pbem.service import Service
from pbem.store import observers
from pbem.store.base import Session


def _pause(office: Office, order: Order) -> Outcome:
    who = office.master.record
    return _told(
        office, order, "master.paused", lambda s, _, live: moderation.pause(s, live, order.reason, office.now, who)
    )


def _resume(office: Office, order: Order) -> Outcome:
    def act(session: Session, service: Service, live: Live) -> Live:  # noqa: ARG001 - the shape of an act
        return moderation.resume(session, live, order.reason, office.now, who=office.master.record)

    return _told(office, order, "master.resumed", act)


def _extend(office: Office, order: Order) -> Outcome:
    who, by = office.master.record, timedelta(seconds=int(order.rest))
    return _told(
        office,
        order,
        "master.extended",
        lambda s, _, live: moderation.extend(s, live, by, order.reason, office.now, who),
        by=int(order.rest),
    )


def _told(office: Office, order: Order, key: str, act: Act, **fields: int) -> Outcome:
    """Do *act* to a game, and answer with *key*, whose fields are the game, *fields*, and who is told."""
    effect = office.act(order, act)
    office.tell(key, game=order.game, **fields, told=names_told(effect))
    return "accepted"


def _clock(office: Office, order: Order) -> Outcome:
    def act(session: Session, service: Service, live: Live) -> Live:
        zone, who = service.settings.play.timezone, office.master.record
        return moderation.change_clock(session, live, order.rest, zone, order.reason, office.now, who=who)

    effect = office.act(order, act)
    office.tell("master.clocked", game=order.game, clock=effect.after.game.clock, told=names_told(effect))
    return "accepted"


def _message(office: Office, order: Order) -> Outcome:
    sent: list[str] = []

    def act(session: Session, service: Service, live: Live) -> Live:
        found = address(live, order.rest, service.own_templates)
        sent.append(found.text)
        return moderation.message(session, live, found.seats, found.text, office.now, office.master.record)

    effect = office.act(order, act)
    office.tell("master.messaged", game=order.game, told=names_told(effect), message=sent[0])
    return "accepted"


def _offer(office: Office, order: Order) -> Outcome:
    def act(session: Session, service: Service, live: Live) -> Live:
        seat = find_seat(live, order.rest, service.own_templates)
        live = offer_seat(session, live, seat, order.reason, office.now, who=office.master.record)
        offered = next(one for one in observers.list_places(session, order.game, "offered") if one.offer == seat)
        office.tell("master.offered", game=order.game, seat=live.holders[seat].name, name=offered.name)
        return live

    office.act(order, act)
    return "accepted"


def _release(office: Office, order: Order) -> Outcome:
    postroom.release(office.session, order.number, office.now, office.master.record)
    office.tell("master.released", number=order.number)
    return "accepted"


def _drop(office: Office, order: Order) -> Outcome:
    what: postroom.What = "mail" if order.what == "mail" else "letter"
    postroom.drop(office.session, what, order.number, office.now, office.master.record)
    office.tell("master.dropped", what=what, number=order.number)
    return "accepted"


def _retry(office: Office, order: Order) -> Outcome:
    postroom.retry(office.session, order.number, office.now, office.master.record)
    office.tell("master.retried", number=order.number)
    return "accepted"


def _unblock(office: Office, order: Order) -> Outcome:
    person = find_person(office.session, order.rest)
    roster.unblock(office.session, person, order.reason, office.now, office.master.record)
    office.tell("master.unblocked", name=person.name)
    return "accepted"


ACTS: Mapping[str, Serve] = {
    "pause": _pause,
    "resume": _resume,
    "extend": _extend,
    "clock": _clock,
    "message": _message,
    "offer": _offer,
    "release": _release,
    "drop": _drop,
    "retry": _retry,
    "unblock": _unblock,
}
