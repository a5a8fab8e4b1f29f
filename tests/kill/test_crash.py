"""
A pass dies at each of its steps in turn, and the next pass must repair it: only mails may come twice.

What a dead process leaves behind is what was committed, moved or handed over; a BaseException does the same to a pass,
because nothing in it may catch one. A step is what lies between two such moments: wherever in it a pass dies, what is
left is the same, so it is enough to die right after each of them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from pbem import referee
from pbem.mail.letter import read_letter
from pbem.mail.ports import Delivery, Fetched
from pbem.opening import GameOffer, open_game, open_seats
from pbem.store.base import Store, sqlite_path
from tests.pbem.table import MemoryMailbox, MemoryServer, Person, Table, text_of

NOW = timedelta()


class Killed(BaseException):
    """The end of a process."""


class Steps:
    """Counts what a pass does for good and ends the pass after one of them, by number, or at the first of a name."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.deadly: int | str = -1

    def at(self, name: str) -> None:
        """Note what was done for good."""
        self.names.append(name)
        if self.deadly in (len(self.names) - 1, name):
            raise Killed(name)

    def before(self, name: str) -> None:
        """Come to what is about to be done."""
        if self.deadly == f"before {name}":
            raise Killed(name)


class DeadlyMailbox(MemoryMailbox):
    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self.steps = steps

    def fetch(self, uid: int) -> Fetched:
        self.steps.before("a letter is loaded")
        return super().fetch(uid)

    def move_many(self, uids: Sequence[int], folder: str) -> None:
        self.steps.before("letters are moved")
        super().move_many(uids, folder)
        self.steps.at("letters are moved")


class DeadlyServer(MemoryServer):
    def __init__(self, steps: Steps) -> None:
        super().__init__()
        self.steps = steps

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> Delivery:
        self.steps.before("a mail is handed over")
        delivery = super().send(envelope_from, recipient, raw)
        self.steps.at("a mail is handed over")
        return delivery


class Saved(Struct, frozen=True):
    """All that outlives a process: the store, the mailbox, and what was sent."""

    store: bytes
    inbox: dict[int, Any]
    moved: dict[str, list[int]]
    taken: list[tuple[str, bytes]]


def file_of(table: Table) -> Path:
    path = sqlite_path(table.service.store.url)
    assert path is not None
    return path


def save(table: Table) -> Saved:
    table.close()
    path = file_of(table)
    mailbox, server = table.mailbox, table.server
    return Saved(path.read_bytes(), dict(mailbox.inbox), deepcopy(mailbox.moved), list(server.taken))


def restore(table: Table, saved: Saved) -> None:
    table.close()
    path = file_of(table)
    for extra in ("-wal", "-shm"):
        path.with_name(path.name + extra).unlink(missing_ok=True)
    path.write_bytes(saved.store)
    table.mailbox.inbox, table.mailbox.moved = dict(saved.inbox), deepcopy(saved.moved)
    table.server.taken = list(saved.taken)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    """Give the steps of every pass from now on."""
    counted = Steps()
    plain = Store.write

    @contextmanager
    def write(store: Store) -> Iterator[Any]:
        with plain(store) as session:
            yield session
        counted.at("a commit is made")

    def judge(*values: Any) -> str:
        counted.before("a letter is judged")
        outcome = plain_judge(*values)
        counted.before("its commit")
        return outcome

    plain_judge = referee.judge
    monkeypatch.setattr(Store, "write", write)
    monkeypatch.setattr(referee, "judge", judge)
    return counted


SetTable = Callable[..., Table]


@pytest.fixture
def set_deadly(set_table: SetTable, steps: Steps) -> SetTable:
    """Give a function that sets a table with ports at which a pass can die."""

    def set_one(*seats: str, **values: object) -> Table:
        table = set_table(*seats, **values)
        table.mailbox, table.server = DeadlyMailbox(steps), DeadlyServer(steps)
        table.tick()
        return table

    return set_one


def orders(set_deadly: SetTable) -> Table:
    """A round is over when both letters are judged."""
    table = set_deadly("Ana pt", "Bob en")
    table.post(table.reply("Ana", f"apostar {table.hand('Ana')[0]}: oferecer 2"))
    table.post(table.reply("Bob", f"stake {table.hand('Bob')[0]}: bid 1"))
    return table


def deadline(set_deadly: SetTable) -> Table:
    """Bob lets his time run out."""
    table = set_deadly("Ana pt", "Bob en", clock="24h")
    table.says("Ana", f"apostar {table.hand('Ana')[0]}: oferecer 2")
    table.now += timedelta(hours=25)
    return table


def reminder(set_deadly: SetTable) -> Table:
    """Both have a quarter of their time left; the mailbox was not read for a while."""
    table = set_deadly("Ana pt", "Bob en", clock="4d")
    table.now += timedelta(days=3, hours=1)
    return table


def robots(set_deadly: SetTable) -> Table:
    """Ana's letter makes two bots move, several times."""
    table = set_deadly("Ana pt", "bot:random", "bot:greedy")
    table.post(table.reply("Ana", f"apostar {table.hand('Ana')[0]}: oferecer 1"))
    return table


def strange_mail(set_deadly: SetTable) -> Table:
    """Letters that wait for a confirmation, come from a stranger, are not understood, and come twice."""
    table = set_deadly("Ana pt", "Bob en")
    table.post(table.letter(table.people["Ana"].address, "apostar 1"))
    table.post(table.letter("nobody@else.test", "what is this?"))
    table.post(table.reply("Bob", "dance on the table"))
    twice = table.reply("Bob", f"stake {table.hand('Bob')[0]}: bid 0")
    table.post(twice)
    table.post(twice)
    return table


def refused_mail(set_deadly: SetTable) -> Table:
    """The server takes no mail to Bob, which the game master is told, and Ana's later."""
    table = orders(set_deadly)
    table.server.answers["bob@players.test"] = [Delivery("refused", 550, "no such box")] * 99
    return table


def lobby(set_deadly: SetTable) -> Table:
    """The last seat of an open game is confirmed twice, and a stranger asks for one."""
    table = set_deadly("Ana pt", "Bob en")
    with table.service.store.write() as session:
        open_game(session, open_seats(GameOffer("bids", ()), 2, 2, timedelta(days=14)), table.now)
    for name in ("Bia", "Cleo", "Dan"):
        table.people[name] = Person(name, f"{name.lower()}@away.test")
        table.post(table.letter(f"{name} <{table.people[name].address}>", "join 2"))
    table.tick()
    for name in ("Bia", "Cleo", "Dan"):
        table.post(table.reply(name, "confirm"))
    table.post(table.letter("Eve <eve@away.test>", "join 2"))
    return table


SCENES = (orders, deadline, reminder, robots, lobby, pytest.param(strange_mail, marks=pytest.mark.slow), refused_mail)


class Traces(Struct, frozen=True):
    """What is left of a pass that anybody could see."""

    log: tuple[str, ...]
    letters: tuple[tuple[str, str, str], ...]
    mails: Counter[tuple[str, str]]
    kept: tuple[tuple[str, str, str], ...]
    inbox: tuple[int, ...]


def traces(table: Table) -> Traces:
    """Return the traces; a mail that was sent again counts once, and must not have changed."""
    sent: dict[str, tuple[str, bytes]] = {}
    for recipient, raw in table.server.taken:
        identity = str(message_from_bytes(raw)["Message-ID"])
        assert sent.setdefault(identity, (recipient, raw)) == (recipient, raw)
    return Traces(
        log=tuple(table.log()),
        letters=tuple((one.message_id, one.status, one.reason) for one in table.stored()),
        mails=Counter((recipient, text_of(read_letter(raw))) for recipient, raw in sent.values()),
        kept=tuple((one.recipient, one.kind, one.status) for one in table.posted()),
        inbox=tuple(table.mailbox.inbox),
    )


@pytest.mark.parametrize("scene", SCENES)
def test_a_crash_at_any_step_of_a_pass_is_repaired_by_the_next(
    set_deadly: SetTable, steps: Steps, scene: Callable[[SetTable], Table]
) -> None:
    table = scene(set_deadly)
    saved = save(table)
    steps.names.clear()
    table.tick(after=NOW)
    names = list(steps.names)
    table.tick(after=NOW)  # what the game master is told of a refused mail goes with the next pass
    expected = traces(table)

    for deadly, name in enumerate(names):
        restore(table, saved)
        steps.names.clear()
        steps.deadly = deadly
        with pytest.raises(Killed):
            table.tick(after=NOW)
        steps.deadly = -1
        table.tick(after=NOW)
        table.tick(after=NOW)

        assert expected == traces(table), f"died at step {deadly}: {name}"


def test_a_letter_that_is_kept_but_not_moved_is_moved_by_the_next_pass(set_deadly: SetTable, steps: Steps) -> None:
    table = orders(set_deadly)
    card = table.hand("Ana")[0]
    steps.deadly = "before letters are moved"
    with pytest.raises(Killed):
        table.tick()
    inbox, kept = list(table.mailbox.inbox), [one.filed for one in table.stored()]

    steps.deadly = -1
    table.tick()

    assert ([1, 2], [False, False]) == (inbox, kept)
    assert {"Processed": [1, 2]} == table.mailbox.moved
    assert [True, True] == [one.filed for one in table.stored()]
    assert 1 == table.log().count(f"0 stake {card}")


@pytest.mark.parametrize("death", ["before a letter is judged", "before its commit"])
def test_a_letter_whose_judging_died_is_judged_anew_and_its_try_is_counted(
    set_deadly: SetTable, steps: Steps, death: str
) -> None:
    table = orders(set_deadly)
    steps.deadly = death
    with pytest.raises(Killed):
        table.tick()
    died = [(one.status, one.tries) for one in table.stored()]
    assert [] == table.moves()

    steps.deadly = -1
    table.tick()

    assert [("new", 1), ("new", 0)] == died
    assert [("done", 2), ("done", 1)] == [(one.status, one.tries) for one in table.stored()]
    verbs = [" ".join(one.split()[:2]) for one in table.moves()]
    assert ["0 stake", "0 bid", "1 stake", "1 bid", "0 keep"] == verbs


def test_a_mail_that_was_taken_but_not_noted_goes_again_with_the_same_bytes(set_deadly: SetTable, steps: Steps) -> None:
    table = orders(set_deadly)
    sent = len(table.server.taken)
    steps.deadly = "a mail is handed over"
    with pytest.raises(Killed):
        table.tick()

    steps.deadly = -1
    table.tick()

    first, *others = table.server.taken[sent:]
    assert 1 == others.count(first)
    assert 1 == len(others) - 1, "and the other player's mail went once"


def test_a_letter_at_which_three_passes_died_is_held_and_the_game_master_is_told(
    set_deadly: SetTable, steps: Steps
) -> None:
    table = orders(set_deadly)
    steps.deadly = "before its commit"
    for _ in range(3):
        with pytest.raises(Killed):
            table.tick()

    steps.deadly = -1
    table.tick()

    assert [("held", "crashed"), ("done", "kept")] == [(one.status, one.reason) for one in table.stored()]
    assert ["alert"] == [one.header("X-PBEM-Kind") for one in table.to_gm()]
