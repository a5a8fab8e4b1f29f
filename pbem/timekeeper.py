"""`time`: holds that are over, reminders, defaults at the end of a clock, and bots."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from engine.core.bots import Bot, random_bot, roller
from engine.core.log import make_entry, may_read
from engine.core.play import Line, Plan, completeness, forced_text, join_moves, play_alone
from engine.core.ruleset import Ruleset
from engine.core.types import GM, Seat
from engine.registry import load, load_bot
from pbem.advance import advance, reminders_of, store_all
from pbem.bench import ANSWER_TIME, offer_or_tell, pass_on
from pbem.digest import note_digest
from pbem.lateness import absent, count_misses, wait_on
from pbem.live import Live, last_moment, records_of, stands_still, take_up
from pbem.opening import STAND_IN
from pbem.outage import is_unasked
from pbem.service import Service
from pbem.sleepers import is_last_call, sleep_of
from pbem.starting import has_waited_long
from pbem.store import games, letters, observers, outbox, people
from pbem.store.base import Session
from pbem.store.games import GOING_ON, SUBSTITUTE, Holder
from pbem.taking_back import watch_questions

GRACE = timedelta(hours=24)
"""How long a held letter of the seat, with its valid tag, puts off a default, once a decision."""

SILENCE = timedelta(hours=24)
"""After so long without a fetch the game master is told."""


def keep_time(service: Service, now: datetime) -> int:
    """Return how many games were looked at because their time had come."""
    _watch_mailbox(service, now)
    _watch_rules(service, now)
    _pass_offers_on(service, now)
    count = _look_at_due(service, now)
    watch_questions(service, now)
    note_digest(service, now)
    return count


def _look_at_due(service: Service, now: datetime) -> int:
    """Return how many games were looked at because their time had come."""
    seen: dict[int, int] = {}
    while True:
        with service.store.read() as session:
            due = [one for one in games.due_games(session, now) if not stands_still(games.get_game(session, one))]
        progress = False
        for number in due:
            with service.store.read() as session:
                live = take_up(session, number)
            plans = bot_plans(live) | late_plans(live, now)
            with service.store.write() as session:
                fresh = take_up(session, number)
                usable = plans if fresh.position.seq == live.position.seq else {}
                after = look_at(session, service, fresh, usable, now)
            progress = progress or after.position.seq != fresh.position.seq
            seen[number] = 1
        if not progress:
            return len(seen)


def bot_plans(live: Live) -> dict[Seat, Plan]:
    """Return an answer for every bot that owes one: asked outside any transaction, on the supposed position."""
    owed = live.owed()
    return {
        one.seat: bot_plan(live, one.seat, one.answered_by, () if one.bot else one.plan)
        for one in live.holders
        if one.answered_by and one.seat in owed
    }


def late_plans(live: Live, now: datetime) -> dict[Seat, Plan]:
    """Return what a bot answers for those whose time is up, behind what they planned, where the game has it so."""
    if live.game.late != "bot":
        return {}
    owed = live.owed()
    return {
        one.seat: bot_plan(live, one.seat, SUBSTITUTE, one.plan)
        for one in live.holders
        if last_moment(one, now) and one.seat in owed and not one.answered_by
    }


def bot_plan(live: Live, seat: Seat, name: str, plan: Plan = ()) -> Plan:
    """Return *plan* with what bot *name* adds, move by move, until the seat owes nothing or something else comes."""
    chooser = _bot(live, seat, name)
    key, occasion = "", 0
    position = play_alone(live.ruleset, live.position, seat, plan).position if plan else live.position
    texts: list[str] = []
    while True:
        owed = next((one for one in position.owed(live.ruleset) if one.decision.seat == seat), None)
        if owed is None:
            break
        if not texts:
            key, occasion = owed.decision.key, owed.decision.occasion
        text = forced_text(live.ruleset, position, owed.decision)
        text = text or live.ruleset.grammar.format_move(chooser(live.ruleset, position.state, seat))
        texts.append(text)
        position = make_entry(live.ruleset, position, seat, text).position
    return (*plan, Line(key, (tuple(texts),), occasion)) if texts else plan


def _bot(live: Live, seat: Seat, name: str) -> Bot:
    if name == "greedy":
        return load_bot(live.game.ruleset)
    if name == STAND_IN:
        return _by_default
    return random_bot(roller(f"{live.game.commitment} {live.position.seq} {seat}".encode()))


def _by_default(ruleset: Ruleset[Any, Any, Any], state: Any, seat: Seat) -> Any:  # noqa: ANN401 - of any title
    """Return what the rules answer for *seat* at a deadline."""
    return ruleset.default(state, seat)


def look_at(session: Session, service: Service, live: Live, plans: dict[Seat, Plan], now: datetime) -> Live:
    """
    Return *live* after what its clocks, holds and bots lead to; of an open game, that it is not full yet.

    *plans* are those of bots, some of them for who is late.
    """
    if live.game.status == "open":
        return has_waited_long(session, live, now)
    live = _remind(session, live, now)
    late = [one for one in live.holders if last_moment(one, now) and one.seat in live.owed()]
    due = [one.seat for one in late if _may_decide(session, service, one, now)]
    live = _grant_grace(session, live, [one for one in late if one.seat not in due], now)
    if any(_is_unread(session, service, one, now) for one in live.holders):
        return live
    missed = [seat for seat in due if not live.holders[seat].overdue]
    never = absent(session, live, missed)
    if live.game.late == "wait":
        live = wait_on(session, live, due, now)
        due = []
    usable = {seat: plan for seat, plan in plans.items() if live.holders[seat].answered_by or seat in due}
    before = live.position.seq
    live = advance(session, live, now, plans=usable, due=due)
    _tell_late(session, live, due, before, now)
    counted = count_misses(session, live, missed, never, now)
    if counted != live:
        store_all(session, counted)
    if service.settings.play.resign == "bench":
        for seat in missed:
            if counted.holders[seat].stand_in and counted.running:
                offer_or_tell(session, counted, seat, now)
    return counted


def _tell_late(session: Session, live: Live, due: Sequence[Seat], before: int, now: datetime) -> None:
    """Note for everybody what was played for those who came too late, as far as each may read it."""
    if not due:
        return
    causes = {one.entry.seq: one.cause for one in games.read_log(session, live.game.id)}
    played = ("default", "line") if live.game.late == "bot" else ("default",)
    late = [one for one in records_of(session, live)[before:] if causes[one.entry.seq] in played]
    for seat in due:
        made = [one for one in late if one.entry.seat == seat]
        for holder in live.holders if made else ():
            if not holder.bot:
                text = join_moves(tuple(one.entry.text for one in made if may_read(one, holder.seat)))
                outbox.add_notice(
                    session, live.game.id, holder.seat, "seat.late", {"seat": seat, "text": text}, now, urgent=True
                )


def _remind(session: Session, live: Live, now: datetime) -> Live:
    holders = []
    for one in live.holders:
        gone = sum(when <= now for when in reminders_of(live.clock, one))
        if gone <= one.reminded or one.deadline is None or now >= one.deadline or not _may_remind(session, one, now):
            holders.append(one)
            continue
        left = int((one.deadline - now).total_seconds() // 3600)
        answered = completeness(live.ruleset, live.position, one.seat, one.plan) == "complete"
        if not answered and one.reminders:
            outbox.add_notice(session, live.game.id, one.seat, "clock.reminder", {"hours": left}, now, urgent=True)
        holders.append(replace(one, reminded=gone))
    return replace(live, holders=tuple(holders))


def _may_remind(session: Session, holder: Holder, now: datetime) -> bool:
    """Return whether a reminder may go now: the question went before; in quiet hours it goes with a last call alone."""
    place = (holder.game, holder.seat)
    sleep = sleep_of(session, place, now)
    return not is_unasked(session, holder) if sleep is None else is_last_call(session, place, sleep, now)


def _may_decide(session: Session, service: Service, holder: Holder, now: datetime) -> bool:
    """
    Return whether a default may be played.

    Mail up to the deadline must have been read, the question must have been sent, and no letter of the seat be held.
    """
    assert holder.deadline is not None
    if not _was_read(session, service, holder.deadline) or is_unasked(session, holder):
        return False
    held = letters.has_held_letter(session, holder.game, holder.seat)
    return not held or now >= holder.deadline + GRACE


def _is_unread(session: Session, service: Service, holder: Holder, now: datetime) -> bool:
    """Return whether the hold of a plan has run out, but a letter that changes it may lie unread in the mailbox."""
    return (
        holder.held_until is not None
        and now >= holder.held_until
        and not _was_read(session, service, holder.held_until)
    )


def _was_read(session: Session, service: Service, until: datetime) -> bool:
    mailbox = letters.get_mailbox(session, service.mailbox_name)
    return mailbox is not None and mailbox.good_at is not None and mailbox.good_at >= until


def _grant_grace(session: Session, live: Live, waiting: Sequence[Holder], now: datetime) -> Live:
    """Tell the game master, once a decision, that a held letter puts off a default."""
    holders = list(live.holders)
    for one in waiting:
        if not one.extended and letters.has_held_letter(session, live.game.id, one.seat):
            held = [item for item in letters.list_letters(session, "held", game=live.game.id) if item.seat == one.seat]
            fields = {"letter": held[-1].id, "reason": held[-1].reason}
            outbox.add_notice(session, live.game.id, GM, "alert.held", fields, now, urgent=True)
            holders[one.seat] = replace(one, extended=True)
    live = replace(live, holders=tuple(holders))
    store_all(session, live)
    return live


def _pass_offers_on(service: Service, now: datetime) -> None:
    """Offer seats to the next of the bench that were offered for too long; not while unread letters may take them."""
    with service.store.read() as session:
        lapsed = observers.offers_before(session, now - ANSWER_TIME)
        lapsed = [one for one in lapsed if one.since and _was_read(session, service, one.since + ANSWER_TIME)]
    for one in lapsed:
        with service.store.write() as session:
            fresh = observers.get_observer(session, one.game, one.seat)
            if fresh == one:
                pass_on(session, take_up(session, one.game), one, "bench.lapsed", now)


def _watch_mailbox(service: Service, now: datetime) -> None:
    """Tell the game master, once, that the mailbox was not read for a day while games run."""
    name = service.mailbox_name
    with service.store.read() as session:
        mailbox = letters.get_mailbox(session, name)
        idle = not games.has_games(session, "running")
    if idle or mailbox is None or mailbox.good_at is None or mailbox.alarmed or now - mailbox.good_at < SILENCE:
        return
    with service.store.write() as session:
        letters.save_mailbox(session, replace(mailbox, alarmed=True))
        hours = int((now - mailbox.good_at).total_seconds() // 3600)
        outbox.add_notice(session, None, GM, "alert.no-mail", {"hours": hours}, now, urgent=True)


def _watch_rules(service: Service, now: datetime) -> None:
    """Tell the game master, once for each version, which games stand still until `upgrade` has taken them up."""
    with service.store.read() as session:
        played = games.rules_played(session, *GOING_ON)
        others = {title: load(title).rules for title, rules in played if rules != load(title).rules}
        version = " ".join(f"{title}:{rules}" for title, rules in others.items())
        if not others or people.get_finding(session, "outdated") == version:
            return
        still = [one.id for one in games.list_games(session, *GOING_ON) if stands_still(one)]
    with service.store.write() as session:
        people.set_finding(session, "outdated", version, now)
        outbox.add_notice(session, None, GM, "alert.upgrade", {"numbers": still}, now, urgent=True)
