"""The council chamber: enter, move up, use a privilege."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.village.components import COLOURS, GOODS
from engine.village.moves import COIN, SCROLL, Advance, Enter, Move, Skip, Use
from engine.village.rules.pieces import check_has, check_home, check_price, numbers_at, pay, payments, relocate, score
from engine.village.rules.time import spend_time
from engine.village.state import (
    FARMYARD,
    NOBODY,
    STAGES,
    CubeChoice,
    Family,
    GoodChoice,
    Privilege,
    State,
    become,
    pop,
    push,
    top,
)

CUBE_STAGE = 2
LAST = len(STAGES)


def options(state: State) -> Iterator[Move]:
    """Yield free privileges, then entering, then moving up. Source: rulebook: council chamber, three uses."""
    yield from _privileges(state, reach(state))
    for number in numbers_at(state, state.turn, FARMYARD):
        yield from (Enter(number, paid) for paid in _payments(state))
    for stage, spot in enumerate(STAGES[:-1], 1):
        for number in numbers_at(state, state.turn, spot):
            yield from (Advance(stage, number, paid) for paid in _payments(state))


def _privileges(state: State, highest: int) -> Iterator[Use]:
    for stage in range(1, highest + 1):
        if stage < LAST or state.me.count(COIN) >= state.tables.council.privilege_coins:
            yield Use(stage)


def _payments(state: State) -> Iterator[tuple[str, ...]]:
    if state.me.count(SCROLL):
        yield (SCROLL,)
    yield from payments(state.me, state.tables.council.cubes)


def reach(state: State) -> int:
    """Return the highest stage of the own members, 0 without any."""
    return max((stage for stage, spot in enumerate(STAGES, 1) if spot in state.me.members), default=0)


def moves(state: State) -> Iterator[Move]:
    """Yield leaving it, then the options."""
    yield Skip()
    yield from options(state)


def decision(state: State) -> Decision:
    """Return the question of a council action; it makes nobody wait where nothing can be gained."""
    wait = any(not isinstance(move, Use) or _gives(state, move.stage) for move in options(state))
    return Decision(state.turn, "village.council", wait=wait)


def enter(state: State, move: Enter) -> Step[State]:
    """
    Return the state after a farmyard member has come to stage 1; its privilege is open, no other.

    Raises: IllegalMoveError `member.not-home`, and those of a price.
    Source: rulebook: council chamber.
    """
    seat = state.turn
    check_home(state, seat, move.number)
    _check_price(state, state.me, move.pay)
    time = state.tables.council_time.stages[0]
    step = _place(state, move.number, FARMYARD, 1, move.pay)
    told = event("village.entered", seat=seat, number=move.number, pay=move.pay, time=time)
    return Step(step.state, (told, *step.events))


def advance(state: State, move: Advance) -> Step[State]:
    """
    Return the state after a member has moved up one stage; its privilege or a lower one is open.

    Raises: IllegalMoveError `council.last-stage`, `council.nobody`, and those of a price.
    Source: rulebook: council chamber; which stage costs how much time is ours (table `council_time`).
    """
    seat = state.turn
    if move.stage == LAST:
        raise IllegalMoveError("council.last-stage")
    if move.number not in numbers_at(state, seat, STAGES[move.stage - 1]):
        raise IllegalMoveError("council.nobody", stage=move.stage, number=move.number)
    _check_price(state, state.me, move.pay)
    stage = move.stage + 1
    time = state.tables.council_time.stages[stage - 1]
    step = _place(state, move.number, STAGES[move.stage - 1], stage, move.pay)
    told = event("village.advanced", seat=seat, number=move.number, stage=stage, pay=move.pay, time=time)
    return Step(step.state, (told, *step.events))


def _check_price(state: State, family: Family, paid: tuple[str, ...]) -> None:
    """Source: rulebook: one scroll or two green cubes, never half of each."""
    if paid == (SCROLL,):
        check_has(family, SCROLL, 1)
    else:
        check_price(family, state.tables.council.cubes, paid)


def _place(state: State, number: int, origin: str, stage: int, paid: tuple[str, ...]) -> Step[State]:
    state = pay(become(state, Privilege(stage)), state.turn, *paid)
    state = relocate(state, state.turn, number, origin, STAGES[stage - 1])
    return spend_time(state, state.tables.council_time.stages[stage - 1])


def use(state: State, move: Use) -> Step[State]:
    """
    Return the state after a privilege was used without moving.

    Raises: IllegalMoveError `council.closed`, `price.short`.
    Source: rulebook: council chamber; free of time, cubes and scroll, at or below any own member's stage.
    """
    return _use(state, move.stage, reach(state))


def use_after(state: State, move: Use) -> Step[State]:
    """
    Return the state after the privilege that follows entering or moving up.

    Raises: IllegalMoveError `council.closed`, `price.short`.
    Source: rulebook: council chamber; at or below the stage of the member that moved.
    """
    return _use(state, move.stage, top(state, Privilege).stage)


def _use(state: State, stage: int, highest: int) -> Step[State]:
    if stage > highest:
        raise IllegalMoveError("council.closed", stage=stage, open=highest)
    table = state.tables.council
    seat = state.turn
    if stage == LAST:
        check_has(state.me, COIN, table.privilege_coins)
        state = pay(pop(state), seat, *[COIN] * table.privilege_coins)
        told = event("village.paid-prestige", seat=seat, coins=table.privilege_coins, points=table.privilege_points)
        return Step(score(state, seat, table.privilege_points), (told,))
    state = pop(state)
    if stage == 1:
        return _take_marker(state)
    chosen_next = CubeChoice(table.privilege_cubes) if stage == CUBE_STAGE else GoodChoice()
    return Step(push(state, chosen_next), (event("village.privileged", seat=seat, stage=stage),))


def _take_marker(state: State) -> Step[State]:
    """Source: rulebook: the next-starting-player marker, if it is still there; else nothing."""
    if state.marker != NOBODY:
        return Step(state, (event("village.marker-gone", seat=state.turn, holder=state.marker),))
    return Step(replace(state, marker=state.turn), (event("village.marker", seat=state.turn),))


def _gives(state: State, stage: int) -> bool:
    """Return whether the privilege of *stage* would give anything now."""
    if stage == 1:
        return state.marker == NOBODY
    if stage == LAST:
        return True
    return any(state.stock(thing) for thing in (COLOURS if stage == CUBE_STAGE else GOODS))


def privilege_decision(state: State) -> Decision:
    """
    Return the question which privilege is used; it makes nobody wait where nothing can be gained.

    Source: rulebook: council chamber; using it is a choice; that of stage 1 is always open, even if it gives nothing.
    """
    stage = top(state, Privilege).stage
    wait = any(_gives(state, use.stage) for use in _privileges(state, stage))
    return Decision(state.turn, Privilege.key, fields(stage=stage), wait=wait)


def privilege_moves(state: State) -> Iterator[Move]:
    """Yield leaving it, then the privileges."""
    yield Skip()
    yield from _privileges(state, top(state, Privilege).stage)
