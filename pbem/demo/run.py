"""The demo's director: starts the server and the bots, lets the service tick, and looks at the result."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Struct

from engine import registry
from engine.core.dice import demo_seed
from engine.core.export import format_export
from engine.core.ruleset import make_config
from pbem.advance import ended
from pbem.clock import utc_now
from pbem.demo.bots import Players
from pbem.errors import Refused
from pbem.live import export_of, take_up
from pbem.opening import GameOffer, SeatOffer, open_game
from pbem.post.draw.page import page_svg
from pbem.post.draw.png import png_of
from pbem.report import standings_of, verify_game
from pbem.service import Service, open_service
from pbem.settings import FILE_NAME, load_settings
from pbem.settings_text import toml_text
from pbem.store import outbox
from pbem.store.upgrade import upgrade_store
from pbem.tick import PARTS, run_pass

NAMES = ("Ana", "Bob", "Célia", "Duarte", "Emma", "Félix")
LANGUAGES = ("en", "pt")
ADDRESS = "pbem@demo.example"
MOST_ROUNDS = 5_000
QUIET_ROUNDS = 3
STUCK_ROUNDS = 20


class DemoOffer(Struct, frozen=True):
    """What is played, and where its traces go."""

    game: str
    seats: int
    number: int
    folder: Path
    options: tuple[tuple[str, str], ...] = ()


class Progress(Struct, frozen=True):
    """How far the demo is."""

    rounds: int
    mails: int
    entries: int


def run_demo(offer: DemoOffer, tell: Callable[[Progress], None]) -> dict[str, Any]:
    """
    Return the result after one whole game by mail; everything is written to the folder of *offer*.

    Raises: Refused `demo.failed`; ConfigError for a title, option or number of seats that does not exist.
    """
    ruleset = registry.load(offer.game)
    make_config(offer.seats, dict(offer.options), allowed=ruleset.seats, options=ruleset.options)
    folder = offer.folder
    folder.mkdir(parents=True, exist_ok=True)
    with _server(folder) as where:
        service = _service(folder, where)
        addresses = tuple(f"{name.lower()}@players.example" for name in _plain(NAMES[: offer.seats]))
        seats = tuple(
            SeatOffer(NAMES[n], address, LANGUAGES[n % len(LANGUAGES)], "UTC") for n, address in enumerate(addresses)
        )
        game_offer = GameOffer(offer.game, seats, offer.options, seed=demo_seed(offer.number))
        with service.store.write() as session:
            number = open_game(session, game_offer, utc_now(), start=True).game.id
        players = Players(where["host"], where["smtp_port"], where["imap_port"], addresses, offer.number)
        mails_in = _play(service, number, players, tell)
        result = _result(service, number, mails_in, folder)
        service.store.close()
    (folder / "result.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return result


def _plain(names: tuple[str, ...]) -> list[str]:
    return [name.replace("é", "e") for name in names]


def _play(service: Service, game: int, players: Players, tell: Callable[[Progress], None]) -> int:
    """Let the service and the bots take turns until the game is over; return how many mails the bots sent."""
    mails, quiet, stuck, entries = 0, 0, 0, -1
    with _bots(players) as ask:
        for rounds in range(MOST_ROUNDS):
            run_pass(service, PARTS, utc_now)
            with service.store.read() as session:
                live = take_up(session, game)
            tell(Progress(rounds, mails, live.position.seq))
            stuck = 0 if live.position.seq != entries else stuck + 1
            entries = live.position.seq
            if ended(live.game):
                ask()
                return mails
            sent = ask()
            mails += sent
            quiet = 0 if sent else quiet + 1
            if quiet > QUIET_ROUNDS or stuck > STUCK_ROUNDS:
                raise Refused("demo.failed", reason=f"nothing is played any more after entry {entries}")
    raise Refused("demo.failed", reason=f"not over after {MOST_ROUNDS} rounds")


def _result(service: Service, game: int, mails_in: int, folder: Path) -> dict[str, Any]:
    with service.store.read() as session:
        live = take_up(session, game)
        verified = bool(verify_game(session, live)["verified"])
        export = format_export(export_of(session, live.game, full=True))
        mails = outbox.list_mails(session, limit=1_000_000)
    (folder / "game.pbem").write_text(export, encoding="utf-8")
    folder_mails = folder / "mails"
    folder_mails.mkdir(exist_ok=True)
    for mail in mails:
        (folder_mails / f"{mail.id:05d}-{mail.kind}-seat{mail.seat}.eml").write_bytes(mail.raw)
    _last_report(mails[-1].raw, folder)
    names = tuple(one.name for one in live.holders)
    standings = standings_of(live.ruleset.standings(live.position.state), names)
    return {
        "format": 1,
        "game": live.game.ruleset,
        "seats": live.game.seats,
        "mails_in": mails_in,
        "mails_out": len(mails),
        "moves": live.position.seq,
        "scores": [one["points"] for one in standings],
        "winners": [one["seat"] for one in standings if one["rank"] == 1],
        "verified": verified,
    }


def _last_report(raw: bytes, folder: Path) -> None:
    """Write the last report as text, HTML and a picture."""
    message = message_from_bytes(raw, policy=policy.default)
    text, html = (message.get_body((form,)) for form in ("plain", "html"))
    lines = text.get_content().splitlines() if text is not None else []
    (folder / "report.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "report.png").write_bytes(png_of(page_svg(lines[1:])))
    if html is not None:
        (folder / "report.html").write_text(html.get_content(), encoding="utf-8")


def _service(folder: Path, where: dict[str, Any]) -> Service:
    answers: dict[str, str | int | bool] = {
        "mail.address": ADDRESS,
        "mail.name": "pbem demo",
        "mail.plus": "yes",
        "mail.pictures": "end",
        "gm.address": "gm@demo.example",
        "gm.digest": "",
        "smtp.user": "",
        "imap.user": ADDRESS,
        "imap.password": "any",
        "play.hold": "0",
    }
    for section, port in (("imap", where["imap_port"]), ("smtp", where["smtp_port"])):
        answers |= {f"{section}.host": where["host"], f"{section}.port": port, f"{section}.tls": "none"}
    (folder / FILE_NAME).write_text(toml_text(answers), encoding="utf-8")
    settings = load_settings(folder / FILE_NAME, {})
    service = open_service(settings)
    upgrade_store(service.store)
    return service


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[dict[str, Any]]:
    """Start the embedded mail server in a process of its own."""
    command = [sys.executable, "-m", "pbem", "mailserver", "--dir", str(folder / "server"), "--with-input"]
    with _child(command) as child:
        line = _line(child)
        if not line:
            raise Refused("demo.extra")
        yield json.loads(line)


@contextlib.contextmanager
def _bots(players: Players) -> Iterator[Callable[[], int]]:
    """Start the bots in a process of their own; what is yielded lets them answer their mail once."""
    with _child([sys.executable, "-m", "pbem.demo.bots"]) as child:
        assert child.stdin is not None
        stdin: IO[str] = child.stdin

        def ask() -> int:
            stdin.write('{"go": true}\n')
            stdin.flush()
            line = _line(child)
            if not line:
                raise Refused("demo.failed", reason="the bots ended")
            return int(json.loads(line)["sent"])

        stdin.write(msgspec.json.encode(players).decode() + "\n")
        stdin.flush()
        yield ask


@contextlib.contextmanager
def _child(command: list[str]) -> Iterator["subprocess.Popen[str]"]:
    """Run *command* in a session of its own, so that Ctrl-C reaches only us, and end it by its process id."""
    child = subprocess.Popen(  # noqa: S603 - our own interpreter and module
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True, env=os.environ
    )
    try:
        yield child
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _line(child: "subprocess.Popen[str]") -> str:
    assert child.stdout is not None
    return child.stdout.readline()
