"""
One game by mail whose ticks are processes of their own: run through, or killed on the way.

The bots are asked only after a tick that ran through, so that they answer the same mails in every run: killed ticks may
repeat mails, but what is played must be the same.
"""

import contextlib
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
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
from tests.kill.children import ROOT, Stuck, line_of, running, start
from tests.kill.killer import Killer, Nursery, Row, nursery_in, read_trace
from tests.pbem.ready import lay_store

WORDS = ROOT / "tests" / "contract" / "bids" / "words"
OUR = "pbem@kill.test"
GM_ADDRESS = "gm@kill.test"
NAMES = ("Ana", "Bob", "Carla", "Davi")
LANGUAGES = ("en", "pt")
MOST_ROUNDS = 3_000
QUIET_ROUNDS = 3
STUCK_ROUNDS = 20
IN_A_ROW = 2
"""Ticks killed one after the other: a letter at which a third one dies is held for the game master, as it should be."""

SETTINGS = """
[mail]
address = "{our}"
name = "Kill post"
plus = "yes"
[gm]
address = "{gm}"
digest = "{digest}"
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


def install(folder: Path, where: dict[str, Any], disk: Path | None = None) -> Service:
    """Return a new installation in *folder*, its store and state on *disk* if that is another one."""
    settle(folder, where, disk)
    service = open_service(load_settings(folder / "pbem.toml", {}))
    lay_store(service.store)
    return service


def settle(folder: Path, where: dict[str, Any], disk: Path | None = None) -> None:
    """Write configuration, and the words of the test title."""
    folder.mkdir(parents=True, exist_ok=True)
    text = SETTINGS.format(our=OUR, gm=GM_ADDRESS, digest="", imap=where["imap_port"], smtp=where["smtp_port"])
    if disk is not None:
        text += f'[store]\nurl = "sqlite:///{disk / "pbem.db"}"\nstate = "{disk}"\n'
    (folder / "pbem.toml").write_text(text)
    shutil.copytree(WORDS, folder / "templates" / "words")


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
