"""`try LINE`: how a line would be read, what it would cost and lead to, without playing it."""

from typing import Any

from engine.core.play import Solo, join_moves, play_alone
from engine.core.types import CHANCE
from pbem.desk import orders
from pbem.desk.values import Desk, Request, Served
from pbem.knowable import entry_facts
from pbem.live import Live
from pbem.reading import ReadLine, Written

LONGEST_LIST = 12
"""Moves that are told of what would be asked next."""


def try_(desk: Desk, live: Live, request: Request) -> Served:
    """Tell how the rest of the line is read and what would come of it, as far as no draw comes in between."""
    if not live.running:
        return desk.refuse(live, orders.CLOSED.get(live.game.status, "letter.paused"))
    number = request.written.number
    judged = orders.judge(desk, live, [Written(number, request.rest)])
    if judged is None:
        return Served(live, outcome="refused")
    for one in judged.lines:
        _tell(desk, live, one, request.rest)
    for one in judged.stale:
        orders.tell_stale(desk, one.written, one.line.key)
    for refused in judged.reading.refused:
        orders.tell_refused(desk, refused)
    if not judged.reading.read and not judged.reading.refused:
        desk.tell("order.nothing")
    return Served(live)


def _tell(desk: Desk, live: Live, one: ReadLine, written: str) -> None:
    """Tell what would come of a line, put into the plan as a real one would be; also why it would fail."""
    plan = orders.merge(desk.holder(live).plan, [one.line])
    before = play_alone(live.ruleset, live.position, desk.seat, tuple(old for old in plan if old is not one.line))
    solo = play_alone(live.ruleset, live.position, desk.seat, plan)
    said = set(before.told)
    for told in solo.told:
        if told not in said:
            fields: dict[str, Any] = dict(told.fields)
            desk.tell(told.key, **fields)
    choices = tuple(map(join_moves, one.line.choices))
    failed = {dict(told.fields)["text"] for told in solo.told if told.key == "plan.failed"}
    if one.line not in solo.plan and failed.issuperset(choices):
        return
    played = one.line not in solo.plan
    made = solo.made if played else ()
    text = join_moves(tuple(done.record.entry.text for done in made)) or one.line.text
    entries = [entry_facts(done, desk.seat) for done in made]
    asked = _next(desk, live, solo) if entries else {}
    number = one.written.number
    desk.tell("order.tried", line=number, written=written, text=text, entries=entries, asked=asked)
    orders.tell_choices(desk, one, kept=not played)


def _next(desk: Desk, live: Live, solo: Solo[Any]) -> dict[str, Any]:
    """Return what the seat would be asked next, as a plain value of JSON; nothing if it is not its turn any more."""
    owed = live.ruleset.pending(solo.position.state)
    decision = next((one for one in owed if one.seat == desk.seat), None)
    if decision is None or any(one.seat == CHANCE for one in owed):
        return {}
    texts = [live.ruleset.grammar.format_move(move) for move in live.ruleset.legal(solo.position.state, desk.seat)]
    return {
        "key": decision.key,
        "fields": [list(pair) for pair in decision.fields],
        "texts": texts[:LONGEST_LIST],
        "more": max(0, len(texts) - LONGEST_LIST),
    }
