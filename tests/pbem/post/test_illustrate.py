"""Pictures inside a mail: named by the page, described in words, kept for a month, and only where they are wanted."""

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest
from msgspec.structs import replace

from engine.core.types import Seat
from pbem.mail.letter import read_letter
from pbem.post.compose import compose, render_standalone
from pbem.post.ending import round_ends
from pbem.post.illustrate import month_folder
from tests.contract.titles import Setting
from tests.pbem.post import sample
from tests.pbem.post.pages import parse
from tests.pbem.post.sample import NOW, WORDS

TITLES = ("village", "tiny_towns", "my_village")
BIGGEST = 102_000
"""Bytes of a page from which a mail client shows it cut."""


def report(title: str, **changes):
    return sample.middle(Setting(title, 3), 6, 0.4, pictures=True, **changes)


def parts_of(mail: EmailMessage) -> tuple[str, list[EmailMessage]]:
    text, related = mail.iter_parts()
    assert text.get_content_type() == "text/plain"
    assert related.get_content_type() == "multipart/related"
    page, *images = related.iter_parts()
    return page.get_content(), images


@pytest.mark.parametrize("title", TITLES)
def test_each_picture_of_a_report_is_named_by_its_page_and_described(title):
    html, images = parts_of(parse(compose(report(title), WORDS, "abc").raw))

    named = re.findall(r'<img src="cid:([^"]+)" alt="([^"]+)"', html)
    assert [one["Content-ID"] for one in images] == [f"<{cid}>" for cid, _ in named]
    assert 1 <= len(images) <= 3
    assert all(one.get_content_type() == "image/png" for one in images)
    assert all(one.get_content()[:4] == b"\x89PNG" for one in images)
    assert len(html.encode()) < BIGGEST


@pytest.mark.parametrize("title", TITLES)
def test_the_last_mail_begins_with_the_chart(title):
    setting = Setting(title, 3)
    records = sample.game(setting, 6)
    last = sample.facts_at(setting, records[-1].position, (), Seat(0), pictures=True)

    _, images = parts_of(parse(compose(replace(last, history=round_ends(setting.ruleset, records)), WORDS, "a").raw))

    assert images[0].get_filename() == "chart.png"
    assert len(images) > 1


def test_our_own_reader_finds_the_text_of_a_mail_with_pictures():
    facts = report("village")

    letter = read_letter(compose(facts, WORDS, "abc").raw)

    bare = read_letter(compose(replace(facts, pictures=False), WORDS, "abc").raw)
    assert letter.lines == bare.lines
    assert not letter.attachments


@pytest.mark.parametrize("changes", [{"pictures": False}, {"kind": "acknowledgement"}, {"view": None}])
def test_where_no_pictures_are_wanted_there_are_none(changes):
    mail = parse(compose(replace(report("village"), **changes), WORDS, "abc").raw)

    assert [one.get_content_type() for one in mail.iter_parts()] == ["text/plain", "text/html"]
    assert "<img" not in mail.as_string()


def test_a_page_by_itself_holds_its_pictures():
    _, html = render_standalone(report("tiny_towns"), WORDS)

    assert "cid:" not in html
    assert re.search(r'<img src="data:image/png;base64,[A-Za-z0-9+/=]{1000,}"', html)


def test_pictures_are_kept_for_a_month(tmp_path):
    compose(report("tiny_towns"), WORDS, "abc", kept=tmp_path)
    (now,) = tmp_path.iterdir()
    assert any(now.iterdir())

    compose(report("tiny_towns", now=NOW + timedelta(days=40)), WORDS, "abc", kept=tmp_path)

    assert [one.name for one in tmp_path.iterdir()] == [month_folder(tmp_path, NOW + timedelta(days=40)).name]
    assert now.name not in [one.name for one in tmp_path.iterdir()]
