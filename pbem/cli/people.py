"""`people`: one record for each person over all games."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import available_timezones

import typer

from pbem.cli.output import columns, print_json, print_text
from pbem.cli.shared import AsJson, DryRun, changing, now, opened
from pbem.errors import Misuse, Refused

if TYPE_CHECKING:
    from pbem.store.base import Session
    from pbem.store.people import Person

app = typer.Typer(no_args_is_help=True)

Who = Annotated[str, typer.Argument(help="An address of his, or his number in `pbem people list`.")]
Reason = Annotated[str, typer.Option(help="For the record.")]

Act = Callable[["Session", "Person"], "Person"]


@app.command("list")
def list_(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List everybody: who it is, in how many games he plays, and how he answers."""
    from pbem.roster import list_values

    with opened(context) as service, service.store.read() as session:
        listed = list_values(session)
    if as_json:
        print_json({"people": listed})
    elif not listed:
        print_text("Nobody yet: who is given a seat stands here.")
    else:
        rows = [
            (p["person"], p["name"], p["playing"], _answers(p), "blocked" if p["blocked"] else "", p["address"])
            for p in listed
        ]
        print_text(columns([("", "name", "games", "on time/late/missed", "", "address"), *rows]))


@app.command()
def show(context: typer.Context, who: Who, *, as_json: AsJson = False) -> None:
    """Show all that is known of a person: addresses, habits, games, how he answers, what was changed."""
    from pbem import roster

    with opened(context) as service, service.store.read() as session:
        shown = roster.show_values(session, roster.find(session, who))
    _print(shown, as_json=as_json)


@app.command()
def change(
    context: typer.Context,
    who: Who,
    name: Annotated[str, typer.Option(help="What he is called in games to come.")] = "",
    language: Annotated[str, typer.Option(help="Language of his mails.")] = "",
    zone: Annotated[str, typer.Option(help="Time zone: Europe/Lisbon.")] = "",
    quiet: Annotated[str | None, typer.Option(help="Hours without mail: '22-08'; 'off' for none.")] = None,
    address: Annotated[str, typer.Option(help="One more address of his, which he may write from.")] = "",
    prefer: Annotated[str, typer.Option(help="The one of his addresses that mails go to.")] = "",
    drop: Annotated[str, typer.Option(help="An address that is his no more.")] = "",
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Change what is known of a person; on record. He may set language, zone and quiet hours himself by mail."""
    from pbem import roster
    from pbem.lexicon import known_language
    from pbem.mail.addresses import is_box

    spoken = known_language(language) if language else ""
    if zone and zone not in available_timezones():
        raise Misuse("timezone.unknown", text=zone)
    wanted = roster.Change(name, spoken, zone, None if quiet is None else _quiet(quiet), address, prefer, drop)

    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        if address and is_box(address, service.settings.mail.address):
            raise Refused("seat.ours", address=address)
        shown = roster.show_values(session, roster.change(session, roster.find(session, who), wanted, now()))
    _print_changed(shown, dry_run=dry_run, as_json=as_json)


def _quiet(text: str) -> str:
    """
    Return quiet hours as they are stored, "" for none.

    Raises: Misuse `quiet.form`.
    """
    from pbem.quiet import LONGEST, parse_quiet

    hours = parse_quiet(text.lower())
    if text in ("", "off"):
        return ""
    if hours is None or not hours.length or hours.length > LONGEST:
        raise Misuse("quiet.form", text=text, most=int(LONGEST.total_seconds() // 3600))
    return str(hours)


@app.command()
def block(
    context: typer.Context, who: Who, reason: Reason = "", *, dry_run: DryRun = False, as_json: AsJson = False
) -> None:
    """Shut a person out: his letters are dropped, and he takes no seat. The seats that he still holds are named."""
    from pbem import roster

    def act(session: "Session", person: "Person") -> "Person":
        return roster.block(session, person, reason, now())

    _do(context, who, act, dry_run=dry_run, as_json=as_json)


@app.command()
def unblock(
    context: typer.Context, who: Who, reason: Reason = "", *, dry_run: DryRun = False, as_json: AsJson = False
) -> None:
    """Let a person in again."""
    from pbem import roster

    def act(session: "Session", person: "Person") -> "Person":
        return roster.unblock(session, person, reason, now())

    _do(context, who, act, dry_run=dry_run, as_json=as_json)


@app.command()
def merge(
    context: typer.Context,
    who: Who,
    other: Annotated[str, typer.Argument(help="The other record of the same person, which goes.")],
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make one of two records that are one person; the first one's name, habits and preferred address stay."""
    from pbem import roster

    def act(session: "Session", person: "Person") -> "Person":
        return roster.merge(session, person, roster.find(session, other), now())

    _do(context, who, act, dry_run=dry_run, as_json=as_json)


def _do(context: typer.Context, who: str, act: Act, *, dry_run: bool, as_json: bool) -> None:
    """Run *act* on a person, or rehearse it, and print what is known of him then."""
    from pbem import roster

    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        shown = roster.show_values(session, act(session, roster.find(session, who)))
    _print_changed(shown, dry_run=dry_run, as_json=as_json)


def _print_changed(shown: dict[str, Any], *, dry_run: bool, as_json: bool) -> None:
    """Print what is known of a person after an act, or what would be."""
    if dry_run and not as_json:
        print_text("Nothing is changed. He would be known as:")
    _print({**shown, "dry_run": dry_run}, as_json=as_json)


def _print(shown: dict[str, Any], *, as_json: bool) -> None:
    from pbem.store.games import GOING_ON

    if as_json:
        print_json(shown)
        return
    state = ", blocked" if shown["blocked"] else ""
    print_text(f"{shown['name']}, number {shown['person']}{state}")
    habits = [shown["language"], shown["zone"], f"quiet {shown['quiet']}" if shown["quiet"] else ""]
    preferred, *others = shown["addresses"]
    rows: list[tuple[object, ...]] = [("mails go to", preferred)]
    rows += [("writes from", one) for one in others]
    rows += [("habits", ", ".join([*filter(None, habits), *(["plain mails"] if shown["plain"] else [])]))]
    rows += [("answers", f"{shown['on_time']} on time, {shown['late']} late, {shown['missed']} missed")]
    print_text(columns(rows))
    if shown["games"]:
        print_text("\n" + columns([("game", "title", "status", "seat", "as"), *map(_part, shown["games"])]))
    for one in shown["games"] if shown["blocked"] else ():
        if one["seat"] is not None and one["status"] in GOING_ON:
            game, seat = one["game"], one["seat"]
            print_text(f"\nStill on seat {seat} of game {game}: `pbem gm replace {game} --seat {seat}`.")
    if shown["acts"]:
        acts = [(one["at"], one["what"], _fields(one["fields"])) for one in shown["acts"]]
        print_text("\n" + columns([("changed", "what", ""), *acts]))


def _answers(one: dict[str, Any]) -> str:
    return f"{one['on_time']}/{one['late']}/{one['missed']}"


def _part(one: dict[str, Any]) -> tuple[object, ...]:
    seat = one["seat"] if one["seat"] is not None else "left" if one["left"] else "looks on"
    return one["game"], one["ruleset"], one["status"], seat, one["name"]


def _fields(fields: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value if value != '' else 'none'}" for name, value in fields.items()) or "-"
