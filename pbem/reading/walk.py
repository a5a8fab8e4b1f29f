"""
The pieces of one line, one after another, each on the position that the ones before it lead to.

What `engine.core.play` will do with the line must agree: a move in between that is forced, or not waited for, plays
itself; what comes after a draw or another seat's decision waits for the decision ahead that it answers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.core.errors import EngineError
from engine.core.grammar import Verb
from engine.core.log import make_entry
from engine.core.play import ANY, forced_text, passing_text
from engine.core.types import Decision
from pbem.reading.filling import fill_moves, grammar_reason
from pbem.reading.matching import Match, NoSuchNumber, Piece, Several, match_piece
from pbem.reading.tokens import is_number
from pbem.reading.values import Desk, Failure, Place

_MOST_CUTS = 8
_LONGEST_NUMBER = 9

Due = tuple[str, int]
"""Key and occasion of a decision."""


class Walk(Struct, frozen=True):
    """
    How far a line has been read.

    `origin`    where it began: with what is owed `here`, on a `branch`, or `ahead`
    `due`       the decision that the line is for; ("", 0): that of its first piece
    `here`      the supposed position; None: what comes before it cannot be told
    `own`       the last position that is reached by moves of this seat alone
    `texts`     the moves so far
    `answered`  the decisions that they answer
    `last`      the move played last, where `any` stands for one
    `before`    the position in which that was played; None: it cannot be told
    `spoken`    it was said in words, not by its number in a list
    `came`      the events since then
    """

    here: Place | None
    own: Place | None
    origin: Literal["here", "branch", "ahead"] = "ahead"
    due: Due = ("", 0)
    texts: tuple[str, ...] = ()
    answered: tuple[Due, ...] = ()
    last: str = ""
    before: Place | None = None
    spoken: bool = False
    came: tuple[str, ...] = ()
    exact: bool = True
    closed: bool = False


def read_pieces(desk: Desk, start: Walk, pieces: Sequence[Piece]) -> Walk | Failure:
    """Return *pieces* read from *start* on, or why one of them cannot be."""
    walk = start
    for piece in pieces:
        step = _read_piece(desk, walk, piece)
        if isinstance(step, Failure):
            parted = _read_parted(desk, walk, piece) if walk.texts or _begins_itself(desk, piece) else step
            if isinstance(parted, Failure):
                return parted if parted.read else replace(step, read=walk.texts, piece=piece.text)
            step = parted
        walk = step
    return walk


def _begins_itself(desk: Desk, piece: Piece) -> bool:
    """Return whether *piece* begins with a number that a move has as its own, or with the word of such a move."""
    first = piece.tokens[0] if piece.tokens else None
    verbs = [verb.word for verb in persons_verbs(desk) if verb.number]
    return bool(verbs) and first is not None and (bool(first.number) or not first.senses.isdisjoint(verbs))


def _read_parted(desk: Desk, walk: Walk, piece: Piece) -> Walk | Failure:
    """
    Return *piece* read as several moves that nothing parts (`steward market-3 market-5`).

    If it cannot be read so, the failure tells of the rest behind a move that begins a list of its own: `11 tree`.
    """
    failed = Failure("reader.unknown")
    said = piece.text.split()
    for at in range(min(len(said), _MOST_CUTS) - 1, 0, -1):
        head, tail = (Piece(one, desk.glossary.tokens(one)) for one in (" ".join(said[:at]), " ".join(said[at:])))
        step = _read_piece(desk, walk, head) if tail.tokens else None
        after = read_pieces(desk, step, (tail,)) if isinstance(step, Walk) else None
        if isinstance(after, Walk):
            return after
        if after is not None and head.is_bare_number and not failed.read:
            failed = after
    return failed


def owes(desk: Desk, place: Place) -> Decision | None:
    """Return what the seat owes at *place*."""
    return next((one.decision for one in place.owed(desk.ruleset) if one.decision.seat == desk.seat), None)


def starts_ahead(desk: Desk, place: Place) -> Iterator[Walk]:
    """Yield where a line could begin for each decision ahead of *place*, in the order of the rules."""
    if not place.owed(desk.ruleset):
        return
    for ahead in desk.ruleset.ahead(place.state, desk.seat):
        there = None if ahead.state is None else replace(place, state=ahead.state, numbers=())
        if there is not None and owes(desk, there) is None:
            there = None  # a draw comes first
        yield Walk(there, there, due=(ahead.decision.key, ahead.decision.occasion))


def numbered(desk: Desk, due: Due) -> Mapping[int, str] | None:
    """Return the list that was mailed for the decision *due*, by number."""
    texts = next((one.texts for one in desk.mailed if one.key == due[0] and one.occasion in {due[1], 0}), None)
    return None if texts is None else desk.ruleset.grammar.listed(texts)


def counts_itself(desk: Desk, key: str) -> bool:
    """Return whether a bare number tells of an answer to the decision *key* by itself, without a list."""
    return any(verb.number for verb in persons_verbs(desk, key))


def facts_of(desk: Desk, key: str) -> tuple[str, ...]:
    """Return every word that may hold at the decision *key*."""
    return desk.ruleset.vocabulary.facts.get(key, ())


def closing_verb(desk: Desk, key: str) -> Verb[Any] | None:
    """Return the verb that ends a list of answers to the decision *key*."""
    verbs = desk.ruleset.grammar.verbs
    return next((one for one in verbs if key in one.closes and not one.args), None)


def closes(desk: Desk, text: str) -> tuple[str, ...]:
    """Return the decisions whose list the move *text* ends."""
    verb = desk.ruleset.grammar.verb(text)
    return verb.closes if verb is not None else ()


def closing_text(desk: Desk, walk: Walk) -> str:
    """Return the move that ends the list which *walk* leaves open, or which begins after it; "" if there is none."""
    due, last = walk.answered[-1], desk.ruleset.grammar.verb(walk.last.split(" ")[0])
    verb = closing_verb(desk, due[0])
    if verb is None or (last is not None and last.closes):
        return _following_text(desk, walk)
    if walk.here is not None:
        owed = owes(desk, walk.here)
        dues = [start.due for start in starts_ahead(desk, walk.here)] if owed is None else [(owed.key, owed.occasion)]
        if due not in dues:
            return _following_text(desk, walk)
    return verb.word


def _following_text(desk: Desk, walk: Walk) -> str:
    """Return the move that ends a list which comes after what *walk* answered last; "" if none may come."""
    said = walk.last.split(" ")[0]
    verb = next((one for one in persons_verbs(desk) if said in one.follows and not one.args), None)
    if verb is None:
        return ""
    if walk.here is None:
        return verb.word
    owed = owes(desk, walk.here)
    if owed is None or owed.key not in verb.decisions:
        return ""
    worth = any(text.split(" ", 1)[0] in verb.unless for text in legal_texts(desk, walk.here))
    return "" if worth else verb.word


def legal_texts(desk: Desk, place: Place) -> tuple[str, ...]:
    """Return the canonical texts of what the seat may do at *place*."""
    return tuple(map(desk.ruleset.grammar.format_move, desk.ruleset.legal(place.state, desk.seat)))


def persons_verbs(desk: Desk, key: str = "") -> tuple[Verb[Any], ...]:
    """Return the verbs that answer the decision *key*, or, without one, any decision."""
    return tuple(verb for verb in desk.glossary.persons if not key or key in verb.decisions)


def _read_piece(desk: Desk, walk: Walk, piece: Piece) -> Walk | Failure:
    if walk.here is None:
        return _read_blind(desk, walk, piece, ("", 0) if walk.texts else walk.due)
    decision = owes(desk, walk.here)
    if _is_needless(desk, walk, decision, piece) or (_came_by_itself(desk, walk, piece) and walk.texts):
        return walk
    if decision is None:
        return _read_beyond(desk, walk, walk.here, piece)
    return _read_owed(desk, walk, walk.here, decision, piece)


def _is_needless(desk: Desk, walk: Walk, decision: Decision | None, piece: Piece) -> bool:
    """Return whether *piece* closes a list that has come to its end by itself, and answers nothing else."""
    said = desk.glossary.said_verbs(piece.tokens)
    if not walk.answered or closing_text(desk, walk) or len(piece.tokens) > 1:
        return False
    own, last = closing_verb(desk, walk.answered[-1][0]), walk.last.split(" ")[0]
    ending = [one for one in persons_verbs(desk) if one is own or last in one.follows]
    if not any(one.word in said for one in ending):
        return False
    return decision is None or not any(one.word in said for one in persons_verbs(desk, decision.key))


def _came_by_itself(desk: Desk, walk: Walk, piece: Piece) -> bool:
    """
    Return whether *piece* only says more of the last move, and it came so: `main house: coin`, with no other way to go.

    The event tells it, whose key ends like the text: `my.house-coin`.
    """
    came = {key.rpartition(".")[2] for key in walk.came}
    said = walk.last.replace(" ", "-") + "-"
    if not any(name.startswith(said) for name in came):
        return False
    last = [verb for verb in desk.glossary.persons if verb.word == walk.last.split(" ")[0]]
    longer = f"{walk.last} {piece.text}"
    texts = (
        text
        for one in (piece.text, longer)
        for text in fill_moves(desk.glossary, Piece(one, desk.glossary.tokens(one)), last)
    )
    return any(text.replace(" ", "-") in came for text in texts)


def _read_owed(desk: Desk, walk: Walk, here: Place, decision: Decision, piece: Piece) -> Walk | Failure:
    if walk.texts and decision.key in desk.glossary.turns and walk.own is not here:
        return _beyond(desk, walk, piece)
    due = (decision.key, decision.occasion)
    options = legal_texts(desk, here)
    listed = numbered(desk, due)
    if listed is None:  # a number counts in a list that was mailed; without a mail, in that of the rules
        is_seen = not desk.mailed or any(options in one.follow for one in desk.mailed)
        listed = desk.ruleset.grammar.listed(options) if is_seen and not (decision.implied and walk.texts) else {}
        piece = _with_verb(desk, walk, piece, options)
    elif walk.spoken:
        piece = _with_verb(desk, walk, piece, options)
    match match_piece(desk.glossary, piece, options, listed):
        case Match() as found:
            said = "" if walk.own is None else _said_amiss(desk, decision, piece, found.text)
            return Failure("reader.other", (("word", said),)) if said else _play(desk, walk, here, due, found, piece)
        case Several(texts):
            return Failure("reader.several", options=texts, ordered=True)
        case NoSuchNumber() as missed if not (decision.implied and walk.texts):
            return _no_such_number(desk, here, decision, piece, missed)
    passed = _read_passing(desk, walk, here, decision, piece)
    if passed is not None:
        return passed
    later = _read_after_list(desk, walk, here, due, piece) if due in walk.answered else None
    led = later if isinstance(later, Walk) else _read_led(desk, walk, here, due, piece)
    return led if isinstance(led, Walk) else _refusal(desk, here, decision, piece, led)


def _no_such_number(desk: Desk, here: Place, decision: Decision, piece: Piece, missed: NoSuchNumber) -> Failure:
    """Return why a number is not in the list: what the rules say where it tells of a move by itself (a total)."""
    reason = _refusal(desk, here, decision, piece) if counts_itself(desk, decision.key) else None
    if reason is not None and not reason.key.startswith(("reader.", "grammar.", "turn.")):
        return reason
    fields = (("number", missed.number), ("most", missed.most))
    return Failure("reader.number", fields, legal_texts(desk, here))


def _read_passing(desk: Desk, walk: Walk, here: Place, decision: Decision, piece: Piece) -> Walk | Failure | None:
    """Read *piece* behind the move with which a line passes over *decision*; None if it may not, or speaks of that."""
    passing = passing_text(desk.ruleset, here, decision)
    forced = bool(passing) and decision.wait and passing == forced_text(desk.ruleset, here, decision)
    if not passing or not (walk.texts or (forced and not walk.due[0])):
        return None
    made = make_entry(desk.ruleset, here, desk.seat, passing)
    came = (*walk.came, *(event.key for event in made.events))
    passed = replace(walk, here=made.position, own=made.position if walk.own is here else walk.own, came=came)
    read = _read_piece(desk, passed, piece)
    return read if forced or isinstance(read, Walk) or not _speaks_of(desk, here, decision, piece) else None


def _speaks_of(desk: Desk, here: Place, decision: Decision, piece: Piece) -> bool:
    """Return whether *piece* says a verb that answers *decision*, or, if it says none, a word of what is possible."""
    said = desk.glossary.said_verbs(piece.tokens)
    if said:
        return any(verb.word in said for verb in persons_verbs(desk, decision.key))
    parts = (desk.glossary.parts(text).senses for text in legal_texts(desk, here))
    spoken = {sense for senses in parts for sense in senses if not is_number(sense)}
    return any(not token.senses.isdisjoint(spoken) for token in piece.tokens)


def _read_led(desk: Desk, walk: Walk, here: Place, due: Due, piece: Piece) -> Walk | Failure | None:
    """
    Read *piece* behind a move that leads to it and was left out: `customers 3 and 5` at the steward's.

    None if no such move answers *due*; a failure tells why it cannot be made, or what cannot follow it.
    """
    said = desk.glossary.said_verbs(piece.tokens)
    for verb in persons_verbs(desk, due[0]):
        after = [one for one in desk.glossary.persons if one.word in verb.leads and one.word in said]
        if not verb.args and fill_moves(desk.glossary, piece, after):
            led = _play(desk, walk, here, due, Match(verb.word))
            return _read_piece(desk, led, piece) if isinstance(led, Walk) else led
    return None


def _with_verb(desk: Desk, walk: Walk, piece: Piece, options: Sequence[str]) -> Piece:
    """Return *piece*, a bare number behind a move, as the same move of another thing, or as what that leads to."""
    last = desk.ruleset.grammar.verb(walk.last.split(" ", 1)[0])
    if not piece.is_bare_number or last is None:
        return piece
    number = piece.tokens[0].word
    for verb in (one for one in desk.glossary.persons if one.word in (last.word, *last.leads)):
        things = {word.rpartition("-")[0] for arg in verb.args for word in arg.words}
        named = min(things) if len(things) == 1 else ""  # all are called alike: customers
        said = f"{verb.word} {named} {number}"
        longer = Piece(" ".join(said.split()), desk.glossary.tokens(said))
        is_one = any(f"{named}-{number}" in arg.words for arg in verb.args)
        found = match_piece(desk.glossary, longer, options, {})
        if is_one or (isinstance(found, Match) and found.text.split(" ")[0] == verb.word):
            return longer
    return piece


def _said_amiss(desk: Desk, decision: Decision, piece: Piece, text: str) -> str:
    """Return the word of *piece* for a fact that does not hold at *decision* ("glass" where wood is placed), or ""."""
    facts = frozenset(facts_of(desk, decision.key)) - frozenset(decision.facts)
    meant = () if text == ANY else desk.glossary.parts(text).senses
    wrong = (one.word for one in piece.tokens if len(one.senses) == 1 and one.senses <= facts.difference(meant))
    return next(wrong, "")


def _read_after_list(desk: Desk, walk: Walk, here: Place, due: Due, piece: Piece) -> Walk | Failure | None:
    """Read *piece* after the move that ends the list of *due*; None if there is no such move."""
    closing = closing_verb(desk, due[0])
    if closing is None or closing.word not in legal_texts(desk, here):
        return None
    ended = _play(desk, walk, here, due, Match(closing.word, exact=True))
    assert isinstance(ended, Walk), "the closing move is legal"
    return _read_piece(desk, replace(ended, closed=True), piece)


def _play(desk: Desk, walk: Walk, here: Place, due: Due, found: Match, piece: Piece | None = None) -> Walk | Failure:
    text = found.text
    played = legal_texts(desk, here)[0] if text == ANY else text
    try:
        made = make_entry(desk.ruleset, here, desk.seat, played)
    except EngineError as error:
        return Failure(error.key, error.fields, legal_texts(desk, here))
    return replace(
        walk,
        here=made.position,
        own=made.position if walk.own is here else walk.own,
        due=walk.due if walk.due[0] else due,
        texts=(*walk.texts, text),
        answered=(*walk.answered, due),
        last=played,
        before=here,
        spoken=piece is not None and not piece.is_bare_number,
        came=tuple(event.key for event in made.events),
        exact=walk.exact and found.exact,
    )


def _read_beyond(desk: Desk, walk: Walk, here: Place, piece: Piece) -> Walk | Failure:
    """Read *piece* for a decision that comes after a draw or another seat's; a line never goes on into a new turn."""
    failed = _beyond(desk, walk, piece) if walk.texts else None
    for start in starts_ahead(desk, here):
        if (walk.texts and start.due[0] in desk.glossary.turns) or not _may_be_for(desk, walk, start.due, piece):
            continue
        there = replace(walk, here=start.here, due=walk.due if walk.texts else start.due)
        blind = start.here is None
        is_over = bool(walk.answered) and not closing_text(desk, walk)
        step = _read_blind(desk, there, piece, start.due, is_over=is_over) if blind else _read_piece(desk, there, piece)
        if isinstance(step, Walk):
            return step
        failed = failed or step
    return failed or Failure("turn.not-owed", (("seat", int(desk.seat)),))


def _beyond(desk: Desk, walk: Walk, piece: Piece) -> Failure:
    """Return why *piece* cannot follow: what the rules say to it before the last move, or to that after it."""
    before = walk.before
    if not any(map(desk.glossary.is_order_word, piece.tokens)):
        return Failure("reader.unknown", (("words", piece.text),))
    texts = () if before is None else fill_moves(desk.glossary, piece, persons_verbs(desk), legal_texts(desk, before))
    for text in texts:
        assert before is not None
        try:
            after = make_entry(desk.ruleset, before, desk.seat, text).position
            make_entry(desk.ruleset, after, desk.seat, walk.last)
        except EngineError as error:
            if not error.key.startswith("turn."):
                return Failure(error.key, error.fields)
    return Failure("reader.beyond")


def _may_be_for(desk: Desk, walk: Walk, due: Due, piece: Piece) -> bool:
    """Return whether a later *piece* may be for *due*: it says so, or goes on with what was answered before."""
    if piece.is_bare_number:
        return numbered(desk, due) is not None
    said = desk.glossary.said_verbs(piece.tokens)
    return (
        any(verb.word in said for verb in persons_verbs(desk, due[0]))
        if said
        else due in walk.answered and closing_verb(desk, due[0]) is not None
    )


def _led(desk: Desk, walk: Walk) -> tuple[Verb[Any], ...]:
    """Return the verbs that may be left out after what was read last."""
    last = desk.ruleset.grammar.verb(walk.last.split(" ")[0])
    return tuple(verb for verb in desk.glossary.persons if last is not None and verb.word in last.leads)


def _read_blind(desk: Desk, walk: Walk, piece: Piece, due: Due, *, is_over: bool = False) -> Walk | Failure:
    """
    Read *piece* by the words alone, as an answer to *due*, or, if that is empty, to what its verb answers.

    *is_over*: the list before it has come to its end.
    """
    listed = numbered(desk, due) or {}
    by_itself = piece.is_bare_number and bool(due[0]) and counts_itself(desk, due[0])
    in_list = by_itself and int(piece.tokens[0].word[:_LONGEST_NUMBER]) in listed
    match None if by_itself and not in_list else match_piece(desk.glossary, piece, tuple(listed.values()), listed):
        case Match(text, exact):
            texts: tuple[str, ...] = (text,)
        case Several(several):
            return Failure("reader.several", options=several, ordered=True)
        case NoSuchNumber(number, most):
            return Failure("reader.number", (("number", number), ("most", most)))
        case _:
            said = desk.glossary.said_verbs(piece.tokens)
            verbs = persons_verbs(desk, due[0]) if due[0] or said else _led(desk, walk)
            texts = fill_moves(desk.glossary, piece, verbs) if verbs else ()
            texts = texts if said else _of_first_verb(texts)
            exact = piece.text in texts
    if len(texts) > 1:
        return Failure("reader.several", options=texts, ordered=True)
    if not texts:
        return _unknown(desk, persons_verbs(desk, due[0]), piece)
    verb = desk.ruleset.grammar.verb(texts[0].split(" ")[0])
    if walk.texts and verb is not None and desk.glossary.turns.issuperset(verb.decisions):
        return _beyond(desk, walk, piece)
    if not due[0]:  # `any` is no verb: it goes on with what was answered before
        due = (verb.decisions[0], 0) if verb is not None else (walk.answered or (due,))[-1]
    walk = walk if is_over else _end_list(desk, walk, due[0])
    return replace(
        walk,
        due=walk.due if walk.due[0] else due,
        texts=(*walk.texts, *texts),
        answered=(*walk.answered, due),
        last=texts[0],
        before=None,
        exact=walk.exact and exact,
    )


def _of_first_verb(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of *texts* with the verb of the first: where none was said, the title's plainest is meant."""
    return tuple(one for one in texts if one.split(" ")[0] == texts[0].split(" ")[0])


def _end_list(desk: Desk, walk: Walk, key: str) -> Walk:
    """Return *walk* with its open list closed, if what comes next answers another decision, *key*."""
    last = walk.answered[-1][0] if walk.answered else key
    closing = "" if last == key else closing_text(desk, walk)
    if closing and key in closes(desk, closing):
        closing = ""
    return replace(walk, texts=(*walk.texts, closing), closed=True) if closing else walk


def _refusal(desk: Desk, here: Place, decision: Decision, piece: Piece, led: Failure | None = None) -> Failure:
    """Return why *piece* is not possible here: what the rules say to it, or to what *led* to it, or grammar does."""
    options = legal_texts(desk, here)
    for text in fill_moves(desk.glossary, piece, persons_verbs(desk), options):
        try:
            make_entry(desk.ruleset, here, desk.seat, text)
        except EngineError as error:
            failed = Failure(error.key, error.fields, options)
            if error.key != "turn.not-asked":
                return failed
            led = led or failed
    return led or replace(_unknown(desk, persons_verbs(desk, decision.key), piece), options=options)


def _unknown(desk: Desk, verbs: Iterable[Verb[Any]], piece: Piece) -> Failure:
    wrong = grammar_reason(desk.glossary, piece, verbs)
    return Failure(wrong.key, wrong.fields) if wrong else Failure("reader.unknown", (("words", piece.text),))
