"""`help`, `rules`, `stop` and `test`: how to write, the game in short, how to get less mail, and what came through."""

from pbem.desk.values import Desk, Request, Served
from pbem.live import Live

LONGEST_WORD = 40


def help_(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Send how to play."""
    desk.tell("desk.help")
    return Served(live)


def rules(desk: Desk, live: Live, request: Request) -> Served:
    """Send the rules of the game in short: all of them, or the parts that a word behind it stands in."""
    desk.tell("desk.rules", word=request.rest.strip(" .!?")[:LONGEST_WORD])
    return Served(live)


def stop(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Tell how less mail comes, or none; nothing is changed by the word itself."""
    desk.tell("desk.stop")
    return Served(live)


def test(desk: Desk, live: Live, request: Request) -> Served:
    """Tell what arrived: the line as it was written."""
    desk.tell("desk.test", seen=request.written.text)
    return Served(live)
