"""What a person who looks on may ask for: the position, how and when we write to him, a word to all, and his leave."""

from collections.abc import Callable, Mapping
from datetime import datetime

from pbem.desk.lobbying import WITHOUT_SEAT, Placed, enter
from pbem.desk.press import block, scrubbed
from pbem.desk.values import Desk, Outcome, Request, Visit
from pbem.desk.words import END, fold, match_command, match_invitation, readers_words
from pbem.live import Live, take_up
from pbem.lobby import takes_players
from pbem.mail.quotes import own_words
from pbem.moderation import stop_observing
from pbem.reading import Written
from pbem.service import Service
from pbem.store import observers, outbox, people
from pbem.store.base import Session
from pbem.store.observers import Observer

Watched = Callable[[Desk, Live, Observer, Request], tuple[Outcome, int]]
"""Serves one command; gives back what became of it, and how many of the following lines were its text."""

HARMLESS = frozenset({"status", "help", "language", "zone", "quiet", "digest", "plain"})


def serve_observer(session: Session, service: Service, visit: Visit, now: datetime) -> Outcome:
    """Return what became of the letter of a person who looks on; what only a player may ask for is explained."""
    live = take_up(session, visit.game)
    observer = observers.get_observer(session, visit.game, visit.seat)
    assert observer is not None, "his tag was valid"
    desk = Desk(session, service, visit, people.get_person(session, observer.person), now)
    lines = [Written(number, one.text) for number, one in enumerate(own_words(visit.letter, desk.known).written, 1)]
    outcomes: list[Outcome] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        name, rest = match_command(line.text, service.own_templates)
        if name == END:
            break
        if name not in COMMANDS:
            continue
        if visit.echo and name not in HARMLESS:
            desk.tell("order.again")
            outcomes.append("refused")
            continue
        outcome, used = COMMANDS[name](desk, live, observer, Request(line, rest, lines[place:]))
        outcomes.append(outcome)
        place += used
        after = observers.get_observer(session, visit.game, visit.seat)
        if after is None or after.state != "looking":
            return "accepted"
    if not outcomes:
        desk.tell("observer.help")
    return "accepted" if "accepted" in outcomes else "refused"


def _status(desk: Desk, live: Live, observer: Observer, request: Request) -> tuple[Outcome, int]:  # noqa: ARG001 - one shape
    desk.tell("desk.status")
    return "accepted", 0


def _help(desk: Desk, live: Live, observer: Observer, request: Request) -> tuple[Outcome, int]:  # noqa: ARG001 - one shape
    desk.tell("observer.help")
    return "accepted", 0


def _watched(serve: Placed) -> Watched:
    """Return what everybody without a seat may ask for as one of who looks on: it takes one line."""
    return lambda desk, live, observer, request: (serve(desk, live, observer, request), 0)


def _press(desk: Desk, live: Live, observer: Observer, request: Request) -> tuple[Outcome, int]:
    """Carry a message to all players; to one of them alone nobody may write who looks on."""
    whom, _, text = request.rest.partition(":")
    more, used = block(desk, request.following)
    message = scrubbed("\n".join([text.strip(), *(line.text for line in more)]).strip())
    if fold(whom) not in readers_words("everybody", desk.service.own_templates) or not message:
        desk.tell("observer.press")
        return "refused", used
    fields = {"name": observer.name, "message": message}
    players = [one.seat for one in live.holders if not one.bot]
    for seat in players:
        outbox.add_notice(desk.session, live.game.id, seat, "press.observer", fields, desk.now, urgent=True)
    desk.tell("press.sent", to=players, message=message)
    return "accepted", used


def _confirm(desk: Desk, live: Live, observer: Observer, request: Request) -> tuple[Outcome, int]:
    """Take a seat, where a letter without proof asked for one."""
    if not takes_players(live.game):
        return _help(desk, live, observer, request)
    return enter(desk, live.game.id, observer.name, ""), 0


def _stop(desk: Desk, live: Live, observer: Observer, request: Request) -> tuple[Outcome, int]:
    if not request.rest or match_invitation(request.rest, desk.service.own_templates) != "accept":
        desk.tell("observer.stop")
        return "accepted", 0
    stop_observing(desk.session, live, observer, "", desk.now, f"observer {observer.seat}")
    return "accepted", 0


COMMANDS: Mapping[str, Watched] = {
    **{name: _watched(serve) for name, serve in WITHOUT_SEAT.items()},
    "status": _status,
    "help": _help,
    "confirm": _confirm,
    "press": _press,
    "stop": _stop,
}
