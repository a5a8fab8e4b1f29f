"""`undo` empties the own plan; `please undo` asks all who moved since to agree to a rewind."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine.core.log import rewind_point
from engine.core.types import CHANCE, GM
from pbem.advance import advance, store_all
from pbem.desk.values import Desk, Request, Served
from pbem.live import Live, records_of, start_of
from pbem.moderation import rewind
from pbem.store import games, outbox
from pbem.store.games import Logged


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


def _standing(log: Sequence[Logged]) -> list[Logged]:
    """Return the entries that stand, newest first: without those that were taken back, and the rewinds."""
    found: list[Logged] = []
    seq = len(log)
    while seq:
        entry = log[seq - 1].entry
        word, _, to = entry.text.partition(" ")
        if entry.seat == GM and word == "rewind":
            seq = int(to)
            continue
        found.append(log[seq - 1])
        seq -= 1
    return found


def undo_all(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """
    Take the own last entry back, if all persons who moved since agree; else ask them.

    Who answers `please undo` to that question agrees.
    """
    if not live.running:
        desk.tell("order.nothing")
        return Served(live, outcome="refused")
    standing = _standing(games.read_log(desk.session, live.game.id))
    asked = [one.undo_to for one in live.holders if one.undo_to >= 0 and one.seat != desk.seat]
    own = [one.number for one in standing if one.entry.seat == desk.seat]
    if not asked and not own:
        desk.tell("order.nothing")
        return Served(live, outcome="refused")
    records, start = records_of(desk.session, live), start_of(desk.session, live)
    to = rewind_point(live.ruleset, records, start, (asked or own)[0])
    agreed = {one.seat for one in live.holders if one.undo_to == to} | {desk.seat}
    moved = {one.entry.seat for one in standing if one.entry.seq > to} - {CHANCE, GM}
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
