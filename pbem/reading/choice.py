"""Which decision a line is for: its label, else what is owed, else what its verb answers among what may come."""

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.reading.glossary import Senses
from pbem.reading.lines import Draft, Shape
from pbem.reading.matching import Match, Piece, match_piece
from pbem.reading.tokens import is_number
from pbem.reading.values import Desk, Failure, Place
from pbem.reading.walk import (
    Due,
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
    `turns`   own turns ahead that lines before it are for: of the one after them nothing can be told
    """

    here: Place
    branch: Place | None = None
    turns: tuple[Due, ...] = ()


class Choice(Struct, frozen=True):
    """
    A line as read: a walk for each alternative, all for one decision; its condition; where the next line begins.

    `until`     the last occasion at which it waits for its fact; 0: it waits for none, or the title counts no occasions
    `lost`      alternatives that cannot be read · `doubtful` those that could not be played as it stands, but are kept
    """

    walks: tuple[Walk, ...]
    when: str
    standing: Standing
    until: int = 0
    lost: tuple[Failure, ...] = ()
    doubtful: tuple[Failure, ...] = ()


def read_draft(desk: Desk, shape: Shape, standing: Standing, draft: Draft, *, strict: bool = False) -> Choice | Failure:
    """Return the line *draft* as read from *standing* on; *strict*: every word of it must mean something."""
    when = find_fact(desk, draft.when)
    if draft.when and not when:
        return Failure("reader.fact", (("word", draft.when),), desk.ruleset.facts, ordered=True)
    starts = tuple(_starts(desk, standing, draft, when))
    if not starts and draft.keys:
        return Failure("reader.label", (("key", draft.keys[0]),))
    results = [
        _read_alternative(desk, shape, starts, one, labelled=bool(draft.keys), strict=strict)
        for one in draft.alternatives
    ]
    first = next((one for one in results if isinstance(one, Walk)), None)
    failures = [replace(one, place=at) for at, one in enumerate(results, start=1) if isinstance(one, Failure)]
    if first is None:
        ranked = len(failures) > 1
        return replace(failures[0], others=tuple(failures[1:])) if ranked else replace(failures[0], place=0)
    walks: list[Walk] = []
    lost: list[Failure] = []
    doubtful: list[Failure] = []
    for place, (text, result) in enumerate(zip(draft.alternatives, results, strict=True), start=1):
        if isinstance(result, Walk) and result.due == first.due:
            walks.append(result)
            continue
        # The rules refuse it now, but it may fit when it is played, or the one after it is taken.
        blind = _read_alternative(desk, shape, (Walk(None, None, due=first.due),), text, labelled=True, strict=strict)
        why = replace(
            result if isinstance(result, Failure) else Failure("reader.unknown", (("words", text),)), place=place
        )
        if isinstance(blind, Walk):
            walks.append(blind)
            doubtful.extend([why] if isinstance(result, Failure) else [])
        elif first.origin != "ahead" and not walks:
            return why  # what was not understood comes first: the next choice is not played in its place
        else:
            lost.append(why)
    until = _until(desk, standing, draft, first) if when else 0
    return Choice(tuple(walks), when, _after(desk, standing, first), until, tuple(lost), tuple(doubtful))


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
    aheads = [replace(one, here=None, own=None) if one.due in standing.turns else one for one in aheads]
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


def _read_alternative(
    desk: Desk, shape: Shape, starts: Sequence[Walk], text: str, *, labelled: bool, strict: bool
) -> Walk | Failure:
    """Return *text* as it stands, else without remarks beside the moves; else why the way that tells most does not."""
    failed: Failure | None = None
    later: Walk | None = None
    for pieces, guessed in _ways(desk, shape, starts, text, strict=strict):
        result = _read_somewhere(desk, starts, pieces, labelled=labelled)
        if isinstance(result, Walk) and result.origin != "ahead":
            return result
        if isinstance(result, Walk):
            later = later or result
        elif failed is None or (not guessed and _tells(result) > _tells(failed)):
            failed = result
    found = later or failed
    assert found is not None, "an alternative holds a word"
    return found


def _tells(failure: Failure) -> tuple[bool, int]:
    """Return how much *failure* tells: whether the rules say why not, else how far the line was read."""
    ruled = not failure.key.startswith(("reader.", "grammar.", "turn."))
    return ruled, 0 if ruled or failure.key == "reader.beyond" else len(failure.read)


def _ways(
    desk: Desk, shape: Shape, starts: Sequence[Walk], text: str, *, strict: bool
) -> Iterator[tuple[Sequence[Piece], bool]]:
    """
    Yield the pieces of *text* as it may be cut, the likeliest first; and whether that is guessed: nothing parts them.

    Unless *strict*, then without remarks, and with a number before what it stands behind.
    """
    splits = list(filter(None, shape.splits(text)))
    yield from ((_pieces(desk, texts), False) for texts in splits)
    if len(splits[0]) == 1:
        yield from ((_pieces(desk, texts), True) for texts in _run_on(desk, text))
    if strict:
        return
    plain = shape.without(text, lambda part: _is_remark(desk, part))
    cut = [_pieces(desk, texts) for texts in shape.splits(plain) if texts]
    yield from ((pieces, False) for pieces in cut if plain != text)
    if any(counts_itself(desk, due[0]) for start in starts if (due := _due(desk, start)) is not None):
        turned = (_number_first(desk, pieces, at) for pieces in cut for at in {0, len(pieces) - 1})
        yield from ((pieces, False) for pieces in turned if pieces)


def _pieces(desk: Desk, texts: Sequence[str]) -> Sequence[Piece]:
    pieces = [Piece(one, desk.glossary.tokens(one)) for one in texts]
    return [piece for piece in pieces if piece.tokens] or pieces


def _is_remark(desk: Desk, text: str) -> bool:
    """Return whether *text* holds no word of an order, nor what may be one with a slip, nor a doubt."""
    if desk.glossary.is_doubt(text):
        return False
    return not any(
        desk.glossary.is_order_word(token) or token.number or (not token.senses and desk.glossary.is_nearly(token.word))
        for token in desk.glossary.tokens(text)
    )


def _number_first(desk: Desk, pieces: Sequence[Piece], place: int) -> Sequence[Piece]:
    """Return *pieces* with the number that the one at *place* ends with before all: `main church with total 7`."""
    said = pieces[place].text.split()
    verbs = {verb.word for verb in persons_verbs(desk) if verb.number}
    verbs |= {led for verb in persons_verbs(desk) if verb.number for led in verb.leads}
    at = len(said) - 1
    while at > 0 and _leads_to_number(desk, said[at - 1], verbs):
        at -= 1
    if not is_number(said[-1]) or at in (0, len(said) - 1):
        return ()
    number, rest = _pieces(desk, (said[-1], " ".join(said[:at])))
    return (number, *pieces[:place], rest, *pieces[place + 1 :])


def _leads_to_number(desk: Desk, word: str, verbs: Collection[str]) -> bool:
    """Return whether *word* may stand between a move and its number: a small one, or the word of one of *verbs*."""
    return all(not token.senses.isdisjoint(verbs) for token in desk.glossary.tokens(word))


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


def _after(desk: Desk, standing: Standing, walk: Walk) -> Standing:
    """Return where the next line begins after *walk*."""
    if walk.origin == "here" and walk.own is not None:
        return Standing(walk.own)
    turns = (walk.due,) if walk.origin == "ahead" and walk.due[0] in desk.glossary.turns else ()
    return replace(standing, branch=walk.own, turns=(*standing.turns, *turns))
