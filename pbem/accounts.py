"""From settings to logins: secrets are looked up here, at the moment they are needed."""

import shlex
import subprocess
from pathlib import Path

from pbem.errors import SettingsError, TryLater
from pbem.mail.ports import Account
from pbem.settings import Secret, Server, Settings

COMMAND_SECONDS = 30.0


def secret(server: Server, folder: Path) -> str:
    """
    Return the password or token for *server*, looked up now; of a file or an answer the first line.

    A command runs without a shell, in *folder*, for half a minute at most; what it writes elsewhere is not kept.
    Raises: SettingsError `secret.file`, `secret.command`, `secret.empty`; TryLater `secret.failed`, `secret.slow`.
    """
    if server.password is not None:
        return server.password.reveal()
    if server.password_file is not None:
        return _first_line(_secret_file(server.password_file), "password_file")
    for key, command in (("password_command", server.password_command), ("token_command", server.token_command)):
        if command is not None:
            return _first_line(_run(command, folder, key), key)
    return ""


def imap_account(settings: Settings) -> Account:
    """Return how to log in to the mailbox; raises what `secret` raises."""
    return _account(settings.imap, settings.folder)


def smtp_account(settings: Settings) -> Account:
    """Return how to log in to the outgoing server; raises what `secret` raises."""
    return _account(settings.smtp, settings.folder)


def _account(server: Server, folder: Path) -> Account:
    """Return the login for *server* with its secret looked up."""
    return Account(
        host=server.host,
        port=server.port,
        tls=server.tls,
        user=server.user,
        secret=secret(server, folder),
        token=server.token_command is not None,
    )


def _secret_file(file: Path) -> str:
    """Return the text of a password file."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise SettingsError("secret.file", file=str(file), reason=error.strerror or "") from None
    except ValueError:
        raise SettingsError("secret.file", file=str(file), reason="UTF-8") from None


def _run(command: Secret, folder: Path, key: str) -> str:
    """Return what *command* prints; its arguments and its error output may hold secrets and are not repeated."""
    try:
        words = shlex.split(command.reveal())
    except ValueError:
        raise SettingsError("secret.command", key=key, reason="quotes") from None
    if not words:
        raise SettingsError("secret.empty", key=key)
    try:
        done = subprocess.run(  # noqa: S603 - the GM's own command, split without a shell
            words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_SECONDS, check=False
        )
    except OSError as error:
        raise SettingsError("secret.command", key=key, program=words[0], reason=error.strerror or "") from None
    except subprocess.TimeoutExpired:
        raise TryLater("secret.slow", key=key, program=words[0], seconds=int(COMMAND_SECONDS)) from None
    if done.returncode:
        raise TryLater("secret.failed", key=key, program=words[0], status=done.returncode)
    return done.stdout.decode(errors="replace")


def _first_line(text: str, key: str) -> str:
    """Return the first line of *text*, which must not be empty."""
    line = text.partition("\n")[0].removesuffix("\r")
    if not line:
        raise SettingsError("secret.empty", key=key)
    return line
