"""The words files of every language against what can be said, and against each other."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from engine import registry
from engine.core.types import Seat
from pbem import notices
from pbem.errors import PbemError
from pbem.lexicon import languages, template_root
from pbem.post import voice as voice_module
from pbem.post.words import Reader, Voice, Words, near_language
from tests.pbem.post.sample import WORDS, titles

LANGUAGES = ("en", "pt")
SERVICE = {
    **notices.ANSWERS,
    **notices.TOLD,
    **notices.REPLIES,
    **notices.ALERTS,
    **notices.DIGEST,
    **notices.MASTER,
    **notices.REASONS,
}
GM_EVENTS = {"gm.rewind": ("to",), "gm.draw": (), "gm.amend": (), "gm.foreign": ("seat", "text"), "gm.finish": ()}

VALUES = {
    "action": "crafts", "area": "graves", "building": "smithy", "city": "ford", "colour": "green", "cube": "green",
    "customer": "scroll-grain", "decision": "village.turn", "good": "ox", "origin": "abbey", "section": "crafts",
    "space": "council", "spot": "stage-2", "verb": "take", "what": "green", "pay": ("green", "coin"), "paid": ("pink",),
    "price": ("green", "green"), "colours": ("green", "pink"), "seats": (0, 1), "winners": (0,), "stalls": ("ox", ""),
    "line": ("scroll",), "harvest": ("green",), "family": (), "crafts": ("pink",), "market": ("plague",), "travel": (),
    "council": (), "church": ("brown",),
    "card": "tavern", "cards": ("cottage", "farm"), "cubes": ("a1", "b1"), "dealt": ("guild", "fort"),
    "effect": "guild", "given": "stone", "helper": "forage", "monument": "guild", "named": "brick", "old": "well",
    "open": ("wood", "glass"), "resource": "wood", "square": "b2", "squares": ("a1",),
    "black": (2, 5), "dice": ("white-2", "black-6"), "die": "white-2", "flag": "school", "letter": "a", "next": "b",
    "numbers": (3, 8), "owned": "beer-1", "choices": ("travel", "crafts"), "profession": "abbot", "white": (1, 1, 4),
}  # fmt: skip

SILENT = {"bids.dealt", "towns.dealt", "towns.done", "my.chosen", "my.done"}
"""Events without words: the owner is told the card itself; and that nothing more was done needs no telling."""


def reader(seat: int | None = 0) -> Reader:
    return Reader(None if seat is None else Seat(seat), ("Ana", "João", "Bia", "Caio"))


def voice(language: str, title: str = "", seat: int | None = 0, *, html: bool = False) -> Voice:
    return WORDS.voice(language, title, reader(seat), html=html)


def macros(module: object) -> dict[str, tuple[str, ...]]:
    """Return the macros that a words file offers, with their arguments."""
    found = {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    return {name: macro.arguments for name, macro in found.items() if hasattr(macro, "arguments")}


def name_of(key: str) -> str:
    return key.replace(".", "_").replace("-", "_")


def test_every_title_has_words_in_every_language():
    wanted = {f"{language}/{title}.j2" for language in languages() for title in registry.titles() if title != "bids"}

    assert wanted <= {str(file.relative_to(template_root() / "words")) for file in template_root().glob("words/*/*.j2")}


@pytest.mark.parametrize("title", ["", *titles()])
def test_languages_have_the_same_macros_with_the_same_arguments(title):
    english, portuguese = (
        macros(one.title if title else one.service) for one in (voice(language, title) for language in LANGUAGES)
    )

    assert english == portuguese


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notice_has_its_macro_with_exactly_its_fields(language):
    offered = macros(voice(language).service)

    expected = {name_of(key): fields for key, fields in {**SERVICE, **GM_EVENTS}.items()}
    assert expected == {name: offered.get(name) for name in expected}


@pytest.mark.parametrize("title", titles())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_of_a_title_has_its_macro_with_exactly_its_fields(language, title):
    ruleset = registry.load(title)
    vocabulary, verbs = ruleset.vocabulary, ruleset.grammar.verbs
    offered = macros(voice(language, title).title)

    expected = {name_of(key): fields for key, fields in {**vocabulary.events, **vocabulary.reasons}.items()}
    expected |= {f"ask_{name_of(key)}": fields for key, fields in vocabulary.decisions.items()}
    expected |= {f"part_{name_of(part)}": () for part in vocabulary.parts}
    expected |= {f"tie_{name_of(tie)}": () for tie in vocabulary.ties}
    expected |= {"title": (), "board": ("view",)}
    assert expected == {name: offered.get(name) for name in expected}
    optional = {f"rule_{name_of(key)}": () for key in vocabulary.decisions}
    optional |= {f"gloss_{name_of(verb.word)}": tuple(arg.name for arg in verb.args) for verb in verbs}
    optional |= {f"family_{name_of(arg.family)}": () for verb in verbs for arg in verb.args}
    optional |= {f"figure_{name_of(tie)}": () for tie in vocabulary.ties}
    optional |= {f"{kind}_{name_of(key)}": () for key in vocabulary.decisions for kind in ("example", "ranked")}
    optional |= {f"times_{name_of(key)}": (*fields, "count") for key, fields in vocabulary.events.items()}
    optional |= {f"all_{name_of(key)}": ("all",) for key in vocabulary.events}
    rest = {name: one for name, one in offered.items() if name not in expected and not name.startswith("draw_")}
    behind = [name for name, one in rest.items() if name.startswith("gloss_") and one[-1:] == ("after",)]
    rest |= {name: rest[name][:-1] for name in behind}
    assert rest == {name: optional.get(name) for name in rest}


@pytest.mark.parametrize("title", titles())
def test_no_reason_has_a_field_of_a_notice_that_tells_it(title):
    telling = {*notices.ANSWERS["order.refused"], *notices.TOLD["plan.failed"]}
    reasons = {**registry.load(title).vocabulary.reasons, **notices.REASONS}

    assert {} == {key: fields for key, fields in reasons.items() if telling.intersection(fields)}


@pytest.mark.parametrize("title", titles())
def test_no_key_is_both_an_event_and_a_reason(title):
    vocabulary = registry.load(title).vocabulary

    assert not set(vocabulary.events) & set(vocabulary.reasons)


@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize("title", titles())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_of_a_title_can_be_said_to_every_reader(language, title, html):
    vocabulary = registry.load(title).vocabulary
    for seat in (0, 1, None):
        mine = voice(language, title, seat, html=html)
        for keys, say in (
            (vocabulary.events, mine.say),
            (vocabulary.reasons, mine.say),
            (vocabulary.decisions, mine.ask),
        ):
            for key, names in keys.items():
                mine.begin()
                said = say(key, tuple((name, VALUES.get(name, 1)) for name in names))
                assert said.strip() or key in SILENT, key
                assert said == said.strip()
                assert not said.endswith("."), f"{key} must have no full stop"


ROWS = {
    "digest.late": ([1, "bids", "Zoë <b>", 1], [2, "village", "Ana", 3]),
    "digest.held": ([31, 1, "bids", "rate"], [32, 0, "", "crashed"]),
    "digest.unsent": ([14], [15]),
    "digest.bounced": ([1, "bids", "Ana", 2], [0, "", "", 1]),
    "digest.acts": (["Rui", "pause", 1, "bids"], ["Zé", "person.block", 0, ""]),
    "digest.begun": ([1, "bids"], [2, "tiny_towns"]),
    "digest.ended": ([1, "bids", False], [2, "my_village", True]),
    "digest.waiting": (
        [1, "bids", "Ana", "2026-12-01T10:00:00Z", False],
        [2, "village", "Bia", "2026-11-01T10:00:00Z", True],
    ),
}


@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", notices.DIGEST)
def test_every_part_of_a_digest_names_all_its_rows(key, language, html):
    said = voice(language, html=html).say(key, (("rows", ROWS[key]),))

    assert said.count("<li>" if html else "\n- ") == (0 if key == "digest.unsent" else 2)
    assert "<b>" not in said or not html
    assert all(str(row[0]) in said for row in ROWS[key] if row[0])
    assert "  " not in said.replace("\n", "|")


@pytest.mark.parametrize(
    "file", sorted((template_root() / "words").rglob("*.j2")), ids=lambda one: f"{one.parent.name}-{one.stem}"
)
def test_no_macro_hides_another_of_its_name(file):
    names = Counter(re.findall(r"{% macro (\w+)\(", file.read_text(encoding="utf-8")))

    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("html", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notice_can_be_said(language, html):
    values = {
        "reason": "", "possible": (), "written": "tke grn", "text": "stake 2", "until": "2026-12-01T10:00:00+00:00",
        "deadline": "2026-12-01T10:00:00Z", "begun": "2026-12-01T10:00:00Z", "ended": "2026-12-01T20:00:00Z",
        "key": "bids.stake", "message": "Hello", "expected": "prize", "verb": "stake", "word": "x", "seen": "test",
        "instead": ("stake 3",), "read": "stake 2",
        "agreed": (1,), "missing": (0, 2), "readers": (0, 1), "by": 7200, "name": "acks", "value": "few",
        "command": "quiet", "note": "Hello", "commands": ("status", "help"), "address": "a@b.example", "error": "e",
        "what": "log", "why": "running", "others": (1,), "names": ("Ana",), "titles": ("bids",), "games": (),
        "pace": "1d", "numbers": (1, 2), "told": ("Ana", "Bob"), "status": "running", "lines": ("x",), "values": {},
        "taken": (("Ana", 2, 5, "bid 2"),), "standings": (), "seats": (), "problems": (), "counts": (),
        "held": (), "post": ("2026-12-01T10:00:00Z", "", 0, 1), "rows": (), "waits": (),
        "acts": (), "act": "pause", "length": 9, "how": "agreed",
        "clock": "24h + 10d; off sat 12-25 2027-04-02; zone Europe/Lisbon; stake 12h; bid 0",
    }  # fmt: skip
    mine = voice(language, "bids", html=html)
    for key, names in {**SERVICE, **GM_EVENTS}.items():
        if key in notices.DIGEST:
            continue
        said = mine.say(key, tuple((name, values.get(name, 1)) for name in names))
        if key == "game.invited":
            continue
        ends = said.endswith((".", "!", ":")) or key in GM_EVENTS or key in notices.REASONS or "Hello" in said
        assert ends or key == "alert.mail-refused", (key, said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_takes_the_fields_behind_those_of_its_notice(language):
    fields = (
        ("line", 3), ("written", "bid 9"), ("reason", "bids.too-much"), ("possible", ("bid 2", "keep")),
        ("need", 9), ("have", 2),
    )  # fmt: skip

    said = voice(language, "bids").say("order.refused", fields)

    expected = {
        "en": 'Line 3 "bid 9" was not played: this takes 9 coins, and 2 are there. You can write: bid 2; keep.',
        "pt": 'Linha 3 "bid 9" não foi jogada: isto exige 9 moedas, e há 2. Você pode escrever: oferecer 2; guardar.',
    }
    assert expected[language] == said


def test_a_free_reason_is_never_taken_for_a_key():
    said = voice("en").say("game.paused", (("reason", "you"),))

    assert 'The reason: "you".' in said


def test_a_line_with_alternatives_is_put_into_local_words():
    said = voice("pt", "bids").move("stake 2 : bid 1 or stake 3 : any")

    assert said == "apostar 2: oferecer 1 ou apostar 3: qualquer"


@pytest.mark.parametrize(
    ("tag", "language"), [("pt-BR", "pt"), ("pt_PT", "pt"), ("PT", "pt"), ("en-GB", "en"), ("xx", "en"), ("", "en")]
)
def test_the_nearest_language_is_spoken(tag, language):
    assert near_language(tag) == language


@pytest.mark.parametrize(
    ("seat", "name"), [(0, "you"), (1, "João"), (-1, "chance"), (-2, "the game master"), (7, "seat 8")]
)
def test_everybody_has_a_name(seat, name):
    assert voice("en").player(seat) == name


def test_names_that_are_given_as_names_stay():
    assert voice("en").player(("Bia", 0, "Zé\n")) == "Bia, you and Zé"


def test_a_single_thing_is_joined_to_nothing():
    mine = voice("pt", "village")

    assert [mine.join(items) for items in ("a", 3, ("a",), (), ("a", "b", 1))] == ["a", "3", "a", "nada", "a, b e 1"]
    assert mine.things(("green", "coin", "green")) == "2 verdes e 1 moeda"


def test_without_a_title_moves_stay_as_they_are():
    assert voice("pt").move("take green council : any") == "take green council: qualquer"


@pytest.mark.parametrize(
    ("seconds", "english", "portuguese"),
    [
        (0, "0 minutes", "0 minutos"),
        (60, "1 minute", "1 minuto"),
        (5_460, "1 hour and 31 minutes", "1 hora e 31 minutos"),
        (86_340, "24 hours", "24 horas"),
        (266_400, "3 days and 2 hours", "3 dias e 2 horas"),
    ],
)
def test_spans_of_time(seconds, english, portuguese):
    assert [voice(language).span(seconds) for language in LANGUAGES] == [english, portuguese]


def test_moments_are_in_the_zone_of_the_reader():
    mine = WORDS.voice("pt", "", Reader(zone="America/Sao_Paulo"))

    said = mine.when("2026-12-01T01:30:00+00:00")
    assert said == "segunda-feira, 30 de novembro de 2026, às 22:30 (America/Sao_Paulo)"
    assert mine.when("2026-12-01T03:30:00+00:00").endswith(", à 00:30 (America/Sao_Paulo)")


def test_an_unknown_zone_is_read_as_utc():
    mine = WORDS.voice("en", "", Reader(zone="Nowhere/At_all"))

    assert mine.when("2026-12-01T01:30:00+00:00") == "Tuesday 1 December 2026, 01:30 (UTC)"


def test_a_key_without_words_is_named():
    with pytest.raises(PbemError, match=r"words\.missing"):
        voice("en").say("no.such-key")


def test_the_game_master_can_put_other_words_above_ours(tmp_path):
    folder = tmp_path / "words" / "en"
    folder.mkdir(parents=True)
    ours = (template_root() / "words" / "en" / "service.j2").read_text(encoding="utf-8")
    (folder / "service.j2").write_text(ours.replace("The game has begun.", "Off we go."), encoding="utf-8")

    assert Words(tmp_path).voice("en").say("game.started") == "Off we go."
    assert Words(tmp_path, cache=tmp_path / "cache").voice("en").say("game.started") == "Off we go."
    assert list((tmp_path / "cache").iterdir())


def test_no_sentence_stands_in_code():
    sentence = re.compile(r"[A-Za-zà-ú]{2,}[,;:]? [a-zà-ú]{2,}[,;:]? [a-zà-ú]{2,}")
    for file in sorted(Path(voice_module.__file__).parent.glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        documents = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        documents |= {node.msg for node in ast.walk(tree) if isinstance(node, ast.Assert)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documents:
                assert not sentence.search(node.value), f"{file.name}: {node.value}"
