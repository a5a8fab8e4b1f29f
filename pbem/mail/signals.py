"""
The signals that a line is not the person's own, strongest first; the first that speaks wins.

Our marker line and quote marks; the text of the mail that is answered; the head of an old mail; lines that introduce a
quote; the signature mark; a table of footers; at last a library. The weak ones never take away what reads like an
order, and where an old mail stands without quote marks, an order that is not part of it is the person's.
"""

import sys
from collections.abc import Sequence

from pbem.mail import endings, phrases
from pbem.mail.known import Known, is_our_link
from pbem.mail.lines import Line
from pbem.mail.marker import is_marker
from pbem.mail.oldmail import mark_known, mark_old_mails
from pbem.mail.sheet import ATTRIBUTION_LINES, OLD, IsOrder, Reason, Sheet

__all__ = ["IsOrder", "Reason", "sort_lines"]

_LIBRARY_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "da", "sv", "cs")
_LIBRARY_LIMIT = 4_000  # characters: its patterns take their time on long text
_SIGNATURE_LINES = 8
_SIGNATURE_MARKS = frozenset({"--", "__", "---"})


def sort_lines(lines: Sequence[Line], known: Known, is_order: IsOrder | None) -> list[Reason | None]:
    """
    Return the reason of each of *lines*, None where the person wrote it.

    Shape: *lines* are not empty; *known* and *is_order* as in `own_words`.
    """
    sheet = Sheet(lines, known, is_order)
    sheet.mark((i for i, text in enumerate(sheet.texts) if is_marker(text)), "marker")
    sheet.mark((i for i, line in enumerate(sheet.lines) if line.depth), "quote")
    boxed = [i for i in sheet.open() if sheet.lines[i].place == "signature"]
    sheet.mark((i for i in boxed if endings.is_footer(sheet.texts[i])), "footer")
    sheet.mark(boxed, "signature")
    sheet.mark((i for i in sheet.open() if is_our_link(sheet.texts[i])), "known-text")
    mark_known(sheet)
    mark_old_mails(sheet)
    _mark_attributions(sheet)
    _mark_signatures(sheet)
    sheet.mark((i for i in sheet.open() if endings.is_footer(sheet.texts[i]) and not sheet.is_sure(i)), "footer")
    _mark_rules(sheet)
    _mark_by_library(sheet)
    return sheet.reasons


def _mark_signatures(sheet: Sheet) -> None:
    """Mark from a signature mark or stop word to the next quote, except orders; a sign-off where none follows."""
    for index in sheet.open():
        text = sheet.texts[index]
        if sheet.reasons[index] is not None:
            continue
        if text in _SIGNATURE_MARKS or endings.is_stop_word(text):
            if not sheet.is_sure(index):
                tail = _tail(sheet, index)
                sheet.mark((inside for inside in tail if not sheet.is_clear(inside, numbers=False)), "signature")
        elif endings.is_sign_off(text) and not sheet.is_sure(index):
            tail = _tail(sheet, index, _SIGNATURE_LINES + 1)
            is_last = len(tail) <= _SIGNATURE_LINES and not any(sheet.is_clear(inside, numbers=True) for inside in tail)
            sheet.mark(tail if is_last else [index], "signature")


def _tail(sheet: Sheet, index: int, most: int = sys.maxsize) -> list[int]:
    """Return *index* and the following lines up to the next quote, *most* at most."""
    tail: list[int] = []
    for following in range(index, min(index + most, len(sheet.lines))):
        if sheet.reasons[following] in OLD:
            break
        tail.append(following)
    return tail


def _mark_attributions(sheet: Sheet) -> None:
    """Mark up to three lines that introduce a quote, right above it."""
    for index, reason in enumerate(sheet.reasons):
        if reason not in OLD or index == 0 or sheet.reasons[index - 1] in OLD:
            continue
        found = index
        for start in range(index - 1, max(-1, index - 1 - ATTRIBUTION_LINES), -1):
            if sheet.reasons[start] or start in sheet.kept:
                break
            is_more = found == index or _is_wrapped_introduction(sheet, start)
            if is_more and sheet.is_introduction(range(start, index)):
                found = start
        sheet.mark(range(found, index), "attribution")


def _is_wrapped_introduction(sheet: Sheet, start: int) -> bool:
    """Return whether the line above an introduction is its beginning: it has a date, and an address or no order."""
    text = sheet.texts[start]
    is_dated = phrases.DATE.search(text) is not None
    return is_dated and (phrases.ADDRESS.search(text) is not None or not sheet.is_clear(start, numbers=False))


def _mark_rules(sheet: Sheet) -> None:
    """Give drawn rules, and rules with words, the reason of the line below, or else of the one above."""
    for index in reversed(sheet.open()):
        text = sheet.texts[index]
        if phrases.is_rule(text) or (phrases.is_drawn(text) and not sheet.is_sure(index)):
            below = sheet.reasons[index + 1] if index + 1 < len(sheet.lines) else None
            above = sheet.reasons[index - 1] if index else None
            reason = "quote" if below == "attribution" else below or above
            if reason is not None:
                sheet.mark([index], reason)


def _mark_by_library(sheet: Sheet) -> None:
    """
    Mark what a library takes for an old reply, where no other signal found an old mail.

    It also takes a person's words for a signature, so it is asked only below a line with an address or a time.
    """
    if any(reason in OLD for reason in sheet.reasons):
        return
    rest = sheet.open()
    doubtful = [index for index in rest if not sheet.may_be_order(index)]
    start = next((i for i in doubtful if phrases.has_source(sheet.texts[i])), None)
    text = "\n".join(sheet.texts[index] for index in rest)
    if start is None or len(rest) == 1 or len(text) > _LIBRARY_LIMIT:
        return
    kept = _latest_reply(text)
    if kept and sheet.texts[start] not in kept:
        sheet.mark((i for i in doubtful if i >= start and sheet.texts[i] not in kept), "library")


def _latest_reply(text: str) -> frozenset[str]:
    """Return the lines that mail-parser-reply takes for the newest reply."""
    from mailparser_reply import EmailMessage  # type: ignore[import-untyped]  # noqa: PLC0415

    replies = EmailMessage(text=text, languages=list(_LIBRARY_LANGUAGES), keep_hyphen_lists=True).read().replies
    return frozenset(line.strip() for line in (replies[0].body or "").splitlines()) if replies else frozenset()
