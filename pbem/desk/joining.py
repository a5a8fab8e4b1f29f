"""`accept [WORD]` and `decline`: answers to an invitation."""

from pbem import opening
from pbem.advance import ended
from pbem.desk.values import Desk, Request, Served
from pbem.live import Live


def accept(desk: Desk, live: Live, request: Request) -> Served:
    """Take the seat; a word behind it goes into the dice. The game starts when all have accepted."""
    if live.game.status != "open":
        desk.tell("letter.over" if ended(live.game) else "game.started")
        return Served(live)
    return Served(opening.accept(desk.session, live, desk.seat, request.rest, desk.now))


def decline(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Decline the invitation; the game is called off. A game that runs is not left this way."""
    if live.game.status != "open":
        desk.tell("desk.help")
        return Served(live, outcome="refused")
    return Served(opening.decline(desk.session, live, desk.seat, desk.now))
