"""
Real mail servers for tests: Dovecot and Postfix from the system's packages, on free loopback ports.

Both run in a private configuration below one directory and are ended by process group. They want root.

Servers of another release are taken from a folder that holds it, named by `TEST_SERVERS_ROOT`. Dovecot 2.4, which has
other words in its configuration, comes with Debian 13; on a Debian, as root:

    apt-get install debootstrap
    debootstrap --variant=minbase --include=dovecot-imapd,dovecot-lmtpd,postfix trixie ~/trixie
    TEST_SERVERS_ROOT=~/trixie .venv/bin/python -m pytest -m servers
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

PASSWORD = "pw"
ROOT = Path(os.environ.get("TEST_SERVERS_ROOT") or "/").absolute()
POSTFIX_MASTER = "/usr/lib/postfix/sbin/master"
PATH = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"
START_SECONDS = 15.0

DOVECOT = """
{versions}
base_dir = {dir}/run
state_dir = {dir}/state
log_path = {dir}/dovecot.log
instance_name = pbemtest
{protocols}
listen = 127.0.0.1
{cleartext}
auth_failure_delay = 0
first_valid_uid = 1
mail_max_userip_connections = 0
{location}
mailbox_list_index = yes
ssl = yes
{certificate}
{users}
namespace inbox {{
  inbox = yes
  separator = {separator}
  prefix = {prefix}
}}
service imap-login {{
  chroot =
  {restart} = {unlimited}
  process_min_avail = 1
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service imap {{
  {restart} = 64
}}
service lmtp {{
  inet_listener lmtp {{
    {listen} = 127.0.0.1
    port = {lmtp}
  }}
}}
service auth {{
  client_limit = 2000
  inet_listener sasl {{
    {listen} = 127.0.0.1
    port = {sasl}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
protocol lmtp {{
  postmaster_address = postmaster@pbem.test
}}
"""
DOVECOT_2_3 = {
    "versions": "",
    "protocols": "protocols = imap lmtp",
    "cleartext": "disable_plaintext_auth = no",
    "location": "mail_location = maildir:~/Maildir",
    "certificate": "ssl_cert = <{dir}/cert.pem\nssl_key = <{dir}/key.pem",
    "users": """
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {dir}/users
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={dir}/vmail/%u
}}""",
    "restart": "service_count",
    "unlimited": "0",
    "listen": "address",
}
DOVECOT_2_4 = {
    "versions": "dovecot_config_version = 2.4.0\ndovecot_storage_version = 2.4.0",
    "protocols": "protocols {{\n  imap = yes\n  lmtp = yes\n}}",
    "cleartext": "auth_allow_cleartext = yes",
    "location": "mail_driver = maildir\nmail_home = {dir}/vmail/%{{user}}\nmail_path = ~/Maildir",
    "certificate": "ssl_server_cert_file = {dir}/cert.pem\nssl_server_key_file = {dir}/key.pem",
    "users": """
passdb passwd-file {{
  driver = passwd-file
  passwd_file_path = {dir}/users
  default_password_scheme = plain
}}
userdb static {{
  driver = static
  fields {{
    uid = mail
    gid = mail
    home = {dir}/vmail/%{{user}}
  }}
}}""",
    "restart": "restart_request_count",
    "unlimited": "unlimited",
    "listen": "listen",
}

MAIN_CF = """
compatibility_level = 3.6
queue_directory = {dir}/spool
data_directory = {dir}/pfdata
mail_owner = postfix
setgid_group = postdrop
maillog_file = {dir}/postfix.log
maillog_file_prefixes = /tmp, /var, {dir}
myhostname = mail.pbem.test
mydestination =
local_header_rewrite_clients =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
local_recipient_maps =
local_transport = error:no local delivery
recipient_delimiter = +
virtual_mailbox_domains = pbem.test
virtual_mailbox_maps = texthash:{dir}/mailboxes
virtual_transport = lmtp:inet:[127.0.0.1]:{lmtp}
# Dovecot 2.4 takes ten letters for one user at a time.
lmtp_destination_concurrency_limit = 5
relayhost =
default_transport = discard:
transport_maps = texthash:{dir}/transport
smtp_host_lookup = native
disable_dns_lookups = yes
smtpd_tls_security_level = may
smtpd_tls_cert_file = {dir}/cert.pem
smtpd_tls_key_file = {dir}/key.pem
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{sasl}
smtpd_delay_reject = yes
smtpd_error_sleep_time = 0
smtpd_recipient_restrictions = check_recipient_access regexp:{dir}/refusals,
    permit_mynetworks, permit_sasl_authenticated, reject_unauth_destination
smtpd_peername_lookup = no
biff = no
smtputf8_enable = yes
message_size_limit = 26214400
minimal_backoff_time = 2s
maximal_backoff_time = 4s
queue_run_delay = 2s
default_process_limit = 20
smtpd_client_connection_count_limit = 0
"""
MASTER_CF = """
127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
127.0.0.1:{meddler} inet n - n - - smtpd -o cleanup_service_name=meddle
cleanup   unix n - n - 0 cleanup
meddle    unix n - n - 0 cleanup -o header_checks=regexp:{dir}/header_checks -o always_add_missing_headers=yes
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
proxymap  unix - - n - - proxymap
smtp      unix - - n - - smtp
lmtp      unix - - n - - lmtp
error     unix - - n - - error
retry     unix - - n - - error
discard   unix - - n - - discard
anvil     unix - - n - 1 anvil
scache    unix - - n - 1 scache
tlsmgr    unix - - n 1000? 1 tlsmgr
postlog   unix-dgram n - n - 1 postlogd
"""
BOUNCES = "bounce.test smtp:[127.0.0.1]:{smtp}\n"  # to itself: taken over, then found to be a loop
REFUSALS = {
    "tempfail@pbem.test": "450 4.2.1 try later",
    "reject@pbem.test": "550 5.1.1 no such player",
    "noplus[0-9]*[+].*": "550 5.1.1 no such address",
}
"""What the recipient of a mail matches -> the answer that Postfix gives."""
MEDDLING = """
/^Message-ID:/ IGNORE
/^From:/ REPLACE From: Bulk <bulk@pbem.test>
"""


class MailServers(Struct, frozen=True):
    """
    Where the servers listen; every user has the password PASSWORD.

    `meddler`  takes mail as `smtp` does, and replaces Message-ID and From as some providers do
    """

    directory: Path
    imap: int
    imaps: int
    lmtp: int
    sasl: int
    smtp: int
    smtps: int
    meddler: int

    @property
    def certificate(self) -> Path:
        """The file with the certificate that both servers show."""
        return self.directory / "cert.pem"

    def doveadm(self, *arguments: str) -> None:
        """Run one of Dovecot's own commands."""
        command = _inside("doveadm", "-c", f"{_seen(self.directory)}/dovecot.conf", *arguments)
        subprocess.run(command, check=True, capture_output=True, timeout=START_SECONDS)

    def has_mail_under_way(self) -> bool:
        """Return whether Postfix has a mail; from queue to queue one goes in this order."""
        queues = (self.directory / "spool" / name for name in ("maildrop", "incoming", "active", "deferred", "active"))
        return any(path.is_file() for queue in queues for path in queue.rglob("*"))

    def refuse(self, refusals: Mapping[str, str]) -> None:
        """Let Postfix give other answers than REFUSALS from its next connections on."""
        _write_refusals(self.directory, refusals)
        os.kill(int((self.directory / "spool" / "pid" / "master.pid").read_text()), signal.SIGHUP)

    def uidvalidity(self, user: str) -> int:
        """Return the UIDVALIDITY of the inbox of *user*."""
        first = (self._maildir(user) / "dovecot-uidlist").read_text().partition("\n")[0]
        return next(int(word[1:]) for word in first.split() if word.startswith("V"))

    def renumber(self, user: str) -> None:
        """Forget the numbers of the letters of *user*, who is not logged in: the next UIDVALIDITY is another."""
        for path in self._maildir(user).glob("dovecot*"):
            path.unlink()

    def _maildir(self, user: str) -> Path:
        return self.directory / "vmail" / user / "Maildir"


def missing() -> str:
    """Return why the servers cannot run here; empty if they can."""
    if _where("dovecot") is None:
        return "dovecot is not installed (dovecot-imapd, dovecot-lmtpd)"
    if not _outside(POSTFIX_MASTER).exists():
        return "postfix is not installed"
    if shutil.which("openssl") is None:
        return "openssl is not installed"
    return "" if os.geteuid() == 0 else "the servers only run as root"


@contextmanager
def mail_servers(users: Sequence[str], departed: Sequence[str] = (), prefix: str = "") -> Iterator[MailServers]:
    """
    Yield running servers with a mailbox for each of *users* (`name@pbem.test`), and end them.

    Mail to *departed* is taken over, and then comes back: their mailboxes are no longer there. *prefix* begins the name
    of every folder and ends with what separates them (`INBOX.`); without it that is a slash.
    """
    directory = Path(tempfile.mkdtemp(prefix="pbem", dir=None if ROOT == Path("/") else ROOT / "tmp"))
    directory.chmod(0o755)  # the servers' own users must get through; short, because it becomes socket paths
    started: list[subprocess.Popen[bytes]] = []
    try:
        imap, imaps, lmtp, sasl, smtp, smtps, meddler = free_ports(7)
        servers = MailServers(directory, imap, imaps, lmtp, sasl, smtp, smtps, meddler)
        _make_certificate(directory)
        started.append(_start_dovecot(servers, users, prefix))
        started.append(_start_postfix(servers, [*users, *departed]))
        for port in (imap, imaps, lmtp, smtp, smtps, meddler):
            _wait_for(port, started)
        yield servers
    finally:
        for process in reversed(started):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(directory, ignore_errors=True)


def free_ports(count: int) -> list[int]:
    """Return *count* free ports on loopback."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def _outside(path: str) -> Path:
    """Return where we find what the servers call *path*."""
    return ROOT / path.lstrip("/")


def _seen(directory: Path) -> str:
    """Return what the servers call *directory*."""
    return str(Path("/") / directory.relative_to(ROOT))


def _inside(*command: str) -> list[str]:
    """Return *command* as it is run where the servers are."""
    return list(command) if ROOT == Path("/") else ["chroot", str(ROOT), *command]


def _where(program: str) -> Path | None:
    """Return where we find *program* of the servers' system."""
    candidates = (_outside(folder) / program for folder in PATH.split(":"))
    return next((one for one in candidates if one.exists()), None)


def _version() -> str:
    shown = subprocess.run(
        _inside("dovecot", "--version"), check=True, capture_output=True, text=True, env={"PATH": PATH}
    )
    return shown.stdout.split()[0]


def _number(table: str, name: str) -> int:
    """Return the number of a user (table `passwd`) or group (`group`) in the servers' system."""
    entries = (line.split(":") for line in _outside(f"/etc/{table}").read_text().splitlines())
    return next(int(entry[2]) for entry in entries if entry[0] == name)


def _start_dovecot(servers: MailServers, users: Sequence[str], prefix: str) -> subprocess.Popen[bytes]:
    directory = servers.directory
    for name in ("run", "state", "vmail"):
        (directory / name).mkdir()
    os.chown(directory / "vmail", _number("passwd", "mail"), _number("group", "mail"))
    (directory / "users").write_text("".join(f"{user}:{{PLAIN}}{PASSWORD}\n" for user in users))
    values = _values(servers) | {"prefix": prefix, "separator": prefix[-1:] or "/"}
    dialect = DOVECOT_2_3 if _version().startswith("2.3") else DOVECOT_2_4
    values |= {name: text.format(**values) for name, text in dialect.items()}
    (directory / "dovecot.conf").write_text(DOVECOT.format(**values).lstrip())
    return _start(directory, "dovecot", _inside("dovecot", "-F", "-c", f"{_seen(directory)}/dovecot.conf"))


def _start_postfix(servers: MailServers, users: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start Postfix's master itself: `postfix start` checks for seconds first, and its process is not the daemon's."""
    directory = servers.directory
    owner, group = _number("passwd", "postfix"), _number("group", "postdrop")
    values = _values(servers)
    (directory / "pf").mkdir()
    (directory / "pf" / "main.cf").write_text(MAIN_CF.format(**values).lstrip())
    (directory / "pf" / "master.cf").write_text(MASTER_CF.format(**values).lstrip())
    (directory / "mailboxes").write_text("".join(f"{user} x\n" for user in users))
    (directory / "header_checks").write_text(MEDDLING)
    (directory / "transport").write_text(BOUNCES.format(**values))
    _write_refusals(directory, REFUSALS)
    (directory / "pfdata").mkdir()
    os.chown(directory / "pfdata", owner, -1)
    spool = directory / "spool"
    (spool / "pid").mkdir(parents=True)
    for name in [
        "incoming",
        "active",
        "bounce",
        "defer",
        "deferred",
        "flush",
        "hold",
        "saved",
        "corrupt",
        "trace",
        "private",
    ]:
        _make_queue(spool / name, owner, -1, 0o700)
    _make_queue(spool / "public", owner, group, 0o710)
    _make_queue(spool / "maildrop", owner, group, 0o1730)
    maps = (directory / name for name in ("mailboxes", "header_checks", "transport"))
    for path in (*(directory / "pf").iterdir(), *maps):
        _make_old(path)
    return _start(directory, "postfix", _inside(POSTFIX_MASTER, "-c", f"{_seen(directory)}/pf", "-s"))


def _write_refusals(directory: Path, refusals: Mapping[str, str]) -> None:
    path = directory / "refusals"
    path.write_text("".join(f"/^{pattern}$/ {answer}\n" for pattern, answer in refusals.items()))
    _make_old(path)


def _make_old(path: Path) -> None:
    """Make *path* older than now: until it is, Postfix sleeps, each daemon for itself."""
    before = time.time() - 60
    os.utime(path, (before, before))


def _make_queue(path: Path, owner: int, group: int, mode: int) -> None:
    path.mkdir()
    os.chown(path, owner, group)
    path.chmod(mode)


def _start(directory: Path, name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start *command* as the leader of a process group of its own, by whose number it is ended."""
    with (directory / f"{name}.out").open("wb") as output:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={"PATH": PATH},
        )


def _wait_for(port: int, started: Sequence[subprocess.Popen[bytes]]) -> None:
    """Wait until *port* answers; a server that ended meanwhile, or takes too long, is an error."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        for process in started:
            if process.poll() is not None:
                raise RuntimeError(f"{process.args!r} ended with {process.returncode}")
        try:
            with socket.create_connection(("127.0.0.1", port), 0.2):
                return
        except OSError:
            time.sleep(0.02)
    raise TimeoutError(f"nothing listens on port {port}")


def _make_certificate(directory: Path) -> None:
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", "/CN=localhost", "-addext", names]
    command += ["-keyout", str(directory / "key.pem"), "-out", str(directory / "cert.pem")]
    subprocess.run(command, check=True, capture_output=True)


def _values(servers: MailServers) -> dict[str, object]:
    """Return what the configurations are filled in with."""
    ports = ("imap", "imaps", "lmtp", "sasl", "smtp", "smtps", "meddler")
    return {"dir": _seen(servers.directory), **{name: getattr(servers, name) for name in ports}}
