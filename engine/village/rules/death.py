"""Death: who must die, and the place in the chronicle or among the anonymous graves."""

from collections.abc import Iterator

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.village.moves import Bury
from engine.village.rules.end import check_trigger
from engine.village.rules.pieces import relocate
from engine.village.state import (
    GRAVE,
    REMOVED,
    SECTION_OF,
    SECTIONS,
    VISIBLE,
    Death,
    State,
    become,
    pop,
    top,
)


def victims(state: State, seat: int) -> tuple[int, tuple[str, ...]]:
    """
    Return the lowest number among the visible members of *seat*, and the spots where members with it stand, if any.

    Source: rulebook: a member of the oldest generation dies, and must be visible; not in the bag, not unborn.
    """
    pairs = zip(state.tables.family.members, state.families[seat].members, strict=True)
    visible = [(number, spot) for number, spot in pairs if spot in SECTION_OF]
    lowest = min((number for number, _ in visible), default=0)
    spots = [spot for number, spot in visible if number == lowest]
    return lowest, tuple(spot for spot in VISIBLE if spot in spots)


def asks(state: State) -> bool:
    """
    Return whether there is a choice.

    Source: our ruling "A death without a choice": candidates on one spot are alike.
    """
    return len(victims(state, top(state, Death).seat)[1]) > 1


def decision(state: State) -> Decision:
    """Return the question who dies."""
    death = top(state, Death)
    return Decision(death.seat, death.key, fields(number=victims(state, death.seat)[0]))


def moves(state: State) -> Iterator[Bury]:
    """Yield one answer for each spot."""
    for spot in victims(state, top(state, Death).seat)[1]:
        yield Bury(spot)


def bury(state: State, move: Bury) -> Step[State]:
    """
    Return the state after the member on this spot has died.

    Raises: IllegalMoveError `bury.nobody`.
    Source: rulebook: among members of the lowest number the player chooses.
    """
    number, spots = victims(state, top(state, Death).seat)
    if move.spot not in spots:
        raise IllegalMoveError("bury.nobody", spot=move.spot, number=number)
    return _lay(state, number, move.spot)


def settle(state: State) -> Step[State]:
    """
    Return the state after a death without a choice.

    Source: our rulings "A death without a choice" and "Nobody visible": then nobody dies, and no death is owed later.
    """
    death = top(state, Death)
    number, spots = victims(state, death.seat)
    if not spots:
        return Step(pop(state), (event("village.nobody-dies", seat=death.seat),))
    return _lay(state, number, spots[0])


def _lay(state: State, number: int, spot: str) -> Step[State]:
    """
    Return the state after the dead member has got its place.

    Source: rulebook: a free place of the section must be taken; else a grave; with neither it leaves the game.
    """
    death = top(state, Death)
    seat = death.seat
    section = SECTION_OF[spot]
    if free_places(state, section) > 0:
        target, told = (
            f"chronicle-{section}",
            event("village.chronicled", seat=seat, number=number, spot=spot, section=section),
        )
    elif free_graves(state) > 0:
        target, told = GRAVE, event("village.buried", seat=seat, number=number, spot=spot)
    else:
        target, told = REMOVED, event("village.removed", seat=seat, number=number, spot=spot)
    state = relocate(state, seat, number, spot, target)
    state = become(state, Death(seat, death.count - 1)) if death.count > 1 else pop(state)
    full = _full_area(state, target)
    step = check_trigger(state, seat, full)
    return Step(step.state, (told, *step.events))


def _full_area(state: State, target: str) -> str:
    """Return the area whose last place was just taken by laying a member on *target*, or ""."""
    if target == GRAVE:
        return "graves" if free_graves(state) == 0 else ""
    if target == REMOVED:
        return ""
    return "" if any(free_places(state, section) for section in SECTIONS) else "chronicle"


def free_places(state: State, section: str) -> int:
    """
    Return how many places of a chronicle section are free.

    Source: rulebook: places marked for more players are blocked; the numbers are ours (table `chronicle`).
    """
    places = state.tables.chronicle.places[len(state.families) - 2]
    return places[SECTIONS.index(section)] - _laid(state, f"chronicle-{section}")


def free_graves(state: State) -> int:
    """Return how many anonymous graves are free. Source: as for the chronicle (table `graves`)."""
    return state.for_seats(state.tables.graves.places) - _laid(state, GRAVE)


def _laid(state: State, spot: str) -> int:
    return sum(family.members.count(spot) for family in state.families)
