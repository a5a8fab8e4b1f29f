"""`status`: all games and the post on one screen, and the answer for a monitor."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.output import is_terminal, print_json, print_text
from pbem.cli.shared import AsJson, looked_into, now
from pbem.clock import parse_duration
from pbem.errors import Exit

if TYPE_CHECKING:
    from datetime import timedelta

    from pbem.overview import Overview
    from pbem.store.standing import Listed

Seen = tuple["Overview", "list[Listed]"]


def status(
    context: typer.Context,
    seconds: Annotated[int, typer.Argument(metavar="[SECONDS]", min=1, help="How often --watch looks.")] = 10,
    within: Annotated[str, typer.Option(help="How old the last whole pass may be: '1h'.")] = "1h",
    *,
    watch: Annotated[bool, typer.Option("--watch", help="Look again and again, until Ctrl-C.")] = False,
    over: Annotated[bool, typer.Option("--all", help="Also the games that are over.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="For a monitor: one line, and 1 if something is wrong.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """
    Show all games and the post on one screen, problems first.

    It only reads, and waits for nobody: not for a pass either. With --check it ends with 1 if no whole pass has come to
    its end in time, if the mailbox or the mail server could not be had, or if a letter is held that waits for you.
    """
    longest = parse_duration(within)
    if check:
        good = _check(_look(context, longest, over=over), as_json=as_json)
        raise typer.Exit(Exit.DONE if good else Exit.REFUSED)
    if watch:
        _again(lambda: _look(context, longest, over=over), seconds, as_json=as_json)
    else:
        _show(_look(context, longest, over=over), as_json=as_json)


def _look(context: typer.Context, within: "timedelta", *, over: bool) -> Seen:
    from pbem.overview import ended_games, look_over

    with looked_into(context) as service, service.store.read() as session:
        return look_over(service, session, now(), within), ended_games(session) if over else []


def _show(seen: Seen, *, as_json: bool) -> None:
    from pbem.cli.screen import screen
    from pbem.overview import as_values

    if as_json:
        print_json(as_values(*seen))
    else:
        print_text(screen(*seen))


def _check(seen: Seen, *, as_json: bool) -> bool:
    from pbem.cli.screen import verdict

    good, line = verdict(seen[0])
    if as_json:
        _show(seen, as_json=True)
    else:
        print_text(line)
    return good


def _again(look: Callable[[], Seen], seconds: int, *, as_json: bool) -> None:
    """Show what *look* finds every so many *seconds*, until somebody stops it; on a terminal in the same place."""
    if as_json or not is_terminal():
        while True:
            _show(look(), as_json=as_json)
            time.sleep(seconds)
    from rich.live import Live
    from rich.text import Text

    from pbem.cli.screen import screen

    with Live(screen=True, auto_refresh=False, vertical_overflow="crop") as drawn:
        while True:
            drawn.update(Text(screen(*look())), refresh=True)
            time.sleep(seconds)
