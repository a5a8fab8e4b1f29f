"""
The signals that a line is not the person's own, strongest first; the first that speaks wins.

Our marker line and quote marks; the text of the mail that is answered; the header block of an old mail; lines that
introduce a quote; the signature mark; a table of footers; at last a library. The weak ones never take away what reads
like an order.
"""

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from pbem.mail import phrases
from pbem.mail.body import Line
from pbem.mail.marker import is_marker

Reason = Literal["quote", "attribution", "signature", "footer", "known-text", "below-marker", "marker", "library"]
IsOrder = Callable[[str], bool]

_LIBRARY_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "da", "sv", "cs")
_LIBRARY_LIMIT = 4_000  # characters: its patterns take their time on long text
_SHORT_WORDS = 8
_KNOWN_PIECE = 16  # characters from which a piece of a known line is no chance
_LONGEST_PIECE = 60
_LONG_STRETCH = 3  # lines: so many known ones in a row are no chance, even if they read like orders
_LONGEST_ATTRIBUTION = 300
_HEADER_LINES = 3
_SIGNATURE_LINES = 8
_NEAR_MARKER = 8
_SIGNATURE_MARKS = frozenset({"--", "__", "---"})
_OLD: frozenset[Reason | None] = frozenset({"quote", "known-text", "marker", "below-marker"})
_EDGE = re.compile(r"^[\s>*_|#-]+|[\s*_|]+$")
_FOLDED = {
    **dict.fromkeys(range(0x2010, 0x2016), "-"),
    0x2212: "-",
    **dict.fromkeys([0x60, 0xB4, *range(0x2018, 0x201C)], "'"),
    **dict.fromkeys([0xAB, 0xBB, *range(0x201C, 0x2020)], '"'),
}


def fold(text: str) -> str:
    """Return *text* as it is compared with known lines: characters, case, dashes, quotes and space folded."""
    plain = unicodedata.normalize("NFKC", text.translate(_FOLDED)).casefold()
    return " ".join(_EDGE.sub("", plain).split())


class Sorter:
    """Gives each line of one letter its reason, or None where the person wrote it."""

    def __init__(self, lines: Sequence[Line], known: Sequence[str], is_order: IsOrder | None) -> None:
        """Take non-empty *lines*; *known* and *is_order* as in `own_words`."""
        self._lines = lines
        self._texts = [line.text.strip() for line in lines]
        self._folded = [fold(text) for text in self._texts]
        self._sure = [is_order is not None and not line.quoted and is_order(line.text) for line in lines]
        self._orders = self._sure if is_order else [not line.quoted and _is_short(line.text) for line in lines]
        self._reasons: list[Reason | None] = [None] * len(lines)
        folded = [text for text in map(fold, known) if text]
        self._known = {text: frozenset(places) for text, places in _places(folded).items()}
        self._known_lines = "\n".join(folded)
        self._known_text = " ".join(folded)

    def reasons(self) -> list[Reason | None]:
        """Return the reason of each line."""
        self._mark((index for index, text in enumerate(self._texts) if is_marker(text)), "marker")
        self._mark((index for index, line in enumerate(self._lines) if line.quoted), "quote")
        self._mark_known()
        self._mark_below_marker()
        self._mark_old_mail()
        self._mark_attributions()
        self._mark_signature()
        self._mark((i for i in self._open() if _is_footer(self._texts[i])), "footer")
        self._mark_by_library()
        return self._reasons

    def _open(self) -> list[int]:
        """Return the lines that have no reason yet."""
        return [index for index, reason in enumerate(self._reasons) if reason is None]

    def _mark(self, indices: Iterable[int], reason: Reason) -> None:
        for index in indices:
            if self._reasons[index] is None:
                self._reasons[index] = reason

    def _mark_known(self) -> None:
        """
        Mark lines of the answered mail whose quote marks were lost, wrapped anew or not.

        A line that reads like an order may stand in that mail too, as an example or behind a link. It is the person's
        where it stands alone; in a stretch that runs on as in that mail it is not.
        """
        certain = [index for index in self._open() if self._is_known(index)]
        for stretch in self._stretches(certain):
            if len(stretch) >= _LONG_STRETCH or not all(self._orders[index] for index in stretch):
                self._mark(stretch, "known-text")
        for index in self._open():
            if self._is_rest(index):
                self._mark([index], "known-text")
            elif self._is_wrapped(index):
                self._mark([index, index + 1], "known-text")

    def _stretches(self, indices: Sequence[int]) -> list[list[int]]:
        """Return *indices* in stretches of neighbours that follow one another in the answered mail too."""
        stretches: list[list[int]] = []
        for index in indices:
            last = stretches[-1][-1] if stretches else -1
            is_next = last >= 0 and all(self._reasons[between] for between in range(last + 1, index))
            if is_next and self._places(last) & {place - 1 for place in self._places(index)}:
                stretches[-1].append(index)
            else:
                stretches.append([index])
        return stretches

    def _places(self, index: int) -> frozenset[int]:
        """Return where in the answered mail the line stands."""
        return self._known.get(self._folded[index], frozenset())

    def _is_known(self, index: int) -> bool:
        text = self._folded[index]
        if text in self._known:
            return True
        return not self._orders[index] and len(text) >= _KNOWN_PIECE and text in self._known_text

    def _is_rest(self, index: int) -> bool:
        """Return whether the line is the rest of a known line that the mail client wrapped without a quote mark."""
        text = self._folded[index]
        before, after = self._old_neighbour(index - 1), self._old_neighbour(index + 1)
        if before and f"{before[-_LONGEST_PIECE:]} {text}" in self._known_lines:
            return True
        return bool(after) and not self._orders[index] and f"{text} {after[:_LONGEST_PIECE]}" in self._known_lines

    def _is_wrapped(self, index: int) -> bool:
        """Return whether the line and the next are one known line, beside what is known to be old."""
        if index + 1 >= len(self._lines) or self._lines[index + 1].quoted:
            return False
        is_beside = bool(self._old_neighbour(index - 1) or self._old_neighbour(index + 2))
        first, second = self._folded[index], self._folded[index + 1]
        joined = re.compile(rf"(?<!\S){re.escape(f'{first} {second}')}(?!\S)")
        return is_beside and bool(first and second) and joined.search(self._known_lines) is not None

    def _old_neighbour(self, index: int) -> str:
        """Return the folded line at *index* if it is known to be old, else nothing."""
        is_old = 0 <= index < len(self._lines) and self._reasons[index] in _OLD
        return self._folded[index] if is_old else ""

    def _mark_below_marker(self) -> None:
        """
        Mark what stands below our marker where quote marks were lost.

        The marker of a tapped link stands alone in the body, before or after the order, and loses nothing. What shows
        a lost quote: known text below, an introduction of an old mail above, or, where the answered mail is not known,
        words above.
        """
        markers = (i for i, reason in enumerate(self._reasons) if reason == "marker" and not self._lines[i].quoted)
        marker = next(markers, None)
        if marker is None:
            return
        below = range(marker + 1, len(self._lines))
        is_lost = any(self._reasons[index] == "known-text" for index in below)
        if not self._known:
            is_lost = any(self._reasons[index] is None for index in range(marker))
        near = range(max(0, marker - _NEAR_MARKER), marker)
        introduced = any(self._is_introduction(range(index, index + 1)) for index in near[-2:])
        if is_lost or introduced or self._header_block(near) is not None:
            self._mark(below, "below-marker")

    def _mark_old_mail(self) -> None:
        """Mark from the header block of an old mail, or a rule above its headers, to the end."""
        rest = self._open()
        starts = [index for index in rest if self._is_rule(index) and self._is_header(index + 1)]
        block = self._header_block(rest)
        if block is not None:
            starts.append(block)
        if starts:
            start = min(starts)
            self._mark(range(start - 1 if self._is_rule(start - 1) else start, len(self._lines)), "quote")

    def _header_block(self, indices: Iterable[int]) -> int | None:
        """Return where three neighbouring lines are headers of a mail ("From: … Sent: … Subject: …"), if anywhere."""
        block: list[int] = []
        for index in indices:
            if not self._is_header(index):
                block = []
                continue
            block = [*block, index] if block and block[-1] == index - 1 else [index]
            if len(block) == _HEADER_LINES and any(phrases.ADDRESS_OR_TIME.search(self._texts[i]) for i in block):
                return block[0]
        return None

    def _is_header(self, index: int) -> bool:
        match = phrases.OLD_MAIL_HEADER.fullmatch(self._texts[index]) if index < len(self._texts) else None
        return match is not None and match["label"].strip().lower() in phrases.OLD_MAIL_LABELS

    def _is_rule(self, index: int) -> bool:
        return index >= 0 and phrases.OLD_MAIL_RULE.fullmatch(self._texts[index].casefold()) is not None

    def _mark_signature(self) -> None:
        """Mark from a signature mark or stop word to the next quote, except orders; a sign-off where none follows."""
        for index in self._open():
            text = self._texts[index].casefold()
            if self._sure[index] or self._reasons[index] is not None:
                continue
            if text in _SIGNATURE_MARKS or phrases.STOP_WORD.fullmatch(text):
                self._mark((inside for inside in self._tail(index) if not self._sure[inside]), "signature")
            elif phrases.SIGN_OFF.fullmatch(text):
                tail = self._tail(index, _SIGNATURE_LINES + 1)
                is_last = len(tail) <= _SIGNATURE_LINES and not any(self._sure[inside] for inside in tail)
                self._mark(tail if is_last else [index], "signature")

    def _tail(self, index: int, most: int = sys.maxsize) -> list[int]:
        """Return *index* and the following lines up to the next quote, *most* at most."""
        tail: list[int] = []
        for following in range(index, min(index + most, len(self._lines))):
            if self._reasons[following] in _OLD:
                break
            tail.append(following)
        return tail

    def _mark_attributions(self) -> None:
        """Mark up to three lines that introduce a quote, right above it."""
        for index, reason in enumerate(self._reasons):
            if reason not in _OLD or index == 0 or self._reasons[index - 1] in _OLD:
                continue
            found = index
            for start in range(index - 1, max(-1, index - 4), -1):
                if self._reasons[start]:
                    break
                is_more = found == index or phrases.ADDRESS_OR_TIME.search(self._texts[start])
                if is_more and self._is_introduction(range(start, index)):
                    found = start
            self._mark(range(found, index), "attribution")

    def _is_introduction(self, lines: Sequence[int]) -> bool:
        """Return whether *lines* together introduce a quote; where one reads like an order it takes a clearer sign."""
        text = " ".join(self._texts[index] for index in lines)
        return is_attribution(text, sure=any(self._sure[index] for index in lines))

    def _mark_by_library(self) -> None:
        """Mark what a library takes for an old reply or a signature, where lines are left that read like nothing."""
        rest = self._open()
        doubtful = [index for index in rest if not self._orders[index]]
        text = "\n".join(self._texts[index] for index in rest)
        if len(rest) == 1 or not doubtful or len(text) > _LIBRARY_LIMIT:
            return
        kept = _latest_reply(text)
        if kept:
            self._mark((index for index in doubtful if self._texts[index] not in kept), "library")


def is_attribution(text: str, *, sure: bool = False) -> bool:
    """
    Return whether *text* introduces a quote in any language: it names an address or a time, and ends like one.

    Where *sure*, it must name an address, or a time and a word for writing.
    """
    if len(text) > _LONGEST_ATTRIBUTION or not phrases.ADDRESS_OR_TIME.search(text):
        return False
    has_verb = phrases.WROTE.search(text.casefold()) is not None
    if sure and not has_verb and "@" not in text:
        return False
    return has_verb or text.endswith((":", ">", "\uff1a"))


def _places(texts: Sequence[str]) -> dict[str, list[int]]:
    """Return where each of *texts* stands."""
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    return places


def _is_footer(text: str) -> bool:
    return phrases.FOOTER.fullmatch(text.strip(" *<>_.").casefold()) is not None


def _is_short(text: str) -> bool:
    """Return whether *text* may be an order where nobody can tell: a few words that do not end like prose."""
    return len(text.split()) <= _SHORT_WORDS and not text.endswith((",", ".", ":", ">")) and "@" not in text


def _latest_reply(text: str) -> frozenset[str]:
    """Return the lines that mail-parser-reply takes for the newest reply."""
    from mailparser_reply import EmailMessage  # type: ignore[import-untyped]  # noqa: PLC0415

    replies = EmailMessage(text=text, languages=list(_LIBRARY_LANGUAGES), keep_hyphen_lists=True).read().replies
    return frozenset(line.strip() for line in (replies[0].body or "").splitlines()) if replies else frozenset()
