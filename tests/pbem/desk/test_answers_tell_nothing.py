"""
Answers tell nothing that is hidden: two tables, at which another player has done other things in secret.

What a reader may know is the same at both, and so are his letters; so must be every byte of every mail to him, the
acknowledgements, refusals, rehearsals and receipts among them.
"""

import random
import re

import pytest
from msgspec import structs

from engine.core.types import Seat
from tests.pbem.table import Table
from tests.pbem.witness import SetTable

KEY = b"one key for both tables, 32 byte"
NONCE = re.compile(rb"(?<=\.)[0-9a-f]{8,}(?=@)|(?<==_pbem_)[0-9a-f]+")
COMMANDS = ("situação", "histórico", "reenviar", "tentar 1", "tentar 2: 1", "nota olá", "tell Bob: hi", "acks all")


def tables(set_table: SetTable, title: str, number: int, language: str) -> tuple[Table, Table]:
    """Return two tables that are alike."""
    made = [set_table(f"Ana {language}", "Bob en", "Caio pt", title=title, number=number) for _ in range(2)]
    for table in made:
        table.service = structs.replace(table.service, key=KEY)
        table.tick()
    return made[0], made[1]


def both(pair: tuple[Table, Table], name: str, *texts: str) -> None:
    """Let *name* write to both tables: each its text, or both the same."""
    for table, text in zip(pair, (texts[0], texts[-1]), strict=True):
        table.says(name, text)


def moves(table: Table, seat: int) -> list[str]:
    live = table.live()
    if Seat(seat) not in live.owed():
        return []
    return [live.ruleset.grammar.format_move(move) for move in live.ruleset.legal(live.position.state, Seat(seat))]


def mailed(table: Table, name: str) -> list[bytes]:
    """Return all mails to *name*, but for what makes their numbers unique."""
    address = table.people[name].address
    return [NONCE.sub(b"", raw) for to, raw in table.server.taken if to == address]


@pytest.mark.parametrize(
    ("title", "number", "language"), [("bids", 7, "en"), ("tiny_towns", 1, "pt"), ("tiny_towns", 2, "en")]
)
def test_every_mail_is_the_same_whatever_others_keep_in_secret(
    set_table: SetTable, title: str, number: int, language: str
) -> None:
    pair = tables(set_table, title, number, language)
    theirs = moves(pair[0], 1)
    assert theirs == moves(pair[1], 1)
    assert len(theirs) > 1
    both(pair, "Bob", theirs[0], theirs[-1])
    own = moves(pair[0], 0)
    played = (f"tentar {own[-1]}", own[-1], "desfazer", *own[:2], random.Random(number).choice(own))
    for line in (own[0] + "x", "lorem ipsum", "3", "1a", *COMMANDS, *played):
        both(pair, "Ana", line)

    assert pair[0].live().holders[1].plan != pair[1].live().holders[1].plan
    assert len(mailed(pair[0], "Ana")) > len(COMMANDS)
    assert mailed(pair[0], "Ana") == mailed(pair[1], "Ana")
    assert mailed(pair[0], "Caio") == mailed(pair[1], "Caio")
    assert mailed(pair[0], "Bob") != mailed(pair[1], "Bob")
