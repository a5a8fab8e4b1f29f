"""`status`: the position, what is owed and what is planned, now."""

from pbem.desk.values import Desk, Request, Served
from pbem.live import Live


def status(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Send the present position; whatever waited to be told goes with it."""
    desk.tell("desk.status")
    return Served(live)
