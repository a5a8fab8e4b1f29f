"""The desk's counter: the lines of one letter, each to the command that it names, the others to the orders."""

from collections.abc import Mapping
from datetime import datetime

from pbem.desk import confirming, habits, helping, joining, orders, press, status, trying, undo
from pbem.desk.values import Command, Desk, Outcome, Request, Visit
from pbem.desk.words import match_command
from pbem.live import Live, take_up
from pbem.mail.letter import read_letter
from pbem.mail.quotes import Ignored, own_words
from pbem.reading import Written
from pbem.reading.glossary import load_glossary
from pbem.service import Service
from pbem.store import outbox, people
from pbem.store.base import Session

COMMANDS: Mapping[str, Command] = {
    "accept": joining.accept,
    "decline": joining.decline,
    "status": status.status,
    "help": helping.help_,
    "test": helping.test,
    "undo": undo.undo,
    "undo_all": undo.undo_all,
    "try": trying.try_,
    "press": press.press,
    "confirm": confirming.confirm,
    "watch": habits.watch,
    "acks": habits.acks,
    "language": habits.language,
    "zone": habits.zone,
    "new_tag": habits.new_tag,
}
END = "end"

QUOTING = frozenset({"quote", "known-text", "marker", "below-marker", "attribution"})
"""Reasons for which a line is not the person's own: it is not answered line by line."""

MOST_IGNORED = 12
"""Weakly sorted lines that are named in the answer."""


def serve(session: Session, service: Service, visit: Visit, now: datetime) -> Outcome:
    """Return what became of the letter: the best of what became of its parts."""
    live = take_up(session, visit.game)
    holder = live.holders[visit.seat]
    assert holder.person is not None, "a bot has no tag"
    desk = Desk(session, service, visit, people.get_person(session, holder.person), now)
    lines, ignored = _lines(desk, live)
    outcomes: list[Outcome] = []
    moves: list[Written] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        name, rest = match_command(line.text, service.own_templates)
        if name == END:
            ignored += [Ignored(one.number, one.text, "signature") for one in lines[place - 1 :]]
            break
        if not name:
            moves.append(line)
            continue
        served = COMMANDS[name](desk, live, Request(line, rest, lines[place:]))
        live, place = served.live, place + served.used
        outcomes.append(served.outcome)
    if moves or not outcomes:
        outcomes.append(orders.take(desk, live, moves, chatter=bool(outcomes)))
    for one in _worth_naming(ignored)[:MOST_IGNORED]:
        desk.tell("order.ignored", urgent=False, line=one.number, written=one.text, reason=one.reason)
    return next((best for best in ("accepted", "kept") if best in outcomes), "refused")


def _worth_naming(ignored: list[Ignored]) -> list[Ignored]:
    """Return the lines that may have been the person's own; one that leads up to a quote is not."""
    quoting = {one.number for one in ignored if one.reason in QUOTING}
    return [one for one in ignored if one.number not in quoting and one.number + 1 not in quoting]


def _lines(desk: Desk, live: Live) -> tuple[list[Written], list[Ignored]]:
    """Return the person's own lines, of a text file if the body has none, and the others."""
    own = desk.service.own_templates
    glossary = load_glossary(live.ruleset.grammar, tuple(orders.lexicons(live, desk.person.language, own)))

    def reads_like_order(text: str) -> bool:
        tokens = glossary.tokens(text)
        known = sum(glossary.is_order_word(one) for one in tokens)
        return bool(match_command(text, own)[0]) or (known > 0 and 2 * known >= len(tokens))

    words = own_words(desk.visit.letter, _known(desk), reads_like_order)
    lines = [Written(one.number, one.text) for one in words.written]
    if not any(reads_like_order(one.text) for one in lines):
        files = [line for one in desk.visit.letter.attachments for line in one.lines if line.strip()]
        if any(reads_like_order(line) for line in files):
            lines += [Written(len(lines) + n, line) for n, line in enumerate(files, start=1)]
    return lines, list(words.ignored)


def _known(desk: Desk) -> list[str]:
    """Return the lines of the mail that the letter answers: what equals them is a quote."""
    mails = outbox.mails_to(desk.session, desk.visit.game, desk.seat)
    ids = set(desk.visit.letter.references)
    answered = [one for one in mails if one.message_id in ids]
    answered = answered or [one for one in mails if one.decision == desk.visit.decision] or mails[:1]
    return [line.text for one in answered[:1] for line in read_letter(one.raw).lines]
