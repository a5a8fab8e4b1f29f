"""`python -m tests.rules [--title village]`: each rule and the tests that claim it; exit 1 while one has none."""

import argparse
import sys

from tests.rules.claims import claimants, load_claims, load_rules


def main() -> int:
    """Print each rule with its tests, and how many of all are claimed."""
    lists = load_rules()
    parser = argparse.ArgumentParser(prog="python -m tests.rules", description=__doc__)
    parser.add_argument("--title", choices=tuple(lists), help="this title alone")
    title = parser.parse_args().title
    claims = load_claims()
    complete = True
    for name in (title,) if title else tuple(lists):
        found = claimants(lists[name], claims)
        for rule, tests in found.items():
            print(rule, *(tests or ("claimed by no test",)), sep="\n    ")
        claimed = sum(bool(tests) for tests in found.values())
        print(f"{name}: {claimed} of {len(found)}")
        complete = complete and claimed == len(found)
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
