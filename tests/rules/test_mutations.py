"""The wrong changes that prove the rule tests: each kind, and what is left alone."""

import ast

import pytest

from tests.rules.mutations import mutations

EARLY = '''
def feed(state: State, seat: Seat) -> State:
    """Say it."""
    if seat > 0:
        state = replace(state, fed=seat)
    return state
'''


def changed(source: str, kind: str) -> list[str]:
    """Return *source* after each change of *kind*."""
    return [one.apply(source) for one in mutations(source) if one.kind == kind]


def test_returning_early_leaves_the_position_as_it_was() -> None:
    expected = '\ndef feed(state: State, seat: Seat) -> State:\n    """Say it."""\n    return state\n\n\n'

    assert [expected.rstrip()] == [one.rstrip() for one in changed(EARLY, "return early")]


@pytest.mark.parametrize(
    ("gives", "answer"),
    [
        ("bool", "return True"),
        ("int", "return 0"),
        ("tuple[Move, ...]", "return ()"),
        ("Iterator[Move]", "yield from ()"),
    ],
)
def test_returning_early_answers_in_kind(gives: str, answer: str) -> None:
    source = f"def ask(state: State) -> {gives}:\n    return find(state)\n"

    assert [f"def ask(state: State) -> {gives}:\n    {answer}\n"] == changed(source, "return early")


def test_a_step_returned_early_has_no_events() -> None:
    source = "def act(state: State) -> Step[State]:\n    return Step(change(state), (event,))\n"

    assert ["def act(state: State) -> Step[State]:\n    return Step(state)\n"] == changed(source, "return early")


def test_a_function_with_nothing_to_leave_out_is_left_alone() -> None:
    source = "def keep(state: State) -> State:\n    return state\n"

    assert [] == changed(source, "return early")


def test_a_dropped_check_never_refuses() -> None:
    source = "def f(x):\n    if x > 5:\n        raise Wrong\n    check(x)\n"

    expected = [
        "def f(x):\n    if False:\n        raise Wrong\n    check(x)\n",
        "def f(x):\n    if x > 5:\n        raise Wrong\n    pass\n",
    ]
    assert expected == changed(source, "drop a check")


def test_constants_grow_by_one_and_truths_change_places() -> None:
    source = "LIMIT = 5\ndef f():\n    return g(2, True)\n"

    expected = [
        "LIMIT = 6\ndef f():\n    return g(2, True)\n",
        "LIMIT = 5\ndef f():\n    return g(3, True)\n",
        "LIMIT = 5\ndef f():\n    return g(2, False)\n",
    ]
    assert expected == changed(source, "constant")


@pytest.mark.parametrize(
    ("before", "after"),
    [("a == b", "(a) != (b)"), ("a < b", "(a) <= (b)"), ("a >= b", "(a) > (b)"), ("a in b", "(a) not in (b)")],
)
def test_comparisons_are_swapped(before: str, after: str) -> None:
    source = f"def f(a, b):\n    return {before}\n"

    assert [f"def f(a, b):\n    return {after}\n"] == changed(source, "comparison")


def test_docstrings_types_and_assertions_are_left_alone() -> None:
    source = (
        'def f(a: Literal[1]) -> str:\n    """Give 1."""\n    b: Literal[2] = a\n    assert b == 2\n    return str(b)\n'
    )

    assert () == mutations(source)


def test_what_stands_for_none_or_orders_a_list_is_left_alone() -> None:
    source = "def f(a):\n    return max(a, default=0), sorted(a, key=lambda one: -1), next(a, 3), zip(a, strict=True)\n"

    assert () == mutations(source)


def test_each_place_is_changed_once() -> None:
    source = "def f(a):\n for x in range(3):\n  if x == 1:\n   while a < 2:\n    a += 4\n return a\n"

    found = [(one.place, one.text) for one in mutations(source)]

    assert 6 == len(found) == len(set(found))


def test_lines_keep_their_numbers() -> None:
    lines = EARLY.count("\n")

    for one in mutations(EARLY):
        source = one.apply(EARLY)

        assert lines == source.count("\n")
        ast.parse(source)


def test_a_change_is_felt_where_its_own_statement_runs() -> None:
    source = "def f(a):\n    if g(\n        a, 1\n    ):\n        return h(\n            a, 2\n        )\n"

    assert [(2, 4), (5, 7)] == [one.lines for one in mutations(source)]


def test_a_change_at_the_top_is_felt_without_running() -> None:
    assert [(0, 0)] == [one.lines for one in mutations("LIMIT = 5\n")]


def test_names_beyond_ascii_do_not_shift_a_place() -> None:
    source = 'def f(a):\n    return a["caf\N{LATIN SMALL LETTER E WITH ACUTE}"] + 1\n'

    assert [source.replace("+ 1", "+ 2")] == changed(source, "constant")
