"""Travel: one leg an action, to a city that gives its reward once."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Event, Step, event
from engine.village.components import CITIES, Road
from engine.village.moves import COIN, Depart, Move, Skip, Travel
from engine.village.rules.pieces import (
    check_has,
    check_home,
    check_price,
    gain,
    numbers_at,
    pay,
    payments,
    relocate,
    score,
)
from engine.village.rules.time import spend_time
from engine.village.state import FARMYARD, CubeChoice, State, pop, push, with_family

VILLAGE = "village"
WAGON = "wagon"


def options(state: State) -> Iterator[Move]:
    """Yield every journey that can be paid. Source: rulebook: travel; from home to a first city, or along one road."""
    for road, city in _roads_from(state, VILLAGE):
        for number in numbers_at(state, state.turn, FARMYARD):
            yield from (Depart(city, number, paid) for paid in _payments(state, road))
    for origin in CITIES:
        numbers = numbers_at(state, state.turn, origin)
        for road, city in _roads_from(state, origin) if numbers else ():
            if city != VILLAGE:
                for number in numbers:
                    yield from (Travel(origin, city, number, paid) for paid in _payments(state, road))


def _roads_from(state: State, place: str) -> Iterator[tuple[Road, str]]:
    for road in state.tables.roads:
        if place in road.ends:
            yield road, next(end for end in road.ends if end != place)


def _payments(state: State, road: Road) -> Iterator[tuple[str, ...]]:
    return payments(state.me, road.cubes) if state.me.count(WAGON) >= road.wagons else iter(())


def moves(state: State) -> Iterator[Move]:
    """Yield leaving it, then the options."""
    yield Skip()
    yield from options(state)


def decision(state: State) -> Decision:
    """Return the question of a travel action."""
    return Decision(state.turn, "village.travel")


def depart(state: State, move: Depart) -> Step[State]:
    """
    Return the state after a farmyard member has gone to a city next to the village.

    Raises: IllegalMoveError `member.not-home`, `travel.no-road`, and those of a price.
    Source: rulebook: travel.
    """
    seat = state.turn
    check_home(state, seat, move.number)
    road = _road(state, VILLAGE, move.city)
    step = _go(state, road, FARMYARD, move)
    told = event("village.departed", seat=seat, number=move.number, city=move.city, pay=move.pay, time=road.time)
    return Step(step.state, (told, *step.events))


def travel(state: State, move: Travel) -> Step[State]:
    """
    Return the state after a traveller has gone along one road.

    Raises: IllegalMoveError `travel.nobody`, `travel.no-road`, and those of a price.
    Source: rulebook: travel; a road serves both directions, and no leg leads back into the village.
    """
    seat = state.turn
    if move.number not in numbers_at(state, seat, move.origin):
        raise IllegalMoveError("travel.nobody", city=move.origin, number=move.number)
    road = _road(state, move.origin, move.city)
    step = _go(state, road, move.origin, move)
    told = event(
        "village.travelled",
        seat=seat,
        number=move.number,
        origin=move.origin,
        city=move.city,
        pay=move.pay,
        time=road.time,
    )
    return Step(step.state, (told, *step.events))


def _road(state: State, origin: str, city: str) -> Road:
    for road, end in _roads_from(state, origin):
        if end == city:
            return road
    raise IllegalMoveError("travel.no-road", origin=origin, city=city)


def _go(state: State, road: Road, origin: str, move: Depart | Travel) -> Step[State]:
    """Pay for a leg, place the member, and take the reward. The prices of the later legs are ours (table `roads`)."""
    seat = state.turn
    check_has(state.me, WAGON, road.wagons)
    check_price(state.me, road.cubes, move.pay)
    state = pay(pop(state), seat, *[WAGON] * road.wagons, *move.pay)
    spent = spend_time(relocate(state, seat, move.number, origin, move.city), road.time)
    arrived = _arrive(spent.state, move.city)
    return Step(arrived.state, spent.events + arrived.events)


def _arrive(state: State, name: str) -> Step[State]:
    """
    Return the state after the reward of a city, given once to a family, with its marker.

    Source: rulebook: travel; which later city gives what is ours (table `cities`). Our ruling "Coins run short".
    """
    seat = state.turn
    family = state.me
    if name in family.cities:
        return Step(state, (event("village.city-known", seat=seat, city=name),))
    marked = tuple(city for city in CITIES if city in family.cities or city == name)
    state = with_family(state, seat, replace(family, cities=marked))
    city = state.tables.city(name)
    events: list[Event] = []
    if city.points:
        state = score(state, seat, city.points)
        events.append(event("village.city-points", seat=seat, city=name, points=city.points))
    if city.coins:
        coins = min(city.coins, state.stock(COIN))
        state = gain(state, seat, COIN, coins)
        events.append(event("village.city-coins", seat=seat, city=name, coins=coins))
    if city.cubes:
        state = push(state, CubeChoice(city.cubes))
        events.append(event("village.city-cubes", seat=seat, city=name, count=city.cubes))
    return Step(state, tuple(events))
