"""
`judge`: one letter, one transaction.

The count of tries is committed before each try, so a letter that kills the judge is held after the third. Before the
commit of its transaction a crash leaves a letter unjudged; after it nothing is done twice.
"""

import traceback
from collections import Counter
from datetime import datetime

from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.desk.counter import serve
from pbem.desk.values import Visit
from pbem.errors import TryLater
from pbem.gate import chain, checks
from pbem.gate.bounces import read_bounce
from pbem.gate.chain import Ruling
from pbem.gate.checks import JudgedTag, LetterFacts
from pbem.gate.tags import Tag, find_tags, is_valid
from pbem.live import take_up
from pbem.mail.letter import Letter, read_letter
from pbem.post.strangers import answer_stranger
from pbem.service import Service
from pbem.store import games, letters, outbox, people
from pbem.store.base import Session
from pbem.store.letters import Stored

MOST_TRIES = 3

REPLIES = {
    "duplicate": "order.again",
    "tag.bad": "letter.bad-tag",
    "tag.old": "letter.old-tag",
    "tag.conflict": "letter.conflict",
    "encrypted": "letter.encrypted",
    "winmail": "letter.unreadable",
    "too-big": "letter.too-big",
    "forward-only": "letter.forwarded",
    "empty": "order.nothing",
}
"""The key of a ruling that is answered -> what the sender is told."""


def judge_all(service: Service, now: datetime) -> Counter[str]:
    """Return how many letters were `accepted`, `kept`, `refused`, `held` and `dropped`."""
    counts: Counter[str] = Counter()
    while (outcome := judge_next(service, now)) is not None:
        counts[outcome] += 1
    return counts


def judge_next(service: Service, now: datetime) -> str | None:
    """Return what became of the next letter, or None if there is none."""
    with service.store.write() as session:
        stored = letters.next_letter(session)
        if stored is None:
            return None
        if stored.tries >= MOST_TRIES:
            seat = _seat_of_crashed(session, service, stored)
            _hold(session, stored, "crashed", now, seat)
            alert = {"letter": stored.id, "error": stored.error.strip().rpartition("\n")[2][:200]}
            outbox.add_notice(session, seat[0] if seat else None, GM, "alert.letter-crashed", alert, now, urgent=True)
            return "held"
        letters.change_letter(session, stored.id, tries=stored.tries + 1)
    try:
        with service.store.write() as session:
            return judge(session, service, stored, now)
    except TryLater:
        raise
    except Exception:  # noqa: BLE001 - the door of one letter: it must not stop the others
        with service.store.write() as session:
            letters.change_letter(session, stored.id, error=traceback.format_exc())
        return "failed"


def _seat_of_crashed(session: Session, service: Service, stored: Stored) -> tuple[int, Seat] | None:
    """Return the seat that a letter which cannot be judged belongs to, if even that can be told."""
    try:
        return _seat(_facts(session, service, stored, read_letter(stored.raw)), stored)
    except Exception:  # noqa: BLE001 - this letter has crashed the judge before
        return None


def judge(session: Session, service: Service, stored: Stored, now: datetime) -> str:
    """Judge one letter in the transaction of *session* and return what became of it."""
    letter = read_letter(stored.raw)
    facts = _facts(session, service, stored, letter)
    ruling = chain.judge(facts)
    seat = _seat(facts, stored)
    if stored.reason == "confirmed" and seat is not None and ruling.key in ("tag.missing", "sender.unknown"):
        ruling = chain.ACCEPTED
    if ruling.verdict == "accept" and seat is not None:
        tag = checks.answered_tag(facts)
        holder = games.get_holders(session, seat[0])[seat[1]]
        if holder.unreachable:
            games.save_holder(session, replace(holder, unreachable=False))
        visit = Visit(letter, stored, seat[0], seat[1], None if tag is None else tag.decision)
        outcome = serve(session, service, visit, now)
        _done(session, stored, "done", outcome, seat, now)
        return outcome
    if ruling.verdict == "hold":
        return _confirm(session, service, stored, facts, now)
    if ruling.verdict == "reply":
        if seat is None and facts.person is not None:
            seat = next(iter(games.seats_of_person(session, facts.person)), None)
        if ruling.key == "tag.bad" and any(_was_valid(session, service, one.tag) for one in facts.tags):
            ruling = Ruling(ruling.verdict, "tag.old")
        _reply(session, service, stored, ruling, seat, now)
        return "refused"
    _drop(session, stored, facts, ruling, now)
    return "dropped"


def _facts(session: Session, service: Service, stored: Stored, letter: Letter) -> LetterFacts:
    tags = tuple(
        JudgedTag(found.tag, found.carrier, _is_valid(session, service, found.tag)) for found in find_tags(letter)
    )
    person = people.find_person(session, letter.sender.address) if letter.sender.address else None
    seat = next(((one.tag.game, Seat(one.tag.seat)) for one in tags if one.valid), None)
    status = games.get_game(session, seat[0]).status if seat else ""
    repeat = seat is not None and letters.is_repeat(session, stored, letter.message_id, letter.body_hash, *seat)
    return LetterFacts(
        letter,
        tags,
        person=None if person is None else person.id,
        shared=service.settings.mail.shared,
        game_status=status,
        duplicate=repeat,
        own_id=bool(letter.message_id) and outbox.find_mail(session, letter.message_id) is not None,
        size=stored.size,
        truncated=stored.truncated,
    )


def _is_valid(session: Session, service: Service, tag: Tag) -> bool:
    holders = games.get_holders(session, tag.game)
    return tag.seat < len(holders) and is_valid(service.key, tag, holders[tag.seat].epoch)


def _was_valid(session: Session, service: Service, tag: Tag) -> bool:
    """Return whether *tag* proved its seat once: before the seat changed hands, or its secret was changed."""
    holders = games.get_holders(session, tag.game)
    return tag.seat < len(holders) and any(
        is_valid(service.key, tag, epoch) for epoch in range(holders[tag.seat].epoch)
    )


def _seat(facts: LetterFacts, stored: Stored) -> tuple[int, Seat] | None:
    """Return game and seat that a valid tag names; without one those of a letter that was confirmed."""
    tag = checks.answered_tag(facts)
    if tag is not None:
        return tag.game, Seat(tag.seat)
    if stored.reason == "confirmed" and stored.game is not None and stored.seat is not None:
        return stored.game, Seat(stored.seat)
    return None


def _confirm(session: Session, service: Service, stored: Stored, facts: LetterFacts, now: datetime) -> str:
    """Hold a letter of a known address without a tag, and ask its registered address for one tap."""
    assert facts.person is not None, "strangers were answered before"
    seats = games.seats_of_person(session, facts.person)
    if not seats:
        answer_stranger(session, service, facts.letter.sender.address, now)
        _done(session, stored, "done", "answered.stranger", None, now)
        return "refused"
    named = [one for one in seats if f" {one[0]}]" in facts.letter.subject]
    waiting = [one for one in seats if one[1] in take_up(session, one[0]).owed()]
    seat = (named or waiting or seats)[0]
    _hold(session, stored, "tag.missing", now, seat)
    fields = {"address": facts.letter.sender.address, "letter": stored.id}
    outbox.add_notice(session, seat[0], seat[1], "letter.confirm", fields, now, urgent=True)
    return "held"


def _reply(
    session: Session,
    service: Service,
    stored: Stored,
    ruling: Ruling,
    seat: tuple[int, Seat] | None,
    now: datetime,
) -> None:
    """Tell the seat why its letter was not read; a stranger gets one short answer a day."""
    if seat is None or ruling.key not in REPLIES:
        answered = answer_stranger(session, service, stored.sender, now)
        _done(session, stored, "done", "answered.stranger" if answered else ruling.key, seat, now)
        return
    live = take_up(session, seat[0])
    key = REPLIES[ruling.key]
    if not live.holders[seat[1]].bot:
        fields = {"size": stored.size} if key == "letter.too-big" else {}
        outbox.add_notice(session, seat[0], seat[1], key, fields, now, urgent=True)
    _done(session, stored, "done", ruling.key, seat, now)


def _drop(session: Session, stored: Stored, facts: LetterFacts, ruling: Ruling, now: datetime) -> None:
    """Answer nobody; tell the game master what he should know: a bounce, an absence."""
    seat = _seat(facts, stored)
    if ruling.key == "bounce":
        seat = _bounced(session, facts.letter, now) or seat
    elif seat is not None and (ruling.key == "robot.absent" or _says_away(facts.letter)):
        outbox.add_notice(session, seat[0], GM, "alert.away", {"seat": seat[1]}, now, urgent=True)
    _done(session, stored, "dropped", ruling.key, seat, now)


def _says_away(letter: Letter) -> bool:
    """Return whether the header of RFC 3834 calls it an automatic reply."""
    return letter.header("Auto-Submitted").strip().lower().startswith("auto-replied")


def _bounced(session: Session, letter: Letter, now: datetime) -> tuple[int, Seat] | None:
    """Match a delivery report to the mail that it is about; after a final one the seat is unreachable."""
    bounce = read_bounce(letter)
    mail = outbox.get_mail(session, int(bounce.outbox)) if bounce.outbox.isdigit() else None
    mail = mail or (outbox.find_mail(session, bounce.message_id) if bounce.message_id else None)
    if mail is None or mail.game is None or mail.seat < 0:
        return None
    if bounce.outcome == "failed":
        outbox.change_mail(session, mail.id, status="failed", error=f"bounce {bounce.status}")
        holder = games.get_holders(session, mail.game)[mail.seat]
        if not holder.unreachable:
            outbox.add_notice(session, mail.game, GM, "alert.unreachable", {"seat": mail.seat}, now, urgent=True)
            games.save_holder(session, replace(holder, unreachable=True))
    return mail.game, mail.seat


def _hold(session: Session, stored: Stored, reason: str, now: datetime, seat: tuple[int, Seat] | None = None) -> None:
    _done(session, stored, "held", reason, seat, now)


def _done(
    session: Session, stored: Stored, status: str, reason: str, seat: tuple[int, Seat] | None, now: datetime
) -> None:
    values: dict[str, object] = {"status": status, "reason": reason, "judged_at": now}
    if seat is not None:
        values |= {"game_id": seat[0], "seat": seat[1]}
    letters.change_letter(session, stored.id, **values)
