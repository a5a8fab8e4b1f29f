"""
Configuration: `pbem.toml`, and above it the variables `PBEM_SECTION__KEY`; the only place that reads either.

Each section is one frozen value, so its fields are the list of keys. Secrets are looked up when they are needed
(`pbem/accounts.py`), never before.
"""

import difflib
import tomllib
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from pbem.clock import Clock, check_zone, parse_clock, parse_duration, parse_time_of_day
from pbem.contacts import Contact, parse_contact
from pbem.errors import Misuse, SettingsError
from pbem.journal import STANDARD_ERROR
from pbem.lexicon import known_language
from pbem.mail.addresses import is_box
from pbem.mail.ports import Tls

FILE_NAME = "pbem.toml"
CONFIG_VARIABLE = "PBEM_CONFIG"
SECRETS = ("password", "password_file", "password_command", "token_command")

LEAST_KEPT = timedelta(days=7)
"""How long letters and mails are kept at least: so long a mail may come back, or the same letter come again."""

_PREFIX = "PBEM_"
_PORTS: dict[str, dict[Tls, int]] = {
    "imap": {"tls": 993, "starttls": 143, "none": 143},
    "smtp": {"tls": 465, "starttls": 587, "none": 587},
}

T = TypeVar("T", bound=Struct)
S = TypeVar("S", bound="Server")
Port = Annotated[int, Meta(ge=1, le=65_535)]
Plus = Literal["auto", "yes", "no"]


class Secret:
    """A text that shows itself only through `reveal`; no Struct, so that nothing encodes it by accident."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        """Keep *text*."""
        self._text = text

    def __repr__(self) -> str:
        """Return a placeholder."""
        return "Secret(…)"

    def __eq__(self, other: object) -> bool:
        """Tell whether *other* holds the same text."""
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        """Return the hash of the text."""
        return hash(self._text)

    def reveal(self) -> str:
        """Return the text."""
        return self._text


class Mail(Struct, frozen=True):
    """
    Who we are in a mail, and what we take.

    `plus`              do plus addresses arrive
    `shared`            letters that are not ours are left alone
    `letters_per_hour`  of one seat, or of an unknown address, that are judged; 0 is no limit
    `pictures`          which reports show the position as pictures: "all", the last one of a game ("end"), or "none"
    """

    address: str
    name: str = "pbem"
    plus: Plus = "auto"
    shared: bool = False
    letters_per_hour: Annotated[int, Meta(ge=0)] = 300
    pictures: Literal["all", "end", "none"] = "all"


class Gm(Struct, frozen=True):
    """
    Who runs the games: `name` is what players read; alerts go to `address`, which they never see.

    `digest`    when a mail tells what happened in a day, by the clock of `play.timezone`; "" for none
    `deputies`  who else is told what wants an act, and may act by mail: "NAME <ADDRESS> [LANGUAGE] [ZONE]"
    """

    address: str
    name: str = ""
    digest: str = "08:00"
    deputies: tuple[Contact, ...] = ()


class Server(Struct, frozen=True):
    """Where and as whom to log in, with exactly one of the four secrets, or none where `user` is empty (SMTP only)."""

    host: str
    port: Port
    user: str = ""
    tls: Tls = "tls"
    password: Secret | None = None
    password_file: Path | None = None
    password_command: Secret | None = None
    token_command: Secret | None = None


class Imap(Server, frozen=True):
    """The mailbox."""


class Smtp(Server, frozen=True):
    """The outgoing server; `max_per_minute` 0 is no limit."""

    max_per_minute: Annotated[int, Meta(ge=0)] = 0
    connections: Annotated[int, Meta(ge=1, le=16)] = 1


class Store(Struct, frozen=True):
    """
    Where the games are kept; `state` is the folder of the key file, the caches and the lock.

    `keep`  how long the bytes of letters and mails of games that are over are kept; 0 is for ever
    """

    url: str
    state: Path
    keep: timedelta = timedelta()

    def __repr__(self) -> str:
        """Return the store in words; a URL may hold a password."""
        return f"Store({self.url.partition(':')[0]}:…, state={str(self.state)!r})"


class Play(Struct, frozen=True):
    """
    What holds for a game or a player unless something else is said.

    `late`    what answers for who comes too late: the rules' "default", a "bot", or nothing: the game does "wait"
    `misses`  in a row, after which a bot stands in until the player writes; 0: never
    """

    clock: Clock = Clock(timedelta(hours=24), timedelta(days=10))
    hold: timedelta = timedelta()
    away: timedelta = timedelta(days=30)
    resign: Literal["bot", "gm", "bench"] = "bot"
    open: timedelta = timedelta(days=14)
    late: Literal["default", "bot", "wait"] = "default"
    misses: Annotated[int, Meta(ge=0, le=100)] = 0
    language: str = "en"
    timezone: str = "UTC"


class Log(Struct, frozen=True):
    """Where the journal goes: one line of JSON for each event, to the end of `file`; "-" is standard error."""

    file: Path | None = None


class Settings(Struct, frozen=True):
    """All settings; `folder` is where `pbem.toml` lies, and a game master's own `templates`."""

    folder: Path
    mail: Mail
    gm: Gm
    imap: Imap
    smtp: Smtp
    store: Store
    play: Play = Play()
    log: Log = Log()


def find_settings(path: Path | None, environ: Mapping[str, str]) -> Path:
    """Return the file to read: *path* (from `--config`), else `$PBEM_CONFIG`, else `pbem.toml` right here; absolute."""
    return (path or Path(environ.get(CONFIG_VARIABLE) or FILE_NAME)).absolute()


def load_settings(path: Path | None, environ: Mapping[str, str]) -> Settings:
    """
    Return the settings from the file and, above it, from *environ*; relative paths start at the folder of the file.

    The file may be missing if nobody named it and the environment says enough. An empty variable counts as not set.
    Raises: SettingsError `settings.no-file`, `settings.file`, `settings.toml`, `settings.section`, `settings.unknown`,
            `settings.type`, `settings.value`, `settings.missing`, `settings.secret`; no message holds a secret.
    """
    file = find_settings(path, environ)
    above = _variables(environ)
    named = path is not None or bool(environ.get(CONFIG_VARIABLE))
    raw = {} if above and not named and not file.exists() else _load_file(file)
    for section in {**raw, **above}:
        if section not in _SECTIONS:
            raise SettingsError("settings.section", key=section, near=near(section, _SECTIONS))
    sections = {name: _keys(name, raw.get(name, {}), above.get(name, {})) for name in _SECTIONS}
    for name in _PORTS:
        _complete(name, sections[name])
    folder = file.parent
    mail, gm = _build(Mail, "mail", sections["mail"]), _build(Gm, "gm", sections["gm"])
    _check_masters(gm, mail)
    return Settings(
        folder=folder,
        mail=mail,
        gm=gm,
        imap=_below(_build(Imap, "imap", sections["imap"]), folder),
        smtp=_below(_build(Smtp, "smtp", sections["smtp"]), folder),
        store=_store(folder, sections["store"]),
        play=_build(Play, "play", sections["play"]),
        log=_log(folder, sections["log"]),
    )


def _load_file(file: Path) -> dict[str, Any]:
    """Return the tables of *file*."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsError("settings.no-file", file=str(file)) from None
    except OSError as error:
        raise SettingsError("settings.file", file=str(file), reason=error.strerror or "") from None
    except ValueError as error:  # TOML and UTF-8; the message shows a place, or one character
        raise SettingsError("settings.toml", file=str(file), reason=str(error)) from None


def _variables(environ: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return what *environ* sets, by section and key."""
    found: dict[str, dict[str, str]] = {}
    for variable, value in environ.items():
        section, parted, key = variable.removeprefix(_PREFIX).lower().partition("__")
        if variable.startswith(_PREFIX) and parted and value:
            found.setdefault(section, {})[key] = value
    return found


def _keys(section: str, low: object, high: dict[str, str]) -> dict[str, Any]:
    """Return the typed values of one section: *high* (from the environment) above *low* (from the file)."""
    if not isinstance(low, dict):
        raise SettingsError("settings.type", key=section, why="Expected a table")
    known = {field.name: field.type for field in msgspec.structs.fields(_SECTIONS[section])}
    for key in (*low, *high):
        if key not in known:
            raise SettingsError("settings.unknown", key=f"{section}.{key}", near=near(key, known, f"{section}."))
    if any(key in SECRETS for key in high):  # one secret above replaces whichever the file has
        low = {key: value for key, value in low.items() if key not in SECRETS}
    values = {key: _read(f"{section}.{key}", known[key], value) for key, value in low.items()}
    return values | {key: _read(f"{section}.{key}", known[key], value, strict=False) for key, value in high.items()}


def _read(key: str, kind: object, value: object, *, strict: bool = True) -> object:
    """Return *value* as *kind*, the annotated type of the key; texts of the environment are read with *strict* off."""
    if kind == tuple[Contact, ...]:
        return _contacts(key, value)
    reader = next((_READERS[one] for one in (kind, *get_args(kind)) if one in _READERS), None)
    try:
        if reader is not None:
            return reader(_plain(msgspec.convert(value, str)))
        read = msgspec.convert(value, kind, strict=strict)
        return _plain(read) if isinstance(read, str) else read
    except msgspec.ValidationError as error:
        options = get_args(kind) if isinstance(value, str) else ()
        why = f"Expected one of {', '.join(options)}" if options and isinstance(options[0], str) else str(error)
        raise SettingsError("settings.type", key=key, why=why) from None
    except Misuse as error:
        raise _unusable(key, error) from None


def _contacts(key: str, value: object) -> tuple[Contact, ...]:
    """Return a list of persons; in the environment, which has no lists, a `;` stands between them."""
    texts = [one for one in value.split(";") if one.strip()] if isinstance(value, str) else value
    try:
        found = tuple(parse_contact(_plain(one)) for one in msgspec.convert(texts, list[str]))
    except msgspec.ValidationError as error:
        raise SettingsError("settings.type", key=key, why=str(error)) from None
    except Misuse as error:
        raise _unusable(key, error) from None
    return found


def _check_masters(gm: Gm, mail: Mail) -> None:
    """See that no two of those who run the games have one address, and no deputy has ours."""
    seen = {gm.address.casefold()}
    for one in gm.deputies:
        if one.address.casefold() in seen or is_box(one.address, mail.address):
            raise _unusable("gm.deputies", Misuse("deputy.address", address=one.address))
        seen.add(one.address.casefold())


def _plain(text: str) -> str:
    """Return *text* if it is one line of printable characters."""
    if not text.isprintable():
        raise Misuse("text.unprintable")
    return text


def _check_address(text: str) -> None:
    """See that *text* is one plain address; whether it exists, `doctor` finds out."""
    local, _, domain = text.rpartition("@")
    if not (local and domain) or set(local) & set(' @<>,;:"()') or set(domain) & set(' <>,;:"()'):
        raise Misuse("address.form", text=text)


def _check_digest(text: str) -> None:
    """See that *text* is a time of the day, or nothing."""
    if text:
        parse_time_of_day(text)


def check_keep(keep: timedelta) -> None:
    """
    See that *keep* is for ever, or long enough.

    Raises: Misuse `purge.short`.
    """
    if keep and keep < LEAST_KEPT:
        raise Misuse("purge.short", least=LEAST_KEPT.days)


def _complete(section: str, values: dict[str, Any]) -> None:
    """See that *values* name one login; fill in the port that goes with `tls`."""
    given = [key for key in SECRETS if key in values]
    if section == "imap" and not values.get("user"):
        raise SettingsError("settings.missing", key="imap.user")
    if given and not values.get("user"):
        raise SettingsError("settings.missing", key=f"{section}.user")
    if len(given) != (1 if values.get("user") else 0):
        raise SettingsError("settings.secret", key=section, given=", ".join(given) or "none", one_of=", ".join(SECRETS))
    values.setdefault("port", _PORTS[section][values.get("tls", "tls")])


def _build(kind: type[T], section: str, values: dict[str, Any]) -> T:
    """Return *values* as one section."""
    for field in msgspec.structs.fields(kind):
        if field.required and not values.get(field.name):
            raise SettingsError("settings.missing", key=f"{section}.{field.name}")
    for key, check in _CHECKS.items():
        if key in values:
            try:
                check(values[key])
            except Misuse as error:
                raise _unusable(f"{section}.{key}", error) from None
    return kind(**values)


def _unusable(key: str, error: Misuse) -> SettingsError:
    """Return the refusal of the setting *key*, for the reason that *error* gives."""
    return SettingsError("settings.value", key=key, why=error.key, **dict(error.fields))


def _below(server: S, folder: Path) -> S:
    """Return *server* with its password file seen from *folder*."""
    if server.password_file is None:
        return server
    return msgspec.structs.replace(server, password_file=folder / server.password_file)


def _store(folder: Path, values: dict[str, Any]) -> Store:
    """Return the store with its paths seen from *folder*."""
    url = values.get("url", "sqlite:///pbem.db")
    scheme, slashes, path = url.partition(":///")
    if slashes and scheme.startswith("sqlite") and path and not path.startswith((":", "file:")):
        url = f"{scheme}:///{folder / path}"
    kept = {"keep": values["keep"]} if "keep" in values else {}
    return _build(Store, "store", {"url": url, "state": folder / values.get("state", Path()), **kept})


def _log(folder: Path, values: dict[str, Any]) -> Log:
    """Return the journal's file seen from *folder*."""
    file = values.get("file")
    return Log() if file is None else Log(file if file == STANDARD_ERROR else folder / file)


def near(word: str, known: Mapping[str, object], before: str = "") -> str:
    """Return the known word nearest to *word*, with *before* in front, or nothing."""
    return next((before + close for close in difflib.get_close_matches(word, known, 1)), "")


_SECTIONS: dict[str, type[Struct]] = {
    "mail": Mail,
    "gm": Gm,
    "imap": Imap,
    "smtp": Smtp,
    "store": Store,
    "play": Play,
    "log": Log,
}
_READERS: dict[object, Callable[[str], object]] = {
    Path: lambda text: Path(text).expanduser(),
    Secret: Secret,
    Clock: parse_clock,
    timedelta: parse_duration,
}
_CHECKS: dict[str, Callable[[Any], object]] = {
    "address": _check_address,
    "timezone": check_zone,
    "language": known_language,
    "digest": _check_digest,
    "keep": check_keep,
}
