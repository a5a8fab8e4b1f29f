"""`note TEXT`: what a seat keeps for itself in this game; it stands in its reports and nowhere else."""

import re
from itertools import takewhile

from msgspec.structs import replace

from pbem.advance import store_all
from pbem.desk import orders
from pbem.desk.values import Desk, Request, Served
from pbem.desk.words import fold, match_command
from pbem.live import Live
from pbem.mail.marker import TAG
from pbem.reading import Written

LONGEST = 2_000

EMPTY = frozenset(
    ("-", "\u2013", "\u2014", "clear", "empty", "none", "delete", "apagar", "limpar", "esvaziar", "vazia", "nenhuma"),
)
"""What empties the note."""

_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")


def note(desk: Desk, live: Live, request: Request) -> Served:
    """Keep the rest of the line and the lines after it, up to a command or an order; alone: show what is kept."""
    if not request.rest.strip():
        desk.tell("desk.note", what="shown", note=desk.holder(live).note)
        return Served(live)
    if fold(request.rest) in EMPTY:
        return Served(_kept(desk, live, ""))
    more = [line.text for line in takewhile(lambda line: not _ends(desk, live, line), request.following)]
    text = _ADDRESS.sub("…@…", TAG.sub("…", "\n".join([request.rest.strip(), *more]))).strip()
    if len(text) > LONGEST:
        desk.tell("desk.note-long", have=len(text), most=LONGEST)
        return Served(live, len(more), outcome="refused")
    return Served(_kept(desk, live, text), len(more))


def _kept(desk: Desk, live: Live, text: str) -> Live:
    live = live.with_holder(replace(desk.holder(live), note=text))
    store_all(desk.session, live)
    desk.tell("desk.note", what="kept" if text else "emptied", note=text)
    return live


def _ends(desk: Desk, live: Live, line: Written) -> bool:
    """Return whether *line* belongs to the note above it no more."""
    if match_command(line.text, desk.service.own_templates)[0]:
        return True
    return bool(orders.read(desk, live, [line]).read)
