"""What holds for every mail: headers, widths, escaping, languages, and that a tap comes back as the move it shows."""

import re
from functools import cache
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from msgspec.structs import replace

from engine.core.types import Seat
from pbem import lexicon
from pbem.gate.tags import find_tags, parse_tags
from pbem.mail.letter import read_letter
from pbem.mail.quotes import own_words
from pbem.post.compose import compose
from pbem.post.facts import Fact, MailFacts, Player
from pbem.post.layout import WIDTH
from pbem.reading import read_orders
from tests.contract.titles import Setting
from tests.pbem.post import sample
from tests.pbem.post.forms import moves_of
from tests.pbem.post.pages import Page, parse, parts
from tests.pbem.post.sample import TAG, WORDS

LANGUAGES = ("en", "pt")
SETTINGS = [
    Setting("bids", 3),
    Setting("village", 2),
    Setting("village", 4),
    Setting("tiny_towns", 2),
    Setting("tiny_towns", 4),
    Setting("my_village", 2),
    Setting("my_village", 4),
]
EVIL = "<b>&\"'> {{ 7*7 }}\r\nBcc: all@example.org\u202e"


@cache
def some_reports(setting: Setting, language: str) -> tuple[MailFacts, ...]:
    """Return reports from two random games, every one in the smaller title."""
    found = [place for seed in (3, 4) for place in sample.places(setting, seed)]
    some = found if setting.title == "bids" else found[:: len(found) // 24 or 1]
    return tuple(sample.facts_at(setting, *place, language=language) for place in some)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_reports_of_random_games_can_be_composed(setting, language):
    for facts in some_reports(setting, language):
        text, html = parts(facts)

        assert text.startswith(f"#{TAG} · ")
        assert max(map(len, text.splitlines())) <= WIDTH
        assert not re.search(r"\n\n\n| \n|\xa0|\{\{|\{%", text)
        assert "Undefined" not in text
        page = Page(html)
        assert page.tags["main"] == 1


def english_words() -> set[str]:
    """Return words that stand in English moves and names and in no Portuguese ones, and the commonest others."""
    found: list[set[str]] = []
    for language in LANGUAGES:
        words: set[str] = set()
        for title in sample.titles():
            known = lexicon.load_lexicon(language, title)
            names = [
                *known.orders.verbs.values(),
                *(name for family in known.names.values() for name in family.values()),
            ]
            words |= {
                word for name in names for text in (name.one, name.many) for word in re.findall(r"[a-zà-ú]+", text)
            }
        found.append(words)
    common = "the of and your you is are this that with by from at on in nothing game write turn days hours"
    portuguese_too = {"use"}
    return found[0] - found[1] - portuguese_too | set(common.split())


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_no_english_word_stands_in_portuguese_mails(setting):
    english = english_words()
    for facts in some_reports(setting, "pt"):
        text, _ = parts(facts)

        words = set(re.findall(r"[a-zà-ú]+", re.sub(r"\S+@\S+|#\S+|pbem\s+game\s+replay", "", text).lower()))
        assert words & english == set()


def test_no_english_word_stands_in_portuguese_mails_of_other_kinds():
    english = english_words() - {"example", "replay", "post"}  # of addresses, commands and our name
    for kind, facts in sample.every_kind("pt").items():
        text, _ = parts(facts)

        words = set(
            re.findall(r"[a-zà-ú]+", re.sub(r'"[^"]*"|\S+@\S+|#\S+|pbem\s+(mail|game)\s+\w+', "", text).lower())
        )
        assert words & english == set(), kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_mail_can_be_composed(language):
    for name, facts in sample.every_kind(language).items():
        mail = compose(facts, WORDS, "abc")
        text, html = parts(facts)

        assert mail.kind == facts.kind
        assert max(map(len, text.splitlines())) <= WIDTH, name
        assert Page(html).tags["main"] == 1
        starts = ("[Bids #12] ", "[Lances #12] ", "[Village #12] ", "[Tiny Towns #12] ", "[My Village #12] ")
        assert parse(mail.raw)["Subject"].startswith(starts)


def test_a_mail_has_exactly_these_headers():
    facts = sample.every_kind()["report"]

    mail = parse(compose(facts, WORDS, "abc", outbox="5.abc").raw)

    assert mail.keys() == [
        "From", "To", "Subject", "Date", "Message-ID", "References", "Reply-To", "Auto-Submitted", "List-Id",
        "List-Unsubscribe", "X-PBEM-Game", "X-PBEM-Seat", "X-PBEM-Kind", "X-PBEM-Decision", "X-PBEM-Outbox",
        "MIME-Version", "Content-Type",
    ]  # fmt: skip
    assert mail["From"] == "Village post <pbem@example.org>"
    assert mail["To"] == f"{facts.players[facts.seat].name} <ana@example.net>"
    assert mail["Message-ID"] == f"<{TAG}.abc@example.org>"
    assert mail["References"] == f"<g12.s{facts.seat}@example.org> <{TAG}.thread@example.org>"
    assert mail["Reply-To"] == f"pbem+{TAG}@example.org"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Id"] == "<g12.pbem.example.org>"
    assert mail["Date"] == "Tue, 01 Dec 2026 18:30:00 +0000"
    assert [mail[f"X-PBEM-{name}"] for name in ("Game", "Seat", "Kind", "Decision", "Outbox")] == [
        "12", str(facts.seat), "report", str(facts.ask.number), "5.abc",
    ]  # fmt: skip


def test_headers_that_have_nothing_to_say_are_left_out():
    facts = replace(sample.every_kind()["report"], ask=None, reply_to="")

    mail = parse(compose(facts, WORDS, "abc").raw)

    assert not {"Reply-To", "X-PBEM-Decision", "X-PBEM-Outbox"} & set(mail.keys())


@pytest.mark.parametrize("kind", sorted(sample.every_kind()))
def test_no_name_can_put_a_header_or_an_element_into_a_mail(kind):
    plain = sample.every_kind()[kind]
    players = tuple(Player(one.seat, EVIL, one.bot) for one in plain.players)
    facts = replace(plain, players=players, our_name=EVIL, gm_name=EVIL)

    mail, usual = (parse(compose(one, WORDS, "abc").raw) for one in (facts, plain))

    assert mail.keys() == usual.keys()
    assert mail["From"].addresses[0].addr_spec == "pbem@example.org"
    assert mail["To"].addresses[0].addr_spec == plain.to
    assert not any("\n" in value or "\r" in value for value in mail.values())
    (text, html), (_, usual_html) = parts(facts), parts(plain)
    assert "{{ 7*7 }}" not in html or "49" not in html
    assert Page(html).tags == Page(usual_html).tags
    lines = text.splitlines()
    begun = [at for at, line in enumerate(lines) if line.lstrip().startswith("Bcc:")]
    assert all(len(lines[at - 1]) + len(" Bcc:") > WIDTH for at in begun), "a line breaks there only where it is full"
    assert "\u202e" not in text + html


def test_a_message_of_a_player_is_escaped_and_set_apart():
    fact = Fact("press.received", (("seat", 1), ("message", "one <i>\n\ntwo"), ("private", False)))
    facts = replace(sample.every_kind()["press"], told=(fact,))

    text, html = parts(facts)

    assert "João writes to all:\n    one <i>\n\n    two\n" in text
    assert "<blockquote" in html
    assert "one &lt;i&gt;<br><br>two" in html


def test_names_outside_ascii_arrive():
    facts = replace(
        sample.every_kind()["press"], to="joao@example.net", seat=Seat(1), our_name="Correio da Vila de São João"
    )

    mail = parse(compose(facts, WORDS, "abc").raw)

    assert mail["To"].addresses[0].display_name == "João"
    assert mail["From"].addresses[0].display_name == "Correio da Vila de São João"
    assert mail["Subject"] == "[Bids #12] A message from you"


def test_the_bytes_are_ascii_and_no_line_is_long():
    for facts in sample.every_kind("pt").values():
        raw = compose(facts, WORDS, "abc").raw

        assert raw.isascii()
        lines = [one for one in raw.split(b"\r\n") if not one.startswith(b"List-Unsubscribe:")]
        assert max(map(len, lines)) <= 78
        assert b"\n" not in raw.replace(b"\r\n", b"")
        assert b"\r" not in raw.replace(b"\r\n", b"")


def test_the_same_facts_give_the_same_bytes():
    facts = sample.every_kind()["report"]

    assert compose(facts, WORDS, "abc") == compose(facts, WORDS, "abc")
    assert compose(facts, WORDS, "abc").message_id != compose(facts, WORDS, "abd").message_id


def test_the_lists_are_kept_as_they_were_numbered():
    facts = sample.middle(Setting("village", 3), 3, 0.3)

    mail = compose(facts, WORDS, "abc")

    assert mail.options == tuple(one for one in (facts.ask, *facts.ahead) if one.options)
    text, _ = parts(facts)
    said = WORDS.voice("en", "village")
    for number, option in enumerate(facts.ask.options, start=1):
        assert re.search(rf"^{number}  {re.escape(said.move(option))}($| \()", text, re.MULTILINE)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tap_comes_back_as_the_move_that_it_shows(setting, language):
    records = sample.game(setting, 5)
    chosen = [one.position for one in records if sample.waits(setting, one.position)][
        :: 9 if setting.title == "bids" else 40
    ]
    lexicons = [lexicon.load_lexicon(one, setting.title) for one in (language, *LANGUAGES)]
    for position in chosen:
        seat = position.owed(setting.ruleset)[0].decision.seat
        facts = sample.facts_at(setting, position, (), seat, language=language)
        text, html = parts(facts)

        links = [link for link in Page(html).links if link.startswith("mailto:")]
        listed = setting.ruleset.grammar.listed
        asked = [(facts.ask, moves) for _, moves in moves_of(facts, setting)]
        asked += [(ask, (option,)) for ask in facts.ahead for option in listed(ask.options).values()]
        assert len(links) == len(asked)
        for link, (ask, moves) in zip(links, asked, strict=True):
            assert "+" not in link
            parsed = urlsplit(link)
            assert unquote(parsed.path) == facts.our
            body = parse_qs(parsed.query)["body"][0]
            letter = read_letter(f"From: a@b.example\r\n\r\n{body}".encode())
            words = own_words(letter, text.splitlines(), body.split("\r\n")[0].__eq__)
            assert len(words.written) == 1
            assert [found.tag for found in find_tags(letter)] == parse_tags(TAG)
            reading = read_orders(
                setting.ruleset, position, seat, list(words.written), language=language, lexicons=lexicons
            )
            read = [(one.line.key, one.line.choices[0][: len(moves)]) for one in reading.read]
            assert read == [(ask.key, moves)], link


def test_a_long_list_is_written_compactly_but_whole():
    setting = Setting("bids", 3)
    base = sample.middle(setting, 3)
    options = (*(f"bid {coins}" for coins in range(99)), "keep")
    facts = replace(base, ask=replace(base.ask, options=options, default="keep"))

    text, html = parts(facts)

    assert "- bid: 1 bid 0; 2 bid 1;" in text
    assert "- keep: 100 keep" in text
    for number in range(1, 100):
        assert re.search(rf"\b{number} bid {number - 1}\b", text)
    assert sum(link.startswith("mailto:") for link in Page(html).links) >= 100


def test_the_longest_lists_stay_below_what_mail_clients_cut_off():
    base = sample.middle(Setting("village", 4), 3)
    options = tuple(f"travel abbey ford {n % 4 + 1} orange orange" for n in range(150))
    facts = replace(base, ask=replace(base.ask, options=options, follow=()))

    assert len(parts(facts)[1].encode()) < 102_000


def test_an_address_that_is_not_ascii_stands_as_it_is():
    raw = compose(replace(sample.every_kind()["report"], to="joão@example.org"), WORDS, "abc").raw

    assert " <joão@example.org>\r\n".encode() in raw
