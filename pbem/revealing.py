"""Looks of the game master at what is hidden: put on record, and told to all players."""

from datetime import datetime

from pbem.advance import tell_all
from pbem.live import Live, keeps_secrets, real_game
from pbem.moderation import note_act
from pbem.store import games
from pbem.store.base import Session


def reveal(session: Session, live: Live, what: str, of: int, now: datetime) -> Live:
    """
    Return the game after it is on record, and told to all, that the game master looked at *what* that is secret.

    A look at a what-if is told, once, to the players of the game itself.
    Shape:  `what` is `log` or `export`; `orders`, `view` or `receipt` *of* a seat; `letter`, `mail` or `branch` with
            the number *of* it.
    """
    if not keeps_secrets(session, live) or is_revealed(session, live):
        return live
    real, fields = real_game(session, live), {"what": what, "of": of}
    if live.is_branch:
        fields = {"what": "branch", "of": live.game.id}
    note_act(session, real, "reveal", fields, now)
    tell_all(session, real, "gm.revealed", fields, now)
    return live


def is_revealed(session: Session, live: Live) -> bool:
    """Return whether it is on record that the game master sees all of *live*, a what-if; of a game it never is."""
    if not live.is_branch:
        return False
    seen = {"what": "branch", "of": live.game.id}
    return any(one.what == "reveal" and one.fields == seen for one in games.list_acts(session, live.game.branch_of))
