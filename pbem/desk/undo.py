"""`undo` empties the own plan; `please undo` asks all who moved since to agree to a rewind, or to decline it."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine.core.log import Record, may_read, rewind_point
from engine.core.types import CHANCE, GM
from pbem.advance import advance, store_all
from pbem.desk.agreeing import NO, YES, answer_of
from pbem.desk.orders import CLOSED
from pbem.desk.values import Desk, Request, Served
from pbem.live import Live, records_of, standing_entries, start_of
from pbem.moderation import rewind
from pbem.store import games, outbox
from pbem.store.games import Holder


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

    Who answers `please undo` to that question agrees; `please undo no` settles it for all.
    """
    if not live.running:
        return desk.refuse(live, CLOSED.get(live.game.status, "letter.paused"))
    answer = answer_of(desk, request)
    if answer != YES:
        return _decline(desk, live) if answer == NO else desk.refuse(live, "undo.how")
    standing = standing_entries(games.read_log(desk.session, live.game.id))
    asked = [one.undo_to for one in live.holders if one.undo_to >= 0 and one.seat != desk.seat]
    own = [one.number for one in standing if one.entry.seat == desk.seat]
    if not asked and not own:
        return desk.refuse(live, "undo.nothing")
    records, start = records_of(desk.session, live), start_of(desk.session, live)
    to = rewind_point(live.ruleset, records, start, (asked or own)[0])
    agreed = {one.seat for one in live.holders if one.undo_to == to} | {desk.seat}
    moved = {one.entry.seat for one in standing if one.entry.seq > to} - {CHANCE, GM}
    missing = [one for one in live.holders if one.seat in moved - agreed and not one.answered_by]
    if not missing:
        live = rewind(desk.session, live, to, "", desk.now, who=f"seat {desk.seat}")
        return Served(live)
    live = live.with_holder(replace(desk.holder(live), undo_to=to))
    store_all(desk.session, live)
    others = [one for one in live.holders if one.seat in agreed and not one.bot]
    fields = {
        "seat": desk.seat,
        "to": to,
        "agreed": [one.seat for one in others],
        "missing": [one.seat for one in missing],
        **_moment([one for one in records if one.entry.seq in {each.entry.seq for each in standing}], to),
    }
    _tell(desk, live, [*missing, *others], "undo.asked", fields)
    return Served(live, outcome="kept")


def _moment(records: Sequence[Record[Any]], to: int) -> dict[str, Any]:
    """Return the round of the move after *to*, 0 if none is told, who made it, and its text if all may read it."""
    rounds = [event for one in records if one.entry.seq <= to for event in one.events if event.key.endswith(".round")]
    after = next((one for one in records if one.entry.seq > to and one.entry.seat >= 0), None)
    return {
        "round": int(str(dict(rounds[-1].fields).get("round", 0))) if rounds else 0,
        "who": after.entry.seat if after else CHANCE,
        "text": after.entry.text if after and may_read(after, None) else "",
    }


def _decline(desk: Desk, live: Live) -> Served:
    """Settle the question that stands with a no; who asked or agreed is told, and who said it."""
    asked = [one for one in live.holders if one.undo_to >= 0]
    if not asked:
        return desk.refuse(live, "undo.none")
    live = replace(live, holders=tuple(replace(one, undo_to=-1) for one in live.holders))
    store_all(desk.session, live)
    concerned = {one.seat: one for one in [*asked, desk.holder(live)]}
    _tell(desk, live, list(concerned.values()), "undo.declined", {"seat": desk.seat})
    return Served(live)


def _tell(desk: Desk, live: Live, readers: Sequence[Holder], key: str, fields: dict[str, Any]) -> None:
    for one in readers:
        outbox.add_notice(desk.session, live.game.id, one.seat, key, fields, desk.now, urgent=True)
