"""`backup`, `restore`, `purge` and `upgrade`: what keeps an installation in order."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import asdict

from pbem.cli.output import columns, print_json, print_text, refusal, sentence
from pbem.cli.shared import AsJson, now, opened
from pbem.clock import parse_duration
from pbem.errors import Exit, Refused

if TYPE_CHECKING:
    from pbem.upgrading import Rehearsed

DryRun = Annotated[bool, typer.Option("--dry-run", help="Look at everything; change nothing.")]


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Where to write the backup: one file.")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Save the games, the key file, pbem.toml and own templates in one file; passes may go on meanwhile."""
    from pbem.backup import back_up
    from pbem.settings import find_settings, load_settings

    config = find_settings(context.obj.config, os.environ)
    settings = load_settings(context.obj.config, os.environ)
    size = back_up(settings, config, file, now(), force=force)
    if as_json:
        print_json({"file": str(file), "bytes": size})
    else:
        print_text(f"{file}: {size / 1_000_000:.1f} MB. It holds secrets; only its owner can read it.")


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A backup.")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="A new or empty folder.")],
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Unpack a backup into an empty folder, check it for damage, and replay every game."""
    from pbem.backup import restore as unpack

    _refuse_other_stores(context)
    found = unpack(file, to, dry_run=dry_run)
    if as_json:
        failed = [{"game": number, "reason": reason} for number, reason in found.failed]
        print_json({**asdict(found), "failed": failed, "folder": str(to), "dry_run": dry_run})
        raise typer.Exit(Exit.REFUSED if failed else Exit.DONE)
    print_text(f"{'Could be restored to' if dry_run else 'Restored to'} {to}, as it stood at {found.made_at}:")
    rows: list[tuple[object, ...]] = [("  games", found.games), ("  verified", found.verified)]
    rows += [("  of other rules", ", ".join(map(str, found.outdated)))] if found.outdated else []
    rows += [("  letters", found.letters), ("  mails", f"{found.mails}, of which {found.waiting} wait to be sent")]
    print_text(columns([*rows, *((f"  game {number}", reason) for number, reason in found.failed)]))
    if found.settings.endswith(".saved"):
        print_text(f"pbem.toml names another place for the store. It lies there as {found.settings}; look at it first.")
    if found.failed:
        numbers = ", ".join(str(number) for number, _ in found.failed)
        raise Refused("restore.failed", count=len(found.failed), games=numbers)


def _refuse_other_stores(context: typer.Context) -> None:
    """Refuse where the settings here name a store that no backup of ours comes from; without settings nothing does."""
    from pbem.backup import refuse_other_stores
    from pbem.settings import find_settings, load_settings

    if find_settings(context.obj.config, os.environ).exists() or context.obj.config:
        refuse_other_stores(load_settings(context.obj.config, os.environ))


def purge(
    context: typer.Context,
    older: Annotated[str, typer.Option(help="How old a letter or a mail must be: '90d'.")],
    *,
    running: Annotated[bool, typer.Option("--running", help="Also of games that are not over.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Take away the bytes of old letters that were judged, and of old mails that were sent; the log stays."""
    from pbem.purging import purge_by_hand, shrink

    age = parse_duration(older)
    with opened(context) as service:
        found = purge_by_hand(service, age, now(), running=running, dry_run=dry_run)
        freed = 0 if dry_run else shrink(service.store)
    if as_json:
        print_json({**asdict(found), "freed": freed, "dry_run": dry_run})
        return
    verb = "could be" if dry_run else "were"
    size = f"{found.bytes / 1_000_000:.1f} MB"
    print_text(f"{found.letters} letters and {found.mails} mails {verb} purged, {size} of text and pictures.")
    if freed:
        print_text(f"The file of the store is {freed / 1_000_000:.1f} MB smaller.")


def upgrade(
    context: typer.Context,
    *,
    rehearse: Annotated[bool, typer.Option("--rehearse", "--dry-run", help="Only look; change nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replay every game that is not over with the rules installed; what replays the same goes on under them."""
    from pbem.upgrading import rehearsal, rehearse_all, upgrade_all

    with opened(context, as_it_is=rehearse) as service:
        begun = time.perf_counter()
        if rehearse:
            with rehearsal(service.store) as store:
                found = list(rehearse_all(store, service.own_templates))
        else:
            found = list(upgrade_all(service, now()))
        pace = len(found) / (time.perf_counter() - begun)
    differing = [one for one in found if one.fault is not None]
    if as_json:
        listed = [_rehearsed(one) for one in found]
        print_json({"rehearsed": rehearse, "games": listed, "differ": len(differing), "games_per_second": round(pace)})
        raise typer.Exit(Exit.REFUSED if differing else Exit.DONE)
    if found:
        print_text(columns([("game", "title", "status", "rules", "entries", "result"), *map(_row, found)]))
    print_text(f"{len(found)} games replayed, {pace:.0f} a second; {len(differing)} differ.")
    if differing:
        raise Refused("upgrade.differ", count=len(differing), games=", ".join(str(one.game) for one in differing))


def _rehearsed(one: "Rehearsed") -> dict[str, Any]:
    fault = None if one.fault is None else {"entry": one.entry, **refusal(one.fault)["refused"]}
    names = ("game", "ruleset", "status", "rules", "installed", "length")
    return {**{name: getattr(one, name) for name in names}, "same": fault is None, "fault": fault}


def _row(one: "Rehearsed") -> tuple[object, ...]:
    rules = str(one.rules) if one.rules == one.installed else f"{one.rules} to {one.installed}"
    result = "same" if one.fault is None else f"differs at entry {one.entry}: {sentence(one.fault)}"
    return one.game, one.ruleset, one.status, rules, one.length, result
