"""How a game ended: the whole log with all checks, and what is told of it."""

from collections.abc import Sequence
from typing import Any

from engine.core.errors import EngineError
from engine.core.export import verify
from engine.core.log import Record
from engine.core.ruleset import Ruleset
from engine.core.types import GM, Standing
from pbem.live import Live, export_of, tables_of
from pbem.post.facts import Over
from pbem.store.base import Session


def verified_records(session: Session, live: Live) -> tuple[Record[Any], ...]:
    """Return the whole log, replayed with all checks; nothing where they fail."""
    try:
        return verify(live.ruleset, tables_of(session, live.game), export_of(session, live.game, full=True))
    except EngineError:
        return ()


def over_of(live: Live, records: Sequence[Record[Any]], *, verified: bool) -> Over:
    """Return what is told at the end of the game *live*, whose log is *records*."""
    standings = live.ruleset.standings(live.position.state)
    return Over(
        winners=() if live.game.void else tuple(one.seat for one in standings if one.rank == 1),
        seed=live.game.seed.hex(),
        void=live.game.void,
        drawn=tuple(r.entry.seq for r in records if r.entry.seat == GM and r.entry.text.startswith("draw ")),
        verified=verified,
    )


def round_ends(ruleset: Ruleset[Any, Any, Any], records: Sequence[Record[Any]]) -> tuple[tuple[Standing, ...], ...]:
    """Return the standings at the end of each round, and at the end of *records*."""
    ends = [one for one in records if any(event.key in ruleset.vocabulary.news for event in one.events)]
    if records and (not ends or ends[-1] is not records[-1]):
        ends.append(records[-1])
    return tuple(ruleset.standings(one.position.state) for one in ends)
