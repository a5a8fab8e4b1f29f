"""
How the values of our own play: `python -m tests.engine.my_village.balance --games 600`.

Prints the length of a game and the points by source for greedy bots, then how often each of six bots that favour one
source of points wins against the others, in games of four with seats rotated; a shared win counts by its share.
"""

import argparse
import sys
from collections import Counter
from itertools import permutations
from multiprocessing import Pool
from typing import Any

from engine.core.bots import Bot, play_game
from engine.core.types import Seat, Standing
from engine.my_village.bot import greedy, play_for
from engine.my_village.vocabulary import VOCABULARY
from tests.contract.titles import Setting, dice

FAVOURITES = VOCABULARY.parts[:6]
"""The sources of points that a bot can favour: those that one can play for."""

TABLE = 4
TABLES = tuple(permutations(FAVOURITES, TABLE))


def play(job: tuple[int, int, tuple[str, ...]]) -> tuple[tuple[str, ...], int, tuple[Standing, ...]]:
    """Return who played for what, the rounds and the standings of game *number*."""
    number, seats, favourites = job
    setting = Setting("my_village", seats)
    bots: list[Bot] = [play_for(one) for one in favourites] if favourites else [greedy] * seats
    last = play_game(
        setting.ruleset, setting.start(), dict(zip(map(Seat, range(seats)), bots, strict=True)), dice(number)
    )
    state: Any = last[-1].position.state
    return favourites, state.round, setting.ruleset.standings(state)


def seated(number: int) -> tuple[str, ...]:
    """Return four of the six for game *number*: all of them sit everywhere, and beside everybody, equally often."""
    return TABLES[number * 137 % len(TABLES)]


def main() -> int:
    """Print the figures; return 1 if one way to play wins more than twice its even share."""
    parser = argparse.ArgumentParser(prog="python -m tests.engine.my_village.balance", description=__doc__)
    parser.add_argument(
        "--games", type=int, default=600, help="of the six favourites; a sixth as many of each other kind"
    )
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    with Pool(given.jobs) as pool:
        for seats in (2, 3, 4):
            jobs = [(number, seats, ()) for number in range(given.games // 6)]
            _tell_length(seats, pool.map(play, jobs, chunksize=4))
        jobs = [(number, TABLE, seated(number)) for number in range(given.games)]
        return _tell_favourites(pool.map(play, jobs, chunksize=4))


def _tell_length(seats: int, games: list[tuple[tuple[str, ...], int, tuple[Standing, ...]]]) -> None:
    rounds = sorted(length for _, length, _ in games)
    scores = [one for _, _, standings in games for one in standings]
    totals = sorted(one.points for one in scores)
    parts = {name: sum(dict(one.parts)[name] for one in scores) / len(scores) for name in VOCABULARY.parts}
    print(
        f"{seats} seats, {len(games)} games: rounds {rounds[0]} to {rounds[-1]}, mean {sum(rounds) / len(rounds):.1f};"
        f" points {totals[0]} to {totals[-1]}, mean {sum(totals) / len(totals):.1f}:"
        f" {', '.join(f'{name} {mean:.1f}' for name, mean in parts.items())}",
        flush=True,
    )


def _tell_favourites(games: list[tuple[tuple[str, ...], int, tuple[Standing, ...]]]) -> int:
    won: dict[str, float] = dict.fromkeys(FAVOURITES, 0.0)
    points: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for favourites, _, standings in games:
        winners = [one.seat for one in standings if one.rank == 1]
        for one in standings:
            name = favourites[one.seat]
            played[name] += 1
            points[name] += one.points
            won[name] += TABLE / len(winners) if one.seat in winners else 0
    shares = {name: won[name] / played[name] for name in FAVOURITES if played[name]}
    for name, share in shares.items():
        mean = points[name] / played[name]
        print(f"for {name}: {share:.2f} times its even share, mean {mean:.1f}, {played[name]} games")
    return int(max(shares.values()) > 2)


if __name__ == "__main__":
    sys.exit(main())
