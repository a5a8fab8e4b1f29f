"""`demo` and `mailserver`."""

import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.output import columns, is_terminal, print_json, print_text
from pbem.cli.shared import TITLES, AsJson, pairs
from pbem.errors import Refused

if TYPE_CHECKING:
    from pbem.demo.run import Progress

LINES = 50
"""Off a terminal one line of progress for so many rounds."""


def demo(
    game: Annotated[str, typer.Option(help=TITLES)] = "village",
    seats: Annotated[int, typer.Option(help="How many play.")] = 3,
    seed: Annotated[int, typer.Option(help="The same number gives the same game.")] = 7,
    options: Annotated[list[str] | None, typer.Option("--option", help="NAME=VALUE, a variant of the title.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the traces; else a temporary one.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Play one whole game by mail, on this machine alone: bots write real mails to a real mail server."""
    from pbem.demo.run import NAMES, DemoOffer, run_demo

    folder = out.absolute() if out else Path(tempfile.mkdtemp(prefix="pbem-demo-"))
    offer = DemoOffer(game, seats, seed, folder, pairs(options or []))
    with _shown(quiet=as_json) as tell:
        result = run_demo(offer, tell)
    if as_json:
        print_json(result)
        return
    names = ("title", "seats", "mails in", "mails out", "entries", "verified")
    values = [result[key] for key in ("game", "seats", "mails_in", "mails_out", "moves", "verified")]
    print_text(columns([(name, str(value).lower()) for name, value in zip(names, values, strict=True)]))
    scores = ", ".join(f"{name} {points}" for name, points in zip(NAMES, result["scores"], strict=False))
    winners = " and ".join(NAMES[seat] for seat in result["winners"])
    print_text(columns([("scores  ", scores), ("winner", winners)]))
    print_text(f"\nAll mails, the export and the last report are in {folder}")


@contextmanager
def _shown(*, quiet: bool) -> Iterator[Callable[["Progress"], None]]:
    """Show progress: a bar on a terminal, a line now and then elsewhere, nothing if *quiet*."""
    if quiet or not is_terminal():
        yield lambda progress: None if quiet or progress.rounds % LINES else print_text(_line(progress))
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    words = TextColumn("{task.description}")
    with Bar(words, BarColumn(pulse_style="cyan"), TimeElapsedColumn(), transient=True) as bar:
        task = bar.add_task("Playing by mail", total=None)
        yield lambda progress: bar.update(task, description=_line(progress))


def _line(progress: "Progress") -> str:
    return f"{progress.mails} orders by mail, {progress.entries} entries"


def mailserver(
    directory: Annotated[Path, typer.Option("--dir", help="Where the boxes are kept.")],
    smtp_port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any free one.")] = 0,
    imap_port: Annotated[int, typer.Option(min=0, max=65_535, help="0: any free one.")] = 0,
    *,
    with_input: Annotated[bool, typer.Option("--with-input", help="End when standard input ends.")] = False,
) -> None:
    """Run the embedded mail server: loopback only, every address has an inbox, any password is right."""
    from pbem.mail.embedded import run

    if with_input:
        threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        run(directory, smtp_port, imap_port)
    except OSError as error:
        reason = ": ".join(filter(None, (error.filename, error.strerror))) or str(error)
        raise Refused("mailserver.failed", reason=reason) from error


def _end_with_input() -> None:
    """Wait for the end of standard input, then end this process: whoever started it is gone."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)
