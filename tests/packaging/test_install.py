"""What a wheel, a source archive and a checkout give, with nothing but Python, pip, venv and git on PATH."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.test_layout import ROOT, blocks, kept_files

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("packaging")]
DEMO = ("demo", "--seats", "2", "--seed", "7", "--json")
SECONDS = 300


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of what is under version control, as a clone would be."""
    folder = tmp_path_factory.mktemp("tree") / "pbem"
    for file in kept_files():
        target = folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target)
    return folder


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A PATH on which there is nothing but python3 and git."""
    folder = tmp_path_factory.mktemp("path")
    (folder / "python3").symlink_to(Path(sys.executable).resolve())
    if git := shutil.which("git"):
        (folder / "git").symlink_to(git)
    return folder


@pytest.fixture
def bare(tmp_path, path):
    """An environment with an empty HOME and the bare PATH; what leads pip to its packages stays."""
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if re.match(r"(?i)pip_|https?_proxy|no_proxy|ssl_", name)}
    return kept | {"HOME": str(home), "PATH": str(path), "LC_ALL": "C.UTF-8", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


@pytest.fixture(scope="module")
def wheel(tree, tmp_path_factory):
    return build(tree, tmp_path_factory.mktemp("wheel"), "--wheel")


def build(tree: Path, folder: Path, *what: str) -> Path:
    run([sys.executable, "-m", "build", "--no-isolation", *what, "--outdir", str(folder), str(tree)], cwd=folder)
    return next(folder.glob("*.whl"))


def run(command: list[str], **more) -> str:
    more |= {"capture_output": True, "text": True, "timeout": SECONDS, "stdin": subprocess.DEVNULL}
    done = subprocess.run(command, check=False, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def check_demo(output: str) -> None:
    result = json.loads(output)

    assert result["verified"] is True
    assert result["seats"] == 2
    assert result["mails_in"]
    assert result["mails_out"]


def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_wheel_holds_templates_tables_and_migrations(wheel):
    kept = {str(file.relative_to(ROOT)) for file in kept_files()}
    templates = {f"pbem/{name}" for name in kept if name.startswith("templates/")}
    packages = {name for name in kept if name.startswith(("engine/", "pbem/"))}

    assert set() == (templates | packages) - names(wheel)
    assert set() == {name for name in names(wheel) if ".dist-info/" not in name} - templates - packages
    assert [name for name in packages if re.fullmatch(r"engine/\w+/tables/\w+\.toml", name)]


def test_wheel_of_the_source_archive_is_the_same(tree, wheel, tmp_path):
    assert names(wheel) == names(build(tree, tmp_path))


def test_wheel_plays_the_demo(wheel, tmp_path, bare):
    limits = tmp_path / "limits.txt"
    pins = re.findall(r"^[a-z0-9._-]+==[^\\\n]+", (ROOT / "deploy/requirements.lock").read_text(), re.MULTILINE)
    limits.write_text("\n".join(pins))
    run(["/bin/sh", "-c", "python3 -m venv venv"], cwd=tmp_path, env=bare)
    python = str(tmp_path / "venv/bin/python")

    run([python, "-m", "pip", "install", "-q", "-c", str(limits), f"{wheel}[demo]"], cwd=tmp_path, env=bare)
    output = run([str(tmp_path / "venv/bin/pbem"), *DEMO], cwd=tmp_path, env=bare)

    check_demo(output)


def test_checkout_plays_the_demo(tmp_path):
    check_demo(run([sys.executable, "-m", "pbem", *DEMO], cwd=tmp_path))


def test_first_block_of_the_readme_needs_nothing_else(tree, tmp_path, bare):
    shutil.copytree(tree, tmp_path / "tree")
    block = blocks(ROOT / "README.md")[0].strip()

    output = run(["/bin/sh", "-euc", f"{block} {' '.join(DEMO[1:])}"], cwd=tmp_path / "tree", env=bare)

    check_demo(output)
