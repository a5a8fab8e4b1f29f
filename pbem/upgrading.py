"""
A new version of the rules: every game that is not over is replayed with it before it goes on.

One that replays the same gets the new number; one that differs stands still, its letters wait, until the game master
lets it go on from the position that it has (`amend`), or brings the old version back.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.core.dice import Dice
from engine.core.errors import EngineError, LogError
from engine.core.log import Position, Record, make_amendment, replay
from engine.core.ruleset import Ruleset
from pbem.advance import advance, ended, enter, tell_all
from pbem.errors import Refused, TryLater
from pbem.live import Live, stands_still, start_of_game
from pbem.moderation import asked_anew, note_act
from pbem.report import worded
from pbem.service import Service
from pbem.store import games, letters
from pbem.store.base import Session, Store, pass_lock, sqlite_path
from pbem.store.copies import copy_database
from pbem.store.games import Act, Game, Logged
from pbem.store.upgrade import NEWEST, stored_revision, upgrade_store

WAITING = "outdated"
"""The reason of letters that wait until their game was taken up by the new rules."""


class Rehearsed(Struct, frozen=True):
    """
    One game, replayed with the rules installed.

    `fault`  why it differs, None where it replays the same; `entry` the first entry that differs, 0 before the first
    """

    game: int
    ruleset: str
    status: str
    rules: int
    installed: int
    length: int
    fault: EngineError | None = None
    entry: int = 0


def rehearse_all(store: Store, own_templates: Path | None = None) -> Iterator[Rehearsed]:
    """Yield what replaying each game that is not over leads to; nothing is written."""
    for number in _numbers(store):
        with store.read() as session:
            yield rehearse(session, games.get_game(session, number), own_templates)


@contextmanager
def rehearsal(store: Store) -> Iterator[Store]:
    """
    Give *store*, or where its shape is an older one a copy that is brought up to date, so that *store* stays as it is.

    Raises: Refused `upgrade.shape` where it has no file that could be copied; TryLater.
    """
    if stored_revision(store) == NEWEST:
        yield store
        return
    file = sqlite_path(store.url)
    if file is None:
        raise Refused("upgrade.shape", scheme=store.url.partition(":")[0])
    with tempfile.TemporaryDirectory(prefix="pbem-") as folder:
        place = Path(folder) / file.name
        copy_database(file, place)
        copy = Store(f"sqlite:///{place}")
        try:
            upgrade_store(copy)
            yield copy
        finally:
            copy.close()


def upgrade_all(service: Service, now: datetime) -> Iterator[Rehearsed]:
    """
    Yield what replaying each game leads to; one that replays the same has the new number then, and its letters back.

    Raises: TryLater `upgrade.pass-running`.
    """
    with _alone(service):
        for number in _numbers(service.store):
            with service.store.write() as session:
                yield _take_over(session, games.get_game(session, number), service.own_templates, now)


def rehearse(session: Session, game: Game, own_templates: Path | None = None) -> Rehearsed:
    """Return what replaying *game* with the rules installed leads to."""
    installed = registry.load(game.ruleset)
    fault = difference(session, game)
    entry = int(str(dict(fault.fields).get("seq", 0))) if fault else 0
    if fault is not None:
        with suppress(EngineError), worded(game.ruleset, own=own_templates):
            raise fault  # it carries the words of the title then
        fault = fault_for_all(installed, fault)
    return Rehearsed(game.id, game.ruleset, game.status, game.rules, installed.rules, game.seq, fault, entry)


def difference(session: Session, game: Game) -> EngineError | None:
    """Return the first thing in which *game* replays otherwise than it was played, None if there is none."""
    ruleset = registry.load(game.ruleset)
    logged = games.read_log(session, game.id)
    try:
        start = start_of_game(session, game)
        records = replay(ruleset, start, [one.entry for one in logged], Dice(game.seed, game.words))
    except EngineError as error:
        return error
    for one, record in zip(logged, records, strict=True):
        if not _answers_the_same(one, record):
            return LogError("log.decision", seq=one.entry.seq, text=one.entry.text)
    position = records[-1].position if records else start
    return None if _is_same(ruleset, game, position) else LogError("verify.state", seq=game.seq)


def fault_for_all(ruleset: Ruleset[Any, Any, Any], fault: EngineError) -> EngineError:
    """Return *fault* as everybody may know it: where there are secrets without the text of an entry, and its fields."""
    fields = dict(fault.fields)
    if not ruleset.has_secrets or "text" not in fields:
        return fault
    return LogError("log.hidden", seq=int(str(fields["seq"])), because=str(fields.get("reason", fault.key)))


def amend(session: Session, live: Live, reason: str, now: datetime) -> Live:
    """
    Return the game going on under the rules installed from the position that it has, whatever they make of its log.

    Every plan is emptied, all that is owed is asked anew with a full clock; banks and the count of draws stay.
    Raises: Refused `game.ended`, `game.not-running`, `amend.same` where it replays the same.
    """
    if ended(live.game):
        raise Refused("game.ended", game=live.game.id)
    if not live.begun:
        raise Refused("game.not-running", game=live.game.id, status=live.game.status)
    if difference(session, live.game) is None:
        raise Refused("amend.same", game=live.game.id)
    former = live.game.rules
    record = make_amendment(live.ruleset, live.position)
    live = replace(live, game=replace(live.game, rules=live.ruleset.rules))
    live = enter(session, live, [(record, "gm")], now)
    live = asked_anew(live, now)
    fields = {"seq": record.entry.seq, "from": former, "to": live.game.rules, "reason": reason}
    note_act(session, live, "amend", fields, now)
    tell_all(session, live, "game.amended", {"reason": reason}, now)
    letters.release_letters(session, live.game.id, WAITING)
    return advance(session, live, now)


def _take_over(session: Session, game: Game, own_templates: Path | None, now: datetime) -> Rehearsed:
    """Return how *game* replays; its number is raised if it replays the same, or nothing of it was played yet."""
    found = rehearse(session, game, own_templates)
    if found.fault is not None and game.status == "open":
        game = games.with_position(game, start_of_game(session, game), game.link)
        found = replace(found, fault=None, entry=0)
    if found.fault is None and stands_still(game):
        games.save_game(session, replace(game, rules=found.installed))
        games.add_act(session, Act("gm", "upgrade", {"from": found.rules, "to": found.installed}, now, game.id))
        letters.release_letters(session, game.id, WAITING)
    return found


def _numbers(store: Store) -> list[int]:
    with store.read() as session:
        return games.numbers_of(session, *games.GOING_ON)


def _answers_the_same(one: Logged, record: Record[Any]) -> bool:
    """Return whether the entry answers the decision that it answered when it was made."""
    if record.decision is None:
        return True
    asked = record.decision
    return (asked.decision.key, asked.decision.occasion, asked.number) == (one.key, one.occasion, one.number)


def _is_same(ruleset: Ruleset[Any, Any, Any], game: Game, position: Position[Any]) -> bool:
    """Return whether the stored position is *position*: byte for byte, or as the rules installed read it."""
    stored = (game.seq, game.draws, game.numbers, game.closed)
    if stored != (position.seq, position.draws, position.numbers, position.closed):
        return False
    if game.state == msgspec.json.encode(position.state):
        return True
    try:
        return bool(msgspec.json.decode(game.state, type=ruleset.state_type) == position.state)
    except msgspec.ValidationError:
        return False


@contextmanager
def _alone(service: Service) -> Iterator[None]:
    """Keep passes away."""
    with pass_lock(service.lock_path) as held:
        if not held:
            raise TryLater("upgrade.pass-running", file=str(service.lock_path))
        yield
