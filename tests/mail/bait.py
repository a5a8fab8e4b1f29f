"""What the reader of letters looks for, to be put together by chance: signals, and text that keeps patterns busy."""

import random
import re
from re import _parser  # type: ignore[attr-defined]  # the only way to see what a pattern is made of
from types import ModuleType
from typing import Any

from pbem.gate import bounces, robots, tags
from pbem.mail import body, charsets, endings, known, letter, lines, marker, markup, mime, phrases, sheet

MODULES: tuple[ModuleType, ...] = (
    body, bounces, charsets, endings, known, letter, lines, marker, markup, mime, phrases, robots, sheet, tags
)  # fmt: skip
_LONGEST = 3_000
_SPACE = {"\n": " ", "\r": " "}

MARKER = "#g12.s2.d141.0123456789 \u00b7 write above this line"
LINES = (
    MARKER, "take green council", "1", "market: pass", "undo", "help", "Thanks,", "Abra\u00e7os, Bia", "END", "-- ",
    "--", "___", "_" * 32, "-" * 30, "Sent from my iPhone", "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "+49 221 0000 12", "On Mon, 23 Nov 2026 at 09:00, Village post <pbem@example.org> wrote:",
    "Em seg., 23 de nov. de 2026", "escreveu:", "Village post writes:", "From: Village post <pbem@example.org>",
    "Sent: Monday, November 23, 2026 6:00 AM", "To: Bia <bia@players.example>", "Subject: [Village 12] Your turn",
    "*De:* Post <p@example.org>", "A: b", "-----Original Message-----", "---------- Forwarded message ---------",
    "----- Forwarded message from A <a@b> -----", "----- End forwarded message -----", "Begin forwarded message:",
    "Village, game 12, round 3", "You have 4 coins, 2 grain and 1",
    "[1] mailto:pbem@example.org?subject=a&body=take%20green%20council",
    "1 take<mailto:pbem@example.org?subject=a&body=take>", "[image: a.jpg]", "\ufffc", "\u2764\ufe0f",
    "This message is confidential and meant only for its addressee.", "Links:",
    "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP MESSAGE-----", "-----END PGP SIGNATURE-----",
    "Hash: SHA1", "| 1. | Ana | 19 points |", "From the rest I take pink market", "\u53d1\u4ef6\u4eba: A <a@b.c>",
    "", "", "word " * 40,
)  # fmt: skip
PIECES = (
    ">", "> ", " >", ">>> ", "|", ": ", "VP> ", "=", "=?utf-8?q?=C3?= ", "=?", "=?a?b?", "\t", " ", "\0", "\u00e3",
    "\u0130", "a" * 2_500, "1" * 2_500, "1 2 " * 600, "A: b\n", "From: a@b.c\n", "<", "<a ", '<a b="', "<!--", "</",
    "<div>", "<pre>\n", "--x\n", "--x\n\n", "--x--\n", "Content-Type: multipart/mixed; boundary=x\n\n--x\n", "@",
    "a@b ", "<a@b> ", "(" * 50, ';a="\\', "; a*0*=b", "X-A: b\n ", "Received: from a\n", "References: <a@b>\n",
    "\r", "\u2028", "-- \n", "Thanks,\n", "END\n", "----- End forwarded message -----\nBegin forwarded message:\n",
    "-----BEGIN PGP MESSAGE-----\n", "mailto:a@b?body=", "take green council\n", "1\n",
    "Village, game 12, round 3\n", "https://a.b/?c=d ", "[" * 20, "*_" * 20, "0" * 30, "-" * 60,
)  # fmt: skip
HEADS = (
    "From: a@b.example\n\n",
    "",
    "From: a@b.example\nContent-Type: text/plain; format=flowed\n\n",
    "From: a@b.example\nContent-Type: text/plain; format=flowed; delsp=yes\n\n",
    "From: a@b.example\nContent-Type: text/html\n\n",
    "From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n--x\n",
    "From: a@b.example\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/html\n\na\n--x\n\n",
    "From: a@b.example\nContent-Transfer-Encoding: base64\n\n",
    "From: a@b.example\nContent-Transfer-Encoding: quoted-printable\n\n",
    "Subject: ",
    "From: ",
    "To: ",
    "References: ",
    'Content-Type: text/plain; name="',
    "Content-Type: ",
)


def patterns() -> list[re.Pattern[Any]]:
    """Return every pattern of the reader."""
    return [value for module in MODULES for value in vars(module).values() if isinstance(value, re.Pattern)]


def for_pattern(rng: random.Random) -> str:
    """Return text that one pattern matches for long; its last character is mostly wrong."""
    pattern = rng.choice(patterns())
    source = pattern.pattern
    text = source if isinstance(source, str) else source.decode("latin-1")
    tree = _parser.parse(text, pattern.flags & ~re.UNICODE if isinstance(source, bytes) else pattern.flags)
    found = _Writer(rng).write(tree)[:_LONGEST]
    return found * rng.choice((1, 1, 30)) + rng.choice(("", "\u0001", "!", " x", ">"))


class _Writer:
    """Writes text that fits a parsed pattern, as long as its repeats allow."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._left = _LONGEST

    def write(self, tree: Any) -> str:
        return "".join(self._one(str(kind), value) for kind, value in tree)

    def _one(self, kind: str, value: Any) -> str:  # noqa: PLR0911 - one return for each kind of node
        if self._left <= 0:
            return ""
        if kind == "LITERAL":
            self._left -= 1
            return chr(value)
        if kind in {"ANY", "NOT_LITERAL"}:
            self._left -= 1
            return self._rng.choice("a 1:-")
        if kind == "IN":
            self._left -= 1
            return self._member(value)
        if kind == "BRANCH":
            return self.write(self._rng.choice(value[1]))
        if kind == "SUBPATTERN":
            return self.write(value[-1])
        if kind in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            low, high, inner = value
            times = self._rng.choice((int(low), min(int(high), 8), min(int(high), 600)))
            return "".join(self.write(inner) for _ in range(max(int(low), times)))
        return ""

    def _member(self, members: Any) -> str:
        kind, value = self._rng.choice(members)
        if str(kind) == "LITERAL":
            return _SPACE.get(chr(value), chr(value))
        if str(kind) == "RANGE":
            return chr(self._rng.randint(*value))
        return self._rng.choice("a1 -.x_:")
