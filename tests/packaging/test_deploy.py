"""What a server runs: the wrapper for cron, the units."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.test_layout import ROOT

WRAPPER = ROOT / "cron" / "pbem-tick"


@pytest.fixture
def program(tmp_path):
    """A program of our own in place of pbem; it does what the file `answer` says."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "python").symlink_to(sys.executable)
    program = folder / "pbem"
    program.write_text('#!/bin/sh\necho "$@ in $(pwd)"\n. ./answer\n')
    program.chmod(0o755)
    return program


def tick(program, folder, answer, *arguments, seconds="20"):
    (folder / "answer").write_text(answer)
    environ = {"PBEM_PROGRAM": str(program), "PBEM_FOLDER": str(folder), "PBEM_SECONDS": seconds, "PATH": os.defpath}
    return subprocess.run([WRAPPER, *arguments], env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("code", [0, 75])
def test_wrapper_is_silent_when_nobody_must_act(program, tmp_path, code):
    done = tick(program, tmp_path, f"exit {code}")

    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(("answer", "code"), [("exit 1", 1), ("exit 2", 2), ("exit 70", 70), ("kill -KILL $$", 137)])
def test_wrapper_tells_what_went_wrong(program, tmp_path, answer, code):
    done = tick(program, tmp_path, f"echo trouble >&2; {answer}", "--config", "x.toml")

    assert code == done.returncode
    assert done.stdout.splitlines() == [
        f"pbem-tick: exit code {code}",
        f"tick --config x.toml in {tmp_path}",
        "trouble",
    ]


def test_wrapper_ends_what_takes_too_long(program, tmp_path):
    done = tick(program, tmp_path, "exec sleep 60", seconds="0.5")

    assert (124, "pbem-tick: ended after 0.5 seconds") == (done.returncode, done.stdout.splitlines()[0])


def test_wrapper_names_a_missing_program(program, tmp_path):
    done = tick(tmp_path / "missing", tmp_path, "")

    assert (2, f"pbem-tick: {tmp_path}/missing is not there\n") == (done.returncode, done.stderr)


def test_the_crontab_speaks_only_when_the_check_finds_something(tmp_path):
    line = (ROOT / "cron" / "crontab").read_text().splitlines()[-1]
    command = line.split(maxsplit=5)[5].replace("/var/lib/pbem", str(tmp_path))
    program = tmp_path / "pbem"
    program.write_text('#!/bin/sh\necho "$@"\nexit $CODE\n')
    program.chmod(0o755)

    said = [
        subprocess.run(
            ["/bin/sh", "-c", command.replace("/opt/pbem/.venv/bin/pbem", str(program))],
            env={"CODE": code, "PATH": os.defpath},
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for code in ("0", "1", "70")
    ]

    assert said == ["", "status --check\n", "status --check\n"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
@pytest.mark.parametrize("unit", ["pbem-tick", "pbem-check"])
def test_units_are_sound(tmp_path, unit):
    for name in (f"{unit}.service", f"{unit}.timer"):
        text = (ROOT / "deploy" / name).read_text()
        (tmp_path / name).write_text(text.replace("/opt/pbem/.venv/bin/pbem", "/bin/true"))

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / f"{unit}.timer", tmp_path / f"{unit}.service"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
def test_the_service_is_shut_in():
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", ROOT / "deploy" / "pbem-tick.service"],
        capture_output=True,
        text=True,
        check=False,
    )

    exposure = re.search(r"exposure level for pbem-tick.service: ([\d.]+)", done.stdout)
    assert exposure, done.stderr
    assert float(exposure[1]) < 2


def test_the_container_runs_as_nobody_who_has_rights():
    lines = (ROOT / "deploy" / "Containerfile").read_text().splitlines()

    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    after = lines[lines.index(f"USER {users[-1]}") :]
    assert all(re.fullmatch(r"[1-9]\d*:[1-9]\d*", user) for user in users)
    assert not [line for line in after if line.startswith(("RUN ", "COPY "))]
    assert any("--read-only" in line and "--cap-drop=all" in line for line in lines)
