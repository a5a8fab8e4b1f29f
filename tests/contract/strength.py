"""
How much better than chance the greedy bot plays: `python -m tests.contract.strength --games 300 [--titles village]`.

One greedy bot among random ones, seats rotated; a shared win counts by its share. Prints a line a setting.
"""

import argparse
import sys
from multiprocessing import Pool

from engine.core.bots import play_game, random_bot, roller
from engine.core.dice import demo_seed
from engine.core.types import Seat
from engine.registry import load_bot
from tests.contract.titles import Setting, dice, settings


def share_of_win(job: tuple[Setting, int]) -> float:
    """Return the greedy bot's share of the win in game *number*; it holds the seat number modulo seats."""
    setting, number = job
    greedy = Seat(number % setting.seats)
    bots = {Seat(n): random_bot(roller(demo_seed(number * 10 + n))) for n in range(setting.seats)}
    bots[greedy] = load_bot(setting.title)
    last = play_game(setting.ruleset, setting.start(), bots, dice(number))[-1]
    winners = [one.seat for one in setting.ruleset.standings(last.position.state) if one.rank == 1]
    return 1 / len(winners) if greedy in winners else 0.0


def main() -> int:
    """Print the shares."""
    parser = argparse.ArgumentParser(prog="python -m tests.contract.strength", description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--titles", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    with Pool(given.jobs) as pool:
        for setting in settings():
            if (
                (given.titles and setting.title not in given.titles)
                or setting.options
                or setting.drawn
                or setting.seats == 1
            ):
                continue
            jobs = [(setting, number) for number in range(given.games)]
            won = sum(pool.imap_unordered(share_of_win, jobs, chunksize=4)) / given.games
            print(f"{setting}: greedy wins {won:.1%}, {won * setting.seats:.2f} times its even share", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
