"""`undo` empties the own plan; `please undo` asks all who moved since to agree to a rewind."""

from msgspec.structs import replace

from engine.core.types import CHANCE, GM
from pbem.advance import advance, store_all
from pbem.desk.values import Desk, Request, Served
from pbem.live import Live
from pbem.moderation import rewind
from pbem.store import games, outbox


def undo(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Empty what is planned and not yet played."""
    lines = len(desk.holder(live).plan)
    holders = tuple(
        replace(one, plan=(), held_until=None, asked=-1) if one.seat == desk.seat else one for one in live.holders
    )
    live = replace(live, holders=holders)
    desk.tell("order.undone", lines=lines)
    if live.running:
        return Served(advance(desk.session, live, desk.now))
    store_all(desk.session, live)
    return Served(live)


def undo_all(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """
    Take the own last entry back, if all persons who moved since agree; else ask them.

    Who answers `please undo` to that question agrees.
    """
    if not live.running:
        desk.tell("order.nothing")
        return Served(live, outcome="refused")
    log = games.read_log(desk.session, live.game.id)
    wanted = next((one.undo_to for one in live.holders if one.undo_to >= 0 and one.seat != desk.seat), -1)
    own = [one for one in log if one.entry.seat == desk.seat]
    if wanted < 0 and not own:
        desk.tell("order.nothing")
        return Served(live, outcome="refused")
    to = wanted if wanted >= 0 else own[-1].number
    agreed = {one.seat for one in live.holders if one.undo_to == to} | {desk.seat}
    moved = {one.entry.seat for one in log if one.entry.seq > to} - {CHANCE, GM}
    missing = [one for one in live.holders if one.seat in moved - agreed and not one.bot]
    if not missing:
        live = rewind(desk.session, live, to, "", desk.now, who=f"seat {desk.seat}")
        return Served(live)
    holders = tuple(replace(one, undo_to=to) if one.seat == desk.seat else one for one in live.holders)
    live = replace(live, holders=holders)
    store_all(desk.session, live)
    for one in [*missing, desk.holder(live)]:
        fields = {"seat": desk.seat, "to": to}
        outbox.add_notice(desk.session, live.game.id, one.seat, "desk.undo-asked", fields, desk.now, urgent=True)
    return Served(live, outcome="kept")
