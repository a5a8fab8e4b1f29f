import stat
import tomllib
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from pbem.clock import Clock
from pbem.errors import Exit, Refused, SettingsError
from pbem.settings import Secret, Settings, load_settings
from pbem.settings_text import toml_text, write_settings

SMALLEST = """
[mail]
address = "pbem@example.org"
[gm]
address = "gm@example.org"
[imap]
host = "mail.example.org"
user = "pbem"
password = "s3cret-imap"
[smtp]
host = "smtp.example.org"
"""


@pytest.fixture
def file(tmp_path):
    """The smallest file that is complete."""
    file = tmp_path / "pbem.toml"
    file.write_text(SMALLEST)
    return file


def refusal(file: Path | None, environ: dict[str, str]) -> tuple[str, dict[str, object]]:
    with pytest.raises(SettingsError) as caught:
        load_settings(file, environ)
    assert caught.value.exit == Exit.MISUSE
    return caught.value.key, dict(caught.value.fields)


def test_smallest_file_gives_the_defaults(file):
    settings = load_settings(file, {})

    assert ("pbem@example.org", "auto", False) == (settings.mail.address, settings.mail.plus, settings.mail.shared)
    assert ("mail.example.org", 993, "tls") == (settings.imap.host, settings.imap.port, settings.imap.tls)
    assert (465, "", 0, 1) == (
        settings.smtp.port,
        settings.smtp.user,
        settings.smtp.max_per_minute,
        settings.smtp.connections,
    )
    assert Clock(timedelta(hours=24), timedelta(days=10)) == settings.play.clock
    assert (timedelta(), "en", "UTC") == (settings.play.hold, settings.play.language, settings.play.timezone)
    assert file.parent == settings.folder


def test_a_clock_may_have_days_of_rest(file):
    clock = load_settings(file, {"PBEM_PLAY__CLOCK": "48h; off sat sun; death 12h"}).play.clock

    assert (5, 6) == clock.rest.weekdays
    assert timedelta(hours=12) == clock.free_for("village.death")
    with pytest.raises(SettingsError, match=r"settings\.value key=play\.clock why=clock\.day day=someday"):
        load_settings(file, {"PBEM_PLAY__CLOCK": "48h; off someday"})


@pytest.mark.parametrize(("tls", "imap", "smtp"), [("tls", 993, 465), ("starttls", 143, 587), ("none", 143, 587)])
def test_port_follows_tls(file, tls, imap, smtp):
    settings = load_settings(file, {"PBEM_IMAP__TLS": tls, "PBEM_SMTP__TLS": tls})

    assert (imap, smtp) == (settings.imap.port, settings.smtp.port)


def test_environment_stands_above_the_file(file):
    environ = {
        "PBEM_MAIL__SHARED": "true",
        "PBEM_IMAP__PORT": "1143",
        "PBEM_IMAP__HOST": "",
        "PBEM_PLAY__CLOCK": "48h + 5d",
        "PBEM_CONFIG_HOME": "not ours",
        "OTHER__KEY": "not ours",
    }

    settings = load_settings(file, environ)

    assert (True, 1143) == (settings.mail.shared, settings.imap.port)
    assert settings.imap.host == "mail.example.org"
    assert Clock(timedelta(hours=48), timedelta(days=5)) == settings.play.clock


def test_secret_of_the_environment_replaces_whichever_the_file_has(file):
    settings = load_settings(file, {"PBEM_IMAP__PASSWORD_FILE": "imap.password"})

    assert (None, file.parent / "imap.password") == (settings.imap.password, settings.imap.password_file)


def test_file_is_named_by_the_argument_then_the_variable_then_the_folder(tmp_path, monkeypatch):
    folders = [tmp_path / name for name in ("argument", "variable", "folder")]
    for folder in folders:
        folder.mkdir()
        (folder / "pbem.toml").write_text(SMALLEST)
    monkeypatch.chdir(folders[2])
    environ = {"PBEM_CONFIG": str(folders[1] / "pbem.toml")}

    found = [
        load_settings(Path("../argument/pbem.toml"), environ).folder.resolve(),
        load_settings(None, environ).folder,
        load_settings(None, {}).folder,
    ]

    assert folders == found


def test_environment_alone_is_enough(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environ = {
        f"PBEM_{section.upper()}__{key.upper()}": value
        for section, keys in tomllib.loads(SMALLEST).items()
        for key, value in keys.items()
    }

    assert load_settings(None, environ).imap.user == "pbem"


def test_paths_start_at_the_folder_of_the_file(file, monkeypatch):
    monkeypatch.chdir("/")
    folder = file.parent

    settings = load_settings(file, {"PBEM_IMAP__PASSWORD_FILE": "pw", "PBEM_STORE__STATE": "state"})

    assert f"sqlite:///{folder}/pbem.db" == settings.store.url
    assert (folder / "state", folder / "pw") == (settings.store.state, settings.imap.password_file)


@pytest.mark.parametrize(
    "url", ["sqlite:////var/lib/pbem/pbem.db", "sqlite://", "sqlite:///:memory:", "postgresql://h/d"]
)
def test_url_without_a_relative_path_stays(file, url):
    assert load_settings(file, {"PBEM_STORE__URL": url}).store.url == url


def test_secrets_do_not_show(file):
    environ = {
        "PBEM_SMTP__USER": "u",
        "PBEM_SMTP__TOKEN_COMMAND": "token --key t0ken",
        "PBEM_STORE__URL": "postgresql://u:pgpass@h/d",
    }

    settings = load_settings(file, environ)

    shown = f"{settings!r} {settings} {settings.imap.password} {settings.imap.password!r:>9}"
    assert not [text for text in ("s3cret-imap", "t0ken", "pgpass") if text in shown]
    with pytest.raises(TypeError):
        msgspec.json.encode(settings)
    assert Secret("a") == Secret("a") != Secret("b")
    assert len({Secret("a"), Secret("a")}) == 1


@pytest.mark.parametrize(
    ("environ", "key", "fields"),
    [
        ({"PBEM_IMPA__HOST": "x"}, "settings.section", {"key": "impa", "near": "imap"}),
        ({"PBEM_IMAP__PASWORD": "x"}, "settings.unknown", {"key": "imap.pasword", "near": "imap.password"}),
        ({"PBEM_IMAP__ZZZ": "x"}, "settings.unknown", {"key": "imap.zzz", "near": ""}),
        ({"PBEM_IMAP__PORT": "many"}, "settings.type", {"key": "imap.port", "why": "Expected `int`, got `str`"}),
        ({"PBEM_IMAP__PORT": "0"}, "settings.type", {"key": "imap.port", "why": "Expected `int` >= 1"}),
        ({"PBEM_IMAP__TLS": "ssl"}, "settings.type", {"key": "imap.tls", "why": "Expected one of tls, starttls, none"}),
        (
            {"PBEM_MAIL__ADDRESS": "nobody"},
            "settings.value",
            {"key": "mail.address", "why": "address.form", "text": "nobody"},
        ),
        ({"PBEM_MAIL__NAME": "a\nb"}, "settings.value", {"key": "mail.name", "why": "text.unprintable"}),
        (
            {"PBEM_PLAY__TIMEZONE": "Lisbon"},
            "settings.value",
            {"key": "play.timezone", "why": "timezone.unknown", "text": "Lisbon"},
        ),
        (
            {"PBEM_PLAY__HOLD": "soon"},
            "settings.value",
            {"key": "play.hold", "why": "duration.form", "text": "soon", "example": "24h"},
        ),
        ({"PBEM_SMTP__PASSWORD": "x"}, "settings.missing", {"key": "smtp.user"}),
    ],
)
def test_fault_is_named_with_its_key(file, environ, key, fields):
    assert (key, fields) == refusal(file, environ)


def test_two_secrets_are_refused_without_showing_them(file):
    file.write_text(SMALLEST.replace("[smtp]", 'token_command = "token --key t0ken"\n[smtp]'))

    key, fields = refusal(file, {})

    assert ("settings.secret", "imap", "password, token_command") == (key, fields["key"], fields["given"])
    assert not {"s3cret-imap", "t0ken"} & set(str(fields).split())


@pytest.mark.parametrize("missing", ["mail.address", "gm.address", "imap.host", "imap.user", "smtp.host"])
def test_missing_key_is_named(file, missing):
    tables = tomllib.loads(SMALLEST)
    section, _, key = missing.partition(".")
    del tables[section][key]
    file.write_bytes(_toml(tables))

    assert ("settings.missing", {"key": missing}) == refusal(file, {})


def _toml(tables: dict[str, dict[str, str]]) -> bytes:
    lines = [
        f"[{name}]\n" + "".join(f'{key} = "{value}"\n' for key, value in keys.items()) for name, keys in tables.items()
    ]
    return "".join(lines).encode()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("mail = 1", "settings.type"),
        ("[mail]\nname = 1", "settings.type"),
        ("[mail", "settings.toml"),
        (b"\xff", "settings.toml"),
    ],
)
def test_file_that_cannot_be_read_is_named(file, text, key):
    file.write_bytes(text if isinstance(text, bytes) else text.encode())

    assert key == refusal(file, {})[0]


def test_file_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    elsewhere = {"PBEM_CONFIG": "other.toml", "PBEM_GM__ADDRESS": "gm@example.org"}

    assert ("settings.no-file", {"file": str(tmp_path / "pbem.toml")}) == refusal(None, {})
    assert ("settings.no-file", {"file": str(tmp_path / "other.toml")}) == refusal(None, elsewhere)
    assert ("settings.file", {"file": str(tmp_path), "reason": "Is a directory"}) == refusal(tmp_path, {})


def test_text_of_init_loads_and_keeps_the_answers(tmp_path):
    answers = {
        "mail.address": "post@example.org",
        "mail.name": 'The "Village" postão \\ \x7f',
        "mail.shared": True,
        "imap.port": 1143,
        "imap.token_command": "oauth get 'a b'",
        "smtp.user": "",
    }
    written = tomllib.loads(toml_text(answers))

    file = tmp_path / "pbem.toml"
    write_settings(file, toml_text(answers | {"mail.name": "Village"}))
    settings = load_settings(file, {})

    assert [answers["mail.name"], True] == [written["mail"]["name"], written["mail"]["shared"]]
    assert {"token_command"} == written["imap"].keys() & {
        "password",
        "password_file",
        "password_command",
        "token_command",
    }
    assert not written["smtp"].keys() & {"user", "password_file"}
    assert ("post@example.org", 1143, "", timedelta(minutes=10)) == (
        settings.mail.address,
        settings.imap.port,
        settings.smtp.user,
        settings.play.hold,
    )


def test_text_of_init_shows_every_key():
    shown = toml_text({})

    for section in msgspec.structs.fields(Settings)[1:]:
        part = shown.split(f"[{section.name}]")[1].split("\n[")[0]
        names = [field.name for field in msgspec.structs.fields(section.type)]
        assert [name for name in names if f"{name} = " not in part] == []


def test_text_of_init_knows_only_keys_that_are_there():
    with pytest.raises(SettingsError, match=r"settings\.unknown key=imap\.hots near=imap\.host"):
        toml_text({"imap.hots": "x"})


def test_written_settings_are_for_their_owner_and_never_written_over(tmp_path):
    file = tmp_path / "pbem.toml"

    write_settings(file, "first")

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(Refused, match=r"settings\.exists"):
        write_settings(file, "second")
    assert file.read_text() == "first"
