"""The words files: complete, without doubles, and in both languages alike."""

from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.core.grammar import Verb
from engine.core.types import CHANCE
from pbem.errors import SettingsError
from pbem.lexicon import (
    Lexicon,
    Name,
    add_words,
    added_folders,
    languages,
    load_lexicon,
    search_path,
    split_text,
    template_root,
)
from pbem.reading.tokens import stem, words
from tests.contract.laws import random_game
from tests.contract.titles import Setting

BIDS = Path(__file__).parents[1] / "contract" / "bids" / "words"
add_words(BIDS)
TITLES = registry.titles()
EACH = [(language, title) for language in ("en", "pt") for title in TITLES]

SHARED = {
    "go", "travel", "viajar", "viajo", "viaje",
    "swap", "exchange", "trade", "change", "trocar", "troco", "troque", "mudar", "mudo", "mude",
}  # fmt: skip
"""
Words that two verbs of one decision share: what else is said tells a first journey from a further one, and a cube
that is exchanged on a square from one that comes instead.
"""

PLAYED = {
    "tiny_towns": (
        Setting("tiny_towns", 1),
        Setting("tiny_towns", 2),
        Setting("tiny_towns", 2, (("town-hall", "yes"),)),
    ),
}
"""Settings in which everything is asked that a title can ask of chance, where one with two seats is not enough."""


def folded(word: str) -> tuple[str, ...]:
    """Return *word* as the reader sees it."""
    return tuple(map(stem, words(word)))


def persons_verbs(title: str) -> set[str]:
    """Return the verbs that answer persons' decisions, found by playing: those of chance answer nothing else."""
    asked: set[str] = set()
    chance: set[str] = set()
    for setting in PLAYED.get(title, (Setting(title, 2),)):
        for seed in range(3):
            for record in random_game(setting, seed):
                assert record.decision is not None
                (chance if record.decision.decision.seat == CHANCE else asked).add(record.decision.decision.key)
    return {
        verb.word
        for verb in registry.load(title).grammar.verbs
        if chance.isdisjoint(verb.decisions) or not asked.isdisjoint(verb.decisions)
    }


def verb(title: str, word: str) -> Verb[Any]:
    """Return a verb of *title*."""
    found = registry.load(title).grammar.verb(word)
    assert found is not None, word
    return found


@pytest.mark.parametrize(("language", "title"), EACH)
def test_every_verb_of_a_person_has_words(language: str, title: str) -> None:
    assert persons_verbs(title) == set(load_lexicon(language, title).orders.verbs)


@pytest.mark.parametrize(("language", "title"), EACH)
def test_every_word_of_an_argument_has_a_name(language: str, title: str) -> None:
    lexicon = load_lexicon(language, title)
    named = {value for names in lexicon.names.values() for value in names}

    for word in lexicon.orders.verbs:
        for arg in verb(title, word).args:
            assert set(arg.words) <= named, word


@pytest.mark.parametrize(("language", "title"), EACH)
def test_words_are_unambiguous_within_a_family(language: str, title: str) -> None:
    for family, names in load_lexicon(language, title).names.items():
        owner: dict[tuple[str, ...], str] = {}
        for value, name in names.items():
            for word in name.words:
                assert words(word), f"{family}.{value} has an empty word"
                assert owner.setdefault(folded(word), value) == value, f"{word} is two of {family}"


@pytest.mark.parametrize(("language", "title"), EACH)
def test_verbs_that_share_a_word_answer_different_decisions(language: str, title: str) -> None:
    verbs = load_lexicon(language, title).orders.verbs
    said = [name.one for name in verbs.values()]
    assert sorted(set(said)) == sorted(said), "what we say ourselves is one verb's alone"

    for one, its in verbs.items():
        for other, theirs in verbs.items():
            shared = {folded(word) for word in its.words} & {folded(word) for word in theirs.words}
            if one < other and shared - {folded(word) for word in SHARED}:
                assert not set(verb(title, one).decisions) & set(verb(title, other).decisions), (one, other, shared)


@pytest.mark.parametrize(("language", "title"), EACH)
def test_labels_name_decisions_and_differ(language: str, title: str) -> None:
    lexicon = load_lexicon(language, title)
    decisions = registry.load(title).vocabulary.decisions

    assert lexicon.orders.turn in decisions
    assert set(lexicon.orders.labels) <= set(decisions)
    said = [lexicon.label(key) for key in lexicon.orders.labels]
    assert sorted(set(said)) == sorted(said)


@pytest.mark.parametrize(("language", "title"), EACH)
def test_what_adds_nothing_is_canonical(language: str, title: str) -> None:
    lexicon = load_lexicon(language, title)
    known = {value for names in lexicon.names.values() for value in names}

    assert set(lexicon.orders.noise) <= set(lexicon.orders.verbs)
    for noise in lexicon.orders.noise.values():
        assert set(noise) <= known


@pytest.mark.parametrize("title", TITLES)
def test_both_languages_name_the_same(title: str) -> None:
    one, other = (load_lexicon(language, title) for language in ("en", "pt"))

    assert {family: set(names) for family, names in one.names.items()} == {
        family: set(names) for family, names in other.names.items()
    }
    assert one.orders.noise == other.orders.noise
    assert set(one.orders.labels) == set(other.orders.labels)
    assert one.orders.turn == other.orders.turn


@pytest.mark.parametrize("title", TITLES)
def test_portuguese_nouns_have_a_gender(title: str) -> None:
    missing = [
        f"{family}.{value}"
        for family, names in load_lexicon("pt", title).names.items()
        for value, name in names.items()
        if not name.gender
    ]

    assert not missing


@pytest.mark.parametrize("language", ["en", "pt"])
def test_service_words_are_all_there_and_no_order_word_is_passed_over(language: str) -> None:
    service = load_lexicon(language, "village").service
    for name in ("any", "either", "also", "when", "now", "ask", "next", "heading", "skip", "keep", "greeting"):
        assert getattr(service, name), name

    passed = {folded(word) for word in service.skip}
    for title in TITLES:
        orders = load_lexicon(language, title).orders
        assert not passed & {folded(name.one) for name in orders.verbs.values()}
        assert not passed & {(word,) for word in orders.verbs}


@pytest.mark.parametrize(
    ("family", "value", "said"),
    [
        ("colour", "green", "verde"),
        ("payment", "scroll", "pergaminho"),
        ("customer", "scroll-wagon", "pergaminho-carroça"),
        ("customer", "grain-3", "grão-3"),
        ("spot", "stage-2", "sala 2"),
        ("customer", "cheese", "cheese"),
    ],
)
def test_a_name_comes_from_its_family_or_another_or_its_parts(family: str, value: str, said: str) -> None:
    assert said == load_lexicon("pt", "village").name(family, value).one


def test_a_name_without_a_plural_is_its_own() -> None:
    assert "rosa" == Name("rosa").plural
    assert "bois" == Name("boi", "bois").plural
    assert ("boi", "bois", "touro") == Name("boi", "bois", also=("touro",)).words


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("take green council", "pegar verde conselho"),
        ("enter 1 green green", "entrar 1 verde verde"),
        ("sell scroll-wagon green", "vender pergaminho-carroça verde"),
        ("bury stage-2", "enterrar sala 2"),
        ("no move at all", "no move at all"),
    ],
)
def test_a_move_in_the_words_of_the_language(text: str, said: str) -> None:
    assert said == load_lexicon("pt", "village").local_text(registry.load("village").grammar, text)


def test_each_token_of_a_move_with_its_argument() -> None:
    found, values = split_text(registry.load("village").grammar, "advance 1 2 green coin")

    assert "advance" == found.word
    assert [("stage", "1"), ("number", "2"), ("payment", "green"), ("payment", "coin")] == [
        (arg.family, token) for arg, token in values
    ]


def test_labels_of_a_language() -> None:
    lexicon = load_lexicon("pt", "village")

    assert "mercado" == lexicon.label("village.market")
    assert "village.council" == lexicon.label("village.council")


def test_a_game_master_changes_one_word_and_keeps_the_rest(tmp_path: Path) -> None:
    folder = tmp_path / "words" / "en"
    folder.mkdir(parents=True)
    (folder / "names.toml").write_text('[village.good.ox]\none = "bullock"\n', encoding="utf-8")

    lexicon = load_lexicon("en", "village", tmp_path)

    assert Name("bullock", "oxen", also=("bull", "oxes")) == lexicon.name("good", "ox")
    assert "wagon" == lexicon.name("good", "wagon").one
    assert "ox" == load_lexicon("en", "village").name("good", "ox").one


def test_a_folder_of_words_may_be_given_itself() -> None:
    assert "apostar" == load_lexicon("pt", "bids", BIDS).verb("stake").one


def test_a_title_without_words_speaks_canonically() -> None:
    lexicon = load_lexicon("en", "chess")

    assert "move" == lexicon.verb("move").one
    assert "e4" == lexicon.name("square", "e4").one


def test_our_languages_and_folders(tmp_path: Path) -> None:
    assert ("en", "pt") == languages()
    assert BIDS in added_folders()
    assert (template_root(),) == search_path()
    assert (tmp_path, template_root()) == search_path(tmp_path)
    assert (template_root() / "words" / "en" / "orders.toml").is_file()


def test_words_are_read_once() -> None:
    add_words(BIDS)

    assert load_lexicon("en", "village") is load_lexicon("en", "village")


def test_a_language_that_we_do_not_have() -> None:
    with pytest.raises(SettingsError, match=r"words\.language language=fr"):
        load_lexicon("fr", "village")


@pytest.mark.parametrize(
    "text", ["[village.verbs.take\n", "[village.verbs.take]\none = 3\n", '[village.verbs.take]\nonce = "x"\n']
)
def test_a_words_file_that_cannot_be_used(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "en"
    folder.mkdir()
    (folder / "orders.toml").write_text(text, encoding="utf-8")

    with pytest.raises(SettingsError, match=r"words\.file"):
        load_lexicon("en", "village", tmp_path)


def test_lexicons_are_compared_by_themselves() -> None:
    one, other = load_lexicon("en", "village"), load_lexicon("pt", "village")

    assert isinstance(one, Lexicon)
    assert one != other
    assert 2 == len({one, other})
