"""The market day, and the customers who come after it."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import CHANCE, Decision, Step, event, fields
from engine.village.components import Customer
from engine.village.moves import COIN, Draw, Move, Pass, Sell
from engine.village.rules.pieces import check_has, check_price, pay
from engine.village.rules.time import advance_marker, bridge_events
from engine.village.state import (
    Death,
    Family,
    Layout,
    MarketDay,
    NextRound,
    Round,
    Scoring,
    State,
    become,
    clockwise,
    pop,
    push,
    top,
    with_family,
)

GRAIN = "grain"


def open_day(state: State) -> Step[State]:
    """
    Return the state with a market day begun by the seat whose turn it is.

    Source: rulebook: the day is held whether or not anybody can or will sell; the first sale of who began it is free.
    """
    state = replace(state, days=state.days + 1)
    state = push(state, MarketDay(clockwise(state, state.turn), free=True))
    return Step(state, (event("village.market", day=state.days, seat=state.turn),))


def asks(state: State) -> bool:
    """Return whether the next seat can serve a customer. Source: rulebook: who cannot sell is out."""
    return any(True for _ in sales(state))


def decision(state: State) -> Decision:
    """Return the question of the next seat on a market day."""
    day = top(state, MarketDay)
    return Decision(day.seats[0], day.key, fields(day=state.days, free=int(day.free)), occasion=state.days)


def moves(state: State) -> Iterator[Move]:
    """Yield passing, then the sales."""
    yield Pass()
    yield from sales(state)


def sales(state: State) -> Iterator[Sell]:
    """Yield every sale that the next seat can make, if there is one, from the head of the line on."""
    day = top(state, MarketDay)
    if not day.seats:
        return
    family = state.families[day.seats[0]]
    surcharges = ("",) if day.free else tuple(what for what in (state.tables.market.cube, COIN) if family.count(what))
    for name in state.stalls:
        if name and can_serve(family, state.tables.customer(name)):
            for surcharge in surcharges:
                yield Sell(name, surcharge)


def can_serve(family: Family, customer: Customer) -> bool:
    """Return whether *family* has what *customer* asks for."""
    return family.count(GRAIN) >= customer.grain and all(
        family.count(good) >= customer.goods.count(good) for good in customer.goods
    )


def sell(state: State, move: Sell) -> Step[State]:
    """
    Return the state after a sale; it is the next seat's turn.

    Raises: IllegalMoveError `market.in-line`, `market.no-customer`, `market.surcharge`, `market.no-surcharge`, and
            those of a price.
    Source: rulebook: market; every sale but the first of who began the day costs a green cube and time more, and a
            death on a market day comes at once.
    """
    day = top(state, MarketDay)
    seat = day.seats[0]
    family = state.families[seat]
    if move.customer not in state.stalls:
        reason = "market.in-line" if move.customer in state.line else "market.no-customer"
        raise IllegalMoveError(reason, customer=move.customer)
    customer = state.tables.customer(move.customer)
    for good in customer.goods:
        check_has(family, good, customer.goods.count(good))
    check_has(family, GRAIN, customer.grain)
    surcharge = _check_surcharge(state, family, day, move)
    time = 0 if day.free else state.tables.market.time
    state = pay(state, seat, *customer.goods, *[GRAIN] * customer.grain, *surcharge)
    served = state.families[seat]
    state = with_family(state, seat, replace(served, customers=(*served.customers, move.customer)))
    state = replace(state, stalls=tuple("" if name == move.customer else name for name in state.stalls))
    state, crossed = advance_marker(state, seat, time)
    state = become(state, MarketDay((*day.seats[1:], seat), sold=True))
    if crossed:
        state = push(state, Death(seat, crossed))
    told = event("village.sold", seat=seat, customer=move.customer, pay=surcharge, time=time)
    return Step(state, (told, *bridge_events(seat, crossed)))


def _check_surcharge(state: State, family: Family, day: MarketDay, move: Sell) -> tuple[str, ...]:
    cube = state.tables.market.cube
    if day.free:
        if move.pay:
            raise IllegalMoveError("market.no-surcharge")
        return ()
    if not move.pay:
        raise IllegalMoveError("market.surcharge", cube=cube)
    check_price(family, (cube,), (move.pay,))
    return (move.pay,)


def leave(state: State, _move: Pass) -> Step[State]:
    """Return the state after the next seat has passed. Source: rulebook: who passes is out for the day."""
    day = top(state, MarketDay)
    return Step(_without_first(state, day), (event("village.passed", seat=day.seats[0]),))


def _without_first(state: State, day: MarketDay) -> State:
    return become(state, replace(day, seats=day.seats[1:], free=False))


def go_on(state: State) -> Step[State]:
    """
    Return the state after the next seat, which cannot sell, is out; or after the day has ended.

    Source: rulebook: the day ends when no stall has a customer or nobody is left; then the line moves up, then the pile
            fills it. Nothing moves if nothing was sold.
    """
    day = top(state, MarketDay)
    if day.seats and any(state.stalls):
        return Step(_without_first(state, day), (event("village.cannot-sell", seat=day.seats[0]),))
    over = event("village.market-over", day=state.days)
    if not day.sold:
        return Step(pop(state), (over,))
    return Step(close_up(become(state, Layout())), (over,))


def close_up(state: State) -> State:
    """
    Return the state after the line has moved up into the empty stalls.

    Source: our ruling "The line moves up": the first who waits goes to the empty stall nearest the head of the line.
    """
    line = list(state.line)
    stalls = tuple(name or (line.pop(0) if line else "") for name in state.stalls)
    return replace(state, stalls=stalls, line=tuple(line))


def layout_asks(state: State) -> bool:
    """Return whether a customer is to be drawn; never in a supposed position, which must not draw."""
    full = len(state.stalls) + state.tables.stalls.line
    there = sum(map(bool, state.stalls)) + len(state.line)
    supposed = not isinstance(state.stack[0], Round | NextRound | Scoring)
    return there < full and bool(state.pile) and not supposed


def layout_decision(state: State) -> Decision:
    """Return the question which customer comes; each of the pile is equally likely."""
    return Decision(CHANCE, Layout.key, odds=(1,) * len(state.pile))


def layout_moves(state: State) -> Iterator[Draw]:
    """Yield every customer of the pile."""
    return (Draw(name) for name in state.pile)


def draw_customer(state: State, move: Draw) -> Step[State]:
    """
    Return the state after a customer has come to the tail of the line.

    Raises: IllegalMoveError `draw.not-there`.
    Source: rulebook: set-up and market.
    """
    if move.number or move.what not in state.pile:
        raise IllegalMoveError("draw.not-there", what=move.what, number=move.number)
    pile = tuple(name for name in state.pile if name != move.what)
    return Step(close_up(replace(state, pile=pile, line=(*state.line, move.what))))


def end_layout(state: State) -> Step[State]:
    """Return the state after all customers have come who can."""
    return Step(pop(state), (event("village.customers", stalls=state.stalls, line=state.line),))
