"""
`python -m tests.rules.mutate --title village --count 30 --seed 1`: would the rule tests notice a broken rule?

Draws that many small wrong changes from all that can be made in the rule code of a title, makes one at a time in a
copy, and runs the tests that claim a rule. Prints, for each, the test that turned red and its rules. A change that no
such test notices is printed as a survivor; exit 1 if there is one. A change after which the title cannot be
imported proves nothing about a test and is drawn anew.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from coverage import CoverageData
from msgspec import Struct

from tests.rules.claims import ROOT, Claim, load_claims, load_rules
from tests.rules.mutations import Mutation, mutations

RULE_CODE = ("rules/*.py", "phases.py", "scoring.py", "setup.py")
"""The files of a title that hold rules."""

_PYTEST = ("-m", "pytest", "-q", "-x", "--tb=no", "-W", "ignore", "-o", "addopts=", "-p", "no:cacheprovider")
_RED = re.compile(r"^(?:FAILED|ERROR) ([^\s\[]+::[^\s\[]+)", re.MULTILINE)
_UNREADABLE = re.compile(r"^ERROR ", re.MULTILINE)
_BROKEN = "broken"
_FEW = 12
"""So many tests are tried first: most wrong changes are noticed by the first few."""


class Site(Struct, frozen=True):
    """A change and the file to make it in."""

    path: str
    mutation: Mutation

    @property
    def place(self) -> str:
        """Return file and line."""
        return f"{self.path}:{self.mutation.place[0]}"


class Workshop(Struct, frozen=True):
    """
    A copy of the project that may be spoiled.

    `claims`  the claims of the title's tests, by test
    `runs`    path -> line -> the tests that run it
    """

    root: Path
    claims: Mapping[str, Claim]
    runs: Mapping[str, Mapping[int, frozenset[str]]]

    def red_test(self, site: Site) -> str:
        """
        Return the claiming test that turns red with the change of *site*; "": none; `_BROKEN`: no test can be read.

        Tests that do not run the line come last: they may use what was made once, when the title was imported.
        """
        path = self.root / site.path
        source = path.read_text()
        path.write_text(site.mutation.apply(source))
        try:
            close = self._tests_of(site)
            others = tuple(test for test in self.claims if test not in close)
            rounds = (close[:_FEW], close[_FEW:], others)
            return next((red for tests in rounds if (red := _first_red(self.root, tests))), "")
        finally:
            path.write_text(source)

    def _tests_of(self, site: Site) -> tuple[str, ...]:
        """Return the claiming tests that run the line, those first that run the fewest lines of that file."""
        first, last = site.mutation.lines
        lines = self.runs.get(site.path, {})
        found = {test for line in range(first, last + 1) for test in lines.get(line, ())}
        width = Counter(test for tests in lines.values() for test in tests)
        return tuple(sorted(found & set(self.claims), key=lambda test: (width[test], test)))


def find_sites(root: Path, title: str) -> tuple[Site, ...]:
    """Return every change that can be made in the rule code of *title* below *root*, in a fixed order."""
    folder = root / "engine" / title
    paths = sorted(path for pattern in RULE_CODE for path in folder.glob(pattern) if path.name != "__init__.py")
    return tuple(
        Site(path.relative_to(root).as_posix(), mutation) for path in paths for mutation in mutations(path.read_text())
    )


def open_workshop(source: Path, target: Path, title: str) -> Workshop:
    """
    Return a copy of the project *source* in *target*, with a trace of which test runs which line.

    Raises: SystemExit if the claiming tests are not green before anything is changed.
    """
    leave = shutil.ignore_patterns("__pycache__", ".*", "*.pyc")
    for folder in ("engine", "tests"):
        shutil.copytree(source / folder, target / folder, ignore=leave)
    rules = set(load_rules(target)[title])
    claims = {claim.test: claim for claim in load_claims(target) if rules & set(claim.rules)}
    data = target / "trace"
    options = ("-p", "pytest_cov", f"--cov=engine.{title}", "--cov-context=test", "--cov-report=")
    done = _run(target, *_PYTEST, *options, *claims, environment={"COVERAGE_FILE": str(data)})
    if done.returncode or not data.exists():
        raise SystemExit(f"the tests that claim a rule are not green as they stand\n{done.stdout}{done.stderr}")
    return Workshop(target, claims, _read_trace(data, target))


def prove(workshop: Workshop, sites: Iterator[Site], count: int) -> int:
    """Print the outcome of the first *count* of *sites* that can be imported; return how many were noticed."""
    noticed = tried = 0
    for site in sites:
        if tried == count:
            break
        what = f"{site.place}  {site.mutation.kind}: {site.mutation.shown}"
        red = workshop.red_test(site)
        if red == _BROKEN:
            print(f"      {what}\n      cannot be imported, drawn anew")
            continue
        tried += 1
        noticed += bool(red)
        print(f"{tried:>3}.  {what}")
        print(f"      red: {red}  {' '.join(workshop.claims[red].rules)}" if red else "      SURVIVED")
    print(f"{noticed} of {count}")
    return noticed


def main() -> int:
    """Draw the changes, try them one by one, print what happened; 0 if every one was noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.mutate", description="Break rules, one at a time.")
    parser.add_argument("--title", choices=tuple(load_rules()), required=True)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1, help="which changes are drawn")
    parser.add_argument("--all", action="store_true", help="try every change there is, in the order of the files")
    options = parser.parse_args()
    sites = list(find_sites(ROOT, options.title))
    count = len(sites) if options.all else min(options.count, len(sites))
    if not options.all:
        random.Random(options.seed).shuffle(sites)
    print(f"{count} of {len(sites)} changes, drawn with seed {options.seed}")
    with tempfile.TemporaryDirectory() as folder:
        workshop = open_workshop(ROOT, Path(folder), options.title)
        return 0 if prove(workshop, iter(sites), count) == count else 1


def _first_red(root: Path, tests: tuple[str, ...]) -> str:
    if not tests:
        return ""
    done = _run(root, *_PYTEST, "-p", "alarm", *tests)
    if done.returncode == 0:
        return ""
    if found := _RED.search(done.stdout):
        return found[1]
    if _UNREADABLE.search(done.stdout):
        return _BROKEN
    raise SystemExit(f"the tests could not be run\n{done.stdout}{done.stderr}")


def _read_trace(data: Path, root: Path) -> dict[str, dict[int, frozenset[str]]]:
    trace = CoverageData(str(data))
    trace.read()
    return {
        Path(name).resolve().relative_to(root.resolve()).as_posix(): {
            line: frozenset(context.split("|")[0].split("[")[0] for context in contexts if context)
            for line, contexts in trace.contexts_by_lineno(name).items()
        }
        for name in trace.measured_files()
    }


def _run(root: Path, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Return the outcome of Python with *words* in *root*; nothing compiled is kept, as files change fast."""
    return subprocess.run(
        (sys.executable, "-B", *words),
        cwd=root,
        env={
            "PYTHONPATH": f"{root}{os.pathsep}{Path(__file__).parent}",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **(environment or {}),
        },
        capture_output=True,
        text=True,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main())
