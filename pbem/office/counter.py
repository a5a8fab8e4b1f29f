"""The game master's counter: the lines of one letter, each done by itself; one that fails stops no other."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from msgspec import Struct

from engine.core.errors import EngineError
from engine.core.types import GM
from pbem.desk.mastering import OF_GAME, Order, is_order, is_polite, read_orders
from pbem.errors import Misuse, PbemError, Refused
from pbem.gate.budget import Answered, silence
from pbem.gate.chain import Ruling
from pbem.gate.tags import Tag
from pbem.journal import forget_since, noted_so_far
from pbem.mail.letter import Letter
from pbem.mail.quotes import Ignored, Known, own_words, read_known
from pbem.masters import Master
from pbem.office import asking
from pbem.office.acts import ACTS
from pbem.office.looking import LOOKS
from pbem.office.values import Office, Outcome, attempt
from pbem.reading import Written
from pbem.service import Service
from pbem.store import letters, outbox
from pbem.store.base import Session
from pbem.store.letters import Stored

DAY = timedelta(days=1)
MOST_UNPROVED = 3
"""Letters a day that come from a master's address without proof and are answered: the address may be forged."""
MOST_UNREAD, LONGEST_UNREAD = 4, 60

UNPROVED = ("master.tag", "tag.bad", "tag.old")
"""Reasons of letters that claim to be a master's and do not prove it."""

REPLIES: Mapping[str, str] = MappingProxyType(
    {
        "duplicate": "master.repeat",
        "tag.conflict": "letter.conflict",
        "encrypted": "letter.encrypted",
        "winmail": "letter.unreadable",
        "too-big": "letter.too-big",
        "forward-only": "letter.forwarded",
        "empty": "master.nothing",
    }
)
"""The key of a ruling that is answered -> what the master is told."""


class Answer(Struct, frozen=True):
    """What became of a letter: its status and reason, and whether it was answered."""

    status: str
    reason: str
    answered: bool = False


class Proved(Struct, frozen=True):
    """A letter of a *master*, as the *tag* of the mail that it answers proves it."""

    stored: Stored
    letter: Letter
    master: Master
    tag: Tag


def judge(session: Session, service: Service, proved: Proved, ruling: Ruling, now: datetime) -> Answer:
    """Return what became of a letter that is proved to be a master's; what a robot sent is not answered here either."""
    if ruling.verdict not in ("accept", "reply"):
        return Answer("held" if ruling.verdict == "hold" else "dropped", ruling.key)
    stored = proved.stored
    office = Office(session, service, proved.master, stored.id, proved.tag.decision, now)
    noted = noted_so_far(session)
    with session.begin_nested() as tried:
        outcome = _serve(office, proved) if ruling.verdict == "accept" else _reply(office, ruling, stored)
        vain = outcome == "refused" and not stored.reason
        silent = silence(Answered(*letters.count_vain(session, stored, None, GM, now - DAY))) if vain else ""
        if silent:
            tried.rollback()
    if silent:
        forget_since(session, noted)
        return Answer("dropped" if silent == "budget.same" else "held", silent)
    return Answer("done", outcome if ruling.verdict == "accept" else ruling.key, answered=True)


def answer_unproved(session: Session, service: Service, stored: Stored, master: Master, now: datetime) -> bool:
    """Return whether a letter from a master's address, which nothing proves, is answered, there, not often."""
    if letters.count_answered(session, stored.sender, UNPROVED, now - DAY) >= MOST_UNPROVED:
        return False
    Office(session, service, master, stored.id, -1, now).tell("master.unproved")
    return True


def _reply(office: Office, ruling: Ruling, stored: Stored) -> Outcome:
    """Tell why a letter was not read."""
    key = REPLIES[ruling.key]
    fields = {"size": stored.size} if key == "letter.too-big" else {}
    office.tell(key, **fields)
    return "refused"


def _serve(office: Office, proved: Proved) -> Outcome:
    """Do what the lines of the letter ask for, and return what became of it: the best of what became of each."""
    own = office.service.own_templates
    echo = _is_echo(office, proved)
    outcomes: list[Outcome] = []
    unread: list[str] = []
    for order in read_orders(_lines(office, proved.letter), proved.tag.game, own):
        if not order.act:
            unread.append(order.written.text)
        elif echo and order.act not in LOOKS:
            office.tell("master.repeat")
            outcomes.append("refused")
        else:
            outcomes.append(_one(office, order))
    words = [one[:LONGEST_UNREAD] for one in unread if not is_polite(one, own)]
    if not outcomes:
        office.tell("master.nothing")
    elif words:
        office.tell("master.unread", lines=words[:MOST_UNREAD], more=len(words[MOST_UNREAD:]))
    return next((best for best in ("acted", "accepted") if best in outcomes), "refused")


def _one(office: Office, order: Order) -> Outcome:
    """Do one order, or tell why it cannot be done; then nothing of it is done."""
    line = order.written.text[:LONGEST_UNREAD]
    if not order.fits:
        office.tell("master.usage", line=line, act=order.act)
        return "refused"
    if order.act in OF_GAME and not order.game:
        office.tell("master.which-game", line=line)
        return "refused"
    try:
        with attempt(office.session):
            return _serve_order(office, order)
    except (Refused, Misuse, EngineError) as error:
        office.tell("master.refused", line=line, key=_key(error), values=_values(error))
        return "refused"


def _serve_order(office: Office, order: Order) -> Outcome:
    if order.act == "confirm":
        return asking.confirm(office, order)
    if order.act in asking.ASKED:
        return asking.ask(office, order)
    return {**LOOKS, **ACTS}[order.act](office, order)


def _key(error: PbemError | EngineError) -> str:
    """Return the key of a refusal; of a letter or a mail with which of the two it is."""
    what = dict(error.fields).get("what")
    return f"{error.key}.{what}" if error.key.startswith("mail.") and what else error.key


def _values(error: PbemError | EngineError) -> dict[str, str]:
    return {
        name: ", ".join(map(str, value)) if isinstance(value, tuple) else str(value) for name, value in error.fields
    }


def _lines(office: Office, letter: Letter) -> list[Written]:
    """
    Return the master's own lines; a first one that stands in our mail too: he wrote the words that it offers.

    What is quoted below is not his, whatever it asks for.
    """
    own = office.service.own_templates
    mail = outbox.get_mail(office.session, office.mail)
    known = read_known(mail.raw) if mail is not None and mail.raw else Known()
    words = own_words(letter, known, lambda text: is_order(text, own))
    mistaken = [one for one in words.ignored if _is_his(one) and is_order(one.text, own)]
    found = sorted([(one.number, one.text) for one in mistaken] + [(one.number, one.text) for one in words.written])
    return [Written(number, text) for number, (_, text) in enumerate(found, 1)]


def _is_his(line: Ignored) -> bool:
    """Return whether *line*, if it is an order, is his: the first of all, or one with a number like a year's."""
    return line.reason == "attribution" or (line.number == 1 and line.reason == "known-text")


def _is_echo(office: Office, proved: Proved) -> bool:
    """Return whether his last letter said the same in answer to the same mail: nothing is done twice."""
    stored = proved.stored
    last = letters.last_understood(office.session, stored, None, GM, office.now - DAY)
    if last is None or last.sender != stored.sender:
        return False
    return (last.body_hash, last.decision) == (stored.body_hash, office.mail)
