"""
The game master's hand on a game: each function returns the game after the act, told to those concerned and on record.

The command line runs them in a transaction, or in one that is undone (`--dry-run`).
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from engine.core.log import Position, Record, last_amended, make_correction, may_read, rewind_point
from engine.core.play import Plan
from engine.core.types import GM, Seat
from pbem.advance import advance, enter, restart_clocks, run_clocks, store_all, tell_all, without_wishes
from pbem.advance import ended as game_ended
from pbem.clock import format_clock, format_duration
from pbem.errors import Refused
from pbem.journal import note
from pbem.live import Live, records_of, start_of
from pbem.lobby import NOBODY, end_waiting
from pbem.observing import add_observer, part_from, remove_observer
from pbem.opening import STAND_IN, SeatOffer, hand_over, read_clock, start_game
from pbem.outage import move_clock
from pbem.store import games, outbox, people
from pbem.store.base import Session
from pbem.store.games import Act, Holder
from pbem.store.observers import Observer

PLAYERS = "players"
"""Who did what all persons at the table agreed to."""

NOTICE = timedelta(hours=24)
"""A new clock takes nobody's time away so soon."""


def note_act(session: Session, live: Live, what: str, fields: dict[str, Any], now: datetime, who: str = "gm") -> None:
    """Put an act on record."""
    games.add_act(session, Act(who, what, fields, now, live.game.id))
    note(session, "act", game=live.game.id, what=what)


def pause(session: Session, live: Live, reason: str, now: datetime, who: str = "gm") -> Live:
    """
    Return the game standing still: no move is played, no clock runs; plans may still be sent.

    *who*: PLAYERS where all of them agreed to it; then each of them may let it go on.
    Raises: Refused `game.not-running`.
    """
    if live.game.status != "running":
        raise Refused("game.not-running", game=live.game.id, status=live.game.status)
    paused_by = who if who == PLAYERS else ""
    game = replace(live.game, status="paused", paused_at=now, paused_by=paused_by, next_due=None)
    live = without_wishes(replace(live, game=game), ["wants_pause"])
    note_act(session, live, "pause", {"reason": reason}, now, who)
    if who == PLAYERS:
        tell_all(session, live, "pause.agreed", {}, now)
    else:
        tell_all(session, live, "game.paused", {"reason": reason}, now)
    store_all(session, live)
    return live


def resume(session: Session, live: Live, reason: str, now: datetime, seat: Seat | None = None, who: str = "gm") -> Live:
    """
    Return the game running again, because *seat*, or else *who*, said so; every clock goes on where it stood.

    Raises: Refused `game.not-paused`, `seat.empty` while nobody holds a seat of an imported game.
    """
    if live.game.status != "paused" or live.game.paused_at is None:
        raise Refused("game.not-paused", game=live.game.id, status=live.game.status)
    empty = tuple(int(one.seat) for one in live.holders if one.bot == NOBODY)
    if empty:
        raise Refused("seat.empty", game=live.game.id, seats=empty)
    paused_at = live.game.paused_at
    holders = tuple(
        move_clock(
            live.clock, one, max(timedelta(), live.clock.between(one.begins(paused_at), now))
        )  # who is away stood still anyhow
        for one in live.holders
    )
    live = replace(live, holders=holders)
    live = replace(live, game=replace(live.game, status="running", paused_at=None, paused_by=""))
    note_act(session, live, "resume", {"reason": reason}, now, who if seat is None else f"seat {seat}")
    if seat is None:
        tell_all(session, live, "game.resumed", {"reason": reason}, now)
    else:
        tell_all(session, live, "pause.ended", {"seat": seat}, now)
    return advance(session, live, now)


def extend(session: Session, live: Live, by: timedelta, reason: str, now: datetime, who: str = "gm") -> Live:
    """
    Return the game with *by* more time for every decision that is owed now; no bank pays for it.

    Like all time it runs on no day of rest: 24 hours more than Friday noon may be Monday noon.
    Raises: Refused `game.not-running`, `extend.nothing`.
    """
    if live.game.status not in ("running", "paused"):
        raise Refused("game.not-running", game=live.game.id, status=live.game.status)
    if not any(one.deadline for one in live.holders) or by <= timedelta():
        raise Refused("extend.nothing", game=live.game.id)
    holders = tuple(replace(move_clock(live.clock, one, by), reminded=0, overdue=False) for one in live.holders)
    live = replace(live, holders=holders)
    note_act(session, live, "extend", {"by": format_duration(by), "reason": reason}, now, who)
    tell_all(session, live, "game.extended", {"by": int(by.total_seconds()), "reason": reason}, now)
    return advance(session, live, now)


def change_clock(
    session: Session, live: Live, text: str, zone: str, reason: str, now: datetime, *, who: str = "gm"
) -> Live:
    """
    Return the game with the clock *text*; deadlines that run are counted anew from when their decision was put.

    None comes nearer than `NOTICE` from now, unless it was nearer before. A bank grows or shrinks by what the new clock
    gives more or less. Days of rest are those of *zone* where neither the new clock nor the old one says it.
    Raises: Refused `game.ended`, `clock.same`; Misuse for what is no clock of this title.
    """
    if game_ended(live.game):
        raise Refused("game.ended", game=live.game.id)
    before = live.clock
    clock = read_clock(live.ruleset, text, before.rest.zone or zone)
    if clock == before:
        raise Refused("clock.same", game=live.game.id, clock=live.game.clock)
    fields = {"clock": format_clock(clock), "reason": reason}
    note_act(session, live, "clock", {**fields, "before": live.game.clock}, now, who)
    live = replace(live, game=replace(live.game, clock=fields["clock"]))
    more = clock.bank - before.bank
    live = replace(live, holders=tuple(_reset(live, one, more, _clock_time(live, now)) for one in live.holders))
    tell_all(session, live, "clock.changed", fields, now)
    return advance(session, live, now) if live.running else _kept(session, live)


def _reset(live: Live, holder: Holder, more: timedelta, now: datetime) -> Holder:
    """Return *holder* with *more* bank, and its deadline as the new clock of the game has it."""
    clock, bank = live.clock, max(timedelta(), holder.bank + more)
    if holder.deadline is None or holder.put_at is None:
        return replace(holder, bank=bank)
    counted = clock.after(holder.put_at, live.free_for(holder.seat) + bank)
    deadline = clock.after(max(counted, min(holder.deadline, now + NOTICE)), timedelta())
    gone = sum(when <= now for when in clock.reminders(holder.put_at, deadline))
    return replace(holder, bank=bank, deadline=deadline, reminded=gone)


def rewind(
    session: Session, live: Live, to: int, reason: str, now: datetime, *, who: str = "gm", unasked: Sequence[Seat] = ()
) -> Live:
    """
    Return the game as it stood after entry *to*, or where the all-at-once round began that was half entered there.

    Every plan is emptied, all that is owed is asked anew with a full clock; banks and the count of draws stay.
    *unasked* are those who should have been asked before.
    Raises: Refused `game.not-running`, `rewind.number`, `rewind.amended`, `branch.begins`.
    """
    want_earlier(live, to)
    point, records, start = point_of(session, live, to)
    record = make_correction(live.ruleset, records, start, f"rewind {point}")
    live = enter(session, live, [(record, "gm")], now)
    status = "running" if live.game.status == "over" else live.game.status
    live = replace(live, game=replace(live.game, status=status, ended_at=None))
    live = asked_anew(live, now)
    fields = {"to": point, "asked": to, "reason": reason}
    note_act(session, live, "rewind", {**fields, "unasked": list(unasked)} if unasked else fields, now, who)
    tell_all(session, live, "game.rewound", fields, now)
    if unasked:
        tell_all(session, live, "undo.unasked", {"seats": list(unasked)}, now)
    return _go_on(session, live, now)


def want_earlier(live: Live, to: int) -> None:
    """
    See that *live* can be taken back, and that entry *to* is not its last one.

    Raises: Refused `game.not-running`, `rewind.number`.
    """
    if live.game.status not in ("running", "paused", "over", "branch"):
        raise Refused("game.not-running", game=live.game.id, status=live.game.status)
    if not 0 <= to < live.position.seq:
        raise Refused("rewind.number", to=to, last=live.position.seq)


def point_of(session: Session, live: Live, to: int) -> tuple[int, tuple[Record[Any], ...], Position[Any]]:
    """
    Return where the game can be taken up again at entry *to*: there, or where the round began that is half entered.

    The whole log, and the position before it, come along.
    Raises: Refused `rewind.amended`, `branch.begins`.
    """
    records, start = records_of(session, live), start_of(session, live)
    point = rewind_point(live.ruleset, records, start, to)
    first = last_amended(one.entry for one in records)
    if point < first:
        raise Refused("branch.begins" if live.is_branch else "rewind.amended", to=to, first=first)
    return point, records, start


def _go_on(session: Session, live: Live, now: datetime) -> Live:
    """Return the game after all that can be played now; a what-if waits with its draws, so that they can be chosen."""
    return _kept(session, live) if live.is_branch and live.owes_draw else advance(session, live, now)


def asked_anew(live: Live, now: datetime) -> Live:
    """Return *live*, whose position is another now, with nothing planned or wished, and all clocks started anew."""
    emptied = tuple(replace(one, plan=()) for one in live.holders)
    live = without_question(without_wishes(replace(live, holders=emptied)))
    return restart_clocks(live, _clock_time(live, now))


def without_question(live: Live) -> Live:
    """Return *live* with nobody asking, or being asked, whether to take it back."""
    holders = tuple(replace(one, undo_to=-1) for one in live.holders)
    return replace(live, game=replace(live.game, undo_to=-1, undo_reason=""), holders=holders)


def _clock_time(live: Live, now: datetime) -> datetime:
    """Return when a clock that is put now begins: `resume` adds the whole pause to every clock."""
    return live.game.paused_at or now


def play_for(session: Session, live: Live, seat: Seat, plan: Plan, reason: str, now: datetime) -> Live:
    """
    Return the game after the game master has answered for *seat* with *plan*, at once; its other lines stay planned.

    Where there are secrets only the seat itself is told what was played; the others learn what the rules show.
    Raises: Refused `game.not-running`, `play.not-played` if nothing of it could be entered.
    """
    _want_running(live)
    before = live.position.seq
    text = " · ".join(" : ".join(texts) for line in plan for texts in line.choices)
    open_to = {one.seat for one in live.holders if one.seat == seat or not live.ruleset.has_secrets}
    _tell_text(session, live, "gm.played", {"seat": seat, "text": text, "reason": reason}, open_to, now)
    note_act(session, live, "play", {"seat": seat, "text": text, "reason": reason}, now)
    answered = {line.key for line in plan}
    kept = tuple(line for line in live.holders[seat].plan if line.key not in answered)
    released = live.with_holder(replace(live.holders[seat], held_until=None))
    live = advance(session, released, now, plans={seat: (*kept, *plan)})
    if live.position.seq == before and not live.holders[seat].plan:
        raise Refused("play.not-played", text=text)
    return live


def _tell_text(
    session: Session, live: Live, key: str, fields: dict[str, Any], open_to: Collection[Seat], now: datetime
) -> None:
    """Tell all persons a fact; its `text` only to the seats in *open_to*."""
    for one in live.holders:
        if not one.bot:
            told = fields if one.seat in open_to else fields | {"text": ""}
            outbox.add_notice(session, live.game.id, one.seat, key, told, now, urgent=True)


def draw(session: Session, live: Live, text: str, reason: str, now: datetime) -> Live:
    """
    Return the game after the game master has chosen what chance draws; `verify` and the final report name it.

    Only who may know what was drawn is told it now. A paused game waits with its draws: pause, rewind, draw, resume.
    Raises: Refused `game.not-running`, `draw.not-owed`; EngineError for a text that chance could not draw.
    """
    if live.game.status not in ("running", "paused", "branch"):
        raise Refused("game.not-running", game=live.game.id, status=live.game.status)
    if not live.owes_draw:
        raise Refused("draw.not-owed", game=live.game.id)
    record = make_correction(live.ruleset, records_of(session, live), start_of(session, live), f"draw {text}")
    before = live
    live = enter(session, live, [(record, "gm")], now)
    live = run_clocks(before, live, _clock_time(live, now), now)
    note_act(session, live, "draw", {"text": text, "reason": reason}, now)
    open_to = {one.seat for one in live.holders if may_read(record, one.seat)}
    _tell_text(session, live, "gm.drew", {"text": text, "reason": reason}, open_to, now)
    return _go_on(session, live, now)


def replace_holder(
    session: Session, live: Live, seat: Seat, offer: SeatOffer, reason: str, now: datetime, *, who: str = "gm"
) -> Live:
    """
    Return the game with *seat* in other hands; letters with the old tag count no more.

    In an open game the new person is invited, and the game starts if all others have accepted.
    Raises: Refused `game.ended`, `bot.unknown`, `seat.person`, `seat.name`.
    """
    if game_ended(live.game):
        raise Refused("game.ended", game=live.game.id)
    old = live.holders[seat]
    former = "" if old.bot == NOBODY else old.name
    live = hand_over(session, live, seat, offer, _clock_time(live, now))
    part_from(session, old, "seat.lost", {"name": offer.name, "reason": reason}, now)
    fields = {"name": offer.name, "former": former, "bot": bool(offer.bot), "reason": reason}
    note_act(session, live, "replace", {"seat": seat, **fields}, now, who)
    tell_all(session, live, "seat.replaced", fields, now, but=seat)
    if not offer.bot:
        key = "seat.taken" if live.begun else "game.invited"
        told = {"former": former, "reason": reason} if live.begun else {"message": reason}
        outbox.add_notice(session, live.game.id, seat, key, told, now, urgent=True)
    elif live.game.status == "open" and all(one.accepted for one in live.holders):
        return start_game(session, live, now)
    return advance(session, live, now) if live.game.status == "running" else _kept(session, live)


def resign_seat(session: Session, live: Live, seat: Seat, offer: SeatOffer, now: datetime) -> Live:
    """Return the game after who held *seat* left it of his own will, to the bot of *offer*; all others are told."""
    old = live.holders[seat]
    former = old.name
    live = hand_over(session, live, seat, offer, _clock_time(live, now))
    part_from(session, old, "seat.left", {}, now)
    note_act(session, live, "resign", {"seat": seat, "name": offer.name, "former": former}, now, f"seat {seat}")
    stands_in = offer.bot == STAND_IN
    persons = sum(not one.bot for one in live.holders)
    fields = {"former": former, "bot": not stands_in, "alone": persons == 1}
    tell_all(session, live, "seat.resigned", fields, now, but=seat)
    alert = {"seat": seat, "former": former, "bot": not stands_in}
    outbox.add_notice(session, live.game.id, GM, "alert.resigned", alert, now, urgent=True)
    return advance(session, live, now) if live.game.status == "running" else _kept(session, live)


def _kept(session: Session, live: Live) -> Live:
    store_all(session, live)
    return live


def finish(session: Session, live: Live, reason: str, now: datetime, *, void: bool = False, who: str = "gm") -> Live:
    """
    Return the game ended here: with the standings as they are, or *void* without a result.

    *who*: PLAYERS where all of them agreed to it.
    Raises: Refused `game.ended`.
    """
    if game_ended(live.game):
        raise Refused("game.ended", game=live.game.id)
    if live.begun:
        record = make_correction(live.ruleset, records_of(session, live), start_of(session, live), "finish")
        live = enter(session, live, [(record, "gm")], now)
    status = "over" if live.begun and not void else "aborted"
    game = replace(live.game, status=status, void=void, ended_at=now, paused_at=None, paused_by="", next_due=None)
    holders = tuple(replace(one, plan=(), number=-1, deadline=None, put_at=None) for one in live.holders)
    if live.game.undo_to >= 0:
        told = {"to": live.game.undo_to, "how": "lapsed", "seat": GM}
        outbox.add_notice(session, live.game.id, GM, "alert.undo", told, now, urgent=True)
    live = without_question(without_wishes(replace(live, game=game, holders=holders)))
    note_act(session, live, "finish", {"void": void, "reason": reason}, now, who)
    if who == PLAYERS:
        tell_all(session, live, "end.agreed", {}, now)
    else:
        tell_all(session, live, "game.finished", {"void": void, "reason": reason}, now)
        end_waiting(session, live, "game.finished", {"void": void, "reason": reason}, now)
    if live.begun:
        tell_all(session, live, "game.over", {}, now)
    store_all(session, live)
    return live


def observe(session: Session, live: Live, offer: SeatOffer, reason: str, now: datetime) -> Live:
    """
    Return the game with one more person who looks on: he reads what everybody may know of it; the players are told.

    Raises: Refused `game.ended`, `observer.bot`, `observer.player`, `observer.known`, `observer.many`.
    """
    if game_ended(live.game):
        raise Refused("game.ended", game=live.game.id)
    if offer.bot:
        raise Refused("observer.bot", bot=offer.bot)
    person = people.meet_person(session, offer.name, offer.address, offer.language, offer.zone, offer.usual)
    one = add_observer(session, live, offer.name, person.id)
    note_act(session, live, "observe", {"name": offer.name, "reason": reason}, now)
    tell_all(session, live, "observer.added", {"name": offer.name, "reason": reason}, now)
    outbox.add_notice(session, live.game.id, one.seat, "observer.welcome", {"reason": reason}, now, urgent=True)
    return live


def stop_observing(session: Session, live: Live, one: Observer, reason: str, now: datetime, who: str = "gm") -> Live:
    """Return the game after *one* looks on no more; he and the players are told."""
    remove_observer(session, one)
    note_act(session, live, "unobserve", {"name": one.name, "reason": reason}, now, who)
    tell_all(session, live, "observer.removed", {"name": one.name, "reason": reason}, now)
    outbox.add_notice(session, live.game.id, one.seat, "observer.gone", {"reason": reason}, now, urgent=True)
    return live


def message(session: Session, live: Live, seats: Sequence[Seat], text: str, now: datetime, who: str = "gm") -> Live:
    """
    Return the game after the game master's *text* is on its way to *seats*.

    Raises: Refused `message.nobody` where only bots would get it.
    """
    persons = [one for one in live.holders if one.seat in seats and not one.bot]
    if not persons:
        raise Refused("message.nobody", game=live.game.id)
    for one in persons:
        outbox.add_notice(session, live.game.id, one.seat, "gm.message", {"message": text}, now, urgent=True)
    note_act(session, live, "message", {"seats": [one.seat for one in persons], "text": text}, now, who)
    return live


def _want_running(live: Live) -> None:
    if not live.running:
        raise Refused("game.not-running", game=live.game.id, status=live.game.status)
