"""
What a mail is made from: everything that one seat of one game is told in it, as data.

The referee's notices and the present position become one `MailFacts`; the templates turn it into text and HTML. Move
texts are canonical here; the words of the reader's language are put in by `compose`.
"""

from datetime import datetime, timedelta
from typing import Any, Literal

from msgspec import Struct

from engine.core.types import GM, Event, Fields, Seat, Standing
from pbem.store.observers import is_observer

Kind = Literal[
    "invitation", "report", "acknowledgement", "refusal", "reminder", "notice", "press", "help", "confirmation",
    "digest", "alert",
]  # fmt: skip
"""The kinds of mail, as `X-PBEM-Kind` names them. A final report is a `report` of a game that is over."""


class Fact(Struct, frozen=True):
    """Something to tell that is no event of the game: a key of `pbem/notices.py` and its fields."""

    key: str
    fields: Fields = ()


class Happened(Struct, frozen=True):
    """
    One entry of the log, as far as this seat may know it.

    `text`   canonical; "" where this seat may not read it
    `cause`  "line", "forced", "default", "chance" or "gm"
    """

    seq: int
    seat: Seat
    text: str
    cause: str
    events: tuple[Event, ...] = ()


class Ask(Struct, frozen=True):
    """
    A decision that this seat owes, or may answer ahead.

    `number`    of the decision, or at which it is asked ahead
    `options`   canonical texts in the order of the rules; empty: it cannot be listed yet
    `default`   what is played at the deadline; "" for a decision ahead
    `deadline`  aware UTC; None: no clock runs
    `wait`      False: the game does not wait for it
    `follow`    for each option what would be asked next, as far as that is shown; empty: for none
    """

    key: str
    number: int
    options: tuple[str, ...]
    fields: Fields = ()
    occasion: int = 0
    default: str = ""
    deadline: datetime | None = None
    wait: bool = True
    follow: tuple[tuple[str, ...], ...] = ()


class Tried(Struct, frozen=True):
    """
    What would come of a line that was only tried.

    `happened`  what it would do, as far as no draw comes in between
    `ask`       what the seat would be asked next; None: nothing, or nobody can tell
    `more`      moves that its list has besides
    """

    happened: tuple[Happened, ...] = ()
    ask: Ask | None = None
    more: int = 0


class Waiting(Struct, frozen=True):
    """Another seat for which the game waits, and since when; None: nobody knows."""

    seat: Seat
    since: datetime | None = None


class Planned(Struct, frozen=True):
    """
    A line that is planned and not yet played: its decision and its canonical text.

    `when`   the fact that it waits for, "" none; `until` the last occasion at which it does, 0 no end
    """

    key: str
    text: str
    when: str = ""
    until: int = 0


class Player(Struct, frozen=True):
    """Who holds a seat; addresses are nobody's business here. `free`: nobody has it yet."""

    seat: Seat
    name: str
    bot: bool = False
    free: bool = False


class Over(Struct, frozen=True):
    """
    What is told at the end.

    `void`    the game master ended it without a result
    `drawn`   numbers of the entries in which the game master chose a draw
    `verified`  the whole log was replayed, draws and chain recomputed
    """

    winners: tuple[Seat, ...]
    seed: str
    void: bool = False
    drawn: tuple[int, ...] = ()
    verified: bool = True


class Round(Struct, frozen=True):
    """What happened in one round; `number` 0: before the first, or where a game has none."""

    number: int
    happened: tuple[Happened, ...]


class Past(Struct, frozen=True):
    """Rounds that were asked for, the oldest first; `cut`: what came before is too much for one mail."""

    rounds: tuple[Round, ...]
    cut: bool = False


class Sheet(Struct, frozen=True):
    """What the rules of a game in short are made from: its component tables as they are written, seats and options."""

    tables: dict[str, Any]
    seats: int
    options: dict[str, str]


class MailFacts(Struct, frozen=True):
    """
    One mail to one seat of one game.

    `title`     name of the ruleset; `view` is its view for this seat
    `happened`  since the last report, in log order
    `answers`   to the letter of this seat: its lines, taken, kept, refused, ignored
    `tried`     for each answer `order.tried`, in their order, what would come of it
    `told`      other facts, in the order in which they came about
    `ask`       what is owed now; None: nothing
    `ahead`     what may be answered now already
    `plan`      what is planned and not yet played
    `bank`      time left beyond the free time of each decision
    `late`      what answers for who comes too late; after so many `misses` in a row a bot stands in, 0: never
    `rewind`    who decides to take it back: "gm", or all who moved since have to "agree"
    `ours`      the mail says that some values of the game are our own, where the printed ones were not found
    `history`   once the game is over: the standings at the end of each round
    `pictures`  the reader wants some
    `plain`     the mail is to be read aloud: one fact a line, no tables
    `note`      what the seat keeps for itself
    `past`      rounds that were asked for; None: none were
    `games`     of a digest: the mails to the same person that it stands for, each of another game
    `sheet`     what the rules in short are made from; None: they were not asked for
    `tag`       the tag of the seat for this mail
    `to`        the registered address; `our` is the account's address
    `reply_to`  address to answer to, with the tag where plus addresses arrive; "" where From will do
    """

    kind: Kind
    game: int
    title: str
    seat: Seat
    players: tuple[Player, ...]
    language: str
    zone: str
    tag: str
    to: str
    our: str
    our_name: str
    now: datetime
    ours: bool = False
    view: Any = None
    standings: tuple[Standing, ...] = ()
    happened: tuple[Happened, ...] = ()
    answers: tuple[Fact, ...] = ()
    tried: tuple[Tried, ...] = ()
    told: tuple[Fact, ...] = ()
    ask: Ask | None = None
    ahead: tuple[Ask, ...] = ()
    waiting_for: tuple[Waiting, ...] = ()
    plan: tuple[Planned, ...] = ()
    clock: str = ""
    late: str = "default"
    misses: int = 0
    rewind: str = "gm"
    bank: timedelta = timedelta()
    hold: timedelta = timedelta()
    over: Over | None = None
    history: tuple[tuple[Standing, ...], ...] = ()
    pictures: bool = True
    plain: bool = False
    note: str = ""
    past: Past | None = None
    sheet: Sheet | None = None
    games: tuple["MailFacts", ...] = ()
    commitment: str = ""
    reply_to: str = ""
    gm_name: str = ""

    @property
    def is_to_master(self) -> bool:
        """Return whether it goes to the game master, or to a deputy."""
        return self.seat == GM and bool(self.tag)

    @property
    def looks_on(self) -> bool:
        """Return whether it goes to a person who holds no seat."""
        return is_observer(self.seat)

    @property
    def reader(self) -> Seat | None:
        """Return the seat that reads, None for a person who looks on."""
        return None if self.looks_on else Seat(self.seat)


class Mail(Struct, frozen=True):
    """
    A composed mail.

    `raw`      the bytes as they go to the server
    `options`  the lists as they were numbered in it, so that "3" can be resolved later
    """

    kind: Kind
    to: str
    message_id: str
    raw: bytes
    options: tuple[Ask, ...] = ()
