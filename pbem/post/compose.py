"""
One mail from its facts: subject, a text and an HTML part, headers, bytes.

The templates decide what stands where (`mail/<kind>.{subject,txt,html}.j2`) and the words files what it says; here the
facts are only made ready for them. The same facts and nonce give the same bytes.
"""

import re
from base64 import b64encode
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import css_inline
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from engine.core.types import Seat, Standing
from pbem.clock import Clock, parse_clock
from pbem.gate.tags import marker_line, message_id
from pbem.mail.addresses import encode_domain
from pbem.notices import REPLIES
from pbem.post.asked import make_question
from pbem.post.facts import Kind, Mail, MailFacts, Tried
from pbem.post.handles import example_lines, handles_of
from pbem.post.happened import tell_happened
from pbem.post.illustrate import illustrate
from pbem.post.layout import reply_links, tidy
from pbem.post.mime import HeaderLine, Image, address_line, encode_mail, one_line
from pbem.post.sheets import sheets_of
from pbem.post.tapped import taps_of
from pbem.post.words import Reader, Words

_LONGEST_SUBJECT = 120

_LONGEST_HEADLINE = 72
"""A longer sentence makes no subject that a phone shows."""

_SENTENCE = re.compile(r"(.+?)(?:\.|([?!]))(?:\s|$)")

_SHORT: frozenset[Kind] = frozenset({"acknowledgement", "refusal", "notice"})
"""Mails that show the position only where something has happened, or somebody asked for it."""

_NEW_POSITION = frozenset(
    {"desk.status", "game.rewound", "game.amended", "seat.taken", "observer.welcome", "bench.offer"}
)
"""What is told with the position below it."""

_AS_EVER = ("invitation", "confirmation", "alert", "digest")
"""Kinds that have one page for everybody: nothing in them is a table."""


_ALERTING = ("alert", "digest")
"""Kinds of mail to a master that answer no letter of his."""


class Row(Struct, frozen=True):
    """A seat in the standings: its place, its name, and its figures by name."""

    seat: Seat
    rank: int
    name: str
    points: int
    parts: tuple[tuple[str, int], ...]
    ties: tuple[tuple[str, int], ...]


def compose(facts: MailFacts, words: Words, nonce: str, outbox: str = "", kept: Path | None = None) -> Mail:
    """
    Return the mail that tells *facts*.

    *nonce* makes its Message-ID unique. *kept* is a folder for pictures. *outbox* is the mark that comes back with a
    bounce as `X-PBEM-Outbox`; who does not know it yet leaves it out and puts the header in front of the bytes later.
    Raises: PbemError `words.missing`; what a template raises.
    """
    host = encode_domain(facts.our).rpartition("@")[2]
    subject, text, html, images = _pages(facts, words, host, kept)
    headers = _headers(facts, subject, nonce, outbox, _unsubscribe(facts, words))
    raw = encode_mail(headers, text, html, f"=_pbem_{one_line(nonce)}", images)
    asked = (*((facts.ask,) if facts.ask else ()), *facts.ahead)
    return Mail(facts.kind, facts.to, _message_id(facts, nonce, host), raw, tuple(one for one in asked if one.options))


def render_standalone(facts: MailFacts, words: Words) -> tuple[str, str]:
    """Return the text and the HTML of *facts* as pages of their own, without the line that a reply is written above."""
    _, text, html, images = _pages(facts, words, "page", standalone=True)
    for one in images:
        html = html.replace(f"cid:{one.cid}", f"data:image/png;base64,{b64encode(one.png).decode()}")
    return text, html


def _pages(
    facts: MailFacts, words: Words, host: str, kept: Path | None = None, *, standalone: bool = False
) -> tuple[str, str, str, tuple[Image, ...]]:
    """Return subject, text, HTML and its pictures."""
    facts = _cleaned(facts)
    plain, rich = (_Page(facts, words, standalone=standalone, html=html) for html in (False, True))
    images = illustrate(facts, plain.voice, host, kept)
    subject = one_line(plain.render("subject", {"headline": plain.headline()}))
    subject = subject if len(subject) <= _LONGEST_SUBJECT else subject[: _LONGEST_SUBJECT - 1].rstrip() + "…"
    text = plain.render("txt", plain.context(subject))
    html = rich.render("html", rich.context(subject) | {"pictures": images})
    return subject, tidy(text), _INLINER.inline(html), images


def _cleaned(facts: MailFacts) -> MailFacts:
    """Return *facts* with every name as one line of visible characters."""
    players = tuple(replace(one, name=one_line(one.name)) for one in facts.players)
    return replace(facts, players=players, our_name=one_line(facts.our_name), gm_name=one_line(facts.gm_name))


_INLINER = css_inline.CSSInliner(load_remote_stylesheets=False, keep_style_tags=False)


class _Page:
    """The facts in words for one form of the mail."""

    def __init__(self, facts: MailFacts, words: Words, *, standalone: bool, html: bool) -> None:
        self.facts, self.words, self.html = facts, words, html
        self.environment = words.environment(html=html)
        names = tuple("" if one.free else one.name for one in facts.players)
        reader = Reader(facts.reader, names, facts.gm_name, facts.zone, facts.now, facts.view, plain=facts.plain)
        self.voice = words.voice(facts.language, facts.title, reader, html=html)
        hidden = standalone or not facts.tag
        self.clock = _clock_of(facts)
        self.marker = "" if hidden else marker_line(facts.tag, self.voice.phrase("marker_words"))

    def headline(self) -> str:
        """Return the first sentence of what the mail tells, for its subject; "" where none is short and whole."""
        if not self.facts.told or any("." in one.name for one in self.facts.players):
            return ""
        first = self.facts.told[0]
        found = _SENTENCE.match(one_line(str(self.voice.say(first.key, first.fields))))
        said = "".join(filter(None, found.groups())) if found else ""
        return said if len(said) <= _LONGEST_HEADLINE else ""

    def render(self, form: str, context: dict[str, Any]) -> str:
        """Return the page from the template of its kind."""
        plain = (
            self.facts.plain and form != "subject" and not self.facts.is_to_master and self.facts.kind not in _AS_EVER
        )
        name = "master" if self.facts.is_to_master and self.facts.kind not in _ALERTING else self.facts.kind
        template = self.environment.get_template(f"mail/{'plain' if plain else name}.{form}.j2")
        return template.render(self._short() | context)

    def _short(self) -> dict[str, Any]:
        """Return what every template can use."""
        facts, voice = self.facts, self.voice
        ask = facts.ask
        return {
            "f": facts,
            "v": voice,
            "w": voice.service,
            "language": voice.language,
            "title": voice.title.title() if voice.title is not None else "",
            "prefix": self._prefix(),
            "question": voice.ask(ask.key, ask.fields) if ask else "",
            "own_name": next((one.name for one in facts.players if one.seat == facts.seat), ""),
            "due": self._due(),
            "rematch": any(one.key.startswith("rematch.") for one in facts.told),
            "left": voice.span(voice.left(ask.deadline)) if ask and ask.deadline else "",
            "told_keys": tuple(one.key for one in facts.told),
            "taps": taps_of(facts, voice),
            "values": _values(facts),
            "unread": any(one.key in REPLIES for one in facts.told),
            "gm": voice.player(-2),
        }

    def context(self, subject: str) -> dict[str, Any]:
        """Return what the templates of text and HTML can use besides."""
        facts, voice = self.facts, self.voice
        link = reply_links(facts.our, f"Re: {subject}", self.marker)
        told = [(one.key, voice.say(one.key, one.fields)) for one in facts.told]
        handles = handles_of(facts, voice) if facts.is_to_master else [[] for _ in told]
        return {
            **{name: getattr(voice.parts, name) for name in ("heading", "subheading", "bullets", "message")},
            **sheets_of(facts, voice),
            "subject": subject,
            "marker": self.marker,
            "link": link,
            "ask": make_question(voice, facts.ask, link, free=self._free(), rests=self._rests()) if facts.ask else None,
            "ahead": [make_question(voice, one, link, ahead=True) for one in facts.ahead],
            "answers": self._answers(),
            "told": told,
            "handled": list(zip((text for _, text in told), handles, strict=True)),
            "happened": tell_happened(voice, facts.happened),
            "is_whole": facts.kind not in _SHORT
            or bool(facts.happened or facts.over)
            or not _NEW_POSITION.isdisjoint(one.key for one in facts.told),
            "plan": [(voice.label(one.key), voice.move(one.text), one.when, one.until) for one in facts.plan],
            "board": voice.board(facts.view) if facts.view is not None else "",
            "rows": [self._row(one) for one in sorted(facts.standings, key=lambda one: (one.rank, one.seat))],
            "ties": [voice.tie(name) for name in voice.tie_names],
            "waiting": voice.waiting([(one.seat, one.since) for one in facts.waiting_for]),
            "clock": voice.clock_words(facts.clock),
            "games": [self._news(one) for one in facts.games],
            "players": self._players(),
            "examples": example_lines(voice) if any(one.key == "master.help" for one in facts.told) else [],
        }

    def _news(self, facts: MailFacts) -> str:
        """Return what a digest tells of one of its games."""
        page = _Page(_cleaned(facts), self.words, standalone=False, html=self.html)
        template = page.environment.get_template(f"mail/_news.{'html' if self.html else 'txt'}.j2")
        news = template.render(page._short() | page.context(page._prefix()))
        return Markup(news) if self.html else news  # noqa: S704 - a template has escaped it

    def _answers(self) -> list[str]:
        """Return one paragraph for each answer; what was only tried is told with what would come of it."""
        tried = iter(self.facts.tried)
        return [
            self.voice.glue(" ", [self.voice.say(one.key, one.fields), *self._outcome(next(tried, None))])
            if one.key == "order.tried"
            else self.voice.say(one.key, one.fields)
            for one in self.facts.answers
        ]

    def _outcome(self, tried: Tried | None) -> list[str]:
        voice = self.voice
        if tried is None:
            return []
        would = tell_happened(voice, tried.happened)
        said = [voice.phrase("tried_outcome", voice.glue(". ", would))] if would else []
        if tried.ask is not None:
            moves = voice.glue("; ", [voice.move(text) for text in tried.ask.options])
            said.append(voice.phrase("tried_next", voice.ask(tried.ask.key, tried.ask.fields), moves, tried.more))
        return said

    def _due(self) -> str:
        """Return until when nothing is lost by waiting, else when the time is up, as short as a subject needs it."""
        coming = self._coming()
        return self.voice.when_short(coming) if coming is not None else ""

    def _free(self) -> datetime | None:
        """Return from when the bank runs down; None where no clock runs, or none is left."""
        ask, bank = self.facts.ask, self.facts.bank
        return self.clock.free_until(ask.deadline, bank) if ask and ask.deadline and bank else None

    def _coming(self) -> datetime | None:
        """Return until when nothing is lost by waiting, else when the time is up; None where neither is to come."""
        free, deadline = self._free(), self.facts.ask.deadline if self.facts.ask else None
        return next((one for one in (free, deadline) if one is not None and one > self.facts.now), None)

    def _rests(self) -> str:
        """Return the days of rest up to then, in words; "" where there are none."""
        coming = self._coming()
        days = self.clock.rest.days_off(self.facts.now, coming) if coming is not None else []
        return self.voice.rest_days(self.clock.rest, days)

    def _prefix(self) -> str:
        """Return how every subject begins, the same for all mails of a game."""
        if not self.facts.game:
            return f"[{self.facts.our_name}]"
        title = self.voice.title.title() if self.voice.title is not None else self.facts.our_name
        return f"[{title} #{self.facts.game}]"

    def _row(self, standing: Standing) -> Row:
        return Row(
            standing.seat,
            standing.rank,
            self.voice.name_of(standing.seat),
            standing.points,
            tuple((self.voice.part(name), points) for name, points in standing.parts),
            tuple(
                (self.voice.figure(name), figure)
                for name, figure in zip(self.voice.tie_names, standing.ties, strict=False)
            ),
        )

    def _players(self) -> list[str]:
        """Return who has the seats; those that nobody has yet are counted."""
        voice, players = self.voice, self.facts.players
        free = sum(one.free for one in players)
        return [
            *(
                voice.phrase("bot", voice.name_of(one.seat)) if one.bot else voice.name_of(one.seat)
                for one in players
                if not one.free
            ),
            *([voice.phrase("free_seats", free)] if free else []),
        ]


def _clock_of(facts: MailFacts) -> Clock:
    """Return the clock of the game; one that never rests where none is told."""
    return parse_clock(facts.clock) if facts.clock else Clock(timedelta())


def _values(facts: MailFacts) -> dict[str, Any]:
    """Return the fields of all that is told, by name; of two alike the later."""
    return {name: value for fact in facts.told for name, value in fact.fields}


def _message_id(facts: MailFacts, nonce: str, host: str) -> str:
    return message_id(facts.tag or f"g{facts.game}", one_line(nonce), host)


def _unsubscribe(facts: MailFacts, words: Words) -> str:
    """
    Return a link to a letter that asks for less mail, and proves its seat; "" where there is no seat.

    Source: RFC 2369: an address in angle brackets. It is all in ASCII, percent-encoded, and far shorter than a line may
            be (RFC 5322: 998), though it must not be folded inside.
    """
    stop = words.order(facts.language, "stop")
    return f"<{reply_links(facts.our, stop, f'#{facts.tag}')(stop)}>" if facts.tag and not facts.is_to_master else ""


def _headers(facts: MailFacts, subject: str, nonce: str, outbox: str, unsubscribe: str) -> list[HeaderLine]:
    """Return the headers in their order; the parts' own come after them."""
    host = encode_domain(facts.our).rpartition("@")[2]
    name = next((one.name for one in facts.players if one.seat == facts.seat), "")
    thread = f"<g{facts.game}.s{facts.seat}@{host}>"
    found: list[HeaderLine] = [
        ("From", address_line(facts.our_name, facts.our)),
        ("To", address_line(name, facts.to)),
        ("Subject", subject),
        ("Date", format_datetime(facts.now)),
        ("Message-ID", _message_id(facts, nonce, host)),
        ("References", f"{thread} {message_id(facts.tag, 'thread', host)}" if facts.tag else thread),
        ("Reply-To", encode_domain(facts.reply_to)),
        ("Auto-Submitted", "auto-generated"),
        ("List-Id", f"<g{facts.game}.pbem.{host}>"),
        ("List-Unsubscribe", unsubscribe),
        ("X-PBEM-Game", str(facts.game)),
        ("X-PBEM-Seat", "" if facts.looks_on else str(facts.seat)),
        ("X-PBEM-Kind", facts.kind),
        ("X-PBEM-Decision", str(facts.ask.number) if facts.ask else ""),
        ("X-PBEM-Outbox", outbox),
    ]
    return [(header, value) for header, value in found if value]
