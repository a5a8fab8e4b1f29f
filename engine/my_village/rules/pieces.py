"""Hours, coins and goods of the seat whose turn it is, and what several rules ask before a flag is used."""

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Event, Step
from engine.my_village.components import GOODS
from engine.my_village.state import Counts, State, Turn, become, top, with_me


def add(counts: Counts, at: int, number: int) -> Counts:
    """Return *counts* with *number* more at place *at*."""
    return (*counts[:at], counts[at] + number, *counts[at + 1 :])


def spend(state: State, hours: int = 0, coins: int = 0) -> State:
    """
    Return the state after the seat of the turn has spent *hours* and *coins*; it must have these.

    Source: rules: time; our ruling "Time": hours can always be paid, and only the end of the turn looks at the bridge.
    """
    me = state.me
    return with_me(state, replace(me, hours=me.hours + hours, coins=me.coins - coins))


def gain_coins(state: State, coins: int) -> State:
    """Return the state after the seat of the turn got *coins*. Source: our ruling "Supply without end"."""
    return spend(state, coins=-coins)


def gain_stories(state: State, stories: int) -> State:
    """Return the state after *stories* have come to the tree. Source: rules: all won in play go to the own tree."""
    return with_me(state, replace(state.me, tree=state.me.tree + stories))


def gain_good(state: State, good: str, number: int = 1) -> State:
    """Return the state after the seat of the turn got *number* of *good*."""
    me = state.me
    return with_me(state, replace(me, goods=add(me.goods, GOODS.index(good), number)))


def short(what: str, need: int, have: int) -> IllegalMoveError | None:
    """Return why *have* do not pay for *need*, or None."""
    return IllegalMoveError("price.short", what=what, need=need, have=have) if have < need else None


def lacks(state: State, profession: str) -> IllegalMoveError | None:
    """Return why what needs a living villager of *profession* cannot be used, or None. Source: rules: flags."""
    return None if profession in state.me.villagers else IllegalMoveError("villager.missing", profession=profession)


def refuse(*reasons: IllegalMoveError | None) -> None:
    """Raise the first of *reasons*, if there is one."""
    for reason in reasons:
        if reason is not None:
            raise reason


def numbers(state: State, flag: str, own: tuple[int, ...]) -> tuple[int, ...]:
    """
    Return what the white *flag* answers to: its *own* numbers, and those of the 2/12 tile if it bears it.

    Source: rules: meeting place; our ruling "2/12 tile".
    """
    return (*own, *state.tables.tile.numbers) if state.me.tile == flag else own


def blocked_white(turn: Turn, flag: str, answers: tuple[int, ...]) -> IllegalMoveError | None:
    """
    Return why the white *flag*, which answers to *answers*, cannot be used in *turn* as it stands, or None.

    Source: rules: white flags, any number with one total. Our ruling "Dice and passing": each once a turn.
    """
    if flag in turn.used:
        return IllegalMoveError("flag.used", flag=flag)
    if turn.total not in answers:
        return IllegalMoveError("flag.number", flag=flag, numbers=answers, total=turn.total)
    return None


def blocked_black(turn: Turn, flag: str, answers: tuple[int, ...]) -> IllegalMoveError | None:
    """
    Return why the black *flag*, which answers to *answers* (none: to every total), cannot be used now, or None.

    Source: rules: black flags, one alone in a turn. Our ruling "Meeting place": after it one may follow white flags.
    """
    if turn.used and not turn.free:
        return IllegalMoveError("flag.alone", flag=flag)
    if answers and turn.total not in answers:
        return IllegalMoveError("flag.number", flag=flag, numbers=answers, total=turn.total)
    return None


def use_white(state: State, flag: str) -> State:
    """Return the state in which the white *flag* was used in this turn, so that no black one can follow."""
    turn = top(state, Turn)
    return become(state, replace(turn, used=(*turn.used, flag), free=False))


def use_black(state: State) -> State:
    """Return the state in which the black flag of this turn was used: nothing can follow."""
    turn = top(state, Turn)
    return become(state, replace(turn, used=(*turn.used, "black"), over=True))


def told(state: State, *events: Event) -> Step[State]:
    """Return *state* with what happened."""
    return Step(state, events)
