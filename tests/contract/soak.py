"""
Many random games with every law: `python -m tests.contract.soak --games 1000 [--titles village] [--jobs 2]`.

Prints one line a setting; leaves with 1 at the first game that breaks a law, and names it.
"""

import argparse
import sys
import time
from multiprocessing import Pool

from msgspec.structs import replace

from tests.contract import laws
from tests.contract.titles import Setting, settings

WORLDS = 3
"""Other worlds of each game, in which something hidden is different."""


def run_game(job: tuple[Setting, int, float]) -> tuple[Setting, int, int, str]:
    """Return the setting, the seed, the length of the game, and what broke."""
    setting, seed, share = job
    try:
        records = laws.check_game(setting, seed, share)
        if setting.ruleset.has_secrets:
            laws.check_secrets(setting, seed, records, lambda text: None, share, worlds=WORLDS)
    except AssertionError as error:
        return setting, seed, 0, str(error) or "a law is broken"
    return setting, seed, len(records), ""


def main() -> int:
    """Run the games and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.contract.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--titles", nargs="*")
    parser.add_argument("--settings", nargs="*", help="by the names that are printed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--every", action="store_true", help="each variant with every number of seats")
    parser.add_argument("--share", type=float, default=0.25, help="of the positions, for the laws of one position")
    given = parser.parse_args()
    with Pool(given.jobs) as pool:
        for setting in settings(every=given.every):
            titled = not given.titles or setting.title in given.titles
            if not titled or (given.settings and str(setting) not in given.settings):
                continue
            begun = time.monotonic()
            seeds = range(given.first, given.first + given.games)
            jobs = [(replace(setting, drawn=seed) if setting.drawn else setting, seed, given.share) for seed in seeds]
            entries = 0
            for _, seed, length, broken in pool.imap_unordered(run_game, jobs, chunksize=4):
                if broken:
                    print(f"{setting}: game {seed}: {broken}")
                    return 1
                entries += length
            each, spent = entries / given.games, time.monotonic() - begun
            print(f"{setting}: {given.games} games, {each:.0f} entries each, all laws hold, {spent:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
