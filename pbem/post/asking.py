"""What a seat is asked, and what it may answer ahead: every list as it stands in the mail, and what would follow."""

from datetime import datetime
from typing import Any

from engine.core.log import Position
from engine.core.ruleset import Ruleset
from engine.core.types import CHANCE, Decision, Seat
from pbem.post.facts import Ask

Rules = Ruleset[Any, Any, Any]

LONGEST_FOLLOWED = 24
"""Moves of a list below which it is shown what would follow; a longer list is long enough."""

MOST_NEXT, MOST_SHOWN = 9, 30
"""Moves that are shown below one of the list, and below all of them together."""


def ask_now(
    ruleset: Rules, position: Position[Any], decision: Decision, number: int, deadline: datetime | None = None
) -> Ask:
    """Return *decision*, which is owed in *position* and named by *number*."""
    state = position.state
    moves = tuple(ruleset.legal(state, decision.seat))
    return Ask(
        key=decision.key,
        number=number,
        options=tuple(ruleset.grammar.format_move(move) for move in moves),
        fields=decision.fields,
        occasion=decision.occasion,
        default=ruleset.grammar.format_move(ruleset.default(state, decision.seat)),
        deadline=deadline,
        wait=decision.wait,
        follow=_follow(ruleset, position, decision.seat, moves),
    )


def _follow(ruleset: Rules, position: Position[Any], seat: Seat, moves: tuple[Any, ...]) -> tuple[tuple[str, ...], ...]:
    """Return for each of *moves* what the same seat would be asked at once; nothing where chance comes between."""
    if len(moves) > LONGEST_FOLLOWED:
        return ()
    found: list[tuple[str, ...]] = []
    shown = 0
    for move in moves:
        after = ruleset.apply(position.state, seat, move).state
        owed = ruleset.pending(after)
        asked = any(one.seat == seat for one in owed) and all(one.seat != CHANCE for one in owed)
        texts = _texts(ruleset, after, seat) if asked else ()
        fits = 1 < len(texts) <= MOST_NEXT
        shown += len(texts) if fits else 0
        found.append(texts if fits and shown <= MOST_SHOWN else ())
    return tuple(found) if any(found) else ()


def ask_ahead(ruleset: Rules, position: Position[Any], seat: Seat) -> tuple[Ask, ...]:
    """Return what *seat* may answer ahead in *position*, each list as it would be now."""
    return tuple(
        Ask(
            key=one.decision.key,
            number=position.seq,
            options=() if one.state is None else _texts(ruleset, one.state, seat),
            fields=one.decision.fields,
            occasion=one.decision.occasion,
            wait=False,
        )
        for one in ruleset.ahead(position.state, seat)
    )


def _texts(ruleset: Rules, state: Any, seat: Seat) -> tuple[str, ...]:  # noqa: ANN401 - the position of any title
    return tuple(map(ruleset.grammar.format_move, ruleset.legal(state, seat)))
