"""
A rewind to which people agree: who has to, who does, and what comes of the question while the game goes on.

A player asks for it by `please undo`; the game master by `pbem gm rewind`, in a game where it was settled so. The
question is the same: all persons who moved since are asked, one who does not want it settles it for all. Where the game
master asks, the point stands while the game goes on, and who moves meanwhile is asked too.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.log import Record, may_read
from engine.core.types import CHANCE, GM, Seat
from pbem.advance import store_all
from pbem.errors import Refused
from pbem.live import Live, standing_entries, take_up
from pbem.moderation import note_act, point_of, rewind, want_earlier, without_question
from pbem.service import Service
from pbem.store import games, outbox
from pbem.store.base import Session
from pbem.store.games import Holder

ASKED = -2
"""Stands in place of the entry that a seat agreed to go back to: the game master asked it, and it has not answered."""


class Question(Struct, frozen=True):
    """
    Whether to take the game back to the position after entry `to`.

    `agreed`   persons who want it; `missing` those who moved since and have not said so
    `moment`   the move after `to`, as everybody may know it: its round, who made it, and its text
    """

    to: int
    agreed: tuple[Holder, ...]
    missing: tuple[Holder, ...]
    moment: dict[str, Any]


def question_of(session: Session, live: Live, entry: int) -> Question:
    """
    Return how the question stands whether to take *live* back to *entry*, or where a half-entered round began there.

    Raises: Refused `rewind.amended`.
    """
    to, records, _ = point_of(session, live, entry)
    standing = standing_entries(games.read_log(session, live.game.id))
    moved = {one.entry.seat for one in standing if one.entry.seq > to} - {CHANCE, GM}
    agreed = tuple(one for one in live.holders if one.undo_to == to and not one.bot)
    missing = tuple(one for one in live.holders if one.seat in moved and one.undo_to != to and not one.answered_by)
    kept = {one.entry.seq for one in standing}
    return Question(to, agreed, missing, _moment([one for one in records if one.entry.seq in kept], to))


def _moment(records: Sequence[Record[Any]], to: int) -> dict[str, Any]:
    """Return the round of the move after *to*, 0 if none is told, who made it, and its text if all may read it."""
    rounds = [event for one in records if one.entry.seq <= to for event in one.events if event.key.endswith(".round")]
    after = next((one for one in records if one.entry.seq > to and one.entry.seat >= 0), None)
    return {
        "round": int(str(dict(rounds[-1].fields).get("round", 0))) if rounds else 0,
        "who": after.entry.seat if after else CHANCE,
        "text": after.entry.text if after and may_read(after, None) else "",
    }


def tell_asked(
    session: Session, live: Live, seat: Seat, asked: Question, readers: Sequence[Holder], now: datetime
) -> None:
    """Tell *readers* how the question stands, now that *seat*, or the game master, wants it."""
    master = [GM] if live.game.undo_to >= 0 else []
    fields = {
        "seat": seat,
        "to": asked.to,
        "agreed": [*master, *(one.seat for one in asked.agreed)],
        "missing": [one.seat for one in asked.missing],
        "reason": live.game.undo_reason,
        **asked.moment,
    }
    for one in readers:
        outbox.add_notice(session, live.game.id, one.seat, "undo.asked", fields, now, urgent=True)


def take_back(
    session: Session, live: Live, to: int, reason: str, now: datetime, *, at_once: bool = False, who: str = "gm"
) -> Live:
    """
    Return the game taken back by the game master; where all who moved since have to agree, after they were asked.

    *at_once*: without asking, for a reason, and all are told that nobody was asked.
    Raises: what `rewind` raises; Refused `rewind.reason`, `rewind.waits` where that is asked already.
    """
    if live.game.rewind == "gm" or live.is_branch:
        return rewind(session, live, to, reason, now, who=who)
    want_earlier(live, to)
    asked = question_of(session, live, to)
    if at_once and asked.missing and not reason:
        raise Refused("rewind.reason", game=live.game.id)
    if at_once or not asked.missing:
        return rewind(session, live, to, reason, now, who=who, unasked=[one.seat for one in asked.missing])
    if live.game.undo_to == asked.to:
        names = tuple(one.name for one in asked.missing)
        raise Refused("rewind.waits", game=live.game.id, to=asked.to, names=names)
    holders = tuple(replace(one, undo_to=asked.to if one in asked.agreed else -1) for one in live.holders)
    live = replace(live, game=replace(live.game, undo_to=asked.to, undo_reason=reason), holders=holders)
    note_act(session, live, "ask", {"to": asked.to, "asked": to, "reason": reason}, now, who)
    return _ask_missing(session, live, asked, now)


def _ask_missing(session: Session, live: Live, asked: Question, now: datetime) -> Live:
    """Return the game after the game master's question went to those who have to agree and were not asked yet."""
    new = [one for one in asked.missing if live.holders[one.seat].undo_to != ASKED]
    tell_asked(session, live, GM, asked, new, now)
    for one in new:
        live = live.with_holder(replace(live.holders[one.seat], undo_to=ASKED))
    store_all(session, live)
    return live


def agree(session: Session, live: Live, seat: Seat, entry: int, now: datetime) -> Live:
    """Return the game after *seat* wants it taken back to *entry*: it is, if all others who moved since agree."""
    to = point_of(session, live, entry)[0]
    live = live.with_holder(replace(live.holders[seat], undo_to=to))
    asked = question_of(session, live, to)
    if not asked.missing:
        return _done(session, live, to, f"seat {seat}", now)
    store_all(session, live)
    tell_asked(session, live, seat, asked, [*asked.missing, *asked.agreed], now)
    return live


def _done(session: Session, live: Live, to: int, who: str, now: datetime) -> Live:
    """Return the game taken back, since all agree; the game master is told, if it was he who asked."""
    reason = live.game.undo_reason
    if live.game.undo_to >= 0:
        _tell_master(session, live, "agreed", GM, now)
    return rewind(session, live, to, reason, now, who=who)


def decline(session: Session, live: Live, seat: Seat, now: datetime) -> Live | None:
    """Return the game after *seat* settled the question with a no, which all who have a part in it are told."""
    asked = [one for one in live.holders if one.undo_to != -1 and not one.bot]
    if live.game.undo_to < 0 and not asked:
        return None
    if live.game.undo_to >= 0:
        _tell_master(session, live, "declined", seat, now)
    live = without_question(live)
    store_all(session, live)
    concerned = {one.seat for one in asked} | {seat}
    for number in sorted(concerned):
        outbox.add_notice(session, live.game.id, number, "undo.declined", {"seat": seat}, now, urgent=True)
    return live


def _tell_master(session: Session, live: Live, how: str, seat: Seat, now: datetime) -> None:
    fields = {"to": live.game.undo_to, "how": how, "seat": seat}
    outbox.add_notice(session, live.game.id, GM, "alert.undo", fields, now, urgent=True)


def watch_questions(service: Service, now: datetime) -> None:
    """Let each question of the game master be right: ask who moved meanwhile; take back where nobody is missing."""
    with service.store.read() as session:
        numbers = games.asked_back(session)
    for number in numbers:
        with service.store.write() as session:
            live = take_up(session, number)
            if live.game.undo_to < 0 or live.is_outdated:
                continue
            asked = question_of(session, live, live.game.undo_to)
            if asked.missing:
                _ask_missing(session, live, asked, now)
            else:
                _done(session, live, asked.to, "gm", now)
