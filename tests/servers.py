"""
Real mail servers for tests: Dovecot and Postfix from the system's packages, on free loopback ports.

Both run in a private configuration below one directory and are ended by process group. Postfix wants root.
"""

import grp
import os
import pwd
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

DOMAIN = "pbem.test"
PASSWORD = "pw"
POSTFIX_MASTER = Path("/usr/lib/postfix/sbin/master")
START_SECONDS = 15.0

DOVECOT = """
{versions}
base_dir = {dir}/run
state_dir = {dir}/state
log_path = {dir}/dovecot.log
instance_name = pbemtest
{protocols}
listen = 127.0.0.1
default_internal_user = {internal_user}
default_internal_group = {internal_group}
default_login_user = {login_user}
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
  separator = /
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
  args = uid={uid} gid={gid} home={dir}/vmail/%u
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
    uid = {uid}
    gid = {gid}
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
smtpd_recipient_restrictions = check_recipient_access texthash:{dir}/rcpt_access,
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
cleanup   unix n - n - 0 cleanup
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
REFUSALS = "tempfail@pbem.test 450 4.2.1 try later\nreject@pbem.test 550 5.1.1 no such player\n"


class MailServers(Struct, frozen=True):
    """Where the servers listen; every user has the password PASSWORD."""

    directory: Path
    imap: int
    imaps: int
    lmtp: int
    sasl: int
    smtp: int
    smtps: int

    @property
    def certificate(self) -> Path:
        """The file with the certificate that both servers show."""
        return self.directory / "cert.pem"

    def doveadm(self, *arguments: str) -> None:
        """Run one of Dovecot's own commands."""
        command = ["doveadm", "-c", str(self.directory / "dovecot.conf"), *arguments]
        subprocess.run(command, check=True, capture_output=True, timeout=START_SECONDS)


def missing() -> str:
    """Return why the servers cannot run here; empty if they can."""
    if shutil.which("dovecot", path=_PATH) is None:
        return "dovecot is not installed (dovecot-imapd, dovecot-lmtpd)"
    if not POSTFIX_MASTER.exists():
        return "postfix is not installed"
    if shutil.which("openssl") is None:
        return "openssl is not installed"
    return "" if os.geteuid() == 0 else "postfix only runs as root"


@contextmanager
def mail_servers(users: Sequence[str]) -> Iterator[MailServers]:
    """Yield running servers with a mailbox for each of *users* (`name@pbem.test`), and end them."""
    directory = Path(tempfile.mkdtemp(prefix="pbem"))
    directory.chmod(0o755)  # the servers' own users must get through; short, because it becomes socket paths
    started: list[subprocess.Popen[bytes]] = []
    try:
        imap, imaps, lmtp, sasl, smtp, smtps = free_ports(6)
        servers = MailServers(directory, imap, imaps, lmtp, sasl, smtp, smtps)
        _make_certificate(directory)
        started.append(_start_dovecot(servers, users))
        started.append(_start_postfix(servers, users))
        for port in (imap, imaps, lmtp, smtp, smtps):
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


_PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"


def _start_dovecot(servers: MailServers, users: Sequence[str]) -> subprocess.Popen[bytes]:
    directory = servers.directory
    is_root = os.geteuid() == 0
    me = pwd.getpwuid(os.geteuid())
    owner = pwd.getpwnam("mail") if is_root else me
    for name in ("run", "state", "vmail"):
        (directory / name).mkdir()
    if is_root:
        os.chown(directory / "vmail", owner.pw_uid, owner.pw_gid)
    (directory / "users").write_text("".join(f"{user}:{{PLAIN}}{PASSWORD}\n" for user in users))
    binary = shutil.which("dovecot", path=_PATH) or "dovecot"
    version = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout
    values: dict[str, object] = {
        **_ports(servers),
        "uid": owner.pw_uid,
        "gid": owner.pw_gid,
        "internal_user": "dovecot" if is_root else me.pw_name,
        "internal_group": "dovecot" if is_root else grp.getgrgid(os.getegid()).gr_name,
        "login_user": "dovenull" if is_root else me.pw_name,
    }
    dialect = DOVECOT_2_3 if version.startswith("2.3") else DOVECOT_2_4
    values |= {name: text.format(**values) for name, text in dialect.items()}
    (directory / "dovecot.conf").write_text(DOVECOT.format(**values).lstrip())
    return _start(directory, "dovecot", [binary, "-F", "-c", str(directory / "dovecot.conf")])


def _start_postfix(servers: MailServers, users: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start Postfix's master itself: `postfix start` checks for seconds first, and its process is not the daemon's."""
    directory = servers.directory
    owner, group = pwd.getpwnam("postfix").pw_uid, grp.getgrnam("postdrop").gr_gid
    values = _ports(servers)
    (directory / "pf").mkdir()
    (directory / "pf" / "main.cf").write_text(MAIN_CF.format(**values).lstrip())
    (directory / "pf" / "master.cf").write_text(MASTER_CF.format(**values).lstrip())
    (directory / "mailboxes").write_text("".join(f"{user} x\n" for user in users))
    (directory / "rcpt_access").write_text(REFUSALS)
    (directory / "transport").write_text(BOUNCES.format(**values))
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
    # Postfix sleeps until its files are older than now, each daemon for itself.
    before = time.time() - 60
    maps = (directory / name for name in ("mailboxes", "rcpt_access", "transport"))
    for path in (*(directory / "pf").iterdir(), *maps):
        os.utime(path, (before, before))
    return _start(directory, "postfix", [str(POSTFIX_MASTER), "-c", str(directory / "pf"), "-s"])


def _make_queue(path: Path, owner: int, group: int, mode: int) -> None:
    path.mkdir()
    os.chown(path, owner, group)
    path.chmod(mode)


def _start(directory: Path, name: str, command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start *command* as the leader of a process group of its own, by whose number it is ended."""
    with (directory / f"{name}.out").open("wb") as output:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
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


def _ports(servers: MailServers) -> Mapping[str, object]:
    ports = {name: getattr(servers, name) for name in ("imap", "imaps", "lmtp", "sasl", "smtp", "smtps")}
    return {"dir": servers.directory, **ports}
