"""What the command line tells of a game, as plain values."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine import registry
from engine.core.errors import EngineError, LogError
from engine.core.export import parse_export, verify
from engine.core.log import first_link, first_position, is_amendment, may_read, next_link
from engine.core.play import completeness
from engine.core.ruleset import Ruleset, make_config
from engine.core.tables import Tables, load_tables
from engine.core.types import CHANCE, GM, Seat, Standing
from pbem.clock import format_moment
from pbem.errors import PbemError, Refused
from pbem.gate.tags import find_tags, make_receipt
from pbem.live import Live, export_of, header_of, keeps_secrets, records_of, standing_entries, tables_of
from pbem.lobby import is_free
from pbem.mail.letter import read_letter
from pbem.notices import REASONS, TOLD
from pbem.post.layout import tidy
from pbem.post.words import Reader, kept_words, words_of
from pbem.service import Service
from pbem.store import games, outbox, people
from pbem.store.base import Session
from pbem.store.games import Act
from pbem.store.letters import Stored
from pbem.store.outbox import Noticed, Posted


@contextmanager
def worded(title: str, names: tuple[str, ...] = (), own: Path | None = None) -> Iterator[None]:
    """Let a refusal by the rules of *title* carry their words for it as a note, for the command line to show."""
    try:
        yield
    except (EngineError, PbemError) as error:
        behind = error.__cause__.fields if isinstance(error.__cause__, EngineError) else ()
        fields = dict((*behind, *error.fields))
        reason = str(fields.get("reason", error.key))
        wanted = {**REASONS, **registry.load(title).vocabulary.reasons}.get(reason)
        if wanted is not None and fields.keys() >= set(wanted):
            voice = kept_words(own).voice("en", title, Reader(names=names))
            error.add_note(voice.say(reason, tuple((name, fields[name]) for name in wanted)))
        raise


def notice_text(service: Service, live: Live, notice: Noticed) -> str:
    """Return *notice* in the words of the mails, on one line; what was chosen in secret before is left out."""
    fields = notice.fields
    if "text" in fields and live.asks_in_secret(fields.get("seat", CHANCE)):
        fields = {**fields, "text": ""}
    names = tuple(one.name for one in live.holders)
    voice = words_of(service).voice("en", live.game.ruleset, Reader(names=names))
    said = voice.say(notice.key, tuple((name, fields[name]) for name in TOLD[notice.key]))
    return " ".join(said.split())


def standings_of(standings: tuple[Standing, ...], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return *standings* in seat order, each with the name of who holds the seat."""
    return [
        {
            "seat": one.seat,
            "name": names[one.seat] if names else "",
            "rank": one.rank,
            "points": one.points,
            "parts": dict(one.parts),
        }
        for one in standings
    ]


def show_game(service: Service, live: Live, watching: Sequence[str] = (), acts: Sequence[Act] = ()) -> dict[str, Any]:
    """
    Return where the game stands, without anything that not everybody may know.

    *watching* are who looks on, *acts* those on record: what was revealed to the game master is told.
    """
    names = tuple(one.name for one in live.holders)
    voice = words_of(service).voice("en", live.game.ruleset, Reader(names=names))
    pending = []
    for one in live.position.owed(live.ruleset) if live.game.status in ("running", "paused", "branch") else ():
        if one.decision.seat == CHANCE:
            continue
        holder = live.holders[one.decision.seat]
        pending.append(
            {
                "seat": holder.seat,
                "name": holder.name,
                "decision": one.number,
                "key": one.decision.key,
                "prompt": str(voice.ask(one.decision.key, one.decision.fields)),
                "deadline": format_moment(holder.deadline),
                "plan": completeness(live.ruleset, live.position, holder.seat, holder.plan),
                "stand_in": holder.stand_in,
            }
        )
    standings = live.ruleset.standings(live.position.state) if live.begun else ()
    over = live.game.status == "over" or (live.is_branch and not live.position.owed(live.ruleset))
    return {
        "game": live.game.id,
        "ruleset": live.game.ruleset,
        "rules": live.game.rules,
        "status": live.game.status,
        "branch_of": live.game.branch_of or None,
        "length": live.position.seq,
        "clock": live.game.clock,
        "rewind": live.game.rewind,
        "asked_back": live.game.undo_to if live.game.undo_to >= 0 else None,
        "pending": pending,
        "standings": standings_of(standings, names),
        "winners": [one.seat for one in standings if one.rank == 1] if over else [],
        "observers": list(watching),
        "revealed": [revealed for one in acts if (revealed := _revealed(one)) is not None],
    }


_OF_SEAT = ("orders", "view", "receipt")
_OF_NUMBER = ("letter", "mail", "branch")


def _revealed(act: Act) -> dict[str, Any] | None:
    """Return what the game master looked at by *act*: what, of which seat or number, and when; None for other acts."""
    if act.what == "reveal":
        what = str(act.fields["what"])
        of = act.fields["of"] if what in (*_OF_SEAT, *_OF_NUMBER) else None
        return {"what": what, "of": of, "at": format_moment(act.at)}
    if act.what == "export" and act.fields.get("full"):
        return {"what": "seed", "of": None, "at": format_moment(act.at)}
    return None


def invited(live: Live) -> list[tuple[Seat, str, str]]:
    """Return of an open game each seat, its player, and whether the invitation is accepted; else nothing."""
    if live.game.status != "open":
        return []
    return [
        (
            one.seat,
            one.name,
            "free" if is_free(one) else "a bot" if one.bot else "accepted" if one.accepted else "no answer yet",
        )
        for one in live.holders
    ]


def free_until(live: Live, seat: Seat) -> str:
    """Return until when *seat* takes nothing from its bank; "-" where no clock runs."""
    holder = live.holders[seat]
    return format_moment(holder.deadline and live.clock.free_until(holder.deadline, holder.bank)) or "-"


def log_of(session: Session, live: Live, *, reveal: bool) -> list[dict[str, Any]]:
    """Return the log; texts that not everybody may read are null unless *reveal*, or nothing is hidden any more."""
    everything = reveal or not keeps_secrets(session, live)
    if everything:
        logged = games.read_log(session, live.game.id)
        return [{"seq": one.entry.seq, "seat": one.entry.seat, "text": one.entry.text} for one in logged]
    return [
        {"seq": one.entry.seq, "seat": one.entry.seat, "text": one.entry.text if may_read(one, None) else None}
        for one in records_of(session, live)
    ]


def taken_back(session: Session, before: Live, after: Live) -> list[dict[str, Any]]:
    """Return the entries of seats that stood in *before*, and that a rewind has undone, or would if all agreed."""
    log = games.read_log(session, after.game.id)
    is_done = after.position.seq > before.position.seq
    point = int(log[before.position.seq].entry.text.partition(" ")[2]) if is_done else after.game.undo_to
    undone = {one.entry.seq for one in standing_entries(log[: before.position.seq]) if one.entry.seq > point}
    listed = log_of(session, after, reveal=False)
    return [one for one in listed if one["seq"] in undone and one["seat"] >= 0]


def orders_of(live: Live, seat: int) -> list[str]:
    """Return the canonical texts of what *seat* could answer now."""
    if Seat(seat) not in live.owed():
        return []
    moves = live.ruleset.legal(live.position.state, Seat(seat))
    return [live.ruleset.grammar.format_move(move) for move in moves]


def receipts_of(session: Session, service: Service, game: int, code: str) -> list[dict[str, Any]]:
    """
    Return what was given with the receipt *code*: to which seat, when, for which decision, and how it was understood.

    More than one where the same moves were sent again. Each is computed anew with our key: what the store says
    otherwise than the receipt does not count.

    Raises: Refused `receipt.unknown`.
    """
    asked = "".join(filter(str.isalnum, code)).lower()
    found = []
    for one in outbox.told_in(session, game, "order.receipt"):
        decision, moves = int(one.fields["decision"]), [str(text) for text in one.fields["moves"]]
        if make_receipt(service.key, game, one.seat, decision, moves).replace("-", "") == asked:
            at = format_moment(one.at)
            found.append({"seat": int(one.seat), "at": at, "decision": decision, "moves": moves})
    if not found:
        raise Refused("receipt.unknown", code=code, game=game)
    return found


def view_text(service: Service, live: Live, seat: int | None, language: str) -> str:
    """Return the position in words, as *seat* sees it."""
    names = tuple(one.name for one in live.holders)
    own = None if seat is None else Seat(seat)
    seen = live.view(own)
    voice = words_of(service).voice(language, live.game.ruleset, Reader(own, names, view=seen))
    return tidy(str(voice.board(seen)))


def games_of(session: Session, one: Stored | Posted) -> list[int]:
    """Return the games that *one* may tell of; of a letter that was not judged those of its tags, or its sender's."""
    if one.game is not None or isinstance(one, Posted):
        return [] if one.game is None else [one.game]
    if not one.raw:
        return []  # nothing of it is left to be read
    letter = read_letter(one.raw)
    tagged = {found.tag.game for found in find_tags(letter)}
    person = people.find_person(session, letter.sender.address)
    held = {game for game, _ in games.seats_of_person(session, person.id)} if person is not None else set()
    return sorted({game.id for game in games.list_games(session)} & (tagged or held))


def missing(one: Stored | Posted) -> str:
    """Return why the bytes of *one* are not there."""
    if isinstance(one, Stored):
        return "Its text was purged." if one.digest else "Its text could not be loaded."
    return "Its text was purged." if one.sent_at else "It could not be composed."


def verify_game(session: Session, live: Live) -> dict[str, Any]:
    """
    Return what a full check found.

    Raises: LogError with the first thing that is wrong; `verify.link` for an entry that was changed, `verify.state` if
            the stored position is another.
    """
    _check_links(session, live)
    export = export_of(session, live.game, full=True)
    with worded(live.game.ruleset, tuple(one.name for one in live.holders)):
        records = verify(live.ruleset, tables_of(session, live.game), export)
    if records and records[-1].position != live.position:
        raise LogError("verify.state", seq=live.position.seq)
    return {
        "game": live.game.id,
        "verified": True,
        "length": len(records),
        "draws": live.position.draws,
        "amended": [one.entry.seq for one in records if is_amendment(one.entry)],
        "drawn_by_gm": [r.entry.seq for r in records if r.entry.seat == GM and r.entry.text.startswith("draw ")],
    }


def _check_links(session: Session, live: Live) -> None:
    """See that every stored digest of the chain fits its entry: an export holds the last one only."""
    link = first_link(header_of(session, live.game, full=False).constant_text())
    for one in games.read_log(session, live.game.id):
        link = next_link(link, live.dice, one.entry)
        if link != one.link:
            raise LogError("verify.link", seq=one.entry.seq, text=one.entry.text)


def replay_text(text: str) -> dict[str, Any]:
    """
    Return what replaying the export *text* leads to.

    Raises: LogError and relatives, with the first entry that does not replay.
    """
    export = parse_export(text)
    ruleset = registry.load(export.header.ruleset)
    tables = exported_tables(export.header.ruleset, export.header.tables_text)
    with worded(export.header.ruleset):
        records = verify(ruleset, tables, export)
    position = records[-1].position if records else _start(ruleset, export.header.seats, export.header.options, tables)
    standings = ruleset.standings(position.state)
    over = not position.owed(ruleset)
    return {
        "ruleset": export.header.ruleset,
        "rules": export.header.rules,
        "length": len(records),
        "checked": "full" if export.header.seed else "moves",
        "over": over,
        "standings": standings_of(standings, ()),
        "winners": [one.seat for one in standings if one.rank == 1] if over else [],
    }


def exported_tables(ruleset: str, text: str) -> Tables:
    """Return the tables that an export brings, or the packaged ones."""
    return load_tables(text.encode()) if text else registry.packaged_tables(ruleset)


def _start(ruleset: Ruleset[Any, Any, Any], seats: int, options: tuple[tuple[str, str], ...], tables: Tables) -> Any:  # noqa: ANN401
    config = make_config(seats, dict(options), allowed=ruleset.seats, options=ruleset.options)
    return first_position(ruleset, config, tables)
