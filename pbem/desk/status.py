"""`status`: the position, what is owed and what is planned, now."""

from pbem.desk.values import Desk, Request, Served
from pbem.entering import tell_table
from pbem.live import Live
from pbem.lobby import takes_players


def status(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Send the present position, or who is at the table so far; whatever waited to be told goes with it."""
    if takes_players(live.game):
        tell_table(desk.session, live, desk.seat, desk.now)
        return Served(live)
    desk.tell("desk.status")
    return Served(live)
