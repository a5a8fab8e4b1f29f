"""The journal: what was done, in keys and numbers, and nothing that a person wrote."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.run import DemoOffer, run_demo
from pbem.desk import counter
from pbem.journal import STANDARD_ERROR, note, tell, written_to
from pbem.mail.ports import Delivery
from pbem.settings import Log, load_settings
from pbem.store import outbox
from tests.pbem.table import OUR, Table, text_of
from tests.pbem.witness import Ran, command, pbem_run, seated, stake

SetTable = Callable[..., Table]
TAG = re.compile(r"\bg\d+\.s\d+\.d\d+\.\w+")


def lines(file: Path) -> list[dict[str, Any]]:
    """Return the events of *file*."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def events(file: Path, event: str) -> list[dict[str, Any]]:
    """Return the facts of each *event*, without when it was and how long it took."""
    found = [one for one in lines(file) if one.pop("event") == event]
    return [{name: value for name, value in one.items() if name not in ("at", "ms")} for one in found]


def play_on(table: Table) -> None:
    """Let a game be played to its end by mail, with messages, mistakes, a stranger and a bounce of time."""
    table.says("Ana", "press: Bom dia, Bob! Vamos jogar?")
    table.says("Bob", "stake 77: bid 1")
    table.post(table.letter("zoe@strangers.test", "May I join? My telephone is 555-0199."))
    table.tick()
    while table.live().running:
        for name in ("Ana", "Bob"):
            table.says(name, stake(table, name))
    table.tick(after=timedelta(days=1))


def test_what_is_done_is_told_in_keys_and_numbers(set_table: SetTable, tmp_path: Path) -> None:
    table = set_table("Ana pt", "Bob en")
    with written_to(tmp_path / "log"):
        table.tick()
        table.says("Ana", stake(table, "Ana"))
        table.says("Bob", stake(table, "Bob"))
        command(table, "gm", "pause", "1")

    first, second = events(tmp_path / "log", "letter.judged")
    assert first == {"letter": 1, "game": 1, "seat": 0, "status": "done", "reason": "kept"}
    assert second == {"letter": 2, "game": 1, "seat": 1, "status": "done", "reason": "accepted"}
    mails = events(tmp_path / "log", "mail.sent")
    assert mails[0] == {"mail": 1, "game": 1, "seat": 0, "kind": "report", "code": 250, "tries": 1}
    assert len(mails) == len(table.posted())
    (moved,) = events(tmp_path / "log", "game.advanced")
    assert moved["length"] == moved["entries"] + 5 == len(table.log())
    assert all(one["ms"] >= 0 and re.fullmatch(r"[-\d]+T[\d:.]+Z", one["at"]) for one in lines(tmp_path / "log"))


def test_nothing_that_a_person_wrote_stands_in_the_journal_of_a_whole_game(set_table: SetTable, tmp_path: Path) -> None:
    table = seated(set_table)
    with written_to(tmp_path / "log"):
        play_on(table)

    text = (tmp_path / "log").read_text(encoding="utf-8")
    words = {word for mail in table.posted() for word in re.findall(r"\w{7,}", mail.raw.decode())}
    assert table.live().game.status == "over"
    assert len(lines(tmp_path / "log")) > len(table.posted())
    assert not TAG.search(text)
    assert "@" not in text
    assert {"Ana", "Bob", "zoe", "stake", "bid", "555", OUR, *words} & set(re.findall(r"\w+", text)) <= {
        "accepted",
        "advanced",
        "confirmation",
        "notice",
        "refusal",
        "refused",
        "running",
        "unknown",
        "acknowledgement",
        "entries",
        "letter",
        "reminder",
        "report",
    }


@pytest.mark.slow
def test_nothing_of_a_demo_but_keys_and_numbers_is_told(tmp_path: Path) -> None:
    with written_to(tmp_path / "log"):
        done = run_demo(DemoOffer("tiny_towns", 1, 3, tmp_path / "demo"), lambda _: None)

    text = (tmp_path / "log").read_text(encoding="utf-8")
    values = {
        value
        for one in lines(tmp_path / "log")
        for name, value in one.items()
        if isinstance(value, str) and name != "at"
    }
    orders = {
        line.split(" ", 2)[2] for line in (tmp_path / "demo/game.pbem").read_text().partition("\n\n")[2].splitlines()
    }
    assert len(events(tmp_path / "log", "mail.sent")) == done["mails_out"]
    assert not TAG.search(text)
    assert "@" not in text
    assert all(re.fullmatch(r"[a-z][a-z.-]*", value) for value in values)
    assert not {one for one in orders if " " in one} & values
    assert len(orders) > 5


def test_what_was_undone_is_not_told(set_table: SetTable, tmp_path: Path) -> None:
    table = seated(set_table)
    with written_to(tmp_path / "log"):
        command(table, "gm", "pause", "1", "--dry-run")
        with table.service.store.rehearse() as session:
            note(session, "act", game=1, what="pause")
        with suppress(ZeroDivisionError), table.service.store.write() as session:
            note(session, "act", game=1 // 0, what="pause")

    assert lines(tmp_path / "log") == []


def crash(*_: object) -> None:
    """Stand for a fault of ours."""
    raise RuntimeError("stake 3 of ana@players.test")


def test_a_letter_that_crashes_the_judge_is_told_without_its_words(
    set_table: SetTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated(set_table)
    table.may_fail = True
    monkeypatch.setattr(counter, "COMMANDS", {**counter.COMMANDS, "status": crash})
    with written_to(tmp_path / "log"):
        table.says("Bob", "status")

    assert [one["tries"] for one in events(tmp_path / "log", "letter.crashed")] == [1, 2, 3]
    assert [one["reason"] for one in events(tmp_path / "log", "letter.judged")] == ["crashed"]
    assert "stake" not in (tmp_path / "log").read_text()


def test_a_mail_that_is_refused_is_told_without_what_the_server_said(set_table: SetTable, tmp_path: Path) -> None:
    table = seated(set_table)
    table.server.answers["bob@players.test"] = [Delivery("unreachable", 550, "No such user bob@players.test here")]
    with written_to(tmp_path / "log"):
        table.says("Bob", "status")

    (failed,) = events(tmp_path / "log", "mail.failed")
    assert (failed["code"], failed["seat"]) == (550, 1)
    assert "No such user" not in (tmp_path / "log").read_text()


def test_a_text_that_is_no_key_is_left_out(tmp_path: Path) -> None:
    with written_to(tmp_path / "log"):
        tell("odd", who="Ana <ana@players.test>", tag="g1.s0.d6.d0578xngaa: x", key="order.taken", none=None, yes=True)

    assert events(tmp_path / "log", "odd") == [
        {"who": "…", "tag": "…", "key": "order.taken", "none": None, "yes": True}
    ]


def test_the_settings_say_where_the_journal_goes(set_table: SetTable, tmp_path: Path) -> None:
    table = seated(set_table)
    file = table.folder / "pbem.toml"
    text = file.read_text()

    def paused(log: str) -> Ran:
        file.write_text(f"{text}\n{log}\n")
        return command(table, "gm", "message", "1", "Good morning")

    silent = paused("")
    beside = paused('[log]\nfile = "pbem.log"')
    shown = paused('[log]\nfile = "-"')
    wrong = paused('[log]\nfile = "nowhere/pbem.log"')

    assert load_settings(table.folder / "pbem.toml", {"PBEM_LOG__FILE": "-"}).log == Log(STANDARD_ERROR)
    assert (silent.code, silent.err) == (0, "")
    assert (beside.code, beside.err) == (0, "")
    assert events(table.folder / "pbem.log", "act") == [{"game": 1, "what": "message"}]
    assert [json.loads(line)["what"] for line in shown.err.splitlines()] == ["message"]
    assert wrong.code == 1
    assert "cannot be written" in wrong.err


def test_a_pass_tells_what_it_did_and_how_long_each_part_took(set_table: SetTable) -> None:
    table = seated(set_table)
    file = table.folder / "pbem.toml"
    text = file.read_text().replace("[imap]", "[imap]\nport = 1").replace("[smtp]", "[smtp]\nport = 1")
    file.write_text(f'{text}\n[log]\nfile = "pbem.log"\n')

    ran = pbem_run("--config", str(file), "tick")

    assert ran.code == 75
    (done,) = events(table.folder / "pbem.log", "tick.done")
    assert done["troubles"] == 2
    assert all(done[f"{part}_ms"] >= 0 for part in ("fetch", "judge", "time", "send"))


def test_a_full_disk_stops_no_game(set_table: SetTable) -> None:
    table = seated(set_table)
    with written_to(Path("/dev/full")):
        table.says("Ana", "status")

    assert "g1" in text_of(table.last("Ana"))
    with table.service.store.read() as session:
        assert outbox.count_ready(session) == 0
