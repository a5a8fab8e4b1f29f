"""The first step of a turn: the total, the two dice, and the coins that turn them."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event, fields
from engine.my_village.moves import DICE, Change, House, Move, TakeDice, Total
from engine.my_village.rules import house
from engine.my_village.rules.meeting import is_open
from engine.my_village.rules.pieces import add, refuse, short, spend, told
from engine.my_village.state import (
    BLACK,
    COIN,
    FACES,
    Changing,
    Picking,
    Pool,
    State,
    Totalling,
    Turn,
    become,
    pop,
    top,
)

TOTALS = range(2, 13)
Pair = tuple[str, str]


def face(die: str) -> int:
    """Return what *die*, as in `DICE`, shows."""
    return int(die[-1])


def is_black(die: str) -> bool:
    """Return whether *die* is black."""
    return die.startswith(BLACK)


def kinds(pool: Pool) -> tuple[str, ...]:
    """Return the different dice of *pool*: white before black, then the lower first."""
    counts = (*pool[0], *pool[1])
    return tuple(die for die, number in zip(DICE, counts, strict=True) if number)


def pairs(pool: Pool) -> Iterator[Pair]:
    """Yield every choice of two dice. Source: our ruling "Moments": dice of one colour and face are alike."""
    counts = dict(zip(DICE, (*pool[0], *pool[1]), strict=True))
    for first, second in combinations_with_replacement(kinds(pool), 2):
        if first != second or counts[first] > 1:
            yield first, second


def price(pair: Pair, total: int) -> int:
    """Return the coins that turn *pair* into *total*. Source: rules: one coin a step, within 1 to 6."""
    return abs(face(pair[0]) + face(pair[1]) - total)


def hours_of(state: State, pair: Pair) -> int:
    """Return the hours that *pair* costs. Source: rules: black dice."""
    return state.tables.black_die.hours * sum(map(is_black, pair))


def dearness(state: State, pair: Pair, total: int) -> tuple[int, int, int]:
    """
    Return by what pairs for *total* are put in order: what they cost in all, then hours, then coins; 0: any total.

    Source: our ruling "Cheapest dice": an hour weighs as much as a coin.
    """
    hours, coins = hours_of(state, pair), price(pair, total) if total else 0
    return hours + coins, hours, coins


def pairs_for(state: State, picking: Picking) -> list[Pair]:
    """Return the pairs that can be taken, the cheapest first; of those that cost the same, the earlier in `pairs`."""
    total, coins = picking.total, state.me.coins
    found = (pair for pair in pairs(state.pool) if not total or price(pair, total) <= coins)
    return sorted(found, key=lambda pair: dearness(state, pair, total))


# --- the total ---


def total_decision(state: State) -> Decision:
    """Return the question of a turn's beginning."""
    return Decision(state.turn, Totalling.key)


def total_moves(state: State) -> Iterator[Move]:
    """Yield the main house, which any dice open, then every total that can be made."""
    yield House()
    sums = {face(first) + face(second) for first, second in pairs(state.pool)}
    for total in TOTALS:
        if any(abs(made - total) <= state.me.coins for made in sums):
            yield Total(total)


def choose_total(state: State, move: Total) -> Step[State]:
    """
    Return the state in which dice for a total are to be taken.

    Raises: IllegalMoveError `total.short`.
    Source: rules: the first step of a turn. That the total is asked before the dice is the way of a mail.
    """
    need = min(price(pair, move.total) for pair in pairs(state.pool))
    if need > state.me.coins:
        raise IllegalMoveError("total.short", total=move.total, need=need, have=state.me.coins)
    return told(become(state, Picking(total=move.total)), event("my.chosen", seat=state.turn))


def choose_house(state: State, move: House) -> Step[State]:
    """
    Return the state in which any two dice are to be taken for a step of the headman.

    Raises: IllegalMoveError `house.step`, `house.first`.
    Source: rules: the flag of the main house takes any two dice.
    """
    if move.space:
        refuse(house.blocked(state, move.space))
        raise IllegalMoveError("house.first", space=move.space)
    return told(become(state, Picking()), event("my.chosen", seat=state.turn))


# --- the dice ---


def dice_decision(state: State) -> Decision:
    """Return the question which dice; the game does not wait where two white ones cost nothing, nor does a line."""
    picking = top(state, Picking)
    first = pairs_for(state, picking)[0]
    costs = any(map(is_black, first)) or (picking.total and price(first, picking.total))
    return Decision(state.turn, Picking.key, fields(total=picking.total), wait=bool(costs), implied=True)


def dice_moves(state: State) -> Iterator[TakeDice]:
    """Yield every pair that can be taken."""
    return (TakeDice(*pair) for pair in pairs_for(state, top(state, Picking)))


def take_dice(state: State, move: TakeDice) -> Step[State]:
    """
    Return the state after two dice were taken; black ones cost hours at once.

    Raises: IllegalMoveError `dice.not-there`, `dice.order`, `dice.short`.
    Source: rules: two dice a turn, which do not come back; black dice.
    """
    picking = top(state, Picking)
    pair = (move.first, move.second)
    counts = dict(zip(DICE, (*state.pool[0], *state.pool[1]), strict=True))
    for die in pair:
        if counts[die] < pair.count(die):
            raise IllegalMoveError("dice.not-there", die=die)
    if DICE.index(move.first) > DICE.index(move.second):
        raise IllegalMoveError("dice.order", dice=(move.second, move.first))
    if picking.total:
        need = price(pair, picking.total)
        if need > state.me.coins:
            raise IllegalMoveError("dice.short", total=picking.total, need=need, have=state.me.coins)
    hours = hours_of(state, pair)
    state = spend(replace(state, pool=_without(state.pool, pair)), hours)
    taken = event("my.dice", seat=state.turn, dice=pair, hours=hours)
    if picking.total:
        return told(become(state, Changing(picking.total, pair)), taken)
    state = _make(pop(state), face(move.first), face(move.second))
    return told(house.enter(state), taken)


def _without(pool: Pool, pair: Pair) -> Pool:
    white, black = pool
    for die in pair:
        at = FACES.index(face(die))
        white, black = (white, add(black, at, -1)) if is_black(die) else (add(white, at, -1), black)
    return white, black


def _make(state: State, first: int, second: int) -> State:
    """Return the state in which the dice of the turn show these faces."""
    turn = top(state, Turn)
    return become(state, replace(turn, dice=tuple(sorted((first, second)))))


# --- the coins ---


def _cost(pair: Pair, first: int, second: int) -> int:
    """Return the coins that turn *pair* into these faces. Source: our ruling "Moments": detours are no moves."""
    one, other = face(pair[0]), face(pair[1])
    straight = abs(one - first) + abs(other - second)
    if is_black(pair[0]) != is_black(pair[1]):
        return straight
    return min(straight, abs(one - second) + abs(other - first))


def _changes(state: State) -> list[tuple[int, int, int]]:
    """Return what can be made of the dice, as coins and faces, the cheapest first."""
    changing = top(state, Changing)
    alike = is_black(changing.dice[0]) == is_black(changing.dice[1])
    found = (
        (_cost(changing.dice, first, second), first, second)
        for first, second in product(FACES, FACES)
        if first + second == changing.total and (first <= second or not alike)
    )
    return sorted(change for change in found if change[0] <= state.me.coins)


def change_decision(state: State) -> Decision:
    """Return the question what the dice show; the game waits only where the meeting place could use the other faces."""
    changing = top(state, Changing)
    wait = is_open(state, changing.total)
    return Decision(state.turn, Changing.key, fields(total=changing.total), wait=wait, implied=True)


def change_moves(state: State) -> Iterator[Change]:
    """Yield every way to show the total."""
    return (Change(first, second) for _, first, second in _changes(state))


def change(state: State, move: Change) -> Step[State]:
    """
    Return the state after coins have turned the dice.

    Raises: IllegalMoveError `change.total`, `change.order`, `price.short`.
    Source: rules: any number of coins, each one step of one die. Our ruling "Dice and passing": within 1 to 6.
    """
    changing = top(state, Changing)
    if move.first + move.second != changing.total:
        raise IllegalMoveError("change.total", total=changing.total, first=move.first, second=move.second)
    if move.first > move.second and is_black(changing.dice[0]) == is_black(changing.dice[1]):
        raise IllegalMoveError("change.order", first=move.second, second=move.first)
    coins = _cost(changing.dice, move.first, move.second)
    refuse(short(COIN, coins, state.me.coins))
    state = _make(spend(pop(state), coins=coins), move.first, move.second)
    return told(state, event("my.total", seat=state.turn, total=changing.total, coins=coins))
