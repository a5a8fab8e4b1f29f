"""
The words that people read: Jinja macros, one file for each language and title, found by the keys of what is to be said.

`words/<lang>/<title>.j2` holds for its title one macro for every event and every reason, named like the key with `_`
for `.` and `-`; `ask_…` for every decision that a person answers; `part_…` and `tie_…` for the figures of a standing.
`words/<lang>/service.j2` holds the same for `pbem/notices.py`, and the fixed phrases of the mails. A macro's arguments
are the fields of its key, by name. One file serves text and HTML: in HTML all arguments are escaped.

What a macro can use besides its arguments:

    me                     the reader's seat, None for a spectator
    player(seat)           the name of a seat, several for a tuple; "you" for the reader
    name_of(seat)          the same at the beginning of a line
    who(seat)              the same and a space, at the beginning of an event; left out where the one before had it too
    move(text)             a canonical line in the reader's words
    name(family, word, n)  a thing in the reader's words, plural unless n is 1 (the default)
    things(names)          a tuple of things as "2 green and 1 coin"
    join(items)            "a, b and c"
    label(key)             the word before `:` for a decision
    say(key)               the words of another key without fields
    when(moment) span(t)   a moment in the reader's zone; a length of time
    family(name)           the kind of word that a move wants here
    verb_word(verb)        the word that a move begins with
    keyword(name)          a word of the plan: any, either ("or"), when, now, ask
    order(command)         the word for a command to the desk
    message_block(text)    what a person wrote, set apart
    heading table bullets  the parts of the page, from `mail/_parts`
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import jinja2
from markupsafe import Markup
from msgspec import Struct

from engine import registry
from engine.core.grammar import Grammar
from engine.core.play import ANY
from engine.core.types import CHANCE, GM, Fields, FieldValue, Seat
from pbem import lexicon
from pbem.desk.words import shown_word
from pbem.errors import PbemError
from pbem.lexicon import Lexicon, languages, load_lexicon, search_path
from pbem.notices import REASONS
from pbem.post.layout import glue
from pbem.post.mime import one_line

Args = Sequence[tuple[str, Any]]
class Reader(Struct, frozen=True):
    """Who reads: `seat` None is a spectator; `names` are the players' in seat order."""

    seat: Seat | None = None
    names: tuple[str, ...] = ()
    gm: str = ""
    zone: str = "UTC"
    now: datetime = datetime.fromtimestamp(0, UTC)


class Words:
    """
    All languages and titles; made once, then asked for voices.

    `own`    the game master's folder of templates, which is looked at before ours, or None
    `cache`  a folder for compiled templates, or None
    """

    def __init__(self, own: Path | None = None, *, cache: Path | None = None) -> None:
        self._own = own
        self._text = _environment(search_path(own), cache, html=False)
        self._html = _environment(search_path(own), cache, html=True)

    def environment(self, *, html: bool) -> jinja2.Environment:
        """Return the environment of one of the two forms."""
        return self._html if html else self._text

    def voice(self, language: str, title: str = "", reader: Reader | None = None, *, html: bool = False) -> "Voice":
        """Return the words of *language* (the nearest that we have) for *title*, which may be empty, and *reader*."""
        known = near_language(language)
        environment = self.environment(html=html)
        return Voice(environment, load_lexicon(known, title, self._own), reader or Reader(), own=self._own, html=html)


def near_language(language: str) -> str:
    """Return the language of ours that is meant by a tag such as `pt-BR`; English if none is."""
    base = language.replace("_", "-").partition("-")[0].lower()
    return base if base in languages() else "en"


class _Added(jinja2.BaseLoader):
    """Finds `words/…` in the folders of titles that come from elsewhere (`pbem.lexicon.add_words`)."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str | None, Any]:
        """Return the source of *template* and where it was found."""
        top, _, name = template.partition("/")
        folders = [str(folder) for folder in lexicon._ADDED] if top == "words" else []  # noqa: SLF001 - no public name yet
        return jinja2.FileSystemLoader(folders).get_source(environment, name or template)


def _capfirst(text: str) -> str:
    """Return *text* with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def _environment(folders: Sequence[Path], cache: Path | None, *, html: bool) -> jinja2.Environment:
    pattern = "pbem_html_%s.cache" if html else "pbem_text_%s.cache"
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.FileSystemLoader([str(folder) for folder in folders]), _Added()]),
        autoescape=html,  # noqa: S701 - the other form is plain text
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=["jinja2.ext.do"],
        bytecode_cache=jinja2.FileSystemBytecodeCache(str(cache), pattern) if cache is not None else None,
    )
    environment.filters |= {"capfirst": _capfirst, "glue": glue}
    return environment


class Voice:
    """
    The words of one language for one title and one reader, as text or as HTML.

    What it returns is plain text, or HTML with everything escaped that came from outside.
    """

    def __init__(
        self,
        environment: jinja2.Environment,
        lexicon: Lexicon,
        reader: Reader,
        *,
        own: Path | None = None,
        html: bool,
    ) -> None:
        self.language = lexicon.language
        self.html = html
        self.lexicon = lexicon
        ruleset = registry.load(lexicon.title) if lexicon.title else None
        self.grammar: Grammar[Any] | None = ruleset.grammar if ruleset else None
        self._reasons = frozenset(REASONS) | frozenset(ruleset.vocabulary.reasons if ruleset else ())
        self.tie_names: tuple[str, ...] = ruleset.vocabulary.ties if ruleset else ()
        self._own = own
        self._reader = reader
        self.lead: Seat | None = None
        self.named = False
        self.title: Any = None
        parts = environment.get_template("mail/_parts.html.j2" if html else "mail/_parts.txt.j2").module
        self.parts = parts
        context = self._context(parts)
        self.service: Any = environment.get_template(f"words/{self.language}/service.j2").make_module(context)
        if lexicon.title:
            file = f"words/{self.language}/{lexicon.title}.j2"
            self.title = environment.get_template(file).make_module(context)

    def say(self, key: str, fields: Args | Fields = ()) -> str:
        """
        Return the words of an event, a reason or a notice.

        Fields beyond those of the macro belong to the reason that it names, whose words then stand in its place.
        Raises: PbemError `words.missing`.
        """
        macro = self._macro(_macro_name(key))
        count = len(macro.arguments)
        values = dict(fields[:count])
        if (reason := values.get("reason")) in self._reasons:
            values["reason"] = self.say(reason, fields[count:])
        return str(macro(**values)) if not self.html else macro(**values)

    def ask(self, key: str, fields: Args | Fields = ()) -> str:
        """Return the question of decision *key*."""
        return self._words(f"ask_{_macro_name(key)}", **dict(fields))

    def rule(self, key: str) -> str:
        """Return the reminder of the rule behind decision *key*; nothing where it has none."""
        return self._optional(f"rule_{_macro_name(key)}")

    def part(self, name: str) -> str:
        """Return the name of a source of points."""
        return self._words(f"part_{_macro_name(name)}")

    def tie(self, name: str) -> str:
        """Return the name of a figure that breaks ties."""
        return self._words(f"tie_{_macro_name(name)}")

    def gloss(self, verb: str, values: Mapping[str, Any]) -> str:
        """Return what stands after a move of *verb* to explain it; nothing where it explains itself."""
        return self._optional(f"gloss_{_macro_name(verb)}", **values)

    def board(self, view: object) -> str:
        """Return the position in words."""
        return self._words("board", view=view) if self.title is not None else ""

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

    def player(self, seat: int | str | Iterable[int | str]) -> str:
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
        return one_line(names[seat]) if 0 <= seat < len(names) else self.phrase("seat", seat + 1)

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
        return Markup(between).join(items) if self.html else between.join(items)  # noqa: S704 - our own punctuation

    def when(self, moment: datetime | str, *, bare: bool = False) -> str:
        """Return a moment in the reader's zone, the zone named unless *bare*."""
        aware = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
        here = aware.astimezone(_zone(self._reader.zone))
        year = here.year if here.year != self._reader.now.year else 0
        zone = here.tzinfo.key if isinstance(here.tzinfo, ZoneInfo) else "UTC"
        return self.phrase("moment", here.weekday(), here.day, here.month, year, f"{here:%H:%M}", "" if bare else zone)

    def left(self, moment: datetime) -> timedelta:
        """Return how long it is until *moment*."""
        return max(moment - self._reader.now, timedelta())

    def span(self, length: timedelta | int) -> str:
        """Return a length of time, or of so many seconds: days and hours, or hours, or hours and minutes."""
        seconds = length if isinstance(length, int) else int(length.total_seconds())
        minutes = max(seconds // 60, 0)
        hours = minutes // 60
        if hours >= _HOURS_AS_DAYS:
            return self.phrase("length", hours // 24, hours % 24, 0)
        return self.phrase("length", 0, hours, 0 if hours >= _HOURS_ALONE else minutes % 60)

    def message_block(self, text: str) -> str:
        """Return what a person wrote, line by line, set apart from our words."""
        lines = [one_line(line) for line in text.splitlines()]
        return self.parts.message(lines)  # type: ignore[attr-defined,no-any-return]

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
        return shown_word(command, self.language, self._own)

    def _one_move(self, text: str) -> str:
        if text == ANY:
            return self.lexicon.service.any[0]
        return text if self.grammar is None else self.lexicon.local_text(self.grammar, text)

    def _context(self, parts: object) -> dict[str, Any]:
        shared = {name: getattr(parts, name) for name in ("heading", "table", "bullets")}
        own = (
            self.player, self.name_of, self.who, self.move, self.name, self.things, self.join, self.label, self.say, self.when,
            self.span, self.message_block, self.family, self.verb_word, self.keyword, self.order,
        )  # fmt: skip
        return {"me": self._reader.seat, **shared, **{method.__name__: method for method in own}}

    def _words(self, name: str, **values: Any) -> str:
        return self._macro(name)(**values)  # type: ignore[no-any-return]

    def _optional(self, name: str, **values: Any) -> str:
        macro = getattr(self.title, name, None)
        return "" if macro is None else macro(**values)

    def _macro(self, name: str, *, own: bool = True) -> Any:
        for module in (self.title, self.service) if own else (self.service,):
            macro = getattr(module, name, None)
            if macro is not None:
                return macro
        raise PbemError("words.missing", macro=name, language=self.language)


_HOURS_AS_DAYS = 48
_HOURS_ALONE = 6


def _macro_name(key: str) -> str:
    return key.replace(".", "_").replace("-", "_")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return ZoneInfo("UTC")
