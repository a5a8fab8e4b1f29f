"""
The laws that every title keeps, as functions over one game.

Each raises AssertionError with what broke. They are run by `test_laws.py` on about thirty games a setting, and by
`python -m tests.contract.soak` on as many as are asked for.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from engine.core.bots import play_game, random_bot, roller
from engine.core.dice import Dice, demo_seed
from engine.core.errors import IllegalMoveError
from engine.core.log import Position, Record, make_correction, make_entry, may_read, replay, rewind_point, rewind_points
from engine.core.play import forced_text, play
from engine.core.ruleset import Ruleset
from engine.core.types import CHANCE, Decision, Seat
from tests.contract.titles import Setting, check_end, dice, pieces

MOST_MOVES = 150

Rules = Ruleset[Any, Any, Any]


def random_game(setting: Setting, seed: int) -> tuple[Record[Any], ...]:
    """Return a whole game of random bots."""
    start = setting.start()
    bots = {Seat(n): random_bot(roller(demo_seed(seed * 10 + n))) for n in range(setting.seats)}
    return play_game(setting.ruleset, start, bots, dice(seed))


def positions(setting: Setting, records: Sequence[Record[Any]]) -> Iterator[Position[Any]]:
    """Yield every position of a game, the first one included."""
    yield setting.start()
    for record in records:
        yield record.position


def texts(ruleset: Rules, state: Any, seat: Seat) -> list[str]:
    """Return the canonical texts of the legal moves, in their order."""
    return [ruleset.grammar.format_move(move) for move in ruleset.legal(state, seat)]


def check_game(setting: Setting, seed: int, share: float = 0.25) -> tuple[Record[Any], ...]:
    """Return the records of game *seed* after holding every law against it; those of one position against a *share*."""
    records = random_game(setting, seed)
    start = setting.start()
    assert not records[-1].position.owed(setting.ruleset), "the game must end"
    if not setting.drawn:
        check_end(setting.title, records[-1].position.state)
    pool: set[str] = set()
    chooser = random.Random(seed)
    named: dict[Seat, dict[str, int]] = {}
    counted = pieces(setting.title)
    whole = counted(start.state)
    for position in positions(setting, records):
        assert whole == counted(position.state), f"pieces are not conserved at {position.seq}"
        if chooser.random() < share:
            check_position(setting.ruleset, position, pool, chooser)
        check_ahead(setting.ruleset, position, named)
    check_events(setting.ruleset, records)
    check_log(setting, records, seed)
    check_rewinds(setting, records, chooser)
    return records


def check_position(ruleset: Rules, position: Position[Any], pool: set[str], chooser: random.Random) -> None:
    """Hold the laws of one position: who owes what, lists, texts, refusals, default, encoding, standings."""
    state = position.state
    owed = ruleset.pending(state)
    assert ruleset.view(state, None).over == (not owed), "a view says whether the game is over"
    seats = [one.seat for one in owed]
    assert sorted(set(seats)) == seats, "at most one decision a seat, in seat order"
    assert CHANCE not in seats or seats == [CHANCE], "chance stands alone"
    for decision in owed:
        check_decision(ruleset, decision)
        check_list(ruleset, state, decision, pool, chooser)
    check_commute(ruleset, state, owed, chooser)
    encoded = msgspec.json.encode(state)
    assert msgspec.json.decode(encoded, type=ruleset.state_type) == state, "the state survives its text"
    for standing in ruleset.standings(state):
        assert sum(points for _, points in standing.parts) == standing.points
        assert tuple(name for name, _ in standing.parts) == ruleset.vocabulary.parts
        assert len(standing.ties) == len(ruleset.vocabulary.ties)


def check_decision(ruleset: Rules, decision: Decision) -> None:
    """Hold a decision against the vocabulary."""
    assert decision.key in ruleset.vocabulary.decisions, decision.key
    assert tuple(name for name, _ in decision.fields) == ruleset.vocabulary.decisions[decision.key], decision
    assert set(decision.facts) <= set(ruleset.vocabulary.facts.get(decision.key, ())) <= set(ruleset.facts)
    assert bool(decision.odds) == (decision.seat == CHANCE)


def check_list(ruleset: Rules, state: Any, decision: Decision, pool: set[str], chooser: random.Random) -> None:
    """Hold a list of legal moves against the grammar and against what `apply` accepts."""
    grammar = ruleset.grammar
    listed = texts(ruleset, state, decision.seat)
    assert listed, f"{decision.key} has no answer"
    assert len(listed) <= MOST_MOVES, f"{decision.key} has {len(listed)} answers"
    assert len(set(listed)) == len(listed), f"doubles in {decision.key}"
    assert not decision.odds or (len(decision.odds) == len(listed) and min(decision.odds) > 0)
    for text in listed:
        move = grammar.parse_move(text)
        assert grammar.format_move(move) == text
        assert decision.key in grammar.verb_of(move).decisions, f"{text} does not answer {decision.key}"
        ruleset.apply(state, decision.seat, move)
    strangers = sorted(pool - set(listed))
    for text in chooser.sample(strangers, min(len(strangers), 12)):
        assert refusal(ruleset, state, decision.seat, text), f"{text} is accepted but not listed"
    pool.update(listed)
    if decision.seat != CHANCE:
        assert grammar.format_move(ruleset.default(state, decision.seat)) in listed


def refusal(ruleset: Rules, state: Any, seat: Seat, text: str) -> IllegalMoveError | None:
    """Return why *text* is refused, checked against the vocabulary, or None if it is accepted."""
    try:
        ruleset.apply(state, seat, ruleset.grammar.parse_move(text))
    except IllegalMoveError as refused:
        error = refused
    else:
        return None
    if error.key != "turn.not-asked":
        assert error.key in ruleset.vocabulary.reasons, error.key
        assert tuple(name for name, _ in error.fields) == ruleset.vocabulary.reasons[error.key], error
    return error


def check_commute(ruleset: Rules, state: Any, owed: Sequence[Decision], chooser: random.Random) -> None:
    """Moves of several owed seats lead to the same position in either order."""
    if len(owed) < 2:
        return
    one, other = chooser.sample([decision.seat for decision in owed], 2)
    first = chooser.choice(list(ruleset.legal(state, one)))
    second = chooser.choice(list(ruleset.legal(state, other)))
    there = ruleset.apply(ruleset.apply(state, one, first).state, other, second).state
    back = ruleset.apply(ruleset.apply(state, other, second).state, one, first).state
    assert there == back


def check_ahead(ruleset: Rules, position: Position[Any], named: dict[Seat, dict[str, int]]) -> None:
    """What is put after being named ahead has the same key and occasion; a supposed position owes what it says."""
    owed = {one.seat: one for one in ruleset.pending(position.state)}
    for seat, decision in owed.items():
        if position.numbers and dict(position.numbers).get(seat) != position.seq:
            continue
        occasion = named.get(seat, {}).get(decision.key)
        assert occasion in (None, decision.occasion), f"{decision} was named as occasion {occasion}"
    if CHANCE in owed or not owed:
        return
    for seat in map(Seat, range(len(ruleset.standings(position.state)))):
        expected: dict[str, int] = {}
        for ahead in ruleset.ahead(position.state, seat):
            decision = ahead.decision
            check_decision(ruleset, decision)
            assert decision.seat == seat
            assert decision.key not in expected, f"{decision.key} is named twice"
            expected[decision.key] = decision.occasion
            mine = owed.get(seat)
            assert mine is None or (mine.key, mine.occasion) != (decision.key, decision.occasion)
            if ahead.state is not None:
                put = next(one for one in ruleset.pending(ahead.state) if one.seat == seat)
                assert (put.key, put.occasion) == (decision.key, decision.occasion)
                assert texts(ruleset, ahead.state, seat)
        named[seat] = expected


def check_events(ruleset: Rules, records: Sequence[Record[Any]]) -> None:
    """Every event is in the vocabulary, with its fields."""
    for record in records:
        for event in record.events:
            assert event.key in ruleset.vocabulary.events, event.key
            assert tuple(name for name, _ in event.fields) == ruleset.vocabulary.events[event.key], event


def check_log(setting: Setting, records: Sequence[Record[Any]], seed: int) -> None:
    """The log alone leads to the same positions and events, draws recomputed."""
    entries = [record.entry for record in records]
    assert replay(setting.ruleset, setting.start(), entries, dice(seed)) == tuple(records)


def check_rewinds(setting: Setting, records: Sequence[Record[Any]], chooser: random.Random) -> None:
    """A rewind to any number, then any play, replays to the live position and shows no half-entered round."""
    ruleset, start = setting.ruleset, setting.start()
    to = rewind_point(ruleset, records, start, chooser.randint(0, len(records)))
    log = [*records, make_correction(ruleset, records, start, f"rewind {to}")]
    position = log[-1].position
    assert {one.number for one in position.owed(ruleset)} <= {position.seq}, "all is put anew"
    rolls = Dice(demo_seed(chooser.randint(0, 10**9)))
    for _ in range(12):
        owed = position.owed(ruleset)
        if not owed:
            break
        seat = chooser.choice(owed).decision.seat
        if seat == CHANCE:
            made = play(ruleset, position, {}, rolls).made
            log.extend(one.record for one in made)
        else:
            log.append(make_entry(ruleset, position, seat, chooser.choice(texts(ruleset, position.state, seat))))
        position = log[-1].position
    assert replay(ruleset, start, [record.entry for record in log]) == tuple(log)


def at_rest(ruleset: Rules, position: Position[Any]) -> bool:
    """Return whether the game waits for persons, or is over."""
    owed = position.owed(ruleset)
    return not owed or owed[0].decision.seat != CHANCE


def seen(ruleset: Rules, position: Position[Any], seat: Seat | None, *, whole: bool = True) -> object:
    """Return all that *seat* (None: a spectator) can learn from the position itself; *whole*: what others owe, too."""
    state = position.state
    owed = ruleset.pending(state) if whole else tuple(one for one in ruleset.pending(state) if one.seat == seat)
    public = (owed, ruleset.standings(state), ruleset.view(state, None))
    if seat is None:
        return public
    own = [decision for decision in ruleset.pending(state) if decision.seat == seat]
    lists = [texts(ruleset, state, seat) for _ in own]
    forced = [forced_text(ruleset, position, decision) for decision in own]
    ahead = [
        (one.decision, None if one.state is None else texts(ruleset, one.state, seat))
        for one in ruleset.ahead(state, seat)
    ]
    return (public, ruleset.view(state, seat), lists, forced, ahead)


Records = Sequence[Record[Any]]
Compare = Callable[[Records, Records, Seat | None], None]
"""(a game up to a position, the same in the other world, who looks): raises AssertionError where they differ."""


def check_secrets(
    setting: Setting,
    seed: int,
    records: Records,
    changed: Callable[[str], None],
    share: float = 1,
    compare: Compare | None = None,
    worlds: int = 12,
) -> None:
    """
    Replacing an entry of game *seed* that a seat may not read by a legal one changes nothing that the seat can see.

    So many other *worlds* are followed. A *share* of the positions is looked at, by *compare* too where nobody is in
    the middle of a round. *changed* is told each replaced text, so that a test sees some.
    """
    ruleset = setting.ruleset
    points = list(rewind_points(ruleset, records, setting.start()))
    chooser = random.Random(seed)
    for _ in range(worlds):
        seat = chooser.choice([None, *(Seat(n) for n in range(setting.seats))])
        hidden = [n for n, record in enumerate(records) if not may_read(record, seat)]
        if not hidden:
            continue
        at = chooser.choice(hidden)
        before = records[at - 1].position if at else setting.start()
        actor, text = records[at].entry.seat, records[at].entry.text
        others = [one for one in texts(ruleset, before.state, actor) if one != text]
        if not others:
            continue
        log = [*records[:at], make_entry(ruleset, before, actor, chooser.choice(others))]
        changed(text)
        follow_both(ruleset, points, records, log, seat, lambda: chooser.random() < share, compare)


def follow_both(
    ruleset: Rules,
    points: Sequence[int],
    records: Sequence[Record[Any]],
    log: list[Record[Any]],
    seat: Seat | None,
    looks: Callable[[], bool],
    compare: Compare | None,
) -> None:
    """
    Play *records* on in the other world *log*, and compare what *seat* learns, until something hidden is shown.

    *looks* says whether a position is compared; events are always. What others owe is compared only
    where no round of all at once is half entered: nobody sees the game there. *points* are the records' rewind points.
    """
    reveals = ruleset.vocabulary.reveals
    while True:
        one, other = records[len(log) - 1], log[-1]
        visible = [[e for e in r.events if e.seats is None or seat in e.seats] for r in (one, other)]
        told = [[e for e in events if e.key not in reveals] for events in visible]
        assert told[0] == told[1], f"an event of {one.entry.text} depends on what is hidden"
        if visible[0] != visible[1]:
            return
        if looks() and at_rest(ruleset, one.position):
            whole = points[len(log) - 1] == len(log)
            here, there = (seen(ruleset, position, seat, whole=whole) for position in (one.position, other.position))
            assert here == there, one.entry.text
            if whole and compare is not None:
                compare(records[: len(log)], log, seat)
        if len(log) == len(records):
            return
        follower = records[len(log)]
        text = follower.entry.text
        if not may_read(follower, seat) and refusal(ruleset, other.position.state, follower.entry.seat, text):
            others = texts(ruleset, other.position.state, follower.entry.seat)
            if not others:
                return
            text = others[0]  # as far as the reader knows it may have been this
        try:
            log.append(make_entry(ruleset, other.position, follower.entry.seat, text))
        except IllegalMoveError:
            return


def perft(ruleset: Rules, state: Any, depth: int) -> int:
    """Return how many lines of play of *depth* moves there are, of the first owed seat at each step."""
    owed = ruleset.pending(state)
    if depth == 0 or not owed:
        return 1
    seat = owed[0].seat
    return sum(perft(ruleset, ruleset.apply(state, seat, move).state, depth - 1) for move in ruleset.legal(state, seat))
