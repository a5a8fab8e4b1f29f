"""
A whole game whose ticks are killed: `python -m tests.kill [--game village|bids] [--seats N] [--robots N]
[--seed K] [--hits 10]`. A robot is a seat that the service plays; without one `time` has little to do.

It is played undisturbed first; then ticks are killed with SIGKILL until each of the four parts was hit so many times,
in further games with the next seeds where one is too short. Leaves with 1 if anything was lost or doubled, if a
repeated mail changed, or if the log is another.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from tests.kill.director import Plan, play
from tests.kill.findings import Findings, look_at, same_told
from tests.kill.killer import PARTS, Hit, Killer

MOST_GAMES = 20


def main(arguments: list[str] | None = None) -> int:
    """Play, print what was found, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.kill", description=__doc__)
    parser.add_argument("--game", default="village")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--robots", type=int, default=0, help="further seats, played by the service")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--hits", type=int, default=10, help="how often each part is hit at least")
    parser.add_argument("--out", type=Path, help="folder for the traces; else a temporary one, cleared away")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="pbem-kill-") as temporary:
        return kill(Plan(given.game, given.seats, given.seed, given.robots), given.hits, given.out or Path(temporary))


def kill(plan: Plan, hits: int, folder: Path) -> int:
    """Play games until each part was hit *hits* times; return 0 if nothing was wrong in any."""
    total: Counter[Hit] = Counter()
    faults = 0
    for number in range(plan.number, plan.number + MOST_GAMES):
        one = replace(plan, number=number)
        begun = time.monotonic()
        plain = play(one, folder / f"{number}-plain")
        spent = time.monotonic() - begun
        killer = Killer(random.Random(number), plain.seen, hits)
        killer.hits.update(total)
        killed = play(one, folder / f"{number}-killed", killer)
        total = killer.hits
        before, after = look_at(plain), look_at(killed)
        print(
            f"{one.title}, {one.seats} persons, {one.robots} robots, seed {number}: "
            f"{plain.ticks} ticks undisturbed in {spent:.0f} s, median {killer.whole * 1000:.0f} ms; "
            f"{killed.ticks} ticks in the other, {killer.missed} of them faster than their kill"
        )
        faults += _tell(before, after)
        if killer.satisfied:
            break
    print_hits(total)
    if not killer.satisfied:
        print(f"not every part was hit {hits} times")
    return 0 if not faults and killer.satisfied else 1


def print_hits(hits: Counter[Hit]) -> None:
    """Print how often each part was hit, and what it had done last."""
    print("part      hits  of them right after: its start, a commit, a move, a hand-over")
    for part in (*PARTS, "between"):
        by = {hit.after: count for hit, count in hits.items() if hit.part == part}
        figures = "  ".join(f"{by.get(after, 0):5d}" for after in ("start", "commit", "moved", "handed"))
        print(f"{part:8s} {sum(by.values()):5d}  {figures}")


def _tell(before: Findings, after: Findings) -> int:
    """Print what was found in one game and return how much of it is wrong."""
    same = before.log == after.log
    print(f"  letters {after.letters}, judged: {after.outcomes}; mails {after.mails}; entries {len(after.log)}")
    print(f"  lost {len(after.lost)}")
    print(f"  doubled {len(after.doubled)}")
    kept = "each with its Message-ID and its bytes kept" if not after.changed else f"{len(after.changed)} CHANGED"
    print(f"  repeated mails {len(after.repeated)}, {kept}")
    print(f"  final log equals the undisturbed one: {_yes(same)}")
    print(f"  the same mails composed for each seat: {_yes(same_told(before, after))}")
    print(f"  verify: {_yes(after.verified)}")
    for alarm in (*before.alarms, *after.alarms):
        print(f"  on record: {alarm}")
    if not same:
        at = next((n for n, pair in enumerate(zip(before.log, after.log, strict=False)) if pair[0] != pair[1]), -1)
        print(f"  first difference: {before.log[at]!r}, killed: {after.log[at]!r}")
    wrong = (after.lost, after.doubled, after.changed, before.alarms, after.alarms)
    return sum(map(bool, wrong)) + (not same) + (not after.verified) + (not same_told(before, after))


def _yes(fact: object) -> str:
    return "yes" if fact else "NO"


if __name__ == "__main__":
    sys.exit(main())
