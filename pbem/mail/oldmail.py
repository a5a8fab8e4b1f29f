"""
The old mail in a letter whose quote marks are lost: where it begins and ends, and what a person typed into it.

The text of the mail that is answered is found line by line, whatever a mail client did to it; what is not found there
is told by the head above it: our marker, an introduction, the headers of a mail, the rule of a forwarded one.
"""

from collections.abc import Sequence

from pbem.mail import phrases
from pbem.mail.sheet import ATTRIBUTION_LINES, LONGEST_ATTRIBUTION, Reason, Sheet

_FULL_FROM = 40  # characters from which a mail client breaks a line that it quotes
_LONG_STRETCH = 3  # lines: so many known ones in a row are no chance, even if they read like orders
_HEADER_LINES = 3
_MOST_HEADERS = 12
_NEAR_MARKER = 8
_MAY_BE_KNOWN: frozenset[Reason | None] = frozenset({None, "quote", "known-text", "marker"})


def mark_known(sheet: Sheet) -> None:
    """
    Mark lines of the answered mail whose quote marks were lost, wrapped anew or not.

    A line that reads like an order may stand in that mail too, as an example or behind a link. It is the person's
    where it stands alone; in a stretch that runs on as in that mail it is not.
    """
    if not sheet.known:
        return
    for stretch in _stretches(sheet):
        if len(stretch) >= _LONG_STRETCH or any(_is_certain(sheet, index) for index in stretch):
            sheet.mark(stretch, "known-text")


def _is_certain(sheet: Sheet, index: int) -> bool:
    return sheet.reasons[index] is not None or (
        sheet.known.is_certain(sheet.words[index]) and not sheet.may_be_order(index)
    )


def _stretches(sheet: Sheet) -> list[list[int]]:
    """Return the lines of the answered mail, in stretches of neighbours that follow one another there too."""
    stretches: list[list[int]] = []
    last = -1
    for index in range(len(sheet.lines)):
        words = sheet.words[index]
        if not words and not sheet.lines[index].depth:
            continue
        if sheet.reasons[index] not in _MAY_BE_KNOWN or not sheet.known.holds(words):
            last = -1
            continue
        if last >= 0 and _follows(sheet, last, index):
            stretches[-1].append(index)
        else:
            stretches.append([index])
        last = index
    return stretches


def _follows(sheet: Sheet, before: int, after: int) -> bool:
    """
    Return whether two neighbours follow one another in the answered mail.

    Beside a line with a quote mark, one that reads like an order must be the rest of a full line.
    """
    is_seam = sheet.lines[before].depth != sheet.lines[after].depth
    if is_seam and sheet.may_be_order(after if sheet.lines[before].depth else before):
        is_full = len(sheet.texts[before]) >= _FULL_FROM
        return is_full and sheet.known.goes_on(sheet.words[before], sheet.words[after])
    return sheet.known.runs_on(sheet.words[before], sheet.words[after])


def mark_old_mails(sheet: Sheet) -> None:
    """Mark what stands below the head of an old mail, or below our marker where quote marks were lost."""
    lost = _lost_quote(sheet)
    index = 0
    while index < len(sheet.lines):
        introduction = _unmarked_introduction(sheet, index)
        size = introduction or (0 if sheet.reasons[index] else _old_head(sheet, index))
        if not size and index != lost:
            index += 1
            continue
        head, end = range(index, index + size), _old_end(sheet, index + size)
        sheet.mark(head, "attribution" if introduction else "quote")
        _mark_inside(sheet, range(head.stop, end), is_ours=any(sheet.is_named(sheet.texts[i]) for i in head))
        index = max(end, index + 1)


def _lost_quote(sheet: Sheet) -> int:
    """
    Return where the lines below our marker begin if they are a quote without marks, else -1.

    The marker of a tapped link stands alone in the body, before or after the order, and loses nothing. What shows
    a lost quote: known text below, an introduction of an old mail above, or, where the answered mail is not known,
    words above.
    """
    markers = (i for i, reason in enumerate(sheet.reasons) if reason == "marker" and not sheet.lines[i].depth)
    marker = next(markers, None)
    if marker is None:
        return -1
    is_lost = any(reason == "known-text" for reason in sheet.reasons[marker + 1 :])
    if not sheet.known:
        is_lost = any(reason is None for reason in sheet.reasons[:marker])
    near = range(max(0, marker - _NEAR_MARKER), marker)
    introduced = any(sheet.is_introduction(range(index, index + 1)) for index in near[-2:])
    if is_lost or introduced or any(_header_block(sheet, index) for index in near):
        return marker + 1
    return -1


def _old_head(sheet: Sheet, index: int) -> int:
    """Return how many lines from *index* are the head of an old mail: headers, a rule above, what HTML tells."""
    text = sheet.texts[index]
    if sheet.lines[index].place == "old" or phrases.is_glued_headers(text):
        return max(1, _header_block(sheet, index))
    if phrases.is_forward_rule(text):
        return 1 + _header_block(sheet, index + 1)
    if phrases.is_rule(text) and _is_header(sheet, index + 1):
        return 1 + max(1, _header_block(sheet, index + 1))
    return _header_block(sheet, index)


def _unmarked_introduction(sheet: Sheet, index: int) -> int:
    """Return how many lines from *index* introduce a quote that has no marks, beyond doubt; 0 if none does."""
    if sheet.reasons[index] is not None or not phrases.has_source(sheet.texts[index], sheet.names):
        return 0
    for size in range(1, ATTRIBUTION_LINES + 1):
        end = index + size
        if end >= len(sheet.lines) or any(sheet.reasons[index:end]) or sheet.lines[end].depth:
            return 0
        text = " ".join(sheet.texts[index:end])
        if len(text) <= LONGEST_ATTRIBUTION and phrases.is_full_introduction(text, sheet.names):
            return size
    return 0


def _old_end(sheet: Sheet, start: int) -> int:
    """Return where the old mail ends whose head ends at *start*: with its box, at a line that says so, or never."""
    is_box = start > 0 and sheet.lines[start - 1].place == "old"
    for index in range(start, len(sheet.lines)):
        if phrases.is_forward_end(sheet.texts[index]):
            sheet.mark([index], "quote")
            return index
        if is_box and sheet.lines[index].place != "old":
            return index
    return len(sheet.lines)


def _header_block(sheet: Sheet, start: int) -> int:
    """Return how many lines from *start* are headers of a mail ("From: … Sent: … Subject: …"); 0 if too few."""
    if not _is_header(sheet, start):
        return 0
    end = start + 1
    most = min(len(sheet.lines), start + _MOST_HEADERS)
    while end < most and sheet.reasons[end] is None and phrases.is_header(sheet.texts[end]):
        end += 1
    known = sum(_is_header(sheet, index) for index in range(start, end))
    dated = any(phrases.ADDRESS.search(text) or phrases.TIME.search(text) for text in sheet.texts[start:end])
    return end - start if end - start >= _HEADER_LINES and known > 1 and dated else 0


def _is_header(sheet: Sheet, index: int) -> bool:
    return index < len(sheet.texts) and phrases.is_known_header(sheet.texts[index])


def _mark_inside(sheet: Sheet, inside: range, *, is_ours: bool) -> None:
    """
    Mark what is *inside* an old mail without quote marks; orders in it that are not part of it are kept.

    *is_ours*: its head names us. If nothing of the known mail stands below it, the person took that out.
    """
    if is_ours and sheet.known and all(sheet.reasons[index] is None for index in inside):
        return
    first = next((i for i in inside if sheet.reasons[i] in {"known-text", "marker"}), inside.start)
    newest = range(inside.start, next((i for i in inside if i > first and _is_older_head(sheet, i)), inside.stop))
    if _is_known_mail(sheet, newest):
        sheet.kept.update(_typed_inside(sheet, newest, is_ours=is_ours))
    else:
        strays = [i for i in newest if sheet.reasons[i] is None and sheet.is_clear(i, numbers=True)]
        sheet.mark((i for run in _runs(strays) if len(run) < _LONG_STRETCH for i in run), "old-mail")
    markers = (i for i in inside if sheet.reasons[i] == "marker" and not sheet.lines[i].place)
    is_below = inside.start > 0 and sheet.reasons[inside.start - 1] == "marker"
    below = inside.start if is_below else next(markers, inside.stop)
    sheet.mark(range(inside.start, below), "quote")
    sheet.mark(range(below, inside.stop), "below-marker")


def _is_older_head(sheet: Sheet, index: int) -> bool:
    """Return whether an older mail begins at the line, inside of an old one."""
    if sheet.reasons[index] is not None or sheet.known.holds(sheet.words[index]):
        return False
    return (
        _header_block(sheet, index) > 0
        or phrases.is_forward_rule(sheet.texts[index])
        or sheet.is_introduction(range(index, index + 1))
    )


def _is_known_mail(sheet: Sheet, inside: range) -> bool:
    """Return whether by far the most of what is *inside* stands in the mail that we know."""
    known = sum(sheet.reasons[index] == "known-text" for index in inside)
    rest = [sheet.words[index] for index in inside if sheet.reasons[index] is None and sheet.words[index]]
    return known > 2 * sum(not sheet.known.holds(words) for words in rest)


def _typed_inside(sheet: Sheet, inside: range, *, is_ours: bool) -> list[int]:
    """
    Return the orders that a person typed into the known old mail or below it.

    What stands above its first line may be an older letter, unless the head *is_ours*. Words that it holds too are
    the person's where they stand between two lines that follow one another there, or below the last.
    """
    around = range(max(0, inside.start - 1), inside.stop)
    old = [index for index in around if sheet.reasons[index] in {"known-text", "marker"}]
    above = range(inside.start, old[0]) if is_ours else range(0)
    typed = [i for i in above if sheet.reasons[i] is None and sheet.is_clear(i, numbers=True)]
    for before, after in zip(old, [*old[1:], inside.stop], strict=True):
        between = [i for i in range(before + 1, after) if sheet.reasons[i] is None and sheet.words[i]]
        is_put_in = after == inside.stop or sheet.known.runs_on(sheet.words[before], sheet.words[after])
        if is_put_in or len(between) < _LONG_STRETCH:
            typed += (
                i
                for i in between
                if sheet.is_clear(i, numbers=True) and (is_put_in or not sheet.known.holds(sheet.words[i]))
            )
    return typed


def _runs(indices: Sequence[int]) -> list[list[int]]:
    """Return *indices* in runs of neighbours."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs
