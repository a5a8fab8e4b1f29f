"""The proof of the rule tests, on a title of three lines: what is noticed, what survives, what is drawn anew."""

from pathlib import Path

import pytest

from tests.rules.mutate import find_sites, open_workshop, prove

RULES = "- X-001 A barn takes five at most. [ours]\n- X-002 A barn may be empty. [ours]\n"

CODE = """
LIMIT = 5


def fill(barn: int, more: int) -> int:
    return min(barn + more, LIMIT)


def is_empty(barn: int) -> bool:
    return barn == 0


def is_forgotten(barn: int) -> bool:
    return barn == 9
"""

TESTS = """
import pytest

from engine.barn.phases import fill, is_empty

@pytest.mark.rule("X-001")
def test_barn_takes_five():
    assert 5 == fill(4, 4)

@pytest.mark.rule("X-002")
def test_barn_may_be_empty():
    assert is_empty(0)
    assert not is_empty(1)
"""


def make_project(root: Path, tests: str = TESTS) -> Path:
    """Return *root* with a title called barn in it."""
    for folder in ("engine/barn", "tests"):
        (root / folder).mkdir(parents=True)
    (root / "engine/barn/RULES.md").write_text(RULES)
    (root / "engine/barn/phases.py").write_text(CODE)
    (root / "tests/test_barn.py").write_text(tests)
    return root


def test_a_rule_that_is_broken_turns_its_own_test_red(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make_project(tmp_path / "project")
    noticeable = find_sites(project, "barn")[:5]
    workshop = open_workshop(project, tmp_path / "copy", "barn")

    noticed = prove(workshop, iter(noticeable), 5)

    assert 5 == noticed
    told = capsys.readouterr().out
    assert "engine/barn/phases.py:2  constant: 5 becomes 6\n" in told
    assert "red: tests/test_barn.py::test_barn_takes_five  X-001" in told
    assert "red: tests/test_barn.py::test_barn_may_be_empty  X-002" in told
    assert told.endswith("5 of 5\n")


def test_a_survivor_is_told_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make_project(tmp_path / "project")
    forgotten = [site for site in find_sites(project, "barn") if "9" in site.mutation.shown]
    workshop = open_workshop(project, tmp_path / "copy", "barn")

    noticed = prove(workshop, iter(forgotten), len(forgotten))

    assert 0 == noticed
    assert "SURVIVED" in capsys.readouterr().out


def test_the_code_is_whole_again_afterwards(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    workshop = open_workshop(project, tmp_path / "copy", "barn")

    prove(workshop, iter(find_sites(project, "barn")), 2)

    assert CODE == (tmp_path / "copy/engine/barn/phases.py").read_text()
    assert CODE == (project / "engine/barn/phases.py").read_text()


def test_tests_that_are_red_before_anything_is_changed_prove_nothing(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", TESTS.replace("assert 5", "assert 4"))

    with pytest.raises(SystemExit, match="not green as they stand"):
        open_workshop(project, tmp_path / "copy", "barn")
