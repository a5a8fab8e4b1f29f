"""
One game by mail whose ticks are processes of their own: run through, or killed on the way.

The bots are asked only after a tick that ran through, so that they answer the same mails in every run: killed ticks may
repeat mails, but what is played must be the same.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct

import tests.contract.titles  # noqa: F401 - puts the test title on the list
from engine.core.dice import demo_seed
from pbem.advance import ended
from pbem.clock import utc_now
from pbem.demo.bots import Players
from pbem.live import take_up
from pbem.opening import GameOffer, SeatOffer, open_game
from pbem.service import Service, open_service
from pbem.settings import load_settings
from pbem.store.upgrade import upgrade_store

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "tests" / "contract" / "bids" / "words"
PARTS = ("fetch", "judge", "time", "send")
OUR = "pbem@kill.test"
GM_ADDRESS = "gm@kill.test"
NAMES = ("Ana", "Bob", "Carla", "Davi")
LANGUAGES = ("en", "pt")
MOST_ROUNDS = 3_000
QUIET_ROUNDS = 3
STUCK_ROUNDS = 20
IN_A_ROW = 2
"""Ticks killed one after the other: a letter at which a third one dies is held for the game master, as it should be."""
PATIENCE = 120.0

SETTINGS = """
[mail]
address = "{our}"
name = "Kill post"
plus = "yes"
[gm]
address = "{gm}"
[imap]
host = "127.0.0.1"
port = {imap}
tls = "none"
user = "{our}"
password = "any"
[smtp]
host = "127.0.0.1"
port = {smtp}
tls = "none"
[play]
hold = "0"
"""


class Plan(Struct, frozen=True):
    """What is played: title, persons, the number that dice and bots follow from, and seats that the service plays."""

    title: str
    seats: int
    number: int
    robots: int = 0


class Row(Struct, frozen=True):
    """A line of a trace: a part and `start` or `end`, or what it did meanwhile: `commit`, `moved`, `handed`."""

    part: str
    what: str
    when: float


class Hit(Struct, frozen=True):
    """A kill: the part that it hit, and the last thing that part had done: start, commit, moved or handed."""

    part: str
    after: str


class Stuck(AssertionError):
    """The game does not go on."""


def read_trace(path: Path) -> list[Row]:
    """Return the lines of a trace; what was done is given to the part that did it. A line cut off is left out."""
    rows: list[Row] = []
    part = "between"
    for line in path.read_text().splitlines(keepends=True) if path.exists() else ():
        if not line.endswith("\n"):
            break
        who, what, when = line.split()
        part = who if who != "-" else part
        rows.append(Row(part, what, float(when)))
        part = "between" if what == "end" else part
    return rows


def hit_of(path: Path) -> Hit:
    """Return what was hit when the tick with that trace died; `between` where no part was at work."""
    rows = read_trace(path)
    last = rows[-1] if rows else None
    return Hit("between", "start") if last is None or last.what == "end" else Hit(last.part, last.what)


class Nursery:
    """The process that forks ticks; the tick that runs now can be killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.child = start([sys.executable, "-m", "tests.kill.tick", "--nursery"])
        self.count = 0
        self.pid = 0

    def begin(self, die: str = "") -> Path:
        """Start a tick, which dies by itself after the line *die* of its trace, and return the file of the trace."""
        self.count += 1
        trace = self.folder / "traces" / f"{self.count:05d}"
        trace.parent.mkdir(exist_ok=True)
        order = {"config": str(self.folder / "pbem.toml"), "trace": str(trace), "output": f"{trace}.out", "die": die}
        assert self.child.stdin is not None
        self.child.stdin.write(json.dumps(order) + "\n")
        self.child.stdin.flush()
        self.pid = self._answer()["pid"]
        return trace

    def kill(self) -> None:
        """Kill the tick at once; one that has just ended is no error: its number is not given away before `end`."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def end(self) -> int:
        """Return how the tick ended."""
        return self._answer()["status"]

    def _answer(self) -> dict[str, int]:
        answer: dict[str, int] = json.loads(line_of(self.child))
        return answer


class Killer:
    """
    Kills ticks at random moments, until each part was hit often enough.

    Every other kill is drawn evenly over the time that a whole tick takes. The others go to the kind of step that was
    hit least (a part, and what it did last): the tick dies right after the line of its trace that begins such a step.
    """

    def __init__(self, chance: random.Random, seen: Sequence[Sequence[Row]], most: int) -> None:
        self.chance = chance
        self.seen = seen
        self.most = most
        self.hits: Counter[Hit] = Counter()
        self.missed = 0
        self.whole = median(tick[-1].when - tick[0].when for tick in seen)
        self.kinds = sorted({Hit(row.part, row.what) for tick in seen for row in tick if row.what != "end"}, key=str)

    def of(self, part: str) -> int:
        """Return how often *part* was hit."""
        return sum(count for hit, count in self.hits.items() if hit.part == part)

    @property
    def satisfied(self) -> bool:
        """Return whether every part was hit often enough."""
        return all(self.of(part) >= self.most for part in PARTS)

    def strike(self, nursery: Nursery) -> bool:
        """Run a tick and kill it on the way; return whether it died of it."""
        if self.chance.random() < 0.5:
            trace = nursery.begin(self._line(min(self.kinds, key=self.hits.__getitem__)))
        else:
            moment = self.chance.uniform(0.0, self.whole)
            trace = nursery.begin()
            time.sleep(max(0.0, _beginning(trace) + moment - time.monotonic()))
            nursery.kill()
        if nursery.end() != -signal.SIGKILL:
            self.missed += 1
            return False
        self.hits[hit_of(trace)] += 1
        return True

    def _line(self, kind: Hit) -> str:
        """Return one of the lines of that kind that a tick may write, as its wrapper is told it."""
        counts = [sum(row.part == kind.part and row.what == kind.after for row in tick) for tick in self.seen]
        times = self.chance.choice([count for count in counts if count])
        return f"{kind.part} {kind.after} {self.chance.randrange(times)}"


def _beginning(trace: Path) -> float:
    """Return when a tick began with its first part, as soon as it is noted."""
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        rows = read_trace(trace)
        if rows:
            return rows[0].when
        time.sleep(0.000_5)
    raise Stuck(f"no tick began in {PATIENCE:.0f} s")


class Played(Struct, frozen=True):
    """A game that is over: its folder, and how its ticks that ran through went."""

    folder: Path
    game: int
    ticks: int
    seen: tuple[tuple[Row, ...], ...]


def play(plan: Plan, folder: Path, killer: Killer | None = None) -> Played:
    """Play one game to its end; *killer* kills ticks as long as it is not satisfied."""
    with mail_server(folder / "server") as where:
        service = install(folder, where)
        game, players = open_up(service, plan, where)
        with bots(players) as ask, nursery_in(folder) as nursery:
            ticks, seen = _rounds(service, game, ask, nursery, killer)
        service.store.close()
    return Played(folder, game, ticks, tuple(seen))


def _rounds(
    service: Service, game: int, ask: Any, nursery: Nursery, killer: Killer | None
) -> tuple[int, list[tuple[Row, ...]]]:
    quiet, stuck, entries, seen = 0, 0, -1, []
    for _ in range(MOST_ROUNDS):
        while_killed(nursery, killer)
        trace = nursery.begin()
        status = nursery.end()
        if status:
            raise Stuck(f"a tick ended with {status}: {Path(f'{trace}.out').read_text()}")
        seen.append(tuple(read_trace(trace)))
        with service.store.read() as session:
            stored = take_up(session, game).game
        stuck = 0 if stored.seq != entries else stuck + 1
        entries = stored.seq
        sent = ask()
        quiet = 0 if sent else quiet + 1
        if ended(stored) and not sent:
            return nursery.count, seen
        if quiet > QUIET_ROUNDS or stuck > STUCK_ROUNDS:
            raise Stuck(f"nothing is played any more after entry {entries}")
    raise Stuck(f"not over after {MOST_ROUNDS} rounds")


def while_killed(nursery: Nursery, killer: Killer | None) -> None:
    """Let *killer* strike a few times, or not at all."""
    if killer is None:
        return
    for _ in range(killer.chance.choice((0, 1, IN_A_ROW, IN_A_ROW))):
        if killer.satisfied or not killer.strike(nursery):
            return


def open_up(service: Service, plan: Plan, where: dict[str, Any]) -> tuple[int, Players]:
    """Open the game; return its number, and what the bots have to know."""
    names = NAMES[: plan.seats]
    addresses = tuple(f"{name.lower()}@players.test" for name in names)
    persons = tuple(SeatOffer(name, addresses[n], LANGUAGES[n % 2], "UTC") for n, name in enumerate(names))
    seats = (*persons, *(SeatOffer("Robot", bot="random") for _ in range(plan.robots)))
    with service.store.write() as session:
        offer = GameOffer(plan.title, seats, seed=demo_seed(plan.number))
        game = open_game(session, offer, utc_now(), start=True).game.id
    return game, Players(where["host"], where["smtp_port"], where["imap_port"], addresses, plan.number)


def install(folder: Path, where: dict[str, Any]) -> Service:
    """Return a new installation in *folder*, with the words of the test title."""
    folder.mkdir(parents=True, exist_ok=True)
    text = SETTINGS.format(our=OUR, gm=GM_ADDRESS, imap=where["imap_port"], smtp=where["smtp_port"])
    (folder / "pbem.toml").write_text(text)
    shutil.copytree(WORDS, folder / "templates" / "words")
    service = open_service(load_settings(folder / "pbem.toml", {}))
    upgrade_store(service.store)
    return service


@contextlib.contextmanager
def mail_server(folder: Path, *ports: int) -> Iterator[dict[str, Any]]:
    """Start the embedded mail server, on free ports if none are given."""
    command = [sys.executable, "-m", "pbem", "mailserver", "--dir", str(folder)]
    if ports:
        command += ["--smtp-port", str(ports[0]), "--imap-port", str(ports[1])]
    with running(start(command)) as child:
        yield json.loads(line_of(child))


@contextlib.contextmanager
def bots(players: Players) -> Iterator[Any]:
    """Start the bots; what is yielded lets them answer their mail and returns how many letters they sent."""
    with running(start([sys.executable, "-m", "pbem.demo.bots"])) as child:
        assert child.stdin is not None
        stdin = child.stdin
        stdin.write(msgspec.json.encode(players).decode() + "\n")

        def ask() -> int:
            stdin.write('{"go": true}\n')
            stdin.flush()
            return int(json.loads(line_of(child))["sent"])

        yield ask


@contextlib.contextmanager
def nursery_in(folder: Path) -> Iterator[Nursery]:
    """Start a nursery for the installation in *folder*."""
    nursery = Nursery(folder)
    with running(nursery.child):
        yield nursery


def start(command: list[str]) -> "subprocess.Popen[str]":
    """Start one of our programs, with pipes."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    return subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


@contextlib.contextmanager
def running(child: "subprocess.Popen[str]") -> Iterator["subprocess.Popen[str]"]:
    """Yield *child*, and end it by its process id."""
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def line_of(child: "subprocess.Popen[str]") -> str:
    """Return the next line that *child* prints."""
    assert child.stdout is not None
    line = child.stdout.readline()
    if not line:
        raise Stuck(f"{child.args!r} ended")
    return line
