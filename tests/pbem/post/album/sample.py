"""Albums of real games of random bots, for the tests."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

from engine.core.dice import demo_seed
from engine.core.log import Record
from engine.core.types import CHANCE, Seat
from pbem.post.album.facts import AlbumFacts
from pbem.post.album.page import Made, make_album
from pbem.post.facts import Over, Player
from tests.contract.titles import Setting
from tests.pbem.post.sample import WORDS, game

EVIL = ("<script>alert(1)</script>", "]]></script><!--", "Ana & \"Bia\" 'Caio'", "{seq} {last}", "Ωmega", "Wiktoria")
STARTED, ENDED = datetime(2026, 3, 2, 12, tzinfo=UTC), datetime(2026, 5, 2, 12, tzinfo=UTC)


def facts(
    setting: Setting, records: Sequence[Record[Any]], *, over: bool = False, names: Sequence[str] = EVIL
) -> AlbumFacts:
    """Return the facts of the game up to the last of *records*."""
    standings = setting.ruleset.standings(records[-1].position.state)
    winners = tuple(one.seat for one in standings if one.rank == 1)
    return AlbumFacts(
        game=12,
        title=setting.title,
        players=tuple(Player(Seat(n), names[n], bot=n == 1) for n in range(setting.seats)),
        start=setting.start(),
        records=tuple(records),
        causes=tuple("chance" if one.entry.seat == CHANCE else "line" for one in records),
        commitment="c0" * 32,
        started=STARTED,
        ended=ENDED if over else None,
        over=Over(winners, demo_seed(1).hex()) if over else None,
        export="pbem-game 1\n" if over else "",
    )


@cache
def album(setting: Setting, seed: int, most: int = 0, *, over: bool = True, language: str = "en") -> Made:
    """Return the album of a game, of its first *most* entries if there are so many."""
    records = game(setting, seed)
    return make_album(facts(setting, records[: most or len(records)], over=over), WORDS, language)
