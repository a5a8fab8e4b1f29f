"""What an album is made from: a stored game as data, without people's addresses."""

from datetime import datetime
from typing import Any

from msgspec import Struct

from engine.core.export import format_export
from engine.core.log import Position, Record
from pbem.advance import ended
from pbem.errors import Refused
from pbem.live import Live, export_of, has_own_values, records_of, start_of
from pbem.post.ending import over_of, verified_records
from pbem.post.facts import Over, Player
from pbem.post.mime import one_line
from pbem.service import Service
from pbem.store import games
from pbem.store.base import Session


class AlbumFacts(Struct, frozen=True):
    """
    One game, from its first position to its last.

    `title`    name of the ruleset; `ours`: some of its values are our own, where the printed ones were not found
    `records`  the whole log, replayed; `causes` has for each of them "line", "forced", "default", "chance" or "gm"
    `over`     what is told at the end; None while the game runs: then hidden things stay hidden
    `export`   the game as a text file; "" while it runs
    """

    game: int
    title: str
    players: tuple[Player, ...]
    start: Position[Any]
    records: tuple[Record[Any], ...]
    causes: tuple[str, ...]
    commitment: str = ""
    ours: bool = False
    zone: str = "UTC"
    started: datetime | None = None
    ended: datetime | None = None
    over: Over | None = None
    export: str = ""


def album_facts(session: Session, service: Service, live: Live) -> AlbumFacts:
    """
    Return the facts of the game.

    Raises: Refused `album.not-begun`; LogError where the log does not replay.
    """
    if not live.begun:
        raise Refused("album.not-begun", game=live.game.id)
    is_over = ended(live.game)
    verified = verified_records(session, live) if is_over else ()
    records = verified or records_of(session, live)
    return AlbumFacts(
        game=live.game.id,
        title=live.game.ruleset,
        players=tuple(Player(one.seat, one_line(one.name), bool(one.bot)) for one in live.holders),
        start=start_of(session, live),
        records=records,
        causes=tuple(one.cause for one in games.read_log(session, live.game.id)),
        commitment=live.game.commitment,
        ours=has_own_values(session, live.game),
        zone=service.settings.play.timezone,
        started=live.game.started_at,
        ended=live.game.ended_at if is_over else None,
        over=over_of(live, records, verified=bool(verified) or not records) if is_over else None,
        export=format_export(export_of(session, live.game, full=True)) if is_over else "",
    )
