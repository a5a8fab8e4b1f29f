"""`undo` empties the plan; `please undo` asks all who moved since to agree to a rewind, or answers such a question."""

from msgspec.structs import replace

from pbem.advance import advance, store_all
from pbem.desk.agreeing import NO, YES, answer_of
from pbem.desk.orders import CLOSED
from pbem.desk.values import Desk, Request, Served
from pbem.live import Live, standing_entries
from pbem.store import games
from pbem.taking_back import agree, decline


def undo(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Empty what is planned and not yet played."""
    lines = len(desk.holder(live).plan)
    live = live.with_holder(replace(desk.holder(live), plan=(), held_until=None, asked=-1))
    desk.tell("order.undone", lines=lines)
    if live.running:
        return Served(advance(desk.session, live, desk.now))
    store_all(desk.session, live)
    return Served(live)


def undo_all(desk: Desk, live: Live, request: Request) -> Served:
    """
    Take the own last entry back, if all persons who moved since agree; else ask them.

    Who answers `please undo` to that question, or to that of the game master, agrees; `please undo no` settles it for
    all.
    """
    if not live.running and live.game.undo_to < 0:
        return desk.refuse(live, CLOSED.get(live.game.status, "letter.paused"))
    answer = answer_of(desk, request)
    if answer == NO:
        declined = decline(desk.session, live, desk.seat, desk.now)
        return desk.refuse(live, "undo.none") if declined is None else Served(declined)
    if answer != YES:
        return desk.refuse(live, "undo.how")
    asked = [live.game.undo_to, *(one.undo_to for one in live.holders if one.seat != desk.seat)]
    log = games.read_log(desk.session, live.game.id)
    own = [one.number for one in standing_entries(log) if one.entry.seat == desk.seat]
    entry = next((one for one in (*asked, *own) if one >= 0), None)
    if entry is None:
        return desk.refuse(live, "undo.nothing")
    before = len(log)
    live = agree(desk.session, live, desk.seat, entry, desk.now)
    return Served(live) if live.position.seq > before else Served(live, outcome="kept")
