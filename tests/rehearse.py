"""
Many running games of all titles in a store of their own, rehearsed: `python -m tests.rehearse --games 1000`.

Prints how many were replayed in a second; leaves with 1 at a game that differs from itself.
"""

import argparse
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path

from engine.core.bots import play_game, random_bot, roller
from engine.core.dice import demo_seed
from engine.core.export import Export, Header, format_export
from engine.core.types import Seat
from pbem.importing import import_game
from pbem.store.base import Store
from pbem.store.upgrade import upgrade_store
from pbem.upgrading import rehearse_all
from tests.contract.titles import Setting, dice, settings

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def export(setting: Setting, number: int) -> str:
    """Return a random game, broken off at a random entry."""
    seats = {Seat(n): random_bot(roller(demo_seed(number * 10 + n))) for n in range(setting.seats)}
    records = play_game(setting.ruleset, setting.start(), seats, dice(number))
    length = random.Random(number).randrange(1, len(records))
    thrown = dice(number)
    options = tuple(
        (name, dict(setting.options).get(name, one.default)) for name, one in setting.ruleset.options.items()
    )
    header = Header(
        setting.title,
        setting.ruleset.rules,
        setting.seats,
        options,
        setting.tables.digest,
        thrown.commitment,
        seed=thrown.seed.hex(),
    )
    return format_export(Export(header, tuple(record.entry for record in records[:length])))


def fill(store: Store, games: int) -> int:
    """Store so many running games of all titles, and return how many entries they have."""
    entries = 0
    plain = cycle([one for one in settings() if not one.drawn and one.title != "bids"])
    for number, setting in zip(range(games), plain, strict=False):
        with store.write() as session:
            entries += import_game(session, export(setting, number), NOW).position.seq
    return entries


def main(words: list[str]) -> int:
    """Make and rehearse the games, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.rehearse", description=__doc__)
    parser.add_argument("--games", type=int, default=30)
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder) / 'pbem.db'}")
        upgrade_store(store)
        entries = fill(store, given.games)
        begun = time.perf_counter()
        found = list(rehearse_all(store))
        spent = time.perf_counter() - begun
        store.close()
    for one in found:
        if one.fault is not None:
            print(f"game {one.game}, {one.ruleset}: differs at entry {one.entry}: {one.fault}")
    print(f"{len(found)} games, {entries} entries: {len(found) / spent:.0f} games a second, {spent:.1f} s")
    return int(any(one.fault for one in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
