"""
What happens in a season besides answers: all the trouble that a mailbox knows.

Letters that are refused, held, doubled, bounced or forged, what the game master does between two passes, clocks that
run out, and servers that are away.
"""

import re
from collections.abc import Sequence
from datetime import timedelta

from pbem.mail.letter import Letter
from tests.kill.season import ANA, BOB, CARLA, DAVI, EVA, FIL, GIL, OUR, Player, Scene, Season, Write
from tests.kill.world import CAP, Weather

_CONFIRM = re.compile(r" *(confirm\w*) (\d+)")


def says(player: Player, text: str, *kinds: str) -> Write:
    """Return a writer: *player* answers his newest mail with *text*."""

    def write(season: Season) -> list[bytes]:
        mail = season.newest(player, *kinds)
        return [] if mail is None else [season.reply(player.address, mail, text)]

    return write


def twice(write: Write) -> Write:
    """Return a writer: the mail program sends the same letter twice, and keeps it."""

    def double(season: Season) -> list[bytes]:
        letters = write(season)
        season.old.update((f"kept {number}", raw) for number, raw in enumerate(letters))
        return [*letters, *letters]

    return double


def confirms(player: Player) -> Write:
    """Return a writer: *player* says that a letter without a tag was his."""

    def write(season: Season) -> list[bytes]:
        mail = season.newest(player, "confirmation")
        found = next(filter(None, (_CONFIRM.match(line.text) for line in mail.lines))) if mail else None
        return [season.reply(player.address, mail, f"{found[1]} {found[2]}")] if mail and found else []

    return write


def once_more(season: Season) -> list[bytes]:
    """The letters that were sent twice come again, ticks later."""
    return list(season.old.values())


def without_tag(player: Player, text: str) -> Write:
    """Return a writer: *player* writes anew, without anything that proves his seat."""
    return lambda season: [season.letter(player.address, text)] if season.has(player) else []


def stranger(season: Season) -> list[bytes]:
    """Somebody asks what this is."""
    return [season.letter("nobody@else.test", "what is this?")]


def robot(season: Season) -> list[bytes]:
    """A program writes."""
    return [season.letter("nobody@else.test", "I am away.", {"Auto-Submitted": "auto-replied"})]


def forged(player: Player) -> Write:
    """Return a writer: a letter with a tag of *player* whose secret is wrong."""

    def write(season: Season) -> list[bytes]:
        mail = season.newest(player)
        if mail is None:
            return []
        raw = season.reply(player.address, mail, "1")
        return [re.sub(rb"(g\d+\.s\d+\.d\d+\.)\w{10}", rb"\g<1>0000000000", raw)]

    return write


def too_big(player: Player) -> Write:
    """Return a writer: a letter whose text goes beyond what is loaded."""
    return says(player, "all my thoughts\n" * (CAP // 8))


def absence(player: Player) -> Write:
    """Return a writer: the mail program of *player* says that he is away."""

    def write(season: Season) -> list[bytes]:
        mail = season.newest(player)
        headers = {"Auto-Submitted": "auto-replied", "References": mail.message_id} if mail else {}
        return [season.letter(player.address, "I am on holiday.", headers)] if mail else []

    return write


def bounce(player: Player) -> Write:
    """Return a writer: the newest mail to *player* comes back."""

    def write(season: Season) -> list[bytes]:
        mail = season.newest(player)
        return [] if mail is None else [_report(season, player, mail)]

    return write


def _report(season: Season, player: Player, mail: Letter) -> bytes:
    season.written += 1
    returned = "".join(f"{name}: {mail.header(name)}\n" for name in ("Message-ID", "X-PBEM-Outbox", "X-PBEM-Game"))
    return (
        f"From: MAILER-DAEMON@else.test\nTo: {OUR}\nSubject: Undelivered\nAuto-Submitted: auto-replied\n"
        f"Message-ID: <bounce{season.written}@else.test>\nMIME-Version: 1.0\n"
        f'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        f"--b\nContent-Type: text/plain\n\nNo such box.\n"
        f"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; else.test\n\n"
        f"Final-Recipient: rfc822; {player.address}\nAction: failed\nStatus: 5.1.1\n\n"
        f"--b\nContent-Type: text/rfc822-headers\n\n{returned}\n--b--\n"
    ).encode()


def hours(count: int) -> timedelta:
    """Return so many hours."""
    return timedelta(hours=count)


SCRIPT: Sequence[Scene] = (
    Scene("all games are told"),
    Scene("an invitation is accepted; a stranger writes", letters=(says(EVA, "accept sunflower"), stranger)),
    Scene(
        "invitations are accepted; one game stands still",
        acts=(("robot", "pause", "--reason", "Power cut"),),
        letters=(says(FIL, "aceito"), says(GIL, "ok")),
    ),
    Scene("answers in a game that stands still", letters=(says(ANA, "estado"), says(BOB, "1"))),
    Scene("it goes on", acts=(("robot", "resume"),)),
    Scene("refused", letters=(says(BOB, "dance on the table"),), silent=(GIL,)),
    Scene("doubled", letters=(twice(says(DAVI, "status")),), silent=(GIL,)),
    Scene("without a tag", letters=(without_tag(CARLA, "estado"),), silent=(GIL,)),
    Scene("the doubled letter once more; confirmed", letters=(once_more, confirms(CARLA)), silent=(GIL,)),
    Scene("press", letters=(says(EVA, "tell Fil: shall we?"), says(CARLA, "diga a todos: bom dia")), silent=(GIL,)),
    Scene("an absence note, a forged tag", letters=(absence(ANA), forged(DAVI)), silent=(GIL,)),
    Scene("mails come back", letters=(bounce(BOB), bounce(FIL)), silent=(GIL,)),
    Scene("the outgoing server is away", weather=Weather(smtp_down=True), silent=(GIL,)),
    Scene("it is back", silent=(GIL,)),
    Scene("planned", letters=(says(EVA, "stake 1 or stake 2 or any: bid 1"),), silent=(EVA, GIL)),
    Scene("undone before it is played", letters=(says(EVA, "undo"), says(DAVI, "undo")), silent=(GIL,)),
    Scene("more time", acts=(("bids", "extend", "--by", "2h"),), silent=(GIL,)),
    Scene("a mail is taken, and the connection lost", weather=Weather(answers=((BOB.address, "lost"),)), silent=(GIL,)),
    Scene("taken back", acts=(("village", "rewind", "--to", "12"),), silent=(GIL,)),
    Scene("a message to all", acts=(("robot", "message", "Welcome back."),), silent=(GIL,)),
    Scene("reminders", hours(15), silent=(GIL,)),
    Scene("the mailbox is away at a deadline", hours(6), silent=(GIL,), weather=Weather(imap_down=True)),
    Scene("the mailbox is back", silent=(GIL,)),
    Scene("defaults", hours(1), silent=(GIL,)),
    Scene(
        "one mail is refused, one put off",
        letters=(says(ANA, "estado"), says(DAVI, "status")),
        weather=Weather(answers=((DAVI.address, "refused"), (ANA.address, "later"))),
    ),
    Scene("too big", letters=(too_big(DAVI),)),
    Scene("the mailbox is numbered anew", renumbered=True, letters=(once_more,)),
    Scene("please undo", letters=(says(BOB, "please undo"), says(CARLA, "por favor desfazer"))),
    Scene("agreed", letters=(says(ANA, "por favor desfazer"), says(DAVI, "please undo"))),
    Scene("a new player", acts=(("robot", "replace", "Bia <bia@players.test> pt", "--seat", "2"),)),
    Scene("the old one writes", letters=(says(BOB, "status", "report"),)),
    Scene("ended by hand", acts=(("village", "finish"),)),
    Scene("after the end", letters=(says(CARLA, "1"),)),
    Scene("the mailbox is away for a day", hours(25), weather=Weather(imap_down=True), at_work=False),
    Scene("clocks are moved"),
)
"""What happens at which pass; the games go on after it."""
