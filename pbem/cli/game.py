"""`game`: open games and look at them."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from pbem.cli.output import columns, print_json, print_text
from pbem.cli.shared import (
    TITLES,
    AsJson,
    DryRun,
    Number,
    Reveal,
    changing,
    now,
    opened,
    pairs,
    reveal_or_refuse,
    seat_of,
)
from pbem.clock import format_moment, parse_duration
from pbem.errors import Misuse, Refused

if TYPE_CHECKING:
    from pbem.opening import GameOffer, SeatOffer
    from pbem.service import Service
    from pbem.store.games import Late, Rewind

app = typer.Typer(no_args_is_help=True)

Options = Annotated[list[str] | None, typer.Option("--option", help="NAME=VALUE, a variant of the title.")]
ClockText = Annotated[
    str, typer.Option(help="Free time for each decision, and the bank: '24h + 10d', or '24h + 10d; off sat sun'.")
]
Hold = Annotated[str, typer.Option(help="How long an order may still be changed: '10m'.")]
OwnTables = Annotated[Path | None, typer.Option(help="Own component tables, see `pbem tables`.")]
Seed = Annotated[str, typer.Option(help="64 hexadecimal digits; else drawn from the system.")]
LateText = Annotated[str, typer.Option(help="Where no answer comes in time: 'default', 'bot' or 'wait'.")]
Misses = Annotated[
    int | None,
    typer.Option(min=0, max=100, help="In a row, after which a bot stands in until the player writes; 0: never."),
]
RewindText = Annotated[
    Literal["gm", "agree"],
    typer.Option(help="Who decides to take moves back: 'gm', or all who moved since have to 'agree'."),
]


@app.command()
def new(
    context: typer.Context,
    ruleset: Annotated[str, typer.Argument(help=f"{TITLES} `pbem tables` lists its options.")],
    seats: Annotated[list[str], typer.Option("--seat", help="'NAME <ADDRESS> [LANGUAGE] [ZONE]' or 'bot:greedy'.")],
    options: Options = None,
    clock: ClockText = "",
    hold: Hold = "",
    tables: OwnTables = None,
    late: LateText = "",
    misses: Misses = None,
    rewind: RewindText = "gm",
    seed: Seed = "",
    message: Annotated[str, typer.Option(help="A word of yours in the invitation.")] = "",
    *,
    start: Annotated[bool, typer.Option("--start", help="Start at once, without waiting for acceptance.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Open a game: its players are invited, and it starts when all have accepted."""
    from pbem.opening import open_game, parse_seat

    with opened(context) as service:
        given = tuple(parse_seat(one, service.settings) for one in seats)
        offer = _offer(
            service, _Form(ruleset, options, clock, hold, tables, seed, message, late, misses, rewind), given
        )
        with changing(service, dry_run=dry_run) as session:
            live = open_game(session, offer, now(), start=start)
    if as_json:
        print_json({"game": live.game.id, "dry_run": dry_run})
        return
    verb, mails = ("would be", "would mail") if dry_run else ("is", "mails")
    print_text(f"Game {live.game.id} {verb} {live.game.status}. The next `pbem tick` {mails} its players.")


@app.command()
def bench(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List who sits on the bench: persons to whom seats that fall free are offered, the first of them first."""
    from pbem.store import benches, people

    with opened(context) as service, service.store.read() as session:
        listed: list[dict[str, Any]] = [
            {
                "name": people.get_person(session, one.person).name,
                "ruleset": one.ruleset or None,
                "since": format_moment(one.since),
            }
            for one in benches.list_bench(session)
        ]
    if as_json:
        print_json({"bench": listed})
    elif not listed:
        print_text("Nobody sits on the bench. A player sits down with a letter that says: bench")
    else:
        rows = [(one["name"], one["ruleset"] or "any", one["since"]) for one in listed]
        print_text(columns([("name", "title", "since"), *rows]))


class _Form(NamedTuple):
    """What was said of a new game besides its seats."""

    ruleset: str
    options: list[str] | None
    clock: str
    hold: str
    tables: Path | None
    seed: str
    message: str
    late: str
    misses: int | None
    rewind: "Rewind"


def _offer(service: "Service", form: _Form, seats: "tuple[SeatOffer, ...]") -> "GameOffer":
    """
    Return the game that *form* describes.

    Raises: Misuse `seed.form`, `option.form`, `duration.form`, `late.unknown`; Refused `file.unreadable`.
    """
    from pbem.opening import GameOffer, usual_clock

    if form.seed and not re.fullmatch(r"[0-9a-fA-F]{64}", form.seed):
        raise Misuse("seed.form")
    play = service.settings.play
    return GameOffer(
        ruleset=form.ruleset,
        seats=seats,
        options=pairs(form.options or []),
        clock=form.clock or usual_clock(play, form.ruleset),
        hold=parse_duration(form.hold) if form.hold else play.hold,
        tables=(read_file(form.tables) or "\n") if form.tables else "",  # an empty file is no wish for ours
        seed=bytes.fromhex(form.seed) if form.seed else None,
        message=form.message,
        late=_late(form.late or play.late),
        misses=play.misses if form.misses is None else form.misses,
        rewind=form.rewind,
        zone=play.timezone,
    )


@app.command("open")
def open_(
    context: typer.Context,
    ruleset: Annotated[str, typer.Argument(help=f"{TITLES} `pbem tables` lists its options.")],
    count: Annotated[int, typer.Option("--seats", help="How many play.")],
    at_least: Annotated[int, typer.Option(help="With how many it may begin; else as few as the title allows.")] = 0,
    seats: Annotated[
        list[str] | None,
        typer.Option("--seat", help="Who has a seat already: 'NAME <ADDRESS> [LANGUAGE] [ZONE]' or 'bot:greedy'."),
    ] = None,
    options: Options = None,
    clock: ClockText = "",
    hold: Hold = "",
    tables: OwnTables = None,
    seed: Seed = "",
    message: Annotated[str, typer.Option(help="A word of yours to those who have a seat already.")] = "",
    late: LateText = "",
    misses: Misses = None,
    rewind: RewindText = "gm",
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Open a game for whoever comes: seats are taken by mail, `join GAME`, and it starts when all are."""
    from pbem.opening import open_game, open_seats, parse_seat

    with opened(context) as service:
        given = tuple(parse_seat(one, service.settings) for one in seats or [])
        form = _Form(ruleset, options, clock, hold, tables, seed, message, late, misses, rewind)
        offer = open_seats(_offer(service, form, given), count, at_least, service.settings.play.open)
        with changing(service, dry_run=dry_run) as session:
            live = open_game(session, offer, now())
        shared = service.settings.mail.shared
    if as_json:
        print_json({"game": live.game.id, "dry_run": dry_run})
        return
    verb = "would be" if dry_run else "is"
    print_text(f"Game {live.game.id} {verb} open. A seat is taken by a letter that says: join {live.game.id}")
    if shared:
        print_text("In a shared mailbox only letters of those who play already are read; others cannot join by mail.")


@app.command()
def start(
    context: typer.Context,
    game: Number,
    *,
    bots: Annotated[str, typer.Option(help="Fill the free seats with these bots: greedy or random.")] = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Start an open game as it stands, set up for the seats that are taken."""
    from pbem.branching import want_real
    from pbem.live import take_up
    from pbem.starting import start_as_it_stands

    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        live = take_up(session, game)
        want_real(live)
        live = start_as_it_stands(session, live, bots, now())
    names = [one.name for one in live.holders]
    if as_json:
        print_json({"game": game, "status": live.game.status, "seats": names, "dry_run": dry_run})
    else:
        print_text(f"Game {game} {'would be' if dry_run else 'is'} {live.game.status}, with {', '.join(names)}.")


def _late(text: str) -> "Late":
    """
    Return what answers for who comes too late.

    Raises: Misuse `late.unknown`.
    """
    from pbem.store.games import LATE

    if text not in LATE:
        raise Misuse("late.unknown", text=text, known=LATE)
    return LATE[LATE.index(text)]


def read_file(path: Path) -> str:
    """
    Return the text of a file.

    Raises: Refused `file.unreadable`.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused("file.unreadable", file=str(path), reason=str(getattr(error, "strerror", "") or error)) from error


@app.command("list")
def list_(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List all games, and the what-ifs that were not thrown away."""
    from pbem.lobby import free_seats
    from pbem.store import games

    with opened(context) as service, service.store.read() as session:
        listed: list[dict[str, Any]] = [
            {
                "game": one.id,
                "ruleset": one.ruleset,
                "status": one.status,
                "branch_of": one.branch_of or None,
                "length": one.seq,
                "seats": [holder.name for holder in holders],
                "free": free_seats(holders),
                "next_due": format_moment(one.next_due),
            }
            for one in games.list_games(session)
            if one.status != "discarded"
            for holders in [games.get_holders(session, one.id)]
        ]
    if as_json:
        print_json({"games": listed})
    elif not listed:
        print_text("No games yet. `pbem game new --help` says how to open one.")
    else:
        rows = [
            (g["game"], g["ruleset"], _status(g["status"], g["branch_of"]), g["length"], _names(g["seats"], g["free"]))
            for g in listed
        ]
        print_text(columns([("game", "title", "status", "entries", "players"), *rows]))


def _status(status: str, branch_of: int | None) -> str:
    """Return what a game is, in words."""
    thrown_away = ", thrown away" if status == "discarded" else ""
    return f"what-if of game {branch_of}{thrown_away}" if branch_of else status


def _names(names: Sequence[str], free: Sequence[int]) -> str:
    """Return the *names* of a table; the *free* seats are counted."""
    taken = [name for seat, name in enumerate(names) if seat not in free]
    return ", ".join([*taken, *([f"{len(free)} free"] if free else [])])


@app.command()
def show(context: typer.Context, game: Number, *, as_json: AsJson = False) -> None:
    """Show where a game stands: who owes what by when, and the standings."""
    from pbem.advance import ended
    from pbem.live import take_up
    from pbem.report import free_until, invited, show_game
    from pbem.store.games import list_acts
    from pbem.store.observers import list_observers

    with opened(context) as service, service.store.read() as session:
        live = take_up(session, game)
        watching = [one.name for one in list_observers(session, game)]
        shown = show_game(service, live, watching, list_acts(session, game))
    if as_json:
        print_json(shown)
        return
    status = _status(shown["status"], shown["branch_of"])
    print_text(f"Game {game}: {shown['ruleset']}, {status}, {shown['length']} entries")
    if live.running and live.owes_draw:
        print_text("Chance draws next.")
    if not ended(live.game) and not live.is_branch:
        print_text(f"Clock: {shown['clock']}")
        if shown["rewind"] == "agree":
            print_text("Taken back only if all who moved since agree.")
        if shown["asked_back"] is not None:
            print_text(f"Asked for: to go back to entry {shown['asked_back']}.")
    _print_table(("seat", "player", "invitation"), invited(live))
    _print_table(
        ("seat", "player", "decision", "owes", "free until", "answer by", "plan"),
        [
            (one["seat"], one["name"], one["decision"], one["prompt"], free, one["deadline"] or "-", plan)
            for one in shown["pending"]
            for free, plan in [(free_until(live, one["seat"]), "a bot stands in" if one["stand_in"] else one["plan"])]
        ],
    )
    _print_table(
        ("rank", "player", "points", "from"),
        [
            (one["rank"], one["name"], one["points"], ", ".join(f"{k} {v}" for k, v in one["parts"].items() if v))
            for one in sorted(shown["standings"], key=lambda one: (one["rank"], one["seat"]))
        ],
    )
    _print_table(("observers",), [(name,) for name in shown["observers"]])
    _print_table(
        ("looked at", "of", "when"),
        [(one["what"], "-" if one["of"] is None else one["of"], one["at"]) for one in shown["revealed"]],
    )


def _print_table(heading: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> None:
    """Print *rows* under their *heading*, a blank line before them; nothing where there are none."""
    if rows:
        print_text("\n" + columns([heading, *rows]))


@app.command()
def log(context: typer.Context, game: Number, *, reveal: Reveal = False, as_json: AsJson = False) -> None:
    """Print the log. With secrets in play, what not everybody may know is left out."""
    from pbem.live import take_up
    from pbem.report import log_of

    with opened(context) as service, service.store.write() as session:
        live = take_up(session, game)
        if reveal:
            reveal_or_refuse(session, live, "log", reveal=True)
        listed = log_of(session, live, reveal=reveal)
    if as_json:
        print_json({"log": listed})
    else:
        print_text("\n".join(f"{one['seq']} {one['seat']} {one['text'] or '(hidden)'}" for one in listed))


@app.command()
def orders(
    context: typer.Context,
    game: Number,
    seat: Annotated[int, typer.Option(help="The seat, from 0.")],
    *,
    reveal: Reveal = False,
    as_json: AsJson = False,
) -> None:
    """Print the moves that a seat could make now, as canonical texts."""
    from pbem.live import take_up
    from pbem.report import orders_of

    with opened(context) as service, service.store.write() as session:
        live = take_up(session, game)
        seat_of(live, seat)
        reveal_or_refuse(session, live, "orders", seat, reveal=reveal)
        texts = orders_of(live, seat)
    if as_json:
        print_json({"orders": texts})
    else:
        print_text("\n".join(texts) or "This seat owes nothing now.")


@app.command()
def receipt(
    context: typer.Context,
    game: Number,
    code: Annotated[str, typer.Argument(help="The receipt, as it stood in the mail: k7f3q-9xk2m.")],
    *,
    reveal: Reveal = False,
    as_json: AsJson = False,
) -> None:
    """Check a receipt: to whom it was given, when, and how his letter was understood."""
    from pbem.live import take_up
    from pbem.report import receipts_of

    with opened(context) as service, service.store.write() as session:
        live = take_up(session, game)
        given = receipts_of(session, service, game, code)
        reveal_or_refuse(session, live, "receipt", given[0]["seat"], reveal=reveal)
    if as_json:
        print_json({"receipts": given})
        return
    for one in given:
        seat = one["seat"]
        print_text(f"Given at {one['at']} to seat {seat}, which {live.holders[seat].name} holds now, understood as:")
        print_text("\n".join(f"  {text}" for text in one["moves"]))


@app.command()
def view(
    context: typer.Context,
    game: Number,
    seat: Annotated[int | None, typer.Option(help="As this seat sees it; else as a spectator.")] = None,
    language: Annotated[str, typer.Option(help="Language of the words.")] = "en",
    *,
    reveal: Reveal = False,
) -> None:
    """Print the position."""
    from pbem.lexicon import known_language
    from pbem.live import take_up
    from pbem.report import view_text

    spoken = known_language(language)
    with opened(context) as service, service.store.write() as session:
        live = take_up(session, game)
        if seat is not None:
            seat_of(live, seat)
            reveal_or_refuse(session, live, "view", seat, reveal=reveal)
        print_text(view_text(service, live, seat, spoken).rstrip())


@app.command()
def verify(context: typer.Context, game: Number, *, as_json: AsJson = False) -> None:
    """Replay the whole log: every move, every draw, the chain; and compare with the stored position."""
    from pbem.live import take_up
    from pbem.report import verify_game

    with opened(context) as service, service.store.read() as session:
        live = take_up(session, game)
        found = verify_game(session, live)
    if as_json:
        print_json(found)
    else:
        drawn = found["drawn_by_gm"]
        note = f" The game master chose the draws of entries {', '.join(map(str, drawn))}." if drawn else ""
        amended = ", ".join(map(str, found["amended"]))
        if live.is_branch:
            note += f" It begins with the position of game {live.game.branch_of} in entry 1."
        elif amended:
            note += f" It goes on from the position in entry {amended}, set when the rules changed."
        print_text(f"Game {game} verified: {found['length']} entries, {found['draws']} draws, chain intact.{note}")


@app.command()
def export(
    context: typer.Context,
    game: Number,
    output: Annotated[Path | None, typer.Option(help="Write there instead of printing.")] = None,
    *,
    full: Annotated[bool, typer.Option("--full", help="With the seed, to move a running game; recorded.")] = False,
    reveal: Reveal = False,
) -> None:
    """Write the game as one text file that `pbem game replay` needs nothing else for."""
    from engine.core.export import format_export
    from pbem import moderation
    from pbem.advance import ended
    from pbem.live import export_of, take_up

    with opened(context) as service, service.store.write() as session:
        live = take_up(session, game)
        over = ended(live.game)
        reveal_or_refuse(session, live, "export", reveal=reveal)
        if full and not over:
            moderation.note_act(session, live, "export", {"full": True}, now())
        text = format_export(export_of(session, live.game, full=full or over))
    if output is None:
        print_text(text.rstrip("\n"))
    else:
        output.write_text(text, encoding="utf-8")


@app.command()
def site(
    context: typer.Context,
    game: Number,
    output: Annotated[Path, typer.Option(help="The folder: a new or empty one, or one that holds an album already.")],
    language: Annotated[str, typer.Option(help="Language of the words; else that of the settings.")] = "",
    *,
    as_json: AsJson = False,
) -> None:
    """Write the album of a game: a web site that shows every position, to be opened from a file or put on a server."""
    from pbem.branching import want_real
    from pbem.lexicon import known_language
    from pbem.live import take_up
    from pbem.post.album import write_album

    spoken = known_language(language) if language else ""
    with opened(context) as service, service.store.read() as session:
        chosen = spoken or service.settings.play.language
        live = take_up(session, game)
        want_real(live)
        made = write_album(session, service, live, output, chosen)
    if as_json:
        print_json(made)
    else:
        print_text(f"{output / 'index.html'}: {made['positions']} positions, {made['bytes'] / 1_000_000:.1f} MB.")


@app.command("import")
def import_(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="An export.")],
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Take in an exported game, replayed and checked. A running one is paused until its seats are filled."""
    from pbem.importing import import_game

    text = read_file(file)
    with opened(context) as service, changing(service, dry_run=dry_run) as session:
        live = import_game(session, text, now())
    if as_json:
        print_json({"game": live.game.id, "dry_run": dry_run})
    elif dry_run:
        print_text(f"This could be imported: {live.game.ruleset}, {live.position.seq} entries.")
    else:
        print_text(f"Imported as game {live.game.id}, {live.game.status}.")


@app.command()
def replay(file: Annotated[Path, typer.Argument(help="An export.")], *, as_json: AsJson = False) -> None:
    """Replay an export and print the result; no store is needed."""
    from pbem.report import replay_text

    found = replay_text(read_file(file))
    if as_json:
        print_json(found)
        return
    checked = "moves, draws and chain" if found["checked"] == "full" else "moves"
    print_text(f"{found['ruleset']}: {found['length']} entries replayed ({checked}).")
    rows: Sequence[tuple[object, ...]] = [(one["rank"], one["seat"], one["points"]) for one in found["standings"]]
    print_text(columns([("rank", "seat", "points"), *rows]))
