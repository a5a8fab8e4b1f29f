"""The village board's white flags: play and school."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.core.errors import IllegalMoveError
from engine.core.types import Step, event
from engine.my_village.components import PROFESSIONS
from engine.my_village.moves import Advance, Enrol, Move, PlayFlag, Promote
from engine.my_village.rules.pieces import blocked_white, gain_stories, numbers, refuse, spend, told, use_white
from engine.my_village.state import LEFT, PLAY, RIGHT, SCHOOL, State, Turn, top, with_me

# --- play ---


def _blocked_play(state: State, turn: Turn) -> IllegalMoveError | None:
    own = state.tables.boards.play[state.me.board - 1]
    return blocked_white(turn, PLAY, numbers(state, PLAY, own))


def play_moves(state: State, turn: Turn) -> Iterator[PlayFlag]:
    """Yield the play flag. Source: rules: it needs no villager."""
    if _blocked_play(state, turn) is None:
        yield PlayFlag()


def play(state: State, _move: PlayFlag) -> Step[State]:
    """
    Return the state after one story came to the tree.

    Raises: IllegalMoveError `flag.used`, `flag.number`.
    Source: rules: the tree. Our ruling "Village boards": the numbers, and no hours.
    """
    refuse(_blocked_play(state, top(state, Turn)))
    block = state.tables.play
    state = gain_stories(spend(use_white(state, PLAY), block.hours), block.stories)
    return told(state, event("my.played", seat=state.turn, stories=block.stories))


# --- school ---


def _blocked(state: State, turn: Turn) -> IllegalMoveError | None:
    return blocked_white(turn, SCHOOL, numbers(state, SCHOOL, state.tables.school.white))


def moves(state: State, turn: Turn) -> Iterator[Move]:
    """
    Yield the steps of a pupil.

    Source: rules: school. Our ruling "School steps": one a turn, one pupil a space.
    """
    if _blocked(state, turn) is not None:
        return
    me = state.me
    if not me.left:
        yield Enrol()
    elif not me.right:
        yield Advance()
    for space, there in ((LEFT, me.left), (RIGHT, me.right)):
        if there:
            yield from (Promote(space, profession) for profession in me.empty)


def enrol(state: State, _move: Enrol) -> Step[State]:
    """
    Return the state with a new pupil on the left.

    Raises: IllegalMoveError `flag.used`, `flag.number`, `school.full`.
    Source: rules: school; no hours.
    """
    refuse(_blocked(state, top(state, Turn)))
    if state.me.left:
        raise IllegalMoveError("school.full", space=LEFT)
    state = use_white(state, SCHOOL)
    return told(with_me(state, replace(state.me, left=True)), event("my.enrolled", seat=state.turn))


def advance(state: State, _move: Advance) -> Step[State]:
    """
    Return the state in which the pupil of the left is on the right.

    Raises: IllegalMoveError `flag.used`, `flag.number`, `school.empty`, `school.full`.
    Source: rules: school; no hours.
    """
    refuse(_blocked(state, top(state, Turn)))
    if not state.me.left:
        raise IllegalMoveError("school.empty", space=LEFT)
    if state.me.right:
        raise IllegalMoveError("school.full", space=RIGHT)
    state = use_white(state, SCHOOL)
    return told(with_me(state, replace(state.me, left=False, right=True)), event("my.advanced", seat=state.turn))


def promote(state: State, move: Promote) -> Step[State]:
    """
    Return the state after a pupil became a villager, who works at once; from the right with stories.

    Raises: IllegalMoveError `flag.used`, `flag.number`, `school.empty`, `school.filled`.
    Source: rules: school; an hour, into an empty profession of choice.
    """
    refuse(_blocked(state, top(state, Turn)))
    me = state.me
    if not (me.left if move.space == LEFT else me.right):
        raise IllegalMoveError("school.empty", space=move.space)
    if move.profession in me.villagers:
        raise IllegalMoveError("school.filled", profession=move.profession)
    block = state.tables.school
    stories = block.stories if move.space == RIGHT else 0
    villagers = tuple(one for one in PROFESSIONS if one in (*me.villagers, move.profession))
    left, right = (False, me.right) if move.space == LEFT else (me.left, False)
    state = spend(use_white(state, SCHOOL), block.promote)
    state = gain_stories(with_me(state, replace(state.me, left=left, right=right, villagers=villagers)), stories)
    return told(
        state,
        event("my.promoted", seat=state.turn, profession=move.profession, hours=block.promote, stories=stories),
    )
