import shlex
import sys
from pathlib import Path

import pytest

from pbem import accounts
from pbem.accounts import imap_account, secret, smtp_account
from pbem.errors import PbemError, SettingsError, TryLater
from pbem.mail.ports import Account
from pbem.settings import Gm, Imap, Mail, Secret, Server, Settings, Smtp, Store


def python(code: str) -> Secret:
    return Secret(shlex.join([sys.executable, "-c", code]))


def server(**login: object) -> Server:
    return Server(host="localhost", port=1, user="u", **login)


def refusal(login: Server, folder: Path = Path()) -> PbemError:
    with pytest.raises(PbemError) as caught:
        secret(login, folder)
    return caught.value


def test_accounts_hold_what_the_settings_say(tmp_path):
    settings = Settings(
        folder=tmp_path,
        mail=Mail("pbem@example.org"),
        gm=Gm("gm@example.org"),
        imap=Imap(host="imap", port=993, user="u", token_command=python("print('t0ken')")),
        smtp=Smtp(host="smtp", port=587, tls="starttls"),
        store=Store("sqlite://", tmp_path),
    )

    assert Account("imap", 993, "tls", "u", "t0ken", token=True) == imap_account(settings)
    assert Account("smtp", 587, "starttls", "", "") == smtp_account(settings)


def test_first_line_of_a_file_or_an_answer_counts(tmp_path):
    (tmp_path / "pw").write_bytes("pä ss \r\nuser: x\n".encode())
    answer = python("import os; print('in', os.path.basename(os.getcwd())); print('second')")

    assert secret(server(password=Secret("pw")), tmp_path) == "pw"
    assert secret(server(password_file=tmp_path / "pw"), tmp_path) == "pä ss "
    assert secret(server(password_command=answer), tmp_path) == f"in {tmp_path.name}"


def test_command_runs_without_a_shell(tmp_path):
    shown = Secret(shlex.join([sys.executable, "-c", "import sys; print(sys.argv[1])"]) + " $HOME;")

    assert secret(server(password_command=shown), tmp_path) == "$HOME;"


@pytest.mark.parametrize(
    ("login", "key"),
    [
        (server(password_file=Path("/nowhere/pw")), "secret.file"),
        (server(password_file=Path(sys.executable)), "secret.file"),
        (server(password_command=Secret("/nowhere/x t0ken")), "secret.command"),
        (server(password_command=Secret("x 't0ken")), "secret.command"),
        (server(password_command=Secret(" ")), "secret.empty"),
        (server(token_command=python("t0ken = 1")), "secret.empty"),
    ],
)
def test_secret_that_cannot_be_had_is_a_settings_error(login, key):
    error = refusal(login)

    assert isinstance(error, SettingsError)
    assert key == error.key
    assert "t0ken" not in str(error)


def test_command_that_fails_is_tried_later_and_not_repeated(monkeypatch):
    failing = refusal(server(token_command=python("import sys; print('t0ken'); sys.exit('t0ken')")))
    monkeypatch.setattr(accounts, "COMMAND_SECONDS", 0.2)
    slow = refusal(server(token_command=python("import time; time.sleep(9)")))

    assert (TryLater, "secret.failed", 1) == (type(failing), failing.key, dict(failing.fields)["status"])
    assert (TryLater, "secret.slow") == (type(slow), slow.key)
    assert "t0ken" not in str(failing)
