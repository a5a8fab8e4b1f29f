"""What the rule tests share on top of `positions`: short ways to a total, and to what the table and the score say."""

from typing import Any

from engine.core.types import CHANCE
from engine.my_village import RULESET
from engine.my_village.state import State
from tests.engine.my_village.positions import COMPONENTS, after, owed, position, texts

TOTALS = range(2, 13)
LAP = COMPONENTS.time.lap
BLACK_HOURS = COMPONENTS.black_die.hours
TILE = COMPONENTS.tile.numbers


def faces(total: int) -> str:
    """Two faces that make *total*, the lower first."""
    low = max(1, total - 6)
    return f"{low} {total - low}"


def having(total: int, **values: Any) -> State:
    """A position, as `position` builds it, in which seat 0 has dice of *total* and is asked for flags."""
    return position(dice=faces(total), **values)


def building(good: str, total: int) -> str:
    """A building that makes *good* with *total*."""
    return next(card.id for card in COMPONENTS.craft.values() if card.good == good and total in card.white)


def customer(total: int, *goods: str) -> str:
    """A customer who is served with *total* and asks for exactly *goods*."""
    wanted = (tuple(sorted(goods)), (total,))
    return next(one.id for one in COMPONENTS.customers.cards if (tuple(sorted(one.goods)), one.white) == wanted)


def work(name: str) -> int:
    """The hours of a use of a building or customer."""
    return (COMPONENTS.craft.get(name) or COMPONENTS.customer[name]).work


def hours(state: State, seat: int = 0) -> int:
    """The hours that *seat* has spent since the start."""
    return state.villages[seat].hours


def buys(state: State) -> list[str]:
    """The cards that can be bought now by their name."""
    return [text.removeprefix("buy ") for text in texts(state) if text.startswith("buy ")]


def whites(state: State) -> list[str]:
    """The uses of white flags that are possible now."""
    black = ("done", "house", "steward", "hand", "travel", "buy")
    return [text for text in texts(state) if text.split()[0] not in black]


def asked(state: State) -> tuple[int, str]:
    """Who is asked, and the key of what."""
    decision = owed(state)
    assert decision is not None
    return decision.seat, decision.key


def dying(mine: dict[str, Any] | None = None, **values: Any) -> State:
    """
    The position after seat 0 has passed the bridge by an idle hour.

    It is asked who dies; with one villager left the rat is rolled for.
    """
    return after(position(dice="3 4", mine={"hours": LAP - 1, **(mine or {})}, **values), "done")


def rolled(state: State, face: int = 1) -> State:
    """The position after the rat, which is due, was rolled for."""
    assert (CHANCE, "my.rat") == asked(state)
    return after(state, f"roll {face}")


def parts(state: State, seat: int = 0) -> dict[str, int]:
    """The points of *seat* by source."""
    return dict(RULESET.standings(state)[seat].parts)


def points(state: State, seat: int = 0) -> int:
    """The points of *seat*."""
    return RULESET.standings(state)[seat].points


def ranks(state: State) -> list[int]:
    """The ranks in seat order."""
    return [standing.rank for standing in RULESET.standings(state)]


def window(monks: int) -> int:
    """The points of so many monks at the window."""
    return COMPONENTS.window.points[min(monks, len(COMPONENTS.window.points) - 1)]
