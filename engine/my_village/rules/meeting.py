"""The meeting place: one die set anew, and the 2/12 tile."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Decision, Step, event
from engine.my_village.components import FIELD, GOODS, MEETING
from engine.my_village.moves import Meeting, PutTile, SetDie
from engine.my_village.rules.pieces import blocked_white, lacks, numbers, refuse, spend, told, use_white
from engine.my_village.state import FACES, PLAY, SCHOOL, State, Tiling, Turn, Turning, become, pop, push, top, with_me

COUNCILMAN = "councilman"


def _answers(state: State) -> tuple[int, ...]:
    return numbers(state, MEETING, state.tables.meeting_place.white)


def is_open(state: State, total: int) -> bool:
    """Return whether the seat of the turn could use a meeting place with *total*."""
    return state.me.meeting and COUNCILMAN in state.me.villagers and total in _answers(state)


def _blocked(state: State, turn: Turn) -> IllegalMoveError | None:
    """
    Return why the meeting place cannot be used, or None.

    Source: rules: white flag, needs the councilman. Our ruling "Meeting place": once a turn, with or without other
            flags before it, not in the turn of its purchase.
    """
    if not state.me.meeting:
        return IllegalMoveError("meeting.none")
    return blocked_white(turn, MEETING, _answers(state)) or lacks(state, COUNCILMAN)


def moves(state: State, turn: Turn) -> Iterator[Meeting]:
    """Yield its use, if it is possible."""
    if _blocked(state, turn) is None:
        yield Meeting()


def use(state: State, _move: Meeting) -> Step[State]:
    """
    Return the state in which a die is to be set.

    Raises: IllegalMoveError `meeting.none`, `flag.used`, `flag.number`, `villager.missing`.
    """
    refuse(_blocked(state, top(state, Turn)))
    hours = state.tables.meeting_place.work
    state = push(spend(use_white(state, MEETING), hours), Turning())
    return told(state, event("my.meeting", seat=state.turn, hours=hours))


def _turn(state: State) -> Turn:
    turn = state.stack[-2]
    assert isinstance(turn, Turn)
    return turn


def face_decision(state: State) -> Decision:
    """Return the question which die gets which face."""
    return Decision(state.turn, Turning.key)


def face_moves(state: State) -> Iterator[SetDie]:
    """Yield every face for each of the two dice, the same one included."""
    return (SetDie(old, new) for old in dict.fromkeys(_turn(state).dice) for new in FACES)


def set_die(state: State, move: SetDie) -> Step[State]:
    """
    Return the state after one die was set; from now on the new total counts, and a black flag may follow.

    Raises: IllegalMoveError `face.not-yours`.
    Source: rules: one own die to any number. Our ruling "Meeting place": what was used stays used.
    """
    turn = _turn(state)
    if move.old not in turn.dice:
        raise IllegalMoveError("face.not-yours", face=move.old, dice=turn.dice)
    rest = list(turn.dice)
    rest.remove(move.old)
    turn = replace(turn, dice=tuple(sorted((*rest, move.new))), free=True)
    state = become(pop(state), turn)
    return told(state, event("my.set", seat=state.turn, old=move.old, new=move.new, total=turn.total))


# --- the tile ---


def tile_decision(state: State) -> Decision:
    """Return the question where the tile is laid."""
    return Decision(state.turn, Tiling.key)


def places(state: State) -> tuple[str, ...]:
    """
    Return the white flags of the own village, the meeting place first.

    Source: rules: one white flag of the own village; our ruling "2/12 tile".
    """
    me = state.me
    goods = tuple(good for good in GOODS if me.craft(good))
    return (MEETING, PLAY, SCHOOL, *goods, *([FIELD] if me.fields else []), *me.customers)


def tile_moves(state: State) -> Iterator[PutTile]:
    """Yield every white flag of the own village."""
    return map(PutTile, places(state))


def put_tile(state: State, move: PutTile) -> Step[State]:
    """
    Return the state after the tile was laid.

    Raises: IllegalMoveError `tile.not-yours`.
    """
    if move.flag not in places(state):
        raise IllegalMoveError("tile.not-yours", flag=move.flag)
    state = with_me(pop(state), replace(state.me, tile=move.flag))
    return told(state, event("my.tile", seat=state.turn, flag=move.flag))
