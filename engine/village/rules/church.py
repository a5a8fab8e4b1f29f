"""The church action: a member goes into the black bag."""

from collections.abc import Iterator

from engine.core.types import Decision, Step, event
from engine.village.moves import TIME, Move, Pray, Skip
from engine.village.rules.pieces import check_home, check_price, numbers_at, pay, payments, relocate
from engine.village.rules.time import spend_time
from engine.village.state import BAG, FARMYARD, State, pop


def options(state: State) -> Iterator[Move]:
    """Yield who may go, and for what. Source: rulebook: church."""
    for number in numbers_at(state, state.turn, FARMYARD):
        for paid in payments(state.me, (state.tables.church.cube,)):
            yield Pray(number, *paid)
        yield Pray(number, TIME)


def moves(state: State) -> Iterator[Move]:
    """Yield leaving it, then the options."""
    yield Skip()
    yield from options(state)


def decision(state: State) -> Decision:
    """Return the question of a church action."""
    return Decision(state.turn, "village.church")


def pray(state: State, move: Pray) -> Step[State]:
    """
    Return the state after a farmyard member has gone into the black bag.

    Raises: IllegalMoveError `member.not-home`, and those of a price.
    Source: rulebook: church; a brown cube or time.
    """
    seat = state.turn
    check_home(state, seat, move.number)
    table = state.tables.church
    time = 0
    if move.pay == TIME:
        time = table.time
    else:
        check_price(state.me, (table.cube,), (move.pay,))
        state = pay(state, seat, move.pay)
    step = spend_time(relocate(pop(state), seat, move.number, FARMYARD, BAG), time)
    told = event("village.prayed", seat=seat, number=move.number, pay=move.pay, time=time)
    return Step(step.state, (told, *step.events))
