"""
`tell NAMES: TEXT`: a message to other players, to all, or to the game master, carried without tags or addresses.

On one line it ends before the next command, and before the first line that is an order: nothing hidden goes to another
player by mistake. Where nothing stands behind the colon, all lines below are the message, up to `end`, the next
command, or the end of the letter; the answer names those of them that read like orders.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

from engine.core.types import GM, Seat
from pbem.desk import orders
from pbem.desk.names import Meant, find_readers
from pbem.desk.values import Desk, Request, Served
from pbem.desk.words import END, fold, match_command
from pbem.live import Live
from pbem.mail.marker import TAG
from pbem.reading import Written
from pbem.reading.tokens import distance
from pbem.store import observers, outbox

LONGEST = 4_000
LONGEST_NAME = 60
MOST_SHOWN = 5
"""Lines of a message that read like orders and are named in the answer."""
UNKNOWN = "reader.unknown"
_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")


def press(desk: Desk, live: Live, request: Request) -> Served:
    """Carry the rest of the line, and the lines after it, to who is named."""
    whom, colon, text = request.rest.partition(":")
    is_block = bool(colon and fold(whom)) and not text.strip()
    lines, used = block(desk, request.following) if is_block else _lines(desk, live, request.following)
    message = scrubbed("\n".join([text.strip(), *(line.text for line in lines)]).strip())
    meant = find_readers(live, desk.seat, whom, desk.service.own_templates)
    if not _may_go(desk, live, meant, whom, message):
        if is_block:
            _tell_orders(desk, live, lines)
        return Served(live, used if is_block else 0, outcome="refused")
    _carry(desk, live, meant, message)
    desk.tell("press.sent", to=list(meant.seats), message=message)
    if meant.everybody:
        _tell_observers(desk, live, message)
    if is_block:
        _tell_orders(desk, live, lines)
    return Served(live, used)


def block(desk: Desk, following: Sequence[Written]) -> tuple[list[Written], int]:
    """Return the lines up to `end` or the next command, and how many lines are used up, with that `end`."""
    own = desk.service.own_templates
    lines = list(takewhile(lambda line: not match_command(line.text, own)[0], following))
    closed = len(lines) < len(following) and match_command(following[len(lines)].text, own)[0] == END
    return lines, len(lines) + closed


def _lines(desk: Desk, live: Live, following: Sequence[Written]) -> tuple[list[Written], int]:
    """Return the lines that belong to the message above them: up to a command, or a line that reads as an order."""
    lines = list(takewhile(lambda line: _goes_on(desk, live, line), following))
    return lines, len(lines)


def _goes_on(desk: Desk, live: Live, line: Written) -> bool:
    if match_command(line.text, desk.service.own_templates)[0]:
        return False
    if live.game.status in orders.CLOSED:
        return True
    reading = orders.read(desk, live, [line])
    return not reading.read and not any(one.begins in ("label", "number") for one in reading.refused)


def _may_go(desk: Desk, live: Live, meant: Meant, whom: str, message: str) -> bool:
    """Return whether the message has readers and every name is somebody's; else tell the writer who there is."""
    players = [one.name for one in live.holders if one.seat != desk.seat and not one.bot]
    named = fold(whom) and message
    if meant.alike and named:
        desk.tell("press.alike", name=meant.alike[0][:LONGEST_NAME], players=players)
    elif meant.bots and named:
        desk.tell("press.bot", seat=meant.bots[0], players=players)
    elif meant.seats and not meant.unknown and message:
        return True
    else:
        name = ", ".join(meant.unknown) if meant.seats else whom.strip()
        players.sort(key=lambda one: _slips(one, name))
        desk.tell("press.nobody", name=name[:LONGEST_NAME], players=players)
    return False


def _slips(player: str, name: str) -> int:
    """Return how many letters part *name* from that of a player; where it is too many, they are not alike."""
    wrong = distance(fold(player)[:LONGEST_NAME], fold(name)[:LONGEST_NAME])
    return wrong if 2 * wrong <= len(player) else LONGEST_NAME


def _carry(desk: Desk, live: Live, meant: Meant, message: str) -> None:
    """Note the message for each of its readers: to all, to him alone, or to several."""
    fields = {"seat": desk.seat, "message": message}
    seats = [one for one in meant.seats if one != GM]
    others = [one for one in live.holders if one.seat != desk.seat and not one.bot]
    heard = meant.everybody and observers.list_observers(desk.session, live.game.id)
    private = len(seats) < len(others) or (len(others) == 1 and not heard)
    for seat in seats:
        if 1 < len(seats) < len(others):
            told = {**fields, "readers": _with_first(seats, seat)}
            outbox.add_notice(desk.session, live.game.id, seat, "press.several", told, desk.now, urgent=True)
        else:
            told = {**fields, "private": private}
            outbox.add_notice(desk.session, live.game.id, seat, "press.received", told, desk.now, urgent=True)
    if GM in meant.seats:
        outbox.add_notice(desk.session, live.game.id, GM, "alert.message", fields, desk.now, urgent=True)


def _tell_observers(desk: Desk, live: Live, message: str) -> None:
    """Carry what was said to all to who looks on, and name them in the answer."""
    watching = observers.list_observers(desk.session, live.game.id)
    fields = {"name": desk.holder(live).name, "message": message}
    for one in watching:
        outbox.add_notice(desk.session, live.game.id, one.seat, "press.table", fields, desk.now, urgent=True)
    if watching:
        desk.tell("press.watched", names=[one.name for one in watching])


def _with_first(seats: Sequence[Seat], first: Seat) -> list[Seat]:
    """Return *seats* with *first* at their head: who reads it is named first."""
    return [first, *(one for one in seats if one != first)]


def _tell_orders(desk: Desk, live: Live, lines: Sequence[Written]) -> None:
    """Name the lines of a message that would have been orders: they were sent, and not played."""
    found = [line.text[:LONGEST_NAME] for line in lines if _is_like_order(desk, live, line)]
    if found:
        desk.tell("press.orders", written=found[:MOST_SHOWN], more=len(found[MOST_SHOWN:]))


def _is_like_order(desk: Desk, live: Live, line: Written) -> bool:
    """Return whether *line* could be played, or begins like something that could be at another time."""
    if live.game.status in orders.CLOSED:
        return False
    reading = orders.read(desk, live, [line])
    return bool(reading.read) or any(one.key != UNKNOWN for one in reading.refused)


def scrubbed(text: str) -> str:
    """Return *text* without tags and addresses, of bearable length."""
    return _ADDRESS.sub("…@…", TAG.sub("…", text))[:LONGEST].strip()
