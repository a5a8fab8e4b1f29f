"""
Players for the demo, in a process of their own: `python -m pbem.demo.bots` with a plan on standard input.

They know addresses, ports and passwords, nothing else: they read the mails that come, and answer by mail. They import
neither store, referee, post nor a title; what can be played they learn from the numbered list of the text part, as a
person would. Each writes like another mail client. A mail that comes twice is answered once, and what is chosen follows
from the question alone: the same number gives the same game, also where mails are repeated.

Protocol, one JSON line each way: first `Players` in; then for every `{"go": true}` one `{"sent": N}` out.
"""

import random
import re
import smtplib
import sys
from collections import Counter
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import make_msgid

import msgspec
from msgspec import Struct

from pbem.mail.imap import ImapMailbox
from pbem.mail.letter import Letter, read_letter
from pbem.mail.ports import Account

STYLES = ("number", "words", "quoted", "html", "lazy")

_SINGLE = re.compile(r"(\d{1,3})  (\S.*)")
_GROUP = re.compile(r"- [^:]+: (\d{1,3} \S.*)")  # many choices: one verb a line
_BELOW = re.compile(r" \d{1,3}a .*")  # what would follow a choice: `3a skip; 3b make wagon`


class Players(Struct, frozen=True):
    """Who plays, where the servers are, and the number that the choices follow from."""

    host: str
    smtp_port: int
    imap_port: int
    addresses: tuple[str, ...]
    number: int


class Player:
    """One bot with one mailbox."""

    def __init__(self, players: Players, place: int) -> None:
        """Open the mailbox of the player at *place*."""
        self.address = players.addresses[place]
        self.style = STYLES[place % len(STYLES)]
        self.whim = f"{players.number} {place}"
        account = Account(players.host, players.imap_port, "none", self.address, "any")
        self.mailbox = ImapMailbox(account)
        self.mailbox.open()
        self.seen = 0
        self.read: set[str] = set()
        self.asked: Counter[str] = Counter()

    def answers(self) -> list[EmailMessage]:
        """Return the answers to all new mails, in the order of the mails; only the last question counts."""
        mails = []
        for uid in self.mailbox.new_uids(self.seen):
            self.seen = uid
            mail = read_letter(self.mailbox.fetch(uid).raw)
            if mail.message_id not in self.read:
                mails.append(mail)
                self.read.add(mail.message_id)
        asking = [mail for mail in mails if choices(mail)]
        return [self.answer(asking[-1])] if asking else []

    def answer(self, mail: Letter) -> EmailMessage:
        """Return a reply to *mail* that takes one of its choices; after a refusal by its number."""
        decision = mail.header("X-PBEM-Decision")
        self.asked[decision] += 1
        whim = f"{self.whim} {decision} {self.asked[decision]}"
        chance = random.Random(whim)  # noqa: S311 - a bot's whim, no secret
        number, text = chance.choice(choices(mail))
        in_words = self.style in ("words", "html") and mail.header("X-PBEM-Kind") != "refusal"
        line = text if in_words else str(number)
        reply = EmailMessage()
        reply["From"] = self.address
        reply["To"] = mail.reply_to.address or mail.sender.address
        reply["Subject"] = f"Re: {mail.subject}"
        reply["Message-ID"] = make_msgid(domain="players.example")
        reply["In-Reply-To"] = mail.message_id
        reply["References"] = mail.message_id
        quoted = "\n".join(f"> {one.text}" for one in mail.lines)
        if self.style == "html":
            block = "".join(f"<div>{_escaped(one.text)}</div>" for one in mail.lines)
            page = f"<html><body><div>{_escaped(line)}</div><blockquote type=cite>{block}</blockquote></body></html>"
            reply.set_content(page, subtype="html")
        elif self.style == "lazy":
            whole = "\n".join(one.text for one in mail.lines)
            reply.set_content(f"{line}\n\n{whole}\n")
        else:
            reply.set_content(f"{line}\n\nOn some day the game wrote:\n{quoted}\n")
        return reply


def choices(mail: Letter) -> list[tuple[int, str]]:
    """Return the first numbered list of *mail*, without what explains or follows a choice; none if nothing is asked."""
    found: list[tuple[int, str]] = []
    for line in _whole_lines(mail) if mail.header("X-PBEM-Decision") else ():
        items = _items(line)
        if items and items[0][0] == len(found) + 1:
            found += items
        elif found:
            break
    return [(number, _BELOW.sub("", text).partition(" (")[0].strip()) for number, text in found]


def _items(line: str) -> list[tuple[int, str]]:
    """Return the numbered choices that *line* names: one, or all of a verb."""
    if single := _SINGLE.fullmatch(line):
        return [(int(single[1]), single[2])]
    group = _GROUP.fullmatch(line)
    parted = [one.partition(" ") for one in group[1].split("; ")] if group else []
    return [(int(number), text) for number, _, text in parted if number.isdigit()]


def _whole_lines(mail: Letter) -> list[str]:
    """Return the lines of *mail*, each with those that continue it."""
    whole: list[str] = []
    for line in mail.lines:
        if line.text.startswith("  ") and whole and whole[-1]:
            whole[-1] += f" {line.text.strip()}"
        else:
            whole.append(line.text)
    return whole


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def play(players: Players, commands: Sequence[str] | None = None) -> None:
    """Answer mail each time that standard input says so, until it ends."""
    table = [Player(players, place) for place in range(len(players.addresses))]
    for _ in commands or sys.stdin:
        sent = 0
        for player in table:
            replies = player.answers()
            if replies:
                with smtplib.SMTP(players.host, players.smtp_port) as server:
                    for reply in replies:
                        server.send_message(reply)
                        sent += 1
        sys.stdout.write(msgspec.json.encode({"sent": sent}).decode() + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    try:
        play(msgspec.json.decode(sys.stdin.readline(), type=Players))
    except KeyboardInterrupt:
        sys.exit(130)
