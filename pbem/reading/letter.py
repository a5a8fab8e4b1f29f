"""A whole letter: its lines one after another, each on the position that the lines before it lead to."""

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.core.play import Line, Plan, play_alone
from engine.core.types import Seat
from pbem.lexicon import Lexicon
from pbem.reading.choice import Choice, Standing, find_fact, read_draft
from pbem.reading.glossary import load_glossary
from pbem.reading.lines import Draft, Shape
from pbem.reading.matching import MOST_POSSIBLE, Piece, is_like, nearest
from pbem.reading.tokens import is_number
from pbem.reading.values import (
    LETTERED,
    Begins,
    Desk,
    Failure,
    MailedList,
    Place,
    Reading,
    ReadLine,
    RefusedLine,
    Rules,
    Written,
)
from pbem.reading.walk import Due, closes, closing_text

MOST_CHARACTERS = 500
MOST_MOVES = 24
MOST_ORDERS = 40
MOST_LINES = 150
_PROSE = 2
"""A line with so many unknown words is prose if they outnumber the known ones; twice, if it begins with those."""
_DIGITS = 4
_SHORT = 4
_UNKNOWN = ("reader.unknown", (("words", ""),))

_Kind = Literal["order", "prose", "nothing"]


class _Read(Struct, frozen=True):
    """A line that was read, before lists are closed."""

    written: Written
    draft: Draft
    choice: Choice

    def goes_on(self, due: Due, keys: Sequence[str], turns: Collection[str]) -> bool:
        """Return whether one of its moves is for the decision *due*, or for one of *keys* on the same occasion."""
        dues = {due, *((key, due[1]) for key in keys)}
        key = self.choice.walks[0].due[0]
        if self.choice.when or (key in turns and key not in {one for one, _ in dues}):
            return False  # a turn of its own begins with it
        return any(walk.due in dues or dues.intersection(walk.answered) for walk in self.choice.walks)


def read_orders(  # noqa: PLR0913 - the reader's one door; what it needs has no name of its own
    ruleset: Rules,
    position: Place,
    seat: Seat,
    written: Sequence[Written],
    *,
    language: str,
    lexicons: Sequence[Lexicon],
    mailed: Sequence[MailedList] = (),
    plan: Plan | None = None,
) -> Reading:
    """
    Return the lines of a letter as moves of *seat*.

    Shape:  *lexicons* hold the title's words in every language that may be used; *language* is the seat's. *mailed* are
            the lists that numbers mean, in the order in which the mail asked. *plan* is what the letter adds to, and to
            the moves that are forced; None: the letter says all.
    """
    ordered = tuple(sorted(lexicons, key=lambda lexicon: lexicon.language != language))
    place = position if plan is None else play_alone(ruleset, position, seat, plan, held=True).position
    desk = Desk(ruleset, seat, load_glossary(ruleset.grammar, ordered), place, tuple(mailed))
    letter = _Letter(desk, _shape(ordered), Standing(place))
    for line in written:
        letter.take(line)
    return letter.reading()


_shape = cache(Shape)


class _Letter:
    """A letter while it is read."""

    def __init__(self, desk: Desk, shape: Shape, standing: Standing) -> None:
        self.desk, self.shape, self.standing = desk, shape, standing
        self.read: list[_Read] = []
        self.refused: list[RefusedLine] = []
        self.prose: list[Written] = []
        self.ignored: list[Written] = []
        self.heading = Draft(())
        self.taken = self.tried = 0
        self.now = False

    def take(self, line: Written) -> None:
        """Read one more line."""
        self.taken += bool(line.text.strip())
        if self.taken > MOST_LINES:
            self.refused.append(RefusedLine(line, "reader.lines", (("most", MOST_LINES),)))
            return
        text = _unfolded(self.desk, line.text[:MOST_CHARACTERS])
        draft = self.shape.draft(text, is_fact=self._is_fact)
        kind = self._kind(text, draft)
        if kind == "prose":
            self.prose.append(line)
        elif kind == "nothing" or not draft.alternatives:
            self.now = self.now or draft.now
            self.heading = draft if draft.keys else self.heading
            self.ignored.append(line)
        else:
            self._take_order(line, self._under_heading(draft))

    def reading(self) -> Reading:
        """Return what came of all lines."""
        if self.read:
            self.ignored.extend(self.prose)
        else:
            self.refused.extend(map(self._refuse_prose, self.prose))
        return Reading(
            tuple(self._finish(one, self.read[at + 1 :]) for at, one in enumerate(self.read)),
            tuple(sorted(self.refused, key=lambda one: one.written.number)),
            tuple(sorted(self.ignored, key=lambda one: one.number)),
            self.now,
        )

    def _refuse_prose(self, line: Written) -> RefusedLine:
        """Return a line that is no order, with what a short one may have meant."""
        draft = self.shape.draft(line.text[:MOST_CHARACTERS], is_fact=self._is_fact)
        piece = Piece(line.text, self.desk.glossary.tokens(" ".join(draft.alternatives)))
        if not 0 < len(piece.tokens) <= _SHORT:
            return RefusedLine(line, *_UNKNOWN)
        failed = read_draft(self.desk, self.shape, self.standing, draft, strict=True)
        options = failed.options if isinstance(failed, Failure) else ()
        near = [one for one in nearest(self.desk.glossary, piece, options) if is_like(self.desk.glossary, piece, one)]
        return RefusedLine(line, *_UNKNOWN, tuple(near))

    def _kind(self, text: str, draft: Draft) -> _Kind:
        tokens = self.desk.glossary.tokens(" ".join(draft.alternatives))
        known = [one for one in tokens if self.desk.glossary.is_order_word(one) and not one.number]
        unknown = sum(not one.senses for one in tokens)
        if not tokens or (not known and self.shape.is_greeting(text)):
            return "nothing"
        if self._begins(draft):
            return "order"
        strange = not tokens[0].senses
        if unknown >= _PROSE and unknown >= (len(known) if strange else 2 * len(known)):
            return "prose"
        return "order" if known or self._holds_number(draft) else "prose"

    def _begins(self, draft: Draft) -> Begins:
        """Return what the line begins with, if that is what orders begin with."""
        if draft.keys:
            return "label"
        first = next(iter(next(self.shape.splits(draft.alternatives[0]), ())), "") if draft.alternatives else ""
        tokens = self.desk.glossary.tokens(first)
        if not tokens:
            return ""
        if is_number(tokens[0].word) and len(tokens[0].word) <= _DIGITS:
            known = len(tokens) == 1 or (self.desk.glossary.is_order_word(tokens[1]) and not tokens[1].number)
            return "number" if known else ""
        spoken = self.desk.glossary.said_verbs(tokens[:1])
        return "verb" if spoken and not self.shape.is_small(tokens[0].word) else ""

    def _is_fact(self, text: str) -> bool:
        return bool(find_fact(self.desk, text))

    def _holds_number(self, draft: Draft) -> bool:
        """Return whether a piece of the line is a bare number that a list may have."""
        pieces = (piece for one in draft.alternatives for piece in next(self.shape.splits(one), ()))
        bare = (self.desk.glossary.tokens(piece) for piece in pieces)
        return any(len(one) == 1 and is_number(one[0].word) and len(one[0].word) <= _DIGITS for one in bare)

    def _under_heading(self, draft: Draft) -> Draft:
        """Return *draft* with the label that stood alone on the line before it."""
        heading, self.heading = self.heading, Draft(())
        if draft.keys or not heading.keys:
            return draft
        return replace(draft, label=heading.label, keys=heading.keys, next=heading.next)

    def _take_order(self, line: Written, draft: Draft) -> None:
        self.tried += 1
        pieces = sum(len(next(self.shape.splits(one), ())) for one in draft.alternatives)
        if len(line.text) > MOST_CHARACTERS:
            self.refused.append(RefusedLine(line, "reader.long", (("most", MOST_CHARACTERS),)))
        elif pieces > MOST_MOVES:
            self.refused.append(RefusedLine(line, "reader.moves", (("most", MOST_MOVES),)))
        elif self.tried > MOST_ORDERS:
            self.refused.append(RefusedLine(line, "reader.lines", (("most", MOST_ORDERS),)))
        else:
            result = self._read(line, draft)
            if isinstance(result, Failure):
                self.refused.append(self._refuse(line, draft, result))
            else:
                self.read.append(_Read(line, draft, result))
                self.standing, self.now = result.standing, self.now or draft.now

    def _read(self, line: Written, draft: Draft) -> Choice | Failure:
        """Return how *line* is read: with what stands in brackets if that can be read, else without."""
        if "(" in line.text:
            whole = self._under_heading(self.shape.draft(line.text, brackets=True, is_fact=self._is_fact))
            result = read_draft(self.desk, self.shape, self.standing, whole, strict=True)
            if not isinstance(result, Failure):
                return result
        result = read_draft(self.desk, self.shape, self.standing, draft)
        if isinstance(result, Failure) and not draft.keys:
            for labelled in self.shape.labelled(line.text):
                if any(map(self.desk.glossary.is_order_word, self.desk.glossary.tokens(labelled.label))):
                    continue  # "customer 5" is no label and a fifth one
                again = read_draft(self.desk, self.shape, self.standing, labelled)
                if not isinstance(again, Failure):
                    return again
        return result

    def _refuse(self, line: Written, draft: Draft, failure: Failure) -> RefusedLine:
        first, *others = (self._told(draft, one) for one in (failure, *failure.others))
        return RefusedLine(
            line,
            first.key,
            first.fields,
            first.options,
            first.read,
            first.piece,
            first.place,
            tuple(others),
            self._begins(draft),
        )

    def _told(self, draft: Draft, failure: Failure) -> Failure:
        """Return *failure* with the nearest of what was possible; words that are the whole line are not said again."""
        options = failure.options[:MOST_POSSIBLE]
        if not failure.ordered:
            piece = Piece(failure.piece, self.desk.glossary.tokens(failure.piece))
            options = nearest(self.desk.glossary, piece, failure.options)
        is_all = failure.key == _UNKNOWN[0] and not draft.label and failure.piece in draft.alternatives
        return replace(failure, options=options, fields=_UNKNOWN[1] if is_all else failure.fields)

    def _finish(self, one: _Read, later: Sequence[_Read]) -> ReadLine:
        """
        Return the line with its list closed, unless it asks, or a later line goes on with the same list.

        Where a line was refused, nothing is ended that may have been meant to go on.
        """
        choices: list[tuple[str, ...]] = []
        closed = False
        for walk in one.choice.walks:
            closing = "" if one.draft.ask or self.refused else closing_text(self.desk, walk)
            lists = closes(self.desk, closing) if closing and not one.choice.when else ()
            if lists and any(other.goes_on(walk.answered[-1], lists, self.desk.glossary.turns) for other in later):
                closing = ""
            choices.append((*walk.texts, closing) if closing else walk.texts)
            closed = closed or walk.closed or bool(closing)
        key, occasion = one.choice.walks[0].due
        return ReadLine(
            one.written,
            Line(key, tuple(choices), occasion, one.choice.when, one.choice.until),
            exact=all(walk.exact for walk in one.choice.walks) and "(" not in one.written.text,
            closed=closed,
            label=one.draft.label,
            lost=tuple(self._told(one.draft, failure) for failure in one.choice.lost),
            doubtful=tuple(self._told(one.draft, failure) for failure in one.choice.doubtful),
        )


def _unfolded(desk: Desk, text: str) -> str:
    """Return *text* with the moves that were mailed as `3b` in its place: number 3, and what is lettered b below it."""
    lists = [one for one in desk.mailed if one.follow]
    return LETTERED.sub(lambda found: _lettered(desk, lists[0], found), text) if lists else text


def _lettered(desk: Desk, mailed: MailedList, found: re.Match[str]) -> str:
    listed = desk.ruleset.grammar.listed(mailed.texts).get(int(found[1]))
    below = mailed.follow[mailed.texts.index(listed)] if listed else ()
    at = ord(found[2].lower()) - ord("a")
    return f"{listed} : {below[at]}" if at < len(below) else found[0]
