"""
Somebody who plays by mail: what he reads, when, and what he writes.

A person knows what stands in his mails; which move to make he asks a greedy bot that sees the position, so that turns
are sensible and whole. He writes each in the way of his habit.
"""

import random
from collections import deque
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from engine.core.types import Seat
from pbem.demo.bots import choices
from pbem.live import Live
from pbem.mail.letter import Letter
from tests.pbem.waits import asked, letter
from tests.season.habits import AWAY, FAST, GONE, HOSTILE, SLOPPY, SLOW, Habit
from tests.season.town import OUR

Kind = Literal["order", "answer", "habit", "hostile", "robot", "again"]
"""What a letter is counted as: an order, yes or no to a question, a command, mischief, a robot's, a second copy."""


class Written(Struct, frozen=True):
    """A letter on its way: who it seems to come from, and what it is counted as."""

    sender: str
    raw: bytes
    message_id: str
    kind: Kind
    game: int = 0


class Person:
    """One person of the season; *number* says everything about him but his habit."""

    def __init__(self, number: int, habit: Habit, language: str, zone: str, season: int) -> None:
        self.number, self.habit, self.language, self.zone = number, habit, language, zone
        self.name = f"{_NAMES[number % len(_NAMES)]} {number}"
        self.address = f"p{number}@{'gone' if habit is GONE else 'people'}.test"
        self.chance = random.Random(f"{season} {number}")
        self.inbox: deque[Letter] = deque()
        self.asking: dict[int, Letter] = {}  # game -> the mail that asks him
        self.newest: dict[int, Letter] = {}
        self.absent: list[tuple[date, date]] = []
        self.announced = 0
        self.gone_from: date | None = None
        self.written = 0
        self.told_wishes = False
        self.joined = False  # of his own accord, so that nobody has said where he lives
        self.answered_by_robot: set[str] = set()
        self.offered: set[int] = set()
        self.unproved = False  # he has written without a tag, and may be asked whether it was he

    def plan_absences(self, first: date, days: int) -> None:
        """Decide when he is not there."""
        if self.habit is AWAY:
            for part in range(2):
                begin = first + timedelta(self.chance.randrange(part * days // 2, (part + 1) * days // 2))
                self.absent.append((begin, begin + timedelta(self.chance.randrange(5, 13))))
        if self.habit is GONE:
            never = self.chance.random() < 1 / 3
            self.gone_from = first + timedelta(0 if never else self.chance.randrange(days // 8, days))

    @property
    def dies(self) -> bool:
        """Return whether his address dies with his interest."""
        return self.habit is GONE and self.number % 3 == 0

    @property
    def has_robot(self) -> bool:
        """Return whether a robot answers while he is away."""
        return self.habit is AWAY and self.number % 3 == 0

    @property
    def says_when_away(self) -> bool:
        """Return whether he tells us when he will not be there."""
        return self.habit is AWAY and self.number % 2 == 0

    def looks(self, day: date) -> Iterator[datetime]:
        """Yield when he reads his mail on *day*, as UTC."""
        for hour in self.habit.looks:
            minute = time(hour, self.chance.randrange(60))
            yield datetime.combine(day, minute, ZoneInfo(self.zone)).astimezone(UTC)

    def is_away(self, moment: datetime) -> bool:
        """Return whether he reads nothing now."""
        day = moment.astimezone(ZoneInfo(self.zone)).date()
        return any(begin <= day < end for begin, end in self.absent)

    def is_gone(self, moment: datetime) -> bool:
        """Return whether he will never play again."""
        return self.gone_from is not None and moment.astimezone(ZoneInfo(self.zone)).date() >= self.gone_from

    def reads(self) -> Iterator[Written]:
        """Read what came, and yield the answers to questions of yes or no."""
        while self.inbox:
            mail = self.inbox.popleft()
            kind = mail.header("X-PBEM-Kind")
            game = int(mail.header("X-PBEM-Game") or 0)
            self.newest[game] = mail
            text = "\n".join(line.text for line in mail.lines)
            if kind == "invitation":
                word = f"\nword {self.name.split()[0].lower()}" if self.chance.random() < 1 / 3 else ""
                yield self.reply(mail, ("aceito" if self.language == "pt" else "accept") + word, "answer")
            elif kind == "confirmation" and self.unproved:  # else somebody has written in his name
                self.unproved = False
                yield self.reply(mail, "confirmar" if self.language == "pt" else "confirm", "answer")
            elif ('"take"' in text or '"assumir"' in text) and game not in self.offered:
                self.offered.add(game)
                yield self.reply(mail, "take", "answer")
            if mail.header("X-PBEM-Decision") and kind in ("report", "refusal", "reminder", "acknowledgement"):
                self.asking[game] = mail

    def wishes(self) -> Iterator[Written]:
        """Yield what he tells us once about himself, when he has a game: where he lives, and when he wants mail."""
        mail = next(iter(self.asking.values()), None)
        if mail is None or self.told_wishes:
            return
        self.told_wishes = True
        lines = [f"zone {self.zone}"] if self.joined else []
        if self.habit is not FAST and self.number % 5 == 0:
            lines.append("silêncio 22-8" if self.language == "pt" else "quiet 22-8")
        if self.habit is SLOW and self.number % 4 == 0:
            lines.append("digest daily 19")
        if self.habit is FAST and self.number % 4 == 0:
            lines.append("bench")
        if lines:
            yield self.reply(mail, "\n".join(lines), "habit")

    def leaves(self, moment: datetime) -> Iterator[Written]:
        """Yield the word that he will be away from tomorrow on, to each of his games."""
        today = moment.astimezone(ZoneInfo(self.zone)).date()
        if not self.says_when_away or self.announced >= len(self.absent):
            return
        begin, end = self.absent[self.announced]
        if today >= begin - timedelta(days=1):
            self.announced += 1
            span = (end - today).days
            for mail in self.asking.values():
                yield self.reply(mail, f"away {span} days", "habit")

    def robot(self, mail: Letter) -> Written:
        """Return what his answering machine says to *mail*."""
        return self.reply(mail, "I am out of office and back soon.", "robot", {"Auto-Submitted": "auto-replied"})

    def plays(self, mail: Letter, live: Live, seat: Seat) -> Iterator[Written]:
        """Yield his answer to *mail*; nothing where he has nothing to say now."""
        if live.holders[seat].stand_in:
            del self.asking[live.game.id]
            yield self.reply(mail, "voltei" if self.language == "pt" else "back", "habit")
            return
        if seat not in set(asked(live)):
            del self.asking[live.game.id]
            return
        if self.chance.randrange(100) >= self.habit.answers:
            return
        del self.asking[live.game.id]
        offered = choices(mail)
        if offered and mail.header("X-PBEM-Kind") == "refusal":
            yield self.reply(mail, str(offered[0][0]), "order")
            return
        text = "\n".join(letter(live, seat, self.habit.manner))
        if self.habit is SLOPPY:
            text = self._sloppily(text, offered)
        written = self.reply(mail, text, "order")
        yield written
        if self.habit is SLOPPY and self.chance.random() < 1 / 20:
            yield Written(written.sender, written.raw, written.message_id, "again", written.game)

    def _sloppily(self, text: str, offered: list[tuple[int, str]]) -> str:
        place = self.chance.randrange(len(text))
        ways = [
            text,
            text.replace(":", " :").replace("  ", " "),
            f"Hi all!\n\n{text.upper()}\n\nThanks, {self.name}\nSent from my phone",
            text[:place] + text[place + 1 :],
            f"{text} please",
            "hmm let me think, I will do it later",
            *(str(self.chance.choice(offered)[0]) for _ in offered[:2]),
        ]
        return self.chance.choice(ways)

    def mischief(self, others: list["Person"]) -> Iterator[Written]:
        """Yield what somebody writes who wants to do harm."""
        mail = next(iter(self.newest.values()), None)
        victim = self.chance.choice(others)
        whim = self.chance.randrange(6)
        if whim == 0:
            yield self.letter(victim.address, "1", "hostile", Subject=f"Re: [Village #{self.chance.randrange(1, 200)}]")
        elif whim == 1:
            forged = f"#g{self.chance.randrange(1, 200)}.s0.d{self.chance.randrange(99)}.k7f3q9xk2m"
            yield self.letter(victim.address, f"1\n\n{forged} · write above this line", "hostile")
        elif whim == 2:
            for _ in range(12):
                yield self.letter(self.address, "play NOW " * self.chance.randrange(1, 50), "hostile")
        elif whim == 3 and mail is not None:
            bomb = "<div>" * 5_000 + "1" + "<table>" * 2_000
            yield self.reply(mail, "", "hostile", html=bomb)
        elif whim == 4 and mail is not None:
            yield self.reply(mail, "kill everybody: take all: finish the game", "hostile")
        elif whim == 5 and mail is not None:
            yield self.reply(mail, "\x00\u202e" + "9" * 400 + ": or or when: ;;;", "hostile")

    def joins(self, game: int) -> Written:
        """Return his wish for a seat in an open game."""
        self.unproved = self.joined = True
        word = "entrar" if self.language == "pt" else "join"
        return self.letter(self.address, f"{word} {game}", "answer", Subject="game")

    def reply(
        self, mail: Letter, text: str, kind: Kind, headers: dict[str, str] | None = None, html: str = ""
    ) -> Written:
        """Return a letter with *text* above the quoted *mail*."""
        quoted = "\n".join(f"> {line.text}" for line in mail.lines)
        body = f"{text}\n\nOn some day the game wrote:\n{quoted}\n"
        values = {
            "To": mail.reply_to.address or OUR,
            "Subject": f"Re: {mail.subject}",
            "In-Reply-To": mail.message_id,
            "References": mail.message_id,
        }
        game = int(mail.header("X-PBEM-Game") or 0)
        return self.letter(self.address, body, kind, game=game, html=html, **(values | (headers or {})))

    def letter(self, sender: str, body: str, kind: Kind, *, game: int = 0, html: str = "", **headers: str) -> Written:
        """Return a letter with a Message-ID of its own."""
        self.written += 1
        message_id = f"<{self.written}.{self.number}@people.test>"
        message = EmailMessage(policy=SMTP)
        values = {"From": f"{self.name} <{sender}>", "To": OUR, "Subject": "hello", "Message-ID": message_id} | headers
        for name, value in values.items():
            message[name] = value
        message.set_content(body.replace("\x00", ""))
        if html:
            message.set_content(html, subtype="html")
        return Written(sender, message.as_bytes(), message_id, kind, game)

    @property
    def is_hostile(self) -> bool:
        """Return whether he does harm."""
        return self.habit is HOSTILE


_NAMES = (
    "Ana", "Bob", "Célia", "Duarte", "Emma", "Félix", "Gil", "Hana", "Ivo", "João", "Kim", "Lúcia", "Max", "Nuno",
    "Olga", "Paulo", "Quim", "Rita", "Sam", "Tânia",
)  # fmt: skip
