"""
What a seat, or the game master, is told besides the events of the game: every key with its fields, in one table.

The words files of each language hold one macro for each key, named like the key with `_` for `.` and `-`
(`order_taken`); a test compares both. Line numbers count the lines of the letter from 1; `written` is what the person
wrote; `text` and `possible` are canonical move texts.
"""

from engine.core.ruleset import Keys
from pbem.reading.values import REASONS as READER_REASONS

ANSWERS: Keys = {
    "order.taken": ("line", "written", "text", "exact"),
    "order.kept": ("line", "written", "key", "text", "exact", "closed", "when", "until", "others"),
    "order.refused": ("line", "written", "reason", "possible"),
    "order.ignored": ("line", "written", "reason"),
    "order.passed": ("written", "more"),
    "order.stale": ("line", "written", "decision", "key"),
    "order.again": (),
    "order.nothing": (),
    "order.held": ("until",),
    "order.undone": ("lines",),
    "order.tried": ("line", "written", "text"),
}
"""To the lines of one letter. A `reason` is a key of the title's vocabulary or of `REASONS`; its own fields follow."""

TOLD: Keys = {
    "plan.failed": ("text", "when", "reason"),
    "plan.fired": ("text", "when"),
    "plan.second": ("text",),
    "plan.unused": ("text",),
    "plan.lapsed": ("text", "when"),
    "game.invited": ("message",),
    "game.accepted": ("seat", "waiting"),
    "game.declined": ("seat",),
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
    "desk.status": (),
    "desk.help": (),
    "desk.test": ("seen",),
    "desk.tag-changed": (),
    "desk.setting": ("name", "value"),
    "desk.undo-asked": ("seat", "to"),
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
    "alert.declined": ("seat",),
    "alert.message": ("seat", "message"),
    "alert.upgrade": ("seq",),
}
"""To the game master."""

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
