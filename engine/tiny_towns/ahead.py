"""
What may come to a seat: the rest of its turn, the end of the round, its next naming, the next resource to answer.

A decision is named only if it can come. Most cannot be listed yet: they depend on the cube that is still to be placed,
or on what others name.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.types import Ahead, Decision, Seat, fields
from engine.tiny_towns.phases import put
from engine.tiny_towns.rules import abilities, building
from engine.tiny_towns.rules.effects import WATCH
from engine.tiny_towns.rules.round import has_hammer, is_free, next_namer
from engine.tiny_towns.state import (
    RESOURCE_AT,
    Building,
    ChooseCorners,
    Lodging,
    Moving,
    Naming,
    Phase,
    Placing,
    Putting,
    State,
    Taking,
    Watching,
)


def ahead(state: State, seat: Seat) -> tuple[Ahead[State], ...]:
    """Return what may come to *seat*; nothing that it owes now. Source: what follows from the order of play."""
    if state.stage == "over" or seat not in state.in_game:
        return ()
    owed = state.stacks[seat][-1].key if state.stacks[seat] else ""
    found = (
        *_set_up(state, seat, owed),
        *_rest_of_turn(state, seat, owed),
        *_round_end(state, seat),
        *_next(state, seat),
    )
    return tuple(one for one in found if one.decision.key != owed or one.decision.occasion != state.round)


def _has(state: State, seat: Seat, *kinds: type[Phase]) -> bool:
    return any(isinstance(phase, kinds) for phase in state.stacks[seat])


def _coming(state: State, seat: Seat, key: str, **values: str | int) -> Ahead[State]:
    """Return a decision of this round that cannot be listed yet."""
    late = key in (Watching.key, Moving.key, Lodging.key)
    wait = not late or state.variant.ask_late
    return Ahead(Decision(seat, key, tuple(values.items()), occasion=state.round, wait=wait))


def _set_up(state: State, seat: Seat, owed: str) -> Iterator[Ahead[State]]:
    if owed != ChooseCorners.key and _has(state, seat, ChooseCorners):
        supposed = replace(state, stacks=_only(state, seat, ChooseCorners()))
        yield Ahead(put(supposed, seat), supposed)


def _only(state: State, seat: Seat, phase: Phase) -> tuple[tuple[Phase, ...], ...]:
    return tuple((phase,) if one == seat else () for one in state.seats)


def _rest_of_turn(state: State, seat: Seat, owed: str) -> Iterator[Ahead[State]]:
    """Yield the answer to the resource, if it is not known yet, and what may be constructed after it."""
    before = state.stage in ("naming", "draw")
    if before or owed == Taking.key:
        yield _coming(state, seat, Placing.key, resource="")
    if before or owed in (Taking.key, Placing.key, Putting.key):
        phase = state.stacks[seat][-1] if state.stacks[seat] else None
        known = phase.resource if isinstance(phase, Placing | Putting) else ""
        if may_build(state, seat, known):
            yield _coming(state, seat, Building.key)


def may_build(state: State, seat: int, resource: str) -> bool:
    """Return whether *seat* may be able to do something once a cube (of *resource*, if that is known) is placed."""
    town = state.town(seat)
    costs = (state.tables.helper(name).cost for name in state.helpers if name != abilities.SCRAP)
    if any(len(town.workers) >= cost for cost in costs) or building.can_build(state, seat):
        return True
    swaps = any(town.squares("factory", "warehouse"))
    at = () if not resource or swaps else (RESOURCE_AT[resource],)
    return any(
        any(found[one] for one in at or range(len(found)))
        for found in (building.openings(state, town, card) for card in building.cards_of(state, seat))
    )


def _round_end(state: State, seat: Seat) -> Iterator[Ahead[State]]:
    if not state.round or state.stage in ("watch", "villagers"):
        return
    town = state.town(seat)
    if town.stock and WATCH not in state.built[seat]:
        yield _coming(state, seat, Watching.key, card="")
    if state.variant.villagers:
        if town.villagers:
            yield _coming(state, seat, Moving.key, count=0)
        yield _coming(state, seat, Lodging.key, count=0)


def _next(state: State, seat: Seat) -> Iterator[Ahead[State]]:
    """Yield the next naming, and what is named in the next round, each with the number of that round."""
    coming = state.round + 1
    if has_hammer(state) and next_namer(state) == seat:
        supposed = replace(state, round=coming, stage="naming", stacks=_only(state, seat, Naming()))
        yield Ahead(put(supposed, seat), supposed)
    if state.stage in ("naming", "draw") or _has(state, seat, Taking):
        return
    takes = state.solo or is_free(replace(state, round=coming))
    if takes:
        yield Ahead(Decision(seat, Taking.key, occasion=coming))
    yield Ahead(Decision(seat, Placing.key, fields(resource=""), occasion=coming))
