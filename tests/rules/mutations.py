"""
Small wrong changes of rule code, one at a time.

Four kinds, each a mistake that breaks a rule rather than a detail of the code:

    return early   a function that changes the position gives it back unchanged; one that answers says yes, 0 or nothing
    drop a check   an `if` that refuses never refuses; a statement that only checks is left out
    constant       a whole number is one higher; True and False change places
    comparison     equal and unequal, in and not in change places; a bound moves by one (< and <=, > and >=)

Lines keep their numbers, so a change can be held against what the tests ran.
"""

import ast
from collections.abc import Iterator

from msgspec import Struct

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}

_NO_RULE = ("default", "key", "strict")
"""Arguments that hold no rule: a change there leaves the game as it is."""

_ANSWERS = {"bool": "return True", "int": "return 0"}

Place = tuple[int, int, int, int]
"""First line and column, last line and column, as in the syntax tree: lines from 1, columns in bytes from 0."""


class Mutation(Struct, frozen=True):
    """
    One wrong change.

    `place`  what it replaces
    `text`   what it puts there
    `lines`  first and last line that must run for the change to be felt; (0, 0) if it is felt without running
    """

    kind: str
    place: Place
    text: str
    lines: tuple[int, int]
    shown: str

    def apply(self, source: str) -> str:
        """Return *source* with this change, with as many lines as before."""
        lines = source.encode().splitlines(keepends=True)
        first, start, last, end = self.place
        gone = b"".join(lines[first - 1 : last])
        kept = gone.count(b"\n") - lines[last - 1].count(b"\n")
        new = lines[first - 1][:start] + self.text.encode() + b"\n" * kept + lines[last - 1][end:]
        return b"".join((*lines[: first - 1], new, *lines[last:])).decode()


def mutations(source: str) -> tuple[Mutation, ...]:
    """Return every change of the four kinds that can be made in *source*, in the order of the lines."""
    found = (*_in_functions(ast.parse(source)), *_at_top(ast.parse(source)))
    return tuple(sorted(found, key=lambda one: (one.place, one.text)))


def _in_functions(tree: ast.Module) -> Iterator[Mutation]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            yield from _early_return(function)
            for statement in _statements(function.body):
                yield from _dropped_check(statement)
                for node in _own_expressions(statement):
                    yield from _changed(node, _extent(statement))


def _at_top(tree: ast.Module) -> Iterator[Mutation]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            for node in ast.walk(statement.value):
                yield from _changed(node, (0, 0))


def _early_return(function: ast.FunctionDef) -> Iterator[Mutation]:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    answer = _early_answer(function)
    if body and answer:
        last = body[-1]
        place = (body[0].lineno, body[0].col_offset, last.end_lineno or 0, last.end_col_offset or 0)
        if "\n".join(map(ast.unparse, body)) != answer:
            yield Mutation("return early", place, answer, (place[0], place[2]), f"{function.name}: {answer}")


def _early_answer(function: ast.FunctionDef) -> str:
    gives = ast.unparse(function.returns) if function.returns else ""
    same = [arg.arg for arg in function.args.args if arg.annotation and ast.unparse(arg.annotation) == "State"]
    if gives == "State" and same:
        return f"return {same[0]}"
    if gives == "Step[State]" and same:
        return f"return Step({same[0]})"
    if gives in _ANSWERS:
        return _ANSWERS[gives]
    if gives.startswith("tuple[") and gives.endswith("...]"):
        return "return ()"
    return "yield from ()" if gives.startswith("Iterator[") else ""


def _dropped_check(statement: ast.stmt) -> Iterator[Mutation]:
    if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Raise):
        place = _place(statement.test)
        yield Mutation("drop a check", place, "False", _extent(statement), f"if {ast.unparse(statement.test)}: never")
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        shown = ast.unparse(statement).splitlines()[0]
        yield Mutation("drop a check", _place(statement), "pass", _extent(statement), f"{shown}: left out")


def _changed(node: ast.AST, lines: tuple[int, int]) -> Iterator[Mutation]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
        new = str(not node.value) if isinstance(node.value, bool) else str(node.value + 1)
        yield Mutation("constant", _place(node), new, lines, f"{node.value} becomes {new}")
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        operator = _OPERATORS[type(node.ops[0])]
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        new = f"({left}) {operator} ({right})"
        yield Mutation("comparison", _place(node), new, lines, f"{ast.unparse(node)} becomes {operator}")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of *body* at every depth, no inner functions, no assertions: they hold no rule."""
    for statement in body:
        if not isinstance(statement, ast.FunctionDef | ast.Assert):
            yield statement
            yield from _statements(_inside(statement))


def _inside(statement: ast.stmt) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            found.append(child)
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            found.extend(child.body)
    return found


def _own_expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the expressions of *statement* itself, not those of statements inside it, nor its annotation."""
    waiting = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    if isinstance(statement, ast.AnnAssign):
        waiting = [statement.value] if statement.value else []
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting.extend(child for child in _parts(node) if not isinstance(child, ast.stmt))


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of *node*, but not what stands for "none", orders a list, or cannot happen: `_NO_RULE`."""
    fallback = node.args[1:] if isinstance(node, ast.Call) and ast.unparse(node.func) == "next" else []
    for part in ast.iter_child_nodes(node):
        if part not in fallback and not (isinstance(part, ast.keyword) and part.arg in _NO_RULE):
            yield part


def _extent(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and last line of *statement*, without the statements inside it."""
    inner = [child.lineno for child in _inside(statement)]
    last = min(inner) - 1 if inner else statement.end_lineno or statement.lineno
    return statement.lineno, max(statement.lineno, last)


def _place(node: ast.expr | ast.stmt) -> Place:
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0
