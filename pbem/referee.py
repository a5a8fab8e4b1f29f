"""
`judge`: one letter, one transaction.

The count of tries is committed before each try, so a letter that kills the judge is held after the third. Before the
commit of its transaction a crash leaves a letter unjudged; after it nothing is done twice.
"""

import traceback
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem.desk.counter import serve
from pbem.desk.looking import serve_observer
from pbem.desk.values import Outcome, Visit
from pbem.desk.waiting import serve_waiting
from pbem.door import answer_wish
from pbem.errors import TryLater
from pbem.gate import chain, checks
from pbem.gate.budget import Answered, silence
from pbem.gate.chain import Ruling
from pbem.gate.checks import LetterFacts
from pbem.gate.robots import says_absent
from pbem.inquiry import Place, claimed_seat, inquire, is_lent, named_game, proved_master, proved_seat, was_valid
from pbem.journal import forget_noted, note
from pbem.live import stands_still, take_up
from pbem.mail.letter import Letter, read_letter
from pbem.masters import find_master
from pbem.office import counter
from pbem.office.counter import UNPROVED, Proved
from pbem.post.strangers import answer_stranger
from pbem.returned import take_back
from pbem.service import Service
from pbem.store import games, letters, outbox
from pbem.store.base import Session
from pbem.store.letters import Stored
from pbem.store.observers import get_observer, is_observer

_MASTERS = (None, GM)
"""The place of letters of the game master and his deputies."""

MOST_TRIES = 3
MOST_ASKED = 5
"""Letters without a tag that a seat is asked about in a day."""

DAY = timedelta(days=1)

REPLIES = {
    "duplicate": "order.again",
    "tag.bad": "letter.bad-tag",
    "tag.old": "letter.old-tag",
    "tag.lent": "letter.lent-tag",
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
            seat = _seat_of_crashed(session, service, stored, now)
            _done(session, stored, "held", "crashed", seat, now)
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
            note(session, "letter.crashed", letter=stored.id, tries=stored.tries + 1)
        return "failed"


def _seat_of_crashed(session: Session, service: Service, stored: Stored, now: datetime) -> Place | None:
    """Return the seat that a letter which cannot be judged belongs to, if even that can be told."""
    try:
        return proved_seat(inquire(session, service, stored, read_letter(stored.raw), now), stored)
    except Exception:  # noqa: BLE001 - this letter has crashed the judge before
        return None


def judge(session: Session, service: Service, stored: Stored, now: datetime) -> str:
    """Judge one letter in the transaction of *session* and return what became of it."""
    letter = read_letter(stored.raw)
    facts = inquire(session, service, stored, letter, now)
    ruling = chain.judge(facts)
    proved = proved_master(service, facts)
    if proved is not None:
        return _judge_masters(session, service, Proved(stored, letter, *proved), ruling, now)
    return _judge(session, service, stored, facts, ruling, now)


def _judge(
    session: Session, service: Service, stored: Stored, facts: LetterFacts, ruling: Ruling, now: datetime
) -> str:
    """Return what became of a letter that is no master's."""
    seat = proved_seat(facts, stored)
    if stored.reason == "confirmed" and seat is not None and ruling.key in ("tag.missing", "sender.unknown"):
        ruling = chain.ACCEPTED
    if ruling.verdict in ("accept", "reply") and _waits(session, seat):
        _done(session, stored, "held", "outdated", seat, now)
        return "held"
    if ruling.verdict == "accept" and seat is not None:
        return _serve(session, service, stored, facts, seat, now)
    if ruling.verdict == "hold":
        return _hold(session, service, stored, facts, ruling, now)
    if ruling.key == "wish":
        return _answer_wish(session, service, stored, facts, now)
    if ruling.verdict == "reply":
        return _turn_away(session, service, stored, facts, ruling, now)
    _drop(session, service, stored, facts, ruling, now)
    return "dropped"


def _turn_away(
    session: Session, service: Service, stored: Stored, facts: LetterFacts, ruling: Ruling, now: datetime
) -> str:
    """Answer a letter that is not read: to the seat that it proves, or one of its sender's."""
    seat = proved_seat(facts, stored)
    if seat is None and facts.master and ruling.key in UNPROVED:
        return _answer_unproved(session, service, stored, facts, ruling, now)
    if seat is None and facts.person is not None:
        held = games.seats_of_person(session, facts.person)
        seat = next((one for one in held if not _waits(session, one)), None)
    if is_lent(service, facts):
        ruling = Ruling(ruling.verdict, "tag.lent")
        _tell_lent(session, stored, now)
    elif ruling.key == "tag.bad" and any(was_valid(session, service, one.tag) for one in facts.tags):
        ruling = Ruling(ruling.verdict, "tag.old")
    return _reply(session, service, stored, ruling, seat, now)


def _judge_masters(session: Session, service: Service, proved: Proved, ruling: Ruling, now: datetime) -> str:
    """Let the game master's own desk read what he, or a deputy, wrote."""
    given = counter.judge(session, service, proved, ruling, now)
    letters.change_letter(session, proved.stored.id, decision=proved.tag.decision)
    _done(session, proved.stored, given.status, given.reason, _MASTERS, now, answered=given.answered)
    if given.status != "done":
        return given.status
    return "accepted" if given.reason in letters.UNDERSTOOD else "refused"


def _answer_unproved(
    session: Session, service: Service, stored: Stored, facts: LetterFacts, ruling: Ruling, now: datetime
) -> str:
    """Tell the game master at his address that nothing proved a letter to be his."""
    master = find_master(service.settings, facts.letter.sender.address)
    assert master is not None, "it came from his address"
    answered = counter.answer_unproved(session, service, stored, master, now)
    _done(session, stored, "done", ruling.key, _MASTERS, now, answered=answered)
    return "refused"


def _tell_lent(session: Session, stored: Stored, now: datetime) -> None:
    """Tell the game master, once a day, that somebody else wrote with the tag of one of his mails."""
    if not letters.was_refused_for(session, "tag.lent", now - DAY):
        fields = {"letter": stored.id, "address": stored.sender}
        outbox.add_notice(session, None, GM, "alert.lent", fields, now, urgent=True)


def _waits(session: Session, place: Place | None) -> bool:
    """Return whether the game of *place* stands still until `upgrade` has taken it up."""
    return place is not None and stands_still(games.get_game(session, place[0]))


def _serve(session: Session, service: Service, stored: Stored, facts: LetterFacts, place: Place, now: datetime) -> str:
    """Let the desk read a letter of a proved seat; an answer in vain too many is taken back."""
    letter, tag = facts.letter, checks.answered_tag(facts)
    is_looking_on = is_observer(place[1])
    if not is_looking_on:
        holder = games.get_holders(session, place[0])[place[1]]
        if holder.unreachable:
            games.save_holder(session, replace(holder, unreachable=False))
    decision = None if tag is None else tag.decision
    visit = Visit(letter, stored, *place, decision)
    visit = replace(visit, echo=_is_echo(session, visit, now))
    with session.begin_nested() as attempt:
        outcome = _desk_of(session, place)(session, service, visit, now)
        silent = _silence(session, stored, place, now) if outcome == "refused" else ""
        if silent:
            attempt.rollback()
            forget_noted(session)
    if silent:
        return _keep_silent(session, stored, silent, place, now)
    own = " ".join(line.text for line in letter.lines if not line.quoted)
    if not is_looking_on and outcome == "refused" and says_absent(own):
        outbox.add_notice(session, place[0], GM, "alert.away", {"seat": place[1]}, now, urgent=True)
    reason = _reason(facts, visit, outcome)
    letters.change_letter(session, stored.id, decision=-1 if decision is None else decision)
    _done(session, stored, "done", reason, place, now, answered=True)
    return outcome


def _desk_of(session: Session, place: Place) -> Callable[[Session, Service, Visit, datetime], Outcome]:
    """Return who serves the letters of that seat, or place."""
    if not is_observer(place[1]):
        return serve
    one = get_observer(session, *place)
    return serve_observer if one is not None and one.state == "looking" else serve_waiting


def _is_echo(session: Session, visit: Visit, now: datetime) -> bool:
    """
    Return whether the last letter of the seat said the same in answer to the same mail, and still stands.

    Without a sign which mail is answered, it is the same letter if no other mail of ours could be known meanwhile.
    """
    game, seat, decision = visit.game, visit.seat, visit.decision
    last = letters.last_understood(session, visit.stored, game, seat, now - DAY)
    if last is None or decision is None or games.was_rewound(session, game, decision):
        return False
    if (last.body_hash, last.decision) != (visit.stored.body_hash, decision):
        return False
    before = read_letter(last.raw).references[-1:]
    if before or visit.letter.references:
        return before == visit.letter.references[-1:]
    return not outbox.was_sent(session, game, seat, last.received_at, visit.stored.received_at)


def _reason(facts: LetterFacts, visit: Visit, outcome: str) -> str:
    """Return the reason that is kept with a letter that was served."""
    if facts.confirms and outcome == "accepted":
        return "confirming"
    return "again" if visit.echo and outcome == "refused" else outcome


def _silence(session: Session, stored: Stored, place: Place, now: datetime) -> str:
    """Return why a letter in which nothing was understood is not answered, empty if it is."""
    if stored.reason:
        return ""  # the game master, or the player, let it in
    return silence(Answered(*letters.count_vain(session, stored, *place, now - DAY)))


def _keep_silent(session: Session, stored: Stored, reason: str, place: Place, now: datetime) -> str:
    """Put a letter aside without an answer: the same again is dropped, others are held and the game master told."""
    if reason == "budget.same":
        _done(session, stored, "dropped", reason, place, now)
        return "dropped"
    _tell_held(session, stored, reason, place, now)
    _done(session, stored, "held", reason, place, now)
    return "held"


def _tell_held(session: Session, stored: Stored, reason: str, place: Place | None, now: datetime) -> None:
    """Tell the game master of a letter that is held because too much came; once a day for each seat."""
    if place is not None and not letters.was_held_since(session, *place, reason, now - DAY):
        fields = {"letter": stored.id, "reason": reason}
        outbox.add_notice(session, place[0], GM, "alert.held", fields, now, urgent=True)


def _hold(session: Session, service: Service, stored: Stored, facts: LetterFacts, ruling: Ruling, now: datetime) -> str:
    """Hold a letter: until its sender confirms it, or, where too many came, until the game master looks at it."""
    if ruling.key == "tag.missing":
        return _confirm(session, service, stored, facts, now)
    place = proved_seat(facts, stored)
    if place is None and facts.person is None:
        _done(session, stored, "dropped", ruling.key, None, now)
        return "dropped"
    _tell_held(session, stored, ruling.key, place, now)
    _done(session, stored, "held", ruling.key, place, now)
    return "held"


def _confirm(session: Session, service: Service, stored: Stored, facts: LetterFacts, now: datetime) -> str:
    """Hold a letter that claims a seat without a tag, and ask the registered address for one tap, not too often."""
    place = _meant(session, facts)
    if place is None:
        answered = answer_stranger(session, service, facts.letter.sender.address, now)
        _done(session, stored, "done", "sender.unknown", None, now, answered=answered)
        return "refused"
    may_ask = letters.count_asked(session, *place, now - DAY) < MOST_ASKED
    if may_ask:
        fields = {"address": facts.letter.sender.address, "letter": stored.id}
        outbox.add_notice(session, *place, "letter.confirm", fields, now, urgent=True)
    _done(session, stored, "held", "tag.missing", place, now, answered=may_ask)
    return "held"


def _meant(session: Session, facts: LetterFacts) -> Place | None:
    """Return the seat that a letter without a tag is most likely for."""
    if facts.person is None:
        return claimed_seat(session, facts.letter)
    seats = games.seats_of_person(session, facts.person)
    named = [one for one in seats if one[0] == named_game(facts.letter)]
    going_on = [one for one in seats if not _waits(session, one)]
    waiting = [one for one in going_on if one[1] in take_up(session, one[0]).owed()]
    return next(iter([*named, *waiting, *seats]), None)


def _answer_wish(session: Session, service: Service, stored: Stored, facts: LetterFacts, now: datetime) -> str:
    """Answer a letter that proves no seat and asks for one."""
    given = answer_wish(session, service, stored, facts.letter, now)
    place = None if given.game is None or given.seat is None else (given.game, given.seat)
    _done(session, stored, given.status, given.reason, place, now, answered=given.answered)
    return "accepted" if given.status == "done" else given.status


def _reply(
    session: Session, service: Service, stored: Stored, ruling: Ruling, place: Place | None, now: datetime
) -> str:
    """Tell the seat why its letter was not read; a stranger gets one short answer a day."""
    if place is None or ruling.key not in REPLIES:
        answered = answer_stranger(session, service, stored.sender, now)
        _done(session, stored, "done", ruling.key, place, now, answered=answered)
        return "refused"
    silent = _silence(session, stored, place, now)
    if silent:
        return _keep_silent(session, stored, silent, place, now)
    live = take_up(session, place[0])
    key = REPLIES[ruling.key]
    if is_observer(place[1]) or not live.holders[place[1]].bot:
        fields = {"size": stored.size} if key == "letter.too-big" else {}
        outbox.add_notice(session, *place, key, fields, now, urgent=True)
    _done(session, stored, "done", ruling.key, place, now, answered=True)
    return "refused"


def _drop(
    session: Session, service: Service, stored: Stored, facts: LetterFacts, ruling: Ruling, now: datetime
) -> None:
    """Answer nobody; tell the game master what he should know: a bounce, an absence."""
    place = proved_seat(facts, stored)
    if ruling.key == "bounce":
        place = take_back(session, service, facts.letter, now) or place
    elif place is not None and not is_observer(place[1]) and (ruling.key == "robot.absent" or _says_away(facts.letter)):
        outbox.add_notice(session, place[0], GM, "alert.away", {"seat": place[1]}, now, urgent=True)
    _done(session, stored, "dropped", ruling.key, place, now)


def _says_away(letter: Letter) -> bool:
    """Return whether the header of RFC 3834 calls it an automatic reply."""
    return letter.header("Auto-Submitted").strip().lower().startswith("auto-replied")


def _done(
    session: Session,
    stored: Stored,
    status: str,
    reason: str,
    place: tuple[int | None, Seat] | None,
    now: datetime,
    *,
    answered: bool = False,
) -> None:
    values: dict[str, object] = {"status": status, "reason": reason, "judged_at": now, "answered": answered}
    if place is not None:
        values |= {"game_id": place[0], "seat": place[1]}
    letters.change_letter(session, stored.id, **values)
    game, seat = place or (None, None)
    note(session, "letter.judged", letter=stored.id, game=game, seat=seat, status=status, reason=reason)
