"""
Plans to entries: draws, forced moves and the seats' own lines, until a person is owed.

One seat owed: its lines are entered as far as they go. Several owed at once: nothing is entered until every one of
them, played on the present position by itself, leaves its seat owing nothing; then all are entered in seat order.
The table of cases is `tests/contract/plans.toml`.
"""

from collections.abc import Collection, Mapping
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from engine.core.dice import Dice
from engine.core.errors import EngineError
from engine.core.log import Position, Record, draw_text, make_entry
from engine.core.ruleset import Ruleset
from engine.core.types import CHANCE, Decision, Fields, Seat

S = TypeVar("S")

ANY = "any"
"""The move text that takes the first of `legal`."""

Cause = Literal["chance", "line", "forced", "default"]


class Line(Struct, frozen=True):
    """
    What a seat wrote for one decision.

    `key`       the decision that it answers
    `choices`   alternatives in order (`or`); each is canonical move texts, or `any`, played one after another
    `occasion`  0: whichever is next
    `when`      a fact that must hold at the decision; "" always
    `until`     the last occasion at which it is played; 0 no end
    """

    key: str
    choices: tuple[tuple[str, ...], ...]
    occasion: int = 0
    when: str = ""
    until: int = 0

    @property
    def text(self) -> str:
        """Return the moves of the line, with ` : ` and ` or ` between them."""
        return " or ".join(map(join_moves, self.choices))

    def is_for(self, decision: Decision) -> bool:
        """Return whether the line answers *decision* as it is put now."""
        return (
            self.key == decision.key
            and self.occasion in (0, decision.occasion)
            and (not self.until or decision.occasion <= self.until)
            and (not self.when or self.when in decision.facts)
        )


def join_moves(texts: tuple[str, ...]) -> str:
    """Return the texts of moves that are played one after another, as one."""
    return " : ".join(texts)


Plan = tuple[Line, ...]


class Told(Struct, frozen=True):
    """
    A fact about a seat's own plan.

    Keys:  `plan.failed` text when reason detail · `plan.second` text place (a later alternative was taken; of the
           first, `place` is 1)
           `plan.fired` text when (a line that waited for a fact) · `plan.lapsed` text when (its occasion is over)
           `plan.unused` text (what was left of a line and answers nothing)
    """

    seat: Seat
    key: str
    fields: Fields


class Made(Struct, Generic[S], frozen=True):
    """One entry that was made, and why."""

    record: Record[S]
    cause: Cause


class Played(Struct, Generic[S], frozen=True):
    """What a pass of play led to. `plans` holds what is left of every plan that was given."""

    position: Position[S]
    made: tuple[Made[S], ...]
    plans: Mapping[Seat, Plan]
    told: tuple[Told, ...]


class Solo(Struct, Generic[S], frozen=True):
    """
    One seat's plan played by itself.

    `complete`  the seat owes nothing after it, or only what others have just come to owe too: all answer at once
    `failed`    lines that could not be played, and what to tell of them
    """

    position: Position[S]
    made: tuple[Made[S], ...]
    plan: Plan
    told: tuple[Told, ...]
    complete: bool
    failed: tuple[tuple[Line, tuple[Told, ...]], ...] = ()


def play(
    ruleset: Ruleset[S, Any, Any],
    position: Position[S],
    plans: Mapping[Seat, Plan],
    dice: Dice,
    *,
    held: Collection[Seat] = (),
    due: Collection[Seat] = (),
) -> Played[S]:
    """
    Return the game after all that can be played now.

    *held* are the seats whose plan may not be played yet; *due* those at whose deadline defaults fill what they owe
    now, up to the next draw or another seat's decision.
    """
    left, late = dict(plans), set(due)
    made: list[Made[S]] = []
    told: list[Told] = []
    while True:
        owed = position.owed(ruleset)
        if owed and owed[0].decision.seat == CHANCE:
            record = make_entry(ruleset, position, CHANCE, draw_text(ruleset, position, dice))
            made.append(Made(record, "chance"))
            position = record.position
            continue
        seats = [one.decision.seat for one in owed]
        if len(seats) > 1:
            alone = {seat: _alone(ruleset, position, seat, left, held, late) for seat in seats}
            if not all(solo.complete for solo in alone.values()):
                told.extend(_disarm(left, alone))
                break
        before = position.seq
        for seat in seats:
            solo = _alone(ruleset, position, seat, left, held, late)
            late.discard(seat)
            position = solo.position
            made.extend(solo.made)
            told.extend(solo.told)
            if seat not in held:
                left[seat] = solo.plan
        if position.seq == before:
            break
    for seat, plan in left.items():
        left[seat], lapsed = drop_lapsed(ruleset, position, seat, plan)
        told.extend(lapsed)
    return Played(position, tuple(made), left, tuple(told))


def _disarm(plans: dict[Seat, Plan], alone: Mapping[Seat, Solo[Any]]) -> list[Told]:
    """
    Take the lines that fail out of *plans* while others are waited for, and return what to tell of them.

    Moves of others change nothing for them: they would fail later, too.
    """
    told: list[Told] = []
    for seat, solo in alone.items():
        for line, reasons in solo.failed if not solo.complete else ():
            plans[seat] = tuple(one for one in plans[seat] if one is not line)
            told.extend(reasons)
    return told


def _alone(
    ruleset: Ruleset[S, Any, Any],
    position: Position[S],
    seat: Seat,
    plans: Mapping[Seat, Plan],
    held: Collection[Seat],
    due: Collection[Seat],
) -> Solo[S]:
    if seat in held:
        return play_alone(ruleset, position, seat, (), held=True)
    return play_alone(ruleset, position, seat, plans.get(seat, ()), due=seat in due)


def play_alone(
    ruleset: Ruleset[S, Any, Any],
    position: Position[S],
    seat: Seat,
    plan: Plan,
    *,
    due: bool = False,
    held: bool = False,
) -> Solo[S]:
    """
    Return what *plan* leads to if only *seat* moves: up to a draw, another's decision, or what it does not answer.

    It stops where others come to owe something: there all answer at once, and nobody is shown to have answered first.

    *due* fills what is not answered with defaults; *held* enters nothing but forced moves.
    """
    made: list[Made[S]] = []
    told: list[Told] = []
    failed: list[tuple[Line, tuple[Told, ...]]] = []
    others = _owed(ruleset, position).keys() - {seat}
    while True:
        owed = _owed(ruleset, position)
        decision = owed.get(seat)
        if decision is None or not owed.keys() - {seat} <= others:
            return Solo(position, tuple(made), plan, tuple(told), complete=True, failed=tuple(failed))
        line = _line_for(plan, decision)
        records: tuple[Record[S], ...] = ()
        cause: Cause = "line"
        if line is not None:
            tried = try_line(ruleset, position, seat, line)
            told.extend(tried.told)
            records = tried.records
            rest = () if tried.rest is None else (tried.rest,)
            at = plan.index(line)
            plan = (*plan[:at], *rest, *plan[at + 1 :])
            failed.extend([] if records else [(line, tried.told)])
        if not records:
            text, cause = _unasked(ruleset, position, decision, due=due or not (decision.wait or held))
            if not text:
                return Solo(position, tuple(made), plan, tuple(told), complete=False, failed=tuple(failed))
            records = (make_entry(ruleset, position, seat, text),)
        made.extend(Made(record, cause) for record in records)
        position = records[-1].position


def _line_for(plan: Plan, decision: Decision) -> Line | None:
    """Return the line that answers *decision*: one for this occasion before one that waits for a fact."""
    fitting = [line for line in plan if line.is_for(decision)]
    return min(fitting, key=lambda line: bool(line.until), default=None)


def _owed(ruleset: Ruleset[S, Any, Any], position: Position[S]) -> dict[Seat, Decision]:
    """Return what is owed, by seat."""
    return {one.decision.seat: one.decision for one in position.owed(ruleset)}


def _unasked(
    ruleset: Ruleset[S, Any, Any], position: Position[S], decision: Decision, *, due: bool
) -> tuple[str, Cause]:
    """Return the move that is made without asking, and why; "" if the seat must be asked."""
    forced = forced_text(ruleset, position, decision)
    if forced:
        return forced, "forced"
    if due:
        return ruleset.grammar.format_move(ruleset.default(position.state, decision.seat)), "default"
    return "", "default"


def forced_text(ruleset: Ruleset[S, Any, Any], position: Position[S], decision: Decision) -> str:
    """Return the only legal move, or "" where there is a choice or where playing it would tell a secret."""
    if decision.secret:
        return ""
    moves = ruleset.legal(position.state, decision.seat)
    only, second = next(moves, None), next(moves, None)
    return ruleset.grammar.format_move(only) if only is not None and second is None else ""


def passing_text(ruleset: Ruleset[S, Any, Any], position: Position[S], decision: Decision) -> str:
    """Return the move with which a line passes over *decision*: forced, implied, not waited for; "" if it answers."""
    return _unasked(ruleset, position, decision, due=decision.implied or not decision.wait)[0]


def _text_between(ruleset: Ruleset[S, Any, Any], position: Position[S], decision: Decision, text: str) -> str:
    """Return the move that comes before *text* in a line, which does not answer *decision*; "" if it does."""
    if text == ANY:
        return ""
    verb = ruleset.grammar.verb(text.split(" ", 1)[0])
    is_left_out = decision.implied or not decision.wait
    if is_left_out and verb is not None and decision.key in verb.decisions:
        return ""
    passing = passing_text(ruleset, position, decision)
    return "" if passing == text else passing


class Tried(Struct, Generic[S], frozen=True):
    """What became of one line: the records of its moves, none if no alternative fitted, and what is left of it."""

    records: tuple[Record[S], ...]
    rest: Line | None
    told: tuple[Told, ...]


def try_line(ruleset: Ruleset[S, Any, Any], position: Position[S], seat: Seat, line: Line) -> Tried[S]:
    """Return the first alternative of *line* that can be played whole: up to a draw or another's decision."""
    told: list[Told] = []
    for number, texts in enumerate(line.choices):
        try:
            records, rest = _try_texts(ruleset, position, seat, texts)
        except EngineError as error:
            failed = (("text", join_moves(texts)), ("when", line.when), ("reason", error.key), *error.fields)
            told.append(Told(seat, "plan.failed", failed))
            continue
        if line.when:
            told.append(Told(seat, "plan.fired", (("text", join_moves(texts)), ("when", line.when))))
        elif number:
            told.append(Told(seat, "plan.second", (("text", join_moves(texts)), ("place", number + 1))))
        rest = _without_closing(ruleset, records[-1], seat, rest)
        waiting = _waiting(ruleset, records[-1].position, seat, rest) if rest else None
        if rest and waiting is None:
            told.append(Told(seat, "plan.unused", (("text", join_moves(rest)),)))
        return Tried(records, waiting, tuple(told))
    return Tried((), None, tuple(told))


def _try_texts(
    ruleset: Ruleset[S, Any, Any], position: Position[S], seat: Seat, texts: tuple[str, ...]
) -> tuple[tuple[Record[S], ...], tuple[str, ...]]:
    records: list[Record[S]] = []
    others = _owed(ruleset, position).keys() - {seat}
    for at, text in enumerate(texts):
        record = None
        while record is None:
            owed = _owed(ruleset, position)
            decision = owed.get(seat)
            if decision is None or not owed.keys() - {seat} <= others:
                return tuple(records), texts[at:]
            if records and _closes_another(ruleset, text, decision):
                return tuple(records), texts[at:]
            between = _text_between(ruleset, position, decision, text) if records else ""
            if between:
                records.append(make_entry(ruleset, position, seat, between))
                position = records[-1].position
                continue
            written = _first_text(ruleset, position, seat) if text == ANY else text
            record = make_entry(ruleset, position, seat, written)
        records.append(record)
        position = record.position
    return tuple(records), ()


def _closes_another(ruleset: Ruleset[S, Any, Any], text: str, decision: Decision) -> bool:
    """Return whether *text* ends a list that *decision* does not belong to."""
    verb = ruleset.grammar.verb(text.split(" ", 1)[0])
    return verb is not None and bool(verb.closes) and decision.key not in verb.decisions


def _first_text(ruleset: Ruleset[S, Any, Any], position: Position[S], seat: Seat) -> str:
    return ruleset.grammar.format_move(next(ruleset.legal(position.state, seat)))


def _without_closing(
    ruleset: Ruleset[S, Any, Any], last: Record[S], seat: Seat, rest: tuple[str, ...]
) -> tuple[str, ...]:
    """Return *rest* without a closing move for a list that is over: it must not close another."""
    verb = ruleset.grammar.verb(rest[0].split(" ")[0]) if rest else None
    if verb is None or not verb.closes or last.decision is None:
        return rest
    answered = last.decision.decision
    coming = [one.decision for one in ruleset.ahead(last.position.state, seat)]
    goes_on = any((one.key, one.occasion) == (answered.key, answered.occasion) for one in coming)
    return rest if goes_on else rest[1:]


def _waiting(ruleset: Ruleset[S, Any, Any], position: Position[S], seat: Seat, rest: tuple[str, ...]) -> Line | None:
    """Return *rest* as a line for the decision, owed or ahead, that its first move answers; None if there is none."""
    verb = ruleset.grammar.verb(rest[0].split(" ")[0])
    owed = _owed(ruleset, position)
    now = [owed[seat]] if seat in owed else []
    for decision in (*now, *(one.decision for one in ruleset.ahead(position.state, seat))):
        if rest[0] == ANY or (verb is not None and decision.key in verb.decisions):
            return Line(decision.key, (rest,), decision.occasion)
    return None


def drop_lapsed(
    ruleset: Ruleset[S, Any, Any], position: Position[S], seat: Seat, plan: Plan
) -> tuple[Plan, tuple[Told, ...]]:
    """Return *plan* without the lines whose occasion is over, and what to tell of them."""
    owed = position.owed(ruleset)
    current = [one.decision for one in owed]
    if owed:
        current.extend(ahead.decision for ahead in ruleset.ahead(position.state, seat))
    oldest: dict[str, int] = {}
    for decision in current:
        oldest[decision.key] = min(oldest.get(decision.key, decision.occasion), decision.occasion)
    kept: list[Line] = []
    told: list[Told] = []
    for line in plan:
        last = line.occasion or line.until
        if owed and not (last and last < oldest.get(line.key, 0)):
            kept.append(line)
        else:
            told.append(Told(seat, "plan.lapsed", (("text", line.text), ("when", line.when))))
    return tuple(kept), tuple(told)


def completeness(
    ruleset: Ruleset[S, Any, Any], position: Position[S], seat: Seat, plan: Plan
) -> Literal["none", "part", "complete"]:
    """Return how far *plan* answers what *seat* owes now."""
    solo = play_alone(ruleset, position, seat, plan)
    if solo.complete:
        return "complete"
    return "part" if any(made.cause == "line" for made in solo.made) else "none"
