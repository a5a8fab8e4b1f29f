"""A stored game taken in hand: its rules, its position, its seats, and its log when it is needed."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine import registry
from engine.core.dice import Dice
from engine.core.export import Export, Header
from engine.core.log import Position, Record, first_position, is_amendment, replay
from engine.core.ruleset import Ruleset, make_config
from engine.core.tables import Tables, holds_ours, load_tables
from engine.core.types import CHANCE, GM, Seat
from pbem.clock import Clock, parse_clock
from pbem.errors import Refused
from pbem.store import games
from pbem.store.base import Session
from pbem.store.games import BRANCHES, ENDED, Game, Holder, Logged


class Live(Struct, frozen=True):
    """One game as it stands now."""

    game: Game
    ruleset: Ruleset[Any, Any, Any]
    position: Position[Any]
    holders: tuple[Holder, ...]

    @property
    def dice(self) -> Dice:
        """Return the dice of the game."""
        return Dice(self.game.seed, self.game.words)

    def view(self, seat: Seat | None) -> Any:  # noqa: ANN401 - the view of any title
        """Return what *seat* may see, None: who only looks on; a game that was broken off is shown as over."""
        seen = self.ruleset.view(self.position.state, seat)
        return replace(seen, over=True) if self.game.status in ENDED else seen

    @property
    def clock(self) -> Clock:
        """Return the clock of the game."""
        return parse_clock(self.game.clock)

    @property
    def running(self) -> bool:
        """Return whether moves are played now."""
        return self.game.status in ("running", "branch")

    @property
    def is_branch(self) -> bool:
        """Return whether it is a what-if: nobody but the game master knows of it."""
        return is_branch(self.game)

    @property
    def is_outdated(self) -> bool:
        """Return whether the game was played under other rules than those installed."""
        return self.game.rules != self.ruleset.rules

    @property
    def begun(self) -> bool:
        """Return whether the game was ever played, and not called off before."""
        return self.game.started_at is not None or self.is_branch

    @property
    def owes_draw(self) -> bool:
        """Return whether chance is to draw next."""
        return any(one.decision.seat == CHANCE for one in self.position.owed(self.ruleset))

    def owed(self) -> dict[Seat, int]:
        """Return for each seat that owes a decision the decision's number; nothing where no moves are played."""
        if self.game.status not in ("running", "paused", "branch"):
            return {}
        return {
            one.decision.seat: one.number for one in self.position.owed(self.ruleset) if one.decision.seat != CHANCE
        }

    def free_for(self, seat: Seat) -> timedelta:
        """Return the free time of the decision that *seat* owes; that of any other where it owes none."""
        owed = self.ruleset.pending(self.position.state)
        return self.clock.free_for(next((one.key for one in owed if one.seat == seat), ""))

    def with_holder(self, holder: Holder) -> "Live":
        """Return the game with *holder* on its seat."""
        return replace(self, holders=tuple(holder if one.seat == holder.seat else one for one in self.holders))

    def asks_in_secret(self, seat: Seat) -> bool:
        """Return whether what *seat* may choose now depends on what it alone knows."""
        return any(one.seat == seat and one.secret for one in self.ruleset.pending(self.position.state))


def is_branch(game: Game) -> bool:
    """Return whether *game* is a what-if, thrown away or not."""
    return game.status in BRANCHES


def take_up(session: Session, number: int) -> Live:
    """
    Return the game with that *number* as it stands.

    Raises: Refused `game.unknown`; `game.outdated` where the rules installed cannot read its position.
    """
    game = games.get_game(session, number)
    ruleset = registry.load(game.ruleset)
    try:
        state = msgspec.json.decode(game.state, type=ruleset.state_type)
    except msgspec.ValidationError as error:
        raise _outdated(game, ruleset) from error
    position = Position(state, game.seq, game.draws, game.numbers, game.closed)
    return Live(game, ruleset, position, games.get_holders(session, number))


def stands_still(game: Game) -> bool:
    """Return whether *game* is not over, but began under other rules than those installed: `upgrade` takes it up."""
    return game.status not in ENDED and game.rules != registry.load(game.ruleset).rules


def want_same_rules(live: Live) -> None:
    """
    See that *live* may go on under the rules installed.

    Raises: Refused `game.outdated`; `branch.outdated` for a what-if, which no upgrade takes up.
    """
    if live.is_outdated and live.is_branch:
        raise Refused("branch.outdated", game=live.game.id, rules=live.game.rules, installed=live.ruleset.rules)
    if live.is_outdated:
        raise _outdated(live.game, live.ruleset)


def _outdated(game: Game, ruleset: Ruleset[Any, Any, Any]) -> Refused:
    return Refused("game.outdated", game=game.id, rules=game.rules, installed=ruleset.rules)


def real_game(session: Session, live: Live) -> Live:
    """Return the game that people play: the one of which *live* is a what-if, or itself."""
    return take_up(session, live.game.branch_of) if live.is_branch else live


def keeps_secrets(session: Session, live: Live) -> bool:
    """Return whether something in *live* may still be hidden; a what-if hides what the game itself hides."""
    game = games.get_game(session, live.game.branch_of) if live.is_branch else live.game
    return live.ruleset.has_secrets and game.status not in ENDED


def start_of(session: Session, live: Live) -> Position[Any]:
    """Return the game before its first entry."""
    return start_of_game(session, live.game)


def start_of_game(session: Session, game: Game) -> Position[Any]:
    """Return *game*, whose present position need not be readable, before its first entry."""
    ruleset = registry.load(game.ruleset)
    config = make_config(game.seats, dict(game.options), allowed=ruleset.seats, options=ruleset.options)
    return first_position(ruleset, config, tables_of(session, game))


def has_own_values(session: Session, game: Game) -> bool:
    """Return whether *game* is played with values of our own, and not all of the printed ones."""
    return _holds_ours(games.get_tables(session, game.tables))


@lru_cache(maxsize=64)
def _holds_ours(text: str) -> bool:
    return holds_ours(load_tables(text.encode()))


def tables_of(session: Session, game: Game) -> Tables:
    """Return the component tables that *game* stands on."""
    return load_tables(games.get_tables(session, game.tables).encode())


def records_of(session: Session, live: Live) -> tuple[Record[Any], ...]:
    """Return the whole log, replayed."""
    entries = [one.entry for one in games.read_log(session, live.game.id)]
    return replay(live.ruleset, start_of(session, live), entries)


def header_of(session: Session, game: Game, *, full: bool) -> Header:
    """Return the header of the log; *full* tells seed and chain, which a running game keeps to itself."""
    tables = tables_of(session, game)
    packaged = registry.packaged_tables(game.ruleset).digest == tables.digest
    return Header(
        ruleset=game.ruleset,
        rules=game.rules,
        seats=game.seats,
        options=game.options,
        tables=game.tables,
        commitment=game.commitment,
        words=game.words,
        tables_text="" if packaged else tables.text,
        seed=game.seed.hex() if full else "",
        chain=game.link.hex() if full else "",
    )


def export_of(session: Session, game: Game, *, full: bool) -> Export:
    """Return the whole game as it can be replayed elsewhere."""
    entries = tuple(one.entry for one in games.read_log(session, game.id))
    return Export(header_of(session, game, full=full), entries)


def last_moment(holder: Holder, now: datetime) -> bool:
    """Return whether the time of *holder* is up."""
    return holder.deadline is not None and holder.deadline <= now


def standing_entries(log: Sequence[Logged]) -> list[Logged]:
    """Return the entries since the last amendment that stand, newest first: without those taken back, and rewinds."""
    found: list[Logged] = []
    seq = len(log)
    while seq:
        entry = log[seq - 1].entry
        word, _, to = entry.text.partition(" ")
        if entry.seat == GM and word == "rewind":
            seq = int(to)
            continue
        if is_amendment(entry):
            break
        found.append(log[seq - 1])
        seq -= 1
    return found
