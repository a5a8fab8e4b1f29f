from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.post.layout import WIDTH, glue, reply_links, tidy


def test_a_long_line_goes_on_under_its_first_word():
    assert tidy("- one two three four", 12) == "- one two\n  three four\n"
    assert tidy("12  one two three", 11) == "12  one two\n    three\n"
    assert tidy("    one two three", 11) == "    one two\n    three\n"


def test_glued_words_stay_together_where_they_fit():
    assert tidy(f"aa bb {glue('1 cc dd')}; {glue('2 ee')}", 14) == "aa bb 1 cc dd;\n2 ee\n"
    assert tidy(f"aa {glue('bbb ccc ddd eee')}", 8) == "aa bbb\nccc ddd\neee\n"


def test_a_word_longer_than_a_line_is_cut():
    assert tidy("x " + "a" * 9, 4) == "x\naaaa\naaaa\na\n"


def test_blank_lines_are_never_two_and_none_at_the_ends():
    assert tidy("\n\na  \n\n\n\nb\n\n") == "a\n\nb\n"


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Cf")), max_size=400))
def test_no_line_is_ever_wider_and_no_letter_is_lost(text):
    made = tidy(text)

    assert all(len(line) <= WIDTH for line in made.splitlines())
    assert "".join(made.split()) == "".join(text.split())


@pytest.mark.parametrize("line", ["take green: enter 1", "pegar pão & água?", "a+b=c%20#x", "é"])
def test_a_link_comes_back_as_it_was_written(line):
    link = reply_links("pb&em@example.org", "Re: [Vila 1] São João & co?", "#TAG · acima")(line)

    assert link.isascii()
    assert "+" not in link
    parsed = urlsplit(link)
    assert unquote(parsed.path) == "pb&em@example.org"
    assert parse_qs(parsed.query) == {
        "subject": ["Re: [Vila 1] São João & co?"],
        "body": [f"{line}\r\n\r\n#TAG · acima\r\n"],
    }


def test_a_link_without_marker_holds_the_line_alone():
    assert reply_links("a@b.example", "x", "")("test") == "mailto:a@b.example?subject=x&body=test%0D%0A"
