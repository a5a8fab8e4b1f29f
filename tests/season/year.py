"""
The season itself: an installation of the service, its people, and a game master who looks at it once a day.

Time goes in steps of five minutes. A pass runs, as cron would start it, in each step in which a letter has come, and
every half hour. In between nothing happens, so nobody waits for it.
"""

import heapq
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count, cycle
from pathlib import Path

from msgspec import Struct

from engine.core.dice import demo_seed
from engine.core.types import Seat
from pbem.advance import ended
from pbem.errors import Refused
from pbem.live import take_up
from pbem.mail.letter import Letter, read_letter
from pbem.moderation import replace_holder
from pbem.opening import GameOffer, SeatOffer, bot_offer, open_game, open_seats
from pbem.overview import look_over
from pbem.service import Service, open_service
from pbem.settings import load_settings
from pbem.starting import start_as_it_stands
from pbem.store.games import Late
from pbem.store.upgrade import upgrade_store
from pbem.tick import PARTS, run_pass
from tests.season.habits import ZONES, habit_of
from tests.season.people import Person, Written
from tests.season.tally import Tally
from tests.season.town import OUR, Town, town
from tests.season.wall import WALLS, Wall

FIRST = datetime(2026, 10, 1, tzinfo=UTC)
"""From here half a year has both changes of daylight saving time, in the north and in the south."""

STEP = timedelta(minutes=5)
ALWAYS = timedelta(minutes=30)
"""A pass runs at least so often."""

OPENING = 8
"""In this part of the season all games are opened."""

PATIENCE = timedelta(days=3)
"""So long the game master lets a game wait for somebody whose time is up, where it waits for ever by itself."""

LOBBY = timedelta(days=7)
"""After so long he fills an open game with bots."""

TITLES = (
    ("village", 2), ("my_village", 3), ("tiny_towns", 4), ("village", 3), ("my_village", 2), ("tiny_towns", 2),
    ("village", 4), ("my_village", 4), ("tiny_towns", 6), ("tiny_towns", 3), ("village", 3), ("tiny_towns", 1),
)  # fmt: skip
"""Title and seats of the games, one after the other."""

LATE: tuple[Late, ...] = ("default", "default", "bot", "default", "wait")

SETTINGS = """
[mail]
address = "{our}"
name = "Season"
plus = "yes"
pictures = "none"
[gm]
address = "gm@season.test"
digest = "08:00"
[imap]
host = "127.0.0.1"
port = {imap}
tls = "none"
user = "{our}"
password = "any"
[smtp]
host = "127.0.0.1"
port = {smtp}
tls = "none"
[play]
hold = "10 minutes"
resign = "bench"
"""


class Plan(Struct, frozen=True):
    """How big the season is, and the number that all chance in it follows from."""

    games: int
    people: int
    days: int
    number: int


class Year:
    """One season: `run` lets it pass; `tally` knows what happened."""

    def __init__(self, plan: Plan, service: Service, servers: Town, post: dict[str, Person]) -> None:
        self.plan, self.service, self.servers, self.post = plan, service, servers, post
        self.people = list(post.values())
        self.chance = random.Random(f"season {plan.number}")
        self.now = FIRST
        self.stopped = False
        self.tally = Tally(service, FIRST)
        self.walls: dict[int, Wall] = {}
        self.queue: list[tuple[datetime, int, Callable[[datetime], None]]] = []
        self._order = count()
        self._turns = iter(cycle(self.chance.sample(self.people, len(self.people))))

    def at(self, when: datetime, what: Callable[[datetime], None]) -> None:
        """Let *what* happen at *when*."""
        heapq.heappush(self.queue, (when, next(self._order), what))

    def run(self, tell: Callable[["Year"], None] | None = None) -> Tally:
        """Return what happened in the season; *tell* is called once a day."""
        end = FIRST + timedelta(days=self.plan.days)
        for number in range(self.plan.games):
            self.at(FIRST + (end - FIRST) / OPENING * number / self.plan.games, partial(self.open, number))
        for day in range(self.plan.days):
            self.at(FIRST + timedelta(days=day), self.begin_day)
            self.at(FIRST + timedelta(days=day, hours=20), self.look)
        last = FIRST
        while self.now < end and not self.stopped:
            self.now += STEP
            before = self.tally.letters
            while self.queue and self.queue[0][0] <= self.now:
                when, _, what = heapq.heappop(self.queue)
                what(when)
            if self.tally.letters > before or self.now - last >= ALWAYS:
                last = self.now
                self.tick()
            if tell is not None and self.now.time() == FIRST.time():
                tell(self)
        self.tally.finish(self.now)
        return self.tally

    def tick(self) -> None:
        """Run one pass, and look at what it did."""
        self.tally.before_pass()
        run_pass(self.service, PARTS, lambda: self.now)
        self.tally.after_pass(self.now, self.walls)

    def begin_day(self, when: datetime) -> None:
        """Plan at which times of this day people read their mail."""
        for person in self.people:
            for look in person.looks(when.date()):
                if look >= when:
                    self.at(look, partial(self.read, person))

    def open(self, number: int, when: datetime) -> None:
        """Open a game: two of five for whoever comes, the others for persons who are invited."""
        title, seats = TITLES[number % len(TITLES)]
        wall, open_to_all = WALLS[number % len(WALLS)], number % 5 in (1, 3) and seats > 1
        found = self._company(seats)
        offers = tuple(SeatOffer(one.name, one.address, one.language, one.zone) for one in found)
        offer = GameOffer(
            title,
            () if open_to_all else offers,
            clock=wall.text,
            hold=timedelta(minutes=10),
            seed=demo_seed(self.plan.number * 1000 + number),
            late=LATE[number % len(LATE)],
            misses=3,
        )
        if open_to_all:
            offer = open_seats(offer, seats, 0, LOBBY)
        with self.service.store.write() as session:
            game = open_game(session, offer, when).game.id
        self.walls[game] = wall
        for place, one in enumerate(found if open_to_all else []):
            self.at(when + timedelta(hours=5 + 17 * place), partial(self.join, one, game))

    def _company(self, seats: int) -> list[Person]:
        found: list[Person] = []
        while len(found) < seats:
            one = next(self._turns)
            if one not in found:
                found.append(one)
        return found

    def join(self, person: Person, game: int, now: datetime) -> None:
        """Let *person* ask for a seat of an open game."""
        self.send(person.joins(game), now)

    def read(self, person: Person, now: datetime) -> None:
        """Let *person* read his mail and answer it, unless he is not there."""
        if person.is_gone(now):
            if person.dies:
                self.servers.server.dead.add(person.address)
        elif person.is_away(now):
            self._answer_by_robot(person, now)
        else:
            for written in (*person.reads(), *person.wishes(), *person.leaves(now)):
                self.send(written, now)
            if person.is_hostile and person.chance.randrange(10) == 0:
                for written in person.mischief(self.people):
                    self.send(written, now, honest=False)
            for game, mail in list(person.asking.items()):
                self._play(person, game, mail, now)

    def _answer_by_robot(self, person: Person, now: datetime) -> None:
        for mail in list(person.inbox) if person.has_robot else []:
            if mail.message_id not in person.answered_by_robot:
                person.answered_by_robot.add(mail.message_id)
                self.send(person.robot(mail), now)

    def _play(self, person: Person, game: int, mail: Letter, now: datetime) -> None:
        with self.service.store.read() as session:
            live = take_up(session, game)
        seat = int(mail.header("X-PBEM-Seat"))
        if ended(live.game) or seat >= len(live.holders) or live.holders[seat].name != person.name:
            del person.asking[game]
            return
        for written in person.plays(mail, live, Seat(seat)):
            self.send(written, now)

    def send(self, written: Written, now: datetime, *, honest: bool = True) -> None:
        """Send a letter that arrives now."""
        self.tally.wrote(written, now, honest=honest)
        self.servers.post(written.sender, OUR, written.raw, now)

    def look(self, now: datetime) -> None:
        """Let the game master look at everything, and do what only he can do."""
        with self.service.store.read() as session:
            seen = look_over(self.service, session, now)
        for line in seen.games:
            number = line.game.game
            if line.game.status == "open" and now - line.game.created_at > LOBBY:
                self._act(number, self._fill)
            for one in line.waits:
                if line.game.status == "running" and one.deadline is not None and now - one.deadline > PATIENCE:
                    self._act(number, partial(self._replace, one.seat))

    def _act(self, game: int, act: Callable[[int, datetime], None]) -> None:
        try:
            act(game, self.now)
        except Refused as error:
            self.tally.refused_acts.append((game, error.key))

    def _fill(self, game: int, now: datetime) -> None:
        with self.service.store.write() as session:
            live = take_up(session, game)
            for one in live.holders:
                if not one.accepted and one.person is not None:
                    live = replace_holder(session, live, one.seat, bot_offer("greedy"), "", now)
            if live.game.status == "open":
                start_as_it_stands(session, live, "greedy", now)

    def _replace(self, seat: Seat, game: int, now: datetime) -> None:
        with self.service.store.write() as session:
            replace_holder(session, take_up(session, game), seat, bot_offer("greedy"), "too long", now)


@contextmanager
def season(folder: Path, plan: Plan) -> Iterator[Year]:
    """Set up a season in *folder*, whose servers run until the context ends."""
    people: dict[str, Person] = {}
    for place in range(plan.people):
        language = "pt" if place % 3 == 0 else "en"
        one = Person(place, habit_of(place, plan.people), language, ZONES[place % len(ZONES)], plan.number)
        one.plan_absences(FIRST.date(), plan.days)
        people[one.address] = one
    years: list[Year] = []

    def deliver(address: str, raw: bytes) -> None:
        """Let a mail of ours arrive: the person reads it at his next look."""
        year = years[0]
        mail, person = read_letter(raw), people.get(address)
        year.tally.told(person, mail, len(raw), year.now)
        if person is not None:
            person.inbox.append(mail)

    with town(folder / "server", FIRST, deliver) as servers:
        text = SETTINGS.format(our=OUR, smtp=servers.smtp_port, imap=servers.imap_port)
        (folder / "pbem.toml").write_text(text)
        service = open_service(load_settings(folder / "pbem.toml", {}))
        upgrade_store(service.store)
        years.append(Year(plan, service, servers, people))
        try:
            yield years[0]
        finally:
            service.store.close()
