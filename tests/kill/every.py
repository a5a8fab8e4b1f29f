"""
Trouble at every step: `python -m tests.kill.every [--games robot,village,bids] [--ticks 40] [--sample 1] [--seed 7]`.

A season of several games is played pass by pass. Before each pass the world is saved: store, mailbox, what was sent.
The pass runs undisturbed, and the next ones until all is quiet; that is the world as it should be. Then, for each point
before or after a step that touches store, mailbox or server, the saved world is put back, a process runs the pass and
is killed there with SIGKILL, and the passes after it must lead to the same world: nothing lost, nothing twice, at most
one mail repeated a kill, and that with its Message-ID and its bytes. Commands of the game master die likewise.
`--trouble` takes something else than a death: a store that is locked, or full.

`--sample N` takes one point in N only, but each sort of point at least once. Leaves with 1 if anything is wrong.

    points    how often the season comes to such a point      tried     at how many of them there was trouble
    times     how often, with those that died twice in a row  struck    processes that did not end with 0
    restarts  worlds from which passes went on: where the same was left twice, the first tells for both
"""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.kill.mortal import live_well
from tests.kill.points import Choice, Point
from tests.kill.script import SCRIPT, robot
from tests.kill.season import TABLES, Season, Step
from tests.kill.traces import Traces, look_at
from tests.kill.trial import Case, Post, Site, order_of, undisturbed
from tests.kill.troubles import KINDS
from tests.kill.world import World

PARTS = ("tick", "fetch", "judge", "time", "send", "gm")
MOST_TOLD = 3
"""Cases of each sort of point that are printed if something is wrong."""
MEMORY = Path("/dev/shm")


class Plan(Struct, frozen=True):
    """
    What is played, and how often processes die.

    `sample`, `statements`  one in so many points, and of those one in so many changes inside of a transaction
    `twice`                 one in so many deaths is followed by a second one at the same point
    `trouble`               what befalls a process, a key of `troubles.KINDS`
    """

    games: tuple[str, ...]
    ticks: int
    sample: int = 1
    statements: int = 20
    twice: int = 9
    seed: int = 7
    jobs: int = 1
    trouble: str = "killed"


class Played(Struct, frozen=True):
    """A season that is over: the points that it came to, what came of each trouble, and what it held."""

    points: Counter[Point]
    cases: tuple[Case, ...]
    content: dict[str, Counter[str]]

    def broken(self) -> list[Case]:
        """Return the cases in which something is wrong."""
        return [one for one in self.cases if one.breaches()]


class Game:
    """A season as it goes on: each step is run, and survived in trouble at its points."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan = plan
        self.site = Site(folder)
        self.season = Season(plan.games, plan.seed, SCRIPT)
        self.choice = Choice(plan.sample, plan.statements, plan.seed, KINDS[plan.trouble].points)
        self.points: Counter[Point] = Counter()
        self.cases: list[Case] = []

    def play(self) -> Played:
        """Play the whole season, from an installation that is born."""
        world = self.site.open_up(self.season)
        self.site.warm_up(world, Season(self.plan.games, self.plan.seed, SCRIPT), self.plan.ticks)
        self.be_born()
        post = Post(world)
        for step in self.season.steps(self.plan.ticks):
            if step.tried:
                self.survive(step, world, post)
            else:
                live_well(world, order_of(self.site, step))
            self.season.read(world.taken())
            world.clear_away()
        return Played(self.points, tuple(self.cases), content_of(look_at(world)))

    def be_born(self) -> None:
        """Survive the first pass of an installation, which makes key, lock and store."""
        world = World(self.site.folder / "born").make()
        letters = tuple(robot(self.season))
        step = Step(("tick",), self.season.now, letters, scene="the first pass of all", born=True)
        self.survive(step, world, Post(world))

    def survive(self, step: Step, world: World, post: Post) -> None:
        """Run *step*, then in trouble at its points."""
        begun = time.monotonic()
        post.deliver(step)
        trial = undisturbed(self.site, step, world)
        self.points.update(trial.points)
        numbers = self.choice.numbers(trial.points, all_changes=step.born)
        twice = [one for one in numbers if (one + self.plan.seed) % self.plan.twice == 0] if self.is_deadly else []
        self.cases += trial.suffer_at(numbers, self.plan.trouble, twice, self.plan.jobs)
        print(f"{step.scene}: {len(step.letters)} letters, {len(trial.points)} points, ", end="")
        print(f"{len(numbers)} tried in {time.monotonic() - begun:.0f} s", flush=True)

    @property
    def is_deadly(self) -> bool:
        """Return whether processes die of the trouble."""
        return self.plan.trouble == "killed"


def content_of(traces: Traces) -> dict[str, Counter[str]]:
    """Return what a season held: letters by reason, entries by cause, mails by kind and state, notices by key."""
    columns = {"letters": ("status", "reason"), "log": ("cause",), "outbox": ("kind", "status"), "notices": ("key",)}
    return {
        name: Counter(" ".join(str(dict(row)[one]) for one in wanted) for row in traces.tables[name])
        for name, wanted in columns.items()
    }


def tell(played: Played) -> None:
    """Print the table of what was found, and what is wrong."""
    for name, counts in played.content.items():
        print(f"{name}: " + ", ".join(f"{key} {count}" for key, count in sorted(counts.items())))
    head = (
        "part",
        "step",
        "",
        "points",
        "tried",
        "times",
        "struck",
        "restarts",
        "lost",
        "doubled",
        "repeated",
        "changed",
    )
    print(_line((*head, "logs equal", "boxes equal", "store equal")))
    for point in sorted({one.point for one in played.cases}, key=_place):
        print(_line((*msgspec.structs.astuple(point), *_figures(played, [point]))))
    print(_line(("all", "", "", *_figures(played, list(played.points)))))
    told: Counter[Point] = Counter()
    for one in played.broken():
        told[one.point] += 1
        if told[one.point] <= MOST_TOLD:
            print(f"{one.scene}, {one.point} (ended with {one.status}):")
            print("".join(f"    {breach}\n" for breach in one.breaches()), end="")
    print(f"{len(played.broken())} breaches")


def _figures(played: Played, points: Sequence[Point]) -> tuple[object, ...]:
    cases = [one for one in played.cases if one.point in points]
    verdicts = [one.verdict for one in cases if one.verdict is not None]

    def count(name: str) -> int:
        return sum(len(getattr(one, name)) for one in verdicts)

    whole = len(verdicts) == len(cases)
    equal = ("yes" if whole and not count(name) else "NO" for name in ("log", "boxes", "rest"))
    return (
        sum(played.points[one] for one in points),
        len(cases),
        sum(one.times for one in cases),
        sum(one.status != 0 for one in cases),
        sum(one.restarted for one in cases),
        *(count(name) for name in ("lost", "doubled", "repeated", "changed")),
        *equal,
    )


def _place(point: Point) -> tuple[int, str, bool]:
    return PARTS.index(point.part), point.kind, point.when == "after"


def _line(cells: Sequence[object]) -> str:
    widths = (6, 14, 7, 7, 7, 7, 7, 9, 6, 8, 9, 8, 11, 12, 12)
    return "".join(
        f"{cell!s:<{w}}" if n < 3 else f"{cell!s:>{w}}" for n, (cell, w) in enumerate(zip(cells, widths, strict=True))
    )


def main(arguments: list[str] | None = None) -> int:
    """Play, print what was found, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.kill.every", description=__doc__)
    parser.add_argument("--games", default=",".join(TABLES), help=f"names of {', '.join(TABLES)}, with commas")
    parser.add_argument("--ticks", type=int, default=40)
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument(
        "--statements", type=int, default=20, help="of the changes in a transaction only one in so many"
    )
    parser.add_argument("--twice", type=int, default=9, help="one death in so many is followed by a second one there")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--trouble", choices=KINDS, default="killed", help="what befalls a process")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="how many at the same time")
    given = vars(parser.parse_args(arguments))
    plan = Plan(**given | {"games": tuple(given["games"].split(","))})
    with tempfile.TemporaryDirectory(
        prefix="pbem-every-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None
    ) as folder:
        played = Game(plan, Path(folder)).play()
    tell(played)
    return 1 if played.broken() else 0


if __name__ == "__main__":
    sys.exit(main())
