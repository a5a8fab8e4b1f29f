"""
Who comes too late: what is played for him, and when a bot stands in.

At a deadline the rules' default is played, a bot answers that once, or the game waits, as the game was opened. After so
many misses in a row a bot stands in for the person: he keeps his seat, reads on, and plays again from his next letter
on. Who has not answered once since the game began is stood in for after his first miss, and the game master is told, so
that he can find somebody else in time.
"""

from collections.abc import Collection
from datetime import datetime

from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.advance import ended, restart_clocks, store_all, tell_all
from pbem.live import Live
from pbem.store import games, outbox
from pbem.store.base import Session


def wait_on(session: Session, live: Live, late: Collection[Seat], now: datetime) -> Live:
    """Return the game that waits for those who are *late* for as long as they take; all are told, once a decision."""
    for seat in late:
        holder = live.holders[seat]
        if not holder.overdue:
            live = live.with_holder(replace(holder, overdue=True))
            tell_all(session, live, "seat.overdue", {"seat": seat}, now)
    return live


def absent(session: Session, live: Live, late: Collection[Seat]) -> set[Seat]:
    """Return which of those who are *late* have never answered."""
    return {seat for seat in late if not games.has_played(session, live.game.id, seat)}


def count_misses(
    session: Session, live: Live, missed: Collection[Seat], never: Collection[Seat], now: datetime
) -> Live:
    """
    Return the game after the deadlines that were *missed* are counted, with a bot where there were too many.

    *never*: seats that had not answered once before.
    """
    if not live.game.misses:
        return live
    for seat in missed:
        holder = live.holders[seat]
        if holder.bot or holder.stand_in:
            continue
        holder = replace(holder, missed=holder.missed + 1)
        live = live.with_holder(holder)
        if live.running and (holder.missed >= live.game.misses or seat in never):
            live = _stand_in(session, live, seat, now, never=seat in never)
    return live


def _stand_in(session: Session, live: Live, seat: Seat, now: datetime, *, never: bool) -> Live:
    holder = live.holders[seat]
    live = live.with_holder(
        replace(holder, stand_in=True, overdue=False, wants_end=False, wants_pause=False, undo_to=-1)
    )
    live = live.with_holder(restart_clocks(live, now).holders[seat])
    tell_all(session, live, "seat.stood-in", {"seat": seat, "missed": holder.missed}, now)
    fields = {"seat": seat, "missed": holder.missed, "never": never}
    outbox.add_notice(session, live.game.id, GM, "alert.missed", fields, now, urgent=True)
    return replace(live, game=replace(live.game, next_due=now))


def come_back(session: Session, live: Live, seat: Seat, now: datetime) -> Live:
    """Return the game with the person on *seat* playing himself again, unless it is over; all are told."""
    holder = live.holders[seat]
    if not holder.stand_in or ended(live.game):
        return live
    live = live.with_holder(replace(holder, stand_in=False, missed=0, asked=-1, plan=()))
    live = live.with_holder(restart_clocks(live, now).holders[seat])
    tell_all(session, live, "seat.returned", {"seat": seat}, now)
    store_all(session, live)
    return live
