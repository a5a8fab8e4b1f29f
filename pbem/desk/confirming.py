"""`confirm NUMBER`: a letter from another address of mine was mine."""

import re

from pbem.desk.values import Desk, Request, Served
from pbem.live import Live
from pbem.store import letters, people


def confirm(desk: Desk, live: Live, request: Request) -> Served:
    """Release the held letter of that number, if it waits for this seat, and remember its address."""
    found = re.search(r"\d{1,12}", request.rest)
    letter = letters.get_letter(desk.session, int(found[0])) if found else None
    waits = letter is not None and letter.status == "held" and letter.reason == "tag.missing"
    if letter is None or not waits or (letter.game, letter.seat) != (live.game.id, desk.seat):
        return desk.refuse(live, "order.nothing")
    people.add_alias(desk.session, desk.person.id, letter.sender)
    letters.change_letter(desk.session, letter.id, status="new", reason="confirmed", tries=0)
    return Served(live)
