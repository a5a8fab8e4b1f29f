"""
Letters by chance: `python -m tests.mail.fuzz [--minutes 10] [--seed N] [--out DIR]` reads them until the time is over.

A letter that ends the reader, loses a line or takes too long is a fault: it is written to a file, and the run goes on.
The run ends by itself, with the letter in `last.eml`, if one is never finished.
"""

import argparse
import faulthandler
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from pbem.desk.calling import clean_name
from pbem.desk.wishes import read_wish
from pbem.gate.bounces import read_bounce
from pbem.gate.chain import judge
from pbem.gate.checks import JudgedTag, LetterFacts
from pbem.gate.tags import find_tags
from pbem.lobby import LONGEST_NAME
from pbem.mail.letter import read_letter
from pbem.mail.quotes import IsOrder, Known, own_words, paragraphs
from tests.mail import bait
from tests.mail.corpus import cases, client_letters, is_toy_order, known_lines, known_mail, raw_of, reads_like_order

Make = Callable[[random.Random], bytes]

SECONDS_A_MEGABYTE = 2
_MEGABYTE = 1_000_000
_NEVER = 120  # seconds after which a letter is never finished
_ENCODINGS = ("7bit", "8bit", "base64", "quoted-printable", "x-uuencode", "BASE64 ", "binary", "")
_CHARSETS = (
    "utf-8",
    "iso-8859-1",
    "utf-16",
    "utf-7",
    "iso-2022-jp",
    "gb2312",
    "hz",
    "x-none",
    "unicode_escape",
    "rot13",
    "",
)
_LEAVES = (
    "text/plain", "text/html", "text/plain; format=flowed", "text/plain; format=flowed; delsp=yes", "text/calendar",
    "text/enriched", "application/pgp", "application/pgp-signature", "application/pkcs7-mime",
    "application/octet-stream", "message/rfc822", "message/delivery-status", "text/rfc822-headers",
    "message/disposition-notification", "image/png", "application/ms-tnef", "application/x-microsoft-rpmsg-message",
    "", "nonsense", "text/plain; name*0*=utf-8''a%20b.txt",
)  # fmt: skip
_TREES = ("mixed", "alternative", "related", "signed", "report", "digest", "encrypted", "parallel", "appledouble")
_TAGS = (
    "<p>", "</p>", "<div>", "</div>", "<br>", "<blockquote>", "</blockquote>", "<div id=divRplyFwdMsg>",
    "<div class='yahoo_quoted'>", '<div class="gmail_signature">', "<span style='display:none'>", "</span>",
    "<pre>", "</pre>", "<table><tr><td>", "</td></tr></table>", "<li>", "<script>", "</script>", "<style>",
    "</style>", "<!--", "-->", "<![CDATA[", "<a href='", '<a title="', ">", "<", "&nbsp;", "&#0;", "&#x110000;",
    "&lt", "</", "<!", "<?", "\u0130", "\0",
)  # fmt: skip


class Fault(Struct, frozen=True):
    """A letter that went wrong, and how."""

    maker: str
    raw: bytes
    trouble: str


class Score(Struct):
    """What a run has seen; `slowest` is in seconds, with the number of bytes and the maker."""

    inputs: Counter[str]
    size: int = 0
    slowest: tuple[float, int, str] = (0.0, 0, "")


def check(raw: bytes) -> None:
    """Read *raw* in every way that there is; every line must be accounted for."""
    letter = read_letter(raw)
    tags = tuple(JudgedTag(found.tag, found.carrier, valid=True) for found in find_tags(letter))
    judge(LetterFacts(letter=letter, tags=tags))
    read_bounce(letter)
    read_wish(letter, None)
    assert len(clean_name(letter.sender.name, None)) <= LONGEST_NAME
    ways: tuple[tuple[Known, IsOrder | None], ...] = (
        (Known(), None),
        (Known(known_lines(), ("Village post",)), is_toy_order),
        (known_mail("village-en"), reads_like_order()),
    )
    for known, is_order in ways:
        words = own_words(letter, known, is_order)
        numbered = sorted([*words.written, *words.ignored], key=lambda line: line.number)
        assert list(range(1, len(numbered) + 1)) == [line.number for line in numbered]
        assert [line.text for line in paragraphs(letter.lines, is_order)] == [line.text for line in numbered]
        assert all("\0" not in line.text and "\n" not in line.text for line in numbered)


def _bytes(rng: random.Random) -> bytes:
    return rng.randbytes(rng.randrange(2_000))


def _mutated(rng: random.Random) -> bytes:
    """Return a letter of ours with pieces cut, doubled, exchanged for those of another, or bytes changed."""
    raw = bytearray(_letter(rng))
    for _ in range(rng.randint(1, 8)):
        start = rng.randrange(len(raw) + 1)
        end = min(len(raw), start + rng.choice((1, 3, 20, 400)))
        other = _letter(rng)
        place = rng.randrange(len(other))
        piece = rng.choice(
            (
                b"",
                rng.randbytes(3),
                bytes(raw[start:end]) * 2,
                other[place : place + 300],
                b"\n",
                b"\n>",
                b"\n\n",
                b"=\n",
                b"--",
            )
        )
        raw[start:end] = piece
    return bytes(raw)


def _spliced(rng: random.Random) -> bytes:
    """Return the head of one letter with the body of another."""
    head, other = _letter(rng), _letter(rng)
    lines = head.split(b"\n")
    rng.shuffle(lines)
    return rng.choice((head.partition(b"\n\n")[0] + b"\n\n" + other, b"\n".join(lines), head + other))


def _letter(rng: random.Random) -> bytes:
    return raw_of(rng.choice([*cases(), *client_letters()]))


def _lines(rng: random.Random) -> bytes:
    """Return a body of lines that are signals, in any order."""
    lines = [rng.choice((*bait.LINES, *known_lines())) for _ in range(rng.randrange(60))]
    marks = rng.choice((("",), ("", "> ", ">> "), ("", "| "), ("", "VP> ", ": "), ("", ">")))
    text = "\n".join(rng.choice(marks) + line + rng.choice(("", "", " ", "  ")) for line in lines)
    kind = rng.choice(_LEAVES[:4])
    return f"From: a@b.example\nContent-Type: {kind}\n\n{text}".encode("utf-8", "replace")


def _tree(rng: random.Random, depth: int = 0) -> bytes:
    """Return a MIME tree of chance nesting, types, encodings, charsets and boundaries, rightly built or not."""
    if depth > rng.randrange(6):
        return _leaf(rng)
    boundary = rng.choice(("x", "x", "a b", "=_(y)", "--", "", "x" * 200))
    label = f'multipart/{rng.choice(_TREES)}; boundary="{boundary}"'
    parts = [_tree(rng, depth + 1) for _ in range(rng.randrange(4))]
    line = f"\n--{boundary}\n".encode()
    end = rng.choice((f"\n--{boundary}--\n".encode(), b""))
    return f"Content-Type: {label}\n\n".encode() + line.join([b"", *parts]) + end


def _leaf(rng: random.Random) -> bytes:
    headers = f"Content-Type: {rng.choice(_LEAVES)}"
    if rng.random() < 0.5:
        headers += f'; charset="{rng.choice(_CHARSETS)}"'
    headers += f"\nContent-Transfer-Encoding: {rng.choice(_ENCODINGS)}"
    headers += rng.choice(("", "\nContent-Disposition: attachment; filename=a.txt"))
    body = rng.choice((_bytes, _soup, _text, _letter))(rng)
    return headers.encode() + rng.choice((b"\n\n", b"\n", b"\r\n\r\n")) + body


def _text(rng: random.Random) -> bytes:
    return "\n".join(rng.choices(bait.LINES, k=rng.randrange(30))).encode("utf-8", "replace")


def _soup(rng: random.Random) -> bytes:
    return "".join(rng.choice((*_TAGS, *bait.LINES)) for _ in range(rng.randrange(120))).encode("utf-8", "replace")


def _html(rng: random.Random) -> bytes:
    return b"Content-Type: text/html; charset=utf-8\n\n" + _soup(rng) * rng.choice((1, 1, 1, 50))


def _big(rng: random.Random) -> bytes:
    """Return a letter of up to a megabyte that repeats one thing."""
    size = rng.choice((20_000, 100_000, 300_000, 900_000))
    piece = rng.choice((*bait.PIECES, *bait.LINES, *_TAGS)).encode("utf-8", "replace")
    joint = rng.choice((b"", b"\n", b"\n> ", b"\n\n", b" ", b" \n"))
    text = (piece + joint) * (size // max(1, len(piece) + len(joint)) + 1)
    head = rng.choice(bait.HEADS).encode()
    return head + text[:size]


def _baited(rng: random.Random) -> bytes:
    """Return a letter with text that the patterns of the reader match for long, and then do not."""
    lines = [bait.for_pattern(rng) for _ in range(rng.randint(1, 6))]
    head = rng.choice(bait.HEADS).encode()
    return head + "\n".join(lines).encode("utf-8", "replace") * rng.choice((1, 1, 20))


MAKERS: dict[str, Make] = {
    "bytes": _bytes,
    "mutated": _mutated,
    "spliced": _spliced,
    "lines": _lines,
    "trees": _tree,
    "html": _html,
    "big": _big,
    "bait": _baited,
}


def run(
    seconds: float, seed: int, out: Path | None = None, *, patience: float = SECONDS_A_MEGABYTE
) -> tuple[Score, list[Fault]]:
    """
    Return what came of reading letters by chance for so many *seconds*; *out* keeps the last one.

    Units:  *patience* is seconds of one processor for a megabyte, or for less.
    """
    rng = random.Random(seed)
    score, faults = Score(Counter()), []
    over = time.monotonic() + seconds
    while time.monotonic() < over:
        maker = rng.choice(list(MAKERS))
        raw = MAKERS[maker](rng)
        if out is not None:
            (out / "last.eml").write_bytes(raw)
            faulthandler.dump_traceback_later(_NEVER, exit=True)
        faults += _tried(maker, raw, score, patience)
    return score, faults


def _tried(maker: str, raw: bytes, score: Score, patience: float) -> Iterator[Fault]:
    """Yield what is wrong with reading *raw*."""
    before = time.process_time()
    try:
        check(raw)
    except Exception:  # noqa: BLE001 - that is what is looked for
        yield Fault(maker, raw, traceback.format_exc())
    taken = time.process_time() - before
    score.inputs[maker] += 1
    score.size += len(raw)
    score.slowest = max(score.slowest, (taken, len(raw), maker))
    if taken > patience * max(1, len(raw) / _MEGABYTE):
        yield Fault(maker, raw, f"took {taken:.1f} s for {len(raw)} bytes")


def main() -> int:
    """Run, print the figures and what is wrong; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mail.fuzz", description="Read letters by chance.")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--out", type=Path, default=None)
    options = parser.parse_args()
    out = options.out or Path(tempfile.mkdtemp(prefix="pbem-fuzz-"))
    out.mkdir(parents=True, exist_ok=True)
    score, faults = run(options.minutes * 60, options.seed, out)
    faulthandler.cancel_dump_traceback_later()
    taken, size, maker = score.slowest
    print(f"seed {options.seed}: {score.inputs.total()} letters, {score.size / _MEGABYTE:.0f} MB")
    print("  " + ", ".join(f"{name} {count}" for name, count in sorted(score.inputs.items())))
    print(f"  slowest: {taken:.2f} s for {size} bytes of {maker}; faults: {len(faults)}")
    for number, fault in enumerate(faults):
        path = out / f"fault-{number}.eml"
        path.write_bytes(fault.raw)
        print(f"\n{path} ({fault.maker}, {len(fault.raw)} bytes)\n{fault.trouble}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
