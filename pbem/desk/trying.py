"""`try LINE`: how a line would be read and what it would lead to, without playing it."""

from engine.core.play import join_moves, play_alone
from pbem.desk import orders
from pbem.desk.values import Desk, Request, Served
from pbem.live import Live
from pbem.reading import Written


def try_(desk: Desk, live: Live, request: Request) -> Served:
    """Tell how the rest of the line is read; nothing is planned."""
    if not live.running:
        desk.tell(orders.CLOSED.get(live.game.status, "letter.paused"))
        return Served(live, outcome="refused")
    number = request.written.number
    reading = orders.read(desk, live, [Written(number, request.rest)])
    for one in reading.read:
        solo = play_alone(live.ruleset, live.position, desk.seat, (one.line,))
        made = join_moves(tuple(done.record.entry.text for done in solo.made)) or one.line.text
        desk.tell("order.tried", line=number, written=request.rest, text=made)
    for refused in reading.refused:
        orders.tell_refused(desk, refused)
    if not reading.read and not reading.refused:
        desk.tell("order.nothing")
    return Served(live)
