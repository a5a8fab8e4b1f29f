"""`mail`: letters and outbox, with the reason for each state."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pbem.cli.output import columns, print_json, print_text
from pbem.cli.shared import AsJson, DryRun, Reveal, changing, now, opened, reveal_or_refuse
from pbem.clock import format_moment
from pbem.mail.marker import TAG

if TYPE_CHECKING:
    from pbem.store.letters import Stored
    from pbem.store.outbox import Posted

app = typer.Typer(no_args_is_help=True)

What = Annotated[Literal["letter", "mail"], typer.Argument(help="A letter that came, or a mail of ours.")]
Item = Annotated[int, typer.Argument(metavar="NUMBER", help="Its number in `pbem mail list`.")]


@app.command("list")
def list_(
    context: typer.Context,
    game: Annotated[int | None, typer.Option(help="Only of this game.")] = None,
    status: Annotated[str, typer.Option(help="Only with this state: held, failed, ready, …")] = "",
    limit: Annotated[int, typer.Option(help="The newest of each kind.")] = 20,
    *,
    as_json: AsJson = False,
) -> None:
    """List letters and mails, newest last."""
    from pbem.store import letters, outbox

    wanted = (status,) if status else ()
    with opened(context) as service, service.store.read() as session:
        came = letters.list_letters(session, *wanted, game=game, limit=limit)
        ours = outbox.list_mails(session, *wanted, game=game, limit=limit)
    if as_json:
        print_json({"letters": [_letter(one) for one in came], "mails": [_mail(one) for one in ours]})
        return
    rows: list[tuple[object, ...]] = [("letter", "game", "seat", "received", "state", "reason")]
    rows += [
        (o.id, _dash(o.game), _dash(o.seat), format_moment(o.received_at), o.status, o.reason or "-") for o in came
    ]
    print_text(columns(rows) + "\n")
    rows = [("mail", "game", "seat", "kind", "composed", "state", "tries", "reason")]
    rows += [
        (o.id, _dash(o.game), o.seat, o.kind, format_moment(o.composed_at), o.status, o.tries, _last_line(o.error))
        for o in ours
    ]
    print_text(columns(rows))


def _dash(value: object) -> object:
    return "-" if value is None else value


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2][:60] or "-"


def _letter(one: "Stored") -> dict[str, Any]:
    return {
        "letter": one.id,
        "game": one.game,
        "seat": one.seat,
        "received": format_moment(one.received_at),
        "size": one.size,
        "status": one.status,
        "reason": one.reason,
        "tries": one.tries,
    }


def _mail(one: "Posted") -> dict[str, Any]:
    return {
        "mail": one.id,
        "game": one.game,
        "seat": one.seat,
        "kind": one.kind,
        "decision": one.decision,
        "message_id": TAG.sub("…", one.message_id) if one.status != "ready" else "",
        "composed": format_moment(one.composed_at),
        "sent": format_moment(one.sent_at),
        "status": one.status,
        "tries": one.tries,
        "error": _last_line(one.error) if one.error else "",
    }


@app.command()
def show(context: typer.Context, what: What, number: Item, *, reveal: Reveal = False) -> None:
    """Print one letter or mail; the words of a seat want --reveal while secrets are in play."""
    from pbem.live import take_up
    from pbem.mail.letter import read_letter
    from pbem.postroom import find
    from pbem.report import games_of, missing

    with opened(context) as service, service.store.write() as session:
        one = find(session, what, number)
        for game in games_of(session, one):
            reveal_or_refuse(session, take_up(session, game), what, number, reveal=reveal)
    print_text("\n".join(f"{name}: {value}" for name, value in _facts(one).items() if value not in (None, "")))
    text = "\n".join(line.text for line in read_letter(one.raw).lines) if one.raw else missing(one)
    print_text("\n" + text)
    if one.error and reveal:
        print_text("\n" + one.error)


def _facts(one: "Stored | Posted") -> dict[str, Any]:
    from pbem.store.letters import Stored

    return _letter(one) if isinstance(one, Stored) else _mail(one)


@app.command()
def retry(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="MAIL", help="Its number in `pbem mail list`.")],
    *,
    dry_run: DryRun = False,
) -> None:
    """Send a mail again that was given up, or put off; one that could not be composed is composed anew."""
    from pbem import postroom

    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        postroom.retry(session, number, now())
    print_text(f"Mail {number} {'would go' if dry_run else 'goes'} with the next `pbem send`.")


@app.command()
def release(
    context: typer.Context,
    number: Annotated[int, typer.Argument(metavar="LETTER", help="Its number in `pbem mail list`.")],
    *,
    dry_run: DryRun = False,
) -> None:
    """Judge a held letter again."""
    from pbem import postroom

    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        postroom.release(session, number, now())
    print_text(f"Letter {number} {'would be' if dry_run else 'is'} judged with the next `pbem judge`.")


@app.command()
def drop(context: typer.Context, what: What, number: Item, *, dry_run: DryRun = False) -> None:
    """Give up a held letter, or a mail that was not sent."""
    from pbem import postroom

    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        postroom.drop(session, what, number, now())
    print_text(f"{what.capitalize()} {number} {'would be' if dry_run else 'is'} dropped.")
