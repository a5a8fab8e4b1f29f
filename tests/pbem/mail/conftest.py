"""Mail servers for the tests of this folder: the embedded one always, Dovecot and Postfix where they are installed."""

import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from pbem.mail.ports import Account
from tests import servers as real

REFUSALS = {"tempfail@pbem.test": "450 4.2.1 try later", "reject@pbem.test": "550 5.1.1 no such player"}
_USERS = [f"user{number}@pbem.test" for number in range(60)]
_RUN = "import json, sys; from pathlib import Path; from pbem.mail.embedded import run; "
_RUN += "run(Path(sys.argv[1]), refusals=json.loads(sys.argv[2]))"


class Mail(Struct):
    """A pair of servers: accounts on it, and a fresh address for each test."""

    name: str
    imap_port: int
    smtp_port: int
    fresh: Callable[[], str]

    def imap(self, user: str, **changes: object) -> Account:
        return replace(Account("127.0.0.1", self.imap_port, "none", user, "pw"), **changes)

    def smtp(self, user: str = "", **changes: object) -> Account:
        return replace(Account("127.0.0.1", self.smtp_port, "none", user, "pw"), **changes)


@contextmanager
def embedded_server(directory: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, int]]]:
    """Yield the process of an embedded server and what it announced."""
    command = [sys.executable, "-c", _RUN, str(directory), json.dumps(REFUSALS)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3])
    try:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


@pytest.fixture(scope="session")
def embedded(tmp_path_factory) -> Iterator[Mail]:
    numbers = itertools.count()
    with embedded_server(tmp_path_factory.mktemp("boxes")) as (_process, told):
        yield Mail("embedded", told["imap_port"], told["smtp_port"], lambda: f"user{next(numbers)}@pbem.test")


@pytest.fixture(scope="session")
def dovecot() -> Iterator[real.MailServers]:
    reason = real.missing()
    if reason:
        pytest.skip(reason)
    with real.mail_servers(_USERS) as servers:
        yield servers


@pytest.fixture(scope="session")
def fresh_user() -> Callable[[], str]:
    return iter(_USERS).__next__


@pytest.fixture(params=["embedded", pytest.param("dovecot", marks=pytest.mark.servers)])
def mail(request, fresh_user) -> Mail:
    if request.param == "embedded":
        return request.getfixturevalue("embedded")
    servers = request.getfixturevalue("dovecot")
    return Mail("dovecot", servers.imap, servers.smtp, fresh_user)
