"""What an answer says of a letter and what the log holds never differ, whatever is written."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core.types import Seat
from pbem.gate.tags import make_receipt
from pbem.live import Live
from pbem.store import games, outbox
from pbem.store.outbox import Noticed
from tests.pbem.table import Table
from tests.pbem.waits import asked

NAMES = ("Ana", "Bob", "Cy")
LETTERS = 40
ANSWERED = ("order.taken", "order.kept", "order.receipt")
NONSENSE = ("banana", "99", "3 or 4", "take everything", "pegar tudo", "?", "next: banana or 1", "when red: 2")


def lines_for(live: Live, seat: Seat, chooser: random.Random) -> Iterator[str]:
    """Yield what a careless person may write: moves, numbers, plans, moves of others and nonsense."""
    ruleset = live.ruleset
    legal = [ruleset.grammar.format_move(move) for move in ruleset.legal(live.position.state, seat)]
    ahead = [
        ruleset.grammar.format_move(move)
        for one in ruleset.ahead(live.position.state, seat)
        if one.state is not None
        for move in list(ruleset.legal(one.state, seat))[:3]
    ]
    for _ in range(chooser.randint(1, 3)):
        kind = chooser.random()
        if kind < 0.5:
            yield chooser.choice(legal)
        elif kind < 0.6:
            yield str(chooser.randint(1, len(legal) + 1))
        elif kind < 0.7:
            yield f"{chooser.choice(legal)} or {chooser.choice(legal)}"
        elif kind < 0.85 and ahead:
            yield chooser.choice(ahead)
        else:
            yield chooser.choice(NONSENSE)


def told(table: Table, seat: Seat, key: str, since: int) -> list[Noticed]:
    """Return what *seat* was told of *key* after notice *since*."""
    with table.service.store.read() as session:
        found = outbox.told_before(session, table.game, seat, key, 10**9, 50)
    return [one for one in found if one.id > since]


def moves_in(text: str) -> list[list[str]]:
    """Return the moves of each alternative of a line."""
    return [choice.split(" : ") for choice in text.split(" or ")]


@pytest.mark.parametrize("title", ["bids", "tiny_towns", "my_village"])
@pytest.mark.parametrize("seed", range(2))
def test_the_answer_and_the_log_say_the_same(tmp_path: Path, title: str, seed: int) -> None:
    chooser = random.Random(seed)
    table = Table(tmp_path, *(f"{name} {chooser.choice(['en', 'pt'])}" for name in NAMES), title=title, number=seed)
    table.tick()
    taken = kept = 0
    for _ in range(LETTERS):
        live = table.live()
        if live.game.status != "running":
            break
        seat = chooser.choice(list(asked(live)))
        since = max((one.id for key in ANSWERED for one in told(table, seat, key, 0)), default=0)
        length = len(table.log())
        table.says(NAMES[seat], "\n".join(lines_for(live, seat, chooser)))
        with table.service.store.read() as session:
            log = games.read_log(session, table.game)[length:]
        own = [one.entry.text for one in log if one.entry.seat == seat]
        answers = told(table, seat, "order.taken", since)
        for one in answers:
            beginnings = [choice[0] for choice in moves_in(one.fields["text"])]
            assert "any" in beginnings or set(beginnings) & set(own), (one.fields, own)
            taken += 1
        if not answers and not live.holders[seat].plan:
            later = told(table, seat, "order.kept", since)
            assert later or "line" not in {one.cause for one in log if one.entry.seat == seat}, own
        for one in told(table, seat, "order.kept", since):
            planned = {line.text for line in table.live().holders[seat].plan}
            assert one.fields["text"] in planned, (one.fields, planned)
            kept += 1
        for one in told(table, seat, "order.receipt", since):
            decision, moves = one.fields["decision"], one.fields["moves"]
            assert one.fields["code"] == make_receipt(table.service.key, table.game, seat, decision, moves)
    assert taken
    assert kept
    table.close()
