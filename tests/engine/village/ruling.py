"""What the rule tests share on top of `positions`: short ways to a decision, and to what the table says."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.village import RULESET
from engine.village.components import Road
from engine.village.state import SECTIONS, THINGS, Scoring, State
from tests.engine.village.positions import COMPONENTS, numbers_at, owed, play, position, settled, texts

RICH = dict.fromkeys(("brown", "pink", "orange", "green"), 4) | {"wagon": 2}
"""Cubes and wagons enough for any price."""

ELSEWHERE = ["orange"]
"""Cubes for a space that only keeps the round from ending."""

Spots = Mapping[str, Sequence[int]]


def after(state: State, *lines: str) -> State:
    """The position after *lines*, each of which must stand in the list of what is legal."""
    for line in lines:
        assert line.split(": ")[1] in texts(state), line
        state, _ = play(state, line)
    return state


def each(seats: int, value: Mapping[str, Any]) -> dict[int, Mapping[str, Any]]:
    """*value* for every seat."""
    return dict.fromkeys(range(seats), value)


def acting(space: str, turn: int = 0, **values: Any) -> State:
    """A position in which seat *turn* has just taken an orange cube from *space*."""
    return after(position(turn=turn, **values), f"{turn}: take orange {space}")


def dying(spots: Spots, **values: Any) -> State:
    """
    The position after seat 0, with members on *spots*, has passed the bridge in a turn that did nothing else.

    Its plague cube comes from the travel space, where it can do nothing; other cubes are left.
    """
    family = {**values.pop("family", {}), 0: spots}
    board = values.pop("board", {"travel": ["plague"], "church": ELSEWHERE})
    state = position(board=board, family=family, step={0: COMPONENTS.life.steps - 1}, **values)
    return after(state, "0: take plague travel")


def finish(state: State, *seats: int) -> State:
    """The position after each of *seats* in turn has taken an orange cube from the church, and no more."""
    for seat in seats:
        assert owed(state) == (seat, "village.turn")
        state = after(state, f"{seat}: take orange church")
        state = after(state, f"{seat}: skip") if owed(state) == (seat, "village.church") else state
    return state


def scored(**values: Any) -> State:
    """The end of a game with these values."""
    state, _ = settled(position(phases=(Scoring(),), **{"board": {}, **values}))
    assert owed(state) == ()
    return state


def parts(state: State, seat: int = 0) -> dict[str, int]:
    """The points of *seat* by source."""
    return dict(RULESET.standings(state)[seat].parts)


def points(state: State, seat: int = 0) -> int:
    """The points of *seat*."""
    return RULESET.standings(state)[seat].points


def ranks(state: State) -> list[int]:
    """The ranks in seat order."""
    return [standing.rank for standing in RULESET.standings(state)]


def step_of(state: State, seat: int = 0) -> int:
    """Where the life marker of *seat* stands."""
    return state.families[seat].step


def change(before: State, now: State, seat: int = 0) -> dict[str, int]:
    """What *seat* has more (or less, below zero) than before, without the zeros."""
    pairs = zip(THINGS, before.families[seat].things, now.families[seat].things, strict=True)
    return {name: new - old for name, old, new in pairs if new != old}


def supply_change(before: State, now: State) -> dict[str, int]:
    """What the supply has more (or less, below zero) than before, without the zeros."""
    pairs = zip(THINGS, before.supply, now.supply, strict=True)
    return {name: new - old for name, old, new in pairs if new != old}


def starting(state: State, *words: str) -> list[str]:
    """The legal texts that begin with one of *words*."""
    return [text for text in texts(state) if text.split(" ")[0] in words]


def verbs(state: State) -> set[str]:
    """The first words of the legal texts."""
    return {text.split(" ")[0] for text in texts(state)}


def odds(state: State) -> dict[str, int]:
    """Weight of each draw that chance owes, by text."""
    (decision,) = RULESET.pending(state)
    return dict(zip(texts(state), decision.odds, strict=True))


def places(seats: int, area: str) -> int:
    """Places of a chronicle section, or of the graves, that are open by our table."""
    if area == "graves":
        return COMPONENTS.graves.places[seats - 2]
    return COMPONENTS.chronicle.places[seats - 2][SECTIONS.index(area)]


def crowded(
    seats: int, free: Mapping[str, int], family: Mapping[int, Spots] | None = None
) -> dict[int, dict[str, list[int]]]:
    """
    *family* with so many dead that each area of *free* has just that many places left.

    Areas are the sections and "graves"; areas not named get nobody. The dead are unborn members of the last seats, the
    highest numbers first; a seat that *family* does not name has its four 1s at home.
    """
    home = {"farmyard": [1, 1, 1, 1]}
    spots = {
        seat: {spot: list(numbers) for spot, numbers in (family or {}).get(seat, home).items()} for seat in range(seats)
    }
    unborn: list[tuple[int, int]] = []
    for seat in reversed(range(seats)):
        left = sorted(COMPONENTS.family.members, reverse=True)
        for number in (number for numbers in spots[seat].values() for number in numbers):
            left.remove(number)
        unborn.extend((seat, number) for number in left)
    for area, wanted in free.items():
        spot = "grave" if area == "graves" else f"chronicle-{area}"
        taken = sum(len(one.get(spot, ())) for one in spots.values())
        for seat, number in unborn[: places(seats, area) - taken - wanted]:
            spots[seat].setdefault(spot, []).append(number)
        del unborn[: places(seats, area) - taken - wanted]
    return spots


def road(one: str, other: str) -> Road:
    """The road between two places."""
    return next(road for road in COMPONENTS.roads if set(road.ends) == {one, other})


def toll(one: str, other: str) -> str:
    """The words that pay the road between two places with cubes."""
    return " ".join(road(one, other).cubes)


def where(state: State, seat: int, number: int) -> list[str]:
    """The spots of the members of *seat* with this *number*."""
    pairs = zip(state.tables.family.members, state.families[seat].members, strict=True)
    return [spot for one, spot in pairs if one == number]


def visible(state: State, seat: int, *spots: str) -> dict[str, list[int]]:
    """The numbers on each of *spots*."""
    return {spot: numbers_at(state, seat, spot) for spot in spots}
