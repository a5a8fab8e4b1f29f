"""
How fast it is, as ratios within this run: `python -m tests.bench [rules …] [--json FILE]`.

Prints a table; each figure is the median of five rounds in which ours and the peer's are measured in turn. Quiet
machines give narrow spreads.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from tests.bench import peers, rules
from tests.bench.measure import Row

PARTS: Mapping[str, Callable[[], Iterator[Row]]] = {
    "rules": lambda: rules.rows(peers.python_chess()),
}


def main(words: list[str]) -> int:
    """Measure what is asked for, and return 0: a figure is no verdict."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=list(PARTS))
    parser.add_argument("--json", type=Path, help="Write the figures there, too.")
    given = parser.parse_args(words)
    found: list[Row] = []
    print(f"{'what':52}{'ours':>12}{'peer':>12} {'unit':9}{'ratio':>7}  {'spread':13}{'bar':>6}")
    for part in given.parts:
        for row in PARTS[part]():
            found.append(row)
            print(_line(row), flush=True)
    if given.json:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode({"format": 1, "rows": found})))
    return 0


def _line(row: Row) -> str:
    peer = "" if row.peer is None else _figure(row.peer)
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    spread = "" if row.least is None else f"{row.least:.2f}-{row.most:.2f}"
    bar = "" if row.bar is None else f"{row.bar:g}"
    verdict = {None: "", True: "reached", False: "short"}[row.reached]
    return (
        f"{row.name:52}{_figure(row.ours):>12}{peer:>12} {row.unit:9}{ratio:>7}  {spread:13}{bar:>6} {verdict}".rstrip()
    )


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
