"""What is asked, ready for the page: options in the reader's words, their numbers, and the links that choose them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby
from string import ascii_lowercase
from typing import Any

import msgspec
from msgspec import Struct

from engine.core.grammar import Verb
from engine.core.play import join_moves
from pbem.post.facts import Ask
from pbem.post.words import Voice

_FEW = 4

Link = Callable[[str], str]
"""Gives the link that writes a line to us."""


class Choice(Struct, frozen=True):
    """
    One option: its number, the words that choose it, what explains them, and the link that sends them.

    `more`  what would be asked after it, lettered: `3a`
    """

    number: str
    text: str
    gloss: str
    link: str
    more: tuple["Choice", ...] = ()


class Group(Struct, frozen=True):
    """Options of one verb in a row."""

    word: str
    choices: tuple[Choice, ...]


class Question(Struct, frozen=True):
    """
    One decision that is asked.

    `label`     the word before the colon of an answer ahead; "" for what is owed now
    `question`  in words, without a full stop
    `rule`      the reminder of its rule; "" none
    `groups`    the options by verb, in the order of their numbers; none: it cannot be listed yet
    `example`   the words of a real option, label included; where the title has one, of all that a line may hold
    `ranked`    an example of such lines in the order of preference; "" none
    `default`   what is played at the deadline, or at once where nobody waits; "" nothing
    `free`      until when nothing is taken from the bank
    `rests`     the days of rest up to then, or up to the deadline where that is past, in words; "" none
    """

    label: str
    question: str
    rule: str
    groups: tuple[Group, ...]
    example: str
    ranked: str
    default: str
    wait: bool
    deadline: datetime | None
    free: datetime | None
    rests: str

    @property
    def lettered(self) -> tuple[str, str] | None:
        """Return an example of a number with a letter, and the line that it stands for; None if nothing is lettered."""
        found = next((choice for choice in self.choices if choice.more), None)
        return None if found is None else (found.more[0].number, f"{found.text}: {found.more[0].text}")

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return all options."""
        return tuple(choice for group in self.groups for choice in group.choices)


def make_question(
    voice: Voice, ask: Ask, link: Link, *, ahead: bool = False, free: datetime | None = None, rests: str = ""
) -> Question:
    """Return *ask* in words; *ahead*: its answers need the label. *free* and *rests* are those of the question."""
    label = voice.label(ask.key) if ahead else ""
    before = f"{label}: " if label else ""
    assert voice.grammar is not None, "a title asks"
    numbered = voice.grammar.listed(ask.options).items()
    follow = dict(zip(ask.options, ask.follow, strict=False))
    groups = tuple(
        Group(
            voice.verb_word(verb),
            tuple(_choice(voice, number, text, follow.get(text, ()), before, link) for number, text in run),
        )
        for verb, run in groupby(numbered, key=lambda pair: pair[1].split(" ")[0])
    )
    whole, ranked = voice.examples(ask.key)
    option = _example(voice, ask)
    example = whole or (voice.move(option) if option else "")
    return Question(
        label=label,
        question=voice.ask(ask.key, ask.fields),
        rule=voice.rule(ask.key),
        groups=groups,
        example=before + example if example else "",
        ranked=before + ranked if ranked else "",
        default=voice.move(ask.default) if ask.default and (ask.deadline is not None or not ask.wait) else "",
        wait=ask.wait,
        deadline=ask.deadline,
        free=free,
        rests=rests,
    )


def _example(voice: Voice, ask: Ask) -> str:
    """Return an option that does something: its verb closes nothing and serves few questions; "" if none is listed."""
    for text in ask.options:
        verb = _verb(voice, text)
        if text != ask.default and not verb.closes and len(verb.decisions) <= _FEW:
            return text
    return ask.default or next(iter(ask.options), "")


def _verb(voice: Voice, text: str) -> Verb[Any]:
    assert voice.grammar is not None, "a title asks"
    return voice.grammar.verb_of(voice.grammar.parse_move(text))


def _choice(voice: Voice, number: int, text: str, below: Sequence[str], before: str, link: Link) -> Choice:
    said = voice.move(text)
    more = tuple(
        Choice(
            f"{number}{letter}",
            voice.move(one),
            _gloss(voice, one, text),
            link(before + voice.move(join_moves((text, one)))),
        )
        for letter, one in zip(ascii_lowercase, below, strict=False)
    )
    return Choice(str(number), said, _gloss(voice, text), link(before + said), more)


def _gloss(voice: Voice, text: str, after: str = "") -> str:
    assert voice.grammar is not None, "a title asks"
    move = voice.grammar.parse_move(text)
    return voice.gloss(voice.grammar.verb_of(move).word, msgspec.structs.asdict(move), after)
