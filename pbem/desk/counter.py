"""The desk's counter: the lines of one letter, each to the command that it names, the others to the orders."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from engine.core.play import play_alone
from pbem.desk import (
    absence,
    agreeing,
    confirming,
    habits,
    helping,
    joining,
    leaving,
    lobbying,
    noting,
    orders,
    press,
    recalling,
    status,
    trying,
    undo,
)
from pbem.desk.guessing import near_commands
from pbem.desk.values import Command, Desk, Outcome, Request, Visit
from pbem.desk.words import END, fold, match_command, match_invitation, number_in, words_for
from pbem.lateness import come_back
from pbem.live import Live, take_up
from pbem.lobby import open_games, takes_players
from pbem.mail.quotes import Ignored, IsOrder, own_words
from pbem.reading import LETTERED, Written
from pbem.reading.glossary import Glossary, load_glossary
from pbem.service import Service
from pbem.store import people
from pbem.store.base import Session

COMMANDS: Mapping[str, Command] = {
    "accept": joining.accept,
    "decline": joining.decline,
    "join": lobbying.join,
    "games": lobbying.list_games,
    "leave": leaving.resign,
    "word": lobbying.word,
    "bench": lobbying.bench,
    "status": status.status,
    "help": helping.help_,
    "rules": helping.rules,
    "stop": helping.stop,
    "history": recalling.history,
    "resend": recalling.resend,
    "note": noting.note,
    "plain": habits.plain,
    "quiet": habits.quiet,
    "digest": habits.digest,
    "reminders": habits.reminders,
    "test": helping.test,
    "undo": undo.undo,
    "undo_all": undo.undo_all,
    "finish": agreeing.finish,
    "pause": agreeing.pause,
    "resume": agreeing.resume,
    "rematch": agreeing.rematch,
    "resign": leaving.resign,
    "away": absence.away,
    "back": absence.back,
    "try": trying.try_,
    "press": press.press,
    "confirm": confirming.confirm,
    "watch": habits.watch,
    "acks": habits.acks,
    "language": habits.language,
    "zone": habits.zone,
    "new_tag": habits.new_tag,
}

ORDERS_FIRST = frozenset({"stop", "back", "pause", "leave", "join", "bench"})
"""Commands one of whose words is an order too, in some titles: where it answers what is asked, it is that."""

COMFORTS = frozenset({"rules", "stop", "history", "resend", "note", "plain", "quiet", "digest", "reminders"})

HARMLESS = COMFORTS.union(
    (
        "status",
        "help",
        "test",
        "try",
        "watch",
        "acks",
        "language",
        "zone",
        "confirm",
        "accept",
        "games",
        "join",
        "word",
        "bench",
    ),
)
"""Commands that may be repeated: what they do twice is the same as once."""

QUOTING = frozenset({"quote", "known-text", "marker", "below-marker", "attribution"})
"""Reasons for which a line is not the person's own. What falls under the others is named in the answer."""

LONGEST_ORDER = 500
"""Characters from which a line is no order."""

LONGEST_LIST = 150
"""Moves from which one is chosen, at most: a contract of every title."""

_GREETED = re.compile(r"\s*([^!.,;:]{2,40})[!.,;]+\s*(\S.*)", re.DOTALL)
PHONE_NUMBER = re.compile(r"[(+]*\d[\d\s()./-]{7,}\d")

MOST_IGNORED = 12
"""Lines of a signature and the like that read like orders and are named in the answer."""

MOST_SHOWN, LONGEST_SHOWN = 3, 40
"""Of the other such lines so many are shown, in so many characters."""


def serve(session: Session, service: Service, visit: Visit, now: datetime) -> Outcome:
    """Return what became of the letter: the best of what became of its parts."""
    live = take_up(session, visit.game)
    holder = live.holders[visit.seat]
    assert holder.person is not None, "a bot has no tag"
    desk = Desk(session, service, visit, people.get_person(session, holder.person), now)
    live = come_back(session, live, visit.seat, now)
    reads_like_order = _reader(desk, live)
    lines, ignored = _lines(desk, live, reads_like_order)
    if lines is None:
        desk.tell("letter.both")
        return "refused"
    outcomes: list[Outcome] = []
    moves: list[Written] = []
    again = False
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        name, rest = _command(desk, live, line, lines, begun=bool(outcomes))
        if name == END:
            ignored += [Ignored(one.number, one.text, "signature") for one in lines[place - 1 :]]
            break
        if not name:
            moves.append(line)
            continue
        if visit.echo and name not in HARMLESS:
            again = True
            continue
        served = COMMANDS[name](desk, live, Request(line, rest, lines[place:]))
        live, place = served.live, place + served.used
        outcomes.append(served.outcome)
        if live.holders[visit.seat].person != desk.person.id:
            return "accepted"  # he has left; nothing more of his is read
    if visit.echo and (again or moves):
        desk.tell("order.again")
        outcomes.append("refused" if not outcomes else "accepted")
    elif moves or not outcomes:
        left = _without_slips(desk, live, moves, reads_like_order)
        if moves and not left:
            outcomes.append("refused")
        else:
            chatter = bool(outcomes) or len(left) < len(moves)
            outcomes.append(orders.take(desk, live, left, chatter=chatter))
    _tell_ignored(desk, [one for one in ignored if one.reason not in QUOTING], reads_like_order)
    return next((best for best in ("accepted", "kept") if best in outcomes), "refused")


def _command(desk: Desk, live: Live, line: Written, lines: Sequence[Written], *, begun: bool) -> tuple[str, str]:
    """Return the command of *line*, one of *lines*, and the rest of it; *begun*: the letter held a command before."""
    own = desk.service.own_templates
    name, rest = match_command(line.text, own)
    ungreeted = "" if name else _without_greeting(desk, live, line.text)
    if ungreeted:
        accepted, word = match_command(ungreeted, own)
        name, rest = (accepted, word) if accepted == "accept" else (name, rest)
    if name == "word" and live.game.status != "open":
        name, rest = "", line.text
    if name in ("join", "bench") and rest and _is_rather_order(desk, live, line, name, rest):
        return "", ""
    answers = live.game.status == "open" and not (takes_players(live.game) and desk.holder(live).accepted)
    if not name and answers and not begun:
        return match_invitation(ungreeted or line.text, own), ""
    if name == "resume" and live.running:  # then it may be no more than a word of a move (`continuar`, in Village)
        return ("", "") if _is_near_order(desk, live, line) else (name, rest)
    return ("", "") if name in ORDERS_FIRST and _is_order(desk, live, line, lines) else (name, rest)


def _is_rather_order(desk: Desk, live: Live, line: Written, name: str, rest: str) -> bool:
    """
    Return whether `join` or `bench` with *rest* behind it is rather a move: `entrar 1 verde`, `banco b2`.

    It is if it can be played, now or later, or if it begins as moves do and there is no such open game, or title.
    """
    own = desk.service.own_templates
    if live.game.status in orders.CLOSED or words_for("joining", own).get(fold(rest.split(maxsplit=1)[0])) == "passed":
        return False
    if orders.read(desk, live, [line]).read:
        return True
    numbered = number_in(rest, own) if name == "join" else None
    glossary = _glossary(desk, live)
    begins, goes_on = (
        any(map(glossary.is_order_word, glossary.tokens(text)[:1]))
        for text in (line.text, numbered[1] if numbered else "")
    )
    is_game = numbered is not None and any(one[0] == numbered[0] for one in open_games(desk.session)) and not goes_on
    return begins and not is_game and (name == "join" or lobbying.read_bench(rest) is None)


def _without_greeting(desk: Desk, live: Live, text: str) -> str:
    """Return *text* behind a greeting that a mark sets apart; "" if it begins with none."""
    found = _GREETED.match(text)
    greetings = {
        fold(one) for words in orders.lexicons(live, "", desk.service.own_templates) for one in words.service.greeting
    }
    said = fold(found[1]).split() if found else []
    greets = any(" ".join(said[:count]) in greetings for count in range(1, len(said) + 1))
    return found[2] if found and greets else ""


def _is_order(desk: Desk, live: Live, line: Written, lines: Sequence[Written]) -> bool:
    """Return whether a word that is a command too is an order here: among other orders, or because it is asked."""
    if live.game.status in orders.CLOSED or " " in fold(line.text):
        return False
    own = desk.service.own_templates
    read = orders.read(desk, live, [one for one in lines if one is line or not match_command(one.text, own)[0]]).read
    found = next((one for one in read if one.written.number == line.number), None)
    if found is None or len(read) > 1:
        return found is not None
    solo = play_alone(live.ruleset, live.position, desk.seat, desk.holder(live).plan, held=True)
    asked = {one.key for one in live.ruleset.pending(solo.position.state) if one.seat == desk.seat}
    return found.line.key in asked


def _is_near_order(desk: Desk, live: Live, line: Written) -> bool:
    """Return whether *line* is an order by itself, or lacks only a part of one."""
    reading = orders.read(desk, live, [line])
    return bool(reading.read) or any(one.key != "reader.unknown" for one in reading.refused)


def _without_slips(desk: Desk, live: Live, moves: Sequence[Written], reads_like_order: IsOrder) -> list[Written]:
    """Return *moves* without those that, in a letter without orders, are nearly a command: of them it is told which."""
    known: set[int] = set()
    if live.game.status not in orders.CLOSED and moves:
        reading = orders.read(desk, live, moves)
        if reading.read:
            return list(moves)
        known = {one.written.number for one in reading.refused if one.key != "reader.unknown"}
    own = desk.service.own_templates
    greetings = {fold(one) for words in orders.lexicons(live, "", own) for one in words.service.greeting}
    left: list[Written] = []
    for line in moves:
        head, comma, _ = line.text.partition(",")
        begun = match_command(head, own)[0] if comma else ""
        near = [begun] if begun else near_commands(line.text, own)
        words = [word for word in fold(line.text).split() if word.isalpha()]
        is_other = words[:1] and (words[0] in greetings or reads_like_order(" ".join(words))) and not begun
        if near and line.number not in known and not is_other:
            desk.tell("desk.near", line=line.number, written=line.text, commands=near)
        else:
            left.append(line)
    return left


def _tell_ignored(desk: Desk, ignored: Sequence[Ignored], reads_like_order: IsOrder) -> None:
    """Name the lines that were taken for a signature or the like: those that read like an order each by itself."""
    orders_like = [one for one in ignored if reads_like_order(one.text)][:MOST_IGNORED]
    for one in orders_like:
        desk.tell("order.ignored", urgent=False, line=one.number, written=one.text, reason=one.reason)
    others = [one.text[:LONGEST_SHOWN] for one in ignored if one not in orders_like and any(map(str.isalnum, one.text))]
    if others:
        desk.tell("order.passed", urgent=False, written=others[:MOST_SHOWN], more=len(others[MOST_SHOWN:]))


def _reader(desk: Desk, live: Live) -> IsOrder:
    """Return the question whether a line reads like an order of this game, or like a command."""
    return order_reader(_glossary(desk, live), desk.service.own_templates)


def _glossary(desk: Desk, live: Live) -> Glossary:
    """Return the words of the game's orders, those of the person's language first."""
    lexicons = orders.lexicons(live, desk.person.language, desk.service.own_templates)
    return load_glossary(live.ruleset.grammar, tuple(lexicons))


def order_reader(glossary: Glossary, own: Path | None) -> IsOrder:
    """Return the question whether a line reads like an order: a command, or at least half of its words are known."""

    def reads_like_order(text: str) -> bool:
        if len(text) > LONGEST_ORDER or PHONE_NUMBER.fullmatch(text):
            return False
        if LETTERED.fullmatch(text.strip()) or match_command(text, own)[0]:
            return True
        tokens = glossary.tokens(text)
        known = sum(glossary.is_order_word(one) and not _is_high(one.number) for one in tokens)
        return known > 0 and 2 * known >= len(tokens)

    return reads_like_order


def _is_high(number: str) -> bool:
    """Return whether *number*, in digits, is none of any list: it belongs to a date, a house, a telephone."""
    return number.startswith("00") or len(number) > len(str(LONGEST_LIST)) or int(number or 0) > LONGEST_LIST


def _lines(desk: Desk, live: Live, reads_like_order: IsOrder) -> tuple[list[Written] | None, list[Ignored]]:
    """
    Return the person's own lines, counted from 1, and those of a text file if the body holds no order; and the others.

    None for the former if body and file hold different orders: nobody can tell which are meant.
    """
    words = own_words(desk.visit.letter, desk.known, reads_like_order)
    own = [one.text for one in words.written]
    files = [line for one in desk.visit.letter.attachments for line in one.lines if line.strip()]
    ignored = list(words.ignored)
    if not any(map(reads_like_order, files)):
        return _numbered(own), ignored
    if not any(_is_understood(desk, live, line) for line in own):
        return _numbered([*own, *files]), ignored
    if any(reads_like_order(line) and fold(line) not in {fold(one) for one in own} for line in files):
        return None, ignored
    return _numbered(own), ignored


def _numbered(texts: Sequence[str]) -> list[Written]:
    return [Written(number, text) for number, text in enumerate(texts, start=1)]


def _is_understood(desk: Desk, live: Live, text: str) -> bool:
    """Return whether *text* is a command that does something, or can be played now or later."""
    name, _ = match_command(text, desk.service.own_templates)
    return name not in ("", END) or bool(orders.read(desk, live, [Written(1, text)]).read)
