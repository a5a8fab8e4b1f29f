"""A whole letter: its lines one after another, each on the position that the lines before it lead to."""

from collections.abc import Sequence
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
from pbem.reading.matching import MOST_POSSIBLE, Piece, nearest
from pbem.reading.tokens import is_number
from pbem.reading.values import (
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

_Kind = Literal["order", "prose", "nothing"]


class _Read(Struct, frozen=True):
    """A line that was read, before lists are closed."""

    written: Written
    draft: Draft
    choice: Choice

    def goes_on(self, due: Due, keys: Sequence[str]) -> bool:
        """Return whether one of its moves is for the decision *due*, or for one of *keys* on the same occasion."""
        dues = {due, *((key, due[1]) for key in keys)}
        if self.choice.when:
            return False
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
        draft = self.shape.draft(line.text[:MOST_CHARACTERS], is_fact=self._is_fact)
        kind = self._kind(line.text[:MOST_CHARACTERS], draft)
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
            self.refused.extend(RefusedLine(line, "reader.unknown") for line in self.prose)
        return Reading(
            tuple(self._finish(one, self.read[at + 1 :]) for at, one in enumerate(self.read)),
            tuple(sorted(self.refused, key=lambda one: one.written.number)),
            tuple(sorted(self.ignored, key=lambda one: one.number)),
            self.now,
        )

    def _kind(self, text: str, draft: Draft) -> _Kind:
        tokens = self.desk.glossary.tokens(" ".join(draft.alternatives))
        known = [one for one in tokens if self.desk.glossary.is_order_word(one) and not one.number]
        unknown = sum(not one.senses for one in tokens)
        if not tokens or (not known and self.shape.is_greeting(text)):
            return "nothing"
        if draft.keys:
            return "order"
        strange = not tokens[0].senses
        if unknown >= _PROSE and unknown >= (len(known) if strange else 2 * len(known)):
            return "prose"
        return "order" if known or self._holds_number(draft) else "prose"

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
                self.refused.append(self._refuse(line, result))
            else:
                self.read.append(_Read(line, draft, result))
                self.standing, self.now = result.standing, self.now or draft.now

    def _read(self, line: Written, draft: Draft) -> Choice | Failure:
        """Return how *line* is read: with what stands in brackets if that can be read, else without."""
        if "(" in line.text:
            whole = self._under_heading(self.shape.draft(line.text, brackets=True, is_fact=self._is_fact))
            result = read_draft(self.desk, self.shape, self.standing, whole)
            if not isinstance(result, Failure):
                return result
        return read_draft(self.desk, self.shape, self.standing, draft)

    def _refuse(self, line: Written, failure: Failure) -> RefusedLine:
        possible = failure.options[:MOST_POSSIBLE]
        if not failure.ordered:
            piece = Piece(failure.piece, self.desk.glossary.tokens(failure.piece))
            possible = nearest(self.desk.glossary, piece, failure.options)
        return RefusedLine(line, failure.key, failure.fields, possible, failure.read, failure.piece)

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
            if lists and any(other.goes_on(walk.answered[-1], lists) for other in later):
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
        )
