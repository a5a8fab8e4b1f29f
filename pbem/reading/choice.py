"""Which decision a line is for: its label, else what is owed, else what its verb answers among what may come."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.reading.glossary import Senses
from pbem.reading.lines import Draft, Shape
from pbem.reading.matching import Match, Piece, match_piece
from pbem.reading.values import Desk, Failure, Place
from pbem.reading.walk import (
    Walk,
    counts_itself,
    facts_of,
    legal_texts,
    numbered,
    owes,
    persons_verbs,
    read_pieces,
    starts_ahead,
)

_MOST_CUTS = 6
ROUNDS = 3
"""For so many rounds a line waits for its fact if it does not say how long."""
MOST_ROUNDS = 12


class Standing(Struct, frozen=True):
    """
    Where the next line begins.

    `here`    the supposed position after the lines read so far
    `branch`  the same after a line for a decision ahead; None: it cannot be told, or there was none
    """

    here: Place
    branch: Place | None = None


class Choice(Struct, frozen=True):
    """
    A line as read: a walk for each alternative, all for one decision; its condition; where the next line begins.

    `until`  the last occasion at which it waits for its fact; 0: it waits for none, or the title counts no occasions
    """

    walks: tuple[Walk, ...]
    when: str
    standing: Standing
    until: int = 0


def read_draft(desk: Desk, shape: Shape, standing: Standing, draft: Draft) -> Choice | Failure:
    """Return the line *draft* as read from *standing* on."""
    when = find_fact(desk, draft.when)
    if draft.when and not when:
        return Failure("reader.fact", (("word", draft.when),), desk.ruleset.facts, ordered=True)
    starts = tuple(_starts(desk, standing, draft, when))
    if not starts and draft.keys:
        return Failure("reader.label", (("key", draft.keys[0]),))
    results = [_read_alternative(desk, shape, starts, one, labelled=bool(draft.keys)) for one in draft.alternatives]
    first = next((one for one in results if isinstance(one, Walk)), None)
    if first is None:
        return next(one for one in results if isinstance(one, Failure))
    walks: list[Walk] = []
    for text, result in zip(draft.alternatives, results, strict=True):
        if isinstance(result, Walk) and result.due == first.due:
            walks.append(result)
            continue
        # The rules refuse it now, but it may fit when it is played, or the one after it is taken.
        blind = _read_alternative(desk, shape, (Walk(None, None, due=first.due),), text, labelled=True)
        if isinstance(blind, Failure):
            return result if isinstance(result, Failure) else blind
        walks.append(blind)
    return Choice(tuple(walks), when, _after(standing, first), _until(desk, standing, draft, first) if when else 0)


def _until(desk: Desk, standing: Standing, draft: Draft, walk: Walk) -> int:
    """Return the last occasion of a line that waits for its fact; 0 if the fact holds now, or nothing is counted."""
    key, occasion = walk.due
    if occasion:
        return 0
    owed = owes(desk, standing.here)
    first = owed.occasion + 1 if owed is not None and owed.key == key and owed.occasion else 0
    first = first or next((start.due[1] for start in starts_ahead(desk, standing.here) if start.due[0] == key), 0)
    last = draft.until or first + (draft.rounds or ROUNDS) - 1
    return min(max(last, first), first + MOST_ROUNDS - 1) if first else 0


def find_fact(desk: Desk, text: str) -> str:
    """Return the fact of the title that *text* names, and nothing besides; "" if it names none."""
    meant = [token.senses | {token.word} for token in desk.glossary.tokens(text)]
    for fact in desk.ruleset.facts:
        parts = fact.split("-")
        if len(parts) == len(meant) and all(part in senses for part, senses in zip(parts, meant, strict=True)):
            return fact
    return ""


def _starts(desk: Desk, standing: Standing, draft: Draft, when: str) -> Iterator[Walk]:
    """Yield where the line may begin, the likeliest first."""
    owed = list(_starts_owed(desk, standing, draft.keys, when))
    aheads = [one for one in starts_ahead(desk, standing.here) if not draft.keys or one.due[0] in draft.keys]
    if when:
        aheads = [one for one in aheads if when in facts_of(desk, one.due[0])]
    if when and not draft.next:  # whichever occasion brings the fact
        aheads = [replace(one, due=(one.due[0], 0)) for one in aheads if not _is_owed(owed, one)]
    aheads.sort(key=lambda start: _mailed_at(desk, start.due))
    if draft.next and aheads and not (owed and _was_mailed(desk, owed[0]) and numbered(desk, aheads[0].due) is None):
        yield from (*aheads, *owed)
    else:
        yield from (*owed, *aheads)


def _starts_owed(desk: Desk, standing: Standing, keys: Sequence[str], when: str) -> Iterator[Walk]:
    """Yield what is owed here and on the branch; where *when* does not hold, the line waits until that comes again."""
    for origin, place in (("here", standing.here), ("branch", standing.branch)):
        decision = None if place is None else owes(desk, place)
        if decision is None or (keys and decision.key not in keys):
            continue
        if when and when not in facts_of(desk, decision.key):
            continue
        if when and (when not in decision.facts or origin == "branch"):  # what a branch says may not come
            yield from (Walk(place, None, due=(decision.key, 0)), Walk(None, None, due=(decision.key, 0)))
        else:
            yield Walk(place, place, "here" if origin == "here" else "branch")


def _is_owed(owed: Sequence[Walk], ahead: Walk) -> bool:
    return any(one.due[0] == ahead.due[0] for one in owed)


def _mailed_at(desk: Desk, due: tuple[str, int]) -> int:
    """Return the place of the list for *due* in the mail, so that what the mail asked first comes first."""
    return next((at for at, one in enumerate(desk.mailed) if one.key == due[0]), len(desk.mailed))


def _was_mailed(desk: Desk, start: Walk) -> bool:
    return (due := _due(desk, start)) is not None and numbered(desk, due) is not None


def _due(desk: Desk, start: Walk) -> tuple[str, int] | None:
    """Return the decision that a line from *start* would answer first."""
    decision = None if start.here is None else owes(desk, start.here)
    if start.due[0] or decision is None:
        return start.due if start.due[0] else None
    return decision.key, decision.occasion


def _read_alternative(desk: Desk, shape: Shape, starts: Sequence[Walk], text: str, *, labelled: bool) -> Walk | Failure:
    failed: Failure | None = None
    later: Walk | None = None
    splits = list(filter(None, shape.splits(text)))
    for texts in (*splits, *(_run_on(desk, text) if len(splits[0]) == 1 else ())):
        pieces = [Piece(one, desk.glossary.tokens(one)) for one in texts]
        telling = [piece for piece in pieces if piece.tokens] or pieces
        result = _read_somewhere(desk, starts, telling, labelled=labelled)
        if isinstance(result, Walk) and result.origin != "ahead":
            return result
        later, failed = (later or result, failed) if isinstance(result, Walk) else (later, failed or result)
    found = later or failed
    assert found is not None, "an alternative holds a word"
    return found


def _run_on(desk: Desk, text: str) -> Iterator[tuple[str, str]]:
    """Yield *text*, where nothing parts its moves, cut before each verb, or after it: `take pink family birth`."""
    said = text.split()
    cuts = [at for at in range(1, len(said)) if desk.glossary.said_verbs(desk.glossary.tokens(said[at]))]
    if len(said) > 1 and desk.glossary.said_verbs(desk.glossary.tokens(said[0])):
        cuts.append(1)
    for at in dict.fromkeys(cuts[:_MOST_CUTS]):
        yield " ".join(said[:at]), " ".join(said[at:])


def _read_somewhere(desk: Desk, starts: Sequence[Walk], pieces: Sequence[Piece], *, labelled: bool) -> Walk | Failure:
    """Return *pieces* read from the first of *starts* that they fit, or why they do not fit the likeliest."""
    failed: Failure | None = None
    owing = False
    named = desk.glossary.named_verbs(pieces[0].tokens)
    if named and not labelled:
        starts = sorted(starts, key=lambda start: start.origin == "ahead" and not _is_named(desk, start, named))
    for start in starts:
        if failed is not None and not labelled and not _may_answer(desk, start, pieces[0], owing=owing):
            continue
        if start.origin == "ahead" and not labelled and _lacks_list(desk, start, pieces[0]):
            failed = failed or _no_list(desk, pieces[0])
            continue
        result = read_pieces(desk, start, _without_copy(desk, start, pieces))
        if isinstance(result, Walk):
            return result
        owing = owing or start.origin != "ahead"
        if start.origin != "ahead" and (result.read or not _is_for_another(desk, start, pieces[0])):
            return result
        failed = result if failed is None or failed.key == "reader.unknown" else failed
    if owing or labelled:
        assert failed is not None, "there was a start"
        return failed
    waiting = _wait(desk, pieces, anything_comes=bool(starts))
    if isinstance(waiting, Failure) and failed is not None and failed.key != "reader.unknown":
        return failed
    return waiting


def _is_named(desk: Desk, start: Walk, named: Senses) -> bool:
    """Return whether *start* is answered by one of the verbs that are *named*, and not by another word for one."""
    return any(verb.word in named for verb in persons_verbs(desk, start.due[0]))


def _lacks_list(desk: Desk, start: Walk, piece: Piece) -> bool:
    """Return whether *piece* means nothing as an answer to *start*: no list was mailed for it."""
    if not piece.needs_list or _was_mailed(desk, start):
        return False
    return not (piece.is_bare_number and counts_itself(desk, start.due[0]))


def _no_list(desk: Desk, piece: Piece) -> Failure:
    if piece.is_bare_number:
        return Failure("reader.number", (("number", int(piece.tokens[0].word[:9])), ("most", 0)))
    return Failure("turn.not-owed", (("seat", int(desk.seat)),))


def _may_answer(desk: Desk, start: Walk, piece: Piece, *, owing: bool) -> bool:
    """Return whether *piece* may be for *start*, after it did not fit what is owed: then its verb must be said."""
    said = desk.glossary.said_verbs(piece.tokens)
    if not owing or start.origin != "ahead":
        return True
    return any(verb.word in said for verb in persons_verbs(desk, start.due[0]))


def _is_for_another(desk: Desk, start: Walk, piece: Piece) -> bool:
    """Return whether *piece* says verbs of which none answers what is owed at *start*."""
    said = desk.glossary.said_verbs(piece.tokens)
    due = _due(desk, start)
    return bool(said) and due is not None and not any(verb.word in said for verb in persons_verbs(desk, due[0]))


def _without_copy(desk: Desk, start: Walk, pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return *pieces* without a number that only stands before its own text: `3: take green council`."""
    due = _due(desk, start)
    if len(pieces) == 1 or not pieces[0].is_bare_number or due is None:
        return pieces
    number = int(pieces[0].tokens[0].word[:9])
    now = legal_texts(desk, start.here) if start.here is not None else ()
    listed = numbered(desk, due) or desk.ruleset.grammar.listed(now)
    if number not in listed:
        return pieces
    copied = match_piece(desk.glossary, pieces[1], tuple(listed.values()), listed)
    return pieces[1:] if isinstance(copied, Match) and copied.text == listed[number] else pieces


def _wait(desk: Desk, pieces: Sequence[Piece], *, anything_comes: bool) -> Walk | Failure:
    """Return *pieces* as a line that waits for the one decision that its verb answers; it is neither owed nor ahead."""
    walk = read_pieces(desk, Walk(None, None), pieces)
    if isinstance(walk, Failure):
        return walk
    verb = desk.ruleset.grammar.verb(walk.last.split(" ")[0])
    if not anything_comes or verb is None or len(verb.decisions) != 1:
        return Failure("turn.not-owed", (("seat", int(desk.seat)),))
    return walk


def _after(standing: Standing, walk: Walk) -> Standing:
    """Return where the next line begins after *walk*."""
    if walk.origin == "here" and walk.own is not None:
        return Standing(walk.own)
    return replace(standing, branch=walk.own)
