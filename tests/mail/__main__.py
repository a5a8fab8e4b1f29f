"""The score: how many letters of each client are read as they should be, and what is wrong with the others."""

import sys

from tests.mail.corpus import client_letters, clients, faults

TWO = 2
"""Difficulties from which a letter counts as hard."""


def main() -> int:
    """Print the table and the faults; return the exit code."""
    wrong: dict[str, list[str]] = {}
    print(f"{'client':32s} letters  right  hard  of them right")
    totals = [0, 0, 0, 0]
    for folder, client in clients().items():
        names = [f"{folder}/{name}" for name in client.letters]
        bad = {name: found for name in names if (found := faults(name))}
        wrong |= bad
        hard = [name for name in names if len(client_letters()[name].difficulties) >= TWO]
        row = [len(names), len(names) - len(bad), len(hard), sum(name not in bad for name in hard)]
        totals = [before + here for before, here in zip(totals, row, strict=True)]
        print(f"{client.name:32s} {row[0]:7d} {row[1]:6d} {row[2]:5d} {row[3]:14d}")
    print(f"{'all':32s} {totals[0]:7d} {totals[1]:6d} {totals[2]:5d} {totals[3]:14d}")
    for name, found in wrong.items():
        print(f"\n{name}")
        for one in found:
            print(f"  {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
