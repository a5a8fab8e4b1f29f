"""
Players for the demo, in a process of their own: `python -m pbem.demo.bots` with a plan on standard input.

They know addresses, ports and passwords, nothing else: they read the mails that come, and answer by mail. They import
neither store, referee, post nor a title; what can be played they learn from the numbered list of the text part, as a
person would. Each writes like another mail client.

Protocol, one JSON line each way: first `Players` in; then for every `{"go": true}` one `{"sent": N}` out.
"""

import random
import smtplib
import sys
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import make_msgid

import msgspec
from msgspec import Struct

from pbem.mail.imap import ImapMailbox
from pbem.mail.letter import Letter, read_letter
from pbem.mail.ports import Account

READ = "Read"
STYLES = ("number", "words", "quoted", "html", "lazy")


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
        self.chance = random.Random(f"{players.number} {place}")  # noqa: S311 - a bot's whim, no secret
        account = Account(players.host, players.imap_port, "none", self.address, "any")
        self.mailbox = ImapMailbox(account)
        self.mailbox.open()
        self.seen = 0

    def answers(self) -> list[EmailMessage]:
        """Return the answers to all new mails, in the order of the mails; only the last question counts."""
        mails = []
        for uid in self.mailbox.new_uids(self.seen):
            self.seen = uid
            mails.append(read_letter(self.mailbox.fetch(uid).raw))
        asking = [mail for mail in mails if choices(mail)]
        return [self.answer(asking[-1])] if asking else []

    def answer(self, mail: Letter) -> EmailMessage:
        """Return a reply to *mail* that takes one of its choices."""
        listed = choices(mail)
        number, text = self.chance.choice(listed)
        line = text if self.style in ("words", "html") else str(number)
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
    """Return the first numbered list of *mail*: what is asked now."""
    found: list[tuple[int, str]] = []
    for line in mail.lines:
        number, _, text = line.text.partition("  ")
        if number.isdigit() and int(number) == len(found) + 1:
            found.append((int(number), text.split("   ")[0].strip()))
        elif found and not line.text.startswith("   "):
            break
    return found


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
