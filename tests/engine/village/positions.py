"""
Build positions of Village readably, and play on from them.

    state = position(
        seats=3,
        turn=0,
        board={"council": ["green", "plague"]},
        family={0: {"farmyard": [1, 1], "office": [2], "bag": [1]}},
        things={0: {"scroll": 1, "green": 1, "coin": 2}, 1: {"wagon": 1}},
        step={0: 9},
    )
    state, events = play(state, "0: take green council", "0: enter 1 scroll", "0: skip")
    assert ("village.entered", {"seat": 0, "number": 1, "pay": ("scroll",), "time": 1}) in told(events)

Nothing is there unless it is named: no grain, no coin, no cube in hand or on the board. The supply is what is left of
the printed stock. Members that are not named are unborn; a seat that `family` does not name has its four 1s at home.
`owed`, `texts`, `refusal`, `at`, `numbers_at` ask a state; `draw_all` plays whatever chance owes (first of the list).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.ruleset import make_config
from engine.core.types import CHANCE, Event, Seat
from engine.registry import packaged_tables
from engine.village import RULESET
from engine.village.components import Components, read_components
from engine.village.phases import PHASES
from engine.village.state import CUBES, SPACES, SPOT_AT, THINGS, Family, NextRound, Phase, Round, State, Turn

TABLES = packaged_tables("village")
COMPONENTS: Components = read_components(TABLES)
CUSTOMERS = tuple(tile.id for tile in COMPONENTS.customers.tiles)


def start(seats: int = 4, first: int = 0) -> State:
    """A game as set up, before the first customer is drawn."""
    config = make_config(seats, {"first": str(first)}, allowed=RULESET.seats, options=RULESET.options)
    return RULESET.setup(config, TABLES)


def counts(names: Sequence[str], given: Mapping[str, int] | Sequence[str]) -> tuple[int, ...]:
    """Counts in the order of *names*, from a mapping or from a list of words."""
    assert set(given) <= set(names), f"{given} are not all of {names}"
    if isinstance(given, Mapping):
        return tuple(given.get(name, 0) for name in names)
    return tuple(list(given).count(name) for name in names)


def make_family(components: Components, spots: Mapping[str, Sequence[int]] | None, **values: Any) -> Family:
    """A family with its members on *spots* ({"office": [2]}); None: the four 1s at home. Not named: unborn."""
    numbers = components.family.members
    spots = {"farmyard": [number for number in numbers if number == components.family.home]} if spots is None else spots
    where: dict[int, list[str]] = {number: [] for number in numbers}
    for spot, there in spots.items():
        assert spot in SPOT_AT, f"{spot} is no spot"
        for number in there:
            where[number].append(spot)
    members: list[str] = []
    for number in sorted(set(numbers)):
        unborn = numbers.count(number) - len(where[number])
        assert unborn >= 0, f"there are not so many {number}s"
        members.extend(sorted([*where[number], *["unborn"] * unborn], key=SPOT_AT.__getitem__))
    return Family(members=tuple(members), **values)


def position(
    seats: int = 2,
    turn: int = 0,
    *,
    board: Mapping[str, Sequence[str]] | None = None,
    bag: Mapping[str, int] | Sequence[str] = (),
    family: Mapping[int, Mapping[str, Sequence[int]]] | None = None,
    things: Mapping[int, Mapping[str, int]] | None = None,
    step: Mapping[int, int] | None = None,
    due: Mapping[int, int] | None = None,
    prestige: Mapping[int, int] | None = None,
    cities: Mapping[int, Sequence[str]] | None = None,
    served: Mapping[int, Sequence[str]] | None = None,
    stalls: Sequence[str] | None = None,
    line: Sequence[str] | None = None,
    pile: Sequence[str] | None = None,
    first: int = 0,
    marker: int = -1,
    trigger: int = -1,
    final: bool = False,
    last: Sequence[int] = (),
    round: int = 1,  # noqa: A002 - the word of the rulebook
    days: int = 0,
    out: int = 0,
    phases: Sequence[Phase] = (Round(), Turn()),
    components: Components = COMPONENTS,
) -> State:
    """
    A position in which seat *turn* begins its turn (other *phases* put something else).

    board     space -> cubes on it, "plague" included; default: one orange cube on every space
    bag       cubes in the green bag, by colour or as a list
    family    seat -> spot -> numbers; spots are those of `engine.village.state.SPOTS`, e.g. "bag", "grave", "unborn",
              "chronicle-crafts", "stage-2", "window-1"
    things    seat -> what it owns: colours, goods, "grain", "coin"
    step      seat -> step of the life track; due: deaths that wait for the end of the turn
    stalls    customers in front ("" an empty stall); default: the first of the table, as many as the seats allow
    line      those who wait; default: the next five of the table; pile: default all that are nowhere else
    last      with final=True: seats still to have a last turn, after the present one
    """
    board = dict.fromkeys(SPACES, ("orange",)) if board is None else board
    assert set(board) <= set(SPACES), f"{board} names no space"
    families = tuple(
        make_family(
            components,
            (family or {}).get(seat),
            things=counts(THINGS, (things or {}).get(seat, {})),
            cities=tuple((cities or {}).get(seat, ())),
            customers=tuple((served or {}).get(seat, ())),
            step=(step or {}).get(seat, 0),
            due=(due or {}).get(seat, 0),
            prestige=(prestige or {}).get(seat, 0),
        )
        for seat in range(seats)
    )
    gone = [name for one in families for name in one.customers]
    front = components.stalls.open[seats - 2]
    free = [name for name in CUSTOMERS if name not in [*gone, *(stalls or ()), *(line or ()), *(pile or ())]]
    stalls = [free.pop(0) for _ in range(front)] if stalls is None else [*stalls, *[""] * (front - len(stalls))]
    line = [free.pop(0) for _ in range(components.stalls.line)] if line is None else line
    laid = tuple(counts(CUBES, board.get(space, ())) for space in SPACES)
    held = counts(CUBES, bag)
    stock = components.stock
    whole = dict.fromkeys(CUBES, stock.cubes) | dict.fromkeys(THINGS[len(CUBES) : -2], stock.goods)
    whole |= {"plague": stock.plague, "grain": stock.grain, "coin": stock.coins}
    supply = tuple(
        whole[name]
        - sum(one.things[at] for one in families)
        - (sum(cubes[at] for cubes in laid) + held[at] if at < len(CUBES) else 0)
        for at, name in enumerate(THINGS)
    )
    assert min(supply) >= 0, f"more is placed than there is: {dict(zip(THINGS, supply, strict=True))}"
    return State(
        tables=components,
        families=families,
        supply=supply,
        stack=tuple(phases),
        stalls=tuple(stalls),
        line=tuple(line),
        pile=tuple(free if pile is None else pile),
        monks=components.church.monks,
        green_bag=held,
        board=laid,
        first=Seat(first),
        marker=Seat(marker),
        round=round,
        turn=Seat(turn),
        days=days,
        out=out,
        trigger=Seat(trigger),
        final=final,
        last=tuple(Seat(seat) for seat in last),
    )


def settled(state: State) -> tuple[State, tuple[Event, ...]]:
    """Let the rules move on by themselves until somebody owes a decision (for positions with odd *phases*)."""
    step = PHASES.settle(state)
    return step.state, step.events


def at_mass(state: State) -> tuple[State, tuple[Event, ...]]:
    """The position as the round ends: needs an empty board; the mass begins."""
    return settled(replace(state, stack=(Round(),)))


def at_next_round(state: State) -> tuple[State, tuple[Event, ...]]:
    """The position as the next round begins, before the first cube is drawn."""
    return settled(replace(state, stack=(NextRound(),)))


def play(state: State, *lines: str) -> tuple[State, tuple[Event, ...]]:
    """Play lines like "0: take green council" or "chance: draw green"; all events in their order."""
    events: list[Event] = []
    for line in lines:
        who, text = line.split(": ")
        step = RULESET.apply(state, _seat(who), RULESET.grammar.parse_move(text))
        state = step.state
        events.extend(step.events)
    return state, tuple(events)


def refusal(state: State, line: str) -> tuple[str, dict[str, Any]]:
    """The key and the fields with which a line is refused."""
    try:
        play(state, line)
    except IllegalMoveError as error:
        return error.key, dict(error.fields)
    raise AssertionError(f"{line} is accepted")


def draw_all(state: State) -> tuple[State, tuple[Event, ...]]:
    """Play the first of the list whenever chance owes, until a person owes or the game is over."""
    events: list[Event] = []
    while owed(state)[:1] == (CHANCE,):
        step = RULESET.apply(state, CHANCE, next(RULESET.legal(state, CHANCE)))
        state = step.state
        events.extend(step.events)
    return state, tuple(events)


def owed(state: State) -> tuple[Any, ...]:
    """(seat, key) of the decision owed, or () when the game is over."""
    for decision in RULESET.pending(state):
        return (decision.seat, decision.key)
    return ()


def texts(state: State) -> list[str]:
    """The canonical texts of what is legal now."""
    for decision in RULESET.pending(state):
        return [RULESET.grammar.format_move(move) for move in RULESET.legal(state, decision.seat)]
    return []


def told(events: Sequence[Event]) -> list[tuple[str, dict[str, Any]]]:
    """Events as (key, fields)."""
    return [(event.key, dict(event.fields)) for event in events]


def keys(events: Sequence[Event]) -> list[str]:
    """The keys of events."""
    return [event.key for event in events]


def things_of(state: State, seat: int) -> dict[str, int]:
    """What a seat owns, without the zeros."""
    return {name: n for name, n in zip(THINGS, state.families[seat].things, strict=True) if n}


def supply_of(state: State) -> dict[str, int]:
    """What the supply holds, zeros included."""
    return dict(zip(THINGS, state.supply, strict=True))


def board_of(state: State) -> dict[str, list[str]]:
    """Cubes on each space that has some."""
    laid = zip(SPACES, state.board, strict=True)
    return {
        space: [cube for cube, number in zip(CUBES, cubes, strict=True) for _ in range(number)]
        for space, cubes in laid
        if any(cubes)
    }


def numbers_at(state: State, seat: int, spot: str) -> list[int]:
    """The numbers of a family's members on a spot."""
    pairs = zip(state.tables.family.members, state.families[seat].members, strict=True)
    return [number for number, where in pairs if where == spot]


def _seat(who: str) -> Seat:
    return CHANCE if who == "chance" else Seat(int(who))
