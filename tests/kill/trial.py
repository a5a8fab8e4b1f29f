"""A step of a season that is to be survived: run as it should be, then in trouble at one point after the other."""

import gc
import os
import shutil
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.core.dice import demo_seed
from pbem.dispatch import send
from pbem.intake import fetch
from pbem.opening import open_game
from pbem.referee import judge_all
from pbem.service import Service, open_service
from pbem.settings import load_settings
from pbem.store.upgrade import upgrade_store
from pbem.timekeeper import keep_time
from tests.kill.director import GM_ADDRESS, SETTINGS, WORDS
from tests.kill.mortal import Order, live, live_well
from tests.kill.points import Point
from tests.kill.season import OUR, START, TABLES, Season, Step
from tests.kill.traces import Traces, Verdict, compare, look_at
from tests.kill.troubles import FILLER, KINDS, Kind, small_disk
from tests.kill.world import DiskMailbox, DiskServer, Weather, World

MOST_TICKS = 9
"""After so many passes all is loaded."""


class Case(Struct, frozen=True):
    """
    One process in trouble, or two in a row at the same point: in which scene, where, and what came of it.

    `restarted`  passes went on from what was left; else the same was left before, and their verdict is taken
    """

    scene: str
    point: Point
    times: int
    status: int
    verdict: Verdict | None
    error: str = ""
    restarted: bool = True

    def breaches(self) -> list[str]:
        """Return what is wrong."""
        return [self.error] if self.verdict is None else self.verdict.breaches(self.times)


class Site(Struct, frozen=True):
    """Where the worlds of a season lie, and the one configuration of them all, with key and templates."""

    folder: Path

    @property
    def config(self) -> Path:
        """Return the file of the configuration."""
        return self.folder / "installation" / "pbem.toml"

    def open_up(self, season: Season) -> World:
        """Return a world with the games of *season* just opened."""
        self.config.parent.mkdir(parents=True)
        self.config.write_text(SETTINGS.format(our=OUR, gm=GM_ADDRESS, digest="08:00", imap=1, smtp=1))
        shutil.copytree(WORDS, self.config.parent / "templates" / "words")
        world = World(self.folder / "world").make()
        with self._opened(world) as service:
            upgrade_store(service.store)
            with service.store.write() as session:
                for number, name in enumerate(season.tables):
                    table = TABLES[name]
                    open_game(session, table.offer(demo_seed(season.number + number)), START, start=table.start)
        return world

    def warm_up(self, world: World, season: Season, ticks: int) -> None:
        """Load here what every process would load again, words and readers, by playing *ticks* passes of *season*."""
        copy = world.copy_to(self.folder / "warm")
        post = Post(copy)
        with self._opened(copy) as service:
            for step in season.steps(min(ticks, MOST_TICKS)):
                post.deliver(step)
                fetch(service, DiskMailbox(copy, Weather(), _pass_by), step.now)
                judge_all(service, step.now)
                keep_time(service, step.now)
                send(service, DiskServer(copy, Weather(), _pass_by), step.now)
                season.read(copy.taken())
                copy.clear_away()
        gc.freeze()

    @contextmanager
    def _opened(self, world: World) -> Iterator[Service]:
        service = open_service(load_settings(self.config, {"PBEM_STORE__URL": world.url}))
        try:
            yield service
        finally:
            service.store.close()


def _pass_by(kind: str, when: str) -> None:
    """Come to a point without trouble."""


class Post:
    """Who brings letters into the mailbox of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.uid = 0
        self.uidvalidity = 1

    def deliver(self, step: Step) -> None:
        """Let the letters of *step* arrive."""
        if step.renumbered:
            assert not self.world.lying_in("INBOX")
            self.uid, self.uidvalidity = 0, self.uidvalidity + 1
            self.world.renumber(self.uidvalidity)
        for raw in step.letters:
            self.uid += 1
            self.world.drop_in(self.uid, raw, step.now)


class Trial(Struct, frozen=True):
    """The world before the step, what is to be done, the world after it, and the points that a process comes to."""

    site: Site
    step: Step
    saved: World
    expected: Traces
    points: tuple[Point, ...]

    @property
    def order(self) -> Order:
        """Return what the process is to do."""
        return order_of(self.site, self.step)

    def suffer_at(self, numbers: Sequence[int], trouble: str, twice: Sequence[int], jobs: int) -> list[Case]:
        """Be in *trouble* at the points in *numbers*, at those in *twice* two times, shared out among workers."""
        workers = []
        for job in range(jobs):
            folder = self.site.folder / f"trouble-{job}"
            child = os.fork()
            if not child:
                part = numbers[len(numbers) * job // jobs : len(numbers) * (job + 1) // jobs]
                self._work(part, KINDS[trouble], twice, folder)
            workers.append((child, folder))
        cases: list[Case] = []
        for child, folder in workers:
            os.waitpid(child, 0)
            cases += msgspec.json.decode(folder.with_suffix(".cases").read_bytes(), type=list[Case])
        return cases

    def _work(self, numbers: Sequence[int], kind: Kind, twice: Sequence[int], folder: Path) -> None:
        """Be a worker, and end it."""
        try:
            folder.with_suffix(".cases").unlink(missing_ok=True)
            with small_disk(folder.with_suffix(".disk")) if kind.small else nullcontext() as disk:
                worker = Worker(self, kind, folder, disk)
                cases = [worker.suffer(one, twice=one in twice) for one in numbers]
            folder.with_suffix(".cases").write_bytes(msgspec.json.encode(cases))
        except BaseException:  # noqa: BLE001 - a worker has nobody to raise it to
            traceback.print_exc()
        finally:
            os._exit(0)


class Worker:
    """
    Is in trouble at one point after the other, in a folder of its own.

    Passes go on from each world that is left once: how they go on depends on nothing but the store and the files.
    """

    def __init__(self, trial: Trial, kind: Kind, folder: Path, disk: Path | None) -> None:
        self.trial, self.kind, self.folder, self.disk = trial, kind, folder, disk
        self.verdicts: dict[int, tuple[Verdict | None, str]] = {}

    def suffer(self, number: int, *, twice: bool) -> Case:
        """Be in trouble at the point with that *number*, and return what came of it."""
        trial, kind = self.trial, self.kind
        point, times, scene = trial.points[number], 1, trial.step.scene
        world = trial.saved.copy_to(self.folder, self.disk)
        ended = live(world, trial.order, number, kind.at(world))
        status = ended.status
        clear = status <= 0 or (bool(ended.errors.strip()) and "Traceback" not in ended.errors)
        if status not in kind.statuses or not clear or ended.points[: number + 1] != trial.points[: number + 1]:
            error = f"ended with {status} at {ended.points[-1]}: {ended.errors}"
            return Case(scene, point, times, status, None, error)
        if twice:
            times += live(world, trial.order, point, kind.at(world)).status == status
        (world.disk / FILLER).unlink(missing_ok=True)
        left = look_at(world.copy_to(self.folder.with_suffix(".left"))).fingerprint()
        known = left in self.verdicts
        if not known:
            self.verdicts[left] = self._verdict(world)
        return Case(scene, point, times, status, *self.verdicts[left], restarted=not known)

    def _verdict(self, world: World) -> tuple[Verdict | None, str]:
        """Go on from *world*; return what came of it, or why it cannot be gone on from."""
        try:
            self._go_on(world)
        except AssertionError as error:
            return None, str(error)
        return compare(self.trial.expected, look_at(world), regrouped=self.kind.regroups), ""

    def _go_on(self, world: World) -> None:
        """Run passes until all is quiet, or repeat the game master's command if it is not on record."""
        trial = self.trial
        if trial.step.words == ("tick",):
            live_well(world, replace(trial.order, until_quiet=True))
        elif look_at(world).acts() < trial.expected.acts():
            live_well(world, trial.order)


def order_of(site: Site, step: Step) -> Order:
    """Return what the process of *step* is to do."""
    return Order(site.config, step.words, step.now, step.weather, born=step.born)


def undisturbed(site: Site, step: Step, world: World) -> Trial:
    """Run *step* in *world* as it should be, and return the trial of it."""
    saved = world.copy_to(site.folder / "saved")
    order = order_of(site, step)
    ended = live_well(world, order)
    if step.words == ("tick",):
        live_well(world, replace(order, until_quiet=True))
    expected = look_at(world)
    if faults := expected.faults():
        raise AssertionError(f"{step.scene}: the program has a fault that nobody caused: {faults[0]}")
    return Trial(site, step, saved, expected, ended.points)
