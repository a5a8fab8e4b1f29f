"""The mass: members leave the black bag, move left on the windows, and the majority scores."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import CHANCE, Decision, Seat, Step, event, fields
from engine.village.moves import COIN, Draw, Move, Pass, Redeem, Rise
from engine.village.rules.pieces import check_has, numbers_at, pay, relocate, score
from engine.village.state import (
    BAG,
    WINDOWS,
    Drawing,
    Majority,
    NextRound,
    Redeeming,
    Rising,
    Scoring,
    State,
    become,
    clockwise,
    pop,
    top,
)

GRAIN = "grain"
MONK = "monk"
LAST = len(WINDOWS)


def begin(state: State, after: NextRound | Scoring) -> Step[State]:
    """
    Return the state with a mass begun; *after* follows it.

    Source: rulebook: mass; the starting player of the round leads it.
    """
    seats = clockwise(state, state.first)
    stack = (after, Majority(), Rising(seats), Drawing(), Redeeming(seats))
    key = "village.last-mass" if isinstance(after, Scoring) else "village.mass"
    return Step(replace(state, stack=stack, out=0), (event(key, round=state.round, seat=state.first),))


def _left(state: State) -> int:
    """Return how many pieces have yet to leave the bag."""
    return state.tables.church.drawn - state.out


def redeem_asks(state: State) -> bool:
    """Return whether the next seat can buy a member out. Source: rulebook: mass; for coins only, until four are out."""
    family = state.families[top(state, Redeeming).seats[0]]
    return _left(state) > 0 and BAG in family.members and family.count(COIN) >= state.tables.church.coins


def redeem_decision(state: State) -> Decision:
    """Return the question whether the next seat buys a member out."""
    phase = top(state, Redeeming)
    return Decision(phase.seats[0], phase.key, fields(left=_left(state)), occasion=state.round)


def redeem_moves(state: State) -> Iterator[Move]:
    """Yield stopping, then the members in the bag."""
    yield Pass()
    yield from (Redeem(number) for number in numbers_at(state, top(state, Redeeming).seats[0], BAG))


def redeem(state: State, move: Redeem) -> Step[State]:
    """
    Return the state after a member was bought out of the bag.

    Raises: IllegalMoveError `redeem.nobody`.
    Source: rulebook: mass; the buyer picks which of the own members comes to the rightmost window.
    """
    seat = top(state, Redeeming).seats[0]
    if move.number not in numbers_at(state, seat, BAG):
        raise IllegalMoveError("redeem.nobody", number=move.number)
    coins = state.tables.church.coins
    state = relocate(pay(state, seat, *[COIN] * coins), seat, move.number, BAG, WINDOWS[0])
    told = event("village.redeemed", seat=seat, number=move.number, coins=coins)
    return Step(replace(state, out=state.out + 1), (told,))


def redeem_next(state: State) -> Step[State]:
    """Return the state in which the seat after is next, or all have had their turn. Source: rulebook: once round."""
    seats = top(state, Redeeming).seats[1:]
    return Step(become(state, Redeeming(seats)) if seats and _left(state) else pop(state))


def stop_redeeming(state: State, _move: Pass) -> Step[State]:
    """Return the state after the next seat has stopped buying."""
    passed = event("village.passed", seat=top(state, Redeeming).seats[0])
    return Step(redeem_next(state).state, (passed,))


def draw_asks(state: State) -> bool:
    """Return whether a piece is to be drawn. Source: rulebook: mass; four pieces leave the bag, monks among them."""
    return _left(state) > 0


def draw_decision(state: State) -> Decision:
    """Return the question which piece leaves the bag; each is equally likely."""
    return Decision(CHANCE, Drawing.key, fields(left=_left(state)), odds=tuple(odds for _, odds in _pieces(state)))


def draw_moves(state: State) -> Iterator[Draw]:
    """Yield a monk, then the members by seat and number."""
    return (piece for piece, _ in _pieces(state))


def _pieces(state: State) -> Iterator[tuple[Draw, int]]:
    yield Draw(MONK), state.monks  # one is always left while a piece is to be drawn: the table has enough
    for seat, family in enumerate(state.families):
        pairs = zip(state.tables.family.members, family.members, strict=True)
        inside = [number for number, spot in pairs if spot == BAG]
        for number in dict.fromkeys(inside):
            yield Draw(state.tables.players.colours[seat], number), inside.count(number)


def draw_piece(state: State, move: Draw) -> Step[State]:
    """
    Return the state after a piece has left the bag.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rulebook: mass.
    """
    if move not in draw_moves(state):
        raise IllegalMoveError("draw.not-there", what=move.what, number=move.number)
    state = replace(state, out=state.out + 1)
    if move.what == MONK:
        return Step(replace(state, monks=state.monks - 1), (event("village.monk"),))
    seat = Seat(state.tables.players.colours.index(move.what))
    state = relocate(state, seat, move.number, BAG, WINDOWS[0])
    return Step(state, (event("village.drawn", seat=seat, number=move.number),))


def end_draw(state: State) -> Step[State]:
    """Return the state with all monks back in the bag. Source: rulebook: mass."""
    return Step(replace(pop(state), monks=state.tables.church.monks))


def rise_asks(state: State) -> bool:
    """Return whether the next seat can move a member left."""
    return any(True for _ in _rises(state))


def _rises(state: State) -> Iterator[Rise]:
    seat = top(state, Rising).seats[0]
    grain = state.families[seat].count(GRAIN)
    for window, price in enumerate(state.tables.windows.grain, 1):
        if price <= grain:
            yield from (Rise(window, number) for number in numbers_at(state, seat, WINDOWS[window - 1]))


def rise_decision(state: State) -> Decision:
    """Return the question whether the next seat moves a member left."""
    phase = top(state, Rising)
    return Decision(phase.seats[0], phase.key, occasion=state.round)


def rise_moves(state: State) -> Iterator[Move]:
    """Yield stopping, then each step of one window."""
    yield Pass()
    yield from _rises(state)


def rise(state: State, move: Rise) -> Step[State]:
    """
    Return the state after a member has moved one window left.

    Raises: IllegalMoveError `rise.last-window`, `rise.nobody`, `price.short`.
    Source: rulebook: mass; for grain. How much is ours (table `windows`).
    """
    seat = top(state, Rising).seats[0]
    if move.window == LAST:
        raise IllegalMoveError("rise.last-window")
    origin, target = WINDOWS[move.window - 1 : move.window + 1]
    if move.number not in numbers_at(state, seat, origin):
        raise IllegalMoveError("rise.nobody", window=move.window, number=move.number)
    grain = state.tables.windows.grain[move.window - 1]
    check_has(state.families[seat], GRAIN, grain)
    state = relocate(pay(state, seat, *[GRAIN] * grain), seat, move.number, origin, target)
    told = event("village.rose", seat=seat, number=move.number, window=move.window + 1, grain=grain)
    return Step(state, (told,))


def rise_next(state: State) -> Step[State]:
    """Return the state in which the seat after is next, or all have had their turn. Source: rulebook: once each."""
    seats = top(state, Rising).seats[1:]
    return Step(become(state, Rising(seats)) if seats else pop(state))


def stop_rising(state: State, _move: Pass) -> Step[State]:
    """Return the state after the next seat has stopped moving."""
    passed = event("village.passed", seat=top(state, Rising).seats[0])
    return Step(rise_next(state).state, (passed,))


def majority(state: State) -> Step[State]:
    """
    Return the state after the majority on the windows has scored.

    Source: rulebook: mass; a tie goes to the member furthest left, then each scores. Our rulings "An empty church" and
            "The furthest window".
    """
    state = pop(state)
    strength = [_strength(family.members) for family in state.families]
    best = max(strength)
    if not best[0]:
        return Step(state, (event("village.no-majority"),))
    points = state.tables.church.majority
    seats = tuple(seat for seat, own in enumerate(strength) if own == best)
    for seat in seats:
        state = score(state, seat, points)
    return Step(state, (event("village.majority", seats=seats, points=points),))


def _strength(members: tuple[str, ...]) -> tuple[int, int]:
    """Return how many members stand on the windows, and the window furthest left that one stands on."""
    windows = [WINDOWS.index(spot) for spot in members if spot in WINDOWS]
    return len(windows), max(windows, default=-1)
