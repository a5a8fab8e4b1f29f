"""Whole mails: what stands in them, in which order, and that they come back as what they say."""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from msgspec.structs import replace

from engine.core.types import GM, Seat
from pbem import lexicon
from pbem.gate.tags import find_tags, parse_tags
from pbem.mail.letter import read_letter
from pbem.mail.quotes import own_words
from pbem.post.compose import compose, render_standalone
from pbem.post.facts import Fact, MailFacts, Over, Player
from pbem.post.layout import WIDTH
from pbem.reading import read_orders
from tests.contract.titles import Setting
from tests.pbem.post import sample
from tests.pbem.post.sample import TAG, WORDS

LANGUAGES = ("en", "pt")
SETTINGS = [Setting("bids", 3), Setting("village", 2), Setting("village", 4)]
VOID = {"br", "meta", "hr", "img"}
EVIL = "<b>&\"'> {{ 7*7 }}\r\nBcc: all@example.org\u202e"


def parse(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=default)


def parts(facts: MailFacts) -> tuple[str, str]:
    """Return the text and the HTML of a mail, as a mail client reads them."""
    mail = parse(compose(facts, WORDS, "abc").raw)
    assert mail.get_content_type() == "multipart/alternative"
    text, html = mail.iter_parts()
    assert [text.get_content_type(), html.get_content_type()] == ["text/plain", "text/html"]
    return text.get_content().replace("\r\n", "\n"), html.get_content()


class Page(HTMLParser):
    """Counts the tags of a page, checks that they are balanced, and keeps text and links."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: dict[str, int] = {}
        self.links: list[str] = []
        self.words = ""
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


@cache
def some_reports(setting: Setting, language: str) -> tuple[MailFacts, ...]:
    """Return reports from two random games, every one in the smaller title."""
    found = [facts for seed in (3, 4) for facts in sample.reports(setting, seed, language)]
    return tuple(found if setting.title == "bids" else found[:: len(found) // 24 or 1])


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

        words = set(re.findall(r"[a-zà-ú]+", re.sub(r"\S+@\S+|#\S+", "", text).lower()))
        assert words & english == set()


def test_no_english_word_stands_in_portuguese_mails_of_other_kinds():
    english = english_words() - {"example", "replay"}
    for kind, facts in sample.every_kind("pt").items():
        text, _ = parts(facts)

        words = set(re.findall(r"[a-zà-ú]+", re.sub(r'"[^"]*"|\S+@\S+|#\S+|pbem mail \w+', "", text).lower()))
        assert words & english == set(), kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_mail_can_be_composed(language):
    for name, facts in sample.every_kind(language).items():
        mail = compose(facts, WORDS, "abc")
        text, html = parts(facts)

        assert mail.kind == facts.kind
        assert max(map(len, text.splitlines())) <= WIDTH, name
        assert Page(html).tags["main"] == 1
        assert parse(mail.raw)["Subject"].startswith(("[Bids 12] ", "[Lances 12] ", "[Village 12] "))


def test_a_mail_has_exactly_these_headers():
    facts = sample.every_kind()["report"]

    mail = parse(compose(facts, WORDS, "abc", outbox=5).raw)

    assert mail.keys() == [
        "From", "To", "Subject", "Date", "Message-ID", "References", "Reply-To", "Auto-Submitted", "List-Id",
        "X-PBEM-Game", "X-PBEM-Seat", "X-PBEM-Kind", "X-PBEM-Decision", "X-PBEM-Outbox", "MIME-Version", "Content-Type",
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
        "12", str(facts.seat), "report", str(facts.ask.number), "5",
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
    assert "\nBcc:" not in text
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
    assert mail["Subject"] == "[Bids 12] A message from you"


def test_the_bytes_are_ascii_and_no_line_is_long():
    for facts in sample.every_kind("pt").values():
        raw = compose(facts, WORDS, "abc").raw

        assert raw.isascii()
        assert max(map(len, raw.split(b"\r\n"))) <= 78
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
        asked = [(facts.ask, option) for option in facts.ask.options]
        asked += [(ahead, option) for ahead in facts.ahead for option in ahead.options]
        assert len(links) == len(asked)
        for link, (ask, option) in zip(links, asked, strict=True):
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
            assert [(one.line.key, one.line.choices[0][0]) for one in reading.read] == [(ask.key, option)], link


def test_the_subject_says_what_is_asked_and_holds_no_secret():
    facts = sample.every_kind()["report"]

    subject = parse(compose(facts, WORDS, "abc").raw)["Subject"]

    assert subject == "[Bids 12] Your turn: stake one of your cards"


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        ("final", "[Bids 12] The game is over"),
        ("refusal", "[Bids 12] Not everything could be taken"),
        ("acknowledgement", "[Bids 12] Your letter was read"),
        ("reminder", "[Bids 12] Reminder, 11 days left: stake one of your cards"),
        ("invitation", "[Bids 12] gm@example.org invites you to play"),
    ],
)
def test_the_subject_says_what_kind_of_mail_it_is(kind, subject):
    assert parse(compose(sample.every_kind()[kind], WORDS, "abc").raw)["Subject"] == subject


def test_a_report_without_a_question_says_so():
    facts = replace(sample.every_kind()["report"], ask=None, waiting_for=(Seat(1),))

    text, _ = parts(facts)

    assert "Nothing is asked of you now. The game waits for João." in text
    assert parse(compose(facts, WORDS, "abc").raw)["Subject"] == "[Bids 12] What happened; nothing to do now"


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        ("refusal", "■ Your letter"),
        ("acknowledgement", "■ Your letter"),
        ("report", "Your turn: "),
        ("reminder", "A reminder"),
    ],
)
def test_what_matters_stands_first(kind, first):
    text, _ = parts(sample.every_kind()[kind])

    assert text.split("\n\n", 1)[1].startswith(first)


def test_a_refused_line_is_told_with_its_reason_and_what_is_possible():
    text, _ = parts(sample.every_kind()["refusal"])

    joined = " ".join(text.split())
    assert 'Line 1 "bid 9": this takes 9 coins, and 6 are there. You can write: bid 6; bid 5.' in joined


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


def test_the_invitation_carries_the_commitment_and_taps_for_accept_decline_and_test():
    facts = sample.every_kind()["invitation"]
    text, html = parts(facts)

    bodies = [parse_qs(urlsplit(link).query)["body"][0].split("\r\n")[0] for link in Page(html).links]
    assert bodies == ["accept", "decline", "test", "accept sunflower"]
    assert facts.commitment in text
    assert facts.commitment in html
    ten = text.split("in ten lines\n\n")[1].split("\n\n")[0]
    assert len(re.findall(r"^- ", ten, re.MULTILINE)) == 10


def test_a_confirmation_has_one_tap_with_the_number_of_the_letter():
    text, html = parts(sample.every_kind()["confirmation"])

    bodies = [parse_qs(urlsplit(link).query)["body"][0].split("\r\n")[0] for link in Page(html).links]
    assert bodies == ["confirm 77"]
    assert "    confirm 77" in text


def test_the_final_report_tells_scores_winner_seed_and_how_to_check():
    facts = replace(sample.every_kind()["final"], seat=Seat(1))
    text, html = parts(facts)

    joined = " ".join(text.split())
    assert "Ana won." in joined
    assert "for ties: coins" in joined
    assert facts.over.seed in text
    assert facts.commitment in text
    assert "The game master chose these draws, by the number of their entry: 3 and 9." in joined
    assert "pbem replay FILE" in joined
    assert Page(html).tags["table"] >= 1


def test_a_void_game_has_no_winner_and_no_scores():
    facts = replace(sample.every_kind()["final"], over=Over((), "ab" * 32, void=True, verified=False))

    text, _ = parts(facts)

    assert "ended the game without a result" in text
    assert "won" not in text
    assert "■ The scores" not in text
    assert "found a fault" in text


def test_shared_victory():
    facts = sample.every_kind()["final"]
    facts = replace(facts, seat=Seat(2), over=replace(facts.over, winners=(Seat(0), Seat(1))))

    assert "Ana and João share the victory." in parts(facts)[0]


@pytest.mark.parametrize(
    ("hours", "bank_days", "expected"),
    [
        (20, 0, "that is 20 hours from now."),
        (20, 10, "Your reserve of 10 days is running."),
        (-1, 0, "The time for this ended on"),
    ],
)
def test_the_deadline_in_words(hours, bank_days, expected):
    base = sample.every_kind()["reminder"]
    facts = replace(
        base, ask=replace(base.ask, deadline=sample.after(hours)), bank=sample.after(24 * bank_days) - sample.NOW
    )

    assert expected in " ".join(parts(facts)[0].split())


def test_without_a_clock_there_is_no_deadline():
    base = sample.every_kind()["reminder"]

    assert "No clock is running" in parts(replace(base, ask=replace(base.ask, deadline=None)))[0]
    assert "No clock runs" in parts(replace(sample.every_kind()["invitation"], clock=""))[0]
    assert "you have 24 hours." in " ".join(parts(replace(sample.every_kind()["invitation"], clock="24h"))[0].split())


def test_the_hold_is_told():
    text, _ = parts(replace(sample.every_kind()["report"], hold=sample.after(0.5) - sample.NOW))

    assert "Your lines are played 30 minutes after your letter" in text


def test_a_mail_that_belongs_to_no_game_and_has_no_tag():
    facts = replace(
        sample.every_kind()["alert"],
        kind="notice",
        game=0,
        title="",
        seat=GM,
        players=(),
        tag="",
        told=(Fact("letter.unknown"),),
    )

    mail = parse(compose(facts, WORDS, "abc").raw)
    text, _ = parts(facts)

    assert mail["Subject"] == "[Village post] News about the game"
    assert mail["Message-ID"] == "<g0.abc@example.org>"
    assert text.startswith("We know no game for this address.")
    assert "#" not in text


def test_a_page_of_its_own_has_no_marker_line():
    text, html = render_standalone(sample.every_kind()["report"], WORDS)

    assert TAG not in text
    assert TAG not in html
    assert text.startswith("Your turn: ")


def test_an_address_that_is_not_ascii_is_refused():
    with pytest.raises(UnicodeEncodeError):
        compose(replace(sample.every_kind()["report"], to="joão@example.org"), WORDS, "abc")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", sorted(sample.every_kind()))
def test_the_text_reads_as_it_was_approved(kind, language):
    """`python -m tests.pbem.post.sample` writes the files anew; read them aloud before they are kept."""
    expected = (sample.GOLDEN / f"{kind}.{language}.txt").read_text(encoding="utf-8")

    assert expected == sample.readable(sample.every_kind(language)[kind])
