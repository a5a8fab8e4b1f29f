"""
Build positions of Tiny Towns readably, and play on from them.

    state = position("bbg./....", cards="tavern", resource="wood")
    state, events = play(state, "0: place d4", "0: build tavern b1")
    assert ".E../..../..../...w" == drawn(state, 0)

A drawing is that of RULES.md: rows from the top, split by `/`; rows left out are empty; `.` empty; `w h b g s` a cube
of wood, wheat, brick, glass, stone; `C R A O E Y K M` a blue, red, grey, orange, green, yellow, black building and the
own Monument; `*` behind a sign: a villager there as well, who works if it is a building. Which card a colour stands
for is said by `cards`; those not named are the ones of the first game.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.ruleset import make_config
from engine.core.types import CHANCE, Event, Seat
from engine.registry import packaged_tables
from engine.tiny_towns import RULESET
from engine.tiny_towns.components import MONUMENT, Components, read_components
from engine.tiny_towns.layouts import ALL, NUMBER, SIDE
from engine.tiny_towns.phases import settle
from engine.tiny_towns.rules.round import begin, open_turns
from engine.tiny_towns.state import NOBODY, Player, State, Town, Variant

TABLES = packaged_tables("tiny_towns")
COMPONENTS: Components = read_components(TABLES)
FIRST_GAME = ("cottage", "farm", "well", "chapel", "tavern", "theater", "factory")
CUBES = {"w": "wood", "h": "wheat", "b": "brick", "g": "glass", "s": "stone"}
COLOURS = {"C": "blue", "R": "red", "A": "grey", "O": "orange", "E": "green", "Y": "yellow", "K": "black"}
HELPERS = ("forage", "innovate")


def start(seats: int = 2, **options: str) -> State:
    """A game as set up, before the first draw; an option's `-` is written `_`."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    config = make_config(seats, given, allowed=RULESET.seats, options=RULESET.options)
    return RULESET.setup(config, TABLES)


def open_cards(named: str) -> tuple[str, ...]:
    """The seven open cards: those in *named* (words), else those of the first game."""
    chosen = {COMPONENTS.card(name).type: name for name in named.split()}
    return tuple(chosen.get(COMPONENTS.card(name).type, name) for name in FIRST_GAME)


def cells(drawing: str) -> list[tuple[str, bool]]:
    """The 16 signs of a drawing, each with whether a villager is there."""
    found: list[tuple[str, bool]] = []
    for row in (drawing.split("/") + ["...."] * SIDE)[:SIDE]:
        signs = [(sign, row[at + 1 : at + 2] == "*") for at, sign in enumerate(row) if sign != "*"]
        assert len(signs) == SIDE, f"{row} is no row of {SIDE}"
        found.extend(signs)
    return found


def town(drawing: str, cards: Sequence[str] = FIRST_GAME, monument: str = "", **values: Any) -> Town:
    """
    The town of a *drawing*.

    `held` in *values* is square name -> what lies there; a villager on a building works unless `idle` names the square.
    """
    kinds = {COMPONENTS.card(name).type: name for name in cards} | {"monument": monument}
    held = values.pop("held", {})
    idle = [NUMBER[name] for name in values.pop("idle", "").split()]
    signs = cells(drawing)
    buildings = tuple(
        monument if sign == "M" else kinds[COLOURS[sign]] if sign in COLOURS else "" for sign, _ in signs
    )  # fmt: skip
    assert all(name in COMPONENTS_NAMES for name in buildings if name), f"{drawing}: which monument?"
    there = [at for at in ALL if signs[at][1]]
    return Town(
        cubes=tuple(CUBES.get(sign, "") for sign, _ in signs),
        buildings=buildings,
        held=tuple(tuple(held.get(name, "").split()) for name in NUMBER),
        villagers=tuple(at for at in there if not buildings[at] or at in idle),
        workers=tuple(at for at in there if buildings[at] and at not in idle),
        **values,
    )


COMPONENTS_NAMES = {one.id for one in (*COMPONENTS.buildings, *COMPONENTS.monuments)}


def position(
    *drawings: str,
    cards: str = "",
    resource: str = "wood",
    namer: int = 0,
    hand: Mapping[int, str] | str = "",
    helpers: Sequence[str] = HELPERS,
    round: int = 5,  # noqa: A002 - the word of the rulebook
    builder: int | None = None,
    turns: Mapping[int, int] | None = None,
    completed: Mapping[int, int] | None = None,
    aside: Mapping[int, int] | None = None,
    values: Mapping[int, Mapping[str, Any]] | None = None,
    lodge: bool = True,
    components: Components = COMPONENTS,
    solo: bool = False,
    **variant: bool,
) -> State:
    """
    A round in which *resource* was named by *namer* (-1: drawn, or free with resource "") and all have to answer.

    drawings   one town for each seat; a single one has an empty town beside it, unless `solo` says that it is alone
    cards      card names; the rest is that of the first game
    hand       monument of each seat, or of seat 0: in the hand, or standing where the drawing has an M
    values     seat -> further values for `town`: held, idle, fresh, stock, shrine, lodge
    lodge      villagers that are not drawn are in the Lodge; with False there are only those drawn
    variant    villagers, monuments, town_hall, cavern, feast_hall, new_cards, ask_late

    Villagers are on only if a drawing shows one, or `villagers=True` says so.
    """
    if len(drawings) == 1 and not solo:
        drawings = (*drawings, "....")
    opened = open_cards(cards)
    hands = {0: hand} if isinstance(hand, str) else dict(hand)
    on = variant.pop("villagers", any("*" in one for one in drawings))
    players = []
    for seat, drawing in enumerate(drawings):
        own = hands.get(seat, "")
        more = dict((values or {}).get(seat, {}))
        made = town(drawing, opened, own, **more)
        out = len(made.villagers) + len(made.workers)
        if on and lodge and "lodge" not in more:
            made = replace(made, lodge=components.villagers.count - out)
        players.append(
            Player(
                town=made,
                monument=own,
                turns=(turns or {}).get(seat, 0),
                completed=(completed or {}).get(seat, 0),
                cavern=(aside or {}).get(seat, 0),
            )
        )
    seats = len(drawings)
    plain = State(
        tables=components,
        variant=Variant(villagers=on, **variant),
        players=tuple(players),
        stacks=((),) * seats,
        stage="turns",
        cards=opened,
        helpers=tuple(helpers) if on else (),
        built=((),) * seats,
        round=round,
        builder=Seat(namer if builder is None else builder),
        namer=Seat(namer),
        resource=resource,
    )
    if solo:
        taken = ("wood", "wheat", "brick")
        plain = replace(plain, open=taken, seen=taken, builder=NOBODY, namer=NOBODY, resource="")
    return settle(open_turns(plain)).state


def naming(*drawings: str, **values: Any) -> State:
    """A position like that of `position`, at the beginning of the next round: the next Master Builder names."""
    state = position(*drawings, **values)
    return settle(begin(replace(state, stacks=((),) * len(state.players))).state).state


def play(state: State, *lines: str) -> tuple[State, tuple[Event, ...]]:
    """The position after *lines*, `SEAT: MOVE` (chance is `-1`), each legal, and all that happened."""
    events: list[Event] = []
    for line in lines:
        seat, _, text = line.partition(": ")
        step = RULESET.apply(state, Seat(int(seat)), RULESET.grammar.parse_move(text))
        state = step.state
        events.extend(step.events)
    return state, tuple(events)


def after(state: State, *lines: str) -> State:
    """The position after *lines*, each of which must stand in the list of what is legal."""
    for line in lines:
        seat, _, text = line.partition(": ")
        assert text in texts(state, int(seat)), f"{line} is not among {texts(state, int(seat))}"
        state, _ = play(state, line)
    return state


def refusal(state: State, line: str) -> str:
    """The key of the reason for which *line* is refused; "" if it is not. It must not be listed either."""
    seat, _, text = line.partition(": ")
    try:
        play(state, line)
    except IllegalMoveError as error:
        assert text not in texts(state, int(seat)), f"{line} is refused, but listed"
        return error.key
    return ""


def texts(state: State, seat: int = 0) -> list[str]:
    """The canonical texts of what *seat* may do now."""
    return [RULESET.grammar.format_move(move) for move in RULESET.legal(state, Seat(seat))]


def squares_for(state: State, start_of_text: str, seat: int = 0) -> list[str]:
    """The last words of the moves that begin like this: the squares of `build tavern`, for example."""
    return [text.split(" ")[-1] for text in texts(state, seat) if text.startswith(start_of_text + " ")]


def owed(state: State) -> list[str]:
    """Who owes what: `SEAT KEY`."""
    return [f"{one.seat} {one.key}" for one in RULESET.pending(state)]


def told(events: Sequence[Event]) -> list[tuple[str, dict[str, Any]]]:
    """Key and fields of each event."""
    return [(one.key, dict(one.fields)) for one in events]


def drawn(state: State, seat: int = 0) -> str:
    """The drawing of a town; rows that are empty at the bottom are left out."""
    one = state.town(seat)
    signs = {colour: sign for sign, colour in COLOURS.items()} | {MONUMENT: "M"}
    letters = {cube: sign for sign, cube in CUBES.items()}
    rows = []
    for top in range(0, SIDE * SIDE, SIDE):
        row = ""
        for at in range(top, top + SIDE):
            name = one.buildings[at]
            sign = signs[COMPONENTS.card(name).type] if name else letters.get(one.cubes[at], ".")
            row += sign + "*" * (at in one.villagers or at in one.workers)
        rows.append(row)
    while len(rows) > 1 and rows[-1] == "....":
        rows.pop()
    return "/".join(rows)


def points(state: State, part: str, seat: int = 0) -> int:
    """The points of *seat* from *part*: a colour, "monument" or "empty"."""
    return dict(RULESET.standings(state)[seat].parts)[part]


def total(state: State, seat: int = 0) -> int:
    """The points of *seat*."""
    return RULESET.standings(state)[seat].points


def draw_all(state: State, last: str = "") -> State:
    """The position after chance has drawn whatever it owes: always the first of the list, or *last* where it can."""
    while RULESET.pending(state) and RULESET.pending(state)[0].seat == CHANCE:
        listed = texts(state, CHANCE)
        state, _ = play(state, f"-1: {last if last in listed else listed[0]}")
    return state
