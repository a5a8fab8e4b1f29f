"""
Half a year of a club in minutes: `python -m tests.season --games 200 --people 600 --days 182`.

Prints each week of the season how far it is, then the table; leaves with 1 where a law does not hold. SIGTERM ends the
season at once, and the table tells what there was until then.
"""

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.season.tally import report
from tests.season.year import FIRST, Plan, Year, season


def main(words: list[str]) -> int:
    """Run a season and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.season", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--people", type=int, default=600)
    parser.add_argument("--days", type=int, default=182)
    parser.add_argument("--number", type=int, default=1)
    parser.add_argument("--output", type=Path, help="Keep the installation there.")
    given = parser.parse_args(words)
    begun = time.monotonic()

    def tell(year: Year) -> None:
        if (year.now.toordinal() % 7) == 0:
            spent = time.monotonic() - begun
            print(
                f"{year.now:%Y-%m-%d}  letters {year.tally.letters}  mails {year.tally.mails}  {spent:.0f} s",
                flush=True,
            )

    with tempfile.TemporaryDirectory() as temporary:
        folder = given.output or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        with season(folder, Plan(given.games, given.people, given.days, given.number)) as year:
            signal.signal(signal.SIGTERM, lambda *_: setattr(year, "stopped", True))
            tally = year.run(tell)
    print(report(tally, (year.now - FIRST).days))
    print(f"in {time.monotonic() - begun:.0f} s")
    for one in (*tally.wrong[:20], *tally.lost[:20], *map(str, tally.refused_acts[:20])):
        print(f"! {one}")
    for (kind, status, reason), number in sorted(tally.statuses.items()):
        print(f"  {kind:8} {status:8} {reason:20} {number}")
    return int(bool(tally.wrong or tally.lost))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
