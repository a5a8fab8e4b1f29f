"""`pbem status` as one screen of 80 columns: problems first, each marked with the word; then games; then the post."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from pbem.cli.output import columns, status_sentence
from pbem.overview import ASKED, Line, Overview, Problem
from pbem.store.standing import Listed

WIDTH = 80
_NAMES = 22
"""Columns for the names of those who are waited for."""
_PROBLEM = "problem"
_HEADING = ("game", "title", "entries", "waits for", "since", "answer", "plan", "held")
_MEGABYTE = 1_000_000


def screen(seen: Overview, ended: Sequence[Listed] = ()) -> str:
    """Return *seen* as text, with the games that have *ended* below those that go on."""
    blocks = [_head(seen), "\n".join(_problems(seen)), _games(seen, ended), columns(list(_post(seen)))]
    return "\n\n".join(filter(None, blocks))


def verdict(seen: Overview) -> tuple[bool, str]:
    """Return whether a monitor may rest, and why not, in one line."""
    wrong = [_sentence(one) for one in seen.problems if one.is_checked]
    if wrong:
        return False, " ".join(wrong)
    ended = seen.passes.ended if seen.passes is not None else None
    return True, f"All is well; the last pass ended {_ago(seen, ended)}."


def span(length: timedelta) -> str:
    """Return a length of time as short as it can be told, up to two days in hours: "30 s", "5 min", "47 h", "12 d"."""
    seconds = max(0, int(length.total_seconds()))
    units = (("d", 86_400, 2), ("h", 3_600, 1), ("min", 60, 1), ("s", 1, 0))
    return next(f"{seconds // size} {unit}" for unit, size, least in units if seconds >= least * size)


def _head(seen: Overview) -> str:
    count = len(seen.problems)
    found = "All is well." if not count else "1 problem." if count == 1 else f"{count} problems."
    return f"{seen.now:%Y-%m-%d %H:%M} UTC. {found}"


def _problems(seen: Overview) -> Iterator[str]:
    """Yield the problems, each on as many lines as it needs."""
    for one in seen.problems:
        indent = " " * (len(_PROBLEM) + 2)
        yield textwrap.fill(f"{_PROBLEM}  {_sentence(one)}", WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def _sentence(one: Problem) -> str:
    fields = dict(one.fields)
    ago = span(timedelta(seconds=fields.get("seconds", 0)))
    what = {"held": "letter", "unjudged": "letter", "unsent": "mail"}.get(one.key)
    if what:
        fields["count"] = _count(fields["count"], what)
    return _visible(status_sentence(one.key, {**fields, "ago": ago}))


def _visible(text: str) -> str:
    """Return *text* on one line without what a terminal would obey: a server, or a player, wrote a part of it."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _games(seen: Overview, ended: Sequence[Listed]) -> str:
    rows = [_row(seen.now, one) for one in (*seen.games, *(Line(one, (), 0) for one in ended))]
    if not rows:
        return "No games. `pbem game new --help` says how to open one."
    return columns([_HEADING, *rows])


def _row(now: datetime, line: Line) -> tuple[object, ...]:
    first = next(iter(line.waits), None)
    since = "" if first is None or first.since is None or first.since > now else span(now - first.since)
    plan = "" if first is None or line.game.status == "open" else first.plan
    game = line.game
    return game.game, game.ruleset, game.length, _names(line), since, _answer(now, line), plan, line.held or ""


def _answer(now: datetime, line: Line) -> str:
    """Return by when the next answer is due, or why none is."""
    deadline = line.deadline
    if line.game.status != "running":
        return "broken off" if line.game.status == "aborted" else line.game.status
    if deadline is None:
        return ""
    return f"in {span(deadline - now)}" if deadline > now else f"{span(now - deadline)} over"


def _names(line: Line) -> str:
    """Return who is waited for, the most urgent first, as many as there is room for."""
    names = [_visible(one.name) for one in line.waits]
    if line.free and not names:
        return _count(line.free, "player")
    for shown in range(len(names), 0, -1):
        more = len(names) - shown
        said = ", ".join(names[:shown]) + (f" +{more}" if more else "")
        if len(said) <= _NAMES:
            return said
    room = _NAMES - len(f"… +{len(names) - 1}")
    return f"{names[0][:room]}…" + (f" +{len(names) - 1}" if len(names) > 1 else "") if names else ""


def _post(seen: Overview) -> Iterator[tuple[str, str]]:
    """Yield what stands below the games: what, and how it is."""
    passes = seen.passes
    if passes is not None and passes.ended is not None and passes.first is not None:
        did = ", ".join(f"{name} {count}" for name, count in passes.counts.items() if count) or "nothing to do"
        took = (passes.ended - passes.first).total_seconds()
        yield "last pass", f"{_ago(seen, passes.ended)}, took {took:.0f} s: {did}"
    yield "mailbox", f"read {_ago(seen, seen.read_at)}"
    count, oldest = seen.ready
    waiting = "none waits" if oldest is None else f"{count} ready, the oldest for {span(seen.now - oldest)}"
    yield "mails", f"last sent {_ago(seen, seen.sent_at)}; {waiting}; {len(seen.unsent)} not sent this week"
    asked = sum(one.reason in ASKED for one in seen.held)
    reasons = Counter(one.reason for one in seen.held if one.reason not in ASKED)
    held = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items())) or "none"
    confirm = f"; {asked} wait for a confirmation" if asked else ""
    yield "letters", f"{seen.new[0]} new; held: {held}{confirm}"
    if seen.bounces:
        yield "came back", ", ".join(f"{domain} {number}" for domain, number in seen.bounces)
    yield "store", f"{seen.size / _MEGABYTE:.1f} MB"


def _ago(seen: Overview, moment: datetime | None) -> str:
    if moment is None:
        return "never"
    return f"{span(seen.now - moment)} ago"
