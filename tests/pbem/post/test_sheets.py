"""What a person asks to read: the rules in short, in every language; and mails that are read aloud."""

import tomllib
from html.parser import HTMLParser
from typing import Any

import pytest
from msgspec.structs import replace

from engine import registry
from engine.core.ruleset import make_config
from engine.core.types import CHANCE
from pbem.post.compose import render_standalone
from pbem.post.facts import Happened, MailFacts, Past, Round, Sheet
from pbem.post.layout import WIDTH
from pbem.post.words import Reader
from tests.contract.titles import Setting
from tests.pbem.post import sample
from tests.pbem.post.sample import WORDS, fact

LANGUAGES = ("en", "pt")
SETTINGS = (
    ("village", 2, {}), ("village", 4, {}), ("my_village", 2, {}), ("my_village", 3, {}), ("tiny_towns", 1, {}),
    ("tiny_towns", 4, {}), ("tiny_towns", 3, {"town-hall": "yes", "cavern": "yes"}),
)  # fmt: skip
SIGNS = set("■•\u2013\u2014→")


class Tags(HTMLParser):
    """Counts the tags of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append(tag)


def sheet(title: str, seats: int, options: dict[str, str], **changed: Any) -> Sheet:
    ruleset = registry.load(title)
    config = make_config(seats, options, allowed=ruleset.seats, options=ruleset.options)
    tables = tomllib.loads(registry.packaged_tables(title).text)
    for name, value in changed.items():
        tables[name] |= value
    return Sheet(tables, seats, dict(config.options))


def asked(title: str, language: str, told: Sheet, word: str = "") -> MailFacts:
    """Return the answer to `rules WORD`."""
    base = sample.middle(Setting(title, 3), 3, 0.3, language)
    bare = replace(base, kind="help", ask=None, ahead=(), plan=(), happened=(), waiting_for=(), view=None)
    return replace(bare, told=(fact("desk.rules", word=word),), sheet=told)


@pytest.mark.parametrize(("title", "seats", "options"), SETTINGS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_fit_a_sheet_and_a_line(language: str, title: str, seats: int, options: dict[str, str]) -> None:
    text, page = render_standalone(asked(title, language, sheet(title, seats, options)), WORDS)

    lines = text.splitlines()
    assert 60 <= len([line for line in lines if line]) <= 125
    assert max(map(len, lines)) <= WIDTH
    assert "{{" not in text + page
    assert "<li" in page


@pytest.mark.parametrize("title", ["village", "tiny_towns", "my_village"])
def test_the_rules_have_the_same_parts_in_every_language(title: str) -> None:
    for _, seats, options in (one for one in SETTINGS if one[0] == title):
        told = sheet(title, seats, options)
        parts = [WORDS.voice(language, title, Reader()).rules(told) for language in LANGUAGES]
        assert len(parts[0]) == len(parts[1])
        assert [text.count("\n- ") for _, text in parts[0]] == [text.count("\n- ") for _, text in parts[1]]


@pytest.mark.parametrize("title", ["village", "tiny_towns", "my_village"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_show_every_kind_of_move(language: str, title: str) -> None:
    voice = WORDS.voice(language, title, Reader())
    text = " ".join(
        text for _, text in voice.rules(sheet(title, 3, {"cavern": "yes"} if title == "tiny_towns" else {}))
    )
    if title == "tiny_towns":
        text += " ".join(text for _, text in voice.rules(sheet(title, 3, {"town-hall": "yes"})))
    drawn = {"draw", "hammer", "first", "deal", "roll"}

    assert voice.grammar is not None
    missing = [verb.word for verb in voice.grammar.verbs if voice.verb_word(verb.word) not in text]
    assert set(missing) <= drawn, missing
    assert int(CHANCE) == -1


@pytest.mark.parametrize(
    ("title", "changed", "told"),
    [
        ("village", {"turn": {"plague_time": 77}}, "77"),
        ("tiny_towns", {"feeding": {"farm": 77}}, "77"),
        ("my_village", {"time": {"lap": 77}}, "77"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_those_of_the_tables_of_the_game(
    language: str, title: str, changed: dict[str, Any], told: str
) -> None:
    before, _ = render_standalone(asked(title, language, sheet(title, 3, {})), WORDS)
    after, _ = render_standalone(asked(title, language, sheet(title, 3, {}, **changed)), WORDS)

    assert told not in before
    assert told in after


@pytest.mark.parametrize(
    ("language", "word", "heading"), [("en", "well", "Your turn"), ("pt", "FAZENDA", "Colheita e Família")]
)
def test_a_word_gives_the_parts_in_which_it_stands(language: str, word: str, heading: str) -> None:
    text, page = render_standalone(asked("village", language, sheet("village", 3, {}), word), WORDS)
    whole, _ = render_standalone(asked("village", language, sheet("village", 3, {})), WORDS)

    assert heading in text
    assert heading in page
    assert len(text) < len(whole)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plain_mails_of_every_kind_tell_the_same_without_signs_and_tables(language: str) -> None:
    for name, facts in sample.every_kind(language).items():
        if facts.is_to_master:
            continue
        plain, page = render_standalone(replace(facts, plain=True), WORDS)
        usual, _ = render_standalone(facts, WORDS)

        assert not SIGNS & set(plain), name
        assert not any(line.lstrip().startswith("- ") for line in plain.splitlines()), name
        assert max(map(len, plain.splitlines())) <= WIDTH, name
        assert not {"table", "img", "td"} & set(Tags(page).found), name
        for _, text in () if facts.ask is None else enumerate(facts.ask.options[:20]):
            said = WORDS.voice(language, facts.title).move(text)
            assert said in " ".join(plain.split()), (name, said)
        assert len(plain) > len(usual) / 2, name


@pytest.mark.parametrize("html", [False, True])
def test_what_happened_before_stands_round_by_round(html: bool) -> None:
    base = sample.middle(Setting("village", 3), 6, 0.3)
    past = Past((Round(3, base.happened[:1]), Round(4, base.happened)), cut=True)
    told = replace(base, kind="help", happened=(), told=(fact("desk.history", rounds=2),), past=past)

    text = render_standalone(told, WORDS)[html]

    assert text.index("Round 3") < text.index("Round 4")
    assert "too much for one mail" in text
    assert all(isinstance(one, Happened) for part in past.rounds for one in part.happened)


def test_a_note_is_set_apart_and_escaped() -> None:
    text, page = render_standalone(replace(sample.middle(Setting("bids", 3), 3), note="<b>\n# x"), WORDS)

    assert "Your note" in text
    assert "&lt;b&gt;" in page
