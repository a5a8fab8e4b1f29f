"""Every moment of whole games, for laws of single entries."""

from collections.abc import Iterator

from engine.core.log import Record
from engine.my_village.state import State
from tests.engine.my_village.games import game
from tests.engine.my_village.positions import start


def moments(seats: int, number: int) -> Iterator[tuple[State, Record[State]]]:
    """Each position of game *number*, from the set-up on, with the entry that was made there."""
    state = start(seats)
    for record in game(seats, number):
        yield state, record
        state = record.position.state


def question(record: Record[State]) -> str:
    """The key of the question that an entry answered."""
    assert record.decision is not None
    return record.decision.decision.key
