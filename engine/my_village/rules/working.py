"""White flags of cards: craft buildings, fields, customers."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Event, Step, event
from engine.my_village.components import FIELD, GOODS, MEETING, Customer
from engine.my_village.moves import Farm, Joker, Make, Move, Serve
from engine.my_village.rules.buying import CRAFTSMAN
from engine.my_village.rules.pieces import (
    blocked_white,
    gain_coins,
    gain_good,
    lacks,
    numbers,
    refuse,
    short,
    spend,
    told,
    use_white,
)
from engine.my_village.state import State, Turn, top, with_me

MERCHANT = "merchant"
TILE_FIELD = "tile-field"
"""How `Turn.used` names the field that bears the 2/12 tile."""

# --- craft buildings ---


def _blocked_make(state: State, turn: Turn, good: str) -> IllegalMoveError | None:
    """
    Return why *good* cannot be made, or None.

    Source: rules: an own building and a living craftsman.
    """
    card = state.me.craft(good)
    if not card:
        return IllegalMoveError("make.none", good=good)
    answers = numbers(state, good, state.tables.craft[card].white)
    return blocked_white(turn, good, answers) or lacks(state, CRAFTSMAN)


def make_moves(state: State, turn: Turn) -> Iterator[Make]:
    """Yield every good that can be made."""
    return (Make(good) for good in GOODS if _blocked_make(state, turn, good) is None)


def make(state: State, move: Make) -> Step[State]:
    """
    Return the state with one more good on its building.

    Raises: IllegalMoveError `make.none`, `flag.used`, `flag.number`, `villager.missing`.
    Source: rules: craft buildings. Our ruling "Craft buildings": one good a use, without limit.
    """
    refuse(_blocked_make(state, top(state, Turn), move.good))
    hours = state.tables.craft[state.me.craft(move.good)].work
    state = gain_good(spend(use_white(state, move.good), hours), move.good)
    return told(state, event("my.made", seat=state.turn, good=move.good, hours=hours))


# --- fields ---


def _next_field(state: State, turn: Turn) -> tuple[str, IllegalMoveError | None]:
    """
    Return the field to be used next, as `Turn.used` names it, and why it cannot be, or None.

    Source: rules: each field once a turn, without a villager. Our ruling "2/12 tile": one field bears it; it is used
            last, where the others would do.
    """
    me, block = state.me, state.tables.field
    plain = me.fields - (me.tile == FIELD) - turn.used.count(FIELD)
    if not me.fields:
        return FIELD, IllegalMoveError("farm.none")
    if plain > 0 and turn.total in block.white:
        return FIELD, None
    if me.tile == FIELD:
        return TILE_FIELD, blocked_white(turn, TILE_FIELD, (*block.white, *state.tables.tile.numbers))
    if plain <= 0:
        return FIELD, IllegalMoveError("flag.used", flag=FIELD)
    return FIELD, blocked_white(replace(turn, used=()), FIELD, block.white)


def farm_moves(state: State, turn: Turn) -> Iterator[Farm]:
    """Yield the use of a field; fields are alike."""
    if _next_field(state, turn)[1] is None:
        yield Farm()


def farm(state: State, _move: Farm) -> Step[State]:
    """
    Return the state after a field has brought coins, one more with a plow on the own smithy.

    Raises: IllegalMoveError `farm.none`, `flag.used`, `flag.number`.
    Source: rules: fields; the plow stays. Our ruling "Fields": how many; "Moments": the plow counts at the moment.
    """
    flag, reason = _next_field(state, top(state, Turn))
    refuse(reason)
    block = state.tables.field
    coins = block.coins + (block.plow if state.me.count("plow") else 0)
    state = gain_coins(spend(use_white(state, flag), block.work), coins)
    return told(state, event("my.farmed", seat=state.turn, coins=coins, hours=block.work))


# --- customers ---


def _blocked_customer(state: State, turn: Turn, name: str) -> IllegalMoveError | None:
    """Return why a customer cannot be served, whatever its goods, or None. Source: rules: the merchant serves."""
    if name not in state.me.customers:
        return IllegalMoveError("serve.none", customer=name)
    answers = numbers(state, name, state.tables.customer[name].white)
    return blocked_white(turn, name, answers) or lacks(state, MERCHANT)


def _missing(state: State, goods: tuple[str, ...]) -> IllegalMoveError | None:
    """Return which of *goods* is missing, or None. Source: rules: exactly the goods shown."""
    for good in dict.fromkeys(goods):
        reason = short(good, goods.count(good), state.me.count(good))
        if reason is not None:
            return reason
    return None


def _rest(customer: Customer, joker: str) -> tuple[str, ...]:
    """Return the goods that are handed over when the joker stands for one."""
    goods: list[str] = list(customer.goods)
    goods.remove(joker)
    return tuple(goods)


def serve_moves(state: State, turn: Turn) -> Iterator[Move]:
    """Yield every customer that can be served, first without the joker. Source: rules: customers; the Guild chamber."""
    for name in state.me.customers:
        if _blocked_customer(state, turn, name) is None:
            customer = state.tables.customer[name]
            if _missing(state, customer.goods) is None:
                yield Serve(name)
            if state.me.joker:
                for good in dict.fromkeys(customer.goods):
                    if _missing(state, _rest(customer, good)) is None:
                        yield Joker(name, good)


def serve(state: State, move: Serve) -> Step[State]:
    """
    Return the state after a customer was served.

    Raises: IllegalMoveError `serve.none`, `flag.used`, `flag.number`, `villager.missing`, `price.short`.
    Source: rules: customers.
    """
    refuse(_blocked_customer(state, top(state, Turn), move.customer))
    customer = state.tables.customer[move.customer]
    refuse(_missing(state, customer.goods))
    return _hand_over(state, customer, customer.goods, "")


def joker(state: State, move: Joker) -> Step[State]:
    """
    Return the state after a customer was served with the joker in the place of one good.

    Raises: IllegalMoveError `joker.none`, `joker.good`, and those of a customer.
    Source: rules: the Guild chamber. Our ruling "Chamber effects": any good, also one that is there, once.
    """
    refuse(_blocked_customer(state, top(state, Turn), move.customer))
    if not state.me.joker:
        raise IllegalMoveError("joker.none")
    customer = state.tables.customer[move.customer]
    if move.good not in customer.goods:
        raise IllegalMoveError("joker.good", customer=move.customer, good=move.good)
    rest = _rest(customer, move.good)
    refuse(_missing(state, rest))
    state = with_me(state, replace(state.me, joker=False))
    return _hand_over(state, customer, rest, move.good)


def _hand_over(state: State, customer: Customer, goods: tuple[str, ...], joker: str) -> Step[State]:
    """
    Return the state after *goods* went to a customer.

    Source: rules: it keeps its points, and its flag is gone; a 2/12 tile on it goes to the meeting place.
    """
    state = spend(use_white(state, customer.id), customer.work)
    for good in goods:
        state = gain_good(state, good, -1)
    me = state.me
    events: list[Event] = [
        event(
            "my.served",
            seat=state.turn,
            customer=customer.id,
            points=customer.points,
            hours=customer.work,
            joker=joker,
        )
    ]
    tile = me.tile
    if tile == customer.id:
        tile = MEETING
        events.append(event("my.tile-moved", seat=state.turn))
    held = tuple(name for name in me.customers if name != customer.id)
    state = with_me(state, replace(me, customers=held, served=(*me.served, customer.id), tile=tile))
    return told(state, *events)
