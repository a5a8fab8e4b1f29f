"""`gm`: moderation. Each act can be rehearsed, is told to those concerned, and stands on record."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import to_builtins

from pbem.cli.output import columns, print_json, print_text, told_word
from pbem.cli.shared import AsJson, DryRun, Number, changing, now, opened, reveal_or_refuse, seat_of
from pbem.clock import parse_duration
from pbem.errors import Misuse

if TYPE_CHECKING:
    from pbem.live import Live
    from pbem.service import Service
    from pbem.store.base import Session

app = typer.Typer(no_args_is_help=True)

Reason = Annotated[str, typer.Option(help="Told to those concerned.")]
SeatOption = Annotated[int, typer.Option("--seat", help="The seat, from 0.")]

Act = Callable[["Session", "Service", "Live"], "Live"]


def _do(
    context: typer.Context,
    game: int,
    act: Act,
    *,
    dry_run: bool,
    as_json: bool,
    any_rules: bool = False,
    undoing: bool = False,
    in_branch: bool = False,
) -> None:
    """
    Run *act* on a game, or rehearse it, and print what it leads to.

    *any_rules*: also before an upgrade; *undoing*: it takes entries back, which are listed; *in_branch*: also in a
    what-if, where the players of the game itself may be told that something hidden was looked at.
    """
    from pbem.acting import carry_out
    from pbem.report import notice_text

    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        effect = carry_out(session, service, game, act, any_rules=any_rules, undoing=undoing, in_branch=in_branch)
    before, after, told, undone = effect.before, effect.after, effect.told, effect.undone
    result: dict[str, Any] = {
        "game": game,
        "dry_run": dry_run,
        "status": after.game.status,
        "length": after.position.seq,
        "entered": after.position.seq - before.position.seq,
        "told": [{"seat": holder.seat, "name": holder.name, "key": one.key} for holder, one in told],
        **({"taken_back": undone} if undoing else {}),
    }
    if as_json:
        print_json(result)
        return
    verb = "would be" if dry_run else "is"
    status = f"a what-if of game {after.game.branch_of}" if after.is_branch else result["status"]
    print_text(f"Game {game} {verb} {status}, with {result['length']} entries.")
    if after.is_branch and after.owes_draw:
        print_text(f"Chance draws next: as you choose with `pbem gm play {game} --seat -1`, or with the next move.")
    readers: dict[str, dict[str, None]] = {}
    for holder, one in told:
        readers.setdefault(told_word(one.key) or notice_text(service, before, one), {})[holder.name] = None
    if told:
        print_text(columns([("told", "what"), *((", ".join(names), what) for what, names in readers.items())]))
    if undone:
        print_text("\n" + columns([("seat", "player", "moves back", "from"), *_undone(before, undone)]))


def _undone(live: "Live", undone: Sequence[dict[str, Any]]) -> Iterator[tuple[object, ...]]:
    """Yield for each seat how many of its moves are taken back, and the first of them as everybody may know it."""
    for holder in live.holders:
        own = [one for one in undone if one["seat"] == holder.seat]
        if own:
            yield holder.seat, holder.name, len(own), f"{own[0]['seq']} {own[0]['text'] or '(hidden)'}"


@app.command()
def preview(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Show what the letters that are here and the clocks would do now; nothing is done."""
    from pbem.preview import preview

    with opened(context) as service:
        found = preview(service, now())
    if as_json:
        print_json(to_builtins(found))
        return
    if not found.letters and not found.games:
        print_text("Nothing: no letter waits, and no game would go on now.")
        return
    rows: list[tuple[object, ...]] = [
        (
            one.letter,
            "-" if one.game is None else one.game,
            "-" if one.seat is None else one.seat,
            one.status,
            one.reason,
        )
        for one in found.letters
    ]
    if rows:
        print_text(columns([("letter", "game", "seat", "would be", "reason"), *rows]))
    for game in found.games:
        mails = f"; mails to {', '.join(game.told)}" if game.told else ""
        print_text(f"\nGame {game.game} ({game.ruleset}) would be {game.status}{mails}")
        entered = [
            (f"  {one['seq']}", one["seat"], "(hidden)" if one["text"] is None else one["text"]) for one in game.entered
        ]
        if entered:
            print_text(columns([("  entry", "seat", "move"), *entered]))


@app.command()
def pause(
    context: typer.Context, game: Number, reason: Reason = "", *, dry_run: DryRun = False, as_json: AsJson = False
) -> None:
    """Stop the clocks; plans may still be sent."""
    from pbem import moderation

    _do(context, game, lambda s, _, live: moderation.pause(s, live, reason, now()), dry_run=dry_run, as_json=as_json)


@app.command()
def resume(
    context: typer.Context, game: Number, reason: Reason = "", *, dry_run: DryRun = False, as_json: AsJson = False
) -> None:
    """Let the clocks run on where they stood."""
    from pbem import moderation

    _do(context, game, lambda s, _, live: moderation.resume(s, live, reason, now()), dry_run=dry_run, as_json=as_json)


@app.command()
def extend(
    context: typer.Context,
    game: Number,
    by: Annotated[str, typer.Option(help="How much longer: '24h', '2d'; days of rest do not count.")],
    reason: Reason = "",
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Give everybody who owes something more time."""
    from pbem import moderation

    span = parse_duration(by)
    _do(
        context,
        game,
        lambda s, _, live: moderation.extend(s, live, span, reason, now()),
        dry_run=dry_run,
        as_json=as_json,
    )


@app.command()
def clock(
    context: typer.Context,
    game: Number,
    text: Annotated[
        str, typer.Argument(metavar="CLOCK", help="As `pbem game new` takes it: '24h + 10d; off sat sun'.")
    ],
    reason: Reason = "",
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Change the clock of a game; deadlines that run are counted anew, none to less than a day."""
    from pbem import moderation

    def act(session: "Session", service: "Service", live: "Live") -> "Live":
        return moderation.change_clock(session, live, text, service.settings.play.timezone, reason, now())

    _do(context, game, act, dry_run=dry_run, as_json=as_json)


@app.command()
def rewind(
    context: typer.Context,
    game: Number,
    to: Annotated[int, typer.Option(help="The last entry that stands; 0 for none.")],
    reason: Reason = "",
    *,
    at_once: Annotated[
        bool, typer.Option("--now", help="Without asking those who would have to agree; all are told that, and why.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Take the game back, or ask those who have to agree to it; nothing is deleted from the log."""
    from pbem import taking_back

    _do(
        context,
        game,
        lambda s, _, live: taking_back.take_back(s, live, to, reason, now(), at_once=at_once),
        dry_run=dry_run,
        as_json=as_json,
        undoing=True,
        in_branch=True,
    )


@app.command()
def branch(
    context: typer.Context,
    game: Number,
    at: Annotated[
        int | None, typer.Option(help="As it stood after this entry, 0 before the first; else as it is.")
    ] = None,
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Copy a game to try things in the copy, a what-if: nobody is told, no clock runs, and its dice are its own."""
    from pbem.branching import branch as make_branch
    from pbem.live import take_up

    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        made = make_branch(session, take_up(session, game), at, now())
    number = made.live.game.id
    if as_json:
        print_json({"game": number, "branch_of": game, "at": made.at, "dry_run": dry_run})
        return
    verb = "would be" if dry_run else "is"
    print_text(f"Game {number} {verb} a what-if of game {game}, as it stood after entry {made.at}.")
    if at is not None and made.at != at:
        print_text(f"Entry {at} lies within a round in which all answer at once; it begins where that round began.")
    if not dry_run:
        print_text(
            f"Try things with `pbem gm play {number}` and `pbem gm rewind {number}`; "
            f"`pbem gm discard {number}` throws it away."
        )


@app.command()
def discard(context: typer.Context, game: Number, *, dry_run: DryRun = False, as_json: AsJson = False) -> None:
    """Throw a what-if away: it stands in no list any more."""
    from pbem.branching import discard as throw_away

    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        gone = throw_away(session, game, now())
    if as_json:
        print_json({"game": game, "branch_of": gone.branch_of, "dry_run": dry_run})
    else:
        print_text(f"Game {game}, a what-if of game {gone.branch_of}, {'would be' if dry_run else 'is'} thrown away.")


@app.command()
def amend(
    context: typer.Context, game: Number, reason: Reason = "", *, dry_run: DryRun = False, as_json: AsJson = False
) -> None:
    """Let a game that the new rules replay otherwise go on from the position that it has."""
    from pbem import upgrading

    _do(
        context,
        game,
        lambda s, _, live: upgrading.amend(s, live, reason, now()),
        dry_run=dry_run,
        as_json=as_json,
        any_rules=True,
    )


@app.command()
def play(
    context: typer.Context,
    game: Number,
    line: Annotated[str, typer.Argument(help="A line as a player would write it; for chance what is drawn.")],
    seat: Annotated[int, typer.Option("--seat", help="The seat, from 0; -1 is chance.")],
    reason: Reason = "",
    *,
    reveal: Annotated[
        bool,
        typer.Option("--reveal", help="In a what-if, where it can show secrets; recorded, and told to all players."),
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Answer for a seat, or choose a draw."""
    from engine.core.types import CHANCE
    from pbem import moderation
    from pbem.branching import drawn, want_open
    from pbem.desk.orders import plan_for

    def act(session: "Session", service: "Service", live: "Live") -> "Live":
        if dry_run:
            want_open(session, live)
        if live.is_branch:
            reveal_or_refuse(session, live, "branch", game, reveal=reveal)
        if seat == CHANCE:
            return moderation.draw(session, live, line, reason, now())
        live = drawn(session, live, now())
        holder = live.holders[seat_of(live, seat)]
        plan = plan_for(live, holder.seat, line, service.own_templates)
        return moderation.play_for(session, live, holder.seat, plan, reason, now())

    _do(context, game, act, dry_run=dry_run, as_json=as_json, in_branch=True)


@app.command()
def replace(
    context: typer.Context,
    game: Number,
    who: Annotated[str, typer.Argument(help="'NAME <ADDRESS> [LANGUAGE] [ZONE]' or 'bot:greedy'.")],
    seat: SeatOption,
    reason: Reason = "",
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Give a seat to somebody else; answers to mails that were sent before count no more."""
    from pbem import moderation
    from pbem.opening import parse_seat

    def act(session: "Session", service: "Service", live: "Live") -> "Live":
        offer = parse_seat(who, service.settings)
        holder = live.holders[seat_of(live, seat)]
        return moderation.replace_holder(session, live, holder.seat, offer, reason, now())

    _do(context, game, act, dry_run=dry_run, as_json=as_json)


@app.command()
def offer(
    context: typer.Context,
    game: Number,
    seat: SeatOption,
    reason: Reason = "",
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Offer a seat that a bot plays to the first of the bench, see `pbem game bench`."""
    from pbem.bench import offer_seat
    from pbem.store import observers

    names: list[str] = []

    def act(session: "Session", service: "Service", live: "Live") -> "Live":  # noqa: ARG001 - the shape of an act
        after = offer_seat(session, live, live.holders[seat_of(live, seat)].seat, reason, now())
        offered = observers.list_places(session, game, "offered")
        names.extend(one.name for one in offered if one.offer == seat)
        return after

    _do(context, game, act, dry_run=dry_run, as_json=as_json)
    if not as_json:
        print_text(f"The seat {'would be' if dry_run else 'is'} offered to {', '.join(names)}.")


@app.command()
def finish(
    context: typer.Context,
    game: Number,
    reason: Reason = "",
    *,
    void: Annotated[bool, typer.Option("--void", help="Without a result.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """End a game here, with the standings as they are or without a result."""
    from pbem import moderation

    _do(
        context,
        game,
        lambda s, _, live: moderation.finish(s, live, reason, now(), void=void),
        dry_run=dry_run,
        as_json=as_json,
    )


@app.command()
def message(
    context: typer.Context,
    game: Number,
    text: Annotated[str, typer.Argument(help="What to say.")],
    seat: Annotated[int | None, typer.Option(help="Only to this seat; else to all.")] = None,
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Write to the players of a game."""
    from pbem import moderation

    def act(session: "Session", service: "Service", live: "Live") -> "Live":  # noqa: ARG001 - the shape of an act
        seats = [holder.seat for holder in live.holders] if seat is None else [live.holders[seat_of(live, seat)].seat]
        return moderation.message(session, live, seats, text, now())

    _do(context, game, act, dry_run=dry_run, as_json=as_json)


@app.command()
def observe(
    context: typer.Context,
    game: Number,
    who: Annotated[str, typer.Argument(help="'NAME <ADDRESS> [LANGUAGE] [ZONE]'.")] = "",
    reason: Reason = "",
    *,
    remove: Annotated[str, typer.Option(help="The address of somebody who is to look on no more.")] = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Let somebody look on, who is mailed what everybody may know; or end that with --remove."""
    from pbem import moderation
    from pbem.observing import find_by_address
    from pbem.opening import parse_seat

    if bool(who) == bool(remove):
        raise Misuse("observer.form")

    def act(session: "Session", service: "Service", live: "Live") -> "Live":
        if remove:
            one = find_by_address(session, live, remove)
            return moderation.stop_observing(session, live, one, reason, now())
        return moderation.observe(session, live, parse_seat(who, service.settings), reason, now())

    _do(context, game, act, dry_run=dry_run, as_json=as_json)
