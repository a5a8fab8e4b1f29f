"""
What-ifs: a copy of a game in which the game master tries things, and of which nobody else is told.

Its log begins with the position that it was made from, and its dice are its own: what is drawn in it tells nothing of
what the game itself will draw. The game master plays all its seats; no clock runs, and no pass looks at it. What is
hidden in the game is hidden in the what-if, for as long; moves could show it, so they count as a look at it.
"""

import secrets
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.core.dice import SEED_BYTES, Dice
from engine.core.log import Position, first_link, make_amendment
from pbem.advance import advance, enter, restart_clocks, store_all
from pbem.errors import Refused
from pbem.live import Live, header_of, is_branch, keeps_secrets, take_up, want_same_rules
from pbem.moderation import note_act, point_of
from pbem.revealing import is_revealed
from pbem.store import games
from pbem.store.base import Session
from pbem.store.games import Act, Game, Holder

MASTER = "gm"
"""Stands as the bot of every seat of a what-if: the game master plays it."""


class Branch(Struct, frozen=True):
    """A what-if that was made: it stands as its game stood after entry `at`."""

    live: Live
    at: int


def branch(session: Session, live: Live, to: int | None, now: datetime) -> Branch:
    """
    Return a what-if of *live* as it stood after entry *to*, None the last, or where a half-entered round began there.

    Raises: Refused `branch.branch`, `branch.not-begun`, `branch.number`, `rewind.amended`, `game.outdated`.
    """
    if live.is_branch:
        raise Refused("branch.branch", game=live.game.id, of=live.game.branch_of)
    want_same_rules(live)
    if not live.begun:
        raise Refused("branch.not-begun", game=live.game.id)
    last = live.position.seq
    if to is not None and not 0 <= to <= last:
        raise Refused("branch.number", game=live.game.id, to=to, last=last)
    at, records, start = point_of(session, live, last if to is None else to)
    target = records[at - 1].position if at else start
    made = _stored(session, live, start, now)
    record = make_amendment(live.ruleset, replace(start, state=target.state))
    made = restart_clocks(enter(session, made, [(record, "gm")], now), now)
    note_act(session, made, "branch", {"of": live.game.id, "at": at}, now)
    store_all(session, made)
    return Branch(made, at)


def _stored(session: Session, live: Live, start: Position[Any], now: datetime) -> Live:
    """Return a new game like *live* before its first entry, all its seats played by the game master."""
    seed = secrets.token_bytes(SEED_BYTES)
    draft = Game(
        id=0,
        ruleset=live.game.ruleset,
        rules=live.game.rules,
        seats=live.game.seats,
        options=live.game.options,
        tables=live.game.tables,
        commitment=Dice(seed).commitment,
        seed=seed,
        status="branch",
        clock=live.game.clock,
        created_at=now,
        branch_of=live.game.id,
    )
    draft = replace(draft, link=first_link(header_of(session, draft, full=False).constant_text()))
    game = games.add_game(session, games.with_position(draft, start, draft.link))
    for one in live.holders:
        games.add_holder(session, Holder(game.id, one.seat, one.name, bot=MASTER, accepted=True))
    return take_up(session, game.id)


def drawn(session: Session, live: Live, now: datetime) -> Live:
    """Return *live*; in a what-if, which waits with its draws, after what its dice draw now."""
    return advance(session, live, now) if live.is_branch and live.owes_draw else live


def discard(session: Session, number: int, now: datetime) -> Game:
    """
    Return the what-if *number* thrown away: it stands in no list any more, and nothing can be done with it.

    Raises: Refused `game.unknown`, `branch.none`, `branch.discarded`.
    """
    game = games.get_game(session, number)
    if not is_branch(game):
        raise Refused("branch.none", game=number)
    if game.status == "discarded":
        raise Refused("branch.discarded", game=number)
    game = replace(game, status="discarded")
    games.save_game(session, game)
    games.add_act(session, Act("gm", "discard", {}, now, number))
    return game


def want_real(live: Live) -> None:
    """
    See that *live* is no what-if, in which nothing can be done but play, go back, and look.

    Raises: Refused `branch.act`.
    """
    if live.is_branch:
        raise Refused("branch.act", game=live.game.id, of=live.game.branch_of)


def want_kept(live: Live) -> None:
    """
    See that *live* was not thrown away.

    Raises: Refused `branch.discarded`.
    """
    if live.game.status == "discarded":
        raise Refused("branch.discarded", game=live.game.id)


def want_open(session: Session, live: Live) -> None:
    """
    See that a rehearsed act in *live* shows nothing that only the act itself would put on record.

    Raises: Refused `branch.rehearsal`.
    """
    if live.is_branch and keeps_secrets(session, live) and not is_revealed(session, live):
        raise Refused("branch.rehearsal", game=live.game.id, of=live.game.branch_of)
