"""The text of a new `pbem.toml`, for `pbem init`: every key of `pbem.settings` with what it is for."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from pbem.errors import Refused, SettingsError
from pbem.settings import SECRETS, near

Answer = str | int | bool

_FILE: tuple[tuple[str, tuple[tuple[str, Answer | None, str], ...]], ...] = (
    (
        "mail: who we are in a mail",
        (
            ("mail.address", "pbem@example.org", ""),
            ("mail.name", "Board games by mail", "stands beside the address"),
            ("mail.plus", "auto", 'plus addresses: "auto" asks what `pbem doctor --send` saw; or "yes", "no"'),
            ("mail.shared", False, "true: people get other mail here too; letters that are not ours stay unread"),
            ("mail.letters_per_hour", 300, "of one seat that are judged; more are held for you; 0: no limit"),
            (
                "mail.pictures",
                "all",
                'reports with pictures of the position: "all", "end" (the last of a game), "none"',
            ),
        ),
    ),
    (
        "gm: you; alerts go here",
        (
            ("gm.address", "gm@example.org", ""),
            ("gm.name", None, "what the players read; they never see the address"),
            (
                "gm.deputies",
                None,
                '["Rui <rui@example.org> pt"]: who else is told what wants an act, and may act by mail',
            ),
            ("gm.digest", "08:00", 'when a mail tells what happened in a day, if anything did; "": never'),
        ),
    ),
    (
        "imap: the mailbox that the players write to",
        (
            ("imap.host", "mail.example.org", ""),
            ("imap.tls", "tls", '"tls" (port 993), "starttls" or "none" (port 143)'),
            ("imap.port", None, "only if it is another one"),
            ("imap.user", "pbem@example.org", ""),
            ("imap.password_file", "password", "one of these four; of a file or an answer the first line counts"),
            ("imap.password", None, ""),
            ("imap.password_command", None, ""),
            ("imap.token_command", None, "prints an OAuth 2 access token, for XOAUTH2 or OAUTHBEARER"),
        ),
    ),
    (
        "smtp: the server that takes our mail",
        (
            ("smtp.host", "mail.example.org", ""),
            ("smtp.tls", "tls", '"tls" (port 465), "starttls" or "none" (port 587)'),
            ("smtp.port", None, "only if it is another one"),
            ("smtp.user", "pbem@example.org", "leave it out, and the secret, for a server without a login"),
            ("smtp.password_file", "password", ""),
            ("smtp.password", None, ""),
            ("smtp.password_command", None, ""),
            ("smtp.token_command", None, ""),
            ("smtp.max_per_minute", 0, "mails a minute that your provider takes; 0: no limit"),
            ("smtp.connections", 1, ""),
        ),
    ),
    (
        "store: where the games are",
        (
            ("store.url", "sqlite:///pbem.db", "or postgresql+psycopg://user:password@host/name"),
            ("store.state", ".", "folder of the key file, the caches and the lock"),
            (
                "store.keep",
                "0",
                'how long the bytes of letters and mails of games that are over stay: "90d"; 0: for ever',
            ),
        ),
    ),
    (
        "play: what holds for a new game or player unless you say otherwise",
        (
            ("play.clock", "24h + 10d", "free time for a decision, then the bank; more: 24h + 10d; off sat sun"),
            ("play.hold", "10m", "how long a player may change an order before it is played"),
            ("play.away", "30d", "how long the clock of a player who is away may stand still in one game; 0: never"),
            (
                "play.resign",
                "bot",
                "who takes a seat that is resigned: a bot at once, whom you (gm) find, or who sits on the bench",
            ),
            ("play.open", "14d", "after so long all are told that an open game is not full yet; 0: never"),
            (
                "play.late",
                "default",
                "at a deadline the rules' default is played, or a bot answers, or the game does wait",
            ),
            ("play.misses", 3, "after so many in a row a bot stands in until the player writes; 0: never"),
            ("play.language", "en", ""),
            ("play.timezone", "UTC", ""),
        ),
    ),
    (
        "log: what was done, one line of JSON for each event",
        (("log.file", None, '"-": standard error; nothing is written unless you say where'),),
    ),
)


_MAY_BE_EMPTY = ("gm.digest",)
"""Keys of which "" says something: their default is another."""


def toml_text(answers: Mapping[str, Answer]) -> str:
    """
    Return the text of a `pbem.toml` with comments, for `pbem init`.

    Shape:  *answers* by `section.key`; what is not answered stands as the example shows it. One answered secret takes
            the place of the example's; the answer "" takes a key out (`smtp.user`: its secrets too).
    Raises: SettingsError `settings.unknown`.
    """
    known = {key: example for _, rows in _FILE for key, example, _ in rows}
    for key in answers:
        if key not in known:
            raise SettingsError("settings.unknown", key=key, near=near(key, known))
    blocks = ["# PBEM_SECTION__KEY in the environment stands above each key; paths start at the folder of this file."]
    for title, rows in _FILE:
        section, _, about = title.partition(": ")
        lines = [f"[{section}]  # {about}"]
        lines += [_line(row, _value(row, answers)) for row in rows]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def write_settings(file: Path, text: str) -> None:
    """
    Write a new `pbem.toml` that only its owner may read.

    Raises: Refused `settings.exists`.
    """
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Refused("settings.exists", file=str(file)) from None
    with open(handle, "w", encoding="utf-8") as opened:  # noqa: PTH123 - a handle, for its mode
        opened.write(text)


def _value(row: tuple[str, Answer | None, str], answers: Mapping[str, Answer]) -> Answer | None:
    """Return what the key of *row* is set to; None: it stands as a comment."""
    key, example, _ = row
    section, _, name = key.partition(".")
    if name in SECRETS:
        if answers.get(f"{section}.user") == "":
            return None
        answered = any(answers.get(f"{section}.{one}") for one in SECRETS)
        example = None if answered else example
    value = answers.get(key, example)
    return None if value == "" and key not in _MAY_BE_EMPTY else value


def _line(row: tuple[str, Answer | None, str], value: Answer | None) -> str:
    """Return one line of the file; a key without a value stands as a comment."""
    key, example, about = row
    name = key.partition(".")[2]
    if value is None:
        shown = f"# {name} = {_toml(_PORTS_SHOWN.get(key, example or '…'))}"
    else:
        shown = f"{name} = {_toml(value)}"
    return f"{shown:<40}  # {about}" if about else shown


def _toml(value: Answer) -> str:
    """Return *value* as TOML; its basic strings are JSON's, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


_PORTS_SHOWN: Mapping[str, Answer] = {"imap.port": 993, "smtp.port": 465}
