"""`help` and `test`: how to play by mail, and whether the reader's client brings back what it should."""

from pbem.desk.values import Desk, Request, Served
from pbem.live import Live


def help_(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Send how to play."""
    desk.tell("desk.help")
    return Served(live)


def test(desk: Desk, live: Live, request: Request) -> Served:
    """Tell what arrived: the line as it was written."""
    desk.tell("desk.test", seen=request.written.text)
    return Served(live)
