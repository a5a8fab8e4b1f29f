"""What a person may ask for who would like a seat and has none: to confirm, to give it up, and to see what is open."""

from collections.abc import Mapping
from datetime import datetime

from pbem.bench import pass_on, take_seat
from pbem.desk.lobbying import WITHOUT_SEAT, Placed, enter
from pbem.desk.values import Desk, Outcome, Request, Visit
from pbem.desk.words import END, match_command, match_invitation
from pbem.entering import give_up
from pbem.errors import Refused
from pbem.live import Live, take_up
from pbem.mail.quotes import own_words
from pbem.reading import Written
from pbem.service import Service
from pbem.store import observers, people
from pbem.store.base import Session
from pbem.store.observers import Observer


def serve_waiting(session: Session, service: Service, visit: Visit, now: datetime) -> Outcome:
    """Return what became of the letter of a person who would like a seat; what only a player may ask is explained."""
    live = take_up(session, visit.game)
    one = observers.get_observer(session, visit.game, visit.seat)
    assert one is not None, "his tag was valid"
    desk = Desk(session, service, visit, people.get_person(session, one.person), now)
    lines = [Written(number, text) for number, text in enumerate(_lines(desk), 1)]
    outcomes: list[Outcome] = []
    for line in lines:
        name, rest = match_command(line.text, service.own_templates)
        if name == END:
            break
        if not name and not outcomes and one.state in ("asked", "offered"):
            name = match_invitation(line.text, service.own_templates)
        if name not in COMMANDS:
            continue
        outcomes.append(COMMANDS[name](desk, live, one, Request(line, rest)))
        after = observers.get_observer(session, visit.game, visit.seat)
        if after is None or after.state != one.state:
            return "accepted"  # he has a seat, or wants none
    if not outcomes:
        desk.tell("lobby.how", state=one.state)
    return "accepted" if "accepted" in outcomes else "refused"


def _lines(desk: Desk) -> list[str]:
    """Return the person's own lines; also a first one that stands in our mail: he wrote the word that it asks for."""
    words = own_words(desk.visit.letter, desk.known)
    first = next((one for one in words.ignored if one.number == 1 and one.reason == "known-text"), None)
    return [*([first.text] if first is not None else []), *(one.text for one in words.written)]


def _confirm(desk: Desk, live: Live, one: Observer, request: Request) -> Outcome:  # noqa: ARG001 - one shape
    if one.state == "offered":
        try:
            take_seat(desk.session, live, one, desk.now)
        except Refused:
            pass_on(desk.session, live, one, "bench.late", desk.now)
        return "accepted"
    return enter(desk, live.game.id, one.name, "")


def _give_up(desk: Desk, live: Live, one: Observer, request: Request) -> Outcome:  # noqa: ARG001 - one shape
    if one.state == "offered":
        pass_on(desk.session, live, one, "bench.passed", desk.now)
    else:
        give_up(desk.session, one, desk.now)
    return "accepted"


def _help(desk: Desk, live: Live, one: Observer, request: Request) -> Outcome:  # noqa: ARG001 - one shape
    desk.tell("lobby.how", state=one.state)
    return "accepted"


def _rules(desk: Desk, live: Live, one: Observer, request: Request) -> Outcome:  # noqa: ARG001 - one shape
    desk.tell("desk.rules", word="")
    return "accepted"


COMMANDS: Mapping[str, Placed] = {
    **WITHOUT_SEAT,
    "confirm": _confirm,
    "accept": _confirm,
    "decline": _give_up,
    "leave": _give_up,
    "stop": _give_up,
    "help": _help,
    "status": _help,
    "rules": _rules,
}
