"""Villager cards: who pays, and what each ability does. Scrap stands in `placing.py`."""

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.tiny_towns.components import RESOURCES
from engine.tiny_towns.layouts import NUMBER, SQUARES, Squares, wanted
from engine.tiny_towns.moves import Activate, Build, Give, Replace
from engine.tiny_towns.rules import building, effects
from engine.tiny_towns.rules.pieces import names, numbers
from engine.tiny_towns.state import (
    RESOURCE_AT,
    Ability,
    Foraging,
    Giving,
    Phase,
    Renovating,
    State,
    Town,
    become,
    pop,
    push,
    top,
    with_town,
)

SCRAP, FORAGE, RENOVATE, COOPERATE = "scrap", "forage", "renovate", "cooperate"
CUT_CORNERS, INNOVATE = building.CUT_CORNERS, building.INNOVATE


# --- paying ---


def payers(state: State, seat: int, helper: str) -> Iterator[tuple[str, ...]]:
    """Yield every choice of workers who can pay for *helper*. Source: rule summary: the cost; who pays is free."""
    workers = state.town(seat).workers
    for squares in combinations(workers, state.tables.helper(helper).cost):
        yield names(squares)


def pay(state: State, seat: int, helper: str, squares: tuple[str, ...]) -> State:
    """
    Return the state after the workers of *squares* have gone to the Lodge.

    Raises: IllegalMoveError `ability.not-open`, `ability.cost`, `ability.nobody`, `ability.order`.
    Source: rule summary: the cost is paid with villagers at work, who go to the Lodge.
    """
    if helper not in state.helpers:
        raise IllegalMoveError("ability.not-open", helper=helper)
    cost = state.tables.helper(helper).cost
    if len(squares) != cost or len(set(squares)) != cost:
        raise IllegalMoveError("ability.cost", helper=helper, need=cost)
    town = state.town(seat)
    paid = numbers(squares)
    for at, square in zip(paid, squares, strict=True):
        if at not in town.workers:
            raise IllegalMoveError("ability.nobody", square=square)
    if list(paid) != sorted(paid):
        raise IllegalMoveError("ability.order", squares=names(tuple(sorted(paid))))
    workers = tuple(at for at in town.workers if at not in paid)
    return with_town(state, seat, replace(town, workers=workers, lodge=town.lodge + cost))


# --- activating ---


def activations(state: State, seat: int) -> Iterator[Activate]:
    """Yield every ability that can be paid and does something. Source: rule summary: as often as workers last."""
    for helper in state.helpers:
        paid = list(payers(state, seat, helper)) if helper != SCRAP else []
        if paid and can_use(state, seat, helper):
            yield from (Activate(helper, squares) for squares in paid)


def can_use(state: State, seat: int, helper: str) -> bool:
    """Return whether the ability of *helper*, once paid, could do something."""
    if helper == FORAGE:
        return bool(state.town(seat).empty)
    if helper == RENOVATE:
        return any(True for _ in effects.replacements(state, seat))
    if helper == COOPERATE:
        return any(True for _ in cooperations(state, seat))
    return building.can_build(state, seat, helper)


def activate(state: State, seat: int, move: Activate) -> Step[State]:
    """
    Return the state after the ability was paid and has begun; it is settled before anything else.

    Raises: IllegalMoveError `ability.scrap`, `ability.nothing`, and what `pay` raises.
    Source: rule summary: activating abilities. Our ruling "An ability that does nothing cannot be activated".
    """
    if move.helper == SCRAP:
        raise IllegalMoveError("ability.scrap")
    paid = pay(state, seat, move.helper, move.squares)
    if not can_use(paid, seat, move.helper):
        raise IllegalMoveError("ability.nothing", helper=move.helper)
    begun: dict[str, Phase] = {
        FORAGE: Foraging(),
        RENOVATE: Renovating(),
        COOPERATE: Ability("cooperate"),
        CUT_CORNERS: Ability("cut-corners"),
        INNOVATE: Ability("innovate"),
    }
    told = event("towns.activated", seat=seat, helper=move.helper, squares=move.squares)
    return Step(push(paid, seat, begun[move.helper]), (told,))


# --- Cut Corners, Innovate ---


def ability_decision(state: State, seat: int) -> Decision:
    """Return the question which building an ability constructs."""
    return Decision(state.seats[seat], top(state, seat, Ability).key)


def ability_moves(state: State, seat: int) -> Iterator[Build]:
    """Yield every card and square for which the ability is good."""
    name = top(state, seat, Ability).name
    return cooperations(state, seat) if name == COOPERATE else building.builds(state, seat, name)


def build(state: State, seat: int, move: Build) -> Step[State]:
    """
    Return the state after a construction by the help of the ability that was paid; raises as `building.build` does.

    Source: rule summary: one ability at most for one construction.
    """
    name = top(state, seat, Ability).name
    if name == COOPERATE:
        return _cooperate(state, seat, move)
    return building.build_with(state, seat, move, name)


# --- Cooperate ---


def cooperations(state: State, seat: int) -> Iterator[Build]:
    """Yield every card whose cubes lie anywhere in town, with every square of a cube that can serve."""
    town = state.town(seat)
    for card in building.cards_of(state, seat):
        wants = wanted(state.tables.card(card).layout)
        if _lacks(town, wants) <= len(town.wild()):
            for at, cube in enumerate(town.cubes):
                if cube and wants[RESOURCE_AT[cube]]:
                    yield Build(card, SQUARES[at])


def _lacks(town: Town, wants: tuple[int, ...]) -> int:
    """Return how many of the cubes wanted are not in town."""
    counts = zip(wants, RESOURCES, strict=True)
    return sum(max(0, want - town.cubes.count(resource)) for want, resource in counts)


def _cooperate(state: State, seat: int, move: Build) -> Step[State]:
    building.check_may_construct(state, seat, move.card)
    possible = tuple(one.square for one in cooperations(state, seat) if one.card == move.card)
    if not possible:
        raise IllegalMoveError("build.cubes", card=move.card)
    if move.square not in possible:
        raise IllegalMoveError("build.square", card=move.card, square=move.square, squares=possible)
    at = NUMBER[move.square]
    wants = wanted(state.tables.card(move.card).layout)
    needs = [resource for resource, want in zip(RESOURCES, wants, strict=True) for _ in range(want)]
    needs.remove(state.town(seat).cubes[at])
    return Step(become(state, seat, Giving(move.card, at, tuple(needs), (at,))))


def _givers(state: State, seat: int, phase: Giving) -> Squares:
    """
    Return the squares that can give the next cube, so that the rest can still be given.

    Cubes of one resource are given in the order of their squares, then Trading Posts stand in: each set comes up once.
    """
    town = state.town(seat)
    resource = phase.needs[0]
    count = phase.needs.count(resource)
    posts = tuple(at for at in town.wild() if at not in phase.posts)
    spare = len(posts) - sum(
        max(0, phase.needs.count(other) - len(_untaken(town, phase, other)))
        for other in dict.fromkeys(phase.needs)
        if other != resource
    )
    last = max((at for at in phase.taken[1:] if town.cubes[at] == resource), default=-1)
    cubes = tuple(at for at in _untaken(town, phase, resource) if at > last and phase.stood != resource)
    return cubes[: max(0, len(cubes) - count + spare + 1)] + (posts[:1] if spare >= count else ())


def _untaken(town: Town, phase: Giving, resource: str) -> Squares:
    return tuple(at for at, cube in enumerate(town.cubes) if cube == resource and at not in phase.taken)


def give_asks(state: State, seat: int) -> bool:
    """Return whether there is a choice of the next cube."""
    phase = top(state, seat, Giving)
    return bool(phase.needs) and len(_givers(state, seat, phase)) > 1


def give_on(state: State, seat: int) -> Step[State]:
    """Return the state after the next cube was given without asking, or the building was constructed."""
    phase = top(state, seat, Giving)
    if phase.needs:
        return Step(_given(state, seat, phase, _givers(state, seat, phase)[0]))
    return building.construct(pop(state, seat), seat, phase.card, phase.square, tuple(sorted(phase.taken)))


def give_decision(state: State, seat: int) -> Decision:
    """Return the question which cube is given."""
    phase = top(state, seat, Giving)
    return Decision(state.seats[seat], phase.key, fields(card=phase.card, resource=phase.needs[0]))


def give_moves(state: State, seat: int) -> Iterator[Give]:
    """Yield the squares that can give the next cube."""
    return (Give(SQUARES[at]) for at in _givers(state, seat, top(state, seat, Giving)))


def give(state: State, seat: int, move: Give) -> Step[State]:
    """
    Return the state after one more cube was given, or a Trading Post stands in for it.

    Raises: IllegalMoveError `give.square`.
    Source: rule summary: cubes from any squares. Our ruling "Villager cards".
    """
    phase = top(state, seat, Giving)
    possible = _givers(state, seat, phase)
    if NUMBER[move.square] not in possible:
        raise IllegalMoveError("give.square", square=move.square, resource=phase.needs[0], squares=names(possible))
    return Step(_given(state, seat, phase, NUMBER[move.square]))


def _given(state: State, seat: int, phase: Giving, square: int) -> State:
    needs = phase.needs[1:]
    if state.town(seat).cubes[square]:
        return become(state, seat, replace(phase, needs=needs, taken=(*phase.taken, square)))
    return become(state, seat, replace(phase, needs=needs, posts=(*phase.posts, square), stood=phase.needs[0]))


# --- Forage, Renovate ---


def forage_decision(state: State, seat: int) -> Decision:
    """Return the question which resource is foraged."""
    return Decision(state.seats[seat], Foraging.key)


def renovate_decision(state: State, seat: int) -> Decision:
    """Return the question which building is renovated."""
    return Decision(state.seats[seat], Renovating.key)


def renovate(state: State, seat: int, move: Replace) -> Step[State]:
    """Return the state after a building was renovated; raises as `effects.replace_building` does."""
    return effects.replace_building(pop(state, seat), seat, move)
