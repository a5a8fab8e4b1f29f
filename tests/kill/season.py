"""
A season: several games in one installation, and players who read what was sent to them and answer by mail.

They always answer in the same way. What happens besides stands in `script.py`.
"""

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP

from msgspec import Struct

from pbem.demo.bots import choices
from pbem.mail.letter import Letter, read_letter
from pbem.opening import GameOffer, SeatOffer
from tests.kill.world import Weather

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
OUR = "pbem@kill.test"

HOUR = timedelta(hours=1)
MOST_LETTERS = 2
"""So many letters lie in the mailbox at most if the script adds none: a pass is short, and deaths in it are cheap."""

_STAKES = ("stake", "apostar")


class Player(Struct, frozen=True):
    """Somebody at one of the tables; the place decides how he answers."""

    name: str
    language: str
    place: int

    @property
    def address(self) -> str:
        """Return his address."""
        return f"{self.name.lower()}@players.test"


ANA, BOB, CARLA, DAVI, EVA, FIL, GIL = PLAYERS = tuple(
    Player(name, language, place)
    for place, (name, language) in enumerate(
        [("Ana", "pt"), ("Bob", "en"), ("Carla", "pt"), ("Davi", "en"), ("Eva", "en"), ("Fil", "pt"), ("Gil", "en")]
    )
)
BIA = Player("Bia", "pt", 7)


class Table(Struct, frozen=True):
    """A game of the season: who sits there, bots of the service included, and its clock."""

    title: str
    seats: tuple[Player | str, ...]
    clock: str = "24h + 10d"
    hold: timedelta = timedelta()
    start: bool = True

    def offer(self, seed: bytes) -> GameOffer:
        """Return what the game is opened with."""
        seats = tuple(
            SeatOffer("Robot", bot=one)
            if isinstance(one, str)
            else SeatOffer(one.name, one.address, one.language, "UTC")
            for one in self.seats
        )
        return GameOffer(self.title, seats, clock=self.clock, hold=self.hold, seed=seed)


TABLES: Mapping[str, Table] = {
    "robot": Table("village", ("greedy", ANA, BOB)),
    "village": Table("village", (CARLA, DAVI), hold=timedelta(minutes=30)),
    "bids": Table("bids", (EVA, FIL, GIL), clock="24h", start=False),
}
"""The games of a season by name, in the order of their numbers."""


class Step(Struct, frozen=True):
    """
    One process of the season: a pass, or a command of the game master.

    `letters`  what has arrived before it; `renumbered` tells that the mailbox has new numbers
    `born`     the installation has neither key nor store yet
    `tried`    there is trouble in it; else it only lets time pass
    """

    words: tuple[str, ...]
    now: datetime
    letters: tuple[bytes, ...] = ()
    weather: Weather = Weather()
    renumbered: bool = False
    scene: str = ""
    born: bool = False
    tried: bool = True


Write = Callable[["Season"], list[bytes]]
"""Gives what somebody writes."""


class Scene(Struct, frozen=True):
    """
    What happens at one pass besides the answers of those who are not `silent`.

    `later`  since the pass before; if it is hours, there is one every hour in between, unless nobody is `at_work`
    """

    about: str
    later: timedelta = timedelta(minutes=20)
    acts: tuple[tuple[str, ...], ...] = ()
    letters: tuple[Write, ...] = ()
    silent: tuple[Player, ...] = ()
    weather: Weather = Weather()
    renumbered: bool = False
    at_work: bool = True


class Season:
    """The players' side of a season: `steps` gives one step after the other; between two, `read` what was sent."""

    def __init__(self, tables: tuple[str, ...], number: int, script: Sequence[Scene]) -> None:
        self.script = script
        self.tables = tables
        self.number = number
        self.now = START
        self.mails: dict[str, list[Letter]] = {one.address: [] for one in (*PLAYERS, BIA)}
        self.unread: list[tuple[str, Letter]] = []
        self.asked: dict[str, int] = {}
        self.seen: set[str] = set()
        self.written = 0
        self.old: dict[str, bytes] = {}

    def game(self, name: str) -> int:
        """Return the number of the game *name*, 0 if it is not played."""
        return self.tables.index(name) + 1 if name in self.tables else 0

    def has(self, player: Player) -> bool:
        """Return whether *player* sits at a table of this season."""
        return any(player in TABLES[name].seats for name in self.tables)

    def read(self, taken: list[tuple[str, bytes]]) -> None:
        """Let the players have what was sent to them; what comes twice is read once."""
        for address, raw in taken:
            mail = read_letter(raw)
            if address in self.mails and mail.message_id not in self.seen:
                self.seen.add(mail.message_id)
                self.mails[address].append(mail)
                if choices(mail):
                    self.unread.append((address, mail))

    def steps(self, ticks: int) -> Iterator[Step]:
        """Yield the steps of *ticks* passes; what happens after the script are answers only."""
        for number in range(ticks):
            scene = self.script[number] if number < len(self.script) else Scene("")
            until = self.now + scene.later
            while scene.at_work and until - self.now > HOUR:
                self.now += HOUR
                yield Step(("tick",), self.now, tried=False)
            self.now = until
            for name, *words in scene.acts:
                if game := self.game(name):
                    yield Step(("gm", words[0], str(game), *words[1:]), self.now, scene=f"the game master: {words[0]}")
            letters = [raw for write in scene.letters for raw in write(self)]
            letters += self.answers({one.address for one in scene.silent}, MOST_LETTERS - len(letters))
            yield Step(("tick",), self.now, tuple(letters), scene.weather, scene.renumbered, scene.about or "answers")

    def answers(self, silent: Collection[str], most: int) -> list[bytes]:
        """Return answers to the *most* oldest questions; of two in one game only the last counts."""
        last = {(address, mail.header("X-PBEM-Game")): mail for address, mail in self.unread}
        waiting = [(address, mail) for (address, _), mail in last.items() if address not in silent]
        answered = sorted(waiting, key=self.unread.index)[: max(0, most)]
        done = {(address, mail.header("X-PBEM-Game")) for address, mail in answered}
        self.unread = [one for one in self.unread if (one[0], one[1].header("X-PBEM-Game")) not in done]
        return [self.answer(address, mail) for address, mail in answered]

    def answer(self, address: str, mail: Letter) -> bytes:
        """Return a reply to *mail* that takes one of its choices, as the place of the player wants it."""
        game, decision = mail.header("X-PBEM-Game"), mail.header("X-PBEM-Decision")
        again = self.asked[f"{address} {game} {decision}"] = self.asked.get(f"{address} {game} {decision}", 0) + 1
        place = next(one.place for one in (*PLAYERS, BIA) if one.address == address)
        number, text = random.Random(f"{self.number} {place} {game} {decision} {again}").choice(choices(mail))
        if text.startswith(_STAKES):
            return self.reply(address, mail, f"{text}: bid {place % 3}")
        in_words = place % 2 and mail.header("X-PBEM-Kind") != "refusal"
        return self.reply(address, mail, text if in_words else str(number))

    def reply(self, address: str, mail: Letter, text: str) -> bytes:
        """Return a letter with *text* above the quoted *mail*."""
        quoted = "\n".join(f"> {line.text}" for line in mail.lines)
        return self.letter(
            address,
            f"{text}\n\nOn some day the game wrote:\n{quoted}\n",
            {
                "To": mail.reply_to.address or OUR,
                "Subject": f"Re: {mail.subject}",
                "In-Reply-To": mail.message_id,
                "References": mail.message_id,
            },
        )

    def letter(self, address: str, body: str, headers: Mapping[str, str] | None = None) -> bytes:
        """Return a letter with a Message-ID of its own."""
        self.written += 1
        letter = EmailMessage(policy=SMTP)
        values = {"From": address, "To": OUR, "Subject": "hello", "Message-ID": f"<letter{self.written}@players.test>"}
        for name, value in (values | dict(headers or {})).items():
            letter[name] = value
        letter.set_content(body)
        return letter.as_bytes()

    def newest(self, player: Player, *kinds: str) -> Letter | None:
        """Return the newest mail that *player* got, of one of *kinds* if there are any."""
        mails = [one for one in self.mails[player.address] if not kinds or one.header("X-PBEM-Kind") in kinds]
        return mails[-1] if mails else None
