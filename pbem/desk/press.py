"""`tell NAME: TEXT`: a message to another player, or to all, carried by us without tags or addresses."""

import re

from pbem.desk.values import Desk, Request, Served
from pbem.desk.words import everybody_words, fold, match_command
from pbem.live import Live
from pbem.mail.marker import is_marker
from pbem.store import outbox
from pbem.store.games import Holder

LONGEST = 4_000
_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")


def press(desk: Desk, live: Live, request: Request) -> Served:
    """Carry the rest of the line, and the lines after it up to the next command, to who is named."""
    whom, _, text = request.rest.partition(":")
    own = desk.service.own_templates
    others = [one for one in live.holders if one.seat != desk.seat and not one.bot]
    readers = others if fold(whom) in everybody_words(own) else [one for one in others if _is_meant(one, whom)]
    more = []
    for line in request.following:
        if match_command(line.text, own)[0]:
            break
        more.append(line.text)
    message = _scrubbed("\n".join([text.strip(), *more]).strip())
    if not readers or not message:
        names = [one.name for one in others]
        desk.tell("desk.help")
        return Served(live, len(more), "refused") if names else Served(live, len(more))
    private = len(readers) < len(others) or len(others) == 1
    for one in readers:
        fields = {"seat": desk.seat, "message": message, "private": private}
        outbox.add_notice(desk.session, live.game.id, one.seat, "press.received", fields, desk.now, urgent=True)
    desk.tell("press.sent", to=[one.name for one in readers])
    return Served(live, len(more))


def _is_meant(holder: Holder, whom: str) -> bool:
    name = fold(holder.name)
    return fold(whom) in (name, name.split(" ")[0], str(holder.seat + 1))


def _scrubbed(text: str) -> str:
    """Return *text* without markers and addresses, of bearable length."""
    lines = [line for line in text.splitlines() if not is_marker(line)]
    return _ADDRESS.sub("…@…", "\n".join(lines))[:LONGEST].strip()
