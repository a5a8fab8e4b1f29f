"""`confirm NUMBER`: a letter from another address of mine was mine. Alone it takes a seat, see `waiting.py`."""

import re

from pbem.desk.values import Desk, Request, Served
from pbem.live import Live
from pbem.store import letters, observers, people


def confirm(desk: Desk, live: Live, request: Request) -> Served:
    """Release the held letter of that number, if it waits for this seat, and remember its address."""
    found = re.search(r"\d{1,12}", request.rest)
    if found is None and _has_confirmed(desk, live):
        desk.tell("lobby.again", what="seated")
        return Served(live)
    letter = letters.get_letter(desk.session, int(found[0])) if found else None
    waits = letter is not None and letter.status == "held" and letter.reason == "tag.missing"
    if letter is None or not waits or (letter.game, letter.seat) != (live.game.id, desk.seat):
        return desk.refuse(live, "order.nothing")
    people.add_alias(desk.session, desk.person.id, letter.sender)
    letters.change_letter(desk.session, letter.id, status="new", reason="confirmed", tries=0)
    return Served(live)


def _has_confirmed(desk: Desk, live: Live) -> bool:
    """Return whether the person came to his seat by a question that he has answered."""
    one = observers.find_observer(desk.session, live.game.id, desk.person.id)
    return one is not None and one.state == "seated"
