"""Orders: lines to a plan, the plan to entries as far as it goes, and an answer to every line."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.play import Line, Plan, join_moves, play_alone
from engine.core.types import Seat
from pbem.advance import advance
from pbem.desk.values import Desk, Outcome
from pbem.desk.words import fold
from pbem.entering import tell_table
from pbem.errors import Refused
from pbem.gate.tags import make_receipt
from pbem.lexicon import Lexicon, languages, load_lexicon
from pbem.live import Live
from pbem.lobby import takes_players
from pbem.reading import Failure, MailedList, Reading, ReadLine, RefusedLine, Written, read_orders
from pbem.store import games, outbox

_NUMBERS = re.compile(r"[\W\d]*\d[\W\d]*((or|ou)[\W\d]*\d[\W\d]*)*")

_LONGEST_NUMBERS = 60

CLOSED = {"open": "letter.not-started", "over": "letter.over", "aborted": "letter.over"}
"""Status of a game in which no orders are taken -> what is told."""


class Judged(Struct, frozen=True):
    """
    What a letter says, judged against what it answers.

    `lines`  those that may be played · `stale` those whose question is settled
    """

    reading: Reading
    lines: tuple[ReadLine, ...]
    stale: tuple[ReadLine, ...]


def take(desk: Desk, live: Live, written: Sequence[Written], *, chatter: bool) -> Outcome:
    """
    Return what became of the orders in *written*; every line is answered.

    *chatter*: the letter held a command, so that lines which are no orders are no fault.
    """
    if live.game.status in CLOSED:
        if not chatter:
            _tell_closed(desk, live)
        return "refused"
    if not written:
        desk.tell("order.nothing")
        return "refused"
    judged = judge(desk, live, written)
    if judged is None:
        return "refused"
    reading, lines, stale = judged.reading, judged.lines, judged.stale
    releases = reading.now and desk.holder(live).held_until is not None and not lines
    if (chatter or releases) and not lines and not stale:
        remarks = [one.written for one in reading.refused if not one.begins]
        reading = replace(reading, refused=tuple(one for one in reading.refused if one.begins))
        _ignore(desk, [*(one for one in reading.ignored if not _is_now(desk, one)), *remarks])
        for refused in reading.refused:
            tell_refused(desk, refused)
        if releases:
            return _release(desk, live)
        return "refused" if reading.refused else "accepted"
    before = desk.holder(live).plan
    if lines:
        live = _plan(desk, live, lines, now=reading.now)
    outcome = _answer(desk, live, lines, before)
    _tell_unread(desk, reading, stale)
    if live.game.status == "paused":
        desk.tell("letter.paused")
    return outcome


def _tell_closed(desk: Desk, live: Live) -> None:
    """Tell why no order is taken now; where whoever comes may have a seat, who is at the table so far."""
    if takes_players(live.game):
        tell_table(desk.session, live, desk.seat, desk.now)
    else:
        desk.tell(CLOSED[live.game.status])


def judge(desk: Desk, live: Live, written: Sequence[Written]) -> Judged | None:
    """Return what *written* says; None, told, if it only holds numbers for what is settled."""
    written = _without_settled_numbers(desk, written)
    if not written:
        return None
    reading = read(desk, live, written)
    lines, stale = _without_stale(desk, live, reading)
    return Judged(reading, tuple(lines), tuple(stale))


def _release(desk: Desk, live: Live) -> Outcome:
    """Play the plan, which was on hold, at once."""
    live = live.with_holder(replace(desk.holder(live), held_until=None))
    advance(desk.session, live, desk.now, letter=desk.visit.stored.id)
    desk.tell("order.released")
    return "accepted"


def _is_now(desk: Desk, written: Written) -> bool:
    """Return whether a line is nothing but the word that skips the hold."""
    own = desk.service.own_templates
    return fold(written.text) in {fold(word) for one in languages() for word in load_lexicon(one, "", own).service.now}


def _tell_unread(desk: Desk, reading: Reading, stale: Sequence[ReadLine]) -> None:
    """Tell of every line that is not played, and why; also where there is nothing else to tell."""
    if not reading.read and not reading.refused:
        desk.tell("order.nothing")
    for one in stale:
        tell_stale(desk, one.written, one.line.key)
    for refused in reading.refused:
        tell_refused(desk, refused)
    _ignore(desk, [one for one in reading.ignored if not _is_now(desk, one)])


def read(desk: Desk, live: Live, written: Sequence[Written]) -> Reading:
    """
    Return how *written* is read: in place of what is planned, or on top of it where it answers the rest.

    What is forced counts as planned: the mail asked what comes after it.
    """
    mailed = _mailed(desk)
    fresh = _read(desk, live, written, mailed, None)
    rest = _rest(desk, live) if mailed or fresh.refused else ""
    asked = bool(mailed) and mailed[0].key == rest
    if not rest or not (fresh.refused or asked):
        return fresh
    onto = _read(desk, live, written, mailed, desk.holder(live).plan)
    answers = any(one.line.key == rest for one in onto.read)
    first = asked and bool(onto.read) and onto.read[0].line.key == rest
    return onto if answers and len(onto.refused) < len(fresh.refused) + first else fresh


def _rest(desk: Desk, live: Live) -> str:
    """Return the decision that is left to answer when the plan is played, if that is not what is owed; else ""."""
    owed = next((one.decision for one in live.position.owed(live.ruleset) if one.decision.seat == desk.seat), None)
    if owed is None:
        return ""
    solo = play_alone(live.ruleset, live.position, desk.seat, desk.holder(live).plan, held=True)
    if solo.complete or not solo.made:
        return ""
    left = next(one.key for one in live.ruleset.pending(solo.position.state) if one.seat == desk.seat)
    return "" if left == owed.key else left


def _read(
    desk: Desk, live: Live, written: Sequence[Written], mailed: Sequence[MailedList], plan: Plan | None
) -> Reading:
    words = lexicons(live, desk.person.language, desk.service.own_templates)
    return read_orders(
        live.ruleset,
        live.position,
        desk.seat,
        _parted(live, words, written),
        language=desk.person.language,
        lexicons=words,
        mailed=mailed,
        plan=plan,
    )


def _parted(live: Live, words: Sequence[Lexicon], written: Sequence[Written]) -> list[Written]:
    """Return *written* with each condition as a line of its own: `place a1; when brick: b2, when wood: c3`."""
    if not live.ruleset.facts:
        return list(written)
    when = "|".join(re.escape(word) for one in words for word in one.service.when)
    cut = re.compile(rf"[;,.]\s*(?=(?:{when})\s[^:;,.]+:)", re.IGNORECASE)
    return [Written(one.number, part.strip()) for one in written for part in cut.split(one.text)]


def lexicons(live: Live, language: str, own: Path | None) -> list[Lexicon]:
    """Return the words of every language, *language* first."""
    order = sorted(languages(), key=lambda one: (one != language, one))
    return [load_lexicon(one, live.game.ruleset, own) for one in order]


def plan_for(live: Live, seat: Seat, text: str, own: Path | None) -> Plan:
    """
    Return *text*, a line of the game master for *seat*, as a plan.

    Raises: Refused `play.refused` if it cannot be read whole; `play.hidden` where even the reason would tell a secret.
    """
    reading = read_orders(
        live.ruleset, live.position, seat, [Written(1, text)], language="en", lexicons=lexicons(live, "en", own)
    )
    failed = [(one.key, one.possible, one.fields) for one in reading.refused]
    failed += [(why.key, why.options, why.fields) for one in reading.read for why in one.lost]
    if live.asks_in_secret(seat) and (failed or not reading.read):
        raise Refused("play.hidden", text=text, game=live.game.id, seat=int(seat))
    for key, possible, fields in failed:
        raise Refused("play.refused", text=text, reason=key, possible=possible, **dict(fields))
    if not reading.read:
        raise Refused("play.refused", text=text, reason="reader.unknown", possible=(), words="")
    return tuple(one.line for one in reading.read)


def _mailed(desk: Desk) -> list[MailedList]:
    """Return the lists of the mail that the letter answers; numbers in it mean those."""
    mails = outbox.mails_to(desk.session, desk.visit.game, desk.seat)
    answered = [one for one in mails if one.message_id in desk.visit.letter.references and one.options]
    answered = answered or [one for one in mails if one.decision == desk.visit.decision and one.options]
    lists = answered[0].options if answered else ()
    return [MailedList(one.key, one.occasion, one.number, one.texts, one.follow) for one in lists]


def _without_settled_numbers(desk: Desk, written: Sequence[Written]) -> list[Written]:
    """
    Return *written* without lines of numbers alone, if what the mail asked first was answered since.

    Such a number means no other list, so it is told and not read.
    """
    asked, since = next(iter(_mailed(desk)), None), desk.visit.decision
    if asked is None or since is None:
        return list(written)
    if not games.has_answered(desk.session, desk.visit.game, desk.seat, asked.key, asked.occasion, since):
        return list(written)
    for one in written:
        if _is_numbers(one.text):
            tell_stale(desk, one, asked.key)
    return [one for one in written if not _is_numbers(one.text)]


def _is_numbers(text: str) -> bool:
    """Return whether *text*, one short line, holds numbers alone, with or without `or` between them."""
    return len(text) <= _LONGEST_NUMBERS and _NUMBERS.fullmatch(fold(text)) is not None


def tell_stale(desk: Desk, written: Written, key: str) -> None:
    """Tell that a line answers what is settled."""
    decision = desk.visit.decision
    desk.tell("order.stale", line=written.number, written=written.text, decision=decision, key=key)


def _without_stale(desk: Desk, live: Live, reading: Reading) -> tuple[list[ReadLine], list[ReadLine]]:
    """Return the lines that may be played, and those whose decision was answered or taken back since it was asked."""
    since = desk.visit.decision
    if since is None:
        return list(reading.read), []
    unheard_of = since > live.position.seq  # of a mail that was sent after the backup which was put in place again
    rewound = unheard_of or games.was_rewound(desk.session, live.game.id, since)
    first = next(iter(_mailed(desk)), None)
    good: list[ReadLine] = []
    stale: list[ReadLine] = []
    for one in reading.read:
        if one.line.when and not rewound:  # it waits for what may come, and answers nothing that was asked
            good.append(one)
            continue
        occasions = {one.line.occasion}
        if first is not None and not one.label and first.key == one.line.key:
            occasions.add(first.occasion)  # without a label it answers what the mail asked first
        answered = any(
            games.has_answered(desk.session, live.game.id, desk.seat, one.line.key, occasion, since)
            for occasion in occasions
        )
        (stale if rewound or answered else good).append(one)
    return good, stale


def merge(plan: Plan, lines: Sequence[Line]) -> Plan:
    """
    Return *plan* with *lines* in place of those for the same decisions.

    Lines that wait for a fact are a table: a new line takes the place of the one for the same fact.
    """
    return (*(one for one in plan if not any(_replaces(line, one) for line in lines)), *lines)


def _replaces(new: Line, old: Line) -> bool:
    same_occasion = new.occasion == old.occasion or not (new.occasion and old.occasion)
    if new.key != old.key or bool(new.until) != bool(old.until):
        return False
    return new.when == old.when if new.until else same_occasion


def _plan(desk: Desk, live: Live, lines: Sequence[ReadLine], *, now: bool) -> Live:
    holder = desk.holder(live)
    plan = merge(holder.plan, [one.line for one in lines])
    undo_to = -1 if live.game.undo_to < 0 else holder.undo_to  # playing on answers no question of the game master
    hold = None if now or not live.game.hold else desk.now + live.game.hold
    received = desk.visit.stored.received_at
    return advance(
        desk.session,
        live.with_holder(replace(holder, held_until=hold, undo_to=undo_to)),
        desk.now,
        plans={desk.seat: plan},
        letter=desk.visit.stored.id,
        answered_at=min(received, desk.now),
    )


def _answer(desk: Desk, live: Live, lines: Sequence[ReadLine], before: Plan) -> Outcome:
    """Tell what became of each line that was read: taken, or kept for later; *before* is what was planned until now."""
    left = list(desk.holder(live).plan)
    told = outbox.untold(desk.session, live.game.id, desk.seat)
    failed = {one.fields["text"] for one in told if one.key == "plan.failed"}
    lapsed = {one.fields["text"] for one in told if one.key == "plan.lapsed"}
    solo = play_alone(live.ruleset, live.position, desk.seat, desk.holder(live).plan)
    quiet = desk.holder(live).acks == "few" and solo.complete
    until = desk.holder(live).held_until
    outcome: Outcome = "refused"
    told_of: set[Line] = set()
    for one in lines:
        text = one.line.text
        instead = [old.text for old in before if _replaces(one.line, old) and old not in told_of]
        told_of.update(old for old in before if _replaces(one.line, old))
        fields: dict[str, Any] = {
            "line": one.written.number,
            "written": one.written.text,
            "text": text,
            "exact": one.exact,
            "instead": [old for old in instead if old != text],
        }
        kept = False
        if one.line in left:
            others = live.running and until is None and one.line not in solo.plan
            waits = {"when": one.line.when, "until": one.line.until, "others": others}
            turn = _turn_of(desk, live, one.line)
            left.remove(one.line)
            kept = True
            desk.tell("order.kept", urgent=not quiet, key=one.line.key, closed=one.closed, turn=turn, **waits, **fields)
            outcome = "kept" if outcome == "refused" else outcome
        elif text not in lapsed and not failed.issuperset(map(join_moves, one.line.choices)):
            desk.tell("order.taken", urgent=not quiet, **fields)
            outcome = "accepted"
        tell_choices(desk, one, kept=kept)
    if until is not None and lines:
        desk.tell("order.held", urgent=False, until=until.isoformat())
    if outcome != "refused":
        _give_receipt(desk, live, lines)
    return outcome


def _turn_of(desk: Desk, live: Live, line: Line) -> int:
    """Return for which own turn to come *line* is kept: 1 the next, 2 the one after it; 0 for none, or for this one."""
    turns = {one.orders.turn for one in lexicons(live, desk.person.language, desk.service.own_templates)}
    if line.key not in turns or line.when or line.occasion:
        return 0
    alike = [one for one in desk.holder(live).plan if one.key == line.key and not one.when]
    owed = any(one.seat == desk.seat and one.key == line.key for one in live.ruleset.pending(live.position.state))
    return alike.index(line) + 1 - owed


def tell_choices(desk: Desk, one: ReadLine, *, kept: bool) -> None:
    """Tell of each alternative that is left out, and, if the line is *kept*, that could not be played as it stands."""
    for why in one.doubtful if kept else ():
        _tell_choice(desk, one.written, why, kept=True)
    for why in one.lost:
        _tell_choice(desk, one.written, why, kept=False)


def _tell_choice(desk: Desk, written: Written, why: Failure, *, kept: bool) -> None:
    """Tell why one alternative of a line is left out, or could not be played as it stands, though it is *kept*."""
    fields: dict[str, Any] = {"line": written.number, "written": written.text, "rank": why.place, "kept": kept}
    fields |= {"part": why.piece, "reason": why.key, "possible": why.options, **dict(why.fields)}
    desk.tell("order.choice", **fields)


def _give_receipt(desk: Desk, live: Live, lines: Sequence[ReadLine]) -> None:
    """Tell a code by which the game master can prove, with our key, what was understood and to which decision."""
    moves = tuple(one.line.text for one in lines)
    decision = desk.visit.decision if desk.visit.decision is not None else live.position.seq
    code = make_receipt(desk.service.key, live.game.id, desk.seat, decision, moves)
    desk.tell("order.receipt", urgent=False, code=code, decision=decision, moves=moves)


def tell_refused(desk: Desk, refused: RefusedLine) -> None:
    """Tell why a line could not be read as a move, as far as it was, and what would be possible."""
    fields: dict[str, Any] = {"line": refused.written.number, "written": refused.written.text, "rank": refused.place}
    fields |= {"read": join_moves(refused.read), "asks": _is_question(refused)}
    fields |= {"reason": refused.key, "possible": refused.possible, **dict(refused.fields)}
    desk.tell("order.refused", **fields)
    for why in refused.others:
        _tell_choice(desk, refused.written, why, kept=False)


def _is_question(refused: RefusedLine) -> bool:
    """Return whether a line that is no order asks something: a person can answer it."""
    return refused.written.text.rstrip(" )!.").endswith("?") and refused.key == "reader.unknown" and not refused.read


def _ignore(desk: Desk, lines: Sequence[Written]) -> None:
    for one in lines:
        reason = "question" if one.text.rstrip(" )!.").endswith("?") else "prose"
        desk.tell("order.ignored", urgent=False, line=one.number, written=one.text, reason=reason)
