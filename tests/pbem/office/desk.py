"""The game master and his deputies at their mail, at a table of the service's tests."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.contacts import parse_contact
from pbem.mail.letter import Letter, read_letter
from pbem.store import games, outbox
from pbem.store.games import Act
from tests.pbem.table import OUR, Table

GM = "gm@pbem.test"
RUI = "rui@deputies.test"


def with_deputies(table: Table, *texts: str) -> None:
    """Let the settings name deputies from now on."""
    settings = table.service.settings
    gm = replace(settings.gm, deputies=tuple(map(parse_contact, texts)))
    table.service = replace(table.service, settings=replace(settings, gm=gm))


def in_language(table: Table, language: str) -> None:
    """Let the game master read mails in *language*."""
    settings = table.service.settings
    play = replace(settings.play, language=language)
    table.service = replace(table.service, settings=replace(settings, play=play))


def mails_to(table: Table, address: str = GM) -> list[Letter]:
    """Return all mails to a master."""
    return [read_letter(raw) for to, raw in table.server.taken if to == address]


def alarm(table: Table, key: str = "alert.away", sender: str = GM, **fields: object) -> Letter:
    """Let an alert go to the masters, and return that to the game master, whose address is *sender*."""
    with table.service.store.write() as session:
        outbox.add_notice(session, table.game, -2, key, fields or {"seat": 1}, table.now, urgent=True)  # type: ignore[arg-type]
    table.tick()
    return mails_to(table, sender)[-1]


def reply(table: Table, mail: Letter, text: str, sender: str = GM, *, quoting: bool = True, **headers: str) -> bytes:
    """Return a letter that answers *mail* as mail clients write it."""
    quoted = "\n".join(f"> {line.text}" for line in mail.lines) if quoting else ""
    values = {
        "To": mail.reply_to.address or OUR,
        "Subject": f"Re: {mail.subject}",
        "In-Reply-To": mail.message_id,
        "References": mail.message_id,
    }
    changed = {name.replace("_", "-"): value for name, value in headers.items()}
    return table.letter(sender, f"{text}\n\nOn Monday the post wrote:\n{quoted}\n", **values | changed).as_bytes()


def says(table: Table, text: str, sender: str = GM, *, to: Letter | None = None) -> Counter[str]:
    """Let a master answer his newest mail, or *to*, and run a pass."""
    table.post(reply(table, to or mails_to(table, sender)[-1], text, sender))
    return table.tick()


def answers(table: Table, text: str, sender: str = GM, *, to: Letter | None = None) -> list[Letter]:
    """Return the mails to a master that come of his answer."""
    before = len(mails_to(table, sender))
    says(table, text, sender, to=to)
    return mails_to(table, sender)[before:]


def all_acts(table: Table) -> list[Act]:
    """Return all acts on record, those of no game too."""
    with table.service.store.read() as session:
        return list(games.list_acts(session))


def said(mails: Letter | Sequence[Letter]) -> str:
    """Return what stands in mails, on one line."""
    found = [mails] if isinstance(mails, Letter) else mails
    return " ".join(" ".join(line.text for line in one.lines) for one in found)
