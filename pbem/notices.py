"""
What a seat, or the game master, is told besides the events of the game: every key with its fields, in one table.

The words files of each language hold one macro for each key, named like the key with `_` for `.` and `-`
(`order_taken`); a test compares both. Line numbers count the lines of the letter from 1; `written` is what the person
wrote; `text` and `possible` are canonical move texts.
"""

from engine.core.ruleset import Keys
from pbem.reading.values import REASONS as READER_REASONS

ANSWERS: Keys = {
    "order.taken": ("line", "written", "text", "exact", "instead"),
    "order.kept": (
        "line",
        "written",
        "key",
        "text",
        "exact",
        "closed",
        "when",
        "until",
        "others",
        "turn",
        "instead",
    ),
    "order.refused": ("line", "written", "rank", "read", "asks", "reason", "possible"),
    "order.choice": ("line", "written", "rank", "kept", "part", "reason", "possible"),
    "order.ignored": ("line", "written", "reason"),
    "order.passed": ("written", "more"),
    "order.stale": ("line", "written", "decision", "key"),
    "order.again": (),
    "order.nothing": (),
    "order.held": ("until",),
    "order.released": (),
    "order.undone": ("lines",),
    "order.tried": ("line", "written", "text"),
    "order.receipt": ("code",),
}
"""
To the lines of one letter. `instead` are the lines of the plan whose place a line takes; `turn` for which own turn it
is kept, 0 none; `rank` the place of a choice, 0 where there is one; `read` what was understood before it failed. A
`reason` is a key of the title's vocabulary or of `REASONS`; its own fields follow.
"""

TOLD: Keys = {
    "plan.failed": ("text", "when", "reason"),
    "plan.fired": ("text", "when"),
    "plan.first": ("text",),
    "plan.second": ("text", "place"),
    "plan.unused": ("text",),
    "plan.lapsed": ("text", "when"),
    "game.invited": ("message",),
    "game.accepted": ("seat", "waiting"),
    "game.declined": ("seat",),
    "accept.again": ("word", "counts"),
    "game.started": (),
    "game.over": (),
    "game.paused": ("reason",),
    "game.resumed": ("reason",),
    "game.extended": ("by", "reason"),
    "game.rewound": ("to", "asked", "reason"),
    "game.amended": ("reason",),
    "game.finished": ("void", "reason"),
    "gm.played": ("seat", "text", "reason"),
    "gm.drew": ("text", "reason"),
    "gm.message": ("message",),
    "gm.revealed": ("what", "of"),
    "seat.replaced": ("name", "former", "bot", "reason"),
    "seat.taken": ("former", "reason"),
    "seat.late": ("seat", "text"),
    "seat.bot": ("seat",),
    "clock.reminder": ("hours",),
    "clock.moved": ("by", "deadline", "why"),
    "press.received": ("seat", "message", "private"),
    "press.sent": ("to", "message"),
    "press.nobody": ("name", "players"),
    "press.several": ("seat", "message", "readers"),
    "press.alike": ("name", "players"),
    "press.bot": ("seat", "players"),
    "press.orders": ("written", "more"),
    "press.observer": ("name", "message"),
    "press.table": ("name", "message"),
    "press.watched": ("names",),
    "observer.added": ("name", "reason"),
    "observer.removed": ("name", "reason"),
    "observer.welcome": ("reason",),
    "observer.gone": ("reason",),
    "observer.help": (),
    "observer.press": (),
    "observer.stop": (),
    "desk.status": (),
    "desk.help": (),
    "desk.rules": ("word",),
    "desk.history": ("rounds",),
    "desk.note": ("what", "note"),
    "desk.note-long": ("have", "most"),
    "desk.plain": ("on",),
    "desk.reminders": ("on",),
    "desk.quiet": ("begin", "end", "zone"),
    "desk.stop": (),
    "desk.near": ("line", "written", "commands"),
    "desk.usage": ("command", "value"),
    "desk.test": ("seen",),
    "desk.tag-changed": (),
    "desk.setting": ("name", "value"),
    "undo.asked": ("seat", "to", "agreed", "missing", "round", "who", "text"),
    "undo.declined": ("seat",),
    "undo.nothing": (),
    "undo.none": (),
    "undo.how": (),
    "end.asked": ("seat", "agreed", "missing"),
    "end.agreed": (),
    "end.declined": ("seat",),
    "end.lapsed": (),
    "end.nothing": (),
    "end.how": (),
    "rematch.asked": ("seat", "agreed", "missing"),
    "rematch.declined": ("seat",),
    "rematch.opened": ("game",),
    "rematch.begun": ("former",),
    "rematch.again": ("game",),
    "rematch.early": (),
    "rematch.how": (),
    "rematch.impossible": (),
    "resign.asked": ("bot", "last", "away"),
    "resign.kept": (),
    "seat.resigned": ("former", "bot", "alone"),
    "seat.left": (),
    "seat.lost": ("name", "reason"),
    "seat.away": ("seat", "until", "left"),
    "seat.back": ("seat",),
    "away.how": ("left",),
    "away.long": ("longest", "most"),
    "away.never": (),
    "away.none": (),
}
"""Everything else that a seat is told."""

REPLIES: Keys = {
    "letter.encrypted": (),
    "letter.too-big": ("size",),
    "letter.forwarded": (),
    "letter.both": (),
    "letter.unreadable": (),
    "letter.bad-tag": (),
    "letter.old-tag": (),
    "letter.conflict": (),
    "letter.unknown": (),
    "letter.confirm": ("address", "letter"),
    "letter.over": (),
    "letter.paused": (),
    "letter.not-started": (),
}
"""Why a letter was not judged as orders."""

ALERTS: Keys = {
    "alert.letter-crashed": ("letter", "error"),
    "alert.mail-failed": ("mail", "error"),
    "alert.mail-refused": ("mail", "seat", "code", "text"),
    "alert.mail-uncertain": ("mail", "seat"),
    "alert.backlog": ("mails", "hours"),
    "alert.sending-paused": ("minutes", "code", "text"),
    "alert.unreachable": ("seat",),
    "alert.held": ("letter", "reason"),
    "alert.unmovable": (),
    "alert.away": ("seat",),
    "alert.no-mail": ("hours",),
    "alert.outage": ("begun", "ended", "tried"),
    "alert.declined": ("seat",),
    "alert.message": ("seat", "message"),
    "alert.resigned": ("seat", "former", "bot"),
    "alert.rematch": ("error",),
    "alert.upgrade": ("seq",),
}
"""To the game master. An outage was `tried` where passes ran, but the mailbox could not be read."""

DIGEST: Keys = {
    "digest.late": ("rows",),
    "digest.held": ("rows",),
    "digest.unsent": ("rows",),
    "digest.bounced": ("rows",),
    "digest.begun": ("rows",),
    "digest.ended": ("rows",),
    "digest.waiting": ("rows",),
}
"""
To the game master once a day; `rows` of game, title and more: name and count (late, bounced); whether it was broken off
(ended); name, since when, and whether time is up (waiting). Held: letter, game, title, reason. Unsent: mail.
"""

REASONS: Keys = {
    **READER_REASONS,
    "turn.not-owed": ("seat",),
    "turn.not-asked": ("verb", "seat"),
    "grammar.empty": (),
    "grammar.verb": ("word",),
    "grammar.word": ("verb", "word", "expected"),
    "grammar.missing": ("verb", "expected"),
    "grammar.rest": ("verb", "word"),
}
"""Reasons of refusal that belong to no title."""
