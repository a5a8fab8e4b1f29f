"""Crafts: train, make, buy, and the mill."""

from collections.abc import Iterator

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.village.components import Building
from engine.village.moves import COIN, Buy, Make, Mill, Move, Skip, Train
from engine.village.rules.pieces import (
    check_has,
    check_home,
    check_price,
    check_supply,
    gain,
    numbers_at,
    pay,
    payments,
    relocate,
)
from engine.village.rules.time import spend_time
from engine.village.state import FARMYARD, Produce, State, become, pop, top

GRAIN = "grain"


def options(state: State) -> Iterator[Move]:
    """Yield what can be made, bought, milled and trained. Source: rulebook: crafts; one good an action."""
    family = state.me
    buildings = state.tables.buildings
    for building in buildings:
        if numbers_at(state, state.turn, building.id):
            yield from (Make(good) for good in building.goods if state.stock(good))
    for building in buildings:
        if family.count(GRAIN) >= building.grain:
            for good in building.goods:
                if state.stock(good):
                    yield from (Buy(good, paid) for paid in payments(family, building.cubes))
    if family.count(GRAIN) >= state.tables.mill.grain:
        yield Mill()
    for building in buildings:
        yield from (Train(building.id, number) for number in numbers_at(state, state.turn, FARMYARD))


def moves(state: State) -> Iterator[Move]:
    """Yield leaving it, then the options."""
    yield Skip()
    yield from options(state)


def decision(state: State) -> Decision:
    """Return the question of a crafts action."""
    return Decision(state.turn, "village.crafts")


def train(state: State, move: Train) -> Step[State]:
    """
    Return the state after a member was trained; it may make its first good in the same action.

    Raises: IllegalMoveError `member.not-home`.
    Source: rulebook: crafts; production may follow. The times are reported or ours (table `buildings`). Our ruling
            "Goods run out": training alone stays possible.
    """
    seat = state.turn
    building = _building(state, move.building)
    check_home(state, seat, move.number)
    state = relocate(state, seat, move.number, FARMYARD, move.building)
    step = spend_time(state, building.train)
    told = event("village.trained", seat=seat, number=move.number, building=move.building, time=building.train)
    can_make = any(state.stock(good) for good in building.goods)
    state = become(step.state, Produce(move.building)) if can_make else pop(step.state)
    return Step(state, (told, *step.events))


def make(state: State, move: Make) -> Step[State]:
    """
    Return the state after a craftsman has made a good.

    Raises: IllegalMoveError `make.untrained`, `supply.short`.
    Source: rulebook: crafts; an own member on the building, who makes only its good.
    """
    building = state.tables.maker(move.good)
    if not numbers_at(state, state.turn, building.id):
        raise IllegalMoveError("make.untrained", good=move.good, building=building.id)
    return _make(state, building, move.good)


def _make(state: State, building: Building, good: str) -> Step[State]:
    seat = state.turn
    check_supply(state, good)
    step = spend_time(gain(pop(state), seat, good, 1), building.make)
    return Step(step.state, (event("village.made", seat=seat, good=good, time=building.make), *step.events))


def buy(state: State, move: Buy) -> Step[State]:
    """
    Return the state after a good was bought: no time, no member needed.

    Raises: IllegalMoveError `supply.short`, and those of a price.
    Source: rulebook: crafts; the prices are reported or ours (table `buildings`).
    """
    seat = state.turn
    building = state.tables.maker(move.good)
    check_supply(state, move.good)
    check_has(state.me, GRAIN, building.grain)
    check_price(state.me, building.cubes, move.pay)
    paid = (*move.pay, *[GRAIN] * building.grain)
    state = gain(pay(pop(state), seat, *paid), seat, move.good, 1)
    return Step(state, (event("village.bought", seat=seat, good=move.good, pay=paid),))


def mill(state: State, _move: Mill) -> Step[State]:
    """
    Return the state after time and grain were turned into coins.

    Raises: IllegalMoveError `price.short`.
    Source: rulebook: mill; our ruling "Coins run short": what is there is paid out.
    """
    seat = state.turn
    table = state.tables.mill
    check_has(state.me, GRAIN, table.grain)
    coins = min(table.coins, state.stock(COIN))
    state = gain(pay(pop(state), seat, *[GRAIN] * table.grain), seat, COIN, coins)
    step = spend_time(state, table.time)
    told = event("village.milled", seat=seat, coins=coins, grain=table.grain, time=table.time)
    return Step(step.state, (told, *step.events))


def produce_decision(state: State) -> Decision:
    """Return the question whether who was just trained makes a good."""
    return Decision(state.turn, Produce.key, fields(building=top(state, Produce).building))


def produce_moves(state: State) -> Iterator[Move]:
    """Yield leaving it, then the goods of the building."""
    yield Skip()
    building = _building(state, top(state, Produce).building)
    yield from (Make(good) for good in building.goods if state.stock(good))


def make_first(state: State, move: Make) -> Step[State]:
    """
    Return the state after who was just trained has made a good.

    Raises: IllegalMoveError `make.other`, `supply.short`.
    Source: rulebook: crafts; training and the first production are one action.
    """
    building = _building(state, top(state, Produce).building)
    if move.good not in building.goods:
        raise IllegalMoveError("make.other", good=move.good, building=building.id)
    return _make(state, building, move.good)


def _building(state: State, name: str) -> Building:
    return next(building for building in state.tables.buildings if building.id == name)
