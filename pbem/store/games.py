"""Games, seats and the log."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct
from sqlmodel import Session, col, func, or_, select

from engine.core.log import Position
from engine.core.play import Plan
from engine.core.types import GM, Entry, Seat
from pbem.errors import Refused
from pbem.store.tables import ActRow, GameRow, LogRow, SeatRow, TablesRow

Status = Literal["open", "running", "paused", "over", "aborted", "branch", "discarded"]

GOING_ON: tuple[Status, ...] = ("open", "running", "paused")
ENDED: tuple[Status, ...] = ("over", "aborted")
"""Status of a game in which nothing is played any more."""
BRANCHES: tuple[Status, ...] = ("branch", "discarded")
"""
Status of a what-if, in which the game master tries things, and of one that was thrown away.

They are neither going on nor ended: no pass looks at them, and no list of games that are played holds them.
"""

Late = Literal["default", "bot", "wait"]
"""Where no answer comes in time: the rules' default is played, a bot answers, or the game waits."""

LATE: tuple[Late, ...] = get_args(Late)

Rewind = Literal["gm", "agree"]
"""Who decides on a rewind that the game master wants: he alone, or all who moved since must agree."""

REWIND: tuple[Rewind, ...] = get_args(Rewind)

SUBSTITUTE = "greedy"
"""The bot that answers for a person who is late, or gone."""


class Game(Struct, frozen=True):
    """
    One game without its seats.

    Shape:  `state` is the encoded position after entry `seq`; `link` the digest of the chain there; `paused_by` is
            "players" while the game stands still because they agreed on it; after so many `misses` in a row a bot
            stands in for a person, 0: never; `at_least` is the number of seats with which it may begin if its seats are
            for whoever comes, 0 where they are given; `branch_of` is the number of the game of which it is a what-if,
            0 of none; `undo_to` the entry to which the game master asks to take it back, -1 none, for `undo_reason`
    Units:  `hold` is a span; times are aware UTC
    """

    id: int
    ruleset: str
    rules: int
    seats: int
    options: tuple[tuple[str, str], ...]
    tables: str
    commitment: str
    seed: bytes
    status: Status
    clock: str
    created_at: datetime
    words: tuple[str, ...] = ()
    void: bool = False
    hold: timedelta = timedelta()
    state: bytes = b""
    seq: int = 0
    draws: int = 0
    numbers: tuple[tuple[Seat, int], ...] = ()
    closed: bool = False
    link: bytes = b""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    paused_at: datetime | None = None
    paused_by: str = ""
    next_due: datetime | None = None
    rematch: int = 0
    late: Late = "default"
    misses: int = 0
    at_least: int = 0
    branch_of: int = 0
    rewind: Rewind = "gm"
    undo_to: int = -1
    undo_reason: str = ""

    def __repr__(self) -> str:
        """Return the game's number; the seed shows nowhere."""
        return f"Game({self.id})"


class Holder(Struct, frozen=True):
    """
    A seat of a game, who holds it, its plan and its clock.

    `number`   of the decision whose clock runs, -1: none; `asked` of the decision last asked by mail
    `reminded`  how many reminders of the deadline have gone
    `bank`     time left beyond the free time of each decision
    `belated`  the answer that stands planned for that decision has cost time of the bank
    `note`     what the seat keeps for itself; nobody else reads it
    `wants_end`  agreed to end the game as it stands; `wants_pause`: to let it stand still
    `rematch`  "yes" or "no" to one more game, "" no answer
    `missed`   deadlines in a row; `overdue`: its time is up, and the game waits for it all the same
    `stand_in`  a bot answers for the person until he writes
    `away_until`  its clock stands still until then; `away_used`: absence in this game, that to come included
    """

    game: int
    seat: Seat
    name: str
    person: int | None = None
    bot: str = ""
    epoch: int = 0
    accepted: bool = False
    word: str = ""
    plan: Plan = ()
    held_until: datetime | None = None
    bank: timedelta = timedelta()
    number: int = -1
    put_at: datetime | None = None
    deadline: datetime | None = None
    reminded: int = 0
    belated: bool = False
    asked: int = -1
    extended: bool = False
    undo_to: int = -1
    unreachable: bool = False
    watch: str = "normal"
    acks: str = "all"
    note: str = ""
    reminders: bool = True
    wants_end: bool = False
    wants_pause: bool = False
    rematch: str = ""
    away_until: datetime | None = None
    away_used: timedelta = timedelta()
    missed: int = 0
    overdue: bool = False
    stand_in: bool = False

    @property
    def answered_by(self) -> str:
        """Return the bot that answers for this seat now, "" where a person is asked."""
        return self.bot or (SUBSTITUTE if self.stand_in else "")

    def begins(self, moment: datetime) -> datetime:
        """Return when a clock that is put at *moment* begins to run: not while the seat is away."""
        return moment if self.away_until is None else max(moment, self.away_until)


class Logged(Struct, frozen=True):
    """One entry as it is kept: what stands beside it is no part of the game."""

    entry: Entry
    link: bytes
    cause: str
    at: datetime
    key: str = ""
    occasion: int = 0
    number: int = -1
    letter: int | None = None


class Act(Struct, frozen=True):
    """Who did what besides the log."""

    who: str
    what: str
    fields: dict[str, Any]
    at: datetime
    game: int | None = None


def _game(row: GameRow) -> Game:
    assert row.id is not None
    return Game(
        id=row.id,
        ruleset=row.ruleset,
        rules=row.rules,
        seats=row.seats,
        options=msgspec.json.decode(row.options, type=tuple[tuple[str, str], ...]),
        tables=row.tables,
        commitment=row.commitment,
        seed=row.seed,
        words=msgspec.json.decode(row.words, type=tuple[str, ...]),
        status=row.status,  # type: ignore[arg-type]  # one of `Status`: only `save_game` writes it
        void=row.void,
        clock=row.clock,
        hold=timedelta(seconds=row.hold),
        state=row.state,
        seq=row.seq,
        draws=row.draws,
        numbers=tuple((Seat(seat), number) for seat, number in msgspec.json.decode(row.numbers)),
        closed=row.closed,
        link=row.link,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        paused_at=row.paused_at,
        paused_by=row.paused_by,
        next_due=row.next_due,
        rematch=row.rematch,
        late=row.late,  # type: ignore[arg-type]  # one of `Late`: only `save_game` writes it
        misses=row.misses,
        at_least=row.at_least,
        branch_of=row.branch_of,
        rewind=row.rewind,  # type: ignore[arg-type]  # one of `Rewind`: only `save_game` writes it
        undo_to=row.undo_to,
        undo_reason=row.undo_reason,
    )


def _values(value: Struct, **changed: object) -> dict[str, Any]:
    return {**{name: getattr(value, name) for name in value.__struct_fields__}, **changed}


def _game_columns(game: Game) -> dict[str, Any]:
    columns = _values(
        game,
        options=_json(game.options),
        words=_json(game.words),
        numbers=_json(game.numbers),
        hold=int(game.hold.total_seconds()),
    )
    del columns["id"]
    return columns


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def add_game(session: Session, game: Game) -> Game:
    """Return *game*, whose `id` is ignored, as it is stored."""
    row = GameRow(**_game_columns(game))
    session.add(row)
    session.flush()
    return _game(row)


def get_game(session: Session, number: int) -> Game:
    """
    Return the game with that *number*.

    Raises: Refused `game.unknown`.
    """
    row = session.get(GameRow, number)
    if row is None:
        raise Refused("game.unknown", game=number)
    return _game(row)


def list_games(session: Session, *statuses: Status) -> list[Game]:
    """Return all games, or those with one of *statuses*, in the order of their numbers."""
    query = select(GameRow).order_by(col(GameRow.id))
    if statuses:
        query = query.where(col(GameRow.status).in_(statuses))
    return [_game(row) for row in session.exec(query)]


def numbers_of(session: Session, *statuses: Status) -> list[int]:
    """Return the numbers of all games with one of *statuses*, in order."""
    query = select(GameRow.id).where(col(GameRow.status).in_(statuses)).order_by(col(GameRow.id))
    return [number for number in session.exec(query) if number is not None]


def has_games(session: Session, *statuses: Status) -> bool:
    """Return whether there is a game with one of *statuses*."""
    return session.exec(select(GameRow.id).where(col(GameRow.status).in_(statuses)).limit(1)).first() is not None


def rules_played(session: Session, *statuses: Status) -> list[tuple[str, int]]:
    """Return each title, with each number of rules, of which there are games with one of *statuses*."""
    query = select(GameRow.ruleset, GameRow.rules).where(col(GameRow.status).in_(statuses)).distinct()
    return sorted((title, rules) for title, rules in session.exec(query))


def due_games(session: Session, now: datetime) -> list[int]:
    """Return the numbers of open and running games whose next deadline, hold or reminder has come."""
    query = (
        select(GameRow.id)
        .where(col(GameRow.status).in_(("open", "running")), col(GameRow.next_due) <= now)
        .order_by(col(GameRow.id))
    )
    return [number for number in session.exec(query) if number is not None]


def asked_back(session: Session) -> list[int]:
    """Return the numbers of the games that the game master would like to take back, and asks for it."""
    query = select(GameRow.id).where(col(GameRow.undo_to) >= 0).order_by(col(GameRow.id))
    return [number for number in session.exec(query) if number is not None]


def save_game(session: Session, game: Game) -> None:
    """Store *game* over what is there."""
    row = session.get_one(GameRow, game.id)
    for name, value in _game_columns(game).items():
        if getattr(row, name) != value:
            setattr(row, name, value)
    session.add(row)


def with_position(game: Game, position: Position[Any], link: bytes) -> Game:
    """Return *game* standing at *position*."""
    return msgspec.structs.replace(
        game,
        state=msgspec.json.encode(position.state),
        seq=position.seq,
        draws=position.draws,
        numbers=position.numbers,
        closed=position.closed,
        link=link,
    )


def _holder(row: SeatRow) -> Holder:
    values = {name: getattr(row, name) for name in SeatRow.model_fields}
    values["game"], values["person"] = values.pop("game_id"), values.pop("person_id")
    values["seat"] = Seat(row.seat)
    values["plan"] = msgspec.json.decode(row.plan, type=Plan)
    values["bank"] = timedelta(seconds=row.bank)
    values["away_used"] = timedelta(seconds=row.away_used)
    return Holder(**values)


def _holder_columns(holder: Holder) -> dict[str, Any]:
    spans = {name: int(getattr(holder, name).total_seconds()) for name in ("bank", "away_used")}
    columns = _values(holder, plan=_json(holder.plan), **spans)
    columns["game_id"], columns["person_id"] = columns.pop("game"), columns.pop("person")
    return columns


def add_holder(session: Session, holder: Holder) -> None:
    """Store a new seat."""
    session.add(SeatRow(**_holder_columns(holder)))
    session.flush()


def get_holders(session: Session, game: int) -> tuple[Holder, ...]:
    """Return the seats of *game* in order."""
    query = select(SeatRow).where(SeatRow.game_id == game).order_by(col(SeatRow.seat))
    return tuple(_holder(row) for row in session.exec(query))


def get_holder(session: Session, game: int, seat: Seat) -> Holder | None:
    """Return who holds that seat; None where the game has no such seat."""
    row = session.get(SeatRow, (game, seat))
    return None if row is None else _holder(row)


def remove_seat(session: Session, game: int, seat: Seat) -> None:
    """Take a seat out of a game that has not begun."""
    session.delete(session.get_one(SeatRow, (game, seat)))
    session.flush()


def save_holder(session: Session, holder: Holder) -> None:
    """Store *holder* over what is there."""
    row = session.get_one(SeatRow, (holder.game, holder.seat))
    for name, value in _holder_columns(holder).items():
        if getattr(row, name) != value:
            setattr(row, name, value)
    session.add(row)


def seats_of_person(session: Session, person: int) -> list[tuple[int, Seat]]:
    """Return game and seat of every seat that *person* holds in games that are not over, newest game first."""
    query = (
        select(SeatRow.game_id, SeatRow.seat)
        .join(GameRow, col(GameRow.id) == col(SeatRow.game_id))
        .where(SeatRow.person_id == person, col(GameRow.status).in_(GOING_ON))
        .order_by(col(SeatRow.game_id).desc())
    )
    return [(game, Seat(seat)) for game, seat in session.exec(query)]


def append_log(session: Session, game: int, entries: Iterable[Logged]) -> None:
    """Add *entries* to the log of *game*."""
    for one in entries:
        session.add(
            LogRow(
                game_id=game,
                seq=one.entry.seq,
                seat=one.entry.seat,
                text=one.entry.text,
                link=one.link,
                cause=one.cause,
                key=one.key,
                occasion=one.occasion,
                number=one.number,
                letter_id=one.letter,
                at=one.at,
            )
        )
    session.flush()


def read_log(session: Session, game: int) -> list[Logged]:
    """Return the log of *game*."""
    query = select(LogRow).where(LogRow.game_id == game).order_by(col(LogRow.seq))
    return [
        Logged(
            Entry(row.seq, Seat(row.seat), row.text),
            row.link,
            row.cause,
            row.at,
            row.key,
            row.occasion,
            row.number,
            row.letter_id,
        )
        for row in session.exec(query)
    ]


def has_answered(session: Session, game: int, seat: Seat, key: str, occasion: int, since: int) -> bool:
    """Return whether *seat* made an entry for that decision after entry *since*; occasion 0: any."""
    query = select(func.count()).where(
        LogRow.game_id == game, LogRow.seat == seat, LogRow.key == key, col(LogRow.seq) > since
    )
    if occasion:
        query = query.where(LogRow.occasion == occasion)
    return session.exec(query).one() > 0


def has_played(session: Session, game: int, seat: Seat) -> bool:
    """Return whether *seat* ever made an entry of its own will."""
    query = select(func.count()).where(LogRow.game_id == game, LogRow.seat == seat, LogRow.cause == "line")
    return session.exec(query).one() > 0


def was_rewound(session: Session, game: int, since: int) -> bool:
    """Return whether the game master took the game back, or set its position, after entry *since*."""
    set_anew = or_(col(LogRow.text).like("rewind %"), col(LogRow.text).like("amend %"))
    query = select(func.count()).where(LogRow.game_id == game, LogRow.seat == GM, set_anew, col(LogRow.seq) > since)
    return session.exec(query).one() > 0


def keep_tables(session: Session, digest: str, ruleset: str, text: str) -> None:
    """Keep component tables, once."""
    if session.get(TablesRow, digest) is None:
        session.add(TablesRow(digest=digest, ruleset=ruleset, text=text))
        session.flush()


def get_tables(session: Session, digest: str) -> str:
    """Return the text of the tables with that *digest*."""
    return session.get_one(TablesRow, digest).text


def add_act(session: Session, act: Act) -> None:
    """Put *act* on record."""
    session.add(ActRow(game_id=act.game, who=act.who, what=act.what, fields=_json(act.fields), at=act.at))
    session.flush()


def list_acts(session: Session, game: int | None = None) -> Sequence[Act]:
    """Return the acts on record, of one game or all, in their order."""
    query = select(ActRow).order_by(col(ActRow.id))
    if game is not None:
        query = query.where(ActRow.game_id == game)
    return [Act(row.who, row.what, msgspec.json.decode(row.fields), row.at, row.game_id) for row in session.exec(query)]


def acts_between(session: Session, since: datetime, until: datetime) -> Sequence[Act]:
    """Return the acts that were put on record after *since*, up to *until*, in their order."""
    query = select(ActRow).where(col(ActRow.at) > since, col(ActRow.at) <= until).order_by(col(ActRow.id))
    return [Act(row.who, row.what, msgspec.json.decode(row.fields), row.at, row.game_id) for row in session.exec(query)]
