"""An exported game taken in: replayed, checked, stored."""

from datetime import datetime

from engine import registry
from engine.core.export import parse_export, verify
from engine.core.log import first_link, first_position
from engine.core.ruleset import make_config
from engine.core.types import CHANCE, GM, Seat
from pbem.advance import enter, store_all
from pbem.clock import parse_clock
from pbem.errors import Refused
from pbem.live import Live, take_up
from pbem.lobby import NOBODY, free_name
from pbem.report import exported_tables, worded
from pbem.store import games
from pbem.store.base import Session
from pbem.store.games import Game, Holder

CLOCK = "24h + 10d"


def import_game(session: Session, text: str, now: datetime) -> Live:
    """
    Return the game of the export *text*, stored under a new number.

    A game that is over stays so; one that runs is paused, and its seats are held by nobody until `gm replace`.
    Raises: LogError and relatives for what does not replay; Refused `import.full` without the seed.
    """
    export = parse_export(text)
    header = export.header
    ruleset = registry.load(header.ruleset)
    tables = exported_tables(header.ruleset, header.tables_text)
    with worded(header.ruleset):
        records = verify(ruleset, tables, export)
    if not header.seed:
        raise Refused("import.full")
    config = make_config(header.seats, dict(header.options), allowed=ruleset.seats, options=ruleset.options)
    position = records[-1].position if records else first_position(ruleset, config, tables)
    over = not position.owed(ruleset)
    games.keep_tables(session, tables.digest, header.ruleset, tables.text)
    seed = bytes.fromhex(header.seed)
    draft = Game(
        id=0,
        ruleset=header.ruleset,
        rules=ruleset.rules,
        seats=header.seats,
        options=header.options,
        tables=tables.digest,
        commitment=header.commitment,
        seed=seed,
        words=header.words,
        status="over" if over else "paused",
        clock=CLOCK,
        created_at=now,
        started_at=now,
        ended_at=now if over else None,
        paused_at=None if over else now,
    )
    start = first_position(ruleset, config, tables)
    game = games.add_game(session, games.with_position(draft, start, first_link(header.constant_text())))
    bank = parse_clock(CLOCK).bank
    for seat in range(header.seats):
        games.add_holder(session, Holder(game.id, Seat(seat), free_name(seat), accepted=True, bank=bank, bot=NOBODY))
    causes = {CHANCE: "chance", GM: "gm"}
    entered = [(record, causes.get(record.entry.seat, "line")) for record in records]
    store_all(session, enter(session, take_up(session, game.id), entered, now))
    return take_up(session, game.id)
