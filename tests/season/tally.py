"""What happened in a season: told from the store and the mails, with the laws that are checked after each pass."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from engine.core.errors import EngineError
from pbem.live import take_up
from pbem.mail.letter import Letter
from pbem.report import verify_game
from pbem.service import Service
from pbem.store.base import sqlite_path
from tests.season.people import Person, Written
from tests.season.wall import Wall

MOST_TOLD = 3
"""Mails a day that nobody asked for and that ask nothing new."""

_WITHIN = timedelta(minutes=31)
"""A default is played so soon after its deadline: passes are half an hour apart where no letter comes."""

_ANSWERED = timedelta(hours=26)
"""A letter is answered so soon, also where mail goes once a day."""

HONEST = ("order", "answer", "habit")


class Sent(Struct, frozen=True):
    """A letter of a person, and when it came."""

    written: Written
    when: datetime
    honest: bool


class Game(Struct, frozen=True):
    """How one game went. `acts` are those of the game master after it was opened."""

    number: int
    title: str
    seats: int
    status: str
    days: float
    entries: int
    moves: int
    mails: int
    acts: int


class Tally:
    """Everything that was counted, and every fault that was found."""

    def __init__(self, service: Service, first: datetime) -> None:
        self.service, self.first = service, first
        path = sqlite_path(service.store.url)
        assert path is not None
        self._base = sqlite3.connect(path, isolation_level=None)
        self.letters = self.mails = self.passes = self.clocks = self.bytes = 0
        self.written: dict[str, Sent] = {}
        self.kinds: Counter[str] = Counter()
        self.days: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        self.wrong: list[str] = []
        self.lost: list[str] = []
        self.refused_acts: list[tuple[int, str]] = []
        self.games: list[Game] = []
        self.defaults = 0
        self.statuses: Counter[tuple[str, str, str]] = Counter()
        self._wrote: set[str] = set()
        self._asked: set[tuple[str, str, str]] = set()
        self._seen: set[tuple[Any, ...]] = set()
        self._due: dict[tuple[int, int], tuple[int, datetime]] = {}
        self._told_at: dict[str, list[datetime]] = defaultdict(list)
        self._last = 0
        self._shown: list[tuple[Person, Letter]] = []

    def wrote(self, written: Written, now: datetime, *, honest: bool) -> None:
        """Note a letter on its way to us."""
        self.letters += 1
        self.kinds[written.kind] += 1
        self._wrote.add(written.sender)
        if written.kind != "again":
            self.written[written.message_id] = Sent(written, now, honest)

    def told(self, person: Person | None, mail: Letter, size: int, now: datetime) -> None:
        """Note a mail of ours: an answer, a question that is new, or what nobody asked for."""
        self.mails += 1
        self.bytes += size
        if person is None:
            return
        self._told_at[person.address].append(now)
        question = (person.address, mail.header("X-PBEM-Game"), mail.header("X-PBEM-Decision"))
        is_new = bool(question[2]) and question not in self._asked
        self._asked.add(question)
        what = "answers" if person.address in self._wrote else "questions" if is_new else "news"
        day = now.astimezone(ZoneInfo(person.zone)).date().isoformat()
        self.days[person.address][day, what] += 1
        if question[2] and mail.header("X-PBEM-Kind") in ("report", "reminder"):
            self._shown.append((person, mail))

    def before_pass(self) -> None:
        """Remember until when answers are awaited, and how long the log is."""
        rows = self._base.execute("SELECT game_id, seat, number, deadline FROM seats WHERE deadline IS NOT NULL")
        self._due = {(game, seat): (number, _moment(deadline)) for game, seat, number, deadline in rows}
        (self._last,) = self._base.execute("SELECT COALESCE(MAX(rowid), 0) FROM log").fetchone()

    def after_pass(self, now: datetime, walls: Mapping[int, Wall]) -> None:
        """Check every clock that was put, every default that was played, and what mails say of deadlines."""
        self.passes += 1
        self._check_clocks(walls)
        self._check_defaults(now)
        self._check_mails(now)
        self._wrote.clear()

    def _check_clocks(self, walls: Mapping[int, Wall]) -> None:
        for row in self._base.execute(
            "SELECT game_id, seat, number, put_at, deadline, bank FROM seats WHERE deadline IS NOT NULL"
        ).fetchall():
            if row in self._seen:
                continue
            self._seen.add(row)
            game, seat, number, put_at, deadline, bank = row
            self.clocks += 1
            wall = walls[game]
            worked = wall.worked(_moment(put_at), _moment(deadline))
            if worked != wall.free + timedelta(seconds=bank):
                text = f"game {game}, seat {seat}, decision {number}: {put_at} to {deadline} is {worked}, bank {bank}"
                self.wrong.append(text)

    def _check_defaults(self, now: datetime) -> None:
        query = "SELECT game_id, seat, number, seq FROM log WHERE cause = 'default' AND rowid > ?"
        for game, seat, number, seq in self._base.execute(query, (self._last,)).fetchall():
            before, deadline = self._due.get((game, seat), (-1, now))
            self.defaults += 1
            if before == number and not deadline <= now <= deadline + _WITHIN:
                self.wrong.append(f"game {game}, seat {seat}, entry {seq}: default at {now}, deadline {deadline}")

    def _check_mails(self, now: datetime) -> None:
        """Check that each mail tells the deadline by the clock of its reader, if it still asks the same."""
        for person, mail in self._shown:
            game, seat = int(mail.header("X-PBEM-Game")), int(mail.header("X-PBEM-Seat"))
            found = self._base.execute(
                "SELECT number, deadline FROM seats WHERE game_id = ? AND seat = ?", (game, seat)
            ).fetchone()
            if found is None or found[1] is None or str(found[0]) != mail.header("X-PBEM-Decision"):
                continue
            here = _moment(found[1]).astimezone(ZoneInfo(self._zone(person)))
            text = "\n".join(line.text for line in mail.lines)
            if not any(form in text for form in (f"{here:%H:%M}", f"{here:%Hh%M}")):
                self.wrong.append(f"game {game}, seat {seat}, {now}: the mail does not say {here}")
        self._shown.clear()

    def _zone(self, person: Person) -> str:
        """Return where we believe him to live: who came of his own accord says so only after the first mail."""
        query = "SELECT zone FROM people JOIN addresses ON person_id = people.id WHERE address = ?"
        (zone,) = self._base.execute(query, (person.address,)).fetchone()
        return str(zone)

    def finish(self, end: datetime) -> None:
        """Count what the store holds at the end: games, letters, acts."""
        self.games, self.lost = [], []
        self._count_games(end)
        self._find_lost(end)

    def _count_games(self, end: datetime) -> None:
        acts = dict(
            self._base.execute(
                "SELECT game_id, COUNT(*) FROM acts WHERE who = 'gm' AND game_id IS NOT NULL GROUP BY game_id"
            ).fetchall()
        )
        query = (
            "SELECT id, ruleset, seats, status, created_at, started_at, ended_at,"
            " (SELECT COUNT(*) FROM log WHERE game_id = games.id),"
            " (SELECT COUNT(*) FROM log WHERE game_id = games.id AND seat >= 0),"
            " (SELECT COUNT(*) FROM outbox WHERE game_id = games.id AND seat <> -2) FROM games"
        )
        for number, title, seats, status, _, started, ended, entries, moves, mails in self._base.execute(query):
            last = end if ended is None else _moment(ended)
            days = (last - _moment(started)) / timedelta(days=1) if started else 0.0
            self.games.append(Game(number, title, seats, status, days, entries, moves, mails, acts.get(number, 0)))
        with self.service.store.read() as session:
            for one in self.games:
                live = take_up(session, one.number)
                try:
                    assert not live.begun or verify_game(session, live)["verified"]
                except EngineError as error:
                    self.wrong.append(f"game {one.number} is not what its log says: {error}")

    def _find_lost(self, end: datetime) -> None:
        rows = self._base.execute("SELECT message_id, status, reason, answered FROM letters").fetchall()
        found = {message: (status, reason, bool(answered)) for message, status, reason, answered in rows}
        for message, sent in self.written.items():
            status, reason, answered = found.get(message, ("nowhere", "", False))
            self.statuses[sent.written.kind, status, reason] += 1
            if not sent.honest or sent.written.kind not in HONEST:
                continue
            reached = any(sent.when <= moment <= sent.when + _ANSWERED for moment in self._told_at[sent.written.sender])
            if status != "done" or not (answered or reached or end - sent.when < _ANSWERED):
                self.lost.append(f"{message} ({sent.written.kind}, {sent.when}): {status} {reason}")

    def most_told(self, *kinds: str) -> tuple[int, int]:
        """Return the most mails of these *kinds* that somebody had on one day, and on how many days it was over 3."""
        totals = [
            sum(number for (one, kind), number in days.items() if one == day and (not kinds or kind in kinds))
            for days in self.days.values()
            for day in {one for one, _ in days}
        ]
        return max(totals, default=0), sum(one > MOST_TOLD for one in totals)


def report(tally: Tally, days: int) -> str:
    """Return the table of a season."""
    played = tally.games
    over = [one for one in played if one.status == "over"]
    acts = sum(one.acts for one in played)
    most_news, many_news = tally.most_told("news")
    most, many = tally.most_told()
    most_acts = max((one.acts for one in played), default=0)
    entries = sum(one.entries for one in played)
    share = len(over) / max(1, len(played))
    lines = [
        f"games                {len(played)}, over {len(over)} ({share:.1%}), entries {entries}",
        f"days                 {days}; passes {tally.passes}; letters {tally.letters}; mails {tally.mails}",
        f"acts of the GM       {acts} ({acts / max(1, len(played)):.2f} a game; most in one game {most_acts})",
        f"orders lost          {len(tally.lost)} of {sum(tally.kinds[kind] for kind in HONEST)} honest letters",
        f"wrong clocks         {len(tally.wrong)} of {tally.clocks} put; {tally.defaults} moves played at a deadline",
        f"mails a day, unasked most {most_news}; days with over {MOST_TOLD}: {many_news}",
        f"mails a day, all     most {most}; days with over {MOST_TOLD}: {many}",
        "title        seats  games  over  days (median, most)  moves  mails a move",
    ]
    lines += [_line(one) for one in _groups(played)]
    return "\n".join(lines)


def _groups(played: Sequence[Game]) -> list[list[Game]]:
    keys = sorted({(one.title, one.seats) for one in played})
    return [[one for one in played if (one.title, one.seats) == key] for key in keys]


def _line(group: Sequence[Game]) -> str:
    over = [one for one in group if one.status == "over"]
    days = sorted(one.days for one in over) or [0.0]
    moves = sum(one.moves for one in group)
    a_move = sum(one.mails for one in group) / max(1, moves)
    return (
        f"{group[0].title:13}{group[0].seats:5}{len(group):7}{len(over):6}  {median(days):8.0f} {days[-1]:8.0f}"
        f"{moves / len(group):11.0f}{a_move:14.2f}"
    )


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
