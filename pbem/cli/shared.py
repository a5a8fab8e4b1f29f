"""What commands share: the configuration that was named, and the service made from it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from engine.registry import titles
from pbem.clock import utc_now
from pbem.errors import Misuse, Refused

if TYPE_CHECKING:
    from pbem.live import Live
    from pbem.service import Service
    from pbem.store.base import Session

TITLES = f"The title: {', '.join(titles())}."
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Number = Annotated[int, typer.Argument(metavar="GAME", help="Number of the game.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would happen; change nothing.")]
Reveal = Annotated[bool, typer.Option("--reveal", help="Show secrets too; recorded, and told to all players.")]


class Invocation(Struct, frozen=True):
    """What stood before the command."""

    config: Path | None = None


@contextmanager
def opened(context: typer.Context, *, as_it_is: bool = False) -> Iterator["Service"]:
    """Open the service of the configuration that was named, its store brought up to date unless wanted *as it is*."""
    from pbem.store.upgrade import upgrade_store

    with _service(context) as service:
        if not as_it_is:
            upgrade_store(service.store)
        yield service


@contextmanager
def looked_into(context: typer.Context) -> Iterator["Service"]:
    """
    Open the service of the configuration that was named only to look: its store stays as it is.

    Raises: Refused `store.shape` for a store of another version.
    """
    from pbem.store.upgrade import NEWEST, stored_revision

    with _service(context) as service:
        found = stored_revision(service.store)
        if found != NEWEST:
            raise Refused("store.shape", found=found, wanted=NEWEST)
        yield service


@contextmanager
def _service(context: typer.Context) -> Iterator["Service"]:
    from pbem.journal import written_to
    from pbem.service import open_service
    from pbem.settings import load_settings

    service = open_service(load_settings(context.obj.config, os.environ))
    try:
        with written_to(service.settings.log.file):
            yield service
    finally:
        service.store.close()


@contextmanager
def changing(service: "Service", *, dry_run: bool) -> Iterator["Session"]:
    """Open a transaction that may change things; what is done in a *dry run* is undone at its end."""
    with service.store.rehearse() if dry_run else service.store.write() as session:
        yield session


def now() -> datetime:
    """Return the present moment."""
    return utc_now()


def seat_of(live: "Live", seat: int) -> int:
    """
    Return *seat* if the game has it.

    Raises: Refused `seat.unknown`.
    """
    if not 0 <= seat < live.game.seats:
        raise Refused("seat.unknown", game=live.game.id, seat=seat)
    return seat


def pairs(texts: list[str]) -> tuple[tuple[str, str], ...]:
    """
    Return `NAME=VALUE` texts as pairs.

    Raises: Misuse `option.form`.
    """
    for text in texts:
        if "=" not in text:
            raise Misuse("option.form", text=text)
    return tuple((name.strip(), value.strip()) for name, _, value in (text.partition("=") for text in texts))


def reveal_or_refuse(session: "Session", live: "Live", what: str, of: int = 0, *, reveal: bool) -> None:
    """
    Put a look at secrets, *what* and *of* which seat or number, on record, or refuse it where it was not asked for.

    Raises: Refused `reveal.needed`.
    """
    from pbem.live import keeps_secrets
    from pbem.revealing import reveal as put_on_record

    if not keeps_secrets(session, live):
        return
    if not reveal:
        raise Refused("reveal.needed", game=live.game.branch_of or live.game.id)
    put_on_record(session, live, what, of, now())
