"""A mail as a mail client reads it, and an HTML page taken apart."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html.parser import HTMLParser

from pbem.post.compose import compose
from pbem.post.facts import MailFacts
from tests.pbem.post.sample import WORDS

VOID = {"br", "meta", "hr", "img"}


def parse(raw: bytes) -> EmailMessage:
    return message_from_bytes(raw, policy=default)


def parts(facts: MailFacts) -> tuple[str, str]:
    """Return the text and the HTML of a mail, as a mail client reads them."""
    mail = parse(compose(facts, WORDS, "abc").raw)
    assert mail.get_content_type() == "multipart/alternative"
    text, page = mail.iter_parts()
    html = next(page.iter_parts()) if page.get_content_type() == "multipart/related" else page
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
