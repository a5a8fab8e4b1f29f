"""
Which test claims which rule.

Rules are the numbered items of each title's `RULES.md`; claims are `@pytest.mark.rule("V-001", ...)` above a test.
Both are read as text: no test is run or imported.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).parents[2]
MOST = 5
"""A test that claims more rules than this says why, in `because="..."`."""

_ITEM = re.compile(r"^- ([A-Z]+-\d{3}) (.+)$")


class ClaimError(ValueError):
    """A claim, or a list of rules, that cannot be read; the text names the place."""


class Claim(Struct, frozen=True):
    """
    One test and the rules that it proves.

    `test`     as pytest names it: path, two colons, name
    `because`  why it claims more than `MOST`
    """

    test: str
    rules: tuple[str, ...]
    because: str = ""


def read_rules(text: str) -> tuple[str, ...]:
    """
    Return the numbers of the rules in *text*, the content of a `RULES.md`, in their order.

    Raises: ClaimError if a number stands twice.
    """
    numbers = [match[1] for line in text.splitlines() if (match := _ITEM.match(line))]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    if twice:
        raise ClaimError(f"twice in the list: {', '.join(twice)}")
    return tuple(numbers)


def load_rules(root: Path = ROOT) -> dict[str, tuple[str, ...]]:
    """Return the numbers of the rules of each title that has a list, by the name of the title's folder."""
    return {path.parent.name: read_rules(path.read_text()) for path in sorted(root.glob("engine/*/RULES.md"))}


def read_claims(text: str, path: str) -> tuple[Claim, ...]:
    """
    Return the claims of the tests in *text*, the source of the file *path*.

    Raises: ClaimError if a claim is not written in plain text.
    """
    return tuple(_claims(ast.parse(text).body, path))


def load_claims(root: Path = ROOT) -> tuple[Claim, ...]:
    """Return the claims of all tests below *root*, in the order of path and line."""
    return tuple(
        claim
        for path in sorted(root.glob("tests/**/test_*.py"))
        for claim in read_claims(path.read_text(), path.relative_to(root).as_posix())
    )


def claimants(rules: tuple[str, ...], claims: tuple[Claim, ...]) -> Mapping[str, tuple[str, ...]]:
    """Return, for each of *rules*, the tests that claim it."""
    found: dict[str, list[str]] = {rule: [] for rule in rules}
    for claim in claims:
        for rule in claim.rules:
            if rule in found:
                found[rule].append(claim.test)
    return {rule: tuple(tests) for rule, tests in found.items()}


def unknown(lists: Mapping[str, tuple[str, ...]], claims: tuple[Claim, ...]) -> tuple[str, ...]:
    """Return each claim of a rule that stands in no list, as `test: rule`."""
    known = {rule for rules in lists.values() for rule in rules}
    return tuple(f"{claim.test}: {rule}" for claim in claims for rule in claim.rules if rule not in known)


def too_broad(claims: tuple[Claim, ...]) -> tuple[str, ...]:
    """Return the tests that claim more rules than `MOST` and do not say why."""
    return tuple(claim.test for claim in claims if len(claim.rules) > MOST and not claim.because)


def _claims(body: list[ast.stmt], prefix: str) -> Iterator[Claim]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _claims(node.body, f"{prefix}::{node.name}")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            marks = [mark for mark in node.decorator_list if isinstance(mark, ast.Call) and _is_claim(mark.func)]
            if marks:
                test = f"{prefix}::{node.name}"
                rules = tuple(_plain(arg, test) for mark in marks for arg in mark.args)
                reasons = (_plain(word.value, test) for mark in marks for word in mark.keywords)
                yield Claim(test, rules, next(reasons, ""))


def _is_claim(mark: ast.expr) -> bool:
    return ast.unparse(mark) == "pytest.mark.rule"


def _plain(node: ast.expr, test: str) -> str:
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        raise ClaimError(f"{test}: {ast.unparse(node)} is not plain text")
    return node.value
