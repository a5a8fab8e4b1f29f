"""
`tell NAME: TEXT`: a message to another player, to all, or to the game master, carried without tags or addresses.

It ends before the next command, and before the first line that is an order: nothing hidden goes to another player by
mistake.
"""

import re
from itertools import takewhile

from engine.core.types import GM
from pbem.desk import orders
from pbem.desk.values import Desk, Request, Served
from pbem.desk.words import fold, match_command, readers_words
from pbem.live import Live
from pbem.mail.marker import TAG
from pbem.reading import Written
from pbem.store import outbox
from pbem.store.games import Holder

LONGEST = 4_000
_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")


def press(desk: Desk, live: Live, request: Request) -> Served:
    """Carry the rest of the line, and the lines after it, to who is named."""
    whom, _, text = request.rest.partition(":")
    others = [one for one in live.holders if one.seat != desk.seat and not one.bot]
    everybody = fold(whom) in readers_words("everybody", desk.service.own_templates)
    readers = others if everybody else [one for one in others if _is_meant(one, whom)]
    more = [line.text for line in takewhile(lambda line: _goes_on(desk, live, line), request.following)]
    message = _scrubbed("\n".join([text.strip(), *more]).strip())
    if message and fold(whom) in readers_words("master", desk.service.own_templates):
        fields = {"seat": desk.seat, "message": message}
        outbox.add_notice(desk.session, live.game.id, GM, "alert.message", fields, desk.now, urgent=True)
        desk.tell("press.sent", to=[GM], message=message)
        return Served(live, len(more))
    if not readers or not message:
        desk.tell("press.nobody", name=whom.strip()[:60], players=[one.name for one in others])
        return Served(live, outcome="refused")
    private = len(readers) < len(others) or len(others) == 1
    for one in readers:
        fields = {"seat": desk.seat, "message": message, "private": private}
        outbox.add_notice(desk.session, live.game.id, one.seat, "press.received", fields, desk.now, urgent=True)
    desk.tell("press.sent", to=[one.seat for one in readers], message=message)
    return Served(live, len(more))


def _goes_on(desk: Desk, live: Live, line: Written) -> bool:
    """Return whether a line belongs to the message above it: it is no command, and does not read as an order."""
    if match_command(line.text, desk.service.own_templates)[0]:
        return False
    return not orders.read(desk, live, [line]).read


def _is_meant(holder: Holder, whom: str) -> bool:
    name = fold(holder.name)
    return fold(whom) in (name, name.split(" ")[0], str(holder.seat + 1))


def _scrubbed(text: str) -> str:
    """Return *text* without tags and addresses, of bearable length."""
    return _ADDRESS.sub("…@…", TAG.sub("…", text))[:LONGEST].strip()
