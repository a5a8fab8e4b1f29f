"""
What may come to a seat, up to and with its next own turn: market days of others, a death, the mass, the turn itself.

Each is named only if it can come and the seat would have a choice in the supposed position. A supposed position is the
present one with a single phase on its stack, so that nothing follows that phase and nothing is drawn.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Ahead, Decision, Seat
from engine.village.moves import COIN
from engine.village.phases import PHASES
from engine.village.rules import death, market, mass
from engine.village.rules.end import last_turns
from engine.village.rules.well import well_moves
from engine.village.state import (
    BAG,
    FARMYARD,
    NOBODY,
    SPACE_AT,
    WINDOWS,
    Death,
    Drawing,
    MarketDay,
    NextRound,
    Phase,
    Redeeming,
    Rising,
    Scoring,
    Seeding,
    State,
    Turn,
    Well,
    clockwise,
    with_family,
)


class Course(Struct, frozen=True):
    """
    What lies between now and the next own turn of a seat.

    `acting`   its own turn runs
    `has_turn` it has another turn
    `openers`  others who may choose an action before that, in this round
    `takers`   how many cubes are taken before that if nobody uses the well
    `ending`   the board may be empty before that
    """

    acting: bool
    has_turn: bool
    openers: tuple[Seat, ...]
    takers: int
    ending: bool


def ahead(state: State, seat: Seat) -> tuple[Ahead[State], ...]:
    """Return what may come to *seat*; nothing that it owes now. Source: what follows from the order of play."""
    if not state.stack:
        return ()
    owed = PHASES.present(state).decision(state)
    course = _course(state, seat)
    found = (
        *_market(state, seat, course),
        *_death(state, seat, course),
        *_mass(state, seat, course),
        *_turn(state, seat, course),
    )
    return tuple(one for one in found if (seat, one.decision.key) != (owed.seat, owed.key))


def _has(state: State, *kinds: type[Phase]) -> bool:
    return any(isinstance(phase, kinds) for phase in state.stack)


def _between(state: State) -> bool:
    """Return whether no turn of this round is left: the mass, or what follows it."""
    return isinstance(state.stack[0], NextRound | Scoring)


def _course(state: State, seat: Seat) -> Course:
    ended = state.trigger != NOBODY
    running = _has(state, Turn)
    begins = any(phase == Turn() for phase in state.stack)
    if _between(state):
        rest: tuple[Seat, ...] = ()
    elif ended:
        rest = state.last if state.final else last_turns(state)
    else:
        rest = clockwise(state, state.turn + (not _has(state, Seeding)))
    before = rest[: rest.index(seat)] if seat in rest else rest
    chooser = (state.turn,) if state.turn != seat and (begins or _has(state, Well)) else ()
    takers = len(before) + begins
    return Course(
        acting=running and state.turn == seat,
        has_turn=seat in rest or not ended,
        openers=chooser + before,
        takers=takers,
        ending=_between(state) or state.cubes_left <= takers,
    )


def _suppose(state: State, phase: Phase) -> State:
    return replace(state, stack=(phase,))


def _named(supposed: State) -> Ahead[State]:
    """Return the decision that is owed in a supposed position, with that position."""
    return Ahead(PHASES.present(supposed).decision(supposed), supposed)


def _market(state: State, seat: Seat, course: Course) -> Iterator[Ahead[State]]:
    """Yield the answer to the running market day, or else to the next one that another seat may begin."""
    day = next((phase for phase in state.stack if isinstance(phase, MarketDay)), None)
    if day is not None and seat in day.seats:
        free = day.free and day.seats[0] == seat
        running = _suppose(state, MarketDay((seat,), free=free))
        if market.asks(running):
            yield _named(running)
            return
    if _can_open(state, seat, course):
        coming = _suppose(replace(state, days=state.days + 1), MarketDay((seat,)))
        if market.asks(coming):
            yield _named(coming)


def _can_open(state: State, seat: Seat, course: Course) -> bool:
    """Return whether another seat can begin a market day before the next own turn."""
    if _has(state, Well) and state.turn != seat:
        return True
    if course.openers:
        size = state.tables.turn.well_cubes
        paying = any(True for opener in course.openers for _ in well_moves(state.families[opener], size))
        if paying or course.ending or any(state.board[SPACE_AT["market"]]):
            return True
    if state.trigger != NOBODY or not course.ending:
        return False
    if state.marker != NOBODY:
        return state.marker != seat
    return state.first != seat


def _death(state: State, seat: Seat, course: Course) -> Iterator[Ahead[State]]:
    """Yield who dies, if there is a choice and enough time can be spent."""
    supposed = _suppose(state, Death(seat))
    if not death.asks(supposed):
        return
    family = state.families[seat]
    time = 0
    if course.acting or course.has_turn:
        time += _dearest_turn(state)
    if _has(state, MarketDay) or _can_open(state, seat, course):
        surcharges = family.count(state.tables.market.cube) + family.count(COIN)
        time += surcharges * state.tables.market.time
    if family.due or family.step + time >= state.tables.life.steps:
        yield _named(supposed)


def _dearest_turn(state: State) -> int:
    """Return the most time that one turn can cost."""
    tables = state.tables
    actions = (
        *(building.train + building.make for building in tables.buildings),
        *(road.time for road in tables.roads),
        *tables.council_time.stages,
        tables.mill.time,
        tables.church.time,
        len(state.stalls) * tables.market.time,
    )
    return tables.turn.plague_time + max(actions)


def _mass(state: State, seat: Seat, course: Course) -> Iterator[Ahead[State]]:
    """Yield buying out and moving left at the mass of this round."""
    if _between(state):
        yield from _running_mass(state, seat)
    elif _mass_may_come(state, seat, course):
        acts = course.acting or course.has_turn
        family = state.families[seat]
        coin, inside = family.count(COIN) >= state.tables.church.coins, BAG in family.members
        yield from _redeem(state, seat, maybe=acts and (coin or inside))
        on_window = any(window in family.members for window in WINDOWS[:-1])
        yield from _rise(state, seat, maybe=inside or on_window or (acts and FARMYARD in family.members), grain=acts)


def _mass_may_come(state: State, seat: Seat, course: Course) -> bool:
    if state.trigger == NOBODY:
        return state.cubes_left <= course.takers + 1
    rest = state.last if state.final else last_turns(state)
    return seat not in rest or rest[-1] == seat


def _running_mass(state: State, seat: Seat) -> Iterator[Ahead[State]]:
    for phase in state.stack:
        if isinstance(phase, Redeeming) and seat in phase.seats:
            yield from _redeem(state, seat, maybe=False)
        elif isinstance(phase, Rising) and seat in phase.seats:
            inside = BAG in state.families[seat].members
            yield from _rise(state, seat, maybe=inside and _has(state, Drawing), grain=False)


def _redeem(state: State, seat: Seat, *, maybe: bool) -> Iterator[Ahead[State]]:
    """Yield buying out; *maybe*: the coin or the member may still come."""
    supposed = _suppose(replace(state, out=state.out if _between(state) else 0), Redeeming((seat,)))
    if mass.redeem_asks(supposed):
        yield _named(supposed)
    elif maybe:
        yield Ahead(mass.redeem_decision(supposed))


def _rise(state: State, seat: Seat, *, maybe: bool, grain: bool) -> Iterator[Ahead[State]]:
    """Yield moving left; *maybe*: a member may come to a window that allows it; *grain*: so may the grain."""
    supposed = _suppose(state, Rising((seat,)))
    if mass.rise_asks(supposed):
        yield _named(supposed)
    elif maybe and (grain or state.families[seat].count("grain") >= min(state.tables.windows.grain)):
        yield Ahead(mass.rise_decision(supposed))


def _turn(state: State, seat: Seat, course: Course) -> Iterator[Ahead[State]]:
    """Yield the next own turn; what lies on the board then cannot be told once it may be empty before."""
    if not course.has_turn:
        return
    free = state.trigger != NOBODY and not state.cubes_left
    if course.ending and not free:
        yield Ahead(Decision(seat, Turn.key, (("free", 0),)))
        return
    last = state.last[state.last.index(seat) + 1 :] if seat in state.last else ()
    family = replace(state.families[seat], due=0)
    yield _named(with_family(_suppose(replace(state, turn=seat, last=last), Turn()), seat, family))
