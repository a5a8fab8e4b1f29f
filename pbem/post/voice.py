"""
One voice: the words of a language for one title and one reader.

`words/<lang>/<title>.j2` holds for its title one macro for every event and every reason, named like the key with `_`
for `.` and `-`; `ask_…` for every decision of a person, and `rule_…` for the reminder of its rule; where
it helps, `example_…` and `ranked_…`, a whole line of the position and several in order of preference; `part_…` for the
figures of a standing and `tie_…` for what decides between equals (`figure_…`: what is counted for it, if that is
called otherwise); `draw_…` for what is written in pictures; `family_…` for what a move can lack; `gloss_…` for a verb
whose moves do not explain themselves; `times_…` for an event that is told otherwise when it comes `count` times in a
row, `all_…` for one that is told once for several in a row, with `all` their fields by name; `title` and `board`.
`words/<lang>/rules/<title>.j2` holds the rules in short: `parts`, pairs of a macro's name and a heading, and those
macros, whose arguments are the component tables as they are written and the `Sheet`.
`words/<lang>/service.j2` holds the same for `pbem/notices.py`, and the fixed phrases of the mails. A macro's arguments
are the fields of its key, by name. One file serves text and HTML: in HTML all arguments are escaped. What a macro can
use besides its arguments:

    me                     the reader's seat, None for a spectator
    view                   what the reader may see of the position, if it is known
    plain                  the words are read aloud: no signs, one fact a line
    player(seat)           the name of a seat, several for a tuple; "you" for the reader
    name_of(seat)          the same at the beginning of a line
    who(seat)              the same and a space, at the beginning of an event; left out where the one before had it too
    move(text)             a canonical line in the reader's words
    name(family, word, n)  a thing in the reader's words, plural unless n is 1 (the default); gender(family, word)
    things(names)          a tuple of things as "2 green and 1 coin"
    join(items)            "a, b and c"
    label(key)             the word before `:` for a decision
    family(name)           the kind of word that a move wants here
    verb_word(verb)        the word that a move begins with
    keyword(name)          a word of the plan: any, either ("or"), when, now, ask
    order(command)         the word for a command to the desk
    say(key)               the words of another key without fields
    clock_words(text)      the clock of a game in words
    when(moment) span(t)   a moment in the reader's zone; a length of time, or of so many seconds
    title_of(name)         what another title is called
    office(act, …)         the line by which the game master asks for an act; refusal(key, values) why it was not done
    ago(m) time_left(m)       how long ago a moment was, how long it is until then; is_past(m): whether it is over
    message_block(text)    what a person wrote, set apart
    heading subheading note table bullets grid   the parts of the page, from `mail/_parts`; `grid` is a town or another
                           board of squares: rows of cells with `square` (its name), `kind` (classes of `style.css`),
                           `what` (is there), `sign` and `who` (a mark, and what it means), `more`
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup
from msgspec import Struct

from engine import registry
from engine.core.grammar import Grammar
from engine.core.play import ANY
from engine.core.types import CHANCE, GM, Fields, FieldValue, Seat
from pbem.clock import parse_clock
from pbem.desk.words import office_line, office_sentence, shown_word
from pbem.errors import PbemError
from pbem.lexicon import Lexicon
from pbem.notices import REASONS
from pbem.post.facts import Sheet
from pbem.post.mime import one_line
from pbem.post.moments import split_length, split_moment
from pbem.rest import Rest
from pbem.store.observers import FIRST, is_observer

Args = Sequence[tuple[str, Any]]

_PARTS = ("heading", "subheading", "note", "table", "bullets", "grid")


class Reader(Struct, frozen=True):
    """
    Who reads: `seat` None is a spectator; `names` are the players' in seat order; `view` is what he may see.

    `plain`  to be read aloud: the parts of a page come from `mail/_parts_plain`
    """

    seat: Seat | None = None
    names: tuple[str, ...] = ()
    gm: str = ""
    zone: str = "UTC"
    now: datetime = datetime.fromtimestamp(0, UTC)
    view: Any = None
    plain: bool = False


class Source(Struct, frozen=True):
    """
    Where the words come from.

    `own`   the game master's folder of templates
    `said`  canonical moves already put into these words; a memory, shared by all voices of one language and title
    """

    environment: jinja2.Environment
    lexicon: Lexicon
    own: Path | None
    said: dict[str, str]
    html: bool


class Voice:
    """
    The words of one language for one title and one reader, as text or as HTML.

    What it returns is plain text, or HTML with everything escaped that came from outside.
    """

    def __init__(self, source: Source, reader: Reader) -> None:
        self.lexicon = source.lexicon
        self.language = source.lexicon.language
        self.html = source.html
        ruleset = registry.load(source.lexicon.title) if source.lexicon.title else None
        self.grammar: Grammar[Any] | None = ruleset.grammar if ruleset else None
        self.tie_names: tuple[str, ...] = ruleset.vocabulary.ties if ruleset else ()
        self.lead: Seat | None = None
        self.named = False
        self._reasons = frozenset(REASONS) | frozenset(ruleset.vocabulary.reasons if ruleset else ())
        self._source = source
        self._reader = reader
        template = source.environment.get_template
        parts = template(f"mail/_parts{'_plain' if reader.plain else ''}.{'html' if source.html else 'txt'}.j2")
        self.parts: Any = parts.make_module({"said": self.phrase}) if reader.plain else parts.module
        context = self._context()
        self.title: Any = None
        self.service: Any = template(f"words/{self.language}/service.j2").make_module(context)
        if ruleset:
            self.title = template(f"words/{self.language}/{ruleset.name}.j2").make_module(context)

    def say(self, key: str, fields: Args | Fields = ()) -> str:
        """
        Return the words of an event, a reason or a notice.

        Fields beyond those of the macro belong to the reason that it names, whose words then stand in its place.
        Raises: PbemError `words.missing`.
        """
        macro = self._macro(_macro_name(key))
        values = {name: value for name, value in fields if name in macro.arguments}
        if (reason := values.get("reason")) in self._reasons:
            values["reason"] = self.say(reason, [one for one in fields if one[0] not in values])
        return macro(**values)  # type: ignore[no-any-return]

    def say_times(self, key: str, fields: Args | Fields, count: int) -> str:
        """Return the words of an event that came *count* times in a row."""
        if count > 1 and (said := self._optional(f"times_{_macro_name(key)}", **dict(fields), count=count)):
            return said
        said = self.say(key, fields).strip()
        return self.phrase("times", said, count) if said and count > 1 else said

    def has_all(self, key: str) -> bool:
        """Return whether events of *key* in a row are told in one sentence."""
        return hasattr(self.title, f"all_{_macro_name(key)}")

    def say_all(self, key: str, several: Sequence[Args | Fields]) -> str:
        """Return the words of *several* events of one *key*."""
        return self._words(f"all_{_macro_name(key)}", all=[dict(one) for one in several])

    def ask(self, key: str, fields: Args | Fields = ()) -> str:
        """Return the question of decision *key*."""
        return self._words(f"ask_{_macro_name(key)}", **dict(fields))

    def rule(self, key: str) -> str:
        """Return the reminder of the rule behind decision *key*; nothing where it has none."""
        return self._optional(f"rule_{_macro_name(key)}")

    def examples(self, key: str) -> tuple[str, str]:
        """Return a whole line for decision *key*, and several in order of preference; "" where the title has none."""
        names = (f"example_{_macro_name(key)}", f"ranked_{_macro_name(key)}")
        whole, ranked = (self._optional(name).strip() for name in names)
        return whole, ranked

    def part(self, name: str) -> str:
        """Return the name of a source of points."""
        return self._words(f"part_{_macro_name(name)}")

    def tie(self, name: str) -> str:
        """Return what decides between equal points."""
        return self._words(f"tie_{_macro_name(name)}")

    def figure(self, name: str) -> str:
        """Return what is counted to break ties by *name*."""
        return self._optional(f"figure_{_macro_name(name)}") or self.tie(name)

    def gloss(self, verb: str, values: Mapping[str, Any], after: str = "") -> str:
        """Return what stands after a move of *verb* to explain it, *after* another one; "" where it explains itself."""
        name = f"gloss_{_macro_name(verb)}"
        takes = "after" in getattr(getattr(self.title, name, None), "arguments", ())
        return self._optional(name, **values, **({"after": after} if takes else {}))

    def drawn(self, name: str, **values: object) -> str:
        """Return what is written in a picture, or read in its place."""
        return self._words(f"draw_{_macro_name(name)}", **values)

    def board(self, view: object) -> str:
        """Return the position in words."""
        return self._words("board", view=view) if self.title is not None else ""

    def rules(self, sheet: Sheet) -> list[tuple[str, str]]:
        """Return the rules of the title in short: headings and what stands below them; nothing where none are there."""
        name = f"words/{self.language}/rules/{self.lexicon.title}.j2"
        try:
            template = self._source.environment.get_template(name)
        except jinja2.TemplateNotFound:
            return []
        module: Any = template.make_module(self._context())
        found = ((heading, getattr(module, part)(sheet.tables, sheet)) for part, heading in module.parts)
        return [(heading, text.strip()) for heading, text in found if text.strip()]

    def phrase(self, name: str, *values: object) -> str:
        """Return a fixed phrase of the mails."""
        return self._macro(name, own=False)(*values)  # type: ignore[no-any-return]

    def begin(self) -> None:
        """Forget who was named last: the next event names its subject again."""
        self.lead = None

    def begin_clause(self) -> Seat | None:
        """Return the seat that the last event began with; the next one then shows in `named` whether it has one."""
        self.named = False
        return self.lead

    def player(self, seat: int | str | Iterable[int | str]) -> str:  # noqa: PLR0911 - one line a kind of seat
        """Return the name of a seat, or of several; what is a name already stays."""
        if isinstance(seat, str):
            return one_line(seat)
        if not isinstance(seat, int):
            return self.join([self.player(one) for one in seat])
        if seat == self._reader.seat:
            return self.phrase("you")
        if seat == GM:
            return self._reader.gm or self.phrase("game_master")
        if seat == CHANCE:
            return self.phrase("chance")
        names = self._reader.names
        if 0 <= seat < len(names):
            return one_line(names[seat]) or str(self.phrase("seat", seat + 1))
        return self.phrase("observer", seat - FIRST + 1) if is_observer(seat) else self.phrase("seat", seat + 1)

    def name_of(self, seat: int) -> str:
        """Return the name of a seat as it begins a line."""
        return self.phrase("you_begin") if seat == self._reader.seat else self.player(seat)

    def who(self, seat: int) -> str:
        """Return the subject of an event and a space; nothing where the event before had the same."""
        self.named = True
        if self.lead == seat:
            return ""
        self.lead = Seat(seat)
        return self.name_of(seat) + " "

    def move(self, text: str) -> str:
        """Return a canonical line in the reader's words."""
        choices = [[self._one_move(one) for one in choice.split(" : ")] for choice in text.split(" or ")]
        either = f" {self.lexicon.service.either[0]} "
        return either.join(": ".join(moves) for moves in choices)

    def name(self, family: str, word: FieldValue, count: int = 1) -> str:
        """Return a thing in the reader's words."""
        name = self.lexicon.name(family, str(word))
        return name.one if count == 1 else name.plural

    def gender(self, family: str, word: str) -> str:
        """Return the gender of a thing's name."""
        return self.lexicon.name(family, word).gender

    def label(self, key: str) -> str:
        """Return the word before `:` for decision *key*."""
        return self.lexicon.label(key)

    def things(self, names: Iterable[str], family: str = "payment") -> str:
        """Return *names*, alike counted together: "2 green and 1 coin"."""
        counts: dict[str, int] = {}
        for name in names:
            counts[name] = counts.get(name, 0) + 1
        return self.join([f"{count} {self.name(family, name, count)}" for name, count in counts.items()])

    def join(self, items: object) -> str:
        """Return *items* as "a, b and c"; a single text or number as it is."""
        if isinstance(items, str | int):
            return str(items)
        assert isinstance(items, Iterable)
        listed = [item if isinstance(item, str) else str(item) for item in items]
        if len(listed) < 2:  # noqa: PLR2004 - one thing needs no "and"
            return listed[0] if listed else self.phrase("nothing")
        return self.glue(", ", listed[:-1]) + self.phrase("and_") + self.glue("", listed[-1:])

    def glue(self, between: str, items: Iterable[str]) -> str:
        """Return *items* with *between* in between; in HTML escaped."""
        return Markup(between).join(items) if self.html else between.join(items)  # noqa: S704 - our own marks

    def when(self, moment: datetime | str, *, bare: bool = False) -> str:
        """Return a moment in the reader's zone, the zone named unless *bare*."""
        at = split_moment(moment, self._reader.zone, self._reader.now)
        zone = "" if bare else at.zone
        return self.phrase("moment", at.weekday, at.day, at.month, at.year, at.clock, zone)

    def when_short(self, moment: datetime) -> str:
        """Return a moment in the reader's zone as a subject has room for it."""
        at = split_moment(moment, self._reader.zone, self._reader.now)
        near = moment - self._reader.now < timedelta(days=6)
        return self.phrase("moment_short", at.weekday, at.day, at.month, at.clock, near)

    def waiting(self, seats: Sequence[tuple[int, datetime | None]]) -> str:
        """
        Return *seats* by name, those alike together with the moment since which they are waited for; "" for none.

        The clock of who is away begins at a moment that is still to come.
        """
        since: dict[datetime | None, list[int]] = {}
        for seat, moment in seats:
            since.setdefault(moment, []).append(seat)
        said = [self._waited(self.player(found), moment) for moment, found in since.items()]
        return self.join(said) if said else ""

    def _waited(self, names: str, since: datetime | None) -> str:
        """Return *names* with the moment *since* which they are waited for, or until which they are away."""
        if since is None:
            return names
        return self.phrase("away" if since > self._reader.now else "since", names, self.when(since, bare=True))

    def title_of(self, name: str) -> str:
        """Return what a title is called; one that we have no words for by its name."""
        try:
            template = self._source.environment.get_template(f"words/{self.language}/{name}.j2")
        except jinja2.TemplateNotFound:
            return name
        module: Any = template.make_module(self._context())
        return module.title()  # type: ignore[no-any-return]

    def left(self, moment: datetime) -> timedelta:
        """Return how long it is until *moment*."""
        return max(moment - self._reader.now, timedelta())

    def span(self, length: timedelta | int) -> str:
        """Return a length of time, or of so many seconds: days and hours, or hours, or hours and minutes."""
        return self.phrase("length", *split_length(length))

    def clock_words(self, text: str) -> str:
        """Return the clock *text* of a game in sentences; "" is none."""
        if not text:
            return self.phrase("clock_none")
        clock = parse_clock(text)
        free, rest = self.span(clock.free), clock.rest
        said = [
            self.phrase("clock_bank", free, self.span(clock.bank)) if clock.bank else self.phrase("clock_free", free)
        ]
        said += [
            self.phrase("clock_kind", self._kind(kind), self.span(span) if span else "") for kind, span in clock.kinds
        ]
        days = [
            *(self.phrase("rest_weekdays", day) for day in rest.weekdays),
            *(self.phrase("rest_date", day, month, 0) for month, day in rest.yearly),
            *(self.phrase("rest_date", day.day, day.month, day.year) for day in rest.dates),
        ]
        said += [self.phrase("clock_off", self.join(days), rest.zone or "UTC")] if days else []
        return self.glue(" ", said)

    def rest_days(self, rest: Rest, days: Sequence[date]) -> str:
        """Return *days* of *rest* in words, weekdays by their names; "" for none."""
        said = [
            self.phrase("rest_weekday", day.weekday())
            if day.weekday() in rest.weekdays
            else self.phrase("rest_date", day.day, day.month, day.year if day.year != self._reader.now.year else 0)
            for day in days
        ]
        return self.join(dict.fromkeys(said)) if said else ""

    def _kind(self, kind: str) -> str:
        """Return what a *kind* of decision is called, as it stands in the text of a clock."""
        keys = registry.load(self.lexicon.title).vocabulary.decisions if self.lexicon.title else ()
        key = next((one for one in keys if kind in (one, one.partition(".")[2])), kind)
        label = self.label(key)
        return label.rpartition(".")[2] if label == key else label

    def message_block(self, text: str) -> str:
        """Return what a person wrote, line by line, set apart from our words."""
        lines = [one_line(line) for line in text.splitlines()]
        return self.parts.message(lines)  # type: ignore[no-any-return]

    def verb_word(self, verb: str) -> str:
        """Return the word that moves of *verb* begin with."""
        return self.lexicon.verb(verb).one

    def family(self, name: str) -> str:
        """Return what a family of words is called, where a move lacks one of it."""
        return self._words(f"family_{_macro_name(name)}")

    def keyword(self, name: str) -> str:
        """Return the first word for a part of plans: `any`, `either`, `when`, `now`, `ask`."""
        words: tuple[str, ...] = getattr(self.lexicon.service, name)
        return words[0]

    def order(self, command: str) -> str:
        """Return the word that asks the desk for *command*."""
        return shown_word(command, self.language, self._source.own)

    def office(self, act: str, **values: object) -> str:
        """Return a line by which the game master asks for *act*."""
        return office_line(act, self.language, self._source.own, **values)

    def refusal(self, key: str, values: Mapping[str, str]) -> str:
        """Return why something was not done for the game master; a key that has no sentence is named."""
        sentence = office_sentence(key, self.language, self._source.own)
        known = {name: self._state(value) if name == "status" else value for name, value in values.items()}
        return sentence.format(**known) if sentence else str(self.phrase("refused_otherwise", key))

    def _state(self, status: str) -> str:
        return str(self.phrase("state_of", status))

    def ago(self, moment: str) -> str:
        """Return how long ago *moment* was."""
        return self.span(max(self._reader.now - datetime.fromisoformat(moment), timedelta()))

    def time_left(self, moment: str) -> str:
        """Return how long it is until *moment*."""
        return self.span(self.left(datetime.fromisoformat(moment)))

    def is_past(self, moment: str) -> bool:
        """Return whether *moment* is over."""
        return datetime.fromisoformat(moment) <= self._reader.now

    def command(self, command: str, phrase: str) -> str:
        """Return a line that asks the desk for *command*, with a fixed *phrase* behind it, if there is one."""
        return f"{self.order(command)} {self.phrase(phrase)}" if phrase else self.order(command)

    def _one_move(self, text: str) -> str:
        if text == ANY:
            return self.keyword("any")
        if self.grammar is None:
            return text
        said = self._source.said.get(text)
        if said is None:
            said = self._source.said[text] = self.lexicon.local_text(self.grammar, text)
        return said

    def _context(self) -> dict[str, Any]:
        """Return what macros can use."""
        own = (
            self.player, self.name_of, self.who, self.move, self.name, self.gender, self.things, self.join, self.label,
            self.family, self.verb_word, self.keyword, self.order, self.say, self.when, self.span, self.clock_words,
            self.message_block, self.title_of, self.office, self.refusal, self.ago, self.time_left, self.is_past,
        )  # fmt: skip
        parts = {name: getattr(self.parts, name) for name in _PARTS}
        helpers = {method.__name__: method for method in own}
        form = {"plain": self._reader.plain}
        return {"me": self._reader.seat, "view": self._reader.view, **form, **parts, **helpers}

    def _words(self, name: str, **values: object) -> str:
        return self._macro(name)(**values)  # type: ignore[no-any-return]

    def _optional(self, name: str, **values: object) -> str:
        macro = getattr(self.title, name, None)
        return "" if macro is None else macro(**values)

    def _macro(self, name: str, *, own: bool = True) -> Any:  # noqa: ANN401 - a macro of Jinja
        for module in (self.title, self.service) if own else (self.service,):
            macro = getattr(module, name, None)
            if macro is not None:
                return macro
        raise PbemError("words.missing", macro=name, language=self.language)


def _macro_name(key: str) -> str:
    return key.replace(".", "_").replace("-", "_")
