import ast
import re
import subprocess
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
FOLDERS = {"pbem", "engine", "templates", "tests", "deploy", "cron"}
FILES = {"pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
OPENER = ROOT / "engine" / "registry.py"

# Put together here, so that this file does not hold them.
FOREIGN = {
    "a path of somebody's machine": r"/" + r"(?:work|root|Users|home/\w+)/",
    "a host of packages": r"(?i)py" + r"pi\.|pythonhosted" + r"\.|registry\.npm|deb\.debian" + r"\.|proxy\.golang",
    "the word for a tracker's entry": r"(?i)(?<!/)\bis" + r"sues?\b",  # but in the address of a public source
}
# What the engine must not touch: files, time, chance, processes, the network.
OUTSIDE = set(
    re.findall(
        r"\w+",
        "asyncio builtins datetime email glob io locale os pathlib pbem random secrets shutil socket sqlite3 subprocess"
        " sys tempfile threading time urllib uuid zoneinfo",
    )
)
CALLS = {"open", "eval", "exec", "compile", "__import__", "hash", "id", "print", "input"}
UNSTEADY = {"set", "frozenset", "float", "list", "dict", "Any"}


@cache
def kept_files() -> tuple[Path, ...]:
    """The files under version control, and new ones that are not ignored; without a repository all that is there."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        return tuple(file for file in ROOT.rglob("*") if file.is_file() and ".venv" not in file.parts)
    return tuple(file for name in listed.stdout.split("\0") if name and (file := ROOT / name).is_file())


def text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def shown(file: Path) -> str:
    return str(file.relative_to(ROOT))


def blocks(file: Path) -> list[str]:
    return re.findall(r"^ *```sh\n(.*?)^ *```$", file.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def test_top_level_is_fixed():
    names = {shown(file).split("/")[0] for file in kept_files()}

    assert set() == {name for name in names if not name.startswith(".")} - FOLDERS - FILES


@pytest.mark.parametrize("what", FOREIGN)
def test_nothing_foreign_is_named(what):
    found = [
        f"{shown(file)}: {match[0]}" for file in kept_files() for match in re.finditer(FOREIGN[what], text_of(file))
    ]

    assert [] == found


@pytest.mark.parametrize("name", ["requirements.lock", "dev.lock"])
def test_lock_names_no_address_and_hashes_every_file(name):
    text = (ROOT / "deploy" / name).read_text()
    pinned = re.findall(r"^[a-z0-9._-]+==\S+.*?(?=^\S|\Z)", text, re.DOTALL | re.MULTILINE)

    assert "://" not in text
    assert pinned
    assert [] == [entry for entry in pinned if "--hash=sha256:" not in entry]


def versions(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", (ROOT / "deploy" / name).read_text(), re.MULTILINE))


def test_locks_hold_what_the_project_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].values()
    run = [*project["project"]["dependencies"], *(one for extra in extras for one in extra)]
    requirements, dev = versions("requirements.lock"), versions("dev.lock")

    for lock, wanted in ((requirements, run), (dev, run + project["dependency-groups"]["dev"])):
        for one in map(Requirement, wanted):
            assert one.specifier.contains(lock.get(one.name, "0")), f"{one} but {lock.get(one.name)}"
    assert requirements.items() <= dev.items()


def test_each_lint_rule_left_out_has_its_reason():
    section = (ROOT / "pyproject.toml").read_text().split("[tool.ruff.lint]")[1].split("[tool.mypy]")[0]
    rules = [line.strip() for line in section.splitlines() if re.match(r'\s+"[A-Z]+[0-9]*",', line)]

    assert rules
    assert [] == [rule for rule in rules if not re.search(r"# \S", rule)]


def test_second_block_of_the_readme_is_one_command():
    first, second = blocks(ROOT / "README.md")[:2]
    lines = [line.strip() for line in second.strip().splitlines()]

    assert first.strip().endswith("pbem demo")
    assert [line for line in lines[:-1] if not line.endswith("&&")] == []
    assert lines[-1].endswith("-m tests")


@pytest.mark.parametrize("file", ENGINE, ids=shown)
def test_engine_reaches_for_nothing_outside(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    allowed = {"importlib"} if file == OPENER else set()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            found.append(f"{node.func.id}()")

    roots = {name.split(".")[0] for name in found}
    assert set() == roots & (OUTSIDE | {"importlib"} | {f"{name}()" for name in CALLS}) - allowed


@pytest.mark.parametrize("file", sorted((ROOT / "engine").glob("*/state.py")), ids=shown)
def test_state_is_made_of_steady_values(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    fields = [
        (node.name, field.annotation)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for field in node.body
        if isinstance(field, ast.AnnAssign)
    ]

    assert fields
    for owner, annotation in fields:
        names = {name.id for name in ast.walk(annotation) if isinstance(name, ast.Name)}
        assert set() == names & UNSTEADY, owner


def commands() -> set[str]:
    """The commands that the pages show, with the noun's verb where there is one: "game new", "tick"."""
    pages = "\n".join(text_of(ROOT / page) for page in ("README.md", "deploy/README.md", "CONTRIBUTING.md"))
    return {
        re.sub(r" [^a-z].*| [a-z]+[.:/].*", "", f"{noun} {verb}".strip())
        for noun, verb in re.findall(r"(?:^|[`/ ])pbem ([a-z]+)(?: ([a-z]+))?(?=[ `\n])", pages, re.MULTILINE)
        if noun in {"game", "gm", "mail"} or any(f"{before}pbem {noun}" in pages for before in ("`", "\n", "bin/"))
    }


@pytest.mark.skipif(not (ROOT / "pbem/cli/app.py").is_file(), reason="there is no command line yet")
def test_each_command_that_the_pages_show_is_there():
    root = import_module("typer.main").get_command(import_module("pbem.cli.app").app)
    unknown = []
    for shown_command in commands():
        noun, _, verb = shown_command.partition(" ")
        command = root.commands.get(noun)
        if command is None or (hasattr(command, "commands") and verb and verb not in command.commands):
            unknown.append(shown_command)

    assert [] == unknown
