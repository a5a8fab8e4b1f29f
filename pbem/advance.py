"""Plans to entries in the store: the one place where a game moves on, with its clocks and its notices."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from engine.core.log import Record, next_link
from engine.core.play import Made, Plan, Played, Told, completeness, join_moves, play
from engine.core.types import GM, Seat
from pbem.clock import Clock
from pbem.journal import note
from pbem.knowable import entry_facts, visible
from pbem.live import Live, want_same_rules
from pbem.observing import show_entries, tell_observers
from pbem.reliability import count_answers
from pbem.store import games, outbox
from pbem.store.base import Session
from pbem.store.games import ENDED, Game, Holder, Logged

WISHES = {"wants_end": "end.lapsed", "wants_pause": "pause.lapsed"}
"""What all persons must agree to, by the column of the wish -> what is told when the round ends without that."""


def advance(
    session: Session,
    live: Live,
    now: datetime,
    *,
    plans: Mapping[Seat, Plan] | None = None,
    due: Collection[Seat] = (),
    letter: int | None = None,
    answered_at: datetime | None = None,
) -> Live:
    """
    Return the game after all that can be played now, stored with its clocks and notices.

    *plans* replace those of their seats first. *answered_at* is when the answer came, if not *now*: time used is
    counted up to it.
    Raises: Refused `game.outdated` before `upgrade` has taken the game up.
    """
    want_same_rules(live)
    live = with_plans(live, plans or {})
    if not live.running:
        store_all(session, live)
        return live
    held = {one.seat for one in live.holders if one.held_until is not None and one.held_until > now}
    played = play(
        live.ruleset,
        live.position,
        {one.seat: one.plan for one in live.holders},
        live.dice,
        held=held,
        due=due,
    )
    before = live
    live = enter(session, live, [(made.record, made.cause) for made in played.made], now, letter=letter)
    live = with_plans(live, played.plans)
    live = run_clocks(before, live, now, answered_at or now)
    count_answers(session, before, live, played.made, due)
    live = _forget_misses(live, played.made, due)
    live = _end(live, now)
    tell_entries(session, live, played.made, now)
    live = _forget_wishes(session, live, played.made, now)
    tell_plans(session, live, played.told, now)
    tell_planned(session, before, played, now)
    live = ask(session, live, now)
    store_all(session, live)
    if played.made:
        entries, length = len(played.made), live.position.seq
        note(session, "game.advanced", game=live.game.id, entries=entries, length=length, status=live.game.status)
    return live


def with_plans(live: Live, plans: Mapping[Seat, Plan]) -> Live:
    """Return *live* with *plans* in place of what their seats had planned."""
    return replace(live, holders=tuple(replace(one, plan=plans.get(one.seat, one.plan)) for one in live.holders))


def enter(
    session: Session,
    live: Live,
    records: Sequence[tuple[Record[Any], str]],
    now: datetime,
    *,
    letter: int | None = None,
) -> Live:
    """Return *live* after *records*, each with its cause; they are appended to the log and to the chain."""
    link, dice, logged = live.game.link, live.dice, []
    for record, cause in records:
        link = next_link(link, dice, record.entry)
        owed = record.decision
        logged.append(
            Logged(
                record.entry,
                link,
                cause,
                now,
                key=owed.decision.key if owed else "",
                occasion=owed.decision.occasion if owed else 0,
                number=owed.number if owed else -1,
                letter=letter,
            )
        )
    games.append_log(session, live.game.id, logged)
    position = records[-1][0].position if records else live.position
    return replace(live, game=games.with_position(live.game, position, link), position=position)


def run_clocks(before: Live, after: Live, now: datetime, answered_at: datetime) -> Live:
    """Return *after* with the clocks of decisions that were answered stopped, and those of new ones started."""
    clock = after.clock
    owed = after.owed()
    holders = []
    for old, new in zip(before.holders, after.holders, strict=True):
        number = owed.get(new.seat, -1)
        if number == old.number:
            holders.append(_stopped_or_started(after, new, clock, now, answered_at))
            continue
        bank = _bank_after(old, clock, answered_at)
        put = _put(after, replace(new, bank=bank, held_until=new.held_until if new.plan else None), number, now)
        holders.append(_stopped_or_started(after, put, clock, now, now))
    return replace(after, holders=tuple(holders))


def _stopped_or_started(live: Live, holder: Holder, clock: Clock, now: datetime, answered_at: datetime) -> Holder:
    """Return *holder*, whose decision stands: its clock stops when its plan answers all, and runs on when not."""
    if holder.number < 0 or holder.answered_by or holder.put_at is None:
        return holder
    is_answered = completeness(live.ruleset, live.position, holder.seat, holder.plan) == "complete"
    if is_answered and holder.deadline is not None:
        bank = _bank_after(holder, clock, answered_at)
        return replace(holder, bank=bank, deadline=None, belated=holder.belated or bank < holder.bank)
    if not is_answered and holder.deadline is None:
        free_until = clock.after(holder.put_at, live.free_for(holder.seat))
        return replace(holder, deadline=clock.after(max(holder.begins(now), free_until), holder.bank))
    return holder


def _bank_after(holder: Holder, clock: Clock, answered_at: datetime) -> timedelta:
    """Return what is left of the bank: all of it, or the time to the deadline, if that is less."""
    if holder.deadline is None:
        return holder.bank
    return max(timedelta(), min(holder.bank, clock.between(answered_at, holder.deadline)))


def restart_clocks(live: Live, now: datetime) -> Live:
    """Return *live* with all clocks of owed decisions started anew, banks as they are."""
    owed = live.owed()
    holders = (_put(live, replace(one, held_until=None), owed.get(one.seat, -1), now) for one in live.holders)
    return replace(live, holders=tuple(holders))


def _put(live: Live, holder: Holder, number: int, now: datetime) -> Holder:
    """Return *holder* who owes the decision *number*, -1 none, from *now* on, with the clock for it."""
    begin, runs = holder.begins(now), number >= 0 and not holder.answered_by
    return replace(
        holder,
        number=number,
        put_at=begin if number >= 0 else None,
        deadline=live.clock.after(begin, live.free_for(holder.seat) + holder.bank) if runs else None,
        reminded=0,
        belated=False,
        extended=False,
        overdue=False,
    )


def reminders_of(clock: Clock, holder: Holder) -> tuple[datetime, ...]:
    """Return when *holder* is reminded, the last time when its deadline is near; nothing if no clock runs."""
    if holder.deadline is None or holder.put_at is None:
        return ()
    return clock.reminders(holder.put_at, holder.deadline)


def reminder_at(clock: Clock, holder: Holder) -> datetime | None:
    """Return when *holder* is reminded next, or None if no clock runs or no reminder is left."""
    return next(iter(reminders_of(clock, holder)[holder.reminded :]), None)


def _next_due(live: Live, now: datetime) -> datetime | None:
    """Return when the timekeeper should look at the game next."""
    if live.game.status != "running":
        return None
    owed = live.owed()
    moments = [now] if any(one.answered_by and one.seat in owed and not one.plan for one in live.holders) else []
    for one in live.holders:
        clock = () if one.overdue else (reminder_at(live.clock, one), one.deadline)
        hold = one.held_until if one.held_until is not None and one.held_until > now else None  # else it has no effect
        moments += [when for when in (*clock, hold) if when is not None]
    return min(moments, default=None)


def _forget_misses(live: Live, made: Sequence[Made[Any]], due: Collection[Seat]) -> Live:
    """Return *live* with no misses of persons who have answered; what was played for those *due* was not theirs."""
    answered = {one.record.entry.seat for one in made if one.cause == "line"}.difference(due)
    return replace(
        live,
        holders=tuple(
            replace(one, missed=0) if one.seat in answered and not one.stand_in else one for one in live.holders
        ),
    )


def _end(live: Live, now: datetime) -> Live:
    if live.position.owed(live.ruleset) or live.is_branch:
        return live
    return replace(live, game=replace(live.game, status="over", ended_at=now))


def _forget_wishes(session: Session, live: Live, made: Sequence[Made[Any]], now: datetime) -> Live:
    """Return *live* without wishes to end or pause it, once a round has ended without all agreeing; all are told."""
    news = live.ruleset.vocabulary.news
    if not any(event.key in news for one in made for event in one.record.events):
        return live
    for wish, key in WISHES.items():
        if live.running and any(getattr(one, wish) for one in live.holders):
            for holder in live.holders:
                if not holder.bot:
                    outbox.add_notice(session, live.game.id, holder.seat, key, {}, now, urgent=False)
    return without_wishes(live)


def without_wishes(live: Live, wishes: Collection[str] = tuple(WISHES)) -> Live:
    """Return *live* with nobody having any of those *wishes* that all must agree to."""
    changed = dict.fromkeys(wishes, False)
    return replace(live, holders=tuple(replace(one, **changed) for one in live.holders))


def tell_entries(session: Session, live: Live, made: Sequence[Made[Any]], now: datetime) -> None:
    """Note for every seat what it may know of the entries *made*; urgent where a report should go for it."""
    if not made:
        return
    show_entries(session, live, made, now)
    for holder in live.holders:
        if holder.bot:
            continue
        seat, urgent = holder.seat, holder.watch == "all"
        entries = [entry_facts(one, seat) for one in made]
        for one in made:
            events, entry = visible(one.record.events, seat), one.record.entry
            urgent = urgent or (holder.watch != "mine" and any(e.key in live.ruleset.vocabulary.news for e in events))
            urgent = urgent or (entry.seat not in (seat, GM) and any(("seat", seat) in e.fields for e in events))
        outbox.add_notice(session, live.game.id, seat, "entries", {"entries": entries}, now, urgent=urgent)
    if live.game.status == "over":
        tell_all(session, live, "game.over", {}, now)


def tell_plans(session: Session, live: Live, told: Sequence[Told], now: datetime) -> None:
    """Note what became of the lines of each seat's own plan."""
    for one in told:
        if not live.holders[one.seat].bot:
            outbox.add_notice(session, live.game.id, one.seat, one.key, dict(one.fields), now, urgent=True)


def tell_planned(session: Session, before: Live, played: Played[Any], now: datetime) -> None:
    """Note to each person that his plan has answered what he was not asked before; not where it is told anyway."""
    told = {one.seat for one in played.told if one.key in ("plan.second", "plan.fired")}
    for holder in before.holders:
        records = [
            made.record for made in played.made if made.cause == "line" and made.record.entry.seat == holder.seat
        ]
        owed = records[0].decision if records else None
        if owed is None or holder.bot or holder.seat in told or owed.number <= max(holder.asked, holder.number):
            continue
        text = join_moves(tuple(record.entry.text for record in records))
        outbox.add_notice(session, before.game.id, holder.seat, "plan.first", {"text": text}, now, urgent=False)


def tell_all(
    session: Session, live: Live, key: str, fields: dict[str, Any], now: datetime, but: Seat | None = None
) -> None:
    """Note an urgent fact for every person in the game, *but* for one seat; also for who looks on, if it is public."""
    tell_observers(session, live, key, fields, now)
    for holder in live.holders:
        if not holder.bot and holder.seat != but:
            outbox.add_notice(session, live.game.id, holder.seat, key, fields, now, urgent=True)


def ask(session: Session, live: Live, now: datetime) -> Live:
    """Return *live* after an urgent notice to each person who owes what he was not asked yet and has no plan for."""
    owed = live.owed()
    holders = []
    for one in live.holders:
        number = owed.get(one.seat, -1)
        asking = live.running and number >= 0 and number != one.asked and not one.answered_by
        if asking and completeness(live.ruleset, live.position, one.seat, one.plan) != "complete":
            outbox.add_notice(session, live.game.id, one.seat, "ask", {"number": number}, now, urgent=True)
            holders.append(replace(one, asked=number))
        else:
            holders.append(one)
    return replace(live, game=replace(live.game, next_due=_next_due(live, now)), holders=tuple(holders))


def store_all(session: Session, live: Live) -> None:
    """Store the game and its seats over what is there."""
    games.save_game(session, live.game)
    for holder in live.holders:
        games.save_holder(session, holder)


def ended(game: Game) -> bool:
    """Return whether nothing is played any more in *game*."""
    return game.status in ENDED
