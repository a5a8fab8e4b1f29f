"""What a person asked to read: the rules in short, the rounds before, and how less mail comes."""

from typing import Any

from markupsafe import Markup

from pbem.desk.words import fold
from pbem.post.facts import MailFacts
from pbem.post.happened import tell_happened
from pbem.post.voice import Voice

LESS = (
    ("reminders", "switched_off", "less_reminders"),
    ("watch", "only_mine", "less_watch"),
    ("acks", "only_few", "less_acks"),
    ("digest", "every_day", "less_digest"),
    ("quiet", "at_night", "less_quiet"),
    ("away", "ten_days", "less_away"),
    ("resign", "", "less_resign"),
)
"""Commands after which less mail comes: the phrase that follows each, "" none, and the one that explains it."""

Section = tuple[str, str]
"""A heading, and the words below it."""


def sheets_of(facts: MailFacts, voice: Voice) -> dict[str, Any]:
    """Return what templates show of it; each is empty where it was not asked for."""
    keys = {one.key for one in facts.told}
    sections, found = _rules(facts, voice)
    past = facts.past
    return {
        "rules": sections,
        "rules_word": "" if found else _word(facts),
        "past": [(voice.phrase("history_round", one.number), tell_happened(voice, one.happened)) for one in past.rounds]
        if past
        else [],
        "less": [(voice.command(*one[:2]), voice.phrase(one[2])) for one in LESS] if "desk.stop" in keys else [],
    }


def _word(facts: MailFacts) -> str:
    return next((str(dict(one.fields)["word"]) for one in facts.told if one.key == "desk.rules"), "")


def _rules(facts: MailFacts, voice: Voice) -> tuple[list[Section], bool]:
    """Return the rules, or the parts of them that hold the word that was asked for; False: none does, and all stand."""
    if facts.sheet is None:
        return [], True
    sections = voice.rules(facts.sheet)
    word = fold(_word(facts))
    wanted = [one for one in sections if word in fold(f"{one[0]} {Markup(one[1]).striptags()}")]  # noqa: S704 - our own
    return (wanted, True) if wanted or not sections else (sections, False)
