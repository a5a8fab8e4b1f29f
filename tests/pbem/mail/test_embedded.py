"""The embedded server: every address has a box, boxes survive a restart, and it ends when told."""

import asyncio
import builtins
import json
import os
import queue
import signal
import threading
import time
from collections.abc import Callable

import pytest

from pbem.mail.embedded import EmbeddedServer, Spool, box_of, run
from pbem.mail.errors import ServerMissing
from pbem.mail.imap import ImapMailbox
from pbem.mail.ports import Account
from pbem.mail.smtp import Sender
from tests.pbem.mail.conftest import embedded_server

MAIL = b"From: pbem@pbem.test\r\nSubject: x\r\n\r\nhello\r\n"


def subjects(port: int, user: str) -> list[bytes]:
    with ImapMailbox(Account("127.0.0.1", port, "none", user, "any")) as mailbox:
        return [head.headers.rpartition(b"Subject: ")[2].strip() for head in mailbox.heads(mailbox.new_uids(0))]


def post(port: int, *recipients: str) -> None:
    with Sender(Account("127.0.0.1", port, "none", "", "")) as sender:
        for number, recipient in enumerate(recipients):
            assert "ok" == sender.send("a@pbem.test", recipient, MAIL.replace(b"x", str(number).encode(), 1)).outcome


@pytest.mark.parametrize(
    ("address", "box"),
    [
        ("a@b.c", "a@b.c"),
        ("A+tag.x@B.c", "a@b.c"),
        ("a+b+c@d", "a@d"),
        ("nobody", "nobody"),
    ],
)
def test_the_box_of_an_address(address, box):
    assert box == box_of(address)


def test_every_address_has_an_inbox_and_any_password_opens_it(embedded):
    user = embedded.fresh()

    assert [] == subjects(embedded.imap_port, user)
    assert [] == subjects(embedded.imap_port, f"never-seen-{user}")


def test_any_smtp_login_is_accepted(embedded):
    with Sender(embedded.smtp("me", secret="whatever")) as sender:
        sender.check()


def test_boxes_survive_a_restart_in_order(tmp_path):
    with embedded_server(tmp_path) as (_process, told):
        post(told["smtp_port"], "a@b.c", "other@b.c", "A+t@b.c")
        before = subjects(told["imap_port"], "a@b.c")
    with embedded_server(tmp_path) as (_process, told):
        after = subjects(told["imap_port"], "a@b.c")
        post(told["smtp_port"], "a@b.c")

        assert [b"0", b"2", b"0"] == subjects(told["imap_port"], "a@b.c")
    assert [b"0", b"2"] == before == after
    assert 4 == len(list(tmp_path.glob("*.eml")))


def test_it_tells_where_it_listens(embedded):
    assert embedded.imap_port != embedded.smtp_port
    assert min(embedded.imap_port, embedded.smtp_port) > 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once_although_clients_are_connected(tmp_path, number):
    with embedded_server(tmp_path) as (process, told):
        mailbox = ImapMailbox(Account("127.0.0.1", told["imap_port"], "none", "a@b.c", "x"))
        sender = Sender(Account("127.0.0.1", told["smtp_port"], "none", "", ""))
        mailbox.open()
        sender.check()
        start = time.monotonic()

        os.kill(process.pid, number)

        assert 0 == process.wait(5)
        assert time.monotonic() - start < 3
        mailbox.close()
        sender.close()


def test_without_the_extra_the_error_names_it(tmp_path, monkeypatch):
    real_import = builtins.__import__

    def refuse(name, *arguments, **named):
        if name == "pbem.mail.boxes":
            raise ImportError("No module named 'pymap'")
        return real_import(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)

    with pytest.raises(ServerMissing, match=r"pbem\[demo\]"):
        run(tmp_path, announce=print)


def test_a_spool_keeps_any_name_apart_from_paths(tmp_path):
    spool = Spool(tmp_path / "new" / "folder")

    boxes = ["a@b.c", "../x@b.c", "ção%@b.c", "a b@c"]
    for box in boxes:
        spool.add(box, MAIL)

    assert boxes == [box for box, _, _ in Spool(tmp_path / "new" / "folder").load()]
    assert 4 == len(list((tmp_path / "new" / "folder").iterdir()))


def test_it_serves_inside_a_program_too(tmp_path):
    told: queue.Queue[str] = queue.Queue()
    ends: queue.Queue[Callable[[], None]] = queue.Queue()

    async def serve() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        ends.put(lambda: loop.call_soon_threadsafe(stop.set))
        await EmbeddedServer(tmp_path, refusals={"No@b.c": "550 5.1.1 no"}).serve(told.put, stop)

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    ports = json.loads(told.get(timeout=10))
    post(ports["smtp_port"], "a@b.c")
    with Sender(Account("127.0.0.1", ports["smtp_port"], "none", "u", "p")) as sender:
        refused = sender.send("x@b.c", "no@b.c", MAIL)
    found = subjects(ports["imap_port"], "a@b.c")
    ends.get()()
    thread.join(5)

    assert {"host", "smtp_port", "imap_port"} == set(ports)
    assert [b"0"] == found
    assert (550, "5.1.1 no") == (refused.code, refused.text)
    assert not thread.is_alive()


def test_nothing_is_listened_to_before_it_runs(tmp_path):
    EmbeddedServer(tmp_path, 0, 0, {})

    assert [] == list(tmp_path.iterdir())
