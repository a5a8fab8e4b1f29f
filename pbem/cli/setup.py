"""`init` and `doctor`."""

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.output import columns, is_terminal, print_json, print_text
from pbem.cli.shared import AsJson, now, opened, pairs
from pbem.errors import Exit, PbemError, Refused

NUMBERS = (".port", ".max_per_minute", ".connections", ".letters_per_hour")
"""Ends of the keys that are whole numbers."""

ASKED = (
    ("mail.address", "The address that the players write to"),
    ("mail.name", "The name beside it"),
    ("gm.address", "Your own address, for alerts"),
    ("imap.host", "The IMAP server"),
    ("imap.user", "The user to log in with there"),
    ("smtp.host", "The SMTP server"),
    ("smtp.user", "The user to log in with there"),
)


def init(
    directory: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to write pbem.toml.")] = Path(),
    address: Annotated[str, typer.Option(help="The address that the players write to.")] = "",
    gm: Annotated[str, typer.Option(help="Your own address, for alerts.")] = "",
    imap_host: Annotated[str, typer.Option(help="The IMAP server.")] = "",
    smtp_host: Annotated[str, typer.Option(help="The SMTP server.")] = "",
    user: Annotated[str, typer.Option(help="The user to log in with on both.")] = "",
    settings: Annotated[list[str] | None, typer.Option("--set", help="Any other key: SECTION.KEY=VALUE.")] = None,
) -> None:
    """Write pbem.toml and make the store; asks only on a terminal, and only for what no flag gives."""
    from pbem.service import open_service
    from pbem.settings import FILE_NAME, load_settings
    from pbem.settings_text import Answer, toml_text, write_settings
    from pbem.store.upgrade import upgrade_store

    given = {
        "mail.address": address,
        "gm.address": gm,
        "imap.host": imap_host,
        "imap.user": user or address,
        "smtp.host": smtp_host,
        "smtp.user": user or address,
    }
    answers: dict[str, Answer] = {key: value for key, value in given.items() if value}
    answers |= {key: _typed(key, value) for key, value in pairs(settings or [])}
    if is_terminal() and not (address and gm and imap_host and smtp_host):
        for key, question in ASKED:
            if key not in answers:
                default = answers.get("mail.address", "") if key.endswith(".user") else ""
                answers[key] = str(typer.prompt(question, default=default or None))
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / FILE_NAME
    write_settings(file, toml_text(answers))
    try:
        service = open_service(load_settings(file, {}))
    except PbemError:
        file.unlink()
        raise
    upgrade_store(service.store)
    service.store.close()
    print_text(f"Written: {file}. Put the password where it says, then run `pbem doctor --send`.")


def _typed(key: str, value: str) -> "str | int | bool":
    """Return *value* as its key in `pbem.toml` wants it."""
    if key == "mail.shared" and value in ("true", "false"):
        return value == "true"
    return int(value) if key.endswith(NUMBERS) and value.isdigit() else value


def doctor(
    context: typer.Context,
    *,
    send: Annotated[bool, typer.Option("--send", help="Send a mail to ourselves and see what survives.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check mailbox, outgoing server, store and clock."""
    from pbem.doctor import examine

    with opened(context) as service:
        findings = examine(service, now(), send=send)
    faults = sum(one.state == "fault" for one in findings)
    if as_json:
        listed = [{"name": one.name, "state": one.state, "detail": one.detail} for one in findings]
        print_json({"findings": listed, "faults": faults})
        raise typer.Exit(Exit.REFUSED if faults else Exit.DONE)
    print_text(columns([(one.name, one.state, one.detail) for one in findings]))
    if faults:
        raise Refused("doctor.faults", faults=faults)
