"""`resign`: leave the game for good. A bot plays on, or the rules answer until the game master finds somebody."""

from pbem.bench import offer_or_tell
from pbem.desk.agreeing import NO, YES, answer_of, persons
from pbem.desk.values import Desk, Request, Served
from pbem.entering import leave
from pbem.live import Live
from pbem.lobby import takes_players
from pbem.moderation import PLAYERS, finish, pause, resign_seat
from pbem.opening import STAND_IN, bot_offer


def resign(desk: Desk, live: Live, request: Request) -> Served:
    """
    Ask once whether it is meant; after `resign yes` the seat is given away, and nothing more is mailed to who held it.

    Where no person is left the game ends there, without a result. A seat of an open game for whoever comes is left at
    once.
    """
    if takes_players(live.game):
        return Served(leave(desk.session, live, desk.seat, desk.now))
    if live.game.status not in ("running", "paused"):
        return desk.refuse(live, "letter.not-started" if live.game.status == "open" else "letter.over")
    answer = answer_of(desk, request) if request.rest else ""
    if answer != YES:
        desk.tell("resign.kept" if answer == NO else "resign.asked", **({} if answer == NO else _outlook(desk, live)))
        return Served(live)
    seat, former = desk.seat, desk.holder(live)
    offer = bot_offer("greedy" if desk.service.settings.play.resign == "bot" else STAND_IN)
    live = resign_seat(desk.session, live, seat, offer, desk.now)
    left = persons(live)
    if desk.service.settings.play.resign == "bench" and left:
        offer_or_tell(desk.session, live, seat, desk.now)
    if not left:
        live = finish(desk.session, live, "", desk.now, void=True, who=f"seat {former.seat}")
    elif all(one.wants_end for one in left):
        live = finish(desk.session, live, "", desk.now, who=PLAYERS)
    elif live.running and all(one.wants_pause for one in left):
        live = pause(desk.session, live, "", desk.now, who=PLAYERS)
    return Served(live)


def _outlook(desk: Desk, live: Live) -> dict[str, bool]:
    """Return whether a bot would take the seat, whether nobody else is left, and whether one may be away instead."""
    play = desk.service.settings.play
    return {"bot": play.resign == "bot", "last": len(persons(live)) == 1, "away": bool(play.away)}
